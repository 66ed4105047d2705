//! An `example`, ready to be run against the [`super::Rules`] that were made for it.

use crate::source::Span;

/// An example. Its options are already in the rules that come with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExampleCase {
    /// What it shows.
    pub title: String,
    /// Its steps, in order.
    pub steps: Vec<(Step, Span)>,
}

/// A line of an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `position """…"""`: the board is cleared and this laid; everything remembered keeps its first value.
    Position(String),
    /// `White to move`
    ToMove(i32),
    /// `turns = 12`: so many turns are over.
    Turns(i32),
    /// `games = 2`: so many games of the match are over.
    Games(i32),
    /// `resigned = {Black}`: these seats, a mask, have given up.
    Resigned(u64),
    /// `rematch`: the next game of the match begins; what lasts is as it is here.
    Rematch,
    /// A statement: this index of [`super::Rules::scripts`].
    Script(usize),
    /// `expect`: this index of [`super::Rules::probes`], and how it was written. Seen from the seat to move (when the game is over: that has just played).
    Expect(usize, String),
    /// `play "a", "b"`
    Play(Vec<String>),
    /// `only …`: exactly these turns.
    Only(Vec<String>),
    /// `legal …`
    Legal(Vec<String>),
    /// `illegal "…", … [because "…"]`: none of these, each for this reason.
    Illegal(Vec<String>, Option<String>),
    /// `shows """…"""`
    Shows(String),
    /// `ends …`: the game is over for this reason, and the seats have these places, if the line says so.
    Ends(String, Option<Vec<u8>>),
    /// `moves …`: the number of sequences of 1, 2, 3 … moves.
    Moves(Vec<u64>),
}
