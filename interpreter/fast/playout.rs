//! Random games: uniform over the legal moves, from a seed.

use super::course::Play;
use crate::play::{Outcome, Status, Trouble};
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

/// The generator of random games.
pub struct Dice(Pcg64Mcg);

impl Dice {
    /// The generator of one game out of many: the same seed and number, the same game.
    pub fn new(seed: u64, game: u64) -> Self {
        let high = super::core::mix(seed, game);
        let low = super::core::mix(game, !seed);
        Dice(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// A number below `n`, every one alike. `n` is above 0.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        // Lemire's method: the high half of a product, thrown again where the low half would favour some numbers.
        let mut product = u128::from(self.0.next_u64()) * u128::from(n);
        if (product as u64) < n {
            let least = n.wrapping_neg() % n;
            while (product as u64) < least {
                product = u128::from(self.0.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }
}

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
    pub fn playout(&mut self, dice: &mut Dice, most: u64) -> Result<PlayoutResult, Trouble> {
        let mut result = PlayoutResult {
            outcome: None,
            plies: 0,
            events: 0,
            branching: 0,
        };
        loop {
            match &self.status {
                Status::Over(outcome) => {
                    result.outcome = Some(outcome.clone());
                    return Ok(result);
                }
                Status::Chance => {
                    result.events += 1;
                    let (_, stop) = self.core.throw(self.node, &mut |n| dice.below(n))?;
                    self.after_chance(stop)?;
                }
                Status::ToMove(_) => {
                    if result.plies >= most {
                        return Ok(result);
                    }
                    let moves = self.list()?;
                    result.branching += moves.len() as u64;
                    result.plies += 1;
                    let chosen = &moves[dice.below(moves.len() as u64) as usize];
                    self.make(&chosen.0, true)?;
                }
            }
        }
    }
}
