//! The compiled form: typed expressions, and what nodes of programs do.
//!
//! `lower` and `flow` make it, `eval` and `run` carry it out. Seats are constants everywhere; words of a variable of the position are addressed
//! directly ([`Slot::Word`]), names inside expressions live in registers.

use super::bits::Set;
use super::flat::Step;
use super::layout::Packed;
use super::meets::Meets;
use super::terms::Term;
use crate::rules::BagTy;
use crate::rules::expr::{Cmp, SetOp};
use crate::rules::stmt::TableOp;
use crate::source::Span;
use crate::syntax::ast::ArithOp;
use std::sync::Arc;

pub use super::program::*;

/// Ways to get a value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Pick<T, const W: usize> {
    /// One of two.
    If(Cond<W>, T, T),
    /// By the first arm whose ranges hold the number; else the last.
    Match(Int<W>, Vec<(Vec<(i32, i32)>, T)>, T),
    /// With names bound first, all at once.
    Let(Vec<Bind<W>>, T),
    /// The first that is something.
    Otherwise(Vec<T>),
}

/// A register or a word of the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// A register: forgotten after the expression.
    Reg(u32),
    /// In the block.
    Word(u32),
}

/// A name gets a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Bind<const W: usize> {
    /// Where it is kept.
    pub to: Slot,
    /// The value.
    pub value: Val<W>,
}

/// A value of any type.
#[derive(Clone, Debug, PartialEq)]
pub enum Val<const W: usize> {
    /// A scalar.
    Int(Int<W>),
    /// A mask.
    Mask(Mask<W>),
    /// A set of sites.
    Set(Sites<W>),
    /// A bag.
    Bag(Bag<W>),
    /// A table of numbers at sites.
    Table(Numbers<W>),
}

/// A whole table of scalars at sites.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers<const W: usize> {
    /// A variable.
    Var(u32),
    /// A copy, 32 bits a number.
    Slot(Slot),
    /// See [`Pick`].
    Pick(Box<Pick<Numbers<W>, W>>),
}

/// A scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Int<const W: usize> {
    /// A constant.
    Const(i32),
    /// A register or a word of the block.
    Slot(Slot),
    /// An entry of a variable by player or kind.
    Entry(u32, Box<Int<W>>),
    /// An entry of a table by site; the last says what it is at nowhere.
    At(Numbers<W>, Box<Int<W>>),
    /// A table made at load, by code + 1.
    Lookup(Arc<[i32]>, Box<Int<W>>),
    /// Some steps in a known direction: the number of a walk.
    Step(u32, Box<Int<W>>),
    /// Some steps in a direction: the numbers of the eight walks.
    Go([u32; 8], Box<Int<W>>, Box<Int<W>>),
    /// Any number of steps in any direction.
    Walk(Box<(Int<W>, Int<W>, Int<W>)>),
    /// Arithmetic.
    Arith(ArithOp, Box<(Int<W>, Int<W>)>),
    /// With the other sign.
    Negate(Box<Int<W>>),
    /// Without sign.
    Abs(Box<Int<W>>),
    /// The least.
    Least(Vec<Int<W>>),
    /// The greatest.
    Greatest(Vec<Int<W>>),
    /// 1 or 0.
    Bool(Box<Cond<W>>),
    /// See [`Pick`].
    Pick(Box<Pick<Int<W>, W>>),
    /// The opposite direction.
    Opposite(Box<Int<W>>),
    /// The direction from one site to another in a straight line.
    Toward(Box<(Int<W>, Int<W>)>),
    /// The board turned.
    Turned(Box<(Int<W>, Int<W>)>),
    /// What lies on a side.
    Side(Box<(Int<W>, Int<W>)>),
    /// What kind stands there.
    KindAt(Box<Int<W>>),
    /// How many pieces lie there.
    HeightAt(Box<Int<W>>),
    /// Whose it is.
    OwnerAt(Box<Int<W>>),
    /// Along a walk of the rules.
    StepOn(Box<(Int<W>, Int<W>)>),
    /// Place on it.
    StepPlace(Box<Int<W>>),
    /// Site there.
    StepSite(Box<Int<W>>),
    /// The step of a site (first) on a track (second).
    SiteStep(Box<(Int<W>, Int<W>)>),
    /// First step of a track.
    TrackStart(Box<Int<W>>),
    /// Members of sites.
    Count(Box<Sites<W>>),
    /// The only one.
    The(Box<Sites<W>>),
    /// Members of a mask.
    CountMask(Box<Mask<W>>),
    /// The only one.
    TheMask(Box<Mask<W>>),
    /// Of a bag.
    Bagged(BagAsk, BagTy, Box<Bag<W>>),
    /// How many of a thing are in a bag.
    BagCount(BagTy, Box<(Int<W>, Bag<W>)>),
    /// The sum of a table of numbers over sites.
    Heap(u32, Box<Sites<W>>),
    /// A sum and the like over loops.
    Fold(IntFold, Box<Loops<W>>, Box<Int<W>>),
    /// How often this position has been there.
    Repeats,
    /// How often these pieces have been there.
    BoardRepeats,
    /// Turns since this position was first there.
    LoopLength,
}

