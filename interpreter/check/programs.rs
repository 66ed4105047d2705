//! The programs of a game as a whole: setup, turn, what follows a turn; then the ends, the notation, the properties; and what is never used.

use std::collections::BTreeSet;

use super::{Checker, Place, Scope, errors};
use crate::rules::{Block, NotationPart, Property, Ty};
use crate::syntax::ast;

impl Checker<'_> {
    /// Reads the programs of the game.
    pub(super) fn programs(&mut self) {
        let game = self.game;
        if let Some(setup) = &game.setup {
            let place = Place { setup: true, ..Place::default() };
            self.rules.setup = self.program("setup", setup.layers.iter().collect(), place);
        }
        match &game.turn {
            Some(turn) => {
                self.rules.by_outcome = turn.layers[0].by_outcome;
                self.rules.turn =
                    self.program("turn", turn.layers.iter().map(|turn| &turn.body).collect(), Place::default());
                self.rolls_without_choice();
            }
            None => self.say(errors::part_missing(
                "turn",
                "turn { choose spot in empty   place stone at spot }",
                game.title_span,
            )),
        }
        if let Some(after) = &game.after {
            let place = Place { after: true, ..Place::default() };
            self.rules.after = self.program("after turn", after.layers.iter().collect(), place);
        }
        match &game.ends {
            Some(ends) => self.ends(ends),
            None => self.say(errors::part_missing("end", "end { opponent loses when stuck }", game.title_span)),
        }
        if let Some(view) = &game.view {
            let place = Place { end: true, ..Place::default() };
            self.rules.view = Some(self.apart(Scope::Game, place, |me| me.need(view, Ty::Sites)));
        }
        self.rules.notation = game.notation.as_ref().map(|parts| {
            parts
                .iter()
                .map(|part| match part {
                    ast::NotationPart::Name(name) => NotationPart::Name(name.text.clone()),
                    ast::NotationPart::Text(text) => NotationPart::Text(text.value.clone()),
                })
                .collect()
        });
        for part in game.notation.iter().flatten() {
            if let ast::NotationPart::Name(name) = part
                && !self.rules.locals.iter().any(|local| local.name == name.text)
            {
                let names: Vec<&str> = self.rules.locals.iter().map(|local| local.name.as_str()).collect();
                let near = crate::diagnostics::nearest::nearest(&name.text, names).map(str::to_string);
                self.say(errors::notation_name(&name.text, near.as_deref(), name.span));
            }
        }
        for property in &game.properties {
            let expr = self.apart(Scope::Game, Place { end: true, ..Place::default() }, |me| {
                let want = if property.claim == ast::Claim::Holds { Ty::Bool } else { Ty::Int };
                me.need(&property.expr, want)
            });
            let (title, span) = (property.title.value.clone(), property.title.span);
            self.rules.properties.push(Property { title, claim: property.claim, expr, span });
        }
    }

    fn program(&mut self, word: &'static str, layers: Vec<&ast::Block>, place: Place) -> Block {
        // The blocks live as long as the game, which outlives the checker.
        let game = self.game;
        let mut blocks: Vec<&ast::Block> = Vec::new();
        for candidate in game
            .setup
            .iter()
            .flat_map(|setup| &setup.layers)
            .chain(game.turn.iter().flat_map(|turn| turn.layers.iter().map(|turn| &turn.body)))
            .chain(game.after.iter().flat_map(|after| &after.layers))
        {
            if layers.iter().any(|layer| std::ptr::eq(*layer, candidate)) {
                blocks.push(candidate);
            }
        }
        self.program = Some((word, blocks.iter().map(|block| block.span).collect()));
        let mut rest: Vec<&ast::Block> = blocks.iter().skip(1).copied().collect();
        rest.reverse();
        self.base_turns = rest;
        let first = blocks.first().copied();
        let made = self.apart(Scope::Game, place, |me| first.map(|block| me.inner(block).0));
        self.base_turns = Vec::new();
        self.program = None;
        made.unwrap_or_default()
    }

    /// What only an example asks about is asked about all the same.
    pub(super) fn read_by_examples(&mut self) {
        let game = self.game;
        let mut words: BTreeSet<&str> = BTreeSet::new();
        for line in game.examples.iter().flat_map(|example| &example.lines) {
            if let ast::ExampleKind::Expect(condition) = &line.kind {
                words.extend(self.sources.words(condition.span).split(|c: char| !c.is_alphanumeric() && c != '_'));
            }
        }
        for (var, read) in self.rules.vars.iter().zip(&mut self.read_vars) {
            *read |= words.contains(var.name.as_str());
        }
    }

    /// Warnings for what is never used.
    pub(super) fn unused(&mut self) {
        let game = self.game;
        for (i, option) in self.declared.iter().enumerate() {
            if !self.used_options[i] && option.span.file == game.file {
                let diag = errors::option_unused(&option.name, option.span);
                self.say(diag);
            }
        }
        for i in 0..self.rules.vars.len() {
            let var = &self.rules.vars[i];
            if !self.read_vars[i] && var.span.file == game.file {
                let diag = errors::never_read(&var.name, var.span);
                self.say(diag);
            }
        }
    }
}
