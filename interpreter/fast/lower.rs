//! Compiles expressions. Seats are constants, definitions are written out, what does not depend on the position is worked out
//! now, and what depends on one site, direction or seat alone becomes a table.

use super::ask::uses;
use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::eval::Value;
use super::lift::Lift;
use super::switches::Switch;
use crate::rules::{Expr, ExprKind, LocalId, NONE, Rules, Ty};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an expression depends on: a bit for each name in reach, [`POSITION`] for everything else.
pub type Deps = u64;

/// The position, or names that have no bit of their own.
pub const POSITION: Deps = 1 << 63;

/// A compiled expression and what it depends on.
pub type With<T> = (T, Deps);

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Bound<const W: usize> {
    /// The value, or the slot that holds it.
    pub value: Val<W>,
    /// What it depends on.
    pub deps: Deps,
}

/// The compiler's state.
pub struct Lower<const W: usize> {
    /// What has been compiled so far.
    pub p: Program<W>,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The seat from which things are seen.
    pub seat: i32,
    /// Names in reach.
    pub env: BTreeMap<LocalId, Bound<W>>,
    /// For each bit of [`Deps`]: the slot, and how many codes it can have.
    bits: Vec<(Slot, Option<i32>)>,
    ways: BTreeMap<(i32, i32), u32>,
}

/// Types that expressions are compiled to.
pub trait Low<const W: usize>: Value<W> + Clone {
    /// Compiles.
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self>;
    /// Wraps.
    fn wrap(pick: Pick<Self, W>) -> Self;
    /// A constant.
    fn constant(out: Self::Out) -> Self;
    /// Is it one, or as cheap?
    fn is_leaf(&self) -> bool;
    /// A table by code + 1.
    fn table(values: Vec<Self::Out>, of: Int<W>) -> Option<Self>;
}

impl<const W: usize> Low<W> for Int<W> {
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self> {
        lower.int(e)
    }
    fn wrap(pick: Pick<Self, W>) -> Self {
        Int::Pick(Box::new(pick))
    }
    fn constant(out: i32) -> Self {
        Int::Const(out)
    }
    fn is_leaf(&self) -> bool {
        match self {
            Int::Const(_) | Int::Slot(_) => true,
            Int::Step(_, of) | Int::Lookup(_, of) => matches!(**of, Int::Slot(_)),
            _ => false,
        }
    }
    fn table(values: Vec<i32>, of: Int<W>) -> Option<Self> {
        Some(Int::Lookup(values.into(), Box::new(of)))
    }
}

impl<const W: usize> Low<W> for Cond<W> {
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self> {
        lower.cond(e)
    }
    fn wrap(pick: Pick<Self, W>) -> Self {
        Cond::Pick(Box::new(pick))
    }
    fn constant(out: bool) -> Self {
        Cond::Const(out)
    }
    fn is_leaf(&self) -> bool {
        match self {
            Cond::Const(_) => true,
            Cond::In(parts) => matches!(**parts, (Int::Slot(_), Sites::Const(_))),
            Cond::Not(c) => c.is_leaf(),
            _ => false,
        }
    }
    fn table(values: Vec<bool>, of: Int<W>) -> Option<Self> {
        if values.len() > 64 * W + 1 {
            return None;
        }
        let mut set = Set::EMPTY;
        let nowhere = values[0];
        for (code, _) in values[1..].iter().enumerate().filter(|&(_, &value)| value != nowhere) {
            set.insert(code as i32);
        }
        let inside = Cond::In(Box::new((of, Sites::Const(set))));
        Some(if nowhere { Cond::Not(Box::new(inside)) } else { inside })
    }
}

impl<const W: usize> Low<W> for Sites<W> {
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self> {
        lower.sites(e)
    }
    fn wrap(pick: Pick<Self, W>) -> Self {
        Sites::Pick(Box::new(pick))
    }
    fn constant(out: Set<W>) -> Self {
        Sites::Const(out)
    }
    fn is_leaf(&self) -> bool {
        match self {
            Sites::Const(_) | Sites::Slot(_) => true,
            Sites::Single(a) => a.is_leaf(),
            Sites::Table(_, _, of) => matches!(**of, Int::Slot(_)),
            _ => false,
        }
    }
    fn table(values: Vec<Set<W>>, of: Int<W>) -> Option<Self> {
        Some(Sites::Table(values.into(), Vec::new(), Box::new(of)))
    }
}

impl<const W: usize> Low<W> for Mask<W> {
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self> {
        lower.mask(e)
    }
    fn wrap(pick: Pick<Self, W>) -> Self {
        Mask::Pick(Box::new(pick))
    }
    fn constant(out: u64) -> Self {
        Mask::Const(out)
    }
    fn is_leaf(&self) -> bool {
        match self {
            Mask::Const(_) | Mask::Slot(_) => true,
            Mask::Lookup(_, of) => matches!(**of, Int::Slot(_)),
            _ => false,
        }
    }
    fn table(values: Vec<u64>, of: Int<W>) -> Option<Self> {
        Some(Mask::Lookup(values.into(), Box::new(of)))
    }
}

