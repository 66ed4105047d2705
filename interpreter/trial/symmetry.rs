//! A game that looks the same when the board is turned and the seats move on: how positions and moves are turned.
//!
//! Said in words apart by blanks: how many quarters of a clockwise turn, how many seats everybody moves on, and which sites off the grid
//! change into which: `2 1 a0>h9 h9>a0`.

use std::collections::HashMap;

use super::course::Course;
use super::laws::failed;
use crate::evaluators::Evaluators;
use crate::play::snapshot::Piece;
use crate::play::{Outcome, Snapshot, Speaker, Start, Status, Value, diagram};
use crate::rules::{NONE, PerWhat, Rules, SiteSet, Ty};

/// How a board is turned and the seats move on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    quarters: i32,
    seats: i32,
    /// Where each site goes.
    sites: Vec<usize>,
}

impl Symmetry {
    /// As it is said in words.
    pub fn read(rules: &Rules, said: &str) -> Result<Symmetry, String> {
        let mut words = said.split_whitespace();
        let mut number = |what: &str| -> Result<i32, String> {
            let word = words.next().unwrap_or_default();
            word.parse().map_err(|_| format!("\"{word}\" is no number of {what}; say it as in \"2 1 a0>h9 h9>a0\""))
        };
        let (quarters, seats): (i32, i32) = (number("quarter turns")?, number("seats")?);
        let board = &rules.board;
        let n = board.width;
        let (quarters, seats) = (quarters.rem_euclid(4), seats.rem_euclid(rules.n_seats() as i32));
        if n < 1 || board.n_cells as i32 % n != 0 {
            return Err("only boards of squares can be turned so".to_string());
        }
        if quarters % 2 == 1 && n * n != board.n_cells as i32 {
            return Err("a quarter of a turn needs a square board".to_string());
        }
        let height = board.n_cells as i32 / n.max(1);
        let mut sites: Vec<usize> = (0..board.sites.len()).collect();
        for (cell, to) in sites.iter_mut().enumerate().take(board.n_cells) {
            let (x, y) = (cell as i32 % n, cell as i32 / n);
            let (x, y) = match quarters {
                0 => (x, y),
                1 => (y, n - 1 - x),
                2 => (n - 1 - x, height - 1 - y),
                _ => (n - 1 - y, x),
            };
            *to = (y * n + x) as usize;
        }
        let site = |name: &str| {
            let found = board.sites.iter().position(|site| site.name == name);
            found.ok_or_else(|| format!("there is no site \"{name}\""))
        };
        for pair in words {
            let (from, to) = pair.split_once('>').ok_or_else(|| format!("\"{pair}\" is no pair such as a0>h9"))?;
            sites[site(from)?] = site(to)?;
        }
        Ok(Symmetry { quarters, seats, sites })
    }

    fn seat(&self, rules: &Rules, seat: i32) -> i32 {
        if seat == NONE { NONE } else { (seat + self.seats).rem_euclid(rules.n_seats() as i32) }
    }

    fn mask(&self, rules: &Rules, mask: u64) -> u64 {
        let seats = (0..rules.n_seats()).filter(|seat| mask >> seat & 1 == 1);
        seats.map(|seat| 1 << self.seat(rules, seat as i32)).sum()
    }

    fn value(&self, rules: &Rules, ty: Ty, value: &Value) -> Value {
        match (ty, value) {
            (Ty::Site, Value::Scalar(site)) if *site >= 0 => Value::Scalar(self.sites[*site as usize] as i32),
            (Ty::Player, Value::Scalar(seat)) => Value::Scalar(self.seat(rules, *seat)),
            (Ty::Dir, Value::Scalar(dir)) if *dir >= 0 => Value::Scalar((dir + 2 * self.quarters).rem_euclid(8)),
            (Ty::Players, Value::Mask(mask)) => Value::Mask(self.mask(rules, *mask)),
            (_, Value::Sites(set)) => {
                let turned = set.iter().map(|site| self.sites[site as usize] as i32);
                Value::Sites(SiteSet::of(self.sites.len(), turned))
            }
            (_, other) => other.clone(),
        }
    }

