//! The course of a game, see [`crate::play`]: turns that begin and end, the ends, looking ahead.

use super::code::*;
use super::core::Core;
use super::goal::Goal;
use super::run::Stop;
use super::switches::Switch;
use crate::play::{Asks, Outcome, Snapshot, Status, Trouble};
use crate::source::Span;

/// A game in progress.
#[derive(Clone)]
pub struct Play<'e, const W: usize> {
    /// The position and its past.
    pub core: Core<'e, W>,
    /// What is to happen.
    pub status: Status,
    /// The node where it is to happen.
    pub node: u32,
    /// Is the first position still being made?
    pub setup: bool,
    /// Is the turn that ends now one that was given up?
    given_up: bool,
    /// Moves and throws in this turn so far.
    pub steps: u32,
}

impl<'p, const W: usize> Core<'p, W> {
    /// The seat whose turn it is.
    pub fn mover(&self) -> i32 {
        self.scalar(self.p.layout.mover)
    }

    /// Runs a program without choices to its end; one that has them stops there.
    pub fn run_through(&mut self, start: u32) -> Result<(), Trouble> {
        if matches!(self.p.nodes[start as usize].op, Op::End) {
            return Ok(());
        }
        self.set_fuel(self.p.rules.bounds.fuel);
        self.forward(start, false)?;
        match self.trouble.take() {
            Some(trouble) => Err(trouble),
            None => Ok(()),
        }
    }

    /// Counts a turn and runs what happens when it is over.
    pub(super) fn finish_turn(&mut self) -> Result<(), Trouble> {
        self.asks = if matches!(self.asks, Asks::Turn | Asks::After) { Asks::After } else { Asks::AheadAfter };
        self.stuck = None;
        let turns = self.p.layout.turns as usize;
        self.b[turns] = (self.b[turns] as i32).saturating_add(1) as u32 as u64;
        let mover = self.mover();
        match usize::try_from(mover) {
            Ok(seat) => self.run_through(self.p.after[seat]),
            Err(_) => Ok(()),
        }
    }

    /// Remembers the position, with `next` to move.
    pub fn remember(&mut self) {
        let uses = self.p.rules.uses;
        if uses.repeats {
            let key = self.key(self.scalar(self.p.layout.next));
            self.keys.push(key);
        }
        if uses.board_repeats {
            let key = self.board_key();
            self.boards.push(key);
        }
    }

    /// Lets the turn of a seat begin.
    pub(super) fn begin_turn(&mut self, seat: i32) {
        let layout = &self.p.layout;
        self.b[layout.mover as usize] = seat as u32 as u64;
        self.b[layout.next as usize] = self.p.rules.following(seat) as u64;
        let turn_key = layout.turn_key as usize;
        self.b[turn_key] = self.board_key();
        self.asks = Asks::Turn;
        self.stuck = None;
        self.turning = true;
    }

    /// Has a seat resigned?
    pub fn has_resigned(&self, seat: i32) -> bool {
        seat >= 0 && self.b[self.p.layout.resigned as usize] >> seat & 1 == 1
    }

