//! YAML as a tree with places, and nothing that YAML could do beyond data.
//!
//! No aliases, no merge keys, no tags, one document, little depth. What is refused is refused with its place.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_yaml::{Error, Location, Spanned, budget::BudgetBreach};

use crate::source::{FileId, Span};

/// Containers in containers; a house file has two.
const DEEPEST: usize = 8;

/// A value and where it begins and ends.
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where it stands. For a list or a mapping, at least where it begins.
    pub span: Span,
}

/// What YAML can say.
pub enum Value {
    /// Nothing, or `~`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that fits.
    Int(i64),
    /// Another number.
    Number,
    /// A word or a text.
    Text(String),
    /// A list; what is in it does not matter, for a house file has none.
    List,
    /// `key: value` pairs as written, a key perhaps twice.
    Map(Vec<(Key, Node)>),
}

/// The key of a pair.
pub struct Key {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Why a text could not be read.
pub enum Fault {
    /// It is not YAML; in the reader's words.
    Syntax(String, Span),
    /// A second document begins.
    Documents(Span),
    /// `&`, `*` or `<<`.
    Alias(Span),
    /// `!` and a word.
    Tag(Span),
    /// A key that is no word.
    Key(Span),
    /// Containers in containers in containers.
    Deep(Span),
}

/// Reads one document.
pub fn read(file: FileId, text: &str) -> Result<Node, Fault> {
    let place = Places { file, text };
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_documents: 2,
            max_depth: DEEPEST,
            flow_nesting_limit: DEEPEST,
            max_aliases: 0,
            max_anchors: 0,
            max_merge_keys: 0,
        },
        emit_comments: false,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::Error,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    };
    match serde_yaml::from_str_with_options::<Spanned<Raw>>(text, options) {
        Ok(raw) => Ok(place.node(raw)),
        Err(error) => Err(place.fault(&error)),
    }
}

/// Turns the reader's places into ours.
struct Places<'t> {
    file: FileId,
    text: &'t str,
}

impl Places<'_> {
    fn span(&self, location: Location) -> Span {
        let span = location.span();
        let (start, len) = match (span.byte_offset(), span.byte_len()) {
            (Some(start), Some(len)) => (start as usize, len as usize),
            _ => (self.offset(location), 0),
        };
        let start = self.text.floor_char_boundary(start.min(self.text.len()));
        let end = self.text.floor_char_boundary(start.saturating_add(len).min(self.text.len()));
        let words = self.text[start..end].trim_end();
        Span::new(self.file, start, start + words.len())
    }

    /// The byte at a line and a column, for places that come without one.
    fn offset(&self, location: Location) -> usize {
        let line = (location.line() as usize).saturating_sub(1);
        let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
        let column = (location.column() as usize).saturating_sub(1);
        self.text[start..].char_indices().nth(column).map_or(self.text.len(), |(at, _)| start + at)
    }

    fn node(&self, raw: Spanned<Raw>) -> Node {
        let span = self.span(raw.referenced);
        let value = match raw.value {
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Int(value) => Value::Int(value),
            Raw::Number => Value::Number,
            Raw::Text(value) => Value::Text(value),
            Raw::List => Value::List,
            Raw::Map(pairs) => Value::Map(
                pairs
                    .into_iter()
                    .map(|(key, value)| (Key { span: self.span(key.referenced), text: key.value }, self.node(value)))
                    .collect(),
            ),
        };
        Node { value, span }
    }

    fn fault(&self, error: &Error) -> Fault {
        let error = error.without_snippet();
        let at = error.location().map_or(Span::new(self.file, 0, 0), |location| self.span(location));
        let span = self.widened(at);
        let marked = self.marked(span);
        match error {
            Error::MultipleDocuments { .. } => Fault::Documents(span),
            Error::MergeKeyNotAllowed { .. } | Error::UnknownAnchor { .. } | Error::AliasError { .. } => {
                Fault::Alias(marked)
            }
            Error::UnsupportedTag { .. } => Fault::Tag(marked),
            Error::Unexpected { .. } | Error::NullIntoString { .. } => Fault::Key(span),
            Error::Budget { breach: BudgetBreach::Anchors { .. } | BudgetBreach::Aliases { .. }, .. } => {
                Fault::Alias(marked)
            }
            Error::Budget { breach: BudgetBreach::Documents { .. }, .. } => Fault::Documents(span),
            Error::Budget { .. } => Fault::Deep(span),
            other => {
                let words = other.to_string();
                let words = words.rsplit_once(" at line ").map_or(words.as_str(), |(words, _)| words);
                match words.contains("recursion limit") {
                    true => Fault::Deep(span),
                    false => Fault::Syntax(words.to_string(), span),
                }
            }
        }
    }

    /// The `&name`, `*name` or `!name` that a place is about; the reader names what stands behind some of them.
    fn marked(&self, span: Span) -> Span {
        let start = span.start as usize;
        let is_mark = |word: &str| word.starts_with(['&', '*', '!']);
        let blank = |sign: char| sign.is_whitespace() || matches!(sign, ',' | '{' | '}' | '[' | ']');
        let here = self.text[start..].split(blank).next().unwrap_or("");
        if is_mark(here) {
            return Span::new(self.file, start, start + here.len());
        }
        let before = self.text[..start].trim_end();
        match before.rsplit(blank).next().filter(|word| is_mark(word)) {
            Some(word) => Span::new(self.file, before.len() - word.len(), before.len()),
            None => span,
        }
    }

    /// A place without extent takes in the sign that stands there.
    fn widened(&self, span: Span) -> Span {
        if span.start < span.end {
            return span;
        }
        let start = span.start as usize;
        let sign = self.text[start..].chars().next().filter(|sign| !sign.is_control());
        Span::new(self.file, start, start + sign.map_or(0, char::len_utf8))
    }
}

/// A value before its places are ours.
enum Raw {
    Null,
    Bool(bool),
    Int(i64),
    Number,
    Text(String),
    List,
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Raw;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(i64::try_from(value).map_or(Raw::Number, Raw::Int))
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_string()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Raw, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Raw::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Raw::Map(pairs))
    }
}
