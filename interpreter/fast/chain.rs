//! Statements carried out for all sites at once, as long as they touch only sites at fixed distances from a chosen one.
//!
//! What such statements ask is turned into sets of the sites for which it holds, round by round of a loop that the player may leave; what
//! stands where after some of them have changed things is kept as a list of changes.

use super::bits::Set;
use super::code::*;
use super::plan::{Line, and, minus, offered};
use crate::rules::expr::{Cmp, SetOp};

/// So many steps in a direction from the site; 0 steps is the site itself.
type Path = (i32, i32);

/// What is known of a name.
#[derive(Clone, Debug, PartialEq)]
enum Term<const W: usize> {
    Site(Path),
    Code(i32),
    /// A set, as it was when so many things had changed.
    Set(Sites<W>, usize),
}

/// What stands at a place after some statements.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    /// What stood there at first.
    Of(Path),
    Nothing,
}

/// Statements carried out for all sites at once.
struct Symbolic<'p, const W: usize> {
    p: &'p mut Program<W>,
    names: Vec<(Slot, Term<W>)>,
    changed: Vec<(Path, Content)>,
    assumed: Vec<Sites<W>>,
    /// Does a piece surely stand on the site itself, at first?
    piece: bool,
    /// Paths that surely lead somewhere, because something has been asked about what is there.
    proved: Vec<Path>,
}

/// A site, perhaps a direction, and what follows from them.
pub fn chains<const W: usize>(p: &mut Program<W>, at: u32) -> Option<Vec<Line<W>>> {
    if p.layout.piles.is_some() {
        return None;
    }
    let node = &p.nodes[at as usize];
    let Op::Choose(first) = &node.op else {
        return None;
    };
    let (from, x, next) = (offered(first)?, first.name.to, node.next);
    let after = &p.nodes[next as usize];
    if let Op::Choose(second) = &after.op {
        let Dom::Mask(Mask::Const(mask)) = second.name.dom else {
            return None;
        };
        let (to, start) = (second.name.to, after.next);
        let codes = (0..64).filter(|code| mask >> code & 1 == 1);
        return codes.map(|code| chain(p, from.clone(), x, Some((to, code)), start)).collect();
    }
    Some(vec![chain(p, from, x, None, next)?])
}

fn chain<const W: usize>(
    p: &mut Program<W>,
    from: Sites<W>,
    x: Slot,
    second: Option<(Slot, i32)>,
    start: u32,
) -> Option<Line<W>> {
    let mut names = vec![(x, Term::Site((0, 0)))];
    names.extend(second.map(|(slot, code)| (slot, Term::Code(code))));
    let layout = &p.layout;
    let piece = matches!(from, Sites::Slot(Slot::Word(at)) if layout.seat0 <= at && at < layout.empty);
    let mut symbolic = Symbolic { p, names, changed: Vec::new(), assumed: Vec::new(), piece, proved: Vec::new() };
    let none = Sites::Const(Set::EMPTY);
    let all = Sites::Const(symbolic.p.ground.all);
    let mut rounds = Vec::new();
    let mut holds = all.clone();
    let mut asks = false;
    let mut done = false;
    let mut at = start;
    let mut last = None;
    for _ in 0..2_000 {
        let node = symbolic.p.nodes[at as usize].clone();
        if node.tail {
            if asks {
                return None;
            }
            rounds.push((std::mem::replace(&mut holds, none.clone()), std::mem::take(&mut symbolic.assumed)));
            done = true;
            break;
        }
        match &node.op {
            Op::Skip | Op::Round(_) => {}
            Op::Bind(bind, _) => symbolic.bind(bind)?,
            Op::Require(c) => {
                symbolic.prove(c);
                let c = symbolic.cond(c)?;
                holds = if holds == all { c } else { and(holds, c) };
                if holds == none {
                    done = true;
                    break;
                }
            }
            Op::Take(sites) => {
                let Sites::Single(site) = sites else {
                    return None;
                };
                let site = symbolic.path(site)?;
                symbolic.change(site, Content::Nothing)?;
            }
            Op::Move(from, to) => symbolic.shift(from, to)?,
            Op::More(again, out) if last.is_none_or(|last| last == at) => {
                if !symbolic.p.nodes[*out as usize].tail || symbolic.p.nodes[*out as usize].notes {
                    return None;
                }
                last = Some(at);
                asks = true;
                rounds.push((std::mem::replace(&mut holds, all.clone()), std::mem::take(&mut symbolic.assumed)));
                if rounds.len() > 64 {
                    return None;
                }
                at = *again;
                continue;
            }
            _ => return None,
        }
        at = node.next;
    }
    done.then_some(Line { second: second.map(|(_, code)| code), from, rounds, asks })
}

