//! What stands inside what: the parts of expressions, the expressions and blocks of statements.

use super::expr::{Domain, Expr, ExprKind};
use super::stmt::{Block, Stmt, StmtKind};

/// The expressions directly inside an expression; a definition that is called is not inside.
pub fn parts(expr: &Expr) -> Vec<&Expr> {
    use ExprKind::*;
    match &expr.kind {
        Const(_)
        | ConstMask(_)
        | ConstSites(_)
        | ConstBag(_)
        | Local(_)
        | CopyTable(_)
        | Var(_, None)
        | Mover
        | Next
        | Turns
        | Games
        | Resigned
        | Stuck
        | Repeats
        | BoardRepeats
        | LoopLength
        | Unchanged
        | Facing(_)
        | TrackOf(_)
        | Empty
        | Pieces
        | Counted(_) => Vec::new(),
        LocalAt(_, a)
        | Var(_, Option::Some(a))
        | OtherSeat(a)
        | Negate(a)
        | Abs(a)
        | Not(a)
        | Opposite(a)
        | XAt(a)
        | HeightAt(a)
        | YAt(a)
        | KindAt(a)
        | OwnerAt(a)
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
        | ExprKind::Some(a)
        | Count(a)
        | The(a)
        | BagSum(a)
        | BagMin(a)
        | BagMax(a) => vec![a],
        From(a, b)
        | Arith(_, a, b)
        | And(a, b)
        | Or(a, b)
        | Compare(_, a, b)
        | SameSet(a, b)
        | Let(_, a, b)
        | Toward(a, b)
        | Side(a, b)
        | Turned(a, b)
        | StepOn(a, b)
        | SiteStep(a, b)
        | StepRange(a, b)
        | Set(_, a, b)
        | BagRange(a, b)
        | Rectangle(a, b)
        | Filter(_, a, b)
        | In(a, b)
        | Within(a, b)
        | BagCount(a, b)
        | Spread(_, a, b, None) => vec![a, b],
        If(a, b, c) | Walk(a, b, c) | Shift(a, b, c) | ShiftAll(a, b, c) | InRange(a, b, c) => vec![a, b, c],
        Spread(_, a, b, Option::Some(c)) => vec![a, b, c],
        Call(_, list) | Least(list) | Greatest(list) | Otherwise(list) => list.iter().collect(),
        Match(on, arms, other) => {
            let arms = arms.iter().map(|(_, body)| body);
            std::iter::once(on.as_ref()).chain(arms).chain([other.as_ref()]).collect()
        }
        Comprehend { binders, filter, body, .. } => {
            let mut all: Vec<&Expr> = binders.iter().flat_map(|binder| of_domain(&binder.domain)).collect();
            all.extend(filter.as_deref());
            all.extend(body.as_deref());
            all
        }
    }
}

/// The expressions of a domain.
pub fn of_domain(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Sites(a) | Domain::Mask(a) | Domain::Seats(a) | Domain::Bag(a) | Domain::Track(a) => vec![a],
        Domain::Going(a, b) | Domain::Range(a, b) => vec![a, b],
        Domain::Listed(_) | Domain::Lines(_) => Vec::new(),
    }
}

/// The expressions of a statement, not those of the statements inside it.
pub fn asked(stmt: &Stmt) -> Vec<&Expr> {
    use StmtKind::*;
    match &stmt.kind {
        Local(_, a) | Var(_, None, a) | Next(a) | Require(a, _) | Best(_, a) | Take(a) | Note(a) => vec![a],
        Times(a, _) | UpTo(a, _) | While(a, _) | If(a, ..) | Match(a, ..) | StmtKind::From(a, _) => vec![a],
        Var(_, Some(a), b) | Table(_, _, a, b) | Move(a, b) | Change(a, b, None) => vec![a, b],
        Place(a, b, c) | Change(a, b, Some(c)) | Carry(a, b, c) => vec![a, b, c],
        Lay(a, None) => vec![a],
        Lay(a, Some((b, c, d))) => vec![a, b, c, d],
        Announce(list) => list.iter().collect(),
        Choose { binders, filter, by } => {
            let mut all: Vec<&Expr> = binders.iter().flat_map(|binder| of_domain(&binder.domain)).collect();
            all.extend(filter);
            all.extend(by);
            all
        }
        Roll { binders, filter } | For(binders, filter, _) => {
            let mut all: Vec<&Expr> = binders.iter().flat_map(|binder| of_domain(&binder.domain)).collect();
            all.extend(filter);
            all
        }
        RollBag { times, index, domain, .. } => {
            let mut all = vec![times];
            all.extend(index);
            all.extend(of_domain(domain));
            all
        }
        Either(_) | May(_) | OnceOrMore(..) | Stop | Commit => Vec::new(),
    }
}

/// The blocks of a statement, in the order in which places in a program number them.
pub fn blocks(stmt: &Stmt) -> Vec<&Block> {
    use StmtKind::*;
    match &stmt.kind {
        Either(branches) => branches.iter().map(|(_, block)| block).collect(),
        May(block)
        | OnceOrMore(_, block)
        | Times(_, block)
        | UpTo(_, block)
        | While(_, block)
        | For(_, _, block)
        | StmtKind::From(_, block) => vec![block],
        If(_, yes, no) => vec![yes, no],
        Match(_, arms, other) => {
            let mut blocks: Vec<&Block> = arms.iter().map(|(_, block)| block).collect();
            blocks.push(other);
            blocks
        }
        _ => Vec::new(),
    }
}
