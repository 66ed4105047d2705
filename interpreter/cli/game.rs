//! Finds the game that a command names, and lays the house rules over it.

use std::path::{Path, PathBuf};

use super::args::{HouseArgs, RuleArgs};
use super::console::Console;
use super::failure::Failure;
use super::layers::Layer;
use super::words;
use crate::diagnostics::nearest::nearest;
use crate::diagnostics::{Diagnostic, has_errors};
use crate::house::{self, Chosen, Origin, Setting, SettingValue};
use crate::library::{Bundled, Embedded, Folder, Games, Library, Overlay, Refusal, read_file};
use crate::pipeline::{self, Loaded, Ready};
use crate::play::Trouble;
use crate::source::{FileId, Source, Span};

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

fn is_house_file(name: &str) -> bool {
    name.ends_with(".yaml") || name.ends_with(".yml")
}

/// What to do with a house file that stands where a game should.
fn house_as_game(name: &str, path: &Path) -> String {
    let game = read_file(path).ok().and_then(|source| house::read(FileId(0), &source.text).ok());
    let game = game.map_or("GAME".to_string(), |house| house.game.0);
    format!("{name} is a house file, not a game; name the game and lay it over: {game} --house {name}")
}

/// The text that a command means by a game's name.
pub fn find(name: &str) -> Result<Found, Failure> {
    if !is_path(name)
        && let Some(source) = Bundled.read(name)
    {
        return Ok(Found { stem: name.to_string(), path: None, source, games: Box::new(Bundled) });
    }
    let path = Path::new(name);
    if is_house_file(name) {
        return Err(Failure::Usage(house_as_game(name, path)));
    }
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

/// What house files call the game, and the game as read, for commands that only describe it.
pub fn described(args: &HouseArgs, console: &Console) -> Result<(String, Loaded), Failure> {
    let found = find(&args.game)?;
    let library = library(args.library.as_deref())?;
    let loaded = pipeline::load(found.source, found.games.as_ref(), library.as_ref());
    if has_errors(&loaded.found) {
        return Err(console.refuse(&loaded.found, &loaded.sources));
    }
    Ok((found.stem, loaded))
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

/// The text that a file means by a game's name: one of the program's, or a file in this folder or below. A file is not trusted to name others.
fn find_inside(name: &str) -> Result<Found, Failure> {
    if !is_path(name) {
        return find(name);
    }
    let path = Path::new(name);
    let source = Folder::new(".").read(path).map_err(|refusal| match refusal {
        Refusal::LeavesFolder => Failure::Files(format!(
            "the game \"{name}\" lies outside this folder; if that is meant, say it with --game {name}"
        )),
        refusal => Failure::file(path, refusal),
    })?;
    let stem = path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
    Ok(Found { stem, path: Some(path.to_path_buf()), source, games: games_for(path) })
}

/// Reads a game and its house rules.
pub fn load(name: &str, rules: &RuleArgs, console: &Console) -> Result<Game, Failure> {
    load_found(find(name)?, name, rules, console)
}

/// The same for a game that a file names.
pub fn load_named(name: &str, rules: &RuleArgs, console: &Console) -> Result<Game, Failure> {
    load_found(find_inside(name)?, name, rules, console)
}

fn load_found(found: Found, name: &str, rules: &RuleArgs, console: &Console) -> Result<Game, Failure> {
    let library = library(rules.library.as_deref())?;
    let mut loaded = pipeline::load(found.source, found.games.as_ref(), library.as_ref());
    if loaded.is_library() {
        return Err(Failure::Usage(format!("{name} is a library, not a game")));
    }
    loaded.bounds = rules.cost.bounds();
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
                    let source = house_source(&self.stem, self.path.as_deref(), name)?;
                    let laid = lay_house(&mut self.loaded, &self.stem, source);
                    found.extend(self.add(laid));
                }
                Layer::Set(text) => {
                    let laid = lay_set(&mut self.loaded, "--set", text);
                    found.extend(self.add(laid));
                }
            }
        }
        if let Some(seat) = &rules.first {
            let laid = lay_set(&mut self.loaded, "--first", &format!("{}={seat}", house::RESERVED));
            found.extend(self.add(laid));
        }
        if found.is_empty() { Ok(()) } else { Err(console.refuse(&found, &self.loaded.sources)) }
    }

    /// Takes settings over, or gives what is wrong with them.
    fn add(&mut self, laid: Result<Vec<(Setting, Origin)>, Vec<Diagnostic>>) -> Vec<Diagnostic> {
        match laid {
            Ok(settings) => {
                self.settings.extend(settings);
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
        changed_options(&self.loaded, chosen, &self.settings)
    }

    /// What goes wrong in play, with its place in the rules. Of the library's rules it is the place where the game calls them that
    /// tells the author something.
    pub fn trouble(&self, trouble: Trouble) -> Failure {
        let (Some(span), Some(code)) = (trouble.span(), trouble.code()) else {
            return Failure::from(trouble);
        };
        let rules = self.loaded.ready(&self.settings).ok().map(|ready| ready.rules);
        let callers = rules.as_deref().map_or(&[][..], |rules| rules.callers_of(span));
        let place = |span: &Span| words::place(&self.loaded.sources, *span);
        let inside = place(&span);
        Failure::Limit(match callers {
            [] => format!("{inside}: {trouble} [{code}]"),
            [caller] => format!("{}: {trouble} [{code}]\n  in {inside}, which is called here", place(caller)),
            callers => {
                let callers: Vec<String> = callers.iter().map(place).collect();
                format!("{inside}: {trouble} [{code}]\n  called from {}", callers.join(" or "))
            }
        })
    }
}

/// The text that a command means by a house file's name, for a game of this stem that may have a file.
pub fn house_source(stem: &str, path: Option<&Path>, name: &str) -> Result<Source, Failure> {
    let is_path = name.contains(['/', '\\']) || is_house_file(name);
    if !is_path {
        if path.is_none()
            && let Some(source) = Bundled.house_file(stem, name)
        {
            return Ok(source);
        }
        let beside = path.and_then(Path::parent);
        let beside = beside.map(|folder| folder.join("house").join(format!("{name}.yaml")));
        if let Some(path) = beside.filter(|path| path.is_file()) {
            return read_file(&path).map_err(|refusal| Failure::file(&path, refusal));
        }
    }
    let file = Path::new(name);
    if is_path || file.is_file() {
        return read_file(file).map_err(|refusal| Failure::file(file, refusal));
    }
    let names = Bundled.house_files(stem);
    let names = match names.as_slice() {
        _ if path.is_some() => String::new(),
        [] => " No house files come with this game.".to_string(),
        names => format!(" These come with the game: {}.", names.join(", ")),
    };
    Err(Failure::Files(format!("there is no house file \"{name}\" for {stem}.{names}")))
}

/// The settings of a house file laid over a game, or what is wrong with it.
pub fn lay_house(loaded: &mut Loaded, stem: &str, source: Source) -> Result<Vec<(Setting, Origin)>, Vec<Diagnostic>> {
    let name = source.name.clone();
    let file = loaded.sources.add(source.name, source.text);
    match house::read(file, &loaded.sources.get(file).text) {
        Ok(house) if house.game.0 != stem => Err(vec![pipeline::other_game(&house, stem)]),
        Ok(house) => Ok(pipeline::house_settings(house, &name)),
        Err(found) => Err(found),
    }
}

/// One option set on the command line, or what is wrong with that.
pub fn lay_set(loaded: &mut Loaded, name: &str, text: &str) -> Result<Vec<(Setting, Origin)>, Vec<Diagnostic>> {
    let file = loaded.sources.add(name, text);
    let setting = house::read_set(file, text)?;
    let origin = Origin::Set(setting.value_span);
    Ok(vec![(setting, origin)])
}

/// The options that are not as the game says, as a rule file would write them.
pub fn changed_options(loaded: &Loaded, chosen: &[Chosen], settings: &[(Setting, Origin)]) -> Vec<(String, String)> {
    let options = loaded.declared.iter().zip(chosen);
    let changed = options.filter(|(_, chosen)| chosen.origin != Origin::Default);
    let mut changed: Vec<_> =
        changed.map(|(option, chosen)| (option.name.clone(), value_text(&chosen.value))).collect();
    let first = settings.iter().rev().find(|(setting, _)| setting.name == house::RESERVED);
    changed.extend(first.map(|(setting, _)| (setting.name.clone(), value_text(&setting.value))));
    changed
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
