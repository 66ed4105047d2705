//! Findings of several files in the forms that other tools read: JSON, SARIF, JUnit, and the annotations of a code host.

use serde_json::{Value, json};

use super::lines::Pages;
use super::visible::{is_hidden, sign};
use super::{Diagnostic, Label, Severity, in_order, json as lines};
use crate::explain;
use crate::source::Sources;

/// A form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A JSON array of all findings.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit's XML: a case for each file; errors are failures.
    Junit,
    /// Commands that a workflow of GitHub turns into annotations, one a line.
    Github,
}

/// A report that grows file by file.
#[derive(Clone, Debug)]
pub struct Report {
    form: Form,
    parts: Vec<String>,
    results: Vec<Value>,
    failed: usize,
}

impl Report {
    /// A report without a file.
    pub fn new(form: Form) -> Report {
        Report { form, parts: Vec::new(), results: Vec::new(), failed: 0 }
    }

    /// Adds what was found in a file.
    pub fn add(&mut self, name: &str, found: &[Diagnostic], sources: &Sources) {
        let mut pages = Pages::new(sources);
        match self.form {
            Form::Json => self.parts.extend(found_lines(found, sources)),
            Form::Sarif => {
                self.results.extend(in_order(found).into_iter().map(|diag| sarif_result(diag, &mut pages)));
            }
            Form::Junit => {
                self.failed += usize::from(super::has_errors(found));
                self.parts.push(junit_case(name, found, &mut pages));
            }
            Form::Github => {
                self.parts.extend(in_order(found).into_iter().map(|diag| github(diag, &mut pages)));
            }
        }
    }

    /// The whole report, ending with a line end; nothing if there is nothing to say.
    pub fn finish(self) -> String {
        match self.form {
            Form::Json => format!("[{}]\n", self.parts.join(",\n ")),
            Form::Sarif => lines::escaped(&sarif(self.results).to_string()) + "\n",
            Form::Junit => format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"lusory check\" tests=\"{}\" \
                 failures=\"{}\">\n{}</testsuite>\n</testsuites>\n",
                self.parts.len(),
                self.failed,
                self.parts.concat()
            ),
            Form::Github => self.parts.iter().map(|line| format!("{line}\n")).collect(),
        }
    }
}

fn found_lines(found: &[Diagnostic], sources: &Sources) -> Vec<String> {
    lines::json_all(found, sources).lines().map(str::to_string).collect()
}

/// The sentence and its mend.
fn sentence(diag: &Diagnostic) -> String {
    match &diag.help {
        Some(help) => format!("{} {help}", diag.message),
        None => diag.message.clone(),
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn sarif(results: Vec<Value>) -> Value {
    let mut codes: Vec<String> =
        results.iter().filter_map(|result| result["ruleId"].as_str().map(str::to_string)).collect();
    codes.sort();
    codes.dedup();
    let rule = |code: &String| {
        let rule = explain::entry(code).map_or("", |entry| entry.rule);
        json!({ "id": code, "fullDescription": { "text": rule } })
    };
    let rules: Vec<Value> = codes.iter().map(rule).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "lusory", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn sarif_result(diag: &Diagnostic, pages: &mut Pages<'_>) -> Value {
    let mut location = |label: &Label| {
        let page = pages.get(label.span.file);
        let place = page.place(label.span);
        let mut location = json!({
            "physicalLocation": {
                "artifactLocation": { "uri": page.name.replace(' ', "%20") },
                "region": {
                    "startLine": place.line, "startColumn": place.column,
                    "endLine": place.end_line, "endColumn": place.end_column,
                },
            },
        });
        if !label.text.is_empty() {
            location["message"] = json!({ "text": label.text });
        }
        location
    };
    let place = location(&diag.place);
    let also: Vec<Value> = diag.also.iter().map(&mut location).collect();
    json!({
        "ruleId": diag.code,
        "level": level(diag.severity),
        "message": { "text": sentence(diag) },
        "locations": [place],
        "relatedLocations": also,
    })
}

fn junit_case(name: &str, found: &[Diagnostic], pages: &mut Pages<'_>) -> String {
    let mut text = format!("<testcase classname=\"lusory.check\" name=\"{}\">\n", xml(name));
    let mut warnings = String::new();
    for diag in in_order(found) {
        let page = pages.get(diag.place.span.file);
        let place = page.place(diag.place.span);
        let line = format!("{}:{}:{}: {}", page.name, place.line, place.column, sentence(diag));
        match diag.severity {
            Severity::Error => {
                text += &format!(
                    "<failure type=\"{}\" message=\"{}\">{}</failure>\n",
                    diag.code,
                    xml(&diag.message),
                    xml(&line)
                );
            }
            Severity::Warning => warnings += &format!("warning[{}]: {line}\n", diag.code),
        }
    }
    if !warnings.is_empty() {
        text += &format!("<system-out>{}</system-out>\n", xml(&warnings));
    }
    text + "</testcase>\n"
}

/// A text as XML may hold it.
fn xml(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push('\n'),
            c if is_hidden(c) => safe.push(sign(c)),
            c => safe.push(c),
        }
    }
    safe
}

fn github(diag: &Diagnostic, pages: &mut Pages<'_>) -> String {
    let page = pages.get(diag.place.span.file);
    let place = page.place(diag.place.span);
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    format!(
        "::{} file={},line={},col={},endLine={},endColumn={},title={}::{}",
        level(diag.severity),
        property(page.name),
        place.line,
        place.column,
        place.end_line,
        place.end_column,
        property(diag.code),
        data(&sentence(diag))
    )
}

/// What stands behind a command, on one line.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    text.chars().map(|c| if is_hidden(c) { sign(c) } else { c }).collect()
}
