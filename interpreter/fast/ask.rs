//! What can be seen of checked expressions without compiling them: parts, and how often a name is used.

use crate::rules::{Expr, ExprKind, LocalId, inside};

/// Hands over the direct parts of an expression; the flag says whether the part may be worked out more than once.
pub fn parts(e: &Expr, f: &mut dyn FnMut(&Expr, bool)) {
    use ExprKind::*;
    match &e.kind {
        InRange(a, b, c) => {
            f(a, true);
            f(b, false);
            f(c, false);
        }
        Call(_, list) | Least(list) | Greatest(list) | Otherwise(list) => list.iter().for_each(|a| f(a, true)),
        Filter(_, set, c) => {
            f(set, false);
            f(c, true);
        }
        Comprehend { binders, filter, body, .. } => {
            for (i, binder) in binders.iter().enumerate() {
                inside::of_domain(&binder.domain).into_iter().for_each(|e| f(e, i > 0));
            }
            filter.iter().chain(body).for_each(|e| f(e, true));
        }
        Spread(_, from, into, limit) => {
            f(from, false);
            f(into, true);
            limit.iter().for_each(|e| f(e, false));
        }
        _ => inside::parts(e).into_iter().for_each(|a| f(a, false)),
    }
}

/// How often a local is read: 0, 1, or 2 for more often or in a loop.
pub fn uses(e: &Expr, local: LocalId) -> u32 {
    let own = match &e.kind {
        ExprKind::Local(id) | ExprKind::LocalAt(id, _) => u32::from(*id == local),
        _ => 0,
    };
    let mut n = own;
    parts(e, &mut |part, again| {
        let here = uses(part, local);
        n += if again { 2 * here } else { here };
    });
    n.min(2)
}
