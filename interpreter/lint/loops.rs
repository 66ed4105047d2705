//! Loops that nothing ends.

use std::collections::BTreeSet;

use super::programs::changes_pieces;
use crate::rules::inside::{self, blocks};
use crate::rules::live::{self, Names};
use crate::rules::{Expr, ExprKind, Rules, Stmt, StmtKind};
use crate::source::Span;

/// Why a loop does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    /// A player may go round for ever: no round changes anything.
    SameAgain,
    /// Its condition always holds, and nothing leaves it.
    Always,
    /// Its condition asks for nothing that a round changes.
    Unmoved,
}

/// All loops of the programs that nothing ends.
pub fn endless(rules: &Rules) -> Vec<(Span, Endless)> {
    let mut found = Vec::new();
    for program in [&rules.setup, &rules.turn, &rules.after] {
        program.iter().for_each(|stmt| look(rules, stmt, &mut found));
    }
    found
}

fn look(rules: &Rules, stmt: &Stmt, found: &mut Vec<(Span, Endless)>) {
    match &stmt.kind {
        StmtKind::OnceOrMore(_, block) if !block.iter().any(|stmt| may_change(stmt) || stops(stmt)) => {
            found.push((stmt.span, Endless::SameAgain));
        }
        StmtKind::While(test, block) if !block.iter().any(stops) => {
            if test.as_const().is_some_and(|code| code != 0) {
                found.push((stmt.span, Endless::Always));
            } else if !block.iter().any(comes_by_chance) {
                let mut asks = Asks::default();
                asks.add(rules, test);
                let mut changes = Names::new();
                block.iter().for_each(|stmt| live::binds(stmt, &mut changes));
                let touched = asks.past
                    || !asks.names.is_disjoint(&changes)
                    || asks.pieces && block.iter().any(changes_pieces)
                    || block.iter().any(|stmt| assigns(stmt, &asks.vars));
                if !touched {
                    found.push((stmt.span, Endless::Unmoved));
                }
            }
        }
        _ => {}
    }
    blocks(stmt).into_iter().flatten().for_each(|inner| look(rules, inner, found));
}

/// Does it leave the loop around it?
fn stops(stmt: &Stmt) -> bool {
    live::may_stop(stmt)
}

fn comes_by_chance(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Roll { .. } | StmtKind::RollBag { .. } | StmtKind::Commit)
        || blocks(stmt).into_iter().flatten().any(comes_by_chance)
}

/// May another round find something else than this one?
fn may_change(stmt: &Stmt) -> bool {
    use StmtKind::*;
    matches!(stmt.kind, Local(..) | Var(..) | Table(..) | Next(_) | Roll { .. } | RollBag { .. } | Commit)
        || changes_pieces(stmt)
        || blocks(stmt).into_iter().flatten().any(may_change)
}

fn assigns(stmt: &Stmt, vars: &BTreeSet<u16>) -> bool {
    let itself = match &stmt.kind {
        StmtKind::Var(var, ..) | StmtKind::Table(var, ..) | StmtKind::RollBag { var, .. } => vars.contains(var),
        StmtKind::Lay(..) => true,
        _ => false,
    };
    itself || blocks(stmt).into_iter().flatten().any(|inner| assigns(inner, vars))
}

/// What a condition asks for.
#[derive(Default)]
struct Asks {
    names: Names,
    vars: BTreeSet<u16>,
    pieces: bool,
    /// Something that depends on all the rest.
    past: bool,
}

impl Asks {
    fn add(&mut self, rules: &Rules, expr: &Expr) {
        live::reads(expr, &mut self.names);
        self.parts(rules, expr, 0);
    }

    fn parts(&mut self, rules: &Rules, expr: &Expr, depth: u32) {
        use ExprKind::*;
        match &expr.kind {
            Var(var, _) | CopyTable(var) | Labelled(var, _) | Counted(var) => {
                self.vars.insert(*var);
            }
            Empty | Pieces | PiecesOf(_) | KindSites(_) | KindsSites(_) | KindAt(_) | OwnerAt(_) | HeightAt(_) => {
                self.pieces = true;
            }
            Next | Stuck | Repeats | BoardRepeats | LoopLength | Unchanged => self.past = true,
            // Definitions may be nested as deep as the checker allows, and each may be looked at from many places.
            Call(..) if depth > 12 => self.past = true,
            Call(def, _) => self.parts(rules, &rules.defs[*def as usize].body, depth + 1),
            _ => {}
        }
        inside::parts(expr).into_iter().for_each(|part| self.parts(rules, part, depth));
    }
}
