//! Arithmetic that never fails: 32 bits, stopping at the ends; "no limit" stays "no limit"; division by zero is 0.

use super::NO_LIMIT;

/// The least common multiple, as far as there is room; of numbers above 0.
pub fn lcm(a: u128, b: u128) -> u128 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).saturating_mul(b)
}

/// Sum.
pub fn add(a: i32, b: i32) -> i32 {
    if a == NO_LIMIT || b == NO_LIMIT { NO_LIMIT } else { a.saturating_add(b).min(NO_LIMIT - 1) }
}

/// Difference; no limit less anything is no limit.
pub fn sub(a: i32, b: i32) -> i32 {
    if a == NO_LIMIT { NO_LIMIT } else { a.saturating_sub(b).min(NO_LIMIT - 1) }
}

/// Product; no limit times a positive number is no limit.
pub fn mul(a: i32, b: i32) -> i32 {
    match (a, b) {
        (NO_LIMIT, n) | (n, NO_LIMIT) if n > 0 => NO_LIMIT,
        (NO_LIMIT, _) | (_, NO_LIMIT) => 0,
        _ => a.saturating_mul(b).min(NO_LIMIT - 1),
    }
}

/// Quotient, rounded towards zero; by zero it is 0. No limit divided by a positive number is no limit.
pub fn div(a: i32, b: i32) -> i32 {
    match (a, b) {
        (_, 0) => 0,
        (NO_LIMIT, n) if n > 0 => NO_LIMIT,
        _ => a.saturating_div(b).min(NO_LIMIT - 1),
    }
}

/// Remainder, with the sign of the divided number; by zero it is 0.
pub fn rem(a: i32, b: i32) -> i32 {
    if b == 0 { 0 } else { a.wrapping_rem(b) }
}
