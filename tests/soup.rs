//! What passes the check can be played: expressions and statements of the right types, put together at random, which the checker
//! refuses or both evaluators play a little, alike. Nothing panics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lusory::assemble::assemble;
use lusory::check::{self, Request};
use lusory::evaluators::Evaluators;
use lusory::fast::Engine;
use lusory::fast::switches::{Switch, Switches};
use lusory::house;
use lusory::library::{Bundled, Embedded};
use lusory::pipeline::{self, Loaded};
use lusory::play::{Chance, Start, Status};
use lusory::rules::Rules;
use lusory::source::Source;
use lusory::syntax;

/// How many games are made, and how long that may take; what has not been tried then is not.
const GAMES: u64 = 2_000;
const ALL: Duration = Duration::from_secs(10);

/// A game with something of everything.
const HEAD: &str = r#"game "Soup"
players White, Black
board grid 4 by 4 plus store, bar per player
piece king "Kk", pawn "Pp"
piece wall "W" for nobody
option limit = 3 (or 1..9, none)
option opening = centre (or corner)
option swap = on
remember score per player
remember seeds per site = 2
remember seen: sites
remember last: site
remember way: dir
remember who: player
remember sort: kind
remember hand: bag of kind
remember dice: bag of 1..6
remember colour per site: red or blue
remember flag = on
remember crew: players
remember worth per kind = 3
track lap per player loop = a1..d1, d2..a2, bar
track path = a1..a4
remember stepping = path
define mine_now = count(mine)
"#;

/// What is written for each type: `%` and a letter is a hole for one of that type.
const FORMS: &[(char, &str, &str)] = &[
    // n: a number
    (
        'n',
        "0; 1; 2; 7; -1; turns; repeats; loop; board_repeats; score; limit; width; x at c3; seeds at b2; king's worth; mine_now; \
         opponent's score; count(mine); 2000000000; y at nowhere; none",
        "(%n + %n); (%n * %n); (%n / %n); (%n % %n); count(%s); count(%q); sum(%d); max(%n, %n); abs(%n); (x at %p); (seeds at %p); \
         (if %b then %n else %n); sum(%n for s in %s); min(%n for d in %w where %b); (%o)'s score; (%o)'s mine_now; \
         (match %n { 1: %n  2..5: %n  else: %n }); (match %k { king, pawn: %n  else: %n }); (let q = %n %n)",
    ),
    // b: a yes-or-no
    (
        'b',
        "on; off; stuck; unchanged; swap; flag; some mine; no wall; a1 in mine; a1 is king; opening is centre; mover is White",
        "(%b and %b); (%b or %b); (not %b); (%n < %n); (%n is %n); (%p is %p); (%s is %s); (%p in %s); (%s within %s); (some %s); \
         (some s in %s where %b); (%o is %o); (%o in %q); (%p is %k); (%k in %l); (%n in %d); (%q within %q); (%p is %c); (%d is %d)",
    ),
    // p: a site
    (
        'p',
        "a1; c3; store; bar; nowhere; last; the king; the corners; opponent's bar; stepping; path",
        "(%p + %v); (%p - %v * %n); (the %s); (%p otherwise %p); (if %b then %p else %p); turned(%p, %v); mirrored(%p); (%o)'s bar; \
         (let q = %p %p)",
    ),
    // s: sites
    (
        's',
        "mine; theirs; empty; board; pieces; king; pawn; wall; seen; home; far; corners; middle; {}; {a1, b2}; a1..b3; seeds; red; \
         White's king; lap; path; edge(forward); kinds; c3",
        "(%s & %s); (%s | %s); (%s - %s); (%s + %v); (%s + %w); (%s + %w * %n); {s in %s where %b}; {%s for s in %s}; \
         (spread s from %s into %s); (spread s from %s into s + %w up to %n); (%o)'s mine; (%o)'s king; (%o)'s home; (%o)'s lap; \
         slide(%p, %w); ray(%p, %v, %s); (%s otherwise %s); (if %b then %s else %s); (%p .. %p); {%p, %s}; {%s for d in %w where %b}; \
         flanked(%p, %w); group(%p, %s); lined(3, %s); between(%p, %p)",
    ),
    // v: a direction, w: directions
    (
        'v',
        "north; southwest; forward; left; way",
        "opposite(%v); toward(%p, %p); (the %w); (%o)'s forward; (if %b then %v else %v)",
    ),
    (
        'w',
        "orthogonal; diagonal; any; ahead; sideways; north; {north, east}; {}",
        "(%w & %w); (%w - %v); (%w | %v); {d in %w where %b}; (%o)'s ahead",
    ),
    // o: a player, q: players
    (
        'o',
        "White; mover; opponent; next; nobody; who; owner at a1",
        "(owner at %p); (the %q); (if %b then %o else %o); (%o otherwise %o)",
    ),
    (
        'q',
        "players; others; resigned; crew; White; {}; {White, Black}",
        "(%q - %o); {owner at s for s in %s}; {p in %q where %b}; (%q | %q)",
    ),
    // k: a kind, l: kinds
    ('k', "king; pawn; wall; sort; kind at c3", "(kind at %p); (the %l); (if %b then %k else %k)"),
    ('l', "kinds; {king, pawn}; {}; king", "(%l - %k); {kind at s for s in %s}; {k in %l where %b}"),
    // c: a word of a table, d: a bag of numbers, h: a bag of kinds, t: a step
    ('c', "red; blue; colour at c3", "(colour at %p)"),
    ('d', "dice; {1, 2, 2}; 1..3; {2 2, 1}", "(%d + %d); (%d - %n); (%d & %d); {%n, 2 %n}; (%n..%n)"),
    ('h', "hand; {2 king, pawn}; {king, pawn}", "(%h - %k); (%h | %h)"),
    ('t', "path; stepping; lap; c3 on path; bar on lap", "(%t + %n); (%p on path); (if %b then %t else %t)"),
    // i: a statement
    (
        'i',
        "commit; note \"x\"; take mine; flag = off; stop",
        "take %s; place %k at %s; move %p to %p; change %s to (%k); score += %n; seen |= %s; seeds at %s = %n; colour at %s = %c; \
         last = %p; way = %v; who = %o; hand += %h; dice = %d; next = %o; let z = %x; require %b; require most %n; \
         roll 2 dice in %d; roll r in %y; stepping = %t; (%o)'s score -= %n; king's worth += %n; choose c in %y   %i; \
         either { %i } or { %i }; either { choose c in %y %i } otherwise { %i }; may { %i }; once or more while possible { %i }; \
         2 times { %i %i }; up to 2 times { choose c in %y }; while %b { %i stop }; for c in %y { %i }; for mover in %q { %i }; \
         if %b { %i } else { %i }; match %n { 1: { %i } else: { %i } }; %i   %i",
    ),
    // x: anything, y: something to run through
    ('x', "title; seeds; lap", "%n; %b; %p; %s; %v; %w; %o; %q; %k; %l; %c; %d; %h; %t"),
    ('y', "mine; 1..3", "%s; %d; %q; %w; %l; %h; %s; %s"),
];

