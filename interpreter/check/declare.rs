//! What a game declares: seats, kinds, the words of options, the board.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, errors};
use crate::assemble::Game;
use crate::diagnostics::Diagnostic;
use crate::house::Allowed;
use crate::rules::board::DIRECTIONS;
use crate::rules::{Board, Bounds, Kind, KindOwner, NONE, Rules, Seat, Ty, Uses, WordList};
use crate::source::Span;
use crate::syntax::ast;

/// Most sites of a board, extra ones included.
pub const MOST_SITES: i64 = 1024;
/// Most seats.
pub const MOST_SEATS: usize = 8;
/// Most kinds of pieces.
pub const MOST_KINDS: usize = 32;
/// Most words that an option or a thing remembered may choose from.
pub const MOST_WORDS: usize = 64;

/// The error if a table lets somebody begin who does not play.
pub fn unknown_first(game: &Game, first: &str, span: Span) -> Option<Diagnostic> {
    let seats: Vec<String> =
        game.players.iter().flat_map(|(seats, _)| seats).map(|seat| seat.name.text.clone()).collect();
    let known = seats.iter().any(|seat| seat.eq_ignore_ascii_case(first));
    (!known).then(|| errors::no_seat(first, &seats, span))
}

/// Rules with nothing in them.
pub(super) fn blank_rules(title: &str) -> Rules {
    Rules {
        title: title.to_string(),
        seats: Vec::new(),
        first: 0,
        board: Board::grid(1, 1),
        kinds: Vec::new(),
        vars: Vec::new(),
        words: Vec::new(),
        tracks: Vec::new(),
        texts: Vec::new(),
        diagrams: Vec::new(),
        lines: Vec::new(),
        defs: Vec::new(),
        locals: Vec::new(),
        setup: Vec::new(),
        turn: Vec::new(),
        by_outcome: false,
        after: Vec::new(),
        ends: Vec::new(),
        notation: None,
        properties: Vec::new(),
        probes: Vec::new(),
        scripts: Vec::new(),
        bounds: Bounds::usual(),
        uses: Uses::default(),
    }
}

/// Can a rule name a site so?
fn is_word(name: &str) -> bool {
    name.starts_with(|sign: char| sign.is_alphabetic())
        && name.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
}

