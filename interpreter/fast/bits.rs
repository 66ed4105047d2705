//! Sets of sites of a width that is fixed when the game is loaded.

/// A set of at most `64 * W` sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set<const W: usize>(pub [u64; W]);

impl<const W: usize> Set<W> {
    /// No site.
    pub const EMPTY: Self = Set([0; W]);

    /// The first `n` sites.
    pub fn first_n(n: usize) -> Self {
        let mut set = Self::EMPTY;
        for site in 0..n {
            set.insert(site as i32);
        }
        set
    }

    /// The bits of a set of unknown width.
    pub fn from_words(words: &[u64]) -> Self {
        let mut set = Self::EMPTY;
        for (to, from) in set.0.iter_mut().zip(words) {
            *to = *from;
        }
        set
    }

    /// One site; none if it is nowhere.
    #[inline(always)]
    pub fn single(site: i32) -> Self {
        // Word by word, so that nobody waits for a part of it that has just been written.
        let mut set = Self::EMPTY;
        let at = (site >> 6) as usize;
        for i in 0..W {
            set.0[i] = u64::from(i == at) << (site & 63);
        }
        set
    }

    /// Is it in? Nowhere never is.
    #[inline(always)]
    pub fn has(&self, site: i32) -> bool {
        match self.0.get((site >> 6) as usize) {
            Some(word) => word >> (site & 63) & 1 == 1,
            None => false,
        }
    }

    /// Adds a site; nowhere adds nothing.
    #[inline(always)]
    pub fn insert(&mut self, site: i32) {
        if let Some(word) = self.0.get_mut((site >> 6) as usize) {
            *word |= 1 << (site & 63);
        }
    }

    /// Takes a site out.
    #[inline(always)]
    pub fn remove(&mut self, site: i32) {
        if let Some(word) = self.0.get_mut((site >> 6) as usize) {
            *word &= !(1 << (site & 63));
        }
    }

    /// In both.
    #[inline(always)]
    pub fn and(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..W {
            out.0[i] &= other.0[i];
        }
        out
    }

    /// In either.
    #[inline(always)]
    pub fn or(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..W {
            out.0[i] |= other.0[i];
        }
        out
    }

    /// In the first, not in the second.
    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..W {
            out.0[i] &= !other.0[i];
        }
        out
    }

    /// In exactly one.
    #[inline(always)]
    pub fn xor(self, other: Self) -> Self {
        let mut out = self;
        for i in 0..W {
            out.0[i] ^= other.0[i];
        }
        out
    }

    /// Has it none?
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        let mut all = 0;
        for i in 0..W {
            all |= self.0[i];
        }
        all == 0
    }

    /// How many.
    #[inline(always)]
    pub fn count(&self) -> i32 {
        let mut n = 0;
        for i in 0..W {
            n += self.0[i].count_ones();
        }
        n as i32
    }

    /// The lowest site, or nowhere.
    #[inline(always)]
    pub fn first(&self) -> i32 {
        for i in 0..W {
            if self.0[i] != 0 {
                return (i * 64) as i32 + self.0[i].trailing_zeros() as i32;
            }
        }
        -1
    }

    /// The highest site, or nowhere.
    #[inline(always)]
    pub fn last(&self) -> i32 {
        for i in (0..W).rev() {
            if self.0[i] != 0 {
                return (i * 64) as i32 + 63 - self.0[i].leading_zeros() as i32;
            }
        }
        -1
    }

    /// The only site, or nowhere.
    #[inline(always)]
    pub fn the(&self) -> i32 {
        if self.count() == 1 { self.first() } else { -1 }
    }

    /// The site with `n` others below it, or nowhere.
    #[inline(always)]
    pub fn nth(&self, n: u32) -> i32 {
        let mut left = n;
        for i in 0..W {
            let here = self.0[i].count_ones();
            if left < here {
                return (i * 64) as i32 + select(self.0[i], left) as i32;
            }
            left -= here;
        }
        -1
    }

    /// Takes the lowest site out and gives it, or nowhere.
    #[inline(always)]
    pub fn pop(&mut self) -> i32 {
        for i in 0..W {
            if self.0[i] != 0 {
                let bit = self.0[i].trailing_zeros() as i32;
                self.0[i] &= self.0[i] - 1;
                return (i * 64) as i32 + bit;
            }
        }
        -1
    }

    /// Every site `by` places up (down if below 0); what leaves the set is lost.
    #[inline(always)]
    pub fn shifted(self, by: i32) -> Self {
        if W == 1 {
            let mut out = self;
            out.0[0] = if by >= 0 {
                self.0[0].checked_shl(by as u32).unwrap_or(0)
            } else {
                self.0[0].checked_shr(by.unsigned_abs()).unwrap_or(0)
            };
            return out;
        }
        let mut out = Self::EMPTY;
        let n = by.unsigned_abs();
        if W == 2 {
            let both = u128::from(self.0[0]) | u128::from(self.0[1]) << 64;
            let moved = if by >= 0 { both.checked_shl(n) } else { both.checked_shr(n) }.unwrap_or(0);
            out.0[0] = moved as u64;
            out.0[1] = (moved >> 64) as u64;
            return out;
        }
        if n < 64 {
            // As most walks are: a fixed pattern of words. Two shifts, because one by 64 is none.
            for i in 0..W {
                out.0[i] = if by >= 0 {
                    self.0[i] << n | if i > 0 { self.0[i - 1] >> 1 >> (63 - n) } else { 0 }
                } else {
                    self.0[i] >> n | if i + 1 < W { self.0[i + 1] << 1 << (63 - n) } else { 0 }
                };
            }
            return out;
        }
        let (words, bits) = ((n / 64) as usize, n % 64);
        if by >= 0 {
            for i in words..W {
                out.0[i] = self.0[i - words] << bits;
                if bits > 0 && i > words {
                    out.0[i] |= self.0[i - words - 1] >> (64 - bits);
                }
            }
        } else {
            for i in 0..W.saturating_sub(words) {
                out.0[i] = self.0[i + words] >> bits;
                if bits > 0 && i + words + 1 < W {
                    out.0[i] |= self.0[i + words + 1] << (64 - bits);
                }
            }
        }
        out
    }

    /// Every site `by` places up (down if below 0); nothing may leave the board.
    #[inline(always)]
    pub fn turned(self, by: i32) -> Self {
        if W == 1 {
            let mut out = self;
            out.0[0] = self.0[0].rotate_left(by as u32);
            return out;
        }
        if W == 2 {
            let both = u128::from(self.0[0]) | u128::from(self.0[1]) << 64;
            let moved = both.rotate_left(by as u32);
            let mut out = Self::EMPTY;
            out.0[0] = moved as u64;
            out.0[1] = (moved >> 64) as u64;
            return out;
        }
        self.shifted(by)
    }

    /// Every site `n` places up; `n` is below 64 on boards of one word, and what leaves the set is lost.
    #[inline(always)]
    pub fn up(self, n: u32) -> Self {
        if W == 1 {
            let mut out = self;
            out.0[0] = self.0[0].wrapping_shl(n);
            return out;
        }
        self.shifted(n as i32)
    }

    /// The same, down.
    #[inline(always)]
    pub fn down(self, n: u32) -> Self {
        if W == 1 {
            let mut out = self;
            out.0[0] = self.0[0].wrapping_shr(n);
            return out;
        }
        self.shifted(-(n as i32))
    }

    /// How many sites are below one.
    pub fn below(&self, site: i32) -> u32 {
        let (word, bit) = ((site >> 6) as usize, site & 63);
        let whole: u32 = self.0[..word].iter().map(|word| word.count_ones()).sum();
        whole + (self.0[word] & !(u64::MAX << bit)).count_ones()
    }

    /// Is every site also in `other`?
    #[inline(always)]
    pub fn within(&self, other: &Self) -> bool {
        self.minus(*other).is_empty()
    }

    /// Its sites in board order.
    pub fn iter(mut self) -> impl Iterator<Item = i32> {
        std::iter::from_fn(move || {
            let site = self.pop();
            (site >= 0).then_some(site)
        })
    }
}

