//! Chance that never changes: the same seed gives the same game in every version and on every machine.
//!
//! # The algorithm
//!
//! * `mix(z)` is the output function of SplitMix64: `z ^= z >> 30; z *= 0xbf58476d1ce4e5b9; z ^= z >> 27; z *= 0x94d049bb133111eb; z ^= z >> 31`,
//!   all on 64 bits.
//! * From a seed `s` and a number `i` (the number of the game, or of the event within a game) the 128-bit state is `high * 2^64 + low`, where
//!   `a = mix(s + g)`, `low = mix((a ^ i) + g)`, `high = mix(low + g)` and `g = 0x9e3779b97f4a7c15`.
//! * The generator is PCG XSL RR 128/64 (MCG), known as `pcg64_fast`, started from that state with its lowest bit set: each draw first
//!   multiplies the state with `0x2360ed051fc65da44385df649fccf645`, then gives the two halves xored, rotated right by the upper 6 bits.
//! * A number below `n` is drawn by multiplying the next 64 bits with `n`: the upper 64 bits of the product are the number. If the lower
//!   64 bits are less than `2^64 mod n` the draw is repeated, so that every number is exactly alike. Below 0 and below 1 give 0 without a draw.

use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chance(Pcg64Mcg);

impl Chance {
    /// The stream of a seed; the same as the first of [`Chance::nth`].
    pub fn new(seed: u64) -> Chance {
        Chance::nth(seed, 0)
    }

    /// One of many streams of a seed, each independent of the others: game `i` of a run, event `i` of a game.
    pub fn nth(seed: u64, i: u64) -> Chance {
        let low = mix((mix(seed.wrapping_add(GOLDEN)) ^ i).wrapping_add(GOLDEN));
        let high = mix(low.wrapping_add(GOLDEN));
        Chance(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, every one alike; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n <= 1 {
            return 0;
        }
        let mut product = u128::from(self.bits()) * u128::from(n);
        if (product as u64) < n {
            let least = n.wrapping_neg() % n;
            while (product as u64) < least {
                product = u128::from(self.bits()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64 from 0 gives these first two numbers everywhere.
    #[test]
    fn mix_is_splitmix() {
        assert_eq!(mix(GOLDEN), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GOLDEN.wrapping_mul(2)), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn the_numbers_never_change() {
        let draw = |mut chance: Chance| (0..8).map(|_| chance.below(6)).collect::<Vec<_>>();
        assert_eq!(draw(Chance::new(1)), PINNED_1);
        assert_eq!(draw(Chance::nth(1, 1)), PINNED_1_1);
    }

    const PINNED_1: [u64; 8] = [4, 1, 3, 5, 3, 5, 5, 4];
    const PINNED_1_1: [u64; 8] = [0, 2, 2, 4, 2, 0, 0, 5];

    #[test]
    fn every_face_comes_up_about_equally_often() {
        let mut chance = Chance::new(7);
        let mut faces = [0u32; 6];
        for _ in 0..60_000 {
            faces[chance.below(6) as usize] += 1;
        }
        assert!(faces.iter().all(|n| (9_600..10_400).contains(n)), "{faces:?}");
        assert_eq!(chance.below(0), 0);
        assert_eq!(chance.below(1), 0);
    }

    #[test]
    fn large_bounds_stay_within() {
        let mut chance = Chance::new(9);
        for _ in 0..1_000 {
            assert!(chance.below(u64::MAX / 2 + 2) < u64::MAX / 2 + 2);
        }
    }
}
