//! Writes down the ways from one choice to the next: what [`Core::forward`] does node by node.

use super::call;
use super::emit::Emit;
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::core::Core;
use crate::fast::cursor::Cursor;
use crate::fast::graph::targets;
use crate::fast::run::Stop;
use crate::play::Trouble;
use cranelift::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a way comes to; the node is in the lower half.
const CUT: u64 = 0;
const FORK: u64 = 1;
const DEAD: u64 = 2;
const TAIL: u64 = 3;
/// The usual way goes on here.
const ELSE: u64 = 4;

/// What is known when a way is gone: bits of a number.
const SKIP: i64 = 0;
const SKIP_NOTED: i64 = 1;
const TRUST: i64 = 2;

/// A way has at most so many nodes.
const MOST: usize = 300;

/// The nodes from which a program may be carried forward.
pub fn starts<const W: usize>(p: &Program<W>) -> BTreeSet<u32> {
    let mut all: BTreeSet<u32> = p.turn.iter().chain(&p.after).copied().collect();
    for node in &p.nodes {
        match &node.op {
            Op::Choose(_) | Op::Best(..) | Op::Commit(_) | Op::Roll(_) => {
                all.insert(node.next);
            }
            Op::Either(_) | Op::More(..) | Op::Possible(..) => all.extend(targets(node)),
            _ => {}
        }
    }
    all.retain(|&at| !stops(&p.nodes[at as usize].op));
    all
}

fn stops<const W: usize>(op: &Op<W>) -> bool {
    match op {
        Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => true,
        op => matches!(op, Op::Roll(_) | Op::Commit(_) | Op::End),
    }
}

/// A way that is being written.
struct Way {
    blocks: BTreeMap<u32, Block>,
    left: Vec<u32>,
    begun: BTreeSet<u32>,
    flags: Value,
}

impl<const W: usize> Emit<'_, '_, W> {
    /// The body of the function that goes forward from a node; false if it would be too long.
    pub fn segment(&mut self, start: u32, flags: Value) -> bool {
        let p = self.p;
        let mut met: BTreeMap<u32, u32> = BTreeMap::from([(start, 1)]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let node = &p.nodes[at as usize];
            if stops(&node.op) {
                continue;
            }
            for to in targets(node) {
                let n = met.entry(to).or_insert(0);
                *n += 1;
                if *n == 1 {
                    open.push(to);
                }
            }
            if met.len() > MOST {
                return false;
            }
        }
        let several = met.iter().filter(|&(_, &n)| n > 1);
        let blocks = several.map(|(&at, _)| (at, self.f.create_block())).collect();
        let mut way = Way { blocks, left: Vec::new(), begun: BTreeSet::new(), flags };
        self.go_to(start, &mut way);
        while let Some(at) = way.left.pop() {
            let block = way.blocks[&at];
            self.f.switch_to_block(block);
            self.held.clear();
            self.nodes(at, &mut way);
        }
        true
    }

    fn stop(&mut self, kind: u64, at: u32) {
        let code = self.word(kind << 32 | u64::from(at));
        self.f.ins().return_(&[code]);
    }

    fn go_to(&mut self, to: u32, way: &mut Way) {
        let block = *way.blocks.entry(to).or_insert_with(|| self.f.create_block());
        if way.begun.insert(to) {
            way.left.push(to);
        }
        self.f.ins().jump(block, &[]);
    }

    fn part(&mut self, c: Value, yes: u32, no: u32, way: &mut Way) {
        let (on, off) = (self.f.create_block(), self.f.create_block());
        self.f.ins().brif(c, on, &[], off, &[]);
        self.f.switch_to_block(on);
        self.go_to(yes, way);
        self.f.switch_to_block(off);
        self.go_to(no, way);
    }

    fn is_set(&mut self, flags: Value, bit: i64) -> Value {
        let bit = self.word(1 << bit);
        self.f.ins().band(flags, bit)
    }

