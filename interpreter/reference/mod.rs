//! The same meaning as the fast engine, written for the eye instead of the clock; tests compare the two.
//!
//! Comes in: [`crate::rules::Rules`]. Goes out: [`Slow`], a [`crate::play::Table`] that can also be talked to and asked. Nothing is compiled
//! or remembered in between: `run` walks through the statements with a script of choices and pauses where the script ends, `explore` and
//! `chance` make longer scripts and run again, `game` is the course of a game, `tell` and `why` put moves and refusals into words.
//!
//! # Where the definitions leave room
//!
//! This is how it is read here; the fast engine has to do the same.
//!
//! * **Questions about other runs.** `require most e` compares all runs of the move that get there. While `otherwise` or `while possible` ask
//!   whether a complete run begins with some choices, it compares the runs that begin with these choices. So "complete" includes passing it.
//! * **A chance event** ends where something is chosen, where the first question about other runs of the coming move is asked (`require
//!   most`, and `while possible` after a round), at a `commit`, and at the end of the program. A loop of the player's is a choice where it
//!   asks for another round, not where it begins. What does not fulfil the condition of a `roll` or a `require` on the way is thrown again
//!   as a whole event; weights are products of multiplicities over what is left.
//! * **By itself** counts runs before `turn by outcome` has merged any.
//! * **`turn by outcome`** and the merging of throws, where the program goes on (after a `commit`, before a `roll`): the same position, the
//!   same place, the same rounds and members still to come in the loops around, the same values of names that may still be read
//!   (see [`crate::rules::live`]).
//! * **Setup.** A choice by another seat than the one that began the move ends the move before it. `next` begins as the first seat.
//!   A setup without a complete run is `no turn`; the ends are not looked at.
//! * **A player without a run** in the middle of a turn: the position is as at the last cut, `stuck` holds in the ends that are looked at.
//! * **Resigning** keeps the position of the present decision. A single player who resigns ends the game unfinished; in the setup of a
//!   game for more than two nobody can resign.
//! * **`stuck`** in `end` is exact: in the turn it looks at, `stuck` is asked as ever. Inside a turn and in `after turn` it looks ahead, and is
//!   off in what it looks at. A turn that begins with a `roll` or a `commit` is a turn. For an example's `expect` the seat to move is not stuck.
//! * **`repeats`, `board_repeats`, `loop`** inside a turn let it end on a copy; in `after turn` and `setup` the position is taken as it is; in
//!   `end` and `expect` it is part of the past.
//! * **Assigning nobody to `next`** does nothing; so does placing or changing to no kind. A sign of a diagram that shows nothing leaves
//!   its site as it is.
//! * **`going d`** sorts by column times the change of column plus row times the change of row.
//! * **`turned(s, d)`** of a diagonal is nowhere. **The only member** of a bag: one thing, once. **A rectangle** needs two cells as corners.
//! * **Fuel** is burnt by rounds of `while`, `times`, `for`, `once or more`, `up to` and `spread`, and by each `roll`, since the last cut.

mod ahead;
mod chance;
mod choices;
mod constant;
mod count;
mod domain;
mod ends;
mod eval;
mod explore;
mod game;
mod pieces;
mod run;
mod steps;
mod tell;
#[cfg(test)]
mod tests;
mod value;
mod values;
pub mod watch;
mod why;

pub use constant::constant;
pub use game::Slow;
