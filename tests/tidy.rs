//! Promises about the repository itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lusory::library::{GAMES, HOUSE_FILES, STDLIB};

mod support;

/// The tables of what the program carries, as the folders would have them.
fn bundled() -> String {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut stdlib = String::new();
    for path in support::files("stdlib", &["lus"]) {
        stdlib.push_str(&format!("    text!({:?}, {:?}),\n", stem(&path), support::shown(&path)));
    }
    let (mut games, mut house) = (String::new(), String::new());
    for path in support::files("rulesets", &["lus", "yaml"]) {
        let shown = support::shown(&path);
        match shown.split('/').collect::<Vec<_>>()[..] {
            ["rulesets", _, file] if file.ends_with(".lus") => {
                games.push_str(&format!("    text!({:?}, {shown:?}),\n", stem(&path)));
            }
            ["rulesets", game, "house", file] if file.ends_with(".yaml") => {
                house.push_str(&format!("    house!({game:?}, {:?}, {shown:?}),\n", stem(&path)));
            }
            _ => {}
        }
    }
    let table = |rows: String| if rows.is_empty() { "&[]".to_string() } else { format!("&[\n{rows}]") };
    format!(
        "\
//! The texts that the program carries: the standard library, the games, their house files.
//!
//! `UPDATE=1 cargo test --test tidy` writes this file from the folders.

/// Name, path and text.
macro_rules! text {{
    ($name:literal, $path:literal) => {{
        ($name, $path, include_str!(concat!(\"../\", $path)))
    }};
}}

/// Game, name, path and text.
#[allow(unused_macros, reason = \"there may be no house files\")]
macro_rules! house {{
    ($game:literal, $name:literal, $path:literal) => {{
        ($game, $name, $path, include_str!(concat!(\"../\", $path)))
    }};
}}

/// The standard library: name, path, text.
#[rustfmt::skip]
pub const STDLIB: &[(&str, &str, &str)] = {};

/// The games: name, path, text.
#[rustfmt::skip]
pub const GAMES: &[(&str, &str, &str)] = {};

/// The house files of the games: game, name, path, text.
#[rustfmt::skip]
pub const HOUSE_FILES: &[(&str, &str, &str, &str)] = {};
",
        table(stdlib),
        table(games),
        table(house)
    )
}

#[test]
fn the_program_carries_every_text() -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets/bundled.rs");
    support::expect(&path, &bundled())
}

#[test]
fn names_are_unique() {
    for table in [STDLIB, GAMES] {
        let names: BTreeSet<&str> = table.iter().map(|row| row.0).collect();
        assert_eq!(names.len(), table.len(), "two texts of one name");
    }
    let names: BTreeSet<_> = HOUSE_FILES.iter().map(|row| (row.0, row.1)).collect();
    assert_eq!(names.len(), HOUSE_FILES.len(), "two house files of one name");
}

#[test]
fn a_library_is_called_like_its_file() {
    for (name, path, text) in STDLIB {
        let head = format!("library \"{name}\"\n");
        assert!(text.lines().any(|line| format!("{line}\n") == head), "{path} should say {head}");
    }
}

#[test]
fn house_files_can_be_read() {
    for (game, _, path, text) in HOUSE_FILES {
        let mut sources = lusory::source::Sources::new();
        let file = sources.add(*path, *text);
        match lusory::house::read(file, text) {
            Ok(house) => assert!(
                GAMES.iter().any(|(name, ..)| *name == house.game.0),
                "{path} is for {:?}, which is not bundled (it lies in the folder of {game})",
                house.game.0
            ),
            Err(found) => {
                let style = lusory::diagnostics::render::Style::default();
                panic!("{}", lusory::diagnostics::render::render_all(&found, &sources, style));
            }
        }
    }
}

/// Each game has a folder of its name with a page that says where its rules come from.
#[test]
fn every_game_has_a_page() -> Result<(), String> {
    for (name, ..) in GAMES {
        let page = support::text(&Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rulesets/{name}/README.md")))?;
        assert!(page.starts_with("# ") && page.len() > 150, "rulesets/{name}/README.md says too little");
    }
    Ok(())
}

/// Words that may stand only in some places: files, terminal and environment belong to the command line and to
/// `library.rs`; each outside crate has one address.
#[test]
fn every_word_in_its_place() -> Result<(), String> {
    let world: &[&str] = &["interpreter/cli/", "interpreter/main.rs", "interpreter/library.rs", "interpreter/benches/"];
    let rules: [(&str, &[&str]); 7] = [
        ("std::fs", world),
        ("std::env", world),
        ("println!(", world),
        ("serde_yaml::", &["interpreter/house/yaml.rs"]),
        ("cap_std", &["interpreter/library.rs"]),
        ("annotate_snippets", &["interpreter/diagnostics/render.rs"]),
        ("clap::", &["interpreter/cli/", "interpreter/main.rs"]),
    ];
    let mut wrong = Vec::new();
    for path in support::files("interpreter", &["rs"]) {
        let (shown, text) = (support::shown(&path), support::text(&path)?);
        // Tests read cases and switches from where they like.
        if shown.contains("/tests/") || shown.ends_with("/tests.rs") {
            continue;
        }
        for (word, places) in rules {
            if text.contains(word) && !places.iter().any(|place| shown.starts_with(place)) {
                wrong.push(format!("{shown} says {word}, which belongs to {}", places.join(", ")));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Every message has a case that shows it: a file in `diagnostics/` called after its code, `code.lus` or `code_more.lus`, or `.yaml`.
/// What takes too much text for a file is shown in `limits/`.
#[test]
fn every_message_has_a_case() -> Result<(), String> {
    let cases = support::files("tests/diagnostics", &["lus", "yaml"]);
    let mut shown = BTreeSet::new();
    let mut codes = BTreeSet::new();
    let mut wrong = Vec::new();
    for path in &cases {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let code = stem.split('_').next().unwrap_or_default().to_string();
        let text = support::text(path)?;
        let said: BTreeSet<String> = ["error[", "warning["].iter().flat_map(|mark| quoted(&text, mark, ']')).collect();
        if code != "several" && !said.contains(&code) {
            wrong.push(format!("{} does not show {code}", support::shown(path)));
        }
        if code == "several" && text.matches("error[").count() + text.matches("warning[").count() < 2 {
            wrong.push(format!("{} shows one mistake only", support::shown(path)));
        }
        codes.extend(said);
        shown.insert(code);
    }
    for path in support::files("interpreter", &["rs"]) {
        let name = support::shown(&path);
        let stage = ["check/", "syntax/", "house/", "assemble.rs", "pipeline.rs"];
        let stage = stage.iter().any(|stage| name.starts_with(&format!("interpreter/{stage}")));
        if stage && !name.ends_with("tests.rs") && !name.contains("/tests/") {
            let text = support::text(&path)?;
            let ours =
                text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default().replace(char::is_whitespace, "");
            codes.extend(["error(\"", "warning(\""].iter().flat_map(|mark| quoted(&ours, mark, '"')));
        }
    }
    let generated = support::text(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/limits/main.rs"))?;
    let lacking = codes.iter().filter(|code| !shown.contains(*code) && !generated.contains(&format!("\"{code}\"")));
    wrong.extend(lacking.map(|code| format!("no file in tests/diagnostics is called after the message {code}")));
    let explained: BTreeSet<&str> = lusory::explain::all().iter().map(|entry| entry.code).collect();
    let silent = codes.iter().filter(|code| !explained.contains(code.as_str()));
    wrong.extend(silent.map(|code| format!("interpreter/explain/codes.txt says nothing of {code}")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What stands between a mark and a sign, wherever it looks like the code of a message.
fn quoted(text: &str, mark: &str, end: char) -> Vec<String> {
    let parts = text.split(mark).skip(1).filter_map(|rest| rest.split(end).next());
    let is_code = |code: &&str| !code.is_empty() && code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    parts.filter(is_code).map(str::to_string).collect()
}

/// `rulesets/LANGUAGE.md` lists the constructs of the language: no more than sixty, numbered, each with a box that runs. Every word of
/// the grammar and every ready-made word is in one of them; all else is the library's.
#[test]
fn the_language_is_one_list() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = support::text(&root.join("rulesets/LANGUAGE.md"))?;
    let mut wrong = Vec::new();
    let entries: Vec<&str> = page.split("\n### ").skip(1).collect();
    if entries.len() > 60 {
        wrong.push(format!("there are {} constructs; sixty are enough", entries.len()));
    }
    for (i, entry) in entries.iter().enumerate() {
        let heading = entry.lines().next().unwrap_or_default();
        if !heading.starts_with(&format!("{}. `", i + 1)) {
            wrong.push(format!("entry {} has another number: {heading}", i + 1));
        }
        if !entry.contains("\n```lus ") {
            wrong.push(format!("{heading} has no example"));
        }
    }
    let listed = entries.concat();
    let listed: BTreeSet<&str> = listed.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let grammar = support::text(&root.join("interpreter/syntax/grammar.pest"))?;
    let keywords = grammar.lines().filter(|line| line.starts_with("kw_")).filter_map(|line| line.split('"').nth(1));
    let names = support::text(&root.join("interpreter/check/names.rs"))?;
    let ready = names.split("const ").filter(|part| ["READY", "SOFT"].iter().any(|name| part.starts_with(name)));
    let ready = ready.filter_map(|part| part.split(';').next()).flat_map(|part| part.split('"').skip(1).step_by(2));
    let words: Vec<&str> = keywords.chain(ready).collect();
    assert!(words.contains(&"choose") && words.contains(&"board_repeats"), "the words are found");
    wrong.extend(
        words.iter().filter(|word| !listed.contains(*word)).map(|word| format!("no entry has the word {word}")),
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// No game is larger than `tokens.txt` says. Every word, number, text and sign counts one, and so does `'s`; notes count nothing.
#[test]
#[allow(clippy::print_stdout, reason = "the table is for who asks for it")]
fn tokens() -> Result<(), String> {
    let limits = include_str!("tokens.txt").lines().filter(|line| !line.starts_with('#'));
    let limits: BTreeMap<&str, &str> = limits.filter_map(|line| line.split_once(' ')).collect();
    let mut wrong = Vec::new();
    let mut table = String::new();
    for (name, _, text) in GAMES {
        let (found, most) = (count_tokens(text), limits.get(name).copied().unwrap_or("-"));
        table.push_str(&format!("{name:<24} {found:>5} {most:>5}\n"));
        if most.parse().is_ok_and(|most: usize| found > most) {
            wrong.push(format!("{name} has {found} tokens; {most} are enough"));
        }
    }
    println!("{table}");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The words, numbers, texts and signs of a file.
fn count_tokens(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text.trim_start();
    let mut tokens = 0;
    while let Some(first) = rest.chars().next() {
        let is_note = rest.starts_with("//");
        let length = if is_note {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("\"\"\"") {
            inside.find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if let Some(inside) = rest.strip_prefix('"') {
            inside.find('"').map_or(rest.len(), |end| end + 2)
        } else if rest.starts_with("'s") && !rest[2..].starts_with(is_word) {
            2
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        tokens += usize::from(!is_note);
        rest = rest[length..].trim_start();
    }
    tokens
}
