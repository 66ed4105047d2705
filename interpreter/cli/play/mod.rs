//! `lusory play`: a game at the keyboard, or from lines that another program writes.
//!
//! `seats.rs` says who plays what, `commands.rs` what can be typed besides moves, `input.rs` reads lines.

mod commands;
mod input;
mod seats;

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use super::args::{self, FromArgs, PlayArgs};
use super::console::Console;
use super::failure::{Failure, within};
use super::game::{self, Game};
use super::{start, words};
use crate::evaluators::Evaluators;
use crate::house;
use crate::library::read_file;
use crate::play::record::By;
use crate::play::series::{Begins, Series, Settings};
use crate::play::session::{Entry, Session};
use crate::play::speaker::squeezed;
use crate::play::{Outcome, Start, Status, Trouble, position};
use crate::rules::Rules;
use crate::trial::seat_name;

use input::Input;
use seats::Who;

/// Seeds that are made up stay below this, so that they can be typed again.
const SEEDS: u128 = 1_000_000;
/// The most games of a series.
const MOST_GAMES: u32 = 1_000;

/// What a typed line leads to.
enum Next {
    /// The game goes on.
    On,
    /// Nobody wants to go on.
    Stop,
    /// The next game of the series is to begin.
    Game,
}

/// A game being played.
struct Playing<'g> {
    game: &'g Game,
    console: &'g Console,
    rules: &'g Rules,
    session: Session<'g>,
    who: Vec<Who>,
    input: &'g mut Input,
    /// The board has been drawn since it changed last.
    drawn: bool,
    /// Is somebody sitting at a keyboard?
    watched: bool,
    series: &'g Series,
    /// Who plays each seat of the first game.
    persons: &'g [Who],
    /// Do more games of the series follow?
    more: bool,
}

/// Plays.
pub fn run(args: &PlayArgs, console: &Console) -> Result<(), Failure> {
    let mut game = game::load(&args.game.game, &args.game.rules, console)?;
    let ready = game.ready(console)?;
    let settings = settings(args)?;
    let who = seats::seats(&args.seat, &ready.rules)?;
    let changed = game.changed(&ready.chosen);
    let (mut evaluators, mut start, opening) = match &args.position {
        None => (Evaluators::new(ready.rules), Start::beginning(), String::new()),
        Some(path) => {
            let text = read_file(path).map_err(|refusal| Failure::file(path, refusal))?.text;
            let from = FromArgs { after: None, position: Some(path.clone()) };
            let opened = start::open(&mut game, &from, console)?;
            (opened.evaluators, opened.start, text)
        }
    };
    let seed = args.seed.unwrap_or_else(made_up);
    let mut input = Input::new();
    let mut series = Series::new(settings, who.len());
    let usual = match &args.position {
        Some(_) => Some(start::first_position(&game, &evaluators)?),
        None => None,
    };
    let mut first = evaluators.rules().first;
    for number in 1..=settings.games {
        if evaluators.rules().first != first {
            evaluators = Evaluators::new(Arc::new(Rules { first, ..evaluators.rules().clone() }));
        }
        let rules = evaluators.rules();
        let begin = || evaluators.speaker(&start);
        let session = Session::new(rules, seed.wrapping_add(u64::from(number - 1)), Box::new(begin));
        let mut session = session.map_err(|trouble| game.trouble(trouble))?;
        if let Some(usual) = usual.as_ref().filter(|_| number == 1) {
            session = session.with_first(usual.clone());
        }
        let opening = match &start.after {
            Some(last) => position::rematch(rules, last, &start::first_position(&game, &evaluators)?),
            None => opening.clone(),
        };
        let mut options = changed.clone();
        if number > 1 {
            options.retain(|(name, _)| name != house::RESERVED);
            options.push((house::RESERVED.to_string(), seat_name(rules, first).to_string()));
        }
        let mut playing = Playing {
            game: &game,
            console,
            rules,
            session: session.with_options(options).with_opening(opening),
            who: series.persons().iter().map(|person| who[*person]).collect(),
            input: &mut input,
            drawn: false,
            watched: console.is_answered(),
            series: &series,
            persons: &who,
            more: number < settings.games,
        };
        playing.greet(number, args.seed.is_none().then_some(seed))?;
        let Some(outcome) = playing.play()? else {
            return playing.leave();
        };
        let last = playing.session.snapshot();
        drop(playing);
        series.count(&outcome);
        let opening = series.next(rules, first, &last, &outcome);
        (first, start) = (opening.first, opening.start);
    }
    Ok(())
}

