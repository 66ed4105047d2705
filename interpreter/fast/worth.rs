//! What the runs of a branch are worth to `require most`, where that is known when the branch begins.

use super::code::*;
use super::core::Core;
use super::graph::Nodes;
use super::reads::Reads;
use super::switches::Switch;

/// What is asked for: the number of the line, the most or the least of it, and the value.
pub type Worth<const W: usize> = (u32, bool, Int<W>);

/// For each node that begins a branch what its runs are worth, if nothing on the way changes that.
pub fn find<const W: usize>(p: &Program<W>) -> Vec<Option<Worth<W>>> {
    let mut known = vec![None; p.nodes.len()];
    if p.n_best != 1 || p.hard_best || p.has_by {
        return known;
    }
    for node in &p.nodes {
        if let Op::Either(branches) = &node.op
            && branches.iter().all(|(otherwise, _)| !otherwise)
        {
            for &(_, to) in branches {
                known[to as usize] = worth(p, to);
            }
        }
    }
    known
}

fn worth<const W: usize>(p: &Program<W>, start: u32) -> Option<Worth<W>> {
    let mut found: Option<Worth<W>> = None;
    let mut written = Vec::new();
    let mut seen = Nodes::from(start);
    while let Some(at) = seen.take() {
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Best(id, most, value) => {
                if found.as_ref().is_some_and(|(other, _, known)| other != id || known != value) {
                    return None;
                }
                found = Some((*id, *most, value.clone()));
                continue;
            }
            Op::Commit(_) | Op::Roll(_) | Op::End => return None,
            Op::Bind(bind, _) => written.push(bind.to),
            Op::Choose(choose) => written.push(choose.name.to),
            Op::ForNext(each, _) => written.push(each.name.to),
            _ => {}
        }
        seen.add(super::graph::targets(node));
    }
    let (_, _, value) = found.as_ref()?;
    // Only names are looked at: whoever changes one says so.
    match value {
        Int::Count(set) if matches!(**set, Sites::Slot(_)) => {}
        Int::Slot(_) => {}
        _ => return None,
    }
    let mut fixed = true;
    value.slots(&mut |slot| {
        let named = matches!(slot, Slot::Word(at) if at as usize >= p.layout.position);
        fixed &= named && !written.contains(&slot);
    });
    if fixed { found } else { None }
}

impl<const W: usize> Core<'_, W> {
    /// What `require most` asks for, if a node does and nothing can fail after it.
    pub(super) fn worth_at_once(&mut self, at: u32) -> Option<i32> {
        let p = self.p;
        let node = &p.nodes[at as usize];
        match &node.op {
            Op::Best(_, _, value) if p.switches.has(Switch::Worth) && p.nodes[node.next as usize].tail => {
                Some(self.asked_for(at, value))
            }
            _ => None,
        }
    }

    /// Would a run with this value be let go at such a node, for what is known of others? `kept`: are the best kept while they are looked for?
    pub(super) fn is_lost(&self, at: u32, value: i32, kept: bool) -> bool {
        let Op::Best(id, most, _) = self.p.nodes[at as usize].op else {
            return false;
        };
        let worse = |old: i32| value != old && (value > old) != most;
        let (best, found) = (self.run.best[id as usize], self.run.found[id as usize]);
        match best {
            _ if kept => found.is_some_and(worse),
            Some(best) => value != best,
            None => found.is_some_and(|old| value == old || worse(old)),
        }
    }

    /// Is something better known than what all runs of a branch are worth? Only where the best are kept while they are looked for.
    pub(super) fn is_worse(&mut self, branch: u32) -> bool {
        let p = self.p;
        let Some(Some((id, most, value))) = p.worth.get(branch as usize) else {
            return false;
        };
        let Some(best) = self.run.found[*id as usize] else {
            return false;
        };
        let value = self.int(value);
        // Whether a run got to its end may matter to those who wait on the way.
        value != best && (value > best) != *most && !self.run.is_asked(p)
    }
}
