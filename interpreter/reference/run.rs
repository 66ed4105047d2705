//! One run of a program, told beforehand what to choose.
//!
//! A run walks through the statements and takes its choices from a script. Where the script has come to its end and there is
//! something to choose, to throw or to ask about other runs, the run pauses and says what. To go on, somebody runs a longer script
//! from the beginning: nothing is kept but the position in which the program began and the script.

use super::ahead::World;
use super::value::{Val, at, in_ranges};
use crate::play::position::value_text;
use crate::play::{Snapshot, Trouble, Value};
use crate::rules::stmt::TableOp;
use crate::rules::{Block, Domain, Expr, LocalId, NONE, PerWhat, Stmt, StmtKind, Ty, number};
use crate::source::Span;

/// One entry of a script. Not shown: answers that the rules give and nobody chooses; they are no part of a move's codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pick {
    /// What was chosen.
    pub code: i32,
    /// Is it part of the move?
    pub shown: bool,
}

/// What to choose, from the beginning of the program.
pub type Script = Vec<Pick>;

/// Why a run does not go on.
#[derive(Debug)]
pub enum Halt {
    /// The script is at its end.
    Pause(Pause),
    /// A `require` does not hold.
    Failed(Failure),
    /// `stop`, on its way to the loop.
    Stop,
    /// It cannot be run.
    Trouble(Trouble),
}

/// A `require` that does not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The statement.
    pub span: Span,
    /// The author's reason.
    pub reason: Option<String>,
}

/// Where a run waits.
#[derive(Clone, Debug)]
pub struct Pause {
    /// For what.
    pub wants: Wants,
    /// The statement.
    pub span: Span,
    /// Who chooses.
    pub seat: i32,
    /// The place in the program.
    pub path: Vec<Spot>,
    /// Is it after a round of the loop at that place, rather than before the statement?
    pub after_round: bool,
}

/// What a run waits for.
#[derive(Clone, Debug)]
pub enum Wants {
    /// One of these members for a name.
    Member(LocalId, Vec<i32>),
    /// A branch; those with the flag open only if nothing goes through the earlier ones.
    Branch(Vec<bool>),
    /// 0 to do it or 1 to leave it.
    May,
    /// 0 for another round, 1 for no more.
    Again,
    /// Not shown: 0 if another round is possible, else 1.
    Possible,
    /// Not shown: 0 if no other run has a greater (or lesser) value here.
    Best(bool, i32),
    /// A throw of one of these, each so many times.
    Throw(Ty, Vec<(i32, u64)>),
    /// So many throws at once, in ascending order.
    Throws(Ty, usize, Vec<(i32, u64)>),
    /// Not shown: 0 to go on after a `commit`.
    Commit,
}

/// One level of the place in a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spot {
    /// Which block of the statement around it.
    pub arm: usize,
    /// Which statement of that block.
    pub at: usize,
    /// What the statement still has before it: rounds, members, the seat from which it is seen.
    pub left: Vec<i32>,
}

/// What a run did that can be told.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A member was chosen for a name.
    Chose(LocalId, Val),
    /// A name was given a value.
    Bound(LocalId, Val),
    /// Chance brought this.
    Threw(Ty, i32),
    /// `announce`: what everybody hears.
    Announced(String),
    /// `note`
    Note(i32),
    /// A loop of the player's begins.
    Opens,
    /// Another of its rounds begins.
    Round,
    /// It is over.
    Closes,
}

/// Statements halt the run or let it go on.
pub type Flow = Result<(), Halt>;

/// A run on its way.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// What does not change on the way.
    pub world: World<'a>,
    /// The position.
    pub snap: Snapshot,
    /// The seat from which things are seen.
    pub seat: i32,
    /// All names.
    pub locals: Vec<Val>,
    /// What happened.
    pub events: Vec<Event>,
    /// The place in the program.
    pub path: Vec<Spot>,
    /// In how many ways chance can bring this, since the entry `from`.
    pub weight: u128,
    /// Of how many ways in which all this could have been thrown.
    pub of: u128,
    /// Who chose first since the entry `from`.
    pub chooser: Option<i32>,
    /// Rounds of loops since the entry `from`.
    pub rounds: u32,
    /// Parts of expressions that were worked out, and members that were gone through.
    pub looks: u64,
    /// Is the next player stuck, if that has been worked out (in `end`)?
    pub stuck: Option<bool>,
    /// Between two turns, the mover's being about to begin?
    pub between: bool,
    /// The statements that have run, if somebody watches.
    pub trace: Vec<Span>,
    /// The statement it is at.
    here: Span,
    script: Script,
    read: usize,
    from: usize,
}

