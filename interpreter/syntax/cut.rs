//! Cuts the tokens of a file at the words that begin items, so that each item is read by itself; finds brackets that do not match.

use super::scan::{Scan, TokenKind, add, ends_value};
use super::{limits, words};
use crate::diagnostics::Diagnostic;
use crate::source::{FileId, Span};

/// The tokens of one item (or of the head).
#[derive(Clone, Debug)]
pub struct Chunk {
    /// First token.
    pub first: usize,
    /// One past the last token.
    pub past: usize,
    /// Brackets that were left open, as they would have to be closed.
    pub closers: String,
    /// May it be handed to the grammar?
    pub readable: bool,
}

/// Shapes of boards, behind the word `board`.
const SHAPES: &[&str] = &["square", "grid", "hexagon", "rhombus", "triangle", "line", "drawing", "graph"];

struct Open {
    token: usize,
    closer: char,
    /// Words like `if` begun inside one another, so far in this part of the list.
    words: usize,
    /// Those of them in whose lists commas may stand.
    quantifiers: usize,
}

struct Cutter<'s> {
    scan: &'s mut Scan,
    file: FileId,
    chunks: Vec<Chunk>,
    open: Vec<Open>,
    first: usize,
    readable: bool,
    /// `not`, `the`, `-` in a row.
    prefixes: usize,
    told_deep: bool,
}

/// The chunks of a file; with `by_items` off the whole file is one chunk.
pub fn cut(file: FileId, scan: &mut Scan, by_items: bool) -> Vec<Chunk> {
    let mut cutter = Cutter {
        scan,
        file,
        chunks: Vec::new(),
        open: Vec::new(),
        first: 0,
        readable: true,
        prefixes: 0,
        told_deep: false,
    };
    cutter.bottom();
    for token in 0..cutter.scan.tokens.len() {
        if by_items && cutter.begins_item(token) {
            cutter.close(token);
        }
        cutter.step(token);
    }
    cutter.close(cutter.scan.tokens.len());
    cutter.count_items();
    cutter.chunks
}

