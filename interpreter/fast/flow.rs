//! Compiles statements to a graph of nodes.

use super::code::*;
use super::loops::Members;
use super::lower::{Bound, Lower, POSITION};
use crate::rules::expr::SetOp;
use crate::rules::{Binder, Block, Domain, Expr, LocalId, NONE, Stmt, StmtKind, Ty};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// What the compiler of statements keeps besides the compiler of expressions.
pub struct Flow<const W: usize> {
    /// The compiler of expressions.
    pub low: Lower<W>,
    /// How often each local is given a value, as written.
    pub bound: BTreeMap<LocalId, u32>,
    slots: BTreeMap<LocalId, Slot>,
    steady: BTreeSet<Slot>,
    exits: Vec<u32>,
}

impl<const W: usize> Flow<W> {
    /// A compiler for statements; `bound` says how often each local is given a value.
    pub fn new(low: Lower<W>, bound: BTreeMap<LocalId, u32>) -> Self {
        Flow { low, bound, slots: BTreeMap::new(), steady: BTreeSet::new(), exits: Vec::new() }
    }

    /// A new node.
    pub fn node(&mut self, op: Op<W>, next: u32) -> u32 {
        self.low.p.nodes.push(Node { next, ..Node::new(op) });
        self.low.p.nodes.len() as u32 - 1
    }

    /// A program: statements, then the end.
    pub fn program(&mut self, seat: i32, block: &Block) -> u32 {
        self.low.seat = seat;
        self.low.env.clear();
        let end = self.node(Op::End, 0);
        self.block(block, end)
    }

    fn block(&mut self, block: &[Stmt], next: u32) -> u32 {
        let entry = self.node(Op::Skip, next);
        let mut at = entry;
        for stmt in block {
            let after = self.node(Op::Skip, next);
            let first = self.stmt(stmt, after);
            self.low.p.nodes[at as usize].next = first;
            at = after;
        }
        entry
    }

    /// Words of the block for a counter or a loop.
    fn room(&mut self, words: usize) -> u32 {
        self.low.p.layout.local(words)
    }

    /// The slot of a local of the program; from now on the local is known by it.
    fn name(&mut self, local: LocalId) -> Slot {
        let ty = self.low.rules.locals[local.0 as usize].ty;
        let slot = match self.slots.get(&local) {
            Some(&slot) => slot,
            None => {
                let words = self.low.words(ty);
                let slot = Slot::Word(self.room(words));
                self.slots.insert(local, slot);
                slot
            }
        };
        // A name that is given a value more than once is part of the position as far as tables are concerned.
        if self.once(local) {
            self.steady.insert(slot);
        }
        let deps = if self.once(local) { self.low.bit_for(slot, ty) } else { POSITION };
        let value = self.low.slot_value(slot, ty);
        self.low.env.insert(local, Bound { value, deps });
        slot
    }

    fn once(&self, local: LocalId) -> bool {
        self.bound.get(&local).copied().unwrap_or(0) <= 1
    }

