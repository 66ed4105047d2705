//! How much of a bell curve lies outside `-t..t`: p-values, and the bounds of confidence intervals.
//!
//! Student's t is followed by its angle: with `u = sqrt(n) * atan(t / sqrt(n))` and `n` degrees of freedom its density is proportional to
//! `cos(u / sqrt(n)) ^ (n - 1)` for `0 <= u <= sqrt(n) * pi / 2` (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7). For
//! growing `n` that becomes `exp(-u * u / 2)`, the normal curve. A share of the area needs no constant in front, and Simpson's rule gives
//! the areas: the share is right to seven digits behind the point, small ones to five of their own digits.

/// Beyond this nothing is left that a number could hold: with two degrees of freedom or more the curves lie below `exp(-u * u / 4)`.
const FAR: f64 = 54.0;
/// Degrees of freedom with which a cosine has too few digits, and the curve is the normal one as far as anybody can see.
const MANY: f64 = 1e7;
/// Steps of Simpson's rule.
const STEPS: u32 = 4_000;

/// The share of the normal curve outside `-z..z`.
pub fn normal(z: f64) -> f64 {
    share(z.abs(), FAR, |u| (-u * u / 2.0).exp())
}

/// The share of Student's curve outside `-t..t`, for `n` degrees of freedom, at least 1.
pub fn student(t: f64, n: f64) -> f64 {
    let root = n.sqrt();
    let all = root * std::f64::consts::FRAC_PI_2;
    if n > MANY {
        return normal(t);
    }
    let density = |u: f64| (u / root).cos().max(0.0).powf(n - 1.0);
    share(root * (t.abs() / root).atan(), all.min(FAR), density)
}

/// The `t` outside of which one in twenty lies.
pub fn student_95(n: f64) -> f64 {
    let (mut low, mut high) = (1.9, 12.8);
    while high - low > 1e-9 {
        let middle = (low + high) / 2.0;
        match student(middle, n) > 0.05 {
            true => low = middle,
            false => high = middle,
        }
    }
    (low + high) / 2.0
}

/// The part of the area below `f` over `0..all` that lies over `from..all`.
fn share(from: f64, all: f64, f: impl Fn(f64) -> f64) -> f64 {
    if from >= all {
        return 0.0;
    }
    let outside = area(from, all, &f);
    (outside / (area(0.0, from, &f) + outside)).clamp(0.0, 1.0)
}

/// Simpson's rule.
fn area(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let width = (to - from) / f64::from(STEPS);
    let inner = (1..STEPS).map(|i| f(from + width * f64::from(i)) * if i % 2 == 1 { 4.0 } else { 2.0 });
    (f(from) + inner.sum::<f64>() + f(to)) * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-8 && (found / wanted - 1.0).abs() < 1e-5, "{found} instead of {wanted}");
    }

    #[test]
    fn the_normal_curve_as_tables_have_it() {
        near(normal(0.0), 1.0);
        near(normal(1.0), 0.317_310_507_863);
        near(normal(1.959_963_984_540), 0.05);
        near(normal(-2.575_829_303_549), 0.01);
        near(normal(6.0), 1.973_175_290e-9);
        assert_eq!(normal(50.0), 0.0);
    }

    #[test]
    fn students_curve_as_tables_have_it() {
        // One degree of freedom: an angle. Two: t / sqrt(2 + t * t).
        near(student(1.0, 1.0), 0.5);
        near(student(12.706_204_736, 1.0), 0.05);
        near(student(4.302_652_730, 2.0), 0.05);
        near(student(2.228_138_852, 10.0), 0.05);
        near(student(1.983_971_519, 100.0), 0.05);
        near(student(3.169_272_673, 10.0), 0.01);
        // With many it is the normal curve.
        near(student(1.959_963_984_540, 1e12), 0.05);
    }

    #[test]
    fn bounds_of_intervals() {
        for (n, t) in [(1.0, 12.706_204_736), (4.0, 2.776_445_105), (30.0, 2.042_272_456), (1e9, 1.959_963_985)] {
            assert!((student_95(n) - t).abs() < 1e-6, "{n}");
        }
    }
}
