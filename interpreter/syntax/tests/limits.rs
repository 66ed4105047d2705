//! What is allowed at n is refused at n + 1, quickly and without running out of stack.

use std::time::{Duration, Instant};

use super::{codes, parse};
use crate::syntax::limits;

/// Both texts, made from a number, and the code that the second earns.
fn at_the_limit(limit: usize, code: &str, make: impl Fn(usize) -> String) {
    let (_, found) = parse(&make(limit));
    assert!(found.is_empty(), "{limit} is allowed: {found:?}");
    let (_, found) = parse(&make(limit + 1));
    assert_eq!(found.len(), 1, "{:?}", &found[..found.len().min(3)]);
    assert_eq!(found[0].code, code);
    let measured = (limit + 1).to_string();
    assert!(
        found[0].message.contains(&measured) || found[0].message.contains(&limit.to_string()),
        "{}",
        found[0].message
    );
}

fn game(rest: impl std::fmt::Display) -> String {
    format!("game \"A\"\n{rest}\n")
}

#[test]
fn sizes() {
    at_the_limit(limits::FILE_BYTES, "file-too-large", |size| {
        let head = game("");
        let mut text = head.clone();
        while text.len() + 101 <= size {
            text += &"/".repeat(100);
            text.push('\n');
        }
        text + &" ".repeat(size - head.len() - (size - head.len()) / 101 * 101)
    });
    at_the_limit(limits::LINE_CHARS, "line-too-long", |chars| game(format!("//{}", "é".repeat(chars - 2))));
    at_the_limit(limits::NAME_CHARS, "name-too-long", |chars| game(format!("define {} = 3", "a".repeat(chars))));
    at_the_limit(limits::TEXT_BYTES, "text-too-long", |bytes| {
        game(format!("setup \"\"\"{}\"\"\"", ".\n".repeat(bytes / 2) + &".".repeat(bytes % 2)))
    });
    at_the_limit(limits::ITEMS, "too-many-items", |items| game("view a\n".repeat(items)));
    at_the_limit(limits::STATEMENTS, "too-many-statements", |count| {
        game(format!("turn {{\n{}}}", "pass\n".repeat(count)))
    });
    at_the_limit(limits::NUMBER as usize, "number-too-large", |number| game(format!("define a = {number}")));
}

#[test]
fn depths() {
    let wrapped = |open: &str, inner: &str, close: &str, n: usize| {
        game(format!("define a = {}{inner}{}", open.repeat(n), close.repeat(n)))
    };
    at_the_limit(limits::NESTING, "too-deep", |n| wrapped("(", "x", ")", n));
    at_the_limit(limits::NESTING, "too-deep", |n| wrapped("{", "x", "}", n));
    at_the_limit(limits::NESTING, "too-deep", |n| wrapped("f(", "x", ")", n));
    at_the_limit(limits::NESTING, "too-deep", |n| {
        game(format!("turn {}pass{}", "{ may ".repeat(n - 1) + "{ ", " }".repeat(n)))
    });
    at_the_limit(limits::OPEN_WORDS, "too-deep", |n| wrapped("not ", "x", "", n));
    at_the_limit(limits::OPEN_WORDS, "too-deep", |n| wrapped("- ", "x", "", n));
    at_the_limit(limits::OPEN_WORDS, "too-deep", |n| wrapped("some x in y where ", "x", "", n));
    at_the_limit(limits::OPEN_WORDS, "too-deep", |n| wrapped("spread x from a into ", "x", "", n));
    at_the_limit(limits::OPEN_WORDS, "too-deep", |n| wrapped("if a then ", "x", " else y", n));
}

#[test]
fn trees() {
    let deep = |text: &str| game(format!("define a = x{}", text.repeat(limits::TREE_DEPTH + 1)));
    for text in [" + x", " and x", " or x", "'s x", " at x", " - x", " * x"] {
        assert_eq!(codes(&deep(text)), ["too-deep"], "{text}");
        assert_eq!(
            codes(&game(format!("define a = x{}", text.repeat(limits::TREE_DEPTH / 2)))),
            [""; 0],
            "half {text}"
        );
    }
    // Lists are flat.
    for text in [" & x", " | x", " otherwise x"] {
        assert_eq!(codes(&deep(text)), [""; 0], "{text}");
    }
    let otherwise = |n: usize| game(format!("turn {{ if a {{ b }}{} }}", " else if a { b }".repeat(n)));
    assert_eq!(codes(&otherwise(100)), [""; 0]);
    assert_eq!(codes(&otherwise(200)), ["too-deep"]);
}

#[test]
fn words_side_by_side_are_not_nested() {
    let many = 300;
    for statement in [
        "x = if a then b else c\n",
        "require some x in y where z\n",
        "let x = spread x from a into b\n",
        "if a { b }\n",
        "if from is a { b }\n",
    ] {
        assert_eq!(codes(&game(format!("turn {{\n{}}}", statement.repeat(many)))), [""; 0], "{statement}");
    }
    for line in ["mover wins when some x in y where z\n", "draw when if a then b else c\n"] {
        assert_eq!(codes(&game(format!("end {{\n{}}}", line.repeat(many)))), [""; 0], "{line}");
    }
    let list = "if a then b else c, ".repeat(many);
    assert_eq!(codes(&game(format!("define a = {{{list}x}}"))), [""; 0]);
    let arms = "a: if a then b else c ".repeat(many);
    assert_eq!(codes(&game(format!("define a = match x {{{arms}}}"))), [""; 0]);
}

