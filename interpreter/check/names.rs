//! What a single word means: a local, then the game's words, then the library's, then the words every game has, then a site's name.

use super::constant::bool_of;
use super::{Bound, Checker, Scope, errors, mk, unknown};
use crate::diagnostics::nearest::nearest;
use crate::house::SettingValue;
use crate::play::Value;
use crate::rules::board::DIRECTIONS;
use crate::rules::expr::SetOp;
use crate::rules::{Expr, ExprKind, NO_LIMIT, NONE, PerWhat, SiteSet, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// The words that every game has; a game cannot use them for something else.
pub(super) const READY: &[&str] = &[
    "board",
    "empty",
    "mine",
    "theirs",
    "pieces",
    "mover",
    "opponent",
    "others",
    "next",
    "players",
    "kinds",
    "nowhere",
    "nobody",
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
    "orthogonal",
    "diagonal",
    "any",
    "forward",
    "back",
    "left",
    "right",
    "ahead",
    "sideways",
    "turns",
    "stuck",
    "resigned",
    "repeats",
    "board_repeats",
    "unchanged",
];

/// Words that every game has and that take something in brackets; a name of one place may be called so too.
pub(super) const READY_CALLS: &[&str] =
    &["count", "sum", "min", "max", "abs", "toward", "turned", "mirrored", "lines", "opposite", "side"];

/// Ready-made words that a game may use for its own: its options are often called so.
pub(super) const SOFT: &[&str] = &["width", "length", "loop", "games", "edges", "crossings"];

impl Checker<'_> {
    /// An error if a new name is one of the words that every game has; a warning if it hides a library word.
    pub(super) fn warn_taken(&mut self, name: &ast::Name) {
        if READY.contains(&name.text.as_str()) {
            self.say(errors::taken(&name.text, name.span));
        }
    }

    /// The same for a definition or action, which may not be called like the words with brackets either; a warning if it hides a
    /// library word, unless it is made of it.
    pub(super) fn warn_taken_call(&mut self, name: &ast::Name, whole: Span) {
        self.warn_taken(name);
        let word = name.text.as_str();
        if READY_CALLS.contains(&word) {
            self.say(errors::taken(word, name.span));
        }
        let hidden = match (self.index.library_defines.get(word), self.index.library_actions.get(word)) {
            (Some(&at), _) => self.library.defines[at].item.head.name.span,
            (None, Some(&at)) => self.library.actions[at].item.head.name.span,
            (None, None) => return,
        };
        let made_of_it =
            || self.sources.words(whole).split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == "base");
        if name.span.file == self.game.file && !self.index.needs.contains_key(word) && !made_of_it() {
            self.say(errors::hides_library_word(word, name.span, hidden));
        }
    }

    fn find_local(&self, word: &str) -> Option<Bound> {
        self.names.iter().rev().flat_map(|block| block.iter().rev()).find(|(name, _)| name == word).map(|(_, b)| *b)
    }

    pub(super) fn local_named(&self, word: &str) -> Option<Bound> {
        self.find_local(word)
    }

    /// The variable of the game with this name.
    pub(super) fn var_named(&self, word: &str) -> Option<u16> {
        (self.scope == Scope::Game)
            .then(|| self.rules.vars.iter().position(|var| var.name == word).map(|i| i as u16))
            .flatten()
    }

    /// The table that a name stands for: a variable per site, or a parameter of type `counts`.
    pub(super) fn table_named(&self, word: &str) -> Option<u16> {
        match self.find_local(word) {
            Some(Bound::Table(var)) => Some(var),
            Some(Bound::Local(..) | Bound::Known(..)) => None,
            None => self.var_named(word).filter(|&var| self.rules.vars[var as usize].per == PerWhat::Site),
        }
    }

    pub(super) fn option_named(&self, word: &str) -> Option<usize> {
        (self.scope == Scope::Game).then(|| self.declared.iter().position(|option| option.name == word)).flatten()
    }

    pub(super) fn seat_named(&self, word: &str) -> Option<i32> {
        self.rules.seats.iter().position(|seat| seat.name == word).map(|i| i as i32)
    }

    pub(super) fn kind_named(&self, word: &str) -> Option<i32> {
        self.rules.kinds.iter().position(|kind| kind.name == word).map(|i| i as i32)
    }

    pub(super) fn track_named(&self, word: &str) -> Option<usize> {
        self.tracks.iter().position(|(name, _)| name == word)
    }

    /// A word of a list, as a constant, if the list has it.
    pub(super) fn word_in(&self, list: u16, word: &str, span: Span) -> Option<Expr> {
        let at = self.rules.words[list as usize].words.iter().position(|w| w == word)?;
        Some(Expr::scalar(at as i32, Ty::Word(list), span))
    }

    /// The list that a hint asks for.
    fn hinted_list(hint: Option<Ty>) -> Option<u16> {
        match hint {
            Some(Ty::Word(list) | Ty::Words(list)) => Some(list),
            _ => None,
        }
    }

    /// What a word means where no arguments follow.
    pub(super) fn name(&mut self, name: &ast::Name, hint: Option<Ty>) -> Expr {
        let (word, span) = (name.text.as_str(), name.span);
        match self.find_local(word) {
            Some(Bound::Local(id, ty)) => return mk(ExprKind::Local(id), ty, span),
            Some(Bound::Known(code, ty)) => return Expr::scalar(code, ty, span),
            Some(Bound::Table(var)) => {
                self.read_vars[var as usize] = true;
                return mk(ExprKind::CopyTable(var), Ty::Table(var), span);
            }
            None => {}
        }
        if let Some(list) = Self::hinted_list(hint)
            && let Some(e) = self.word_in(list, word, span)
        {
            return e;
        }
        if self.scope == Scope::Game {
            if let Some(e) = self.game_word(word, span) {
                return e;
            }
            if hint == Some(Ty::Int) && word == "none" {
                return Expr::scalar(NO_LIMIT, Ty::Int, span);
            }
        }
        if let Some(e) = self.defined(name, None) {
            return e;
        }
        if let Some(e) = self.ready_word(word, span) {
            return e;
        }
        if let Some((_, sites)) = self.seat_sites.iter().find(|(seat_site, _)| seat_site == word) {
            return self.by_seat(sites.clone(), Ty::Site, span);
        }
        if let Some(site) = self.rules.board.site(word) {
            return Expr::scalar(site, Ty::Site, span);
        }
        if looks_like_site(word) && self.no_board {
            return unknown(span);
        }
        if looks_like_site(word) {
            if self.place.dead == 0 {
                let board = &self.rules.board;
                let corner = board.sites.get(board.n_cells.saturating_sub(1)).map_or("?", |site| site.name.as_str());
                let first = board.sites.first().map_or("?", |site| site.name.as_str());
                let diag = errors::no_site(word, first, corner, span);
                self.say(diag);
            }
            return Expr::scalar(NONE, Ty::Site, span);
        }
        self.unknown_word(name);
        unknown(span)
    }

    /// A different constant for each seat, seen from the mover.
    pub(super) fn by_seat(&self, codes: Vec<i32>, ty: Ty, span: Span) -> Expr {
        let mover = mk(ExprKind::Mover, Ty::Player, span);
        let arms = codes
            .iter()
            .enumerate()
            .map(|(seat, &code)| (vec![(seat as i32, seat as i32)], Expr::scalar(code, ty, span)))
            .collect();
        mk(ExprKind::Match(Box::new(mover), arms, Box::new(Expr::scalar(NONE, ty, span))), ty, span)
    }

    pub(super) fn unknown_word(&mut self, name: &ast::Name) {
        if let Some((_, at, why)) = self.half_known.iter().find(|(half, ..)| *half == name.text) {
            let diag = errors::half_known(&name.text, why, name.span, *at);
            self.say(diag);
            return;
        }
        if self.is_unmet_need(&name.text) {
            self.need_is_met(&name.text);
            return;
        }
        if self.untold > 0 {
            // Too many errors to be told, this one among them; looking for the nearest word takes its time.
            self.say(errors::unknown_name(&name.text, None, name.span));
            return;
        }
        if let Some(meant) = errors::foreign_word(name) {
            self.say(meant);
            return;
        }
        let others = self.all_words().into_iter().filter(|word| *word != name.text);
        let near = nearest(&name.text, others).map(str::to_string);
        self.say(errors::unknown_name(&name.text, near.as_deref(), name.span));
    }

    /// A word that was meant to be something remembered.
    pub(super) fn unknown_assigned(&mut self, name: &ast::Name) {
        if self.half_known.iter().any(|(half, ..)| *half == name.text) {
            self.unknown_word(name);
            return;
        }
        let locals = self.names.iter().flatten().map(|(name, _)| name.as_str());
        let near = nearest(&name.text, locals.chain(self.rules.vars.iter().map(|var| var.name.as_str())));
        let diag = errors::unknown_assigned(&name.text, near, name.span);
        self.say(diag);
    }

    /// A word that was meant to be an action.
    pub(super) fn unknown_action(&mut self, name: &ast::Name) {
        if self.is_unmet_need(&name.text) {
            self.need_is_met(&name.text);
            return;
        }
        let actions: Vec<&str> = if self.scope == Scope::Game {
            let of_game = self.game.actions.iter().map(|action| action.layers[0].head.name.text.as_str());
            of_game.chain(self.library.actions.iter().map(|action| action.item.head.name.text.as_str())).collect()
        } else {
            self.library.actions.iter().map(|action| action.item.head.name.text.as_str()).collect()
        };
        let near = nearest(&name.text, actions).map(str::to_string);
        self.say(errors::unknown_action(&name.text, near.as_deref(), name.span));
    }

    /// All words that could be meant here, in a fixed order.
    pub(super) fn all_words(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        all.extend(self.names.iter().flatten().map(|(name, _)| name.as_str()));
        if self.scope == Scope::Game {
            all.extend(self.declared.iter().map(|option| option.name.as_str()));
            all.extend(self.game.defines.iter().map(|define| define.layers[0].head.name.text.as_str()));
            all.extend(self.game.actions.iter().map(|action| action.layers[0].head.name.text.as_str()));
            all.extend(self.rules.kinds.iter().map(|kind| kind.name.as_str()));
            all.extend(self.rules.seats.iter().map(|seat| seat.name.as_str()));
            all.extend(self.rules.vars.iter().map(|var| var.name.as_str()));
            all.extend(self.tracks.iter().map(|track| track.0.as_str()));
            all.extend(self.seat_sites.iter().map(|site| site.0.as_str()));
            all.extend(self.rules.board.sites.iter().skip(self.rules.board.n_cells).map(|site| site.word.as_str()));
            all.extend(self.rules.words.iter().flat_map(|list| list.words.iter().map(String::as_str)));
        }
        all.extend(self.library.defines.iter().map(|define| define.item.head.name.text.as_str()));
        all.extend(self.library.actions.iter().map(|action| action.item.head.name.text.as_str()));
        all.extend(READY.iter().chain(READY_CALLS).chain(SOFT));
        all
    }

    /// A warning if a new name of a statement hides one of a block around it.
    pub(super) fn warn_hidden(&mut self, name: &ast::Name) {
        let outer = self.names.len().saturating_sub(1);
        let hidden = self.names.iter().take(outer).flatten().any(|(other, _)| *other == name.text);
        if hidden && self.game.files.contains(&name.span.file) {
            self.say(errors::hides_name(&name.text, name.span));
        }
    }

    /// What is known of a name has turned out to be wrong, and has been told.
    pub(super) fn forget_type(&mut self, word: &str) {
        let bound = self.names.iter_mut().rev().flat_map(|block| block.iter_mut().rev());
        for (_, bound) in bound.filter(|(name, _)| name == word) {
            if let Bound::Local(_, ty) = bound {
                *ty = Ty::Unknown;
            }
        }
    }

    /// A word of the game: option, variable, kind, seat, track, word of a list.
    fn game_word(&mut self, word: &str, span: Span) -> Option<Expr> {
        if let Some(option) = self.option_named(word) {
            return Some(self.option_value(option, span));
        }
        if let Some(var) = self.var_named(word) {
            self.read_vars[var as usize] = true;
            return Some(self.variable(var, span));
        }
        if let Some(kind) = self.kind_named(word) {
            return Some(Expr::scalar(kind, Ty::Kind, span));
        }
        if let Some(seat) = self.seat_named(word) {
            return Some(Expr::scalar(seat, Ty::Player, span));
        }
        if let Some(track) = self.track_named(word) {
            let walks = self.tracks[track].1.clone();
            return Some(mk(ExprKind::TrackOf(walks), Ty::Track, span));
        }
        if self.index.defines.contains_key(word) {
            return None;
        }
        let option_lists: Vec<u16> = self.option_words.iter().flatten().copied().collect();
        let mut lists = (0..self.rules.words.len() as u16)
            .filter(|list| !option_lists.contains(list))
            .filter_map(|list| self.word_in(list, word, span));
        let first = lists.next()?;
        lists.next().is_none().then_some(first)
    }

    fn option_value(&mut self, option: usize, span: Span) -> Expr {
        self.used_options[option] = true;
        match &self.chosen[option].value {
            SettingValue::Int(n) => Expr::scalar(clamp(*n), Ty::Int, span),
            SettingValue::Bool(value) => bool_of(*value, span),
            SettingValue::Word(word) => match self.option_words[option] {
                Some(list) => {
                    let word = word.clone();
                    self.word_in(list, &word, span).unwrap_or_else(|| unknown(span))
                }
                // A word beside numbers means "no limit".
                None if matches!(self.declared[option].default, SettingValue::Int(_))
                    || self.is_number_option(option) =>
                {
                    Expr::scalar(NO_LIMIT, Ty::Int, span)
                }
                None => {
                    let text = word.clone();
                    self.text(&text, span)
                }
            },
        }
    }

    /// A text as a constant.
    pub(super) fn text(&mut self, text: &str, span: Span) -> Expr {
        let at = match self.text_codes.get(text) {
            Some(&at) => at,
            None => {
                let at = self.rules.texts.len();
                self.text_codes.insert(text.to_string(), at);
                self.rules.texts.push(text.to_string());
                self.rules.diagrams.push(None);
                at
            }
        };
        Expr::scalar(at as i32, Ty::Text, span)
    }

    fn variable(&mut self, var: u16, span: Span) -> Expr {
        let (ty, per) = (self.rules.vars[var as usize].ty, self.rules.vars[var as usize].per);
        // What cannot be remembered per site is told where it is declared.
        let no_table = per == PerWhat::Site && !matches!(ty, Ty::Int | Ty::Bool | Ty::Word(_));
        if ty == Ty::Unknown || no_table {
            self.broken = true;
            return unknown(span);
        }
        match self.rules.vars[var as usize].per {
            PerWhat::One => mk(ExprKind::Var(var, None), ty, span),
            PerWhat::Player => {
                let mover = mk(ExprKind::Mover, Ty::Player, span);
                mk(ExprKind::Var(var, Some(Box::new(mover))), ty, span)
            }
            PerWhat::Site => mk(ExprKind::CopyTable(var), Ty::Table(var), span),
            PerWhat::Kind => {
                let name = self.rules.vars[var as usize].name.clone();
                self.say(errors::whose_kind(&name, span));
                unknown(span)
            }
        }
    }

    pub(super) fn all_seats(&self) -> u64 {
        (1 << self.rules.seats.len()) - 1
    }

    /// A word that every game has.
    fn ready_word(&mut self, word: &str, span: Span) -> Option<Expr> {
        use ExprKind as K;
        if let Some(d) = DIRECTIONS.iter().position(|name| *name == word) {
            if !self.rules.board.has_direction(d as i32) && self.place.dead == 0 && !self.no_board {
                self.say(errors::direction_not_here(word, &self.directions(), span));
                return Some(unknown(span));
            }
            return Some(Expr::scalar(d as i32, Ty::Dir, span));
        }
        let mover = || mk(K::Mover, Ty::Player, span);
        let facing = |eighths: i32| mk(K::Facing(eighths), Ty::Dir, span);
        let single = |e: Expr, ty: Ty| mk(K::Single(Box::new(e)), ty, span);
        let union = |a: Expr, b: Expr, ty: Ty| mk(K::Set(SetOp::Or, Box::new(a), Box::new(b)), ty, span);
        if self.place.first && matches!(word, "stuck" | "repeats" | "board_repeats" | "loop" | "unchanged") {
            self.say(errors::nothing_before_the_game(word, span));
            return Some(unknown(span));
        }
        Some(match word {
            "board" => mk(K::ConstSites(self.rules.board.cells()), Ty::Sites, span),
            "empty" => mk(K::Empty, Ty::Sites, span),
            "pieces" => mk(K::Pieces, Ty::Sites, span),
            "mine" => mk(K::PiecesOf(Box::new(mover())), Ty::Sites, span),
            "theirs" => self.theirs(span),
            "mover" => mover(),
            "opponent" => {
                if !self.two_seats() {
                    self.say(errors::no_opponent(self.rules.seats.len(), span));
                    return Some(unknown(span));
                }
                mk(K::OtherSeat(Box::new(mover())), Ty::Player, span)
            }
            "others" => {
                let all = mk(K::ConstMask(self.all_seats()), Ty::Players, span);
                let me = single(mover(), Ty::Players);
                mk(K::Set(SetOp::Minus, Box::new(all), Box::new(me)), Ty::Players, span)
            }
            "next" => mk(K::Next, Ty::Player, span),
            "players" => mk(K::ConstMask(self.all_seats()), Ty::Players, span),
            "kinds" => mk(K::ConstMask((1 << self.rules.kinds.len()) - 1), Ty::Kinds, span),
            "nowhere" => Expr::scalar(NONE, Ty::Site, span),
            "nobody" => Expr::scalar(NONE, Ty::Player, span),
            "orthogonal" => mk(K::ConstMask(self.rules.board.orthogonal), Ty::Dirs, span),
            "diagonal" => mk(K::ConstMask(self.rules.board.diagonal), Ty::Dirs, span),
            "any" => mk(K::ConstMask(self.rules.board.any), Ty::Dirs, span),
            "forward" | "back" | "left" | "right" | "ahead" | "sideways" => {
                if self.rules.board.is_six() && !matches!(word, "forward" | "back") {
                    self.say(errors::direction_not_here(word, &self.directions(), span));
                    return Some(unknown(span));
                }
                let lost: Vec<&str> =
                    self.rules.seats.iter().filter(|seat| seat.facing == NONE).map(|seat| seat.name.as_str()).collect();
                if !lost.is_empty() {
                    let diag = errors::no_facing(word, &lost, self.directions().first().unwrap_or(&"north"), span);
                    self.say(diag);
                    return Some(unknown(span));
                }
                match word {
                    "forward" => facing(0),
                    "right" => facing(2),
                    "back" => facing(4),
                    "left" => facing(6),
                    "sideways" => union(single(facing(2), Ty::Dirs), single(facing(6), Ty::Dirs), Ty::Dirs),
                    _ => {
                        let sides = union(single(facing(7), Ty::Dirs), single(facing(1), Ty::Dirs), Ty::Dirs);
                        union(single(facing(0), Ty::Dirs), sides, Ty::Dirs)
                    }
                }
            }
            "turns" => mk(K::Turns, Ty::Int, span),
            "games" => {
                self.rules.uses.games = true;
                mk(K::Games, Ty::Int, span)
            }
            "resigned" => {
                self.rules.uses.resigned = true;
                mk(K::Resigned, Ty::Players, span)
            }
            "stuck" => mk(K::Stuck, Ty::Bool, span),
            "repeats" => {
                self.rules.uses.repeats = true;
                mk(K::Repeats, Ty::Int, span)
            }
            "board_repeats" => {
                self.rules.uses.board_repeats = true;
                mk(K::BoardRepeats, Ty::Int, span)
            }
            "loop" => {
                self.rules.uses.repeats = true;
                mk(K::LoopLength, Ty::Int, span)
            }
            "unchanged" => mk(K::Unchanged, Ty::Bool, span),
            "edges" if !self.rules.board.edges.is_empty() => self.side_sites(self.rules.board.edges.clone(), span),
            "crossings" if !self.rules.board.crossings.is_empty() => {
                self.side_sites(self.rules.board.crossings.clone(), span)
            }
            "edges" | "crossings" if self.place.dead > 0 || self.no_board => unknown(span),
            "edges" | "crossings" => {
                self.say(errors::no_sides(span));
                unknown(span)
            }
            "width" => Expr::scalar(self.rules.board.width, Ty::Int, span),
            "length" => Expr::scalar(self.rules.board.length, Ty::Int, span),
            _ => return None,
        })
    }

    fn theirs(&self, span: Span) -> Expr {
        use ExprKind as K;
        let mover = mk(K::Mover, Ty::Player, span);
        if self.two_seats() {
            let other = mk(K::OtherSeat(Box::new(mover)), Ty::Player, span);
            return mk(K::PiecesOf(Box::new(other)), Ty::Sites, span);
        }
        let minus = |a: Expr, b: Expr| mk(K::Set(SetOp::Minus, Box::new(a), Box::new(b)), Ty::Sites, span);
        let mine = mk(K::PiecesOf(Box::new(mover)), Ty::Sites, span);
        let nobody = Expr::scalar(NONE, Ty::Player, span);
        let neutral = mk(K::PiecesOf(Box::new(nobody)), Ty::Sites, span);
        minus(minus(mk(K::Pieces, Ty::Sites, span), mine), neutral)
    }

    fn side_sites(&self, sites: std::ops::Range<usize>, span: Span) -> Expr {
        let sites = SiteSet::of(self.rules.n_sites(), sites.map(|site| site as i32));
        mk(ExprKind::ConstSites(sites), Ty::Sites, span)
    }

    /// The constant set of no sites.
    pub(super) fn no_sites(&self, span: Span) -> Expr {
        mk(ExprKind::ConstSites(SiteSet::new(self.rules.n_sites())), Ty::Sites, span)
    }

    /// What there is of a type when nothing is said: 0, off, empty, nowhere, nobody, the first word.
    pub(super) fn none_of(&self, ty: Ty, span: Span) -> Expr {
        match Value::zero(ty, self.rules.n_sites()) {
            Value::Scalar(code) => Expr::scalar(code, ty, span),
            Value::Mask(mask) => mk(ExprKind::ConstMask(mask), ty, span),
            Value::Sites(sites) => mk(ExprKind::ConstSites(sites), ty, span),
            Value::Bag(bag) => mk(ExprKind::ConstBag(bag), ty, span),
        }
    }
}

/// Letters, then digits: the form of a cell's name.
pub(super) fn looks_like_site(word: &str) -> bool {
    let letters = word.chars().take_while(char::is_ascii_lowercase).count();
    let rest = &word[letters..];
    (1..=2).contains(&letters) && !rest.is_empty() && rest.len() <= 3 && rest.chars().all(|c| c.is_ascii_digit())
}

pub(super) fn clamp(n: i64) -> i32 {
    n.clamp(i64::from(-NO_LIMIT + 1), i64::from(NO_LIMIT - 1)) as i32
}
