//! One thing where another is wanted: a site is the set of itself, a kind the sites that hold it, a step its site.

use super::{Checker, errors, mk, unknown};
use crate::rules::{BagTy, Expr, ExprKind, PerWhat, Ty};
use crate::source::Span;
use crate::syntax::ast;

impl Checker<'_> {
    /// Reads an expression where this type is wanted.
    pub(super) fn need(&mut self, e: &ast::Expr, want: Ty) -> Expr {
        let value = self.expr(e, Some(want));
        self.coerce(value, want)
    }

    /// Makes a value the wanted type, or says why that cannot be.
    pub(super) fn coerce(&mut self, e: Expr, want: Ty) -> Expr {
        let e = self.not_too_wide(e);
        if e.ty == want || e.ty == Ty::Unknown || want == Ty::Unknown {
            return e;
        }
        let span = e.span;
        match self.convert(e, want) {
            Ok(e) => e,
            Err(e) => {
                let words = self.words_of(span);
                if e.ty == Ty::Site && want == Ty::Step && self.say_passed_twice(&words, &e) {
                    return unknown(span);
                }
                let track = (self.tracks.len() == 1).then(|| self.tracks[0].0.clone());
                self.say(errors::wrong_type(&words, e.ty, want, track.as_deref(), span));
                Expr { ty: Ty::Unknown, ..unknown(span) }
            }
        }
    }

    /// Can a value of this type be made that one?
    pub(super) fn fits(&self, from: Ty, to: Ty) -> bool {
        from == to || self.conversion(from, to)
    }

    fn conversion(&self, from: Ty, to: Ty) -> bool {
        let probe = Expr { kind: ExprKind::Const(0), ty: from, span: Span::default() };
        self.convert(probe, to).is_ok()
    }

    fn convert(&self, e: Expr, want: Ty) -> Result<Expr, Expr> {
        use ExprKind as K;
        let (ty, span) = (e.ty, e.span);
        let one = |e: Expr| Box::new(e);
        Ok(match (ty, want) {
            (a, b) if a == b => e,
            (Ty::Track, Ty::Step) => mk(K::TrackStart(one(e)), want, span),
            (Ty::Track, Ty::Sites) => mk(K::TrackSites(one(e)), want, span),
            (Ty::Track, Ty::Site) => {
                let start = mk(K::TrackStart(one(e)), Ty::Step, span);
                mk(K::StepSite(one(start)), want, span)
            }
            (Ty::Step, Ty::Site) => mk(K::StepSite(one(e)), want, span),
            (Ty::Step, Ty::Int) => mk(K::StepPlace(one(e)), want, span),
            (Ty::Step, Ty::Sites) => {
                let site = mk(K::StepSite(one(e)), Ty::Site, span);
                mk(K::Single(one(site)), want, span)
            }
            // Nowhere is on every track.
            (Ty::Site, Ty::Step) if e.as_const() == Some(crate::rules::NONE) => {
                Expr::scalar(crate::rules::NONE, want, span)
            }
            (Ty::Site, Ty::Step) if self.tracks.len() == 1 && self.passed_twice(&self.tracks[0].1, None).is_none() => {
                let walks = self.tracks[0].1.clone();
                let track = mk(K::TrackOf(walks), Ty::Track, span);
                mk(K::SiteStep(one(e), one(track)), want, span)
            }
            (Ty::Kind, Ty::Sites) => mk(K::KindSites(one(e)), want, span),
            (Ty::Kinds, Ty::Sites) => mk(K::KindsSites(one(e)), want, span),
            (Ty::Word(list), Ty::Sites) => match self.labelled_by(list) {
                Some(var) => mk(K::Labelled(var, one(e)), want, span),
                None => return Err(e),
            },
            (Ty::Table(var), Ty::Sites) => match self.rules.vars[usize::from(var)].ty {
                Ty::Word(_) => return Err(e),
                _ => mk(K::Counted(var), want, span),
            },
            (Ty::Site, Ty::Sites) => match e.as_const() {
                Some(site) => {
                    let set = crate::rules::SiteSet::of(self.rules.n_sites(), [site]);
                    mk(K::ConstSites(set), want, span)
                }
                None => mk(K::Single(one(e)), want, span),
            },
            (Ty::Player, Ty::Players) | (Ty::Dir, Ty::Dirs) | (Ty::Kind, Ty::Kinds) => single_mask(e, want),
            (Ty::Word(a), Ty::Words(b)) if a == b => single_mask(e, want),
            (Ty::Bag(a), Ty::Bag(b)) if a.kinds == b.kinds => mk(K::Rebag(one(e)), want, span),
            (Ty::Int, Ty::Bag(bag)) if !bag.kinds => mk(K::Single(one(e)), want, span),
            (Ty::Step, Ty::Bag(bag)) if !bag.kinds => {
                let place = mk(K::StepPlace(one(e)), Ty::Int, span);
                mk(K::Single(one(place)), want, span)
            }
            (Ty::Kind, Ty::Bag(bag)) if bag.kinds => mk(K::Single(one(e)), want, span),
            (Ty::Kinds, Ty::Bag(bag)) if bag.kinds => match e.kind {
                K::ConstMask(mask) => {
                    let counts = (0..bag.n).map(|i| (mask >> (i32::from(i) + bag.lo) & 1) as u8).collect();
                    mk(K::ConstBag(counts), want, span)
                }
                _ => return Err(e),
            },
            // Nothing is in no set, whatever the set is of.
            (Ty::Sites, _) if is_nothing(&e) => match want {
                Ty::Bag(bag) => mk(K::ConstBag(vec![0; bag.n as usize]), want, span),
                _ if want.is_mask() => mk(K::ConstMask(0), want, span),
                Ty::Site => Expr { ty: want, ..Expr::scalar(crate::rules::NONE, want, span) },
                _ => return Err(e),
            },
            (Ty::Site, Ty::Player | Ty::Kind | Ty::Dir) if e.as_const() == Some(crate::rules::NONE) => {
                Expr::scalar(crate::rules::NONE, want, span)
            }
            (Ty::Player, Ty::Site | Ty::Kind | Ty::Dir) if e.as_const() == Some(crate::rules::NONE) => {
                Expr::scalar(crate::rules::NONE, want, span)
            }
            _ => return Err(e),
        })
    }

    /// A range of numbers as a bag holds 16 of them at most; what merely runs through numbers or asks about one holds none.
    pub(super) fn not_too_wide(&mut self, e: Expr) -> Expr {
        if let ExprKind::BagRange(lo, hi) = &e.kind
            && let (Some(lo), Some(hi)) = (lo.as_const(), hi.as_const())
            && i64::from(hi) - i64::from(lo) >= 16
        {
            self.say(errors::bag_too_wide(e.span));
            return unknown(e.span);
        }
        e
    }

    /// Says that a site is two steps of the only track, if it is.
    fn say_passed_twice(&mut self, words: &str, site: &Expr) -> bool {
        let [(track, walks)] = &self.tracks[..] else { return false };
        let Some(twice) = self.passed_twice(walks, site.as_const()) else { return false };
        let diag = errors::passed_twice(words, track, &twice, site.as_const().is_some(), site.span);
        self.say(diag);
        true
    }

    /// The only `per site` table of words of this list.
    pub(super) fn labelled_by(&self, list: u16) -> Option<u16> {
        let mut found = (0..self.rules.vars.len())
            .filter(|&i| self.rules.vars[i].ty == Ty::Word(list) && self.rules.vars[i].per == PerWhat::Site);
        let first = found.next()?;
        found.next().is_none().then_some(first as u16)
    }

    /// Makes a value a set, whatever it is of.
    pub(super) fn as_set(&mut self, e: Expr) -> Expr {
        let e = self.not_too_wide(e);
        let want = match e.ty {
            Ty::Player => Ty::Players,
            Ty::Dir => Ty::Dirs,
            Ty::Word(list) if self.labelled_by(list).is_none() => Ty::Words(list),
            Ty::Unknown | Ty::Players | Ty::Dirs | Ty::Kinds | Ty::Words(_) | Ty::Bag(_) | Ty::Sites => return e,
            Ty::Int | Ty::Bool | Ty::Text => {
                let words = self.words_of(e.span);
                self.say(errors::no_set(&words, e.ty, e.span));
                return unknown(e.span);
            }
            _ => Ty::Sites,
        };
        self.coerce(e, want)
    }

    /// The type that both can be made; none if there is none.
    pub(super) fn common(&self, a: &Expr, b: &Expr) -> Option<Ty> {
        let (x, y) = (a.ty, b.ty);
        if x == Ty::Unknown || y == Ty::Unknown || x == y {
            return Some(if x == Ty::Unknown { y } else { x });
        }
        if is_nothing(a) && (y.is_mask() || matches!(y, Ty::Bag(_))) {
            return Some(y);
        }
        if is_nothing(b) && (x.is_mask() || matches!(x, Ty::Bag(_))) {
            return Some(x);
        }
        // Nowhere and nobody are of any such type.
        if a.as_const() == Some(crate::rules::NONE) && matches!(x, Ty::Site | Ty::Player) && self.fits_none(y) {
            return Some(y);
        }
        if b.as_const() == Some(crate::rules::NONE) && matches!(y, Ty::Site | Ty::Player) && self.fits_none(x) {
            return Some(x);
        }
        if let (Ty::Bag(p), Ty::Bag(q)) = (x, y) {
            return (p.kinds == q.kinds).then(|| Ty::Bag(widest(p, q)));
        }
        let order = [Ty::Step, Ty::Site, Ty::Int, Ty::Sites, Ty::Players, Ty::Dirs, Ty::Kinds];
        if self.fits(x, y) && self.fits(y, x) {
            return order.into_iter().rev().find(|&ty| ty == x || ty == y).or(Some(y));
        }
        if self.fits(x, y) {
            return Some(y);
        }
        if self.fits(y, x) {
            return Some(x);
        }
        order.into_iter().find(|&ty| self.fits(x, ty) && self.fits(y, ty))
    }

    fn fits_none(&self, ty: Ty) -> bool {
        matches!(ty, Ty::Site | Ty::Player | Ty::Kind | Ty::Dir | Ty::Step)
    }
}

/// Is it the empty set as `{}` writes it?
pub(super) fn is_nothing(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::ConstSites(set) if set.is_empty())
}

/// The bag type that holds what both can hold; cut to 16 different things.
pub(super) fn widest(a: BagTy, b: BagTy) -> BagTy {
    let lo = a.lo.min(b.lo);
    let end = |bag: BagTy| i64::from(bag.lo) + i64::from(bag.n);
    let n = end(a).max(end(b)) - i64::from(lo);
    BagTy { kinds: a.kinds, lo, n: n.clamp(1, 16) as u8 }
}

fn single_mask(e: Expr, want: Ty) -> Expr {
    let span = e.span;
    match e.as_const() {
        Some(code) if (0..64).contains(&code) => mk(ExprKind::ConstMask(1 << code), want, span),
        Some(_) => mk(ExprKind::ConstMask(0), want, span),
        None => mk(ExprKind::Single(Box::new(e)), want, span),
    }
}
