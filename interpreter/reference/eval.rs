//! What an expression means. Every case is as near to the words of [`crate::rules::expr`] as it can be.

use super::run::{Halt, Run};
use super::value::{
    Val, at, bag_count, bag_empty, bag_members, bag_put, bag_sum, in_ranges, mask_members, mask_of, places, set_op,
};
use super::watch::Deed;
use crate::bug;
use crate::play::Value;
use crate::play::snapshot::Piece;
use crate::rules::board::opposite;
use crate::rules::expr::Cmp;
use crate::rules::{Expr, ExprKind, LocalId, NONE, SiteSet, Ty, number, step_code, step_parts};
use crate::syntax::ast::ArithOp;

impl Run<'_> {
    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Val, Halt> {
        use ExprKind::{Some as NotEmpty, *};
        use Option::Some;
        let rules = self.world.rules;
        let board = &rules.board;
        let n_sites = rules.n_sites();
        self.look()?;
        let scalar = |code: i32| Ok(Val::Scalar(code));
        let truth = |holds: bool| Ok(Val::Scalar(i32::from(holds)));
        match &expr.kind {
            // ---- constants and names
            Const(code) => scalar(*code),
            ConstMask(mask) => Ok(Val::Mask(*mask)),
            ConstSites(sites) => Ok(Val::Sites(sites.clone())),
            ConstBag(bag) => Ok(Val::Bag(bag.clone())),
            Local(local) => Ok(self.local(*local).clone()),
            LocalAt(local, site) => {
                let site = self.scalar(site)?;
                match self.local(*local) {
                    Val::Table(table) => scalar(at(table, site).copied().unwrap_or(0)),
                    other => bug!("a table was promised, this is {other:?}"),
                }
            }
            CopyTable(var) => Ok(Val::Table(self.table(*var))),
            Var(var, index) => {
                let index = match index {
                    Some(index) => self.scalar(index)?,
                    None => 0,
                };
                let entries = &self.snap.vars[*var as usize];
                Ok(match at(entries, index) {
                    Some(value) => Val::of(value),
                    None => Val::of(&Value::zero(rules.vars[*var as usize].ty, n_sites)),
                })
            }

            // ---- seats and turns
            Mover => scalar(self.seat),
            Next => scalar(self.snap.next),
            Turns => scalar(self.snap.turns),
            Games => scalar(self.snap.games),
            OtherSeat(seat) => match self.scalar(seat)? {
                NONE => scalar(NONE),
                seat => scalar(1 - seat),
            },
            From(seat, body) => {
                let seat = self.scalar(seat)?;
                let before = std::mem::replace(&mut self.seat, seat);
                let value = self.value(body);
                self.seat = before;
                value
            }
            Call(def, args) => {
                let def = &rules.defs[*def as usize];
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.value(arg)?);
                }
                for (param, value) in def.params.iter().zip(values) {
                    self.set_local(*param, value);
                }
                self.used(&def.body)
            }
            Resigned => Ok(Val::Mask(self.snap.resigned)),
            Stuck => {
                let stuck = self.next_is_stuck()?;
                truth(stuck)
            }
            Repeats => scalar(self.repeats()?),
            BoardRepeats => scalar(self.board_repeats()?),
            LoopLength => scalar(self.loop_length()?),
            Unchanged => truth(self.snap.same_pieces(self.world.start)),

            // ---- scalars
            Arith(op, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                scalar(match op {
                    ArithOp::Add => number::add(a, b),
                    ArithOp::Sub => number::sub(a, b),
                    ArithOp::Mul => number::mul(a, b),
                    ArithOp::Div => number::div(a, b),
                    ArithOp::Rem => number::rem(a, b),
                })
            }
            Negate(a) => scalar(number::sub(0, self.scalar(a)?)),
            Abs(a) => {
                let a = self.scalar(a)?;
                scalar(if a < 0 { number::sub(0, a) } else { a })
            }
            Least(list) => scalar(self.scalars(list)?.into_iter().min().unwrap_or(0)),
            Greatest(list) => scalar(self.scalars(list)?.into_iter().max().unwrap_or(0)),
            Not(a) => truth(!self.holds(a)?),
            And(a, b) => truth(self.holds(a)? && self.holds(b)?),
            Or(a, b) => truth(self.holds(a)? || self.holds(b)?),
            Compare(cmp, a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                truth(match cmp {
                    Cmp::Eq => a == b,
                    Cmp::Ne => a != b,
                    Cmp::Lt => a < b,
                    Cmp::Le => a <= b,
                    Cmp::Gt => a > b,
                    Cmp::Ge => a >= b,
                })
            }
            SameSet(a, b) => truth(self.value(a)? == self.value(b)?),

            // ---- choosing between values
            If(test, yes, no) => {
                let branch = if self.holds(test)? { yes } else { no };
                self.used(branch)
            }
            Match(on, arms, other) => {
                let on = self.scalar(on)?;
                let arm = arms.iter().find(|(ranges, _)| in_ranges(ranges, on));
                self.used(arm.map_or(other, |(_, body)| body))
            }
            Let(local, value, body) => {
                let value = self.value(value)?;
                self.set_local(*local, value);
                self.value(body)
            }
            Otherwise(list) => {
                let mut last = Val::Scalar(NONE);
                for expr in list {
                    last = self.used(expr)?;
                    if last.is_something() {
                        break;
                    }
                }
                Ok(last)
            }

            // ---- sites and directions
            Walk(site, dir, n) => {
                let (site, dir) = (self.scalar(site)?, self.scalar(dir)?);
                scalar(board.walk(site, dir, self.scalar(n)?))
            }
            Shift(sites, dir, n) => {
                let (sites, dir) = (self.sites(sites)?, self.scalar(dir)?);
                let n = self.scalar(n)?;
                self.site_set(sites.iter().map(|site| board.walk(site, dir, n)))
            }
            ShiftAll(sites, dirs, n) => {
                let (sites, dirs) = (self.sites(sites)?, mask_members(self.mask(dirs)?));
                let n = self.scalar(n)?;
                let to = |site| dirs.iter().map(move |&dir| board.walk(site, dir, n));
                self.site_set(sites.iter().flat_map(to))
            }
            Facing(eighths) => scalar(match at(&rules.seats, self.seat) {
                Some(seat) if seat.facing != NONE => (seat.facing + eighths).rem_euclid(8),
                _ => NONE,
            }),
            Opposite(dir) => scalar(opposite(self.scalar(dir)?)),
            Toward(a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                scalar(self.toward(a, b))
            }
            XAt(site) => scalar(at(&board.sites, self.scalar(site)?).map_or(0, |site| site.x)),
            YAt(site) => scalar(at(&board.sites, self.scalar(site)?).map_or(0, |site| site.y)),
            KindAt(site) => {
                let site = self.scalar(site)?;
                scalar(self.piece(site).map_or(NONE, |piece| i32::from(piece.kind)))
            }
            OwnerAt(site) => {
                let site = self.scalar(site)?;
                scalar(self.piece(site).map_or(NONE, |piece| piece.owner))
            }
            HeightAt(site) => {
                let site = self.scalar(site)?;
                scalar(self.pile(site).len() as i32)
            }
            Turned(site, dir) => {
                let (site, dir) = (self.scalar(site)?, self.scalar(dir)?);
                let table = if dir % 2 == 0 { at(&board.turned, dir / 2) } else { None };
                scalar(table.and_then(|table| at(table, site)).copied().unwrap_or(NONE))
            }
            Side(site, dir) => {
                let (site, dir) = (self.scalar(site)?, self.scalar(dir)?);
                scalar(board.side(site, dir))
            }
            Mirrored(site) => scalar(at(&board.mirrored, self.scalar(site)?).copied().unwrap_or(NONE)),

            // ---- walks
            StepOn(step, n) => {
                let (step, n) = (self.scalar(step)?, self.scalar(n)?);
                let to = step_parts(step).and_then(|(track, place)| {
                    let place = rules.tracks.get(track)?.go(place, n)?;
                    Some(step_code(track, place))
                });
                scalar(to.unwrap_or(NONE))
            }
            StepPlace(step) => scalar(step_parts(self.scalar(step)?).map_or(-1, |(_, place)| place as i32)),
            StepSite(step) => {
                let step = self.scalar(step)?;
                scalar(self.step_site(step))
            }
            SiteStep(site, track) => {
                let (site, track) = (self.scalar(site)?, self.scalar(track)?);
                let place = at(&rules.tracks, track).and_then(|track| track.place_of(site));
                scalar(place.map_or(NONE, |place| step_code(track as usize, place)))
            }
            TrackOf(tracks) => {
                let track = at(tracks, self.seat).or(tracks.first());
                scalar(track.map_or(NONE, |&track| track as i32))
            }
            TrackStart(track) => {
                let track = self.scalar(track)?;
                let first = at(&rules.tracks, track).filter(|track| !track.sites.is_empty());
                scalar(first.map_or(NONE, |_| step_code(track as usize, 0)))
            }
            TrackSites(track) => {
                let track = self.scalar(track)?;
                let sites = at(&rules.tracks, track).map_or(&[][..], |track| &track.sites);
                self.site_set(sites.iter().copied())
            }
            StepRange(a, b) => {
                let (a, b) = (step_parts(self.scalar(a)?), step_parts(self.scalar(b)?));
                let sites = match (a, b) {
                    (Some((track, a)), Some((other, b))) if track == other => {
                        rules.tracks.get(track).and_then(|track| track.sites.get(a.min(b)..=a.max(b)))
                    }
                    _ => None,
                };
                self.site_set(sites.unwrap_or(&[]).iter().copied())
            }

            // ---- sets
            Single(member) => {
                let code = self.scalar(member)?;
                Ok(match expr.ty {
                    Ty::Sites => Val::Sites(SiteSet::of(n_sites, [code])),
                    Ty::Bag(_) => {
                        let mut bag = bag_empty(expr.ty);
                        bag_put(&mut bag, expr.ty, code, 1);
                        Val::Bag(bag)
                    }
                    _ => Val::Mask(mask_of(code)),
                })
            }
            Set(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                Ok(set_op(*op, a, b))
            }
            Rebag(from) => {
                let mut bag = bag_empty(expr.ty);
                for (thing, n) in bag_members(&self.bag(from)?, from.ty) {
                    bag_put(&mut bag, expr.ty, thing, n as u8);
                }
                Ok(Val::Bag(bag))
            }
            BagRange(lo, hi) => {
                let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
                let mut bag = bag_empty(expr.ty);
                if let Ty::Bag(ty) = expr.ty {
                    let things = (0..i32::from(ty.n)).map(|i| number::add(ty.lo, i));
                    for thing in things.filter(|n| (lo..=hi).contains(n)) {
                        bag_put(&mut bag, expr.ty, thing, 1);
                    }
                }
                Ok(Val::Bag(bag))
            }
            Empty => self.sites_where(|piece| piece.is_none()),
            Pieces => self.sites_where(|piece| piece.is_some()),
            PiecesOf(seat) => {
                let seat = self.scalar(seat)?;
                self.sites_where(|piece| piece.is_some_and(|piece| piece.owner == seat))
            }
            KindSites(kind) => {
                let kind = self.scalar(kind)?;
                self.sites_where(|piece| piece.is_some_and(|piece| i32::from(piece.kind) == kind))
            }
            KindsSites(kinds) => {
                let kinds = self.mask(kinds)?;
                self.sites_where(|piece| piece.is_some_and(|piece| kinds >> piece.kind & 1 == 1))
            }
            Labelled(var, word) => {
                let word = self.scalar(word)?;
                let table = self.table(*var);
                self.site_set(places(&table, |n| n == word))
            }
            Counted(var) => {
                let table = self.table(*var);
                self.site_set(places(&table, |n| n > 0))
            }
            Rectangle(a, b) => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let cells = &board.sites[..board.n_cells];
                match (at(cells, a), at(cells, b)) {
                    (Some(a), Some(b)) => {
                        let x = a.x.min(b.x)..=a.x.max(b.x);
                        let y = a.y.min(b.y)..=a.y.max(b.y);
                        let inside = (0..).zip(cells).filter(|(_, site)| x.contains(&site.x) && y.contains(&site.y));
                        self.site_set(inside.map(|(i, _)| i))
                    }
                    _ => self.site_set([]),
                }
            }
            Filter(local, set, test) => self.filter(*local, set, test),
            Comprehend { fold, binders, filter, body } => {
                self.comprehend(*fold, binders, filter.as_deref(), body.as_deref(), expr.ty)
            }
            Spread(local, from, into, most) => self.spread(*local, from, into, most.as_deref()),

            // ---- asking about sets
            In(member, set) => {
                let member = self.scalar(member)?;
                truth(match self.value(set)? {
                    Val::Sites(sites) => sites.has(member),
                    Val::Mask(mask) => mask & mask_of(member) != 0,
                    Val::Bag(bag) => bag_count(&bag, set.ty, member) > 0,
                    Val::Scalar(only) => only == member && member != NONE,
                    Val::Table(table) => at(&table, member).is_some_and(|&n| n > 0),
                })
            }
            InRange(n, lo, hi) => {
                let (n, lo, hi) = (self.scalar(n)?, self.scalar(lo)?, self.scalar(hi)?);
                truth((lo..=hi).contains(&n))
            }
            Within(a, b) => truth(match (self.value(a)?, self.value(b)?) {
                (Val::Sites(a), Val::Sites(b)) => a.within(&b),
                (Val::Mask(a), Val::Mask(b)) => a & !b == 0,
                (Val::Bag(a), Val::Bag(b)) => a.iter().zip(&b).all(|(a, b)| a <= b),
                (a, b) => bug!("{a:?} and {b:?} are not sets of one type"),
            }),
            NotEmpty(set) => truth(self.value(set)?.is_something()),
            Count(set) => scalar(match self.value(set)? {
                Val::Sites(sites) => sites.count(),
                Val::Mask(mask) => mask.count_ones() as i32,
                Val::Bag(bag) => bag.iter().map(|&n| i32::from(n)).sum(),
                other => bug!("a set was promised, this is {other:?}"),
            }),
            The(set) => scalar(match self.value(set)? {
                Val::Sites(sites) => sites.the(),
                Val::Mask(mask) if mask.count_ones() == 1 => mask.trailing_zeros() as i32,
                Val::Mask(_) => NONE,
                Val::Bag(bag) => match bag_members(&bag, set.ty)[..] {
                    [(thing, 1)] => thing,
                    _ if matches!(set.ty, Ty::Bag(ty) if ty.kinds) => NONE,
                    _ => 0,
                },
                other => bug!("a set was promised, this is {other:?}"),
            }),
            BagSum(bag) => scalar(bag_sum(&self.bag(bag)?, bag.ty)),
            BagMin(bag) => {
                let members = bag_members(&self.bag(bag)?, bag.ty);
                scalar(members.first().map_or(0, |&(thing, _)| thing))
            }
            BagMax(bag) => {
                let members = bag_members(&self.bag(bag)?, bag.ty);
                scalar(members.last().map_or(0, |&(thing, _)| thing))
            }
            BagCount(a, b) => {
                let (bag, thing) = if matches!(a.ty, Ty::Bag(_)) { (a, b) } else { (b, a) };
                let counts = self.bag(bag)?;
                let thing = self.scalar(thing)?;
                scalar(i32::from(bag_count(&counts, bag.ty, thing)))
            }
        }
    }

    /// The value of an expression that is not always asked for.
    fn used(&mut self, expr: &Expr) -> Result<Val, Halt> {
        if let Some(watch) = self.world.watch {
            watch.note(expr.span, Deed::Used);
        }
        self.value(expr)
    }

    /// A scalar's code.
    pub fn scalar(&mut self, expr: &Expr) -> Result<i32, Halt> {
        match self.value(expr)? {
            Val::Scalar(code) => Ok(code),
            other => bug!("a scalar was promised, this is {other:?}"),
        }
    }

    /// A bool.
    pub fn holds(&mut self, expr: &Expr) -> Result<bool, Halt> {
        Ok(self.scalar(expr)? != 0)
    }

    /// A set of sites; a site stands for the set of itself.
    pub fn sites(&mut self, expr: &Expr) -> Result<SiteSet, Halt> {
        match self.value(expr)? {
            Val::Sites(sites) => Ok(sites),
            Val::Scalar(site) => Ok(SiteSet::of(self.world.rules.n_sites(), [site])),
            other => bug!("sites were promised, this is {other:?}"),
        }
    }

    /// A mask; a member stands for the mask of itself.
    pub fn mask(&mut self, expr: &Expr) -> Result<u64, Halt> {
        match self.value(expr)? {
            Val::Mask(mask) => Ok(mask),
            Val::Scalar(code) => Ok(mask_of(code)),
            other => bug!("a mask was promised, this is {other:?}"),
        }
    }

    /// A bag's counts.
    pub fn bag(&mut self, expr: &Expr) -> Result<Vec<u8>, Halt> {
        match self.value(expr)? {
            Val::Bag(bag) => Ok(bag),
            other => bug!("a bag was promised, this is {other:?}"),
        }
    }

    /// The value of a local.
    pub fn local(&self, local: LocalId) -> &Val {
        &self.locals[local.0 as usize]
    }

    /// Gives a local its value.
    pub fn set_local(&mut self, local: LocalId, value: Val) {
        self.locals[local.0 as usize] = value;
    }

    /// What stands on a site.
    pub fn piece(&self, site: i32) -> Option<Piece> {
        at(&self.snap.contents, site).copied().flatten()
    }

    /// The entries of a `per site` table of scalars.
    pub fn table(&self, var: u16) -> Vec<i32> {
        let code = |value: &Value| match value {
            Value::Scalar(code) => *code,
            other => bug!("a table holds scalars, this is {other:?}"),
        };
        self.snap.vars[var as usize].iter().map(code).collect()
    }

    /// The site of a step.
    pub fn step_site(&self, step: i32) -> i32 {
        step_parts(step)
            .and_then(|(track, place)| self.world.rules.tracks.get(track)?.sites.get(place))
            .copied()
            .unwrap_or(NONE)
    }

    fn scalars(&mut self, list: &[Expr]) -> Result<Vec<i32>, Halt> {
        list.iter().map(|expr| self.scalar(expr)).collect()
    }

    fn site_set(&self, sites: impl IntoIterator<Item = i32>) -> Result<Val, Halt> {
        Ok(Val::Sites(SiteSet::of(self.world.rules.n_sites(), sites)))
    }

    fn sites_where(&self, test: impl Fn(Option<Piece>) -> bool) -> Result<Val, Halt> {
        let sites = (0..).zip(&self.snap.contents);
        self.site_set(sites.filter(|&(_, &piece)| test(piece)).map(|(site, _)| site))
    }

    fn toward(&self, a: i32, b: i32) -> i32 {
        let board = &self.world.rules.board;
        let leads = |dir: &i32| {
            let mut here = a;
            for _ in 0..board.sites.len() {
                here = board.step(here, *dir);
                if here == NONE || here == a || here == b {
                    break;
                }
            }
            here == b
        };
        if a == NONE || b == NONE || a == b {
            return NONE;
        }
        (0..8).find(leads).unwrap_or(NONE)
    }
}
