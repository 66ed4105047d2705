//! A game in progress as a [`Table`].

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::course::Play;
use super::goal::Goal;
use super::layout::Store;
use super::perft::Spare;
use super::run::Stop;
use crate::play::snapshot::Piece;
use crate::play::{Asks, Move, Snapshot, Status, Table, Trouble, Value};
use crate::rules::{NONE, SiteSet, Ty, Var};

impl<const W: usize> Core<'_, W> {
    /// The position as plain data.
    pub fn to_snapshot(&self) -> Snapshot {
        let p = self.p;
        let n = p.layout.n_sites;
        let contents = (0..n as i32)
            .map(|site| self.piece_at(site).map(|(kind, owner)| Piece { kind: kind as u8, owner }))
            .collect();
        let per = p.layout.n_seats as i32 + 1;
        let piece = |what: i32| {
            let owner = (what - 1) % per;
            Piece { kind: ((what - 1) / per) as u8, owner: if owner == per - 1 { NONE } else { owner } }
        };
        let below = |site: i32| (0..self.height(site) - 1).map(|level| piece(self.in_pile(site, level))).collect();
        let under = if p.rules.board.stacked { (0..n as i32).map(below).collect() } else { Vec::new() };
        let vars = p
            .layout
            .vars
            .iter()
            .zip(&p.rules.vars)
            .map(|(place, var)| {
                (0..place.n as i32)
                    .map(|index| {
                        let word = |i: u32| self.b[(place.base + i) as usize];
                        match place.store {
                            Store::Scalar(..) => Value::Scalar(word(index as u32) as i32),
                            Store::Mask => Value::Mask(word(index as u32)),
                            Store::Sites => {
                                Value::Sites(site_set(&self.set_at(place.base + index as u32 * W as u32), n))
                            }
                            Store::Bag => {
                                let bag =
                                    u128::from(word(2 * index as u32)) | u128::from(word(2 * index as u32 + 1)) << 64;
                                let Ty::Bag(ty) = var.ty else {
                                    crate::bug!("a bag that is none");
                                };
                                Value::Bag(bag.to_le_bytes()[..usize::from(ty.n)].to_vec())
                            }
                            Store::Flags => Value::Scalar(i32::from(self.set_at(place.base).has(index))),
                            Store::Words { at, .. } | Store::Numbers { at, .. } => {
                                Value::Scalar(at.get(&self.b, index))
                            }
                        }
                    })
                    .collect()
            })
            .collect();
        let layout = &p.layout;
        Snapshot {
            contents,
            under,
            vars,
            mover: self.scalar(layout.mover),
            next: self.scalar(layout.next),
            turns: self.scalar(layout.turns),
            resigned: self.b[layout.resigned as usize],
            games: self.scalar(layout.games),
        }
    }

    /// Takes a position over; what does not fit is left out.
    pub fn load(&mut self, snapshot: &Snapshot) {
        self.clear();
        let p = self.p;
        for (site, piece) in snapshot.contents.iter().enumerate() {
            for piece in snapshot.below(site).iter().chain(piece) {
                self.drop(site as i32, i32::from(piece.kind), piece.owner);
            }
        }
        self.load_vars(snapshot, |_| true);
        let layout = &p.layout;
        let n = layout.n_seats as i32;
        let seat = |seat: i32| if (0..n).contains(&seat) { seat } else { p.rules.first } as u32 as u64;
        self.b[layout.mover as usize] = seat(snapshot.mover);
        self.b[layout.next as usize] = seat(snapshot.next);
        self.b[layout.turns as usize] = snapshot.turns as u32 as u64;
        self.b[layout.resigned as usize] = snapshot.resigned & ((1 << n) - 1);
        self.b[layout.games as usize] = snapshot.games as u32 as u64;
        self.renew_keys();
    }

    /// Takes over what lasts from the last position of the game before, and counts that game.
    pub fn succeed(&mut self, before: &Snapshot) {
        self.load_vars(before, |var| var.lasting);
        self.b[self.p.layout.games as usize] = before.games.saturating_add(1) as u32 as u64;
    }

    /// Takes over what some variables hold.
    fn load_vars(&mut self, snapshot: &Snapshot, which: impl Fn(&Var) -> bool) {
        let p = self.p;
        for (i, place) in p.layout.vars.iter().enumerate().filter(|(i, _)| which(&p.rules.vars[*i])) {
            let entries = snapshot.vars.get(i).into_iter().flatten();
            for (index, value) in entries.enumerate().take(place.n as usize) {
                let index = index as i32;
                match value {
                    Value::Scalar(code) => match place.store {
                        Store::Scalar(..) => self.set_scalar(place, index, *code),
                        _ => {
                            let old = self.number_at(&Numbers::Var(i as u32), index);
                            self.set_number(i as u32, index, old, *code);
                        }
                    },
                    Value::Mask(mask) => self.set_word(place, index, *mask),
                    Value::Sites(sites) => {
                        let set = Set::from_words(sites.words()).and(p.ground.all);
                        self.set_sites(place, index, set);
                    }
                    Value::Bag(counts) => {
                        let bag = counts
                            .iter()
                            .take(16)
                            .enumerate()
                            .fold(0u128, |bag, (lane, &n)| bag | u128::from(n) << (8 * lane));
                        self.set_bag(place, index, bag);
                    }
                }
            }
        }
    }
}

