//! Both evaluators of one game side by side: the plain one to talk to and to ask, the fast one to count and to play many games.
//!
//! In go [`Rules`]; out come games that stand at a [`Start`]. This is the only place that knows both.

use std::sync::Arc;

use crate::fast::Engine;
use crate::fast::switches::Switches;
use crate::play::examples::{Oracle, Stage};
use crate::play::sim::PlayoutResult;
use crate::play::{Move, Snapshot, Speaker, Start, Table, Trouble};
use crate::reference::Slow;
use crate::reference::watch::Watch;
use crate::rules::{Block, Rules};

/// The evaluators of a game under one set of options.
pub struct Evaluators {
    rules: Arc<Rules>,
    engine: Engine,
}

impl Evaluators {
    /// Makes both ready.
    pub fn new(rules: Arc<Rules>) -> Evaluators {
        Evaluators::with(rules, Switches::ON)
    }

    /// The same with some optimisations of the fast one.
    pub fn with(rules: Arc<Rules>, switches: Switches) -> Evaluators {
        let engine = Engine::with(rules.clone(), switches);
        Evaluators { rules, engine }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A game to talk to.
    pub fn speaker(&self, start: &Start) -> Result<Box<dyn Speaker + '_>, Trouble> {
        let mut game = self.slow(start, None)?;
        start.go_on(&mut game)?;
        Ok(Box::new(game))
    }

    /// A game of the plain evaluator that can be asked.
    pub fn oracle(&self, start: &Start) -> Result<Box<dyn Oracle + '_>, Trouble> {
        let mut game = self.slow(start, None)?;
        start.go_on(&mut game)?;
        Ok(Box::new(game))
    }

    /// The same, with somebody who may want to know which rules have their say.
    pub fn watched<'r>(&'r self, start: &Start, watch: Option<&'r Watch>) -> Result<Box<dyn Oracle + 'r>, Trouble> {
        let mut game = self.slow(start, watch)?;
        start.go_on(&mut game)?;
        Ok(Box::new(game))
    }

    /// A game of the fast evaluator.
    pub fn table(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        let mut game = self.quick(start)?;
        start.go_on(game.as_mut())?;
        Ok(game)
    }

    /// A game of the plain evaluator, for comparing.
    pub fn slow_table(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        let mut game = self.slow(start, None)?;
        start.go_on(&mut game)?;
        Ok(Box::new(game))
    }

    /// The fast evaluator by itself.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Plays random games of a seed from their beginning, by number.
    pub fn playouts(&self, seed: u64) -> impl FnMut(u64) -> Result<PlayoutResult, Trouble> + '_ {
        let mut player = self.engine.player();
        move |game| {
            let played = player.as_mut().map_err(|trouble| trouble.clone())?.playout(seed, game)?;
            Ok(PlayoutResult {
                outcome: played.outcome.ok_or(Trouble::NotNow)?,
                plies: u32::try_from(played.plies).unwrap_or(u32::MAX),
                turns: played.turns,
                branching: played.branching,
                listed: u32::try_from(played.counted).unwrap_or(u32::MAX),
                sample: None,
            })
        }
    }

    fn slow<'r>(&'r self, start: &Start, watch: Option<&'r Watch>) -> Result<Slow<'r>, Trouble> {
        match (&start.from, &start.after) {
            (Some(position), _) => Slow::from_snapshot(&self.rules, position.clone(), watch),
            (None, before) => Slow::begin(&self.rules, before.as_ref(), watch),
        }
    }

    fn quick(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        Ok(Box::new(match (&start.from, &start.after) {
            (Some(position), _) => self.engine.from_snapshot(position)?,
            (None, Some(before)) => self.engine.start_after(before)?,
            (None, None) => self.engine.start()?,
        }))
    }
}

impl Stage for Evaluators {
    fn plain(&self, start: &Start) -> Result<Box<dyn Oracle + '_>, Trouble> {
        self.oracle(start)
    }

    fn fast(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        self.table(start)
    }

    fn run_script(&self, position: &mut Snapshot, mover: i32, script: &Block) -> Result<(), Trouble> {
        Slow::run_script(&self.rules, position, mover, script)
    }
}

/// Both evaluators for an example, with somebody who may want to know which rules have their say.
pub struct Watched<'e>(pub &'e Evaluators, pub Option<&'e Watch>);

impl Stage for Watched<'_> {
    fn plain(&self, start: &Start) -> Result<Box<dyn Oracle + '_>, Trouble> {
        self.0.watched(start, self.1)
    }

    fn fast(&self, start: &Start) -> Result<Box<dyn Table + '_>, Trouble> {
        self.0.table(start)
    }

    fn run_script(&self, position: &mut Snapshot, mover: i32, script: &Block) -> Result<(), Trouble> {
        self.0.run_script(position, mover, script)
    }
}

/// Plays what people wrote, one text after the other; gives the choices, or which text was refused and why.
pub fn play_texts(
    game: &mut dyn Speaker,
    texts: &[String],
) -> Result<Vec<Option<Move>>, (usize, crate::play::Refusal)> {
    use crate::play::speaker::{is_resigning, meant};
    let mut plays = Vec::new();
    for (i, text) in texts.iter().enumerate() {
        let trouble = |trouble: Trouble| (i, trouble.into());
        if is_resigning(text) {
            let listed = game.texts().map_err(trouble)?;
            if meant(text, listed.iter().map(|(_, text)| text.as_str())).is_none() {
                game.resign().map_err(trouble)?;
                plays.push(None);
                continue;
            }
        }
        let chosen = game.find(text).map_err(|refusal| (i, refusal))?;
        game.play(&chosen).map_err(trouble)?;
        plays.push(Some(chosen));
    }
    Ok(plays)
}
