//! Boards that somebody drew: points `o`, joined by `-`, `|`, `/` and `\\`.
//!
//! In goes a text, out comes a [`Board`] or the first thing in the text that cannot be read. Columns and rows are counted where there
//! are points. `+` is where `-` and `|` cross, `x` where `/` and `\\` do, without touching.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::NONE;
use super::board::{Board, Shape, Site, column_name, delta};

/// What is wrong with a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// There is no point in it.
    Empty,
    /// More points than a board may have.
    Large(usize),
    /// A sign that means nothing in a drawing.
    Sign(String),
    /// A line that leads to no point.
    Loose(String),
}

/// Which lines a sign carries: bits for `-`, `|`, `/`, `\\`.
fn strokes(sign: char) -> u8 {
    match sign {
        '-' => 1,
        '|' => 2,
        '/' => 4,
        '\\' => 8,
        '+' => 3,
        'x' | 'X' => 12,
        _ => 0,
    }
}

/// The line that leads in direction `dir`.
fn stroke(dir: usize) -> u8 {
    [2, 4, 1, 8][dir % 4]
}

impl Board {
    /// The board of a drawing of at most so many points.
    pub fn drawing(text: &str, most: usize) -> Result<Board, (DrawingError, Range<usize>)> {
        let lines: Vec<Vec<(usize, char)>> = lines(text);
        let mut points: BTreeMap<(usize, usize), i32> = BTreeMap::new();
        for (row, line) in lines.iter().enumerate() {
            for (column, &(at, sign)) in line.iter().enumerate() {
                let range = at..at + sign.len_utf8();
                match sign {
                    'o' | 'O' => {
                        points.insert((lines.len() - 1 - row, column), points.len() as i32);
                    }
                    ' ' => {}
                    _ if strokes(sign) > 0 => {}
                    _ => return Err((DrawingError::Sign(sign.to_string()), range)),
                }
            }
        }
        for (number, site) in points.values_mut().enumerate() {
            *site = number as i32;
        }
        if points.is_empty() {
            return Err((DrawingError::Empty, 0..text.len()));
        }
        if points.len() > most {
            return Err((DrawingError::Large(points.len()), 0..text.len()));
        }
        Board::of_points(&lines, &points)
    }

    fn of_points(
        lines: &[Vec<(usize, char)>],
        points: &BTreeMap<(usize, usize), i32>,
    ) -> Result<Board, (DrawingError, Range<usize>)> {
        let height = lines.len();
        let sign = |row: usize, column: usize| lines.get(height - 1 - row).and_then(|line| line.get(column)).copied();
        let columns: BTreeSet<usize> = points.keys().map(|point| point.1).collect();
        let rows: BTreeSet<usize> = points.keys().map(|point| point.0).collect();
        let number = |all: &BTreeSet<usize>, at: usize| all.range(..=at).count() as i32;
        let mut used = vec![Vec::new(); height];
        for (line, used) in lines.iter().zip(&mut used) {
            *used = vec![0u8; line.len()];
        }
        let mut board = Board::grid(1, 1);
        board.sites.clear();
        board.neighbours.clear();
        board.rows.clear();
        for &(row, column) in points.keys() {
            let (x, y) = (number(&columns, column), number(&rows, row));
            let name = format!("{}{y}", column_name(x));
            board.sites.push(Site { word: name.clone(), name, x, y });
            board.places.push((column, height - 1 - row));
            let mut next = [NONE; 8];
            for (dir, next) in next.iter_mut().enumerate() {
                let (dx, dy) = delta(dir);
                let on = |n: usize| {
                    let along = |at: usize, d: i32| at.checked_add_signed(n as isize * d as isize);
                    Some((along(row, dy).filter(|&row| row < height)?, along(column, dx)?))
                };
                let carries = |(row, column): (usize, usize)| {
                    sign(row, column).is_some_and(|(_, sign)| strokes(sign) & stroke(dir) > 0)
                };
                let path: Vec<(usize, usize)> = (1..).map_while(on).take_while(|&at| carries(at)).collect();
                let end = on(path.len() + 1).and_then(|at| points.get(&at));
                if let (Some(&end), false) = (end, path.is_empty()) {
                    *next = end;
                    for (row, column) in path {
                        used[height - 1 - row][column] |= stroke(dir);
                    }
                }
            }
            board.neighbours.push(next);
        }
        for (line, used) in lines.iter().zip(&used) {
            for (&(at, sign), used) in line.iter().zip(used) {
                if strokes(sign) & !used > 0 {
                    return Err((DrawingError::Loose(sign.to_string()), at..at + 1));
                }
            }
        }
        for &row in rows.iter().rev() {
            board.rows.push(points.range((row, 0)..(row + 1, 0)).map(|(_, &site)| site).collect());
        }
        board.art = lines.iter().map(|line| line.iter().map(|(_, sign)| sign).collect::<String>()).collect();
        Ok(Board {
            shape: Shape::Drawing,
            n_cells: board.sites.len(),
            width: columns.len() as i32,
            length: rows.len() as i32,
            turned: Vec::new(),
            mirrored: Vec::new(),
            ..board
        })
    }
}

/// The lines that have something in them, without the margin they share; each sign with its place in the text.
fn lines(text: &str) -> Vec<Vec<(usize, char)>> {
    let mut lines: Vec<Vec<(usize, char)>> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push(line.trim_end().char_indices().map(|(at, sign)| (start + at, sign)).collect());
        start += line.len();
    }
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    lines.drain(..first);
    let margin = |line: &Vec<(usize, char)>| line.iter().take_while(|(_, sign)| *sign == ' ').count();
    let least = lines.iter().filter(|line| !line.is_empty()).map(margin).min().unwrap_or(0);
    for line in &mut lines {
        line.drain(..least.min(line.len()));
    }
    lines
}
