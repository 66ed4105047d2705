//! From when questions about past and future are asked.

/// When something is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Inside a turn: the turn is taken to end where it stands.
    Turn,
    /// In `after turn` and `setup`: the turn is over, the position is not yet part of the past.
    After,
    /// Inside a turn that is only looked at: `stuck` is off.
    AheadTurn,
    /// The same in its `after turn`.
    AheadAfter,
    /// In `end`, or by somebody who watches: the position is part of the past.
    End,
}
