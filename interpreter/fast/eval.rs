//! Works out compiled expressions. Nothing here changes the position; registers are scratch.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::lanes::{ask_bag, bag_of, lanes_less};
use super::layout::Store;
use super::switches::Switch;
use crate::play::Trouble;
use crate::rules::board::opposite;
use crate::rules::expr::Cmp;
use crate::rules::{NONE, number, step_code, step_parts};
use crate::syntax::ast::ArithOp;

/// Something that can be worked out.
pub trait Value<const W: usize>: Sized {
    /// What comes out.
    type Out: Copy;
    /// Works it out.
    fn eval(&self, core: &mut Core<'_, W>) -> Self::Out;
    /// Is it nothing, for `otherwise`?
    fn nothing(out: &Self::Out) -> bool;
}

impl<const W: usize> Value<W> for Int<W> {
    type Out = i32;
    #[inline]
    fn eval(&self, core: &mut Core<'_, W>) -> i32 {
        core.int(self)
    }
    fn nothing(out: &i32) -> bool {
        *out == NONE
    }
}

impl<const W: usize> Value<W> for Cond<W> {
    type Out = bool;
    #[inline]
    fn eval(&self, core: &mut Core<'_, W>) -> bool {
        core.cond(self)
    }
    fn nothing(out: &bool) -> bool {
        !*out
    }
}

impl<const W: usize> Value<W> for Sites<W> {
    type Out = Set<W>;
    #[inline]
    fn eval(&self, core: &mut Core<'_, W>) -> Set<W> {
        core.sites(self)
    }
    fn nothing(out: &Set<W>) -> bool {
        out.is_empty()
    }
}

impl<const W: usize> Value<W> for Mask<W> {
    type Out = u64;
    #[inline]
    fn eval(&self, core: &mut Core<'_, W>) -> u64 {
        core.mask(self)
    }
    fn nothing(out: &u64) -> bool {
        *out == 0
    }
}

impl<const W: usize> Value<W> for Bag<W> {
    type Out = u128;
    #[inline]
    fn eval(&self, core: &mut Core<'_, W>) -> u128 {
        core.bag(self)
    }
    fn nothing(out: &u128) -> bool {
        *out == 0
    }
}

/// The bit of a member; none for nobody and the like.
#[inline(always)]
pub fn bit(code: i32) -> u64 {
    if (0..64).contains(&code) { 1 << code } else { 0 }
}

impl<const W: usize> Core<'_, W> {
    /// A word of a slot.
    #[inline(always)]
    pub fn word(&self, slot: Slot) -> u64 {
        match slot {
            Slot::Reg(at) => self.r[at as usize],
            Slot::Word(at) => self.b[at as usize],
        }
    }

    /// The set in a slot.
    #[inline(always)]
    pub fn slot_set(&self, slot: Slot) -> Set<W> {
        match slot {
            Slot::Reg(at) => read(&self.r, at),
            Slot::Word(at) => read(&self.b, at),
        }
    }

    /// The set at a word of the block.
    #[inline(always)]
    pub fn set_at(&self, at: u32) -> Set<W> {
        read(&self.b, at)
    }

    /// The bag in a slot.
    pub fn slot_bag(&self, slot: Slot) -> u128 {
        let (words, at) = match slot {
            Slot::Reg(at) => (&self.r, at as usize),
            Slot::Word(at) => (&self.b, at as usize),
        };
        u128::from(words[at]) | u128::from(words[at + 1]) << 64
    }

    /// Stores a scalar or mask.
    #[inline(always)]
    pub fn put(&mut self, slot: Slot, word: u64) {
        match slot {
            Slot::Reg(at) => self.r[at as usize] = word,
            Slot::Word(at) => self.b[at as usize] = word,
        }
    }

    /// Stores a set.
    #[inline(always)]
    pub fn put_set(&mut self, slot: Slot, set: Set<W>) {
        match slot {
            Slot::Reg(at) => write(&mut self.r, at, set),
            Slot::Word(at) => write(&mut self.b, at, set),
        }
    }

