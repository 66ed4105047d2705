//! Expressions and statements that run through something: what a name can be, comprehensions, spreading.

use super::run::{Halt, Run};
use super::value::{Val, bag_empty, bag_members, bag_put, mask_members, mask_of};
use crate::bug;
use crate::play::Trouble;
use crate::play::table::MOST_MOVES;
use crate::rules::expr::{Fold, SetOp};
use crate::rules::{Binder, Domain, Expr, LocalId, SiteSet, Ty, number, step_code};
use crate::source::Span;

impl Run<'_> {
    /// What a name can run through, in order, each with how many there are of it (more than one only in bags).
    pub fn members(&mut self, domain: &Domain) -> Result<Vec<(i32, u64)>, Halt> {
        let rules = self.world.rules;
        let plain = |codes: Vec<i32>| codes.into_iter().map(|code| (code, 1)).collect();
        Ok(match domain {
            Domain::Sites(set) => plain(self.sites(set)?.iter().collect()),
            Domain::Going(set, dir) => {
                let mut sites: Vec<i32> = self.sites(set)?.iter().collect();
                let dir = self.scalar(dir)?;
                if (0..8).contains(&dir) {
                    sites.sort_by_key(|&site| rules.board.ahead(site, dir));
                }
                plain(sites)
            }
            Domain::Mask(set) => plain(mask_members(self.mask(set)?)),
            Domain::Seats(set) => {
                let set = self.mask(set)?;
                let n = rules.n_seats() as i32;
                let order = (0..n).map(|i| (self.seat.max(0) + i) % n);
                plain(order.filter(|&seat| set & mask_of(seat) != 0).collect())
            }
            Domain::Bag(bag) => bag_members(&self.bag(bag)?, bag.ty),
            Domain::Range(lo, hi) => {
                let (lo, hi) = (self.scalar(lo)?, self.scalar(hi)?);
                if i64::from(hi) - i64::from(lo) >= MOST_MOVES as i64 {
                    return Err(Halt::Trouble(Trouble::TooMany { limit: MOST_MOVES }));
                }
                plain((lo..=hi).collect())
            }
            Domain::Listed(codes) => plain(codes.clone()),
            Domain::Track(track) => {
                let track = self.scalar(track)?;
                let n = super::value::at(&rules.tracks, track).map_or(0, |track| track.sites.len());
                plain((0..n).map(|place| step_code(track as usize, place)).collect())
            }
            Domain::Lines(lines) => plain((0..rules.lines[*lines].len() as i32).collect()),
        })
    }

    /// Gives a name one of its members.
    pub fn bind(&mut self, binder: &Binder, code: i32) {
        let value = match binder.domain {
            Domain::Lines(lines) => Val::Sites(self.world.rules.lines[lines][code as usize].clone()),
            _ => Val::Scalar(code),
        };
        self.set_local(binder.local, value);
    }

    /// The members of a set for which the test holds.
    pub fn filter(&mut self, local: LocalId, set: &Expr, test: &Expr) -> Result<Val, Halt> {
        let members: Vec<(i32, u64)> = match self.value(set)? {
            Val::Sites(sites) => sites.iter().map(|site| (site, 1)).collect(),
            Val::Mask(mask) => mask_members(mask).into_iter().map(|i| (i, 1)).collect(),
            Val::Bag(bag) => bag_members(&bag, set.ty),
            other => bug!("a set was promised, this is {other:?}"),
        };
        let mut kept = Vec::new();
        for (code, n) in members {
            self.set_local(local, Val::Scalar(code));
            if self.holds(test)? {
                kept.push((code, n));
            }
        }
        let codes = kept.iter().map(|&(code, _)| code);
        Ok(match set.ty {
            Ty::Bag(_) => {
                let mut bag = bag_empty(set.ty);
                for (code, n) in kept {
                    bag_put(&mut bag, set.ty, code, n as u8);
                }
                Val::Bag(bag)
            }
            ty if ty.is_mask() => Val::Mask(codes.fold(0, |mask, code| mask | mask_of(code))),
            _ => Val::Sites(SiteSet::of(self.world.rules.n_sites(), codes)),
        })
    }

    /// Runs through binders and folds the body where the condition holds.
    pub fn comprehend(
        &mut self,
        fold: Fold,
        binders: &[Binder],
        filter: Option<&Expr>,
        body: Option<&Expr>,
        ty: Ty,
    ) -> Result<Val, Halt> {
        let mut values = Vec::new();
        self.combinations(binders, &mut |run| {
            if let Some(filter) = filter
                && !run.holds(filter)?
            {
                return Ok(true);
            }
            values.push(match (fold, body) {
                (Fold::Count | Fold::Any, _) | (_, None) => Val::Scalar(1),
                (_, Some(body)) => run.value(body)?,
            });
            Ok(fold != Fold::Any)
        })?;
        if fold == Fold::Union {
            let n_sites = self.world.rules.n_sites();
            let mut all = if ty == Ty::Sites { Val::Sites(SiteSet::new(n_sites)) } else { Val::Mask(0) };
            for value in values {
                let value = match (value, &all) {
                    (Val::Scalar(code), Val::Sites(_)) => Val::Sites(SiteSet::of(n_sites, [code])),
                    (Val::Scalar(code), _) => Val::Mask(mask_of(code)),
                    (value, _) => value,
                };
                all = super::value::set_op(SetOp::Or, all, value);
            }
            return Ok(all);
        }
        let numbers = values.iter().map(|value| match value {
            Val::Scalar(code) => *code,
            other => bug!("a number was promised, this is {other:?}"),
        });
        Ok(Val::Scalar(match fold {
            Fold::Sum => numbers.fold(0, number::add),
            Fold::Min => numbers.min().unwrap_or(0),
            Fold::Max => numbers.max().unwrap_or(0),
            Fold::Count => values.len() as i32,
            Fold::Any | Fold::Union => i32::from(!values.is_empty()),
        }))
    }

    /// Goes through every combination of the names, in order, until told to stop; gives whether it went to the end.
    fn combinations(
        &mut self,
        binders: &[Binder],
        each: &mut dyn FnMut(&mut Self) -> Result<bool, Halt>,
    ) -> Result<bool, Halt> {
        let Some((binder, rest)) = binders.split_first() else {
            return each(self);
        };
        for (code, _) in self.members(&binder.domain)? {
            self.bind(binder, code);
            if !self.combinations(rest, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The smallest set that holds `from` and, with each member, all of `into`.
    pub fn spread(
        &mut self,
        local: LocalId,
        from: &Expr,
        into: &Expr,
        most: Option<&Expr>,
        span: Span,
    ) -> Result<Val, Halt> {
        let mut all = self.sites(from)?;
        let most = match most {
            Some(most) => self.scalar(most)?,
            None => -1,
        };
        let mut fresh = all.clone();
        let mut rounds = 0;
        while !fresh.is_empty() && (most < 0 || rounds < most) {
            self.burn(span)?;
            rounds += 1;
            let mut found = SiteSet::new(self.world.rules.n_sites());
            for site in fresh.iter() {
                self.set_local(local, Val::Scalar(site));
                found = found.or(&self.sites(into)?);
            }
            fresh = found.minus(&all);
            all = all.or(&fresh);
        }
        Ok(Val::Sites(all))
    }
}
