//! A diagram that has been read: its signs, where they stand, whether they fit a board, and what can be wrong with one.

use std::ops::Range;

use super::signs::{Signs, possessive};
use super::snapshot::{Piece, Snapshot, Value};
use crate::rules::{Cell, Diagram, Rules};

/// A sign and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// What it puts on a site.
    pub cell: Cell,
    /// Its bytes in the text.
    pub range: Range<usize>,
}

/// The rows of a diagram, top row first.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The rows.
    pub rows: Vec<Vec<Sign>>,
    /// Does it say what pieces there are? A diagram of words alone does not.
    pub pieces: bool,
}

/// What is wrong with a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// More or fewer rows than the board has.
    Rows {
        /// Rows in the text.
        found: usize,
        /// Rows of the board.
        wanted: usize,
        /// The whole diagram.
        range: Range<usize>,
    },
    /// A row that is longer or shorter than the board.
    Width {
        /// The row from 1, from the top.
        row: usize,
        /// Signs in it.
        found: usize,
        /// Signs that the board has there.
        wanted: usize,
        /// Are all rows of the board equally long?
        even: bool,
        /// The row.
        range: Range<usize>,
    },
    /// A sign that means nothing in this game.
    Unknown {
        /// The sign.
        sign: String,
        /// The signs of pieces.
        pieces: Vec<String>,
        /// The letters of words.
        words: Vec<String>,
        /// The least and greatest number, if numbers are signs.
        numbers: Option<(i32, i32)>,
        /// Its row from 1, from the top.
        row: usize,
        /// Its column from 1.
        column: usize,
        /// The sign.
        range: Range<usize>,
    },
    /// A sign that means two things.
    Ambiguous {
        /// The sign.
        sign: String,
        /// What it may mean.
        readings: Vec<String>,
        /// The sign.
        range: Range<usize>,
    },
    /// A symbol that several seats share, where it has to be said whose the piece is.
    NoOwner {
        /// The signs that say so.
        choices: Vec<String>,
        /// The sign.
        range: Range<usize>,
    },
}

impl DiagramError {
    /// Where in the text it is.
    pub fn range(&self) -> Range<usize> {
        match self {
            DiagramError::Rows { range, .. }
            | DiagramError::Width { range, .. }
            | DiagramError::Unknown { range, .. }
            | DiagramError::Ambiguous { range, .. }
            | DiagramError::NoOwner { range, .. } => range.clone(),
        }
    }
}

impl std::error::Error for DiagramError {}

impl std::fmt::Display for DiagramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DiagramError::Rows { found, wanted, .. } => {
                let rows = if *found == 1 { "row" } else { "rows" };
                write!(f, "The diagram has {found} {rows}, the board has {wanted}.")
            }
            DiagramError::Width { row, found, wanted, even, .. } => {
                let signs = if *found == 1 { "sign" } else { "signs" };
                let board = if *even { format!("is {wanted} wide") } else { format!("has {wanted} there") };
                write!(f, "Row {row} has {found} {signs}, the board {board}.")
            }
            DiagramError::Unknown { sign, pieces, words, numbers, .. } => {
                let what = match (pieces.is_empty(), words.is_empty(), numbers) {
                    (false, true, None) => "piece",
                    (true, true, Some(_)) => "number of this game",
                    _ => "sign of this game",
                };
                write!(f, "\"{sign}\" in the diagram is no {what}.")?;
                if !pieces.is_empty() {
                    write!(f, " Pieces: {}.", pieces.join(" "))?;
                }
                if !words.is_empty() {
                    write!(f, " Words: {}.", words.join(" "))?;
                }
                if let Some((lo, hi)) = numbers
                    && (*lo > i32::MIN + 1 || *hi < i32::MAX - 1)
                {
                    write!(f, " Numbers: {lo} to {hi}.")?;
                }
                Ok(())
            }
            DiagramError::Ambiguous { sign, readings, .. } => {
                write!(f, "\"{sign}\" is both {}.", readings.join(" and "))
            }
            DiagramError::NoOwner { choices, .. } => {
                write!(f, "It is not said whose piece this is. Write {}.", either(choices))
            }
        }
    }
}

