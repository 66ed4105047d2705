//! Writes down how pieces go from pile to pile on stacked boards.

use super::emit::Emit;
use crate::fast::code::Slot;
use crate::rules::board::MOST_PILED;
use cranelift::prelude::*;

impl<const W: usize> Emit<'_, '_, W> {
    /// The uppermost piece of a pile goes onto another, if there is one and room.
    pub fn carry_one(&mut self, from: Value, to: Value) {
        let p = self.p;
        let Some((piles, heights)) = p.layout.piles else { return };
        let [on, done] = std::array::from_fn(|_| self.f.create_block());
        let n = self.number(p.layout.n_sites as i32);
        let here = self.f.ins().icmp(IntCC::UnsignedLessThan, from, n);
        let there = self.f.ins().icmp(IntCC::UnsignedLessThan, to, n);
        let apart = self.f.ins().icmp(IntCC::NotEqual, from, to);
        let both = self.f.ins().band(here, there);
        let fit = self.f.ins().band(both, apart);
        let height = self.packed_at(heights, from);
        let room = self.packed_at(heights, to);
        let some = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, height, 0);
        let free = self.f.ins().icmp_imm_s(IntCC::SignedLessThan, room, MOST_PILED as i64);
        let fit = self.f.ins().band(fit, some);
        let fit = self.f.ins().band(fit, free);
        self.f.ins().brif(fit, on, &[], done, &[]);
        let names = self.names();
        self.f.switch_to_block(on);
        self.changed();
        let wide = |emit: &mut Self, x: Value| emit.f.ins().uextend(types::I64, x);
        let (from, to, height, room) = (wide(self, from), wide(self, to), wide(self, height), wide(self, room));
        let top = self.f.ins().iadd_imm_s(height, -1);
        let at = self.in_pile(from, top);
        let what = self.packed(piles, at);
        self.lift(to);
        let place = self.in_pile(to, room);
        self.put_packed(piles, place, what);
        let more = self.f.ins().iadd_imm_s(room, 1);
        self.put_packed(heights, to, more);
        self.pile_changes(place, what);
        self.show(to, what);
        let none = self.word(0);
        self.put_packed(piles, at, none);
        self.put_packed(heights, from, top);
        self.pile_changes(at, what);
        self.lift(from);
        let [below, bare] = std::array::from_fn(|_| self.f.create_block());
        self.f.ins().brif(top, below, &[], bare, &[]);
        self.f.switch_to_block(below);
        let next = self.f.ins().iadd_imm_s(at, -1);
        let next = self.packed(piles, next);
        self.show(from, next);
        self.f.ins().jump(bare, &[]);
        self.f.switch_to_block(bare);
        self.f.ins().jump(done, &[]);
        self.f.switch_to_block(done);
        self.held = names;
    }

    /// The place of a level of a pile among all places of piles.
    fn in_pile(&mut self, site: Value, level: Value) -> Value {
        let base = self.f.ins().imul_imm_s(site, MOST_PILED as i64);
        self.f.ins().iadd(base, level)
    }

    /// The key after a piece has come to a place of a pile, or left it.
    fn pile_changes(&mut self, at: Value, what: Value) {
        let index = self.f.ins().imul_imm_s(at, self.p.keys_per_site as i64);
        let index = self.f.ins().iadd(index, what);
        let keys = self.p.pile_keys.clone();
        let key = self.table(keys, index);
        self.changed();
        let slot = Slot::Word(self.p.layout.board_key);
        let old = self.get(slot);
        let new = self.f.ins().bxor(old, key);
        self.put(slot, new);
        self.changed();
    }
}
