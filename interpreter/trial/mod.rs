//! Tries what a game claims about itself: its examples, and its properties in random games.
//!
//! In goes a game as read; out comes nothing, or a finding with its place, for people. `lusory test` and the tests of this
//! repository both come here.

use crate::diagnostics::{Diagnostic, Diagnostics};
use std::sync::Arc;

use crate::evaluators::{Evaluators, Watched};
use crate::fast::switches::Switches;
use crate::pipeline::{Loaded, Ready};
use crate::play::examples::Mismatch;
use crate::play::{Chance, Move, Start, Table, Trouble, examples};
use crate::reference::watch::Watch;
use crate::rules::{Property, Rules};
use crate::source::{FileId, Span};
use crate::syntax::ast::Example;

pub mod course;
pub mod coverage;
pub mod games;
pub mod laws;
pub mod shrink;
pub mod suite;
pub mod symmetry;
mod written;

pub use games::Effort;
pub use laws::{Law, Laws};
pub use shrink::Shrunk;

/// The examples that stand in the game's own file.
pub fn own_examples(loaded: &Loaded) -> impl Iterator<Item = &Example> {
    loaded.game.examples.iter().filter(|example| example.title.span.file == FileId(0))
}

/// The properties that stand in the game's own file.
pub fn own_properties(ready: &Ready) -> impl Iterator<Item = &Property> {
    ready.rules.properties.iter().filter(|property| property.span.file == FileId(0))
}

/// Runs an example.
pub fn example(loaded: &Loaded, example: &Example) -> Result<(), Diagnostics> {
    example_watched(loaded, example, Switches::ON, None).map(|_| ()).map_err(|(_, found)| found)
}

/// The rules of an example, if it could be read, and what does not hold.
type Failed = (Option<Arc<Rules>>, Diagnostics);

/// The same while somebody may watch; gives the rules.
pub fn example_watched(
    loaded: &Loaded,
    example: &Example,
    switches: Switches,
    watch: Option<&Watch>,
) -> Result<Arc<Rules>, Failed> {
    let (rules, case) = loaded.example(example, &[]).map_err(|found| (None, found))?;
    let evaluators = Evaluators::with(rules.clone(), switches);
    let begun =
        |trouble: Trouble| (Some(rules.clone()), vec![cannot_begin("example", example.title.span, &trouble, &rules)]);
    let stage = Watched(&evaluators, watch);
    let first = evaluators.watched(&Start::beginning(), watch).map_err(begun)?.snapshot();
    match examples::run(evaluators.rules(), &case, &stage, &first) {
        Ok(_) => Ok(rules),
        Err(wrong) => Err((Some(rules), vec![mismatch("example", &wrong, evaluators.rules())])),
    }
}

/// A finding whose first line is the sentence and whose other lines are the proof.
pub fn finding(code: &'static str, span: Span, message: &str) -> Diagnostic {
    match message.split_once('\n') {
        Some((sentence, proof)) => Diagnostic::error(code, span, sentence).help(proof),
        None => Diagnostic::error(code, span, message),
    }
}

/// A line of an example that does not hold, with the rule where the game was stopped, if it was.
pub fn mismatch(code: &'static str, wrong: &Mismatch, rules: &Rules) -> Diagnostic {
    let diag = with_values(finding(code, wrong.span, &wrong.message), &wrong.values);
    let Some(inside) = wrong.stopped else { return diag };
    let callers = rules.callers_of(inside).iter();
    callers.fold(diag.also(inside, "it is stopped here"), |diag, caller| diag.also(*caller, "called from here"))
}

/// A finding that says what parts of its line come to.
fn with_values(diag: Diagnostic, values: &[(Span, String)]) -> Diagnostic {
    values.iter().fold(diag, |diag, (span, value)| diag.also(*span, format!("is {value}")))
}

/// A game that runs into a limit before anybody can play: at the rule where it does, if there is one, else here. A rule of the library is
/// told beside the place where the game calls it.
fn cannot_begin(code: &'static str, here: Span, trouble: &Trouble, rules: &Rules) -> Diagnostic {
    let inside = trouble.span().unwrap_or(here);
    let message = format!("The game cannot begin: {trouble}.");
    match rules.callers_of(inside) {
        [caller] => Diagnostic::error(code, *caller, message).also(inside, "it is stopped here"),
        callers => {
            let diag = Diagnostic::error(code, inside, message);
            callers.iter().fold(diag, |diag, caller| diag.also(*caller, "called from here"))
        }
    }
}

/// Tries a property in random games.
pub fn property(evaluators: &Evaluators, property: &Property, effort: Effort) -> Result<(), Diagnostics> {
    let begun = |trouble: Trouble| vec![cannot_begin("property", property.span, &trouble, evaluators.rules())];
    let laws = Laws {
        evaluators,
        loaded: None,
        settings: &[],
        symmetry: None,
        options: Vec::new(),
        properties: std::slice::from_ref(property),
        first: evaluators.oracle(&Start::beginning()).map_err(begun)?.snapshot(),
    };
    let tried = games::try_laws(&laws, &[Law::Property(0)], effort, None);
    tried.map_err(|shrunk| vec![broken(&laws, &shrunk, property.span)])
}

/// A law that does not hold, with the game that shows it.
pub fn broken(laws: &Laws, shrunk: &Shrunk, span: Span) -> Diagnostic {
    let Shrunk { broken, texts, board, values, .. } = shrunk;
    let title = laws.title(broken.law);
    let (said, more) = broken.said.split_once('\n').unwrap_or((broken.said.as_str(), ""));
    let more = if more.is_empty() { String::new() } else { format!("{more}\n") };
    let played = match texts.as_slice() {
        [] => "at the start".to_string(),
        texts => format!("played: {}", texts.join(", ")),
    };
    let code = if matches!(broken.law, Law::Property(_)) { "property" } else { "law" };
    let diag = finding(code, span, &format!("\"{title}\" does not hold: {said}.\n{more}{played}\n{board}"));
    with_values(diag, values)
}

/// One of the legal moves, every one alike.
pub fn one_of<T: Table + ?Sized>(game: &mut T, chance: &mut Chance) -> Result<Move, Trouble> {
    let moves = game.moves()?;
    let i = chance.below(moves.len() as u64) as usize;
    moves.into_iter().nth(i).ok_or(Trouble::NotNow)
}

/// The name of a seat.
pub fn seat_name(rules: &Rules, seat: i32) -> &str {
    let seat = usize::try_from(seat).ok().and_then(|seat| rules.seats.get(seat));
    seat.map_or("nobody", |seat| seat.name.as_str())
}
