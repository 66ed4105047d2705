//! Rolls after which nobody chooses anything: the player only watches.

use super::{Checker, errors};
use crate::rules::{Block, Stmt, StmtKind};
use crate::source::Span;

impl Checker<'_> {
    /// Warns of rolls in the turn that no choice can follow.
    pub(super) fn rolls_without_choice(&mut self) {
        let mut alone = Vec::new();
        look(&self.rules.turn, false, &mut alone);
        for span in alone {
            let (line, _) = self.sources.line_column(span);
            self.say(errors::roll_without_choice(line, span));
        }
    }
}

/// Looks through a block from its end; `followed`: can a choice follow behind it?
fn look(block: &Block, followed: bool, alone: &mut Vec<Span>) {
    let mut followed = followed;
    for stmt in block.iter().rev() {
        match &stmt.kind {
            StmtKind::Roll { .. } | StmtKind::RollBag { .. } if !followed => alone.push(stmt.span),
            _ => {}
        }
        // What stands in a loop can be followed by another round of it.
        let inside = followed || is_loop(stmt) && chooses(stmt);
        for block in blocks(stmt) {
            look(block, inside, alone);
        }
        followed |= chooses(stmt);
    }
}

fn chooses(stmt: &Stmt) -> bool {
    let itself = matches!(
        stmt.kind,
        StmtKind::Choose { .. }
            | StmtKind::Either(_)
            | StmtKind::May(_)
            | StmtKind::OnceOrMore(false, _)
            | StmtKind::UpTo(..)
    );
    itself || blocks(stmt).into_iter().flatten().any(chooses)
}

fn is_loop(stmt: &Stmt) -> bool {
    use StmtKind::{For, OnceOrMore, Times, UpTo, While};
    matches!(stmt.kind, OnceOrMore(..) | Times(..) | UpTo(..) | While(..) | For(..))
}

/// The blocks within a statement.
fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::Either(branches) => branches.iter().map(|(_, block)| block).collect(),
        StmtKind::If(_, yes, no) => vec![yes, no],
        StmtKind::Match(_, arms, last) => arms.iter().map(|(_, block)| block).chain([last]).collect(),
        StmtKind::May(block)
        | StmtKind::OnceOrMore(_, block)
        | StmtKind::Times(_, block)
        | StmtKind::UpTo(_, block)
        | StmtKind::While(_, block)
        | StmtKind::For(_, _, block)
        | StmtKind::From(_, block) => vec![block],
        _ => Vec::new(),
    }
}
