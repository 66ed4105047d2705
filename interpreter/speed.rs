//! How quick the fast evaluator is at one game: random games and counted sequences per second.
//!
//! In goes an engine, how long to measure, and a clock; the counts are compared with each other, so that a wrong engine is not
//! taken for a quick one.

use std::time::Duration;

use serde::Serialize;

use crate::evaluators::Evaluators;
use crate::play::Trouble;

/// Something that tells how much time has gone by.
pub type Clock<'c> = dyn Fn() -> Duration + 'c;

/// Sequences that are made to the last move, at most.
const MADE: u64 = 300_000;
/// The deepest that is counted.
const DEEPEST: u32 = 64;
/// Random games of one batch, at most.
const MOST_GAMES: u64 = 1 << 20;

/// What is measured, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Of random games.
    pub seed: u64,
    /// For each figure, about.
    pub time: Duration,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// Random games in a batch.
    pub games: u64,
    /// Moves in such a batch.
    pub plies: u64,
    /// Random games to their end.
    pub playouts_per_second: f64,
    /// Moves of random games.
    pub plies_per_second: f64,
    /// How long the sequences are.
    pub perft_depth: u32,
    /// How many there are.
    pub perft_leaves: u64,
    /// Sequences, the last moves counted.
    pub perft_leaves_per_second: f64,
    /// How long they are if every move is made.
    pub made_depth: u32,
    /// How many there are.
    pub made_leaves: u64,
    /// Sequences, all moves made.
    pub made_leaves_per_second: f64,
}

/// Why there is no figure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unmeasured {
    /// The game cannot be played.
    #[error("{0}")]
    Trouble(#[from] Trouble),
    /// The same work has led to two numbers.
    #[error("{what}: {one} and {other}, which should be the same")]
    Unequal {
        /// What was counted.
        what: &'static str,
        /// The first number.
        one: u64,
        /// The other.
        other: u64,
    },
}

/// Counted work, and the time it took.
struct Work {
    count: u64,
    per_second: f64,
}

/// Measures.
pub fn measure(evaluators: &Evaluators, measure: Measure, clock: &Clock<'_>) -> Result<Speed, Unmeasured> {
    let mut playout = evaluators.playouts(measure.seed);
    let mut batch = |games: u64| -> Result<u64, Unmeasured> {
        let mut plies = 0;
        for game in 0..games {
            plies += u64::from(playout(game)?.plies);
        }
        Ok(plies)
    };
    let mut games = 1;
    while games < MOST_GAMES && timed(clock, || batch(games))?.1 * 8 < measure.time {
        games *= 2;
    }
    let plies = repeated("moves of the same random games", measure.time, clock, || batch(games))?;
    let played = games as f64 / plies.count.max(1) as f64;

    let engine = evaluators.engine();
    let (mut depth, mut made_depth) = (1, 1);
    let mut before = 0;
    while depth < DEEPEST {
        let (leaves, took) = timed(clock, || Ok(engine.perft(depth)?))?;
        made_depth = if leaves <= MADE { depth } else { made_depth };
        // One deeper takes longer by about as much as there are more.
        let more = u32::try_from(leaves / before.max(1)).unwrap_or(u32::MAX).max(1);
        let long = took.saturating_mul(more) > measure.time.saturating_mul(4);
        if took * 8 >= measure.time || long || leaves == 0 || (leaves == before && depth > 8) {
            break;
        }
        before = leaves;
        depth += 1;
    }
    let counted = repeated("counted sequences", measure.time, clock, || Ok(engine.perft(depth)?))?;
    let made = repeated("made sequences", measure.time, clock, || Ok(engine.perft_made(made_depth)?))?;
    let (one, other) = (engine.perft(made_depth)?, made.count);
    if one != other {
        return Err(Unmeasured::Unequal { what: "sequences counted and made", one, other });
    }
    Ok(Speed {
        games,
        plies: plies.count,
        playouts_per_second: plies.per_second * played,
        plies_per_second: plies.per_second,
        perft_depth: depth,
        perft_leaves: counted.count,
        perft_leaves_per_second: counted.per_second,
        made_depth,
        made_leaves: made.count,
        made_leaves_per_second: made.per_second,
    })
}

fn timed<R>(clock: &Clock<'_>, work: impl FnOnce() -> Result<R, Unmeasured>) -> Result<(R, Duration), Unmeasured> {
    let from = clock();
    let done = work()?;
    Ok((done, clock().saturating_sub(from)))
}

/// Does the same for so long, at least twice, and looks whether it is the same every time.
fn repeated(
    what: &'static str,
    time: Duration,
    clock: &Clock<'_>,
    mut work: impl FnMut() -> Result<u64, Unmeasured>,
) -> Result<Work, Unmeasured> {
    let (count, mut spent) = timed(clock, &mut work)?;
    let mut times = 1u32;
    while times < 2 || spent < time {
        let (again, took) = timed(clock, &mut work)?;
        if again != count {
            return Err(Unmeasured::Unequal { what, one: count, other: again });
        }
        spent += took;
        times += 1;
    }
    let seconds = spent.as_secs_f64().max(1e-9);
    Ok(Work { count, per_second: count as f64 * f64::from(times) / seconds })
}
