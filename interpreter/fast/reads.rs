//! Which slots compiled expressions read.

use super::code::*;
use super::flat::{Leaf, Step};

/// Something whose slots can be listed.
pub trait Reads {
    /// Hands over every slot that is read inside.
    fn slots(&self, f: &mut dyn FnMut(Slot));
}

impl<T: Reads, const W: usize> Reads for Pick<T, W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Pick::If(c, a, b) => {
                c.slots(f);
                a.slots(f);
                b.slots(f);
            }
            Pick::Match(on, arms, other) => {
                on.slots(f);
                arms.iter().for_each(|(_, arm)| arm.slots(f));
                other.slots(f);
            }
            Pick::Let(binds, body) => {
                binds.iter().for_each(|bind| bind.value.slots(f));
                body.slots(f);
            }
            Pick::Otherwise(list) => list.iter().for_each(|x| x.slots(f)),
        }
    }
}

impl<A: Reads, B: Reads> Reads for (A, B) {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        self.0.slots(f);
        self.1.slots(f);
    }
}

impl<T: Reads> Reads for Option<T> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        if let Some(x) = self {
            x.slots(f);
        }
    }
}

impl<const W: usize> Reads for Val<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Val::Int(x) => x.slots(f),
            Val::Mask(x) => x.slots(f),
            Val::Set(x) => x.slots(f),
            Val::Bag(x) => x.slots(f),
            Val::Table(x) => x.slots(f),
        }
    }
}

impl<const W: usize> Reads for Flood<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        self.from.slots(f);
        self.gates.iter().for_each(|gate| gate.slots(f));
        self.within.slots(f);
        self.via.slots(f);
        self.limit.slots(f);
    }
}

impl<const W: usize> Reads for Numbers<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Numbers::Var(_) => {}
            Numbers::Slot(slot) => f(*slot),
            Numbers::Pick(pick) => pick.slots(f),
        }
    }
}

impl<const W: usize> Reads for Int<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Int::Const(_) | Int::Repeats | Int::BoardRepeats | Int::LoopLength => {}
            Int::Slot(slot) => f(*slot),
            Int::Entry(_, a)
            | Int::Lookup(_, a)
            | Int::Step(_, a)
            | Int::Negate(a)
            | Int::Abs(a)
            | Int::Opposite(a)
            | Int::KindAt(a)
            | Int::OwnerAt(a)
            | Int::HeightAt(a)
            | Int::StepPlace(a)
            | Int::StepSite(a)
            | Int::TrackStart(a) => a.slots(f),
            Int::At(table, a) => {
                table.slots(f);
                a.slots(f);
            }
            Int::Go(_, a, b) => {
                a.slots(f);
                b.slots(f);
            }
            Int::Walk(parts) => {
                parts.0.slots(f);
                parts.1.slots(f);
                parts.2.slots(f);
            }
            Int::Arith(_, parts)
            | Int::Toward(parts)
            | Int::Turned(parts)
            | Int::Side(parts)
            | Int::StepOn(parts)
            | Int::SiteStep(parts) => {
                parts.slots(f);
            }
            Int::Least(list) | Int::Greatest(list) => list.iter().for_each(|x| x.slots(f)),
            Int::Bool(c) => c.slots(f),
            Int::Pick(pick) => pick.slots(f),
            Int::Count(s) | Int::The(s) | Int::Heap(_, s) => s.slots(f),
            Int::CountMask(s) | Int::TheMask(s) => s.slots(f),
            Int::Bagged(_, _, b) => b.slots(f),
            Int::BagCount(_, parts) => parts.slots(f),
            Int::Fold(_, loops, body) => {
                loops.slots(f);
                body.slots(f);
            }
        }
    }
}

impl<const W: usize> Reads for Cond<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Cond::Const(_) | Cond::Stuck | Cond::Unchanged => {}
            Cond::True(a) => a.slots(f),
            Cond::Not(c) => c.slots(f),
            Cond::And(parts) | Cond::Or(parts) => parts.slots(f),
            Cond::Compare(_, parts) => parts.slots(f),
            Cond::SameSites(parts) | Cond::Within(parts) => parts.slots(f),
            Cond::SameMask(parts) | Cond::WithinMask(parts) => parts.slots(f),
            Cond::SameBag(parts) | Cond::WithinBag(parts) => parts.slots(f),
            Cond::In(parts) => parts.slots(f),
            Cond::InMask(parts) => parts.slots(f),
            Cond::InBag(_, parts) => parts.slots(f),
            Cond::Some(s) => s.slots(f),
            Cond::Meets(meets) => {
                meets.of.slots(f);
                meets.flood.slots(f);
            }
            Cond::SomeMask(s) => s.slots(f),
            Cond::SomeBag(s) => s.slots(f),
            Cond::Any(loops) => loops.slots(f),
            Cond::Pick(pick) => pick.slots(f),
        }
    }
}

