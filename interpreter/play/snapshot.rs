//! A position as plain data: what both evaluators, position texts and records agree on.

use crate::rules::{NONE, Rules, SiteSet, Ty};

/// What a variable's entry holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of any scalar type.
    Scalar(i32),
    /// Of a mask type.
    Mask(u64),
    /// Sites.
    Sites(SiteSet),
    /// How many of each, from the bag type's `lo` on.
    Bag(Vec<u8>),
}

impl Value {
    /// The value a variable of this type has when nothing is said: 0, off, empty, nowhere, nobody, the first word.
    pub fn zero(ty: Ty, n_sites: usize) -> Value {
        match ty {
            Ty::Sites => Value::Sites(SiteSet::new(n_sites)),
            Ty::Bag(bag) => Value::Bag(vec![0; bag.n as usize]),
            Ty::Site | Ty::Player | Ty::Kind | Ty::Dir | Ty::Step => Value::Scalar(NONE),
            ty if ty.is_mask() => Value::Mask(0),
            _ => Value::Scalar(0),
        }
    }
}

/// A piece: kind and owner ([`NONE`]: nobody's).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Its kind.
    pub kind: u8,
    /// Its owner's seat or [`NONE`].
    pub owner: i32,
}

/// A position between two moves, without its past.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// What stands on each site.
    pub contents: Vec<Option<Piece>>,
    /// What lies below that in piles, lowest first; without entries unless the board is stacked.
    pub under: Vec<Vec<Piece>>,
    /// The entries of each variable of [`Rules::vars`].
    pub vars: Vec<Vec<Value>>,
    /// Whose turn it is.
    pub mover: i32,
    /// Whose turn comes after this one, as far as is known.
    pub next: i32,
    /// Turns completed.
    pub turns: i32,
    /// Seats that have resigned, a mask.
    pub resigned: u64,
    /// Games of the match that are over.
    pub games: i32,
}

impl Snapshot {
    /// An empty board; variables zero (not their first values); the first seat to move.
    pub fn empty(rules: &Rules) -> Snapshot {
        let n = rules.n_sites();
        let vars = rules.vars.iter().map(|var| vec![Value::zero(var.ty, n); rules.n_entries(var)]).collect();
        let (mover, next) = (rules.first, rules.first);
        let under = if rules.board.stacked { vec![Vec::new(); n] } else { Vec::new() };
        Snapshot { contents: vec![None; n], under, vars, mover, next, turns: 0, resigned: 0, games: 0 }
    }

    /// What counts when positions are compared for repetition: pieces, variables that are no counters, who is to move, who resigned.
    pub fn kept(&self, rules: &Rules) -> Snapshot {
        let mut kept = self.clone();
        kept.turns = 0;
        kept.mover = self.next;
        for (var, entries) in rules.vars.iter().zip(&mut kept.vars) {
            if var.counter {
                entries.clear();
            }
        }
        kept
    }

    /// Takes over from the last position of the game before what lasts, and counts that game.
    pub fn follow(&mut self, rules: &Rules, before: &Snapshot) {
        self.games = before.games.saturating_add(1);
        for (i, _) in rules.vars.iter().enumerate().filter(|(_, var)| var.lasting) {
            if let (Some(to), Some(from)) = (self.vars.get_mut(i), before.vars.get(i)) {
                to.clone_from(from);
            }
        }
    }

    /// Takes all pieces away.
    pub fn clear_pieces(&mut self) {
        self.contents.fill(None);
        self.under.iter_mut().for_each(Vec::clear);
    }

    /// What lies below the uppermost piece of a site.
    pub fn below(&self, site: usize) -> &[Piece] {
        self.under.get(site).map_or(&[], Vec::as_slice)
    }

    /// Are the pieces the same?
    pub fn same_pieces(&self, other: &Snapshot) -> bool {
        self.contents == other.contents && self.under == other.under
    }
}
