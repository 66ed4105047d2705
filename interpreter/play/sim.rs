//! Many random games over threads. The results depend on the seed and the number of games alone, not on threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tally::Tally;
use super::{Chance, Outcome, Status, Table, Trouble};

/// What one random game gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// How it ended.
    pub outcome: Outcome,
    /// Moves of the seats; throws do not count.
    pub plies: u32,
    /// Turns completed.
    pub turns: u32,
    /// The legal moves of all plies together, if they were listed, else 0.
    pub branching: u64,
    /// Plies for which they were.
    pub listed: u32,
    /// The legal moves of all plies of a random game in which they were all listed, if one was played for that.
    pub sample: Option<Sample>,
}

/// A random game in which all legal moves were listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The legal moves of all its plies.
    pub branching: u64,
    /// Its plies.
    pub plies: u32,
}

/// Games of a run for which another one is played with all legal moves listed: these at its beginning …
const SAMPLED_FIRST: u64 = 16;
/// … and of the others every so manieth. Listing is slower than drawing.
const SAMPLED_EACH: u64 = 128;

/// Is a game listed for the number of this one? It depends on nothing else.
pub fn is_sampled(game: u64) -> bool {
    game < SAMPLED_FIRST || game.is_multiple_of(SAMPLED_EACH)
}

/// Plays a game of which every position's moves are listed. Where they are too many for that, nothing comes of it.
pub fn sample(table: &mut dyn Table, chance: &mut Chance) -> Option<Sample> {
    let played = random_playout(table, chance).ok()?;
    Some(Sample { branching: played.branching, plies: played.plies })
}

/// What is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// How many games.
    pub games: u64,
    /// Where chance comes from; game `i` has stream `i`.
    pub seed: u64,
    /// On how many threads; 0 counts as 1.
    pub threads: usize,
}

/// A game that could not be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {game} of seed {seed}: {trouble}")]
pub struct SimError {
    /// Its number from 0.
    pub game: u64,
    /// The seed of the run.
    pub seed: u64,
    /// What went wrong.
    pub trouble: Trouble,
}

/// Games that a thread takes at a time.
const CHUNK: u64 = 16;

/// Plays all games of a plan and adds them up.
///
/// `player` is called once a thread and gives what plays one game. `progress` hears now and then how many games are over, from any thread.
/// If games fail, the error is that of the first of them.
pub fn run<P>(
    plan: Plan,
    n_seats: usize,
    player: impl Fn() -> P + Sync,
    progress: impl Fn(u64) + Sync,
) -> Result<Tally, SimError>
where
    P: FnMut(u64, &mut Chance) -> Result<PlayoutResult, Trouble>,
{
    let next = AtomicU64::new(0);
    let done = AtomicU64::new(0);
    let failed = AtomicU64::new(u64::MAX);
    let shared = Mutex::new((Tally::new(n_seats), None::<SimError>));
    let lock = || shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let work = || {
        let mut play = player();
        let mut tally = Tally::new(n_seats);
        loop {
            let from = next.fetch_add(CHUNK, Ordering::Relaxed);
            if from >= plan.games || from > failed.load(Ordering::Relaxed) {
                break;
            }
            let to = plan.games.min(from + CHUNK);
            for game in from..to {
                match play(game, &mut Chance::nth(plan.seed, game)) {
                    Ok(result) => tally.add(&result),
                    Err(trouble) => {
                        // Chunks before this one have been taken already, so an earlier failure will still be met.
                        failed.fetch_min(game, Ordering::Relaxed);
                        let mut shared = lock();
                        if shared.1.as_ref().is_none_or(|error| error.game > game) {
                            let seed = plan.seed;
                            shared.1 = Some(SimError { game, seed, trouble });
                        }
                        break;
                    }
                }
            }
            progress(done.fetch_add(to - from, Ordering::Relaxed) + to - from);
        }
        lock().0.merge(&tally);
    };
    std::thread::scope(|scope| {
        for _ in 1..plan.threads {
            scope.spawn(work);
        }
        work();
    });
    let (tally, error) = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    match error {
        Some(error) => Err(error),
        None => Ok(tally),
    }
}

/// Plays a game to its end, each move drawn alike from all legal ones.
pub fn random_playout(table: &mut dyn Table, chance: &mut Chance) -> Result<PlayoutResult, Trouble> {
    let mut plies = 0;
    let mut branching = 0;
    loop {
        match table.status() {
            Status::Over(outcome) => {
                return Ok(PlayoutResult {
                    outcome,
                    plies,
                    turns: table.snapshot().turns.max(0) as u32,
                    branching,
                    listed: plies,
                    sample: None,
                });
            }
            Status::Chance => {
                let drawn = table.draw(&mut |n| chance.below(n))?;
                table.play(&drawn)?;
            }
            Status::ToMove(_) => {
                let moves = table.moves()?;
                let chosen = moves.get(chance.below(moves.len() as u64) as usize);
                table.play(chosen.ok_or(Trouble::NotNow)?)?;
                plies += 1;
                branching += moves.len() as u64;
            }
        }
    }
}
