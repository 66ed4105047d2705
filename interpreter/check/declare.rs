//! What a game declares: seats, board, kinds, options, things remembered, tracks.

use super::names::READY;
use super::{Checker, Place, Scope, errors, mk};
use crate::assemble::Game;
use crate::diagnostics::Diagnostics;
use crate::house::{Allowed, Declared, SettingValue};
use crate::play::signs::Signs;
use crate::rules::board::DIRECTIONS;
use crate::rules::{
    BagTy, Board, Diagram, Expr, ExprKind, Kind, KindOwner, NO_LIMIT, NONE, PerWhat, Rules, Seat, SiteSet, Track, Ty,
    Uses, Var, WordList,
};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A, TypeKind};

/// Most sites of a board, extra ones included.
pub const MOST_SITES: i64 = 1024;
/// Most seats.
pub const MOST_SEATS: usize = 8;
/// Most kinds of pieces.
pub const MOST_KINDS: usize = 32;
/// Most steps of a walk.
pub const MOST_STEPS: usize = 4096;
/// Turns after which a game without an end is unfinished.
pub const TURN_LIMIT: u32 = 10_000;
/// Rounds of loops in one move.
pub const FUEL: u32 = 100_000;

/// The options that a game declares, for holding settings against them.
pub fn declared_options(game: &Game) -> (Vec<Declared>, Diagnostics) {
    let mut found = Vec::new();
    let mut declared = Vec::new();
    for option in &game.options {
        let item = &option.item;
        if item.name.text == crate::house::RESERVED {
            found.push(errors::first_is_setting(item.name.span));
            continue;
        }
        if READY.contains(&item.name.text.as_str()) {
            found.push(errors::taken(&item.name.text, item.name.span));
        }
        let Some(default) = setting(&item.default) else {
            found.push(errors::option_default(&item.name.text, item.default.span));
            continue;
        };
        let mut allowed = Vec::new();
        match &default {
            SettingValue::Bool(_) => allowed.push(Allowed::Bool),
            SettingValue::Int(n) => allowed.push(Allowed::Int(*n)),
            SettingValue::Word(_) if matches!(&*item.default.kind, A::Text(_)) => allowed.push(Allowed::Text),
            SettingValue::Word(word) => allowed.push(Allowed::Word(word.clone())),
        }
        for value in &item.values {
            match &*value.kind {
                A::Range(a, b) => match (setting(a), setting(b)) {
                    (Some(SettingValue::Int(lo)), Some(SettingValue::Int(hi))) if lo <= hi => {
                        allowed.push(Allowed::Range(lo, hi));
                    }
                    _ => found.push(errors::option_value(value.span)),
                },
                _ => match setting(value) {
                    Some(SettingValue::Int(n)) => allowed.push(Allowed::Int(n)),
                    Some(SettingValue::Word(word)) => allowed.push(Allowed::Word(word)),
                    Some(SettingValue::Bool(on)) => {
                        if !matches!(default, SettingValue::Bool(_)) {
                            allowed.push(Allowed::Word(if on { "on" } else { "off" }.to_string()));
                        }
                    }
                    None => found.push(errors::option_value(value.span)),
                },
            }
        }
        if let SettingValue::Int(_) = default
            && allowed.iter().any(|one| matches!(one, Allowed::Text | Allowed::Bool))
        {
            found.push(errors::option_value(item.default.span));
        }
        declared.push(Declared {
            name: item.name.text.clone(),
            span: item.name.span,
            docs: option.docs.clone(),
            default,
            allowed,
        });
    }
    (declared, found)
}

fn setting(e: &ast::Expr) -> Option<SettingValue> {
    Some(match &*e.kind {
        A::Int(n) => SettingValue::Int(*n),
        A::Negate(inner) => match &*inner.kind {
            A::Int(n) => SettingValue::Int(-*n),
            _ => return None,
        },
        A::Bool(on) => SettingValue::Bool(*on),
        A::Name(name) => SettingValue::Word(name.text.clone()),
        A::Text(text) => SettingValue::Word(text.value.clone()),
        _ => return None,
    })
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
        turn_limit: TURN_LIMIT,
        fuel: FUEL,
        uses: Uses::default(),
    }
}

