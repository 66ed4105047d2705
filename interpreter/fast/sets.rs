//! Compiles sets of sites, masks and bags.

use super::bits::Set;
use super::code::*;
use super::eval::bit;
use super::flow::conjuncts;
use super::layout::Store;
use super::lift::{Lift, free_of};
use super::lower::{Low, Lower, POSITION, With};
use super::masks::{members, when};
use super::scalars::{Entry, both};
use super::switches::Switch;
use crate::rules::expr::{Cmp, Fold, SetOp};
use crate::rules::{Expr, ExprKind, NONE, Ty};

impl<const W: usize> Lower<W> {
    fn words_at(&self, at: u32) -> With<Sites<W>> {
        (Sites::Slot(Slot::Word(at)), POSITION)
    }

    /// The sites where a table is above 0.
    fn above(&mut self, table: Numbers<W>) -> Sites<W> {
        if let Numbers::Var(var) = table {
            return match self.p.layout.vars[var as usize].store {
                Store::Numbers { above, .. } => Sites::Slot(Slot::Word(above)),
                _ => Sites::Slot(Slot::Word(self.p.layout.vars[var as usize].base)),
            };
        }
        let Slot::Reg(reg) = self.reg(1) else {
            crate::bug!("a register that is none");
        };
        let at = Int::At(table, Box::new(Int::Slot(Slot::Reg(reg))));
        let above = Cond::Compare(Cmp::Gt, Box::new((at, Int::Const(0))));
        Sites::Filter(reg, Box::new((Sites::Const(self.p.ground.all), above)))
    }

