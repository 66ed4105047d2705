//! The checked form of a game under one set of options: names resolved, types known, the board built.
//!
//! `check` makes it and nobody else; both evaluators (`reference`, `fast`) read it. It is plain data: a board, kinds,
//! things remembered, definitions, and programs made of [`Stmt`] and [`Expr`]. Options are constants by now.
//!
//! **Seats.** Every expression is seen from a seat, [`ExprKind::Mover`]; [`ExprKind::From`] changes it for a part.
//!
//! **Scalars** are coded as `i32`: a site is its index (cells first, row by row from the bottom left, then extra sites), a
//! direction 0 to 7 clockwise from north, a player, kind or word its index, a bool 0 or 1, a step
//! `track * 65536 + place` (see [`step_code`]), a text its index in [`Rules::texts`]. [`NONE`] is nowhere, nobody and the like.

pub mod board;
pub mod bounds;
pub mod drawing;
pub mod example;
pub mod expr;
pub mod inside;
pub mod live;
pub mod number;
pub mod shapes;
pub mod sides;
pub mod sites;
pub mod stmt;

pub use board::{Board, Site, Track};
pub use bounds::Bounds;
pub use expr::{Binder, Domain, Expr, ExprKind};
pub use sites::SiteSet;
pub use stmt::{Block, Stmt, StmtKind};

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::source::Span;

/// Nowhere, nobody, no direction, no kind.
pub const NONE: i32 = -1;

/// "No limit": greater than every number, and stays so in arithmetic.
pub const NO_LIMIT: i32 = i32::MAX;

/// The code of the place `place` (from 0) on the walk `track` (an index into [`Rules::tracks`]).
pub fn step_code(track: usize, place: usize) -> i32 {
    ((track as i32) << 16) | place as i32
}

/// Walk and place of a step's code; none for [`NONE`].
pub fn step_parts(code: i32) -> Option<(usize, usize)> {
    (code >= 0).then_some(((code >> 16) as usize, (code & 0xffff) as usize))
}

/// The type of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A whole number of 32 bits; arithmetic stops at the ends (see [`number`]).
    Int,
    /// On or off.
    Bool,
    /// A site or nowhere.
    Site,
    /// A set of sites.
    Sites,
    /// A direction or none.
    Dir,
    /// A set of directions, a mask of 8 bits.
    Dirs,
    /// A seat or nobody.
    Player,
    /// A set of seats, a mask.
    Players,
    /// A kind of piece or none.
    Kind,
    /// A set of kinds, a mask.
    Kinds,
    /// A place on a walk or nowhere.
    Step,
    /// A whole walk; its code is its index in [`Rules::tracks`].
    Track,
    /// A word of the list with this index in [`Rules::words`].
    Word(u16),
    /// A set of words of one list, a mask.
    Words(u16),
    /// A bag: so many of each of a few neighbouring numbers or kinds.
    Bag(BagTy),
    /// A text; its code is its index in [`Rules::texts`].
    Text,
    /// A copy of a whole table of scalars at sites; the index of the variable it was copied from.
    Table(u16),
    /// What an erroneous expression has; never in a finished [`Rules`].
    Unknown,
}

/// What a bag holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BagTy {
    /// Kinds (by index) rather than numbers?
    pub kinds: bool,
    /// The lowest thing it can hold.
    pub lo: i32,
    /// How many different things it can hold, at most 16, `lo..lo + n`. Of each there are 0 to 255; more is cut off.
    pub n: u8,
}

impl Ty {
    /// Is it coded as one `i32`?
    pub fn is_scalar(self) -> bool {
        use Ty::*;
        matches!(self, Int | Bool | Site | Dir | Player | Kind | Step | Track | Word(_) | Text)
    }

    /// Is it coded as a mask of up to 64 bits?
    pub fn is_mask(self) -> bool {
        matches!(self, Ty::Dirs | Ty::Players | Ty::Kinds | Ty::Words(_))
    }
}

