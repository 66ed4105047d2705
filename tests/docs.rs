//! Every document for people is one test: its code blocks are checked in order, its transcripts run.
//!
//! | a block that begins with | is |
//! |---|---|
//! | ` ```lus NAME.lus ` | a file; it must have no mistake, and its examples must hold (one of the library must be readable) |
//! | ` ```yaml NAME.yaml ` | a house file; it must fit the game that it names |
//! | ` ```lus fragment ` | items, put into the document's `frame.lus` |
//! | ` ```lus fragment statements ` (`lines`, `expressions`) | statements of a turn (lines of an example, one expression a line), likewise |
//! | ` ```console ` | a transcript, run in the document's folder |
//! | ` ```rust ` | a part of the documentation of `interpreter/lib.rs`, where it is run |
//! | ` ```sh `, ` ```text ` | not looked at |
//!
//! At the end of `lus` and `yaml` blocks `wrong` says that there are mistakes; the `text` block that follows has their sentences, one a line.
//! All files of a document lie in one folder; a later one may replace an earlier one. `UPDATE=1` writes transcripts and sentences.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::render::{Style, render_all};
use lusory::diagnostics::{Diagnostics, has_errors};
use lusory::library::{Bundled, Embedded, Folder, Games, Overlay};
use lusory::pipeline::{self, Loaded};
use lusory::source::{Source, Sources};
use lusory::{house, trial};
use support::transcript::{Scratch, replay};

mod support;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut documents: Vec<_> = ["README.md", "interpreter/README.md", "stdlib/README.md"]
        .map(|path| Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .into();
    documents.extend(support::files("rulesets", &["md"]));
    let trials = documents.into_iter().map(|path| {
        let name = support::shown(&path);
        Trial::test(name, move || check(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&args, trials.collect()).exit_code()
}

/// A stretch of a document: the lines outside of blocks have no info string.
struct Part {
    line: usize,
    info: Option<String>,
    body: String,
}

/// Cuts a document at its fences.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = vec![Part { line: 1, info: None, body: String::new() }];
    for (i, line) in text.lines().enumerate() {
        let inside = parts.last().is_some_and(|part| part.info.is_some());
        match line.strip_prefix("```") {
            Some("") if inside => parts.push(Part { line: i + 2, info: None, body: String::new() }),
            Some(info) if !inside => {
                parts.push(Part { line: i + 2, info: Some(info.trim().to_string()), body: String::new() });
            }
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.body.push_str(line);
                    part.body.push('\n');
                }
            }
        }
    }
    match parts.last() {
        Some(part) if part.info.is_some() => Err(format!("line {}: this block has no end", part.line - 1)),
        _ => Ok(parts),
    }
}

/// Holds one document against what it says.
fn check(path: &Path) -> Result<(), String> {
    let text = support::text(path)?;
    let scratch = Scratch::new(&format!("docs-{}", support::shown(path).replace(['/', '.'], "-")))?;
    let mut should = String::new();
    let mut wrong = Vec::new();
    // The sentences of the mistakes in the block before, which the next block has to say.
    let mut earned: Option<String> = None;
    for part in parts(&text)? {
        let Some(info) = &part.info else {
            if earned.is_some() && !part.body.trim().is_empty() {
                wrong.push(format!("line {}: here a ```text block with the messages should follow", part.line));
                earned = None;
            }
            should.push_str(&part.body);
            continue;
        };
        if earned.is_some() && info != "text" {
            wrong.push(format!("line {}: here a ```text block with the messages should follow", part.line));
            earned = None;
        }
        let mut words: Vec<&str> = info.split_whitespace().collect();
        let broken = words.pop_if(|word| *word == "wrong").is_some();
        let mut body = part.body.clone();
        let judge = |loaded: Result<Loaded, String>| match broken {
            false => loaded.and_then(|loaded| faultless(&loaded)).map(|()| None),
            true => loaded.and_then(|loaded| mistakes(&loaded)).map(Some),
        };
        let result = match words[..] {
            ["text"] => {
                body = earned.take().unwrap_or(body);
                Ok(None)
            }
            ["sh"] => Ok(None),
            ["rust"] => in_the_library(&body).map(|()| None),
            ["console"] => replay(&body, &scratch).map(|today| {
                body = today;
                None
            }),
            ["lus", "fragment"] => judge(fragment("items", &body, &scratch)),
            ["lus", "fragment", sort] => judge(fragment(sort, &body, &scratch)),
            ["lus", name] => judge(file(name, &body, &scratch)),
            ["yaml", name] => house_file(name, &body, &scratch).and_then(|found| match (broken, found.is_empty()) {
                (false, true) => Ok(None),
                (true, false) => Ok(Some(sentences(&found))),
                (true, true) => Err("there should be a mistake in this".to_string()),
                (false, false) => Err(sentences(&found)),
            }),
            _ => Err(format!("no test knows blocks of this kind: {info}")),
        };
        let result = result.map(|said| earned = said.or(earned.take()));
        if let Err(error) = result {
            wrong.push(format!("line {}: {}", part.line, error.trim_end()));
        }
        should.push_str(&format!("```{info}\n{body}```\n"));
    }
    if earned.is_some() {
        wrong.push("at the end a ```text block with the messages should follow".to_string());
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n\n"));
    }
    support::expect(path, &should)
}

