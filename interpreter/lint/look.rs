//! What is known of an expression's value, whatever the position.
//!
//! The answer may say too little, never too much: a set of which it says that it is empty is empty in every position that can come about.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::rest::Rest;
use super::values::{Known, NOBODYS, Sites, all_sites, both, union, without};
use crate::reference::constant;
use crate::rules::expr::{Cmp, SetOp};
use crate::rules::{Expr, ExprKind, LocalId, NONE, Rules, SiteSet, Ty, inside, live, number};
use crate::syntax::ast::ArithOp;

/// Parts of expressions and statements that are looked at, at most; then nothing is known of the rest.
const MOST_LOOKS: u32 = 400_000;

/// Sites times directions times numbers of steps that are gone through to find where a step leads.
const MOST_STEPS: usize = 40_000;

/// Looks at expressions.
pub struct Look<'r> {
    /// The rules.
    pub rules: &'r Rules,
    /// What each variable may hold, at any time, in any of its entries.
    pub vars: Vec<Known>,
    /// Who has had a piece of each kind, owners as a mask.
    pub owned: Vec<u64>,
    /// What each local holds now.
    pub locals: Vec<Rc<Known>>,
    /// The seat from which things are seen.
    pub seat: i32,
    /// All sites, and none.
    all: SiteSet,
    /// What has been looked at.
    looks: u32,
    /// Changes to locals that may have to be taken back.
    trail: Vec<(usize, Rc<Known>)>,
    /// Does a definition look at nothing but its arguments?
    fixed_defs: BTreeMap<u32, bool>,
    /// Values of expressions that look at nothing, by where they are kept and seat.
    constants: BTreeMap<(usize, i32), Known>,
}

impl<'r> Look<'r> {
    /// Nothing is known but the rules.
    pub fn new(rules: &'r Rules) -> Self {
        let locals = rules.locals.iter().map(|local| Rc::new(Known::top(rules, local.ty))).collect();
        Look {
            rules,
            vars: Vec::new(),
            owned: vec![0; rules.kinds.len()],
            locals,
            seat: 0,
            all: all_sites(rules),
            looks: 0,
            trail: Vec::new(),
            fixed_defs: BTreeMap::new(),
            constants: BTreeMap::new(),
        }
    }

    /// Was it too much to look at? Then what was found says too little.
    pub fn gave_up(&self) -> bool {
        self.looks >= MOST_LOOKS
    }

    /// Notes that something has been looked at.
    pub fn count(&mut self) -> bool {
        self.looks = self.looks.saturating_add(1);
        !self.gave_up()
    }

    /// Gives a local its value.
    pub fn set(&mut self, local: LocalId, value: Known) {
        let at = local.0 as usize;
        let before = std::mem::replace(&mut self.locals[at], Rc::new(value));
        self.trail.push((at, before));
    }

