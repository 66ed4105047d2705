//! The board and its walks, as tables.

use std::ops::Range;

use super::{NONE, SiteSet};

/// Names of the directions, by code.
pub const DIRECTIONS: [&str; 8] =
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/// North, east, south, west as a mask.
pub const ORTHOGONAL: u64 = 0b0101_0101;
/// The other four as a mask.
pub const DIAGONAL: u64 = 0b1010_1010;

/// A site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// How it is written in moves: `a1`, or what the file calls it.
    pub name: String,
    /// How the rules call it: `a1`, `bar`; the same as the name unless the board has `names`.
    pub word: String,
    /// Column number from 1; 0 off the grid.
    pub x: i32,
    /// Row number from 1; 0 off the grid.
    pub y: i32,
}

/// Most pieces of a pile. What does not fit stays where it was, or is not placed.
pub const MOST_PILED: usize = 64;

/// How a board is made, as far as it matters for drawing it and for distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Rows and columns.
    Grid,
    /// A grid of one row whose cells are points.
    Line,
    /// Six neighbours a cell, rows of one length.
    Rhombus,
    /// Six neighbours a cell, six sides.
    Hexagon,
    /// Six neighbours a cell, three sides.
    Triangle,
    /// Points and lines as somebody drew them.
    Drawing,
    /// Named points in chains.
    Graph,
}

/// A board of cells with neighbours, and extra sites without.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// How it is made.
    pub shape: Shape,
    /// All sites: the cells row by row from the bottom left, then the extra sites. At most 1024.
    pub sites: Vec<Site>,
    /// Do sites hold piles of pieces rather than one?
    pub stacked: bool,
    /// The cells of each row of a diagram, top row first.
    pub rows: Vec<Vec<i32>>,
    /// Where each cell stands in a picture: how many half steps (of a drawing: letters) from the left, and in which line from the top.
    /// Empty on grids.
    pub places: Vec<(usize, usize)>,
    /// Which sites are edges, and which crossings.
    pub edges: Range<usize>,
    /// See `edges`.
    pub crossings: Range<usize>,
    /// Column and row of each of them on a grid twice as fine, on which cells have even ones.
    pub halves: Vec<(i32, i32)>,
    /// What lies on each side of a site, see [`Board::side`]; empty without edges and crossings.
    pub sides: Vec<[i32; 8]>,
    /// Of a drawing: its lines, with `o` for points.
    pub art: Vec<String>,
    /// How many of them are cells; `board` is these.
    pub n_cells: usize,
    /// Columns.
    pub width: i32,
    /// Rows.
    pub length: i32,
    /// The neighbour of each site in each of the 8 directions, or [`NONE`].
    pub neighbours: Vec<[i32; 8]>,
    /// Directions that this board has, as masks: orthogonal, diagonal, any.
    pub orthogonal: u64,
    /// See `orthogonal`.
    pub diagonal: u64,
    /// See `orthogonal`.
    pub any: u64,
    /// Where `turned(s, d)` and `mirrored(s)` lead, by site: `turned[d / 2][s]` for d north, east, south, west; empty where the board
    /// does not look the same then.
    pub turned: Vec<Vec<i32>>,
    /// See `turned`.
    pub mirrored: Vec<i32>,
}

impl Board {
    /// A grid of `width` by `length` cells.
    ///
    /// Columns are letters (`a` to `z`, then `aa`, `ab` …), rows numbers, `a1` at the bottom left.
    pub fn grid(width: i32, length: i32) -> Board {
        let cell = |x: i32, y: i32| {
            if (1..=width).contains(&x) && (1..=length).contains(&y) { (y - 1) * width + x - 1 } else { NONE }
        };
        let mut sites = Vec::new();
        let mut neighbours = Vec::new();
        for y in 1..=length {
            for x in 1..=width {
                let name = format!("{}{y}", column_name(x));
                sites.push(Site { word: name.clone(), name, x, y });
                neighbours.push(std::array::from_fn(|d| {
                    let (dx, dy) = delta(d);
                    cell(x + dx, y + dy)
                }));
            }
        }
        let mut turned = Vec::new();
        let mut mirrored = Vec::new();
        let rows = (1..=length).rev().map(|y| (1..=width).map(|x| cell(x, y)).collect()).collect();
        if width == length {
            let n = width;
            let all = |to: &dyn Fn(i32, i32) -> (i32, i32)| -> Vec<i32> {
                sites.iter().map(|site| to(site.x, site.y)).map(|(x, y)| cell(x, y)).collect()
            };
            // North stays; east becomes north by a quarter turn anticlockwise; south by half a turn; west by a quarter turn clockwise.
            turned.push(all(&|x, y| (x, y)));
            turned.push(all(&|x, y| (n + 1 - y, x)));
            turned.push(all(&|x, y| (n + 1 - x, n + 1 - y)));
            turned.push(all(&|x, y| (y, n + 1 - x)));
            mirrored = all(&|x, y| (y, x));
        }
        Board {
            shape: Shape::Grid,
            stacked: false,
            n_cells: sites.len(),
            sites,
            rows,
            places: Vec::new(),
            edges: 0..0,
            crossings: 0..0,
            halves: Vec::new(),
            sides: Vec::new(),
            art: Vec::new(),
            width,
            length,
            neighbours,
            orthogonal: ORTHOGONAL,
            diagonal: DIAGONAL,
            any: ORTHOGONAL | DIAGONAL,
            turned,
            mirrored,
        }
    }

