//! The board: its shape, its size, and what it has besides cells.

use super::declare::MOST_SITES;
use super::{Checker, errors};
use crate::rules::board::{DIRECTIONS, Shape};
use crate::rules::drawing::DrawingError;
use crate::rules::{Board, NONE, Ty};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    pub(super) fn board(&mut self) {
        let game = self.game;
        let Some((board, span)) = &game.board else {
            self.no_board = true;
            self.say(errors::part_missing("board", "board square 8", game.title_span));
            return;
        };
        // While its size is worked out there is a board without sites, so whatever asks for some is told.
        let built = self.shape(&board.shape, *span);
        self.no_board = true;
        let Some(built) = built else { return };
        if built.n_cells as i64 > MOST_SITES {
            self.say(errors::board_too_large(built.n_cells as i64, MOST_SITES, *span));
            return;
        }
        self.no_board = false;
        self.rules.board = built;
        self.facings();
        // Extra sites come behind edges and crossings.
        for extra in &board.extras {
            if let ast::BoardExtra::With(names) = extra {
                self.sides(names, *span);
            }
        }
        for extra in &board.extras {
            match extra {
                ast::BoardExtra::Stacked(_) => self.rules.board.stacked = true,
                ast::BoardExtra::With(_) => {}
                ast::BoardExtra::Plus(sites) => {
                    for site in sites {
                        self.extra_site(site);
                    }
                }
                ast::BoardExtra::Names(_) => {}
            }
        }
        for extra in &board.extras {
            if let ast::BoardExtra::Names(text) = extra {
                self.site_names(text);
            }
        }
    }

    /// `with edges, crossings`
    fn sides(&mut self, names: &[ast::Name], span: Span) {
        let mut wanted = [false, false];
        for name in names {
            match name.text.as_str() {
                "edges" => wanted[0] = true,
                "crossings" => wanted[1] = true,
                other => self.say(errors::board_with(other, name.span)),
            }
        }
        let board = &self.rules.board;
        if board.shape != Shape::Grid {
            let at = names.first().map_or(span, |name| name.span);
            self.say(errors::sides_of_grids(at));
            return;
        }
        let more = Board::n_sides(i64::from(board.width), i64::from(board.length), wanted[0], wanted[1]);
        let all = board.sites.len() as i64 + more;
        if !board.halves.is_empty() || !self.not_too_large(all, span) {
            return;
        }
        self.rules.board.add_sides(wanted[0], wanted[1]);
    }

    fn shape(&mut self, shape: &ast::Shape, span: Span) -> Option<Board> {
        match shape {
            ast::Shape::Square(n) => {
                let n = self.number(n)?;
                self.sized(n, n, i64::from(n) * i64::from(n), span).then(|| Board::grid(n, n))
            }
            ast::Shape::Grid(width, length) => {
                let (width, length) = (self.number(width), self.number(length));
                let (width, length) = (width?, length?);
                self.sized(width, length, i64::from(width) * i64::from(length), span)
                    .then(|| Board::grid(width, length))
            }
            ast::Shape::Line(n) => {
                let n = self.number(n)?;
                self.sized(n, 1, i64::from(n), span).then(|| Board::line(n))
            }
            ast::Shape::Rhombus(n) => {
                let n = self.number(n)?;
                self.sized(n, n, i64::from(n) * i64::from(n), span).then(|| Board::rhombus(n))
            }
            ast::Shape::Hexagon(n) => {
                let n = self.number(n)?;
                let cells = (3 * i64::from(n)).saturating_mul(i64::from(n) - 1).saturating_add(1);
                self.sided(n, cells, span).then(|| Board::hexagon(n))
            }
            ast::Shape::Triangle(n) => {
                let n = self.number(n)?;
                let cells = i64::from(n) * (i64::from(n) + 1) / 2;
                self.sided(n, cells, span).then(|| Board::triangle(n))
            }
            ast::Shape::Drawing(text) => self.drawing(text),
            ast::Shape::Graph(chains) => self.graph(chains, span),
        }
    }

    /// Is a board of this width and length, which has so many cells, neither empty nor too large?
    fn sized(&mut self, width: i32, length: i32, cells: i64, span: Span) -> bool {
        if width < 1 || length < 1 {
            self.say(errors::board_size(width, length, span));
            return false;
        }
        self.not_too_large(cells, span)
    }

    /// The same of a board whose sides have a length.
    fn sided(&mut self, n: i32, cells: i64, span: Span) -> bool {
        if n < 1 {
            self.say(errors::board_side(n, span));
            return false;
        }
        self.not_too_large(cells, span)
    }

    fn not_too_large(&mut self, cells: i64, span: Span) -> bool {
        if cells > MOST_SITES {
            self.say(errors::board_too_large(cells, MOST_SITES, span));
        }
        cells <= MOST_SITES
    }

    fn drawing(&mut self, text: &ast::Expr) -> Option<Board> {
        let value = self.need(text, Ty::Text);
        if value.ty == Ty::Unknown {
            return None;
        }
        let drawn = value.as_const().and_then(|code| self.rules.texts.get(code as usize)).cloned();
        let Some(drawn) = drawn else {
            self.say(errors::drawing_unknown(text.span));
            return None;
        };
        match Board::drawing(&drawn, MOST_SITES as usize) {
            Ok(board) => Some(board),
            Err((DrawingError::Large(points), _)) => {
                self.say(errors::board_too_large(points as i64, MOST_SITES, text.span));
                None
            }
            Err((wrong, range)) => {
                let span = self.part_of_text(&drawn, &range, value.span);
                self.say(errors::drawing(&wrong, span));
                None
            }
        }
    }

    fn graph(&mut self, chains: &[Vec<ast::Name>], span: Span) -> Option<Board> {
        let points: std::collections::BTreeSet<&str> = chains.iter().flatten().map(|name| name.text.as_str()).collect();
        if !self.not_too_large(points.len() as i64, span) {
            return None;
        }
        for chain in chains {
            for (i, name) in chain.iter().enumerate() {
                if i > 0 && chain[..i].iter().any(|before| before.text == name.text) {
                    self.say(errors::chain_twice(&name.text, name.span));
                    return None;
                }
            }
        }
        let names: Vec<Vec<String>> =
            chains.iter().map(|chain| chain.iter().map(|name| name.text.clone()).collect()).collect();
        match Board::graph(&names) {
            Ok(board) => Some(board),
            Err((chain, point)) => {
                let name = &chains[chain][point];
                self.say(errors::point_crowded(&name.text, name.span));
                None
            }
        }
    }

    /// Where the seats face is known before the board is; now it is seen whether they can.
    fn facings(&mut self) {
        let said = self.game.players.iter().flat_map(|(players, _)| players);
        let said: Vec<Option<&ast::Name>> = said.map(|player| player.facing.as_ref()).collect();
        for seat in 0..self.rules.seats.len() {
            let facing = self.rules.seats[seat].facing;
            if facing == NONE || self.rules.board.has_direction(facing) {
                continue;
            }
            self.rules.seats[seat].facing = NONE;
            if let Some(Some(name)) = said.get(seat) {
                self.say(errors::direction_not_here(&name.text, &self.directions(), name.span));
            }
        }
    }

    /// The directions of the board, by name.
    pub(super) fn directions(&self) -> Vec<&'static str> {
        (0..8).filter(|&dir| self.rules.board.has_direction(dir)).map(|dir| DIRECTIONS[dir as usize]).collect()
    }

    fn extra_site(&mut self, site: &ast::ExtraSite) {
        let word = &site.name.text;
        self.warn_taken(&site.name);
        let board = &self.rules.board;
        if self.seat_sites.iter().any(|(other, _)| other == word)
            || board.sites[board.n_cells..].iter().any(|site| site.name == *word)
        {
            // That it stands there twice has been told.
            return;
        }
        if board.site(word).is_some() {
            self.say(errors::site_twice(word, site.name.span));
            return;
        }
        let n = if site.per.is_some() { self.rules.seats.len() } else { 1 };
        if (board.sites.len() + n) as i64 > MOST_SITES {
            self.say(errors::board_too_large((board.sites.len() + n) as i64, MOST_SITES, site.name.span));
            return;
        }
        match site.per {
            None => {
                self.rules.board.add_extra(word.clone());
            }
            Some(_) => {
                let names: Vec<String> = self.rules.seats.iter().map(|seat| seat.name.clone()).collect();
                let sites = names.iter().map(|seat| self.rules.board.add_extra(format!("{seat}'s {word}"))).collect();
                self.seat_sites.push((word.clone(), sites));
            }
        }
    }

    /// Texts of the cells, if the diagram fits the board.
    fn site_names(&mut self, text: &ast::Text) {
        let rows: Vec<Vec<&str>> = text
            .value
            .split(['\n', '/'])
            .map(|row| row.split_whitespace().collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        let cells = self.rules.board.rows.clone();
        if rows.len() != cells.len() || rows.iter().zip(&cells).any(|(row, cells)| row.len() != cells.len()) {
            return;
        }
        let all: Vec<&str> = rows.iter().rev().flatten().copied().collect();
        if let Some((_, twice)) = all.iter().enumerate().find(|(i, name)| all[..*i].contains(name)) {
            self.say(errors::site_twice(twice, text.span));
            return;
        }
        if let Some(name) = all.iter().find(|name| !super::declare::is_word(name)) {
            self.say(errors::site_name(name, text.span));
            return;
        }
        for (site, name) in cells.iter().rev().flatten().zip(all) {
            self.rules.board.sites[*site as usize].name = name.to_string();
        }
    }
}
