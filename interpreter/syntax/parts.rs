//! What stands directly inside a part of the tree, for those who go through a whole tree without caring what is what.

use super::ast::{Arg, Binders, Block, Expr, ExprKind, Statement, StatementKind, Target};

impl Expr {
    /// The expressions right inside this one, in the order in which they stand.
    pub fn parts(&self) -> Vec<&Expr> {
        match &*self.kind {
            ExprKind::Int(_) | ExprKind::Text(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Error => {
                Vec::new()
            }
            ExprKind::Call(_, args) | ExprKind::Base(args) => of_args(args),
            ExprKind::Owned(owner, _, args) => {
                let args = args.as_deref().map(of_args).unwrap_or_default();
                std::iter::once(owner).chain(args).collect()
            }
            ExprKind::Paren(e) | ExprKind::Negate(e) | ExprKind::The(e) | ExprKind::Some(_, e) | ExprKind::Not(e) => {
                vec![e]
            }
            ExprKind::At(a, b)
            | ExprKind::On(a, b)
            | ExprKind::Arith(_, a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Let(_, a, b) => vec![a, b],
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Spread(_, from, into, most) => [from, into].into_iter().chain(most).collect(),
            ExprKind::Both(list) | ExprKind::AnyOf(list) | ExprKind::Otherwise(list) => list.iter().collect(),
            ExprKind::Exists(_, binders) => of_binders(binders),
            ExprKind::Builder(head, binders) => head.iter().chain(of_binders(binders)).collect(),
            ExprKind::Match(e, arms) => std::iter::once(e).chain(arms.iter().map(|arm| &arm.body)).collect(),
            ExprKind::Braces(elements) => elements.iter().map(|element| &element.value).collect(),
        }
    }
}

impl Block {
    /// The expressions of its statements that stand in no other expression.
    pub fn parts(&self) -> Vec<&Expr> {
        self.statements.iter().flat_map(Statement::parts).collect()
    }
}

impl Statement {
    /// The expressions of the statement, and of those inside it, that stand in no other expression.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            StatementKind::Let(_, e)
            | StatementKind::Require(e, _)
            | StatementKind::Best(_, e)
            | StatementKind::Note(e)
            | StatementKind::Give(e)
            | StatementKind::Lay(e, None) => vec![e],
            StatementKind::Assign(target, _, e) => of_target(target).into_iter().chain([e]).collect(),
            StatementKind::Choose(binders, by) => of_binders(binders).into_iter().chain(by).collect(),
            StatementKind::Roll(binders) => of_binders(binders),
            StatementKind::RollBag(n, _, set) => vec![n, set],
            StatementKind::Either(branches) => branches.iter().flat_map(|(_, block)| block.parts()).collect(),
            StatementKind::May(block) | StatementKind::OnceOrMore(_, block) => block.parts(),
            StatementKind::Times(e, block) | StatementKind::UpTo(e, block) | StatementKind::While(e, block) => {
                std::iter::once(e).chain(block.parts()).collect()
            }
            StatementKind::For(binders, block) => of_binders(binders).into_iter().chain(block.parts()).collect(),
            StatementKind::If(e, then, other) => {
                let other = other.iter().flat_map(Block::parts);
                std::iter::once(e).chain(then.parts()).chain(other).collect()
            }
            StatementKind::Match(e, arms) => {
                std::iter::once(e).chain(arms.iter().flat_map(|arm| arm.body.parts())).collect()
            }
            StatementKind::Move(from, to, carrying) => [from, to].into_iter().chain(carrying).collect(),
            StatementKind::Take(list) | StatementKind::Announce(list) => list.iter().collect(),
            StatementKind::Place(n, kind, sites) => n.iter().chain([kind]).chain(sites).collect(),
            StatementKind::Change(sites, kind) => vec![sites, kind],
            StatementKind::Lay(text, Some((from, along, down))) => vec![text, from, along, down],
            StatementKind::Base(args) | StatementKind::Call(_, args) => of_args(args),
            StatementKind::Stop | StatementKind::Commit | StatementKind::Error => Vec::new(),
        }
    }
}

fn of_args(args: &[Arg]) -> Vec<&Expr> {
    args.iter().map(|arg| &arg.value).collect()
}

fn of_binders(binders: &Binders) -> Vec<&Expr> {
    let domains = binders.list.iter().flat_map(|binder| std::iter::once(&binder.domain).chain(&binder.going));
    domains.chain(&binders.filter).collect()
}

fn of_target(target: &Target) -> Vec<&Expr> {
    target.owner.iter().chain(&target.at).collect()
}
