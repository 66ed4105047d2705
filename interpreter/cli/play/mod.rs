//! `lusory play`: a game at the keyboard, or from lines that another program writes.
//!
//! `seats.rs` says who plays what, `commands.rs` what can be typed besides moves, `input.rs` reads lines.

mod commands;
mod input;
mod seats;

use std::time::{SystemTime, UNIX_EPOCH};

use super::args::{FromArgs, PlayArgs};
use super::console::Console;
use super::failure::Failure;
use super::game::{self, Game};
use super::{start, words};
use crate::evaluators::Evaluators;
use crate::library::read_file;
use crate::play::record::By;
use crate::play::session::{Entry, Session};
use crate::play::{Outcome, Start, Status, Trouble};
use crate::rules::Rules;
use crate::trial::seat_name;

use input::Input;
use seats::Who;

/// Seeds that are made up stay below this, so that they can be typed again.
const SEEDS: u128 = 1_000_000;

/// What a typed line leads to.
enum Next {
    /// The game goes on.
    On,
    /// Nobody wants to go on.
    Stop,
}

/// A game being played.
struct Playing<'g> {
    game: &'g Game,
    console: &'g Console,
    rules: &'g Rules,
    session: Session<'g>,
    who: Vec<Who>,
    input: Input,
    /// The board has been drawn since it changed last.
    drawn: bool,
    /// Is somebody sitting at a keyboard?
    watched: bool,
}

/// Plays.
pub fn run(args: &PlayArgs, console: &Console) -> Result<(), Failure> {
    let mut game = game::load(&args.game.game, &args.game.rules, console)?;
    let ready = game.ready(console)?;
    let who = seats::seats(&args.seat, &ready.rules)?;
    let changed = game.changed(&ready.chosen);
    let (evaluators, start, opening) = match &args.position {
        None => (Evaluators::new(ready.rules), Start::beginning(), String::new()),
        Some(path) => {
            let text = read_file(path).map_err(|refusal| Failure::file(path, refusal))?.text;
            let from = FromArgs { after: None, position: Some(path.clone()) };
            let opened = start::open(&mut game, &from, console)?;
            (opened.evaluators, opened.start, text)
        }
    };
    let seed = args.seed.unwrap_or_else(made_up);
    let begin = || evaluators.speaker(&start);
    let session = Session::new(evaluators.rules(), seed, Box::new(begin));
    let session = session.map_err(|trouble| game.trouble(trouble))?;
    let mut playing = Playing {
        game: &game,
        console,
        rules: evaluators.rules(),
        session: session.with_options(changed).with_opening(opening),
        who,
        input: Input::new(),
        drawn: false,
        watched: console.is_answered(),
    };
    playing.greet(args.seed.is_none().then_some(seed))?;
    playing.play()
}

/// A seed that nobody knows beforehand.
fn made_up() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    // The last digits of a clock are often zeros; the primes spread what is left.
    (now.wrapping_mul(6_364_136_223_846_793_005) >> 20).wrapping_rem(SEEDS) as u64
}

impl Playing<'_> {
    fn greet(&self, seed: Option<u64>) -> Result<(), Failure> {
        self.console.data(&self.rules.title)?;
        let seats: Vec<String> = self
            .who
            .iter()
            .zip(&self.rules.seats)
            .map(|(who, seat)| format!("{}: {}", seat.name, who.words()))
            .collect();
        self.console.talk(seats.join(", "));
        if let Some(seed) = seed {
            self.console.talk(format!("Chance comes from seed {seed}; with --seed {seed} it is the same again."));
        }
        if self.watched {
            self.console.talk("Type a move, or \"help\".");
        }
        Ok(())
    }

    /// To the end of the game or of the input.
    fn play(&mut self) -> Result<(), Failure> {
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
                        self.console.talk("The game is not over.");
                        return Ok(());
                    }
                }
                Status::Over(outcome) => {
                    self.show_end(&outcome)?;
                    let alone = !self.who.contains(&Who::Human);
                    if alone || matches!(self.listen("over")?, Next::Stop) {
                        return Ok(());
                    }
                }
            }
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
            self.console.data(told(self.rules, entry))?;
        }
        Ok(())
    }

    /// Draws the board if it has changed, and says what is to happen.
    fn draw(&mut self, below: &str) -> Result<(), Failure> {
        if self.drawn {
            return Ok(());
        }
        self.drawn = true;
        self.console.data(format!("\n{}\n{below}", self.session.board()))
    }

    fn show_end(&mut self, outcome: &Outcome) -> Result<(), Failure> {
        let said = words::outcome(self.rules, outcome);
        self.draw(&said)
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
            Ok(_) => {
                self.drawn = false;
                if self.watched {
                    return Ok(());
                }
                self.tell_from(self.session.entries().len() - 1)
            }
            Err(refusal) => {
                let said = words::refusal(&self.game.loaded.sources, &refusal);
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
