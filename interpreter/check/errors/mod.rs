//! The sentences. Each function takes the things that matter and gives the diagnostic: a player's words, the place, the mend.

use crate::diagnostics::Diagnostic;
use crate::rules::{PerWhat, Ty};
use crate::source::Span;
use crate::syntax::ast;

mod declared;
mod programs;
mod types;

pub use declared::*;
pub use programs::*;
pub use types::*;

fn error(code: &'static str, span: Span, message: String) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

/// Characters of the author's words that a message quotes at most.
pub const LONGEST_QUOTE: usize = 70;

/// Is a quotation whole, so that it can be used in a mend?
fn whole(words: &str) -> bool {
    !words.ends_with('…')
}

/// Words in brackets if they are more than one thing.
fn bracketed(words: &str) -> String {
    let one = words.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'')
        || words.starts_with('{') && words.ends_with('}');
    if one { words.to_string() } else { format!("({words})") }
}

/// A type as a player would call it.
pub fn a(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "a number",
        Ty::Bool => "a yes-or-no",
        Ty::Site => "a site",
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

/// `a, b or c`
fn list(words: &[String]) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    list_of(&words)
}

/// `a, b or c`
fn list_of(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_string(),
        [one] => one.to_string(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}

pub fn unknown_name(word: &str, near: Option<&str>, span: Span) -> Diagnostic {
    match near {
        Some(near) => error("unknown-name", span, format!("There is no \"{word}\". Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}\".")),
        None => error("unknown-name", span, format!("There is no \"{word}\"."))
            .help(format!("Say what it is: define {word} = …")),
    }
}

/// Words that other languages have and this one says otherwise.
pub fn foreign_word(name: &ast::Name) -> Option<Diagnostic> {
    let (meant, mend) = match name.text.as_str() {
        "true" | "yes" => ("on", "Write \"on\"."),
        "false" => ("off", "Write \"off\"."),
        "null" | "nil" => ("nowhere", "Write \"nowhere\" for a site, \"nobody\" for a player."),
        "self" | "me" | "player" => ("mover", "Write \"mover\"."),
        "up" | "down" => {
            ("forward", "Write \"forward\" or \"back\" as the mover sees it, \"north\" or \"south\" on the board.")
        }
        "enemy" | "enemies" => ("theirs", "Write \"theirs\" for the pieces, \"opponent\" for the player."),
        _ => return None,
    };
    let word = &name.text;
    let message = format!("There is no \"{word}\". Did you mean \"{meant}\"?");
    Some(error("unknown-name", name.span, message).help(mend))
}

pub fn unknown_action(word: &str, near: Option<&str>, span: Span) -> Diagnostic {
    match near {
        Some(near) => error("unknown-name", span, format!("There is no action \"{word}\". Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}\".")),
        None => error("unknown-name", span, format!("There is no action \"{word}\"."))
            .help(format!("Say what it does: action {word} {{ … }}")),
    }
}

pub fn unknown_assigned(word: &str, near: Option<&str>, span: Span) -> Diagnostic {
    match near {
        Some(near) => error("unknown-name", span, format!("There is no \"{word}\". Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}\".")),
        None => error("unknown-name", span, format!("There is no \"{word}\" that could be given a value."))
            .help(format!("Remember it from turn to turn: remember {word}; or name it here: let {word} = …")),
    }
}

pub fn taken(word: &str, span: Span) -> Diagnostic {
    error("taken", span, format!("\"{word}\" is taken: it is a word of the language. Choose another name."))
        .help(format!("For example \"my_{word}\"."))
}

pub fn hides_library_word(word: &str, span: Span, hidden: Span) -> Diagnostic {
    let message = format!("\"{word}\" hides the word \"{word}\" of the library.");
    Diagnostic::warning("hides-library-word", span, message)
        .also(hidden, "the library's word")
        .help(format!("Choose another name, for example \"own_{word}\"."))
}

pub fn defined_twice(word: &str, span: Span, before: Span) -> Diagnostic {
    error("defined-twice", span, format!("\"{word}\" is defined twice."))
        .also(before, "the other one is here")
        .help("Give one of them another name.")
}

pub fn defined_twice_line(word: &str, span: Span, before: Span, line: usize) -> Diagnostic {
    let place = if span.file == before.file { format!("line {line}") } else { "the game it extends".to_string() };
    error("defined-twice", span, format!("\"{word}\" is defined twice, here and in {place}."))
        .also(before, "the other one")
        .help("Give one of them another name.")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}

/// The parameter that was meant by a name that is none.
pub fn meant_parameter<'p>(name: &str, free: &[&'p str]) -> Option<&'p str> {
    let near = crate::diagnostics::nearest::nearest(name, free.iter().copied());
    // With one left there is not much choice.
    near.or(match free {
        [only] => Some(only),
        _ => None,
    })
}

