//! Where everything lies in the flat block of words that is a position.
//!
//! The block holds, in this order: sets of sites by owner and by kind, the empty sites, what stands on each site, what the game
//! remembers, counters of the course of the game, keys, the place in the program; then the program's locals. Copying it copies
//! a position in the middle of a turn.

use crate::play::Value;
use crate::rules::board::MOST_PILED;
use crate::rules::{PerWhat, Rules, Ty};

/// Small numbers, several in a word.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Packed {
    /// First word.
    pub base: u32,
    /// Each has `1 << log` bits: 1, 2, 3, 4 (all unsigned) or 5 (signed).
    pub log: u32,
}

impl Packed {
    /// How many words `n` numbers take.
    pub fn words(self, n: usize) -> usize {
        n.div_ceil(64 >> self.log)
    }

    /// The number at `i`.
    #[inline(always)]
    pub fn get(self, block: &[u64], i: i32) -> i32 {
        let word = block[self.base as usize + (i as usize >> (6 - self.log))];
        let at = (i as u32) << self.log & 63;
        (word >> at & self.ones()) as u32 as i32
    }

    /// Stores a number that fits.
    #[inline(always)]
    pub fn set(self, block: &mut [u64], i: i32, value: i32) {
        let word = &mut block[self.base as usize + (i as usize >> (6 - self.log))];
        let at = (i as u32) << self.log & 63;
        *word = *word & !(self.ones() << at) | (value as u32 as u64 & self.ones()) << at;
    }

    /// The bits of the first number.
    #[inline(always)]
    fn ones(self) -> u64 {
        (1 << (1 << self.log)) - 1
    }
}

/// How the entries of a variable are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Store {
    /// A scalar a word, cut to this range.
    Scalar(i32, i32),
    /// A mask a word.
    Mask,
    /// A set of sites.
    Sites,
    /// A bag, two words.
    Bag,
    /// A bool a site: one set of sites.
    Flags,
    /// A word a site: the words, and a set of sites for each from `sets` on.
    Words {
        /// The words themselves.
        at: Packed,
        /// The set of the first word.
        sets: u32,
        /// How many words there are.
        n: u32,
    },
    /// A number a site: the numbers, and the set of sites where it is above 0.
    Numbers {
        /// The numbers.
        at: Packed,
        /// The set.
        above: u32,
        /// What is stored is cut to this range.
        lo: i32,
        /// See `lo`.
        hi: i32,
    },
}

/// Where a variable lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarPlace {
    /// Its first word.
    pub base: u32,
    /// Words an entry (of one value, a player or a kind).
    pub stride: u32,
    /// Number of entries.
    pub n: u32,
    /// How it is stored.
    pub store: Store,
    /// Does it count for repetitions, and does the game ask for any?
    pub kept: bool,
    /// Its number, for keys.
    pub id: u32,
    /// What an entry is at nowhere and the like.
    pub zero: i32,
}

/// The map of the block.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Sites.
    pub n_sites: usize,
    /// Seats.
    pub n_seats: usize,
    /// Kinds.
    pub n_kinds: usize,
    /// Sets by owner; the last is nobody's.
    pub seat0: u32,
    /// Sets by kind.
    pub kind0: u32,
    /// The empty sites.
    pub empty: u32,
    /// What stands on each site: 0, or `1 + kind * (seats + 1) + owner`.
    pub what: Packed,
    /// On stacked boards: what lies in each pile, [`MOST_PILED`] a site, lowest first, the uppermost included; and their heights.
    pub piles: Option<(Packed, Packed)>,
    /// Variables.
    pub vars: Vec<VarPlace>,
    /// Words of variables that are in no key and are no tables, which are long: first word and number of words.
    pub loose: Vec<(u32, u32)>,
    /// Whose turn it is.
    pub mover: u32,
    /// Whose turn comes.
    pub next: u32,
    /// Turns completed.
    pub turns: u32,
    /// Seats that have resigned.
    pub resigned: u32,
    /// Games of the match that are over.
    pub games: u32,
    /// Key of the pieces.
    pub board_key: u32,
    /// Key of the kept variables.
    pub rest_key: u32,
    /// Key of the pieces when the turn began.
    pub turn_key: u32,
    /// Place in the program, a node's number.
    pub place: u32,
    /// Words of the position; locals begin here.
    pub position: usize,
    /// Words altogether.
    pub total: usize,
    /// Words a set of sites.
    pub width: usize,
    /// The locals: first word and number of words.
    pub locals: Vec<(u32, u32)>,
}

