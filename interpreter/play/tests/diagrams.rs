//! Diagrams and positions, both ways.

use crate::play::fake::{kind, rules, seats, var, word_list};
use crate::play::grid::piece_name;
use crate::play::position;
use crate::play::signs::Signs;
use crate::play::snapshot::{Piece, Snapshot, Value};
use crate::play::{DiagramError, diagram};
use crate::rules::*;

/// Two seats, pawns whose symbols may clash with colours, four colours of cells, extra sites.
fn coloured(symbols: &[&str]) -> Rules {
    let mut board = Board::grid(3, 2);
    board.add_extra("a3".into());
    board.add_extra("c0".into());
    let mut rules = rules(board);
    rules.seats = seats(&["White", "Black"]);
    rules.kinds = vec![kind("pawn", symbols)];
    rules.words = vec![word_list(&["red", "yellow", "green", "blue"])];
    rules.vars = vec![
        var("colour", PerWhat::Site, Ty::Word(0)),
        var("quiet", PerWhat::One, Ty::Int),
        var("worth", PerWhat::Kind, Ty::Int),
        var("seen", PerWhat::Player, Ty::Sites),
    ];
    rules.vars[1].counter = true;
    rules
}

/// No pieces: so many seeds at each site.
fn seeds() -> Rules {
    let mut board = Board::grid(3, 2);
    board.add_extra("store".into());
    let mut rules = rules(board);
    rules.kinds = Vec::new();
    rules.vars = vec![var("seeds", PerWhat::Site, Ty::Int), var("tired", PerWhat::Site, Ty::Bool)];
    rules.vars[0].range = (0, 99);
    rules
}

/// Four seats who share the symbols.
fn four() -> Rules {
    let mut rules = rules(Board::grid(2, 2));
    rules.seats = seats(&["Red", "Blue", "Rose", "Green"]);
    rules.kinds = vec![kind("pawn", &["P"; 4]), kind("king", &["K"; 4])];
    rules.vars = Vec::new();
    rules
}

fn piece(kind: u8, owner: i32) -> Option<Piece> {
    Some(Piece { kind, owner })
}

fn lay(rules: &Rules, text: &str) -> Snapshot {
    diagram::position(rules, text, &Snapshot::empty(rules)).unwrap()
}

#[test]
fn every_shape_is_drawn_and_read_back() {
    let drawing = Board::drawing("o-o-o\n|/  |\no   o", 9).unwrap();
    let mut boards = vec![Board::rhombus(3), Board::hexagon(2), Board::triangle(3), drawing, Board::grid(3, 2)];
    boards[4].add_sides(true, true);
    for board in boards {
        for symbols in [["W", "B"], ["WW", "BBB"]] {
            for stacked in [false, true] {
                let mut rules = rules(Board { stacked, ..board.clone() });
                rules.seats = seats(&["White", "Black"]);
                rules.kinds = vec![kind("pawn", &symbols)];
                rules.vars = Vec::new();
                let mut position = Snapshot::empty(&rules);
                for site in (0..rules.board.n_cells).step_by(2) {
                    position.contents[site] = piece(0, (site % 4 / 2) as i32);
                }
                if stacked {
                    position.under[0] = vec![Piece { kind: 0, owner: 1 }, Piece { kind: 0, owner: 1 }];
                }
                assert_eq!(lay(&rules, &diagram::write(&rules, &position)), position);
                assert!(diagram::draw(&rules, &position).contains(symbols[1]));
            }
        }
    }
}

#[test]
fn signs_have_room_in_every_shape() {
    let mut rules = rules(Board::hexagon(2));
    rules.seats = seats(&["White", "Black"]);
    rules.kinds = vec![kind("pawn", &["WW", "BB"])];
    rules.vars = Vec::new();
    let position = lay(&rules, "WW . / . BB . / . WW");
    let drawn = diagram::draw(&rules, &position);
    assert_eq!(drawn, "    WW  .   3\n  .   BB  .   2\na   .   WW  1\n  b   c");
}

