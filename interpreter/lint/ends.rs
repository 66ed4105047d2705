//! Ends that come too late: one before them holds whenever they do.

use std::collections::BTreeSet;

use crate::rules::expr::Cmp;
use crate::rules::{Expr, ExprKind, Rules};
use crate::source::{Sources, Span};

/// A condition as its author wrote it, or that a number is not below (above) another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Said(String),
    AtLeast(String, i32),
    AtMost(String, i32),
}

/// Ends that never come, each with the one before it that always comes first.
pub fn covered(rules: &Rules, sources: &Sources) -> Vec<(Span, Span, Span)> {
    let parts: Vec<BTreeSet<Part>> = rules.ends.iter().map(|end| of(&end.when, sources)).collect();
    let mut found = Vec::new();
    for (i, end) in rules.ends.iter().enumerate() {
        let first = (0..i).find(|&before| !parts[before].is_empty() && implies(&parts[i], &parts[before]));
        if let Some(first) = first {
            found.push((end.when.span, end.span, rules.ends[first].span));
        }
    }
    found
}

/// Does the one hold whenever the other does?
fn implies(this: &BTreeSet<Part>, other: &BTreeSet<Part>) -> bool {
    other.iter().all(|wanted| {
        this.iter().any(|part| match (part, wanted) {
            (Part::AtLeast(a, n), Part::AtLeast(b, m)) => a == b && n >= m,
            (Part::AtMost(a, n), Part::AtMost(b, m)) => a == b && n <= m,
            _ => part == wanted,
        })
    })
}

/// The conditions that must all hold.
fn of(test: &Expr, sources: &Sources) -> BTreeSet<Part> {
    let words = |expr: &Expr| sources.words(expr.span).split_whitespace().collect::<Vec<_>>().join(" ");
    match &test.kind {
        ExprKind::And(a, b) => {
            let (mut all, more) = (of(a, sources), of(b, sources));
            all.extend(more);
            all
        }
        ExprKind::Compare(cmp, a, b) => match (cmp, b.as_const()) {
            (Cmp::Ge, Some(n)) => [Part::AtLeast(words(a), n)].into(),
            (Cmp::Gt, Some(n)) => [Part::AtLeast(words(a), n.saturating_add(1))].into(),
            (Cmp::Le, Some(n)) => [Part::AtMost(words(a), n)].into(),
            (Cmp::Lt, Some(n)) => [Part::AtMost(words(a), n.saturating_sub(1))].into(),
            (Cmp::Eq, Some(n)) if b.ty == crate::rules::Ty::Int => {
                [Part::AtLeast(words(a), n), Part::AtMost(words(a), n)].into()
            }
            _ => [Part::Said(words(test))].into(),
        },
        _ => [Part::Said(words(test))].into(),
    }
}
