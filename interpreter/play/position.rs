//! A whole position as text, in the language of examples: a diagram, then a line for everything it does not show.
//!
//! ```text
//! position """
//! . W .
//! . . B
//! """
//! quiet = 3
//! White's score = 2
//! place White's pawn at bar
//! turns = 12
//! White to move
//! ```
//!
//! Read back over the game's first position with its pieces taken away, the text gives the same position. It describes the
//! beginning of a turn: a turn that has been cut by `commit` or `roll` cannot be told in it, a record can (see `session`). Reading is the
//! work of parser and checker, which make statements of the lines.

use super::diagram;
use super::grid::piece_name;
use super::signs::{Signs, possessive};
use super::snapshot::{Piece, Snapshot, Value};
use crate::rules::{PerWhat, Rules, SiteSet, Ty, Var, step_parts};

/// The lines of a position. What is remembered is left out where it is as in `first`, the game's first position.
pub fn write(rules: &Rules, position: &Snapshot, first: &Snapshot) -> String {
    let mut lines = vec![format!("position \"\"\"\n{}\n\"\"\"", diagram::write(rules, position))];
    let signs = Signs::of(rules);
    for (i, var) in rules.vars.iter().enumerate() {
        let shown = signs.shown().any(|shown| shown == i);
        let from = if shown { rules.board.n_cells } else { 0 };
        lines.extend(variable(rules, var, from, &position.vars[i], &first.vars[i]));
    }
    lines.extend(on_extra_sites(rules, position));
    if position.resigned != 0 {
        lines.push(format!("resigned = {}", value_text(rules, Ty::Players, &Value::Mask(position.resigned))));
    }
    if position.games != 0 && rules.uses.games {
        lines.push(format!("games = {}", position.games));
    }
    if position.turns != 0 {
        lines.push(format!("turns = {}", position.turns));
    }
    if let Some(seat) = rules.seats.get(position.mover as usize) {
        lines.push(format!("{} to move", seat.name));
    }
    lines.join("\n")
}

/// The lines that begin the game of a match that follows one which ended in a position; `first`: the first position of a game that
/// follows none.
pub fn rematch(rules: &Rules, last: &Snapshot, first: &Snapshot) -> String {
    let mut lines = Vec::new();
    for (i, var) in rules.vars.iter().enumerate().filter(|(_, var)| var.lasting) {
        lines.extend(variable(rules, var, 0, &last.vars[i], &first.vars[i]));
    }
    if last.games != 0 && rules.uses.games {
        lines.push(format!("games = {}", last.games));
    }
    lines.push("rematch\n".to_string());
    lines.join("\n")
}

/// A line for each entry of a variable, or each value of a table, that is otherwise than before.
fn variable(rules: &Rules, var: &Var, from: usize, now: &[Value], before: &[Value]) -> Vec<String> {
    if var.per == PerWhat::Site {
        return table(rules, var, from, now, before);
    }
    let changed = now.iter().enumerate().filter(|(entry, value)| before.get(*entry) != Some(value));
    let line = |(entry, value): (usize, &Value)| {
        let whose = match var.per {
            PerWhat::Player => possessive(&rules.seats[entry].name) + " ",
            PerWhat::Kind => possessive(&rules.kinds[entry].name) + " ",
            PerWhat::One | PerWhat::Site => String::new(),
        };
        format!("{whose}{} = {}", var.name, value_text(rules, var.ty, value))
    };
    changed.map(line).collect()
}

/// `seeds at {a1, b1} = 3`, one line for each value that differs from the first ones.
fn table(rules: &Rules, var: &Var, from: usize, now: &[Value], before: &[Value]) -> Vec<String> {
    let mut groups: Vec<(&Value, Vec<usize>)> = Vec::new();
    for (site, value) in now.iter().enumerate().skip(from) {
        if before.get(site) == Some(value) {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sites)) => sites.push(site),
            None => groups.push((value, vec![site])),
        }
    }
    let line = |(value, sites): &(&Value, Vec<usize>)| {
        let names: Vec<&str> = sites.iter().map(|&site| rules.board.sites[site].name.as_str()).collect();
        let at = match names.as_slice() {
            [one] => one.to_string(),
            _ => format!("{{{}}}", names.join(", ")),
        };
        format!("{} at {at} = {}", var.name, value_text(rules, var.ty, value))
    };
    groups.iter().map(line).collect()
}

/// `place White's pawn at a9, h9`, one line for each sort of piece on extra sites.
fn on_extra_sites(rules: &Rules, position: &Snapshot) -> Vec<String> {
    if rules.board.stacked {
        return piles_on_extra_sites(rules, position);
    }
    let mut groups: Vec<(Piece, Vec<&str>)> = Vec::new();
    for site in rules.board.n_cells..rules.n_sites() {
        let name = rules.board.sites[site].name.as_str();
        if let Some(piece) = position.contents[site] {
            match groups.iter_mut().find(|(sort, _)| *sort == piece) {
                Some((_, sites)) => sites.push(name),
                None => groups.push((piece, vec![name])),
            }
        }
    }
    let line =
        |(piece, sites): &(Piece, Vec<&str>)| format!("place {} at {}", piece_name(rules, *piece), sites.join(", "));
    groups.iter().map(line).collect()
}

