//! The course of a game, as [`crate::play`] tells it.

use std::rc::Rc;

use super::ahead::{World, end_turn, remember, run_plainly};
use super::chance;
use super::count::Counted;
use super::ends::{first_places, judge, plain};
use super::explore::{Explorer, Found, Search, Walk, WalkEnd, is_somebodys, with};
use super::run::{Event, Run, Script, Wants};
use super::value::mask_of;
use super::watch::Watch;
use crate::play::examples::Oracle;
use crate::play::{Asks, Move, Outcome, Snapshot, Status, Table, Trouble, Value};
use crate::rules::{Block, Expr, Rules, SiteSet};

/// Which program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Program {
    Setup,
    Turn,
}

/// A game in progress, played by the slow evaluator.
#[derive(Clone, Debug)]
pub struct Slow<'r> {
    pub(super) rules: &'r Rules,
    /// Who wants to know which rules have their say.
    watch: Option<&'r Watch>,
    /// The positions after each turn.
    history: Vec<Rc<Snapshot>>,
    program: Program,
    /// The position when the program began.
    base: Snapshot,
    /// What was chosen and thrown since, up to the last cut.
    pub(super) script: Script,
    /// How much of what has been told belongs to earlier moves of the turn.
    pub(super) told: usize,
    /// Moves and throws in this turn so far.
    steps: u32,
    /// The position at the last cut.
    cut: Snapshot,
    /// The position at the next decision.
    now: Snapshot,
    status: Status,
    /// What the last move announced.
    pub(super) announced: Vec<String>,
    listed: Option<Rc<Vec<Found>>>,
    /// What it took to list them.
    looked: u64,
    pub(super) texts: Option<Rc<Vec<(Move, String)>>>,
}

impl<'r> Slow<'r> {
    /// A game from its beginning; `setup` has run up to the first decision.
    pub fn start(rules: &'r Rules) -> Result<Self, Trouble> {
        Self::begin(rules, None, None)
    }

    /// A game from its beginning, or the next one of a match, after one that ended in a position; somebody may watch the rules.
    pub fn begin(rules: &'r Rules, before: Option<&Snapshot>, watch: Option<&'r Watch>) -> Result<Self, Trouble> {
        let empty = Snapshot::empty(rules);
        let start = empty.clone();
        let world = World { rules, history: &[], start: &start, asks: Asks::After, watch };
        let mut run = Run::new(world, empty, rules.first, Vec::new(), 0);
        plain(run.first_values())?;
        if let Some(before) = before {
            run.snap.follow(rules, before);
        }
        let mut game = Self::at(rules, run.snap, Program::Setup, watch);
        game.advance()?;
        Ok(game)
    }

    /// A game that goes on from a position: `snapshot.mover`'s turn is about to begin, and there is no past.
    pub fn from_snapshot(rules: &'r Rules, snapshot: Snapshot, watch: Option<&'r Watch>) -> Result<Self, Trouble> {
        let mut snap = snapshot;
        snap.next = snap.mover;
        let mut game = Self::at(rules, snap.clone(), Program::Turn, watch);
        remember(rules, &mut game.history, &snap);
        game.next_turn(snap)?;
        game.advance()?;
        Ok(game)
    }

    fn at(rules: &'r Rules, snap: Snapshot, program: Program, watch: Option<&'r Watch>) -> Self {
        Slow {
            rules,
            watch,
            history: Vec::new(),
            program,
            base: snap.clone(),
            script: Vec::new(),
            told: 0,
            steps: 0,
            cut: snap.clone(),
            now: snap,
            status: Status::Chance,
            announced: Vec::new(),
            listed: None,
            looked: 0,
            texts: None,
        }
    }

    /// Runs statements without choices on a position, seen from a seat.
    pub fn run_script(rules: &Rules, snapshot: &mut Snapshot, mover: i32, block: &Block) -> Result<(), Trouble> {
        let start = snapshot.clone();
        let world = World { rules, history: &[], start: &start, asks: Asks::AheadAfter, watch: None };
        run_plainly(world, snapshot, mover, block).map(|_| ())
    }