    /// A set of sites.
    pub fn sites(&mut self, e: &Expr) -> With<Sites<W>> {
        if e.ty.is_scalar() {
            let (a, deps) = self.int(e);
            return self.settle((Sites::Single(Box::new(a)), deps));
        }
        if let Ty::Table(_) = e.ty {
            let (table, deps) = self.numbers(e);
            return (self.above(table), deps);
        }
        if let Some(out) = self.pick(e) {
            return out;
        }
        let layout = &self.p.layout;
        let (n_kinds, n_seats, w) = (layout.n_kinds, layout.n_seats, W as u32);
        let (kind0, seat0, empty) = (layout.kind0, layout.seat0, layout.empty);
        let out = match &e.kind {
            ExprKind::ConstSites(set) => return (Sites::Const(Set::from_words(set.words())), 0),
            ExprKind::Local(id) => match self.env.get(id) {
                Some(bound) => match &bound.value {
                    Val::Set(x) => return (x.clone(), bound.deps),
                    _ => crate::bug!("a set that holds no set"),
                },
                None => crate::bug!("the local {} is not bound", id.0),
            },
            ExprKind::Var(var, index) => {
                let n = self.p.layout.vars[usize::from(*var)].n;
                let base = self.p.layout.vars[usize::from(*var)].base;
                let (entry, deps) = self.entry(*var, index.as_deref());
                match entry {
                    Entry::Fixed(at) => (Sites::Slot(Slot::Word(at)), deps),
                    Entry::Nowhere => (Sites::Const(Set::EMPTY), 0),
                    Entry::By(index) => (Sites::Nth(base, n, Box::new(index)), deps),
                }
            }
            ExprKind::Empty => return self.words_at(empty),
            ExprKind::Pieces => (Sites::Not(Box::new(Sites::Slot(Slot::Word(empty)))), POSITION),
            ExprKind::PiecesOf(p) => {
                let (p, _) = self.int(p);
                match p {
                    Int::Const(p) => {
                        let index = if (p as usize) < n_seats { p as u32 } else { n_seats as u32 };
                        return self.words_at(seat0 + index * w);
                    }
                    p => (Sites::OwnedBy(Box::new(p)), POSITION),
                }
            }
            ExprKind::KindSites(k) => {
                let (k, _) = self.int(k);
                match k {
                    Int::Const(k) if (k as usize) < n_kinds => return self.words_at(kind0 + k as u32 * w),
                    Int::Const(_) => (Sites::Const(Set::EMPTY), 0),
                    k => (Sites::Nth(kind0, n_kinds as u32, Box::new(k)), POSITION),
                }
            }
            ExprKind::KindsSites(mask) => {
                let (mask, _) = self.mask(mask);
                match mask {
                    Mask::Const(mask) => {
                        let sets = (0..n_kinds as u32)
                            .filter(|k| mask >> k & 1 == 1)
                            .map(|k| Sites::Slot(Slot::Word(kind0 + k * w)))
                            .collect();
                        (union(sets), POSITION)
                    }
                    mask => (Sites::Kinds(Box::new(mask)), POSITION),
                }
            }
            ExprKind::Labelled(var, word) => {
                let store = self.p.layout.vars[usize::from(*var)].store;
                let base = self.p.layout.vars[usize::from(*var)].base;
                let (word, _) = self.int(word);
                match (store, word) {
                    (Store::Words { sets, n, .. }, Int::Const(word)) if (word as u32) < n => {
                        return self.words_at(sets + word as u32 * w);
                    }
                    (Store::Words { sets, n, .. }, word) => (Sites::Labelled(sets, n, Box::new(word)), POSITION),
                    (Store::Flags, Int::Const(0)) => (Sites::Not(Box::new(Sites::Slot(Slot::Word(base)))), POSITION),
                    (Store::Flags, _) => return self.words_at(base),
                    (_, word) => {
                        let Slot::Reg(reg) = self.reg(1) else {
                            crate::bug!("a register that is none");
                        };
                        let at = Int::At(Numbers::Var(u32::from(*var)), Box::new(Int::Slot(Slot::Reg(reg))));
                        let same = Cond::Compare(Cmp::Eq, Box::new((at, word)));
                        (Sites::Filter(reg, Box::new((Sites::Const(self.p.ground.all), same))), POSITION)
                    }
                }
            }
            ExprKind::Counted(var) => {
                let place = self.p.layout.vars[usize::from(*var)];
                return match place.store {
                    Store::Numbers { above, .. } => self.words_at(above),
                    _ => self.words_at(place.base),
                };
            }
            ExprKind::Single(a) => {
                let (a, deps) = self.int(a);
                match a {
                    Int::Const(site) => (Sites::Const(Set::single(site)), 0),
                    a => (Sites::Single(Box::new(a)), deps),
                }
            }
            ExprKind::Set(op, a, b) => {
                let ((a, da), (b, db)) = (self.sites(a), self.sites(b));
                (self.set_op(*op, a, b), da | db)
            }
            ExprKind::Shift(s, d, n) => {
                let ((s, ds), (d, dd), (n, dn)) = (self.sites(s), self.int(d), self.int(n));
                (self.shifted(s, d, n), ds | dd | dn)
            }
            ExprKind::ShiftAll(s, d, n) => {
                let ((s, ds), (d, dd), (n, dn)) = (self.sites(s), self.mask(d), self.int(n));
                (self.shifted_all(s, d, n), ds | dd | dn)
            }
            ExprKind::Rectangle(a, b) => {
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                (Sites::Rectangle(Box::new((a, b))), da | db)
            }
            ExprKind::StepRange(a, b) => {
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                (Sites::StepRange(Box::new((a, b))), da | db)
            }
            ExprKind::TrackSites(t) => {
                let (t, deps) = self.int(t);
                (Sites::TrackSites(Box::new(t)), deps)
            }
            ExprKind::Filter(local, set, c) => {
                let (set, ds) = self.sites(set);
                let (out, deps) = self.with_reg(*local, Ty::Site, |lower, slot| {
                    let (c, deps) = lower.cond(c);
                    (lower.filtered(slot, set, c), deps)
                });
                (out, ds | deps)
            }
            ExprKind::Comprehend { fold: Fold::Union, binders, filter, body: Some(body) } => {
                self.union_loop(binders, filter.as_deref(), body)
            }
            ExprKind::Spread(local, from, into, limit) => self.spread(*local, from, into, limit.as_deref()),
            other => crate::bug!("not a set of sites: {other:?}"),
        };
        self.settle(out)
    }

