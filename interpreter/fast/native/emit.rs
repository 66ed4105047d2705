//! Writes down a function: words of the position, sets of sites, bits.
//!
//! A set is as many values of 64 bits as its width. What has been read or written once is not read again before something may have
//! changed it.

use crate::fast::bits::Set;
use crate::fast::code::{Program, Slot};
use cranelift::codegen::ir::BlockArg;
use cranelift::codegen::isa::CallConv;
use cranelift::prelude::*;
use std::collections::BTreeMap;

/// The words of a set.
pub type Words<const W: usize> = [Value; W];

/// Tables and expressions that the functions point at; they live as long as these.
#[derive(Default)]
pub struct Arena {
    words: Vec<Box<[u64]>>,
    bytes: Vec<Box<[i32]>>,
    kept: Vec<Box<dyn Send + Sync>>,
}

impl Arena {
    fn words(&mut self, table: Vec<u64>) -> i64 {
        let table = table.into_boxed_slice();
        let at = table.as_ptr() as i64;
        self.words.push(table);
        at
    }

    fn numbers(&mut self, table: Vec<i32>) -> i64 {
        let table = table.into_boxed_slice();
        let at = table.as_ptr() as i64;
        self.bytes.push(table);
        at
    }

    /// Keeps a thing where it is; its place.
    pub fn keep<T: Send + Sync + 'static>(&mut self, thing: T) -> i64 {
        let thing = Box::new(thing);
        let at = &raw const *thing as i64;
        self.kept.push(thing);
        at
    }
}

/// A function that is being written.
pub struct Emit<'a, 'f, const W: usize> {
    /// The program it comes from.
    pub p: &'a Program<W>,
    /// Where instructions go.
    pub f: FunctionBuilder<'f>,
    /// What outlives it.
    pub arena: &'a mut Arena,
    /// The block, the registers, the position itself.
    pub b: Value,
    /// See `b`.
    pub r: Value,
    /// See `b`.
    pub core: Value,
    /// What words are known to hold at this place.
    pub held: BTreeMap<Slot, Value>,
    /// Names that surely have these values.
    pub known: BTreeMap<Slot, i32>,
    /// How functions are called.
    pub convention: CallConv,
    /// Has something come up that cannot be written?
    pub broken: bool,
    /// Is the other evaluator asked for anything that may go wrong?
    pub asks: bool,
    /// Is it an end that is asked?
    pub ending: bool,
    /// Where the end of a turn's program is, with the node as a number.
    pub end: Option<Block>,
}

fn plain() -> MemFlagsData {
    MemFlagsData::trusted()
}

fn fixed() -> MemFlagsData {
    MemFlagsData::trusted().with_readonly()
}

impl<const W: usize> Emit<'_, '_, W> {
    /// Has something come up that cannot be written, or is the function too long?
    pub fn is_too_much(&mut self) -> bool {
        self.broken |= self.f.func.dfg.num_insts() > super::MOST_EACH;
        self.broken
    }

    /// A constant of 64 bits.
    pub fn word(&mut self, x: u64) -> Value {
        self.f.ins().iconst(types::I64, x as i64)
    }

    /// A constant number.
    pub fn number(&mut self, x: i32) -> Value {
        self.f.ins().iconst(types::I32, i64::from(x))
    }

    /// Yes or no.
    pub fn flag(&mut self, x: bool) -> Value {
        self.f.ins().iconst(types::I8, i64::from(x))
    }

    /// A constant set.
    pub fn constant(&mut self, set: Set<W>) -> Words<W> {
        set.0.map(|word| self.word(word))
    }

    fn place(&self, slot: Slot) -> (Value, i32) {
        match slot {
            Slot::Reg(at) => (self.r, at as i32 * 8),
            Slot::Word(at) => (self.b, at as i32 * 8),
        }
    }

