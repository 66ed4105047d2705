//! How games end: the lines of `end`, and the places they give.

use super::ahead::World;
use super::run::{Halt, Run};
use super::value::mask_of;
use super::watch::Deed;
use crate::bug;
use crate::play::{Asks, Outcome, Snapshot, Trouble};
use crate::rules::{EndResult, Ending, Expr};

/// Looks at the ends in order, seen from the seat that has just played; `stuck`: is the next player known to be stuck?
pub fn judge(world: World, snap: &Snapshot, stuck: Option<bool>) -> Result<Option<Outcome>, Trouble> {
    let asks = Asks::End;
    let world = World { asks, ..world };
    let mut run = Run::new(world, snap.clone(), snap.mover, Vec::new(), 0);
    run.stuck = stuck;
    for (number, ending) in world.rules.ends.iter().enumerate() {
        if plain(run.holds(&ending.when))? {
            let outcome = result(&mut run, number, ending)?;
            if let Some(watch) = world.watch {
                watch.note(ending.span, Deed::Ended);
            }
            let resigned = if world.rules.uses.resigned { 0 } else { snap.resigned };
            return Ok(Some(outcome.with_last(resigned)));
        }
    }
    Ok(None)
}

fn result(run: &mut Run, number: usize, ending: &Ending) -> Result<Outcome, Trouble> {
    let n = run.world.rules.n_seats();
    let mut by = 1;
    let places = match &ending.result {
        EndResult::Draw => vec![1; n],
        EndResult::Unfinished => Vec::new(),
        EndResult::Rank(keys) => ranked(run, keys)?,
        EndResult::Wins(seats, margin) => {
            let seats = plain(run.mask(seats))?;
            if let Some(margin) = margin {
                by = plain(run.scalar(margin))?;
            }
            first_places(n, seats)
        }
        EndResult::Loses(seats) => first_places(n, !plain(run.mask(seats))?),
    };
    Ok(Outcome { places, by, reason: ending.name.clone(), ending: Some(number) })
}

/// Each seat's place by its keys, greater first; equal keys share a place.
fn ranked(run: &mut Run, keys: &[Expr]) -> Result<Vec<u8>, Trouble> {
    let before = run.seat;
    let mut all: Vec<Vec<i32>> = Vec::new();
    for seat in 0..run.world.rules.n_seats() as i32 {
        run.seat = seat;
        let values: Result<Vec<i32>, Halt> = keys.iter().map(|key| run.scalar(key)).collect();
        all.push(plain(values)?);
    }
    run.seat = before;
    let better = |keys: &Vec<i32>| all.iter().filter(|other| *other > keys).count() as u8;
    Ok(all.iter().map(|keys| better(keys) + 1).collect())
}

/// These seats share the first place, the others the next.
pub fn first_places(n: usize, seats: u64) -> Vec<u8> {
    let first = |seat: usize| seats & mask_of(seat as i32) != 0;
    let next = (0..n).filter(|&seat| first(seat)).count() as u8 + 1;
    (0..n).map(|seat| if first(seat) { 1 } else { next }).collect()
}

/// The answer of something that looks only, where there is nothing to choose or to fail.
pub fn plain<T>(answer: Result<T, Halt>) -> Result<T, Trouble> {
    match answer {
        Ok(value) => Ok(value),
        Err(Halt::Trouble(trouble)) => Err(trouble),
        Err(halt) => bug!("an expression that does more than look: {halt:?}"),
    }
}
