//! Small games built by hand: the checker has no part in these tests.

use super::Slow;
use crate::play::examples::Oracle;
use crate::play::{Move, Speaker, Status, Table, Value};
use crate::rules::board::Board;
use crate::rules::expr::{Binder, Cmp, Domain, Expr, ExprKind, Fold, SetOp};
use crate::rules::stmt::{Stmt, StmtKind};
use crate::rules::*;
use crate::source::Span;
use crate::syntax::ast::ArithOp;

// ---- writing expressions and statements

fn e(kind: ExprKind, ty: Ty) -> Expr {
    let span = Span::default();
    Expr { kind, ty, span }
}
fn b(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}
fn s(kind: StmtKind) -> Stmt {
    let span = Span::default();
    Stmt { kind, span }
}
fn int(n: i32) -> Expr {
    e(ExprKind::Const(n), Ty::Int)
}
fn local(id: u32, ty: Ty) -> Expr {
    e(ExprKind::Local(LocalId(id)), ty)
}
fn site(id: u32) -> Expr {
    local(id, Ty::Site)
}
fn single(expr: Expr) -> Expr {
    e(ExprKind::Single(b(expr)), Ty::Sites)
}
fn mover() -> Expr {
    e(ExprKind::Mover, Ty::Player)
}
fn mine() -> Expr {
    e(ExprKind::PiecesOf(b(mover())), Ty::Sites)
}
fn theirs() -> Expr {
    let other = e(ExprKind::OtherSeat(b(mover())), Ty::Player);
    e(ExprKind::PiecesOf(b(other)), Ty::Sites)
}
fn empty() -> Expr {
    e(ExprKind::Empty, Ty::Sites)
}
fn and(a: Expr, c: Expr) -> Expr {
    e(ExprKind::Set(SetOp::And, b(a), b(c)), Ty::Sites)
}
fn walk(from: Expr, dir: Expr, n: i32) -> Expr {
    e(ExprKind::Walk(b(from), b(dir), b(int(n))), Ty::Site)
}
fn is_in(a: Expr, set: Expr) -> Expr {
    e(ExprKind::In(b(a), b(set)), Ty::Bool)
}
fn compare(cmp: Cmp, a: Expr, c: Expr) -> Expr {
    e(ExprKind::Compare(cmp, b(a), b(c)), Ty::Bool)
}
fn stuck() -> Expr {
    e(ExprKind::Stuck, Ty::Bool)
}
fn not(a: Expr) -> Expr {
    e(ExprKind::Not(b(a)), Ty::Bool)
}
fn var(n: u16, ty: Ty) -> Expr {
    e(ExprKind::Var(n, None), ty)
}
fn choose(id: u32, domain: Domain) -> Stmt {
    let binders = vec![Binder { local: LocalId(id), domain }];
    s(StmtKind::Choose { binders, filter: None, by: None })
}
fn roll(id: u32, lo: i32, hi: i32) -> Stmt {
    let binders = vec![Binder { local: LocalId(id), domain: Domain::Range(int(lo), int(hi)) }];
    s(StmtKind::Roll { binders, filter: None })
}
fn require(test: Expr, reason: &str) -> Stmt {
    s(StmtKind::Require(test, Some(reason.to_owned())))
}
fn place(at: Expr) -> Stmt {
    let kind = e(ExprKind::Const(0), Ty::Kind);
    s(StmtKind::Place(kind, mover(), single(at)))
}
fn ending(name: &str, result: EndResult, when: Expr) -> Ending {
    Ending { name: name.into(), docs: Vec::new(), result, when, span: Span::default() }
}
fn seats(seat: Expr) -> Expr {
    e(ExprKind::Single(b(seat)), Ty::Players)
}
fn int_var(name: &str, per: PerWhat, init: i32) -> Var {
    Var {
        name: name.to_owned(),
        per,
        ty: Ty::Int,
        range: (-1000, 1000),
        init: int(init),
        counter: false,
        secret: false,
        lasting: false,
        span: Span::default(),
    }
}

