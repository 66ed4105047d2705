//! Carries nodes out one after the other, to the next place where something has to be decided.

use super::code::*;
use super::core::Core;
use super::cursor::Cursor;
use super::run::Stop;
use crate::play::Trouble;

impl<const W: usize> Core<'_, W> {
    /// Goes forward from a node to where a decision is needed. `skip`: may the rest of a run that surely ends be left out?
    #[inline]
    pub fn forward(&mut self, start: u32, skip: bool) -> Result<Stop, Trouble> {
        self.forward_or_out(start, skip, false)
    }

    /// The same. `leave`: may loops be left on the way if no other round can begin? The choice not to go on is then among those that were made.
    #[inline]
    pub fn forward_or_out(&mut self, start: u32, skip: bool, leave: bool) -> Result<Stop, Trouble> {
        match self.p.nodes[start as usize].op {
            // Where something is to be decided nothing surely ends.
            Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => {
                return Ok(Stop::Fork(start));
            }
            Op::End | Op::Roll(_) | Op::Commit(_) => return Ok(Stop::Cut(start)),
            _ => {}
        }
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(stop) = self.forward_natively(code, start, skip, leave)?
        {
            return Ok(stop);
        }
        #[cfg(not(feature = "native"))]
        let _ = leave;
        self.forward_slowly(start, skip)
    }

    /// The same, node by node.
    pub(super) fn forward_slowly(&mut self, start: u32, skip: bool) -> Result<Stop, Trouble> {
        let p = self.p;
        let mut at = start;
        loop {
            let node = &p.nodes[at as usize];
            if skip && node.tail && (self.run.chose || !node.notes) {
                return Ok(Stop::Tail(at));
            }
            let mut next = node.next;
            match &node.op {
                Op::Skip => {}
                Op::Bind(bind, true) => self.bind(bind),
                Op::Choose(_) | Op::Either(_) | Op::More(..) | Op::Possible(..) | Op::Best(..) => {
                    return Ok(Stop::Fork(at));
                }
                Op::Roll(_) | Op::Commit(_) | Op::End => return Ok(Stop::Cut(at)),
                Op::Require(c) => {
                    if !self.trusting && !self.cond(c) {
                        self.check()?;
                        return Ok(Stop::Dead);
                    }
                }
                Op::Branch(c, yes, no) => next = if self.cond(c) { *yes } else { *no },
                Op::Switch(on, arms, other) => {
                    let on = self.int(on);
                    next = arms
                        .iter()
                        .find(|(ranges, _)| ranges.iter().any(|&(lo, hi)| lo <= on && on <= hi))
                        .map_or(*other, |&(_, to)| to);
                }
                Op::CountDown(counter, out) => {
                    let left = self.scalar(*counter);
                    if left > 0 {
                        self.run.changes += 1;
                        self.b[*counter as usize] = (left - 1) as u64;
                    } else {
                        next = *out;
                    }
                }
                Op::Sow(sow) => {
                    self.run.changes += 1;
                    if self.sow(sow) {
                        next = sow.out;
                    }
                }
                Op::IfLeft(counter, out) => {
                    if self.scalar(*counter) <= 0 {
                        next = *out;
                    }
                }
                Op::ForNext(each, out) => {
                    if !self.next_member(each) {
                        next = *out;
                    }
                }
                Op::Round(span) => {
                    let left = self.fuel();
                    if left == 0 {
                        return Err(Trouble::Fuel { span: *span, rounds: p.rules.bounds.fuel });
                    }
                    self.set_fuel(left - 1);
                }
                op => self.act(op),
            }
            at = next;
        }
    }

    /// Carries out a node that goes on at the next.
    pub(super) fn act(&mut self, op: &Op<W>) {
        let p = self.p;
        self.run.changes += 1;
        match op {
            Op::Bind(bind, _) => self.bind(bind),
            Op::SetVar(var, index, value) => {
                let index = index.as_ref().map_or(0, |index| self.int(index));
                self.set_var(*var, index, value);
            }
            Op::Table(var, op, Sites::Single(site), value) => {
                let (site, value) = (self.int(site), self.int(value));
                if (0..p.layout.n_sites as i32).contains(&site) {
                    self.change_number(*var, *op, site, value);
                }
            }
            Op::Table(var, op, sites, value) => {
                let (sites, value) = (self.sites(sites), self.int(value));
                self.change_table(*var, *op, sites, value);
            }
            Op::Next(seat) => {
                let seat = self.int(seat);
                if (0..p.layout.n_seats as i32).contains(&seat) {
                    self.b[p.layout.next as usize] = seat as u32 as u64;
                }
            }
            Op::ForInit(each) => {
                let cursor = self.open(&each.name.dom);
                self.keep(each.state, &cursor.settled(&each.name.dom));
            }
            Op::Move(from, to) => {
                let (from, to) = (self.int(from), self.int(to));
                self.shift_piece(from, to);
            }
            Op::Carry(from, to, n) => {
                let (from, to) = (self.int(from), self.int(to));
                let n = self.int(n);
                self.carry(from, to, n);
            }
            Op::Take(sites) => {
                let sites = self.sites(sites);
                self.take(sites);
            }
            Op::Place(kind, owner, sites) => {
                let (kind, owner, sites) = (self.int(kind), self.int(owner), self.sites(sites));
                for site in sites.iter() {
                    self.drop(site, kind, owner);
                }
            }
            Op::Change(sites, kind, owner) => {
                let (sites, kind) = (self.sites(sites), self.int(kind));
                let owner = owner.as_ref().map(|owner| self.int(owner));
                self.change(sites, kind, owner);
            }
            Op::Lay(text, seat, place) => {
                let text = self.int(text);
                let place = place.as_ref().map(|(at, along, down)| (self.int(at), self.int(along), self.int(down)));
                self.lay(text, *seat, place);
            }
            Op::Note => self.run.noted = true,
            // What decides where to go on is not carried out.
            _ => {}
        }
    }

    /// Gives the name of a loop its next member; says whether there was one.
    pub(super) fn next_member(&mut self, each: &ForLoop<W>) -> bool {
        self.run.changes += 1;
        let mut cursor = self.kept(each.state);
        let Some(code) = cursor.advance(&each.name.dom, self.p) else {
            return false;
        };
        self.keep(each.state, &cursor.settled(&each.name.dom));
        self.bind_code(&each.name, code);
        true
    }

    /// What went wrong inside an expression, if anything did.
    pub fn check(&mut self) -> Result<(), Trouble> {
        match self.trouble.take() {
            Some(trouble) => Err(trouble),
            None => Ok(()),
        }
    }

    /// Keeps the state of a loop in the block.
    fn keep(&mut self, at: u32, cursor: &Cursor<W>) {
        self.put_set(Slot::Word(at), cursor.set);
        self.b[at as usize + W] = cursor.a as u64;
        self.b[at as usize + W + 1] = cursor.b as u64;
    }

    fn kept(&self, at: u32) -> Cursor<W> {
        Cursor { set: self.set_at(at), a: self.b[at as usize + W] as i64, b: self.b[at as usize + W + 1] as i64 }
    }
}
