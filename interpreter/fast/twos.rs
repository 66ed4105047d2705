//! Sets that depend on two sites and on nothing else, such as the squares between them, become tables, if the board is small.
//!
//! Names that change during a turn count as part of the position while expressions are compiled; here it is enough that nothing else is read.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::switches::Switch;

/// Simpler expressions are worked out.
const LEAST: u32 = 16;

/// A table has at most so many entries.
const MOST: usize = 4_300;

/// Makes the tables.
pub fn tables<const W: usize>(p: &mut Program<W>) {
    let side = p.layout.n_sites + 1;
    if side * side > MOST || !p.switches.has(Switch::Twos) {
        return;
    }
    let mut made: Vec<(Sites<W>, Sites<W>)> = Vec::new();
    for i in 0..p.nodes.len() {
        let set = match &p.nodes[i].op {
            Op::Take(set) | Op::Bind(Bind { value: Val::Set(set), .. }, _) => set.clone(),
            _ => continue,
        };
        let table = match made.iter().find(|(known, _)| *known == set) {
            Some((_, table)) => table.clone(),
            None => {
                let Some(table) = table(p, &set) else {
                    continue;
                };
                made.push((set, table.clone()));
                table
            }
        };
        match &mut p.nodes[i].op {
            Op::Take(set) | Op::Bind(Bind { value: Val::Set(set), .. }, _) => *set = table,
            _ => {}
        }
    }
}

fn table<const W: usize>(p: &Program<W>, set: &Sites<W>) -> Option<Sites<W>> {
    let mut look = Look { slots: Vec::new(), parts: 0 };
    look.sites(set)?;
    let [a, b] = look.slots[..] else {
        return None;
    };
    if look.parts < LEAST {
        return None;
    }
    let mut core = Core::new(p);
    let side = p.layout.n_sites as i32;
    let mut values: Vec<Set<W>> = Vec::new();
    for first in -1..side {
        core.put(a, first as u32 as u64);
        for second in -1..side {
            core.put(b, second as u32 as u64);
            values.push(core.sites(set));
        }
    }
    Some(Sites::Twos(values.into(), Box::new((Int::Slot(a), Int::Slot(b), set.clone()))))
}

/// What an expression reads.
struct Look {
    slots: Vec<Slot>,
    parts: u32,
}

impl Look {
    fn sites<const W: usize>(&mut self, set: &Sites<W>) -> Option<()> {
        self.parts += 1;
        match set {
            Sites::Const(_) => Some(()),
            Sites::Single(site) | Sites::Table(_, _, site) => self.int(site),
            Sites::Op(_, parts) => {
                self.sites(&parts.0)?;
                self.sites(&parts.1)
            }
            Sites::Not(set) | Sites::Shift(_, set) | Sites::Back(_, set) => self.sites(set),
            Sites::Ray(ray) | Sites::Slide(_, ray) => {
                self.int(&ray.from)?;
                self.int(&ray.dir)?;
                self.int(&ray.limit)?;
                self.sites(&ray.over)
            }
            Sites::Pick(pick) => match &**pick {
                Pick::If(c, a, b) => {
                    self.cond(c)?;
                    self.sites(a)?;
                    self.sites(b)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn cond<const W: usize>(&mut self, c: &Cond<W>) -> Option<()> {
        self.parts += 1;
        match c {
            Cond::Const(_) => Some(()),
            Cond::Not(c) => self.cond(c),
            Cond::In(parts) => {
                self.int(&parts.0)?;
                self.sites(&parts.1)
            }
            _ => None,
        }
    }

    fn int<const W: usize>(&mut self, x: &Int<W>) -> Option<()> {
        match x {
            Int::Const(_) => Some(()),
            Int::Step(_, of) => self.int(of),
            Int::Slot(slot) => {
                if !self.slots.contains(slot) {
                    self.slots.push(*slot);
                }
                Some(())
            }
            _ => None,
        }
    }
}
