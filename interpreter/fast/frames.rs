//! The places of an exploration from which several ways lead on: what is kept there, and how they are gone one after the other.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::goal::Goal;
use super::memo::UNKNOWN;
use super::switches::Switch;
use crate::play::Trouble;

/// A place to come back to.
#[derive(Clone, Debug)]
pub(super) struct Frame<const W: usize> {
    pub(super) node: u32,
    branch: u32,
    choices: u32,
    save: u32,
    /// How much had changed when the copy was made, see [`super::run::Run::changes`].
    changes: u64,
    pub(super) fuel: u32,
    chose: bool,
    noted: bool,
    chooser: i32,
    entered: u64,
    place: u32,
    cursor: Cursor<W>,
}

pub(super) const NO_SAVE: u32 = u32::MAX;

/// In the cursor of a loop that may be left, if it is known what that is worth to `require most`.
const VALUED: i64 = 1;

impl<const W: usize> Core<'_, W> {
    /// Copies the block if runs from this node may change it.
    pub(super) fn save(&mut self, node: u32) -> u32 {
        if !self.p.nodes[node as usize].dirty && self.p.switches.has(Switch::Keep) {
            return NO_SAVE;
        }
        let at = self.run.saves.len() as u32;
        self.run.saves.extend_from_slice(&self.b);
        at
    }

    /// Brings the block back, and forgets the copy and those made after it.
    pub(super) fn restore(&mut self, save: u32) {
        if save != NO_SAVE {
            self.reload(save);
            self.run.saves.truncate(save as usize);
        }
    }

    fn reload(&mut self, save: u32) {
        if save != NO_SAVE {
            let len = self.b.len();
            let from = save as usize;
            self.b.copy_from_slice(&self.run.saves[from..from + len]);
        }
    }

    #[inline]
    pub(super) fn take_member(&mut self, choose: &Choose<W>, code: i32) {
        match choose.name.to {
            Slot::Word(at) if !matches!(choose.name.dom, Dom::Lines(_)) => self.b[at as usize] = code as u32 as u64,
            _ => self.bind_code(&choose.name, code),
        }
        self.run.choices.push(code);
        self.run.chose = true;
    }

    /// Begins another round of a loop; what stopping here is worth to `require most` is worked out, if nothing stands between.
    pub(super) fn push_more(&mut self, at: u32, out: u32, goal: &Goal<'_>) {
        let mut cursor = Cursor::default();
        if let Some(value) = self.worth_at_once(out) {
            if !matches!(goal, Goal::Any) && self.is_lost(out, value, self.lists_best(goal)) {
                if self.run.memo.here != UNKNOWN {
                    self.push_saved(at, NO_SAVE, 2, cursor);
                }
                self.run.completed += 1;
                return;
            }
            (cursor.a, cursor.b) = (value.into(), VALUED);
        }
        self.push(at, at, 1, cursor);
    }

    pub(super) fn push(&mut self, node: u32, from: u32, branch: u32, cursor: Cursor<W>) {
        let save = self.save(from);
        self.push_saved(node, save, branch, cursor);
    }

    fn push_saved(&mut self, node: u32, save: u32, branch: u32, cursor: Cursor<W>) {
        self.run.frames.push(Frame {
            node,
            branch,
            choices: self.run.choices.len() as u32,
            save,
            changes: self.run.changes,
            fuel: self.fuel(),
            chose: self.run.chose,
            noted: self.run.noted,
            chooser: self.run.chooser,
            entered: self.run.completed,
            place: std::mem::replace(&mut self.run.memo.here, UNKNOWN),
            cursor,
        });
    }

    /// Goes back to the last place with another way, and begins with it.
    pub(super) fn backtrack(&mut self, base: usize, lists_best: bool) -> Result<Option<u32>, Trouble> {
        let p = self.p;
        loop {
            if self.run.frames.len() == base {
                return Ok(None);
            }
            let top = self.run.frames.len() - 1;
            self.run.ways += 1;
            self.run.looks += u64::from(self.run.frames[top].fuel.saturating_sub(self.fuel()));
            let bounds = &p.rules.bounds;
            if self.run.ways > bounds.ways {
                return Err(Trouble::TooLong { span: self.here(), what: "tries", limit: bounds.ways });
            }
            if self.run.looks > bounds.looks {
                return Err(Trouble::TooLong { span: self.here(), what: "looks", limit: bounds.looks });
            }
            let mut frame = &mut self.run.frames[top];
            let node = &p.nodes[frame.node as usize];
            let mut last = false;
            let mut code = None;
            let mut to = None;
            match &node.op {
                Op::Choose(choose) => {
                    code = frame.cursor.advance(&choose.name.dom, p);
                    last = !frame.cursor.has_more(&choose.name.dom);
                    to = code.map(|_| node.next);
                }
                Op::Either(branches) => {
                    while let Some(&(otherwise, branch)) = branches.get(frame.branch as usize) {
                        let open = frame.cursor.a >> frame.branch.min(63) & 1 == 1;
                        if !open || otherwise && !p.hard_best && self.run.completed != frame.entered {
                            frame.branch += 1;
                            continue;
                        }
                        code = Some(frame.branch as i32);
                        to = Some(branch);
                        frame.branch += 1;
                        break;
                    }
                    last = frame.branch as usize >= branches.len();
                }
                // With a place to be closed the frame stays until all that follows has been gone through.
                Op::More(..) | Op::Possible(..) if frame.branch > 1 => {}
                Op::More(_, out) => {
                    frame.branch = 2;
                    let (value, valued) = (frame.cursor.a as i32, frame.cursor.b == VALUED);
                    if valued && self.is_lost(*out, value, lists_best) {
                        self.run.completed += 1;
                        frame = &mut self.run.frames[top];
                    } else {
                        code = Some(1);
                        to = Some(*out);
                        frame = &mut self.run.frames[top];
                        last = frame.place == UNKNOWN;
                    }
                }
                Op::Possible(_, out) => {
                    to = (self.run.completed == frame.entered).then_some(*out);
                    last = frame.place == UNKNOWN;
                    frame.branch = 2;
                }
                _ => {}
            }
            if to.is_none() && frame.place != UNKNOWN {
                self.run.memo.close(frame.place, self.run.completed != frame.entered);
            }
            let (save, choices) = (frame.save, frame.choices as usize);
            (self.run.chose, self.run.noted) = (frame.chose, frame.noted);
            self.run.chooser = frame.chooser;
            let fuel = frame.fuel;
            self.set_fuel(fuel);
            self.run.choices.truncate(choices);
            let frame = &mut self.run.frames[top];
            let same = std::mem::replace(&mut frame.changes, self.run.changes) == self.run.changes;
            if !same {
                self.reload(save);
            }
            if last || to.is_none() {
                self.run.frames.truncate(top);
                if save != NO_SAVE {
                    self.run.saves.truncate(save as usize);
                }
            }
            let Some(to) = to else {
                continue;
            };
            if lists_best && matches!(node.op, Op::Either(_)) && self.is_worse(to) {
                continue;
            }
            match (&node.op, code) {
                (Op::Choose(choose), Some(code)) => self.take_member(choose, code),
                (_, Some(code)) => self.run.choices.push(code),
                (_, None) => {}
            }
            return Ok(Some(to));
        }
    }
}
