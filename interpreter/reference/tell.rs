//! How moves and chance events are written.
//!
//! * Without a pattern all chosen values are written in the order of their choice, sites that follow each other joined by `-`, everything
//!   else as words; a loop of the player's whose rounds choose nothing adds its count (`×2`) if there was more than one round.
//! * With a pattern the last value of each of its names is written. If all its names that have a value were given it inside the rounds of
//!   an `once or more` (or `up to`), the pattern is written once a round. A text is written if the names on both sides of it have values.
//! * Notes follow as words. Where the pattern has nothing to write, all values are written; a move with none is `-`.
//! * Moves that would share a text get what their pattern does not say behind it, in brackets; and if that is not enough, `#1`, `#2` ….

use std::collections::BTreeMap;
use std::rc::Rc;

use super::chance::thrown;
use super::explore::Found;
use super::game::Slow;
use super::run::{Event, Run};
use super::value::{Val, bag_members, mask_members};
use crate::play::speaker::squeezed;
use crate::play::{Move, Refusal, Speaker, Status, Table, Trouble};
use crate::rules::board::DIRECTIONS;
use crate::rules::{Expr, LocalId, NotationPart, Rules, SiteSet, Ty, step_parts};
use crate::source::Span;

use super::value::at;
use super::values::{sides, values};

/// What is written for a move with nothing to write.
const NOTHING: &str = "-";

impl Slow<'_> {
    /// How a move or chance event is written by the game's notation alone; another move may be written alike.
    pub fn pattern_of(&mut self, chosen: &Move) -> Result<String, Trouble> {
        let script = self.script_of(chosen)?;
        let walk = self.explorer().walk(script)?;
        Ok(text(&walk.run, self.told))
    }

    /// The first two moves here that the notation alone writes alike: what both are written as, what each is called, and whether nothing
    /// that was chosen by name tells them apart.
    pub fn alike(&mut self) -> Result<Option<(String, [String; 2], bool)>, Trouble> {
        let told = self.told()?;
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (i, (chosen, name)) in told.iter().enumerate() {
            let plain = self.pattern_of(chosen)?;
            if let Some(&before) = seen.get(&plain) {
                let numbered = |name: &str| name.rsplit_once(" #").is_some_and(|(_, n)| n.parse::<usize>().is_ok());
                let names = [told[before].1.clone(), name.clone()];
                let same = numbered(name);
                return Ok(Some((plain, names, same)));
            }
            seen.insert(plain, i);
        }
        Ok(None)
    }

    /// The texts of all moves or outcomes that can be played here, no two alike.
    pub(super) fn told(&mut self) -> Result<Rc<Vec<(Move, String)>>, Trouble> {
        if let Some(texts) = &self.texts {
            return Ok(texts.clone());
        }
        let found = match self.status() {
            Status::ToMove(_) => self.listed()?,
            Status::Chance => Rc::new(self.happen()?.into_iter().map(|(found, _)| found).collect()),
            Status::Over(_) => Rc::default(),
        };
        let texts = self.written(&found)?;
        let codes = |(found, text): (&Found, String)| (found.codes.clone(), text);
        let texts = Rc::new(found.iter().zip(texts).map(codes).collect::<Vec<_>>());
        self.texts = Some(texts.clone());
        Ok(texts)
    }

    /// How they are written, no two alike.
    fn written(&self, found: &[Found]) -> Result<Vec<String>, Trouble> {
        // Runs are not kept: there may be many.
        let mut plain = Vec::new();
        for found in found {
            plain.push(text(&self.explorer().walk(found.script.clone())?.run, self.told));
        }
        let mut rest = vec![String::new(); plain.len()];
        let several = count(&plain);
        for ((found, text), rest) in found.iter().zip(&plain).zip(&mut rest) {
            if several.get(text.as_str()).is_some_and(|&n| n > 1) {
                *rest = unsaid(&self.explorer().walk(found.script.clone())?.run, self.told);
            }
        }
        Ok(unique(&plain, &rest))
    }
}

