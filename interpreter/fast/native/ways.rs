//! Writes down how nodes lead to nodes: where ways part and meet.

use super::call;
use super::emit::Emit;
use crate::fast::code::*;
use cranelift::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Added to a node where the usual way has to go on.
pub const ON: u64 = 1 << 32;

/// Nodes that are being written, from one on.
#[derive(Default)]
pub struct Ways {
    /// Where nodes begin that several ways lead to, or that one jumps to.
    pub blocks: BTreeMap<u32, Block>,
    /// Those whose code is still to be written, and all that were ever among them.
    pub left: Vec<u32>,
    pub begun: BTreeSet<u32>,
    /// Where loops begin that are not written.
    pub heads: BTreeSet<u32>,
    /// How many rounds are left of the loop that the player may leave.
    pub rounds: Option<Variable>,
}

impl<const W: usize> Emit<'_, '_, W> {
    /// Leaves the rest from a node on to the usual way.
    pub fn hand_over(&mut self, at: u32, ways: &Ways) {
        // The usual way does not know how many rounds are left.
        self.broken |= ways.rounds.is_some();
        let code = self.word(ON | u64::from(at));
        self.f.ins().return_(&[code]);
    }

    /// Goes on at a node.
    pub fn go_to(&mut self, to: u32, ways: &mut Ways) {
        if ways.heads.contains(&to) {
            return self.hand_over(to, ways);
        }
        let block = *ways.blocks.entry(to).or_insert_with(|| self.f.create_block());
        if ways.begun.insert(to) {
            ways.left.push(to);
        }
        self.f.ins().jump(block, &[]);
    }

    /// Goes on at one of two nodes.
    pub fn part(&mut self, c: Value, yes: u32, no: u32, ways: &mut Ways) {
        let (on, off) = (self.f.create_block(), self.f.create_block());
        self.f.ins().brif(c, on, &[], off, &[]);
        self.f.switch_to_block(on);
        self.go_to(yes, ways);
        self.f.switch_to_block(off);
        self.go_to(no, ways);
    }

    /// Goes on at the first node in whose ranges a number lies, else at another.
    pub fn by_ranges(&mut self, on: &Int<W>, arms: &[(Vec<(i32, i32)>, u32)], other: u32, ways: &mut Ways) {
        let on = self.int(on);
        for (ranges, to) in arms {
            let here = self.in_ranges(on, ranges);
            let (yes, no) = (self.f.create_block(), self.f.create_block());
            self.f.ins().brif(here, yes, &[], no, &[]);
            self.f.switch_to_block(yes);
            self.go_to(*to, ways);
            self.f.switch_to_block(no);
        }
        self.go_to(other, ways);
    }

    /// Drops one after the other, and goes on behind that; round by round, from the next node on, if it cannot be done at once.
    pub fn sow_on(&mut self, sow: &Sow<W>, next: u32, ways: &mut Ways) {
        let (done, other) = (self.f.create_block(), self.f.create_block());
        if !self.sow(sow, [done, other]) {
            self.f.ins().jump(other, &[]);
        }
        self.held.clear();
        self.f.switch_to_block(done);
        self.go_to(sow.out, ways);
        self.f.switch_to_block(other);
        let about = self.arena.keep(sow.clone());
        let done = self.ask_whether(call::sow::<W> as *const () as usize, about);
        self.part(done, sow.out, next, ways);
    }

    /// Asks the other evaluator for a yes or no, after which nothing is known.
    pub fn ask_whether(&mut self, function: usize, about: i64) -> Value {
        let answer = self.ask(function, about, &[], Some(types::I32));
        self.held.clear();
        answer.unwrap_or_else(|| self.number(0))
    }
}
