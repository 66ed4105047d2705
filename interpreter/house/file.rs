//! A house file as read: which game, and what is set. No game is known here.
//!
//! ```yaml
//! game: crossing
//! title: Two foes take the king
//! options: { capture: two, far_steps: 4 }
//! ```
//!
//! In comes a text, out goes a [`HouseFile`] or what is wrong with it. Whether the options exist is asked in
//! `apply.rs`. `on` and `off` stay the words they are in YAML 1.2; only `true` and `false` are yes-or-no here.

use std::collections::BTreeMap;
use std::fmt;

use super::yaml::{self, Fault, Key, Node, Value};
use crate::diagnostics::nearest::nearest;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// Bytes a house file may have.
pub const MOST_BYTES: usize = 64 * 1024;

/// Findings after which a file is not read on.
const MOST_FINDINGS: usize = 20;

/// Help for a file that is no mapping.
const FORM: &str = "game: name_of_the_game\noptions: { name: value }";

/// A house file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HouseFile {
    /// The game it is for.
    pub game: (String, Span),
    /// What the table calls its rules.
    pub title: Option<String>,
    /// What it sets, in the order in which it stands.
    pub settings: Vec<Setting>,
}

/// `name: value` of a house file, or `NAME=VALUE` of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The option.
    pub name: String,
    /// Where the option is named.
    pub name_span: Span,
    /// What it is to be.
    pub value: SettingValue,
    /// Where the value stands.
    pub value_span: Span,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// A whole number.
    Int(i64),
    /// Yes or no.
    Bool(bool),
    /// A word, or a text of several lines.
    Word(String),
}

impl fmt::Display for SettingValue {
    /// As a rule file would write it; a text of several lines stays as it is.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingValue::Int(value) => write!(to, "{value}"),
            SettingValue::Bool(value) => to.write_str(if *value { "on" } else { "off" }),
            SettingValue::Word(value) => to.write_str(value),
        }
    }
}

/// What can be wrong with a house file taken by itself.
enum FileError {
    TooLarge { bytes: usize, at: Span },
    Yaml(Fault),
    NoMapping { at: Span },
    NoGame { at: Span },
    UnknownKey { name: String, at: Span },
    Duplicate { name: String, first: Span, at: Span },
    GameType { at: Span },
    TitleType { at: Span },
    OptionsType { at: Span },
    NoValue { name: String, at: Span },
    ValueType { name: String, found: &'static str, at: Span },
    SetForm { at: Span },
    SetName { name: String, at: Span },
}

/// Reads a house file; at most 64 KiB of it.
pub fn read(file: FileId, text: &str) -> Result<HouseFile, Diagnostics> {
    let fail = |error: FileError| vec![Diagnostic::from(error)];
    if text.len() > MOST_BYTES {
        return Err(fail(FileError::TooLarge { bytes: text.len(), at: Span::new(file, 0, 0) }));
    }
    let node = yaml::read(file, text).map_err(|fault| fail(FileError::Yaml(fault)))?;
    let pairs = match node.value {
        Value::Map(pairs) => pairs,
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Int(_) | Value::Number | Value::Text(_) | Value::List => {
            return Err(fail(FileError::NoMapping { at: node.span }));
        }
    };
    let mut errors = Vec::new();
    let mut game = None;
    let mut title = None;
    let mut settings = Vec::new();
    doubled(pairs.iter().map(|(key, _)| key), &mut errors);
    for (key, node) in pairs {
        match key.text.as_str() {
            "game" => game = Some(name_of_game(key, node, &mut errors)),
            "title" => title = words(node, &mut errors),
            "options" => options(node, &mut settings, &mut errors),
            _ => errors.push(FileError::UnknownKey { name: key.text, at: key.span }),
        }
        if errors.len() >= MOST_FINDINGS {
            break;
        }
    }
    // One slip, one message: who wrote `gmae` did say which game.
    let misspelt = errors
        .iter()
        .any(|error| matches!(error, FileError::UnknownKey { name, .. } if nearest_key(name) == Some("game")));
    match game {
        None if misspelt => {}
        None => errors.push(FileError::NoGame { at: Span::new(file, 0, 0) }),
        Some(Some(game)) if errors.is_empty() => return Ok(HouseFile { game, title, settings }),
        Some(_) => {}
    }
    errors.truncate(MOST_FINDINGS);
    Err(errors.into_iter().map(Diagnostic::from).collect())
}

/// Reads `NAME=VALUE`; what stands in double quotes is a word or text, never a number. The text is a source of its own, so that messages can point into it.
pub fn read_set(file: FileId, text: &str) -> Result<Setting, Diagnostics> {
    let fail = |error: FileError| vec![Diagnostic::from(error)];
    let whole = Span::new(file, 0, text.len());
    if text.len() > MOST_BYTES {
        return Err(fail(FileError::TooLarge { bytes: text.len(), at: Span::new(file, 0, 0) }));
    }
    let Some((name, value)) = text.split_once('=') else {
        return Err(fail(FileError::SetForm { at: whole }));
    };
    let name_span = trimmed(file, text, 0, name.len());
    let value_span = trimmed(file, text, name.len() + 1, text.len());
    let name = name.trim().to_string();
    if name.is_empty() {
        return Err(fail(FileError::SetForm { at: whole }));
    }
    if !name.chars().all(|sign| sign.is_alphanumeric() || sign == '_') {
        return Err(fail(FileError::SetName { name, at: name_span }));
    }
    let value = match value.trim() {
        "" => return Err(fail(FileError::NoValue { name, at: name_span })),
        "true" => SettingValue::Bool(true),
        "false" => SettingValue::Bool(false),
        word => match word.parse() {
            Ok(number) => SettingValue::Int(number),
            Err(_) if word.len() > 1 && word.starts_with('"') && word.ends_with('"') => {
                SettingValue::Word(word[1..word.len() - 1].to_string())
            }
            // A text keeps its blanks: the first row of a diagram may begin with some.
            Err(_) if value.contains('\n') => SettingValue::Word(value.to_string()),
            Err(_) => SettingValue::Word(word.to_string()),
        },
    };
    Ok(Setting { name, name_span, value, value_span })
}

/// A stretch without the blanks around it.
fn trimmed(file: FileId, text: &str, start: usize, end: usize) -> Span {
    let words = &text[start..end];
    let from = start + (words.len() - words.trim_start().len());
    Span::new(file, from, from + words.trim().len())
}

/// The key that was meant.
fn nearest_key(name: &str) -> Option<&'static str> {
    nearest(name, ["game", "title", "options"])
}

