//! The sentences. Each function takes the things that matter and gives the diagnostic: a player's words, the place, the mend.

use super::Checker;
use crate::diagnostics::Diagnostic;
use crate::rules::Ty;
use crate::source::Span;
use crate::syntax::ast;

fn error(code: &'static str, span: Span, message: String) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

/// A type as a player would call it.
pub(super) fn a(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "a number",
        Ty::Bool => "a yes-or-no",
        Ty::Site => "one site",
        Ty::Sites => "a set of sites",
        Ty::Dir => "a direction",
        Ty::Dirs => "a set of directions",
        Ty::Player => "a player",
        Ty::Players => "a set of players",
        Ty::Kind => "a kind of piece",
        Ty::Kinds => "a set of kinds",
        Ty::Step => "a step of a track",
        Ty::Track => "a track",
        Ty::Word(_) => "a word",
        Ty::Words(_) => "a set of words",
        Ty::Bag(bag) if bag.kinds => "a bag of kinds",
        Ty::Bag(_) => "a bag of numbers",
        Ty::Text => "a text",
        Ty::Table(_) => "a table with a value at each site",
        Ty::Unknown => "something unknown",
    }
}

fn list(words: &[String]) -> String {
    match words {
        [] => "nothing".to_string(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}

pub(super) fn unknown_name(word: &str, near: Option<&str>, span: Span) -> Diagnostic {
    match near {
        Some(near) => error("unknown-name", span, format!("There is no \"{word}\". Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}\".")),
        None => error("unknown-name", span, format!("There is no \"{word}\"."))
            .help("Define it, or use a word of the game or the library."),
    }
}

pub(super) fn half_known(word: &str, span: Span, at: Span) -> Diagnostic {
    error("half-known", span, format!("\"{word}\" is not known here: not every way that leads here binds it."))
        .also(at, "it is bound only inside of this")
        .help(format!("Bind \"{word}\" before, or in every branch."))
}

pub(super) fn taken(word: &str, span: Span) -> Diagnostic {
    error("taken", span, format!("\"{word}\" is taken: it is a word of the language. Choose another name."))
        .help(format!("For example \"my_{word}\"."))
}

pub(super) fn defined_twice(word: &str, span: Span, before: Span) -> Diagnostic {
    error("defined-twice", span, format!("\"{word}\" is defined twice."))
        .also(before, "the other one is here")
        .help("Give one of them another name.")
}

pub(super) fn wrong_type(checker: &Checker<'_>, words: &str, is: Ty, want: Ty, span: Span) -> Diagnostic {
    let short = if words.chars().count() > 60 { "this" } else { words };
    let quoted = if short == "this" { "This".to_string() } else { format!("\"{short}\"") };
    match (is, want) {
        (Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Table(_), Ty::Bool) => {
            error("needs-yes-or-no", span, format!("A yes-or-no is needed, {quoted} is {}.", a(is)))
                .help(format!("Say \"some {short}\" or \"no {short}\"."))
        }
        (_, Ty::Bool) => error("needs-yes-or-no", span, format!("A yes-or-no is needed, {quoted} is {}.", a(is)))
            .help("Compare it with something, as in \"… is 3\"."),
        (Ty::Sites | Ty::Kind | Ty::Kinds, Ty::Site) => {
            error("needs-one-site", span, format!("{quoted} is {}, but one site is needed here.", a(is)))
                .help(format!("Say \"the {short}\", or choose one."))
        }
        (Ty::Site, Ty::Step) => {
            error("needs-step", span, format!("{quoted} is a site, but a step of a track is needed."))
                .help(format!("Say on which track: \"{short} on …\"."))
        }
        _ => {
            let _ = checker;
            error("wrong-type", span, format!("{quoted} is {}, but {} is needed here.", a(is), a(want)))
                .help(format!("Write {} here.", a(want)))
        }
    }
}

pub(super) fn no_set(checker: &Checker<'_>, words: &str, is: Ty, span: Span) -> Diagnostic {
    let _ = checker;
    error("needs-set", span, format!("\"{words}\" is {}, but a set is needed here.", a(is)))
        .help("Sets are of sites, kinds, players, directions, or bags of numbers.")
}

pub(super) fn no_set_of(span: Span) -> Diagnostic {
    error("no-such-set", span, "There are no sets of these things.".to_string())
        .help("Collect sites, kinds, players or directions; add numbers up with \"sum\".")
}

pub(super) fn different_types(checker: &Checker<'_>, first: Ty, second: Ty, span: Span, other: Span) -> Diagnostic {
    let _ = checker;
    error("different-types", span, format!("These do not go together: {} and {}.", a(first), a(second)))
        .also(other, a(second).to_string())
        .help("Make all of them the same sort of thing.")
}

pub(super) fn not_comparable(checker: &Checker<'_>, left: Ty, right: Ty, span: Span) -> Diagnostic {
    let _ = checker;
    error("not-comparable", span, format!("{} and {} can never be the same.", capital(a(left)), a(right)))
        .help("Compare things of one sort.")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

pub(super) fn in_of_set(x: &str, s: &str, span: Span) -> Diagnostic {
    error("in-of-set", span, format!("\"{x}\" is a set of sites here, but \"in\" asks about one site."))
        .help(format!("Say \"some {x} & {s}\" or \"{x} within {s}\"."))
}

pub(super) fn needs_one_site(words: &str, verb: &str, span: Span) -> Diagnostic {
    error("needs-one-site", span, format!("\"{words}\" is a set, but \"{verb}\" needs one site."))
        .help(format!("Say \"the {words}\", or choose one."))
}

pub(super) fn brackets_at(what: &str, place: &str, span: Span) -> Diagnostic {
    error("needs-brackets", span, format!("\"{what} at {place}\" needs a site behind \"at\"."))
        .help(format!("Brackets: \"{what} at ({place} …)\"."))
}

pub(super) fn adds_to_player(words: &str, span: Span) -> Diagnostic {
    error("needs-brackets", span, format!("\"{words}\" adds a direction to a player."))
        .help("Brackets, as in \"owner at (from + d)\".")
}

pub(super) fn adds_direction(words: &str, what: &str, span: Span) -> Diagnostic {
    error("adds-direction", span, format!("\"{words}\" adds a direction to {what}."))
        .help("A direction is added to a site or a set of sites.")
}

pub(super) fn times_direction(words: &str, span: Span) -> Diagnostic {
    error("times-direction", span, format!("\"{words}\" is so many steps that way; it can only be added to a site."))
        .help(format!("Say from where: \"from + {words}\"."))
}

pub(super) fn plus_of_sets(words: &str, span: Span) -> Diagnostic {
    error("plus-of-sets", span, format!("\"{words}\" adds two sets."))
        .help("Join sets with \"|\"; \"+\" adds numbers, or a direction to sites.")
}

pub(super) fn take_away_from_which(words: &str, span: Span) -> Diagnostic {
    error("take-away", span, format!("\"{words}\": take which away from which? Put brackets."))
        .help("Write \"(a | b) - c\" or \"a | (b - c)\".")
}

pub(super) fn set_operator_on_bools(both: bool, words: &str, span: Span) -> Diagnostic {
    let (sign, word) = if both { ("&", "and") } else { ("|", "or") };
    error("set-operator", span, format!("\"{sign}\" joins sets; in \"{words}\" there are yes-or-nos."))
        .help(format!("Say \"{word}\"."))
}

pub(super) fn no_parameter(callee: &str, params: &[&str], name: &ast::Name) -> Diagnostic {
    let near = crate::diagnostics::nearest::nearest(&name.text, params.iter().copied());
    let takes = if params.is_empty() { "nothing".to_string() } else { params.join(", ") };
    let message = format!("\"{callee}\" takes {takes}; there is no \"{}\".", name.text);
    let diag = error("no-parameter", name.span, message);
    match near {
        Some(near) => diag.help(format!("Did you mean \"{near}\"?")),
        None => diag.help("Take it out, or give it without a name."),
    }
}

pub(super) fn missing(callee: &str, params: &[&str], name: &str, given: usize, span: Span) -> Diagnostic {
    let n = params.len();
    error(
        "missing-argument",
        span,
        format!(
            "\"{callee}\" takes {n} {} ({}), here {} {given}: {name} is missing.",
            things(n),
            params.join(", "),
            is_are(given)
        ),
    )
    .help(format!("Add \"{name}\"."))
}

fn things(n: usize) -> &'static str {
    if n == 1 { "thing" } else { "things" }
}

fn is_are(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

pub(super) fn too_many(callee: &str, takes: usize, given: usize, span: Span) -> Diagnostic {
    error(
        "too-many-arguments",
        span,
        format!("\"{callee}\" takes {takes} {}, here {} {given}.", things(takes), is_are(given)),
    )
    .help("Take the last ones out.")
}

pub(super) fn wrong_number(callee: &str, takes: usize, given: usize, span: Span) -> Diagnostic {
    error(
        "wrong-number",
        span,
        format!("\"{callee}\" takes {takes} {}, here {} {given}.", things(takes), is_are(given)),
    )
    .help(format!("Give it {takes}."))
}

pub(super) fn given_twice(name: &str, span: Span) -> Diagnostic {
    error("given-twice", span, format!("\"{name}\" is given twice.")).help("Take one out.")
}

pub(super) fn takes_nothing(name: &str, span: Span) -> Diagnostic {
    error("takes-nothing", span, format!("\"{name}\" takes nothing in brackets."))
        .help(format!("Write \"{name}\" alone; for a table say \"{name} at …\"."))
}

pub(super) fn wants_table(words: &str, param: &str, span: Span) -> Diagnostic {
    error("wants-table", span, format!("\"{param}\" is a table of numbers at sites; \"{words}\" is none."))
        .help("Give the name of something remembered per site.")
}

pub(super) fn match_leaves_out(missing: &str, span: Span) -> Diagnostic {
    error("match-leaves-out", span, format!("\"match\" leaves out {missing}. Add it or an \"else\"."))
        .help("Write \"else: …\" as the last line.")
}

pub(super) fn else_last(span: Span) -> Diagnostic {
    error("else-last", span, "\"else\" takes all that is left; what follows it is never reached.".to_string())
        .help("Put \"else\" last.")
}

pub(super) fn not_among(word: &str, words: &[String], span: Span) -> Diagnostic {
    error("not-among", span, format!("\"{word}\" is not among {}.", list(words))).help("Use one of these words.")
}

pub(super) fn pattern_type(checker: &Checker<'_>, words: &str, ty: Ty, span: Span) -> Diagnostic {
    let _ = checker;
    error("pattern-type", span, format!("\"{words}\" cannot be {}, which \"match\" looks at here.", a(ty)))
        .help("Write what it may be.")
}

pub(super) fn pattern_not_constant(word: &str, span: Span) -> Diagnostic {
    error(
        "pattern-type",
        span,
        format!("\"{word}\" changes during the game; a line of \"match\" names something fixed."),
    )
    .help("Use \"if … is …\".")
}

pub(super) fn uses_itself(word: &str, path: &[String], span: Span) -> Diagnostic {
    error("uses-itself", span, format!("\"{word}\" uses itself ({}).", path.join(" → ")))
        .help("Say it with \"spread\", or with a loop in an action.")
}

pub(super) fn whose_kind(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" has a value for each kind of piece: say whose."))
        .help(format!("As in \"(kind at s)'s {word}\"."))
}

pub(super) fn not_per_player(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" is not remembered per player, so it is nobody's."))
        .help("Take the possessive out, or declare it \"per player\".")
}

