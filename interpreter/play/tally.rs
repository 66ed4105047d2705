//! What many games gave together: integer sums, so that the order of adding does not matter, and a report made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::sim::PlayoutResult;
use crate::rules::Rules;

/// Sums over games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    games: u64,
    /// For each seat, how often it took each place, from the first on.
    places: Vec<Vec<u64>>,
    /// For each seat, how often it was first alone.
    wins: Vec<u64>,
    draws: u64,
    unfinished: u64,
    /// By number and name of the end; the number first, so that ends come in the order of the rules.
    endings: BTreeMap<(usize, Arc<str>), u64>,
    /// How many games had so many plies.
    plies: BTreeMap<u32, u64>,
    turns: u64,
    branching: u128,
    listed: u64,
    /// Over games: legal moves times legal moves, legal moves times plies, plies times plies, of those that were listed.
    squares: [u128; 3],
    /// Games that were listed besides, their moves and plies.
    sampled: (u64, u128, u64),
}

/// A mean over games, and how far it may lie from the true one: the standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard error; 0 for a single game.
    pub error: f64,
    /// Over how many games.
    pub games: u64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(n_seats: usize) -> Tally {
        Tally {
            games: 0,
            places: vec![vec![0; n_seats]; n_seats],
            wins: vec![0; n_seats],
            draws: 0,
            unfinished: 0,
            endings: BTreeMap::new(),
            plies: BTreeMap::new(),
            turns: 0,
            branching: 0,
            listed: 0,
            squares: [0; 3],
            sampled: (0, 0, 0),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, result: &PlayoutResult) {
        let outcome = &result.outcome;
        self.games += 1;
        let firsts = outcome.places.iter().filter(|&&place| place == 1).count();
        for (seat, &place) in outcome.places.iter().enumerate().take(self.wins.len()) {
            let slot = usize::from(place.max(1)) - 1;
            if let Some(count) = self.places[seat].get_mut(slot) {
                *count += 1;
            }
            self.wins[seat] += u64::from(place == 1 && firsts == 1);
        }
        if outcome.places.is_empty() {
            self.unfinished += 1;
        } else if outcome.places.len() > 1 && firsts == outcome.places.len() {
            self.draws += 1;
        }
        let ending = (outcome.ending.unwrap_or(usize::MAX), outcome.reason.clone());
        *self.endings.entry(ending).or_default() += 1;
        *self.plies.entry(result.plies).or_default() += 1;
        self.turns += u64::from(result.turns);
        self.branching += u128::from(result.branching);
        self.listed += u64::from(result.listed);
        let (moves, plies) = (u128::from(result.branching), u128::from(result.listed));
        self.add_squares([moves * moves, moves * plies, plies * plies]);
        if let Some(sample) = result.sample {
            let (games, branching, plies) = &mut self.sampled;
            *games += 1;
            *branching += u128::from(sample.branching);
            *plies += u64::from(sample.plies);
        }
    }

    fn add_squares(&mut self, more: [u128; 3]) {
        for (own, more) in self.squares.iter_mut().zip(more) {
            *own = own.saturating_add(more);
        }
    }

    /// Adds the games of another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        for (own, more) in self.places.iter_mut().zip(&other.places) {
            for (own, more) in own.iter_mut().zip(more) {
                *own += more;
            }
        }
        for (own, more) in self.wins.iter_mut().zip(&other.wins) {
            *own += more;
        }
        self.draws += other.draws;
        self.unfinished += other.unfinished;
        for (ending, more) in &other.endings {
            *self.endings.entry(ending.clone()).or_default() += more;
        }
        for (plies, more) in &other.plies {
            *self.plies.entry(*plies).or_default() += more;
        }
        self.turns += other.turns;
        self.branching += other.branching;
        self.listed += other.listed;
        self.add_squares(other.squares);
        let (games, branching, plies) = other.sampled;
        self.sampled = (self.sampled.0 + games, self.sampled.1 + branching, self.sampled.2 + plies);
    }

    /// How many games it holds.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The report.
    pub fn report(&self, rules: &Rules, seed: u64) -> Report {
        let seat = |(i, seat): (usize, &crate::rules::Seat)| SeatReport {
            seat: seat.name.clone(),
            wins: Share::of(self.wins[i], self.games),
            places: self.places[i].iter().map(|&n| Share::of(n, self.games)).collect(),
        };
        let ending = |((_, name), &n): (&(usize, Arc<str>), &u64)| EndingReport {
            name: name.to_string(),
            games: Share::of(n, self.games),
        };
        Report {
            game: rules.title.clone(),
            games: self.games,
            seed,
            seats: rules.seats.iter().enumerate().take(self.wins.len()).map(seat).collect(),
            draws: Share::of(self.draws, self.games),
            unfinished: Share::of(self.unfinished, self.games),
            endings: self.endings.iter().map(ending).collect(),
            plies: Lengths {
                mean: self.mean_plies(),
                shortest: self.quantile(0, 1),
                low: self.quantile(5, 100),
                median: self.quantile(1, 2),
                high: self.quantile(95, 100),
                longest: self.quantile(1, 1),
            },
            turns: ratio(self.turns, self.games),
            branching: self.mean_branching(),
            branching_games: if self.is_listed() { self.games } else { self.sampled.0 },
        }
    }

    /// The mean length.
    pub fn plies_spread(&self) -> Spread {
        let mean = self.mean_plies();
        let squares: f64 = self.plies.iter().map(|(&plies, &n)| (f64::from(plies) - mean).powi(2) * n as f64).sum();
        Spread { mean, error: self.error(squares), games: self.games }
    }

    /// The mean of legal moves over all plies of all games, if they were listed. Games are independent of each other, plies of one game are
    /// not, so the error is that of a ratio of two sums over games.
    pub fn branching_spread(&self) -> Option<Spread> {
        if self.listed == 0 {
            return None;
        }
        let mean = self.branching as f64 / self.listed as f64;
        let [moves, both, plies] = self.squares.map(|sum| sum as f64);
        let squares = (moves - 2.0 * mean * both + mean * mean * plies).max(0.0);
        let length = self.listed as f64 / self.games as f64;
        Some(Spread { mean, error: self.error(squares) / length, games: self.games })
    }

    /// The standard error of a mean over games, from the sum of the squared distances.
    fn error(&self, squares: f64) -> f64 {
        let n = self.games as f64;
        if self.games > 1 { (squares / (n - 1.0) / n).sqrt() } else { 0.0 }
    }

    /// Were all legal moves of all games counted?
    fn is_listed(&self) -> bool {
        self.listed == self.plies.iter().map(|(&plies, &n)| u64::from(plies) * n).sum::<u64>()
    }

    /// Of all games if their moves were counted, else of those that were listed besides.
    fn mean_branching(&self) -> Option<f64> {
        let (_, branching, plies) = self.sampled;
        let (sum, n) = if self.is_listed() { (self.branching, self.listed) } else { (branching, plies) };
        (n > 0).then(|| sum as f64 / n as f64)
    }

    fn mean_plies(&self) -> f64 {
        let sum: u64 = self.plies.iter().map(|(&plies, &n)| u64::from(plies) * n).sum();
        ratio(sum, self.games)
    }

    /// The smallest length that at least `num / den` of the games do not exceed.
    fn quantile(&self, num: u64, den: u64) -> u32 {
        let rank = (u128::from(self.games) * u128::from(num)).div_ceil(u128::from(den)).max(1);
        let mut seen = 0u128;
        for (&plies, &n) in &self.plies {
            seen += u128::from(n);
            if seen >= rank {
                return plies;
            }
        }
        0
    }
}