impl Speaker for Slow<'_> {
    fn texts(&mut self) -> Result<Vec<(Move, String)>, Trouble> {
        Ok(self.told()?.to_vec())
    }

    fn texts_of(&mut self, outcomes: &[Move]) -> Result<Vec<String>, Trouble> {
        if self.status() != Status::Chance {
            return Err(Trouble::NotNow);
        }
        // Every throw is an entry of the script, so what was thrown is the script.
        let found = |outcome: &Move| Found { codes: outcome.clone(), script: thrown(&self.script, &outcome.0) };
        self.written(&outcomes.iter().map(found).collect::<Vec<_>>())
    }

    fn text_of(&mut self, chosen: &Move) -> Result<String, Trouble> {
        // Throws are written in full; there may be too many to list them.
        if self.status() == Status::Chance {
            return self.pattern_of(chosen);
        }
        let texts = self.told()?;
        let found = texts.iter().find(|(listed, _)| listed == chosen);
        found.map(|(_, text)| text.clone()).ok_or(Trouble::Illegal)
    }

    fn values_in(&self, expr: &Expr) -> Vec<(Span, String)> {
        values(&self.asked(), expr)
    }

    fn sides_of(&self, expr: &Expr) -> Vec<(Span, String)> {
        sides(&self.asked(), expr)
    }

    fn find(&mut self, typed: &str) -> Result<Move, Refusal> {
        self.read(typed)
    }

    fn announced(&self) -> &[String] {
        &self.announced
    }

    fn seen(&self, seat: i32) -> Result<Option<SiteSet>, Trouble> {
        self.seen_by(seat)
    }
}

/// The texts of several moves, no two alike; `rest`: what the pattern does not say of those that share a text.
fn unique(plain: &[String], rest: &[String]) -> Vec<String> {
    let longer = tell_apart(plain, |i| (!rest[i].is_empty()).then(|| format!(" ({})", rest[i])));
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let numbers: Vec<usize> = longer
        .iter()
        .map(|text| {
            let number = count.entry(squeezed(text)).or_default();
            *number += 1;
            *number
        })
        .collect();
    tell_apart(&longer, |i| Some(format!(" #{}", numbers[i])))
}

/// Adds something to those texts that others share.
fn tell_apart(texts: &[String], more: impl Fn(usize) -> Option<String>) -> Vec<String> {
    let count = count(texts);
    let shared = |text: &String| count.get(text.as_str()).is_some_and(|&n| n > 1);
    texts
        .iter()
        .enumerate()
        .map(|(i, text)| match more(i) {
            Some(more) if shared(text) => format!("{text}{more}"),
            _ => text.clone(),
        })
        .collect()
}

/// How often each text is there.
fn count(texts: &[String]) -> BTreeMap<&str, usize> {
    let mut count = BTreeMap::new();
    for text in texts {
        *count.entry(text.as_str()).or_default() += 1;
    }
    count
}

/// How what a run did since so many events is written.
pub fn text(run: &Run, told: usize) -> String {
    let rules = run.world.rules;
    let events = run.events.get(told..).unwrap_or(&[]);
    let thrown = events.iter().filter_map(|event| match event {
        Event::Threw(ty, code) => Some(scalar_text(rules, *ty, *code)),
        _ => None,
    });
    let thrown: Vec<String> = thrown.collect();
    let chosen = events.iter().any(|event| matches!(event, Event::Chose(..)));
    let text = if !thrown.is_empty() && !chosen {
        format!("roll {}", thrown.join(" "))
    } else {
        let by_pattern = rules.notation.as_ref().map(|parts| by_pattern(rules, parts, events));
        match by_pattern {
            Some(text) if !text.is_empty() => text,
            _ => in_order(rules, events),
        }
    };
    if text.is_empty() { NOTHING.to_owned() } else { text }
}

