//! Turns questions about one site into sets: "for which `x` does this hold?", answered by shifts and masks instead of a loop.

use super::bits::Set;
use super::code::*;
use super::layout::Layout;
use super::reads::Reads;
use super::scalars::some;
use super::sets::union;
use crate::rules::expr::{Cmp, SetOp};

/// A name that runs through sites, and names that stand for something said with it.
#[derive(Clone)]
pub struct Lift<const W: usize> {
    x: Slot,
    marks: Marks,
    /// Slots that will be bound, and what to; read only through this.
    pub known: Vec<(Slot, Val<W>)>,
}

/// Where sets by kind and owner lie.
#[derive(Clone, Copy)]
struct Marks {
    kind0: u32,
    n_kinds: i32,
    seat0: u32,
    n_seats: i32,
}

fn op<const W: usize>(op: SetOp, a: Sites<W>, b: Sites<W>) -> Sites<W> {
    Sites::Op(op, Box::new((a, b)))
}

impl<const W: usize> Lift<W> {
    /// For this name.
    pub fn of(layout: &Layout, x: Slot) -> Self {
        let marks = Marks {
            kind0: layout.kind0,
            n_kinds: layout.n_kinds as i32,
            seat0: layout.seat0,
            n_seats: layout.n_seats as i32,
        };
        Lift { x, marks, known: Vec::new() }
    }

    /// Does it depend neither on the name nor on anything said with it?
    pub fn free(&self, what: &dyn Reads) -> bool {
        let mut free = true;
        what.slots(&mut |slot| free &= slot != self.x && self.known.iter().all(|(known, _)| *known != slot));
        free
    }

    /// See [`Lift::free`].
    pub fn free_sites(&self, set: &Sites<W>) -> bool {
        self.free(set)
    }

    /// Is this the name itself, or another name for it?
    pub fn is_name(&self, site: &Int<W>) -> bool {
        self.path(site).is_some_and(|path| path.is_empty())
    }

    pub(super) fn value(&self, slot: Slot) -> Option<&Val<W>> {
        self.known.iter().rev().find(|(known, _)| *known == slot).map(|(_, value)| value)
    }

    /// The walks that lead from the name to this site, the first first.
    pub(super) fn path(&self, site: &Int<W>) -> Option<Vec<u32>> {
        match site {
            Int::Slot(slot) if *slot == self.x => Some(Vec::new()),
            Int::Slot(slot) => match self.value(*slot)? {
                Val::Int(value) => self.path(value),
                _ => None,
            },
            Int::Step(way, from) => {
                let mut path = self.path(from)?;
                path.push(*way);
                Some(path)
            }
            Int::Go(ways, from, dir) => {
                let dir = self.code(dir)?;
                let mut path = self.path(from)?;
                path.push(*ways.get(dir as usize)?);
                Some(path)
            }
            _ => None,
        }
    }

