//! How quick every bundled game is, or those that are named: `cargo bench -- konane chess`.
//!
//! Every figure is of work whose counts are compared; a game that counts differently the second time ends with an error.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use lusory::evaluators::Evaluators;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::speed::{Measure, measure};

fn main() -> std::io::Result<ExitCode> {
    let named: Vec<String> = std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let begin = Instant::now();
    let clock = || begin.elapsed();
    let mut code = ExitCode::SUCCESS;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:24} {:>12} {:>12} {:>14} {:>14}", "game", "games/s", "moves/s", "leaves/s", "made leaves/s")?;
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
                "{name:24} {:12.0} {:12.0} {:14.0} {:14.0}",
                speed.playouts_per_second,
                speed.plies_per_second,
                speed.perft_leaves_per_second,
                speed.made_leaves_per_second
            )?,
            Err(error) => {
                writeln!(out, "{name:24} {error}")?;
                code = ExitCode::FAILURE;
            }
        }
    }
    Ok(code)
}
