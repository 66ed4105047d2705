//! What is known of a value without playing: bounds that hold in every position that can come about.

use crate::play::Value;
use crate::rules::{NO_LIMIT, NONE, Rules, SiteSet, Ty};

/// What may stand on some sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct What {
    /// Kinds, a mask.
    pub kinds: u64,
    /// Owners, a mask; the last bit is nobody.
    pub owners: u64,
    /// May there be nothing?
    pub empty: bool,
}

/// The bit of nobody among owners.
pub const NOBODYS: u64 = 1 << 63;

impl What {
    /// Anything.
    pub const ANY: What = What { kinds: u64::MAX, owners: u64::MAX, empty: true };

    fn meet(self, other: What) -> What {
        let (kinds, owners) = (self.kinds & other.kinds, self.owners & other.owners);
        What { kinds, owners, empty: self.empty && other.empty }
    }

    fn join(self, other: What) -> What {
        What { kinds: self.kinds | other.kinds, owners: self.owners | other.owners, empty: self.empty || other.empty }
    }
}

/// What is known of a set of sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Sites {
    /// No others are in it.
    pub most: SiteSet,
    /// What may stand on them.
    pub what: What,
    /// So many at least are in it.
    pub least: i32,
    /// Does it hold all sites on which this stands?
    pub whole: bool,
}

impl Sites {
    /// These sites, perhaps; nothing is known of what stands on them.
    pub fn some_of(most: SiteSet) -> Sites {
        Sites { most, what: What::ANY, least: 0, whole: false }
    }

    /// Exactly these.
    pub fn exactly(most: SiteSet) -> Sites {
        let least = most.count();
        Sites { most, what: What::ANY, least, whole: false }
    }

    /// Is it known which sites these are?
    pub fn is_exact(&self) -> bool {
        self.least == self.most.count()
    }

    /// Is there surely none?
    pub fn is_nothing(&self) -> bool {
        self.most.is_empty() || !self.what.empty && (self.what.kinds == 0 || self.what.owners == 0)
    }
}

/// What is known of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// A number between these.
    Number(i32, i32),
    /// A scalar that is one of these codes below 63, a mask; or none, if so said.
    Code(u64, bool),
    /// A site of these; or nowhere, if so said.
    Site(Sites, bool),
    /// Sites.
    Sites(Sites),
    /// A mask with these members at most, and these at least.
    Mask(u64, u64),
    /// Nothing is known.
    Any,
}

/// All that a number can be.
pub const NUMBERS: (i32, i32) = (i32::MIN, NO_LIMIT);

impl Known {
    /// A yes-or-no.
    pub fn truth(no: bool, yes: bool) -> Known {
        Known::Code(u64::from(no) | u64::from(yes) << 1, false)
    }

    /// Anything of a type.
    pub fn top(rules: &Rules, ty: Ty) -> Known {
        let below = |n: usize| if n >= 63 { u64::MAX >> 1 } else { (1 << n) - 1 };
        match ty {
            Ty::Int => Known::Number(NUMBERS.0, NUMBERS.1),
            Ty::Bool => Known::truth(true, true),
            Ty::Dir => Known::Code(0xff, true),
            Ty::Player => Known::Code(below(rules.n_seats()), true),
            Ty::Kind => Known::Code(below(rules.kinds.len()), true),
            Ty::Word(list) => Known::Code(below(rules.words[list as usize].words.len()), true),
            Ty::Site => Known::Site(Sites::some_of(all_sites(rules)), true),
            Ty::Sites => Known::Sites(Sites::some_of(all_sites(rules))),
            Ty::Dirs => Known::Mask(0xff, 0),
            Ty::Players => Known::Mask(below(rules.n_seats()), 0),
            Ty::Kinds => Known::Mask(below(rules.kinds.len()), 0),
            Ty::Words(list) => Known::Mask(below(rules.words[list as usize].words.len()), 0),
            Ty::Step | Ty::Track | Ty::Text | Ty::Bag(_) | Ty::Table(_) | Ty::Unknown => Known::Any,
        }
    }

    /// A value that is known.
    pub fn of(rules: &Rules, ty: Ty, value: &Value) -> Known {
        match (value, ty) {
            (Value::Scalar(code), _) => Known::scalar(rules, ty, *code),
            (Value::Mask(mask), _) => Known::Mask(*mask, *mask),
            (Value::Sites(sites), Ty::Sites) => Known::Sites(Sites::exactly(sites.clone())),
            _ => Known::Any,
        }
    }

    /// A scalar that is known.
    pub fn scalar(rules: &Rules, ty: Ty, code: i32) -> Known {
        match ty {
            Ty::Int => Known::Number(code, code),
            Ty::Site if code == NONE => Known::Site(Sites::exactly(SiteSet::new(rules.n_sites())), true),
            Ty::Site => Known::Site(Sites::exactly(SiteSet::of(rules.n_sites(), [code])), false),
            Ty::Bool | Ty::Dir | Ty::Player | Ty::Kind | Ty::Word(_) => match code {
                NONE => Known::Code(0, true),
                0..63 => Known::Code(1 << code, false),
                _ => Known::Any,
            },
            _ => Known::Any,
        }
    }

    /// Is it surely empty, nowhere or nobody?
    pub fn is_nothing(&self) -> bool {
        match self {
            Known::Code(codes, _) => *codes == 0,
            Known::Site(sites, _) | Known::Sites(sites) => sites.is_nothing(),
            Known::Mask(most, _) => *most == 0,
            Known::Number(..) | Known::Any => false,
        }
    }

