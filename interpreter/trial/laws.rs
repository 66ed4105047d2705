//! What holds in every position of every game, whatever its rules are; each law is one sentence and one function.
//!
//! A law looks at a [`Course`] as it stands and changes nothing that lasts. What does not hold is said in one sentence.

use super::course::Course;
use super::symmetry::Symmetry;
use super::written;
use crate::evaluators::Evaluators;
use crate::pipeline::Loaded;
use crate::play::speaker::squeezed;
use crate::play::{Move, Outcome, Snapshot, Status, Trouble, Value};
use crate::rules::{Property, Rules};
use crate::syntax::ast::Claim;

/// Moves whose texts are read back in a position.
const READ_BACK: usize = 3;
/// Moves of a position that are also gone through choice by choice, at most.
const STEPPED: usize = 300;

/// One of the laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// Status, position and moves in their order are the same on both evaluators.
    Agree,
    /// No move is listed twice, no two share a text.
    Alike,
    /// What is read is the move that was written.
    ReadBack,
    /// What is refused leaves everything as it was.
    Refused,
    /// Over: no moves, no throws, no texts.
    Over,
    /// Places: one a seat, as a ranking has them.
    Places,
    /// How it ended is an end of the rules, or the bound on turns.
    Named,
    /// The key that is kept is the one worked out anew.
    Keys,
    /// Choices offered one by one lead to the listed moves.
    Steps,
    /// A position as text.
    Position,
    /// A game as text, and taking moves back.
    Record,
    /// The turned position has the turned moves.
    Turned,
    /// The property with this number.
    Property(usize),
}

impl Law {
    /// Laws that are quick to try, for every position.
    pub const LIGHT: &[Law] =
        &[Law::Agree, Law::Alike, Law::ReadBack, Law::Refused, Law::Over, Law::Places, Law::Named, Law::Keys];
    /// Laws that take longer, for some positions.
    pub const HEAVY: &[Law] = &[Law::Steps, Law::Position, Law::Record];

    /// What it says.
    pub fn title(self) -> &'static str {
        match self {
            Law::Agree => "both evaluators see the same",
            Law::Alike => "no two moves are alike",
            Law::ReadBack => "every text leads back to its move",
            Law::Refused => "a refused move changes nothing",
            Law::Over => "a finished game offers nothing",
            Law::Places => "every seat has its place at the end",
            Law::Named => "every end is one that the rules name",
            Law::Keys => "the key is the one worked out anew",
            Law::Steps => "choices one by one lead to the listed moves",
            Law::Position => "a position that is written down is read back",
            Law::Record => "a record plays the same game, and what is taken back is as it was",
            Law::Turned => "the turned board has the turned moves",
            Law::Property(_) => "a property",
        }
    }
}

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which.
    pub law: Law,
    /// What is so instead.
    pub said: String,
}

/// What laws need to know.
pub struct Laws<'e> {
    /// Both evaluators.
    pub evaluators: &'e Evaluators,
    /// The game as read, if positions and records are to be written and read.
    pub loaded: Option<&'e Loaded>,
    /// The game's house rules.
    pub settings: &'e [(crate::house::Setting, crate::house::Origin)],
    /// How the board may be turned.
    pub symmetry: Option<Symmetry>,
    /// The options that are not as the game says, for records.
    pub options: Vec<(String, String)>,
    /// The game's properties.
    pub properties: &'e [Property],
    /// The first position.
    pub first: Snapshot,
}

impl<'e> Laws<'e> {
    /// Looks whether a law holds as the game stands.
    pub fn look(&self, law: Law, course: &mut Course) -> Result<(), Broken> {
        let looked = match law {
            Law::Agree => agree(self.rules(), course),
            Law::Alike => alike(course),
            Law::ReadBack => read_back(course),
            Law::Refused => refused(course),
            Law::Over => over(course),
            Law::Places => places(self.rules(), course),
            Law::Named => named(course),
            Law::Keys => keys(course),
            Law::Steps => steps(self.rules(), course),
            Law::Position => written::position(self, course),
            Law::Record => written::record(self, course),
            Law::Turned => self.symmetry.as_ref().map_or(Ok(()), |symmetry| symmetry.look(self.evaluators, course)),
            Law::Property(i) => self.properties.get(i).map_or(Ok(()), |property| holds(i, property, course)),
        };
        looked.map_err(|said| Broken { law, said })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        self.evaluators.rules()
    }

    /// The sentence of a law, with what it is about.
    pub fn title(&self, law: Law) -> &str {
        match law {
            Law::Property(i) => self.properties.get(i).map_or("a property", |property| property.title.as_str()),
            law => law.title(),
        }
    }
}

