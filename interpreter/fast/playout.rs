//! Random games: uniform over the legal moves, from a seed.

use super::course::Play;
use crate::play::{Chance, Outcome, Status, Trouble};

/// What came of a random game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// How it ended; none if it was stopped after the greatest number of moves.
    pub outcome: Option<Outcome>,
    /// Moves played.
    pub plies: u64,
    /// Chance events.
    pub events: u64,
    /// Sum of the numbers of legal moves.
    pub branching: u64,
}

impl<const W: usize> Play<'_, W> {
    /// Plays at random to the end, at most so many moves.
    pub fn playout(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble> {
        let mut result = PlayoutResult { outcome: None, plies: 0, events: 0, branching: 0 };
        loop {
            match &self.status {
                Status::Over(outcome) => {
                    result.outcome = Some(outcome.clone());
                    return Ok(result);
                }
                Status::Chance => {
                    result.events += 1;
                    let (_, stop) = self.core.throw(self.node, &mut |n| chance.below(n))?;
                    self.after_chance(stop)?;
                }
                Status::ToMove(_) => {
                    if result.plies >= most {
                        return Ok(result);
                    }
                    let moves = self.list()?;
                    result.branching += moves.len() as u64;
                    result.plies += 1;
                    let chosen = &moves[chance.below(moves.len() as u64) as usize];
                    self.make(&chosen.0, true)?;
                }
            }
        }
    }
}
