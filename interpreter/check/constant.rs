//! What can be worked out while reading is: conditions on options vanish, and numbers that depend on them become numbers.

use super::mk;
use crate::rules::expr::Cmp;
use crate::rules::{Expr, ExprKind, NO_LIMIT, Ty, number};
use crate::source::Span;
use crate::syntax::ast::ArithOp;

pub(super) fn bool_of(value: bool, span: Span) -> Expr {
    mk(ExprKind::Const(i32::from(value)), Ty::Bool, span)
}

pub(super) fn is_bool(e: &Expr, value: bool) -> bool {
    e.ty == Ty::Bool && e.as_const() == Some(i32::from(value))
}

pub(super) fn arith(op: ArithOp, a: Expr, b: Expr, span: Span) -> Expr {
    match (a.as_const(), b.as_const()) {
        (Some(x), Some(y)) => {
            let value = match op {
                ArithOp::Add => number::add(x, y),
                ArithOp::Sub => number::sub(x, y),
                ArithOp::Mul => number::mul(x, y),
                ArithOp::Div => number::div(x, y),
                ArithOp::Rem => number::rem(x, y),
            };
            mk(ExprKind::Const(value), Ty::Int, span)
        }
        _ => mk(ExprKind::Arith(op, Box::new(a), Box::new(b)), Ty::Int, span),
    }
}

pub(super) fn negate(a: Expr, span: Span) -> Expr {
    match a.as_const() {
        Some(NO_LIMIT) => mk(ExprKind::Const(i32::MIN + 1), Ty::Int, span),
        Some(x) => mk(ExprKind::Const(number::sub(0, x)), Ty::Int, span),
        None => mk(ExprKind::Negate(Box::new(a)), Ty::Int, span),
    }
}

pub(super) fn not(a: Expr, span: Span) -> Expr {
    match a.as_const() {
        Some(x) => bool_of(x == 0, span),
        None => mk(ExprKind::Not(Box::new(a)), Ty::Bool, span),
    }
}

pub(super) fn and(a: Expr, b: Expr, span: Span) -> Expr {
    if is_bool(&a, false) || is_bool(&b, true) {
        return Expr { span, ..a };
    }
    if is_bool(&a, true) {
        return Expr { span, ..b };
    }
    if is_bool(&b, false) {
        return bool_of(false, span);
    }
    mk(ExprKind::And(Box::new(a), Box::new(b)), Ty::Bool, span)
}

pub(super) fn or(a: Expr, b: Expr, span: Span) -> Expr {
    if is_bool(&a, true) || is_bool(&b, false) {
        return Expr { span, ..a };
    }
    if is_bool(&a, false) {
        return Expr { span, ..b };
    }
    if is_bool(&b, true) {
        return bool_of(true, span);
    }
    mk(ExprKind::Or(Box::new(a), Box::new(b)), Ty::Bool, span)
}

pub(super) fn compare(cmp: Cmp, a: Expr, b: Expr, span: Span) -> Expr {
    if let (Some(x), Some(y)) = (a.as_const(), b.as_const()) {
        return bool_of(
            match cmp {
                Cmp::Eq => x == y,
                Cmp::Ne => x != y,
                Cmp::Lt => x < y,
                Cmp::Le => x <= y,
                Cmp::Gt => x > y,
                Cmp::Ge => x >= y,
            },
            span,
        );
    }
    mk(ExprKind::Compare(cmp, Box::new(a), Box::new(b)), Ty::Bool, span)
}

pub(super) fn if_(c: Expr, t: Expr, e: Expr, ty: Ty, span: Span) -> Expr {
    match c.as_const() {
        Some(0) => e,
        Some(_) => t,
        None => mk(ExprKind::If(Box::new(c), Box::new(t), Box::new(e)), ty, span),
    }
}
