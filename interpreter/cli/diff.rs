//! `lusory diff`: how two games differ, or one game under two sets of house rules.

use serde::Serialize;

use super::args::{DiffArgs, RuleArgs};
use super::console::Console;
use super::failure::{Failure, within};
use super::game::{self, Game};
use super::layers::{Layer, Layers};
use super::{saved, words};
use crate::compare::course::{self, Effort, How, Looked, Parting};
use crate::compare::declared::{Change, Declaration, declarations};
use crate::compare::figures::{Figures, Interval, Means, Shares, figures};
use crate::compare::options::{OptionChange, Side, Standing, options};
use crate::evaluators::Evaluators;
use crate::house::Chosen;
use crate::pipeline::Ready;
use crate::play::session::Session;
use crate::play::sim::{self, Plan};
use crate::play::{Chance, Start, Status, diagram};
use crate::rules::Rules;
use crate::trial::seat_name;

/// The most games of each side.
const MOST_GAMES: u64 = 1_000_000_000;
/// The most positions that are compared in one way.
const MOST_POSITIONS: usize = 10_000_000;
/// The most moves from the start.
const MOST_DEPTH: usize = 1_000;
/// Signs of a declaration's words that are shown.
const WIDE: usize = 88;

/// One of the two games.
struct Sided {
    /// `A` or `B`.
    letter: char,
    game: Game,
    chosen: Vec<Chosen>,
    evaluators: Evaluators,
}

/// All that differs.
#[derive(Serialize)]
struct Differences {
    a: String,
    b: String,
    declarations: Vec<Declaration>,
    options: Vec<OptionChange>,
    moves: Moves,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Figures>,
    /// Why there are no figures though they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_figures: Option<String>,
}

/// Where other moves are legal.
#[derive(Default, Serialize)]
struct Moves {
    /// Why moves cannot be compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_compared: Option<String>,
    looked: Looked,
    #[serde(skip_serializing_if = "Option::is_none")]
    parting: Option<Parted>,
}

/// The shortest way to where they are.
#[derive(Serialize)]
struct Parted {
    after: Vec<String>,
    shortest: bool,
    /// Who is to move, if it is somebody in both.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<String>,
    only_a: Vec<String>,
    only_b: Vec<String>,
    both: usize,
    /// How A stands, where that is the difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<String>,
    board: String,
}

/// Compares them.
pub fn run(args: &DiffArgs, console: &Console) -> Result<(), Failure> {
    let effort = Effort {
        depth: within("--depth", args.depth, 0, MOST_DEPTH)?,
        positions: within("--positions", args.positions, 1, MOST_POSITIONS)?,
        seed: args.seed,
    };
    within("-n", args.games, 0, MOST_GAMES)?;
    within("--threads", args.threads, 1, 256)?;
    let a = side('A', &args.a, &args.sides.a, args, console)?;
    let b = side('B', args.b.as_ref().unwrap_or(&args.a), &args.sides.b, args, console)?;
    let declared = declarations(&a.game.loaded, &b.game.loaded);
    let set = options(a.side(), b.side());
    let same = declared.is_empty() && set.is_empty();
    // The same rules allow the same moves.
    let (moves, parting) = if same { (Moves::default(), None) } else { moves(&a, &b, &declared, effort) };
    if let (Some(file), Some(parting)) = (&args.save, &parting) {
        save(&a, &b, parting, file)?;
    }
    let differ = !same || moves.parting.is_some() || moves.not_compared.is_some();
    let mut all = Differences {
        a: named(&args.a, &args.sides.a),
        b: named(args.b.as_ref().unwrap_or(&args.a), &args.sides.b),
        declarations: declared,
        options: set,
        moves,
        figures: None,
        no_figures: None,
    };
    if differ && args.games > 0 {
        match simulated(&a, &b, args, console) {
            Ok(figures) => all.figures = Some(figures),
            Err(Failure::Limit(said)) => all.no_figures = Some(said),
            Err(failure) => return Err(failure),
        }
    }
    if args.json {
        console.json(&all)?;
    } else {
        console.data(words::trimmed(&page(&all, args)))?;
    }
    if differ { Err(Failure::Findings) } else { Ok(()) }
}

