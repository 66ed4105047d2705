//! `lusory perft`: how many sequences of moves there are, depth by depth.

use serde::Serialize;

use super::args::{Engine, PerftArgs};
use super::console::Console;
use super::failure::{Failure, within};
use super::{game, start};
use crate::evaluators::Evaluators;
use crate::play::perft::{divide_on, total};
use crate::play::{Table, Trouble};

/// The deepest that is counted.
const DEEPEST: u32 = 64;

#[derive(Serialize)]
struct Counted {
    depths: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divided: Option<Vec<(String, u64)>>,
}

/// Counts.
pub fn run(args: &PerftArgs, console: &Console) -> Result<(), Failure> {
    let depth = within("--depth", args.depth, 0, DEEPEST)?;
    let threads = within("--threads", args.threads, 1, 256)?;
    let mut game = game::load(&args.game.game, &args.game.rules, console)?;
    let mut opened = start::open(&mut game, &args.from, console)?;
    if let Engine::Fast(switches) = args.engine {
        opened.evaluators = Evaluators::with(opened.evaluators.engine().rules().clone(), switches);
    }
    let trouble = |trouble: Trouble| game.trouble(trouble);
    let make = || -> Result<Box<dyn Table + '_>, Trouble> {
        match args.engine {
            Engine::Fast(_) => opened.evaluators.table(&opened.start),
            Engine::Reference => opened.evaluators.slow_table(&opened.start),
        }
    };
    let mut counted = Counted { depths: Vec::new(), divided: None };
    if args.divide {
        let divided = divide_on(&make, depth, threads).map_err(trouble)?;
        let mut speaker = opened.evaluators.speaker(&opened.start).map_err(trouble)?;
        let mut rows = Vec::new();
        for (chosen, nodes) in &divided {
            rows.push((speaker.text_of(chosen).map_err(trouble)?, *nodes));
        }
        rows.sort();
        for (text, nodes) in rows.iter().filter(|_| !args.json) {
            console.data(format!("{text}\t{nodes}"))?;
        }
        counted.divided = Some(rows);
        counted.depths.push(if depth == 0 { 1 } else { total(&divided) });
        if !args.json {
            console.data(format!("{depth}\t{}", counted.depths[0]))?;
        }
    } else {
        for depth in depth.min(1)..=depth {
            let nodes = match depth {
                0 => 1,
                _ if threads == 1 => make().map_err(trouble)?.perft(depth).map_err(trouble)?,
                _ => total(&divide_on(&make, depth, threads).map_err(trouble)?),
            };
            counted.depths.push(nodes);
            if !args.json {
                console.data(format!("{depth}\t{nodes}"))?;
            }
        }
    }
    if args.json { console.json(&counted) } else { Ok(()) }
}
