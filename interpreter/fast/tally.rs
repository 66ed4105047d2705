//! Counts the runs from a place where somebody has to move, so that one of them can be drawn with equal chances for all; lists
//! them only where [`super::plan`] has found nothing better.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::plan::{How, Line, Pairs, Plan, Stream};
use super::run::{Goal, Stop};
use crate::play::{Chance, Trouble};

/// Runs counted together.
#[derive(Clone, Copy, Debug)]
struct Lot<const W: usize> {
    /// Which, or where they lead.
    set: Set<W>,
    /// How many.
    n: u32,
    /// By which stream or line.
    by: u32,
    /// How many rounds or steps; or a code.
    k: i32,
    /// The choice.
    fork: u32,
    /// The branch that leads to it; -1 without.
    branch: i32,
}

/// The runs from a node.
#[derive(Clone, Debug, Default)]
pub struct Tally<const W: usize> {
    /// The node, if the tally is of the present position.
    pub node: Option<u32>,
    /// How many runs.
    pub total: u64,
    /// Has somebody something to choose (or is there a note)?
    pub real: bool,
    lots: Vec<Lot<W>>,
    codes: Vec<i32>,
    ends: Vec<u32>,
    listed: bool,
    chosen: Vec<i32>,
}

impl<const W: usize> Core<'_, W> {
    /// Counts the runs from a fork without a plan being needed. The position is afterwards as it was.
    pub fn tally(&mut self, fork: u32) -> Result<(), Trouble> {
        let p = self.p;
        let mut tally = std::mem::take(&mut self.tally);
        tally.lots.clear();
        tally.node = Some(fork);
        tally.listed = false;
        tally.real = true;
        let counted = match &p.plans[fork as usize] {
            Some(plan) => self.count_by(fork, plan, &mut tally)?,
            None => false,
        };
        if counted {
            tally.total = tally.lots.iter().map(|lot| u64::from(lot.n)).sum();
        } else {
            tally.listed = true;
            tally.codes.clear();
            tally.ends.clear();
            tally.real = false;
            let mut goal = Goal::Flat(&mut tally.codes, &mut tally.ends, &mut tally.real);
            let done = self.explore(fork, &mut goal);
            tally.total = tally.ends.len() as u64;
            if let Err(trouble) = done {
                self.tally = tally;
                self.tally.node = None;
                return Err(trouble);
            }
        }
        self.tally = tally;
        Ok(())
    }

    /// How many runs a plan gives; none if it does not fit the position after all.
    pub fn planned(&mut self, fork: u32) -> Result<Option<u64>, Trouble> {
        let p = self.p;
        let Some(plan) = &p.plans[fork as usize] else {
            return Ok(None);
        };
        let mut tally = std::mem::take(&mut self.tally);
        tally.lots.clear();
        tally.node = None;
        let counted = self.count_by(fork, plan, &mut tally);
        let total = tally.lots.iter().map(|lot| u64::from(lot.n)).sum();
        self.tally = tally;
        Ok(counted?.then_some(total))
    }

    fn count_by(&mut self, fork: u32, plan: &Plan<W>, tally: &mut Tally<W>) -> Result<bool, Trouble> {
        let p = self.p;
        if let (Plan::Branches, Op::Either(branches)) = (plan, &p.nodes[fork as usize].op) {
            return self.count_branches(branches, tally);
        }
        let Op::Choose(choose) = &p.nodes[fork as usize].op else {
            return Ok(false);
        };
        match plan {
            Plan::Branches => Ok(false),
            Plan::One => {
                let cursor = self.offered(choose);
                let n = cursor.count(&choose.name.dom);
                if n > u64::from(u32::MAX) {
                    return Ok(false);
                }
                tally.lots.push(Lot { set: cursor.set, n: n as u32, by: 0, k: 0, fork, branch: -1 });
                Ok(true)
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
                            let n = self.offered(second).count(&second.name.dom);
                            if n > 0 {
                                tally.lots.push(Lot {
                                    set: Set::EMPTY,
                                    n: n.min(1 << 24) as u32,
                                    by: inner,
                                    k: code,
                                    fork,
                                    branch: -1,
                                });
                            }
                        }
                        Stop::Dead => {}
                        Stop::Cut(_) | Stop::Tail(_) => return Ok(false),
                    }
                }
                Ok(true)
            }
            Plan::Pairs(pairs) => {
                self.count_pairs(fork, pairs, tally);
                Ok(true)
            }
            Plan::Chain(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    if !self.count_line(fork, i as u32, line, tally) {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    fn count_branches(&mut self, branches: &[(bool, u32)], tally: &mut Tally<W>) -> Result<bool, Trouble> {
        let p = self.p;
        let begin = tally.lots.len();
        for (i, &(otherwise, to)) in branches.iter().enumerate() {
            if otherwise && tally.lots.len() > begin {
                continue;
            }
            let from = tally.lots.len();
            match self.forward(to, false)? {
                Stop::Dead => {}
                Stop::Fork(fork) => {
                    let counted = match &p.plans[fork as usize] {
                        Some(Plan::Branches) | None => false,
                        Some(plan) => self.count_by(fork, plan, tally)?,
                    };
                    if !counted && self.possible(fork)? {
                        return Ok(false);
                    }
                    if !counted {
                        tally.lots.truncate(from);
                    }
                }
                Stop::Cut(_) | Stop::Tail(_) => return Ok(false),
            }
            for lot in &mut tally.lots[from..] {
                lot.branch = i as i32;
            }
        }
        Ok(true)
    }

    fn count_pairs(&mut self, fork: u32, pairs: &Pairs<W>, tally: &mut Tally<W>) {
        let p = self.p;
        self.bind_all(&pairs.binds);
        // Streams that begin alike stand together; what they share is worked out once.
        let mut last: Option<(&Stream<W>, Set<W>, Set<W>)> = None;
        for (i, stream) in pairs.streams.iter().enumerate() {
            let (from, land) = match last {
                Some((one, from, land)) if one.from == stream.from && one.land == stream.land => (from, land),
                _ => {
                    let from = self.sites(&stream.from);
                    let land = if from.is_empty() { Set::EMPTY } else { self.sites(&stream.land) };
                    (from, land)
                }
            };
            last = Some((stream, from, land));
            if from.is_empty() {
                continue;
            }
            match &stream.how {
                How::Step(way) => {
                    let there = p.ways[*way as usize].ahead(from).and(land);
                    let n = there.count() as u32;
                    if n > 0 {
                        tally.lots.push(Lot { set: there, n, by: i as u32, k: 1, fork, branch: -1 });
                    }
                }
                How::Slide(way, over, limit) => {
                    let over = self.sites(over);
                    let way = &p.ways[*way as usize];
                    let mut front = way.ahead(from);
                    let mut k = 1;
                    while !front.is_empty() {
                        let there = front.and(land);
                        let n = there.count() as u32;
                        if n > 0 {
                            tally.lots.push(Lot { set: there, n, by: i as u32, k, fork, branch: -1 });
                        }
                        if *limit >= 0 && k > *limit {
                            break;
                        }
                        front = way.ahead(front.and(over));
                        k += 1;
                    }
                }
            }
        }
    }

    fn count_line(&mut self, fork: u32, i: u32, line: &Line<W>, tally: &mut Tally<W>) -> bool {
        let mut left = self.sites(&line.from);
        for (round, (holds, assumed)) in line.rounds.iter().enumerate() {
            if left.is_empty() {
                return true;
            }
            left = left.and(self.sites(holds));
            for assumed in assumed {
                if !left.within(&self.sites(assumed)) {
                    return false;
                }
            }
            let n = left.count() as u32;
            if n > 0 {
                tally.lots.push(Lot { set: left, n, by: i, k: round as i32, fork, branch: -1 });
            }
        }
        true
    }

    /// All runs that can be drawn, in the order of their numbers.
    pub fn drawable(&mut self, fork: u32) -> Result<Vec<Vec<i32>>, Trouble> {
        self.tally(fork)?;
        let mut tally = std::mem::take(&mut self.tally);
        tally.node = None;
        let mut all = Vec::new();
        for number in 0..tally.total {
            all.push(self.codes_numbered(fork, &tally, number)?);
        }
        self.tally = tally;
        Ok(all)
    }

    fn codes_numbered(&mut self, fork: u32, tally: &Tally<W>, number: u64) -> Result<Vec<i32>, Trouble> {
        let mut chosen = Vec::new();
        self.draw_codes(fork, tally, number, &mut chosen)?;
        Ok(chosen)
    }

    /// The choices of the run with this number.
    fn draw_codes(&mut self, fork: u32, tally: &Tally<W>, number: u64, chosen: &mut Vec<i32>) -> Result<(), Trouble> {
        if !tally.listed {
            return self.codes_of(fork, tally, number, chosen);
        }
        let i = number as usize;
        let from = if i == 0 { 0 } else { tally.ends[i - 1] as usize };
        chosen.extend_from_slice(&tally.codes[from..tally.ends[i] as usize]);
        Ok(())
    }

    /// Draws one of the runs that were counted and carries it out; gives its cut.
    pub fn play_drawn(&mut self, chance: &mut Chance) -> Result<u32, Trouble> {
        let mut tally = std::mem::take(&mut self.tally);
        let fork = tally.node.take().unwrap_or_default();
        let mut chosen = std::mem::take(&mut tally.chosen);
        chosen.clear();
        let number = chance.below(tally.total);
        self.draw_codes(fork, &tally, number, &mut chosen)?;
        self.tally = tally;
        let cut = self.follow(fork, &chosen, true);
        self.tally.chosen = chosen;
        cut
    }

    fn codes_of(&mut self, start: u32, tally: &Tally<W>, number: u64, chosen: &mut Vec<i32>) -> Result<(), Trouble> {
        let p = self.p;
        let mut left = number;
        let lot = tally.lots.iter().find(|lot| {
            let here = left < u64::from(lot.n);
            if !here {
                left -= u64::from(lot.n);
            }
            here
        });
        let Some(lot) = lot else {
            crate::bug!("a run was drawn that was not counted");
        };
        let fork = lot.fork;
        let (Some(plan), Op::Choose(choose)) = (&p.plans[fork as usize], &p.nodes[fork as usize].op) else {
            crate::bug!("a run was drawn that was not counted");
        };
        if lot.branch >= 0 {
            chosen.push(lot.branch);
            if let Op::Either(branches) = &p.nodes[start as usize].op {
                self.forward(branches[lot.branch as usize].1, false)?;
            }
        }
        match plan {
            Plan::Branches => {}
            Plan::One => {
                let code = match choose.name.dom {
                    Dom::Sites(_) | Dom::Going(..) => lot.set.nth(left as u32),
                    _ => self.offered(choose).nth(&choose.name.dom, left),
                };
                chosen.push(code);
            }
            Plan::Nested => {
                self.bind_code(&choose.name, lot.k);
                self.forward(p.nodes[fork as usize].next, false)?;
                let Op::Choose(second) = &p.nodes[lot.by as usize].op else {
                    crate::bug!("a choice that is none");
                };
                let code = self.offered(second).nth(&second.name.dom, left);
                chosen.extend([lot.k, code]);
            }
            Plan::Pairs(pairs) => {
                let to = lot.set.nth(left as u32);
                let from = match &pairs.streams[lot.by as usize].how {
                    How::Step(way) => p.ways[*way as usize].back[to as usize].first(),
                    How::Slide(way, ..) => to - lot.k * p.ways[*way as usize].offset.unwrap_or(0),
                };
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
