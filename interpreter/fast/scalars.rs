//! Compiles scalars and conditions.

use super::code::*;
use super::layout::Store;
use super::lower::{Low, Lower, POSITION, With};
use crate::rules::expr::{Cmp, Fold, SetOp};
use crate::rules::{Expr, ExprKind, NONE, PerWhat, Ty};

/// Where a variable's entry is to be found.
pub enum Entry<const W: usize> {
    /// At this word.
    Fixed(u32),
    /// There is no such entry.
    Nowhere,
    /// By an index known in play.
    By(Int<W>),
}

impl<const W: usize> Lower<W> {
    /// The entry of a variable that is not a table.
    pub fn entry(&mut self, var: u16, index: Option<&Expr>) -> With<Entry<W>> {
        let place = self.p.layout.vars[usize::from(var)];
        let (index, deps) = match index {
            None => (Int::Const(0), 0),
            Some(index) => self.int(index),
        };
        let entry = match index {
            Int::Const(i) if (i as u32) < place.n => Entry::Fixed(place.base + i as u32 * place.stride),
            Int::Const(_) => return (Entry::Nowhere, 0),
            index => Entry::By(index),
        };
        (entry, deps | POSITION)
    }

    fn is_table(&self, var: u16) -> bool {
        self.rules.vars[usize::from(var)].per == PerWhat::Site
    }

