//! Statements that change the position.

use super::{Bound, Checker, errors, mk};
use crate::rules::board::MOST_PILED;
use crate::rules::expr::SetOp;
use crate::rules::stmt::TableOp;
use crate::rules::{Block, Expr, ExprKind, Kind, KindOwner, NONE, PerWhat, Stmt, StmtKind, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, ArithOp, AssignOp, ExprKind as A, StatementKind as S};

impl Checker<'_> {
    pub(super) fn act(&mut self, statement: &ast::Statement, out: &mut Block) {
        let span = statement.span;
        match &statement.kind {
            S::Assign(target, op, value) => {
                if let Some(kind) = self.assign(target, *op, value, span) {
                    out.push(Stmt { kind, span });
                }
            }
            S::Move(from, to, carrying) => {
                let from = self.need_site(from, "move");
                let to = self.need_site(to, "move … to");
                let kind = match carrying {
                    Some(n) => {
                        self.needs_piles("carrying", span);
                        StmtKind::Carry(from, to, self.need(n, Ty::Int))
                    }
                    None => StmtKind::Move(from, to),
                };
                out.push(Stmt { kind, span });
            }
            S::Take(sets) => {
                for set in sets {
                    let set = self.need(set, Ty::Sites);
                    out.push(Stmt { kind: StmtKind::Take(set), span });
                }
            }
            S::Place(n, kind, sites) => {
                let n = self.how_many(n.as_ref(), kind, span);
                let (kind, owner) = self.whose(kind);
                for set in sites {
                    let mut set = self.need(set, Ty::Sites);
                    let (mut kind, mut owner) = (kind.clone(), owner.clone());
                    if n > 1 {
                        // They are what they were before the first piece came.
                        for part in [&mut set, &mut kind, &mut owner] {
                            let id = self.local("", part.ty);
                            let value = std::mem::replace(part, mk(ExprKind::Local(id), part.ty, part.span));
                            out.push(Stmt { kind: StmtKind::Local(id, value), span });
                        }
                    }
                    for _ in 0..n {
                        if !self.count_statement(span) {
                            break;
                        }
                        let kind = StmtKind::Place(kind.clone(), owner.clone(), set.clone());
                        out.push(Stmt { kind, span });
                    }
                }
            }
            S::Change(set, kind) => {
                let set = self.need(set, Ty::Sites);
                let owned = matches!(&*kind.kind, A::Owned(..));
                let (kind, owner) = self.whose(kind);
                out.push(Stmt { kind: StmtKind::Change(set, kind, owned.then_some(owner)), span });
            }
            S::Lay(text, corner) => {
                if !self.place.setup {
                    self.say(errors::setup_only("lay", span));
                }
                let text = self.need(text, Ty::Text);
                self.diagrams_of(&text, corner.is_some());
                let corner = corner.as_ref().map(|(from, along, down)| {
                    let from = self.need_site(from, "lay … from");
                    (from, self.need(along, Ty::Dir), self.need(down, Ty::Dir))
                });
                out.push(Stmt { kind: StmtKind::Lay(text, corner), span });
            }
            S::Commit => {
                if (self.place.after || self.place.setup) && !self.place.anywhere {
                    self.say(errors::commit_here(span));
                }
                out.push(Stmt { kind: StmtKind::Commit, span });
            }
            S::Note(text) => {
                let text = self.need(text, Ty::Text);
                out.push(Stmt { kind: StmtKind::Note(text), span });
            }
            S::Announce(list) => {
                let list = list.iter().map(|e| self.expr(e, None)).collect();
                out.push(Stmt { kind: StmtKind::Announce(list), span });
            }
            S::Give(value) => {
                if self.acting.is_empty() {
                    self.say(errors::give_outside(span));
                    self.expr(value, None);
                    return;
                }
                let value = match self.give {
                    Some((_, ty)) => self.need(value, ty),
                    None => {
                        let value = self.expr(value, None);
                        if value.ty == Ty::Track { self.coerce(value, Ty::Step) } else { self.not_too_wide(value) }
                    }
                };
                let id = match self.give {
                    Some((id, _)) => id,
                    None => {
                        let id = self.local("", value.ty);
                        self.give = Some((id, value.ty));
                        id
                    }
                };
                out.push(Stmt { kind: StmtKind::Local(id, value), span });
            }
            // The others are read in `stmts.rs`.
            _ => crate::bug!("a statement without a reader"),
        }
    }

    /// How many pieces `place n k` places. A number that is not written there may turn out to be 0: then it is none.
    fn how_many(&mut self, n: Option<&ast::Expr>, kind: &ast::Expr, span: Span) -> i64 {
        let Some(n) = n else { return 1 };
        if let A::Name(owner) = &*n.kind
            && (self.seat_named(&owner.text).is_some() || matches!(owner.text.as_str(), "mover" | "opponent"))
        {
            let (words, both) = (self.words_of(kind.span), n.span.to(kind.span));
            self.say(errors::placed_whose(&owner.text, &words, both));
            return 1;
        }
        let (n, fewest) = match &*n.kind {
            A::Int(n) => (*n, 1),
            _ => (self.number(n).map_or(1, i64::from), 0),
        };
        if n > 1 {
            self.needs_piles(&format!("place {n} …"), span);
        }
        let allowed = fewest..=MOST_PILED as i64;
        if !allowed.contains(&n) && self.place.dead == 0 {
            self.say(errors::too_many_placed(n, MOST_PILED, span));
        }
        n.clamp(fewest, MOST_PILED as i64)
    }

    /// An error unless the board is stacked.
    pub(super) fn needs_piles(&mut self, word: &str, span: Span) {
        if !self.rules.board.stacked && self.place.dead == 0 && !self.no_board {
            self.say(errors::needs_piles(word, span));
        }
    }

    /// A single site.
    fn need_site(&mut self, e: &ast::Expr, verb: &str) -> Expr {
        let value = self.expr(e, None);
        let sites = matches!(value.ty, Ty::Sites | Ty::Kind | Ty::Kinds | Ty::Table(_))
            || matches!(value.ty, Ty::Word(list) if self.labelled_by(list).is_some());
        if sites {
            let words = self.words_of(e.span);
            self.say(errors::needs_one_site(&words, verb, e.span));
            return super::unknown(e.span);
        }
        self.coerce(value, Ty::Site)
    }

    /// A kind and whose it is: the mover's unless it says so or can only be somebody else's.
    fn whose(&mut self, e: &ast::Expr) -> (Expr, Expr) {
        let mut inner = e;
        while let A::Paren(e) = &*inner.kind {
            inner = e;
        }
        if let A::Owned(owner, word, None) = &*inner.kind {
            let owner = self.need(owner, Ty::Player);
            let kind = self.name(word, Some(Ty::Kind));
            let kind = self.coerce(kind, Ty::Kind);
            let only = kind.as_const().and_then(|code| self.rules.kinds.get(code as usize)).map(|kind| kind.owner);
            let seat = owner.as_const().filter(|_| owner.ty == Ty::Player);
            match (only, seat) {
                (Some(KindOwner::Seat(only)), Some(seat)) if i32::from(only) != seat => {
                    let name = self.rules.seats.get(only as usize).map(|seat| seat.name.clone());
                    self.say(errors::not_their_kind(&word.text, name.as_deref(), e.span));
                }
                (Some(KindOwner::Nobody), Some(seat)) if seat != NONE => {
                    self.say(errors::not_their_kind(&word.text, None, e.span));
                }
                _ => {}
            }
            return (kind, owner);
        }
        let kind = self.need(inner, Ty::Kind);
        let owner = match kind.as_const().and_then(|code| self.rules.kinds.get(code as usize)).map(|kind| kind.owner) {
            Some(KindOwner::Seat(seat)) => Expr::scalar(i32::from(seat), Ty::Player, e.span),
            Some(KindOwner::Nobody) => Expr::scalar(NONE, Ty::Player, e.span),
            Some(KindOwner::Any) => mk(ExprKind::Mover, Ty::Player, e.span),
            None => self.owner_by_kind(&kind),
        };
        (kind, owner)
    }

    /// Whose a piece is of a kind that is not known before the game: as its kind says, else the mover's.
    fn owner_by_kind(&self, kind: &Expr) -> Expr {
        let mover = mk(ExprKind::Mover, Ty::Player, kind.span);
        let fixed = |(code, decl): (i32, &Kind)| {
            let seat = match decl.owner {
                KindOwner::Seat(seat) => i32::from(seat),
                KindOwner::Nobody => NONE,
                KindOwner::Any => return None,
            };
            Some((vec![(code, code)], Expr::scalar(seat, Ty::Player, kind.span)))
        };
        let arms: Vec<_> = (0..).zip(&self.rules.kinds).filter_map(fixed).collect();
        if arms.is_empty() || kind.ty != Ty::Kind {
            return mover;
        }
        mk(ExprKind::Match(Box::new(kind.clone()), arms, Box::new(mover)), Ty::Player, kind.span)
    }

    fn assign(&mut self, target: &ast::Target, op: AssignOp, value: &ast::Expr, span: Span) -> Option<StmtKind> {
        let name = &target.name;
        if let Some(bound) = self.local_named(&name.text)
            && target.owner.is_none()
        {
            return match bound {
                Bound::Local(id, Ty::Site) if target.at.is_none() && self.begun_as_nothing.contains(&id) => {
                    let old = mk(ExprKind::Local(id), Ty::Site, name.span);
                    let what = self.expr(value, Some(Ty::Site));
                    if matches!(what.ty, Ty::Dir | Ty::Kind | Ty::Player) && op == AssignOp::Set {
                        self.say(errors::begun_as_nowhere(&name.text, what.ty, span));
                        self.forget_type(&name.text);
                        return None;
                    }
                    let value = self.assigned(old, op, value, Ty::Site, span);
                    Some(StmtKind::Local(id, value))
                }
                Bound::Local(id, ty) if target.at.is_none() && ty != Ty::Text => {
                    let old = mk(ExprKind::Local(id), ty, name.span);
                    let value = self.assigned(old, op, value, ty, span);
                    Some(StmtKind::Local(id, value))
                }
                Bound::Table(var) => self.assign_table(var, target, op, value, span),
                bound => {
                    let why = match bound {
                        Bound::Local(_, Ty::Text) | Bound::Known(..) => "it is given once and for all",
                        _ => "it is no table of numbers at sites",
                    };
                    self.say(errors::cannot_assign(&name.text, why, target.span));
                    self.expr(value, None);
                    None
                }
            };
        }
        if name.text == "next" && target.owner.is_none() && target.at.is_none() {
            if op != AssignOp::Set {
                self.say(errors::wrong_assign(Ty::Player, span));
                self.expr(value, None);
                return None;
            }
            let seat = self.need(value, Ty::Player);
            return Some(StmtKind::Next(seat));
        }
        if self.option_named(&name.text).is_some() {
            self.say(errors::option_fixed(&name.text, target.span));
            self.expr(value, None);
            return None;
        }
        let Some(var) = self.var_named(&name.text) else {
            if let Some(owner) = &target.owner {
                self.need(owner, Ty::Player);
            }
            if self.means_something(name) {
                let what = self.what_it_is(&name.text);
                self.say(errors::cannot_assign(&name.text, what, target.span));
            } else {
                self.unknown_assigned(name);
            }
            self.expr(value, None);
            return None;
        };
        let entry = &self.rules.vars[var as usize];
        let (ty, per) = (entry.ty, entry.per);
        if per == PerWhat::Site {
            return self.assign_table(var, target, op, value, span);
        }
        if let Some(at) = &target.at {
            self.say(errors::table_none(&name.text, name.span));
            self.expr(at, None);
            self.expr(value, None);
            return None;
        }
        let index = match (per, &target.owner) {
            (PerWhat::Player, None) => Some(mk(ExprKind::Mover, Ty::Player, name.span)),
            (PerWhat::Player, Some(owner)) => Some(self.need(owner, Ty::Player)),
            (PerWhat::Kind, Some(owner)) => Some(self.need(owner, Ty::Kind)),
            (PerWhat::Kind, None) => {
                self.say(errors::whose_kind(&name.text, target.span));
                self.expr(value, None);
                return None;
            }
            (PerWhat::One, None) => None,
            (PerWhat::One | PerWhat::Site, Some(owner)) => {
                self.say(errors::not_per_player(&name.text, owner.span));
                self.expr(value, None);
                return None;
            }
            (PerWhat::Site, None) => None,
        };
        let old = mk(ExprKind::Var(var, index.clone().map(Box::new)), ty, name.span);
        let value = self.assigned(old, op, value, ty, span);
        Some(StmtKind::Var(var, index, value))
    }

    /// What a word is that cannot be assigned.
    fn what_it_is(&self, word: &str) -> &'static str {
        let sites = self.rules.board.site(word).is_some() || self.seat_sites.iter().any(|(site, _)| site == word);
        if self.index.defines.contains_key(word) || self.index.library_defines.contains_key(word) {
            "it is a definition"
        } else if self.is_action(word) {
            "it is an action"
        } else if self.kind_named(word).is_some() {
            "it is a kind of piece"
        } else if self.rules.seats.iter().any(|seat| seat.name == word) {
            "it is a player"
        } else if self.track_named(word).is_some() {
            "it is a track"
        } else if sites {
            "it is a site"
        } else {
            "it is a word of the language"
        }
    }

    /// Does the word mean something, though nothing that can be assigned or called?
    pub(super) fn means_something(&mut self, name: &ast::Name) -> bool {
        let word = name.text.as_str();
        if self.index.defines.contains_key(word)
            || self.index.library_defines.contains_key(word)
            || self.is_action(word)
            || super::names::READY.contains(&word)
            || super::names::READY_CALLS.contains(&word)
        {
            return true;
        }
        let site = self.rules.board.site(word).is_some() || self.seat_sites.iter().any(|(site, _)| site == word);
        let kind = self.kind_named(word).is_some() || self.rules.seats.iter().any(|seat| seat.name == word);
        let other = self.var_named(word).is_some() || self.option_named(word).is_some();
        site || kind || other || self.track_named(word).is_some()
    }

    fn assign_table(
        &mut self,
        var: u16,
        target: &ast::Target,
        op: AssignOp,
        value: &ast::Expr,
        span: Span,
    ) -> Option<StmtKind> {
        let ty = self.rules.vars[var as usize].ty;
        let Some(at) = &target.at else {
            // `unmoved = …` of a table is meant for every site; say which.
            self.say(errors::table_at(&target.name.text, target.span));
            self.expr(value, None);
            return None;
        };
        if let Some(owner) = &target.owner {
            self.say(errors::not_per_player(&target.name.text, owner.span));
            self.expr(value, None);
            return None;
        }
        let sites = self.need(at, Ty::Sites);
        let op = match op {
            AssignOp::Set => TableOp::Set,
            AssignOp::Add if ty == Ty::Int => TableOp::Add,
            AssignOp::Sub if ty == Ty::Int => TableOp::Sub,
            _ => {
                self.say(errors::wrong_assign(ty, span));
                self.expr(value, None);
                return None;
            }
        };
        let value = self.need(value, ty);
        Some(StmtKind::Table(var, op, sites, value))
    }

    /// The new value of something that held `old`.
    fn assigned(&mut self, old: Expr, op: AssignOp, value: &ast::Expr, ty: Ty, span: Span) -> Expr {
        if op == AssignOp::Set {
            return self.need(value, ty);
        }
        match (ty, op) {
            (Ty::Int, AssignOp::Add | AssignOp::Sub) => {
                let value = self.need(value, Ty::Int);
                let op = if op == AssignOp::Add { ArithOp::Add } else { ArithOp::Sub };
                super::constant::arith(op, old, value, span)
            }
            (Ty::Step, AssignOp::Add | AssignOp::Sub) => {
                let n = self.need(value, Ty::Int);
                let n = if op == AssignOp::Sub { super::constant::negate(n, span) } else { n };
                mk(ExprKind::StepOn(Box::new(old), Box::new(n)), Ty::Step, span)
            }
            (Ty::Bag(_) | Ty::Sites | Ty::Players | Ty::Dirs | Ty::Kinds | Ty::Words(_), _) => {
                let value = self.need(value, ty);
                if value.ty == Ty::Unknown {
                    return value;
                }
                let bag = matches!(ty, Ty::Bag(_));
                let op = match op {
                    AssignOp::Add | AssignOp::Or if bag => SetOp::Add,
                    AssignOp::Add | AssignOp::Or => SetOp::Or,
                    AssignOp::Sub => SetOp::Minus,
                    _ => SetOp::And,
                };
                mk(ExprKind::Set(op, Box::new(old), Box::new(value)), ty, span)
            }
            (Ty::Unknown, _) => {
                self.expr(value, None);
                super::unknown(span)
            }
            _ => {
                self.say(errors::wrong_assign(ty, span));
                self.expr(value, None);
                super::unknown(span)
            }
        }
    }
}
