//! Works out compiled masks, bags and sets of sites.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::eval::bit;
use super::lanes::{bag_of, lanes_least, lanes_less, lanes_most, lanes_sum};
use super::switches::Switch;
use crate::rules::board::opposite;
use crate::rules::expr::SetOp;
use crate::rules::{NONE, step_code, step_parts};

/// A spread has at most so many walks with sites of their own from which they may be gone.
pub const MOST_GATES: usize = 8;

impl<const W: usize> Core<'_, W> {
    /// A mask.
    pub fn mask(&mut self, x: &Mask<W>) -> u64 {
        match x {
            Mask::Const(mask) => *mask,
            Mask::Slot(slot) => self.word(*slot),
            Mask::Entry(var, index) => {
                let index = self.int(index);
                let place = &self.p.layout.vars[*var as usize];
                if (index as u32) < place.n { self.b[(place.base + index as u32) as usize] } else { 0 }
            }
            Mask::Single(a) => bit(self.int(a)),
            Mask::Op(op, parts) => {
                let (a, b) = (self.mask(&parts.0), self.mask(&parts.1));
                match op {
                    SetOp::And => a & b,
                    SetOp::Or | SetOp::Add => a | b,
                    SetOp::Minus => a & !b,
                }
            }
            Mask::Lookup(table, of) => {
                let at = self.int(of);
                table.get((at + 1) as usize).copied().unwrap_or(0)
            }
            Mask::Filter(reg, parts) => {
                let mut left = self.mask(&parts.0);
                let mut out = 0;
                while left != 0 {
                    let code = left.trailing_zeros();
                    left &= left - 1;
                    self.r[*reg as usize] = u64::from(code);
                    if self.cond(&parts.1) {
                        out |= 1 << code;
                    }
                }
                out
            }
            Mask::Union(loops, body) => {
                let mut out = 0;
                self.each(loops, 0, &mut |core| {
                    out |= core.mask(body);
                    false
                });
                out
            }
            Mask::Collect(loops, body) => {
                let mut out = 0;
                self.each(loops, 0, &mut |core| {
                    out |= bit(core.int(body));
                    false
                });
                out
            }
            Mask::Pick(pick) => self.pick(pick),
        }
    }

    /// A bag.
    pub fn bag(&mut self, x: &Bag<W>) -> u128 {
        match x {
            Bag::Const(bag) => *bag,
            Bag::Slot(slot) => self.slot_bag(*slot),
            Bag::Entry(var, index) => {
                let index = self.int(index);
                let place = &self.p.layout.vars[*var as usize];
                if (index as u32) < place.n { self.slot_bag(Slot::Word(place.base + 2 * index as u32)) } else { 0 }
            }
            Bag::Single(ty, a) => bag_of(*ty, self.int(a), 1),
            Bag::Op(op, parts) => {
                let (a, b) = (self.bag(&parts.0), self.bag(&parts.1));
                match op {
                    SetOp::And => lanes_least(a, b),
                    SetOp::Or => lanes_most(a, b),
                    SetOp::Minus => lanes_less(a, b),
                    SetOp::Add => lanes_sum(a, b),
                }
            }
            Bag::Rebag(from, to, bag) => {
                let bytes = self.bag(bag).to_le_bytes();
                (0..usize::from(from.n))
                    .fold(0, |out, lane| out | bag_of(*to, from.lo.saturating_add(lane as i32), bytes[lane]))
            }
            Bag::Range(ty, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                (0..i32::from(ty.n))
                    .map(|lane| ty.lo.saturating_add(lane))
                    .filter(|thing| (a..=b).contains(thing))
                    .fold(0, |out, thing| out | bag_of(*ty, thing, 1))
            }
            Bag::Filter(ty, reg, parts) => {
                let bag = self.bag(&parts.0);
                let mut out = 0;
                for lane in 0..i32::from(ty.n) {
                    let here = 255 << (8 * lane) & bag;
                    if here != 0 {
                        self.r[*reg as usize] = (ty.lo + lane) as u32 as u64;
                        if self.cond(&parts.1) {
                            out |= here;
                        }
                    }
                }
                out
            }
            Bag::Pick(pick) => self.pick(pick),
        }
    }

    /// A set of sites. Leaves are read on the spot.
    #[inline(always)]
    pub fn sites(&mut self, x: &Sites<W>) -> Set<W> {
        match x {
            Sites::Const(set) => *set,
            Sites::Slot(slot) => self.slot_set(*slot),
            Sites::Flat(steps) => self.flat_of(steps),
            Sites::Terms(terms) => self.terms_of(terms),
            x => self.inner_sites(x),
        }
    }

    /// A set that is no leaf. What is long or seldom is elsewhere, so that the frame of this is small.
    fn inner_sites(&mut self, x: &Sites<W>) -> Set<W> {
        match x {
            Sites::Const(set) => *set,
            Sites::Slot(slot) => self.slot_set(*slot),
            Sites::Flat(steps) => self.flat_of(steps),
            Sites::Terms(terms) => self.terms_of(terms),
            Sites::Table(table, _, of) => {
                let at = self.int(of);
                table.get((at + 1) as usize).copied().unwrap_or(Set::EMPTY)
            }
            Sites::Single(a) => Set::single(self.int(a)),
            Sites::Op(op, parts) => {
                let a = self.sites(&parts.0);
                match op {
                    // Where there is nothing, nothing has to be left out.
                    SetOp::And | SetOp::Minus if a.is_empty() => a,
                    SetOp::And => a.and(self.sites(&parts.1)),
                    SetOp::Or | SetOp::Add => a.or(self.sites(&parts.1)),
                    SetOp::Minus => a.minus(self.sites(&parts.1)),
                }
            }
            Sites::Not(a) => self.p.ground.all.minus(self.sites(a)),
            Sites::When(c) => {
                if self.cond(c) {
                    self.p.ground.all
                } else {
                    Set::EMPTY
                }
            }
            Sites::Shift(way, a) => {
                let set = self.sites(a);
                self.p.ways[*way as usize].ahead(set)
            }
            Sites::Back(way, a) => {
                let set = self.sites(a);
                self.p.ways[*way as usize].behind(set)
            }
            Sites::Pick(pick) => self.pick(pick),
            Sites::Nth(base, n, index) => {
                let index = self.int(index);
                if (index as u32) < *n { self.set_at(base + index as u32 * W as u32) } else { Set::EMPTY }
            }
            x => self.rare_sites(x),
        }
    }

    #[inline(never)]
    fn rare_sites(&mut self, x: &Sites<W>) -> Set<W> {
        match x {
            Sites::OwnedBy(owner) => {
                let owner = self.int(owner);
                let layout = &self.p.layout;
                self.set_at(layout.seat0 + (layout.owner_index(owner) * W) as u32)
            }
            Sites::Kinds(mask) => {
                let mut left = self.mask(mask);
                let mut out = Set::EMPTY;
                while left != 0 {
                    let kind = left.trailing_zeros();
                    left &= left - 1;
                    if (kind as usize) < self.p.layout.n_kinds {
                        out = out.or(self.set_at(self.p.layout.kind0 + kind * W as u32));
                    }
                }
                out
            }
            Sites::Labelled(base, n, word) => {
                let word = self.int(word);
                if (word as u32) < *n { self.set_at(base + word as u32 * W as u32) } else { Set::EMPTY }
            }
            Sites::ShiftDyn(parts) => {
                let (set, dir, n) = (self.sites(&parts.0), self.int(&parts.1), self.int(&parts.2));
                self.shift(set, dir, n)
            }
            Sites::ShiftAll(parts) => {
                let (set, mut dirs, n) = (self.sites(&parts.0), self.mask(&parts.1), self.int(&parts.2));
                let mut out = Set::EMPTY;
                while dirs != 0 {
                    out = out.or(self.shift(set, dirs.trailing_zeros() as i32, n));
                    dirs &= dirs - 1;
                }
                out
            }
            Sites::Rectangle(parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                self.rectangle(a, b)
            }
            Sites::StepRange(parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                let (Some((track, a)), Some((other, b))) = (step_parts(a), step_parts(b)) else {
                    return Set::EMPTY;
                };
                let mut out = Set::EMPTY;
                if track == other {
                    for place in a.min(b)..=a.max(b) {
                        out.insert(self.step_site(step_code(track, place)));
                    }
                }
                out
            }
            Sites::TrackSites(track) => {
                let track = self.int(track);
                let mut out = Set::EMPTY;
                if let Some(walk) = usize::try_from(track).ok().and_then(|t| self.p.rules.tracks.get(t)) {
                    walk.sites.iter().for_each(|&site| out.insert(site));
                }
                out
            }
            Sites::Filter(reg, parts) => {
                let mut left = self.sites(&parts.0);
                let mut out = Set::EMPTY;
                loop {
                    let site = left.pop();
                    if site < 0 {
                        return out;
                    }
                    self.r[*reg as usize] = site as u64;
                    if self.cond(&parts.1) {
                        out.insert(site);
                    }
                }
            }
            Sites::Union(loops, body) => {
                let mut out = Set::EMPTY;
                self.each(loops, 0, &mut |core| {
                    out = out.or(core.sites(body));
                    false
                });
                out
            }
            Sites::Collect(loops, body) => {
                let mut out = Set::EMPTY;
                self.each(loops, 0, &mut |core| {
                    out.insert(core.int(body));
                    false
                });
                out
            }
            Sites::Ray(ray) => {
                let (from, dir, limit) = (self.int(&ray.from), self.int(&ray.dir), self.int(&ray.limit));
                let over = self.sites(&ray.over);
                self.ray(from, dir, self.p.ground.all.minus(over), limit)
            }
            Sites::Slide(dirs, ray) => {
                let (from, limit) = (self.int(&ray.from), self.int(&ray.limit));
                let stop = self.p.ground.all.minus(self.sites(&ray.over));
                let mut out = Set::EMPTY;
                for &dir in dirs {
                    out = out.or(self.ray(from, i32::from(dir), stop, limit));
                }
                out
            }
            Sites::Sights(dirs, limit, parts) => {
                let (over, target) = (self.sites(&parts.0), self.sites(&parts.1));
                self.sights(dirs, *limit, over, target)
            }
            Sites::Relate(table, walks, set) => {
                let set = self.sites(set);
                let mut out = Set::EMPTY;
                if walks.is_empty() || set.count() <= 3 && self.p.switches.has(Switch::Back) {
                    for site in set.iter() {
                        out = out.or(table[site as usize]);
                    }
                } else {
                    for &way in walks {
                        out = out.or(self.p.ways[way as usize].behind(set));
                    }
                }
                out
            }
            Sites::Twos(table, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                let side = self.p.layout.n_sites as i32;
                if !(NONE..side).contains(&a) || !(NONE..side).contains(&b) {
                    return self.sites(&parts.2);
                }
                table[((a + 1) * (side + 1) + b + 1) as usize]
            }
            Sites::Rows(rows) => {
                let of = self.sites(&rows.of);
                self.rows(rows, of)
            }
            Sites::Flood(flood) => self.flood(flood),
            Sites::Spread(reg, parts) => {
                let mut all = self.sites(&parts.0);
                let mut limit = parts.2.as_ref().map_or(-1, |n| self.int(n));
                let mut fresh = all;
                while !fresh.is_empty() && limit != 0 {
                    let mut reached = Set::EMPTY;
                    for site in fresh.iter() {
                        self.r[*reg as usize] = site as u64;
                        reached = reached.or(self.sites(&parts.1));
                    }
                    fresh = reached.minus(all);
                    all = all.or(fresh);
                    limit = limit.saturating_sub(1);
                }
                all
            }
            x => self.inner_sites(x),
        }
    }

    /// See [`Sites::Sights`].
    fn sights(&self, dirs: &[u8], limit: i32, over: Set<W>, target: Set<W>) -> Set<W> {
        let mut all = Set::EMPTY;
        if target.is_empty() {
            return all;
        }
        let few = target.count() <= 3 && self.p.switches.has(Switch::Back);
        let stop = self.p.ground.all.minus(over);
        for &dir in dirs {
            let dir = usize::from(dir);
            if few && self.p.ground.mutual[dir] {
                // From few places it is quicker to look back.
                for site in target.iter() {
                    all = all.or(self.ray(site, opposite(dir as i32), stop, limit));
                }
                continue;
            }
            let back = &self.p.ways[opposite(dir as i32) as usize];
            if back.doublings > 0 && limit < 0 && self.p.ground.mutual[dir] {
                all = all.or(back.slide(target, over, limit));
                continue;
            }
            let way = &self.p.ways[dir];
            let mut seen = way.behind(target);
            let mut fresh = seen;
            let mut left = limit;
            while left != 0 {
                fresh = way.behind(fresh.and(over)).minus(seen);
                if fresh.is_empty() {
                    break;
                }
                seen = seen.or(fresh);
                left = left.saturating_sub(1);
            }
            all = all.or(seen);
        }
        all
    }

    /// Has a set a member in another? No more of it is worked out than is needed.
    pub fn meets_within(&mut self, within: Set<W>, set: &Sites<W>) -> bool {
        match set {
            Sites::Op(SetOp::Or | SetOp::Add, parts) => {
                self.meets_within(within, &parts.0) || self.meets_within(within, &parts.1)
            }
            Sites::Op(SetOp::And, parts) => {
                let within = within.and(self.sites(&parts.0));
                !within.is_empty() && self.meets_within(within, &parts.1)
            }
            Sites::Pick(pick) => match &**pick {
                Pick::Let(binds, body) => {
                    self.bind_all(binds);
                    self.meets_within(within, body)
                }
                _ => !within.and(self.pick(pick)).is_empty(),
            },
            set => !within.and(self.sites(set)).is_empty(),
        }
    }

    fn shift(&self, set: Set<W>, dir: i32, n: i32) -> Set<W> {
        if !(0..8).contains(&dir) && n != 0 {
            return Set::EMPTY;
        }
        if n == 1 {
            return self.p.ways[dir as usize].ahead(set);
        }
        let mut out = Set::EMPTY;
        for site in set.iter() {
            out.insert(self.p.ground.board.walk(site, dir, n));
        }
        out
    }

    fn rectangle(&self, a: i32, b: i32) -> Set<W> {
        let board = &self.p.ground.board;
        let mut out = Set::EMPTY;
        let cell = |site: i32| (site >= 0 && (site as usize) < board.n_cells).then(|| &board.sites[site as usize]);
        if let (Some(a), Some(b)) = (cell(a), cell(b)) {
            for (i, site) in board.sites[..board.n_cells].iter().enumerate() {
                let inside = |at: i32, from: i32, to: i32| from.min(to) <= at && at <= from.max(to);
                if inside(site.x, a.x, b.x) && inside(site.y, a.y, b.y) {
                    out.insert(i as i32);
                }
            }
        }
        out
    }

    /// What is seen from a site up to and including the first of `stop`, at most `limit` steps after the first (below 0: no limit).
    #[inline]
    pub fn ray(&self, from: i32, dir: i32, stop: Set<W>, limit: i32) -> Set<W> {
        if from < 0 || !(0..8).contains(&dir) {
            return Set::EMPTY;
        }
        let ground = &self.p.ground;
        let d = dir as usize;
        if !ground.straight[d] {
            return self.slow_ray(from, dir, stop, limit);
        }
        let rays = &ground.rays[d];
        let mut seen = rays[from as usize];
        let stops = seen.and(stop);
        let first = if ground.rising[d] { stops.first() } else { stops.last() };
        if first >= 0 {
            seen = seen.minus(rays[first as usize]);
        }
        if limit >= 0 {
            let last = ground.board.walk(from, dir, limit.saturating_add(1));
            if last >= 0 {
                seen = seen.minus(rays[last as usize]);
            }
        }
        seen
    }

    fn slow_ray(&self, from: i32, dir: i32, stop: Set<W>, limit: i32) -> Set<W> {
        let board = &self.p.ground.board;
        let mut seen = Set::EMPTY;
        let mut here = board.step(from, dir);
        let mut left = limit;
        while here >= 0 && !seen.has(here) {
            seen.insert(here);
            if stop.has(here) || left == 0 {
                break;
            }
            left = left.saturating_sub(1).max(-1);
            here = board.step(here, dir);
        }
        seen
    }

    fn flood(&mut self, flood: &Flood<W>) -> Set<W> {
        let from = self.sites(&flood.from);
        self.fill(flood, from, &mut |_, _| false)
    }

    /// A fill from these sites on, round by round, until `enough` says so of the sites that were new in the round before and of those that
    /// the walks lead to from there.
    #[inline]
    pub fn fill(&mut self, flood: &Flood<W>, from: Set<W>, enough: &mut impl FnMut(Set<W>, Set<W>) -> bool) -> Set<W> {
        let mut all = from;
        let mut gates = [Set::EMPTY; MOST_GATES];
        for (gate, set) in gates.iter_mut().zip(&flood.gates) {
            *gate = self.sites(set);
        }
        let gated = flood.gates.len().min(MOST_GATES);
        let within = flood.within.as_ref().map(|set| self.sites(set));
        let via = flood.via.as_ref().map(|set| self.sites(set));
        let mut limit = flood.limit.as_ref().map_or(-1, |n| self.int(n));
        let mut fresh = all;
        while !fresh.is_empty() && limit != 0 {
            if let Some(via) = via {
                fresh = fresh.and(via);
            }
            let mut reached = Set::EMPTY;
            for (i, &way) in flood.walks.iter().enumerate() {
                let from = if i < gated { fresh.and(gates[i]) } else { fresh };
                reached = reached.or(self.p.ways[way as usize].ahead(from));
            }
            if enough(fresh, reached) {
                return all;
            }
            if let Some(within) = within {
                reached = reached.and(within);
            }
            fresh = reached.minus(all);
            all = all.or(fresh);
            limit = limit.saturating_sub(1);
        }
        all
    }
}

