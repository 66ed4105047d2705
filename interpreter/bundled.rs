//! The texts that the program carries: the standard library, the games, their house files.
//!
//! `UPDATE=1 cargo test --test tidy` writes this file from the folders.

/// Name, path and text.
macro_rules! text {
    ($name:literal, $path:literal) => {
        ($name, $path, include_str!(concat!("../", $path)))
    };
}

/// Game, name, path and text.
#[allow(unused_macros, reason = "there may be no house files")]
macro_rules! house {
    ($game:literal, $name:literal, $path:literal) => {
        ($game, $name, $path, include_str!(concat!("../", $path)))
    };
}

/// The standard library: name, path, text.
#[rustfmt::skip]
pub const STDLIB: &[(&str, &str, &str)] = &[
    text!("attack", "stdlib/attack.lus"),
    text!("board", "stdlib/board.lus"),
    text!("captures", "stdlib/captures.lus"),
    text!("lines", "stdlib/lines.lus"),
    text!("moves", "stdlib/moves.lus"),
    text!("sowing", "stdlib/sowing.lus"),
    text!("turns", "stdlib/turns.lus"),
];

/// The games: name, path, text.
#[rustfmt::skip]
pub const GAMES: &[(&str, &str, &str)] = &[];

/// The house files of the games: game, name, path, text.
#[rustfmt::skip]
pub const HOUSE_FILES: &[(&str, &str, &str, &str)] = &[];