/// A set of fixed width as plain data.
pub fn site_set<const W: usize>(set: &Set<W>, n: usize) -> SiteSet {
    SiteSet::of(n, set.iter())
}

impl<'e, const W: usize> Play<'e, W> {
    /// The legal moves.
    pub fn list(&mut self) -> Result<Vec<Move>, Trouble> {
        let mut moves = Vec::new();
        if matches!(self.status, Status::ToMove(_)) {
            let mut seen = std::mem::take(&mut self.core.seen);
            let kept = self.by_outcome().then_some(&mut seen);
            let done = self.core.explore(self.node, &mut Goal::List(&mut moves, kept));
            self.core.seen = seen;
            done?;
        }
        Ok(moves)
    }

    /// Are runs that lead to the same position one move?
    pub fn by_outcome(&self) -> bool {
        self.core.by_outcome()
    }

    /// The number of legal moves or of outcomes.
    pub fn count(&mut self) -> Result<u64, Trouble> {
        match self.status {
            Status::Over(_) => Ok(0),
            Status::Chance => Ok(self.core.rolls(self.node)?.len() as u64),
            Status::ToMove(_) if self.core.tally.node == Some(self.node) && !self.core.tally.guessed => {
                Ok(self.core.tally.total)
            }
            Status::ToMove(_) if self.by_outcome() => Ok(self.list()?.len() as u64),
            Status::ToMove(_) => {
                self.core.explore(self.node, &mut Goal::Count)?;
                Ok(self.core.run.count)
            }
        }
    }

    /// Plays a move; `trusted`: it has just been listed.
    pub fn make(&mut self, choices: &[i32], trusted: bool) -> Result<(), Trouble> {
        match self.status {
            Status::Over(_) => Err(Trouble::NotNow),
            Status::ToMove(_) => {
                let cut = self.core.follow(self.node, choices, trusted)?;
                self.go_on_from(cut)
            }
            Status::Chance => {
                let stop = self.core.dictate(self.node, choices)?;
                self.after_chance(stop)
            }
        }
    }

    /// Goes on after chance has decided.
    pub fn after_chance(&mut self, stop: Stop) -> Result<(), Trouble> {
        match stop {
            Stop::Cut(cut) => self.go_on_from(cut),
            Stop::Fork(at) | Stop::Tail(at) => self.go_on_at(at),
            Stop::Dead => Err(Trouble::Illegal),
        }
    }

    /// Becomes a copy of another game of the same rules, keeping its own memory.
    pub fn copy_from(&mut self, other: &Self) {
        self.core.b.copy_from_slice(&other.core.b);
        self.core.keys.clone_from(&other.core.keys);
        self.core.boards.clone_from(&other.core.boards);
        self.core.stuck = other.core.stuck;
        self.core.asks = other.core.asks;
        self.core.between = other.core.between;
        self.core.turning = other.core.turning;
        self.core.run.noted = other.core.run.noted;
        self.core.trouble = None;
        self.core.tally.node = None;
        self.status.clone_from(&other.status);
        self.node = other.node;
        self.setup = other.setup;
        self.steps = other.steps;
    }