    /// Looks at something and takes back what it has noted of locals.
    pub fn aside<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.trail.len();
        let value = look(self);
        while self.trail.len() > mark {
            if let Some((at, before)) = self.trail.pop() {
                self.locals[at] = before;
            }
        }
        value
    }

    /// Forgets how to take back.
    pub fn settle(&mut self) {
        self.trail.clear();
    }

    /// Looks from every seat that a player may be.
    pub fn each_seat<T>(
        &mut self,
        codes: (u64, bool),
        mut look: impl FnMut(&mut Self) -> T,
        join: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let before = self.seat;
        let seats = (0..self.rules.n_seats() as i32).filter(|seat| codes.0 >> seat & 1 == 1);
        let mut all: Option<T> = None;
        for seat in seats.chain(codes.1.then_some(NONE)) {
            self.seat = seat;
            let value = look(self);
            all = Some(match all.take() {
                Some(old) => join(old, value),
                None => value,
            });
        }
        self.seat = before;
        all
    }

    /// What is known of a value.
    pub fn known(&mut self, expr: &Expr) -> Known {
        if !self.count() {
            return Known::top(self.rules, expr.ty);
        }
        if let Some(value) = self.constant(expr) {
            return value;
        }
        let value = self.look(expr);
        match value {
            Known::Sites(sites) => Known::Sites(self.fit(sites)),
            Known::Site(sites, none) => Known::Site(self.fit(sites), none),
            other => other,
        }
    }

    /// Leaves kinds out that no possible owner has ever had.
    fn fit(&self, mut sites: Sites) -> Sites {
        let had = |kind: usize| match self.owned[kind] {
            0 => true,
            owners => owners & sites.what.owners != 0,
        };
        if sites.what.owners != u64::MAX && !sites.whole {
            let possible = (0..self.owned.len()).filter(|&kind| had(kind)).fold(0, |mask, kind| mask | 1u64 << kind);
            sites.what.kinds &= possible;
        } else if sites.what.owners != u64::MAX
            && !(0..self.owned.len()).any(|k| sites.what.kinds >> k & 1 == 1 && had(k))
        {
            sites.what.kinds = 0;
        }
        sites
    }

    /// The value of an expression that looks at nothing, worked out.
    fn constant(&mut self, expr: &Expr) -> Option<Known> {
        let rules = self.rules;
        match &expr.kind {
            ExprKind::Const(code) => return Some(Known::scalar(rules, expr.ty, *code)),
            ExprKind::ConstMask(mask) => return Some(Known::Mask(*mask, *mask)),
            ExprKind::ConstSites(sites) => return Some(Known::Sites(Sites::exactly(sites.clone()))),
            ExprKind::Local(_) | ExprKind::Mover => return None,
            _ => {}
        }
        let key = (std::ptr::from_ref(expr) as usize, self.seat);
        if let Some(value) = self.constants.get(&key) {
            return (*value != Known::Any).then(|| value.clone());
        }
        let mut free = live::Names::new();
        live::reads(expr, &mut free);
        let fixed = free.is_empty() && self.fixed(expr);
        let value = fixed.then(|| constant(rules, expr, self.seat)).flatten();
        let known = value.map_or(Known::Any, |value| Known::of(rules, expr.ty, &value));
        self.constants.insert(key, known.clone());
        (known != Known::Any).then_some(known)
    }

    /// Does an expression look neither at the position nor at the game so far?
    fn fixed(&mut self, expr: &Expr) -> bool {
        use ExprKind::*;
        let itself = match &expr.kind {
            LocalAt(..) | CopyTable(_) | Var(..) | Next | Turns | Games | Resigned | Stuck | Repeats | BoardRepeats
            | LoopLength | Unchanged | KindAt(_) | HeightAt(_) | OwnerAt(_) | Empty | Pieces | PiecesOf(_)
            | KindSites(_) | KindsSites(_) | Labelled(..) | Counted(_) => false,
            Call(def, _) => self.fixed_def(*def),
            _ => true,
        };
        itself && inside::parts(expr).into_iter().all(|part| self.fixed(part))
    }

    fn fixed_def(&mut self, def: u32) -> bool {
        if let Some(fixed) = self.fixed_defs.get(&def) {
            return *fixed;
        }
        let rules = self.rules;
        let fixed = self.fixed(&rules.defs[def as usize].body);
        self.fixed_defs.insert(def, fixed);
        fixed
    }

    fn sites(&mut self, expr: &Expr) -> Sites {
        let known = self.known(expr);
        self.fit(known.as_sites(self.rules))
    }

    fn top(&self, ty: Ty) -> Known {
        Known::top(self.rules, ty)
    }

    fn look(&mut self, expr: &Expr) -> Known {
        use ExprKind::{Some as NotEmpty, *};
        use Option::Some;
        let rules = self.rules;
        let set = |sites: Sites| Known::Sites(sites);
        match &expr.kind {
            Local(local) => Known::clone(&self.locals[local.0 as usize]),
            Var(var, index) => {
                let value = self.vars.get(*var as usize).cloned().unwrap_or(Known::Any);
                let everywhere = index.as_ref().is_none_or(|index| {
                    matches!(index.kind, Mover) && self.seat >= 0 || self.known(index).is_something()
                });
                let zero = crate::play::Value::zero(expr.ty, rules.n_sites());
                if everywhere { value } else { value.join(Known::of(rules, expr.ty, &zero)) }
            }
            Mover => Known::scalar(rules, Ty::Player, self.seat),
            Turns | Games | LoopLength => Known::Number(0, crate::rules::NO_LIMIT - 1),
            HeightAt(_) => Known::Number(0, crate::rules::board::MOST_PILED as i32),
            Repeats | BoardRepeats => Known::Number(0, crate::rules::NO_LIMIT - 1),
            OtherSeat(seat) => {
                let (codes, none) = self.known(seat).codes();
                Known::Code((codes & 1) << 1 | (codes >> 1 & 1), none)
            }
            From(seat, body) => {
                let codes = self.known(seat).codes();
                let seen = self.each_seat(codes, |me| me.aside(|me| me.known(body)), Known::join);
                seen.unwrap_or_else(|| self.top(expr.ty))
            }
            Call(def, args) => {
                let def = &rules.defs[*def as usize];
                let values: Vec<Known> = args.iter().map(|arg| self.known(arg)).collect();
                self.aside(|me| {
                    for (param, value) in def.params.iter().zip(values) {
                        me.set(*param, value);
                    }
                    me.known(&def.body)
                })
            }
            Arith(op, a, b) => {
                let (a, b) = (self.known(a).range(), self.known(b).range());
                arith(*op, a, b)
            }
            Negate(a) => {
                let (lo, hi) = self.known(a).range();
                Known::Number(number::sub(0, hi), number::sub(0, lo))
            }
            Abs(a) => {
                let (lo, hi) = self.known(a).range();
                let (x, y) = (lo.saturating_abs(), hi.saturating_abs());
                Known::Number(if lo <= 0 && hi >= 0 { 0 } else { x.min(y) }, x.max(y))
            }
            Least(list) | Greatest(list) => {
                let ranges: Vec<(i32, i32)> = list.iter().map(|part| self.known(part).range()).collect();
                let (los, his) = (ranges.iter().map(|range| range.0), ranges.iter().map(|range| range.1));
                match matches!(expr.kind, Least(_)) {
                    true => Known::Number(los.min().unwrap_or(0), his.min().unwrap_or(0)),
                    false => Known::Number(los.max().unwrap_or(0), his.max().unwrap_or(0)),
                }
            }
            Not(a) => {
                let a = self.known(a);
                Known::truth(a.may_be(true), a.may_be(false))
            }
            And(a, b) => {
                let first = self.known(a);
                if first.never() {
                    return Known::truth(true, false);
                }
                let second = self.aside(|me| {
                    me.assume(a, true);
                    me.known(b)
                });
                Known::truth(first.may_be(false) || second.may_be(false), second.may_be(true))
            }
            Or(a, b) => {
                let first = self.known(a);
                if first.always() {
                    return Known::truth(false, true);
                }
                let second = self.aside(|me| {
                    me.assume(a, false);
                    me.known(b)
                });
                Known::truth(second.may_be(false), first.may_be(true) || second.may_be(true))
            }
            Compare(cmp, a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                compare(*cmp, &a, &b)
            }
            SameSet(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                let differ = a.is_nothing() && b.is_something() || a.is_something() && b.is_nothing();
                Known::truth(!(a.is_nothing() && b.is_nothing()), !differ)
            }
            If(test, yes, no) => {
                let asked = self.known(test);
                let mut arm = |on: bool, body: &Expr| {
                    asked.may_be(on).then(|| {
                        self.aside(|me| {
                            me.assume(test, on);
                            me.known(body)
                        })
                    })
                };
                let (yes, no) = (arm(true, yes), arm(false, no));
                join_all(yes.into_iter().chain(no)).unwrap_or_else(|| self.top(expr.ty))
            }
            Match(on, arms, other) => {
                let value = self.known(on);
                let mut left = Rest::new(&value);
                let mut all = Vec::new();
                for (ranges, body) in arms {
                    if let Some(codes) = left.take(ranges) {
                        all.push(self.aside(|me| {
                            me.narrow(on, codes);
                            me.known(body)
                        }));
                    }
                }
                if let Some(codes) = left.rest() {
                    all.push(self.aside(|me| {
                        me.narrow(on, codes);
                        me.known(other)
                    }));
                }
                join_all(all).unwrap_or_else(|| self.top(expr.ty))
            }
            Let(local, value, body) => {
                let value = self.known(value);
                self.aside(|me| {
                    me.set(*local, value);
                    me.known(body)
                })
            }
            Otherwise(list) => {
                let mut all = Vec::new();
                for (i, part) in list.iter().enumerate() {
                    let value = self.known(part);
                    let (nothing, something) = (value.is_nothing(), value.is_something());
                    if !nothing || i + 1 == list.len() {
                        all.push(value);
                    }
                    if something {
                        break;
                    }
                }
                join_all(all).unwrap_or_else(|| self.top(expr.ty))
            }
            Walk(site, dir, n) => {
                let site = self.known(site);
                let (dirs, no_dir) = self.known(dir).codes();
                let n = self.known(n).range();
                let nowhere = matches!(site, Known::Site(_, true)) || no_dir;
                let from = site.as_sites(rules);
                match self.steps(&from, dirs, n) {
                    Some((to, lost)) => Known::Site(Sites::some_of(to), nowhere || lost),
                    None => self.top(Ty::Site),
                }
            }
            Shift(sites, dir, n) => {
                let from = self.sites(sites);
                let (dirs, no_dir) = self.known(dir).codes();
                let n = self.known(n).range();
                self.moved(&from, dirs, no_dir, n)
            }
            ShiftAll(sites, dirs, n) => {
                let from = self.sites(sites);
                let (most, least) = self.known(dirs).as_mask();
                let n = self.known(n).range();
                self.moved(&from, most & 0xff, least == 0, n)
            }
            Facing(eighths) => {
                let facing = rules.seats.get(self.seat.max(0) as usize).map_or(NONE, |seat| seat.facing);
                let known = self.seat >= 0 && facing != NONE;
                Known::scalar(rules, Ty::Dir, if known { (facing + eighths).rem_euclid(8) } else { NONE })
            }
            Opposite(dir) => {
                let (codes, none) = self.known(dir).codes();
                Known::Code((codes & 0xff) << 4 & 0xff | (codes & 0xff) >> 4, none)
            }
            KindAt(site) => {
                let none = matches!(self.known(site), Known::Site(_, true));
                let what = self.sites(site).what;
                let (every, _) = self.top(Ty::Kind).codes();
                Known::Code(what.kinds & every, none || what.empty)
            }
            OwnerAt(site) => {
                let none = matches!(self.known(site), Known::Site(_, true));
                let what = self.sites(site).what;
                let (every, _) = self.top(Ty::Player).codes();
                Known::Code(what.owners & every, none || what.empty || what.owners & NOBODYS != 0)
            }
            XAt(site) | YAt(site) => {
                let nowhere = matches!(self.known(site), Known::Site(_, true));
                let sites = self.sites(site).most;
                let by = |site: i32| match (rules.board.sites.get(site as usize), &expr.kind) {
                    (Some(site), XAt(_)) => site.x,
                    (Some(site), _) => site.y,
                    (None, _) => 0,
                };
                let numbers: Vec<i32> = sites.iter().map(by).chain(nowhere.then_some(0)).collect();
                Known::Number(numbers.iter().copied().min().unwrap_or(0), numbers.into_iter().max().unwrap_or(0))
            }
            Single(a) => match (expr.ty, self.known(a)) {
                (Ty::Sites, value) => {
                    let mut sites = value.as_sites(rules);
                    sites.whole = false;
                    set(sites)
                }
                (ty, value) if ty.is_mask() => {
                    let (most, least) = value.as_mask();
                    Known::Mask(most, least)
                }
                _ => Known::Any,
            },
            Set(op, a, b) => self.set_of(*op, expr.ty, a, b),
            Empty => set(standing(&self.all, 0, 0, true)),
            Pieces => set(standing(&self.all, u64::MAX, u64::MAX, false)),
            PiecesOf(seat) => {
                let (codes, none) = self.known(seat).codes();
                let owners = codes | if none { NOBODYS } else { 0 };
                let mut sites = standing(&self.all, u64::MAX, owners, false);
                sites.whole = owners.count_ones() == 1;
                set(sites)
            }
            KindSites(kind) => {
                let (codes, none) = self.known(kind).codes();
                let mut sites = standing(&self.all, codes, u64::MAX, false);
                sites.whole = codes.count_ones() == 1 && !none;
                set(sites)
            }
            KindsSites(kinds) => {
                let (most, least) = self.known(kinds).as_mask();
                let mut sites = standing(&self.all, most, u64::MAX, false);
                sites.whole = most == least;
                set(sites)
            }
            Labelled(var, word) => {
                let (words, _) = self.known(word).codes();
                let (held, _) = self.vars.get(*var as usize).map_or((u64::MAX, true), Known::codes);
                // Sites beyond the cells begin with the first word.
                let sites = if words & (held | 1) == 0 { SiteSet::new(rules.n_sites()) } else { self.all.clone() };
                set(Sites::some_of(sites))
            }
            Filter(local, from, test) => {
                let from = self.sites(from);
                let (test, kept) = self.aside(|me| {
                    me.set(*local, Known::Site(Sites { least: 1, whole: false, ..from.clone() }, false));
                    let asked = me.known(test);
                    me.assume(test, true);
                    let kept = me.locals[local.0 as usize].as_sites(rules);
                    (asked, kept)
                });
                match (test.never(), test.always()) {
                    (true, _) => set(Sites::exactly(SiteSet::new(rules.n_sites()))),
                    (_, true) => set(from),
                    _ => set(Sites { least: 0, whole: false, ..kept }),
                }
            }
            Comprehend { fold, binders, filter, body } => {
                self.comprehend(*fold, binders, filter.as_deref(), body.as_deref(), expr.ty)
            }
            Spread(local, from, into, _) => {
                let from = self.sites(from);
                if from.is_nothing() {
                    return set(Sites::exactly(SiteSet::new(rules.n_sites())));
                }
                let reached = self.aside(|me| {
                    me.set(*local, Known::Site(Sites { least: 1, ..Sites::some_of(me.all.clone()) }, false));
                    me.sites(into)
                });
                set(Sites { least: from.least, whole: false, ..union(&from, &reached) })
            }
            In(a, b) => self.is_in(a, b),
            InRange(n, lo, hi) => {
                let (n, lo, hi) = (self.known(n), self.known(lo), self.known(hi));
                let (above, below) = (compare(Cmp::Ge, &n, &lo), compare(Cmp::Le, &n, &hi));
                Known::truth(above.may_be(false) || below.may_be(false), above.may_be(true) && below.may_be(true))
            }
            Within(a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                let outside = match (&a, &b) {
                    (Known::Sites(a), Known::Sites(b)) => a.least > 0 && self.fit(both(a, b)).is_nothing(),
                    (Known::Mask(_, least), Known::Mask(most, _)) => least & !most != 0,
                    _ => false,
                };
                Known::truth(!a.is_nothing(), !outside)
            }
            NotEmpty(a) => {
                let a = self.known(a);
                Known::truth(!a.is_something(), !a.is_nothing())
            }
            Count(a) => match self.known(a) {
                Known::Sites(sites) if sites.is_nothing() => Known::Number(0, 0),
                Known::Sites(sites) => Known::Number(sites.least, sites.most.count()),
                Known::Mask(most, least) => Known::Number(least.count_ones() as i32, most.count_ones() as i32),
                _ => Known::Number(0, 255 * 16),
            },
            The(a) => match self.known(a) {
                Known::Sites(sites) if sites.is_exact() && sites.most.count() == 1 => Known::Site(sites, false),
                Known::Sites(sites) => Known::Site(sites, true),
                Known::Mask(most, _) => Known::Code(most, true),
                _ => self.top(expr.ty),
            },
            BagCount(..) => Known::Number(0, 255),
            _ => self.top(expr.ty),
        }
    }

    fn set_of(&mut self, op: SetOp, ty: Ty, a: &Expr, b: &Expr) -> Known {
        let (a, b) = (self.known(a), self.known(b));
        if ty == Ty::Sites {
            let (a, b) = (a.as_sites(self.rules), b.as_sites(self.rules));
            return Known::Sites(match op {
                SetOp::And => both(&a, &b),
                SetOp::Or | SetOp::Add => union(&a, &b),
                SetOp::Minus => without(&a, &b),
            });
        }
        if !ty.is_mask() {
            return Known::Any;
        }
        let ((a, la), (b, lb)) = (a.as_mask(), b.as_mask());
        match op {
            SetOp::And => Known::Mask(a & b, la & lb),
            SetOp::Or | SetOp::Add => Known::Mask(a | b, la | lb),
            SetOp::Minus => Known::Mask(a & !lb, la & !b),
        }
    }

    fn is_in(&mut self, a: &Expr, b: &Expr) -> Known {
        let (a, b) = (self.known(a), self.known(b));
        match (&a, &b) {
            (Known::Site(site, none), Known::Sites(set)) => {
                let outside = self.fit(both(site, set)).is_nothing();
                let inside = !none && set.is_exact() && site.most.within(&set.most) && !site.most.is_empty();
                Known::truth(!inside, !outside)
            }
            (Known::Code(codes, none), Known::Mask(most, least)) => {
                Known::truth(*none || codes & !least != 0, codes & most != 0)
            }
            _ => Known::truth(true, true),
        }
    }

    /// Where steps lead from some sites, and whether some lead off the board; none if there is too much to try.
    fn steps(&self, from: &Sites, dirs: u64, (lo, hi): (i32, i32)) -> Option<(SiteSet, bool)> {
        let span = usize::try_from(i64::from(hi) - i64::from(lo) + 1).ok()?;
        let tries =
            (from.most.count() as usize).saturating_mul(span).saturating_mul((dirs & 0xff).count_ones() as usize);
        if tries > MOST_STEPS || lo.unsigned_abs().max(hi.unsigned_abs()) > 64 {
            return None;
        }
        let mut to = SiteSet::new(self.rules.n_sites());
        let mut lost = false;
        for site in from.most.iter() {
            for dir in (0..8).filter(|dir| dirs >> dir & 1 == 1) {
                for n in lo..=hi {
                    let there = self.rules.board.walk(site, dir, n);
                    to.insert(there);
                    lost |= there == NONE;
                }
            }
        }
        Some((to, lost))
    }

    /// A set that is moved.
    fn moved(&self, from: &Sites, dirs: u64, unsure: bool, n: (i32, i32)) -> Known {
        if from.is_nothing() || dirs & 0xff == 0 {
            return Known::Sites(Sites::exactly(SiteSet::new(self.rules.n_sites())));
        }
        match self.steps(from, dirs, n) {
            Some((to, lost)) => {
                let least = i32::from(from.least > 0 && !lost && !unsure && !to.is_empty());
                Known::Sites(Sites { least, ..Sites::some_of(to) })
            }
            None => self.top(Ty::Sites),
        }
    }
}

