//! A series of games between the same persons: who sits where, who begins, what is handed on, and the score.
//!
//! Comes in: how each game ended. Goes out: how the next one begins. Every game has these settings; what a game itself says of its next one
//! (`lasting`, `games`) stands in its rules.

use std::collections::BTreeSet;

use super::{Outcome, Snapshot, Start};
use crate::rules::{PerWhat, Rules};

/// Who begins the next game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begins {
    /// The seat that began the last one.
    Same,
    /// The seat after that.
    Next,
    /// The seat of who has lost alone; if nobody has, the seat after the one that began.
    Loser,
}

/// The settings of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many games.
    pub games: u32,
    /// Who begins; none: as usual, see [`Settings::usual`].
    pub begins: Option<Begins>,
    /// Does everybody move on to the next seat after every game?
    pub exchange: bool,
    /// Does every game begin as if none had been before?
    pub fresh: bool,
}

impl Settings {
    /// One game.
    pub fn one() -> Settings {
        Settings { games: 1, begins: None, exchange: false, fresh: false }
    }

    /// Who begins the next game if nobody says: the next seat; but the same if the persons change their seats, or if the game itself asks
    /// how many games are over, for then it says what changes.
    pub fn usual(self, rules: &Rules) -> Begins {
        let begins = if self.exchange || rules.uses.games && !self.fresh { Begins::Same } else { Begins::Next };
        self.begins.unwrap_or(begins)
    }
}

/// A series that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    settings: Settings,
    /// Who sits on each seat: the seat that this person had in the first game.
    persons: Vec<usize>,
    /// The games that each person has won.
    won: Vec<u32>,
    drawn: u32,
    unfinished: u32,
}

/// How a game of a series begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The seat that begins, unless the rules say otherwise.
    pub first: i32,
    /// From where.
    pub start: Start,
}

impl Series {
    /// A series of which nothing has been played.
    pub fn new(settings: Settings, n_seats: usize) -> Series {
        Series { settings, persons: (0..n_seats).collect(), won: vec![0; n_seats], drawn: 0, unfinished: 0 }
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Who sits on each seat: the seat that this person had in the first game.
    pub fn persons(&self) -> &[usize] {
        &self.persons
    }

    /// Adds a game that is over to the score. Who shares the first place has won too, unless everybody shares it: that is a draw.
    pub fn count(&mut self, outcome: &Outcome) {
        let distinct: BTreeSet<u8> = outcome.places.iter().copied().collect();
        match distinct.len() {
            0 => self.unfinished += 1,
            1 if outcome.places.len() > 1 => self.drawn += 1,
            _ => {
                for (seat, _) in outcome.places.iter().enumerate().filter(|(_, place)| **place == 1) {
                    self.won[self.persons[seat]] += 1;
                }
            }
        }
    }

    /// The games that each person has won, in the order of the seats of the first game; the draws; the games without a result.
    pub fn score(&self) -> (&[u32], u32, u32) {
        (&self.won, self.drawn, self.unfinished)
    }

    /// How the next game begins, after one that seat `first` began and that ended in this position; persons change their seats now.
    pub fn next(&mut self, rules: &Rules, first: i32, last: &Snapshot, outcome: &Outcome) -> Opening {
        let n = rules.n_seats() as i32;
        let on = |seat: i32| (seat + 1).rem_euclid(n);
        let first = match self.settings.usual(rules) {
            Begins::Same => first,
            Begins::Next => on(first),
            Begins::Loser => match loser(outcome) {
                Some(seat) if self.settings.exchange => on(seat),
                Some(seat) => seat,
                None => on(first),
            },
        };
        let mut last = last.clone();
        if self.settings.exchange {
            self.persons.rotate_right(1);
            // What belongs to a person goes along with him.
            for (var, entries) in rules.vars.iter().zip(&mut last.vars) {
                if var.lasting && var.per == PerWhat::Player {
                    entries.rotate_right(1);
                }
            }
        }
        let start = match !self.settings.fresh && hands_on(rules) {
            true => Start::after(last),
            false => Start::beginning(),
        };
        Opening { first, start }
    }
}

/// Does a game depend on the one before it in a match?
pub fn hands_on(rules: &Rules) -> bool {
    rules.uses.games || rules.vars.iter().any(|var| var.lasting)
}

/// The seat that has the last place alone.
fn loser(outcome: &Outcome) -> Option<i32> {
    let last = outcome.places.iter().copied().max().filter(|place| *place > 1)?;
    let mut of_last = (0..).zip(&outcome.places).filter(|(_, place)| **place == last).map(|(seat, _)| seat);
    let seat = of_last.next()?;
    of_last.next().is_none().then_some(seat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Value, fake};
    use crate::rules::Board;

    fn over(places: &[u8]) -> Outcome {
        Outcome { places: places.to_vec(), by: 1, reason: "end".into(), ending: None }
    }

    fn series(begins: Option<Begins>, exchange: bool) -> (Rules, Series) {
        let mut rules = fake::rules(Board::grid(2, 2));
        rules.vars[0].lasting = true;
        (rules, Series::new(Settings { games: 9, begins, exchange, fresh: false }, 2))
    }

    #[test]
    fn who_begins() {
        let next = |begins, exchange, places: &[u8]| {
            let (rules, mut series) = series(begins, exchange);
            series.next(&rules, 0, &Snapshot::empty(&rules), &over(places)).first
        };
        assert_eq!(next(None, false, &[1, 2]), 1);
        assert_eq!(next(None, true, &[1, 2]), 0);
        assert_eq!(next(Some(Begins::Same), false, &[1, 2]), 0);
        assert_eq!(next(Some(Begins::Loser), false, &[2, 1]), 0);
        assert_eq!(next(Some(Begins::Loser), true, &[2, 1]), 1);
        assert_eq!(next(Some(Begins::Loser), false, &[1, 1]), 1);
        assert_eq!(next(Some(Begins::Loser), false, &[]), 1);
    }

    #[test]
    fn a_game_that_asks_keeps_its_beginner() {
        let (mut rules, mut series) = series(None, false);
        rules.uses.games = true;
        assert_eq!(series.next(&rules, 0, &Snapshot::empty(&rules), &over(&[1, 2])).first, 0);
    }

    #[test]
    fn wins_and_points_go_along_with_the_person() {
        let (rules, mut series) = series(None, true);
        let mut last = Snapshot::empty(&rules);
        last.vars[0][0] = Value::Scalar(5);
        series.count(&over(&[1, 2]));
        let opening = series.next(&rules, 0, &last, &over(&[1, 2]));
        assert_eq!(series.persons(), [1, 0]);
        series.count(&over(&[1, 2]));
        series.count(&over(&[1, 1]));
        series.count(&over(&[]));
        assert_eq!(series.score(), (&[1, 1][..], 1, 1));
        let handed = opening.start.after.as_ref().map(|after| after.vars[0].clone());
        assert_eq!(handed, Some(vec![Value::Scalar(0), Value::Scalar(5)]));
    }
}
