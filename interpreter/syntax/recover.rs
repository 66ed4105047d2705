//! Hands chunks to the grammar, and goes on behind what it cannot read.
//!
//! Where the grammar stops, the statement, line or value around that place is told of and overwritten with a mark that the grammar
//! knows; then the chunk is tried again. So all slips of a chunk are told, and everything else in it is read.

use std::collections::BTreeSet;

use pest::Parser;
use pest::error::{Error, InputLocation};

use super::cut::Chunk;
use super::expected::{Slip, slip};
use super::frames::Frames;
use super::grammar::{Grammar, Rule};
use super::limits;
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
    told: BTreeSet<usize>,
    /// Bytes that may still be read again.
    reread: usize,
}

/// Tokens to be overwritten.
#[derive(Clone, Copy, Debug)]
struct Patch {
    first: usize,
    past: usize,
    /// Put a mark there? If not, the chunk ends before it.
    mark: bool,
}

/// A chunk that is being read.
struct Attempt<'s> {
    chunk: &'s Chunk,
    frames: Frames<'s>,
    text: Vec<u8>,
    offset: usize,
    /// The stretches of tokens that were overwritten.
    done: Vec<(usize, usize)>,
    /// Brackets without an end that were overwritten.
    gone: BTreeSet<usize>,
}

impl<'s> Matcher<'s> {
    /// For the chunks of one file.
    pub fn new(file: FileId, scan: &'s Scan) -> Self {
        let told = scan.tokens.iter().enumerate().filter(|(_, token)| token.told).map(|(index, _)| index).collect();
        Matcher { file, scan, found: Vec::new(), told, reread: limits::REREAD_BYTES }
    }

    /// Reads a chunk by a rule.
    pub fn matched<T>(&mut self, rule: Rule, chunk: &'s Chunk, read: impl FnOnce(Node<'_>) -> T) -> Option<T> {
        if !chunk.readable {
            return None;
        }
        let offset = self.scan.tokens[chunk.first].start;
        let end = self.scan.tokens[chunk.past - 1].end;
        let place = Place { file: self.file, offset, tokens: &self.scan.tokens[..chunk.past] };
        let whole = format!("{}{}", &self.scan.text[offset..end], chunk.closers);
        let error = match Grammar::parse(rule, &whole) {
            Ok(mut pairs) => return pairs.next().map(|pair| read(Node::new(place, pair))),
            Err(error) => error,
        };
        let frames = Frames::new(self.scan, chunk, rule == Rule::lines_alone);
        let mut attempt =
            Attempt { chunk, frames, text: whole.into_bytes(), offset, done: Vec::new(), gone: BTreeSet::new() };
        let mut goes_on = self.mend(rule, &mut attempt, &error);
        // Every round overwrites more of the chunk; the bounds are for the worst of files.
        for _ in 0..4 * limits::ERRORS {
            if !goes_on || self.reread < attempt.text.len() {
                return None;
            }
            self.reread -= attempt.text.len();
            let text = String::from_utf8_lossy(&attempt.text).into_owned();
            match Grammar::parse(rule, &text) {
                Ok(mut pairs) => return pairs.next().map(|pair| read(Node::new(place, pair))),
                Err(error) => goes_on = self.found.len() <= limits::ERRORS && self.mend(rule, &mut attempt, &error),
            }
        }
        None
    }

    /// Tells of an error and overwrites what it spoils; says whether there is more to read.
    fn mend(&mut self, rule: Rule, attempt: &mut Attempt<'s>, error: &Error<Rule>) -> bool {
        let at = attempt.offset + position(error);
        let token = self.scan.token_at(at).clamp(attempt.chunk.first, attempt.chunk.past);
        let patches = attempt.patches(self.scan, rule, token);
        let unit = attempt.unit(token);
        let begins = unit.map_or(attempt.chunk.first, |(first, _)| first).min(token);
        let last = token.min(attempt.chunk.past - 1);
        let tokens = &self.scan.tokens;
        let mended = tokens[last.saturating_sub(1).max(begins.min(last))..=last].iter().any(|token| token.mended);
        if !mended && self.told.range(begins..=last).next().is_none() {
            let (scan, file, chunk) = (self.scan, self.file, attempt.chunk);
            self.found.push(slip(&Slip { scan, file, chunk, rule, token, begins, in_unit: unit.is_some() }, error));
        }
        self.told.insert(last);
        patches.into_iter().any(|patch| attempt.apply(self.scan, patch))
    }

    /// `game` or `library` in the middle of the file
    pub fn second_head(&mut self, token: usize, word: &str) {
        let token = &self.scan.tokens[token];
        let message = format!("\"{word}\" stands once, as the first line of the file.");
        self.found.push(Diagnostic::error("syntax", Span::new(self.file, token.start, token.end), message));
    }

    /// A file that does not say what it is
    pub fn no_head(&mut self, first: Option<&Chunk>) {
        let start = first.map_or(0, |chunk| self.scan.tokens[chunk.first].start);
        let end = first.map_or(0, |chunk| self.scan.tokens[chunk.first].end);
        let message = "A file begins with \"game\" and a name, or with \"library\" and a name.";
        self.found.push(Diagnostic::error("no-head", Span::new(self.file, start, end), message).help("game \"Name\""));
    }
}

