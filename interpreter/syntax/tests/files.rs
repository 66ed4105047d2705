//! The files in `tests/syntax/ok`, which use every rule of the grammar.

use super::{parse, without_places};
use crate::syntax::ast::*;
use crate::syntax::format;

const FILES: &[(&str, &str)] = &[
    ("items", include_str!("../../../tests/syntax/ok/items.lus")),
    ("statements", include_str!("../../../tests/syntax/ok/statements.lus")),
    ("expressions", include_str!("../../../tests/syntax/ok/expressions.lus")),
    ("examples", include_str!("../../../tests/syntax/ok/examples.lus")),
    ("unaligned", include_str!("../../../tests/syntax/ok/unaligned.lus")),
];

/// What an item's `define` stands for.
fn defined(name: &str) -> ExprKind {
    let (file, _) = parse(FILES[2].1);
    let body = file.items.into_iter().find_map(|item| match item.kind {
        ItemKind::Define(define) if define.head.name.text == name => Some(define.body),
        _ => None,
    });
    *body.unwrap().kind
}

fn spoken(kind: &ExprKind) -> String {
    let words: Vec<String> = without_places(kind).split('"').skip(1).step_by(2).map(str::to_string).collect();
    words.join(" ")
}

#[test]
fn every_file_is_read_without_complaint() {
    for (name, text) in FILES {
        let (file, found) = parse(text);
        assert!(found.is_empty(), "{name}: {found:#?}");
        assert!(!file.items.is_empty(), "{name}");
        assert!(!without_places(&file).contains("Error"), "{name}");
    }
}

#[test]
fn laid_out_twice_is_laid_out_once_and_says_the_same() {
    for (name, text) in FILES {
        let once = format(text);
        assert_eq!(format(&once), once, "{name}");
        let (before, after) = (parse(text).0, parse(&once).0);
        assert_eq!(without_places(&before), without_places(&after), "{name}");
        if *name != "unaligned" {
            assert_eq!(once, *text, "{name} is laid out already");
        }
    }
}

#[test]
fn a_crooked_file_becomes_straight() {
    let straight = "\
game \"Unaligned\"
turn {
  either    { choose spot in empty   place stone at spot
              require on }
  otherwise { pass }
  if a {
    x = 1

    // a note
  } else {
    y = 2
  }
}
define f(x) =
  a +
  b
piece one \"a\",
      two \"b\"
end {
  rank by a,
          b
  when { x: y
    z: w }
}
";
    assert_eq!(format(FILES[4].1), straight);
}

#[test]
fn every_rule_is_used() {
    let all: String = FILES.iter().map(|(_, text)| *text).collect();
    for word in super::super::words::RESERVED {
        assert!(
            all.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_').any(|used| used == *word),
            "{word}"
        );
    }
}

#[test]
fn docs_belong_to_the_file_or_to_what_is_below() {
    let (file, _) = parse(FILES[0].1);
    assert_eq!(file.docs, ["Above the head.", "Below it."]);
    assert_eq!(file.items[0].docs, ["The seats.", "Two of them."]);
    let ending = file.items.iter().find_map(|item| match &item.kind {
        ItemKind::End(lines) => Some(&lines[0]),
        _ => None,
    });
    assert!(matches!(ending, Some(EndLine::Ending(ending)) if ending.docs == ["The king is gone."]));
}

