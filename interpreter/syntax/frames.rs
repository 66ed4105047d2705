//! Which brackets of an item hold statements, end lines or example lines, and where those begin: what recovery needs to know.

use super::cut::Chunk;
use super::scan::{Scan, Token, TokenKind, ends_value};
use super::words;

/// What a pair of brackets holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Statements.
    Statements,
    /// Lines of `end`.
    Endings,
    /// Lines of `example`, or of a position file.
    Lines,
    /// Arms of a `match` whose arms are blocks.
    Arms,
    /// Values.
    Values,
}

/// A pair of brackets.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// What it holds.
    pub holds: Holds,
    /// The token of the opening bracket; for a position file, none.
    pub open: Option<usize>,
    /// The token of the closing bracket, or one past the last token.
    pub close: usize,
    /// How many brackets are around it.
    pub depth: usize,
}

/// The brackets of a chunk.
pub struct Frames<'s> {
    scan: &'s Scan,
    chunk: &'s Chunk,
    /// All pairs, in the order of their opening brackets.
    pub list: Vec<Frame>,
    /// For every token of the chunk, how many brackets are open before it.
    depths: Vec<usize>,
}

struct Walk {
    /// Index into the list of frames.
    frame: Option<usize>,
    closer: &'static str,
    /// `match` words of expressions whose bracket is still to come.
    matches: usize,
    /// Does the statement that is being read begin with `match`?
    match_statement: bool,
}

impl<'s> Frames<'s> {
    /// Walks through a chunk; `lines` says that it is a position file.
    pub fn new(scan: &'s Scan, chunk: &'s Chunk, lines: bool) -> Self {
        let mut frames = Frames { scan, chunk, list: Vec::new(), depths: Vec::new() };
        if lines {
            frames.list.push(Frame { holds: Holds::Lines, open: None, close: chunk.past, depth: 0 });
        }
        let mut open = vec![Walk { frame: lines.then_some(0), closer: "", matches: 0, match_statement: false }];
        for token in chunk.first..chunk.past {
            let acts = scan.tokens[token].leads && words::ACTING.contains(&frames.word(token));
            while acts && let Some(walk) = open.pop_if(|walk| walk.closer == ")") {
                frames.shut(&walk, token);
            }
            frames.depths.push(open.len() - 1);
            frames.step(&mut open, token);
        }
        frames
    }

    fn step(&mut self, open: &mut Vec<Walk>, token: usize) {
        let word = self.word(token);
        let Some(top) = open.last_mut() else { return };
        if word == "match" {
            let holds = top.frame.map(|frame| self.list[frame].holds);
            if holds == Some(Holds::Statements) && self.is_fresh(token) {
                top.match_statement = true;
            } else {
                top.matches += 1;
            }
        } else if words::ACTING.contains(&word) {
            (top.match_statement, top.matches) = (false, 0);
        }
        match word {
            "{" | "(" => {
                let holds = if word == "(" { Holds::Values } else { self.holds(open, token) };
                self.list.push(Frame { holds, open: Some(token), close: self.chunk.past, depth: open.len() });
                let closer = if word == "(" { ")" } else { "}" };
                open.push(Walk { frame: Some(self.list.len() - 1), closer, matches: 0, match_statement: false });
            }
            "}" | ")" => {
                let Some(matching) = open.iter().rposition(|walk| walk.closer == word) else { return };
                for walk in open.drain(matching..) {
                    self.shut(&walk, token);
                }
            }
            _ => {}
        }
    }

    fn shut(&mut self, walk: &Walk, token: usize) {
        if let Some(frame) = walk.frame {
            self.list[frame].close = token;
        }
    }