    /// A scalar.
    pub fn int(&mut self, e: &Expr) -> With<Int<W>> {
        if let Some(out) = self.pick(e) {
            return out;
        }
        let layout = &self.p.layout;
        let word = |at: u32| (Int::Slot(Slot::Word(at)), POSITION);
        let out = match &e.kind {
            ExprKind::Const(code) => return (Int::Const(*code), 0),
            ExprKind::Local(id) => match self.env.get(id) {
                Some(bound) => match &bound.value {
                    Val::Int(x) => return (x.clone(), bound.deps),
                    _ => crate::bug!("a scalar that holds no scalar"),
                },
                None => crate::bug!("the local {} is not bound", id.0),
            },
            ExprKind::LocalAt(id, site) => {
                let (table, dt) = match self.env.get(id) {
                    Some(bound) => match &bound.value {
                        Val::Table(table) => (table.clone(), bound.deps),
                        _ => crate::bug!("a table that holds no table"),
                    },
                    None => crate::bug!("the local {} is not bound", id.0),
                };
                let (site, ds) = self.int(site);
                (Int::At(table, Box::new(site)), dt | ds)
            }
            ExprKind::Var(var, index) if self.is_table(*var) => {
                let site = index.as_ref().map(|index| self.int(index));
                let (site, _) = site.unwrap_or((Int::Const(NONE), 0));
                (Int::At(Numbers::Var(u32::from(*var)), Box::new(site)), POSITION)
            }
            ExprKind::Var(var, index) => {
                let zero = layout.vars[usize::from(*var)].zero;
                let (entry, deps) = self.entry(*var, index.as_deref());
                match entry {
                    Entry::Fixed(at) => (Int::Slot(Slot::Word(at)), deps),
                    Entry::Nowhere => (Int::Const(zero), 0),
                    Entry::By(index) => (Int::Entry(u32::from(*var), Box::new(index)), deps),
                }
            }
            ExprKind::Mover => return (Int::Const(self.seat), 0),
            ExprKind::Next => word(layout.next),
            ExprKind::Turns => word(layout.turns),
            ExprKind::Games => word(layout.games),
            ExprKind::OtherSeat(p) => {
                let (p, deps) = self.int(p);
                (Int::Lookup([NONE, 1, 0].into(), Box::new(p)), deps)
            }
            ExprKind::Repeats => (Int::Repeats, POSITION),
            ExprKind::BoardRepeats => (Int::BoardRepeats, POSITION),
            ExprKind::LoopLength => (Int::LoopLength, POSITION),
            ExprKind::Arith(op, a, b) => {
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                (Int::Arith(*op, Box::new((a, b))), da | db)
            }
            ExprKind::Negate(a) => self.int_of(a, Int::Negate),
            ExprKind::Abs(a) => self.int_of(a, Int::Abs),
            ExprKind::Least(list) => {
                let (list, deps) = self.ints(list);
                (Int::Least(list), deps)
            }
            ExprKind::Greatest(list) => {
                let (list, deps) = self.ints(list);
                (Int::Greatest(list), deps)
            }
            ExprKind::Walk(s, d, n) => {
                let ((s, ds), (d, dd), (n, dn)) = (self.int(s), self.int(d), self.int(n));
                (self.walk(s, d, n), ds | dd | dn)
            }
            ExprKind::Facing(turn) => {
                let facing = match usize::try_from(self.seat) {
                    Ok(seat) => self.rules.seats[seat].facing,
                    Err(_) => NONE,
                };
                let dir = if facing < 0 { NONE } else { (facing + turn).rem_euclid(8) };
                return (Int::Const(dir), 0);
            }
            ExprKind::Opposite(d) => self.int_of(d, Int::Opposite),
            ExprKind::Toward(a, b) => self.int_of_two(a, b, Int::Toward),
            ExprKind::XAt(s) => {
                let table = self.by_site(0, |site| site.x);
                self.int_of(s, |s| Int::Lookup(table, s))
            }
            ExprKind::YAt(s) => {
                let table = self.by_site(0, |site| site.y);
                self.int_of(s, |s| Int::Lookup(table, s))
            }
            ExprKind::KindAt(s) => {
                let (s, _) = self.int(s);
                (Int::KindAt(Box::new(s)), POSITION)
            }
            ExprKind::HeightAt(s) => {
                let (s, _) = self.int(s);
                (Int::HeightAt(Box::new(s)), POSITION)
            }
            ExprKind::OwnerAt(s) => {
                let (s, _) = self.int(s);
                (Int::OwnerAt(Box::new(s)), POSITION)
            }
            ExprKind::Turned(s, d) => self.int_of_two(s, d, Int::Turned),
            ExprKind::Side(s, d) => match d.as_const() {
                Some(d @ 0..8) => {
                    let way = self.side_way(d);
                    self.int_of(s, |s| Int::Step(way, s))
                }
                Some(_) => return (Int::Const(NONE), 0),
                None => self.int_of_two(s, d, Int::Side),
            },
            ExprKind::Mirrored(s) => {
                let mut table = vec![NONE];
                table.extend_from_slice(&self.rules.board.mirrored);
                self.int_of(s, |s| Int::Lookup(table.into(), s))
            }
            ExprKind::StepOn(a, b) => self.int_of_two(a, b, Int::StepOn),
            ExprKind::StepPlace(s) => self.int_of(s, Int::StepPlace),
            ExprKind::StepSite(s) => self.int_of(s, Int::StepSite),
            ExprKind::SiteStep(a, b) => self.int_of_two(a, b, Int::SiteStep),
            ExprKind::TrackOf(list) => {
                let seat = usize::try_from(self.seat).unwrap_or(0);
                let track = list.get(seat).or(list.first()).copied();
                return (Int::Const(track.map_or(NONE, |track| track as i32)), 0);
            }
            ExprKind::TrackStart(t) => self.int_of(t, Int::TrackStart),
            ExprKind::Count(s) => match s.ty {
                Ty::Sites => {
                    let (s, deps) = self.sites(s);
                    (Int::Count(Box::new(s)), deps)
                }
                Ty::Bag(ty) => {
                    let (s, deps) = self.bag(s);
                    (Int::Bagged(BagAsk::Count, ty, Box::new(s)), deps)
                }
                _ => {
                    let (s, deps) = self.mask(s);
                    (Int::CountMask(Box::new(s)), deps)
                }
            },
            ExprKind::The(s) => match s.ty {
                Ty::Sites => {
                    let (s, deps) = self.sites(s);
                    if let Sites::Single(a) = s {
                        return (*a, deps);
                    }
                    (Int::The(Box::new(s)), deps)
                }
                Ty::Bag(ty) => {
                    let (s, deps) = self.bag(s);
                    (Int::Bagged(BagAsk::The, ty, Box::new(s)), deps)
                }
                _ => {
                    let (s, deps) = self.mask(s);
                    (Int::TheMask(Box::new(s)), deps)
                }
            },
            ExprKind::BagSum(b) => self.ask_of_bag(BagAsk::Sum, b),
            ExprKind::BagMin(b) => self.ask_of_bag(BagAsk::Min, b),
            ExprKind::BagMax(b) => self.ask_of_bag(BagAsk::Max, b),
            ExprKind::BagCount(b, thing) => {
                // The bag and the thing may come in either order; the types tell.
                let (bag, thing) = if matches!(b.ty, Ty::Bag(_)) { (b, thing) } else { (thing, b) };
                let Ty::Bag(ty) = bag.ty else {
                    crate::bug!("a bag that is none");
                };
                let ((bag, db), (thing, dt)) = (self.bag(bag), self.int(thing));
                (Int::BagCount(ty, Box::new((thing, bag))), db | dt)
            }
            ExprKind::Comprehend { fold, binders, filter, body } if !matches!(fold, Fold::Any | Fold::Union) => {
                self.number_loop(*fold, binders, filter.as_deref(), body.as_deref())
            }
            _ if e.ty == Ty::Bool => {
                let (c, deps) = self.cond(e);
                match c {
                    Cond::True(x) => return (x, deps),
                    c => (Int::Bool(Box::new(c)), deps),
                }
            }
            other => crate::bug!("not a scalar: {other:?}"),
        };
        self.settle(out)
    }

