//! Which texts stand for pieces and words in diagrams, made from what a game declares.

use crate::rules::{Kind, KindOwner, NONE, PerWhat, Seat, Ty, Var, WordList};

/// How many tables of words are shown in diagrams at most; more would make signs that nobody reads.
const MOST_WORD_LAYERS: usize = 4;

/// A text that means a piece.
#[derive(Clone, Debug)]
pub(super) struct PieceSign {
    /// The text.
    pub text: String,
    /// The kind.
    pub kind: u8,
    /// Whose, if it says so.
    pub owner: Option<i32>,
    /// A sign that the game has a use for, named in messages.
    pub usual: bool,
}

/// The `per site` tables of words whose words can be told apart by their symbols.
pub(super) fn shown_words<'a>(vars: &[Var], lists: &'a [WordList]) -> Vec<(u16, &'a WordList)> {
    let mut shown = Vec::new();
    for (i, var) in vars.iter().enumerate() {
        if let (PerWhat::Site, Ty::Word(list), false) = (var.per, var.ty, var.counter)
            && let Some(list) = lists.get(usize::from(list))
            && shown.len() < MOST_WORD_LAYERS
            && distinct(&list.symbols)
        {
            shown.push((i as u16, list));
        }
    }
    shown
}

/// Are these symbols all different, and such that a diagram can have them?
fn distinct(symbols: &[String]) -> bool {
    let fit =
        |symbol: &String| !symbol.is_empty() && !symbol.contains(|c: char| c.is_whitespace() || c == '/' || c == '.');
    symbols.iter().all(fit) && (1..symbols.len()).all(|i| !symbols[..i].contains(&symbols[i]))
}

/// A small letter for each seat, the first of its name that no seat before it has; a number if there is none.
pub fn seat_letters(seats: &[Seat]) -> Vec<char> {
    let mut letters: Vec<char> = Vec::new();
    for (i, seat) in seats.iter().enumerate() {
        let mut own = seat.name.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphabetic());
        let free = own.find(|c| !letters.contains(c));
        let number = char::from_digit(i as u32 + 1, 10);
        letters.push(free.or(number).unwrap_or('?'));
    }
    letters
}

/// The sign of a kind for each seat and, last, for nobody.
pub(super) fn kind_signs(kind: &Kind, letters: &[char]) -> Vec<String> {
    let n = letters.len();
    let of_seat = |seat: usize| kind.symbols.get(seat).map_or("", String::as_str);
    let first = kind.symbols.iter().find(|symbol| !symbol.is_empty());
    let capital = || kind.name.chars().take(1).flat_map(char::to_uppercase).collect();
    let base = first.cloned().unwrap_or_else(capital);
    let mut signs = Vec::new();
    for (seat, letter) in letters.iter().enumerate() {
        let own = of_seat(seat);
        let shared = (0..n).any(|other| other != seat && of_seat(other) == own);
        signs.push(match own {
            "" => format!("{letter}{base}"),
            own if shared => format!("{letter}{own}"),
            own => own.to_string(),
        });
    }
    let nobody = of_seat(n);
    let plain = !nobody.is_empty() && !signs.iter().any(|sign| sign == nobody);
    let shared = (0..n).any(|seat| of_seat(seat) == nobody);
    signs.push(if plain && !shared { nobody.to_string() } else { format!("-{base}") });
    signs
}

/// Every sign that means a piece: those that say whose it is, and symbols that several seats share.
pub(super) fn piece_layer(kinds: &[Kind], signs: &[Vec<String>]) -> Vec<PieceSign> {
    let mut layer: Vec<PieceSign> = Vec::new();
    for (k, (kind, signs)) in kinds.iter().zip(signs).enumerate() {
        let n = signs.len() - 1;
        for (seat, text) in signs.iter().enumerate() {
            let nobody = seat == n;
            layer.push(PieceSign {
                text: text.clone(),
                kind: k as u8,
                owner: Some(if nobody { NONE } else { seat as i32 }),
                usual: match kind.owner {
                    KindOwner::Any => !nobody,
                    KindOwner::Seat(only) => usize::from(only) == seat,
                    KindOwner::Nobody => nobody,
                },
            });
        }
        for (seat, symbol) in kind.symbols.iter().enumerate() {
            let known = |sign: &PieceSign| sign.kind == k as u8 && sign.text == *symbol;
            if seat < n && !symbol.is_empty() && !layer.iter().any(known) {
                layer.push(PieceSign { text: symbol.clone(), kind: k as u8, owner: None, usual: true });
            }
        }
    }
    layer
}
