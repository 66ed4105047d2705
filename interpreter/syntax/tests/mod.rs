//! Tests of the whole stage.

mod files;
mod limits;
mod recovery;
mod soup;

use super::ast::File;
use crate::diagnostics::Diagnostics;
use crate::source::FileId;

fn parse(text: &str) -> (File, Diagnostics) {
    super::parse(FileId(0), text)
}

/// The codes of what is found in a text.
fn codes(text: &str) -> Vec<&'static str> {
    parse(text).1.iter().map(|diag| diag.code).collect()
}

/// A tree without its places, to compare what differently laid out texts say.
fn without_places(tree: &impl std::fmt::Debug) -> String {
    let shown = format!("{tree:?}");
    let mut out = String::new();
    let mut rest = shown.as_str();
    while let Some(start) = rest.find("Span {") {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        rest = &rest[rest.find('}').map_or(rest.len(), |end| end + 1)..];
    }
    out + rest
}
