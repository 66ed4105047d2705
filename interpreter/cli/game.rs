//! Finds the game that a command names, and lays the house rules over it.

use std::path::{Path, PathBuf};

use super::args::{Layer, Limits, RuleArgs};
use super::console::Console;
use super::failure::Failure;
use super::words;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::nearest::nearest;
use crate::house::{self, Chosen, Origin, Setting, SettingValue};
use crate::library::{Bundled, Embedded, Folder, Games, Library, Overlay, read_file};
use crate::pipeline::{self, Loaded, Ready};
use crate::play::Trouble;
use crate::rules::Bounds;
use crate::source::{Source, Span};

/// House files and settings that one command may have.
const MOST_LAYERS: usize = 200;

/// A game's text and what it can extend.
pub struct Found {
    /// What its house files call it.
    pub stem: String,
    /// Its file, if it does not come with the program.
    pub path: Option<PathBuf>,
    /// The text.
    pub source: Source,
    /// Where the games are that it can extend.
    pub games: Box<dyn Games>,
}

/// A game that a command works on.
pub struct Game {
    /// How the command named it.
    pub name: String,
    /// What its house files call it.
    pub stem: String,
    /// Its file, if it does not come with the program.
    path: Option<PathBuf>,
    /// The game as read.
    pub loaded: Loaded,
    /// The house rules.
    pub settings: Vec<(Setting, Origin)>,
}

/// Does a word mean a file rather than a game that comes with the program?
fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || name.ends_with(".lus")
}

