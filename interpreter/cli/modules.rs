//! Checks a file of the library by itself.
//!
//! What is defined in a library is looked at when a game uses it; here everything is to be looked at. So the file is read as if it were
//! a game that plays nothing: its head is exchanged, and what it `needs` is defined somehow.

use crate::diagnostics::{Diagnostics, has_errors};
use crate::library::{Games, Library};
use crate::pipeline;
use crate::source::{FileId, Source, Sources};
use crate::syntax::{self, ast};

/// The game that plays nothing; no library has words like these.
const BASE: &str = "base_of_a_library";
const BASE_TEXT: &str = "\
game \"Library\"
players White_seat, Black_seat
board square 8
piece any_piece \"WB\"
remember any_table per site
turn { choose any_site in empty   place any_piece at any_site   any_table at any_site = 1 }
end { opponent loses when stuck or some any_table }
";

/// All that is wrong with the module `stem`.
pub fn check(stem: &str, source: Source, library: &dyn Library) -> (Diagnostics, Sources) {
    let mut sources = Sources::new();
    let file = sources.add(&source.name, &source.text);
    let (tree, found) = syntax::parse(file, &source.text);
    let ast::FileHead::Library { title } = &tree.head else {
        return (found, sources);
    };
    if has_errors(&found) {
        return (found, sources);
    }
    let mut base = BASE_TEXT.to_string();
    let mut bytes = source.text.clone().into_bytes();
    for item in &tree.items {
        if let ast::ItemKind::Needs(needs) = &item.kind {
            base += &stand_in(needs, &sources);
            for byte in &mut bytes[item.span.start as usize..item.span.end as usize] {
                *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            }
        }
    }
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    let title_end = title.span.end as usize;
    let start = text[..title.span.start as usize].rfind("library").unwrap_or(0);
    let name = source.text[title.span.start as usize..title_end].to_string();
    text.replace_range(start..title_end, &format!("game {name} extends {BASE}"));
    let source = Source { name: source.name, text };
    let loaded = pipeline::load(source, &Base(base), &Without(stem, library));
    let mut found = match loaded.ready(&[]) {
        Ok(ready) => ready.found,
        Err(found) => found,
    };
    found.retain(|diag| diag.place.span.file == FileId(0));
    (found, loaded.sources)
}

/// A definition of the name and type that a library needs.
fn stand_in(needs: &ast::Needs, sources: &Sources) -> String {
    let param = |param: &ast::Param| match &param.ty {
        Some(ty) => format!("{}: {}", param.name.text, sources.words(ty.span)),
        None => param.name.text.clone(),
    };
    let params: Vec<String> = needs.head.params.iter().map(param).collect();
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    let value = match sources.words(needs.ty.span) {
        "int" => "0",
        "bool" => "on",
        "site" => "the empty",
        "dir" => "north",
        "dirs" => "any",
        "player" => "mover",
        "players" => "others",
        "kind" => "the kinds",
        "kinds" => "kinds",
        _ => "board",
    };
    format!("define {}{params} = {value}\n", needs.head.name.text)
}

/// The game that plays nothing.
struct Base(String);

impl Games for Base {
    fn read(&self, name: &str) -> Option<Source> {
        (name == BASE).then(|| Source { name: BASE.to_string(), text: self.0.clone() })
    }
}

/// A library without one module.
struct Without<'l>(&'l str, &'l dyn Library);

impl Library for Without<'_> {
    fn read(&self, name: &str) -> Option<Source> {
        if name == self.0 { None } else { self.1.read(name) }
    }

    fn modules(&self) -> Vec<String> {
        self.1.modules().into_iter().filter(|name| name != self.0).collect()
    }
}
