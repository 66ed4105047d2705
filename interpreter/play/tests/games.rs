//! Sessions, examples, random games and counting, on the game of `fake`.

use crate::play::examples::{self, Mismatch};
use crate::play::fake::{Fill, FillStage, rules};
use crate::play::record::{By, Record};
use crate::play::session::{ReplayError, Session};
use crate::play::sim::{self, Plan, random_playout};
use crate::play::tally::wilson;
use crate::play::{Move, Snapshot, Speaker, Status, Table, Trouble, perft};
use crate::rules::example::{ExampleCase, Step};
use crate::rules::{Board, Rules};
use crate::source::{FileId, Span};

fn session(rules: &Rules, seed: u64) -> Session<'_> {
    Session::new(rules, seed, Box::new(move || Ok(Box::new(Fill::start(rules)) as Box<dyn Speaker>))).unwrap()
}

#[test]
fn a_session_plays_undoes_and_throws_the_same_again() {
    let rules = rules(Board::grid(2, 2));
    let mut game = session(&rules, 5);
    assert_eq!(game.say("A1").unwrap().text, "a1");
    let refused = game.say("a1").unwrap_err();
    assert_eq!(refused.reason.as_deref(), Some("the cell is taken"));
    game.say("b2").unwrap();
    assert_eq!(game.status(), Status::Chance);
    assert_eq!(game.roll(), Ok(1));
    let entries = game.entries().to_vec();
    assert_eq!(entries.iter().map(|entry| entry.by).collect::<Vec<_>>(), [By::Seat(0), By::Seat(1), By::Chance]);
    assert_eq!(game.undo().unwrap().len(), 2);
    assert_eq!(game.status(), Status::ToMove(1));
    game.say("b2").unwrap();
    game.roll().unwrap();
    assert_eq!(game.entries(), entries);
    game.back_to(0).unwrap();
    assert_eq!(game.snapshot(), Snapshot::empty(&rules));
    assert_eq!(game.undo(), Ok(Vec::new()));
}

#[test]
fn a_record_comes_back() {
    let rules = rules(Board::grid(2, 2));
    let mut game = session(&rules, 11).with_options(vec![("size".into(), "2".into())]);
    while !matches!(game.status(), Status::Over(_)) {
        if game.roll().unwrap() == 0 {
            game.play_random().unwrap();
        }
    }
    assert_eq!(game.play_random(), Err(Trouble::NotNow));
    let record = game.record();
    assert_eq!(record.ends.as_deref(), Some("board full"));
    let read = Record::parse(&record.to_string()).unwrap();
    assert_eq!(read.options, record.options);
    let mut again = session(&rules, 0);
    again.replay(&read).unwrap();
    assert_eq!(again.entries(), game.entries());
    assert_eq!(again.snapshot(), game.snapshot());
}

#[test]
fn a_wrong_record_leaves_the_session_alone() {
    let rules = rules(Board::grid(2, 2));
    let mut game = session(&rules, 1);
    game.say("b1").unwrap();
    let replay = |game: &mut Session<'_>, text: &str| game.replay(&Record::parse(text).unwrap());
    let refused = replay(&mut game, "play \"a1\" play \"roll 2\" play \"a1\"").unwrap_err();
    assert!(matches!(refused, ReplayError::Refused { number: 3, .. }), "{refused}");
    let differs = replay(&mut game, "play \"a1\"\nshows \"B. / BW\"").unwrap_err();
    assert_eq!(differs.to_string(), "the record ends with another position; it differs at a2, a1, b1");
    let end = replay(&mut game, "play \"a1\" ends \"resigned\"").unwrap_err();
    assert_eq!(end.to_string(), "the record says the game ended with \"resigned\", but it goes on");
    assert_eq!(game.entries().len(), 1);
    replay(&mut game, "play \"Resign\" ends resigned").unwrap();
    assert_eq!(game.undo().unwrap().len(), 1);
    assert_eq!(game.entries().len(), 1);
}

