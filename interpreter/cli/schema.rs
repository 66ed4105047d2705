//! `lusory schema`: a JSON Schema for a game's house files.

use super::args::HouseArgs;
use super::console::Console;
use super::failure::Failure;
use super::game;
use crate::diagnostics::has_errors;
use crate::house;
use crate::pipeline;

/// Writes it.
pub fn run(args: &HouseArgs, console: &Console) -> Result<(), Failure> {
    let found = game::find(&args.game)?;
    let library = game::library(args.library.as_deref())?;
    let loaded = pipeline::load(found.source, found.games.as_ref(), library.as_ref());
    if has_errors(&loaded.found) {
        return Err(console.refuse(&loaded.found, &loaded.sources));
    }
    let game = &loaded.game;
    let players = game.players.iter().flat_map(|(players, _)| players);
    let seats: Vec<String> = players.map(|player| player.name.text.clone()).collect();
    let schema = house::schema(&found.stem, &game.title, &game.docs, &seats, &loaded.declared);
    console.data(format!("{schema:#}"))
}
