//! Sentences about what a game declares: seats, board, pieces, options, things remembered, tracks, diagrams.

use super::{a, error, list};
use crate::diagnostics::Diagnostic;
use crate::play::signs::DiagramError;
use crate::rules::Ty;
use crate::rules::drawing::DrawingError;
use crate::source::Span;

pub fn option_default(word: &str, span: Span) -> Diagnostic {
    error("option-default", span, format!("The default of \"{word}\" must be a number, a word, on, off or a text."))
        .help("As in \"option size = 8 (or 4..12)\".")
}

pub fn option_value(span: Span) -> Diagnostic {
    error("option-values", span, "An option may be numbers, ranges of numbers, or words.".to_string())
        .help("As in \"(or 2..26, none)\".")
}

pub fn option_yes_or_no(word: &str, span: Span) -> Diagnostic {
    error("option-values", span, format!("\"{word}\" is on or off; it cannot be anything else."))
        .help("Take it out, or let the default be a word.")
}

pub fn option_fixed(word: &str, span: Span) -> Diagnostic {
    error("option-fixed", span, format!("\"{word}\" is fixed once the game is loaded; it cannot be assigned."))
        .help(format!("Remember something that begins so: remember my_{word} = {word}"))
}

pub fn first_is_setting(span: Span) -> Diagnostic {
    error("first-is-setting", span, "\"first\" is a setting of every game; an option needs another name.".to_string())
        .help("Take the option out: tables say \"first: …\" themselves.")
}

pub fn option_unused(word: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("option-unused", span, format!("Option \"{word}\" is never used."))
        .help("Use it, or take it out.")
}

pub fn never_read(word: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("never-read", span, format!("\"{word}\" is remembered but never read."))
        .help("Use it, or take it out.")
}

pub fn part_missing(part: &str, sample: &str, span: Span) -> Diagnostic {
    error("part-missing", span, format!("\"{part}\" is missing.")).help(format!("Add for example: {sample}"))
}

pub fn too_many_of(what: &str, n: usize, most: usize, span: Span) -> Diagnostic {
    error("too-many", span, format!("{n} {what}: at most {most} are allowed.")).help("Take some out.")
}

pub fn board_size(width: i32, length: i32, span: Span) -> Diagnostic {
    error("board-size", span, format!("A board of {width} by {length} has no sites."))
        .help("Both numbers must be at least 1.")
}

pub fn board_side(n: i32, span: Span) -> Diagnostic {
    error("board-size", span, format!("A board with sides of {n} has no sites.")).help("The number must be at least 1.")
}

pub fn drawing(wrong: &DrawingError, span: Span) -> Diagnostic {
    let (message, help) = match wrong {
        DrawingError::Empty => {
            ("This drawing has no points.".to_string(), "Write \"o\" for a point, - | / \\ for lines between points.")
        }
        DrawingError::Sign(sign) => (
            format!("\"{sign}\" means nothing in a drawing."),
            "Points are o, lines - | / \\, and lines that cross without touching + or x.",
        ),
        DrawingError::Large(points) => {
            (format!("This drawing has {points} points; that is too many."), "Draw fewer points.")
        }
        DrawingError::Loose(sign) => (
            format!("This \"{sign}\" is not part of a straight line from one point to another."),
            "Draw lines without gaps, and an o at both ends.",
        ),
    };
    error("drawing", span, message).help(help)
}

pub fn drawing_unknown(span: Span) -> Diagnostic {
    error("drawing", span, "Which drawing this is must be known when the game is loaded.".to_string())
        .help("Draw it here, or match an option.")
}

pub fn chain_twice(point: &str, span: Span) -> Diagnostic {
    error("graph", span, format!("This chain passes \"{point}\" twice.")).help("Make two chains of it: a-b-c, c-a.")
}

pub fn point_crowded(point: &str, span: Span) -> Diagnostic {
    error(
        "graph",
        span,
        format!(
            "There is no direction left for the line at \"{point}\": lines that meet go four different ways at most."
        ),
    )
    .help("Join lines that go straight on into one chain: a-b-c.")
}

