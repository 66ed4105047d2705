//! Compiles comprehensions: loops over a few known members are written out, loops over sites become operations on whole sets where
//! that can be.

use super::bits::Set;
use super::code::*;
use super::lift::free_of;
use super::lower::{Deps, Low, Lower, With};
use super::masks::{members, when};
use super::scalars::{both, either, some};
use super::sets::union;
use super::switches::Switch;
use crate::rules::expr::{Fold, SetOp};
use crate::rules::{Binder, Domain, Expr, Ty};
use crate::syntax::ast::ArithOp;
use std::sync::Arc;

/// At most so many rows through a site are kept for it.
const MOST_THROUGH: usize = 4;

/// The rows through each site, see [`Rows::through`].
fn rows_through<const W: usize>(n_sites: usize, lines: &[crate::rules::SiteSet]) -> (usize, Arc<[Set<W>]>) {
    let rows: Vec<Set<W>> = lines.iter().map(|line| Set::from_words(line.words())).collect();
    let through = |site: usize| rows.iter().filter(move |row| row.has(site as i32));
    let most = (0..n_sites).map(|site| through(site).count()).max().unwrap_or(0);
    if most > MOST_THROUGH {
        return (0, Arc::new([]));
    }
    let padded = |site: usize| through(site).copied().chain(std::iter::repeat(Set::EMPTY)).take(most);
    (most, (0..n_sites).flat_map(padded).collect())
}

/// What is compiled inside loops.
type Inside<'f, const W: usize, R> = Box<dyn FnOnce(&mut Lower<W>, Loops<W>) -> With<R> + 'f>;

/// A domain of at most so many known members is written out.
const WRITTEN_OUT: usize = 12;

/// A compiled domain: known members, or something to run through.
pub enum Members<const W: usize> {
    /// These.
    Known(Vec<i32>),
    /// These, each under its condition.
    Guarded(Vec<(i32, Cond<W>)>),
    /// This, with the type of the name.
    Run(Dom<W>, Ty),
}

impl<const W: usize> Lower<W> {
    /// A domain.
    pub fn domain(&mut self, binder: &Binder) -> With<Members<W>> {
        let ty = self.rules.locals[binder.local.0 as usize].ty;
        let run = |dom, deps| (Members::Run(dom, ty), deps);
        match &binder.domain {
            Domain::Sites(set) => {
                let (set, deps) = self.sites(set);
                run(Dom::Sites(set), deps)
            }
            Domain::Going(set, dir) => {
                let ((set, ds), (dir, dd)) = (self.sites(set), self.int(dir));
                run(Dom::Going(set, dir), ds | dd)
            }
            Domain::Mask(mask) => {
                let (mask, deps) = self.mask(mask);
                match mask {
                    Mask::Const(mask) if mask.count_ones() as usize <= WRITTEN_OUT => {
                        (Members::Known((0..64).filter(|i| mask >> i & 1 == 1).collect()), 0)
                    }
                    mask => run(Dom::Mask(mask), deps),
                }
            }
            Domain::Seats(mask) => {
                let (mask, deps) = self.mask(mask);
                let (n, from) = (self.rules.n_seats() as i32, self.seat.max(0));
                match mask {
                    Mask::Const(mask) => {
                        let seats = (0..n).map(|i| (from + i) % n).filter(|seat| mask >> seat & 1 == 1);
                        (Members::Known(seats.collect()), 0)
                    }
                    mask => run(Dom::Seats(mask, from), deps),
                }
            }
            Domain::Bag(bag) => {
                let Ty::Bag(kind) = bag.ty else {
                    crate::bug!("a bag that is none");
                };
                let (bag, deps) = self.bag(bag);
                run(Dom::Bag(kind, bag), deps)
            }
            Domain::Range(a, b) => {
                let span = b.span;
                let ((a, da), (b, db)) = (self.int(a), self.int(b));
                match (&a, &b) {
                    (Int::Const(a), Int::Const(b)) if i64::from(*b) - i64::from(*a) < WRITTEN_OUT as i64 => {
                        (Members::Known((*a..=*b).collect()), 0)
                    }
                    _ => run(Dom::Range(a, b, span), da | db),
                }
            }
            Domain::Listed(list) => {
                if list.len() <= WRITTEN_OUT {
                    (Members::Known(list.clone()), 0)
                } else {
                    run(Dom::Listed(list.clone().into()), 0)
                }
            }
            Domain::Track(track) => {
                let (track, deps) = self.int(track);
                run(Dom::Track(track), deps)
            }
            Domain::Lines(i) => {
                let lines: Vec<Set<W>> =
                    self.rules.lines[*i].iter().map(|line| Set::from_words(line.words())).collect();
                (Members::Run(Dom::Lines(Arc::new(Lines::new(lines))), Ty::Sites), 0)
            }
        }
    }

