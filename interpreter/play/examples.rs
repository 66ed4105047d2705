//! Runs an example against both evaluators; the only place that knows how its lines become calls on a game.
//!
//! Comes in: the rules made for the example, the case, and a [`Stage`] that sets up games. Goes out: nothing, or the [`Mismatch`] of the
//! first line that does not hold. Wherever the plain evaluator is asked, the fast one has to agree: on whose turn it is, on the position,
//! on the moves and their order.

use std::fmt::Write as _;

use super::speaker::{is_resigning, meant, squeezed};
use super::start::{Start, give_turn, mover_said};
use super::{Move, Signs, Snapshot, Speaker, Status, Table, Trouble, Value, diagram};
use crate::rules::example::{ExampleCase, Step};
use crate::rules::{Block, Expr, Rules};
use crate::source::Span;

/// How many nodes the plain evaluator counts in one `moves` line at most.
pub const PLAIN_NODES: u64 = 2_000;

/// A game that can be talked to and asked.
pub trait Oracle: Speaker {
    /// The value of an expression, seen from the seat to move; when the game is over, from the seat that has just played.
    fn probe(&self, expr: &Expr) -> Result<Value, Trouble>;

    /// What can be chosen next after the first choices of a move, as far as a legal move begins so; nothing if they are a whole move.
    fn steps(&self, begun: &[i32]) -> Result<Vec<i32>, Trouble>;

    /// How many things were looked at to find the moves that were listed last.
    fn looked(&self) -> u64;

    /// A copy that goes its own way.
    fn split(&self) -> Box<dyn Oracle + '_>;
}

/// Sets up games under the rules of an example.
pub trait Stage {
    /// A game of the plain evaluator, as it stands before anything is played.
    fn plain(&self, start: &Start) -> Result<Box<dyn Oracle + '_>, Trouble>;

    /// A game of the fast evaluator.
    fn fast(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble>;

    /// Runs statements on a position, seen from a seat.
    fn run_script(&self, position: &mut Snapshot, mover: i32, script: &Block) -> Result<(), Trouble>;
}

/// A line of an example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The line.
    pub span: Span,
    /// What was expected, what was found, and the board.
    pub message: String,
    /// Parts of the line, and what they come to.
    pub values: Vec<(Span, String)>,
    /// The rule where the game was stopped, if the line does not hold because it was.
    pub stopped: Option<Span>,
}

/// Runs a case. `start_values` is the game's first position: `position` takes everything remembered from it, and none of its pieces.
/// Gives how the game stands behind the last line.
pub fn run(rules: &Rules, case: &ExampleCase, stage: &dyn Stage, start_values: &Snapshot) -> Result<Start, Mismatch> {
    let start = Start::beginning();
    let mut runner = Runner { rules, stage, start_values, games: None, composed: None, values: Vec::new(), start };
    for (i, (step, span)) in case.steps.iter().enumerate() {
        runner.step(step, &case.steps[i..]).map_err(|wrong| {
            let values = std::mem::take(&mut runner.values);
            Mismatch { span: *span, message: wrong.message, values, stopped: wrong.stopped }
        })?;
    }
    Ok(match runner.composed {
        Some(position) => Start { from: Some(position), ..Start::default() },
        None => runner.start,
    })
}

/// What does not hold, for people, and the rule where the game was stopped, if it was.
struct Wrong {
    message: String,
    stopped: Option<Span>,
}

impl Wrong {
    fn new(message: impl Into<String>) -> Wrong {
        Wrong { message: message.into(), stopped: None }
    }
}

impl From<Trouble> for Wrong {
    fn from(trouble: Trouble) -> Wrong {
        Wrong { stopped: trouble.span(), ..Wrong::new(format!("This could not be played: {trouble}.")) }
    }
}

struct Games<'s> {
    plain: Box<dyn Oracle + 's>,
    fast: Box<dyn Table + 's>,
}

struct Runner<'s> {
    rules: &'s Rules,
    stage: &'s dyn Stage,
    start_values: &'s Snapshot,
    /// Both games, once something had to be played or asked.
    games: Option<Games<'s>>,
    /// The position that is being composed; games are made from it when they are needed.
    composed: Option<Snapshot>,
    /// Parts of a line that does not hold, and what they come to.
    values: Vec<(Span, String)>,
    /// How the games came to stand as they do.
    start: Start,
}

