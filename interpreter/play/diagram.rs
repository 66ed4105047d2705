//! Positions as diagrams: written, drawn with coordinates, and read back. What a diagram cannot show is in `position`.
//!
//! The form: top row first, a sign a cell (see [`Signs`]), signs apart by blanks. When reading, a row may also do without blanks, and
//! rows may be apart by `/`. Extra sites are not in it.

use super::canvas;
use super::grid::{DiagramError, Grid};
use super::signs::Signs;
use super::snapshot::{Snapshot, Value};
use crate::rules::board::column_name;
use crate::rules::{Rules, SiteSet};

/// Stands for what somebody does not see.
const UNSEEN: &str = "?";

/// Reads a diagram of the whole board.
pub fn read(rules: &Rules, text: &str) -> Result<Grid, DiagramError> {
    let lengths = rules.board.row_lengths();
    let grid = Signs::of(rules).read(text, &lengths)?;
    grid.fit(&lengths)?;
    Ok(grid)
}

/// A position with the pieces of a diagram and nothing else on the board; what is remembered is as in `base` unless the signs say it.
pub fn position(rules: &Rules, text: &str, base: &Snapshot) -> Result<Snapshot, DiagramError> {
    let grid = read(rules, text)?;
    let mut position = base.clone();
    position.clear_pieces();
    grid.lay(rules, &Signs::of(rules), &mut position)?;
    Ok(position)
}

/// The bare diagram: a line a row, signs apart by blanks.
pub fn write(rules: &Rules, position: &Snapshot) -> String {
    let rows = rows(rules, position);
    if !rules.board.places.is_empty() {
        return canvas::bare(&rules.board, &rows);
    }
    let wide = widest(&rows);
    let lines = rows.iter().map(|row| line(row, wide));
    lines.collect::<Vec<_>>().join("\n")
}

/// The diagram with row numbers at the left and column letters below; the names of the sites at its right if they are others. Below,
/// one line for what stands on extra sites, if anything does.
pub fn draw(rules: &Rules, position: &Snapshot) -> String {
    draw_seen(rules, position, None)
}

/// The same for somebody who sees these sites only; what he does not see is a question mark.
pub fn draw_seen(rules: &Rules, position: &Snapshot, seen: Option<&SiteSet>) -> String {
    let hidden = |site: usize| seen.is_some_and(|seen| !seen.has(site as i32));
    let mut rows = rows(rules, position);
    for (cells, signs) in rules.board.rows.iter().zip(&mut rows) {
        for (&cell, sign) in cells.iter().zip(signs) {
            if hidden(cell as usize) {
                *sign = UNSEEN.to_string();
            }
        }
    }
    let board = &rules.board;
    let (width, length) = (board.width.max(0) as usize, board.length.max(0) as usize);
    let usual = |i: usize| {
        let site = &board.sites[i];
        site.name == format!("{}{}", column_name(site.x), site.y)
    };
    let mut lines: Vec<String> = Vec::new();
    if !board.halves.is_empty() {
        let sign = |site: usize| match position.contents[site] {
            _ if hidden(site) => UNSEEN.to_string(),
            Some(piece) => Signs::of(rules).pile(position.below(site), piece),
            None => String::new(),
        };
        lines = canvas::with_sides(board, &rows, &sign);
    } else if !board.places.is_empty() {
        lines = canvas::drawn(board, &rows, (0..board.n_cells).all(usual));
    } else if (0..board.n_cells).all(usual) {
        let columns: Vec<String> = (1..=width as i32).map(column_name).collect();
        let wide = widest(&rows).max(widest(std::slice::from_ref(&columns)));
        let margin = length.to_string().len();
        for (i, row) in rows.iter().enumerate() {
            lines.push(format!("{:>margin$}  {}", length - i, line(row, wide)));
        }
        lines.push(format!("{:margin$}  {}", "", line(&columns, wide)));
    } else if length == 1 {
        let names: Vec<String> = board.sites[..width].iter().map(|s| s.name.clone()).collect();
        let wide = widest(&rows).max(widest(std::slice::from_ref(&names)));
        lines.extend(rows.iter().map(|row| line(row, wide)));
        lines.push(line(&names, wide));
    } else {
        let names: Vec<Vec<String>> = (0..length)
            .rev()
            .map(|y| board.sites[y * width..(y + 1) * width].iter().map(|s| s.name.clone()).collect())
            .collect();
        let (wide, names_wide) = (widest(&rows), widest(&names));
        for (row, names) in rows.iter().zip(&names) {
            let row = row.iter().map(|sign| pad(sign, wide)).collect::<Vec<_>>().join(" ");
            lines.push(format!("{row}    {}", line(names, names_wide)));
        }
    }
    let extras = extras(rules, position, &hidden);
    if !extras.is_empty() {
        lines.push(extras.join("  "));
    }
    lines.join("\n")
}

/// What stands on each extra site that is not empty: `bar: W`.
fn extras(rules: &Rules, position: &Snapshot, hidden: &dyn Fn(usize) -> bool) -> Vec<String> {
    let signs = Signs::of(rules);
    let shown: Vec<usize> = signs.shown().collect();
    let number = |site: usize| {
        shown
            .iter()
            .filter(|&&var| rules.vars[var].ty == crate::rules::Ty::Int)
            .map(|&var| scalar(&position.vars[var][site]))
            .find(|&number| number != 0)
    };
    (rules.board.n_cells + rules.board.halves.len()..rules.n_sites())
        .filter_map(|site| {
            if hidden(site) {
                return Some(format!("{}: {UNSEEN}", rules.board.sites[site].name));
            }
            let piece = position.contents[site].map(|piece| signs.pile(position.below(site), piece));
            let what = piece.or_else(|| number(site).map(|number| number.to_string()))?;
            Some(format!("{}: {what}", rules.board.sites[site].name))
        })
        .collect()
}

/// The signs of the cells, top row first.
fn rows(rules: &Rules, position: &Snapshot) -> Vec<Vec<String>> {
    let signs = Signs::of(rules);
    let sign = |site: usize| {
        signs.write(position.below(site), position.contents[site], |var| scalar(&position.vars[var][site]))
    };
    rules.board.rows.iter().map(|row| row.iter().map(|&cell| sign(cell as usize)).collect()).collect()
}

fn scalar(value: &Value) -> i32 {
    match value {
        Value::Scalar(code) => *code,
        Value::Mask(_) | Value::Sites(_) | Value::Bag(_) => 0,
    }
}

pub(super) fn widest(rows: &[Vec<String>]) -> usize {
    let lengths = rows.iter().flatten().map(|sign| sign.chars().count());
    lengths.max().unwrap_or(1)
}

/// Numbers stand at the right of their column, everything else at the left.
pub(super) fn pad(sign: &str, wide: usize) -> String {
    if sign.parse::<i64>().is_ok() { format!("{sign:>wide$}") } else { format!("{sign:wide$}") }
}

fn line(signs: &[String], wide: usize) -> String {
    let padded: Vec<String> = signs.iter().map(|sign| pad(sign, wide)).collect();
    padded.join(" ").trim_end().to_string()
}