    /// A domain whose members are written out if they are few, each under its condition.
    fn spelled(&mut self, binder: &Binder) -> With<Members<W>> {
        let (found, deps) = self.domain(binder);
        let members = match found {
            Members::Known(list) if !self.uses(Switch::Spell) => {
                Members::Run(self.run_through(binder, list), self.rules.locals[binder.local.0 as usize].ty)
            }
            Members::Known(list) => Members::Guarded(list.into_iter().map(|code| (code, Cond::Const(true))).collect()),
            Members::Run(Dom::Mask(mask), ty) if self.uses(Switch::Spell) => match members(&mask) {
                Some(list) => Members::Guarded(list),
                None => Members::Run(Dom::Mask(mask), ty),
            },
            found => found,
        };
        (members, deps)
    }

    /// Straight rows within a set.
    fn rows(&mut self, lines: usize, of: Sites<W>, whole: bool) -> Option<Sites<W>> {
        if !self.uses(Switch::Rows) {
            return None;
        }
        let rules = self.rules.clone();
        let n = rules.lines[lines].first()?.count();
        let mut found = Vec::new();
        let mut dirs = Vec::new();
        for dir in 0..4 {
            let mut walks = Vec::new();
            let mut have = 1;
            while have < n {
                let more = have.min(n - have);
                walks.push(self.way(dir, more));
                have += more;
            }
            dirs.push((walks, self.way(dir, 1)));
        }
        for site in 0..rules.board.n_cells as i32 {
            for dir in 0..4 {
                let row: Vec<i32> = (0..n).map(|i| rules.board.walk(site, dir, i)).collect();
                if row.iter().all(|&site| site >= 0) {
                    found.push(crate::rules::SiteSet::of(rules.n_sites(), row));
                }
            }
        }
        // Rows may have been meant otherwise, as on boards where a line comes back to itself.
        let same =
            found.len() == rules.lines[lines].len() && found.iter().zip(&rules.lines[lines]).all(|(a, b)| a == b);
        // Small boards are gone over quickly as they are.
        let kept = !whole && W > 1 && self.uses(Switch::Through);
        let none = if kept { Some(self.reg(W)) } else { None };
        same.then(|| {
            let way = |&way: &u32| self.p.ways[way as usize].offset.map(|by| (self.p.ways[way as usize].image, by));
            let near = dirs.iter().map(|(walks, _)| walks.iter().map(way).collect::<Option<Vec<_>>>());
            let near = near.collect::<Option<Vec<_>>>().unwrap_or_default();
            let through = rows_through(rules.n_sites(), &rules.lines[lines]);
            Sites::Rows(Box::new(Rows { dirs, near, n: n as u32, whole, of, none, through }))
        })
    }

    /// Of a condition on rows of which a part is that they lie within a set: is there any such row?
    fn some_row(&mut self, lines: usize, row: Slot, c: &Cond<W>) -> Option<Cond<W>> {
        match c {
            Cond::And(parts) => match self.some_row(lines, row, &parts.0) {
                None => self.some_row(lines, row, &parts.1),
                found => found,
            },
            Cond::Within(parts) if parts.0 == Sites::Slot(row) && free_of(row, &parts.1) => {
                self.rows(lines, parts.1.clone(), false).map(some)
            }
            _ => None,
        }
    }

    /// A domain that is run through even if its members are known.
    pub fn running(&mut self, binder: &Binder) -> With<(Dom<W>, Ty)> {
        let ty = self.rules.locals[binder.local.0 as usize].ty;
        match self.domain(binder) {
            (Members::Guarded(_), _) => crate::bug!("members with conditions where there are none"),
            (Members::Known(list), _) => ((self.run_through(binder, list), ty), 0),
            (Members::Run(dom, ty), deps) => ((dom, ty), deps),
        }
    }

    /// Known members as something to run through.
    fn run_through(&self, binder: &Binder, list: Vec<i32>) -> Dom<W> {
        match &binder.domain {
            Domain::Mask(_) => Dom::Mask(Mask::Const(list.iter().fold(0, |mask, code| mask | 1 << code))),
            _ => Dom::Listed(list.into()),
        }
    }

