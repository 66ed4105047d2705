//! What two runs that came to the same place must have in common to be the same from there on.

use super::code::Program;
use super::core::{Core, mix};
use super::seen::Seen;

/// What two runs that came to a node must have in common, where it stands.
struct State<'a, const W: usize> {
    block: &'a [u64],
    p: &'a Program<W>,
    node: u32,
}

impl<const W: usize> State<'_, W> {
    /// Names that may be read from here on.
    fn names(&self) -> impl Iterator<Item = &[u64]> {
        let live = &self.p.nodes[self.node as usize].live;
        live.iter().map(|&(at, n)| &self.block[at as usize..(at + n) as usize])
    }

    fn write(&self, words: &mut Vec<u64>) {
        words.extend_from_slice(&self.block[..self.p.layout.position]);
        self.names().for_each(|name| words.extend_from_slice(name));
        words.push(u64::from(self.node));
    }

    /// Are these words what would be written?
    fn is(&self, row: &[u64]) -> bool {
        let Some((&node, mut row)) = row.split_last() else {
            return false;
        };
        let mut is_next = |words: &[u64]| {
            let same = row.get(..words.len()) == Some(words);
            row = row.get(words.len()..).unwrap_or_default();
            same
        };
        node == u64::from(self.node) && is_next(&self.block[..self.p.layout.position]) && self.names().all(is_next)
    }

    /// A number that is the same for the same state, and mostly another for another.
    fn number(&self) -> u64 {
        let layout = &self.p.layout;
        let mut number = mix(self.block[layout.board_key as usize], self.block[layout.rest_key as usize]);
        number ^= self.block[layout.next as usize] ^ u64::from(self.node) << 32;
        let loose = layout.loose.iter().map(|&(at, n)| &self.block[at as usize..(at + n) as usize]);
        for word in loose.chain(self.names()).flatten() {
            number = (number ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            number ^= number >> 29;
        }
        number
    }

    /// Notes it; gives its number among those noted, and whether it is new.
    fn place(&self, seen: &mut Seen) -> (u32, bool) {
        seen.place(self.number(), |row| self.is(row), |words| self.write(words))
    }
}

impl<const W: usize> Core<'_, W> {
    fn state(&self, node: u32) -> State<'_, W> {
        State { block: &self.b, p: self.p, node }
    }

    /// What two runs that came to this node must have in common to be the same from here on.
    pub fn write_state(&self, node: u32, words: &mut Vec<u64>) {
        self.state(node).write(words);
    }

    /// Has no run come to this state yet? It is noted.
    pub(super) fn is_new(&self, node: u32, seen: &mut Seen) -> bool {
        self.state(node).place(seen).1
    }

    /// The place of this state among those that have been come to, and whether it is new.
    pub(super) fn place_state(&mut self, node: u32) -> (u32, bool) {
        let state = State { block: &self.b, p: self.p, node };
        state.place(&mut self.run.memo.places)
    }

    /// The position becomes one that was written down, see [`Core::write_state`]; gives its node.
    pub(super) fn become_row(&mut self, i: usize) -> u32 {
        let row = self.seen.row(i);
        let position = self.p.layout.position;
        let node = row.last().map_or(0, |&node| node as u32);
        self.b[..position].copy_from_slice(&row[..position]);
        let mut read = position;
        for &(at, n) in &self.p.nodes[node as usize].live {
            let (at, n) = (at as usize, n as usize);
            self.b[at..at + n].copy_from_slice(&row[read..read + n]);
            read += n;
        }
        node
    }
}
