//! Reads a typed move, and says what forbids one that is not legal.
//!
//! The typed words are followed through the program: where a `choose` offers the next word, that is chosen; where it does not, or a
//! `require` fails, or another run comes first, that is an explanation. The one that has used up most of the typed words is given.

use super::chance;
use super::explore::{Explorer, Onward, Search, Walk, WalkEnd, with};
use super::game::Slow;
use super::run::{Event, Pause, Script, Wants};
use super::tell::{is_in, scalar_text, text, value_text};
use super::values::{statement, values};
use crate::play::speaker::{meant, squeezed};
use crate::play::{Move, Refusal, Status, Table, Trouble};
use crate::rules::board::DIRECTIONS;
use crate::rules::inside::asked;
use crate::rules::{LocalId, Rules, Ty};
use crate::source::Span;

/// How many runs are looked at to explain a refusal.
const MOST_RUNS: usize = 20_000;

/// How many moves are named in a message.
const FEW: usize = 8;

impl Slow<'_> {
    /// The move or chance event that is written like this.
    pub(super) fn read(&mut self, typed: &str) -> Result<Move, Refusal> {
        let status = self.status();
        let typed = typed.trim();
        match status {
            Status::Over(_) => return Err(Trouble::NotNow.into()),
            Status::Chance => return self.read_throw(typed),
            Status::ToMove(_) => {}
        }
        let texts = self.told()?;
        if let Some(i) = meant(typed, texts.iter().map(|(_, text)| text.as_str())) {
            return Ok(texts[i].0.clone());
        }
        let alike = texts.iter().filter(|(_, text)| squeezed(text) == squeezed(typed));
        let alike: Vec<&str> = alike.map(|(_, text)| text.as_str()).collect();
        if !alike.is_empty() {
            let alike = few(alike.into_iter());
            return Err(Refusal::new(format!("\"{typed}\" could be {alike}.")));
        }
        Err(self.explain(typed, &texts))
    }

    /// A throw, listed or not: there may be too many to list them.
    fn read_throw(&self, typed: &str) -> Result<Move, Refusal> {
        // The word goes first: something in the game may be called like its beginning.
        let said = typed.trim_start();
        let faces = match said.get(..4).filter(|word| word.eq_ignore_ascii_case("roll")) {
            Some(word) => &said[word.len()..],
            None => said,
        };
        let words = tokens(self.rules, faces);
        let mut left = words.as_slice();
        let mut explorer = self.explorer();
        let mut walk = explorer.walk(self.script.clone())?;
        let mut codes = Vec::new();
        while let Some((ty, n, members, span)) = chance::awaited(&walk) {
            let mut throw = Vec::new();
            for _ in 0..n {
                let word = left.first().map_or("", String::as_str);
                let is_it = |code: &i32| scalar_text(self.rules, ty, *code).eq_ignore_ascii_case(word);
                let Some(code) = members.iter().map(|&(code, _)| code).find(is_it) else {
                    let faces: Vec<String> =
                        members.iter().map(|&(code, _)| scalar_text(self.rules, ty, code)).collect();
                    let faces = few(faces.iter().map(String::as_str));
                    let message = format!("\"{typed}\" is no throw here: after \"roll\" say {n} of {faces}.");
                    return Err(Refusal { span: Some(span), ..Refusal::new(message) });
                };
                throw.push(code);
                left = left.get(1..).unwrap_or(&[]);
            }
            throw.sort_unstable();
            walk = explorer.walk(chance::thrown(walk.run.script(), &throw))?;
            codes.extend(throw);
        }
        match &walk.end {
            WalkEnd::Failed(failure) => {
                let message = format!("\"{typed}\" is thrown again by the rules.");
                let (span, reason) = (Some(failure.span), failure.reason.clone());
                Err(Refusal { span, reason, ..Refusal::new(message) })
            }
            _ if !left.is_empty() => Err(Refusal::new(format!("\"{typed}\" says more than is thrown here."))),
            WalkEnd::Done | WalkEnd::Pause(_) => Ok(Move(codes)),
        }
    }

    /// What forbids a typed move; nothing if it is legal.
    pub fn why_not(&mut self, typed: &str) -> Option<Refusal> {
        self.read(typed).err()
    }

    fn explain(&self, typed: &str, texts: &[(Move, String)]) -> Refusal {
        let said = typed.trim();
        let beginning = texts.iter().map(|(_, text)| text.as_str());
        let longer: Vec<&str> = beginning.filter(|text| squeezed(text).starts_with(&squeezed(said))).collect();
        let mut why = Why { rules: self.rules, told: self.told, tokens: tokens(self.rules, said), best: None };
        // What is found until trouble comes is worth telling.
        let _ = why.follow(&mut self.explorer(), &self.script);
        if !longer.is_empty() {
            let longer = few(longer.into_iter());
            return Refusal::new(format!("\"{said}\" is only the beginning of a move: {longer}."));
        }
        why.best.map_or_else(
            || {
                let texts = few(texts.iter().map(|(_, text)| text.as_str()));
                Refusal::new(format!("\"{said}\" is not possible here; possible is {texts}."))
            },
            |(_, found)| found,
        )
    }
}