    fn int_of(&mut self, a: &Expr, make: impl FnOnce(Box<Int<W>>) -> Int<W>) -> With<Int<W>> {
        let (a, deps) = self.int(a);
        (make(Box::new(a)), deps)
    }

    fn int_of_two(&mut self, a: &Expr, b: &Expr, make: impl FnOnce(Box<(Int<W>, Int<W>)>) -> Int<W>) -> With<Int<W>> {
        let ((a, da), (b, db)) = (self.int(a), self.int(b));
        (make(Box::new((a, b))), da | db)
    }

    fn ints(&mut self, list: &[Expr]) -> With<Vec<Int<W>>> {
        let mut deps = 0;
        let list = list
            .iter()
            .map(|e| {
                let (x, d) = self.int(e);
                deps |= d;
                x
            })
            .collect();
        (list, deps)
    }

    fn ask_of_bag(&mut self, ask: BagAsk, bag: &Expr) -> With<Int<W>> {
        let Ty::Bag(ty) = bag.ty else {
            crate::bug!("a bag that is none");
        };
        let (bag, deps) = self.bag(bag);
        (Int::Bagged(ask, ty, Box::new(bag)), deps)
    }

    fn by_site(&self, nowhere: i32, f: impl Fn(&crate::rules::Site) -> i32) -> std::sync::Arc<[i32]> {
        let mut table = vec![nowhere];
        table.extend(self.rules.board.sites.iter().map(f));
        table.into()
    }

    /// `s + d * n`, as cheap as it can be.
    pub fn walk(&mut self, s: Int<W>, d: Int<W>, n: Int<W>) -> Int<W> {
        match (&d, &n) {
            (_, Int::Const(0)) => s,
            (Int::Const(d @ 0..8), Int::Const(n)) => Int::Step(self.way(*d, *n), Box::new(s)),
            (Int::Const(d), Int::Const(_)) if *d < 0 => Int::Const(NONE),
            (_, Int::Const(n)) => {
                let ways = std::array::from_fn(|dir| self.way(dir as i32, *n));
                Int::Go(ways, Box::new(s), Box::new(d))
            }
            _ => Int::Walk(Box::new((s, d, n))),
        }
    }

