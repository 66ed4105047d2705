//! Random games: uniform over the legal moves, from a seed.

use super::course::Play;
use crate::play::{Chance, Move, Outcome, Status, Trouble};

/// What came of a random game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoutResult {
    /// How it ended; none if it was stopped after the greatest number of moves.
    pub outcome: Option<Outcome>,
    /// Moves played.
    pub plies: u64,
    /// Chance events.
    pub events: u64,
    /// Sum of the numbers of legal moves, where they were counted.
    pub branching: u64,
    /// Moves before which they were.
    pub counted: u64,
    /// Turns completed.
    pub turns: u32,
}

/// Plays random games, all from the same beginning, in memory that is used again and again.
pub struct Player<'e, const W: usize> {
    first: Play<'e, W>,
    play: Play<'e, W>,
    /// How many moves are played before native code is worth its making, or sixteen times as many ways gone to find them, and where that counts.
    #[cfg(feature = "native")]
    patience: u64,
    #[cfg(feature = "native")]
    words: Vec<u64>,
}

/// So many moves of random games are played before native code is made for them.
#[cfg(feature = "native")]
const PATIENCE: u64 = 5_000;

impl<'e, const W: usize> Player<'e, W> {
    /// From a game that has just begun.
    pub fn new(first: Play<'e, W>) -> Self {
        Player {
            play: first.clone(),
            #[cfg(feature = "native")]
            patience: if first.core.p.native.eager { 0 } else { PATIENCE },
            first,
            #[cfg(feature = "native")]
            words: Vec::new(),
        }
    }

    /// Plays one of the random games of a seed to its end.
    pub fn playout(&mut self, seed: u64, game: u64) -> Result<PlayoutResult, Trouble> {
        self.play.copy_from(&self.first);
        let mut result = self.play_one(&mut Chance::nth(seed, game))?;
        // Nobody asks this game how it stands.
        if let Status::Over(outcome) = std::mem::replace(&mut self.play.status, Status::Chance) {
            result.outcome = Some(outcome);
        }
        Ok(result)
    }
}

impl<const W: usize> Player<'_, W> {
    #[cfg(feature = "native")]
    fn play_one(&mut self, chance: &mut Chance) -> Result<PlayoutResult, Trouble> {
        if self.patience > 0 {
            let result = self.play.play_out(chance, u64::MAX)?;
            let ways = std::mem::take(&mut self.play.core.run.tried);
            self.patience = self.patience.saturating_sub(result.plies.max(1) + ways / 16);
            return Ok(result);
        }
        let p = self.play.core.p;
        self.play.core.code = p.native.segments(p);
        match p.native.games(p) {
            Some(code) => self.play.play_out_natively(code, &mut self.words, chance),
            None => self.play.play_out(chance, u64::MAX),
        }
    }

    #[cfg(not(feature = "native"))]
    fn play_one(&mut self, chance: &mut Chance) -> Result<PlayoutResult, Trouble> {
        self.play.play_out(chance, u64::MAX)
    }
}

impl<const W: usize> Play<'_, W> {
    /// One of the legal moves, each with the same chance.
    pub fn random_move(&mut self, chance: &mut Chance) -> Result<Move, Trouble> {
        if !matches!(self.status, Status::ToMove(_)) {
            return Err(Trouble::NotNow);
        }
        self.core.dice = Some(chance.clone());
        self.core.tally.wary = 0;
        let done = self.core.tally(self.node).and_then(|()| self.core.drawn());
        if let Some(dice) = self.core.dice.take() {
            *chance = dice;
        }
        self.core.tally.node = None;
        done.map(Move)
    }

    /// Plays at random to the end, at most so many moves.
    pub fn playout(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble> {
        let mut result = self.play_out(chance, most)?;
        if let Status::Over(outcome) = &self.status {
            result.outcome = Some(outcome.clone());
        }
        Ok(result)
    }

    /// The same; how it ended is not said.
    fn play_out(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble> {
        self.play_by(chance, |play, result| play.play_on(most, result))
    }

    /// Sets a random game up and plays it.
    pub(super) fn play_by(
        &mut self,
        chance: &mut Chance,
        play_on: impl FnOnce(&mut Self, &mut PlayoutResult) -> Result<(), Trouble>,
    ) -> Result<PlayoutResult, Trouble> {
        let mut result = PlayoutResult { outcome: None, plies: 0, events: 0, branching: 0, counted: 0, turns: 0 };
        self.core.tallying = true;
        self.core.tally.node = None;
        self.core.tally.wary = 0;
        self.core.dice = Some(chance.clone());
        let done = play_on(self, &mut result);
        self.core.tallying = false;
        if let Some(dice) = self.core.dice.take() {
            *chance = dice;
        }
        result.turns = self.core.scalar(self.core.p.layout.turns).max(0) as u32;
        done.map(|()| result)
    }

    fn play_on(&mut self, most: u64, result: &mut PlayoutResult) -> Result<(), Trouble> {
        while !matches!(self.status, Status::Over(_)) && result.plies < most {
            self.play_once(result)?;
        }
        // What chance decides is no move.
        while most != u64::MAX && self.status == Status::Chance {
            self.play_once(result)?;
        }
        Ok(())
    }

    /// One move or chance event of a random game that is not over.
    #[inline]
    pub(super) fn play_once(&mut self, result: &mut PlayoutResult) -> Result<(), Trouble> {
        if self.status == Status::Chance {
            result.events += 1;
            let Some(mut dice) = self.core.dice.take() else {
                crate::bug!("a random game without chance");
            };
            let thrown = self.core.throw(self.node, &mut |n| dice.below(n));
            self.core.dice = Some(dice);
            return self.after_chance(thrown?.1);
        }
        if self.core.tally.node != Some(self.node) {
            self.core.tally(self.node)?;
        }
        if !self.core.tally.guessed {
            result.branching += self.core.tally.total;
            result.counted += 1;
        }
        result.plies += 1;
        if self.ply_quickly()? {
            return Ok(());
        }
        let cut = self.core.play_drawn()?;
        self.end_quickly(cut)
    }
}
