//! Every slip is told, once, and everything around it is read.

use super::{codes, parse};
use crate::syntax::ast::*;

/// A slip in a statement of a turn.
fn in_turn(statement: &str) -> Vec<(&'static str, String)> {
    let text = format!("game \"A\"\nturn {{\n  let before = 1\n  {statement}\n  take behind\n}}\ndefine last = x\n");
    let (file, found) = parse(&text);
    assert_eq!(file.items.len(), 2, "{statement}: {found:?}");
    let ItemKind::Turn(turn) = &file.items[0].kind else { panic!("{statement}: no turn") };
    let statements = &turn.body.statements;
    assert!(matches!(statements[0].kind, StatementKind::Let(..)), "{statement}: {statements:?}");
    assert!(matches!(statements[statements.len() - 1].kind, StatementKind::Take(_)), "{statement}: {statements:?}");
    found.into_iter().map(|diag| (diag.code, diag.message)).collect()
}

#[test]
fn one_slip_is_one_message() {
    let cases = [
        ("x = a == b", "double-equals", "\"==\" is not used: say \"is\". To assign, write \"=\"."),
        ("x == 3", "double-equals", "\"==\" is not used: say \"is\". To assign, write \"=\"."),
        ("if a==b { pass }", "double-equals", "\"==\" is not used: say \"is\". To assign, write \"=\"."),
        ("require a & b | c", "mixed-and-or", "\"a & b | c\": which two belong together? Put brackets."),
        ("require a && b", "foreign-sign", "\"&&\" is not used: say \"and\"."),
        ("require a || b", "foreign-sign", "\"||\" is not used: say \"or\"."),
        ("require !a", "foreign-sign", "\"!\" is not used: say \"not\"."),
        ("require a != b", "foreign-sign", "\"!=\" is not used: say \"is not\"."),
        ("take b;", "semicolon", "A \";\" is not needed: leave it out."),
        ("if a { pass } elif b { pass } else { pass }", "foreign-word", "\"elif\" is not used: say \"else if\"."),
        ("if a = b { pass }", "equals", "\"=\" gives a value to a name; it does not compare."),
        ("move a", "syntax", "\"to\" is missing before \"take\"."),
        ("either { pass }", "syntax", "\"or\" or \"otherwise\" is missing before \"take\"."),
        ("let x = ", "syntax", "A value is missing before \"take\"."),
        ("x = a +", "syntax", "A value is missing before \"take\"."),
        (
            "choose turn in mine",
            "reserved-word",
            "\"turn\" is taken: it is a word of the language. Choose another name.",
        ),
        ("let end = 3", "reserved-word", "\"end\" is taken: it is a word of the language. Choose another name."),
        ("chose x in mine", "unknown-statement", "There is no statement \"chose\"."),
        ("require a < b < c", "chained-comparison", "Compare two things at a time."),
        ("x = 3000000000", "number-too-large", "3000000000 is too large; a number goes up to 2000000000."),
        ("note \"text", "unclosed", "This text has no end: a \" is missing before the end of the line."),
        ("x = f(a, b", "unclosed", "This \"(\" is not closed: a \")\" is missing."),
        ("x = a)", "unopened", "This \")\" closes nothing."),
        ("x = a[3]", "foreign-sign", "\"[\" is not used."),
        ("x = y' z", "apostrophe", "The apostrophe alone follows a name in \"s\" only."),
        ("x = a + if b then c else d", "brackets-needed", "\"if\" begins a part of its own here. Put brackets."),
        ("f's x", "syntax", "\"f's x\" alone does nothing."),
        ("x = 3rd", "syntax", "\"3rd\" is neither a number nor a name."),
        ("require x \u{202e} > 3", "hidden-character", "An invisible character (U+202E) stands here."),
    ];
    for (statement, code, message) in cases {
        let found = in_turn(statement);
        let twice = statement.contains('[');
        assert_eq!(found.len(), if twice { 2 } else { 1 }, "{statement}: {found:?}");
        assert_eq!((found[0].0, found[0].1.as_str()), (code, message), "{statement}");
    }
}

