//! Expressions: pure and total. Every coercion of the language is a node of its own here, so that evaluators never guess.

use super::{LocalId, SiteSet, Ty};
use crate::source::Span;
use crate::syntax::ast::ArithOp;

/// An expression, its type and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
}

/// Comparisons of two scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cmp {
    /// Equal codes.
    Eq,
    /// Different codes.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// Operations on two sets of the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOp {
    /// In both (of bags: the smaller number of each).
    And,
    /// In either (of bags: the greater number of each).
    Or,
    /// In the first, not the second (of bags: the difference, not below 0).
    Minus,
    /// Of bags alone: the sum.
    Add,
}

/// What a comprehension makes of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their sum (an int).
    Sum,
    /// The least (an int), 0 of nothing.
    Min,
    /// The greatest (an int), 0 of nothing.
    Max,
    /// How many (an int); the body is not looked at.
    Count,
    /// Is there one (a bool)? The body is not looked at.
    Any,
    /// All of them together: the expression's type is a set (sites, mask); the body's is the same set or a member.
    Union,
}

/// A name and what it runs through.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// The name.
    pub local: LocalId,
    /// What it runs through, worked out once when it is reached.
    pub domain: Domain,
}

/// What a name can run through, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// The sites of a set in board order.
    Sites(Expr),
    /// The sites of a set along a direction (a `Dir`): by how far they lie that way, then in board order.
    Going(Expr, Expr),
    /// The members of a mask of dirs, kinds or words, lowest first.
    Mask(Expr),
    /// The seats of a mask, in turn order from the mover.
    Seats(Expr),
    /// The different things in a bag, lowest first.
    Bag(Expr),
    /// The numbers from the first to the second, both included; none if the first is greater.
    Range(Expr, Expr),
    /// These constant scalars, in order.
    Listed(Vec<i32>),
    /// The places of a walk (a `Track`), from the first to the last.
    Track(Expr),
    /// The straight rows of [`super::Rules::lines`] with this index; the local is a set of sites. Its code in a move is the row's number.
    Lines(usize),
}

