//! Writes down the ways from one choice to the next: what [`Core::forward`] does node by node.

use super::call;
use super::emit::{Emit, Words};
use super::ways::Ways;
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::core::Core;
use crate::fast::cursor::Cursor;
use crate::fast::graph::targets;
use crate::fast::run::Stop;
use crate::fast::switches::Switch;
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

/// Added if something has been changed on the way that a copy of the position brings back.
const CHANGED: u64 = 1 << 40;

/// Added if a loop that asks each time was left on the way, since no other round could begin.
const LEFT: u64 = 1 << 41;

/// What is known when a way is gone: bits of a number.
const SKIP: i64 = 0;
const SKIP_NOTED: i64 = 1;
const TRUST: i64 = 2;
/// May a loop be left?
const LEAVE: i64 = 3;

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

/// The nodes of which it is asked whether the next choice offers anything.
pub fn peeked<const W: usize>(p: &Program<W>) -> BTreeSet<u32> {
    let again = p.nodes.iter().filter_map(|node| match &node.op {
        Op::More(again, _) | Op::Possible(again, _) => Some(*again),
        _ => None,
    });
    let forks = p.nodes.iter().flat_map(|node| match &node.op {
        Op::Either(_) => targets(node),
        _ => Vec::new(),
    });
    again.chain(forks).collect()
}

fn stops<const W: usize>(op: &Op<W>) -> bool {
    match op {
        Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => true,
        op => matches!(op, Op::Roll(_) | Op::Commit(_) | Op::End),
    }
}

/// Does a node change something that a copy of the position brings back?
fn changes<const W: usize>(op: &Op<W>) -> bool {
    let tests = matches!(op, Op::Skip | Op::Bind(_, true) | Op::Require(_) | Op::Branch(..) | Op::Switch(..));
    !tests && !stops(op) && !matches!(op, Op::IfLeft(..) | Op::Round(_) | Op::Note)
}

/// A way that is being written.
struct Way {
    ways: Ways,
    flags: Value,
    /// Of [`CHANGED`] and [`LEFT`] what is so.
    told: Variable,
}

