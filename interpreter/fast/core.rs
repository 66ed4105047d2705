//! A position being worked on, and the few ways to change it; each keeps the keys up to date.

use super::bits::Set;
use super::code::*;
use super::layout::{Layout, Store, VarPlace};
use super::past::Past;
use super::run::Run;
use super::seen::Seen;
use super::switches::Switch;
use super::tally::Tally;
use crate::play::{Asks, Chance, Trouble};
use crate::rules::stmt::TableOp;
use crate::rules::{KindOwner, NONE, number, step_code, step_parts};

/// A position and all that is needed to go on from it.
#[derive(Clone)]
pub struct Core<'p, const W: usize> {
    /// The program.
    pub p: &'p Program<W>,
    /// The block.
    pub b: Vec<u64>,
    /// Registers of expressions.
    pub r: Vec<u64>,
    /// Keys of the positions so far, if the game asks.
    pub keys: Past,
    /// Keys of the pieces so far, if the game asks.
    pub boards: Past,
    /// From when questions are asked.
    pub asks: Asks,
    /// Is the next player stuck, if that is known (in `end`)?
    pub stuck: Option<bool>,
    /// Between two turns, the mover's being about to begin?
    pub between: bool,
    /// What went wrong inside an expression.
    pub trouble: Option<Trouble>,
    /// Stacks of the exploration that is going on.
    pub run: Run<W>,
    /// Are runs counted wherever somebody may have to move (else one is enough to know that he can)?
    pub tallying: bool,
    /// The runs that were counted last.
    pub tally: Tally<W>,
    /// Positions met, for runs that are one if they lead to the same.
    pub seen: Seen,
    /// Is it a turn rather than the setup?
    pub turning: bool,
    /// What draws are made with, in random games.
    pub dice: Option<Chance>,
    /// Is only the number of runs asked for?
    pub counting: bool,
    /// Is a run that is known to be legal carried out, so that nothing has to be required?
    pub trusting: bool,
    /// Machine code for the ways from one choice to the next.
    #[cfg(feature = "native")]
    pub code: Option<&'p super::native::Segments>,
    /// Sets of runs that have to be tried, see `sure.rs`.
    #[cfg(feature = "native")]
    pub tried: Vec<u64>,
}

/// A fixed mixing of numbers; the same in every version.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a.wrapping_mul(0xd134_2543_de82_ef95) ^ b.wrapping_add(0x9e37_79b9_7f4a_7c15);
    for _ in 0..2 {
        z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
    }
    z
}

/// The key of a piece on a site.
#[inline]
fn piece_key(site: i32, what: i32) -> u64 {
    mix(site as u64 + 1, what as u64)
}

/// The key of a value of a variable's entry, unless it is a number at a site.
fn entry_key(var: &VarPlace, index: i32, value: u64) -> u64 {
    mix((1 << 40) + (u64::from(var.id) << 16) + index as u64, value)
}

impl<'p, const W: usize> Core<'p, W> {
    /// An empty board; everything else 0.
    pub fn new(p: &'p Program<W>) -> Self {
        let mut core = Core::blank(p);
        core.put_set(Slot::Word(p.layout.empty), p.ground.all);
        core
    }

    /// A position of which nothing is known.
    fn blank(p: &'p Program<W>) -> Self {
        Core {
            p,
            b: vec![0; p.layout.total],
            r: p.registers(),
            keys: Past::new(),
            boards: Past::new(),
            asks: Asks::After,
            stuck: None,
            between: false,
            trouble: None,
            run: Run::default(),
            tallying: false,
            tally: Tally::default(),
            seen: Seen::default(),
            turning: false,
            dice: None,
            counting: false,
            trusting: false,
            #[cfg(feature = "native")]
            code: None,
            #[cfg(feature = "native")]
            tried: Vec::new(),
        }
    }

