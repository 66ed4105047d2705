//! Looks ahead to the next choices of a way before anything is copied: where none of them offers anything, the way is not gone.

use super::code::*;
use super::core::Core;
use super::switches::Switch;

/// So many nodes are looked at.
pub const MOST: u32 = 16;

impl<const W: usize> Core<'_, W> {
    /// May a run from this node get past the next choice, or the next few if they are among a handful? False only if none can. The
    /// position stays as it is, but for names that nobody reads before they get a value again.
    pub(super) fn may_begin(&mut self, start: u32) -> bool {
        if !self.p.switches.has(Switch::Peek) || self.p.has_by {
            return true;
        }
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(open) = self.looks_open_natively(code, start)
        {
            return open;
        }
        self.looks_open(start, 1)
    }

    fn looks_open(&mut self, start: u32, deep: u32) -> bool {
        let p = self.p;
        let mut at = start;
        for _ in 0..MOST {
            let node = &p.nodes[at as usize];
            let mut next = node.next;
            match &node.op {
                Op::Skip => {}
                // Without fuel the round is an error, which is found where it is gone.
                Op::Round(_) if self.fuel() > 0 => {}
                Op::Bind(bind, true) => self.bind(bind),
                Op::Require(c) => {
                    if !self.cond(c) {
                        return false;
                    }
                }
                Op::Branch(c, yes, no) => next = if self.cond(c) { *yes } else { *no },
                Op::Choose(choose) => {
                    let mut cursor = self.offered(choose);
                    let dom = &choose.name.dom;
                    if deep == 0 || !matches!(dom, Dom::Mask(_) | Dom::Listed(_)) {
                        return cursor.has_more(dom);
                    }
                    let before = self.word(choose.name.to);
                    let mut open = false;
                    while let Some(code) = cursor.advance(dom, p) {
                        self.bind_code(&choose.name, code);
                        if self.looks_open(next, deep - 1) {
                            open = true;
                            break;
                        }
                    }
                    self.put(choose.name.to, before);
                    return open;
                }
                _ => return true,
            }
            at = next;
        }
        true
    }
}
