//! Lays a text out calmly: indents by brackets, trims ends of lines, keeps everything else as its author set it.
//!
//! Line breaks, runs of blanks inside a line, comments and the inside of texts stay. A line that goes on with the one before keeps its
//! distance from the line with which its item or statement began.

use super::limits::NESTING;
use super::scan::{Scan, Token, TokenKind, ends_value, scan};
use super::words;
use crate::source::FileId;

/// Blanks a level.
const STEP: usize = 2;
/// The farthest a line that goes on may stand behind the line it goes on with.
const FARTHEST: usize = 60;

/// How far a line is indented, in the text and in the layout.
#[derive(Clone, Copy, Default)]
struct Indent {
    old: usize,
    new: usize,
}

impl Indent {
    /// The new indent of a line that keeps its distance from this one, but is at least `least` behind it.
    fn keep(self, old: usize, least: usize) -> usize {
        self.new + old.saturating_sub(self.old).clamp(least, FARTHEST)
    }
}

/// A bracket that is open.
struct Open {
    closer: &'static str,
    /// The line it stands in.
    line: Indent,
    /// Does something follow it in its line? Then what comes below is set as its author set it.
    hanging: bool,
    /// The line with which the last statement in it began.
    anchor: Indent,
}

struct Layout<'s> {
    scan: &'s Scan,
    text: &'s str,
    /// The outermost stands for the file.
    open: Vec<Open>,
    /// Does the file consist of items? A position file consists of lines.
    by_items: bool,
    /// The last token that is no comment.
    before: Option<Token>,
    out: String,
}

/// Lays out a file. Doing it twice is the same as doing it once. A text with signs that no file may contain, or with a quotation mark
/// that has no end, is given back as it is.
pub fn format(text: &str) -> String {
    let scan = scan(FileId::default(), text);
    let mut all: Vec<Token> = scan.tokens.iter().chain(&scan.comments).copied().collect();
    all.sort_by_key(|token| token.start);
    if !is_sound(text, &all) || deepest(text, &scan.tokens) > NESTING {
        return text.to_string();
    }
    let Some(first) = scan.tokens.first() else { return comments_only(text, &all) };
    let by_items = words::ITEMS.contains(&scan.word(first));
    let file = Open { closer: "", line: Indent::default(), hanging: false, anchor: Indent::default() };
    let mut layout = Layout { scan: &scan, text, open: vec![file], by_items, before: None, out: String::new() };
    let mut first = 0;
    let mut past_end = 0;
    while first < all.len() {
        let past = all[first + 1..].iter().position(|token| token.leads).map_or(all.len(), |more| first + 1 + more);
        let line = &all[first..past];
        let between = &text[past_end..line[0].start];
        if !layout.out.is_empty() && between.matches('\n').count() > 1 {
            layout.out.push('\n');
        }
        layout.line(line, indent_of(between));
        past_end = line[line.len() - 1].end;
        first = past;
    }
    layout.out
}

