//! Each founding game is broken in ten ways that its players would call typical, and its own examples, properties and the laws of all games
//! have to notice. `mutations/GAME.txt` says how: a sentence after `=`, then the lines that go (`-`) and those that come (`+`).
//!
//! What was noticed, and by what, is listed in `README.md`; `UPDATE=1` writes the list anew.

use std::path::Path;

use lusory::diagnostics::Diagnostics;
use lusory::evaluators::Evaluators;
use lusory::library::{Bundled, Embedded, Games, Overlay};
use lusory::pipeline::{self, Loaded};
use lusory::play::Start;
use lusory::source::Source;
use lusory::syntax::ast::{Example, ExampleKind};
use lusory::trial::games::try_laws;
use lusory::trial::{self, Effort, Law, Laws};

mod support;

/// How many have to be noticed, and how long a game that shows it may be.
const NOTICED: usize = 45;
const PLIES: usize = 12;
/// Random games in which laws and properties are tried if no example notices anything.
const EFFORT: Effort = Effort { games: 3, plies: 60, seed: 1, looks: 2_000, ended: 20 };
/// Stack for the plain evaluator.
const STACK: usize = 64 * 1024 * 1024;
/// Between these the list stands in the document.
const FROM: &str = "<!-- what mutations.rs has found -->\n";
const TO: &str = "<!-- end -->\n";

/// A mistake made on purpose.
struct Mistake {
    title: String,
    swaps: Vec<(String, String)>,
}

/// The games before the one that is broken.
struct Broken(Source, String);

impl Games for Broken {
    fn read(&self, name: &str) -> Option<Source> {
        (name == self.1).then(|| self.0.clone())
    }
}

#[test]
fn mistakes_are_noticed() -> Result<(), String> {
    let files = support::files("tests/mutations", &["txt"]);
    let mut games: Vec<_> = Vec::new();
    for path in files {
        let work = move || game(&path);
        games.push(std::thread::Builder::new().stack_size(STACK).spawn(work).map_err(|error| error.to_string())?);
    }
    let mut rows = Vec::new();
    for game in games {
        rows.extend(game.join().map_err(|_| "a game could not be tried")??);
    }
    let noticed = rows.iter().filter(|row| row.1.is_some()).count();
    let mut list =
        format!("{noticed} of {} are noticed.\n\n| mistake | noticed by | moves |\n|---|---|---|\n", rows.len());
    for (title, by) in &rows {
        let (by, moves) = match by {
            Some((by, Some(moves))) => (by.as_str(), moves.to_string()),
            Some((by, None)) => (by.as_str(), String::new()),
            None => ("nothing", String::new()),
        };
        list += &format!("| {title} | {by} | {moves} |\n");
    }
    assert!(noticed >= NOTICED, "{list}");
    let longest = rows.iter().filter_map(|row| row.1.as_ref()?.1).max().unwrap_or(0);
    assert!(longest <= PLIES, "{list}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/README.md");
    let text = support::text(&path)?;
    let (before, rest) = text.split_once(FROM).ok_or("the README has no place for the list")?;
    let (_, after) = rest.split_once(TO).ok_or("the list in the README has no end")?;
    support::expect(&path, &format!("{before}{FROM}{list}{TO}{after}"))
}

/// What notices a mistake, and the moves of the game that shows it.
type Notice = Option<(String, Option<usize>)>;

/// All mistakes of a game.
fn game(path: &Path) -> Result<Vec<(String, Notice)>, String> {
    let game = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let source = Bundled.read(&game).ok_or("no such game")?;
    let mut rows = Vec::new();
    for mistake in read(&support::text(path)?) {
        let mut text = source.text.clone();
        for (from, to) in &mistake.swaps {
            if text.matches(from.as_str()).count() != 1 {
                return Err(format!("{game}: \"{from}\" should stand in the game once"));
            }
            text = text.replace(from.as_str(), to);
        }
        let broken = Source { name: source.name.clone(), text };
        rows.push((format!("{game}: {}", mistake.title), notice(&game, &broken)?));
    }
    Ok(rows)
}

fn read(text: &str) -> Vec<Mistake> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    for line in text.lines() {
        let Some((mark, rest)) = line.split_at_checked(2) else { continue };
        match (mark, mistakes.last_mut()) {
            ("= ", _) => mistakes.push(Mistake { title: rest.to_string(), swaps: Vec::new() }),
            ("- ", Some(mistake)) => mistake.swaps.push((rest.to_string(), String::new())),
            ("+ ", Some(mistake)) => {
                if let Some((_, to)) = mistake.swaps.last_mut() {
                    *to += if to.is_empty() { "" } else { "\n" };
                    *to += rest;
                }
            }
            _ => {}
        }
    }
    mistakes
}

/// What notices it first: the checker, an example, a property or a law.
fn notice(game: &str, broken: &Source) -> Result<Notice, String> {
    let alone = pipeline::load(broken.clone(), &Bundled, &Embedded);
    let by_check = |found: &Diagnostics| found.first().map(|diag| (format!("check: {}", diag.code), None));
    if let Some(by) = by_check(&alone.findings(&[])) {
        return Ok(Some(by));
    }
    let mut files = vec![alone];
    for path in support::files(&format!("rulesets/{game}/examples"), &["lus"]) {
        if path.file_stem().is_some_and(|stem| stem != "deep") {
            let source = Source { name: support::shown(&path), text: support::text(&path)? };
            let games = Overlay(Broken(broken.clone(), game.to_string()), Bundled);
            files.push(pipeline::load(source, &games, &Embedded));
        }
    }
    for loaded in &files {
        for example in trial::own_examples(loaded) {
            if trial::example(loaded, example).is_err() {
                return Ok(Some((format!("example \"{}\"", example.title.value), Some(moves(example)))));
            }
        }
    }
    for (i, loaded) in files.iter().enumerate() {
        if let Some(by) = in_games(loaded, i == 0) {
            return Ok(Some(by));
        }
    }
    Ok(None)
}

/// Moves that an example plays.
fn moves(example: &Example) -> usize {
    let plays = example.lines.iter().map(|line| match &line.kind {
        ExampleKind::Play(texts) => texts.len(),
        _ => 0,
    });
    plays.sum()
}

/// A property or a law that breaks in random games.
fn in_games(loaded: &Loaded, laws: bool) -> Notice {
    let ready = loaded.ready(&[]).ok()?;
    let properties: Vec<_> = trial::own_properties(&ready).cloned().collect();
    let evaluators = Evaluators::new(ready.rules.clone());
    let first = evaluators.oracle(&Start::beginning()).ok()?.snapshot();
    let (symmetry, options) = (None, Vec::new());
    let settings = &[];
    let tried =
        Laws { evaluators: &evaluators, loaded: None, settings, symmetry, options, properties: &properties, first };
    let of_properties = (0..properties.len()).map(|i| vec![Law::Property(i)]);
    for list in of_properties.chain(laws.then(|| Law::LIGHT.to_vec())) {
        if let Err(shrunk) = try_laws(&tried, &list, EFFORT, None) {
            let title = tried.title(shrunk.broken.law);
            return Some((format!("\"{title}\""), Some(shrunk.plays.len())));
        }
    }
    None
}
