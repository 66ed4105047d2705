//! Definitions, actions and the words that every game has and that take something in brackets.
//!
//! A definition is made once for each set of tables it is given (`counts`); an action is written out wherever it is called.

use std::collections::{BTreeMap, BTreeSet};

use super::{Bound, Checker, DefKey, Made, Place, Scope, errors, mk, unknown};
use crate::assemble::{Game, Library};
use crate::rules::{Def, Expr, ExprKind, LocalId, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

/// A parameter and what it was given.
pub(super) enum Given {
    /// A value.
    Value(Expr),
    /// A table.
    Table(u16),
}

/// Where the words of definitions and actions are.
pub(super) struct Index<'a> {
    pub(super) defines: BTreeMap<&'a str, usize>,
    pub(super) actions: BTreeMap<&'a str, usize>,
    pub(super) library_defines: BTreeMap<&'a str, usize>,
    pub(super) library_actions: BTreeMap<&'a str, usize>,
    pub(super) needs: BTreeMap<&'a str, usize>,
}

impl<'a> Index<'a> {
    pub(super) fn new(game: &'a Game, library: &'a Library) -> Self {
        fn of<'n>(
            names: impl DoubleEndedIterator<Item = &'n ast::Name> + ExactSizeIterator,
        ) -> BTreeMap<&'n str, usize> {
            // Of two of one name the first counts.
            names.enumerate().rev().map(|(i, name)| (name.text.as_str(), i)).collect()
        }
        Index {
            defines: of(game.defines.iter().map(|define| &define.layers[0].head.name)),
            actions: of(game.actions.iter().map(|action| &action.layers[0].head.name)),
            library_defines: of(library.defines.iter().map(|define| &define.item.head.name)),
            library_actions: of(library.actions.iter().map(|action| &action.item.head.name)),
            needs: of(library.needs.iter().map(|needs| &needs.item.head.name)),
        }
    }
}

impl<'a> Checker<'a> {
    /// Checks the definitions that nobody called, so that no mistake stays hidden.
    pub(super) fn definitions(&mut self) {
        let game = self.game;
        self.generic = true;
        for define in game.defines.iter().filter(|define| define.layers.len() > 1) {
            self.same_sort_as_before(define);
        }
        for define in &game.defines {
            let head = &define.layers[0].head;
            self.parameter_names(head);
            let tables = head.params.iter().filter(|param| is_counts(param)).count();
            let Some(table) = self.any_table().filter(|_| tables > 0).or((tables == 0).then_some(0)) else { continue };
            let key = (Scope::Game, head.name.text.clone(), 0, vec![table; tables], Vec::new());
            self.make(&key, head.name.span);
        }
        self.generic = false;
    }

    /// Some table of numbers, for reading what takes one.
    pub(super) fn any_table(&self) -> Option<u16> {
        let table = |var: &crate::rules::Var| var.per == crate::rules::PerWhat::Site && var.ty == Ty::Int;
        self.rules.vars.iter().position(table).map(|var| var as u16)
    }

    /// No two parameters of one name, and none that is a word of the language.
    pub(super) fn parameter_names(&mut self, head: &ast::Head) {
        for (i, param) in head.params.iter().enumerate() {
            self.warn_taken(&param.name);
            if let Some(before) = head.params[..i].iter().find(|before| before.name.text == param.name.text) {
                self.say(errors::defined_twice(&param.name.text, param.name.span, before.name.span));
            }
        }
    }

