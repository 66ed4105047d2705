//! Sides and crossings: the sites between the cells of a grid.
//!
//! On a grid twice as fine as the board's, cells have even columns and rows, the edges between them one of each sort, crossings two odd
//! ones. Half a step from a site in a direction is what lies on that side of it.

use std::collections::BTreeMap;

use super::NONE;
use super::board::{Board, delta};

impl Board {
    /// How many sites a grid of this size gets by edges and by crossings.
    pub fn n_sides(width: i64, length: i64, edges: bool, crossings: bool) -> i64 {
        let n_edges = width * (length + 1) + length * (width + 1);
        let n_crossings = (width - 1) * (length - 1);
        i64::from(edges) * n_edges + i64::from(crossings) * n_crossings
    }

    /// Makes sites of the sides of the cells of a grid, the outer ones too, and of the points where four cells meet.
    ///
    /// An edge is named after the cell to its south or west: `a1n`, `a1e`; at the rim after the cell inside: `a1s`, `a1w`. A crossing
    /// is named after the cell to its southwest: `a1x`.
    pub fn add_sides(&mut self, edges: bool, crossings: bool) {
        let columns = self.width;
        let (width, length) = (2 * self.width, 2 * self.length);
        let cell = move |x: i32, y: i32| (y / 2 - 1) * columns + x / 2 - 1;
        let mut places: BTreeMap<(i32, i32), i32> = BTreeMap::new();
        for y in 1..=self.length {
            for x in 1..=self.width {
                places.insert((2 * y, 2 * x), cell(2 * x, 2 * y));
            }
        }
        let mut names = Vec::new();
        let between = |crossing: bool| {
            let all = (1..=length + 1).flat_map(move |y| (1..=width + 1).map(move |x| (x, y)));
            let inside = move |x: i32, y: i32| (2..=width).contains(&x) && (2..=length).contains(&y);
            all.filter(move |&(x, y)| match (x % 2, y % 2) {
                (1, 1) => crossing && inside(x, y),
                (0, 0) => false,
                _ => !crossing,
            })
        };
        for (wanted, crossing) in [(edges, false), (crossings, true)] {
            let first = self.sites.len() + names.len();
            for (x, y) in between(crossing).filter(|_| wanted) {
                let (inner_x, inner_y) = ((x - x % 2).max(2), (y - y % 2).max(2));
                let near = &self.sites[cell(inner_x, inner_y) as usize].word;
                let letter = match (x % 2, y % 2) {
                    (1, 1) => "x",
                    (1, _) if x == 1 => "w",
                    (1, _) => "e",
                    _ if y == 1 => "s",
                    _ => "n",
                };
                places.insert((y, x), (self.sites.len() + names.len()) as i32);
                names.push((format!("{near}{letter}"), (x, y)));
            }
            let range = first..self.sites.len() + names.len();
            if crossing {
                self.crossings = range;
            } else {
                self.edges = range;
            }
        }
        let mut sides = vec![[NONE; 8]; self.sites.len() + names.len()];
        for (&(y, x), &site) in &places {
            sides[site as usize] = std::array::from_fn(|dir| {
                let (dx, dy) = delta(dir);
                places.get(&(y + dy, x + dx)).copied().unwrap_or(NONE)
            });
        }
        let place = |site: &mut i32, to: (i32, i32)| *site = places.get(&(to.1, to.0)).copied().unwrap_or(NONE);
        for (name, (x, y)) in names {
            let site = self.add_extra(name) as usize;
            self.halves.push((x, y));
            for (table, to) in self.turned.iter_mut().zip([
                (x, y),
                (width + 2 - y, x),
                (width + 2 - x, width + 2 - y),
                (y, width + 2 - x),
            ]) {
                place(&mut table[site], to);
            }
            if let Some(mirror) = self.mirrored.get_mut(site) {
                place(mirror, (y, x));
            }
        }
        self.sides = sides;
    }

    /// What lies half a step from a site in a direction: the edge between two cells, the crossing where four meet, and back.
    pub fn side(&self, site: i32, dir: i32) -> i32 {
        if !(0..8).contains(&dir) {
            return NONE;
        }
        self.sides.get(site as usize).map_or(NONE, |sides| sides[dir as usize])
    }
}
