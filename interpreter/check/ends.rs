//! Ends.

use std::collections::{BTreeMap, BTreeSet};

use super::constant::is_bool;
use super::{Checker, Place, Scope, errors};
use crate::rules::{EndResult, Ending, Expr, Ty};
use crate::syntax::ast::{self, GameResult as R};

impl Checker<'_> {
    /// Reads the lines of `end`.
    pub(super) fn ends(&mut self, ends: &[ast::Ending]) {
        let mut all: Vec<BTreeSet<String>> = Vec::new();
        // The first end with this condition among its own.
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (i, ending) in ends.iter().enumerate() {
            self.ending(ending);
            let here: BTreeSet<String> = ending.when.iter().map(|(_, when)| self.words_of(when.span)).collect();
            let same = here.iter().filter_map(|words| first.get(words)).min().copied();
            for words in &here {
                first.entry(words.clone()).or_insert(i);
            }
            all.push(here);
            if let Some(same) = same
                && let Some(before) = ends.get(same)
                && ending.span.file == self.game.file
                && all[i].iter().all(|words| all[same].contains(words) && !words.ends_with('…'))
            {
                let line = |span| self.sources.line_column(span).0;
                self.say(errors::never_reached(line(ending.span), line(before.span), ending.span, before.span));
            }
        }
    }

    fn ending(&mut self, ending: &ast::Ending) {
        let place = Place { end: true, ..Place::default() };
        let (result, whens) = self.apart(Scope::Game, place, |me| {
            let result = me.end_result(&ending.result);
            let whens: Vec<_> = ending.when.iter().map(|(name, when)| (name.clone(), me.need_bool(when))).collect();
            (result, whens)
        });
        for ((name, when), (_, said)) in whens.into_iter().zip(&ending.when) {
            if is_bool(&when, false) {
                continue;
            }
            // What options rule out is gone; the condition is still the one that is written.
            let when = Expr { span: said.span, ..when };
            let name = name
                .as_ref()
                .or(ending.name.as_ref())
                .map_or_else(|| self.words_of(said.span), |name| name.text.clone());
            let end = Ending {
                name: name.into(),
                docs: ending.docs.clone(),
                result: result.clone(),
                when,
                span: ending.span,
            };
            self.rules.ends.push(end);
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
}