/// How deep brackets stand inside one another: indenting by it must not make a small file huge.
fn deepest(text: &str, tokens: &[Token]) -> usize {
    let (mut depth, mut most) = (0usize, 0usize);
    for token in tokens {
        match &text[token.start..token.end] {
            "{" | "(" => depth += 1,
            "}" | ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Is everything between the tokens blank, and does every text end?
fn is_sound(text: &str, all: &[Token]) -> bool {
    let mut end = 0;
    for token in all {
        if !is_blank(&text[end..token.start]) || token.told && token.kind == TokenKind::Text {
            return false;
        }
        end = token.end;
    }
    is_blank(&text[end..])
}

fn is_blank(between: &str) -> bool {
    between.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// A file in which nothing stands but notes.
fn comments_only(text: &str, all: &[Token]) -> String {
    let mut out = String::new();
    let mut end = 0;
    for token in all {
        if !out.is_empty() && text[end..token.start].matches('\n').count() > 1 {
            out.push('\n');
        }
        out.push_str(&text[token.start..token.end]);
        out.push('\n');
        end = token.end;
    }
    out
}

/// The width of what stands between the last line end and the next token.
fn indent_of(between: &str) -> usize {
    let last = between.rsplit('\n').next().unwrap_or(between);
    last.bytes().map(|byte| if byte == b'\t' { 4 } else { usize::from(byte == b' ') }).sum()
}

impl Layout<'_> {
    fn word(&self, token: &Token) -> &str {
        self.scan.word(token)
    }

    fn line(&mut self, line: &[Token], old: usize) {
        let new = self.indent(line, old);
        let indent = Indent { old, new };
        self.out.extend(std::iter::repeat_n(' ', new));
        let last = line[line.len() - 1];
        self.out.push_str(&self.text[line[0].start..last.end]);
        self.out.push('\n');
        for (index, token) in line.iter().enumerate() {
            if matches!(token.kind, TokenKind::Comment | TokenKind::Doc) {
                continue;
            }
            let more = line[index + 1..].iter().any(|token| token.kind != TokenKind::Comment);
            self.step(token, indent, more);
            self.before = Some(*token);
        }
    }

    /// Opens and closes brackets.
    fn step(&mut self, token: &Token, line: Indent, hanging: bool) {
        if token.kind != TokenKind::Sign {
            return;
        }
        let closer = match self.word(token) {
            "{" => "}",
            "(" => ")",
            sign => {
                if self.open.len() > 1 && self.open.last().is_some_and(|open| open.closer == sign) {
                    self.open.pop();
                }
                return;
            }
        };
        self.open.push(Open { closer, line, hanging, anchor: line });
    }

    /// How far a line is indented; remembers the line if a statement or item begins with it.
    fn indent(&mut self, line: &[Token], old: usize) -> usize {
        let closing = line.iter().take_while(|token| matches!(self.word(token), "}" | ")")).count();
        if closing > 0 {
            let outermost = self.open.len().saturating_sub(closing).max(1);
            return self.open.get(outermost).map_or(0, |open| open.line.new);
        }
        let in_file = self.open.len() == 1;
        let going_on = self.goes_on(line, in_file);
        let Some(open) = self.open.last_mut() else { return 0 };
        if open.hanging {
            return open.line.keep(old, STEP);
        }
        if let Some(least) = going_on {
            return open.anchor.keep(old, least);
        }
        let new = if in_file { 0 } else { open.line.new + STEP };
        if !matches!(line[0].kind, TokenKind::Comment | TokenKind::Doc) {
            open.anchor = Indent { old, new };
        }
        new
    }

    /// Does this line go on with the one before? Then, how far it must at least stand behind the first line.
    fn goes_on(&self, line: &[Token], in_file: bool) -> Option<usize> {
        let before = self.before.as_ref()?;
        let behind = self.word(before);
        let (first, next) = (self.word(&line[0]), line.get(1).map_or("", |token| self.word(token)));
        let ended = ends_value(behind, before.kind) || words::WANTING.contains(&behind);
        if matches!(line[0].kind, TokenKind::Comment | TokenKind::Doc) {
            let unfinished = !ended && !matches!(behind, "{" | "(");
            return unfinished.then_some(if in_file { STEP } else { 0 });
        }
        if in_file && self.by_items {
            let name_too = matches!(first, "board" | "players");
            let begins = words::ITEMS.contains(&first) && (ended || !name_too);
            return (!begins).then_some(STEP);
        }
        if matches!(behind, "{" | "(") {
            return None;
        }
        if behind == "," {
            return Some(0);
        }
        if matches!(first, "or" | "otherwise" | "else" | "when") && next != ":" {
            return Some(0);
        }
        let operator = match line[0].kind {
            TokenKind::Sign => !matches!(first, "{" | "("),
            TokenKind::Word => {
                next != ":"
                    && matches!(
                        first,
                        "and" | "is" | "not" | "in" | "within" | "at" | "on" | "then" | "to" | "of" | "where"
                    )
            }
            TokenKind::Int | TokenKind::Text | TokenKind::Comment | TokenKind::Doc => false,
        };
        (operator || !ended).then_some(STEP)
    }
}
