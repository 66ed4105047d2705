//! Applies a table's house rules to a checked game, by setting the options that the game itself declares.
//!
//! `file.rs` reads a house file or a `--set`, without knowing any game; `yaml.rs` is the only place that knows the YAML
//! reader. `apply.rs` holds the settings against the options as declared. `describe.rs` writes the house file that says
//! what is so anyway, `schema.rs` describes such files to editors. Nothing here opens files.

pub mod apply;
pub mod describe;
pub mod file;
pub mod schema;

mod yaml;

pub use apply::{Allowed, Chosen, Declared, Origin, RESERVED, apply, choices};
pub use describe::describe;
pub use file::{HouseFile, MOST_BYTES, Setting, SettingValue, read, read_set};
pub use schema::schema;
