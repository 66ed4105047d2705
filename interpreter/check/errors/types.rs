//! Sentences about things of one sort where another is wanted.

use super::{a, all_of, bracketed, capital, error, list, whole};
use crate::diagnostics::Diagnostic;
use crate::rules::Ty;
use crate::source::Span;

/// `track`: the only track, if there is one.
pub fn wrong_type(words: &str, is: Ty, want: Ty, track: Option<&str>, span: Span) -> Diagnostic {
    let quoted = if whole(words) { format!("\"{words}\"") } else { "This".to_string() };
    // What can be pasted as it is.
    let mend = |prefix: &str| if whole(words) { format!("{prefix} {words}") } else { format!("{prefix} …") };
    match (is, want) {
        (Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players | Ty::Dirs | Ty::Bag(_) | Ty::Table(_), Ty::Bool) => {
            let quoted = if whole(words) { quoted } else { "this".to_string() };
            error("needs-yes-or-no", span, format!("A yes-or-no is needed, {quoted} is a set.")).help(format!(
                "Say \"{}\" or \"{}\".",
                mend("some"),
                mend("no")
            ))
        }
        (Ty::Site | Ty::Step | Ty::Player | Ty::Dir, Ty::Bool) => {
            let nothing = if is == Ty::Player { "nobody" } else { "nowhere" };
            let quoted = if whole(words) { quoted } else { "this".to_string() };
            error("needs-yes-or-no", span, format!("A yes-or-no is needed, {quoted} is {}.", a(is)))
                .help(format!("Compare it, as in \"{}\".", mend_after(words, &format!("is not {nothing}"))))
        }
        (_, Ty::Bool) => {
            let quoted = if whole(words) { quoted } else { "this".to_string() };
            let mend = if is == Ty::Int { "> 0" } else { "is …" };
            error("needs-yes-or-no", span, format!("A yes-or-no is needed, {quoted} is {}.", a(is)))
                .help(format!("Compare it, as in \"{}\".", mend_after(words, mend)))
        }
        (Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Table(_), Ty::Site) => {
            error("needs-one-site", span, format!("{quoted} is a set, but one site is needed here."))
                .help(format!("Say \"{}\", or choose one.", mend("the")))
        }
        (Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players | Ty::Table(_), Ty::Int) => needs_count(words, is, span),
        (Ty::Players, Ty::Player) | (Ty::Kinds, Ty::Kind) | (Ty::Dirs, Ty::Dir) => {
            let name = if is == Ty::Dirs {
                "d"
            } else if is == Ty::Kinds {
                "k"
            } else {
                "p"
            };
            error("needs-one", span, format!("{quoted} is {}, but one alone is needed here.", a(is)))
                .help(format!("Choose one: \"choose {name} in {}\".", if whole(words) { words } else { "…" }))
        }
        (Ty::Sites, Ty::Player) | (Ty::Site, Ty::Player) => {
            let one = if is == Ty::Site { bracketed(words) } else { format!("(the {words})") };
            let diag = error("wrong-type", span, format!("{quoted} is {}, but a player is needed here.", a(is)));
            if whole(words) { diag.help(format!("Whose piece stands there: \"owner at {one}\".")) } else { diag }
        }
        (Ty::Sites | Ty::Site, Ty::Kind) if whole(words) => {
            let one = if is == Ty::Site { bracketed(words) } else { format!("(the {words})") };
            error("wrong-type", span, format!("{quoted} is {}, but a kind of piece is needed here.", a(is)))
                .help(format!("What stands there: \"kind at {one}\"."))
        }
        (Ty::Site, Ty::Step) => {
            error("needs-step", span, format!("{quoted} is a site, but a step of a track is needed here.")).help(
                format!("Say on which track: \"{}\".", mend_after(words, &format!("on {}", track.unwrap_or("…")))),
            )
        }
        _ => {
            let diag = error("wrong-type", span, format!("{quoted} is {}, but {} is needed here.", a(is), a(want)));
            match sample(want) {
                Some(sample) => diag.help(format!("As in \"{sample}\".")),
                None => diag,
            }
        }
    }
}

fn mend_after(words: &str, suffix: &str) -> String {
    if whole(words) { format!("{words} {suffix}") } else { format!("… {suffix}") }
}

