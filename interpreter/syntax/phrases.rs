//! What was written inside statements: values, conditions, and what belongs to them.

use super::ast::*;
use crate::source::Span;

/// A parameter of a call: `e`, `name: e`, or a builder `e for x in S`
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// `name:`
    pub name: Option<Name>,
    /// The value; `ExprKind::Builder` for `e for x in S`.
    pub value: Expr,
}

/// An arm of a `match`
#[derive(Clone, Debug, PartialEq)]
pub struct Arm<T> {
    /// Any of these; empty for `else`.
    pub patterns: Vec<Pattern>,
    /// Where the patterns stand.
    pub span: Span,
    /// What follows.
    pub body: T,
}

/// A pattern of a `match`
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `3` or `2..5`; both ends inclusive
    Numbers(i64, i64, Span),
    /// `on`, `off`
    Bool(bool, Span),
    /// `"text"`
    Text(Text),
    /// `red`
    Word(Name),
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it stands.
    pub span: Span,
}

/// What an expression can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `12`
    Int(i64),
    /// `"…"`
    Text(Text),
    /// `on`, `off`
    Bool(bool),
    /// `word`
    Name(Name),
    /// `word(args)`
    Call(Name, Vec<Arg>),
    /// `base` or `base(args)`
    Base(Vec<Arg>),
    /// `p's word` or `p's word(args)`; the span of the apostrophe part is in the word
    Owned(Expr, Name, Option<Vec<Arg>>),
    /// `a at s`
    At(Expr, Expr),
    /// `s on track`
    On(Expr, Expr),
    /// `(e)`
    Paren(Expr),
    /// `-e`
    Negate(Expr),
    /// `spread x from S into E [up to n]`
    Spread(Name, Expr, Expr, Option<Expr>),
    /// `a * b`, `a + b`, …
    Arith(ArithOp, Expr, Expr),
    /// `a..b`
    Range(Expr, Expr),
    /// `a & b & c`: two or more
    Both(Vec<Expr>),
    /// `a | b | c`: two or more
    AnyOf(Vec<Expr>),
    /// `the S`
    The(Expr),
    /// `A otherwise B otherwise C`: two or more
    Otherwise(Vec<Expr>),
    /// `a is b`, `x in S`, …
    Compare(CompareOp, Expr, Expr),
    /// `some S` (true), `no S` (false)
    Some(bool, Expr),
    /// `some x in S where c` (true), `no x in S where c` (false)
    Exists(bool, Binders),
    /// `not c`
    Not(Expr),
    /// `a and b`
    And(Expr, Expr),
    /// `a or b`
    Or(Expr, Expr),
    /// `if c then a else b`
    If(Expr, Expr, Expr),
    /// `match e { pattern: e … }`
    Match(Expr, Vec<Arm<Expr>>),
    /// `let x = e body`
    Let(Name, Expr, Expr),
    /// `{a, 2 b, c}`
    Braces(Vec<Element>),
    /// `{x in S where c}` (no head), `{e for x in S where c}`; also as the argument of `sum`, `min`, `max`, `count`
    Builder(Option<Expr>, Binders),
    /// What could not be read; its error has been reported.
    Error,
}

/// `e` or `2 e`
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// How many, if said.
    pub times: Option<(i64, Span)>,
    /// What.
    pub value: Expr,
}

/// Arithmetic; on sets `+` and `-` mean other things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareOp {
    /// `is`
    Is,
    /// `is not`
    IsNot,
    /// `in`
    In,
    /// `not in`
    NotIn,
    /// `within`
    Within,
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `>`
    More,
    /// `>=`
    MoreEq,
}
