//! Finds choices whose runs end with a condition that hardly any of them can break, such as "your king is not attacked", and counts
//! them without going through each.
//!
//! A run takes a piece from a site, puts it on another, and may do more that the condition does not read. What is forbidden is made of
//! sets that can only grow where the piece has left: others have no more pieces than before, and no site becomes empty but that one. So
//! if it does not hold with the piece lifted off, it does not hold wherever the piece arrives. Runs that do other things, or move what
//! the condition is about, are gone through one by one.

use super::bits::Set;
use super::code::*;
use super::core::Core;
use super::goal::Goal;
use super::lift::Lift;
use super::plan::{How, Pairs, Plan, offered};
use super::reads::Reads;
use super::run::Stop;
use super::sets::union;
use crate::play::Trouble;
use crate::rules::expr::{Cmp, SetOp};

/// What is known of the runs from a choice.
#[derive(Clone, Debug)]
pub struct Sure<const W: usize> {
    /// A site and where its piece goes.
    pub pairs: Pairs<W>,
    /// Whose pieces go: the word of their sites.
    pub own: u32,
    /// What must not hold after a run.
    pub guard: Cond<W>,
    /// Sites of pieces that it is about.
    pub stable: Vec<Sites<W>>,
    /// From where leaving may make it hold; none said: from anywhere.
    pub reach: Option<Sites<W>>,
    /// Runs that do other things: from these, to those.
    pub odd: Vec<(Sites<W>, Sites<W>)>,
}

/// What becomes of a set when a lifted piece is put on a site, in place of what is there.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Change {
    /// Nothing.
    Same,
    /// The site is not in it; otherwise there is no more than before.
    Gone,
    /// There is no more than before.
    Less,
    /// There is no more than before but perhaps the site.
    Near,
}

/// How many nodes are looked at.
const MOST: u32 = 400;

/// Finds out about a choice.
pub fn find<const W: usize>(p: &Program<W>, at: u32) -> Option<Sure<W>> {
    let Some(Plan::Guess(inner, _)) = &p.plans[at as usize] else {
        return None;
    };
    let (Plan::Pairs(pairs), Op::Choose(first)) = (&**inner, &p.nodes[at as usize].op) else {
        return None;
    };
    let second = &p.nodes[pairs.second as usize];
    let Op::Choose(to) = &second.op else {
        return None;
    };
    if p.layout.piles.is_some() || p.rules.by_outcome || p.n_best > 0 || p.has_by {
        return None;
    }
    let (x, y) = (first.name.to, to.name.to);
    let owner = Lift::of(&p.layout, x).through(&offered(first)?).owner()?;
    let own = p.layout.seat0 + owner as u32 * W as u32;
    let mut walk = Walking { p, x, y, guard: None, written: Vec::new(), left: MOST };
    let mut odd = Vec::new();
    walk.plain(second.next, Vec::new(), false, &mut odd)?;
    let Op::Require(Cond::Not(guard)) = &p.nodes[walk.guard? as usize].op else {
        return None;
    };
    let mut look = Looking {
        p,
        own,
        written: walk.written,
        names: Vec::new(),
        stable: Vec::new(),
        reach: Vec::new(),
        anywhere: false,
    };
    look.cond(guard)?;
    let reach = (!look.anywhere).then(|| union(look.reach));
    Some(Sure { pairs: pairs.clone(), own, guard: (**guard).clone(), stable: look.stable, reach, odd })
}

/// Words of the block: the first, and the one after the last.
type Words = (u32, u32);

/// Follows what happens after the choices.
struct Walking<'p, const W: usize> {
    p: &'p Program<W>,
    x: Slot,
    y: Slot,
    guard: Option<u32>,
    written: Vec<Words>,
    left: u32,
}

