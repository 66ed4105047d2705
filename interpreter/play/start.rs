//! How a game stands that does not begin at its beginning: a position, and what was played from there.

use super::{Move, Snapshot, Table, Trouble};
use crate::rules::example::Step;
use crate::source::Span;

/// From where a game goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    /// The position; none: the game's beginning.
    pub from: Option<Snapshot>,
    /// If it begins at its beginning: the last position of the game before, in a match.
    pub after: Option<Snapshot>,
    /// What was played since; none: the seat to move gave up.
    pub plays: Vec<Option<Move>>,
}

impl Start {
    /// The game's beginning.
    pub fn beginning() -> Start {
        Start::default()
    }

    /// The beginning of the next game of a match, after one that ended in this position.
    pub fn after(before: Snapshot) -> Start {
        Start { after: Some(before), ..Start::default() }
    }

    /// Plays on a game that stands at [`Start::from`] what was played since.
    pub fn go_on(&self, table: &mut dyn Table) -> Result<(), Trouble> {
        self.plays.iter().try_for_each(|chosen| match chosen {
            Some(chosen) => table.play(chosen),
            None => table.resign(),
        })
    }
}

/// The seat that the lines before the next `position` or the next thing to check name with `to move`.
pub(super) fn mover_said(rest: &[(Step, Span)]) -> Option<i32> {
    let composing = |(i, step): &(usize, &(Step, Span))| match step.0 {
        Step::ToMove(_) | Step::Script(_) | Step::Turns(_) | Step::Games(_) | Step::Resigned(_) => true,
        Step::Position(_) => *i == 0,
        _ => false,
    };
    let lines = rest.iter().enumerate().take_while(composing);
    let seats = lines.filter_map(|(_, (step, _))| match step {
        Step::ToMove(seat) => Some(*seat),
        _ => None,
    });
    seats.last()
}

/// Makes it a seat's turn.
pub(super) fn give_turn(position: &mut Snapshot, seat: i32) {
    position.mover = seat;
    position.next = seat;
}
