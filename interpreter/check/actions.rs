//! Actions, which are written out wherever they are called.

use super::defs::{Given, is_counts};
use super::{Bound, Checker, Names, Place, Scope, errors, mk, unknown};
use crate::rules::inside::blocks;
use crate::rules::{Block, Expr, ExprKind, LocalId, Stmt, StmtKind, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// An action that is called.
struct Callee<'a, 'w> {
    action: &'a ast::Action,
    scope: Scope,
    word: &'w str,
    /// Which of what replaced one another.
    layer: usize,
}

impl<'a> Checker<'a> {
    /// An action called for its value inside a statement's expression: it runs just before the statement.
    pub(super) fn action_value(&mut self, name: &ast::Name, args: &[ast::Arg], span: Span) -> Expr {
        let Some(mut before) = self.before.take() else {
            self.say(errors::action_here(&name.text, span));
            return unknown(span);
        };
        let value = self.write_out(name, args, span, &mut before);
        self.before = Some(before);
        match value {
            Some(value) => value,
            None => {
                self.say(errors::gives_nothing(&name.text, span));
                unknown(span)
            }
        }
    }

    /// Writes an action's statements out; gives what it gives.
    pub(super) fn write_out(
        &mut self,
        name: &ast::Name,
        args: &[ast::Arg],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let Some((scope, action)) = self.find_action(&name.text) else {
            self.unknown_word(name);
            return Some(unknown(span));
        };
        self.write_out_action(Callee { action, scope, word: &name.text, layer: 0 }, args, span, out).0
    }

    /// `base` in an action; gives the names that were made in it, or nothing if there is nothing that was replaced.
    pub(super) fn write_out_base(&mut self, args: &[ast::Arg], span: Span, out: &mut Vec<Stmt>) -> Option<Names> {
        let (word, layer) = self.base_action.clone()?;
        if self.scope == Scope::Library {
            return None;
        }
        let in_game = self.index.actions.get(word.as_str()).and_then(|&at| self.game.actions[at].layers.get(layer + 1));
        // What a game's word hides in the library is what it replaced.
        let in_library = || self.index.library_actions.get(word.as_str()).map(|&at| &self.library.actions[at].item);
        let callee = match (in_game, in_library()) {
            (Some(action), _) => Callee { action, scope: Scope::Game, word: &word, layer: layer + 1 },
            (None, Some(action)) => Callee { action, scope: Scope::Library, word: &word, layer: 0 },
            (None, None) => return None,
        };
        Some(self.write_out_action(callee, args, span, out).1)
    }

    /// Remembers of the library's statements that the game calls them here.
    fn called_from(&mut self, body: &Block, caller: Span) {
        for stmt in body {
            if self.library_files.contains(&stmt.span.file) {
                let callers = self.rules.callers.entry(stmt.span).or_default();
                if let Err(at) = callers.binary_search(&caller) {
                    callers.insert(at, caller);
                }
            }
            for block in blocks(stmt) {
                self.called_from(block, caller);
            }
        }
    }

    /// Gives what the action gives, and the names that were made in it.
    fn write_out_action(
        &mut self,
        callee: Callee<'a, '_>,
        args: &[ast::Arg],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> (Option<Expr>, Names) {
        let failed = || (Some(unknown(span)), Names::new());
        let Callee { action, scope, word, layer } = callee;
        let acting = (scope, word.to_string(), layer);
        if let Some(start) = self.acting.iter().position(|other| *other == acting) {
            let mut path: Vec<String> = self.acting[start..].iter().map(|(_, word, _)| word.clone()).collect();
            path.push(word.to_string());
            self.say(errors::action_uses_itself(word, &path, span));
            return failed();
        }
        // Arguments may call actions themselves: those run first.
        let old = self.before.replace(Vec::new());
        let given = self.arguments(&action.head, args, scope, span);
        out.append(&mut self.before.take().unwrap_or_default());
        self.before = old;
        let given = match given {
            Some(given) => given,
            // The action itself is read all the same, should nobody else call it.
            None => return failed(),
        };
        if !self.enter_call(span) {
            return failed();
        }
        if scope == Scope::Game && layer == 0 {
            self.called_actions.insert(word.to_string());
        }
        self.acting.push(acting);
        self.callers.push(span);
        let base = self.base_action.replace((word.to_string(), layer));
        let give = self.give.take();
        let place = self.place;
        let (body, result, names) = self.apart(scope, place, |me| {
            me.names.push(Vec::new());
            let mut first = Vec::new();
            for (param, given) in action.head.params.iter().zip(given) {
                match given {
                    Given::Table(var) => me.bind_as(&param.name.text, Bound::Table(var)),
                    Given::Value(Expr { kind: ExprKind::Const(code), ty: Ty::Text, .. }) => {
                        me.bind_as(&param.name.text, Bound::Known(code, Ty::Text));
                    }
                    Given::Value(value) => {
                        let ty = value.ty;
                        let id = me.local("", ty);
                        me.note_texts(id, &value);
                        me.bind_as(&param.name.text, Bound::Local(id, ty));
                        me.count_statement(span);
                        first.push(Stmt { kind: StmtKind::Local(id, value), span });
                    }
                }
            }
            let mut body = me.statements(&action.body.statements);
            first.append(&mut body);
            (first, me.give, me.names.last().cloned().unwrap_or_default())
        });
        self.give = give;
        self.base_action = base;
        self.callers.pop();
        self.acting.pop();
        self.leave_call();
        if let Some((id, ty)) = result
            && !gives(&body, id)
        {
            // What gives nothing on some way gives none, nowhere, nobody, 0.
            out.push(Stmt { kind: StmtKind::Local(id, self.none_of(ty, span)), span });
        }
        if scope == Scope::Library && !self.library_files.contains(&span.file) {
            self.called_from(&body, span);
        }
        out.extend(body);
        (result.map(|(id, ty)| mk(ExprKind::Local(id), ty, span)), names)
    }

    /// Reads the actions that nobody calls, so that no mistake stays hidden. What comes out is thrown away.
    pub(super) fn uncalled_actions(&mut self) {
        let game = self.game;
        for action in &game.actions {
            let action = &action.layers[0];
            let word = &action.head.name.text;
            self.parameter_names(&action.head);
            if self.called_actions.contains(word) {
                continue;
            }
            let table = self.any_table();
            if table.is_none() && action.head.params.iter().any(is_counts) {
                continue;
            }
            self.acting.push((Scope::Game, word.clone(), 0));
            let base = self.base_action.replace((word.clone(), 0));
            let place = Place { setup: true, anywhere: true, ..Place::default() };
            self.apart(Scope::Game, place, |me| {
                me.names.push(Vec::new());
                for param in &action.head.params {
                    let bound = match table.filter(|_| is_counts(param)) {
                        Some(table) => Bound::Table(table),
                        None => {
                            let ty = me.param_type(param);
                            Bound::Local(me.local("", ty), ty)
                        }
                    };
                    me.bind_as(&param.name.text, bound);
                }
                me.statements(&action.body.statements);
            });
            self.give = None;
            self.base_action = base;
            self.acting.pop();
        }
    }

    /// An action of this name, as it is found from here.
    fn find_action(&self, word: &str) -> Option<(Scope, &'a ast::Action)> {
        if self.scope == Scope::Game
            && let Some(&at) = self.index.actions.get(word)
        {
            return Some((Scope::Game, &self.game.actions[at].layers[0]));
        }
        let at = *self.index.library_actions.get(word)?;
        Some((Scope::Library, &self.library.actions[at].item))
    }

    pub(super) fn is_action(&self, word: &str) -> bool {
        self.local_named(word).is_none() && self.find_action(word).is_some()
    }
}

/// Is a name given a value on every way through a block?
fn gives(block: &Block, name: LocalId) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Local(local, _) => *local == name,
        StmtKind::If(_, yes, no) => gives(yes, name) && gives(no, name),
        StmtKind::Match(_, arms, other) => arms.iter().all(|(_, arm)| gives(arm, name)) && gives(other, name),
        StmtKind::Either(branches) => branches.iter().all(|(_, branch)| gives(branch, name)),
        StmtKind::From(_, block) => gives(block, name),
        _ => false,
    })
}
