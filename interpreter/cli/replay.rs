//! `lusory replay`: a saved game, played again move by move.

use serde::Serialize;

use super::args::ReplayArgs;
use super::console::Console;
use super::failure::Failure;
use super::play::told;
use super::{game, start, words};
use crate::diagnostics::Diagnostic;
use crate::evaluators::Evaluators;
use crate::library::read_file;
use crate::play::record::Record;
use crate::play::session::{ReplayError, Session};
use crate::play::{Status, diagram};
use crate::rules::example::{ExampleCase, Step};
use crate::source::Span;
use crate::trial::{finding, seat_name};

#[derive(Serialize)]
struct Replayed {
    game: String,
    moves: Vec<String>,
    board: String,
    to_move: Option<String>,
    result: Option<String>,
}

/// Plays it again.
pub fn run(args: &ReplayArgs, console: &Console) -> Result<(), Failure> {
    let source = read_file(&args.file).map_err(|refusal| Failure::file(&args.file, refusal))?;
    let record = Record::parse(&source.text);
    let named = || {
        let header = record.as_ref().map_or(&[][..], |record| record.header.as_slice());
        header.iter().find_map(|line| line.strip_prefix("game:")).map(|name| name.trim().to_string())
    };
    let (name, mut game) = match (&args.game, named()) {
        (Some(name), _) => (name.clone(), game::load(name, &args.rules, console)?),
        (None, Some(name)) => (name.clone(), game::load_named(&name, &args.rules, console)?),
        (None, None) => {
            let file = args.file.display();
            return Err(Failure::Usage(format!("{file} does not say \"// game: NAME\"; say it with --game NAME")));
        }
    };
    let (rules, case) = start::lines(&mut game, source, console)?;
    let refuse = |span: Span, message: &str| {
        let found: Vec<Diagnostic> = vec![finding("replay", span, message)];
        console.refuse(&found, &game.loaded.sources)
    };
    let record = record.map_err(|error| refuse(Span::default(), &error.to_string()))?;
    let evaluators = Evaluators::new(rules);
    let start = start::compose(&game, &evaluators, &start::opening(&case), console)?;
    let begin = || evaluators.speaker(&start);
    let session = Session::new(evaluators.rules(), 0, Box::new(begin));
    let mut session = session.map_err(|trouble| game.trouble(trouble))?;
    if start.from.is_some() {
        session = session.with_first(start::first_position(&game, &evaluators)?);
    }
    let rules = evaluators.rules();
    let shown = |session: &Session| session.shown(None).map_err(|trouble| game.trouble(trouble));
    if !args.json {
        console.data(&rules.title)?;
    }
    if args.steps {
        console.data(format!("\n{}", shown(&session)?))?;
    }
    for (text, span) in plays(&case) {
        match session.repeat(text) {
            Ok(entry) if args.steps => {
                let told = told(rules, entry);
                console.data(format!("\n{told}\n{}", shown(&session)?))?;
            }
            Ok(_) => {}
            Err(refusal) => {
                let said = words::refusal(&game.loaded.sources, text, &refusal);
                let board = diagram::draw(rules, &session.snapshot());
                let said = said.replace("\n  ", "\n");
                return Err(refuse(span, &format!("{said}\n{board}")));
            }
        }
    }
    // What the record says of the end is compared by the session; only then is it known where that stands.
    let rest = Record { plays: Vec::new(), ..record };
    if let Err(error) = session.replay(&rest) {
        let span = place(&case, &error).unwrap_or_default();
        return Err(refuse(span, &error.to_string()));
    }
    let (to_move, result) = match session.status() {
        Status::Over(outcome) => (None, Some(words::outcome(rules, &outcome))),
        Status::ToMove(seat) => (Some(seat_name(rules, seat).to_string()), None),
        Status::Chance => (Some("chance".to_string()), None),
    };
    if args.json {
        let moves = session.entries().iter().map(|entry| entry.text.clone()).collect();
        return console.json(&Replayed { game: name, moves, board: session.board(), to_move, result });
    }
    let below = result.or_else(|| to_move.map(|seat| format!("{seat} to move."))).unwrap_or_default();
    if args.steps {
        return console.data(format!("\n{below}"));
    }
    console.data(format!("\n{}\n{below}", shown(&session)?))
}

/// Every text of a `play`, with its line.
fn plays(case: &ExampleCase) -> impl Iterator<Item = (&String, Span)> {
    case.steps.iter().flat_map(|(step, span)| {
        let texts = match step {
            Step::Play(texts) => texts.as_slice(),
            _ => &[],
        };
        texts.iter().map(|text| (text, *span))
    })
}

/// The line that an error is about.
fn place(case: &ExampleCase, error: &ReplayError) -> Option<Span> {
    let about = |step: &Step| match error {
        ReplayError::End { .. } => matches!(step, Step::Ends(..)),
        _ => matches!(step, Step::Shows(_)),
    };
    case.steps.iter().rev().find(|(step, _)| about(step)).map(|(_, span)| *span)
}
