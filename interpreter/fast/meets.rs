//! Does a fill come to certain sites? Where it does it mostly does so soon, so that the rest of it need not be worked out.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::lower::Lower;
use super::switches::Switch;
use crate::rules::expr::SetOp;

/// A fill, and what it is to come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Meets<const W: usize> {
    /// The fill.
    pub flood: Flood<W>,
    /// Is it the sites beside the fill, by the same walks, that are asked about, rather than its own?
    pub beside: bool,
    /// These sites.
    pub of: Sites<W>,
}

impl<const W: usize> Lower<W> {
    /// Of `some fill & S` and `some (fill + D - fill) & S`: the same in the form that ends early.
    pub fn meeting(&self, c: Cond<W>) -> Cond<W> {
        let Cond::Some(set) = &c else {
            return c;
        };
        let Sites::Op(SetOp::And, parts) = &**set else {
            return c;
        };
        if !self.uses(Switch::Meet) {
            return c;
        }
        for (fill, of) in [(&parts.0, &parts.1), (&parts.1, &parts.0)] {
            let found = match fill {
                Sites::Flood(flood) => Some((&**flood, false)),
                Sites::Pick(pick) => beside(pick).map(|flood| (flood, true)),
                _ => None,
            };
            if let Some((flood, beside)) = found {
                return Cond::Meets(Box::new(Meets { flood: flood.clone(), beside, of: of.clone() }));
            }
        }
        c
    }
}

/// What lies beside a fill by its own walks.
fn beside<const W: usize>(pick: &Pick<Sites<W>, W>) -> Option<&Flood<W>> {
    let Pick::Let(binds, Sites::Op(SetOp::Minus, parts)) = pick else {
        return None;
    };
    let [Bind { to, value: Val::Set(Sites::Flood(flood)) }] = &binds[..] else {
        return None;
    };
    let mut walks = Vec::new();
    let same = super::sets::shifts_of(*to, &parts.0, &mut walks) && walks == flood.walks;
    let whole = flood.via.is_none() && flood.limit.is_none() && flood.gates.is_empty();
    (same && whole && parts.1 == Sites::Slot(*to)).then_some(flood)
}

impl<const W: usize> Core<'_, W> {
    /// See `Meets`.
    pub fn meets(&mut self, meets: &Meets<W>) -> bool {
        let of = self.sites(&meets.of);
        if of.is_empty() {
            return false;
        }
        let from = self.sites(&meets.flood.from);
        let within = meets.flood.within.as_ref().map_or(self.p.ground.all, |set| self.sites(set));
        if !meets.beside {
            let all = self.fill(&meets.flood, from, &mut |fresh, _| !fresh.and(of).is_empty());
            return !all.and(of).is_empty();
        }
        // What may still become part of the fill does not lie beside it for certain.
        let sure = of.minus(within).minus(from);
        let mut met = false;
        let all = self.fill(&meets.flood, from, &mut |_, reached| {
            met |= !reached.and(sure).is_empty();
            met
        });
        let unsure = of.minus(sure);
        if met || unsure.is_empty() {
            return met;
        }
        let mut around = Set::EMPTY;
        for &way in &meets.flood.walks {
            around = around.or(self.p.ways[way as usize].ahead(all));
        }
        !around.minus(all).and(unsure).is_empty()
    }
}
