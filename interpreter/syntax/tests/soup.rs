//! Whatever is written, reading it ends, and soon.

use proptest::prelude::*;

use super::{parse, without_places};
use crate::syntax::{format, parse_example_lines, parse_expr, words};

const SIGNS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "{",
    "}",
    "(",
    ")",
    ",",
    ":",
    "=",
    "+=",
    "|=",
    "+",
    "-",
    "*",
    "&",
    "|",
    "..",
    "'s",
    "'",
    "<",
    ">=",
    "\n",
    "\n",
    "\n",
    "==",
    "&&",
    "!",
    ";",
    "\"text\"",
    "\"",
    "\"\"\"a\nb\"\"\"",
    "// note\n",
    "/// doc\n",
    "3",
    "12",
    "99999999999",
    "é",
    "\u{0}",
    "\u{202e}",
    "\t",
];
const NAMES: &[&str] = &[
    "a", "x", "mine", "king", "board", "players", "stop", "times", "up", "from", "into", "going", "by", "draw", "wins",
    "rank", "with", "play", "only", "most", "square", "per", "player", "loop", "bag", "elif",
];

fn token() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        3 => proptest::sample::select(SIGNS),
        3 => proptest::sample::select(NAMES),
        2 => proptest::sample::select(words::RESERVED),
        1 => proptest::sample::select(words::STATEMENTS),
        1 => proptest::sample::select(words::ITEMS),
    ]
}

fn soup() -> impl Strategy<Value = String> {
    proptest::collection::vec(token(), 0..200).prop_map(|tokens| tokens.join(" "))
}

fn check(text: &str) {
    let start = std::time::Instant::now();
    let (file, found) = parse(text);
    let _ = parse_example_lines(Default::default(), text);
    let _ = parse_expr(Default::default(), text);
    assert!(start.elapsed() < std::time::Duration::from_secs(2), "{:?}", start.elapsed());
    for diag in &found {
        let (from, to) = (diag.place.span.start as usize, diag.place.span.end as usize);
        assert!(from <= to && to <= text.len() && text.is_char_boundary(from) && text.is_char_boundary(to), "{diag:?}");
    }
    let once = format(text);
    assert_eq!(format(&once), once);
    assert_eq!(without_places(&parse(&once).0), without_places(&file));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_is_read(text in soup()) {
        check(&text);
        check(&format!("game \"A\"\nturn {{ {text} }}\nend {{ draw when {text} }}"));
    }

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check(&text);
    }

    /// A good file with a token more, or one less.
    #[test]
    fn a_slip_is_told(place in any::<proptest::sample::Index>(), put in token(), cut in any::<bool>()) {
        let good = include_str!("../../../tests/syntax/ok/statements.lus");
        let blanks: Vec<usize> = good.char_indices().filter(|(_, sign)| *sign == ' ').map(|(at, _)| at).collect();
        let at = blanks[place.index(blanks.len())];
        let rest = if cut { good[at + 1..].trim_start().split_once(' ').map_or("", |(_, rest)| rest) } else { &good[at..] };
        check(&format!("{} {put} {rest}", &good[..at]));
    }
}