    /// All binders as loops, around whatever `f` compiles.
    pub fn loops<R>(
        &mut self,
        binders: &[Binder],
        filter: Option<&Expr>,
        f: impl FnOnce(&mut Self, Loops<W>) -> With<R>,
    ) -> With<R> {
        self.loops_from(binders, filter, Vec::new(), 0, Box::new(f))
    }

    fn loops_from<'f, R>(
        &mut self,
        binders: &[Binder],
        filter: Option<&Expr>,
        mut done: Vec<Loop<W>>,
        deps: Deps,
        f: Inside<'f, W, R>,
    ) -> With<R> {
        let Some((binder, rest)) = binders.split_first() else {
            let (filter, df) = match filter {
                Some(filter) => {
                    let (filter, df) = self.cond(filter);
                    (Some(filter), df)
                }
                None => (None, 0),
            };
            let (out, d) = f(self, Loops { loops: done, filter });
            return (out, deps | df | d);
        };
        let ((dom, ty), d) = self.running(binder);
        self.with_reg(binder.local, ty, |lower, slot| {
            done.push(Loop { to: slot, dom });
            lower.loops_from(rest, filter, done, deps | d, f)
        })
    }

    /// One loop around something that is compiled inside it.
    fn one_loop<R>(
        &mut self,
        binder: &Binder,
        dom: Dom<W>,
        ty: Ty,
        f: impl FnOnce(&mut Self, Slot) -> With<R>,
    ) -> With<(Loop<W>, R)> {
        let (out, deps) = self.with_reg(binder.local, ty, |lower, slot| {
            let (out, deps) = f(lower, slot);
            ((slot, out), deps)
        });
        ((Loop { to: out.0, dom }, out.1), deps)
    }

    /// Sums and the like.
    pub fn number_loop(
        &mut self,
        fold: Fold,
        binders: &[Binder],
        filter: Option<&Expr>,
        body: Option<&Expr>,
    ) -> With<Int<W>> {
        let kind = match fold {
            Fold::Sum => IntFold::Sum,
            Fold::Min => IntFold::Min,
            Fold::Max => IntFold::Max,
            _ => IntFold::Count,
        };
        if matches!(kind, IntFold::Sum | IntFold::Count) {
            return self.sum(kind, binders, filter, body);
        }
        self.loops(binders, filter, |lower, loops| {
            let (body, deps) = match body {
                Some(body) => lower.int(body),
                None => (Int::Const(0), 0),
            };
            let loops = if lower.uses(Switch::Lift) { lower.steps_only(loops) } else { loops };
            (Int::Fold(kind, Box::new(loops), Box::new(body)), deps)
        })
    }

    /// Of steps whose sites have to be in a set: only those are gone through.
    fn steps_only(&self, mut loops: Loops<W>) -> Loops<W> {
        if let ([one], Some(filter)) = (&mut loops.loops[..], &loops.filter)
            && let Some(steps) = self.steps_within(one, filter)
        {
            one.dom = steps;
            loops.filter = None;
        }
        loops
    }

    /// The steps of a name for which a condition on their sites holds.
    pub fn steps_within(&self, name: &Loop<W>, c: &Cond<W>) -> Option<Dom<W>> {
        let Cond::In(parts) = c else {
            return None;
        };
        let (Int::StepSite(step), set) = &**parts else {
            return None;
        };
        if **step != Int::Slot(name.to) || !free_of(name.to, set) {
            return None;
        }
        match &name.dom {
            Dom::Track(Int::Const(number)) => {
                let track = self.rules.tracks.get(usize::try_from(*number).ok()?)?;
                Some(Dom::Steps(Arc::new(Walk::new(*number, track)), set.clone()))
            }
            Dom::Steps(walk, more) => {
                let both = Sites::Op(SetOp::And, Box::new((more.clone(), set.clone())));
                Some(Dom::Steps(walk.clone(), both))
            }
            _ => None,
        }
    }

    fn sum(&mut self, kind: IntFold, binders: &[Binder], filter: Option<&Expr>, body: Option<&Expr>) -> With<Int<W>> {
        let Some((binder, rest)) = binders.split_first() else {
            let (value, dv) = match (kind, body) {
                (IntFold::Sum, Some(body)) => self.int(body),
                _ => (Int::Const(1), 0),
            };
            let Some(filter) = filter else {
                return (value, dv);
            };
            let (c, dc) = self.cond(filter);
            return match c {
                Cond::Const(true) => (value, dv),
                Cond::Const(false) => (Int::Const(0), 0),
                c if value == Int::Const(1) => (Int::Bool(Box::new(c)), dc),
                c => (Int::wrap(Pick::If(c, value, Int::Const(0))), dc | dv),
            };
        };
        match self.spelled(binder) {
            (Members::Known(_), _) => crate::bug!("members without conditions"),
            (Members::Guarded(list), dd) => {
                let mut out = Int::Const(0);
                let mut deps = dd;
                for (code, c) in list {
                    let (term, d) = self.with_code(binder.local, code, |l| l.sum(kind, rest, filter, body));
                    deps |= d;
                    let term = match c {
                        Cond::Const(true) => term,
                        c if term == Int::Const(1) => Int::Bool(Box::new(c)),
                        c => Int::wrap(Pick::If(c, term, Int::Const(0))),
                    };
                    out = match (out, term) {
                        (Int::Const(0), term) => term,
                        (out, Int::Const(0)) => out,
                        (out, term) => Int::Arith(ArithOp::Add, Box::new((out, term))),
                    };
                }
                self.settle((out, deps))
            }
            (Members::Run(dom, ty), dd) => {
                let ((name, term), deps) = self.one_loop(binder, dom, ty, |l, _| l.sum(kind, rest, filter, body));
                if let Dom::Sites(set) = &name.dom {
                    let lifted = match &term {
                        Int::Const(1) => Some(set.clone()),
                        Int::Bool(c) => self
                            .lift(name.to)
                            .and_then(|lift| lift.through(set).cond(c))
                            .map(|lifted| self.set_op(SetOp::And, set.clone(), lifted)),
                        _ => None,
                    };
                    if let Some(set) = lifted {
                        return (Int::Count(Box::new(set)), dd | deps);
                    }
                }
                if let (Dom::Sites(set), Int::At(Numbers::Var(var), site)) = (&name.dom, &term)
                    && **site == Int::Slot(name.to)
                {
                    let heap = match set {
                        Sites::Single(site) => Int::At(Numbers::Var(*var), site.clone()),
                        set => Int::Heap(*var, Box::new(set.clone())),
                    };
                    return (heap, dd | deps);
                }
                let loops = Loops { loops: vec![name], filter: None };
                (Int::Fold(IntFold::Sum, Box::new(loops), Box::new(term)), dd | deps)
            }
        }
    }

    /// Is there one?
    pub fn any_loop(&mut self, binders: &[Binder], filter: Option<&Expr>) -> With<Cond<W>> {
        let Some((binder, rest)) = binders.split_first() else {
            return match filter {
                Some(filter) => self.cond(filter),
                None => (Cond::Const(true), 0),
            };
        };
        match self.spelled(binder) {
            (Members::Known(_), _) => crate::bug!("members without conditions"),
            (Members::Guarded(list), dd) => {
                let mut out = Cond::Const(false);
                let mut deps = dd;
                for (code, c) in list {
                    let (term, d) = self.with_code(binder.local, code, |l| l.any_loop(rest, filter));
                    deps |= d;
                    out = either(out, both(c, term));
                }
                self.settle((out, deps))
            }
            (Members::Run(dom, ty), dd) => {
                let ((name, term), deps) = self.one_loop(binder, dom, ty, |l, _| l.any_loop(rest, filter));
                if let Dom::Sites(set) = &name.dom
                    && let Some(lifted) = self.lift(name.to).and_then(|lift| lift.through(set).cond(&term))
                {
                    let set = self.set_op(SetOp::And, set.clone(), lifted);
                    return self.settle((some(set), dd | deps));
                }
                if let (Domain::Lines(lines), Cond::Within(parts)) = (&binder.domain, &term)
                    && parts.0 == Sites::Slot(name.to)
                    && free_of(name.to, &parts.1)
                    && let Some(rows) = self.rows(*lines, parts.1.clone(), false)
                {
                    return self.settle((some(rows), dd | deps));
                }
                let guard = match &binder.domain {
                    Domain::Lines(lines) => self.some_row(*lines, name.to, &term),
                    _ => None,
                };
                let loops = Loops { loops: vec![name], filter: Some(term) };
                if let Some(guard) = guard {
                    // Whether there is a row at all is known quickly; mostly there is none.
                    return (both(guard, Cond::Any(Box::new(loops))), dd | deps);
                }
                (Cond::Any(Box::new(loops)), dd | deps)
            }
        }
    }

    /// All of them together.
    pub fn union_loop(&mut self, binders: &[Binder], filter: Option<&Expr>, body: &Expr) -> With<Sites<W>> {
        let (out, deps) = self.united(binders, filter, body);
        self.settle((out, deps))
    }

    fn united(&mut self, binders: &[Binder], filter: Option<&Expr>, body: &Expr) -> With<Sites<W>> {
        let Some((binder, rest)) = binders.split_first() else {
            let (value, dv) = if body.ty == Ty::Sites {
                self.sites(body)
            } else {
                let (site, deps) = self.int(body);
                (Sites::Single(Box::new(site)), deps)
            };
            let Some(filter) = filter else {
                return (value, dv);
            };
            let (c, dc) = self.cond(filter);
            return (when(c, value), dc | dv);
        };
        match self.spelled(binder) {
            (Members::Known(_), _) => crate::bug!("members without conditions"),
            (Members::Guarded(list), dd) => {
                let mut terms = Vec::new();
                let mut deps = dd;
                for (code, c) in list {
                    let (term, d) = self.with_code(binder.local, code, |l| l.united(rest, filter, body));
                    let (term, d) = self.settle((term, d));
                    deps |= d;
                    let term = when(c, term);
                    if term != Sites::Const(Set::EMPTY) {
                        terms.push(term);
                    }
                }
                (fused(terms), deps)
            }
            (Members::Run(dom, ty), dd) => {
                let ((name, term), deps) = self.one_loop(binder, dom, ty, |l, _| {
                    let out = l.united(rest, filter, body);
                    l.settle(out)
                });
                if let Dom::Sites(set) = &name.dom
                    && let Some(lifted) = self.lift(name.to).and_then(|mut lift| lift.image(set, &term))
                {
                    return (lifted, dd | deps);
                }
                if let (Domain::Lines(lines), Sites::Pick(pick)) = (&binder.domain, &term)
                    && let Pick::If(Cond::Within(parts), body, _) = &**pick
                    && parts.0 == Sites::Slot(name.to)
                    && *body == Sites::Slot(name.to)
                    && free_of(name.to, &parts.1)
                    && let Some(rows) = self.rows(*lines, parts.1.clone(), true)
                {
                    return (rows, dd | deps);
                }
                let mut name = name;
                if let Dom::Sites(set) = &name.dom
                    && self.uses(Switch::Lift)
                    && let Some(only) = only_from(name.to, &term)
                {
                    name.dom = Dom::Sites(self.set_op(SetOp::And, set.clone(), only.clone()));
                }
                let loops = Loops { loops: vec![name], filter: None };
                (Sites::Union(Box::new(loops), Box::new(term)), dd | deps)
            }
        }
    }
}

