//! Writes down sets of sites.

use super::call;
use super::emit::{Emit, Words};
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::flat::{Leaf, Step};
use crate::fast::terms::Term;
use crate::rules::board::opposite;
use crate::rules::expr::SetOp;
use cranelift::prelude::*;
use std::collections::BTreeMap;

impl<const W: usize> Emit<'_, '_, W> {
    /// A set.
    pub fn sites(&mut self, set: &Sites<W>) -> Words<W> {
        match set {
            Sites::Const(set) => self.constant(*set),
            Sites::Slot(slot) => self.get_set(*slot),
            Sites::Terms(terms) => self.terms(terms),
            Sites::Flat(steps) => self.steps(steps),
            Sites::Table(table, _, of) => {
                let of = self.int(of);
                self.sets(table, of)
            }
            Sites::Single(site) => {
                let site = self.int(site);
                self.single(site)
            }
            Sites::Op(op, parts) => {
                let a = self.sites(&parts.0);
                match op {
                    SetOp::And | SetOp::Minus if self.is_dear(&parts.1) => {
                        let some = self.is_some(a);
                        self.ways(
                            some,
                            types::I64,
                            |emit| {
                                let b = emit.sites(&parts.1);
                                emit.join(*op, a, b)
                            },
                            |_| a,
                        )
                    }
                    _ => {
                        let b = self.sites(&parts.1);
                        self.join(*op, a, b)
                    }
                }
            }
            Sites::Not(inner) => {
                let inner = self.sites(inner);
                let all = self.constant(self.p.ground.all);
                self.less(all, inner)
            }
            Sites::When(c) => {
                let c = self.cond(c);
                let (all, none) = (self.constant(self.p.ground.all), self.constant(Set::EMPTY));
                self.choose(c, all, none)
            }
            Sites::Shift(way, inner) if self.has_distances(*way) => {
                let inner = self.sites(inner);
                self.ahead(*way, inner)
            }
            Sites::Back(way, inner) if self.has_distances(*way) => {
                let inner = self.sites(inner);
                self.behind(*way, inner)
            }
            Sites::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let c = self.cond(c);
                    if self.is_dear(a) || self.is_dear(b) {
                        self.ways(c, types::I64, |emit| emit.sites(a), |emit| emit.sites(b))
                    } else {
                        let (a, b) = (self.sites(a), self.sites(b));
                        self.choose(c, a, b)
                    }
                }
                Pick::Match(on, arms, other) => {
                    let on = self.int(on);
                    self.arms(on, arms, other)
                }
                Pick::Let(binds, body) if binds.iter().all(Self::can_bind) => {
                    binds.iter().for_each(|bind| self.bind(bind));
                    self.sites(body)
                }
                Pick::Otherwise(list) => self.otherwise(list),
                Pick::Let(..) => self.asked(set),
            },
            Sites::Nth(base, n, index) | Sites::Labelled(base, n, index) => {
                let index = self.int(index);
                self.nth_set(*base, *n, index)
            }
            Sites::OwnedBy(owner) => {
                let owner = self.int(owner);
                let index = self.f.ins().sextend(types::I64, owner);
                let seats = self.word(self.p.layout.n_seats as u64);
                let index = self.f.ins().umin(index, seats);
                self.set_from(self.p.layout.seat0, index)
            }
            Sites::Kinds(mask) if let Mask::Const(mask) = **mask => {
                let mut all = self.constant(Set::EMPTY);
                for kind in (0..self.p.layout.n_kinds as u32).filter(|kind| mask >> kind & 1 == 1) {
                    let set = self.get_set(Slot::Word(self.p.layout.kind0 + kind * W as u32));
                    all = self.either(all, set);
                }
                all
            }
            Sites::Ray(ray) => match (&ray.dir, &ray.limit) {
                (Int::Const(dir @ 0..8), Int::Const(..0)) if self.p.ground.straight[*dir as usize] => {
                    let from = self.int(&ray.from);
                    let over = self.sites(&ray.over);
                    self.ray(from, *dir as usize, over)
                }
                _ => self.asked(set),
            },
            Sites::Slide(dirs, ray) => {
                let straight = dirs.iter().all(|&dir| self.p.ground.straight[usize::from(dir)]);
                if !straight || !matches!(ray.limit, Int::Const(..0)) {
                    return self.asked(set);
                }
                let from = self.int(&ray.from);
                let over = self.sites(&ray.over);
                let mut all = self.constant(Set::EMPTY);
                for &dir in dirs {
                    let seen = self.ray(from, usize::from(dir), over);
                    all = self.either(all, seen);
                }
                all
            }
            Sites::Sights(dirs, ..0, parts) if dirs.iter().all(|&dir| self.sees_back(usize::from(dir))) => {
                let (over, target) = (self.sites(&parts.0), self.sites(&parts.1));
                let mut all = self.constant(Set::EMPTY);
                for &dir in dirs {
                    let seen = self.slide(opposite(i32::from(dir)) as u32, target, over);
                    all = self.either(all, seen);
                }
                all
            }
            Sites::Relate(_, walks, of) if !walks.is_empty() && walks.iter().all(|&way| self.has_distances(way)) => {
                let of = self.sites(of);
                let mut all = self.constant(Set::EMPTY);
                for &way in walks {
                    let from = self.behind(way, of);
                    all = self.either(all, from);
                }
                all
            }
            Sites::Relate(table, _, of) => {
                let Some(distances) = distances(table) else {
                    return self.asked(set);
                };
                let of = self.sites(of);
                let mut all = self.constant(Set::EMPTY);
                for (by, from) in distances {
                    let part = self.masked(of, from);
                    let part = self.shifted(part, by);
                    all = self.either(all, part);
                }
                all
            }
            set => self.asked(set),
        }
    }

    /// Leaves a set to the other evaluator.
    fn asked(&mut self, set: &Sites<W>) -> Words<W> {
        self.asks = true;
        let about = self.arena.keep(set.clone());
        let out = self.room_for_set();
        let function = if self.ending { call::end_sites::<W> } else { call::sites::<W> };
        self.ask(function as *const () as usize, about, &[out], None);
        std::array::from_fn(|i| self.f.ins().load(types::I64, MemFlagsData::trusted(), out, 8 * i as i32))
    }

    /// A variable becomes a set.
    pub fn set_sites(&mut self, var: u32, set: Words<W>) {
        let place = &self.p.layout.vars[var as usize];
        if place.kept {
            let about = self.arena.keep(var);
            let out = self.room_for_set();
            for (i, word) in set.into_iter().enumerate() {
                self.f.ins().store(MemFlagsData::trusted(), word, out, 8 * i as i32);
            }
            self.ask(call::set_sites::<W> as *const () as usize, about, &[out], None);
        } else {
            self.put_set(Slot::Word(place.base), set);
        }
        self.changed();
    }

    /// The address of a place on the stack for a set.
    fn room_for_set(&mut self) -> Value {
        let slot = self.f.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8 * W as u32, 3));
        self.f.ins().stack_addr(types::I64, slot, 0)
    }

    /// Is it worth a question whether a set is needed?
    pub fn is_dear(&self, set: &Sites<W>) -> bool {
        match set {
            Sites::Const(_) | Sites::Slot(_) => false,
            Sites::Terms(terms) => terms.len() > 6,
            Sites::Flat(steps) => steps.len() > 6,
            Sites::Single(of) | Sites::Table(_, _, of) | Sites::Nth(_, _, of) => {
                !matches!(**of, Int::Slot(_) | Int::Step(..))
            }
            Sites::Op(_, parts) => self.is_dear(&parts.0) || self.is_dear(&parts.1),
            Sites::Not(inner) | Sites::Shift(_, inner) | Sites::Back(_, inner) => self.is_dear(inner),
            _ => true,
        }
    }

    fn join(&mut self, op: SetOp, a: Words<W>, b: Words<W>) -> Words<W> {
        match op {
            SetOp::And => self.both(a, b),
            SetOp::Or | SetOp::Add => self.either(a, b),
            SetOp::Minus => self.less(a, b),
        }
    }

    fn terms(&mut self, terms: &[Term<W>]) -> Words<W> {
        let mut sum: Option<Words<W>> = None;
        let mut product: Option<Words<W>> = None;
        for term in terms {
            let slot = if term.reg { Slot::Reg(term.at) } else { Slot::Word(term.at) };
            let set = if term.mask.is_empty() {
                self.constant(term.flip)
            } else {
                let set = self.get_set(slot);
                let set = self.masked(set, term.mask);
                let set = self.shifted(set, term.by);
                if term.flip.is_empty() {
                    set
                } else {
                    let flip = self.constant(term.flip);
                    std::array::from_fn(|i| self.f.ins().bxor(set[i], flip[i]))
                }
            };
            let now = match product.take() {
                Some(before) => self.both(before, set),
                None => set,
            };
            if term.last.is_empty() {
                product = Some(now);
            } else {
                sum = Some(match sum.take() {
                    Some(before) => self.either(before, now),
                    None => now,
                });
            }
        }
        sum.unwrap_or_else(|| self.constant(Set::EMPTY))
    }

    fn leaf(&mut self, leaf: &Leaf<W>) -> Words<W> {
        match leaf {
            Leaf::Word(at) => self.get_set(Slot::Word(*at)),
            Leaf::Reg(at) => self.get_set(Slot::Reg(*at)),
            Leaf::Const(set) => self.constant(*set),
            Leaf::Site(at) => {
                let site = self.int(&Int::Slot(Slot::Word(*at)));
                self.single(site)
            }
            Leaf::Up(at, mask, n) | Leaf::Down(at, mask, n) => {
                let set = self.get_set(Slot::Word(*at));
                let set = self.masked(set, *mask);
                let by = if matches!(leaf, Leaf::Up(..)) { *n as i32 } else { -(*n as i32) };
                self.shifted(set, by)
            }
        }
    }

    fn steps(&mut self, steps: &[Step<W>]) -> Words<W> {
        let mut now = self.constant(Set::EMPTY);
        let mut waiting = Vec::new();
        for step in steps {
            match step {
                Step::And(leaf) | Step::Or(leaf) | Step::Minus(leaf) => {
                    let set = self.leaf(leaf);
                    now = match step {
                        Step::And(_) => self.both(now, set),
                        Step::Or(_) => self.either(now, set),
                        _ => self.less(now, set),
                    };
                }
                Step::Up(mask, n) | Step::Down(mask, n) => {
                    let set = self.masked(now, *mask);
                    let by = if matches!(step, Step::Up(..)) { *n as i32 } else { -(*n as i32) };
                    now = self.shifted(set, by);
                }
                Step::Load(leaf) => {
                    waiting.push(now);
                    now = self.leaf(leaf);
                }
                Step::Join(op) => {
                    if let Some(before) = waiting.pop() {
                        now = self.join(*op, before, now);
                    }
                }
            }
        }
        now
    }

    fn arms(&mut self, on: Value, arms: &[(Vec<(i32, i32)>, Sites<W>)], other: &Sites<W>) -> Words<W> {
        let [(ranges, arm), rest @ ..] = arms else {
            return self.sites(other);
        };
        let here = self.in_ranges(on, ranges);
        self.ways(here, types::I64, |emit| emit.sites(arm), |emit| emit.arms(on, rest, other))
    }

    fn otherwise(&mut self, list: &[Sites<W>]) -> Words<W> {
        let first = self.sites(&list[0]);
        if list.len() == 1 {
            return first;
        }
        let some = self.is_some(first);
        self.ways(some, types::I64, |_| first, |emit| emit.otherwise(&list[1..]))
    }

    fn nth_set(&mut self, base: u32, n: u32, index: Value) -> Words<W> {
        let wide = self.f.ins().sextend(types::I64, index);
        let count = self.word(u64::from(n));
        let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, wide, count);
        let safe = self.word(0);
        let safe = self.f.ins().select(inside, wide, safe);
        let set = self.set_from(base, safe);
        let none = self.constant(Set::EMPTY);
        self.choose(inside, set, none)
    }

    /// The set that begins so many sets after a word.
    fn set_from(&mut self, base: u32, index: Value) -> Words<W> {
        let words = self.f.ins().imul_imm_s(index, W as i64);
        std::array::from_fn(|i| {
            let at = self.address(base + i as u32, words);
            self.load(at)
        })
    }

    /// Are the walk's steps so many distances, for all sites?
    pub fn has_distances(&self, way: u32) -> bool {
        let way = &self.p.ways[way as usize];
        way.offset.is_some() || !way.offsets.is_empty()
    }

    /// Where the sites of a set lead.
    pub fn ahead(&mut self, way: u32, set: Words<W>) -> Words<W> {
        let p = self.p;
        let way = &p.ways[way as usize];
        if let Some(by) = way.offset {
            let set = self.masked(set, way.from);
            return self.shifted(set, by);
        }
        let mut all = self.constant(Set::EMPTY);
        for (by, from, _) in &way.offsets {
            let part = self.masked(set, *from);
            let part = self.shifted(part, *by);
            all = self.either(all, part);
        }
        all
    }

    /// The sites that lead into a set.
    pub fn behind(&mut self, way: u32, set: Words<W>) -> Words<W> {
        let p = self.p;
        let way = &p.ways[way as usize];
        if let Some(by) = way.offset {
            let set = self.masked(set, way.image);
            return self.shifted(set, -by);
        }
        let mut all = self.constant(Set::EMPTY);
        for (by, _, image) in &way.offsets {
            let part = self.masked(set, *image);
            let part = self.shifted(part, -*by);
            all = self.either(all, part);
        }
        all
    }

    /// Can those who see something in a direction be found by sliding back from it?
    fn sees_back(&self, dir: usize) -> bool {
        self.p.ground.mutual[dir] && self.doubles(opposite(dir as i32))
    }

    /// Can slides in this direction be followed 1, 2, 4 … steps at a time?
    pub fn doubles(&self, dir: i32) -> bool {
        let way = &self.p.ways[dir as usize];
        way.doublings > 0 && way.offset.is_some()
    }

    /// Where the sites of a set lead by one step and then more over some sites.
    pub fn slide(&mut self, dir: u32, from: Words<W>, over: Words<W>) -> Words<W> {
        let p = self.p;
        let way = &p.ways[dir as usize];
        let mut all = self.ahead(dir, from);
        let mut open = self.masked(over, way.from);
        let mut by = way.offset.unwrap_or(0);
        for i in 0..way.doublings {
            let on = self.both(all, open);
            let on = self.shifted(on, by);
            all = self.either(all, on);
            if i + 1 < way.doublings {
                let next = self.shifted(open, -by);
                open = self.both(open, next);
            }
            by *= 2;
        }
        all
    }

    /// What is seen from a site along a straight direction, up to and including the first that is not gone over.
    fn ray(&mut self, from: Value, dir: usize, over: Words<W>) -> Words<W> {
        let p = self.p;
        let mut rays = vec![Set::EMPTY];
        rays.extend(&p.ground.rays[dir]);
        let seen = self.sets(&rays, from);
        let stops = self.less(seen, over);
        let first = if p.ground.rising[dir] { self.first(stops) } else { self.last(stops) };
        let behind = self.sets(&rays, first);
        self.less(seen, behind)
    }

    /// Where somebody has begun who has come in a straight direction over some sites.
    pub fn origin(&mut self, dir: u32, over: Words<W>, to: Value) -> Value {
        let p = self.p;
        let back = opposite(dir as i32) as usize;
        let mut rays = vec![Set::EMPTY];
        rays.extend(&p.ground.rays[back]);
        let seen = self.sets(&rays, to);
        let behind = self.less(seen, over);
        if p.ground.rising[back] { self.first(behind) } else { self.last(behind) }
    }
}

/// How far, and from where, the sites lead to those that a table has for them; nothing if these are too many different distances.
fn distances<const W: usize>(table: &[Set<W>]) -> Option<BTreeMap<i32, Set<W>>> {
    const MOST: usize = 12;
    let mut all: BTreeMap<i32, Set<W>> = BTreeMap::new();
    for (site, to) in (0..).zip(table) {
        for to in to.iter() {
            all.entry(to - site).or_insert(Set::EMPTY).insert(site);
        }
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}
