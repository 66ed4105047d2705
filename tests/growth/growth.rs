//! How the cost of a move grows with the board: `cargo bench --bench growth` prints a table with a plot beside it.
//!
//! Every figure is of random games that are played again and again and compared; a board that plays otherwise ends with an error.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lusory::evaluators::Evaluators;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::source::Source;
use lusory::speed::{Measure, measure};

/// Konane from 6 by 6 to the largest.
const KONANE: [u32; 8] = [6, 8, 10, 12, 14, 18, 22, 26];
/// The games of the tafl family by the size of their boards.
const TAFL: [(&str, u32); 3] = [("brandub", 7), ("tablut", 9), ("hnefatafl", 11)];
const TAFL_19: &str = include_str!("tafl_19.lus");
/// For each sign of the plot so many nanoseconds a move.
const A_SIGN: f64 = 50.0;

fn main() -> std::io::Result<ExitCode> {
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let mut code = ExitCode::SUCCESS;
    let mut out = std::io::stdout().lock();
    writeln!(out, "| game | board | games/s | moves a game | ns a move | of that a site | |")?;
    writeln!(out, "|---|--:|--:|--:|--:|--:|:--|")?;
    for (game, size, source) in boards() {
        let mut loaded = pipeline::load(source, &Bundled, &Embedded);
        loaded.bounds.machine_code = true;
        let ready = match loaded.ready(&[]) {
            Ok(ready) => ready,
            Err(found) => {
                writeln!(out, "{game} on {size} by {size}: {found:?}")?;
                code = ExitCode::FAILURE;
                continue;
            }
        };
        let evaluators = Evaluators::new(ready.rules);
        match measure(&evaluators, Measure { seed: 1, time: Duration::from_secs(1) }, &clock) {
            Ok(speed) => {
                let (games, moves) = (speed.playouts_per_second, speed.plies as f64 / speed.games as f64);
                let ns = 1e9 / speed.plies_per_second;
                let (a_site, bar) = (ns / f64::from(size * size), "#".repeat((ns / A_SIGN).ceil() as usize));
                writeln!(
                    out,
                    "| {game} | {size} x {size} | {games:.0} | {moves:.1} | {ns:.0} | {a_site:.1} | `{bar}` |"
                )?;
            }
            Err(error) => {
                writeln!(out, "{game} on {size} by {size}: {error}")?;
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// What is measured: the game, how long a side of its board is, and its text.
fn boards() -> Vec<(&'static str, u32, Source)> {
    let source = |text: String| Source { name: "growth.lus".into(), text };
    let konane = KONANE.map(|n| {
        let sides = ["rows", "cols"].map(|side| format!("option {side} = {n} (or 1..26)\n")).concat();
        ("konane", n, source(format!("game \"Konane\" extends konane\n{sides}")))
    });
    let tafl = TAFL.iter().filter_map(|&(name, size)| Some((name, size, Bundled.read(name)?)));
    konane.into_iter().chain(tafl).chain([("tafl", 19, source(TAFL_19.into()))]).collect()
}
