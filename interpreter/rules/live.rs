//! Which names may still be read when a program goes on from some place.
//!
//! Two runs that have come to the same place with the same position go on alike if these names have the same values; what the
//! other names hold does not matter. A name counts as read only if it can be read before it is given another value.

use std::collections::BTreeSet;

use super::LocalId;
use super::expr::{Binder, Domain, Expr, ExprKind};
use super::inside::{self, blocks};
use super::stmt::{Block, Stmt, StmtKind};

/// A place in a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// From the outside in: which block of the statement around it (of `either` and `match` arms in order, of `if` 0 and 1, else 0),
    /// and which statement of that block.
    pub way: Vec<(usize, usize)>,
    /// After a round of that statement, a loop, rather than before it.
    pub after_round: bool,
}

/// Names.
pub type Names = BTreeSet<LocalId>;

/// The names that may be read from a place in a program on, the statement at that place included.
pub fn live(program: &Block, place: &Place) -> BTreeSet<LocalId> {
    within(program, &place.way, place.after_round, Names::new(), &Names::new())
}

/// Like [`live`]; `after`: what is read after the block; `stop`: what is read after the loop around it.
fn within(block: &Block, way: &[(usize, usize)], after_round: bool, after: Names, stop: &Names) -> Names {
    let Some((&(_, at), deeper)) = way.split_first() else {
        return before_block(block, after, stop);
    };
    let Some(stmt) = block.get(at) else {
        return after;
    };
    let after = before_block(&block[at + 1..], after, stop);
    let Some(&(arm, _)) = deeper.first() else {
        return if after_round { round(stmt, after) } else { before(stmt, after, stop) };
    };
    let Some(inner) = blocks(stmt).get(arm).copied() else {
        return after;
    };
    if is_loop(stmt) {
        within(inner, deeper, after_round, round(stmt, after.clone()), &after)
    } else {
        within(inner, deeper, after_round, after, stop)
    }
}

/// What may be read before a block.
fn before_block(block: &[Stmt], after: Names, stop: &Names) -> Names {
    block.iter().rev().fold(after, |after, stmt| before(stmt, after, stop))
}

/// What may be read before a statement.
fn before(stmt: &Stmt, mut after: Names, stop: &Names) -> Names {
    use StmtKind::*;
    match &stmt.kind {
        Local(local, value) => {
            after.remove(local);
            reads(value, &mut after);
        }
        Choose { binders, filter, .. } | Roll { binders, filter } => {
            if let Some(filter) = filter {
                reads(filter, &mut after);
            }
            before_binders(binders, &mut after);
            if let Choose { by: Some(by), .. } = &stmt.kind {
                reads(by, &mut after);
            }
        }
        RollBag { times, index, domain, .. } => {
            reads(times, &mut after);
            index.iter().for_each(|index| reads(index, &mut after));
            domain_reads(domain, &mut after);
        }
        Stop => after = stop.clone(),
        If(test, ..) | Match(test, ..) => {
            after = any_block(stmt, &after, stop);
            reads(test, &mut after);
        }
        From(seat, block) => {
            after = before_block(block, after, stop);
            reads(seat, &mut after);
        }
        Either(_) => after = any_block(stmt, &after, stop),
        May(block) => {
            let done = before_block(block, after.clone(), stop);
            after.extend(done);
        }
        OnceOrMore(_, block) => {
            let head = round(stmt, after.clone());
            after = before_block(block, head, &after);
        }
        UpTo(n, block) => {
            let head = round(stmt, after.clone());
            after = before_block(block, head, &after);
            reads(n, &mut after);
        }
        Times(n, _) => {
            after = round(stmt, after);
            reads(n, &mut after);
        }
        While(..) => after = round(stmt, after),
        For(binders, ..) => {
            after = round(stmt, after);
            if let Some(first) = binders.first() {
                domain_reads(&first.domain, &mut after);
            }
        }
        Var(..) | Table(..) | Next(_) | Require(..) | Best(..) | Move(..) | Carry(..) | Take(_) | Place(..)
        | Change(..) | Lay(..) | Commit | Note(_) | Announce(_) => {
            for expr in inside::asked(stmt) {
                reads(expr, &mut after);
            }
        }
    }
    after
}