impl Layout {
    /// The layout of positions of a game, without locals.
    pub fn new(rules: &Rules, width: usize) -> Layout {
        let (n_sites, n_seats, n_kinds) = (rules.n_sites(), rules.n_seats(), rules.kinds.len());
        let mut at = 0usize;
        let mut take = |words: usize| {
            let here = at as u32;
            at += words;
            here
        };
        let seat0 = take((n_seats + 1) * width);
        let kind0 = take(n_kinds * width);
        let empty = take(width);
        let log = if n_kinds * (n_seats + 1) < 256 { 3 } else { 4 };
        let what = Packed { base: 0, log };
        let what = Packed { base: take(what.words(n_sites)), log };
        let piles = rules.board.stacked.then(|| {
            // Piles take most of a position, so pieces in them take as few bits as they can.
            let log = (1..4).find(|log| n_kinds * (n_seats + 1) < 1 << (1 << log)).unwrap_or(4);
            let piles = Packed { base: 0, log };
            let heights = Packed { base: 0, log: 3 };
            (
                Packed { base: take(piles.words(n_sites * MOST_PILED)), log },
                Packed { base: take(heights.words(n_sites)), log: 3 },
            )
        });
        let mut vars = Vec::new();
        for (id, var) in rules.vars.iter().enumerate() {
            let zero = match Value::zero(var.ty, 0) {
                Value::Scalar(code) => code,
                _ => 0,
            };
            let n = rules.n_entries(var);
            let mut place = VarPlace {
                base: 0,
                stride: 1,
                n: n as u32,
                store: Store::Scalar(var.range.0, var.range.1),
                kept: !var.counter && rules.uses.repeats,
                id: id as u32,
                zero,
            };
            if var.per == PerWhat::Site {
                place.store = match var.ty {
                    Ty::Bool => {
                        place.base = take(width);
                        Store::Flags
                    }
                    Ty::Word(list) => {
                        let words = rules.words[list as usize].words.len();
                        let log = if words <= 256 { 3 } else { 4 };
                        let at = Packed { base: 0, log };
                        let at = Packed { base: take(at.words(n)), log };
                        place.base = at.base;
                        Store::Words { at, sets: take(words * width), n: words as u32 }
                    }
                    _ => {
                        let (lo, hi) = if var.ty == Ty::Int { var.range } else { (i32::MIN, i32::MAX) };
                        let log = match (lo, hi) {
                            (0.., ..=255) => 3,
                            (0.., ..=65_535) => 4,
                            _ => 5,
                        };
                        let at = Packed { base: 0, log };
                        let at = Packed { base: take(at.words(n)), log };
                        place.base = at.base;
                        Store::Numbers { at, above: take(width), lo, hi }
                    }
                };
            } else {
                let (stride, store) = match var.ty {
                    Ty::Sites => (width, Store::Sites),
                    Ty::Bag(_) => (2, Store::Bag),
                    ty if ty.is_mask() => (1, Store::Mask),
                    Ty::Int => (1, Store::Scalar(var.range.0, var.range.1)),
                    _ => (1, Store::Scalar(i32::MIN, i32::MAX)),
                };
                place.stride = stride as u32;
                place.store = store;
                place.base = take(stride * n);
            }
            vars.push(place);
        }
        let mover = take(1);
        let next = take(1);
        let turns = take(1);
        let resigned = take(1);
        let games = take(1);
        let board_key = take(1);
        let rest_key = take(1);
        let turn_key = take(1);
        let place = take(1);
        Layout {
            n_sites,
            n_seats,
            n_kinds,
            seat0,
            kind0,
            empty,
            what,
            piles,
            loose: loose(&vars),
            vars,
            mover,
            next,
            turns,
            resigned,
            games,
            board_key,
            rest_key,
            turn_key,
            place,
            position: at,
            total: at,
            width,
            locals: Vec::new(),
        }
    }

    /// Room for a local of the program.
    pub fn local(&mut self, words: usize) -> u32 {
        let at = self.total as u32;
        self.total += words;
        self.locals.push((at, words as u32));
        at
    }

    /// The index of an owner's set.
    #[inline(always)]
    pub fn owner_index(&self, owner: i32) -> usize {
        if (0..self.n_seats as i32).contains(&owner) { owner as usize } else { self.n_seats }
    }
}

fn loose(vars: &[VarPlace]) -> Vec<(u32, u32)> {
    let is_table = |store| matches!(store, Store::Flags | Store::Words { .. } | Store::Numbers { .. });
    let loose = vars.iter().filter(|place| !place.kept && !is_table(place.store));
    loose.map(|place| (place.base, place.stride * place.n)).collect()
}