/// Runs on a stack of the size that threads have by default; a machine that does other work at the same time has more than one try.
fn quick(what: &str, text: String, within: Duration) {
    let run = || {
        let start = Instant::now();
        let _ = parse(&text);
        start.elapsed()
    };
    let once = || {
        std::thread::scope(|scope| {
            let run = std::thread::Builder::new().stack_size(2 << 20).spawn_scoped(scope, run).unwrap();
            run.join().unwrap()
        })
    };
    let took: Vec<Duration> = (0..5).map(|_| once()).take_while(|took| *took >= within).collect();
    assert!(took.len() < 5, "{what}: {took:?}");
}

#[test]
fn nesting_is_quick() {
    let pairs = [
        ("(", ")"),
        ("{", "}"),
        ("f(", ")"),
        ("f(a, ", ")"),
        ("f(n: ", ")"),
        ("{2 ", "}"),
        ("{x in ", " where a}"),
        ("{a, ", "}"),
        ("{x for x in ", "}"),
        ("count(x in ", " where b)"),
        ("match a { b: ", "}"),
        ("if a then ", " else b"),
        ("if ", " then a else b"),
        ("some x in ", " where a"),
        ("some x in a where ", ""),
        ("spread x from ", " into b"),
        ("spread x from a into ", " up to 3"),
        ("let x = a ", ""),
        ("not ", ""),
        ("the ", ""),
        ("-", ""),
        ("(if ", " then a else b)"),
        ("x is if a then b else ", ""),
        ("a's f(", ")"),
        ("{x in if ", " then a else b where c}"),
        ("match ", " {a: b}"),
        ("(some x in ", " where a)"),
        ("f(a)'s b + (", ")"),
        ("a at (", ")"),
    ];
    for (open, close) in pairs {
        for n in [30, 60] {
            for broken in ["x", "x y", "= "] {
                let value = format!("{}{broken}{}", open.repeat(n), close.repeat(n));
                quick(
                    open,
                    game(format!("define a = {value}")),
                    Duration::from_millis(if broken == "x" { 50 } else { 200 }),
                );
                quick(open, game(format!("option a = {value} (or b)")), Duration::from_millis(200));
                quick(open, game(format!("turn {{ x = {value} }}")), Duration::from_millis(200));
                quick(open, game(format!("end {{ a: {value} wins when {value} }}")), Duration::from_millis(400));
            }
        }
    }
    for open in [
        "{ may ",
        "{ if a ",
        "{ either ",
        "{ match a { b: ",
        "{ for x in y ",
        "{ if a {} else ",
        "{ 3 times ",
        "{ once or more ",
    ] {
        for n in [30, 60] {
            quick(
                open,
                game(format!("turn {}{{ pass {}", open.repeat(n), "}".repeat(n + 1))),
                Duration::from_millis(200),
            );
        }
    }
}

#[test]
fn much_of_one_thing_does_not_overflow_the_stack() {
    // Deep enough to overflow it many times, if depth were not bounded.
    let size = std::env::var("SYNTAX_TEST_BYTES").map_or(64 << 10, |size| size.parse().unwrap());
    let parts = [
        "(",
        "{",
        "f(",
        "not ",
        "the ",
        "- ",
        "some x in ",
        "if ",
        "if a then ",
        "else if a {} ",
        "let x = ",
        "spread x from ",
        "match ",
        "a's ",
        "a at ",
        "a + ",
        "a & ",
        "where ",
        "x is ",
        "x otherwise ",
        "either {} or ",
        "{ may ",
        "some ",
        "no x in a, y in ",
        "x is if ",
        ")",
        "}",
        "\"",
        "\"\"\"",
        "//",
        "///\n",
        "define ",
        "define x = ",
        "turn { ",
        "game \"A\" ",
        "3 ",
        "= ",
        "a ",
        "\u{1}",
        "é",
        "==",
        "else ",
        "going some x in ",
        "into spread x from ",
        "match a { b: ",
        ",",
        "'",
        "'s",
        "where let x = a some x in ",
        "if a { } ",
        "x = if a then ",
        "(\n",
        "{x in ",
        "end { ",
        "end { draw when ",
        "a: ",
        "a. ",
        "1..",
    ];
    for part in parts {
        let value: String = std::iter::repeat_n(part, size / part.len()).collect();
        for head in ["define a = ", "turn { x = ", "turn { ", "end { draw when ", ""] {
            quick(part, game(format!("{head}{}", broken_into_lines(&value))), Duration::from_secs(60));
        }
    }
}

/// Line ends instead of some blanks, so that it is not the length of the line that is told.
fn broken_into_lines(text: &str) -> String {
    let mut column = 0;
    let put = |sign: char| {
        column += 1;
        if sign == ' ' && column > 100 {
            column = 0;
            return '\n';
        }
        sign
    };
    text.chars().map(put).collect()
}
