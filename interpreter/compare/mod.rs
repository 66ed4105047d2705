//! Compares two games: what is declared otherwise, where other moves are legal, and what that means for who plays.
//!
//! In go two games as read, with their options; out comes what differs, as data. `said.rs` knows when two parts of a file say the same,
//! `declared.rs` and `options.rs` list what does not; `course.rs` plays both games in step until they part; `figures.rs` puts the random
//! games of both side by side, `tails.rs` says how likely such a difference is by chance. Nothing is printed here.

pub mod course;
pub mod declared;
pub mod figures;
pub mod options;
mod said;
mod tails;

use serde::Serialize;

use crate::source::{Sources, Span};

/// A place in a text, and the words there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The text.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What stands there, on one line.
    pub words: String,
}

impl Place {
    /// Of a stretch of a text.
    pub fn of(sources: &Sources, span: Span) -> Place {
        match sources.opt_get(span.file) {
            Some(source) => Place {
                file: source.name.clone(),
                line: sources.line_column(span).0,
                words: one_line(sources.words(span)),
            },
            None => Place::default(),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Words on one line.
fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
