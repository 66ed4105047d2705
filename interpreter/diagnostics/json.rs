//! Findings for other programs: one JSON object a finding, one finding a line.

use serde::Serialize;

use super::lines::{Pages, Place};
use super::visible::is_hidden;
use super::{Diagnostic, Label, Severity};
use crate::source::Sources;

#[derive(Serialize)]
struct Finding<'d> {
    code: &'d str,
    severity: &'static str,
    message: &'d str,
    label: &'d str,
    #[serde(flatten)]
    at: At,
    help: Option<&'d str>,
    also: Vec<Also<'d>>,
}

#[derive(Serialize)]
struct Also<'d> {
    text: &'d str,
    #[serde(flatten)]
    at: At,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

/// One finding as a JSON object on one line, without a line end.
///
/// Lines and columns count from 1, columns in signs; `end_column` is one past the last sign.
pub fn json(diag: &Diagnostic, sources: &Sources) -> String {
    object(diag, &mut Pages::new(sources))
}

/// All findings in the order in which they stand in the texts, each on a line of its own.
pub fn json_all(found: &[Diagnostic], sources: &Sources) -> String {
    let mut pages = Pages::new(sources);
    super::in_order(found).into_iter().map(|diag| object(diag, &mut pages) + "\n").collect()
}

fn object(diag: &Diagnostic, pages: &mut Pages<'_>) -> String {
    let finding = Finding {
        code: diag.code,
        severity: match diag.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diag.message,
        label: &diag.place.text,
        at: at(&diag.place, pages),
        help: diag.help.as_deref(),
        also: diag.also.iter().map(|label| Also { text: &label.text, at: at(label, pages) }).collect(),
    };
    match serde_json::to_string(&finding) {
        Ok(text) => escaped(&text),
        Err(error) => crate::bug!("a finding could not be written as JSON: {error}"),
    }
}

fn at(label: &Label, pages: &mut Pages<'_>) -> At {
    let page = pages.get(label.span.file);
    let Place { line, column, end_line, end_column } = page.place(label.span);
    At { file: page.name.to_string(), line, column, end_line, end_column }
}

/// Writes hidden signs as `\u…`. They can only stand inside strings here, so the value stays the same.
pub(crate) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for sign in json.chars() {
        if is_hidden(sign) {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            text.push(sign);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn one_line_with_all_places() {
        let mut sources = Sources::new();
        let file = sources.add("a\u{1b}.lus", "één\npiece bishop\n");
        let diag = Diagnostic::error("unknown-name", Span::new(file, 6, 11), "bad \u{1b}[31m\u{202e}\n\u{e0001}")
            .also(Span::new(file, 0, 2), "here")
            .help("write \"x\"");
        let text = json(&diag, &sources);
        assert!(text.is_ascii() && !text.contains('\n') && !text.contains('\u{1b}'), "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["message"], "bad \u{1b}[31m\u{202e}\n\u{e0001}");
        assert_eq!((&value["line"], &value["column"], &value["end_column"]), (&2.into(), &1.into(), &6.into()));
        assert_eq!(value["also"][0]["end_column"], 2);
        assert_eq!(value["help"], "write \"x\"");
    }
}