/// The position of the bit of `word` with `n` others below it; 64 if there is none. Without branches, since `n` is drawn: the sums of the
/// bytes' numbers of bits say in which byte it is, a table says where (S. Vigna, "Broadword implementation of rank/select queries", 2008).
#[inline(always)]
pub fn select(word: u64, n: u32) -> u32 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = EACH << 7;
    let pairs = word - ((word >> 1) & (EACH * 0x55));
    let nibbles = (pairs & (EACH * 0x33)) + ((pairs >> 2) & (EACH * 0x33));
    let sums = ((nibbles + (nibbles >> 4)) & (EACH * 0x0f)).wrapping_mul(EACH);
    // In each byte: are there at most `n` bits up to its end?
    let passed = ((u64::from(n & 63).wrapping_mul(EACH) | TOPS).wrapping_sub(sums)) & TOPS;
    let place = ((passed >> 7).wrapping_mul(EACH) >> 56) as u32 * 8;
    if place >= 64 || n >= 64 {
        return 64;
    }
    let before = ((sums << 8) >> place) as u32 & 0xff;
    let byte = (word >> place) as usize & 0xff;
    place + u32::from(IN_BYTE[(((n - before) as usize & 7) << 8) | byte])
}

/// The table of [`select`]: 256 entries for each number.
#[cfg(feature = "native")]
pub fn select_table() -> &'static [u8; 2048] {
    &IN_BYTE
}

/// The position of the bit of a byte with so many others below it: by that number, and by the byte.
static IN_BYTE: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut i = 0;
    while i < 2048 {
        let (mut left, mut n) = (i & 0xff, i >> 8);
        while n > 0 && left != 0 {
            left &= left - 1;
            n -= 1;
        }
        table[i] = if left == 0 { 0 } else { left.trailing_zeros() as u8 };
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_are_exact_across_words() {
        for by in -200..200 {
            for site in 0..192 {
                let to = site + by;
                let want = if (0..192).contains(&to) { to } else { -1 };
                assert_eq!(Set::<3>::single(site).shifted(by), Set::single(want));
            }
        }
    }

    #[test]
    fn bits_by_number() {
        let mut word = 0x9e37_79b9_7f4a_7c15u64;
        for i in 0..2_000u32 {
            word = word.rotate_left(13).wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(u64::from(i));
            let thin = word & word.rotate_left(i % 64) & word.rotate_right(i % 17);
            for word in [word, thin, !thin, 0, u64::MAX] {
                let bits: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 == 1).collect();
                for n in 0..66 {
                    assert_eq!(select(word, n), bits.get(n as usize).copied().unwrap_or(64), "{word:x} {n}");
                }
            }
        }
    }

    #[test]
    fn members_by_number() {
        let set = Set::<2>([0b1010, 1 << 63 | 1]);
        assert_eq!((0..5).map(|n| set.nth(n)).collect::<Vec<_>>(), [1, 3, 64, 127, -1]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [1, 3, 64, 127]);
        assert_eq!((set.first(), set.last(), set.count()), (1, 127, 4));
    }
}