    fn stmt(&mut self, stmt: &Stmt, next: u32) -> u32 {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Local(local, e) => {
                let (value, deps) = self.low.value(e);
                let settled = match &value {
                    Val::Int(Int::Const(_)) => true,
                    Val::Int(Int::Slot(slot)) => self.steady.contains(slot),
                    Val::Int(_) => false,
                    Val::Mask(x) => matches!(x, Mask::Const(_)),
                    Val::Set(x) => matches!(x, Sites::Const(_)),
                    Val::Bag(x) => matches!(x, Bag::Const(_)),
                    Val::Table(_) => false,
                };
                if settled && self.once(*local) {
                    self.low.env.insert(*local, Bound { value, deps });
                    return next;
                }
                let once = self.once(*local);
                let to = self.name(*local);
                self.node(Op::Bind(Bind { to, value }, once), next)
            }
            StmtKind::Var(var, index, e) => {
                let index = index.as_ref().map(|index| self.low.int(index).0);
                let (value, _) = self.low.value(e);
                self.node(Op::SetVar(u32::from(*var), index, value), next)
            }
            StmtKind::Table(var, op, sites, value) => {
                let (sites, value) = (self.low.sites(sites).0, self.low.int(value).0);
                self.node(Op::Table(u32::from(*var), *op, sites, value), next)
            }
            StmtKind::Next(seat) => {
                let (seat, _) = self.low.int(seat);
                self.node(Op::Next(seat), next)
            }
            StmtKind::Choose { binders, filter, by } => self.choose(binders, filter.as_ref(), by.as_ref(), span, next),
            StmtKind::Roll { binders, filter } => self.roll(binders, filter.as_ref(), span, next),
            StmtKind::RollBag { times, var, index, domain } => {
                self.roll_bag(times, *var, index.as_ref(), domain, span, next)
            }
            StmtKind::Require(c, _) => {
                let (c, _) = self.low.cond(c);
                self.node(Op::Require(c), next)
            }
            StmtKind::Best(most, value) => {
                let (value, _) = self.low.int(value);
                let id = self.low.p.n_best as u32;
                self.low.p.n_best += 1;
                self.node(Op::Best(id, *most, value), next)
            }
            StmtKind::Either(branches) => {
                let mut list = Vec::new();
                for (otherwise, block) in branches {
                    list.push((*otherwise, self.block(block, next)));
                }
                self.node(Op::Either(list), next)
            }
            StmtKind::May(block) => {
                let body = self.block(block, next);
                self.node(Op::Either(vec![(false, body), (false, next)]), next)
            }
            StmtKind::OnceOrMore(possible, body) => {
                let head = self.node(Op::Round(span), 0);
                let again = self.node(if *possible { Op::Possible(head, next) } else { Op::More(head, next) }, next);
                self.loop_body(body, head, again, next);
                head
            }
            StmtKind::Times(n, body) => {
                let (counter, init) = self.counter(n);
                let head = self.node(Op::CountDown(counter, next), 0);
                let round = self.node(Op::Round(span), 0);
                self.low.p.nodes[head as usize].next = round;
                self.low.p.nodes[init as usize].next = head;
                self.loop_body(body, round, head, next);
                init
            }
            StmtKind::UpTo(n, body) => {
                let (counter, init) = self.counter(n);
                let one = Cond::Compare(
                    crate::rules::expr::Cmp::Ge,
                    Box::new((Int::Slot(Slot::Word(counter)), Int::Const(1))),
                );
                let enough = self.node(Op::Require(one), 0);
                let head = self.node(Op::CountDown(counter, next), 0);
                let round = self.node(Op::Round(span), 0);
                self.low.p.nodes[init as usize].next = enough;
                self.low.p.nodes[enough as usize].next = head;
                self.low.p.nodes[head as usize].next = round;
                let more = self.node(Op::More(head, next), next);
                let left = self.node(Op::IfLeft(counter, next), more);
                self.loop_body(body, round, left, next);
                init
            }
            StmtKind::While(c, body) => {
                let round = self.node(Op::Round(span), 0);
                let (c, _) = self.low.cond(c);
                let head = self.node(Op::Branch(c, round, next), round);
                self.loop_body(body, round, head, next);
                head
            }
            StmtKind::For(binders, filter, body) => {
                self.exits.push(next);
                let entry = self.for_loop(binders, filter.as_ref(), body, span, next);
                self.exits.pop();
                entry
            }
            StmtKind::Stop => match self.exits.last() {
                Some(&exit) => exit,
                None => crate::bug!("a stop outside of a loop"),
            },
            StmtKind::If(c, yes, no) => {
                let (c, _) = self.low.cond(c);
                match c {
                    Cond::Const(true) => self.block(yes, next),
                    Cond::Const(false) => self.block(no, next),
                    c => {
                        let (yes, no) = (self.block(yes, next), self.block(no, next));
                        self.node(Op::Branch(c, yes, no), next)
                    }
                }
            }
            StmtKind::Match(on, arms, other) => {
                let (on, _) = self.low.int(on);
                if let Int::Const(code) = on {
                    let arm = arms.iter().find(|(ranges, _)| ranges.iter().any(|&(lo, hi)| lo <= code && code <= hi));
                    return self.block(arm.map_or(other, |(_, arm)| arm), next);
                }
                let mut list = Vec::new();
                for (ranges, arm) in arms {
                    list.push((ranges.clone(), self.block(arm, next)));
                }
                let other = self.block(other, next);
                self.node(Op::Switch(on, list, other), next)
            }
            StmtKind::From(seat, body) => {
                let (seat, _) = self.low.int(seat);
                let own = self.low.seat;
                if let Int::Const(seat) = seat {
                    self.low.seat = seat;
                    let entry = self.block(body, next);
                    self.low.seat = own;
                    return entry;
                }
                let mut list = Vec::new();
                for seat in 0..self.low.rules.n_seats() as i32 {
                    self.low.seat = seat;
                    list.push((vec![(seat, seat)], self.block(body, next)));
                }
                self.low.seat = NONE;
                let other = self.block(body, next);
                self.low.seat = own;
                self.node(Op::Switch(seat, list, other), next)
            }
            StmtKind::Move(from, to) => {
                let (from, to) = (self.low.int(from).0, self.low.int(to).0);
                self.node(Op::Move(from, to), next)
            }
            StmtKind::Carry(from, to, n) => {
                let (from, to) = (self.low.int(from).0, self.low.int(to).0);
                let n = self.low.int(n).0;
                self.node(Op::Carry(from, to, n), next)
            }
            StmtKind::Take(sites) => {
                let (sites, _) = self.low.sites(sites);
                self.node(Op::Take(sites), next)
            }
            StmtKind::Place(kind, owner, sites) => {
                let (kind, owner) = (self.low.int(kind).0, self.low.int(owner).0);
                let (sites, _) = self.low.sites(sites);
                self.node(Op::Place(kind, owner, sites), next)
            }
            StmtKind::Change(sites, kind, owner) => {
                let (sites, kind) = (self.low.sites(sites).0, self.low.int(kind).0);
                let owner = owner.as_ref().map(|owner| self.low.int(owner).0);
                self.node(Op::Change(sites, kind, owner), next)
            }
            StmtKind::Lay(text, place) => {
                let (text, _) = self.low.int(text);
                let place = place
                    .as_ref()
                    .map(|(at, along, down)| (self.low.int(at).0, self.low.int(along).0, self.low.int(down).0));
                let seat = self.low.seat;
                self.node(Op::Lay(text, seat, place), next)
            }
            StmtKind::Commit => self.node(Op::Commit(span), next),
            StmtKind::Note(_) => self.node(Op::Note, next),
            StmtKind::Announce(_) => next,
        }
    }

    /// The body of a loop between its head and what comes after each round.
    fn loop_body(&mut self, body: &Block, head: u32, after: u32, exit: u32) {
        self.exits.push(exit);
        let entry = self.block(body, after);
        self.exits.pop();
        self.low.p.nodes[head as usize].next = entry;
    }

    fn counter(&mut self, n: &Expr) -> (u32, u32) {
        let (n, _) = self.low.int(n);
        let counter = self.room(1);
        let bind = Bind { to: Slot::Word(counter), value: Val::Int(n) };
        let init = self.node(Op::Bind(bind, false), 0);
        (counter, init)
    }

    fn for_loop(&mut self, binders: &[Binder], filter: Option<&Expr>, body: &Block, span: Span, next: u32) -> u32 {
        let Some((binder, rest)) = binders.split_first() else {
            let Some(filter) = filter else {
                return self.block(body, next);
            };
            let (c, _) = self.low.cond(filter);
            return match c {
                Cond::Const(true) => self.block(body, next),
                Cond::Const(false) => next,
                c => {
                    let entry = self.block(body, next);
                    self.node(Op::Branch(c, entry, next), next)
                }
            };
        };
        let unrolled = matches!(binder.domain, Domain::Seats(_)) && self.once(binder.local);
        let dom = match self.low.domain(binder) {
            (Members::Known(list), _) if unrolled => {
                let entry = self.node(Op::Skip, next);
                let mut at = entry;
                for code in list {
                    let bound = Bound { value: Val::Int(Int::Const(code)), deps: 0 };
                    self.low.env.insert(binder.local, bound);
                    let after = self.node(Op::Skip, next);
                    let first = self.for_loop(rest, filter, body, span, after);
                    let round = self.node(Op::Round(span), first);
                    self.low.p.nodes[at as usize].next = round;
                    at = after;
                }
                return entry;
            }
            (Members::Guarded(_), _) => crate::bug!("members with conditions where there are none"),
            (Members::Known(list), _) => Dom::Listed(list.into()),
            (Members::Run(dom, _), _) => dom,
        };
        let to = self.name(binder.local);
        let each = ForLoop { name: Loop { to, dom }, state: self.room(W + 2) };
        let init = self.node(Op::ForInit(Box::new(each.clone())), 0);
        let head = self.node(Op::ForNext(Box::new(each), next), 0);
        self.low.p.nodes[init as usize].next = head;
        let inner = self.for_loop(rest, filter, body, span, head);
        let round = self.node(Op::Round(span), inner);
        self.low.p.nodes[head as usize].next = round;
        init
    }

    fn choose(&mut self, binders: &[Binder], filter: Option<&Expr>, by: Option<&Expr>, span: Span, next: u32) -> u32 {
        let by = by.map(|by| self.low.int(by).0);
        self.low.p.has_by |= by.is_some();
        let mut first = None;
        let mut last: Option<u32> = None;
        for binder in binders {
            let ((dom, _), _) = self.low.running(binder);
            let to = self.name(binder.local);
            let choose = Choose {
                name: Loop { to, dom },
                by: by.clone(),
                only: None,
                sets: Vec::new(),
                depth: None,
                span,
                node: 0,
            };
            let node = self.node(Op::Choose(Box::new(choose)), next);
            if let Some(last) = last {
                self.low.p.nodes[last as usize].next = node;
            }
            first = first.or(Some(node));
            last = Some(node);
        }
        let (Some(first), Some(last)) = (first, last) else {
            return next;
        };
        if let Some(filter) = filter {
            self.filter_choice(filter, last, next);
        }
        first
    }

    /// The condition of a choice: what can be said with whole sets becomes part of the last name's domain.
    fn filter_choice(&mut self, filter: &Expr, last: u32, next: u32) {
        let (c, _) = self.low.cond(filter);
        let mut parts = Vec::new();
        conjuncts(c, &mut parts);
        let mut rest = Cond::Const(true);
        for part in parts {
            let lifted = match &self.low.p.nodes[last as usize].op {
                Op::Choose(choose) => self.low.lift(choose.name.to).and_then(|mut lift| lift.cond(&part)),
                _ => None,
            };
            let steps = match &self.low.p.nodes[last as usize].op {
                Op::Choose(choose) => self.low.steps_within(&choose.name, &part),
                _ => None,
            };
            let Op::Choose(choose) = &mut self.low.p.nodes[last as usize].op else {
                continue;
            };
            if let (Some(lifted), Dom::Sites(set)) = (lifted, &choose.name.dom) {
                choose.name.dom = Dom::Sites(Sites::Op(SetOp::And, Box::new((set.clone(), lifted))));
            } else if let Some(steps) = steps {
                choose.name.dom = steps;
            } else {
                rest = super::scalars::both(rest, part);
            }
        }
        if rest != Cond::Const(true) {
            let node = self.node(Op::Require(rest), next);
            self.low.p.nodes[last as usize].next = node;
        }
    }

    fn roll(&mut self, binders: &[Binder], filter: Option<&Expr>, span: Span, next: u32) -> u32 {
        let mut loops = Vec::new();
        for binder in binders {
            let ((dom, _), _) = self.low.running(binder);
            let to = self.name(binder.local);
            loops.push(Loop { to, dom });
        }
        let filter = filter.map(|filter| self.low.cond(filter).0);
        let roll = Roll { loops: Loops { loops, filter }, bag: None, span };
        self.node(Op::Roll(Box::new(roll)), next)
    }

    fn roll_bag(
        &mut self,
        times: &Expr,
        var: u16,
        index: Option<&Expr>,
        domain: &Domain,
        span: Span,
        next: u32,
    ) -> u32 {
        let (times, _) = self.low.int(times);
        let index = index.map(|index| self.low.int(index).0);
        let dom = self.low.domain_of_throw(domain);
        let to = Slot::Word(self.room(1));
        let roll = Roll {
            loops: Loops { loops: vec![Loop { to, dom }], filter: None },
            bag: Some((times, u32::from(var), index)),
            span,
        };
        self.node(Op::Roll(Box::new(roll)), next)
    }
}

