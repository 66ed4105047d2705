//! Runs the programs of a game without a position: what can be reached, chosen, placed and moved, whatever happens.
//!
//! What is remembered is not followed from turn to turn: a variable may hold, at any time, whatever it begins with and whatever is
//! assigned to it anywhere. The programs are gone through until nothing new comes up.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::look::Look;
use super::rest::Rest;
use super::values::{Known, NOBODYS};
use crate::rules::stmt::TableOp;
use crate::rules::{Binder, Block, Expr, ExprKind, LocalId, NONE, PerWhat, Rules, Stmt, StmtKind, Ty, live};
use crate::source::Span;

/// After so many rounds numbers that still grow may be anything that they may hold.
const WIDE_AFTER: u32 = 3;
/// No game needs as many rounds.
const MOST_ROUNDS: u32 = 12;

/// A block of a statement: where the statement stands, and which of its blocks.
pub type Arm = (Span, usize);

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Statements that can be reached.
    pub reached: BTreeSet<Span>,
    /// Blocks that can be entered.
    pub entered: BTreeSet<Arm>,
    /// Blocks of which the end, or a place from which the turn goes on elsewhere, can be reached.
    pub completed: BTreeSet<Arm>,
    /// Sets to choose from that can be reached, by statement and number: whether there can be something in them, and where they stand.
    pub chosen: BTreeMap<Arm, (bool, Span)>,
    /// Conditions of statements that can be reached, and whether they can hold; those that are known beforehand are left out.
    pub asked: BTreeMap<Span, (bool, Span)>,
    /// Ends that can come, by their place among the rules' ends.
    pub ends: BTreeSet<usize>,
    /// Ends that hold whenever they are looked at.
    pub sure_ends: BTreeSet<usize>,
    /// Seats that may have a complete turn, a mask.
    pub turns: u64,
    /// Kinds that can be put on the board.
    pub placed: u64,
    /// Kinds of pieces that can be put on the board in a turn.
    pub placed_in_turn: u64,
    /// Kinds that can be moved.
    pub moved: u64,
    /// Is a piece moved anywhere?
    pub moves: bool,
    /// Names that are chosen from sites, and kinds that may stand there.
    pub picked: BTreeMap<LocalId, u64>,
    /// Was it too much, so that something may be missing?
    pub gave_up: bool,
}

/// What is known of locals at a place; none: the place is not reached.
type Locals = Option<Vec<Rc<Known>>>;

/// Which part of a game is being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Setup,
    Turn,
    After,
}

/// One kind is looked after: it is what is picked with this name, if any, and with no other.
#[derive(Clone, Copy, Debug)]
struct Only {
    local: Option<LocalId>,
    kind: u64,
}

struct Runner<'r> {
    look: Look<'r>,
    account: Account,
    part: Part,
    /// What is known at the `stop`s of the loop around.
    stops: Vec<Vec<Rc<Known>>>,
    /// Has the turn gone on somewhere else (`commit`, `stop`) since this was last looked at?
    left: bool,
    only: Option<Only>,
    /// Are the statements behind the one being run, and those behind the blocks around it, such that no run is cut off there?
    sure_behind: bool,
}

/// Runs all programs of a game.
pub fn account(rules: &Rules) -> Account {
    run(rules, None).account
}

/// What can be moved if pieces of a kind are picked with one name only (or with none).
pub fn moved_if(rules: &Rules, local: Option<LocalId>, kind: u64) -> Account {
    run(rules, Some(Only { local, kind })).account
}

