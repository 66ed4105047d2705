//! Statements that choose, branch and repeat. Those that change the position are in `acts.rs`.

use super::constant::is_bool;
use super::{Bound, Checker, Names, Scope, errors, mk};
use crate::rules::live;
use crate::rules::{BagTy, Binder, Block, Domain, Expr, ExprKind, PerWhat, Stmt, StmtKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, BranchMode, StatementKind as S};

/// How many branches an `either` has at most.
pub const MOST_BRANCHES: usize = 63;

/// Why a name of a loop is not known behind it.
const AFTER_LOOP: &str = "after the loop, which may have no round at all";

impl<'a> Checker<'a> {
    /// Reads statements in a block of their own; gives what they bound too.
    pub(super) fn inner(&mut self, block: &ast::Block) -> (Block, Names) {
        self.block(|me| me.statements(&block.statements))
    }

    /// Reads statements in the present block.
    pub(super) fn statements(&mut self, statements: &[ast::Statement]) -> Block {
        let mut out = Vec::new();
        for statement in statements {
            if !self.count_statement(statement.span) || !self.enter(statement.span) {
                break;
            }
            let old = self.before.replace(Vec::new());
            let mut made = Vec::new();
            self.statement(statement, &mut made);
            out.append(&mut self.before.take().unwrap_or_default());
            self.before = old;
            out.append(&mut made);
            self.leave();
        }
        out
    }

    fn statement(&mut self, statement: &ast::Statement, out: &mut Block) {
        let span = statement.span;
        self.in_its_place(&statement.kind, span);
        let mut push = |kind: StmtKind| out.push(Stmt { kind, span });
        match &statement.kind {
            S::Let(name, value) => {
                let value = self.expr(value, None);
                let value = if value.ty == Ty::Track { self.coerce(value, Ty::Step) } else { self.not_too_wide(value) };
                self.warn_hidden(name);
                let id = self.bind(name, value.ty);
                self.note_texts(id, &value);
                if value.ty == Ty::Site && value.as_const() == Some(crate::rules::NONE) {
                    self.begun_as_nothing.insert(id);
                }
                push(StmtKind::Local(id, value));
            }
            S::Choose(binders, by) => {
                if let Some(by) = by.as_ref().filter(|_| !self.place.setup) {
                    self.say(errors::setup_only("choose … by", by.span));
                }
                let by = by.as_ref().map(|by| self.need(by, Ty::Player));
                let (binders, filter, next) = self.statement_binders(binders);
                push(StmtKind::Choose { binders, filter, by });
                for local in next {
                    let seat = mk(ExprKind::Local(local), Ty::Player, span);
                    push(StmtKind::Next(seat));
                }
            }
            S::Roll(binders) => {
                let written = binders;
                let (binders, filter, next) = self.statement_binders(binders);
                for (binder, written) in binders.iter().zip(&written.list) {
                    self.something_to_roll(&binder.domain, written.domain.span);
                }
                push(StmtKind::Roll { binders, filter });
                for local in next {
                    let seat = mk(ExprKind::Local(local), Ty::Player, span);
                    push(StmtKind::Next(seat));
                }
            }
            S::RollBag(times, name, set) => {
                if let Some(stmt) = self.roll_bag(times, name, set) {
                    push(stmt);
                }
            }
            S::Require(c, reason) => {
                let c = self.need_bool(c);
                if !is_bool(&c, true) {
                    push(StmtKind::Require(c, reason.as_ref().map(|text| text.value.clone())));
                }
            }
            S::Best(most, e) => {
                if self.place.loops > 0 {
                    self.say(errors::best_in_loop(*most, span));
                }
                let e = self.need(e, Ty::Int);
                push(StmtKind::Best(*most, e));
            }
            S::Either(branches) => {
                let made = self.either(branches, span);
                push(StmtKind::Either(made));
            }
            S::May(block) => {
                let (body, names) = self.inner(block);
                self.forget(names, span, "after the \"may\": it may be left out");
                push(StmtKind::May(body));
            }
            S::OnceOrMore(possible, block) => {
                let (body, names) = self.looped(block);
                // At least one round: what it binds is known afterwards.
                self.keep_before_stop(names, &body, span);
                push(StmtKind::OnceOrMore(*possible, body));
            }
            S::Times(n, block) => {
                let n = self.need(n, Ty::Int);
                let (body, names) = self.looped(block);
                self.forget(names, span, "after the loop: it is chosen anew in every round");
                push(StmtKind::Times(n, body));
            }
            S::UpTo(n, block) => {
                let n = self.need(n, Ty::Int);
                let (body, names) = self.looped(block);
                self.keep_before_stop(names, &body, span);
                push(StmtKind::UpTo(n, body));
            }
            S::While(c, block) => {
                let c = self.conditional(|me| me.need_bool(c));
                let (body, names) = self.ruled_out(is_bool(&c, false), |me| me.looped(block));
                self.forget(names, span, AFTER_LOOP);
                if !is_bool(&c, false) {
                    push(StmtKind::While(c, body));
                }
            }
            S::For(binders, block) => {
                let (stmt, names) = self.block(|me| me.for_loop(&binders.list, binders.filter.as_ref(), block, span));
                self.forget(names, span, AFTER_LOOP);
                push(stmt);
            }
            S::Stop => {
                if self.place.loops == 0 && !self.place.anywhere {
                    self.say(errors::stop_outside(span));
                }
                push(StmtKind::Stop);
            }
            S::If(c, then, other) => {
                let c = self.need_bool(c);
                let no_block = ast::Block { statements: Vec::new(), span };
                let blocks: Vec<(&ast::Block, bool)> =
                    vec![(then, is_bool(&c, false)), (other.as_ref().unwrap_or(&no_block), is_bool(&c, true))];
                let taken = c.as_const().map(|code| usize::from(code == 0));
                let mut made = self.branches(&blocks, taken, (span, "if"));
                match taken {
                    Some(i) => out.append(&mut made.swap_remove(i)),
                    None => {
                        let (other, then) = (made.pop().unwrap_or_default(), made.pop().unwrap_or_default());
                        push(StmtKind::If(c, then, other));
                    }
                }
            }
            S::Match(on, arms) => {
                let on = self.matched(on);
                let (patterns, newcomers) =
                    self.patterns(&on, arms.iter().map(|arm| (&arm.patterns[..], arm.span)).collect(), span);
                let taken = self.taken_arm(&on, &patterns, &newcomers);
                let known_before = self.names.last().map_or(0, Vec::len);
                let blocks: Vec<(&ast::Block, bool)> = arms
                    .iter()
                    .enumerate()
                    .map(|(i, arm)| (&arm.body, taken.is_some_and(|taken| taken != i)))
                    .collect();
                let mut made = self.branches(&blocks, taken, (span, "match"));
                match taken {
                    Some(i) if i < made.len() => out.append(&mut made.swap_remove(i)),
                    Some(_) => {}
                    None => {
                        let last = made.pop().unwrap_or_default();
                        let mut arms: Vec<(super::matching::ScalarRanges, Block)> =
                            patterns.into_iter().zip(made).collect();
                        if !newcomers.is_empty() {
                            arms.insert(0, (newcomers, self.nothing_bound(known_before, span)));
                        }
                        push(StmtKind::Match(on, arms, last));
                    }
                }
            }
            S::Base(args) => self.base(args, span, out),
            S::Call(name, args) => self.called(name, args, span, out),
            S::Error => {}
            _ => self.act(statement, out),
        }
    }