pub(super) fn owned_local(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" is a name of this place only; it is the same from every seat."))
        .help("Take the possessive out.")
}

pub(super) fn no_opponent(seats: usize, span: Span) -> Diagnostic {
    error("no-opponent", span, format!("\"opponent\" needs two players, here are {seats}."))
        .help("Say \"others\", or \"next\" for whose turn comes.")
}

pub(super) fn no_facing(word: &str, seats: &[&str], span: Span) -> Diagnostic {
    error(
        "no-facing",
        span,
        format!("\"{word}\": {} {} no facing.", seats.join(", "), if seats.len() == 1 { "has" } else { "have" }),
    )
    .help("Write \"players Red north, …\".")
}

pub(super) fn no_direction(word: &str, span: Span) -> Diagnostic {
    error("no-direction", span, format!("\"{word}\" is no direction."))
        .help("Say north, east, south, west or one between.")
}

pub(super) fn no_site(word: &str, first: &str, last: &str, span: Span) -> Diagnostic {
    error("no-site", span, format!("{word} is not on this board ({first} to {last})."))
        .help("Extra sites are declared with \"plus\".")
}

pub(super) fn site_twice(word: &str, span: Span) -> Diagnostic {
    error("site-twice", span, format!("There is a site \"{word}\" already.")).help("Choose another name.")
}

