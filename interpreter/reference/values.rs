//! What the names in a condition stand for where a run has come to, and what its sides come to, for explanations.

use super::run::{Run, Spot};
use super::tell::value_text;
use super::value::Val;
use crate::rules::inside::{blocks, parts};
use crate::rules::stmt::{Block, Stmt};
use crate::rules::{Expr, ExprKind, Rules, SiteSet, Ty};
use crate::source::Span;

/// How many names are told, and how many letters of a value.
const MOST: usize = 8;
const LETTERS: usize = 60;
/// How many sites of a set are told.
const SITES: usize = 12;

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
    told(run, names)
}

/// What the sides of a condition come to that does not hold: of a comparison both, but for what is written as a number or a word; of
/// `and` those of the first part that fails; of anything else the names in it.
pub fn sides(run: &Run, expr: &Expr) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    failing(run, expr, &mut found);
    found.retain(|side| side.as_const().is_none());
    told(run, found)
}

fn failing<'e>(run: &Run, expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    use ExprKind::*;
    match &expr.kind {
        And(a, b) => {
            let holds = matches!(run.clone().value(a), Ok(Val::Scalar(1)));
            failing(run, if holds { b } else { a }, found);
        }
        Or(a, b) => {
            failing(run, a, found);
            failing(run, b, found);
        }
        Not(a) => failing(run, a, found),
        Compare(_, a, b) | SameSet(a, b) | In(a, b) | Within(a, b) => found.extend([&**a, &**b]),
        InRange(a, lo, hi) => found.extend([&**a, &**lo, &**hi]),
        ExprKind::Some(set) => found.push(set),
        _ => collect(expr, found),
    }
}

fn told(run: &Run, names: Vec<&Expr>) -> Vec<(Span, String)> {
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

/// A value in words: nothing is said to be nothing, and a large set by its first sites.
fn text(rules: &Rules, ty: Ty, value: &Val) -> String {
    let text = match (ty, value) {
        (_, Val::Sites(sites)) if sites.count() > SITES as i32 => {
            let mut few = SiteSet::new(rules.n_sites());
            sites.iter().take(SITES).for_each(|site| few.insert(site));
            let few = value_text(rules, ty, &Val::Sites(few));
            return format!("{few} and {} more", sites.count() - SITES as i32);
        }
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
