//! Where texts come from: modules of the standard library, games that other games extend, and files.
//!
//! Beside the command line this is the only place that opens files. A name is letters, digits and `_`, so that no name
//! can lead out of its folder; a link that does is refused; a text has at most [`MOST_BYTES`].

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use crate::bundled::{GAMES, HOUSE_FILES, STDLIB};
use crate::source::Source;

/// Bytes a text may have.
pub const MOST_BYTES: u64 = 1024 * 1024;

/// Why a text cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The name could lead anywhere.
    #[error("a name has only letters, digits and \"_\"")]
    Name,
    /// There is none.
    #[error("there is no such file")]
    Missing,
    /// It is a folder or a device.
    #[error("this is not a file of text")]
    NoFile,
    /// A link leads elsewhere.
    #[error("the file is a link that leaves its folder")]
    LeavesFolder,
    /// It has more than [`MOST_BYTES`].
    #[error("the file is larger than 1 MiB")]
    TooLarge,
    /// It is not UTF-8.
    #[error("the file is not text in UTF-8")]
    NotText,
    /// The machine does not let us.
    #[error("the file cannot be read")]
    Unreadable,
}

/// Modules that a game can use.
pub trait Library {
    /// The module with this name, if there is one.
    fn read(&self, name: &str) -> Option<Source>;

    /// The names of all modules, sorted.
    fn modules(&self) -> Vec<String>;
}

/// Games that a game can extend.
pub trait Games {
    /// The game with this name, if there is one.
    fn read(&self, name: &str) -> Option<Source>;
}

/// The standard library that the program carries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Library for Embedded {
    fn read(&self, name: &str) -> Option<Source> {
        row(STDLIB, name)
    }

    fn modules(&self) -> Vec<String> {
        sorted(STDLIB.iter().map(|(name, ..)| name.to_string()).collect())
    }
}

/// The games that the program carries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bundled;

impl Bundled {
    /// The names of all games, sorted.
    pub fn names(&self) -> Vec<String> {
        sorted(GAMES.iter().map(|(name, ..)| name.to_string()).collect())
    }

    /// The names of a game's house files, sorted.
    pub fn house_files(&self, game: &str) -> Vec<String> {
        sorted(HOUSE_FILES.iter().filter(|row| row.0 == game).map(|row| row.1.to_string()).collect())
    }

    /// A house file of a game.
    pub fn house_file(&self, game: &str, name: &str) -> Option<Source> {
        let row = HOUSE_FILES.iter().find(|row| row.0 == game && row.1 == name)?;
        Some(Source { name: row.2.to_string(), text: row.3.to_string() })
    }
}

impl Games for Bundled {
    fn read(&self, name: &str) -> Option<Source> {
        row(GAMES, name)
    }
}

/// The row of a table with this name.
fn row(table: &[(&str, &str, &str)], name: &str) -> Option<Source> {
    let (_, path, text) = table.iter().find(|(known, ..)| *known == name)?;
    Some(Source { name: path.to_string(), text: text.to_string() })
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

/// The `.lus` files of one folder; not those of folders in it.
#[derive(Clone, Debug)]
pub struct Folder {
    dir: PathBuf,
}

impl Folder {
    /// The files in `dir`.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Folder { dir: dir.into() }
    }

    /// The files beside a game's own file: what it can extend without asking for a bundled game.
    pub fn beside(file: &Path) -> Self {
        let dir = file.parent().filter(|dir| !dir.as_os_str().is_empty());
        Folder::new(dir.unwrap_or(Path::new(".")))
    }

    /// The text of `name.lus`, or why it cannot be had.
    pub fn load(&self, name: &str) -> Result<Source, Refusal> {
        if !is_name(name) {
            return Err(Refusal::Name);
        }
        let path = self.dir.join(format!("{name}.lus"));
        let dir = fs::canonicalize(&self.dir).map_err(|_| Refusal::Missing)?;
        let real = fs::canonicalize(&path).map_err(|_| Refusal::Missing)?;
        if real.parent() != Some(dir.as_path()) {
            return Err(Refusal::LeavesFolder);
        }
        // The checked path is read, not the one that may be a link by then; the name stays the person's own.
        let source = read_file(&real)?;
        Ok(Source { name: path.display().to_string(), text: source.text })
    }

    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.dir) else {
            return Vec::new();
        };
        let name = |path: PathBuf| {
            let stem = path.file_stem()?.to_str()?.to_string();
            (path.extension()? == "lus" && is_name(&stem)).then_some(stem)
        };
        sorted(entries.filter_map(|entry| name(entry.ok()?.path())).collect())
    }
}

impl Library for Folder {
    fn read(&self, name: &str) -> Option<Source> {
        self.load(name).ok()
    }

    fn modules(&self) -> Vec<String> {
        self.names()
    }
}

impl Games for Folder {
    fn read(&self, name: &str) -> Option<Source> {
        self.load(name).ok()
    }
}

/// Two places to look in; what the first has hides what the second has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overlay<A, B>(pub A, pub B);

