//! `lusory why`: which rule forbids a move, or which end has come.

use super::args::WhyArgs;
use super::console::Console;
use super::failure::Failure;
use super::{game, start, words};
use crate::play::Status;
use crate::play::speaker::meant;

/// Says it.
pub fn run(args: &WhyArgs, console: &Console) -> Result<(), Failure> {
    let mut game = game::load(&args.game.game, &args.game.rules, console)?;
    let opened = start::open(&mut game, &args.from, console)?;
    let rules = opened.evaluators.rules();
    let mut speaker = opened.evaluators.speaker(&opened.start).map_err(|trouble| game.trouble(trouble))?;
    // A move may be written so; a throw is not, and there may be too many to list them.
    let is_move = args.typed == "over" && matches!(speaker.status(), Status::ToMove(_)) && {
        let texts = speaker.texts().map_err(|trouble| game.trouble(trouble))?;
        meant(&args.typed, texts.iter().map(|(_, text)| text.as_str())).is_some()
    };
    if args.typed == "over" && !is_move {
        return console.data(words::over(&game.loaded.sources, rules, speaker.as_ref()));
    }
    match speaker.understand(&args.typed) {
        Ok(chosen) => console.data(words::playable(&args.typed, speaker.text_of(&chosen).ok().as_deref())),
        Err(refusal) => console.data(words::refusal(&game.loaded.sources, &args.typed, &refusal)),
    }
}
