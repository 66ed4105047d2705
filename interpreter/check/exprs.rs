//! Expressions: names and calls, conditions, comprehensions. Operators are in `sets.rs`.

use super::constant::{bool_of, if_, is_bool, not};
use super::{Bound, Checker, errors, mk, unknown};
use crate::rules::expr::Fold;
use crate::rules::{Expr, ExprKind, NONE, PerWhat, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

impl Checker<'_> {
    /// Reads an expression; the hint says what would be welcome, so that words of lists and `{}` are understood.
    pub(super) fn expr(&mut self, e: &ast::Expr, hint: Option<Ty>) -> Expr {
        if !self.enter(e.span) {
            return unknown(e.span);
        }
        let made = self.expr_inside(e, hint);
        self.leave();
        made
    }

    fn expr_inside(&mut self, e: &ast::Expr, hint: Option<Ty>) -> Expr {
        let span = e.span;
        match &*e.kind {
            A::Int(n) => Expr::scalar(super::names::clamp(*n), Ty::Int, span),
            A::Text(text) => {
                let value = self.text(&text.value, span);
                self.text_places.extend(value.as_const().map(|code| (code as usize, span)));
                value
            }
            A::Bool(value) => match hint {
                Some(Ty::Word(list) | Ty::Words(list)) => {
                    let word = if *value { "on" } else { "off" };
                    self.word_in(list, word, span).unwrap_or_else(|| bool_of(*value, span))
                }
                _ => bool_of(*value, span),
            },
            A::Name(name) => self.name(name, hint),
            A::Call(name, args) => self.call(name, args, span),
            A::Base(args) => self.base_call(args, span),
            A::Owned(owner, word, args) => self.owned(owner, word, args.as_deref(), span),
            A::At(what, site) => self.at(what, site, span),
            A::On(site, track) => self.on_track(site, track, span),
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
                if set.ty == Ty::Unknown {
                    return mk(ExprKind::Not(Box::new(set)), Ty::Bool, span);
                }
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
            A::And(a, b) => self.both_or_either(true, a, b, span),
            A::Or(a, b) => self.both_or_either(false, a, b, span),
            A::If(c, t, f) => self.if_expr(c, t, f, span, hint),
            A::Match(on, arms) => self.match_expr(on, arms, span, hint),
            A::Let(name, value, body) => {
                let value = self.expr(value, None);
                let value = self.not_too_wide(value);
                let (result, _) = self.block(|me| {
                    let id = me.bind(name, value.ty);
                    me.note_texts(id, &value);
                    let body = me.expr(body, hint);
                    (id, me.no_table_inside(body))
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

    /// What is worked out by something else is no table any more, but the sites where it is above 0.
    pub(super) fn no_table_inside(&mut self, e: Expr) -> Expr {
        if let Ty::Table(_) = e.ty { self.coerce(e, Ty::Sites) } else { e }
    }

    /// `a and b`, `a or b`
    fn both_or_either(&mut self, both: bool, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let left = self.expr(a, Some(Ty::Bool));
        let decided = is_bool(&left, !both);
        let right = self.conditional(|me| me.ruled_out(decided, |me| me.expr(b, Some(Ty::Bool))));
        let is_set = |ty: Ty| matches!(ty, Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players | Ty::Dirs | Ty::Table(_));
        if is_set(left.ty) && is_set(right.ty) {
            let (a, b) = (self.words_of(a.span), self.words_of(b.span));
            self.say(errors::joins_sets(both, &a, &b, span));
            return unknown(span);
        }
        let (left, right) = (self.coerce(left, Ty::Bool), self.coerce(right, Ty::Bool));
        if both { super::constant::and(left, right, span) } else { super::constant::or(left, right, span) }
    }

    /// `s on lap`: a step, if the track passes the site once.
    fn on_track(&mut self, site: &ast::Expr, track: &ast::Expr, span: Span) -> Expr {
        let (words, name) = (self.words_of(site.span), self.words_of(track.span));
        let site = self.need(site, Ty::Site);
        let track = self.need(track, Ty::Track);
        if let ExprKind::TrackOf(walks) = &track.kind
            && site.ty != Ty::Unknown
            && let Some(twice) = self.passed_twice(walks, site.as_const())
        {
            self.say(errors::passed_twice(&words, &name, &twice, site.as_const().is_some(), span));
            return unknown(span);
        }
        if site.ty == Ty::Unknown || track.ty == Ty::Unknown {
            return unknown(span);
        }
        mk(ExprKind::SiteStep(Box::new(site), Box::new(track)), Ty::Step, span)
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
                    let diag = errors::different_types(a, b, span, value.span);
                    self.say(diag);
                    return None;
                }
            }
        }
        let ty = if let Ty::Table(_) = widest.ty { Ty::Sites } else { widest.ty };
        let values = values.into_iter().map(|value| self.coerce(value, ty)).collect();
        Some((ty, values))
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
        let before = self.written;
        let (lets, value) = match args {
            None => (Vec::new(), self.name(word, None)),
            Some(args) => self.call_apart(word, args, span),
        };
        if who.as_const().is_none() {
            self.written_for_seats(before, span);
        }
        if value.ty == Ty::Unknown {
            return unknown(span);
        }
        let value = self.no_table_inside(value);
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
            type Make = fn(Box<Expr>) -> K;
            let at: Option<(Make, Ty)> = match name.text.as_str() {
                "x" => Some((K::XAt, Ty::Int)),
                "y" => Some((K::YAt, Ty::Int)),
                "kind" => Some((K::KindAt, Ty::Kind)),
                "height" => {
                    self.needs_piles("height", span);
                    Some((K::HeightAt, Ty::Int))
                }
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
            let known = self.expr(what, None);
            if known.ty != Ty::Unknown {
                self.say(errors::no_table(&name.text, what.span));
            }
            self.expr(site, None);
            return unknown(span);
        }
        let words = self.words_of(what.span);
        self.say(errors::no_table(&words, what.span));
        self.expr(site, None);
        unknown(span)
    }

    fn at_site(&mut self, what: &ast::Name, site: &ast::Expr) -> Expr {
        let value = self.expr(site, Some(Ty::Site));
        if value.ty == Ty::Dir || value.ty == Ty::Dirs {
            let place = self.words_of(site.span);
            self.say(errors::brackets_at(&what.text, &place, site.span));
            return unknown(site.span);
        }
        if let Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Table(_) = value.ty {
            let place = self.words_of(site.span);
            self.say(errors::at_needs_one_site(&what.text, &place, site.span));
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
            let diag = errors::no_set(&words, ty, parts[0].span);
            self.say(diag);
            return unknown(span);
        }
        if ty == Ty::Unknown {
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
        if from.ty == Ty::Unknown || into.ty == Ty::Unknown {
            return unknown(span);
        }
        mk(ExprKind::Spread(id, Box::new(from), Box::new(into), up_to), Ty::Sites, span)
    }
}