impl<A: Library, B: Library> Library for Overlay<A, B> {
    fn read(&self, name: &str) -> Option<Source> {
        self.0.read(name).or_else(|| self.1.read(name))
    }

    fn modules(&self) -> Vec<String> {
        let mut names = sorted([self.0.modules(), self.1.modules()].concat());
        names.dedup();
        names
    }
}

impl<A: Games, B: Games> Games for Overlay<A, B> {
    fn read(&self, name: &str) -> Option<Source> {
        self.0.read(name).or_else(|| self.1.read(name))
    }
}

impl<T: Library + ?Sized> Library for &T {
    fn read(&self, name: &str) -> Option<Source> {
        (**self).read(name)
    }

    fn modules(&self) -> Vec<String> {
        (**self).modules()
    }
}

impl<T: Games + ?Sized> Games for &T {
    fn read(&self, name: &str) -> Option<Source> {
        (**self).read(name)
    }
}

/// Can this be the name of a module or a game?
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 100 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The text of a file that a person named: a game, a house file.
pub fn read_file(path: &Path) -> Result<Source, Refusal> {
    let refusal = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Refusal::Missing,
        _ => Refusal::Unreadable,
    };
    // Asked before opening: to open a pipe would wait for its other end.
    let known = fs::metadata(path).map_err(refusal)?;
    if !known.is_file() {
        return Err(Refusal::NoFile);
    }
    if known.len() > MOST_BYTES {
        return Err(Refusal::TooLarge);
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes)).map_err(refusal)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Refusal::TooLarge);
    }
    let text = String::from_utf8(bytes).map_err(|_| Refusal::NotText)?;
    Ok(Source { name: path.display().to_string(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own that is removed when the test is over.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let dir = std::env::temp_dir().join(format!("lusory-library-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&dir);
            fs::create_dir_all(dir.join("in")).unwrap();
            Scratch(dir)
        }

        fn write(&self, path: &str, text: impl AsRef<[u8]>) {
            fs::write(self.0.join(path), text).unwrap();
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_library_is_carried_along() {
        assert!(Embedded.modules().contains(&"board".to_string()));
        let source = Library::read(&Embedded, "moves").unwrap();
        assert_eq!(source.name, "stdlib/moves.lus");
        assert!(source.text.starts_with("library \"moves\"\n"));
        assert!(Library::read(&Embedded, "../stdlib/moves").is_none());
    }

    #[test]
    fn a_folder_shadows() {
        let scratch = Scratch::new("shadow");
        scratch.write("in/moves.lus", "mine");
        scratch.write("in/other.txt", "");
        let library = Overlay(Folder::new(scratch.0.join("in")), Embedded);
        assert_eq!(Library::read(&library, "moves").unwrap().text, "mine");
        assert!(Library::read(&library, "board").is_some());
        assert_eq!(library.modules(), Embedded.modules());
    }

    #[test]
    fn no_name_leads_out() {
        let scratch = Scratch::new("names");
        scratch.write("secret.lus", "secret");
        scratch.write("in/game.lus", "game");
        fs::create_dir(scratch.0.join("in/dir.lus")).unwrap();
        let folder = Folder::beside(&scratch.0.join("in/game.lus"));
        for name in ["../secret", "in/../secret", "", ".", "a b", "a.b", "\u{0}", "é", &"a".repeat(101)] {
            assert_eq!(folder.load(name).unwrap_err(), Refusal::Name, "{name}");
        }
        assert_eq!(folder.load("nothing").unwrap_err(), Refusal::Missing);
        assert_eq!(folder.load("dir").unwrap_err(), Refusal::NoFile);
        assert_eq!(folder.load("game").unwrap().text, "game");
        #[cfg(unix)]
        {
            let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, scratch.0.join(name)).unwrap();
            link("../secret.lus", "in/out.lus");
            link("game.lus", "in/same.lus");
            link("/dev/zero", "in/zero.lus");
            assert_eq!(folder.load("out").unwrap_err(), Refusal::LeavesFolder);
            assert_eq!(folder.load("zero").unwrap_err(), Refusal::LeavesFolder);
            assert_eq!(folder.load("same").unwrap().text, "game");
        }
    }

    #[test]
    fn files_are_texts_of_bounded_size() {
        let scratch = Scratch::new("files");
        scratch.write("in/large.lus", vec![b'x'; MOST_BYTES as usize + 1]);
        scratch.write("in/full.lus", vec![b'x'; MOST_BYTES as usize]);
        scratch.write("in/bytes.lus", [0xff, 0xfe]);
        let folder = Folder::new(scratch.0.join("in"));
        assert_eq!(folder.load("large").unwrap_err(), Refusal::TooLarge);
        assert!(folder.load("full").is_ok());
        assert_eq!(folder.load("bytes").unwrap_err(), Refusal::NotText);
        assert_eq!(read_file(Path::new("/dev/zero")).unwrap_err(), Refusal::NoFile);
        assert_eq!(read_file(&scratch.0).unwrap_err(), Refusal::NoFile);
    }
}