pub fn direction_not_here(word: &str, have: &[&str], span: Span) -> Diagnostic {
    error("no-direction", span, format!("There is no \"{word}\" on this board."))
        .help(format!("Its directions are {}.", super::all_of(have)))
}

pub fn board_too_large(sites: i64, most: i64, span: Span) -> Diagnostic {
    error("board-too-large", span, format!("This board has {sites} sites: at most {most} are allowed."))
        .help("Choose smaller numbers.")
}

pub fn first_value(word: &str, n: i32, lo: i32, hi: i32, span: Span) -> Diagnostic {
    error("first-value", span, format!("\"{word}\" is {lo}..{hi}; {n} is outside."))
        .help(format!("Let it begin with a number from {lo} to {hi}."))
}

/// `remember a = b` and `remember b = a`
pub fn value_unknown(word: &str, span: Span) -> Diagnostic {
    error("must-be-known", span, format!("What \"{word}\" holds cannot be seen from its first value."))
        .help(format!("Say it: remember {word}: int = …"))
}

pub fn must_be_known(span: Span) -> Diagnostic {
    error("must-be-known", span, "This must be known when the game is loaded.".to_string())
        .help("Use numbers and options here.")
}

pub fn no_seat(word: &str, seats: &[String], span: Span) -> Diagnostic {
    let near = crate::diagnostics::nearest::nearest(word, seats.iter().map(String::as_str));
    let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    error("no-seat", span, format!("There is no player \"{word}\".{meant}")).help(format!("Say {}.", list(seats)))
}

pub fn no_type(word: &str, span: Span) -> Diagnostic {
    let types = ["int", "bool", "site", "sites", "dir", "dirs", "player", "players", "kind", "kinds", "step", "text"];
    let other = match word.to_ascii_lowercase().as_str() {
        "number" | "integer" | "count" | "num" => Some("int"),
        "boolean" | "flag" => Some("bool"),
        "direction" => Some("dir"),
        "directions" => Some("dirs"),
        "cell" | "square" | "point" | "field" | "place" | "position" => Some("site"),
        "cells" | "squares" | "points" | "fields" | "set" => Some("sites"),
        "piece" | "type" => Some("kind"),
        "pieces" => Some("kinds"),
        "string" | "str" => Some("text"),
        "seat" => Some("player"),
        _ => None,
    };
    let near = other.or_else(|| crate::diagnostics::nearest::nearest(word, types));
    match near {
        Some(near) => error("no-type", span, format!("\"{word}\" is no type. Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}\".")),
        None => error("no-type", span, format!("\"{word}\" is no type."))
            .help(format!("Types are {}, ranges as 0..9, words as \"red or blue\", and bags.", types.join(", "))),
    }
}

pub fn empty_range(lo: i32, hi: i32, span: Span) -> Diagnostic {
    error("empty-range", span, format!("There is no number from {lo} to {hi}.")).help("Write the smaller number first.")
}

pub fn bag_too_wide(span: Span) -> Diagnostic {
    error("bag-too-wide", span, "A bag holds at most 16 different neighbouring numbers.".to_string())
        .help("Use a smaller range.")
}

pub fn bag_too_far(most: i32, span: Span) -> Diagnostic {
    error("bag-too-far", span, format!("The numbers of a bag lie between -{most} and {most}."))
        .help("Put only numbers into a bag that are thrown or counted.")
}

pub fn bag_of(word: &str, span: Span) -> Diagnostic {
    error("bag-of", span, format!("There are no bags of \"{word}\".")).help("Write \"bag of kind\" or \"bag of 1..6\".")
}

/// `roll 2 dice in …` without a bag of that name.
pub fn no_bag_yet(word: &str, span: Span) -> Diagnostic {
    error("no-bag", span, format!("There is no bag \"{word}\" that could hold what is thrown."))
        .help(format!("Add: remember {word}: bag of 1..6"))
}

