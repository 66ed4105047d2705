//! What is left of a value for the arms of a `match` to come.

use super::values::Known;
use crate::rules::NONE;

/// Codes that a value may be, and whether it may be none; nothing if they are not known.
pub type Codes = Option<(u64, bool)>;

/// What is left of a value for the arms of a `match` to come.
pub struct Rest {
    codes: Option<(u64, bool)>,
    numbers: Option<(i32, i32)>,
}

impl Rest {
    /// All of it.
    pub fn new(value: &Known) -> Rest {
        match value {
            Known::Code(codes, none) => Rest { codes: Some((*codes, *none)), numbers: None },
            Known::Number(lo, hi) => Rest { codes: None, numbers: Some((*lo, *hi)) },
            _ => Rest { codes: None, numbers: None },
        }
    }

    /// What of it these ranges take, if anything: as codes, if that is known.
    pub fn take(&mut self, ranges: &[(i32, i32)]) -> Option<Codes> {
        if let Some((codes, none)) = self.codes {
            let hit = |code: i32| ranges.iter().any(|&(lo, hi)| (lo..=hi).contains(&code));
            let taken =
                (0..63).filter(|code| codes >> code & 1 == 1 && hit(*code)).fold(0, |mask, code| mask | 1u64 << code);
            let taken_none = none && hit(NONE);
            self.codes = Some((codes & !taken, none && !taken_none));
            return (taken != 0 || taken_none).then_some(Some((taken, taken_none)));
        }
        if let Some((lo, hi)) = &mut self.numbers {
            let may = *lo <= *hi && ranges.iter().any(|&(from, to)| from <= *hi && *lo <= to);
            for &(from, to) in ranges {
                if from <= *lo && *lo <= to {
                    match to.checked_add(1) {
                        Some(next) => *lo = next,
                        None => (*lo, *hi) = (1, 0),
                    }
                }
                if from <= *hi && *hi <= to {
                    match from.checked_sub(1) {
                        Some(next) => *hi = next,
                        None => (*lo, *hi) = (1, 0),
                    }
                }
            }
            return may.then_some(None);
        }
        (!ranges.is_empty()).then_some(None)
    }

    /// What the last arm takes, if anything is left.
    pub fn rest(&self) -> Option<Codes> {
        match (self.codes, self.numbers) {
            (Some((0, false)), _) => None,
            (Some(codes), _) => Some(Some(codes)),
            (_, Some((lo, hi))) if lo > hi => None,
            _ => Some(None),
        }
    }
}
