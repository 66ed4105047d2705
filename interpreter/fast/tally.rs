//! Counts the runs from a place where somebody has to move, so that one of them can be drawn with equal chances for all; lists
//! them only where [`super::plan`] has found nothing better.
//!
//! Where runs may fail late, in a random game, candidates are counted instead: one is drawn and tried until one succeeds. Every
//! legal run is tried with the same chance, so the first to succeed is any of them with equal chances.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::goal::Goal;
use super::plan::{How, Pairs, Plan};
use super::run::Stop;
use super::switches::Switch;
use crate::play::Trouble;

/// Runs counted together.
#[derive(Clone, Copy, Debug)]
pub struct Lot<const W: usize> {
    /// Which, or where they lead.
    pub set: Set<W>,
    /// How many.
    pub n: u32,
    /// By which stream or line.
    pub by: u32,
    /// How many rounds or steps; or a code; or [`FAR`].
    pub k: i32,
    /// The choice, or the cut if a branch leads to one without a choice.
    pub fork: u32,
    /// The branches that lead to it, 6 bits each, the first lowest, numbered from 1.
    pub path: u64,
}

/// Any number of steps: as many as there are from the first place behind that is not gone over.
pub(super) const FAR: i32 = i32::MAX;

/// The runs from a node.
#[derive(Clone, Debug, Default)]
pub struct Tally<const W: usize> {
    /// The node, if the tally is of the present position.
    pub node: Option<u32>,
    /// Where the turn begins that it was made for, if it was made before that.
    pub(super) start: u32,
    /// How many moves.
    pub total: u64,
    /// How many runs; more than moves if some lead to the same.
    pub runs: u64,
    /// Has somebody something to choose (or is there a note)?
    pub real: bool,
    /// Has one been drawn without the others being counted?
    pub guessed: bool,
    pub(super) lots: Vec<Lot<W>>,
    codes: Vec<i32>,
    ends: Vec<u32>,
    pub(super) listed: bool,
    chosen: Vec<i32>,
    /// Runs a candidate at most; 0 if every candidate is a run.
    most: u32,
    /// Does a branch lead to a cut with nothing chosen and nothing noted?
    silent: bool,
    /// Can each run be carried out without going through its choices?
    pub(super) usual: bool,
    save: Vec<u64>,
    /// Is it known what becomes of the position by the run that was drawn? Where its cut is, and the position.
    kept: Option<u32>,
    after: Vec<u64>,
    /// The first branch, if it has been taken for one with runs without asking; and whether it is to be asked.
    unsure: Option<i32>,
    asking: bool,
    /// Of each lot those candidates of which it is known that they have one run at most.
    alone: Vec<Set<W>>,
    /// For so many times nothing is to be guessed, because it came to nothing.
    pub wary: u32,
}

/// How often runs are listed after guessing has come to nothing.
const WARY: u32 = 16;

/// How many draws a try may take if most of them are seen to be none.
const PER_TRY: u64 = 16;

impl<const W: usize> Tally<W> {
    pub(super) fn begin(&mut self, node: Option<u32>) {
        self.node = node;
        self.lots.clear();
        self.listed = false;
        self.guessed = false;
        self.real = false;
        self.most = 0;
        self.silent = false;
        self.usual = false;
        self.kept = None;
        self.unsure = None;
    }

    /// All runs from a choice have been counted by whole sets.
    #[inline]
    pub(super) fn settle(&mut self, fork: u32, total: u64) {
        self.node = Some(fork);
        self.listed = false;
        self.guessed = false;
        self.most = 0;
        self.silent = false;
        self.usual = true;
        self.real = total > 0;
        self.total = total;
        self.runs = total;
    }

    /// The lot of the run with this number, and which of its runs that is.
    pub(super) fn find(&self, number: u64) -> Option<(Lot<W>, u32)> {
        let mut left = number;
        for lot in &self.lots {
            if left < u64::from(lot.n) {
                return Some((*lot, left as u32));
            }
            left -= u64::from(lot.n);
        }
        None
    }

