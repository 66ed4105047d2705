//! Definitions, actions and the words that every game has and that take something in brackets.
//!
//! A definition is made once for each set of tables it is given (`counts`); an action is written out wherever it is called.

use super::{Bound, Checker, DefKey, Made, Place, Scope, errors, mk, unknown};
use crate::rules::expr::Fold;
use crate::rules::{BagTy, Def, Expr, ExprKind, LocalId, Stmt, StmtKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

/// A parameter and what it was given.
pub(super) enum Given {
    /// A value.
    Value(Expr),
    /// A table.
    Table(u16),
}

impl<'a> Checker<'a> {
    /// Checks the definitions that nobody called, so that no mistake stays hidden.
    pub(super) fn definitions(&mut self) {
        let game = self.game;
        for define in &game.defines {
            let head = &define.layers[0].head;
            if head.params.iter().any(is_counts) {
                continue;
            }
            let key = (Scope::Game, head.name.text.clone(), 0, Vec::new(), Vec::new());
            self.generic = true;
            self.make(&key, head.name.span);
            self.generic = false;
        }
    }

    fn layers(&self, key: &DefKey) -> Option<&'a ast::Define> {
        match key.0 {
            Scope::Game => {
                let found = self.game.defines.iter().find(|define| define.layers[0].head.name.text == key.1)?;
                found.layers.get(key.2)
            }
            Scope::Library => {
                let found = self.library.defines.iter().find(|define| define.item.head.name.text == key.1)?;
                Some(&found.item)
            }
        }
    }

    /// Where a definition of this name is found from here.
    fn find_define(&self, word: &str) -> Option<Scope> {
        let in_game = self.game.defines.iter().any(|define| define.layers[0].head.name.text == word);
        let needed = self.library.needs.iter().any(|needs| needs.item.head.name.text == word);
        if in_game && (self.scope == Scope::Game || needed) {
            return Some(Scope::Game);
        }
        self.library.defines.iter().any(|define| define.item.head.name.text == word).then_some(Scope::Library)
    }

    fn find_action(&self, word: &str) -> Option<(Scope, &'a ast::Action)> {
        if self.scope == Scope::Game
            && let Some(action) = self.game.actions.iter().find(|action| action.layers[0].head.name.text == word)
        {
            return Some((Scope::Game, &action.layers[0]));
        }
        let action = self.library.actions.iter().find(|action| action.item.head.name.text == word)?;
        Some((Scope::Library, &action.item))
    }

    pub(super) fn is_action(&self, word: &str) -> bool {
        self.local_named(word).is_none() && self.find_action(word).is_some()
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
        self.making.push(key.clone());
        let place = Place { end: self.place.end, ..Place::default() };
        let base = self.base_def.replace((key.1.clone(), key.2));
        let before = self.before.take();
        let (params, locals, body) = self.apart(key.0, place, |me| {
            me.names.push(Vec::new());
            let (params, locals) = me.parameters(&define.head, key);
            let body = me.expr(&define.body, None);
            (params, locals, body)
        });
        self.before = before;
        self.base_def = base;
        self.making.pop();
        let ty = body.ty;
        self.rules.defs.push(Def { name: key.1.clone(), params: locals, body });
        let id = (self.rules.defs.len() - 1) as u32;
        self.made.insert(key.clone(), Made { id, params, ty });
        true
    }

    /// Binds the parameters of a head; tables and known numbers come with the key.
    #[allow(clippy::type_complexity, reason = "named in the only two places that use it")]
    fn parameters(&mut self, head: &ast::Head, key: &DefKey) -> (Vec<(String, Ty, Option<ast::Expr>)>, Vec<LocalId>) {
        let mut params = Vec::new();
        let mut locals = Vec::new();
        let mut tables = key.3.iter();
        for (i, param) in head.params.iter().enumerate() {
            if let Some((_, n)) = key.4.iter().find(|(at, _)| *at == i) {
                self.bind_as(&param.name.text, Bound::Number(*n));
                continue;
            }
            if is_counts(param) {
                if let Some(&var) = tables.next() {
                    self.bind_as(&param.name.text, Bound::Table(var));
                }
                continue;
            }
            let ty = self.param_type(param);
            let id = self.bind(&param.name, ty);
            locals.push(id);
            params.push((param.name.text.clone(), ty, param.default.clone()));
        }
        (params, locals)
    }

    fn param_type(&mut self, param: &ast::Param) -> Ty {
        match &param.ty {
            None => Ty::Site,
            Some(ty) => self.type_of(ty).map_or(Ty::Unknown, |(ty, _)| ty),
        }
    }

    // ---- calls in expressions

    /// A word with arguments.
    pub(super) fn call(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span, hint: Option<Ty>) -> Expr {
        if self.local_named(&name.text).is_none() {
            if let Some(value) = self.defined(name, Some((args, span))) {
                return value;
            }
            if let Some(value) = self.ready_call(name, args, span, hint) {
                return value;
            }
            if self.is_action(&name.text) {
                return self.action_value(name, args, span);
            }
        }
        let known = self.local_named(&name.text).is_some() || self.kind_named(&name.text).is_some();
        if known || self.option_named(&name.text).is_some() || self.var_named(&name.text).is_some() {
            self.say(errors::takes_nothing(&name.text, span));
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
        let value = self.call(name, args, span, None);
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
        let key = (scope, name.text.clone(), 0, Vec::new(), Vec::new());
        Some(self.call_defined(key, name, args))
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
                    (Ty::Int, Some(n)) => key.4.push((i, n)),
                    _ => values.push(value),
                },
            }
        }
        if !self.make(&key, span) {
            return unknown(span);
        }
        let made = &self.made[&key];
        let (id, ty) = (made.id, made.ty);
        let wanted: Vec<Ty> = made.params.iter().map(|(_, ty, _)| *ty).collect();
        let values: Vec<Expr> = values.into_iter().zip(wanted).map(|(value, ty)| self.coerce(value, ty)).collect();
        if ty == Ty::Unknown {
            return unknown(span);
        }
        // A definition that is one constant is that constant.
        let body = &self.rules.defs[id as usize].body;
        if let ExprKind::Const(_) | ExprKind::ConstMask(_) | ExprKind::ConstSites(_) = body.kind {
            return Expr { span, ..body.clone() };
        }
        mk(ExprKind::Call(id, values), ty, span)
    }

    /// Arguments in the order of the parameters, defaults filled in (read where the definition stands).
    pub(super) fn arguments(
        &mut self,
        head: &ast::Head,
        args: &[ast::Arg],
        scope: Scope,
        span: Span,
    ) -> Option<Vec<Given>> {
        let params: Vec<&str> = head.params.iter().map(|param| param.name.text.as_str()).collect();
        let mut slots: Vec<Option<&ast::Expr>> = vec![None; params.len()];
        let mut ok = true;
        let mut next = 0;
        for arg in args {
            let slot = match &arg.name {
                Some(name) => match params.iter().position(|param| *param == name.text) {
                    Some(slot) => slot,
                    None => {
                        self.say(errors::no_parameter(&head.name.text, &params, name));
                        ok = false;
                        continue;
                    }
                },
                None => {
                    next += 1;
                    next - 1
                }
            };
            if slot >= slots.len() {
                self.say(errors::too_many(&head.name.text, params.len(), args.len(), arg.value.span));
                return None;
            }
            if slots[slot].is_some() {
                self.say(errors::given_twice(params[slot], arg.value.span));
                ok = false;
            }
            slots[slot] = Some(&arg.value);
        }
        let mut given = Vec::new();
        for (param, slot) in head.params.iter().zip(&slots) {
            if is_counts(param) {
                match slot {
                    Some(e) => match self.table_of(e) {
                        Some(var) => {
                            self.read_vars[var as usize] = true;
                            given.push(Given::Table(var));
                        }
                        None => {
                            let words = self.words_of(e.span);
                            self.say(errors::wants_table(&words, &param.name.text, e.span));
                            ok = false;
                        }
                    },
                    None => {
                        self.say(errors::missing(&head.name.text, &params, &param.name.text, args.len(), span));
                        return None;
                    }
                }
                continue;
            }
            let ty = self.apart(scope, Place::default(), |me| me.param_type(param));
            let value = match (slot, &param.default) {
                (Some(e), _) => self.need(e, ty),
                (None, Some(default)) => {
                    let place = Place { end: self.place.end, ..Place::default() };
                    self.apart(scope, place, |me| me.need(default, ty))
                }
                (None, None) => {
                    self.say(errors::missing(&head.name.text, &params, &param.name.text, args.len(), span));
                    return None;
                }
            };
            ok &= value.ty != Ty::Unknown;
            given.push(Given::Value(value));
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

    // ---- the words every game has that take something in brackets

    fn ready_call(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span, hint: Option<Ty>) -> Option<Expr> {
        use ExprKind as K;
        let want = |me: &mut Self, n: usize| -> bool {
            if args.len() == n {
                return true;
            }
            me.say(errors::wrong_number(&name.text, n, args.len(), span));
            false
        };
        Some(match name.text.as_str() {
            "count" => {
                if !want(self, 1) {
                    return Some(unknown(span));
                }
                if let A::Builder(head, binders) = &*args[0].value.kind {
                    if head.is_none() || matches!(&args[0].value.kind.as_ref(), A::Builder(Some(_), _)) {
                        return Some(self.comprehension(Fold::Count, None, binders, Ty::Int, span));
                    }
                }
                let set = self.expr(&args[0].value, None);
                let set = self.as_set(set);
                if set.ty == Ty::Unknown {
                    return Some(unknown(span));
                }
                match &set.kind {
                    K::ConstSites(set) => Expr::scalar(set.count(), Ty::Int, span),
                    K::ConstMask(mask) => Expr::scalar(mask.count_ones() as i32, Ty::Int, span),
                    _ => mk(K::Count(Box::new(set)), Ty::Int, span),
                }
            }
            "sum" | "min" | "max" => self.fold_call(&name.text, args, span),
            "abs" => {
                if !want(self, 1) {
                    return Some(unknown(span));
                }
                let value = self.need(&args[0].value, Ty::Int);
                match value.as_const() {
                    Some(n) => Expr::scalar(n.saturating_abs(), Ty::Int, span),
                    None => mk(K::Abs(Box::new(value)), Ty::Int, span),
                }
            }
            "opposite" => {
                if !want(self, 1) {
                    return Some(unknown(span));
                }
                let d = self.need(&args[0].value, Ty::Dir);
                self.opposite(d, span)
            }
            "toward" => {
                if !want(self, 2) {
                    return Some(unknown(span));
                }
                let (a, b) = (self.need(&args[0].value, Ty::Site), self.need(&args[1].value, Ty::Site));
                mk(K::Toward(Box::new(a), Box::new(b)), Ty::Dir, span)
            }
            "turned" => {
                if !want(self, 2) {
                    return Some(unknown(span));
                }
                let (s, d) = (self.need(&args[0].value, Ty::Site), self.need(&args[1].value, Ty::Dir));
                self.needs_square("turned", span);
                mk(K::Turned(Box::new(s), Box::new(d)), Ty::Site, span)
            }
            "mirrored" => {
                if !want(self, 1) {
                    return Some(unknown(span));
                }
                let s = self.need(&args[0].value, Ty::Site);
                self.needs_square("mirrored", span);
                mk(K::Mirrored(Box::new(s)), Ty::Site, span)
            }
            "lines" => {
                self.say(errors::lines_alone(span));
                unknown(span)
            }
            "side" => {
                self.say(errors::not_yet("edges and crossings (\"side\")", span));
                unknown(span)
            }
            _ => {
                let _ = hint;
                return None;
            }
        })
    }

    fn needs_square(&mut self, word: &str, span: Span) {
        if self.rules.board.mirrored.is_empty() && self.place.dead == 0 {
            self.say(errors::needs_square_board(word, self.rules.board.width, self.rules.board.length, span));
        }
    }

    fn fold_call(&mut self, word: &str, args: &[ast::Arg], span: Span) -> Expr {
        use ExprKind as K;
        let fold = match word {
            "sum" => Fold::Sum,
            "min" => Fold::Min,
            _ => Fold::Max,
        };
        if let [arg] = args {
            if let A::Builder(head, binders) = &*arg.value.kind {
                if let Some(head) = head {
                    return self.comprehension(fold, Some(head), binders, Ty::Int, span);
                }
                // `min(x in S where c)`: of the members themselves.
                if let [binder] = &binders.list[..] {
                    let head = ast::Expr { kind: Box::new(A::Name(binder.name.clone())), span: binder.name.span };
                    return self.comprehension(fold, Some(&head), binders, Ty::Int, span);
                }
            }
            let value = self.expr(&arg.value, None);
            return match value.ty {
                Ty::Unknown => unknown(span),
                Ty::Bag(BagTy { kinds: false, .. }) => {
                    let kind = match fold {
                        Fold::Sum => K::BagSum(Box::new(value)),
                        Fold::Min => K::BagMin(Box::new(value)),
                        _ => K::BagMax(Box::new(value)),
                    };
                    mk(kind, Ty::Int, span)
                }
                _ => self.coerce(value, Ty::Int),
            };
        }
        let values: Vec<Expr> = args.iter().map(|arg| self.need(&arg.value, Ty::Int)).collect();
        if values.iter().any(|value| value.ty == Ty::Unknown) || values.is_empty() {
            return unknown(span);
        }
        match fold {
            Fold::Sum => values
                .into_iter()
                .reduce(|a, b| super::constant::arith(ast::ArithOp::Add, a, b, span))
                .unwrap_or_else(|| unknown(span)),
            Fold::Min => mk(K::Least(values), Ty::Int, span),
            _ => mk(K::Greatest(values), Ty::Int, span),
        }
    }

    /// Reads `lines(n)`: the index of the straight rows of that length.
    pub(super) fn lines(&mut self, args: &[ast::Arg], span: Span) -> Option<usize> {
        let [arg] = args else {
            self.say(errors::wrong_number("lines", 1, args.len(), span));
            return None;
        };
        let n = self.need(&arg.value, Ty::Int);
        if n.ty == Ty::Unknown {
            return None;
        }
        let Some(n) = n.as_const() else {
            if !self.generic {
                self.say(errors::lines_constant(arg.value.span));
            }
            return Some(self.rows_of(0));
        };
        Some(self.rows_of(n))
    }

    // ---- actions

    /// An action called for its value inside a statement's expression: it runs just before the statement.
    fn action_value(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span) -> Expr {
        let Some(mut before) = self.before.take() else {
            self.say(errors::action_here(&name.text, span));
            return unknown(span);
        };
        let value = self.write_out(name, args, span, &mut before);
        self.before = Some(before);
        match value {
            Some(value) => value,
            None => {
                self.say(errors::gives_nothing(&name.text, span));
                unknown(span)
            }
        }
    }

    /// Writes an action's statements out; gives what it gives.
    pub(super) fn write_out(
        &mut self,
        name: &ast::Name,
        args: &[ast::Arg],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let Some((scope, action)) = self.find_action(&name.text) else {
            self.unknown_word(name);
            return Some(unknown(span));
        };
        self.write_out_action(action, scope, &name.text, 0, args, span, out)
    }

    /// `base` in an action.
    pub(super) fn write_out_base(&mut self, args: &[ast::Arg], span: Span, out: &mut Vec<Stmt>) -> bool {
        let Some((word, layer)) = self.base_action.clone() else { return false };
        let game = self.game;
        let Some(found) = game.actions.iter().find(|action| action.layers[0].head.name.text == word) else {
            return false;
        };
        match found.layers.get(layer + 1) {
            Some(action) => {
                self.write_out_action(action, Scope::Game, &word, layer + 1, args, span, out);
                true
            }
            None => false,
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what a call needs, called from two places")]
    fn write_out_action(
        &mut self,
        action: &'a ast::Action,
        scope: Scope,
        word: &str,
        layer: usize,
        args: &[ast::Arg],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let acting = format!("{word}/{layer}");
        if self.acting.contains(&acting) {
            let path = vec![word.to_string(), word.to_string()];
            self.say(errors::uses_itself(word, &path, span));
            return Some(unknown(span));
        }
        // Arguments may call actions themselves: those run first.
        let old = self.before.replace(Vec::new());
        let given = self.arguments(&action.head, args, scope, span);
        out.append(&mut self.before.take().unwrap_or_default());
        self.before = old;
        let given = match given {
            Some(given) => given,
            None => return Some(unknown(span)),
        };
        self.acting.push(acting);
        let base = self.base_action.replace((word.to_string(), layer));
        let give = self.give.take();
        let given_before = std::mem::replace(&mut self.given, false);
        let place = self.place;
        let (body, result) = self.apart(scope, place, |me| {
            me.names.push(Vec::new());
            let mut first = Vec::new();
            for (param, given) in action.head.params.iter().zip(given) {
                match given {
                    Given::Table(var) => me.bind_as(&param.name.text, Bound::Table(var)),
                    Given::Value(value) => {
                        let ty = value.ty;
                        let id = me.local("", ty);
                        me.bind_as(&param.name.text, Bound::Local(id, ty));
                        first.push(Stmt { kind: StmtKind::Local(id, value), span });
                    }
                }
            }
            let mut body = me.statements(&action.body.statements);
            first.append(&mut body);
            (first, me.give)
        });
        self.give = give;
        self.given = given_before;
        self.base_action = base;
        self.acting.pop();
        out.extend(body);
        result.map(|(id, ty)| mk(ExprKind::Local(id), ty, span))
    }
}

/// Is it a parameter of type `counts`?
fn is_counts(param: &ast::Param) -> bool {
    matches!(&param.ty, Some(ast::TypeExpr { kind: ast::TypeKind::Named(name), .. }) if name.text == "counts")
}
