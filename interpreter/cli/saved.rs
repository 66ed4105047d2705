//! Games that are written down for `lusory replay`.

use std::fs;
use std::path::Path;

use crate::play::record::Record;

/// The first line of a saved game, before the game's name.
pub const SAVED: &str = "// game: ";

/// Writes a game down, or says why not. Only what was written so before is written over.
pub fn write(path: &Path, game: &str, record: &Record) -> Result<(), String> {
    let shown = path.display();
    let ours = || fs::read(path).is_ok_and(|bytes| bytes.starts_with(SAVED.as_bytes()));
    if path.exists() && !(path.is_file() && ours()) {
        return Err(format!("{shown} is there already and is no saved game; choose another name."));
    }
    let text = format!("{SAVED}{game}\n{record}");
    fs::write(path, text).map_err(|error| format!("{shown} cannot be written: {error}"))
}
