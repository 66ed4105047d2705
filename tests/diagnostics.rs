//! Every `tests/diagnostics/*.lus` and `*.yaml` is one test: a wrong file with the message it earns written under it.
//!
//! What stands before the line `//=== expected` (in YAML `#=== expected`) is the file. Below it the message follows as
//! a comment. `UPDATE=1` writes the messages. A case may extend a bundled game or one of `tests/support/games`. A house file is checked for
//! the game that it names, or for the one in its first line: `# game: konane`.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::Diagnostics;
use lusory::diagnostics::render::{Style, render_all};
use lusory::library::{Bundled, Embedded, Games, Library, Overlay};
use lusory::pipeline;
use lusory::source::{Source, Sources};

mod support;

use support::Neighbours;

/// For one case. It is 50 ms for a program that is optimized; these tests need not be, and several run at once.
const LONGEST: Duration = Duration::from_millis(500);

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = support::files("tests/diagnostics", &["lus", "yaml"]).into_iter().map(|path| {
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&path).display().to_string();
        Trial::test(name, move || check(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&args, trials.collect()).exit_code()
}

/// Holds one case against what it earns.
fn check(path: &Path) -> Result<(), String> {
    let text = support::text(path)?;
    let comment = if path.extension().is_some_and(|ending| ending == "yaml") { "#" } else { "//" };
    let separator = format!("{comment}=== expected");
    let wrong = before_expected(&text, comment);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut should = wrong.to_string();
    if !should.is_empty() && !should.ends_with('\n') {
        should.push('\n');
    }
    should.push_str(&separator);
    should.push('\n');
    let timed = || {
        let begun = Instant::now();
        let report = report(&name, wrong);
        (report, begun.elapsed())
    };
    let (report, mut taken) = timed();
    // The computer may have been busy with something else.
    for _ in 0..3 {
        if taken > LONGEST {
            taken = taken.min(timed().1);
        }
    }
    if taken > LONGEST {
        return Err(format!("it took {taken:?} to say what is wrong"));
    }
    for line in report.lines() {
        should.push_str(format!("{comment} {line}").trim_end());
        should.push('\n');
    }
    support::expect(path, &should)
}

/// The part of a case that is the file.
fn before_expected<'t>(text: &'t str, comment: &str) -> &'t str {
    let separator = format!("{comment}=== expected");
    match text.find(&format!("\n{separator}")) {
        _ if text.starts_with(&separator) => "",
        Some(at) => &text[..at + 1],
        None => text,
    }
}

/// What an author is told about this file; `no mistake found` if nothing.
///
/// The only place that knows how a file becomes calls on the library.
fn report(path: &str, text: &str) -> String {
    let (found, sources) = if path.ends_with(".yaml") { house(path, text) } else { game(path, text) };
    match found.is_empty() {
        true => "no mistake found\n".to_string(),
        false => render_all(&found, &sources, Style::default()),
    }
}

/// A rule file.
fn game(path: &str, text: &str) -> (Diagnostics, Sources) {
    let source = Source { name: path.to_string(), text: text.to_string() };
    if text.starts_with(AS_LIBRARY) {
        let game = Source { name: "game.lus".to_string(), text: GAME_OF_LIBRARY.to_string() };
        let loaded = pipeline::load(game, &Neighbours, &Overlay(Own(source), Embedded));
        return (loaded.findings(&[]), loaded.sources);
    }
    let loaded = pipeline::load(source, &Neighbours, &Embedded);
    (loaded.findings(&[]), loaded.sources)
}

/// A house file, against the game that its first line or the file itself names.
fn house(path: &str, text: &str) -> (Diagnostics, Sources) {
    let mut alone = Sources::new();
    let file = alone.add(path, text);
    let asked = text.lines().next().and_then(|line| line.strip_prefix("# game: "));
    let house = match lusory::house::read(file, text) {
        Ok(house) => house,
        Err(found) => return (found, alone),
    };
    let Some(source) = Neighbours.read(asked.unwrap_or(&house.game.0)) else {
        return (vec![pipeline::unknown_game(&house, &Bundled.names())], alone);
    };
    if let Some(asked) = asked.filter(|asked| *asked != house.game.0) {
        return (vec![pipeline::other_game(&house, asked)], alone);
    }
    let mut loaded = pipeline::load(source, &Neighbours, &Embedded);
    // Read once more among the texts of the game, so that findings can point into both.
    let file = loaded.sources.add(path, text);
    let settings = match lusory::house::read(file, text) {
        Ok(house) => pipeline::house_settings(house, path),
        Err(found) => return (found, loaded.sources),
    };
    (loaded.house_findings(&settings), loaded.sources)
}

/// How a case begins that is read as a file of the library.
const AS_LIBRARY: &str = "// A file of the library.";

/// The game with which it is read.
const GAME_OF_LIBRARY: &str = "game \"Game\"\nplayers White, Black\nboard square 5\npiece pawn \"Pp\"\nturn { choose spot in own_sites   \
                               place pawn at spot   own_action }\nend { opponent loses when stuck }\n";

/// A library with one file of its own.
struct Own(Source);

impl Library for Own {
    fn read(&self, name: &str) -> Option<Source> {
        (name == "own").then(|| self.0.clone())
    }

    fn modules(&self) -> Vec<String> {
        vec!["own".to_string()]
    }
}
