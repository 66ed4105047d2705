//! Statements: what acts.

use super::{Reader, ident, text};
use crate::bug;
use crate::syntax::ast::{self, BranchMode, Expr, ExprKind, Statement, StatementKind};
use crate::syntax::grammar::Rule;
use crate::syntax::limits;
use crate::syntax::node::Node;

impl Reader<'_> {
    /// `{ statement… }`
    pub fn block(&mut self, node: Node<'_>) -> ast::Block {
        let span = node.span();
        let mut parts = node.children();
        let read =
            |reader: &mut Self| parts.rest(Rule::statement).map(|statement| reader.statement(statement)).collect();
        ast::Block { statements: self.deeper(1, span, read).unwrap_or_default(), span }
    }

    fn statement(&mut self, node: Node<'_>) -> Statement {
        let span = node.span();
        self.statements += 1;
        if self.statements == limits::STATEMENTS + 1 {
            let message = format!("This is statement {}; a file may have {}.", self.statements, limits::STATEMENTS);
            self.error("too-many-statements", span, message);
        }
        Statement { docs: self.docs_before(span.start), kind: self.statement_kind(node.only()), span }
    }

    /// What a statement does.
    pub fn statement_kind(&mut self, node: Node<'_>) -> StatementKind {
        let rule = node.rule();
        match rule {
            Rule::broken => {
                self.broken(node);
                StatementKind::Error
            }
            Rule::either => StatementKind::Either(self.either(node)),
            Rule::if_ => self.if_(node),
            Rule::match_ => self.match_(node),
            Rule::roll => self.roll(node),
            Rule::word_statement | Rule::assignment => self.word_statement(node),
            Rule::may => StatementKind::May(self.block(node.only())),
            Rule::note => StatementKind::Note(self.expr(node.only())),
            Rule::give => StatementKind::Give(self.expr(node.only())),
            Rule::commit => StatementKind::Commit,
            Rule::stop => StatementKind::Stop,
            _ => self.parts_in_a_row(node),
        }
    }

    /// Statements whose parts stand in a row.
    fn parts_in_a_row(&mut self, node: Node<'_>) -> StatementKind {
        let rule = node.rule();
        let mut parts = node.children();
        let kind = match rule {
            Rule::let_ => {
                let name = ident(parts.one(Rule::ident));
                StatementKind::Let(name, self.expr(parts.one(Rule::expr)))
            }
            Rule::choose => {
                let binders = self.binders(parts.one(Rule::binders));
                StatementKind::Choose(binders, parts.opt(Rule::postfix).map(|player| self.postfix(player)))
            }
            Rule::require => {
                let best = parts.opt(Rule::best).map(|best| best.children().has(Rule::kw_most));
                let cond = self.plain(parts.one(Rule::plain));
                let reason = parts.opt(Rule::text).map(text);
                match (best, reason) {
                    (None, reason) => StatementKind::Require(cond, reason),
                    (Some(most), None) => StatementKind::Best(most, cond),
                    (Some(most), Some(reason)) => {
                        self.error(
                            "syntax",
                            reason.span,
                            "\"require most\" and \"require least\" have no reason; leave it out.",
                        );
                        StatementKind::Best(most, cond)
                    }
                }
            }
            Rule::for_ => {
                let binders = self.binders(parts.one(Rule::binders));
                StatementKind::For(binders, self.block(parts.one(Rule::block)))
            }
            Rule::while_ => {
                let cond = self.plain(parts.one(Rule::plain));
                StatementKind::While(cond, self.block(parts.one(Rule::block)))
            }
            Rule::once => {
                let whole = parts.has(Rule::kw_possible);
                StatementKind::OnceOrMore(whole, self.block(parts.one(Rule::block)))
            }
            Rule::up_to => {
                let times = self.sum(parts.one(Rule::sum));
                StatementKind::UpTo(times, self.block(parts.one(Rule::block)))
            }
            Rule::int_times => {
                let times = parts.one(Rule::int);
                let times = self.int_expr(times);
                StatementKind::Times(times, self.block(parts.one(Rule::block)))
            }
            Rule::move_ => {
                let what = self.choice(parts.one(Rule::choice));
                let to = self.choice(parts.one(Rule::choice));
                StatementKind::Move(what, to, parts.opt(Rule::sum).map(|carried| self.sum(carried)))
            }
            Rule::take => StatementKind::Take(parts.rest(Rule::plain).map(|taken| self.plain(taken)).collect()),
            Rule::place => {
                let times = parts.opt(Rule::how_many).map(|times| self.primary(times.only()));
                let kind = self.postfix(parts.one(Rule::postfix));
                let places = parts.rest(Rule::choice).map(|place| self.choice(place)).collect();
                StatementKind::Place(times, kind, places)
            }
            Rule::change => {
                let what = self.choice(parts.one(Rule::choice));
                StatementKind::Change(what, self.postfix(parts.one(Rule::postfix)))
            }
            Rule::lay => {
                let diagram = self.postfix(parts.one(Rule::postfix));
                let from = parts.opt(Rule::plain).map(|from| {
                    let from = self.plain(from);
                    let along = self.sum(parts.one(Rule::sum));
                    (from, along, self.sum(parts.one(Rule::sum)))
                });
                StatementKind::Lay(diagram, from)
            }
            Rule::announce => StatementKind::Announce(parts.rest(Rule::expr).map(|told| self.expr(told)).collect()),
            Rule::base => StatementKind::Base(parts.opt(Rule::args).map(|args| self.args(args)).unwrap_or_default()),
            other => bug!("`{other:?}` is not a statement"),
        };
        parts.end();
        kind
    }

    fn int_expr(&mut self, node: Node<'_>) -> Expr {
        Expr { span: node.span(), kind: Box::new(ExprKind::Int(self.int(&node))) }
    }

    /// `roll x in S, …` or `roll n bag in S`
    fn roll(&mut self, node: Node<'_>) -> StatementKind {
        let node = node.only();
        if node.rule() == Rule::binders {
            return StatementKind::Roll(self.binders(node));
        }
        let mut parts = node.children();
        let times = match parts.opt(Rule::int) {
            Some(times) => self.int_expr(times),
            None => name_expr(ident(parts.one(Rule::ident))),
        };
        let bag = ident(parts.one(Rule::ident));
        let from = self.choice(parts.one(Rule::choice));
        parts.end();
        StatementKind::RollBag(times, bag, from)
    }

    /// `either {…} or {…} otherwise {…}`
    fn either(&mut self, node: Node<'_>) -> Vec<(BranchMode, ast::Block)> {
        let mut parts = node.children();
        let mut branches = vec![(BranchMode::Or, self.block(parts.one(Rule::block)))];
        while let Some(branch) = parts.opt_any() {
            let mode = if branch.rule() == Rule::otherwise { BranchMode::Otherwise } else { BranchMode::Or };
            branches.push((mode, self.block(branch.only())));
        }
        branches
    }

    /// `if c {…} else if d {…} else {…}`
    fn if_(&mut self, node: Node<'_>) -> StatementKind {
        let span = node.span();
        let mut parts = node.children();
        let cond = parts.one(Rule::plain);
        let then = parts.one(Rule::block);
        let others: Vec<Node<'_>> = parts.rest(Rule::else_if).collect();
        let last = parts.opt(Rule::else_);
        parts.end();
        let levels = 2 * others.len() + 1;
        let read = |reader: &mut Self| {
            let first = (reader.plain(cond), reader.block(then));
            let others: Vec<_> = others.into_iter().map(|other| reader.else_if(other)).collect();
            let last = last.map(|last| reader.block(last.only()));
            let rest = others.into_iter().rev().fold(last, |rest, (span, cond, then)| {
                let span = rest.as_ref().map_or(span, |rest| span.to(rest.span));
                let kind = StatementKind::If(cond, then, rest);
                Some(ast::Block { statements: vec![Statement { docs: Vec::new(), kind, span }], span })
            });
            StatementKind::If(first.0, first.1, rest)
        };
        self.deeper(levels, span, read).unwrap_or(StatementKind::Error)
    }

    /// `else if d {…}`; its place begins at the `if`
    fn else_if(&mut self, node: Node<'_>) -> (crate::source::Span, Expr, ast::Block) {
        let mut parts = node.children();
        let start = parts.one(Rule::kw_if).span();
        let cond = self.plain(parts.one(Rule::plain));
        let then = self.block(parts.one(Rule::block));
        parts.end();
        (start.to(then.span), cond, then)
    }

    /// `match e { pattern: {…} … }`
    fn match_(&mut self, node: Node<'_>) -> StatementKind {
        let mut parts = node.children();
        let subject = self.plain(parts.one(Rule::plain));
        let mut arms = Vec::new();
        for arm in parts.rest(Rule::arm_block) {
            let mut parts = arm.children();
            let (patterns, span) = self.pattern(parts.one(Rule::pattern));
            let body = self.block(parts.one(Rule::block));
            parts.end();
            arms.push(ast::Arm { patterns, span, body });
        }
        parts.end();
        StatementKind::Match(subject, arms)
    }

    /// An action by its name, an assignment, or `n times {…}`
    fn word_statement(&mut self, node: Node<'_>) -> StatementKind {
        let span = node.span();
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let args = parts.opt(Rule::args).map(|args| self.args(args));
        let owned: Vec<Node<'_>> = parts.rest(Rule::owned).collect();
        let at = parts.opt(Rule::target_at).map(|at| self.target_at(at));
        let assigned = parts.opt(Rule::assigned);
        let times = parts.opt(Rule::times);
        parts.end();
        if owned.is_empty() && at.is_none() && assigned.is_none() && times.is_none() {
            return StatementKind::Call(name, args.unwrap_or_default());
        }
        let first_span = name.span;
        let first = match args {
            Some(args) => Expr { kind: Box::new(ExprKind::Call(name, args)), span: first_span },
            None => name_expr(name),
        };
        let levels = owned.len() + 1;
        let read = |reader: &mut Self| owned.into_iter().fold(first, |owner, word| reader.owned(owner, word));
        let Some(target) = self.deeper(levels, span, read) else {
            return StatementKind::Error;
        };
        if let Some(times) = times {
            return StatementKind::Times(target, self.block(times.only()));
        }
        let Some(assigned) = assigned else {
            let words = self.words(span);
            self.error("syntax", span, format!("\"{words}\" alone does nothing.")).help =
                Some("An action is called by its name; a value is given with \"=\": \"name = …\".".into());
            return StatementKind::Error;
        };
        let mut parts = assigned.children();
        let op = assign_op(&parts.one(Rule::assign_op));
        let value = self.expr(parts.one(Rule::expr));
        parts.end();
        let (owner, name) = match *target.kind {
            ExprKind::Name(name) => (None, name),
            ExprKind::Owned(owner, name, None) => (Some(owner), name),
            _ => {
                let words = self.words(target.span);
                self.error("syntax", target.span, format!("\"{words}\" cannot be given a value.")).help = Some(
                    "A value is given to a name: \"score = 1\", \"opponent's score = 1\", \"seeds at pit = 1\".".into(),
                );
                return StatementKind::Error;
            }
        };
        let end = at.as_ref().map_or(target.span, |at| at.span);
        StatementKind::Assign(ast::Target { owner, name, at, span: first_span.to(end) }, op, value)
    }

    /// `at s`; the nearest goes with the nearest
    fn target_at(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let first = parts.one(Rule::postfix);
        let mut list = Vec::new();
        while let Some(joint) = parts.opt(Rule::at_or_on) {
            list.push((joint.children().has(Rule::kw_at), parts.one(Rule::postfix)));
        }
        parts.end();
        let levels = list.len() + 1;
        let read = |reader: &mut Self| {
            let mut left = reader.postfix(first);
            let mut stack = Vec::new();
            for (at, next) in list {
                stack.push((left, at));
                left = reader.postfix(next);
            }
            stack.into_iter().rev().fold(left, |right, (left, at)| {
                let span = left.span.to(right.span);
                Expr { kind: Box::new(if at { ExprKind::At(left, right) } else { ExprKind::On(left, right) }), span }
            })
        };
        self.deeper(levels, span, read).unwrap_or_else(|| Self::nothing(span))
    }

    /// Stands where something could not be read; what its blocks hold is read for its own slips.
    pub fn broken(&mut self, node: Node<'_>) {
        let mut parts = node.children();
        parts.one(Rule::mark);
        for block in parts.rest(Rule::block) {
            self.block(block);
        }
        parts.end();
    }
}

fn name_expr(name: ast::Name) -> Expr {
    Expr { span: name.span, kind: Box::new(ExprKind::Name(name)) }
}

fn assign_op(node: &Node<'_>) -> ast::AssignOp {
    match node.text() {
        "+=" => ast::AssignOp::Add,
        "-=" => ast::AssignOp::Sub,
        "|=" => ast::AssignOp::Or,
        "&=" => ast::AssignOp::And,
        _ => ast::AssignOp::Set,
    }
}