impl<const W: usize> Ground<W> {
    /// Where somebody who has come in a direction over some sites has begun: the first other site behind.
    #[inline]
    pub fn origin(&self, dir: u32, over: Set<W>, to: i32) -> i32 {
        let back = opposite(dir as i32) as usize;
        let behind = self.rays[back][to as usize].minus(over);
        if self.rising[back] { behind.first() } else { behind.last() }
    }
}

impl<const W: usize> Way<W> {
    /// Where the sites of a set lead by one step and then more over some sites, at most so many after the first (below 0: no limit).
    #[inline]
    pub fn slide(&self, from: Set<W>, over: Set<W>, limit: i32) -> Set<W> {
        let mut front = self.ahead(from);
        let mut all = front;
        if limit < 0
            && self.doublings > 0
            && let Some(by) = self.offset
        {
            // From where so many steps lead on.
            let (mut open, mut by) = (over.and(self.from), by);
            for _ in 0..self.doublings {
                all = all.or(all.and(open).shifted(by));
                open = open.and(open.shifted(-by));
                by *= 2;
            }
            return all;
        }
        let mut left = limit;
        while left != 0 {
            front = self.ahead(front.and(over));
            if front.is_empty() {
                break;
            }
            all = all.or(front);
            left = left.saturating_sub(1);
        }
        all
    }