impl<const W: usize> Walking<'_, W> {
    /// Does a run from here do no more than move the piece and write what can be named, up to one condition that is asked last?
    /// Those that do other things are told.
    fn plain(
        &mut self,
        start: u32,
        mut written: Vec<Words>,
        mut moved: bool,
        odd: &mut Vec<(Sites<W>, Sites<W>)>,
    ) -> Option<()> {
        let p = self.p;
        let mut at = start;
        loop {
            self.left = self.left.checked_sub(1)?;
            let node = &p.nodes[at as usize];
            match &node.op {
                Op::Skip => {}
                Op::Bind(bind, _) => {
                    if let Slot::Word(to) = bind.to {
                        written.push((to, to + W as u32));
                    }
                }
                Op::SetVar(var, ..) => {
                    let place = &p.layout.vars[*var as usize];
                    written.push((place.base, place.base + place.n * place.stride));
                }
                Op::Next(_) => written.push((p.layout.next, p.layout.next + 1)),
                Op::Move(Int::Slot(from), Int::Slot(to)) if !moved && *from == self.x && *to == self.y => moved = true,
                Op::Branch(c, yes, no) => {
                    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                    let a = self.plain(*yes, written.clone(), moved, &mut ours);
                    let b = self.plain(*no, written.clone(), moved, &mut theirs);
                    match (a, b, c) {
                        (Some(()), Some(()), _) => {}
                        (None, Some(()), c) => self.cases(c, &written, moved, odd)?,
                        (Some(()), None, Cond::Not(c)) => self.cases(c, &written, moved, odd)?,
                        _ => return None,
                    }
                    odd.extend(ours);
                    odd.extend(theirs);
                    return Some(());
                }
                Op::Require(_) => {
                    if !moved || !p.nodes[node.next as usize].tail || p.nodes[node.next as usize].notes {
                        return None;
                    }
                    if self.guard.is_some_and(|guard| guard != at) {
                        return None;
                    }
                    self.guard = Some(at);
                    self.written.extend(written);
                    return Some(());
                }
                _ => return None,
            }
            at = node.next;
        }
    }

    /// From where to where a condition may hold.
    fn cases(&self, c: &Cond<W>, written: &[Words], moved: bool, odd: &mut Vec<(Sites<W>, Sites<W>)>) -> Option<()> {
        let all = || Sites::Const(self.p.ground.all);
        let (mut from, mut to) = (all(), all());
        let mut list = Vec::new();
        super::flow::conjuncts(c.clone(), &mut list);
        for part in list {
            match &part {
                Cond::In(parts) if parts.0 == Int::Slot(self.x) && self.known(&parts.1, written, moved) => {
                    from = super::plan::and(from, parts.1.clone());
                }
                Cond::In(parts) if parts.0 == Int::Slot(self.y) && self.known(&parts.1, written, moved) => {
                    to = super::plan::and(to, parts.1.clone());
                }
                Cond::Compare(Cmp::Eq, parts) => match &**parts {
                    (Int::Slot(y), site @ Int::Slot(Slot::Word(_))) if *y == self.y => {
                        let site = Sites::Single(Box::new(site.clone()));
                        if self.known(&site, written, false) {
                            to = super::plan::and(to, site);
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
        if from == all() && to == all() {
            return None;
        }
        odd.push((from, to));
        Some(())
    }

    /// Is a set the same then as it was when the choices were made?
    fn known(&self, set: &Sites<W>, written: &[Words], moved: bool) -> bool {
        let mut same = matches!(set, Sites::Const(_) | Sites::Slot(_) | Sites::Single(_));
        set.slots(&mut |slot| {
            same &= match slot {
                Slot::Reg(_) => false,
                Slot::Word(at) => {
                    let pieces = at <= self.p.layout.empty;
                    let kept = (at as usize) < self.p.layout.position && !(moved && pieces);
                    kept && !written.iter().any(|&(from, to)| from <= at && at < to)
                }
            };
        });
        same
    }
}

/// Finds out how a condition may change.
struct Looking<'p, const W: usize> {
    p: &'p Program<W>,
    own: u32,
    written: Vec<Words>,
    names: Vec<(u32, Change)>,
    stable: Vec<Sites<W>>,
    reach: Vec<Sites<W>>,
    anywhere: bool,
}

impl<const W: usize> Looking<'_, W> {
    /// Can putting a piece down never make it hold?
    fn cond(&mut self, c: &Cond<W>) -> Option<()> {
        match c {
            Cond::Const(_) => Some(()),
            Cond::And(parts) | Cond::Or(parts) => {
                self.cond(&parts.0)?;
                self.cond(&parts.1)
            }
            Cond::Some(set) => (self.set(set)? != Change::Near).then_some(()),
            Cond::Pick(pick) => match &**pick {
                Pick::Let(binds, body) => self.within(binds, |look| look.cond(body)),
                _ => None,
            },
            _ => None,
        }
    }

    fn within<R>(&mut self, binds: &[Bind<W>], body: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let (reach, names) = (self.reach.len(), self.names.len());
        for bind in binds {
            let (Slot::Reg(to), Val::Set(set)) = (bind.to, &bind.value) else {
                return None;
            };
            let change = self.fixed(set)?;
            self.names.push((to, change));
        }
        let out = body(self)?;
        self.names.truncate(names);
        let inner: Vec<Sites<W>> = self.reach.drain(reach..).collect();
        if !inner.is_empty() {
            self.reach.push(Sites::Pick(Box::new(Pick::Let(binds.to_vec(), union(inner)))));
        }
        Some(out)
    }

    /// The change of a set that must not gain a site; sets of pieces that stay where they are do not change.
    fn fixed(&mut self, set: &Sites<W>) -> Option<Change> {
        match self.set(set)? {
            Change::Near if self.of_pieces(set) => {
                self.stable.push(set.clone());
                Some(Change::Same)
            }
            Change::Near => None,
            change => Some(change),
        }
    }

    /// Does it depend only on what a piece is whether its site is in the set?
    fn of_pieces(&self, set: &Sites<W>) -> bool {
        match set {
            Sites::Slot(Slot::Word(at)) => (self.p.layout.seat0..self.p.layout.empty).contains(at),
            Sites::Op(_, parts) => self.of_pieces(&parts.0) && self.of_pieces(&parts.1),
            _ => false,
        }
    }

    fn set(&mut self, set: &Sites<W>) -> Option<Change> {
        use Change::*;
        match set {
            Sites::Const(_) => Some(Same),
            Sites::Slot(Slot::Reg(at)) => {
                self.names.iter().rev().find(|(name, _)| name == at).map(|(_, change)| *change)
            }
            Sites::Slot(Slot::Word(at)) => {
                let layout = &self.p.layout;
                if *at == layout.empty {
                    self.anywhere = true;
                    return Some(Gone);
                }
                if (layout.kind0..layout.empty).contains(at) {
                    return Some(Near);
                }
                if (layout.seat0..layout.kind0).contains(at) {
                    return Some(if *at == self.own { Near } else { Gone });
                }
                self.unwritten(*at).then_some(Same)
            }
            Sites::Single(site) => match **site {
                Int::Const(_) => Some(Same),
                Int::Slot(Slot::Word(at)) => self.unwritten(at).then_some(Same),
                _ => None,
            },
            Sites::Op(SetOp::And, parts) => {
                let (a, b) = (self.set(&parts.0)?, self.set(&parts.1)?);
                Some(match (a, b) {
                    (Same, Same) => Same,
                    (Gone, _) | (_, Gone) => Gone,
                    (Near, _) | (_, Near) => Near,
                    _ => Less,
                })
            }
            Sites::Op(SetOp::Or | SetOp::Add, parts) => {
                let (a, b) = (self.set(&parts.0)?, self.set(&parts.1)?);
                Some(match (a, b) {
                    (Same, Same) => Same,
                    (Gone, Gone) => Gone,
                    (Near, _) | (_, Near) => Near,
                    _ => Less,
                })
            }
            Sites::Op(SetOp::Minus, parts) => {
                let a = self.set(&parts.0)?;
                (self.set(&parts.1)? == Same).then_some(a)
            }
            Sites::Not(inner) => (self.set(inner)? == Same).then_some(Same),
            Sites::Shift(_, inner) | Sites::Back(_, inner) | Sites::Relate(_, _, inner) => {
                Some(match self.fixed(inner)? {
                    Same => Same,
                    _ => Less,
                })
            }
            Sites::Sights(_, _, parts) => {
                let target = self.fixed(&parts.1)?;
                let anywhere = std::mem::replace(&mut self.anywhere, false);
                let over = self.set(&parts.0)?;
                let opens = std::mem::replace(&mut self.anywhere, anywhere);
                if over == Near {
                    return None;
                }
                if opens {
                    self.reach.push(set.clone());
                }
                Some(if (over, target) == (Same, Same) { Same } else { Less })
            }
            Sites::Pick(pick) => match &**pick {
                Pick::Let(binds, body) => self.within(binds, |look| look.set(body)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Is a word of the position not written by any run?
    fn unwritten(&self, at: u32) -> bool {
        (at as usize) < self.p.layout.position && !self.written.iter().any(|&(from, to)| from <= at && at < to)
    }
}

impl<const W: usize> Core<'_, W> {
    /// Counts the runs from a fork if it is sure of most of them. The position is afterwards as it was.
    pub fn count_surely(&mut self, fork: u32) -> Result<Option<u64>, Trouble> {
        let p = self.p;
        if let Some(sure) = &p.sure[fork as usize] {
            return self.count_sure(fork, sure);
        }
        let Op::Either(branches) = &p.nodes[fork as usize].op else {
            return Ok(None);
        };
        if p.plans[fork as usize].is_none() || branches.iter().any(|&(otherwise, _)| otherwise) {
            return Ok(None);
        }
        let mut sum = 0;
        for &(_, to) in branches {
            let node = &p.nodes[to as usize];
            if node.early || node.notes {
                return Ok(None);
            }
            match self.forward(to, false)? {
                Stop::Dead => {}
                Stop::Fork(inner) => {
                    sum += match self.count_surely(inner)? {
                        Some(n) => n,
                        None => {
                            self.explore(inner, &mut Goal::Count)?;
                            self.run.count
                        }
                    };
                }
                Stop::Cut(_) | Stop::Tail(_) => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    fn count_sure(&mut self, fork: u32, sure: &Sure<W>) -> Result<Option<u64>, Trouble> {
        #[cfg(feature = "native")]
        if let Some(code) = self.code
            && let Some(count) = code.sure(fork)
        {
            return self.count_sure_natively(count, fork, sure);
        }
        let p = self.p;
        if self.cond(&sure.guard) {
            return Ok(None);
        }
        let mut about = Set::EMPTY;
        for set in &sure.stable {
            about = about.or(self.sites(set));
        }
        let own = self.set_at(sure.own);
        let mut may = own.minus(about);
        if let Some(reach) = &sure.reach {
            may = may.and(self.sites(reach));
        }
        let mut loose = about;
        for site in may.iter() {
            // With the piece lifted off.
            let (owner, kind) = p.marks[p.layout.what.get(&self.b, site) as usize];
            let sets = [owner, kind, p.layout.empty];
            sets.iter().for_each(|&set| self.flip(set, site));
            if self.cond(&sure.guard) {
                loose.insert(site);
            }
            sets.iter().for_each(|&set| self.flip(set, site));
        }
        self.bind_all(&sure.pairs.binds);
        let odd: Vec<(Set<W>, Set<W>)> = sure.odd.iter().map(|(from, to)| (self.sites(from), self.sites(to))).collect();
        let mut sum = 0;
        let mut tries: Vec<(i32, i32)> = Vec::new();
        let (mut from, mut land) = (Set::EMPTY, Set::EMPTY);
        for stream in &sure.pairs.streams {
            if !stream.alike {
                from = self.sites(&stream.from);
                land = if from.is_empty() { Set::EMPTY } else { self.sites(&stream.land) };
            }
            if from.is_empty() {
                continue;
            }
            let over = match &stream.how {
                How::Step(_) => Set::EMPTY,
                How::Slide(dir, over, _) => {
                    let over = self.sites(over);
                    if !from.and(over).is_empty() || !p.ground.mutual[*dir as usize] {
                        return Ok(None);
                    }
                    over
                }
            };
            let go = |from: Set<W>| -> Set<W> {
                let to = match &stream.how {
                    How::Step(way) => p.ways[*way as usize].ahead(from),
                    How::Slide(dir, _, limit) => p.ways[*dir as usize].slide(from, over, *limit),
                };
                to.and(land)
            };
            let to = go(from.minus(loose));
            let mut doubtful = to.and(about);
            for &(who, there) in &odd {
                if !to.and(there).is_empty() {
                    let who = from.minus(loose).and(who);
                    doubtful = doubtful.or(if who.is_empty() { who } else { go(who).and(there) });
                }
            }
            sum += to.minus(doubtful).count() as u64;
            for site in doubtful.iter() {
                tries.push((self.behind(&stream.how, over, site), site));
            }
            for site in from.and(loose).iter() {
                tries.extend(go(Set::single(site)).iter().map(|to| (site, to)));
            }
        }
        self.try_each(fork, sure, tries, sum).map(Some)
    }

    /// Adds the runs that have to be tried to the sum of those that are sure: from, to.
    fn try_each(&mut self, fork: u32, sure: &Sure<W>, tries: Vec<(i32, i32)>, sum: u64) -> Result<u64, Trouble> {
        let p = self.p;
        let second = &p.nodes[sure.pairs.second as usize];
        let (Op::Choose(first), Op::Choose(to)) = (&p.nodes[fork as usize].op, &second.op) else {
            crate::bug!("a choice that is none");
        };
        let mut sum = sum;
        for (from, site) in tries {
            self.bind_code(&first.name, from);
            for bind in &sure.pairs.between {
                self.bind(bind);
            }
            self.bind_code(&to.name, site);
            self.explore(second.next, &mut Goal::Count)?;
            sum += self.run.count;
        }
        Ok(sum)
    }

    /// The same as `count_sure`, what is sure being counted by machine code.
    #[cfg(feature = "native")]
    fn count_sure_natively(
        &mut self,
        count: super::native::Function,
        fork: u32,
        sure: &Sure<W>,
    ) -> Result<Option<u64>, Trouble> {
        let p = self.p;
        let streams = &sure.pairs.streams;
        let mut sets = std::mem::take(&mut self.tried);
        sets.clear();
        sets.resize(2 * W * streams.len(), 0);
        let sum = count.call_with(self, &mut sets);
        let mut tries = Vec::new();
        for (i, stream) in streams.iter().enumerate().filter(|_| sum != super::native::ELSE) {
            let at = 2 * W * i;
            if sets[at..at + 2 * W].iter().all(|&word| word == 0) {
                continue;
            }
            let [doubtful, from] = [at, at + W].map(|at| Set::<W>::from_words(&sets[at..at + W]));
            self.bind_all(&sure.pairs.binds);
            let land = self.sites(&stream.land);
            let over = match &stream.how {
                How::Step(_) => Set::EMPTY,
                How::Slide(_, over, _) => self.sites(over),
            };
            for site in doubtful.iter() {
                tries.push((self.behind(&stream.how, over, site), site));
            }
            for site in from.iter() {
                let to = match &stream.how {
                    How::Step(way) => p.ways[*way as usize].ahead(Set::single(site)),
                    How::Slide(dir, _, limit) => p.ways[*dir as usize].slide(Set::single(site), over, *limit),
                };
                tries.extend(to.and(land).iter().map(|to| (site, to)));
            }
        }
        self.tried = sets;
        if sum == super::native::ELSE {
            return Ok(None);
        }
        self.try_each(fork, sure, tries, sum).map(Some)
    }

    /// From where somebody has come who goes this way.
    fn behind(&self, how: &How<W>, over: Set<W>, to: i32) -> i32 {
        match how {
            How::Step(way) => self.p.ways[*way as usize].back[to as usize].first(),
            How::Slide(dir, ..) => self.p.ground.origin(*dir, over, to),
        }
    }
}