/// Reads one of them.
fn side(letter: char, name: &str, layers: &Layers, args: &DiffArgs, console: &Console) -> Result<Sided, Failure> {
    let rules = RuleArgs { layers: layers.clone(), first: None, cost: args.cost, library: args.library.clone() };
    let game = game::load(name, &rules, console)?;
    let Ready { rules, chosen, .. } = game.ready(console)?;
    Ok(Sided { letter, game, chosen, evaluators: Evaluators::new(rules) })
}

impl Sided {
    fn side(&self) -> Side<'_> {
        Side {
            loaded: &self.game.loaded,
            chosen: &self.chosen,
            settings: &self.game.settings,
            rules: self.evaluators.rules(),
        }
    }

    fn rules(&self) -> &Rules {
        self.evaluators.rules()
    }
}

/// `konane with --house 6x6 --set first=White`
fn named(name: &str, layers: &Layers) -> String {
    let said = layers.0.iter().map(|layer| match layer {
        Layer::House(file) => file.clone(),
        Layer::Set(setting) => setting.clone(),
    });
    let said: Vec<String> = said.collect();
    if said.is_empty() { name.to_string() } else { format!("{name} with {}", said.join(", ")) }
}

/// Looks for positions in which the games differ, if their moves can be compared.
fn moves(a: &Sided, b: &Sided, declared: &[Declaration], effort: Effort) -> (Moves, Option<Parting>) {
    let not = |said: String| (Moves { not_compared: Some(said), looked: Looked::default(), parting: None }, None);
    let (left, right) = (a.rules(), b.rules());
    if left.n_seats() != right.n_seats() {
        return not(format!(
            "A has {} players and B has {}, so moves are not compared.",
            left.n_seats(),
            right.n_seats()
        ));
    }
    let cells = |rules: &Rules| -> Vec<String> {
        let mut names: Vec<String> =
            rules.board.sites[..rules.board.n_cells].iter().map(|site| site.name.clone()).collect();
        names.sort();
        names
    };
    let (here, there) = (cells(left), cells(right));
    if here != there {
        let size = |names: &[String]| words::count(names.len(), "site");
        let said = match here.len() == there.len() {
            true => "The sites of the boards have other names".to_string(),
            false => format!("A has a board of {} and B one of {}", size(&here), size(&there)),
        };
        return not(format!("{said}, so moves are not compared."));
    }
    let (parting, looked) = course::part(&a.evaluators, &b.evaluators, effort);
    let Some(parting) = parting else { return (Moves { not_compared: None, looked, parting: None }, None) };
    // The first moves of one game under two house rules may well be all different; those of two games are then written differently.
    let other_writing = declared.iter().any(|one| matches!(one.sort, "turn" | "notation" | "setup"));
    if let (How::Moves { only_a, only_b, both: 0, .. }, true, true) =
        (&parting.how, parting.plays.is_empty(), other_writing)
        && let (Some(one), Some(other)) = (only_a.first(), only_b.first())
    {
        return not(format!(
            "No first move of A is written as one of B is (\"{one}\", \"{other}\"), so moves are not compared."
        ));
    }
    let told = parted(a, b, &parting);
    (Moves { not_compared: None, looked, parting: Some(told) }, Some(parting))
}