impl<const W: usize> Symbolic<'_, W> {
    fn term(&self, slot: Slot) -> Option<&Term<W>> {
        self.names.iter().rev().find(|(known, _)| *known == slot).map(|(_, term)| term)
    }

    fn bind(&mut self, bind: &Bind<W>) -> Option<()> {
        let term = match &bind.value {
            Val::Int(Int::Const(code)) => Term::Code(*code),
            Val::Int(Int::Slot(slot)) => self.term(*slot)?.clone(),
            Val::Int(value) => Term::Site(self.path(value)?),
            Val::Set(set) => Term::Set(set.clone(), self.changed.len()),
            _ => return None,
        };
        self.names.push((bind.to, term));
        Some(())
    }

    fn path(&self, site: &Int<W>) -> Option<Path> {
        let walk = |way: u32, from: &Int<W>| {
            let (dir, n) = self.path(from)?;
            let way = &self.p.ways[way as usize];
            let same = n == 0 || dir == way.dir;
            let sure = way.n > 0 && self.p.ground.straight[way.dir as usize];
            (same && sure).then(|| (way.dir, n + way.n))
        };
        match site {
            Int::Slot(slot) => match self.term(*slot)? {
                Term::Site(path) => Some(*path),
                Term::Code(_) | Term::Set(..) => None,
            },
            Int::Step(way, from) => walk(*way, from),
            Int::Go(ways, from, dir) => {
                let code = match &**dir {
                    Int::Const(code) => *code,
                    Int::Slot(slot) => match self.term(*slot)? {
                        Term::Code(code) => *code,
                        Term::Site(_) | Term::Set(..) => return None,
                    },
                    _ => return None,
                };
                walk(*ways.get(code as usize)?, from)
            }
            _ => None,
        }
    }

    /// The number of a walk.
    fn way(&mut self, (dir, n): Path) -> u32 {
        if let Some(at) = self.p.ways.iter().position(|way| (way.dir, way.n) == (dir, n)) {
            return at as u32;
        }
        let way = Way::new(&self.p.ground.board, dir, n);
        self.p.ways.push(way);
        self.p.ways.len() as u32 - 1
    }

    /// The sites for which a path leads into a set of the first position.
    fn back(&mut self, path: Path, set: Sites<W>) -> Sites<W> {
        if path.1 == 0 {
            return set;
        }
        let way = self.way(path);
        if self.p.ways[way as usize].from.is_empty() {
            return Sites::Const(Set::EMPTY);
        }
        Sites::Back(way, Box::new(set))
    }

    /// The sites for which a path leads somewhere.
    fn exists(&mut self, path: Path) -> Sites<W> {
        if path.1 == 0 {
            return Sites::Const(self.p.ground.all);
        }
        let way = self.way(path);
        Sites::Const(self.p.ways[way as usize].from)
    }

    /// What stands at a path now; none if it cannot be told from another that has changed.
    fn content(&self, path: Path, then: usize) -> Option<Content> {
        let changed = &self.changed[..then];
        if let Some((_, content)) = changed.iter().rev().find(|(known, _)| *known == path) {
            return Some(*content);
        }
        let apart = |other: Path| other.1 == 0 || path.1 == 0 || other.0 == path.0;
        changed.iter().all(|(other, _)| apart(*other)).then_some(Content::Of(path))
    }

    fn change(&mut self, path: Path, content: Content) -> Option<()> {
        self.content(path, self.changed.len())?;
        self.changed.push((path, content));
        Some(())
    }

    fn shift(&mut self, from: &Int<W>, to: &Int<W>) -> Option<()> {
        let (from, to) = (self.path(from)?, self.path(to)?);
        if from == to {
            return Some(());
        }
        let now = self.changed.len();
        let content = self.content(from, now)?;
        // A piece does move: something stands there, and the other site exists.
        if !(self.piece && matches!(content, Content::Of((_, 0)))) {
            let empty = Sites::Slot(Slot::Word(self.p.layout.empty));
            let nothing = self.member(from, &empty, now)?;
            let here = self.exists(from);
            self.assumed.push(minus(here, nothing));
        }
        if !self.proved.contains(&to) {
            let there = self.exists(to);
            self.assumed.push(there);
        }
        self.change(to, content)?;
        self.change(from, Content::Nothing)
    }

    /// Remembers which paths a condition asks to lead into a set.
    fn prove(&mut self, c: &Cond<W>) {
        match c {
            Cond::And(parts) => {
                self.prove(&parts.0);
                self.prove(&parts.1);
            }
            Cond::In(parts) => self.proved.extend(self.path(&parts.0)),
            _ => {}
        }
    }

    /// The sites for which a condition holds now.
    fn cond(&mut self, c: &Cond<W>) -> Option<Sites<W>> {
        match c {
            Cond::Const(true) => Some(Sites::Const(self.p.ground.all)),
            Cond::Const(false) => Some(Sites::Const(Set::EMPTY)),
            Cond::Not(c) => {
                let c = self.cond(c)?;
                Some(Sites::Not(Box::new(c)))
            }
            Cond::And(parts) => {
                let a = self.cond(&parts.0)?;
                let b = self.cond(&parts.1)?;
                Some(and(a, b))
            }
            Cond::Or(parts) => {
                let a = self.cond(&parts.0)?;
                let b = self.cond(&parts.1)?;
                Some(Sites::Op(SetOp::Or, Box::new((a, b))))
            }
            Cond::In(parts) => {
                let path = self.path(&parts.0)?;
                self.member(path, &parts.1, self.changed.len())
            }
            Cond::Compare(cmp @ (Cmp::Eq | Cmp::Ne), parts) => {
                let Int::Const(site @ 0..) = parts.1 else {
                    return None;
                };
                let path = self.path(&parts.0)?;
                let same = self.back(path, Sites::Const(Set::single(site)));
                Some(if *cmp == Cmp::Eq { same } else { Sites::Not(Box::new(same)) })
            }
            _ => None,
        }
    }

    /// The sites for which a path leads into a set as it was when so many things had changed.
    fn member(&mut self, path: Path, set: &Sites<W>, then: usize) -> Option<Sites<W>> {
        match set {
            Sites::Const(_) => Some(self.back(path, set.clone())),
            Sites::Slot(slot @ Slot::Word(at)) => {
                if let Some(term) = self.term(*slot) {
                    return match term.clone() {
                        Term::Set(set, then) => self.member(path, &set, then),
                        Term::Site(_) | Term::Code(_) => None,
                    };
                }
                let layout = &self.p.layout;
                if *at < layout.seat0 || *at > layout.empty {
                    // Nothing that is carried out here changes variables or other names.
                    return Some(self.back(path, set.clone()));
                }
                let empty = *at == layout.empty;
                match self.content(path, then)? {
                    Content::Of(same) if same == path => Some(self.back(path, set.clone())),
                    Content::Of(other) => {
                        let there = self.exists(path);
                        let was = self.back(other, set.clone());
                        Some(and(was, there))
                    }
                    Content::Nothing if empty => Some(self.exists(path)),
                    Content::Nothing => Some(Sites::Const(Set::EMPTY)),
                }
            }
            Sites::Op(op, parts) => {
                let a = self.member(path, &parts.0, then)?;
                let b = self.member(path, &parts.1, then)?;
                Some(match op {
                    SetOp::And => and(a, b),
                    SetOp::Or | SetOp::Add => Sites::Op(SetOp::Or, Box::new((a, b))),
                    SetOp::Minus => minus(a, b),
                })
            }
            Sites::Not(inner) => {
                let inner = self.member(path, inner, then)?;
                let there = self.exists(path);
                Some(minus(there, inner))
            }
            _ => None,
        }
    }
}