pub fn no_parameter(callee: &str, params: &[&str], free: &[&str], name: &ast::Name) -> Diagnostic {
    let takes = if params.is_empty() { "nothing".to_string() } else { params.join(", ") };
    let message = format!("\"{callee}\" takes {takes}; there is no \"{}\".", name.text);
    match meant_parameter(&name.text, free) {
        Some(near) => error("no-parameter", name.span, format!("{message} Did you mean \"{near}\"?"))
            .help(format!("Write \"{near}: …\".")),
        None => error("no-parameter", name.span, message).help("Take it out."),
    }
}

/// `must`: the parameters without a default.
pub fn missing(callee: &str, must: &[&str], missing: &[&str], span: Span) -> Diagnostic {
    let (n, given) = (must.len(), must.len() - missing.len());
    let (are, missing) = (is_are(missing.len()), all_of(missing));
    let message =
        format!("\"{callee}\" needs {n} {}, here {} {given}: {missing} {are} missing.", things(n), is_are(given));
    error("missing-argument", span, message).help(format!("Write \"{callee}({})\".", must.join(", ")))
}

/// `a, b and c`
fn all_of(words: &[&str]) -> String {
    match words {
        [] => "nothing".to_string(),
        [one] => one.to_string(),
        [front @ .., last] => format!("{} and {last}", front.join(", ")),
    }
}

fn things(n: usize) -> &'static str {
    if n == 1 { "thing" } else { "things" }
}

/// `is` or `are`
fn is_are(n: usize) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

pub fn too_many(callee: &str, params: &[&str], given: usize, span: Span) -> Diagnostic {
    let takes = match params {
        [] => "nothing in brackets".to_string(),
        params => format!("{} {} ({})", params.len(), things(params.len()), params.join(", ")),
    };
    let diag =
        error("too-many-arguments", span, format!("\"{callee}\" takes {takes}, here {} {given}.", is_are(given)));
    match params {
        [] => diag.help(format!("Write \"{callee}\" alone.")),
        params if given - params.len() > 1 => diag.help(format!("Take the last {} out.", given - params.len())),
        _ => diag.help("Take it out."),
    }
}

pub fn wrong_number(callee: &str, takes: usize, given: usize, span: Span) -> Diagnostic {
    let form = match callee {
        "count" => "count(mine)",
        "sum" => "sum(seeds at s for s in home)",
        "min" | "max" => "max(score, 10)",
        "abs" => "abs(x at s - 4)",
        "opposite" => "opposite(d)",
        "toward" => "toward(from, dest)",
        "turned" => "turned(s, east)",
        "mirrored" => "mirrored(s)",
        _ => "lines(3)",
    };
    error(
        "wrong-number",
        span,
        format!("\"{callee}\" takes {takes} {}, here {} {given}.", things(takes), is_are(given)),
    )
    .help(format!("As in \"{form}\"."))
}

pub fn given_twice(name: &str, span: Span) -> Diagnostic {
    error("given-twice", span, format!("\"{name}\" is given twice.")).help("Take one out.")
}

pub fn takes_nothing(name: &str, per: Option<PerWhat>, set: bool, given: &str, span: Span) -> Diagnostic {
    let diag = error("takes-nothing", span, format!("\"{name}\" takes nothing in brackets."));
    match per {
        Some(PerWhat::Site) if whole(given) => diag.help(format!("Write \"{name} at {}\".", bracketed(given))),
        Some(PerWhat::Player | PerWhat::Kind) if whole(given) => {
            diag.help(format!("Write \"{}'s {name}\".", bracketed(given)))
        }
        None if set && whole(given) => diag.help(format!("To ask whether it is one of them: \"{given} in {name}\".")),
        _ => diag.help(format!("Write \"{name}\" alone.")),
    }
}

