//! How results, seats, places and lists are said.

use crate::play::series::Series;
use crate::play::speaker::squeezed;
use crate::play::{Outcome, Refusal, Status};
use crate::rules::Rules;
use crate::source::{Sources, Span};
use crate::trial::seat_name;

/// Signs of a line before a list goes on in the next.
const WIDTH: usize = 96;

/// `White wins (no_jump).`
pub fn outcome(rules: &Rules, outcome: &Outcome) -> String {
    let reason = &outcome.reason;
    let places = &outcome.places;
    let of_place = |place: u8| {
        let seats = (0..).zip(places).filter(|(_, found)| **found == place);
        seats.map(|(seat, _)| seat_name(rules, seat)).collect::<Vec<_>>()
    };
    let firsts = of_place(1);
    if places.is_empty() {
        return format!("The game ends without a result ({reason}).");
    }
    if firsts.len() == places.len() && places.len() > 1 {
        return format!("A draw ({reason}).");
    }
    let verb = if firsts.len() == 1 { "wins" } else { "win" };
    let by = if outcome.by == 1 { String::new() } else { format!(" by {}", outcome.by) };
    let mut said = format!("{} {verb}{by} ({reason}).", and(&firsts));
    if places.len() > 2 {
        let most = places.iter().copied().max().unwrap_or(1);
        for place in 2..=most {
            let seats = of_place(place);
            if !seats.is_empty() {
                said += &format!(" Place {place}: {}.", and(&seats));
            }
        }
    }
    said
}

/// `Score: White 2, Black 1, drawn 1.`
pub fn score(rules: &Rules, series: &Series, names: &[String]) -> String {
    let (won, drawn, unfinished) = series.score();
    let mut parts: Vec<String> = names.iter().zip(won).map(|(name, won)| format!("{name} {won}")).collect();
    if drawn > 0 || rules.n_seats() == 2 {
        parts.push(format!("drawn {drawn}"));
    }
    if unfinished > 0 {
        parts.push(format!("without a result {unfinished}"));
    }
    format!("Score: {}.", parts.join(", "))
}

/// `a, b and c`
pub fn and(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => one.to_string(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `1 game`, `2 games`
pub fn count(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Words apart by two blanks, in lines.
pub fn flow(words: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + word.chars().count() <= WIDTH => {
                line.push_str("  ");
                line.push_str(word);
            }
            _ => lines.push(word.clone()),
        }
    }
    lines.join("\n")
}

/// `file:line`
pub fn place(sources: &Sources, span: Span) -> String {
    match sources.opt_get(span.file) {
        Some(source) => format!("{}:{}", source.name, sources.line_column(span).0),
        None => "an unknown place".to_string(),
    }
}

/// The line on which a place begins, without the blanks around it.
pub fn source_line(sources: &Sources, span: Span) -> String {
    let line = sources.opt_get(span.file).and_then(|source| {
        let (line, _) = sources.line_column(span);
        source.text.lines().nth(line - 1)
    });
    line.unwrap_or("").trim().to_string()
}

/// What was typed can be played; in full it may be longer.
pub fn playable(typed: &str, in_full: Option<&str>) -> String {
    match in_full.filter(|text| squeezed(text) != squeezed(typed)) {
        Some(text) => format!("\"{typed}\" can be played: it is \"{text}\"."),
        None => format!("\"{typed}\" can be played."),
    }
}

/// Why what was typed cannot be played: the sentence, the rule's place and words, and its author's reason.
pub fn refusal(sources: &Sources, typed: &str, refusal: &Refusal) -> String {
    let mut said = match refusal.message.contains(&format!("\"{typed}\"")) {
        true => sentence(&refusal.message),
        false => format!("\"{typed}\": {}", sentence(&refusal.message)),
    };
    if let Some(reason) = &refusal.reason
        && !refusal.message.contains(reason.as_str())
    {
        said += &format!("\n  because: {reason}");
    }
    if let Some(span) = refusal.span {
        said += &rule(sources, span, &refusal.values);
    }
    said
}

/// Why a game is over: the end that has come, where it stands, what its author says of it, and what its names stand for.
pub fn over(sources: &Sources, rules: &Rules, game: &dyn crate::play::Speaker) -> String {
    let said = match game.status() {
        Status::Over(said) => said,
        Status::ToMove(seat) => return format!("The game is not over; {} is to move.", seat_name(rules, seat)),
        Status::Chance => return "The game is not over; chance is to move.".to_string(),
    };
    let ending = said.ending.and_then(|number| rules.ends.get(number));
    let why = match (ending, &*said.reason) {
        (Some(ending), _) => rule(sources, ending.span, &game.values_in(&ending.when)),
        (None, "turn limit") => format!("\n  {} turns are over, and no end has come", rules.bounds.turns),
        (None, "no turn") => "\n  a player has no turn, and no end says what happens then".to_string(),
        (None, _) => String::new(),
    };
    outcome(rules, &said) + &why
}

/// A rule: its place and words, its author's note, and what its names stand for, a line each.
fn rule(sources: &Sources, span: Span, values: &[(Span, String)]) -> String {
    let mut said = format!("\n  {}: {}", place(sources, span), source_line(sources, span));
    for note in notes(sources, span) {
        said += &format!("\n    {note}");
    }
    let mut told: Vec<String> = Vec::new();
    for (span, value) in values {
        let words: Vec<&str> = sources.words(*span).split_whitespace().collect();
        let line = format!("{} is {value}", words.join(" "));
        if !told.contains(&line) && !words.is_empty() {
            said += &format!("\n    {line}");
            told.push(line);
        }
    }
    said
}

/// The `///` lines right above a rule, else those above the item in which it stands.
fn notes(sources: &Sources, span: Span) -> Vec<String> {
    let Some(source) = sources.opt_get(span.file) else { return Vec::new() };
    let lines: Vec<&str> = source.text.lines().collect();
    let here = sources.line_column(span).0.saturating_sub(1).min(lines.len().saturating_sub(1));
    let above = |line: usize| -> Vec<String> {
        let notes = lines[..line].iter().rev().map_while(|line| line.trim().strip_prefix("///"));
        let mut notes: Vec<String> = notes.map(|note| format!("/// {}", note.trim())).collect();
        notes.reverse();
        notes
    };
    let own = above(here);
    if !own.is_empty() || lines.is_empty() {
        return own;
    }
    let begins = |line: &&usize| lines[**line].starts_with(|sign: char| sign.is_ascii_alphabetic());
    let back: Vec<usize> = (0..=here).rev().collect();
    back.iter().find(begins).map_or(Vec::new(), |line| above(*line))
}

/// With a capital and a full stop.
pub fn sentence(words: &str) -> String {
    let mut chars = words.trim().chars();
    let first = chars.next().map_or(String::new(), |first| first.to_uppercase().collect());
    let said = first + chars.as_str();
    if said.ends_with(['.', '!', '?', ':']) { said } else { said + "." }
}

/// A text without blanks at the ends of its lines.
pub fn trimmed(text: &str) -> String {
    text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// `1 property`, `2 properties`
pub fn many(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        Some(stem) if n != 1 => format!("{n} {stem}ies"),
        _ => count(n, noun),
    }
}
