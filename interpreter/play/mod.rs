//! Plays a checked game: positions, legal moves, outcomes. Knows no game by name.
//!
//! # The course of a game
//!
//! Both evaluators follow this to the letter.
//!
//! 1. **Start.** The board is empty, every variable has its first value, `turns` is 0, mover and next are [`crate::rules::Rules::first`].
//!    `setup` runs, seen from that seat; its rolls and choices are chance events and moves like any other (`choose … by P` is P's). Then
//!    the mover is whoever `next` says.
//! 2. **A turn begins.** `next` becomes the following seat. If the mover has resigned, the turn is over at once (go to 4).
//!    Otherwise the turn program runs, seen from the mover.
//!    * A *roll* pauses the run: status `Chance`. The event goes on through everything up to the next choice (`choose`, `either`,
//!      `may`, `once or more`, `up to`), `commit`, or the end of the program; further rolls on the way belong to the same event.
//!      A `require` that fails on the way means: throw again (at most [`ROLL_TRIES`] times when drawing; left out when listing).
//!    * At a *choice* status is `ToMove`; a move is the choices of one run from here to the next cut: a `commit`, a `roll`, or the
//!      end of the program. `require`, `otherwise` and `require most` look at runs up to that cut.
//!      (A `roll` after a choice ends the move just before the roll.)
//!    * *By itself*: if exactly one run leads from here to the next cut, and it has no choice that was chosen by `choose`, and no `note`,
//!      it happens by itself and is no move.
//!    * If no run leads from here to a cut, the mover is stuck.
//!    * With `turn by outcome`, of the runs that lead to the same position (all of it, counters too) only the first is a move.
//! 3. **Stuck.** Only at the start of a game or of a loaded position is this news (else step 4 has looked ahead): the ends are looked at
//!    as in step 4, seen from the seat before the mover, `next` being the mover. If none holds the game is over, unfinished, reason `no turn`.
//! 4. **A turn is over.** Locals are forgotten, `turns` grows by one, `after turn` runs, seen from the mover. The position (see
//!    [`Snapshot::kept`]) is added to the history. The ends are looked at in order, seen from the mover; `stuck` there means that `next` would be
//!    stuck at the start of his turn (for a seat that has resigned: off). The first that holds ends the game. If none holds and `turns` has
//!    reached [`crate::rules::Rules::bounds`], the game is over, unfinished, reason `turn limit`. Else the mover is `next`: step 2.
//! 5. **Resigning** ends the mover's turn where it stands (what was committed stays). Of two seats the other wins, reason `resigned`. Of more
//!    the seat joins `resigned` and step 4 follows; if then only one seat is left that has not resigned, and no end held, it has won, the
//!    others share the second place, reason `resigned`. At every end who has resigned comes behind all others, as [`Outcome::with_last`] says,
//!    unless the game's own file asks `resigned`.
//!
//! In a match, a game that is not the first starts like every game, except that each `lasting` variable begins with what it held in the last
//! position of the game before, and that `games` is one more ([`Start::after`]).
//!
//! In a look-ahead (`stuck` inside a turn, `repeats` inside a turn) the turn is taken to end where it stands: `after turn` runs on a copy.
//! `stuck` inside a look-ahead is off. The history starts with the position after setup (or the loaded one).
//! `rank by` counts every key from every seat; places are shared by equal keys; of two seats a shared first place is a draw.
//! Seats that win share place 1, all others the next; seats that lose share the last place, all others the first.

mod asks;
pub mod canvas;
mod chance;
pub mod diagram;
pub mod examples;
#[cfg(test)]
mod fake;
pub mod grid;
pub mod perft;
pub mod position;
pub mod record;
pub mod remembered;
pub mod series;
pub mod session;
pub mod signs;
pub mod sim;
pub mod snapshot;
pub mod speaker;
pub mod start;
pub mod symbols;
pub mod table;
pub mod tally;
#[cfg(test)]
mod tests;

pub use asks::Asks;
pub use chance::Chance;
pub use grid::DiagramError;
pub use signs::Signs;
pub use snapshot::{Snapshot, Value};
pub use speaker::{Refusal, Speaker};
pub use start::Start;
pub use table::{Move, Outcome, Status, Table, Trouble};

/// How often chance is thrown again before that is an error.
pub const ROLL_TRIES: u32 = 1_000;
