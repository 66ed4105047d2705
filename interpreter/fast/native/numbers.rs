//! Writes down what happens to numbers at sites, and steps along tracks.

use super::emit::Emit;
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::layout::{Packed, Store};
use crate::rules::stmt::TableOp;
use crate::rules::{NO_LIMIT, NONE, Track, step_code};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::*;

/// All tracks together may have so many steps in a table.
const MOST_STEPS: usize = 4_096;

/// Where numbers at sites lie: themselves, the set of sites that have more than 0, and their range.
struct Place {
    at: Packed,
    above: u32,
    lo: i32,
    hi: i32,
}

impl<const W: usize> Emit<'_, '_, W> {
    /// A table of numbers at sites.
    fn numbers_of(&self, var: u32) -> Option<Place> {
        match self.p.layout.vars[var as usize].store {
            Store::Numbers { at, above, lo, hi } => Some(Place { at, above, lo, hi }),
            _ => None,
        }
    }

    /// Is a table one of numbers?
    pub fn has_numbers(&self, var: u32) -> bool {
        self.numbers_of(var).is_some()
    }

    /// The sum of a table over some sites.
    pub fn heap(&mut self, var: u32, sites: &Sites<W>) -> Option<Value> {
        let place = self.numbers_of(var)?;
        if let Sites::Single(site) = sites
            && place.lo >= 0
        {
            let site = self.int(site);
            return Some(self.packed_at(place.at, site));
        }
        let mut sites = self.sites(sites);
        if place.lo >= 0 {
            let above = self.get_set(Slot::Word(place.above));
            sites = self.both(sites, above);
        }
        let zero = self.word(0);
        let [sum] = self.fold_sites(sites, [zero], |emit, site, [sum]| {
            let n = emit.packed(place.at, site);
            if place.at.log < 5 && place.lo >= 0 {
                return [emit.f.ins().iadd(sum, n)];
            }
            let (sum, n) = (emit.f.ins().ireduce(types::I32, sum), emit.f.ins().ireduce(types::I32, n));
            let sum = emit.sum(true, sum, n);
            [emit.f.ins().uextend(types::I64, sum)]
        });
        Some(self.f.ins().ireduce(types::I32, sum))
    }

    /// Goes through a set, the lowest site first, with values that each site makes anew. Nothing may be changed.
    fn fold_sites<const N: usize>(
        &mut self,
        set: [Value; W],
        first: [Value; N],
        then: impl FnOnce(&mut Self, Value, [Value; N]) -> [Value; N],
    ) -> [Value; N] {
        let (head, body, done) = (self.f.create_block(), self.f.create_block(), self.f.create_block());
        let held = self.held.clone();
        let set = self.masked(set, self.p.ground.all);
        let begin: Vec<BlockArg> = set.into_iter().chain(first).map(BlockArg::Value).collect();
        self.f.ins().jump(head, &begin);
        let left: [Value; W] = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        let values: [Value; N] = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        self.f.switch_to_block(head);
        let some = self.is_some(left);
        self.f.ins().brif(some, body, &[], done, &[]);
        self.f.switch_to_block(body);
        let site = self.first(left);
        let one = self.single(site);
        let rest = self.less(left, one);
        let site = self.f.ins().uextend(types::I64, site);
        let new = then(self, site, values);
        let again: Vec<BlockArg> = rest.into_iter().chain(new).map(BlockArg::Value).collect();
        self.f.ins().jump(head, &again);
        self.f.switch_to_block(done);
        self.held = held;
        values
    }

    /// Changes a table of numbers at a site that there is.
    pub fn change_number(&mut self, var: u32, op: TableOp, site: Value, value: Value) {
        let Some(place) = self.numbers_of(var) else { return };
        let old = self.packed(place.at, site);
        let old = self.f.ins().ireduce(types::I32, old);
        let new = match op {
            TableOp::Set => value,
            TableOp::Add => self.sum(true, old, value),
            TableOp::Sub => self.sum(false, old, value),
        };
        self.put_number(var, &place, site, [old, new]);
    }