/// Trouble as a sentence.
pub fn failed(trouble: Trouble) -> String {
    format!("the game cannot be played on: {trouble}")
}

fn agree(rules: &Rules, course: &mut Course) -> Result<(), String> {
    let (plain, fast) = (course.plain.status(), course.fast.status());
    if plain != fast {
        return Err(format!("the reference says {}, the fast engine {}", said(rules, &plain), said(rules, &fast)));
    }
    let (plain, fast) = (course.plain.snapshot(), course.fast.snapshot());
    if plain != fast {
        return Err(format!("the reference has {plain:?}, the fast engine {fast:?}"));
    }
    if matches!(course.fast.status(), Status::ToMove(_)) {
        let (plain, fast) = (course.plain.moves().map_err(failed)?, course.fast.moves().map_err(failed)?);
        if plain != fast {
            let only = |one: &[Move], other: &[Move]| {
                let rest: Vec<String> = one
                    .iter()
                    .filter(|chosen| !other.contains(chosen))
                    .map(|chosen| format!("{:?}", chosen.0))
                    .collect();
                rest.join(" ")
            };
            let (ours, theirs) = (only(&plain, &fast), only(&fast, &plain));
            return Err(format!(
                "the reference lists {} moves, the fast engine {}; only there [{ours}], only here [{theirs}]",
                plain.len(),
                fast.len()
            ));
        }
    }
    Ok(())
}

/// A status in words.
fn said(rules: &Rules, status: &Status) -> String {
    match status {
        Status::ToMove(seat) => format!("{} is to move", super::seat_name(rules, *seat)),
        Status::Chance => "chance is to move".to_string(),
        Status::Over(outcome) => format!("it is over ({}, places {:?})", outcome.reason, outcome.places),
    }
}

fn alike(course: &mut Course) -> Result<(), String> {
    if !matches!(course.plain.status(), Status::ToMove(_)) {
        return Ok(());
    }
    let listed = course.plain.texts().map_err(failed)?;
    let mut moves: Vec<&Move> = listed.iter().map(|(chosen, _)| chosen).collect();
    moves.sort_unstable();
    if let Some(pair) = moves.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("the move {:?} is listed twice", pair[0].0));
    }
    let mut texts: Vec<&str> = listed.iter().map(|(_, text)| text.as_str()).collect();
    texts.sort_unstable();
    match texts.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two moves are both written \"{}\"", pair[0])),
        None => Ok(()),
    }
}

fn read_back(course: &mut Course) -> Result<(), String> {
    if !matches!(course.plain.status(), Status::ToMove(_)) {
        return Ok(());
    }
    let listed = course.plain.texts().map_err(failed)?;
    // Other ones in every position; the same in the same game.
    let step = (listed.len() / READ_BACK).max(1);
    for i in (course.plays.len() % step..listed.len()).step_by(step).take(READ_BACK) {
        let (chosen, text) = &listed[i];
        let alike = listed.iter().filter(|(_, other)| squeezed(other) == squeezed(text)).count();
        let typed = if alike == 1 { text.to_uppercase() } else { text.clone() };
        match course.plain.find(&typed) {
            Ok(found) if found == *chosen => {}
            Ok(_) => return Err(format!("\"{typed}\" is read as another move")),
            Err(refusal) => return Err(format!("\"{typed}\" is legal and refused: {refusal}")),
        }
    }
    Ok(())
}

fn refused(course: &mut Course) -> Result<(), String> {
    if !matches!(course.plain.status(), Status::ToMove(_)) {
        return Ok(());
    }
    let legal = course.plain.moves().map_err(failed)?;
    let seed = legal.get(course.plays.len() % legal.len().max(1)).cloned().unwrap_or_default();
    let mut wrong = vec![Move(Vec::new()), Move([seed.0.as_slice(), &[0]].concat())];
    for i in 0..seed.0.len() {
        for code in [seed.0[i] + 1, -1, i32::MAX] {
            let mut other = seed.clone();
            other.0[i] = code;
            wrong.push(other);
        }
    }
    let before = course.plain.snapshot();
    for chosen in wrong.iter().filter(|chosen| !legal.contains(chosen)).take(6) {
        let (plain, fast) = (course.plain.play(chosen), course.fast.play(chosen));
        if plain != Err(Trouble::Illegal) || fast != Err(Trouble::Illegal) {
            return Err(format!("{:?} is not listed; reference {plain:?}, fast engine {fast:?}", chosen.0));
        }
    }
    if course.plain.snapshot() != before || course.fast.snapshot() != before {
        return Err("the position is another one after a move was refused".to_string());
    }
    match course.fast.moves() {
        Ok(moves) if moves == legal => Ok(()),
        _ => Err("other moves are legal after a move was refused".to_string()),
    }
}

