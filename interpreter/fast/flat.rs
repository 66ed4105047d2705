//! Set algebra written as a row of steps: no step calls another, so a small expression is worked out in one go.
//!
//! In comes a finished program; expressions made of sets at hand, moved by fixed distances, become [`Sites::Flat`].

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::plan::{How, Pairs, Plan};
use super::switches::Switch;
use crate::rules::expr::SetOp;

/// How many sets may wait for each other.
const DEEPEST: usize = 4;

/// A set at hand.
#[derive(Clone, Debug, PartialEq)]
pub enum Leaf<const W: usize> {
    /// In the block.
    Word(u32),
    /// In registers.
    Reg(u32),
    /// Always the same.
    Const(Set<W>),
    /// The site that a word holds.
    Site(u32),
    /// Those of the block's that are in the mask, so many numbers higher.
    Up(u32, Set<W>, u32),
    /// The same, lower.
    Down(u32, Set<W>, u32),
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<const W: usize> {
    /// Begins with a set; what there was waits.
    Load(Leaf<W>),
    /// Keeps what is in it too.
    And(Leaf<W>),
    /// Adds it.
    Or(Leaf<W>),
    /// Takes it away.
    Minus(Leaf<W>),
    /// Keeps what is in the mask, and moves it so many numbers higher.
    Up(Set<W>, u32),
    /// The same, lower.
    Down(Set<W>, u32),
    /// Brings what waits and what there is together.
    Join(SetOp),
}

impl<const W: usize> Core<'_, W> {
    #[inline(always)]
    fn leaf(&self, leaf: &Leaf<W>) -> Set<W> {
        match leaf {
            Leaf::Word(at) => self.slot_set(Slot::Word(*at)),
            Leaf::Reg(at) => self.slot_set(Slot::Reg(*at)),
            Leaf::Const(set) => *set,
            Leaf::Site(at) => Set::single(self.scalar(*at)),
            Leaf::Up(at, mask, n) => self.slot_set(Slot::Word(*at)).and(*mask).up(*n),
            Leaf::Down(at, mask, n) => self.slot_set(Slot::Word(*at)).and(*mask).down(*n),
        }
    }

    /// Carries out steps.
    #[inline(never)]
    pub fn flat_of(&self, steps: &[Step<W>]) -> Set<W> {
        self.flat(steps)
    }

    /// The same, written out where it is asked for.
    #[inline(always)]
    pub fn flat(&self, steps: &[Step<W>]) -> Set<W> {
        let mut now = Set::EMPTY;
        let mut waiting = [Set::EMPTY; DEEPEST];
        let mut n = 0usize;
        for step in steps {
            match step {
                Step::And(leaf) => now = now.and(self.leaf(leaf)),
                Step::Or(leaf) => now = now.or(self.leaf(leaf)),
                Step::Minus(leaf) => now = now.minus(self.leaf(leaf)),
                Step::Up(mask, n) => now = now.and(*mask).up(*n),
                Step::Down(mask, n) => now = now.and(*mask).down(*n),
                Step::Load(leaf) => {
                    waiting[n % DEEPEST] = now;
                    n += 1;
                    now = self.leaf(leaf);
                }
                Step::Join(op) => {
                    n -= 1;
                    let before = waiting[n % DEEPEST];
                    now = match op {
                        SetOp::And => before.and(now),
                        SetOp::Or | SetOp::Add => before.or(now),
                        SetOp::Minus => before.minus(now),
                    };
                }
            }
        }
        now
    }
}

/// Rewrites all expressions of a program.
pub fn flatten<const W: usize>(p: &mut Program<W>) {
    let mut nodes = std::mem::take(&mut p.nodes);
    let mut plans = std::mem::take(&mut p.plans);
    let mut ends = std::mem::take(&mut p.ends);
    let flat = Flat { ways: &p.ways, all: p.ground.all, terms: p.switches.has(Switch::Terms) };
    nodes.iter_mut().for_each(|node| flat.op(&mut node.op));
    plans.iter_mut().flatten().for_each(|plan| flat.plan(plan));
    for (when, end) in ends.iter_mut().flatten() {
        flat.cond(when);
        if let End::Rank(keys) = end {
            keys.iter_mut().flatten().for_each(|key| flat.int(key));
        }
    }
    let mut sure = std::mem::take(&mut p.sure);
    let flat = Flat { ways: &p.ways, all: p.ground.all, terms: p.switches.has(Switch::Terms) };
    for sure in sure.iter_mut().flatten() {
        flat.pairs(&mut sure.pairs);
        flat.cond(&mut sure.guard);
        sure.stable.iter_mut().chain(&mut sure.reach).for_each(|set| flat.sites(set));
        for (who, to) in &mut sure.odd {
            flat.sites(who);
            flat.sites(to);
        }
    }
    (p.nodes, p.plans, p.ends, p.sure) = (nodes, plans, ends, sure);
}

