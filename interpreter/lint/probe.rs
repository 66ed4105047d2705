//! A short look at real positions: two moves that are written alike, a game that comes back to where it was, and a player who is left
//! without a turn.
//!
//! What is found here is certain, for the position is there to be seen; what is not found may be there all the same. The same few
//! positions are looked at every time.

use crate::evaluators::Evaluators;
use crate::play::{Chance, Move, Outcome, Snapshot, Speaker, Start, Status, Table, Trouble};
use crate::reference::Slow;
use crate::rules::{Bounds, Expr, ExprKind, Rules, Stmt, inside};

/// Plies of the one random game whose positions are looked at.
const PLIES: usize = 10;
/// Moves that are listed in all for their texts.
const MOST_LISTED: usize = 240;
/// With more moves in one position, their texts are not looked at.
const MOST_TEXTS: usize = 100;
/// Positions with more moves are passed over on the way back.
const WIDE: usize = 60;
/// Positions from which a way back is looked for, and moves that are tried for it.
const MOST_TRIES: usize = 600;
/// Ways away from a position that are tried.
const SAMPLES: u32 = 6;
/// Random games in which somebody may be left without a turn, their plies in all, and moves that are listed for them.
const GAMES: usize = 40;
const PLIES_IN_ALL: usize = 400;
const MOST_TO_CHOOSE: usize = 20_000;
/// Statements of a program of which so many are listed; of one twice as long there are half as many.
const MOST_STATEMENTS: usize = 500;
const SEED: u64 = 1;

/// Two moves of one position that the notation writes alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alike {
    /// What both are written as.
    pub text: String,
    /// What they are called to tell them apart.
    pub names: [String; 2],
    /// Do they differ in nothing that was chosen by name?
    pub same_values: bool,
    /// The moves that were played before.
    pub after: Vec<String>,
}

/// Moves after which everything is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The moves that were played before.
    pub before: Vec<String>,
    /// The moves that lead back.
    pub moves: Vec<String>,
}

/// A player without a turn, where no end says what happens then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The player.
    pub seat: String,
    /// The moves that were played before.
    pub after: Vec<String>,
}

/// A game that costs little to look at.
fn cheap(rules: &Rules) -> Rules {
    let bounds = Bounds { moves: 2_000, ways: 4_000, fuel: 2_000, looks: 30_000, steps: 100, ..rules.bounds };
    Rules { bounds, ..rules.clone() }
}

/// Two moves of one position that the notation writes alike, if one is found.
pub fn alike(rules: &Rules) -> Option<Alike> {
    written_alike(&cheap(rules)).ok().flatten()
}

/// A way from a position back to it, if one is found and nothing in the rules asks what has been.
pub fn round(rules: &Rules) -> Option<Round> {
    if asks_the_past(rules) {
        return None;
    }
    way_back(cheap(rules)).ok().flatten()
}

/// A player who is left without a turn, if one is found.
pub fn left(rules: &Rules) -> Option<Left> {
    if rules.ends.iter().any(|end| holds_when_stuck(&end.when)) {
        return None;
    }
    left_in_a_game(cheap(rules)).ok().flatten()
}

/// Two moves that the notation writes alike.
fn written_alike(rules: &Rules) -> Result<Option<Alike>, Trouble> {
    let mut game = Slow::start(rules)?;
    let mut chance = Chance::new(SEED);
    let mut after = Vec::new();
    let mut listed = 0;
    for _ in 0..PLIES {
        let chosen = match game.status() {
            Status::Over(_) => break,
            Status::Chance => game.draw(&mut |n| chance.below(n))?,
            Status::ToMove(_) => {
                let moves = game.moves()?;
                listed += moves.len();
                if listed > MOST_LISTED || moves.len() > MOST_TEXTS {
                    break;
                }
                if let Some((text, names, same_values)) = game.alike()? {
                    return Ok(Some(Alike { text, names, same_values, after }));
                }
                let i = chance.below(moves.len() as u64) as usize;
                moves.into_iter().nth(i).ok_or(Trouble::NotNow)?
            }
        };
        after.push(game.text_of(&chosen)?);
        game.play(&chosen)?;
    }
    Ok(None)
}

