//! Which positions have been met: whole contents are compared, in memory that is used again and again.

/// Rows of words, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    words: Vec<u64>,
    rows: Vec<(u32, u32, u64)>,
    table: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Seen {
    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.rows.len() * 16 < self.table.len() {
            for (i, &(_, _, hash)) in self.rows.iter().enumerate() {
                let mut slot = spread(hash) & (self.table.len() - 1);
                while self.table[slot] != i as u32 {
                    slot = (slot + 1) & (self.table.len() - 1);
                }
                self.table[slot] = FREE;
            }
        } else {
            self.table.fill(FREE);
        }
        self.words.clear();
        self.rows.clear();
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The words of a row.
    pub fn row(&self, i: usize) -> &[u64] {
        let (start, len, _) = self.rows[i];
        &self.words[start as usize..(start + len) as usize]
    }

    /// How many words are kept.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Adds the row that `write` appends, unless `is_it` knows one of those with the same `hash`, which equal rows have; gives its number, and
    /// whether it is new.
    pub fn place(
        &mut self,
        hash: u64,
        is_it: impl Fn(&[u64]) -> bool,
        write: impl FnOnce(&mut Vec<u64>),
    ) -> (u32, bool) {
        if self.rows.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mut slot = spread(hash) & (self.table.len() - 1);
        loop {
            let at = self.table[slot];
            if at == FREE {
                break;
            }
            let (start, len, number) = self.rows[at as usize];
            if number == hash && is_it(&self.words[start as usize..(start + len) as usize]) {
                return (at, false);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        let at = self.rows.len() as u32;
        let from = self.words.len();
        write(&mut self.words);
        self.table[slot] = at;
        self.rows.push((from as u32, (self.words.len() - from) as u32, hash));
        (at, true)
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(size, FREE);
        for (i, &(_, _, hash)) in self.rows.iter().enumerate() {
            let mut slot = spread(hash) & (size - 1);
            while self.table[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = i as u32;
        }
    }
}

fn spread(hash: u64) -> usize {
    (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_new_once() {
        let mut seen = Seen::default();
        for round in 0..2 {
            for i in 0..1_000u64 {
                let row = [i % 7, i];
                let placed = seen.place(i % 9, |old| old == row, |words| words.extend(row));
                assert_eq!(placed, (i as u32, round == 0));
            }
        }
        // A few rows in a large table, which are taken out one by one.
        for round in 0..3 {
            seen.clear();
            for i in 0..7u64 {
                let placed = seen.place(i % 2, |old| old == [i], |words| words.push(i));
                assert_eq!(placed, (i as u32, true), "round {round}");
            }
        }
        seen.clear();
        assert!(seen.table.iter().all(|&at| at == FREE));
        assert_eq!(seen.place(3, |old| old == [3], |words| words.push(3)), (0, true));
    }
}
