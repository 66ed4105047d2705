//! Writes down how a run that was drawn is carried out, and how the ends are asked.

use super::Lots;
use super::call;
use super::emit::Emit;
use super::ways::Ways;
use crate::fast::code::*;
use crate::fast::layout::Store;
use crate::fast::plan::{How, Pairs, Plan};
use crate::rules::stmt::TableOp;
use cranelift::codegen::ir::BlockArg;
use cranelift::frontend::Switch;
use cranelift::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What is given if the run cannot be carried out here.
pub const NOT: u64 = u64::MAX;

/// Longer programs are left to the usual way.
const MOST_NODES: usize = 1_000;

impl<const W: usize> Emit<'_, '_, W> {
    /// Carries out a run: number of its lot, site, rounds. The end of the program is at the place given; another cut is what the function gives.
    pub fn enact_turn(&mut self, lots: &Lots, [lot, site, k]: [Value; 3], end: Block) {
        self.end = Some(end);
        let site = self.f.ins().ireduce(types::I32, site);
        let k = self.f.ins().ireduce(types::I32, k);
        let rounds = self.f.declare_var(types::I32);
        self.f.def_var(rounds, k);
        let mut switch = Switch::new();
        let mut begins = Vec::new();
        let mut shared: BTreeMap<u32, Block> = BTreeMap::new();
        for (number, &(fork, by)) in lots.lots.iter().enumerate() {
            let block = self.f.create_block();
            switch.set_entry(number as u128, block);
            begins.push((block, fork, by));
        }
        let other = self.f.create_block();
        switch.emit(&mut self.f, lot, other);
        self.f.switch_to_block(other);
        let not = self.word(NOT);
        self.f.ins().return_(&[not]);
        for (block, fork, by) in begins {
            self.f.switch_to_block(block);
            self.held.clear();
            self.known.clear();
            self.begin(fork, by, site, rounds, &mut shared);
        }
        for (fork, block) in shared {
            self.f.switch_to_block(block);
            self.held.clear();
            self.known.clear();
            let from = self.f.append_block_param(block, types::I32);
            self.pair(fork, from, site);
        }
    }

    fn name(&mut self, slot: Slot, code: Value) {
        let word = self.f.ins().uextend(types::I64, code);
        self.put(slot, word);
    }

    fn begin(&mut self, fork: u32, by: u32, site: Value, rounds: Variable, shared: &mut BTreeMap<u32, Block>) {
        let p = self.p;
        let node = &p.nodes[fork as usize];
        let (Some(plan), Op::Choose(choose)) = (&p.plans[fork as usize], &node.op) else {
            return self.refuse();
        };
        match plan {
            Plan::Pairs(pairs) => {
                let from = self.origin_of(pairs, by, site);
                let block = *shared.entry(fork).or_insert_with(|| self.f.create_block());
                self.f.ins().jump(block, &[BlockArg::Value(from)]);
            }
            Plan::Chain(lines) => {
                let line = &lines[by as usize];
                self.name(choose.name.to, site);
                let mut start = node.trusted;
                if let Some(code) = line.second {
                    let second = &p.nodes[node.next as usize];
                    let Op::Choose(name) = &second.op else {
                        return self.refuse();
                    };
                    if matches!(name.name.dom, Dom::Lines(_)) {
                        return self.refuse();
                    }
                    let value = self.number(code);
                    self.name(name.name.to, value);
                    self.known.insert(name.name.to, code);
                    start = second.trusted;
                }
                self.run(start, line.asks.then_some(rounds));
            }
            _ => {
                self.name(choose.name.to, site);
                self.run(node.trusted, None);
            }
        }
    }

    fn refuse(&mut self) {
        let not = self.word(NOT);
        self.f.ins().return_(&[not]);
    }

    fn origin_of(&mut self, pairs: &Pairs<W>, by: u32, site: Value) -> Value {
        let p = self.p;
        match &pairs.streams[by as usize].how {
            How::Step(way) => {
                let way = &p.ways[*way as usize];
                match way.offset {
                    Some(by) => self.f.ins().iadd_imm_s(site, -i64::from(by)),
                    None => {
                        let back = way.back.iter().map(|back| back.first()).collect();
                        let wide = self.f.ins().sextend(types::I64, site);
                        self.numbers(back, wide)
                    }
                }
            }
            How::Slide(dir, over, _) => {
                pairs.binds.iter().for_each(|bind| self.bind(bind));
                let over = self.sites(over);
                self.origin(*dir, over, site)
            }
        }
    }

