//! Machine code plays the same random games and counts the same sequences as the engine does without it: every bundled game, as it is and
//! under each of its house files.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use lusory::diagnostics::render::{Style, render_all};
use lusory::fast::Engine;
use lusory::fast::switches::{Switch, Switches};
use lusory::house;
use lusory::library::{Bundled, Embedded, Games};
use lusory::pipeline;
use lusory::rules::Bounds;
use lusory::source::Source;

/// Moves of random games that are compared, about; and games at most.
const PLIES: u64 = 2_500;
const MOST_GAMES: u64 = 40;
/// Sequences that are counted, at most.
const LEAVES: u64 = 60_000;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let mut trials = vec![Trial::test("machine code is made", made)];
    trials.push(Trial::test("a very long turn", long));
    trials.push(Trial::test("rounds that are spent at once", rounds));
    for (name, end) in ENDS {
        for turn in ["turn", "turn by outcome"] {
            let name = format!("{name}, {turn}");
            trials.push(Trial::test(name, move || ending(turn, end).map_err(Failed::from)));
        }
    }
    for (name, turn) in TURNS {
        trials.push(Trial::test(*name, move || odd(turn).map_err(Failed::from)));
    }
    for game in Bundled.names() {
        let files = Bundled.house_files(&game).into_iter().map(Some);
        for file in std::iter::once(None).chain(files) {
            let game = game.clone();
            let name = file.as_ref().map_or(game.clone(), |file| format!("{game} {file}"));
            trials.push(Trial::test(name, move || same(&game, file.as_deref()).map_err(Failed::from)));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}

/// A turn that is too long to be written as a whole.
fn long() -> Result<(), Failed> {
    let turn = format!("choose s in empty   {}", "place man at s   if s in corners { take s }\n".repeat(3_000));
    odd(&turn).map_err(Failed::from)
}

/// Turns that are odd as programs.
const TURNS: &[(&str, &str)] = &[
    ("a loop without a way out", "choose s in empty   place man at s   while on { take s   place man at s }"),
    ("a loop that begins a branch", "choose s in empty   if on { while on { place man at s   take s } }"),
    (
        "a way out by chance of the position",
        "choose s in empty   while s in empty { place man at s }   2 times { take s   place man at s }",
    ),
    (
        "numbers at the ends",
        "choose s in empty   let n = turns * 1000000000 * (4 - turns)   if n / (turns - 3) + n % (turns - 5) > 10 - n * n { place man at s }",
    ),
    ("numbers by nothing", "choose s in empty where (turns * 7) / (turns - 5) * (turns % 3) < 100   place man at s"),
    ("a loop in a loop", "choose s in empty   3 times { 2 times { place man at s   take s } }   place man at s"),
    (
        "two loops one after the other",
        "choose s in empty   let n = 3   while n > 0 { n -= 1 }   while n < 5 { n += 1 }   place man at s",
    ),
];

/// Ends that ask more than one thing of who is stuck.
const ENDS: &[(&str, &str)] = &[
    ("stuck in a greatest number", "a: opponent loses when max(if stuck then 1 else 0, 0) > 0"),
    ("stuck in a product", "a: opponent loses when (if turns > 4 and stuck then 1 else 0) * 2 > 1"),
    ("stuck in a sum", "a: opponent loses when sum(if stuck then x at s else 0 for s in mine) > 3"),
    ("stuck in a set", "a: opponent loses when some {s in mine where stuck and s + any within theirs | mine}"),
    ("not stuck", "a: draw when turns > 9 and not (abs(if stuck then 1 else 0) is 1)"),
];

/// A board of 3 by 3 with men.
const SQUARE: &str = "game \"Odd\"\nplayers White, Black\nboard square 3\npiece man \"WB\"\n";

/// A game with such a turn, to its ends or to the same trouble.
fn odd(turn: &str) -> Result<(), String> {
    both(&format!("{SQUARE}turn {{ {turn} }}\nend {{ draw when no empty   draw when stuck }}\n"))
}

/// A game with such an end; with turns that are counted by whole sets, or run by run.
fn ending(turn: &str, end: &str) -> Result<(), String> {
    both(&format!(
        "game \"Ends\"\nplayers White, Black\nboard line 5\npiece man \"WB\"\n\
         setup {{ place White's man at p1, p3   place Black's man at p2, p5 }}\n\
         {turn} {{ choose from in mine, dest in from + any - mine   move from to dest }}\n\
         end {{ {end}   z: draw when turns is 30 }}\n"
    ))
}

/// Rounds that are dropped at once count for the loop that follows.
fn rounds() -> Result<(), Failed> {
    let game = |rounds: u32| {
        format!(
            "game \"Rounds\"\nplayers South, North\nboard grid 4 by 2\ntrack lap loop = a1..d1, d2..a2\n\
             remember seeds per site = 30\nremember k: 0..5000\n\
             turn {{\n  choose s in home & seeds\n  let last = sow(seeds, s)\n  k = 0\n\
             while k < {rounds} {{ k += 1 }}\n}}\nend {{ draw when turns is 3   draw when stuck }}\n"
        )
    };
    // With 5,000 rounds to spend: enough, just enough, and too many.
    for rounds in [4_900, 4_970, 4_971, 4_990] {
        both(&game(rounds))?;
    }
    Ok(())
}

/// A text with machine code and without.
fn both(text: &str) -> Result<(), String> {
    let mut loaded = pipeline::load(Source { name: "odd.lus".into(), text: text.into() }, &Bundled, &Embedded);
    loaded.bounds = Bounds { fuel: 5_000, turns: 40, machine_code: true, ..Bounds::usual() };
    let ready = loaded.ready(&[]).map_err(|found| render_all(&found, &loaded.sources, Style::default()))?;
    let plain = Engine::with(ready.rules.clone(), Switches::ON.without(Switch::Native));
    let native = Engine::new(ready.rules).in_a_hurry();
    compare(&plain, &native)
}

/// An engine of a game under a house file.
fn engine(game: &str, file: Option<&str>, switches: Switches) -> Result<Engine, String> {
    let source = Bundled.read(game).ok_or("no such game")?;
    let mut loaded = pipeline::load(source, &Bundled, &Embedded);
    let mut settings = Vec::new();
    if let Some(name) = file {
        let source = Bundled.house_file(game, name).ok_or("no such house file")?;
        let id = loaded.sources.add(source.name.clone(), source.text.clone());
        let style = Style::default();
        let house = house::read(id, &source.text).map_err(|found| render_all(&found, &loaded.sources, style))?;
        settings = pipeline::house_settings(house, &source.name);
    }
    let ready = loaded.ready(&settings).map_err(|found| render_all(&found, &loaded.sources, Style::default()))?;
    Ok(Engine::with(ready.rules, switches))
}

fn same(game: &str, file: Option<&str>) -> Result<(), String> {
    let plain = engine(game, file, Switches::ON.without(Switch::Native))?;
    let native = engine(game, file, Switches::ON)?.in_a_hurry();
    compare(&plain, &native)
}

fn compare(plain: &Engine, native: &Engine) -> Result<(), String> {
    let mut players = [plain, native].map(Engine::player);
    let [Ok(one), Ok(other)] = &mut players else {
        return Err("no game can begin".to_string());
    };
    let (mut plies, mut number) = (0, 0);
    while plies < PLIES && number < MOST_GAMES {
        let (one, other) = (one.playout(1, number), other.playout(1, number));
        if one != other {
            return Err(format!("game {number} of seed 1 is {one:?}, by machine code {other:?}"));
        }
        plies += one.map_or(PLIES, |played| played.plies.max(1));
        number += 1;
    }
    for depth in 1..8 {
        let leaves = plain.perft(depth);
        let native = native.perft(depth);
        if leaves != native {
            return Err(format!("{leaves:?} sequences of {depth}, by machine code {native:?}"));
        }
        if !leaves.is_ok_and(|leaves| (1..LEAVES / 16).contains(&leaves)) {
            break;
        }
    }
    Ok(())
}

/// Otherwise the other tests would compare nothing.
fn made() -> Result<(), Failed> {
    let wanted = cfg!(all(feature = "native", any(target_arch = "x86_64", target_arch = "aarch64")));
    for game in ["konane", "hnefatafl", "breakthrough", "kalah", "gomoku"] {
        if engine(game, None, Switches::ON)?.is_native() != wanted {
            return Err(format!("{game}: machine code was to be made: {wanted}").into());
        }
        if engine(game, None, Switches::ON.without(Switch::Native))?.is_native() {
            return Err(format!("{game}: machine code was made that was not wanted").into());
        }
    }
    // A text that the program does not carry is one that nobody vouches for.
    let mut source = Bundled.read("konane").ok_or("no such game")?;
    source.text += "\n";
    let mut loaded = pipeline::load(source, &Bundled, &Embedded);
    for (machine_code, wanted) in [(false, false), (true, wanted)] {
        loaded.bounds.machine_code = machine_code;
        let ready = loaded.ready(&[]).map_err(|found| render_all(&found, &loaded.sources, Style::default()))?;
        if Engine::new(ready.rules).is_native() != wanted {
            return Err(format!("a text of somebody else: machine code was to be made: {wanted}").into());
        }
    }
    Ok(())
}
