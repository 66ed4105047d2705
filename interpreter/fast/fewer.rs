//! How many runs a candidate may have, counted from the pieces that stand on the board.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::graph::Nodes;
use super::plan::Plan;
use super::tally::{Lot, Tally};
use crate::rules::expr::SetOp;

/// A choice that comes later: how many members it has at most, and the words of the sets of pieces, no more than which it offers.
pub type Later = (u32, Vec<u32>);

/// Of candidates: when nothing is left to choose after the site that was chosen last.
#[derive(Clone, Debug)]
pub enum Alone<const W: usize> {
    /// If it comes into no such row; all of them, if they are few.
    Rows(Rows<W>, Vec<Set<W>>),
    /// If it is none of these sites.
    Outside(Set<W>),
}

/// For each choice whose runs are guessed: when nothing is left to choose, if that is easily seen.
pub fn alone<const W: usize>(p: &Program<W>) -> Vec<Option<Alone<W>>> {
    (0..p.nodes.len())
        .map(|at| {
            let Some(Plan::Guess(inner, _)) = &p.plans[at] else {
                return None;
            };
            let last = match &**inner {
                Plan::One => at,
                Plan::Pairs(pairs) => pairs.second as usize,
                _ => return None,
            };
            let Op::Choose(choose) = &p.nodes[last].op else {
                return None;
            };
            let (site, start) = (choose.name.to, p.nodes[last].next);
            matches!(choose.name.dom, Dom::Sites(_))
                .then(|| rows_of(p, site, start).or_else(|| outside(p, site, start).map(Alone::Outside)))?
        })
        .collect()
}

/// The sites for which there may be more to choose, if for all others there is not.
fn outside<const W: usize>(p: &Program<W>, site: Slot, start: u32) -> Option<Set<W>> {
    let mut sites = Set::EMPTY;
    let mut seen = Nodes::from(start);
    while let Some(at) = seen.take() {
        let node = &p.nodes[at as usize];
        let ways = match &node.op {
            Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => return None,
            Op::Bind(bind, _) if bind.to == site => return None,
            Op::ForNext(each, _) if each.name.to == site => return None,
            Op::Commit(_) | Op::Roll(_) | Op::End => continue,
            Op::Branch(c, _, no) => match among(c, site) {
                Some(set) => {
                    sites = sites.or(set);
                    vec![*no]
                }
                None => super::graph::targets(node),
            },
            _ => super::graph::targets(node),
        };
        seen.add(ways);
    }
    (!sites.is_empty()).then_some(sites)
}

/// Fixed sites, one of which a site has to be so that a condition holds.
fn among<const W: usize>(c: &Cond<W>, site: Slot) -> Option<Set<W>> {
    match c {
        Cond::And(parts) => among(&parts.0, site).or_else(|| among(&parts.1, site)),
        Cond::In(parts) => match &**parts {
            (Int::Slot(slot), Sites::Const(set)) if *slot == site => Some(*set),
            _ => None,
        },
        _ => None,
    }
}

/// If more is chosen only where a site comes into a row of pieces, and nothing comes to these before that but on the site: the rows.
fn rows_of<const W: usize>(p: &Program<W>, site: Slot, start: u32) -> Option<Alone<W>> {
    if p.layout.piles.is_some() {
        return None;
    }
    let mut at = start;
    for _ in 0..32 {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Skip | Op::SetVar(..) | Op::Next(_) | Op::Take(_) => {}
            Op::Bind(bind, _) if bind.to != site => {}
            Op::Place(_, _, Sites::Single(to)) if **to == Int::Slot(site) => {}
            Op::Move(_, to) if *to == Int::Slot(site) => {}
            Op::Branch(Cond::In(parts), _, no) => {
                let Sites::Rows(rows) = &parts.1 else {
                    return None;
                };
                let pieces =
                    matches!(rows.of, Sites::Slot(Slot::Word(at)) if (p.layout.seat0..p.layout.empty).contains(&at));
                let wanted = pieces && rows.whole && parts.0 == Int::Slot(site) && p.nodes[*no as usize].tail;
                return wanted.then(|| Alone::Rows((**rows).clone(), each(rows)));
            }
            _ => return None,
        }
        at = node.next;
    }
    None
}

/// Rows, each once, if they are few.
fn each<const W: usize>(rows: &Rows<W>) -> Vec<Set<W>> {
    const MOST: usize = 64;
    let mut all: Vec<Set<W>> = Vec::new();
    for row in rows.through.1.iter().filter(|row| !row.is_empty()) {
        if !all.contains(row) {
            all.push(*row);
        }
        if all.len() > MOST {
            return Vec::new();
        }
    }
    all
}

/// For each choice whose runs are guessed: the choices that come later, if one of them is of pieces.
pub fn find<const W: usize>(p: &Program<W>) -> Vec<Option<Vec<Later>>> {
    (0..p.nodes.len())
        .map(|at| {
            let Some(Plan::Guess(inner, _)) = &p.plans[at] else {
                return None;
            };
            match &**inner {
                Plan::One => later(p, p.nodes[at].next),
                Plan::Pairs(pairs) => later(p, p.nodes[pairs.second as usize].next),
                _ => None,
            }
        })
        .collect()
}

