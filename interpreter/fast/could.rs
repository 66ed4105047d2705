//! For which sites a set could have something in it: more sites than it has, perhaps, but never fewer. Good enough to leave out choices
//! from which nothing can follow.

use super::bits::Set;
use super::code::*;
use super::lift::Lift;
use crate::rules::expr::SetOp;

fn op<const W: usize>(op: SetOp, a: Sites<W>, b: Sites<W>) -> Sites<W> {
    Sites::Op(op, Box::new((a, b)))
}

impl<const W: usize> Lift<W> {
    /// The sites for which a set could have something in common with another, which does not depend on them; none if that is not known.
    pub fn could(&mut self, set: &Sites<W>, other: &Sites<W>) -> Option<Sites<W>> {
        if let Some(exactly) = self.meeting(set, other) {
            return Some(exactly);
        }
        match set {
            Sites::Op(SetOp::And, parts) => {
                for (own, second) in [(&parts.0, &parts.1), (&parts.1, &parts.0)] {
                    if let Some(second) = self.plain(second) {
                        return self.could(own, &op(SetOp::And, other.clone(), second));
                    }
                }
                match (self.could(&parts.0, other), self.could(&parts.1, other)) {
                    (Some(a), Some(b)) => Some(op(SetOp::And, a, b)),
                    (a, b) => a.or(b),
                }
            }
            Sites::Op(SetOp::Minus, parts) => match self.plain(&parts.1) {
                Some(less) => self.could(&parts.0, &op(SetOp::Minus, other.clone(), less)),
                None => self.could(&parts.0, other),
            },
            Sites::Op(SetOp::Or | SetOp::Add, parts) => {
                Some(op(SetOp::Or, self.could(&parts.0, other)?, self.could(&parts.1, other)?))
            }
            Sites::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let (a, b) = (self.could(a, other)?, self.could(b, other)?);
                    Some(self.one_of(c, a, b))
                }
                _ => None,
            },
            Sites::Single(site) => self.could_be(site, other),
            Sites::Ray(ray) => {
                let dir = self.code(&ray.dir)?;
                let (limit, over) = (self.code(&ray.limit)?, self.plain(&ray.over)?);
                if !(0..8).contains(&dir) {
                    return None;
                }
                let seen = Sites::Sights(vec![dir as u8], limit, Box::new((over, other.clone())));
                self.could_be(&ray.from, &seen)
            }
            Sites::Slot(slot) => match self.value(*slot)?.clone() {
                Val::Set(value) => self.could(&value, other),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sites for which a site could be in a set that does not depend on them.
    fn could_be(&mut self, site: &Int<W>, other: &Sites<W>) -> Option<Sites<W>> {
        if let Some(path) = self.path(site) {
            return Some(Self::back(&path, other.clone()));
        }
        match site {
            Int::The(set) => self.could(set, other),
            Int::Step(way, of) => self.could_be(of, &Sites::Back(*way, Box::new(other.clone()))),
            Int::Go(ways, of, dir) => {
                let way = *ways.get(self.code(dir)? as usize)?;
                self.could_be(of, &Sites::Back(way, Box::new(other.clone())))
            }
            Int::Slot(slot) => match self.value(*slot)?.clone() {
                Val::Int(value) => self.could_be(&value, other),
                _ => None,
            },
            Int::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let (a, b) = (self.could_be(a, other)?, self.could_be(b, other)?);
                    Some(self.one_of(c, a, b))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The first or the second, by a condition if it is known for which sites that holds.
    fn one_of(&mut self, c: &Cond<W>, a: Sites<W>, b: Sites<W>) -> Sites<W> {
        match self.cond(c) {
            // The condition first: where it holds for nobody, the rest is not looked at.
            Some(c) => {
                let (a, b) = (under(&a, &c, true), under(&b, &c, false));
                op(SetOp::Or, op(SetOp::And, c.clone(), a), op(SetOp::Minus, b, c))
            }
            None => op(SetOp::Or, a, b),
        }
    }
}

/// What a set is at sites that are in another, or at those that are not: parts that ask the same again are left out.
fn under<const W: usize>(set: &Sites<W>, c: &Sites<W>, holds: bool) -> Sites<W> {
    let none = Sites::Const(Set::EMPTY);
    let Sites::Op(kind, parts) = set else {
        return set.clone();
    };
    let (a, b) = (&parts.0, &parts.1);
    let both = |kind| op(kind, under(a, c, holds), under(b, c, holds));
    match kind {
        SetOp::And if a == c || b == c => {
            if !holds {
                return none;
            }
            under(if a == c { b } else { a }, c, holds)
        }
        SetOp::Minus if b == c => {
            if holds {
                return none;
            }
            under(a, c, holds)
        }
        SetOp::And => both(SetOp::And),
        SetOp::Minus => both(SetOp::Minus),
        SetOp::Or | SetOp::Add => match (under(a, c, holds), under(b, c, holds)) {
            (a, b) if a == none => b,
            (a, b) if b == none => a,
            (a, b) => op(SetOp::Or, a, b),
        },
    }
}
