//! Rows of sites: whole sets are moved over themselves; what is known of a site, or of a set that has hardly changed, is not asked again.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::switches::Switch;
use crate::play::Trouble;

/// So many sites that are new are looked at one by one.
const FEW: i32 = 2;

impl<const W: usize> Core<'_, W> {
    /// Is there a row? A row of sites of which few are new, the others having been known to have none, goes through one of these.
    pub(super) fn some_row(&mut self, rows: &Rows<W>) -> bool {
        let of = self.sites(&rows.of);
        let Some(none) = rows.none else {
            return self.has_row(rows, of);
        };
        let fresh = of.minus(self.slot_set(none));
        let found = if fresh.count() <= FEW {
            fresh.iter().any(|site| self.in_row(site, rows, of))
        } else {
            self.has_row(rows, of)
        };
        if !found {
            self.put_set(none, of);
        }
        found
    }

    /// Is there one within a set? The directions after the first that has one are not looked at.
    fn has_row(&self, rows: &Rows<W>, of: Set<W>) -> bool {
        if rows.near.is_empty() {
            return rows.dirs.iter().any(|(walks, _)| {
                let begin = |begin: Set<W>, way: &u32| begin.and(self.p.ways[*way as usize].behind(begin));
                !walks.iter().fold(of, begin).is_empty()
            });
        }
        rows.near.iter().any(|walks| {
            let mut begin = of;
            for (image, by) in walks {
                begin = begin.and(begin.and(*image).shifted(-by));
            }
            !begin.is_empty()
        })
    }

    /// Is a site in one of the rows, all of whose sites are meant? Only the lines through it are looked at.
    pub(super) fn in_row(&self, site: i32, rows: &Rows<W>, of: Set<W>) -> bool {
        if !of.has(site) {
            return false;
        }
        let (most, through) = &rows.through;
        if *most > 0 {
            let from = site as usize * most;
            return through[from..from + most].iter().any(|row| !row.is_empty() && row.within(&of));
        }
        for (_, step) in &rows.dirs {
            let way = &self.p.ways[*step as usize];
            let mut n = 1;
            let mut here = way.to[site as usize + 1];
            while n < rows.n && here >= 0 && of.has(here) {
                n += 1;
                here = way.to[here as usize + 1];
            }
            let mut here = site;
            while n < rows.n {
                let Some(before) = way.before(here) else {
                    return self.rows(rows, of).has(site);
                };
                here = before;
                if here < 0 || !of.has(here) {
                    break;
                }
                n += 1;
            }
            if n >= rows.n {
                return true;
            }
        }
        false
    }

    /// See [`Sites::Rows`].
    pub(super) fn rows(&self, rows: &Rows<W>, of: Set<W>) -> Set<W> {
        let mut all = Set::EMPTY;
        for (walks, step) in &rows.dirs {
            let mut begin = of;
            for &way in walks {
                begin = begin.and(self.p.ways[way as usize].behind(begin));
            }
            all = all.or(begin);
            if rows.whole && !begin.is_empty() {
                for _ in 1..rows.n {
                    begin = self.p.ways[*step as usize].ahead(begin);
                    all = all.or(begin);
                }
            }
        }
        all
    }

    /// Of a condition on some line of which a part is that it lies within a set at hand: does it hold for one? Lines that do not are passed
    /// over quickly. None if it is no such condition.
    pub(super) fn any_line(&mut self, loops: &Loops<W>) -> Option<bool> {
        let ([Loop { to, dom: Dom::Lines(lines) }], Some(filter)) = (&loops.loops[..], &loops.filter) else {
            return None;
        };
        if !self.p.switches.has(Switch::Through) || lines.has_empty() {
            return None;
        }
        let within = self.slot_set(within(*to, filter)?);
        let limit = self.p.rules.bounds.looks;
        for line in within.iter().flat_map(|site| lines.from(site)) {
            if line.within(&within) {
                self.put_set(*to, *line);
                if self.cond(filter) {
                    return Some(true);
                }
            }
            self.run.looks += 1;
            if self.run.looks > limit {
                let span = self.here();
                self.trouble = Some(Trouble::TooLong { span, what: "looks", limit });
                return Some(true);
            }
        }
        Some(false)
    }
}

/// The slot of a set that a line has to lie within.
fn within<const W: usize>(line: Slot, c: &Cond<W>) -> Option<Slot> {
    match c {
        Cond::And(parts) => within(line, &parts.0).or_else(|| within(line, &parts.1)),
        Cond::Within(parts) => match **parts {
            (Sites::Slot(own), Sites::Slot(set)) if own == line && set != line => Some(set),
            _ => None,
        },
        _ => None,
    }
}
