//! `lusory schema`: a JSON Schema for a game's house files.

use super::args::HouseArgs;
use super::console::Console;
use super::failure::Failure;
use super::game;
use crate::house;

/// Writes it.
pub fn run(args: &HouseArgs, console: &Console) -> Result<(), Failure> {
    let (stem, loaded) = game::described(args, console)?;
    let game = &loaded.game;
    let players = game.players.iter().flat_map(|(players, _)| players);
    let seats: Vec<String> = players.map(|player| player.name.text.clone()).collect();
    let schema = house::schema(&stem, &game.title, &game.docs, &seats, &loaded.declared);
    console.data(format!("{schema:#}"))
}
