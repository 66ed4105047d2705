//! Every `tests/diagnostics/*.lus` and `*.yaml` is one test: a wrong file with the message it earns written under it.
//!
//! What stands before the line `//=== expected` (in YAML `#=== expected`) is the file. Below it the message follows as
//! a comment. `UPDATE=1` writes the messages. A house file may say in its first line for which bundled game it is
//! checked: `# game: konane`.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::Diagnostics;
use lusory::diagnostics::render::{Style, render_all};
use lusory::source::{FileId, Sources};

mod support;

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
    let wrong = match text.find(&format!("\n{separator}")) {
        _ if text.starts_with(&separator) => "",
        Some(at) => &text[..at + 1],
        None => &text,
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut should = wrong.to_string();
    if !should.is_empty() && !should.ends_with('\n') {
        should.push('\n');
    }
    should.push_str(&separator);
    should.push('\n');
    for line in report(&name, wrong).lines() {
        should.push_str(format!("{comment} {line}").trim_end());
        should.push('\n');
    }
    support::expect(path, &should)
}

/// What an author is told about this file; `no mistake found` if nothing.
///
/// The only place that knows how a file becomes calls on the library.
fn report(path: &str, text: &str) -> String {
    let mut sources = Sources::new();
    let found = if path.ends_with(".yaml") { house(path, text, &mut sources) } else { game(path, text, &mut sources) };
    match found.is_empty() {
        true => "no mistake found\n".to_string(),
        false => render_all(&found, &sources, Style::default()),
    }
}

/// A rule file.
fn game(path: &str, text: &str, sources: &mut Sources) -> Diagnostics {
    let _file: FileId = sources.add(path, text);
    // TO BE WIRED: parse and check `_file`, with `Overlay(Folder, Bundled)` for what it extends.
    Vec::new()
}

/// A house file, against the game that its first line names.
fn house(path: &str, text: &str, sources: &mut Sources) -> Diagnostics {
    let file = sources.add(path, text);
    let house = match lusory::house::read(file, text) {
        Ok(house) => house,
        Err(found) => return found,
    };
    let Some(game) = text.lines().next().and_then(|line| line.strip_prefix("# game: ")) else {
        return Vec::new();
    };
    // TO BE WIRED: the options that the bundled game `game` declares go to `lusory::house::apply` with the settings.
    let _unwired = (house, game);
    Vec::new()
}