#[test]
fn blanks_slashes_and_empty_lines_do_not_matter() {
    let rules = rules(Board::grid(3, 2));
    let wanted = lay(&rules, "B . W\n. B .");
    assert_eq!(wanted.contents, [None, piece(0, 0), None, piece(0, 0), None, piece(0, 1)]);
    for text in ["B.W/.B.", "\n  B . W \n\n . B .\n", "B.W\n. B .", "  B.W /\r\n .B. /"] {
        assert_eq!(lay(&rules, text), wanted, "{text:?}");
    }
    assert_eq!(diagram::write(&rules, &wanted), "B . W\n. B .");
    assert_eq!(diagram::draw(&rules, &wanted), "2  B . W\n1  . B .\n   a b c");
}

#[test]
fn sizes_are_told_exactly() {
    let rules = rules(Board::grid(3, 2));
    let error = |text: &str| diagram::read(&rules, text).unwrap_err();
    let rows = error("...\n...\n...");
    assert_eq!(rows.to_string(), "The diagram has 3 rows, the board has 2.");
    assert_eq!(rows.range(), 0..11);
    assert_eq!(error("").to_string(), "The diagram has 0 rows, the board has 2.");
    let width = error(". . .\n B . . W");
    assert_eq!(width.to_string(), "Row 2 has 4 signs, the board is 3 wide.");
    assert_eq!(width.range(), 7..14);
    assert_eq!(error("../...").to_string(), "Row 1 has 2 signs, the board is 3 wide.");
}

#[test]
fn unknown_signs_have_a_place() {
    let rules = rules(Board::grid(3, 2));
    let error = diagram::read(&rules, ". . .\n. é B").unwrap_err();
    assert_eq!(error.to_string(), "\"é\" in the diagram is no piece. Pieces: B W.");
    assert_eq!(error.range(), 8..10);
    let DiagramError::Unknown { row, column, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((row, column), (2, 2));
    let error = diagram::read(&coloured(&["w", "b"]), ". . .\n. Qw .").unwrap_err();
    assert_eq!(error.to_string(), "\"Qw\" in the diagram is no sign of this game. Pieces: w b. Words: R Y G B.");
    let error = diagram::read(&seeds(), "1 2 3\n1 100 0").unwrap_err();
    assert_eq!(error.to_string(), "\"100\" in the diagram is no number of this game. Numbers: 0 to 99.");
}

#[test]
fn a_colour_then_a_piece() {
    for symbols in [["w", "b"], ["W", "B"]] {
        let rules = coloured(&symbols);
        let [white, black] = symbols;
        let text = format!("R. Y{white} G.\nB{black} B. R{black}");
        let position = lay(&rules, &text);
        assert_eq!(position.contents[..6], [piece(0, 1), None, piece(0, 1), None, piece(0, 0), None]);
        let colours = [3, 3, 0, 0, 1, 2, 0, 0].map(Value::Scalar);
        assert_eq!(position.vars[0], colours);
        assert_eq!(diagram::write(&rules, &position), text);
        let close = text.replace(' ', "");
        assert_eq!(lay(&rules, &close), position, "two characters a sign without blanks");
    }
}

#[test]
fn one_clear_sign_decides_for_all() {
    let signs = Signs::of(&coloured(&["W", "B"]));
    let words = |text: &str| signs.rows(text).map(|rows| rows[0].iter().filter(|cell| !cell.words.is_empty()).count());
    assert_eq!(words("RYBG"), Ok(4));
    assert_eq!(words("WB.B"), Ok(0));
    let error = signs.rows("B.").unwrap_err();
    assert_eq!(error.to_string(), "\"B\" is both Black's pawn and \"blue\".");
    assert_eq!(error.range(), 0..1);
    assert_eq!(
        words("R B W"),
        Err(DiagramError::Ambiguous {
            sign: "B".into(),
            readings: vec!["Black's pawn".into(), "\"blue\"".into()],
            range: 2..3,
        })
    );
}

#[test]
fn words_alone_say_nothing_of_pieces() {
    let rules = coloured(&["w", "b"]);
    let signs = Signs::of(&rules);
    let position = lay(&rules, "Rw Y. G.\nB. B. R.");
    let differences = |text: &str| diagram::read(&rules, text).unwrap().differences(&rules, &signs, &position).unwrap();
    assert!(differences("RYG\nBBR").is_empty());
    assert_eq!(differences("RYG\nGBR"), [0]);
    assert!(differences("w..\n...").is_empty());
    assert_eq!(differences("...\n..b"), [3, 2]);
}

#[test]
fn numbers() {
    let rules = seeds();
    let mut position = lay(&rules, "10 . 2\n0 1 12");
    assert_eq!(position.vars[0], [0, 1, 12, 10, 0, 2, 0].map(Value::Scalar));
    assert_eq!(diagram::write(&rules, &position), "10  0  2\n 0  1 12");
    assert_eq!(lay(&rules, "123/4.6").vars[0], [4, 0, 6, 1, 2, 3, 0].map(Value::Scalar));
    position.vars[0][6] = Value::Scalar(5);
    assert_eq!(diagram::draw(&rules, &position), "2  10  0  2\n1   0  1 12\n   a  b  c\nstore: 5");
}

#[test]
fn shared_symbols_get_a_letter_for_the_seat() {
    let rules = four();
    let position = lay(&rules, "rP bK\n.. oP");
    assert_eq!(position.contents, [None, piece(0, 2), piece(0, 0), piece(1, 1)]);
    assert_eq!(diagram::write(&rules, &position), "rP bK\n.  oP");
    assert_eq!(lay(&rules, "rPbK/..oP"), position);
    assert_eq!(Signs::of(&rules).piece(Piece { kind: 1, owner: 3 }), "gK");
    let error = diagram::position(&rules, "P . / . .", &Snapshot::empty(&rules)).unwrap_err();
    assert_eq!(error.to_string(), "It is not said whose piece this is. Write rP, bP, oP or gP.");
    assert_eq!(error.range(), 0..1);
    let signs = Signs::of(&rules);
    let rows = signs.rows("KP/PP").unwrap();
    assert_eq!(rows.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2]);
    assert_eq!(rows[0][0].piece, Some((1, None)));
    assert_eq!(signs.cell("gK").unwrap().piece, Some((1, Some(3))));
}

