//! Goes through the runs of a program, depth first, by running it again and again with longer scripts.
//!
//! Some choices depend on what other runs can do. Here is what they ask, and of which runs:
//!
//! * `either … otherwise` and `while possible`: is there a complete run that begins with these choices? Complete means: to the next cut.
//! * `require most e`: the greatest value among the runs that get to this line, of all that are being looked through. In a look
//!   through a whole move that is every run of the move; while it is asked whether a complete run begins with some choices, it is
//!   the runs that begin with them. (So a question never depends on a question about fewer choices, and every answer is found.)

use std::collections::{BTreeMap, HashSet};

use super::ahead::World;
use super::run::{Event, Failure, Halt, Pause, Pick, Run, Script, Wants};
use super::value::Val;
use super::watch::Deed;
use crate::bug;
use crate::play::table::DEEPEST_QUESTION;
use crate::play::{Move, Snapshot, Trouble};
use crate::rules::live::{Place, live};
use crate::rules::{Block, LocalId};
use crate::source::Span;

use super::run::Spot;

/// A run as far as its script leads.
pub struct Walk<'a> {
    /// The run.
    pub run: Run<'a>,
    /// Where it has come to.
    pub end: WalkEnd,
}

/// Where a run has come to.
pub enum WalkEnd {
    /// The end of the program.
    Done,
    /// The end of its script.
    Pause(Pause),
    /// A `require` that does not hold.
    Failed(Failure),
}

/// A move and the script behind it.
#[derive(Clone, Debug)]
pub struct Found {
    /// Its codes.
    pub codes: Move,
    /// All that was chosen and thrown since the program began, this move included.
    pub script: Script,
}

/// How a run may go on.
pub enum Onward {
    /// A cut: the run is complete.
    Cut,
    /// With one of these.
    Picks(Vec<Pick>),
    /// Not at all.
    Dead,
}

/// What one needs to go through runs, and what has been found out.
pub struct Explorer<'a> {
    /// The rules and the past.
    pub world: World<'a>,
    program: &'a Block,
    base: &'a Snapshot,
    from: usize,
    possible: BTreeMap<Script, bool>,
    best: BTreeMap<(Script, Place), i32>,
    walks: u64,
    /// See [`Run::looks`].
    pub looks: u64,
    depth: u32,
}

impl<'a> Explorer<'a> {
    /// Runs begin in this position, and the present move with this entry of the script.
    pub fn new(world: World<'a>, program: &'a Block, base: &'a Snapshot, from: usize) -> Self {
        Explorer {
            world,
            program,
            base,
            from,
            possible: BTreeMap::new(),
            best: BTreeMap::new(),
            walks: 0,
            looks: 0,
            depth: 0,
        }
    }