/// `place 3 White's checker at bar`, from the lowest piece up.
fn piles_on_extra_sites(rules: &Rules, position: &Snapshot) -> Vec<String> {
    let mut lines = Vec::new();
    for site in rules.board.n_cells..rules.n_sites() {
        let pile: Vec<Piece> = position.below(site).iter().copied().chain(position.contents[site]).collect();
        for same in pile.chunk_by(|a, b| a == b) {
            let n = if same.len() > 1 { format!("{} ", same.len()) } else { String::new() };
            lines.push(format!("place {n}{} at {}", piece_name(rules, same[0]), rules.board.sites[site].name));
        }
    }
    lines
}

/// A value as an expression of the language.
pub fn value_text(rules: &Rules, ty: Ty, value: &Value) -> String {
    let name = |names: &mut dyn Iterator<Item = &String>, code: i32, nothing: &str| -> String {
        let found = usize::try_from(code).ok().and_then(|code| names.nth(code));
        found.map_or(nothing.into(), String::clone)
    };
    match (value, ty) {
        (Value::Scalar(code), ty) => match ty {
            Ty::Bool => if *code == 0 { "off" } else { "on" }.into(),
            Ty::Site => name(&mut rules.board.sites.iter().map(|s| &s.name), *code, "nowhere"),
            Ty::Player => name(&mut rules.seats.iter().map(|s| &s.name), *code, "nobody"),
            Ty::Kind => name(&mut rules.kinds.iter().map(|k| &k.name), *code, "nowhere"),
            Ty::Word(list) => {
                let words = rules.words.get(usize::from(list));
                name(&mut words.iter().flat_map(|list| &list.words), *code, "none")
            }
            Ty::Dir => direction(*code).into(),
            Ty::Text => {
                let text = name(&mut rules.texts.iter(), *code, "");
                let quotes = if text.contains(['"', '\n']) { "\"\"\"" } else { "\"" };
                format!("{quotes}{text}{quotes}")
            }
            Ty::Step => step(rules, *code),
            Ty::Track => track(rules, *code as usize),
            _ if *code == crate::rules::NO_LIMIT => "none".into(),
            _ => code.to_string(),
        },
        (Value::Mask(mask), ty) => {
            let one = match ty {
                Ty::Dirs => Ty::Dir,
                Ty::Players => Ty::Player,
                Ty::Kinds => Ty::Kind,
                Ty::Words(list) => Ty::Word(list),
                other => other,
            };
            let members = (0..64).filter(|bit| mask >> bit & 1 == 1);
            braces(members.map(|bit| value_text(rules, one, &Value::Scalar(bit))))
        }
        (Value::Sites(sites), _) => site_list(rules, sites),
        (Value::Bag(counts), Ty::Bag(bag)) => {
            let thing = if bag.kinds { Ty::Kind } else { Ty::Int };
            let held = counts.iter().enumerate().filter(|(_, n)| **n > 0);
            braces(held.map(|(i, n)| {
                let word = value_text(rules, thing, &Value::Scalar(bag.lo + i as i32));
                match (*n, thing) {
                    (1, _) => word,
                    // "2 3" would be two numbers without a comma.
                    (n, Ty::Int) => vec![word; usize::from(n)].join(", "),
                    (n, _) => format!("{n} {word}"),
                }
            }))
        }
        (Value::Bag(_), _) => "{}".into(),
    }
}

/// `{a1, b2}`
pub fn site_list(rules: &Rules, sites: &SiteSet) -> String {
    braces(sites.iter().map(|site| rules.board.sites[site as usize].name.clone()))
}

fn braces(members: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

fn direction(code: i32) -> &'static str {
    let found = usize::try_from(code).ok();
    let names = &crate::rules::board::DIRECTIONS;
    found.and_then(|code| names.get(code)).copied().unwrap_or("nowhere")
}

fn track(rules: &Rules, index: usize) -> String {
    let Some(track) = rules.tracks.get(index) else {
        return "nowhere".into();
    };
    let seat = track.seat.and_then(|seat| rules.seats.get(usize::from(seat)));
    match seat {
        Some(seat) => format!("{} {}", possessive(&seat.name), track.name),
        None => track.name.clone(),
    }
}

/// A step as its walk and how far along it is: `lap + 3`.
fn step(rules: &Rules, code: i32) -> String {
    match step_parts(code) {
        Some((index, place)) => format!("{} + {place}", track(rules, index)),
        None => "nowhere".into(),
    }
}
