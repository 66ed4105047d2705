//! `lusory house`: a house file that says what is so anyway, to be changed by whoever wants it otherwise.

use super::args::HouseArgs;
use super::console::Console;
use super::failure::Failure;
use super::game;
use crate::diagnostics::has_errors;
use crate::pipeline;

/// Writes it.
pub fn run(args: &HouseArgs, console: &Console) -> Result<(), Failure> {
    let found = game::find(&args.game)?;
    let library = game::library(args.library.as_deref())?;
    let loaded = pipeline::load(found.source, found.games.as_ref(), library.as_ref());
    if has_errors(&loaded.found) {
        return Err(console.refuse(&loaded.found, &loaded.sources));
    }
    console.data(crate::house::describe(&found.stem, &loaded.declared).trim_end())
}
