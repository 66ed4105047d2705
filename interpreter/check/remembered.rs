//! Things remembered, and types as they are written.

use super::declare::MOST_WORDS;
use super::{Checker, Place, Scope, errors, mk};
use crate::rules::{BagTy, Expr, ExprKind, NO_LIMIT, NONE, PerWhat, SiteSet, Ty, Var};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A, TypeKind};

/// How long a chain of things may be of which each begins as the next one does, which is declared below it.
const MOST_PASSES: usize = 8;
/// Most things remembered.
pub const MOST_VARS: usize = 1_000;

impl Checker<'_> {
    pub(super) fn remembers(&mut self) {
        let game = self.game;
        for remember in &game.remembers {
            let item = &remember.item;
            if self.rules.vars.len() >= MOST_VARS {
                let n = game.remembers.len();
                self.say(errors::too_many_of("things remembered", n, MOST_VARS, item.name.span));
                break;
            }
            if item.secret && item.per != Some(ast::Per::Player) {
                self.say(errors::secret_whose(&item.name.text, item.name.span));
            }
            let per = match item.per {
                None => PerWhat::One,
                Some(ast::Per::Player) => PerWhat::Player,
                Some(ast::Per::Site) => PerWhat::Site,
                Some(ast::Per::Kind) => PerWhat::Kind,
            };
            let (ty, range) = match &item.ty {
                Some(written) => self.type_of(written).unwrap_or((Ty::Unknown, (i32::MIN, NO_LIMIT))),
                // As the value given, which may use what is declared further down.
                None if item.init.is_some() => (Ty::Unknown, (i32::MIN, NO_LIMIT)),
                None => (Ty::Int, (i32::MIN, NO_LIMIT)),
            };
            if ty == Ty::Text {
                // Its first value is the empty text, which is number 0 if nothing else is.
                self.text("", item.name.span);
            }
            let init = zero(ty, self.rules.n_sites(), item.name.span);
            self.rules.vars.push(Var {
                name: item.name.text.clone(),
                per,
                ty,
                range,
                init,
                counter: item.counter,
                secret: item.secret,
                lasting: item.lasting,
                span: item.name.span,
            });
            self.read_vars.push(false);
        }
        self.types_of_values();
    }

    /// Finds out what those hold of which only the first value is given; one may begin as another does.
    fn types_of_values(&mut self) {
        let game = self.game;
        for _ in 0..MOST_PASSES {
            let mut found_out = false;
            for (i, remember) in game.remembers.iter().enumerate().take(self.rules.vars.len()) {
                let item = &remember.item;
                let (Ty::Unknown, None, Some(init)) = (self.rules.vars[i].ty, &item.ty, &item.init) else { continue };
                let value = self.quietly(|me| me.expr(init, None));
                let ty = if value.ty == Ty::Track { Ty::Step } else { value.ty };
                if ty != Ty::Unknown {
                    found_out = true;
                    self.rules.vars[i].ty = ty;
                    self.rules.vars[i].init = zero(ty, self.rules.n_sites(), item.name.span);
                }
            }
            if !found_out {
                break;
            }
        }
    }

    /// Reads something that will be read again, as if it had not been.
    fn quietly<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let (found, untold, defs) = (self.found.len(), self.untold, self.rules.defs.len());
        let flags = (self.broken, self.too_large, self.too_deep);
        let needs_met = self.needs_met.clone();
        let value = read(self);
        self.found.truncate(found);
        self.untold = untold;
        (self.broken, self.too_large, self.too_deep) = flags;
        self.needs_met = needs_met;
        self.made.retain(|_, made| (made.id as usize) < defs);
        self.rules.defs.truncate(defs);
        value
    }

    /// Reads the first values, once everything that they may mention is declared.
    pub(super) fn first_values(&mut self) {
        let game = self.game;
        // Some begin on a track, and those are known now.
        self.types_of_values();
        let mut told = Vec::new();
        for (i, remember) in game.remembers.iter().enumerate().take(self.rules.vars.len()) {
            let (var, item) = (&self.rules.vars[i], &remember.item);
            let table_ok = matches!(var.ty, Ty::Int | Ty::Bool | Ty::Word(_) | Ty::Unknown);
            if var.per == PerWhat::Site && !table_ok {
                let span = item.ty.as_ref().map_or(item.name.span, |ty| ty.span);
                self.say(errors::table_type(&item.name.text, var.ty, span));
                self.rules.vars[i].ty = Ty::Unknown;
                told.push(i);
            }
        }
        for (i, remember) in game.remembers.iter().enumerate().take(self.rules.vars.len()) {
            if let Some(init) = &remember.item.init {
                let (ty, (lo, hi)) = (self.rules.vars[i].ty, self.rules.vars[i].range);
                let broken = std::mem::take(&mut self.broken);
                let value = self.apart(Scope::Game, Place { first: true, ..Place::default() }, |me| me.need(init, ty));
                let unseen = value.ty == Ty::Unknown || ty == Ty::Unknown;
                if unseen && !self.broken && remember.item.ty.is_none() && !told.contains(&i) {
                    self.say(errors::value_unknown(&remember.item.name.text, init.span));
                }
                self.broken |= broken;
                if let (Ty::Int, Some(n)) = (ty, value.as_const())
                    && !(lo..=hi).contains(&n)
                    && self.place.dead == 0
                {
                    self.say(errors::first_value(&remember.item.name.text, n, lo, hi, init.span));
                }
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
                if let Some(&list) = self.written_lists.get(&e.span) {
                    return plain(Ty::Word(list));
                }
                for (i, name) in names.iter().enumerate() {
                    self.warn_taken(name);
                    if let Some(before) = names[..i].iter().find(|before| before.text == name.text) {
                        self.say(errors::defined_twice(&name.text, name.span, before.span));
                    }
                }
                if names.len() > MOST_WORDS {
                    self.say(errors::too_many_of("words", names.len(), MOST_WORDS, e.span));
                    return None;
                }
                let words: Vec<String> = names.iter().map(|name| name.text.clone()).collect();
                // The same words are the same list, wherever they are written; but those of options are known there alone.
                let written = |list: &&u16| self.rules.words[**list as usize].words == words;
                let list = match self.written_lists.values().find(written) {
                    Some(&list) => list,
                    None => self.word_list(words),
                };
                self.written_lists.insert(e.span, list);
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