    /// The members for which a condition holds, by whole sets if it can be.
    pub fn filtered(&mut self, slot: Slot, set: Sites<W>, c: Cond<W>) -> Sites<W> {
        let mut lift = self.lift(slot);
        let mut lifted = |c: &Cond<W>| lift.as_mut().and_then(|lift| lift.cond(c));
        if let Some(lifted) = lifted(&c) {
            return self.set_op(SetOp::And, set, lifted);
        }
        let Slot::Reg(reg) = slot else {
            crate::bug!("a filter without a register");
        };
        // What can be said of whole sets comes first, so that the rest is asked of fewer sites.
        let mut parts = Vec::new();
        conjuncts(c, &mut parts);
        let (mut set, mut rest) = (set, Cond::Const(true));
        for part in parts {
            match lifted(&part) {
                Some(lifted) => set = self.set_op(SetOp::And, set, lifted),
                None => rest = both(rest, part),
            }
        }
        Sites::Filter(reg, Box::new((set, rest)))
    }

    /// A set operation, left out where it changes nothing.
    pub fn set_op(&self, op: SetOp, a: Sites<W>, b: Sites<W>) -> Sites<W> {
        let all = Sites::Const(self.p.ground.all);
        let none = Sites::Const(Set::EMPTY);
        match op {
            SetOp::And if a == all => b,
            SetOp::And if b == all => a,
            SetOp::And if a == none || b == none => none,
            SetOp::Or | SetOp::Add if a == none => b,
            SetOp::Or | SetOp::Add | SetOp::Minus if b == none => a,
            SetOp::Minus if a == none => none,
            _ => Sites::Op(if op == SetOp::Add { SetOp::Or } else { op }, Box::new((a, b))),
        }
    }

    /// `S + d * n`
    pub fn shifted(&mut self, s: Sites<W>, d: Int<W>, n: Int<W>) -> Sites<W> {
        if let Sites::Single(a) = s {
            return Sites::Single(Box::new(self.walk(*a, d, n)));
        }
        match (&d, &n) {
            (_, Int::Const(0)) => s,
            (Int::Const(d @ 0..8), Int::Const(n)) => Sites::Shift(self.way(*d, *n), Box::new(s)),
            (Int::Const(_), Int::Const(_)) => Sites::Const(Set::EMPTY),
            _ => Sites::ShiftDyn(Box::new((s, d, n))),
        }
    }

    /// `S + D * n`
    fn shifted_all(&mut self, s: Sites<W>, d: Mask<W>, n: Int<W>) -> Sites<W> {
        if let (Int::Const(steps), false) = (&n, matches!(d, Mask::Const(_)))
            && *steps != 0
            && s.is_leaf()
            && let Some(list) = members(&d)
        {
            let moved = list.into_iter().map(|(dir, c)| when(c, self.shifted(s.clone(), Int::Const(dir), n.clone())));
            return union(moved.collect());
        }
        let (Mask::Const(dirs), Int::Const(n)) = (&d, &n) else {
            return Sites::ShiftAll(Box::new((s, d, n)));
        };
        if *dirs == 0 || *n == 0 {
            return if *dirs == 0 { Sites::Const(Set::EMPTY) } else { s };
        }
        let ways: Vec<u32> = (0..8).filter(|d| dirs >> d & 1 == 1).map(|d| self.way(d, *n)).collect();
        match s {
            Sites::Single(a) => {
                let table = around(&self.p.ways, &ways);
                Sites::Table(table.into(), ways, a)
            }
            s if s.is_leaf() => union(ways.iter().map(|&way| Sites::Shift(way, Box::new(s.clone()))).collect()),
            s => {
                let slot = self.reg(W);
                let moved = ways.iter().map(|&way| Sites::Shift(way, Box::new(Sites::Slot(slot)))).collect();
                let bind = Bind { to: slot, value: Val::Set(s) };
                Sites::wrap(Pick::Let(vec![bind], union(moved)))
            }
        }
    }

