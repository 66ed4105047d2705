//! What is tried with texts that nobody wrote: each function takes any text and panics if a promise does not hold.
//!
//! The programs in `fuzz_targets/` call these under libFuzzer; `tests/fuzzing.rs` calls them with texts changed at random.

use std::sync::Arc;

use lusory::evaluators::Evaluators;
use lusory::fast::Engine;
use lusory::fast::switches::{Switch, Switches};
use lusory::house;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline::{self, Loaded};
use lusory::play::{Chance, Start, Status, Table, Trouble};
use lusory::rules::{Bounds, Rules};
use lusory::source::{FileId, Source};
use lusory::syntax;

/// Moves of one random game.
const PLIES: usize = 200;
/// Moves of one game whose evaluators are compared, or whose texts are read back.
const COMPARED: usize = 12;

/// A target: its name and what it does.
pub type Target = (&'static str, fn(&str));

/// All of them.
pub const TARGETS: [Target; 7] = [
    ("parse", parse),
    ("play", check_then_play),
    ("engines", engines),
    ("native", native),
    ("records", records),
    ("house", house_file),
    ("format", format),
];

/// Any text can be read, and the lines of a position too.
pub fn parse(text: &str) {
    let (_, found) = syntax::parse(FileId(0), text);
    assert!(found.len() <= 60, "{} findings", found.len());
    syntax::parse_example_lines(FileId(0), text);
    syntax::parse_expr(FileId(0), text);
}

/// What a game may cost here.
const BOUNDS: Bounds =
    Bounds { moves: 2_000, ways: 5_000, fuel: 500, looks: 200_000, steps: 50, turns: 100, ..Bounds::usual() };

/// The rules of a game, if nothing is wrong with it.
fn rules(text: &str, bounds: Bounds) -> Option<Arc<Rules>> {
    let mut loaded = load(text);
    loaded.bounds = bounds;
    loaded.ready(&[]).ok().map(|ready| ready.rules)
}

/// The evaluators of a game, if nothing is wrong with it.
fn accepted(text: &str) -> Option<Evaluators> {
    rules(text, BOUNDS).map(Evaluators::new)
}

fn load(text: &str) -> Loaded {
    pipeline::load(Source { name: "fuzz.lus".into(), text: text.into() }, &Bundled, &Embedded)
}

/// One move drawn at random, or why the game does not go on.
fn step(table: &mut dyn Table, chance: &mut Chance) -> Result<bool, Trouble> {
    let listed = match table.status() {
        Status::Over(_) => return Ok(false),
        Status::ToMove(_) => table.moves()?,
        Status::Chance => table.outcomes()?.into_iter().map(|(chosen, _)| chosen).collect(),
    };
    assert!(!listed.is_empty(), "somebody is to move and has nothing to play");
    let chosen = &listed[chance.below(listed.len() as u64) as usize];
    table.play(chosen)?;
    Ok(true)
}

/// What is accepted can be played: 200 moves at random, or a trouble that has a place.
pub fn check_then_play(text: &str) {
    let Some(evaluators) = accepted(text) else { return };
    let played = evaluators.table(&Start::beginning()).and_then(|mut table| {
        let mut chance = Chance::new(1);
        for _ in 0..PLIES {
            if !step(table.as_mut(), &mut chance)? {
                break;
            }
        }
        Ok(())
    });
    if let Err(trouble) = played {
        assert!(trouble.span().is_some(), "{trouble}");
    }
}

/// Both evaluators offer the same and come to the same.
pub fn engines(text: &str) {
    let Some(evaluators) = accepted(text) else { return };
    let start = Start::beginning();
    let (Ok(mut fast), Ok(mut slow)) = (evaluators.table(&start), evaluators.slow_table(&start)) else { return };
    let mut chance = Chance::new(2);
    for _ in 0..COMPARED {
        assert_eq!(fast.status(), slow.status());
        assert_eq!(fast.snapshot(), slow.snapshot());
        let chosen = match fast.status() {
            Status::Over(_) => return,
            Status::ToMove(_) => {
                let (Ok(quick), Ok(plain)) = (fast.moves(), slow.moves()) else { return };
                assert_eq!(quick, plain);
                quick[chance.below(quick.len() as u64) as usize].clone()
            }
            Status::Chance => {
                let (Ok(quick), Ok(plain)) = (fast.outcomes(), slow.outcomes()) else { return };
                assert_eq!(quick.len(), plain.len());
                quick[chance.below(quick.len() as u64) as usize].0.clone()
            }
        };
        let (Ok(()), Ok(())) = (fast.play(&chosen), slow.play(&chosen)) else { return };
    }
}

/// Machine code plays the same random games, and counts the same sequences, to the same trouble.
pub fn native(text: &str) {
    // With little to spend for a move machine code leaves whole games alone.
    let Some(rules) = rules(text, Bounds { fuel: 5_000, machine_code: true, ..BOUNDS }) else { return };
    let plain = Engine::with(rules.clone(), Switches::ON.without(Switch::Native));
    let native = Engine::new(rules).in_a_hurry();
    for game in 0..3 {
        let (one, other) = (plain.playouts(1, 4, game), native.playouts(1, 4, game));
        assert_eq!(one, other, "game {game}");
        if one.is_err() {
            return;
        }
    }
    for depth in 1..4 {
        let (one, other) = (plain.perft(depth), native.perft(depth));
        assert_eq!(one, other, "sequences of {depth}");
        if !one.is_ok_and(|leaves| leaves < 100) {
            return;
        }
    }
}

/// Every move has a text of its own, and is found by it.
pub fn records(text: &str) {
    let Some(evaluators) = accepted(text) else { return };
    let Ok(mut speaker) = evaluators.speaker(&Start::beginning()) else { return };
    let mut chance = Chance::new(3);
    for _ in 0..COMPARED {
        if !matches!(speaker.status(), Status::ToMove(_)) {
            let Ok(true) = step(speaker.as_mut() as &mut dyn Table, &mut chance) else { return };
            continue;
        }
        let Ok(texts) = speaker.texts() else { return };
        let (chosen, said) = &texts[chance.below(texts.len() as u64) as usize];
        assert_eq!(texts.iter().filter(|(_, other)| other == said).count(), 1, "two moves are written {said:?}");
        assert_eq!(speaker.find(said).ok().as_ref(), Some(chosen), "{said:?} is another move");
        let chosen = chosen.clone();
        let Ok(()) = speaker.play(&chosen) else { return };
    }
}

/// A house file is read or refused, and laid over its game or refused.
pub fn house_file(text: &str) {
    let Ok(house) = house::read(FileId(0), text) else { return };
    let Some(game) = Bundled.read(&house.game.0) else { return };
    let loaded = pipeline::load(game, &Bundled, &Embedded);
    let settings = pipeline::house_settings(house, "fuzz.yaml");
    let _ = loaded.ready(&settings);
}

/// Laying out changes blanks alone, and once is enough.
pub fn format(text: &str) {
    let once = syntax::format(text);
    let bare = |text: &str| text.chars().filter(|sign| !sign.is_whitespace()).collect::<String>();
    assert_eq!(bare(text), bare(&once));
    assert_eq!(syntax::format(&once), once);
}