impl<'a> Run<'a> {
    /// A run that begins in a position, seen from a seat.
    pub fn new(world: World<'a>, snap: Snapshot, seat: i32, script: Script, from: usize) -> Self {
        Run {
            locals: vec![Val::Scalar(0); world.rules.locals.len()],
            world,
            snap,
            seat,
            events: Vec::new(),
            path: Vec::new(),
            weight: 1,
            of: 1,
            chooser: None,
            rounds: 0,
            looks: 0,
            stuck: None,
            between: false,
            trace: Vec::new(),
            here: Span::default(),
            script,
            read: 0,
            from,
        }
    }

    /// The script it follows.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// Runs statements in order; `arm` says which block of the statement around them they are.
    pub fn block(&mut self, block: &Block, arm: usize) -> Flow {
        self.path.push(Spot { arm, at: 0, left: Vec::new() });
        let depth = self.path.len();
        for (i, stmt) in block.iter().enumerate() {
            self.path.truncate(depth);
            if let Some(spot) = self.path.last_mut() {
                spot.at = i;
                spot.left.clear();
            }
            self.stmt(stmt)?;
        }
        self.path.truncate(depth - 1);
        Ok(())
    }

    /// The statement it has come to.
    pub fn here(&self) -> Span {
        self.here
    }

    /// Counts a round of a loop.
    pub fn burn(&mut self, span: Span) -> Flow {
        if self.read < self.from {
            return Ok(());
        }
        self.rounds += 1;
        let rounds = self.world.rules.bounds.fuel;
        if self.rounds > rounds {
            return Err(Halt::Trouble(Trouble::Fuel { span, rounds }));
        }
        Ok(())
    }

    /// Counts something that is looked at.
    pub fn look(&mut self) -> Flow {
        self.looks += 1;
        let limit = self.world.rules.bounds.looks;
        if self.looks > limit {
            let span = self.here;
            return Err(Halt::Trouble(Trouble::TooLong { span, what: "looks", limit }));
        }
        Ok(())
    }

    /// Has all of the script been read?
    pub fn at_end(&self) -> bool {
        self.read >= self.script.len()
    }

    /// Has any of the present move's entries been read?
    pub fn is_past_start(&self) -> bool {
        self.read > self.from
    }

