//! What a run knows besides its position: the rules, the past, and how questions about past and future are to be answered.

use std::rc::Rc;

use super::explore::{Explorer, Search};
use super::run::{Event, Halt, Run};
use super::value::mask_of;
use super::watch::Watch;
use crate::bug;
use crate::play::{Asks, Snapshot, Trouble};
use crate::rules::{Block, Rules};

/// What does not change while a question is answered.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The positions after each turn, the first one first, as [`Snapshot::kept`]; empty if the game never asks.
    pub history: &'a [Rc<Snapshot>],
    /// The pieces at the start of the turn.
    pub start: &'a Snapshot,
    /// From when `stuck`, `repeats` and the like are asked.
    pub asks: Asks,
    /// Who wants to know which rules have their say.
    pub watch: Option<&'a Watch>,
}

impl Asks {
    fn ahead(self) -> bool {
        matches!(self, Asks::AheadTurn | Asks::AheadAfter)
    }
}

/// Runs statements without choices on a position; gives what happened.
pub fn run_plainly(world: World, snap: &mut Snapshot, seat: i32, block: &Block) -> Result<Vec<Event>, Trouble> {
    let mut run = Run::new(world, snap.clone(), seat, Vec::new(), 0);
    match run.block(block, 0) {
        // A `require` or a `stop` leaves the rest undone.
        Ok(()) | Err(Halt::Failed(_) | Halt::Stop) => {
            if let Some(watch) = world.watch.filter(|_| !world.asks.ahead()) {
                watch.fired(&run.trace);
            }
            *snap = run.snap;
            Ok(run.events)
        }
        Err(Halt::Trouble(trouble)) => Err(trouble),
        Err(Halt::Pause(pause)) => bug!("a choice where none can be made: {pause:?}"),
    }
}

/// The turn is over: it is counted, and `after turn` runs; gives what happened.
pub fn end_turn(world: World, snap: &mut Snapshot) -> Result<Vec<Event>, Trouble> {
    snap.turns = snap.turns.saturating_add(1);
    let seat = snap.mover;
    run_plainly(world, snap, seat, &world.rules.after)
}

/// Has this seat no run at all at the start of its turn? A seat that has resigned is not stuck. `looks`: see [`Run::looks`].
pub fn is_stuck(world: World, over: &Snapshot, looks: &mut u64) -> Result<bool, Trouble> {
    let rules = world.rules;
    if over.resigned & mask_of(over.next) != 0 {
        return Ok(false);
    }
    let mut snap = over.clone();
    snap.mover = over.next;
    snap.next = rules.following(snap.mover);
    let start = snap.clone();
    let world = World { start: &start, ..world };
    let mut explorer = Explorer::new(world, &rules.turn, &snap, 0);
    explorer.looks = *looks;
    let stuck = Search::new(Vec::new()).next(&mut explorer)?.is_none();
    *looks = explorer.looks;
    Ok(stuck)
}

impl Run<'_> {
    /// The position if the turn ended here.
    fn if_ended(&self) -> Result<Snapshot, Halt> {
        let mut snap = self.snap.clone();
        if matches!(self.world.asks, Asks::Turn | Asks::AheadTurn) {
            let asks = Asks::AheadAfter;
            let world = World { asks, ..self.world };
            end_turn(world, &mut snap).map_err(Halt::Trouble)?;
        }
        if self.between {
            snap.next = snap.mover;
        }
        Ok(snap)
    }

    /// `stuck`
    pub fn next_is_stuck(&mut self) -> Result<bool, Halt> {
        if self.world.asks.ahead() {
            return Ok(false);
        }
        if let Some(known) = self.stuck {
            return Ok(known);
        }
        let over = self.if_ended()?;
        let mut history = self.world.history.to_vec();
        let asks = if self.world.asks == Asks::End {
            Asks::Turn
        } else {
            remember(self.world.rules, &mut history, &over);
            Asks::AheadTurn
        };
        let world = World { history: &history, asks, ..self.world };
        let stuck = is_stuck(world, &over, &mut self.looks).map_err(Halt::Trouble)?;
        if self.world.asks == Asks::End {
            self.stuck = Some(stuck);
        }
        Ok(stuck)
    }

    /// `repeats`
    pub fn repeats(&mut self) -> Result<i32, Halt> {
        let here = self.if_ended()?.kept(self.world.rules);
        Ok(self.times_seen(|past| *past == here))
    }

    /// `board_repeats`
    pub fn board_repeats(&mut self) -> Result<i32, Halt> {
        let here = self.if_ended()?;
        Ok(self.times_seen(|past| past.same_pieces(&here)))
    }

    /// `loop`
    pub fn loop_length(&mut self) -> Result<i32, Halt> {
        let here = self.if_ended()?.kept(self.world.rules);
        let past = self.world.history;
        let first = past.iter().position(|past| **past == here);
        let turns = if self.world.asks == Asks::End { past.len().saturating_sub(1) } else { past.len() };
        Ok(first.map_or(0, |first| turns.saturating_sub(first) as i32))
    }

    fn times_seen(&self, same: impl Fn(&Snapshot) -> bool) -> i32 {
        let before = self.world.history.iter().filter(|past| same(past)).count() as i32;
        if self.world.asks == Asks::End { before.max(1) } else { before + 1 }
    }
}

/// Adds a position to the past, if the game ever asks about it.
pub fn remember(rules: &Rules, history: &mut Vec<Rc<Snapshot>>, snap: &Snapshot) {
    if rules.uses.repeats || rules.uses.board_repeats {
        history.push(Rc::new(snap.kept(rules)));
    }
}
