//! Writes down how straight rows are found.

use super::emit::{Emit, Words};
use crate::fast::bits::Set;
use crate::fast::code::*;
use cranelift::prelude::*;

impl<const W: usize> Emit<'_, '_, W> {
    /// Is there a straight row?
    pub fn some_row(&mut self, rows: &Rows<W>) -> Value {
        let of = self.sites(&rows.of);
        let Some(none) = rows.none else {
            return self.has_row(rows, of);
        };
        // If but one site is new, a row goes through it, and there are enough sites on one of the lines through it.
        let known = self.get_set(none);
        let fresh = self.less(of, known);
        let n = self.count(fresh);
        let few = self.f.ins().icmp_imm_u(IntCC::UnsignedLessThan, n, 2);
        let [may] = self.ways(
            few,
            types::I8,
            |emit| {
                let site = emit.first(fresh);
                [emit.may_be_in_row(rows, of, site)]
            },
            |emit| [emit.flag(true)],
        );
        let [found] = self.ways(may, types::I8, |emit| [emit.has_row(rows, of)], |emit| [emit.flag(false)]);
        let known = self.choose(found, known, of);
        self.put_set(none, known);
        found
    }

    /// Is there one within a set?
    fn has_row(&mut self, rows: &Rows<W>, of: Words<W>) -> Value {
        let mut all = self.constant(Set::EMPTY);
        for walks in &rows.near {
            let mut begin = of;
            for (image, by) in walks {
                let to = self.masked(begin, *image);
                let to = self.shifted(to, -by);
                begin = self.both(begin, to);
            }
            all = self.either(all, begin);
        }
        self.is_some(all)
    }

    /// Has one of the lines through a site, as far as a row may reach, as many sites of a set as a row?
    fn may_be_in_row(&mut self, rows: &Rows<W>, of: Words<W>, site: Value) -> Value {
        let p = self.p;
        let mut any = self.flag(false);
        for (_, step) in &rows.dirs {
            let to = &p.ways[*step as usize].to;
            let mut lines = vec![Set::EMPTY; to.len()];
            for from in 0..to.len() as i32 - 1 {
                let mut here = from;
                for _ in 0..rows.n {
                    lines[from as usize + 1].insert(here);
                    lines[here as usize + 1].insert(from);
                    here = to[here as usize + 1];
                    if here < 0 {
                        break;
                    }
                }
            }
            let line = self.sets(&lines, site);
            let there = self.both(line, of);
            let n = self.count(there);
            let enough = self.f.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, n, i64::from(rows.n));
            any = self.f.ins().bor(any, enough);
        }
        any
    }
}
