//! The same meaning as the fast engine, written for the eye instead of the clock; tests compare the two.

mod ahead;
mod chance;
mod constant;
mod domain;
mod ends;
mod eval;
mod explore;
mod game;
mod pieces;
mod run;
mod tell;
#[cfg(test)]
mod tests;
mod value;
mod why;

pub use constant::constant;
pub use game::Slow;
pub use why::Refusal;
