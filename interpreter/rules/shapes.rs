//! Boards whose cells have six neighbours, and graphs of named points.
//!
//! Cells of six neighbours lie in rows, each half a cell aside from the next. A cell's column is the slanting line it lies on: the
//! one of the same number in the next row up is its neighbour to the upper right.

use std::collections::BTreeMap;

use super::NONE;
use super::board::{Board, DIAGONAL, ORTHOGONAL, Shape, Site, column_name, delta, opposite};

/// North, southeast, east and their opposites.
const RHOMBUS_DIRECTIONS: [Option<(i32, i32)>; 8] =
    [Some((0, 1)), None, Some((1, 0)), Some((1, -1)), Some((0, -1)), None, Some((-1, 0)), Some((-1, 1))];
/// Northeast, east, southeast and their opposites.
const SIX_DIRECTIONS: [Option<(i32, i32)>; 8] =
    [None, Some((0, 1)), Some((1, 0)), Some((1, -1)), None, Some((0, -1)), Some((-1, 0)), Some((-1, 1))];

/// Change of column and row in direction `dir` on a board of this shape; none where it has no such direction.
pub fn delta_on(shape: Shape, dir: usize) -> Option<(i32, i32)> {
    match shape {
        Shape::Rhombus => RHOMBUS_DIRECTIONS.get(dir).copied().flatten(),
        Shape::Hexagon | Shape::Triangle => SIX_DIRECTIONS.get(dir).copied().flatten(),
        Shape::Grid | Shape::Line | Shape::Drawing | Shape::Graph => (dir < 8).then(|| delta(dir)),
    }
}

impl Board {
    /// `n` rows of `n` cells, each row half a cell to the right of the one below. Its sides are `north`, `east`, `south` and `west`.
    pub fn rhombus(n: i32) -> Board {
        let mut board = Board::of_six(Shape::Rhombus, n, |_, _| true);
        board.mirrored = board.sites.iter().map(|site| (site.x - 1) * n + site.y - 1).collect();
        board
    }

    /// Six sides of `n` cells.
    pub fn hexagon(n: i32) -> Board {
        Board::of_six(Shape::Hexagon, 2 * n - 1, |x, y| (n + 1..=3 * n - 1).contains(&(x + y)))
    }

    /// Rows of `n`, `n` - 1 … 1 cells, the longest at the bottom.
    pub fn triangle(n: i32) -> Board {
        Board::of_six(Shape::Triangle, n, |x, y| x + y <= n + 1)
    }

    /// Those of `n` by `n` cells for which `on` holds.
    fn of_six(shape: Shape, n: i32, on: impl Fn(i32, i32) -> bool) -> Board {
        let places = (1..=n).flat_map(|y| (1..=n).map(move |x| (x, y))).filter(|&(x, y)| on(x, y));
        let cells: BTreeMap<(i32, i32), i32> = places.map(|(x, y)| (y, x)).zip(0..).collect();
        let cell = |x: i32, y: i32| cells.get(&(y, x)).copied().unwrap_or(NONE);
        let left = cells.keys().map(|&(y, x)| 2 * x + y).min().unwrap_or(0);
        let mut board = Board::grid(1, 1);
        board.sites.clear();
        board.neighbours.clear();
        board.rows = vec![Vec::new(); n as usize];
        for (&(y, x), &site) in &cells {
            let name = format!("{}{y}", column_name(x));
            board.sites.push(Site { word: name.clone(), name, x, y });
            let next = |dir: usize| delta_on(shape, dir).map_or(NONE, |(dx, dy)| cell(x + dx, y + dy));
            board.neighbours.push(std::array::from_fn(next));
            board.rows[(n - y) as usize].push(site);
            board.places.push(((2 * x + y - left) as usize, (n - y) as usize));
        }
        board.any = (0..8).filter(|&dir| delta_on(shape, dir).is_some()).map(|dir| 1 << dir).sum();
        Board {
            shape,
            n_cells: board.sites.len(),
            width: n,
            length: n,
            orthogonal: board.any,
            diagonal: 0,
            turned: Vec::new(),
            mirrored: Vec::new(),
            ..board
        }
    }

