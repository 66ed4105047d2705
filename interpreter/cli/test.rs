//! `lusory test`: runs the examples of games and tries their properties.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::args::TestArgs;
use super::console::Console;
use super::failure::Failure;
use super::{game, words};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::render::{Format, Style, render};
use crate::evaluators::Evaluators;
use crate::library::{Bundled, Folder, Games, Library, read_file};
use crate::pipeline::{self, Loaded};
use crate::sight;
use crate::source::{FileId, Source};
use crate::trial::{self, Effort};

/// Random games in which a property is tried, and their length at most.
const GAMES: u64 = 10;
const PLIES: usize = 120;

/// A file with examples.
struct Case {
    source: Source,
    games: Box<dyn Games>,
}

/// One example or property, for other programs.
#[derive(Serialize)]
struct Row<'r> {
    file: &'r str,
    sort: &'static str,
    name: &'r str,
    holds: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
}

#[derive(Default)]
struct Counts {
    examples: usize,
    properties: usize,
    failed: usize,
    broken: bool,
}

/// Runs them.
pub fn run(args: &TestArgs, console: &Console) -> Result<(), Failure> {
    let library = game::library(args.library.as_deref())?;
    let names = if args.games.is_empty() { Bundled.names() } else { args.games.clone() };
    let mut all = Counts::default();
    for name in &names {
        let mut counts = Counts::default();
        for case in cases(name, args.deep)? {
            let loaded = pipeline::load(case.source, case.games.as_ref(), library.as_ref());
            try_file(&loaded, args, console, &mut counts)?;
        }
        if !args.json {
            let Counts { examples, properties, failed, broken } = counts;
            let (examples, properties) = (words::count(examples, "example"), words::many(properties, "property"));
            let result = match (failed, broken) {
                (0, false) => "all hold".to_string(),
                (0, true) => "not all could be read".to_string(),
                (1, _) => "1 does not hold".to_string(),
                (n, _) => format!("{n} do not hold"),
            };
            console.data(format!("{name}: {examples}, {properties}: {result}"))?;
        }
        all.failed += counts.failed;
        all.broken |= counts.broken;
    }
    match (all.failed, all.broken) {
        (0, false) => Ok(()),
        (0, true) => Err(Failure::Findings),
        _ => Err(Failure::Tests),
    }
}

/// The game's own file and those in the folder for examples.
fn cases(name: &str, deep: bool) -> Result<Vec<Case>, Failure> {
    let found = game::find(name)?;
    let folder = match &found.path {
        Some(path) => path.with_file_name("examples"),
        None => Path::new("rulesets").join(name).join("examples"),
    };
    let mut cases = vec![Case { source: found.source, games: found.games }];
    for module in Folder::new(&folder).modules() {
        if module == "deep" && !deep {
            continue;
        }
        let path: PathBuf = folder.join(format!("{module}.lus"));
        let source = read_file(&path).map_err(|refusal| Failure::file(&path, refusal))?;
        // Examples of a game that comes with the program are about that game, not about one that lies beside them.
        let games = if found.path.is_some() { game::games_for(&path) } else { Box::new(Bundled) };
        cases.push(Case { source, games });
    }
    Ok(cases)
}

fn try_file(loaded: &Loaded, args: &TestArgs, console: &Console, counts: &mut Counts) -> Result<(), Failure> {
    let ready = match loaded.ready(&[]) {
        Ok(ready) => ready,
        Err(found) => {
            counts.broken = true;
            console.refuse(&found, &loaded.sources);
            return Ok(());
        }
    };
    for example in trial::own_examples(loaded) {
        counts.examples += 1;
        let found = trial::example(loaded, example).err().unwrap_or_default();
        tell(loaded, args, console, ("example", &example.title.value), &found)?;
        counts.failed += usize::from(!found.is_empty());
    }
    let evaluators = Evaluators::new(ready.rules.clone());
    let effort = Effort { games: GAMES, plies: PLIES, seed: args.seed };
    if let Some(place) = sight::hides(&ready.rules).filter(|place| place.file == FileId(0)) {
        counts.properties += 1;
        let found = sight::offers(&evaluators, place, effort).err().unwrap_or_default();
        tell(loaded, args, console, ("property", "what is offered says nothing of what is hidden"), &found)?;
        counts.failed += usize::from(!found.is_empty());
    }
    for property in trial::own_properties(&ready) {
        counts.properties += 1;
        let found = trial::property(&evaluators, property, effort).err().unwrap_or_default();
        tell(loaded, args, console, ("property", &property.title), &found)?;
        counts.failed += usize::from(!found.is_empty());
    }
    Ok(())
}

/// Says how one went; in words only if it does not hold.
fn tell(
    loaded: &Loaded,
    args: &TestArgs,
    console: &Console,
    (sort, name): (&'static str, &str),
    found: &Diagnostics,
) -> Result<(), Failure> {
    if args.json {
        let message = found.iter().map(|diag| render(diag, &loaded.sources, Style::default())).collect();
        let file = loaded.sources.get(loaded.game.file).name.as_str();
        return console.json(&Row { file, sort, name, holds: found.is_empty(), message });
    }
    if found.is_empty() {
        return Ok(());
    }
    console.data(format!("The {sort} \"{name}\" does not hold:"))?;
    console.findings(found, &loaded.sources, Format::Human)
}