impl<const W: usize> Low<W> for Bag<W> {
    fn low(lower: &mut Lower<W>, e: &Expr) -> With<Self> {
        lower.bag(e)
    }
    fn wrap(pick: Pick<Self, W>) -> Self {
        Bag::Pick(Box::new(pick))
    }
    fn constant(out: u128) -> Self {
        Bag::Const(out)
    }
    fn is_leaf(&self) -> bool {
        matches!(self, Bag::Const(_) | Bag::Slot(_))
    }
    fn table(_: Vec<u128>, _: Int<W>) -> Option<Self> {
        None
    }
}

impl<const W: usize> Lower<W> {
    /// A compiler for a program that has a board and nothing else yet.
    pub fn new(p: Program<W>) -> Self {
        let mut lower =
            Lower { rules: p.rules.clone(), p, seat: 0, env: BTreeMap::new(), bits: Vec::new(), ways: BTreeMap::new() };
        for dir in 0..8 {
            lower.way(dir, 1);
        }
        lower
    }

    /// Is this optimisation used?
    pub fn uses(&self, switch: Switch) -> bool {
        self.p.switches.has(switch)
    }

    /// What is asked of the member in this slot, for all members at once; none if that is not to be tried.
    pub fn lift(&self, slot: Slot) -> Option<Lift<W>> {
        self.uses(Switch::Lift).then(|| Lift::of(&self.p.layout, slot))
    }

    /// Room for a register.
    pub fn reg(&mut self, words: usize) -> Slot {
        let at = self.p.n_regs as u32;
        self.p.n_regs += words;
        Slot::Reg(at)
    }

    /// Words that a value of a type takes.
    pub fn words(&self, ty: Ty) -> usize {
        match ty {
            Ty::Sites => W,
            Ty::Bag(_) => 2,
            Ty::Table(_) => self.p.layout.n_sites.div_ceil(2),
            _ => 1,
        }
    }

    /// The value that a slot of a type holds.
    pub fn slot_value(&self, slot: Slot, ty: Ty) -> Val<W> {
        match ty {
            Ty::Sites => Val::Set(Sites::Slot(slot)),
            Ty::Bag(_) => Val::Bag(Bag::Slot(slot)),
            Ty::Table(_) => Val::Table(Numbers::Slot(slot)),
            ty if ty.is_mask() => Val::Mask(Mask::Slot(slot)),
            _ => Val::Int(Int::Slot(slot)),
        }
    }

    /// A bit for a name that is kept in a slot.
    pub fn bit_for(&mut self, slot: Slot, ty: Ty) -> Deps {
        if let Some(at) = self.bits.iter().position(|&(old, _)| old == slot) {
            return 1 << at;
        }
        if self.bits.len() >= 62 {
            return POSITION;
        }
        let n = match ty {
            Ty::Site => Some(self.p.layout.n_sites as i32),
            Ty::Dir => Some(8),
            Ty::Player => Some(self.p.layout.n_seats as i32),
            Ty::Kind => Some(self.p.layout.n_kinds as i32),
            Ty::Word(list) => Some(self.rules.words[list as usize].words.len() as i32),
            _ => None,
        };
        self.bits.push((slot, n));
        1 << (self.bits.len() - 1)
    }

    /// Forgets the bits of names that went out of reach.
    fn drop_bits(&mut self, keep: usize) {
        self.bits.truncate(keep);
    }

    /// Binds a local to a fresh register while `f` compiles; what the result says of it is taken out.
    pub fn with_reg<R>(&mut self, local: LocalId, ty: Ty, f: impl FnOnce(&mut Self, Slot) -> With<R>) -> With<R> {
        let words = self.words(ty);
        let slot = self.reg(words);
        let keep = self.bits.len();
        let deps = self.bit_for(slot, ty);
        let value = self.slot_value(slot, ty);
        let old = self.env.insert(local, Bound { value, deps });
        let (out, mut found) = f(self, slot);
        self.unbind(local, old);
        if self.bits.len() > keep {
            found &= !deps;
        }
        self.drop_bits(keep);
        (out, found)
    }

    /// Binds a local to a value while `f` compiles.
    pub fn with_value<R>(&mut self, local: LocalId, bound: Bound<W>, f: impl FnOnce(&mut Self) -> R) -> R {
        let old = self.env.insert(local, bound);
        let out = f(self);
        self.unbind(local, old);
        out
    }

    fn unbind(&mut self, local: LocalId, old: Option<Bound<W>>) {
        match old {
            Some(old) => self.env.insert(local, old),
            None => self.env.remove(&local),
        };
    }

