//! Goes through all runs from a place in a program.
//!
//! Exploring keeps a stack of its own: a frame for each place where several ways lead on. The position is copied into a frame
//! only if something on the way to the next cut changes it.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::frames::{Frame, NO_SAVE};
use super::goal::{FORK_ENDED, Goal};
use super::kept::Kept;
use super::memo::Memo;
use super::switches::Switch;
use crate::play::Trouble;
use crate::play::table::DEEPEST_QUESTION;
use crate::rules::NONE;
use crate::source::Span;
use std::collections::BTreeMap;

/// Where a run has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Several ways may lead on from this node.
    Fork(u32),
    /// The end of a move or of the program: this node is a commit, a roll or the end.
    Cut(u32),
    /// It cannot go on.
    Dead,
    /// It will surely get to a cut, with nothing left to choose; this node is the next.
    Tail(u32),
}

/// How many words all copies of the position on the way may take together.
const MOST_SAVED: usize = 1 << 24;

/// The stacks of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Run<const W: usize> {
    pub(super) frames: Vec<Frame<W>>,
    pub(super) saves: Vec<u64>,
    /// The choices so far.
    pub choices: Vec<i32>,
    /// Runs that got to a cut.
    pub count: u64,
    /// The same, with those of which it is sure before `require most` is settled.
    pub(super) completed: u64,
    /// Who chose first in this move, if that matters.
    pub(super) chooser: i32,
    /// Ways gone in this exploration, rounds of loops on them and members looked at.
    pub(super) ways: u64,
    pub looks: u64,
    /// Ways gone in earlier explorations.
    pub tried: u64,
    /// Was something chosen by `choose`?
    pub chose: bool,
    /// Was there a note?
    pub noted: bool,
    /// What `require most` asks for, as far as it is known.
    pub best: Vec<Option<i32>>,
    /// How deep the present question about other runs is nested.
    depth: u32,
    /// What has been asked of the runs that begin with certain choices and then go on at a node.
    pub(super) answers: BTreeMap<(u32, Vec<i32>), bool>,
    /// Places that have been gone through.
    pub memo: Memo,
    /// The best values that were met where it is not known.
    pub(super) found: Vec<Option<i32>>,
    /// What became of the position by the runs that were listed.
    pub(super) kept: Kept,
    /// Grows with everything that changes what a copy of the position brings back.
    pub(super) changes: u64,
}

impl<const W: usize> Run<W> {
    /// Does somebody on the way ask whether a run gets to its end?
    pub(super) fn is_asked(&self, p: &Program<W>) -> bool {
        self.frames.iter().any(|frame| match &p.nodes[frame.node as usize].op {
            Op::Possible(..) => true,
            Op::Either(branches) => branches.iter().any(|(otherwise, _)| *otherwise),
            _ => false,
        })
    }
}

