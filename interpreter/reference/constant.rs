//! What an expression is worth on an empty board: for what has to be known before there is a position, such as walks.

use super::ahead::World;
use super::run::Run;
use crate::play::{Asks, Snapshot, Value};
use crate::rules::{Expr, Rules};

/// The value of an expression seen from a seat, with no piece on the board and nothing remembered; none if it cannot be worked out.
///
/// The rules may still be without programs.
pub fn constant(rules: &Rules, expr: &Expr, seat: i32) -> Option<Value> {
    let start = Snapshot::empty(rules);
    let world = World { rules, history: &[], start: &start, asks: Asks::AheadTurn, watch: None };
    let mut run = Run::new(world, Snapshot::empty(rules), seat, Vec::new(), 0);
    let value = run.value(expr).ok()?;
    Some(value.kept(rules.n_sites()))
}
