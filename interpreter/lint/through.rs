//! What is known of names that run through something, and of what conditions say about names.

use super::look::Look;
use super::rest::Codes;
use super::values::{Known, NOBODYS, Sites, both, without};
use crate::rules::expr::{Cmp, Fold};
use crate::rules::{Binder, Domain, Expr, ExprKind, LocalId, SiteSet, Ty};

/// What is known of a domain.
pub struct Reach {
    /// What a member may be.
    pub member: Known,
    /// So many members at least.
    pub least: i32,
    /// So many at most.
    pub most: i32,
}

impl Reach {
    /// Has it surely no member?
    pub fn is_nothing(&self) -> bool {
        self.most == 0
    }
}

impl Look<'_> {
    /// What is known of the members of a domain.
    pub fn reach(&mut self, domain: &Domain, local: LocalId) -> Reach {
        let rules = self.rules;
        let ty = rules.locals[local.0 as usize].ty;
        let any = |member: Known| Reach { member, least: 0, most: i32::MAX };
        match domain {
            Domain::Sites(set) | Domain::Going(set, _) => {
                let sites = self.known(set).as_sites(rules);
                let most = if sites.is_nothing() { 0 } else { sites.most.count() };
                let least = sites.least;
                Reach { member: Known::Site(Sites { least: 1, whole: false, ..sites }, false), least, most }
            }
            Domain::Mask(set) | Domain::Seats(set) => {
                let (most, least) = self.known(set).as_mask();
                let member = Known::Code(most, false);
                Reach { member, least: least.count_ones() as i32, most: most.count_ones() as i32 }
            }
            Domain::Bag(bag) => match &bag.kind {
                ExprKind::ConstBag(counts) if counts.iter().all(|&n| n == 0) => {
                    Reach { member: Known::top(rules, ty), least: 0, most: 0 }
                }
                _ => any(Known::top(rules, ty)),
            },
            Domain::Range(lo, hi) => {
                let (lo, hi) = (self.known(lo).range(), self.known(hi).range());
                let n = |from: i32, to: i32| (i64::from(to) - i64::from(from) + 1).clamp(0, i64::from(i32::MAX)) as i32;
                Reach { member: Known::Number(lo.0, hi.1), least: n(lo.1, hi.0), most: n(lo.0, hi.1) }
            }
            Domain::Listed(codes) => {
                let values = codes.iter().map(|&code| Known::scalar(rules, ty, code));
                let member = values.reduce(Known::join).unwrap_or_else(|| Known::top(rules, ty));
                Reach { member, least: codes.len() as i32, most: codes.len() as i32 }
            }
            Domain::Track(_) => any(Known::top(rules, ty)),
            Domain::Lines(lines) => {
                let rows = &rules.lines[*lines];
                let sites = rows.iter().fold(SiteSet::new(rules.n_sites()), |all, row| all.or(row));
                let least = rows.iter().map(SiteSet::count).min().unwrap_or(0);
                let n = rows.len() as i32;
                Reach { member: Known::Sites(Sites { least, ..Sites::some_of(sites) }), least: n, most: n }
            }
        }
    }

    pub(super) fn comprehend(
        &mut self,
        fold: Fold,
        binders: &[Binder],
        filter: Option<&Expr>,
        body: Option<&Expr>,
        ty: Ty,
    ) -> Known {
        self.aside(|me| {
            let rules = me.rules;
            let (mut least, mut most) = (1i64, 1i64);
            for binder in binders {
                let reach = me.reach(&binder.domain, binder.local);
                (least, most) = (least * i64::from(reach.least), most * i64::from(reach.most));
                (least, most) = (least.min(i64::from(i32::MAX)), most.min(i64::from(i32::MAX)));
                if most == 0 {
                    break;
                }
                me.set(binder.local, reach.member);
            }
            if let Some(filter) = filter.filter(|_| most > 0) {
                let asked = me.known(filter);
                most = if asked.never() { 0 } else { most };
                least = if asked.always() { least } else { 0 };
                me.assume(filter, true);
            }
            let value = body.filter(|_| most > 0).map(|body| me.known(body));
            let n = |n: i64| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
            match fold {
                Fold::Any => Known::truth(least == 0, most > 0),
                Fold::Count => Known::Number(n(least), n(most)),
                Fold::Sum => {
                    let (lo, hi) = value.map_or((0, 0), |value| value.range());
                    let (lo, hi) = (i64::from(lo), i64::from(hi));
                    Known::Number(n((lo * most).min(lo * least)), n((hi * most).max(hi * least)))
                }
                Fold::Min | Fold::Max => {
                    let (lo, hi) = value.map_or((0, 0), |value| value.range());
                    if least > 0 { Known::Number(lo, hi) } else { Known::Number(lo.min(0), hi.max(0)) }
                }
                Fold::Union if ty == Ty::Sites => match value {
                    None => Known::Sites(Sites::exactly(SiteSet::new(rules.n_sites()))),
                    Some(value) => {
                        let sites = value.as_sites(rules);
                        let some = least > 0 && sites.least > 0;
                        Known::Sites(Sites { least: i32::from(some), whole: false, ..sites })
                    }
                },
                Fold::Union if ty.is_mask() => match value {
                    None => Known::Mask(0, 0),
                    Some(value) => Known::Mask(value.as_mask().0, 0),
                },
                Fold::Union => Known::top(rules, ty),
            }
        })
    }

    /// Notes what a condition says about locals, if it holds (or does not).
    pub fn assume(&mut self, test: &Expr, on: bool) {
        use ExprKind::*;
        use Option::Some;
        match &test.kind {
            Not(a) => self.assume(a, !on),
            And(a, b) if on => {
                self.assume(a, true);
                self.assume(b, true);
            }
            Or(a, b) if !on => {
                self.assume(a, false);
                self.assume(b, false);
            }
            In(a, b) => {
                let Local(local) = a.kind else { return };
                match (Known::clone(&self.locals[local.0 as usize]), self.known(b)) {
                    (Known::Site(sites, _), Known::Sites(set)) if on => {
                        self.set(local, Known::Site(Sites { least: 1, whole: false, ..both(&sites, &set) }, false));
                    }
                    (Known::Site(sites, none), Known::Sites(set)) => {
                        self.set(local, Known::Site(without(&sites, &set), none));
                    }
                    (Known::Code(codes, _), Known::Mask(most, _)) if on => {
                        self.set(local, Known::Code(codes & most, false));
                    }
                    (Known::Code(codes, none), Known::Mask(_, least)) => {
                        self.set(local, Known::Code(codes & !least, none));
                    }
                    _ => {}
                }
            }
            Compare(cmp @ (Cmp::Eq | Cmp::Ne), a, b) => {
                let same = on == (*cmp == Cmp::Eq);
                for (one, other) in [(a, b), (b, a)] {
                    let Known::Code(codes, none) = self.known(other) else { continue };
                    if same {
                        self.narrow(one, Some((codes, none)));
                    } else if codes.count_ones() + u32::from(none) == 1 {
                        self.narrow(one, Some((!codes & (u64::MAX >> 1), !none)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Notes that a value is one of these codes.
    pub fn narrow(&mut self, value: &Expr, codes: Codes) {
        use ExprKind::*;
        use Option::Some;
        let Some((codes, none)) = codes else { return };
        match &value.kind {
            Local(local) => {
                if let Known::Code(old, old_none) = *self.locals[local.0 as usize] {
                    self.set(*local, Known::Code(old & codes, old_none && none));
                }
            }
            KindAt(site) | OwnerAt(site) => {
                let Local(local) = site.kind else { return };
                let Known::Site(mut sites, nowhere) = Known::clone(&self.locals[local.0 as usize]) else { return };
                let kinds = matches!(value.kind, KindAt(_));
                let empty = sites.what.empty && none;
                if kinds {
                    sites.what.kinds &= codes;
                } else {
                    sites.what.owners &= codes | if none { NOBODYS } else { 0 };
                }
                sites.what.empty = empty;
                sites.whole = false;
                self.set(local, Known::Site(sites, nowhere && none));
            }
            _ => {}
        }
    }
}