pub(super) fn no_table(word: &str, span: Span) -> Diagnostic {
    error("no-table", span, format!("\"{word}\" has no value at a site."))
        .help("\"at\" follows kind, owner, x, y, or something remembered \"per site\".")
}

pub(super) fn table_at(word: &str, span: Span) -> Diagnostic {
    error("table-at", span, format!("\"{word}\" has a value at every site: say where."))
        .help(format!("Write \"{word} at … = …\"; for all cells \"{word} at board = …\"."))
}

pub(super) fn table_type(checker: &Checker<'_>, word: &str, ty: Ty, span: Span) -> Diagnostic {
    let _ = checker;
    error(
        "table-type",
        span,
        format!("\"{word}\" is remembered per site; there it can be numbers, yes-or-nos or words, not {}.", a(ty)),
    )
    .help("Remember a set of sites instead, without \"per site\".")
}

pub(super) fn option_fixed(word: &str, span: Span) -> Diagnostic {
    error("option-fixed", span, format!("\"{word}\" is fixed once the game is loaded; it cannot be assigned."))
        .help(format!("\"remember\" something else that begins as \"{word}\"."))
}

pub(super) fn cannot_assign(word: &str, why: &str, span: Span) -> Diagnostic {
    error("cannot-assign", span, format!("\"{word}\" cannot be assigned: {why}."))
        .help("Only what is remembered, \"next\" and names made by \"let\" can be.")
}

