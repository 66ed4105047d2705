//! How much is too much, and what is told of it: depth, size, and errors.

pub use super::declare::{MOST_KINDS, MOST_SEATS, MOST_SITES, MOST_WORDS};
pub use super::remembered::MOST_VARS;
pub use super::stmts::MOST_BRANCHES;
pub use super::tracks::{MOST_STEPS, MOST_STEPS_IN_ALL};
use super::{Checker, errors};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::rules::Ty;

/// Most statements that a game may grow to when its actions are written out.
pub const MOST_STATEMENTS: usize = 50_000;
/// Most parts of expressions that a game may grow to when its actions are written out.
pub const MOST_PARTS: usize = 500_000;
/// Most parts that an expression may have when the definitions it uses are written out.
pub const MOST_WRITTEN: u64 = 200_000;
/// Most things at which an expression may look, one inside the other: `sum(sum(x at a for a in board) for b in board)` looks at the square
/// of the board's sites.
pub const MOST_LOOKS: u64 = 50_000_000;
/// Levels of expressions and statements, those of the definitions and actions they use included.
pub const MOST_LEVELS: u32 = 256;
/// How many levels a definition or action counts by itself, so that about 50 of them may use one another.
pub const CALL_LEVELS: u32 = 4;
/// Errors told of one game; then one more says that there are more.
pub const MOST_ERRORS: usize = 100;

/// Mistakes that a file of the library makes only because of the game that uses it.
const OF_THE_USE: &[&str] = &[
    "best-in-loop",
    "calls-too-deep",
    "choice-after-turn",
    "commit-here",
    "dice-number",
    "library-needs",
    "lines",
    "needs-square-board",
    "no-direction",
    "no-facing",
    "no-opponent",
    "nothing-to-roll",
    "setup-only",
    "too-early",
    "uses-itself",
];