fn run(rules: &Rules, only: Option<Only>) -> Runner<'_> {
    let mut runner = Runner {
        look: Look::new(rules),
        account: Account::default(),
        part: Part::Setup,
        stops: Vec::new(),
        left: false,
        only,
        sure_behind: true,
    };
    runner.begin();
    for round in 0..MOST_ROUNDS {
        let before = (runner.look.vars.clone(), runner.look.owned.clone());
        runner.round();
        if before == (runner.look.vars.clone(), runner.look.owned.clone()) {
            break;
        }
        if round >= WIDE_AFTER {
            runner.widen(&before.0);
        }
    }
    // Sets and conditions that looked empty while something was still to come up.
    runner.account.chosen.retain(|_, (some, _)| *some);
    runner.account.asked.retain(|_, (holds, _)| *holds);
    runner.account.sure_ends.clear();
    runner.round();
    runner.account.gave_up = runner.look.gave_up();
    runner
}

impl<'r> Runner<'r> {
    /// What is remembered at first.
    fn begin(&mut self) {
        let rules = self.look.rules;
        // The first values may ask for each other's, in this order.
        for var in &rules.vars {
            let zero = Known::of(rules, var.ty, &crate::play::Value::zero(var.ty, rules.n_sites()));
            self.look.vars.push(zero);
        }
        for (i, var) in rules.vars.iter().enumerate() {
            let init = match var.per {
                PerWhat::Player => {
                    let every = (Known::top(rules, Ty::Player).codes().0, false);
                    self.look.each_seat(every, |look| look.aside(|look| look.known(&var.init)), Known::join)
                }
                _ => Some(self.look.aside(|look| look.known(&var.init))),
            };
            let init = init.unwrap_or(Known::Any);
            // Of a table per site the extra sites begin at nothing.
            let extra = var.per == PerWhat::Site && rules.board.n_cells < rules.n_sites();
            self.look.vars[i] = if extra { init.join(self.look.vars[i].clone()) } else { init };
        }
    }

    /// Numbers that have grown may be anything.
    fn widen(&mut self, before: &[Known]) {
        let rules = self.look.rules;
        for ((var, now), before) in rules.vars.iter().zip(&mut self.look.vars).zip(before) {
            if let (Known::Number(lo, hi), Known::Number(old_lo, old_hi)) = (now, before) {
                *lo = if *lo < *old_lo { var.range.0 } else { *lo };
                *hi = if *hi > *old_hi { var.range.1 } else { *hi };
            }
        }
    }

    /// All programs, once, each from every seat that may run it.
    fn round(&mut self) {
        let rules = self.look.rules;
        self.look.seat = 0;
        self.part = Part::Setup;
        self.program(&rules.setup);
        for seat in 0..rules.n_seats() as i32 {
            self.look.seat = seat;
            self.part = Part::Turn;
            self.left = false;
            if self.program(&rules.turn) || self.left {
                self.account.turns |= 1 << seat;
            }
            self.look.seat = seat;
            self.part = Part::After;
            self.program(&rules.after);
            self.look.seat = seat;
            for (i, end) in rules.ends.iter().enumerate() {
                let holds = self.look.aside(|look| look.known(&end.when));
                if holds.may_be(true) {
                    self.account.ends.insert(i);
                }
                if holds.always() && seat == 0 {
                    self.account.sure_ends.insert(i);
                }
                if holds.may_be(false) {
                    self.account.sure_ends.remove(&i);
                }
            }
        }
    }

    fn program(&mut self, program: &Block) -> bool {
        self.look.locals = Look::new(self.look.rules).locals;
        let there = self.block(program);
        self.look.settle();
        there
    }

    /// Runs statements; can their end be reached?
    fn block(&mut self, block: &[Stmt]) -> bool {
        let around = self.sure_behind;
        let unsure = block.iter().rposition(|stmt| !is_sure(std::slice::from_ref(stmt)));
        let there = block.iter().enumerate().all(|(i, stmt)| {
            self.sure_behind = around && unsure.is_none_or(|unsure| unsure <= i);
            self.look.count() && self.statement(stmt) || self.look.gave_up()
        });
        self.sure_behind = around;
        there
    }

