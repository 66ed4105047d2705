//! Finds choices whose runs can be counted, and one of them drawn, without going through them.
//!
//! Three shapes are looked for: one choice after which nothing can fail; a site and then a place it can go to, said with walks and
//! slides; and a site (with a direction) followed by statements that touch only sites at fixed distances from it, perhaps in a loop that
//! the player may leave. Everything else is listed.

use super::bits::Set;
use super::chain::chains;
use super::code::*;
use super::graph::Nodes;
use super::lift::Lift;
use super::sets::union;
use super::switches::Switch;
use crate::rules::expr::SetOp;
use crate::rules::number;
use crate::syntax::ast::ArithOp;

/// How the runs from a choice are counted.
#[derive(Clone, Debug)]
pub enum Plan<const W: usize> {
    /// Each member is one run.
    One,
    /// Each member leads to another choice, each of whose members is one run; what is between changes nothing.
    Nested,
    /// A site, then where it goes.
    Pairs(Pairs<W>),
    /// A site, a direction, and what follows from them.
    Chain(Vec<Line<W>>),
    /// Branches, each of which leads to a choice that is counted, or nowhere.
    Branches,
    /// Runs that may fail later, or have more to choose: at most so many each. One is drawn and tried.
    Guess(Box<Plan<W>>, u32),
}

/// Sites and where they go.
#[derive(Clone, Debug, Default)]
pub struct Pairs<const W: usize> {
    /// Names to be bound first.
    pub binds: Vec<Bind<W>>,
    /// The second choice.
    pub second: u32,
    /// Names that get a value between the choices.
    pub between: Vec<Bind<W>>,
    /// Ways to go; no pair of sites is in two of them.
    pub streams: Vec<Stream<W>>,
}

/// One way to go.
#[derive(Clone, Debug)]
pub struct Stream<const W: usize> {
    /// Which sites go.
    pub from: Sites<W>,
    /// How.
    pub how: How<W>,
    /// Where they may arrive.
    pub land: Sites<W>,
    /// Do they begin and arrive where those of the stream before do?
    pub alike: bool,
}

/// How sites go.
#[derive(Clone, Debug, PartialEq)]
pub enum How<const W: usize> {
    /// By a walk that never brings two sites together.
    Step(u32),
    /// By the first walk (one step) again and again over these, at most so many steps after the first; below 0: no limit.
    Slide(u32, Sites<W>, i32),
}

/// A first choice and what has to hold, round by round.
#[derive(Clone, Debug)]
pub struct Line<const W: usize> {
    /// What is chosen after the site, if anything.
    pub second: Option<i32>,
    /// The sites that begin.
    pub from: Sites<W>,
    /// What has to hold for each further round, and what has to be so for this plan to be right.
    pub rounds: Vec<(Sites<W>, Vec<Sites<W>>)>,
    /// Is there a choice after each round, even the last?
    pub asks: bool,
}

/// Finds a plan for every choice.
pub fn find<const W: usize>(p: &mut Program<W>) {
    let wanted = p.switches.has(Switch::Count);
    let plans: Vec<Option<Plan<W>>> =
        (0..p.nodes.len() as u32).map(|node| if wanted { plan(p, node) } else { None }).collect();
    p.plans = plans;
    if p.switches.has(Switch::Fewer) {
        p.later = super::fewer::find(p);
        p.alone = super::fewer::alone(p);
        p.some_alone = p.alone.iter().any(Option::is_some);
    }
    let wanted = p.switches.has(Switch::Sure);
    let sure = |node| if wanted { super::sure::find(p, node) } else { None };
    p.sure = (0..p.nodes.len() as u32).map(sure).collect();
}