impl<'s> Runner<'s> {
    fn step(&mut self, step: &Step, rest: &[(Step, Span)]) -> Result<(), Wrong> {
        match step {
            Step::Position(text) => {
                let mut base = self.start_values.clone();
                base.turns = 0;
                base.resigned = 0;
                give_turn(&mut base, mover_said(rest).unwrap_or(self.rules.first));
                let position = diagram::position(self.rules, text, &base);
                self.composed = Some(position.map_err(|error| Wrong::new(error.to_string()))?);
                self.games = None;
                Ok(())
            }
            Step::ToMove(seat) => {
                give_turn(self.compose(rest)?, *seat);
                Ok(())
            }
            Step::Turns(n) => {
                self.compose(rest)?.turns = *n;
                Ok(())
            }
            Step::Games(n) => {
                self.compose(rest)?.games = *n;
                Ok(())
            }
            Step::Resigned(seats) => {
                self.compose(rest)?.resigned = *seats;
                Ok(())
            }
            Step::Rematch => {
                let last = match self.composed.take() {
                    Some(position) => position,
                    None => self.games()?.plain.snapshot(),
                };
                self.games = None;
                self.start = Start::after(last);
                Ok(())
            }
            Step::Script(index) => {
                let script = self.rules.scripts.get(*index).map_or(&[][..], Vec::as_slice).to_vec();
                let stage = self.stage;
                let position = self.compose(rest)?;
                let mover = position.mover;
                Ok(stage.run_script(position, mover, &script)?)
            }
            Step::Expect(index, text) => self.expect(*index, text),
            Step::Play(texts) => texts.iter().try_for_each(|text| self.play(text)),
            Step::Only(texts) => self.only(texts),
            Step::Legal(texts) => self.legal(texts),
            Step::Illegal(texts, reason) => texts.iter().try_for_each(|text| self.illegal(text, reason.as_deref())),
            Step::Shows(text) => self.shows(text),
            Step::Ends(name, places) => self.ends(name, places.as_deref()),
            Step::Moves(counts) => self.counts(counts),
        }
    }

    /// The position for changing; a game in progress is left for it.
    fn compose(&mut self, rest: &[(Step, Span)]) -> Result<&mut Snapshot, Wrong> {
        if self.composed.is_none() {
            let mut position = self.games()?.plain.snapshot();
            if let Some(seat) = mover_said(rest) {
                give_turn(&mut position, seat);
            }
            self.composed = Some(position);
        }
        self.games = None;
        self.composed.as_mut().ok_or_else(|| Wrong::new(String::new()))
    }