fn over(course: &mut Course) -> Result<(), String> {
    if !matches!(course.plain.status(), Status::Over(_)) {
        return Ok(());
    }
    let nothing = [course.plain.moves(), course.fast.moves()].iter().all(|moves| *moves == Err(Trouble::NotNow))
        && [course.plain.outcomes(), course.fast.outcomes()].iter().all(|all| *all == Err(Trouble::NotNow))
        && course.plain.texts().is_ok_and(|texts| texts.is_empty())
        && [course.plain.perft(1), course.fast.perft(1)].iter().all(|count| *count == Ok(0));
    let last = course.plays.last().cloned().unwrap_or_default();
    let refused = course.plain.play(&last).is_err() && course.fast.play(&last).is_err();
    if nothing && refused { Ok(()) } else { Err("the game is over, and something can be played".to_string()) }
}

/// Are these the places of a ranking: 1 1 3 4?
pub fn is_ranking(outcome: &Outcome, seats: usize) -> bool {
    let places = &outcome.places;
    let right = |place: &u8| usize::from(*place) == 1 + places.iter().filter(|other| *other < place).count();
    places.is_empty() || places.len() == seats && places.iter().all(right)
}

fn places(rules: &Rules, course: &mut Course) -> Result<(), String> {
    match course.fast.status() {
        Status::Over(outcome) if !is_ranking(&outcome, rules.n_seats()) => {
            Err(format!("the game ends with the places {:?}", outcome.places))
        }
        _ => Ok(()),
    }
}

fn named(course: &mut Course) -> Result<(), String> {
    match course.fast.status() {
        Status::Over(outcome) if outcome.ending.is_none() && *outcome.reason != *"turn limit" => {
            Err(format!("the game ends, and no end says how (\"{}\")", outcome.reason))
        }
        _ => Ok(()),
    }
}

fn keys(course: &mut Course) -> Result<(), String> {
    let (kept, fresh) = course.fast.keys();
    if kept == fresh { Ok(()) } else { Err(format!("the keys {kept:?} should be {fresh:?}")) }
}

fn steps(rules: &Rules, course: &mut Course) -> Result<(), String> {
    if !matches!(course.plain.status(), Status::ToMove(_)) {
        return Ok(());
    }
    let listed = course.plain.moves().map_err(failed)?;
    if listed.len() > STEPPED {
        return Ok(());
    }
    let mut found: Vec<Move> = Vec::new();
    let mut stack: Vec<Vec<i32>> = vec![Vec::new()];
    while let Some(begun) = stack.pop() {
        let next = course.plain.steps(&begun).map_err(failed)?;
        if next.is_empty() {
            found.push(Move(begun));
        } else {
            stack.extend(next.iter().rev().map(|code| [begun.as_slice(), &[*code]].concat()));
        }
        if found.len() > 20 * STEPPED {
            return Ok(());
        }
    }
    // Of runs that lead to the same position only the first is a move.
    let right = match rules.by_outcome {
        true => listed.iter().all(|chosen| found.contains(chosen)),
        false => found == listed,
    };
    match right {
        true => Ok(()),
        false => Err(format!("{} moves are listed, choices one by one lead to {}", listed.len(), found.len())),
    }
}

fn holds(number: usize, property: &Property, course: &mut Course) -> Result<(), String> {
    let Some((before, now)) = course.ask(number, property).map_err(failed)? else {
        return Ok(());
    };
    let right = match (property.claim, &before, &now) {
        (Claim::Holds, _, now) => *now != Value::Scalar(0),
        (_, None, _) => true,
        (Claim::Keeps, Some(before), now) => before == now,
        (Claim::Lowers, Some(Value::Scalar(before)), Value::Scalar(now)) => now < before,
        (Claim::Raises, Some(Value::Scalar(before)), Value::Scalar(now)) => now > before,
        (Claim::Lowers | Claim::Raises, Some(_), _) => false,
    };
    let number = |value: &Value| match value {
        Value::Scalar(code) => code.to_string(),
        Value::Mask(_) | Value::Sites(_) | Value::Bag(_) => "something else".to_string(),
    };
    match (right, property.claim, before) {
        (true, ..) => Ok(()),
        (false, Claim::Holds, _) | (false, _, None) => Err("the condition is off here".to_string()),
        (false, _, Some(before)) => Err(format!("it was {} and is {}", number(&before), number(&now))),
    }
}