fn plan<const W: usize>(p: &mut Program<W>, at: u32) -> Option<Plan<W>> {
    let node = &p.nodes[at as usize];
    if let Op::Either(branches) = &node.op {
        return (p.n_best == 0 && !p.has_by && branches.len() < 63).then_some(Plan::Branches);
    }
    let Op::Choose(choose) = &node.op else {
        return None;
    };
    if choose.by.is_some() {
        return None;
    }
    let next = node.next;
    let sure = |at: u32| p.nodes[at as usize].tail.then_some(1);
    if sure(next).is_some() {
        return Some(Plan::One);
    }
    if p.switches.has(Switch::Pair)
        && let Some((pairs, _)) = pairs(p, at, &sure)
    {
        return Some(Plan::Pairs(pairs));
    }
    if p.switches.has(Switch::Chain)
        && let Some(chain) = chains(p, at)
    {
        return Some(Plan::Chain(chain));
    }
    let sure = |at: u32| p.nodes[at as usize].tail.then_some(1);
    if nested(p, next, &sure).is_some() {
        return Some(Plan::Nested);
    }
    if p.n_best > 0 || p.has_by || !p.switches.has(Switch::Guess) {
        return None;
    }
    let late = |at: u32| late(p, at);
    if p.switches.has(Switch::Pair)
        && let Some((pairs, most)) = pairs(p, at, &late)
    {
        return Some(Plan::Guess(Box::new(Plan::Pairs(pairs)), most));
    }
    if let Some(most) = nested(p, next, &late) {
        return Some(Plan::Guess(Box::new(Plan::Nested), most));
    }
    late(next).map(|most| Plan::Guess(Box::new(Plan::One), most))
}

/// How many runs there are at most from a node, if all that can still be chosen are members of sets of known size.
fn late<const W: usize>(p: &Program<W>, start: u32) -> Option<u32> {
    let mut seen = Nodes::from(start);
    let mut most = 1u64;
    while let Some(at) = seen.take() {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => return None,
            Op::Choose(choose) => {
                if reaches(p, node.next, at) {
                    return None;
                }
                most *= match &choose.name.dom {
                    Dom::Mask(Mask::Const(mask)) => u64::from(mask.count_ones()),
                    Dom::Listed(list) => list.len() as u64,
                    Dom::Sites(set) => bound(p, set),
                    _ => return None,
                };
            }
            Op::Commit(_) | Op::Roll(_) | Op::End => continue,
            _ => {}
        }
        if most > 4_096 {
            return None;
        }
        seen.add(super::graph::targets(node));
    }
    Some(most.max(1) as u32)
}

/// Does a node lead to another before a cut?
pub fn reaches<const W: usize>(p: &Program<W>, start: u32, goal: u32) -> bool {
    let mut seen = Nodes::from(start);
    while let Some(at) = seen.take() {
        if at == goal {
            return true;
        }
        let node = &p.nodes[at as usize];
        if matches!(node.op, Op::Commit(_) | Op::Roll(_) | Op::End) {
            continue;
        }
        seen.add(super::graph::targets(node));
    }
    false
}

/// How many members a set has at most.
pub fn bound<const W: usize>(p: &Program<W>, set: &Sites<W>) -> u64 {
    let all = p.layout.n_sites as u64;
    match set {
        Sites::Const(set) => set.count() as u64,
        Sites::Single(_) => 1,
        Sites::Table(table, ..) => table.iter().map(|set| set.count() as u64).max().unwrap_or(0),
        Sites::Slide(dirs, _) => {
            let from = |site: usize| -> u64 {
                dirs.iter().map(|&dir| p.ground.rays[usize::from(dir)][site].count() as u64).sum()
            };
            (0..p.layout.n_sites).map(from).max().unwrap_or(0)
        }
        Sites::Ray(_) => p.ground.rays.iter().flatten().map(|ray| ray.count() as u64).max().unwrap_or(0),
        Sites::Op(SetOp::And, parts) => bound(p, &parts.0).min(bound(p, &parts.1)),
        Sites::Op(SetOp::Or | SetOp::Add, parts) => (bound(p, &parts.0) + bound(p, &parts.1)).min(all),
        Sites::Op(SetOp::Minus, parts) => bound(p, &parts.0),
        Sites::Pick(pick) => match &**pick {
            Pick::If(_, a, b) => bound(p, a).max(bound(p, b)),
            Pick::Match(_, arms, other) => {
                arms.iter().map(|(_, arm)| bound(p, arm)).max().unwrap_or(0).max(bound(p, other))
            }
            Pick::Let(_, body) => bound(p, body),
            Pick::Otherwise(list) => list.iter().map(|set| bound(p, set)).max().unwrap_or(0),
        },
        _ => all,
    }
}

