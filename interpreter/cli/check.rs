//! `lusory check`: looks for mistakes in game, library and house files.

use std::path::{Path, PathBuf};

use super::args::{CheckArgs, Format};
use super::console::Console;
use super::failure::Failure;
use super::game;
use super::layers::Layer;
use super::modules;
use crate::diagnostics::reports::{Form, Report};
use crate::diagnostics::{Diagnostics, has_errors, json, render};
use crate::house;
use crate::library::{Bundled, Folder, Games, Library, read_file};
use crate::pipeline::{self, Loaded};
use crate::rules::Bounds;
use crate::source::Sources;

/// Checks every file; all findings of one come together.
pub fn run(args: &CheckArgs, console: &Console) -> Result<(), Failure> {
    let library = game::library(args.library.as_deref())?;
    let form = match args.format {
        Format::Sarif => Form::Sarif,
        Format::Junit => Form::Junit,
        Format::Github => Form::Github,
        Format::Human | Format::Short | Format::Json | Format::Jsonl => Form::Json,
    };
    let mut report = Report::new(form);
    let mut wrong = false;
    let mut worst = None;
    for name in &args.files {
        let checked = match name.ends_with(".yaml") || name.ends_with(".yml") {
            true => house_file(Path::new(name), args.cost.bounds(), library.as_ref()),
            false => rule_file(name, args, library.as_ref()),
        };
        let (found, sources) = match checked {
            Ok(checked) => checked,
            Err(failure) if args.files.len() == 1 => return Err(failure),
            Err(failure) => {
                if let Failure::Usage(said) | Failure::Files(said) | Failure::Limit(said) = &failure {
                    console.talk(format!("lusory: {said}"));
                }
                worst = Some(failure.code()).max(worst);
                continue;
            }
        };
        wrong |= has_errors(&found);
        match args.format {
            Format::Jsonl if found.is_empty() => {}
            Format::Jsonl => console.data(json::json_all(&found, &sources).trim_end())?,
            Format::Json | Format::Sarif | Format::Junit | Format::Github => report.add(name, &found, &sources),
            Format::Human => console.findings(&found, &sources, render::Format::Human)?,
            Format::Short => console.findings(&found, &sources, render::Format::Short)?,
        }
        if found.is_empty() && args.format == Format::Human {
            console.talk(format!("{name}: no mistake found"));
        }
    }
    if !matches!(args.format, Format::Human | Format::Short | Format::Jsonl) {
        let text = report.finish();
        if !text.is_empty() {
            console.data(text.trim_end())?;
        }
    }
    match worst {
        Some(3) => Err(Failure::Files("not every file could be read".to_string())),
        Some(4) => Err(Failure::Limit("not every file could be read".to_string())),
        Some(_) => Err(Failure::Usage("not every file could be read".to_string())),
        None if wrong => Err(Failure::Findings),
        None => Ok(()),
    }
}

/// A game and what is laid over it, or a file of the library.
fn rule_file(name: &str, args: &CheckArgs, library: &dyn Library) -> Result<(Diagnostics, Sources), Failure> {
    let text = game::find(name)?;
    let mut loaded = pipeline::load(text.source.clone(), text.games.as_ref(), library);
    if loaded.is_library() {
        return Ok(modules::check(&text.stem, text.source, library));
    }
    loaded.bounds = args.cost.bounds();
    let mut found = loaded.findings(&[]);
    let mut settings = Vec::new();
    let mut fits = !has_errors(&found);
    for layer in &args.layers.0 {
        let laid = match layer {
            Layer::House(name) => {
                let source = game::house_source(&text.stem, text.path.as_deref(), name)?;
                game::lay_house(&mut loaded, &text.stem, source)
            }
            Layer::Set(words) => game::lay_set(&mut loaded, "--set", words),
        };
        match laid {
            Ok(more) => settings.extend(more),
            Err(wrong) => {
                found.extend(wrong);
                fits = false;
            }
        }
    }
    if fits && !settings.is_empty() {
        found.extend(loaded.house_findings(&settings));
    }
    Ok((found, loaded.sources))
}

/// A house file, against the game that it names.
fn house_file(path: &Path, bounds: Bounds, library: &dyn Library) -> Result<(Diagnostics, Sources), Failure> {
    let source = read_file(path).map_err(|refusal| Failure::file(path, refusal))?;
    let mut sources = Sources::new();
    let file = sources.add(&source.name, &source.text);
    let house = match house::read(file, &source.text) {
        Ok(house) => house,
        Err(found) => return Ok((found, sources)),
    };
    let Some(mut loaded) = named_game(path, &house.game.0, library) else {
        return Ok((vec![pipeline::unknown_game(&house, &Bundled.names())], sources));
    };
    loaded.bounds = bounds;
    // Read once more among the texts of the game, so that findings can point into both.
    let file = loaded.sources.add(source.name, source.text);
    let house = match house::read(file, &loaded.sources.get(file).text) {
        Ok(house) => house,
        Err(found) => return Ok((found, loaded.sources)),
    };
    let settings = pipeline::house_settings(house, &path.display().to_string());
    let found = loaded.house_findings(&settings);
    Ok((found, loaded.sources))
}

/// The game of a house file: in the same folder, in the folder above if that is called `house`, or one of the program's.
fn named_game(path: &Path, name: &str, library: &dyn Library) -> Option<Loaded> {
    let folder = path.parent().filter(|folder| folder.file_name().is_some_and(|name| name == "house"));
    let above: Option<PathBuf> = folder.map(|folder| folder.with_file_name(format!("{name}.lus")));
    for path in [Some(path.with_file_name(format!("{name}.lus"))), above].into_iter().flatten() {
        if let Ok(source) = Folder::beside(&path).load(name) {
            return Some(pipeline::load(source, game::games_for(&path).as_ref(), library));
        }
    }
    let source = Bundled.read(name)?;
    Some(pipeline::load(source, &Bundled, library))
}
