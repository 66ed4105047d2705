//! Sentences about statements, ends and examples.

use super::{error, list};
use crate::diagnostics::Diagnostic;
use crate::rules::Ty;
use crate::source::Span;

pub fn cannot_assign(word: &str, why: &str, span: Span) -> Diagnostic {
    error("cannot-assign", span, format!("\"{word}\" cannot be assigned: {why}."))
        .help("Only what is remembered, \"next\" and names made by \"let\" can be.")
}

pub fn words_to_choose(words: &[&str], name: &str, span: Span) -> Diagnostic {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let quoted: Vec<&str> = quoted.iter().map(String::as_str).collect();
    error("unknown-name", span, format!("There is no {}.", super::list_of(&quoted))).help(format!(
        "Words to choose from are words of something remembered: remember {name}_now: {}",
        words.join(" or ")
    ))
}

pub fn begun_as_nowhere(word: &str, ty: Ty, span: Span) -> Diagnostic {
    let message = format!("\"{word}\" was made with \"nowhere\", so it is a site; this is {}.", super::a(ty));
    let sort = match ty {
        Ty::Dir => "dir",
        Ty::Kind => "kind",
        _ => "player",
    };
    error("begun-as-nowhere", span, message).help(format!(
        "Make it with {} that may stand there first, or remember it: remember {word}: {sort}",
        super::a(ty)
    ))
}

pub fn hides_name(word: &str, span: Span) -> Diagnostic {
    let message = format!("\"{word}\" is already a name here; from now on it is another one, until this block ends.");
    Diagnostic::warning("hides-name", span, message).help(format!(
        "To change what it is, write \"{word} = …\"; else choose another name, for example \"other_{word}\"."
    ))
}

pub fn note_after_roll(line: usize, span: Span) -> Diagnostic {
    let message = format!("This \"note\" belongs to the throw in line {line}; it is no move of the player.");
    Diagnostic::warning("note-after-roll", span, message)
        .help("Put a \"commit\" before it, if the player is to see it as a move.")
}

pub fn wrong_assign(ty: Ty, span: Span) -> Diagnostic {
    error(
        "wrong-assign",
        span,
        format!("Nothing can be added to {}, or taken from it; it can only be given with \"=\".", super::a(ty)),
    )
    .help("\"+=\" and \"-=\" are for numbers, sets and bags.")
}

pub fn too_large(most: usize, span: Span) -> Diagnostic {
    error("game-too-large", span, format!("With all actions written out the game has more than {most} statements."))
        .help("Call actions from fewer places, or use loops.")
}

pub fn too_many_looks(looks: u64, most: u64, span: Span) -> Diagnostic {
    let message = format!("This can look at {looks} things, one set inside another: at most {most} are allowed.");
    error("game-too-large", span, message).help("Look at smaller sets, or remember what is asked often.")
}

pub fn too_many_parts(most: usize, span: Span) -> Diagnostic {
    error(
        "game-too-large",
        span,
        format!("With all actions and definitions written out the game has more than {most} parts."),
    )
    .help("Call actions from fewer places, or use loops.")
}

pub fn too_much_written(parts: u64, most: u64, span: Span) -> Diagnostic {
    let message = format!("With all definitions written out this has {parts} parts: at most {most} are allowed.");
    error("game-too-large", span, message).help("Use definitions in fewer places, or remember what is asked often.")
}

pub fn calls_too_deep(levels: u32, most: u32, span: Span) -> Diagnostic {
    let message = format!(
        "Too many definitions and actions are used inside one another here: {levels} levels; {most} are allowed."
    );
    error("calls-too-deep", span, message).help("Shorten the chain: let some of them do more themselves.")
}

/// So many errors were not told.
pub fn more_errors(n: usize, span: Span) -> Diagnostic {
    let errors = if n == 1 { "error" } else { "errors" };
    error("more-errors", span, format!("There are {n} more {errors}; these come first."))
        .help("Mend these and look again.")
}

