//! Draws findings for people: the sentence, the line it is about, and the mend.
//!
//! This is the only place that knows `annotate-snippets`, which panics on spans outside its text and searches long
//! texts slowly. So it never sees the author's file: each finding is cut to the lines its labels stand on, long lines
//! to a window around the label, and all signs that a terminal would obey are replaced before.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::lines::{Page, Pages};
use super::{Diagnostic, Label, Severity, visible};
use crate::source::{FileId, Sources};

/// How much room a finding takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// The sentence and a drawing of the lines.
    #[default]
    Human,
    /// `file:line:col: error[code]: message (help)`, one line.
    Short,
}

/// How findings are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// With the escape codes of a terminal?
    pub color: bool,
    /// Drawing or one line.
    pub format: Format,
}

/// Signs of a message, a label or a name that are shown.
const LONGEST_WORDS: usize = 2000;
/// Signs of a line that are shown; longer lines are cut to a window.
const LONGEST_LINE: usize = 120;
/// Signs shown before the label in a line that is cut.
const BEFORE_LABEL: usize = 40;
/// Labels farther apart than this many lines are drawn as two pieces.
const FARTHEST_LINES: usize = 40;
/// Labels of one finding that are drawn.
const MOST_LABELS: usize = 20;

/// One finding, ending with a line end.
pub fn render(diag: &Diagnostic, sources: &Sources, style: Style) -> String {
    draw(diag, &mut Pages::new(sources), style)
}

/// All findings in the order in which they stand in the texts, and a line that counts them; nothing if there are none.
pub fn render_all(found: &[Diagnostic], sources: &Sources, style: Style) -> String {
    let mut pages = Pages::new(sources);
    let mut text = String::new();
    for diag in super::in_order(found) {
        text.push_str(&draw(diag, &mut pages, style));
        if style.format == Format::Human {
            text.push('\n');
        }
    }
    if !found.is_empty() {
        text.push_str(&count(found));
        text.push('\n');
    }
    text
}

/// `2 errors, 1 warning`
fn count(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|diag| diag.severity == Severity::Error).count();
    let of = |count: usize, noun: &str| match count {
        0 => None,
        1 => Some(format!("1 {noun}")),
        _ => Some(format!("{count} {noun}s")),
    };
    let parts = [of(errors, "error"), of(found.len() - errors, "warning")];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn draw(diag: &Diagnostic, pages: &mut Pages<'_>, style: Style) -> String {
    match style.format {
        Format::Human => human(diag, pages, style),
        Format::Short => short(diag, pages),
    }
}

fn short(diag: &Diagnostic, pages: &mut Pages<'_>) -> String {
    let page = pages.get(diag.place.span.file);
    let place = page.place(diag.place.span);
    let severity = match diag.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let name = visible::line(page.name, LONGEST_WORDS);
    let message = visible::line(&diag.message, LONGEST_WORDS);
    let help = diag.help.as_ref().map_or(String::new(), |help| format!(" ({})", visible::line(help, LONGEST_WORDS)));
    format!("{name}:{}:{}: {severity}[{}]: {message}{help}\n", place.line, place.column, diag.code)
}

fn human(diag: &Diagnostic, pages: &mut Pages<'_>, style: Style) -> String {
    let level = match diag.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(visible::line(&diag.message, LONGEST_WORDS)).id(diag.code);
    let mut elements: Vec<Element<'static>> = Vec::new();
    for piece in pieces(diag, pages) {
        elements.extend(piece.elements());
    }
    if let Some(help) = &diag.help {
        elements.push(Level::HELP.message(visible::lines(help, LONGEST_WORDS)).into());
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(LONGEST_LINE + BEFORE_LABEL);
    let drawn = renderer.render(&[Group::with_title(title).elements(elements)]);
    // Blanks at line ends would be lost in files of expected messages.
    drawn.lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// A label on one line: where it begins and ends in it, in bytes of the text.
struct Mark {
    primary: bool,
    line: usize,
    start: usize,
    end: usize,
    words: String,
}

/// Neighbouring lines of one file with their labels, cut and cleaned.
struct Piece {
    name: String,
    /// Line of the first label.
    line: usize,
    /// Its column, if its line lost its beginning.
    column: Option<usize>,
    first_line: usize,
    text: String,
    marks: Vec<(bool, std::ops::Range<usize>, String)>,
}

impl Piece {
    fn elements(self) -> Vec<Element<'static>> {
        let annotations = self.marks.into_iter().map(|(primary, range, words)| -> Annotation<'static> {
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range);
            if words.is_empty() { annotation } else { annotation.label(words) }
        });
        let snippet = Snippet::source(self.text).line_start(self.first_line).annotations(annotations);
        // The drawer counts columns in what it is given; where the line's beginning is cut off, we count.
        match self.column {
            None => vec![snippet.path(self.name).into()],
            Some(column) => {
                let origin = Origin::path(self.name).line(self.line).char_column(column);
                vec![origin.into(), snippet.into()]
            }
        }
    }
}

