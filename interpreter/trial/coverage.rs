//! Which rules of a game have had their say, line by line.
//!
//! Counted is what can happen under the options that were tried: every statement, every `require` that may refuse, every end, every
//! definition, every part of an `if`, `match` or `otherwise` in an expression. What options rule out is not there and does not count. The
//! library's rules are not counted either.

use std::collections::{BTreeMap, BTreeSet};

use crate::reference::watch::{Deed, Point};
use crate::rules::inside::{asked, blocks, parts};
use crate::rules::stmt::{Block, StmtKind};
use crate::rules::{EndResult, Expr, ExprKind, Rules};
use crate::source::Sources;

/// What a file's rules have done.
#[derive(Clone, Debug, Default)]
struct FileCover {
    text: String,
    /// Start, end and deed of each rule; has it been done?
    points: BTreeMap<(u32, u32, Deed), bool>,
}

/// What the rules of some files have done.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    files: BTreeMap<String, FileCover>,
}

/// A line with rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file.
    pub file: String,
    /// Its number, from 1.
    pub number: usize,
    /// Its text.
    pub text: String,
    /// Rules that begin in it.
    pub rules: usize,
    /// What none of them has done, in words.
    pub missing: Vec<String>,
}

impl Coverage {
    /// Nothing yet, of these files.
    pub fn of(names: impl Iterator<Item = String>) -> Coverage {
        Coverage { files: names.map(|name| (plain(&name), FileCover::default())).collect() }
    }

    /// Adds what was seen in games under these rules.
    pub fn add(&mut self, sources: &Sources, rules: &Rules, seen: &BTreeSet<Point>) {
        for point in points(rules) {
            let (span, deed) = point;
            let Some(source) = sources.opt_get(span.file) else { continue };
            let Some(file) = self.files.get_mut(&plain(&source.name)) else { continue };
            if file.text.is_empty() {
                file.text.clone_from(&source.text);
            }
            *file.points.entry((span.start, span.end, deed)).or_default() |= seen.contains(&point);
        }
    }

    /// The lines with rules, in order.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for (name, file) in &self.files {
            let mut at: BTreeMap<usize, Line> = BTreeMap::new();
            for ((start, end, deed), done) in &file.points {
                let before = file.text.get(..*start as usize).unwrap_or_default();
                let number = before.matches('\n').count() + 1;
                let line = at.entry(number).or_insert_with(|| Line {
                    file: name.clone(),
                    number,
                    text: file.text.lines().nth(number - 1).unwrap_or_default().trim().to_string(),
                    rules: 0,
                    missing: Vec::new(),
                });
                line.rules += 1;
                if !done {
                    let words = file.text.get(*start as usize..*end as usize).unwrap_or_default();
                    line.missing.push(said(*deed, words));
                }
            }
            lines.extend(at.into_values());
        }
        lines
    }

    /// Lines all of whose rules have had their say, and all lines with rules.
    pub fn share(&self) -> (usize, usize) {
        let lines = self.lines();
        (lines.iter().filter(|line| line.missing.is_empty()).count(), lines.len())
    }
}

/// A file's name however it was reached.
fn plain(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_string()
}

/// What has not happened.
fn said(deed: Deed, words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = words.join(" ");
    let few = match words.char_indices().nth(50) {
        Some((cut, _)) => format!("{} …", words[..cut].trim_end()),
        None => words,
    };
    match deed {
        Deed::Fired => format!("never ran: {few}"),
        Deed::Refused => format!("never refused: {few}"),
        Deed::Used => format!("never asked for: {few}"),
        Deed::Ended => format!("never ended a game: {few}"),
    }
}

/// Everything that rules can do.
pub fn points(rules: &Rules) -> BTreeSet<Point> {
    let mut all = Points { rules, found: BTreeSet::new(), called: BTreeSet::new() };
    for block in [&rules.setup, &rules.turn, &rules.after] {
        all.block(block);
    }
    for ending in &rules.ends {
        all.found.insert((ending.span, Deed::Ended));
        all.expr(&ending.when);
        match &ending.result {
            EndResult::Draw | EndResult::Unfinished => {}
            EndResult::Rank(keys) => keys.iter().for_each(|key| all.expr(key)),
            EndResult::Wins(seats, by) => {
                all.expr(seats);
                by.iter().for_each(|by| all.expr(by));
            }
            EndResult::Loses(seats) => all.expr(seats),
        }
    }
    all.found
}

struct Points<'r> {
    rules: &'r Rules,
    found: BTreeSet<Point>,
    called: BTreeSet<u32>,
}

impl Points<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in block {
            // What never holds can only refuse; what always does has been left out.
            let constant = matches!(&stmt.kind, StmtKind::Require(test, _) if test.as_const().is_some());
            if !constant {
                self.found.insert((stmt.span, Deed::Fired));
            }
            if matches!(stmt.kind, StmtKind::Require(..) | StmtKind::Roll { filter: Some(_), .. }) {
                self.found.insert((stmt.span, Deed::Refused));
            }
            asked(stmt).into_iter().for_each(|expr| self.expr(expr));
            blocks(stmt).into_iter().for_each(|block| self.block(block));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let mut use_of = |expr: &Expr| self.found.insert((expr.span, Deed::Used));
        match &expr.kind {
            ExprKind::If(_, yes, no) => {
                use_of(yes);
                use_of(no);
            }
            ExprKind::Match(_, arms, other) => {
                arms.iter().for_each(|(_, body)| {
                    use_of(body);
                });
                // With all cases there the last is nobody's.
                if !arms.iter().any(|(_, body)| body.span == other.span) {
                    use_of(other);
                }
            }
            ExprKind::Otherwise(list) => list.iter().for_each(|part| {
                use_of(part);
            }),
            ExprKind::Call(id, _) => {
                let rules = self.rules;
                if let Some(def) = rules.defs.get(*id as usize) {
                    use_of(&def.body);
                    if self.called.insert(*id) {
                        self.expr(&def.body);
                    }
                }
            }
            _ => {}
        }
        parts(expr).into_iter().for_each(|part| self.expr(part));
    }
}
