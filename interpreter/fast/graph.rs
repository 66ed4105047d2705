//! Finishes a program's graph: shortens it, finds out where runs surely end and where nothing changes, and moves conditions up
//! to the choice they are about.

use super::bits::Set;
use super::code::*;
use super::gates::{Found, Gate};
use super::lift::Lift;
use super::reads::Reads;
use super::switches::Switch;
use crate::rules::expr::SetOp;
use crate::rules::stmt::TableOp;
use std::collections::{BTreeMap, BTreeSet};

/// Finishes the graph.
pub fn finish<const W: usize>(p: &mut Program<W>) {
    shorten(p);
    if p.switches.has(Switch::Sow) {
        sowings(p);
    }
    super::twos::tables(p);
    if p.switches.has(Switch::Early) {
        move_up(p);
    }
    flags(p);
    live(p);
    let best = |node: &Node<W>| matches!(node.op, Op::Best(..)) && !p.nodes[node.next as usize].tail;
    p.hard_best = p.nodes.iter().any(best);
    trusted(p);
    if p.switches.has(Switch::Worth) {
        p.worth = super::worth::find(p);
    }
    for (at, node) in (0..).zip(&mut p.nodes) {
        if let Op::Choose(choose) = &mut node.op {
            choose.node = at;
        }
    }
    super::plan::find(p);
    if p.switches.has(Switch::Flat) {
        super::flat::flatten(p);
    }
}

/// Nodes in the order in which they are come to, each once.
pub struct Nodes {
    list: Vec<u32>,
    known: BTreeSet<u32>,
    passed: usize,
}

impl Nodes {
    /// From one on.
    pub fn from(start: u32) -> Nodes {
        Nodes { list: vec![start], known: BTreeSet::from([start]), passed: 0 }
    }

    /// The next that has not been looked at.
    pub fn take(&mut self) -> Option<u32> {
        let at = self.list.get(self.passed).copied();
        self.passed += 1;
        at
    }

    /// Others that are to be looked at, unless they have been come to before.
    pub fn add(&mut self, more: Vec<u32>) {
        let known = &mut self.known;
        self.list.extend(more.into_iter().filter(|&to| known.insert(to)));
    }
}

/// The nodes a node may go on to.
pub fn targets<const W: usize>(node: &Node<W>) -> Vec<u32> {
    match &node.op {
        Op::End => Vec::new(),
        Op::Either(list) => list.iter().map(|&(_, to)| to).collect(),
        Op::More(a, b) | Op::Possible(a, b) => vec![*a, *b],
        Op::Branch(_, a, b) => vec![*a, *b],
        Op::Switch(_, arms, other) => arms.iter().map(|&(_, to)| to).chain([*other]).collect(),
        Op::CountDown(_, out) | Op::IfLeft(_, out) | Op::ForNext(_, out) => vec![node.next, *out],
        Op::Sow(sow) => vec![node.next, sow.out],
        _ => vec![node.next],
    }
}

fn retarget<const W: usize>(node: &mut Node<W>, f: impl Fn(u32) -> u32) {
    node.next = f(node.next);
    match &mut node.op {
        Op::Either(list) => list.iter_mut().for_each(|(_, to)| *to = f(*to)),
        Op::More(a, b) | Op::Possible(a, b) | Op::Branch(_, a, b) => {
            *a = f(*a);
            *b = f(*b);
        }
        Op::Switch(_, arms, other) => {
            arms.iter_mut().for_each(|(_, to)| *to = f(*to));
            *other = f(*other);
        }
        Op::CountDown(_, out) | Op::IfLeft(_, out) | Op::ForNext(_, out) => *out = f(*out),
        Op::Sow(sow) => sow.out = f(sow.out),
        _ => {}
    }
}

