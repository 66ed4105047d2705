//! Everything that is bounded, in one table: what, how much of it, and the code of the message when it is too much.
//!
//! A bound on what a file says is the same for everybody. A bound on what a game may cost in play has two numbers: the usual one, for
//! files that nobody vouches for, and the most that somebody can allow who trusts the author ([`Bounds::trusted`]). No bound depends on
//! a clock or on how the program was built: the same file is refused at the same place on every machine.

use crate::check::limits as checking;
use crate::rules::Bounds;
use crate::rules::board::MOST_PILED;
use crate::{house, library, pipeline, play, syntax};

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What it is called in the table.
    pub name: &'static str,
    /// What is counted.
    pub what: &'static str,
    /// How much there may be.
    pub usual: u64,
    /// How much there may be with `--limits trusted`.
    pub most: u64,
    /// The code of the message.
    pub code: &'static str,
}

/// The table.
pub fn table() -> Vec<Limit> {
    let fixed = |name, what, n: u64, code| Limit { name, what, usual: n, most: n, code };
    let (usual, most) = (Bounds::usual(), Bounds::trusted());
    let both = |name, what, usual: u64, most: u64, code| Limit { name, what, usual, most, code };
    vec![
        fixed("file", "bytes of a rule file", library::MOST_BYTES, "file-too-large"),
        fixed("house file", "bytes of a house file", house::MOST_BYTES as u64, "house-too-large"),
        fixed("line", "characters of a line", syntax::limits::LINE_CHARS as u64, "line-too-long"),
        fixed("name", "characters of a name", syntax::limits::NAME_CHARS as u64, "name-too-long"),
        fixed("text", "bytes of a text or diagram", syntax::limits::TEXT_BYTES as u64, "text-too-long"),
        fixed("number", "the greatest number", syntax::limits::NUMBER as u64, "number-too-large"),
        fixed("words", "words, numbers, texts and signs of a file", syntax::limits::TOKENS as u64, "file-too-long"),
        fixed("items", "items of a file", syntax::limits::ITEMS as u64, "too-many-items"),
        fixed("statements", "statements of a file", syntax::limits::STATEMENTS as u64, "too-many-statements"),
        fixed("brackets", "brackets open at one place", syntax::limits::NESTING as u64, "too-deep"),
        fixed(
            "open words",
            "words begun inside one another without brackets",
            syntax::limits::OPEN_WORDS as u64,
            "too-deep",
        ),
        fixed("levels", "levels of one item", syntax::limits::TREE_DEPTH as u64, "too-deep"),
        fixed("layers", "games that extend one another", pipeline::MOST_LAYERS as u64, "extends-too-many"),
        fixed("sites", "sites of a board", checking::MOST_SITES as u64, "board-too-large"),
        fixed("players", "players", checking::MOST_SEATS as u64, "too-many"),
        fixed("kinds", "kinds of pieces", checking::MOST_KINDS as u64, "too-many"),
        fixed("things", "things remembered", checking::MOST_VARS as u64, "too-many"),
        fixed(
            "choices",
            "words that an option or something remembered may be",
            checking::MOST_WORDS as u64,
            "too-many",
        ),
        fixed("track", "steps of one track", checking::MOST_STEPS as u64, "too-many"),
        fixed("tracks", "steps of all tracks, those of each player", checking::MOST_STEPS_IN_ALL as u64, "too-many"),
        fixed("branches", "branches of one \"either\"", checking::MOST_BRANCHES as u64, "too-many"),
        fixed("pile", "pieces placed at once, and those of a pile", MOST_PILED as u64, "place-number"),
        fixed(
            "written statements",
            "statements with all actions written out",
            checking::MOST_STATEMENTS as u64,
            "game-too-large",
        ),
        fixed("written parts", "parts with all definitions written out", checking::MOST_PARTS as u64, "game-too-large"),
        fixed(
            "written expression",
            "parts of one definition, or of all programs, with the definitions they use",
            checking::MOST_WRITTEN,
            "game-too-large",
        ),
        fixed("calls", "levels of definitions and actions in use", u64::from(checking::MOST_LEVELS), "calls-too-deep"),
        fixed("one look", "things one expression may look at", checking::MOST_LOOKS, "game-too-large"),
        both("state", "bytes of a position", usual.state as u64, most.state as u64, "position-too-large"),
        both("fuel", "rounds of loops in one move", u64::from(usual.fuel), u64::from(most.fuel), "loop-too-long"),
        both("ways", "ways tried in one position", usual.ways, most.ways, "search-too-long"),
        both("looks", "things looked at in one position", usual.looks, most.looks, "search-too-long"),
        fixed(
            "questions",
            "questions about what else is possible, one inside another",
            play::table::DEEPEST_QUESTION.into(),
            "search-too-long",
        ),
        both("moves", "moves listed in one position", usual.moves as u64, most.moves as u64, "too-many-moves"),
        both("steps", "moves and throws in one turn", u64::from(usual.steps), u64::from(most.steps), "turn-too-long"),
        fixed("throws", "throws until one fits its condition", u64::from(play::ROLL_TRIES), "no-throw"),
        both(
            "turns",
            "turns of a game, then it is unfinished",
            u64::from(usual.turns),
            u64::from(most.turns),
            "turn limit",
        ),
    ]
}
