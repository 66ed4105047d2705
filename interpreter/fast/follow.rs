//! Follows choices that are given.

use super::code::*;
use super::core::Core;
use super::goal::Goal;
use super::run::Stop;
use crate::play::Trouble;

impl<const W: usize> Core<'_, W> {
    /// Follows choices from a node to the next cut and gives the cut's node; the position stays there. `trusted`: the choices are known
    /// to be legal.
    pub fn follow(&mut self, start: u32, choices: &[i32], trusted: bool) -> Result<u32, Trouble> {
        self.trusting = trusted;
        let cut = self.follow_on(start, choices, trusted);
        self.trusting = false;
        cut
    }

    fn follow_on(&mut self, start: u32, choices: &[i32], trusted: bool) -> Result<u32, Trouble> {
        let p = self.p;
        if !trusted {
            self.run.best.clear();
            self.run.best.resize(p.n_best, None);
            if p.n_best > 0 {
                self.explore(start, &mut Goal::Count)?;
            }
        }
        self.fresh_move();
        let mut left = choices.iter().copied();
        let mut at = start;
        loop {
            let here = match self.forward(at, false)? {
                Stop::Fork(here) if self.is_anothers(here) => {
                    return if left.next().is_none() { Ok(here) } else { Err(Trouble::Illegal) };
                }
                Stop::Fork(here) => here,
                Stop::Cut(cut) => {
                    self.check()?;
                    return if left.next().is_none() { Ok(cut) } else { Err(Trouble::Illegal) };
                }
                Stop::Dead | Stop::Tail(_) => return Err(Trouble::Illegal),
            };
            let node = &p.nodes[here as usize];
            at = match &node.op {
                Op::Choose(choose) => {
                    let code = left.next().ok_or(Trouble::Illegal)?;
                    if !trusted && !self.offered(choose).has(&choose.name.dom, code) {
                        return Err(Trouble::Illegal);
                    }
                    self.bind_code(&choose.name, code);
                    node.next
                }
                Op::Either(branches) => {
                    let code = left.next().ok_or(Trouble::Illegal)? as usize;
                    let &(otherwise, to) = branches.get(code).ok_or(Trouble::Illegal)?;
                    if otherwise && !trusted {
                        // Here the choices so far are not written down.
                        self.run.answers.clear();
                        if self.open_branches(branches)? >> code.min(63) & 1 == 0 {
                            return Err(Trouble::Illegal);
                        }
                    }
                    to
                }
                Op::More(again, out) => match left.next() {
                    Some(0) => *again,
                    Some(1) => *out,
                    _ => return Err(Trouble::Illegal),
                },
                Op::Possible(again, out) => {
                    if self.may_begin(*again) && self.possible(*again)? {
                        *again
                    } else {
                        *out
                    }
                }
                Op::Best(id, _, value) => {
                    let value = self.int(value);
                    if !trusted && self.run.best[*id as usize].is_some_and(|best| best != value) {
                        return Err(Trouble::Illegal);
                    }
                    node.next
                }
                _ => return Err(Trouble::Illegal),
            };
        }
    }
}