/// All chosen values and notes in order.
fn in_order(rules: &Rules, events: &[Event]) -> String {
    let mut words = Words::default();
    let mut loops: Vec<(usize, bool)> = Vec::new();
    for event in events {
        match event {
            Event::Chose(local, value) => {
                let ty = rules.locals[local.0 as usize].ty;
                words.add(ty == Ty::Site, value_text(rules, ty, value));
                loops.iter_mut().for_each(|(_, told)| *told = true);
            }
            Event::Note(text) => {
                words.add(false, scalar_text(rules, Ty::Text, *text));
                loops.iter_mut().for_each(|(_, told)| *told = true);
            }
            Event::Opens => loops.push((0, false)),
            Event::Round => {
                if let Some((rounds, _)) = loops.last_mut() {
                    *rounds += 1;
                }
            }
            Event::Closes => {
                if let Some((rounds, false)) = loops.pop()
                    && rounds > 1
                {
                    words.add(false, format!("×{rounds}"));
                }
            }
            Event::Bound(..) | Event::Threw(..) | Event::Announced(_) => {}
        }
    }
    words.text
}

/// Words apart by blanks; sites that follow each other joined by `-`.
#[derive(Default)]
struct Words {
    text: String,
    site_before: bool,
}

impl Words {
    fn add(&mut self, site: bool, word: String) {
        if word.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(if site && self.site_before { '-' } else { ' ' });
        }
        self.text.push_str(&word);
        self.site_before = site;
    }
}

/// The values that names have, by name: the last event that gave one.
type Named<'e> = BTreeMap<&'e str, (usize, LocalId, &'e Val)>;

/// What the names of the pattern were last given among these events.
fn named<'e>(rules: &'e Rules, parts: &[NotationPart], events: &'e [(usize, &Event)]) -> Named<'e> {
    let mut named = Named::new();
    for (i, event) in events {
        if let Event::Chose(local, value) | Event::Bound(local, value) = event {
            let name = rules.locals[local.0 as usize].name.as_str();
            if is_in(parts, name) {
                named.insert(name, (*i, *local, value));
            }
        }
    }
    named
}

/// Does the pattern say this name?
pub fn is_in(parts: &[NotationPart], name: &str) -> bool {
    let says = |part: &NotationPart| matches!(part, NotationPart::Name(said) if said == name);
    parts.iter().any(says)
}

/// The stretches of events that the pattern is written for: once for all, or once for each round of the player's loops.
fn stretches<'e>(rules: &Rules, parts: &[NotationPart], events: &'e [Event]) -> Vec<Vec<(usize, &'e Event)>> {
    let all: Vec<(usize, &Event)> = events.iter().enumerate().collect();
    let mut outside = Vec::new();
    let mut rounds: Vec<Vec<(usize, &Event)>> = Vec::new();
    let mut depth = 0;
    for &(i, event) in &all {
        match event {
            Event::Opens => depth += 1,
            Event::Closes => depth -= 1,
            Event::Round if depth == 1 => rounds.push(Vec::new()),
            _ if depth == 0 => outside.push((i, event)),
            _ => {}
        }
        if depth > 0
            && let Some(round) = rounds.last_mut()
        {
            round.push((i, event));
        }
    }
    rounds.retain(|round| !named(rules, parts, round).is_empty());
    if rounds.is_empty() || !named(rules, parts, &outside).is_empty() { vec![all] } else { rounds }
}

fn by_pattern(rules: &Rules, parts: &[NotationPart], events: &[Event]) -> String {
    let mut words = Words::default();
    for stretch in stretches(rules, parts, events) {
        let named = named(rules, parts, &stretch);
        let value = |part: Option<&NotationPart>| match part {
            Some(NotationPart::Name(name)) => named.get(name.as_str()).map(|(_, local, value)| {
                let ty = rules.locals[local.0 as usize].ty;
                value_text(rules, ty, value)
            }),
            _ => None,
        };
        let mut text = String::new();
        for (i, part) in parts.iter().enumerate() {
            match part {
                NotationPart::Name(_) => text.push_str(&value(Some(part)).unwrap_or_default()),
                NotationPart::Text(between) => {
                    let name = |part: &&NotationPart| matches!(part, NotationPart::Name(_));
                    let before = parts[..i].iter().rfind(name);
                    let after = parts[i..].iter().find(name);
                    let there = |side: Option<&NotationPart>| side.is_none() || value(side).is_some();
                    if there(before) && there(after) && !named.is_empty() {
                        text.push_str(between);
                    }
                }
            }
        }
        words.add(false, text);
    }
    for event in events {
        if let Event::Note(text) = event {
            words.add(false, scalar_text(rules, Ty::Text, *text));
        }
    }
    words.text
}