/// Something of a type.
fn sample(ty: Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Int => "count(mine)",
        Ty::Site => "the mine & king",
        Ty::Sites => "mine",
        Ty::Dir => "north",
        Ty::Dirs => "orthogonal",
        Ty::Player => "mover",
        Ty::Players => "others",
        Ty::Kind => "kind at s",
        Ty::Kinds => "kinds",
        Ty::Bag(bag) if bag.kinds => "{2 horse, dog}",
        Ty::Bag(_) => "{1, 2, 2}",
        Ty::Text => "\"a text\"",
        _ => return None,
    })
}

/// A set where a number is wanted.
pub fn needs_count(words: &str, is: Ty, span: Span) -> Diagnostic {
    let quoted = if whole(words) { format!("\"{words}\"") } else { "this".to_string() };
    let is = if is == Ty::Kind { "a set of sites" } else { a(is) };
    let diag = error("needs-number", span, format!("A number is needed, {quoted} is {is}."));
    diag.help(if whole(words) { format!("Say \"count({words})\".") } else { "Say \"count(…)\".".to_string() })
}

/// `sum(mine)` and the like.
pub fn fold_of_set(word: &str, words: &str, is: Ty, span: Span) -> Diagnostic {
    let quoted = if whole(words) { format!("\"{words}\"") } else { "this".to_string() };
    let diag = error("needs-number", span, format!("\"{word}\" is of numbers, {quoted} is {}.", a(is)));
    diag.help(match whole(words) {
        true => format!("Say \"count({words})\", or \"{word}(… for s in {words})\"."),
        false => format!("Say of what: \"{word}(… for s in …)\"."),
    })
}

/// `match mine { … }`
pub fn match_of_set(words: &str, is: Ty, span: Span) -> Diagnostic {
    let quoted = if whole(words) { format!("\"{words}\"") } else { "this".to_string() };
    error("match-of-set", span, format!("\"match\" looks at one thing, {quoted} is {}.", a(is)))
        .help("Ask with \"if some … then … else …\".")
}

/// `and` or `or` between sets.
pub fn joins_sets(both: bool, left: &str, right: &str, span: Span) -> Diagnostic {
    let (word, sign) = if both { ("and", "&") } else { ("or", "|") };
    let diag = error("joins-sets", span, format!("\"{word}\" joins yes-or-no; these are sets."));
    diag.help(match whole(left) && whole(right) {
        true => format!("Say \"{left} {sign} {right}\"."),
        false => format!("Say \"… {sign} …\"."),
    })
}

pub fn no_set(words: &str, is: Ty, span: Span) -> Diagnostic {
    let quoted = if whole(words) { format!("\"{words}\"") } else { "This".to_string() };
    let mend = match is {
        Ty::Bool => "Take \"some\" or \"no\" out: it is a yes-or-no already.",
        Ty::Int => "Sets are of sites, players, kinds or directions, or ranges of numbers: 1..6",
        _ => "Sets are of sites, players, kinds or directions.",
    };
    error("needs-set", span, format!("{quoted} is {}, but a set is needed here.", a(is))).help(mend)
}

/// `for i in 6`
pub fn number_as_range(words: &str, span: Span) -> Diagnostic {
    error("needs-set", span, format!("\"{words}\" is one number, but a set is needed here."))
        .help(format!("From 1 on: \"1..{words}\"."))
}

pub fn no_set_of(span: Span) -> Diagnostic {
    error("no-such-set", span, "There are no sets of these things.".to_string())
        .help("Collect sites, kinds, players or directions; add numbers up with \"sum\".")
}

pub fn different_types(first: Ty, second: Ty, span: Span, other: Span) -> Diagnostic {
    error("different-types", other, format!("{} and {} do not go together.", capital(a(first)), a(second)))
        .label(a(second))
        .also(span, a(first))
        .help("Make both the same sort of thing.")
}

pub fn not_comparable(left: &str, was: Ty, right: &str, is: Ty, span: Span) -> Diagnostic {
    let (was_a, is_a) = (a(was), a(is));
    let message = match whole(left) && whole(right) {
        true => format!("\"{left}\" is {was_a} and \"{right}\" is {is_a}: they are never the same."),
        false => format!("{} and {is_a} are never the same.", capital(was_a)),
    };
    let diag = error("not-comparable", span, message);
    match (was, is) {
        (Ty::Site | Ty::Step, Ty::Player) if whole(left) => {
            diag.help(format!("Whose piece stands there: \"owner at {} is {right}\".", bracketed(left)))
        }
        (Ty::Sites, Ty::Player) if whole(left) && whole(right) => {
            diag.help(format!("Say \"some {left} & {right}'s pieces\"."))
        }
        (Ty::Int, Ty::Bool) => diag.help("Say \"> 0\" for a number that is not nothing."),
        _ => diag.help("Compare things of one sort."),
    }
}

