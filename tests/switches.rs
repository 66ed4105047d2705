//! Every optimisation of the fast evaluator can be left out by itself, or all of them: in random games of every bundled game the plain
//! evaluator sees the same status, the same position and the same moves in the same order, and what may be drawn at random is what
//! is legal.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::evaluators::Evaluators;
use lusory::fast::Engine;
use lusory::fast::switches::{ALL, Switches};
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::play::{Chance, Move, Snapshot, Start, Status, Table, Trouble};
use lusory::rules::Bounds;

/// Random games a game, and how long they are followed.
const GAMES: u64 = 2;
const PLIES: usize = 24;
/// How long the plain evaluator may take for one game; what is left then is not tried.
const LONGEST: Duration = Duration::from_millis(200);
/// How long one way to leave something out may take for one game.
const EACH: Duration = Duration::from_millis(50);

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trial = |game: String| Trial::test(game.clone(), move || tried(&game).map_err(Failed::from));
    libtest_mimic::run(&args, Bundled.names().into_iter().map(trial).collect()).exit_code()
}

/// How a game stands, and what is played next.
struct Stand {
    status: Status,
    position: Snapshot,
    moves: Vec<Move>,
    played: Option<Move>,
}

fn tried(game: &str) -> Result<(), String> {
    let source = Bundled.read(game).ok_or("no such game")?;
    let mut loaded = pipeline::load(source, &Bundled, &Embedded);
    loaded.bounds = Bounds::trusted();
    let rules = loaded.ready(&[]).map_err(|found| format!("{found:?}"))?.rules;
    let plain = Evaluators::new(rules.clone());
    let until = Instant::now() + LONGEST;
    let lines: Vec<Vec<Stand>> = (0..GAMES)
        .map(|number| line(&plain, number, until).map_err(|trouble| trouble.to_string()))
        .collect::<Result<_, _>>()?;
    let single = ALL.iter().map(|(switch, name, _)| (format!("no-{name}"), Switches::ON.without(*switch)));
    let ways = [("fast".to_string(), Switches::ON), ("no-all".to_string(), Switches::OFF)];
    for (name, switches) in ways.into_iter().chain(single) {
        let engine = Engine::with(rules.clone(), switches);
        let until = Instant::now() + EACH;
        for (number, line) in lines.iter().enumerate() {
            let differs = |said| format!("--engine {name}, game {number} of seed 1: {said}");
            same(&engine, line, number as u64, until).map_err(differs)?;
        }
    }
    Ok(())
}

/// A random game of the plain evaluator.
fn line(plain: &Evaluators, number: u64, until: Instant) -> Result<Vec<Stand>, Trouble> {
    let mut chance = Chance::nth(1, number);
    let mut table = plain.slow_table(&Start::beginning())?;
    let mut stands: Vec<Stand> = Vec::new();
    while stands.len() < PLIES && (stands.len() < 2 || Instant::now() < until) {
        let (status, position) = (table.status(), table.snapshot());
        let moves = match status {
            Status::ToMove(_) => table.moves()?,
            _ => Vec::new(),
        };
        let played = match status {
            Status::Over(_) => None,
            Status::Chance => Some(table.draw(&mut |n| chance.below(n))?),
            Status::ToMove(_) => moves.get(chance.below(moves.len() as u64) as usize).cloned(),
        };
        if let Some(played) = &played {
            table.play(played)?;
        }
        let over = played.is_none();
        stands.push(Stand { status, position, moves, played });
        if over {
            break;
        }
    }
    Ok(stands)
}

/// The same game on an engine.
fn same(engine: &Engine, line: &[Stand], number: u64, until: Instant) -> Result<(), String> {
    let failed = |trouble: Trouble| trouble.to_string();
    let mut game = engine.start().map_err(failed)?;
    let mut chance = Chance::nth(2, number);
    for (ply, stand) in line.iter().enumerate() {
        let at = |what: &str| format!("{what} after {ply} moves\n{:?}", stand.position);
        if game.status() != stand.status {
            return Err(at(&format!("the status is {:?}, not {:?}", game.status(), stand.status)));
        }
        if game.snapshot() != stand.position {
            return Err(at(&format!("the position is {:?}, not", game.snapshot())));
        }
        if matches!(stand.status, Status::ToMove(_)) {
            if game.count().map_err(failed)? != stand.moves.len() as u64 {
                return Err(at("the number of moves differs"));
            }
            let moves = game.moves().map_err(failed)?;
            if moves != stand.moves {
                return Err(at(&format!("the moves are {moves:?}, not {:?}", stand.moves)));
            }
            let mut drawable = game.drawable().map_err(failed)?;
            let mut legal = moves;
            drawable.sort();
            legal.sort();
            if drawable != legal {
                return Err(at("what may be drawn is not what is legal"));
            }
            let drawn = game.random_move(&mut chance).map_err(failed)?;
            if !legal.contains(&drawn) {
                return Err(at(&format!("{drawn:?} was drawn, which is not legal")));
            }
        }
        if let Some(played) = &stand.played {
            game.play(played).map_err(failed)?;
        }
        if ply > 2 && Instant::now() > until {
            break;
        }
    }
    Ok(())
}
