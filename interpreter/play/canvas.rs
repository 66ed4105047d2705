//! Pictures of boards that are no grid: cells of six neighbours in rows that lie askew, and points joined by lines.
//!
//! In go the signs of the cells, row by row from the top; out come lines. Every sign stands where [`Board::places`] says.

use super::diagram::{pad, widest};
use crate::rules::Board;
use crate::rules::board::{Shape, column_name};

/// Lines to write on.
struct Canvas(Vec<Vec<char>>);

impl Canvas {
    fn put(&mut self, line: usize, column: usize, text: &str) {
        if self.0.len() <= line {
            self.0.resize(line + 1, Vec::new());
        }
        let to = &mut self.0[line];
        let length = text.chars().count();
        if to.len() < column + length {
            to.resize(column + length, ' ');
        }
        for (place, sign) in to[column..].iter_mut().zip(text.chars()) {
            *place = sign;
        }
    }

    /// The lines with something in them.
    fn lines(self) -> Vec<String> {
        let lines = self.0.iter().map(|line| line.iter().collect::<String>().trim_end().to_string());
        lines.filter(|line| !line.is_empty()).collect()
    }
}

/// The cells of a board with their signs.
fn cells<'a>(board: &'a Board, rows: &'a [Vec<String>]) -> impl Iterator<Item = (usize, &'a String)> {
    board.rows.iter().zip(rows).flat_map(|(cells, signs)| cells.iter().map(|&cell| cell as usize).zip(signs))
}

/// How many letters half a step (of a drawing: one of its letters) takes if signs are so wide.
fn pitch(board: &Board, wide: usize) -> usize {
    if board.is_six() { (wide + 2) / 2 } else { wide }
}

/// The signs alone, one line a row.
pub fn bare(board: &Board, rows: &[Vec<String>]) -> String {
    let wide = widest(rows);
    let pitch = pitch(board, wide);
    let mut canvas = Canvas(Vec::new());
    for (cell, sign) in cells(board, rows) {
        let (column, line) = board.places[cell];
        canvas.put(line, column * pitch, &pad(sign, wide));
    }
    canvas.lines().join("\n")
}

/// The picture with coordinates, or with the names of the sites at the right if they are others.
pub fn drawn(board: &Board, rows: &[Vec<String>], coordinates: bool) -> Vec<String> {
    let columns: Vec<Vec<String>> = vec![(1..=board.width).map(column_name).collect()];
    let wide = if coordinates { widest(rows).max(widest(&columns)) } else { widest(rows) };
    let pitch = pitch(board, wide);
    let margin = if coordinates && board.shape != Shape::Hexagon { board.length.to_string().len() + 2 } else { 0 };
    // The letters below stand half a step to the left.
    let half = if coordinates && board.is_six() { pitch } else { 0 };
    let mut canvas = Canvas(Vec::new());
    if !board.art.is_empty() {
        art(&mut canvas, board, wide, margin);
    }
    let mut ends = vec![0; board.art.len().max(board.rows.len())];
    for (cell, sign) in cells(board, rows) {
        let (column, line) = board.places[cell];
        let at = margin + half + column * pitch;
        canvas.put(line, at, &pad(sign, if board.is_six() { wide } else { sign.chars().count() }));
        ends[line] = ends[line].max(at + wide);
    }
    if !coordinates {
        let widest = canvas.0.iter().map(Vec::len).max().unwrap_or(0);
        for row in &board.rows {
            let names: Vec<&str> = row.iter().map(|&cell| board.sites[cell as usize].name.as_str()).collect();
            if let Some(&cell) = row.first() {
                canvas.put(board.places[cell as usize].1, widest + 4, &names.join(" "));
            }
        }
        return canvas.lines();
    }
    for row in &board.rows {
        let Some(&cell) = row.first() else { continue };
        let (line, number) = (board.places[cell as usize].1, board.sites[cell as usize].y.to_string());
        match board.shape {
            Shape::Hexagon => canvas.put(line, ends[line] + 2, &number),
            _ => canvas.put(line, 0, &format!("{number:>wide$}", wide = margin - 2)),
        }
    }
    let bottom = ends.len();
    for x in 1..=board.width {
        let column = board.rows.iter().flatten().map(|&cell| cell as usize).filter(|&cell| board.sites[cell].x == x);
        let Some((at, line)) = column.map(|cell| board.places[cell]).max_by_key(|place| place.1) else { continue };
        let line = if board.is_six() { line + 1 } else { bottom };
        canvas.put(line, margin + half + at * pitch - half, &column_name(x));
    }
    canvas.lines()
}

/// A grid with what stands on its edges and crossings between the cells. Lines between rows that hold nothing are left out.
pub fn with_sides(board: &Board, rows: &[Vec<String>], sign: &dyn Fn(usize) -> String) -> Vec<String> {
    let columns: Vec<Vec<String>> = vec![(1..=board.width).map(column_name).collect()];
    let wide = widest(rows).max(widest(&columns));
    let between: Vec<Vec<String>> = vec![(board.n_cells..).take(board.halves.len()).map(sign).collect()];
    let narrow = widest(&between).max(1);
    let margin = board.length.to_string().len() + 1;
    let at = |x: i32| margin + (x / 2) as usize * narrow + ((x - 1) / 2) as usize * wide;
    let mut canvas = Canvas(Vec::new());
    for (cell, sign) in cells(board, rows) {
        let site = &board.sites[cell];
        canvas.put(2 * (board.length - site.y) as usize + 1, at(2 * site.x), &pad(sign, wide));
    }
    for (sign, &(x, y)) in between.iter().flatten().zip(&board.halves) {
        canvas.put((2 * board.length + 1 - y) as usize, at(x), sign);
    }
    for y in 1..=board.length {
        canvas.put(2 * (board.length - y) as usize + 1, 0, &format!("{y:>number$}", number = margin - 1));
    }
    for (x, name) in (1..).zip(columns.iter().flatten()) {
        canvas.put(2 * board.length as usize + 1, at(2 * x), name);
    }
    canvas.lines()
}

/// The lines of a drawing, so wide that signs have room.
fn art(canvas: &mut Canvas, board: &Board, wide: usize, margin: usize) {
    for (line, signs) in board.art.iter().enumerate() {
        let signs: Vec<char> = signs.chars().collect();
        for (column, &sign) in signs.iter().enumerate() {
            let flat = |sign: Option<&char>| matches!(sign, Some('-' | '+'));
            let point = matches!(sign, 'o' | 'O');
            let filler = if flat(Some(&sign)) || point && flat(signs.get(column + 1)) { "-" } else { " " };
            canvas.put(line, margin + column * wide, &(sign.to_string() + &filler.repeat(wide - 1)));
        }
    }
}