fn run(rules: &Rules, faulty: bool, steps: Vec<Step>) -> Result<(), Mismatch> {
    let span = |i: usize| Span::new(FileId(0), i, i + 1);
    let steps = steps.into_iter().enumerate().map(|(i, step)| (step, span(i))).collect();
    let case = ExampleCase { title: "case".into(), steps };
    examples::run(rules, &case, &FillStage { rules, faulty }, &Snapshot::empty(rules)).map(|_| ())
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| text.to_string()).collect()
}

#[test]
fn an_example_that_holds() {
    let rules = rules(Board::grid(2, 2));
    let steps = vec![
        Step::Moves(vec![4, 12, 36, 72, 72]),
        Step::Only(texts(&["a1", "b1", "a2", "b2"])),
        Step::Play(texts(&["a1", "b1"])),
        Step::Legal(texts(&["roll 2"])),
        Step::Play(texts(&["roll 2"])),
        Step::Shows("../BW".into()),
        Step::Illegal(texts(&["a1"]), Some("The cell is taken".into())),
        Step::Position("B W . B".replace(" . ", " / . ")),
        Step::Script(0),
        Step::ToMove(1),
        Step::Shows("BW\n.B".into()),
        Step::Expect(0, "yes".into()),
        Step::Only(texts(&["A1"])),
        Step::Play(texts(&["a1"])),
        Step::Ends("Board Full".into(), None),
        Step::Only(Vec::new()),
    ];
    assert_eq!(run(&rules, false, steps), Ok(()));
}

#[test]
fn scripts_are_seen_from_the_seat_that_is_named_later() {
    let rules = rules(Board::grid(1, 1));
    let steps = vec![
        Step::Position(".".into()),
        Step::Script(0),
        Step::ToMove(1),
        Step::Play(texts(&["a1"])),
        Step::Ends("board full".into(), None),
        Step::Shows("B".into()),
    ];
    let wrong = run(&rules, false, steps).unwrap_err();
    assert_eq!(wrong.span.start, 5);
    assert_eq!(
        wrong.message,
        "The board is not as the example shows it.\n  differs at: a1\nExpected:\n1  B\n   a\nFound:\n1  W\n   a\nBlack to move"
    );
}

#[test]
fn mismatches_show_the_board_and_both_lists() {
    let rules = rules(Board::grid(2, 1));
    let only = run(&rules, false, vec![Step::Play(texts(&["b1"])), Step::Only(texts(&["b1", "c1"]))]).unwrap_err();
    assert_eq!(only.span.start, 1);
    assert_eq!(
        only.message,
        "Other moves are legal here than the example says.\n  expected: b1, c1\n  found: a1\n  missing: b1, c1\n  unexpected: a1\n\
         1  . B\n   a b\nWhite to move"
    );
    let first = |step: Step| run(&rules, false, vec![step]).unwrap_err().message;
    assert!(first(Step::Legal(texts(&["a1", "x"]))).contains("missing: x\n  found: a1, b1"));
    assert!(first(Step::Illegal(texts(&["a1"]), None)).starts_with("\"a1\" is legal here."));
    assert!(first(Step::Illegal(texts(&["q"]), Some("no".into()))).contains("for another reason"));
    assert!(first(Step::Play(texts(&["q"]))).contains("legal: a1, b1"));
    assert!(first(Step::Ends("x".into(), None)).starts_with("The game is not over."));
    assert!(first(Step::Expect(1, "no B".into())).starts_with("This does not hold: no B."));
    assert!(first(Step::Moves(vec![2, 3])).contains("expected: 3\n  found: 2 (fast evaluator)"));
    assert_eq!(first(Step::Position("B".into())), "Row 1 has 1 sign, the board is 2 wide.");
}

#[test]
fn evaluators_that_differ_are_noticed() {
    let rules = rules(Board::grid(2, 1));
    let wrong = run(&rules, true, vec![Step::Legal(texts(&["a1"]))]).unwrap_err();
    assert!(wrong.message.starts_with("The evaluators list different moves: 2 plain, 1 fast.\n  only plain: b1\n"));
}

