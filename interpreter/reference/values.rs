//! What the names in a condition stand for where a run has come to, for explanations.

use super::run::{Run, Spot};
use super::tell::value_text;
use super::value::Val;
use crate::rules::inside::{blocks, parts};
use crate::rules::stmt::{Block, Stmt};
use crate::rules::{Expr, ExprKind, Rules, Ty};
use crate::source::Span;

/// How many names are told, and how many letters of a value.
const MOST: usize = 8;
const LETTERS: usize = 60;

/// The statement at a place in a program.
pub fn statement<'b>(program: &'b Block, path: &[Spot]) -> Option<&'b Stmt> {
    let (first, deeper) = path.split_first()?;
    let mut stmt = program.get(first.at)?;
    for spot in deeper {
        stmt = blocks(stmt).get(spot.arm)?.get(spot.at)?;
    }
    Some(stmt)
}

/// The names of a condition, as they are written, and what they stand for.
pub fn values(run: &Run, expr: &Expr) -> Vec<(Span, String)> {
    let mut names = Vec::new();
    collect(expr, &mut names);
    let mut told: Vec<(Span, String)> = Vec::new();
    for name in names {
        if told.len() < MOST
            && !told.iter().any(|(span, _)| *span == name.span)
            && let Ok(value) = run.clone().value(name)
        {
            told.push((name.span, text(run.world.rules, name.ty, &value)));
        }
    }
    told
}

/// A value in words: nothing is said to be nothing.
fn text(rules: &Rules, ty: Ty, value: &Val) -> String {
    let text = match (ty, value) {
        (Ty::Bool, Val::Scalar(code)) => if *code == 0 { "off" } else { "on" }.to_string(),
        _ => value_text(rules, ty, value),
    };
    match (text.is_empty(), text.char_indices().nth(LETTERS)) {
        (true, _) => "nothing".to_string(),
        (false, Some((cut, _))) => format!("{} …", &text[..cut]),
        (false, None) => text,
    }
}

/// What is worth telling: remembered things, names, definitions, what the language itself knows. Names that the expression binds are not.
fn collect<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    use ExprKind::*;
    match &expr.kind {
        Var(..)
        | Local(_)
        | LocalAt(..)
        | Call(..)
        | From(..)
        | Turns
        | Games
        | Next
        | Resigned
        | Stuck
        | Repeats
        | BoardRepeats
        | LoopLength
        | Count(_)
        | The(_)
        | KindAt(_)
        | OwnerAt(_)
        | Comprehend { .. }
        | Counted(_)
        | Walk(..)
        | KindSites(_) => found.push(expr),
        Filter(_, set, _) => collect(set, found),
        Let(..) | Spread(..) => {}
        _ => parts(expr).into_iter().for_each(|part| collect(part, found)),
    }
}