    /// Runs a block of a statement on what is known now; gives what is known at its end.
    fn arm(&mut self, arm: Arm, block: &[Stmt], before: impl FnOnce(&mut Self)) -> Locals {
        let kept = self.look.locals.clone();
        let left = std::mem::take(&mut self.left);
        before(self);
        self.account.entered.insert(arm);
        let there = self.block(block);
        if there || self.left {
            self.account.completed.insert(arm);
        }
        self.left |= left;
        let after = std::mem::replace(&mut self.look.locals, kept);
        there.then_some(after)
    }

    /// Goes on where one or another arm has come to its end.
    fn go_on(&mut self, ways: impl IntoIterator<Item = Locals>) -> bool {
        match ways.into_iter().flatten().reduce(join_locals) {
            Some(locals) => {
                self.look.locals = locals;
                true
            }
            None => false,
        }
    }

    fn statement(&mut self, stmt: &Stmt) -> bool {
        use StmtKind::*;
        let span = stmt.span;
        self.account.reached.insert(span);
        match &stmt.kind {
            Local(local, value) => {
                let value = self.look.known(value);
                self.look.set(*local, value);
            }
            Var(var, index, value) => {
                let value = self.look.known(value);
                let nobody = index.as_ref().is_some_and(|index| self.look.known(index).is_nothing());
                if !nobody {
                    self.assign(*var, value);
                }
            }
            Table(var, op, sites, value) => {
                let value = self.look.known(value);
                let somewhere = !self.look.known(sites).is_nothing();
                if somewhere {
                    self.assign_table(*var, *op, value);
                }
            }
            Choose { binders, filter, by } => {
                if let Some(by) = by {
                    let codes = self.look.known(by).codes();
                    let seat = self.look.seat;
                    let kept = self.look.locals.clone();
                    let mut ways = Vec::new();
                    for other in (0..self.look.rules.n_seats() as i32).filter(|other| codes.0 >> other & 1 == 1) {
                        self.look.seat = other;
                        self.look.locals = kept.clone();
                        let there = self.bind(binders, filter.as_ref(), Some(span));
                        ways.push(there.then(|| self.look.locals.clone()));
                    }
                    self.look.seat = seat;
                    return self.go_on(ways);
                }
                return self.bind(binders, filter.as_ref(), Some(span));
            }
            Roll { binders, filter } => return self.bind(binders, filter.as_ref(), None),
            RollBag { var, .. } => self.assign(*var, Known::Any),
            Require(test, _) => {
                let asked = self.look.known(test);
                self.note_asked(span, test, &asked);
                if asked.never() {
                    return false;
                }
                self.look.assume(test, true);
            }
            Either(branches) => {
                let sure = self.sure_behind;
                let mut ways = Vec::new();
                for (i, (otherwise, block)) in branches.iter().enumerate() {
                    if *otherwise && sure && branches[..i].iter().any(|(_, earlier)| is_sure(earlier)) {
                        continue;
                    }
                    ways.push(self.arm((span, i), block, |_| {}));
                }
                return self.go_on(ways);
            }
            May(block) => {
                let done = self.arm((span, 0), block, |_| {});
                let left = Some(self.look.locals.clone());
                return self.go_on([done, left]);
            }
            OnceOrMore(_, block) => return self.repeated(span, block, None, false),
            Times(n, block) | UpTo(n, block) => {
                let (lo, hi) = self.look.known(n).range();
                let up_to = matches!(stmt.kind, UpTo(..));
                if hi <= 0 {
                    return !up_to;
                }
                return self.repeated(span, block, None, lo <= 0 && !up_to);
            }
            While(test, block) => {
                let asked = self.look.known(test);
                if asked.never() {
                    return true;
                }
                return self.repeated(span, block, Some(test), true);
            }
            For(binders, filter, block) => {
                self.forget(block);
                let seen = self.look.locals.clone();
                let there = self.bind(binders, filter.as_ref(), None);
                let done = match there {
                    true => self.looped(span, block),
                    false => Vec::new(),
                };
                return self.go_on(done.into_iter().map(Some).chain([Some(seen)]));
            }
            Stop => {
                self.stops.push(self.look.locals.clone());
                self.left = true;
                return false;
            }
            If(test, yes, no) => {
                let asked = self.look.known(test);
                let mut ways = Vec::new();
                for (i, (on, block)) in [(true, yes), (false, no)].into_iter().enumerate() {
                    if asked.may_be(on) {
                        ways.push(self.arm((span, i), block, |me| me.look.assume(test, on)));
                    }
                }
                return self.go_on(ways);
            }
            Match(on, arms, other) => {
                let value = self.look.known(on);
                let mut left = Rest::new(&value);
                let mut ways = Vec::new();
                for (i, (ranges, block)) in arms.iter().enumerate() {
                    if let Some(codes) = left.take(ranges) {
                        ways.push(self.arm((span, i), block, |me| me.look.narrow(on, codes)));
                    }
                }
                if let Some(codes) = left.rest() {
                    ways.push(self.arm((span, arms.len()), other, |me| me.look.narrow(on, codes)));
                }
                return self.go_on(ways);
            }
            From(seat, block) => {
                let codes = self.look.known(seat).codes();
                let before = self.look.seat;
                let seats = (0..self.look.rules.n_seats() as i32).filter(|seat| codes.0 >> seat & 1 == 1);
                let mut ways = Vec::new();
                for seat in seats.chain(codes.1.then_some(NONE)) {
                    self.look.seat = seat;
                    ways.push(self.arm((span, 0), block, |_| {}));
                }
                self.look.seat = before;
                return self.go_on(ways);
            }
            Move(from, to) | Carry(from, to, _) => {
                let from = self.look.known(from).as_sites(self.look.rules);
                let to = self.look.known(to);
                self.account.moves = true;
                if !from.is_nothing() && !to.is_nothing() {
                    self.account.moved |= from.what.kinds;
                }
                self.stale();
            }
            Take(sites) => {
                self.picked_acts(sites);
                self.stale();
            }
            Place(kind, owner, sites) => {
                let (kinds, _) = self.look.known(kind).codes();
                let (owners, nobody) = self.look.known(owner).codes();
                if !self.look.known(sites).is_nothing() {
                    self.place(kinds, owners | if nobody { NOBODYS } else { 0 });
                }
                self.stale();
            }
            Change(written, kind, owner) => {
                let (kinds, _) = self.look.known(kind).codes();
                let sites = self.look.known(written).as_sites(self.look.rules);
                let owners = match owner {
                    Some(owner) => {
                        let (owners, nobody) = self.look.known(owner).codes();
                        owners | if nobody { NOBODYS } else { 0 }
                    }
                    None => sites.what.owners,
                };
                if !sites.is_nothing() {
                    self.place(kinds, owners);
                }
                self.picked_acts(written);
                self.stale();
            }
            Lay(text, place) => {
                self.lay(text, place.is_some());
                self.stale();
            }
            Commit => self.left = true,
            Next(_) | Best(..) | Note(_) | Announce(_) => {}
        }
        true
    }

