//! Bundled games with words and lines deleted, doubled and swapped at random: whatever comes of it, it is read and checked in
//! time, nothing panics, and what passes the check can be set up and played a little.
//!
//! The same games every time. A failure is shrunk; mend it and keep it as a case of `diagnostics/`.

use std::time::{Duration, Instant};

use lusory::diagnostics::render::{Style, render_all};
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::play::{Chance, Status, Table};
use lusory::reference::Slow;
use lusory::rules::Rules;
use lusory::source::Source;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// For one game; these tests are not optimized, and several run at once.
const LONGEST: Duration = Duration::from_secs(3);
/// Time for all; what has not been tried then is not.
const ALL: Duration = Duration::from_secs(8);
const CASES: u32 = 400;

/// A change: what is done, where (in thousandths of the text), and with what there.
type Change = (u8, u16, u16);

/// Pieces of a text, so that all of them together are the text: words, signs, blanks; or lines.
fn pieces(text: &str, lines: bool) -> Vec<String> {
    if lines {
        return text.split_inclusive('\n').map(str::to_string).collect();
    }
    let mut found: Vec<String> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut before = ' ';
    for c in text.chars() {
        match found.last_mut() {
            Some(last) if word(c) && word(before) => last.push(c),
            _ => found.push(c.to_string()),
        }
        before = c;
    }
    found
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_string();
    for &(what, at, other) in changes {
        let mut parts = pieces(&text, what >= 8);
        if parts.is_empty() {
            return text;
        }
        let place = |part: u16| usize::from(part) * parts.len() / 1000;
        let (at, other) = (place(at), place(other));
        match what % 8 {
            0 | 1 => {
                parts.remove(at);
            }
            2 => parts.insert(at, parts[at].clone()),
            3 | 4 => parts.swap(at, other),
            5 | 6 => parts[at] = parts[other].clone(),
            _ => parts.truncate(at.max(1)),
        }
        text = parts.concat();
    }
    text
}

/// A few moves with the plain evaluator, which needs no more than the rules promise.
fn play(rules: &Rules, seed: u64) {
    let mut rules = rules.clone();
    rules.bounds.fuel = 200;
    let mut chance = Chance::nth(seed, 0);
    let Ok(mut game) = Slow::start(&rules) else { return };
    for _ in 0..4 {
        let chosen = match game.status() {
            Status::Over(_) => return,
            Status::Chance => game.draw(&mut |n| chance.below(n)),
            Status::ToMove(_) => game.moves().map(|moves| moves[chance.below(moves.len() as u64) as usize].clone()),
        };
        let Ok(chosen) = chosen else { return };
        if game.play(&chosen).is_err() {
            return;
        }
    }
}

fn attack(name: &str, changes: &[Change], playing: bool) -> Result<(), TestCaseError> {
    let source = Bundled.read(name).ok_or_else(|| TestCaseError::fail("no such game"))?;
    let text = changed(&source.text, changes);
    let begun = Instant::now();
    let loaded = pipeline::load(Source { name: source.name, text: text.clone() }, &Bundled, &Embedded);
    let ready = loaded.ready(&[]);
    let found = match &ready {
        Ok(ready) => &ready.found,
        Err(found) => found,
    };
    let drawn = render_all(found, &loaded.sources, Style::default());
    prop_assert!(begun.elapsed() < LONGEST, "it took {:?}:\n{text}", begun.elapsed());
    prop_assert!(ready.is_ok() || !found.is_empty(), "refused without a word:\n{text}");
    prop_assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "a control character in:\n{drawn}");
    for (i, diag) in found.iter().enumerate() {
        let twice = found[..i].iter().any(|other| other.place == diag.place && other.message == diag.message);
        prop_assert!(!twice, "said twice: {}\n{text}", diag.message);
    }
    if let (true, Ok(ready)) = (playing, &ready) {
        play(&ready.rules, 1);
    }
    Ok(())
}

#[test]
fn changed_games_are_refused_or_played() {
    let config = Config { cases: CASES, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let names = Bundled.names();
    let until = Instant::now() + ALL;
    let change = (0u8..16, 0u16..1000, 0u16..1000);
    let result = runner.run(&(0..names.len(), vec(change, 1..5)), |(game, changes)| {
        if Instant::now() > until {
            return Ok(());
        }
        attack(&names[game], &changes, true)
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, (game, changes))) => panic!("{} with {changes:?}: {reason}", names[game]),
        Err(abort) => panic!("{abort}"),
    }
}
