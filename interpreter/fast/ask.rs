//! What can be seen of checked expressions without compiling them: parts, and how often a name is used.

use crate::rules::{Binder, Domain, Expr, ExprKind, LocalId};

/// Hands over the direct parts of an expression; the flag says whether the part may be worked out more than once.
pub fn parts(e: &Expr, f: &mut dyn FnMut(&Expr, bool)) {
    use ExprKind::*;
    match &e.kind {
        Const(_) | ConstMask(_) | ConstSites(_) | ConstBag(_) | Local(_) | CopyTable(_) | Mover | Next | Turns
        | Games | Resigned | Stuck | Repeats | BoardRepeats | LoopLength | Unchanged | Facing(_) | TrackOf(_)
        | Empty | Pieces | Counted(_) => {}
        LocalAt(_, a)
        | OtherSeat(a)
        | Negate(a)
        | Abs(a)
        | Not(a)
        | Opposite(a)
        | XAt(a)
        | YAt(a)
        | KindAt(a)
        | OwnerAt(a)
        | HeightAt(a)
        | Mirrored(a)
        | StepPlace(a)
        | StepSite(a)
        | TrackStart(a)
        | TrackSites(a)
        | Single(a)
        | Rebag(a)
        | PiecesOf(a)
        | KindSites(a)
        | KindsSites(a)
        | Labelled(_, a)
        | Some(a)
        | Count(a)
        | The(a)
        | BagSum(a)
        | BagMin(a)
        | BagMax(a) => f(a, false),
        Var(_, a) => {
            if let Option::Some(a) = a {
                f(a, false);
            }
        }
        From(a, b)
        | Arith(_, a, b)
        | And(a, b)
        | Or(a, b)
        | Compare(_, a, b)
        | SameSet(a, b)
        | Let(_, a, b)
        | Toward(a, b)
        | Turned(a, b)
        | Side(a, b)
        | StepOn(a, b)
        | SiteStep(a, b)
        | StepRange(a, b)
        | Set(_, a, b)
        | BagRange(a, b)
        | Rectangle(a, b)
        | In(a, b)
        | Within(a, b)
        | BagCount(a, b) => {
            f(a, false);
            f(b, false);
        }
        If(a, b, c) | Walk(a, b, c) | Shift(a, b, c) | ShiftAll(a, b, c) => {
            f(a, false);
            f(b, false);
            f(c, false);
        }
        InRange(a, b, c) => {
            f(a, true);
            f(b, false);
            f(c, false);
        }
        Call(_, list) | Least(list) | Greatest(list) | Otherwise(list) => list.iter().for_each(|a| f(a, true)),
        Match(on, arms, other) => {
            f(on, false);
            arms.iter().for_each(|(_, arm)| f(arm, false));
            f(other, false);
        }
        Filter(_, set, c) => {
            f(set, false);
            f(c, true);
        }
        Comprehend { binders, filter, body, .. } => {
            for (i, binder) in binders.iter().enumerate() {
                domain(binder, &mut |e| f(e, i > 0));
            }
            filter.iter().chain(body).for_each(|e| f(e, true));
        }
        Spread(_, from, into, limit) => {
            f(from, false);
            f(into, true);
            limit.iter().for_each(|e| f(e, false));
        }
    }
}

/// The expressions of a domain.
pub fn domain(binder: &Binder, f: &mut dyn FnMut(&Expr)) {
    match &binder.domain {
        Domain::Sites(a) | Domain::Mask(a) | Domain::Seats(a) | Domain::Bag(a) | Domain::Track(a) => f(a),
        Domain::Going(a, b) | Domain::Range(a, b) => {
            f(a);
            f(b);
        }
        Domain::Listed(_) | Domain::Lines(_) => {}
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
