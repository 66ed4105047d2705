//! Every `example` of every game and of its examples files, and of `tests/meaning`, is one test, named after it.
//!
//! `deep.lus` files are left out; `lusory test --deep` runs them. What an example means is known to `lusory::trial` alone.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::render::{Style, render_all};
use lusory::diagnostics::{Diagnostics, has_errors};
use lusory::evaluators::Evaluators;
use lusory::library::Embedded;
use lusory::pipeline::{self, Loaded};
use lusory::sight;
use lusory::source::{FileId, Source};
use lusory::trial::{self, Effort};

mod support;

use support::Neighbours;

/// How much each property is tried here.
const EFFORT: Effort = Effort { games: 2, plies: 40, seed: 1, looks: 2_000, ended: 0 };

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["rulesets", "stdlib", "tests/meaning"] {
        for path in support::files(folder, &["lus"]) {
            if path.file_stem().is_none_or(|stem| stem != "deep") {
                trials.extend(of_file(&path));
            }
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// One test an example and property of a file, or one that fails if it cannot be read.
fn of_file(path: &Path) -> Vec<Trial> {
    let name = support::shown(path);
    let loaded = match load(path) {
        Ok(loaded) => Arc::new(loaded),
        Err(words) => return vec![Trial::test(name, || Err(Failed::from(words)))],
    };
    if loaded.is_library() {
        return Vec::new();
    }
    let mut trials = Vec::new();
    for example in trial::own_examples(&loaded).cloned() {
        let (title, loaded) = (format!("{name}: {}", example.title.value), loaded.clone());
        let test = move || trial::example(&loaded, &example).map_err(|found| Failed::from(said(&found, &loaded)));
        trials.push(Trial::test(title, test));
    }
    if !loaded.game.properties.is_empty() {
        let loaded = loaded.clone();
        trials.push(Trial::test(format!("{name}: properties"), move || properties(&loaded).map_err(Failed::from)));
    }
    if let Ok(ready) = loaded.ready(&[])
        && let Some(place) = sight::hides(&ready.rules).filter(|place| place.file == FileId(0))
    {
        let test = move || {
            let evaluators = Evaluators::new(ready.rules.clone());
            sight::offers(&evaluators, place, EFFORT).map_err(|found| Failed::from(said(&found, &loaded)))
        };
        trials.push(Trial::test(format!("{name}: what is hidden"), test));
    }
    trials
}

fn load(path: &Path) -> Result<Loaded, String> {
    let source = Source { name: support::shown(path), text: support::text(path)? };
    let loaded = pipeline::load(source, &Neighbours, &Embedded);
    if has_errors(&loaded.found) && !loaded.is_library() { Err(said(&loaded.found, &loaded)) } else { Ok(loaded) }
}

fn properties(loaded: &Loaded) -> Result<(), String> {
    let ready = loaded.ready(&[]).map_err(|found| said(&found, loaded))?;
    let evaluators = Evaluators::new(ready.rules.clone());
    for property in trial::own_properties(&ready) {
        trial::property(&evaluators, property, EFFORT).map_err(|found| said(&found, loaded))?;
    }
    Ok(())
}

fn said(found: &Diagnostics, loaded: &Loaded) -> String {
    render_all(found, &loaded.sources, Style::default())
}