pub fn bag_holds_other(word: &str, bag: Ty, thrown: Ty, span: Span) -> Diagnostic {
    error("bag-of-others", span, format!("\"{word}\" is {}; {} cannot be put into it.", a(bag), a(thrown)))
        .help("Roll what the bag can hold.")
}

pub fn bag_too_small(word: &str, lo: i32, hi: i32, span: Span) -> Diagnostic {
    error("bag-of-others", span, format!("\"{word}\" holds {lo} to {hi}; other numbers cannot be put into it."))
        .help(format!("Roll \"in {lo}..{hi}\", or declare a larger bag."))
}

pub fn no_bag(word: &str, span: Span) -> Diagnostic {
    error("no-bag", span, format!("\"{word}\" is no bag.")).help(format!("Declare \"remember {word}: bag of 1..6\"."))
}

pub fn too_many_kinds_for_bag(n: usize, span: Span) -> Diagnostic {
    error("bag-too-wide", span, format!("A bag of kinds holds at most 16 kinds; this game has {n}."))
        .help("Keep the pieces in hand as numbers, one a kind.")
}

pub fn counted_elements(span: Span) -> Diagnostic {
    error("counted", span, "Only numbers and kinds can be counted in a bag.".to_string())
        .help("Take the number in front out.")
}

pub fn counted_many(n: i64, span: Span) -> Diagnostic {
    error("counted", span, format!("A bag holds at most 255 of a thing, here are {n}.")).help("Take fewer.")
}

pub fn counted_unknown(most: i64, span: Span) -> Diagnostic {
    error("counted", span, format!("A bag of numbers that are not known beforehand may list {most} of them."))
        .help("List fewer.")
}

pub fn symbol_twice(sign: &str, first: &str, second: &str, span: Span) -> Diagnostic {
    error("symbol-twice", span, format!("\"{sign}\" is both \"{first}\" and \"{second}\" of the same player."))
        .help("Give each kind its own symbol.")
}

pub fn symbol_number(kind: &str, given: usize, seats: usize, owned: bool, span: Span) -> Diagnostic {
    let signs = if given == 1 { "symbol" } else { "symbols" };
    let for_whom = match (owned, seats) {
        (true, _) => "it needs one".to_string(),
        (false, 1) => "there is 1 player".to_string(),
        (false, seats) => format!("there are {seats} players"),
    };
    error("symbol-number", span, format!("\"{kind}\" has {given} {signs}, but {for_whom}."))
        .help("Write one symbol a player, or one for all; longer symbols apart by blanks.")
}

pub fn symbol_sign(signs: &[&str], span: Span) -> Diagnostic {
    let quoted: Vec<String> = signs.iter().map(|sign| format!("\"{sign}\"")).collect();
    let message = match &quoted[..] {
        [one] => format!("{one} cannot be a symbol."),
        all => format!("{} cannot be symbols.", super::all_of(&all.iter().map(String::as_str).collect::<Vec<_>>())),
    };
    error("symbol-sign", span, message).help("Use letters or other signs, but no dot, slash or digit.")
}

pub fn diagram(wrong: &DiagramError, span: Span) -> Diagnostic {
    let size = |help: &str| error("diagram-size", span, wrong.to_string()).help(help);
    let sign = |help: &str| error("diagram", span, wrong.to_string()).help(help);
    match wrong {
        DiagramError::Rows { .. } => size("Write one row a line, the top row first."),
        DiagramError::Width { .. } => size("Write \".\" for an empty site."),
        DiagramError::Unknown { .. } => sign("Write one of these, or \".\" for an empty site."),
        DiagramError::Ambiguous { .. } => sign("Give the piece another symbol, or write both signs together."),
        DiagramError::NoOwner { .. } => sign("Say whose it is."),
    }
}

pub fn diagram_unknown(span: Span) -> Diagnostic {
    error("diagram-unknown", span, "Which diagram this is must be known when the game is loaded.".to_string())
        .help("Lay a text, a definition that is a text, or an option.")
}

