//! `lusory show`: what a game is, for somebody who is about to play it.

use serde::Serialize;

use super::args::ShowArgs;
use super::console::Console;
use super::failure::Failure;
use super::game::{self, Game};
use super::words;
use crate::compare::options::origin;
use crate::evaluators::Evaluators;
use crate::house::{Chosen, RESERVED, choices};
use crate::play::Start;
use crate::play::session::Session;
use crate::rules::board::{DIRECTIONS, Shape};
use crate::rules::{Ending, KindOwner, NONE, Rules};
use crate::source::Sources;
use crate::trial::seat_name;

#[derive(Serialize)]
struct Shown {
    name: String,
    title: String,
    about: Vec<String>,
    players: Vec<Player>,
    begins: String,
    /// Where it was said who begins, if not by the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    begins_origin: Option<String>,
    width: i32,
    length: i32,
    /// The same in words.
    #[serde(skip)]
    size: String,
    board: String,
    /// What the position remembers besides.
    remembered: Vec<String>,
    /// What chance brought before the board stood so.
    thrown: Vec<String>,
    pieces: Vec<Piece>,
    options: Vec<Opt>,
    rules: Vec<Words>,
    ends: Vec<End>,
}

#[derive(Serialize)]
struct Player {
    name: String,
    faces: Option<&'static str>,
}

#[derive(Serialize)]
struct Piece {
    kind: String,
    /// Symbol and seat; none: nobody's.
    symbols: Vec<(String, Option<String>)>,
}

#[derive(Serialize)]
struct Opt {
    name: String,
    about: Vec<String>,
    #[serde(rename = "type")]
    sort: &'static str,
    value: String,
    default: String,
    choices: String,
    /// Is it otherwise than the game says?
    changed: bool,
    origin: String,
}

/// What the author says of a part of the rules.
#[derive(Serialize)]
struct Words {
    name: String,
    about: Vec<String>,
}

#[derive(Serialize)]
struct End {
    name: String,
    about: Vec<String>,
    rule: String,
}

/// Chance for a first position that is thrown.
const SEED: u64 = 1;

/// Shows it.
pub fn run(args: &ShowArgs, console: &Console) -> Result<(), Failure> {
    let game = game::load(&args.game.game, &args.game.rules, console)?;
    let ready = game.ready(console)?;
    let evaluators = Evaluators::new(ready.rules.clone());
    let begin = || evaluators.speaker(&Start::beginning());
    let session = Session::new(evaluators.rules(), SEED, Box::new(begin));
    let mut session = session.map_err(|trouble| game.trouble(trouble))?;
    session.roll().map_err(|trouble| game.trouble(trouble))?;
    let thrown: Vec<String> = session.entries().iter().map(|entry| entry.text.clone()).collect();
    let mut shown = shown(&game, &ready.rules, &ready.chosen, session.board(), thrown);
    shown.remembered = session.remembered();
    if args.json { console.json(&shown) } else { console.data(words::trimmed(&page(&shown))) }
}

fn shown(game: &Game, rules: &Rules, chosen: &[Chosen], board: String, thrown: Vec<String>) -> Shown {
    let sources = &game.loaded.sources;
    let faces = |facing: i32| usize::try_from(facing).ok().and_then(|facing| DIRECTIONS.get(facing).copied());
    let players = rules.seats.iter();
    let players = players.map(|seat| Player { name: seat.name.clone(), faces: faces(seat.facing) }).collect();
    let options = game.loaded.declared.iter().zip(chosen);
    let first = game.settings.iter().rev().find(|(setting, _)| setting.name == RESERVED);
    Shown {
        name: game.name.clone(),
        title: rules.title.clone(),
        about: game.loaded.game.docs.clone(),
        players,
        begins: seat_name(rules, rules.first).to_string(),
        begins_origin: first.map(|(_, from)| origin(sources, from)),
        width: rules.board.width,
        length: rules.board.length,
        size: size(rules),
        board,
        remembered: Vec::new(),
        thrown,
        pieces: pieces(rules),
        options: options
            .map(|(option, chosen)| Opt {
                name: option.name.clone(),
                about: option.docs.clone(),
                sort: sort(option),
                value: chosen.value.to_string(),
                default: option.default.to_string(),
                choices: choices(option),
                changed: chosen.value != option.default,
                origin: origin(sources, &chosen.origin),
            })
            .collect(),
        rules: in_words(game),
        ends: rules
            .ends
            .iter()
            .map(|end| End { name: end.name.to_string(), about: end.docs.clone(), rule: rule(sources, end) })
            .collect(),
    }
}

/// The rules in the words of those who wrote them: set-up, turn, what happens behind it, what is remembered, definitions and actions.
fn in_words(game: &Game) -> Vec<Words> {
    let game = &game.loaded.game;
    let words = |name: &str, about: &[String]| Words { name: name.to_string(), about: about.to_vec() };
    let setup = game.setup.iter().map(|item| words("setup", &item.docs));
    let turn = game.turn.iter().map(|item| words("turn", &item.docs));
    let after = game.after.iter().map(|item| words("after turn", &item.docs));
    let remembers = game.remembers.iter().map(|item| words(&item.item.name.text, &item.docs));
    let tracks = game.tracks.iter().map(|item| words(&item.item.name.text, &item.docs));
    let defines = game.defines.iter().filter_map(|item| Some(words(&item.layers.first()?.head.name.text, &item.docs)));
    let actions = game.actions.iter().filter_map(|item| Some(words(&item.layers.first()?.head.name.text, &item.docs)));
    let all = setup.chain(turn).chain(after).chain(remembers).chain(tracks).chain(defines).chain(actions);
    all.filter(|words| !words.about.is_empty()).collect()
}