pub fn uses_itself(word: &str, path: &[String], span: Span) -> Diagnostic {
    error("uses-itself", span, format!("\"{word}\" uses itself ({}). Say it with \"spread\".", path.join(" → ")))
        .help("For example: spread s from mine into s + orthogonal & empty")
}

pub fn action_uses_itself(word: &str, path: &[String], span: Span) -> Diagnostic {
    let message = format!("\"{word}\" calls itself ({}). Say it with a loop.", path.join(" → "));
    error("uses-itself", span, message).help("For example: while some … { … }")
}

pub fn whose_kind(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" has a value for each kind of piece: say whose."))
        .help(format!("As in \"(kind at s)'s {word}\"."))
}

pub fn not_per_player(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" is not remembered per player, so it is nobody's."))
        .help("Take the possessive out, or declare it \"per player\".")
}

pub fn owned_local(word: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{word}\" is a name of this place only; it is the same from every seat."))
        .help("Take the possessive out.")
}

pub fn placed_whose(owner: &str, kind: &str, span: Span) -> Diagnostic {
    error("whose", span, format!("\"{owner} {kind}\": say whose it is with 's."))
        .help(format!("Write \"{owner}'s {kind}\"."))
}

pub fn no_opponent(seats: usize, span: Span) -> Diagnostic {
    let here = match seats {
        1 => "here is one".to_string(),
        3..=8 => format!("here are {}", ["three", "four", "five", "six", "seven", "eight"][seats - 3]),
        _ => format!("here are {seats}"),
    };
    error("no-opponent", span, format!("\"opponent\" needs two players, {here}."))
        .help("Say \"others\", or \"next\" for whose turn comes.")
}

pub fn need_undefined(needs: &str, word: &str, span: Span) -> Diagnostic {
    error("library-needs", span, format!("{needs}, which this game does not define."))
        .help(format!("Add: define {}", needs_form(needs, word)))
}

/// `attacks(from) = …` of what a library needs.
fn needs_form(needs: &str, word: &str) -> String {
    let head = needs.rsplit_once("needs \"").map_or(word, |(_, head)| head.trim_end_matches('"'));
    let head = head.rsplit_once(':').map_or(head, |(head, _)| head);
    format!("{} = …", head.trim())
}

pub fn need_parameters(needs: &str, word: &str, takes: usize, span: Span) -> Diagnostic {
    let takes = if takes == 0 { "nothing".to_string() } else { format!("{takes} {}", things(takes)) };
    error("library-needs", span, format!("{needs}; here \"{word}\" takes {takes}."))
        .help(format!("Write: define {}", needs_form(needs, word)))
}

pub fn need_parameter_type(needs: &str, wanted: Ty, is: Ty, span: Span) -> Diagnostic {
    error("library-needs", span, format!("{needs}; here it takes {} and not {}.", a(is), a(wanted)))
        .help("Take what the library gives.")
}

pub fn need_result(needs: &str, word: &str, is: Ty, span: Span) -> Diagnostic {
    error("library-needs", span, format!("{needs}; here \"{word}\" is {}.", a(is)))
        .help("Define it as the library needs it, or give yours another name.")
}

pub fn replaced_type(word: &str, was: Ty, is: Ty, span: Span, before: Span) -> Diagnostic {
    error("replaced-type", span, format!("\"{word}\" replaces {} by {}.", a(was), a(is)))
        .also(before, "this is replaced")
        .help(format!("Make it {} again, or give it another name.", a(was)))
}

/// The error if a definition does not take what the one took that it replaces.
pub fn replaced_parameters(now: &ast::Head, before: &ast::Head) -> Option<Diagnostic> {
    let must = |head: &ast::Head| head.params.iter().filter(|param| param.default.is_none()).count();
    let names = |head: &ast::Head| match &head.params[..] {
        [] => "nothing".to_string(),
        params => params.iter().map(|param| param.name.text.as_str()).collect::<Vec<_>>().join(", "),
    };
    let fits = must(now) <= must(before) && now.params.len() >= before.params.len();
    let word = &now.name.text;
    let message = format!("\"{word}\" takes {}, what it replaces takes {}.", names(now), names(before));
    (!fits).then(|| {
        error("replaced-type", now.name.span, message)
            .also(before.name.span, "this is replaced")
            .help("Take the same things, or give it another name.")
    })
}
