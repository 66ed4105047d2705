//! The fast engine: checked rules become straight code over sets of bits, once for each seat.
//!
//! In comes [`Rules`], out comes an [`Engine`] that starts games. It knows no game by name and reads no files; what it answers is the same
//! as what a slow walk over the rules answers.

mod ask;
pub mod bits;
mod chain;
mod chance;
pub mod code;
mod compile;
pub mod core;
mod could;
mod course;
mod cursor;
mod eval;
mod evalsets;
mod fewer;
mod flat;
mod flow;
mod follow;
mod forward;
mod frames;
mod game;
mod gates;
mod goal;
mod graph;
mod kept;
mod lanes;
mod layout;
mod lift;
mod loops;
mod lower;
mod masks;
mod meets;
mod memo;
#[cfg(feature = "native")]
mod native;
mod past;
mod peek;
mod perft;
mod piles;
mod plan;
mod playout;
mod program;
mod quick;
mod reads;
mod rowsof;
mod run;
mod scalars;
mod seen;
mod sets;
mod state;
mod sure;
pub mod switches;
mod tally;
mod terms;
#[cfg(test)]
mod tests;
mod twos;
mod worth;

pub use playout::PlayoutResult;

use crate::play::{Chance, Move, Outcome, Snapshot, Status, Table, Trouble, Value};
use crate::rules::Rules;
use code::Program;
use course::Play;
use plan::Plan;
use std::sync::Arc;
use switches::Switches;

/// A compiled game; may be shared between threads.
pub struct Engine {
    rules: Arc<Rules>,
    switches: Switches,
    program: Box<dyn AnyProgram>,
}

/// A game in progress.
pub struct Game<'e> {
    inner: Box<dyn AnyPlay + 'e>,
}

/// Random games of one engine, see [`Engine::player`].
pub struct Player<'e> {
    inner: Box<dyn AnyPlayer + 'e>,
}

/// A program of any width.
trait AnyProgram: Send + Sync {
    fn hurry(&mut self);
    fn is_native(&self) -> bool;
    fn empty(&self) -> Box<dyn AnyPlay + '_>;
    fn player(&self) -> Result<Box<dyn AnyPlayer + '_>, Trouble>;
    fn layout_total(&self) -> usize;
    fn listing(&self) -> String;
}

/// Random games of any width.
trait AnyPlayer {
    fn playout(&mut self, seed: u64, game: u64) -> Result<PlayoutResult, Trouble>;
}

impl<const W: usize> AnyPlayer for playout::Player<'_, W> {
    fn playout(&mut self, seed: u64, game: u64) -> Result<PlayoutResult, Trouble> {
        playout::Player::playout(self, seed, game)
    }
}

/// A game of any width.
trait AnyPlay: Table {
    fn start(&mut self, before: Option<&Snapshot>) -> Result<(), Trouble>;
    fn start_from(&mut self, snapshot: &Snapshot) -> Result<(), Trouble>;
    fn playout(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble>;
    fn random_move(&mut self, chance: &mut Chance) -> Result<Move, Trouble>;
    fn probe(&mut self, i: usize) -> Value;
    fn property(&mut self, i: usize, seat: usize) -> i32;
    fn count(&mut self) -> Result<u64, Trouble>;
    fn perft_made(&mut self, depth: u32) -> Result<u64, Trouble>;
    fn drawable(&mut self) -> Result<Vec<Move>, Trouble>;
}

impl<const W: usize> AnyProgram for Program<W> {
    fn hurry(&mut self) {
        #[cfg(feature = "native")]
        {
            self.native.eager = true;
        }
    }

    fn is_native(&self) -> bool {
        #[cfg(feature = "native")]
        let made = self.native.games(self).is_some();
        #[cfg(not(feature = "native"))]
        let made = false;
        made
    }

    fn empty(&self) -> Box<dyn AnyPlay + '_> {
        Box::new(Play::new(self))
    }