    /// The program.
    pub fn program(&self) -> &'a Block {
        self.program
    }

    /// Runs the program with a script.
    pub fn walk(&mut self, script: Script) -> Result<Walk<'a>, Trouble> {
        let bounds = self.world.rules.bounds;
        let (base, seat) = (self.base.clone(), self.base.mover);
        let mut run = Run::new(self.world, base, seat, script, self.from);
        run.looks = self.looks;
        let flow = run.block(self.program, 0);
        self.looks = run.looks + u64::from(run.rounds);
        self.walks += 1;
        if self.walks > bounds.ways {
            let (span, limit) = (run.here(), bounds.ways);
            return Err(Trouble::TooLong { span, what: "tries", limit });
        }
        let end = match flow {
            Ok(()) => WalkEnd::Done,
            Err(Halt::Pause(pause)) => WalkEnd::Pause(pause),
            Err(Halt::Failed(failure)) => {
                if let Some(watch) = self.world.watch {
                    watch.note(failure.span, Deed::Refused);
                }
                WalkEnd::Failed(failure)
            }
            Err(Halt::Trouble(trouble)) => return Err(trouble),
            Err(Halt::Stop) => bug!("a `stop` outside of all loops"),
        };
        Ok(Walk { run, end })
    }

    /// How a run may go on; `origin`: the runs being looked through all begin like the script's first so many entries.
    pub fn onward(&mut self, walk: &Walk, origin: usize) -> Result<Onward, Trouble> {
        let pause = match &walk.end {
            WalkEnd::Done => return Ok(Onward::Cut),
            WalkEnd::Failed(_) => return Ok(Onward::Dead),
            WalkEnd::Pause(pause) => pause,
        };
        let shown = |codes: Vec<i32>| {
            let pick = |code| Pick { code, shown: true };
            Onward::Picks(codes.into_iter().map(pick).collect())
        };
        let answer = |code| Onward::Picks(vec![Pick { code, shown: false }]);
        let script = walk.run.script();
        if is_choice(&pause.wants) && walk.run.chooser.is_some_and(|seat| seat != pause.seat) {
            return Ok(Onward::Cut);
        }
        Ok(match &pause.wants {
            Wants::Throw(..) | Wants::Throws(..) | Wants::Commit => Onward::Cut,
            Wants::Member(_, codes) => shown(codes.clone()),
            Wants::May | Wants::Again => shown(vec![0, 1]),
            Wants::Branch(flags) => shown(self.open_branches(script, flags, pause.span)?),
            Wants::Possible => {
                let round = with(script, 0, false);
                answer(i32::from(!self.is_possible(round, pause.span)?))
            }
            Wants::Best(greatest, value) => {
                let start = script[..origin].to_vec();
                if *value == self.best(start, place(pause), *greatest, pause.span)? { answer(0) } else { Onward::Dead }
            }
        })
    }

    /// The branches of an `either` that are open.
    fn open_branches(&mut self, script: &Script, flags: &[bool], span: Span) -> Result<Vec<i32>, Trouble> {
        let mut open: Vec<i32> = Vec::new();
        for (branch, &flag) in (0..).zip(flags) {
            let mut earlier = false;
            if flag {
                for &other in &open {
                    earlier = earlier || self.is_possible(with(script, other, true), span)?;
                }
            }
            if !earlier {
                open.push(branch);
            }
        }
        Ok(open)
    }

    /// Is there a complete run that begins like this?
    pub fn is_possible(&mut self, script: Script, span: Span) -> Result<bool, Trouble> {
        if let Some(&known) = self.possible.get(&script) {
            return Ok(known);
        }
        self.deeper(span)?;
        let found = Search::new(script.clone()).next(self)?.is_some();
        self.depth -= 1;
        self.possible.insert(script, found);
        Ok(found)
    }

    /// The greatest (or least) value that runs which begin like this have at a place.
    pub fn best(&mut self, start: Script, place: Place, greatest: bool, span: Span) -> Result<i32, Trouble> {
        let key = (start, place);
        if let Some(&known) = self.best.get(&key) {
            return Ok(known);
        }
        self.deeper(span)?;
        let mut values = Vec::new();
        let mut search = Search::new(key.0.clone());
        search.until = Some(key.1.clone());
        search.forks = self.world.rules.by_outcome.then(HashSet::new);
        while let Some(walk) = search.next(self)? {
            if let WalkEnd::Pause(pause) = &walk.end
                && let Wants::Best(_, value) = pause.wants
            {
                values.push(value);
            }
        }
        self.depth -= 1;
        let best = if greatest { values.iter().max() } else { values.iter().min() };
        let Some(&best) = best else { bug!("no run gets to where a run has been") };
        self.best.insert(key, best);
        Ok(best)
    }

    fn deeper(&mut self, span: Span) -> Result<(), Trouble> {
        self.depth += 1;
        if self.depth > DEEPEST_QUESTION {
            return Err(Trouble::TooLong {
                span,
                what: "questions inside of each other",
                limit: DEEPEST_QUESTION.into(),
            });
        }
        Ok(())
    }

    /// All moves from here. With `by_outcome`, of those that lead to the same only the first.
    pub fn moves(&mut self, script: Script, by_outcome: bool) -> Result<Vec<Found>, Trouble> {
        let from = script.len();
        let mut search = Search::new(script);
        search.forks = by_outcome.then(HashSet::new);
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        while let Some(walk) = search.next(self)? {
            if by_outcome && !seen.insert(self.state(&walk)) {
                continue;
            }
            if let Some(watch) = self.world.watch {
                watch.fired(&walk.run.trace);
            }
            let script = walk.run.script().clone();
            let codes = Move(codes(&script[from..]));
            found.push(Found { codes, script });
            let limit = self.world.rules.bounds.moves;
            if found.len() > limit {
                return Err(Trouble::TooMany { span: walk.run.here(), limit });
            }
        }
        Ok(found)
    }

    /// What two runs must have in common to be the same from here on.
    pub fn state(&self, walk: &Walk) -> State {
        let WalkEnd::Pause(pause) = &walk.end else {
            return (walk.run.snap.clone(), None);
        };
        let names = live(self.program, &place(pause));
        let values = names.into_iter().map(|name| {
            let value = walk.run.local(name).clone();
            (name, value)
        });
        let going_on = (pause.path.clone(), values.collect());
        (walk.run.snap.clone(), Some(going_on))
    }
}