    /// Answers a question from outside, see [`crate::rules::Rules::probes`].
    pub fn probe(&mut self, i: usize) -> Value {
        let p = self.core.p;
        let seat = match self.status {
            Status::ToMove(seat) => seat,
            _ => self.core.mover(),
        };
        let over = matches!(self.status, Status::Over(_));
        let before = (self.core.asks, self.core.stuck);
        self.core.asks = Asks::End;
        // Whoever is to move has a turn; the past knows a position by whose turn comes, and between turns that is the mover.
        self.core.stuck = (!over).then_some(false);
        self.core.between = !over;
        let answer = self.answer(&p.probes[seat.max(0) as usize][i], p.rules.probes[i].ty);
        (self.core.asks, self.core.stuck) = before;
        self.core.between = false;
        answer
    }

    /// The value of a property seen from a seat, see [`crate::rules::Rules::properties`].
    pub fn property(&mut self, i: usize, seat: usize) -> i32 {
        let p = self.core.p;
        self.core.int(&p.properties[seat][i])
    }

    fn answer(&mut self, value: &Val<W>, ty: Ty) -> Value {
        match value {
            Val::Int(x) => Value::Scalar(self.core.int(x)),
            Val::Mask(x) => Value::Mask(self.core.mask(x)),
            Val::Set(x) => {
                let set = self.core.sites(x);
                Value::Sites(site_set(&set, self.core.p.layout.n_sites))
            }
            Val::Bag(x) => {
                let n = match ty {
                    Ty::Bag(ty) => usize::from(ty.n),
                    _ => 16,
                };
                Value::Bag(self.core.bag(x).to_le_bytes()[..n].to_vec())
            }
            Val::Table(x) => {
                let n = self.core.p.layout.n_sites;
                let above = (0..n as i32).filter(|&site| self.core.number_at(x, site) > 0);
                Value::Sites(SiteSet::of(n, above.collect::<Vec<_>>()))
            }
        }
    }
}

impl<'e, const W: usize> Table for Play<'e, W> {
    fn status(&self) -> Status {
        self.status.clone()
    }

    fn moves(&mut self) -> Result<Vec<Move>, Trouble> {
        match self.status {
            Status::ToMove(_) => self.list(),
            _ => Err(Trouble::NotNow),
        }
    }

    fn outcomes(&mut self) -> Result<Vec<(Move, u64)>, Trouble> {
        match self.status {
            Status::Chance => self.core.rolls(self.node),
            _ => Err(Trouble::NotNow),
        }
    }

    fn draw(&mut self, draw: &mut dyn FnMut(u64) -> u64) -> Result<Move, Trouble> {
        if self.status != Status::Chance {
            return Err(Trouble::NotNow);
        }
        let before = self.core.b.clone();
        let drawn = self.core.throw(self.node, draw);
        self.core.b.copy_from_slice(&before);
        drawn.map(|(codes, _)| Move(codes))
    }

    fn play(&mut self, chosen: &Move) -> Result<(), Trouble> {
        if matches!(self.status, Status::ToMove(_)) && self.by_outcome() && !self.list()?.contains(chosen) {
            return Err(Trouble::Illegal);
        }
        let before = self.clone();
        self.make(&chosen.0, false).inspect_err(|_| self.clone_from(&before))
    }

    fn resign(&mut self) -> Result<(), Trouble> {
        self.give_up()
    }

    fn snapshot(&self) -> Snapshot {
        self.core.to_snapshot()
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        Box::new(self.clone())
    }

    fn keys(&self) -> (Vec<u64>, Vec<u64>) {
        let layout = &self.core.p.layout;
        let kept = vec![self.core.b[layout.board_key as usize], self.core.b[layout.rest_key as usize]];
        let (board, rest) = self.core.fresh_keys();
        (kept, vec![board, rest])
    }

    fn perft(&mut self, depth: u32) -> Result<u64, Trouble> {
        let mut spare = Spare::for_depth(self.core.p, depth);
        #[cfg(feature = "native")]
        if spare.native {
            let p = self.core.p;
            self.core.code = p.native.segments(p);
        }
        self.core.tallying = true;
        let sum = self.perft_from(depth, true, &mut spare);
        self.core.tallying = false;
        sum
    }
}
