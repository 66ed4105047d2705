//! Where an enumeration stands.

use super::bits::{Set, select};
use super::code::{Dom, Program, Walk};
use crate::rules::{NONE, Track, step_code, step_parts};

/// What is left of a domain: a set, and two numbers whose meaning depends on the domain.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<const W: usize> {
    /// Sites left.
    pub set: Set<W>,
    /// A mask of members left, or the next number.
    pub a: i64,
    /// The end, or a direction.
    pub b: i64,
}

impl<const W: usize> Default for Cursor<W> {
    fn default() -> Self {
        Cursor { set: Set::EMPTY, a: 0, b: 0 }
    }
}

impl<const W: usize> Cursor<W> {
    /// The code of the next member, in the order of the domain.
    #[inline]
    pub fn advance(&mut self, dom: &Dom<W>, p: &Program<W>) -> Option<i32> {
        match dom {
            Dom::Sites(_) => {
                let site = self.set.pop();
                (site >= 0).then_some(site)
            }
            Dom::Going(..) => {
                if !(0..8).contains(&self.b) {
                    let site = self.set.pop();
                    return (site >= 0).then_some(site);
                }
                let order = &p.ground.order[self.b as usize];
                while let Some(&site) = order.get(self.a as usize) {
                    self.a += 1;
                    if self.set.has(site) {
                        self.set.remove(site);
                        return Some(site);
                    }
                }
                None
            }
            Dom::Mask(_) => self.pop_bit(),
            Dom::Bag(ty, _) => self.pop_bit().map(|lane| lane + ty.lo),
            Dom::Seats(_, from) => {
                let n = p.layout.n_seats as i32;
                let start = (*from).max(0);
                let seat = (0..n).map(|i| (start + i) % n).find(|&seat| self.a >> seat & 1 == 1)?;
                self.a &= !(1 << seat);
                Some(seat)
            }
            Dom::Range(..) => {
                let code = self.a;
                self.a += 1;
                (code <= self.b).then_some(code as i32)
            }
            Dom::Listed(list) => {
                let i = self.a;
                self.a += 1;
                list.get(i as usize).copied()
            }
            Dom::Track(_) | Dom::Lines(_) => {
                let code = self.a;
                self.a += 1;
                (code < self.b).then_some(code as i32)
            }
            Dom::Steps(walk, _) if walk.is_short() => {
                let place = self.pop_bit()?;
                Some(step_code(walk.track as usize, place as usize))
            }
            Dom::Steps(walk, _) => {
                let place = walk.after(&self.set, self.a as usize, 0)?;
                self.a = place as i64 + 1;
                Some(step_code(walk.track as usize, place))
            }
        }
    }

    fn pop_bit(&mut self) -> Option<i32> {
        if self.a == 0 {
            return None;
        }
        let code = self.a.trailing_zeros();
        self.a &= self.a.wrapping_sub(1);
        Some(code as i32)
    }

    /// The same for all cursors that have the same members before them.
    pub fn settled(mut self, dom: &Dom<W>) -> Cursor<W> {
        match dom {
            Dom::Going(..) => self.a = 0,
            Dom::Listed(_) => {}
            _ if self.count(dom) > 0 => {}
            Dom::Range(..) => (self.a, self.b) = (1, 0),
            _ => self = Cursor::default(),
        }
        self
    }

    /// Is a member left?
    #[inline]
    pub fn has_more(&self, dom: &Dom<W>) -> bool {
        match dom {
            Dom::Sites(_) | Dom::Going(..) => !self.set.is_empty(),
            Dom::Mask(_) | Dom::Bag(..) | Dom::Seats(..) => self.a != 0,
            Dom::Steps(walk, _) if walk.is_short() => self.a != 0,
            Dom::Steps(walk, _) => walk.sites.iter().skip(self.a as usize).any(|&site| self.set.has(site)),
            dom => self.count(dom) > 0,
        }
    }