/// What loops over numbers give.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntFold {
    /// The sum.
    Sum,
    /// The least, 0 of nothing.
    Min,
    /// The greatest, 0 of nothing.
    Max,
    /// How many.
    Count,
}

/// What can be asked of a bag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BagAsk {
    /// How many things.
    Count,
    /// The only thing.
    The,
    /// Sum of numbers.
    Sum,
    /// Least number.
    Min,
    /// Greatest number.
    Max,
}

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Cond<const W: usize> {
    /// Always or never.
    Const(bool),
    /// The number is not 0.
    True(Int<W>),
    /// Not.
    Not(Box<Cond<W>>),
    /// Both; the second only if needed.
    And(Box<(Cond<W>, Cond<W>)>),
    /// Either.
    Or(Box<(Cond<W>, Cond<W>)>),
    /// Numbers compared.
    Compare(Cmp, Box<(Int<W>, Int<W>)>),
    /// The same sites.
    SameSites(Box<(Sites<W>, Sites<W>)>),
    /// The same mask.
    SameMask(Box<(Mask<W>, Mask<W>)>),
    /// The same bag.
    SameBag(Box<(Bag<W>, Bag<W>)>),
    /// A site in sites.
    In(Box<(Int<W>, Sites<W>)>),
    /// A member of a mask.
    InMask(Box<(Int<W>, Mask<W>)>),
    /// A thing in a bag.
    InBag(BagTy, Box<(Int<W>, Bag<W>)>),
    /// First within second.
    Within(Box<(Sites<W>, Sites<W>)>),
    /// First within second.
    WithinMask(Box<(Mask<W>, Mask<W>)>),
    /// First within second.
    WithinBag(Box<(Bag<W>, Bag<W>)>),
    /// Not empty.
    Some(Box<Sites<W>>),
    /// Not empty.
    SomeMask(Box<Mask<W>>),
    /// Not empty.
    SomeBag(Box<Bag<W>>),
    /// See `Meets` in `meets.rs`.
    Meets(Box<Meets<W>>),
    /// Is there one?
    Any(Box<Loops<W>>),
    /// See [`Pick`].
    Pick(Box<Pick<Cond<W>, W>>),
    /// Would the next player have no turn?
    Stuck,
    /// Pieces as at the start of the turn?
    Unchanged,
}

