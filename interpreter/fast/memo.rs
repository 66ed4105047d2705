//! Places in the middle of a move that have been gone through: where runs that lead to the same position are one move, whatever follows
//! from a position at a place is found when it is met first.

use super::core::{Core, mix};
use super::layout::Store;
use super::run::Goal;
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
    places: Seen,
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
        let mut memo = std::mem::take(&mut self.run.memo);
        let (place, new) = memo.places.place(
            self.state_number(fork),
            |row| self.is_state(fork, row),
            |words| self.write_state(fork, words),
        );
        memo.here = place;
        let mut known = None;
        if new {
            memo.known.push(Known::Open);
        } else {
            memo.here = UNKNOWN;
            if let Some(Known::Closed(completed)) = memo.known.get(place as usize) {
                known = Some(*completed);
            }
        }
        self.run.memo = memo;
        known
    }

    /// A number that is the same for the same state, see [`Core::write_state`], and mostly another for another.
    pub(super) fn state_number(&self, node: u32) -> u64 {
        let layout = &self.p.layout;
        let mut number = mix(self.b[layout.board_key as usize], self.b[layout.rest_key as usize]);
        number ^= self.b[layout.next as usize] ^ u64::from(node) << 32;
        let mut mixed = |words: &[u64]| {
            for word in words {
                number = (number ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                number ^= number >> 29;
            }
        };
        // Tables, which are long, have no part in it if they are in no key.
        for place in layout.vars.iter().filter(|place| !place.kept) {
            if !matches!(place.store, Store::Flags | Store::Words { .. } | Store::Numbers { .. }) {
                mixed(&self.b[place.base as usize..(place.base + place.stride * place.n) as usize]);
            }
        }
        for &(at, n) in &self.p.nodes[node as usize].live {
            mixed(&self.b[at as usize..(at + n) as usize]);
        }
        number
    }
}
