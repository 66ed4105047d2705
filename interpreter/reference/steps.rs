//! A move choice by choice: what can be chosen next, so that a legal move begins that way.
//!
//! Nothing is listed but the next choices; whoever plays so need not know how many moves there are in all.

use super::explore::{Explorer, Onward, Search, with};
use super::game::Slow;
use super::run::Script;
use crate::play::{Status, Table, Trouble};

impl Slow<'_> {
    /// What can be chosen after these choices of the present move; nothing if they are a whole move.
    pub(super) fn next_choices(&self, begun: &[i32]) -> Result<Vec<i32>, Trouble> {
        if !matches!(self.status(), Status::ToMove(_)) {
            return Err(Trouble::NotNow);
        }
        let origin = self.script.len();
        let mut explorer = self.explorer();
        let mut script = self.script.clone();
        let mut left = begun;
        loop {
            let walk = explorer.walk(script.clone())?;
            let picks = match explorer.onward(&walk, origin)? {
                Onward::Cut if left.is_empty() => return Ok(Vec::new()),
                Onward::Cut | Onward::Dead => return Err(Trouble::Illegal),
                Onward::Picks(picks) => picks,
            };
            script = walk.run.script().clone();
            match (picks.as_slice(), left.split_first()) {
                // What the rules answer is nobody's choice.
                ([answer], _) if !answer.shown => script = with(&script, answer.code, false),
                (picks, Some((code, rest))) if picks.iter().any(|pick| pick.code == *code) => {
                    script = with(&script, *code, true);
                    left = rest;
                }
                (_, Some(_)) => return Err(Trouble::Illegal),
                (picks, None) => {
                    let mut open = Vec::new();
                    for pick in picks {
                        if leads_on(&mut explorer, origin, with(&script, pick.code, pick.shown))? {
                            open.push(pick.code);
                        }
                    }
                    return Ok(open);
                }
            }
        }
    }
}

/// Does a legal move begin like this?
fn leads_on(explorer: &mut Explorer, origin: usize, script: Script) -> Result<bool, Trouble> {
    Ok(Search::among(origin, script).next(explorer)?.is_some())
}
