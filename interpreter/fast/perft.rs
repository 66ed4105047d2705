//! Counts move sequences: the last move is counted, not made; above it positions are copied and moves made.

use super::course::Play;
use crate::play::{Status, Trouble};

impl<const W: usize> Play<'_, W> {
    /// The number of sequences of so many moves. `bulk`: the last are counted, not made; `pool` keeps positions for use again.
    pub fn perft_from(&mut self, depth: u32, bulk: bool, pool: &mut Vec<Self>) -> Result<u64, Trouble> {
        match (depth, &self.status) {
            (0, _) => return Ok(1),
            (_, Status::Over(_)) => return Ok(0),
            (1, _) if bulk => return self.count(),
            _ => {}
        }
        let moves = match self.status {
            Status::Chance => self.core.rolls(self.node)?.into_iter().map(|(chosen, _)| chosen).collect(),
            _ => self.list()?,
        };
        let mut child = pool.pop().unwrap_or_else(|| self.clone());
        let mut sum = 0;
        for chosen in &moves {
            child.copy_from(self);
            // `require most` was settled by the listing; what it asks for goes with the copy.
            child.core.run.best.clone_from(&self.core.run.best);
            child.core.tallying = self.core.tallying;
            child.make(&chosen.0, true)?;
            sum += child.perft_from(depth - 1, bulk, pool)?;
        }
        pool.push(child);
        Ok(sum)
    }
}
