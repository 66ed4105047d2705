//! Which declarations two games do not share: added, removed or changed, by sort and name.
//!
//! In go two games as put together from their files. What an item says counts, not how it looks or where it stands; the ends alone are
//! asked in their order, so that counts too. Options have a page of their own (`options.rs`).

use serde::Serialize;

use super::said::Said;
use super::{Place, one_line};
use crate::assemble::Game;
use crate::pipeline::Loaded;
use crate::source::{Sources, Span};
use crate::syntax::ast::{Ending, Expr, GameResult, Shape};

/// What has become of a declaration from A to B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Only A has it.
    Removed,
    /// Only B has it.
    Added,
    /// Both have it, and it says something else.
    Changed,
}

/// A declaration that is not in both games alike.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Declaration {
    /// What has become of it.
    pub change: Change,
    /// What it is: `turn`, `define`, `end` …
    pub sort: &'static str,
    /// Its name, if things of its sort have one.
    pub name: String,
    /// Where it stands in A, and its words.
    pub a: Option<Place>,
    /// The same in B.
    pub b: Option<Place>,
}

/// A declaration of one game.
struct Item {
    sort: &'static str,
    name: String,
    /// Which one of this sort and name, from 0: two ends may have one name.
    nth: usize,
    /// What it says; equal if it says the same.
    said: String,
    span: Span,
}

/// What is declared otherwise in B than in A.
pub fn declarations(a: &Loaded, b: &Loaded) -> Vec<Declaration> {
    let (left, right) = (items(&a.game, &a.sources), items(&b.game, &b.sources));
    let mut found = Vec::new();
    let place = |loaded: &Loaded, item: &Item| Some(Place::of(&loaded.sources, item.span));
    let with = |item: &Item, change, a, b| Declaration { change, sort: item.sort, name: item.name.clone(), a, b };
    for item in &left {
        match right.iter().find(|other| same_name(item, other)) {
            None => found.push(with(item, Change::Removed, place(a, item), None)),
            Some(other) if other.said != item.said => {
                found.push(with(item, Change::Changed, place(a, item), place(b, other)));
            }
            Some(_) => {}
        }
    }
    for item in right.iter().filter(|item| !left.iter().any(|other| same_name(item, other))) {
        found.push(with(item, Change::Added, None, place(b, item)));
    }
    found.extend(order_of_ends(a, b, &left, &right));
    found
}

fn same_name(a: &Item, b: &Item) -> bool {
    a.sort == b.sort && a.name == b.name && a.nth == b.nth
}

/// The ends that both have, if they stand in another order.
fn order_of_ends(a: &Loaded, b: &Loaded, left: &[Item], right: &[Item]) -> Option<Declaration> {
    let shared = |items: &[Item], others: &[Item]| -> Vec<String> {
        let ends = items.iter().filter(|item| item.sort == "end");
        ends.filter(|item| others.iter().any(|other| same_name(item, other))).map(|item| item.name.clone()).collect()
    };
    let (was, is) = (shared(left, right), shared(right, left));
    if was == is {
        return None;
    }
    let place = |loaded: &Loaded, names: Vec<String>| {
        let first = loaded.game.ends.iter().flatten().next().map_or(Span::default(), |ending| ending.span);
        Some(Place { words: names.join(", "), ..Place::of(&loaded.sources, first) })
    };
    let (a, b) = (place(a, was), place(b, is));
    Some(Declaration { change: Change::Changed, sort: "order of ends", name: String::new(), a, b })
}