    fn nodes(&mut self, start: u32, way: &mut Way) {
        let p = self.p;
        let mut at = start;
        let mut told = None;
        loop {
            if at != start && way.blocks.contains_key(&at) {
                return self.go_to(at, way);
            }
            let node = &p.nodes[at as usize];
            if node.tail && told != Some(node.notes) {
                told = Some(node.notes);
                let skips = self.is_set(way.flags, if node.notes { SKIP_NOTED } else { SKIP });
                let (out, on) = (self.f.create_block(), self.f.create_block());
                self.f.ins().brif(skips, out, &[], on, &[]);
                self.f.switch_to_block(out);
                self.stop(TAIL, at);
                self.f.switch_to_block(on);
            }
            match &node.op {
                Op::Skip => {}
                Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => {
                    return self.stop(FORK, at);
                }
                Op::Roll(_) | Op::Commit(_) | Op::End => return self.stop(CUT, at),
                Op::Require(c) => {
                    let trusts = self.is_set(way.flags, TRUST);
                    let (asked, on, dead) = (self.f.create_block(), self.f.create_block(), self.f.create_block());
                    self.f.ins().brif(trusts, on, &[], asked, &[]);
                    let held = self.held.clone();
                    self.f.switch_to_block(asked);
                    let c = self.cond(c);
                    self.f.ins().brif(c, on, &[], dead, &[]);
                    self.f.switch_to_block(dead);
                    self.stop(DEAD, at);
                    self.held = held;
                    self.f.switch_to_block(on);
                }
                Op::Branch(c, yes, no) => {
                    let c = self.cond(c);
                    return self.part(c, *yes, *no, way);
                }
                Op::Switch(on, arms, other) => {
                    let on = self.int(on);
                    for (ranges, to) in arms {
                        let here = self.in_ranges(on, ranges);
                        let (yes, no) = (self.f.create_block(), self.f.create_block());
                        self.f.ins().brif(here, yes, &[], no, &[]);
                        self.f.switch_to_block(yes);
                        self.go_to(*to, way);
                        self.f.switch_to_block(no);
                    }
                    return self.go_to(*other, way);
                }
                Op::CountDown(counter, out) | Op::IfLeft(counter, out) => {
                    let left = self.int(&Int::Slot(Slot::Word(*counter)));
                    let some = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
                    let (yes, no) = (self.f.create_block(), self.f.create_block());
                    self.f.ins().brif(some, yes, &[], no, &[]);
                    self.f.switch_to_block(yes);
                    if matches!(node.op, Op::CountDown(..)) {
                        let less = self.f.ins().iadd_imm_s(left, -1);
                        let less = self.f.ins().uextend(types::I64, less);
                        self.put(Slot::Word(*counter), less);
                    }
                    self.go_to(node.next, way);
                    self.f.switch_to_block(no);
                    return self.go_to(*out, way);
                }
                Op::Sow(sow) => {
                    let (done, other) = (self.f.create_block(), self.f.create_block());
                    if !self.sow(sow, [done, other]) {
                        self.f.ins().jump(other, &[]);
                    }
                    self.held.clear();
                    self.f.switch_to_block(done);
                    self.go_to(sow.out, way);
                    self.f.switch_to_block(other);
                    let about = self.arena.keep(Sow::clone(sow));
                    let done = self.ask_whether(call::sow::<W> as *const () as usize, about);
                    return self.part(done, sow.out, node.next, way);
                }
                Op::ForNext(each, out) => {
                    let about = self.arena.keep(ForLoop::clone(each));
                    let more = self.ask_whether(call::next_member::<W> as *const () as usize, about);
                    return self.part(more, node.next, *out, way);
                }
                Op::Round(_) => {
                    let fuel = Slot::Reg(p.n_regs as u32);
                    let left = self.get(fuel);
                    let (on, out) = (self.f.create_block(), self.f.create_block());
                    self.f.set_cold_block(out);
                    self.f.ins().brif(left, on, &[], out, &[]);
                    self.f.switch_to_block(out);
                    self.stop(ELSE, at);
                    self.f.switch_to_block(on);
                    let less = self.f.ins().iadd_imm_s(left, -1);
                    self.put(fuel, less);
                }
                _ if self.is_written(at) => self.act(at),
                op => {
                    let about = self.arena.keep(op.clone());
                    self.ask(call::act::<W> as *const () as usize, about, &[], None);
                    self.held.clear();
                }
            }
            at = node.next;
        }
    }

    /// The body of the function that works out what a choice offers, and where it is put; false if that is left to the usual way.
    pub fn offer(&mut self, at: u32, out: Value) -> bool {
        let p = self.p;
        let Op::Choose(choose) = &p.nodes[at as usize].op else {
            return false;
        };
        match &choose.name.dom {
            Dom::Sites(set) | Dom::Steps(_, set) => {
                let mut set = self.sites(set);
                if let Some(only) = &choose.only {
                    for (at, kept) in &choose.sets {
                        let kept = self.sites(kept);
                        self.put_set(Slot::Reg(*at), kept);
                    }
                    let only = self.sites(only);
                    set = self.both(set, only);
                }
                for (i, word) in set.into_iter().enumerate() {
                    self.f.ins().store(MemFlagsData::trusted(), word, out, 8 * i as i32);
                }
            }
            Dom::Mask(mask) if !matches!(mask, Mask::Const(_)) && choose.only.is_none() => {
                let mask = self.mask(mask);
                self.f.ins().store(MemFlagsData::trusted(), mask, out, 8 * W as i32);
            }
            _ => return false,
        }
        let done = self.word(0);
        self.f.ins().return_(&[done]);
        true
    }

    fn ask_whether(&mut self, function: usize, about: i64) -> Value {
        let answer = self.ask(function, about, &[], Some(types::I32));
        self.held.clear();
        answer.unwrap_or_else(|| self.number(0))
    }
}

impl<const W: usize> Core<'_, W> {
    /// What a choice offers, by machine code, if there is any for it.
    #[inline]
    pub fn offered_natively(&mut self, code: &super::Segments, node: u32) -> Option<Cursor<W>> {
        let offer = code.offers[node as usize]?;
        let mut out = [0; super::MOST_WORDS + 1];
        offer.call_with(self, &mut out);
        Some(Cursor { set: Set::from_words(&out[..W]), a: out[W] as i64, b: 0 })
    }

    /// Goes forward by machine code, if there is any for this node.
    pub fn forward_natively(
        &mut self,
        code: &super::Segments,
        start: u32,
        skip: bool,
    ) -> Result<Option<Stop>, Trouble> {
        let Some(way) = code.at(start) else {
            return Ok(None);
        };
        let flags = u64::from(skip) << SKIP
            | u64::from(skip && self.run.chose) << SKIP_NOTED
            | u64::from(self.trusting) << TRUST;
        let stop = way.call(self, [flags, 0, 0]);
        let at = stop as u32;
        Ok(Some(match stop >> 32 {
            CUT => Stop::Cut(at),
            FORK => Stop::Fork(at),
            DEAD => {
                self.check()?;
                Stop::Dead
            }
            TAIL => Stop::Tail(at),
            _ => return self.forward_slowly(at, skip).map(Some),
        }))
    }
}
