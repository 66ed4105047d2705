//! Tracks: which sites a walk passes, in which order, and how its steps are written.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, errors};
use crate::rules::{Expr, NONE, SiteSet, Track, Ty};
use crate::syntax::ast::{self, ExprKind as A};

/// Most steps of a walk.
pub const MOST_STEPS: usize = 4096;
/// Most steps of all walks together.
pub const MOST_STEPS_IN_ALL: usize = 4 * MOST_STEPS;

impl Checker<'_> {
    pub(super) fn tracks(&mut self) {
        let game = self.game;
        for track in &game.tracks {
            let item = &track.item;
            let per_seat = item.per.is_some() || item.owner.is_some();
            let n_seats = self.rules.seats.len();
            let seats: Vec<usize> = match &item.owner {
                Some(owner) => match self.rules.seats.iter().position(|seat| seat.name == owner.text) {
                    Some(seat) => vec![seat],
                    None => {
                        self.unknown_seat(owner);
                        vec![0]
                    }
                },
                None if per_seat => (0..n_seats).collect(),
                None => vec![0],
            };
            self.warn_taken(&item.name);
            let broken = std::mem::take(&mut self.broken);
            let mut made = Vec::new();
            for &seat in &seats {
                let mut sites = self.walk(item, seat as i32);
                let all: usize = self.rules.tracks.iter().map(|track| track.sites.len()).sum();
                if sites.len() > MOST_STEPS || all + sites.len() > MOST_STEPS_IN_ALL {
                    let (n, most) = if sites.len() > MOST_STEPS {
                        (sites.len(), MOST_STEPS)
                    } else {
                        (all + sites.len(), MOST_STEPS_IN_ALL)
                    };
                    self.say(errors::too_many_of("steps of tracks", n, most, item.name.span));
                    sites.clear();
                }
                let (sites, ways): (Vec<i32>, Vec<i32>) = sites.into_iter().unzip();
                let names = self.step_names(&sites, &ways, item.closed);
                self.rules.tracks.push(Track {
                    name: item.name.text.clone(),
                    seat: per_seat.then_some(seat as u8),
                    closed: item.closed,
                    sites,
                    names,
                });
                made.push((seat, (self.rules.tracks.len() - 1) as u32));
            }
            self.broken |= broken;
            let Some(&(_, first)) = made.first() else { continue };
            match self.tracks.iter().position(|(name, _)| *name == item.name.text) {
                Some(at) => {
                    for (seat, walk) in made {
                        self.tracks[at].1[seat] = walk;
                    }
                }
                None => {
                    let mut walks = vec![first; n_seats];
                    if per_seat {
                        for (seat, walk) in made {
                            walks[seat] = walk;
                        }
                    }
                    self.tracks.push((item.name.text.clone(), walks));
                }
            }
        }
        self.first_values();
    }

    /// The sites of a track, seen from a seat, and the way it goes at each.
    fn walk(&mut self, track: &ast::Track, seat: i32) -> Vec<(i32, i32)> {
        let mut walk: Vec<(i32, i32)> = Vec::new();
        for stretch in &track.stretches {
            if walk.len() > MOST_STEPS {
                break;
            }
            self.broken = false;
            let going = match &stretch.going {
                Some(e) => {
                    let dir = self.need(e, Ty::Dir);
                    let known =
                        if self.broken { None } else { self.code_of(&dir, seat).filter(|code| (0..8).contains(code)) };
                    if known.is_none() && !self.broken {
                        self.say(errors::must_be_known(e.span));
                    }
                    Some(known.unwrap_or(0))
                }
                None => None,
            };
            // `p24..p1` runs in the order in which it is written.
            if let (A::Range(a, b), None) = (&*stretch.sites.kind, going) {
                let (a, b) = (self.need(a, Ty::Site), self.need(b, Ty::Site));
                if self.broken || self.no_board {
                    continue;
                }
                if let (Some(a), Some(b)) = (self.code_of(&a, seat), self.code_of(&b, seat)) {
                    match self.between(a, b) {
                        Some(sites) => walk.extend(sites),
                        None => self.say(errors::stretch_straight(stretch.sites.span)),
                    }
                }
                continue;
            }
            let set = self.need(&stretch.sites, Ty::Sites);
            if set.ty == Ty::Unknown || self.broken || self.no_board {
                continue;
            }
            let Some(set) = self.sites_of(&set, seat) else {
                self.say(errors::must_be_known(stretch.sites.span));
                continue;
            };
            if set.is_empty() && self.place.dead == 0 {
                let words = self.words_of(stretch.sites.span);
                self.say(errors::stretch_empty(&words, stretch.sites.span));
            }
            match going {
                Some(dir) => {
                    let mut sites: Vec<i32> = set.iter().collect();
                    let (dx, dy) = crate::rules::board::delta(dir.rem_euclid(8) as usize);
                    let board = &self.rules.board;
                    sites.sort_by_key(|&s| {
                        let site = &board.sites[s as usize];
                        (site.x * dx + site.y * dy, s)
                    });
                    walk.extend(sites.into_iter().map(|site| (site, dir)));
                }
                None if set.count() <= 1 => walk.extend(set.iter().map(|site| (site, NONE))),
                None => self.say(errors::stretch_going(stretch.sites.span)),
            }
        }
        walk
    }

    /// From one site straight to another, both included, with the direction.
    fn between(&self, a: i32, b: i32) -> Option<Vec<(i32, i32)>> {
        if a == b {
            return Some(vec![(a, NONE)]);
        }
        (0..8).find_map(|dir| {
            let mut sites = vec![(a, dir)];
            let mut here = a;
            while here != NONE {
                here = self.rules.board.step(here, dir);
                sites.push((here, dir));
                if here == b {
                    return Some(sites);
                }
            }
            None
        })
    }

    fn code_of(&mut self, e: &Expr, seat: i32) -> Option<i32> {
        if let Some(code) = e.as_const() {
            return (e.ty != Ty::Unknown).then_some(code);
        }
        crate::reference::constant(&self.rules, e, seat).and_then(|value| match value {
            crate::play::Value::Scalar(code) => Some(code),
            _ => None,
        })
    }

    fn sites_of(&mut self, e: &Expr, seat: i32) -> Option<SiteSet> {
        match crate::reference::constant(&self.rules, e, seat)? {
            crate::play::Value::Sites(set) => Some(set),
            _ => None,
        }
    }

    /// How each step is written: a site that is passed twice says which way.
    fn step_names(&self, sites: &[i32], ways: &[i32], closed: bool) -> Vec<String> {
        let twice = sites.iter().collect::<BTreeSet<_>>().len() < sites.len();
        let board = &self.rules.board;
        let mut names: Vec<String> = Vec::new();
        for (i, &site) in sites.iter().enumerate() {
            let mut name = board.sites.get(site as usize).map_or_else(|| "?".to_string(), |site| site.name.clone());
            if twice {
                let next = if i + 1 < sites.len() { Some(sites[i + 1]) } else { closed.then(|| sites[0]) };
                let straight = next.and_then(|next| (0..8).find(|&d| board.step(site, d) == next));
                let way = if ways[i] != NONE { ways[i] } else { straight.unwrap_or(NONE) };
                name.push_str(match way {
                    0 => "^",
                    1..=3 => ">",
                    4 => "v",
                    5..=7 => "<",
                    _ => "",
                });
            }
            names.push(name);
        }
        // Should two steps still look alike, their numbers tell them apart.
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for name in &names {
            *times.entry(name.clone()).or_default() += 1;
        }
        for (i, name) in names.iter_mut().enumerate() {
            if times.get(name).is_some_and(|&n| n > 1) {
                name.push_str(&(i + 1).to_string());
            }
        }
        names
    }

    /// The name of a site (of this one, if it is known) that one of the walks passes twice.
    pub(super) fn passed_twice(&self, walks: &[u32], site: Option<i32>) -> Option<String> {
        let passed = walks.iter().filter_map(|&walk| self.rules.tracks.get(walk as usize));
        let mut twice = passed.filter_map(|track| {
            let mut seen = BTreeSet::new();
            track.sites.iter().find(|&&at| !seen.insert(at) && site.is_none_or(|site| site == at))
        });
        let at = twice.next()?;
        self.rules.board.sites.get(*at as usize).map(|site| site.name.clone())
    }
}