    /// What a word holds.
    pub fn get(&mut self, slot: Slot) -> Value {
        if let Some(&held) = self.held.get(&slot) {
            return held;
        }
        let (base, by) = self.place(slot);
        let word = self.f.ins().load(types::I64, plain(), base, by);
        self.held.insert(slot, word);
        word
    }

    /// Gives a word a value.
    pub fn put(&mut self, slot: Slot, word: Value) {
        let (base, by) = self.place(slot);
        self.f.ins().store(plain(), word, base, by);
        self.held.insert(slot, word);
    }

    /// The word so many after another.
    pub fn after(slot: Slot, i: usize) -> Slot {
        match slot {
            Slot::Reg(at) => Slot::Reg(at + i as u32),
            Slot::Word(at) => Slot::Word(at + i as u32),
        }
    }

    /// The set that begins at a word.
    pub fn get_set(&mut self, slot: Slot) -> Words<W> {
        std::array::from_fn(|i| self.get(Self::after(slot, i)))
    }

    /// Stores a set.
    pub fn put_set(&mut self, slot: Slot, set: Words<W>) {
        for (i, word) in set.into_iter().enumerate() {
            self.put(Self::after(slot, i), word);
        }
    }

    /// What is known of names alone.
    pub fn names(&self) -> BTreeMap<Slot, Value> {
        let position = self.p.layout.position as u32;
        let is_name = |slot: Slot| matches!(slot, Slot::Reg(_)) || matches!(slot, Slot::Word(at) if at >= position);
        self.held.iter().filter(|(slot, _)| is_name(**slot)).map(|(&slot, &value)| (slot, value)).collect()
    }

    /// Something has changed the position, nobody knows where: only names are still what they were.
    pub fn changed(&mut self) {
        self.held = self.names();
    }

    /// The address of a word of the block that is known only in play: a fixed one and so many more.
    pub fn address(&mut self, at: u32, more: Value) -> Value {
        let by = self.f.ins().ishl_imm_u(more, 3);
        let base = self.f.ins().iadd(self.b, by);
        self.f.ins().iadd_imm_s(base, i64::from(at) * 8)
    }

    /// What stands at an address.
    pub fn load(&mut self, address: Value) -> Value {
        self.f.ins().load(types::I64, plain(), address, 0)
    }

    /// Stores at an address.
    pub fn store(&mut self, address: Value, word: Value) {
        self.f.ins().store(plain(), word, address, 0);
    }

    /// A byte at an address.
    pub fn load_byte(&mut self, address: Value) -> Value {
        self.f.ins().uload8(types::I64, plain(), address, 0)
    }

    /// Stores a byte.
    pub fn store_byte(&mut self, address: Value, byte: Value) {
        self.f.ins().istore8(plain(), byte, address, 0);
    }

    /// An entry of a table of words by a number, from 0 on; beyond its end the last.
    pub fn table(&mut self, table: Vec<u64>, index: Value) -> Value {
        let last = table.len() as i64 - 1;
        let base = self.arena.words(table);
        let index = self.within(index, last);
        let by = self.f.ins().ishl_imm_u(index, 3);
        let base = self.word(base as u64);
        let at = self.f.ins().iadd(base, by);
        self.f.ins().load(types::I64, fixed(), at, 0)
    }

    /// An entry of a table of numbers, the same way.
    pub fn numbers(&mut self, table: Vec<i32>, index: Value) -> Value {
        let last = table.len() as i64 - 1;
        let base = self.arena.numbers(table);
        let index = self.within(index, last);
        let by = self.f.ins().ishl_imm_u(index, 2);
        let base = self.word(base as u64);
        let at = self.f.ins().iadd(base, by);
        self.f.ins().load(types::I32, fixed(), at, 0)
    }

    /// Where a table of numbers begins.
    pub fn arena_numbers(&mut self, table: Vec<i32>) -> Value {
        let base = self.arena.numbers(table);
        self.word(base as u64)
    }

