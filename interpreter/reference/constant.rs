//! What an expression that depends on no position is worth.

use super::ahead::{Asks, World};
use super::ends::plain;
use super::run::Run;
use crate::play::{Snapshot, Value};
use crate::rules::{Expr, Rules};

/// The value of an expression on an empty board, seen from a seat; nothing if it cannot be worked out.
pub fn constant(rules: &Rules, expr: &Expr, seat: i32) -> Option<Value> {
    let empty = Snapshot::empty(rules);
    let start = empty.contents.clone();
    let world = World { rules, history: &[], start: &start, asks: Asks::AheadAfter };
    let mut run = Run::new(world, empty, seat, Vec::new(), 0);
    Some(plain(run.value(expr)).ok()?.kept(rules.n_sites()))
}
