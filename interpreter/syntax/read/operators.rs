//! Which operator binds first.
//!
//! From loose to tight: `or`; `and`; `not`, `some`, `no`; comparisons; `otherwise` and `the`; `&` or `|`; `..`; `+ -`; `* / %`; `-x`;
//! `at`, `on`. The grammar lists operators and terms flat; here they become a tree.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::Reader;
use crate::bug;
use crate::source::Span;
use crate::syntax::ast::{ArithOp, CompareOp, Expr, ExprKind};
use crate::syntax::grammar::Rule;
use crate::syntax::node::{Children, Node};

/// From where on operators may be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// All of them.
    Any,
    /// `and` and what binds tighter.
    And,
    /// `not`, `some`, `no`, comparisons.
    Not,
    /// Comparisons.
    Compare,
    /// `otherwise`, `the`.
    Choice,
    /// `&` and `|`.
    Set,
    /// `..`
    Span,
    /// `+` and `-`.
    Sum,
    /// `*`, `/`, `%`.
    Product,
    /// `-x`
    Unary,
    /// `at`, `on`.
    At,
    /// None.
    Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    Not,
    The,
    Some,
    No,
    Minus,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Infix {
    Or,
    And,
    Compare(CompareOp),
    Otherwise,
    Both,
    AnyOf,
    Range,
    Arith(ArithOp),
    At,
    On,
}

enum Part<'s> {
    Prefix(Prefix, Span),
    Infix(Infix, Span),
    Term(Node<'s>),
}

type Parts<'s> = Peekable<IntoIter<Part<'s>>>;

impl Infix {
    fn level(self) -> Level {
        match self {
            Infix::Or => Level::Any,
            Infix::And => Level::And,
            Infix::Compare(_) => Level::Compare,
            Infix::Otherwise => Level::Choice,
            Infix::Both | Infix::AnyOf => Level::Set,
            Infix::Range => Level::Span,
            Infix::Arith(ArithOp::Add | ArithOp::Sub) => Level::Sum,
            Infix::Arith(ArithOp::Mul | ArithOp::Div | ArithOp::Rem) => Level::Product,
            Infix::At | Infix::On => Level::At,
        }
    }

    /// Does each one make the tree deeper? Lists joined by `&`, `|`, `otherwise` do not.
    fn deepens(self) -> bool {
        !matches!(self, Infix::Both | Infix::AnyOf | Infix::Otherwise)
    }
}

impl Prefix {
    fn level(self) -> Level {
        match self {
            Prefix::Not | Prefix::Some | Prefix::No => Level::Not,
            Prefix::The => Level::Choice,
            Prefix::Minus => Level::Unary,
        }
    }
}