    /// The site that leads to another, or none does; nothing if several do.
    #[inline]
    pub fn before(&self, site: i32) -> Option<i32> {
        if let Some(by) = self.offset {
            return Some(if self.image.has(site) { site - by } else { NONE });
        }
        let back = &self.back[site as usize];
        (back.count() <= 1).then(|| back.first())
    }

    /// Where the sites of a set lead.
    #[inline(always)]
    pub fn ahead(&self, set: Set<W>) -> Set<W> {
        if let Some(by) = self.offset {
            return set.and(self.from).shifted(by);
        }
        let mut out = Set::EMPTY;
        for (by, from, _) in &self.offsets {
            out = out.or(set.and(*from).shifted(*by));
        }
        if self.offsets.is_empty() {
            for site in set.and(self.from).iter() {
                out.insert(self.to[site as usize + 1]);
            }
        }
        out
    }

    /// The sites that lead into a set.
    #[inline(always)]
    pub fn behind(&self, set: Set<W>) -> Set<W> {
        if let Some(by) = self.offset {
            return set.and(self.image).shifted(-by);
        }
        let mut out = Set::EMPTY;
        for (by, _, image) in &self.offsets {
            out = out.or(set.and(*image).shifted(-*by));
        }
        if self.offsets.is_empty() {
            for site in set.and(self.image).iter() {
                out = out.or(self.back[site as usize]);
            }
        }
        out
    }
}