fn parted(a: &Sided, b: &Sided, parting: &Parting) -> Parted {
    let mut told = Parted {
        after: parting.plays.iter().map(|play| play.text.clone()).collect(),
        shortest: parting.least,
        to_move: None,
        only_a: Vec::new(),
        only_b: Vec::new(),
        both: 0,
        a: None,
        b: None,
        board: board(a, parting),
    };
    match &parting.how {
        How::Moves { seat, only_a, only_b, both } => {
            told.to_move = Some(seat.map_or("chance", |seat| seat_name(a.rules(), seat)).to_string());
            (told.only_a, told.only_b, told.both) = (only_a.clone(), only_b.clone(), *both);
        }
        How::Weights { text, a, b } => {
            let share = |(weight, all): (u64, u64)| format!("\"{text}\" comes {weight} times in {all}");
            (told.a, told.b) = (Some(share(*a)), Some(share(*b)));
        }
        How::Status { a: one, b: other } => {
            told.a = Some(standing(a.rules(), one));
            told.b = Some(standing(b.rules(), other));
        }
        How::Trouble { in_a, trouble } => {
            let said = |side: &Sided| match side.game.trouble(trouble.clone()) {
                Failure::Limit(said) => said,
                _ => trouble.to_string(),
            };
            let goes_on = "The game can be played on.".to_string();
            let (one, other) = if *in_a { (said(a), goes_on) } else { (goes_on, said(b)) };
            (told.a, told.b) = (Some(one), Some(other));
        }
    }
    told
}

fn standing(rules: &Rules, status: &Status) -> String {
    match status {
        Status::Over(outcome) => words::outcome(rules, outcome),
        Status::ToMove(seat) => format!("{} is to move.", seat_name(rules, *seat)),
        Status::Chance => "Chance is to move.".to_string(),
    }
}

/// The board of A where the games part.
fn board(a: &Sided, parting: &Parting) -> String {
    let plays = parting.plays.iter().map(|play| Some(play.chosen.clone())).collect();
    let there = a.evaluators.speaker(&Start { plays, ..Start::beginning() });
    there.map_or(String::new(), |game| diagram::draw(a.rules(), &game.snapshot()))
}

/// Writes the way there down, as a game of A.
fn save(a: &Sided, b: &Sided, parting: &Parting, file: &std::path::Path) -> Result<(), Failure> {
    let begin = || a.evaluators.speaker(&Start::beginning());
    let session = Session::new(a.rules(), 0, Box::new(begin)).map_err(|trouble| a.game.trouble(trouble))?;
    let mut session = session.with_options(a.game.changed(&a.chosen));
    for play in &parting.plays {
        // The last one may be what A cannot play.
        if session.play(play.chosen.clone()).is_err() {
            break;
        }
    }
    let mut record = session.record();
    record.header = vec![a.rules().title.clone(), format!("where {} differs", b.game.name)];
    saved::write(file, &a.game.name, &record).map_err(Failure::Files)
}

/// Random games of both. Each side has a seed of its own, so that the games are independent of each other.
fn simulated(a: &Sided, b: &Sided, args: &DiffArgs, console: &Console) -> Result<Figures, Failure> {
    let tally = |side: &Sided, seed: u64| {
        console.progress(&format!("{} games of {}", args.games, side.letter));
        // All moves of every ply are listed, for their number is asked.
        let player = || {
            |_: u64, chance: &mut Chance| {
                let mut table = side.evaluators.table(&Start::beginning())?;
                sim::random_playout(table.as_mut(), chance)
            }
        };
        let plan = Plan { games: args.games, seed, threads: args.threads };
        let tally = sim::run(plan, side.rules().n_seats(), player, |_| {});
        console.progress("");
        tally.map_err(|error| match side.game.trouble(error.trouble.clone()) {
            Failure::Limit(said) => {
                Failure::Limit(format!("{}, game {} of seed {seed}: {said}", side.letter, error.game))
            }
            other => other,
        })
    };
    let seeds = [args.seed, args.seed.wrapping_add(1)];
    let tallies = [tally(a, seeds[0])?, tally(b, seeds[1])?];
    let reports = [tallies[0].report(a.rules(), seeds[0]), tallies[1].report(b.rules(), seeds[1])];
    Ok(figures([&tallies[0], &tallies[1]], [&reports[0], &reports[1]]))
}