    fn spread(
        &mut self,
        local: crate::rules::LocalId,
        from: &Expr,
        into: &Expr,
        limit: Option<&Expr>,
    ) -> With<Sites<W>> {
        let (from, df) = self.sites(from);
        let (limit, dl) = match limit {
            Some(limit) => {
                let (limit, dl) = self.int(limit);
                (Some(limit), dl)
            }
            None => (None, 0),
        };
        let (out, deps) = self.with_reg(local, Ty::Site, |lower, slot| {
            let (into, deps) = lower.sites(into);
            if let Some(ray) = lower.as_ray(slot, &from, &into, limit.as_ref()) {
                return (Sites::Ray(Box::new(ray)), deps);
            }
            if lower.uses(Switch::Flood)
                && let Some(flood) = as_flood(slot, &from, &into, limit.as_ref())
            {
                return (Sites::Flood(Box::new(flood)), deps);
            }
            if lower.uses(Switch::Flood)
                && let Some(flood) = lower.as_gated_flood(slot, &from, &into, limit.as_ref())
            {
                return (Sites::Flood(Box::new(flood)), deps);
            }
            let Slot::Reg(reg) = slot else {
                crate::bug!("a spread without a register");
            };
            (Sites::Spread(reg, Box::new((from, into, limit))), deps)
        });
        (out, df | dl | deps)
    }

    /// `spread x from s + d into (x & S) + d up to n` is a ray.
    fn as_ray(&mut self, x: Slot, from: &Sites<W>, into: &Sites<W>, limit: Option<&Int<W>>) -> Option<RayOf<W>> {
        let Sites::Single(start) = from else {
            return None;
        };
        if !self.uses(Switch::Ray) {
            return None;
        }
        let (from, dir) = match &**start {
            Int::Step(way, s) => {
                let way = &self.p.ways[*way as usize];
                (way.n == 1).then_some(((**s).clone(), Int::Const(way.dir)))?
            }
            Int::Go(ways, s, d) => (self.p.ways[ways[0] as usize].n == 1).then_some(((**s).clone(), (**d).clone()))?,
            _ => return None,
        };
        let (set, same) = match into {
            Sites::Shift(way, set) => {
                let way = &self.p.ways[*way as usize];
                (&**set, way.n == 1 && dir == Int::Const(way.dir))
            }
            Sites::ShiftDyn(parts) => (&parts.0, parts.1 == dir && parts.2 == Int::Const(1)),
            _ => return None,
        };
        let over = member_and(x, set)?;
        same.then(|| RayOf { from, dir, over, limit: limit.cloned().unwrap_or(Int::Const(-1)) })
    }

    /// A spread by walks, each from sites of its own: `{x + d for d in D where c}` if it is known for which sites `c` holds.
    fn as_gated_flood(
        &mut self,
        x: Slot,
        from: &Sites<W>,
        into: &Sites<W>,
        limit: Option<&Int<W>>,
    ) -> Option<Flood<W>> {
        let mut lift = self.lift(x)?;
        let (mut walks, mut gates) = (Vec::new(), Vec::new());
        let (into, within) = match into {
            Sites::Op(SetOp::And, parts) if lift.free_sites(&parts.1) => (&parts.0, Some(parts.1.clone())),
            Sites::Op(SetOp::And, parts) if lift.free_sites(&parts.0) => (&parts.1, Some(parts.0.clone())),
            Sites::Op(SetOp::Minus, parts) if lift.free_sites(&parts.1) => {
                (&parts.0, Some(Sites::Not(Box::new(parts.1.clone()))))
            }
            into => (into, None),
        };
        gated(x, &mut lift, into, Sites::Const(self.p.ground.all), &mut walks, &mut gates)?;
        let few = walks.len() <= super::evalsets::MOST_GATES;
        few.then(|| Flood { from: from.clone(), walks, gates, within, via: None, limit: limit.cloned() })
    }