pub(super) fn wrong_assign(span: Span) -> Diagnostic {
    error("wrong-assign", span, "Such a value can only be assigned with \"=\".".to_string())
        .help("\"+=\" and \"-=\" are for numbers, sets and bags.")
}

pub(super) fn first_is_setting(span: Span) -> Diagnostic {
    error("first-is-setting", span, "\"first\" is a setting of every game; an option needs another name.".to_string())
        .help("Take the option out: tables say \"first: …\" themselves.")
}

pub(super) fn option_default(word: &str, span: Span) -> Diagnostic {
    error("option-default", span, format!("The default of \"{word}\" must be a number, a word, on, off or a text."))
        .help("As in \"option size = 8 (or 4..12)\".")
}

pub(super) fn option_value(span: Span) -> Diagnostic {
    error("option-values", span, "An option may be numbers, ranges of numbers, or words.".to_string())
        .help("As in \"(or 2..26, none)\".")
}

pub(super) fn option_unused(word: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("option-unused", span, format!("Option \"{word}\" is never used."))
        .help("Use it, or take it out.")
}

pub(super) fn never_read(word: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("never-read", span, format!("\"{word}\" is remembered but never read."))
        .help("Use it, or take it out.")
}

pub(super) fn part_missing(part: &str, sample: &str, span: Span) -> Diagnostic {
    error("part-missing", span, format!("\"{part}\" is missing.")).help(format!("Add for example: {sample}"))
}

pub(super) fn too_many_of(what: &str, n: usize, most: usize, span: Span) -> Diagnostic {
    error("too-many", span, format!("{n} {what}: at most {most} are allowed.")).help("Take some out.")
}

pub(super) fn too_large(most: usize, span: Span) -> Diagnostic {
    error("game-too-large", span, format!("With all actions written out the game has more than {most} statements."))
        .help("Call actions from fewer places, or use loops.")
}

pub(super) fn board_size(width: i32, length: i32, span: Span) -> Diagnostic {
    error("board-size", span, format!("A board of {width} by {length} has no sites."))
        .help("Both numbers must be at least 1.")
}

pub(super) fn board_too_large(sites: i64, most: i64, span: Span) -> Diagnostic {
    error("board-too-large", span, format!("This board has {sites} sites: at most {most} are allowed."))
        .help("Choose smaller numbers.")
}

pub(super) fn must_be_known(span: Span) -> Diagnostic {
    error("must-be-known", span, "This must be known when the game is loaded.".to_string())
        .help("Use numbers and options here.")
}

