//! Bags as numbers: 8 bits, a lane, for each thing that they can hold.

use super::code::BagAsk;
use crate::rules::{BagTy, NONE, number};

/// Lane by lane.
#[cfg(test)]
fn lanes(a: u128, b: u128, f: impl Fn(u8, u8) -> u8) -> u128 {
    let (a, b) = (a.to_le_bytes(), b.to_le_bytes());
    u128::from_le_bytes(std::array::from_fn(|i| f(a[i], b[i])))
}

/// Lane by lane the first without the second, not below 0; all lanes at once.
pub fn lanes_less(a: u128, b: u128) -> u128 {
    const TOP: u128 = u128::MAX / 255 * 128;
    let less = (a | TOP).wrapping_sub(b & !TOP) ^ ((a ^ !b) & TOP);
    let below = ((!a & b) | (!(a ^ b) & less)) & TOP;
    less & !(below >> 7).wrapping_mul(255)
}

/// Lane by lane the lesser.
pub fn lanes_least(a: u128, b: u128) -> u128 {
    a.wrapping_sub(lanes_less(a, b))
}

/// Lane by lane the greater.
pub fn lanes_most(a: u128, b: u128) -> u128 {
    a.wrapping_add(lanes_less(b, a))
}

/// Lane by lane the sum, not above 255.
pub fn lanes_sum(a: u128, b: u128) -> u128 {
    a.wrapping_add(lanes_least(b, !a))
}

/// A bag of so many of one thing; nothing if it cannot hold it.
pub fn bag_of(ty: BagTy, thing: i32, n: u8) -> u128 {
    let lane = i64::from(thing) - i64::from(ty.lo);
    if (0..i64::from(ty.n)).contains(&lane) { u128::from(n) << (8 * lane) } else { 0 }
}

/// What is asked of a bag.
pub fn ask_bag(ask: BagAsk, ty: BagTy, bag: u128) -> i32 {
    let bytes = bag.to_le_bytes();
    let mut things = (0..usize::from(ty.n))
        .filter(|&lane| bytes[lane] > 0)
        .map(|lane| (ty.lo.saturating_add(lane as i32), i32::from(bytes[lane])));
    match ask {
        BagAsk::Count => things.map(|(_, n)| n).sum(),
        BagAsk::The => match (things.next(), things.next()) {
            (Some((thing, 1)), None) => thing,
            _ if ty.kinds => NONE,
            _ => 0,
        },
        BagAsk::Sum => things.fold(0, |sum, (thing, n)| number::add(sum, number::mul(thing, n))),
        BagAsk::Min => things.next().map_or(0, |(thing, _)| thing),
        BagAsk::Max => things.next_back().map_or(0, |(thing, _)| thing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lanes_at_once_are_as_one_by_one() {
        let numbers = [0u8, 1, 2, 3, 5, 127, 128, 129, 200, 254, 255];
        let mut seed = 1usize;
        for _ in 0..2_000 {
            let mut bag = || {
                u128::from_le_bytes(std::array::from_fn(|_| {
                    seed = seed.wrapping_mul(25_214_903_917).wrapping_add(11);
                    numbers[(seed >> 24) % numbers.len()]
                }))
            };
            let (a, b) = (bag(), bag());
            assert_eq!(lanes_less(a, b), lanes(a, b, u8::saturating_sub));
            assert_eq!(lanes_least(a, b), lanes(a, b, u8::min));
            assert_eq!(lanes_most(a, b), lanes(a, b, u8::max));
            assert_eq!(lanes_sum(a, b), lanes(a, b, u8::saturating_add));
        }
    }
}