    fn called(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span, out: &mut Block) {
        if self.is_action(&name.text) {
            let mut before = Vec::new();
            self.write_out(name, args, span, &mut before);
            out.append(&mut before);
            return;
        }
        for arg in args {
            if !matches!(&*arg.value.kind, ast::ExprKind::Builder(..)) {
                self.expr(&arg.value, None);
            }
        }
        let only_looks = self.local_named(&name.text).is_some() || self.means_something(name);
        if only_looks {
            self.say(errors::no_action(&name.text, span));
        } else {
            self.unknown_action(name);
        }
    }

    /// `base` as a statement: what was replaced, written out; the names that the notation mentions are known afterwards.
    fn base(&mut self, args: &[ast::Arg], span: Span, out: &mut Block) {
        if self.base_action.is_some() {
            match self.write_out_base(args, span, out) {
                Some(names) => self.keep_mentioned(names),
                None => self.say(crate::assemble::no_base(span)),
            }
            return;
        }
        let Some(block) = self.base_turns.pop() else {
            self.say(crate::assemble::no_base(span));
            return;
        };
        // It reads as it did before: what this turn has named is not seen there.
        let place = self.place;
        let (mut body, names) = self.apart(Scope::Game, place, |me| me.inner(block));
        self.base_turns.push(block);
        out.append(&mut body);
        self.keep_mentioned(names);
    }