    /// Stores a bag.
    pub fn put_bag(&mut self, slot: Slot, bag: u128) {
        let (words, at) = match slot {
            Slot::Reg(at) => (&mut self.r, at as usize),
            Slot::Word(at) => (&mut self.b, at as usize),
        };
        words[at] = bag as u64;
        words[at + 1] = (bag >> 64) as u64;
    }

    /// Gives names their values, all worked out first.
    pub fn bind_all(&mut self, binds: &[Bind<W>]) {
        if let [one] = binds {
            return self.bind(one);
        }
        // Each bind has a slot of its own that no value in the same list reads, except through nested lets, which have slots of their own too.
        for bind in binds {
            self.bind(bind);
        }
    }

    /// Gives a name its value.
    #[inline]
    pub fn bind(&mut self, bind: &Bind<W>) {
        match &bind.value {
            Val::Int(x) => {
                let value = self.int(x);
                self.put(bind.to, value as u32 as u64);
            }
            Val::Mask(x) => {
                let value = self.mask(x);
                self.put(bind.to, value);
            }
            Val::Set(x) => {
                let value = self.sites(x);
                self.put_set(bind.to, value);
            }
            Val::Bag(x) => {
                let value = self.bag(x);
                self.put_bag(bind.to, value);
            }
            Val::Table(x) => {
                let values: Vec<i32> = (0..self.p.layout.n_sites as i32).map(|site| self.number_at(x, site)).collect();
                let (Slot::Reg(at) | Slot::Word(at)) = bind.to;
                let packed = packed_slot(at);
                let words = match bind.to {
                    Slot::Reg(_) => &mut self.r,
                    Slot::Word(_) => &mut self.b,
                };
                for (site, value) in values.into_iter().enumerate() {
                    packed.set(words, site as i32, value);
                }
            }
        }
    }

    /// One of the ways to get a value of any type.
    #[inline(never)]
    pub fn pick<T: Value<W>>(&mut self, pick: &Pick<T, W>) -> T::Out {
        match pick {
            Pick::If(c, a, b) => {
                if self.cond(c) {
                    a.eval(self)
                } else {
                    b.eval(self)
                }
            }
            Pick::Match(on, arms, other) => {
                let on = self.int(on);
                for (ranges, arm) in arms {
                    if ranges.iter().any(|&(lo, hi)| lo <= on && on <= hi) {
                        return arm.eval(self);
                    }
                }
                other.eval(self)
            }
            Pick::Let(binds, body) => {
                self.bind_all(binds);
                body.eval(self)
            }
            Pick::Otherwise(list) => {
                let mut out = list[0].eval(self);
                for next in &list[1..] {
                    if !T::nothing(&out) {
                        break;
                    }
                    out = next.eval(self);
                }
                out
            }
        }
    }

