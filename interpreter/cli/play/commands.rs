//! What can be typed besides moves.

use std::path::Path;

use super::super::failure::Failure;
use super::super::{saved, words};
use super::{Next, Playing};
use crate::play::record::By;
use crate::play::speaker::{meant, squeezed};
use crate::play::{Status, Trouble};

const HELP: &str = "\
a move          as the game writes it; blanks and letters' case do not matter
moves [BEGIN]   all moves, or those that begin so
why MOVE        which rule forbids it
why over        which end has come
show            the board
undo            take your last move back
save FILE       write the game down; \"lusory replay FILE\" plays it again
resign          give up
quit            stop";

const HELP_NEXT: &str = "next            when a game is over: the next one of the series";

impl Playing<'_> {
    /// Does what a command says; none if the line is no command, or is a move that looks like one.
    pub fn command(&mut self, line: &str) -> Result<Option<Next>, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let known = ["help", "?", "moves", "why", "show", "undo", "save", "quit", "exit"];
        let next = word == "next" && self.more;
        if !(known.contains(&word) || next) || self.is_move(line)? {
            return Ok(None);
        }
        match word {
            "help" | "?" => {
                self.console.data(HELP)?;
                if self.more {
                    self.console.data(HELP_NEXT)?;
                }
            }
            "moves" => self.moves(rest)?,
            "why" => self.why(rest)?,
            "show" => {
                self.drawn = false;
                if let Status::Over(_) | Status::ToMove(_) = self.session.status() {
                    return Ok(Some(Next::On));
                }
            }
            "undo" => self.undo()?,
            "save" => self.save(rest)?,
            "next" => return self.next_game().map(Some),
            _ => return Ok(Some(Next::Stop)),
        }
        Ok(Some(Next::On))
    }

    /// The next game of a series, if this one is over.
    fn next_game(&mut self) -> Result<Next, Failure> {
        if let Status::Over(_) = self.session.status() {
            return Ok(Next::Game);
        }
        self.console.talk("This game is not over; \"resign\" ends it.");
        Ok(Next::On)
    }

    fn is_move(&mut self, line: &str) -> Result<bool, Failure> {
        let texts = self.session.texts().map_err(|trouble| self.trouble(trouble))?;
        Ok(meant(line, texts.iter().map(|(_, text)| text.as_str())).is_some())
    }

    fn moves(&mut self, begin: &str) -> Result<(), Failure> {
        let texts = self.session.texts().map_err(|trouble| self.trouble(trouble))?;
        let begin = squeezed(begin);
        let mut texts: Vec<String> =
            texts.into_iter().map(|(_, text)| text).filter(|text| squeezed(text).starts_with(&begin)).collect();
        texts.sort();
        if texts.is_empty() {
            self.console.talk("There are none.");
            return Ok(());
        }
        self.console.data(words::flow(&texts))
    }

    fn why(&mut self, typed: &str) -> Result<(), Failure> {
        if typed.is_empty() {
            self.console.talk("Say which move: why MOVE.");
            return Ok(());
        }
        if typed == "over" && !self.is_move(typed)? {
            let said = words::over(&self.game.loaded.sources, self.rules, self.session.game());
            return self.console.data(said);
        }
        match self.session.game().understand(typed) {
            Ok(chosen) => {
                let text = self.session.game().text_of(&chosen).ok();
                self.console.data(words::playable(typed, text.as_deref()))
            }
            Err(refusal) => self.console.data(words::refusal(&self.game.loaded.sources, typed, &refusal)),
        }
    }

    /// Back to the last decision of somebody who types.
    fn undo(&mut self) -> Result<(), Failure> {
        let typed = |by: By| matches!(by, By::Seat(seat) if self.who_plays(seat) == super::Who::Human);
        let Some(keep) = self.session.entries().iter().rposition(|entry| typed(entry.by)) else {
            self.console.talk("There is nothing to take back.");
            return Ok(());
        };
        let back = self.session.back_to(keep).map_err(|trouble: Trouble| self.trouble(trouble))?;
        self.drawn = false;
        let texts: Vec<String> = back.iter().map(|entry| self.told(entry)).collect();
        self.console.data(format!("taken back: {}", texts.join(", ")))
    }

    fn save(&mut self, file: &str) -> Result<(), Failure> {
        if file.is_empty() {
            self.console.talk("Say where to: save FILE.");
            return Ok(());
        }
        match saved::write(Path::new(file), &self.game.name, &self.session.record()) {
            Ok(()) => self.console.talk(format!("Saved: {file}")),
            Err(said) => self.console.talk(said),
        }
        Ok(())
    }
}
