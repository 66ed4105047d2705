//! `lusory moves`: what can be played, or what chance may bring.

use serde::Serialize;

use super::args::MovesArgs;
use super::console::Console;
use super::failure::Failure;
use super::{game, start, words};
use crate::play::{Move, Status};
use crate::trial::seat_name;

#[derive(Serialize)]
struct Listed {
    to_move: Option<String>,
    moves: Vec<String>,
    /// Of throws: how often each comes, in proportion.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
}

/// Lists them.
pub fn run(args: &MovesArgs, console: &Console) -> Result<(), Failure> {
    let mut game = game::load(&args.game.game, &args.game.rules, console)?;
    let opened = start::open(&mut game, &args.from, console)?;
    let rules = opened.evaluators.rules();
    let mut speaker = opened.evaluators.speaker(&opened.start).map_err(|trouble| game.trouble(trouble))?;
    let mut listed = Listed { to_move: None, moves: Vec::new(), weights: None, result: None };
    match speaker.status() {
        Status::Over(outcome) => listed.result = Some(words::outcome(rules, &outcome)),
        Status::ToMove(seat) => {
            let texts = speaker.texts().map_err(|trouble| game.trouble(trouble))?;
            listed.to_move = Some(seat_name(rules, seat).to_string());
            listed.moves = texts.into_iter().map(|(_, text)| text).collect();
            listed.moves.sort();
        }
        Status::Chance => {
            // There may be very many, as of a board that is thrown: the evaluator that is quick lists them, the other writes each.
            let mut table = opened.evaluators.table(&opened.start).map_err(|trouble| game.trouble(trouble))?;
            let outcomes = table.outcomes().map_err(|trouble| game.trouble(trouble))?;
            let (outcomes, weights): (Vec<Move>, Vec<u64>) = outcomes.into_iter().unzip();
            let texts = speaker.texts_of(&outcomes).map_err(|trouble| game.trouble(trouble))?;
            let mut rows: Vec<(String, u64)> = texts.into_iter().zip(weights).collect();
            rows.sort();
            listed.to_move = Some("chance".to_string());
            listed.weights = Some(rows.iter().map(|row| row.1).collect());
            listed.moves = rows.into_iter().map(|row| row.0).collect();
        }
    }
    if args.json {
        return console.json(&listed);
    }
    if let Some(result) = &listed.result {
        console.talk(format!("The game is over. {result}"));
    }
    for (i, text) in listed.moves.iter().enumerate() {
        match &listed.weights {
            Some(weights) => console.data(format!("{text}\t{}", weights[i]))?,
            None => console.data(text)?,
        }
    }
    Ok(())
}