    /// A number at a site becomes another, cut to the range.
    fn put_number(&mut self, var: u32, place: &Place, site: Value, [old, new]: [Value; 2]) {
        let (lo, hi) = (self.number(place.lo), self.number(place.hi));
        let new = self.f.ins().smax(new, lo);
        let new = self.f.ins().smin(new, hi);
        let bits = self.f.ins().uextend(types::I64, new);
        self.put_packed(place.at, site, bits);
        let was = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, old, 0);
        let is = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, new, 0);
        let turns = self.f.ins().bxor(was, is);
        let turns = self.f.ins().uextend(types::I64, turns);
        let bit = self.f.ins().ishl(turns, site);
        let word = self.f.ins().ushr_imm_u(site, 6);
        let at = self.address(place.above, word);
        let set = self.load(at);
        let set = self.f.ins().bxor(set, bit);
        self.store(at, set);
        if self.p.layout.vars[var as usize].kept {
            let n = self.p.layout.n_sites;
            let keys = self.p.number_keys[var as usize * n..(var as usize + 1) * n].to_vec();
            let key = self.table(keys, site);
            let (new, old) = (self.f.ins().sextend(types::I64, new), self.f.ins().sextend(types::I64, old));
            let more = self.f.ins().isub(new, old);
            let by = self.f.ins().imul(key, more);
            self.changed();
            let at = Slot::Word(self.p.layout.rest_key);
            let rest = self.get(at);
            let rest = self.f.ins().iadd(rest, by);
            self.put(at, rest);
        }
        self.changed();
    }

    /// Drops one after the other along a walk; goes on at the second block if that cannot be done at once.
    pub fn sow(&mut self, sow: &Sow<W>, [done, other]: [Block; 2]) -> bool {
        let p = self.p;
        let tracks = &p.rules.tracks;
        let Some(numbers) = self.numbers_of(sow.var) else {
            return false;
        };
        let longest = tracks.iter().map(|track| track.sites.len()).max().unwrap_or(0);
        if tracks.is_empty() || longest == 0 || tracks.len() * longest > MOST_STEPS {
            return false;
        }
        // A row for each track, all as long as the longest.
        let row = |track: &Track| (0..longest).map(|i| track.sites.get(i).copied().unwrap_or(0)).collect::<Vec<_>>();
        let sites: Vec<i32> = tracks.iter().flat_map(row).collect();
        let lens =
            tracks.iter().map(|track| if track.closed { track.sites.len() as i32 } else { 0 }).chain([0]).collect();
        let left = self.int(&Int::Slot(Slot::Word(sow.counter)));
        let here = self.int(&Int::Slot(Slot::Word(sow.here)));
        let track = self.f.ins().sshr_imm_u(here, 16);
        let track = self.f.ins().sextend(types::I64, track);
        let place = self.f.ins().uextend(types::I64, here);
        let low = self.word(0xffff);
        let place = self.f.ins().band(place, low);
        let len = self.numbers(lens, track);
        let len = self.f.ins().uextend(types::I64, len);
        let skip = match &sow.skip {
            Some(skip) => self.sites(skip),
            None => self.constant(Set::EMPTY),
        };
        // As the other way: enough rounds, a closed track, and a site where something may be dropped.
        let mut passed: Vec<Set<W>> = tracks
            .iter()
            .map(|track| {
                let mut set = Set::EMPTY;
                track.sites.iter().for_each(|&site| set.insert(site));
                set
            })
            .collect();
        passed.insert(0, Set::EMPTY);
        let number = self.f.ins().ireduce(types::I32, track);
        let open = self.sets(&passed, number);
        let open = self.less(open, skip);
        let open = self.is_some(open);
        let some = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, place, len);
        let skips = self.is_some(skip);
        let one = self.word(1);
        let most = self.f.ins().select(skips, len, one);
        let left = self.f.ins().sextend(types::I64, left);
        let rounds = self.f.ins().imul(left, most);
        let fuel = Slot::Reg(p.n_regs as u32);
        let spare = self.get(fuel);
        let enough = self.f.ins().icmp(IntCC::SignedLessThanOrEqual, rounds, spare);
        let fit = self.f.ins().band(open, some);
        let fit = self.f.ins().band(fit, inside);
        let fit = self.f.ins().band(fit, enough);
        let begin = self.f.create_block();
        self.f.ins().brif(fit, begin, &[], other, &[]);
        self.f.switch_to_block(begin);
        let first = self.f.ins().imul_imm_s(track, longest as i64);
        let base = self.arena_numbers(sites);
        let names = self.names();
        let [head, next, drop, on, end] = std::array::from_fn(|_| self.f.create_block());
        let zero = self.word(0);
        self.f.ins().jump(head, &[place, left, zero].map(BlockArg::Value));
        let [place, left, gone] = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        self.f.switch_to_block(head);
        self.f.ins().brif(left, next, &[BlockArg::Value(place), BlockArg::Value(gone)], end, &[]);
        let [before, count] = std::array::from_fn(|_| self.f.append_block_param(next, types::I64));
        self.f.switch_to_block(next);
        let step = self.f.ins().iadd_imm_s(before, 1);
        let wraps = self.f.ins().icmp(IntCC::Equal, step, len);
        let step = self.f.ins().select(wraps, zero, step);
        let count = self.f.ins().iadd_imm_s(count, 1);
        let at = self.f.ins().iadd(first, step);
        let at = self.f.ins().ishl_imm_u(at, 2);
        let at = self.f.ins().iadd(base, at);
        let site = self.f.ins().uload32(MemFlagsData::trusted().with_readonly(), at, 0);
        if sow.skip.is_some() {
            let narrow = self.f.ins().ireduce(types::I32, site);
            let passes = self.has(skip, narrow);
            self.f.ins().brif(passes, next, &[BlockArg::Value(step), BlockArg::Value(count)], drop, &[]);
        } else {
            self.f.ins().jump(drop, &[]);
        }
        self.f.switch_to_block(drop);
        self.held = names.clone();
        let old = self.packed(numbers.at, site);
        let old = self.f.ins().ireduce(types::I32, old);
        let new = self.f.ins().iadd_imm_s(old, 1);
        let full = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, old, i64::from(NO_LIMIT - 1));
        let new = self.f.ins().select(full, old, new);
        self.put_number(sow.var, &numbers, site, [old, new]);
        self.f.ins().jump(on, &[]);
        self.f.switch_to_block(on);
        let less = self.f.ins().iadd_imm_s(left, -1);
        self.f.ins().jump(head, &[step, less, count].map(BlockArg::Value));
        self.f.switch_to_block(end);
        self.held = names;
        let spare = self.f.ins().isub(spare, gone);
        self.put(fuel, spare);
        self.put(Slot::Word(sow.counter), zero);
        let track = self.f.ins().ishl_imm_u(track, 16);
        let step = self.f.ins().bor(track, place);
        self.put(Slot::Word(sow.here), step);
        self.f.ins().jump(done, &[]);
        true
    }

    /// The site of a step.
    pub fn step_site(&mut self, step: Value) -> Option<Value> {
        self.by_step(step, |_, track, place| track.sites.get(place).copied().unwrap_or(NONE))
    }

    /// Some known number of steps on from a step.
    pub fn step_on(&mut self, step: Value, n: i32) -> Option<Value> {
        self.by_step(step, |i, track, place| {
            // Of a place that there is not nobody asks.
            let there = (place < track.sites.len()).then(|| track.go(place, n)).flatten();
            there.map_or(NONE, |to| step_code(i, to))
        })
    }

    /// What is known of each step, by its code; [`NONE`] for nowhere. Nothing if there are very many.
    fn by_step(&mut self, step: Value, of: impl Fn(usize, &Track, usize) -> i32) -> Option<Value> {
        let p = self.p;
        let tracks = &p.rules.tracks;
        // A row for each track, all as long as the longest.
        let longest = tracks.iter().map(|track| track.sites.len()).max().unwrap_or(0);
        if tracks.len() * longest > MOST_STEPS {
            return None;
        }
        let of = &of;
        let row = |(i, track)| (0..longest).map(move |place| of(i, track, place));
        let table: Vec<i32> = tracks.iter().enumerate().flat_map(row).chain([NONE]).collect();
        let last = table.len() as u64 - 1;
        let track = self.f.ins().sshr_imm_u(step, 16);
        let track = self.f.ins().sextend(types::I64, track);
        let place = self.f.ins().uextend(types::I64, step);
        let low = self.word(0xffff);
        let place = self.f.ins().band(place, low);
        let row = self.f.ins().imul_imm_s(track, longest as i64);
        let at = self.f.ins().iadd(row, place);
        let inside = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThan, place, longest as i64);
        let none = self.word(last);
        let at = self.f.ins().select(inside, at, none);
        Some(self.numbers(table, at))
    }

    /// Any number of steps on from a step, if all tracks have ends.
    pub fn step_along(&mut self, step: Value, n: Value) -> Value {
        let lens = self.p.rules.tracks.iter().map(|track| track.sites.len() as i32).chain([0]).collect();
        let track = self.f.ins().sshr_imm_u(step, 16);
        let track = self.f.ins().sextend(types::I64, track);
        let len = self.numbers(lens, track);
        let len = self.f.ins().uextend(types::I64, len);
        let low = self.number(0xffff);
        let place = self.f.ins().band(step, low);
        let place = self.f.ins().uextend(types::I64, place);
        let n = self.f.ins().sextend(types::I64, n);
        let to = self.f.ins().iadd(place, n);
        let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, to, len);
        let there = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, step, 0);
        let inside = self.f.ins().band(inside, there);
        let track = self.f.ins().ishl_imm_u(track, 16);
        let code = self.f.ins().bor(track, to);
        let code = self.f.ins().ireduce(types::I32, code);
        let none = self.number(NONE);
        self.f.ins().select(inside, code, none)
    }

    /// The first or last place of a walk that is in a set, 0 if none is, if that is what loops ask for.
    pub fn place_of(&mut self, fold: IntFold, loops: &Loops<W>, body: &Int<W>) -> Option<Value> {
        const MOST_RUNS: usize = 6;
        let ([Loop { to, dom: Dom::Steps(walk, set) }], None) = (&loops.loops[..], &loops.filter) else {
            return None;
        };
        if !matches!(body, Int::StepPlace(step) if **step == Int::Slot(*to)) {
            return None;
        }
        // Runs of sites that follow each other by number: the place of the first, its site, up or down, how many.
        let mut runs: Vec<(i64, i32, i32, i32)> = Vec::new();
        for (place, &site) in (0..).zip(&walk.sites) {
            match runs.last_mut() {
                Some((_, first, by, n)) if *n == 1 && (site - *first).abs() == 1 => (*by, *n) = (site - *first, 2),
                Some((_, first, by, n)) if *n > 1 && site == *first + *by * *n => *n += 1,
                _ => runs.push((place, site, 1, 1)),
            }
        }
        if runs.len() > MOST_RUNS {
            return None;
        }
        let set = self.sites(set);
        let mut found = self.number(0);
        if fold == IntFold::Min {
            runs.reverse();
        }
        for (place, first, by, n) in runs {
            let mut mask = Set::EMPTY;
            (0..n).for_each(|i| mask.insert(first + by * i));
            let here = self.masked(set, mask);
            let some = self.is_some(here);
            let site = if (by > 0) == (fold == IntFold::Min) { self.first(here) } else { self.last(here) };
            let from = self.number(first);
            let on = if by > 0 { self.f.ins().isub(site, from) } else { self.f.ins().isub(from, site) };
            let on = self.f.ins().iadd_imm_s(on, place);
            found = self.f.ins().select(some, on, found);
        }
        Some(found)
    }

    /// Is a site in a row, all of whose sites are in a set? Nothing if too many rows go through a site to ask each.
    pub fn in_row(&mut self, rows: &Rows<W>, site: &Int<W>) -> Option<Value> {
        let (most, through) = &rows.through;
        if *most == 0 {
            return None;
        }
        let site = self.int(site);
        let of = self.sites(&rows.of);
        let mut any = self.flag(false);
        for i in 0..*most {
            let table: Vec<Set<W>> =
                std::iter::once(Set::EMPTY).chain(through.iter().skip(i).step_by(*most).copied()).collect();
            let row = self.sets(&table, site);
            let rest = self.less(row, of);
            let whole = self.is_empty(rest);
            let some = self.is_some(row);
            let whole = self.f.ins().band(whole, some);
            any = self.f.ins().bor(any, whole);
        }
        Some(any)
    }
}
