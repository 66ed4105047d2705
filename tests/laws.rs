//! What holds for every game under every house file, tried in random games from fixed seeds:
//!
//! * both evaluators see the same status, the same position and the same moves at every ply, and count the same sequences;
//! * no two moves share a text, and every text leads back to its move;
//! * the same seed gives the same game;
//! * every random game ends by an end that the game names, or by its bound;
//! * in a game that hands something on to the next one of a match, both evaluators begin that one alike.
//!
//! And of the games in `symmetries.txt`: a turned position has the turned moves, and leads to turned positions.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::render::{Style, render_all};
use lusory::evaluators::Evaluators;
use lusory::house;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::play::series::hands_on;
use lusory::play::speaker::squeezed;
use lusory::play::{Chance, Move, Outcome, Snapshot, Speaker, Start, Status, Table, diagram};
use lusory::rules::Rules;
use lusory::trial::symmetry::Symmetry;

/// Random games a game, and how long they are followed.
const GAMES: u64 = 2;
const PLIES: usize = 60;
/// How long one game may be followed in all; what is left then is not tried.
const LONGEST: Duration = Duration::from_secs(3);
/// Moves whose texts are read back at each ply.
const READ_BACK: usize = 3;
/// Sequences that the plain evaluator counts.
const NODES: u64 = 400;
/// Random games that are played to their end, and how long that may take.
const ENDED: u64 = 300;
const ENDING: Duration = Duration::from_secs(4);
/// Positions that are turned, and how long both are followed.
const TURNED: u64 = 12;
const STEPS: usize = 10;
/// Outcomes of one throw that both evaluators list at most.
const OUTCOMES: usize = 256;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = Vec::new();
    for game in Bundled.names() {
        let files = Bundled.house_files(&game).into_iter().map(Some);
        for file in std::iter::once(None).chain(files) {
            let name = format!("{game} {}", file.as_deref().unwrap_or("as it is"));
            let (own, own_file) = (game.clone(), file.clone());
            let game = game.clone();
            let test = move || laws(&game, file.as_deref()).map_err(Failed::from);
            trials.push(Trial::test(name.clone(), test));
            let (game, file) = (own, own_file);
            let test = move || ends(&game, file.as_deref()).map_err(Failed::from);
            trials.push(Trial::test(format!("{name}: ends"), test));
        }
    }
    let table = include_str!("symmetries.txt").lines().filter(|line| !line.starts_with('#'));
    for line in table {
        let name = line.split_whitespace().next().unwrap_or_default();
        trials.push(Trial::test(format!("{name}: turned"), move || turned(line).map_err(Failed::from)));
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// A game under a house file.
fn rules(game: &str, file: Option<&str>) -> Result<Arc<Rules>, String> {
    let source = Bundled.read(game).ok_or("no such game")?;
    let mut loaded = pipeline::load(source, &Bundled, &Embedded);
    let mut settings = Vec::new();
    if let Some(name) = file {
        let source = Bundled.house_file(game, name).ok_or("no such house file")?;
        let id = loaded.sources.add(&source.name, &source.text);
        let style = Style::default();
        let house = house::read(id, &source.text).map_err(|found| render_all(&found, &loaded.sources, style))?;
        settings = pipeline::house_settings(house, &source.name);
    }
    let ready = loaded.ready(&settings);
    Ok(ready.map_err(|found| render_all(&found, &loaded.sources, Style::default()))?.rules)
}

fn laws(game: &str, file: Option<&str>) -> Result<(), String> {
    let evaluators = Evaluators::new(rules(game, file)?);
    let until = Instant::now() + LONGEST;
    for number in 0..GAMES {
        let first = follow(&evaluators, number, until)?;
        if Instant::now() < until {
            let again = quickly(&evaluators, number, first.len())?;
            if first != again {
                return Err(format!("game {number} of seed 1 is another one when it is played again"));
            }
        }
    }
    counts(&evaluators)
}

/// A game on both evaluators at once.
fn follow(evaluators: &Evaluators, number: u64, until: Instant) -> Result<Vec<Move>, String> {
    let failed = |trouble: lusory::play::Trouble| trouble.to_string();
    let rules = evaluators.rules();
    let mut chance = Chance::nth(1, number);
    let mut plain = evaluators.speaker(&Start::beginning()).map_err(failed)?;
    let mut fast = evaluators.table(&Start::beginning()).map_err(failed)?;
    let mut played = Vec::new();
    while played.len() < PLIES && Instant::now() < until {
        let position = plain.snapshot();
        let at = |what: &str| {
            let board = diagram::draw(rules, &position);
            format!("{what} differ in game {number} after {} moves {played:?}\n{board}", played.len())
        };
        if plain.status() != fast.status() {
            return Err(at(&format!("the statuses plain {:?} and fast {:?}", plain.status(), fast.status())));
        }
        if position != fast.snapshot() {
            return Err(at(&format!("the positions plain {position:?} and fast {:?}", fast.snapshot())));
        }
        let chosen = match fast.status() {
            Status::Over(_) => break,
            Status::Chance => {
                // As many as a set-up may have are too many for the plain one.
                if !played.is_empty()
                    && let Ok(outcomes) = fast.outcomes()
                    && outcomes.len() <= OUTCOMES
                    && plain.outcomes().map_err(failed)? != outcomes
                {
                    return Err(at("what chance may bring, or how often,"));
                }
                draw(fast.as_mut(), &mut chance)?
            }
            Status::ToMove(_) => {
                let (one, other) = (plain.moves().map_err(failed)?, fast.moves().map_err(failed)?);
                if one != other {
                    return Err(at(&format!("the moves plain {one:?} and fast {other:?}")));
                }
                let i = chance.below(one.len() as u64) as usize;
                texts(plain.as_mut(), &mut chance)?;
                one[i].clone()
            }
        };
        plain.play(&chosen).map_err(failed)?;
        fast.play(&chosen).map_err(failed)?;
        played.push(chosen);
    }
    Ok(played)
}

/// What chance brings.
fn draw(table: &mut dyn Table, chance: &mut Chance) -> Result<Move, String> {
    table.draw(&mut |n| chance.below(n)).map_err(|trouble| trouble.to_string())
}

/// The texts of all moves are different; some are read back.
fn texts(game: &mut dyn Speaker, chance: &mut Chance) -> Result<(), String> {
    let listed = game.texts().map_err(|trouble| trouble.to_string())?;
    let mut texts: Vec<&str> = listed.iter().map(|(_, text)| text.as_str()).collect();
    texts.sort_unstable();
    if let Some(pair) = texts.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("two moves are both written {:?}", pair[0]));
    }
    // Which are read back must not change what is played: the generator is a copy.
    let mut chance = chance.clone();
    for _ in 0..READ_BACK.min(listed.len()) {
        let (chosen, text) = &listed[chance.below(listed.len() as u64) as usize];
        let alike = listed.iter().filter(|(_, other)| squeezed(other) == squeezed(text)).count();
        let typed = if alike == 1 { text.to_uppercase() } else { text.clone() };
        match game.find(&typed) {
            Ok(found) if found == *chosen => {}
            Ok(_) => return Err(format!("{typed:?} is read as another move")),
            Err(refusal) => return Err(format!("{typed:?} is legal and refused: {refusal}")),
        }
    }
    Ok(())
}

