//! What became of the position by each of the runs that were listed, if they are few: the one that is drawn need not be carried out again.

use super::code::*;
use super::core::Core;
use super::run::Stop;
use crate::play::Trouble;

/// So many runs are kept.
pub const MOST_KEPT: u64 = 24;

/// The ends of runs.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    words: Vec<u64>,
    runs: Vec<Ended>,
    /// Are there more than are kept?
    over: bool,
}

/// Where a run has come to: the position, the node, and what is chosen there, if anything.
#[derive(Clone, Copy, Debug)]
struct Ended {
    words: u32,
    node: u32,
    code: Option<i32>,
}

impl Kept {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.words.clear();
        self.runs.clear();
        self.over = false;
    }

    /// Is it known what became of each of so many runs?
    pub fn has(&self, n: u64) -> bool {
        !self.over && self.runs.len() as u64 == n
    }
}

impl<const W: usize> Core<'_, W> {
    /// Runs have got to a node, where `codes` are chosen, or nothing.
    pub(super) fn keep_ends(&mut self, node: u32, n: u64, codes: impl Iterator<Item = Option<i32>>) {
        let kept = &mut self.run.kept;
        if kept.over || kept.runs.len() as u64 + n > MOST_KEPT {
            kept.over = true;
            return;
        }
        let words = kept.words.len() as u32;
        kept.words.extend_from_slice(&self.b);
        kept.runs.extend(codes.map(|code| Ended { words, node, code }));
    }

    /// The position becomes what it was at the end of a run; gives its cut.
    pub(super) fn become_end(&mut self, i: usize) -> Result<u32, Trouble> {
        let p = self.p;
        let ended = self.run.kept.runs[i];
        let from = ended.words as usize;
        let n = self.b.len();
        self.b.copy_from_slice(&self.run.kept.words[from..from + n]);
        let mut at = ended.node;
        if let (Some(code), Op::Choose(choose)) = (ended.code, &p.nodes[at as usize].op) {
            self.bind_code(&choose.name, code);
            at = p.nodes[at as usize].next;
        }
        self.set_fuel(p.rules.bounds.fuel);
        self.run.choices.clear();
        self.trusting = true;
        let stop = self.forward(at, false);
        self.trusting = false;
        self.check()?;
        match stop? {
            Stop::Cut(cut) | Stop::Fork(cut) => Ok(cut),
            Stop::Dead | Stop::Tail(_) => Err(Trouble::Illegal),
        }
    }
}
