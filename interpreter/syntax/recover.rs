//! Hands chunks to the grammar, and goes on behind what it cannot read.

use pest::Parser;
use pest::error::{Error, InputLocation};

use super::cut::Chunk;
use super::grammar::{Grammar, Rule};
use super::node::{Node, Place};
use super::scan::Scan;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// Matches chunks against the grammar and gathers what does not fit.
pub struct Matcher<'s> {
    file: FileId,
    scan: &'s Scan,
    /// What was found wrong.
    pub found: Diagnostics,
}

impl<'s> Matcher<'s> {
    /// For the chunks of one file.
    pub fn new(file: FileId, scan: &'s Scan) -> Self {
        Matcher {
            file,
            scan,
            found: Vec::new(),
        }
    }

    /// Reads a chunk by a rule.
    pub fn matched<T>(
        &mut self,
        rule: Rule,
        chunk: &Chunk,
        read: impl FnOnce(Node<'_>) -> T,
    ) -> Option<T> {
        if !chunk.readable {
            return None;
        }
        let offset = self.scan.tokens[chunk.first].start;
        let end = self.scan.tokens[chunk.past - 1].end;
        let mut text = self.scan.text[offset..end].to_string();
        text.push_str(&chunk.closers);
        let place = Place {
            file: self.file,
            offset,
            tokens: &self.scan.tokens[..chunk.past],
        };
        match Grammar::parse(rule, &text) {
            Ok(mut pairs) => pairs.next().map(|pair| read(Node::new(place, pair))),
            Err(error) => {
                let at = offset + position(&error);
                self.found.push(Diagnostic::error(
                    "syntax",
                    Span::new(self.file, at, at + 1),
                    format!("{error}"),
                ));
                None
            }
        }
    }

    /// `game` or `library` in the middle of the file
    pub fn second_head(&mut self, token: usize, word: &str) {
        let token = &self.scan.tokens[token];
        let message = format!("\"{word}\" stands once, as the first line of the file.");
        self.found.push(Diagnostic::error(
            "syntax",
            Span::new(self.file, token.start, token.end),
            message,
        ));
    }

    /// A file that does not say what it is
    pub fn no_head(&mut self, first: Option<&Chunk>) {
        let start = first.map_or(0, |chunk| self.scan.tokens[chunk.first].start);
        let end = first.map_or(0, |chunk| self.scan.tokens[chunk.first].end);
        let message = "A file begins with \"game\" and a name, or with \"library\" and a name.";
        self.found.push(
            Diagnostic::error("no-head", Span::new(self.file, start, end), message)
                .help("game \"Name\""),
        );
    }
}

fn position(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    }
}
