//! Carries programs out: forwards to the next decision, and through all runs from there.
//!
//! Exploring keeps a stack of its own: a frame for each place where several ways lead on. The position is copied into a frame
//! only if something on the way to the next cut changes it.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::kept::Kept;
use super::memo::{Memo, UNKNOWN};
use super::seen::Seen;
use super::switches::Switch;
use crate::play::table::DEEPEST_QUESTION;
use crate::play::{Move, Trouble};
use crate::rules::NONE;
use crate::source::Span;

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
    fn clear(&mut self) {
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

/// A place to come back to.
#[derive(Clone, Debug)]
struct Frame<const W: usize> {
    node: u32,
    branch: u32,
    choices: u32,
    save: u32,
    /// How much had changed when the copy was made, see [`Run::changes`].
    changes: u64,
    fuel: u32,
    chose: bool,
    noted: bool,
    chooser: i32,
    entered: u64,
    place: u32,
    cursor: Cursor<W>,
}

const NO_SAVE: u32 = u32::MAX;

/// In the cursor of a loop that may be left, if it is known what that is worth to `require most`.
const VALUED: i64 = 1;

/// How many words all copies of the position on the way may take together.
const MOST_SAVED: usize = 1 << 24;

/// The stacks of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Run<const W: usize> {
    frames: Vec<Frame<W>>,
    saves: Vec<u64>,
    /// The choices so far.
    pub choices: Vec<i32>,
    /// Runs that got to a cut.
    pub count: u64,
    /// The same, with those of which it is sure before `require most` is settled.
    completed: u64,
    /// Who chose first in this move, if that matters.
    chooser: i32,
    /// Ways gone in this exploration, rounds of loops on them and members looked at.
    ways: u64,
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

    /// Is there a run through this node to a cut? Within an exploration or a play; `require most` is as it is known.
    pub fn possible(&mut self, start: u32) -> Result<bool, Trouble> {
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
    fn is_anothers(&mut self, node: u32) -> bool {
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

    /// Copies the block if runs from this node may change it.
    fn save(&mut self, node: u32) -> u32 {
        if !self.p.nodes[node as usize].dirty && self.p.switches.has(Switch::Keep) {
            return NO_SAVE;
        }
        let at = self.run.saves.len() as u32;
        self.run.saves.extend_from_slice(&self.b);
        at
    }

    /// Brings the block back, and forgets the copy and those made after it.
    fn restore(&mut self, save: u32) {
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

    /// A run has got to a cut. Says whether that is enough.
    fn complete(&mut self, node: u32, goal: &mut Goal<'_>) -> Result<bool, Trouble> {
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
                let again = if self.possible(*again)? { *again } else { *out };
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
    fn lists_best(&self, goal: &Goal<'_>) -> bool {
        let listed = matches!(goal, Goal::List(..) | Goal::Flat(..));
        listed && self.p.n_best == 1 && self.p.switches.has(Switch::Best)
    }

    /// The branches of an `either` that are open, as a mask.
    fn open_branches(&mut self, branches: &[(bool, u32)]) -> Result<i64, Trouble> {
        let mut open = 0i64;
        for (i, &(otherwise, _)) in branches.iter().enumerate().take(63) {
            let mut earlier = false;
            if otherwise {
                for (j, &(_, to)) in branches[..i].iter().enumerate() {
                    earlier = earlier || open >> j & 1 == 1 && self.possible(to)?;
                }
            }
            open |= i64::from(!earlier) << i;
        }
        Ok(open)
    }

    /// May so many moves be listed?
    fn room_for(&self, n: u64) -> Result<(), Trouble> {
        let limit = self.p.rules.bounds.moves;
        if n > limit as u64 { Err(Trouble::TooMany { span: self.here(), limit }) } else { Ok(()) }
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

    /// What two runs that came to this node must have in common to be the same from here on.
    pub fn write_state(&self, node: u32, words: &mut Vec<u64>) {
        words.extend_from_slice(&self.b[..self.p.layout.position]);
        for &(at, n) in &self.p.nodes[node as usize].live {
            words.extend_from_slice(&self.b[at as usize..(at + n) as usize]);
        }
        words.push(u64::from(node));
    }

    /// Are these words what [`Core::write_state`] would write?
    pub(super) fn is_state(&self, node: u32, row: &[u64]) -> bool {
        let Some((&last, mut row)) = row.split_last() else {
            return false;
        };
        let mut is_next = |words: &[u64]| {
            let same = row.get(..words.len()) == Some(words);
            row = row.get(words.len()..).unwrap_or_default();
            same
        };
        last == u64::from(node)
            && is_next(&self.b[..self.p.layout.position])
            && self.p.nodes[node as usize].live.iter().all(|&(at, n)| is_next(&self.b[at as usize..(at + n) as usize]))
    }

    /// Has no run come to this state yet? It is noted.
    fn is_new(&self, node: u32, seen: &mut Seen) -> bool {
        seen.place(self.state_number(node), |row| self.is_state(node, row), |words| self.write_state(node, words)).1
    }

    /// The position becomes one that was written down, see [`Core::write_state`]; gives its node.
    pub(super) fn become_row(&mut self, i: usize) -> u32 {
        let row = self.seen.row(i);
        let position = self.p.layout.position;
        let node = row.last().map_or(0, |&node| node as u32);
        self.b[..position].copy_from_slice(&row[..position]);
        let mut read = position;
        for &(at, n) in &self.p.nodes[node as usize].live {
            let (at, n) = (at as usize, n as usize);
            self.b[at..at + n].copy_from_slice(&row[read..read + n]);
            read += n;
        }
        node
    }

    /// Every member of a choice after which nothing can fail and nothing is left to choose.
    fn all_at_once(
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

    #[inline]
    fn take_member(&mut self, choose: &Choose<W>, code: i32) {
        match choose.name.to {
            Slot::Word(at) if !matches!(choose.name.dom, Dom::Lines(_)) => self.b[at as usize] = code as u32 as u64,
            _ => self.bind_code(&choose.name, code),
        }
        self.run.choices.push(code);
        self.run.chose = true;
    }

    /// Begins another round of a loop; what stopping here is worth to `require most` is worked out, if nothing stands between.
    fn push_more(&mut self, at: u32, out: u32, goal: &Goal<'_>) {
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

    fn push(&mut self, node: u32, from: u32, branch: u32, cursor: Cursor<W>) {
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
    fn backtrack(&mut self, base: usize, lists_best: bool) -> Result<Option<u32>, Trouble> {
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
                    if otherwise && !trusted && self.open_branches(branches)? >> code.min(63) & 1 == 0 {
                        return Err(Trouble::Illegal);
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

/// A mark for "the goal is reached".
const FORK_ENDED: u32 = u32::MAX;