    /// The next entry of the script, or a pause. A shown entry is somebody's choice.
    pub fn ask(&mut self, wants: Wants, span: Span, seat: i32, after_round: bool) -> Result<i32, Halt> {
        let Some(pick) = self.script.get(self.read) else {
            return Err(Halt::Pause(Pause { wants, span, seat, path: self.path.clone(), after_round }));
        };
        let chance = matches!(wants, Wants::Throw(..) | Wants::Throws(..));
        if self.read >= self.from && pick.shown && !chance {
            self.chooser.get_or_insert(seat);
        }
        self.read += 1;
        Ok(pick.code)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Flow {
        use StmtKind::*;
        let span = stmt.span;
        self.here = span;
        let mover = self.snap.mover;
        if self.world.watch.is_some() {
            self.trace.push(span);
        }
        match &stmt.kind {
            Local(local, value) => {
                let value = self.value(value)?;
                self.events.push(Event::Bound(*local, value.clone()));
                self.set_local(*local, value);
            }
            Var(var, index, value) => {
                let index = self.index(index.as_ref())?;
                let value = self.value(value)?;
                self.store(*var, index, value);
            }
            Table(var, op, sites, value) => {
                let (sites, value) = (self.sites(sites)?, self.scalar(value)?);
                for site in sites.iter() {
                    self.change_table(*var, *op, site, value);
                }
            }
            Next(seat) => {
                let seat = self.scalar(seat)?;
                if at(&self.world.rules.seats, seat).is_some() {
                    self.snap.next = seat;
                }
            }
            Choose { binders, filter, by } => {
                let by = match by {
                    // Where nobody is named the mover chooses.
                    Some(by) => Some(self.scalar(by)?).filter(|&by| by != NONE).unwrap_or(mover),
                    None => mover,
                };
                self.choose(binders, filter.as_ref(), by, span)?;
            }
            Roll { binders, filter } => {
                for binder in binders {
                    let ty = self.world.rules.locals[binder.local.0 as usize].ty;
                    let code = if matches!(binder.domain, Domain::Range(..)) && !self.at_end() {
                        // Of numbers there is one each, and they may be very many.
                        let all = self.pass_by(&binder.domain)?;
                        let code = self.ask(Wants::Throw(ty, Vec::new()), span, mover, false)?;
                        self.weigh_one(all);
                        code
                    } else {
                        let members = self.members(&binder.domain)?;
                        let code = self.ask(Wants::Throw(ty, members.clone()), span, mover, false)?;
                        self.weigh(&members, &[code]);
                        code
                    };
                    self.bind(binder, code);
                    self.events.push(Event::Threw(ty, code));
                }
                if let Some(filter) = filter
                    && !self.holds(filter)?
                {
                    return Err(failed(span, None));
                }
            }
            RollBag { times, var, index, domain } => self.roll_bag(times, *var, index.as_ref(), domain, span)?,
            Require(test, reason) => {
                if !self.holds(test)? {
                    return Err(failed(span, reason.clone()));
                }
            }
            Best(greatest, value) => {
                let value = self.scalar(value)?;
                self.ask(Wants::Best(*greatest, value), span, mover, false)?;
            }
            Either(branches) => {
                let flags = branches.iter().map(|(flag, _)| *flag).collect();
                let branch = self.ask(Wants::Branch(flags), span, mover, false)?;
                if let Some((_, block)) = at(branches, branch) {
                    self.block(block, branch as usize)?;
                }
            }
            May(block) => {
                if self.ask(Wants::May, span, mover, false)? == 0 {
                    self.block(block, 0)?;
                }
            }
            OnceOrMore(possible, block) => {
                self.player_loop(block, None, *possible, span)?;
            }
            UpTo(n, block) => {
                let n = self.scalar(n)?;
                if n < 1 {
                    return Err(failed(span, None));
                }
                self.player_loop(block, Some(n), false, span)?;
            }
            Times(n, block) => {
                let n = self.scalar(n)?;
                for round in 0..n {
                    self.burn(span)?;
                    self.leave(vec![n - round]);
                    if self.round(block)? {
                        break;
                    }
                }
            }
            While(test, block) => {
                while self.holds(test)? {
                    self.burn(span)?;
                    if self.round(block)? {
                        break;
                    }
                }
            }
            For(binders, filter, block) => {
                self.for_each(binders, filter.as_ref(), block, &[], span)?;
            }
            Stop => return Err(Halt::Stop),
            If(test, yes, no) => {
                let (block, arm) = if self.holds(test)? { (yes, 0) } else { (no, 1) };
                self.block(block, arm)?;
            }
            Match(on, arms, other) => {
                let on = self.scalar(on)?;
                let arm = arms.iter().position(|(ranges, _)| in_ranges(ranges, on));
                match arm {
                    Some(arm) => self.block(&arms[arm].1, arm)?,
                    None => self.block(other, arms.len())?,
                }
            }
            From(seat, block) => {
                let seat = self.scalar(seat)?;
                let before = std::mem::replace(&mut self.seat, seat);
                self.leave(vec![seat]);
                let flow = self.block(block, 0);
                // A `stop` leaves for a loop outside, where things are seen as before; a pause or a failure keeps the seat.
                if !matches!(flow, Err(Halt::Pause(_) | Halt::Failed(_))) {
                    self.seat = before;
                }
                flow?;
            }
            Move(from, to) => {
                let (from, to) = (self.scalar(from)?, self.scalar(to)?);
                self.move_piece(from, to);
            }
            Carry(from, to, n) => {
                let (from, to) = (self.scalar(from)?, self.scalar(to)?);
                let n = self.scalar(n)?;
                self.carry(from, to, n);
            }
            Take(sites) => {
                for site in self.sites(sites)?.iter() {
                    self.take(site);
                }
            }
            Place(kind, owner, sites) => {
                let (kind, owner) = (self.scalar(kind)?, self.scalar(owner)?);
                for site in self.sites(sites)?.iter() {
                    self.place(kind, owner, site);
                }
            }
            Change(sites, kind, owner) => {
                let (sites, kind) = (self.sites(sites)?, self.scalar(kind)?);
                let owner = match owner {
                    Some(owner) => Some(self.scalar(owner)?),
                    None => None,
                };
                for site in sites.iter() {
                    self.change(site, kind, owner);
                }
            }
            Lay(text, place) => {
                let text = self.scalar(text)?;
                let place = match place {
                    Some((site, along, down)) => Some((self.scalar(site)?, self.scalar(along)?, self.scalar(down)?)),
                    None => None,
                };
                self.lay(text, place);
            }
            Commit => {
                self.ask(Wants::Commit, span, mover, false)?;
            }
            Note(text) => {
                let text = self.scalar(text)?;
                self.events.push(Event::Note(text));
            }
            Announce(list) => {
                let rules = self.world.rules;
                let mut words = Vec::new();
                for expr in list {
                    let value = self.value(expr)?.kept(rules.n_sites());
                    words.push(value_text(rules, expr.ty, &value));
                }
                self.events.push(Event::Announced(words.join(", ")));
            }
        }
        Ok(())
    }

    /// Says what the present statement still has before it.
    pub fn leave(&mut self, left: Vec<i32>) {
        if let Some(spot) = self.path.last_mut() {
            spot.left = left;
        }
    }

    /// One round of a loop; true if it was left by `stop`.
    pub fn round(&mut self, block: &Block) -> Result<bool, Halt> {
        let depth = self.path.len();
        match self.block(block, 0) {
            Ok(()) => Ok(false),
            Err(Halt::Stop) => {
                self.path.truncate(depth);
                Ok(true)
            }
            Err(halt) => Err(halt),
        }
    }

    /// The entry that an index means: 0 without one, none for nobody and nowhere.
    pub fn index(&mut self, index: Option<&Expr>) -> Result<i32, Halt> {
        index.map_or(Ok(0), |index| self.scalar(index))
    }

    /// Gives an entry of a variable its value, within its range.
    pub fn store(&mut self, var: u16, index: i32, value: Val) {
        let rules = self.world.rules;
        let decl = &rules.vars[var as usize];
        let value = match value {
            Val::Scalar(n) if decl.ty == Ty::Int => Val::Scalar(in_range(n, decl.range)),
            value => value,
        };
        let entries = &mut self.snap.vars[var as usize];
        if index != NONE
            && let Some(entry) = entries.get_mut(index as usize)
        {
            *entry = value.kept(rules.n_sites());
        }
    }

    fn change_table(&mut self, var: u16, op: TableOp, site: i32, by: i32) {
        let before = match at(&self.snap.vars[var as usize], site) {
            Some(Value::Scalar(n)) => *n,
            _ => 0,
        };
        let after = match op {
            TableOp::Set => by,
            TableOp::Add => number::add(before, by),
            TableOp::Sub => number::sub(before, by),
        };
        self.store(var, site, Val::Scalar(after));
    }

    /// Gives every variable its first value.
    pub fn first_values(&mut self) -> Flow {
        let rules = self.world.rules;
        for (i, var) in (0u16..).zip(&rules.vars) {
            // Every cell of a table begins with the same.
            if var.per == PerWhat::Site {
                self.seat = rules.first;
                let value = self.value(&var.init)?;
                (0..rules.board.n_cells).for_each(|cell| self.store(i, cell as i32, value.clone()));
                continue;
            }
            for index in 0..rules.n_entries(var) {
                self.seat = if var.per == PerWhat::Player { index as i32 } else { rules.first };
                let value = self.value(&var.init)?;
                self.store(i, index as i32, value);
            }
        }
        Ok(())
    }
}

fn failed(span: Span, reason: Option<String>) -> Halt {
    Halt::Failed(Failure { span, reason })
}

fn in_range(n: i32, (lo, hi): (i32, i32)) -> i32 {
    n.max(lo).min(hi)
}