impl<const W: usize> Lower<W> {
    /// The domain of throws into a bag, which has no name.
    fn domain_of_throw(&mut self, domain: &Domain) -> Dom<W> {
        match domain {
            Domain::Sites(e) => Dom::Sites(self.sites(e).0),
            Domain::Going(e, d) => Dom::Going(self.sites(e).0, self.int(d).0),
            Domain::Mask(e) => Dom::Mask(self.mask(e).0),
            Domain::Seats(e) => Dom::Seats(self.mask(e).0, self.seat),
            Domain::Bag(e) => match e.ty {
                Ty::Bag(ty) => Dom::Bag(ty, self.bag(e).0),
                _ => crate::bug!("a bag that is none"),
            },
            Domain::Range(a, b) => Dom::Range(self.int(a).0, self.int(b).0, b.span),
            Domain::Listed(list) => Dom::Listed(list.clone().into()),
            Domain::Track(e) => Dom::Track(self.int(e).0),
            Domain::Lines(_) => Dom::Listed([].into()),
        }
    }
}

/// The parts of an `and`.
pub fn conjuncts<const W: usize>(c: Cond<W>, out: &mut Vec<Cond<W>>) {
    match c {
        Cond::And(parts) => {
            conjuncts(parts.0, out);
            conjuncts(parts.1, out);
        }
        c => out.push(c),
    }
}