    /// What the bracket at `token` holds.
    fn holds(&self, open: &mut [Walk], token: usize) -> Holds {
        let first = self.word(self.chunk.first);
        let before = token.checked_sub(1).map_or("", |before| self.word(before));
        let Some(top) = open.last_mut() else { return Holds::Values };
        let around = top.frame.map(|frame| self.list[frame].holds);
        let Some(around) = around else {
            if top.matches > 0 && self.is_fresh(token) {
                top.matches -= 1;
                return Holds::Values;
            }
            return match first {
                "turn" | "setup" | "after" | "action" => Holds::Statements,
                "end" => Holds::Endings,
                "example" => Holds::Lines,
                _ => Holds::Values,
            };
        };
        match around {
            Holds::Statements if self.is_fresh(token) => {
                if top.matches > 0 {
                    top.matches -= 1;
                    return Holds::Values;
                }
                if std::mem::take(&mut top.match_statement) { Holds::Arms } else { Holds::Statements }
            }
            Holds::Statements if matches!(before, "either" | "may") => Holds::Statements,
            // `or {`, `else {`, `otherwise {` go on with a statement if a block stands before them.
            Holds::Statements if matches!(before, "or" | "else" | "otherwise") => {
                let block = token.checked_sub(2).filter(|close| self.word(*close) == "}").is_some_and(|close| {
                    self.list
                        .iter()
                        .rev()
                        .find(|frame| frame.close == close)
                        .is_some_and(|frame| matches!(frame.holds, Holds::Statements | Holds::Arms))
                });
                if block { Holds::Statements } else { Holds::Values }
            }
            Holds::Arms if before == ":" => Holds::Statements,
            _ => Holds::Values,
        }
    }

    fn token(&self, token: usize) -> &Token {
        &self.scan.tokens[token]
    }

    fn word(&self, token: usize) -> &'s str {
        self.scan.tokens.get(token).map_or("", |token| self.scan.word(token))
    }

    /// Does a value end before this token, or a bracket open?
    pub fn is_fresh(&self, token: usize) -> bool {
        token.checked_sub(1).is_none_or(|before| {
            let word = self.word(before);
            word == "{" || ends_value(word, self.token(before).kind)
        })
    }

    /// How many brackets are open before this token.
    pub fn depth(&self, token: usize) -> usize {
        self.depths.get(token - self.chunk.first).copied().unwrap_or(0)
    }

    /// The brackets around a token that hold lines or statements, the innermost first.
    pub fn around(&self, token: usize) -> impl Iterator<Item = &Frame> {
        let inside = move |frame: &&Frame| frame.open.is_none_or(|open| open < token) && token <= frame.close;
        self.list.iter().rev().filter(inside).filter(|frame| !matches!(frame.holds, Holds::Values | Holds::Arms))
    }

    /// The tokens directly in a frame with which a line or statement begins.
    pub fn begins(&self, frame: &Frame) -> Vec<usize> {
        let first = frame.open.map_or(self.chunk.first, |open| open + 1);
        (first..frame.close)
            .filter(|token| self.depth(*token) == frame.depth && self.begins_unit(frame, *token, first))
            .collect()
    }

    fn begins_unit(&self, frame: &Frame, token: usize, first: usize) -> bool {
        if token == first {
            return true;
        }
        let (word, kind) = (self.word(token), self.token(token).kind);
        let (next, before) = (self.word(token + 1), self.word(token - 1));
        let fresh = self.is_fresh(token);
        let reserved = words::is_reserved(word);
        let name =
            kind == TokenKind::Word && !reserved && !words::WANTING.contains(&word) && !matches!(word, "times" | "up");
        let leads = self.token(token).leads || before == "}";
        match frame.holds {
            Holds::Statements => {
                let given = matches!(next, "=" | "+=" | "-=" | "|=" | "&=" | "at" | "times" | "'s");
                words::ACTING.contains(&word)
                    || word == "while" && next != "possible" && fresh
                    || word == "up" && next == "to" && self.token(token).leads
                    || fresh && words::STATEMENTS.contains(&word) && word != "while"
                    || fresh && name && (leads || given)
                    || fresh && kind == TokenKind::Int && self.token(token).leads
            }
            Holds::Endings => fresh && (next == ":" && !reserved || leads && (name || word == "base")),
            Holds::Lines => {
                let line = words::EXAMPLE_LINES.contains(&word);
                fresh && (leads && (name || line) || line && !matches!(word, "only" | "legal" | "rematch"))
            }
            Holds::Arms | Holds::Values => false,
        }
    }

    /// The first bracket at or after `from`, before `to`, that holds statements and stands directly in a frame of this depth.
    pub fn block_in(&self, depth: usize, from: usize, to: usize) -> Option<usize> {
        let here = |frame: &&Frame| frame.holds == Holds::Statements && frame.depth == depth + 1;
        self.list.iter().filter(here).filter_map(|frame| frame.open).find(|open| (from..to).contains(open))
    }
}