impl<const W: usize> Core<'_, W> {
    /// What a choose node offers now.
    pub fn offered(&mut self, choose: &Choose<W>) -> Cursor<W> {
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(cursor) = self.offered_natively(code, choose)
        {
            return cursor;
        }
        let mut cursor = self.open(&choose.name.dom);
        if let Some(only) = &choose.only {
            self.keep_sets(&choose.sets);
            cursor.set = cursor.set.and(self.sites(only));
            if let Dom::Steps(walk, _) = &choose.name.dom {
                cursor = walk.steps_to(cursor.set);
            }
        }
        cursor
    }

    /// A new move: nothing chosen, all fuel.
    pub fn fresh_move(&mut self) {
        self.set_fuel(self.p.rules.bounds.fuel);
        self.run.choices.clear();
        self.run.chose = false;
        self.run.completed = 0;
        self.run.count = 0;
        self.run.chooser = NONE;
        self.run.tried += std::mem::take(&mut self.run.ways);
        self.run.looks = 0;
        self.run.depth = 0;
        self.close_gates();
    }

    /// Goes through the runs of a move that begin at a node, as far as the goal asks; `require most` is settled first. The position
    /// is afterwards as it was (unless the goal is to finish a run). Says whether the goal ended it early.
    pub fn explore(&mut self, start: u32, goal: &mut Goal<'_>) -> Result<bool, Trouble> {
        self.run.best.clear();
        self.run.best.resize(self.p.n_best, None);
        loop {
            self.run.found.clear();
            self.run.found.resize(self.p.n_best, None);
            goal.clear();
            self.run.kept.clear();
            self.run.memo.clear();
            self.run.answers.clear();
            if let Goal::Probe(real, runs) = goal {
                (**real, **runs) = (false, 0);
            }
            self.fresh_move();
            let ended = self.pass(start, goal)?;
            match self.run.found.iter().position(Option::is_some) {
                Some(i) if !ended => {
                    self.run.best[i] = self.run.found[i];
                    if self.lists_best(goal) && !self.p.hard_best {
                        return Ok(ended);
                    }
                }
                _ => return Ok(ended),
            }
        }
    }

    /// Is there a run through this node to a cut, from where a play has come to?
    pub fn possible(&mut self, start: u32) -> Result<bool, Trouble> {
        self.run.answers.clear();
        self.may_end(start)
    }

    /// The same within an exploration, where the choices so far tell where it has come to: nothing is asked twice.
    pub(super) fn possible_here(&mut self, start: u32) -> Result<bool, Trouble> {
        let question = (start, self.run.choices.clone());
        if let Some(&known) = self.run.answers.get(&question) {
            return Ok(known);
        }
        let answer = self.may_end(start)?;
        self.run.answers.insert(question, answer);
        Ok(answer)
    }

    fn may_end(&mut self, start: u32) -> Result<bool, Trouble> {
        self.run.ways += 1;
        let limit = self.p.rules.bounds.ways;
        if self.run.ways > limit {
            return Err(Trouble::TooLong { span: self.here(), what: "tries", limit });
        }
        let (completed, count, choices) = (self.run.completed, self.run.count, self.run.choices.len());
        let (chose, noted, chooser, fuel) = (self.run.chose, self.run.noted, self.run.chooser, self.fuel());
        let (best, found) = (self.run.best.clone(), self.run.found.clone());
        let trusting = std::mem::replace(&mut self.trusting, false);
        let n = self.p.n_best;
        self.run.depth += 1;
        if self.run.depth > DEEPEST_QUESTION {
            self.run.depth -= 1;
            let (what, limit) = ("questions inside of each other", DEEPEST_QUESTION.into());
            return Err(Trouble::TooLong { span: self.here(), what, limit });
        }
        self.run.best.clear();
        self.run.best.resize(n, None);
        // What `require most` asks for is worked out for the runs that begin like this one.
        let ended = loop {
            self.run.found.clear();
            self.run.found.resize(n, None);
            let ended = self.pass(start, &mut Goal::Any);
            self.run.choices.truncate(choices);
            (self.run.chose, self.run.noted, self.run.chooser) = (chose, noted, chooser);
            self.set_fuel(fuel);
            match self.run.found.iter().position(Option::is_some) {
                Some(i) if ended == Ok(false) => self.run.best[i] = self.run.found[i],
                _ => break ended,
            }
        };
        self.run.depth -= 1;
        self.trusting = trusting;
        (self.run.completed, self.run.count) = (completed, count);
        (self.run.best, self.run.found) = (best, found);
        ended
    }

    /// The seat that chooses at a node.
    pub fn chooser_at(&mut self, node: u32) -> i32 {
        let p = self.p;
        match &p.nodes[node as usize].op {
            Op::Choose(choose) => match &choose.by {
                Some(by) => match self.int(by) {
                    NONE => self.mover(),
                    by => by,
                },
                None => self.mover(),
            },
            _ => self.mover(),
        }
    }

    /// Does the move end at this choice because somebody else makes it?
    pub(super) fn is_anothers(&mut self, node: u32) -> bool {
        let choice = matches!(self.p.nodes[node as usize].op, Op::Choose(_) | Op::Either(_) | Op::More(..));
        if !self.p.has_by || !choice {
            return false;
        }
        let seat = self.chooser_at(node);
        if self.run.chooser == NONE {
            self.run.chooser = seat;
        }
        self.run.chooser != seat
    }

    fn pass(&mut self, start: u32, goal: &mut Goal<'_>) -> Result<bool, Trouble> {
        let base = self.run.frames.len();
        let saves = self.run.saves.len();
        let whole = match goal {
            Goal::Finish(_) => NO_SAVE,
            _ => self.save(start),
        };
        let noted = self.run.noted;
        let ended = self.search(start, goal, base).and_then(|ended| self.check().map(|()| ended));
        self.run.frames.truncate(base);
        if !matches!((&ended, &goal), (Ok(true), Goal::Finish(_))) {
            self.restore(whole);
            self.run.noted = noted;
        }
        self.run.saves.truncate(saves);
        ended
    }

    fn search(&mut self, start: u32, goal: &mut Goal<'_>, base: usize) -> Result<bool, Trouble> {
        let skip = self.p.switches.has(Switch::Tail)
            && !matches!(goal, Goal::Finish(_) | Goal::List(_, Some(_)) | Goal::Flat(_, _, _, Some(_)));
        let mut at = start;
        loop {
            if self.run.saves.len() > MOST_SAVED {
                let (what, limit) = ("words of memory", MOST_SAVED as u64);
                return Err(Trouble::TooLong { span: self.here(), what, limit });
            }
            let stop = self.forward_or_out(at, skip, true)?;
            let next = match stop {
                Stop::Fork(node) if !self.is_anothers(node) => match self.p.nodes[node as usize].op {
                    Op::More(again, out) | Op::Possible(again, out) => self.round_at(node, [again, out], goal, skip)?,
                    _ => self.fork_at(node, goal, skip)?,
                },
                Stop::Fork(node) => {
                    if self.complete(node, goal)? {
                        return Ok(true);
                    }
                    None
                }
                Stop::Cut(node) | Stop::Tail(node) => {
                    if self.complete(node, goal)? {
                        return Ok(true);
                    }
                    None
                }
                Stop::Dead => None,
            };
            at = match next {
                Some(FORK_ENDED) => return Ok(true),
                Some(next) => next,
                None => match self.backtrack(base, self.lists_best(goal))? {
                    Some(next) => next,
                    None => return Ok(false),
                },
            };
        }
    }

    /// Begins with the first way from the end of a loop's round.
    fn round_at(&mut self, at: u32, ways: [u32; 2], goal: &mut Goal<'_>, skip: bool) -> Result<Option<u32>, Trouble> {
        let [again, out] = ways;
        if !self.may_begin(again) {
            if matches!(self.p.nodes[at as usize].op, Op::More(..)) {
                self.run.choices.push(1);
            }
            return Ok(Some(out));
        }
        match self.known_before(at, goal) {
            Some(completed) => {
                self.run.completed += u64::from(completed);
                Ok(None)
            }
            None => self.fork_at(at, goal, skip),
        }
    }

    /// Begins with the first way from a fork.
    fn fork_at(&mut self, at: u32, goal: &mut Goal<'_>, skip: bool) -> Result<Option<u32>, Trouble> {
        let p = self.p;
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Choose(choose) => {
                if matches!(goal, Goal::Any | Goal::Count | Goal::Probe(..))
                    && let Some(n) = self.planned(at)?
                {
                    self.run.completed += n;
                    self.run.count += n;
                    if let Goal::Probe(real, _) = goal {
                        **real |= n > 0;
                    }
                    return Ok((n > 0 && !matches!(goal, Goal::Count)).then_some(FORK_ENDED));
                }
                let mut cursor = self.offered(choose);
                self.open_gate(choose);
                if let Dom::Mask(_) = choose.name.dom {
                    cursor.a &= self.ways_on(at) as i64;
                }
                if skip && p.nodes[node.next as usize].tail {
                    return self.all_at_once(at, choose, cursor, goal);
                }
                let Some(code) = cursor.advance(&choose.name.dom, p) else {
                    return Ok(None);
                };
                if cursor.has_more(&choose.name.dom) {
                    self.push(at, node.next, 0, cursor);
                }
                self.take_member(choose, code);
                Ok(Some(node.next))
            }
            Op::Either(branches) => {
                let mut open = if p.hard_best { self.open_branches(branches)? } else { -1 };
                open &= self.ways_on(at) as i64;
                if self.lists_best(goal) {
                    for (i, &(_, to)) in branches.iter().enumerate().take(63) {
                        if open >> i & 1 == 1 && self.is_worse(to) {
                            open &= !(1 << i);
                        }
                    }
                }
                let Some(first) = (0..branches.len()).find(|&i| open >> i.min(63) & 1 == 1) else {
                    return Ok(None);
                };
                let next = first + 1;
                if (next..branches.len()).any(|i| open >> i.min(63) & 1 == 1) {
                    self.push(at, at, next as u32, Cursor { a: open, ..Cursor::default() });
                }
                self.run.choices.push(first as i32);
                Ok(Some(branches[first].1))
            }
            Op::More(again, out) => {
                self.push_more(at, *out, goal);
                self.run.choices.push(0);
                Ok(Some(*again))
            }
            Op::Possible(again, out) if p.hard_best => {
                let again = if self.possible_here(*again)? { *again } else { *out };
                Ok(Some(again))
            }
            Op::Possible(again, _) => {
                self.push(at, at, 1, Cursor::default());
                Ok(Some(*again))
            }
            Op::Best(id, most, value) => {
                let value = self.asked_for(at, value);
                let id = *id as usize;
                // Some run will be the best; if nothing can fail after it, that is enough to know that there is a complete one.
                let sure = p.nodes[node.next as usize].tail;
                self.run.completed += u64::from(sure);
                if sure && matches!(goal, Goal::Any) {
                    return Ok(Some(FORK_ENDED));
                }
                if sure && self.lists_best(goal) {
                    // One look is enough: what was kept for a lesser value is forgotten.
                    let better = match self.run.found[id] {
                        Some(old) if old == value => return Ok(Some(node.next)),
                        Some(old) => (value > old) == *most,
                        None => true,
                    };
                    if better {
                        self.run.found[id] = Some(value);
                        self.run.count = 0;
                        self.run.kept.clear();
                        goal.clear();
                    }
                    return Ok(better.then_some(node.next));
                }
                match self.run.best[id] {
                    Some(best) => Ok((best == value).then_some(node.next)),
                    None => {
                        let old = self.run.found[id].unwrap_or(value);
                        self.run.found[id] = Some(if *most { old.max(value) } else { old.min(value) });
                        Ok(None)
                    }
                }
            }
            _ => Ok(None),
        }
    }

    /// What `require most` asks for at a node.
    #[inline]
    pub(super) fn asked_for(&mut self, at: u32, value: &Int<W>) -> i32 {
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(known) = self.best_natively(code, at)
        {
            return known;
        }
        #[cfg(not(feature = "native"))]
        let _ = at;
        self.int(value)
    }

    /// Are the runs with the best value kept while it is being looked for?
    pub(super) fn lists_best(&self, goal: &Goal<'_>) -> bool {
        let listed = matches!(goal, Goal::List(..) | Goal::Flat(..));
        listed && self.p.n_best == 1 && self.p.switches.has(Switch::Best)
    }

    /// The branches of an `either` that are open, as a mask.
    pub(super) fn open_branches(&mut self, branches: &[(bool, u32)]) -> Result<i64, Trouble> {
        let mut open = 0i64;
        for (i, &(otherwise, _)) in branches.iter().enumerate().take(63) {
            let mut earlier = false;
            if otherwise {
                for (j, &(_, to)) in branches[..i].iter().enumerate() {
                    earlier = earlier || open >> j & 1 == 1 && self.possible_here(to)?;
                }
            }
            open |= i64::from(!earlier) << i;
        }
        Ok(open)
    }

    /// The choice that was made last, or the beginning of the program.
    pub fn here(&self) -> Span {
        let p = self.p;
        let choices = self.run.frames.iter().rev().filter_map(|frame| match &p.nodes[frame.node as usize].op {
            Op::Choose(choose) => Some(choose.span),
            _ => None,
        });
        let programs = if self.turning { [&p.rules.turn, &p.rules.setup] } else { [&p.rules.setup, &p.rules.turn] };
        let first = programs.into_iter().filter_map(|program| program.first()).map(|first| first.span);
        choices.chain(first).next().unwrap_or_default()
    }
}
