//! Texts that are too large, too deep or too many: each is refused with its message, in its time, and one less is not.

use std::time::{Duration, Instant};

use lusory::diagnostics::render::{Style, render_all};
use lusory::diagnostics::{Diagnostics, Severity};
use lusory::evaluators::Evaluators;
use lusory::house;
use lusory::library::{Bundled, Embedded};
use lusory::pipeline;
use lusory::play::{Start, Trouble};
use lusory::rules::Bounds;
use lusory::source::{Source, Sources};

mod table;
mod texts;

/// For a text as large as can be; these tests are not optimized, and several run at once.
const LONGEST: Duration = Duration::from_secs(10);

const HEAD: &str = "game \"Large\"\nplayers White, Black\nboard square 5\npiece pawn \"Pp\"\n";
const END: &str = "end { opponent loses when stuck }\n";
const TURN: &str = "turn { choose spot in empty   place pawn at spot }\n";

fn check(text: String) -> Diagnostics {
    let begun = Instant::now();
    let loaded = pipeline::load(Source { name: "large.lus".into(), text }, &Bundled, &Embedded);
    let found = loaded.findings(&[]);
    let drawn = render_all(&found, &loaded.sources, Style::default());
    assert!(begun.elapsed() < LONGEST, "it took {:?}", begun.elapsed());
    assert!(drawn.len() < 200_000, "too much is said");
    found
}

/// The text has a message of this code.
fn refused(code: &str, text: String) {
    let found = check(text);
    let codes: Vec<&str> = found.iter().map(|diag| diag.code).collect();
    assert!(codes.contains(&code), "{code} is not among {codes:?}");
}

/// Nothing is wrong with the text, though it may be odd.
fn taken(text: String) {
    let found = check(text);
    let wrong = found.iter().find(|diag| diag.severity == Severity::Error);
    assert!(wrong.is_none(), "{wrong:?}");
}

fn game(items: &str) -> String {
    format!("{HEAD}{items}{TURN}{END}")
}

#[test]
fn files() {
    let room = 1024 * 1024 - game("").len() - 4;
    let lines = |n: usize| format!("// {}\n", "x".repeat(96)).repeat(n / 100) + &"\n".repeat(n % 100);
    taken(game(&lines(room)));
    refused("file-too-large", game(&lines(room + 5)));
    taken(game(&format!("// {}\n", "x".repeat(9_997))));
    refused("line-too-long", game(&format!("// {}\n", "x".repeat(9_998))));
    let text = |n: usize| {
        format!(
            "{HEAD}turn {{ choose spot in empty   place pawn at spot   note \"\"\"{}\"\"\" }}\n{END}",
            "x\n".repeat(n / 2)
        )
    };
    taken(text(20_000));
    refused("text-too-long", text(20_002));
}

#[test]
fn words_and_signs() {
    // "mine |" is two of them.
    let joined = |n: usize| format!("{HEAD}define many = {}mine\n{TURN}{END}", "mine |\n".repeat(n));
    let rest = 43;
    taken(joined((100_000 - rest) / 2));
    refused("file-too-long", joined((100_000 - rest) / 2 + 30));
}

#[test]
fn items_and_statements() {
    let defines = |n: usize| (0..n).map(|i| format!("define d{i} = {i}\n")).collect::<String>();
    taken(game(&defines(5_000 - 5)));
    refused("too-many-items", game(&defines(5_001)));
    let notes = |n: usize| {
        format!("{HEAD}turn {{ choose spot in empty   place pawn at spot   {}}}\n{END}", "note \"x\"\n".repeat(n))
    };
    taken(notes(19_990));
    refused("too-many-statements", notes(20_001));
}

#[test]
fn errors() {
    let broken = |n: usize| format!("{HEAD}turn {{ choose spot in empty\n{}}}\n{END}", "take = 3\n".repeat(n));
    refused("too-many-errors", broken(60));
    let unknown = |n: usize| (0..n).map(|i| format!("define d{i} = zebra{i}\n")).collect::<String>();
    refused("more-errors", game(&unknown(101)));
    assert_eq!(check(game(&unknown(99))).len(), 99);
    // Looking for what was meant takes its time.
    refused("more-errors", game(&unknown(4_000)));
}

