//! Places in the middle of a move that have been gone through: where runs that lead to the same position are one move, whatever follows
//! from a position at a place is found when it is met first.

use super::core::Core;
use super::goal::Goal;
use super::seen::Seen;
use super::switches::Switch;

/// No place.
pub const UNKNOWN: u32 = u32::MAX;

/// Words of memory for places.
const MOST_WORDS: usize = 1 << 22;

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It is being gone through.
    Open,
    /// All that follows has been gone through; did a run get to a cut?
    Closed(bool),
}

/// The places of an exploration.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    pub(super) places: Seen,
    known: Vec<Known>,
    /// The place of the fork that is being begun.
    pub here: u32,
}

impl Memo {
    /// Forgets everything.
    pub fn clear(&mut self) {
        if !self.known.is_empty() {
            self.places.clear();
            self.known.clear();
        }
        self.here = UNKNOWN;
    }

    /// All that follows from a place has been gone through.
    pub fn close(&mut self, place: u32, completed: bool) {
        if let Some(known) = self.known.get_mut(place as usize) {
            *known = Known::Closed(completed);
        }
    }
}

impl<const W: usize> Core<'_, W> {
    /// Has all that follows from this end of a loop's round been gone through before? Then says whether a run got to a cut. What stands before it has
    /// to have been chosen, so that no run from here is one without choices.
    pub(super) fn known_before(&mut self, fork: u32, goal: &Goal<'_>) -> Option<bool> {
        self.run.memo.here = UNKNOWN;
        let kept = matches!(goal, Goal::List(_, Some(_)) | Goal::Flat(_, _, _, Some(_)));
        let wanted = self.p.switches.has(Switch::Memo) && !self.p.has_by && !self.p.hard_best;
        if !kept || !wanted || !self.run.chose || self.run.memo.places.words() > MOST_WORDS {
            return None;
        }
        let (place, new) = self.place_state(fork);
        let memo = &mut self.run.memo;
        if new {
            memo.here = place;
            memo.known.push(Known::Open);
        }
        match memo.known.get(place as usize) {
            Some(Known::Closed(completed)) => Some(*completed),
            _ => None,
        }
    }
}