#[test]
fn operators_bind_as_they_should() {
    let ExprKind::At(x, rest) = *crate_expr("x at s at t") else { panic!("at") };
    assert!(matches!(*x.kind, ExprKind::Name(_)) && matches!(*rest.kind, ExprKind::At(..)));
    let ExprKind::Arith(ArithOp::Sub, left, _) = *crate_expr("a - b - c") else { panic!("minus") };
    assert!(matches!(*left.kind, ExprKind::Arith(ArithOp::Sub, ..)));
    let ExprKind::Or(left, _) = *crate_expr("a and not b or c") else { panic!("or") };
    let ExprKind::And(_, not) = *left.kind else { panic!("and") };
    assert!(matches!(*not.kind, ExprKind::Not(_)));
    let ExprKind::Owned(owner, _, None) = *crate_expr("a's b's c") else { panic!("owned") };
    assert!(matches!(*owner.kind, ExprKind::Owned(..)));
    let ExprKind::At(_, out) = *crate_expr("height at opponent's out") else { panic!("owned at") };
    assert!(matches!(*out.kind, ExprKind::Owned(..)));
    let ExprKind::The(set) = *crate_expr("the mine & king") else { panic!("the") };
    assert!(matches!(*set.kind, ExprKind::Both(_)));
    let ExprKind::And(some, _) = *crate_expr("some a & b and c") else { panic!("some") };
    assert!(matches!(*some.kind, ExprKind::Some(true, _)));
    let ExprKind::Both(list) = *crate_expr("a & b + c * d & e") else { panic!("both") };
    assert_eq!(list.len(), 3);
    let ExprKind::Otherwise(list) = *crate_expr("a otherwise b | c otherwise d") else { panic!("otherwise") };
    assert_eq!(list.len(), 3);
    let ExprKind::Compare(CompareOp::Is, _, right) = *crate_expr("a is if b then c else d and e") else { panic!("if") };
    assert!(matches!(*right.kind, ExprKind::If(..)));
}

fn crate_expr(text: &str) -> Box<ExprKind> {
    let (expr, found) = crate::syntax::parse_expr(Default::default(), text);
    assert!(found.is_empty(), "{found:?}");
    expr.kind
}

#[test]
fn builders_are_told_from_lists() {
    assert!(matches!(defined("built"), ExprKind::Builder(None, binders) if binders.list.len() == 2));
    assert!(matches!(defined("walked"), ExprKind::Builder(None, binders) if binders.list[0].going.is_some()));
    assert!(matches!(defined("mapped"), ExprKind::Builder(Some(_), binders) if binders.filter.is_some()));
    assert!(matches!(defined("listing"), ExprKind::Braces(list) if list[1].times.is_some() && list[2].times.is_some()));
    assert!(matches!(defined("asked_two"), ExprKind::Exists(false, binders) if binders.list.len() == 2));
    assert!(spoken(&defined("calls")).ends_with("sum a S b T c"));
}

#[test]
fn a_position_file_is_a_list_of_lines() {
    let text = "with x = 1\nposition \"\"\"\nA .\n\"\"\"\nWhite's score = 3\nBlack to move\nplay \"a\", \"b\"\nplace White's pawn at a9\nonly\nlegal\nends \"foo\"\n";
    let (lines, found) = crate::syntax::parse_example_lines(Default::default(), text);
    assert!(found.is_empty(), "{found:?}");
    assert_eq!(lines.len(), 9);
    assert!(matches!(&lines[6].kind, ExampleKind::Only(none) if none.is_empty()));
    assert!(matches!(&lines[7].kind, ExampleKind::Only(none) if none.is_empty()));
    assert_eq!(format(text), text);
    let (lines, found) = crate::syntax::parse_example_lines(Default::default(), "");
    assert!(lines.is_empty() && found.is_empty());
}

#[test]
fn places_are_those_of_the_words() {
    let text = "game \"A\"\ndefine f = a + b // note\n\n/// d\ndefine g(x) = if x then f else {} \n";
    let (file, _) = parse(text);
    let words = |span: crate::source::Span| &text[span.start as usize..span.end as usize];
    assert_eq!(words(file.items[0].span), "define f = a + b");
    assert_eq!(words(file.items[1].span), "define g(x) = if x then f else {}");
    let ItemKind::Define(define) = &file.items[1].kind else { panic!("define") };
    assert_eq!(words(define.body.span), "if x then f else {}");
}

#[test]
fn brackets_too_deep_are_not_laid_out() {
    let nested = |n: usize| format!("game \"X\"\nturn {}\n{}\n", "{\n".repeat(n), "}\n".repeat(n));
    assert_ne!(format(&nested(64)), nested(64));
    assert_eq!(format(&nested(65)), nested(65));
}