impl Reader<'_> {
    /// Reads a flat list of operators and terms into a tree.
    pub(super) fn flat(&mut self, mut children: Children<'_>, level: Level) -> Expr {
        let mut parts = Vec::new();
        let mut deep = 1;
        let mut whole: Option<Span> = None;
        while let Some(node) = children.raw() {
            let span = node.span();
            whole = Some(whole.map_or(span, |whole| whole.to(span)));
            parts.push(match node.rule() {
                Rule::prefix => {
                    deep += 1;
                    Part::Prefix(prefix(node), span)
                }
                Rule::infix | Rule::choice_infix | Rule::set_infix | Rule::span_infix | Rule::sum_infix => {
                    let op = infix(node);
                    deep += usize::from(op.deepens());
                    Part::Infix(op, span)
                }
                Rule::postfix => {
                    deep += node.clone().children().count_of(Rule::owned);
                    Part::Term(node)
                }
                _ => Part::Term(node),
            });
        }
        let Some(whole) = whole else { bug!("an expression is never empty") };
        let mut parts = parts.into_iter().peekable();
        let read = |reader: &mut Self| {
            let mut expr = reader.climb(&mut parts, level);
            // What does not fit the level is told; the rest is read so that its own slips are told too.
            while let Some(part) = parts.next() {
                if let Part::Infix(op, span) = part {
                    reader.misplaced_infix(op, span);
                    let right = reader.climb(&mut parts, Level::Any);
                    let span = expr.span.to(right.span);
                    expr = Expr { kind: Box::new(ExprKind::Error), span };
                }
            }
            expr
        };
        self.deeper(deep, whole, read).unwrap_or_else(|| Self::nothing(whole))
    }

    fn climb(&mut self, parts: &mut Parts<'_>, level: Level) -> Expr {
        let (mut left, mut ceiling) = self.operand(parts, level);
        while let Some(Part::Infix(op, _)) = parts.peek() {
            let op = *op;
            // Beyond the ceiling is what must be put in brackets, as `is` behind `some S`.
            if op.level() < level || op.level() > ceiling {
                break;
            }
            let Some(Part::Infix(_, op_span)) = parts.next() else { bug!("an operator was seen here") };
            left = match op {
                Infix::Otherwise | Infix::Both | Infix::AnyOf => self.chain(parts, left, op),
                Infix::Compare(_) | Infix::Range => {
                    let tighter = if op == Infix::Range { Level::Sum } else { Level::Choice };
                    let right = self.climb(parts, tighter);
                    self.once_only(parts, op, op_span, &left);
                    joined(op, left, right)
                }
                Infix::Or => self.right(parts, left, op, Level::And),
                Infix::And => self.right(parts, left, op, Level::Not),
                Infix::Arith(ArithOp::Add | ArithOp::Sub) => self.right(parts, left, op, Level::Product),
                Infix::Arith(ArithOp::Mul | ArithOp::Div | ArithOp::Rem) => self.right(parts, left, op, Level::Unary),
                // The nearest goes with the nearest: `a at b at c` is `a at (b at c)`.
                Infix::At | Infix::On => self.right(parts, left, op, Level::At),
            };
            ceiling = op.level();
        }
        left
    }

    fn right(&mut self, parts: &mut Parts<'_>, left: Expr, op: Infix, level: Level) -> Expr {
        let right = self.climb(parts, level);
        joined(op, left, right)
    }

    /// A term with what stands before it, and the loosest operator that may follow it.
    fn operand(&mut self, parts: &mut Parts<'_>, level: Level) -> (Expr, Level) {
        match parts.next() {
            Some(Part::Prefix(op, span)) => {
                let misplaced = op.level() < level && !(op == Prefix::The && level == Level::Set);
                if misplaced {
                    self.needs_brackets(span);
                }
                let inner = match op {
                    Prefix::Not => Level::Not,
                    Prefix::The | Prefix::Some | Prefix::No => Level::Choice.max(level),
                    Prefix::Minus => Level::Unary,
                };
                let operand = self.climb(parts, inner);
                let whole = span.to(operand.span);
                let (kind, ceiling) = match op {
                    Prefix::Not => (ExprKind::Not(operand), Level::And),
                    Prefix::The => (ExprKind::The(operand), Level::Compare),
                    Prefix::Some => (ExprKind::Some(true, operand), Level::And),
                    Prefix::No => (ExprKind::Some(false, operand), Level::And),
                    Prefix::Minus => (ExprKind::Negate(operand), Level::Product),
                };
                (Expr { kind: Box::new(kind), span: whole }, ceiling)
            }
            Some(Part::Term(node)) => {
                let span = node.span();
                let (rule, first) = (node.rule(), level == Level::Any || level == Level::Choice);
                let (fits, ceiling) = match rule {
                    Rule::if_else => (first, Level::Term),
                    Rule::exists => (level <= Level::Not, Level::And),
                    _ => (true, Level::Term),
                };
                if !fits {
                    self.needs_brackets(span);
                }
                (self.term(node), ceiling)
            }
            Some(Part::Infix(..)) | None => bug!("a term stands after an operator"),
        }
    }

    /// `a & b & c`, `a | b`, `a otherwise b`: lists, never mixed
    fn chain(&mut self, parts: &mut Parts<'_>, left: Expr, op: Infix) -> Expr {
        let inner = if op == Infix::Otherwise { Level::Set } else { Level::Span };
        let mut list = vec![left, self.climb(parts, inner)];
        let mut mixed = false;
        while let Some(Part::Infix(next, _)) = parts.peek() {
            let next = *next;
            if next.level() != op.level() {
                break;
            }
            mixed |= next != op;
            parts.next();
            list.push(self.climb(parts, inner));
        }
        let span = list[0].span.to(list[list.len() - 1].span);
        if mixed {
            let words = self.words(span);
            self.error("mixed-and-or", span, format!("\"{words}\": which two belong together? Put brackets.")).help =
                Some("For example (a & b) | c, or a & (b | c).".into());
        }
        let kind = match op {
            Infix::Otherwise => ExprKind::Otherwise(list),
            Infix::Both => ExprKind::Both(list),
            _ => ExprKind::AnyOf(list),
        };
        Expr { kind: Box::new(kind), span }
    }

    /// Tells of `a < b < c` and `a..b..c`, and steps over the rest.
    fn once_only(&mut self, parts: &mut Parts<'_>, op: Infix, first: Span, left: &Expr) {
        let mut told = false;
        while let Some(Part::Infix(next, span)) = parts.peek() {
            let (next, span) = (*next, *span);
            if next.level() != op.level() {
                break;
            }
            parts.next();
            let right = self.climb(parts, if op == Infix::Range { Level::Sum } else { Level::Choice });
            if told {
                continue;
            }
            told = true;
            let (left, right) = (self.words(left.span), self.words(right.span));
            if op == Infix::Range {
                self.error("syntax", span, "A range has two ends: a..b.");
                continue;
            }
            let (one, two) = (self.words(first), self.words(span));
            self.error("chained-comparison", span, "Compare two things at a time.").help =
                Some(format!("Join two comparisons: \"{left} {one} … and … {two} {right}\"."));
        }
    }

    fn needs_brackets(&mut self, span: Span) {
        let words = self.words(span);
        let word = words.split(' ').next().unwrap_or_default();
        self.error("brackets-needed", span, format!("\"{word}\" begins a part of its own here. Put brackets.")).help =
            Some(format!("Write ({word} …)."));
    }

    fn misplaced_infix(&mut self, op: Infix, span: Span) {
        let word = self.words(span);
        match op {
            Infix::Compare(CompareOp::In | CompareOp::Within) => {
                self.error("brackets-needed", span, format!("\"{word}\" cannot follow this.")).help =
                    Some("To ask whether two sets have something in common, say \"some a & b\".".into());
            }
            _ => {
                self.error(
                    "brackets-needed",
                    span,
                    format!("\"{word}\" cannot go on with what stands before it. Put brackets."),
                );
            }
        }
    }
}