impl Checker<'_> {
    pub(super) fn declare(&mut self) {
        self.seats();
        self.kinds();
        self.option_word_lists();
        self.board();
        self.remembers();
        self.tracks();
        self.clashes();
    }

    /// One name for one thing: sorts of items that share the words of the game.
    fn clashes(&mut self) {
        let game = self.game;
        let mut seen: Vec<(&str, Span)> = Vec::new();
        let names = game
            .options
            .iter()
            .map(|option| &option.item.name)
            .chain(game.kinds.iter().map(|(kind, _)| &kind.name))
            .chain(game.remembers.iter().map(|remember| &remember.item.name))
            .chain(game.defines.iter().map(|define| &define.layers[0].head.name))
            .chain(game.actions.iter().map(|action| &action.layers[0].head.name))
            .chain(game.players.iter().flat_map(|(players, _)| players.iter().map(|player| &player.name)));
        let mut found = Vec::new();
        for name in names {
            match seen.iter().find(|(word, _)| *word == name.text) {
                // Two items of one file have been reported when the file was read.
                Some((_, span)) if span.file != name.span.file => {
                    found.push(errors::defined_twice(&name.text, name.span, *span))
                }
                Some((_, span)) if *span != name.span => {
                    found.push(errors::defined_twice(&name.text, name.span, *span))
                }
                _ => seen.push((&name.text, name.span)),
            }
        }
        for diag in found {
            let again = |other: &crate::diagnostics::Diagnostic| {
                other.code == "defined-twice" && other.place.span == diag.place.span
            };
            if !self.found.iter().any(again) {
                self.say(diag);
            }
        }
        for (kind, _) in &game.kinds {
            self.warn_taken(&kind.name);
        }
        for define in &game.defines {
            self.warn_taken_call(&define.layers[0].head.name);
        }
        for action in &game.actions {
            self.warn_taken_call(&action.layers[0].head.name);
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
            if let Some(before) = players[..i].iter().find(|other| other.name.text == player.name.text) {
                self.say(errors::defined_twice(&player.name.text, player.name.span, before.name.span));
            }
            let facing = match &player.facing {
                Some(dir) => match DIRECTIONS.iter().position(|name| *name == dir.text) {
                    Some(d) => d as i32,
                    None => {
                        self.say(errors::no_direction(&dir.text, dir.span));
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
                None => {
                    let names: Vec<String> = self.rules.seats.iter().map(|seat| seat.name.clone()).collect();
                    self.say(errors::no_seat(&first, &names, span));
                }
            }
        }
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
                        self.unknown_word(name);
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
            let wanted = if owner == KindOwner::Any { n_seats } else { 1 };
            self.say(errors::symbol_number(&decl.name.text, given.len(), wanted, text.span));
        }
        if let Some(text) = &decl.symbols {
            let bad =
                |sign: &String| sign == "." || sign.chars().any(|c| c.is_ascii_digit() || c == '/' || c.is_control());
            if let Some(sign) = given.iter().find(|sign| bad(sign)) {
                self.say(errors::symbol_sign(sign, text.span));
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
            let list = !words.is_empty() && !self.is_number_option(i) && !text;
            let list = list.then(|| self.word_list(words));
            self.option_words.push(list);
        }
    }

    fn word_list(&mut self, words: Vec<String>) -> u16 {
        let symbols = words.iter().map(|word| word.chars().take(1).flat_map(char::to_uppercase).collect()).collect();
        self.rules.words.push(WordList { words, symbols });
        (self.rules.words.len() - 1) as u16
    }

    /// A number that must be known when the game is loaded.
    fn number(&mut self, e: &ast::Expr) -> Option<i32> {
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
        let board = &self.rules.board;
        let word = &site.name.text;
        if board.site(word).is_some() || self.seat_sites.iter().any(|(other, _)| other == word) {
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
        for (site, name) in self.rules.board.sites.iter_mut().zip(all) {
            site.name = name.to_string();
        }
    }

    // ---- things remembered

    fn remembers(&mut self) {
        let game = self.game;
        for remember in &game.remembers {
            let item = &remember.item;
            if self.rules.vars.len() >= 1000 {
                self.say(errors::too_many_of("things remembered", game.remembers.len(), 1000, item.name.span));
                break;
            }
            if item.secret {
                self.say(errors::not_yet("secrets (\"remember secret\")", item.name.span));
            }
            let per = match item.per {
                None => PerWhat::One,
                Some(ast::Per::Player) => PerWhat::Player,
                Some(ast::Per::Site) => PerWhat::Site,
                Some(ast::Per::Kind) => PerWhat::Kind,
            };
            let said = item.ty.as_ref().and_then(|ty| self.type_of(ty));
            let (ty, range) = match (said, &item.init) {
                (Some(said), _) => said,
                (None, Some(init)) if item.ty.is_none() => {
                    let quiet = self.found.len();
                    let value = self.expr(init, None);
                    if value.ty == Ty::Unknown {
                        // It may use what is declared further down; the second reading below has the last word.
                        self.found.truncate(quiet);
                    }
                    let ty = match value.ty {
                        Ty::Unknown => Ty::Int,
                        Ty::Track => Ty::Step,
                        ty => ty,
                    };
                    (ty, (i32::MIN, NO_LIMIT))
                }
                _ => (Ty::Int, (i32::MIN, NO_LIMIT)),
            };
            let table_ok = matches!(ty, Ty::Int | Ty::Bool | Ty::Word(_));
            if per == PerWhat::Site && !table_ok {
                let span = item.ty.as_ref().map_or(item.name.span, |ty| ty.span);
                let diag = errors::table_type(self, &item.name.text, ty, span);
                self.say(diag);
            }
            let init = zero(ty, self.rules.n_sites(), item.name.span);
            self.rules.vars.push(Var {
                name: item.name.text.clone(),
                per,
                ty: if per == PerWhat::Site && !table_ok { Ty::Int } else { ty },
                range,
                init,
                counter: item.counter,
                secret: item.secret,
                span: item.name.span,
            });
            self.read_vars.push(false);
        }
    }

    /// Reads the first values, once everything that they may mention is declared.
    fn first_values(&mut self) {
        let game = self.game;
        for (i, remember) in game.remembers.iter().enumerate().take(self.rules.vars.len()) {
            if let Some(init) = &remember.item.init {
                let ty = self.rules.vars[i].ty;
                let value = self.apart(Scope::Game, Place::default(), |me| me.need(init, ty));
                if value.ty != Ty::Unknown {
                    self.rules.vars[i].init = value;
                }
            }
        }
    }

    /// A written type, and the numbers it allows.
    pub(super) fn type_of(&mut self, e: &ast::TypeExpr) -> Option<(Ty, (i32, i32))> {
        let all = (i32::MIN, NO_LIMIT);
        let plain = |ty: Ty| Some((ty, all));
        match &e.kind {
            TypeKind::Named(name) => match name.text.as_str() {
                "int" => plain(Ty::Int),
                "bool" => plain(Ty::Bool),
                "site" => plain(Ty::Site),
                "sites" => plain(Ty::Sites),
                "dir" => plain(Ty::Dir),
                "dirs" => plain(Ty::Dirs),
                "player" => plain(Ty::Player),
                "players" => plain(Ty::Players),
                "kind" => plain(Ty::Kind),
                "kinds" => plain(Ty::Kinds),
                "step" => plain(Ty::Step),
                "text" => plain(Ty::Text),
                other => {
                    self.say(errors::no_type(other, name.span));
                    None
                }
            },
            TypeKind::Words(names) => {
                for name in names {
                    self.warn_taken(name);
                }
                let words = names.iter().map(|name| name.text.clone()).collect();
                let list = self.word_list(words);
                plain(Ty::Word(list))
            }
            TypeKind::Range(range) => {
                let (lo, hi) = self.known_range(range)?;
                Some((Ty::Int, (lo, hi)))
            }
            TypeKind::BagOfRange(range) => {
                let (lo, hi) = self.known_range(range)?;
                if i64::from(hi) - i64::from(lo) >= 16 {
                    self.say(errors::bag_too_wide(range.span));
                    return None;
                }
                plain(Ty::Bag(BagTy { kinds: false, lo, n: (hi - lo + 1) as u8 }))
            }
            TypeKind::BagOf(name) => {
                if name.text != "kind" {
                    self.say(errors::bag_of(&name.text, name.span));
                    return None;
                }
                let bag = self.kind_bag_ty(e.span)?;
                plain(Ty::Bag(bag))
            }
        }
    }

    fn known_range(&mut self, e: &ast::Expr) -> Option<(i32, i32)> {
        if let A::Range(a, b) = &*e.kind {
            let (lo, hi) = (self.number(a)?, self.number(b)?);
            if lo > hi {
                self.say(errors::empty_range(lo, hi, e.span));
                return None;
            }
            return Some((lo, hi));
        }
        self.say(errors::must_be_known(e.span));
        None
    }

    // ---- tracks

    fn tracks(&mut self) {
        let game = self.game;
        for track in &game.tracks {
            let item = &track.item;
            let per_seat = item.per.is_some() || item.owner.is_some();
            let n_seats = self.rules.seats.len();
            let seats: Vec<usize> = match &item.owner {
                Some(owner) => match self.rules.seats.iter().position(|seat| seat.name == owner.text) {
                    Some(seat) => vec![seat],
                    None => {
                        self.unknown_word(owner);
                        continue;
                    }
                },
                None if per_seat => (0..n_seats).collect(),
                None => vec![0],
            };
            self.warn_taken(&item.name);
            let mut made = Vec::new();
            for &seat in &seats {
                let sites = self.walk(item, seat as i32);
                if sites.len() > MOST_STEPS {
                    self.say(errors::too_many_of("steps of a track", sites.len(), MOST_STEPS, track.span));
                    break;
                }
                let (sites, ways): (Vec<i32>, Vec<i32>) = sites.into_iter().unzip();
                let names = self.step_names(&sites, &ways, item.closed);
                self.rules.tracks.push(Track {
                    name: item.name.text.clone(),
                    seat: per_seat.then_some(seat as u8),
                    closed: item.closed,
                    sites,
                    names,
                });
                made.push((seat, (self.rules.tracks.len() - 1) as u32));
            }
            let Some(&(_, first)) = made.first() else { continue };
            match self.tracks.iter().position(|(name, _)| *name == item.name.text) {
                Some(at) => {
                    for (seat, walk) in made {
                        self.tracks[at].1[seat] = walk;
                    }
                }
                None => {
                    let mut walks = vec![first; n_seats];
                    if per_seat {
                        for (seat, walk) in made {
                            walks[seat] = walk;
                        }
                    }
                    self.tracks.push((item.name.text.clone(), walks));
                }
            }
        }
        self.first_values();
    }

    /// The sites of a track, seen from a seat, and the way it goes at each.
    fn walk(&mut self, track: &ast::Track, seat: i32) -> Vec<(i32, i32)> {
        let mut walk: Vec<(i32, i32)> = Vec::new();
        for stretch in &track.stretches {
            let going =
                stretch.going.as_ref().map(|dir| self.need(dir, Ty::Dir)).and_then(|dir| self.code_of(&dir, seat));
            // `p24..p1` runs in the order in which it is written.
            if let (A::Range(a, b), None) = (&*stretch.sites.kind, going) {
                let (a, b) = (self.need(a, Ty::Site), self.need(b, Ty::Site));
                if let (Some(a), Some(b)) = (self.code_of(&a, seat), self.code_of(&b, seat)) {
                    match self.between(a, b) {
                        Some(sites) => walk.extend(sites),
                        None => self.say(errors::stretch_straight(stretch.sites.span)),
                    }
                }
                continue;
            }
            let set = self.need(&stretch.sites, Ty::Sites);
            if set.ty == Ty::Unknown {
                continue;
            }
            let Some(set) = self.sites_of(&set, seat) else {
                self.say(errors::must_be_known(stretch.sites.span));
                continue;
            };
            match going {
                Some(dir) => {
                    let mut sites: Vec<i32> = set.iter().collect();
                    let (dx, dy) = crate::rules::board::delta(dir.rem_euclid(8) as usize);
                    let board = &self.rules.board;
                    sites.sort_by_key(|&s| {
                        let site = &board.sites[s as usize];
                        (site.x * dx + site.y * dy, s)
                    });
                    walk.extend(sites.into_iter().map(|site| (site, dir)));
                }
                None if set.count() <= 1 => walk.extend(set.iter().map(|site| (site, NONE))),
                None => self.say(errors::stretch_going(stretch.sites.span)),
            }
        }
        walk
    }

    /// From one site straight to another, both included, with the direction.
    fn between(&self, a: i32, b: i32) -> Option<Vec<(i32, i32)>> {
        if a == b {
            return Some(vec![(a, NONE)]);
        }
        (0..8).find_map(|dir| {
            let mut sites = vec![(a, dir)];
            let mut here = a;
            while here != NONE {
                here = self.rules.board.step(here, dir);
                sites.push((here, dir));
                if here == b {
                    return Some(sites);
                }
            }
            None
        })
    }

    fn code_of(&mut self, e: &Expr, seat: i32) -> Option<i32> {
        if let Some(code) = e.as_const() {
            return (e.ty != Ty::Unknown).then_some(code);
        }
        crate::reference::constant(&self.rules, e, seat).and_then(|value| match value {
            crate::play::Value::Scalar(code) => Some(code),
            _ => None,
        })
    }

    fn sites_of(&mut self, e: &Expr, seat: i32) -> Option<SiteSet> {
        match crate::reference::constant(&self.rules, e, seat)? {
            crate::play::Value::Sites(set) => Some(set),
            _ => None,
        }
    }

    /// How each step is written: a site that is passed twice says which way.
    fn step_names(&self, sites: &[i32], ways: &[i32], closed: bool) -> Vec<String> {
        let twice = sites.iter().enumerate().any(|(i, site)| sites[..i].contains(site));
        let board = &self.rules.board;
        let mut names: Vec<String> = Vec::new();
        for (i, &site) in sites.iter().enumerate() {
            let mut name = board.sites.get(site as usize).map_or_else(|| "?".to_string(), |site| site.name.clone());
            if twice {
                let next = if i + 1 < sites.len() { Some(sites[i + 1]) } else { closed.then(|| sites[0]) };
                let straight = next.and_then(|next| (0..8).find(|&d| board.step(site, d) == next));
                let way = if ways[i] != NONE { ways[i] } else { straight.unwrap_or(NONE) };
                name.push_str(match way {
                    0 => "^",
                    1..=3 => ">",
                    4 => "v",
                    5..=7 => "<",
                    _ => "",
                });
            }
            names.push(name);
        }
        // Should two steps still look alike, their numbers tell them apart.
        let plain = names.clone();
        for (i, name) in names.iter_mut().enumerate() {
            if plain.iter().filter(|other| *other == &plain[i]).count() > 1 {
                name.push_str(&(i + 1).to_string());
            }
        }
        names
    }

    // ---- diagrams

    /// Reads every text that an expression can give as a diagram.
    pub(super) fn diagrams_of(&mut self, e: &Expr, corner: bool) {
        let mut texts = Vec::new();
        self.texts_in(e, &mut texts, 0);
        for (code, span) in texts {
            let text = self.rules.texts[code].clone();
            let read =
                Signs::new(&self.rules.seats, &self.rules.kinds, &self.rules.vars, &self.rules.words).rows(&text);
            match read {
                Ok(rows) => {
                    let (width, length) = (self.rules.board.width as usize, self.rules.board.length as usize);
                    if !corner && self.place.dead == 0 {
                        if rows.len() != length {
                            self.say(errors::diagram_rows(rows.len(), length, span));
                        } else if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
                            self.say(errors::diagram_row(i + 1, row.len(), width, span));
                        }
                    }
                    self.rules.diagrams[code] = Some(Diagram { rows });
                }
                Err(error) => {
                    self.say(errors::diagram(&error.to_string(), span));
                    self.rules.diagrams[code] = Some(Diagram::default());
                }
            }
        }
    }

    fn texts_in(&self, e: &Expr, out: &mut Vec<(usize, Span)>, depth: u32) {
        if depth > 64 {
            return;
        }
        match &e.kind {
            ExprKind::Const(code) if e.ty == Ty::Text => out.push((*code as usize, e.span)),
            ExprKind::If(_, a, b) => {
                self.texts_in(a, out, depth + 1);
                self.texts_in(b, out, depth + 1);
            }
            ExprKind::Match(_, arms, last) => {
                for (_, arm) in arms {
                    self.texts_in(arm, out, depth + 1);
                }
                self.texts_in(last, out, depth + 1);
            }
            ExprKind::Let(_, _, body) | ExprKind::From(_, body) => self.texts_in(body, out, depth + 1),
            ExprKind::Call(def, args) => {
                for arg in args {
                    self.texts_in(arg, out, depth + 1);
                }
                if let Some(def) = self.rules.defs.get(*def as usize) {
                    self.texts_in(&def.body, out, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// What a variable holds when nothing is said.
fn zero(ty: Ty, n_sites: usize, span: Span) -> Expr {
    let kind = match ty {
        Ty::Sites => ExprKind::ConstSites(SiteSet::new(n_sites)),
        Ty::Bag(bag) => ExprKind::ConstBag(vec![0; bag.n as usize]),
        Ty::Site | Ty::Player | Ty::Kind | Ty::Dir | Ty::Step => ExprKind::Const(NONE),
        ty if ty.is_mask() => ExprKind::ConstMask(0),
        _ => ExprKind::Const(0),
    };
    mk(kind, ty, span)
}
