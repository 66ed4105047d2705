//! Random games in which laws and properties are tried.
//!
//! How much is tried is counted in games, moves and legal moves looked at, never in time, so that the same command finds the same.

use super::course::{Course, any};
use super::laws::{Broken, Law, Laws, failed};
use super::shrink::{Shrunk, shortest};
use crate::play::{Chance, Move, Start, Status, Trouble};
use crate::reference::watch::{Deed, Watch};

/// How much is tried before something is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Random games.
    pub games: u64,
    /// Moves of a game at most.
    pub plies: usize,
    /// Where chance comes from.
    pub seed: u64,
    /// Legal moves that are looked at in all games together (moves that are hard to find count more); what is left then is not tried.
    pub looks: usize,
    /// Games that the fast evaluator plays to their end.
    pub ended: u64,
}

/// Finding a legal move may take so many looks at things; more count as more moves.
const LOOKS_A_MOVE: u64 = 20_000;
/// In how many positions of a game the laws are tried that take long.
const HEAVY: usize = 3;

/// Tries the laws in random games; the first that breaks, with the shortest game found in which it does.
pub fn try_laws(laws: &Laws, list: &[Law], effort: Effort, watch: Option<&Watch>) -> Result<(), Box<Shrunk>> {
    let mut looks = 0;
    for game in 0..effort.games {
        if looks > effort.looks {
            break;
        }
        let mut chance = Chance::nth(effort.seed, game);
        if let Err((broken, plays)) = follow(laws, list, effort, &mut chance, watch, &mut looks) {
            return Err(Box::new(shortest(laws, broken, plays, effort.seed)));
        }
    }
    for game in 0..effort.ended {
        end(laws, list, effort.seed, game, watch)?;
    }
    Ok(())
}

/// Plays a game and looks at every position.
fn follow(
    laws: &Laws,
    list: &[Law],
    effort: Effort,
    chance: &mut Chance,
    watch: Option<&Watch>,
    looks: &mut usize,
) -> Result<(), (Broken, Vec<Move>)> {
    let trouble = |trouble: Trouble, plays: &[Move]| {
        let broken = Broken { law: Law::Agree, said: failed(trouble) };
        (broken, plays.to_vec())
    };
    let mut course = Course::begin(laws.evaluators, watch).map_err(|found| trouble(found, &[]))?;
    let every = effort.plies.div_ceil(HEAVY).max(1);
    loop {
        let over = matches!(course.fast.status(), Status::Over(_));
        // More moves than can be listed are no mistake; such a game is left.
        if matches!(course.fast.moves(), Err(Trouble::TooMany { .. })) {
            return Ok(());
        }
        let last = over || course.plays.len() >= effort.plies || *looks > effort.looks;
        for &law in list {
            let now = match law {
                Law::Record => last,
                law if Law::HEAVY.contains(&law) => course.plays.len() % every == every / 2,
                _ => true,
            };
            if now {
                laws.look(law, &mut course).map_err(|broken| (broken, course.plays.clone()))?;
            }
        }
        if last {
            return Ok(());
        }
        let looked = (course.plain.looked() / LOOKS_A_MOVE) as usize;
        *looks += course.fast.moves().map_or(1, |moves| moves.len()).max(looked);
        let chosen = course.any(chance).map_err(|found| trouble(found, &course.plays))?;
        let Some(chosen) = chosen else { return Ok(()) };
        let before = course.plays.clone();
        course
            .play(&chosen)
            .map_err(|found| trouble(found, &[before.as_slice(), std::slice::from_ref(&chosen)].concat()))?;
    }
}

/// Plays a game to its end on the fast evaluator alone; is it an end that the rules name?
fn end(laws: &Laws, list: &[Law], seed: u64, game: u64, watch: Option<&Watch>) -> Result<(), Box<Shrunk>> {
    let played = laws.evaluators.playouts(seed)(game);
    let Ok(played) = played else { return Ok(()) };
    if let (Some(watch), Some(ending)) = (watch, played.outcome.ending)
        && let Some(ending) = laws.rules().ends.get(ending)
    {
        watch.note(ending.span, Deed::Ended);
    }
    let law = match () {
        () if played.outcome.ending.is_none() && *played.outcome.reason != *"turn limit" => Law::Named,
        () if !super::laws::is_ranking(&played.outcome, laws.rules().n_seats()) => Law::Places,
        () => return Ok(()),
    };
    if !list.contains(&law) {
        return Ok(());
    }
    // The same law breaks in another game that is written down.
    let mut chance = Chance::nth(seed, game);
    let mut plays = Vec::new();
    if let Ok(mut table) = laws.evaluators.table(&Start::beginning()) {
        while let Ok(Some(chosen)) = any(table.as_mut(), &mut chance) {
            if table.play(&chosen).is_err() {
                break;
            }
            plays.push(chosen);
        }
    }
    let said = format!("the game ends with \"{}\" and the places {:?}", played.outcome.reason, played.outcome.places);
    Err(Box::new(shortest(laws, Broken { law, said }, plays, seed)))
}