/// Sites on which this stands, all of them.
fn standing(all: &SiteSet, kinds: u64, owners: u64, empty: bool) -> Sites {
    let what = super::values::What { kinds, owners, empty };
    Sites { what, whole: true, ..Sites::some_of(all.clone()) }
}

fn join_all(values: impl IntoIterator<Item = Known>) -> Option<Known> {
    values.into_iter().reduce(Known::join)
}

fn arith(op: ArithOp, (a, b): (i32, i32), (c, d): (i32, i32)) -> Known {
    let corners = |f: fn(i32, i32) -> i32| {
        let all = [f(a, c), f(a, d), f(b, c), f(b, d)];
        Known::Number(all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
    };
    match op {
        ArithOp::Add => Known::Number(number::add(a, c), number::add(b, d)),
        ArithOp::Sub => Known::Number(number::sub(a, d), number::sub(b, c)),
        ArithOp::Mul if b == i32::MAX || d == i32::MAX => Known::Number(i32::MIN, i32::MAX),
        ArithOp::Mul => corners(number::mul),
        ArithOp::Div if c > 0 => corners(number::div),
        ArithOp::Rem if c == d && a == b => Known::Number(number::rem(a, c), number::rem(a, c)),
        ArithOp::Rem if c == d && c > 0 => {
            Known::Number(if a >= 0 { 0 } else { 1 - c }, if b <= 0 { 0 } else { c - 1 })
        }
        _ => Known::Number(i32::MIN, i32::MAX),
    }
}

/// What is known of a comparison.
fn compare(cmp: Cmp, a: &Known, b: &Known) -> Known {
    let same = match (a, b) {
        (Known::Number(a, b), Known::Number(c, d)) => {
            return match cmp {
                Cmp::Lt => Known::truth(b >= c, a < d),
                Cmp::Le => Known::truth(b > c, a <= d),
                Cmp::Gt => Known::truth(a <= d, b > c),
                Cmp::Ge => Known::truth(a < d, b >= c),
                Cmp::Eq => Known::truth(!(a == b && c == d && a == c), a <= d && c <= b),
                Cmp::Ne => Known::truth(a <= d && c <= b, !(a == b && c == d && a == c)),
            };
        }
        (Known::Code(a, n), Known::Code(b, m)) => {
            let one = |codes: u64, none: bool| codes.count_ones() + u32::from(none) == 1;
            let sure = one(*a, *n) && one(*b, *m) && a == b && n == m;
            (!sure, a & b != 0 || *n && *m)
        }
        (Known::Site(a, n), Known::Site(b, m)) => (true, !both(a, b).is_nothing() || *n && *m),
        _ => (true, true),
    };
    match cmp {
        Cmp::Eq => Known::truth(same.0, same.1),
        Cmp::Ne => Known::truth(same.1, same.0),
        _ => Known::truth(true, true),
    }
}
