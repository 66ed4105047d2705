//! From matched text to the syntax tree. A reader has its rule's name and its rule's shape.
//!
//! What the grammar lets through and the language does not (`a & b | c`, an `if` in the middle of a sum, …) is told here.

mod examples;
mod expressions;
mod items;
mod operators;
mod statements;

use super::ast::{self, Name, Text};
use super::grammar::Rule;
use super::limits;
use super::node::Node;
use super::scan::{Scan, Token};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::Span;

/// Reads nodes of one file and gathers what is wrong in them.
pub struct Reader<'s> {
    scan: &'s Scan,
    original: &'s str,
    /// What was found wrong.
    pub found: Diagnostics,
    depth: usize,
    too_deep: bool,
    statements: usize,
}

impl<'s> Reader<'s> {
    /// A reader for one file: `original` is its text as the author wrote it.
    pub fn new(scan: &'s Scan, original: &'s str) -> Self {
        Reader { scan, original, found: Vec::new(), depth: 0, too_deep: false, statements: 0 }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        super::scan::add(&mut self.found, Diagnostic::error(code, span, message))
    }

    /// What the author wrote at a place.
    fn words(&self, span: Span) -> String {
        let words = self.original.get(span.start as usize..span.end as usize).unwrap_or("");
        super::scan::shown(&words.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Goes `levels` down for the time of `read`; gives nothing, and tells so once, where the tree would become too deep.
    fn deeper<T>(&mut self, levels: usize, span: Span, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth + levels > limits::TREE_DEPTH {
            if !self.too_deep {
                let deep = self.depth + levels;
                let message = format!("This is nested {deep} levels deep; {} are allowed.", limits::TREE_DEPTH);
                self.error("too-deep", span, message).help = Some("Give a part of it a name with \"define\".".into());
            }
            self.too_deep = true;
            return None;
        }
        self.depth += levels;
        let value = read(self);
        self.depth -= levels;
        Some(value)
    }

    /// The `///` lines between the token before `start` and `start`.
    pub fn docs_before(&self, start: u32) -> Vec<String> {
        let start = start as usize;
        let index = self.scan.token_at(start);
        let from = index.checked_sub(1).map_or(0, |before| self.scan.tokens[before].end);
        self.docs_between(from, start).map(|doc| self.doc(doc)).collect()
    }

    /// The `///` lines between two bytes.
    pub fn docs_between(&self, from: usize, to: usize) -> impl Iterator<Item = &'s Token> + use<'s> {
        let comments = &self.scan.comments;
        let first = comments.partition_point(|comment| comment.start < from);
        comments[first..]
            .iter()
            .take_while(move |comment| comment.start < to)
            .filter(|comment| comment.kind == super::scan::TokenKind::Doc)
    }

    /// A `///` line without the slashes and one blank.
    pub fn doc(&self, doc: &Token) -> String {
        let line = self.scan.word(doc).trim_start_matches('/');
        line.strip_prefix(' ').unwrap_or(line).to_string()
    }

    /// Digits.
    fn int(&mut self, node: &Node<'_>) -> i64 {
        match node.text().parse() {
            Ok(number) if number <= limits::NUMBER => number,
            _ => {
                let message = format!(
                    "{} is too large; a number goes up to {}.",
                    super::scan::shown(node.text()),
                    limits::NUMBER
                );
                self.error("number-too-large", node.span(), message);
                0
            }
        }
    }

    /// Stands where something could not be read.
    pub fn nothing(span: Span) -> ast::Expr {
        ast::Expr { kind: Box::new(ast::ExprKind::Error), span }
    }
}

/// A name.
pub fn ident(node: Node<'_>) -> Name {
    Name { text: node.text().to_string(), span: node.span() }
}

/// `"one line"` or `"""several lines"""`
pub fn text(node: Node<'_>) -> Text {
    let span = node.span();
    let quoted = node.text();
    let inside = if quoted.len() >= 6 && quoted.starts_with("\"\"\"") {
        &quoted[3..quoted.len() - 3]
    } else {
        &quoted[1..quoted.len() - 1]
    };
    Text { value: inside.to_string(), span }
}

/// The names that follow, for as long as there are some.
fn idents(parts: &mut super::node::Children<'_>) -> Vec<Name> {
    parts.rest(Rule::ident).map(ident).collect()
}
