//! Counts move sequences: the last move is counted, not made; above it moves are made and taken back.
//!
//! If every move is to be made, the moves are those that going through all runs finds, so that the two ways of counting test each other.

use super::code::Program;
use super::course::Play;
use super::quick::Which;
use super::tally::Tally;
use crate::play::{Asks, Status, Trouble};

/// Memory for counting that is used again and again.
#[derive(Default)]
pub struct Spare<const W: usize> {
    /// Blocks of positions to come back to.
    pub(super) words: Vec<u64>,
    tallies: Vec<Tally<W>>,
    /// Is native code worth its making?
    #[cfg(feature = "native")]
    pub(super) native: bool,
    /// Where it counts.
    #[cfg(feature = "native")]
    pub(super) lots: Vec<Vec<u64>>,
}

/// From so many moves on native code is made for counting.
#[cfg(feature = "native")]
const WORTH: u32 = 4;

impl<const W: usize> Spare<W> {
    /// For counting so many moves.
    pub fn for_depth(p: &Program<W>, depth: u32) -> Self {
        #[cfg(not(feature = "native"))]
        let _ = (p, depth);
        Spare {
            #[cfg(feature = "native")]
            native: depth >= WORTH || p.native.eager,
            ..Spare::default()
        }
    }
}

/// A position to come back to; its block is kept with [`Spare`].
struct Mark {
    at: usize,
    status: Status,
    node: u32,
    setup: bool,
    steps: u32,
    keys: usize,
    boards: usize,
    asks: Asks,
    stuck: Option<bool>,
    turning: bool,
    noted: bool,
}

impl<const W: usize> Play<'_, W> {
    /// The number of sequences of so many moves. `bulk`: the last are counted, not made. The game stands afterwards where it stood.
    pub fn perft_from(&mut self, depth: u32, bulk: bool, spare: &mut Spare<W>) -> Result<u64, Trouble> {
        match (depth, &self.status) {
            (0, _) => return Ok(1),
            (_, Status::Over(_)) => return Ok(0),
            (1, _) if bulk => return self.count(),
            _ => {}
        }
        #[cfg(feature = "native")]
        if bulk
            && spare.native
            && let p = self.core.p
            && let Some(code) = p.native.turns(p)
            && let Some(sum) = self.perft_natively(code, depth, spare)?
        {
            return Ok(sum);
        }
        let mark = self.mark(spare);
        let sum = match self.status {
            Status::Chance => self.perft_throws(depth, bulk, spare, &mark),
            _ => self.perft_moves(depth, bulk, spare, &mark),
        };
        self.back_to(&mark, spare);
        spare.words.truncate(mark.at);
        sum
    }

    fn mark(&self, spare: &mut Spare<W>) -> Mark {
        let at = spare.words.len();
        spare.words.extend_from_slice(&self.core.b);
        Mark {
            at,
            status: self.status.clone(),
            node: self.node,
            setup: self.setup,
            steps: self.steps,
            keys: self.core.keys.len(),
            boards: self.core.boards.len(),
            asks: self.core.asks,
            stuck: self.core.stuck,
            turning: self.core.turning,
            noted: self.core.run.noted,
        }
    }

    fn back_to(&mut self, mark: &Mark, spare: &Spare<W>) {
        let len = self.core.b.len();
        self.core.b.copy_from_slice(&spare.words[mark.at..mark.at + len]);
        self.core.keys.truncate(mark.keys);
        self.core.boards.truncate(mark.boards);
        self.core.asks = mark.asks;
        self.core.stuck = mark.stuck;
        self.core.turning = mark.turning;
        self.core.run.noted = mark.noted;
        self.core.trouble = None;
        self.core.counting = false;
        self.core.tally.node = None;
        self.status.clone_from(&mark.status);
        self.node = mark.node;
        self.setup = mark.setup;
        self.steps = mark.steps;
    }

    fn perft_throws(&mut self, depth: u32, bulk: bool, spare: &mut Spare<W>, mark: &Mark) -> Result<u64, Trouble> {
        let mut sum = 0;
        for (thrown, _) in self.core.rolls(self.node)? {
            self.core.counting = bulk && depth == 2;
            self.make(&thrown.0, true)?;
            sum += self.perft_from(depth - 1, bulk, spare)?;
            self.back_to(mark, spare);
        }
        Ok(sum)
    }

    fn perft_moves(&mut self, depth: u32, bulk: bool, spare: &mut Spare<W>, mark: &Mark) -> Result<u64, Trouble> {
        if !bulk {
            self.core.list_runs(self.node)?;
        } else if self.core.tally.node != Some(self.node) {
            self.core.tally(self.node)?;
        }
        let own = spare.tallies.pop().unwrap_or_default();
        let tally = std::mem::replace(&mut self.core.tally, own);
        // `require most` was settled by the listing; what it asks for is needed for each move.
        let best = self.core.run.best.clone();
        let sum = self.perft_each(&tally, &best, depth, bulk, spare, mark);
        spare.tallies.push(std::mem::replace(&mut self.core.tally, tally));
        sum
    }

    fn perft_each(
        &mut self,
        tally: &Tally<W>,
        best: &Vec<Option<i32>>,
        depth: u32,
        bulk: bool,
        spare: &mut Spare<W>,
        mark: &Mark,
    ) -> Result<u64, Trouble> {
        let mut sum = 0;
        if tally.usual {
            for lot in &tally.lots {
                for code in lot.set.iter() {
                    let cut = self.core.enact(lot, Which::Code(code))?;
                    self.core.counting = bulk && depth == 2;
                    self.end_quickly(cut)?;
                    sum += self.perft_from(depth - 1, bulk, spare)?;
                    self.back_to(mark, spare);
                }
            }
            return Ok(sum);
        }
        let mut chosen = Vec::new();
        for number in 0..tally.total {
            chosen.clear();
            self.core.run.best.clone_from(best);
            self.core.draw_codes(self.node, tally, number, &mut chosen)?;
            let cut = self.core.follow(self.node, &chosen, true)?;
            self.core.counting = bulk && depth == 2;
            self.end_quickly(cut)?;
            sum += self.perft_from(depth - 1, bulk, spare)?;
            self.back_to(mark, spare);
        }
        Ok(sum)
    }
}

impl<const W: usize> super::core::Core<'_, W> {
    /// Lists the runs from a fork by going through all of them.
    fn list_runs(&mut self, fork: u32) -> Result<(), Trouble> {
        let mut tally = std::mem::take(&mut self.tally);
        tally.begin(Some(fork));
        let done = self.list_into(fork, &mut tally);
        if done.is_err() {
            tally.node = None;
        }
        self.tally = tally;
        done
    }
}