    /// The turned position.
    pub fn position(&self, rules: &Rules, position: &Snapshot) -> Snapshot {
        let mut to = position.clone();
        for (site, piece) in position.contents.iter().enumerate() {
            let turned = |piece: Piece| Piece { owner: self.seat(rules, piece.owner), ..piece };
            to.contents[self.sites[site]] = piece.map(turned);
            if let Some(pile) = position.under.get(site) {
                to.under[self.sites[site]] = pile.iter().copied().map(turned).collect();
            }
        }
        for (i, var) in rules.vars.iter().enumerate() {
            for (index, value) in position.vars[i].iter().enumerate() {
                let at = match var.per {
                    PerWhat::Player => self.seat(rules, index as i32) as usize,
                    PerWhat::Site => self.sites[index],
                    PerWhat::One | PerWhat::Kind => index,
                };
                to.vars[i][at] = self.value(rules, var.ty, value);
            }
        }
        (to.mover, to.next) = (self.seat(rules, position.mover), self.seat(rules, position.next));
        to.resigned = self.mask(rules, position.resigned);
        to
    }

    /// A move's text with every site turned.
    pub fn text(&self, rules: &Rules, text: &str) -> String {
        let sites = &rules.board.sites;
        let names: HashMap<&str, usize> =
            sites.iter().enumerate().map(|(site, known)| (known.name.as_str(), site)).collect();
        let mut turned = String::new();
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let longest = (1..=rest.len()).rev().filter(|end| rest.is_char_boundary(*end));
            let found = longest.filter_map(|end| Some((end, *names.get(&rest[..end])?))).next();
            let taken = match found {
                Some((end, site)) => {
                    turned += &sites[self.sites[site]].name;
                    end
                }
                None => {
                    turned.push(sign);
                    sign.len_utf8()
                }
            };
            rest = &rest[taken..];
        }
        turned
    }

    /// Whose turn it is, or how the game ended, in the turned game.
    pub fn status(&self, rules: &Rules, status: Status) -> Status {
        match status {
            Status::ToMove(seat) => Status::ToMove(self.seat(rules, seat)),
            Status::Chance => Status::Chance,
            Status::Over(outcome) => {
                let mut places = outcome.places.clone();
                for (seat, place) in outcome.places.iter().enumerate() {
                    places[self.seat(rules, seat as i32) as usize] = *place;
                }
                Status::Over(Outcome { places, ..outcome })
            }
        }
    }

    /// Begins from the position and from the turned one; the moves are turned, and one of them leads to turned positions.
    pub fn look(&self, evaluators: &Evaluators, course: &mut Course) -> Result<(), String> {
        let rules = evaluators.rules();
        if !matches!(course.plain.status(), Status::ToMove(_)) {
            return Ok(());
        }
        let here = |from: Snapshot| Start { from: Some(from), ..Start::default() };
        let position = course.plain.snapshot();
        let turned = self.position(rules, &position);
        let differs = |what: &str| Err(format!("{what}; turned:\n{}", diagram::draw(rules, &turned)));
        let mut one = evaluators.speaker(&here(position)).map_err(failed)?;
        let mut other = evaluators.speaker(&here(turned.clone())).map_err(failed)?;
        if self.status(rules, one.status()) != other.status() {
            return differs("another seat is to move, or the game ends otherwise");
        }
        let (listed, list) = (one.texts().map_err(failed)?, other.texts().map_err(failed)?);
        let mut moves: Vec<String> = listed.iter().map(|(_, text)| self.text(rules, text)).collect();
        let mut found: Vec<&str> = list.iter().map(|(_, text)| text.as_str()).collect();
        let chosen = listed.get(course.plays.len() % listed.len().max(1));
        let same = chosen.and_then(|(_, text)| {
            let turned = self.text(rules, text);
            list.iter().find(|(_, other)| *other == turned)
        });
        moves.sort_unstable();
        found.sort_unstable();
        if moves != found {
            return differs(&format!("the moves, turned {moves:?}, are {found:?}"));
        }
        let (Some((chosen, text)), Some((same, _))) = (chosen, same) else { return Ok(()) };
        let both = |one: &mut dyn Speaker, other: &mut dyn Speaker| -> Result<bool, crate::play::Trouble> {
            one.play(chosen)?;
            other.play(same)?;
            let alike = self.status(rules, one.status()) == other.status();
            Ok(alike && self.position(rules, &one.snapshot()) == other.snapshot())
        };
        match both(one.as_mut(), other.as_mut()).map_err(failed)? {
            true => Ok(()),
            false => differs(&format!("\"{text}\" leads to a position that is not turned")),
        }
    }
}