/// So many warnings were not told, and there were no errors.
pub fn more_warnings(n: usize, span: Span) -> Diagnostic {
    let warnings = if n == 1 { "warning" } else { "warnings" };
    Diagnostic::warning("more-errors", span, format!("There are {n} more {warnings}; these come first."))
        .help("Mend these and look again.")
}

/// An end that another one always precedes.
pub fn never_reached(line: usize, earlier: usize, span: Span, before: Span) -> Diagnostic {
    let message = format!("The end in line {line} can never be reached: line {earlier} holds whenever it does.");
    Diagnostic::warning("never-reached", span, message)
        .also(before, "this one comes first")
        .help("Take it out, or put it first.")
}

pub fn roll_without_choice(line: usize, span: Span) -> Diagnostic {
    Diagnostic::warning("roll-without-choice", span, format!("After the roll in line {line} nothing is chosen."))
        .help("The turn then happens by itself; let the player choose something with what was rolled.")
}

pub fn nothing_to_roll(span: Span) -> Diagnostic {
    error("nothing-to-roll", span, "There is nothing here that chance could bring.".to_string())
        .help("Roll in something, as \"in 1..6\".")
}

pub fn nothing_before_the_game(word: &str, span: Span) -> Diagnostic {
    error("too-early", span, format!("\"{word}\" asks about the game so far; here none has begun."))
        .help("Begin with a fixed value and assign the other one in \"setup\" or \"turn\".")
}

pub fn next_is_a_player(span: Span) -> Diagnostic {
    error("next-is-a-player", span, "\"next\" is whose turn comes; it runs through players only.".to_string())
        .help("Write \"next in players\", or choose another name.")
}

/// Why a name is not known after a branching: `after the "either": its second branch does not choose it`.
pub fn bound_in_some(word: &str, missing: Option<usize>, branches: usize) -> String {
    const NUMBERS: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];
    let branch = match (word, missing) {
        ("if", Some(0)) => "its first part does not make it".to_string(),
        ("if", Some(_)) if branches == 2 => "without it, it is not made".to_string(),
        ("if", _) => "not all of its parts make the same of it".to_string(),
        (_, Some(i)) => match NUMBERS.get(i) {
            Some(number) => format!("its {number} branch does not choose it"),
            None => "not all of its branches choose it".to_string(),
        },
        (_, None) => "its branches choose different sorts of things for it".to_string(),
    };
    format!("after the \"{word}\": {branch}")
}

pub fn going_sites(span: Span) -> Diagnostic {
    error("going", span, "Only sites have an order along a direction.".to_string()).help("Take \"going …\" out.")
}

pub fn builder_head(span: Span) -> Diagnostic {
    error("builder", span, "With several names this set must say what it collects.".to_string())
        .help("Write \"{e for x in S, y in T where …}\".")
}

pub fn mover_last(span: Span) -> Diagnostic {
    error("mover-last", span, "\"mover\" must be the last name here.".to_string())
        .help("Put \"mover in …\" behind the others.")
}

pub fn mover_seats(span: Span) -> Diagnostic {
    error("mover-seats", span, "\"mover\" runs through players only.".to_string())
        .help("Write \"for mover in players\".")
}

pub fn lines_alone(span: Span) -> Diagnostic {
    error("lines", span, "\"lines\" is gone through row by row.".to_string())
        .help("Write \"some l in lines(3) where l within …\".")
}

pub fn lines_constant(span: Span) -> Diagnostic {
    error("lines", span, "The length of the rows must be known when the game is loaded.".to_string())
        .help("Use a number or an option.")
}

pub fn needs_square_board(word: &str, width: i32, length: i32, span: Span) -> Diagnostic {
    error(
        "needs-square-board",
        span,
        if width == length {
            format!("\"{word}\" needs a square board.")
        } else {
            format!("\"{word}\" needs a board as wide as long; this one is {width} by {length}.")
        },
    )
    .help("Name the sites instead.")
}