    /// A mask.
    pub fn mask(&mut self, e: &Expr) -> With<Mask<W>> {
        if e.ty.is_scalar() {
            let (a, deps) = self.int(e);
            return self.settle((Mask::Single(Box::new(a)), deps));
        }
        if let Some(out) = self.pick(e) {
            return out;
        }
        let out = match &e.kind {
            ExprKind::ConstMask(mask) => return (Mask::Const(*mask), 0),
            ExprKind::Local(id) => match self.env.get(id) {
                Some(bound) => match &bound.value {
                    Val::Mask(x) => return (x.clone(), bound.deps),
                    _ => crate::bug!("a mask that holds no mask"),
                },
                None => crate::bug!("the local {} is not bound", id.0),
            },
            ExprKind::Var(var, index) => {
                let (entry, deps) = self.entry(*var, index.as_deref());
                match entry {
                    Entry::Fixed(at) => (Mask::Slot(Slot::Word(at)), deps),
                    Entry::Nowhere => (Mask::Const(0), 0),
                    Entry::By(index) => (Mask::Entry(u32::from(*var), Box::new(index)), deps),
                }
            }
            ExprKind::Resigned => return (Mask::Slot(Slot::Word(self.p.layout.resigned)), POSITION),
            ExprKind::Single(a) => {
                let (a, deps) = self.int(a);
                (Mask::Single(Box::new(a)), deps)
            }
            ExprKind::Set(op, a, b) => {
                let ((a, da), (b, db)) = (self.mask(a), self.mask(b));
                (Mask::Op(*op, Box::new((a, b))), da | db)
            }
            ExprKind::Filter(local, set, c) => {
                let (set, ds) = self.mask(set);
                let ty = member_type(e.ty);
                if let Mask::Const(set) = set {
                    let mut deps = 0;
                    let mut out = Mask::Const(0);
                    for code in (0..64).filter(|code| set >> code & 1 == 1) {
                        let (c, d) = self.with_code(*local, code, |lower| lower.cond(c));
                        deps |= d;
                        let one = match c {
                            Cond::Const(false) => continue,
                            Cond::Const(true) => Mask::Const(bit(code)),
                            c => Mask::wrap(Pick::If(c, Mask::Const(bit(code)), Mask::Const(0))),
                        };
                        out = match (out, one) {
                            (Mask::Const(a), Mask::Const(b)) => Mask::Const(a | b),
                            (Mask::Const(0), b) => b,
                            (a, b) => Mask::Op(SetOp::Or, Box::new((a, b))),
                        };
                    }
                    return self.settle((out, deps));
                }
                let (out, deps) = self.with_reg(*local, ty, |lower, slot| {
                    let (c, deps) = lower.cond(c);
                    let Slot::Reg(reg) = slot else {
                        crate::bug!("a filter without a register");
                    };
                    (Mask::Filter(reg, Box::new((set, c))), deps)
                });
                (out, ds | deps)
            }
            ExprKind::Comprehend { fold: Fold::Union, binders, filter, body: Some(body) } => {
                self.loops(binders, filter.as_deref(), |lower, loops| {
                    if body.ty.is_mask() {
                        let (body, deps) = lower.mask(body);
                        (Mask::Union(Box::new(loops), Box::new(body)), deps)
                    } else {
                        let (body, deps) = lower.int(body);
                        (Mask::Collect(Box::new(loops), Box::new(body)), deps)
                    }
                })
            }
            other => crate::bug!("not a mask: {other:?}"),
        };
        self.settle(out)
    }