    /// A piece that is taken or changed where it was picked has acted, too.
    fn picked_acts(&mut self, sites: &Expr) {
        let (ExprKind::Local(local), Some(only)) = (&sites.kind, self.only) else { return };
        if only.local == Some(*local) {
            self.account.moved |= only.kind;
        }
    }

    /// Notes whether a condition can hold, unless that was known beforehand.
    fn note_asked(&mut self, stmt: Span, test: &Expr, asked: &Known) {
        if test.as_const().is_none() {
            self.account.asked.entry(stmt).or_insert((false, test.span)).0 |= !asked.never();
        }
    }

    /// Gives names their members; can there be any? `choice`: the statement, if a player chooses them.
    fn bind(&mut self, binders: &[Binder], filter: Option<&Expr>, choice: Option<Span>) -> bool {
        for (i, binder) in binders.iter().enumerate() {
            let mut reach = self.look.reach(&binder.domain, binder.local);
            if let Some((stmt, span)) = choice.zip(place_of(&binder.domain)) {
                self.account.chosen.entry((stmt, i)).or_insert((false, span)).0 |= !reach.is_nothing();
            }
            if reach.is_nothing() {
                return false;
            }
            if let Known::Site(sites, _) = &mut reach.member
                && choice.is_some()
                && self.part == Part::Turn
            {
                *self.account.picked.entry(binder.local).or_insert(0) |= sites.what.kinds;
                if let Some(only) = self.only {
                    let here = only.local == Some(binder.local);
                    sites.what.kinds &= if here { only.kind } else { !only.kind };
                    sites.what.empty &= !here;
                    if sites.is_nothing() {
                        return false;
                    }
                }
            }
            self.look.set(binder.local, reach.member);
        }
        if let Some(filter) = filter {
            let asked = self.look.known(filter);
            if let Some(stmt) = choice {
                self.note_asked(stmt, filter, &asked);
            }
            if asked.never() {
                return false;
            }
            self.look.assume(filter, true);
        }
        true
    }