#[test]
fn symbols_of_several_letters_and_of_nobody() {
    let mut rules = rules(Board::grid(3, 1));
    rules.kinds = vec![
        kind("rook", &["R", "r"]),
        kind("dragon", &["+R", "+r"]),
        Kind { name: "fence".into(), symbols: ["", "", "#"].map(String::from).into(), owner: KindOwner::Nobody },
    ];
    let position = lay(&rules, "+Rr#");
    assert_eq!(position.contents, [piece(1, 0), piece(0, 1), piece(2, NONE)]);
    assert_eq!(diagram::write(&rules, &position), "+R r  #");
    assert_eq!(lay(&rules, "+R r #"), position);
    assert_eq!(piece_name(&rules, Piece { kind: 2, owner: NONE }), "fence");
    assert_eq!(piece_name(&rules, Piece { kind: 0, owner: NONE }), "nobody's rook");
}

#[test]
fn other_names_of_sites_stand_beside_or_below() {
    let mut rules = rules(Board::grid(2, 2));
    for (site, name) in rules.board.sites.iter_mut().zip(["A", "B", "b", "a"]) {
        site.name = name.into();
    }
    let position = lay(&rules, "B ./. W");
    assert_eq!(diagram::draw(&rules, &position), "B .    b a\n. W    A B");
    let rules = self::rules(Board::line(3));
    assert_eq!(diagram::draw(&rules, &lay(&rules, "B..")), "B  .  .\np1 p2 p3");
}

#[test]
fn a_position_tells_what_the_diagram_does_not() {
    let rules = coloured(&["w", "b"]);
    let first = Snapshot::empty(&rules);
    let mut position = lay(&rules, "Rw Y. G.\nB. B. R.");
    assert_eq!(position::write(&rules, &first, &first).lines().count(), 5);
    position.contents[6] = piece(0, 0);
    position.contents[7] = piece(0, 0);
    position.vars[0][6] = Value::Scalar(2);
    position.vars[1][0] = Value::Scalar(3);
    position.vars[2][0] = Value::Scalar(-5);
    position.vars[3][1] = Value::Sites(SiteSet::of(8, [0, 5, 7]));
    position.turns = 12;
    position.mover = 1;
    position.resigned = 0b01;
    assert_eq!(
        position::write(&rules, &position, &first),
        "position \"\"\"\nRw Y. G.\nB. B. R.\n\"\"\"\ncolour at a3 = green\nquiet = 3\npawn's worth = -5\nBlack's seen = {a1, c2, c0}\n\
         place White's pawn at a3, c0\nresigned = {White}\nturns = 12\nBlack to move"
    );
}

