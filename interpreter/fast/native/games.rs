//! Writes down whole random games: turn after turn, for as long as they are usual.

use super::Lots;
use super::call;
use super::emit::Emit;
use crate::fast::bits::select_table;
use crate::fast::code::*;
use cranelift::codegen::ir::BlockArg;
use cranelift::frontend::Switch;
use cranelift::prelude::*;

/// What is given between two turns, if the next is not usual or an end may hold.
pub const BETWEEN: u64 = u64::MAX - 1;

/// What is given if the first turn is not usual.
pub const NONE_PLAYED: u64 = u64::MAX - 2;

/// Words before the records: moves played, and the sum of the numbers of runs.
pub const COUNTERS: usize = 2;

/// A function that plays: what its parts have in common.
struct Game {
    /// Where the counters are, and the records behind them.
    state: Value,
    records: Value,
    /// Where the turn of each seat begins.
    begins: Vec<Block>,
    /// Where it leaves between two turns.
    between: Block,
    /// Where it leaves if the runs of the turn that has begun cannot be counted, or there are none.
    uncounted: Block,
    /// Has no turn been played yet?
    fresh: Variable,
    /// What the words that a turn's beginning changes were before it.
    old: [Variable; 3],
}

impl<const W: usize> Emit<'_, '_, W> {
    /// The body of the function that plays at random: `state` is where the counters are, and the records behind them. Says whether any
    /// seat's turn can be played, and how many records a turn may make.
    pub fn game(&mut self, state: Value) -> (bool, usize) {
        let p = self.p;
        let game = Game {
            state,
            records: self.f.ins().iadd_imm_s(state, 8 * COUNTERS as i64),
            begins: (0..p.layout.n_seats).map(|_| self.f.create_block()).collect(),
            between: self.f.create_block(),
            uncounted: self.f.create_block(),
            fresh: self.f.declare_var(types::I8),
            old: std::array::from_fn(|_| self.f.declare_var(types::I64)),
        };
        self.note_words(&game, true);
        let mover = self.get(Slot::Word(p.layout.mover));
        self.held.clear();
        self.enter(mover, &game.begins, game.uncounted);
        let mut known = false;
        let mut most = 0;
        for (seat, &block) in game.begins.iter().enumerate() {
            self.f.switch_to_block(block);
            self.held.clear();
            let mut lots = Lots::default();
            known |= self.turn_of(seat, &mut lots, &game);
            most = most.max(lots.records);
        }
        // As it was between the turns, or nothing has been done.
        self.f.switch_to_block(game.uncounted);
        self.held.clear();
        for (at, var) in self.begun().into_iter().zip(game.old) {
            let word = self.f.use_var(var);
            self.put(Slot::Word(at), word);
        }
        let (none, other) = (self.word(NONE_PLAYED), self.word(BETWEEN));
        let fresh = self.f.use_var(game.fresh);
        let code = self.f.ins().select(fresh, none, other);
        self.f.ins().return_(&[code]);
        self.give(game.between, BETWEEN);
        (known, most)
    }

    /// The words that the beginning of a turn changes.
    fn begun(&self) -> [u32; 3] {
        let layout = &self.p.layout;
        [layout.mover, layout.next, layout.turn_key]
    }

    fn note_words(&mut self, game: &Game, fresh: bool) {
        for (at, var) in self.begun().into_iter().zip(game.old) {
            let word = self.get(Slot::Word(at));
            self.f.def_var(var, word);
        }
        let fresh = self.flag(fresh);
        self.f.def_var(game.fresh, fresh);
    }

    /// Goes on at the block of a seat, or at another if there is none.
    fn enter(&mut self, seat: Value, blocks: &[Block], other: Block) {
        let mut switch = Switch::new();
        for (seat, &block) in blocks.iter().enumerate() {
            switch.set_entry(seat as u128, block);
        }
        switch.emit(&mut self.f, seat, other);
    }

