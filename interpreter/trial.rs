//! Tries what a game claims about itself: its examples, and its properties in random games.
//!
//! In goes a game as read; out comes nothing, or a finding with its place, for people. `lusory test` and the tests of this
//! repository both come here.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::evaluators::Evaluators;
use crate::pipeline::{Loaded, Ready};
use crate::play::{Chance, Move, Start, Status, Table, Trouble, Value, diagram, examples};
use crate::rules::{Property, Rules};
use crate::source::FileId;
use crate::syntax::ast::{Claim, Example};

/// How much is tried before a property is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Random games.
    pub games: u64,
    /// Moves of a game at most.
    pub plies: usize,
    /// Where chance comes from.
    pub seed: u64,
}

/// The examples that stand in the game's own file.
pub fn own_examples(loaded: &Loaded) -> impl Iterator<Item = &Example> {
    loaded.game.examples.iter().filter(|example| example.title.span.file == FileId(0))
}

/// The properties that stand in the game's own file.
pub fn own_properties(ready: &Ready) -> impl Iterator<Item = &Property> {
    ready.rules.properties.iter().filter(|property| property.span.file == FileId(0))
}

/// Runs an example; the plain evaluator counts up to so many nodes in each of its `moves` lines.
pub fn example(loaded: &Loaded, example: &Example, plain_nodes: u64) -> Result<(), Diagnostics> {
    let (rules, case) = loaded.example(example, &[])?;
    let evaluators = Evaluators::new(rules).counting(plain_nodes);
    let begun = |trouble: Trouble| {
        let message = format!("The game cannot begin: {trouble}.");
        vec![Diagnostic::error("example", example.title.span, message)]
    };
    let first = evaluators.oracle(&Start::beginning()).map_err(begun)?.snapshot();
    match examples::run(evaluators.rules(), &case, &evaluators, &first) {
        Ok(_) => Ok(()),
        Err(wrong) => Err(vec![finding("example", wrong.span, &wrong.message)]),
    }
}

/// A finding whose first line is the sentence and whose other lines are the proof.
pub fn finding(code: &'static str, span: crate::source::Span, message: &str) -> Diagnostic {
    match message.split_once('\n') {
        Some((sentence, proof)) => Diagnostic::error(code, span, sentence).help(proof),
        None => Diagnostic::error(code, span, message),
    }
}

/// Tries a property in random games.
pub fn property(evaluators: &Evaluators, property: &Property, effort: Effort) -> Result<(), Diagnostics> {
    for game in 0..effort.games {
        let mut chance = Chance::nth(effort.seed, game);
        try_property(evaluators, property, effort.plies, &mut chance)
            .map_err(|message| vec![finding("property", property.span, &message)])?;
    }
    Ok(())
}

/// Plays a random game; a sentence, the moves and the board if the property does not hold.
fn try_property(evaluators: &Evaluators, property: &Property, plies: usize, chance: &mut Chance) -> Result<(), String> {
    let trouble = |trouble: Trouble| format!("A random game could not be played on: {trouble}.");
    let mut game = evaluators.oracle(&Start::beginning()).map_err(trouble)?;
    let mut played: Vec<String> = Vec::new();
    let mut before: Option<(i32, Value)> = None;
    for _ in 0..=plies {
        let position = game.snapshot();
        let status = game.status();
        let fresh = before.as_ref().is_none_or(|(turns, _)| *turns != position.turns);
        if fresh && status != Status::Chance {
            let value = game.probe(&property.expr).map_err(trouble)?;
            let last = before.as_ref().map(|(_, value)| value);
            if !holds(property.claim, last, &value) {
                let board = diagram::draw(evaluators.rules(), &position);
                let said = said(property.claim, last, &value);
                return Err(format!(
                    "\"{}\" does not hold: {said}.\nplayed: {}\n{board}",
                    property.title,
                    played.join(", ")
                ));
            }
            before = Some((position.turns, value));
        }
        let chosen = match status {
            Status::Over(_) => return Ok(()),
            Status::Chance => game.draw(&mut |n| chance.below(n)).map_err(trouble)?,
            Status::ToMove(_) => one_of(game.as_mut(), chance).map_err(trouble)?,
        };
        played.push(game.text_of(&chosen).map_err(trouble)?);
        game.play(&chosen).map_err(trouble)?;
    }
    Ok(())
}

/// One of the legal moves, every one alike.
pub fn one_of<T: Table + ?Sized>(game: &mut T, chance: &mut Chance) -> Result<Move, Trouble> {
    let moves = game.moves()?;
    let i = chance.below(moves.len() as u64) as usize;
    moves.into_iter().nth(i).ok_or(Trouble::NotNow)
}

fn holds(claim: Claim, before: Option<&Value>, now: &Value) -> bool {
    match (claim, before, now) {
        (Claim::Holds, _, now) => *now != Value::Scalar(0),
        (_, None, _) => true,
        (Claim::Keeps, Some(before), now) => before == now,
        (Claim::Lowers, Some(Value::Scalar(before)), Value::Scalar(now)) => now < before,
        (Claim::Raises, Some(Value::Scalar(before)), Value::Scalar(now)) => now > before,
        (Claim::Lowers | Claim::Raises, Some(_), _) => false,
    }
}

fn said(claim: Claim, before: Option<&Value>, now: &Value) -> String {
    let number = |value: &Value| match value {
        Value::Scalar(code) => code.to_string(),
        Value::Mask(_) | Value::Sites(_) | Value::Bag(_) => "something else".to_string(),
    };
    match (claim, before) {
        (Claim::Holds, _) | (_, None) => "the condition is off here".to_string(),
        (_, Some(before)) => format!("it was {} and is {}", number(before), number(now)),
    }
}

/// The name of a seat.
pub fn seat_name(rules: &Rules, seat: i32) -> &str {
    let seat = usize::try_from(seat).ok().and_then(|seat| rules.seats.get(seat));
    seat.map_or("nobody", |seat| seat.name.as_str())
}