#[test]
fn tables_beside_the_diagram_are_told_value_by_value() {
    let rules = seeds();
    let first = Snapshot::empty(&rules);
    let mut position = first.clone();
    position.vars[0][6] = Value::Scalar(4);
    position.vars[1][0] = Value::Scalar(1);
    position.vars[1][4] = Value::Scalar(1);
    let text = position::write(&rules, &position, &first);
    assert!(text.ends_with("\nseeds at store = 4\ntired at {a1, b2} = on\nBlack to move"), "{text}");
}

#[test]
fn values_of_every_type() {
    let mut rules = coloured(&["w", "b"]);
    rules.tracks = vec![Track {
        name: "lap".into(),
        seat: Some(1),
        closed: true,
        sites: vec![0, 1],
        names: vec!["a1".into(), "b1".into()],
    }];
    let bag = |kinds| Ty::Bag(BagTy { kinds, lo: i32::from(!kinds), n: 3 });
    let text = |ty, value| position::value_text(&rules, ty, &value);
    assert_eq!(text(bag(false), Value::Bag(vec![1, 0, 2])), "{1, 3, 3}");
    assert_eq!(text(bag(true), Value::Bag(vec![2])), "{2 pawn}");
    assert_eq!(text(bag(false), Value::Bag(vec![0, 0, 0])), "{}");
    assert_eq!(text(Ty::Dirs, Value::Mask(0b101)), "{north, east}");
    assert_eq!(text(Ty::Words(0), Value::Mask(0b1001)), "{red, blue}");
    assert_eq!(text(Ty::Step, Value::Scalar(step_code(0, 1))), "Black's lap + 1");
    assert_eq!(text(Ty::Step, Value::Scalar(NONE)), "nowhere");
    assert_eq!(text(Ty::Site, Value::Scalar(4)), "b2");
    assert_eq!(text(Ty::Player, Value::Scalar(NONE)), "nobody");
    assert_eq!(text(Ty::Kind, Value::Scalar(0)), "pawn");
    assert_eq!(text(Ty::Bool, Value::Scalar(1)), "on");
    assert_eq!(text(Ty::Int, Value::Scalar(-3)), "-3");
}

proptest::proptest! {
    #[test]
    fn no_text_is_too_strange(text in "[RYGBwb.#0-9é/ \n\t+-]{0,60}", width in 0usize..9) {
        for rules in [coloured(&["w", "b"]), coloured(&["W", "B"]), seeds(), four()] {
            let signs = Signs::of(&rules);
            for lengths in [&[][..], &[width], &[width, 1, 3]] {
                if let Err(error) = signs.read(&text, lengths) {
                    proptest::prop_assert!(text.get(error.range()).is_some());
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read(contents in proptest::collection::vec(0u8..9, 4), colours in proptest::collection::vec(0i32..4, 6)) {
        let rules = four();
        let mut position = Snapshot::empty(&rules);
        for (site, &what) in contents.iter().enumerate() {
            position.contents[site] = (what > 0).then(|| Piece { kind: (what - 1) / 4, owner: i32::from((what - 1) % 4) });
        }
        proptest::prop_assert_eq!(lay(&rules, &diagram::write(&rules, &position)), position);
        for symbols in [["w", "b"], ["R", "Y"]] {
            let rules = coloured(&symbols);
            let mut position = Snapshot::empty(&rules);
            for (site, &colour) in colours.iter().enumerate() {
                position.vars[0][site] = Value::Scalar(colour);
                let what = contents[site % 4] % 3;
                position.contents[site] = (what > 0).then(|| Piece { kind: 0, owner: i32::from(what - 1) });
            }
            proptest::prop_assert_eq!(lay(&rules, &diagram::write(&rules, &position)), position);
        }
    }
}