    fn player(&self) -> Result<Box<dyn AnyPlayer + '_>, Trouble> {
        let mut first = Play::new(self);
        first.start(None)?;
        Ok(Box::new(playout::Player::new(first)))
    }

    fn layout_total(&self) -> usize {
        self.layout.total
    }

    fn listing(&self) -> String {
        let mut text = String::new();
        for (i, node) in self.nodes.iter().enumerate() {
            let plan = match &self.plans[i] {
                Some(Plan::One) => ", one run a member",
                Some(Plan::Nested) => ", one run a member of a later choice",
                Some(Plan::Pairs(_)) => ", sites and where they go",
                Some(Plan::Chain(_)) => ", counted by rounds",
                Some(Plan::Branches) => ", counted by branches",
                Some(Plan::Guess(..)) if self.sure[i].is_some() => ", drawn and tried, most of them sure",
                Some(Plan::Guess(inner, _)) if matches!(**inner, Plan::Pairs(_)) => {
                    ", sites and where they go, drawn and tried"
                }
                Some(Plan::Guess(..)) => ", drawn and tried",
                None => "",
            };
            let tail = if node.tail { ", surely ends" } else { "" };
            text += &format!("{i}: {:?}, then {}{tail}{plan}\n", node.op, node.next);
        }
        text
    }
}

impl<const W: usize> AnyPlay for Play<'_, W> {
    fn start(&mut self, before: Option<&Snapshot>) -> Result<(), Trouble> {
        Play::start(self, before)
    }

    fn start_from(&mut self, snapshot: &Snapshot) -> Result<(), Trouble> {
        self.core.load(snapshot);
        self.start_here()
    }

    fn playout(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble> {
        Play::playout(self, chance, most)
    }

    fn random_move(&mut self, chance: &mut Chance) -> Result<Move, Trouble> {
        Play::random_move(self, chance)
    }

    fn probe(&mut self, i: usize) -> Value {
        Play::probe(self, i)
    }

    fn property(&mut self, i: usize, seat: usize) -> i32 {
        Play::property(self, i, seat)
    }

    fn count(&mut self) -> Result<u64, Trouble> {
        Play::count(self)
    }

    fn perft_made(&mut self, depth: u32) -> Result<u64, Trouble> {
        self.perft_from(depth, false, &mut perft::Spare::default())
    }

    fn drawable(&mut self) -> Result<Vec<Move>, Trouble> {
        if !matches!(self.status, Status::ToMove(_)) {
            return Ok(Vec::new());
        }
        let all = self.core.drawable(self.node)?;
        Ok(all.into_iter().map(Move).collect())
    }
}

impl Engine {
    /// Compiles a game.
    pub fn new(rules: Arc<Rules>) -> Engine {
        Engine::with(rules, Switches::ON)
    }

    /// Compiles a game with some optimisations.
    pub fn with(rules: Arc<Rules>, switches: Switches) -> Engine {
        fn make<const W: usize>(rules: &Arc<Rules>, switches: Switches) -> Box<dyn AnyProgram> {
            Box::new(compile::compile::<W>(rules, switches))
        }
        // Each width is a copy of the whole engine, so there are only as many as boards of common sizes need: 8 by 8; 11 by 11; 19 by 19; more.
        let program = match rules.n_sites().div_ceil(64) {
            0 | 1 => make::<1>(&rules, switches),
            2 => make::<2>(&rules, switches),
            3..=6 => make::<6>(&rules, switches),
            _ => make::<16>(&rules, switches),
        };
        Engine { rules, switches, program }
    }

    /// The same engine, which does not wait for many games or deep counts before it makes machine code, if it may make any
    /// ([`crate::rules::Bounds::machine_code`]) and is built with it. What it answers is the same.
    pub fn in_a_hurry(mut self) -> Engine {
        self.program.hurry();
        self
    }

    /// Are turns of random games played by machine code, once there have been many?
    pub fn is_native(&self) -> bool {
        self.program.is_native()
    }

    /// The rules it was made from.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The optimisations that are used.
    pub fn switches(&self) -> Switches {
        self.switches
    }

    /// Words of 64 bits that a position takes.
    pub fn position_words(&self) -> usize {
        self.program.layout_total()
    }

    /// The compiled programs, a line a node, for people who work on the engine.
    pub fn listing(&self) -> String {
        self.program.listing()
    }