fn joined(op: Infix, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    let kind = match op {
        Infix::Or => ExprKind::Or(left, right),
        Infix::And => ExprKind::And(left, right),
        Infix::Compare(op) => ExprKind::Compare(op, left, right),
        Infix::Range => ExprKind::Range(left, right),
        Infix::Arith(op) => ExprKind::Arith(op, left, right),
        Infix::At => ExprKind::At(left, right),
        Infix::On => ExprKind::On(left, right),
        Infix::Otherwise | Infix::Both | Infix::AnyOf => bug!("`{op:?}` makes lists"),
    };
    Expr { kind: Box::new(kind), span }
}

fn prefix(node: Node<'_>) -> Prefix {
    match node.children().raw().map(|word| word.rule()) {
        Some(Rule::kw_not) => Prefix::Not,
        Some(Rule::kw_the) => Prefix::The,
        Some(Rule::kw_some) => Prefix::Some,
        Some(Rule::kw_no) => Prefix::No,
        _ => Prefix::Minus,
    }
}

fn infix(node: Node<'_>) -> Infix {
    let sign = node.text();
    let mut words = node.children();
    let Some(first) = words.raw() else {
        return match sign.trim_end() {
            "<" => Infix::Compare(CompareOp::Less),
            "<=" => Infix::Compare(CompareOp::LessEq),
            ">" => Infix::Compare(CompareOp::More),
            ">=" => Infix::Compare(CompareOp::MoreEq),
            "&" => Infix::Both,
            "|" => Infix::AnyOf,
            ".." => Infix::Range,
            "+" => Infix::Arith(ArithOp::Add),
            "-" => Infix::Arith(ArithOp::Sub),
            "*" => Infix::Arith(ArithOp::Mul),
            "/" => Infix::Arith(ArithOp::Div),
            "%" => Infix::Arith(ArithOp::Rem),
            other => bug!("`{other}` is not an operator"),
        };
    };
    match first.rule() {
        Rule::kw_or => Infix::Or,
        Rule::kw_and => Infix::And,
        Rule::kw_is if words.has(Rule::kw_not) => Infix::Compare(CompareOp::IsNot),
        Rule::kw_is => Infix::Compare(CompareOp::Is),
        Rule::is_not => Infix::Compare(CompareOp::IsNot),
        Rule::kw_not => Infix::Compare(CompareOp::NotIn),
        Rule::kw_in => Infix::Compare(CompareOp::In),
        Rule::kw_within => Infix::Compare(CompareOp::Within),
        Rule::kw_otherwise => Infix::Otherwise,
        Rule::kw_at => Infix::At,
        Rule::kw_on => Infix::On,
        other => bug!("`{other:?}` is not an operator"),
    }
}