    /// A condition.
    pub fn cond(&mut self, e: &Expr) -> With<Cond<W>> {
        if let Some(out) = self.pick(e) {
            return out;
        }
        let out = match &e.kind {
            ExprKind::Const(code) => return (Cond::Const(*code != 0), 0),
            ExprKind::Not(c) => {
                let (c, deps) = self.cond(c);
                (negate(c), deps)
            }
            ExprKind::And(a, b) => {
                let (a, da) = self.cond(a);
                if a == Cond::Const(false) {
                    return (a, 0);
                }
                let (b, db) = self.cond(b);
                (both(a, b), da | db)
            }
            ExprKind::Or(a, b) => {
                let (a, da) = self.cond(a);
                if a == Cond::Const(true) {
                    return (a, 0);
                }
                let (b, db) = self.cond(b);
                (either(a, b), da | db)
            }
            ExprKind::Compare(cmp, a, b) => {
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                (self.compare(*cmp, a, b), da | db)
            }
            ExprKind::SameSet(a, b) => match a.ty {
                Ty::Sites => {
                    let ((a, da), (b, db)) = (self.sites(a), self.sites(b));
                    (Cond::SameSites(Box::new((a, b))), da | db)
                }
                Ty::Bag(_) => {
                    let ((a, da), (b, db)) = (self.bag(a), self.bag(b));
                    (Cond::SameBag(Box::new((a, b))), da | db)
                }
                _ => {
                    let ((a, da), (b, db)) = (self.mask(a), self.mask(b));
                    (Cond::SameMask(Box::new((a, b))), da | db)
                }
            },
            ExprKind::In(a, set) => {
                let (a, da) = self.int(a);
                match set.ty {
                    Ty::Sites | Ty::Site | Ty::Table(_) => {
                        let (set, ds) = self.sites(set);
                        (is_in(a, set), da | ds)
                    }
                    Ty::Bag(ty) => {
                        let (set, ds) = self.bag(set);
                        (Cond::InBag(ty, Box::new((a, set))), da | ds)
                    }
                    _ => {
                        let (set, ds) = self.mask(set);
                        (Cond::InMask(Box::new((a, set))), da | ds)
                    }
                }
            }
            ExprKind::InRange(a, lo, hi) => {
                let (a, da) = self.int(a);
                let ((lo, dl), (hi, dh)) = (self.int(lo), self.int(hi));
                let between = |a: Int<W>| {
                    both(
                        Cond::Compare(Cmp::Ge, Box::new((a.clone(), lo.clone()))),
                        Cond::Compare(Cmp::Le, Box::new((a, hi.clone()))),
                    )
                };
                let c = if a.is_leaf() {
                    between(a)
                } else {
                    let slot = self.reg(1);
                    let bind = Bind { to: slot, value: Val::Int(a) };
                    Cond::wrap(Pick::Let(vec![bind], between(Int::Slot(slot))))
                };
                (c, da | dl | dh)
            }
            ExprKind::Within(a, b) => match a.ty {
                Ty::Sites => {
                    let ((a, da), (b, db)) = (self.sites(a), self.sites(b));
                    (Cond::Within(Box::new((a, b))), da | db)
                }
                Ty::Bag(_) => {
                    let ((a, da), (b, db)) = (self.bag(a), self.bag(b));
                    (Cond::WithinBag(Box::new((a, b))), da | db)
                }
                _ => {
                    let ((a, da), (b, db)) = (self.mask(a), self.mask(b));
                    (Cond::WithinMask(Box::new((a, b))), da | db)
                }
            },
            ExprKind::Some(s) => match s.ty {
                Ty::Sites | Ty::Table(_) => {
                    let (s, deps) = self.sites(s);
                    (self.meeting(some(s)), deps)
                }
                Ty::Bag(_) => {
                    let (s, deps) = self.bag(s);
                    (Cond::SomeBag(Box::new(s)), deps)
                }
                ty if ty.is_scalar() => {
                    let (s, deps) = self.int(s);
                    (Cond::Compare(Cmp::Ne, Box::new((s, Int::Const(NONE)))), deps)
                }
                _ => {
                    let (s, deps) = self.mask(s);
                    (Cond::SomeMask(Box::new(s)), deps)
                }
            },
            ExprKind::Comprehend { fold: Fold::Any, binders, filter, .. } => self.any_loop(binders, filter.as_deref()),
            ExprKind::Stuck => (Cond::Stuck, POSITION),
            ExprKind::Unchanged => (Cond::Unchanged, POSITION),
            ExprKind::Var(var, Some(index)) if self.is_table(*var) => {
                let place = self.p.layout.vars[usize::from(*var)];
                let (site, _) = self.int(index);
                match place.store {
                    Store::Flags => (is_in(site, Sites::Slot(Slot::Word(place.base))), POSITION),
                    _ => (Cond::True(Int::At(Numbers::Var(u32::from(*var)), Box::new(site))), POSITION),
                }
            }
            ExprKind::Local(_) | ExprKind::LocalAt(..) | ExprKind::Var(..) => {
                let (x, deps) = self.int(e);
                match x {
                    Int::Const(code) => (Cond::Const(code != 0), 0),
                    Int::Bool(c) => (*c, deps),
                    x => (Cond::True(x), deps),
                }
            }
            other => crate::bug!("not a condition: {other:?}"),
        };
        self.settle(out)
    }