fn pieces(rules: &Rules) -> Vec<Piece> {
    let symbols = |kind: &crate::rules::Kind| {
        let seats = (0..rules.n_seats()).map(|seat| (seat as i32, true)).chain([(NONE, false)]);
        let has = |seat: i32| match kind.owner {
            KindOwner::Any => seat != NONE,
            KindOwner::Seat(only) => i32::from(only) == seat,
            KindOwner::Nobody => seat == NONE,
        };
        seats
            .zip(&kind.symbols)
            .filter(|((seat, _), symbol)| has(*seat) && !symbol.is_empty())
            .map(|((seat, owned), symbol)| (symbol.clone(), owned.then(|| seat_name(rules, seat).to_string())))
            .collect()
    };
    rules.kinds.iter().map(|kind| Piece { kind: kind.name.clone(), symbols: symbols(kind) }).collect()
}

/// What sort of value an option takes.
fn sort(option: &crate::house::Declared) -> &'static str {
    use crate::house::Allowed::*;
    let number = option.allowed.iter().any(|one| matches!(one, Int(_) | Range(..)));
    let word = option.allowed.iter().any(|one| matches!(one, Word(_)));
    match option.default {
        crate::house::SettingValue::Bool(_) => "yes or no",
        _ if option.allowed.contains(&Text) => "text",
        _ if number && word => "number or word",
        _ if number => "number",
        _ => "word",
    }
}

/// An ending as it is written, on one line, without its name.
fn rule(sources: &Sources, end: &Ending) -> String {
    let words = sources.words(end.span).split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = words.strip_prefix(&*end.name).and_then(|rest| rest.strip_prefix(':'));
    let rest = rest.map_or(words.clone(), |rest| rest.trim().to_string());
    // Of several conditions with one result, its own.
    match rest.split_once(" when {") {
        Some((result, _)) => {
            let own = sources.words(end.when.span).split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{result} when {own}")
        }
        None => rest,
    }
}

fn size(rules: &Rules) -> String {
    match rules.board.shape {
        Shape::Grid | Shape::Line => format!("{} by {}", rules.board.width, rules.board.length),
        _ => format!("{} sites", rules.board.n_cells),
    }
}

fn page(shown: &Shown) -> String {
    let mut page = vec![shown.title.clone()];
    page.extend(shown.about.iter().cloned());
    let player = |player: &Player| match player.faces {
        Some(faces) => format!("{} (facing {faces})", player.name),
        None => player.name.clone(),
    };
    let players: Vec<String> = shown.players.iter().map(player).collect();
    let from = shown.begins_origin.as_ref().map_or(String::new(), |origin| format!("   ({origin})"));
    page.push(format!("\nplayers: {}; {} begins{from}", players.join(", "), shown.begins));
    page.push(format!("board: {}\n", shown.size));
    page.push(shown.board.clone());
    page.extend(shown.remembered.iter().cloned());
    if !shown.thrown.is_empty() {
        page.push(format!("(after {}; another game begins otherwise)", shown.thrown.join(", ")));
    }
    if !shown.pieces.is_empty() {
        page.push("\npieces".to_string());
        let wide = shown.pieces.iter().map(|piece| piece.kind.chars().count()).max().unwrap_or(0);
        for piece in &shown.pieces {
            let symbol = |(symbol, seat): &(String, Option<String>)| match seat {
                Some(seat) => format!("{symbol} {seat}"),
                None => symbol.clone(),
            };
            let symbols: Vec<String> = piece.symbols.iter().map(symbol).collect();
            page.push(format!("  {:wide$}  {}", piece.kind, symbols.join(", ")));
        }
    }
    if !shown.options.is_empty() {
        let changed = shown.options.iter().any(|option| option.changed);
        let legend = if changed { "   (* is otherwise than the game says)" } else { "" };
        page.push(format!("\noptions{legend}"));
        for option in &shown.options {
            let mark = if option.changed { "* " } else { "  " };
            page.push(format!("{mark}{} = {}   ({})", option.name, short(&option.value), option.origin));
            page.extend(option.about.iter().map(|line| format!("      {line}")));
            let default = short(&option.default);
            page.push(format!("      {}: {}; default {default}", option.sort, option.choices));
        }
    }
    if !shown.rules.is_empty() {
        page.push("\nrules".to_string());
        for words in &shown.rules {
            page.push(format!("  {}", words.name));
            page.extend(words.about.iter().map(|line| format!("      {line}")));
        }
    }
    page.push("\nends".to_string());
    let wide = shown.ends.iter().map(|end| end.name.chars().count()).max().unwrap_or(0);
    for end in &shown.ends {
        page.push(format!("  {:wide$}  {}", end.name, end.rule));
        page.extend(end.about.iter().map(|line| format!("      {line}")));
    }
    page.join("\n")
}

/// A value on one line.
fn short(value: &str) -> String {
    if value.contains('\n') { "(a text of several lines)".to_string() } else { value.to_string() }
}