    /// The candidate with this number among those that are known to have one run at most, or among the others.
    fn candidate(&self, alone: bool, number: u64) -> u64 {
        let (mut left, mut before) = (number, 0);
        for (lot, known) in self.lots.iter().zip(&self.alone) {
            let of = if alone { *known } else { lot.set.minus(*known) };
            let n = if alone || !known.is_empty() { of.count() as u64 } else { u64::from(lot.n) };
            if left < n {
                return before + if known.is_empty() { left } else { lot.set.below(of.nth(left as u32)).into() };
            }
            left -= n;
            before += u64::from(lot.n);
        }
        crate::bug!("a candidate was drawn that was not counted")
    }

    fn candidates(&self) -> u64 {
        self.lots.iter().map(|lot| u64::from(lot.n)).sum()
    }
}

impl<const W: usize> Core<'_, W> {
    /// Counts the runs from a fork, or draws one of them if that is cheaper and allowed. The position is afterwards as it was.
    pub fn tally(&mut self, fork: u32) -> Result<(), Trouble> {
        if self.count_quickly(fork) {
            return self.check();
        }
        if self.counting
            && let Some(n) = self.count_surely(fork)?
        {
            self.tally.begin(Some(fork));
            (self.tally.real, self.tally.total, self.tally.runs) = (n > 0, n, n);
            return self.check();
        }
        let mut tally = std::mem::take(&mut self.tally);
        tally.begin(Some(fork));
        let done = self.tally_into(fork, &mut tally).and_then(|()| self.check());
        if done.is_err() {
            tally.node = None;
        }
        self.tally = tally;
        done
    }

    fn tally_into(&mut self, fork: u32, tally: &mut Tally<W>) -> Result<(), Trouble> {
        tally.asking = !self.p.switches.has(Switch::Peek);
        if self.count_into(fork, tally)? {
            return Ok(());
        }
        let unsure = tally.unsure.take();
        let listed = self.list_into(fork, tally);
        let Some(branch) = unsure else {
            return listed;
        };
        if listed.is_ok() && (tally.total == 0 || tally.codes[0] == branch) {
            return Ok(());
        }
        // No run goes through that branch after all.
        tally.begin(Some(fork));
        tally.asking = true;
        if self.count_into(fork, tally)? { Ok(()) } else { self.list_into(fork, tally) }
    }

    /// Counts the runs from a fork without listing them, if that is possible; says whether it is.
    fn count_into(&mut self, fork: u32, tally: &mut Tally<W>) -> Result<bool, Trouble> {
        let p = self.p;
        let by_outcome = self.by_outcome();
        if let Some(plan) = &p.plans[fork as usize]
            && !by_outcome
            && self.count_by(fork, plan, tally, self.dice.is_some())?
        {
            tally.total = tally.candidates();
            tally.runs = tally.total;
            if tally.most == 0 || tally.total == 0 {
                return Ok(true);
            }
            if tally.wary > 0 {
                tally.wary -= 1;
            } else if !tally.silent {
                if self.guess(fork, tally)? {
                    tally.guessed = true;
                    tally.real = true;
                    (tally.total, tally.runs) = (1, 1);
                    return Ok(true);
                }
                tally.wary = WARY;
            }
        }
        Ok(false)
    }

    /// Lists the runs from a fork by going through all of them.
    pub(super) fn list_into(&mut self, fork: u32, tally: &mut Tally<W>) -> Result<(), Trouble> {
        tally.begin(Some(fork));
        tally.listed = true;
        tally.save.clone_from(&self.b);
        let mut seen = std::mem::take(&mut self.seen);
        let kept = self.by_outcome().then_some(&mut seen);
        let mut goal = Goal::Flat(&mut tally.codes, &mut tally.ends, &mut tally.real, kept);
        let done = self.explore(fork, &mut goal);
        self.seen = seen;
        tally.total = tally.ends.len() as u64;
        tally.runs = self.run.count;
        done.map(|_| ())
    }

    /// How many runs a plan gives; none if there is no plan, or it does not fit the position after all.
    pub fn planned(&mut self, fork: u32) -> Result<Option<u64>, Trouble> {
        let p = self.p;
        let plan = match &p.plans[fork as usize] {
            None | Some(Plan::Guess(..)) => return Ok(None),
            Some(plan) => plan,
        };
        let mut tally = std::mem::take(&mut self.tally);
        tally.begin(None);
        let counted = self.count_by(fork, plan, &mut tally, false);
        let total = tally.candidates();
        self.tally = tally;
        Ok(counted?.then_some(total))
    }

    /// Counts by a plan; `loose`: candidates will do.
    fn count_by(&mut self, fork: u32, plan: &Plan<W>, tally: &mut Tally<W>, loose: bool) -> Result<bool, Trouble> {
        let p = self.p;
        if let (Plan::Branches, Op::Either(branches)) = (plan, &p.nodes[fork as usize].op) {
            return self.count_branches(fork, branches, tally, loose);
        }
        let Op::Choose(choose) = &p.nodes[fork as usize].op else {
            return Ok(false);
        };
        let before = tally.lots.len();
        match plan {
            Plan::Branches => return Ok(false),
            Plan::Guess(inner, most) => {
                if !loose || !self.count_by(fork, inner, tally, loose)? {
                    return Ok(false);
                }
                let now = match **inner {
                    Plan::Nested => {
                        tally.lots[before..].iter().map(|lot| self.most_now(lot.by, *most)).max().unwrap_or(1)
                    }
                    _ => self.most_now(fork, *most),
                };
                tally.most = tally.most.max(now);
            }
            Plan::One => {
                let cursor = self.offered(choose);
                let n = cursor.count(&choose.name.dom);
                if n > u64::from(u32::MAX) {
                    return Ok(false);
                }
                if n > 0 {
                    tally.lots.push(Lot { set: cursor.set, n: n as u32, by: 0, k: 0, fork, path: 0 });
                }
            }
            Plan::Nested => {
                let mut cursor = self.offered(choose);
                while let Some(code) = cursor.advance(&choose.name.dom, p) {
                    self.bind_code(&choose.name, code);
                    match self.forward(p.nodes[fork as usize].next, false)? {
                        Stop::Fork(inner) => {
                            let Op::Choose(second) = &p.nodes[inner as usize].op else {
                                return Ok(false);
                            };
                            let offered = self.offered(second);
                            let n = offered.count(&second.name.dom).min(1 << 24) as u32;
                            let set = if matches!(second.name.dom, Dom::Sites(_)) { offered.set } else { Set::EMPTY };
                            if n > 0 {
                                tally.lots.push(Lot { set, n, by: inner, k: code, fork, path: 0 });
                            }
                        }
                        Stop::Dead => {}
                        Stop::Cut(_) | Stop::Tail(_) => return Ok(false),
                    }
                }
            }
            Plan::Pairs(_) | Plan::Chain(_) => {
                // Counting goes on behind what has been counted.
                std::mem::swap(&mut self.tally.lots, &mut tally.lots);
                let counted = match plan {
                    Plan::Pairs(pairs) => {
                        self.count_streams(fork, pairs);
                        true
                    }
                    Plan::Chain(lines) => (0..).zip(lines).all(|(i, line)| self.count_rounds(fork, i, line)),
                    _ => false,
                };
                std::mem::swap(&mut self.tally.lots, &mut tally.lots);
                if !counted {
                    return Ok(false);
                }
            }
        }
        tally.real |= tally.lots.len() > before;
        Ok(true)
    }

    fn count_branches(
        &mut self,
        here: u32,
        branches: &[(bool, u32)],
        tally: &mut Tally<W>,
        loose: bool,
    ) -> Result<bool, Trouble> {
        let p = self.p;
        let begin = tally.lots.len();
        let noted = self.run.noted;
        for (i, &(otherwise, to)) in branches.iter().enumerate() {
            if otherwise && tally.lots.len() > begin {
                // If none of the candidates so far is a run, this branch is open after all; that is found out only if there are no others.
                let alone = tally.node == Some(here) && branches[i..].iter().all(|&(otherwise, _)| otherwise);
                if tally.most > 0 && !alone {
                    return Ok(false);
                }
                continue;
            }
            let from = tally.lots.len();
            let early = p.nodes[to as usize].early;
            if early {
                tally.save.clone_from(&self.b);
            }
            let stop = self.forward(to, false);
            let told = std::mem::replace(&mut self.run.noted, noted);
            if early {
                self.b.copy_from_slice(&tally.save);
            }
            match stop? {
                Stop::Dead => {}
                Stop::Fork(_) if early => return Ok(false),
                Stop::Fork(fork) => {
                    let counted = match &p.plans[fork as usize] {
                        Some(plan) => self.count_by(fork, plan, tally, loose)?,
                        None => false,
                    };
                    if !counted {
                        tally.lots.truncate(from);
                        if self.may_begin(fork) {
                            // The first branch of all, the others being for want of it, is listed without asking whether it can be.
                            let first = tally.node == Some(here) && begin == 0 && from == 0;
                            if first && !tally.asking && branches[i + 1..].iter().all(|&(otherwise, _)| otherwise) {
                                tally.unsure = Some(i as i32);
                                return Ok(false);
                            }
                            if self.possible(fork)? {
                                return Ok(false);
                            }
                        }
                    }
                }
                Stop::Cut(cut) | Stop::Tail(cut) => {
                    tally.real |= told;
                    tally.silent |= !told;
                    tally.lots.push(Lot { set: Set::EMPTY, n: 1, by: 0, k: 0, fork: cut, path: 0 });
                }
            }
            for lot in &mut tally.lots[from..] {
                if lot.path >> 54 != 0 {
                    return Ok(false);
                }
                lot.path = lot.path << 6 | (i as u64 + 1);
            }
        }
        Ok(true)
    }

    /// Draws candidates until one of them is a run; false if none was for a long time.
    fn guess(&mut self, fork: u32, tally: &mut Tally<W>) -> Result<bool, Trouble> {
        let Some(mut dice) = self.dice.take() else {
            return Ok(false);
        };
        tally.save.clone_from(&self.b);
        let most = u64::from(tally.most);
        let all = tally.total;
        let mut alone = std::mem::take(&mut tally.alone);
        let single = self.find_alone(&tally.lots, &mut alone);
        tally.alone = alone;
        let mut chosen = std::mem::take(&mut tally.chosen);
        let noted = self.run.noted;
        let mut found = Ok(false);
        // About as many tries as it takes to list all of them.
        let mut tries = (32 + 16 * most).min(8 + all);
        let mut draws = PER_TRY * tries;
        while tries > 0 && draws > 0 {
            draws -= 1;
            // Those that have one run at most are drawn as such, the others with as many as one of them may have.
            let number = dice.below(single + (all - single) * most);
            let (candidate, more) = match number.checked_sub(single) {
                None => (tally.candidate(true, number), 0),
                Some(rest) if single > 0 => (tally.candidate(false, rest / most), rest % most),
                Some(rest) => (rest / most, rest % most),
            };
            if more > 0
                && let Some(cost) = self.is_alone(tally, candidate)
            {
                tries -= cost;
                continue;
            }
            tries -= 1;
            chosen.clear();
            found = self.draw_codes(fork, tally, candidate, &mut chosen);
            if found.is_ok() {
                let cut = self.attempt(fork, &mut chosen, more);
                if self.p.switches.has(Switch::Kept)
                    && let Ok(Some(cut)) = cut
                {
                    tally.kept = Some(cut);
                    tally.after.clone_from(&self.b);
                }
                found = cut.map(|cut| cut.is_some());
            }
            self.b.copy_from_slice(&tally.save);
            self.run.noted = noted;
            if found != Ok(false) {
                break;
            }
        }
        tally.chosen = chosen;
        self.dice = Some(dice);
        found
    }

    /// Follows choices and goes on with those that a number says; if that makes a run, and the number says no more: its cut. The
    /// choices are made complete.
    fn attempt(&mut self, fork: u32, chosen: &mut Vec<i32>, number: u64) -> Result<Option<u32>, Trouble> {
        let p = self.p;
        self.fresh_move();
        let mut left = number;
        let mut read = 0;
        let mut at = fork;
        loop {
            let here = match self.forward(at, false)? {
                Stop::Fork(here) => here,
                Stop::Dead => return Ok(None),
                Stop::Cut(cut) | Stop::Tail(cut) => return Ok((left == 0 && read == chosen.len()).then_some(cut)),
            };
            let node = &p.nodes[here as usize];
            at = match &node.op {
                Op::Choose(choose) => {
                    if read == chosen.len() {
                        let cursor = self.offered(choose);
                        let n = cursor.count(&choose.name.dom);
                        if n == 0 {
                            return Ok(None);
                        }
                        chosen.push(cursor.nth(&choose.name.dom, left % n));
                        left /= n;
                    }
                    self.bind_code(&choose.name, chosen[read]);
                    node.next
                }
                Op::Either(branches) if read < chosen.len() => branches[chosen[read] as usize].1,
                _ => crate::bug!("a choice that nobody has foreseen"),
            };
            read += 1;
        }
    }

    /// All runs that can be drawn, in the order of their numbers.
    pub fn drawable(&mut self, fork: u32) -> Result<Vec<Vec<i32>>, Trouble> {
        self.tally(fork)?;
        let mut tally = std::mem::take(&mut self.tally);
        tally.node = None;
        let mut all = Vec::new();
        for number in 0..tally.total {
            let mut chosen = Vec::new();
            self.draw_codes(fork, &tally, number, &mut chosen)?;
            all.push(chosen);
        }
        self.tally = tally;
        Ok(all)
    }

    /// The choices of one of the runs that were counted, drawn with equal chances.
    pub fn drawn(&mut self) -> Result<Vec<i32>, Trouble> {
        let mut tally = std::mem::take(&mut self.tally);
        let fork = tally.node.take().unwrap_or_default();
        let mut chosen = tally.chosen.clone();
        let mut done = Ok(true);
        if !tally.guessed {
            chosen.clear();
            let number = self.dice.as_mut().map_or(0, |dice| dice.below(tally.total));
            done = self.draw_codes(fork, &tally, number, &mut chosen);
        }
        self.tally = tally;
        done.map(|_| chosen)
    }

    /// Carries out one of the runs that were counted, drawn with equal chances; gives its cut.
    pub fn play_drawn(&mut self) -> Result<u32, Trouble> {
        let mut tally = std::mem::take(&mut self.tally);
        let fork = tally.node.take().unwrap_or_default();
        if tally.guessed
            && let Some(cut) = tally.kept.take()
            && self.b == tally.save
        {
            self.b.copy_from_slice(&tally.after);
            self.tally = tally;
            return Ok(cut);
        }
        let mut chosen = std::mem::take(&mut tally.chosen);
        if !tally.guessed {
            chosen.clear();
            let number = self.dice.as_mut().map_or(0, |dice| dice.below(tally.total));
            if tally.listed && self.p.switches.has(Switch::Kept) && self.b == tally.save {
                // Where each run led to has been written down.
                let (i, by_outcome) = (number as usize, self.by_outcome());
                let known =
                    if by_outcome { self.seen.len() as u64 == tally.total } else { self.run.kept.has(tally.total) };
                if known {
                    tally.chosen = chosen;
                    self.tally = tally;
                    return if by_outcome { Ok(self.become_row(i)) } else { self.become_end(i) };
                }
            }
            if !tally.listed
                && let Some(cut) = self.enact_number(fork, &tally, number)?
            {
                tally.chosen = chosen;
                self.tally = tally;
                return Ok(cut);
            }
            self.draw_codes(fork, &tally, number, &mut chosen)?;
        }
        self.tally = tally;
        let cut = self.follow(fork, &chosen, true);
        self.tally.chosen = chosen;
        cut
    }

    /// The choices of the run (or candidate) with this number.
    pub(super) fn draw_codes(
        &mut self,
        start: u32,
        tally: &Tally<W>,
        number: u64,
        chosen: &mut Vec<i32>,
    ) -> Result<bool, Trouble> {
        let p = self.p;
        if tally.listed {
            let i = number as usize;
            let from = if i == 0 { 0 } else { tally.ends[i - 1] as usize };
            chosen.extend_from_slice(&tally.codes[from..tally.ends[i] as usize]);
            return Ok(true);
        }
        let mut left = number;
        let mut lots = tally.lots.iter();
        let lot = loop {
            match lots.next() {
                Some(lot) if left < u64::from(lot.n) => break lot,
                Some(lot) => left -= u64::from(lot.n),
                None => crate::bug!("a run was drawn that was not counted"),
            }
        };
        let mut path = lot.path;
        let mut at = start;
        while path != 0 {
            let branch = (path & 63) as usize - 1;
            path >>= 6;
            chosen.push(branch as i32);
            let Op::Either(branches) = &p.nodes[at as usize].op else {
                crate::bug!("a branch where there is none");
            };
            let to = branches[branch].1;
            if p.nodes[to as usize].early {
                // Only a branch without choices changes something before it ends.
                return Ok(true);
            }
            at = match self.forward(to, false)? {
                Stop::Fork(fork) => fork,
                _ => return Ok(true),
            };
        }
        self.member_codes(lot, left, chosen)?;
        Ok(true)
    }

    /// Where somebody comes from who goes to one of the sites of a lot.
    pub(super) fn origin(&mut self, pairs: &Pairs<W>, lot: &Lot<W>, to: i32) -> i32 {
        let p = self.p;
        match &pairs.streams[lot.by as usize].how {
            How::Step(way) => p.ways[*way as usize].back[to as usize].first(),
            How::Slide(dir, over, _) if lot.k == FAR => {
                self.bind_all(&pairs.binds);
                let over = self.sites(over);
                p.ground.origin(*dir, over, to)
            }
            How::Slide(dir, ..) => to - lot.k * p.ways[*dir as usize].offset.unwrap_or(0),
        }
    }

    fn member_codes(&mut self, lot: &Lot<W>, left: u64, chosen: &mut Vec<i32>) -> Result<(), Trouble> {
        let p = self.p;
        let (Some(plan), Op::Choose(choose)) = (&p.plans[lot.fork as usize], &p.nodes[lot.fork as usize].op) else {
            crate::bug!("a run was drawn that was not counted");
        };
        let plan = match plan {
            Plan::Guess(inner, _) => &**inner,
            plan => plan,
        };
        match plan {
            Plan::Branches | Plan::Guess(..) => {}
            Plan::One => {
                let code = match choose.name.dom {
                    Dom::Sites(_) | Dom::Going(..) => {
                        Cursor { set: lot.set, ..Cursor::default() }.nth(&choose.name.dom, left)
                    }
                    Dom::Steps(ref walk, _) => walk.steps_to(lot.set).nth(&choose.name.dom, left),
                    _ => self.offered(choose).nth(&choose.name.dom, left),
                };
                chosen.push(code);
            }
            Plan::Nested if !lot.set.is_empty() => chosen.extend([lot.k, lot.set.nth(left as u32)]),
            Plan::Nested => {
                self.bind_code(&choose.name, lot.k);
                self.forward(p.nodes[lot.fork as usize].next, false)?;
                let Op::Choose(second) = &p.nodes[lot.by as usize].op else {
                    crate::bug!("a choice that is none");
                };
                let code = self.offered(second).nth(&second.name.dom, left);
                chosen.extend([lot.k, code]);
            }
            Plan::Pairs(pairs) => {
                let to = lot.set.nth(left as u32);
                let from = self.origin(pairs, lot, to);
                chosen.extend([from, to]);
            }
            Plan::Chain(lines) => {
                let line = &lines[lot.by as usize];
                chosen.push(lot.set.nth(left as u32));
                chosen.extend(line.second);
                if line.asks {
                    chosen.extend((0..lot.k).map(|_| 0));
                    chosen.push(1);
                }
            }
        }
        Ok(())
    }
}
