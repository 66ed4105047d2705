//! Names made by `let` that nothing reads.
//!
//! A name is known behind its `let`, to the end of the block around it and, since a name that is made in every branch stays known,
//! behind that. What is assigned to a name reads nothing of it. Words are looked at, not rules: what an option rules out reads, too.

use std::collections::BTreeSet;

use super::branches::inner;
use super::words::Words;
use crate::assemble::{Game, Library};
use crate::source::Span;
use crate::syntax::ast::{self, ExprKind, NotationPart, StatementKind as S};

/// A name that nothing reads, and what it is a name for.
pub struct Unread<'g> {
    /// The name.
    pub name: &'g ast::Name,
    /// Its value.
    pub value: Span,
    /// Is the value that of an action, which does something whether it is read or not?
    pub acts: bool,
}

/// All such names of a game's own file.
pub fn unread<'g>(game: &'g Game, library: &'g Library, words: &'g Words<'g>) -> Vec<Unread<'g>> {
    let notation = game.notation.iter().flatten().filter_map(|part| match part {
        NotationPart::Name(name) => Some(name.text.as_str()),
        NotationPart::Text(_) => None,
    });
    let actions = game.actions.iter().map(|action| action.layers[0].head.name.text.as_str());
    let ready_made = library.actions.iter().map(|action| action.item.head.name.text.as_str());
    let mut lets = Lets {
        words,
        notation: notation.collect(),
        actions: actions.chain(ready_made).collect(),
        read: BTreeSet::new(),
        met: Vec::new(),
        unread: Vec::new(),
    };
    let turn = game.turn.iter().flat_map(|turn| turn.layers.iter().map(|turn| &turn.body));
    let setup = game.setup.iter().flat_map(|setup| &setup.layers);
    let after = game.after.iter().flat_map(|after| &after.layers);
    let bodies = game.actions.iter().flat_map(|action| action.layers.iter().map(|action| &action.body));
    for block in setup.chain(turn).chain(after).chain(bodies).filter(|block| block.span.file == game.file) {
        lets.block(block);
        block.parts().into_iter().for_each(|part| lets.expr(part));
    }
    let defines = game.defines.iter().flat_map(|define| define.layers.iter().map(|define| &define.body));
    let ends = game.ends.iter().flatten().flat_map(|end| end.when.iter().map(|(_, when)| when));
    let properties = game.properties.iter().map(|property| &property.expr);
    for expr in defines.chain(ends).chain(&game.view).chain(properties).filter(|expr| expr.span.file == game.file) {
        lets.expr(expr);
    }
    lets.unread
}

struct Lets<'g> {
    words: &'g Words<'g>,
    /// Names by which turns are written; they may stand anywhere.
    notation: BTreeSet<&'g str>,
    actions: BTreeSet<&'g str>,
    /// Words that are asked for behind the place that is looked at, and in which order they were met.
    read: BTreeSet<&'g str>,
    met: Vec<&'g str>,
    unread: Vec<Unread<'g>>,
}

impl<'g> Lets<'g> {
    /// Looks at a block from its end to its beginning; gives the words that are asked for in it and not behind it.
    fn block(&mut self, block: &'g ast::Block) -> Vec<&'g str> {
        let behind = self.met.len();
        for statement in block.statements.iter().rev() {
            if let S::Let(name, value) = &statement.kind
                && !self.notation.contains(name.text.as_str())
                && !self.read.contains(name.text.as_str())
            {
                self.found(name, value);
            }
            let blocks = inner(statement);
            // What stands in a block comes from there: a name of one branch is not seen in the next.
            let inside: Vec<&str> = blocks.iter().flat_map(|(_, block)| self.block(block)).collect();
            let parts = statement.parts().into_iter().map(|part| part.span);
            let own = parts.filter(|part| !blocks.iter().any(|(_, block)| block.span.holds(*part)));
            let own = own.chain(patterns(statement)).flat_map(|span| self.words.of(span)).collect::<Vec<_>>();
            for word in inside.into_iter().chain(own) {
                if self.read.insert(word) {
                    self.met.push(word);
                }
            }
        }
        let fresh = self.met.split_off(behind);
        for word in &fresh {
            self.read.remove(word);
        }
        fresh
    }

    fn expr(&mut self, expr: &'g ast::Expr) {
        if let ExprKind::Let(name, value, body) = &*expr.kind
            && !self.words.of(body.span).contains(name.text.as_str())
        {
            self.found(name, value);
        }
        expr.parts().into_iter().for_each(|part| self.expr(part));
    }

    fn found(&mut self, name: &'g ast::Name, value: &'g ast::Expr) {
        let acts = match &*value.kind {
            ExprKind::Name(called) | ExprKind::Call(called, _) => self.actions.contains(called.text.as_str()),
            ExprKind::Base(_) => true,
            _ => false,
        };
        self.unread.push(Unread { name, value: value.span, acts });
    }
}

/// What the arms of a `match` ask for; it stands in no expression.
fn patterns(statement: &ast::Statement) -> impl Iterator<Item = Span> {
    let arms = match &statement.kind {
        S::Match(_, arms) => arms.as_slice(),
        _ => &[],
    };
    arms.iter().map(|arm| arm.span)
}