#[test]
fn counting_on_threads_is_counting() {
    let rules = rules(Board::grid(3, 2));
    let mut game = Fill::start(&rules);
    let counts: Result<Vec<u64>, Trouble> = (1..=4).map(|depth| game.perft(depth)).collect();
    assert_eq!(counts, Ok(vec![6, 30, 90, 360]));
    let one = perft::divide(&mut game, 5).unwrap();
    assert_eq!(one.len(), 6);
    assert_eq!(perft::total(&one), 6 * 5 * 3 * 4 * 3);
    let make = || Ok(Box::new(Fill::start(&rules)) as Box<dyn Table>);
    assert_eq!(perft::divide_on(&make, 5, 3), Ok(one));
    assert_eq!(perft::divide(&mut game, 0), Ok(Vec::new()));
    assert_eq!(perft::divide_on(&|| Err(Trouble::NotNow), 5, 3), Err(Trouble::NotNow));
}

fn many(rules: &Rules, games: u64, threads: usize) -> crate::play::tally::Tally {
    let plan = Plan { games, seed: 3, threads };
    let player = || |_, chance: &mut crate::play::Chance| random_playout(&mut Fill::start(rules), chance);
    sim::run(plan, rules.n_seats(), player, |_| {}).unwrap()
}

#[test]
fn threads_do_not_change_random_games() {
    let rules = rules(Board::grid(3, 2));
    let one = many(&rules, 500, 1);
    assert_eq!(one, many(&rules, 500, 4));
    let report = one.report(&rules, 3);
    assert_eq!(report.plies.median, 6);
    assert_eq!(report.branching, Some(3.5));
    let all = report.seats[0].wins.count + report.seats[1].wins.count + report.draws.count;
    assert_eq!(all, 500);
    assert_eq!(report.endings[0].name, "board full");
    assert_eq!(report.endings[0].games.share, 1.0);
    let text = report.to_string();
    assert!(text.starts_with("Fill: 500 games, seed 3\n\nresults\n  Black wins  "), "{text}");
    assert!(text.contains("plies: mean 6.0, median 6, 5 % 6, 95 % 6, shortest 6, longest 6\n"), "{text}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["plies"]["longest"], 6);
}

#[test]
fn the_first_failing_game_is_the_one_that_is_told() {
    let rules = rules(Board::grid(1, 1));
    for threads in [1, 4] {
        let plan = Plan { games: 1_000, seed: 1, threads };
        let player = || {
            |game, chance: &mut crate::play::Chance| match game {
                333 | 350 | 900 => Err(Trouble::NotNow),
                _ => random_playout(&mut Fill::start(&rules), chance),
            }
        };
        let error = sim::run(plan, 2, player, |_| {}).unwrap_err();
        assert_eq!(error.game, 333);
    }
}

#[test]
fn progress_reaches_the_end() {
    let rules = rules(Board::grid(1, 1));
    let most = std::sync::atomic::AtomicU64::new(0);
    let plan = Plan { games: 40, seed: 1, threads: 2 };
    let player = || |_, chance: &mut crate::play::Chance| random_playout(&mut Fill::start(&rules), chance);
    let hear = |done| {
        most.fetch_max(done, std::sync::atomic::Ordering::Relaxed);
    };
    sim::run(plan, 2, player, hear).unwrap();
    assert_eq!(most.into_inner(), 40);
}

#[test]
fn intervals_as_published() {
    let close = |(low, high): (f64, f64), a: f64, b: f64| (low - a).abs() < 1e-4 && (high - b).abs() < 1e-4;
    assert!(close(wilson(5, 10), 0.2366, 0.7634));
    assert!(close(wilson(0, 10), 0.0, 0.2775));
    assert!(close(wilson(10, 10), 0.7225, 1.0));
    assert_eq!(wilson(0, 0), (0.0, 1.0));
}

#[test]
fn a_listed_move_is_played_by_its_code() {
    let rules = rules(Board::grid(2, 1));
    let mut game = session(&rules, 1);
    assert_eq!(game.play(Move(vec![9])).unwrap_err(), Trouble::Illegal);
    assert_eq!(game.play(Move(vec![1])).unwrap().text, "b1");
    assert_eq!(game.board(), "1  . B\n   a b");
    assert_eq!(game.texts().unwrap().len(), 1);
}
