//! The operators. `+` on numbers adds, on a site and a direction goes there, on sets of places moves them all; `-` likewise, and takes away.

use super::coerce::is_nothing;
use super::constant::{self, arith, compare};
use super::{Checker, errors, mk, unknown};
use crate::rules::board::opposite;
use crate::rules::expr::{Cmp, SetOp};
use crate::rules::{BagTy, Expr, ExprKind, NONE, SiteSet, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ArithOp, CompareOp, ExprKind as A};

impl Checker<'_> {
    pub(super) fn arithmetic(
        &mut self,
        op: ArithOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
        hint: Option<Ty>,
    ) -> Expr {
        let left_hint = match op {
            ArithOp::Add | ArithOp::Sub => hint,
            _ => None,
        };
        let left = self.expr(a, left_hint);
        match op {
            ArithOp::Add | ArithOp::Sub => {}
            ArithOp::Mul | ArithOp::Div | ArithOp::Rem => {
                let right = self.expr(b, Some(Ty::Int));
                if matches!(left.ty, Ty::Dir | Ty::Dirs) || matches!(right.ty, Ty::Dir | Ty::Dirs) {
                    let words = self.words_of(span);
                    self.say(errors::times_direction(&words, span));
                    return unknown(span);
                }
                let (left, right) = (self.coerce(left, Ty::Int), self.coerce(right, Ty::Int));
                if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
                    return unknown(span);
                }
                return arith(op, left, right, span);
            }
        }
        let (right, times) = self.addend(b, left.ty);
        if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
            return unknown(span);
        }
        if op == ArithOp::Sub
            && let (Some(from), Some(to)) = (self.cell_named(a, &left), self.cell_named(b, &right))
        {
            let words = self.words_of(span);
            self.say(errors::minus_of_sites(&words, from, to, span));
            return unknown(span);
        }
        if let (A::At(what, site), Ty::Dir | Ty::Dirs) = (&*a.kind, right.ty)
            && matches!(left.ty, Ty::Player | Ty::Int | Ty::Kind | Ty::Bool | Ty::Word(_))
        {
            let sign = if op == ArithOp::Add { "+" } else { "-" };
            let (what, site, dir) = (self.words_of(what.span), self.words_of(site.span), self.words_of(b.span));
            let words = self.words_of(span);
            let mend = format!("{what} at ({site} {sign} {dir})");
            self.say(errors::adds_direction(&words, left.ty, Some(mend), span));
            return unknown(span);
        }
        if matches!(right.ty, Ty::Dir | Ty::Dirs) && !matches!(left.ty, Ty::Dir | Ty::Dirs) {
            return self.shifted(op, left, right, times, span);
        }
        if times.is_some() {
            let words = self.words_of(b.span);
            self.say(errors::times_direction(&words, b.span));
            return unknown(span);
        }
        match left.ty {
            Ty::Int => {
                if let Ty::Bag(_) = right.ty {
                    return self.bag_sum(op, left, right, span);
                }
                let right = self.coerce(right, Ty::Int);
                arith(op, left, right, span)
            }
            Ty::Step | Ty::Track if matches!(right.ty, Ty::Int) => {
                let step = self.coerce(left, Ty::Step);
                let n = match op {
                    ArithOp::Sub => constant::negate(right, span),
                    _ => right,
                };
                mk(ExprKind::StepOn(Box::new(step), Box::new(n)), Ty::Step, span)
            }
            // A bare track is its first step.
            Ty::Step if matches!(right.ty, Ty::Step | Ty::Track) && op == ArithOp::Sub => {
                let right = self.coerce(right, Ty::Step);
                let (a, b) = (self.coerce(left, Ty::Int), self.coerce(right, Ty::Int));
                arith(op, a, b, span)
            }
            Ty::Bag(_) => self.bag_sum(op, left, right, span),
            Ty::Bool | Ty::Text => {
                let words = self.words_of(a.span);
                let diag = errors::wrong_type(&words, left.ty, Ty::Int, None, a.span);
                self.say(diag);
                unknown(span)
            }
            _ => self.set_difference(op, left, right, span),
        }
    }

    /// The word of a square of the board, if it is written as such.
    fn cell_named<'e>(&self, written: &'e ast::Expr, read: &Expr) -> Option<&'e str> {
        let A::Name(name) = &*written.kind else { return None };
        let site = read.as_const().filter(|_| read.ty == Ty::Site)?;
        let board = &self.rules.board;
        ((site as usize) < board.n_cells && board.site(&name.text) == Some(site)).then_some(name.text.as_str())
    }

    /// The right side of `+` or `-`: a direction may be taken several times, `d * 2`.
    fn addend(&mut self, b: &ast::Expr, left: Ty) -> (Expr, Option<Expr>) {
        let mut inner = b;
        while let A::Paren(e) = &*inner.kind {
            inner = e;
        }
        if let A::Arith(ArithOp::Mul, x, y) = &*inner.kind
            && left != Ty::Int
        {
            let first = self.expr(x, None);
            if matches!(first.ty, Ty::Dir | Ty::Dirs) {
                let n = self.need(y, Ty::Int);
                return (first, Some(n));
            }
            let second = self.expr(y, None);
            if matches!(second.ty, Ty::Dir | Ty::Dirs) {
                let n = self.coerce(first, Ty::Int);
                return (second, Some(n));
            }
            let (first, second) = (self.coerce(first, Ty::Int), self.coerce(second, Ty::Int));
            return (arith(ArithOp::Mul, first, second, b.span), None);
        }
        let hint = match left {
            Ty::Int | Ty::Step | Ty::Track => None,
            other => Some(other),
        };
        (self.expr(b, hint), None)
    }

    fn shifted(&mut self, op: ArithOp, left: Expr, dirs: Expr, times: Option<Expr>, span: Span) -> Expr {
        use ExprKind as K;
        let times = times.unwrap_or_else(|| Expr::scalar(1, Ty::Int, span));
        let times = if op == ArithOp::Sub { constant::negate(times, span) } else { times };
        match left.ty {
            Ty::Site | Ty::Step | Ty::Track if dirs.ty == Ty::Dir => {
                let site = self.coerce(left, Ty::Site);
                match (site.as_const(), dirs.as_const(), times.as_const()) {
                    (Some(s), Some(d), Some(n)) => Expr::scalar(self.rules.board.walk(s, d, n), Ty::Site, span),
                    _ => mk(K::Walk(Box::new(site), Box::new(dirs), Box::new(times)), Ty::Site, span),
                }
            }
            Ty::Int | Ty::Bool | Ty::Text | Ty::Players | Ty::Bag(_) | Ty::Player => {
                let words = self.words_of(span);
                self.say(errors::adds_direction(&words, left.ty, None, span));
                unknown(span)
            }
            _ => {
                let set = self.coerce(left, Ty::Sites);
                if dirs.ty == Ty::Dir {
                    mk(K::Shift(Box::new(set), Box::new(dirs), Box::new(times)), Ty::Sites, span)
                } else {
                    mk(K::ShiftAll(Box::new(set), Box::new(dirs), Box::new(times)), Ty::Sites, span)
                }
            }
        }
    }

    fn set_difference(&mut self, op: ArithOp, left: Expr, right: Expr, span: Span) -> Expr {
        if right.ty == Ty::Int && matches!(left.ty, Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players | Ty::Table(_)) {
            let words = self.words_of(left.span);
            self.say(errors::needs_count(&words, left.ty, left.span));
            return unknown(span);
        }
        if op == ArithOp::Add {
            // `orthogonal + diagonal`, `mine + theirs`: said with `|`.
            if self.common(&left, &right).is_none() {
                self.say(errors::different_types(left.ty, right.ty, left.span, right.span));
                return unknown(span);
            }
            let words = self.words_of(span);
            self.say(errors::plus_of_sets(&words, span));
            return unknown(span);
        }
        let mut sides = self.as_sets(vec![left, right]).into_iter();
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return unknown(span) };
        self.set_op(SetOp::Minus, left, right, span)
    }

    /// Each as a set. Beside a set of kinds a kind is one of them, not the sites that hold it.
    fn as_sets(&mut self, values: Vec<Expr>) -> Vec<Expr> {
        let kinds = values.iter().any(|value| value.ty == Ty::Kinds)
            && values.iter().all(|value| matches!(value.ty, Ty::Kind | Ty::Kinds));
        let set = |value| if kinds { self.coerce(value, Ty::Kinds) } else { self.as_set(value) };
        values.into_iter().map(set).collect()
    }

    /// A set operation on two sets of one type.
    pub(super) fn set_op(&mut self, op: SetOp, left: Expr, right: Expr, span: Span) -> Expr {
        if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
            return unknown(span);
        }
        let Some(ty) = self.common(&left, &right) else {
            let diag = errors::different_types(left.ty, right.ty, left.span, right.span);
            self.say(diag);
            return unknown(span);
        };
        let (left, right) = (self.coerce(left, ty), self.coerce(right, ty));
        match (&left.kind, &right.kind) {
            (ExprKind::ConstSites(a), ExprKind::ConstSites(b)) => {
                let set = match op {
                    SetOp::And => a.and(b),
                    SetOp::Or | SetOp::Add => a.or(b),
                    SetOp::Minus => a.minus(b),
                };
                mk(ExprKind::ConstSites(set), ty, span)
            }
            (ExprKind::ConstMask(a), ExprKind::ConstMask(b)) => {
                let mask = match op {
                    SetOp::And => a & b,
                    SetOp::Or | SetOp::Add => a | b,
                    SetOp::Minus => a & !b,
                };
                mk(ExprKind::ConstMask(mask), ty, span)
            }
            _ if op == SetOp::Or && is_nothing(&left) => Expr { span, ..right },
            _ if matches!(op, SetOp::Or | SetOp::Minus) && is_nothing(&right) => Expr { span, ..left },
            _ => mk(ExprKind::Set(op, Box::new(left), Box::new(right)), ty, span),
        }
    }

    pub(super) fn set_chain(&mut self, op: SetOp, parts: &[ast::Expr], span: Span, hint: Option<Ty>) -> Expr {
        let hint = hint.filter(|ty| !ty.is_scalar());
        let mut read = Vec::new();
        for part in parts {
            let value = self.expr(part, hint);
            if value.ty == Ty::Bool {
                let all = parts.iter().all(|part| part.span == value.span || self.is_condition(part));
                let words: Vec<String> = parts.iter().map(|part| self.words_of(part.span)).collect();
                let words = if all { words } else { Vec::new() };
                let word = self.words_of(part.span);
                self.say(errors::set_operator_on_bools(op == SetOp::And, &word, &words, span));
                return unknown(span);
            }
            read.push(value);
        }
        let mut values = Vec::new();
        for (part, value) in parts.iter().zip(self.as_sets(read)) {
            if let (SetOp::Or, A::Arith(ArithOp::Sub, from, what), Ty::Sites) = (op, &*part.kind, value.ty) {
                let before = parts.iter().take_while(|other| other.span != part.span).last();
                let words = |e: &ast::Expr| self.words_of(e.span);
                let (whole, from, what) = (words_between(self, parts, span), words(from), words(what));
                let diag = errors::take_away_from_which(&whole, before.map(words).as_deref(), &from, &what, span);
                self.say(diag);
            }
            values.push(value);
        }
        self.joined(op, values, span)
    }

    /// Is it written as a condition?
    fn is_condition(&self, e: &ast::Expr) -> bool {
        match &*e.kind {
            A::Paren(inner) => self.is_condition(inner),
            A::Bool(_) | A::Compare(..) | A::Some(..) | A::Exists(..) | A::Not(_) | A::And(..) | A::Or(..) => true,
            A::Name(name) => matches!(name.text.as_str(), "stuck" | "unchanged"),
            _ => false,
        }
    }

    /// Sets joined two by two, so that the result is no deeper than it has to be.
    pub(super) fn joined(&mut self, op: SetOp, mut values: Vec<Expr>, span: Span) -> Expr {
        while values.len() > 1 {
            let mut pairs = Vec::with_capacity(values.len().div_ceil(2));
            let mut rest = values.into_iter();
            while let Some(left) = rest.next() {
                pairs.push(match rest.next() {
                    Some(right) => self.set_op(op, left, right, span),
                    None => left,
                });
            }
            values = pairs;
        }
        values.pop().map_or_else(|| unknown(span), |e| Expr { span, ..e })
    }

    pub(super) fn range(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        use ExprKind as K;
        let (lo, hi) = (self.expr(a, None), self.expr(b, None));
        match (lo.ty, hi.ty) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => unknown(span),
            (Ty::Int, Ty::Int) => {
                let bag = match (lo.as_const(), hi.as_const()) {
                    (Some(lo), Some(hi)) => {
                        BagTy { kinds: false, lo, n: (i64::from(hi) - i64::from(lo) + 1).clamp(1, 16) as u8 }
                    }
                    _ => BagTy { kinds: false, lo: 0, n: 16 },
                };
                mk(K::BagRange(Box::new(lo), Box::new(hi)), Ty::Bag(bag), span)
            }
            (Ty::Step | Ty::Track, Ty::Step | Ty::Track) => {
                let (lo, hi) = (self.coerce(lo, Ty::Step), self.coerce(hi, Ty::Step));
                mk(K::StepRange(Box::new(lo), Box::new(hi)), Ty::Sites, span)
            }
            _ => {
                let (lo, hi) = (self.coerce(lo, Ty::Site), self.coerce(hi, Ty::Site));
                if lo.ty == Ty::Unknown || hi.ty == Ty::Unknown {
                    return unknown(span);
                }
                match (lo.as_const(), hi.as_const()) {
                    (Some(a), Some(b)) => mk(K::ConstSites(self.rectangle(a, b)), Ty::Sites, span),
                    _ => mk(K::Rectangle(Box::new(lo), Box::new(hi)), Ty::Sites, span),
                }
            }
        }
    }

    /// The cells of the rectangle between two corners.
    fn rectangle(&self, a: i32, b: i32) -> SiteSet {
        let board = &self.rules.board;
        let mut set = SiteSet::new(self.rules.n_sites());
        if a == NONE || b == NONE || a as usize >= board.n_cells || b as usize >= board.n_cells {
            return set;
        }
        let (p, q) = (&board.sites[a as usize], &board.sites[b as usize]);
        for (i, site) in board.sites[..board.n_cells].iter().enumerate() {
            let inside = |v: i32, m: i32, n: i32| (m.min(n)..=m.max(n)).contains(&v);
            if inside(site.x, p.x, q.x) && inside(site.y, p.y, q.y) {
                set.insert(i as i32);
            }
        }
        set
    }

    pub(super) fn comparison(&mut self, op: CompareOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        match op {
            CompareOp::Is => self.same(a, b, span, true),
            CompareOp::IsNot => self.same(a, b, span, false),
            CompareOp::In => self.inside(a, b, span),
            CompareOp::NotIn => {
                let e = self.inside(a, b, span);
                constant::not(e, span)
            }
            CompareOp::Within => self.within(a, b, span),
            CompareOp::Less | CompareOp::LessEq | CompareOp::More | CompareOp::MoreEq => {
                let cmp = match op {
                    CompareOp::Less => Cmp::Lt,
                    CompareOp::LessEq => Cmp::Le,
                    CompareOp::More => Cmp::Gt,
                    _ => Cmp::Ge,
                };
                let (left, right) = (self.expr(a, Some(Ty::Int)), self.expr(b, Some(Ty::Int)));
                let (left, right) = (self.amount(left), self.amount(right));
                if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
                    return Expr { ty: Ty::Bool, ..unknown(span) };
                }
                compare(cmp, left, right, span)
            }
        }
    }

    /// A number to be compared; a set is meant to be counted.
    fn amount(&mut self, e: Expr) -> Expr {
        if matches!(e.ty, Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players | Ty::Table(_)) {
            let words = self.words_of(e.span);
            self.say(errors::needs_count(&words, e.ty, e.span));
            return unknown(e.span);
        }
        self.coerce(e, Ty::Int)
    }

    fn same(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span, wanted: bool) -> Expr {
        let left = self.expr(a, None);
        // What is wrong on the left may be why a single word on the right means nothing.
        let doubtful = |name: &ast::Name| left.ty == Ty::Unknown && self.local_named(&name.text).is_none();
        if matches!(&*b.kind, A::Name(name) if doubtful(name)) {
            return mk(ExprKind::Not(Box::new(unknown(span))), Ty::Bool, span);
        }
        let right = self.expr(b, Some(left.ty));
        if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
            // Not unknown itself: it is a yes-or-no, whatever was wrong inside.
            return mk(ExprKind::Not(Box::new(unknown(span))), Ty::Bool, span);
        }
        let result = self.same_values(left, right, span);
        if wanted { result } else { constant::not(result, span) }
    }

    fn same_values(&mut self, left: Expr, right: Expr, span: Span) -> Expr {
        use ExprKind as K;
        let truth = |kind| mk(kind, Ty::Bool, span);
        // `from is pawn`, `s is red`: what stands there.
        if matches!(left.ty, Ty::Site | Ty::Step)
            && (matches!(right.ty, Ty::Kind | Ty::Kinds)
                || matches!(right.ty, Ty::Word(list) if self.labelled_by(list).is_some())
                || (right.ty == Ty::Sites && !is_nothing(&right)))
        {
            if right.ty == Ty::Sites && !matches!(right.kind, K::Set(..) | K::KindSites(_)) {
                let (l, r) = (self.coerce(left, Ty::Sites), right);
                return truth(K::SameSet(Box::new(l), Box::new(r)));
            }
            if right.ty == Ty::Sites && !is_narrowed_kind(&right) {
                let (l, r) = (self.coerce(left, Ty::Sites), right);
                return truth(K::SameSet(Box::new(l), Box::new(r)));
            }
            let (l, r) = (self.coerce(left, Ty::Site), self.coerce(right, Ty::Sites));
            return truth(K::In(Box::new(l), Box::new(r)));
        }
        let Some(ty) = self.common(&left, &right) else {
            let (a, b) = (self.words_of(left.span), self.words_of(right.span));
            let diag = match (left.ty, right.ty) {
                (Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players, Ty::Int) => {
                    errors::needs_count(&a, left.ty, left.span)
                }
                (Ty::Int, Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players) => {
                    errors::needs_count(&b, right.ty, right.span)
                }
                (was, is) => errors::not_comparable(&a, was, &b, is, span),
            };
            self.say(diag);
            return mk(ExprKind::Not(Box::new(unknown(span))), Ty::Bool, span);
        };
        let (l, r) = (self.coerce(left, ty), self.coerce(right, ty));
        if let Ty::Table(_) = ty {
            let (l, r) = (self.coerce(l, Ty::Sites), self.coerce(r, Ty::Sites));
            return truth(K::SameSet(Box::new(l), Box::new(r)));
        }
        if ty.is_scalar() { compare(Cmp::Eq, l, r, span) } else { truth(K::SameSet(Box::new(l), Box::new(r))) }
    }

    fn inside(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        use ExprKind as K;
        let truth = |kind| mk(kind, Ty::Bool, span);
        let broken = || mk(K::Not(Box::new(unknown(span))), Ty::Bool, span);
        let thing = self.expr(a, None);
        let set = self.expr(b, Some(thing.ty));
        if thing.ty == Ty::Unknown || set.ty == Ty::Unknown {
            return broken();
        }
        let sites = |ty: Ty| matches!(ty, Ty::Sites | Ty::Table(_));
        if sites(thing.ty)
            || matches!(thing.ty, Ty::Kind | Ty::Kinds) && (sites(set.ty) && !is_nothing(&set) || set.ty == Ty::Site)
        {
            let (x, s) = (self.words_of(a.span), self.words_of(b.span));
            self.say(errors::in_of_set(&x, &s, span));
            return broken();
        }
        match (thing.ty, set.ty) {
            (Ty::Int | Ty::Step, Ty::Bag(bag)) if !bag.kinds => {
                let n = self.coerce(thing, Ty::Int);
                match set.kind {
                    K::BagRange(lo, hi) => truth(K::InRange(Box::new(n), lo, hi)),
                    _ => truth(K::In(Box::new(n), Box::new(set))),
                }
            }
            (Ty::Kind, Ty::Bag(_) | Ty::Kinds) => {
                let set = if let Ty::Bag(_) = set.ty { set } else { self.coerce(set, Ty::Kinds) };
                truth(K::In(Box::new(thing), Box::new(set)))
            }
            (Ty::Player, Ty::Player | Ty::Players) => {
                let set = self.coerce(set, Ty::Players);
                truth(K::In(Box::new(thing), Box::new(set)))
            }
            (Ty::Dir, Ty::Dir | Ty::Dirs) => {
                let set = self.coerce(set, Ty::Dirs);
                truth(K::In(Box::new(thing), Box::new(set)))
            }
            (Ty::Word(list), Ty::Words(_) | Ty::Word(_)) => {
                let set = self.coerce(set, Ty::Words(list));
                truth(K::In(Box::new(thing), Box::new(set)))
            }
            _ if is_nothing(&set) => constant::bool_of(false, span),
            _ => {
                let site = self.coerce(thing, Ty::Site);
                let set = self.coerce(set, Ty::Sites);
                if site.ty == Ty::Unknown || set.ty == Ty::Unknown {
                    return broken();
                }
                if let (Some(s), K::ConstSites(set)) = (site.as_const(), &set.kind) {
                    return constant::bool_of(set.has(s), span);
                }
                truth(K::In(Box::new(site), Box::new(set)))
            }
        }
    }

    fn within(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        self.listed_nowhere = false;
        let left = self.expr(a, None);
        // Sites that are named one by one have to be there: what is off the board is in nothing.
        let off_board = match left.ty {
            Ty::Site => left.as_const() == Some(NONE),
            _ => is_listed(a) && self.listed_nowhere,
        };
        let one_by_one = is_listed(a) || left.ty == Ty::Site;
        let left = self.as_set(left);
        let right = self.expr(b, Some(left.ty));
        let right = self.as_set(right);
        let named = if one_by_one { singles(&left) } else { Vec::new() };
        let broken = mk(ExprKind::Not(Box::new(unknown(span))), Ty::Bool, span);
        if left.ty == Ty::Unknown || right.ty == Ty::Unknown {
            return broken;
        }
        match self.common(&left, &right) {
            Some(ty) => {
                let (l, r) = (self.coerce(left, ty), self.coerce(right, ty));
                if off_board {
                    return constant::bool_of(false, span);
                }
                let within = mk(ExprKind::Within(Box::new(l), Box::new(r)), Ty::Bool, span);
                let nowhere = || Expr::scalar(NONE, Ty::Site, span);
                let there = named.into_iter().map(|site| compare(Cmp::Ne, site, nowhere(), span));
                there.fold(within, |all, one| constant::and(all, one, span))
            }
            None => {
                let (a, b) = (self.words_of(left.span), self.words_of(right.span));
                self.say(errors::not_comparable(&a, left.ty, &b, right.ty, span));
                broken
            }
        }
    }

    /// A direction's opposite, worked out if it is known.
    pub(super) fn opposite(&self, d: Expr, span: Span) -> Expr {
        match d.as_const() {
            Some(code) => Expr::scalar(opposite(code), Ty::Dir, span),
            None => mk(ExprKind::Opposite(Box::new(d)), Ty::Dir, span),
        }
    }
}

/// The words of the whole chain.
fn words_between(checker: &Checker<'_>, parts: &[ast::Expr], span: Span) -> String {
    checker.words_of(parts.first().zip(parts.last()).map_or(span, |(first, last)| first.span.to(last.span)))
}

/// `White's king`: a kind and the pieces of a seat.
fn is_narrowed_kind(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::KindSites(_) => true,
        ExprKind::Set(SetOp::And, a, b) => {
            matches!(a.kind, ExprKind::KindSites(_)) && matches!(b.kind, ExprKind::PiecesOf(_))
        }
        _ => false,
    }
}

/// Is it written as a list, `{a, b}`?
fn is_listed(e: &ast::Expr) -> bool {
    match &*e.kind {
        A::Paren(inner) => is_listed(inner),
        A::Braces(_) => true,
        _ => false,
    }
}

/// The single sites that a set is made of.
fn singles(set: &Expr) -> Vec<Expr> {
    match &set.kind {
        ExprKind::Single(site) if site.ty == Ty::Site => vec![(**site).clone()],
        ExprKind::Set(SetOp::Or, a, b) => [singles(a), singles(b)].concat(),
        _ => Vec::new(),
    }
}
