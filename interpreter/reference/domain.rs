//! Expressions and statements that run through something: what a name can be, comprehensions, spreading.

use super::run::{Flow, Halt, Run};
use super::value::{Val, bag_empty, bag_members, bag_put, mask_members, mask_of};
use crate::bug;
use crate::play::Trouble;
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
            Domain::Range(lo, hi_expr) => {
                let (lo, hi) = (self.scalar(lo)?, self.scalar(hi_expr)?);
                self.within(lo, hi, hi_expr.span)?;
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

    /// A range of numbers has no more members than moves are listed.
    fn within(&self, lo: i32, hi: i32, span: Span) -> Flow {
        let limit = self.world.rules.bounds.moves;
        if i64::from(hi) - i64::from(lo) >= limit as i64 {
            return Err(Halt::Trouble(Trouble::TooMany { span, limit }));
        }
        Ok(())
    }

    /// Works out what a name runs through where it is known which member it will be; gives how many there are, each as often as it is there.
    pub fn pass_by(&mut self, domain: &Domain) -> Result<u128, Halt> {
        // Numbers may be very many; all others are worth no case of their own.
        match domain {
            Domain::Range(lo, hi) => {
                let (from, to) = (self.scalar(lo)?, self.scalar(hi)?);
                self.within(from, to, hi.span)?;
                Ok((i64::from(to) - i64::from(from) + 1).max(0) as u128)
            }
            _ => Ok(self.members(domain)?.into_iter().map(|(_, n)| u128::from(n)).sum()),
        }
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
            self.look()?;
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
        let n_sites = self.world.rules.n_sites();
        let nothing = match ty {
            Ty::Sites => Val::Sites(SiteSet::new(n_sites)),
            _ if fold == Fold::Union => Val::Mask(0),
            _ => Val::Scalar(0),
        };
        if let (Fold::Sum, Some(body)) = (fold, body) {
            return Ok(Val::Scalar(self.sum(binders, filter, body)?));
        }
        let mut all: Option<Val> = None;
        self.combinations(binders, &mut |run| {
            if let Some(filter) = filter
                && !run.holds(filter)?
            {
                return Ok(true);
            }
            let value = match (fold, body) {
                (Fold::Count | Fold::Any, _) | (_, None) => Val::Scalar(1),
                (_, Some(body)) => run.value(body)?,
            };
            all = Some(match (fold, value, all.take()) {
                (Fold::Union, value, before) => {
                    let before = before.unwrap_or_else(|| nothing.clone());
                    let value = match (value, &before) {
                        (Val::Scalar(code), Val::Sites(_)) => Val::Sites(SiteSet::of(n_sites, [code])),
                        (Val::Scalar(code), _) => Val::Mask(mask_of(code)),
                        (value, _) => value,
                    };
                    super::value::set_op(SetOp::Or, before, value)
                }
                (_, value @ Val::Scalar(_), None) => value,
                (fold, Val::Scalar(code), Some(Val::Scalar(before))) => Val::Scalar(match fold {
                    Fold::Min => before.min(code),
                    Fold::Max => before.max(code),
                    // Of several names the sums over the later ones are added: see `sum`.
                    _ => number::add(before, code),
                }),
                (_, other, _) => bug!("a number was promised, this is {other:?}"),
            });
            Ok(fold != Fold::Any)
        })?;
        Ok(all.unwrap_or(nothing))
    }

    /// For each member of the first name, in order, the sum over the other names is added; numbers stop at the ends at every step.
    fn sum(&mut self, binders: &[Binder], filter: Option<&Expr>, body: &Expr) -> Result<i32, Halt> {
        let Some((binder, rest)) = binders.split_first() else {
            let counts = match filter {
                Some(filter) => self.holds(filter)?,
                None => true,
            };
            return if counts { self.scalar(body) } else { Ok(0) };
        };
        let mut sum = 0;
        for (code, _) in self.members(&binder.domain)? {
            self.look()?;
            self.bind(binder, code);
            sum = number::add(sum, self.sum(rest, filter, body)?);
        }
        Ok(sum)
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
            self.look()?;
            self.bind(binder, code);
            if !self.combinations(rest, each)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The smallest set that holds `from` and, with each member, all of `into`.
    pub fn spread(&mut self, local: LocalId, from: &Expr, into: &Expr, most: Option<&Expr>) -> Result<Val, Halt> {
        let mut all = self.sites(from)?;
        let most = match most {
            Some(most) => self.scalar(most)?,
            None => -1,
        };
        let mut fresh = all.clone();
        let mut rounds = 0;
        while !fresh.is_empty() && (most < 0 || rounds < most) {
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
