//! Lusory turns the rules of a board game, written as a file, into a game that can be played; this page is the map.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may fail loudly"))]

pub mod assemble;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostics;
pub mod evaluators;
pub mod fast;
pub mod house;
pub mod library;
pub mod pipeline;
pub mod play;
pub mod reference;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod trial;

mod bundled;