fn page(all: &Differences, args: &DiffArgs) -> String {
    let mut lines = vec![format!("A: {}", all.a), format!("B: {}", all.b)];
    if all.declarations.is_empty() && all.options.is_empty() {
        lines.push("\nThe rules are the same.".to_string());
        return lines.join("\n");
    }
    if !all.declarations.is_empty() {
        lines.push("\ndeclarations".to_string());
        all.declarations.iter().for_each(|one| declaration(one, &mut lines));
    }
    if !all.options.is_empty() {
        lines.push("\noptions".to_string());
        all.options.iter().for_each(|one| option(one, &mut lines));
    }
    lines.push("\nmoves".to_string());
    match (&all.moves.not_compared, &all.moves.parting) {
        (Some(said), _) => lines.push(format!("  {said}")),
        (None, None) => lines.push(format!("  {}", alike(&all.moves.looked))),
        (None, Some(parted)) => parting(parted, args, &mut lines),
    }
    if let Some(said) = &all.no_figures {
        lines.push(format!("\nrandom games\n  {said}"));
    }
    if let Some(figures) = &all.figures {
        table(figures, &mut lines);
    }
    lines.join("\n")
}

fn change(change: Change) -> &'static str {
    match change {
        Change::Removed => "removed",
        Change::Added => "added",
        Change::Changed => "changed",
    }
}

/// A declaration, its places, and its words where it says something else.
fn declaration(one: &Declaration, lines: &mut Vec<String>) {
    let name =
        if one.name.is_empty() { one.sort.to_string() } else { format!("{} {}", one.sort, short(&one.name, 40)) };
    let places: Vec<String> = [&one.a, &one.b].into_iter().flatten().map(ToString::to_string).collect();
    lines.push(format!("  {:7}  {name}   ({})", change(one.change), places.join(", ")));
    if let (Some(a), Some(b)) = (&one.a, &one.b) {
        let common = a.words.chars().zip(b.words.chars()).take_while(|(one, other)| one == other).count();
        for (letter, words) in [('A', &a.words), ('B', &b.words)] {
            lines.push(format!("    {letter}: {}", from_there(words, common)));
        }
    }
}

/// Words from a little before a place on, as many as fit.
fn from_there(words: &str, at: usize) -> String {
    let signs: Vec<char> = words.chars().collect();
    if signs.len() <= WIDE {
        return words.to_string();
    }
    let from = at.saturating_sub(WIDE / 3).min(signs.len().saturating_sub(WIDE - 1));
    let cut: String = signs[from..].iter().collect();
    if from == 0 { short(&cut, WIDE) } else { format!("…{}", short(&cut, WIDE - 1)) }
}

/// The beginning of what is too long.
fn short(words: &str, most: usize) -> String {
    if words.chars().count() <= most {
        return words.to_string();
    }
    words.chars().take(most - 1).collect::<String>() + "…"
}

fn option(one: &OptionChange, lines: &mut Vec<String>) {
    let places: Vec<String> = [&one.a, &one.b].into_iter().flatten().map(|side| side.place.to_string()).collect();
    let mut places = places;
    places.dedup();
    lines.push(format!("  {:7}  {}   ({})", change(one.change), one.name, places.join(", ")));
    let line = |side: &Standing, all: bool| {
        let rest =
            if all { format!("; {}; default {}", side.choices, short(&side.default, 40)) } else { String::new() };
        format!("{} ({}){rest}", short(&side.value.replace('\n', "/"), 60), side.origin)
    };
    let declared = |side: &Standing| (side.choices.clone(), side.default.clone());
    let all = one.a.as_ref().map(declared) != one.b.as_ref().map(declared);
    for (letter, side) in [('A', &one.a), ('B', &one.b)] {
        lines.extend(side.iter().map(|side| format!("    {letter}: {}", line(side, all))));
    }
}