    /// Forgets what a loop's body changes, so that it stands for every round.
    fn forget(&mut self, block: &Block) {
        let rules = self.look.rules;
        let mut bound = live::Names::new();
        block.iter().for_each(|stmt| live::binds(stmt, &mut bound));
        for local in bound {
            let ty = rules.locals[local.0 as usize].ty;
            self.look.set(local, Known::top(rules, ty));
        }
        if block.iter().any(changes_pieces) {
            self.stale();
        }
    }

    /// The body of a loop, for one round; what is known where it comes to its end or is left.
    fn looped(&mut self, span: Span, block: &Block) -> Vec<Vec<Rc<Known>>> {
        let outer = std::mem::take(&mut self.stops);
        self.sure_behind = false;
        let end = self.arm((span, 0), block, |_| {});
        let mut ways = std::mem::replace(&mut self.stops, outer);
        ways.extend(end);
        ways
    }

    /// A loop; `none`: there may be no round at all.
    fn repeated(&mut self, span: Span, block: &Block, test: Option<&Expr>, none: bool) -> bool {
        self.forget(block);
        let seen = self.look.locals.clone();
        let endless = test.is_some_and(|test| self.look.known(test).always());
        if let Some(test) = test {
            self.look.assume(test, true);
        }
        let outer = std::mem::take(&mut self.stops);
        self.sure_behind = false;
        let end = self.arm((span, 0), block, |_| {});
        let stops = std::mem::replace(&mut self.stops, outer);
        let end = if endless { None } else { end };
        let seen = (none && !endless).then_some(seen);
        self.go_on(stops.into_iter().map(Some).chain([end, seen]))
    }

    /// Nothing is known any more of what stands where.
    fn stale(&mut self) {
        for local in &mut self.look.locals {
            if let Known::Site(..) | Known::Sites(_) = **local {
                Rc::make_mut(local).stale();
            }
        }
    }

    fn assign(&mut self, var: u16, value: Known) {
        let rules = self.look.rules;
        let range = rules.vars[var as usize].range;
        let value = match value {
            Known::Number(lo, hi) => Known::Number(lo.clamp(range.0, range.1), hi.clamp(range.0, range.1)),
            other => other,
        };
        let mut value = value;
        value.stale();
        if let Some(held) = self.look.vars.get_mut(var as usize) {
            *held = held.clone().join(value);
        }
    }