/// Two seats, one kind of piece, a grid; everything else is to be added.
fn rules(width: i32, length: i32, locals: &[(&str, Ty)], turn: Block) -> Rules {
    let seat = |name: &str, facing| Seat { name: name.to_owned(), facing };
    let local = |&(name, ty): &(&str, Ty)| Local { name: name.to_owned(), ty };
    Rules {
        title: "Test".to_owned(),
        seats: vec![seat("White", 0), seat("Black", 4)],
        first: 0,
        board: Board::grid(width, length),
        kinds: vec![Kind {
            name: "man".to_owned(),
            symbols: vec!["w".to_owned(), "b".to_owned(), String::new()],
            owner: KindOwner::Any,
        }],
        vars: Vec::new(),
        words: Vec::new(),
        tracks: Vec::new(),
        texts: Vec::new(),
        diagrams: Vec::new(),
        lines: Vec::new(),
        defs: Vec::new(),
        locals: locals.iter().map(local).collect(),
        setup: Vec::new(),
        turn,
        by_outcome: false,
        after: Vec::new(),
        ends: Vec::new(),
        view: None,
        notation: None,
        properties: Vec::new(),
        probes: Vec::new(),
        scripts: Vec::new(),
        bounds: Default::default(),
        uses: Uses::default(),
    }
}

/// A piece of each seat where the rows of the text say so, from the top: `w`, `b`.
fn position(rules: &Rules, rows: &[&str], to_move: i32) -> crate::play::Snapshot {
    let mut snap = Slow::start(rules).unwrap().snapshot();
    for (r, row) in rows.iter().enumerate() {
        for (c, sign) in row.chars().enumerate() {
            let at = (rows.len() - 1 - r) * rules.board.width as usize + c;
            let piece = |owner| crate::play::snapshot::Piece { kind: 0, owner };
            snap.contents[at] = match sign {
                'w' => Some(piece(0)),
                'b' => Some(piece(1)),
                _ => None,
            };
        }
    }
    snap.mover = to_move;
    snap
}

fn texts(game: &mut Slow) -> Vec<String> {
    let texts = game.texts().unwrap();
    texts.into_iter().map(|(_, text)| text).collect()
}

fn play(game: &mut Slow, text: &str) {
    let chosen = game.find(text).unwrap();
    game.play(&chosen).unwrap();
}

// ---- the games

fn tic_tac_toe() -> Rules {
    let turn = vec![choose(0, Domain::Sites(empty())), place(site(0))];
    let mut rules = rules(3, 3, &[("spot", Ty::Site), ("l", Ty::Sites)], turn);
    let row = |sites: [i32; 3]| SiteSet::of(9, sites);
    rules.lines = vec![vec![
        row([0, 3, 6]),
        row([0, 4, 8]),
        row([0, 1, 2]),
        row([1, 4, 7]),
        row([2, 5, 8]),
        row([2, 4, 6]),
        row([3, 4, 5]),
        row([6, 7, 8]),
    ]];
    let line = e(
        ExprKind::Comprehend {
            fold: Fold::Any,
            binders: vec![Binder { local: LocalId(1), domain: Domain::Lines(0) }],
            filter: Some(b(e(ExprKind::Within(b(local(1, Ty::Sites)), b(mine())), Ty::Bool))),
            body: None,
        },
        Ty::Bool,
    );
    rules.ends = vec![
        ending("line", EndResult::Wins(seats(mover()), None), line),
        ending("full", EndResult::Draw, not(e(ExprKind::Some(b(empty())), Ty::Bool))),
    ];
    rules
}

#[test]
fn tic_tac_toe_is_counted_and_won() {
    let rules = tic_tac_toe();
    let mut game = Slow::start(&rules).unwrap();
    assert_eq!(game.perft(1).unwrap(), 9);
    assert_eq!(game.perft(4).unwrap(), 9 * 8 * 7 * 6);
    assert_eq!(game.perft(6).unwrap(), 9 * 8 * 7 * 6 * 5 * 4 - 1440 * 4);
    for text in ["a1", "B1", "a2", "b2", "a3"] {
        play(&mut game, text);
    }
    let Status::Over(outcome) = game.status() else { panic!("three in a row") };
    assert_eq!((&*outcome.reason, outcome.places), ("line", vec![1, 2]));
    assert_eq!(game.perft(1).unwrap(), 0);
}

