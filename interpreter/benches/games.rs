//! How quick every bundled game is, or those that are named: `cargo bench --bench games -- konane chess`.
//!
//! Every figure is of work whose counts are compared; a game that counts differently the second time ends with an error.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lusory::evaluators::Evaluators;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::speed::{Measure, measure};

/// Random games whose memory is looked at.
const GAMES: u64 = 20;

fn main() -> std::io::Result<ExitCode> {
    let named: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let mut code = ExitCode::SUCCESS;
    let mut out = std::io::stdout().lock();
    let heads = ["games/s", "moves/s", "leaves/s", "made leaves/s", "position", "allocated"];
    writeln!(
        out,
        "{:24} {:>12} {:>12} {:>14} {:>14} {:>9} {:>17}",
        "game", heads[0], heads[1], heads[2], heads[3], heads[4], heads[5]
    )?;
    for name in Bundled.names() {
        if !named.is_empty() && !named.contains(&name) {
            continue;
        }
        let Some(source) = Bundled.read(&name) else { continue };
        let Ok(ready) = pipeline::load(source, &Bundled, &Embedded).ready(&[]) else { continue };
        let evaluators = Evaluators::new(ready.rules);
        match measure(&evaluators, Measure { seed: 1, time: Duration::from_millis(500) }, &clock) {
            Ok(speed) => writeln!(
                out,
                "{name:24} {:12.0} {:12.0} {:14.0} {:14.0} {:6} B {}",
                speed.playouts_per_second,
                speed.plies_per_second,
                speed.perft_leaves_per_second,
                speed.made_leaves_per_second,
                8 * evaluators.engine().position_words(),
                allocated(&evaluators)
            )?,
            Err(error) => {
                writeln!(out, "{name:24} {error}")?;
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}

/// What a random game allocates in the mean, once the memory that is kept between games is there.
fn allocated(evaluators: &Evaluators) -> String {
    let mut play = evaluators.playouts(1);
    let mut all = || (0..GAMES).filter_map(|game| play(game).ok()).count();
    let played = all();
    let measured = allocation_counter::measure(|| assert_eq!(all(), played));
    let each = |n: u64| n as f64 / played.max(1) as f64;
    format!("{:7.1} B in {:4.1}", each(measured.bytes_total), each(measured.count_total))
}
