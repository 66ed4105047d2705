//! From where a command looks at a game: its beginning, a position file, and moves played from there.

use std::path::Path;
use std::sync::Arc;

use super::args::FromArgs;
use super::console::Console;
use super::failure::Failure;
use super::game::Game;
use super::words;
use crate::diagnostics::has_errors;
use crate::evaluators::{Evaluators, play_texts};
use crate::library::read_file;
use crate::play::{Snapshot, Speaker, Start, examples};
use crate::rules::Rules;
use crate::rules::example::{ExampleCase, Step};
use crate::source::{FileId, Source, Span};
use crate::syntax::{self, ast};
use crate::trial;

/// A game that stands somewhere.
pub struct Opened {
    /// Both evaluators.
    pub evaluators: Evaluators,
    /// Where it stands.
    pub start: Start,
}

/// The game as a command's `--position` and `--after` say.
pub fn open(game: &mut Game, from: &FromArgs, console: &Console) -> Result<Opened, Failure> {
    let mut opened = match &from.position {
        Some(path) => from_file(game, path, console)?,
        None => Opened { evaluators: Evaluators::new(game.ready(console)?.rules), start: Start::beginning() },
    };
    if let Some(after) = &from.after {
        let mut speaker = opened.evaluators.speaker(&opened.start).map_err(|trouble| game.trouble(trouble))?;
        let texts = if is_one(speaker.as_mut(), after) { vec![after.trim().to_string()] } else { parts(after) };
        let played = play_texts(speaker.as_mut(), &texts);
        // Where moves have blanks in them, blanks cannot keep them apart.
        let blanks = texts.len() > 1
            && !after.contains([',', ';'])
            && played.is_err()
            && speaker.texts().is_ok_and(|listed| listed.iter().any(|(_, text)| text.contains(' ')));
        drop(speaker);
        match played {
            Ok(plays) => opened.start.plays.extend(plays),
            Err((i, refusal)) => {
                console.talk(words::refusal(&game.loaded.sources, &texts[i], &refusal));
                if blanks {
                    console.talk("(Moves are written with blanks here: put commas between them, as in --after \"roll 3 1, pass\".)");
                }
                return Err(Failure::Findings);
            }
        }
    }
    Ok(opened)
}

/// The game as it stands behind the lines of a position file.
fn from_file(game: &mut Game, path: &Path, console: &Console) -> Result<Opened, Failure> {
    let source = read_file(path).map_err(|refusal| Failure::file(path, refusal))?;
    let (rules, case) = lines(game, source, console)?;
    let evaluators = Evaluators::new(rules);
    let start = compose(game, &evaluators, &case, console)?;
    Ok(Opened { evaluators, start })
}

/// The lines of a text as those of an example, with the rules that they ask for.
pub fn lines(game: &mut Game, source: Source, console: &Console) -> Result<(Arc<Rules>, ExampleCase), Failure> {
    let sources = &mut game.loaded.sources;
    let title = source.name.clone();
    let file: FileId = sources.add(source.name, source.text);
    let (lines, found) = syntax::parse_example_lines(file, &sources.get(file).text);
    if has_errors(&found) {
        return Err(console.refuse(&found, sources));
    }
    let title = ast::Text { value: title, span: Span::new(file, 0, 0) };
    let example = ast::Example { title, lines };
    game.loaded.example(&example, &game.settings).map_err(|found| console.refuse(&found, &game.loaded.sources))
}

/// The position from which the game begins if nothing else is said.
pub fn first_position(game: &Game, evaluators: &Evaluators) -> Result<Snapshot, Failure> {
    Ok(evaluators.oracle(&Start::beginning()).map_err(|trouble| game.trouble(trouble))?.snapshot())
}

/// Runs an example's lines; gives how the game stands behind them.
pub fn compose(game: &Game, evaluators: &Evaluators, case: &ExampleCase, console: &Console) -> Result<Start, Failure> {
    let first = first_position(game, evaluators)?;
    examples::run(evaluators.rules(), case, evaluators, &first).map_err(|wrong| {
        let found = vec![trial::mismatch("position", &wrong, evaluators.rules())];
        console.refuse(&found, &game.loaded.sources)
    })
}

/// The lines before the first move.
pub fn opening(case: &ExampleCase) -> ExampleCase {
    let steps = case.steps.iter().take_while(|(step, _)| !matches!(step, Step::Play(_)));
    let steps = steps.filter(|(step, _)| !matches!(step, Step::Shows(_) | Step::Ends(..)));
    ExampleCase { title: case.title.clone(), steps: steps.cloned().collect() }
}

/// Is this one move or throw that is written with blanks?
fn is_one(speaker: &mut dyn Speaker, text: &str) -> bool {
    text.trim().contains(char::is_whitespace)
        && !text.contains([',', ';'])
        && speaker.find(text).is_ok_and(|found| speaker.text_of(&found).is_ok_and(|text| text.contains(' ')))
}

/// The moves of a list: apart by commas or semicolons if there are any, else by blanks.
fn parts(list: &str) -> Vec<String> {
    let parts: Vec<&str> = match list.contains([',', ';']) {
        true => list.split([',', ';']).collect(),
        false => list.split_whitespace().collect(),
    };
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(str::to_string).collect()
}
