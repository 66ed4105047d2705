//! Sets and bags that are listed: `{a, b}`, `{2 horse, dog}`.

use super::coerce::widest;
use super::{Checker, errors, mk, unknown};
use crate::rules::expr::SetOp;
use crate::rules::{BagTy, Expr, ExprKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ArithOp};

/// How many numbers a listed bag holds that are not known before the game.
const MOST_UNKNOWN: i64 = 64;

/// How far from 0 the numbers of a bag may be.
const MOST_NUMBER: i32 = 1_000_000_000;

impl Checker<'_> {
    pub(super) fn braces(&mut self, elements: &[ast::Element], span: Span, hint: Option<Ty>) -> Expr {
        if elements.is_empty() {
            return match hint {
                Some(Ty::Bag(bag)) => mk(ExprKind::ConstBag(vec![0; bag.n as usize]), Ty::Bag(bag), span),
                Some(ty) if ty.is_mask() => mk(ExprKind::ConstMask(0), ty, span),
                _ => self.no_sites(span),
            };
        }
        let element_hint = match hint {
            Some(Ty::Words(list)) => Some(Ty::Word(list)),
            Some(Ty::Sites) => Some(Ty::Site),
            _ => None,
        };
        for element in elements {
            if let Some((n, at)) = element.times.filter(|(n, _)| *n > 255) {
                self.say(errors::counted_many(n, at));
            }
        }
        let values: Vec<(i64, Expr)> = elements
            .iter()
            .map(|element| (element.times.map_or(1, |(n, _)| n), self.expr(&element.value, element_hint)))
            .collect();
        if values.iter().any(|(_, value)| value.ty == Ty::Unknown) {
            return unknown(span);
        }
        let nowhere = |value: &Expr| value.ty == Ty::Site && value.as_const() == Some(crate::rules::NONE);
        self.listed_nowhere = values.iter().any(|(_, value)| nowhere(value));
        let counted = elements.iter().any(|element| element.times.is_some());
        let all = |ok: &dyn Fn(Ty) -> bool| values.iter().all(|(_, value)| ok(value.ty));
        if all(&|ty| matches!(ty, Ty::Int)) {
            return self.number_bag(values, span);
        }
        if all(&|ty| ty == Ty::Kind) && (counted || matches!(hint, Some(Ty::Bag(_)))) {
            return self.kind_bag(values, span);
        }
        if counted {
            self.say(errors::counted_elements(span));
            return unknown(span);
        }
        let mut sets = Vec::new();
        for (_, value) in values {
            sets.push(match value.ty {
                Ty::Kind if hint != Some(Ty::Sites) => self.coerce(value, Ty::Kinds),
                _ => self.as_set(value),
            });
        }
        self.joined(SetOp::Or, sets, span)
    }

    fn number_bag(&mut self, values: Vec<(i64, Expr)>, span: Span) -> Expr {
        let codes: Option<Vec<i32>> = values.iter().map(|(_, value)| value.as_const()).collect();
        let Some(codes) = codes else {
            return self.unknown_bag(values, span);
        };
        let (lo, hi) = (codes.iter().min().copied().unwrap_or(0), codes.iter().max().copied().unwrap_or(0));
        if lo < -MOST_NUMBER || hi > MOST_NUMBER {
            self.say(errors::bag_too_far(MOST_NUMBER, span));
            return unknown(span);
        }
        if i64::from(hi) - i64::from(lo) >= 16 {
            self.say(errors::bag_too_wide(span));
            return unknown(span);
        }
        let bag = BagTy { kinds: false, lo, n: (hi - lo + 1) as u8 };
        let mut counts = vec![0u8; bag.n as usize];
        for (code, (times, _)) in codes.into_iter().zip(&values) {
            let slot = &mut counts[(code - lo) as usize];
            *slot = slot.saturating_add((*times).clamp(0, 255) as u8);
        }
        mk(ExprKind::ConstBag(counts), Ty::Bag(bag), span)
    }

    /// A bag of numbers that are not known before the game.
    fn unknown_bag(&mut self, values: Vec<(i64, Expr)>, span: Span) -> Expr {
        if values.iter().map(|(times, _)| (*times).clamp(0, 256)).sum::<i64>() > MOST_UNKNOWN {
            self.say(errors::counted_unknown(MOST_UNKNOWN, span));
            return unknown(span);
        }
        let ty = Ty::Bag(BagTy { kinds: false, lo: 0, n: 16 });
        let mut lets = Vec::new();
        let mut singles = Vec::new();
        for (times, value) in values {
            let at = value.span;
            let id = self.local("", Ty::Int);
            lets.push((id, value));
            for _ in 0..times {
                let one = mk(ExprKind::Local(id), Ty::Int, at);
                singles.push(mk(ExprKind::Single(Box::new(one)), ty, at));
            }
        }
        if singles.is_empty() {
            return mk(ExprKind::ConstBag(vec![0; 16]), ty, span);
        }
        let mut bag = self.joined(SetOp::Add, singles, span);
        for (id, value) in lets.into_iter().rev() {
            bag = mk(ExprKind::Let(id, Box::new(value), Box::new(bag)), ty, span);
        }
        bag
    }

    pub(super) fn kind_bag_ty(&mut self, span: Span) -> Option<BagTy> {
        let n = self.rules.kinds.len();
        if n > 16 {
            self.say(errors::too_many_kinds_for_bag(n, span));
            return None;
        }
        Some(BagTy { kinds: true, lo: 0, n: n.max(1) as u8 })
    }

    fn kind_bag(&mut self, values: Vec<(i64, Expr)>, span: Span) -> Expr {
        let Some(bag) = self.kind_bag_ty(span) else { return unknown(span) };
        let mut counts = vec![0u8; bag.n as usize];
        for (times, value) in values {
            match value.as_const() {
                Some(code) if code >= 0 => {
                    let slot = &mut counts[code as usize];
                    *slot = slot.saturating_add(times.clamp(0, 255) as u8);
                }
                _ => {
                    self.say(errors::counted_elements(value.span));
                    return unknown(span);
                }
            }
        }
        mk(ExprKind::ConstBag(counts), Ty::Bag(bag), span)
    }

    pub(super) fn bag_sum(&mut self, op: ArithOp, left: Expr, right: Expr, span: Span) -> Expr {
        let bag = match (left.ty, right.ty) {
            (Ty::Bag(a), Ty::Bag(b)) if a.kinds == b.kinds => widest(a, b),
            (Ty::Bag(a), _) => a,
            (_, Ty::Bag(b)) => b,
            _ => return unknown(span),
        };
        let (left, right) = (self.coerce(left, Ty::Bag(bag)), self.coerce(right, Ty::Bag(bag)));
        let op = if op == ArithOp::Add { SetOp::Add } else { SetOp::Minus };
        mk(ExprKind::Set(op, Box::new(left), Box::new(right)), Ty::Bag(bag), span)
    }
}