    /// The position as it would be if the turn ended here.
    fn as_if_over(&mut self) -> Option<Core<'p, W>> {
        let mut copy = self.ahead();
        if matches!(self.asks, Asks::Turn | Asks::AheadTurn)
            && let Err(trouble) = copy.finish_turn()
        {
            self.trouble = Some(trouble);
            return None;
        }
        Some(copy)
    }

    /// Has `next` no turn? The turn is over; the position becomes that of the next one.
    fn next_is_stuck(&mut self, asks: Asks) -> Result<bool, Trouble> {
        let next = self.scalar(self.p.layout.next);
        if next < 0 || self.has_resigned(next) {
            return Ok(false);
        }
        self.begin_turn(next);
        self.asks = asks;
        let start = self.p.turn[next as usize];
        Ok(!self.explore(start, &mut Goal::Any)?)
    }

    /// The word `stuck`.
    pub fn stuck(&mut self) -> bool {
        if matches!(self.asks, Asks::AheadTurn | Asks::AheadAfter) {
            return false;
        }
        if let Some(known) = self.stuck {
            return known;
        }
        if self.tallying
            && self.p.switches.has(Switch::Stuck)
            && self.asks == Asks::End
            && let Some(known) = self.tally_next()
        {
            let stuck = known.unwrap_or_else(|trouble| {
                self.trouble = Some(trouble);
                false
            });
            self.stuck = Some(stuck);
            return stuck;
        }
        let Some(mut copy) = self.as_if_over() else {
            return false;
        };
        let asks = if self.asks == Asks::End {
            Asks::Turn
        } else {
            copy.remember();
            Asks::AheadTurn
        };
        let stuck = copy.next_is_stuck(asks).unwrap_or_else(|trouble| {
            self.trouble = Some(trouble);
            false
        });
        if self.asks == Asks::End {
            self.stuck = Some(stuck);
        }
        stuck
    }

    /// Counts the runs of the turn that comes next, without a copy, for this question and for drawing one of them; none if its beginning changes
    /// something. Is there none?
    fn tally_next(&mut self) -> Option<Result<bool, Trouble>> {
        let layout = &self.p.layout;
        let next = self.scalar(layout.next);
        if next < 0 || self.has_resigned(next) {
            return Some(Ok(false));
        }
        let start = self.p.turn[next as usize];
        if self.p.nodes[start as usize].early || self.p.nodes[start as usize].notes {
            return None;
        }
        let at = [layout.mover, layout.next, layout.turn_key].map(|at| at as usize);
        let before = at.map(|at| self.b[at]);
        self.begin_turn(next);
        self.fresh_move();
        let stuck = match self.forward(start, false) {
            Ok(Stop::Fork(fork)) => self.tally(fork).map(|()| {
                self.tally.start = start;
                self.tally.total == 0
            }),
            Ok(Stop::Dead) => Ok(true),
            Ok(_) => Ok(false),
            Err(trouble) => Err(trouble),
        };
        for (at, word) in at.into_iter().zip(before) {
            self.b[at] = word;
        }
        self.asks = Asks::End;
        Some(stuck)
    }

    /// The key to look for in the past.
    fn key_now(&mut self, board: bool) -> Option<u64> {
        let layout = &self.p.layout;
        let seat = self.mover().max(0) as usize;
        // Without anything that happens after a turn the position is known as it is.
        let plain = matches!(self.p.nodes[self.p.after[seat] as usize].op, Op::End);
        let of = |core: &Self| {
            let to_move = core.scalar(layout.next);
            if board { core.board_key() } else { core.key(to_move) }
        };
        if matches!(self.asks, Asks::Turn | Asks::AheadTurn) && !plain {
            return Some(of(&self.as_if_over()?));
        }
        if self.between && !board {
            return Some(self.key(self.mover()));
        }
        Some(of(self))
    }

    /// The words `repeats` and `board_repeats`.
    pub fn repeats(&mut self, board: bool) -> i32 {
        let Some(key) = self.key_now(board) else {
            return 0;
        };
        let past = if board { &self.boards } else { &self.keys };
        let n = past.count(key) as i32;
        if self.asks == Asks::End { n.max(1) } else { n + 1 }
    }

    /// The word `loop`.
    pub fn loop_length(&mut self) -> i32 {
        let Some(key) = self.key_now(false) else {
            return 0;
        };
        match self.keys.first(key) {
            Some(first) => (self.keys.len() - first) as i32 - i32::from(self.asks == Asks::End),
            None => 0,
        }
    }

    /// The first end that holds, seen from a seat.
    pub fn ended(&mut self, seat: i32) -> Result<Option<Outcome>, Trouble> {
        let p = self.p;
        let Ok(seat) = usize::try_from(seat) else {
            return Ok(None);
        };
        self.asks = Asks::End;
        for (i, (when, end)) in p.ends[seat].iter().enumerate() {
            let holds = self.cond(when);
            if let Some(trouble) = self.trouble.take() {
                return Err(trouble);
            }
            if holds {
                let resigned = if p.rules.uses.resigned { 0 } else { self.b[p.layout.resigned as usize] };
                return Ok(Some(self.outcome(end, i).with_last(resigned)));
            }
        }
        Ok(None)
    }

    fn outcome(&mut self, end: &End<W>, i: usize) -> Outcome {
        let n = self.p.layout.n_seats;
        let all = (1u64 << n) - 1;
        let mut by = 1;
        let places = match end {
            End::Draw => vec![1; n],
            End::Unfinished => Vec::new(),
            End::Rank(keys) => {
                let keys: Vec<Vec<i32>> =
                    keys.iter().map(|keys| keys.iter().map(|key| self.int(key)).collect()).collect();
                let better = |own: &Vec<i32>| keys.iter().filter(|other| *other > own).count();
                keys.iter().map(|own| 1 + better(own) as u8).collect()
            }
            End::Wins(who, margin) => {
                let who = self.mask(who) & all;
                by = margin.as_ref().map_or(1, |margin| self.int(margin));
                places(n, who)
            }
            End::Loses(who) => {
                let who = self.mask(who) & all;
                places(n, all & !who)
            }
        };
        Outcome { places, by, reason: self.p.rules.ends[i].name.clone(), ending: Some(i) }
    }
}