    /// Is it surely not empty, nowhere or nobody?
    pub fn is_something(&self) -> bool {
        match self {
            Known::Code(_, none) | Known::Site(_, none) => !none,
            Known::Sites(sites) => sites.least > 0,
            Known::Mask(_, least) => *least != 0,
            Known::Number(..) => true,
            Known::Any => false,
        }
    }

    /// Can it be off, and can it be on?
    pub fn may_be(&self, on: bool) -> bool {
        match self {
            Known::Code(codes, _) => codes >> u32::from(on) & 1 == 1,
            _ => true,
        }
    }

    /// Surely off?
    pub fn never(&self) -> bool {
        !self.may_be(true)
    }

    /// Surely on?
    pub fn always(&self) -> bool {
        !self.may_be(false)
    }

    /// What is known of a value that is one or the other.
    pub fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Number(a, b), Known::Number(c, d)) => Known::Number(a.min(c), b.max(d)),
            (Known::Code(a, n), Known::Code(b, m)) => Known::Code(a | b, n || m),
            (Known::Mask(a, b), Known::Mask(c, d)) => Known::Mask(a | c, b & d),
            (Known::Site(a, n), Known::Site(b, m)) => Known::Site(either(a, b), n || m),
            (Known::Sites(a), Known::Sites(b)) => Known::Sites(either(a, b)),
            _ => Known::Any,
        }
    }

    /// A site or a set, as a set.
    pub fn as_sites(&self, rules: &Rules) -> Sites {
        match self {
            Known::Sites(sites) => sites.clone(),
            Known::Site(sites, none) => Sites { least: i32::from(!none), whole: false, ..sites.clone() },
            _ => Sites::some_of(all_sites(rules)),
        }
    }

    /// A code or a mask, as a mask: most and least.
    pub fn as_mask(&self) -> (u64, u64) {
        match self {
            Known::Mask(most, least) => (*most, *least),
            Known::Code(codes, none) => (*codes, if codes.count_ones() == 1 && !none { *codes } else { 0 }),
            _ => (u64::MAX >> 1, 0),
        }
    }

    /// The numbers that it may be.
    pub fn range(&self) -> (i32, i32) {
        match self {
            Known::Number(lo, hi) => (*lo, *hi),
            _ => NUMBERS,
        }
    }

    /// The codes that it may be, and whether it may be none.
    pub fn codes(&self) -> (u64, bool) {
        match self {
            Known::Code(codes, none) => (*codes, *none),
            _ => (u64::MAX >> 1, true),
        }
    }

    /// The same, but nothing is known any more of what stands where.
    pub fn stale(&mut self) {
        if let Known::Site(sites, _) | Known::Sites(sites) = self {
            sites.what = What::ANY;
            sites.whole = false;
        }
    }
}

/// One set or the other.
fn either(a: Sites, b: Sites) -> Sites {
    match (a.is_nothing(), b.is_nothing()) {
        (true, true) => a,
        (true, false) => Sites { least: 0, whole: false, ..b },
        (false, true) => Sites { least: 0, whole: false, ..a },
        (false, false) => Sites {
            most: a.most.or(&b.most),
            what: a.what.join(b.what),
            least: a.least.min(b.least),
            whole: a.whole && b.whole && a.what == b.what,
        },
    }
}

/// Sites in both.
pub fn both(a: &Sites, b: &Sites) -> Sites {
    let most = a.most.and(&b.most);
    let least = if b.is_exact() && a.most.within(&b.most) {
        a.least
    } else if a.is_exact() && b.most.within(&a.most) {
        b.least
    } else {
        0
    };
    Sites { most, what: a.what.meet(b.what), least, whole: a.whole && b.whole }
}

/// Sites of one or both.
pub fn union(a: &Sites, b: &Sites) -> Sites {
    if a.is_nothing() {
        return b.clone();
    }
    if b.is_nothing() {
        return a.clone();
    }
    let exact = a.is_exact() && b.is_exact();
    let most = a.most.or(&b.most);
    let least = if exact { most.count() } else { a.least.max(b.least) };
    // Together they hold all on which one or the other stands only if the kinds or the owners are the same.
    let one_way = a.what.kinds == b.what.kinds || a.what.owners == b.what.owners;
    let whole = a.whole && b.whole && one_way && a.what.empty == b.what.empty;
    Sites { most, what: a.what.join(b.what), least, whole }
}

/// Sites of the first, not of the second.
pub fn without(a: &Sites, b: &Sites) -> Sites {
    if b.is_nothing() {
        return a.clone();
    }
    let most = if b.is_exact() { a.most.minus(&b.most) } else { a.most.clone() };
    let least = (a.least - a.most.and(&b.most).count()).max(0);
    let mut what = a.what;
    if b.whole {
        if b.what.empty {
            what.empty = false;
        }
        if b.what.owners == u64::MAX {
            what.kinds &= !b.what.kinds;
        } else if b.what.kinds == u64::MAX {
            what.owners &= !b.what.owners;
        }
    }
    Sites { most, what, least, whole: false }
}

/// All sites of a board.
pub fn all_sites(rules: &Rules) -> SiteSet {
    SiteSet::of(rules.n_sites(), 0..rules.n_sites() as i32)
}
