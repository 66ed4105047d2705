//! Writes down bags: 8 bits for each thing they can hold, in two words.

use super::call;
use super::emit::Emit;
use crate::fast::code::*;
use crate::rules::BagTy;
use crate::rules::expr::SetOp;
use cranelift::prelude::*;

/// The words of a bag, the lower first.
type Pair = [Value; 2];

/// Things whose sums stay far from the ends of the numbers.
const LARGEST: i32 = 100_000;

impl<const W: usize> Emit<'_, '_, W> {
    /// Is a bag one that can be written here?
    pub fn can_bag(bag: &Bag<W>) -> bool {
        match bag {
            Bag::Const(_) | Bag::Slot(_) | Bag::Single(..) => true,
            Bag::Op(_, parts) => Self::can_bag(&parts.0) && Self::can_bag(&parts.1),
            _ => false,
        }
    }

    /// A bag; nothing if it is left to the usual evaluator, see `can_bag`.
    pub fn bag(&mut self, bag: &Bag<W>) -> Option<Pair> {
        Some(match bag {
            Bag::Const(bag) => [self.word(*bag as u64), self.word((bag >> 64) as u64)],
            Bag::Slot(slot) => [self.get(*slot), self.get(Self::after(*slot, 1))],
            Bag::Single(ty, thing) => {
                let thing = self.int(thing);
                self.bag_of(*ty, thing, 1)
            }
            Bag::Op(op, parts) => {
                let (a, b) = (self.bag(&parts.0)?, self.bag(&parts.1)?);
                [self.lanes(*op, a[0], b[0]), self.lanes(*op, a[1], b[1])]
            }
            _ => return None,
        })
    }

