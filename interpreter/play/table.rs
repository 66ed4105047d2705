//! A game in progress, as every evaluator offers it; perft, playouts, examples and the command line need no more than this.

use std::sync::Arc;

use super::Snapshot;
use crate::source::Span;

/// The choices of one move or one chance event, see [`crate::rules::stmt`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Move(pub Vec<i32>);

/// What is to happen now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// This seat is to choose one of [`Table::moves`] (there is at least one).
    ToMove(i32),
    /// Chance is to choose one of [`Table::outcomes`].
    Chance,
    /// The game is over.
    Over(Outcome),
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The place of each seat, 1 is best; seats that share a place have the same number (1 1 3 4). All 1: a draw. Empty: unfinished.
    pub places: Vec<u8>,
    /// By how much was won, if the game says so, else 1.
    pub by: i32,
    /// The name of the end: an ending's name, `resigned`, `turn limit`, or `no turn` if a player was left without a turn and no end said what happens.
    pub reason: Arc<str>,
    /// The ending's number in [`crate::rules::Rules::ends`], if it was one.
    pub ending: Option<usize>,
}

impl Outcome {
    /// The same with these seats (a mask) behind all others: those who gave up, in a game for more than two that does not itself ask who they are.
    pub fn with_last(mut self, resigned: u64) -> Outcome {
        if resigned != 0 && self.places.len() > 2 {
            let rank = |seat: usize| (resigned >> seat & 1, self.places[seat]);
            let seats = 0..self.places.len();
            let before = |seat: usize| seats.clone().filter(|other| rank(*other) < rank(seat)).count() as u8;
            self.places = seats.clone().map(|seat| before(seat) + 1).collect();
        }
        self
    }
}

/// Why something could not be done. The position is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The move is not among the legal ones.
    #[error("this is not a legal move here")]
    Illegal,
    /// The game is over, or it is chance's turn, or nobody's.
    #[error("nobody is to move here")]
    NotNow,
    /// A loop ran out of rounds.
    #[error("this run was stopped after {rounds} rounds of a loop; the position is unchanged")]
    Fuel {
        /// The loop.
        span: Span,
        /// How many rounds were allowed.
        rounds: u32,
    },
    /// More moves or outcomes than the limit.
    #[error("more than {limit} turns are possible here; they are not listed")]
    TooMany {
        /// The choice or throw.
        span: Span,
        /// The limit.
        limit: usize,
    },
    /// It took more tries, or more looking, than the limit to find out what is possible.
    #[error("what is possible here was not found out: it takes more than {limit} {what}")]
    TooLong {
        /// Where it was given up.
        span: Span,
        /// What was counted.
        what: &'static str,
        /// How many were allowed.
        limit: u64,
    },
    /// A turn went on and on.
    #[error("this turn was stopped after {limit} moves; the position is unchanged")]
    Endless {
        /// Where its next move would have ended.
        span: Span,
        /// How many moves were allowed.
        limit: u32,
    },
    /// Chance was thrown again too often.
    #[error("{}", no_throw(*tries))]
    NoThrow {
        /// The `roll`.
        span: Span,
        /// How often it was tried.
        tries: u32,
    },
}

/// Why nothing was thrown.
fn no_throw(tries: u32) -> String {
    match tries {
        0 => "there is nothing to roll from, or nothing that fulfils the condition".to_string(),
        tries => format!("no throw fulfilled the condition in {tries} tries"),
    }
}

impl Trouble {
    /// A trouble of its kind has a code, as findings have; what a person has asked for wrongly has none.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Trouble::Illegal | Trouble::NotNow => return None,
            Trouble::Fuel { .. } => "loop-too-long",
            Trouble::TooMany { .. } => "too-many-moves",
            Trouble::TooLong { .. } => "search-too-long",
            Trouble::Endless { .. } => "turn-too-long",
            Trouble::NoThrow { .. } => "no-throw",
        })
    }

    /// The rule where it happened.
    pub fn span(&self) -> Option<Span> {
        match self {
            Trouble::Illegal | Trouble::NotNow => None,
            Trouble::Fuel { span, .. }
            | Trouble::TooMany { span, .. }
            | Trouble::TooLong { span, .. }
            | Trouble::Endless { span, .. }
            | Trouble::NoThrow { span, .. } => Some(*span),
        }
    }
}

/// How deep questions about other runs (`otherwise`, `while possible`, `require most`) may be nested.
pub const DEEPEST_QUESTION: u32 = 128;

/// A game in progress.
///
/// After each call the game has gone on by itself to the next decision: statements without choices have run, turns that happen by
/// themselves are over, the ends have been looked at.
pub trait Table {
    /// What is to happen now.
    fn status(&self) -> Status;

    /// The legal moves, each once, in the order in which runs are met.
    fn moves(&mut self) -> Result<Vec<Move>, Trouble>;

    /// What chance may bring, each different position once, with weights.
    fn outcomes(&mut self) -> Result<Vec<(Move, u64)>, Trouble>;

    /// Draws what chance brings, by its weights, without listing; `draw(n)` gives a number below `n`, every one alike.
    fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble>;

    /// Plays a move or a chance outcome that was listed.
    fn play(&mut self, chosen: &Move) -> Result<(), Trouble>;

    /// The seat to move gives up.
    fn resign(&mut self) -> Result<(), Trouble>;

    /// The position.
    fn snapshot(&self) -> Snapshot;

    /// A copy that goes its own way.
    fn fork(&self) -> Box<dyn Table + '_>;

    /// What it keeps up to date and what that would be if it were worked out from nothing; alike unless something is wrong inside.
    fn keys(&self) -> (Vec<u64>, Vec<u64>) {
        (Vec::new(), Vec::new())
    }

    /// Number of move sequences of exactly `depth` moves and chance events; a finished game has no continuation.
    fn perft(&mut self, depth: u32) -> Result<u64, Trouble> {
        let mut next = Vec::new();
        match self.status() {
            _ if depth == 0 => return Ok(1),
            Status::Over(_) => return Ok(0),
            Status::ToMove(_) => next.extend(self.moves()?),
            Status::Chance => next.extend(self.outcomes()?.into_iter().map(|(chosen, _)| chosen)),
        }
        if depth == 1 {
            return Ok(next.len() as u64);
        }
        let mut sum = 0;
        for chosen in next {
            let mut fork = self.fork();
            fork.play(&chosen)?;
            sum += fork.perft(depth - 1)?;
        }
        Ok(sum)
    }
}