    /// A bag.
    pub fn bag(&mut self, e: &Expr) -> With<Bag<W>> {
        if let Some(out) = self.pick(e) {
            return out;
        }
        let Ty::Bag(ty) = e.ty else {
            crate::bug!("a bag that is none: {:?}", e.kind);
        };
        let out = match &e.kind {
            ExprKind::ConstBag(counts) => {
                let bag =
                    counts.iter().take(16).enumerate().fold(0, |bag, (lane, &n)| bag | u128::from(n) << (8 * lane));
                return (Bag::Const(bag), 0);
            }
            ExprKind::Local(id) => match self.env.get(id) {
                Some(bound) => match &bound.value {
                    Val::Bag(x) => return (x.clone(), bound.deps),
                    _ => crate::bug!("a bag that holds no bag"),
                },
                None => crate::bug!("the local {} is not bound", id.0),
            },
            ExprKind::Var(var, index) => {
                let (entry, deps) = self.entry(*var, index.as_deref());
                match entry {
                    Entry::Fixed(at) => (Bag::Slot(Slot::Word(at)), deps),
                    Entry::Nowhere => (Bag::Const(0), 0),
                    Entry::By(index) => (Bag::Entry(u32::from(*var), Box::new(index)), deps),
                }
            }
            ExprKind::Single(a) => {
                let (a, deps) = self.int(a);
                (Bag::Single(ty, Box::new(a)), deps)
            }
            ExprKind::Set(op, a, b) => {
                let ((a, da), (b, db)) = (self.bag(a), self.bag(b));
                (Bag::Op(*op, Box::new((a, b))), da | db)
            }
            ExprKind::Rebag(a) => {
                let Ty::Bag(from) = a.ty else {
                    crate::bug!("a bag that is none");
                };
                let (a, deps) = self.bag(a);
                (Bag::Rebag(from, ty, Box::new(a)), deps)
            }
            ExprKind::BagRange(a, b) => {
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                (Bag::Range(ty, Box::new((a, b))), da | db)
            }
            ExprKind::Filter(local, set, c) => {
                let (set, ds) = self.bag(set);
                let (out, deps) = self.with_reg(*local, member_type(e.ty), |lower, slot| {
                    let (c, deps) = lower.cond(c);
                    let Slot::Reg(reg) = slot else {
                        crate::bug!("a filter without a register");
                    };
                    (Bag::Filter(ty, reg, Box::new((set, c))), deps)
                });
                (out, ds | deps)
            }
            other => crate::bug!("not a bag: {other:?}"),
        };
        self.settle(out)
    }

    /// Binds a local to a constant scalar while `f` compiles.
    pub fn with_code<R>(&mut self, local: crate::rules::LocalId, code: i32, f: impl FnOnce(&mut Self) -> R) -> R {
        let bound = super::lower::Bound { value: Val::Int(Int::Const(code)), deps: 0 };
        self.with_value(local, bound, f)
    }
}

/// The type of a member of a set.
pub fn member_type(ty: Ty) -> Ty {
    match ty {
        Ty::Sites => Ty::Site,
        Ty::Dirs => Ty::Dir,
        Ty::Players => Ty::Player,
        Ty::Kinds => Ty::Kind,
        Ty::Words(list) => Ty::Word(list),
        Ty::Bag(bag) if bag.kinds => Ty::Kind,
        _ => Ty::Int,
    }
}

/// All together.
pub fn union<const W: usize>(list: Vec<Sites<W>>) -> Sites<W> {
    list.into_iter().reduce(|a, b| Sites::Op(SetOp::Or, Box::new((a, b)))).unwrap_or(Sites::Const(Set::EMPTY))
}

/// The sites that some walks lead to, by site + 1.
pub fn around<const W: usize>(ways: &[Way<W>], list: &[u32]) -> Vec<Set<W>> {
    let n = ways[0].to.len();
    (0..n)
        .map(|i| {
            let mut set = Set::EMPTY;
            for &way in list {
                set.insert(if i == 0 { NONE } else { ways[way as usize].to[i] });
            }
            set
        })
        .collect()
}

/// Of `x & S`: `S`, if it does not depend on `x`. Of `x` alone: everything.
fn member_and<const W: usize>(x: Slot, set: &Sites<W>) -> Option<Sites<W>> {
    let is_x = |set: &Sites<W>| matches!(set, Sites::Single(a) if **a == Int::Slot(x));
    match set {
        Sites::Op(SetOp::And, parts) => {
            let other = if is_x(&parts.0) {
                &parts.1
            } else if is_x(&parts.1) {
                &parts.0
            } else {
                return None;
            };
            free_of(x, other).then(|| other.clone())
        }
        _ => None,
    }
}