    fn world(&self, asks: Asks) -> World<'_> {
        World { rules: self.rules, history: &self.history, start: &self.base, asks, watch: self.watch }
    }

    /// Goes through the runs from the last cut on.
    pub(super) fn explorer(&self) -> Explorer<'_> {
        let (block, asks) = match self.program {
            Program::Setup => (&self.rules.setup, Asks::After),
            Program::Turn => (&self.rules.turn, Asks::Turn),
        };
        Explorer::new(self.world(asks), block, &self.base, self.script.len())
    }

    /// Goes on to the next decision.
    fn advance(&mut self) -> Result<(), Trouble> {
        self.listed = None;
        self.texts = None;
        while !matches!(self.status, Status::Over(_)) {
            let script = self.script.clone();
            let mut explorer = self.explorer();
            let first = explorer.walk(script.clone())?;
            if chance::awaited(&first).is_some() {
                self.now = first.run.snap;
                self.status = Status::Chance;
                return Ok(());
            }
            let mut search = Search::new(script);
            let Some(run) = search.next(&mut explorer)? else {
                self.no_turn()?;
                return Ok(());
            };
            let events = &run.run.events[self.told..];
            if is_somebodys(events) || search.next(&mut explorer)?.is_some() {
                let seat = match &first.end {
                    WalkEnd::Pause(pause) => pause.seat,
                    WalkEnd::Done | WalkEnd::Failed(_) => first.run.snap.mover,
                };
                self.now = first.run.snap;
                self.status = Status::ToMove(seat);
                return Ok(());
            }
            let script = run.run.script().clone();
            self.go_to_cut(script, false)?;
        }
        Ok(())
    }

    /// A script that leads to a cut has been played.
    fn go_to_cut(&mut self, script: Script, by_chance: bool) -> Result<(), Trouble> {
        let Walk { run, end } = self.explorer().walk(script)?;
        let (snap, script, told) = (run.snap.clone(), run.script().clone(), run.events.len());
        if let Some(watch) = self.watch {
            watch.fired(&run.trace);
        }
        let events = run.events[self.told.min(told)..].to_vec();
        if let WalkEnd::Pause(pause) = &end {
            // Chance stops at a choice too, which is no cut.
            let cut = !by_chance || matches!(pause.wants, Wants::Commit);
            self.steps += u32::from(cut);
            let limit = self.rules.bounds.steps;
            if self.steps > limit {
                return Err(Trouble::Endless { span: pause.span, limit });
            }
        }
        self.hear(&events);
        match end {
            WalkEnd::Done => return self.program_over(snap),
            WalkEnd::Pause(pause) if matches!(pause.wants, Wants::Commit) => {
                self.script = with(&script, 0, false);
            }
            WalkEnd::Pause(_) | WalkEnd::Failed(_) => self.script = script,
        }
        self.told = told;
        self.cut = snap;
        Ok(())
    }

    /// Notes what is announced.
    fn hear(&mut self, events: &[Event]) {
        let words = |event: &Event| match event {
            Event::Announced(words) => Some(words.clone()),
            _ => None,
        };
        self.announced.extend(events.iter().filter_map(words));
    }

    /// The sites whose contents a seat sees; none: all.
    pub(super) fn seen_by(&self, seat: i32) -> Result<Option<SiteSet>, Trouble> {
        let Some(view) = &self.rules.view else { return Ok(None) };
        let mut run = Run::new(self.world(Asks::End), self.now.clone(), seat, Vec::new(), 0);
        let over = matches!(self.status, Status::Over(_));
        run.between = !over;
        run.stuck = (!over).then_some(false);
        plain(run.sites(view)).map(Some)
    }

    /// The program has come to its end with this position.
    fn program_over(&mut self, snap: Snapshot) -> Result<(), Trouble> {
        match self.program {
            Program::Setup => {
                remember(self.rules, &mut self.history, &snap);
                self.next_turn(snap)
            }
            Program::Turn => match self.turn_over(snap)? {
                Some(snap) => self.next_turn(snap),
                None => Ok(()),
            },
        }
    }

    /// Step 4: a turn is over. Gives the position if the game goes on.
    fn turn_over(&mut self, mut snap: Snapshot) -> Result<Option<Snapshot>, Trouble> {
        let events = end_turn(self.world(Asks::After), &mut snap)?;
        self.hear(&events);
        remember(self.rules, &mut self.history, &snap);
        if let Some(outcome) = judge(self.world(Asks::End), &snap, None)? {
            self.over(snap, outcome);
            return Ok(None);
        }
        if snap.turns >= 0 && snap.turns as u32 >= self.rules.bounds.turns {
            self.over(snap, unfinished("turn limit"));
            return Ok(None);
        }
        Ok(Some(snap))
    }

    /// Step 2: the turn of whoever is next begins; of one who has resigned it is over at once.
    fn next_turn(&mut self, mut snap: Snapshot) -> Result<(), Trouble> {
        self.program = Program::Turn;
        loop {
            snap.mover = snap.next;
            snap.next = self.rules.following(snap.mover);
            self.base = snap.clone();
            self.cut = snap.clone();
            self.script.clear();
            self.told = 0;
            self.steps = 0;
            if snap.resigned & mask_of(snap.mover) == 0 {
                return Ok(());
            }
            match self.turn_over(snap)? {
                Some(after) => snap = after,
                None => return Ok(()),
            }
        }
    }

    /// Step 3: the mover has no run. What runs that failed have changed did not happen.
    fn no_turn(&mut self) -> Result<(), Trouble> {
        let mut snap = self.cut.clone();
        if self.program == Program::Setup {
            self.over(snap, unfinished("no turn"));
            return Ok(());
        }
        snap.next = snap.mover;
        snap.mover = (snap.mover - 1).rem_euclid(self.rules.n_seats() as i32);
        let outcome = judge(self.world(Asks::End), &snap, Some(true))?;
        self.over(snap, outcome.unwrap_or_else(|| unfinished("no turn")));
        Ok(())
    }

    fn over(&mut self, snap: Snapshot, outcome: Outcome) {
        self.now = snap;
        self.status = Status::Over(outcome);
    }

    /// The legal moves with the scripts behind them.
    pub(super) fn listed(&mut self) -> Result<Rc<Vec<Found>>, Trouble> {
        if let Some(listed) = &self.listed {
            return Ok(listed.clone());
        }
        let by_outcome = self.rules.by_outcome && self.program == Program::Turn;
        let mut explorer = self.explorer();
        let found = Rc::new(explorer.moves(self.script.clone(), by_outcome)?);
        self.looked = explorer.looks;
        self.listed = Some(found.clone());
        Ok(found)
    }

    /// What chance may bring, with the scripts behind it and the weights.
    pub(super) fn happen(&mut self) -> Result<Vec<(Found, u64)>, Trouble> {
        let mut explorer = self.explorer();
        let outcomes = chance::outcomes(&mut explorer, self.script.clone())?;
        if outcomes.is_empty() {
            let walk = explorer.walk(self.script.clone())?;
            let span = chance::awaited(&walk).map_or_else(Default::default, |(_, _, _, span)| span);
            return Err(Trouble::NoThrow { span, tries: 0 });
        }
        Ok(outcomes)
    }

    /// The script that a move or a chance event stands for.
    pub(super) fn script_of(&mut self, chosen: &Move) -> Result<Script, Trouble> {
        let script = match self.status {
            Status::Over(_) => return Err(Trouble::NotNow),
            Status::ToMove(_) => {
                let listed = self.listed()?;
                let found = listed.iter().find(|found| found.codes == *chosen);
                found.map(|found| found.script.clone())
            }
            Status::Chance => chance::follow(&mut self.explorer(), self.script.clone(), &chosen.0)?,
        };
        script.ok_or(Trouble::Illegal)
    }

    /// All that what comes next depends on.
    pub(super) fn standing(&self) -> (Vec<Rc<Snapshot>>, Program, Snapshot, Script) {
        (self.history.clone(), self.program, self.base.clone(), self.script.clone())
    }

    /// Step 5: the mover gives up.
    fn give_up(&mut self, seat: i32) -> Result<(), Trouble> {
        let n = self.rules.n_seats();
        let mut snap = self.now.clone();
        if n <= 2 {
            let places = if n == 2 { first_places(n, mask_of(1 - seat)) } else { Vec::new() };
            self.over(snap, resigned(places));
            return Ok(());
        }
        snap.resigned |= mask_of(seat);
        let Some(snap) = self.turn_over(snap)? else {
            return Ok(());
        };
        let left = !snap.resigned & (mask_of(n as i32) - 1);
        if left.count_ones() <= 1 {
            self.over(snap, resigned(first_places(n, left)));
            return Ok(());
        }
        self.next_turn(snap)?;
        self.advance()
    }
}