    /// Makes those names known from here on that the notation mentions, and the usual ones.
    fn keep_mentioned(&mut self, names: Names) {
        let mentioned: Vec<&str> = self
            .game
            .notation
            .iter()
            .flatten()
            .filter_map(|part| match part {
                ast::NotationPart::Name(name) => Some(name.text.as_str()),
                ast::NotationPart::Text(_) => None,
            })
            .chain(["from", "dest", "spot"])
            .collect();
        let kept: Names = names.into_iter().filter(|(name, _)| mentioned.contains(&name.as_str())).collect();
        self.keep(kept);
    }

    /// Reads a loop's body.
    pub(super) fn looped(&mut self, block: &ast::Block) -> (Block, Names) {
        self.place.loops += 1;
        let made = self.inner(block);
        self.place.loops -= 1;
        made
    }

    /// Makes names known from here on.
    fn keep(&mut self, names: Names) {
        for (name, bound) in names {
            self.bind_as(&name, bound);
        }
    }

    /// Makes those names of a loop known from here on that have been given a value before the loop can be left by `stop`.
    fn keep_before_stop(&mut self, names: Names, body: &Block, span: Span) {
        let mut sure = live::Names::new();
        body.iter().take_while(|stmt| !live::may_stop(stmt)).for_each(|stmt| live::binds(stmt, &mut sure));
        let (kept, lost) = names.into_iter().partition(|(_, bound)| match bound {
            Bound::Local(id, _) => sure.contains(id),
            Bound::Table(_) | Bound::Known(..) => true,
        });
        self.keep(kept);
        self.forget(lost, span, "after the loop: a \"stop\" comes before it");
    }

    /// Notes names that are not known any more, for a better message.
    fn forget(&mut self, names: Names, span: Span, why: &str) {
        for (name, _) in names {
            if self.local_named(&name).is_none() {
                self.half_known.push((name, span, why.to_string()));
            }
        }
    }

    fn either(&mut self, branches: &[(BranchMode, ast::Block)], span: Span) -> Vec<(bool, Block)> {
        let blocks: Vec<(&ast::Block, bool)> = branches.iter().map(|(_, block)| (block, false)).collect();
        if branches.len() > MOST_BRANCHES {
            self.say(errors::too_many_of("branches", branches.len(), MOST_BRANCHES, span));
        }
        let made = self.branches(&blocks, None, (span, "either"));
        branches.iter().map(|(mode, _)| *mode == BranchMode::Otherwise).zip(made).collect()
    }

    /// Reads blocks of which one runs. A name bound in all of them is known afterwards, as one local.
    fn branches(
        &mut self,
        blocks: &[(&ast::Block, bool)],
        taken: Option<usize>,
        (span, word): (Span, &str),
    ) -> Vec<Block> {
        let mut made = Vec::new();
        let mut all: Vec<Names> = Vec::new();
        let outer = self.reuse.take();
        for (i, (block, out)) in blocks.iter().enumerate() {
            let depth = self.names.len() + 1;
            let earlier: Names = match &outer {
                Some((d, names)) if *d == self.names.len() && i == 0 => names.clone(),
                _ => all.iter().flatten().cloned().collect(),
            };
            self.reuse = Some((depth, earlier));
            let (body, names) = self.ruled_out(*out, |me| me.inner(block));
            self.reuse = None;
            made.push(body);
            all.push(names);
        }
        self.reuse = outer;
        if let Some(taken) = taken {
            if let Some(names) = all.get(taken).cloned() {
                self.keep(names);
            }
            return made;
        }
        let Some(first) = all.first().cloned() else { return made };
        for (name, bound) in first {
            let of = |names: &Names| names.iter().rev().find(|(other, _)| *other == name).map(|(_, bound)| *bound);
            let bounds: Vec<Bound> = all.iter().filter_map(of).collect();
            let everywhere = bounds.len() == all.len() && matches!(bound, Bound::Local(..));
            let unknown = bounds.iter().find(|bound| matches!(bound, Bound::Local(_, Ty::Unknown)));
            if everywhere && bounds.iter().all(|other| *other == bound) {
                self.bind_as(&name, bound);
            } else if let Some(unknown) = unknown.filter(|_| everywhere) {
                // What went wrong in one branch has been told.
                self.bind_as(&name, *unknown);
            }
        }
        let some: Vec<String> = all.iter().flatten().map(|(name, _)| name.clone()).collect();
        for name in some {
            if self.local_named(&name).is_none() && !self.half_known.iter().any(|(half, ..)| *half == name) {
                let missing = all.iter().position(|names| !names.iter().any(|(other, _)| *other == name));
                let why = errors::bound_in_some(word, missing, blocks.len());
                self.half_known.push((name, span, why));
            }
        }
        made
    }

