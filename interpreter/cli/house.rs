//! `lusory house`: a house file that says what is so anyway, to be changed by whoever wants it otherwise.

use super::args::HouseArgs;
use super::console::Console;
use super::failure::Failure;
use super::game;

/// Writes it.
pub fn run(args: &HouseArgs, console: &Console) -> Result<(), Failure> {
    let (stem, loaded) = game::described(args, console)?;
    console.data(crate::house::describe(&stem, &loaded.declared).trim_end())
}