    /// A copy of the position and its past, for looking ahead.
    pub fn ahead(&self) -> Core<'p, W> {
        Core {
            b: self.b.clone(),
            keys: self.keys.clone(),
            boards: self.boards.clone(),
            asks: Asks::AheadAfter,
            #[cfg(feature = "native")]
            code: self.code,
            ..Core::blank(self.p)
        }
    }

    /// Are runs that lead to the same position one move?
    pub fn by_outcome(&self) -> bool {
        self.p.rules.by_outcome && self.turning
    }

    /// Rounds of loops left in this move; kept behind the registers.
    #[inline(always)]
    pub fn fuel(&self) -> u32 {
        self.r[self.p.n_regs] as u32
    }

    /// See [`Core::fuel`].
    #[inline(always)]
    pub fn set_fuel(&mut self, rounds: u32) {
        let at = self.p.n_regs;
        self.r[at] = u64::from(rounds);
    }

    /// A scalar word of the block.
    #[inline(always)]
    pub fn scalar(&self, at: u32) -> i32 {
        self.b[at as usize] as i32
    }

    #[inline(always)]
    pub(super) fn flip(&mut self, at: u32, site: i32) {
        self.b[at as usize + (site >> 6) as usize] ^= 1 << (site & 63);
    }

    /// Removes what stands on a site.
    #[inline]
    pub(super) fn lift(&mut self, site: i32) {
        let layout = &self.p.layout;
        let what = layout.what.get(&self.b, site);
        if what == 0 {
            return;
        }
        let (owner, kind) = self.p.marks[what as usize];
        layout.what.set(&mut self.b, site, 0);
        self.flip(owner, site);
        self.flip(kind, site);
        self.flip(layout.empty, site);
        self.b[layout.board_key as usize] ^= self.piece_key(site, what);
    }

    #[inline(always)]
    fn piece_key(&self, site: i32, what: i32) -> u64 {
        let per = self.p.keys_per_site;
        match self.p.piece_keys.get(site as usize * per + what as usize) {
            Some(&key) => key,
            None => piece_key(site, what),
        }
    }

    /// Puts a piece on a site, in place of what is there, or on top of it.
    #[inline]
    pub fn drop(&mut self, site: i32, kind: i32, owner: i32) {
        let layout = &self.p.layout;
        if site < 0 || site as usize >= layout.n_sites || kind < 0 || kind as usize >= layout.n_kinds {
            return;
        }
        let what = 1 + kind * (layout.n_seats as i32 + 1) + layout.owner_index(owner) as i32;
        if layout.piles.is_some() {
            self.put_on(site, what);
        } else {
            self.lift(site);
            self.show(site, what);
        }
    }

    /// A piece is seen on a site with none.
    #[inline]
    pub(super) fn show(&mut self, site: i32, what: i32) {
        let layout = &self.p.layout;
        let (owner, kind) = self.p.marks[what as usize];
        layout.what.set(&mut self.b, site, what);
        self.flip(owner, site);
        self.flip(kind, site);
        self.flip(layout.empty, site);
        self.b[layout.board_key as usize] ^= self.piece_key(site, what);
    }

    /// Moves a piece, see [`crate::rules::StmtKind::Move`].
    #[inline]
    pub fn shift_piece(&mut self, from: i32, to: i32) {
        if from == to || to < 0 {
            return;
        }
        if self.p.layout.piles.is_some() {
            self.carry(from, to, 1);
        } else if from >= 0 && (from.max(to) as usize) < self.p.layout.n_sites {
            let layout = &self.p.layout;
            let what = layout.what.get(&self.b, from);
            if what == 0 {
                return;
            }
            self.lift(to);
            let (owner, kind) = self.p.marks[what as usize];
            layout.what.set(&mut self.b, from, 0);
            layout.what.set(&mut self.b, to, what);
            for set in [owner, kind, layout.empty] {
                self.flip(set, from);
                self.flip(set, to);
            }
            self.b[layout.board_key as usize] ^= self.piece_key(from, what) ^ self.piece_key(to, what);
        }
    }

    /// Removes pieces.
    #[inline]
    pub fn take(&mut self, sites: Set<W>) {
        let mut left = sites.minus(self.set_at(self.p.layout.empty));
        loop {
            let site = left.pop();
            if site < 0 {
                return;
            }
            if self.p.layout.piles.is_some() {
                self.take_off(site);
            } else {
                self.lift(site);
            }
        }
    }

    /// Changes pieces, see [`crate::rules::StmtKind::Change`].
    pub fn change(&mut self, sites: Set<W>, kind: i32, owner: Option<i32>) {
        let left = sites.minus(self.set_at(self.p.layout.empty));
        for site in left.iter() {
            if let Some((_, old)) = self.piece_at(site) {
                if self.p.layout.piles.is_some() && kind >= 0 {
                    self.take_off(site);
                }
                self.drop(site, kind, owner.unwrap_or(old));
            }
        }
    }

    /// Gives an entry of a variable a value.
    pub fn set_var(&mut self, var: u32, index: i32, value: &Val<W>) {
        let p = self.p;
        let place = &p.layout.vars[var as usize];
        // The value is worked out even if there is no such entry: expressions have no effects, so this is only for simplicity.
        match value {
            Val::Int(x) => {
                let code = self.int(x);
                self.set_scalar(place, index, code);
            }
            Val::Mask(x) => {
                let mask = self.mask(x);
                self.set_word(place, index, mask);
            }
            Val::Set(x) => {
                let set = self.sites(x);
                self.set_sites(place, index, set);
            }
            Val::Bag(x) => {
                let bag = self.bag(x);
                self.set_bag(place, index, bag);
            }
            Val::Table(_) => {}
        }
    }

    /// Gives a scalar entry a value, cut to its range.
    pub fn set_scalar(&mut self, place: &VarPlace, index: i32, code: i32) {
        let code = match place.store {
            Store::Scalar(lo, hi) => code.clamp(lo, hi),
            _ => code,
        };
        self.set_word(place, index, code as u32 as u64);
    }

    /// Gives an entry of one word a value.
    pub fn set_word(&mut self, place: &VarPlace, index: i32, word: u64) {
        if index as u32 >= place.n {
            return;
        }
        let at = (place.base + index as u32) as usize;
        let old = self.b[at];
        if old != word {
            self.b[at] = word;
            if place.kept {
                self.rekey(entry_key(place, index, old), entry_key(place, index, word));
            }
        }
    }

    /// Gives an entry of sites a value.
    pub fn set_sites(&mut self, place: &VarPlace, index: i32, set: Set<W>) {
        if index as u32 >= place.n {
            return;
        }
        let at = place.base + index as u32 * W as u32;
        let old = self.set_at(at);
        if old != set {
            self.put_set(Slot::Word(at), set);
            if place.kept {
                let key = |set: &Set<W>| set.0.iter().fold(0, |key, &word| mix(key, word));
                self.rekey(entry_key(place, index, key(&old)), entry_key(place, index, key(&set)));
            }
        }
    }

    /// Gives an entry that is a bag a value.
    pub fn set_bag(&mut self, place: &VarPlace, index: i32, bag: u128) {
        if index as u32 >= place.n {
            return;
        }
        let at = (place.base + 2 * index as u32) as usize;
        let old = [self.b[at], self.b[at + 1]];
        let new = [bag as u64, (bag >> 64) as u64];
        if old != new {
            self.b[at..at + 2].copy_from_slice(&new);
            if place.kept {
                let key = |pair: [u64; 2]| mix(pair[0], pair[1]);
                self.rekey(entry_key(place, index, key(old)), entry_key(place, index, key(new)));
            }
        }
    }

    /// Changes the entries of a table at some sites.
    pub fn change_table(&mut self, var: u32, op: TableOp, sites: Set<W>, value: i32) {
        for site in sites.iter() {
            self.change_number(var, op, site, value);
        }
    }

    /// Changes the entry of a table at a site of the board.
    pub fn change_number(&mut self, var: u32, op: TableOp, site: i32, value: i32) {
        let old = self.number_at(&Numbers::Var(var), site);
        let new = match op {
            TableOp::Set => value,
            TableOp::Add => number::add(old, value),
            TableOp::Sub => number::sub(old, value),
        };
        self.set_number(var, site, old, new);
    }

    /// Gives the entry of a table at a site a value.
    pub fn set_number(&mut self, var: u32, site: i32, old: i32, new: i32) {
        let p = self.p;
        let place = &p.layout.vars[var as usize];
        let new = match place.store {
            Store::Flags => {
                let new = i32::from(new != 0);
                if new != old {
                    self.flip(place.base, site);
                }
                new
            }
            Store::Words { at, sets, n } => {
                if new < 0 || new as u32 >= n {
                    return;
                }
                at.set(&mut self.b, site, new);
                if new != old {
                    self.flip(sets + (old as usize * W) as u32, site);
                    self.flip(sets + (new as usize * W) as u32, site);
                }
                new
            }
            Store::Numbers { at, above, lo, hi } => {
                let new = new.clamp(lo, hi);
                at.set(&mut self.b, site, new);
                if (new > 0) != (old > 0) {
                    self.flip(above, site);
                }
                new
            }
            _ => return,
        };
        if place.kept && new != old {
            if let Store::Numbers { .. } = place.store {
                let key = self.number_key(var, site);
                self.rekey(key.wrapping_mul(old as u64), key.wrapping_mul(new as u64));
            } else {
                self.rekey(entry_key(place, site, old as u64), entry_key(place, site, new as u64));
            }
        }
    }

    /// The key of the variables after one of their values has become another.
    #[inline(always)]
    fn rekey(&mut self, old: u64, new: u64) {
        let key = &mut self.b[self.p.layout.rest_key as usize];
        *key = key.wrapping_sub(old).wrapping_add(new);
    }

    /// What each 1 of a number at a site counts for.
    #[inline(always)]
    fn number_key(&self, var: u32, site: i32) -> u64 {
        self.p.number_keys[var as usize * self.p.layout.n_sites + site as usize]
    }

    /// All rounds of a loop that drops one after the other along a walk; false if it has to go round by round, because it may
    /// leave the walk, never end, or run out of fuel.
    pub fn sow(&mut self, sow: &Sow<W>) -> bool {
        let p = self.p;
        let place = &p.layout.vars[sow.var as usize];
        let Store::Numbers { at, above, lo, hi } = place.store else {
            return false;
        };
        let left = self.scalar(sow.counter);
        let Some((track, start)) = step_parts(self.scalar(sow.here)) else {
            return false;
        };
        let Some(walk) = p.rules.tracks.get(track).filter(|walk| walk.closed && start < walk.sites.len()) else {
            return false;
        };
        let skip = sow.skip.as_ref().map_or(Set::EMPTY, |skip| self.sites(skip));
        let most = if skip.is_empty() { 1 } else { walk.sites.len() as u64 };
        if left <= 0 || left as u64 * most > u64::from(self.fuel()) || walk.sites.iter().all(|&site| skip.has(site)) {
            return false;
        }
        let mut step = start;
        let mut rounds = left as u32;
        for _ in 0..left {
            let site = loop {
                step = if step + 1 < walk.sites.len() { step + 1 } else { 0 };
                let site = walk.sites[step];
                if !skip.has(site) {
                    break site;
                }
                rounds += 1;
            };
            let old = at.get(&self.b, site);
            let new = number::add(old, 1).clamp(lo, hi);
            at.set(&mut self.b, site, new);
            if (new > 0) != (old > 0) {
                self.flip(above, site);
            }
            if place.kept {
                let key = self.number_key(sow.var, site);
                self.rekey(key.wrapping_mul(old as u64), key.wrapping_mul(new as u64));
            }
        }
        self.set_fuel(self.fuel() - rounds);
        self.b[sow.counter as usize] = 0;
        self.b[sow.here as usize] = step_code(track, step) as u32 as u64;
        true
    }

    /// The keys, worked out from nothing: of the pieces, and of the kept variables.
    pub fn fresh_keys(&self) -> (u64, u64) {
        let layout = &self.p.layout;
        let mut board = 0;
        let mut rest = 0u64;
        for site in 0..layout.n_sites as i32 {
            let what = layout.what.get(&self.b, site);
            if what != 0 {
                board ^= self.piece_key(site, what);
            }
        }
        board ^= self.key_of_piles();
        for place in layout.vars.iter().filter(|place| place.kept) {
            for index in 0..place.n as i32 {
                let word = |i: u32| self.b[(place.base + i) as usize];
                let value = match place.store {
                    Store::Scalar(..) | Store::Mask => word(index as u32),
                    Store::Sites => {
                        let set = self.set_at(place.base + index as u32 * W as u32);
                        set.0.iter().fold(0, |key, &word| mix(key, word))
                    }
                    Store::Bag => mix(word(2 * index as u32), word(2 * index as u32 + 1)),
                    Store::Flags => u64::from(self.set_at(place.base).has(index)),
                    Store::Words { at, .. } => at.get(&self.b, index) as u64,
                    Store::Numbers { at, .. } => {
                        let value = at.get(&self.b, index) as u64;
                        rest = rest.wrapping_add(self.number_key(place.id, index).wrapping_mul(value));
                        continue;
                    }
                };
                rest = rest.wrapping_add(entry_key(place, index, value));
            }
        }
        (board, rest)
    }

    /// Sets the keys as they have to be.
    pub fn renew_keys(&mut self) {
        let (board, rest) = self.fresh_keys();
        self.b[self.p.layout.board_key as usize] = board;
        self.b[self.p.layout.rest_key as usize] = rest;
    }

    /// The key of the pieces.
    pub fn board_key(&self) -> u64 {
        if self.p.switches.has(Switch::Keys) { self.b[self.p.layout.board_key as usize] } else { self.fresh_keys().0 }
    }

    /// The key of what counts for repetitions, with this seat to move.
    pub fn key(&self, to_move: i32) -> u64 {
        let layout = &self.p.layout;
        let (board, rest) = if self.p.switches.has(Switch::Keys) {
            (self.b[layout.board_key as usize], self.b[layout.rest_key as usize])
        } else {
            self.fresh_keys()
        };
        board ^ rest ^ mix(1 << 50, to_move as u32 as u64) ^ mix(1 << 51, self.b[layout.resigned as usize])
    }

    /// Empties the position.
    pub fn clear(&mut self) {
        self.b.fill(0);
        let layout = &self.p.layout;
        let all = self.p.ground.all;
        self.put_set(Slot::Word(layout.empty), all);
        for place in &self.p.layout.vars {
            match place.store {
                Store::Words { sets, .. } => self.put_set(Slot::Word(sets), all),
                Store::Scalar(..) => {
                    for i in 0..place.n {
                        self.b[(place.base + i) as usize] = place.zero as u32 as u64;
                    }
                }
                _ => {}
            }
        }
        let first = self.p.rules.first as u32 as u64;
        self.b[self.p.layout.mover as usize] = first;
        self.b[self.p.layout.next as usize] = first;
    }

    /// Forgets the locals of a program.
    pub fn forget_locals(&mut self) {
        let from = self.p.layout.position;
        self.b[from..].fill(0);
    }

    /// Gives all variables their first values.
    pub fn set_first_values(&mut self) {
        let p = self.p;
        for (i, place) in p.layout.vars.iter().enumerate() {
            let table = matches!(place.store, Store::Flags | Store::Words { .. } | Store::Numbers { .. });
            if table {
                let Some(Val::Int(init)) = p.inits[i].first() else {
                    continue;
                };
                let value = self.int(init);
                for site in 0..p.ground.board.n_cells as i32 {
                    let old = self.number_at(&Numbers::Var(i as u32), site);
                    self.set_number(i as u32, site, old, value);
                }
                continue;
            }
            for index in 0..place.n as usize {
                if let Some(init) = p.inits[i].get(index).or(p.inits[i].first()) {
                    self.set_var(i as u32, index as i32, init);
                }
            }
        }
    }

    /// Lays a diagram, see [`crate::rules::StmtKind::Lay`].
    pub fn lay(&mut self, text: i32, seat: i32, at: Option<(i32, i32, i32)>) {
        let p = self.p;
        let Some(Some(diagram)) = p.rules.diagrams.get(text as usize) else {
            return;
        };
        for (r, row) in diagram.rows.iter().enumerate() {
            for (c, cell) in row.iter().enumerate() {
                let site = match at {
                    Some((from, along, down)) => {
                        let start = p.ground.board.walk(from, down, r as i32);
                        p.ground.board.walk(start, along, c as i32)
                    }
                    None => p.ground.board.in_diagram(r, c),
                };
                if site < 0 {
                    continue;
                }
                for &(kind, owner) in cell.under.iter().chain(&cell.piece) {
                    let owner = match (p.rules.kinds[usize::from(kind)].owner, owner) {
                        (KindOwner::Nobody, _) => NONE,
                        (_, Some(owner)) if at.is_none() => owner,
                        (KindOwner::Seat(seat), _) => i32::from(seat),
                        (KindOwner::Any, _) => seat,
                    };
                    self.drop(site, i32::from(kind), owner);
                }
                for &(var, code) in cell.words.iter().chain(&cell.number) {
                    let old = self.number_at(&Numbers::Var(u32::from(var)), site);
                    self.set_number(u32::from(var), site, old, code);
                }
            }
        }
    }
}

