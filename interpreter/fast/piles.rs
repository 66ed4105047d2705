//! Piles: what lies on each site of a stacked board, below the piece that is seen.

use super::core::{Core, mix};
use crate::rules::board::MOST_PILED;

/// The key of a piece in a pile, by its place among all places of piles.
fn pile_key(at: i32, what: i32) -> u64 {
    mix((1 << 39) + at as u64, what as u64)
}

/// At most so many keys of pieces in piles are worked out before.
const MOST_KEYS: usize = 1 << 16;

/// The keys of all pieces at all places of piles, so many a place; none if they are very many.
pub fn pile_keys(n_sites: usize, per: usize) -> Vec<u64> {
    let n = n_sites * MOST_PILED * per;
    if n > MOST_KEYS {
        return Vec::new();
    }
    (0..n).map(|i| pile_key((i / per) as i32, (i % per) as i32)).collect()
}

impl<const W: usize> Core<'_, W> {
    /// How many pieces lie on a site of a stacked board.
    pub fn height(&self, site: i32) -> i32 {
        match self.p.layout.piles {
            Some((_, heights)) if site >= 0 && (site as usize) < self.p.layout.n_sites => heights.get(&self.b, site),
            _ => 0,
        }
    }

    /// A piece of a pile, as `what` in the layout has it.
    pub fn in_pile(&self, site: i32, level: i32) -> i32 {
        self.p.layout.piles.map_or(0, |(piles, _)| piles.get(&self.b, site * MOST_PILED as i32 + level))
    }

    /// Puts a piece on a pile or takes it off (0).
    fn set_in_pile(&mut self, site: i32, level: i32, what: i32) {
        let Some((piles, heights)) = self.p.layout.piles else { return };
        let at = site * MOST_PILED as i32 + level;
        let key = what.max(piles.get(&self.b, at));
        piles.set(&mut self.b, at, what);
        heights.set(&mut self.b, site, level + i32::from(what > 0));
        let known = self.p.pile_keys.get(at as usize * self.p.keys_per_site + key as usize);
        self.b[self.p.layout.board_key as usize] ^= known.copied().unwrap_or_else(|| pile_key(at, key));
    }

    /// The uppermost piece leaves a pile.
    pub(super) fn take_off(&mut self, site: i32) {
        let height = self.height(site);
        if height < 1 {
            return;
        }
        self.set_in_pile(site, height - 1, 0);
        self.lift(site);
        if height > 1 {
            self.show(site, self.in_pile(site, height - 2));
        }
    }

    /// A piece comes onto a pile that has room.
    pub(super) fn put_on(&mut self, site: i32, what: i32) {
        let height = self.height(site);
        if height < MOST_PILED as i32 {
            self.lift(site);
            self.set_in_pile(site, height, what);
            self.show(site, what);
        }
    }

    /// Moves pieces from pile to pile, see [`crate::rules::StmtKind::Carry`].
    pub fn carry(&mut self, from: i32, to: i32, n: i32) {
        let height = self.height(from);
        let n = n.min(height);
        let fits = to >= 0 && (to as usize) < self.p.layout.n_sites && self.height(to) + n <= MOST_PILED as i32;
        if from == to || n < 1 || !fits {
            return;
        }
        for level in height - n..height {
            let what = self.in_pile(from, level);
            self.put_on(to, what);
        }
        for _ in 0..n {
            self.take_off(from);
        }
    }

    /// The key of all that lies in piles.
    pub(super) fn key_of_piles(&self) -> u64 {
        let mut key = 0;
        for site in 0..self.p.layout.n_sites as i32 {
            for level in 0..self.height(site) {
                key ^= pile_key(site * MOST_PILED as i32 + level, self.in_pile(site, level));
            }
        }
        key
    }
}