/// Reports each key that stands twice, once.
fn doubled<'k>(keys: impl Iterator<Item = &'k Key>, errors: &mut Vec<FileError>) {
    let mut seen: BTreeMap<&str, (Span, bool)> = BTreeMap::new();
    for key in keys {
        match seen.get_mut(key.text.as_str()) {
            None => {
                seen.insert(&key.text, (key.span, false));
            }
            Some((_, true)) => {}
            Some((first, told)) => {
                *told = true;
                errors.push(FileError::Duplicate { name: key.text.clone(), first: *first, at: key.span });
            }
        }
    }
}

fn name_of_game(key: Key, node: Node, errors: &mut Vec<FileError>) -> Option<(String, Span)> {
    match node.value {
        Value::Text(name) if !name.trim().is_empty() => return Some((name.trim().to_string(), node.span)),
        Value::Null => errors.push(FileError::NoValue { name: key.text, at: key.span }),
        Value::Bool(_) | Value::Int(_) | Value::Number | Value::Text(_) | Value::List | Value::Map(_) => {
            errors.push(FileError::GameType { at: node.span });
        }
    }
    None
}

fn words(node: Node, errors: &mut Vec<FileError>) -> Option<String> {
    match node.value {
        Value::Text(text) => Some(text.trim().to_string()),
        Value::Int(number) => Some(number.to_string()),
        Value::Null => None,
        Value::Bool(_) | Value::Number | Value::List | Value::Map(_) => {
            errors.push(FileError::TitleType { at: node.span });
            None
        }
    }
}

fn options(node: Node, settings: &mut Vec<Setting>, errors: &mut Vec<FileError>) {
    let pairs = match node.value {
        Value::Map(pairs) => pairs,
        Value::Null => return,
        Value::Bool(_) | Value::Int(_) | Value::Number | Value::Text(_) | Value::List => {
            errors.push(FileError::OptionsType { at: node.span });
            return;
        }
    };
    doubled(pairs.iter().map(|(key, _)| key), errors);
    for (key, node) in pairs {
        let Key { text: name, span: name_span } = key;
        let (value_span, mut wrong) = (node.span, |found| {
            errors.push(FileError::ValueType { name: name.clone(), found, at: node.span });
        });
        let value = match node.value {
            Value::Int(number) => SettingValue::Int(number),
            Value::Bool(value) => SettingValue::Bool(value),
            Value::Text(text) => SettingValue::Word(text),
            Value::Null => {
                errors.push(FileError::NoValue { name, at: name_span });
                continue;
            }
            Value::Number => {
                wrong("a number that is not whole, or too large");
                continue;
            }
            Value::List => {
                wrong("a list");
                continue;
            }
            Value::Map(_) => {
                wrong("a mapping");
                continue;
            }
        };
        settings.push(Setting { name, name_span, value, value_span });
        if errors.len() >= MOST_FINDINGS {
            return;
        }
    }
}