impl Cutter<'_> {
    fn bottom(&mut self) {
        self.open.clear();
        self.open.push(Open { token: 0, closer: ' ', words: 0, quantifiers: 0 });
        self.prefixes = 0;
        self.readable = true;
    }

    fn word(&self, token: usize) -> &str {
        self.scan.tokens.get(token).map_or("", |token| self.scan.word(token))
    }

    fn kind(&self, token: usize) -> Option<TokenKind> {
        self.scan.tokens.get(token).map(|token| token.kind)
    }

    fn ends_value(&self, token: Option<usize>) -> bool {
        token.is_some_and(|token| self.kind(token).is_some_and(|kind| ends_value(self.word(token), kind)))
    }

    fn is_name(&self, token: usize) -> bool {
        self.kind(token) == Some(TokenKind::Word) && !words::is_reserved(self.word(token))
    }

    fn begins_item(&self, token: usize) -> bool {
        let word = self.word(token);
        if self.kind(token) != Some(TokenKind::Word) || words::ITEMS.binary_search(&word).is_err() {
            return false;
        }
        let before = token.checked_sub(1);
        let leads = self.scan.tokens[token].leads;
        let fresh = token == self.first || self.ends_value(before);
        if before.is_some_and(|before| word == "turn" && self.word(before) == "after") {
            return false;
        }
        let inside = self.open.len() > 1;
        match word {
            "board" if inside => leads && fresh && SHAPES.contains(&self.word(token + 1)),
            "players" if inside => false,
            "board" | "players" if self.is_name(token + 1) => fresh,
            // Said wrongly; but nothing else begins so.
            "board" | "players" => {
                leads && fresh && matches!(self.kind(token + 1), Some(TokenKind::Int | TokenKind::Text))
            }
            // Inside brackets such a word is a slip: a bracket is missing, or the word was meant as a name.
            _ if inside => {
                let goes_on = self.is_name(token + 1)
                    || matches!(self.word(token + 1), "{" | "turn")
                    || self.kind(token + 1) == Some(TokenKind::Text);
                leads && goes_on
            }
            _ => leads || fresh,
        }
    }

    /// Ends the chunk before `token`.
    fn close(&mut self, token: usize) {
        let mut closers = String::new();
        if let Some(last) = self.open.iter().skip(1).next_back() {
            self.tell_open(last.token);
            closers = self.open.iter().skip(1).rev().map(|open| open.closer).collect();
        }
        if self.first < token {
            let readable = self.readable && self.chunks.len() <= limits::ITEMS;
            self.chunks.push(Chunk { first: self.first, past: token, closers, readable });
        }
        self.first = token;
        self.bottom();
    }

    /// The head is none of them.
    fn count_items(&mut self) {
        let items = self.chunks.len().saturating_sub(1);
        if let Some(too_many) = self.chunks.get(limits::ITEMS + 1) {
            let (span, last) = (self.span(too_many.first), too_many.past - 1);
            let message = format!("This file has {items} items; a file may have {}.", limits::ITEMS);
            self.tell(last, Diagnostic::error("too-many-items", span, message));
        }
    }

    fn span(&self, token: usize) -> Span {
        let token = &self.scan.tokens[token];
        Span::new(self.file, token.start, token.end)
    }

    fn tell(&mut self, token: usize, diag: Diagnostic) {
        self.scan.tokens[token].told = true;
        add(&mut self.scan.found, diag);
    }

    fn tell_open(&mut self, token: usize) {
        let sign = self.word(token);
        let closer = closer(sign.chars().next().unwrap_or('{'));
        let message = format!("This \"{sign}\" is not closed: a \"{closer}\" is missing.");
        let diag = Diagnostic::error("unclosed", self.span(token), message);
        self.tell(token, diag);
    }

    fn step(&mut self, token: usize) {
        let (kind, word) = (self.scan.tokens[token].kind, self.word(token).to_string());
        let word = word.as_str();
        self.count_words(token, word);
        // A statement in round brackets: the bracket was to be closed in the line before.
        while self.scan.tokens[token].leads
            && words::ACTING.contains(&word)
            && let Some(last) = self.open.pop_if(|open| open.closer == ')')
        {
            self.tell_open(last.token);
        }
        if kind != TokenKind::Sign {
            return;
        }
        match word {
            "(" | "{" => {
                let closer = closer(if word == "(" { '(' } else { '{' });
                self.open.push(Open { token, closer, words: 0, quantifiers: 0 });
                let depth = self.open.len() - 1;
                if depth > limits::NESTING {
                    self.too_deep(token, format!("{depth} brackets are open here; {} are allowed.", limits::NESTING));
                }
            }
            ")" | "}" => self.shut(token, word),
            _ => {}
        }
    }

    fn shut(&mut self, token: usize, word: &str) {
        let Some(matching) = self.open.iter().skip(1).rposition(|open| word.starts_with(open.closer)) else {
            let message = format!("This \"{word}\" closes nothing.");
            let help = if word == "}" {
                "Delete it, or look for a \"{\" that is missing above."
            } else {
                "Delete it, or add \"(\"."
            };
            let span = self.span(token);
            self.tell(token, Diagnostic::error("unopened", span, message).help(help));
            self.scan.text.replace_range(span.start as usize..span.end as usize, " ");
            return;
        };
        let keep = matching + 1;
        if keep + 1 < self.open.len() {
            let inner = self.open[self.open.len() - 1].token;
            self.tell_open(inner);
        }
        self.open.truncate(keep);
    }

    /// How far the grammar goes down because of words, not brackets.
    fn count_words(&mut self, token: usize, word: &str) {
        if matches!(word, "not" | "the" | "-" | "\u{5}" | "some" | "no") {
            self.prefixes += 1;
            if self.prefixes > limits::OPEN_WORDS {
                self.too_deep(
                    token,
                    format!(
                        "{} words stand in a row before a value; {} are allowed.",
                        self.prefixes,
                        limits::OPEN_WORDS
                    ),
                );
            }
        } else {
            self.prefixes = 0;
        }
        let quantifier = matches!(word, "some" | "no");
        let opens = if quantifier { self.word(token + 2) == "in" } else { words::OPENING.contains(&word) };
        // `else if` is a list, however long.
        let opens = opens && !(word == "if" && token > 0 && self.word(token - 1) == "else");
        let fresh = !self.value_goes_on(token);
        let Some(frame) = self.open.last_mut() else {
            return;
        };
        if word == "," {
            frame.words = frame.quantifiers;
        }
        // At these the grammar is back at the level of the bracket.
        let back = matches!(word, "=" | "+=" | "-=" | "|=" | "&=" | ":" | "when");
        if back || fresh && (opens || words::STATEMENTS.contains(&word)) {
            (frame.words, frame.quantifiers) = (0, 0);
        }
        if !opens {
            return;
        }
        frame.words += 1;
        frame.quantifiers += usize::from(quantifier);
        let all: usize = self.open.iter().map(|frame| frame.words).sum();
        if all > limits::OPEN_WORDS {
            self.too_deep(
                token,
                format!("{all} parts like \"{word}\" are open here; {} are allowed.", limits::OPEN_WORDS),
            );
        }
    }

    /// Does the token before leave a value unfinished? If not, the part of an expression before it is over.
    fn value_goes_on(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1) else {
            return false;
        };
        let word = self.word(before);
        let spread_from = word == "from" && before >= 2 && self.word(before - 2) == "spread";
        spread_from
            || matches!(word, "into" | "going")
            || !words::WANTING.contains(&word) && !self.ends_value(Some(before))
    }

    fn too_deep(&mut self, token: usize, message: String) {
        self.readable = false;
        if !self.told_deep {
            self.told_deep = true;
            let diag = Diagnostic::error("too-deep", self.span(token), message);
            self.tell(token, diag.help("Give a part of it a name with \"define\" or \"action\"."));
        }
    }
}

fn closer(opener: char) -> char {
    if opener == '(' { ')' } else { '}' }
}
