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
        self.core.tallying = !self.by_outcome();
        self.core.tally.node = None;
        let done = self.play_on(chance, most, &mut result);
        self.core.tallying = false;
        done.map(|()| result)
    }

    fn play_on(&mut self, chance: &mut Chance, most: u64, result: &mut PlayoutResult) -> Result<(), Trouble> {
        loop {
            match &self.status {
                Status::Over(outcome) => {
                    result.outcome = Some(outcome.clone());
                    return Ok(());
                }
                Status::Chance => {
                    result.events += 1;
                    let (_, stop) = self.core.throw(self.node, &mut |n| chance.below(n))?;
                    self.core.tallying = !self.by_outcome();
                    self.after_chance(stop)?;
                }
                Status::ToMove(_) if result.plies >= most => return Ok(()),
                Status::ToMove(_) if self.by_outcome() => {
                    self.core.tallying = false;
                    let moves = self.list()?;
                    result.branching += moves.len() as u64;
                    result.plies += 1;
                    let chosen = &moves[chance.below(moves.len() as u64) as usize];
                    self.make(&chosen.0, true)?;
                }
                Status::ToMove(_) => {
                    self.core.tallying = true;
                    if self.core.tally.node != Some(self.node) {
                        self.core.tally(self.node)?;
                    }
                    result.branching += self.core.tally.total;
                    result.plies += 1;
                    let cut = self.core.play_drawn(chance)?;
                    self.go_on_from(cut)?;
                }
            }
        }
    }
}