impl Attempt<'_> {
    /// The statement or line in which the grammar stopped at `token`: its first token and one past its last.
    fn unit(&self, token: usize) -> Option<(usize, usize)> {
        self.units(token).next()
    }

    fn units(&self, token: usize) -> impl Iterator<Item = (usize, usize)> {
        self.frames
            .around(token)
            .filter(move |frame| frame.open.map_or(self.chunk.first, |open| open + 1) < frame.close)
            .map(move |frame| {
                let begins = self.frames.begins(frame);
                // At the beginning of a statement it is the one before that is incomplete.
                let at_begin = token == frame.close || begins.contains(&token);
                let first = begins.iter().rev().find(|begin| if at_begin { **begin < token } else { **begin <= token });
                let first = first.or(begins.first()).copied().unwrap_or(token);
                let past = begins.iter().find(|begin| **begin > first && **begin >= token);
                (first, past.copied().unwrap_or(frame.close))
            })
    }

    /// What may be overwritten, the least first.
    fn patches(&self, scan: &Scan, rule: Rule, token: usize) -> Vec<Patch> {
        let mut patches = Vec::new();
        for (first, past) in self.units(token) {
            let word = |token: usize| scan.tokens.get(token).map_or("", |token| scan.word(token));
            let name = first + usize::from(word(first) == "let");
            let depth = self.frames.depth(first);
            let block = self.frames.block_in(depth, first, past);
            let header = block.unwrap_or(past);
            let given = word(name + 1) == "=" && name + 2 <= header;
            if given && token > name + 1 {
                patches.push(Patch { first: name + 2, past: header, mark: true });
            }
            patches.push(Patch { first, past: header, mark: true });
            patches.push(Patch { first, past, mark: true });
        }
        if matches!(rule, Rule::item_alone | Rule::head_alone) {
            let chunk = self.chunk;
            let given = (chunk.first..token.min(chunk.past))
                .find(|token| self.frames.depth(*token) == 0 && scan.word(&scan.tokens[*token]) == "=")
                .filter(|given| given + 1 < chunk.past);
            let leftover = token < chunk.past && self.frames.depth(token) == 0 && self.frames.is_fresh(token);
            let shortened = Patch { first: token, past: chunk.past, mark: false };
            if leftover {
                patches.push(shortened);
            }
            if let Some(given) = given {
                patches.push(Patch { first: given + 1, past: chunk.past, mark: true });
            }
        }
        patches
    }

    /// Puts a mark into the blank before a token, where a value is missing.
    fn fill_gap(&mut self, scan: &Scan, token: usize) -> bool {
        let gap = scan.tokens[token - 1].end - self.offset;
        let blank = self.text.get(gap).is_some_and(u8::is_ascii_whitespace);
        if blank {
            self.text[gap] = 1;
        }
        blank
    }

    /// Overwrites; says whether that changed anything.
    fn apply(&mut self, scan: &Scan, patch: Patch) -> bool {
        if patch.first == patch.past {
            return self.fill_gap(scan, patch.first);
        }
        let inside = |done: &(usize, usize)| done.0 <= patch.first && patch.past <= done.1;
        if patch.first > patch.past || self.done.iter().any(inside) {
            return false;
        }
        self.done.push((patch.first, patch.past));
        let start = scan.tokens[patch.first].start - self.offset;
        let end = scan.tokens[patch.past - 1].end - self.offset;
        self.text[start..end].fill(b' ');
        if patch.mark {
            self.text[start] = 1;
        }
        // What was to close the brackets that are gone goes with them.
        let tail = scan.tokens[self.chunk.past - 1].end - self.offset;
        for frame in &self.frames.list {
            let Some(open) = frame.open.filter(|open| (patch.first..patch.past).contains(open)) else { continue };
            if frame.close == self.chunk.past && tail < self.text.len() && self.gone.insert(open) {
                self.text.remove(tail);
            }
        }
        true
    }
}

fn position(error: &Error<Rule>) -> usize {
    match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    }
}
