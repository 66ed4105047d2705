//! Notes which rules of a game have had their say, for whoever wants to know what random games and examples have tried.
//!
//! A statement has fired when it was part of a legal move, of what chance brought, or of what happens by itself. A `require` has refused
//! when a run has failed there. A definition, and a part of an `if`, `match` or `otherwise` in an expression, has been used when its value
//! was asked for. An end has fired when a game ended by it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::source::Span;

/// What a rule can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// A statement was run.
    Fired,
    /// A `require` or `roll … where` did not hold.
    Refused,
    /// The value of an expression was asked for.
    Used,
    /// A game ended.
    Ended,
}

/// A rule and what it did.
pub type Point = (Span, Deed);

/// What has been seen.
#[derive(Debug, Default)]
pub struct Watch(RefCell<BTreeSet<Point>>);

impl Watch {
    /// Notes one.
    pub fn note(&self, span: Span, deed: Deed) {
        self.0.borrow_mut().insert((span, deed));
    }

    /// Notes the statements of a run.
    pub fn fired(&self, trace: &[Span]) {
        let mut seen = self.0.borrow_mut();
        seen.extend(trace.iter().map(|&span| (span, Deed::Fired)));
    }

    /// All that was noted.
    pub fn seen(self) -> BTreeSet<Point> {
        self.0.into_inner()
    }
}
