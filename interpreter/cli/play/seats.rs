//! Who plays which seat.

use crate::cli::failure::Failure;
use crate::rules::Rules;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Whoever types.
    Human,
    /// Chance, every legal move alike.
    Random,
}

impl Who {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Who::Human => "you",
            Who::Random => "chance",
        }
    }
}

/// Who plays each seat. Of those that nobody speaks of, the first is for whoever types, unless he has one already; chance has the others.
pub fn seats(said: &[String], rules: &Rules) -> Result<Vec<Who>, Failure> {
    let mut who: Vec<Option<Who>> = vec![None; rules.n_seats()];
    for text in said {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(seat) = rules.seats.iter().position(|seat| seat.name.eq_ignore_ascii_case(name.trim())) else {
            let names: Vec<&str> = rules.seats.iter().map(|seat| seat.name.as_str()).collect();
            return Err(Failure::Usage(format!("there is no seat \"{name}\"; the seats are {}", names.join(", "))));
        };
        who[seat] = Some(match value.trim() {
            "human" => Who::Human,
            "random" => Who::Random,
            _ => return Err(Failure::Usage(format!("--seat {text}: write {name}=human or {name}=random"))),
        });
    }
    if !who.contains(&Some(Who::Human))
        && let Some(free) = who.iter_mut().find(|who| who.is_none())
    {
        *free = Some(Who::Human);
    }
    Ok(who.into_iter().map(|who| who.unwrap_or(Who::Random)).collect())
}
