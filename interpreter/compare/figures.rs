//! What random games of both say about players: shares and means side by side, with what chance alone would do.
//!
//! | | |
//! |---|---|
//! | interval of a share | Wilson, Journal of the American Statistical Association 22 (1927), 209 |
//! | interval of a difference of shares | Newcombe, Statistics in Medicine 17 (1998), 873, method 10: from both of Wilson's |
//! | p-value of a difference of shares | two-proportion z test with the pooled share, NIST/SEMATECH e-Handbook of Statistical Methods, 7.3.3 |
//! | interval and p-value of a difference of means | Welch, Biometrika 34 (1947), 28 |
//! | variance of legal moves a ply, a mean of games of unequal length | ratio estimate, Cochran, Sampling Techniques (1977), chapter 6 |
//!
//! The games of A and of B have to be independent of each other; who plays them gives each side a seed of its own.

use serde::Serialize;

use super::tails::{normal, student, student_95};
use crate::play::tally::{Report, Share, Spread, Tally};

/// A share of the games of each side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// Of what: `White wins`, `draw`, an end.
    pub name: String,
    /// In the games of A.
    pub a: Share,
    /// In the games of B.
    pub b: Share,
    /// What B has more, and its interval.
    pub difference: Interval,
    /// How often chance alone would show such a difference, or a larger one, between games that do not differ.
    pub p: Option<f64>,
}

/// A mean over the games of each side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Means {
    /// Of what.
    pub name: &'static str,
    /// In the games of A.
    pub a: Interval,
    /// In the games of B.
    pub b: Interval,
    /// What B has more.
    pub difference: Interval,
    /// As for shares.
    pub p: Option<f64>,
}

/// A number, and where the true one lies 95 times in 100.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The number.
    pub at: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What random games say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Games of each side.
    pub games: u64,
    /// The seed of A's games, and of B's.
    pub seeds: [u64; 2],
    /// Results of the seats, then draws and games without a result.
    pub results: Vec<Shares>,
    /// The ends.
    pub ends: Vec<Shares>,
    /// Length and legal moves.
    pub means: Vec<Means>,
}

/// Puts the games of both sides beside each other.
pub fn figures(tallies: [&Tally; 2], reports: [&Report; 2]) -> Figures {
    let counts = reports.map(|report| report.games);
    let [a, b] = reports;
    let mut results: Vec<Shares> = Vec::new();
    for (left, right) in a.seats.iter().zip(&b.seats) {
        let name = match left.seat == right.seat {
            true => format!("{} wins", left.seat),
            false => format!("{} / {} wins", left.seat, right.seat),
        };
        results.push(shares(name, left.wins.count, right.wins.count, counts));
    }
    // A game of one player more has seats that the other lacks.
    let rest = |seats: &[crate::play::tally::SeatReport], from: usize| -> Vec<(String, u64)> {
        seats.iter().skip(from).map(|seat| (format!("{} wins", seat.seat), seat.wins.count)).collect()
    };
    results.extend(rest(&a.seats, b.seats.len()).into_iter().map(|(name, n)| shares(name, n, 0, counts)));
    results.extend(rest(&b.seats, a.seats.len()).into_iter().map(|(name, n)| shares(name, 0, n, counts)));
    for (name, left, right) in [("draw", &a.draws, &b.draws), ("unfinished", &a.unfinished, &b.unfinished)] {
        if left.count + right.count > 0 {
            results.push(shares(name.to_string(), left.count, right.count, counts));
        }
    }
    let mut ends: Vec<(String, u64, u64)> = Vec::new();
    let mut add = |name: &str, left: u64, right: u64| match ends.iter_mut().find(|end| end.0 == name) {
        Some(end) => {
            end.1 += left;
            end.2 += right;
        }
        None => ends.push((name.to_string(), left, right)),
    };
    a.endings.iter().for_each(|end| add(&end.name, end.games.count, 0));
    b.endings.iter().for_each(|end| add(&end.name, 0, end.games.count));
    let [left, right] = tallies;
    let mut means = vec![mean("plies", left.plies_spread(), right.plies_spread())];
    if let (Some(left), Some(right)) = (left.branching_spread(), right.branching_spread()) {
        means.push(mean("legal moves", left, right));
    }
    Figures {
        games: a.games,
        seeds: [a.seed, b.seed],
        results,
        ends: ends.into_iter().map(|(name, left, right)| shares(name, left, right, counts)).collect(),
        means,
    }
}