pub fn action_here(word: &str, span: Span) -> Diagnostic {
    error(
        "action-in-expression",
        span,
        format!("A definition or condition may only look; \"{word}\" changes the position. Make it an \"action\"."),
    )
    .help(format!("Or call it before: let result = {word}(…)"))
}

pub fn gives_nothing(word: &str, span: Span) -> Diagnostic {
    error("gives-nothing", span, format!("\"{word}\" gives no value.")).help(format!("Add \"give …\" to \"{word}\"."))
}

pub fn no_action(word: &str, span: Span) -> Diagnostic {
    error("no-action", span, format!("\"{word}\" only looks; as a statement it does nothing."))
        .help("Say what is to be done with it: \"require …\", \"let x = …\".")
}

pub fn give_outside(span: Span) -> Diagnostic {
    error("give-outside", span, "\"give\" belongs to an action.".to_string()).help("Take it out.")
}

pub fn stop_outside(span: Span) -> Diagnostic {
    error("stop-outside", span, "There is no loop to leave here.".to_string()).help("Take \"stop\" out.")
}

pub fn best_in_loop(most: bool, span: Span) -> Diagnostic {
    let word = if most { "most" } else { "least" };
    error("best-in-loop", span, format!("\"require {word}\" stands in a loop; put it after the loop."))
        .help("It compares whole runs.")
}

pub fn choice_after_turn(word: &str, span: Span) -> Diagnostic {
    error("choice-after-turn", span, "\"after turn\" happens by itself; there is nothing to choose in it.".to_string())
        .help(format!("Put \"{word}\" into \"turn\"."))
}

pub fn choice_in_example(word: &str, span: Span) -> Diagnostic {
    error("choice-in-example", span, format!("A line of an example happens by itself: nobody can \"{word}\" in it."))
        .help("Give what it needs in the line itself, or play the move.")
}

pub fn require_after_turn(span: Span) -> Diagnostic {
    let message = "\"after turn\" happens by itself; there is nothing that \"require\" could call off.";
    error("choice-after-turn", span, message.to_string()).help("Say \"if … { … }\", or put it into \"turn\".")
}

pub fn setup_only(word: &str, span: Span) -> Diagnostic {
    error("setup-only", span, format!("\"{word}\" belongs to the setup.")).help("Put it into \"setup\".")
}

pub fn commit_here(span: Span) -> Diagnostic {
    error("commit-here", span, "\"commit\" belongs to the turn.".to_string()).help("Take it out.")
}

pub fn needs_piles(word: &str, span: Span) -> Diagnostic {
    error("needs-piles", span, format!("\"{word}\" needs a board that is \"stacked\"."))
        .help("Write \"board square 5 stacked\", or say it without.")
}

pub fn too_many_placed(n: i64, most: usize, span: Span) -> Diagnostic {
    error("place-number", span, format!("A pile has 1 to {most} pieces; {n} cannot be placed."))
        .help("Write a smaller number, or leave it out.")
}

pub fn dice_number(n: i32, span: Span) -> Diagnostic {
    error("dice-number", span, format!("{n} dice: 1 to 8 can be thrown at once.")).help("Throw them in several rolls.")
}

pub fn notation_name(word: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    error("notation-name", span, format!("Nothing is chosen as \"{word}\", so the notation cannot write it.{meant}"))
        .help("Use a name that \"choose\" or \"let\" makes.")
}

pub fn no_such_end(word: &str, ends: &[String], span: Span) -> Diagnostic {
    error("no-such-end", span, format!("There is no end \"{word}\".")).help(format!("Ends are {}.", list(ends)))
}

pub fn table_at(word: &str, span: Span) -> Diagnostic {
    error("table-at", span, format!("\"{word}\" has a value at every site: say where."))
        .help(format!("Write \"{word} at … = …\"; for all cells \"{word} at board = …\"."))
}

pub fn half_known(word: &str, why: &str, span: Span, at: Span) -> Diagnostic {
    error("half-known", span, format!("\"{word}\" is not known {why}."))
        .also(at, "it is known inside of this only")
        .help(format!("Choose \"{word}\" before, or in every branch."))
}
