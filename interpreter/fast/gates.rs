//! Which ways on from a choice of a site can lead anywhere, found for all its members at once.
//!
//! What a site has to be like so that something can follow is known way by way: for each branch of an `either`, and for each of a few
//! directions. All these sets are worked out when the site's choice is opened; a run that comes to the branches for the first time after
//! it then goes only where its site is among them.

use super::code::*;
use super::core::Core;
use super::plan::reaches;

/// Ways on from a node, for a name that was chosen before.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The register that holds how many choices had been made when the name's choice was opened.
    pub depth: u32,
    /// How many choices lie between.
    pub choices: u32,
    /// The name.
    pub name: Slot,
    /// Number or code of each way, and the register with the sites for which it may lead somewhere.
    pub ways: Vec<(u32, u32)>,
}

/// No choice has been opened.
const CLOSED: u64 = u64::MAX;

/// What is found about the choice of a name.
pub struct Found<const W: usize> {
    /// The choice.
    pub at: u32,
    /// Sets to be worked out, in order, and where they are kept.
    pub sets: Vec<(u32, Sites<W>)>,
    /// Nodes and their gates.
    pub gates: Vec<(u32, Gate)>,
}

impl<const W: usize> Found<W> {
    /// Nothing yet; none if the choice may be made again in the same run.
    pub fn of(p: &mut Program<W>, at: u32) -> Option<(Found<W>, u32)> {
        if reaches(p, p.nodes[at as usize].next, at) {
            return None;
        }
        let depth = p.n_regs as u32;
        p.n_regs += 1;
        Some((Found { at, sets: Vec::new(), gates: Vec::new() }, depth))
    }

    /// Is nothing known of the ways on from a node, and does everybody who comes there come from the choice?
    pub fn is_new(&self, p: &Program<W>, node: u32) -> bool {
        let known = self.gates.iter().any(|(other, _)| *other == node) || p.gates[node as usize].is_some();
        !known && !avoids(p, node, self.at)
    }

    /// The ways on from a node: each with the sites for which it may lead somewhere. Gives all these sites.
    pub fn ways(&mut self, p: &mut Program<W>, node: u32, gate: Gate, ways: Vec<(u32, Sites<W>)>) -> Sites<W> {
        let mut all = Vec::new();
        let mut gate = gate;
        for (way, set) in ways {
            let reg = p.n_regs as u32;
            p.n_regs += W;
            self.sets.push((reg, set));
            gate.ways.push((way, reg));
            all.push(Sites::Slot(Slot::Reg(reg)));
        }
        self.gates.push((node, gate));
        super::sets::union(all)
    }
}

/// Can a node be come to without passing another?
pub fn avoids<const W: usize>(p: &Program<W>, goal: u32, passed: u32) -> bool {
    let mut seen: Vec<u32> = p.turn.iter().chain(&p.after).copied().chain([p.setup]).collect();
    let mut known = vec![false; p.nodes.len()];
    while let Some(at) = seen.pop() {
        if at == passed || std::mem::replace(&mut known[at as usize], true) {
            continue;
        }
        if at == goal {
            return true;
        }
        seen.extend(super::graph::targets(&p.nodes[at as usize]));
    }
    false
}

impl<const W: usize> Core<'_, W> {
    /// A move begins: no choice has been opened.
    #[inline]
    pub(super) fn close_gates(&mut self) {
        for &depth in &self.p.gate_depths {
            self.r[depth as usize] = CLOSED;
        }
    }

    /// Works out sets and keeps them in registers.
    #[inline]
    pub(super) fn keep_sets(&mut self, sets: &[(u32, Sites<W>)]) {
        for (reg, set) in sets {
            let set = self.sites(set);
            self.put_set(Slot::Reg(*reg), set);
        }
    }

    /// A choice has been opened by an exploration.
    #[inline]
    pub(super) fn open_gate(&mut self, choose: &Choose<W>) {
        if let Some(depth) = choose.depth {
            self.r[depth as usize] = self.run.choices.len() as u64;
        }
    }

    /// The ways on from a node that may lead somewhere, as a mask; all if nothing is known of them.
    #[inline]
    pub(super) fn ways_on(&self, node: u32) -> u64 {
        let Some(gate) = self.p.gates.get(node as usize).and_then(Option::as_ref) else {
            return u64::MAX;
        };
        let depth = self.r[gate.depth as usize];
        if depth == CLOSED || depth + u64::from(gate.choices) != self.run.choices.len() as u64 {
            return u64::MAX;
        }
        let site = self.word(gate.name) as i32;
        if !(0..64 * W as i32).contains(&site) {
            return u64::MAX;
        }
        let mut open = 0;
        for &(way, reg) in &gate.ways {
            open |= (self.r[reg as usize + (site >> 6) as usize] >> (site & 63) & 1) << way;
        }
        open
    }
}
