//! A game in progress for people: moves as texts, throws from a seed, undo, and a record.
//!
//! Comes in: how to begin a game, and what people type. Goes out: what was played, and a [`Record`]. Chance draws for entry `i` of a game
//! from stream `i` of the seed, so taking a move back and playing it again brings the same throws.

use super::record::{By, Line, Record};
use super::remembered::{self, Viewer};
use super::speaker::{RESIGN, is_resigning, meant};
use super::{Chance, Move, Refusal, Snapshot, Speaker, Status, Trouble, diagram};
use crate::rules::Rules;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Whose doing it was.
    pub by: By,
    /// How it is written.
    pub text: String,
    /// The move or outcome; none: the seat gave up.
    pub chosen: Option<Move>,
    /// What everybody was told of it.
    pub announced: Vec<String>,
}

/// Makes a game as it stood at the beginning of a session.
pub type Begin<'r> = Box<dyn Fn() -> Result<Box<dyn Speaker + 'r>, Trouble> + 'r>;

/// A game in progress.
pub struct Session<'r> {
    rules: &'r Rules,
    begin: Begin<'r>,
    game: Box<dyn Speaker + 'r>,
    /// With what the position is compared to tell what it remembers.
    first: Snapshot,
    entries: Vec<Entry>,
    seed: u64,
    options: Vec<(String, String)>,
    opening: String,
}

/// Why a record could not be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// A line could not be played.
    #[error("\"{text}\" (number {number}) cannot be played: {refusal}")]
    Refused {
        /// Which `play` it is, from 1.
        number: usize,
        /// What it says.
        text: String,
        /// Why not.
        refusal: Refusal,
    },
    /// The last diagram cannot be read.
    #[error("{0}")]
    Diagram(#[from] super::DiagramError),
    /// The game does not stand as the record says.
    #[error("the record ends with another position; it differs at {}", sites.join(", "))]
    Differs {
        /// The sites that differ.
        sites: Vec<String>,
    },
    /// The game is not over as the record says.
    #[error("the record says the game ended with \"{wanted}\", but {found}")]
    End {
        /// What the record says.
        wanted: String,
        /// How the game stands.
        found: String,
    },
}

