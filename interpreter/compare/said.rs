//! What a part of a rule file says, whatever it looks like: two parts that say the same give the same text.
//!
//! Blanks, line ends, comments, indentation of texts over several lines, brackets that only group what belongs together anyway, and the
//! order of what `&`, `|`, `and`, `or` and `{…}` join mean nothing. Everything else does.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::source::{FileId, Sources, Span};
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::tokens;

/// The words of all texts of a game.
pub struct Said<'s> {
    sources: &'s Sources,
    files: BTreeMap<FileId, Vec<Range<usize>>>,
}

impl<'s> Said<'s> {
    /// Of these texts.
    pub fn new(sources: &'s Sources) -> Said<'s> {
        Said { sources, files: BTreeMap::new() }
    }

    /// What stands at a place, the expressions in it put in order. They have to stand one behind the other.
    pub fn at(&mut self, span: Span, parts: &[&Expr]) -> String {
        let mut said = Vec::new();
        let mut at = span.start;
        for part in parts.iter().filter(|part| part.span.file == span.file) {
            said.extend(self.plain(Span { start: at, end: part.span.start, ..span }));
            said.push(self.expr(part));
            at = part.span.end;
        }
        said.extend(self.plain(Span { start: at, ..span }));
        said.join(" ")
    }

    /// What an expression says.
    pub fn expr(&mut self, e: &Expr) -> String {
        let (sign, mut list) = match &*e.kind {
            ExprKind::Paren(inner) => return self.expr(inner),
            ExprKind::Both(_) => ("&", self.joined(e, |kind| matches!(kind, ExprKind::Both(_)))),
            ExprKind::AnyOf(_) => ("|", self.joined(e, |kind| matches!(kind, ExprKind::AnyOf(_)))),
            ExprKind::And(..) => ("and", self.joined(e, |kind| matches!(kind, ExprKind::And(..)))),
            ExprKind::Or(..) => ("or", self.joined(e, |kind| matches!(kind, ExprKind::Or(..)))),
            ExprKind::Braces(elements) => {
                let times = |times: Option<(i64, Span)>| times.map_or(String::new(), |(n, _)| format!("{n} "));
                let list = elements.iter().map(|one| times(one.times) + &self.expr(&one.value));
                ("{}", list.collect())
            }
            _ => {
                let parts = e.parts();
                let said = self.at(e.span, &parts);
                return if parts.is_empty() { said } else { format!("( {said} )") };
            }
        };
        list.sort();
        format!("( {sign} {} )", list.join(" , "))
    }

    /// What operators of one kind join, however the brackets are.
    fn joined(&mut self, e: &Expr, same: fn(&ExprKind) -> bool) -> Vec<String> {
        let mut inner = e;
        while let ExprKind::Paren(within) = &*inner.kind {
            inner = within;
        }
        match same(&inner.kind) {
            true => inner.parts().into_iter().flat_map(|part| self.joined(part, same)).collect(),
            false => vec![self.expr(inner)],
        }
    }

    /// The words at a place, as they stand but for comments.
    fn plain(&mut self, span: Span) -> Vec<String> {
        let Some(source) = self.sources.opt_get(span.file) else { return Vec::new() };
        let text = &source.text;
        let all = self.files.entry(span.file).or_insert_with(|| tokens(text));
        let from = all.partition_point(|word| word.start < span.start as usize);
        let inside = all[from..].iter().take_while(|word| word.end <= span.end as usize);
        inside.map(|word| level(text.get(word.start..word.end).unwrap_or(""))).collect()
    }
}

/// A text over several lines as far to the left as it can stand; all else as it is.
fn level(word: &str) -> String {
    let Some(inside) = word.strip_prefix("\"\"\"").and_then(|rest| rest.strip_suffix("\"\"\"")) else {
        return word.to_string();
    };
    let lines: Vec<&str> = inside.lines().map(str::trim_end).collect();
    let filled = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !line.is_empty()).map_or(filled, |last| last + 1);
    let lines = lines.get(filled..last).unwrap_or(&[]);
    let indent = |line: &&&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
    let left = lines.iter().map(|line| line.get(least..).unwrap_or(line));
    format!("\"{}\"", left.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_expr;

    fn said(text: &str) -> String {
        let mut sources = Sources::new();
        let file = sources.add("e", text);
        let (e, found) = parse_expr(file, text);
        assert!(found.is_empty(), "{found:?}");
        Said::new(&sources).expr(&e)
    }

    #[test]
    fn looks_mean_nothing() {
        for (a, b) in [
            ("mine & king", "king   & // the king\n mine"),
            ("(a | b) | c", "c | (a | (b))"),
            ("a and (b or c)", "(c or b) and a"),
            ("{a, 2 b, c}", "{c, 2 b, a}"),
            ("f(a & b, x: c | d)", "f(b & a, x: (d | c))"),
            ("{x in S where a and b}", "{x in S where b and a}"),
        ] {
            assert_eq!(said(a), said(b), "{a}");
        }
    }

    #[test]
    fn everything_else_does() {
        for (a, b) in [
            ("a - b", "b - a"),
            ("(a | b) & c", "a | (b & c)"),
            ("a otherwise b", "b otherwise a"),
            ("f(a, b)", "f(b, a)"),
            ("{a, 2 b}", "{2 a, b}"),
            ("a + b * c", "(a + b) * c"),
            ("x in S", "x not in S"),
        ] {
            assert_ne!(said(a), said(b), "{a}");
        }
    }

    #[test]
    fn texts_may_stand_where_they_like() {
        assert_eq!(level("\"\"\"\n  . W\n  B .\n\"\"\""), level("\"\"\". W\nB .\"\"\""));
        assert_ne!(level("\"\"\"\n . W\nB .\n\"\"\""), level("\"\"\". W\nB .\"\"\""));
        assert_eq!(level("\"a\""), "\"a\"");
    }
}
