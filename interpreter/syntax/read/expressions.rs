//! Expressions; operators are sorted out by `operators.rs`.

use super::operators::Level;
use super::{Reader, ident, text};
use crate::bug;
use crate::syntax::ast::{self, Expr, ExprKind};
use crate::syntax::grammar::Rule;
use crate::syntax::node::{Children, Node};

/// How a list in brackets ends.
enum Tail {
    Nothing,
    For(ast::Binders),
    Where(Expr),
}

impl Reader<'_> {
    /// Any expression; may begin with `let x = e`.
    pub fn expr(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let lets: Vec<Node<'_>> = parts.rest(Rule::let_part).collect();
        let levels = lets.len() + 1;
        let read = |reader: &mut Self| {
            let lets: Vec<_> = lets.into_iter().map(|part| reader.let_part(part)).collect();
            let body = reader.flat(parts, Level::Any);
            lets.into_iter().rev().fold(body, |body, (name, value)| {
                let span = name.span.to(body.span);
                Expr { kind: Box::new(ExprKind::Let(name, value, body)), span }
            })
        };
        let mut expr = self.deeper(levels, span, read).unwrap_or_else(|| Self::nothing(span));
        expr.span = span;
        expr
    }

    /// `let x = e` before an expression
    fn let_part(&mut self, node: Node<'_>) -> (ast::Name, Expr) {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let value = self.plain(parts.one(Rule::plain));
        parts.end();
        (name, value)
    }

    /// An expression without `let`.
    pub fn plain(&mut self, node: Node<'_>) -> Expr {
        self.flat(node.children(), Level::Any)
    }

    /// An expression without comparison.
    pub fn choice(&mut self, node: Node<'_>) -> Expr {
        self.flat(node.children(), Level::Choice)
    }

    /// An expression without comparison and `otherwise`.
    pub fn set(&mut self, node: Node<'_>) -> Expr {
        self.flat(node.children(), Level::Set)
    }

    /// `a..b` or a sum
    pub fn span(&mut self, node: Node<'_>) -> Expr {
        self.flat(node.children(), Level::Span)
    }

    /// Numbers and steps.
    pub fn sum(&mut self, node: Node<'_>) -> Expr {
        self.flat(node.children(), Level::Sum)
    }

    /// A part between operators.
    pub fn term(&mut self, node: Node<'_>) -> Expr {
        match node.rule() {
            Rule::exists => self.exists(node),
            Rule::spread => self.spread(node),
            Rule::if_else => self.if_else(node),
            Rule::postfix => self.postfix(node),
            other => bug!("`{other:?}` is not a term"),
        }
    }

    /// `some x in S where c`, `no x in S where c`
    fn exists(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let some = parts.has(Rule::kw_some);
        let binders = self.binder_list(&mut parts);
        if binders.filter.is_none() {
            let first = &binders.list[0];
            let word = if some { "some" } else { "no" };
            let (name, domain) = (self.words(first.name.span), self.words(first.domain.span));
            let message = format!(
                "\"{word} {name} in …\" looks at the members one by one; \"where\" and a condition are missing."
            );
            self.error("where-missing", span, message).help =
                Some(format!("To ask whether the two have something in common: \"{word} {name} & {domain}\"."));
        }
        Expr { kind: Box::new(ExprKind::Exists(some, binders)), span }
    }

    /// `spread x from S into E [up to n]`
    fn spread(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let from = self.set(parts.one(Rule::set));
        let into = self.set(parts.one(Rule::set));
        let up_to = parts.opt(Rule::up_limit).map(|limit| self.sum(limit.only()));
        parts.end();
        Expr { kind: Box::new(ExprKind::Spread(name, from, into, up_to)), span }
    }

    /// `if c then a else if d then b else e`
    fn if_else(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let cases: Vec<Node<'_>> = parts.rest(Rule::if_part).collect();
        let last = parts.one(Rule::plain);
        let levels = cases.len();
        let read = |reader: &mut Self| {
            let mut read_cases = Vec::new();
            for case in cases {
                let start = case.span();
                let mut parts = case.children();
                let cond = reader.plain(parts.one(Rule::plain));
                let value = reader.plain(parts.one(Rule::plain));
                read_cases.push((start, cond, value));
            }
            let last = reader.plain(last);
            read_cases.into_iter().rev().fold(last, |rest, (start, cond, value)| {
                let span = start.to(rest.span);
                Expr { kind: Box::new(ExprKind::If(cond, value, rest)), span }
            })
        };
        self.deeper(levels, span, read).unwrap_or_else(|| Self::nothing(span))
    }

    /// A value with `'s word` behind it, as often as you like.
    pub fn postfix(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let Some(first) = parts.raw() else { bug!("a postfix is never empty") };
        let mut expr = self.primary(first);
        for owned in parts.rest(Rule::owned).collect::<Vec<_>>() {
            expr = self.owned(expr, owned);
        }
        parts.end();
        Expr { span, ..expr }
    }

    /// `'s word` or `'s word(args)` behind its owner
    pub fn owned(&mut self, owner: Expr, node: Node<'_>) -> Expr {
        let span = owner.span.to(node.span());
        let mut parts = node.children();
        let apostrophe = parts.one(Rule::apostrophe);
        let before = self.scan.text.as_bytes().get((apostrophe.span().start as usize).wrapping_sub(1)).copied();
        if apostrophe.text() == "'" && before != Some(b's') {
            let owner = self.words(owner.span);
            self.error("apostrophe", apostrophe.span(), "The apostrophe alone follows a name in \"s\" only.").help =
                Some(format!("Write \"{owner}'s\"."));
        }
        let name = ident(parts.one(Rule::ident));
        let args = parts.opt(Rule::args).map(|args| self.args(args));
        parts.end();
        Expr { kind: Box::new(ExprKind::Owned(owner, name, args)), span }
    }

    pub fn primary(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let kind = match node.rule() {
            Rule::int => ExprKind::Int(self.int(&node)),
            Rule::text => ExprKind::Text(text(node)),
            Rule::kw_on => ExprKind::Bool(true),
            Rule::kw_off => ExprKind::Bool(false),
            Rule::mark => ExprKind::Error,
            Rule::paren => ExprKind::Paren(self.expr(node.only())),
            Rule::named => return self.named(node),
            Rule::braces => self.braces(node),
            Rule::match_expr => self.match_expr(node),
            other => bug!("`{other:?}` is not a value"),
        };
        Expr { kind: Box::new(kind), span }
    }

    /// `word`, `word(args)`, `base`, `base(args)`
    fn named(&mut self, node: Node<'_>) -> Expr {
        let span = node.span();
        let mut parts = node.children();
        let name = parts.opt(Rule::ident).map(ident);
        let args = parts.opt(Rule::args).map(|args| self.args(args));
        parts.end();
        let kind = match (name, args) {
            (Some(name), Some(args)) => ExprKind::Call(name, args),
            (Some(name), None) => ExprKind::Name(name),
            (None, args) => ExprKind::Base(args.unwrap_or_default()),
        };
        Expr { kind: Box::new(kind), span }
    }

    /// `(arg, arg…)`
    pub fn args(&mut self, node: Node<'_>) -> Vec<ast::Arg> {
        let mut args: Vec<ast::Arg> = Vec::new();
        for arg in node.children().rest(Rule::arg) {
            let span = arg.span();
            let mut parts = arg.children();
            let name = parts.opt(Rule::label).map(|label| ident(label.only()));
            let value = self.expr(parts.one(Rule::expr));
            let going = parts.opt(Rule::going).map(|going| self.sum(going.only()));
            let tail = self.tail(&mut parts);
            parts.end();
            let value = match tail {
                Tail::Nothing => {
                    self.no_going(going);
                    value
                }
                Tail::For(binders) => {
                    self.no_going(going);
                    Expr { kind: Box::new(ExprKind::Builder(Some(value), binders)), span }
                }
                Tail::Where(filter) => {
                    // The arguments before it are names of the same builder: `count(a in S, b in T where c)`.
                    let mut first = args.len();
                    while first > 0
                        && name.is_none()
                        && args[first - 1].name.is_none()
                        && is_binder(&args[first - 1].value)
                    {
                        first -= 1;
                    }
                    let mut list: Vec<_> =
                        args.drain(first..).filter_map(|arg| self.binder_of(arg.value, None)).collect();
                    list.extend(self.binder_of(value, going));
                    let span = list.first().map_or(span, |first| first.name.span.to(span));
                    Expr { kind: Box::new(ExprKind::Builder(None, ast::Binders { list, filter: Some(filter) })), span }
                }
            };
            args.push(ast::Arg { name, value });
        }
        args
    }

    /// `{a, 2 b}`, `{x in S where c}`, `{e for x in S}`
    fn braces(&mut self, node: Node<'_>) -> ExprKind {
        let mut parts = node.children();
        let mut elements = Vec::new();
        for element in parts.rest(Rule::element) {
            let mut parts = element.children();
            let times = parts.opt(Rule::count).map(|count| count.only()).map(|count| (self.int(&count), count.span()));
            let value = self.expr(parts.one(Rule::expr));
            let going = parts.opt(Rule::going).map(|going| self.sum(going.only()));
            parts.end();
            elements.push((ast::Element { times, value }, going));
        }
        let tail = self.tail(&mut parts);
        parts.end();
        match tail {
            Tail::Nothing => {
                let plain = elements.into_iter().map(|(element, going)| {
                    self.no_going(going);
                    element
                });
                ExprKind::Braces(plain.collect())
            }
            Tail::For(binders) => {
                let mut elements = elements.into_iter();
                let (head, going) = elements.next().unwrap_or_else(|| bug!("`for` follows a value"));
                self.no_going(going);
                if let Some((more, _)) = elements.next() {
                    self.error("syntax", more.value.span, "Before \"for\" stands one value.").help =
                        Some("Make one set of them with \"|\" or with brackets: {…}.".into());
                }
                if let Some((_, span)) = head.times {
                    self.error("syntax", span, "Before \"for\" stands one value, without a number.");
                }
                ExprKind::Builder(Some(head.value), binders)
            }
            Tail::Where(filter) => {
                let mut list = Vec::new();
                for (element, going) in elements {
                    list.extend(self.binder_of(element.value, going));
                }
                if list.is_empty() {
                    ExprKind::Error
                } else {
                    ExprKind::Builder(None, ast::Binders { list, filter: Some(filter) })
                }
            }
        }
    }

    fn tail(&mut self, parts: &mut Children<'_>) -> Tail {
        if let Some(binders) = parts.opt(Rule::for_binders) {
            return Tail::For(self.binders(binders.only()));
        }
        match parts.opt(Rule::where_) {
            Some(filter) => Tail::Where(self.plain(filter.only())),
            None => Tail::Nothing,
        }
    }

    fn no_going(&mut self, going: Option<Expr>) {
        if let Some(going) = going {
            self.error("syntax", going.span, "\"going\" belongs behind \"x in S\".");
        }
    }

    /// What reads as the condition `x in S` is a binder if a `where` follows.
    fn binder_of(&mut self, value: Expr, going: Option<Expr>) -> Option<ast::Binder> {
        let span = value.span;
        if let ExprKind::Compare(ast::CompareOp::In, name, domain) = *value.kind
            && let ExprKind::Name(name) = *name.kind
        {
            return Some(ast::Binder { name, domain, going });
        }
        let words = self.words(span);
        self.error("syntax", span, format!("Before \"where\" stands \"x in S\", not \"{words}\".")).help =
            Some("Say {x in S where …}, or {e for x in S where …}.".into());
        None
    }

    /// `x in S, y in T [where c]`
    pub fn binders(&mut self, node: Node<'_>) -> ast::Binders {
        let mut parts = node.children();
        let binders = self.binder_list(&mut parts);
        parts.end();
        binders
    }

    fn binder_list(&mut self, parts: &mut Children<'_>) -> ast::Binders {
        let list = parts.rest(Rule::binder).map(|binder| self.binder(binder)).collect();
        let filter = parts.opt(Rule::where_).map(|filter| self.plain(filter.only()));
        ast::Binders { list, filter }
    }

    /// `x in S [going d]`
    fn binder(&mut self, node: Node<'_>) -> ast::Binder {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let domain = self.choice(parts.one(Rule::choice));
        let going = parts.opt(Rule::going).map(|going| self.sum(going.only()));
        parts.end();
        ast::Binder { name, domain, going }
    }

    /// `match e { pattern: e … }`
    fn match_expr(&mut self, node: Node<'_>) -> ExprKind {
        let mut parts = node.children();
        let subject = self.plain(parts.one(Rule::plain));
        let mut arms = Vec::new();
        for arm in parts.rest(Rule::arm_expr) {
            let mut parts = arm.children();
            let (patterns, span) = self.pattern(parts.one(Rule::pattern));
            let body = self.expr(parts.one(Rule::expr));
            parts.end();
            arms.push(ast::Arm { patterns, span, body });
        }
        parts.end();
        ExprKind::Match(subject, arms)
    }

    /// `else`, or patterns; and where they stand
    pub fn pattern(&mut self, node: Node<'_>) -> (Vec<ast::Pattern>, crate::source::Span) {
        let span = node.span();
        (node.children().rest(Rule::pat).map(|pat| self.pat(pat)).collect(), span)
    }

    fn pat(&mut self, node: Node<'_>) -> ast::Pattern {
        let span = node.span();
        let mut parts = node.children();
        let Some(first) = parts.raw() else { bug!("a pattern is never empty") };
        match first.rule() {
            Rule::int => {
                let from = self.int(&first);
                let to = parts.opt(Rule::int).map_or(from, |to| self.int(&to));
                ast::Pattern::Numbers(from, to, span)
            }
            Rule::text => ast::Pattern::Text(text(first)),
            Rule::kw_on => ast::Pattern::Bool(true, span),
            Rule::kw_off => ast::Pattern::Bool(false, span),
            Rule::ident => ast::Pattern::Word(ident(first)),
            other => bug!("`{other:?}` is not a pattern"),
        }
    }
}

/// Does this read as `x in S`?
fn is_binder(value: &Expr) -> bool {
    matches!(&*value.kind, ExprKind::Compare(ast::CompareOp::In, name, _) if matches!(*name.kind, ExprKind::Name(_)))
}