/// What was compared without a difference.
fn alike(looked: &Looked) -> String {
    let positions = words::count(looked.positions, "position");
    if looked.complete {
        return format!("The same in all games there are ({positions} compared).");
    }
    let all = match looked.depth {
        Some(0) => "the first".to_string(),
        Some(depth) => format!("all up to {} from the start", words::count(depth, "move")),
        None => "not even all of the beginning".to_string(),
    };
    let games = words::count(looked.games as usize, "random game");
    format!("No difference found in {positions}: {all}, and {games}.")
}

fn parting(parted: &Parted, args: &DiffArgs, lines: &mut Vec<String>) {
    let found = if parted.shortest { "no shorter way leads to a difference" } else { "the shortest way found" };
    match parted.after.as_slice() {
        [] => lines.push("  At the beginning:".to_string()),
        texts => lines.push(format!("  After {} ({found}):", texts.join(", "))),
    }
    lines.extend(parted.board.lines().map(|line| format!("    {line}")));
    if let Some(seat) = &parted.to_move {
        let list = |texts: &[String]| match texts.is_empty() {
            true => "nothing".to_string(),
            false => words::flow(texts).replace('\n', "\n            "),
        };
        lines.push(format!("    {seat} to move; {} in both", words::count(parted.both, "move")));
        lines.push(format!("    only A: {}", list(&parted.only_a)));
        lines.push(format!("    only B: {}", list(&parted.only_b)));
    }
    for (letter, said) in [('A', &parted.a), ('B', &parted.b)] {
        lines.extend(said.iter().map(|said| format!("    {letter}: {said}")));
    }
    if let Some(file) = &args.save {
        lines.push(format!("  Written down: lusory replay {}", file.display()));
    }
}

/// The figures, a line each.
fn table(figures: &Figures, lines: &mut Vec<String>) {
    let [a, b] = figures.seeds;
    lines.push(format!(
        "\nrandom games: {} of each, seed {a} for A and {b} for B; in brackets where the true value lies 95 times in 100",
        figures.games
    ));
    let names = figures.results.iter().chain(&figures.ends).map(|one| one.name.chars().count().min(28));
    let wide = names.max().unwrap_or(0).max(11);
    lines.push(format!("  {:wide$}  {:24}{:24}{:24}p", "", "A", "B", "B - A"));
    let share = |one: &Shares| {
        let of = |share: &crate::play::tally::Share| percent(share.share, share.low, share.high);
        let Interval { at, low, high } = one.difference;
        let more = more(Interval { at: at * 100.0, low: low * 100.0, high: high * 100.0 });
        row(&one.name, wide, [of(&one.a), of(&one.b), more], one.p)
    };
    lines.extend(figures.results.iter().map(share));
    lines.push("  ends".to_string());
    lines.extend(figures.ends.iter().map(share));
    lines.push("  on average".to_string());
    let mean = |one: &Means| {
        let of = |mean: Interval| format!("{:.1} ({:.1} to {:.1})", mean.at, mean.low, mean.high);
        row(one.name, wide, [of(one.a), of(one.b), more(one.difference)], one.p)
    };
    lines.extend(figures.means.iter().map(mean));
}

fn percent(share: f64, low: f64, high: f64) -> String {
    format!("{:.1} % ({:.1} to {:.1})", share * 100.0, low * 100.0, high * 100.0)
}

/// What B has more.
fn more(by: Interval) -> String {
    // A nought has no sign.
    let signed = |number: f64| format!("{:+.1}", (number * 10.0).round() / 10.0 + 0.0);
    format!("{} ({} to {})", signed(by.at), signed(by.low), signed(by.high))
}

fn row(name: &str, wide: usize, cells: [String; 3], p: Option<f64>) -> String {
    let p = match p {
        None => "-".to_string(),
        Some(p) if p < 0.0001 => "< 0.0001".to_string(),
        Some(p) => format!("{p:.4}"),
    };
    let [a, b, more] = cells;
    format!("  {:wide$}  {a:24}{b:24}{more:24}{p}", short(name, 28))
}
