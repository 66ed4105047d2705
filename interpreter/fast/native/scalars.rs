//! Writes down numbers, masks and conditions.

use super::call;
use super::emit::Emit;
use crate::fast::code::*;
use crate::fast::layout::{Packed, Store};
use crate::rules::expr::{Cmp, SetOp};
use crate::rules::{NO_LIMIT, NONE};
use crate::syntax::ast::ArithOp;
use cranelift::prelude::*;

impl<const W: usize> Emit<'_, '_, W> {
    /// A number, in 32 bits.
    pub fn int(&mut self, x: &Int<W>) -> Value {
        match x {
            Int::Const(x) => self.number(*x),
            Int::Slot(slot) => match self.known.get(slot) {
                Some(&code) => self.number(code),
                None => {
                    let word = self.get(*slot);
                    self.f.ins().ireduce(types::I32, word)
                }
            },
            Int::Entry(var, index) => {
                let p = self.p;
                let place = &p.layout.vars[*var as usize];
                if let Int::Const(index) = **index
                    && (index as u32) < place.n
                {
                    return self.int(&Int::Slot(Slot::Word(place.base + index as u32)));
                }
                let index = self.int(index);
                let wide = self.f.ins().sextend(types::I64, index);
                let n = self.word(u64::from(place.n));
                let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, wide, n);
                let zero = self.word(0);
                let safe = self.f.ins().select(inside, wide, zero);
                let at = self.address(place.base, safe);
                let word = self.load(at);
                let value = self.f.ins().ireduce(types::I32, word);
                let none = self.number(place.zero);
                self.f.ins().select(inside, value, none)
            }
            Int::At(Numbers::Var(var), site) => {
                let p = self.p;
                let site = self.int(site);
                match p.layout.vars[*var as usize].store {
                    Store::Words { at, .. } | Store::Numbers { at, .. } => self.packed_at(at, site),
                    Store::Flags => {
                        let set = self.get_set(Slot::Word(p.layout.vars[*var as usize].base));
                        let has = self.has(set, site);
                        self.f.ins().uextend(types::I32, has)
                    }
                    _ => self.number(0),
                }
            }
            Int::Lookup(table, of) => {
                let of = self.int(of);
                let index = self.next_of(of);
                let table = table.iter().copied().chain([NONE]).collect();
                self.numbers(table, index)
            }
            Int::Step(way, of) => {
                let of = self.int(of);
                self.step(*way, of)
            }
            Int::Go(ways, of, dir) => {
                let dir = match &**dir {
                    Int::Const(dir) => Some(*dir),
                    Int::Slot(slot) => self.known.get(slot).copied(),
                    _ => None,
                };
                match dir.and_then(|dir| ways.get(usize::try_from(dir).ok()?)) {
                    Some(way) => {
                        let of = self.int(of);
                        self.step(*way, of)
                    }
                    None => self.asked_int(x),
                }
            }
            Int::Arith(op, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                match op {
                    ArithOp::Add => self.sum(true, a, b),
                    ArithOp::Sub => self.sum(false, a, b),
                    ArithOp::Mul => self.product(a, b),
                    ArithOp::Div | ArithOp::Rem => self.quotient(*op == ArithOp::Rem, a, b),
                }
            }
            Int::Negate(a) => {
                let a = self.int(a);
                let zero = self.number(0);
                self.sum(false, zero, a)
            }
            Int::Bool(c) => {
                let c = self.cond(c);
                self.f.ins().uextend(types::I32, c)
            }
            Int::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let c = self.cond(c);
                    let [x] = self.ways(c, types::I32, |emit| [emit.int(a)], |emit| [emit.int(b)]);
                    x
                }
                Pick::Match(on, arms, other) => {
                    let on = self.int(on);
                    self.int_arms(on, arms, other)
                }
                Pick::Let(binds, body) if binds.iter().all(Self::can_bind) => {
                    binds.iter().for_each(|bind| self.bind(bind));
                    self.int(body)
                }
                Pick::Otherwise(list) => self.int_otherwise(list),
                Pick::Let(..) => self.asked_int(x),
            },
            Int::KindAt(site) | Int::OwnerAt(site) if self.p.layout.piles.is_none() => {
                let layout = &self.p.layout;
                let seats = layout.n_seats as i32 + 1;
                let pieces = (0..layout.n_kinds as i32).flat_map(|kind| (0..seats).map(move |owner| (kind, owner)));
                let of = |(kind, owner): (i32, i32)| match x {
                    Int::KindAt(_) => kind,
                    _ if owner == seats - 1 => NONE,
                    _ => owner,
                };
                let table: Vec<i32> = std::iter::once(NONE).chain(pieces.map(of)).collect();
                let what = layout.what;
                let site = self.int(site);
                let what = self.packed_at(what, site);
                let what = self.f.ins().uextend(types::I64, what);
                self.numbers(table, what)
            }
            Int::Count(set) => {
                let set = self.sites(set);
                let n = self.count(set);
                self.f.ins().ireduce(types::I32, n)
            }
            Int::The(set) => {
                let set = self.sites(set);
                let n = self.count(set);
                let one = self.f.ins().icmp_imm_s(IntCC::Equal, n, 1);
                let (first, none) = (self.first(set), self.number(NONE));
                self.f.ins().select(one, first, none)
            }
            Int::Heap(var, sites) => match self.heap(*var, sites) {
                Some(sum) => sum,
                None => self.asked_int(x),
            },
            Int::Bagged(ask, ty, bag) => match self.bagged(*ask, *ty, bag) {
                Some(x) => x,
                None => self.asked_int(x),
            },
            Int::HeightAt(site) if let Some((_, heights)) = self.p.layout.piles => {
                let site = self.int(site);
                self.packed_at(heights, site)
            }
            Int::StepPlace(step) => {
                let step = self.int(step);
                let none = self.number(NONE);
                let low = self.number(0xffff);
                let place = self.f.ins().band(step, low);
                let nowhere = self.f.ins().icmp_imm_s(IntCC::SignedLessThan, step, 0);
                self.f.ins().select(nowhere, none, place)
            }
            Int::Fold(fold @ (IntFold::Min | IntFold::Max), loops, body) => match self.place_of(*fold, loops, body) {
                Some(place) => place,
                None => self.asked_int(x),
            },
            Int::StepSite(step) => {
                let step = self.int(step);
                match self.step_site(step) {
                    Some(site) => site,
                    None => self.asked_int(x),
                }
            }
            Int::StepOn(parts) if let Int::Const(n) = parts.1 => {
                let step = self.int(&parts.0);
                match self.step_on(step, n) {
                    Some(to) => to,
                    None => self.asked_int(x),
                }
            }
            Int::StepOn(parts) if self.p.rules.tracks.iter().all(|track| !track.closed) => {
                let (step, n) = (self.int(&parts.0), self.int(&parts.1));
                self.step_along(step, n)
            }
            Int::CountMask(mask) => {
                let mask = self.mask(mask);
                let n = self.f.ins().popcnt(mask);
                self.f.ins().ireduce(types::I32, n)
            }
            x => self.asked_int(x),
        }
    }

    fn int_otherwise(&mut self, list: &[Int<W>]) -> Value {
        let first = self.int(&list[0]);
        if list.len() == 1 {
            return first;
        }
        let nothing = self.f.ins().icmp_imm_s(IntCC::Equal, first, i64::from(NONE));
        let [x] = self.ways(nothing, types::I32, |emit| [emit.int_otherwise(&list[1..])], |_| [first]);
        x
    }

    fn asked_int(&mut self, x: &Int<W>) -> Value {
        self.asks = true;
        let about = self.arena.keep(x.clone());
        let function = if self.ending { call::end_int::<W> } else { call::int::<W> };
        let asked = self.ask(function as *const () as usize, about, &[], Some(types::I32));
        asked.unwrap_or_else(|| self.number(0))
    }

    /// Where a walk leads.
    pub fn step(&mut self, way: u32, of: Value) -> Value {
        let table = self.p.ways[way as usize].to.iter().copied().chain([NONE]).collect();
        let index = self.next_of(of);
        self.numbers(table, index)
    }

    /// A sum or difference that stops at the ends, see `rules/number.rs`.
    pub fn sum(&mut self, add: bool, a: Value, b: Value) -> Value {
        let limit = self.number(NO_LIMIT);
        let (x, y) = (self.f.ins().sextend(types::I64, a), self.f.ins().sextend(types::I64, b));
        let sum = if add { self.f.ins().iadd(x, y) } else { self.f.ins().isub(x, y) };
        let sum = self.within_ends(sum);
        let endless = self.f.ins().icmp(IntCC::Equal, a, limit);
        let sum = self.f.ins().select(endless, limit, sum);
        if !add {
            return sum;
        }
        let endless = self.f.ins().icmp(IntCC::Equal, b, limit);
        self.f.ins().select(endless, limit, sum)
    }

    /// A product that stops at the ends, the same way.
    fn product(&mut self, a: Value, b: Value) -> Value {
        let (x, y) = (self.f.ins().sextend(types::I64, a), self.f.ins().sextend(types::I64, b));
        let product = self.f.ins().imul(x, y);
        let product = self.within_ends(product);
        let [a_endless, b_endless] = [a, b].map(|x| self.f.ins().icmp_imm_s(IntCC::Equal, x, i64::from(NO_LIMIT)));
        let other = self.f.ins().select(a_endless, b, a);
        let some = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, other, 0);
        let (limit, none) = (self.number(NO_LIMIT), self.number(0));
        let endless = self.f.ins().select(some, limit, none);
        let either = self.f.ins().bor(a_endless, b_endless);
        self.f.ins().select(either, endless, product)
    }

    /// A quotient or remainder, the same way; 0 if divided by 0.
    fn quotient(&mut self, rest: bool, a: Value, b: Value) -> Value {
        let (x, y) = (self.f.ins().sextend(types::I64, a), self.f.ins().sextend(types::I64, b));
        let nothing = self.f.ins().icmp_imm_s(IntCC::Equal, b, 0);
        let one = self.word(1);
        let by = self.f.ins().select(nothing, one, y);
        let found = if rest { self.f.ins().srem(x, by) } else { self.f.ins().sdiv(x, by) };
        let mut found = if rest { self.f.ins().ireduce(types::I32, found) } else { self.within_ends(found) };
        if !rest {
            let limit = self.number(NO_LIMIT);
            let endless = self.f.ins().icmp(IntCC::Equal, a, limit);
            let some = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, b, 0);
            let endless = self.f.ins().band(endless, some);
            found = self.f.ins().select(endless, limit, found);
        }
        let none = self.number(0);
        self.f.ins().select(nothing, none, found)
    }

    /// A number of 64 bits as one that stops at the ends.
    fn within_ends(&mut self, x: Value) -> Value {
        let (least, most) = (self.word(i64::from(i32::MIN) as u64), self.word((NO_LIMIT - 1) as u64));
        let x = self.f.ins().smax(x, least);
        let x = self.f.ins().smin(x, most);
        self.f.ins().ireduce(types::I32, x)
    }

    fn int_arms(&mut self, on: Value, arms: &[(Vec<(i32, i32)>, Int<W>)], other: &Int<W>) -> Value {
        let [(ranges, arm), rest @ ..] = arms else {
            return self.int(other);
        };
        let here = self.in_ranges(on, ranges);
        let [x] = self.ways(here, types::I32, |emit| [emit.int(arm)], |emit| [emit.int_arms(on, rest, other)]);
        x
    }

    /// Does a number lie in one of some ranges?
    pub fn in_ranges(&mut self, on: Value, ranges: &[(i32, i32)]) -> Value {
        let mut any = self.flag(false);
        for &(lo, hi) in ranges {
            let here = if lo == hi {
                self.f.ins().icmp_imm_s(IntCC::Equal, on, i64::from(lo))
            } else {
                let above = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, on, i64::from(lo));
                let below = self.f.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, on, i64::from(hi));
                self.f.ins().band(above, below)
            };
            any = self.f.ins().bor(any, here);
        }
        any
    }

    /// A packed number at a site; 0 at nowhere.
    pub fn packed_at(&mut self, at: Packed, site: Value) -> Value {
        let wide = self.f.ins().sextend(types::I64, site);
        let n = self.word(self.p.layout.n_sites as u64);
        let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, wide, n);
        let zero = self.word(0);
        let safe = self.f.ins().select(inside, wide, zero);
        let word = self.packed(at, safe);
        let word = self.f.ins().select(inside, word, zero);
        self.f.ins().ireduce(types::I32, word)
    }

    /// A packed number at a site that there is, in 64 bits.
    pub fn packed(&mut self, at: Packed, site: Value) -> Value {
        if at.log == 3 {
            let base = self.f.ins().iadd(self.b, site);
            let at = self.f.ins().iadd_imm_s(base, i64::from(at.base) * 8);
            return self.load_byte(at);
        }
        let index = self.f.ins().ushr_imm_u(site, i64::from(6 - at.log));
        let address = self.address(at.base, index);
        let word = self.load(address);
        let by = self.f.ins().ishl_imm_u(site, i64::from(at.log));
        let word = self.f.ins().ushr(word, by);
        let ones = self.word((1 << (1 << at.log)) - 1);
        self.f.ins().band(word, ones)
    }

    /// Stores a packed number at a site that there is.
    pub fn put_packed(&mut self, at: Packed, site: Value, value: Value) {
        if at.log == 3 {
            let base = self.f.ins().iadd(self.b, site);
            let at = self.f.ins().iadd_imm_s(base, i64::from(at.base) * 8);
            return self.store_byte(at, value);
        }
        let index = self.f.ins().ushr_imm_u(site, i64::from(6 - at.log));
        let address = self.address(at.base, index);
        let word = self.load(address);
        let by = self.f.ins().ishl_imm_u(site, i64::from(at.log));
        let ones = self.word((1 << (1 << at.log)) - 1);
        let value = self.f.ins().band(value, ones);
        let ones = self.f.ins().ishl(ones, by);
        let value = self.f.ins().ishl(value, by);
        let word = self.f.ins().band_not(word, ones);
        let word = self.f.ins().bor(word, value);
        self.store(address, word);
    }

    /// A mask.
    pub fn mask(&mut self, x: &Mask<W>) -> Value {
        match x {
            Mask::Const(mask) => self.word(*mask),
            Mask::Slot(slot) => self.get(*slot),
            Mask::Single(code) => {
                let code = self.int(code);
                self.bit(code)
            }
            Mask::Op(op, parts) => {
                let (a, b) = (self.mask(&parts.0), self.mask(&parts.1));
                match op {
                    SetOp::And => self.f.ins().band(a, b),
                    SetOp::Or | SetOp::Add => self.f.ins().bor(a, b),
                    SetOp::Minus => self.f.ins().band_not(a, b),
                }
            }
            Mask::Lookup(table, of) => {
                let of = self.int(of);
                let index = self.next_of(of);
                let table = table.iter().copied().chain([0]).collect();
                self.table(table, index)
            }
            x => {
                self.asks = true;
                let about = self.arena.keep(x.clone());
                let function = if self.ending { call::end_mask::<W> } else { call::mask::<W> };
                let asked = self.ask(function as *const () as usize, about, &[], Some(types::I64));
                asked.unwrap_or_else(|| self.word(0))
            }
        }
    }

    fn bit(&mut self, code: Value) -> Value {
        let wide = self.f.ins().sextend(types::I64, code);
        let inside = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThan, wide, 64);
        let one = self.word(1);
        let bit = self.f.ins().ishl(one, wide);
        let none = self.word(0);
        self.f.ins().select(inside, bit, none)
    }

    /// Can a name be given this value here?
    pub fn can_bind(bind: &Bind<W>) -> bool {
        matches!(bind.value, Val::Int(_) | Val::Mask(_) | Val::Set(_))
    }

    /// Gives a name its value, see `can_bind`.
    pub fn bind(&mut self, bind: &Bind<W>) {
        self.known.remove(&bind.to);
        match &bind.value {
            Val::Int(x) => {
                let x = self.int(x);
                let word = self.f.ins().uextend(types::I64, x);
                self.put(bind.to, word);
            }
            Val::Mask(x) => {
                let word = self.mask(x);
                self.put(bind.to, word);
            }
            Val::Set(set) => {
                let set = self.sites(set);
                self.put_set(bind.to, set);
            }
            Val::Bag(_) | Val::Table(_) => {}
        }
    }

    /// A condition, in 8 bits.
    pub fn cond(&mut self, c: &Cond<W>) -> Value {
        match c {
            Cond::Const(known) => self.flag(*known),
            Cond::True(Int::Bool(c)) => self.cond(c),
            Cond::True(x) => {
                let x = self.int(x);
                self.f.ins().icmp_imm_s(IntCC::NotEqual, x, 0)
            }
            Cond::Not(c) => {
                let c = self.cond(c);
                self.f.ins().icmp_imm_s(IntCC::Equal, c, 0)
            }
            Cond::And(parts) => {
                let a = self.cond(&parts.0);
                if self.is_quick(&parts.1) {
                    let b = self.cond(&parts.1);
                    return self.f.ins().band(a, b);
                }
                let [c] = self.ways(a, types::I8, |emit| [emit.cond(&parts.1)], |emit| [emit.flag(false)]);
                c
            }
            Cond::Or(parts) => {
                let a = self.cond(&parts.0);
                if self.is_quick(&parts.1) {
                    let b = self.cond(&parts.1);
                    return self.f.ins().bor(a, b);
                }
                let [c] = self.ways(a, types::I8, |emit| [emit.flag(true)], |emit| [emit.cond(&parts.1)]);
                c
            }
            Cond::Compare(cmp, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                let cc = match cmp {
                    Cmp::Eq => IntCC::Equal,
                    Cmp::Ne => IntCC::NotEqual,
                    Cmp::Lt => IntCC::SignedLessThan,
                    Cmp::Le => IntCC::SignedLessThanOrEqual,
                    Cmp::Gt => IntCC::SignedGreaterThan,
                    Cmp::Ge => IntCC::SignedGreaterThanOrEqual,
                };
                self.f.ins().icmp(cc, a, b)
            }
            Cond::SameSites(parts) => {
                let (a, b) = (self.sites(&parts.0), self.sites(&parts.1));
                let apart = std::array::from_fn(|i| self.f.ins().bxor(a[i], b[i]));
                self.is_empty(apart)
            }
            Cond::SameMask(parts) => {
                let (a, b) = (self.mask(&parts.0), self.mask(&parts.1));
                self.f.ins().icmp(IntCC::Equal, a, b)
            }
            Cond::In(parts) if let Sites::Rows(rows) = &parts.1 => {
                let found = if rows.whole { self.in_row(rows, &parts.0) } else { None };
                match found {
                    Some(found) => found,
                    None => self.asked_cond(c),
                }
            }
            Cond::In(parts) => {
                let site = self.int(&parts.0);
                let set = self.sites(&parts.1);
                self.has(set, site)
            }
            Cond::InMask(parts) => {
                let code = self.int(&parts.0);
                let (bit, mask) = (self.bit(code), self.mask(&parts.1));
                let met = self.f.ins().band(bit, mask);
                self.f.ins().icmp_imm_s(IntCC::NotEqual, met, 0)
            }
            Cond::Within(parts) => {
                let (a, b) = (self.sites(&parts.0), self.sites(&parts.1));
                let rest = self.less(a, b);
                self.is_empty(rest)
            }
            Cond::WithinMask(parts) => {
                let (a, b) = (self.mask(&parts.0), self.mask(&parts.1));
                let rest = self.f.ins().band_not(a, b);
                self.f.ins().icmp_imm_s(IntCC::Equal, rest, 0)
            }
            Cond::Some(set) => match &**set {
                Sites::Rows(rows) if rows.near.is_empty() => self.asked_cond(c),
                Sites::Rows(rows) => self.some_row(rows),
                set => {
                    let set = self.sites(set);
                    self.is_some(set)
                }
            },
            Cond::SomeBag(bag) => match self.some_bag(bag) {
                Some(some) => some,
                None => self.asked_cond(c),
            },
            Cond::InBag(ty, parts) => match self.in_bag(*ty, &parts.0, &parts.1) {
                Some(found) => found,
                None => self.asked_cond(c),
            },
            Cond::SomeMask(mask) => {
                let mask = self.mask(mask);
                self.f.ins().icmp_imm_s(IntCC::NotEqual, mask, 0)
            }
            Cond::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let c = self.cond(c);
                    let [c] = self.ways(c, types::I8, |emit| [emit.cond(a)], |emit| [emit.cond(b)]);
                    c
                }
                Pick::Match(on, arms, other) => {
                    let on = self.int(on);
                    self.cond_arms(on, arms, other)
                }
                Pick::Let(binds, body) if binds.iter().all(Self::can_bind) => {
                    binds.iter().for_each(|bind| self.bind(bind));
                    self.cond(body)
                }
                _ => self.asked_cond(c),
            },
            // Of an end this is asked only if the next player has a turn.
            Cond::Stuck if self.ending => self.flag(false),
            c => self.asked_cond(c),
        }
    }

    fn asked_cond(&mut self, c: &Cond<W>) -> Value {
        self.asks = true;
        let about = self.arena.keep(c.clone());
        let function = if self.ending { call::end_cond::<W> } else { call::cond::<W> };
        let asked = self.ask(function as *const () as usize, about, &[], Some(types::I32));
        let asked = asked.unwrap_or_else(|| self.number(0));
        self.f.ins().icmp_imm_s(IntCC::NotEqual, asked, 0)
    }

    fn cond_arms(&mut self, on: Value, arms: &[(Vec<(i32, i32)>, Cond<W>)], other: &Cond<W>) -> Value {
        let [(ranges, arm), rest @ ..] = arms else {
            return self.cond(other);
        };
        let here = self.in_ranges(on, ranges);
        let [c] = self.ways(here, types::I8, |emit| [emit.cond(arm)], |emit| [emit.cond_arms(on, rest, other)]);
        c
    }

    /// Is a condition so short that it is worked out without asking whether it is needed?
    fn is_quick(&self, c: &Cond<W>) -> bool {
        let int = |x: &Int<W>| matches!(x, Int::Const(_) | Int::Slot(_) | Int::Step(..) | Int::Go(..));
        match c {
            Cond::Const(_) => true,
            Cond::Stuck => self.ending,
            Cond::True(x) => int(x),
            Cond::Not(c) => self.is_quick(c),
            Cond::Compare(_, parts) => int(&parts.0) && int(&parts.1),
            Cond::In(parts) => int(&parts.0) && !self.is_dear(&parts.1),
            Cond::Some(set) => !self.is_dear(set),
            Cond::Within(parts) => !self.is_dear(&parts.0) && !self.is_dear(&parts.1),
            _ => false,
        }
    }
}
