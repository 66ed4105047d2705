//! Rolls: what may come, with weights, and drawing it.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::run::Stop;
use crate::play::{Move, ROLL_TRIES, Trouble};
use crate::rules::number;
use std::collections::BTreeMap;

/// So many throws one after the other are gone through where all that may come of them is listed.
const MOST_ROLLS: usize = 256;

/// What came of a listing: choices, how likely (a fraction), and by position.
#[derive(Default)]
struct Found {
    list: Vec<(Move, u128, u128)>,
    by_position: BTreeMap<Vec<u64>, usize>,
}

impl<const W: usize> Core<'_, W> {
    /// The weight of a member of a domain.
    fn weight(&mut self, dom: &Dom<W>, code: i32) -> u64 {
        match dom {
            Dom::Bag(ty, bag) => {
                let bag = self.bag(bag);
                let lane = i64::from(code) - i64::from(ty.lo);
                u64::from((bag >> (8 * lane)) as u8)
            }
            _ => 1,
        }
    }

    fn roll_span(&self, node: u32) -> crate::source::Span {
        match &self.p.nodes[node as usize].op {
            Op::Roll(roll) => roll.span,
            _ => Default::default(),
        }
    }

    fn members(&mut self, dom: &Dom<W>) -> Vec<(i32, u64)> {
        let mut cursor: Cursor<W> = self.open(dom);
        let mut list = Vec::new();
        while let Some(code) = cursor.advance(dom, self.p) {
            let weight = self.weight(dom, code);
            list.push((code, weight));
        }
        list
    }

    /// What chance may bring at a roll, each different position once, with whole weights.
    pub fn rolls(&mut self, node: u32) -> Result<Vec<(Move, u64)>, Trouble> {
        let before = self.b.clone();
        let mut found = Found::default();
        let mut codes = Vec::new();
        self.fresh_move();
        let result = self.roll_all(node, &mut codes, 1, 1, 0, &mut found);
        self.b.copy_from_slice(&before);
        result?;
        self.check()?;
        if found.list.is_empty() {
            return Err(Trouble::NoThrow { span: self.roll_span(node), tries: 0 });
        }
        let common = found.list.iter().fold(1u128, |common, &(_, _, den)| number::lcm(common, den.max(1)));
        Ok(found
            .list
            .into_iter()
            .map(|(chosen, num, den)| {
                let weight = num.saturating_mul(common / den.max(1));
                (chosen, u64::try_from(weight).unwrap_or(u64::MAX))
            })
            .collect())
    }

    fn roll_all(
        &mut self,
        node: u32,
        codes: &mut Vec<i32>,
        num: u128,
        den: u128,
        depth: usize,
        found: &mut Found,
    ) -> Result<(), Trouble> {
        if depth >= MOST_ROLLS {
            let (what, limit) = ("throws one after the other", MOST_ROLLS as u64);
            return Err(Trouble::TooLong { span: self.roll_span(node), what, limit });
        }
        let p = self.p;
        let Op::Roll(roll) = &p.nodes[node as usize].op else {
            return Ok(());
        };
        if let Some((times, _, _)) = &roll.bag {
            let n = self.int(times).clamp(0, 8);
            let mut list = self.members(&roll.loops.loops[0].dom);
            list.sort_unstable();
            let total: u128 = list.iter().map(|&(_, w)| u128::from(w)).sum();
            let den = (0..n).fold(den, |den, _| den.saturating_mul(total.max(1)));
            let mut throw = Vec::new();
            return self.throws(node, &list, 0, n as usize, &mut throw, codes, num, den, depth, found);
        }
        self.roll_names(node, roll, 0, codes, num, den, depth, found)
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a depth-first walk")]
    fn throws(
        &mut self,
        node: u32,
        list: &[(i32, u64)],
        from: usize,
        left: usize,
        throw: &mut Vec<(i32, u64)>,
        codes: &mut Vec<i32>,
        num: u128,
        den: u128,
        depth: usize,
        found: &mut Found,
    ) -> Result<(), Trouble> {
        if left == 0 {
            // So many orders lead to these numbers.
            let mut ways = num;
            let mut same = 0;
            for (i, &(code, weight)) in throw.iter().enumerate() {
                same = if i > 0 && throw[i - 1].0 == code { same + 1 } else { 1 };
                ways = ways.saturating_mul(i as u128 + 1).saturating_mul(u128::from(weight)) / same;
            }
            let before = self.b.clone();
            let here = codes.len();
            codes.extend(throw.iter().map(|&(code, _)| code));
            self.fill_bag(node, &codes[here..]);
            let result = self.after_roll(node, codes, ways, den, depth, found);
            codes.truncate(here);
            self.b.copy_from_slice(&before);
            return result;
        }
        for i in from..list.len() {
            throw.push(list[i]);
            let result = self.throws(node, list, i, left - 1, throw, codes, num, den, depth, found);
            throw.pop();
            result?;
        }
        Ok(())
    }

    /// Puts throws into their bag.
    fn fill_bag(&mut self, node: u32, codes: &[i32]) {
        let p = self.p;
        let Op::Roll(roll) = &p.nodes[node as usize].op else {
            return;
        };
        let Some((_, var, index)) = &roll.bag else {
            return;
        };
        let crate::rules::Ty::Bag(ty) = p.rules.vars[*var as usize].ty else {
            return;
        };
        let index = index.as_ref().map_or(0, |index| self.int(index));
        let bag = codes.iter().fold(0, |bag, &code| super::lanes::lanes_sum(bag, super::lanes::bag_of(ty, code, 1)));
        self.set_bag(&p.layout.vars[*var as usize], index, bag);
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a depth-first walk")]
    fn roll_names(
        &mut self,
        node: u32,
        roll: &Roll<W>,
        i: usize,
        codes: &mut Vec<i32>,
        num: u128,
        den: u128,
        depth: usize,
        found: &mut Found,
    ) -> Result<(), Trouble> {
        let Some(name) = roll.loops.loops.get(i) else {
            if let Some(filter) = &roll.loops.filter
                && !self.cond(filter)
            {
                return Ok(());
            }
            let before = self.b.clone();
            let result = self.after_roll(node, codes, num, den, depth, found);
            self.b.copy_from_slice(&before);
            return result;
        };
        let list = self.members(&name.dom);
        let total: u128 = list.iter().map(|&(_, w)| u128::from(w)).sum();
        for (code, weight) in list {
            self.bind_code(name, code);
            codes.push(code);
            let (num, den) = (num.saturating_mul(u128::from(weight)), den.saturating_mul(total));
            let result = self.roll_names(node, roll, i + 1, codes, num, den, depth, found);
            codes.pop();
            result?;
        }
        Ok(())
    }

    /// Goes on after a roll has been decided.
    fn after_roll(
        &mut self,
        node: u32,
        codes: &mut Vec<i32>,
        num: u128,
        den: u128,
        depth: usize,
        found: &mut Found,
    ) -> Result<(), Trouble> {
        let p = self.p;
        self.run.looks += 1;
        let bounds = &p.rules.bounds;
        if self.run.looks > bounds.ways {
            return Err(Trouble::TooLong { span: self.roll_span(node), what: "tries", limit: bounds.ways });
        }
        let fuel = self.fuel();
        let stop = self.forward(p.nodes[node as usize].next, false)?;
        self.set_fuel(fuel);
        let place = match stop {
            Stop::Dead => return Ok(()),
            Stop::Cut(cut) if matches!(p.nodes[cut as usize].op, Op::Roll(_)) => {
                return self.roll_all(cut, codes, num, den, depth + 1, found);
            }
            Stop::Cut(at) | Stop::Fork(at) | Stop::Tail(at) => at,
        };
        let mut state = Vec::new();
        self.write_state(place, &mut state);
        match found.by_position.get(&state) {
            Some(&i) => {
                let (_, old_num, old_den) = &mut found.list[i];
                let common = number::lcm(*old_den, den).max(1);
                *old_num = old_num
                    .saturating_mul(common / (*old_den).max(1))
                    .saturating_add(num.saturating_mul(common / den.max(1)));
                *old_den = common;
            }
            None => {
                let limit = p.rules.bounds.moves;
                if found.list.len() >= limit {
                    return Err(Trouble::TooMany { span: self.roll_span(node), limit });
                }
                found.by_position.insert(state, found.list.len());
                found.list.push((Move(codes.clone()), num, den));
            }
        }
        Ok(())
    }

    /// Lets chance decide from a roll on; gives the codes, and where the run has come to. The position stays there.
    pub fn throw(&mut self, node: u32, draw: &mut dyn FnMut(u64) -> u64) -> Result<(Vec<i32>, Stop), Trouble> {
        let p = self.p;
        let before = self.b.clone();
        let mut span = None;
        for _ in 0..ROLL_TRIES {
            self.fresh_move();
            let mut codes = Vec::new();
            let mut at = node;
            let stop = loop {
                let Op::Roll(roll) = &p.nodes[at as usize].op else {
                    break Stop::Dead;
                };
                span.get_or_insert(roll.span);
                match self.throw_one(at, roll, &mut codes, draw) {
                    None => {
                        self.check()?;
                        return Err(Trouble::NoThrow { span: roll.span, tries: 0 });
                    }
                    Some(true) => {}
                    Some(false) => break Stop::Dead,
                }
                match self.forward(p.nodes[at as usize].next, false)? {
                    Stop::Cut(cut) if matches!(p.nodes[cut as usize].op, Op::Roll(_)) => at = cut,
                    stop => break stop,
                }
            };
            if stop != Stop::Dead {
                return Ok((codes, stop));
            }
            self.b.copy_from_slice(&before);
        }
        Err(Trouble::NoThrow { span: span.unwrap_or_default(), tries: ROLL_TRIES })
    }

    fn throw_one(
        &mut self,
        node: u32,
        roll: &Roll<W>,
        codes: &mut Vec<i32>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Option<bool> {
        if let Some((times, _, _)) = &roll.bag {
            let n = self.int(times).clamp(0, 8);
            let list = self.members(&roll.loops.loops[0].dom);
            let mut thrown = Vec::new();
            for _ in 0..n {
                thrown.push(pick(&list, draw)?);
            }
            thrown.sort_unstable();
            self.fill_bag(node, &thrown);
            codes.extend(thrown);
            return Some(true);
        }
        for name in &roll.loops.loops {
            let list = self.members(&name.dom);
            let code = pick(&list, draw)?;
            self.bind_code(name, code);
            codes.push(code);
        }
        Some(match &roll.loops.filter {
            Some(filter) => self.cond(filter),
            None => true,
        })
    }

    /// Lets chance bring these codes; gives where the run has come to. The position stays there.
    pub fn dictate(&mut self, node: u32, codes: &[i32]) -> Result<Stop, Trouble> {
        let p = self.p;
        self.fresh_move();
        let mut left = codes;
        let mut at = node;
        loop {
            let Op::Roll(roll) = &p.nodes[at as usize].op else {
                return Err(Trouble::Illegal);
            };
            if let Some((times, _, _)) = &roll.bag {
                let n = self.int(times).clamp(0, 8) as usize;
                let list = self.members(&roll.loops.loops[0].dom);
                let thrown = left.get(..n).ok_or(Trouble::Illegal)?;
                if !thrown.is_sorted() || !thrown.iter().all(|code| list.iter().any(|(known, _)| known == code)) {
                    return Err(Trouble::Illegal);
                }
                self.fill_bag(at, thrown);
                left = &left[n..];
            } else {
                for name in &roll.loops.loops {
                    let (&code, rest) = left.split_first().ok_or(Trouble::Illegal)?;
                    let cursor = self.open(&name.dom);
                    if !cursor.has(&name.dom, code) {
                        return Err(Trouble::Illegal);
                    }
                    self.bind_code(name, code);
                    left = rest;
                }
                if let Some(filter) = &roll.loops.filter
                    && !self.cond(filter)
                {
                    return Err(Trouble::Illegal);
                }
            }
            match self.forward(p.nodes[at as usize].next, false)? {
                Stop::Cut(cut) if matches!(p.nodes[cut as usize].op, Op::Roll(_)) => at = cut,
                Stop::Dead => return Err(Trouble::Illegal),
                stop if left.is_empty() => return Ok(stop),
                _ => return Err(Trouble::Illegal),
            }
        }
    }
}

fn pick(list: &[(i32, u64)], draw: &mut dyn FnMut(u64) -> u64) -> Option<i32> {
    let total: u64 = list.iter().map(|&(_, weight)| weight).sum();
    if total == 0 {
        return None;
    }
    let mut at = draw(total);
    for &(code, weight) in list {
        if at < weight {
            return Some(code);
        }
        at -= weight;
    }
    None
}