/// If only tests and names lie between here and a choice after which `ends` knows how many runs there are at most: how many.
fn nested<const W: usize>(p: &Program<W>, start: u32, ends: &dyn Fn(u32) -> Option<u32>) -> Option<u32> {
    let mut seen = Nodes::from(start);
    let mut most = 0;
    while let Some(at) = seen.take() {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Choose(_) => {
                most = most.max(ends(node.next)?);
                continue;
            }
            Op::Skip | Op::Bind(_, true) | Op::Require(_) | Op::Branch(..) | Op::Switch(..) => {}
            _ => return None,
        }
        seen.add(super::graph::targets(node));
    }
    (most > 0).then_some(most)
}

/// In both; nothing if one is known to be empty.
pub fn and<const W: usize>(a: Sites<W>, b: Sites<W>) -> Sites<W> {
    let none = Sites::Const(Set::EMPTY);
    let all = |set: &Sites<W>| matches!(set, Sites::When(c) if **c == Cond::Const(true));
    if a == none || b == none {
        return none;
    }
    if all(&a) || all(&b) {
        return if all(&a) { b } else { a };
    }
    Sites::Op(SetOp::And, Box::new((a, b)))
}

/// In the first alone.
pub fn minus<const W: usize>(a: Sites<W>, b: Sites<W>) -> Sites<W> {
    Sites::Op(SetOp::Minus, Box::new((a, b)))
}

/// The sites a choice offers, conditions that follow left out.
pub fn offered<const W: usize>(choose: &Choose<W>) -> Option<Sites<W>> {
    match &choose.name.dom {
        Dom::Sites(set) => Some(set.clone()),
        _ => None,
    }
}

/// A site and where it goes.
fn pairs<const W: usize>(p: &Program<W>, at: u32, ends: &dyn Fn(u32) -> Option<u32>) -> Option<(Pairs<W>, u32)> {
    let node = &p.nodes[at as usize];
    let Op::Choose(first) = &node.op else {
        return None;
    };
    let mut from = offered(first)?;
    let x = first.name.to;
    let mut lift = Lift::of(&p.layout, x).through(&from);
    let mut here = node.next;
    let mut between = Vec::new();
    let (second, most) = loop {
        let node = &p.nodes[here as usize];
        match &node.op {
            Op::Skip => {}
            Op::Bind(bind, true) => {
                lift.known.push((bind.to, bind.value.clone()));
                between.push(bind.clone());
            }
            Op::Require(c) => from = and(from, lift.cond(c)?),
            Op::Choose(second) => break (second, ends(node.next)?),
            _ => return None,
        }
        here = node.next;
    };
    let to = offered(second)?;
    let mut pairs = Pairs { second: here, between, ..Pairs::default() };
    let land = Sites::Const(p.ground.all);
    split(p, &mut lift, &to, from, land, &mut pairs)?;
    merge(&mut pairs.streams);
    for i in 1..pairs.streams.len() {
        let (before, stream) = (&pairs.streams[i - 1], &pairs.streams[i]);
        pairs.streams[i].alike = before.from == stream.from && before.land == stream.land;
    }
    disjoint(p, &pairs.streams).then_some((pairs, most))
}

