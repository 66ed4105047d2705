//! Sets of sites whose size is known only at run time; the fast engine has its own of fixed width.

/// A set of sites, one bit each, lowest site first.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct SiteSet {
    words: Vec<u64>,
}

impl SiteSet {
    /// The empty set, with room for `n` sites. Sets of one game all have the same room.
    pub fn new(n: usize) -> Self {
        SiteSet { words: vec![0; n.div_ceil(64)] }
    }

    /// The set of these sites; [`super::NONE`] and sites beyond `n` are left out.
    pub fn of(n: usize, sites: impl IntoIterator<Item = i32>) -> Self {
        let mut set = SiteSet::new(n);
        for site in sites {
            set.insert(site);
        }
        set
    }

    /// Adds a site; nowhere adds nothing.
    pub fn insert(&mut self, site: i32) {
        if site >= 0
            && let Some(word) = self.words.get_mut(site as usize / 64)
        {
            *word |= 1 << (site % 64);
        }
    }

    /// Takes a site out.
    pub fn remove(&mut self, site: i32) {
        if site >= 0
            && let Some(word) = self.words.get_mut(site as usize / 64)
        {
            *word &= !(1 << (site % 64));
        }
    }

    /// Is it in?
    pub fn has(&self, site: i32) -> bool {
        site >= 0 && self.words.get(site as usize / 64).is_some_and(|word| word >> (site % 64) & 1 == 1)
    }

    /// How many sites it has.
    pub fn count(&self) -> i32 {
        self.words.iter().map(|word| word.count_ones() as i32).sum()
    }

    /// Has it none?
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Its sites in board order.
    pub fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (i * 64 + bit) as i32)
        })
    }

    /// Its lowest site, or [`super::NONE`].
    pub fn first(&self) -> i32 {
        self.iter().next().unwrap_or(super::NONE)
    }

    /// Its only member, or [`super::NONE`].
    pub fn the(&self) -> i32 {
        if self.count() == 1 { self.first() } else { super::NONE }
    }

    /// Sites in both.
    pub fn and(&self, other: &SiteSet) -> SiteSet {
        self.zip(other, |a, b| a & b)
    }

    /// Sites in either.
    pub fn or(&self, other: &SiteSet) -> SiteSet {
        self.zip(other, |a, b| a | b)
    }

    /// Sites of `self` without those of `other`.
    pub fn minus(&self, other: &SiteSet) -> SiteSet {
        self.zip(other, |a, b| a & !b)
    }

    /// Is every site also in `other`?
    pub fn within(&self, other: &SiteSet) -> bool {
        self.minus(other).is_empty()
    }

    /// The bits, 64 sites a word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// A set from bits, 64 sites a word.
    pub fn from_words(words: Vec<u64>) -> Self {
        SiteSet { words }
    }

    fn zip(&self, other: &SiteSet, f: impl Fn(u64, u64) -> u64) -> SiteSet {
        let n = self.words.len().max(other.words.len());
        let word = |set: &SiteSet, i: usize| set.words.get(i).copied().unwrap_or(0);
        SiteSet { words: (0..n).map(|i| f(word(self, i), word(other, i))).collect() }
    }
}