/// All declarations of a game.
fn items(game: &Game, sources: &Sources) -> Vec<Item> {
    let mut said = Said::new(sources);
    let mut items: Vec<Item> = Vec::new();
    let mut add = |sort, name: &str, said: String, span| {
        let nth = items.iter().filter(|item| item.sort == sort && item.name == name).count();
        items.push(Item { sort, name: name.to_string(), nth, said, span });
    };
    add("game", "", game.title.clone(), game.title_span);
    if let Some((_, span)) = &game.players {
        add("players", "", said.at(*span, &[]), *span);
    }
    if let Some((board, span)) = &game.board {
        let parts: Vec<&Expr> = match &board.shape {
            Shape::Square(e)
            | Shape::Line(e)
            | Shape::Hexagon(e)
            | Shape::Rhombus(e)
            | Shape::Triangle(e)
            | Shape::Drawing(e) => vec![e],
            Shape::Grid(columns, rows) => vec![columns, rows],
            Shape::Graph(_) => Vec::new(),
        };
        add("board", "", said.at(*span, &parts), *span);
    }
    for (kind, owner) in &game.kinds {
        let symbols = kind.symbols.as_ref().map_or(String::new(), |text| one_line(&text.value));
        let owner = owner.as_ref().map_or("", |owner| owner.text.as_str());
        add("piece", &kind.name.text, format!("{symbols} for {owner}"), kind.name.span);
    }
    for track in &game.tracks {
        let parts: Vec<&Expr> =
            track.item.stretches.iter().flat_map(|one| std::iter::once(&one.sites).chain(&one.going)).collect();
        let owner = track.item.owner.as_ref().map_or(String::new(), |owner| format!(" for {}", owner.text));
        add("track", &(track.item.name.text.clone() + &owner), said.at(track.span, &parts), track.span);
    }
    for remember in &game.remembers {
        let sort = if remember.item.counter { "counter" } else { "remember" };
        let parts: Vec<&Expr> = remember.item.init.iter().collect();
        add(sort, &remember.item.name.text, said.at(remember.span, &parts), remember.span);
    }
    for define in &game.defines {
        let layers = define.layers.iter().map(|one| said.at(one.head.name.span.to(one.body.span), &[&one.body]));
        let name = define.layers.first().map_or("", |one| &one.head.name.text);
        let layers: Vec<String> = layers.collect();
        add("define", name, layers.join(" base "), define.span);
    }
    for action in &game.actions {
        let layers = action.layers.iter().map(|one| said.at(one.head.name.span.to(one.body.span), &one.body.parts()));
        let name = action.layers.first().map_or("", |one| &one.head.name.text);
        let layers: Vec<String> = layers.collect();
        add("action", name, layers.join(" base "), action.span);
    }
    for (sort, item) in [("setup", &game.setup), ("after turn", &game.after)] {
        if let Some(item) = item {
            let layers: Vec<String> = item.layers.iter().map(|block| said.at(block.span, &block.parts())).collect();
            add(sort, "", layers.join(" base "), item.span);
        }
    }
    if let Some(turn) = &game.turn {
        let by = |by_outcome: bool| if by_outcome { "by outcome " } else { "" };
        let layers =
            turn.layers.iter().map(|one| by(one.by_outcome).to_string() + &said.at(one.body.span, &one.body.parts()));
        let layers: Vec<String> = layers.collect();
        add("turn", "", layers.join(" base "), turn.span);
    }
    for ending in game.ends.iter().flatten() {
        for (reason, when) in &ending.when {
            let name = reason.as_ref().or(ending.name.as_ref()).map(|name| name.text.clone());
            let name = name.unwrap_or_else(|| one_line(sources.words(when.span)));
            let said = format!("{} when {}", result(&mut said, ending), said.expr(when));
            let alone = ending.when.len() == 1;
            add("end", &name, said, if alone { ending.span } else { when.span });
        }
    }
    if let Some(view) = &game.view {
        add("view", "", said.expr(view), view.span);
    }
    if let Some(parts) = &game.notation {
        use crate::syntax::ast::NotationPart::{Name, Text};
        let word = |part: &crate::syntax::ast::NotationPart| match part {
            Name(name) => (name.text.clone(), name.span),
            Text(text) => (format!("{:?}", text.value), text.span),
        };
        let (words, spans): (Vec<String>, Vec<Span>) = parts.iter().map(word).unzip();
        let span = spans.iter().copied().reduce(Span::to).unwrap_or_default();
        add("notation", "", words.join(" "), span);
    }
    for property in &game.properties {
        let words = format!("{:?} {}", property.claim, said.expr(&property.expr));
        add("property", &property.title.value, words, property.title.span.to(property.expr.span));
    }
    for example in &game.examples {
        let lines: Vec<String> = example.lines.iter().map(|line| said.at(line.span, &[])).collect();
        add("example", &example.title.value, lines.join(" "), example.title.span);
    }
    items
}

/// What an end line gives.
fn result(said: &mut Said<'_>, ending: &Ending) -> String {
    match &ending.result {
        GameResult::Draw => "draw".to_string(),
        GameResult::Unfinished => "unfinished".to_string(),
        GameResult::Rank(keys) => {
            format!("rank {}", keys.iter().map(|key| said.expr(key)).collect::<Vec<_>>().join(", "))
        }
        GameResult::Wins(who, by) => {
            let by = by.as_ref().map_or(String::new(), |by| format!(" by {}", said.expr(by)));
            format!("{} wins{by}", said.expr(who))
        }
        GameResult::Loses(who) => format!("{} loses", said.expr(who)),
    }
}
