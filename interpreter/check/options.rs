//! The options that a game declares.

use super::errors;
use super::names::READY;
use crate::assemble::Game;
use crate::diagnostics::Diagnostics;
use crate::house::{Allowed, Declared, SettingValue};
use crate::syntax::ast::{self, ExprKind as A};

/// The options that a game declares, for holding settings against them.
pub fn declared_options(game: &Game) -> (Vec<Declared>, Diagnostics) {
    let mut found = Vec::new();
    let mut declared = Vec::new();
    for option in &game.options {
        let item = &option.item;
        if item.name.text == crate::house::RESERVED {
            found.push(errors::first_is_setting(item.name.span));
            continue;
        }
        if READY.contains(&item.name.text.as_str()) {
            found.push(errors::taken(&item.name.text, item.name.span));
        }
        let Some(default) = setting(&item.default) else {
            if !matches!(&*item.default.kind, A::Error) {
                found.push(errors::option_default(&item.name.text, item.default.span));
            }
            continue;
        };
        let mut allowed = Vec::new();
        match &default {
            SettingValue::Bool(_) => allowed.push(Allowed::Bool),
            SettingValue::Int(n) => allowed.push(Allowed::Int(*n)),
            SettingValue::Word(_) if matches!(&*item.default.kind, A::Text(_)) => allowed.push(Allowed::Text),
            SettingValue::Word(word) => allowed.push(Allowed::Word(word.clone())),
        }
        for value in &item.values {
            match &*value.kind {
                A::Range(a, b) => match (setting(a), setting(b)) {
                    (Some(SettingValue::Int(lo)), Some(SettingValue::Int(hi))) if lo <= hi => {
                        allowed.push(Allowed::Range(lo, hi));
                    }
                    (Some(SettingValue::Int(lo)), Some(SettingValue::Int(hi))) => {
                        let clamp = super::names::clamp;
                        found.push(errors::empty_range(clamp(lo), clamp(hi), value.span));
                    }
                    _ => found.push(errors::option_value(value.span)),
                },
                _ => match setting(value) {
                    Some(SettingValue::Int(n)) => allowed.push(Allowed::Int(n)),
                    Some(SettingValue::Word(word)) => allowed.push(Allowed::Word(word)),
                    Some(SettingValue::Bool(on)) => {
                        if !matches!(default, SettingValue::Bool(_)) {
                            allowed.push(Allowed::Word(if on { "on" } else { "off" }.to_string()));
                        }
                    }
                    None => found.push(errors::option_value(value.span)),
                },
            }
        }
        if let SettingValue::Bool(_) = default
            && let Some(other) = item.values.iter().find(|value| !matches!(&*value.kind, A::Bool(_) | A::Error))
        {
            found.push(errors::option_yes_or_no(&item.name.text, other.span));
        }
        declared.push(Declared {
            name: item.name.text.clone(),
            span: item.name.span,
            docs: option.docs.clone(),
            default,
            allowed,
        });
    }
    (declared, found)
}

fn setting(e: &ast::Expr) -> Option<SettingValue> {
    Some(match &*e.kind {
        A::Int(n) => SettingValue::Int(*n),
        A::Negate(inner) => match &*inner.kind {
            A::Int(n) => SettingValue::Int(-*n),
            _ => return None,
        },
        A::Bool(on) => SettingValue::Bool(*on),
        A::Name(name) => SettingValue::Word(name.text.clone()),
        A::Text(text) => SettingValue::Word(text.value.clone()),
        _ => return None,
    })
}