/// What a game grows to when its actions are written out.
#[test]
fn actions_written_out() {
    // Each call is one statement, and the 98 that it stands for.
    let calls = |more: usize| {
        let ten = format!("action many {{ {} }}\n", "note \"x\" ".repeat(98));
        let calls = "many ".repeat(505);
        format!("{HEAD}{ten}turn {{ choose spot in empty {calls} {} }}\n{END}", "note \"x\" ".repeat(more))
    };
    taken(calls(50_000 - 505 * 99 - 1));
    refused("game-too-large", calls(50_000 - 505 * 99));
    // Twice as many at each level.
    let doubled: String = (1..60).map(|i| format!("action a{i} {{ a{} a{} }}\n", i - 1, i - 1)).collect();
    refused(
        "game-too-large",
        format!("{HEAD}action a0 {{ note \"x\" }}\n{doubled}turn {{ choose spot in empty a59 }}\n{END}"),
    );
    // The same with the parts of one statement.
    let sum = vec!["count(mine)"; 200].join(" + ");
    let calls = "many ".repeat(5_000);
    refused(
        "game-too-large",
        format!("{HEAD}action many {{ require {sum} > 3 }}\nturn {{ choose spot in empty {calls} }}\n{END}"),
    );
}

#[test]
fn definitions_inside_definitions() {
    let chain = |n: usize| {
        let links: String = (1..n).map(|i| format!("define d{i} = d{} | empty\n", i - 1)).collect();
        format!("{HEAD}define d0 = mine\n{links}turn {{ choose spot in d{}   place pawn at spot }}\n{END}", n - 1)
    };
    taken(chain(40));
    refused("calls-too-deep", chain(60));
    refused("calls-too-deep", chain(4_900));
    let backwards = |n: usize| {
        let links: String = (1..n).rev().map(|i| format!("define d{i} = d{} | empty\n", i - 1)).collect();
        format!("{HEAD}{links}define d0 = mine\nturn {{ choose spot in d{}   place pawn at spot }}\n{END}", n - 1)
    };
    taken(backwards(40));
    refused("calls-too-deep", backwards(4_900));
    // Definitions are written out where they are used, so twice as often at each level is soon too much.
    let doubled = |n: usize| {
        let links: String = (1..n).map(|i| format!("define d{i} = d{} | d{}\n", i - 1, i - 1)).collect();
        format!("{HEAD}define d0 = mine\n{links}turn {{ choose spot in d{}   place pawn at spot }}\n{END}", n - 1)
    };
    taken(doubled(12));
    refused("game-too-large", doubled(20));
    refused("game-too-large", doubled(40));
    // Unless each is asked for another number.
    let split: String =
        (1..60).map(|i| format!("define d{i}(n: int) = d{0}(2 * n) | d{0}(2 * n + 1)\n", i - 1)).collect();
    refused(
        "game-too-large",
        format!(
            "{HEAD}define d0(n: int) = row(n)\n{split}turn {{ choose spot in d59(0)   place pawn at spot }}\n{END}"
        ),
    );
}

#[test]
fn sets_looked_through_inside_one_another() {
    let looks = |n: usize| {
        let (open, close) = ("sum(".repeat(n), " for s in board)".repeat(n));
        format!("{HEAD}define many = {open}x at a1{close}\n{TURN}end {{ full: draw when many > 3 }}\n")
    };
    // A board of 25 sites: 25 to the 5th power is allowed, to the 6th not.
    taken(looks(5));
    refused("game-too-large", looks(6));
}

#[test]
fn deep_and_long() {
    let within = |n: usize| format!("{HEAD}define deep = {}mine{}\n{TURN}{END}", "(".repeat(n), ")".repeat(n));
    taken(within(60));
    refused("too-deep", within(5_000));
    let nots = |n: usize| format!("{HEAD}{TURN}end {{ draw when {} stuck }}\n", "not ".repeat(n));
    taken(nots(50));
    refused("too-deep", nots(5_000));
    // Lists are long, not deep.
    let list = |n: usize| format!("{HEAD}define many = {}\n{TURN}{END}", vec!["(mine + north)"; n].join(" |\n"));
    taken(list(5_000));
    let braces = |n: usize| format!("{HEAD}define many = {{{}}}\n{TURN}{END}", vec!["the mine + north"; n].join(",\n"));
    taken(braces(5_000));
    let sums = |n: usize| format!("{HEAD}define many = sum({})\n{TURN}{END}", vec!["count(mine)"; n].join(",\n"));
    taken(sums(5_000));
    refused("too-deep", format!("{HEAD}define many = {}\n{TURN}{END}", vec!["count(mine)"; 5_000].join(" +\n")));
    let bags = format!("{HEAD}define bag = {}turns{}\n{TURN}{END}", "{60 sum(".repeat(20), ")}".repeat(20));
    taken(bags);
}