    fn assign_table(&mut self, var: u16, op: TableOp, value: Known) {
        let held = self.look.vars.get(var as usize).cloned().unwrap_or(Known::Any);
        let value = match (op, &held, &value) {
            (TableOp::Set, ..) => value,
            (TableOp::Add, Known::Number(a, b), Known::Number(c, d)) => {
                Known::Number(a.saturating_add(*c), b.saturating_add(*d))
            }
            (TableOp::Sub, Known::Number(a, b), Known::Number(c, d)) => {
                Known::Number(a.saturating_sub(*d), b.saturating_sub(*c))
            }
            _ => Known::Any,
        };
        self.assign(var, value);
    }

    fn place(&mut self, kinds: u64, owners: u64) {
        self.account.placed |= kinds;
        if self.part != Part::Setup {
            self.account.placed_in_turn |= kinds;
        }
        for kind in (0..self.look.owned.len()).filter(|kind| kinds >> kind & 1 == 1) {
            self.look.owned[kind] |= owners;
        }
    }

    fn lay(&mut self, text: &Expr, somewhere: bool) {
        use crate::rules::KindOwner;
        let rules = self.look.rules;
        let seat = self.look.seat;
        let wanted = text.as_const();
        for (i, diagram) in rules.diagrams.iter().enumerate() {
            let Some(diagram) = diagram.as_ref().filter(|_| wanted.is_none_or(|text| text as usize == i)) else {
                continue;
            };
            for cell in diagram.rows.iter().flatten() {
                for &(kind, said) in cell.under.iter().chain(&cell.piece) {
                    let owner = match (rules.kinds[kind as usize].owner, said) {
                        (KindOwner::Nobody, _) => NONE,
                        (_, Some(owner)) if !somewhere => owner,
                        (KindOwner::Seat(seat), _) => i32::from(seat),
                        (KindOwner::Any, _) => seat,
                    };
                    let owners = if (0..63).contains(&owner) { 1 << owner } else { NOBODYS };
                    self.place(1 << kind, owners);
                }
                for &(var, value) in cell.words.iter().chain(&cell.number) {
                    let value = Known::scalar(rules, rules.vars[var as usize].ty, value);
                    self.assign(var, value);
                }
            }
        }
    }
}

fn join_locals(a: Vec<Rc<Known>>, b: Vec<Rc<Known>>) -> Vec<Rc<Known>> {
    let one = |(a, b): (Rc<Known>, Rc<Known>)| match Rc::ptr_eq(&a, &b) {
        true => a,
        false => Rc::new(Known::clone(&a).join(Known::clone(&b))),
    };
    a.into_iter().zip(b).map(one).collect()
}

/// Where the set of a domain is written.
fn place_of(domain: &crate::rules::Domain) -> Option<Span> {
    use crate::rules::Domain::*;
    match domain {
        Sites(set) | Going(set, _) | Mask(set) | Seats(set) | Bag(set) => Some(set.span),
        Range(lo, hi) => Some(lo.span.to(hi.span)),
        Listed(_) | Track(_) | Lines(_) => None,
    }
}

/// Does a statement change what stands on the board?
pub fn changes_pieces(stmt: &Stmt) -> bool {
    use StmtKind::*;
    matches!(stmt.kind, Move(..) | Carry(..) | Take(_) | Place(..) | Change(..) | Lay(..))
        || crate::rules::inside::blocks(stmt).into_iter().flatten().any(changes_pieces)
}

/// Can every run of a block be brought to its end, whatever the position?
fn is_sure(block: &[Stmt]) -> bool {
    use StmtKind::*;
    block.iter().all(|stmt| match &stmt.kind {
        Local(..) | Var(..) | Table(..) | Next(_) | Move(..) | Carry(..) | Take(_) | Place(..) | Change(..)
        | Lay(..) | Note(_) | Announce(_) => true,
        Require(test, _) => matches!(test.kind, ExprKind::Const(code) if code != 0),
        If(_, yes, no) => is_sure(yes) && is_sure(no),
        Match(_, arms, other) => arms.iter().all(|(_, arm)| is_sure(arm)) && is_sure(other),
        May(_) => true,
        From(_, block) => is_sure(block),
        _ => false,
    })
}