pub fn in_of_set(x: &str, s: &str, span: Span) -> Diagnostic {
    error("in-of-set", span, format!("\"{x}\" is a set of sites here, but \"in\" asks about one site.")).help(
        match whole(x) && whole(s) {
            true => format!("Say \"some {x} & {s}\" or \"{x} within {s}\"."),
            false => "Say \"some … & …\" or \"… within …\".".to_string(),
        },
    )
}

pub fn needs_one_site(words: &str, verb: &str, span: Span) -> Diagnostic {
    error("needs-one-site", span, format!("\"{words}\" is a set, but \"{verb}\" needs one site."))
        .help(format!("Say \"the {words}\", or choose one."))
}

pub fn at_needs_one_site(what: &str, place: &str, span: Span) -> Diagnostic {
    let diag = error("needs-one-site", span, format!("\"{place}\" is a set, but \"{what} at\" needs one site."));
    match what {
        _ if !whole(place) => diag,
        "kind" | "owner" => {
            diag.help(format!("Say \"{what} at (the {place})\", or go through them: \"for s in {place}\"."))
        }
        _ => diag.help(format!("Add them up: \"sum({what} at s for s in {place})\".")),
    }
}

pub fn brackets_at(what: &str, place: &str, span: Span) -> Diagnostic {
    error("needs-brackets", span, format!("\"{what} at {place}\" needs a site behind \"at\", not a direction."))
        .help(format!("Brackets, as in \"{what} at (from + {place})\"."))
}

/// Something to which no direction can be added; `mend`: what was probably meant.
pub fn adds_direction(words: &str, what: Ty, mend: Option<String>, span: Span) -> Diagnostic {
    let message = format!("\"{words}\" adds a direction to {}.", a(what));
    match mend.filter(|mend| whole(words) && !mend.contains('…')) {
        Some(mend) => error("needs-brackets", span, message).help(format!("Brackets: \"{mend}\".")),
        None => error("adds-direction", span, message)
            .help("A direction is added to a site or a set of sites, as in \"mine + north\"."),
    }
}

pub fn times_direction(words: &str, span: Span) -> Diagnostic {
    error("times-direction", span, format!("\"{words}\" is so many steps that way; it can only be added to a site."))
        .help(format!("Say from where: \"from + {words}\"."))
}

pub fn plus_of_sets(words: &str, span: Span) -> Diagnostic {
    let diag = error("plus-of-sets", span, format!("\"{words}\" adds two sets."));
    match words.split(" + ").collect::<Vec<_>>()[..] {
        [left, right] if whole(words) => diag.help(format!("Join sets with \"|\": \"{left} | {right}\".")),
        _ => diag.help("Join sets with \"|\"; \"+\" adds numbers, or a direction to sites."),
    }
}

/// A site of the board taken away from another: what was meant is all from one to the other.
pub fn minus_of_sites(words: &str, from: &str, to: &str, span: Span) -> Diagnostic {
    error("minus-of-sites", span, format!("\"{words}\" takes one site away from another."))
        .help(format!("Write \"{from}..{to}\" for the sites from one to the other."))
}

pub fn take_away_from_which(words: &str, before: Option<&str>, from: &str, what: &str, span: Span) -> Diagnostic {
    let diag = error("take-away", span, format!("\"{words}\": take which away from which? Put brackets."));
    match before {
        Some(a) if whole(words) => {
            diag.help(format!("Write \"({a} | {from}) - {what}\" or \"{a} | ({from} - {what})\"."))
        }
        _ => diag.help("Write \"(a | b) - c\" or \"a | (b - c)\"."),
    }
}