    /// The turn of a seat, from its count to the beginning of the next.
    fn turn_of(&mut self, seat: usize, lots: &mut Lots, game: &Game) -> bool {
        let p = self.p;
        let between = game.between;
        let start = p.turn[seat];
        let node = &p.nodes[start as usize];
        if node.early || node.notes || matches!(node.op, Op::End) {
            self.f.ins().jump(game.uncounted, &[]);
            return false;
        }
        let counted = self.f.create_block();
        let known = self.count_turn(start, lots, game.records, [counted, game.uncounted]);
        let total = self.f.append_block_param(counted, types::I64);
        self.f.append_block_param(counted, types::I64);
        self.f.switch_to_block(counted);
        self.held.clear();
        self.known.clear();
        if !known {
            self.f.ins().jump(game.uncounted, &[]);
            return false;
        }
        let draw = self.f.create_block();
        self.f.ins().brif(total, draw, &[], game.uncounted, &[]);
        self.f.switch_to_block(draw);
        for (i, more) in [(0, None), (1, Some(total))] {
            let at = self.f.ins().iadd_imm_s(game.state, 8 * i);
            let old = self.load(at);
            let new = match more {
                Some(more) => self.f.ins().iadd(old, more),
                None => self.f.ins().iadd_imm_s(old, 1),
            };
            self.store(at, new);
        }
        let fuel = self.word(u64::from(p.rules.bounds.fuel));
        self.put(Slot::Reg(p.n_regs as u32), fuel);
        let number = self.ask(call::draw::<W> as *const () as usize, 8, &[total], Some(types::I64));
        let number = number.unwrap_or(total);
        let (site, lot, k) = self.drawn(game.records, number);
        let end = self.f.create_block();
        self.enact_turn(lots, [lot, site, k], end);
        self.f.append_block_param(end, types::I64);
        self.f.switch_to_block(end);
        self.held.clear();
        self.known.clear();
        let zero = self.word(0);
        for at in p.layout.position..p.layout.total {
            self.put(Slot::Word(at as u32), zero);
        }
        let turns = Slot::Word(p.layout.turns);
        let n = self.get(turns);
        let n = self.f.ins().iadd_imm_s(n, 1);
        self.put(turns, n);
        if !matches!(p.nodes[p.after[seat] as usize].op, Op::End) {
            self.asks = true;
            let about = self.arena.keep(seat);
            let wrong = self.ask(call::after::<W> as *const () as usize, about, &[], Some(types::I32));
            self.held.clear();
            self.leave_if(wrong, between);
        }
        if p.rules.uses.repeats || p.rules.uses.board_repeats {
            self.ask(call::remember::<W> as *const () as usize, 8, &[], None);
        }
        let on = self.f.create_block();
        self.ends(seat, [between, on]);
        self.f.switch_to_block(on);
        self.held.clear();
        if self.asks {
            let wrong = self.ask(call::went_wrong::<W> as *const () as usize, 8, &[], Some(types::I32));
            self.leave_if(wrong, between);
        }
        let n = self.get(turns);
        let n = self.f.ins().ireduce(types::I32, n);
        let limit = self.number(p.rules.bounds.turns as i32);
        let last = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, n, limit);
        self.leave_if(Some(last), between);
        let to_move = self.get(Slot::Word(p.layout.next));
        self.note_words(game, false);
        let enters: Vec<Block> = game.begins.iter().map(|_| self.f.create_block()).collect();
        self.enter(to_move, &enters, between);
        for (to, (block, &begin)) in enters.into_iter().zip(&game.begins).enumerate() {
            self.f.switch_to_block(block);
            self.held.clear();
            let key = self.get(Slot::Word(p.layout.board_key));
            self.put(Slot::Word(p.layout.turn_key), key);
            let (mover, next) = (self.word(to as u64), self.word(p.rules.following(to as i32) as u64));
            self.put(Slot::Word(p.layout.mover), mover);
            self.put(Slot::Word(p.layout.next), next);
            self.f.ins().jump(begin, &[]);
        }
        true
    }

    fn leave_if(&mut self, c: Option<Value>, to: Block) {
        let Some(c) = c else { return };
        let on = self.f.create_block();
        self.f.ins().brif(c, to, &[], on, &[]);
        self.f.switch_to_block(on);
    }

    /// Of the run with a number: its site or code, the number of its lot, and its rounds.
    fn drawn(&mut self, records: Value, number: Value) -> (Value, Value, Value) {
        let size = 8 * (W as i64 + 2);
        let (head, next, done) = (self.f.create_block(), self.f.create_block(), self.f.create_block());
        self.f.ins().jump(head, &[BlockArg::Value(records), BlockArg::Value(number)]);
        let at = self.f.append_block_param(head, types::I64);
        let left = self.f.append_block_param(head, types::I64);
        self.f.switch_to_block(head);
        let n = self.f.ins().load(types::I64, MemFlagsData::trusted(), at, 8 * W as i32);
        let here = self.f.ins().icmp(IntCC::UnsignedLessThan, left, n);
        self.f.ins().brif(here, done, &[], next, &[]);
        self.f.switch_to_block(next);
        let rest = self.f.ins().isub(left, n);
        let on = self.f.ins().iadd_imm_s(at, size);
        self.f.ins().jump(head, &[BlockArg::Value(on), BlockArg::Value(rest)]);
        self.f.switch_to_block(done);
        let words: [Value; W] =
            std::array::from_fn(|i| self.f.ins().load(types::I64, MemFlagsData::trusted(), at, 8 * i as i32));
        let about = self.f.ins().load(types::I64, MemFlagsData::trusted(), at, 8 * W as i32 + 8);
        // The word in which it is.
        let (mut word, mut left, mut base) = (words[0], left, self.word(0));
        for (i, &other) in words.iter().enumerate().skip(1) {
            let here = self.f.ins().popcnt(word);
            let past = self.f.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, left, here);
            let rest = self.f.ins().isub(left, here);
            left = self.f.ins().select(past, rest, left);
            word = self.f.ins().select(past, other, word);
            let start = self.word(64 * i as u64);
            base = self.f.ins().select(past, start, base);
        }
        let bit = self.bit_number(word, left);
        let site = self.f.ins().iadd(base, bit);
        let low = self.word(0xffff_ffff);
        let lot = self.f.ins().band(about, low);
        let k = self.f.ins().ushr_imm_u(about, 32);
        (site, lot, k)
    }

    /// The position of the bit of a word with so many others below it, as [`crate::fast::bits::select`] finds it.
    fn bit_number(&mut self, word: Value, n: Value) -> Value {
        const EACH: u64 = 0x0101_0101_0101_0101;
        let each = self.word(EACH);
        let half = self.f.ins().ushr_imm_u(word, 1);
        let mask = self.word(EACH * 0x55);
        let half = self.f.ins().band(half, mask);
        let pairs = self.f.ins().isub(word, half);
        let mask = self.word(EACH * 0x33);
        let upper = self.f.ins().ushr_imm_u(pairs, 2);
        let (a, b) = (self.f.ins().band(pairs, mask), self.f.ins().band(upper, mask));
        let nibbles = self.f.ins().iadd(a, b);
        let upper = self.f.ins().ushr_imm_u(nibbles, 4);
        let sums = self.f.ins().iadd(nibbles, upper);
        let mask = self.word(EACH * 0x0f);
        let sums = self.f.ins().band(sums, mask);
        let sums = self.f.ins().imul(sums, each);
        let tops = self.word(EACH << 7);
        let all = self.f.ins().imul(n, each);
        let all = self.f.ins().bor(all, tops);
        let passed = self.f.ins().isub(all, sums);
        let passed = self.f.ins().band(passed, tops);
        let bytes = self.f.ins().popcnt(passed);
        let place = self.f.ins().ishl_imm_u(bytes, 3);
        let before = self.f.ins().ishl_imm_u(sums, 8);
        let before = self.f.ins().ushr(before, place);
        let low = self.word(0xff);
        let before = self.f.ins().band(before, low);
        let byte = self.f.ins().ushr(word, place);
        let byte = self.f.ins().band(byte, low);
        let left = self.f.ins().isub(n, before);
        let seven = self.word(7);
        let left = self.f.ins().band(left, seven);
        let row = self.f.ins().ishl_imm_u(left, 8);
        let index = self.f.ins().bor(row, byte);
        let table = self.word(select_table().as_ptr() as u64);
        let at = self.f.ins().iadd(table, index);
        let bit = self.load_byte(at);
        self.f.ins().iadd(place, bit)
    }
}
