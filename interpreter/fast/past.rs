//! Keys of the positions of a game so far, and how often one of them has been there.
//!
//! Nearly always a position is new. So some bits of each key are noted in a small table; only a key whose bits are noted is looked for. Of
//! the key that came last, which is asked for most, it is known how often it has been there.

/// Bits of a key that are noted.
const BITS: u32 = 12;
const WORDS: usize = 1 << (BITS - 6);

/// Keys in the order in which they came.
#[derive(Debug)]
pub struct Past {
    keys: Vec<u64>,
    /// A bit for all keys that have been here since the table was empty, and perhaps for others.
    noted: [u64; WORDS],
    /// The key that came last, and how often it has been there with that.
    latest: Option<(u64, usize)>,
}

impl Past {
    /// Nothing yet.
    pub fn new() -> Past {
        Past { keys: Vec::new(), noted: [0; WORDS], latest: None }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds one.
    pub fn push(&mut self, key: u64) {
        let before = self.count(key);
        let (word, bit) = place(key);
        self.noted[word] |= bit;
        self.keys.push(key);
        self.latest = Some((key, before + 1));
    }

    /// Forgets all but the first so many.
    pub fn truncate(&mut self, n: usize) {
        self.keys.truncate(n);
        self.latest = None;
    }

    /// How often a key has been there.
    pub fn count(&self, key: u64) -> usize {
        match self.latest {
            Some((latest, n)) if latest == key => n,
            _ if self.is_new(key) => 0,
            _ => self.keys.iter().filter(|&&old| old == key).count(),
        }
    }

    /// When a key was there first.
    pub fn first(&self, key: u64) -> Option<usize> {
        match self.latest {
            Some((latest, 1)) if latest == key => Some(self.keys.len() - 1),
            _ if self.is_new(key) => None,
            _ => self.keys.iter().position(|&old| old == key),
        }
    }

    /// Has a key surely not been there?
    #[inline]
    fn is_new(&self, key: u64) -> bool {
        let (word, bit) = place(key);
        self.noted[word] & bit == 0
    }
}

/// The word and the bit in the table.
#[inline(always)]
fn place(key: u64) -> (usize, u64) {
    ((key >> 6) as usize % WORDS, 1 << (key % 64))
}

impl Clone for Past {
    fn clone(&self) -> Past {
        Past { keys: self.keys.clone(), noted: self.noted, latest: self.latest }
    }

    fn clone_from(&mut self, other: &Past) {
        // Most games ask for no keys.
        if !self.keys.is_empty() || !other.keys.is_empty() {
            self.keys.clone_from(&other.keys);
            self.noted = other.noted;
            self.latest = other.latest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_counted_as_often_as_it_came() {
        let mut past = Past::new();
        let keys: Vec<u64> = (0..6_000u64).map(|i| (i % 997).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for (i, &key) in keys.iter().enumerate() {
            let before = keys[..i].iter().filter(|&&old| old == key).count();
            assert_eq!(past.count(key), before);
            assert_eq!(past.first(key), keys[..i].iter().position(|&old| old == key));
            past.push(key);
            assert_eq!(past.count(key), before + 1);
            assert_eq!(past.first(key), keys.iter().position(|&old| old == key));
        }
        past.truncate(10);
        assert_eq!((past.len(), past.count(keys[9]), past.count(keys[10])), (10, 1, 0));
        let mut other = Past::new();
        other.clone_from(&past);
        assert_eq!((other.count(keys[3]), other.count(keys[500])), (1, 0));
    }
}