    /// An entry of a table of sets by code + 1, as far as there is one; else the empty set.
    pub fn sets(&mut self, table: &[Set<W>], code: Value) -> Words<W> {
        let mut words: Vec<u64> = table.iter().flat_map(|set| set.0).collect();
        words.extend([0; W]);
        let last = table.len() as i64;
        let base = self.arena.words(words);
        let index = self.next_of(code);
        let index = self.within(index, last);
        let by = self.f.ins().imul_imm_s(index, 8 * W as i64);
        let base = self.word(base as u64);
        let at = self.f.ins().iadd(base, by);
        std::array::from_fn(|i| self.f.ins().load(types::I64, fixed(), at, 8 * i as i32))
    }

    /// A code + 1 as an index; below 0 it is very large.
    pub fn next_of(&mut self, code: Value) -> Value {
        let wide = self.f.ins().sextend(types::I64, code);
        self.f.ins().iadd_imm_s(wide, 1)
    }

    fn within(&mut self, index: Value, last: i64) -> Value {
        let last = self.f.ins().iconst(types::I64, last);
        self.f.ins().umin(index, last)
    }

    /// A block that gives a number.
    pub fn give(&mut self, block: Block, number: u64) {
        self.f.switch_to_block(block);
        let number = self.word(number);
        self.f.ins().return_(&[number]);
    }

    /// The bits of two sets put together.
    pub fn both(&mut self, a: Words<W>, b: Words<W>) -> Words<W> {
        std::array::from_fn(|i| self.f.ins().band(a[i], b[i]))
    }

    /// See `both`.
    pub fn either(&mut self, a: Words<W>, b: Words<W>) -> Words<W> {
        std::array::from_fn(|i| self.f.ins().bor(a[i], b[i]))
    }

    /// See `both`.
    pub fn less(&mut self, a: Words<W>, b: Words<W>) -> Words<W> {
        std::array::from_fn(|i| self.f.ins().band_not(a[i], b[i]))
    }

    /// Those of a set that are in a constant one.
    pub fn masked(&mut self, set: Words<W>, mask: Set<W>) -> Words<W> {
        std::array::from_fn(|i| match mask.0[i] {
            u64::MAX => set[i],
            0 => self.word(0),
            mask => {
                let mask = self.word(mask);
                self.f.ins().band(set[i], mask)
            }
        })
    }

    /// Has it none?
    pub fn is_empty(&mut self, set: Words<W>) -> Value {
        let all = self.any_bits(set);
        self.f.ins().icmp_imm_s(IntCC::Equal, all, 0)
    }

    /// Has it some?
    pub fn is_some(&mut self, set: Words<W>) -> Value {
        let all = self.any_bits(set);
        self.f.ins().icmp_imm_s(IntCC::NotEqual, all, 0)
    }

    fn any_bits(&mut self, set: Words<W>) -> Value {
        let mut all = set[0];
        for &word in &set[1..] {
            all = self.f.ins().bor(all, word);
        }
        all
    }

    /// How many, in 64 bits.
    pub fn count(&mut self, set: Words<W>) -> Value {
        let mut n = self.f.ins().popcnt(set[0]);
        for &word in &set[1..] {
            let more = self.f.ins().popcnt(word);
            n = self.f.ins().iadd(n, more);
        }
        n
    }

    /// Every site so many places up, down if below 0.
    pub fn shifted(&mut self, set: Words<W>, by: i32) -> Words<W> {
        let n = by.unsigned_abs();
        let (words, bits) = ((n / 64) as usize, i64::from(n % 64));
        let up = by >= 0;
        std::array::from_fn(|i| {
            let from =
                |more: usize| if up { i.checked_sub(words + more) } else { Some(i + words + more).filter(|&j| j < W) };
            let Some(main) = from(0) else {
                return self.word(0);
            };
            if bits == 0 {
                return set[main];
            }
            let here =
                if up { self.f.ins().ishl_imm_u(set[main], bits) } else { self.f.ins().ushr_imm_u(set[main], bits) };
            let Some(rest) = from(1) else {
                return here;
            };
            let rest = set[rest];
            let rest =
                if up { self.f.ins().ushr_imm_u(rest, 64 - bits) } else { self.f.ins().ishl_imm_u(rest, 64 - bits) };
            self.f.ins().bor(here, rest)
        })
    }

