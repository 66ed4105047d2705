//! Plays two games in step, by the texts of moves, until they part: other moves are legal, or one is over and the other not.
//!
//! First all games are played, shorter ones first; a parting found so is the shortest there is. Then random games, each only as long as
//! the shortest parting found so far; then moves are left out of that for as long as both games can be played and still part. How much
//! is looked at is counted, not timed, so the same question has the same answer everywhere.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::evaluators::Evaluators;
use crate::play::examples::Oracle;
use crate::play::{Chance, Move, Outcome, Snapshot, Start, Status, Trouble};

/// Throws of one event that are all followed; of more, one is.
const MOST_THROWS: usize = 36;
/// So many moves and throws that are listed count as one position more.
const TEXTS: usize = 20;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// All positions up to so many moves and throws from the start, if there is no end of patience before.
    pub depth: usize,
    /// Positions that are compared in each of the three ways.
    pub positions: usize,
    /// Where chance comes from.
    pub seed: u64,
}

/// A move or throw that both games know.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// Its text.
    pub text: String,
    /// What it is to A.
    pub chosen: Move,
}

/// What differs where two games part.
#[derive(Clone, Debug, PartialEq)]
pub enum How {
    /// The same seat is to move, or chance in both, but not everything is possible in both.
    Moves {
        /// The seat; none: chance.
        seat: Option<i32>,
        /// What only A offers.
        only_a: Vec<String>,
        /// What only B offers.
        only_b: Vec<String>,
        /// How many both offer.
        both: usize,
    },
    /// Throws are not equally likely in both: the first of them, with its share in A and in B.
    Weights {
        /// Its text.
        text: String,
        /// How often in A: so many of so many.
        a: (u64, u64),
        /// The same in B.
        b: (u64, u64),
    },
    /// Somebody else is to move, or one is over, or both are with other results.
    Status {
        /// How A stands.
        a: Status,
        /// How B stands.
        b: Status,
    },
    /// One cannot go on because it runs into a limit.
    Trouble {
        /// Is it A?
        in_a: bool,
        /// What is the matter.
        trouble: Trouble,
    },
}

/// Where two games part.
#[derive(Clone, Debug, PartialEq)]
pub struct Parting {
    /// What both have played.
    pub plays: Vec<Played>,
    /// What differs then.
    pub how: How,
    /// Is there surely no shorter one?
    pub least: bool,
}

/// What was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Looked {
    /// Positions that were compared.
    pub positions: usize,
    /// All games were compared up to so many moves and throws; none: not even the beginning.
    pub depth: Option<usize>,
    /// Were these all games there are?
    pub complete: bool,
    /// Random games.
    pub games: u64,
}

/// Looks for the shortest way to where two games part.
pub fn part(a: &Evaluators, b: &Evaluators, effort: Effort) -> (Option<Parting>, Looked) {
    let mut search = Search { a, b, patience: effort.positions, seen: HashSet::new(), looked: Looked::default() };
    let mut found = None;
    for depth in 0..=effort.depth {
        match search.all(depth) {
            Ok(Some((plays, how))) => {
                found = Some(Parting { plays, how, least: true });
                break;
            }
            Ok(None) => search.looked.depth = Some(depth),
            Err(Stop) => {
                search.looked.complete = false;
                break;
            }
        }
        if search.looked.complete {
            break;
        }
    }
    search.seen.clear();
    if found.is_none() && !search.looked.complete {
        search.patience = effort.positions;
        found = search.random(effort.seed);
        search.patience = effort.positions;
        if let Some(found) = &mut found {
            search.leave_out(found);
        }
    }
    (found, search.looked)
}

/// Nothing more is looked at.
struct Stop;

/// The move in A, the move in B, and the text of both.
type Both = (Move, Move, String);

/// What both games offer.
type Common = Vec<Both>;

/// Says what is played, if anything is.
type Pick<'p> = dyn FnMut(&[Played], Common) -> Option<Both> + 'p;

/// How two positions compare.
enum Compared {
    /// They differ.
    Parted(How),
    /// They offer the same.
    Same(Common),
    /// Both are over with one result, or neither can go on.
    Over,
}

struct Search<'e> {
    a: &'e Evaluators,
    b: &'e Evaluators,
    patience: usize,
    /// Pairs of positions that have been met so far from the end of what is looked at.
    seen: HashSet<(usize, Snapshot, Snapshot)>,
    looked: Looked,
}