/// The pieces of a finding: that of the wrong word first, then the others as they were given.
fn pieces(diag: &Diagnostic, pages: &mut Pages<'_>) -> Vec<Piece> {
    let mut groups: Vec<(FileId, Vec<Mark>)> = Vec::new();
    let labels = std::iter::once(&diag.place).chain(&diag.also).take(MOST_LABELS);
    for (at, label) in labels.enumerate() {
        let page = pages.get(label.span.file);
        let mark = mark(page, label, at == 0);
        let fits = |group: &(FileId, Vec<Mark>)| {
            group.0 == label.span.file && group.1.iter().all(|other| beside(page, other, &mark))
        };
        match groups.iter_mut().find(|group| fits(group)) {
            Some(group) => group.1.push(mark),
            None => groups.push((label.span.file, vec![mark])),
        }
    }
    groups.into_iter().map(|(file, marks)| piece(pages.get(file), marks)).collect()
}

/// A label that covers several lines is drawn under what it covers of the first.
fn mark(page: &Page<'_>, label: &Label, primary: bool) -> Mark {
    let (mut start, end) = page.clamp(label.span);
    let line = page.line_at(start);
    let (first, last) = page.bounds(line);
    start = start.min(last).max(first);
    let words = visible::line(&label.text, LONGEST_WORDS);
    Mark { primary, line, start, end: end.min(last).max(start), words }
}

/// May both labels be drawn in one piece?
fn beside(page: &Page<'_>, a: &Mark, b: &Mark) -> bool {
    let long = |line: usize| {
        let (start, end) = page.bounds(line);
        end - start > LONGEST_LINE
    };
    // The window of a long line holds one label for sure, two only by luck.
    let within = a.line.abs_diff(b.line) <= FARTHEST_LINES;
    within && (a.line != b.line || !long(a.line))
}

fn piece(page: &Page<'_>, marks: Vec<Mark>) -> Piece {
    let lines = || marks.iter().map(|mark| mark.line);
    let (first, last) = (lines().min().unwrap_or(0), lines().max().unwrap_or(0));
    let leader = marks.iter().find(|mark| mark.primary).or(marks.first());
    let line = leader.map_or(0, |mark| mark.line);
    let mut column = None;
    let mut text = String::new();
    let mut drawn = Vec::new();
    for number in first..=last {
        let here: Vec<&Mark> = marks.iter().filter(|mark| mark.line == number).collect();
        let cut = cut(page, number, &here);
        if let Some(leader) = leader.filter(|mark| mark.line == number && cut.headless) {
            let (start, _) = page.bounds(number);
            column = Some(page.text[start..leader.start].chars().count() + 1);
        }
        for (mark, range) in here.into_iter().zip(cut.ranges) {
            drawn.push((mark.primary, range.start + text.len()..range.end + text.len(), mark.words.clone()));
        }
        text.push_str(&cut.text);
        text.push('\n');
    }
    let name = visible::line(page.name, LONGEST_WORDS);
    Piece { name, line: line + 1, column, first_line: first + 1, text, marks: drawn }
}

/// A line as it is shown, and where its labels stand in it.
struct Cut {
    text: String,
    /// Is its beginning cut off?
    headless: bool,
    ranges: Vec<std::ops::Range<usize>>,
}

