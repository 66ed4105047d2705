//! Counting sequences of moves: what has been counted from a position is not counted again.

use std::collections::HashMap;
use std::rc::Rc;

use super::game::{Program, Slow};
use super::run::Script;
use crate::play::{Snapshot, Status, Table, Trouble};

/// How many counts are remembered at most; beyond that they are made again. (A position is one or two kilobytes.)
const MOST_REMEMBERED: usize = 100_000;

/// All that what comes next depends on: the past, the position in which the program began, and what was chosen and thrown since.
type Standing = (Vec<Rc<Snapshot>>, Program, Snapshot, Script);

/// The numbers of sequences from where a game stands, by their length.
#[derive(Default)]
pub struct Counted {
    known: HashMap<(u32, Standing), u64>,
}

impl Counted {
    /// The number of sequences of exactly `depth` moves and chance events from here.
    pub fn sequences(&mut self, game: &mut Slow, depth: u32) -> Result<u64, Trouble> {
        let next = match game.status() {
            _ if depth == 0 => return Ok(1),
            Status::Over(_) => return Ok(0),
            Status::ToMove(_) | Status::Chance => (depth, game.standing()),
        };
        if let Some(&count) = self.known.get(&next) {
            return Ok(count);
        }
        let moves = match game.status() {
            Status::Chance => game.outcomes()?.into_iter().map(|(chosen, _)| chosen).collect(),
            Status::ToMove(_) | Status::Over(_) => game.moves()?,
        };
        let mut count = moves.len() as u64;
        if depth > 1 {
            count = 0;
            for chosen in moves {
                let mut after = game.clone();
                after.play(&chosen)?;
                count += self.sequences(&mut after, depth - 1)?;
            }
        }
        if self.known.len() < MOST_REMEMBERED {
            self.known.insert(next, count);
        }
        Ok(count)
    }
}