/// `parts`: the words of all parts, if all of them are conditions.
pub fn set_operator_on_bools(both: bool, one: &str, parts: &[String], span: Span) -> Diagnostic {
    let (sign, word) = if both { ("&", "and") } else { ("|", "or") };
    match parts {
        [] => error("set-operator", span, format!("\"{sign}\" joins sets; \"{one}\" is a yes-or-no."))
            .help(format!("Between conditions say \"{word}\".")),
        parts if !parts.iter().all(|part| whole(part)) => {
            error("set-operator", span, format!("\"{sign}\" joins sets; these are yes-or-no."))
                .help(format!("Say \"{word}\"."))
        }
        parts => error("set-operator", span, format!("\"{sign}\" joins sets; these are yes-or-no."))
            .help(format!("Say \"{}\".", parts.join(&format!(" {word} ")))),
    }
}

pub fn passed_twice(site: &str, track: &str, twice: &str, sure: bool, span: Span) -> Diagnostic {
    let is = if sure { "is" } else { "may be" };
    let message = format!("This track passes {twice} twice, so \"{site} on {track}\" {is} two steps.");
    error("passed-twice", span, message)
        .help(format!("Choose from the track instead: \"choose step in {track} where step in …\"."))
}

pub fn match_leaves_out(missing: &[String], span: Span) -> Diagnostic {
    let them = if missing.len() == 1 { "it" } else { "them" };
    let words: Vec<&str> = missing.iter().map(String::as_str).collect();
    error("match-leaves-out", span, format!("\"match\" leaves out {}. Add {them} or an \"else\".", all_of(&words)))
        .help("The last line may be \"else: …\".")
}

/// `line` of `file`: where the `match` stands. `item`: what the extending file may give anew, how it asks what that was, and whether it
/// has done so.
pub fn newcomer_left_out(
    word: &str,
    (file, line): (&str, usize),
    (item, base, given): (&str, &str, bool),
    at: Span,
    span: Span,
) -> Diagnostic {
    let message = format!("{word} is new, and the \"match\" in line {line} of {file} does not name it.");
    let help = match given {
        true => format!("Name it in your \"{item}\", where it does not come to \"{base}\"."),
        false if item == "end" => "Give the game an \"end\" of its own that names it.".to_string(),
        false => {
            let name = word.trim_matches('"');
            format!("Give \"{item}\" anew in this file, with \"{name}: …\", and \"else: {base}\" for all others.")
        }
    };
    error("newcomer-left-out", at, message).also(span, "all others are here").help(help)
}

pub fn else_last(span: Span) -> Diagnostic {
    error("else-last", span, "\"else\" takes all that is left; what follows it is never reached.".to_string())
        .help("Put \"else\" last.")
}

pub fn not_among(word: &str, words: &[String], span: Span) -> Diagnostic {
    error("not-among", span, format!("\"{word}\" is not among {}.", list(words))).help("Use one of these words.")
}

pub fn pattern_type(words: &str, is: Option<Ty>, ty: Ty, span: Span) -> Diagnostic {
    let is = is.map_or("something else", a);
    let diag = error("pattern-type", span, format!("\"{words}\" is {is}, but this \"match\" looks at {}.", a(ty)));
    match sample_pattern(ty) {
        Some(sample) => diag.help(format!("As in \"{sample}: …\".")),
        None => diag,
    }
}

fn sample_pattern(ty: Ty) -> Option<&'static str> {
    Some(match ty {
        Ty::Int => "1..3",
        Ty::Bool => "on",
        Ty::Dir => "north",
        Ty::Kind => "king, queen",
        Ty::Player => "White",
        Ty::Site => "a1",
        _ => return None,
    })
}

pub fn pattern_not_constant(word: &str, span: Span) -> Diagnostic {
    error(
        "pattern-type",
        span,
        format!("\"{word}\" changes during the game; a line of \"match\" names something fixed."),
    )
    .help("Use \"if … is …\".")
}

pub fn wants_table(callee: &str, words: &str, param: &str, span: Span) -> Diagnostic {
    let message = format!("\"{callee}\" needs numbers at sites as its \"{param}\"; \"{words}\" is something else.");
    error("wants-table", span, message).help("Give it the name of what is remembered so: remember seeds per site")
}

/// `score at s = 3` of something that is no table.
pub fn table_none(word: &str, span: Span) -> Diagnostic {
    error("no-table", span, format!("\"{word}\" has no value at a site."))
        .help(format!("Take \"at …\" out, or declare it so: remember {word} per site"))
}

pub fn no_table(word: &str, span: Span) -> Diagnostic {
    error("no-table", span, format!("\"{word}\" has no value at a site."))
        .help("\"at\" follows kind, owner, x, y, or something remembered \"per site\".")
}