/// Something of a type, as deep as said.
fn some(of: char, depth: u32, chance: &mut Chance) -> String {
    let mut below = |n: usize| chance.below(n as u64) as usize;
    // Now and then it is of another type.
    let of = if below(60) == 0 { FORMS[below(FORMS.len())].0 } else { of };
    let Some((_, leaves, forms)) = FORMS.iter().find(|(name, ..)| *name == of) else { return String::new() };
    let leaf = depth == 0 || below(6) == 0;
    let forms: Vec<&str> = if leaf { leaves } else { forms }.split("; ").collect();
    let form = forms[below(forms.len())];
    let mut text = String::new();
    let mut signs = form.chars().peekable();
    while let Some(sign) = signs.next() {
        match signs.peek() {
            Some(&hole) if sign == '%' && hole.is_ascii_lowercase() => {
                signs.next();
                text += &some(hole, depth.saturating_sub(1), chance);
            }
            _ => text.push(sign),
        }
    }
    text
}

/// The rules of a game, if it passes; the library has been read before.
fn checked(text: &str, with: &Loaded) -> Option<Rules> {
    let mut sources = with.sources.clone();
    let file = sources.add("soup.lus", text);
    let (tree, mut found) = syntax::parse(file, text);
    let (game, errors) = assemble(&[(file, tree)], &sources);
    found.extend(errors);
    let (declared, errors) = check::declared_options(&game);
    found.extend(errors);
    let chosen = house::apply(&declared, &[]).unwrap_or_default();
    let (library, declared) = (&with.library, &declared[..]);
    let request = Request {
        game: &game,
        library,
        declared,
        chosen: &chosen,
        first: None,
        examples: &[],
        bounds: Default::default(),
        sources: &sources,
    };
    let checked = check::check(request);
    assert!(checked.rules.is_some() || !checked.found.is_empty(), "refused without a word:\n{text}");
    checked.rules.filter(|_| found.is_empty())
}

