//! Looks for what can be played and yet is surely not meant: words that nothing uses, ways that nobody can go, ends that never come.
//!
//! In go a game that the checker accepts, and its rules under the options as declared (or of a house file). Out come warnings.
//! A warning says what holds in every position and, in a game's file, under every value of the options: an option may switch a rule off.
//! What a house file switches off altogether is told of the house file. Only `probe.rs` plays, and tells the position.
//!
//! | file | what it does |
//! |---|---|
//! | `words.rs` | which names lead to which |
//! | `values.rs` | what can be known of a value without playing |
//! | `look.rs`, `through.rs` | what is known of expressions, of names that run through something, after conditions |
//! | `programs.rs` | runs the programs on such values, and notes what is reached |
//! | `branches.rs` | parts of the programs that are reached under no table |
//! | `ends.rs` | ends that another one always precedes |
//! | `loops.rs` | loops that nothing ends |
//! | `kinds.rs` | pieces that never come or never move |
//! | `lets.rs` | names made by `let` that nothing reads |
//! | `probe.rs` | a few positions: moves that are written alike, a way back, a player without a turn |
//! | `variants.rs` | other values of the options |
//! | `tables.rs` | what a house file makes wrong |
//! | `sentences.rs` | the sentences |

mod branches;
mod ends;
mod kinds;
mod lets;
mod look;
mod loops;
mod probe;
mod programs;
mod rest;
mod sentences;
mod tables;
mod through;
mod values;
mod variants;
mod words;

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::pipeline::Loaded;
use crate::rules::Rules;
use crate::source::Span;
use branches::{Dead, Why};
use kinds::Idle;
use programs::Account;
pub use tables::of_house;
use words::{Words, all_spans};

/// Tables that are tried at most before nothing is said.
const MOST_TABLES: usize = 160;

/// Characters of the author's words that a message quotes at most.
const LONGEST_QUOTE: usize = 60;

/// What holds at every table that was tried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Finding {
    Nothing(Span),
    NeverHolds(Span),
    Branch(Dead),
    End(Span),
    Sure(Span),
    Idle(Span, Idle),
}

impl Finding {
    fn span(&self) -> Span {
        match self {
            Finding::Nothing(span) | Finding::NeverHolds(span) | Finding::End(span) | Finding::Sure(span) => *span,
            Finding::Idle(span, _) => *span,
            Finding::Branch(dead) => dead.whole,
        }
    }
}

/// What was tried, and what came out.
struct Tables<'l> {
    loaded: &'l Loaded,
    words: Words<'l>,
    accounts: Vec<Account>,
    /// Conditions of the ends that can come, of those that hold whenever they are looked at, and kinds of which something is wrong.
    ends: BTreeSet<Span>,
    sure: Option<BTreeSet<Span>>,
    idle: Option<BTreeSet<(Span, Idle)>>,
    gave_up: bool,
}

/// All that is surely not meant in a game's own file.
pub fn of_game(loaded: &Loaded, rules: &Rules) -> Diagnostics {
    let words = Words::new(&loaded.game, &loaded.library, &loaded.sources);
    let mut found = unused(loaded, &words, rules);
    let own = |span: Span| span.file == loaded.game.file;
    for (span, endless) in loops::endless(rules).into_iter().filter(|(span, _)| own(*span)) {
        found.push(sentences::loop_without_end(endless, &condition(loaded, span), span));
    }
    let covered = ends::covered(rules, &loaded.sources);
    for (_, end, before) in covered.into_iter().filter(|(_, end, _)| own(*end)) {
        let line = |span| loaded.sources.line_column(span).0;
        found.push(crate::check::never_reached(line(end), line(before), end, before));
    }
    let mut tables =
        Tables { loaded, words, accounts: Vec::new(), ends: BTreeSet::new(), sure: None, idle: None, gave_up: false };
    tables.add(rules);
    for finding in tables.everywhere() {
        found.push(tables.said(&finding));
    }
    found.extend(probed(loaded, rules));
    found.sort_by_key(|diag| diag.place.span);
    found.dedup_by(|a, b| a.place.span == b.place.span && a.message == b.message);
    found
}

/// What a few positions show, told where the game's own file says how moves are written and when the game is over.
fn probed(loaded: &Loaded, rules: &Rules) -> Diagnostics {
    let game = &loaded.game;
    let (alike, round) = (probe::alike(rules), probe::round(rules));
    let turn = game.turn.as_ref().map(|turn| head(turn.span, "turn"));
    let ends = game.ends.as_ref().and_then(|ends| ends.first()).map(|end| end.span);
    let alike = alike.zip(turn).map(|(alike, span)| sentences::same_notation(&alike, span));
    let round = round.zip(ends).map(|(round, span)| sentences::game_without_end(&round, span));
    let own = |span: &Span| span.file == game.file;
    let left = probe::left(rules).zip(ends.filter(own).or(turn.filter(own)));
    let left = left.map(|(left, span)| sentences::no_turn(&left, span));
    alike.into_iter().chain(round).chain(left).filter(|diag| own(&diag.place.span)).collect()
}