fn cut(page: &Page<'_>, number: usize, marks: &[&Mark]) -> Cut {
    let (first, last) = page.bounds(number);
    let anchor = marks.iter().map(|mark| mark.start).min().unwrap_or(first);
    // Steps back by whole signs, without counting from the start of a line that may have millions.
    let before = page.text[first..anchor].char_indices().rev().take(BEFORE_LABEL);
    let mut from = before.last().map_or(anchor, |(at, _)| first + at);
    if page.text[first..last].chars().take(LONGEST_LINE + 1).count() <= LONGEST_LINE {
        from = first;
    }
    let mut text = String::new();
    if from > first {
        text.push('…');
    }
    // For each sign: where it stands in the author's text, and where in the shown one.
    let mut stands = Vec::new();
    let mut to = last;
    for (count, (at, sign)) in page.text[from..last].char_indices().enumerate() {
        if count == LONGEST_LINE {
            to = from + at;
            break;
        }
        stands.push((from + at, text.len()));
        text.push(visible::sign(sign));
    }
    let end = text.len();
    let shown = |at: usize| {
        let next = stands.partition_point(|(stand, _)| *stand < at);
        stands.get(next).map_or(end, |(_, shown)| *shown)
    };
    let ranges = marks.iter().map(|mark| shown(mark.start)..shown(mark.end.min(to))).collect();
    if to < last {
        text.push('…');
    }
    Cut { text, headless: from > first, ranges }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::source::Span;

    const PLAIN: Style = Style { color: false, format: Format::Human };
    const SHORT: Style = Style { color: false, format: Format::Short };

    fn sources(name: &str, text: &str) -> (Sources, FileId) {
        let mut sources = Sources::new();
        let file = sources.add(name, text);
        (sources, file)
    }

    #[test]
    fn the_wrong_word_and_its_reason() {
        let (sources, file) = sources("g.lus", "game \"G\"\npiece bishop\n\n\n\n\n\nturn { move bishp }\n");
        let diag = Diagnostic::error("unknown-name", Span::new(file, 39, 44), "There is no \"bishp\".")
            .label("not declared")
            .also(Span::new(file, 15, 21), "\"bishop\" is declared here")
            .help("write \"bishop\"");
        let expected = "\
error[unknown-name]: There is no \"bishp\".
 --> g.lus:8:13
  |
2 | piece bishop
  |       ------ \"bishop\" is declared here
...
8 | turn { move bishp }
  |             ^^^^^ not declared
  |
  = help: write \"bishop\"
";
        assert_eq!(render(&diag, &sources, PLAIN), expected);
        let expected = "g.lus:8:13: error[unknown-name]: There is no \"bishp\". (write \"bishop\")\n";
        assert_eq!(render(&diag, &sources, SHORT), expected);
    }

    #[test]
    fn two_files_and_the_count() {
        let (mut sources, game) = sources("g.lus", "\noption size = 8\n");
        let house = sources.add("house.yaml", "game: g\noptions: { sise: 9 }\n");
        let first = Diagnostic::error("unknown-option", Span::new(house, 19, 23), "no option")
            .also(Span::new(game, 8, 12), "declared here");
        let second = Diagnostic::warning("unused-option", Span::new(game, 8, 12), "never used");
        let expected = "\
warning[unused-option]: never used
 --> g.lus:2:8
  |
2 | option size = 8
  |        ^^^^

error[unknown-option]: no option
 --> house.yaml:2:12
  |
2 | options: { sise: 9 }
  |            ^^^^
  |
 ::: g.lus:2:8
  |
2 | option size = 8
  |        ---- declared here

1 error, 1 warning
";
        assert_eq!(render_all(&[first.clone(), second.clone()], &sources, PLAIN), expected);
        assert_eq!(render_all(&[], &sources, PLAIN), "");
        assert!(render_all(&[first.clone(), first, second], &sources, SHORT).ends_with("\n2 errors, 1 warning\n"));
    }

    #[test]
    fn no_span_is_too_strange() {
        let texts = ["", "\n", "ab", "é", "aé\r\nßx\r\n", "\u{feff}\u{1f600}\n\n\t\u{301}x", "\r", "\u{0}"];
        for text in texts {
            let (sources, file) = sources("t", text);
            for start in 0..=text.len() + 2 {
                for end in [0, start, start + 1, start + 3, text.len() + 900, u32::MAX as usize] {
                    let diag = Diagnostic::error("x", Span::new(file, start, end), "m")
                        .label("l")
                        .also(Span::new(file, end, start), "")
                        .also(Span::new(FileId(77), start, end), "no such text");
                    for color in [false, true] {
                        render_all(std::slice::from_ref(&diag), &sources, Style { color, ..PLAIN });
                    }
                    render(&diag, &sources, SHORT);
                    crate::diagnostics::json::json(&diag, &sources);
                }
            }
        }
    }

    #[test]
    fn nothing_reaches_the_terminal_that_it_would_obey() {
        let evil = "a\u{1b}[2J\u{9b}31m\u{202e}b\u{2066}\u{7f}\u{8}\u{200b}\u{2028}c";
        let text = format!("x {evil} y\r\n{evil}");
        let (sources, file) = sources(&format!("p\n{evil}"), &text);
        let diag = Diagnostic::error("x", Span::new(file, 0, 30), format!("m{evil}\nn"))
            .label(evil)
            .also(Span::new(file, text.len() - 1, text.len()), format!("{evil}\nz"))
            .help(format!("{evil}\n{evil}"));
        for format in [Format::Human, Format::Short] {
            let drawn = render_all(std::slice::from_ref(&diag), &sources, Style { color: false, format });
            let bad: Vec<char> = drawn.chars().filter(|sign| *sign != '\n' && visible::is_hidden(*sign)).collect();
            assert!(bad.is_empty(), "{bad:?} in\n{drawn}");
        }
        let drawn = render(&diag, &sources, Style { color: true, format: Format::Human });
        assert!(drawn.contains("\u{1b}[1m") && !drawn.contains("\u{1b}[2J") && !drawn.contains('\u{202e}'));
    }

    #[test]
    fn long_lines_are_cut_to_the_label() {
        let text = format!("short\n{}needle{}\n", "ä".repeat(700_000), "z".repeat(3_000_000));
        let (sources, file) = sources("long.lus", &text);
        let at = text.find("needle").unwrap();
        let diag = Diagnostic::error("x", Span::new(file, at, at + 6), "long")
            .label("here")
            .also(Span::new(file, 0, 5), "and here")
            .also(Span::new(file, text.len() - 9, text.len() - 2), "far")
            .also(Span::new(file, 6, text.len()), "all");
        let begun = Instant::now();
        let drawn = render(&diag, &sources, PLAIN);
        let took = begun.elapsed();
        assert!(drawn.contains(" --> long.lus:2:700001\n") && drawn.contains("ääneedlezz"), "{drawn}");
        assert!(drawn.len() < 4000, "{drawn}");
        assert!(took.as_millis() < 200, "took {took:?}");
    }

    #[test]
    fn a_megabyte_on_one_line_is_quick() {
        let text = "x".repeat(1 << 20);
        let (sources, file) = sources("long.lus", &text);
        let diag = Diagnostic::error("x", Span::new(file, 0, text.len()), "all of it").label("here");
        let begun = Instant::now();
        let drawn = render(&diag, &sources, PLAIN);
        assert!(begun.elapsed().as_millis() < 50, "took {:?}", begun.elapsed());
        assert!(drawn.len() < 1000, "{drawn}");
    }

    #[test]
    fn many_findings_in_a_long_text_are_quick() {
        let text = "some words here\n".repeat(60_000);
        let (sources, file) = sources("long.lus", &text);
        let found: Vec<Diagnostic> = (0..1000)
            .map(|at| Diagnostic::error("x", Span::new(file, at * 900, at * 900 + 4), "m"))
            .map(|diag| diag.also(Span::new(file, 0, 4), "s"))
            .collect();
        let begun = Instant::now();
        let drawn = render_all(&found, &sources, PLAIN);
        assert!(begun.elapsed().as_millis() < 2000, "took {:?}", begun.elapsed());
        assert!(drawn.ends_with("1000 errors\n"));
    }
}
