//! Every row of the table of limits at its edge: so much is allowed, one more is refused, with the row's code and the number in the sentence.

use lusory::diagnostics::{Diagnostics, Severity};
use lusory::evaluators::Evaluators;
use lusory::house;
use lusory::library::{Bundled, Embedded, Games};
use lusory::limits::table;
use lusory::pipeline;
use lusory::play::{Start, Status, Trouble};
use lusory::rules::Bounds;
use lusory::source::{FileId, Source, Sources};

use super::texts::*;
use super::{SetBound, game};

/// What is told: code and sentence of each error.
type Told = Vec<(String, String)>;

/// How a row is tried.
enum Tried {
    /// What is told of something with so much of it. Tried with the number of the table, and with the next that can be, so much more;
    /// that number is told.
    Counted(u64, fn(u64) -> Told),
    /// The same where nobody counts on when it is too much: the sentence gives the number of the table.
    Stopped(fn(u64) -> Told),
    /// A game that costs just so much, with the evaluator that is slow and with the quick one, however the program was built. Tried with
    /// that as its bound, and with one less.
    Costs(SetBound, &'static str, [u32; 2]),
}
use Tried::{Costs, Counted, Stopped};

/// The cases, in the order of the table.
fn cases() -> Vec<(&'static str, Tried)> {
    vec![
        ("file", Counted(1, |n| checked(file(n)))),
        ("house file", Counted(1, |n| house_file(&format!("game: konane\n#{}", "x".repeat(n as usize - 14))))),
        ("line", Counted(1, |n| checked(game(&format!("//{}\n", "é".repeat(n as usize - 2)))))),
        ("name", Counted(1, |n| checked(game(&format!("define {} = 3\n", "a".repeat(n as usize)))))),
        ("text", Counted(1, |n| checked(in_turn(&format!("note \"\"\"{}\"\"\"", lines_of("x", n)))))),
        ("number", Counted(1, |n| checked(game(&format!("define many = {n}\n"))))),
        ("words", Counted(1, |n| checked(words(n)))),
        ("items", Counted(1, |n| checked(game(&each(n - 5, "define d# = 3\n", ""))))),
        ("statements", Counted(1, |n| checked(in_turn(&each(n - 2, "note \"#\"", "\n"))))),
        ("brackets", Counted(1, |n| checked(game(&format!("define deep = {}\n", wrapped("(", "mine", ")", n)))))),
        ("open words", Counted(1, |n| checked(ending(&wrapped("not ", "stuck", "", n))))),
        ("levels", Counted(1, |n| parsed(&ending(&each(n - 1, "a", " +\n"))))),
        ("layers", Counted(1, layers)),
        ("sites", Counted(1, |n| checked(on(&format!("line {n}"), "")))),
        ("players", Counted(1, |n| checked(seats(n)))),
        ("kinds", Counted(1, |n| checked(kinds(n)))),
        ("things", Counted(1, |n| checked(game(&each(n, "remember v#\n", ""))))),
        ("choices", Counted(1, |n| checked(game(&format!("remember colour: {}\n", each(n, "w#", " or ")))))),
        ("track", Counted(1, |n| checked(on("square 32", &track("long", n))))),
        ("tracks", Counted(1, |n| checked(on("square 32", &tracks(n))))),
        ("branches", Counted(1, |n| checked(in_turn(&format!("either {}", each(n, "{ note \"#\" }", " or ")))))),
        (
            "pile",
            Counted(1, |n| {
                checked(in_turn(&format!("place {n} pawn at spot")).replace("square 5", "square 5 stacked"))
            }),
        ),
        ("written statements", Stopped(|n| checked(statements(n)))),
        ("written parts", Stopped(|n| checked(parts(n)))),
        ("written expression", Counted(1, |n| checked(expression(n)))),
        ("calls", Counted(1, |n| checked(calls(n)))),
        ("one look", Counted(1, |n| checked(looks(n)))),
        ("state", Counted(4, |n| checked(state(n)))),
        ("fuel", Stopped(|n| played(&small(&format!("turn {{ choose s in board   {n} times {{ note \"x\" }} }}"))))),
        (
            "ways",
            Costs(
                |bounds, n| bounds.ways = n.into(),
                "turn { choose a in 1..9   require a is 9   note \"x\" }",
                [11, 8],
            ),
        ),
        (
            "looks",
            Costs(
                |bounds, n| bounds.looks = n.into(),
                "turn { choose a in 1..3   9 times { n += a }   require n < 10 }",
                [119, 18],
            ),
        ),
        (
            "questions",
            Stopped(|n| {
                let round = format!("choose a in n + 1..n + 1 where a <= {n}   n = a");
                played(&small(&format!(
                    "turn {{ once or more while possible {{ {round} }}   require most n   require n > 0 }}"
                )))
            }),
        ),
        ("moves", Stopped(|n| played(&small(&format!("turn {{ choose a in 1..{n}   n = a }}"))))),
        ("steps", Costs(|bounds, n| bounds.steps = n, "turn { 50 times { choose s in board   commit } }", [50, 50])),
        ("throws", Stopped(throws)),
        ("turns", Stopped(turns)),
    ]
}

#[test]
fn every_row_of_the_table_has_a_case() {
    let rows: Vec<&str> = table().iter().map(|limit| limit.name).collect();
    let cases: Vec<&str> = cases().iter().map(|(row, _)| *row).collect();
    assert_eq!(rows, cases);
}

/// As much as the program gives itself: what is as deep as can be needs it where nothing is optimized.
const STACK: usize = 64 << 20;

#[test]
fn so_much_is_allowed_and_one_more_is_not() {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(every_row);
    assert!(work.expect("a thread").join().is_ok(), "a row is wrong");
}

fn every_row() {
    let mut wrong = Vec::new();
    for (limit, (row, tried)) in table().iter().zip(cases()) {
        let n = limit.usual;
        let mut edge = |what: &str, allowed: Told, refused: Told, said: u64| {
            wrong.extend(allowed.first().map(|told| format!("{row}{what}: what is allowed earns {told:?}")));
            let said = said.to_string();
            if !refused.iter().any(|(code, message)| code == limit.code && message.contains(&said)) {
                wrong.push(format!("{row}{what}: no {} that says {said}, but {refused:?}", limit.code));
            }
        };
        match tried {
            Counted(step, told) => edge("", told(n), told(n + step), n + step),
            Stopped(told) => edge("", told(n), told(n + 1), n),
            Costs(set, turn, costs) => {
                for (slow, cost) in [(true, costs[0]), (false, costs[1])] {
                    let with = |n: u32| {
                        let mut bounds = Bounds::usual();
                        set(&mut bounds, n);
                        played_by(&small(turn), bounds, slow)
                    };
                    let less = cost.saturating_sub(1);
                    edge(if slow { ", slow" } else { ", quick" }, with(cost), with(less), less.into());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The errors among what was found.
fn errors(found: &Diagnostics) -> Told {
    let errors = found.iter().filter(|diag| diag.severity == Severity::Error);
    errors.map(|diag| (diag.code.to_string(), diag.message.clone())).collect()
}

fn told(trouble: &Trouble) -> Told {
    vec![(trouble.code().unwrap_or("none").to_string(), trouble.to_string())]
}

fn source(text: String) -> Source {
    Source { name: "large.lus".into(), text }
}

/// What is told of a game.
fn checked(text: String) -> Told {
    errors(&pipeline::load(source(text), &Bundled, &Embedded).findings(&[]))
}

/// What is told of a text whose names do not matter.
fn parsed(text: &str) -> Told {
    errors(&lusory::syntax::parse(FileId(0), text).1)
}

fn house_file(text: &str) -> Told {
    let mut sources = Sources::new();
    let file = sources.add("house.yaml", text);
    house::read(file, text).map_or_else(|found| errors(&found), |_| Told::new())
}

/// So many games that extend one another.
fn layers(n: u64) -> Told {
    struct Chain(u64);
    impl Games for Chain {
        fn read(&self, name: &str) -> Option<Source> {
            let i: u64 = name.strip_prefix("layer_")?.parse().ok()?;
            let text = if i < self.0 { format!("game \"Layer\" extends layer_{}\n", i + 1) } else { game("") };
            Some(Source { name: format!("{name}.lus"), text })
        }
    }
    let chain = Chain(n);
    let first = chain.read("layer_1").expect("the first");
    errors(&pipeline::load(first, &chain, &Embedded).findings(&[]))
}

/// What comes of playing a game to its end, which both evaluators must agree on.
fn played(text: &str) -> Told {
    let both = [true, false].map(|slow| played_by(text, Bounds::usual(), slow));
    if both[0] == both[1] { both[0].clone() } else { vec![("two things".into(), format!("{both:?}"))] }
}

/// The same with one of them.
fn played_by(text: &str, bounds: Bounds, slow: bool) -> Told {
    let mut loaded = pipeline::load(source(text.to_string()), &Bundled, &Embedded);
    loaded.bounds = bounds;
    let rules = match loaded.ready(&[]) {
        Ok(ready) => ready.rules,
        Err(found) => return errors(&found),
    };
    let evaluators = Evaluators::new(rules);
    let start = Start::beginning();
    let table = if slow { evaluators.slow_table(&start) } else { evaluators.table(&start) };
    let to_the_end = || -> Result<Told, Trouble> {
        let mut table = table?;
        loop {
            let first = match table.status() {
                Status::Over(outcome) if &*outcome.reason == "turn limit" => {
                    return Ok(vec![(outcome.reason.to_string(), format!("after {} turns", table.snapshot().turns))]);
                }
                Status::Over(_) => return Ok(Told::new()),
                Status::ToMove(_) => table.moves()?.into_iter().next(),
                Status::Chance => table.outcomes()?.into_iter().map(|(chosen, _)| chosen).next(),
            };
            table.play(&first.ok_or(Trouble::NotNow)?)?;
        }
    };
    to_the_end().unwrap_or_else(|trouble| told(&trouble))
}

/// A throw that fits its condition at the `n`th try.
fn throws(n: u64) -> Told {
    let text = small("turn { roll a in 1..6   require a is 6   choose s in board   n = a }");
    let ready = pipeline::load(source(text), &Bundled, &Embedded).ready(&[]).expect("a game");
    let evaluators = Evaluators::new(ready.rules);
    let start = Start::beginning();
    let tables = [evaluators.slow_table(&start), evaluators.table(&start)];
    let both = tables.map(|table| {
        let mut tries = 0;
        let mut draw = |sides: u64| {
            tries += 1;
            if tries == n { sides - 1 } else { 0 }
        };
        table.and_then(|mut table| table.draw(&mut draw)).map_or_else(|trouble| told(&trouble), |_| Told::new())
    });
    assert_eq!(both[0], both[1]);
    both[0].clone()
}

/// A game that ends by itself after `n` turns.
fn turns(n: u64) -> Told {
    played(&small("turn { choose s in board }").replace("turns is 1", &format!("turns is {n}")))
}