/// Does a game ask what has been, or how long it has lasted?
fn asks_the_past(rules: &Rules) -> bool {
    fn asks(expr: &crate::rules::Expr) -> bool {
        use ExprKind::*;
        matches!(expr.kind, Turns | Repeats | BoardRepeats | LoopLength) || inside::parts(expr).into_iter().any(asks)
    }
    fn stmt_asks(stmt: &Stmt) -> bool {
        inside::asked(stmt).into_iter().any(asks) || inside::blocks(stmt).into_iter().flatten().any(stmt_asks)
    }
    [&rules.turn, &rules.after].into_iter().flatten().any(stmt_asks)
        || rules.ends.iter().any(|end| asks(&end.when))
        || rules.defs.iter().any(|def| asks(&def.body))
}

/// A way from a position back to it. It can be gone again and again: nothing in it depends on what has been.
fn way_back(rules: Rules) -> Result<Option<Round>, Trouble> {
    let evaluators = Evaluators::new(rules.into());
    let mut game = evaluators.table(&Start::beginning())?;
    let mut chance = Chance::new(SEED);
    let mut plays = Vec::new();
    let mut tries = 0;
    for ply in 0..=PLIES {
        let Status::ToMove(_) = game.status() else {
            match game.status() {
                Status::Over(_) => break,
                _ => {
                    let chosen = game.draw(&mut |n| chance.below(n))?;
                    game.play(&chosen)?;
                    plays.push(chosen);
                    continue;
                }
            }
        };
        if ply % 5 == 0
            && let Some(back) = back_from(game.as_ref(), &mut tries, &mut chance)?
        {
            return told(&evaluators, &plays, &back).map(Some);
        }
        let moves = game.moves()?;
        let i = chance.below(moves.len() as u64) as usize;
        let chosen = moves.into_iter().nth(i).ok_or(Trouble::NotNow)?;
        game.play(&chosen)?;
        plays.push(chosen);
    }
    Ok(None)
}

/// One move of each seat and one back of each, so that all is as it was.
fn back_from(game: &dyn Table, tries: &mut usize, chance: &mut Chance) -> Result<Option<Vec<Move>>, Trouble> {
    let start = game.snapshot();
    for _ in 0..SAMPLES {
        let mut fork = game.fork();
        let mut way = Vec::new();
        let mut seats = vec![start.mover];
        let mut stages: Vec<Snapshot> = vec![start.clone()];
        // Away: one move each, until it is the first one's turn again.
        while let Status::ToMove(_) = fork.status() {
            let moves = fork.moves()?;
            if moves.is_empty() || moves.len() > WIDE || way.len() > 8 {
                break;
            }
            let chosen = moves[chance.below(moves.len() as u64) as usize].clone();
            fork.play(&chosen)?;
            way.push(chosen);
            let here = fork.snapshot();
            if here.mover == start.mover {
                break;
            }
            seats.push(here.mover);
            stages.push(here);
        }
        // Back: each undoes what it has changed.
        for _ in 0..seats.len() {
            let Status::ToMove(_) = fork.status() else { break };
            let moves = fork.moves()?;
            let now = differences(&fork.snapshot(), &start);
            let mut better = None;
            for chosen in moves.iter().take(WIDE) {
                *tries += 1;
                if *tries > MOST_TRIES {
                    return Ok(None);
                }
                let mut next = fork.fork();
                next.play(chosen)?;
                let left = differences(&next.snapshot(), &start);
                let to_move = matches!(next.status(), Status::ToMove(_));
                if to_move && left < now && better.as_ref().is_none_or(|(_, least)| left < *least) {
                    better = Some((chosen.clone(), left));
                }
            }
            let Some((chosen, _)) = better else { break };
            fork.play(&chosen)?;
            way.push(chosen);
            if same(&fork.snapshot(), &start) {
                return Ok(Some(way));
            }
        }
    }
    Ok(None)
}

/// Sites on which something else stands.
fn differences(a: &Snapshot, b: &Snapshot) -> usize {
    let tops = a.contents.iter().zip(&b.contents).filter(|(a, b)| a != b).count();
    tops + a.under.iter().zip(&b.under).filter(|(a, b)| a != b).count()
}