impl Oracle for Slow<'_> {
    fn steps(&self, begun: &[i32]) -> Result<Vec<i32>, Trouble> {
        self.next_choices(begun)
    }

    fn looked(&self) -> u64 {
        self.looked
    }

    fn split(&self) -> Box<dyn Oracle + '_> {
        Box::new(self.clone())
    }

    fn probe(&self, expr: &Expr) -> Result<Value, Trouble> {
        let value = plain(self.asked().value(expr))?;
        Ok(value.kept(self.rules.n_sites()))
    }
}

impl Slow<'_> {
    /// A run in which something can be asked about the position as it stands.
    pub(super) fn asked(&self) -> Run<'_> {
        let over = matches!(self.status, Status::Over(_));
        let snap = self.now.clone();
        let seat = match self.status {
            Status::ToMove(seat) => seat,
            Status::Chance | Status::Over(_) => snap.mover,
        };
        let mut run = Run::new(self.world(Asks::End), snap, seat, Vec::new(), 0);
        // The past knows a position by whose turn comes; between turns that is the mover.
        run.between = !over;
        // Whoever is to move has a turn.
        run.stuck = (!over).then_some(false);
        run
    }
}

impl Table for Slow<'_> {
    fn status(&self) -> Status {
        self.status.clone()
    }

    fn moves(&mut self) -> Result<Vec<Move>, Trouble> {
        if !matches!(self.status, Status::ToMove(_)) {
            return Err(Trouble::NotNow);
        }
        let listed = self.listed()?;
        Ok(listed.iter().map(|found| found.codes.clone()).collect())
    }

    fn outcomes(&mut self) -> Result<Vec<(Move, u64)>, Trouble> {
        if self.status != Status::Chance {
            return Err(Trouble::NotNow);
        }
        let codes = |(found, weight): (Found, u64)| (found.codes, weight);
        Ok(self.happen()?.into_iter().map(codes).collect())
    }

    fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble> {
        if self.status != Status::Chance {
            return Err(Trouble::NotNow);
        }
        chance::draw(&mut self.explorer(), self.script.clone(), draw)
    }

    fn play(&mut self, chosen: &Move) -> Result<(), Trouble> {
        let script = self.script_of(chosen)?;
        let mut after = self.clone();
        after.announced.clear();
        after.go_to_cut(script, self.status == Status::Chance)?;
        after.advance()?;
        *self = after;
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Trouble> {
        let Status::ToMove(seat) = self.status else {
            return Err(Trouble::NotNow);
        };
        if self.program == Program::Setup && self.rules.n_seats() > 2 {
            return Err(Trouble::NotNow);
        }
        let mut after = self.clone();
        after.announced.clear();
        after.give_up(seat)?;
        *self = after;
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        self.now.clone()
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        Box::new(self.clone())
    }

    fn perft(&mut self, depth: u32) -> Result<u64, Trouble> {
        Counted::default().sequences(self, depth)
    }
}

fn unfinished(reason: &str) -> Outcome {
    Outcome { places: Vec::new(), by: 1, reason: reason.into(), ending: None }
}

fn resigned(places: Vec<u8>) -> Outcome {
    Outcome { places, ..unfinished("resigned") }
}