    /// The walk of `n` steps in a direction.
    pub fn way(&mut self, dir: i32, n: i32) -> u32 {
        if let Some(&way) = self.ways.get(&(dir, n)) {
            return way;
        }
        let way = Way::new(&self.p.ground.board, dir, n);
        self.p.ways.push(way);
        let at = self.p.ways.len() as u32 - 1;
        self.ways.insert((dir, n), at);
        at
    }

    /// The walk to the side of a site.
    pub fn side_way(&mut self, dir: i32) -> u32 {
        if let Some(&way) = self.ways.get(&(8 + dir, 0)) {
            return way;
        }
        self.p.ways.push(Way::to_side(&self.p.ground.board, dir));
        let at = self.p.ways.len() as u32 - 1;
        self.ways.insert((8 + dir, 0), at);
        at
    }

    /// Works out what depends on nothing, and makes tables of what depends on one thing.
    pub fn settle<T: Low<W>>(&mut self, (x, deps): With<T>) -> With<T> {
        if x.is_leaf() && deps != 0 {
            return (x, deps);
        }
        if deps == 0 && self.uses(Switch::Fold) {
            let mut core = Core::new(&self.p);
            return (T::constant(x.eval(&mut core)), 0);
        }
        if deps.count_ones() == 1 && deps != POSITION && self.uses(Switch::Table) {
            let (slot, n) = self.bits[deps.trailing_zeros() as usize];
            if let Some(n) = n {
                let mut core = Core::new(&self.p);
                let values = (NONE..n)
                    .map(|code| {
                        core.put(slot, code as u32 as u64);
                        x.eval(&mut core)
                    })
                    .collect();
                if let Some(table) = T::table(values, Int::Slot(slot)) {
                    return (table, deps);
                }
            }
        }
        (x, deps)
    }

    /// A value of any type.
    pub fn value(&mut self, e: &Expr) -> With<Val<W>> {
        match e.ty {
            Ty::Sites => {
                let (x, deps) = self.sites(e);
                (Val::Set(x), deps)
            }
            Ty::Bag(_) => {
                let (x, deps) = self.bag(e);
                (Val::Bag(x), deps)
            }
            Ty::Table(_) => {
                let (x, deps) = self.numbers(e);
                (Val::Table(x), deps)
            }
            ty if ty.is_mask() => {
                let (x, deps) = self.mask(e);
                (Val::Mask(x), deps)
            }
            _ => {
                let (x, deps) = self.int(e);
                (Val::Int(x), deps)
            }
        }
    }

    /// A whole table.
    pub fn numbers(&mut self, e: &Expr) -> With<Numbers<W>> {
        match &e.kind {
            ExprKind::CopyTable(var) => (Numbers::Var(u32::from(*var)), POSITION),
            ExprKind::Local(id) => match self.env.get(id) {
                Some(Bound { value: Val::Table(table), deps }) => (table.clone(), *deps),
                _ => crate::bug!("a table that is not bound"),
            },
            ExprKind::If(c, a, b) => {
                let (c, dc) = self.cond(c);
                let (a, da) = self.numbers(a);
                let (b, db) = self.numbers(b);
                match c {
                    Cond::Const(true) => (a, da),
                    Cond::Const(false) => (b, db),
                    c => (Numbers::Pick(Box::new(Pick::If(c, a, b))), dc | da | db),
                }
            }
            ExprKind::From(p, inner) => {
                let (p, dp) = self.int(p);
                if let Int::Const(seat) = p {
                    return self.seen_from(seat, |lower| lower.numbers(inner));
                }
                let mut deps = dp;
                let mut arms = Vec::new();
                for seat in 0..self.rules.n_seats() as i32 {
                    let (x, d) = self.seen_from(seat, |lower| lower.numbers(inner));
                    deps |= d;
                    arms.push((vec![(seat, seat)], x));
                }
                let (other, d) = self.seen_from(NONE, |lower| lower.numbers(inner));
                (Numbers::Pick(Box::new(Pick::Match(p, arms, other))), deps | d)
            }
            _ => crate::bug!("an expression that cannot be a table"),
        }
    }

    /// Compiles something seen from another seat.
    pub fn seen_from<R>(&mut self, seat: i32, f: impl FnOnce(&mut Self) -> R) -> R {
        let old = std::mem::replace(&mut self.seat, seat);
        let out = f(self);
        self.seat = old;
        out
    }