impl Checker<'_> {
    pub(super) fn declare(&mut self) {
        self.seats();
        self.kinds();
        self.option_word_lists();
        self.board();
        // What has been worked out so far knew no board.
        self.made.clear();
        self.rules.defs.clear();
        self.rules.lines.clear();
        self.row_lists.clear();
        self.remembers();
        self.tracks();
        self.clashes();
    }

    /// One name for one thing: sorts of items that share the words of the game.
    fn clashes(&mut self) {
        let game = self.game;
        let extras = game.board.iter().flat_map(|(board, _)| &board.extras).flat_map(|extra| match extra {
            ast::BoardExtra::Plus(sites) => &sites[..],
            _ => &[],
        });
        let names = game
            .options
            .iter()
            .map(|option| &option.item.name)
            .chain(game.kinds.iter().map(|(kind, _)| &kind.name))
            .chain(game.remembers.iter().map(|remember| &remember.item.name))
            .chain(game.tracks.iter().map(|track| &track.item.name))
            .chain(game.defines.iter().map(|define| &define.layers[0].head.name))
            .chain(game.actions.iter().map(|action| &action.layers[0].head.name))
            .chain(game.players.iter().flat_map(|(players, _)| players.iter().map(|player| &player.name)))
            .chain(extras.map(|site| &site.name));
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let tracks: BTreeSet<&str> = game.tracks.iter().map(|track| track.item.name.text.as_str()).collect();
        let mut told: BTreeSet<&str> = game.twice.iter().map(String::as_str).collect();
        for name in names {
            let Some(&before) = seen.get(name.text.as_str()) else {
                seen.insert(&name.text, name.span);
                continue;
            };
            // A track has one walk for each seat that it is for.
            let same_track = tracks.contains(name.text.as_str())
                && game
                    .tracks
                    .iter()
                    .filter(|track| track.item.name.span == name.span || track.item.name.span == before)
                    .count()
                    == 2;
            // Two items of one file have been reported when the file was read.
            if !same_track && told.insert(&name.text) {
                let (first, second) = if before < name.span { (before, name.span) } else { (name.span, before) };
                let (line, _) = self.sources.line_column(first);
                self.say(errors::defined_twice_line(&name.text, second, first, line));
            }
        }
        for (kind, _) in &game.kinds {
            self.warn_taken(&kind.name);
        }
        for define in &game.defines {
            self.warn_taken_call(&define.layers[0].head.name, define.span);
        }
        for action in &game.actions {
            self.warn_taken_call(&action.layers[0].head.name, action.span);
        }
        for remember in &game.remembers {
            self.warn_taken(&remember.item.name);
        }
    }

    fn seats(&mut self) {
        let game = self.game;
        let Some((players, span)) = &game.players else {
            self.say(errors::part_missing("players", "players White, Black", game.title_span));
            self.rules.seats = ["White", "Black"]
                .iter()
                .enumerate()
                .map(|(i, name)| Seat { name: name.to_string(), facing: [0, 4][i] })
                .collect();
            return;
        };
        if players.len() > MOST_SEATS {
            self.say(errors::too_many_of("players", players.len(), MOST_SEATS, *span));
        }
        let none_said = players.iter().all(|player| player.facing.is_none());
        let two = players.len() == 2;
        for (i, player) in players.iter().take(MOST_SEATS).enumerate() {
            self.warn_taken(&player.name);
            let facing = match &player.facing {
                Some(dir) => match DIRECTIONS.iter().position(|name| *name == dir.text) {
                    Some(d) => d as i32,
                    None => {
                        self.say(errors::no_direction(&dir.text, &DIRECTIONS, dir.span));
                        0
                    }
                },
                None if none_said && two => [0, 4][i],
                None if none_said => 0,
                None => NONE,
            };
            self.rules.seats.push(Seat { name: player.name.text.clone(), facing });
        }
        if let Some((first, span)) = self.first.clone() {
            match self.rules.seats.iter().position(|seat| seat.name.eq_ignore_ascii_case(&first)) {
                Some(seat) => self.rules.first = seat as i32,
                None => self.unknown_seat(&ast::Name { text: first, span }),
            }
        }
    }

    /// A word that should be a player.
    pub(super) fn unknown_seat(&mut self, name: &ast::Name) {
        let names: Vec<String> = self.rules.seats.iter().map(|seat| seat.name.clone()).collect();
        self.say(errors::no_seat(&name.text, &names, name.span));
    }

    fn kinds(&mut self) {
        let game = self.game;
        if game.kinds.len() > MOST_KINDS {
            let span = game.kinds[MOST_KINDS].0.name.span;
            self.say(errors::too_many_of("kinds of pieces", game.kinds.len(), MOST_KINDS, span));
        }
        let n_seats = self.rules.seats.len();
        for (decl, owner) in game.kinds.iter().take(MOST_KINDS) {
            let owner = match owner {
                None => KindOwner::Any,
                Some(name) if name.text == "nobody" => KindOwner::Nobody,
                Some(name) => match self.rules.seats.iter().position(|seat| seat.name == name.text) {
                    Some(seat) => KindOwner::Seat(seat as u8),
                    None => {
                        self.unknown_seat(name);
                        KindOwner::Any
                    }
                },
            };
            let symbols = self.symbols(decl, owner, n_seats);
            self.rules.kinds.push(Kind { name: decl.name.text.clone(), symbols, owner });
        }
        for i in 0..self.rules.kinds.len() {
            for j in 0..i {
                let clash = (0..=n_seats)
                    .map(|seat| (&self.rules.kinds[i].symbols[seat], &self.rules.kinds[j].symbols[seat]))
                    .find(|(a, b)| a == b && !a.is_empty())
                    .map(|(a, _)| a.clone());
                if let Some(sign) = clash {
                    let span = game.kinds[i].0.symbols.as_ref().map_or(game.kinds[i].0.name.span, |text| text.span);
                    let (a, b) = (self.rules.kinds[i].name.clone(), self.rules.kinds[j].name.clone());
                    self.say(errors::symbol_twice(&sign, &a, &b, span));
                }
            }
        }
    }

    fn symbols(&mut self, decl: &ast::KindDecl, owner: KindOwner, n_seats: usize) -> Vec<String> {
        let mut symbols = vec![String::new(); n_seats + 1];
        let letter = |word: &str, capital: bool| -> String {
            let first = word.chars().next().unwrap_or('o');
            if capital { first.to_uppercase().collect() } else { first.to_lowercase().collect() }
        };
        let given: Vec<String> = match &decl.symbols {
            Some(text) if text.value.trim().contains(char::is_whitespace) => {
                text.value.split_whitespace().map(str::to_string).collect()
            }
            Some(text) => text.value.trim().chars().map(|c| c.to_string()).collect(),
            None => Vec::new(),
        };
        match owner {
            KindOwner::Seat(seat) => {
                let seat = seat as usize;
                symbols[seat] = given.first().cloned().unwrap_or_else(|| letter(&decl.name.text, seat == 0));
            }
            KindOwner::Nobody => {
                symbols[n_seats] = given.first().cloned().unwrap_or_else(|| letter(&decl.name.text, true));
            }
            KindOwner::Any if given.is_empty() => {
                let alone = self.game.kinds.len() == 1;
                for (i, symbol) in symbols.iter_mut().take(n_seats).enumerate() {
                    *symbol = if alone {
                        letter(&self.rules.seats[i].name, true)
                    } else if n_seats == 2 {
                        letter(&decl.name.text, i == 0)
                    } else {
                        letter(&decl.name.text, true)
                    };
                }
            }
            KindOwner::Any if given.len() == 1 => symbols[..n_seats].fill(given[0].clone()),
            KindOwner::Any => {
                for (symbol, sign) in symbols.iter_mut().zip(&given) {
                    symbol.clone_from(sign);
                }
            }
        }
        let fits = match owner {
            KindOwner::Any => given.len() <= 1 || given.len() == n_seats,
            _ => given.len() <= 1,
        };
        if let (false, Some(text)) = (fits, &decl.symbols) {
            self.say(errors::symbol_number(&decl.name.text, given.len(), n_seats, owner != KindOwner::Any, text.span));
        }
        if let Some(text) = &decl.symbols {
            let bad =
                |sign: &String| sign == "." || sign.chars().any(|c| c.is_ascii_digit() || c == '/' || c.is_control());
            let wrong: Vec<&str> = given.iter().filter(|sign| bad(sign)).map(String::as_str).collect();
            if !wrong.is_empty() {
                self.say(errors::symbol_sign(&wrong, text.span));
            }
        }
        symbols
    }

    /// Is it an option of numbers, perhaps with words that mean "no limit"?
    pub(super) fn is_number_option(&self, option: usize) -> bool {
        self.declared[option].allowed.iter().any(|one| matches!(one, Allowed::Int(_) | Allowed::Range(..)))
    }

    fn option_word_lists(&mut self) {
        for i in 0..self.declared.len() {
            let words: Vec<String> = self.declared[i]
                .allowed
                .iter()
                .filter_map(|one| match one {
                    Allowed::Word(word) => Some(word.clone()),
                    _ => None,
                })
                .collect();
            let text = self.declared[i].allowed.contains(&Allowed::Text);
            if words.len() > MOST_WORDS {
                let (n, span) = (words.len(), self.declared[i].span);
                self.say(errors::too_many_of("words for an option", n, MOST_WORDS, span));
            }
            let list = !words.is_empty() && !self.is_number_option(i) && !text;
            let list = list.then(|| self.word_list(words));
            self.option_words.push(list);
        }
    }

    pub(super) fn word_list(&mut self, words: Vec<String>) -> u16 {
        let symbols = words.iter().map(|word| word.chars().take(1).flat_map(char::to_uppercase).collect()).collect();
        self.rules.words.push(WordList { words, symbols });
        (self.rules.words.len() - 1) as u16
    }

    /// A number that must be known when the game is loaded.
    pub(super) fn number(&mut self, e: &ast::Expr) -> Option<i32> {
        let value = self.need(e, Ty::Int);
        if value.ty == Ty::Unknown {
            return None;
        }
        let code = value.as_const();
        if code.is_none() {
            self.say(errors::must_be_known(e.span));
        }
        code
    }

    fn board(&mut self) {
        let game = self.game;
        let Some((board, span)) = &game.board else {
            self.no_board = true;
            self.say(errors::part_missing("board", "board square 8", game.title_span));
            return;
        };
        let size = match &board.shape {
            ast::Shape::Square(n) => self.number(n).map(|n| (n, n, false)),
            ast::Shape::Grid(a, b) => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => Some((a, b, false)),
                _ => None,
            },
            ast::Shape::Line(n) => self.number(n).map(|n| (n, 1, true)),
            ast::Shape::Hexagon(_) => self.no_shape("hexagon", *span),
            ast::Shape::Rhombus(_) => self.no_shape("rhombus", *span),
            ast::Shape::Triangle(_) => self.no_shape("triangle", *span),
            ast::Shape::Drawing(_) => self.no_shape("drawing", *span),
            ast::Shape::Graph(_) => self.no_shape("graph", *span),
        };
        self.no_board = true;
        let Some((width, length, line)) = size else { return };
        let cells = i64::from(width) * i64::from(length);
        if width < 1 || length < 1 {
            self.say(errors::board_size(width, length, *span));
            return;
        }
        if cells > MOST_SITES {
            self.say(errors::board_too_large(cells, MOST_SITES, *span));
            return;
        }
        self.no_board = false;
        self.rules.board = if line { Board::line(width) } else { Board::grid(width, length) };
        for extra in &board.extras {
            match extra {
                ast::BoardExtra::Stacked(at) => self.say(errors::not_yet("piles of pieces (\"stacked\")", *at)),
                ast::BoardExtra::With(names) => {
                    let at = names.first().map_or(*span, |name| name.span);
                    self.say(errors::not_yet("edges and crossings", at));
                }
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

    fn no_shape(&mut self, word: &str, span: Span) -> Option<(i32, i32, bool)> {
        self.say(errors::not_yet(&format!("boards of this shape (\"{word}\")"), span));
        None
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
        let (width, length) = (self.rules.board.width as usize, self.rules.board.length as usize);
        if rows.len() != length || rows.iter().any(|row| row.len() != width) {
            return;
        }
        let all: Vec<&str> = rows.iter().rev().flatten().copied().collect();
        if let Some((_, twice)) = all.iter().enumerate().find(|(i, name)| all[..*i].contains(name)) {
            self.say(errors::site_twice(twice, text.span));
            return;
        }
        if let Some(name) = all.iter().find(|name| !is_word(name)) {
            self.say(errors::site_name(name, text.span));
            return;
        }
        for (site, name) in self.rules.board.sites.iter_mut().zip(all) {
            site.name = name.to_string();
        }
    }
}
