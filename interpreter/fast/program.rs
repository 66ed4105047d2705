//! Programs as graphs of nodes, and all that is worked out about a game before it is played.

use super::bits::Set;
use super::code::*;
use super::fewer::{Alone, Later};
use super::gates::Gate;
use super::layout::Layout;
use super::plan::Plan;
use super::sure::Sure;
use super::switches::Switches;
use super::worth::Worth;
use crate::rules::Rules;
use crate::rules::board::Board;
use std::sync::Arc;

/// A node of a program.
#[derive(Clone, Debug)]
pub struct Node<const W: usize> {
    /// What it does.
    pub op: Op<W>,
    /// Where it goes on.
    pub next: u32,
    /// Every run from here surely gets to a cut, and nothing is chosen on the way.
    pub tail: bool,
    /// From here to the next cut something may change that has to be restored.
    pub dirty: bool,
    /// From here to the next fork or cut something may change that has to be restored.
    pub early: bool,
    /// A note may be met before the next cut.
    pub notes: bool,
    /// Locals that may be read from here on: first word and number of words.
    pub live: Vec<(u32, u32)>,
    /// Where it goes on if what is required is known to hold, see `Core::trusting`.
    pub trusted: u32,
}

impl<const W: usize> Node<W> {
    /// A node of which nothing is known yet.
    pub fn new(op: Op<W>) -> Self {
        Node { op, next: 0, tail: false, dirty: false, early: false, notes: false, live: Vec::new(), trusted: 0 }
    }
}

/// Some steps in a direction, for all sites.
#[derive(Clone, Debug)]
pub struct Way<const W: usize> {
    /// The direction.
    pub dir: i32,
    /// How many steps.
    pub n: i32,
    /// Where each site leads, by site + 1.
    pub to: Vec<i32>,
    /// If all that lead somewhere lead equally far: how far, by number.
    pub offset: Option<i32>,
    /// If they do not, but lead to few different distances: each with those that lead so far, and where they lead.
    pub offsets: Vec<(i32, Set<W>, Set<W>)>,
    /// The sites that lead somewhere.
    pub from: Set<W>,
    /// Where they lead.
    pub image: Set<W>,
    /// The sites that lead to each.
    pub back: Vec<Set<W>>,
    /// How often a way of 1, 2, 4 … steps has to be gone to get from everywhere to everywhere, if the ways are distances; else 0.
    pub doublings: u32,
}

/// Everything about a board that expressions need.
#[derive(Clone, Debug)]
pub struct Ground<const W: usize> {
    /// The board.
    pub board: Board,
    /// All sites.
    pub all: Set<W>,
    /// `rays[d][s]`: all sites from `s` (not included) along `d`.
    pub rays: Vec<Vec<Set<W>>>,
    /// Does each direction lead to higher numbers?
    pub rising: [bool; 8],
    /// May rays in this direction be taken from the table?
    pub straight: [bool; 8],
    /// Does the opposite direction lead back, always?
    pub mutual: [bool; 8],
    /// Sites by how far they lie in each direction.
    pub order: Vec<Vec<i32>>,
}

/// An end, seen from one seat.
#[derive(Clone, Debug)]
pub enum End<const W: usize> {
    /// Nobody wins.
    Draw,
    /// No result.
    Unfinished,
    /// Keys, for each seat.
    Rank(Vec<Vec<Int<W>>>),
    /// These win, by so much.
    Wins(Mask<W>, Option<Int<W>>),
    /// These lose.
    Loses(Mask<W>),
}

/// A compiled game.
#[derive(Clone, Debug)]
pub struct Program<const W: usize> {
    /// The rules it was made from.
    pub rules: Arc<Rules>,
    /// The optimisations that are used.
    pub switches: Switches,
    /// How the runs from each node are counted, if that can be done without going through them.
    pub plans: Vec<Option<Plan<W>>>,
    /// For each choice: of which runs it is sure that they do not fail late, if that is known.
    pub sure: Vec<Option<Sure<W>>>,
    /// For each node: which ways on may lead somewhere, if that is known from a choice before.
    pub gates: Vec<Option<Gate>>,
    /// The registers that say how deep the choices lie by which ways on are known.
    pub gate_depths: Vec<u32>,
    /// For each choice whose runs are guessed: the choices that come later, if they are of pieces.
    pub later: Vec<Option<Vec<Later>>>,
    /// For each choice whose runs are guessed: which candidates have one run at most, if that is easily seen.
    pub alone: Vec<Option<Alone<W>>>,
    /// Is there any such choice?
    pub some_alone: bool,
    /// For each node that begins a branch: what its runs are worth, if that is known.
    pub worth: Vec<Option<Worth<W>>>,
    /// The map of the block.
    pub layout: Layout,
    /// The board.
    pub ground: Ground<W>,
    /// Walks of a known number of steps in a known direction.
    pub ways: Vec<Way<W>>,
    /// Nodes of all programs.
    pub nodes: Vec<Node<W>>,
    /// Of what may stand on a site: the words of its owner's and of its kind's sites.
    pub marks: Vec<(u32, u32)>,
    /// Keys of pieces, so many a site.
    pub piece_keys: Vec<u64>,
    /// See `piece_keys`.
    pub keys_per_site: usize,
    /// Keys of pieces by their place among all places of piles, so many a place as a site has; none if that would be very many.
    pub pile_keys: Vec<u64>,
    /// What each 1 at a site counts for in the key of a table of numbers, for all variables.
    pub number_keys: Vec<u64>,
    /// How many registers expressions need.
    pub n_regs: usize,
    /// Number of `require most` lines.
    pub n_best: usize,
    /// May a run fail after a `require most` line?
    pub hard_best: bool,
    /// Does anybody choose but the mover?
    pub has_by: bool,
    /// Where setup begins.
    pub setup: u32,
    /// Where each seat's turn program begins.
    pub turn: Vec<u32>,
    /// Where what happens after each seat's turn begins.
    pub after: Vec<u32>,
    /// The ends seen from each seat: condition and result.
    pub ends: Vec<Vec<(Cond<W>, End<W>)>>,
    /// First values of the variables.
    pub inits: Vec<Vec<Val<W>>>,
    /// Questions from outside, seen from each seat.
    pub probes: Vec<Vec<Val<W>>>,
    /// Properties, seen from each seat.
    pub properties: Vec<Vec<Int<W>>>,
    /// Native code for its turns.
    #[cfg(feature = "native")]
    pub native: super::native::Later,
}

impl<const W: usize> Program<W> {
    /// Registers as they are at first, and behind them how many rounds of loops are left.
    pub fn registers(&self) -> Vec<u64> {
        let mut words = vec![0; self.n_regs + 1];
        words[self.n_regs] = u64::from(self.rules.bounds.fuel);
        words
    }
}
