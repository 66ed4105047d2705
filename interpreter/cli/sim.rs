//! `lusory sim`: many random games, and how they end.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::args::SimArgs;
use super::console::Console;
use super::failure::{Failure, within};
use super::{game, words};
use crate::evaluators::Evaluators;
use crate::play::Start;
use crate::play::sim::{self, Plan};

/// The most games of one run.
const MOST_GAMES: u64 = 1_000_000_000;
/// How long the line that tells of progress stays as it is.
const PAUSE: Duration = Duration::from_millis(200);

/// Plays them.
pub fn run(args: &SimArgs, console: &Console) -> Result<(), Failure> {
    let games = within("-n", args.games, 1, MOST_GAMES)?;
    let threads = within("--threads", args.threads, 1, 256)?;
    let game = game::load(&args.game.game, &args.game.rules, console)?;
    let evaluators = Evaluators::with(game.ready(console)?.rules, args.engine);
    let rules = evaluators.rules();
    let plan = Plan { games, seed: args.seed, threads };
    let last = Mutex::new(Instant::now());
    let progress = |done: u64| {
        if console.is_watched()
            && let Ok(mut last) = last.try_lock()
            && last.elapsed() > PAUSE
        {
            *last = Instant::now();
            console.progress(&format!("{done} of {games} games"));
        }
    };
    let player = || {
        let mut playout = evaluators.playouts(args.seed);
        let evaluators = &evaluators;
        move |game: u64, chance: &mut crate::play::Chance| {
            let mut played = playout(game)?;
            if sim::is_sampled(game) {
                played.sample = sim::sample(evaluators.table(&Start::beginning())?.as_mut(), chance);
            }
            Ok(played)
        }
    };
    let tally = sim::run(plan, rules.n_seats(), player, progress);
    console.progress("");
    let tally = tally.map_err(|error| match game.trouble(error.trouble.clone()) {
        Failure::Limit(said) => Failure::Limit(format!("game {} of seed {}: {said}", error.game, error.seed)),
        other => other,
    })?;
    let report = tally.report(rules, args.seed);
    if args.json {
        return console.json(&report);
    }
    console.data(words::trimmed(&report.to_string()))
}