    pub(super) fn code(&self, x: &Int<W>) -> Option<i32> {
        match x {
            Int::Const(code) => Some(*code),
            Int::Slot(slot) => match self.value(*slot)? {
                Val::Int(value) => self.code(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// A set without names that are known but not yet bound; none if it depends on the site.
    pub(super) fn plain(&self, set: &Sites<W>) -> Option<Sites<W>> {
        if self.free(set) {
            return Some(set.clone());
        }
        match set {
            Sites::Slot(slot) => match self.value(*slot)? {
                Val::Set(value) => self.plain(value),
                _ => None,
            },
            Sites::Op(kind, parts) => Some(op(*kind, self.plain(&parts.0)?, self.plain(&parts.1)?)),
            _ => None,
        }
    }

    /// The sites for which a scalar of a piece lies in some ranges, if it is the kind or owner of a piece at a walk from the name.
    fn on(&self, on: &Int<W>, ranges: &[(i32, i32)]) -> Option<Sites<W>> {
        let (of, base, n) = match on {
            Int::KindAt(of) => (of, self.marks.kind0, self.marks.n_kinds),
            Int::OwnerAt(of) => (of, self.marks.seat0, self.marks.n_seats),
            _ => return None,
        };
        let path = self.path(of)?;
        let mut sets = Vec::new();
        for code in ranges.iter().flat_map(|&(lo, hi)| lo..=hi.min(64)) {
            if !(0..n).contains(&code) {
                return None;
            }
            sets.push(Sites::Slot(Slot::Word(base + code as u32 * W as u32)));
        }
        Some(Self::back(&path, union(sets)))
    }

    pub(super) fn back(path: &[u32], set: Sites<W>) -> Sites<W> {
        path.iter().rev().fold(set, |set, &way| Sites::Back(way, Box::new(set)))
    }

    /// The sites for which a condition holds, or none if that cannot be said with whole sets.
    pub fn cond(&mut self, c: &Cond<W>) -> Option<Sites<W>> {
        if self.free(c) {
            return Some(Sites::When(Box::new(c.clone())));
        }
        match c {
            Cond::Not(c) => Some(Sites::Not(Box::new(self.cond(c)?))),
            Cond::And(parts) => Some(op(SetOp::And, self.cond(&parts.0)?, self.cond(&parts.1)?)),
            Cond::Or(parts) => Some(op(SetOp::Or, self.cond(&parts.0)?, self.cond(&parts.1)?)),
            Cond::In(parts) => {
                if let Some(set) = self.plain(&parts.1) {
                    let path = self.path(&parts.0)?;
                    return Some(Self::back(&path, set));
                }
                if !self.free(&parts.0) {
                    return None;
                }
                self.meeting(&parts.1, &Sites::Single(Box::new(parts.0.clone())))
            }
            Cond::True(Int::Bool(c)) => self.cond(c),
            Cond::True(Int::Slot(slot)) => match self.value(*slot)?.clone() {
                Val::Int(Int::Bool(c)) => self.cond(&c),
                _ => None,
            },
            Cond::SomeBag(bag) => self.some_bag(bag),
            Cond::Some(set) => self.meeting(set, &Sites::When(Box::new(Cond::Const(true)))),
            Cond::Compare(cmp @ (Cmp::Eq | Cmp::Ne), parts) => {
                let (at, site) = match &**parts {
                    (a, Int::Const(code)) | (Int::Const(code), a) if *code >= 0 => (a, *code),
                    _ => return None,
                };
                let path = self.path(at)?;
                let set = Self::back(&path, Sites::Const(Set::single(site)));
                Some(if *cmp == Cmp::Eq { set } else { Sites::Not(Box::new(set)) })
            }
            Cond::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let (c, a, b) = (self.cond(c)?, self.cond(a)?, self.cond(b)?);
                    Some(op(SetOp::Or, op(SetOp::And, c.clone(), a), op(SetOp::Minus, b, c)))
                }
                Pick::Match(on, arms, other) => {
                    let mut out = self.cond(other)?;
                    for (ranges, arm) in arms.iter().rev() {
                        let (here, arm) = (self.on(on, ranges)?, self.cond(arm)?);
                        out = op(SetOp::Or, op(SetOp::And, here.clone(), arm), op(SetOp::Minus, out, here));
                    }
                    Some(out)
                }
                Pick::Let(binds, body) => {
                    let before = self.known.len();
                    let mut free = Vec::new();
                    for bind in binds {
                        if self.free(&bind.value) {
                            free.push(bind.clone());
                        } else {
                            self.known.push((bind.to, bind.value.clone()));
                        }
                    }
                    let lifted = self.cond(body);
                    self.known.truncate(before);
                    let lifted = lifted?;
                    Some(if free.is_empty() { lifted } else { Sites::Pick(Box::new(Pick::Let(free, lifted))) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The sites for which a bag is not empty, if it depends on them by what stands there.
    fn some_bag(&mut self, bag: &Bag<W>) -> Option<Sites<W>> {
        if self.free(bag) {
            return Some(Sites::When(Box::new(Cond::SomeBag(Box::new(bag.clone())))));
        }
        match bag {
            Bag::Op(SetOp::And, parts) => {
                let (own, free) = match (self.free(&parts.0), self.free(&parts.1)) {
                    (_, true) => (&parts.0, &parts.1),
                    (true, _) => (&parts.1, &parts.0),
                    _ => return None,
                };
                let Bag::Pick(pick) = own else {
                    return None;
                };
                let Pick::Match(on, arms, other) = &**pick else {
                    return None;
                };
                let both = |arm: &Bag<W>| Bag::Op(SetOp::And, Box::new((arm.clone(), free.clone())));
                let mut out = self.some_bag(&both(other))?;
                for (ranges, arm) in arms.iter().rev() {
                    let (here, arm) = (self.on(on, ranges)?, self.some_bag(&both(arm))?);
                    out = op(SetOp::Or, op(SetOp::And, here.clone(), arm), op(SetOp::Minus, out, here));
                }
                Some(out)
            }
            _ => None,
        }
    }

    /// The sites `x` for which `set(x)` and `other` have something in common.
    pub(super) fn meeting(&mut self, set: &Sites<W>, other: &Sites<W>) -> Option<Sites<W>> {
        if set == &Sites::Const(Set::EMPTY) {
            return Some(set.clone());
        }
        if self.free(set) {
            let common = some(op(SetOp::And, set.clone(), other.clone()));
            return Some(Sites::When(Box::new(common)));
        }
        match set {
            Sites::Single(site) => Some(Self::back(&self.path(site)?, other.clone())),
            Sites::Table(_, ways, of) if !ways.is_empty() => {
                let path = self.path(of)?;
                let list =
                    ways.iter().map(|&way| Self::back(&path, Sites::Back(way, Box::new(other.clone())))).collect();
                Some(union(list))
            }
            Sites::Op(SetOp::Or | SetOp::Add, parts) => {
                let (a, b) = (self.meeting(&parts.0, other)?, self.meeting(&parts.1, other)?);
                Some(op(SetOp::Or, a, b))
            }
            Sites::Op(SetOp::And, parts) => {
                let (a, b) = (&parts.0, &parts.1);
                let (own, free) = if self.free(b) {
                    (a, b)
                } else if self.free(a) {
                    (b, a)
                } else {
                    return None;
                };
                self.meeting(own, &op(SetOp::And, other.clone(), free.clone()))
            }
            Sites::Op(SetOp::Minus, parts) if self.free(&parts.1) => {
                let rest = op(SetOp::Minus, other.clone(), parts.1.clone());
                self.meeting(&parts.0, &rest)
            }
            Sites::Ray(ray) => {
                let dir = self.code(&ray.dir)?;
                self.sight(ray, &[dir as u8], other)
            }
            Sites::Slide(dirs, ray) => self.sight(ray, dirs, other),
            Sites::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    let c = self.cond(c)?;
                    let (a, b) = (self.meeting(a, other)?, self.meeting(b, other)?);
                    let none = Sites::Const(Set::EMPTY);
                    let yes = op(SetOp::And, c.clone(), a);
                    Some(if b == none { yes } else { op(SetOp::Or, yes, op(SetOp::Minus, b, c)) })
                }
                Pick::Match(on, arms, last) => {
                    let mut out = self.meeting(last, other)?;
                    let none = Sites::Const(Set::EMPTY);
                    for (ranges, arm) in arms.iter().rev() {
                        let (here, arm) = (self.on(on, ranges)?, self.meeting(arm, other)?);
                        // Arms of a piece's kind or owner exclude each other.
                        let yes = op(SetOp::And, here, arm);
                        out = if out == none { yes } else { op(SetOp::Or, yes, out) };
                    }
                    // What none of the arms is about must not count where one of them is.
                    (self.meeting(last, other)? == none).then_some(out)
                }
                Pick::Let(binds, body) => {
                    let before = self.known.len();
                    let mut free = Vec::new();
                    for bind in binds {
                        if self.free(&bind.value) {
                            free.push(bind.clone());
                        } else {
                            self.known.push((bind.to, bind.value.clone()));
                        }
                    }
                    let lifted = self.meeting(body, other);
                    self.known.truncate(before);
                    let lifted = lifted?;
                    Some(if free.is_empty() { lifted } else { Sites::Pick(Box::new(Pick::Let(free, lifted))) })
                }
                Pick::Otherwise(_) => None,
            },
            Sites::Shift(way, from) => self.meeting(from, &Sites::Back(*way, Box::new(other.clone()))),
            Sites::Slot(slot) => match self.value(*slot)?.clone() {
                Val::Set(value) => self.meeting(&value, other),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sites from which rays meet a set.
    fn sight(&mut self, ray: &RayOf<W>, dirs: &[u8], target: &Sites<W>) -> Option<Sites<W>> {
        let path = self.path(&ray.from)?;
        let limit = self.code(&ray.limit)?;
        let over = self.plain(&ray.over)?;
        let list = dirs
            .iter()
            .filter(|&&dir| dir < 8)
            .map(|&dir| {
                let parts = Box::new((over.clone(), target.clone()));
                Self::back(&path, Sites::Sight(u32::from(dir), limit, parts))
            })
            .collect();
        Some(union(list))
    }

    /// `term(x)` of all `x` in a set together.
    pub fn image(&mut self, set: &Sites<W>, term: &Sites<W>) -> Option<Sites<W>> {
        if self.free(term) {
            return Some(Sites::Pick(Box::new(Pick::If(some(set.clone()), term.clone(), Sites::Const(Set::EMPTY)))));
        }
        match term {
            Sites::Single(site) => {
                let path = self.path(site)?;
                Some(path.iter().fold(set.clone(), |set, &way| Sites::Shift(way, Box::new(set))))
            }
            Sites::Table(_, ways, of) if !ways.is_empty() && **of == Int::Slot(self.x) => {
                Some(union(ways.iter().map(|&way| Sites::Shift(way, Box::new(set.clone()))).collect()))
            }
            Sites::Op(SetOp::And, parts) => {
                let (a, b) = (&parts.0, &parts.1);
                let (own, free) = if self.free(b) {
                    (a, b)
                } else if self.free(a) {
                    (b, a)
                } else {
                    return None;
                };
                Some(op(SetOp::And, self.image(set, own)?, free.clone()))
            }
            Sites::Op(SetOp::Minus, parts) if self.free(&parts.1) => {
                Some(op(SetOp::Minus, self.image(set, &parts.0)?, parts.1.clone()))
            }
            Sites::Pick(pick) => match &**pick {
                Pick::If(c, a, b) if *b == Sites::Const(Set::EMPTY) => {
                    let lifted = self.cond(c)?;
                    self.image(&op(SetOp::And, set.clone(), lifted), a)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Does a set not depend on a name?
pub fn free_of<const W: usize>(x: Slot, set: &Sites<W>) -> bool {
    let mut free = true;
    set.slots(&mut |slot| free &= slot != x);
    free
}