/// What may be read when a round of a loop is over: after the loop, or in another round.
fn round(stmt: &Stmt, after: Names) -> Names {
    let mut all = after.clone();
    loop {
        let mut next = all.clone();
        for block in blocks(stmt) {
            next.extend(before_block(block, all.clone(), &after));
        }
        match &stmt.kind {
            StmtKind::While(test, _) => reads(test, &mut next),
            StmtKind::For(binders, filter, block) => {
                let mut inner = before_block(block, all.clone(), &after);
                filter.iter().for_each(|filter| reads(filter, &mut inner));
                inner.extend(all.iter().copied());
                // The last name may be given its next member while the others stay as they are.
                let mut same_outer = inner.clone();
                if let Some(last) = binders.last() {
                    same_outer.remove(&last.local);
                }
                for (i, binder) in binders.iter().enumerate().rev() {
                    inner.remove(&binder.local);
                    if i > 0 {
                        domain_reads(&binder.domain, &mut inner);
                    }
                }
                next = after.clone();
                next.extend(inner);
                next.extend(same_outer);
            }
            _ => {}
        }
        if next == all {
            return all;
        }
        all = next;
    }
}

fn any_block(stmt: &Stmt, after: &Names, stop: &Names) -> Names {
    let blocks = blocks(stmt).into_iter();
    blocks.flat_map(|block| before_block(block, after.clone(), stop)).collect()
}

fn is_loop(stmt: &Stmt) -> bool {
    use StmtKind::*;
    matches!(stmt.kind, OnceOrMore(..) | Times(..) | UpTo(..) | While(..) | For(..))
}

/// May a statement leave the loop that it stands in by `stop`?
pub fn may_stop(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Stop) || !is_loop(stmt) && blocks(stmt).into_iter().flatten().any(may_stop)
}

/// Adds the names that a statement may give a value.
pub fn binds(stmt: &Stmt, names: &mut Names) {
    match &stmt.kind {
        StmtKind::Local(local, _) => {
            names.insert(*local);
        }
        StmtKind::Choose { binders, .. } | StmtKind::Roll { binders, .. } | StmtKind::For(binders, ..) => {
            names.extend(binders.iter().map(|binder| binder.local));
        }
        _ => {}
    }
    blocks(stmt).into_iter().flatten().for_each(|inner| binds(inner, names));
}

/// Goes backwards over names that are given values one after the other.
fn before_binders(binders: &[Binder], names: &mut Names) {
    for binder in binders.iter().rev() {
        names.remove(&binder.local);
        domain_reads(&binder.domain, names);
    }
}

fn domain_reads(domain: &Domain, names: &mut Names) {
    inside::of_domain(domain).into_iter().for_each(|expr| reads(expr, names));
}

/// Adds the names that an expression reads and does not itself bind.
pub fn reads(expr: &Expr, names: &mut BTreeSet<LocalId>) {
    use ExprKind::*;
    match &expr.kind {
        Local(local) => {
            names.insert(*local);
        }
        LocalAt(local, site) => {
            names.insert(*local);
            reads(site, names);
        }
        Let(local, value, body) => {
            bound(&[*local], names, |names| reads(body, names));
            reads(value, names);
        }
        Filter(local, set, test) => {
            bound(&[*local], names, |names| reads(test, names));
            reads(set, names);
        }
        Spread(local, from, into, most) => {
            bound(&[*local], names, |names| reads(into, names));
            reads(from, names);
            most.iter().for_each(|most| reads(most, names));
        }
        Comprehend { binders, filter, body, .. } => {
            let mut inner = Names::new();
            filter.iter().for_each(|filter| reads(filter, &mut inner));
            body.iter().for_each(|body| reads(body, &mut inner));
            before_binders(binders, &mut inner);
            names.extend(inner);
        }
        _ => inside::parts(expr).into_iter().for_each(|part| reads(part, names)),
    }
}

/// Adds what a part reads, without the names that are bound around it.
fn bound(locals: &[LocalId], names: &mut Names, part: impl Fn(&mut Names)) {
    let mut inner = Names::new();
    part(&mut inner);
    for local in locals {
        inner.remove(local);
    }
    names.extend(inner);
}
