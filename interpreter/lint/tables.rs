//! What a house file does to a game that is fine without it.

use std::collections::BTreeSet;

use super::programs::{Account, account};
use super::{probe, quoted, sentences};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::house::{Origin, Setting};
use crate::pipeline::Loaded;
use crate::rules::Rules;
use crate::source::Span;

/// Settings that are taken out one by one to find the one that matters.
const MOST_SETTINGS: usize = 40;

/// What is wrong at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrong {
    /// Nobody ever has a turn.
    NoTurn,
    /// No end can ever come.
    NoEnd,
    /// A set from which something must be chosen is always empty.
    Nothing(Span),
}

/// What settings make wrong that is right without them, each with the setting that does it.
pub fn of_house(loaded: &Loaded, settings: &[(Setting, Origin)], rules: &Rules) -> Diagnostics {
    if settings.is_empty() {
        return Vec::new();
    }
    let mut found = by_looking(loaded, settings, rules);
    let endless = found.iter().any(|diag: &Diagnostic| diag.code == "house-no-end");
    let played = by_playing(loaded, settings, rules).into_iter();
    // Without an end it is plain that a game can go on, and that nothing is said of who is stuck.
    found.extend(played.filter(|diag| !(endless && matches!(diag.code, "game-without-end" | "no-turn"))));
    found
}

/// What a few positions show that they do not show without the settings.
fn by_playing(loaded: &Loaded, settings: &[(Setting, Origin)], rules: &Rules) -> Diagnostics {
    let mut found = Vec::new();
    if let Some(alike) = probe::alike(rules)
        && let Some(span) = culprit(loaded, settings, |rules| probe::alike(rules).is_some())
    {
        found.push(sentences::same_notation(&alike, span));
    }
    if let Some(round) = probe::round(rules)
        && let Some(span) = culprit(loaded, settings, |rules| probe::round(rules).is_some())
    {
        found.push(sentences::game_without_end(&round, span));
    }
    if let Some(left) = probe::left(rules)
        && let Some(span) = culprit(loaded, settings, |rules| probe::left(rules).is_some())
    {
        found.push(sentences::no_turn(&left, span));
    }
    found
}

/// The setting without which something is not shown; none if it is shown without any.
fn culprit(loaded: &Loaded, settings: &[(Setting, Origin)], shown: impl Fn(&Rules) -> bool) -> Option<Span> {
    let at = |settings: &[(Setting, Origin)]| loaded.ready(settings).is_ok_and(|ready| shown(&ready.rules));
    if at(&[]) {
        return None;
    }
    let last = settings.len().checked_sub(1)?;
    let without = |i: usize| {
        let others = settings.iter().enumerate().filter(|(other, _)| *other != i);
        others.map(|(_, setting)| setting.clone()).collect::<Vec<_>>()
    };
    let first = (0..last.min(MOST_SETTINGS)).find(|&i| !at(&without(i))).unwrap_or(last);
    settings.get(first).map(|(setting, _)| setting.value_span)
}

/// What follows from the rules alone.
fn by_looking(loaded: &Loaded, settings: &[(Setting, Origin)], rules: &Rules) -> Diagnostics {
    let here = wrongs(rules);
    if here.is_empty() {
        return Vec::new();
    }
    let at = |settings: &[(Setting, Origin)]| loaded.ready(settings).ok().map(|ready| wrongs(&ready.rules));
    let usual = at(&[]).unwrap_or_default();
    let mut less: Vec<BTreeSet<Wrong>> = Vec::new();
    for i in 0..settings.len().min(MOST_SETTINGS) {
        let mut others = settings.to_vec();
        others.remove(i);
        // A setting without which the others do not fit is not the one.
        less.push(at(&others).unwrap_or_else(|| here.clone()));
    }
    let mut found = Vec::new();
    let none_at_all = here.contains(&Wrong::NoTurn);
    for wrong in here.iter().filter(|wrong| !usual.contains(wrong)) {
        if none_at_all && matches!(wrong, Wrong::Nothing(_)) {
            continue;
        }
        let i = less.iter().position(|left| !left.contains(wrong)).unwrap_or(settings.len() - 1);
        found.push(said(loaded, *wrong, &settings[i].0));
    }
    found
}

/// What is wrong at a table, whatever the position. A condition that never holds is no mistake: that is how ways are switched off.
fn wrongs(rules: &Rules) -> BTreeSet<Wrong> {
    let Account { gave_up, turns, ends, chosen, .. } = account(rules);
    let mut found = BTreeSet::new();
    if gave_up {
        return found;
    }
    if turns == 0 {
        found.insert(Wrong::NoTurn);
    }
    if ends.is_empty() {
        found.insert(Wrong::NoEnd);
    }
    found.extend(chosen.into_values().filter(|(some, _)| !some).map(|(_, span)| Wrong::Nothing(span)));
    found
}

fn said(loaded: &Loaded, wrong: Wrong, setting: &Setting) -> Diagnostic {
    let set = (setting.name.as_str(), setting.value_span);
    match wrong {
        Wrong::NoTurn => sentences::house_no_turn(set),
        Wrong::NoEnd => sentences::house_no_end(set),
        Wrong::Nothing(span) => sentences::house_nothing(set, &quoted(loaded.sources.words(span)), span),
    }
}