/// The choices from a node on, if no set of pieces that they are about can grow on the way.
fn later<const W: usize>(p: &Program<W>, start: u32) -> Option<Vec<Later>> {
    if p.layout.piles.is_some() {
        return None;
    }
    let mut list = Vec::new();
    let mut grown = Vec::new();
    let mut seen = Nodes::from(start);
    while let Some(at) = seen.take() {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Commit(_) | Op::Roll(_) | Op::End => continue,
            Op::Choose(choose) => {
                let (most, words) = match &choose.name.dom {
                    Dom::Mask(Mask::Const(mask)) => (u64::from(mask.count_ones()), Vec::new()),
                    Dom::Listed(list) => (list.len() as u64, Vec::new()),
                    Dom::Sites(set) => (super::plan::bound(p, set), pieces(p, set).unwrap_or_default()),
                    _ => return None,
                };
                list.push((u32::try_from(most).ok()?, words));
            }
            Op::Place(_, Int::Const(owner), _) => {
                grown.push(p.layout.seat0 + (p.layout.owner_index(*owner) * W) as u32);
            }
            Op::Place(..) | Op::Change(..) | Op::Lay(..) | Op::Carry(..) => return None,
            _ => {}
        }
        seen.add(super::graph::targets(node));
    }
    for (_, words) in &mut list {
        if words.iter().any(|word| grown.contains(word)) {
            words.clear();
        }
    }
    list.iter().any(|(_, words)| !words.is_empty()).then_some(list)
}

/// The words of owners' sets that have all members of a set.
fn pieces<const W: usize>(p: &Program<W>, set: &Sites<W>) -> Option<Vec<u32>> {
    let both = |a: Vec<u32>, b: Vec<u32>| {
        let more = b.into_iter().filter(|word| !a.contains(word)).collect::<Vec<_>>();
        a.into_iter().chain(more).collect()
    };
    match set {
        Sites::Slot(Slot::Word(at)) if (p.layout.seat0..p.layout.kind0).contains(at) => Some(vec![*at]),
        Sites::Op(SetOp::And, parts) => pieces(p, &parts.0).or_else(|| pieces(p, &parts.1)),
        Sites::Op(SetOp::Minus, parts) => pieces(p, &parts.0),
        Sites::Op(SetOp::Or | SetOp::Add, parts) => Some(both(pieces(p, &parts.0)?, pieces(p, &parts.1)?)),
        Sites::Pick(pick) => match &**pick {
            Pick::If(_, a, b) => Some(both(pieces(p, a)?, pieces(p, b)?)),
            Pick::Otherwise(list) => list.iter().try_fold(Vec::new(), |all, set| Some(both(all, pieces(p, set)?))),
            Pick::Let(_, body) => pieces(p, body),
            Pick::Match(..) => None,
        },
        _ => None,
    }
}

impl<'p, const W: usize> Core<'p, W> {
    /// When nothing is left to choose after a candidate of a lot, if that is easily seen; and the node of the choice.
    fn alone_of(&self, lot: &Lot<W>) -> Option<(u32, &'p Alone<W>)> {
        let p = self.p;
        let nested =
            matches!(&p.plans[lot.fork as usize], Some(Plan::Guess(inner, _)) if matches!(**inner, Plan::Nested));
        let node = if nested { lot.by } else { lot.fork };
        let alone = p.alone.get(node as usize)?.as_ref()?;
        (!lot.set.is_empty()).then_some((node, alone))
    }

    /// Is it seen without carrying it out that a candidate has one run at most? Then: how many tries that counts for.
    pub(super) fn is_alone(&mut self, tally: &Tally<W>, candidate: u64) -> Option<u64> {
        let p = self.p;
        if !p.some_alone {
            return None;
        }
        let (lot, left) = tally.find(candidate)?;
        let (_, alone) = self.alone_of(&lot)?;
        let site = lot.set.nth(left);
        match alone {
            Alone::Outside(sites) => (!sites.has(site)).then_some(1),
            Alone::Rows(rows, _) => {
                let of = self.sites(&rows.of).or(Set::single(site));
                (!self.in_row(site, rows, of)).then_some(0)
            }
        }
    }

    /// Of the candidates of each lot those of which it is seen for all at once that they have one run at most; gives how many there are.
    pub(super) fn find_alone(&mut self, lots: &[Lot<W>], found: &mut Vec<Set<W>>) -> u64 {
        found.clear();
        let p = self.p;
        if !p.some_alone {
            return 0;
        }
        let mut known: Option<(u32, Set<W>)> = None;
        let mut sum = 0;
        for lot in lots {
            let mut set = Set::EMPTY;
            if let Some((node, alone)) = self.alone_of(lot) {
                let others = match known {
                    Some((other, set)) if other == node => set,
                    _ => self.perhaps_more(alone),
                };
                known = Some((node, others));
                set = lot.set.minus(others);
            }
            sum += set.count() as u64;
            found.push(set);
        }
        sum
    }

    /// The sites for which there may be more to choose.
    fn perhaps_more(&mut self, alone: &Alone<W>) -> Set<W> {
        match alone {
            Alone::Outside(sites) => *sites,
            Alone::Rows(_, all) if all.is_empty() => self.p.ground.all,
            Alone::Rows(rows, all) => {
                let of = self.sites(&rows.of);
                all.iter().fold(Set::EMPTY, |sites, row| match row.minus(of).count() {
                    0 => sites.or(*row),
                    1 => sites.or(row.minus(of)),
                    _ => sites,
                })
            }
        }
    }

    /// How many runs a candidate has at most in this position, if `most` is what is known without it.
    pub(super) fn most_now(&self, fork: u32, most: u32) -> u32 {
        let Some(Some(later)) = self.p.later.get(fork as usize) else {
            return most;
        };
        let count = |words: &[u32]| words.iter().map(|&at| self.set_at(at).count() as u32).sum::<u32>();
        let of = |(most, words): &Later| if words.is_empty() { *most } else { count(words).min(*most) };
        later.iter().fold(1u32, |all, one| all.saturating_mul(of(one).max(1))).min(most)
    }
}
