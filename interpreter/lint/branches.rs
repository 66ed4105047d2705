//! Parts of the programs, as they are written, that no table ever reaches.

use super::programs::Account;
use crate::assemble::Game;
use crate::source::{FileId, Span};
use crate::syntax::ast::{self, BranchMode, StatementKind as S};

/// Why a part is never reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The condition never holds.
    Never,
    /// The condition always holds.
    Always,
    /// None of the cases ever comes up.
    Case,
    /// The ways before this one can always be gone.
    Otherwise,
    /// It is cut off somewhere else.
    CutOff,
}

/// A part that is never reached: where to say so, all of it, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dead {
    /// The place that is marked.
    pub place: Span,
    /// The whole part.
    pub whole: Span,
    /// Why.
    pub why: Why,
}

/// What several tables have in common.
pub struct Branches<'a> {
    accounts: &'a [Account],
    /// The file whose parts are looked at.
    file: FileId,
    dead: Vec<Dead>,
}

/// The parts of a game's own programs that are reached under none of some tables.
pub fn dead(game: &Game, accounts: &[Account]) -> Vec<Dead> {
    let mut branches = Branches { accounts, file: game.file, dead: Vec::new() };
    let turn = game.turn.iter().flat_map(|turn| turn.layers.iter().map(|turn| &turn.body));
    let setup = game.setup.iter().flat_map(|setup| &setup.layers);
    let after = game.after.iter().flat_map(|after| &after.layers);
    let actions = game.actions.iter().flat_map(|action| action.layers.iter().map(|action| &action.body));
    for block in setup.chain(turn).chain(after).chain(actions).filter(|block| block.span.file == game.file) {
        branches.block(block);
    }
    branches.dead
}

impl Branches<'_> {
    fn reached(&self, span: Span) -> bool {
        self.accounts.iter().any(|account| account.reached.contains(&span))
    }

    /// Is it reached wherever its surroundings are, as far as can be told?
    fn reached_by_all(&self, span: Span) -> bool {
        self.accounts.iter().all(|account| account.reached.contains(&span))
    }

    fn entered(&self, span: Span, arm: usize) -> bool {
        self.accounts.iter().any(|account| account.entered.contains(&(span, arm)))
    }

    fn completed(&self, span: Span, arm: usize) -> bool {
        self.accounts.iter().any(|account| account.completed.contains(&(span, arm)))
    }

    fn block(&mut self, block: &ast::Block) {
        let statements = &block.statements;
        for (i, statement) in statements.iter().enumerate() {
            // What comes behind it is reached, so this is, too.
            let followed = statements.get(i + 1).is_some_and(|next| self.any_reached(next));
            self.statement(statement, followed);
        }
    }

    /// Is a statement, or something inside it, reached?
    fn any_reached(&self, statement: &ast::Statement) -> bool {
        self.reached(statement.span)
            || inner(statement).iter().any(|(_, block)| block.statements.iter().any(|inner| self.any_reached(inner)))
    }

    /// Is anything inside a part reached? Yes, too, if that cannot be told.
    fn alive(&self, block: &ast::Block) -> bool {
        !block.statements.iter().any(is_noted) || block.statements.iter().any(|inner| self.any_reached(inner))
    }

    fn statement(&mut self, statement: &ast::Statement, followed: bool) {
        let span = statement.span;
        let (here, everywhere) = (self.reached(span), self.reached_by_all(span));
        for (arm, (i, block)) in inner(statement).into_iter().enumerate() {
            let gone = match &statement.kind {
                // Whether its condition is known beforehand depends on the table.
                S::If(..) | S::Match(..) | S::While(..) => {
                    let noted = self.entered(span, i);
                    (here || followed) && !noted && (everywhere || !self.alive(block))
                }
                S::Either(_) => here && !self.completed(span, i),
                _ => false,
            };
            if gone && self.file == span.file {
                let (place, why) = place_of(statement, arm, self.entered(span, i));
                self.dead.push(Dead { place, whole: block.span, why });
                if why != Why::CutOff {
                    continue;
                }
            }
            self.block(block);
        }
    }
}

/// What is marked, and why it is never reached.
fn place_of(statement: &ast::Statement, arm: usize, entered: bool) -> (Span, Why) {
    match &statement.kind {
        S::If(test, ..) if arm == 0 => (test.span, Why::Never),
        S::If(test, ..) => (test.span, Why::Always),
        S::While(test, _) => (test.span, Why::Never),
        S::Match(_, arms) => (arms.get(arm).map_or(statement.span, |arm| arm.span), Why::Case),
        S::Either(branches) => {
            let (mode, block) = &branches[arm];
            let why = if *mode == BranchMode::Otherwise && !entered { Why::Otherwise } else { Why::CutOff };
            (block.span, why)
        }
        _ => (statement.span, Why::CutOff),
    }
}

/// The blocks of a statement with their numbers in the rules.
pub(super) fn inner(statement: &ast::Statement) -> Vec<(usize, &ast::Block)> {
    match &statement.kind {
        S::Either(branches) => branches.iter().map(|(_, block)| block).enumerate().collect(),
        S::May(block)
        | S::OnceOrMore(_, block)
        | S::Times(_, block)
        | S::UpTo(_, block)
        | S::While(_, block)
        | S::For(_, block) => vec![(0, block)],
        S::If(_, yes, no) => [yes].into_iter().chain(no).enumerate().collect(),
        S::Match(_, arms) => arms.iter().map(|arm| &arm.body).enumerate().collect(),
        _ => Vec::new(),
    }
}

/// Would it be noted if it were reached, whatever the table?
fn is_noted(statement: &ast::Statement) -> bool {
    match &statement.kind {
        S::Call(..) | S::Base(_) | S::Require(..) | S::Give(_) | S::Error => false,
        S::If(..) | S::Match(..) | S::While(..) => {
            inner(statement).iter().any(|(_, block)| block.statements.iter().any(is_noted))
        }
        _ => true,
    }
}
