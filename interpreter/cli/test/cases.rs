//! The files of a game, and the house rules under which it is tried.

use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::game::{self, Found, house_source, lay_house, lay_set};
use crate::cli::layers::{Layer, Layers};
use crate::diagnostics::Diagnostics;
use crate::library::{Bundled, Folder, Library, read_file};
use crate::pipeline::{self, Loaded};
use crate::source::Source;
use crate::trial::suite::Table;

/// A game with its examples.
pub struct Case {
    /// What its house files call it.
    stem: String,
    /// Its file, if it does not come with the program.
    path: Option<PathBuf>,
    /// Its own file, then those in the folder for examples.
    pub files: Vec<Loaded>,
}

/// House rules before they are laid over one of the files.
#[derive(Clone, Debug, Default)]
pub struct House {
    name: Option<String>,
    files: Vec<Layered>,
}

#[derive(Clone, Debug)]
enum Layered {
    House(Source),
    Set(String),
}

/// The game's own file and those in the folder for examples.
pub fn case(name: &str, deep: bool, library: &dyn Library) -> Result<Case, Failure> {
    let Found { stem, path, source, games } = game::find(name)?;
    let folder = match &path {
        Some(path) => path.with_file_name("examples"),
        None => Path::new("rulesets").join(name).join("examples"),
    };
    let mut files = vec![pipeline::load(source, games.as_ref(), library)];
    for module in Folder::new(&folder).modules() {
        if module == "deep" && !deep {
            continue;
        }
        let file: PathBuf = folder.join(format!("{module}.lus"));
        let source = read_file(&file).map_err(|refusal| Failure::file(&file, refusal))?;
        // Examples of a game that comes with the program are about that game, not about one that lies beside them.
        let loaded = match &path {
            Some(_) => pipeline::load(source, game::games_for(&file).as_ref(), library),
            None => pipeline::load(source, &Bundled, library),
        };
        files.push(loaded);
    }
    Ok(Case { stem, path, files })
}

impl Case {
    /// The house rules that are to be tried: those that were said; else the game as it is, and each of its house files.
    pub fn houses(&self, layers: &Layers, every: bool) -> Result<Vec<House>, Failure> {
        let mut houses = Vec::new();
        if !layers.0.is_empty() {
            let mut said = House { name: Some(named(layers)), files: Vec::new() };
            for layer in &layers.0 {
                said.files.push(match layer {
                    Layer::House(name) => Layered::House(house_source(&self.stem, self.path.as_deref(), name)?),
                    Layer::Set(text) => Layered::Set(text.clone()),
                });
            }
            houses.push(said);
        } else {
            houses.push(House::default());
        }
        if every || layers.0.is_empty() && self.path.is_none() {
            for (name, source) in self.house_files()? {
                houses.push(House { name: Some(name), files: vec![Layered::House(source)] });
            }
        }
        Ok(houses)
    }

    fn house_files(&self) -> Result<Vec<(String, Source)>, Failure> {
        let Some(path) = &self.path else {
            let names = Bundled.house_files(&self.stem).into_iter();
            return Ok(names.filter_map(|name| Some((name.clone(), Bundled.house_file(&self.stem, &name)?))).collect());
        };
        let folder = path.with_file_name("house");
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml" || ending == "yml"));
        files.sort();
        let source = |file: PathBuf| {
            let source = read_file(&file).map_err(|refusal| Failure::file(&file, refusal))?;
            let name = file.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            Ok((name, source))
        };
        files.into_iter().map(source).collect()
    }

    /// House rules laid over one of the files.
    pub fn lay(&mut self, file: usize, house: &House) -> Result<Table, Diagnostics> {
        let mut table = Table { house: house.name.clone(), settings: Vec::new() };
        let mut found = Vec::new();
        let loaded = &mut self.files[file];
        for layer in &house.files {
            let laid = match layer {
                Layered::House(source) => lay_house(loaded, &self.stem, source.clone()),
                Layered::Set(text) => lay_set(loaded, "--set", text),
            };
            match laid {
                Ok(settings) => table.settings.extend(settings),
                Err(diags) => found.extend(diags),
            }
        }
        if found.is_empty() { Ok(table) } else { Err(found) }
    }
}

impl House {
    /// Is it the game as it is?
    pub fn is_none(&self) -> bool {
        self.name.is_none()
    }
}

fn named(layers: &Layers) -> String {
    let words = layers.0.iter().map(|layer| match layer {
        Layer::House(name) => name.clone(),
        Layer::Set(text) => text.clone(),
    });
    words.collect::<Vec<_>>().join(", ")
}
