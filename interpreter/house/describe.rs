//! Writes the house file that changes nothing: every option with its default, what it may be, and its doc lines.
//!
//! What it writes can be read by `file.rs` and fits; a table changes the lines it wants.

use super::apply::{Declared, choices};
use super::file::SettingValue;
use crate::diagnostics::json::escaped;
use crate::diagnostics::visible;

/// Signs of a doc line that are kept.
const LONGEST_LINE: usize = 500;

/// A complete house file for `game` with comments.
pub fn describe(game: &str, declared: &[Declared]) -> String {
    let mut text = format!("game: {}\n", scalar(game));
    if declared.is_empty() {
        text.push_str("# This game has no options.\n");
        return text;
    }
    text.push_str("options:\n");
    for (count, option) in declared.iter().enumerate() {
        if count > 0 {
            text.push('\n');
        }
        for line in &option.docs {
            text.push_str(&comment(line));
        }
        text.push_str(&comment(&choices(option)));
        text.push_str(&format!("  {}: {}\n", scalar(&option.name), value(&option.default)));
    }
    text
}

fn comment(words: &str) -> String {
    format!("  # {}", visible::line(words, LONGEST_LINE)).trim_end().to_string() + "\n"
}

fn value(value: &SettingValue) -> String {
    match value {
        SettingValue::Int(number) => number.to_string(),
        SettingValue::Bool(true) => "on".to_string(),
        SettingValue::Bool(false) => "off".to_string(),
        SettingValue::Word(text) => block(text).unwrap_or_else(|| scalar(text)),
    }
}

/// A word as it is if YAML takes it for a word, else in quotes.
fn scalar(word: &str) -> String {
    let plain = word.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
        && word.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && !["true", "false", "null"].contains(&word.to_ascii_lowercase().as_str());
    if plain {
        return word.to_string();
    }
    // A JSON string is a YAML string.
    match serde_json::to_string(word) {
        Ok(quoted) => escaped(&quoted),
        Err(error) => crate::bug!("a word could not be quoted: {error}"),
    }
}

/// A text of several lines as an indented block, if one can hold it unchanged.
fn block(text: &str) -> Option<String> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let awkward = |line: &str| line.is_empty() || line.chars().any(visible::is_hidden);
    if !body.contains('\n') || body.starts_with(' ') || body.split('\n').any(awkward) {
        return None;
    }
    let mark = if body.len() < text.len() { "|" } else { "|-" };
    let lines: String = body.split('\n').map(|line| format!("\n    {line}")).collect();
    Some(format!("{mark}{lines}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::apply::{Allowed, Origin, apply};
    use crate::house::file::read;
    use crate::source::{FileId, Span};

    fn option(name: &str, docs: &[&str], default: SettingValue, allowed: Vec<Allowed>) -> Declared {
        let docs = docs.iter().map(|line| line.to_string()).collect();
        Declared { name: name.to_string(), span: Span::default(), docs, default, allowed }
    }

    fn word(text: &str) -> SettingValue {
        SettingValue::Word(text.to_string())
    }

    #[test]
    fn a_file_with_everything_in_it() {
        let declared = [
            option(
                "steps",
                &["How far a runner goes;", "0 is any way."],
                SettingValue::Int(0),
                vec![Allowed::Int(0), Allowed::Range(1, 4)],
            ),
            option("swap", &[], SettingValue::Bool(true), vec![Allowed::Bool]),
            option("layout", &["bad \u{1b} sign"], word("x . x\n. y .\n"), vec![Allowed::Text]),
        ];
        let expected = "\
game: crossing
options:
  # How far a runner goes;
  # 0 is any way.
  # 0 or 1..4
  steps: 0

  # on or off
  swap: on

  # bad \u{fffd} sign
  # any text
  layout: |
    x . x
    . y .
";
        assert_eq!(describe("crossing", &declared), expected);
        assert_eq!(describe("x", &[]), "game: x\n# This game has no options.\n");
    }

    #[test]
    fn it_can_be_read_and_changes_nothing() {
        let texts = [
            "",
            "a",
            "true",
            "null",
            "Yes",
            "off",
            "5",
            "-1",
            "a: b",
            "# x",
            "\"q\"",
            "'",
            "a\nb",
            "a\nb\n",
            " a\nb",
            "a\n\nb",
            "a\nb\n\n",
            "\n",
            "a\n b",
            "a \nb",
            "\u{1b}",
            "a\u{202e}\nb",
            "\t",
            "é",
            "\u{1f600}",
            "\u{feff}",
            "- a\n- b",
            "\\",
            "a\r\nb",
            "...",
            "---\n---",
            "a\n---\nb",
            "%x\ny",
            "{",
            "x\t\ny",
        ];
        let declared: Vec<Declared> = texts
            .iter()
            .enumerate()
            .map(|(at, text)| option(&format!("o{at}"), &["doc"], word(text), vec![Allowed::Text]))
            .collect();
        let text = describe("g", &declared);
        let house = read(FileId(0), &text).unwrap_or_else(|found| panic!("{found:?}\n{text}"));
        assert_eq!(house.settings.len(), declared.len());
        let settings: Vec<_> = house.settings.into_iter().map(|setting| (setting, Origin::Default)).collect();
        let chosen = apply(&declared, &settings).unwrap_or_else(|found| panic!("{found:?}"));
        for (option, chosen) in declared.iter().zip(chosen) {
            assert_eq!(option.default, chosen.value, "{text}");
        }
    }
}
