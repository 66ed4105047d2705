//! Turns in the usual course: one choice that is counted by whole sets, what follows from it, and the next turn.
//!
//! Whatever is not usual is left to [`super::course`] and [`super::tally`]; what is done here they would do alike.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::course::Play;
use super::plan::{How, Line, Pairs, Plan};
use super::run::Stop;
use super::switches::Switch;
use super::tally::{FAR, Lot, Tally};
use crate::play::{Asks, Status, Trouble};

/// Which of the runs that were counted together.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    /// The one with this number.
    Number(u32),
    /// The one that leads to this site, or of which this is the code.
    Code(i32),
}

impl<const W: usize> Core<'_, W> {
    /// A set, worked out on the spot if it is at hand.
    #[inline(always)]
    fn near(&mut self, set: &Sites<W>) -> Set<W> {
        match set {
            Sites::Terms(terms) => self.terms(terms),
            set => self.sites(set),
        }
    }

    /// A condition, the same way.
    #[inline(always)]
    fn told(&mut self, c: &Cond<W>) -> bool {
        match c {
            Cond::Some(set) => match &**set {
                Sites::Terms(terms) => !self.terms_of(terms).is_empty(),
                Sites::Slot(slot) => !self.slot_set(*slot).is_empty(),
                Sites::Rows(rows) => self.some_row(rows),
                _ => self.cond(c),
            },
            Cond::Not(not) => match &**not {
                Cond::Some(set) => match &**set {
                    Sites::Slot(slot) => self.slot_set(*slot).is_empty(),
                    _ => self.cond(c),
                },
                _ => self.cond(c),
            },
            c => self.cond(c),
        }
    }

    /// Counts the runs from a choice if there is nothing to it but a plan; says whether it did.
    #[inline]
    pub fn count_quickly(&mut self, fork: u32) -> bool {
        let p = self.p;
        let Some(plan) = &p.plans[fork as usize] else {
            return false;
        };
        if p.rules.by_outcome || p.has_by || !p.switches.has(Switch::Quick) {
            return false;
        }
        self.tally.lots.clear();
        match plan {
            Plan::Pairs(pairs) => self.count_streams(fork, pairs),
            Plan::Chain(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    if !self.count_rounds(fork, i as u32, line) {
                        return false;
                    }
                }
            }
            Plan::One => {
                let Op::Choose(choose) = &p.nodes[fork as usize].op else {
                    return false;
                };
                let Dom::Sites(set) = &choose.name.dom else {
                    return false;
                };
                let mut set = self.near(set);
                if let Some(only) = &choose.only {
                    self.keep_sets(&choose.sets);
                    set = set.and(self.sites(only));
                }
                self.add_lot(fork, 0, 0, set);
            }
            Plan::Nested | Plan::Branches | Plan::Guess(..) => return false,
        }
        let total = self.tally.lots.iter().map(|lot| u64::from(lot.n)).sum();
        self.tally.settle(fork, total);
        true
    }

    #[inline(always)]
    fn add_lot(&mut self, fork: u32, by: u32, k: i32, set: Set<W>) {
        if !set.is_empty() {
            self.tally.lots.push(Lot { set, n: set.count() as u32, by, k, fork, path: 0 });
        }
    }

    pub(super) fn count_streams(&mut self, fork: u32, pairs: &Pairs<W>) {
        let p = self.p;
        if !pairs.binds.is_empty() {
            self.bind_all(&pairs.binds);
        }
        let (mut from, mut land) = (Set::EMPTY, Set::EMPTY);
        for (i, stream) in pairs.streams.iter().enumerate() {
            if !stream.alike {
                from = self.near(&stream.from);
                land = if from.is_empty() { Set::EMPTY } else { self.near(&stream.land) };
            }
            if from.is_empty() {
                continue;
            }
            match &stream.how {
                How::Step(way) => self.add_lot(fork, i as u32, 1, p.ways[*way as usize].ahead(from).and(land)),
                How::Slide(dir, over, limit) => {
                    let over = self.sites(over);
                    self.count_slides(fork, i as u32, *dir, *limit, [from, land, over]);
                }
            }
        }
    }

    fn count_slides(&mut self, fork: u32, i: u32, dir: u32, limit: i32, [from, land, over]: [Set<W>; 3]) {
        let way = &self.p.ways[dir as usize];
        let mut front = way.ahead(from);
        let mut k = 1;
        if from.and(over).is_empty() && self.p.ground.mutual[dir as usize] {
            // Nobody passes over another who goes the same way: whoever comes to a place is the first behind it.
            let all = way.slide(from, over, limit);
            self.add_lot(fork, i, FAR, all.and(land));
            return;
        }
        while !front.is_empty() {
            self.add_lot(fork, i, k, front.and(land));
            if limit >= 0 && k > limit {
                break;
            }
            front = way.ahead(front.and(over));
            k += 1;
        }
    }

    pub(super) fn count_rounds(&mut self, fork: u32, i: u32, line: &Line<W>) -> bool {
        let mut left = self.near(&line.from);
        for (round, (holds, assumed)) in line.rounds.iter().enumerate() {
            if left.is_empty() {
                return true;
            }
            left = left.and(self.near(holds));
            for assumed in assumed {
                if !left.within(&self.sites(assumed)) {
                    return false;
                }
            }
            self.add_lot(fork, i, round as i32, left);
        }
        true
    }

    /// Carries out the run with this number, if it is one of a choice that was counted by whole sets; gives its cut. Branches that lead
    /// to the choice change nothing.
    pub fn enact_number(&mut self, start: u32, tally: &Tally<W>, number: u64) -> Result<Option<u32>, Trouble> {
        let p = self.p;
        if p.rules.by_outcome || p.has_by || !p.switches.has(Switch::Quick) {
            return Ok(None);
        }
        let Some((lot, left)) = tally.find(number) else {
            return Ok(None);
        };
        let plain = match (&p.plans[lot.fork as usize], &p.nodes[lot.fork as usize].op) {
            (Some(Plan::Pairs(_) | Plan::Chain(_)), _) => true,
            (Some(Plan::One), Op::Choose(choose)) => matches!(choose.name.dom, Dom::Sites(_)),
            _ => false,
        };
        let mut path = lot.path;
        let mut at = start;
        while plain && path != 0 {
            let Op::Either(branches) = &p.nodes[at as usize].op else {
                return Ok(None);
            };
            let to = branches[(path & 63) as usize - 1].1;
            path >>= 6;
            if p.nodes[to as usize].early {
                return Ok(None);
            }
            at = match self.forward(to, false)? {
                Stop::Fork(fork) => fork,
                _ => return Ok(None),
            };
        }
        if !plain || at != lot.fork {
            return Ok(None);
        }
        self.enact(&lot, Which::Number(left)).map(Some)
    }

    /// Carries out one of the runs of a usual lot; gives its cut.
    #[inline]
    pub fn enact(&mut self, lot: &Lot<W>, which: Which) -> Result<u32, Trouble> {
        let p = self.p;
        let node = &p.nodes[lot.fork as usize];
        let (Some(plan), Op::Choose(choose)) = (&p.plans[lot.fork as usize], &node.op) else {
            return Err(Trouble::Illegal);
        };
        let site = match which {
            Which::Number(n) => lot.set.nth(n),
            Which::Code(code) => code,
        };
        self.set_fuel(p.rules.bounds.fuel);
        self.run.looks = 0;
        let (start, rounds) = match plan {
            Plan::Pairs(pairs) => {
                let from = match &pairs.streams[lot.by as usize].how {
                    How::Step(way) => match p.ways[*way as usize].offset {
                        Some(by) => site - by,
                        None => p.ways[*way as usize].back[site as usize].first(),
                    },
                    How::Slide(..) => self.origin(pairs, lot, site),
                };
                let second = &p.nodes[pairs.second as usize];
                let Op::Choose(to) = &second.op else {
                    return Err(Trouble::Illegal);
                };
                self.put(choose.name.to, from as u32 as u64);
                for bind in &pairs.between {
                    self.bind(bind);
                }
                self.put(to.name.to, site as u32 as u64);
                (second.trusted, None)
            }
            Plan::Chain(lines) => {
                let line = &lines[lot.by as usize];
                self.put(choose.name.to, site as u32 as u64);
                let mut start = node.trusted;
                if let Some(code) = line.second {
                    let second = &p.nodes[node.next as usize];
                    let Op::Choose(name) = &second.op else {
                        return Err(Trouble::Illegal);
                    };
                    self.bind_code(&name.name, code);
                    start = second.trusted;
                }
                (start, line.asks.then_some(lot.k))
            }
            _ => {
                self.put(choose.name.to, site as u32 as u64);
                (node.trusted, None)
            }
        };
        self.trusting = true;
        let cut = self.go_rounds(start, rounds);
        self.trusting = false;
        if self.trouble.is_some() {
            self.check()?;
        }
        cut
    }

    /// Goes forward to a cut, so many times round a loop that asks each time. What is short and common is done here.
    #[inline]
    pub(super) fn go_rounds(&mut self, start: u32, rounds: Option<i32>) -> Result<u32, Trouble> {
        let p = self.p;
        let mut left = rounds.unwrap_or(0);
        let mut at = start;
        loop {
            let node = &p.nodes[at as usize];
            match &node.op {
                Op::End | Op::Commit(_) => return Ok(at),
                Op::Move(from, to) => {
                    let (from, to) = (self.int(from), self.int(to));
                    self.shift_piece(from, to);
                }
                Op::Bind(Bind { to, value: Val::Int(x) }, _) => {
                    let x = self.int(x);
                    self.put(*to, x as u32 as u64);
                }
                Op::Bind(Bind { to, value: Val::Set(set) }, _) => {
                    let set = self.sites(set);
                    self.put_set(*to, set);
                }
                Op::Require(_) | Op::Skip => {}
                Op::Round(_) if self.fuel() > 0 => self.set_fuel(self.fuel() - 1),
                Op::Take(Sites::Single(site)) if p.layout.piles.is_none() => {
                    let site = self.int(site);
                    if site >= 0 {
                        self.lift(site);
                    }
                }
                Op::Place(Int::Const(kind), Int::Const(owner), Sites::Single(site)) => {
                    let site = self.int(site);
                    self.drop(site, *kind, *owner);
                }
                Op::Branch(c, yes, no) => {
                    at = if self.told(c) { *yes } else { *no };
                    continue;
                }
                Op::More(again, out) if rounds.is_some() => {
                    at = if left > 0 { *again } else { *out };
                    left -= 1;
                    continue;
                }
                _ => {
                    match self.forward(at, false)? {
                        Stop::Cut(cut) => return Ok(cut),
                        Stop::Fork(fork) if fork != at => at = fork,
                        _ => return Err(Trouble::Illegal),
                    }
                    continue;
                }
            }
            at = node.trusted;
        }
    }

    /// Counts a turn, does what happens after it, and remembers the position.
    #[inline]
    pub(super) fn end_turn(&mut self, mover: i32) -> Result<(), Trouble> {
        let p = self.p;
        let layout = &p.layout;
        self.forget_locals();
        self.asks = Asks::After;
        self.stuck = None;
        let turns = self.scalar(layout.turns).saturating_add(1);
        self.b[layout.turns as usize] = turns as u32 as u64;
        let after = p.after[mover as usize];
        if !matches!(p.nodes[after as usize].op, Op::End) {
            self.run_through(after)?;
        }
        let uses = &p.rules.uses;
        if uses.repeats || uses.board_repeats {
            self.remember();
        }
        Ok(())
    }

    /// Does one of the ends seem to hold, seen from a seat?
    #[inline]
    fn seems_over(&mut self, seat: usize) -> bool {
        let p = self.p;
        self.asks = Asks::End;
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(over) = code.over(seat)
        {
            return over.call(self, [0; 3]) != 0 || self.trouble.is_some();
        }
        p.ends[seat].iter().any(|(when, _)| self.told(when)) || self.trouble.is_some()
    }
}