/// How good an explanation is: typed words used up, then how much it says.
type Rank = (usize, usize);

/// Why a run is no move though it can be played: the place where another one comes first, and that.
type Late = (Span, Option<String>);

struct Why<'r> {
    rules: &'r Rules,
    told: usize,
    tokens: Vec<String>,
    best: Option<(Rank, Refusal)>,
}

impl Why<'_> {
    /// Follows the typed words through all runs they allow.
    fn follow(&mut self, explorer: &mut Explorer, start: &Script) -> Result<(), Trouble> {
        let origin = start.len();
        // A script, the typed words used up, whether it goes where another run comes first, and events looked at.
        let mut stack: Vec<(Script, usize, Option<Late>, usize)> = vec![(start.clone(), 0, None, self.told)];
        for _ in 0..MOST_RUNS {
            let Some((script, used, late, seen)) = stack.pop() else {
                break;
            };
            let walk = explorer.walk(script)?;
            let used = self.use_bound(&walk, used, seen);
            let seen = walk.run.events.len();
            let mut next = Vec::new();
            match &walk.end {
                WalkEnd::Failed(failure) => {
                    let rank = if failure.reason.is_some() { 5 } else { 3 };
                    let message = match &failure.reason {
                        Some(reason) => reason.clone(),
                        None => "A condition of the rules does not hold.".to_owned(),
                    };
                    if self.offer((used, rank), message, failure.span, failure.reason.clone()) {
                        let failed = statement(explorer.program(), &walk.run.path);
                        let test = failed.and_then(|stmt| asked(stmt).into_iter().next());
                        let told = test.map_or(Vec::new(), |test| values(&walk.run, test));
                        if let Some((_, refusal)) = &mut self.best {
                            refusal.values = told;
                        }
                    }
                }
                WalkEnd::Pause(pause) => match &pause.wants {
                    Wants::Member(local, codes) => {
                        for (code, used) in self.members(*local, codes, used, pause) {
                            next.push((with(walk.run.script(), code, true), used, late.clone()));
                        }
                    }
                    Wants::Branch(flags) => {
                        let open = picks(explorer.onward(&walk, origin)?);
                        for code in 0..flags.len() as i32 {
                            let closed = !open.contains(&code);
                            let first = open.first().filter(|_| closed && late.is_none()).copied();
                            let late = match first {
                                Some(first) => {
                                    let begun = with(walk.run.script(), first, true);
                                    Some(self.first_of(explorer, begun, pause.span)?)
                                }
                                None => late.clone(),
                            };
                            next.push((with(walk.run.script(), code, true), used, late.clone()));
                        }
                    }
                    Wants::May | Wants::Again => {
                        for code in [0, 1] {
                            next.push((with(walk.run.script(), code, true), used, late.clone()));
                        }
                    }
                    Wants::Possible => {
                        for code in [0, 1] {
                            let closed = !picks(explorer.onward(&walk, origin)?).contains(&code);
                            // Going on where it is impossible would explain nothing.
                            if code == 1 || !closed {
                                let late = match (&late, closed) {
                                    (None, true) => {
                                        let begun = with(walk.run.script(), 0, false);
                                        Some(self.first_of(explorer, begun, pause.span)?)
                                    }
                                    _ => late.clone(),
                                };
                                next.push((with(walk.run.script(), code, false), used, late));
                            }
                        }
                    }
                    Wants::Best(greatest, value) => {
                        if late.is_none() {
                            match explorer.onward(&walk, origin)? {
                                Onward::Picks(_) => {
                                    next.push((with(walk.run.script(), 0, false), used, late.clone()));
                                }
                                Onward::Cut | Onward::Dead => {
                                    let word = if *greatest { "more" } else { "less" };
                                    let message = format!(
                                        "The rules ask for the {} here, and another move has {word} than {value}.",
                                        if *greatest { "most" } else { "least" }
                                    );
                                    self.offer((used, 4), message, pause.span, None);
                                }
                            }
                        } else {
                            next.push((with(walk.run.script(), 0, false), used, late.clone()));
                        }
                    }
                    Wants::Commit | Wants::Throw(..) | Wants::Throws(..) => {
                        self.complete(&walk, used, late);
                    }
                },
                WalkEnd::Done => self.complete(&walk, used, late),
            }
            for (script, used, late) in next.into_iter().rev() {
                stack.push((script, used, late, seen));
            }
        }
        Ok(())
    }

    /// A run has come to its end; unless it is legal it says something.
    fn complete(&mut self, walk: &Walk, used: usize, late: Option<Late>) {
        if let Some((span, instead)) = late {
            if used == self.tokens.len() {
                let message = match instead {
                    Some(text) => format!("Another move comes first by the rules, as \"{text}\"."),
                    None => "Another move comes first by the rules.".to_owned(),
                };
                self.offer((used, 4), message, span, None);
            }
        } else {
            let text = text(&walk.run, self.told);
            let message = format!("It is no legal move; \"{text}\" is one.");
            self.best.get_or_insert(((used, 0), Refusal { span: None, ..Refusal::new(message) }));
        }
    }

    /// The members that may be followed, with the typed words that are then used up.
    fn members(&mut self, local: LocalId, codes: &[i32], used: usize, pause: &Pause) -> Vec<(i32, usize)> {
        let rules = self.rules;
        let decl = &rules.locals[local.0 as usize];
        let written = rules.notation.as_ref().is_none_or(|parts| is_in(parts, &decl.name));
        let all = codes.iter().map(|&code| (code, used));
        let Some(token) = self.tokens.get(used) else {
            // More is to be chosen than was typed: follow, to see what fails.
            return all.collect();
        };
        if !written || !decl.ty.is_scalar() {
            return all.collect();
        }
        let is_it = |code: &&i32| scalar_text(rules, decl.ty, **code).eq_ignore_ascii_case(token);
        let exact = |code: &&i32| scalar_text(rules, decl.ty, **code) == *token;
        let found = codes.iter().find(exact).or(codes.iter().find(is_it));
        if let Some(&code) = found {
            return vec![(code, used + 1)];
        }
        let offered: Vec<String> = codes.iter().map(|&code| scalar_text(rules, decl.ty, code)).collect();
        let message = if offered.is_empty() {
            format!("Nothing can be chosen for \"{}\" here.", decl.name)
        } else {
            format!(
                "\"{token}\" cannot be chosen for \"{}\" here; possible is {}.",
                decl.name,
                few(offered.iter().map(String::as_str))
            )
        };
        // What offers nothing at all says less than what offers something else.
        let rank = if offered.is_empty() { 1 } else { 2 };
        self.offer((used, rank), message, pause.span, None);
        Vec::new()
    }

    /// Names that were given values may use up typed words, too.
    fn use_bound(&self, walk: &Walk, mut used: usize, seen: usize) -> usize {
        let Some(parts) = &self.rules.notation else {
            return used;
        };
        for event in walk.run.events.get(seen..).unwrap_or(&[]) {
            if let Event::Bound(local, value) = event
                && let Some(token) = self.tokens.get(used)
            {
                let decl = &self.rules.locals[local.0 as usize];
                let text = value_text(self.rules, decl.ty, value);
                if is_in(parts, &decl.name) && text.eq_ignore_ascii_case(token) {
                    used += 1;
                }
            }
            if let Event::Note(note) = event
                && let Some(token) = self.tokens.get(used)
                && scalar_text(self.rules, Ty::Text, *note).eq_ignore_ascii_case(token)
            {
                used += 1;
            }
        }
        used
    }

    /// What is to be played first: the place that says so, and the first move that begins like this.
    fn first_of(&self, explorer: &mut Explorer, begun: Script, span: Span) -> Result<Late, Trouble> {
        let first = Search::new(begun).next(explorer)?;
        Ok((span, first.map(|walk| text(&walk.run, self.told))))
    }

    /// Takes an explanation if it is the best so far.
    fn offer(&mut self, rank: Rank, message: String, span: Span, reason: Option<String>) -> bool {
        let better = self.best.as_ref().is_none_or(|(best, _)| rank > *best);
        if better {
            let refusal = Refusal { span: Some(span), reason, ..Refusal::new(message) };
            self.best = Some((rank, refusal));
        }
        better
    }
}