impl From<FileError> for Diagnostic {
    fn from(error: FileError) -> Self {
        let wrong_type = |at, message: String| Diagnostic::error("house-type", at, message);
        match error {
            FileError::TooLarge { bytes, at } => {
                let message = format!("This house file has {bytes} bytes; it may have {MOST_BYTES}.");
                Diagnostic::error("house-too-large", at, message)
            }
            FileError::Yaml(fault) => fault.into(),
            FileError::NoMapping { at } => {
                wrong_type(at, "A house file names a game and sets its options.".into()).help(FORM)
            }
            FileError::NoGame { at } => {
                Diagnostic::error("house-game", at, "This house file does not say for which game it is.").help(FORM)
            }
            FileError::UnknownKey { name, at } => {
                let near = nearest_key(&name);
                let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
                let message = format!("A house file has no \"{name}\".{meant}");
                let diag = Diagnostic::error("house-unknown-key", at, message);
                match near {
                    Some(near) => diag.help(format!("write \"{near}\"")),
                    None => diag.help("a house file has game, title and options; house rules stand under options"),
                }
            }
            FileError::Duplicate { name, first, at } => {
                Diagnostic::error("house-duplicate", at, format!("\"{name}\" is said twice."))
                    .also(first, "first said here")
                    .help("keep one of them")
            }
            FileError::GameType { at } => {
                wrong_type(at, "\"game\" is the name of one game.".into()).help("write a name, as game: crossing")
            }
            FileError::TitleType { at } => wrong_type(at, "\"title\" is a text.".into()).help("put it in quotes"),
            FileError::OptionsType { at } => {
                wrong_type(at, "\"options\" holds names and their values.".into()).help("options: { name: value }")
            }
            FileError::NoValue { name, at } => wrong_type(at, format!("\"{name}\" has no value.")),
            FileError::ValueType { name, found, at } => wrong_type(
                at,
                format!("An option is a whole number, a word, a text, on or off; \"{name}\" is {found}."),
            ),
            FileError::SetForm { at } => {
                Diagnostic::error("house-set", at, "A setting is a name, \"=\" and a value.").help("--set size=9")
            }
            FileError::SetName { name, at } => {
                let message =
                    format!("\"{name}\" cannot be the name of an option: names have letters, digits and \"_\".");
                Diagnostic::error("house-set", at, message)
            }
        }
    }
}