/// `x + D & S` and `(x & S) + D` are fills.
fn as_flood<const W: usize>(x: Slot, from: &Sites<W>, into: &Sites<W>, limit: Option<&Int<W>>) -> Option<Flood<W>> {
    let walks_from_x = |set: &Sites<W>| -> Option<Vec<u32>> {
        match set {
            Sites::Table(_, ways, of) if !ways.is_empty() && **of == Int::Slot(x) => Some(ways.clone()),
            Sites::Single(a) => match &**a {
                Int::Step(way, s) if **s == Int::Slot(x) => Some(vec![*way]),
                _ => None,
            },
            _ => None,
        }
    };
    let flood = |walks, within, via| {
        Some(Flood { from: from.clone(), walks, gates: Vec::new(), within, via, limit: limit.cloned() })
    };
    if let Some(walks) = walks_from_x(into) {
        return flood(walks, None, None);
    }
    match into {
        Sites::Op(SetOp::And, parts) => {
            for (a, b) in [(&parts.0, &parts.1), (&parts.1, &parts.0)] {
                if let Some(walks) = walks_from_x(a)
                    && free_of(x, b)
                {
                    return flood(walks, Some(b.clone()), None);
                }
            }
            None
        }
        Sites::Op(SetOp::Minus, parts) => {
            let walks = walks_from_x(&parts.0)?;
            free_of(x, &parts.1).then_some(())?;
            flood(walks, Some(Sites::Not(Box::new(parts.1.clone()))), None)
        }
        Sites::Shift(way, set) => flood(vec![*way], None, Some(member_and(x, set)?)),
        Sites::Pick(pick) => match &**pick {
            // `(x & S) + D` with S & x in a register of its own.
            Pick::Let(binds, body) => {
                let [Bind { to, value: Val::Set(set) }] = &binds[..] else {
                    return None;
                };
                let via = member_and(x, set)?;
                let mut walks = Vec::new();
                shifts_of(*to, body, &mut walks).then_some(())?;
                flood(walks, None, Some(via))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The walks of a spread, and the sites from which each may be gone; none if it is not made of such walks.
fn gated<const W: usize>(
    x: Slot,
    lift: &mut Lift<W>,
    into: &Sites<W>,
    gate: Sites<W>,
    walks: &mut Vec<u32>,
    gates: &mut Vec<Sites<W>>,
) -> Option<()> {
    match into {
        Sites::Op(SetOp::Or | SetOp::Add, parts) => {
            gated(x, lift, &parts.0, gate.clone(), walks, gates)?;
            gated(x, lift, &parts.1, gate, walks, gates)
        }
        Sites::Pick(pick) => match &**pick {
            Pick::If(c, into, Sites::Const(none)) if none.is_empty() => {
                let c = lift.cond(c)?;
                gated(x, lift, into, Sites::Op(SetOp::And, Box::new((gate, c))), walks, gates)
            }
            _ => None,
        },
        Sites::Single(site) => match &**site {
            Int::Step(way, of) if **of == Int::Slot(x) => {
                walks.push(*way);
                gates.push(gate);
                Some(())
            }
            _ => None,
        },
        Sites::Table(_, ways, of) if !ways.is_empty() && **of == Int::Slot(x) => {
            for &way in ways {
                walks.push(way);
                gates.push(gate.clone());
            }
            Some(())
        }
        _ => None,
    }
}

/// Is this a union of a slot's set moved by walks?
pub fn shifts_of<const W: usize>(slot: Slot, set: &Sites<W>, walks: &mut Vec<u32>) -> bool {
    match set {
        Sites::Op(SetOp::Or, parts) => shifts_of(slot, &parts.0, walks) && shifts_of(slot, &parts.1, walks),
        Sites::Shift(way, set) if **set == Sites::Slot(slot) => {
            walks.push(*way);
            true
        }
        _ => false,
    }
}