/// Leaves out nodes that do nothing.
fn shorten<const W: usize>(p: &mut Program<W>) {
    let to: Vec<u32> = (0..p.nodes.len() as u32)
        .map(|start| {
            let mut at = start;
            for _ in 0..p.nodes.len() {
                match p.nodes[at as usize].op {
                    Op::Skip => at = p.nodes[at as usize].next,
                    Op::Branch(Cond::Const(true), yes, _) => at = yes,
                    Op::Branch(Cond::Const(false), _, no) => at = no,
                    _ => break,
                }
            }
            at
        })
        .collect();
    let f = |at: u32| to[at as usize];
    p.nodes.iter_mut().for_each(|node| retarget(node, f));
    p.setup = f(p.setup);
    for entry in p.turn.iter_mut().chain(&mut p.after) {
        *entry = f(*entry);
    }
}

/// Puts a node before each loop that drops one after the other along a walk, which does all rounds at once.
fn sowings<const W: usize>(p: &mut Program<W>) {
    for head in 0..p.nodes.len() as u32 {
        let Some((sow, last)) = sowing(p, head) else {
            continue;
        };
        let before = p.nodes.len() as u32;
        let f = |at: u32| if at == head { before } else { at };
        for (i, node) in p.nodes.iter_mut().enumerate() {
            if i as u32 != last {
                retarget(node, f);
            }
        }
        p.nodes.push(Node { next: head, ..Node::new(Op::Sow(Box::new(sow))) });
    }
}

/// The loop that begins at a node, if it drops one after the other; and its last node.
fn sowing<const W: usize>(p: &Program<W>, head: u32) -> Option<(Sow<W>, u32)> {
    let node = |at: u32| &p.nodes[at as usize];
    let Op::CountDown(counter, out) = node(head).op else {
        return None;
    };
    // A round begins with a step.
    let step = |round: u32| {
        let at = node(round).next;
        match (&node(round).op, &node(at).op) {
            (Op::Round(_), Op::Bind(Bind { to: Slot::Word(here), value: Val::Int(Int::StepOn(parts)) }, _))
                if **parts == (Int::Slot(Slot::Word(*here)), Int::Const(1)) =>
            {
                Some((*here, node(at).next))
            }
            _ => None,
        }
    };
    let (here, mut last) = step(node(head).next)?;
    let site = Int::StepSite(Box::new(Int::Slot(Slot::Word(here))));
    let mut skip = None;
    if let Op::Branch(Cond::In(parts), again, on) = &node(last).op {
        // Further steps for as long as the site is one of some that the loop does not change.
        let fixed = match &parts.1 {
            Sites::Const(_) => true,
            Sites::Slot(Slot::Word(at)) => *at as usize >= p.layout.position && *at != here,
            _ => false,
        };
        if !fixed || parts.0 != site || step(*again) != Some((here, last)) {
            return None;
        }
        skip = Some(parts.1.clone());
        last = *on;
    }
    match &node(last).op {
        Op::Table(var, TableOp::Add, Sites::Single(to), Int::Const(1)) if **to == site && node(last).next == head => {
            Some((Sow { counter, here, var: *var, skip, out }, last))
        }
        _ => None,
    }
}