#[test]
fn boards_and_tracks() {
    refused("board-too-large", format!("{HEAD}{TURN}{END}").replace("square 5", "square 2000000000"));
    refused("board-too-large", format!("{HEAD}{TURN}{END}").replace("square 5", "line 1025"));
    let board = |board: &str| format!("{HEAD}{TURN}{END}").replace("square 5", board);
    for (fits, does_not) in [
        ("rhombus 32", "rhombus 33"),
        ("hexagon 18", "hexagon 19"),
        ("triangle 44", "triangle 45"),
        ("square 15 with edges, crossings", "square 16 with edges, crossings"),
        ("square 1", "hexagon 2000000000"),
        ("square 1", "triangle 2000000000"),
    ] {
        taken(board(fits));
        refused("board-too-large", board(does_not));
    }
    let drawn = |n: usize| board(&format!("drawing \"{}\"", vec!["o"; n].join("-")));
    taken(drawn(1_024));
    refused("board-too-large", drawn(1_025));
    refused("board-too-large", drawn(60_000));
    let named =
        |n: usize| board(&format!("graph {{{}}}", (0..n).map(|i| format!("n{i}")).collect::<Vec<_>>().join("-")));
    taken(named(1_024));
    refused("board-too-large", named(1_025));
    taken(format!("{HEAD}{TURN}{END}").replace("square 5", "line 1024"));
    let lines: String = (1..1_000).map(|n| format!("define l{n} = line({n}, mine)\n")).collect();
    taken(game(&lines).replace("square 5", "square 32"));
    taken(game("define long = line(2000000000, mine)\n"));
    let track = |n: usize| format!("track lap = {}\n", vec!["board going east"; n].join(",\n"));
    taken(game(&track(4)).replace("square 5", "square 32"));
    refused("too-many", game(&track(5)).replace("square 5", "square 32"));
    refused("too-many", game(&track(5_000)).replace("square 5", "square 32"));
    let tracks: String = (0..1_000).map(|i| format!("track t{i} = board going east\n")).collect();
    refused("too-many", game(&tracks).replace("square 5", "square 32"));
    let words: Vec<String> = (0..65).map(|i| format!("w{i}")).collect();
    let remembered = |n: usize| {
        let item = format!("remember colour: {}\n", words[..n].join(" or "));
        game(&item).replace(END, &format!("end {{ draw when colour is w{} }}\n", n - 1))
    };
    taken(remembered(64));
    refused("too-many", remembered(65));
    let option = |n: usize| {
        let item = format!("option colour = w0 (or {})\n", words[1..n].join(", "));
        game(&item).replace(END, &format!("end {{ draw when colour is w{} }}\n", n - 1))
    };
    taken(option(64));
    refused("too-many", option(65));
    let either = |n: usize| {
        let branches = vec!["{ place pawn at spot }"; n].join(" or ");
        format!("{HEAD}turn {{ choose spot in empty   either {branches} }}\n{END}")
    };
    taken(either(63));
    refused("too-many", either(64));
    // What is seen from a seat that is not known before the game is written out for each.
    let eight = |items: &str| {
        let game = game(items).replace("White, Black", "A, B, C, D, E, F, G, H");
        game.replace("pawn \"Pp\"", "pawn").replace("opponent loses", "next loses")
    };
    let seats = |n: usize| {
        let defines: String = (1..=n).map(|i| format!("define f{i} = (owner at a1)'s f{}\n", i - 1)).collect();
        eight(&format!("define f0 = count(mine)\n{defines}"))
            .replace("when stuck", &format!("when stuck or f{n} > 100"))
    };
    taken(seats(4));
    refused("game-too-large", seats(6));
    let each = |n: usize| {
        let inside = format!("{}next = mover{}", "for mover in players { ".repeat(n), " }".repeat(n));
        eight("").replace("place pawn at spot }", &format!("place pawn at spot   {inside} }}"))
    };
    taken(each(4));
    refused("game-too-large", each(5));
    let kinds: Vec<String> = (0..40).map(|i| format!("kind{i} \"a{i} b{i}\"")).collect();
    refused("too-many", game(&format!("piece {}\n", kinds.join(", "))));
    let vars: String = (0..1_001).map(|i| format!("remember v{i}\n")).collect();
    refused("too-many", game(&vars));
}

