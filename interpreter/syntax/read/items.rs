//! Items: what a game consists of.

use super::{Reader, ident, idents, text};
use crate::bug;
use crate::source::Span;
use crate::syntax::ast;
use crate::syntax::grammar::Rule;
use crate::syntax::node::{Children, Node};

impl Reader<'_> {
    /// `game "Name" [extends other]` or `library "name"`
    pub fn head(&mut self, node: Node<'_>) -> ast::FileHead {
        match node.rule() {
            Rule::game => {
                let mut parts = node.children();
                let title = text(parts.one(Rule::text));
                let extends = parts.opt(Rule::ident).map(ident);
                parts.end();
                ast::FileHead::Game { title, extends }
            }
            Rule::library => ast::FileHead::Library { title: text(node.only()) },
            other => bug!("`{other:?}` is not a head"),
        }
    }

    /// Any item.
    pub fn item(&mut self, node: Node<'_>) -> ast::Item {
        let span = node.span();
        let node = node.only();
        let kind = match node.rule() {
            Rule::players => ast::ItemKind::Players(node.children().rest(Rule::player).map(player).collect()),
            Rule::board => ast::ItemKind::Board(self.board(node)),
            Rule::piece => ast::ItemKind::Piece(piece(node)),
            Rule::option => ast::ItemKind::Option(self.option(node)),
            Rule::track => ast::ItemKind::Track(self.track(node)),
            Rule::remember => ast::ItemKind::Remember(self.stored(node.only(), false)),
            Rule::counter => ast::ItemKind::Remember(self.stored(node.only(), true)),
            Rule::define => ast::ItemKind::Define(self.define(node)),
            Rule::needs => ast::ItemKind::Needs(self.needs(node)),
            Rule::action => ast::ItemKind::Action(self.action(node)),
            Rule::setup => self.setup(node),
            Rule::turn => ast::ItemKind::Turn(self.turn(node)),
            Rule::after => ast::ItemKind::After(self.block(node.only())),
            Rule::end => ast::ItemKind::End(self.end(node)),
            Rule::view => ast::ItemKind::View(self.expr(node.only())),
            Rule::notation => ast::ItemKind::Notation(notation(node)),
            Rule::property => ast::ItemKind::Property(self.property(node)),
            Rule::example => ast::ItemKind::Example(self.example(node)),
            other => bug!("`{other:?}` is not an item"),
        };
        ast::Item { docs: self.docs_before(span.start), kind, span }
    }

    /// `board shape extras…`
    fn board(&mut self, node: Node<'_>) -> ast::Board {
        let mut parts = node.children();
        let shape = self.shape(parts.one(Rule::shape).only());
        let extras = parts.rest(Rule::board_extra).map(board_extra).collect();
        parts.end();
        ast::Board { shape, extras }
    }

    /// `square n`, `grid n by m`, …
    fn shape(&mut self, node: Node<'_>) -> ast::Shape {
        let rule = node.rule();
        let mut parts = node.children();
        match rule {
            Rule::square => ast::Shape::Square(self.sum(parts.one(Rule::sum))),
            Rule::grid => {
                let columns = self.sum(parts.one(Rule::sum));
                ast::Shape::Grid(columns, self.sum(parts.one(Rule::sum)))
            }
            Rule::hexagon => ast::Shape::Hexagon(self.sum(parts.one(Rule::sum))),
            Rule::rhombus => ast::Shape::Rhombus(self.sum(parts.one(Rule::sum))),
            Rule::triangle => ast::Shape::Triangle(self.sum(parts.one(Rule::sum))),
            Rule::line => ast::Shape::Line(self.sum(parts.one(Rule::sum))),
            Rule::drawing => ast::Shape::Drawing(self.sum(parts.one(Rule::sum))),
            Rule::graph => ast::Shape::Graph(parts.rest(Rule::link).map(|link| idents(&mut link.children())).collect()),
            other => bug!("`{other:?}` is not a shape"),
        }
    }

    /// `option name = default (or value, value…)`
    fn option(&mut self, node: Node<'_>) -> ast::OptionDecl {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let default = self.expr(parts.one(Rule::expr));
        let values = parts.rest(Rule::span).map(|value| self.span(value)).collect();
        parts.end();
        ast::OptionDecl { name, default, values }
    }

    /// `track name [per player | for Seat] [loop] = stretch, stretch…`
    fn track(&mut self, node: Node<'_>) -> ast::Track {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let per = opt_per(&mut parts);
        let owner = parts.opt(Rule::for_seat).map(|seat| ident(seat.only()));
        let closed = parts.has(Rule::kw_loop);
        let stretches = parts.rest(Rule::stretch).map(|stretch| self.stretch(stretch)).collect();
        parts.end();
        ast::Track { name, per, owner, closed, stretches }
    }

    /// `sites [going direction]`
    fn stretch(&mut self, node: Node<'_>) -> ast::Stretch {
        let mut parts = node.children();
        let sites = self.set(parts.one(Rule::set));
        let going = parts.opt(Rule::sum).map(|way| self.sum(way));
        parts.end();
        ast::Stretch { sites, going }
    }

    /// `[secret] [lasting] name [per …][: type][= expr]`
    fn stored(&mut self, node: Node<'_>, counter: bool) -> ast::Remember {
        let mut parts = node.children();
        let (mut secret, mut lasting) = (false, false);
        loop {
            match (parts.has(Rule::kw_secret), parts.has(Rule::kw_lasting)) {
                (false, false) => break,
                (is_secret, is_lasting) => (secret, lasting) = (secret | is_secret, lasting | is_lasting),
            }
        }
        let name = ident(parts.one(Rule::ident));
        let per = opt_per(&mut parts);
        let ty = parts.opt(Rule::type_).map(|ty| self.type_expr(ty));
        let init = parts.opt(Rule::expr).map(|init| self.expr(init));
        parts.end();
        ast::Remember { counter, secret, lasting, name, per, ty, init }
    }

    /// `int`, `red or blue`, `0..99`, `bag of …`
    fn type_expr(&mut self, node: Node<'_>) -> ast::TypeExpr {
        let span = node.span();
        let node = node.only();
        let kind = match node.rule() {
            Rule::bag => match self.named_or_range(node.only()) {
                Ok(name) => ast::TypeKind::BagOf(name),
                Err(range) => ast::TypeKind::BagOfRange(range),
            },
            Rule::words => ast::TypeKind::Words(idents(&mut node.children())),
            _ => match self.named_or_range(node) {
                Ok(name) => ast::TypeKind::Named(name),
                Err(range) => ast::TypeKind::Range(range),
            },
        };
        ast::TypeExpr { kind, span }
    }

    fn named_or_range(&mut self, node: Node<'_>) -> Result<ast::Name, ast::Expr> {
        let expr = self.span(node);
        match *expr.kind {
            ast::ExprKind::Name(name) => Ok(name),
            ast::ExprKind::Range(..) | ast::ExprKind::Error => Err(expr),
            _ => {
                let message = format!("\"{}\" is no type.", self.words(expr.span));
                self.error("syntax", expr.span, message).help =
                    Some("Types are: bool, int, 0..99, site, sites, dir, player, players, kind, red or blue, bag of 1..6, bag of kind.".into());
                Err(Self::nothing(expr.span))
            }
        }
    }

    /// `name(param, param…)`
    fn heading(&mut self, node: Node<'_>) -> ast::Head {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let params = parts.rest(Rule::param).map(|param| self.param(param)).collect();
        parts.end();
        ast::Head { name, params }
    }

    /// `name[: type][= default]`
    fn param(&mut self, node: Node<'_>) -> ast::Param {
        let mut parts = node.children();
        let name = ident(parts.one(Rule::ident));
        let ty = parts.opt(Rule::type_).map(|ty| self.type_expr(ty));
        let default = parts.opt(Rule::expr).map(|default| self.expr(default));
        parts.end();
        ast::Param { name, ty, default }
    }

    /// `define head = body`
    fn define(&mut self, node: Node<'_>) -> ast::Define {
        let mut parts = node.children();
        let head = self.heading(parts.one(Rule::heading));
        let body = self.expr(parts.one(Rule::expr));
        parts.end();
        ast::Define { head, body }
    }

    /// `needs head: type`
    fn needs(&mut self, node: Node<'_>) -> ast::Needs {
        let mut parts = node.children();
        let head = self.heading(parts.one(Rule::heading));
        let ty = self.type_expr(parts.one(Rule::type_));
        parts.end();
        ast::Needs { head, ty }
    }

    /// `action head {…}`
    fn action(&mut self, node: Node<'_>) -> ast::Action {
        let mut parts = node.children();
        let head = self.heading(parts.one(Rule::heading));
        let body = self.block(parts.one(Rule::block));
        parts.end();
        ast::Action { head, body }
    }

    /// `setup {…}` or `setup """…"""`
    fn setup(&mut self, node: Node<'_>) -> ast::ItemKind {
        let node = node.only();
        match node.rule() {
            Rule::block => ast::ItemKind::Setup(self.block(node)),
            _ => ast::ItemKind::SetupDiagram(text(node)),
        }
    }

    /// `turn [by outcome] {…}`
    fn turn(&mut self, node: Node<'_>) -> ast::Turn {
        let mut parts = node.children();
        let by_outcome = parts.has(Rule::kw_outcome);
        let body = self.block(parts.one(Rule::block));
        parts.end();
        ast::Turn { by_outcome, body }
    }

    /// `end {…}`
    fn end(&mut self, node: Node<'_>) -> Vec<ast::EndLine> {
        let mut parts = node.children();
        let mut lines = Vec::new();
        while let Some(line) = parts.opt_any() {
            match line.rule() {
                Rule::base => lines.push(ast::EndLine::Base(line.span())),
                Rule::ending => lines.push(ast::EndLine::Ending(self.ending(line))),
                Rule::broken => self.broken(line),
                other => bug!("`{other:?}` is no line of an end"),
            }
        }
        lines
    }

    /// `[name:] result when condition`
    fn ending(&mut self, node: Node<'_>) -> ast::Ending {
        let span = node.span();
        let mut parts = node.children();
        let name = parts.opt(Rule::reason).map(|reason| ident(reason.only()));
        let result = self.result(parts.one(Rule::result).only());
        let when = match parts.opt(Rule::named_conds) {
            Some(conds) => conds.children().rest(Rule::named_cond).map(|cond| self.named_cond(cond)).collect(),
            None => vec![(None, self.expr(parts.one(Rule::expr)))],
        };
        parts.end();
        ast::Ending { docs: self.docs_before(span.start), name, result, when, span }
    }

    /// `name: condition`
    fn named_cond(&mut self, node: Node<'_>) -> (Option<ast::Name>, ast::Expr) {
        let mut parts = node.children();
        let reason = ident(parts.one(Rule::reason).only());
        let cond = self.expr(parts.one(Rule::expr));
        parts.end();
        (Some(reason), cond)
    }

    /// `draw`, `rank by e`, `P wins`, …
    fn result(&mut self, node: Node<'_>) -> ast::GameResult {
        let rule = node.rule();
        let mut parts = node.children();
        match rule {
            Rule::draw => ast::GameResult::Draw,
            Rule::unfinished => ast::GameResult::Unfinished,
            Rule::rank => ast::GameResult::Rank(parts.rest(Rule::expr).map(|key| self.expr(key)).collect()),
            Rule::outcome => {
                let player = self.postfix(parts.one(Rule::postfix));
                if parts.has(Rule::kw_loses) || parts.has(Rule::kw_lose) {
                    return ast::GameResult::Loses(player);
                }
                let by = parts.opt(Rule::sum).map(|by| self.sum(by));
                parts.end();
                ast::GameResult::Wins(player, by)
            }
            other => bug!("`{other:?}` is not a result"),
        }
    }

    /// `property "…" keeps e`
    fn property(&mut self, node: Node<'_>) -> ast::Property {
        let mut parts = node.children();
        let title = text(parts.one(Rule::text));
        let claim = if parts.has(Rule::kw_keeps) {
            ast::Claim::Keeps
        } else if parts.has(Rule::kw_lowers) {
            ast::Claim::Lowers
        } else if parts.has(Rule::kw_raises) {
            ast::Claim::Raises
        } else {
            ast::Claim::Holds
        };
        let expr = self.expr(parts.one(Rule::expr));
        parts.end();
        ast::Property { title, claim, expr }
    }

    /// The head of a file that could not be read.
    pub fn no_head(span: Span) -> ast::FileHead {
        ast::FileHead::Game { title: ast::Text { value: String::new(), span }, extends: None }
    }
}

