//! Set algebra as a sum of products, written as a row of terms that are all worked out alike: without asking what comes next.
//!
//! In come steps, see `flat.rs`. Each term is a set at hand, moved, perhaps turned into what it leaves over; terms up to a last one are
//! multiplied, and what comes out is added to the sum.

use super::bits::Set;
use super::core::Core;
use super::flat::{Leaf, Step};
use crate::rules::expr::SetOp;

/// One of the sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Term<const W: usize> {
    /// Its first word.
    pub at: u32,
    /// Is it in the registers?
    pub reg: bool,
    /// So many numbers higher; lower if below 0.
    pub by: i32,
    /// Only these, before they are moved.
    pub mask: Set<W>,
    /// Those that are in it when they are not, and the other way round.
    pub flip: Set<W>,
    /// Everything if a product ends here, else nothing.
    pub last: Set<W>,
}

/// A set, or what it leaves over.
#[derive(Clone)]
struct Factor<const W: usize> {
    leaf: Leaf<W>,
    not: bool,
}

/// Factors of a product.
type Product<const W: usize> = Vec<Factor<W>>;

impl<const W: usize> Core<'_, W> {
    /// Works out the sum.
    #[inline(never)]
    pub fn terms_of(&self, terms: &[Term<W>]) -> Set<W> {
        self.terms(terms)
    }

    /// The same, written out where it is asked for.
    #[inline(always)]
    pub fn terms(&self, terms: &[Term<W>]) -> Set<W> {
        let (mut sum, mut product) = (Set::EMPTY, Set([u64::MAX; W]));
        for term in terms {
            let words = if term.reg { &self.r } else { &self.b };
            let set = super::eval::read(words, term.at).and(term.mask).turned(term.by);
            product = product.and(set.xor(term.flip));
            sum = sum.or(product.and(term.last));
            product = product.or(term.last);
        }
        sum
    }
}

/// The terms of steps; none if they are no sum of products, or too long a one.
pub fn of<const W: usize>(steps: &[Step<W>]) -> Option<Vec<Term<W>>> {
    // Wide sets are moved slowly; a term always is.
    if W > 2 {
        return None;
    }
    let most = steps.len() + 2;
    let mut stack: Vec<Vec<Product<W>>> = Vec::new();
    let factor = |leaf: &Leaf<W>, not: bool| Factor { leaf: leaf.clone(), not };
    for step in steps {
        match step {
            Step::Load(leaf) => stack.push(vec![vec![factor(leaf, false)]]),
            Step::And(leaf) => stack.last_mut()?.iter_mut().for_each(|product| product.push(factor(leaf, false))),
            Step::Minus(leaf) => stack.last_mut()?.iter_mut().for_each(|product| product.push(factor(leaf, true))),
            Step::Or(leaf) => stack.last_mut()?.push(vec![factor(leaf, false)]),
            // What is moved when it has been put together is no product.
            Step::Up(..) | Step::Down(..) => return None,
            Step::Join(op) => {
                let (b, a) = (stack.pop()?, stack.pop()?);
                stack.push(match op {
                    SetOp::And => times(&a, &b),
                    SetOp::Or | SetOp::Add => [a, b].concat(),
                    SetOp::Minus => b.iter().fold(a, |a, product| times(&a, &negated(product))),
                });
            }
        }
        let size: usize = stack.iter().flatten().map(Vec::len).sum();
        if size > most {
            return None;
        }
    }
    let sum = stack.pop()?;
    let mut terms = Vec::new();
    for product in sum {
        let from = terms.len();
        for factor in product {
            let term = term(&factor)?;
            // What is always the same becomes part of the mask of what stands before it.
            if let Leaf::Const(known) = factor.leaf
                && let Some(before) = terms[from..].last_mut()
                && let Term { flip, mask, by, .. } = before
                && flip.is_empty()
            {
                let known = if factor.not { Set([u64::MAX; W]).minus(known) } else { known };
                *mask = mask.and(known.turned(-*by));
                continue;
            }
            terms.push(term);
        }
        terms.last_mut()?.last = Set([u64::MAX; W]);
    }
    Some(terms)
}

fn times<const W: usize>(a: &[Product<W>], b: &[Product<W>]) -> Vec<Product<W>> {
    a.iter().flat_map(|a| b.iter().map(move |b| [a.clone(), b.clone()].concat())).collect()
}

fn negated<const W: usize>(product: &Product<W>) -> Vec<Product<W>> {
    product.iter().map(|factor| vec![Factor { leaf: factor.leaf.clone(), not: !factor.not }]).collect()
}

fn term<const W: usize>(factor: &Factor<W>) -> Option<Term<W>> {
    let all = Set([u64::MAX; W]);
    let flip = if factor.not { all } else { Set::EMPTY };
    let (at, reg, by, mask, flip) = match &factor.leaf {
        Leaf::Word(at) => (*at, false, 0, all, flip),
        Leaf::Reg(at) => (*at, true, 0, all, flip),
        Leaf::Const(set) => (0, false, 0, Set::EMPTY, set.xor(flip)),
        Leaf::Up(at, mask, n) => (*at, false, *n as i32, *mask, flip),
        Leaf::Down(at, mask, n) => (*at, false, -(*n as i32), *mask, flip),
        Leaf::Site(_) => return None,
    };
    Some(Term { at, reg, by, mask, flip, last: Set::EMPTY })
}