pub(super) fn no_seat(word: &str, seats: &[String], span: Span) -> Diagnostic {
    error("no-seat", span, format!("There is no player \"{word}\".")).help(format!("Say {}.", list(seats)))
}

pub(super) fn no_type(word: &str, span: Span) -> Diagnostic {
    let types = ["int", "bool", "site", "sites", "dir", "dirs", "player", "players", "kind", "kinds", "step", "text"];
    let near = crate::diagnostics::nearest::nearest(word, types);
    error("no-type", span, format!("\"{word}\" is no type.")).help(match near {
        Some(near) => format!("Did you mean \"{near}\"?"),
        None => format!("Types are {}, ranges as 0..9, words as \"red or blue\", and bags.", types.join(", ")),
    })
}

pub(super) fn empty_range(lo: i32, hi: i32, span: Span) -> Diagnostic {
    error("empty-range", span, format!("There is no number from {lo} to {hi}.")).help("Write the smaller number first.")
}

pub(super) fn bag_too_wide(span: Span) -> Diagnostic {
    error("bag-too-wide", span, "A bag holds at most 16 different neighbouring numbers.".to_string())
        .help("Use a smaller range.")
}

pub(super) fn bag_of(word: &str, span: Span) -> Diagnostic {
    error("bag-of", span, format!("There are no bags of \"{word}\".")).help("Write \"bag of kind\" or \"bag of 1..6\".")
}

pub(super) fn no_bag(word: &str, span: Span) -> Diagnostic {
    error("no-bag", span, format!("\"{word}\" is no bag.")).help(format!("Declare \"remember {word}: bag of 1..6\"."))
}

pub(super) fn too_many_kinds_for_bag(n: usize, span: Span) -> Diagnostic {
    error("bag-too-wide", span, format!("A bag of kinds holds at most 16 kinds; this game has {n}."))
        .help("Keep the pieces in hand as numbers, one a kind.")
}

pub(super) fn counted_elements(span: Span) -> Diagnostic {
    error("counted", span, "Only numbers and kinds can be counted in a bag.".to_string())
        .help("Take the number in front out.")
}

pub(super) fn symbol_twice(sign: &str, first: &str, second: &str, span: Span) -> Diagnostic {
    error("symbol-twice", span, format!("\"{sign}\" is both \"{first}\" and \"{second}\" of the same player."))
        .help("Give each kind its own symbol.")
}

pub(super) fn symbol_number(kind: &str, given: usize, wanted: usize, span: Span) -> Diagnostic {
    error(
        "symbol-number",
        span,
        format!("\"{kind}\" has {given} symbols; there {} {wanted}.", if wanted == 1 { "is room for" } else { "are" }),
    )
    .help("One symbol a player; longer ones apart by blanks.")
}

pub(super) fn symbol_sign(sign: &str, span: Span) -> Diagnostic {
    error("symbol-sign", span, format!("\"{sign}\" cannot be a symbol."))
        .help("Use letters or other signs, but no dot, slash or digit.")
}

pub(super) fn diagram_rows(rows: usize, length: usize, span: Span) -> Diagnostic {
    error("diagram-size", span, format!("The diagram has {rows} rows, the board has {length}."))
        .help("Write one row a line, top row first.")
}

pub(super) fn diagram_row(row: usize, signs: usize, width: usize, span: Span) -> Diagnostic {
    error("diagram-size", span, format!("Row {row} has {signs} signs, the board is {width} wide."))
        .help("Write \".\" for an empty site.")
}

pub(super) fn diagram(message: &str, span: Span) -> Diagnostic {
    error("diagram", span, message.to_string()).help("Write one symbol a site, \".\" for an empty one.")
}

pub(super) fn stretch_straight(span: Span) -> Diagnostic {
    error("track", span, "These two sites do not lie in one straight line.".to_string())
        .help("Name the sites between them too.")
}

pub(super) fn stretch_going(span: Span) -> Diagnostic {
    error("track", span, "Which way does the track go through these sites?".to_string())
        .help("Add \"going\" and a direction.")
}

pub(super) fn going_sites(span: Span) -> Diagnostic {
    error("going", span, "Only sites have an order along a direction.".to_string()).help("Take \"going …\" out.")
}

