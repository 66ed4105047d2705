//! Which positions have been met: whole contents are compared, in memory that is used again and again.

/// Rows of words, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    words: Vec<u64>,
    rows: Vec<(u32, u32)>,
    table: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Seen {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.clear();
        self.rows.clear();
        self.table.fill(FREE);
    }

    /// Adds the row that `write` appends; says whether it is new.
    pub fn insert(&mut self, write: impl FnOnce(&mut Vec<u64>)) -> bool {
        if self.rows.len() * 2 >= self.table.len() {
            self.grow();
        }
        let from = self.words.len();
        write(&mut self.words);
        let (old, new) = self.words.split_at(from);
        let mut slot = hash(new) as usize & (self.table.len() - 1);
        loop {
            let at = self.table[slot];
            if at == FREE {
                break;
            }
            let (start, len) = self.rows[at as usize];
            if &old[start as usize..(start + len) as usize] == new {
                self.words.truncate(from);
                return false;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        self.table[slot] = self.rows.len() as u32;
        self.rows.push((from as u32, (self.words.len() - from) as u32));
        true
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(size, FREE);
        for (i, &(start, len)) in self.rows.iter().enumerate() {
            let mut slot = hash(&self.words[start as usize..(start + len) as usize]) as usize & (size - 1);
            while self.table[slot] != FREE {
                slot = (slot + 1) & (size - 1);
            }
            self.table[slot] = i as u32;
        }
    }
}

fn hash(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, &word| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_new_once() {
        let mut seen = Seen::default();
        for round in 0..2 {
            for i in 0..1_000u64 {
                assert_eq!(seen.insert(|words| words.extend([i % 7, i])), round == 0, "{i}");
            }
        }
        seen.clear();
        assert!(seen.insert(|words| words.push(3)));
    }
}
