//! Examples, made ready to be tried: their conditions become probes, their statements scripts.

use super::{Checker, Place, Scope, errors};
use crate::rules::example::{ExampleCase, Step};
use crate::rules::{ExprKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ExampleKind as X};

impl Checker<'_> {
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

    /// The place of each seat as an example lists them, best first; who is left out shares the last. All share the first: nobody has won.
    fn places(&mut self, listed: &[Vec<ast::Name>]) -> Option<Option<Vec<u8>>> {
        let n = self.rules.n_seats();
        let Some(first) = listed.first() else { return Some(None) };
        if listed.len() == 1 && first.len() == 1 && first.iter().all(|name| name.text == "nobody") {
            return Some(Some(vec![1; n]));
        }
        let mut places = vec![0u8; n];
        let mut before = 0u8;
        let mut known = true;
        for sharing in listed {
            for name in sharing {
                match self.rules.seats.iter().position(|seat| seat.name == name.text) {
                    Some(seat) => places[seat] = before + 1,
                    None => {
                        self.unknown_seat(name);
                        known = false;
                    }
                }
            }
            before = before.saturating_add(sharing.len() as u8);
        }
        places.iter_mut().filter(|place| **place == 0).for_each(|place| *place = before + 1);
        known.then_some(Some(places))
    }

    fn example_line(&mut self, line: &ast::ExampleLine) -> Option<Step> {
        let texts = |texts: &[ast::Text]| texts.iter().map(|text| text.value.clone()).collect::<Vec<_>>();
        Some(match &line.kind {
            X::With(..) => return None,
            X::Position(text) => Step::Position(text.value.clone()),
            X::ToMove(name) => match self.rules.seats.iter().position(|seat| seat.name == name.text) {
                Some(seat) => Step::ToMove(seat as i32),
                None => {
                    self.unknown_seat(name);
                    return None;
                }
            },
            X::Play(list) => Step::Play(texts(list)),
            X::Only(list) => Step::Only(texts(list)),
            X::Legal(list) => Step::Legal(texts(list)),
            X::Illegal(list, because) => {
                Step::Illegal(texts(list), because.as_ref().map(|because| because.value.clone()))
            }
            X::Shows(text) => Step::Shows(text.value.clone()),
            X::Ends(text, places) => {
                let known = self.rules.ends.iter().any(|end| end.name.eq_ignore_ascii_case(&text.value));
                let other = ["resigned", "no turn", "turn limit"].contains(&text.value.as_str());
                if !known && !other && self.place.dead == 0 && !self.ending_ruled_out(&text.value) {
                    let names: Vec<String> = self.rules.ends.iter().map(|end| end.name.to_string()).collect();
                    self.say(errors::no_such_end(&text.value, &names, text.span));
                }
                Step::Ends(text.value.clone(), self.places(places)?)
            }
            X::Expect(e) => {
                let words = self.sources.words(e.span).split_whitespace().collect::<Vec<_>>().join(" ");
                let uses = self.rules.uses;
                let probe = self.apart(Scope::Game, Place { end: true, ..Place::default() }, |me| me.need_bool(e));
                // What an example asks says nothing of how the game goes.
                (self.rules.uses.resigned, self.rules.uses.games) = (uses.resigned, uses.games);
                self.rules.probes.push(probe);
                Step::Expect(self.rules.probes.len() - 1, words)
            }
            X::Moves(counts) => Step::Moves(counts.iter().map(|(n, _)| *n).collect()),
            X::Rematch => Step::Rematch,
            X::Do(statement) => {
                let block = std::slice::from_ref(statement);
                if let ast::StatementKind::Assign(target, ast::AssignOp::Set, value) = &statement.kind
                    && target.owner.is_none()
                    && target.at.is_none()
                    && !self.is_own(&target.name.text)
                {
                    match target.name.text.as_str() {
                        "turns" => return self.number_step(value, "turns", line.span).map(Step::Turns),
                        "games" => return self.number_step(value, "games", line.span).map(Step::Games),
                        "resigned" => return self.resigned_step(value, line.span),
                        _ => {}
                    }
                }
                let place = Place { setup: true, script: true, ..Place::default() };
                let made = self.apart(Scope::Game, place, |me| me.block(|me| me.statements(block)).0);
                self.rules.scripts.push(made);
                Step::Script(self.rules.scripts.len() - 1)
            }
        })
    }

    /// Does the game have a word of its own that is called so?
    fn is_own(&self, word: &str) -> bool {
        self.var_named(word).is_some()
            || self.game.options.iter().any(|option| option.item.name.text == word)
            || self.index.defines.contains_key(word)
    }

    fn number_step(&mut self, value: &ast::Expr, word: &str, span: Span) -> Option<i32> {
        let value = self.need(value, Ty::Int);
        match value.as_const() {
            Some(n) if n >= 0 => Some(n),
            _ => {
                if value.ty != Ty::Unknown {
                    self.say(errors::cannot_assign(word, &format!("give it a number, as \"{word} = 12\""), span));
                }
                None
            }
        }
    }

    fn resigned_step(&mut self, value: &ast::Expr, span: Span) -> Option<Step> {
        let value = self.need(value, Ty::Players);
        match value.kind {
            ExprKind::ConstMask(seats) => Some(Step::Resigned(seats)),
            _ => {
                if value.ty != Ty::Unknown {
                    let last = self.rules.seats.last().map_or("", |seat| seat.name.as_str());
                    let why = format!("name the players, as \"resigned = {{{last}}}\"");
                    self.say(errors::cannot_assign("resigned", &why, span));
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
}