/// A seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Seat {
    /// Its name.
    pub name: String,
    /// Where it faces, a direction's code, or [`NONE`].
    pub facing: i32,
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Its symbol for each seat and, last, for nobody; empty where that seat cannot have it.
    pub symbols: Vec<String>,
    /// Who may have one.
    pub owner: KindOwner,
}

/// Who may have a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindOwner {
    /// Every seat.
    Any,
    /// This seat alone.
    Seat(u8),
    /// No seat: the piece belongs to nobody.
    Nobody,
}

/// What a position remembers besides pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    /// Its name.
    pub name: String,
    /// One for each of what?
    pub per: PerWhat,
    /// The type of one entry. Of `per site` tables: `Int`, `Bool` or `Word`.
    pub ty: Ty,
    /// The lowest and highest number it may hold, of `Int`; what is stored beyond is cut to the nearer end.
    pub range: (i32, i32),
    /// The first value of an entry, seen from the entry's seat for `per player`, else from the first seat. Of a `per site` table the
    /// cells get it; extra sites start at 0.
    pub init: Expr,
    /// Left out when repetitions are counted.
    pub counter: bool,
    /// Seen by its owner alone.
    pub secret: bool,
    /// In the next game of a match its first value is the last one of the game before.
    pub lasting: bool,
    /// Where it is declared.
    pub span: Span,
}

/// One for each of what?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerWhat {
    /// One value.
    One,
    /// One for each seat.
    Player,
    /// One for each site, extra sites included.
    Site,
    /// One for each kind.
    Kind,
}

/// A list of words that a variable may hold.
#[derive(Clone, Debug, PartialEq)]
pub struct WordList {
    /// The words.
    pub words: Vec<String>,
    /// The symbol of each in diagrams: its first letter as a capital.
    pub symbols: Vec<String>,
}

/// A definition with parameters. Definitions never call themselves, not even by detour.
#[derive(Clone, Debug, PartialEq)]
pub struct Def {
    /// Its name.
    pub name: String,
    /// The locals that take its arguments.
    pub params: Vec<LocalId>,
    /// What it stands for.
    pub body: Expr,
}

/// A local name: chosen, rolled, let, a parameter, a loop's. Numbered through the whole game, so that a flat array holds them all:
/// nothing is ever entered twice at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// What is known of a local.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name in the file; several locals may share one.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// A text that `lay` can read, row by row from the top.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Diagram {
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What a sign of a diagram puts on a site.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Cell {
    /// A piece and, if the symbol says so, whose.
    pub piece: Option<(u8, Option<i32>)>,
    /// Words at the site: variable and word.
    pub words: Vec<(u16, i32)>,
    /// What lies below the piece in a pile, lowest first.
    pub under: Vec<(u8, Option<i32>)>,
    /// A number at the site: variable and number.
    pub number: Option<(u16, i32)>,
}

/// A line of `end`.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Its name, or its result's text.
    pub name: Arc<str>,
    /// The author's words about it.
    pub docs: Vec<String>,
    /// What happens.
    pub result: EndResult,
    /// When (a bool), seen from the seat that has just played.
    pub when: Expr,
    /// The line.
    pub span: Span,
}

/// What an ending gives.
#[derive(Clone, Debug, PartialEq)]
pub enum EndResult {
    /// Nobody wins.
    Draw,
    /// No result.
    Unfinished,
    /// Each key (int or bool) from every seat, higher first.
    Rank(Vec<Expr>),
    /// These seats (a `Players` mask) win, by so much.
    Wins(Expr, Option<Expr>),
    /// These seats (a `Players` mask) lose, the others win.
    Loses(Expr),
}

/// A part of the notation.
#[derive(Clone, Debug, PartialEq)]
pub enum NotationPart {
    /// The values that locals of this name had.
    Name(String),
    /// A text between two names.
    Text(String),
}