    /// A bag of so many of one thing; none of it if it cannot hold it.
    fn bag_of(&mut self, ty: BagTy, thing: Value, n: u64) -> Pair {
        let thing = self.f.ins().sextend(types::I64, thing);
        let lane = self.f.ins().iadd_imm_s(thing, -i64::from(ty.lo));
        let inside = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThan, lane, i64::from(ty.n));
        let by = self.f.ins().ishl_imm_u(lane, 3);
        let one = self.word(n);
        let bits = self.f.ins().ishl(one, by);
        let none = self.word(0);
        let low = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThan, lane, 8);
        let bits = self.f.ins().select(inside, bits, none);
        [self.f.ins().select(low, bits, none), self.f.ins().select(low, none, bits)]
    }

    /// Lane by lane, as `lanes_less` and its kin do it; no lane reaches into another.
    fn lanes(&mut self, op: SetOp, a: Value, b: Value) -> Value {
        match op {
            SetOp::Minus => self.lanes_less(a, b),
            SetOp::And => {
                let less = self.lanes_less(a, b);
                self.f.ins().isub(a, less)
            }
            SetOp::Or => {
                let less = self.lanes_less(b, a);
                self.f.ins().iadd(a, less)
            }
            SetOp::Add => {
                let room = self.f.ins().bnot(a);
                let less = self.lanes_less(b, room);
                let least = self.f.ins().isub(b, less);
                self.f.ins().iadd(a, least)
            }
        }
    }

    fn lanes_less(&mut self, a: Value, b: Value) -> Value {
        let top = self.word(0x8080_8080_8080_8080);
        let upper = self.f.ins().bor(a, top);
        let lower = self.f.ins().band_not(b, top);
        let apart = self.f.ins().isub(upper, lower);
        let not_b = self.f.ins().bnot(b);
        let same = self.f.ins().bxor(a, not_b);
        let tops = self.f.ins().band(same, top);
        let less = self.f.ins().bxor(apart, tops);
        let only_b = self.f.ins().band_not(b, a);
        let both = self.f.ins().bxor(a, b);
        let carried = self.f.ins().band_not(less, both);
        let below = self.f.ins().bor(only_b, carried);
        let below = self.f.ins().band(below, top);
        let below = self.f.ins().ushr_imm_u(below, 7);
        let below = self.f.ins().imul_imm_u(below, 255);
        self.f.ins().band_not(less, below)
    }

    /// What is asked of a bag; nothing if it is left to the usual evaluator.
    pub fn bagged(&mut self, ask: BagAsk, ty: BagTy, bag: &Bag<W>) -> Option<Value> {
        if ty.lo.abs() > LARGEST {
            return None;
        }
        match ask {
            BagAsk::Sum => {
                let bag = self.bag(bag)?;
                let mut sum = self.word(0);
                for lane in 0..i64::from(ty.n) {
                    let byte = self.f.ins().ushr_imm_u(bag[(lane / 8) as usize], lane % 8 * 8);
                    let low = self.word(255);
                    let byte = self.f.ins().band(byte, low);
                    let worth = self.f.ins().imul_imm_s(byte, i64::from(ty.lo) + lane);
                    sum = self.f.ins().iadd(sum, worth);
                }
                Some(self.f.ins().ireduce(types::I32, sum))
            }
            BagAsk::Min | BagAsk::Max => {
                let bag = self.bag(bag)?;
                let mut found = self.word(0);
                let order = if ask == BagAsk::Min { [1, 0] } else { [0, 1] };
                for i in order {
                    let bit = match ask {
                        BagAsk::Min => self.f.ins().ctz(bag[i]),
                        _ => {
                            let above = self.f.ins().clz(bag[i]);
                            let last = self.word(63);
                            self.f.ins().isub(last, above)
                        }
                    };
                    let lane = self.f.ins().ushr_imm_u(bit, 3);
                    let thing = self.f.ins().iadd_imm_s(lane, 8 * i as i64 + i64::from(ty.lo));
                    found = self.f.ins().select(bag[i], thing, found);
                }
                Some(self.f.ins().ireduce(types::I32, found))
            }
            BagAsk::Count | BagAsk::The => None,
        }
    }

    /// Has a bag something?
    pub fn some_bag(&mut self, bag: &Bag<W>) -> Option<Value> {
        let [low, high] = self.bag(bag)?;
        let all = self.f.ins().bor(low, high);
        Some(self.f.ins().icmp_imm_s(IntCC::NotEqual, all, 0))
    }

    /// The different things in a bag: a bit for each lane that has any.
    pub fn things(&mut self, bag: &Bag<W>) -> Option<Value> {
        let bag = self.bag(bag)?;
        let [low, high] = bag.map(|word| {
            // The top bit of each lane that is not 0; then these bits side by side.
            let rest = self.word(0x7f7f_7f7f_7f7f_7f7f);
            let lower = self.f.ins().band(word, rest);
            let carried = self.f.ins().iadd(lower, rest);
            let some = self.f.ins().bor(carried, word);
            let top = self.word(0x8080_8080_8080_8080);
            let some = self.f.ins().band(some, top);
            let some = self.f.ins().ushr_imm_u(some, 7);
            let gather = self.word(0x0102_0408_1020_4080);
            let all = self.f.ins().imul(some, gather);
            self.f.ins().ushr_imm_u(all, 56)
        });
        let high = self.f.ins().ishl_imm_u(high, 8);
        Some(self.f.ins().bor(low, high))
    }

    /// Is a thing in a bag?
    pub fn in_bag(&mut self, ty: BagTy, thing: &Int<W>, bag: &Bag<W>) -> Option<Value> {
        let bag = self.bag(bag)?;
        let thing = self.int(thing);
        let one = self.bag_of(ty, thing, 255);
        let met = [self.f.ins().band(one[0], bag[0]), self.f.ins().band(one[1], bag[1])];
        let all = self.f.ins().bor(met[0], met[1]);
        Some(self.f.ins().icmp_imm_s(IntCC::NotEqual, all, 0))
    }

    /// An entry of a variable becomes a bag; false if that is left to the usual evaluator.
    pub fn set_bag(&mut self, var: u32, index: Option<&Int<W>>, bag: &Bag<W>) -> bool {
        let Some(bag) = self.bag(bag) else {
            return false;
        };
        let place = &self.p.layout.vars[var as usize];
        if let (None, false) = (index, place.kept) {
            self.put(Slot::Word(place.base), bag[0]);
            self.put(Slot::Word(place.base + 1), bag[1]);
            self.changed();
            return true;
        }
        let index = match index {
            Some(index) => self.int(index),
            None => self.number(0),
        };
        let about = self.arena.keep(var);
        self.ask(call::set_bag::<W> as *const () as usize, about, &[index, bag[0], bag[1]], None);
        self.changed();
        true
    }
}