/// These seats share the first place, all others the next.
fn places(n: usize, first: u64) -> Vec<u8> {
    let second = 1 + first.count_ones() as u8;
    (0..n).map(|seat| if first >> seat & 1 == 1 { 1 } else { second }).collect()
}

/// An outcome that no end of the game's gives.
pub fn other_outcome(places: Vec<u8>, reason: &str) -> Outcome {
    Outcome { places, by: 1, reason: reason.into(), ending: None }
}

/// Where the game goes on.
enum Step {
    /// A move or a part of a turn without choices begins here.
    At(u32),
    /// A cut has been reached.
    Cut(u32),
    /// Chance comes next, before anything else in this move.
    Roll(u32),
    /// The turn is over.
    TurnOver,
}

impl<'e, const W: usize> Play<'e, W> {
    /// A game that has not begun: an empty board, first values.
    pub fn new(p: &'e Program<W>) -> Self {
        let mut core = Core::new(p);
        core.clear();
        Play { core, status: Status::Chance, node: 0, setup: true, given_up: false, steps: 0 }
    }

    /// Makes the first position and goes on to the first decision.
    pub fn start(&mut self, before: Option<&Snapshot>) -> Result<(), Trouble> {
        self.core.set_first_values();
        if let Some(before) = before {
            self.core.succeed(before);
        }
        self.core.renew_keys();
        self.core.asks = Asks::After;
        self.go(Step::At(self.core.p.setup))
    }

    /// Goes on from a loaded position, at the beginning of its mover's turn.
    pub fn start_here(&mut self) -> Result<(), Trouble> {
        self.setup = false;
        self.core.renew_keys();
        let mover = self.core.mover();
        let next = self.core.p.layout.next as usize;
        self.core.b[next] = mover as u32 as u64;
        self.core.remember();
        let step = self.enter(mover);
        self.go(step)
    }

    /// The turn of a seat begins.
    fn enter(&mut self, seat: i32) -> Step {
        self.core.begin_turn(seat);
        self.steps = 0;
        if self.core.has_resigned(seat) { Step::TurnOver } else { Step::At(self.core.p.turn[seat as usize]) }
    }

    /// Goes on from a cut that has been reached.
    pub fn go_on_from(&mut self, cut: u32) -> Result<(), Trouble> {
        self.go(Step::Cut(cut))
    }

    /// Goes forward from where a move begins to what has to be decided, with what has been counted already.
    pub(super) fn go_on_counted(&mut self, at: u32) -> Result<(), Trouble> {
        match self.decide(at)? {
            Some(step) => self.go(step),
            None => Ok(()),
        }
    }

    /// Goes on from a node where a move begins.
    pub fn go_on_at(&mut self, at: u32) -> Result<(), Trouble> {
        self.go(Step::At(at))
    }

    fn go(&mut self, mut step: Step) -> Result<(), Trouble> {
        let p = self.core.p;
        self.core.tally.node = None;
        loop {
            step = match step {
                Step::At(at) => match self.decide(at)? {
                    Some(step) => step,
                    None => return Ok(()),
                },
                Step::Cut(cut) | Step::Roll(cut) => match &p.nodes[cut as usize].op {
                    Op::Commit(span) => {
                        self.count_step(*span)?;
                        Step::At(p.nodes[cut as usize].next)
                    }
                    Op::Choose(_) | Op::Either(_) | Op::More(..) => {
                        self.count_step(self.core.here())?;
                        Step::At(cut)
                    }
                    Op::End if self.setup => {
                        self.setup = false;
                        self.core.forget_locals();
                        self.core.remember();
                        let next = self.core.scalar(p.layout.next);
                        self.enter(next)
                    }
                    Op::End => Step::TurnOver,
                    other => {
                        if let (Step::Cut(_), Op::Roll(roll)) = (&step, other) {
                            self.count_step(roll.span)?;
                        }
                        self.node = cut;
                        self.status = Status::Chance;
                        return Ok(());
                    }
                },
                Step::TurnOver => match self.turn_over()? {
                    Some(step) => step,
                    None => return Ok(()),
                },
            };
        }
    }

    /// A move or a throw of this turn is over.
    fn count_step(&mut self, span: Span) -> Result<(), Trouble> {
        self.steps += 1;
        let limit = self.core.p.rules.bounds.steps;
        if self.steps > limit { Err(Trouble::Endless { span, limit }) } else { Ok(()) }
    }