/// A number of games, its share of all, and where the true share lies 95 times in 100 (Wilson's interval).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// What part of all, 0 to 1.
    pub share: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// `count` of `all`.
    pub fn of(count: u64, all: u64) -> Share {
        let (low, high) = wilson(count, all);
        let share = ratio(count, all);
        Share { count, share, low, high }
    }
}

/// Wilson's 95 % interval for `count` of `all`; everything is possible if there is nothing to judge by.
pub fn wilson(count: u64, all: u64) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.959_963_984_540_054;
    let n = all as f64;
    let p = count as f64 / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let low = if count == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if count == all { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

fn ratio(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// How a seat did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatReport {
    /// Its name.
    pub seat: String,
    /// Games in which it alone was first.
    pub wins: Share,
    /// Games in which it took each place, from the first on; shared places count for each who shares.
    pub places: Vec<Share>,
}

/// How often an end came.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndingReport {
    /// Its name.
    pub name: String,
    /// How often.
    pub games: Share,
}

/// How long games were, in plies.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lengths {
    /// On average.
    pub mean: f64,
    /// The shortest.
    pub shortest: u32,
    /// Not exceeded by 5 in 100.
    pub low: u32,
    /// Not exceeded by one half.
    pub median: u32,
    /// Not exceeded by 95 in 100.
    pub high: u32,
    /// The longest.
    pub longest: u32,
}