pub fn not_their_kind(kind: &str, only: Option<&str>, span: Span) -> Diagnostic {
    let whose = only.map_or("nobody".to_string(), |seat| format!("{seat} alone"));
    error("not-their-kind", span, format!("\"{kind}\" is a piece for {whose}."))
        .help(format!("Say \"{kind}\" without whose it is."))
}

pub fn stretch_empty(words: &str, span: Span) -> Diagnostic {
    error("track", span, format!("\"{words}\" has no sites on this board, so the track cannot go through it."))
        .help("Name sites of the board.")
}

pub fn stretch_straight(span: Span) -> Diagnostic {
    error("track", span, "These two sites do not lie in one straight line.".to_string())
        .help("Name the sites between them too.")
}

pub fn stretch_going(span: Span) -> Diagnostic {
    error("track", span, "Which way does the track go through these sites?".to_string())
        .help("Add \"going\" and a direction.")
}

pub fn no_direction(word: &str, all: &[&str], span: Span) -> Diagnostic {
    let near = crate::diagnostics::nearest::nearest(word, all.iter().copied());
    let meant = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    let comma = if word.starts_with(char::is_uppercase) { "Two players have a comma between them. " } else { "" };
    let ways = "Say north, northeast, east, southeast, south, southwest, west or northwest.";
    error("no-direction", span, format!("\"{word}\" is no direction.{meant}")).help(format!("{comma}{ways}"))
}

pub fn no_site(word: &str, first: &str, last: &str, span: Span) -> Diagnostic {
    error("no-site", span, format!("{word} is not on this board ({first} to {last})."))
        .help("Extra sites are declared with \"plus\".")
}

pub fn site_twice(word: &str, span: Span) -> Diagnostic {
    error("site-twice", span, format!("There is a site \"{word}\" already.")).help("Choose another name.")
}

pub fn position_too_large(bytes: usize, most: usize, span: Span) -> Diagnostic {
    error("position-too-large", span, format!("A position of this game has {bytes} bytes: at most {most} are allowed."))
        .help("Remember less, or on a smaller board.")
}

pub fn site_name(word: &str, span: Span) -> Diagnostic {
    error("site-name", span, format!("\"{word}\" cannot be the name of a site."))
        .help("A name begins with a letter and goes on with letters, digits and \"_\".")
}

pub fn table_type(word: &str, ty: Ty, span: Span) -> Diagnostic {
    error(
        "table-type",
        span,
        format!("\"{word}\" is remembered per site; there it can be numbers, yes-or-nos or words, not {}.", a(ty)),
    )
    .help("Remember a set of sites instead, without \"per site\".")
}

pub fn board_with(word: &str, span: Span) -> Diagnostic {
    let meant = crate::diagnostics::nearest::nearest(word, ["edges", "crossings"]);
    let meant = meant.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
    error("board-with", span, format!("A board has no \"{word}\".{meant}")).help("Say edges, crossings, or both.")
}

pub fn sides_of_grids(span: Span) -> Diagnostic {
    error("board-with", span, "Only the boards \"square\" and \"grid\" have edges and crossings.".to_string())
        .help("Name extra sites with \"plus\".")
}

pub fn no_sides(span: Span) -> Diagnostic {
    error("no-sides", span, "This board has no edges and crossings.".to_string())
        .help("Write \"board square 9 with edges, crossings\".")
}

pub fn secret_whose(word: &str, span: Span) -> Diagnostic {
    error("secret-whose", span, format!("Whose secret is \"{word}\"? It is seen by its owner alone, so it needs one."))
        .help(format!("Write \"remember secret {word} per player\"."))
}

pub fn no_facing(word: &str, seats: &[&str], dir: &str, span: Span) -> Diagnostic {
    let have = if seats.len() == 1 { "has" } else { "have" };
    let first = seats.first().copied().unwrap_or("Red");
    error("no-facing", span, format!("\"{word}\": {} {have} no facing.", super::all_of(seats)))
        .help(format!("Write \"players {first} {dir}, …\"."))
}
