//! Texts that came from a person, and places in them.

/// Which text of a [`Sources`]; texts are numbered in the order in which they were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

/// A stretch of bytes in one text, `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The stretch `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The smallest stretch that holds both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Does it hold all of the other one?
    pub fn holds(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// One text and the name under which a person knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the person calls it, usually a path.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// All texts of one game: its file, what it extends, the library, the house files.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

impl Sources {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text and gives its number.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.list.push(Source { name: name.into(), text: text.into() });
        FileId((self.list.len() - 1) as u16)
    }

    /// The text with this number.
    pub fn get(&self, file: FileId) -> &Source {
        &self.list[file.0 as usize]
    }

    /// All texts, in the order in which they were added.
    pub fn all(&self) -> &[Source] {
        &self.list
    }

    /// The text with this number, if there is one.
    pub fn opt_get(&self, file: FileId) -> Option<&Source> {
        self.list.get(file.0 as usize)
    }

    /// The words at a place.
    pub fn words(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column (in characters) of a place, both from 1.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let text = &self.get(span.file).text;
        let mut at = (span.start as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}