    /// The binders of `choose` or `roll`, bound in the present block; a binder called `next` says whose turn comes.
    fn statement_binders(&mut self, binders: &ast::Binders) -> (Vec<Binder>, Option<Expr>, Vec<crate::rules::LocalId>) {
        let mut list = Vec::new();
        let mut next = Vec::new();
        for (i, binder) in binders.list.iter().enumerate() {
            if self.says_words_to_choose(binder) {
                self.bind(&binder.name, Ty::Unknown);
                list.push(Binder { local: self.local("", Ty::Unknown), domain: Domain::Listed(Vec::new()) });
                continue;
            }
            // Later domains and the condition depend on what is chosen, so no action can run for them.
            let (domain, ty) = if i == 0 { self.domain(binder) } else { self.conditional(|me| me.domain(binder)) };
            let local = if binder.name.text == "next" {
                if ty != Ty::Player && ty != Ty::Unknown {
                    self.say(errors::next_is_a_player(binder.name.span));
                }
                let local = self.local("next", Ty::Player);
                next.push(local);
                local
            } else {
                self.warn_hidden(&binder.name);
                self.bind(&binder.name, ty)
            };
            list.push(Binder { local, domain });
        }
        let filter = binders.filter.as_ref().map(|c| self.conditional(|me| me.need_bool(c)));
        (list, filter.filter(|c| !is_bool(c, true)), next)
    }

    /// An error if nothing is known of what a choice lists: words to choose from belong to something remembered.
    fn says_words_to_choose(&mut self, binder: &ast::Binder) -> bool {
        let ast::ExprKind::Braces(elements) = &*binder.domain.kind else { return false };
        let words: Option<Vec<&ast::Name>> = elements
            .iter()
            .map(|element| match &*element.value.kind {
                ast::ExprKind::Name(name) if element.times.is_none() => Some(name),
                _ => None,
            })
            .collect();
        let Some(words) = words.filter(|words| words.len() > 1) else { return false };
        let known = self.all_words();
        let unknown = |name: &&ast::Name| {
            let lists = self.rules.words.iter().any(|list| list.words.contains(&name.text));
            let site = self.rules.board.site(&name.text).is_some() || super::names::looks_like_site(&name.text);
            self.local_named(&name.text).is_none() && !lists && !site && !known.contains(&name.text.as_str())
        };
        if !words.iter().all(unknown) {
            return false;
        }
        let words: Vec<&str> = words.iter().map(|name| name.text.as_str()).collect();
        self.say(errors::words_to_choose(&words, &binder.name.text, binder.domain.span));
        true
    }

    fn roll_bag(&mut self, times: &ast::Expr, name: &ast::Name, set: &ast::Expr) -> Option<StmtKind> {
        let times_value = self.need(times, Ty::Int);
        if let Some(n) = times_value.as_const()
            && !(1..=8).contains(&n)
        {
            self.say(errors::dice_number(n, times.span));
        }
        let at = set.span;
        let set = self.expr(set, None);
        let (domain, member) = self.domain_of(set);
        self.something_to_roll(&domain, at);
        let Some(var) = self.var_named(&name.text) else {
            if self.local_named(&name.text).is_some() || self.means_something(name) {
                self.say(errors::no_bag(&name.text, name.span));
            } else {
                self.say(errors::no_bag_yet(&name.text, name.span));
            }
            return None;
        };
        let entry = &self.rules.vars[var as usize];
        let (ty, per) = (entry.ty, entry.per);
        let Ty::Bag(bag) = ty else {
            self.say(errors::no_bag(&name.text, name.span));
            return None;
        };
        let index = match per {
            PerWhat::One => None,
            PerWhat::Player => Some(mk(ExprKind::Mover, Ty::Player, name.span)),
            PerWhat::Kind | PerWhat::Site => {
                self.say(errors::whose_kind(&name.text, name.span));
                return None;
            }
        };
        if member != Ty::Unknown && member != (if bag.kinds { Ty::Kind } else { Ty::Int }) {
            self.say(errors::bag_holds_other(&name.text, ty, member, at));
            return None;
        }
        if let Some((lo, hi)) = known_numbers(&domain)
            && (lo < bag.lo || hi >= bag.lo + i32::from(bag.n))
            && !bag.kinds
        {
            self.say(errors::bag_too_small(&name.text, bag.lo, bag.lo + i32::from(bag.n) - 1, at));
        }
        Some(StmtKind::RollBag { times: times_value, var, index, domain })
    }

