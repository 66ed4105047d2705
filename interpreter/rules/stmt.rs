//! Statements: they choose and change. A legal turn is one complete run of the turn program.
//!
//! Actions and `base` have been written out where they were called; `up to`, `may` and the like are as they were.
//!
//! **A move is its list of choices**, one `i32` each, in the order in which a run meets them:
//!
//! * each binder of `choose`: the code of the member chosen (a row of `lines`: its number);
//! * `either`: the number of the branch from 0;
//! * `may`: 0 to do it, 1 to leave it;
//! * `once or more` and `up to n times`, after each round but the last possible one: 0 to go on, 1 to leave off. `once or more while possible`: nothing;
//! * each binder of `roll`: the code that came; `roll n bag in S`: n codes in ascending order.
//!
//! Runs are met in the order of these choices: members in the order of their [`super::Domain`], branches as written.

use super::{Binder, Expr, LocalId};
use crate::source::Span;

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it was written.
    pub span: Span,
}

/// How the entries of a table are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOp {
    /// Set.
    Set,
    /// Add a number.
    Add,
    /// Subtract a number.
    Sub,
}

/// What a statement can be.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Gives a local its value; also an assignment to it. The flag says that a person gave the name (notation may write it).
    Local(LocalId, Expr),
    /// Gives a variable (one value, or the entry of a `Player` or `Kind`) its value. At nobody nothing happens.
    Var(u16, Option<Expr>, Expr),
    /// Changes a `per site` table at all sites of a set by a value that is worked out once.
    Table(u16, TableOp, Expr, Expr),
    /// `next = P`
    Next(Expr),
    /// One branch a combination. The seat that chooses (absent: the mover); only in `setup`.
    Choose {
        /// The names.
        binders: Vec<Binder>,
        /// The condition, absent if always.
        filter: Option<Expr>,
        /// Who chooses.
        by: Option<Expr>,
    },
    /// Chance: one branch a combination, each binder's members alike (bags: by number).
    Roll {
        /// The names.
        binders: Vec<Binder>,
        /// The condition, absent if always; what does not fulfil it is thrown again.
        filter: Option<Expr>,
    },
    /// So many throws (an int) of the domain into a bag variable, in place of what was there.
    RollBag {
        /// How many, 1 to 8.
        times: Expr,
        /// The bag variable.
        var: u16,
        /// Its index, if it has one a player.
        index: Option<Expr>,
        /// What can come.
        domain: super::Domain,
    },
    /// Cuts the run off unless the condition holds; the reason, if given, is for people.
    Require(Expr, Option<String>),
    /// Of all runs of this move that get here only those with the greatest (`true`) or least value go on.
    Best(bool, Expr),
    /// One branch each; a branch with the flag opens only if no complete run of the turn goes through the earlier ones.
    Either(Vec<(bool, Block)>),
    /// Do it or leave it.
    May(Block),
    /// Once, then again: as the player likes (`false`), or for as long as a complete run goes through another round (`true`).
    OnceOrMore(bool, Block),
    /// Exactly so many times (an int).
    Times(Expr, Block),
    /// Once to so many times (an int, below 1 the run is cut off), as the player likes.
    UpTo(Expr, Block),
    /// For as long as the condition holds.
    While(Expr, Block),
    /// For every combination, in order; domains of earlier binders are worked out once, of later ones for each earlier value.
    For(Vec<Binder>, Option<Expr>, Block),
    /// Leaves the innermost loop (`times`, `up to`, `while`, `for`, `once or more`).
    Stop,
    /// `if`
    If(Expr, Block, Block),
    /// The first arm one of whose ranges holds the scalar, else the last block.
    Match(Expr, Vec<(Vec<(i32, i32)>, Block)>, Block),
    /// Statements seen from another seat (an action called as `p's action`; `for mover in players`).
    From(Expr, Block),
    /// Moves the piece of one site to another; what stood there is gone (of piles: the uppermost one, on top of it). Nothing if either is nowhere, the first is empty, or both are the same.
    Move(Expr, Expr),
    /// Of piles: moves so many (an int) of the uppermost pieces of one site onto another, in their order; all there are if it is more.
    /// Nothing below 1, or if they do not fit.
    Carry(Expr, Expr, Expr),
    /// Removes what stands on these sites; of piles the uppermost piece.
    Take(Expr),
    /// Puts a piece of a kind and owner (a `Player`; nobody: of nobody) on these sites, in place of what is there; of piles on top.
    Place(Expr, Expr, Expr),
    /// Makes the pieces on these sites another kind and, if said, another owner's.
    Change(Expr, Expr, Option<Expr>),
    /// Lays a diagram (a `Text`): with its first row's first sign on a site, rows along the first direction, one below the other along the
    /// second; pieces are the mover's then. Absent: over the whole board, owners by symbol.
    Lay(Expr, Option<(Expr, Expr, Expr)>),
    /// What was chosen so far is played; the turn goes on.
    Commit,
    /// Adds a text to the written move, and makes a run without choices a move.
    Note(Expr),
    /// Tells everybody; nothing for the rules.
    Announce(Vec<Expr>),
}