    fn pair(&mut self, fork: u32, from: Value, site: Value) {
        let p = self.p;
        let (Some(Plan::Pairs(pairs)), Op::Choose(first)) = (&p.plans[fork as usize], &p.nodes[fork as usize].op)
        else {
            return self.refuse();
        };
        let second = &p.nodes[pairs.second as usize];
        let Op::Choose(to) = &second.op else {
            return self.refuse();
        };
        self.name(first.name.to, from);
        self.broken |= !pairs.between.iter().all(Self::can_bind);
        pairs.between.iter().for_each(|bind| self.bind(bind));
        self.name(to.name.to, site);
        self.run(second.trusted, None);
    }

    /// Writes the program that begins at a node, to its cut.
    fn run(&mut self, start: u32, rounds: Option<Variable>) {
        let mut ways = Ways { rounds, ..Ways::default() };
        self.survey(start, &mut ways);
        if ways.blocks.contains_key(&start) || ways.heads.contains(&start) {
            self.go_to(start, &mut ways);
        } else {
            self.straight(start, &mut ways);
        }
        while let Some(at) = ways.left.pop() {
            let block = ways.blocks[&at];
            self.f.switch_to_block(block);
            self.held.clear();
            self.straight(at, &mut ways);
        }
    }

    /// Finds where loops begin, and where ways meet; a long program is refused.
    fn survey(&mut self, start: u32, ways: &mut Ways) {
        let p = self.p;
        // Depth first: a way back to a node on the way is a loop.
        let mut on_way: Vec<(u32, usize)> = vec![(start, 0)];
        let mut done = BTreeSet::new();
        let mut met: BTreeMap<u32, u32> = BTreeMap::new();
        while let Some((at, i)) = on_way.pop() {
            let Some(&to) = self.leads(at, ways.rounds.is_some()).get(i) else {
                done.insert(at);
                continue;
            };
            on_way.push((at, i + 1));
            if met.len() > MOST_NODES {
                self.broken = true;
                return;
            }
            *met.entry(to).or_insert(0) += 1;
            let again = matches!(&p.nodes[at as usize].op, Op::More(again, _) if *again == to);
            if on_way.iter().any(|&(node, _)| node == to) {
                if !again {
                    ways.heads.insert(to);
                }
            } else if !done.contains(&to) {
                on_way.push((to, 0));
            }
        }
        for (&at, &n) in &met {
            if n > 1 || at == start {
                ways.blocks.insert(at, self.f.create_block());
            }
        }
    }

    /// Where a node leads as it is written here.
    fn leads(&self, at: u32, rounds: bool) -> Vec<u32> {
        let node = &self.p.nodes[at as usize];
        match &node.op {
            Op::Branch(_, yes, no) => vec![*yes, *no],
            Op::Switch(_, arms, other) => arms.iter().map(|&(_, to)| to).chain([*other]).collect(),
            Op::More(again, out) if rounds => vec![*again, *out],
            Op::Sow(sow) => vec![node.next, sow.out],
            _ if self.is_written(at) => vec![node.trusted],
            _ => Vec::new(),
        }
    }

    /// Is the node one of those that are written, and then goes on?
    pub fn is_written(&self, at: u32) -> bool {
        let layout = &self.p.layout;
        let piles = layout.piles.is_some();
        match &self.p.nodes[at as usize].op {
            Op::Skip | Op::Round(_) | Op::Require(_) | Op::Next(_) => true,
            Op::Bind(bind, _) => Self::can_bind(bind),
            Op::SetVar(var, _, Val::Int(_)) => matches!(layout.vars[*var as usize].store, Store::Scalar(..)),
            Op::Table(var, _, sites, _) => self.has_numbers(*var) || matches!(sites, Sites::Single(_)),
            Op::SetVar(var, None, Val::Set(_)) => layout.vars[*var as usize].store == Store::Sites,
            Op::SetVar(var, _, Val::Bag(bag)) => layout.vars[*var as usize].store == Store::Bag && Self::can_bag(bag),
            Op::Move(..) => !piles || !self.p.pile_keys.is_empty(),
            Op::Take(_) => !piles,
            Op::Place(Int::Const(_), Int::Const(_), _) => !piles,
            Op::Change(_, Int::Const(_), None) => !piles,
            _ => false,
        }
    }