/// Where the sites of each thing that may stand on a site are kept: by its owner, and by its kind.
pub fn marks(layout: &Layout) -> Vec<(u32, u32)> {
    let (width, seats) = (layout.width as u32, layout.n_seats as u32 + 1);
    let pieces = (0..layout.n_kinds as u32).flat_map(|kind| (0..seats).map(move |owner| (owner, kind)));
    let places = pieces.map(|(owner, kind)| (layout.seat0 + owner * width, layout.kind0 + kind * width));
    // Nothing is nowhere; nobody asks.
    std::iter::once((0, 0)).chain(places).collect()
}

/// Keys of all pieces on all sites: how many a site, and the keys.
pub fn piece_keys(n_sites: usize, n_kinds: usize, n_seats: usize) -> (usize, Vec<u64>) {
    let per = n_kinds * (n_seats + 1) + 1;
    let keys = (0..n_sites * per).map(|i| piece_key((i / per) as i32, (i % per) as i32)).collect();
    (per, keys)
}

/// What each 1 at each site counts for in the keys of tables of numbers, for so many variables.
pub fn number_keys(n_vars: usize, n_sites: usize) -> Vec<u64> {
    let entries = (0..n_vars as u64).flat_map(|var| (0..n_sites as u64).map(move |site| (var, site)));
    entries.map(|(var, site)| mix((1 << 42) + (var << 16) + site, 0)).collect()
}