    /// Ways to get a value that are the same for all types; none if it is not one of them.
    pub fn pick<T: Low<W>>(&mut self, e: &Expr) -> Option<With<T>> {
        let out = match &e.kind {
            ExprKind::If(c, a, b) => {
                let (c, dc) = self.cond(c);
                match c {
                    Cond::Const(true) => T::low(self, a),
                    Cond::Const(false) => T::low(self, b),
                    c => {
                        let (a, da) = T::low(self, a);
                        let (b, db) = T::low(self, b);
                        self.settle((T::wrap(Pick::If(c, a, b)), dc | da | db))
                    }
                }
            }
            ExprKind::Match(on, arms, other) => {
                let (on, mut deps) = self.int(on);
                if let Int::Const(code) = on {
                    let arm = arms.iter().find(|(ranges, _)| ranges.iter().any(|&(lo, hi)| lo <= code && code <= hi));
                    return Some(T::low(self, arm.map_or(other, |(_, arm)| arm)));
                }
                let mut list = Vec::new();
                for (ranges, arm) in arms {
                    let (arm, d) = T::low(self, arm);
                    deps |= d;
                    list.push((ranges.clone(), arm));
                }
                let (other, d) = T::low(self, other);
                self.settle((T::wrap(Pick::Match(on, list, other)), deps | d))
            }
            ExprKind::Let(local, value, body) => {
                self.with_names(vec![(*local, (**value).clone())], body, |lower| T::low(lower, body))
            }
            ExprKind::Call(def, args) => {
                let rules = self.rules.clone();
                let def = &rules.defs[*def as usize];
                let names = def.params.iter().copied().zip(args.iter().cloned()).collect();
                self.with_names(names, &def.body, |lower| T::low(lower, &def.body))
            }
            ExprKind::Otherwise(list) => {
                let mut deps = 0;
                let mut out: Vec<T> = Vec::new();
                for (i, part) in list.iter().enumerate() {
                    let (x, d) = T::low(self, part);
                    deps |= d;
                    out.push(x);
                    if d == 0 && i + 1 < list.len() {
                        let last = out.len() - 1;
                        let value = {
                            let mut core = Core::new(&self.p);
                            out[last].eval(&mut core)
                        };
                        if T::nothing(&value) {
                            out.pop();
                        } else {
                            break;
                        }
                    }
                }
                if out.len() == 1 { (out.remove(0), deps) } else { self.settle((T::wrap(Pick::Otherwise(out)), deps)) }
            }
            ExprKind::From(p, inner) => {
                let (p, dp) = self.int(p);
                if let Int::Const(seat) = p {
                    return Some(self.seen_from(seat, |lower| T::low(lower, inner)));
                }
                let mut deps = dp;
                let mut arms = Vec::new();
                for seat in 0..self.rules.n_seats() as i32 {
                    let (x, d) = self.seen_from(seat, |lower| T::low(lower, inner));
                    deps |= d;
                    arms.push((vec![(seat, seat)], x));
                }
                let (other, d) = self.seen_from(NONE, |lower| T::low(lower, inner));
                self.settle((T::wrap(Pick::Match(p, arms, other)), deps | d))
            }
            _ => return None,
        };
        Some(out)
    }

    /// Binds names to values while a body is compiled: what is cheap or used once is written out, the rest gets a register.
    fn with_names<T: Low<W>>(
        &mut self,
        names: Vec<(LocalId, Expr)>,
        body: &Expr,
        f: impl FnOnce(&mut Self) -> With<T>,
    ) -> With<T> {
        let keep = self.bits.len();
        let mut binds = Vec::new();
        let mut bound_deps = 0;
        let mut values = Vec::new();
        for (local, value) in names {
            let n = uses(body, local);
            if n == 0 {
                continue;
            }
            let (x, deps) = self.value(&value);
            values.push((local, value.ty, x, deps, n));
        }
        let mut own = 0;
        let mut olds = Vec::new();
        for (local, ty, x, deps, n) in values {
            let cheap = n == 1
                || match &x {
                    Val::Int(x) => x.is_leaf(),
                    Val::Mask(x) => x.is_leaf(),
                    Val::Set(x) => x.is_leaf(),
                    Val::Bag(x) => x.is_leaf(),
                    Val::Table(x) => matches!(x, Numbers::Var(_) | Numbers::Slot(_)),
                };
            let bound = if cheap {
                Bound { value: x, deps }
            } else {
                let words = self.words(ty);
                let slot = self.reg(words);
                let bit = self.bit_for(slot, ty);
                if bit != POSITION {
                    own |= bit;
                }
                bound_deps |= deps;
                binds.push(Bind { to: slot, value: x });
                let value = self.slot_value(slot, ty);
                Bound { value, deps: bit }
            };
            olds.push((local, self.env.insert(local, bound)));
        }
        let (out, mut deps) = f(self);
        for (local, old) in olds.into_iter().rev() {
            self.unbind(local, old);
        }
        self.drop_bits(keep);
        if binds.is_empty() || deps == 0 {
            return (out, deps);
        }
        deps &= !own;
        self.settle((T::wrap(Pick::Let(binds, out)), deps | bound_deps))
    }
}