/// A set outside of which no member of a name gives anything.
fn only_from<const W: usize>(x: Slot, term: &Sites<W>) -> Option<&Sites<W>> {
    let name = Sites::Single(Box::new(Int::Slot(x)));
    match term {
        Sites::Op(SetOp::And, parts) if parts.0 == name && free_of(x, &parts.1) => Some(&parts.1),
        Sites::Op(SetOp::And, parts) if parts.1 == name && free_of(x, &parts.0) => Some(&parts.0),
        Sites::Op(SetOp::And, parts) => only_from(x, &parts.0).or_else(|| only_from(x, &parts.1)),
        Sites::Op(SetOp::Minus, parts) => only_from(x, &parts.0),
        Sites::Flood(flood) => only_from(x, &flood.from),
        Sites::Pick(pick) => match &**pick {
            Pick::If(_, some, none) if *none == Sites::Const(Set::EMPTY) => only_from(x, some),
            _ => None,
        },
        _ => None,
    }
}

/// A union; rays from one site over the same sites are one slide.
fn fused<const W: usize>(terms: Vec<Sites<W>>) -> Sites<W> {
    let mut dirs = Vec::new();
    let mut first: Option<&RayOf<W>> = None;
    for term in &terms {
        let Sites::Ray(ray) = term else {
            return union(terms);
        };
        let Int::Const(dir) = ray.dir else {
            return union(terms);
        };
        let same = first.is_none_or(|one| one.from == ray.from && one.over == ray.over && one.limit == ray.limit);
        if !same {
            return union(terms);
        }
        dirs.push(dir as u8);
        first = first.or(Some(ray));
    }
    match first {
        Some(ray) => Sites::Slide(dirs, Box::new(ray.clone())),
        None => Sites::Const(Set::EMPTY),
    }
}