/// A position and, if the program goes on, the place in it and the names that matter.
pub type State = (Snapshot, Option<(Vec<Spot>, Vec<(LocalId, Val)>)>);

/// Looks for complete runs, one after the other.
pub struct Search {
    /// Look for runs that get to this place instead.
    until: Option<Place>,
    /// Where loops of the player's have forked so far, if one run is enough of those that lead to the same: what lies behind a fork has
    /// been found when a run comes there again.
    forks: Option<HashSet<State>>,
    origin: usize,
    stack: Vec<Script>,
}

impl Search {
    /// Runs that begin like this.
    pub fn new(script: Script) -> Search {
        Search { until: None, forks: None, origin: script.len(), stack: vec![script] }
    }

    /// Runs that begin like this, among all that begin like the first `origin` entries.
    pub fn among(origin: usize, script: Script) -> Search {
        Search { until: None, forks: None, origin, stack: vec![script] }
    }

    /// The next one, as far as the cut.
    pub fn next<'a>(&mut self, explorer: &mut Explorer<'a>) -> Result<Option<Walk<'a>>, Trouble> {
        while let Some(script) = self.stack.pop() {
            let walk = explorer.walk(script)?;
            if let (Some(until), WalkEnd::Pause(pause)) = (&self.until, &walk.end)
                && matches!(pause.wants, Wants::Best(..))
                && place(pause) == *until
            {
                return Ok(Some(walk));
            }
            if let (Some(forks), WalkEnd::Pause(Pause { wants: Wants::Again, .. })) = (&mut self.forks, &walk.end)
                && !forks.insert(explorer.state(&walk))
            {
                continue;
            }
            match explorer.onward(&walk, self.origin)? {
                Onward::Cut if self.until.is_none() => return Ok(Some(walk)),
                Onward::Cut | Onward::Dead => {}
                Onward::Picks(picks) => {
                    let script = walk.run.script();
                    let longer = picks.iter().rev().map(|pick| with(script, pick.code, pick.shown));
                    self.stack.extend(longer);
                    let limit = explorer.world.rules.bounds.ways;
                    if self.stack.len() as u64 > limit {
                        return Err(Trouble::TooLong { span: walk.run.here(), what: "tries", limit });
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Has somebody made a choice by `choose`, or noted something, among these events?
pub fn is_somebodys(events: &[Event]) -> bool {
    let told = |event: &Event| matches!(event, Event::Chose(..) | Event::Note(_));
    events.iter().any(told)
}

/// Does a person choose here?
pub fn is_choice(wants: &Wants) -> bool {
    matches!(wants, Wants::Member(..) | Wants::Branch(_) | Wants::May | Wants::Again)
}

/// The codes of a move that are shown.
pub fn codes(script: &[Pick]) -> Vec<i32> {
    let shown = script.iter().filter(|pick| pick.shown);
    shown.map(|pick| pick.code).collect()
}

/// A script with one more entry.
pub fn with(script: &Script, code: i32, shown: bool) -> Script {
    let mut longer = script.clone();
    longer.push(Pick { code, shown });
    longer
}

/// The place of a pause in the program.
pub fn place(pause: &Pause) -> Place {
    Place { way: pause.path.iter().map(|spot| (spot.arm, spot.at)).collect(), after_round: pause.after_round }
}