#[test]
fn a_refusal_says_what_could_be_chosen() {
    let rules = tic_tac_toe();
    let mut game = Slow::start(&rules).unwrap();
    play(&mut game, "a1");
    let refusal = game.find("a1").unwrap_err();
    assert!(refusal.message.contains("\"a1\" cannot be chosen for \"spot\""));
    assert!(refusal.span.is_some());
}

/// Men jump east over enemies, as often as `possible` says, else step east; `priority` comes before a step.
fn jumps(possible: bool, best: bool) -> Rules {
    use StmtKind::*;
    let east = || e(ExprKind::Const(2), Ty::Dir);
    let dest = || walk(site(1), local(2, Ty::Dir), 2);
    let over = || walk(site(1), local(2, Ty::Dir), 1);
    let jump = vec![
        choose(2, Domain::Listed(vec![0, 2])),
        require(is_in(over(), theirs()), "no enemy to jump over"),
        require(is_in(dest(), empty()), "no room behind it"),
        s(Take(single(over()))),
        s(Move(site(1), dest())),
        s(Local(LocalId(3), e(ExprKind::Arith(ArithOp::Add, b(local(3, Ty::Int)), b(int(1))), Ty::Int))),
        s(Local(LocalId(1), dest())),
    ];
    let first = vec![
        choose(0, Domain::Sites(mine())),
        s(Local(LocalId(1), site(0))),
        s(Local(LocalId(3), int(0))),
        s(OnceOrMore(possible, jump)),
    ];
    let step = vec![
        choose(0, Domain::Sites(mine())),
        s(Local(LocalId(1), walk(site(0), east(), 1))),
        s(Local(LocalId(3), int(0))),
        require(is_in(site(1), empty()), "somebody stands there"),
        s(Move(site(0), site(1))),
    ];
    let mut turn = vec![s(Either(vec![(false, first), (!best, step)]))];
    if best {
        turn.push(s(Best(true, local(3, Ty::Int))));
    }
    let locals = [("from", Ty::Site), ("dest", Ty::Site), ("d", Ty::Dir), ("n", Ty::Int)];
    let mut rules = rules(5, 3, &locals, turn);
    rules.notation = Some(vec![
        NotationPart::Name("from".to_owned()),
        NotationPart::Text("-".to_owned()),
        NotationPart::Name("dest".to_owned()),
    ]);
    rules.ends = vec![ending("blocked", EndResult::Loses(seats(e(ExprKind::Next, Ty::Player))), stuck())];
    rules
}

const JUMPS: [&str; 3] = [".....", "..b..", "wb.bw"];

#[test]
fn jumps_may_go_on() {
    let rules = jumps(false, false);
    let mut game = Slow::from_snapshot(&rules, position(&rules, &JUMPS, 0), None).unwrap();
    // Branch 0, from a1, east, go on (0), north, leave off (1); or leave off at once.
    let codes = [Move(vec![0, 0, 2, 0, 0, 1]), Move(vec![0, 0, 2, 1])];
    assert_eq!(game.moves().unwrap(), codes);
    assert_eq!(texts(&mut game), ["a1-c3", "a1-c1"]);
    game.play(&codes[1]).unwrap();
    assert_eq!(game.status(), Status::ToMove(1));
    assert_eq!(game.snapshot().turns, 1);
}

#[test]
fn jumps_must_go_on_while_possible() {
    let rules = jumps(true, false);
    let mut game = Slow::from_snapshot(&rules, position(&rules, &JUMPS, 0), None).unwrap();
    assert_eq!(game.moves().unwrap(), [Move(vec![0, 0, 2, 0])]);
    assert_eq!(texts(&mut game), ["a1-c3"]);
}