/// A set of sites.
#[derive(Clone, Debug, PartialEq)]
pub enum Sites<const W: usize> {
    /// A constant.
    Const(Set<W>),
    /// A register or words of the block.
    Slot(Slot),
    /// The set number so many from a word on, of so many; empty beyond.
    Nth(u32, u32, Box<Int<W>>),
    /// Pieces of an owner, nobody's for none.
    OwnedBy(Box<Int<W>>),
    /// Pieces of some kinds.
    Kinds(Box<Mask<W>>),
    /// Sites at which the words hold this one.
    Labelled(u32, u32, Box<Int<W>>),
    /// A table made at load, by code + 1. The walks say how: the site's neighbours by those walks.
    Table(Arc<[Set<W>]>, Vec<u32>, Box<Int<W>>),
    /// A table made at load, by code + 1 of two sites, the first the more significant; and what it is made of.
    Twos(Arc<[Set<W>]>, Box<(Int<W>, Int<W>, Sites<W>)>),
    /// One site.
    Single(Box<Int<W>>),
    /// In both and so on.
    Op(SetOp, Box<(Sites<W>, Sites<W>)>),
    /// All sites but these.
    Not(Box<Sites<W>>),
    /// All sites or none.
    When(Box<Cond<W>>),
    /// Moved by a walk.
    Shift(u32, Box<Sites<W>>),
    /// The sites from which a walk leads into this.
    Back(u32, Box<Sites<W>>),
    /// Moved by any number of steps in any direction.
    ShiftDyn(Box<(Sites<W>, Int<W>, Int<W>)>),
    /// Neighbours in a mask of directions, so many steps away.
    ShiftAll(Box<(Sites<W>, Mask<W>, Int<W>)>),
    /// See [`Pick`].
    Pick(Box<Pick<Sites<W>, W>>),
    /// A rectangle of cells.
    Rectangle(Box<(Int<W>, Int<W>)>),
    /// Sites between two steps of a walk of the rules.
    StepRange(Box<(Int<W>, Int<W>)>),
    /// All sites of a track.
    TrackSites(Box<Int<W>>),
    /// The members for which a condition on the register holds.
    Filter(u32, Box<(Sites<W>, Cond<W>)>),
    /// United over loops.
    Union(Box<Loops<W>>, Box<Sites<W>>),
    /// United over loops, single sites.
    Collect(Box<Loops<W>>, Box<Int<W>>),
    /// Seen from a site along a direction over some sites, up to and including the first other one; at most so many more
    /// steps than one (below 0: no limit).
    Ray(Box<RayOf<W>>),
    /// The same in several directions.
    Slide(Vec<u8>, Box<RayOf<W>>),
    /// The sites from which steps in one of these directions, again and again over some sites (first), come to others (second); at
    /// most so many steps after the first (below 0: no limit).
    Sights(Vec<u8>, i32, Box<(Sites<W>, Sites<W>)>),
    /// The sites from which a table (turned round: by where it leads to) or, if there are any, walks lead into a set.
    Relate(Arc<[Set<W>]>, Vec<u32>, Box<Sites<W>>),
    /// Where straight rows of members begin, or all their sites.
    Rows(Box<Rows<W>>),
    /// From sites on, by these walks, within sites (`x + D & S`), or by way of members of them (`(x & S) + D`).
    Flood(Box<Flood<W>>),
    /// Steps, see `flat.rs`.
    Flat(Box<[Step<W>]>),
    /// Terms, see `terms.rs`.
    Terms(Box<[Term<W>]>),
    /// Any spread: the register, from, into, rounds.
    Spread(u32, Box<(Sites<W>, Sites<W>, Option<Int<W>>)>),
}

/// A ray.
#[derive(Clone, Debug, PartialEq)]
pub struct RayOf<const W: usize> {
    /// From here.
    pub from: Int<W>,
    /// That way.
    pub dir: Int<W>,
    /// Over these.
    pub over: Sites<W>,
    /// So many steps after the first; below 0: no limit.
    pub limit: Int<W>,
}

/// Straight rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<const W: usize> {
    /// For each direction the walks by which rows are put together, each at most as long as what is there, and the walk of one step.
    pub dirs: Vec<(Vec<u32>, u32)>,
    /// For each direction the same walks on a board on which they are distances: the sites they lead to, and how far.
    pub near: Vec<Vec<(Set<W>, i32)>>,
    /// How long they are.
    pub n: u32,
    /// All their sites rather than where they begin?
    pub whole: bool,
    /// Of these.
    pub of: Sites<W>,
    /// Where a set is kept that is known to have none.
    pub none: Option<Slot>,
    /// The rows through each site, so many a site, the last of them empty where there are fewer; nothing if there are many.
    pub through: (usize, Arc<[Set<W>]>),
}

/// A fill.
#[derive(Clone, Debug, PartialEq)]
pub struct Flood<const W: usize> {
    /// Where it begins.
    pub from: Sites<W>,
    /// Where it goes.
    pub walks: Vec<u32>,
    /// For each walk the sites from which it may be gone; nothing if all may be gone from everywhere.
    pub gates: Vec<Sites<W>>,
    /// Only to these.
    pub within: Option<Sites<W>>,
    /// Only on from these.
    pub via: Option<Sites<W>>,
    /// So many rounds.
    pub limit: Option<Int<W>>,
}

