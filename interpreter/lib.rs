//! Lusory turns the rules of a board game, written as a file, into a game that can be played; this page is the map.
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may fail loudly"))]

pub mod diagnostics;
pub mod fast;
pub mod play;
pub mod rules;
pub mod source;
pub mod syntax;
