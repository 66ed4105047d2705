//! Values while a run goes on, and what can be done with sets and bags.

use crate::bug;
use crate::play::Value;
use crate::rules::expr::SetOp;
use crate::rules::{NONE, SiteSet, Ty, number};

/// What an expression gives and a local holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Val {
    /// Of any scalar type.
    Scalar(i32),
    /// Of a mask type.
    Mask(u64),
    /// Sites.
    Sites(SiteSet),
    /// How many of each, from the bag type's `lo` on.
    Bag(Vec<u8>),
    /// A copy of a `per site` table.
    Table(Vec<i32>),
}

impl Val {
    /// What a variable holds, as a value.
    pub fn of(value: &Value) -> Val {
        match value {
            Value::Scalar(code) => Val::Scalar(*code),
            Value::Mask(mask) => Val::Mask(*mask),
            Value::Sites(sites) => Val::Sites(sites.clone()),
            Value::Bag(bag) => Val::Bag(bag.clone()),
        }
    }

    /// As a variable can hold it; a table becomes the sites where it is above 0.
    pub fn kept(self, n_sites: usize) -> Value {
        match self {
            Val::Scalar(code) => Value::Scalar(code),
            Val::Mask(mask) => Value::Mask(mask),
            Val::Sites(sites) => Value::Sites(sites),
            Val::Bag(bag) => Value::Bag(bag),
            Val::Table(table) => {
                let above = (0..).zip(table).filter(|&(_, n)| n > 0);
                Value::Sites(SiteSet::of(n_sites, above.map(|(site, _)| site)))
            }
        }
    }

    /// Is it neither empty nor nowhere, nobody, none?
    pub fn is_something(&self) -> bool {
        match self {
            Val::Scalar(code) => *code != NONE,
            Val::Mask(mask) => *mask != 0,
            Val::Sites(sites) => !sites.is_empty(),
            Val::Bag(bag) => bag.iter().any(|&n| n > 0),
            Val::Table(table) => table.iter().any(|&n| n > 0),
        }
    }
}

/// The members of a mask, lowest first.
pub fn mask_members(mask: u64) -> Vec<i32> {
    (0..64).filter(|&i| mask >> i & 1 == 1).collect()
}

/// The mask of one member; of none if it cannot be in a mask.
pub fn mask_of(code: i32) -> u64 {
    if (0..64).contains(&code) { 1 << code } else { 0 }
}

/// The things of a bag and how many there are of each, lowest first.
pub fn bag_members(bag: &[u8], ty: Ty) -> Vec<(i32, u64)> {
    let lo = bag_lo(ty);
    let things = (0..).zip(bag).filter(|&(_, &n)| n > 0);
    things.map(|(i, &n)| (number::add(lo, i), u64::from(n))).collect()
}

/// How many of a thing are in the bag.
pub fn bag_count(bag: &[u8], ty: Ty, thing: i32) -> u8 {
    bag_place(ty, thing).and_then(|i| bag.get(i)).copied().unwrap_or(0)
}

/// Puts `n` more of a thing into the bag; what does not fit is left out.
pub fn bag_put(bag: &mut [u8], ty: Ty, thing: i32, n: u8) {
    if let Some(count) = bag_place(ty, thing).and_then(|i| bag.get_mut(i)) {
        *count = count.saturating_add(n);
    }
}

/// A bag with nothing in it.
pub fn bag_empty(ty: Ty) -> Vec<u8> {
    match ty {
        Ty::Bag(bag) => vec![0; bag.n as usize],
        _ => Vec::new(),
    }
}

/// The sum of the numbers in a bag.
pub fn bag_sum(bag: &[u8], ty: Ty) -> i32 {
    bag_members(bag, ty).into_iter().map(|(thing, n)| number::mul(thing, n as i32)).fold(0, number::add)
}

fn bag_lo(ty: Ty) -> i32 {
    match ty {
        Ty::Bag(bag) => bag.lo,
        _ => 0,
    }
}

fn bag_place(ty: Ty, thing: i32) -> Option<usize> {
    usize::try_from(i64::from(thing) - i64::from(bag_lo(ty))).ok()
}

/// The entry at an index, if there is one; nowhere and nobody have none.
pub fn at<T>(list: &[T], index: i32) -> Option<&T> {
    usize::try_from(index).ok().and_then(|i| list.get(i))
}

/// Does one of the ranges, ends included, hold the scalar?
pub fn in_ranges(ranges: &[(i32, i32)], code: i32) -> bool {
    ranges.iter().any(|&(lo, hi)| (lo..=hi).contains(&code))
}

/// Two sets of one type, joined.
pub fn set_op(op: SetOp, a: Val, b: Val) -> Val {
    match (a, b) {
        (Val::Sites(a), Val::Sites(b)) => Val::Sites(match op {
            SetOp::And => a.and(&b),
            SetOp::Or | SetOp::Add => a.or(&b),
            SetOp::Minus => a.minus(&b),
        }),
        (Val::Mask(a), Val::Mask(b)) => Val::Mask(match op {
            SetOp::And => a & b,
            SetOp::Or | SetOp::Add => a | b,
            SetOp::Minus => a & !b,
        }),
        (Val::Bag(a), Val::Bag(b)) => {
            let join = |(a, b): (&u8, &u8)| match op {
                SetOp::And => *a.min(b),
                SetOp::Or => *a.max(b),
                SetOp::Minus => a.saturating_sub(*b),
                SetOp::Add => a.saturating_add(*b),
            };
            Val::Bag(a.iter().zip(&b).map(join).collect())
        }
        (a, b) => bug!("{a:?} and {b:?} are not sets of one type"),
    }
}

/// The sites at which a table holds such a value.
pub fn places(table: &[i32], test: impl Fn(i32) -> bool) -> Vec<i32> {
    (0..).zip(table).filter(|&(_, &n)| test(n)).map(|(site, _)| site).collect()
}
