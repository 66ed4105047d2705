//! Which options two games do not share: those that only one has, and those with other choices, another default or another value.

use serde::Serialize;

use super::Place;
use super::declared::Change;
use crate::house::{Allowed, Chosen, Declared, Origin, RESERVED, Setting, choices};
use crate::pipeline::Loaded;
use crate::rules::Rules;
use crate::source::{Sources, Span};

/// An option as one of the games has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// What it may be, in words.
    pub choices: String,
    /// What it is if nobody sets it.
    pub default: String,
    /// What it is.
    pub value: String,
    /// Who says so: `default`, or file and line of a house file, or `--set`.
    pub origin: String,
    /// Where it is declared.
    pub place: Place,
}

/// An option that is not in both games alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OptionChange {
    /// What has become of it.
    pub change: Change,
    /// Its name.
    pub name: String,
    /// As A has it.
    pub a: Option<Standing>,
    /// As B has it.
    pub b: Option<Standing>,
}

/// A game's options and their values.
#[derive(Clone, Copy)]
pub struct Side<'g> {
    /// The game.
    pub loaded: &'g Loaded,
    /// The value of each option.
    pub chosen: &'g [Chosen],
    /// What house files and command line said.
    pub settings: &'g [(Setting, Origin)],
    /// The rules under these options.
    pub rules: &'g Rules,
}

/// The options that are otherwise in B than in A.
pub fn options(a: Side<'_>, b: Side<'_>) -> Vec<OptionChange> {
    let mut found = Vec::new();
    let all = |side: Side<'_>| -> Vec<(String, Standing)> {
        let options = side.loaded.declared.iter().zip(side.chosen);
        let options =
            options.map(|(option, chosen)| (option.name.clone(), standing(&side.loaded.sources, option, chosen)));
        options.chain(first(side)).collect()
    };
    // Who begins is worth a word only where somebody has said it.
    let said = |side: Side<'_>| side.settings.iter().any(|(setting, _)| setting.name == RESERVED);
    let first_said = said(a) || said(b);
    let (left, right) = (all(a), all(b));
    let allowed = |side: Side<'_>, name: &str| {
        side.loaded.declared.iter().find(|option| option.name == name).map_or(Vec::new(), all_allowed)
    };
    for (name, was) in &left {
        let is = right.iter().find(|(other, _)| other == name).map(|(_, is)| is);
        let alike =
            |is: &Standing| was.default == is.default && was.value == is.value && allowed(a, name) == allowed(b, name);
        if !is.is_some_and(alike) && (name != RESERVED || first_said) {
            let change = if is.is_some() { Change::Changed } else { Change::Removed };
            found.push(OptionChange { change, name: name.clone(), a: Some(was.clone()), b: is.cloned() });
        }
    }
    for (name, is) in right.iter().filter(|(name, _)| !left.iter().any(|(other, _)| other == name)) {
        found.push(OptionChange { change: Change::Added, name: name.clone(), a: None, b: Some(is.clone()) });
    }
    found
}

/// What an option may be, each thing once however it is said: numbers as stretches that do not touch.
fn all_allowed(option: &Declared) -> Vec<Allowed> {
    let mut stretches: Vec<(i64, i64)> = Vec::new();
    let mut others: Vec<Allowed> = Vec::new();
    for one in &option.allowed {
        match one {
            Allowed::Int(n) => stretches.push((*n, *n)),
            Allowed::Range(first, last) => stretches.push((*first, *last)),
            other if others.contains(other) => {}
            other => others.push(other.clone()),
        }
    }
    stretches.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (first, last) in stretches {
        match merged.last_mut() {
            Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    others.sort_by_key(|other| format!("{other:?}"));
    merged.into_iter().map(|(first, last)| Allowed::Range(first, last)).chain(others).collect()
}

/// Who begins, which every game can be told.
fn first(side: Side<'_>) -> Option<(String, Standing)> {
    let seats = &side.rules.seats;
    let setting = side.settings.iter().rev().find(|(setting, _)| setting.name == RESERVED);
    let sources = &side.loaded.sources;
    let names: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
    let standing = Standing {
        choices: names.join(" or "),
        default: names.first()?.to_string(),
        value: names.get(usize::try_from(side.rules.first).ok()?)?.to_string(),
        origin: setting.map_or("default".to_string(), |(_, from)| origin(sources, from)),
        place: Place::of(sources, side.loaded.game.players.as_ref().map_or(Span::default(), |(_, span)| *span)),
    };
    Some((RESERVED.to_string(), standing))
}

fn standing(sources: &Sources, option: &Declared, chosen: &Chosen) -> Standing {
    Standing {
        choices: choices(option),
        default: option.default.to_string(),
        value: chosen.value.to_string(),
        origin: origin(sources, &chosen.origin),
        place: Place::of(sources, option.span),
    }
}

/// Where a value came from, in words.
pub fn origin(sources: &Sources, origin: &Origin) -> String {
    match origin {
        Origin::Default => "default".to_string(),
        Origin::File { span, .. } | Origin::Set(span) => match sources.opt_get(span.file) {
            Some(source) if source.name.starts_with("--") => source.name.clone(),
            _ => Place::of(sources, *span).to_string(),
        },
    }
}
