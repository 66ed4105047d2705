//! No file that belongs to the program is warned of: games, files of examples, house files, and each option alone at its other values.

use std::path::Path;

use lusory::diagnostics::Diagnostics;
use lusory::diagnostics::render::{Format, Style, render_all};
use lusory::house::{self, Allowed, Origin, Setting, SettingValue};
use lusory::library::{Bundled, Embedded, Folder, Games, Overlay};
use lusory::pipeline::{self, Loaded};
use lusory::source::Source;

mod support;

/// Settings of a bundled game that make something impossible, as they should: game, option, value, and what is said.
const MEANT: &[(&str, &str, &str, &str)] = &[("quoridor", "fences", "0", "game-without-end")];

fn load(path: &Path) -> Result<Loaded, String> {
    let source = Source { name: support::shown(path), text: support::text(path)? };
    let folder = path.parent().unwrap_or(path);
    let beside = Overlay(Folder::new(folder), Overlay(Folder::new(folder.parent().unwrap_or(folder)), Bundled));
    Ok(pipeline::load(source, &beside, &Embedded))
}

fn said(found: &Diagnostics, loaded: &Loaded) -> String {
    render_all(found, &loaded.sources, Style { format: Format::Short, ..Style::default() })
}

#[test]
fn no_game_is_warned_of() -> Result<(), String> {
    let mut wrong = String::new();
    for path in support::files("rulesets", &["lus"]) {
        let loaded = load(&path)?;
        wrong += &match loaded.findings(&[]) {
            found if found.is_empty() => continue,
            found => said(&found, &loaded),
        };
    }
    assert!(wrong.is_empty(), "{wrong}");
    Ok(())
}

#[test]
fn no_house_file_is_warned_of() -> Result<(), String> {
    let mut wrong = String::new();
    for path in support::files("rulesets", &["yaml"]) {
        let text = support::text(&path)?;
        let game = path.parent().and_then(Path::parent).ok_or("a house file lies in a game's folder")?;
        let game = game.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let source = Bundled.read(&game).ok_or(format!("there is no game {game}"))?;
        let mut loaded = pipeline::load(source, &Bundled, &Embedded);
        let file = loaded.sources.add(support::shown(&path), &text);
        let house = house::read(file, &text).map_err(|found| said(&found, &loaded))?;
        let found = loaded.house_findings(&pipeline::house_settings(house, "house"));
        if !found.is_empty() {
            wrong += &said(&found, &loaded);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    Ok(())
}

#[test]
fn no_single_option_is_warned_of_unless_it_is_meant() {
    let mut wrong = String::new();
    for game in Bundled.names() {
        let Some(source) = Bundled.read(&game) else { continue };
        let loaded = pipeline::load(source, &Bundled, &Embedded);
        for option in &loaded.declared {
            for value in option.allowed.iter().flat_map(values) {
                let said_value = value.to_string();
                let setting =
                    Setting { name: option.name.clone(), name_span: option.span, value, value_span: option.span };
                for diag in loaded.house_findings(&[(setting, Origin::Set(option.span))]) {
                    let row = (game.as_str(), option.name.as_str(), said_value.as_str(), diag.code);
                    if !MEANT.contains(&row) {
                        wrong += &format!("{row:?}: {}\n", diag.message);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A few of the values that an option may have.
fn values(allowed: &Allowed) -> Vec<SettingValue> {
    match allowed {
        Allowed::Int(n) => vec![SettingValue::Int(*n)],
        Allowed::Range(lo, hi) => vec![SettingValue::Int(*lo), SettingValue::Int(*hi)],
        Allowed::Word(word) => vec![SettingValue::Word(word.clone())],
        Allowed::Bool => vec![SettingValue::Bool(true), SettingValue::Bool(false)],
        Allowed::Text => Vec::new(),
    }
}
