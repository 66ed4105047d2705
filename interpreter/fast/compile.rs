//! From checked rules to a program.

use super::bits::Set;
use super::code::*;
use super::core::{marks, number_keys, piece_keys};
use super::flow::{Flow, count_bound};
use super::graph;
use super::layout::Layout;
use super::lower::Lower;
use super::switches::{Switch, Switches};
use crate::rules::board::opposite;
use crate::rules::{Board, EndResult, NONE, PerWhat, Rules};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A walk that leads to more different distances is taken site by site.
const MOST_OFFSETS: usize = 12;

/// Compiles a game for sets of `W` words.
pub fn compile<const W: usize>(rules: &Arc<Rules>, switches: Switches) -> Program<W> {
    let layout = Layout::new(rules, W);
    let marks = marks(&layout);
    let (keys_per_site, keys) = piece_keys(layout.n_sites, layout.n_kinds, layout.n_seats);
    let pile_keys = match layout.piles {
        Some(_) => super::piles::pile_keys(layout.n_sites, keys_per_site),
        None => Vec::new(),
    };
    let program = Program {
        rules: rules.clone(),
        switches,
        plans: Vec::new(),
        sure: Vec::new(),
        gates: Vec::new(),
        worth: Vec::new(),
        later: Vec::new(),
        alone: Vec::new(),
        some_alone: false,
        gate_depths: Vec::new(),
        ground: Ground::new(&rules.board),
        layout,
        ways: Vec::new(),
        nodes: Vec::new(),
        marks,
        piece_keys: keys,
        pile_keys,
        keys_per_site,
        number_keys: number_keys(rules.vars.len(), rules.n_sites()),
        n_regs: 1,
        n_best: 0,
        hard_best: false,
        has_by: false,
        setup: 0,
        turn: Vec::new(),
        after: Vec::new(),
        ends: Vec::new(),
        inits: Vec::new(),
        probes: Vec::new(),
        properties: Vec::new(),
        #[cfg(feature = "native")]
        native: Default::default(),
    };
    let mut bound = BTreeMap::new();
    for block in [&rules.setup, &rules.turn, &rules.after] {
        count_bound(block, &mut bound);
    }
    let mut flow = Flow::new(Lower::new(program), bound);
    let seats = 0..rules.n_seats() as i32;
    flow.low.p.setup = flow.program(rules.first, &rules.setup);
    for seat in seats.clone() {
        let turn = flow.program(seat, &rules.turn);
        let after = flow.program(seat, &rules.after);
        flow.low.p.turn.push(turn);
        flow.low.p.after.push(after);
    }
    let mut low = flow.low;
    low.env.clear();
    for seat in seats {
        low.seat = seat;
        let mut ends = Vec::new();
        for ending in &rules.ends {
            let (when, _) = low.cond(&ending.when);
            let end = match &ending.result {
                EndResult::Draw => End::Draw,
                EndResult::Unfinished => End::Unfinished,
                EndResult::Rank(keys) => End::Rank(
                    (0..rules.n_seats() as i32)
                        .map(|seat| low.seen_from(seat, |low| keys.iter().map(|key| low.int(key).0).collect()))
                        .collect(),
                ),
                EndResult::Wins(who, by) => {
                    let who = low.mask(who).0;
                    End::Wins(who, by.as_ref().map(|by| low.int(by).0))
                }
                EndResult::Loses(who) => End::Loses(low.mask(who).0),
            };
            ends.push((when, end));
        }
        let probes = rules.probes.iter().map(|probe| low.value(probe).0).collect();
        let properties = rules.properties.iter().map(|property| low.int(&property.expr).0).collect();
        low.p.ends.push(ends);
        low.p.probes.push(probes);
        low.p.properties.push(properties);
    }
    for var in &rules.vars {
        let n = if var.per == PerWhat::Player { rules.n_seats() } else { 1 };
        let values = (0..n as i32)
            .map(|seat| {
                low.seat = if var.per == PerWhat::Player { seat } else { rules.first };
                low.value(&var.init).0
            })
            .collect();
        low.p.inits.push(values);
    }
    let mut program = low.p;
    if switches.has(Switch::Double) {
        program.ways.iter_mut().take(8).for_each(Way::double);
    }
    graph::finish(&mut program);
    program
}