/// The text that a command means by a game's name.
pub fn find(name: &str) -> Result<Found, Failure> {
    if !is_path(name)
        && let Some(source) = Bundled.read(name)
    {
        return Ok(Found { stem: name.to_string(), path: None, source, games: Box::new(Bundled) });
    }
    let path = Path::new(name);
    if is_path(name) || path.is_file() {
        let source = read_file(path).map_err(|refusal| Failure::file(path, refusal))?;
        let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
        return Ok(Found { stem, path: Some(path.to_path_buf()), source, games: games_for(path) });
    }
    let names = Bundled.names();
    let near = nearest(name, names.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    Err(Failure::Usage(format!("there is no game \"{name}\".{near} \"lusory list\" shows all games.")))
}

/// What a file can extend: games beside it, those in the folder above if it lies in one for examples, and those of the program.
pub fn games_for(path: &Path) -> Box<dyn Games> {
    let beside = Folder::beside(path);
    let parent = path.parent().filter(|parent| parent.file_name().is_some_and(|name| name == "examples"));
    match parent {
        Some(parent) => Box::new(Overlay(beside, Overlay(Folder::beside(parent), Bundled))),
        None => Box::new(Overlay(beside, Bundled)),
    }
}

/// The library, with a folder before it if there is one.
pub fn library(folder: Option<&Path>) -> Result<Box<dyn Library>, Failure> {
    match folder {
        None => Ok(Box::new(Embedded)),
        Some(folder) if folder.is_dir() => Ok(Box::new(Overlay(Folder::new(folder), Embedded))),
        Some(folder) => Err(Failure::Files(format!("{}: there is no such folder", folder.display()))),
    }
}

/// Reads a game and its house rules.
pub fn load(name: &str, rules: &RuleArgs, console: &Console) -> Result<Game, Failure> {
    let found = find(name)?;
    let library = library(rules.library.as_deref())?;
    let mut loaded = pipeline::load(found.source, found.games.as_ref(), library.as_ref());
    if loaded.is_library() {
        return Err(Failure::Usage(format!("{name} is a library, not a game")));
    }
    loaded.bounds = match rules.limits {
        Limits::Untrusted => Bounds::usual(),
        Limits::Trusted => Bounds::trusted(),
    };
    let (stem, path) = (found.stem, found.path);
    let mut game = Game { name: name.to_string(), stem, path, loaded, settings: Vec::new() };
    game.lay(rules, console)?;
    Ok(game)
}

impl Game {
    /// Adds house files and settings, in their order.
    fn lay(&mut self, rules: &RuleArgs, console: &Console) -> Result<(), Failure> {
        if rules.layers.0.len() > MOST_LAYERS {
            return Err(Failure::Limit(format!("more than {MOST_LAYERS} house files and settings")));
        }
        let mut found = Vec::new();
        for layer in &rules.layers.0 {
            match layer {
                Layer::House(name) => {
                    let source = self.house_source(name)?;
                    found.extend(self.house(source));
                }
                Layer::Set(text) => found.extend(self.set("--set", text)),
            }
        }
        if let Some(seat) = &rules.first {
            found.extend(self.set("--first", &format!("{}={seat}", house::RESERVED)));
        }
        if found.is_empty() { Ok(()) } else { Err(console.refuse(&found, &self.loaded.sources)) }
    }

    /// The text that a command means by a house file's name.
    fn house_source(&self, name: &str) -> Result<Source, Failure> {
        let is_path = name.contains(['/', '\\']) || name.ends_with(".yaml") || name.ends_with(".yml");
        if !is_path {
            if self.path.is_none()
                && let Some(source) = Bundled.house_file(&self.stem, name)
            {
                return Ok(source);
            }
            let beside = self.path.as_deref().and_then(Path::parent);
            let beside = beside.map(|folder| folder.join("house").join(format!("{name}.yaml")));
            if let Some(path) = beside.filter(|path| path.is_file()) {
                return read_file(&path).map_err(|refusal| Failure::file(&path, refusal));
            }
        }
        let path = Path::new(name);
        if is_path || path.is_file() {
            return read_file(path).map_err(|refusal| Failure::file(path, refusal));
        }
        let names = Bundled.house_files(&self.stem);
        let names = match names.as_slice() {
            _ if self.path.is_some() => String::new(),
            [] => " No house files come with this game.".to_string(),
            names => format!(" These come with the game: {}.", names.join(", ")),
        };
        Err(Failure::Files(format!("there is no house file \"{name}\" for {}.{names}", self.stem)))
    }

    /// Lays a house file over the game; what is wrong with it.
    fn house(&mut self, source: Source) -> Vec<Diagnostic> {
        let name = source.name.clone();
        let file = self.loaded.sources.add(source.name, source.text);
        match house::read(file, &self.loaded.sources.get(file).text) {
            Ok(house) if house.game.0 != self.stem => vec![other_game(&house.game, &self.stem)],
            Ok(house) => {
                self.settings.extend(pipeline::house_settings(house, &name));
                Vec::new()
            }
            Err(found) => found,
        }
    }

    /// Sets one option; what is wrong with it.
    fn set(&mut self, name: &str, text: &str) -> Vec<Diagnostic> {
        let file = self.loaded.sources.add(name, text);
        match house::read_set(file, text) {
            Ok(setting) => {
                let origin = Origin::Set(setting.value_span);
                self.settings.push((setting, origin));
                Vec::new()
            }
            Err(found) => found,
        }
    }

    /// The game under its house rules, ready to be played.
    pub fn ready(&self, console: &Console) -> Result<Ready, Failure> {
        self.loaded.ready(&self.settings).map_err(|found| console.refuse(&found, &self.loaded.sources))
    }

    /// The options that are not as the game says, as a rule file would write them.
    pub fn changed(&self, chosen: &[Chosen]) -> Vec<(String, String)> {
        let options = self.loaded.declared.iter().zip(chosen);
        let changed = options.filter(|(_, chosen)| chosen.origin != Origin::Default);
        let mut changed: Vec<_> =
            changed.map(|(option, chosen)| (option.name.clone(), value_text(&chosen.value))).collect();
        let first = self.settings.iter().rev().find(|(setting, _)| setting.name == house::RESERVED);
        changed.extend(first.map(|(setting, _)| (setting.name.clone(), value_text(&setting.value))));
        changed
    }

    /// What goes wrong in play, with its place in the rules.
    pub fn trouble(&self, trouble: Trouble) -> Failure {
        match (trouble.span(), trouble.code()) {
            (Some(span), Some(code)) => {
                let place = words::place(&self.loaded.sources, span);
                Failure::Limit(format!("{place}: {trouble} [{code}]"))
            }
            _ => Failure::from(trouble),
        }
    }
}

/// A house file for another game.
pub fn other_game(game: &(String, Span), stem: &str) -> Diagnostic {
    let message = format!("This house file is for \"{}\", not for \"{stem}\".", game.0);
    Diagnostic::error("house-other-game", game.1, message)
}

/// A value as an example writes it behind `with name =`.
fn value_text(value: &SettingValue) -> String {
    match value {
        SettingValue::Int(_) | SettingValue::Bool(_) => value.to_string(),
        SettingValue::Word(word) => {
            let plain = word.starts_with(|sign: char| sign.is_ascii_alphabetic())
                && word.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
            match plain {
                true => word.clone(),
                false if word.contains(['"', '\n']) => format!("\"\"\"{word}\"\"\""),
                false => format!("\"{word}\""),
            }
        }
    }
}
