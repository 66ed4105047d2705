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
        let mut notes = Vec::new();
        notes_of_throws(&self.rules.turn, None, &mut notes);
        for (roll, note) in notes {
            // What the library notes, as `pass` does, is meant to be said wherever it stands.
            if self.game.files.contains(&note.file) {
                let (line, _) = self.sources.line_column(roll);
                self.say(errors::note_after_roll(line, note));
            }
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

/// Notes with nothing between a roll and them that somebody chooses, or that ends the move. `thrown`: the roll that comes before the
/// block. Gives the roll that comes before what follows the block.
fn notes_of_throws(block: &Block, thrown: Option<Span>, found: &mut Vec<(Span, Span)>) -> Option<Span> {
    let mut thrown = thrown;
    for stmt in block {
        match &stmt.kind {
            StmtKind::Roll { .. } | StmtKind::RollBag { .. } => thrown = Some(stmt.span),
            StmtKind::Note(_) => found.extend(thrown.map(|roll| (roll, stmt.span))),
            StmtKind::Commit => thrown = None,
            _ if chooses(stmt) => {
                // Inside, a choice has been made.
                for block in blocks(stmt) {
                    notes_of_throws(block, None, found);
                }
                thrown = None;
            }
            _ => {
                let inside = blocks(stmt);
                let ends: Vec<_> = inside.iter().map(|block| notes_of_throws(block, thrown, found)).collect();
                if !inside.is_empty() {
                    thrown = ends.into_iter().flatten().next();
                }
            }
        }
    }
    thrown
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
