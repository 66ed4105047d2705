//! What a file adds to the game that it extends, where a `match` of that game names all there was.
//!
//! An item that counts as it stands has to name the newcomer, so the file is told to replace it. In an item that has been replaced,
//! and is used as `base`, the newcomer takes nothing (the empty set, nowhere, 0, no statement), as long as what replaced it names it.

use super::matching::LeftOut;
use super::{Bound, Checker, errors};
use crate::rules::{Block, Stmt, StmtKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// The item in which something is read.
struct Reading {
    word: String,
    /// How it asks what it has replaced.
    base: String,
    /// Where the layers stand that lie over the one being read.
    over: Vec<Span>,
}

impl Checker<'_> {
    /// Where a file that extends the one of the `match` has added what the `match` leaves out.
    pub(super) fn added_later(&self, left: &LeftOut, span: Span) -> Option<Span> {
        let code = usize::try_from(left.code).ok()?;
        let declared = match left.ty {
            Ty::Kind => {
                let name = &self.rules.kinds.get(code)?.name;
                self.game.kinds.iter().find(|(kind, _)| kind.name.text == *name)?.0.name.span
            }
            Ty::Player => self.game.players.as_ref()?.0.get(code)?.name.span,
            Ty::Word(list) => {
                let option = self.option_words.iter().position(|words| *words == Some(list))?;
                self.declared.get(option)?.span
            }
            _ => return None,
        };
        let at = |span: Span| self.game.files.iter().position(|file| *file == span.file);
        (at(declared)? > at(span)?).then_some(declared)
    }

    /// Says what newcomers a `match` leaves out, unless they have been seen to.
    pub(super) fn newcomers_left_out(&mut self, left: Vec<LeftOut>, span: Span) {
        if self.comparing {
            return;
        }
        let reading = self.reading();
        for one in left {
            let Some(at) = self.added_later(&one, span) else { continue };
            let name = one.words.trim_matches('"');
            if reading.over.iter().any(|over| self.names_it(*over, name)) {
                continue;
            }
            let (line, _) = self.sources.line_column(span);
            let file = self.sources.get(span.file).name.clone();
            let own = (reading.word.as_str(), reading.base.as_str(), !reading.over.is_empty());
            self.say(errors::newcomer_left_out(&one.words, (&file, line), own, at, span));
        }
    }

    /// The block of newcomers in a `match`: what is known behind it is nothing to them.
    pub(super) fn nothing_bound(&self, known_before: usize, span: Span) -> Block {
        let bound = self.names.last().into_iter().flatten().skip(known_before);
        let locals = bound.filter_map(|(_, bound)| match bound {
            Bound::Local(id, ty) => Some((*id, *ty)),
            Bound::Table(_) | Bound::Known(..) => None,
        });
        locals.map(|(id, ty)| Stmt { kind: StmtKind::Local(id, self.none_of(ty, span)), span }).collect()
    }

    fn reading(&self) -> Reading {
        if let Some((word, layer)) = &self.base_def {
            let define = self.index.defines.get(word.as_str()).and_then(|&at| self.game.defines.get(at));
            let layers = define.map_or(&[][..], |define| &define.layers);
            let head = layers.first().map(|define| &define.head);
            return Reading {
                word: word.clone(),
                base: base_of(head),
                over: layers.iter().take(*layer).map(|define| define.body.span).collect(),
            };
        }
        if let Some((word, layer)) = &self.base_action {
            let action = self.index.actions.get(word.as_str()).and_then(|&at| self.game.actions.get(at));
            let layers = action.map_or(&[][..], |action| &action.layers);
            let head = layers.first().map(|action| &action.head);
            return Reading {
                word: word.clone(),
                base: format!("{{ {} }}", base_of(head)),
                over: layers.iter().take(*layer).map(|action| action.body.span).collect(),
            };
        }
        let (word, layers) = self.program.as_ref().map_or(("end", &[][..]), |(word, layers)| (*word, &layers[..]));
        let over = layers.len().saturating_sub(self.base_turns.len() + 1);
        let over = layers.iter().take(over).copied().collect();
        Reading { word: word.to_string(), base: "{ base }".to_string(), over }
    }

    /// Does what is written there name it?
    fn names_it(&self, span: Span, name: &str) -> bool {
        self.sources.words(span).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
    }
}

/// `base`, with what the definition or action takes.
fn base_of(head: Option<&ast::Head>) -> String {
    let params: Vec<&str> = head.iter().flat_map(|head| &head.params).map(|param| param.name.text.as_str()).collect();
    if params.is_empty() { "base".to_string() } else { format!("base({})", params.join(", ")) }
}
