//! The sentences: what is said of each thing that was found.

use super::branches::Why;
use super::kinds::Idle;
use super::loops::Endless;
use super::probe::{Alike, Left, Round};
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// Moves that are told one by one; of more there is a beginning and the last.
const MOST_TOLD: usize = 12;

/// Something that has a name and is never used.
pub fn never_used(sort: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("never-used", span, format!("The {sort} \"{name}\" is never used."))
        .help("Use it, or take it out; perhaps its name is misspelt somewhere else.")
}

/// A name made by `let` that nothing reads; `action`: what its value does all the same.
pub fn never_read(name: &str, action: Option<&str>, span: Span) -> Diagnostic {
    let diag = Diagnostic::warning("never-used", span, format!("The name \"{name}\" is never used."));
    match action {
        Some(action) => diag.help(format!("Use it, or write only: {action}")),
        None => diag.help("Use it, or take it out; perhaps its name is misspelt somewhere else."),
    }
}

/// A set to choose from that is always empty.
pub fn nothing_to_choose(words: &str, span: Span) -> Diagnostic {
    let message = format!("There is never anything to choose here: \"{words}\" is always empty.");
    Diagnostic::warning("nothing-to-choose", span, message)
        .help("Look which of its parts have nothing in common, or lie off the board.")
}

/// A condition that cuts off every run.
pub fn never_holds(words: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("never-holds", span, format!("\"{words}\" never holds, so no move comes past here."))
        .help("Look what it compares, or take out what depends on it.")
}

/// A branch that nothing reaches.
pub fn branch_never_reached(why: Why, words: &str, span: Span) -> Diagnostic {
    let (message, help) = match why {
        Why::Never => (
            format!("\"{words}\" never holds, so what depends on it never happens."),
            "Look what it compares, or take it out with what depends on it.",
        ),
        Why::Always => (
            format!("\"{words}\" always holds, so the \"else\" never comes."),
            "Look what it compares, or take the \"else\" out.",
        ),
        Why::Case => {
            (format!("The case \"{words}\" never comes up."), "Look whether anything brings it about, or take it out.")
        }
        Why::Otherwise => (
            "This \"otherwise\" never opens: what stands before it can always be done.".to_string(),
            "Put it first, or write \"or\".",
        ),
        Why::CutOff => (
            "This way can never be gone to its end.".to_string(),
            "Look what it requires and what it chooses from, or take it out.",
        ),
    };
    Diagnostic::warning("branch-never-reached", span, message).help(help)
}

/// An end whose condition never holds.
pub fn end_never_holds(words: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("end-never-holds", span, format!("This end never comes: \"{words}\" never holds."))
        .help("Look what it compares, or take it out.")
}

/// Ends that hold from the beginning.
pub fn end_always_holds(words: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("end-always-holds", span, format!("The game is over after one turn: \"{words}\" always holds."))
        .help("Say when the game is over, as in \"when stuck\".")
}

/// A kind that is never on the board, or never moves.
pub fn idle_kind(idle: Idle, name: &str, span: Span) -> Diagnostic {
    match idle {
        Idle::NeverPlaced => {
            let message = format!("No \"{name}\" ever comes onto the board.");
            Diagnostic::warning("piece-never-placed", span, message)
                .help(format!("Put it into the setup, place one in the turn, or take \"{name}\" out."))
        }
        Idle::NeverMoves => {
            let message = format!("A \"{name}\" stands on the board, but never moves.");
            Diagnostic::warning("piece-never-moves", span, message)
                .help(format!("Say where a \"{name}\" goes; let it belong to nobody if it only stands in the way."))
        }
    }
}

/// A loop that nothing ends.
pub fn loop_without_end(endless: Endless, words: &str, span: Span) -> Diagnostic {
    let (message, help) = match endless {
        Endless::SameAgain => (
            "No round of this loop changes anything, so it can go on for ever.".to_string(),
            "Let each round change something, as in \"been |= there\", or take the loop out.",
        ),
        Endless::Always => (
            "This loop never ends: its condition always holds, and no \"stop\" leaves it.".to_string(),
            "Ask for something that changes, or write \"stop\" where it is done.",
        ),
        Endless::Unmoved => (
            format!("This loop never ends once it has begun: no round changes what \"{words}\" asks for."),
            "Change in each round what the condition asks for, or write \"stop\" where it is done.",
        ),
    };
    Diagnostic::warning("loop-without-end", span, message).help(help)
}

/// Two moves of one position that are written alike.
pub fn same_notation(alike: &Alike, span: Span) -> Diagnostic {
    let Alike { text, names: [one, other], same_values, after } = alike;
    let place = match after.as_slice() {
        [] => "In the first position".to_string(),
        moves => format!("After {}", moves.join(" ")),
    };
    let message = format!("{place} two moves are both written \"{text}\".");
    let diag = Diagnostic::warning("same-notation", span, message);
    match same_values {
        true => diag.help("Let the two ways be one, or add a \"note\" to one of them."),
        false => diag.help(format!("To tell \"{one}\" from \"{other}\", add what differs to the notation.")),
    }
}

/// A game that can go on for ever.
pub fn game_without_end(round: &Round, span: Span) -> Diagnostic {
    let before = match round.before.as_slice() {
        [] => String::new(),
        moves => format!("after {}, ", moves.join(" ")),
    };
    let moves = round.moves.join(" ");
    let message = format!("A game can go on for ever: {before}all is as it was when {moves} have been played.");
    Diagnostic::warning("game-without-end", span, message)
        .help("Add an end, as in \"draw when repeats is 3\", or one that counts turns in which nothing happens.")
}

/// A player who is left without a turn, and no end says what happens then.
pub fn no_turn(left: &Left, span: Span) -> Diagnostic {
    let n = left.after.len();
    let moves = match left.after.as_slice() {
        [first @ .., last] if n > MOST_TOLD => {
            format!("{n} moves: {} … {last}", first.get(..MOST_TOLD - 1).unwrap_or(first).join(" "))
        }
        moves => moves.join(" "),
    };
    let message = format!("No end says what happens when a player has no turn, as {} after {moves}.", left.seat);
    Diagnostic::warning("no-turn", span, message)
        .help("Add an end, as in \"draw when stuck\", or let a player without another turn pass.")
}

/// At this table nobody can move at all.
pub fn house_no_turn((option, span): (&str, Span)) -> Diagnostic {
    let message = format!("With \"{option}\" so, nobody ever has a move.");
    Diagnostic::warning("house-no-move", span, message).help(format!("Give \"{option}\" another value."))
}

/// At this table the game has no end.
pub fn house_no_end((option, span): (&str, Span)) -> Diagnostic {
    let message = format!("With \"{option}\" so, none of the game's ends can ever come.");
    Diagnostic::warning("house-no-end", span, message)
        .help(format!("Give \"{option}\" another value; else every game goes on to the limit of turns."))
}

/// At this table there is nothing to choose in some place.
pub fn house_nothing((option, span): (&str, Span), words: &str, rule: Span) -> Diagnostic {
    let message = format!("With \"{option}\" so, there is never anything to choose from \"{words}\".");
    Diagnostic::warning("house-nothing-to-choose", span, message)
        .also(rule, "this is always empty then")
        .help(format!("Give \"{option}\" another value."))
}