#[test]
fn a_step_is_refused_while_a_jump_is_possible() {
    let rules = jumps(true, false);
    let rows = ["w....", ".....", "wb..."];
    let mut game = Slow::from_snapshot(&rules, position(&rules, &rows, 0), None).unwrap();
    assert_eq!(texts(&mut game), ["a1-c1"]);
    let refusal = game.find("a3-b3").unwrap_err();
    assert!(refusal.message.starts_with("Another move comes first by the rules, as \""), "{}", refusal.message);
    let refusal = game.find("a1-a3").unwrap_err();
    assert_eq!(refusal.reason.unwrap(), "no enemy to jump over");
    // Without a jump a step is legal.
    let rows = ["w....", ".....", "w...."];
    let mut game = Slow::from_snapshot(&rules, position(&rules, &rows, 0), None).unwrap();
    assert_eq!(texts(&mut game), ["a1-b1", "a3-b3"]);
}

#[test]
fn only_the_longest_runs_go_on() {
    let rules = jumps(true, true);
    let mut game = Slow::from_snapshot(&rules, position(&rules, &JUMPS, 0), None).unwrap();
    assert_eq!(texts(&mut game), ["a1-c3"]);
    let rows = ["wb...", ".....", "w...."];
    let mut game = Slow::from_snapshot(&rules, position(&rules, &rows, 0), None).unwrap();
    assert_eq!(texts(&mut game), ["a3-c3"]);
    let refusal = game.find("a1-b1").unwrap_err();
    assert!(refusal.message.contains("another move has more than 0"), "{refusal:?}");
}

#[test]
fn who_has_no_turn_loses() {
    let rules = jumps(false, false);
    // White's only step leaves Black, on the edge, without one.
    let rows = [".....", ".....", "w...b"];
    let mut game = Slow::from_snapshot(&rules, position(&rules, &rows, 0), None).unwrap();
    play(&mut game, "a1-b1");
    let Status::Over(outcome) = game.status() else { panic!("Black has no turn") };
    assert_eq!((&*outcome.reason, outcome.places), ("blocked", vec![1, 2]));
    // In a loaded position it is news: White is to move and stuck, and Black sat before him.
    let game = Slow::from_snapshot(&rules, position(&rules, &rows, 1), None).unwrap();
    assert!(matches!(game.status(), Status::Over(outcome) if outcome.places == [1, 2]));
}

/// Two dice; the sum is a score. The position remembers only the sum.
fn dice(again: bool) -> Rules {
    use StmtKind::*;
    let sum = e(ExprKind::Arith(ArithOp::Add, b(local(0, Ty::Int)), b(local(1, Ty::Int))), Ty::Int);
    let mut turn = vec![roll(0, 1, 6), roll(1, 1, 6)];
    if again {
        turn.push(require(compare(Cmp::Ne, local(0, Ty::Int), local(1, Ty::Int)), "doubles"));
    }
    turn.push(s(Var(0, None, sum)));
    turn.push(s(May(vec![s(Var(0, None, int(0)))])));
    let mut rules = rules(1, 1, &[("a", Ty::Int), ("b", Ty::Int)], turn);
    rules.vars = vec![int_var("score", PerWhat::One, 0)];
    rules
}

#[test]
fn throws_that_lead_to_the_same_are_one() {
    let rules = dice(false);
    let mut game = Slow::start(&rules).unwrap();
    assert_eq!(game.status(), Status::Chance);
    let outcomes = game.outcomes().unwrap();
    // The sums 2 to 12 with their well-known weights.
    let weights: Vec<u64> = outcomes.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
    assert_eq!(outcomes[1].0, Move(vec![1, 2]));
    assert_eq!(game.find("roll 2 1").unwrap(), Move(vec![2, 1]));
    assert!(game.find("roll 2 7").unwrap_err().message.contains("is no throw here"));
    game.play(&Move(vec![2, 1])).unwrap();
    assert_eq!(game.status(), Status::ToMove(0));
    assert_eq!(game.probe(&var(0, Ty::Int)).unwrap(), Value::Scalar(3));
    assert_eq!(game.moves().unwrap(), [Move(vec![0]), Move(vec![1])]);
}

#[test]
fn a_condition_after_a_throw_means_throw_again() {
    let rules = dice(true);
    let mut game = Slow::start(&rules).unwrap();
    let outcomes = game.outcomes().unwrap();
    let weights: Vec<u64> = outcomes.iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights, [2, 2, 4, 4, 6, 4, 4, 2, 2]);
    // The first numbers drawn give doubles, the next ones do not.
    let mut numbers = [3, 3, 0, 5].into_iter();
    let drawn = game.draw(&mut |n| {
        assert_eq!(n, 6);
        numbers.next().unwrap()
    });
    assert_eq!(drawn.unwrap(), Move(vec![1, 6]));
    assert_eq!(game.play(&Move(vec![2, 2])), Err(crate::play::Trouble::Illegal));
}

