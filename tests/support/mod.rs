//! What the readers of case files have in common.

#![allow(dead_code, reason = "every test takes of it what it needs")]

use std::fs;
use std::path::{Path, PathBuf};

use lusory::library::{Bundled, Games};
use lusory::source::Source;

pub mod transcript;

/// Games that a case may extend: those of the program, and some in `tests/support/games` that are made for it.
pub struct Neighbours;

impl Games for Neighbours {
    fn read(&self, name: &str) -> Option<Source> {
        let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/games").join(format!("{name}.lus"));
        let own = text(&beside).ok().map(|text| Source { name: format!("{name}.lus"), text });
        own.or_else(|| Bundled.read(name))
    }
}

/// Are expectations to be rewritten instead of compared?
pub fn update() -> bool {
    std::env::var_os("UPDATE").is_some_and(|value| value == "1")
}

/// The files under a folder of this package with one of these endings, folders within included, sorted.
pub fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.extension().is_some_and(|known| known == *ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    // A test of no files would hold whatever is so.
    assert!(!found.is_empty(), "there are no {} files in {folder}", endings.join(" or "));
    found
}

/// A path as it is written in this package, with `/`.
pub fn shown(path: &Path) -> String {
    let path = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(path);
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The text of a file of this package.
pub fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", shown(path)))
}

/// Compares a whole file with what it should be, or makes it so.
pub fn expect(path: &Path, should: &str) -> Result<(), String> {
    let is = text(path).unwrap_or_default();
    if is == should {
        return Ok(());
    }
    if update() {
        return fs::write(path, should).map_err(|error| format!("{}: {error}", shown(path)));
    }
    let difference = difference(&is, should);
    Err(format!("{} says otherwise; UPDATE=1 rewrites it.\n{difference}", shown(path)))
}

/// The lines from the first to the last that differ: `-` as it is written, `+` as it came out.
pub fn difference(is: &str, should: &str) -> String {
    let (is, should): (Vec<&str>, Vec<&str>) = (is.lines().collect(), should.lines().collect());
    let before = is.iter().zip(&should).take_while(|(a, b)| a == b).count();
    let rest = is.len().min(should.len()) - before;
    let after = is.iter().rev().zip(should.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut text = format!("from line {}:\n", before + 1);
    for line in &is[before..is.len() - after] {
        text.push_str(&format!("- {line}\n"));
    }
    for line in &should[before..should.len() - after] {
        text.push_str(&format!("+ {line}\n"));
    }
    text
}