impl From<Fault> for Diagnostic {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Syntax(words, at) => {
                Diagnostic::error("house-syntax", at, format!("This cannot be read as YAML: {words}."))
            }
            Fault::Documents(at) => {
                Diagnostic::error("house-documents", at, "A house file is one document; here begins a second.")
                    .help("put it in a file of its own")
            }
            Fault::Alias(at) => {
                Diagnostic::error("house-alias", at, "\"&\", \"*\" and \"<<\" have no meaning in a house file.")
                    .help("write the value out, or put quotes around it")
            }
            Fault::Tag(at) => {
                Diagnostic::error("house-tag", at, "Tags (\"!\" and a word) have no meaning in a house file.")
                    .help("leave the tag out, or put quotes around the value")
            }
            Fault::Key(at) => Diagnostic::error("house-type", at, "A name must stand before the \":\"."),
            Fault::Deep(at) => {
                Diagnostic::error("house-type", at, "A house file has no mappings or lists this deep.").help(FORM)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::diagnostics::render::{Style, render_all};
    use crate::source::Sources;

    fn codes(text: &str) -> Vec<(&'static str, String)> {
        let mut sources = Sources::new();
        let file = sources.add("house.yaml", text);
        let found = read(file, text).expect_err(text);
        render_all(&found, &sources, Style::default());
        found.iter().map(|diag| (diag.code, sources.words(diag.place.span).to_string())).collect()
    }

    fn code(text: &str) -> (&'static str, String) {
        let found = codes(text);
        assert_eq!(found.len(), 1, "{found:?}");
        found.into_iter().next().unwrap()
    }

    fn good(text: &str) -> Vec<String> {
        let house = read(FileId(0), text).unwrap_or_else(|found| panic!("{found:?}"));
        house.settings.iter().map(|setting| format!("{}={:?}", setting.name, setting.value)).collect()
    }

    #[test]
    fn what_a_house_file_may_say() {
        let text = "# ours\ngame: crossing\ntitle: Two foes\noptions:\n  a: two\n  b: 4\n  c: true\n  d: off\n  e: \"4\"\n  \
                    f: -3\n  g: |\n    x . x\n    . y .\n  h: yes\n";
        let expected = [
            "a=Word(\"two\")",
            "b=Int(4)",
            "c=Bool(true)",
            "d=Word(\"off\")",
            "e=Word(\"4\")",
            "f=Int(-3)",
            "g=Word(\"x . x\\n. y .\\n\")",
            "h=Word(\"yes\")",
        ];
        assert_eq!(good(text), expected);
        let house = read(FileId(0), text).unwrap();
        assert_eq!((house.game.0.as_str(), house.title.as_deref()), ("crossing", Some("Two foes")));
        let (name, value) = (house.settings[0].name_span, house.settings[0].value_span);
        assert_eq!(
            (&text[name.start as usize..name.end as usize], &text[value.start as usize..value.end as usize]),
            ("a", "two")
        );
        assert!(
            good("game: x").is_empty() && good("game: x\noptions:\n").is_empty() && good("\u{feff}game: x").is_empty()
        );
    }

    #[test]
    fn what_it_may_not() {
        let at = |code, words: &str| (code, words.to_string());
        assert_eq!(code("gmae: x\ngame: y"), at("house-unknown-key", "gmae"));
        assert_eq!(code("game: x\nrules: 1"), at("house-unknown-key", "rules"));
        assert_eq!(code("game: x\ngame: y"), at("house-duplicate", "game"));
        assert_eq!(code("game: x\noptions: {a: 1, b: 2, a: 1, a: 1}"), at("house-duplicate", "a"));
        assert_eq!(code("game: x\n---\ngame: y"), at("house-documents", "g"));
        assert_eq!(code("game: 5"), at("house-type", "5"));
        assert_eq!(code("game: [x]"), at("house-type", "["));
        assert_eq!(code("game:"), at("house-type", "game"));
        assert_eq!(code("game: x\ntitle: {}"), at("house-type", "{"));
        assert_eq!(code("game: x\noptions: 4"), at("house-type", "4"));
        assert_eq!(code("game: x\noptions: {a: 1.5}"), at("house-type", "1.5"));
        assert_eq!(code("game: x\noptions: {a: .nan}"), at("house-type", ".nan"));
        assert_eq!(code("game: x\noptions: {a: 99999999999999999999}"), at("house-type", "99999999999999999999"));
        assert_eq!(code("game: x\noptions: {a: }"), at("house-type", "a"));
        assert_eq!(code("game: x\noptions: {a: [1, {b: c}]}"), at("house-type", "["));
        assert_eq!(code("game: x\noptions: {a: {b: 1}}"), at("house-type", "{"));
        assert_eq!(code("game: x\n? [a]\n: b").0, "house-type");
        assert_eq!(code("- a\n- b").0, "house-type");
        assert_eq!(code("").0, "house-game");
        assert_eq!(code("options: {}").0, "house-game");
        assert_eq!(code("game: x: y"), at("house-syntax", ":"));
        assert_eq!(code("game: x\n\u{0}").0, "house-syntax");
        assert_eq!(code("game: 'x").0, "house-syntax");
        assert_eq!(code("game: x\n\t]").0, "house-syntax");
        assert_eq!(code("game: &a x").0, "house-alias");
        assert_eq!(code("game: *a").0, "house-alias");
        assert_eq!(code("<<: {game: x}").0, "house-alias");
        assert_eq!(code("game: !include x").0, "house-tag");
        assert_eq!(code(&"[".repeat(10_000)).0, "house-type");
        assert_eq!(code(&format!("game: x\n#{}", "x".repeat(MOST_BYTES))).0, "house-too-large");
        assert_eq!(codes("gmae: x\noptions: [1]").len(), 2);
    }

    #[test]
    fn no_text_takes_long() {
        let bomb = "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\n".to_string();
        let mut texts = vec![bomb, (0..9000).map(|n| format!("k{n}: 1\n")).collect()];
        texts.push(format!("game: x\noptions:\n{}", (0..9000).map(|n| format!(" {n}: 1\n")).collect::<String>()));
        texts.push(format!("game: x\noptions:\n{}", " a: 1\n".repeat(10_000)));
        texts.push(format!("game: x\noptions:\n{}", " a: [\n".repeat(10_000)));
        for part in [
            "[",
            "{",
            "- ",
            "? ",
            "a: ",
            "&a ",
            "*a ",
            "!t ",
            "'",
            "\"",
            "---\n",
            "...\n",
            "\t",
            "| ",
            ">\n",
            "#\n",
            "\u{0}",
            "%YAML 1.2\n",
            "é",
            "\r",
            "a:\n ",
            "x\n",
            ": ",
            ",",
            "\"\\x41",
            "<<: ",
            "\u{85}",
            "\u{2028}",
        ] {
            texts.push(part.repeat(MOST_BYTES / part.len()));
            texts.push(format!("game: {}", part.repeat((MOST_BYTES - 6) / part.len())));
            texts.push(format!("game: x\noptions: {{ a: \"{}", part.repeat((MOST_BYTES - 30) / part.len())));
        }
        texts.push((0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect());
        for text in texts {
            let begun = Instant::now();
            let _ = read(FileId(0), &text);
            let took = begun.elapsed();
            assert!(took.as_millis() < 1_500, "{took:?} for {:?}", &text.chars().take(40).collect::<String>());
        }
    }

    #[test]
    fn settings_of_a_command_line() {
        let set = |text: &str| read_set(FileId(0), text).map(|setting| (setting.name, setting.value));
        let word = |text: &str| SettingValue::Word(text.to_string());
        assert_eq!(set("a=4"), Ok(("a".into(), SettingValue::Int(4))));
        assert_eq!(set(" a = on "), Ok(("a".into(), word("on"))));
        assert_eq!(set("a=true"), Ok(("a".into(), SettingValue::Bool(true))));
        assert_eq!(set("a=b=c"), Ok(("a".into(), word("b=c"))));
        assert_eq!(set("a= x\n y"), Ok(("a".into(), word(" x\n y"))));
        assert_eq!(set("a=\"4\""), Ok(("a".into(), word("4"))));
        assert_eq!(set("a=\""), Ok(("a".into(), word("\""))));
        for bad in ["", "a", "=", "=4", "a=", "a b=4", "a-b=4", "é\u{1b}=4"] {
            assert!(set(bad).is_err(), "{bad}");
        }
    }
}

#[cfg(test)]
mod random {
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostics::json::json_all;
    use crate::diagnostics::render::{Style, render_all};
    use crate::source::Sources;

    /// Texts made of what YAML gives a meaning to.
    fn text() -> impl Strategy<Value = String> {
        let parts = [
            "game",
            "title",
            "options",
            ":",
            ": ",
            "\n",
            "\n  ",
            "\n\t",
            " ",
            "{",
            "}",
            "[",
            "]",
            ",",
            "- ",
            "? ",
            "&a ",
            "*a",
            "!t ",
            "!!int ",
            "'",
            "\"",
            "|\n",
            ">-\n",
            "# ",
            "---\n",
            "...\n",
            "%YAML 1.2\n",
            "<<",
            "~",
            "true",
            "off",
            "1",
            "-3",
            "1.5",
            "0x1f",
            ".inf",
            "é",
            "\u{1f600}",
            "\u{feff}",
            "\r\n",
            "\r",
            "\u{0}",
            "\u{85}",
            "\u{2028}",
            "\\",
            "`",
            "@",
            "=",
        ];
        let part = prop_oneof![9 => prop::sample::select(parts.to_vec()).prop_map(String::from), 1 => any::<char>().prop_map(String::from)];
        prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_or_refused(text in text()) {
            let mut sources = Sources::new();
            let file = sources.add("house.yaml", text.as_str());
            for found in [read(file, &text).err(), read_set(file, &text).err()].into_iter().flatten() {
                prop_assert!(!found.is_empty());
                for diag in &found {
                    let span = diag.place.span;
                    prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{diag:?}");
                }
                render_all(&found, &sources, Style::default());
                json_all(&found, &sources);
            }
        }
    }
}