#[test]
fn dice_thrown_into_a_bag_come_in_ascending_order() {
    let ty = Ty::Bag(BagTy { kinds: false, lo: 1, n: 6 });
    let turn = vec![
        s(StmtKind::RollBag { times: int(2), var: 0, index: None, domain: Domain::Range(int(1), int(6)) }),
        choose(0, Domain::Bag(var(0, ty))),
    ];
    let mut rules = rules(1, 1, &[("die", Ty::Int)], turn);
    rules.vars = vec![Var { ty, init: e(ExprKind::ConstBag(vec![0; 6]), ty), ..int_var("dice", PerWhat::One, 0) }];
    let mut game = Slow::start(&rules).unwrap();
    let outcomes = game.outcomes().unwrap();
    assert_eq!(outcomes.len(), 21);
    assert_eq!(outcomes.iter().map(|(_, weight)| weight).sum::<u64>(), 36);
    assert_eq!(outcomes[1], (Move(vec![1, 2]), 2));
    assert_eq!(game.text_of(&Move(vec![1, 3])).unwrap(), "roll 1 3");
    play(&mut game, "roll 3 5");
    assert_eq!(texts(&mut game), ["3", "5"]);
}

#[test]
fn a_commit_ends_a_move_and_not_the_turn() {
    use StmtKind::*;
    let step = vec![choose(0, Domain::Sites(empty())), place(site(0)), s(Commit)];
    let mut rules = rules(2, 2, &[("spot", Ty::Site)], vec![s(Times(int(2), step))]);
    rules.ends = vec![ending("blocked", EndResult::Draw, stuck())];
    let mut game = Slow::start(&rules).unwrap();
    play(&mut game, "a1");
    assert_eq!(game.status(), Status::ToMove(0));
    assert_eq!(game.snapshot().turns, 0);
    play(&mut game, "b1");
    assert_eq!(game.status(), Status::ToMove(1));
    assert_eq!(game.perft(2).unwrap(), 2);
    play(&mut game, "a2");
    game.resign().unwrap();
    assert!(matches!(game.status(), Status::Over(outcome) if outcome.places == [1, 2]));
    assert!(game.snapshot().contents[2].is_some());
}

#[test]
fn what_nobody_chooses_happens_by_itself() {
    use StmtKind::*;
    let mut rules = rules(1, 1, &[], vec![s(May(vec![require(not(compare(Cmp::Eq, int(1), int(1))), "never")]))]);
    rules.ends = vec![ending("long", EndResult::Unfinished, compare(Cmp::Ge, e(ExprKind::Turns, Ty::Int), int(7)))];
    let game = Slow::start(&rules).unwrap();
    assert!(matches!(game.status(), Status::Over(outcome) if *outcome.reason == *"long"));
    assert_eq!(game.snapshot().turns, 7);
    // With a note it is a move.
    rules.turn = vec![s(Note(e(ExprKind::Const(0), Ty::Text)))];
    rules.texts = vec!["pass".to_owned()];
    let mut game = Slow::start(&rules).unwrap();
    assert_eq!(game.texts().unwrap(), [(crate::play::Move(vec![]), "pass".to_owned())]);
}