/// What many games gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The game's name.
    pub game: String,
    /// How many games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The seats in turn order.
    pub seats: Vec<SeatReport>,
    /// Games in which all shared the first place.
    pub draws: Share,
    /// Games without a result.
    pub unfinished: Share,
    /// The ends in the order of the rules.
    pub endings: Vec<EndingReport>,
    /// Lengths.
    pub plies: Lengths,
    /// Turns on average.
    pub turns: f64,
    /// Legal moves on average, if they were listed.
    pub branching: Option<f64>,
    /// In how many games they were.
    pub branching_games: u64,
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Share { count, share, low, high } = *self;
        let (share, low, high) = (share * 100.0, low * 100.0, high * 100.0);
        write!(f, "{count:>8}  {share:5.1} %  ({low:.1} to {high:.1})")
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}: {} games, seed {}", self.game, self.games, self.seed)?;
        let names = self.seats.iter().map(|seat| seat.seat.chars().count() + 5);
        let ends = self.endings.iter().map(|ending| ending.name.chars().count());
        let wide = names.chain(ends).max().unwrap_or(0).max("unfinished".len());
        writeln!(f, "\nresults")?;
        for seat in &self.seats {
            writeln!(f, "  {:wide$}  {}", format!("{} wins", seat.seat), seat.wins)?;
        }
        for (name, share) in [("draw", &self.draws), ("unfinished", &self.unfinished)] {
            if share.count > 0 {
                writeln!(f, "  {name:wide$}  {share}")?;
            }
        }
        if self.seats.len() > 2 {
            writeln!(f, "\nplaces, in per cent")?;
            for seat in &self.seats {
                let shares = seat.places.iter().map(|place| format!("{:5.1}", place.share * 100.0));
                writeln!(f, "  {:wide$}  {}", seat.seat, shares.collect::<Vec<_>>().join("  "))?;
            }
        }
        writeln!(f, "\nends")?;
        for ending in &self.endings {
            writeln!(f, "  {:wide$}  {}", ending.name, ending.games)?;
        }
        let Lengths { mean, shortest, low, median, high, longest } = &self.plies;
        writeln!(
            f,
            "\nplies: mean {mean:.1}, median {median}, 5 % {low}, 95 % {high}, shortest {shortest}, longest {longest}"
        )?;
        writeln!(f, "turns: mean {:.1}", self.turns)?;
        if let Some(branching) = self.branching {
            match self.branching_games {
                all if all == self.games => writeln!(f, "legal moves: mean {branching:.1}")?,
                few => writeln!(f, "legal moves: mean {branching:.1} (counted in {few} other games)")?,
            }
        }
        Ok(())
    }
}