impl Search<'_> {
    /// Compares all positions so many moves from the start.
    fn all(&mut self, depth: usize) -> Result<Option<(Vec<Played>, How)>, Stop> {
        self.seen.clear();
        let start = Start::beginning();
        let (mut a, mut b) = match (self.a.oracle(&start), self.b.oracle(&start)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(trouble), Ok(_)) => return Ok(Some((Vec::new(), How::Trouble { in_a: true, trouble }))),
            (Ok(_), Err(trouble)) => return Ok(Some((Vec::new(), How::Trouble { in_a: false, trouble }))),
            (Err(_), Err(_)) => return Err(Stop),
        };
        let mut plays = Vec::new();
        self.looked.complete = true;
        let how = self.dive(a.as_mut(), b.as_mut(), &mut plays, depth)?;
        Ok(how.map(|how| (plays, how)))
    }

    /// Compares all positions so many moves from here; `plays` leads to where the games part, if they do.
    fn dive(
        &mut self,
        a: &mut dyn Oracle,
        b: &mut dyn Oracle,
        plays: &mut Vec<Played>,
        left: usize,
    ) -> Result<Option<How>, Stop> {
        if !self.seen.insert((left, a.snapshot(), b.snapshot())) {
            return Ok(None);
        }
        let mut next = match self.look(a, b, plays.len() as u64)? {
            Compared::Parted(how) => return Ok(Some(how)),
            Compared::Over => return Ok(None),
            Compared::Same(_) if left == 0 => {
                self.looked.complete = false;
                return Ok(None);
            }
            Compared::Same(next) => next,
        };
        if a.status() == Status::Chance && next.len() > MOST_THROWS {
            self.looked.complete = false;
            next.truncate(1);
        }
        for (in_a, in_b, text) in next {
            let (mut fork_a, mut fork_b) = (a.split(), b.split());
            match (fork_a.play(&in_a), fork_b.play(&in_b)) {
                (Ok(()), Ok(())) => {}
                (Err(_), Err(_)) => {
                    self.looked.complete = false;
                    continue;
                }
                (Err(trouble), Ok(())) => return Ok(Some(played_into(plays, text, in_a, true, trouble))),
                (Ok(()), Err(trouble)) => return Ok(Some(played_into(plays, text, in_a, false, trouble))),
            }
            plays.push(Played { text, chosen: in_a });
            if let Some(how) = self.dive(fork_a.as_mut(), fork_b.as_mut(), plays, left - 1)? {
                return Ok(Some(how));
            }
            plays.pop();
        }
        Ok(None)
    }

    /// Compares what is to happen now in both.
    fn look(&mut self, a: &mut dyn Oracle, b: &mut dyn Oracle, at: u64) -> Result<Compared, Stop> {
        self.spend(1)?;
        self.looked.positions += 1;
        match (a.status(), b.status()) {
            (Status::Over(one), Status::Over(other)) if same_result(&one, &other) => Ok(Compared::Over),
            (Status::ToMove(seat), Status::ToMove(other)) if seat == other => match (a.texts(), b.texts()) {
                (Ok(left), Ok(right)) => {
                    self.spend((left.len() + right.len()) / TEXTS)?;
                    Ok(pair(Some(seat), left, right))
                }
                (Err(_), Err(_)) => {
                    self.looked.complete = false;
                    Ok(Compared::Over)
                }
                (Err(trouble), Ok(_)) => Ok(Compared::Parted(How::Trouble { in_a: true, trouble })),
                (Ok(_), Err(trouble)) => Ok(Compared::Parted(How::Trouble { in_a: false, trouble })),
            },
            (Status::Chance, Status::Chance) => self.throws(a, b, at),
            (one, other) => Ok(Compared::Parted(How::Status { a: one, b: other })),
        }
    }

    /// Compares what chance may bring; if that is too much to be listed, one throw.
    fn throws(&mut self, a: &mut dyn Oracle, b: &mut dyn Oracle, at: u64) -> Result<Compared, Stop> {
        let (Ok(left), Ok(right)) = (a.outcomes(), b.outcomes()) else {
            let mut chance = Chance::nth(at, self.looked.positions as u64);
            let drawn = a.draw(&mut |n| chance.below(n)).map_err(|_| Stop)?;
            let text = a.text_of(&drawn).map_err(|_| Stop)?;
            return Ok(match b.find(&text) {
                Ok(other) => Compared::Same(vec![(drawn, other, text)]),
                Err(_) => Compared::Parted(How::Moves { seat: None, only_a: vec![text], only_b: Vec::new(), both: 0 }),
            });
        };
        self.spend((left.len() + right.len()) / TEXTS)?;
        let (Ok(texts), Ok(others)) = (a.texts(), b.texts()) else { return Ok(Compared::Over) };
        let weight = |list: &[(Move, u64)], chosen: &Move| {
            let own = list.iter().find(|(known, _)| known == chosen).map_or(0, |(_, weight)| *weight);
            (own, list.iter().map(|(_, weight)| *weight).sum::<u64>())
        };
        let compared = pair(None, texts, others);
        if let Compared::Same(common) = &compared {
            for (in_a, in_b, text) in common {
                let (a, b) = (weight(&left, in_a), weight(&right, in_b));
                if u128::from(a.0) * u128::from(b.1) != u128::from(b.0) * u128::from(a.1) {
                    return Ok(Compared::Parted(How::Weights { text: text.clone(), a, b }));
                }
            }
        }
        Ok(compared)
    }

    fn spend(&mut self, positions: usize) -> Result<(), Stop> {
        self.patience = self.patience.checked_sub(positions).ok_or(Stop)?;
        Ok(())
    }

    /// Plays random games; gives the shortest parting.
    fn random(&mut self, seed: u64) -> Option<Parting> {
        let mut found: Option<Parting> = None;
        for game in 0.. {
            let most = found.as_ref().map_or(usize::MAX, |found| found.plays.len());
            match self.one_random(&mut Chance::nth(seed, game), most) {
                Ok(Some((plays, how))) => found = Some(Parting { plays, how, least: false }),
                Ok(None) => {}
                Err(Stop) => break,
            }
            self.looked.games += 1;
        }
        found
    }

    /// One random game of fewer moves than `most`.
    fn one_random(&mut self, chance: &mut Chance, most: usize) -> Result<Option<(Vec<Played>, How)>, Stop> {
        let mut pick = |_: &[Played], common: Common| {
            let at = chance.below(common.len() as u64) as usize;
            common.into_iter().nth(at)
        };
        self.along(&mut pick, most)
    }

    /// Plays both games as `pick` says, while there are fewer moves than `most`; gives where they part.
    fn along(&mut self, pick: &mut Pick<'_>, most: usize) -> Result<Option<(Vec<Played>, How)>, Stop> {
        let start = Start::beginning();
        let (Ok(mut a), Ok(mut b)) = (self.a.oracle(&start), self.b.oracle(&start)) else { return Err(Stop) };
        let mut plays = Vec::new();
        while plays.len() < most {
            let common = match self.look(a.as_mut(), b.as_mut(), plays.len() as u64)? {
                Compared::Parted(how) => return Ok(Some((plays, how))),
                Compared::Over => return Ok(None),
                Compared::Same(common) => common,
            };
            let Some((in_a, in_b, text)) = pick(&plays, common) else { return Ok(None) };
            match (a.play(&in_a), b.play(&in_b)) {
                (Ok(()), Ok(())) => plays.push(Played { text, chosen: in_a }),
                (Err(_), Err(_)) => return Ok(None),
                (Err(trouble), Ok(())) => {
                    let how = played_into(&mut plays, text, in_a, true, trouble);
                    return Ok(Some((plays, how)));
                }
                (Ok(()), Err(trouble)) => {
                    let how = played_into(&mut plays, text, in_a, false, trouble);
                    return Ok(Some((plays, how)));
                }
            }
        }
        Ok(None)
    }

    /// Leaves moves out.
    fn leave_out(&mut self, found: &mut Parting) {
        let mut size = found.plays.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at + size <= found.plays.len() {
                let rest = [&found.plays[..at], &found.plays[at + size..]].concat();
                let mut pick = |plays: &[Played], common: Common| {
                    let wanted = rest.get(plays.len())?;
                    common.into_iter().find(|(.., text)| *text == wanted.text)
                };
                match self.along(&mut pick, found.plays.len()) {
                    Ok(Some((plays, how))) => *found = Parting { plays, how, least: false },
                    Ok(None) => at += 1,
                    Err(Stop) => return,
                }
            }
            size = (size / 2).min(found.plays.len());
        }
    }
}