/// The same game on the fast evaluator alone.
fn quickly(evaluators: &Evaluators, number: u64, plies: usize) -> Result<Vec<Move>, String> {
    let failed = |trouble: lusory::play::Trouble| trouble.to_string();
    let mut chance = Chance::nth(1, number);
    let mut game = evaluators.table(&Start::beginning()).map_err(failed)?;
    let mut played = Vec::new();
    while played.len() < plies {
        let chosen = match game.status() {
            Status::Over(_) => break,
            Status::Chance => draw(game.as_mut(), &mut chance)?,
            Status::ToMove(_) => {
                let moves = game.moves().map_err(failed)?;
                moves[chance.below(moves.len() as u64) as usize].clone()
            }
        };
        game.play(&chosen).map_err(failed)?;
        played.push(chosen);
    }
    Ok(played)
}

/// Both count the same, from the first decision of a seat on, as deep as the plain one may.
fn counts(evaluators: &Evaluators) -> Result<(), String> {
    let failed = |trouble: lusory::play::Trouble| trouble.to_string();
    let mut chance = Chance::nth(2, 0);
    let mut plain = evaluators.slow_table(&Start::beginning()).map_err(failed)?;
    let mut fast = evaluators.table(&Start::beginning()).map_err(failed)?;
    while fast.status() == Status::Chance {
        let thrown = draw(fast.as_mut(), &mut chance)?;
        fast.play(&thrown).map_err(failed)?;
        plain.play(&thrown).map_err(failed)?;
    }
    for depth in 1..=3 {
        let other = fast.perft(depth).map_err(failed)?;
        if depth > 1 && other > NODES {
            break;
        }
        let one = plain.perft(depth).map_err(failed)?;
        if one != other {
            return Err(format!("sequences of {depth} moves: plain {one}, fast {other}"));
        }
    }
    Ok(())
}

/// Random games to their end.
fn ends(game: &str, file: Option<&str>) -> Result<(), String> {
    let evaluators = Evaluators::new(rules(game, file)?);
    let rules = evaluators.rules();
    let until = Instant::now() + ENDING;
    let mut playout = evaluators.playouts(1);
    for number in 0..ENDED {
        let result = playout(number).map_err(|trouble| format!("game {number}: {trouble}"))?;
        let Outcome { reason, ending, places, .. } = result.outcome;
        if ending.is_none() && *reason != *"turn limit" {
            return Err(format!("game {number} of seed 1 ends with {reason:?}"));
        }
        if !places.is_empty() && places.len() != rules.n_seats() {
            return Err(format!("game {number} of seed 1 has the places {places:?}"));
        }
        if Instant::now() > until {
            break;
        }
    }
    if hands_on(rules) { follows(&evaluators) } else { Ok(()) }
}

