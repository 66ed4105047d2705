//! Statements that choose, throw and go round.

use super::run::{Event, Flow, Halt, Run, Wants};
use super::value::{Val, bag_empty, bag_put};
use crate::rules::{Binder, Block, Domain, Expr, Ty};
use crate::source::Span;

impl Run<'_> {
    /// `once or more` and `up to n times`.
    pub fn player_loop(&mut self, block: &Block, n: Option<i32>, possible: bool, span: Span) -> Flow {
        let mover = self.snap.mover;
        let mut left = n;
        self.events.push(Event::Opens);
        loop {
            self.burn(span)?;
            left = left.map(|left| left - 1);
            self.leave(left.into_iter().collect());
            self.events.push(Event::Round);
            if self.round(block)? || left == Some(0) {
                break;
            }
            let wants = if possible { Wants::Possible } else { Wants::Again };
            if self.ask(wants, span, mover, true)? != 0 {
                break;
            }
        }
        self.events.push(Event::Closes);
        Ok(())
    }

    /// Every combination of the names; true if `stop` left the loop.
    pub fn for_each(
        &mut self,
        binders: &[Binder],
        filter: Option<&Expr>,
        block: &Block,
        outer: &[i32],
        span: Span,
    ) -> Result<bool, Halt> {
        let Some((binder, rest)) = binders.split_first() else {
            if let Some(filter) = filter
                && !self.holds(filter)?
            {
                return Ok(false);
            }
            self.leave(outer.to_vec());
            return self.round(block);
        };
        let members = self.members(&binder.domain)?;
        for (i, &(code, _)) in members.iter().enumerate() {
            self.burn(span)?;
            self.bind(binder, code);
            let mut left = outer.to_vec();
            left.push((members.len() - i) as i32);
            left.extend(members[i + 1..].iter().map(|&(code, _)| code));
            if self.for_each(rest, filter, block, &left, span)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// `choose`
    pub fn choose(&mut self, binders: &[Binder], filter: Option<&Expr>, by: i32, span: Span) -> Flow {
        for (i, binder) in binders.iter().enumerate() {
            // A script has been offered what it names.
            if !self.at_end() {
                self.pass_by(&binder.domain)?;
                let code = self.ask(Wants::Member(binder.local, Vec::new()), span, by, false)?;
                self.chosen(binder, code);
                continue;
            }
            let members = self.members(&binder.domain)?;
            let mut offered: Vec<i32> = members.into_iter().map(|(code, _)| code).collect();
            // With the last name the condition can be asked.
            if let Some(filter) = filter
                && i + 1 == binders.len()
            {
                let mut kept = Vec::new();
                for code in offered {
                    self.bind(binder, code);
                    if self.holds(filter)? {
                        kept.push(code);
                    }
                }
                offered = kept;
            }
            let code = self.ask(Wants::Member(binder.local, offered), span, by, false)?;
            self.chosen(binder, code);
        }
        Ok(())
    }

    fn chosen(&mut self, binder: &Binder, code: i32) {
        self.bind(binder, code);
        let value = self.local(binder.local).clone();
        self.events.push(Event::Chose(binder.local, value));
    }

    /// `roll n bag in S`
    pub fn roll_bag(&mut self, times: &Expr, var: u16, index: Option<&Expr>, domain: &Domain, span: Span) -> Flow {
        let mover = self.snap.mover;
        let times = self.scalar(times)?.clamp(0, 8) as usize;
        let index = self.index(index)?;
        let members = self.members(domain)?;
        let ty = self.world.rules.vars[var as usize].ty;
        let thing = match ty {
            Ty::Bag(bag) if bag.kinds => Ty::Kind,
            _ => Ty::Int,
        };
        let mut codes = Vec::new();
        for _ in 0..times {
            let wants = Wants::Throws(thing, times, members.clone());
            codes.push(self.ask(wants, span, mover, false)?);
        }
        self.weigh(&members, &codes);
        let mut bag = bag_empty(ty);
        for code in codes {
            bag_put(&mut bag, ty, code, 1);
            self.events.push(Event::Threw(thing, code));
        }
        self.store(var, index, Val::Bag(bag));
        Ok(())
    }

    /// Takes into account that one of so many has come, all of which are alike.
    pub fn weigh_one(&mut self, all: u128) {
        if self.is_past_start() {
            self.of = self.of.saturating_mul(all);
        }
    }

    /// Takes into account in how many ways these codes can come, their order not mattering.
    pub fn weigh(&mut self, members: &[(i32, u64)], codes: &[i32]) {
        if !self.is_past_start() {
            return;
        }
        let all: u128 = members.iter().map(|&(_, n)| u128::from(n)).sum();
        for (i, code) in codes.iter().enumerate() {
            self.of = self.of.saturating_mul(all);
            let ways = members.iter().find(|(member, _)| member == code);
            let same = codes[..=i].iter().filter(|&other| other == code).count() as u128;
            let weight = self.weight.saturating_mul(ways.map_or(0, |&(_, n)| u128::from(n)));
            self.weight = weight.saturating_mul(i as u128 + 1) / same;
        }
    }
}