/// Counts how often each local is given a value.
pub fn count_bound(block: &[Stmt], bound: &mut BTreeMap<LocalId, u32>) {
    for stmt in block {
        let mut name = |local: LocalId| *bound.entry(local).or_insert(0) += 1;
        match &stmt.kind {
            StmtKind::Local(local, _) => name(*local),
            StmtKind::Choose { binders, .. } | StmtKind::Roll { binders, .. } => {
                binders.iter().for_each(|binder| name(binder.local));
            }
            StmtKind::For(binders, _, _) => binders.iter().for_each(|binder| name(binder.local)),
            _ => {}
        }
        match &stmt.kind {
            StmtKind::Either(branches) => branches.iter().for_each(|(_, block)| count_bound(block, bound)),
            StmtKind::May(block)
            | StmtKind::OnceOrMore(_, block)
            | StmtKind::Times(_, block)
            | StmtKind::UpTo(_, block)
            | StmtKind::While(_, block)
            | StmtKind::For(_, _, block)
            | StmtKind::From(_, block) => count_bound(block, bound),
            StmtKind::If(_, yes, no) => {
                count_bound(yes, bound);
                count_bound(no, bound);
            }
            StmtKind::Match(_, arms, other) => {
                arms.iter().for_each(|(_, block)| count_bound(block, bound));
                count_bound(other, bound);
            }
            StmtKind::Local(..)
            | StmtKind::Var(..)
            | StmtKind::Table(..)
            | StmtKind::Next(_)
            | StmtKind::Choose { .. }
            | StmtKind::Roll { .. }
            | StmtKind::RollBag { .. }
            | StmtKind::Require(..)
            | StmtKind::Best(..)
            | StmtKind::Stop
            | StmtKind::Move(..)
            | StmtKind::Carry(..)
            | StmtKind::Take(_)
            | StmtKind::Place(..)
            | StmtKind::Change(..)
            | StmtKind::Lay(..)
            | StmtKind::Commit
            | StmtKind::Note(_)
            | StmtKind::Announce(_) => {}
        }
    }
}