/// The word with which an item begins.
fn head(span: Span, word: &str) -> Span {
    Span { end: span.end.min(span.start + word.len() as u32), ..span }
}

/// The condition of a loop, as it is written.
fn condition(loaded: &Loaded, span: Span) -> String {
    let words = loaded.sources.words(span);
    let words = words.split('{').next().unwrap_or("").trim_start_matches("while");
    quoted(words)
}

/// Words on one line, not too many.
fn quoted(words: &str) -> String {
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST_QUOTE) {
        Some((at, _)) => format!("{} …", &words[..at]),
        None => words,
    }
}

/// Definitions, actions, tracks and names made by `let` that nothing uses.
fn unused(loaded: &Loaded, words: &Words<'_>, rules: &Rules) -> Diagnostics {
    let game = &loaded.game;
    let walks: BTreeSet<u32> = steps_of(rules);
    // A site on a track is its step without the track being named.
    let on_tracks = rules.tracks.iter().enumerate().filter(|(i, _)| walks.contains(&(*i as u32)));
    let on_tracks: BTreeSet<&str> = on_tracks.map(|(_, track)| track.name.as_str()).collect();
    let tracks = || game.tracks.iter().map(|track| &track.item.name);
    let named = tracks().map(|name| name.text.as_str()).filter(|name| on_tracks.contains(name));
    let used = words.closure(all_spans(game).into_iter().flat_map(|span| words.of(span)).chain(named));
    let mut found = Vec::new();
    let mut look = |sort: &str, name: &crate::syntax::ast::Name| {
        if name.span.file == game.file && !used.contains(name.text.as_str()) {
            found.push(sentences::never_used(sort, &name.text, name.span));
        }
    };
    game.defines.iter().for_each(|define| look("definition", &define.layers[0].head.name));
    game.actions.iter().for_each(|action| look("action", &action.layers[0].head.name));
    tracks().for_each(|name| look("track", name));
    for unread in lets::unread(game, &loaded.library, words) {
        let action = unread.acts.then(|| quoted(words.text(unread.value)));
        found.push(sentences::never_read(&unread.name.text, action.as_deref(), unread.name.span));
    }
    found
}

/// The walks that the rules speak of.
fn steps_of(rules: &Rules) -> BTreeSet<u32> {
    use crate::rules::{Expr, ExprKind, Stmt, inside};
    fn expr(all: &mut BTreeSet<u32>, e: &Expr) {
        if let ExprKind::TrackOf(walks) = &e.kind {
            all.extend(walks);
        }
        inside::parts(e).into_iter().for_each(|part| expr(all, part));
    }
    fn stmt(all: &mut BTreeSet<u32>, s: &Stmt) {
        inside::asked(s).into_iter().for_each(|e| expr(all, e));
        inside::blocks(s).into_iter().flatten().for_each(|inner| stmt(all, inner));
    }
    let mut all = BTreeSet::new();
    [&rules.setup, &rules.turn, &rules.after].into_iter().flatten().for_each(|s| stmt(&mut all, s));
    rules.defs.iter().for_each(|def| expr(&mut all, &def.body));
    rules.vars.iter().for_each(|var| expr(&mut all, &var.init));
    rules.ends.iter().for_each(|end| expr(&mut all, &end.when));
    all
}