/// The chosen values that the pattern does not write.
fn unsaid(run: &Run, told: usize) -> String {
    let rules = run.world.rules;
    let Some(parts) = &rules.notation else {
        return String::new();
    };
    let events = run.events.get(told..).unwrap_or(&[]);
    let mut said: Vec<usize> = Vec::new();
    for stretch in stretches(rules, parts, events) {
        said.extend(named(rules, parts, &stretch).values().map(|(i, ..)| *i));
    }
    let mut rest = Vec::new();
    for (i, event) in events.iter().enumerate() {
        if matches!(event, Event::Chose(..)) && !said.contains(&i) {
            rest.push(event.clone());
        }
    }
    in_order(rules, &rest)
}

/// How a value is written.
pub fn value_text(rules: &Rules, ty: Ty, value: &Val) -> String {
    let listed = |codes: Vec<i32>, ty: Ty| {
        let words: Vec<String> = codes.iter().map(|&code| scalar_text(rules, ty, code)).collect();
        words.join("+")
    };
    match (value, ty) {
        (Val::Scalar(code), _) => scalar_text(rules, ty, *code),
        (Val::Sites(sites), _) => listed(SiteSet::iter(sites).collect(), Ty::Site),
        (Val::Mask(mask), Ty::Dirs) => listed(mask_members(*mask), Ty::Dir),
        (Val::Mask(mask), Ty::Players) => listed(mask_members(*mask), Ty::Player),
        (Val::Mask(mask), Ty::Kinds) => listed(mask_members(*mask), Ty::Kind),
        (Val::Mask(mask), Ty::Words(list)) => listed(mask_members(*mask), Ty::Word(list)),
        (Val::Mask(mask), _) => listed(mask_members(*mask), Ty::Int),
        (Val::Bag(bag), _) => {
            let thing = match ty {
                Ty::Bag(bag) if bag.kinds => Ty::Kind,
                _ => Ty::Int,
            };
            let each = bag_members(bag, ty).into_iter();
            let codes = each.flat_map(|(code, n)| vec![code; n as usize]);
            listed(codes.collect(), thing)
        }
        (Val::Table(table), _) => listed(table.clone(), Ty::Int),
    }
}

/// How a scalar is written; nothing for nowhere and nobody.
pub fn scalar_text(rules: &Rules, ty: Ty, code: i32) -> String {
    let named = |name: Option<&String>| name.cloned().unwrap_or_default();
    match ty {
        Ty::Site => named(at(&rules.board.sites, code).map(|site| &site.name)),
        Ty::Dir => at(&DIRECTIONS, code).copied().unwrap_or_default().to_owned(),
        Ty::Player => named(at(&rules.seats, code).map(|seat| &seat.name)),
        Ty::Kind => named(at(&rules.kinds, code).map(|kind| &kind.name)),
        Ty::Step => named(step_parts(code).and_then(|(track, place)| {
            let track = rules.tracks.get(track)?;
            track.names.get(place)
        })),
        Ty::Track => named(at(&rules.tracks, code).map(|track| &track.name)),
        Ty::Word(list) => {
            let list = rules.words.get(list as usize);
            named(list.and_then(|list| at(&list.words, code)))
        }
        Ty::Text => named(at(&rules.texts, code)),
        Ty::Bool => (if code == 0 { "off" } else { "on" }).to_owned(),
        _ => code.to_string(),
    }
}
