//! Tries whether what a seat may choose depends on something it does not see.
//!
//! In random games, at the beginning of a turn, what is hidden from the seat to move is dealt anew: the pieces on the sites it does not
//! see change places, the secrets of others are forgotten. Then the same must be offered as before.

use std::collections::BTreeSet;

use crate::diagnostics::Diagnostics;
use crate::evaluators::Evaluators;
use crate::play::{Chance, Snapshot, Start, Status, Trouble, Value, diagram};
use crate::rules::{PerWhat, Rules, SiteSet};
use crate::source::Span;
use crate::trial::{Effort, finding, one_of, seat_name};

/// Where a game says first that something is hidden.
pub fn hides(rules: &Rules) -> Option<Span> {
    let secret = rules.vars.iter().find(|var| var.secret).map(|var| var.span);
    rules.view.as_ref().map(|view| view.span).or(secret)
}

/// Tries it in random games; `place` is where the game says that something is hidden.
pub fn offers(evaluators: &Evaluators, place: Span, effort: Effort) -> Result<(), Diagnostics> {
    for game in 0..effort.games {
        let mut chance = Chance::nth(effort.seed, game);
        let said = |message: String| vec![finding("property", place, &message)];
        try_offers(evaluators, effort.plies, &mut chance).map_err(said)?;
    }
    Ok(())
}

fn try_offers(evaluators: &Evaluators, plies: usize, chance: &mut Chance) -> Result<(), String> {
    let trouble = |trouble: Trouble| format!("A random game could not be played on: {trouble}.");
    let rules = evaluators.rules();
    let mut game = evaluators.speaker(&Start::beginning()).map_err(trouble)?;
    let mut last = None;
    for _ in 0..plies {
        let chosen = match game.status() {
            Status::Over(_) => return Ok(()),
            Status::Chance => game.draw(&mut |n| chance.below(n)).map_err(trouble)?,
            Status::ToMove(seat) => {
                let position = game.snapshot();
                // A position in the middle of a turn cannot be begun from.
                if last.replace(position.turns) != Some(position.turns) && position.mover == seat {
                    let seen = game.seen(seat).map_err(trouble)?;
                    let dealt = dealt(rules, &position, seat, seen.as_ref(), chance);
                    let here = offered(evaluators, &position, seat).map_err(trouble)?;
                    let there = offered(evaluators, &dealt, seat).map_err(trouble)?;
                    if let (Some(here), Some(there)) = (here, there)
                        && here != there
                    {
                        return Err(leak(rules, seat, (&position, &here), (&dealt, &there)));
                    }
                }
                one_of(game.as_mut(), chance).map_err(trouble)?
            }
        };
        game.play(&chosen).map_err(trouble)?;
    }
    Ok(())
}

/// What a seat may choose in a position; none if it is not to choose there.
fn offered(evaluators: &Evaluators, position: &Snapshot, seat: i32) -> Result<Option<BTreeSet<String>>, Trouble> {
    let start = Start { from: Some(position.clone()), ..Start::default() };
    let mut game = evaluators.speaker(&start)?;
    if game.status() != Status::ToMove(seat) {
        return Ok(None);
    }
    Ok(Some(game.texts()?.into_iter().map(|(_, text)| text).collect()))
}

/// The position with what the seat does not see otherwise.
fn dealt(rules: &Rules, position: &Snapshot, seat: i32, seen: Option<&SiteSet>, chance: &mut Chance) -> Snapshot {
    let mut dealt = position.clone();
    let hidden = |site: &usize| seen.is_some_and(|seen| !seen.has(*site as i32));
    let hidden: Vec<usize> = (0..rules.n_sites()).filter(hidden).collect();
    for i in (1..hidden.len()).rev() {
        let (a, b) = (hidden[i], hidden[chance.below(i as u64 + 1) as usize]);
        dealt.contents.swap(a, b);
        if rules.board.stacked {
            dealt.under.swap(a, b);
        }
    }
    for (var, entries) in rules.vars.iter().zip(&mut dealt.vars).filter(|(var, _)| var.secret) {
        let others = entries.iter_mut().enumerate().filter(|(owner, _)| *owner as i32 != seat);
        for (_, entry) in others.filter(|_| var.per == PerWhat::Player) {
            *entry = Value::zero(var.ty, rules.n_sites());
        }
    }
    dealt
}

fn leak(
    rules: &Rules,
    seat: i32,
    (position, here): (&Snapshot, &BTreeSet<String>),
    (dealt, there): (&Snapshot, &BTreeSet<String>),
) -> String {
    let name = seat_name(rules, seat);
    let only = |some: &BTreeSet<String>, others: &BTreeSet<String>| {
        let few: Vec<&str> = some.difference(others).take(8).map(String::as_str).collect();
        if few.is_empty() { "nothing".to_string() } else { few.join(", ") }
    };
    format!(
        "What {name} may choose depends on what {name} does not see.\nOnly here: {}\n{}\nOnly here: {}\n{}",
        only(here, there),
        diagram::draw(rules, position),
        only(there, here),
        diagram::draw(rules, dealt)
    )
}
