//! How large and how deep a file may be. All of this is checked before the grammar sees the text, except [`TREE_DEPTH`], which the
//! reader checks while it builds the tree; so every stage that walks the tree may recurse.

/// Bytes in a file.
pub const FILE_BYTES: usize = 1024 * 1024;
/// Characters in a line.
pub const LINE_CHARS: usize = 10_000;
/// Characters in a name.
pub const NAME_CHARS: usize = 64;
/// Bytes in a text or diagram.
pub const TEXT_BYTES: usize = 20_000;
/// Words, numbers, texts and signs in a file.
pub const TOKENS: usize = 100_000;
/// Items in a file.
pub const ITEMS: usize = 5_000;
/// Statements in a file.
pub const STATEMENTS: usize = 20_000;
/// Brackets open at one place.
pub const NESTING: usize = 64;
/// `if`, `spread`, `some`, `no`, `match` begun inside one another without brackets, and `not`, `the`, `-` in a row.
pub const OPEN_WORDS: usize = 64;
/// Levels of the tree of one item: brackets, operators that hold one another, `else if`.
pub const TREE_DEPTH: usize = 256;
/// The greatest number that may be written.
pub const NUMBER: i64 = 2_000_000_000;
/// Errors told of one file; then one more says that there are more.
pub const ERRORS: usize = 50;
/// Bytes that are read again because of errors, all in all; so a large file full of errors does not take long.
pub const REREAD_BYTES: usize = 4 * 1024 * 1024;
