//! Writes down how runs are counted that a last condition cannot stop, see [`crate::fast::sure`]: all but those that have to be tried.

use super::emit::{Emit, Words};
use crate::fast::bits::Set;
use crate::fast::code::*;
use crate::fast::plan::How;
use crate::fast::sure::Sure;
use cranelift::codegen::ir::BlockArg;
use cranelift::prelude::*;

impl<const W: usize> Emit<'_, '_, W> {
    /// The body of the function that counts: how many runs are sure, and for each stream, from `out` on, two sets that have to be tried: where its
    /// runs arrive, and from where they go. Where it cannot be done, goes on at `other`. False if none can be counted so.
    pub fn count_sure(&mut self, sure: &Sure<W>, out: Value, other: Block) -> bool {
        let streams = &sure.pairs.streams;
        if !streams.iter().all(|stream| self.can_arrive(&stream.how)) || !sure.pairs.binds.iter().all(Self::can_bind) {
            return false;
        }
        self.leave_where(&sure.guard, other);
        let mut about = self.constant(Set::EMPTY);
        for set in &sure.stable {
            let set = self.sites(set);
            about = self.either(about, set);
        }
        let own = self.get_set(Slot::Word(sure.own));
        let mut may = self.less(own, about);
        if let Some(reach) = &sure.reach {
            let reach = self.sites(reach);
            may = self.both(may, reach);
        }
        let may = self.masked(may, self.p.ground.all);
        let loose = self.loose(&sure.guard, may, about);
        sure.pairs.binds.iter().for_each(|bind| self.bind(bind));
        let odd: Vec<[Words<W>; 2]> = sure.odd.iter().map(|(from, to)| [self.sites(from), self.sites(to)]).collect();
        let mut sum = self.word(0);
        let mut before = None;
        for (i, stream) in streams.iter().enumerate() {
            let (from, land) = match before {
                Some(before) if stream.alike => before,
                _ => (self.sites(&stream.from), self.sites(&stream.land)),
            };
            before = Some((from, land));
            let over = match &stream.how {
                How::Step(_) => self.constant(Set::EMPTY),
                How::Slide(_, over, _) => {
                    let over = self.sites(over);
                    let met = self.both(from, over);
                    let passes = self.is_some(met);
                    let on = self.f.create_block();
                    self.f.ins().brif(passes, other, &[], on, &[]);
                    self.f.switch_to_block(on);
                    over
                }
            };
            let steady = self.less(from, loose);
            let to = self.arrive(&stream.how, steady, over, land);
            let mut doubtful = self.both(to, about);
            for &[who, there] in &odd {
                let met = self.both(to, there);
                let met = self.is_some(met);
                let who = self.both(steady, who);
                let none = self.constant(Set::EMPTY);
                let more = self.ways(
                    met,
                    types::I64,
                    |emit| {
                        let to = emit.arrive(&stream.how, who, over, land);
                        emit.both(to, there)
                    },
                    |_| none,
                );
                doubtful = self.either(doubtful, more);
            }
            let certain = self.less(to, doubtful);
            let n = self.count(certain);
            sum = self.f.ins().iadd(sum, n);
            let tried = self.both(from, loose);
            for (k, word) in doubtful.into_iter().chain(tried).enumerate() {
                self.f.ins().store(MemFlagsData::trusted(), word, out, 8 * (2 * W * i + k) as i32);
            }
        }
        self.f.ins().return_(&[sum]);
        true
    }

    fn leave_where(&mut self, c: &Cond<W>, to: Block) {
        let c = self.cond(c);
        let on = self.f.create_block();
        self.f.ins().brif(c, to, &[], on, &[]);
        self.f.switch_to_block(on);
        // What has been found out by the way may have been found out on some ways only.
        self.held.clear();
    }

    /// Can it be written where sites arrive that go so?
    pub fn can_arrive(&self, how: &How<W>) -> bool {
        match how {
            How::Step(way) => self.has_distances(*way),
            How::Slide(dir, _, limit) => {
                let known = self.p.ways[*dir as usize].offset.is_some();
                let far = *limit < 0 && self.doubles(*dir as i32);
                (far || (0..8).contains(limit) && known) && self.p.ground.mutual[*dir as usize]
            }
        }
    }

    /// Where the sites of a set arrive, see `can_arrive`.
    pub fn arrive(&mut self, how: &How<W>, from: Words<W>, over: Words<W>, land: Words<W>) -> Words<W> {
        let to = match how {
            How::Step(way) => self.ahead(*way, from),
            How::Slide(dir, _, limit) if *limit < 0 => self.slide(*dir, from, over),
            How::Slide(dir, _, limit) => {
                let mut front = self.ahead(*dir, from);
                let mut all = front;
                for _ in 0..*limit {
                    let on = self.both(front, over);
                    front = self.ahead(*dir, on);
                    all = self.either(all, front);
                }
                all
            }
        };
        self.both(to, land)
    }

    /// With those of `may` for which a condition holds if the piece is lifted off.
    fn loose(&mut self, guard: &Cond<W>, may: Words<W>, about: Words<W>) -> Words<W> {
        let p = self.p;
        let [head, body, done] = std::array::from_fn(|_| self.f.create_block());
        let first: Vec<BlockArg> = may.into_iter().chain(about).map(BlockArg::Value).collect();
        self.f.ins().jump(head, &first);
        let left: Words<W> = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        let loose: Words<W> = std::array::from_fn(|_| self.f.append_block_param(head, types::I64));
        self.f.switch_to_block(head);
        let some = self.is_some(left);
        self.f.ins().brif(some, body, &[], done, &[]);
        self.f.switch_to_block(body);
        self.held.clear();
        let site = self.first(left);
        let one = self.single(site);
        let rest = self.less(left, one);
        let wide = self.f.ins().uextend(types::I64, site);
        let what = self.packed(p.layout.what, wide);
        self.lifted(wide, what);
        let holds = self.cond(guard);
        self.held.clear();
        self.lifted(wide, what);
        let none = self.constant(Set::EMPTY);
        let more = self.choose(holds, one, none);
        let loose_now = self.either(loose, more);
        let again: Vec<BlockArg> = rest.into_iter().chain(loose_now).map(BlockArg::Value).collect();
        self.f.ins().jump(head, &again);
        self.f.switch_to_block(done);
        self.held.clear();
        loose
    }
}
