//! The words of the language, by what they begin or may follow.

/// Words that can never be names; the same list as `reserved` in the grammar.
pub const RESERVED: &[&str] = &[
    "action",
    "after",
    "and",
    "announce",
    "at",
    "base",
    "change",
    "choose",
    "commit",
    "counter",
    "define",
    "either",
    "else",
    "end",
    "example",
    "for",
    "game",
    "give",
    "if",
    "in",
    "is",
    "lay",
    "let",
    "library",
    "match",
    "may",
    "move",
    "needs",
    "no",
    "not",
    "notation",
    "note",
    "of",
    "off",
    "on",
    "once",
    "option",
    "or",
    "otherwise",
    "piece",
    "place",
    "property",
    "remember",
    "require",
    "roll",
    "setup",
    "some",
    "spread",
    "take",
    "the",
    "then",
    "to",
    "track",
    "turn",
    "view",
    "when",
    "where",
    "while",
    "within",
];

/// Words that begin an item or the head of a file. `board` and `players` are names too.
pub const ITEMS: &[&str] = &[
    "action", "after", "board", "counter", "define", "end", "example", "game", "library", "needs",
    "notation", "option", "piece", "players", "property", "remember", "setup", "track", "turn",
    "view",
];

/// Reserved words that begin a statement.
pub const STATEMENTS: &[&str] = &[
    "announce", "base", "change", "choose", "commit", "either", "for", "give", "if", "lay", "let",
    "match", "may", "move", "note", "once", "place", "require", "roll", "take", "while",
];

/// Words that begin a line of an example.
pub const EXAMPLE_LINES: &[&str] = &[
    "with", "position", "play", "only", "legal", "illegal", "shows", "ends", "expect", "moves",
    "take", "place", "change",
];

/// Ordinary names that, in their place, want a value behind them.
pub const WANTING: &[&str] = &[
    "into", "going", "along", "carrying", "by", "per", "keeps", "lowers", "raises", "from", "with",
    "plus",
];

/// Words that begin a part of an expression inside which the grammar goes one level down.
pub const OPENING: &[&str] = &["if", "spread", "some", "no", "match"];

/// Can this word not be a name?
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    #[test]
    fn the_list_is_sorted_and_the_grammar_has_the_same() {
        assert!(RESERVED.is_sorted());
        let grammar = include_str!("grammar.pest");
        let rule = grammar
            .split("\nreserved = {")
            .nth(1)
            .unwrap()
            .split('}')
            .next()
            .unwrap();
        let mut words: Vec<&str> = rule.split('"').skip(1).step_by(2).collect();
        assert!(
            words.windows(2).all(|two| two[0].len() >= two[1].len()),
            "longer words first"
        );
        words.sort_unstable();
        assert_eq!(words, RESERVED);
    }
}