/// A move that only one of the games can play to its end.
fn played_into(plays: &mut Vec<Played>, text: String, chosen: Move, in_a: bool, trouble: Trouble) -> How {
    plays.push(Played { text, chosen });
    How::Trouble { in_a, trouble }
}

/// Do the seats get the same?
fn same_result(one: &Outcome, other: &Outcome) -> bool {
    one.places == other.places && one.by == other.by
}

/// What both offer, or what only one does.
fn pair(seat: Option<i32>, left: Vec<(Move, String)>, right: Vec<(Move, String)>) -> Compared {
    let texts = |list: &[(Move, String)]| list.iter().map(|(_, text)| text.clone()).collect::<HashSet<String>>();
    let (in_a, in_b) = (texts(&left), texts(&right));
    let only = |list: &[(Move, String)], other: &HashSet<String>| {
        let mut only: Vec<String> =
            list.iter().map(|(_, text)| text.clone()).filter(|text| !other.contains(text)).collect();
        only.sort();
        only
    };
    let (only_a, only_b) = (only(&left, &in_b), only(&right, &in_a));
    if !only_a.is_empty() || !only_b.is_empty() {
        let both = left.len() - only_a.len();
        return Compared::Parted(How::Moves { seat, only_a, only_b, both });
    }
    let mut others: HashMap<String, Move> = right.into_iter().map(|(chosen, text)| (text, chosen)).collect();
    let common = left.into_iter().filter_map(|(chosen, text)| Some((chosen, others.remove(&text)?, text)));
    Compared::Same(common.collect())
}