/// The next game of a match begins alike on both evaluators.
fn follows(evaluators: &Evaluators) -> Result<(), String> {
    let failed = |trouble: lusory::play::Trouble| trouble.to_string();
    let mut chance = Chance::nth(3, 0);
    let mut start = Start::beginning();
    for number in 1..=3 {
        let mut plain = evaluators.speaker(&start).map_err(failed)?;
        let mut fast = evaluators.table(&start).map_err(failed)?;
        loop {
            if plain.status() != fast.status() || plain.snapshot() != fast.snapshot() {
                return Err(format!("game {number} of a match begins differently"));
            }
            if fast.snapshot().games != number - 1 {
                return Err(format!("game {number} of a match says {} are over", fast.snapshot().games));
            }
            if fast.snapshot().turns > 0 || matches!(fast.status(), Status::Over(_)) {
                break;
            }
            let chosen = any(fast.as_mut(), &mut chance)?;
            plain.play(&chosen).map_err(failed)?;
            fast.play(&chosen).map_err(failed)?;
        }
        while !matches!(fast.status(), Status::Over(_)) {
            let chosen = any(fast.as_mut(), &mut chance)?;
            fast.play(&chosen).map_err(failed)?;
        }
        let last = fast.snapshot();
        start = Start::after(last);
    }
    Ok(())
}

/// A move, or what chance brings.
fn any(table: &mut dyn Table, chance: &mut Chance) -> Result<Move, String> {
    if table.status() == Status::Chance {
        return draw(table, chance);
    }
    let moves = table.moves().map_err(|trouble| trouble.to_string())?;
    moves.get(chance.below(moves.len() as u64) as usize).cloned().ok_or("no move".to_string())
}

/// Plays on from positions of random games and from the same ones turned.
fn turned(line: &str) -> Result<(), String> {
    let failed = |trouble: lusory::play::Trouble| trouble.to_string();
    let (game, how) = line.split_once(' ').ok_or("a line without a game")?;
    let evaluators = Evaluators::new(rules(game, None)?);
    let rules = evaluators.rules();
    let symmetry = Symmetry::read(rules, how)?;
    let mut chance = Chance::nth(4, 0);
    for number in 0..TURNED {
        // The last position of a random game at which a turn began, after so many turns at most.
        let turns = 1 + chance.below(100) as i32;
        let mut table = evaluators.table(&Start::beginning()).map_err(failed)?;
        let mut position = None;
        while !matches!(table.status(), Status::Over(_)) && table.snapshot().turns < turns {
            let before = table.snapshot().turns;
            let chosen = any(table.as_mut(), &mut chance)?;
            table.play(&chosen).map_err(failed)?;
            if table.snapshot().turns > before && !matches!(table.status(), Status::Over(_)) {
                position = Some(table.snapshot());
            }
        }
        let Some(position) = position else { continue };
        let here = |from: Snapshot| Start { from: Some(from), ..Start::default() };
        let mut one = evaluators.speaker(&here(position.clone())).map_err(failed)?;
        let mut other = evaluators.speaker(&here(symmetry.position(rules, &position))).map_err(failed)?;
        for _ in 0..STEPS {
            let board = diagram::draw(evaluators.rules(), &one.snapshot());
            let differs = |what: &str| format!("{what}, position {number}:\n{board}");
            if symmetry.status(rules, one.status()) != other.status() {
                return Err(differs(&format!("{:?} and turned {:?}", one.status(), other.status())));
            }
            if symmetry.position(rules, &one.snapshot()) != other.snapshot() {
                return Err(differs("the turned position is another"));
            }
            if matches!(one.status(), Status::Over(_)) {
                break;
            }
            let texts = |game: &mut dyn Speaker| game.texts().map_err(|trouble| trouble.to_string());
            let (listed, list) = (texts(one.as_mut())?, texts(other.as_mut())?);
            let mut moves: Vec<String> = listed.iter().map(|(_, text)| symmetry.text(rules, text)).collect();
            let mut turned: Vec<&str> = list.iter().map(|(_, text)| text.as_str()).collect();
            let i = chance.below(listed.len() as u64) as usize;
            let (chosen, same) = (listed[i].0.clone(), moves[i].clone());
            moves.sort_unstable();
            turned.sort_unstable();
            if moves != turned {
                return Err(differs(&format!("the moves, turned {moves:?}, are {turned:?}")));
            }
            let found = list.iter().find(|(_, text)| *text == same).ok_or_else(|| differs("a move is lost"))?;
            one.play(&chosen).map_err(failed)?;
            other.play(&found.0).map_err(failed)?;
        }
    }
    Ok(())
}
