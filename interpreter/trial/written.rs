//! Positions and games as texts: written down and read back they are the same.

use super::course::Course;
use super::laws::{Laws, failed};
use crate::diagnostics::render::{Style, render_all};
use crate::evaluators::Evaluators;
use crate::play::record::Record;
use crate::play::session::Session;
use crate::play::{Snapshot, Start, examples, position};
use crate::source::Span;
use crate::syntax::{self, ast};

/// The position as text.
pub fn position(laws: &Laws, course: &mut Course) -> Result<(), String> {
    let Some(loaded) = laws.loaded else { return Ok(()) };
    let now = course.plain.snapshot();
    let text = position::write(laws.rules(), &now, &laws.first);
    let mut loaded = loaded.clone();
    let file = loaded.sources.add("position", &*text);
    let (lines, found) = syntax::parse_example_lines(file, &text);
    let title = ast::Text { value: "position".to_string(), span: Span::new(file, 0, 0) };
    let read = match found.is_empty() {
        true => loaded.example(&ast::Example { title, lines }, laws.settings),
        false => Err(found),
    };
    let unread = |found: &_| format!("{text}\nis not read: {}", render_all(found, &loaded.sources, Style::default()));
    let (rules, case) = read.map_err(|found| unread(&found))?;
    let evaluators = Evaluators::with(rules, laws.evaluators.engine().switches());
    let start = examples::run(evaluators.rules(), &case, &evaluators, &laws.first)
        .map_err(|wrong| format!("{text}\nis not read: {}", wrong.message))?;
    // A text tells whose turn it is; what the turn has settled beyond that, a record tells.
    let told = |position: &Snapshot| {
        let mut told = position.clone();
        told.next = told.mover;
        told
    };
    match start.from {
        Some(read) if told(&read) == told(&now) => Ok(()),
        _ => Err(format!("{text}\nis read as another position")),
    }
}

/// What is read back of a record: not who moved, nor blanks around a diagram.
fn bare(record: &Record) -> Record {
    let mut bare = record.clone();
    bare.plays.iter_mut().for_each(|line| line.by.clear());
    bare.shows = bare.shows.map(|shows| shows.trim().to_string());
    bare
}

/// The game as text; and going back to each of its moves.
pub fn record(laws: &Laws, course: &mut Course) -> Result<(), String> {
    let begin = || laws.evaluators.speaker(&Start::beginning());
    let mut session = Session::new(laws.rules(), 0, Box::new(begin)).map_err(failed)?;
    let mut past = Vec::new();
    for chosen in &course.plays {
        past.push((session.snapshot(), session.status()));
        session.play(chosen.clone()).map_err(failed)?;
    }
    let record = session.record();
    let text = record.to_string();
    match Record::parse(&text) {
        Ok(read) if bare(&read) == bare(&record) => {}
        Ok(_) => return Err(format!("the record\n{text}\nis read as another one")),
        Err(error) => return Err(format!("the record\n{text}\nis not read: {error}")),
    }
    let mut again = Session::new(laws.rules(), 0, Box::new(begin)).map_err(failed)?;
    if let Err(error) = again.replay(&record) {
        return Err(format!("the record\n{text}\nis not played again: {error}"));
    }
    if (again.snapshot(), again.status()) != (session.snapshot(), session.status()) {
        return Err(format!("the record\n{text}\nleads to another position"));
    }
    let Some(keep) = past.len().checked_sub(1 + course.plays.len() % 3) else { return Ok(()) };
    session.back_to(keep).map_err(failed)?;
    match past.get(keep) {
        Some(then) if (session.snapshot(), session.status()) != *then => {
            Err(format!("{keep} moves are kept, and the position is not as it was after them"))
        }
        _ => Ok(()),
    }
}
