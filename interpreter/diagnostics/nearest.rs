//! The only "did you mean".

/// The candidate most like `word`, if one is like it enough to be what was meant.
///
/// Capitals count half. Of equally near candidates the first wins, so the order of declaration decides and not chance.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const LONGEST: usize = 64;
    let word: Vec<char> = word.chars().take(LONGEST + 1).collect();
    if word.is_empty() || word.len() > LONGEST {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let signs: Vec<char> = candidate.chars().take(LONGEST + 1).collect();
        if signs.is_empty() || signs.len() > LONGEST {
            continue;
        }
        // Two in five signs may differ, or half if both begin with the same word (`far_range`, `far_steps`).
        // A word of one or two signs must agree but for capitals.
        let longest = word.len().max(signs.len());
        let most = if same_first_word(&word, &signs) { longest / 2 } else { 2 * longest / 5 };
        let most = (2 * most).max(1);
        // Each sign more or less counts at least two; that is quickly said.
        if 2 * word.len().abs_diff(signs.len()) > most {
            continue;
        }
        let Some(distance) = distance(&word, &signs, most) else { continue };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Are both of several words joined by `_`, and the first the same?
fn same_first_word(a: &[char], b: &[char]) -> bool {
    let first = |name: &[char]| name.iter().position(|sign| *sign == '_');
    first(a).is_some_and(|end| end > 0 && first(b) == Some(end) && a[..end] == b[..end])
}

/// Signs to insert, remove, replace or swap with their neighbour, each counted two; a capital for a small letter one. None if it is
/// more than `most`.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).map(|at| 2 * at).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![2 * (i + 1)];
        for (j, y) in b.iter().enumerate() {
            let change = match x == y {
                true => 0,
                false if x.eq_ignore_ascii_case(y) => 1,
                false if !x.is_ascii() && !y.is_ascii() && x.to_lowercase().eq(y.to_lowercase()) => 1,
                false => 2,
            };
            let mut least = (last[j] + change).min(last[j + 1] + 2).min(row[j] + 2);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                let swapped: &Vec<usize> = &before;
                least = least.min(swapped[j - 1] + 2);
            }
            row.push(least);
        }
        // No later row is less, but for a swap, which looks back one row more.
        if row.iter().chain(&last).min().is_some_and(|least| *least > most) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let names = ["lone_steps", "lone_capture", "few_draw", "diagonal", "on"];
        assert_eq!(nearest("lone_range", names), Some("lone_steps"));
        assert_eq!(nearest("diagnal", names), Some("diagonal"));
        assert_eq!(nearest("Few_Draw", names), Some("few_draw"));
        assert_eq!(nearest("no", names), None);
        assert_eq!(nearest("layout", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"k".repeat(100_000), names), None);
    }
}