    /// A game from its beginning.
    pub fn start(&self) -> Result<Game<'_>, Trouble> {
        let mut inner = self.program.empty();
        inner.start(None)?;
        Ok(Game { inner })
    }

    /// The next game of a match, after one that ended in this position.
    pub fn start_after(&self, before: &Snapshot) -> Result<Game<'_>, Trouble> {
        let mut inner = self.program.empty();
        inner.start(Some(before))?;
        Ok(Game { inner })
    }

    /// A game from a position, at the beginning of its mover's turn.
    pub fn from_snapshot(&self, snapshot: &Snapshot) -> Result<Game<'_>, Trouble> {
        let mut inner = self.program.empty();
        inner.start_from(snapshot)?;
        Ok(Game { inner })
    }

    /// Random games `first..first + n` of a seed, each to its end. The result does not depend on which of them are played together.
    pub fn playouts(&self, n: u64, seed: u64, first: u64) -> Result<Vec<PlayoutResult>, Trouble> {
        let mut player = self.player()?;
        (first..first.saturating_add(n)).map(|game| player.playout(seed, game)).collect()
    }

    /// Somebody who plays random games of this engine from their beginning.
    pub fn player(&self) -> Result<Player<'_>, Trouble> {
        Ok(Player { inner: self.program.player()? })
    }

    /// Number of sequences of exactly so many moves and chance events from the start.
    pub fn perft(&self, depth: u32) -> Result<u64, Trouble> {
        self.start()?.inner.perft(depth)
    }

    /// The same, with the last move of each sequence made instead of counted.
    pub fn perft_made(&self, depth: u32) -> Result<u64, Trouble> {
        self.start()?.inner.perft_made(depth)
    }
}

impl Player<'_> {
    /// Plays one of the random games of a seed to its end. The result does not depend on which were played before.
    pub fn playout(&mut self, seed: u64, game: u64) -> Result<PlayoutResult, Trouble> {
        self.inner.playout(seed, game)
    }
}

impl Game<'_> {
    /// Plays at random to the end, at most so many moves.
    pub fn playout(&mut self, chance: &mut Chance, most: u64) -> Result<PlayoutResult, Trouble> {
        self.inner.playout(chance, most)
    }

    /// One of the legal moves, each with the same chance; where that is cheaper, without listing them.
    pub fn random_move(&mut self, chance: &mut Chance) -> Result<Move, Trouble> {
        self.inner.random_move(chance)
    }

    /// The answer to a question from outside, see [`Rules::probes`], seen from the seat to move (if the game is over: that has just played).
    pub fn probe(&mut self, i: usize) -> Value {
        self.inner.probe(i)
    }

    /// The value of a property seen from a seat, see [`Rules::properties`].
    pub fn property(&mut self, i: usize, seat: usize) -> i32 {
        self.inner.property(i, seat)
    }

    /// The number of legal moves or outcomes.
    pub fn count(&mut self) -> Result<u64, Trouble> {
        self.inner.count()
    }

    /// The moves among which a random game draws: all legal ones, in some order.
    pub fn drawable(&mut self) -> Result<Vec<Move>, Trouble> {
        self.inner.drawable()
    }

    /// How it ended, if it did.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.inner.status() {
            Status::Over(outcome) => Some(outcome),
            _ => None,
        }
    }
}

impl Table for Game<'_> {
    fn status(&self) -> Status {
        self.inner.status()
    }

    fn moves(&mut self) -> Result<Vec<Move>, Trouble> {
        self.inner.moves()
    }

    fn outcomes(&mut self) -> Result<Vec<(Move, u64)>, Trouble> {
        self.inner.outcomes()
    }

    fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble> {
        self.inner.draw(draw)
    }

    fn play(&mut self, chosen: &Move) -> Result<(), Trouble> {
        self.inner.play(chosen)
    }

    fn resign(&mut self) -> Result<(), Trouble> {
        self.inner.resign()
    }

    fn snapshot(&self) -> Snapshot {
        self.inner.snapshot()
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        self.inner.fork()
    }

    fn keys(&self) -> (Vec<u64>, Vec<u64>) {
        self.inner.keys()
    }

    fn perft(&mut self, depth: u32) -> Result<u64, Trouble> {
        self.inner.perft(depth)
    }
}