/// How a series is to be played.
fn settings(args: &PlayArgs) -> Result<Settings, Failure> {
    let Some(games) = args.games else {
        return Ok(Settings::one());
    };
    let begins = args.begins.map(|begins| match begins {
        args::Begins::Same => Begins::Same,
        args::Begins::Next => Begins::Next,
        args::Begins::Loser => Begins::Loser,
    });
    let games = within("--games", games, 1, MOST_GAMES)?;
    Ok(Settings { games, begins, exchange: args.exchange, fresh: args.fresh })
}

/// A seed that nobody knows beforehand.
fn made_up() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    // The last digits of a clock are often zeros; the factor spreads what is left.
    (now.wrapping_mul(6_364_136_223_846_793_005) >> 20).wrapping_rem(SEEDS) as u64
}

impl Playing<'_> {
    fn greet(&self, number: u32, seed: Option<u64>) -> Result<(), Failure> {
        let Settings { games, exchange, .. } = self.series.settings();
        if number == 1 {
            self.console.data(&self.rules.title)?;
        }
        if games > 1 {
            let first = seat_name(self.rules, self.rules.first);
            let blank = if number == 1 { "" } else { "\n" };
            self.console.data(format!("{blank}Game {number} of {games}; {first} begins."))?;
        }
        if number > 1 && !exchange {
            return Ok(());
        }
        let seats: Vec<String> = self
            .who
            .iter()
            .zip(&self.rules.seats)
            .map(|(who, seat)| format!("{}: {}", seat.name, who.words()))
            .collect();
        self.console.talk(seats.join(", "));
        if number > 1 {
            return Ok(());
        }
        if let Some(seed) = seed {
            self.console.talk(format!("Chance comes from seed {seed}; with --seed {seed} it is the same again."));
        }
        if self.watched {
            self.console.talk("Type a move, or \"help\".");
        }
        Ok(())
    }

    /// To the end of the game, how it ended; or until nobody wants to go on.
    fn play(&mut self) -> Result<Option<Outcome>, Failure> {
        loop {
            match self.session.status() {
                Status::Chance => {
                    let n = self.session.roll().map_err(|trouble| self.trouble(trouble))?;
                    let from = self.session.entries().len() - n;
                    self.tell_from(from)?;
                }
                Status::ToMove(seat) if self.who_plays(seat) == Who::Random => {
                    if let Err(trouble) = self.session.play_random() {
                        return Err(self.trouble(trouble));
                    }
                    self.tell_from(self.session.entries().len() - 1)?;
                }
                Status::ToMove(seat) => {
                    self.draw(&format!("{} to move.", seat_name(self.rules, seat)))?;
                    if let Next::Stop = self.listen(seat_name(self.rules, seat))? {
                        return Ok(None);
                    }
                }
                Status::Over(outcome) => {
                    self.show_end(&outcome)?;
                    if !self.who.contains(&Who::Human) {
                        return Ok(Some(outcome));
                    }
                    match self.listen("over")? {
                        Next::On => {}
                        Next::Stop => return Ok(None),
                        Next::Game => return Ok(Some(outcome)),
                    }
                }
            }
        }
    }

    /// Nobody wants to go on.
    fn leave(&self) -> Result<(), Failure> {
        match self.session.status() {
            Status::Over(_) if !self.more => {}
            Status::Over(_) => self.console.talk("The series is not over."),
            Status::ToMove(_) | Status::Chance => self.console.talk("The game is not over."),
        }
        Ok(())
    }

    /// The only seat for which the board may be shown now; none: all may see all.
    fn viewer(&self) -> Option<i32> {
        let who = (0..).zip(&self.who);
        let humans: Vec<i32> = who.filter(|(_, who)| **who == Who::Human).map(|(seat, _)| seat).collect();
        match (self.session.status(), &humans[..]) {
            _ if !self.rules.hides() => None,
            (Status::Over(_), _) | (_, []) => None,
            (_, [only]) => Some(*only),
            // They hand the keyboard on.
            (Status::ToMove(seat), _) => Some(seat),
            (Status::Chance, [first, ..]) => Some(*first),
        }
    }

    /// What may be said of a move: of a game that hides something, only the own ones are told, and to several at one keyboard none.
    fn told(&self, entry: &Entry) -> String {
        let humans = self.who.iter().filter(|who| **who == Who::Human).count();
        let own = |seat: i32| humans == 1 && self.who_plays(seat) == Who::Human;
        match entry.by {
            _ if !self.rules.hides() || humans == 0 => told(self.rules, entry),
            By::Seat(seat) if own(seat) || entry.chosen.is_none() => told(self.rules, entry),
            By::Seat(seat) => format!("{} has played.", seat_name(self.rules, seat)),
            By::Chance => "chance has chosen.".to_string(),
        }
    }

    fn who_plays(&self, seat: i32) -> Who {
        usize::try_from(seat).ok().and_then(|seat| self.who.get(seat).copied()).unwrap_or(Who::Human)
    }

    fn trouble(&self, trouble: Trouble) -> Failure {
        self.game.trouble(trouble)
    }

    /// Says what has happened from this entry on.
    fn tell_from(&mut self, from: usize) -> Result<(), Failure> {
        self.drawn = false;
        for entry in self.session.entries().iter().skip(from) {
            self.console.data(self.told(entry))?;
            for words in &entry.announced {
                self.console.data(format!("announced: {words}"))?;
            }
        }
        Ok(())
    }

    /// Draws the board if it has changed, and says what is to happen.
    fn draw(&mut self, below: &str) -> Result<(), Failure> {
        if self.drawn {
            return Ok(());
        }
        self.drawn = true;
        let board = self.session.shown(self.viewer()).map_err(|trouble| self.trouble(trouble))?;
        self.console.data(format!("\n{board}\n{below}"))
    }

    fn show_end(&mut self, outcome: &Outcome) -> Result<(), Failure> {
        if self.drawn {
            return Ok(());
        }
        let said = words::outcome(self.rules, outcome);
        self.draw(&said)?;
        if self.series.settings().games == 1 {
            return Ok(());
        }
        let mut series = self.series.clone();
        series.count(outcome);
        self.console.data(words::score(self.rules, &series, &self.names()))?;
        if self.more && self.who.contains(&Who::Human) {
            self.console.talk("\"next\" begins the next game.");
        }
        Ok(())
    }

    /// What the persons are called: as their seats, or, if they change these, by who they are.
    fn names(&self) -> Vec<String> {
        let seats = self.rules.seats.iter().map(|seat| seat.name.clone());
        if !self.series.settings().exchange {
            return seats.collect();
        }
        match self.persons {
            [one, other] if one != other => self.persons.iter().map(|who| who.words().to_string()).collect(),
            _ => seats.map(|name| format!("who began as {name}")).collect(),
        }
    }

    /// Reads a line and does what it says.
    fn listen(&mut self, whose: &str) -> Result<Next, Failure> {
        if self.watched {
            self.console.prompt(&format!("{whose}> "));
        }
        let Some(line) = self.input.line()? else {
            if self.watched {
                self.console.talk("");
            }
            return Ok(Next::Stop);
        };
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            return Ok(Next::On);
        }
        if let Some(next) = self.command(line)? {
            return Ok(next);
        }
        self.say(line)?;
        Ok(Next::On)
    }

    /// Plays what was typed, or says why not.
    fn say(&mut self, typed: &str) -> Result<(), Failure> {
        if let Status::Over(_) = self.session.status() {
            self.console.talk("The game is over. \"undo\", \"save FILE\" and \"quit\" are left.");
            return Ok(());
        }
        match self.session.say(typed) {
            Ok(entry) => {
                let in_full = squeezed(&entry.text) == squeezed(typed);
                self.drawn = false;
                if self.watched && in_full && !self.rules.hides() {
                    return Ok(());
                }
                self.tell_from(self.session.entries().len() - 1)
            }
            Err(refusal) => {
                let said = words::refusal(&self.game.loaded.sources, typed, &refusal);
                self.console.talk(format!("{said}\n(\"moves\" lists what can be played.)"));
                Ok(())
            }
        }
    }
}

/// `White: a1-b2`
pub fn told(rules: &Rules, entry: &Entry) -> String {
    match entry.by {
        By::Chance => format!("chance: {}", entry.text),
        By::Seat(seat) => format!("{}: {}", seat_name(rules, seat), entry.text),
    }
}
