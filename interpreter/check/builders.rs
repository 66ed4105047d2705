//! Names that run through something: sets told by a condition, sums, and what `choose`, `roll` and `for` go through.

use super::{Checker, errors, mk, unknown};
use crate::rules::expr::Fold;
use crate::rules::{Binder, Domain, Expr, ExprKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

impl Checker<'_> {
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
            Ty::Int if matches!(set.kind, ExprKind::Const(_)) => {
                let words = self.words_of(set.span);
                self.say(errors::number_as_range(&words, set.span));
                (Domain::Listed(Vec::new()), Ty::Unknown)
            }
            Ty::Int | Ty::Bool | Ty::Text => {
                let words = self.words_of(set.span);
                let diag = errors::no_set(&words, set.ty, set.span);
                self.say(diag);
                (Domain::Listed(Vec::new()), Ty::Unknown)
            }
            _ => (Domain::Sites(self.coerce(set, Ty::Sites)), Ty::Site),
        }
    }

    /// Binders of an expression, bound in the present block. One called `mover` is the last, and what follows is seen from that seat.
    fn binders(&mut self, binders: &ast::Binders) -> (Vec<Binder>, Option<Box<Expr>>) {
        let mut list = Vec::new();
        for (i, binder) in binders.list.iter().enumerate() {
            let (domain, ty) = self.domain(binder);
            let local = if binder.name.text == "mover" {
                if ty != Ty::Player && ty != Ty::Unknown {
                    self.say(errors::mover_seats(binder.name.span));
                }
                if i + 1 < binders.list.len() {
                    self.say(errors::mover_last(binder.name.span));
                }
                self.local("mover", Ty::Player)
            } else {
                self.bind(&binder.name, ty)
            };
            list.push(Binder { local, domain });
        }
        let filter = binders.filter.as_ref().map(|c| Box::new(self.need_bool(c)));
        (list, filter)
    }

    /// Condition and value, seen from the seat that the last binder names, if it is called `mover`.
    fn seen_from(written: &ast::Binders, made: &[Binder], exprs: [Option<Box<Expr>>; 2]) -> [Option<Box<Expr>>; 2] {
        let (Some(last), Some(made)) = (written.list.last(), made.last()) else { return exprs };
        if last.name.text != "mover" {
            return exprs;
        }
        let seat = mk(ExprKind::Local(made.local), Ty::Player, last.name.span);
        exprs.map(|e| {
            e.map(|e| {
                let (ty, span) = (e.ty, e.span);
                Box::new(mk(ExprKind::From(Box::new(seat.clone()), e), ty, span))
            })
        })
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
        let before = self.written;
        let looks = std::mem::take(&mut self.looks);
        let (made, _) = self.block(|me| {
            me.conditional(|me| {
                let (list, filter) = me.binders(binders);
                let body = body.map(|body| Box::new(me.need(body, wanted)));
                (list, filter, body)
            })
        });
        self.looked(looks, &made.0, span);
        if binders.list.iter().any(|binder| binder.name.text == "mover") {
            self.written_for_seats(before, span);
        }
        let (binders_made, filter, body) = made;
        let [filter, body] = Self::seen_from(binders, &binders_made, [filter, body]);
        mk(ExprKind::Comprehend { fold, binders: binders_made, filter, body }, ty, span)
    }

    pub(super) fn set_builder(&mut self, binders: &ast::Binders, span: Span) -> Expr {
        if binders.list.len() != 1 {
            self.say(errors::builder_head(span));
            return unknown(span);
        }
        let looks = std::mem::take(&mut self.looks);
        let (made, _) = self.block(|me| me.conditional(|me| me.binders(binders)));
        self.looked(looks, &made.0, span);
        let (mut list, filter) = made;
        let [filter, _] = Self::seen_from(binders, &list, [filter, None]);
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

    pub(super) fn union_builder(&mut self, head: &ast::Expr, binders: &ast::Binders, span: Span) -> Expr {
        let looks = std::mem::take(&mut self.looks);
        let (made, _) = self.block(|me| {
            me.conditional(|me| {
                let (list, filter) = me.binders(binders);
                let body = me.expr(head, None);
                (list, filter, me.as_set(body))
            })
        });
        self.looked(looks, &made.0, span);
        let (made, filter, body) = made;
        let ty = body.ty;
        let [filter, body] = Self::seen_from(binders, &made, [filter, Some(Box::new(body))]);
        match ty {
            Ty::Unknown => unknown(span),
            Ty::Bag(_) => {
                self.say(errors::no_set_of(span));
                unknown(span)
            }
            _ => {
                let kind = ExprKind::Comprehend { fold: Fold::Union, binders: made, filter, body };
                mk(kind, ty, span)
            }
        }
    }
}
