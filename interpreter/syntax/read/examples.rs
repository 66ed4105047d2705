//! Lines of examples and of position files.

use super::{Reader, ident, text};
use crate::syntax::ast::{self, ExampleKind};
use crate::syntax::grammar::Rule;
use crate::syntax::node::Node;

impl Reader<'_> {
    /// `example "…" {…}`
    pub fn example(&mut self, node: Node<'_>) -> ast::Example {
        let mut parts = node.children();
        let title = text(parts.one(Rule::text));
        let lines = parts.rest(Rule::example_line).filter_map(|line| self.example_line(line)).collect();
        parts.end();
        ast::Example { title, lines }
    }

    /// One line; nothing if it could not be read.
    pub fn example_line(&mut self, node: Node<'_>) -> Option<ast::ExampleLine> {
        let span = node.span();
        let node = node.only();
        let kind = match node.rule() {
            Rule::broken => {
                self.broken(node);
                return None;
            }
            Rule::with_option => {
                let mut parts = node.children();
                let name = ident(parts.one(Rule::ident));
                ExampleKind::With(name, self.expr(parts.one(Rule::expr)))
            }
            Rule::position => ExampleKind::Position(text(node.only())),
            Rule::to_move => ExampleKind::ToMove(ident(node.only())),
            Rule::play => ExampleKind::Play(texts(node)),
            Rule::only => ExampleKind::Only(texts(node)),
            Rule::legal => match texts(node) {
                none if none.is_empty() => ExampleKind::Only(none),
                some => ExampleKind::Legal(some),
            },
            Rule::illegal => {
                let mut parts = node.children();
                let turns = parts.one(Rule::texts).children().rest(Rule::text).map(text).collect();
                ExampleKind::Illegal(turns, parts.opt(Rule::text).map(text))
            }
            Rule::shows => ExampleKind::Shows(text(node.only())),
            Rule::ends => {
                let mut parts = node.children();
                let reason = match parts.opt(Rule::text) {
                    Some(reason) => text(reason),
                    None => {
                        let reason = parts.one(Rule::ident);
                        ast::Text { value: reason.text().to_string(), span: reason.span() }
                    }
                };
                let placed = parts.rest(Rule::placed);
                let places = placed.map(|placed| placed.children().rest(Rule::ident).map(ident).collect());
                ExampleKind::Ends(reason, places.collect())
            }
            Rule::rematch => ExampleKind::Rematch,
            Rule::expect => ExampleKind::Expect(self.expr(node.only())),
            Rule::moves => {
                let mut parts = node.children();
                // Counts grow large; the limit on numbers is for what a game reckons with.
                let counts =
                    parts.rest(Rule::int).map(|count| (count.text().parse().unwrap_or(u64::MAX), count.span()));
                ExampleKind::Moves(counts.collect())
            }
            _ => {
                let docs = self.docs_before(span.start);
                ExampleKind::Do(ast::Statement { docs, kind: self.statement_kind(node), span })
            }
        };
        Some(ast::ExampleLine { kind, span })
    }
}

/// `"m", "m"`
fn texts(node: Node<'_>) -> Vec<ast::Text> {
    let mut parts = node.children();
    parts.opt(Rule::texts).map(|list| list.children().rest(Rule::text).map(text).collect()).unwrap_or_default()
}
