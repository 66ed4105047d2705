//! Masks of directions taken apart: each member with the condition under which it is in.

use super::bits::Set;
use super::code::*;
use super::eval::bit;
use super::lower::{Low, answers};
use super::scalars::{both, either, negate};
use crate::rules::expr::SetOp;

/// A mask of more possible members than this is not taken apart.
const MOST: u32 = 8;

/// The possible members of a mask, each with its condition; none if they cannot be told.
pub fn members<const W: usize>(mask: &Mask<W>) -> Option<Vec<(i32, Cond<W>)>> {
    let all = possible(mask)?;
    if all.count_ones() > MOST {
        return None;
    }
    let codes = (0..64).filter(|code| all >> code & 1 == 1);
    let list = codes.map(|code| Some((code, holds(mask, code)?)));
    let list: Option<Vec<_>> = list.collect();
    list.map(|list| list.into_iter().filter(|(_, c)| *c != Cond::Const(false)).collect())
}

/// All members it may have.
fn possible<const W: usize>(mask: &Mask<W>) -> Option<u64> {
    match mask {
        Mask::Const(mask) => Some(*mask),
        Mask::Single(code) => match **code {
            Int::Const(code) => Some(bit(code)),
            _ => None,
        },
        Mask::Lookup(table, _) => Some(table.iter().fold(0, |all, mask| all | mask)),
        Mask::Op(SetOp::And, parts) => match (possible(&parts.0), possible(&parts.1)) {
            (Some(a), Some(b)) => Some(a & b),
            _ => None,
        },
        Mask::Op(SetOp::Minus, parts) => {
            possible(&parts.1)?;
            possible(&parts.0)
        }
        Mask::Op(_, parts) => Some(possible(&parts.0)? | possible(&parts.1)?),
        Mask::Pick(pick) => match &**pick {
            Pick::If(_, a, b) => Some(possible(a)? | possible(b)?),
            Pick::Match(_, arms, other) => {
                arms.iter().try_fold(possible(other)?, |all, (_, arm)| Some(all | possible(arm)?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Under which condition it has a member.
fn holds<const W: usize>(mask: &Mask<W>, code: i32) -> Option<Cond<W>> {
    Some(match mask {
        Mask::Const(mask) => Cond::Const(mask & bit(code) != 0),
        Mask::Single(only) => match **only {
            Int::Const(only) => Cond::Const(only == code),
            _ => return None,
        },
        Mask::Lookup(table, of) => {
            let values: Vec<bool> = table.iter().map(|mask| mask & bit(code) != 0).collect();
            if values.iter().all(|&value| value == values[0]) {
                return Some(Cond::Const(values[0]));
            }
            answers(&values, (**of).clone())?
        }
        Mask::Op(op, parts) => {
            let (a, b) = (holds(&parts.0, code)?, holds(&parts.1, code)?);
            match op {
                SetOp::And => both(a, b),
                SetOp::Minus => both(a, negate(b)),
                SetOp::Or | SetOp::Add => either(a, b),
            }
        }
        Mask::Pick(pick) => match &**pick {
            Pick::If(c, a, b) => match (holds(a, code)?, holds(b, code)?) {
                (a, b) if a == b => a,
                (Cond::Const(true), Cond::Const(false)) => c.clone(),
                (Cond::Const(false), Cond::Const(true)) => negate(c.clone()),
                (a, b) => Cond::wrap(Pick::If(c.clone(), a, b)),
            },
            Pick::Match(on, arms, other) => {
                let other = holds(other, code)?;
                let mut list = Vec::new();
                for (ranges, arm) in arms {
                    list.push((ranges.clone(), holds(arm, code)?));
                }
                if list.iter().all(|(_, arm)| *arm == other) {
                    return Some(other);
                }
                Cond::wrap(Pick::Match(on.clone(), list, other))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// The set if the condition holds. One site in sites: both as sets.
pub fn when<const W: usize>(c: Cond<W>, value: Sites<W>) -> Sites<W> {
    match (c, value) {
        (Cond::Const(true), value) => value,
        (Cond::Const(false), _) => Sites::Const(Set::EMPTY),
        (Cond::In(inside), value) if value == Sites::Single(Box::new(inside.0.clone())) => {
            Sites::Op(SetOp::And, Box::new((value, inside.1)))
        }
        (Cond::And(parts), value) => {
            let (a, b) = *parts;
            match b {
                Cond::In(inside) if value == Sites::Single(Box::new(inside.0.clone())) => {
                    when(a, Sites::Op(SetOp::And, Box::new((value, inside.1))))
                }
                b => guarded(both(a, b), value),
            }
        }
        (c, value) => guarded(c, value),
    }
}

fn guarded<const W: usize>(c: Cond<W>, value: Sites<W>) -> Sites<W> {
    Sites::wrap(Pick::If(c, value, Sites::Const(Set::EMPTY)))
}
