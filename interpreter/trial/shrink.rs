//! The shortest game that can be found in which a law or property does not hold.
//!
//! First all games are tried, shorter ones first, as far as the patience goes; a game found so is the shortest there is. Else random games
//! that are stopped earlier and earlier; then moves are left out of the shortest one found, for as long as it can still be played and
//! still breaks the law.

use super::course::Course;
use super::laws::{Broken, Law, Laws};
use crate::play::session::Session;
use crate::play::{Chance, Move, Start, Status, diagram};
use crate::source::Span;
use crate::syntax::ast::Claim;

/// A law that does not hold, and a short game that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// Which, and what is so instead.
    pub broken: Broken,
    /// The game.
    pub plays: Vec<Move>,
    /// Is there surely no shorter one?
    pub least: bool,
    /// The game as a record.
    pub record: String,
    /// The last position, drawn.
    pub board: String,
    /// The texts of the moves.
    pub texts: Vec<String>,
    /// Parts of a property, and what they come to there.
    pub values: Vec<(Span, String)>,
}

/// How many positions are looked at in each of the three ways.
fn patience(law: Law) -> usize {
    match law {
        Law::Property(_) | Law::Keys | Law::Over | Law::Places | Law::Named => 4_000,
        Law::Agree | Law::Alike | Law::ReadBack | Law::Refused => 1_500,
        Law::Steps | Law::Position | Law::Record | Law::Turned => 150,
    }
}

/// Shortens a game.
pub fn shortest(laws: &Laws, broken: Broken, plays: Vec<Move>, seed: u64) -> Shrunk {
    let law = broken.law;
    let mut found = (broken, plays);
    let mut least = false;
    let mut budget = patience(law);
    for depth in 0..=found.1.len() {
        let dived = Course::begin(laws.evaluators, None)
            .map_err(|_| Stop::Trouble)
            .and_then(|mut course| dive(laws, law, &mut course, depth, &mut budget));
        match dived {
            Ok(None) => {}
            Ok(Some(shorter)) => {
                (found, least) = (shorter, true);
                break;
            }
            Err(Stop::Patience | Stop::Trouble) => break,
        }
    }
    if !least {
        retry(laws, law, &mut found, seed);
        leave_out(laws, law, &mut found);
    }
    let (broken, plays) = found;
    let (record, board, texts) = told(laws, &plays);
    let values = values(laws, law, &plays).unwrap_or_default();
    Shrunk { broken, plays, least, record, board, texts, values }
}

/// Why a search ends.
enum Stop {
    Patience,
    Trouble,
}

/// All games of so many moves from here on.
fn dive(
    laws: &Laws,
    law: Law,
    course: &mut Course,
    left: usize,
    budget: &mut usize,
) -> Result<Option<(Broken, Vec<Move>)>, Stop> {
    let looked = laws.look(law, course);
    if left == 0 {
        *budget = budget.checked_sub(1).ok_or(Stop::Patience)?;
        return Ok(looked.err().map(|broken| (broken, course.plays.clone())));
    }
    let next: Vec<Move> = match course.plain.status() {
        Status::Over(_) => return Ok(None),
        Status::ToMove(_) => course.plain.moves().map_err(|_| Stop::Trouble)?,
        Status::Chance => {
            // Of very many throws one is as good as another.
            let mut chance = Chance::nth(1, course.plays.len() as u64);
            course.any(&mut chance).map_err(|_| Stop::Trouble)?.into_iter().collect()
        }
    };
    for chosen in next {
        *budget = budget.checked_sub(1).ok_or(Stop::Patience)?;
        let mut fork = course.split();
        if fork.play(&chosen).is_err() {
            continue;
        }
        if let Some(found) = dive(laws, law, &mut fork, left - 1, budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Plays random games that are shorter than the one found.
fn retry(laws: &Laws, law: Law, found: &mut (Broken, Vec<Move>), seed: u64) {
    let mut budget = patience(law);
    for game in 0.. {
        let Ok(mut course) = Course::begin(laws.evaluators, None) else { return };
        let mut chance = Chance::nth(seed ^ 0x5eed, game);
        loop {
            let Some(left) = budget.checked_sub(1) else { return };
            budget = left;
            if course.plays.len() >= found.1.len() {
                break;
            }
            if let Err(broken) = laws.look(law, &mut course) {
                *found = (broken, course.plays.clone());
                break;
            }
            match course.any(&mut chance) {
                Ok(Some(chosen)) if course.play(&chosen).is_ok() => {}
                _ => break,
            }
        }
        if found.1.is_empty() {
            return;
        }
    }
}

/// Leaves moves out.
fn leave_out(laws: &Laws, law: Law, found: &mut (Broken, Vec<Move>)) {
    let mut budget = patience(law);
    let mut size = found.1.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at + size <= found.1.len() {
            let rest = [&found.1[..at], &found.1[at + size..]].concat();
            match replayed(laws, law, &rest, &mut budget) {
                Ok(Some(shorter)) => *found = shorter,
                Ok(None) => at += 1,
                Err(Stop::Patience | Stop::Trouble) => return,
            }
        }
        size = (size / 2).min(found.1.len());
    }
}

/// Does a game that can be played break the law, and where first?
fn replayed(laws: &Laws, law: Law, plays: &[Move], budget: &mut usize) -> Result<Option<(Broken, Vec<Move>)>, Stop> {
    let mut course = Course::begin(laws.evaluators, None).map_err(|_| Stop::Trouble)?;
    for i in 0..=plays.len() {
        *budget = budget.checked_sub(1).ok_or(Stop::Patience)?;
        if let Err(broken) = laws.look(law, &mut course) {
            return Ok(Some((broken, plays[..i].to_vec())));
        }
        match plays.get(i) {
            Some(chosen) if course.play(chosen).is_ok() => {}
            _ => break,
        }
    }
    Ok(None)
}

/// The record of a game, its last position, and the texts of its moves.
fn told(laws: &Laws, plays: &[Move]) -> (String, String, Vec<String>) {
    let begin = || laws.evaluators.speaker(&Start::beginning());
    let Ok(session) = Session::new(laws.rules(), 0, Box::new(begin)) else {
        return Default::default();
    };
    let mut session = session.with_options(laws.options.clone());
    for chosen in plays {
        if session.play(chosen.clone()).is_err() {
            break;
        }
    }
    let board = diagram::draw(laws.rules(), &session.snapshot());
    let texts = session.entries().iter().map(|entry| entry.text.clone()).collect();
    let mut record = session.record();
    record.header = vec![laws.rules().title.clone()];
    (record.to_string(), board, texts)
}

/// What the sides of a property that should always hold come to behind these moves.
fn values(laws: &Laws, law: Law, plays: &[Move]) -> Option<Vec<(Span, String)>> {
    let Law::Property(number) = law else { return None };
    let property = laws.properties.get(number).filter(|property| property.claim == Claim::Holds)?;
    let mut game = laws.evaluators.oracle(&Start::beginning()).ok()?;
    plays.iter().try_for_each(|chosen| game.play(chosen)).ok()?;
    Some(game.sides_of(&property.expr))
}