/// Is everything as it was, but for the number of turns?
fn same(a: &Snapshot, b: &Snapshot) -> bool {
    Snapshot { turns: b.turns, ..a.clone() } == *b
}

/// Does a condition hold whenever somebody has no turn?
fn holds_when_stuck(when: &Expr) -> bool {
    match &when.kind {
        ExprKind::Stuck => true,
        ExprKind::Or(a, b) => holds_when_stuck(a) || holds_when_stuck(b),
        _ => false,
    }
}

/// Plays a few random games; the shortest in which a player was left without a turn.
fn left_in_a_game(rules: Rules) -> Result<Option<Left>, Trouble> {
    let evaluators = Evaluators::new(rules.into());
    let mut chance = Chance::new(SEED);
    // To list a move of a long program takes longer.
    let lengths = MOST_STATEMENTS.max(statements(&evaluators.rules().turn)) / MOST_STATEMENTS;
    let mut budget = Budget { plies: PLIES_IN_ALL, moves: MOST_TO_CHOOSE / lengths };
    let mut shortest: Option<(i32, Vec<Move>)> = None;
    for _ in 0..GAMES {
        // What costs too much ends the search; what was found before is true all the same.
        let Ok(Some((outcome, next, plays))) = at_random(&evaluators, &mut chance, &mut budget) else { break };
        let left = outcome.ending.is_none() && *outcome.reason == *"no turn" && !plays.is_empty();
        if left && shortest.as_ref().is_none_or(|(_, before)| plays.len() < before.len()) {
            shortest = Some((next, plays));
        }
    }
    let Some((seat, plays)) = shortest else { return Ok(None) };
    let mut game = evaluators.speaker(&Start::beginning())?;
    let after = written(game.as_mut(), &plays)?;
    let seat = evaluators.rules().seats.get(seat as usize).map_or(String::new(), |seat| seat.name.clone());
    Ok(Some(Left { seat, after }))
}

/// The statements of a program.
fn statements(block: &[Stmt]) -> usize {
    let inner = |stmt| inside::blocks(stmt).into_iter().map(|block| statements(block)).sum::<usize>();
    block.iter().map(|stmt| 1 + inner(stmt)).sum()
}

/// What random games may still cost.
struct Budget {
    plies: usize,
    moves: usize,
}

/// How a random game ended, whose turn would have come, and what was played; none if that costs too much.
fn at_random(
    evaluators: &Evaluators,
    chance: &mut Chance,
    budget: &mut Budget,
) -> Result<Option<(Outcome, i32, Vec<Move>)>, Trouble> {
    let mut game = evaluators.table(&Start::beginning())?;
    let mut plays = Vec::new();
    loop {
        let chosen = match game.status() {
            Status::Over(outcome) => return Ok(Some((outcome, game.snapshot().next, plays))),
            _ if budget.plies == 0 || budget.moves == 0 => return Ok(None),
            Status::Chance => game.draw(&mut |n| chance.below(n))?,
            Status::ToMove(_) => {
                let moves = game.moves()?;
                budget.moves = budget.moves.saturating_sub(moves.len());
                let i = chance.below(moves.len() as u64) as usize;
                moves.into_iter().nth(i).ok_or(Trouble::NotNow)?
            }
        };
        game.play(&chosen)?;
        plays.push(chosen);
        budget.plies -= 1;
    }
}

/// The moves as they are written, from here on.
fn written(game: &mut dyn Speaker, moves: &[Move]) -> Result<Vec<String>, Trouble> {
    let mut texts = Vec::new();
    for chosen in moves {
        texts.push(game.text_of(chosen)?);
        game.play(chosen)?;
    }
    Ok(texts)
}

/// The way there and back as it is written.
fn told(evaluators: &Evaluators, before: &[Move], back: &[Move]) -> Result<Round, Trouble> {
    let mut game = evaluators.speaker(&Start::beginning())?;
    let before = written(game.as_mut(), before)?;
    let moves = written(game.as_mut(), back)?;
    Ok(Round { before, moves })
}
