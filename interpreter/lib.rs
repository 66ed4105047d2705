//! Lusory turns the rules of a board game, written as a file, into a game that can be played; this page is the map.
//!
//! | stage | where | takes | gives |
//! |---|---|---|---|
//! | read | [`library`] | a name or a path | a text |
//! | parse | [`syntax`] | a text | a syntax tree |
//! | assemble | [`assemble`] | trees | one game |
//! | house | [`house`] | declared options, house files | a value for every option |
//! | check | [`check`] | game, values | [`rules::Rules`] |
//! | play | [`reference`](mod@reference), [`fast`] | rules | positions, moves, outcomes |
//!
//! [`pipeline`] is this table as code; [`play`] tells the course of a game. `interpreter/README.md` says what each folder is for and where a new
//! construct goes. In another program:
//!
//! ```rust
//! use lusory::diagnostics::render::{Style, render_all};
//! use lusory::evaluators::Evaluators;
//! use lusory::library::{Bundled, Embedded};
//! use lusory::pipeline;
//! use lusory::play::{Start, Status, diagram};
//! use lusory::source::Source;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let text = r#"
//!         game "Three in a Row"
//!         players Cross, Nought
//!         board square 3
//!         piece mark "XO"
//!         turn { choose spot in empty   place mark at spot }
//!         end {
//!           row:  mover wins when line(3, mine)
//!           full: draw when no empty
//!         }
//!     "#;
//!     // `Bundled` holds the games that may be extended, `Embedded` the library; folders can lie over both.
//!     let source = Source { name: "row.lus".to_string(), text: text.to_string() };
//!     let loaded = pipeline::load(source, &Bundled, &Embedded);
//!     let ready = loaded.ready(&[]).map_err(|found| render_all(&found, &loaded.sources, Style::default()))?;
//!
//!     // A game that understands typed moves. `table` gives one of the fast evaluator, which knows moves as numbers only.
//!     let evaluators = Evaluators::new(ready.rules);
//!     let mut game = evaluators.speaker(&Start::beginning())?;
//!     assert_eq!(game.texts()?.len(), 9);
//!     for typed in ["b2", "a1", "b1", "c1", "b3"] {
//!         let chosen = game.find(typed)?;
//!         game.play(&chosen)?;
//!     }
//!     let board = diagram::draw(evaluators.rules(), &game.snapshot());
//!     assert!(board.starts_with("3  . X .\n2  . X .\n1  O X O\n"));
//!     assert!(matches!(game.status(), Status::Over(outcome) if &*outcome.reason == "row"));
//!     Ok(())
//! }
//! ```
#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test may fail loudly"))]

pub mod assemble;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod diagnostics;
pub mod evaluators;
pub mod explain;
pub mod fast;
pub mod house;
mod kept;
pub mod library;
pub mod limits;
pub mod lint;
pub mod pipeline;
pub mod play;
pub mod reference;
pub mod rules;
pub mod sight;
pub mod source;
pub mod speed;
pub mod syntax;
pub mod trial;

#[path = "../rulesets/bundled.rs"]
mod bundled;
