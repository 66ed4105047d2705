//! `lusory test`: runs the examples of games, and tries their properties and the laws of all games.
//!
//! `cases.rs` finds the files and the house rules, `report.rs` says how it went.

mod cases;
mod report;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::STACK;
use super::args::TestArgs;
use super::console::Console;
use super::failure::{Failure, within};
use super::game;
use crate::library::{Bundled, Library};
use crate::trial::coverage::Coverage;
use crate::trial::suite::{self, Plan, Sort, Verdict};
use crate::trial::{Effort, own_properties};

use report::{Counts, Report};

/// The most random games of one trial.
const MOST_GAMES: u64 = 1_000_000;
/// Moves of a game at most, of the game as it is and under house files.
const PLIES: usize = 120;
const HOUSE_PLIES: usize = 60;
/// Legal moves looked at in all games of a trial.
const LOOKS: usize = 6_000;
const HOUSE_LOOKS: usize = 1_500;
/// Games that the fast evaluator plays to their end.
const ENDED: u64 = 200;
const HOUSE_ENDED: u64 = 40;

/// Tries everything.
pub fn run(args: &TestArgs, console: &Console) -> Result<(), Failure> {
    let library = game::library(args.library.as_deref())?;
    let games = within("--games", args.games, 0, MOST_GAMES)?;
    let names = if args.names.is_empty() { Bundled.names() } else { args.names.clone() };
    let scale = |usual: usize| usual.saturating_mul(games as usize) / 8;
    let usual = Effort { games, plies: PLIES, seed: args.seed, looks: scale(LOOKS), ended: ENDED };
    let few = games.div_ceil(4);
    let house =
        Effort { games: few, plies: HOUSE_PLIES, seed: args.seed, looks: scale(HOUSE_LOOKS), ended: HOUSE_ENDED };
    let plan = Plan { usual, house, laws: true, turned: args.turned.clone(), switches: args.engine };
    let most = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = within("--threads", args.threads.unwrap_or(most), 1, 256)?.min(names.len());
    let mut all = Counts::default();
    let mut add = |counts: Counts| {
        all.failed += counts.failed;
        all.broken |= counts.broken;
    };
    if threads <= 1 {
        for name in &names {
            add(try_game(name, args, console, library.as_ref(), &plan)?);
        }
    } else {
        let work = |name: &str| {
            let aside = console.aside();
            // Each thread reads the library for itself.
            let tried = game::library(args.library.as_deref())
                .and_then(|library| try_game(name, args, &aside, library.as_ref(), &plan));
            (aside, tried)
        };
        beside(&names, threads, work, |(aside, tried)| {
            console.pass_on(aside)?;
            tried.map(&mut add)
        })?;
    }
    match (all.failed, all.broken) {
        (0, false) => Ok(()),
        (0, true) => Err(Failure::Findings),
        _ => Err(Failure::Tests),
    }
}

/// Does some work for each name on several threads; hands on what came out in the order of the names, until that fails.
fn beside<T: Send>(
    names: &[String],
    threads: usize,
    work: impl Fn(&str) -> T + Sync,
    mut hand_on: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let (send, received) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next, work) = (send.clone(), &next, &work);
            let run = move || {
                while let Some((i, name)) = names.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
                    if send.send((i, work(name))).is_err() {
                        break;
                    }
                }
            };
            let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
            started.map_err(|error| Failure::Limit(format!("no thread could be started: {error}")))?;
        }
        drop(send);
        let mut waiting = BTreeMap::new();
        let mut told = 0;
        while let Ok((i, done)) = received.recv() {
            waiting.insert(i, done);
            while let Some(done) = waiting.remove(&told) {
                told += 1;
                if let Err(failure) = hand_on(done) {
                    next.store(names.len(), Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
        Ok(())
    })
}

/// Tries one game under all its house rules.
fn try_game(
    name: &str,
    args: &TestArgs,
    console: &Console,
    library: &dyn Library,
    plan: &Plan,
) -> Result<Counts, Failure> {
    let mut case = cases::case(name, args.deep, library)?;
    let houses = case.houses(&args.layers, args.every_house)?;
    let sources = &case.files[0].sources;
    let mut coverage = Coverage::of(case.files[0].files().iter().map(|file| sources.get(*file).name.clone()));
    let mut report = Report { name, args, console, counts: Counts::default() };
    let mut readable = vec![true; case.files.len()];
    for (loaded, readable) in case.files.iter().zip(&mut readable) {
        if let Err(found) = loaded.ready(&[]) {
            *readable = false;
            report.counts.broken = true;
            console.refuse(&found, &loaded.sources);
            continue;
        }
        for verdict in suite::examples(loaded, args.engine, &mut coverage) {
            report.tell(loaded, &verdict)?;
        }
    }
    for house in &houses {
        report.counts.houses += usize::from(!house.is_none());
        for (file, &readable) in readable.iter().enumerate() {
            let loaded = &case.files[file];
            // The laws are the game's own business; a file with nothing but examples has nothing more to try.
            let plan = Plan { laws: file == 0, ..plan.clone() };
            if !readable || !plan.laws && loaded.game.properties.is_empty() {
                continue;
            }
            let laid = case.lay(file, house);
            let loaded = &case.files[file];
            let tried = laid.and_then(|table| {
                let ready = loaded.ready(&table.settings)?;
                if !plan.laws && own_properties(&ready).next().is_none() {
                    return Ok(Vec::new());
                }
                let options = game::changed_options(loaded, &ready.chosen, &table.settings);
                suite::table(loaded, &table, &plan, options, &mut coverage)
            });
            match tried {
                Ok(verdicts) => verdicts.iter().try_for_each(|verdict| report.tell(loaded, verdict))?,
                Err(found) => {
                    report.counts.broken = true;
                    console.refuse(&found, &loaded.sources);
                }
            }
        }
    }
    report.sum(&coverage)?;
    Ok(report.counts)
}

/// Counts a verdict once for all house rules.
fn counts_once(verdict: &Verdict) -> bool {
    verdict.house.is_none() || verdict.sort == Sort::Law
}