impl<const W: usize> Ground<W> {
    /// Tables of a board.
    pub fn new(board: &Board) -> Self {
        let n = board.sites.len();
        let mut rays = Vec::new();
        let mut rising = [false; 8];
        let mut straight = [false; 8];
        for dir in 0..8 {
            let step = |site: i32| board.step(site, dir as i32);
            let up = (0..n as i32).all(|site| step(site) == NONE || step(site) > site);
            let down = (0..n as i32).all(|site| step(site) == NONE || step(site) < site);
            rising[dir] = up;
            straight[dir] = up || down;
            rays.push(
                (0..n as i32)
                    .map(|site| {
                        let mut seen = Set::EMPTY;
                        let mut here = step(site);
                        while here >= 0 && !seen.has(here) {
                            seen.insert(here);
                            here = step(here);
                        }
                        seen
                    })
                    .collect(),
            );
        }
        let mutual = std::array::from_fn(|dir| {
            let back = opposite(dir as i32);
            (0..n as i32).all(|site| {
                let there = board.step(site, dir as i32);
                let here = board.step(site, back);
                (there < 0 || board.step(there, back) == site) && (here < 0 || board.step(here, dir as i32) == site)
            })
        });
        let order = (0..8)
            .map(|dir| {
                let mut sites: Vec<i32> = (0..n as i32).collect();
                sites.sort_by_key(|&site| board.ahead(site, dir));
                sites
            })
            .collect();
        Ground { board: board.clone(), all: Set::first_n(n), rays, rising, straight, mutual, order }
    }
}

impl<const W: usize> Way<W> {
    /// The walk of `n` steps in a direction.
    pub fn new(board: &Board, dir: i32, n: i32) -> Self {
        Way::leading(dir, n, (0..board.sites.len() as i32).map(|site| board.walk(site, dir, n)))
    }

    /// The walk to the side of a site; it has no steps, and directions of its own.
    pub fn to_side(board: &Board, dir: i32) -> Self {
        Way::leading(8 + dir, 0, (0..board.sites.len() as i32).map(|site| board.side(site, dir)))
    }

    /// A walk of which is known where it leads, by site.
    pub fn leading(dir: i32, n: i32, sites: impl Iterator<Item = i32>) -> Self {
        let mut to = vec![NONE];
        to.extend(sites);
        let mut from = Set::EMPTY;
        let mut image = Set::EMPTY;
        let mut back = vec![Set::EMPTY; to.len() - 1];
        let mut offsets: Vec<(i32, Set<W>, Set<W>)> = Vec::new();
        for (site, &there) in (0..).zip(&to[1..]).filter(|(_, there)| **there >= 0) {
            from.insert(site);
            image.insert(there);
            back[there as usize].insert(site);
            let by = there - site;
            let at = offsets.iter().position(|(known, ..)| *known == by).unwrap_or_else(|| {
                offsets.push((by, Set::EMPTY, Set::EMPTY));
                offsets.len() - 1
            });
            offsets[at].1.insert(site);
            offsets[at].2.insert(there);
        }
        let offset = match &offsets[..] {
            [] => Some(0),
            [(by, ..)] => Some(*by),
            _ => None,
        };
        if offset.is_some() || offsets.len() > MOST_OFFSETS {
            offsets.clear();
        }
        Way { dir, n, to, offset, offsets, from, image, back, doublings: 0 }
    }

    /// Gets ready to go 1, 2, 4 … steps at once.
    pub fn double(&mut self) {
        if self.offset.is_none_or(|by| by == 0) {
            return;
        }
        // Numbers rise or fall along a way that is a distance, so every way has an end.
        let steps = |from: i32| {
            std::iter::successors(Some(from), |&site| Some(self.to[(site + 1) as usize])).take_while(|&site| site >= 0)
        };
        let longest = self.from.iter().map(|site| steps(site).count() as u32 - 1).max().unwrap_or(0);
        self.doublings = longest.next_power_of_two().trailing_zeros();
    }
}