/// `Red north`
fn player(node: Node<'_>) -> ast::Player {
    let mut parts = node.children();
    let name = ident(parts.one(Rule::ident));
    let facing = parts.opt(Rule::ident).map(ident);
    parts.end();
    ast::Player { name, facing }
}

/// `stacked`, `names "…"`, `with …`, `plus …`
fn board_extra(node: Node<'_>) -> ast::BoardExtra {
    let node = node.only();
    let span = node.span();
    match node.rule() {
        Rule::stacked => ast::BoardExtra::Stacked(span),
        Rule::names => ast::BoardExtra::Names(text(node.only())),
        Rule::with => ast::BoardExtra::With(idents(&mut node.children())),
        Rule::plus => ast::BoardExtra::Plus(node.children().rest(Rule::extra).map(extra).collect()),
        other => bug!("`{other:?}` is nothing a board has"),
    }
}

/// `bar [per player]`
fn extra(node: Node<'_>) -> ast::ExtraSite {
    let mut parts = node.children();
    let name = ident(parts.one(Rule::ident));
    let per = opt_per(&mut parts);
    parts.end();
    ast::ExtraSite { name, per }
}

/// `per player`, `per site`, `per kind`
fn opt_per(parts: &mut Children<'_>) -> Option<ast::Per> {
    let mut per = parts.opt(Rule::per)?.children();
    Some(if per.has(Rule::kw_player) {
        ast::Per::Player
    } else if per.has(Rule::kw_site) {
        ast::Per::Site
    } else {
        ast::Per::Kind
    })
}

/// `piece king "Kk", pawn "Pp" [for Seat]`
fn piece(node: Node<'_>) -> ast::Piece {
    let mut parts = node.children();
    let kinds = parts.rest(Rule::kind).map(kind).collect();
    let owner = parts.opt(Rule::for_seat).map(|seat| ident(seat.only()));
    parts.end();
    ast::Piece { kinds, owner }
}

/// `king "Kk"`
fn kind(node: Node<'_>) -> ast::KindDecl {
    let mut parts = node.children();
    let name = ident(parts.one(Rule::ident));
    let symbols = parts.opt(Rule::text).map(text);
    parts.end();
    ast::KindDecl { name, symbols }
}

/// `notation from "-" dest`
fn notation(node: Node<'_>) -> Vec<ast::NotationPart> {
    let mut parts = node.children();
    std::iter::from_fn(|| parts.opt_any())
        .map(|part| match part.rule() {
            Rule::ident => ast::NotationPart::Name(ident(part)),
            _ => ast::NotationPart::Text(text(part)),
        })
        .collect()
}
