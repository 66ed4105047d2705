//! Statements that change what stands on the board.

use super::run::Run;
use super::value::Val;
use super::value::at;
use crate::play::snapshot::Piece;
use crate::rules::board::{Board, MOST_PILED};
use crate::rules::{Diagram, KindOwner, NONE};

impl Run<'_> {
    /// Something, or nothing, stands on a site from now on.
    pub fn put(&mut self, site: i32, piece: Option<Piece>) {
        if site != NONE
            && let Some(place) = self.snap.contents.get_mut(site as usize)
        {
            *place = piece;
        }
    }

    /// All that stands on a site, lowest first.
    pub fn pile(&self, site: i32) -> Vec<Piece> {
        let under = at(&self.snap.under, site).cloned().unwrap_or_default();
        under.into_iter().chain(self.piece(site)).collect()
    }

    /// A pile, lowest first, stands on a site from now on.
    fn put_pile(&mut self, site: i32, mut pile: Vec<Piece>) {
        self.put(site, pile.pop());
        if let Some(under) = usize::try_from(site).ok().and_then(|site| self.snap.under.get_mut(site)) {
            *under = pile;
        }
    }

    /// Pieces come onto a pile, if they fit.
    fn pile_up(&mut self, site: i32, pieces: &[Piece]) -> bool {
        let mut pile = self.pile(site);
        pile.extend(pieces);
        let fits = pile.len() <= MOST_PILED;
        if fits {
            self.put_pile(site, pile);
        }
        fits
    }

    /// `take`
    pub fn take(&mut self, site: i32) {
        let mut pile = self.pile(site);
        pile.pop();
        self.put_pile(site, pile);
    }

    /// `move … carrying n`
    pub fn carry(&mut self, from: i32, to: i32, n: i32) {
        let mut pile = self.pile(from);
        let carried = pile.split_off(pile.len() - (n.max(0) as usize).min(pile.len()));
        if from != to && to != NONE && self.pile_up(to, &carried) {
            self.put_pile(from, pile);
        }
    }

    /// `move`: nothing if either is nowhere, the first is empty, or both are the same.
    pub fn move_piece(&mut self, from: i32, to: i32) {
        if self.world.rules.board.stacked {
            self.carry(from, to, 1);
            return;
        }
        let piece = self.piece(from);
        if piece.is_some() && from != to && to != NONE {
            self.put(from, None);
            self.put(to, piece);
        }
    }

    /// `place`
    pub fn place(&mut self, kind: i32, owner: i32, site: i32) {
        if at(&self.world.rules.kinds, kind).is_some() {
            let piece = Piece { kind: kind as u8, owner };
            if self.world.rules.board.stacked {
                self.pile_up(site, &[piece]);
            } else {
                self.put(site, Some(piece));
            }
        }
    }

    /// `change`
    pub fn change(&mut self, site: i32, kind: i32, owner: Option<i32>) {
        // Changing to no kind does nothing.
        if let Some(piece) = self.piece(site)
            && kind != NONE
        {
            self.take(site);
            self.place(kind, owner.unwrap_or(piece.owner), site);
        }
    }

    /// `lay`: a site of the diagram that shows nothing stays as it is.
    pub fn lay(&mut self, text: i32, place: Option<(i32, i32, i32)>) {
        let rules = self.world.rules;
        let Some(Some(diagram)) = at(&rules.diagrams, text) else {
            return;
        };
        let sites = diagram_sites(&rules.board, diagram, place);
        for (row, sites) in diagram.rows.iter().zip(sites) {
            for (cell, site) in row.iter().zip(sites) {
                for &(kind, said) in cell.under.iter().chain(&cell.piece) {
                    let owner = match (rules.kinds[kind as usize].owner, said) {
                        (KindOwner::Nobody, _) => NONE,
                        (_, Some(owner)) if place.is_none() => owner,
                        (KindOwner::Seat(seat), _) => i32::from(seat),
                        (KindOwner::Any, _) => self.seat,
                    };
                    self.place(i32::from(kind), owner, site);
                }
                for &(var, word) in cell.words.iter().chain(&cell.number) {
                    if site != NONE {
                        self.store(var, site, Val::Scalar(word));
                    }
                }
            }
        }
    }
}

/// The site of each sign of a diagram: from a site along one direction, row below row along another; or over the whole
/// board.
fn diagram_sites(board: &Board, diagram: &Diagram, place: Option<(i32, i32, i32)>) -> Vec<Vec<i32>> {
    let site = |row: usize, column: usize| match place {
        Some((from, along, down)) => {
            let start = board.walk(from, down, row as i32);
            board.walk(start, along, column as i32)
        }
        None => board.in_diagram(row, column),
    };
    let rows = diagram.rows.iter().enumerate();
    rows.map(|(r, row)| (0..row.len()).map(|c| site(r, c)).collect()).collect()
}