    /// Writes nodes one after the other, up to where ways part or meet.
    fn straight(&mut self, start: u32, ways: &mut Ways) {
        let p = self.p;
        let mut at = start;
        let mut begins = true;
        loop {
            // A loop may come back to where it began.
            let known = ways.blocks.contains_key(&at) || ways.heads.contains(&at);
            if !std::mem::replace(&mut begins, false) && known {
                return self.go_to(at, ways);
            }
            if self.is_too_much() {
                return self.hand_over(at, ways);
            }
            let node = &p.nodes[at as usize];
            match &node.op {
                Op::End => {
                    let cut = self.word(u64::from(at));
                    if let Some(end) = self.end {
                        self.f.ins().jump(end, &[BlockArg::Value(cut)]);
                    }
                    return;
                }
                Op::Commit(_) | Op::Roll(_) => {
                    let cut = self.word(u64::from(at));
                    self.f.ins().return_(&[cut]);
                    return;
                }
                Op::Branch(c, yes, no) => {
                    let c = self.cond(c);
                    return self.part(c, *yes, *no, ways);
                }
                Op::Switch(on, arms, other) => return self.by_ranges(on, arms, *other, ways),
                Op::More(again, out) if let Some(rounds) = ways.rounds => {
                    let left = self.f.use_var(rounds);
                    let on = self.f.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
                    let less = self.f.ins().iadd_imm_s(left, -1);
                    self.f.def_var(rounds, less);
                    return self.part(on, *again, *out, ways);
                }
                Op::Sow(sow) => return self.sow_on(sow, node.next, ways),
                _ if !self.is_written(at) => return self.hand_over(at, ways),
                _ => self.act(at),
            }
            at = node.trusted;
        }
    }