/// `property`
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// What it says.
    pub title: String,
    /// How the value behaves.
    pub claim: crate::syntax::ast::Claim,
    /// The value: an int, or a bool for `Holds`.
    pub expr: Expr,
    /// Where it stands.
    pub span: Span,
}

/// A game, checked, under one set of options.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// The game's name.
    pub title: String,
    /// The seats in turn order; at least one, at most 8.
    pub seats: Vec<Seat>,
    /// Who begins unless `setup` assigns `next`.
    pub first: i32,
    /// The board.
    pub board: Board,
    /// The kinds of pieces, at most 32.
    pub kinds: Vec<Kind>,
    /// What is remembered.
    pub vars: Vec<Var>,
    /// Lists of words.
    pub words: Vec<WordList>,
    /// The walks; a track that differs by seat is one walk a seat.
    pub tracks: Vec<Track>,
    /// Texts.
    pub texts: Vec<String>,
    /// The texts as diagrams, where `lay` can meet them.
    pub diagrams: Vec<Option<Diagram>>,
    /// Straight rows of sites for each length asked for, in the order of their first site, then north, northeast, east, southeast.
    pub lines: Vec<Vec<SiteSet>>,
    /// Definitions.
    pub defs: Vec<Def>,
    /// All locals.
    pub locals: Vec<Local>,
    /// Makes the first position; run from the first seat.
    pub setup: Block,
    /// The turn program.
    pub turn: Block,
    /// Runs that end in the same position are one turn.
    pub by_outcome: bool,
    /// What happens by itself when a turn is over.
    pub after: Block,
    /// The ends, in the order in which they are looked at.
    pub ends: Vec<Ending>,
    /// The sites whose contents a seat sees; none: all.
    pub view: Option<Expr>,
    /// How a turn is written; none: all values.
    pub notation: Option<Vec<NotationPart>>,
    /// Properties.
    pub properties: Vec<Property>,
    /// Expressions that somebody else wants to ask: an example's `expect`s, in order.
    pub probes: Vec<Expr>,
    /// Statements that somebody else wants to run: an example's assignments, in order.
    pub scripts: Vec<Block>,
    /// What it may cost to play it.
    pub bounds: Bounds,
    /// What the game asks about its past; nothing is kept otherwise.
    pub uses: Uses,
    /// From where in the game statements of the library are called, each place once, in the order of the text.
    pub callers: BTreeMap<Span, Vec<Span>>,
}

/// What a game asks about its past and future.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `repeats` or `loop`.
    pub repeats: bool,
    /// `board_repeats`.
    pub board_repeats: bool,
    /// `resigned`: the game says itself what follows when somebody gives up.
    pub resigned: bool,
    /// `games`: the game says itself how the next one of a match follows from the last.
    pub games: bool,
}

impl Rules {
    /// Is there anything that not all seats see?
    pub fn hides(&self) -> bool {
        self.view.is_some() || self.vars.iter().any(|var| var.secret)
    }

    /// From where in the game the library's statement around this place is called; nothing if it is the game's own.
    pub fn callers_of(&self, span: Span) -> &[Span] {
        let around = self.callers.iter().filter(|(stmt, _)| stmt.holds(span));
        let nearest = around.min_by_key(|(stmt, _)| stmt.end - stmt.start);
        nearest.map_or(&[], |(_, callers)| callers)
    }

    /// Number of seats.
    pub fn n_seats(&self) -> usize {
        self.seats.len()
    }

    /// Number of sites, extra ones included.
    pub fn n_sites(&self) -> usize {
        self.board.sites.len()
    }

    /// How many entries a variable has.
    pub fn n_entries(&self, var: &Var) -> usize {
        match var.per {
            PerWhat::One => 1,
            PerWhat::Player => self.n_seats(),
            PerWhat::Site => self.n_sites(),
            PerWhat::Kind => self.kinds.len(),
        }
    }

    /// The seat after `seat` in turn order.
    pub fn following(&self, seat: i32) -> i32 {
        (seat + 1).rem_euclid(self.n_seats() as i32)
    }
}
