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
        view: None,
        notation: None,
        properties: Vec::new(),
        probes: Vec::new(),
        scripts: Vec::new(),
        bounds: Bounds::usual(),
        uses: Uses::default(),
        callers: BTreeMap::new(),
    }
}

/// Can a rule name a site so?
pub(super) fn is_word(name: &str) -> bool {
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
            let list = !words.is_empty() && words.len() <= MOST_WORDS && !self.is_number_option(i) && !text;
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
}
