//! `lusory bench`: how quick a game is.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::args::BenchArgs;
use super::console::Console;
use super::failure::{Failure, within};
use super::game;
use crate::evaluators::Evaluators;
use crate::play::Start;
use crate::speed::{self, Measure, Speed, Unmeasured};

/// Milliseconds that each figure may be measured for.
const LONGEST: u64 = 600_000;

/// What is told of a game.
#[derive(Serialize)]
struct Report {
    game: String,
    engine_version: &'static str,
    /// Of all texts that the rules were read from, and of the house rules.
    rules_hash: String,
    seed: u64,
    load_ms: f64,
    position_bytes: usize,
    #[serde(flatten)]
    speed: Speed,
    peak_rss_kb: Option<u64>,
}

/// Measures.
pub fn run(args: &BenchArgs, console: &Console) -> Result<(), Failure> {
    let time = Duration::from_millis(within("--time", args.time, 1, LONGEST)?);
    let from = Instant::now();
    let game = game::load(&args.game.game, &args.game.rules, console)?;
    let evaluators = Evaluators::with(game.ready(console)?.rules, args.engine);
    let first = evaluators.table(&Start::beginning()).map_err(|trouble| game.trouble(trouble))?;
    let load = from.elapsed();
    drop(first);
    if args.listing {
        return console.data(evaluators.engine().listing().trim_end());
    }
    let texts = game.loaded.sources.all().iter().map(|source| source.text.as_str());
    let speed = speed::measure(&evaluators, Measure { seed: args.seed, time }, &used);
    let speed = speed.map_err(|error| match error {
        Unmeasured::Trouble(trouble) => game.trouble(trouble),
        error @ Unmeasured::Unequal { .. } => crate::bug!("{error}"),
    })?;
    let report = Report {
        game: game.stem.clone(),
        engine_version: env!("CARGO_PKG_VERSION"),
        rules_hash: format!("{:016x}", hash(texts)),
        seed: args.seed,
        load_ms: load.as_secs_f64() * 1e3,
        position_bytes: 8 * evaluators.engine().position_words(),
        speed,
        peak_rss_kb: peak(),
    };
    if args.json { console.json(&report) } else { console.data(said(&report)) }
}

fn said(report: &Report) -> String {
    let speed = &report.speed;
    let memory = report.peak_rss_kb.map_or("unknown".to_string(), |kb| format!("{kb} kB"));
    let rows = [
        ("random games a second", format!("{:.0}", speed.playouts_per_second)),
        ("their moves a second", format!("{:.0}", speed.plies_per_second)),
        (
            "sequences a second, last move counted",
            format!("{:.0} ({} of {})", speed.perft_leaves_per_second, speed.perft_leaves, speed.perft_depth),
        ),
        (
            "sequences a second, all moves made",
            format!("{:.0} ({} of {})", speed.made_leaves_per_second, speed.made_leaves, speed.made_depth),
        ),
        ("milliseconds to the first move", format!("{:.2}", report.load_ms)),
        ("bytes of a position", report.position_bytes.to_string()),
        ("most memory", memory),
        ("rules, version, seed", format!("{}, {}, {}", report.rules_hash, report.engine_version, report.seed)),
    ];
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let rows: Vec<String> = rows.iter().map(|(name, value)| format!("  {name:width$}  {value}")).collect();
    format!("{}\n{}", report.game, rows.join("\n"))
}

/// A number for a list of texts (FNV-1a).
fn hash<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Time that this thread has been at work; where the system does not tell, time that has gone by.
fn used() -> Duration {
    static BEGIN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let begin = *BEGIN.get_or_init(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|told| told.split_whitespace().next()?.parse().ok());
    nanos.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// The most memory that this program has had, in kilobytes, where the system tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