    fn layers(&self, key: &DefKey) -> Option<&'a ast::Define> {
        match key.0 {
            Scope::Game => self.game.defines[*self.index.defines.get(key.1.as_str())?].layers.get(key.2),
            Scope::Library => Some(&self.library.defines[*self.index.library_defines.get(key.1.as_str())?].item),
        }
    }

    /// Where a definition of this name is found from here.
    fn find_define(&self, word: &str) -> Option<Scope> {
        if self.index.defines.contains_key(word) && (self.scope == Scope::Game || self.index.needs.contains_key(word)) {
            return Some(Scope::Game);
        }
        self.index.library_defines.contains_key(word).then_some(Scope::Library)
    }

    /// Holds a definition against the one that it replaces.
    fn same_sort_as_before(&mut self, define: &'a crate::assemble::Layered<ast::Define>) {
        let (now, before) = (&define.layers[0].head, &define.layers[1].head);
        let word = &now.name.text;
        if let Some(diag) = errors::replaced_parameters(now, before) {
            self.misfits.insert(word.clone());
            self.say(diag);
            return;
        }
        if now.params.iter().any(is_counts) {
            return;
        }
        let key = |layer| (Scope::Game, word.clone(), layer, Vec::new(), Vec::new());
        let made = self.make(&key(0), now.name.span);
        self.comparing = true;
        let made_before = self.make(&key(1), now.name.span);
        self.comparing = false;
        if !made || !made_before {
            return;
        }
        let (was, is) = (self.made[&key(1)].ty, self.made[&key(0)].ty);
        let known = was != Ty::Unknown && is != Ty::Unknown;
        // A set where one thing was is fine as long as nobody needs the one thing, which is told where it is needed.
        if known && !self.fits(is, was) && !self.fits(was, is) {
            self.misfits.insert(word.clone());
            self.say(errors::replaced_type(word, was, is, now.name.span, before.name.span));
        }
    }

    /// Makes a definition, unless that has been done; gives its key back if it can be called.
    fn make(&mut self, key: &DefKey, at: Span) -> bool {
        if self.made.contains_key(key) {
            return true;
        }
        if let Some(start) =
            self.making.iter().position(|other| other.1 == key.1 && other.2 == key.2 && other.0 == key.0)
        {
            let mut path: Vec<String> = self.making[start..].iter().map(|key| key.1.clone()).collect();
            path.push(key.1.clone());
            self.say(errors::uses_itself(&key.1, &path, at));
            return false;
        }
        let Some(define) = self.layers(key) else { return false };
        if !self.enter_call(at) {
            return false;
        }
        self.making.push(key.clone());
        self.callers.push(at);
        let (broken, deepest) = (std::mem::take(&mut self.broken), std::mem::replace(&mut self.deepest, self.level));
        let rows_unknown = std::mem::take(&mut self.rows_unknown);
        let place = Place { end: self.place.end, first: self.place.first, dead: self.place.dead, ..Place::default() };
        let base = self.base_def.replace((key.1.clone(), key.2));
        let before = self.before.take();
        let outside = (std::mem::take(&mut self.written), std::mem::take(&mut self.looks));
        let (params, locals, body) = self.apart(key.0, place, |me| {
            me.names.push(Vec::new());
            let (params, locals) = me.parameters(&define.head, key);
            let body = me.expr(&define.body, None);
            let body = me.no_table_inside(body);
            (params, locals, me.not_too_wide(body))
        });
        self.before = before;
        self.base_def = base;
        self.callers.pop();
        self.making.pop();
        self.leave_call();
        let ty = body.ty;
        self.rules.defs.push(Def { name: key.1.clone(), params: locals, body });
        let id = (self.rules.defs.len() - 1) as u32;
        let height = self.deepest.saturating_sub(self.level);
        let (written, looks) = (self.written, self.looks);
        (self.written, self.looks) = outside;
        let made =
            Made { id, params, ty, height, written, looks, broken: self.broken, rows_unknown: self.rows_unknown };
        self.made.insert(key.clone(), made);
        self.broken |= broken;
        self.rows_unknown = rows_unknown;
        self.deepest = self.deepest.max(deepest);
        true
    }

    /// Binds the parameters of a head; tables and known numbers come with the key.
    fn parameters(&mut self, head: &ast::Head, key: &DefKey) -> (Vec<Ty>, Vec<LocalId>) {
        let mut params = Vec::new();
        let mut locals = Vec::new();
        let mut tables = key.3.iter();
        for (i, param) in head.params.iter().enumerate() {
            if let Some((_, n)) = key.4.iter().find(|(at, _)| *at == i) {
                let ty = self.param_type(param);
                self.bind_as(&param.name.text, Bound::Known(*n, ty));
                continue;
            }
            if is_counts(param) {
                if let Some(&var) = tables.next() {
                    self.bind_as(&param.name.text, Bound::Table(var));
                }
                continue;
            }
            let ty = self.param_type(param);
            let id = self.local(&param.name.text, ty);
            self.bind_as(&param.name.text, Bound::Local(id, ty));
            locals.push(id);
            params.push(ty);
        }
        (params, locals)
    }

    pub(super) fn param_type(&mut self, param: &ast::Param) -> Ty {
        match &param.ty {
            None => Ty::Site,
            Some(ty) => self.type_of(ty).map_or(Ty::Unknown, |(ty, _)| ty),
        }
    }

    // ---- calls in expressions

    /// A word with arguments.
    pub(super) fn call(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span) -> Expr {
        if self.local_named(&name.text).is_none() {
            if let Some(value) = self.defined(name, Some((args, span))) {
                return value;
            }
            if let Some(value) = self.ready_call(name, args, span) {
                return value;
            }
            if self.is_action(&name.text) {
                return self.action_value(name, args, span);
            }
        }
        if self.local_named(&name.text).is_some() || self.means_something(name) {
            let per = self.var_named(&name.text).map(|var| self.rules.vars[var as usize].per);
            let set = self.kind_named(&name.text).is_some()
                || matches!(name.text.as_str(), "mine" | "theirs" | "empty" | "board" | "pieces");
            let words = args.first().map_or(String::new(), |arg| self.words_of(arg.value.span));
            self.say(errors::takes_nothing(&name.text, per, set, &words, span));
        } else {
            self.unknown_word(name);
        }
        for arg in args {
            if !matches!(&*arg.value.kind, A::Builder(..)) {
                self.expr(&arg.value, None);
            }
        }
        unknown(span)
    }

    /// A call whose arguments are worked out from the present seat, to be seen from another: what to bind first, and the call.
    pub(super) fn call_apart(
        &mut self,
        name: &ast::Name,
        args: &[ast::Arg],
        span: Span,
    ) -> (Vec<(LocalId, Expr)>, Expr) {
        let value = self.call(name, args, span);
        let n_given = args.len();
        let ExprKind::Call(def, values) = value.kind else { return (Vec::new(), value) };
        // Only what was written here is seen from here; what the definition adds by itself is seen from there. Written arguments may
        // stand anywhere among the parameters, so every argument that was written is found by its place in the text.
        let mut lets = Vec::new();
        let mut bound = Vec::new();
        for arg in values {
            let written = args.iter().any(|given| {
                given.value.span.file == arg.span.file
                    && given.value.span.start <= arg.span.start
                    && arg.span.end <= given.value.span.end
            });
            if written && n_given > 0 && arg.as_const().is_none() && !matches!(arg.kind, ExprKind::Local(_)) {
                let id = self.local("argument", arg.ty);
                let (ty, at) = (arg.ty, arg.span);
                lets.push((id, arg));
                bound.push(mk(ExprKind::Local(id), ty, at));
            } else {
                bound.push(arg);
            }
        }
        (lets, mk(ExprKind::Call(def, bound), value.ty, span))
    }

    /// A definition, bare or with arguments.
    pub(super) fn defined(&mut self, name: &ast::Name, args: Option<(&[ast::Arg], Span)>) -> Option<Expr> {
        let scope = self.find_define(&name.text)?;
        let span = args.map_or(name.span, |(_, span)| span);
        let needed = self.scope == Scope::Library && scope == Scope::Game;
        if (needed && !self.need_is_met(&name.text)) || (scope == Scope::Game && self.misfits.contains(&name.text)) {
            for arg in args.iter().flat_map(|(args, _)| args.iter()) {
                if !matches!(&*arg.value.kind, A::Builder(..)) {
                    self.expr(&arg.value, None);
                }
            }
            return Some(unknown(span));
        }
        let key = (scope, name.text.clone(), 0, Vec::new(), Vec::new());
        let value = self.call_defined(key, name, args);
        Some(if needed { self.as_needed(&name.text, value) } else { value })
    }

    fn call_defined(&mut self, mut key: DefKey, name: &ast::Name, args: Option<(&[ast::Arg], Span)>) -> Expr {
        let span = args.map_or(name.span, |(_, span)| span);
        let Some(define) = self.layers(&key) else { return unknown(span) };
        let head = &define.head;
        let given = self.arguments(head, args.map_or(&[], |(args, _)| args), key.0, span);
        let Some(given) = given else {
            // The definition itself may have more to say.
            if !head.params.iter().any(is_counts) {
                self.make(&key, span);
            }
            return unknown(span);
        };
        let mut values = Vec::new();
        for (i, one) in given.into_iter().enumerate() {
            match one {
                Given::Table(var) => key.3.push(var),
                Given::Value(value) => match (value.ty, value.as_const()) {
                    (Ty::Int | Ty::Text, Some(n)) => key.4.push((i, n)),
                    _ => values.push(value),
                },
            }
        }
        if !self.make(&key, span) {
            return unknown(span);
        }
        let made = &self.made[&key];
        let (id, ty, height) = (made.id, made.ty, made.height);
        let (written, looks, rows_unknown) = (made.written, made.looks, made.rows_unknown);
        self.broken |= made.broken;
        if !self.write_in(written, looks, span) {
            return unknown(span);
        }
        if rows_unknown {
            if !self.generic {
                self.say(errors::lines_constant(span));
                return unknown(span);
            }
            self.rows_unknown = true;
        }
        let wanted = self.made[&key].params.clone();
        let values: Vec<Expr> = values.into_iter().zip(wanted).map(|(value, ty)| self.coerce(value, ty)).collect();
        if !self.uses(height, span) || ty == Ty::Unknown {
            return unknown(span);
        }
        // A definition that is one constant is that constant.
        let body = &self.rules.defs[id as usize].body;
        if let ExprKind::Const(_) | ExprKind::ConstMask(_) | ExprKind::ConstSites(_) = body.kind {
            return Expr { span, ..body.clone() };
        }
        mk(ExprKind::Call(id, values), ty, span)
    }

    /// Arguments in the order of the parameters, defaults filled in (read where the definition stands). None if one of them is wrong;
    /// all of them have been read then.
    pub(super) fn arguments(
        &mut self,
        head: &ast::Head,
        args: &[ast::Arg],
        scope: Scope,
        span: Span,
    ) -> Option<Vec<Given>> {
        let params: Vec<&str> = head.params.iter().map(|param| param.name.text.as_str()).collect();
        let mut slots: Vec<Option<&ast::Expr>> = vec![None; params.len()];
        let mut stray: Vec<&ast::Expr> = Vec::new();
        let mut misnamed = BTreeSet::new();
        let mut next = 0;
        for arg in args {
            let slot = match &arg.name {
                Some(name) => match params.iter().position(|param| *param == name.text) {
                    Some(slot) => slot,
                    None => {
                        let free: Vec<&str> = params
                            .iter()
                            .zip(&slots)
                            .filter(|(_, slot)| slot.is_none())
                            .map(|(param, _)| *param)
                            .collect();
                        misnamed.extend(errors::meant_parameter(&name.text, &free).map(str::to_string));
                        self.say(errors::no_parameter(&head.name.text, &params, &free, name));
                        stray.push(&arg.value);
                        continue;
                    }
                },
                None => {
                    next += 1;
                    next - 1
                }
            };
            if slot >= slots.len() {
                if stray.is_empty() {
                    self.say(errors::too_many(&head.name.text, &params, args.len(), arg.value.span));
                }
                stray.push(&arg.value);
            } else if slots[slot].is_some() {
                self.say(errors::given_twice(params[slot], arg.value.span));
                stray.push(&arg.value);
            } else {
                slots[slot] = Some(&arg.value);
            }
        }
        let mut ok = stray.is_empty();
        for value in stray {
            if !matches!(&*value.kind, A::Builder(..)) {
                self.expr(value, None);
            }
        }
        let mut given = Vec::new();
        let mut missing: Vec<&str> = Vec::new();
        for (param, slot) in head.params.iter().zip(&slots) {
            if let (true, Some(e)) = (is_counts(param), slot) {
                match self.table_of(e) {
                    Some(var) => {
                        self.read_vars[var as usize] = true;
                        given.push(Given::Table(var));
                    }
                    None => {
                        ok = false;
                        if let A::Name(name) = &*e.kind
                            && self.local_named(&name.text).is_none()
                            && !self.means_something(name)
                        {
                            self.unknown_word(name);
                            continue;
                        }
                        let words = self.words_of(e.span);
                        self.say(errors::wants_table(&head.name.text, &words, &param.name.text, e.span));
                    }
                }
                continue;
            }
            let ty = self.apart(scope, Place::default(), |me| me.param_type(param));
            let value = match (slot, &param.default) {
                (Some(e), _) => self.need(e, ty),
                (None, Some(default)) => {
                    let place = Place { end: self.place.end, ..Place::default() };
                    self.callers.push(span);
                    let value = self.apart(scope, place, |me| me.need(default, ty));
                    self.callers.pop();
                    value
                }
                (None, None) => {
                    ok = false;
                    // A misspelt name has been told already.
                    if !misnamed.contains(&param.name.text) {
                        missing.push(&param.name.text);
                    }
                    continue;
                }
            };
            ok &= value.ty != Ty::Unknown;
            given.push(Given::Value(value));
        }
        if !missing.is_empty() {
            let must = head.params.iter().filter(|param| param.default.is_none() || is_counts(param));
            let must: Vec<&str> = must.map(|param| param.name.text.as_str()).collect();
            self.say(errors::missing(&head.name.text, &must, &missing, span));
        }
        ok.then_some(given)
    }

    fn table_of(&self, e: &ast::Expr) -> Option<u16> {
        match &*e.kind {
            A::Name(name) => self.table_named(&name.text),
            _ => None,
        }
    }

    /// `base` or `base(…)` in a definition.
    pub(super) fn base_call(&mut self, args: &[ast::Arg], span: Span) -> Expr {
        let Some((word, layer)) = self.base_def.clone() else {
            self.say(crate::assemble::no_base(span));
            return unknown(span);
        };
        let key = (Scope::Game, word.clone(), layer + 1, Vec::new(), Vec::new());
        let name = ast::Name { text: word.clone(), span };
        if self.scope == Scope::Game && self.layers(&key).is_some() {
            return self.call_defined(key, &name, Some((args, span)));
        }
        // What a game's word hides in the library is what it replaced.
        let key = (Scope::Library, word, 0, Vec::new(), Vec::new());
        if self.scope == Scope::Game && self.layers(&key).is_some() {
            return self.call_defined(key, &name, Some((args, span)));
        }
        self.say(crate::assemble::no_base(span));
        unknown(span)
    }
}

/// Is it a parameter of type `counts`?
pub(super) fn is_counts(param: &ast::Param) -> bool {
    matches!(&param.ty, Some(ast::TypeExpr { kind: ast::TypeKind::Named(name), .. }) if name.text == "counts")
}