    /// The number of a table at a site; 0 at nowhere.
    pub fn number_at(&mut self, table: &Numbers<W>, site: i32) -> i32 {
        if site < 0 || site as usize >= self.p.layout.n_sites {
            return 0;
        }
        match table {
            Numbers::Var(var) => {
                let place = &self.p.layout.vars[*var as usize];
                match place.store {
                    Store::Flags => i32::from(self.set_at(place.base).has(site)),
                    Store::Words { at, .. } | Store::Numbers { at, .. } => at.get(&self.b, site),
                    _ => 0,
                }
            }
            Numbers::Slot(Slot::Reg(at)) => packed_slot(*at).get(&self.r, site),
            Numbers::Slot(Slot::Word(at)) => packed_slot(*at).get(&self.b, site),
            Numbers::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    if self.cond(c) {
                        self.number_at(a, site)
                    } else {
                        self.number_at(b, site)
                    }
                }
                Pick::Match(on, arms, other) => {
                    let on = self.int(on);
                    let arm = arms.iter().find(|(ranges, _)| ranges.iter().any(|&(lo, hi)| lo <= on && on <= hi));
                    self.number_at(arm.map_or(other, |(_, arm)| arm), site)
                }
                Pick::Let(binds, body) => {
                    self.bind_all(binds);
                    self.number_at(body, site)
                }
                Pick::Otherwise(list) => self.number_at(&list[0], site),
            },
        }
    }

    /// A scalar. Leaves are read on the spot.
    #[inline(always)]
    pub fn int(&mut self, x: &Int<W>) -> i32 {
        match x {
            Int::Const(code) => *code,
            Int::Slot(slot) => self.word(*slot) as i32,
            x => self.inner_int(x),
        }
    }

    /// A scalar that is no leaf. What is long or seldom is elsewhere, so that the frame of this is small.
    fn inner_int(&mut self, x: &Int<W>) -> i32 {
        match x {
            Int::Const(code) => *code,
            Int::Slot(slot) => self.word(*slot) as i32,
            Int::Entry(var, index) => {
                let index = self.int(index);
                let place = &self.p.layout.vars[*var as usize];
                if (index as u32) < place.n { self.b[(place.base + index as u32) as usize] as i32 } else { place.zero }
            }
            Int::At(table, site) => {
                let site = self.int(site);
                self.number_at(table, site)
            }
            Int::Lookup(table, of) => {
                let at = self.int(of);
                table.get((at + 1) as usize).copied().unwrap_or(NONE)
            }
            Int::Step(way, of) => {
                let at = self.int(of);
                self.p.ways[*way as usize].to[(at + 1) as usize]
            }
            Int::Go(ways, site, dir) => {
                let (site, dir) = (self.int(site), self.int(dir));
                match ways.get(dir as usize) {
                    Some(&way) => self.p.ways[way as usize].to[(site + 1) as usize],
                    None => self.walk(site, dir, ways[0]),
                }
            }
            Int::Arith(op, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                match op {
                    ArithOp::Add => number::add(a, b),
                    ArithOp::Sub => number::sub(a, b),
                    ArithOp::Mul => number::mul(a, b),
                    ArithOp::Div => number::div(a, b),
                    ArithOp::Rem => number::rem(a, b),
                }
            }
            Int::Bool(c) => i32::from(self.cond(c)),
            Int::Pick(pick) => self.pick(pick),
            Int::KindAt(site) => {
                let site = self.int(site);
                self.piece_at(site).map_or(NONE, |(kind, _)| kind)
            }
            Int::OwnerAt(site) => {
                let site = self.int(site);
                self.piece_at(site).map_or(NONE, |(_, owner)| owner)
            }
            Int::StepSite(step) => {
                let step = self.int(step);
                self.step_site(step)
            }
            Int::Count(set) => self.sites(set).count(),
            Int::The(set) => self.sites(set).the(),
            x => self.rare_int(x),
        }
    }

    #[inline(never)]
    fn rare_int(&mut self, x: &Int<W>) -> i32 {
        match x {
            Int::Walk(parts) => {
                let (site, dir, n) = (self.int(&parts.0), self.int(&parts.1), self.int(&parts.2));
                self.p.ground.board.walk(site, dir, n)
            }
            Int::Negate(a) => number::sub(0, self.int(a)),
            Int::Abs(a) => {
                let a = self.int(a);
                if a < 0 { number::sub(0, a) } else { a }
            }
            Int::Least(list) => list.iter().map(|x| self.int(x)).min().unwrap_or(0),
            Int::Greatest(list) => list.iter().map(|x| self.int(x)).max().unwrap_or(0),
            Int::Opposite(d) => opposite(self.int(d)),
            Int::Toward(parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                self.toward(a, b)
            }
            Int::Turned(parts) => {
                let (site, dir) = (self.int(&parts.0), self.int(&parts.1));
                turned(&self.p.ground.board.turned, site, dir)
            }
            Int::Side(parts) => {
                let (site, dir) = (self.int(&parts.0), self.int(&parts.1));
                self.p.ground.board.side(site, dir)
            }
            Int::HeightAt(site) => {
                let site = self.int(site);
                self.height(site)
            }
            Int::StepOn(parts) => {
                let (step, n) = (self.int(&parts.0), self.int(&parts.1));
                step_parts(step)
                    .and_then(|(track, place)| {
                        let to = self.p.rules.tracks.get(track)?.go(place, n)?;
                        Some(step_code(track, to))
                    })
                    .unwrap_or(NONE)
            }
            Int::StepPlace(step) => {
                let step = self.int(step);
                step_parts(step).map_or(NONE, |(_, place)| place as i32)
            }
            Int::SiteStep(parts) => {
                let (site, track) = (self.int(&parts.0), self.int(&parts.1));
                usize::try_from(track)
                    .ok()
                    .and_then(|track| {
                        let place = self.p.rules.tracks.get(track)?.place_of(site)?;
                        Some(step_code(track, place))
                    })
                    .unwrap_or(NONE)
            }
            Int::TrackStart(track) => {
                let track = self.int(track);
                match usize::try_from(track).ok().and_then(|t| self.p.rules.tracks.get(t)) {
                    Some(walk) if !walk.sites.is_empty() => step_code(track as usize, 0),
                    _ => NONE,
                }
            }
            Int::CountMask(mask) => self.mask(mask).count_ones() as i32,
            Int::TheMask(mask) => {
                let mask = self.mask(mask);
                if mask.count_ones() == 1 { mask.trailing_zeros() as i32 } else { NONE }
            }
            Int::Bagged(ask, ty, bag) => {
                let bag = self.bag(bag);
                ask_bag(*ask, *ty, bag)
            }
            Int::BagCount(ty, parts) => {
                let (thing, bag) = (self.int(&parts.0), self.bag(&parts.1));
                let lane = i64::from(thing) - i64::from(ty.lo);
                if (0..i64::from(ty.n)).contains(&lane) { i32::from((bag >> (8 * lane)) as u8) } else { 0 }
            }
            Int::Heap(var, sites) => {
                let sites = self.sites(sites);
                self.heap(*var, sites)
            }
            Int::Fold(fold, loops, body) => self.fold(*fold, loops, body),
            Int::Repeats => self.repeats(false),
            Int::BoardRepeats => self.repeats(true),
            Int::LoopLength => self.loop_length(),
            x => self.inner_int(x),
        }
    }

    fn walk(&self, site: i32, dir: i32, way: u32) -> i32 {
        let n = self.p.ways[way as usize].n;
        self.p.ground.board.walk(site, dir, n)
    }

    fn heap(&mut self, var: u32, sites: Set<W>) -> i32 {
        let (mut left, table) = match self.p.layout.vars[var as usize].store {
            Store::Numbers { above, lo: 0.., .. } => (sites.and(self.set_at(above)), Numbers::Var(var)),
            _ => (sites, Numbers::Var(var)),
        };
        let mut sum = 0;
        loop {
            let site = left.pop();
            if site < 0 {
                return sum;
            }
            sum = number::add(sum, self.number_at(&table, site));
        }
    }

    fn fold(&mut self, fold: IntFold, loops: &Loops<W>, body: &Int<W>) -> i32 {
        if let ([Loop { to, dom: Dom::Steps(walk, set) }], None) = (&loops.loops[..], &loops.filter)
            && let Int::StepPlace(step) = body
            && **step == Int::Slot(*to)
            && fold != IntFold::Count
            && fold != IntFold::Sum
        {
            // Steps come in order, so the least is the first.
            let set = self.sites(set);
            let mut places = walk.sites.iter();
            let found = match fold {
                IntFold::Min => places.position(|&site| set.has(site)),
                _ => places.rposition(|&site| set.has(site)),
            };
            return found.map_or(0, |place| place as i32);
        }
        let mut out = None;
        self.each(loops, 0, &mut |core| {
            if fold == IntFold::Count {
                out = Some(number::add(out.unwrap_or(0), 1));
                return false;
            }
            let value = core.int(body);
            out = Some(match (fold, out) {
                (_, None) => value,
                (IntFold::Min, Some(old)) => value.min(old),
                (IntFold::Max, Some(old)) => value.max(old),
                (_, Some(old)) => number::add(old, value),
            });
            false
        });
        out.unwrap_or(0)
    }

    /// Runs through loops from the `i`th on, until `f` says stop; says whether it did.
    pub fn each(&mut self, loops: &Loops<W>, i: usize, f: &mut dyn FnMut(&mut Self) -> bool) -> bool {
        let Some(name) = loops.loops.get(i) else {
            if let Some(filter) = &loops.filter
                && !self.cond(filter)
            {
                return false;
            }
            return f(self);
        };
        let mut cursor = self.open(&name.dom);
        let limit = self.p.rules.bounds.looks;
        while let Some(code) = cursor.advance(&name.dom, self.p) {
            self.bind_code(name, code);
            if self.each(loops, i + 1, f) {
                return true;
            }
            self.run.looks += 1;
            if self.run.looks > limit {
                let span = self.here();
                self.trouble = Some(Trouble::TooLong { span, what: "looks", limit });
                return true;
            }
        }
        false
    }

    /// Gives a name the member with this code.
    #[inline]
    pub fn bind_code(&mut self, name: &Loop<W>, code: i32) {
        if let Dom::Lines(lines) = &name.dom {
            self.put_set(name.to, lines.all[code as usize]);
        } else {
            self.put(name.to, code as u32 as u64);
        }
    }

    /// Works out what a name runs through.
    pub fn open(&mut self, dom: &Dom<W>) -> Cursor<W> {
        let mut cursor = Cursor::default();
        match dom {
            Dom::Sites(set) => cursor.set = self.sites(set),
            Dom::Steps(walk, set) => cursor = walk.steps_to(self.sites(set)),
            Dom::Going(set, dir) => {
                cursor.set = self.sites(set);
                cursor.b = i64::from(self.int(dir));
            }
            Dom::Mask(mask) => cursor.a = self.mask(mask) as i64,
            Dom::Seats(mask, _) => cursor.a = self.mask(mask) as i64,
            Dom::Bag(ty, bag) => {
                let bytes = self.bag(bag).to_le_bytes();
                for (lane, &n) in bytes.iter().enumerate().take(usize::from(ty.n)) {
                    cursor.a |= i64::from(n > 0) << lane;
                }
            }
            Dom::Range(from, to, span) => {
                cursor.a = i64::from(self.int(from));
                cursor.b = i64::from(self.int(to));
                let limit = self.p.rules.bounds.moves;
                if cursor.b - cursor.a >= limit as i64 {
                    self.trouble = Some(Trouble::TooMany { span: *span, limit });
                    cursor.b = cursor.a - 1;
                }
            }
            Dom::Listed(list) => cursor.b = list.len() as i64,
            Dom::Track(track) => {
                let track = self.int(track);
                if let Some(walk) = usize::try_from(track).ok().and_then(|t| self.p.rules.tracks.get(t)) {
                    cursor.a = i64::from(track) << 16;
                    cursor.b = cursor.a + walk.sites.len() as i64;
                }
            }
            Dom::Lines(lines) => cursor.b = lines.all.len() as i64,
        }
        cursor
    }

    /// The piece on a site: kind and owner.
    #[inline(always)]
    pub fn piece_at(&self, site: i32) -> Option<(i32, i32)> {
        let layout = &self.p.layout;
        if site < 0 || site as usize >= layout.n_sites {
            return None;
        }
        let what = layout.what.get(&self.b, site);
        if what == 0 {
            return None;
        }
        let per = layout.n_seats as i32 + 1;
        let (kind, owner) = ((what - 1) / per, (what - 1) % per);
        Some((kind, if owner == per - 1 { NONE } else { owner }))
    }

    /// The site of a step.
    pub fn step_site(&self, step: i32) -> i32 {
        step_parts(step)
            .and_then(|(track, place)| self.p.rules.tracks.get(track)?.sites.get(place).copied())
            .unwrap_or(NONE)
    }

    fn toward(&self, a: i32, b: i32) -> i32 {
        if a < 0 || b < 0 || a == b {
            return NONE;
        }
        let board = &self.p.ground.board;
        (0..8)
            .find(|&dir| {
                let mut here = board.step(a, dir);
                for _ in 0..self.p.layout.n_sites {
                    if here < 0 || here == b {
                        break;
                    }
                    here = board.step(here, dir);
                }
                here == b
            })
            .unwrap_or(NONE)
    }

    /// A condition.
    pub fn cond(&mut self, x: &Cond<W>) -> bool {
        match x {
            Cond::Const(c) => *c,
            Cond::True(a) => self.int(a) != 0,
            Cond::Not(c) => !self.cond(c),
            Cond::And(parts) => self.cond(&parts.0) && self.cond(&parts.1),
            Cond::Or(parts) => self.cond(&parts.0) || self.cond(&parts.1),
            Cond::Compare(cmp, parts) => {
                let (a, b) = (self.int(&parts.0), self.int(&parts.1));
                match cmp {
                    Cmp::Eq => a == b,
                    Cmp::Ne => a != b,
                    Cmp::Lt => a < b,
                    Cmp::Le => a <= b,
                    Cmp::Gt => a > b,
                    Cmp::Ge => a >= b,
                }
            }
            Cond::SameSites(parts) => self.sites(&parts.0) == self.sites(&parts.1),
            Cond::SameMask(parts) => self.mask(&parts.0) == self.mask(&parts.1),
            Cond::SameBag(parts) => self.bag(&parts.0) == self.bag(&parts.1),
            Cond::In(parts) => {
                let site = self.int(&parts.0);
                match &parts.1 {
                    // A single bit of the block is read without the rest of the set.
                    Sites::Slot(Slot::Word(at)) => {
                        (0..64 * W as i32).contains(&site)
                            && self.b[*at as usize + (site >> 6) as usize] >> (site & 63) & 1 == 1
                    }
                    Sites::Rows(rows) if rows.whole && self.p.switches.has(Switch::Through) => {
                        let of = self.sites(&rows.of);
                        self.in_row(site, rows, of)
                    }
                    set => self.sites(set).has(site),
                }
            }
            Cond::InMask(parts) => bit(self.int(&parts.0)) & self.mask(&parts.1) != 0,
            Cond::InBag(ty, parts) => {
                let thing = self.int(&parts.0);
                bag_of(*ty, thing, 255) & self.bag(&parts.1) != 0
            }
            Cond::Within(parts) => {
                let a = self.sites(&parts.0);
                a.within(&self.sites(&parts.1))
            }
            Cond::WithinMask(parts) => self.mask(&parts.0) & !self.mask(&parts.1) == 0,
            Cond::WithinBag(parts) => {
                let (a, b) = (self.bag(&parts.0), self.bag(&parts.1));
                lanes_less(a, b) == 0
            }
            Cond::Some(set) if let Sites::Rows(rows) = &**set => self.some_row(rows),
            Cond::Some(set) => self.meets_within(self.p.ground.all, set),
            Cond::Meets(meets) => self.meets(meets),
            Cond::SomeMask(mask) => self.mask(mask) != 0,
            Cond::SomeBag(bag) => self.bag(bag) != 0,
            Cond::Any(loops) => match self.any_line(loops) {
                Some(found) => found,
                None => self.each(loops, 0, &mut |_| true),
            },
            Cond::Pick(pick) => self.pick(pick),
            Cond::Stuck => self.stuck(),
            Cond::Unchanged => self.board_key() == self.b[self.p.layout.turn_key as usize],
        }
    }
}

/// Where `turned(site, dir)` leads.
pub fn turned(tables: &[Vec<i32>], site: i32, dir: i32) -> i32 {
    if site < 0 || dir < 0 || dir % 2 == 1 {
        return NONE;
    }
    tables.get(dir as usize / 2).and_then(|table| table.get(site as usize).copied()).unwrap_or(NONE)
}

#[inline(always)]
pub(super) fn read<const W: usize>(words: &[u64], at: u32) -> Set<W> {
    let mut set = Set::EMPTY;
    set.0.copy_from_slice(&words[at as usize..at as usize + W]);
    set
}

#[inline(always)]
fn write<const W: usize>(words: &mut [u64], at: u32, set: Set<W>) {
    words[at as usize..at as usize + W].copy_from_slice(&set.0);
}