/// A few moves with both evaluators, which have to agree; says where they do not. A limit ends the game.
fn play(mut rules: Rules) -> Result<(), String> {
    rules.bounds.fuel = 200;
    rules.bounds.machine_code = true;
    let evaluators = Evaluators::new(Arc::new(rules));
    let (Ok(mut slow), Ok(mut fast)) =
        (evaluators.slow_table(&Start::beginning()), evaluators.table(&Start::beginning()))
    else {
        return Ok(());
    };
    let mut chance = Chance::nth(1, 1);
    for ply in 0..4 {
        let differ = |what: &str, slow: String, fast: String| Err(format!("{what} after {ply}:\n{slow}\n{fast}"));
        if slow.status() != fast.status() {
            return differ("status", format!("{:?}", slow.status()), format!("{:?}", fast.status()));
        }
        if slow.snapshot() != fast.snapshot() {
            return differ("position", format!("{:?}", slow.snapshot()), format!("{:?}", fast.snapshot()));
        }
        let all = match slow.status() {
            Status::Over(_) => return Ok(()),
            Status::Chance => {
                let (Ok(slow), Ok(fast)) = (slow.outcomes(), fast.outcomes()) else { return Ok(()) };
                if slow != fast {
                    return differ("outcomes", format!("{slow:?}"), format!("{fast:?}"));
                }
                slow.into_iter().map(|(chosen, _)| chosen).collect()
            }
            Status::ToMove(_) => {
                let (Ok(slow), Ok(fast)) = (slow.moves(), fast.moves()) else { return Ok(()) };
                if slow != fast {
                    return differ("moves", format!("{slow:?}"), format!("{fast:?}"));
                }
                slow
            }
        };
        let chosen = &all[chance.below(all.len() as u64) as usize];
        let (Ok(()), Ok(())) = (slow.play(chosen), fast.play(chosen)) else { return Ok(()) };
    }
    Ok(())
}

/// Random games by machine code, which have to be the same as without; limits included.
fn play_natively(mut rules: Rules) -> Result<(), String> {
    rules.bounds.fuel = 5_000;
    rules.bounds.turns = 30;
    rules.bounds.machine_code = true;
    let rules = Arc::new(rules);
    let plain = Engine::with(rules.clone(), Switches::ON.without(Switch::Native));
    let native = Engine::new(rules).in_a_hurry();
    let (one, other) = (plain.playouts(3, 1, 0), native.playouts(3, 1, 0));
    if one == other { Ok(()) } else { Err(format!("random games:\n{one:?}\n{other:?}")) }
}

#[test]
fn what_passes_can_be_played() {
    let until = Instant::now() + ALL;
    let plain = "turn { choose s in empty   place pawn at s }\nend { opponent loses when stuck }\n";
    let source = Source { name: "plain.lus".into(), text: format!("{HEAD}{plain}") };
    let loaded = pipeline::load(source, &Bundled, &Embedded);
    let (mut tried, mut passed) = (0, 0);
    for number in (0..GAMES).take_while(|_| Instant::now() < until) {
        let mut chance = Chance::nth(1, number);
        let (define, then) = match number % 3 {
            0 => ("on".to_string(), some('i', 3, &mut chance)),
            _ => (some('x', 4, &mut chance), "let z = soup".to_string()),
        };
        let sort = if number % 5 == 0 { "turn by outcome" } else { "turn" };
        let turn = format!("{sort} {{ choose s in empty   place pawn at s   {then} }}");
        let text = format!(
            "{HEAD}define soup = {define}\n{turn}\nend {{ draw when soup is soup   opponent loses when stuck }}\n"
        );
        tried += 1;
        if let Some(rules) = checked(&text, &loaded) {
            passed += 1;
            let played = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| match number % 8 {
                0 => play_natively(rules),
                _ => play(rules),
            }));
            let Ok(agreed) = played else { panic!("this passes the check and cannot be played:\n{text}") };
            if let Err(difference) = agreed {
                panic!("the evaluators differ: {difference}\n{text}");
            }
        }
    }
    assert!(passed * 4 > tried, "only {passed} of {tried} passed; then little is tried");
}