    /// Goes forward to what has to be decided; what happens by itself happens.
    fn decide(&mut self, at: u32) -> Result<Option<Step>, Trouble> {
        let p = self.core.p;
        let before = p.nodes[at as usize].early.then(|| self.core.b.clone());
        self.core.fresh_move();
        self.core.run.noted = false;
        let stop = self.core.forward(at, false)?;
        let fork = match stop {
            Stop::Cut(cut) => {
                if matches!(p.nodes[cut as usize].op, Op::Roll(_)) {
                    return Ok(Some(Step::Roll(cut)));
                }
                if !self.core.run.noted {
                    return Ok(Some(Step::Cut(cut)));
                }
                self.node = cut;
                self.status = Status::ToMove(self.core.mover());
                return Ok(None);
            }
            Stop::Fork(fork) | Stop::Tail(fork) => Some(fork),
            Stop::Dead => None,
        };
        if let Some(fork) = fork {
            let (mut real, mut runs) = (false, 0);
            if self.core.tallying {
                if self.core.tally.node != Some(fork) || before.is_some() {
                    self.core.tally(fork)?;
                }
                runs = self.core.tally.runs.min(2) as u32;
                real = self.core.tally.real && runs > 0;
            } else {
                self.core.explore(fork, &mut Goal::Probe(&mut real, &mut runs))?;
            }
            if real || runs > 1 {
                self.node = fork;
                self.status = Status::ToMove(self.core.chooser_at(fork));
                return Ok(None);
            }
            if runs == 1 {
                let mut cut = 0;
                self.core.explore(fork, &mut Goal::Finish(&mut cut))?;
                return Ok(Some(Step::Cut(cut)));
            }
        }
        if let Some(before) = before {
            self.core.b.copy_from_slice(&before);
        }
        self.no_turn()?;
        Ok(None)
    }

    /// The mover is stuck, and that is news.
    fn no_turn(&mut self) -> Result<(), Trouble> {
        let layout = &self.core.p.layout;
        let n = layout.n_seats as i32;
        if self.setup {
            self.status = Status::Over(other_outcome(Vec::new(), "no turn"));
            return Ok(());
        }
        let mover = self.core.mover();
        let before = (mover - 1).rem_euclid(n);
        self.core.b[layout.next as usize] = mover as u32 as u64;
        self.core.b[layout.mover as usize] = before as u32 as u64;
        self.core.stuck = Some(true);
        let ended = self.core.ended(before)?;
        self.status = Status::Over(ended.unwrap_or_else(|| other_outcome(Vec::new(), "no turn")));
        Ok(())
    }

    fn turn_over(&mut self) -> Result<Option<Step>, Trouble> {
        self.core.tally.node = None;
        self.core.forget_locals();
        self.core.finish_turn()?;
        self.core.remember();
        let mover = self.core.mover();
        if let Some(outcome) = self.core.ended(mover)? {
            self.status = Status::Over(outcome);
            return Ok(None);
        }
        Ok(self.next_turn())
    }

    /// Lets the next turn begin; none has ended the game.
    fn next_turn(&mut self) -> Option<Step> {
        let p = self.core.p;
        if self.core.scalar(p.layout.turns) as u32 >= p.rules.bounds.turns {
            self.status = Status::Over(other_outcome(Vec::new(), "turn limit"));
            return None;
        }
        if self.given_up
            && let Some(outcome) = self.last_seat()
        {
            self.status = Status::Over(outcome);
            return None;
        }
        let next = self.core.scalar(p.layout.next);
        Some(self.enter(next))
    }

    /// Goes on after a turn of which no end holds.
    pub(super) fn go_on_ended(&mut self) -> Result<(), Trouble> {
        match self.next_turn() {
            Some(step) => self.go(step),
            None => Ok(()),
        }
    }

    /// If all seats but one have resigned, that one has won.
    fn last_seat(&self) -> Option<Outcome> {
        let layout = &self.core.p.layout;
        let resigned = self.core.b[layout.resigned as usize];
        if resigned == 0 {
            return None;
        }
        let left = ((1u64 << layout.n_seats) - 1) & !resigned;
        match left.count_ones() {
            0 | 1 => Some(other_outcome(places(layout.n_seats, left), "resigned")),
            _ => None,
        }
    }

    /// The seat to move gives up.
    pub fn give_up(&mut self) -> Result<(), Trouble> {
        let Status::ToMove(seat) = self.status else {
            return Err(Trouble::NotNow);
        };
        let layout = &self.core.p.layout;
        if layout.n_seats <= 2 {
            let places = if layout.n_seats == 2 { places(2, 1 << (1 - seat)) } else { Vec::new() };
            self.status = Status::Over(other_outcome(places, "resigned"));
            return Ok(());
        }
        if self.setup {
            return Err(Trouble::NotNow);
        }
        let before = self.clone();
        self.core.b[layout.resigned as usize] |= 1 << seat;
        self.given_up = true;
        let done = self.go(Step::TurnOver);
        self.given_up = false;
        done.inspect_err(|_| self.clone_from(&before))
    }
}