    fn games(&mut self) -> Result<&mut Games<'s>, Wrong> {
        if self.games.is_none() {
            if let Some(position) = self.composed.take() {
                self.start = Start { from: Some(position), ..Start::default() };
            }
            let games = Games { plain: self.stage.plain(&self.start)?, fast: self.stage.fast(&self.start)? };
            self.games = Some(games);
            self.agree()?;
        }
        self.games.as_mut().ok_or_else(|| Wrong::new(String::new()))
    }

    /// Do both evaluators see the same position and the same turn?
    fn agree(&mut self) -> Result<(), Wrong> {
        let rules = self.rules;
        let Games { plain, fast } = self.games()?;
        let (one, other) = (plain.status(), fast.status());
        if one != other {
            let message = format!("The evaluators differ: plain {one:?}, fast {other:?}.");
            return Err(Wrong::new(with_board(rules, &message, &plain.snapshot())));
        }
        let (one, other) = (plain.snapshot(), fast.snapshot());
        if one != other {
            let message = format!(
                "The evaluators reach different positions. Fast:\n{}\n{}\nPlain:\n{}\n{}",
                diagram::draw(rules, &other),
                rest_of(&other),
                diagram::draw(rules, &one),
                rest_of(&one),
            );
            return Err(Wrong::new(message));
        }
        Ok(())
    }

    /// What can be played here, with texts; both evaluators must list the same.
    fn texts(&mut self) -> Result<Vec<(Move, String)>, Wrong> {
        let rules = self.rules;
        let Games { plain, fast } = self.games()?;
        let (texts, moves) = match plain.status() {
            Status::Over(_) => return Ok(Vec::new()),
            Status::ToMove(_) => (plain.texts()?, fast.moves()?),
            Status::Chance => {
                let (plain_outcomes, outcomes) = (plain.outcomes()?, fast.outcomes()?);
                let moves: Vec<Move> = outcomes.iter().map(|(chosen, _)| chosen.clone()).collect();
                let same_moves = plain_outcomes.iter().map(|(chosen, _)| chosen).eq(moves.iter());
                if same_moves && plain_outcomes != outcomes {
                    let message = "The evaluators give the throws different weights.";
                    return Err(Wrong::new(with_board(rules, message, &plain.snapshot())));
                }
                (plain.texts()?, moves)
            }
        };
        if texts.iter().map(|(chosen, _)| chosen).eq(moves.iter()) {
            return Ok(texts);
        }
        let lacking: Vec<&str> =
            texts.iter().filter(|(chosen, _)| !moves.contains(chosen)).map(|(_, text)| text.as_str()).collect();
        let codes: Vec<String> = moves
            .iter()
            .filter(|chosen| !texts.iter().any(|(listed, _)| listed == *chosen))
            .map(|chosen| format!("{:?}", chosen.0))
            .collect();
        let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
        let mut message = format!("The evaluators list different moves: {} plain, {} fast.", texts.len(), moves.len());
        list(&mut message, "only plain", &lacking);
        list(&mut message, "only fast ", &codes);
        if lacking.is_empty() && codes.is_empty() {
            message += " They are the same in another order or number.";
        }
        Err(Wrong::new(with_board(rules, &message, &plain.snapshot())))
    }

    fn expect(&mut self, index: usize, text: &str) -> Result<(), Wrong> {
        let rules = self.rules;
        let Some(probe) = rules.probes.get(index) else {
            return Err(Wrong::new(format!("There is no expectation number {index}.")));
        };
        let plain = &self.games()?.plain;
        if plain.probe(probe)? == Value::Scalar(1) {
            return Ok(());
        }
        let message = format!("This does not hold: {text}.");
        let wrong = Wrong::new(with_board(rules, &message, &plain.snapshot()));
        self.values = plain.sides_of(probe);
        Err(wrong)
    }

    fn play(&mut self, typed: &str) -> Result<(), Wrong> {
        let rules = self.rules;
        let texts = self.texts()?;
        let Games { plain, fast } = self.games()?;
        let resigns = is_resigning(typed)
            && matches!(plain.status(), Status::ToMove(_))
            && meant(typed, texts.iter().map(|(_, text)| text.as_str())).is_none();
        if resigns {
            plain.resign()?;
            fast.resign()?;
            self.start.plays.push(None);
            return self.agree();
        }
        let chosen = match plain.find(typed) {
            Ok(chosen) => chosen,
            Err(refusal) => {
                let mut message = format!("\"{typed}\" cannot be played: {refusal}");
                let all: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
                list(&mut message, "legal", &all);
                return Err(Wrong::new(with_board(rules, &message, &plain.snapshot())));
            }
        };
        plain.play(&chosen)?;
        fast.play(&chosen).map_err(|trouble| {
            Wrong::new(format!("Only the plain evaluator plays \"{typed}\"; the fast one: {trouble}."))
        })?;
        self.start.plays.push(Some(chosen));
        self.agree()
    }

    fn only(&mut self, wanted: &[String]) -> Result<(), Wrong> {
        let texts = self.texts()?;
        let found: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        let meant: Vec<Option<usize>> = wanted.iter().map(|text| meant(text, found.iter().copied())).collect();
        let pairs = wanted.iter().zip(&meant);
        let missing: Vec<&str> = pairs.filter(|(_, i)| i.is_none()).map(|(text, _)| text.as_str()).collect();
        let unexpected: Vec<&str> =
            found.iter().enumerate().filter(|(i, _)| !meant.contains(&Some(*i))).map(|(_, text)| *text).collect();
        if missing.is_empty() && unexpected.is_empty() {
            return Ok(());
        }
        let mut message = String::from("Other moves are legal here than the example says.");
        let expected: Vec<&str> = wanted.iter().map(String::as_str).collect();
        list(&mut message, "expected", &expected);
        list(&mut message, "found", &found);
        list(&mut message, "missing", &missing);
        list(&mut message, "unexpected", &unexpected);
        self.wrong(&message)
    }

    fn legal(&mut self, wanted: &[String]) -> Result<(), Wrong> {
        let texts = self.texts()?;
        let found: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        let missing: Vec<&str> =
            wanted.iter().map(String::as_str).filter(|text| meant(text, found.iter().copied()).is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut message = String::from("Not all of these moves are legal here.");
        list(&mut message, "missing", &missing);
        list(&mut message, "found", &found);
        self.wrong(&message)
    }

    fn illegal(&mut self, typed: &str, reason: Option<&str>) -> Result<(), Wrong> {
        let texts = self.texts()?;
        if meant(typed, texts.iter().map(|(_, text)| text.as_str())).is_some() {
            return self.wrong(&format!("\"{typed}\" is legal here."));
        }
        let Some(reason) = reason else {
            return Ok(());
        };
        let refusal = match self.games()?.plain.find(typed) {
            Ok(_) => return self.wrong(&format!("\"{typed}\" is read as a legal move here.")),
            Err(refusal) => refusal,
        };
        if refusal.reason.as_deref().is_some_and(|found| squeezed(found) == squeezed(reason)) {
            return Ok(());
        }
        let found = match &refusal.reason {
            Some(found) => format!("because \"{found}\""),
            None => format!("without a reason of the rules: {refusal}"),
        };
        self.wrong(&format!(
            "\"{typed}\" is illegal, but for another reason.\n  expected: because \"{reason}\"\n  found: {found}"
        ))
    }

    fn shows(&mut self, text: &str) -> Result<(), Wrong> {
        let rules = self.rules;
        let error = |error: super::DiagramError| Wrong::new(error.to_string());
        let grid = diagram::read(rules, text).map_err(error)?;
        let position = match &self.composed {
            Some(position) => position.clone(),
            None => self.games()?.plain.snapshot(),
        };
        let sites = grid.differences(rules, &Signs::of(rules), &position).map_err(error)?;
        if sites.is_empty() {
            return Ok(());
        }
        let mut message = String::from("The board is not as the example shows it.");
        let names: Vec<&str> = sites.iter().map(|&site| rules.board.sites[site].name.as_str()).collect();
        list(&mut message, "differs at", &names);
        let expected = diagram::position(rules, text, &position).map_err(error)?;
        let _ = write!(message, "\nExpected:\n{}\nFound:", diagram::draw(rules, &expected));
        Err(Wrong::new(with_board(rules, &message, &position)))
    }

    fn ends(&mut self, wanted: &str, places: Option<&[u8]>) -> Result<(), Wrong> {
        match self.games()?.plain.status() {
            Status::Over(outcome) if squeezed(&outcome.reason) == squeezed(wanted) => {
                // Without a result nobody has won either.
                let all_alike = |places: &[u8]| places.iter().all(|place| *place == 1);
                let right =
                    |places: &[u8]| *places == *outcome.places || all_alike(places) && outcome.places.is_empty();
                match places {
                    Some(places) if !right(places) => self.wrong(&format!(
                        "The game ended with other places.\n  expected: {}\n  found: {}",
                        placed(self.rules, places),
                        placed(self.rules, &outcome.places)
                    )),
                    _ => Ok(()),
                }
            }
            Status::Over(outcome) => self.wrong(&format!(
                "The game ended for another reason.\n  expected: \"{wanted}\"\n  found: \"{}\"",
                outcome.reason
            )),
            Status::ToMove(_) | Status::Chance => self.wrong("The game is not over."),
        }
    }

    fn counts(&mut self, counts: &[u64]) -> Result<(), Wrong> {
        let mut nodes = 0u64;
        for (depth, &wanted) in (1..).zip(counts) {
            let games = self.games()?;
            let mut found = vec![("fast", games.fast.perft(depth)?)];
            nodes = nodes.saturating_add(wanted);
            if nodes <= PLAIN_NODES {
                found.push(("plain", games.plain.perft(depth)?));
            }
            if let Some((who, count)) = found.iter().find(|(_, count)| *count != wanted) {
                return self.wrong(&format!(
                    "Another number of sequences of {depth}.\n  expected: {wanted}\n  found: {count} ({who} evaluator)"
                ));
            }
        }
        Ok(())
    }

    /// What does not hold, with the board as it stands.
    fn wrong(&mut self, message: &str) -> Result<(), Wrong> {
        let plain = &self.games()?.plain;
        let position = plain.snapshot();
        if let Status::Over(outcome) = plain.status() {
            let board = diagram::draw(self.rules, &position);
            let places = placed(self.rules, &outcome.places);
            return Err(Wrong::new(format!("{message}\n{board}\nThe game is over ({}: {places}).", outcome.reason)));
        }
        Err(Wrong::new(with_board(self.rules, message, &position)))
    }
}