impl Checker<'_> {
    /// Notes a finding, once. What a library file says wrong because of how it was used is told where it was used.
    pub(super) fn say(&mut self, diag: Diagnostic) {
        let is_error = diag.severity == Severity::Error;
        self.broken |= is_error;
        let diag = self.at_caller(diag);
        let told = |other: &Diagnostic| other.place.span == diag.place.span && other.message == diag.message;
        if self.found.iter().any(told) {
            return;
        }
        if self.found.len() >= MOST_ERRORS {
            self.untold += usize::from(is_error);
            return;
        }
        self.found.push(diag);
    }

    fn at_caller(&self, mut diag: Diagnostic) -> Diagnostic {
        let library = |file| self.library_files.contains(&file);
        if diag.code == "game-too-large" {
            // What grew so large is best seen from outside.
            diag.place.span = self.callers.first().copied().unwrap_or(diag.place.span);
            return diag;
        }
        if !library(diag.place.span.file) {
            return diag;
        }
        let Some(caller) = self.callers.iter().rev().find(|span| !library(span.file)) else { return diag };
        if !OF_THE_USE.contains(&diag.code) {
            return diag.also(*caller, "it is used here");
        }
        let inside = std::mem::replace(&mut diag.place.span, *caller);
        diag.also(inside, "the library asks for it here")
    }

    /// Everything found, in the order of the texts.
    pub(super) fn all_found(&mut self) -> Diagnostics {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|diag| diag.place.span);
        if let (Some(last), 1..) = (found.last(), self.untold) {
            let more = errors::more_errors(self.untold, last.place.span);
            found.push(more);
        }
        found
    }

    /// Goes a level deeper unless that is too deep or there is too much already; false (and an error, once) if it is.
    pub(super) fn enter(&mut self, span: crate::source::Span) -> bool {
        self.n_read += 1;
        self.written = self.written.saturating_add(1);
        self.looks = self.looks.saturating_add(1);
        if self.n_read > MOST_PARTS {
            self.say_too_large(errors::too_many_parts(MOST_PARTS, span));
            return false;
        }
        if self.level >= MOST_LEVELS {
            self.say_too_deep(self.level + 1, span);
            return false;
        }
        self.level += 1;
        self.deepest = self.deepest.max(self.level);
        true
    }

    /// Counts a definition as if it were written out here; false (and an error) if that is too much.
    pub(super) fn write_in(&mut self, written: u64, looks: u64, span: crate::source::Span) -> bool {
        self.written = self.written.saturating_add(written);
        self.looks = self.looks.saturating_add(looks);
        if self.written > MOST_WRITTEN {
            self.say_too_large(errors::too_much_written(self.written, MOST_WRITTEN, span));
            return false;
        }
        true
    }

    /// Counts what has been read since `before` once more for each seat: whose it is, is not known before the game.
    pub(super) fn written_for_seats(&mut self, before: u64, span: crate::source::Span) {
        let more = self.written.saturating_sub(before).saturating_mul(self.rules.n_seats() as u64);
        self.write_in(more, 0, span);
    }

    /// Counts what has been read since `before` once for each way to choose for the names; an error if that is too much.
    pub(super) fn looked(&mut self, before: u64, binders: &[crate::rules::Binder], span: crate::source::Span) {
        let ways = binders.iter().fold(1u64, |ways, binder| ways.saturating_mul(self.most_members(&binder.domain)));
        self.looks = before.saturating_add(self.looks.saturating_mul(ways));
        let looks = self.looks;
        if looks > MOST_LOOKS {
            self.looks = 0;
            self.say_too_large(errors::too_many_looks(looks, MOST_LOOKS, span));
        }
    }

    /// A position is copied often, so it may not be large: an error if it is.
    pub(super) fn state_size(&mut self) {
        let n_sites = self.rules.n_sites();
        let bytes = |ty: Ty| match ty {
            Ty::Sites => n_sites.div_ceil(8),
            Ty::Bag(_) => 16,
            Ty::Kinds | Ty::Players | Ty::Dirs | Ty::Words(_) => 8,
            _ => 4,
        };
        let limit = self.rules.bounds.state;
        let mut all = 8 * n_sites;
        for i in 0..self.rules.vars.len() {
            let var = &self.rules.vars[i];
            let before = all;
            all += self.rules.n_entries(var) * bytes(var.ty);
            if all > limit && before <= limit {
                let span = var.span;
                let rest = &self.rules.vars[i + 1..];
                let all = all + rest.iter().map(|var| self.rules.n_entries(var) * bytes(var.ty)).sum::<usize>();
                self.say(errors::position_too_large(all, limit, span));
            }
        }
    }

    /// How many members a domain can have.
    fn most_members(&self, domain: &crate::rules::Domain) -> u64 {
        use crate::rules::{Domain, ExprKind};
        match domain {
            Domain::Sites(set) | Domain::Going(set, _) => match &set.kind {
                ExprKind::ConstSites(set) => set.count() as u64,
                _ => self.rules.n_sites() as u64,
            },
            Domain::Mask(set) => match &set.kind {
                ExprKind::ConstMask(mask) => u64::from(mask.count_ones()),
                _ => 8,
            },
            Domain::Seats(_) => self.rules.n_seats() as u64,
            Domain::Bag(_) => 16,
            Domain::Range(lo, hi) => match (lo.as_const(), hi.as_const()) {
                (Some(lo), Some(hi)) => (i64::from(hi) - i64::from(lo) + 1).max(0) as u64,
                _ => 100,
            },
            Domain::Listed(list) => list.len() as u64,
            Domain::Track(_) => self.rules.tracks.iter().map(|track| track.sites.len() as u64).max().unwrap_or(1),
            Domain::Lines(index) => self.rules.lines.get(*index).map_or(1, |rows| rows.len() as u64),
        }
    }

    pub(super) fn leave(&mut self) {
        self.level -= 1;
    }

    /// Goes into a definition or an action unless that is too deep; false (and an error, once) if it is.
    pub(super) fn enter_call(&mut self, span: crate::source::Span) -> bool {
        let deep = self.level + CALL_LEVELS;
        if deep > MOST_LEVELS {
            self.say_too_deep(deep, span);
            return false;
        }
        self.level = deep;
        true
    }

    pub(super) fn leave_call(&mut self) {
        self.level -= CALL_LEVELS;
    }

    /// Something that was worked out before, and goes so deep, is used here; false (and an error, once) if that is too deep.
    pub(super) fn uses(&mut self, height: u32, span: crate::source::Span) -> bool {
        let deep = self.level + height;
        self.deepest = self.deepest.max(deep);
        if deep > MOST_LEVELS {
            self.say_too_deep(deep, span);
        }
        deep <= MOST_LEVELS
    }

    /// One statement more; false (and an error, once) if there are too many.
    pub(super) fn count_statement(&mut self, span: crate::source::Span) -> bool {
        self.count_statements(1, span)
    }

    /// So many statements more.
    pub(super) fn count_statements(&mut self, n: usize, span: crate::source::Span) -> bool {
        self.n_statements = self.n_statements.saturating_add(n);
        if self.n_statements > MOST_STATEMENTS {
            self.say_too_large(errors::too_large(MOST_STATEMENTS, span));
        }
        !self.too_large
    }

    fn say_too_large(&mut self, diag: Diagnostic) {
        self.broken = true;
        if !std::mem::replace(&mut self.too_large, true) {
            self.say(diag);
        }
    }

    fn say_too_deep(&mut self, deep: u32, span: crate::source::Span) {
        self.broken = true;
        if !std::mem::replace(&mut self.too_deep, true) {
            self.say(errors::calls_too_deep(deep, MOST_LEVELS, span));
        }
    }
}
