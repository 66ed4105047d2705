//! Turns one file's text into what was written there, and nothing more: names are still just words.
//!
//! `scan.rs` cuts the text into tokens, `cut.rs` cuts the tokens at the words that begin items, the grammar reads each item by itself,
//! `recover.rs` goes on behind what it cannot read, and `read/` makes the tree.

pub mod ast;
mod cut;
mod expected;
mod format;
mod frames;
mod grammar;
pub mod limits;
mod node;
mod parts;
mod phrases;
mod read;
mod recover;
mod scan;
mod words;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use cut::{Chunk, cut};
pub use format::format;
use grammar::Rule;
use node::Node;
use read::Reader;
use recover::Matcher;
use scan::{Scan, Token, scan};

/// Reads a game or library file. With errors it still gives everything that could be read: statements that could not are
/// `StatementKind::Error`, expressions `ExprKind::Error`, and items are left out.
pub fn parse(file: FileId, text: &str) -> (ast::File, Diagnostics) {
    let start = Span::new(file, 0, 0);
    let mut scan = match scanned(file, text) {
        Ok(scan) => scan,
        Err(found) => {
            return (ast::File { head: Reader::no_head(start), docs: Vec::new(), items: Vec::new() }, vec![*found]);
        }
    };
    let chunks = cut(file, &mut scan, true);
    let mut reader = Reader::new(&scan, text);
    let mut matcher = Matcher::new(file, &scan);
    let mut head = None;
    let mut items = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let first_word = scan.word(&scan.tokens[chunk.first]);
        if matches!(first_word, "game" | "library") {
            if index > 0 {
                matcher.second_head(chunk.first, first_word);
                continue;
            }
            let read = matcher.matched(Rule::head_alone, chunk, |node| reader.head(node.children().any()));
            head = Some(read.unwrap_or_else(|| Reader::no_head(start)));
            continue;
        }
        items.extend(matcher.matched(Rule::item_alone, chunk, |node| reader.item(node.children().any())));
    }
    if head.is_none() {
        matcher.no_head(chunks.first());
    }
    let docs = file_docs(&scan, &chunks, &reader, &mut items);
    let found = [std::mem::take(&mut matcher.found), std::mem::take(&mut reader.found)].concat();
    let head = head.unwrap_or_else(|| Reader::no_head(start));
    (ast::File { head, docs, items }, in_order(&scan, found))
}

/// Where the words, numbers, texts and signs of a text stand; comments and blanks are passed over.
pub fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    scan(FileId::default(), text).tokens.iter().map(|token| token.start..token.end).collect()
}

/// Reads a position file: a list of the lines that may stand in an example.
pub fn parse_example_lines(file: FileId, text: &str) -> (Vec<ast::ExampleLine>, Diagnostics) {
    let read = |reader: &mut Reader<'_>, node: Node<'_>| {
        node.children().rest(Rule::example_line).filter_map(|line| reader.example_line(line)).collect()
    };
    let (lines, found) = parse_alone(file, text, Rule::lines_alone, read);
    (lines.unwrap_or_default(), found)
}

/// Reads one expression.
pub fn parse_expr(file: FileId, text: &str) -> (ast::Expr, Diagnostics) {
    let (expr, mut found) = parse_alone(file, text, Rule::expr_alone, |reader, node| reader.expr(node.only()));
    let whole = Span::new(file, 0, text.len().min(limits::FILE_BYTES));
    let expr = expr.unwrap_or_else(|| {
        if found.is_empty() {
            found.push(Diagnostic::error("syntax", whole, "A value is missing here."));
        }
        Reader::nothing(whole)
    });
    (expr, found)
}

/// Reads a whole text by one rule.
fn parse_alone<T>(
    file: FileId,
    text: &str,
    rule: Rule,
    read: impl FnOnce(&mut Reader<'_>, Node<'_>) -> T,
) -> (Option<T>, Diagnostics) {
    let mut scan = match scanned(file, text) {
        Ok(scan) => scan,
        Err(found) => return (None, vec![*found]),
    };
    let chunks = cut(file, &mut scan, false);
    let mut reader = Reader::new(&scan, text);
    let mut matcher = Matcher::new(file, &scan);
    let value = chunks.first().and_then(|chunk| matcher.matched(rule, chunk, |node| read(&mut reader, node)));
    let found = [std::mem::take(&mut matcher.found), std::mem::take(&mut reader.found)].concat();
    (value, in_order(&scan, found))
}

/// The text in pieces, or the one thing to be told of a text that is too large.
fn scanned(file: FileId, text: &str) -> Result<Scan, Box<Diagnostic>> {
    if text.len() > limits::FILE_BYTES {
        let message = format!("This file has {} bytes; a file may have {}.", text.len(), limits::FILE_BYTES);
        return Err(Box::new(Diagnostic::error("file-too-large", Span::new(file, 0, 0), message)));
    }
    let scan = scan(file, text);
    if let Some(token) = scan.tokens.get(limits::TOKENS) {
        let message = format!(
            "This file has {} words, numbers, texts and signs; a file may have {}.",
            scan.tokens.len(),
            limits::TOKENS
        );
        let first_too_many = Span::new(file, token.start, token.end);
        let diag = Diagnostic::error("file-too-long", first_too_many, message);
        return Err(Box::new(diag.help("Say it shorter, with \"define\", \"action\" and loops.")));
    }
    Ok(scan)
}

/// The `///` lines of the file itself: above its head, and below it up to the last blank line before the first item.
// An item's own lines touch it; so a file may be described and its first item too.
fn file_docs(scan: &Scan, chunks: &[Chunk], reader: &Reader<'_>, items: &mut [ast::Item]) -> Vec<String> {
    let Some(head) = chunks.first().filter(|chunk| matches!(scan.word(&scan.tokens[chunk.first]), "game" | "library"))
    else {
        return Vec::new();
    };
    let end = scan.tokens[head.past - 1].end;
    let first = chunks.get(1).map_or(scan.text.len(), |chunk| scan.tokens[chunk.first].start);
    let below: Vec<&Token> = reader.docs_between(end, first).collect();
    let mut own = below.len();
    if chunks.len() > 1 {
        let mut next = first;
        while own > 0 && !has_blank_line(&scan.text[below[own - 1].end..next]) {
            own -= 1;
            next = below[own].start;
        }
    }
    let (of_file, of_item) = below.split_at(own);
    if let Some(item) = items.first_mut().filter(|item| item.span.start as usize == first) {
        item.docs = of_item.iter().map(|doc| reader.doc(doc)).collect();
    }
    let above = reader.docs_between(0, scan.tokens[head.first].start);
    above.chain(of_file.iter().copied()).map(|doc| reader.doc(doc)).collect()
}

fn has_blank_line(between: &str) -> bool {
    let mut lines = between.split('\n').skip(1).peekable();
    std::iter::from_fn(|| lines.next().filter(|_| lines.peek().is_some())).any(|line| line.trim().is_empty())
}

/// All that was found, in the order of the text, and not without end.
fn in_order(scan: &Scan, found: Diagnostics) -> Diagnostics {
    let mut all = [scan.found.clone(), found].concat();
    all.sort_by_key(|diag| (diag.place.span, diag.place.span.end));
    if all.len() > limits::ERRORS {
        let place = all[limits::ERRORS].place.span;
        all.truncate(limits::ERRORS);
        all.push(Diagnostic::error(
            "too-many-errors",
            place,
            "There are more errors, from here on; mend those above first.",
        ));
    }
    all
}

#[cfg(test)]
mod tests;