/// `a, b or c`
fn either(choices: &[String]) -> String {
    match choices {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

impl Grid {
    /// The same without places.
    pub fn diagram(&self) -> Diagram {
        let row = |row: &Vec<Sign>| row.iter().map(|sign| sign.cell.clone()).collect();
        Diagram { rows: self.rows.iter().map(row).collect() }
    }

    /// What keeps it from having a sign for each cell of a board whose rows have these lengths: wrong rows, and if their number is
    /// wrong, that before.
    pub fn misfits(&self, lengths: &[usize]) -> Vec<DiagramError> {
        let place = |signs: &[Sign]| match (signs.first(), signs.last()) {
            (Some(first), Some(last)) => first.range.start..last.range.end,
            _ => 0..0,
        };
        let even = lengths.windows(2).all(|two| two[0] == two[1]);
        let mut wrong = Vec::new();
        if self.rows.len() != lengths.len() {
            let first = self.rows.first().map_or(0, |row| place(row).start);
            let last = self.rows.last().map_or(0, |row| place(row).end);
            wrong.push(DiagramError::Rows { found: self.rows.len(), wanted: lengths.len(), range: first..last });
            if !even {
                // Which row is which cannot be told.
                return wrong;
            }
        }
        for (i, row) in self.rows.iter().enumerate() {
            let wanted = lengths.get(i).or(lengths.first()).copied().unwrap_or(0);
            if row.len() != wanted {
                wrong.push(DiagramError::Width { row: i + 1, found: row.len(), wanted, even, range: place(row) });
            }
        }
        wrong
    }

    /// Does it have a sign for each cell of a board whose rows have these lengths?
    pub fn fit(&self, lengths: &[usize]) -> Result<(), DiagramError> {
        self.misfits(lengths).into_iter().next().map_or(Ok(()), Err)
    }

    /// The signs with the sites they belong to, for a board that it fits.
    pub fn sites<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = (usize, &'a Sign)> + 'a {
        self.rows
            .iter()
            .zip(&rules.board.rows)
            .flat_map(|(signs, cells)| cells.iter().zip(signs).map(|(&cell, sign)| (cell as usize, sign)))
    }

    /// Lays it on an empty board: pieces, words and numbers as the signs say; what a sign does not say stays as it is in `onto`.
    pub fn lay(&self, rules: &Rules, signs: &Signs, onto: &mut Snapshot) -> Result<(), DiagramError> {
        for (site, sign) in self.sites(rules) {
            let mut pile = Vec::new();
            for &(kind, owner) in sign.cell.under.iter().chain(&sign.cell.piece) {
                let owner = owner
                    .ok_or_else(|| DiagramError::NoOwner { choices: signs.owners(kind), range: sign.range.clone() })?;
                pile.push(Piece { kind, owner });
            }
            if let Some(top) = pile.pop() {
                onto.contents[site] = Some(top);
                if let Some(under) = onto.under.get_mut(site) {
                    *under = pile;
                }
            }
            for &(var, code) in sign.cell.words.iter().chain(&sign.cell.number) {
                onto.vars[usize::from(var)][site] = Value::Scalar(code);
            }
        }
        Ok(())
    }

    /// Where a position is not as the diagram says, in the diagram's order; only what its signs say is compared.
    pub fn differences(&self, rules: &Rules, signs: &Signs, position: &Snapshot) -> Result<Vec<usize>, DiagramError> {
        let mut wanted = position.clone();
        if self.pieces {
            wanted.contents[..rules.board.n_cells].fill(None);
            wanted.under.iter_mut().take(rules.board.n_cells).for_each(Vec::clear);
        }
        self.lay(rules, signs, &mut wanted)?;
        let differs = |&site: &usize| {
            wanted.contents[site] != position.contents[site]
                || wanted.below(site) != position.below(site)
                || signs.shown().any(|var| wanted.vars[var][site] != position.vars[var][site])
        };
        Ok(self.sites(rules).map(|(site, _)| site).filter(differs).collect())
    }
}

/// A piece in words: `White's pawn`, `fence`.
pub fn piece_name(rules: &Rules, piece: Piece) -> String {
    let kind = &rules.kinds[usize::from(piece.kind)];
    let seat = usize::try_from(piece.owner).ok().and_then(|seat| rules.seats.get(seat));
    match seat {
        Some(seat) => format!("{} {}", possessive(&seat.name), kind.name),
        None if kind.owner == crate::rules::KindOwner::Nobody => kind.name.clone(),
        None => format!("nobody's {}", kind.name),
    }
}