impl Tables<'_> {
    /// Takes one table into account.
    fn add(&mut self, rules: &Rules) {
        let account = programs::account(rules);
        let game = &self.loaded.game;
        self.gave_up |= account.gave_up;
        self.ends.extend(account.ends.iter().map(|&end| rules.ends[end].when.span));
        let sure: BTreeSet<Span> = account.sure_ends.iter().map(|&end| rules.ends[end].when.span).collect();
        self.sure = Some(match self.sure.take() {
            Some(before) => before.intersection(&sure).copied().collect(),
            None => sure,
        });
        let look = self.idle.as_ref().is_none_or(|idle| !idle.is_empty());
        let idle = if look { kinds::idle(game, &self.words, rules, &account) } else { BTreeSet::new() };
        self.idle = Some(match self.idle.take() {
            Some(before) => before.intersection(&idle).copied().collect(),
            None => idle,
        });
        self.accounts.push(account);
    }

    /// What holds at all tables so far.
    fn so_far(&self) -> BTreeSet<Finding> {
        let mut found = BTreeSet::new();
        let own = |span: Span| span.file == self.loaded.game.file;
        if self.gave_up {
            return found;
        }
        for (key, &(_, span)) in self.accounts.iter().flat_map(|account| &account.chosen) {
            let never = self.accounts.iter().all(|account| account.chosen.get(key).is_none_or(|(some, _)| !some));
            if never && own(span) {
                found.insert(Finding::Nothing(span));
            }
        }
        for (stmt, &(_, span)) in self.accounts.iter().flat_map(|account| &account.asked) {
            let never = self.accounts.iter().all(|account| account.asked.get(stmt).is_none_or(|(holds, _)| !holds));
            let everywhere = self.accounts.iter().all(|account| account.asked.contains_key(stmt));
            if never && own(span) && (everywhere || self.options_of(*stmt).is_empty()) {
                found.insert(Finding::NeverHolds(span));
            }
        }
        // All else follows if nobody can move.
        if !found.is_empty() && self.accounts.iter().all(|account| account.turns == 0) {
            return found;
        }
        let causes: Vec<Span> = found.iter().map(Finding::span).collect();
        for dead in branches::dead(&self.loaded.game, &self.accounts) {
            let explained = dead.why == Why::CutOff && causes.iter().any(|cause| dead.whole.holds(*cause));
            if !explained {
                found.insert(Finding::Branch(dead));
            }
        }
        for (_, when) in self.loaded.game.ends.iter().flatten().flat_map(|end| &end.when) {
            if own(when.span) && !self.ends.contains(&when.span) {
                found.insert(Finding::End(when.span));
            }
        }
        found.extend(self.sure.iter().flatten().filter(|span| own(**span)).map(|span| Finding::Sure(*span)));
        found.extend(self.idle.iter().flatten().map(|(span, idle)| Finding::Idle(*span, *idle)));
        // A part of something that is told as a whole.
        let whole: Vec<Span> = found.iter().filter(|f| matches!(f, Finding::Branch(_))).map(Finding::span).collect();
        let inside = |span: Span| whole.iter().any(|outer| *outer != span && outer.holds(span));
        found.retain(|finding| !inside(finding.span()));
        found
    }

    /// What holds whatever the options are.
    fn everywhere(&mut self) -> BTreeSet<Finding> {
        let mut found = self.so_far();
        if found.is_empty() || self.loaded.declared.is_empty() {
            return found;
        }
        let first: BTreeSet<Option<BTreeSet<String>>> =
            found.iter().map(|finding| Some(self.options_of(finding.span()))).collect();
        let mut settings = Vec::new();
        let mut too_many = BTreeSet::new();
        for names in first.into_iter().flatten() {
            let known: BTreeSet<&str> = names.iter().map(String::as_str).collect();
            match variants::combined(&self.loaded.declared, &known) {
                Some(tables) => settings.extend(tables),
                None => {
                    too_many.insert(names);
                }
            }
        }
        let singles = variants::single(&self.loaded.declared);
        for settings in singles.into_iter().chain(settings).take(MOST_TABLES) {
            if let Ok(ready) = self.loaded.ready(&settings) {
                self.add(&ready.rules);
                found = self.so_far();
            }
            if found.is_empty() {
                return found;
            }
        }
        let certain = |finding: &Finding| !too_many.contains(&self.options_of(finding.span()));
        found.retain(|finding| matches!(finding, Finding::Idle(..)) || certain(finding));
        found
    }

    /// The options on which something depends, as far as its words tell.
    fn options_of(&self, span: Span) -> BTreeSet<String> {
        let game = &self.loaded.game;
        let mut words = self.words.closure(self.words.of(span));
        // What is remembered may come from anywhere.
        if game.remembers.iter().any(|remember| words.contains(remember.item.name.text.as_str())) {
            words.extend(self.words.closure(all_spans(game).into_iter().flat_map(|span| self.words.of(span))));
        }
        let options = self.loaded.declared.iter().map(|option| &option.name);
        options.filter(|name| words.contains(name.as_str())).cloned().collect()
    }

    fn said(&self, finding: &Finding) -> Diagnostic {
        let sources = &self.loaded.sources;
        let words = |span: Span| quoted(sources.words(span));
        match finding {
            Finding::Nothing(span) => sentences::nothing_to_choose(&words(*span), *span),
            Finding::NeverHolds(span) => sentences::never_holds(&words(*span), *span),
            Finding::Branch(dead) => sentences::branch_never_reached(dead.why, &words(dead.place), dead.place),
            Finding::End(span) => sentences::end_never_holds(&words(*span), *span),
            Finding::Sure(span) => sentences::end_always_holds(&words(*span), *span),
            Finding::Idle(span, idle) => sentences::idle_kind(*idle, &words(*span), *span),
        }
    }
}