#[test]
fn house_files() {
    let read = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.add("house.yaml", text);
        house::read(file, text).map_err(|found| found[0].code)
    };
    let long = |n: usize| format!("game: konane\n{}", "# a line of 16\n".repeat(n));
    assert!(read(&long(4_000)).is_ok());
    assert_eq!(read(&long(5_000)), Err("house-too-large"));
    let mut sources = Sources::new();
    for text in ["", "rows", "=3", "ro ws=3"] {
        let file = sources.add("--set", text);
        assert_eq!(house::read_set(file, text).map_err(|found| found[0].code), Err("house-set"), "{text}");
    }
}

/// What is remembered, in bytes: 8 for each site, and 4 for each number.
#[test]
fn positions() {
    let tables = |n: usize, more: usize| {
        let tables: String = (0..n).map(|i| format!("remember t{i} per site\n")).collect();
        let ones: String = (0..more).map(|i| format!("remember v{i}\n")).collect();
        game(&(tables + &ones)).replace("square 5", "square 32")
    };
    let warned = |text: String| check(text).iter().all(|diag| diag.code == "never-read" || diag.code == "more-errors");
    assert!(warned(tables(13, 1_024 - 13)) || warned(tables(14, 0)));
    refused("position-too-large", tables(14, 1));
    refused("position-too-large", tables(900, 0));
}

/// Sets one of the bounds.
type SetBound = fn(&mut Bounds, u32);

/// What a game may cost in play: with so much it can be played, with one less it is stopped, by both evaluators and with the same code.
#[test]
fn play() {
    // Bounds, and the text of a game that needs just so much of one of them.
    let set: [(&str, SetBound, u32, &str); 5] = [
        ("too-many-moves", |bounds, n| bounds.moves = n as usize, 25, TURN),
        (
            "too-many-moves",
            |bounds, n| bounds.moves = n as usize,
            36,
            "turn { roll a in 1..6   roll b in 1..6   choose spot in empty where x at spot < a   place pawn at spot   if b is 3 and a is 2 { take spot } }\n",
        ),
        (
            "loop-too-long",
            |bounds, n| bounds.fuel = n,
            40,
            "turn { choose spot in empty   40 times { change spot to pawn }   place pawn at spot }\n",
        ),
        (
            "turn-too-long",
            |bounds, n| bounds.steps = n,
            9,
            "remember n\nturn { while n < 9 { choose spot in empty   place pawn at spot   n += 1   commit } }\nafter turn { n = 0 }\n",
        ),
        (
            "search-too-long",
            |bounds, n| bounds.ways = u64::from(n),
            4,
            "turn { choose a in empty, b in empty   place pawn at a   require b in mine   place pawn at b }\n",
        ),
    ];
    for (code, bound, n, turn) in set {
        let text = format!("{HEAD}{turn}end {{ draw when turns is 2   next loses when stuck }}\n");
        let with = |n: u32| {
            let mut bounds = Bounds::usual();
            bound(&mut bounds, n);
            let mut loaded = pipeline::load(Source { name: "g.lus".into(), text: text.clone() }, &Bundled, &Embedded);
            loaded.bounds = bounds;
            let rules = loaded
                .ready(&[])
                .unwrap_or_else(|found| panic!("{}", render_all(&found, &loaded.sources, Style::default())))
                .rules;
            let evaluators = Evaluators::new(rules);
            [played(&evaluators, true), played(&evaluators, false)]
        };
        // How many tries it takes is a matter of each evaluator.
        if code != "search-too-long" {
            assert_eq!(with(n), [Ok(()), Ok(())], "{code} with {n}");
        }
        for trouble in with(n.saturating_sub(1)) {
            let trouble = trouble.expect_err(code);
            assert_eq!(trouble.code(), Some(code), "{trouble}");
            assert!(trouble.span().is_some_and(|span| span.end > span.start), "{trouble} has no place");
        }
    }
}

/// Lists and plays the first of everything to the end.
fn played(evaluators: &Evaluators, slow: bool) -> Result<(), Trouble> {
    use lusory::play::Status;
    let start = Start::beginning();
    let mut table = if slow { evaluators.slow_table(&start)? } else { evaluators.table(&start)? };
    for _ in 0..100 {
        let first = match table.status() {
            Status::Over(_) => return Ok(()),
            Status::ToMove(_) => table.moves()?.into_iter().next(),
            Status::Chance => table.outcomes()?.into_iter().map(|(chosen, _)| chosen).next(),
        };
        table.play(&first.ok_or(Trouble::NotNow)?)?;
    }
    Ok(())
}
