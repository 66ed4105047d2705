//! A game on both evaluators at once, followed move by move.

use std::collections::BTreeMap;

use super::one_of;
use crate::evaluators::Evaluators;
use crate::play::examples::Oracle;
use crate::play::{Chance, Move, Start, Status, Table, Trouble, Value};
use crate::reference::watch::Watch;
use crate::rules::Property;

/// A game on both evaluators.
pub struct Course<'e> {
    /// The plain one.
    pub plain: Box<dyn Oracle + 'e>,
    /// The fast one.
    pub fast: Box<dyn Table + 'e>,
    /// What was played, throws too.
    pub plays: Vec<Move>,
    /// Of each property that was asked, by number: the turns that were over then, and its value.
    asked: BTreeMap<usize, (i32, Value)>,
}

impl<'e> Course<'e> {
    /// A game from its beginning; somebody may watch the rules.
    pub fn begin(evaluators: &'e Evaluators, watch: Option<&'e Watch>) -> Result<Course<'e>, Trouble> {
        let start = Start::beginning();
        Ok(Course {
            plain: evaluators.watched(&start, watch)?,
            fast: evaluators.table(&start)?,
            plays: Vec::new(),
            asked: BTreeMap::new(),
        })
    }

    /// A copy that goes its own way.
    pub fn split(&self) -> Course<'_> {
        let (plain, fast) = (self.plain.split(), self.fast.fork());
        Course { plain, fast, plays: self.plays.clone(), asked: self.asked.clone() }
    }

    /// Plays on both.
    pub fn play(&mut self, chosen: &Move) -> Result<(), Trouble> {
        self.plain.play(chosen)?;
        self.fast.play(chosen)?;
        self.plays.push(chosen.clone());
        Ok(())
    }

    /// A legal move, every one alike, or what chance brings; none if the game is over.
    pub fn any(&mut self, chance: &mut Chance) -> Result<Option<Move>, Trouble> {
        match self.plain.status() {
            // What the rules throw again is seen by whoever watches.
            Status::Chance => self.plain.draw(&mut |n| chance.below(n)).map(Some),
            _ => any(self.fast.as_mut(), chance),
        }
    }

    /// The value of a property now and when it was asked last; none between two ends of turns.
    pub fn ask(&mut self, number: usize, property: &Property) -> Result<Option<(Option<Value>, Value)>, Trouble> {
        let turns = self.plain.snapshot().turns;
        let fresh = self.asked.get(&number).is_none_or(|(asked, _)| *asked != turns);
        if !fresh || self.plain.status() == Status::Chance {
            return Ok(None);
        }
        let now = self.plain.probe(&property.expr)?;
        let before = self.asked.insert(number, (turns, now.clone()));
        Ok(Some((before.map(|(_, value)| value), now)))
    }
}

/// A legal move, every one alike, or what chance brings; none if the game is over.
pub fn any(game: &mut dyn Table, chance: &mut Chance) -> Result<Option<Move>, Trouble> {
    match game.status() {
        Status::Over(_) => Ok(None),
        Status::Chance => game.draw(&mut |n| chance.below(n)).map(Some),
        Status::ToMove(_) => one_of(game, chance).map(Some),
    }
}