/// A mask.
#[derive(Clone, Debug, PartialEq)]
pub enum Mask<const W: usize> {
    /// A constant.
    Const(u64),
    /// A register or a word of the block.
    Slot(Slot),
    /// An entry of a variable by player or kind.
    Entry(u32, Box<Int<W>>),
    /// One member.
    Single(Box<Int<W>>),
    /// In both and so on.
    Op(SetOp, Box<(Mask<W>, Mask<W>)>),
    /// A table made at load, by code + 1.
    Lookup(Arc<[u64]>, Box<Int<W>>),
    /// The members for which a condition on the register holds.
    Filter(u32, Box<(Mask<W>, Cond<W>)>),
    /// United over loops.
    Union(Box<Loops<W>>, Box<Mask<W>>),
    /// United over loops, single members.
    Collect(Box<Loops<W>>, Box<Int<W>>),
    /// See [`Pick`].
    Pick(Box<Pick<Mask<W>, W>>),
}

/// A bag: 8 bits for each thing it can hold, the lowest first.
#[derive(Clone, Debug, PartialEq)]
pub enum Bag<const W: usize> {
    /// A constant.
    Const(u128),
    /// Two registers or words of the block.
    Slot(Slot),
    /// An entry of a variable by player or kind.
    Entry(u32, Box<Int<W>>),
    /// One thing.
    Single(BagTy, Box<Int<W>>),
    /// In both and so on.
    Op(SetOp, Box<(Bag<W>, Bag<W>)>),
    /// As another type: from, to.
    Rebag(BagTy, BagTy, Box<Bag<W>>),
    /// The numbers from one to another.
    Range(BagTy, Box<(Int<W>, Int<W>)>),
    /// The things for which a condition on the register holds.
    Filter(BagTy, u32, Box<(Bag<W>, Cond<W>)>),
    /// See [`Pick`].
    Pick(Box<Pick<Bag<W>, W>>),
}

/// What a name runs through.
#[derive(Clone, Debug, PartialEq)]
pub enum Dom<const W: usize> {
    /// Sites in board order.
    Sites(Sites<W>),
    /// Sites along a direction.
    Going(Sites<W>, Int<W>),
    /// Members, lowest first.
    Mask(Mask<W>),
    /// Seats in turn order from this one.
    Seats(Mask<W>, i32),
    /// Different things in a bag.
    Bag(BagTy, Bag<W>),
    /// Numbers.
    Range(Int<W>, Int<W>, Span),
    /// These.
    Listed(Arc<[i32]>),
    /// Steps of a track.
    Track(Int<W>),
    /// Steps of a walk whose sites are in a set.
    Steps(Arc<Walk<W>>, Sites<W>),
    /// Sets of sites; the member's code is its number.
    Lines(Arc<Lines<W>>),
}

/// Sets of sites by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines<const W: usize> {
    /// The sets.
    pub all: Vec<Set<W>>,
    /// The same, those with the lowest site before others; and where those begin that have a site as their lowest.
    sorted: Vec<Set<W>>,
    starts: Vec<u32>,
}

impl<const W: usize> Lines<W> {
    /// In this order.
    pub fn new(all: Vec<Set<W>>) -> Lines<W> {
        let mut sorted = all.clone();
        sorted.sort_by_key(|line| line.first());
        let before = |site: i32| sorted.partition_point(|line| line.first() < site) as u32;
        let starts = (0..=64 * W as i32).map(before).collect();
        Lines { all, sorted, starts }
    }

    /// Is one of them empty?
    pub fn has_empty(&self) -> bool {
        self.starts[0] > 0
    }

    /// Those of which a site is the lowest.
    pub fn from(&self, site: i32) -> &[Set<W>] {
        let at = |site: usize| self.starts[site] as usize;
        &self.sorted[at(site as usize)..at(site as usize + 1)]
    }
}

/// A track whose steps can be counted by whole sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk<const W: usize> {
    /// The number of the track.
    pub track: i32,
    /// Its sites in order.
    pub sites: Vec<i32>,
    /// The sites that it passes at least once, at least twice, and so on.
    pub passed: Vec<Set<W>>,
    /// For each site the places at which it is passed, as a mask; nothing if the walk has more than 64 places.
    pub at: Vec<u64>,
}

/// A name and what it runs through.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop<const W: usize> {
    /// Where the name is kept.
    pub to: Slot,
    /// What it runs through.
    pub dom: Dom<W>,
}

/// Loops inside an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Loops<const W: usize> {
    /// Outermost first.
    pub loops: Vec<Loop<W>>,
    /// Only where this holds.
    pub filter: Option<Cond<W>>,
}

