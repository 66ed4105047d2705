//! Writes down how the runs of a turn are counted: from where the turn begins to the choice, and there by its plan.
//!
//! What is counted together becomes a record: the set, how many, and which of the lots of the turn it is, with its number of rounds.

use super::Lots;
use super::emit::{Emit, Words};
use crate::fast::code::*;
use crate::fast::plan::{How, Plan};
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::*;

/// Where the records go, what has been counted, and where to go on.
pub struct Count<'l> {
    lots: &'l mut Lots,
    place: Variable,
    total: Variable,
    /// With the total, and where the records end.
    counted: Block,
    /// If the runs have to be counted by the usual way.
    other: Block,
}

impl<const W: usize> Emit<'_, '_, W> {
    /// Counts the runs of a turn that begins at a node, and goes on at one of two places: with the total and where the records end, or if they have
    /// to be counted by the usual way. Says whether any of them can be counted.
    pub fn count_turn(&mut self, start: u32, lots: &mut Lots, begin: Value, [counted, other]: [Block; 2]) -> bool {
        let (place, total) = (self.f.declare_var(types::I64), self.f.declare_var(types::I64));
        self.f.def_var(place, begin);
        let zero = self.word(0);
        self.f.def_var(total, zero);
        let mut count = Count { lots, place, total, counted, other };
        self.count_from(start, &mut count, 0)
    }

    /// Goes on from a node that changes nothing. Says whether any choice was reached that can be counted.
    fn count_from(&mut self, mut at: u32, count: &mut Count<'_>, deep: u32) -> bool {
        let p = self.p;
        for _ in 0..64 {
            let node = &p.nodes[at as usize];
            match &node.op {
                Op::Skip => {}
                Op::Bind(bind, true) if Self::can_bind(bind) => self.bind(bind),
                Op::Branch(c, yes, no) if deep < 4 => {
                    let c = self.cond(c);
                    let (on, off) = (self.f.create_block(), self.f.create_block());
                    self.f.ins().brif(c, on, &[], off, &[]);
                    let held = self.held.clone();
                    self.f.switch_to_block(on);
                    let first = self.count_from(*yes, count, deep + 1);
                    self.held = held;
                    self.f.switch_to_block(off);
                    return self.count_from(*no, count, deep + 1) || first;
                }
                Op::Choose(choose) => {
                    let known = self.count_choice(at, choose, count).is_some();
                    if known {
                        let (place, total) = (self.f.use_var(count.place), self.f.use_var(count.total));
                        self.f.ins().jump(count.counted, &[BlockArg::Value(total), BlockArg::Value(place)]);
                    } else {
                        self.f.ins().jump(count.other, &[]);
                    }
                    return known;
                }
                _ => break,
            }
            at = node.next;
        }
        self.f.ins().jump(count.other, &[]);
        false
    }

    fn count_choice(&mut self, fork: u32, choose: &Choose<W>, count: &mut Count<'_>) -> Option<()> {
        let p = self.p;
        match p.plans[fork as usize].as_ref()? {
            Plan::One => {
                let Dom::Sites(set) = &choose.name.dom else {
                    return None;
                };
                let mut set = self.sites(set);
                set = self.only(choose, set);
                self.record(count, fork, 0, 0, set);
            }
            Plan::Pairs(pairs) => {
                if !pairs.streams.iter().all(|stream| self.can_arrive(&stream.how))
                    || !pairs.binds.iter().all(Self::can_bind)
                {
                    return None;
                }
                pairs.binds.iter().for_each(|bind| self.bind(bind));
                let mut before = None;
                for (i, stream) in pairs.streams.iter().enumerate() {
                    let (from, land) = match before {
                        Some(before) if stream.alike => before,
                        _ => (self.sites(&stream.from), self.sites(&stream.land)),
                    };
                    before = Some((from, land));
                    match &stream.how {
                        How::Step(_) => {
                            let to = self.arrive(&stream.how, from, land, land);
                            self.record(count, fork, i as u32, 1, to);
                        }
                        How::Slide(_, over, _) => {
                            let over = self.sites(over);
                            let met = self.both(from, over);
                            let passes = self.is_some(met);
                            self.give_up_if(passes, count);
                            let to = self.arrive(&stream.how, from, over, land);
                            self.record(count, fork, i as u32, crate::fast::tally::FAR, to);
                        }
                    }
                }
            }
            Plan::Chain(lines) => {
                for (i, line) in lines.iter().enumerate() {
                    let mut left = self.sites(&line.from);
                    let done = self.f.create_block();
                    let held = self.held.clone();
                    for (round, (holds, assumed)) in line.rounds.iter().enumerate() {
                        if round > 0 {
                            let none = self.is_empty(left);
                            let on = self.f.create_block();
                            self.f.ins().brif(none, done, &[], on, &[]);
                            self.f.switch_to_block(on);
                        }
                        let holds = self.sites(holds);
                        left = self.both(left, holds);
                        for assumed in assumed {
                            let assumed = self.sites(assumed);
                            let rest = self.less(left, assumed);
                            let broken = self.is_some(rest);
                            self.give_up_if(broken, count);
                        }
                        self.record(count, fork, i as u32, round as i32, left);
                    }
                    self.f.ins().jump(done, &[]);
                    self.f.switch_to_block(done);
                    self.held = held;
                }
            }
            Plan::Nested | Plan::Branches | Plan::Guess(..) => return None,
        }
        Some(())
    }

    fn give_up_if(&mut self, c: Value, count: &Count<'_>) {
        let on = self.f.create_block();
        self.f.ins().brif(c, count.other, &[], on, &[]);
        self.f.switch_to_block(on);
    }

    /// Notes a lot, unless it has none.
    fn record(&mut self, count: &mut Count<'_>, fork: u32, by: u32, k: i32, set: Words<W>) {
        let lot = count.lots.number(fork, by);
        let n = self.count(set);
        let place = self.f.use_var(count.place);
        for (i, &word) in set.iter().enumerate() {
            self.f.ins().store(MemFlagsData::trusted(), word, place, 8 * i as i32);
        }
        let about = self.word(u64::from(lot) | u64::from(k as u32) << 32);
        self.f.ins().store(MemFlagsData::trusted(), n, place, 8 * W as i32);
        self.f.ins().store(MemFlagsData::trusted(), about, place, 8 * W as i32 + 8);
        let on = self.f.ins().iadd_imm_s(place, 8 * (W as i64 + 2));
        let none = self.f.ins().icmp_imm_s(IntCC::Equal, n, 0);
        let on = self.f.ins().select(none, place, on);
        self.f.def_var(count.place, on);
        let total = self.f.use_var(count.total);
        let total = self.f.ins().iadd(total, n);
        self.f.def_var(count.total, total);
        count.lots.records += 1;
    }
}
