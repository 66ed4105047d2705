//! Turns one file's text into what was written there, and nothing more: names are still just words.

pub mod ast;
