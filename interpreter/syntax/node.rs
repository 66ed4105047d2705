//! A pest pair that knows its file, and a cursor over its children.
//!
//! Readers state what the grammar promises (`one`, `opt`, `rest`, `end`). A promise that does not hold is a bug in this crate, never
//! in the author's file: the grammar has already accepted the text. Words of the language are stepped over unless asked for.

use std::sync::LazyLock;

use pest::iterators::{Pair, Pairs};

use super::grammar::Rule;
use super::scan::Token;
use crate::bug;
use crate::source::{FileId, Span};

/// Where a stretch of text handed to the grammar stands in its file.
#[derive(Clone, Copy)]
pub struct Place<'s> {
    /// The file.
    pub file: FileId,
    /// The first byte of the stretch.
    pub offset: usize,
    /// The tokens of the file.
    pub tokens: &'s [Token],
}

impl Place<'_> {
    /// From the first token at or after `start` to the last one that begins before `end`; both count from the stretch's first byte.
    // The grammar's own stretches may end in blanks and notes.
    fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = (start + self.offset, end + self.offset);
        let past = self.tokens.partition_point(|token| token.start < end);
        let last = past.checked_sub(1).map_or(start, |last| self.tokens[last].end.min(end));
        Span::new(self.file, start.min(last), last)
    }
}

/// One piece of matched text.
#[derive(Clone)]
pub struct Node<'s> {
    place: Place<'s>,
    pair: Pair<'s, Rule>,
}

/// The children of a [`Node`], read from left to right.
pub struct Children<'s> {
    place: Place<'s>,
    parent: Rule,
    pairs: Pairs<'s, Rule>,
}

static WORDS: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let mut words = vec![false; Rule::all_rules().iter().map(|rule| *rule as usize + 1).max().unwrap_or(0)];
    for rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        words[*rule as usize] = name.starts_with("kw_") || name.starts_with("sign_");
    }
    words
});

/// Is this the rule of a word of the language, or of a sign?
pub fn is_word(rule: Rule) -> bool {
    WORDS.get(rule as usize).copied().unwrap_or(false)
}

impl<'s> Node<'s> {
    /// A pair and where it stands.
    pub fn new(place: Place<'s>, pair: Pair<'s, Rule>) -> Self {
        Node { place, pair }
    }

    /// Its rule.
    pub fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    /// Its text; may end in blanks, unless the rule is a word's.
    pub fn text(&self) -> &'s str {
        self.pair.as_str()
    }

    /// Its place, without blanks and notes at the end.
    pub fn span(&self) -> Span {
        let span = self.pair.as_span();
        self.place.span(span.start(), span.end())
    }

    /// The cursor over its children.
    pub fn children(self) -> Children<'s> {
        Children { place: self.place, parent: self.pair.as_rule(), pairs: self.pair.into_inner() }
    }

    /// Its only child that is not a word of the language.
    pub fn only(self) -> Node<'s> {
        let mut parts = self.children();
        let child = parts.any();
        parts.end();
        child
    }
}

impl<'s> Children<'s> {
    /// The next child, which is always a `rule`.
    pub fn one(&mut self, rule: Rule) -> Node<'s> {
        let parent = self.parent;
        self.opt(rule).unwrap_or_else(|| bug!("`{parent:?}` promises a `{rule:?}` here"))
    }

    /// The next child, if it is a `rule`.
    pub fn opt(&mut self, rule: Rule) -> Option<Node<'s>> {
        let mut ahead = self.pairs.clone();
        loop {
            let pair = ahead.next()?;
            if pair.as_rule() == rule {
                self.pairs = ahead;
                return Some(Node { place: self.place, pair });
            }
            if !is_word(pair.as_rule()) {
                return None;
            }
        }
    }

    /// Is this word the next child?
    pub fn has(&mut self, word: Rule) -> bool {
        self.opt(word).is_some()
    }

    /// All that follow, for as long as they are a `rule`.
    pub fn rest(&mut self, rule: Rule) -> impl Iterator<Item = Node<'s>> + '_ {
        std::iter::from_fn(move || self.opt(rule))
    }

    /// The next child that is not a word of the language, if there is one.
    pub fn opt_any(&mut self) -> Option<Node<'s>> {
        let place = self.place;
        self.pairs.find(|pair| !is_word(pair.as_rule())).map(|pair| Node { place, pair })
    }

    /// The next child that is not a word of the language.
    pub fn any(&mut self) -> Node<'s> {
        let parent = self.parent;
        self.opt_any().unwrap_or_else(|| bug!("`{parent:?}` promises something here"))
    }

    /// The next child, words of the language included.
    pub fn raw(&mut self) -> Option<Node<'s>> {
        let place = self.place;
        self.pairs.next().map(|pair| Node { place, pair })
    }

    /// How many of the children are a `rule`.
    pub fn count_of(self, rule: Rule) -> usize {
        self.pairs.filter(|pair| pair.as_rule() == rule).count()
    }

    /// Nothing follows. Notices a grammar that grew without its reader.
    pub fn end(mut self) {
        if let Some(node) = self.opt_any().filter(|node| node.rule() != Rule::EOI) {
            bug!("`{:?}` has an unread `{:?}`", self.parent, node.rule());
        }
    }
}