#[test]
fn a_position_may_not_come_back() {
    use StmtKind::*;
    let repeats = || e(ExprKind::BoardRepeats, Ty::Int);
    let any = e(ExprKind::ConstMask(255), Ty::Dirs);
    let turn = vec![
        choose(0, Domain::Sites(mine())),
        choose(1, Domain::Sites(and(e(ExprKind::ShiftAll(b(single(site(0))), b(any), b(int(1))), Ty::Sites), empty()))),
        s(Move(site(0), site(1))),
        require(compare(Cmp::Eq, repeats(), int(1)), "it was there before"),
    ];
    let mut rules = rules(3, 1, &[("from", Ty::Site), ("to", Ty::Site)], turn);
    rules.seats.truncate(1);
    rules.uses.board_repeats = true;
    let mut game = Slow::from_snapshot(&rules, position(&rules, &["w.."], 0), None).unwrap();
    play(&mut game, "a1-b1");
    assert_eq!(texts(&mut game), ["b1-c1"]);
    let refusal = game.why_not("b1-a1").unwrap();
    assert_eq!(refusal.reason.as_deref(), Some("it was there before"));
    play(&mut game, "b1-c1");
    assert!(matches!(game.status(), Status::Over(outcome) if *outcome.reason == *"no turn"));
}

#[test]
fn an_endless_loop_is_stopped_and_changes_nothing() {
    use StmtKind::*;
    let forever = s(While(compare(Cmp::Eq, int(1), int(1)), Vec::new()));
    let turn = vec![choose(0, Domain::Sites(empty())), s(Commit), forever];
    let mut rules = rules(2, 1, &[("spot", Ty::Site)], turn);
    rules.bounds.fuel = 500;
    let mut game = Slow::start(&rules).unwrap();
    let before = game.snapshot();
    let trouble = game.play(&crate::play::Move(vec![0])).unwrap_err();
    assert!(matches!(trouble, crate::play::Trouble::Fuel { rounds: 500, .. }));
    assert_eq!(game.snapshot(), before);
}

#[test]
fn seats_are_ranked_by_their_keys() {
    let turn = vec![choose(0, Domain::Sites(empty())), place(site(0))];
    let mut rules = rules(2, 2, &[("spot", Ty::Site)], turn);
    let seat = |name: &str| Seat { name: name.to_owned(), facing: NONE };
    rules.seats = vec![seat("A"), seat("B"), seat("C")];
    let key = e(ExprKind::Count(b(mine())), Ty::Int);
    let full = not(e(ExprKind::Some(b(empty())), Ty::Bool));
    rules.ends = vec![ending("full", EndResult::Rank(vec![key]), full)];
    let mut game = Slow::start(&rules).unwrap();
    for text in ["a1", "b1", "a2", "b2"] {
        play(&mut game, text);
    }
    assert!(matches!(game.status(), Status::Over(outcome) if outcome.places == [1, 2, 2]));
}

#[test]
fn moves_that_would_be_written_alike_are_told_apart() {
    let dirs = || Domain::Listed(vec![0, 2]);
    let turn = vec![choose(0, Domain::Sites(empty())), choose(1, dirs())];
    let mut rules = rules(1, 1, &[("spot", Ty::Site), ("d", Ty::Dir)], turn);
    rules.notation = Some(vec![NotationPart::Name("spot".to_owned())]);
    let mut game = Slow::start(&rules).unwrap();
    assert_eq!(texts(&mut game), ["a1 (north)", "a1 (east)"]);
    assert_eq!(game.pattern_of(&Move(vec![0, 2])).unwrap(), "a1");
    assert_eq!(game.text_of(&Move(vec![0, 2])).unwrap(), "a1 (east)");
    rules.notation = None;
    let mut game = Slow::start(&rules).unwrap();
    assert_eq!(texts(&mut game), ["a1 north", "a1 east"]);
}

#[test]
fn of_three_seats_the_last_who_has_not_resigned_wins() {
    let turn = vec![choose(0, Domain::Sites(empty())), place(site(0))];
    let mut rules = rules(3, 3, &[("spot", Ty::Site)], turn);
    let seat = |name: &str| Seat { name: name.to_owned(), facing: NONE };
    rules.seats = vec![seat("A"), seat("B"), seat("C")];
    let mut game = Slow::start(&rules).unwrap();
    game.resign().unwrap();
    assert_eq!(game.status(), Status::ToMove(1));
    play(&mut game, "a1");
    play(&mut game, "b1");
    // A's turn passes by itself.
    assert_eq!(game.status(), Status::ToMove(1));
    assert_eq!(game.snapshot().turns, 4);
    game.resign().unwrap();
    assert!(matches!(game.status(), Status::Over(outcome) if outcome.places == [2, 2, 1]));
}