impl<'r> Session<'r> {
    /// Begins a game.
    pub fn new(rules: &'r Rules, seed: u64, begin: Begin<'r>) -> Result<Session<'r>, Trouble> {
        let game = begin()?;
        let first = game.snapshot();
        let (entries, options) = (Vec::new(), Vec::new());
        Ok(Session { rules, begin, game, first, entries, seed, options, opening: String::new() })
    }

    /// A first position to compare with, if this game begins from another one.
    pub fn with_first(mut self, first: Snapshot) -> Self {
        self.first = first;
        self
    }

    /// Options that were set, for the record.
    pub fn with_options(mut self, options: Vec<(String, String)>) -> Self {
        self.options = options;
        self
    }

    /// The lines that made the position from which the game began, for the record.
    pub fn with_opening(mut self, opening: impl Into<String>) -> Self {
        self.opening = opening.into();
        self
    }

    /// What is to happen now.
    pub fn status(&self) -> Status {
        self.game.status()
    }

    /// The position.
    pub fn snapshot(&self) -> Snapshot {
        self.game.snapshot()
    }

    /// The board with coordinates.
    pub fn board(&self) -> String {
        diagram::draw(self.rules, &self.snapshot())
    }

    /// What is remembered besides, for people to whom nothing is hidden.
    pub fn remembered(&self) -> Vec<String> {
        remembered::lines(self.rules, &self.snapshot(), &self.first, Viewer::default())
    }

    /// The board, and below it what is remembered, as a seat sees it; of nobody in particular: everything.
    pub fn shown(&self, seat: Option<i32>) -> Result<String, Trouble> {
        let seen = seat.map(|seat| self.game.seen(seat)).transpose()?.flatten();
        let position = self.snapshot();
        let viewer = Viewer { seat, seen: seen.as_ref() };
        let mut lines = vec![diagram::draw_seen(self.rules, &position, seen.as_ref())];
        lines.extend(remembered::lines(self.rules, &position, &self.first, viewer));
        Ok(lines.join("\n"))
    }

    /// The game itself, to ask it more; playing on it would not be noted.
    pub fn game(&mut self) -> &mut dyn Speaker {
        self.game.as_mut()
    }

    /// What has happened.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Every legal move, or what chance may bring, with its text; nothing when the game is over.
    pub fn texts(&mut self) -> Result<Vec<(Move, String)>, Trouble> {
        match self.game.status() {
            Status::Over(_) => Ok(Vec::new()),
            Status::ToMove(_) | Status::Chance => self.game.texts(),
        }
    }

    /// Plays what a person typed: a move, perhaps without its note, an outcome of chance, or `resign`.
    pub fn say(&mut self, typed: &str) -> Result<&Entry, Refusal> {
        self.hear(typed, |game| game.understand(typed))
    }

    /// Plays what a record says, where every move is written in full.
    pub fn repeat(&mut self, text: &str) -> Result<&Entry, Refusal> {
        self.hear(text, |game| game.find(text))
    }

    fn hear(
        &mut self,
        typed: &str,
        find: impl FnOnce(&mut dyn Speaker) -> Result<Move, Refusal>,
    ) -> Result<&Entry, Refusal> {
        let by = self.whose()?;
        if is_resigning(typed) && matches!(by, By::Seat(_)) {
            let texts = self.game.texts()?;
            if meant(typed, texts.iter().map(|(_, text)| text.as_str())).is_none() {
                return Ok(self.resign()?);
            }
        }
        let chosen = find(self.game.as_mut())?;
        Ok(self.play(chosen)?)
    }

    /// Plays a listed move or outcome.
    pub fn play(&mut self, chosen: Move) -> Result<&Entry, Trouble> {
        let by = self.whose()?;
        let text = self.game.text_of(&chosen)?;
        self.game.play(&chosen)?;
        let chosen = Some(chosen);
        let announced = self.game.announced().to_vec();
        Ok(self.note(Entry { by, text, chosen, announced }))
    }

    /// The seat to move gives up.
    pub fn resign(&mut self) -> Result<&Entry, Trouble> {
        let by = self.whose()?;
        self.game.resign()?;
        let text = RESIGN.to_string();
        let announced = self.game.announced().to_vec();
        Ok(self.note(Entry { by, text, chosen: None, announced }))
    }

    /// If chance is to choose, it does, as often as it is its turn in a row; gives how many entries that were.
    pub fn roll(&mut self) -> Result<usize, Trouble> {
        let before = self.entries.len();
        while self.status() == Status::Chance {
            let mut chance = self.chance();
            let chosen = self.game.draw(&mut |n| chance.below(n))?;
            self.play(chosen)?;
        }
        Ok(self.entries.len() - before)
    }

    /// Plays a legal move at random, from the session's seed.
    pub fn play_random(&mut self) -> Result<&Entry, Trouble> {
        let moves = self.game.moves()?;
        let i = self.chance().below(moves.len() as u64) as usize;
        let chosen = moves.into_iter().nth(i).ok_or(Trouble::NotNow)?;
        self.play(chosen)
    }

    /// Takes back the last move of a seat and the throws after it; gives what was taken back, first things first. Throws at the very
    /// beginning of a game stay.
    pub fn undo(&mut self) -> Result<Vec<Entry>, Trouble> {
        let by_seat = |entry: &Entry| entry.by != By::Chance;
        match self.entries.iter().rposition(by_seat) {
            Some(keep) => self.back_to(keep),
            None => Ok(Vec::new()),
        }
    }

    /// Goes back to when only the first `keep` entries had happened; gives the others.
    pub fn back_to(&mut self, keep: usize) -> Result<Vec<Entry>, Trouble> {
        let keep = keep.min(self.entries.len());
        let mut game = (self.begin)()?;
        for entry in &self.entries[..keep] {
            match &entry.chosen {
                Some(chosen) => game.play(chosen)?,
                None => game.resign()?,
            }
        }
        self.game = game;
        Ok(self.entries.split_off(keep))
    }

    /// The game so far.
    pub fn record(&self) -> Record {
        let name = |by: By| match by {
            By::Chance => "chance".to_string(),
            By::Seat(seat) => {
                let seat = usize::try_from(seat).ok().and_then(|seat| self.rules.seats.get(seat));
                seat.map_or(String::new(), |seat| seat.name.clone())
            }
        };
        let line = |entry: &Entry| Line { text: entry.text.clone(), by: name(entry.by) };
        let ends = match self.status() {
            Status::Over(outcome) => Some(outcome.reason.to_string()),
            Status::ToMove(_) | Status::Chance => None,
        };
        Record {
            header: vec![format!("{}, seed {}", self.rules.title, self.seed)],
            options: self.options.clone(),
            opening: self.opening.clone(),
            plays: self.entries.iter().map(line).collect(),
            shows: Some(diagram::write(self.rules, &self.snapshot())),
            ends,
        }
    }

    /// Plays a record on from here, and compares what it says about the position and the end. If something is wrong, the session is as
    /// it was. Options and opening are the caller's business: they decide how a session is begun.
    pub fn replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        let before = self.entries.len();
        let result = self.try_replay(record);
        if result.is_err() {
            // What has been played once can be played again.
            let taken_back = self.back_to(before);
            debug_assert!(taken_back.is_ok());
        }
        result
    }

    fn try_replay(&mut self, record: &Record) -> Result<(), ReplayError> {
        for (i, line) in record.plays.iter().enumerate() {
            if let Err(refusal) = self.repeat(&line.text) {
                let text = line.text.clone();
                return Err(ReplayError::Refused { number: i + 1, text, refusal });
            }
        }
        if let Some(shows) = &record.shows {
            let grid = diagram::read(self.rules, shows)?;
            let signs = super::Signs::of(self.rules);
            let sites = grid.differences(self.rules, &signs, &self.snapshot())?;
            if !sites.is_empty() {
                let name = |&site: &usize| self.rules.board.sites[site].name.clone();
                return Err(ReplayError::Differs { sites: sites.iter().map(name).collect() });
            }
        }
        if let Some(wanted) = &record.ends {
            let found = match self.status() {
                Status::Over(outcome)
                    if super::speaker::squeezed(&outcome.reason) == super::speaker::squeezed(wanted) =>
                {
                    return Ok(());
                }
                Status::Over(outcome) => format!("it ended with \"{}\"", outcome.reason),
                Status::ToMove(_) | Status::Chance => "it goes on".to_string(),
            };
            return Err(ReplayError::End { wanted: wanted.clone(), found });
        }
        Ok(())
    }

    fn whose(&self) -> Result<By, Trouble> {
        match self.status() {
            Status::ToMove(seat) => Ok(By::Seat(seat)),
            Status::Chance => Ok(By::Chance),
            Status::Over(_) => Err(Trouble::NotNow),
        }
    }

    fn chance(&self) -> Chance {
        Chance::nth(self.seed, self.entries.len() as u64)
    }

    fn note(&mut self, entry: Entry) -> &Entry {
        let at = self.entries.len();
        self.entries.push(entry);
        &self.entries[at]
    }
}
