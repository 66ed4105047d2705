//! What a position remembers besides pieces, for people: a few words below the board.
//!
//! Numbers and bags that every player has (scores, hands) are always told, all else once it is otherwise than it was in the first
//! position. What the board itself shows is left out, and so is what a seat does not see.

use super::position::value_text;
use super::signs::Signs;
use super::snapshot::{Snapshot, Value};
use crate::rules::{PerWhat, Rules, SiteSet, Ty, Var};

/// Signs of a line before the next one begins.
const WIDTH: usize = 96;
/// Sites that are named with a value; of more only the number is told.
const MOST_SITES: usize = 8;
/// Stands for what somebody does not see.
const UNSEEN: &str = "?";

/// Who is told: a seat, and the sites whose contents it sees if not all; nobody in particular is told everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Viewer<'s> {
    /// The seat.
    pub seat: Option<i32>,
    /// What it sees of the board; none: all.
    pub seen: Option<&'s SiteSet>,
}

/// The lines; nothing if there is nothing to tell.
pub fn lines(rules: &Rules, now: &Snapshot, first: &Snapshot, viewer: Viewer) -> Vec<String> {
    let signs = Signs::of(rules);
    let mut parts = Vec::new();
    for (i, var) in rules.vars.iter().enumerate() {
        let drawn = var.per == PerWhat::Site && signs.shown().any(|shown| shown == i);
        let (Some(now), Some(first)) = (now.vars.get(i).filter(|_| !drawn), first.vars.get(i)) else { continue };
        match var.per {
            PerWhat::One if now != first => parts.push(format!("{}: {}", var.name, text(rules, var, now.first()))),
            PerWhat::One => {}
            PerWhat::Player => parts.extend(of_players(rules, var, now, first, viewer.seat)),
            PerWhat::Site => parts.extend(of_sites(rules, var, now, first, viewer.seen)),
            PerWhat::Kind => {
                let changed = now.iter().zip(first).zip(&rules.kinds).filter(|((now, first), _)| now != first);
                let changed: Vec<String> =
                    changed.map(|((now, _), kind)| format!("{} {}", kind.name, text(rules, var, Some(now)))).collect();
                if !changed.is_empty() {
                    parts.push(format!("{}: {}", var.name, changed.join(", ")));
                }
            }
        }
    }
    flow(parts)
}

/// `score: White 3, Black 5`
fn of_players(rules: &Rules, var: &Var, now: &[Value], first: &[Value], viewer: Option<i32>) -> Option<String> {
    let hidden = |seat: usize| var.secret && viewer.is_some_and(|viewer| viewer != seat as i32);
    let always = matches!(var.ty, Ty::Int | Ty::Bag(_)) && !var.counter;
    let changed = || (0..now.len()).any(|seat| !hidden(seat) && now.get(seat) != first.get(seat));
    if !(always || changed()) {
        return None;
    }
    let of = |(i, seat): (usize, &crate::rules::Seat)| match hidden(i) {
        true => format!("{} {UNSEEN}", seat.name),
        false => format!("{} {}", seat.name, text(rules, var, now.get(i))),
    };
    let all: Vec<String> = rules.seats.iter().enumerate().map(of).collect();
    Some(format!("{}: {}", var.name, all.join(", ")))
}

/// `seeds: 3 at a1, b1`
fn of_sites(rules: &Rules, var: &Var, now: &[Value], first: &[Value], seen: Option<&SiteSet>) -> Option<String> {
    let mut groups: Vec<(&Value, Vec<&str>)> = Vec::new();
    for (i, (site, value)) in rules.board.sites.iter().zip(now).enumerate() {
        if first.get(i) == Some(value) || seen.is_some_and(|seen| !seen.has(i as i32)) {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, sites)) => sites.push(&site.name),
            None => groups.push((value, vec![&site.name])),
        }
    }
    let said = |(value, sites): &(&Value, Vec<&str>)| {
        let place = if sites.len() > MOST_SITES { format!("{} sites", sites.len()) } else { sites.join(", ") };
        format!("{} at {place}", text(rules, var, Some(value)))
    };
    let all: Vec<String> = groups.iter().map(said).collect();
    (!all.is_empty()).then(|| format!("{}: {}", var.name, all.join("; ")))
}

fn text(rules: &Rules, var: &Var, value: Option<&Value>) -> String {
    value.map_or_else(|| UNSEEN.to_string(), |value| value_text(rules, var.ty, value))
}

/// As many in a line as have room.
fn flow(parts: Vec<String>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() + 3 <= WIDTH => {
                line.push_str("   ");
                line.push_str(&part);
            }
            _ => lines.push(part),
        }
    }
    lines
}