/// What an expression can be. `i`, `s`, `S` … name the types of the parts.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    // ---- constants and names
    /// A scalar's code.
    Const(i32),
    /// A mask.
    ConstMask(u64),
    /// A constant set of sites.
    ConstSites(SiteSet),
    /// A constant bag: how many of each, from its type's `lo` on.
    ConstBag(Vec<u8>),
    /// A local.
    Local(LocalId),
    /// `table at s` of a local that is a copy of a table; 0 at nowhere.
    LocalAt(LocalId, Box<Expr>),
    /// A copy of a whole `per site` table (of type `Table`).
    CopyTable(u16),
    /// The value of a remembered variable; the index is absent (one value), a `Player`, a `Site` or a `Kind`. At nowhere, nobody: 0, empty, off.
    Var(u16, Option<Box<Expr>>),

    // ---- seats and turns
    /// The seat from which this is seen.
    Mover,
    /// Whose turn comes.
    Next,
    /// Turns completed.
    Turns,
    /// Games of the match that are over.
    Games,
    /// The other seat of two.
    OtherSeat(Box<Expr>),
    /// The part seen from another seat (a `Player`). From nobody's seat: `mine` are the pieces of nobody, directions are none.
    From(Box<Expr>, Box<Expr>),
    /// A definition, its arguments worked out first, seen from the present seat.
    Call(u32, Vec<Expr>),
    /// Seats that have resigned, a mask.
    Resigned,
    /// Would the next player have no turn if the turn ended here? In `end`: has he none? In a look-ahead: off.
    Stuck,
    /// How often the position (kept variables, pieces, who is to move) has been there, now included; inside a turn as if it ended here.
    Repeats,
    /// The same for the pieces alone.
    BoardRepeats,
    /// Turns since this position was first there; 0 if it never was.
    LoopLength,
    /// Are the pieces as at the start of the turn?
    Unchanged,

    // ---- scalars
    /// Arithmetic (see `number`).
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// `-i`, `abs(i)`
    Negate(Box<Expr>),
    /// `abs(i)`
    Abs(Box<Expr>),
    /// The least (or greatest) of listed numbers.
    Least(Vec<Expr>),
    /// The greatest of listed numbers.
    Greatest(Vec<Expr>),
    /// `not c`
    Not(Box<Expr>),
    /// `c and c`; the second only if needed.
    And(Box<Expr>, Box<Expr>),
    /// `c or c`
    Or(Box<Expr>, Box<Expr>),
    /// Two scalars of one type; sites of steps and the like are made the same type first.
    Compare(Cmp, Box<Expr>, Box<Expr>),
    /// Are two sets (sites, masks, bags of the same type) equal?
    SameSet(Box<Expr>, Box<Expr>),

    // ---- choosing between values of any type
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// The first arm one of whose ranges (ends included) holds the scalar; else the last expression.
    Match(Box<Expr>, Vec<(Vec<(i32, i32)>, Expr)>, Box<Expr>),
    /// `let x = e body`
    Let(LocalId, Box<Expr>, Box<Expr>),
    /// The first that is not empty (sets, bags) or not [`super::NONE`] (sites, players, kinds, dirs, steps); else the last.
    Otherwise(Vec<Expr>),

    // ---- sites and directions
    /// The site `n` steps (an int, may be negative) from `s` in direction `d`: `s + d * n`.
    Walk(Box<Expr>, Box<Expr>, Box<Expr>),
    /// All of `S` moved `n` steps (an int) in direction `d`.
    Shift(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Neighbours of all of `S` (sites) in all of `D` (dirs), each `n` steps away.
    ShiftAll(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A direction turned clockwise by so many eighths from the mover's facing: `forward` 0, `right` 2, `back` 4, `left` 6. None without facing.
    Facing(i32),
    /// `opposite(d)`
    Opposite(Box<Expr>),
    /// The direction in which `b` lies in a straight line from `a`, or none.
    Toward(Box<Expr>, Box<Expr>),
    /// `x at s` (0 at nowhere)
    XAt(Box<Expr>),
    /// `y at s`
    YAt(Box<Expr>),
    /// `kind at s`
    KindAt(Box<Expr>),
    /// `height at s`
    HeightAt(Box<Expr>),
    /// `owner at s`
    OwnerAt(Box<Expr>),
    /// `turned(s, d)`
    Turned(Box<Expr>, Box<Expr>),
    /// `side(s, d)`
    Side(Box<Expr>, Box<Expr>),
    /// `mirrored(s)`
    Mirrored(Box<Expr>),

    // ---- walks
    /// The step `n` (an int) places on from a step.
    StepOn(Box<Expr>, Box<Expr>),
    /// The place number of a step; -1 for nowhere.
    StepPlace(Box<Expr>),
    /// The site of a step.
    StepSite(Box<Expr>),
    /// The step of a site on a walk (a `Track`); nowhere if the walk passes it never or twice.
    SiteStep(Box<Expr>, Box<Expr>),
    /// The walk with this index for each seat; for nobody the first.
    TrackOf(Vec<u32>),
    /// Its first step.
    TrackStart(Box<Expr>),
    /// All its sites.
    TrackSites(Box<Expr>),
    /// The sites from one step to another of the same walk, in either order.
    StepRange(Box<Expr>, Box<Expr>),

    // ---- sets
    /// A set (its type says which: sites, mask, bag) of one member; of none if it is [`super::NONE`].
    Single(Box<Expr>),
    /// Set operations; both have the expression's type.
    Set(SetOp, Box<Expr>, Box<Expr>),
    /// A bag as another bag type; what does not fit is left out.
    Rebag(Box<Expr>),
    /// The bag of the numbers from the first to the second.
    BagRange(Box<Expr>, Box<Expr>),
    /// Sites with no piece on them, extra ones included.
    Empty,
    /// Sites with a piece on them.
    Pieces,
    /// Sites with a piece of this seat; of nobody: pieces that belong to nobody.
    PiecesOf(Box<Expr>),
    /// Sites with a piece of this kind.
    KindSites(Box<Expr>),
    /// Sites with a piece of one of these kinds (a mask).
    KindsSites(Box<Expr>),
    /// Sites at which the `per site` table holds this word.
    Labelled(u16, Box<Expr>),
    /// Sites at which the `per site` table of numbers is above 0 (of bools: on).
    Counted(u16),
    /// The sites of the rectangle with these two corners, cells only.
    Rectangle(Box<Expr>, Box<Expr>),
    /// The members `x` of `S` for which `c` holds.
    Filter(LocalId, Box<Expr>, Box<Expr>),
    /// Runs through binders, later ones seeing earlier names; where the condition (absent: always) holds, folds the body.
    Comprehend {
        /// What is made of the values.
        fold: Fold,
        /// The names.
        binders: Vec<Binder>,
        /// The condition.
        filter: Option<Box<Expr>>,
        /// The value; absent for `Count` and `Any`.
        body: Option<Box<Expr>>,
    },
    /// The smallest set that holds `from` and, with each member `x`, all of `into`; at most so many rounds (below 0 or absent: no limit).
    /// A round adds `into` of all members that the round before added.
    Spread(LocalId, Box<Expr>, Box<Expr>, Option<Box<Expr>>),

    // ---- asking about sets
    /// Is the scalar in the set?
    In(Box<Expr>, Box<Expr>),
    /// Is the number between these, ends included?
    InRange(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Is the first set a part of the second?
    Within(Box<Expr>, Box<Expr>),
    /// Is the set (sites, mask, bag) not empty?
    Some(Box<Expr>),
    /// How many members; of a bag with their numbers.
    Count(Box<Expr>),
    /// The only member, else [`super::NONE`] (of a bag of numbers: 0).
    The(Box<Expr>),
    /// The sum of the numbers in a bag.
    BagSum(Box<Expr>),
    /// The least number in a bag, 0 if there is none.
    BagMin(Box<Expr>),
    /// The greatest number in a bag, 0 if there is none.
    BagMax(Box<Expr>),
    /// How many of the thing are in the bag.
    BagCount(Box<Expr>, Box<Expr>),
}

impl Expr {
    /// A constant scalar.
    pub fn scalar(code: i32, ty: Ty, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(code), ty, span }
    }

    /// Its code, if it is a constant scalar.
    pub fn as_const(&self) -> Option<i32> {
        match self.kind {
            ExprKind::Const(code) => Some(code),
            _ => None,
        }
    }
}
