//! Every game that the program carries is read without a word of complaint.

use crate::diagnostics::render::{Style, render_all};
use crate::library::{Bundled, Embedded, Games};
use crate::pipeline;

#[test]
fn every_bundled_game_is_clean() {
    let mut complaints = String::new();
    for name in Bundled.names() {
        let source = Bundled.read(&name).unwrap();
        let loaded = pipeline::load(source, &Bundled, &Embedded);
        let found = match loaded.ready(&[]) {
            Ok(ready) => ready.found,
            Err(found) => found,
        };
        if !found.is_empty() {
            complaints.push_str(&format!("=== {name}\n{}", render_all(&found, &loaded.sources, Style::default())));
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}