pub(super) fn builder_head(span: Span) -> Diagnostic {
    error("builder", span, "With several names this set must say what it collects.".to_string())
        .help("Write \"{e for x in S, y in T where …}\".")
}

pub(super) fn mover_last(span: Span) -> Diagnostic {
    error("mover-last", span, "\"mover\" must be the last name here.".to_string())
        .help("Put \"mover in …\" behind the others.")
}

pub(super) fn mover_seats(span: Span) -> Diagnostic {
    error("mover-seats", span, "\"mover\" runs through players only.".to_string())
        .help("Write \"for mover in players\".")
}

pub(super) fn lines_alone(span: Span) -> Diagnostic {
    error("lines", span, "\"lines\" is gone through row by row.".to_string())
        .help("Write \"some l in lines(3) where l within …\".")
}

pub(super) fn lines_constant(span: Span) -> Diagnostic {
    error("lines", span, "The length of the rows must be known when the game is loaded.".to_string())
        .help("Use a number or an option.")
}

pub(super) fn needs_square_board(word: &str, width: i32, length: i32, span: Span) -> Diagnostic {
    error(
        "needs-square-board",
        span,
        format!("\"{word}\" needs a board as wide as long; this one is {width} by {length}."),
    )
    .help("Name the sites instead.")
}

pub(super) fn action_here(word: &str, span: Span) -> Diagnostic {
    error(
        "action-in-expression",
        span,
        format!("A definition or condition may only look; \"{word}\" changes the position."),
    )
    .help(format!("Call it first: \"let result = {word}(…)\"; or make this an \"action\"."))
}

pub(super) fn gives_nothing(word: &str, span: Span) -> Diagnostic {
    error("gives-nothing", span, format!("\"{word}\" gives no value.")).help(format!("Add \"give …\" to \"{word}\"."))
}

pub(super) fn no_action(word: &str, span: Span) -> Diagnostic {
    error("no-action", span, format!("\"{word}\" only looks; as a statement it does nothing."))
        .help("Say what is to be done with it: \"require …\", \"let x = …\".")
}

pub(super) fn give_outside(span: Span) -> Diagnostic {
    error("give-outside", span, "\"give\" belongs to an action.".to_string()).help("Take it out.")
}

pub(super) fn stop_outside(span: Span) -> Diagnostic {
    error("stop-outside", span, "There is no loop to leave here.".to_string()).help("Take \"stop\" out.")
}

pub(super) fn best_in_loop(most: bool, span: Span) -> Diagnostic {
    let word = if most { "most" } else { "least" };
    error("best-in-loop", span, format!("\"require {word}\" stands in a loop; put it after the loop."))
        .help("It compares whole runs.")
}

pub(super) fn choice_after_turn(span: Span) -> Diagnostic {
    error("choice-after-turn", span, "\"after turn\" happens by itself; there is nothing to choose in it.".to_string())
        .help("Put the choice into \"turn\".")
}

pub(super) fn setup_only(word: &str, span: Span) -> Diagnostic {
    error("setup-only", span, format!("\"{word}\" belongs to the setup.")).help("Put it into \"setup\".")
}

pub(super) fn commit_here(span: Span) -> Diagnostic {
    error("commit-here", span, "\"commit\" belongs to the turn.".to_string()).help("Take it out.")
}

pub(super) fn carrying(span: Span) -> Diagnostic {
    error("carrying", span, "\"carrying\" needs a board that is \"stacked\".".to_string())
        .help("Take \"carrying …\" out.")
}

pub(super) fn dice_number(n: i32, span: Span) -> Diagnostic {
    error("dice-number", span, format!("{n} dice: 1 to 8 can be thrown at once.")).help("Throw them in several rolls.")
}

pub(super) fn notation_name(word: &str, span: Span) -> Diagnostic {
    error("notation-name", span, format!("No statement makes a name \"{word}\", so the notation cannot write it."))
        .help("Use a name that \"choose\" or \"let\" makes.")
}

pub(super) fn no_such_end(word: &str, ends: &[String], span: Span) -> Diagnostic {
    error("no-such-end", span, format!("There is no end \"{word}\".")).help(format!("Ends are {}.", list(ends)))
}

pub(super) fn not_yet(what: &str, span: Span) -> Diagnostic {
    error("not-yet", span, format!("This version cannot do {what}.")).help("Say it without.")
}