/// Works out the flags of all nodes.
fn flags<const W: usize>(p: &mut Program<W>) {
    // What breaks a promise at a node breaks it at all nodes that lead there, up to the cut before.
    let n = p.nodes.len();
    let mut tail: Vec<bool> = Vec::with_capacity(n);
    let mut dirty: Vec<bool> = Vec::with_capacity(n);
    let mut notes: Vec<bool> = Vec::with_capacity(n);
    let mut fork: Vec<bool> = Vec::with_capacity(n);
    for node in &p.nodes {
        tail.push(!matches!(
            node.op,
            Op::Choose(_) | Op::Require(_) | Op::Best(..) | Op::Either(_) | Op::More(..) | Op::Possible(..)
        ));
        dirty.push(matches!(
            node.op,
            Op::Bind(_, false)
                | Op::SetVar(..)
                | Op::Table(..)
                | Op::Next(_)
                | Op::CountDown(..)
                | Op::Sow(_)
                | Op::ForInit(_)
                | Op::ForNext(..)
                | Op::Move(..)
                | Op::Carry(..)
                | Op::Take(_)
                | Op::Place(..)
                | Op::Change(..)
                | Op::Lay(..)
        ));
        notes.push(matches!(node.op, Op::Note));
        let way_on = matches!(node.op, Op::Choose(_) | Op::Best(..) | Op::Either(_) | Op::More(..) | Op::Possible(..));
        fork.push(way_on);
    }
    let mut early = dirty.clone();
    loop {
        let mut changed = false;
        for i in (0..n).rev() {
            if matches!(p.nodes[i].op, Op::Commit(_) | Op::Roll(_) | Op::End) {
                continue;
            }
            for to in targets(&p.nodes[i]) {
                let to = to as usize;
                if tail[i] && !tail[to] {
                    tail[i] = false;
                    changed = true;
                }
                if !dirty[i] && dirty[to] {
                    dirty[i] = true;
                    changed = true;
                }
                if !fork[i] && !early[i] && early[to] {
                    early[i] = true;
                    changed = true;
                }
                if !notes[i] && notes[to] {
                    notes[i] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for (i, node) in p.nodes.iter_mut().enumerate() {
        (node.tail, node.dirty, node.early, node.notes) = (tail[i], dirty[i], early[i], notes[i]);
    }
}

/// Conditions that stand behind a choice of sites, with only names given values between, are asked at the choice already.
fn move_up<const W: usize>(p: &mut Program<W>) {
    p.gates = vec![None; p.nodes.len()];
    for i in 0..p.nodes.len() {
        let Op::Choose(choose) = &p.nodes[i].op else {
            continue;
        };
        if matches!(choose.name.dom, Dom::Steps(..)) {
            let only = at_all(p, choose.name.to, p.nodes[i].next);
            if let Op::Choose(choose) = &mut p.nodes[i].op {
                choose.only = only;
            }
            continue;
        }
        if !matches!(choose.name.dom, Dom::Sites(_)) {
            continue;
        }
        let (x, next) = (choose.name.to, p.nodes[i].next);
        let lift = Lift::of(&p.layout, x);
        let lift = match &choose.name.dom {
            Dom::Sites(set) => lift.through(set),
            _ => lift,
        };
        let known = if p.switches.has(Switch::Gate) { Found::of(p, i as u32) } else { None };
        let mut ask =
            Ask { x, depth: known.as_ref().map_or(0, |(_, depth)| *depth), found: known.map(|(found, _)| found) };
        let only = required(p, &mut ask, lift, next, 2, 1);
        let known = only.is_some();
        if let Op::Choose(choose) = &mut p.nodes[i].op {
            choose.only = only;
        }
        if let Some(found) = ask.found
            && known
            && !found.gates.is_empty()
            && let Op::Choose(choose) = &mut p.nodes[i].op
        {
            choose.sets = found.sets;
            choose.depth = Some(ask.depth);
            p.gate_depths.push(ask.depth);
            for (node, gate) in found.gates {
                p.gates[node as usize] = Some(gate);
            }
        }
    }
}

/// The name of a choice, and what has been found about ways on from it.
struct Ask<const W: usize> {
    x: Slot,
    depth: u32,
    found: Option<Found<W>>,
}

impl<const W: usize> Ask<W> {
    /// Sites for which one of the ways on from a node, so many choices after the name's, may lead somewhere; none if one is not known.
    fn any_of(
        &mut self,
        p: &mut Program<W>,
        node: u32,
        choices: u32,
        ways: Vec<(u32, Option<Sites<W>>)>,
    ) -> Option<Sites<W>> {
        let ways: Vec<(u32, Sites<W>)> = ways.into_iter().map(|(way, set)| Some((way, set?))).collect::<Option<_>>()?;
        match &mut self.found {
            Some(found) if ways.iter().all(|(way, _)| *way < 63) && found.is_new(p, node) => {
                let gate = Gate { depth: self.depth, choices, name: self.x, ways: Vec::new() };
                Some(found.ways(p, node, gate, ways))
            }
            _ => ways
                .into_iter()
                .map(|(_, set)| set)
                .reduce(|a, b| Sites::Op(SetOp::Or, Box::new((a, b))))
                .or(Some(Sites::Const(Set::EMPTY))),
        }
    }
}

/// For which sites can the conditions hold that follow from a node on? None if nothing is known.
fn required<const W: usize>(
    p: &mut Program<W>,
    ask: &mut Ask<W>,
    mut lift: Lift<W>,
    start: u32,
    forks: u32,
    choices: u32,
) -> Option<Sites<W>> {
    let x = ask.x;
    let mut all: Option<Sites<W>> = None;
    let mut also = |one: Option<Sites<W>>| {
        all = match (all.take(), one) {
            (Some(all), Some(one)) => Some(Sites::Op(SetOp::And, Box::new((all, one)))),
            (all, one) => all.or(one),
        };
    };
    let mut at = start;
    for _ in 0..64 {
        let node = p.nodes[at as usize].clone();
        match &node.op {
            Op::Skip | Op::Round(_) => {}
            Op::Bind(bind, _) => {
                // The value may read names bound before; later readers see it through this.
                let mut again = bind.to == x || lift.known.iter().any(|(slot, _)| *slot == bind.to);
                let mut read = |slot: Slot| again |= slot == bind.to;
                bind.value.slots(&mut read);
                lift.known.iter().for_each(|(_, value)| value.slots(&mut read));
                if again {
                    break;
                }
                lift.known.push((bind.to, bind.value.clone()));
            }
            Op::Require(c) => {
                also(lift.cond(c));
            }
            // Where somebody else has to choose the move ends.
            Op::Choose(_) | Op::Either(_) if p.has_by => break,
            // There has to be something to choose; the choices after that are another matter.
            Op::Choose(choose) => {
                match &choose.name.dom {
                    Dom::Sites(set) => {
                        also(lift.some(set).or_else(|| lift.could(set, &Sites::When(Box::new(Cond::Const(true))))))
                    }
                    Dom::Bag(_, bag) => also(lift.cond(&Cond::SomeBag(Box::new(bag.clone())))),
                    // One out of a few, such as directions: the site must do for one of them.
                    Dom::Mask(Mask::Const(mask)) if forks > 0 && choose.name.to != x => {
                        let codes = (0..64u32).filter(|code| mask >> code & 1 == 1);
                        let mut ways = Vec::new();
                        for code in codes {
                            let mut lift = lift.clone();
                            lift.known.push((choose.name.to, Val::Int(Int::Const(code as i32))));
                            ways.push((code, required(p, ask, lift, node.next, forks - 1, choices + 1)));
                        }
                        also(ask.any_of(p, at, choices, ways));
                    }
                    _ => {}
                }
                break;
            }
            Op::Either(branches) if forks > 0 => {
                let mut ways = Vec::new();
                for (i, &(_, to)) in (0..).zip(branches) {
                    ways.push((i, required(p, ask, lift.clone(), to, forks - 1, choices + 1)));
                }
                also(ask.any_of(p, at, choices, ways));
                break;
            }
            _ => break,
        }
        at = node.next;
    }
    all
}

/// All sites, if the conditions that follow from a node on and do not depend on a name hold, and there is something to choose next; else none.
/// Nothing said: there are no such conditions.
fn at_all<const W: usize>(p: &Program<W>, x: Slot, start: u32) -> Option<Sites<W>> {
    let mut lift = Lift::of(&p.layout, x);
    let mut all = Vec::new();
    let mut at = start;
    for _ in 0..64 {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Skip | Op::Round(_) => {}
            Op::Bind(bind, _) => lift.known.push((bind.to, bind.value.clone())),
            Op::Require(c) if lift.free(c) => all.push(c.clone()),
            Op::Require(_) => {}
            Op::Choose(choose) if !p.has_by => {
                match &choose.name.dom {
                    Dom::Bag(_, bag) if lift.free(bag) => all.push(Cond::SomeBag(Box::new(bag.clone()))),
                    Dom::Sites(set) if lift.free(set) => all.push(Cond::Some(Box::new(set.clone()))),
                    _ => {}
                }
                break;
            }
            _ => break,
        }
        at = node.next;
    }
    let both = |a, b| Cond::And(Box::new((a, b)));
    all.into_iter().reduce(both).map(|c| Sites::When(Box::new(c)))
}

/// Works out for every node at which a move or a chance event may end which locals may be read from there on.
fn live<const W: usize>(p: &mut Program<W>) {
    let number: BTreeMap<u32, usize> = p.layout.locals.iter().enumerate().map(|(i, &(at, _))| (at, i)).collect();
    let n = p.nodes.len();
    let mut reads: Vec<BTreeSet<usize>> = Vec::with_capacity(n);
    let mut writes: Vec<BTreeSet<usize>> = Vec::with_capacity(n);
    for node in &p.nodes {
        let (mut r, mut w) = (BTreeSet::new(), BTreeSet::new());
        touched(&node.op, &mut |slot, read| {
            if let Slot::Word(at) = slot
                && let Some(&i) = number.get(&at)
            {
                if !read {
                    w.insert(i);
                } else if !w.contains(&i) {
                    r.insert(i);
                }
            }
        });
        reads.push(r);
        writes.push(w);
    }
    let mut live = reads.clone();
    loop {
        let mut changed = false;
        for i in (0..n).rev() {
            for to in targets(&p.nodes[i]) {
                let more: Vec<usize> = live[to as usize]
                    .iter()
                    .copied()
                    .filter(|local| !writes[i].contains(local) && !live[i].contains(local))
                    .collect();
                changed |= !more.is_empty();
                live[i].extend(more);
            }
        }
        if !changed {
            break;
        }
    }
    for (i, node) in p.nodes.iter_mut().enumerate() {
        node.live = live[i].iter().map(|&local| p.layout.locals[local]).collect();
    }
}

/// Finds the ways on that leave out requirements, and names that nothing but requirements asks for.
fn trusted<const W: usize>(p: &mut Program<W>) {
    let trust = p.switches.has(Switch::Trust);
    let number: BTreeMap<u32, usize> = p.layout.locals.iter().enumerate().map(|(i, &(at, _))| (at, i)).collect();
    let words = number.len().div_ceil(64);
    let set = |bits: &mut [u64], at: u32| {
        if let Some(&i) = number.get(&at) {
            bits[i / 64] |= 1 << (i % 64);
        }
    };
    // At a fork or cut requirements may be asked again.
    let ends = |op: &Op<W>| {
        matches!(
            op,
            Op::Choose(_) | Op::Either(_) | Op::Possible(..) | Op::Commit(_) | Op::Roll(_) | Op::Best(..) | Op::End
        )
    };
    let mut live = vec![vec![0u64; words]; p.nodes.len()];
    let mut touches: Vec<[Vec<u64>; 2]> = Vec::with_capacity(p.nodes.len());
    for (node, live) in p.nodes.iter().zip(&mut live) {
        let (mut reads, mut writes) = (vec![0u64; words], vec![0u64; words]);
        if ends(&node.op) {
            node.live.iter().for_each(|&(at, _)| set(live, at));
        } else if !matches!(node.op, Op::Require(_)) {
            touched(&node.op, &mut |slot, read| {
                if let Slot::Word(at) = slot
                    && let Some(&i) = number.get(&at)
                    && (!read || writes[i / 64] >> (i % 64) & 1 == 0)
                {
                    set(if read { &mut reads } else { &mut writes }, at);
                }
            });
        }
        touches.push([reads, writes]);
    }
    let idle = |node: &Node<W>, after: &[u64]| match &node.op {
        Op::Bind(Bind { to: Slot::Word(at), .. }, true) => {
            number.get(at).is_some_and(|&i| after[i / 64] >> (i % 64) & 1 == 0)
        }
        _ => false,
    };
    let to: Vec<Vec<u32>> = p.nodes.iter().map(targets).collect();
    let mut after = vec![0u64; words];
    loop {
        let mut changed = false;
        for i in (0..p.nodes.len()).rev() {
            let node = &p.nodes[i];
            if ends(&node.op) {
                continue;
            }
            after.fill(0);
            for &to in &to[i] {
                after.iter_mut().zip(&live[to as usize]).for_each(|(after, live)| *after |= live);
            }
            if !idle(node, &after) {
                let [reads, writes] = &touches[i];
                for (k, after) in after.iter_mut().enumerate() {
                    *after = *after & !writes[k] | reads[k];
                }
            }
            for (live, after) in live[i].iter_mut().zip(&after) {
                changed |= *after & !*live != 0;
                *live |= after;
            }
        }
        if !changed {
            break;
        }
    }
    for i in 0..p.nodes.len() {
        let mut at = p.nodes[i].next;
        for _ in 0..if trust { p.nodes.len() } else { 0 } {
            let node = &p.nodes[at as usize];
            if !matches!(node.op, Op::Skip | Op::Require(_)) && !idle(node, &live[node.next as usize]) {
                break;
            }
            at = node.next;
        }
        p.nodes[i].trusted = at;
    }
}

/// The slots that a node reads (true) and writes (false), in order.
fn touched<const W: usize>(op: &Op<W>, f: &mut dyn FnMut(Slot, bool)) {
    let read = |what: &dyn Reads, f: &mut dyn FnMut(Slot, bool)| what.slots(&mut |slot| f(slot, true));
    match op {
        Op::Skip
        | Op::Either(_)
        | Op::More(..)
        | Op::Possible(..)
        | Op::Commit(_)
        | Op::Note
        | Op::Round(_)
        | Op::End => {}
        Op::Bind(bind, _) => {
            read(&bind.value, f);
            f(bind.to, false);
        }
        Op::SetVar(_, index, value) => {
            read(index, f);
            read(value, f);
        }
        Op::Table(_, _, sites, value) => {
            read(sites, f);
            read(value, f);
        }
        Op::Next(a) | Op::Best(_, _, a) => read(a, f),
        Op::Choose(choose) => {
            read(&choose.by, f);
            choose.sets.iter().for_each(|(_, set)| read(set, f));
            read(&choose.only, f);
            read(&choose.name.dom, f);
            f(choose.name.to, false);
        }
        Op::Roll(roll) => {
            if let Some((times, _, index)) = &roll.bag {
                read(times, f);
                read(index, f);
            }
            for name in &roll.loops.loops {
                read(&name.dom, f);
                f(name.to, false);
            }
            read(&roll.loops.filter, f);
        }
        Op::Require(c) | Op::Branch(c, _, _) => read(c, f),
        Op::Switch(on, _, _) => read(on, f),
        Op::CountDown(counter, _) | Op::IfLeft(counter, _) => f(Slot::Word(*counter), true),
        Op::Sow(sow) => {
            f(Slot::Word(sow.counter), true);
            f(Slot::Word(sow.here), true);
            read(&sow.skip, f);
        }
        Op::ForInit(each) => {
            read(&each.name.dom, f);
            f(Slot::Word(each.state), false);
        }
        Op::ForNext(each, _) => {
            // The name gets a value unless the loop is over, and then nobody reads it.
            f(Slot::Word(each.state), true);
            f(each.name.to, false);
        }
        Op::Move(a, b) => {
            read(a, f);
            read(b, f);
        }
        Op::Take(a) => read(a, f),
        Op::Place(a, b, c) => {
            read(a, f);
            read(b, f);
            read(c, f);
        }
        Op::Carry(a, b, c) => {
            read(a, f);
            read(b, f);
            read(c, f);
        }
        Op::Change(a, b, c) => {
            read(a, f);
            read(b, f);
            read(c, f);
        }
        Op::Lay(text, _, place) => {
            read(text, f);
            if let Some((a, b, c)) = place {
                read(a, f);
                read(b, f);
                read(c, f);
            }
        }
    }
}
