//! Pieces that never come onto the board, and pieces that never move.

use std::collections::BTreeSet;

use super::programs::{Account, moved_if};
use super::words::{Words, turn_spans};
use crate::assemble::Game;
use crate::rules::{KindOwner, LocalId, Rules, Ty};
use crate::source::Span;

/// What is wrong with a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Idle {
    /// Nothing puts it on the board.
    NeverPlaced,
    /// Nothing moves it, though others move.
    NeverMoves,
}

/// A game's own kinds of which something is wrong at one table.
pub fn idle(game: &Game, words: &Words<'_>, rules: &Rules, account: &Account) -> BTreeSet<(Span, Idle)> {
    let mut found = BTreeSet::new();
    // Kinds may be values like any others, and never stand anywhere.
    let as_values = rules.vars.iter().any(|var| match var.ty {
        Ty::Kind | Ty::Kinds => true,
        Ty::Bag(bag) => bag.kinds,
        _ => false,
    });
    let in_turn = words.closure(turn_spans(game).into_iter().flat_map(|span| words.of(span)));
    for (decl, _) in game.kinds.iter().filter(|(decl, _)| decl.name.span.file == game.file) {
        let Some(kind) = rules.kinds.iter().position(|kind| kind.name == decl.name.text) else { continue };
        let bit = 1 << kind;
        if account.placed & bit == 0 {
            if account.placed != 0 && !as_values {
                found.insert((decl.name.span, Idle::NeverPlaced));
            }
            continue;
        }
        let stands_still = rules.kinds[kind].owner == KindOwner::Nobody || account.placed_in_turn & bit != 0;
        if stands_still || !account.moves || rules.kinds.len() < 2 || as_values {
            continue;
        }
        let named = in_turn.contains(decl.name.text.as_str());
        let picked = account.picked.values().any(|kinds| kinds & bit != 0);
        if named && (!picked || said_to_stand(game, words, &decl.name.text)) {
            continue;
        }
        if !can_move(rules, account, bit) {
            found.insert((decl.name.span, Idle::NeverMoves));
        }
    }
    found
}

/// Is a kind moved if it, and no other, is picked with one of the names?
fn can_move(rules: &Rules, account: &Account, bit: u64) -> bool {
    let picks = account.picked.iter().filter(|(_, kinds)| **kinds & bit != 0).map(|(local, _)| Some(*local));
    // Without any name, for what is moved without having been picked.
    let ways = picks.chain([None::<LocalId>]);
    ways.into_iter().any(|local| {
        let moved = moved_if(rules, local, bit);
        moved.gave_up || moved.moved & bit != 0
    })
}

/// Does the file itself say of a kind that it goes nowhere?
fn said_to_stand(game: &Game, words: &Words<'_>, kind: &str) -> bool {
    let bodies = game.defines.iter().flat_map(|define| define.layers.iter().map(|define| define.body.span));
    let nothing = |span: Span| {
        let text: String = words.text(span).split_whitespace().collect();
        text.contains(&format!("{kind}:{{}}")) || text.contains(&format!("{kind}:nowhere"))
    };
    bodies.into_iter().any(nothing)
}