#[test]
fn slips_inside_a_spoiled_statement_are_told_too() {
    let found = in_turn("if a = b {\n    move x\n  } else {\n    chose y in z\n  }");
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn a_let_with_a_spoiled_value_still_gives_its_name() {
    let (file, found) = parse("game \"A\"\nturn { let x = take y }\ndefine f = a + * b\n");
    assert_eq!(found.len(), 2, "{found:?}");
    let ItemKind::Turn(turn) = &file.items[0].kind else { panic!("turn") };
    assert!(matches!(turn.body.statements[0].kind, StatementKind::Let(..)));
    let ItemKind::Define(define) = &file.items[1].kind else { panic!("define") };
    assert!(matches!(*define.body.kind, ExprKind::Error));
}

#[test]
fn items_are_told_from_their_neighbours() {
    let cases: &[(&str, &[&str], usize)] = &[
        ("defin f = 3\ndefine g = 4", &["unknown-item"], 1),
        ("define f = 3\ndefin g = 4\ndefine h = 5", &["unknown-item"], 2),
        ("players A, B\nbaord square 3\nturn { pass }", &["unknown-item"], 2),
        ("turn {\n  if a { pass\n}\nend { draw when a }", &["unclosed"], 2),
        ("turn { pass } }\nend { draw when a }", &["unopened"], 2),
        ("define turn = 3\ndefine g = 4", &["reserved-word"], 1),
        ("define f(a = 3\ndefine g = 4", &["unclosed"], 1),
        ("end {\n  draw when\n  next loses when stuck\n}", &["syntax"], 1),
        ("end {\n  mover wins if a\n  draw when b\n}", &["foreign-word"], 1),
        ("example \"a\" {\n  with x\n  play \"a\"\n  White to mvoe\n  only \"b\"\n}", &["syntax", "syntax"], 1),
        ("game \"B\"\nturn { pass }", &["syntax"], 1),
        ("remember x: bag of\ndefine g = 4", &["syntax"], 1),
    ];
    for (text, expected, items) in cases {
        let (file, found) = parse(&format!("game \"A\"\n{text}\n"));
        let codes: Vec<_> = found.iter().map(|diag| diag.code).collect();
        assert_eq!(&codes[..], *expected, "{text}: {found:#?}");
        assert_eq!(file.items.len(), *items, "{text}: {:#?}", file.items);
    }
}

#[test]
fn a_file_says_what_it_is() {
    assert_eq!(codes(""), ["no-head"]);
    assert_eq!(codes("turn { pass }"), ["no-head"]);
    assert_eq!(codes("\u{feff}game \"A\""), [""; 0]);
}

#[test]
fn other_lines_of_an_example_survive() {
    let (lines, found) = crate::syntax::parse_example_lines(
        Default::default(),
        "with x = 1\nplay 3\nBlack to move\nfoo bar\nends draw\n",
    );
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!(lines.len(), 3, "{lines:?}");
}

#[test]
fn an_expression_alone() {
    let (_, found) = crate::syntax::parse_expr(Default::default(), "a b");
    assert_eq!(found.len(), 1);
    let (expr, found) = crate::syntax::parse_expr(Default::default(), "");
    assert_eq!((found.len(), expr.kind), (1, Box::new(ExprKind::Error)));
}

#[test]
fn a_case_of_a_match_may_be_spoiled() {
    let text = "game \"A\"\nturn {\n  let a = 1\n  match x {\n    red: { move a }\n    blue: { chose y in z }\n  }\n  take b\n}\n";
    assert_eq!(codes(text).len(), 2);
}

#[test]
fn errors_are_told_up_to_a_number() {
    let (_, found) = parse(&format!("game \"A\"\nturn {{\n{}}}\n", "x = a == b\n".repeat(60)));
    assert_eq!(found.len(), crate::syntax::limits::ERRORS + 1);
    assert_eq!(found[found.len() - 1].code, "too-many-errors");
}
