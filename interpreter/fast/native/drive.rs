//! Plays random games and counts sequences with native code, a turn at a time; whatever is not usual is left to the usual way.

use super::games::{BETWEEN, COUNTERS, NONE_PLAYED};
use super::turns::NOT;
use super::ways::ON;
use super::{ELSE, Games, Turn, Turns};
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::core::Core;
use crate::fast::course::Play;
use crate::fast::perft::Spare;
use crate::fast::playout::PlayoutResult;
use crate::play::{Asks, Chance, Status, Trouble};

/// What comes after a turn.
enum Next {
    /// The turn of this seat, with so many runs.
    Turn(usize, u64),
    /// An end holds.
    Over,
    /// The next player has no run, or there may be no next turn.
    Last,
    /// It has to be found out the usual way.
    Else,
}

/// One of the runs that were counted.
struct Drawn<const W: usize> {
    set: Set<W>,
    about: u64,
}

/// The record at a place, and the place of the next.
#[inline(always)]
fn record<const W: usize>(lots: &[u64], at: usize) -> (Drawn<W>, usize) {
    let words = &lots[at..at + W + 2];
    (Drawn { set: Set::from_words(words), about: words[W + 1] }, at + W + 2)
}

impl<const W: usize> Core<'_, W> {
    /// Carries out a run; gives its cut.
    #[inline]
    fn enact_natively(&mut self, turn: &Turn, about: u64, site: i32) -> Result<u32, Trouble> {
        self.set_fuel(self.p.rules.bounds.fuel);
        self.run.looks = 0;
        let cut = turn.enact.call(self, [about & 0xffff_ffff, site as u64, about >> 32]);
        self.carried_out(cut)
    }

    /// The cut to which a run has been carried out; if it has been carried out in part, the rest is done.
    fn carried_out(&mut self, cut: u64) -> Result<u32, Trouble> {
        if self.trouble.is_some() {
            self.check()?;
        }
        if cut < ON {
            return Ok(cut as u32);
        }
        if cut == NOT {
            crate::bug!("a run was drawn that was not counted");
        }
        self.trusting = true;
        let cut = self.go_rounds(cut as u32, None);
        self.trusting = false;
        self.check()?;
        cut
    }

    /// Ends a turn, and counts the runs of the next.
    #[inline]
    fn pass_on(&mut self, code: &Turns, turn: &Turn, lots: &mut [u64]) -> Result<Next, Trouble> {
        let p = self.p;
        let layout = &p.layout;
        let mover = self.mover();
        self.end_turn(mover)?;
        self.asks = Asks::End;
        if turn.ends.call(self, [0; 3]) != 0 || self.trouble.is_some() {
            return Ok(Next::Over);
        }
        if self.scalar(layout.turns) as u32 >= p.rules.bounds.turns {
            return Ok(Next::Last);
        }
        let next = self.scalar(layout.next) as usize;
        let Some(turn) = code.turn(next) else {
            return Ok(Next::Else);
        };
        let at = [layout.mover, layout.next, layout.turn_key].map(|at| at as usize);
        let before = at.map(|at| self.b[at]);
        self.begin_turn(next as i32);
        self.run.looks = 0;
        let total = turn.count.call_with(self, lots);
        if total != ELSE && total != 0 && self.trouble.is_none() {
            return Ok(Next::Turn(next, total));
        }
        for (at, word) in at.into_iter().zip(before) {
            self.b[at] = word;
        }
        self.asks = Asks::End;
        Ok(if total == 0 { Next::Last } else { Next::Else })
    }

    /// Is this the beginning of a turn that native code can do? Whose?
    fn native_seat(&self, code: &Turns) -> Option<usize> {
        let seat = usize::try_from(self.mover()).ok()?;
        (self.b[self.p.layout.resigned as usize] == 0 && code.turn(seat).is_some()).then_some(seat)
    }
}