impl<const W: usize> Emit<'_, '_, W> {
    /// The body of the function that goes forward from a node; false if it would be too long.
    pub fn segment(&mut self, start: u32, flags: Value) -> bool {
        let p = self.p;
        let mut met: BTreeMap<u32, u32> = BTreeMap::from([(start, 1)]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let node = &p.nodes[at as usize];
            let on = match node.op {
                Op::More(_, out) | Op::Possible(_, out) if self.may_leave() => vec![out],
                _ if stops(&node.op) => continue,
                _ => targets(node),
            };
            for to in on {
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
        let told = self.f.declare_var(types::I64);
        let none = self.word(0);
        self.f.def_var(told, none);
        let mut way = Way { ways: Ways { blocks, ..Ways::default() }, flags, told };
        self.go_to(start, &mut way.ways);
        while let Some(at) = way.ways.left.pop() {
            let block = way.ways.blocks[&at];
            self.f.switch_to_block(block);
            self.held.clear();
            self.nodes(at, &mut way);
        }
        true
    }

    fn stop(&mut self, kind: u64, at: u32, way: &Way) {
        let code = self.word(kind << 32 | u64::from(at));
        let told = self.f.use_var(way.told);
        let code = self.f.ins().bor(code, told);
        self.f.ins().return_(&[code]);
    }

    fn tell(&mut self, bit: u64, way: &Way) {
        let (told, bit) = (self.f.use_var(way.told), self.word(bit));
        let told = self.f.ins().bor(told, bit);
        self.f.def_var(way.told, told);
    }

    /// Are loops left here if it turns out that no other round can begin?
    fn may_leave(&self) -> bool {
        self.p.switches.has(Switch::Peek) && !self.p.has_by
    }

    /// The end of a loop's round: if no other can begin, and whoever asked knows of that, goes on behind the loop. One `asks` leaves a mark among
    /// the choices, so only one such loop is left on a way.
    fn leave(&mut self, at: u32, [again, out]: [u32; 2], asks: bool, way: &mut Way) {
        let mut leaves = self.is_set(way.flags, LEAVE);
        if asks {
            let (told, left) = (self.f.use_var(way.told), self.word(LEFT));
            let left = self.f.ins().band(told, left);
            let none = self.word(0);
            leaves = self.f.ins().select(left, none, leaves);
        }
        let [look, open, closed] = std::array::from_fn(|_| self.f.create_block());
        self.f.ins().brif(leaves, look, &[], open, &[]);
        self.f.switch_to_block(look);
        self.held.clear();
        self.peek_from(again, 0, [closed, open]);
        self.f.switch_to_block(open);
        self.stop(FORK, at, way);
        self.f.switch_to_block(closed);
        self.held.clear();
        if asks {
            self.tell(LEFT, way);
        }
        self.go_to(out, &mut way.ways);
    }

    fn is_set(&mut self, flags: Value, bit: i64) -> Value {
        let bit = self.word(1 << bit);
        self.f.ins().band(flags, bit)
    }

    fn nodes(&mut self, start: u32, way: &mut Way) {
        let p = self.p;
        let mut at = start;
        let mut told = None;
        let mut begins = true;
        loop {
            // A loop may come back to where it began.
            if !std::mem::replace(&mut begins, false) && way.ways.blocks.contains_key(&at) {
                return self.go_to(at, &mut way.ways);
            }
            if self.is_too_much() {
                return self.stop(ELSE, at, way);
            }
            let node = &p.nodes[at as usize];
            if node.tail && told != Some(node.notes) {
                told = Some(node.notes);
                let skips = self.is_set(way.flags, if node.notes { SKIP_NOTED } else { SKIP });
                let (out, on) = (self.f.create_block(), self.f.create_block());
                self.f.ins().brif(skips, out, &[], on, &[]);
                self.f.switch_to_block(out);
                self.stop(TAIL, at, way);
                self.f.switch_to_block(on);
            }
            if changes(&node.op) {
                self.tell(CHANGED, way);
            }
            match &node.op {
                Op::Skip => {}
                Op::More(again, out) | Op::Possible(again, out) if self.may_leave() => {
                    return self.leave(at, [*again, *out], matches!(node.op, Op::More(..)), way);
                }
                Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => {
                    return self.stop(FORK, at, way);
                }
                Op::Roll(_) | Op::Commit(_) | Op::End => return self.stop(CUT, at, way),
                Op::Require(c) => {
                    let trusts = self.is_set(way.flags, TRUST);
                    let (asked, on, dead) = (self.f.create_block(), self.f.create_block(), self.f.create_block());
                    self.f.ins().brif(trusts, on, &[], asked, &[]);
                    let held = self.held.clone();
                    self.f.switch_to_block(asked);
                    let c = self.cond(c);
                    self.f.ins().brif(c, on, &[], dead, &[]);
                    self.f.switch_to_block(dead);
                    self.stop(DEAD, at, way);
                    self.held = held;
                    self.f.switch_to_block(on);
                }
                Op::Branch(c, yes, no) => {
                    let c = self.cond(c);
                    return self.part(c, *yes, *no, &mut way.ways);
                }
                Op::Switch(on, arms, other) => return self.by_ranges(on, arms, *other, &mut way.ways),
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
                    self.go_to(node.next, &mut way.ways);
                    self.f.switch_to_block(no);
                    return self.go_to(*out, &mut way.ways);
                }
                Op::Sow(sow) => return self.sow_on(sow, node.next, &mut way.ways),
                Op::ForNext(each, out) => {
                    let about = self.arena.keep(ForLoop::clone(each));
                    let more = self.ask_whether(call::next_member::<W> as *const () as usize, about);
                    return self.part(more, node.next, *out, &mut way.ways);
                }
                Op::Round(_) => {
                    let fuel = Slot::Reg(p.n_regs as u32);
                    let left = self.get(fuel);
                    let (on, out) = (self.f.create_block(), self.f.create_block());
                    self.f.set_cold_block(out);
                    self.f.ins().brif(left, on, &[], out, &[]);
                    self.f.switch_to_block(out);
                    self.stop(ELSE, at, way);
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

    /// Of what a choice offers, that from which a complete run may begin; sets by which that is known are kept.
    pub fn only(&mut self, choose: &Choose<W>, set: Words<W>) -> Words<W> {
        let Some(only) = &choose.only else {
            return set;
        };
        for (at, kept) in &choose.sets {
            let kept = self.sites(kept);
            self.put_set(Slot::Reg(*at), kept);
        }
        let only = self.sites(only);
        self.both(set, only)
    }

    /// The body of the function that works out what a choice offers: its result is a mask, or the only word of a set, whose words are put to
    /// `out` if it has several; false if that is left to the usual way.
    pub fn offer(&mut self, at: u32, out: Value) -> bool {
        let p = self.p;
        let Op::Choose(choose) = &p.nodes[at as usize].op else {
            return false;
        };
        match &choose.name.dom {
            Dom::Sites(set) | Dom::Steps(_, set) => {
                let mut set = self.sites(set);
                set = self.only(choose, set);
                if W > 1 {
                    for (i, &word) in set.iter().enumerate() {
                        self.f.ins().store(MemFlagsData::trusted(), word, out, 8 * i as i32);
                    }
                }
                self.f.ins().return_(&[set[0]]);
            }
            Dom::Bag(_, bag) if choose.only.is_none() && Self::can_bag(bag) => {
                let Some(things) = self.things(bag) else {
                    return false;
                };
                self.f.ins().return_(&[things]);
            }
            Dom::Mask(mask) if !matches!(mask, Mask::Const(_)) && choose.only.is_none() => {
                let mask = self.mask(mask);
                self.f.ins().return_(&[mask]);
            }
            _ => return false,
        }
        true
    }

    /// The body of the function that works out what `require most` asks for at a node; false if it is none.
    pub fn best(&mut self, at: u32) -> bool {
        let p = self.p;
        let Op::Best(_, _, value) = &p.nodes[at as usize].op else {
            return false;
        };
        let value = self.int(value);
        let value = self.f.ins().uextend(types::I64, value);
        self.f.ins().return_(&[value]);
        true
    }

    /// The body of the function that looks whether the next choice from a node on offers anything, see [`crate::fast::peek`]; false if that is left
    /// to the usual way.
    pub fn peek(&mut self, start: u32) -> bool {
        let [closed, open] = std::array::from_fn(|_| self.f.create_block());
        let known = self.peek_from(start, 0, [closed, open]);
        self.give(closed, 0);
        self.give(open, 1);
        known
    }

    fn peek_from(&mut self, start: u32, mut passed: u32, [closed, open]: [Block; 2]) -> bool {
        let p = self.p;
        let mut at = start;
        while passed < crate::fast::peek::MOST {
            passed += 1;
            let node = &p.nodes[at as usize];
            match &node.op {
                Op::Skip => {}
                Op::Round(_) => {
                    let fuel = self.get(Slot::Reg(p.n_regs as u32));
                    let on = self.f.create_block();
                    self.f.ins().brif(fuel, on, &[], open, &[]);
                    self.f.switch_to_block(on);
                }
                Op::Bind(bind, true) if Self::can_bind(bind) => self.bind(bind),
                Op::Require(c) => {
                    let c = self.cond(c);
                    let on = self.f.create_block();
                    self.f.ins().brif(c, on, &[], closed, &[]);
                    self.f.switch_to_block(on);
                }
                Op::Branch(c, yes, no) => {
                    let c = self.cond(c);
                    let (on, off) = (self.f.create_block(), self.f.create_block());
                    self.f.ins().brif(c, on, &[], off, &[]);
                    let held = self.held.clone();
                    self.f.switch_to_block(on);
                    let known = self.peek_from(*yes, passed, [closed, open]);
                    self.held = held;
                    self.f.switch_to_block(off);
                    return self.peek_from(*no, passed, [closed, open]) && known;
                }
                Op::Choose(choose) => {
                    let (Dom::Sites(set) | Dom::Steps(_, set)) = &choose.name.dom else {
                        self.f.ins().jump(open, &[]);
                        return false;
                    };
                    let mut set = self.sites(set);
                    if let Dom::Steps(walk, _) = &choose.name.dom {
                        let on_it = walk.passed.first().copied().unwrap_or(Set::EMPTY);
                        set = self.masked(set, on_it);
                    }
                    set = self.only(choose, set);
                    let some = self.is_some(set);
                    self.f.ins().brif(some, open, &[], closed, &[]);
                    return true;
                }
                _ => break,
            }
            at = node.next;
        }
        self.f.ins().jump(open, &[]);
        true
    }
}

impl<const W: usize> Core<'_, W> {
    /// What a choice offers, by machine code, if there is any for it.
    #[inline]
    pub fn offered_natively(&mut self, code: &super::Segments, choose: &Choose<W>) -> Option<Cursor<W>> {
        let offer = code.offers[choose.node as usize]?;
        let dom = &choose.name.dom;
        if W == 1 || !matches!(dom, Dom::Sites(_) | Dom::Steps(..)) {
            let word = offer.call(self, [0; 3]);
            return Some(match dom {
                Dom::Sites(_) => Cursor { set: Set::from_words(&[word]), ..Cursor::default() },
                Dom::Steps(walk, _) => walk.steps_to(Set::from_words(&[word])),
                _ => Cursor { a: word as i64, ..Cursor::default() },
            });
        }
        let mut out = [0; super::MOST_WORDS];
        offer.call_with(self, &mut out);
        let set = Set::from_words(&out[..W]);
        Some(match dom {
            Dom::Steps(walk, _) => walk.steps_to(set),
            _ => Cursor { set, ..Cursor::default() },
        })
    }

    /// What `require most` asks for at a node, by machine code, if there is any for it.
    #[inline]
    pub fn best_natively(&mut self, code: &super::Segments, at: u32) -> Option<i32> {
        let best = code.bests[at as usize]?;
        Some(best.call(self, [0; 3]) as i32)
    }

    /// Does the next choice from a node on offer anything? By machine code, if there is any for it.
    #[inline]
    pub fn looks_open_natively(&mut self, code: &super::Segments, start: u32) -> Option<bool> {
        let peek = code.peeks[start as usize]?;
        Some(peek.call(self, [0; 3]) != 0)
    }

    /// Goes forward by machine code, if there is any for this node.
    pub fn forward_natively(
        &mut self,
        code: &super::Segments,
        start: u32,
        skip: bool,
        leave: bool,
    ) -> Result<Option<Stop>, Trouble> {
        let Some(way) = code.at(start) else {
            return Ok(None);
        };
        let flags = u64::from(skip) << SKIP
            | u64::from(skip && self.run.chose) << SKIP_NOTED
            | u64::from(self.trusting) << TRUST
            | u64::from(leave) << LEAVE;
        let stop = way.call(self, [flags, 0, 0]);
        let at = stop as u32;
        self.run.changes += u64::from(stop & CHANGED != 0);
        if stop & LEFT != 0 {
            self.run.choices.push(1);
        }
        Ok(Some(match (stop & !(CHANGED | LEFT)) >> 32 {
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