    /// Chance needs something to bring.
    fn something_to_roll(&mut self, domain: &Domain, span: Span) {
        let nothing = match domain {
            Domain::Range(lo, hi) => lo.as_const().zip(hi.as_const()).is_some_and(|(lo, hi)| lo > hi),
            Domain::Sites(set) | Domain::Going(set, _) => super::coerce::is_nothing(set),
            Domain::Mask(set) | Domain::Seats(set) => matches!(set.kind, ExprKind::ConstMask(0)),
            Domain::Bag(bag) => matches!(&bag.kind, ExprKind::ConstBag(counts) if counts.iter().all(|&n| n == 0)),
            Domain::Listed(_) | Domain::Track(_) | Domain::Lines(_) => false,
        };
        if nothing && self.place.dead == 0 {
            self.say(errors::nothing_to_roll(span));
        }
    }

    /// Statements that belong elsewhere.
    fn in_its_place(&mut self, kind: &S, span: Span) {
        let word = match kind {
            S::Choose(..) => "choose",
            S::Roll(_) | S::RollBag(..) => "roll",
            S::Either(_) => "either",
            S::May(_) => "may",
            S::OnceOrMore(..) => "once or more",
            S::UpTo(..) => "up to … times",
            S::Require(..) | S::Best(..) => {
                if self.place.after {
                    self.say(errors::require_after_turn(span));
                }
                if self.place.script && matches!(kind, S::Best(..)) {
                    self.say(errors::choice_in_example("require most", span));
                }
                return;
            }
            _ => return,
        };
        if self.place.after {
            self.say(errors::choice_after_turn(word, span));
        }
        if self.place.script {
            self.say(errors::choice_in_example(word, span));
        }
    }

    /// `for`: a binder called `mover` sees what follows from that seat.
    fn for_loop(
        &mut self,
        binders: &[ast::Binder],
        filter: Option<&ast::Expr>,
        block: &ast::Block,
        span: Span,
    ) -> StmtKind {
        let cut = binders.iter().position(|binder| binder.name.text == "mover");
        let (here, later) = match cut {
            Some(i) => binders.split_at(i + 1),
            None => (binders, &binders[binders.len()..]),
        };
        let mut list = Vec::new();
        for (i, binder) in here.iter().enumerate() {
            let (domain, ty) = if i == 0 { self.domain(binder) } else { self.conditional(|me| me.domain(binder)) };
            let local = if binder.name.text == "mover" {
                if !matches!(domain, Domain::Seats(_)) && ty != Ty::Unknown {
                    self.say(errors::mover_seats(binder.name.span));
                }
                self.local("mover", Ty::Player)
            } else {
                self.warn_hidden(&binder.name);
                self.bind(&binder.name, ty)
            };
            list.push(Binder { local, domain });
        }
        if cut.is_none() {
            let filter = filter.map(|c| self.conditional(|me| me.need_bool(c)));
            let (body, names) = self.looped(block);
            self.forget(names, span, AFTER_LOOP);
            return StmtKind::For(list, filter, body);
        }
        let seat = list.last().map_or(crate::rules::NONE, |binder: &Binder| binder.local.0 as i32);
        let seat = mk(ExprKind::Local(crate::rules::LocalId(seat.max(0) as u32)), Ty::Player, span);
        self.place.loops += 1;
        let before = self.n_statements;
        let body = if later.is_empty() {
            let filter = filter.map(|c| self.conditional(|me| me.need_bool(c)));
            let (body, names) = self.inner(block);
            self.forget(names, span, AFTER_LOOP);
            match filter {
                Some(c) => vec![Stmt { kind: StmtKind::If(c, body, Vec::new()), span }],
                None => body,
            }
        } else {
            let (kind, _) = self.block(|me| me.for_loop(later, filter, block, span));
            vec![Stmt { kind, span }]
        };
        self.place.loops -= 1;
        // It is written out for each seat, whose turn it is being known only in the game.
        self.count_statements((self.n_statements - before).saturating_mul(self.rules.n_seats()), span);
        let from = Stmt { kind: StmtKind::From(seat, body), span };
        StmtKind::For(list, None, vec![from])
    }
}

/// The least and the greatest number that a domain has, if they are known.
fn known_numbers(domain: &Domain) -> Option<(i32, i32)> {
    match domain {
        Domain::Range(lo, hi) => lo.as_const().zip(hi.as_const()),
        Domain::Bag(Expr { kind: ExprKind::ConstBag(counts), ty: Ty::Bag(BagTy { lo, .. }), .. }) => {
            let first = counts.iter().position(|&n| n > 0)? as i32;
            let last = counts.iter().rposition(|&n| n > 0)? as i32;
            Some((lo + first, lo + last))
        }
        _ => None,
    }
}