fn shares(name: String, left: u64, right: u64, [n, m]: [u64; 2]) -> Shares {
    let (a, b) = (Share::of(left, n), Share::of(right, m));
    let at = b.share - a.share;
    let below = (b.share - b.low).hypot(a.high - a.share);
    let above = (b.high - b.share).hypot(a.share - a.low);
    let difference = Interval { at, low: at - below, high: at + above }.rounded();
    Shares { name, a, b, difference, p: two_shares((left, n), (right, m)) }
}

/// The two-sided p-value of two shares, nothing if all or none of both have it.
fn two_shares((left, n): (u64, u64), (right, m): (u64, u64)) -> Option<f64> {
    let (left, n, right, m) = (left as f64, n as f64, right as f64, m as f64);
    let pooled = (left + right) / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    (error > 0.0).then(|| rounded(normal((right / m - left / n) / error)))
}

fn mean(name: &'static str, left: Spread, right: Spread) -> Means {
    let alone = |spread: Spread| match spread.games > 1 {
        true => around(spread.mean, spread.error, (spread.games - 1) as f64),
        false => Interval { at: spread.mean, low: f64::NEG_INFINITY, high: f64::INFINITY },
    };
    let at = right.mean - left.mean;
    let error = left.error.hypot(right.error);
    let (difference, p) = match left.games.min(right.games) > 1 && error > 0.0 {
        true => {
            // Welch's degrees of freedom.
            let part = |spread: Spread| spread.error.powi(4) / (spread.games - 1) as f64;
            let freedom = error.powi(4) / (part(left) + part(right));
            (around(at, error, freedom), Some(rounded(student(at / error, freedom))))
        }
        false => (Interval { at, low: at, high: at }.rounded(), None),
    };
    Means { name, a: alone(left), b: alone(right), difference, p }
}

fn around(at: f64, error: f64, freedom: f64) -> Interval {
    let half = error * student_95(freedom);
    Interval { at, low: at - half, high: at + half }.rounded()
}

impl Interval {
    fn rounded(self) -> Interval {
        Interval { at: rounded(self.at), low: rounded(self.low), high: rounded(self.high) }
    }
}

/// To nine digits behind the point, so that machines that differ in the last digit of a cosine say the same.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_as_books_have_them() {
        // 56 of 70 and 48 of 80: Newcombe's own example, 0.0524 to 0.3339.
        let found = shares("x".into(), 48, 56, [80, 70]);
        assert!((found.difference.low - 0.0524).abs() < 5e-5, "{found:?}");
        assert!((found.difference.high - 0.3339).abs() < 5e-5, "{found:?}");
        // z = 0.2 / sqrt(104/150 * 46/150 * (1/70 + 1/80)) = 2.6504.
        assert!((found.p.unwrap() - 0.008_04).abs() < 5e-5, "{found:?}");
        assert_eq!(two_shares((0, 10), (0, 10)), None);
    }

    #[test]
    fn means_by_welch() {
        // Means 10 and 12, variances 4 of 16 and 9 of 9 games: error 1.118, 12.06 degrees of freedom, t = 1.7889.
        let spread = |mean, variance: f64, games: u64| Spread { mean, error: (variance / games as f64).sqrt(), games };
        let found = mean("plies", spread(10.0, 4.0, 16), spread(12.0, 9.0, 9));
        let p = found.p.unwrap();
        assert!((p - 0.0988).abs() < 5e-4, "{p}");
        assert!(found.difference.low < 0.0 && found.difference.high > 4.0);
        assert_eq!(mean("plies", spread(3.0, 0.0, 5), spread(3.0, 0.0, 5)).p, None);
    }
}
