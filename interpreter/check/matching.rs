//! `match`: its cases, and whether they are all there.

use super::{Checker, errors, mk, unknown};
use crate::rules::{Expr, ExprKind, NO_LIMIT, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// What the lines of a `match` take, in order.
pub(super) type ScalarRanges = Vec<(i32, i32)>;

/// Something that the arms of a `match` do not name.
pub(super) struct LeftOut {
    pub(super) ty: Ty,
    pub(super) code: i32,
    /// Its name in quotes, or other words for it.
    pub(super) words: String,
}

impl Checker<'_> {
    pub(super) fn match_expr(
        &mut self,
        on: &ast::Expr,
        arms: &[ast::Arm<ast::Expr>],
        span: Span,
        hint: Option<Ty>,
    ) -> Expr {
        let on = self.matched(on);
        let (patterns, newcomers) =
            self.patterns(&on, arms.iter().map(|arm| (&arm.patterns[..], arm.span)).collect(), span);
        let taken = self.taken_arm(&on, &patterns, &newcomers);
        let mut hint = hint;
        let values = self.conditional(|me| {
            let mut values = Vec::new();
            for (i, arm) in arms.iter().enumerate() {
                let out = taken.is_some_and(|taken| taken != i);
                let value = me.ruled_out(out, |me| me.expr(&arm.body, hint));
                if hint.is_none() && value.ty != Ty::Unknown && !super::coerce::is_nothing(&value) {
                    hint = Some(value.ty);
                }
                values.push(value);
            }
            values
        });
        let Some((ty, mut values)) = self.same_type(values, span) else { return unknown(span) };
        if on.ty == Ty::Unknown {
            return unknown(span);
        }
        if let Some(taken) = taken {
            return if taken < values.len() { values.swap_remove(taken) } else { self.none_of(ty, span) };
        }
        let Some(last) = values.pop() else { return unknown(span) };
        let mut arms: Vec<(ScalarRanges, Expr)> = patterns.into_iter().zip(values).collect();
        if !newcomers.is_empty() {
            arms.insert(0, (newcomers, self.none_of(ty, last.span)));
        }
        mk(ExprKind::Match(Box::new(on), arms, Box::new(last)), ty, span)
    }

    /// What a `match` looks at: one thing, no set.
    pub(super) fn matched(&mut self, on: &ast::Expr) -> Expr {
        let value = self.expr(on, None);
        match value.ty {
            Ty::Step | Ty::Track => self.coerce(value, Ty::Int),
            ty if ty.is_scalar() || ty == Ty::Unknown => value,
            ty => {
                let words = self.words_of(on.span);
                self.say(errors::match_of_set(&words, ty, on.span));
                unknown(on.span)
            }
        }
    }

    /// Which arm a constant takes; behind the last of them lies what newcomers take, which is nothing.
    pub(super) fn taken_arm(&self, on: &Expr, patterns: &[ScalarRanges], newcomers: &ScalarRanges) -> Option<usize> {
        let code = on.as_const()?;
        let hit = |ranges: &ScalarRanges| ranges.iter().any(|&(lo, hi)| (lo..=hi).contains(&code));
        if hit(newcomers) {
            return Some(patterns.len());
        }
        Some(patterns.iter().position(hit).unwrap_or(patterns.len().saturating_sub(1)))
    }

    /// Reads the patterns of a `match`, in order; the last arm takes what is left, so it must be `else` or the arms must name everything.
    /// Beside them: what is left out because a file that extends the game has added it, and has a say in it elsewhere.
    pub(super) fn patterns(
        &mut self,
        on: &Expr,
        arms: Vec<(&[ast::Pattern], Span)>,
        span: Span,
    ) -> (Vec<ScalarRanges>, ScalarRanges) {
        let mut newcomers = ScalarRanges::new();
        let mut all = Vec::new();
        let mut has_else = false;
        let n_arms = arms.len();
        for (i, (patterns, at)) in arms.into_iter().enumerate() {
            if patterns.is_empty() {
                has_else = true;
                if i + 1 < n_arms {
                    self.say(errors::else_last(at));
                }
                all.push(Vec::new());
                continue;
            }
            let mut ranges: ScalarRanges = patterns.iter().filter_map(|pattern| self.pattern(on.ty, pattern)).collect();
            // Of arms that name the same the first is taken.
            ranges.retain(|range| range.0 != range.1 || !all.iter().flatten().any(|earlier| earlier == range));
            all.push(ranges);
        }
        if !has_else && on.ty != Ty::Unknown {
            let (added, missing): (Vec<LeftOut>, Vec<LeftOut>) =
                self.left_out(on.ty, &all).into_iter().partition(|left| self.added_later(left, span).is_some());
            if !missing.is_empty() {
                let words: Vec<String> = missing.into_iter().map(|left| left.words).collect();
                self.say(errors::match_leaves_out(&words, span));
            }
            newcomers = added.iter().map(|left| (left.code, left.code)).collect();
            self.newcomers_left_out(added, span);
        }
        (all, newcomers)
    }

    fn pattern(&mut self, ty: Ty, pattern: &ast::Pattern) -> Option<(i32, i32)> {
        let one = |code: i32| Some((code, code));
        match (pattern, ty) {
            (_, Ty::Unknown) => None,
            (ast::Pattern::Numbers(lo, hi, span), Ty::Int) => {
                if lo > hi {
                    self.say(errors::empty_range(super::names::clamp(*lo), super::names::clamp(*hi), *span));
                }
                Some((super::names::clamp(*lo), super::names::clamp(*hi)))
            }
            (ast::Pattern::Bool(value, _), Ty::Bool) => one(i32::from(*value)),
            (ast::Pattern::Bool(value, span), Ty::Word(list)) => {
                let word = if *value { "on" } else { "off" };
                match self.word_in(list, word, *span).and_then(|e| e.as_const()) {
                    Some(code) => one(code),
                    None => {
                        self.say(errors::not_among(word, &self.rules.words[list as usize].words.clone(), *span));
                        None
                    }
                }
            }
            (ast::Pattern::Text(text), Ty::Text) => {
                let code = self.text(&text.value, text.span).as_const()?;
                one(code)
            }
            (ast::Pattern::Word(name), Ty::Int) if name.text == "none" => one(NO_LIMIT),
            (ast::Pattern::Word(name), Ty::Word(list)) => {
                match self.word_in(list, &name.text, name.span).and_then(|e| e.as_const()) {
                    Some(code) => one(code),
                    None => {
                        self.say(errors::not_among(
                            &name.text,
                            &self.rules.words[list as usize].words.clone(),
                            name.span,
                        ));
                        None
                    }
                }
            }
            (ast::Pattern::Word(name), _) => {
                let value = self.name(name, Some(ty));
                if value.ty != Ty::Unknown && !self.fits(value.ty, ty) && value.as_const() != Some(crate::rules::NONE) {
                    self.say(errors::pattern_type(&name.text, Some(value.ty), ty, name.span));
                    return None;
                }
                let value = self.coerce(value, ty);
                match value.as_const() {
                    Some(code) => one(code),
                    None => {
                        if value.ty != Ty::Unknown {
                            self.say(errors::pattern_not_constant(&name.text, name.span));
                        }
                        None
                    }
                }
            }
            (ast::Pattern::Numbers(_, _, span) | ast::Pattern::Bool(_, span), _) => {
                let words = self.words_of(*span);
                let is = if let ast::Pattern::Bool(..) = pattern { Ty::Bool } else { Ty::Int };
                let diag = errors::pattern_type(&words, Some(is), ty, *span);
                self.say(diag);
                None
            }
            (ast::Pattern::Text(text), _) => {
                let diag = errors::pattern_type(&text.value, Some(Ty::Text), ty, text.span);
                self.say(diag);
                None
            }
        }
    }

    /// What the arms of a `match` without `else` leave out, in quotes if they are words.
    fn left_out(&self, ty: Ty, arms: &[ScalarRanges]) -> Vec<LeftOut> {
        let covered = |code: i32| arms.iter().flatten().any(|&(lo, hi)| (lo..=hi).contains(&code));
        let others = |words: &str| vec![LeftOut { ty, code: crate::rules::NONE, words: words.to_string() }];
        let names: Vec<String> = match ty {
            Ty::Bool => vec!["off".to_string(), "on".to_string()],
            Ty::Word(list) => self.rules.words[list as usize].words.clone(),
            Ty::Kind => self.rules.kinds.iter().map(|kind| kind.name.clone()).collect(),
            Ty::Player => self.rules.seats.iter().map(|seat| seat.name.clone()).collect(),
            Ty::Dir => crate::rules::board::DIRECTIONS.iter().map(|name| name.to_string()).collect(),
            Ty::Int => return others("other numbers"),
            Ty::Text => return others("other texts"),
            _ => return others("other sites"),
        };
        let left = (0..).zip(&names).filter(|(code, _)| !covered(*code));
        left.map(|(code, name)| LeftOut { ty, code, words: format!("\"{name}\"") }).collect()
    }
}
