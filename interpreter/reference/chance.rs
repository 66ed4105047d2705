//! What chance may bring: everything from a `roll` to the next choice, the next cut, or the end of the program.
//!
//! An event also ends where the first question about other runs of the coming move is asked (`while possible`, `require most`).
//! A throw that does not fulfil its own condition, or a `require` on the way, is thrown again together with the whole event.

use std::collections::HashMap;

use super::explore::{Explorer, State, Walk, WalkEnd, codes};
use super::run::{Pick, Script, Wants};
use crate::bug;
use crate::play::{Move, ROLL_TRIES, Trouble};
use crate::rules::{Ty, number};
use crate::source::Span;

use super::explore::Found;

/// A throw that a run waits for: of what, how many dice, and what each can bring how often.
type Throw = (Ty, usize, Vec<(i32, u64)>, Span);

/// What the run waits for chance to throw, if that is what it waits for.
pub fn awaited(walk: &Walk) -> Option<Throw> {
    match &walk.end {
        WalkEnd::Pause(pause) => match &pause.wants {
            Wants::Throw(ty, members) => Some((*ty, 1, members.clone(), pause.span)),
            Wants::Throws(ty, n, members) => Some((*ty, *n, members.clone(), pause.span)),
            _ => None,
        },
        WalkEnd::Done | WalkEnd::Failed(_) => None,
    }
}

/// All ways in which an event can go, with weights, in order; those that fail are left out.
pub fn every_way(explorer: &mut Explorer, script: Script) -> Result<Vec<(Found, State, u64)>, Trouble> {
    let from = script.len();
    let mut stack = vec![script];
    let mut ways = Vec::new();
    while let Some(script) = stack.pop() {
        let walk = explorer.walk(script)?;
        if let Some((_, n, members, span)) = awaited(&walk) {
            let mut faces: Vec<i32> = members.into_iter().map(|(code, _)| code).collect();
            if n > 1 {
                faces.sort_unstable();
            }
            let throws = ascending(&faces, n);
            let limit = explorer.world.rules.bounds.moves;
            if ways.len() + stack.len() + throws.len() > limit {
                return Err(Trouble::TooMany { span, limit });
            }
            let script = walk.run.script();
            let longer = throws.iter().rev().map(|throw| thrown(script, throw));
            stack.extend(longer);
        } else if !matches!(walk.end, WalkEnd::Failed(_)) {
            let script = walk.run.script().clone();
            let codes = Move(codes(&script[from..]));
            let state = explorer.state(&walk);
            ways.push((Found { codes, script }, state, walk.run.weight, walk.run.of));
        }
    }
    // Not every way has as many throws as the others: all are told as parts of one whole.
    let whole = ways.iter().fold(1, |whole, &(.., of)| number::lcm(whole, of));
    let part = |weight: u128, of: u128| u64::try_from(weight.saturating_mul(whole / of.max(1))).unwrap_or(u64::MAX);
    Ok(ways.into_iter().map(|(found, state, weight, of)| (found, state, part(weight, of))).collect())
}

/// The same, ways that lead to the same position being one.
pub fn outcomes(explorer: &mut Explorer, script: Script) -> Result<Vec<(Found, u64)>, Trouble> {
    let mut outcomes: Vec<(Found, u64)> = Vec::new();
    let mut places: HashMap<State, usize> = HashMap::new();
    for (found, state, weight) in every_way(explorer, script)? {
        match places.get(&state) {
            Some(&i) => outcomes[i].1 = outcomes[i].1.saturating_add(weight),
            None => {
                places.insert(state, outcomes.len());
                outcomes.push((found, weight));
            }
        }
    }
    Ok(outcomes)
}

/// Draws one way; `draw(n)` gives a number below `n`. One number a die, in the order of the program.
pub fn draw(explorer: &mut Explorer, script: Script, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble> {
    let from = script.len();
    let mut first = None;
    for _ in 0..ROLL_TRIES {
        let mut script = script.clone();
        loop {
            let walk = explorer.walk(script.clone())?;
            if let Some((_, n, members, span)) = awaited(&walk) {
                first.get_or_insert(span);
                let Some(throw) = throw(n, &members, draw) else {
                    return Err(Trouble::NoThrow { span, tries: 0 });
                };
                script = thrown(&script, &throw);
            } else if matches!(walk.end, WalkEnd::Failed(_)) {
                break;
            } else {
                return Ok(Move(codes(&script[from..])));
            }
        }
    }
    let span = first.unwrap_or_default();
    let tries = ROLL_TRIES;
    Err(Trouble::NoThrow { span, tries })
}

/// The script of a chance event with these codes, if it can come.
pub fn follow(explorer: &mut Explorer, mut script: Script, codes: &[i32]) -> Result<Option<Script>, Trouble> {
    let mut left = codes;
    loop {
        let walk = explorer.walk(script.clone())?;
        if matches!(walk.end, WalkEnd::Failed(_)) {
            return Ok(None);
        }
        let Some((_, n, members, _)) = awaited(&walk) else {
            return Ok(left.is_empty().then_some(script));
        };
        if left.len() < n {
            return Ok(None);
        }
        let (throw, rest) = left.split_at(n);
        let known = |code: &i32| members.iter().any(|(member, _)| member == code);
        if !throw.iter().all(known) || !throw.is_sorted() {
            return Ok(None);
        }
        script = thrown(&script, throw);
        left = rest;
    }
}

/// All lists of `n` faces in ascending order.
fn ascending(faces: &[i32], n: usize) -> Vec<Vec<i32>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &face) in faces.iter().enumerate() {
        for mut rest in ascending(&faces[i..], n - 1) {
            rest.insert(0, face);
            all.push(rest);
        }
    }
    all
}

fn throw(n: usize, members: &[(i32, u64)], draw: &mut dyn FnMut(u64) -> u64) -> Option<Vec<i32>> {
    let all: u64 = members.iter().map(|&(_, n)| n).sum();
    if all == 0 {
        return None;
    }
    let mut throw = Vec::new();
    for _ in 0..n {
        let mut left = draw(all);
        for &(code, n) in members {
            if left < n {
                throw.push(code);
                break;
            }
            left -= n;
        }
    }
    if throw.len() != n {
        bug!("a number was drawn that is too great");
    }
    throw.sort_unstable();
    Some(throw)
}

/// A script with one more throw.
pub fn thrown(script: &Script, throw: &[i32]) -> Script {
    let picks = throw.iter().map(|&code| Pick { code, shown: true });
    script.iter().copied().chain(picks).collect()
}
