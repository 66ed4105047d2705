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
    "action", "after", "board", "counter", "define", "end", "example", "game", "library", "needs", "notation",
    "option", "piece", "players", "property", "remember", "setup", "track", "turn", "view",
];

/// Reserved words that begin a statement.
pub const STATEMENTS: &[&str] = &[
    "announce", "base", "change", "choose", "commit", "either", "for", "give", "if", "lay", "let", "match", "may",
    "move", "note", "once", "place", "require", "roll", "take", "while",
];

/// Those of them that cannot go on with an expression, so that a statement begins wherever they stand.
pub const ACTING: &[&str] = &[
    "announce", "change", "choose", "commit", "either", "give", "lay", "may", "move", "note", "once", "place",
    "require", "roll", "take",
];

/// Words that begin a line of an example.
pub const EXAMPLE_LINES: &[&str] = &[
    "with", "position", "play", "only", "legal", "illegal", "shows", "ends", "expect", "moves", "rematch", "take",
    "place", "change",
];

/// Ordinary names that, in their place, want a value behind them.
pub const WANTING: &[&str] =
    &["into", "going", "along", "carrying", "by", "per", "keeps", "lowers", "raises", "from", "with", "plus"];

/// Words that begin a part of an expression inside which the grammar goes one level down.
pub const OPENING: &[&str] = &["if", "spread", "some", "no", "match"];

/// How a statement or an item is written, by its first word.
pub const FORMS: &[(&str, &str)] = &[
    ("action", "action name(a, b: dir) { … }"),
    ("after", "after turn { … }"),
    ("announce", "announce a, b"),
    ("board", "board square 8, or: board grid 6 by 2, board hexagon 5, board drawing \"\"\"…\"\"\""),
    ("change", "change S to kind"),
    ("choose", "choose x in S, y in T where condition"),
    ("counter", "counter name = 0"),
    ("define", "define name(a, b: dir) = value"),
    ("either", "either { … } or { … }"),
    ("end", "end { mover wins when condition   draw when condition }"),
    ("example", "example \"what it shows\" { … }"),
    ("expect", "expect condition"),
    ("for", "for x in S { … }"),
    ("game", "game \"Name\""),
    ("give", "give value"),
    ("if", "if condition { … } else { … }"),
    ("illegal", "illegal \"turn\" because \"reason\""),
    ("lay", "lay \"\"\"…\"\"\" from site along right, forward"),
    ("let", "let name = value"),
    ("library", "library \"name\""),
    ("match", "match value { red: { … }  else: { … } }"),
    ("may", "may { … }"),
    ("move", "move A to b"),
    ("moves", "moves 20, 400"),
    ("needs", "needs name(a): sites"),
    ("notation", "notation from \"-\" dest"),
    ("note", "note \"text\""),
    ("once", "once or more { … }, or: once or more while possible { … }"),
    ("option", "option name = 3 (or 1..9, none)"),
    ("piece", "piece king \"Kk\", pawn \"Pp\""),
    ("place", "place kind at S"),
    ("players", "players White, Black"),
    ("position", "position \"\"\"…\"\"\""),
    ("property", "property \"what it says\" = condition, or: keeps, lowers, raises value"),
    ("remember", "remember name per player = 0"),
    ("require", "require condition \"reason\""),
    ("roll", "roll x in 1..6, or: roll 2 dice in 1..6"),
    ("setup", "setup { … }, or: setup \"\"\"…\"\"\""),
    ("take", "take S"),
    ("track", "track name = p1..p24, out"),
    ("turn", "turn { … }"),
    ("view", "view sites"),
    ("while", "while condition { … }"),
    ("with", "with option = value"),
];

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
        let rule = grammar.split("\nreserved = {").nth(1).unwrap().split('}').next().unwrap();
        let mut words: Vec<&str> = rule.split('"').skip(1).step_by(2).collect();
        assert!(words.windows(2).all(|two| two[0].len() >= two[1].len()), "longer words first");
        words.sort_unstable();
        assert_eq!(words, RESERVED);
    }
}