/// What a node of a program does.
#[derive(Clone, Debug)]
pub enum Op<const W: usize> {
    /// Nothing.
    Skip,
    /// A name gets a value. The flag: it is never assigned again, so nobody has to restore it.
    Bind(Bind<W>, bool),
    /// A variable's entry gets a value: variable, index.
    SetVar(u32, Option<Int<W>>, Val<W>),
    /// A table's entries are changed.
    Table(u32, TableOp, Sites<W>, Int<W>),
    /// Whose turn comes.
    Next(Int<W>),
    /// Binds a member and goes on, once for each.
    Choose(Box<Choose<W>>),
    /// Chance.
    Roll(Box<Roll<W>>),
    /// Ends the run unless it holds.
    Require(Cond<W>),
    /// Ends the run unless its value is the best: number, greatest, value.
    Best(u32, bool, Int<W>),
    /// Goes on at each of these in turn; a flag: only if no complete run went through the earlier ones.
    Either(Vec<(bool, u32)>),
    /// Goes on at the first, else at the second; both are choices (0, 1).
    More(u32, u32),
    /// Goes on at the first if a complete run leads through it, else at the second.
    Possible(u32, u32),
    /// If.
    Branch(Cond<W>, u32, u32),
    /// By ranges, else the last.
    Switch(Int<W>, Vec<(Vec<(i32, i32)>, u32)>, u32),
    /// Takes 1 off a counter and goes on, or leaves at 0 or below.
    CountDown(u32, u32),
    /// If the counter is above 0 goes on, else to the other.
    IfLeft(u32, u32),
    /// All rounds at once of a loop that drops one after the other along a walk, see [`Sow`]; goes on after it, or else at its beginning.
    Sow(Box<Sow<W>>),
    /// Begins a loop.
    ForInit(Box<ForLoop<W>>),
    /// Binds the next member, or leaves.
    ForNext(Box<ForLoop<W>>, u32),
    /// Moves a piece.
    Move(Int<W>, Int<W>),
    /// Moves pieces from pile to pile: from, to, how many.
    Carry(Int<W>, Int<W>, Int<W>),
    /// Removes pieces.
    Take(Sites<W>),
    /// Puts pieces: kind, owner, sites.
    Place(Int<W>, Int<W>, Sites<W>),
    /// Changes pieces: sites, kind, owner.
    Change(Sites<W>, Int<W>, Option<Int<W>>),
    /// Lays a diagram: text, seat, where.
    Lay(Int<W>, i32, Option<(Int<W>, Int<W>, Int<W>)>),
    /// A cut.
    Commit(Span),
    /// A text.
    Note,
    /// A round of the loop at this place.
    Round(Span),
    /// The end of the program.
    End,
}

/// One name is chosen.
#[derive(Clone, Debug)]
pub struct Choose<const W: usize> {
    /// The name and what it runs through.
    pub name: Loop<W>,
    /// Who chooses, if not the mover.
    pub by: Option<Int<W>>,
    /// A set (of sites) outside of which no complete run begins.
    pub only: Option<Sites<W>>,
    /// Sets that are worked out before, and the registers in which they are kept.
    pub sets: Vec<(u32, Sites<W>)>,
    /// Where it is kept how many choices were made before, if ways on are known by these sets.
    pub depth: Option<u32>,
    /// The statement.
    pub span: Span,
    /// The number of its node.
    pub node: u32,
}

/// A roll.
#[derive(Clone, Debug)]
pub struct Roll<const W: usize> {
    /// What is thrown.
    pub loops: Loops<W>,
    /// For a bag: how many throws, the variable and its index.
    pub bag: Option<(Int<W>, u32, Option<Int<W>>)>,
    /// Where it stands.
    pub span: Span,
}

/// A loop of a program; its state is in the block.
#[derive(Clone, Debug)]
pub struct ForLoop<const W: usize> {
    /// The name and what it runs through.
    pub name: Loop<W>,
    /// Where its state is kept.
    pub state: u32,
}

/// A loop that adds 1 to the table's entry at the next step, so many times.
#[derive(Clone, Debug)]
pub struct Sow<const W: usize> {
    /// The word that holds how many are left.
    pub counter: u32,
    /// The word that holds the last step.
    pub here: u32,
    /// The table.
    pub var: u32,
    /// Steps to these sites are passed over.
    pub skip: Option<Sites<W>>,
    /// Where to go on after the loop.
    pub out: u32,
}

/// The whole of a packed table inside the block.
pub fn packed_slot(at: u32) -> Packed {
    Packed { base: at, log: 5 }
}