/// Splits a set that depends on the site into ways to go.
fn split<const W: usize>(
    p: &Program<W>,
    lift: &mut Lift<W>,
    set: &Sites<W>,
    from: Sites<W>,
    land: Sites<W>,
    pairs: &mut Pairs<W>,
) -> Option<()> {
    let step = |pairs: &mut Pairs<W>, way: u32| {
        let single = p.ways[way as usize].back.iter().all(|back| back.count() <= 1);
        single.then(|| {
            if !excludes(p, &from, &from) {
                pairs.streams.push(Stream {
                    from: from.clone(),
                    how: How::Step(way),
                    land: land.clone(),
                    alike: false,
                });
            }
        })
    };
    match set {
        Sites::Const(none) if none.is_empty() => Some(()),
        Sites::Table(_, ways, of) if !ways.is_empty() && lift.is_name(of) => {
            ways.iter().try_for_each(|&way| step(pairs, way))
        }
        Sites::Single(site) => match &**site {
            Int::Step(way, of) if lift.is_name(of) => step(pairs, *way),
            _ => None,
        },
        Sites::Ray(ray) | Sites::Slide(_, ray) => {
            if !lift.is_name(&ray.from) || !lift.free_sites(&ray.over) {
                return None;
            }
            let dirs = match set {
                Sites::Slide(dirs, _) => dirs.clone(),
                _ => match ray.dir {
                    Int::Const(dir @ 0..8) => vec![dir as u8],
                    _ => return None,
                },
            };
            for (who, limit) in limits(lift, &ray.limit)? {
                let from = match who {
                    Who::All => from.clone(),
                    Who::These(who) => and(from.clone(), who),
                    Who::Others(who) => minus(from.clone(), who),
                };
                for &dir in &dirs {
                    p.ways[usize::from(dir)].offset?;
                    if !p.ground.straight[usize::from(dir)] {
                        return None;
                    }
                    if !excludes(p, &from, &from) {
                        let how = How::Slide(u32::from(dir), ray.over.clone(), limit);
                        pairs.streams.push(Stream { from: from.clone(), how, land: land.clone(), alike: false });
                    }
                }
            }
            Some(())
        }
        Sites::Op(SetOp::And, parts) => {
            let (own, free) = if lift.free_sites(&parts.1) {
                (&parts.0, &parts.1)
            } else if lift.free_sites(&parts.0) {
                (&parts.1, &parts.0)
            } else {
                return None;
            };
            split(p, lift, own, from, and(land, free.clone()), pairs)
        }
        Sites::Op(SetOp::Minus, parts) if lift.free_sites(&parts.1) => {
            split(p, lift, &parts.0, from, minus(land, parts.1.clone()), pairs)
        }
        Sites::Op(SetOp::Or | SetOp::Add, parts) => {
            split(p, lift, &parts.0, from.clone(), land.clone(), pairs)?;
            split(p, lift, &parts.1, from, land, pairs)
        }
        Sites::Pick(pick) => match &**pick {
            Pick::If(c, a, b) => {
                let c = lift.cond(c)?;
                split(p, lift, a, and(from.clone(), c.clone()), land.clone(), pairs)?;
                split(p, lift, b, minus(from, c), land, pairs)
            }
            Pick::Match(Int::KindAt(of), arms, other) if lift.is_name(of) => {
                let n_kinds = p.layout.n_kinds as i32;
                let sites = |kinds: &[i32]| {
                    let at = |kind: &i32| Sites::Slot(Slot::Word(p.layout.kind0 + *kind as u32 * W as u32));
                    union(kinds.iter().map(at).collect())
                };
                let mut rest = from.clone();
                let mut told = Vec::new();
                for (ranges, arm) in arms {
                    let kinds = ranges.iter().flat_map(|&(lo, hi)| lo.max(0)..=hi.min(n_kinds - 1));
                    let kinds: Vec<i32> = kinds.filter(|kind| !told.contains(kind)).collect();
                    split(p, lift, arm, and(from.clone(), sites(&kinds)), land.clone(), pairs)?;
                    rest = minus(rest, sites(&kinds));
                    told.extend(kinds);
                }
                let left: Vec<i32> = (0..n_kinds).filter(|kind| !told.contains(kind)).collect();
                if lift.is_owned() && left.len() <= 2 {
                    rest = and(from, sites(&left));
                }
                split(p, lift, other, rest, land, pairs)
            }
            Pick::Let(binds, body) => {
                for bind in binds {
                    if !lift.free(&bind.value) {
                        return None;
                    }
                    pairs.binds.push(bind.clone());
                }
                split(p, lift, body, from, land, pairs)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Is it sure that no pair of sites is in two of these?
fn disjoint<const W: usize>(p: &Program<W>, streams: &[Stream<W>]) -> bool {
    let leads = |stream: &Stream<W>, site: usize| match stream.how {
        How::Step(way) => Set::single(p.ways[way as usize].to[site + 1]),
        How::Slide(dir, ..) => p.ground.rays[dir as usize][site],
    };
    streams.iter().enumerate().all(|(i, a)| {
        streams[..i].iter().all(|b| {
            let apart = (0..p.layout.n_sites).all(|site| leads(a, site).and(leads(b, site)).is_empty());
            apart || excludes(p, &a.from, &b.from)
        })
    })
}

/// Ways to go that differ only in who goes are one.
fn merge<const W: usize>(streams: &mut Vec<Stream<W>>) {
    let mut merged: Vec<Stream<W>> = Vec::new();
    for stream in streams.drain(..) {
        match merged.iter_mut().find(|old| old.how == stream.how && old.land == stream.land) {
            Some(old) if old.from == stream.from => {}
            Some(old) => old.from = Sites::Op(SetOp::Or, Box::new((old.from.clone(), stream.from))),
            None => merged.push(stream),
        }
    }
    *streams = merged;
}

/// Some of those who go.
enum Who<const W: usize> {
    All,
    These(Sites<W>),
    Others(Sites<W>),
}

/// How far somebody may slide, and who.
fn limits<const W: usize>(lift: &mut Lift<W>, limit: &Int<W>) -> Option<Vec<(Who<W>, i32)>> {
    match limit {
        Int::Const(limit) => Some(vec![(Who::All, *limit)]),
        Int::Lookup(table, of) if lift.is_name(of) => {
            let mut found: Vec<(i32, Set<W>)> = Vec::new();
            for (site, &limit) in (0..).zip(&table[1..]) {
                match found.iter_mut().find(|(old, _)| *old == limit) {
                    Some((_, who)) => who.insert(site),
                    None => found.push((limit, Set::single(site))),
                }
            }
            (found.len() <= 4)
                .then(|| found.into_iter().map(|(limit, who)| (Who::These(Sites::Const(who)), limit)).collect())
        }
        Int::Pick(pick) => match &**pick {
            Pick::If(c, Int::Const(a), Int::Const(b)) => {
                let c = lift.cond(c)?;
                Some(vec![(Who::These(c.clone()), *a), (Who::Others(c), *b)])
            }
            _ => None,
        },
        Int::Arith(op, parts) => {
            let Int::Const(by) = parts.1 else {
                return None;
            };
            let list = limits(lift, &parts.0)?;
            let apply = match op {
                ArithOp::Add => number::add,
                ArithOp::Sub => number::sub,
                _ => return None,
            };
            Some(list.into_iter().map(|(who, limit)| (who, apply(limit, by))).collect())
        }
        _ => None,
    }
}

/// Do two sets surely have nothing in common, because one is what the other leaves over, or for pieces of different kinds or owners?
fn excludes<const W: usize>(p: &Program<W>, a: &Sites<W>, b: &Sites<W>) -> bool {
    fn parts<'s, const W: usize>(set: &'s Sites<W>, within: &mut Vec<&'s Sites<W>>, without: &mut Vec<&'s Sites<W>>) {
        match set {
            Sites::Op(SetOp::And, both) => {
                parts(&both.0, within, without);
                parts(&both.1, within, without);
            }
            Sites::Op(SetOp::Minus, both) => {
                parts(&both.0, within, without);
                without.push(&both.1);
            }
            set => within.push(set),
        }
    }
    // Of which kind or owner, if only there is one.
    let mark = |set: &Sites<W>| match set {
        Sites::Slot(Slot::Word(at)) if (p.layout.seat0..p.layout.empty).contains(at) => {
            Some((*at >= p.layout.kind0, *at))
        }
        _ => None,
    };
    let apart = |a: &Sites<W>, b: &Sites<W>| match (mark(a), mark(b)) {
        _ if matches!((a, b), (Sites::Const(a), Sites::Const(b)) if a.and(*b).is_empty()) => true,
        (Some((kind, a)), Some((other, b))) => kind == other && a != b,
        _ => false,
    };
    let none = Sites::Const(Set::EMPTY);
    if *a == none || *b == none {
        return true;
    }
    if let Sites::Op(SetOp::Or, both) = a {
        return excludes(p, &both.0, b) && excludes(p, &both.1, b);
    }
    if let Sites::Op(SetOp::Or, both) = b {
        return excludes(p, a, &both.0) && excludes(p, a, &both.1);
    }
    let (mut in_a, mut out_a, mut in_b, mut out_b) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    parts(a, &mut in_a, &mut out_a);
    parts(b, &mut in_b, &mut out_b);
    in_a.iter().any(|set| out_b.contains(set) || in_b.iter().any(|other| apart(set, other)))
        || in_b.iter().any(|set| out_a.contains(set))
}