struct Flat<'w, const W: usize> {
    ways: &'w [Way<W>],
    all: Set<W>,
    /// Are sums of products written as terms?
    terms: bool,
}

impl<const W: usize> Flat<'_, W> {
    /// The steps of an expression, if it is made of sets at hand; how many have to wait at most.
    fn steps(&self, set: &Sites<W>, steps: &mut Vec<Step<W>>) -> Option<usize> {
        if let Some(leaf) = self.leaf(set) {
            steps.push(Step::Load(leaf));
            return Some(1);
        }
        match set {
            Sites::Op(op, parts) => {
                let deep = self.steps(&parts.0, steps)?;
                if let Some(leaf) = self.leaf(&parts.1) {
                    steps.push(match op {
                        SetOp::And => Step::And(leaf),
                        SetOp::Or | SetOp::Add => Step::Or(leaf),
                        SetOp::Minus => Step::Minus(leaf),
                    });
                    return Some(deep);
                }
                let more = self.steps(&parts.1, steps)?;
                steps.push(Step::Join(*op));
                Some(deep.max(1 + more))
            }
            Sites::Not(inner) => {
                steps.push(Step::Load(Leaf::Const(self.all)));
                if let Some(leaf) = self.leaf(inner) {
                    steps.push(Step::Minus(leaf));
                    return Some(1);
                }
                let more = self.steps(inner, steps)?;
                steps.push(Step::Join(SetOp::Minus));
                Some(1 + more)
            }
            Sites::Shift(way, inner) | Sites::Back(way, inner) => {
                let deep = self.steps(inner, steps)?;
                let way = &self.ways[*way as usize];
                let (by, mask) = match set {
                    Sites::Shift(..) => (way.offset?, way.from),
                    _ => (way.offset?.wrapping_neg(), way.image),
                };
                let n = by.unsigned_abs();
                steps.push(if by >= 0 { Step::Up(mask, n) } else { Step::Down(mask, n) });
                Some(deep)
            }
            _ => None,
        }
    }

    fn leaf(&self, set: &Sites<W>) -> Option<Leaf<W>> {
        let moved = |by: i32, mask: Set<W>, of: &Sites<W>| match of {
            Sites::Slot(Slot::Word(at)) if by >= 0 => Some(Leaf::Up(*at, mask, by as u32)),
            Sites::Slot(Slot::Word(at)) => Some(Leaf::Down(*at, mask, by.unsigned_abs())),
            Sites::Const(set) => Some(Leaf::Const(set.and(mask).shifted(by))),
            _ => None,
        };
        match set {
            Sites::Const(set) => Some(Leaf::Const(*set)),
            Sites::When(c) if **c == Cond::Const(true) => Some(Leaf::Const(self.all)),
            Sites::Slot(Slot::Word(at)) => Some(Leaf::Word(*at)),
            Sites::Slot(Slot::Reg(at)) => Some(Leaf::Reg(*at)),
            Sites::Single(site) => match **site {
                Int::Slot(Slot::Word(at)) => Some(Leaf::Site(at)),
                _ => None,
            },
            Sites::Shift(way, of) => {
                let way = &self.ways[*way as usize];
                moved(way.offset?, way.from, of)
            }
            Sites::Back(way, of) => {
                let way = &self.ways[*way as usize];
                moved(way.offset?.wrapping_neg(), way.image, of)
            }
            _ => None,
        }
    }

    fn sites(&self, set: &mut Sites<W>) {
        if matches!(set, Sites::Op(..) | Sites::Not(_) | Sites::Shift(..) | Sites::Back(..)) {
            let mut steps = Vec::new();
            if self.steps(set, &mut steps).is_some_and(|deep| deep < DEEPEST) {
                *set = match &steps[..] {
                    [Step::Load(Leaf::Const(known))] => Sites::Const(*known),
                    [Step::Load(Leaf::Const(all)), Step::And(Leaf::Word(at))] if *all == self.all => {
                        Sites::Slot(Slot::Word(*at))
                    }
                    _ => {
                        let steps = tidied(steps, self.all);
                        match super::terms::of(&steps).filter(|_| self.terms) {
                            Some(terms) => Sites::Terms(terms.into()),
                            None => Sites::Flat(steps.into()),
                        }
                    }
                };
                return;
            }
        }
        match set {
            Sites::Const(_) | Sites::Slot(_) | Sites::Flat(_) | Sites::Twos(..) | Sites::Terms(_) => {}
            Sites::Nth(_, _, a)
            | Sites::OwnedBy(a)
            | Sites::Labelled(_, _, a)
            | Sites::Table(_, _, a)
            | Sites::Single(a)
            | Sites::TrackSites(a) => self.int(a),
            Sites::Kinds(mask) => self.mask(mask),
            Sites::Op(_, parts) => {
                self.sites(&mut parts.0);
                self.sites(&mut parts.1);
            }
            Sites::Not(a) | Sites::Shift(_, a) | Sites::Back(_, a) | Sites::Relate(_, _, a) => self.sites(a),
            Sites::When(c) => self.cond(c),
            Sites::ShiftDyn(parts) => {
                self.sites(&mut parts.0);
                self.int(&mut parts.1);
                self.int(&mut parts.2);
            }
            Sites::ShiftAll(parts) => {
                self.sites(&mut parts.0);
                self.mask(&mut parts.1);
                self.int(&mut parts.2);
            }
            Sites::Pick(pick) => self.pick(pick, Self::sites),
            Sites::Rectangle(parts) | Sites::StepRange(parts) => {
                self.int(&mut parts.0);
                self.int(&mut parts.1);
            }
            Sites::Filter(_, parts) => {
                self.sites(&mut parts.0);
                self.cond(&mut parts.1);
            }
            Sites::Union(loops, body) => {
                self.loops(loops);
                self.sites(body);
            }
            Sites::Collect(loops, body) => {
                self.loops(loops);
                self.int(body);
            }
            Sites::Ray(ray) | Sites::Slide(_, ray) => {
                self.int(&mut ray.from);
                self.int(&mut ray.dir);
                self.sites(&mut ray.over);
                self.int(&mut ray.limit);
            }
            Sites::Sights(_, _, parts) => {
                self.sites(&mut parts.0);
                self.sites(&mut parts.1);
            }
            Sites::Rows(rows) => self.sites(&mut rows.of),
            Sites::Flood(flood) => {
                self.sites(&mut flood.from);
                flood.within.iter_mut().chain(&mut flood.via).for_each(|set| self.sites(set));
                flood.limit.iter_mut().for_each(|limit| self.int(limit));
            }
            Sites::Spread(_, parts) => {
                self.sites(&mut parts.0);
                self.sites(&mut parts.1);
                parts.2.iter_mut().for_each(|limit| self.int(limit));
            }
        }
    }

    fn pick<T>(&self, pick: &mut Pick<T, W>, each: impl Fn(&Self, &mut T)) {
        match pick {
            Pick::If(c, a, b) => {
                self.cond(c);
                each(self, a);
                each(self, b);
            }
            Pick::Match(on, arms, other) => {
                self.int(on);
                arms.iter_mut().for_each(|(_, arm)| each(self, arm));
                each(self, other);
            }
            Pick::Let(binds, body) => {
                binds.iter_mut().for_each(|bind| self.value(&mut bind.value));
                each(self, body);
            }
            Pick::Otherwise(list) => list.iter_mut().for_each(|part| each(self, part)),
        }
    }

    fn value(&self, value: &mut Val<W>) {
        match value {
            Val::Int(x) => self.int(x),
            Val::Mask(x) => self.mask(x),
            Val::Set(x) => self.sites(x),
            Val::Bag(_) | Val::Table(_) => {}
        }
    }

    fn int(&self, x: &mut Int<W>) {
        match x {
            Int::Count(set) | Int::The(set) | Int::Heap(_, set) => self.sites(set),
            Int::Bool(c) => self.cond(c),
            Int::Pick(pick) => self.pick(pick, Self::int),
            Int::Arith(_, parts) => {
                self.int(&mut parts.0);
                self.int(&mut parts.1);
            }
            Int::Least(list) | Int::Greatest(list) => list.iter_mut().for_each(|x| self.int(x)),
            Int::Fold(_, loops, body) => {
                self.loops(loops);
                self.int(body);
            }
            Int::Negate(a) | Int::Abs(a) | Int::At(_, a) | Int::Entry(_, a) | Int::Lookup(_, a) => self.int(a),
            _ => {}
        }
    }

    fn cond(&self, c: &mut Cond<W>) {
        match c {
            Cond::True(x) => self.int(x),
            Cond::Not(c) => self.cond(c),
            Cond::And(parts) | Cond::Or(parts) => {
                self.cond(&mut parts.0);
                self.cond(&mut parts.1);
            }
            Cond::Compare(_, parts) => {
                self.int(&mut parts.0);
                self.int(&mut parts.1);
            }
            Cond::SameSites(parts) | Cond::Within(parts) => {
                self.sites(&mut parts.0);
                self.sites(&mut parts.1);
            }
            Cond::In(parts) => {
                self.int(&mut parts.0);
                self.sites(&mut parts.1);
            }
            Cond::Some(set) => self.sites(set),
            Cond::Any(loops) => self.loops(loops),
            Cond::Pick(pick) => self.pick(pick, Self::cond),
            _ => {}
        }
    }

    fn mask(&self, mask: &mut Mask<W>) {
        match mask {
            Mask::Op(_, parts) => {
                self.mask(&mut parts.0);
                self.mask(&mut parts.1);
            }
            Mask::Filter(_, parts) => {
                self.mask(&mut parts.0);
                self.cond(&mut parts.1);
            }
            Mask::Union(loops, body) => {
                self.loops(loops);
                self.mask(body);
            }
            Mask::Collect(loops, body) => {
                self.loops(loops);
                self.int(body);
            }
            Mask::Pick(pick) => self.pick(pick, Self::mask),
            _ => {}
        }
    }

    fn loops(&self, loops: &mut Loops<W>) {
        loops.loops.iter_mut().for_each(|name| self.dom(&mut name.dom));
        loops.filter.iter_mut().for_each(|filter| self.cond(filter));
    }

    fn dom(&self, dom: &mut Dom<W>) {
        match dom {
            Dom::Sites(set) | Dom::Steps(_, set) | Dom::Going(set, _) => self.sites(set),
            Dom::Mask(mask) | Dom::Seats(mask, _) => self.mask(mask),
            _ => {}
        }
    }

    fn op(&self, op: &mut Op<W>) {
        match op {
            Op::Bind(bind, _) => self.value(&mut bind.value),
            Op::SetVar(_, index, value) => {
                index.iter_mut().for_each(|index| self.int(index));
                self.value(value);
            }
            Op::Table(_, _, set, value) => {
                self.sites(set);
                self.int(value);
            }
            Op::Choose(choose) => {
                self.dom(&mut choose.name.dom);
                choose.sets.iter_mut().for_each(|(_, set)| self.sites(set));
                choose.only.iter_mut().for_each(|only| self.sites(only));
            }
            Op::Require(c) | Op::Branch(c, ..) => self.cond(c),
            Op::Best(_, _, value) | Op::Next(value) | Op::Switch(value, ..) => self.int(value),
            Op::ForInit(each) => self.dom(&mut each.name.dom),
            Op::Take(set) | Op::Place(_, _, set) | Op::Change(set, ..) => self.sites(set),
            _ => {}
        }
    }

    fn plan(&self, plan: &mut Plan<W>) {
        match plan {
            Plan::Pairs(pairs) => self.pairs(pairs),
            Plan::Chain(lines) => {
                for line in lines {
                    self.sites(&mut line.from);
                    for (holds, assumed) in &mut line.rounds {
                        self.sites(holds);
                        assumed.iter_mut().for_each(|set| self.sites(set));
                    }
                }
            }
            Plan::Guess(inner, _) => self.plan(inner),
            Plan::One | Plan::Nested | Plan::Branches => {}
        }
    }

    fn pairs(&self, pairs: &mut Pairs<W>) {
        pairs.binds.iter_mut().chain(&mut pairs.between).for_each(|bind| self.value(&mut bind.value));
        for stream in &mut pairs.streams {
            self.sites(&mut stream.from);
            self.sites(&mut stream.land);
            if let How::Slide(_, over, _) = &mut stream.how {
                self.sites(over);
            }
        }
    }
}

/// The same with constants first brought together.
fn tidied<const W: usize>(steps: Vec<Step<W>>, all: Set<W>) -> Vec<Step<W>> {
    let mut out: Vec<Step<W>> = Vec::new();
    for step in steps {
        let known = match (out.last(), &step) {
            (Some(Step::Load(Leaf::Const(a))), Step::And(Leaf::Const(b))) => Some(Leaf::Const(a.and(*b))),
            (Some(Step::Load(Leaf::Const(a))), Step::Or(Leaf::Const(b))) => Some(Leaf::Const(a.or(*b))),
            (Some(Step::Load(Leaf::Const(a))), Step::Minus(Leaf::Const(b))) => Some(Leaf::Const(a.minus(*b))),
            (Some(Step::Load(Leaf::Const(a))), Step::And(leaf)) if *a == all => Some(leaf.clone()),
            _ => None,
        };
        match known {
            Some(leaf) => {
                out.pop();
                out.push(Step::Load(leaf));
            }
            None => out.push(step),
        }
    }
    out
}