    /// The set of one site; none if it is nowhere.
    pub fn single(&mut self, site: Value) -> Words<W> {
        let place = self.f.ins().sshr_imm_u(site, 6);
        let one = self.word(1);
        let bit = self.f.ins().ishl(one, site);
        std::array::from_fn(|i| {
            let here = self.f.ins().icmp_imm_s(IntCC::Equal, place, i as i64);
            let none = self.word(0);
            self.f.ins().select(here, bit, none)
        })
    }

    /// Is a site in a set?
    pub fn has(&mut self, set: Words<W>, site: Value) -> Value {
        let one = self.single(site);
        let met = self.both(set, one);
        self.is_some(met)
    }

    /// The lowest site, or nowhere.
    pub fn first(&mut self, set: Words<W>) -> Value {
        let mut out = self.number(-1);
        for i in (0..W).rev() {
            let here = self.f.ins().ctz(set[i]);
            let here = self.f.ins().ireduce(types::I32, here);
            let here = self.f.ins().iadd_imm_s(here, 64 * i as i64);
            out = self.f.ins().select(set[i], here, out);
        }
        out
    }

    /// The highest site, or nowhere.
    pub fn last(&mut self, set: Words<W>) -> Value {
        let mut out = self.number(-1);
        for (i, &word) in set.iter().enumerate() {
            let here = self.f.ins().clz(word);
            let here = self.f.ins().ireduce(types::I32, here);
            let top = self.number(64 * i as i32 + 63);
            let here = self.f.ins().isub(top, here);
            out = self.f.ins().select(word, here, out);
        }
        out
    }

    /// One of two sets.
    pub fn choose(&mut self, c: Value, a: Words<W>, b: Words<W>) -> Words<W> {
        std::array::from_fn(|i| self.f.ins().select(c, a[i], b[i]))
    }

    /// Writes two ways to get values; only one is gone. What one of them finds out is forgotten.
    pub fn ways<const N: usize>(
        &mut self,
        c: Value,
        ty: Type,
        yes: impl FnOnce(&mut Self) -> [Value; N],
        no: impl FnOnce(&mut Self) -> [Value; N],
    ) -> [Value; N] {
        let [on, off, done] = std::array::from_fn(|_| self.f.create_block());
        self.f.ins().brif(c, on, &[], off, &[]);
        let held = self.held.clone();
        self.f.switch_to_block(on);
        let values = yes(self);
        self.f.ins().jump(done, &values.map(BlockArg::Value));
        self.held = held.clone();
        self.f.switch_to_block(off);
        let values = no(self);
        self.f.ins().jump(done, &values.map(BlockArg::Value));
        self.held = held;
        let params = std::array::from_fn(|_| self.f.append_block_param(done, ty));
        self.f.switch_to_block(done);
        params
    }

    /// Asks the other evaluator: a function of [`super::call`], the place of what it is about, and numbers; gives what the function gives.
    pub fn ask(&mut self, function: usize, about: i64, more: &[Value], result: Option<Type>) -> Option<Value> {
        let pointer = types::I64;
        let mut signature = Signature::new(self.convention);
        signature.params.push(AbiParam::new(pointer));
        signature.params.push(AbiParam::new(pointer));
        for &value in more {
            let ty = self.f.func.dfg.value_type(value);
            signature.params.push(AbiParam::new(ty));
        }
        signature.returns.extend(result.map(AbiParam::new));
        let signature = self.f.import_signature(signature);
        let function = self.word(function as u64);
        let about = self.word(about as u64);
        let mut values = vec![self.core, about];
        values.extend(more);
        let call = self.f.ins().call_indirect(signature, function, &values);
        result.map(|_| self.f.inst_results(call)[0])
    }
}