impl<const W: usize> Play<'_, W> {
    /// Plays a random game to its end, usual turns by native code, which has words to count in.
    pub fn play_out_natively(
        &mut self,
        code: &Games,
        words: &mut Vec<u64>,
        chance: &mut Chance,
    ) -> Result<PlayoutResult, Trouble> {
        words.resize(code.room(), 0);
        self.play_by(chance, |play, result| {
            while !matches!(play.status, Status::Over(_)) {
                let usual = matches!(play.status, Status::ToMove(_)) && !play.setup && play.steps == 0;
                if !usual || !play.play_natively(code, words, result)? {
                    play.play_once(result)?;
                }
            }
            Ok(())
        })
    }

    /// Plays at random for as long as turns are usual; says whether it played any.
    fn play_natively(&mut self, code: &Games, words: &mut [u64], result: &mut PlayoutResult) -> Result<bool, Trouble> {
        let core = &mut self.core;
        if core.b[core.p.layout.resigned as usize] != 0 {
            return Ok(false);
        }
        words[..COUNTERS].fill(0);
        (core.asks, core.stuck, core.run.looks) = (Asks::Turn, None, 0);
        core.tally.node = None;
        let stop = code.play.call_with(core, words);
        if core.trouble.is_some() {
            core.check()?;
        }
        result.plies += words[0];
        result.counted += words[0];
        result.branching += words[1];
        if stop == NONE_PLAYED {
            return Ok(false);
        }
        if stop == BETWEEN {
            self.go_on_between(self.core.mover())?;
            return Ok(true);
        }
        self.steps = 0;
        let cut = core.carried_out(stop)?;
        self.end_quickly(cut)?;
        Ok(true)
    }

    /// The number of sequences of so many moves, the last counted; none if this is no usual turn. The game stands afterwards where it stood.
    pub fn perft_natively(&mut self, code: &Turns, depth: u32, spare: &mut Spare<W>) -> Result<Option<u64>, Trouble> {
        let core = &mut self.core;
        let usual = matches!(self.status, Status::ToMove(_)) && !self.setup && self.steps == 0;
        let Some(turn) = core.native_seat(code).filter(|_| usual && depth > 0).and_then(|seat| code.turn(seat)) else {
            return Ok(None);
        };
        let mut lots = spare.lots.pop().unwrap_or_default();
        lots.resize(code.room, 0);
        core.run.looks = 0;
        let total = turn.count.call_with(core, &mut lots);
        if total == ELSE || core.trouble.is_some() {
            core.trouble = None;
            return Ok(None);
        }
        if depth == 1 {
            return Ok(Some(total));
        }
        let (status, node) = (self.status.clone(), self.node);
        let (asks, stuck) = (self.core.asks, self.core.stuck);
        let sum = self.perft_in(code, turn, lots, depth, spare);
        self.core.tally.node = None;
        (self.core.asks, self.core.stuck) = (asks, stuck);
        (self.status, self.node) = (status, node);
        sum.map(Some)
    }

    /// The same, for a usual turn whose runs have been counted in `own`.
    fn perft_in(
        &mut self,
        code: &Turns,
        turn: &Turn,
        own: Vec<u64>,
        depth: u32,
        spare: &mut Spare<W>,
    ) -> Result<u64, Trouble> {
        let from = spare.words.len();
        spare.words.extend_from_slice(&self.core.b);
        let past = (self.core.keys.len(), self.core.boards.len());
        let noted = self.core.run.noted;
        let end = own[0] as usize / 8;
        let mut next_lots = spare.lots.pop().unwrap_or_default();
        next_lots.resize(code.room, 0);
        let mut sum = 0;
        let mut at = 1;
        while at < end {
            let (drawn, next) = record::<W>(&own, at);
            at = next;
            for site in drawn.set.iter() {
                let cut = self.core.enact_natively(turn, drawn.about, site)?;
                let usual = matches!(self.core.p.nodes[cut as usize].op, Op::End);
                let after = if usual { self.core.pass_on(code, turn, &mut next_lots)? } else { Next::Else };
                sum += match after {
                    Next::Turn(_, total) if depth == 2 => total,
                    Next::Turn(seat, _) => {
                        let Some(turn) = code.turn(seat) else {
                            crate::bug!("a turn without code was counted by code");
                        };
                        let lots = std::mem::take(&mut next_lots);
                        let more = self.perft_in(code, turn, lots, depth - 1, spare)?;
                        next_lots = spare.lots.pop().unwrap_or_default();
                        more
                    }
                    Next::Over | Next::Last => self.core.check().map(|()| 0)?,
                    Next::Else => {
                        self.core.tally.node = None;
                        if usual {
                            let mover = self.core.mover();
                            self.go_on_between(mover)?;
                        } else {
                            self.go_on_from(cut)?;
                        }
                        let more = self.perft_from(depth - 1, true, spare)?;
                        (self.setup, self.steps) = (false, 0);
                        self.core.turning = true;
                        self.core.run.noted = noted;
                        more
                    }
                };
                let words = self.core.p.layout.total;
                self.core.b.copy_from_slice(&spare.words[from..from + words]);
                self.core.keys.truncate(past.0);
                self.core.boards.truncate(past.1);
            }
        }
        spare.words.truncate(from);
        spare.lots.push(next_lots);
        spare.lots.push(own);
        Ok(sum)
    }
}