impl<const W: usize> Reads for Sites<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Sites::Const(_) => {}
            Sites::Flat(steps) => steps.iter().for_each(|step| step.slots(f)),
            Sites::Terms(terms) => terms.iter().filter(|term| !term.mask.is_empty()).for_each(|term| {
                f(if term.reg { Slot::Reg(term.at) } else { Slot::Word(term.at) });
            }),
            Sites::Slot(slot) => f(*slot),
            Sites::Nth(_, _, a)
            | Sites::OwnedBy(a)
            | Sites::Labelled(_, _, a)
            | Sites::Table(_, _, a)
            | Sites::Single(a)
            | Sites::TrackSites(a) => a.slots(f),
            Sites::Kinds(mask) => mask.slots(f),
            Sites::Op(_, parts) => parts.slots(f),
            Sites::Not(a) | Sites::Shift(_, a) | Sites::Back(_, a) => a.slots(f),
            Sites::When(c) => c.slots(f),
            Sites::ShiftDyn(parts) => {
                parts.0.slots(f);
                parts.1.slots(f);
                parts.2.slots(f);
            }
            Sites::ShiftAll(parts) => {
                parts.0.slots(f);
                parts.1.slots(f);
                parts.2.slots(f);
            }
            Sites::Pick(pick) => pick.slots(f),
            Sites::Rectangle(parts) | Sites::StepRange(parts) => parts.slots(f),
            Sites::Filter(_, parts) => parts.slots(f),
            Sites::Union(loops, body) => {
                loops.slots(f);
                body.slots(f);
            }
            Sites::Collect(loops, body) => {
                loops.slots(f);
                body.slots(f);
            }
            Sites::Ray(ray) | Sites::Slide(_, ray) => {
                ray.from.slots(f);
                ray.dir.slots(f);
                ray.over.slots(f);
                ray.limit.slots(f);
            }
            Sites::Sights(_, _, parts) => parts.slots(f),
            Sites::Relate(_, _, set) => set.slots(f),
            Sites::Twos(_, parts) => parts.2.slots(f),
            Sites::Rows(rows) => rows.of.slots(f),
            Sites::Flood(flood) => flood.slots(f),
            Sites::Spread(_, parts) => {
                parts.0.slots(f);
                parts.1.slots(f);
                parts.2.slots(f);
            }
        }
    }
}

impl<const W: usize> Reads for Step<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Step::Load(leaf) | Step::And(leaf) | Step::Or(leaf) | Step::Minus(leaf) => match leaf {
                Leaf::Word(at) | Leaf::Site(at) | Leaf::Up(at, ..) | Leaf::Down(at, ..) => f(Slot::Word(*at)),
                Leaf::Reg(at) => f(Slot::Reg(*at)),
                Leaf::Const(_) => {}
            },
            Step::Up(..) | Step::Down(..) | Step::Join(_) => {}
        }
    }
}

impl<const W: usize> Reads for Mask<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Mask::Const(_) => {}
            Mask::Slot(slot) => f(*slot),
            Mask::Entry(_, a) | Mask::Single(a) | Mask::Lookup(_, a) => a.slots(f),
            Mask::Op(_, parts) => parts.slots(f),
            Mask::Filter(_, parts) => parts.slots(f),
            Mask::Union(loops, body) => {
                loops.slots(f);
                body.slots(f);
            }
            Mask::Collect(loops, body) => {
                loops.slots(f);
                body.slots(f);
            }
            Mask::Pick(pick) => pick.slots(f),
        }
    }
}

impl<const W: usize> Reads for Bag<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Bag::Const(_) => {}
            Bag::Slot(slot) => f(*slot),
            Bag::Entry(_, a) | Bag::Single(_, a) => a.slots(f),
            Bag::Op(_, parts) => parts.slots(f),
            Bag::Rebag(_, _, b) => b.slots(f),
            Bag::Range(_, parts) => parts.slots(f),
            Bag::Filter(_, _, parts) => parts.slots(f),
            Bag::Pick(pick) => pick.slots(f),
        }
    }
}

impl<const W: usize> Reads for Dom<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        match self {
            Dom::Sites(s) | Dom::Steps(_, s) => s.slots(f),
            Dom::Going(s, d) => {
                s.slots(f);
                d.slots(f);
            }
            Dom::Mask(m) | Dom::Seats(m, _) => m.slots(f),
            Dom::Bag(_, b) => b.slots(f),
            Dom::Range(a, b, _) => {
                a.slots(f);
                b.slots(f);
            }
            Dom::Track(t) => t.slots(f),
            Dom::Listed(_) | Dom::Lines(_) => {}
        }
    }
}

impl<const W: usize> Reads for Loops<W> {
    fn slots(&self, f: &mut dyn FnMut(Slot)) {
        self.loops.iter().for_each(|one| one.dom.slots(f));
        self.filter.slots(f);
    }
}