/// Adds `what: a, b` on a line of its own, if there is anything.
fn list(message: &mut String, what: &str, texts: &[&str]) {
    if !texts.is_empty() {
        let _ = write!(message, "\n  {what}: {}", texts.join(", "));
    }
}

/// `White 1, Black 2`; nobody if all share the first place.
fn placed(rules: &Rules, places: &[u8]) -> String {
    if places.iter().all(|place| *place == 1) {
        return "nobody".to_string();
    }
    let each = rules.seats.iter().zip(places).map(|(seat, place)| format!("{} {place}", seat.name));
    each.collect::<Vec<_>>().join(", ")
}

fn with_board(rules: &Rules, message: &str, position: &Snapshot) -> String {
    let to_move = usize::try_from(position.mover).ok().and_then(|seat| rules.seats.get(seat));
    let to_move = to_move.map_or(String::new(), |seat| format!("\n{} to move", seat.name));
    format!("{message}\n{}{to_move}", diagram::draw(rules, position))
}

/// What a drawing does not show, for comparing evaluators.
fn rest_of(position: &Snapshot) -> String {
    format!(
        "mover {}, next {}, turns {}, resigned {}, games {}, remembered {:?}",
        position.mover, position.next, position.turns, position.resigned, position.games, position.vars
    )
}
