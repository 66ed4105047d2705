//! Expressions: names and calls, conditions, comprehensions. Operators are in `sets.rs`.

use super::constant::{bool_of, if_, is_bool, not};
use super::{Bound, Checker, errors, mk, unknown};
use crate::rules::expr::Fold;
use crate::rules::{Binder, Domain, Expr, ExprKind, NO_LIMIT, NONE, PerWhat, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

/// What arms and branches were read as: the condition's part and the value.
type ScalarRanges = Vec<(i32, i32)>;

impl Checker<'_> {
    /// Reads an expression; the hint says what would be welcome, so that words of lists and `{}` are understood.
    pub(super) fn expr(&mut self, e: &ast::Expr, hint: Option<Ty>) -> Expr {
        let span = e.span;
        match &*e.kind {
            A::Int(n) => Expr::scalar(super::names::clamp(*n), Ty::Int, span),
            A::Text(text) => self.text(&text.value, span),
            A::Bool(value) => match hint {
                Some(Ty::Word(list) | Ty::Words(list)) => {
                    let word = if *value { "on" } else { "off" };
                    self.word_in(list, word, span).unwrap_or_else(|| bool_of(*value, span))
                }
                _ => bool_of(*value, span),
            },
            A::Name(name) => self.name(name, hint),
            A::Call(name, args) => self.call(name, args, span, hint),
            A::Base(args) => self.base_call(args, span),
            A::Owned(owner, word, args) => self.owned(owner, word, args.as_deref(), span),
            A::At(what, site) => self.at(what, site, span),
            A::On(site, track) => {
                let site = self.need(site, Ty::Site);
                let track = self.need(track, Ty::Track);
                mk(ExprKind::SiteStep(Box::new(site), Box::new(track)), Ty::Step, span)
            }
            A::Paren(inner) => {
                let inner = self.expr(inner, hint);
                Expr { span, ..inner }
            }
            A::Negate(inner) => {
                let value = self.need(inner, Ty::Int);
                super::constant::negate(value, span)
            }
            A::Spread(name, from, into, up_to) => self.spread(name, from, into, up_to.as_ref(), span),
            A::Arith(op, a, b) => self.arithmetic(*op, a, b, span, hint),
            A::Range(a, b) => self.range(a, b, span),
            A::Both(parts) => self.set_chain(crate::rules::expr::SetOp::And, parts, span, hint),
            A::AnyOf(parts) => self.set_chain(crate::rules::expr::SetOp::Or, parts, span, hint),
            A::The(inner) => self.the(inner, span),
            A::Otherwise(parts) => self.otherwise(parts, span, hint),
            A::Compare(op, a, b) => self.comparison(*op, a, b, span),
            A::Some(wanted, inner) => {
                let set = self.expr(inner, None);
                let set = self.as_set(set);
                let some = mk(ExprKind::Some(Box::new(set)), Ty::Bool, span);
                if *wanted { some } else { not(some, span) }
            }
            A::Exists(wanted, binders) => {
                let any = self.comprehension(Fold::Any, None, binders, Ty::Bool, span);
                if *wanted { any } else { not(any, span) }
            }
            A::Not(inner) => {
                let value = self.need_bool(inner);
                not(value, span)
            }
            A::And(a, b) => {
                let left = self.need_bool(a);
                let out = is_bool(&left, false);
                let right = self.conditional(|me| me.ruled_out(out, |me| me.need_bool(b)));
                super::constant::and(left, right, span)
            }
            A::Or(a, b) => {
                let left = self.need_bool(a);
                let out = is_bool(&left, true);
                let right = self.conditional(|me| me.ruled_out(out, |me| me.need_bool(b)));
                super::constant::or(left, right, span)
            }
            A::If(c, t, f) => self.if_expr(c, t, f, span, hint),
            A::Match(on, arms) => self.match_expr(on, arms, span, hint),
            A::Let(name, value, body) => {
                let value = self.expr(value, None);
                let (result, _) = self.block(|me| {
                    let id = me.bind(name, value.ty);
                    let body = me.expr(body, hint);
                    (id, body)
                });
                let (id, body) = result;
                let ty = body.ty;
                mk(ExprKind::Let(id, Box::new(value), Box::new(body)), ty, span)
            }
            A::Braces(elements) => self.braces(elements, span, hint),
            A::Builder(None, binders) => self.set_builder(binders, span),
            A::Builder(Some(head), binders) => self.union_builder(head, binders, span),
            A::Error => unknown(span),
        }
    }

    /// Reads a yes-or-no.
    pub(super) fn need_bool(&mut self, e: &ast::Expr) -> Expr {
        self.need(e, Ty::Bool)
    }

    fn if_expr(&mut self, c: &ast::Expr, t: &ast::Expr, f: &ast::Expr, span: Span, hint: Option<Ty>) -> Expr {
        let cond = self.need_bool(c);
        let (dead_t, dead_f) = (is_bool(&cond, false), is_bool(&cond, true));
        let values = self.conditional(|me| {
            let a = me.ruled_out(dead_t, |me| me.expr(t, hint));
            let hint =
                if hint.is_none() && a.ty != Ty::Unknown && !super::coerce::is_nothing(&a) { Some(a.ty) } else { hint };
            let b = me.ruled_out(dead_f, |me| me.expr(f, hint));
            vec![a, b]
        });
        let Some((ty, mut values)) = self.same_type(values, span) else { return unknown(span) };
        let (b, a) = (values.pop(), values.pop());
        match (a, b) {
            (Some(a), Some(b)) => if_(cond, a, b, ty, span),
            _ => unknown(span),
        }
    }

    /// Makes values one type, or says that they have none in common.
    pub(super) fn same_type(&mut self, values: Vec<Expr>, span: Span) -> Option<(Ty, Vec<Expr>)> {
        let mut iter = values.iter();
        let first = iter.next()?;
        let mut widest = first.clone();
        for value in iter {
            match self.common(&widest, value) {
                Some(ty) => {
                    // A stand-in that is no constant, so that only its type counts from here on.
                    widest = if ty == widest.ty { widest } else { mk(ExprKind::Next, ty, value.span) };
                }
                None => {
                    let (a, b) = (widest.ty, value.ty);
                    let diag = errors::different_types(self, a, b, span, value.span);
                    self.say(diag);
                    return None;
                }
            }
        }
        let ty = widest.ty;
        let values = values.into_iter().map(|value| self.coerce(value, ty)).collect();
        Some((ty, values))
    }

    fn match_expr(&mut self, on: &ast::Expr, arms: &[ast::Arm<ast::Expr>], span: Span, hint: Option<Ty>) -> Expr {
        let on = self.expr(on, None);
        let patterns = self.patterns(&on, arms.iter().map(|arm| (&arm.patterns[..], arm.span)).collect(), span);
        let taken = self.taken_arm(&on, &patterns);
        let mut hint = hint;
        let values = self.conditional(|me| {
            let mut values = Vec::new();
            for (i, arm) in arms.iter().enumerate() {
                let out = taken.is_some_and(|taken| taken != i);
                let value = me.ruled_out(out, |me| me.expr(&arm.body, hint));
                if hint.is_none() && value.ty != Ty::Unknown && !super::coerce::is_nothing(&value) {
                    hint = Some(value.ty);
                }
                values.push(value);
            }
            values
        });
        let Some((ty, mut values)) = self.same_type(values, span) else { return unknown(span) };
        if on.ty == Ty::Unknown {
            return unknown(span);
        }
        if let Some(taken) = taken {
            return values.swap_remove(taken);
        }
        let Some(last) = values.pop() else { return unknown(span) };
        let arms = patterns.into_iter().zip(values).collect();
        mk(ExprKind::Match(Box::new(on), arms, Box::new(last)), ty, span)
    }

    /// Which arm a constant takes.
    pub(super) fn taken_arm(&self, on: &Expr, patterns: &[ScalarRanges]) -> Option<usize> {
        let code = on.as_const()?;
        let hit = |ranges: &ScalarRanges| ranges.iter().any(|&(lo, hi)| (lo..=hi).contains(&code));
        Some(patterns.iter().position(hit).unwrap_or(patterns.len().saturating_sub(1)))
    }

    /// Reads the patterns of a `match`, in order; the last arm takes what is left, so it must be `else` or the arms must name everything.
    pub(super) fn patterns(&mut self, on: &Expr, arms: Vec<(&[ast::Pattern], Span)>, span: Span) -> Vec<ScalarRanges> {
        let mut all = Vec::new();
        let mut has_else = false;
        let n_arms = arms.len();
        for (i, (patterns, at)) in arms.into_iter().enumerate() {
            if patterns.is_empty() {
                has_else = true;
                if i + 1 < n_arms {
                    self.say(errors::else_last(at));
                }
                all.push(Vec::new());
                continue;
            }
            let ranges = patterns.iter().filter_map(|pattern| self.pattern(on.ty, pattern)).collect();
            all.push(ranges);
        }
        if !has_else && on.ty != Ty::Unknown {
            let missing = self.left_out(on.ty, &all);
            if let Some(missing) = missing {
                self.say(errors::match_leaves_out(&missing, span));
            }
        }
        all
    }

    fn pattern(&mut self, ty: Ty, pattern: &ast::Pattern) -> Option<(i32, i32)> {
        let one = |code: i32| Some((code, code));
        match (pattern, ty) {
            (_, Ty::Unknown) => None,
            (ast::Pattern::Numbers(lo, hi, _), Ty::Int | Ty::Step) => {
                Some((super::names::clamp(*lo), super::names::clamp(*hi)))
            }
            (ast::Pattern::Bool(value, _), Ty::Bool) => one(i32::from(*value)),
            (ast::Pattern::Bool(value, span), Ty::Word(list)) => {
                let word = if *value { "on" } else { "off" };
                match self.word_in(list, word, *span).and_then(|e| e.as_const()) {
                    Some(code) => one(code),
                    None => {
                        self.say(errors::not_among(word, &self.rules.words[list as usize].words.clone(), *span));
                        None
                    }
                }
            }
            (ast::Pattern::Text(text), Ty::Text) => {
                let code = self.text(&text.value, text.span).as_const()?;
                one(code)
            }
            (ast::Pattern::Word(name), Ty::Int) if name.text == "none" => one(NO_LIMIT),
            (ast::Pattern::Word(name), Ty::Word(list)) => {
                match self.word_in(list, &name.text, name.span).and_then(|e| e.as_const()) {
                    Some(code) => one(code),
                    None => {
                        self.say(errors::not_among(
                            &name.text,
                            &self.rules.words[list as usize].words.clone(),
                            name.span,
                        ));
                        None
                    }
                }
            }
            (ast::Pattern::Word(name), _) => {
                let value = self.name(name, Some(ty));
                let value = self.coerce(value, ty);
                match value.as_const() {
                    Some(code) => one(code),
                    None => {
                        if value.ty != Ty::Unknown {
                            self.say(errors::pattern_not_constant(&name.text, name.span));
                        }
                        None
                    }
                }
            }
            (ast::Pattern::Numbers(_, _, span) | ast::Pattern::Bool(_, span), _) => {
                let words = self.words_of(*span);
                let diag = errors::pattern_type(self, &words, ty, *span);
                self.say(diag);
                None
            }
            (ast::Pattern::Text(text), _) => {
                let diag = errors::pattern_type(self, &text.value, ty, text.span);
                self.say(diag);
                None
            }
        }
    }

    /// What the arms of a `match` without `else` leave out; none if nothing.
    fn left_out(&self, ty: Ty, arms: &[ScalarRanges]) -> Option<String> {
        let covered = |code: i32| arms.iter().flatten().any(|&(lo, hi)| (lo..=hi).contains(&code));
        let names: Vec<String> = match ty {
            Ty::Bool => vec!["off".to_string(), "on".to_string()],
            Ty::Word(list) => self.rules.words[list as usize].words.clone(),
            Ty::Kind => self.rules.kinds.iter().map(|kind| kind.name.clone()).collect(),
            Ty::Player => self.rules.seats.iter().map(|seat| seat.name.clone()).collect(),
            Ty::Dir => crate::rules::board::DIRECTIONS.iter().map(|name| name.to_string()).collect(),
            _ => return Some("other numbers".to_string()),
        };
        names.iter().enumerate().find(|(i, _)| !covered(*i as i32)).map(|(_, name)| format!("\"{name}\""))
    }

    // ---- whose it is, where it is

    fn owned(&mut self, owner: &ast::Expr, word: &ast::Name, args: Option<&[ast::Arg]>, span: Span) -> Expr {
        use ExprKind as K;
        let who = self.expr(owner, None);
        if who.ty == Ty::Kind
            && let Some(var) =
                self.var_named(&word.text).filter(|&var| self.rules.vars[var as usize].per == PerWhat::Kind)
        {
            self.read_vars[var as usize] = true;
            let ty = self.rules.vars[var as usize].ty;
            return mk(K::Var(var, Some(Box::new(who))), ty, span);
        }
        let who = self.coerce(who, Ty::Player);
        if who.ty == Ty::Unknown {
            return unknown(span);
        }
        // A kind, and `pieces`, are narrowed to the seat.
        let local = self.local_named(&word.text).is_some();
        if args.is_none() && !local {
            let pieces = mk(K::PiecesOf(Box::new(who.clone())), Ty::Sites, span);
            if word.text == "pieces" {
                return pieces;
            }
            if let Some(kind) = self.kind_named(&word.text) {
                let kind = Expr::scalar(kind, Ty::Kind, word.span);
                let kind = mk(K::KindSites(Box::new(kind)), Ty::Sites, span);
                return mk(K::Set(crate::rules::expr::SetOp::And, Box::new(kind), Box::new(pieces)), Ty::Sites, span);
            }
        }
        if local {
            self.say(errors::owned_local(&word.text, span));
            return unknown(span);
        }
        let (lets, value) = match args {
            None => (Vec::new(), self.name(word, None)),
            Some(args) => self.call_apart(word, args, span),
        };
        if value.ty == Ty::Unknown {
            return unknown(span);
        }
        let ty = value.ty;
        let mut value = mk(K::From(Box::new(who), Box::new(value)), ty, span);
        for (id, arg) in lets.into_iter().rev() {
            value = mk(K::Let(id, Box::new(arg), Box::new(value)), ty, span);
        }
        value
    }

    fn at(&mut self, what: &ast::Expr, site: &ast::Expr, span: Span) -> Expr {
        use ExprKind as K;
        if let A::Name(name) = &*what.kind {
            if let Some(Bound::Local(id, Ty::Table(var))) = self.local_named(&name.text) {
                let site = self.need(site, Ty::Site);
                let ty = self.rules.vars[var as usize].ty;
                return mk(K::LocalAt(id, Box::new(site)), ty, span);
            }
            if let Some(var) = self.table_named(&name.text) {
                self.read_vars[var as usize] = true;
                let ty = self.rules.vars[var as usize].ty;
                let site = self.at_site(name, site);
                return mk(K::Var(var, Some(Box::new(site))), ty, span);
            }
            let at: Option<(fn(Box<Expr>) -> K, Ty)> = match name.text.as_str() {
                "x" => Some((K::XAt, Ty::Int)),
                "y" => Some((K::YAt, Ty::Int)),
                "kind" => Some((K::KindAt, Ty::Kind)),
                "owner" => Some((K::OwnerAt, Ty::Player)),
                _ => None,
            };
            if let Some((make, ty)) = at {
                let site = self.at_site(name, site);
                return match (site.as_const(), name.text.as_str()) {
                    (Some(code), "x") => Expr::scalar(self.coordinate(code).0, ty, span),
                    (Some(code), "y") => Expr::scalar(self.coordinate(code).1, ty, span),
                    _ => mk(make(Box::new(site)), ty, span),
                };
            }
            if name.text == "height" {
                self.say(errors::not_yet("piles of pieces (\"height\", \"stacked\")", span));
                return unknown(span);
            }
            let known = self.expr(what, None);
            if known.ty != Ty::Unknown {
                self.say(errors::no_table(&name.text, span));
            }
            return unknown(span);
        }
        let words = self.words_of(what.span);
        self.say(errors::no_table(&words, span));
        unknown(span)
    }

    fn at_site(&mut self, what: &ast::Name, site: &ast::Expr) -> Expr {
        let value = self.expr(site, Some(Ty::Site));
        if value.ty == Ty::Dir || value.ty == Ty::Dirs {
            let place = self.words_of(site.span);
            self.say(errors::brackets_at(&what.text, &place, site.span));
            return unknown(site.span);
        }
        self.coerce(value, Ty::Site)
    }

    fn coordinate(&self, site: i32) -> (i32, i32) {
        self.rules.board.sites.get(site as usize).filter(|_| site != NONE).map_or((0, 0), |site| (site.x, site.y))
    }

    fn the(&mut self, inner: &ast::Expr, span: Span) -> Expr {
        let value = self.expr(inner, None);
        let (value, ty) = match value.ty {
            Ty::Players => (value, Ty::Player),
            Ty::Kinds => (value, Ty::Kind),
            Ty::Dirs => (value, Ty::Dir),
            Ty::Words(list) => (value, Ty::Word(list)),
            Ty::Bag(bag) => (value, if bag.kinds { Ty::Kind } else { Ty::Int }),
            Ty::Site | Ty::Player | Ty::Dir | Ty::Step => {
                let ty = value.ty;
                return Expr { ty, span, ..value };
            }
            _ => (self.coerce(value, Ty::Sites), Ty::Site),
        };
        if value.ty == Ty::Unknown {
            return unknown(span);
        }
        mk(ExprKind::The(Box::new(value)), ty, span)
    }

    fn otherwise(&mut self, parts: &[ast::Expr], span: Span, hint: Option<Ty>) -> Expr {
        let values = parts.iter().map(|part| self.expr(part, hint)).collect();
        let Some((ty, values)) = self.same_type(values, span) else { return unknown(span) };
        if matches!(ty, Ty::Int | Ty::Bool | Ty::Text | Ty::Word(_)) {
            let words = self.words_of(parts[0].span);
            let diag = errors::no_set(self, &words, ty, span);
            self.say(diag);
            return unknown(span);
        }
        mk(ExprKind::Otherwise(values), ty, span)
    }

    fn spread(
        &mut self,
        name: &ast::Name,
        from: &ast::Expr,
        into: &ast::Expr,
        up_to: Option<&ast::Expr>,
        span: Span,
    ) -> Expr {
        let from = self.need(from, Ty::Sites);
        let ((id, into), _) = self.block(|me| {
            let id = me.bind(name, Ty::Site);
            let into = me.conditional(|me| me.need(into, Ty::Sites));
            (id, into)
        });
        let up_to = up_to.map(|n| Box::new(self.need(n, Ty::Int)));
        mk(ExprKind::Spread(id, Box::new(from), Box::new(into), up_to), Ty::Sites, span)
    }

    // ---- comprehensions

    /// What a binder runs through and the type of its name.
    pub(super) fn domain(&mut self, binder: &ast::Binder) -> (Domain, Ty) {
        let e = &binder.domain;
        if let A::Call(name, args) = &*e.kind
            && name.text == "lines"
            && self.local_named("lines").is_none()
        {
            return match self.lines(args, e.span) {
                Some(index) => (Domain::Lines(index), Ty::Sites),
                None => (Domain::Listed(Vec::new()), Ty::Unknown),
            };
        }
        let set = self.expr(e, None);
        let (domain, ty) = self.domain_of(set);
        if let Some(going) = &binder.going {
            let dir = self.need(going, Ty::Dir);
            return match domain {
                Domain::Sites(set) => (Domain::Going(set, dir), ty),
                other => {
                    self.say(errors::going_sites(going.span));
                    (other, ty)
                }
            };
        }
        (domain, ty)
    }

    pub(super) fn domain_of(&mut self, set: Expr) -> (Domain, Ty) {
        match set.ty {
            Ty::Unknown => (Domain::Listed(Vec::new()), Ty::Unknown),
            Ty::Track => (Domain::Track(set), Ty::Step),
            Ty::Dirs | Ty::Dir => (Domain::Mask(self.coerce(set, Ty::Dirs)), Ty::Dir),
            Ty::Players | Ty::Player => (Domain::Seats(self.coerce(set, Ty::Players)), Ty::Player),
            Ty::Kinds => (Domain::Mask(set), Ty::Kind),
            Ty::Words(list) => (Domain::Mask(set), Ty::Word(list)),
            Ty::Bag(bag) => {
                let ty = if bag.kinds { Ty::Kind } else { Ty::Int };
                match set.kind {
                    ExprKind::BagRange(lo, hi) => (Domain::Range(*lo, *hi), ty),
                    _ => (Domain::Bag(set), ty),
                }
            }
            Ty::Int | Ty::Bool | Ty::Text => {
                let words = self.words_of(set.span);
                let diag = errors::no_set(self, &words, set.ty, set.span);
                self.say(diag);
                (Domain::Listed(Vec::new()), Ty::Unknown)
            }
            _ => (Domain::Sites(self.coerce(set, Ty::Sites)), Ty::Site),
        }
    }

    /// Binders of an expression, bound in the present block.
    fn binders(&mut self, binders: &ast::Binders) -> (Vec<Binder>, Option<Box<Expr>>) {
        let mut list = Vec::new();
        for binder in &binders.list {
            let (domain, ty) = self.domain(binder);
            let local = self.bind(&binder.name, ty);
            list.push(Binder { local, domain });
        }
        let filter = binders.filter.as_ref().map(|c| Box::new(self.need_bool(c)));
        (list, filter)
    }

    pub(super) fn comprehension(
        &mut self,
        fold: Fold,
        body: Option<&ast::Expr>,
        binders: &ast::Binders,
        ty: Ty,
        span: Span,
    ) -> Expr {
        let wanted = ty;
        let (made, _) = self.block(|me| {
            me.conditional(|me| {
                let mut list = Vec::new();
                for (i, binder) in binders.list.iter().enumerate() {
                    let (domain, ty) = me.domain(binder);
                    if binder.name.text == "mover" {
                        let local = me.local("mover", Ty::Player);
                        list.push(Binder { local, domain });
                        if i + 1 < binders.list.len() {
                            me.say(errors::mover_last(binder.name.span));
                        }
                        continue;
                    }
                    let local = me.bind(&binder.name, ty);
                    list.push(Binder { local, domain });
                }
                let filter = binders.filter.as_ref().map(|c| Box::new(me.need_bool(c)));
                let body = body.map(|body| Box::new(me.need(body, wanted)));
                (list, filter, body)
            })
        });
        let (binders_made, mut filter, mut body) = made;
        if let (Some(last), Some(made)) = (binders.list.last(), binders_made.last())
            && last.name.text == "mover"
        {
            let seat = mk(ExprKind::Local(made.local), Ty::Player, last.name.span);
            let from = |e: Box<Expr>| {
                let (ty, span) = (e.ty, e.span);
                Box::new(mk(ExprKind::From(Box::new(seat.clone()), e), ty, span))
            };
            filter = filter.map(from);
            body = body.map(from);
        }
        mk(ExprKind::Comprehend { fold, binders: binders_made, filter, body }, ty, span)
    }

    fn set_builder(&mut self, binders: &ast::Binders, span: Span) -> Expr {
        if binders.list.len() != 1 {
            self.say(errors::builder_head(span));
            return unknown(span);
        }
        let (made, _) = self.block(|me| me.conditional(|me| me.binders(binders)));
        let (mut list, filter) = made;
        let (Some(binder), Some(filter)) = (list.pop(), filter) else { return unknown(span) };
        let id = binder.local;
        let member = self.rules.locals[id.0 as usize].ty;
        let set_ty = match member {
            Ty::Site => Ty::Sites,
            Ty::Player => Ty::Players,
            Ty::Dir => Ty::Dirs,
            Ty::Kind => Ty::Kinds,
            Ty::Word(list) => Ty::Words(list),
            Ty::Step => Ty::Sites,
            Ty::Sites => Ty::Sites,
            Ty::Unknown => return unknown(span),
            _ => {
                self.say(errors::no_set_of(span));
                return unknown(span);
            }
        };
        match binder.domain {
            Domain::Sites(set) => mk(ExprKind::Filter(id, Box::new(set), filter), Ty::Sites, span),
            domain => {
                let body = mk(ExprKind::Local(id), member, span);
                let body = self.coerce(body, set_ty);
                let binders = vec![Binder { local: id, domain }];
                let kind = ExprKind::Comprehend {
                    fold: Fold::Union,
                    binders,
                    filter: Some(filter),
                    body: Some(Box::new(body)),
                };
                mk(kind, set_ty, span)
            }
        }
    }

    fn union_builder(&mut self, head: &ast::Expr, binders: &ast::Binders, span: Span) -> Expr {
        let (made, _) = self.block(|me| {
            me.conditional(|me| {
                let (list, filter) = me.binders(binders);
                let body = me.expr(head, None);
                (list, filter, me.as_set(body))
            })
        });
        let (binders, filter, body) = made;
        let ty = body.ty;
        match ty {
            Ty::Unknown => unknown(span),
            Ty::Bag(_) => {
                self.say(errors::no_set_of(span));
                unknown(span)
            }
            _ => {
                let kind = ExprKind::Comprehend { fold: Fold::Union, binders, filter, body: Some(Box::new(body)) };
                mk(kind, ty, span)
            }
        }
    }
}