    /// Writes a node that goes on at the next.
    pub fn act(&mut self, at: u32) {
        let p = self.p;
        match &p.nodes[at as usize].op {
            Op::Bind(bind, _) => self.bind(bind),
            // There is enough for all that is written here, see `LEAST_FUEL`.
            Op::Round(_) => {
                let fuel = Slot::Reg(p.n_regs as u32);
                let left = self.get(fuel);
                let less = self.f.ins().iadd_imm_s(left, -1);
                self.put(fuel, less);
            }
            Op::SetVar(var, index, Val::Int(value)) => {
                let place = &p.layout.vars[*var as usize];
                let value = self.int(value);
                if let (None, Store::Scalar(lo, hi), false) = (index, place.store, place.kept) {
                    let (lo, hi) = (self.number(lo), self.number(hi));
                    let value = self.f.ins().smax(value, lo);
                    let value = self.f.ins().smin(value, hi);
                    return self.name(Slot::Word(place.base), value);
                }
                let index = match index {
                    Some(index) => self.int(index),
                    None => self.number(0),
                };
                let about = self.arena.keep(*var);
                self.ask(call::set_scalar::<W> as *const () as usize, about, &[index, value], None);
                self.changed();
            }
            Op::Table(var, op, Sites::Single(site), value) if self.has_numbers(*var) => {
                let (site, value) = (self.int(site), self.int(value));
                self.if_site(site, |emit, site| emit.change_number(*var, *op, site, value));
            }
            Op::Table(var, op, sites, value) if self.has_numbers(*var) => {
                let (sites, value) = (self.sites(sites), self.int(value));
                self.each_site(sites, |emit, site| emit.change_number(*var, *op, site, value));
            }
            Op::Table(var, op, Sites::Single(site), value) => {
                let (site, value) = (self.int(site), self.int(value));
                let about = self.arena.keep::<(u32, TableOp)>((*var, *op));
                self.ask(call::change_number::<W> as *const () as usize, about, &[site, value], None);
                self.changed();
            }
            Op::Next(seat) => {
                let seat = self.int(seat);
                let n = self.number(p.layout.n_seats as i32);
                let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, seat, n);
                let old = self.get(Slot::Word(p.layout.next));
                let new = self.f.ins().uextend(types::I64, seat);
                let new = self.f.ins().select(inside, new, old);
                self.put(Slot::Word(p.layout.next), new);
            }
            Op::SetVar(var, None, Val::Set(set)) => {
                let set = self.sites(set);
                self.set_sites(*var, set);
            }
            Op::SetVar(var, index, Val::Bag(bag)) => {
                self.broken |= !self.set_bag(*var, index.as_ref(), bag);
            }
            Op::Move(from, to) => {
                let (from, to) = (self.int(from), self.int(to));
                if p.layout.piles.is_some() {
                    self.carry_one(from, to);
                } else {
                    self.shift_piece(from, to);
                }
            }
            Op::Take(Sites::Single(site)) => {
                let site = self.int(site);
                self.if_site(site, |emit, site| emit.lift(site));
            }
            Op::Take(sites) => {
                let sites = self.sites(sites);
                let empty = self.get_set(Slot::Word(p.layout.empty));
                let sites = self.less(sites, empty);
                self.each_site(sites, |emit, site| emit.lift(site));
            }
            Op::Place(Int::Const(kind), Int::Const(owner), sites) => {
                let layout = &p.layout;
                if *kind < 0 || *kind as usize >= layout.n_kinds {
                    return;
                }
                let what = 1 + kind * (layout.n_seats as i32 + 1) + layout.owner_index(*owner) as i32;
                let put = |emit: &mut Self, site: Value| {
                    emit.lift(site);
                    let what = emit.word(what as u64);
                    emit.show(site, what);
                };
                if let Sites::Single(site) = sites {
                    let site = self.int(site);
                    return self.if_site(site, put);
                }
                let sites = self.sites(sites);
                self.each_site(sites, put);
            }
            Op::Change(sites, Int::Const(kind), None) => {
                let layout = &p.layout;
                if *kind < 0 || *kind as usize >= layout.n_kinds {
                    return;
                }
                let seats = layout.n_seats as u64 + 1;
                // Of everything that may stand there: the same owner's piece of that kind.
                let new = |what: u64| if what == 0 { 0 } else { 1 + *kind as u64 * seats + (what - 1) % seats };
                let table: Vec<u64> = (0..=layout.n_kinds as u64 * seats).map(new).collect();
                let sites = self.sites(sites);
                let empty = self.get_set(Slot::Word(layout.empty));
                let sites = self.less(sites, empty);
                self.each_site(sites, |emit, site| {
                    let old = emit.packed(emit.p.layout.what, site);
                    let what = emit.table(table, old);
                    emit.lift(site);
                    emit.show(site, what);
                });
            }
            _ => {}
        }
    }

    /// What happens if a number is that of a site.
    fn if_site(&mut self, site: Value, then: impl FnOnce(&mut Self, Value)) {
        let wide = self.f.ins().sextend(types::I64, site);
        let n = self.word(self.p.layout.n_sites as u64);
        let inside = self.f.ins().icmp(IntCC::UnsignedLessThan, wide, n);
        let (on, done) = (self.f.create_block(), self.f.create_block());
        self.f.ins().brif(inside, on, &[], done, &[]);
        let names = self.names();
        self.f.switch_to_block(on);
        then(self, wide);
        self.f.ins().jump(done, &[]);
        self.f.switch_to_block(done);
        self.held = names;
    }

    /// What happens for each site of a set, the lowest first.
    fn each_site(&mut self, set: [Value; W], then: impl FnOnce(&mut Self, Value)) {
        let (head, body, done) = (self.f.create_block(), self.f.create_block(), self.f.create_block());
        let names = self.names();
        // Whatever a set may hold, nothing is written beyond the board.
        let set = self.masked(set, self.p.ground.all);
        self.f.ins().jump(head, &set.map(BlockArg::Value));
        let left: [Value; W] = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        self.f.switch_to_block(head);
        let some = self.is_some(left);
        self.f.ins().brif(some, body, &[], done, &[]);
        self.f.switch_to_block(body);
        self.held = names.clone();
        let site = self.first(left);
        let one = self.single(site);
        let rest = self.less(left, one);
        let site = self.f.ins().sextend(types::I64, site);
        then(self, site);
        self.f.ins().jump(head, &rest.map(BlockArg::Value));
        self.f.switch_to_block(done);
        self.held = names;
    }

    /// Turns a site over in the set that begins so many bytes into the block.
    fn flip(&mut self, bytes: Value, [word, bit]: [Value; 2]) {
        let at = self.f.ins().iadd(self.b, bytes);
        let at = if W == 1 { at } else { self.f.ins().iadd(at, word) };
        let old = self.load(at);
        let new = self.f.ins().bxor(old, bit);
        self.store(at, new);
    }

    /// The bytes to a site's word, and its bit in it.
    fn spot(&mut self, site: Value) -> [Value; 2] {
        let word = self.f.ins().ushr_imm_u(site, 6);
        let word = self.f.ins().ishl_imm_u(word, 3);
        let one = self.word(1);
        [word, self.f.ins().ishl(one, site)]
    }

    /// Where the sets of what stands somewhere begin: its owner's, and its kind's.
    fn marks(&mut self, what: Value) -> [Value; 2] {
        let p = self.p;
        let owner = p.marks.iter().map(|mark| u64::from(mark.0) * 8).collect();
        let kind = p.marks.iter().map(|mark| u64::from(mark.1) * 8).collect();
        [self.table(owner, what), self.table(kind, what)]
    }

    /// The key of a piece on a site that there is.
    fn key(&mut self, site: Value, what: Value) -> Value {
        let at = self.f.ins().imul_imm_s(site, self.p.keys_per_site as i64);
        let at = self.f.ins().iadd(at, what);
        let keys = self.p.piece_keys.clone();
        self.table(keys, at)
    }

    fn key_changes(&mut self, by: Value) {
        let at = Slot::Word(self.p.layout.board_key);
        let key = self.get(at);
        let key = self.f.ins().bxor(key, by);
        self.put(at, key);
    }

    /// The sets of what stands on a site are as if it were lifted off, or as they were before.
    pub fn lifted(&mut self, site: Value, what: Value) {
        let spot = self.spot(site);
        for bytes in self.marks(what) {
            self.flip(bytes, spot);
        }
        let empty = self.word(u64::from(self.p.layout.empty) * 8);
        self.flip(empty, spot);
    }

    /// A piece appears on, or disappears from, a site.
    fn turn_over(&mut self, site: Value, what: Value) {
        self.lifted(site, what);
        let key = self.key(site, what);
        self.key_changes(key);
        self.changed();
    }

    /// Removes what stands on a site that there is.
    pub fn lift(&mut self, site: Value) {
        let place = self.p.layout.what;
        let what = self.packed(place, site);
        let (on, done) = (self.f.create_block(), self.f.create_block());
        self.f.ins().brif(what, on, &[], done, &[]);
        let names = self.names();
        self.f.switch_to_block(on);
        let none = self.word(0);
        self.put_packed(place, site, none);
        self.turn_over(site, what);
        self.f.ins().jump(done, &[]);
        self.f.switch_to_block(done);
        self.held = names;
    }

    /// A piece is seen on a site with none.
    pub fn show(&mut self, site: Value, what: Value) {
        self.put_packed(self.p.layout.what, site, what);
        self.turn_over(site, what);
    }

    /// Moves a piece.
    fn shift_piece(&mut self, from: Value, to: Value) {
        let place = self.p.layout.what;
        let [on, yes, done] = std::array::from_fn(|_| self.f.create_block());
        let n = self.number(self.p.layout.n_sites as i32);
        let here = self.f.ins().icmp(IntCC::UnsignedLessThan, from, n);
        let there = self.f.ins().icmp(IntCC::UnsignedLessThan, to, n);
        let apart = self.f.ins().icmp(IntCC::NotEqual, from, to);
        let both = self.f.ins().band(here, there);
        let all = self.f.ins().band(both, apart);
        self.f.ins().brif(all, on, &[], done, &[]);
        let names = self.names();
        self.f.switch_to_block(on);
        let (from, to) = (self.f.ins().uextend(types::I64, from), self.f.ins().uextend(types::I64, to));
        let what = self.packed(place, from);
        self.f.ins().brif(what, yes, &[], done, &[]);
        self.f.switch_to_block(yes);
        self.lift(to);
        let none = self.word(0);
        self.put_packed(place, from, none);
        self.put_packed(place, to, what);
        let (a, b) = (self.spot(from), self.spot(to));
        let empty = self.word(u64::from(self.p.layout.empty) * 8);
        let marks = self.marks(what);
        for bytes in marks.into_iter().chain([empty]) {
            if W == 1 {
                let bits = self.f.ins().bxor(a[1], b[1]);
                self.flip(bytes, [a[0], bits]);
            } else {
                self.flip(bytes, a);
                self.flip(bytes, b);
            }
        }
        let (old, new) = (self.key(from, what), self.key(to, what));
        let key = self.f.ins().bxor(old, new);
        self.key_changes(key);
        self.f.ins().jump(done, &[]);
        self.f.switch_to_block(done);
        self.held = names;
    }

    /// Asks whether an end holds, seen from a seat, if the next player has a turn; goes on at one of two places.
    pub fn ends(&mut self, seat: usize, ways: [Block; 2]) {
        self.ending = true;
        self.any_end(seat, ways);
        self.ending = false;
    }

    /// Asks whether an end holds, seen from a seat; goes on at one of two places.
    pub fn any_end(&mut self, seat: usize, [yes, no]: [Block; 2]) {
        let p = self.p;
        for (when, _) in &p.ends[seat] {
            let c = self.cond(when);
            let on = self.f.create_block();
            self.f.ins().brif(c, yes, &[], on, &[]);
            self.f.switch_to_block(on);
        }
        self.f.ins().jump(no, &[]);
    }
}
