//! Texts with just so much of something.

use super::{END, HEAD, TURN, game};

/// The sign over and over, so many bytes in all, in lines.
pub fn lines_of(sign: &str, bytes: u64) -> String {
    let line = sign.repeat(99) + "\n";
    line.repeat(bytes as usize / 100) + &sign.repeat(bytes as usize % 100)
}

/// The part so many times, numbered from 1 where it has a `#`.
pub fn each(n: u64, part: &str, between: &str) -> String {
    (1..=n).map(|i| part.replace('#', &i.to_string())).collect::<Vec<_>>().join(between)
}

/// Something in so many brackets.
pub fn wrapped(open: &str, inner: &str, close: &str, n: u64) -> String {
    format!("{}{inner}{}", open.repeat(n as usize), close.repeat(n as usize))
}

/// A game whose turn goes on like this.
pub fn in_turn(more: &str) -> String {
    format!("{HEAD}turn {{ choose spot in empty   place pawn at spot   {more} }}\n{END}")
}

/// A game that ends when this is so.
pub fn ending(when: &str) -> String {
    format!("{HEAD}{TURN}end {{ draw when {when} }}\n")
}

/// A game on this board.
pub fn on(board: &str, items: &str) -> String {
    game(items).replace("square 5", board)
}

/// A game of one turn on one site.
pub fn small(turn: &str) -> String {
    let head = HEAD.replace("square 5", "square 1");
    format!("{head}remember n\n{turn}\nend {{ draw when turns is 1 or n is 7   next loses when stuck }}\n")
}

/// So many bytes.
pub fn file(n: u64) -> String {
    let text = game("");
    let room = n - text.len() as u64;
    text + &lines_of("/", room)
}

/// So many words and signs: "mine |" is two of them, "the" is one.
pub fn words(n: u64) -> String {
    let (bars, odd) = ((n - 34) / 2, (n - 34) % 2);
    let (the, mine) = ("the ".repeat(odd as usize), "mine |\n".repeat(bars as usize));
    format!("{HEAD}define many = {the}{mine}mine\n{TURN}{END}")
}

/// So many seats.
pub fn seats(n: u64) -> String {
    let text = game("").replace("White, Black", &each(n, "P#", ", "));
    text.replace("pawn \"Pp\"", "pawn").replace("opponent loses", "next loses")
}

/// So many kinds of pieces, with symbols of two letters.
pub fn kinds(n: u64) -> String {
    let letters: Vec<char> = ('a'..='z').collect();
    let kind =
        |i: usize| format!("kind{i} \"X{0} Y{0}\"", [letters[i / 26], letters[i % 26]].iter().collect::<String>());
    let pieces: Vec<String> = (1..n as usize).map(kind).collect();
    game("").replace("pawn \"Pp\"", &format!("pawn \"Pp\", {}", pieces.join(", ")))
}

/// A walk of so many steps over a board of 1,024 sites.
pub fn track(name: &str, steps: u64) -> String {
    let board = each(steps / 1_024, "board going east", ", ");
    let singles = each(steps % 1_024, "a1", ", ");
    let all: Vec<String> = [board, singles].into_iter().filter(|part| !part.is_empty()).collect();
    format!("track {name} = {}\n", all.join(", "))
}

/// Five walks of so many steps together.
pub fn tracks(steps: u64) -> String {
    let three: String = (0..3).map(|i| track(&format!("t{i}"), 4_096)).collect();
    three + &track("fourth", 4_000) + &track("last", steps - 3 * 4_096 - 4_000)
}

/// So many statements when the actions are written out: each call is one, and the 98 that it stands for.
pub fn statements(n: u64) -> String {
    let (calls, more) = ((n - 1) / 99, (n - 1) % 99);
    let action = format!("action many {{ {} }}\n", "note \"x\" ".repeat(98));
    let notes = "note \"x\" ".repeat(more as usize);
    format!("{HEAD}{action}turn {{ choose spot in empty {} {notes} }}\n{END}", "many\n".repeat(calls as usize))
}

/// So many parts when the actions are written out.
pub fn parts(n: u64) -> String {
    let (calls, more) = ((n - 7) / 43, (n - 7) % 43);
    let action = format!("action many {{ require {} > 3 }}\n", each(20, "turns", " + "));
    let rest = format!("require {}stuck", "not ".repeat(more as usize));
    format!("{HEAD}{action}turn {{ choose spot in empty {} {rest} }}\n{END}", "many\n".repeat(calls as usize))
}

/// A definition of so many parts with those that it uses.
pub fn expression(n: u64) -> String {
    let (uses, more) = ((n - 5) / 40, (n - 5) % 40);
    let part = format!("define part = {}\n", each(20, "turns", " + "));
    let rest = format!("{}stuck", "not ".repeat(more as usize));
    game(&format!("{part}define all = {rest} or 3 < sum({})\n", each(uses, "part", ",\n")))
}

/// So many levels of definitions.
pub fn calls(n: u64) -> String {
    let (links, more) = ((n - 10) / 6, (n - 10) % 6);
    let chain: String = (1..=links).map(|i| format!("define d{i} = not d{}\n", i - 1)).collect();
    let last = format!("define last = {}d{links}\n", "not ".repeat(more as usize));
    game(&format!("define d0 = stuck\n{chain}{last}"))
}

/// An expression that looks at so many things.
pub fn looks(n: u64) -> String {
    let (times, more) = ((n - 1) / 5, (n - 1) % 5);
    game(&format!("define many = {}sum(count(mine) for a in 1..{times})\n", "- ".repeat(more as usize)))
}

/// A position of so many bytes: 8 for each site, 4 for each number.
pub fn state(n: u64) -> String {
    let numbers = (n - 8 * 1_024) / 4;
    let tables = each(numbers / 1_024, "remember t# per site", "\n");
    on("square 32", &format!("{tables}\n{}\n", each(numbers % 1_024, "remember v#", "\n")))
}
