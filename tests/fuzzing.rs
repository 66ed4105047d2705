//! The fuzz targets, with texts of the repository changed at random.
//!
//! `LUSORY_FUZZ=100000 cargo test --release --test fuzzing` tries so many texts a target; `LUSORY_FUZZ_SEED` begins elsewhere. A text for
//! which a promise does not hold, or which takes more than two seconds, is written to the folder for temporary files, and named.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use lusory::play::Chance;

#[path = "fuzz/targets.rs"]
mod targets;

mod support;

/// For one text.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 60 } else { 2 });

fn setting(name: &str, unsaid: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(unsaid)
}

/// Texts to begin with: small ones, so that changes matter.
fn corpus(endings: &[&str], longest: usize) -> Vec<String> {
    let mut texts = Vec::new();
    let games = ["rulesets", "tests/diagnostics", "tests/syntax/ok"];
    for folder in &games[..if endings == ["yaml"] { 2 } else { 3 }] {
        for path in support::files(folder, endings) {
            if let Ok(text) = support::text(&path)
                && text.len() < longest
            {
                texts.push(text.split("=== expected").next().unwrap_or_default().to_string());
            }
        }
    }
    texts
}

/// A text in pieces that mean something: words, numbers, signs, blanks.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let kind = |sign: char| (sign.is_alphanumeric() || sign == '_', sign.is_whitespace());
    for sign in text.chars() {
        match pieces.last_mut() {
            Some(last) if last.chars().next_back().map(kind) == Some(kind(sign)) && kind(sign) != (false, false) => {
                last.push(sign);
            }
            _ => pieces.push(sign.to_string()),
        }
    }
    pieces
}

/// One of the texts with some pieces left out, doubled, exchanged, or taken from another.
fn changed(corpus: &[String], chance: &mut Chance) -> String {
    let mut any = |n: usize| chance.below(n.max(1) as u64) as usize;
    let mut text = pieces(&corpus[any(corpus.len())]);
    let other = pieces(&corpus[any(corpus.len())]);
    for _ in 0..1 + any(4) {
        let (at, n) = (any(text.len()), 1 + any(3));
        let end = (at + n).min(text.len());
        let from = any(other.len());
        match any(6) {
            0 => drop(text.drain(at..end)),
            1 => {
                let again: Vec<String> = text[at..end].to_vec();
                text.splice(at..at, again);
            }
            2 if !text.is_empty() => {
                let with = any(text.len());
                text.swap(at, with);
            }
            3 if !other.is_empty() => {
                let part: Vec<String> = other[from..(from + 1 + any(12)).min(other.len())].to_vec();
                text.splice(at..at, part);
            }
            4 if !text.is_empty() => {
                let odd = ["2000000000", "\u{0}", "\u{202e}", "{", ")", "\"", "'s", "-", "1", "while on {", "é"];
                text[at] = odd[any(odd.len())].to_string();
            }
            _ if !text.is_empty() && !other.is_empty() => text[at] = other[from].clone(),
            _ => {}
        }
    }
    text.concat()
}

fn run(name: &str) {
    let Some((_, target)) = targets::TARGETS.iter().find(|(known, _)| *known == name) else {
        panic!("there is no target {name}");
    };
    // Machine code is worth trying on whole games.
    let longest = if name == "native" { 2_500 } else { 1_500 };
    let corpus = corpus(if name == "house" { &["yaml"] } else { &["lus"] }, longest);
    let unsaid = if matches!(name, "parse" | "format" | "house") { 150 } else { 40 };
    let (n, first) = (setting("LUSORY_FUZZ", unsaid), setting("LUSORY_FUZZ_SEED", 1));
    for i in first..first + n {
        let text = changed(&corpus, &mut Chance::nth(7, i));
        let once = || {
            let begun = Instant::now();
            (catch_unwind(AssertUnwindSafe(|| target(&text))), begun.elapsed())
        };
        let (done, mut taken) = once();
        // A machine that does other work at the same time has more than one try.
        for _ in 0..if done.is_ok() && taken > LONGEST { 2 } else { 0 } {
            taken = taken.min(once().1);
        }
        if done.is_err() || taken > LONGEST {
            let path = std::env::temp_dir().join(format!("lusory-fuzz-{name}-{i}.txt"));
            let _ = std::fs::write(&path, &text);
            panic!("{name}, text {i}, after {taken:?}: {}", path.display());
        }
    }
}

#[test]
fn parse() {
    run("parse");
}

#[test]
fn play() {
    run("play");
}

#[test]
fn engines() {
    run("engines");
}

#[test]
fn native() {
    run("native");
}

#[test]
fn records() {
    run("records");
}

#[test]
fn house() {
    run("house");
}

#[test]
fn format() {
    run("format");
}