    /// Named points, joined along chains. A chain goes in one direction from end to end, so that it counts as a straight line; the
    /// error is the chain and the point for which there was no direction left.
    pub fn graph(chains: &[Vec<String>]) -> Result<Board, (usize, usize)> {
        let mut names: Vec<&String> = Vec::new();
        for name in chains.iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut board = Board::line(names.len() as i32);
        for (site, name) in board.sites.iter_mut().zip(&names) {
            site.name = name.to_string();
            site.word = name.to_string();
        }
        board.neighbours.fill([NONE; 8]);
        let chains: Vec<Vec<i32>> =
            chains.iter().map(|chain| chain.iter().filter_map(|name| board.site(name)).collect()).collect();
        for (points, dir) in chains.iter().zip(ways_of(&chains, names.len())?) {
            for pair in points.windows(2) {
                board.neighbours[pair[0] as usize][dir as usize] = pair[1];
                board.neighbours[pair[1] as usize][opposite(dir) as usize] = pair[0];
            }
        }
        let any = ORTHOGONAL | DIAGONAL;
        Ok(Board {
            shape: Shape::Graph,
            any,
            orthogonal: any,
            diagonal: 0,
            turned: Vec::new(),
            mirrored: Vec::new(),
            ..board
        })
    }
}

/// The directions that chains of a graph may have, with their opposites: east, north, then the slanting ones.
const AXES: [i32; 4] = [2, 0, 1, 3];

/// A direction for each chain, so that chains which meet go different ways; the first that is free if that is good enough. The error is the
/// chain and the place in it of the point for which there was none left.
fn ways_of(chains: &[Vec<i32>], n_points: usize) -> Result<Vec<i32>, (usize, usize)> {
    let mut at: Vec<Vec<usize>> = vec![Vec::new(); n_points];
    for (i, chain) in chains.iter().enumerate() {
        for (place, &point) in chain.iter().enumerate() {
            if at[point as usize].len() == AXES.len() {
                return Err((i, place));
            }
            at[point as usize].push(i);
        }
    }
    let meeting = |i: usize| chains[i].iter().flat_map(|&point| &at[point as usize]).copied().filter(move |&j| j != i);
    let free = |ways: &[Option<i32>], i: usize| {
        let mut free = AXES.to_vec();
        meeting(i).filter_map(|j| ways[j]).for_each(|taken| free.retain(|&way| way != taken));
        free
    };
    let mut ways: Vec<Option<i32>> = vec![None; chains.len()];
    let stuck = (0..chains.len()).find(|&i| {
        ways[i] = free(&ways, i).first().copied();
        ways[i].is_none()
    });
    if let Some(stuck) = stuck {
        ways.fill(None);
        // Few chains are tried in many ways, many in few.
        let mut tries = 4 * chains.len() + 1_000_000 / chains.len();
        if !settle(&mut ways, &free, &mut tries) {
            return Err((stuck, 0));
        }
    }
    Ok(ways.into_iter().flatten().collect())
}

/// The directions that are left for a chain when some have theirs.
type Free<'f> = dyn Fn(&[Option<i32>], usize) -> Vec<i32> + 'f;

/// Gives the chains that have none a direction, those with the fewest left first; says whether that was possible.
fn settle(ways: &mut [Option<i32>], free: &Free<'_>, tries: &mut usize) -> bool {
    let open = (0..ways.len()).filter(|&i| ways[i].is_none());
    let Some((_, i)) = open.map(|i| (free(ways, i).len(), i)).min() else { return true };
    for way in free(ways, i) {
        if *tries == 0 {
            break;
        }
        *tries -= 1;
        ways[i] = Some(way);
        if settle(ways, free, tries) {
            return true;
        }
    }
    ways[i] = None;
    false
}
