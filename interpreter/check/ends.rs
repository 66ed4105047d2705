//! Programs, ends, properties and examples.

use super::constant::is_bool;
use super::{Checker, Place, Scope, errors};
use crate::rules::example::{ExampleCase, Step};
use crate::rules::{Block, EndResult, Ending, NotationPart, Property, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExampleKind as X, GameResult as R};

impl Checker<'_> {
    /// Reads the programs of the game.
    pub(super) fn programs(&mut self) {
        let game = self.game;
        if let Some(setup) = &game.setup {
            let place = Place { setup: true, ..Place::default() };
            self.rules.setup = self.program(setup.layers.iter().collect(), place);
        }
        match &game.turn {
            Some(turn) => {
                self.rules.by_outcome = turn.layers[0].by_outcome;
                self.rules.turn = self.program(turn.layers.iter().map(|turn| &turn.body).collect(), Place::default());
            }
            None => self.say(errors::part_missing(
                "turn",
                "turn { choose spot in empty   place stone at spot }",
                game.title_span,
            )),
        }
        if let Some(after) = &game.after {
            let place = Place { after: true, ..Place::default() };
            self.rules.after = self.program(after.layers.iter().collect(), place);
        }
        match &game.ends {
            Some(ends) => {
                for ending in ends {
                    self.ending(ending);
                }
            }
            None => self.say(errors::part_missing("end", "end { opponent loses when stuck }", game.title_span)),
        }
        if let Some(view) = &game.view {
            self.say(errors::not_yet("hidden information (\"view\")", view.span));
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
                self.say(errors::notation_name(&name.text, name.span));
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

    fn program(&mut self, layers: Vec<&ast::Block>, place: Place) -> Block {
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
        let mut rest: Vec<&ast::Block> = blocks.iter().skip(1).copied().collect();
        rest.reverse();
        self.base_turns = rest;
        let first = blocks.first().copied();
        let made = self.apart(Scope::Game, place, |me| first.map(|block| me.inner(block).0));
        self.base_turns = Vec::new();
        made.unwrap_or_default()
    }

    fn ending(&mut self, ending: &ast::Ending) {
        let place = Place { end: true, ..Place::default() };
        let (result, whens) = self.apart(Scope::Game, place, |me| {
            let result = me.end_result(&ending.result);
            let whens: Vec<_> = ending.when.iter().map(|(name, when)| (name.clone(), me.need_bool(when))).collect();
            (result, whens)
        });
        let text = self.result_text(&ending.result);
        for (name, when) in whens {
            if is_bool(&when, false) {
                continue;
            }
            let name = name.as_ref().or(ending.name.as_ref()).map_or_else(|| text.clone(), |name| name.text.clone());
            let end = Ending { name, docs: ending.docs.clone(), result: result.clone(), when, span: ending.span };
            self.rules.ends.push(end);
        }
    }

    fn result_text(&self, result: &ast::GameResult) -> String {
        match result {
            R::Draw => "draw".to_string(),
            R::Unfinished => "unfinished".to_string(),
            R::Rank(_) => "rank".to_string(),
            R::Wins(who, _) => format!("{} wins", self.words_of(who.span)),
            R::Loses(who) => format!("{} loses", self.words_of(who.span)),
        }
    }

    fn end_result(&mut self, result: &ast::GameResult) -> EndResult {
        match result {
            R::Draw => EndResult::Draw,
            R::Unfinished => EndResult::Unfinished,
            R::Rank(keys) => EndResult::Rank(
                keys.iter()
                    .map(|key| {
                        let value = self.expr(key, Some(Ty::Int));
                        if value.ty == Ty::Bool { value } else { self.coerce(value, Ty::Int) }
                    })
                    .collect(),
            ),
            R::Wins(who, by) => {
                let who = self.need(who, Ty::Players);
                let by = by.as_ref().map(|by| self.need(by, Ty::Int));
                EndResult::Wins(who, by)
            }
            R::Loses(who) => EndResult::Loses(self.need(who, Ty::Players)),
        }
    }

    /// Makes an example ready: its expressions become probes, its statements scripts.
    pub(super) fn example(&mut self, example: &ast::Example) -> ExampleCase {
        let mut steps = Vec::new();
        for line in &example.lines {
            if let Some(step) = self.example_line(line) {
                steps.push((step, line.span));
            }
        }
        ExampleCase { title: example.title.value.clone(), steps }
    }

    fn example_line(&mut self, line: &ast::ExampleLine) -> Option<Step> {
        let texts = |texts: &[ast::Text]| texts.iter().map(|text| text.value.clone()).collect::<Vec<_>>();
        Some(match &line.kind {
            X::With(..) => return None,
            X::Position(text) => Step::Position(text.value.clone()),
            X::ToMove(name) => match self.rules.seats.iter().position(|seat| seat.name == name.text) {
                Some(seat) => Step::ToMove(seat as i32),
                None => {
                    self.unknown_word(name);
                    return None;
                }
            },
            X::Play(list) => Step::Play(texts(list)),
            X::Only(list) => Step::Only(texts(list)),
            X::Legal(list) => Step::Legal(texts(list)),
            X::Illegal(text, because) => {
                Step::Illegal(text.value.clone(), because.as_ref().map(|because| because.value.clone()))
            }
            X::Shows(text) => Step::Shows(text.value.clone()),
            X::Ends(text) => {
                let known = self.rules.ends.iter().any(|end| end.name.eq_ignore_ascii_case(&text.value));
                let other = ["resigned", "no turn", "turn limit"].contains(&text.value.as_str());
                if !known && !other && self.place.dead == 0 && !self.ending_ruled_out(&text.value) {
                    let names: Vec<String> = self.rules.ends.iter().map(|end| end.name.clone()).collect();
                    self.say(errors::no_such_end(&text.value, &names, text.span));
                }
                Step::Ends(text.value.clone())
            }
            X::Expect(e) => {
                let words = self.words_of(e.span);
                let probe = self.apart(Scope::Game, Place { end: true, ..Place::default() }, |me| me.need_bool(e));
                self.rules.probes.push(probe);
                Step::Expect(self.rules.probes.len() - 1, words)
            }
            X::Moves(counts) => Step::Moves(counts.iter().map(|(n, _)| *n).collect()),
            X::Do(statement) => {
                let block = std::slice::from_ref(statement);
                if let ast::StatementKind::Assign(target, ast::AssignOp::Set, value) = &statement.kind
                    && target.name.text == "turns"
                    && target.owner.is_none()
                {
                    return self.turns_step(value, line.span);
                }
                let place = Place { setup: true, ..Place::default() };
                let made = self.apart(Scope::Game, place, |me| me.block(|me| me.statements(block)).0);
                self.rules.scripts.push(made);
                Step::Script(self.rules.scripts.len() - 1)
            }
        })
    }

    fn turns_step(&mut self, value: &ast::Expr, span: Span) -> Option<Step> {
        let value = self.need(value, Ty::Int);
        match value.as_const() {
            Some(n) if n >= 0 => Some(Step::Turns(n)),
            _ => {
                if value.ty != Ty::Unknown {
                    self.say(errors::cannot_assign("turns", "give it a number, as \"turns = 12\"", span));
                }
                None
            }
        }
    }

    /// Does the game have an end of this name that the present options rule out?
    fn ending_ruled_out(&self, name: &str) -> bool {
        let ends = self.game.ends.iter().flatten();
        ends.flat_map(|end| end.when.iter().map(|(inner, _)| inner.as_ref().or(end.name.as_ref())))
            .flatten()
            .any(|end| end.text == name)
    }

    /// The straight rows of `n` cells, made when first asked for.
    pub(super) fn rows_of(&mut self, n: i32) -> usize {
        let rows = if n > 0 { self.straight_rows(n) } else { Vec::new() };
        match self.rules.lines.iter().position(|old| *old == rows) {
            Some(index) => index,
            None => {
                self.rules.lines.push(rows);
                self.rules.lines.len() - 1
            }
        }
    }

    fn straight_rows(&self, n: i32) -> Vec<crate::rules::SiteSet> {
        let board = &self.rules.board;
        let mut rows = Vec::new();
        for site in 0..board.n_cells as i32 {
            for dir in 0..4 {
                let row: Vec<i32> = (0..n).map(|i| board.walk(site, dir, i)).collect();
                if row.iter().all(|&cell| cell >= 0) {
                    rows.push(crate::rules::SiteSet::of(board.sites.len(), row));
                    if n == 1 {
                        break;
                    }
                }
            }
        }
        rows
    }

    /// Warnings for what is never used.
    pub(super) fn unused(&mut self) {
        let game = self.game;
        for (i, option) in self.declared.iter().enumerate() {
            if !self.used_options[i] && option.span.file == game.file {
                self.found.push(errors::option_unused(&option.name, option.span));
            }
        }
        for (i, var) in self.rules.vars.iter().enumerate() {
            if !self.read_vars[i] && var.span.file == game.file {
                self.found.push(errors::never_read(&var.name, var.span));
            }
        }
    }
}
