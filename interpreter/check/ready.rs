//! The words that every game has and that take something in brackets.

use super::{Checker, errors, mk, unknown};
use crate::rules::expr::Fold;
use crate::rules::{BagTy, Expr, ExprKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind as A};

impl Checker<'_> {
    pub(super) fn ready_call(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span) -> Option<Expr> {
        use ExprKind as K;
        let want = |me: &mut Self, n: usize| -> bool {
            if args.len() == n {
                return true;
            }
            me.say(errors::wrong_number(&name.text, n, args.len(), span));
            for arg in args {
                if !matches!(&*arg.value.kind, A::Builder(..)) {
                    me.expr(&arg.value, None);
                }
            }
            false
        };
        Some(match name.text.as_str() {
            "count" => {
                if !want(self, 1) {
                    return Some(unknown(span));
                }
                // Members are counted once each, so what is collected has to be a set first.
                if let A::Builder(None, binders) = &*args[0].value.kind {
                    return Some(self.comprehension(Fold::Count, None, binders, Ty::Int, span));
                }
                let set = self.expr(&args[0].value, None);
                if let K::BagRange(lo, hi) = set.kind {
                    // From the first to the second number, none if the first is greater.
                    let more = super::constant::arith(ast::ArithOp::Sub, *hi, *lo, span);
                    let one = Expr::scalar(1, Ty::Int, span);
                    let n = super::constant::arith(ast::ArithOp::Add, more, one, span);
                    return Some(mk(K::Greatest(vec![n, Expr::scalar(0, Ty::Int, span)]), Ty::Int, span));
                }
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
                if !want(self, 2) {
                    return Some(unknown(span));
                }
                let (s, d) = (self.need(&args[0].value, Ty::Site), self.need(&args[1].value, Ty::Dir));
                if self.rules.board.sides.is_empty() && self.place.dead == 0 && !self.no_board {
                    self.say(errors::no_sides(span));
                }
                match (s.as_const(), d.as_const()) {
                    (Some(s), Some(d)) => Expr::scalar(self.rules.board.side(s, d), Ty::Site, span),
                    _ => mk(K::Side(Box::new(s), Box::new(d)), Ty::Site, span),
                }
            }
            _ => return None,
        })
    }

    fn needs_square(&mut self, word: &str, span: Span) {
        let board = &self.rules.board;
        let missing = if word == "mirrored" { board.mirrored.is_empty() } else { board.turned.is_empty() };
        if missing && self.place.dead == 0 && !self.no_board {
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
            let value = self.not_too_wide(value);
            return match value.ty {
                Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Players => {
                    let words = self.words_of(arg.value.span);
                    self.say(errors::fold_of_set(word, &words, value.ty, arg.value.span));
                    unknown(span)
                }
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
        if args.is_empty() {
            self.say(errors::wrong_number(word, 1, 0, span));
            return unknown(span);
        }
        let values: Vec<Expr> = args.iter().map(|arg| self.need(&arg.value, Ty::Int)).collect();
        if values.iter().any(|value| value.ty == Ty::Unknown) || values.is_empty() {
            return unknown(span);
        }
        match fold {
            Fold::Sum => summed(values, span),
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
            if self.generic {
                self.rows_unknown = true;
            } else {
                self.say(errors::lines_constant(arg.value.span));
            }
            return Some(self.rows_of(0));
        };
        Some(self.rows_of(n))
    }

    /// The straight rows of `n` cells, made when first asked for.
    pub(super) fn rows_of(&mut self, n: i32) -> usize {
        // No row is longer than the board.
        let n = if n > self.rules.board.width.max(self.rules.board.length) { 0 } else { n.max(0) };
        if let Some(&at) = self.row_lists.get(&n) {
            return at;
        }
        let rows = if n > 0 { self.straight_rows(n) } else { Vec::new() };
        self.rules.lines.push(rows);
        let at = self.rules.lines.len() - 1;
        self.row_lists.insert(n, at);
        at
    }

    fn straight_rows(&self, n: i32) -> Vec<crate::rules::SiteSet> {
        let board = &self.rules.board;
        let mut rows = Vec::new();
        for site in 0..board.n_cells as i32 {
            for dir in 0..4 {
                let row: Vec<i32> = std::iter::successors(Some(site), |&cell| Some(board.step(cell, dir)))
                    .take_while(|&cell| cell >= 0)
                    .take(n as usize)
                    .collect();
                if row.len() == n as usize {
                    rows.push(crate::rules::SiteSet::of(board.sites.len(), row));
                    if n == 1 {
                        break;
                    }
                }
            }
        }
        rows
    }
}

/// Numbers added two by two, so that the sum is no deeper than it has to be.
fn summed(mut values: Vec<Expr>, span: Span) -> Expr {
    while values.len() > 1 {
        let mut rest = values.into_iter();
        let mut pairs = Vec::new();
        while let Some(left) = rest.next() {
            pairs.push(match rest.next() {
                Some(right) => super::constant::arith(ast::ArithOp::Add, left, right, span),
                None => left,
            });
        }
        values = pairs;
    }
    values.pop().unwrap_or_else(|| unknown(span))
}