fn picks(onward: Onward) -> Vec<i32> {
    match onward {
        Onward::Picks(picks) => picks.iter().map(|pick| pick.code).collect(),
        Onward::Cut | Onward::Dead => Vec::new(),
    }
}

/// The first few of many, in quotes.
fn few<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let all: Vec<&str> = texts.collect();
    let shown: Vec<String> = all.iter().take(FEW).map(|text| format!("\"{text}\"")).collect();
    let more = if all.len() > FEW { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// The typed text as names of the game and words.
fn tokens(rules: &Rules, typed: &str) -> Vec<String> {
    let names = names(rules);
    let mut tokens = Vec::new();
    let mut rest = typed;
    while let Some(c) = rest.chars().next() {
        let starts = |name: &&String| rest.starts_with(name.as_str());
        let alike = |name: &&String| rest.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        let longest = |name: &&String| name.len();
        // A name of letters is no part of a longer word of letters.
        let whole = |name: &&String| {
            let letters = |text: &str| text.chars().next().is_some_and(char::is_alphabetic);
            !name.chars().all(char::is_alphabetic) || !rest.get(name.len()..).is_some_and(letters)
        };
        let name = names.iter().filter(starts).filter(whole).max_by_key(longest);
        let name = name.or(names.iter().filter(alike).filter(whole).max_by_key(longest));
        let taken = match name {
            Some(name) => {
                tokens.push(name.clone());
                name.len()
            }
            None if c.is_alphanumeric() => {
                let word = rest.split(|c: char| !c.is_alphanumeric()).next();
                let word = word.unwrap_or(rest);
                tokens.push(word.to_owned());
                word.len()
            }
            None => c.len_utf8(),
        };
        rest = &rest[taken..];
    }
    tokens
}

/// Everything in a game that has a name which can stand in a move.
fn names(rules: &Rules) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    names.extend(rules.board.sites.iter().map(|site| site.name.clone()));
    names.extend(rules.tracks.iter().flat_map(|track| track.names.clone()));
    names.extend(rules.kinds.iter().map(|kind| kind.name.clone()));
    names.extend(rules.seats.iter().map(|seat| seat.name.clone()));
    names.extend(rules.words.iter().flat_map(|list| list.words.clone()));
    names.extend(DIRECTIONS.iter().map(|&name| name.to_owned()));
    names.extend(rules.texts.iter().filter(|text| text.len() <= 20).cloned());
    names.retain(|name| !name.trim().is_empty());
    names
}
