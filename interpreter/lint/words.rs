//! Which names of a game lead to which: what is never used, and which options something depends on.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::{Game, Library};
use crate::source::{Sources, Span};
use crate::syntax::ast;

/// Where a word is looked up: in the game, or in the library.
type Named<'g> = (bool, &'g str);

/// The words that items are made of.
pub struct Words<'g> {
    /// The words in what stands for each definition, action, track and variable.
    items: BTreeMap<Named<'g>, BTreeSet<&'g str>>,
    /// What the library takes from the game.
    needs: BTreeSet<&'g str>,
    sources: &'g Sources,
}

impl<'g> Words<'g> {
    /// Reads a game's words.
    pub fn new(game: &'g Game, library: &'g Library, sources: &'g Sources) -> Self {
        let needs = library.needs.iter().map(|needs| needs.item.head.name.text.as_str()).collect();
        let mut words = Words { items: BTreeMap::new(), needs, sources };
        for define in game.defines.iter().flat_map(|define| &define.layers) {
            words.item((true, &define.head.name.text), head_spans(&define.head).chain([define.body.span]));
        }
        for action in game.actions.iter().flat_map(|action| &action.layers) {
            words.item((true, &action.head.name.text), head_spans(&action.head).chain([action.body.span]));
        }
        for track in &game.tracks {
            words.item((true, &track.item.name.text), [track.span]);
        }
        for remember in &game.remembers {
            words.item((true, &remember.item.name.text), [remember.span]);
        }
        for define in library.defines.iter().map(|define| &define.item) {
            words.item((false, &define.head.name.text), head_spans(&define.head).chain([define.body.span]));
        }
        for action in library.actions.iter().map(|action| &action.item) {
            words.item((false, &action.head.name.text), head_spans(&action.head).chain([action.body.span]));
        }
        words
    }

    fn item(&mut self, name: Named<'g>, spans: impl IntoIterator<Item = Span>) {
        let all: BTreeSet<&str> = spans.into_iter().flat_map(|span| self.of(span)).collect();
        self.items.entry(name).or_default().extend(all);
    }

    /// A stretch of text.
    pub fn text(&self, span: Span) -> &'g str {
        self.sources.words(span)
    }

    /// The words of a stretch of text, without notes and texts in quotes.
    pub fn of(&self, span: Span) -> BTreeSet<&'g str> {
        let mut words = BTreeSet::new();
        let mut rest = self.sources.words(span);
        while let Some(first) = rest.chars().next() {
            if rest.starts_with("//") {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
            } else if let Some(text) = rest.strip_prefix("\"\"\"") {
                rest = text.split_once("\"\"\"").map_or("", |(_, after)| after);
            } else if let Some(text) = rest.strip_prefix('"') {
                rest = text.split_once('"').map_or("", |(_, after)| after);
            } else if first.is_alphanumeric() || first == '_' {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                words.insert(word);
                rest = after;
            } else {
                rest = &rest[first.len_utf8()..];
            }
        }
        words
    }

    /// These words and all that they lead to.
    pub fn closure(&self, from: impl IntoIterator<Item = &'g str>) -> BTreeSet<&'g str> {
        let mut all = BTreeSet::new();
        let mut seen: BTreeSet<Named<'g>> = BTreeSet::new();
        let mut to_do: Vec<Named<'g>> = from.into_iter().map(|word| (true, word)).collect();
        while let Some((game, word)) = to_do.pop() {
            let of_game = game || self.needs.contains(word);
            let found = [(true, word), (false, word)]
                .into_iter()
                .find(|key| (!key.0 || of_game) && self.items.contains_key(key));
            if of_game {
                all.insert(word);
            }
            let Some(key) = found else { continue };
            if seen.insert(key) {
                to_do.extend(self.items[&key].iter().map(|inner| (key.0, *inner)));
            }
        }
        all
    }
}

fn head_spans(head: &ast::Head) -> impl Iterator<Item = Span> + '_ {
    let types = head.params.iter().filter_map(|param| param.ty.as_ref().map(|ty| ty.span));
    let defaults = head.params.iter().filter_map(|param| param.default.as_ref().map(|default| default.span));
    types.chain(defaults)
}

/// The places from which everything in a turn is used.
pub fn turn_spans(game: &Game) -> Vec<Span> {
    let turn = game.turn.iter().flat_map(|turn| turn.layers.iter().map(|turn| turn.body.span));
    let after = game.after.iter().flat_map(|after| after.layers.iter().map(|after| after.span));
    turn.chain(after).collect()
}

/// The places from which everything in a game is used.
pub fn all_spans(game: &Game) -> Vec<Span> {
    let mut spans = turn_spans(game);
    spans.extend(game.setup.iter().flat_map(|setup| setup.layers.iter().map(|setup| setup.span)));
    spans.extend(game.ends.iter().flatten().map(|end| end.span));
    spans.extend(game.view.iter().map(|view| view.span));
    spans.extend(game.properties.iter().map(|property| property.expr.span));
    spans.extend(game.board.iter().map(|(_, span)| *span));
    spans.extend(game.remembers.iter().map(|remember| remember.span));
    spans.extend(game.examples.iter().flat_map(|example| example.lines.iter().map(|line| line.span)));
    spans
}
