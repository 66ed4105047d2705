//! What a file of the library needs from the game.

use super::{Checker, errors, unknown};
use crate::rules::{Expr, Ty};
use crate::source::Span;

impl Checker<'_> {
    /// Does the game define what the library needs under this name? If not, that is told where the library's word is used.
    pub(super) fn need_is_met(&mut self, word: &str) -> bool {
        if let Some(&met) = self.needs_met.get(word) {
            self.broken |= !met;
            return met;
        }
        let Some(&at) = self.index.needs.get(word) else { return true };
        let head = &self.library.needs[at].item.head;
        let define = self.index.defines.get(word).map(|&at| &self.game.defines[at].layers[0]);
        let diag = match define {
            None => Some(errors::need_undefined(&self.need_words(word), word, head.name.span)),
            Some(define) => {
                let (n, all) = (head.params.len(), define.head.params.len());
                let least = define.head.params.iter().filter(|param| param.default.is_none()).count();
                let wrong_number = !(least..=all).contains(&n);
                wrong_number.then(|| {
                    errors::need_parameters(
                        &self.need_words(word),
                        word,
                        define.head.params.len(),
                        define.head.name.span,
                    )
                })
            }
        };
        let diag = diag.or_else(|| {
            let define = define?;
            let types: Vec<(Ty, Ty, Span)> = head
                .params
                .iter()
                .zip(&define.head.params)
                .map(|(need, param)| (self.param_type(need), self.param_type(param), param.name.span))
                .collect();
            let (wanted, is, span) = types.into_iter().find(|&(wanted, is, _)| !self.fits(wanted, is))?;
            Some(errors::need_parameter_type(&self.need_words(word), wanted, is, span))
        });
        let met = diag.is_none();
        self.needs_met.insert(word.to_string(), met);
        if let Some(diag) = diag {
            self.say(diag);
        }
        met
    }

    /// What the game's definition gives, as the library needs it.
    pub(super) fn as_needed(&mut self, word: &str, value: Expr) -> Expr {
        let Some(&at) = self.index.needs.get(word) else { return value };
        let needs = &self.library.needs[at].item;
        let wanted = self.type_of(&needs.ty).map_or(Ty::Unknown, |(ty, _)| ty);
        if value.ty == Ty::Unknown || self.fits(value.ty, wanted) {
            return self.coerce(value, wanted);
        }
        let define = self.index.defines.get(word).map(|&at| self.game.defines[at].layers[0].head.name.span);
        let span = value.span;
        self.needs_met.insert(word.to_string(), false);
        self.say(errors::need_result(&self.need_words(word), word, value.ty, define.unwrap_or(span)));
        unknown(span)
    }

    /// Is it a word that the library needs and the game does not define?
    pub(super) fn is_unmet_need(&self, word: &str) -> bool {
        self.scope == super::Scope::Library && self.index.needs.contains_key(word)
    }

    /// `Library "attack" needs "attacks(from): sites"`
    fn need_words(&self, word: &str) -> String {
        let Some(needs) = self.index.needs.get(word).map(|&at| &self.library.needs[at]) else { return String::new() };
        let file = self.sources.opt_get(needs.span.file).map_or("", |source| source.name.as_str());
        let stem = file.rsplit(['/', '\\']).next().unwrap_or(file).trim_end_matches(".lus");
        let head = self.words_of(needs.span);
        let head = head.strip_prefix("needs").map_or(head.as_str(), str::trim);
        format!("Library \"{stem}\" needs \"{head}\"")
    }
}