    /// A row of `n` points `p1`, `p2` …; east leads to the next one.
    pub fn line(n: i32) -> Board {
        let mut board = Board::grid(n, 1);
        board.shape = Shape::Line;
        for (i, site) in board.sites.iter_mut().enumerate() {
            site.name = format!("p{}", i + 1);
            site.word = site.name.clone();
        }
        board
    }

    /// Adds a site that touches nothing.
    pub fn add_extra(&mut self, name: String) -> i32 {
        self.sites.push(Site { word: name.clone(), name, x: 0, y: 0 });
        self.neighbours.push([NONE; 8]);
        for table in self.turned.iter_mut().chain((!self.mirrored.is_empty()).then_some(&mut self.mirrored)) {
            table.push((self.sites.len() - 1) as i32);
        }
        (self.sites.len() - 1) as i32
    }

    /// The neighbour of `site` in direction `dir`; nowhere if either is none.
    pub fn step(&self, site: i32, dir: i32) -> i32 {
        if site < 0 || !(0..8).contains(&dir) { NONE } else { self.neighbours[site as usize][dir as usize] }
    }

    /// The site `n` steps from `site` in direction `dir`; a negative `n` goes the other way.
    pub fn walk(&self, site: i32, dir: i32, n: i32) -> i32 {
        let (dir, n) = if n < 0 { (opposite(dir), n.saturating_neg()) } else { (dir, n) };
        let mut here = site;
        for _ in 0..n {
            if here == NONE {
                break;
            }
            here = self.step(here, dir);
        }
        here
    }

    /// Have its cells six neighbours?
    pub fn is_six(&self) -> bool {
        matches!(self.shape, Shape::Rhombus | Shape::Hexagon | Shape::Triangle)
    }

    /// How far a site lies in a direction, in comparison with others.
    pub fn ahead(&self, site: i32, dir: i32) -> i32 {
        let (x, y) = self.sites.get(site as usize).map_or((0, 0), |site| (site.x, site.y));
        let (dx, dy) = super::shapes::delta_on(self.shape, dir as usize).unwrap_or((0, 0));
        // Rows of six neighbours lie askew: a step up is half a step aside.
        if self.is_six() { 2 * (dx * x + dy * y) + dx * y + dy * x } else { dx * x + dy * y }
    }

    /// Are there cells next to each other in this direction?
    pub fn has_direction(&self, dir: i32) -> bool {
        matches!(self.shape, Shape::Grid | Shape::Line) || self.any >> dir & 1 == 1
    }

    /// The cell of a sign in a diagram of the whole board, or [`NONE`]; row and column from 0, from the top left.
    pub fn in_diagram(&self, row: usize, column: usize) -> i32 {
        self.rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(NONE)
    }

    /// The lengths of the rows of a diagram, top row first.
    pub fn row_lengths(&self) -> Vec<usize> {
        self.rows.iter().map(Vec::len).collect()
    }

    /// The cells.
    pub fn cells(&self) -> SiteSet {
        SiteSet::of(self.sites.len(), 0..self.n_cells as i32)
    }

    /// The site called `name`.
    pub fn site(&self, name: &str) -> Option<i32> {
        self.sites.iter().position(|site| site.name == name).map(|i| i as i32)
    }
}

/// The opposite direction; none stays none.
pub fn opposite(dir: i32) -> i32 {
    if dir < 0 { dir } else { (dir + 4) % 8 }
}

/// Change of column and row in direction `d`.
pub fn delta(d: usize) -> (i32, i32) {
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)][d]
}

/// Column 1 is `a`, 26 `z`, 27 `aa`.
pub fn column_name(x: i32) -> String {
    let mut n = x;
    let mut name = Vec::new();
    while n > 0 {
        n -= 1;
        name.push((b'a' + (n % 26) as u8) as char);
        n /= 26;
    }
    name.iter().rev().collect()
}

/// A walk: a row of sites, perhaps closed; it may pass a site twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// Whose it is; none: the same for all.
    pub seat: Option<u8>,
    /// Does its end meet its beginning?
    pub closed: bool,
    /// Its sites in order, at most 4096.
    pub sites: Vec<i32>,
    /// How each step is written: the site's name and, if the walk passes a site twice, the way it goes (`a1>`, `a1<`, `a1^`, `a1v`).
    pub names: Vec<String>,
}

impl Track {
    /// The place `n` further on from `place`, or none past an open end.
    pub fn go(&self, place: usize, n: i32) -> Option<usize> {
        let len = self.sites.len() as i64;
        let to = place as i64 + i64::from(n);
        if self.closed {
            (len > 0).then(|| to.rem_euclid(len) as usize)
        } else {
            (0..len).contains(&to).then_some(to as usize)
        }
    }

    /// The only place where it passes `site`.
    pub fn place_of(&self, site: i32) -> Option<usize> {
        let mut found = self.sites.iter().enumerate().filter(|&(_, &at)| at == site);
        let first = found.next()?;
        found.next().is_none().then_some(first.0)
    }
}