/// Games beside the document's files, then those that the program carries.
fn games(scratch: &Scratch) -> impl Games {
    Overlay(Folder::new(&scratch.0), Bundled)
}

/// Writes a rule file and loads it.
fn file(name: &str, text: &str, scratch: &Scratch) -> Result<Loaded, String> {
    scratch.write(name, text)?;
    let source = Source { name: name.to_string(), text: text.to_string() };
    Ok(pipeline::load(source, &games(scratch), &Embedded))
}

/// Puts a fragment into the frame and loads it.
fn fragment(sort: &str, text: &str, scratch: &Scratch) -> Result<Loaded, String> {
    let body = match sort {
        "items" => text.to_string(),
        "statements" => format!("turn {{\n{text}}}\n"),
        "lines" => format!("example \"lines\" {{\n{text}}}\n"),
        "expressions" => {
            let lines = text.lines().filter(|line| !line.trim().is_empty()).enumerate();
            lines.map(|(i, line)| format!("define it_{i} = {line}\n")).collect()
        }
        _ => return Err(format!("no test knows fragments of this sort: {sort}")),
    };
    let text = format!("game \"Fragment\" extends frame\n{body}");
    let source = Source { name: "fragment".to_string(), text };
    Ok(pipeline::load(source, &games(scratch), &Embedded))
}

/// Everything found in a game and its examples, but not what only looks odd because a fragment is so short.
fn findings(loaded: &Loaded) -> Diagnostics {
    if loaded.is_library() {
        let mut found = loaded.found.clone();
        found.retain(|diag| diag.code != "needs-in-game");
        return found;
    }
    let mut found = match loaded.ready(&[]) {
        Ok(ready) => ready.found,
        Err(found) => found,
    };
    if ["fragment", "frame.lus"].contains(&loaded.sources.get(loaded.game.file).name.as_str()) {
        found.retain(|diag| !matches!(diag.code, "option-unused" | "never-read"));
    }
    if !has_errors(&found) {
        for example in trial::own_examples(loaded) {
            found.extend(trial::example(loaded, example).err().unwrap_or_default());
        }
    }
    found
}

/// A game without a mistake whose examples hold.
fn faultless(loaded: &Loaded) -> Result<(), String> {
    let found = findings(loaded);
    if found.is_empty() { Ok(()) } else { Err(render_all(&found, &loaded.sources, Style::default())) }
}

/// The sentences about a game that has mistakes.
fn mistakes(loaded: &Loaded) -> Result<String, String> {
    let found = findings(loaded);
    if found.is_empty() { Err("there should be a mistake in this".to_string()) } else { Ok(sentences(&found)) }
}

fn sentences(found: &Diagnostics) -> String {
    found.iter().map(|diag| format!("{}\n", diag.message)).collect()
}

/// Writes a house file and holds it against its game.
fn house_file(name: &str, text: &str, scratch: &Scratch) -> Result<Diagnostics, String> {
    scratch.write(name, text)?;
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    let house = match house::read(id, text) {
        Ok(house) => house,
        Err(found) => return Ok(found),
    };
    let game = games(scratch).read(&house.game.0).ok_or_else(|| format!("there is no game {}", house.game.0))?;
    let loaded = pipeline::load(game, &games(scratch), &Embedded);
    let settings = pipeline::house_settings(house, name);
    Ok(loaded.ready(&settings).err().unwrap_or_default())
}

/// Is this what `interpreter/lib.rs` has as an example, and `cargo test` runs?
fn in_the_library(code: &str) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("interpreter/lib.rs");
    let documentation: String = support::text(&path)?
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line)))
        .collect();
    match documentation.contains(&format!("\n{code}```\n")) {
        true => Ok(()),
        false => Err("the documentation in interpreter/lib.rs has other lines".to_string()),
    }
}