    /// A comparison, as a question about sets where it is one.
    fn compare(&mut self, cmp: Cmp, a: Int<W>, b: Int<W>) -> Cond<W> {
        let layout = &self.p.layout;
        let slot = |at: u32| Sites::Slot(Slot::Word(at));
        let (a, b, cmp) = match (&a, cmp) {
            (Int::Const(_), Cmp::Eq | Cmp::Ne) => (b, a, cmp),
            _ => (a, b, cmp),
        };
        let found = match (&a, &b, cmp) {
            (Int::KindAt(s), Int::Const(k), Cmp::Eq | Cmp::Ne) if (*k as usize) < layout.n_kinds => {
                Some(is_in((**s).clone(), slot(layout.kind0 + *k as u32 * W as u32)))
            }
            (Int::OwnerAt(s), Int::Const(p), Cmp::Eq | Cmp::Ne) if (*p as usize) < layout.n_seats => {
                Some(is_in((**s).clone(), slot(layout.seat0 + *p as u32 * W as u32)))
            }
            (Int::At(Numbers::Var(var), s), Int::Const(code), _) => {
                match (layout.vars[*var as usize].store, cmp, *code) {
                    (Store::Words { sets, n, .. }, Cmp::Eq | Cmp::Ne, 1..) if (*code as u32) < n => {
                        Some(is_in((**s).clone(), slot(sets + *code as u32 * W as u32)))
                    }
                    (Store::Numbers { above, .. }, Cmp::Gt, 0) | (Store::Numbers { above, .. }, Cmp::Ge, 1) => {
                        Some(is_in((**s).clone(), slot(above)))
                    }
                    (Store::Numbers { above, .. }, Cmp::Le, 0) | (Store::Numbers { above, .. }, Cmp::Lt, 1) => {
                        Some(negate(is_in((**s).clone(), slot(above))))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        match (found, cmp) {
            (Some(c), Cmp::Ne) => negate(c),
            (Some(c), _) => c,
            (None, _) => Cond::Compare(cmp, Box::new((a, b))),
        }
    }
}

/// Not.
pub fn negate<const W: usize>(c: Cond<W>) -> Cond<W> {
    match c {
        Cond::Const(c) => Cond::Const(!c),
        Cond::Not(c) => *c,
        c => Cond::Not(Box::new(c)),
    }
}

/// And.
pub fn both<const W: usize>(a: Cond<W>, b: Cond<W>) -> Cond<W> {
    match (a, b) {
        (Cond::Const(true), c) | (c, Cond::Const(true)) => c,
        (Cond::Const(false), _) | (_, Cond::Const(false)) => Cond::Const(false),
        (a, b) => Cond::And(Box::new((a, b))),
    }
}

/// Or.
pub fn either<const W: usize>(a: Cond<W>, b: Cond<W>) -> Cond<W> {
    match (a, b) {
        (Cond::Const(false), c) | (c, Cond::Const(false)) => c,
        (Cond::Const(true), _) | (_, Cond::Const(true)) => Cond::Const(true),
        (a, b) => Cond::Or(Box::new((a, b))),
    }
}

/// A site in sites: set operations become conditions if the site is cheap to have.
pub fn is_in<const W: usize>(site: Int<W>, set: Sites<W>) -> Cond<W> {
    let cheap = site.is_leaf() || matches!(&site, Int::Go(_, s, d) if s.is_leaf() && d.is_leaf());
    match set {
        Sites::Const(set) if set.is_empty() => Cond::Const(false),
        Sites::Op(op, parts) if cheap => {
            let a = is_in(site.clone(), parts.0);
            let b = is_in(site, parts.1);
            match op {
                SetOp::And => both(a, b),
                SetOp::Or | SetOp::Add => either(a, b),
                SetOp::Minus => both(a, negate(b)),
            }
        }
        set => Cond::In(Box::new((site, set))),
    }
}

/// Is there one? Of one site and others: is it among them?
pub fn some<const W: usize>(set: Sites<W>) -> Cond<W> {
    match set {
        Sites::Const(set) => Cond::Const(!set.is_empty()),
        Sites::Op(SetOp::And, parts) => match *parts {
            (Sites::Single(a), b) | (b, Sites::Single(a)) => is_in(*a, b),
            (a, b) => Cond::Some(Box::new(Sites::Op(SetOp::And, Box::new((a, b))))),
        },
        Sites::Op(SetOp::Or, parts) => {
            let (a, b) = *parts;
            either(some(a), some(b))
        }
        set => Cond::Some(Box::new(set)),
    }
}
