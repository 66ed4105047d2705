//! Where texts come from: modules of the standard library, games that other games extend, and files.
//!
//! Beside the command line this is the only place that opens files. What a person named is opened as it is named. What a text names is
//! opened from the handle of its folder, whatever becomes of paths and links meanwhile: a name is letters, digits and `_`, and a link that
//! leaves the folder is refused. Nothing is waited for, pipes and devices are not read, and a text has at most [`MOST_BYTES`].

use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_fs_ext::OpenOptionsSyncExt;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
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
    #[error("the file has {0} bytes; it may have {MOST_BYTES}")]
    TooLarge(u64),
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

/// Is this the text of a game or module that the program carries?
pub fn is_carried(text: &str) -> bool {
    GAMES.iter().chain(STDLIB).any(|(_, _, own)| *own == text)
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
    /// How the folder was named, for messages.
    dir: PathBuf,
    /// The folder itself; none: there is none.
    handle: Option<Arc<Dir>>,
}

impl Folder {
    /// The files in `dir`.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        let dir = dir.into();
        let handle = Dir::open_ambient_dir(&dir, ambient_authority()).ok().map(Arc::new);
        Folder { dir, handle }
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
        self.read(Path::new(&format!("{name}.lus")))
    }

    /// The text of a file in this folder or in a folder in it, or why it cannot be had.
    pub fn read(&self, inside: &Path) -> Result<Source, Refusal> {
        let dir = self.handle.as_ref().ok_or(Refusal::Missing)?;
        let refusal = |error: io::Error| match error.kind() {
            ErrorKind::PermissionDenied if self.leads_out(dir, inside) => Refusal::LeavesFolder,
            _ => refusal(&error),
        };
        if !dir.metadata(inside).map_err(refusal)?.is_file() {
            return Err(Refusal::NoFile);
        }
        let file = dir.open_with(inside, &at_once()).map_err(refusal)?;
        let mut shown = self.dir.join(inside);
        if self.dir == Path::new(".") {
            shown = inside.to_path_buf();
        }
        text_of(file, &shown)
    }

    /// Is it a path or a link that no folder's handle would follow?
    fn leads_out(&self, dir: &Dir, inside: &Path) -> bool {
        let plain = inside.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        !plain || dir.symlink_metadata(inside).is_ok_and(|known| known.is_symlink())
    }

    fn names(&self) -> Vec<String> {
        let Some(Ok(entries)) = self.handle.as_ref().map(|dir| dir.entries()) else {
            return Vec::new();
        };
        let name = |path: PathBuf| {
            let stem = path.file_stem()?.to_str()?.to_string();
            (path.extension()? == "lus" && is_name(&stem)).then_some(stem)
        };
        sorted(entries.filter_map(|entry| name(PathBuf::from(entry.ok()?.file_name()))).collect())
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
    // Asked before opening: to open some devices is to do something.
    let known = std::fs::metadata(path).map_err(|error| refusal(&error))?;
    if !known.is_file() {
        return Err(Refusal::NoFile);
    }
    let file = File::open_ambient_with(path, &at_once(), ambient_authority()).map_err(|error| refusal(&error))?;
    text_of(file, path)
}

/// For reading, without waiting for the other end of a pipe.
fn at_once() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).nonblock(true);
    options
}

fn refusal(error: &io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::NotFound => Refusal::Missing,
        _ => Refusal::Unreadable,
    }
}

/// What an open file says. It is asked once more what it is: it may have been changed for another since it was named.
fn text_of(file: File, shown: &Path) -> Result<Source, Refusal> {
    let known = file.metadata().map_err(|error| refusal(&error))?;
    if !known.is_file() {
        return Err(Refusal::NoFile);
    }
    if known.len() > MOST_BYTES {
        return Err(Refusal::TooLarge(known.len()));
    }
    let mut bytes = Vec::new();
    // The file may grow while it is read.
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|error| refusal(&error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Refusal::TooLarge(bytes.len() as u64));
    }
    let text = String::from_utf8(bytes).map_err(|_| Refusal::NotText)?;
    Ok(Source { name: shown.display().to_string(), text })
}

#[cfg(test)]
mod tests {
    use std::fs;

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
            // From a file of the folder on, nothing of a text's choosing leads elsewhere.
            link("..", "in/up");
            link(&scratch.0.display().to_string(), "in/whole");
            for path in ["../secret.lus", "up/secret.lus", "whole/secret.lus", "/etc/passwd", "out.lus", "zero.lus"] {
                assert!(folder.read(Path::new(path)).is_err(), "{path}");
            }
            assert_eq!(folder.read(Path::new("../secret.lus")).unwrap_err(), Refusal::LeavesFolder);
            scratch.write("in/game.lus", "game");
            fs::create_dir(scratch.0.join("in/deep")).unwrap();
            scratch.write("in/deep/game.lus", "deep");
            assert_eq!(folder.read(Path::new("deep/game.lus")).unwrap().text, "deep");
        }
    }

    /// The folder that was opened is read, whatever its path means by then.
    #[cfg(unix)]
    #[test]
    fn a_folder_stays_itself() {
        let scratch = Scratch::new("stays");
        fs::create_dir(scratch.0.join("other")).unwrap();
        scratch.write("in/game.lus", "game");
        scratch.write("other/game.lus", "other");
        let folder = Folder::new(scratch.0.join("in"));
        fs::rename(scratch.0.join("in"), scratch.0.join("moved")).unwrap();
        std::os::unix::fs::symlink("other", scratch.0.join("in")).unwrap();
        assert_eq!(folder.load("game").unwrap().text, "game");
    }

    /// Nobody writes into the pipe, and still nobody waits.
    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_not_waited_for() {
        let scratch = Scratch::new("pipes");
        let made = std::process::Command::new("mkfifo").arg(scratch.0.join("in/pipe.lus")).status();
        let folder = Folder::new(scratch.0.join("in"));
        if made.is_ok_and(|made| made.success()) {
            assert_eq!(folder.load("pipe").unwrap_err(), Refusal::NoFile);
            assert_eq!(read_file(&scratch.0.join("in/pipe.lus")).unwrap_err(), Refusal::NoFile);
            // Even if it took the file's place after the first look.
            let dir = folder.handle.as_ref().unwrap();
            let pipe = dir.open_with("pipe.lus", &at_once()).unwrap();
            assert_eq!(text_of(pipe, Path::new("pipe.lus")).unwrap_err(), Refusal::NoFile);
        }
        assert_eq!(read_file(Path::new("/dev/null")).unwrap_err(), Refusal::NoFile);
    }

    #[test]
    fn files_are_texts_of_bounded_size() {
        let scratch = Scratch::new("files");
        scratch.write("in/large.lus", vec![b'x'; MOST_BYTES as usize + 1]);
        scratch.write("in/full.lus", vec![b'x'; MOST_BYTES as usize]);
        scratch.write("in/bytes.lus", [0xff, 0xfe]);
        let folder = Folder::new(scratch.0.join("in"));
        assert_eq!(folder.load("large").unwrap_err(), Refusal::TooLarge(MOST_BYTES + 1));
        assert!(folder.load("full").is_ok());
        assert_eq!(folder.load("bytes").unwrap_err(), Refusal::NotText);
        assert_eq!(read_file(Path::new("/dev/zero")).unwrap_err(), Refusal::NoFile);
        assert_eq!(read_file(&scratch.0).unwrap_err(), Refusal::NoFile);
    }
}
