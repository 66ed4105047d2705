//! What an exploration is for, and what it keeps of the runs that get to a cut.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::seen::Seen;
use crate::play::{Move, Trouble};

/// A mark for "the goal is reached".
pub(super) const FORK_ENDED: u32 = u32::MAX;

/// What an exploration is for.
#[derive(Debug)]
pub enum Goal<'a> {
    /// Is there a run?
    Any,
    /// How many are there?
    Count,
    /// Which? The set holds positions that were reached, if runs with the same are one.
    List(&'a mut Vec<Move>, Option<&'a mut Seen>),
    /// Is there a move that somebody has to choose, and how many runs? Ends with the first, or with the second run.
    Probe(&'a mut bool, &'a mut u32),
    /// The choices of all runs, one after the other, and where each ends. The flag: was anything chosen, or noted?
    Flat(&'a mut Vec<i32>, &'a mut Vec<u32>, &'a mut bool, Option<&'a mut Seen>),
    /// The first run; the position stays where it ended.
    Finish(&'a mut u32),
}

impl Goal<'_> {
    /// Forgets the runs that were kept.
    pub(super) fn clear(&mut self) {
        match self {
            Goal::List(list, seen) => {
                list.clear();
                if let Some(seen) = seen {
                    seen.clear();
                }
            }
            Goal::Flat(codes, ends, real, seen) => {
                codes.clear();
                ends.clear();
                **real = false;
                if let Some(seen) = seen {
                    seen.clear();
                }
            }
            Goal::Any | Goal::Count | Goal::Probe(..) | Goal::Finish(_) => {}
        }
    }
}

impl<const W: usize> Core<'_, W> {
    /// A run has got to a cut. Says whether that is enough.
    pub(super) fn complete(&mut self, node: u32, goal: &mut Goal<'_>) -> Result<bool, Trouble> {
        self.check()?;
        self.run.completed += 1;
        self.run.count += 1;
        match goal {
            Goal::Any => Ok(true),
            Goal::Count => Ok(false),
            Goal::Probe(real, runs) => {
                **real |= self.run.chose || self.run.noted;
                **runs += 1;
                Ok(**real || **runs > 1)
            }
            Goal::Finish(place) => {
                **place = node;
                Ok(true)
            }
            Goal::Flat(codes, ends, real, seen) => {
                **real |= self.run.chose || self.run.noted;
                if let Some(seen) = seen
                    && !self.is_new(node, seen)
                {
                    return Ok(false);
                }
                if seen.is_none() {
                    self.keep_ends(node, 1, std::iter::once(None));
                }
                self.room_for(ends.len() as u64 + 1)?;
                codes.extend_from_slice(&self.run.choices);
                ends.push(codes.len() as u32);
                Ok(false)
            }
            Goal::List(list, seen) => {
                if let Some(seen) = seen
                    && !self.is_new(node, seen)
                {
                    return Ok(false);
                }
                self.room_for(list.len() as u64 + 1)?;
                list.push(Move(self.run.choices.clone()));
                Ok(false)
            }
        }
    }

    /// May so many moves be listed?
    pub(super) fn room_for(&self, n: u64) -> Result<(), Trouble> {
        let limit = self.p.rules.bounds.moves;
        if n > limit as u64 { Err(Trouble::TooMany { span: self.here(), limit }) } else { Ok(()) }
    }

    /// Every member of a choice after which nothing can fail and nothing is left to choose.
    pub(super) fn all_at_once(
        &mut self,
        at: u32,
        choose: &Choose<W>,
        mut cursor: Cursor<W>,
        goal: &mut Goal<'_>,
    ) -> Result<Option<u32>, Trouble> {
        let n = cursor.count(&choose.name.dom);
        self.run.completed += n;
        self.run.count += n;
        match goal {
            Goal::Any if n > 0 => return Ok(Some(FORK_ENDED)),
            Goal::Probe(real, _) if n > 0 => {
                **real = true;
                return Ok(Some(FORK_ENDED));
            }
            Goal::List(list, _) => {
                self.room_for(list.len() as u64 + n)?;
                while let Some(code) = cursor.advance(&choose.name.dom, self.p) {
                    let mut codes = Vec::with_capacity(self.run.choices.len() + 1);
                    codes.extend_from_slice(&self.run.choices);
                    codes.push(code);
                    list.push(Move(codes));
                }
            }
            Goal::Flat(codes, ends, real, _) => {
                self.room_for(ends.len() as u64 + n)?;
                **real |= n > 0;
                if n > 0 {
                    let (mut members, p) = (cursor, self.p);
                    let next = std::iter::from_fn(|| members.advance(&choose.name.dom, p).map(Some));
                    self.keep_ends(at, n, next);
                }
                while let Some(code) = cursor.advance(&choose.name.dom, self.p) {
                    codes.extend_from_slice(&self.run.choices);
                    codes.push(code);
                    ends.push(codes.len() as u32);
                }
            }
            _ => {}
        }
        Ok(None)
    }
}