impl<const W: usize> Play<'_, W> {
    /// Plays one of the moves that were counted, drawn with equal chances, if this is a usual turn; says whether it did.
    #[inline]
    pub fn ply_quickly(&mut self) -> Result<bool, Trouble> {
        let core = &mut self.core;
        if self.setup || !core.tally.usual {
            return Ok(false);
        }
        let total = core.tally.total;
        let mut left = core.dice.as_mut().map_or(0, |dice| dice.below(total)) as u32;
        let chosen = core.tally.lots.iter().find(|lot| {
            let here = left < lot.n;
            left -= if here { 0 } else { lot.n };
            here
        });
        let Some(&chosen) = chosen else {
            crate::bug!("a run was drawn that was not counted");
        };
        let cut = core.enact(&chosen, Which::Number(left))?;
        self.end_quickly(cut)?;
        Ok(true)
    }

    /// Goes on from a cut.
    #[inline]
    pub fn end_quickly(&mut self, cut: u32) -> Result<(), Trouble> {
        let core = &mut self.core;
        let p = core.p;
        let mover = core.mover();
        if self.setup || mover < 0 || !p.switches.has(Switch::Quick) || !matches!(p.nodes[cut as usize].op, Op::End) {
            return self.go_on_from(cut);
        }
        core.tally.node = None;
        core.end_turn(mover)?;
        self.go_on_between(mover)
    }

    /// Goes on after a turn that is over, see `end_turn`.
    #[inline]
    pub fn go_on_between(&mut self, mover: i32) -> Result<(), Trouble> {
        let core = &mut self.core;
        let p = core.p;
        let layout = &p.layout;
        let turns = core.scalar(layout.turns);
        if core.seems_over(mover as usize)
            && let Some(outcome) = core.ended(mover)?
        {
            self.status = Status::Over(outcome);
            return Ok(());
        }
        if turns as u32 >= p.rules.bounds.turns || core.b[layout.resigned as usize] != 0 {
            return self.go_on_ended();
        }
        let next = core.scalar(layout.next);
        core.begin_turn(next);
        self.steps = 0;
        let start = p.turn[next as usize];
        let node = &p.nodes[start as usize];
        if node.early || node.notes || !core.tallying || p.has_by {
            return self.go_on_counted(start);
        }
        let mut fork = start;
        if core.tally.node.is_some() && core.tally.start == start {
            fork = core.tally.node.unwrap_or(start);
        } else if !matches!(node.op, Op::Choose(_)) {
            core.fresh_move();
            core.run.noted = false;
            match core.forward(start, false)? {
                Stop::Fork(at) => fork = at,
                _ => return self.go_on_counted(start),
            }
        }
        if core.tally.node != Some(fork) {
            core.run.looks = 0;
            if core.count_quickly(fork) {
                core.check()?;
            } else {
                core.fresh_move();
                core.tally(fork)?;
            }
        }
        if !core.tally.real || core.tally.runs == 0 {
            return self.go_on_counted(start);
        }
        self.node = fork;
        if self.status != Status::ToMove(next) {
            self.status = Status::ToMove(next);
        }
        Ok(())
    }
}