    /// How many members are left.
    #[inline]
    pub fn count(&self, dom: &Dom<W>) -> u64 {
        match dom {
            Dom::Sites(_) | Dom::Going(..) => self.set.count() as u64,
            Dom::Mask(_) | Dom::Bag(..) | Dom::Seats(..) => u64::from(self.a.count_ones()),
            Dom::Range(..) => (self.b - self.a + 1).max(0) as u64,
            Dom::Listed(_) | Dom::Track(_) | Dom::Lines(_) => (self.b - self.a).max(0) as u64,
            Dom::Steps(walk, _) if walk.is_short() => u64::from(self.a.count_ones()),
            Dom::Steps(walk, _) if self.a == 0 => walk.passed.iter().map(|set| self.set.and(*set).count() as u64).sum(),
            Dom::Steps(walk, _) => {
                walk.sites[self.a as usize..].iter().filter(|&&site| self.set.has(site)).count() as u64
            }
        }
    }

    /// A member by number, in some fixed order; the number is below the count.
    #[inline]
    pub fn nth(&self, dom: &Dom<W>, n: u64) -> i32 {
        match dom {
            Dom::Sites(_) | Dom::Going(..) => self.set.nth(n as u32),
            Dom::Mask(_) | Dom::Seats(..) => select(self.a as u64, n as u32) as i32,
            Dom::Bag(ty, _) => select(self.a as u64, n as u32) as i32 + ty.lo,
            Dom::Range(..) | Dom::Track(_) | Dom::Lines(_) => (self.a + n as i64) as i32,
            Dom::Listed(list) => list[self.a as usize + n as usize],
            Dom::Steps(walk, _) if walk.is_short() => {
                step_code(walk.track as usize, select(self.a as u64, n as u32) as usize)
            }
            Dom::Steps(walk, _) => match walk.after(&self.set, self.a as usize, n as usize) {
                Some(place) => step_code(walk.track as usize, place),
                None => NONE,
            },
        }
    }

    /// Is the member with this code among those left?
    pub fn has(&self, dom: &Dom<W>, code: i32) -> bool {
        match dom {
            Dom::Sites(_) | Dom::Going(..) => self.set.has(code),
            Dom::Mask(_) | Dom::Seats(..) => (0..64).contains(&code) && self.a >> code & 1 == 1,
            Dom::Bag(ty, _) => {
                let lane = i64::from(code) - i64::from(ty.lo);
                (0..64).contains(&lane) && self.a >> lane & 1 == 1
            }
            Dom::Range(..) => (self.a..=self.b).contains(&i64::from(code)),
            Dom::Listed(list) => list[self.a as usize..].contains(&code),
            Dom::Track(_) | Dom::Lines(_) => (self.a..self.b).contains(&i64::from(code)),
            Dom::Steps(walk, _) => step_parts(code).is_some_and(|(track, place)| {
                if walk.is_short() {
                    return track as i32 == walk.track && place < 64 && self.a >> place & 1 == 1;
                }
                let site = walk.sites.get(place).copied().unwrap_or(NONE);
                track as i32 == walk.track && place >= self.a as usize && self.set.has(site)
            }),
        }
    }
}

impl<const W: usize> Walk<W> {
    /// A track of the rules.
    pub fn new(number: i32, track: &Track) -> Self {
        let mut passed: Vec<Set<W>> = Vec::new();
        for &site in &track.sites {
            match passed.iter_mut().find(|set| !set.has(site)) {
                Some(set) => set.insert(site),
                None => passed.push(Set::single(site)),
            }
        }
        let mut at = Vec::new();
        if track.sites.len() <= 64 {
            at.resize(64 * W, 0);
            for (place, &site) in track.sites.iter().enumerate() {
                at[site as usize] |= 1 << place;
            }
        }
        Walk { track: number, sites: track.sites.clone(), passed, at }
    }

    /// Has it so few places that a mask holds them?
    #[inline]
    fn is_short(&self) -> bool {
        !self.at.is_empty()
    }

    /// All steps to sites in a set.
    #[inline]
    pub fn steps_to(&self, set: Set<W>) -> Cursor<W> {
        let mut places = 0;
        if self.is_short() {
            for site in set.iter() {
                places |= self.at[site as usize];
            }
        }
        Cursor { set, a: places as i64, b: 0 }
    }

    /// The place, from one on, at which the walk passes members of a set after it has passed `n` of them.
    fn after(&self, set: &Set<W>, from: usize, n: usize) -> Option<usize> {
        let places = self.sites.iter().enumerate().skip(from);
        places.filter(|&(_, &site)| set.has(site)).nth(n).map(|(place, _)| place)
    }
}
