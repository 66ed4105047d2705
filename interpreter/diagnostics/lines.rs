//! Where the lines of a text begin, found once, so that many findings in one long text stay cheap.

use std::collections::BTreeMap;

use crate::source::{FileId, Sources, Span};

/// A place in lines and columns (in signs), all from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line of the first sign.
    pub line: usize,
    /// Column of the first sign.
    pub column: usize,
    /// Line of the end.
    pub end_line: usize,
    /// Column one past the last sign.
    pub end_column: usize,
}

/// One text with the starts of its lines.
pub struct Page<'s> {
    /// What a person calls the text.
    pub name: &'s str,
    /// The text.
    pub text: &'s str,
    starts: Vec<usize>,
}

impl<'s> Page<'s> {
    fn new(name: &'s str, text: &'s str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Page { name, text, starts }
    }

    /// The nearest place at or before `at` where a sign begins.
    fn boundary(&self, at: usize) -> usize {
        self.text.floor_char_boundary(at.min(self.text.len()))
    }

    /// A span as bytes that lie in the text, between signs, in order.
    pub fn clamp(&self, span: Span) -> (usize, usize) {
        let start = self.boundary(span.start as usize);
        (start, self.boundary(span.end as usize).max(start))
    }

    /// Which line (from 0) holds this byte.
    pub fn line_at(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at).saturating_sub(1)
    }

    /// First byte of a line, and one past its last sign; the line end is no part of it.
    pub fn bounds(&self, line: usize) -> (usize, usize) {
        let start = self.starts.get(line).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let words = &self.text[start..end];
        (start, start + words.strip_suffix('\r').unwrap_or(words).len())
    }

    /// Column (from 1) of a byte in a line.
    fn column(&self, line: usize, at: usize) -> usize {
        let (start, _) = self.bounds(line);
        self.text[start.min(at)..at].chars().count() + 1
    }

    /// A span in lines and columns.
    pub fn place(&self, span: Span) -> Place {
        let (start, end) = self.clamp(span);
        let (line, end_line) = (self.line_at(start), self.line_at(end));
        let (column, end_column) = (self.column(line, start), self.column(end_line, end));
        Place { line: line + 1, column, end_line: end_line + 1, end_column }
    }
}

/// The texts that findings point into.
pub struct Pages<'s> {
    sources: &'s Sources,
    found: BTreeMap<FileId, Page<'s>>,
}

impl<'s> Pages<'s> {
    /// Nothing looked up yet.
    pub fn new(sources: &'s Sources) -> Self {
        Pages { sources, found: BTreeMap::new() }
    }

    /// The text with this number; an empty one if there is none.
    pub fn get(&mut self, file: FileId) -> &Page<'s> {
        let sources = self.sources;
        self.found.entry(file).or_insert_with(|| {
            sources.opt_get(file).map_or_else(|| Page::new("?", ""), |source| Page::new(&source.name, &source.text))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_clamped() {
        let page = Page::new("x", "ab\r\nçd\n");
        let place = |start, end| {
            let place = page.place(Span::new(FileId(0), start, end));
            (place.line, place.column, place.end_line, place.end_column)
        };
        assert_eq!(place(0, 2), (1, 1, 1, 3));
        assert_eq!(place(5, 7), (2, 1, 2, 3));
        assert_eq!(place(8, 900), (3, 1, 3, 1));
        assert_eq!(place(7, 2), (2, 3, 2, 3));
        assert_eq!(page.bounds(0), (0, 2));
    }
}
