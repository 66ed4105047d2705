//! The signs of diagrams: from a text to rows of [`Cell`]s, and the sign of what stands on a site. Knows no board.
//!
//! A sign is made of up to a few layers without anything between them: the letter of each `per site` table of words, then the piece
//! (`.` for none). A game without pieces has a number there, from its first `per site` table of numbers. Where several seats share a
//! piece's symbol, a small letter for the seat stands before it: `rK`. Any number of dots up to the length of a sign is an empty site.
//!
//! Layers may be left out, but then in the whole diagram: `RYBG` alone may be four colours or four pieces, and one sign that can only
//! be a colour decides for all.

use std::ops::Range;

use super::grid::{Grid, Sign};
use super::snapshot::Piece;
use super::symbols::{PieceSign, kind_signs, piece_layer, seat_letters, shown_words};
use crate::rules::board::MOST_PILED;
use crate::rules::{Cell, Kind, PerWhat, Rules, Seat, Ty, Var, WordList};

pub use super::grid::DiagramError;

/// How long a number in a diagram may be.
const MOST_DIGITS: usize = 11;

/// The signs of a game.
#[derive(Clone, Debug)]
pub struct Signs {
    layers: Vec<Layer>,
    seat_names: Vec<String>,
    kind_names: Vec<String>,
    /// Signs of pieces by kind and, within, by seat and last for nobody.
    pieces: Vec<Vec<String>>,
    most_dots: usize,
    longest: usize,
    /// May a sign be that of a pile?
    stacked: bool,
}

#[derive(Clone, Debug)]
enum Layer {
    Words { var: u16, words: Vec<String>, symbols: Vec<String> },
    Pieces(Vec<PieceSign>),
    Number { var: u16, range: (i32, i32) },
}

/// One way to read a sign: which layers it has (a mask; 0: dots, which fit everywhere), and what it says.
#[derive(Clone, Debug, PartialEq)]
struct Reading {
    shape: u32,
    cell: Cell,
}

impl Signs {
    /// The signs of a game with these seats, kinds, variables and word lists.
    pub fn new(seats: &[Seat], kinds: &[Kind], vars: &[Var], words: &[WordList], stacked: bool) -> Signs {
        let mut layers = Vec::new();
        for (var, list) in shown_words(vars, words) {
            layers.push(Layer::Words { var, words: list.words.clone(), symbols: list.symbols.clone() });
        }
        let letters = seat_letters(seats);
        let pieces = kinds.iter().map(|kind| kind_signs(kind, &letters)).collect::<Vec<_>>();
        if kinds.is_empty() {
            let table = |var: &&(usize, &Var)| var.1.per == PerWhat::Site && var.1.ty == Ty::Int && !var.1.counter;
            if let Some((i, var)) = vars.iter().enumerate().find(|var| table(&var)) {
                layers.push(Layer::Number { var: i as u16, range: var.range });
            }
        } else {
            layers.push(Layer::Pieces(piece_layer(kinds, &pieces)));
        }
        let length = |text: &String| text.chars().count();
        let mut most_dots = 0;
        let mut longest = 0;
        for layer in &layers {
            let (usual, all) = match layer {
                Layer::Words { symbols, .. } => {
                    let most = symbols.iter().map(length).max().unwrap_or(1);
                    (most, most)
                }
                Layer::Pieces(signs) => {
                    let usual = signs.iter().filter(|sign| sign.usual && sign.owner.is_some());
                    let most = usual.map(|sign| length(&sign.text)).max().unwrap_or(1);
                    let all = signs.iter().map(|sign| length(&sign.text)).max();
                    (most, all.unwrap_or(1))
                }
                Layer::Number { .. } => (1, MOST_DIGITS),
            };
            most_dots += usual;
            longest += all;
        }
        Signs {
            layers,
            seat_names: seats.iter().map(|seat| seat.name.clone()).collect(),
            kind_names: kinds.iter().map(|kind| kind.name.clone()).collect(),
            pieces,
            most_dots: most_dots.max(1),
            longest: if stacked { longest.max(1) * MOST_PILED } else { longest.max(1) },
            stacked,
        }
    }

    /// The signs of a checked game.
    pub fn of(rules: &Rules) -> Signs {
        Signs::new(&rules.seats, &rules.kinds, &rules.vars, &rules.words, rules.board.stacked)
    }

    /// What one sign puts on a site.
    pub fn cell(&self, sign: &str) -> Result<Cell, DiagramError> {
        let grid = self.resolve(vec![vec![0..sign.len()]], sign)?;
        let first = grid.rows.into_iter().flatten().next();
        Ok(first.map(|sign| sign.cell).unwrap_or_default())
    }

    /// The rows of a diagram, whatever their lengths.
    ///
    /// A row without blanks is one sign a character if every character is a sign, else it is cut into the longest signs.
    pub fn rows(&self, text: &str) -> Result<Vec<Vec<Cell>>, DiagramError> {
        Ok(self.read(text, &[])?.diagram().rows)
    }

    /// The rows of a diagram with their places in the text; a row without blanks is cut into as many signs as `lengths` says, if that
    /// can be done.
    pub fn read(&self, text: &str, lengths: &[usize]) -> Result<Grid, DiagramError> {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive(['\n', '/']) {
            let body = line.trim_end_matches(['\n', '/']);
            let inner = body.trim();
            if !inner.is_empty() {
                let at = start + body.len() - body.trim_start().len();
                let wanted = lengths.get(rows.len()).or(lengths.first()).copied();
                rows.push(self.cut(inner, at, wanted));
            }
            start += line.len();
        }
        self.resolve(rows, text)
    }

    /// The sign of what stands on a site; `entry` gives a `per site` variable's scalar there.
    pub fn write(&self, under: &[Piece], piece: Option<Piece>, entry: impl Fn(usize) -> i32) -> String {
        let mut sign = String::new();
        for layer in &self.layers {
            match layer {
                Layer::Words { var, symbols, .. } => {
                    let word = entry(usize::from(*var));
                    sign += symbols.get(word as usize).map_or(".", String::as_str);
                }
                Layer::Pieces(_) => match piece {
                    Some(piece) => sign += &self.pile(under, piece),
                    None => sign.push('.'),
                },
                Layer::Number { var, .. } => sign += &entry(usize::from(*var)).to_string(),
            }
        }
        if sign.is_empty() { ".".into() } else { sign }
    }

    /// The sign of a pile, lowest piece first; equal ones on each other are counted: `2Ff`.
    pub fn pile(&self, under: &[Piece], piece: Piece) -> String {
        let pile: Vec<Piece> = under.iter().copied().chain([piece]).collect();
        let count = |same: &[Piece]| if same.len() > 1 { same.len().to_string() } else { String::new() };
        pile.chunk_by(|a, b| a == b).map(|same| count(same) + &self.piece(same[0])).collect()
    }

    /// The sign of a piece.
    pub fn piece(&self, piece: Piece) -> String {
        let of_kind = self.pieces.get(usize::from(piece.kind));
        let sign = of_kind.and_then(|signs| {
            let nobody = signs.last();
            match usize::try_from(piece.owner) {
                Ok(seat) => signs.get(seat),
                Err(_) => nobody,
            }
        });
        sign.cloned().unwrap_or_else(|| "?".into())
    }

    /// The `per site` variables that signs show.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        self.layers.iter().filter_map(|layer| match layer {
            Layer::Words { var, .. } | Layer::Number { var, .. } => Some(usize::from(*var)),
            Layer::Pieces(_) => None,
        })
    }

    /// All signs of pieces that belong to somebody or nobody, in the order of kinds and seats.
    pub fn piece_signs(&self) -> Vec<String> {
        let mut found = Vec::new();
        for layer in &self.layers {
            if let Layer::Pieces(signs) = layer {
                let usual = signs.iter().filter(|sign| sign.usual && sign.owner.is_some());
                found.extend(usual.map(|sign| sign.text.clone()));
            }
        }
        found
    }

    /// Which signs say whose a piece of this kind is.
    pub(super) fn owners(&self, kind: u8) -> Vec<String> {
        let n = self.seat_names.len();
        self.pieces.get(usize::from(kind)).map_or(Vec::new(), |signs| signs.iter().take(n).cloned().collect())
    }

    /// Is the layer of pieces among these (a mask as readings have it)?
    fn has_pieces(&self, shape: u32) -> bool {
        self.layers
            .iter()
            .enumerate()
            .any(|(i, layer)| matches!(layer, Layer::Pieces(_)) && (shape == 0 || shape >> i & 1 == 1))
    }

    /// Cuts a row that begins at byte `at` into the places of its signs.
    fn cut(&self, row: &str, at: usize, width: Option<usize>) -> Vec<Range<usize>> {
        if row.contains(char::is_whitespace) {
            return words(row).map(|word| at + word.start..at + word.end).collect();
        }
        let ends: Vec<usize> = row.char_indices().map(|(i, c)| i + c.len_utf8()).collect();
        let single = |i: usize| if i == 0 { 0 } else { ends[i - 1] };
        let all_signs = || (0..ends.len()).all(|i| !self.readings(&row[single(i)..ends[i]]).is_empty());
        let lengths = match width {
            _ if self.stacked => None,
            Some(width) if width == ends.len() => None,
            Some(width) => match self.cut_into(row, &ends, width) {
                Some(lengths) => Some(lengths),
                None if all_signs() => None,
                None => Some(self.cut_longest(row, &ends)),
            },
            None if all_signs() => None,
            None => Some(self.cut_longest(row, &ends)),
        };
        let lengths = lengths.unwrap_or_else(|| vec![1; ends.len()]);
        let mut here = 0;
        let mut places = Vec::new();
        for n in lengths {
            places.push(at + single(here)..at + ends[here + n - 1]);
            here += n;
        }
        places
    }

    /// Lengths in characters of exactly `width` signs that make up the row, longer ones first.
    fn cut_into(&self, row: &str, ends: &[usize], width: usize) -> Option<Vec<usize>> {
        // best[i][k]: the length of the sign at character i, if from there on k signs can follow.
        let n = ends.len();
        if width > n || n > width.saturating_mul(self.longest) {
            return None;
        }
        let mut best = vec![vec![0u16; width + 1]; n + 1];
        best[n][0] = 1;
        for i in (0..n).rev() {
            let from = if i == 0 { 0 } else { ends[i - 1] };
            for length in 1..=self.longest.min(n - i).min(usize::from(u16::MAX)) {
                if self.readings(&row[from..ends[i + length - 1]]).is_empty() {
                    continue;
                }
                for k in 1..=width {
                    if best[i + length][k - 1] > 0 {
                        best[i][k] = length as u16;
                    }
                }
            }
        }
        let mut lengths = Vec::new();
        let mut here = 0;
        for k in (1..=width).rev() {
            let length = usize::from(best[here][k]);
            if length == 0 {
                return None;
            }
            lengths.push(length);
            here += length;
        }
        Some(lengths)
    }

    /// Lengths in characters of the longest signs from the left; what is no sign stays one character.
    fn cut_longest(&self, row: &str, ends: &[usize]) -> Vec<usize> {
        let mut lengths = Vec::new();
        let mut here = 0;
        while here < ends.len() {
            let from = if here == 0 { 0 } else { ends[here - 1] };
            let most = self.longest.min(ends.len() - here);
            let fits = |n: &usize| !self.readings(&row[from..ends[here + n - 1]]).is_empty();
            let length = (1..=most).rev().find(fits).unwrap_or(1);
            lengths.push(length);
            here += length;
        }
        lengths
    }

    /// Reads every sign and lets the clear ones decide for the unclear ones.
    fn resolve(&self, rows: Vec<Vec<Range<usize>>>, text: &str) -> Result<Grid, DiagramError> {
        let mut all = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            for (j, range) in row.iter().enumerate() {
                let sign = &text[range.clone()];
                let readings = self.readings(sign);
                if readings.is_empty() {
                    return Err(self.unknown(sign, (i, j), range.clone()));
                }
                all.push((range.clone(), readings));
            }
        }
        let clear = |readings: &[Reading]| readings.iter().all(|r| r.cell == readings[0].cell);
        let unclear = all.iter().find(|(_, readings)| !clear(readings)).cloned();
        let mut shape = None;
        if let Some((range, readings)) = unclear {
            shape = self.common_shape(all.iter().map(|(_, readings)| readings.as_slice()));
            if shape.is_none() {
                return Err(DiagramError::Ambiguous {
                    sign: text[range.clone()].into(),
                    readings: readings.iter().map(|r| self.name(&r.cell)).collect(),
                    range,
                });
            }
        } else if let Some((_, first)) = all.iter().find(|(_, readings)| readings[0].shape != 0) {
            let one = first[0].shape;
            let fits = |r: &Reading| r.shape == 0 || r.shape == one;
            shape = all.iter().all(|(_, readings)| readings.iter().any(fits)).then_some(one);
        }
        let pick = |readings: Vec<Reading>| {
            let fits = |r: &&Reading| shape.is_none_or(|shape| r.shape == 0 || r.shape == shape);
            let found = readings.iter().find(fits).or(readings.first());
            found.map(|r| r.cell.clone()).unwrap_or_default()
        };
        let mut signs = all.into_iter().map(|(range, readings)| Sign { cell: pick(readings), range });
        let rows = rows.iter().map(|row| signs.by_ref().take(row.len()).collect()).collect();
        Ok(Grid { rows, pieces: self.has_pieces(shape.unwrap_or(0)) })
    }

    /// The only shape in which every sign can be read in one way; the full shape comes before all others.
    fn common_shape<'a>(&self, all: impl Iterator<Item = &'a [Reading]> + Clone) -> Option<u32> {
        let full = (1u32 << self.layers.len()) - 1;
        let fits = |shape: &u32| {
            all.clone().all(|readings| {
                let mut cells = readings.iter().filter(|r| r.shape == 0 || r.shape == *shape).map(|r| &r.cell);
                match cells.next() {
                    Some(first) => cells.all(|cell| cell == first),
                    None => false,
                }
            })
        };
        if fits(&full) {
            return Some(full);
        }
        let mut others = (1..full).filter(fits);
        let shape = others.next()?;
        others.next().is_none().then_some(shape)
    }

    /// Every way to read a sign.
    fn readings(&self, sign: &str) -> Vec<Reading> {
        let mut found = Vec::new();
        if !sign.is_empty() && sign.bytes().all(|b| b == b'.') {
            if sign.len() <= self.most_dots {
                let mut cell = Cell::default();
                if let Some(Layer::Number { var, .. }) = self.layers.last() {
                    cell.number = Some((*var, 0));
                }
                found.push(Reading { shape: 0, cell });
            }
            return found;
        }
        if sign.chars().count() <= self.longest {
            self.read_layers(0, sign, &mut Reading { shape: 0, cell: Cell::default() }, &mut found);
        }
        found
    }

    fn read_layers(&self, i: usize, rest: &str, so_far: &mut Reading, found: &mut Vec<Reading>) {
        let Some(layer) = self.layers.get(i) else {
            if rest.is_empty() && so_far.shape != 0 && !found.contains(so_far) {
                found.push(so_far.clone());
            }
            return;
        };
        self.read_layers(i + 1, rest, so_far, found);
        let mut with = |rest: &str, change: &dyn Fn(&mut Cell)| {
            let mut next = so_far.clone();
            next.shape |= 1 << i;
            change(&mut next.cell);
            self.read_layers(i + 1, rest, &mut next, found);
        };
        if let Some(rest) = rest.strip_prefix('.') {
            with(rest, &|_| {});
        }
        match layer {
            Layer::Words { var, symbols, .. } => {
                for (word, symbol) in symbols.iter().enumerate() {
                    if let Some(rest) = rest.strip_prefix(symbol.as_str()) {
                        with(rest, &|cell| cell.words.push((*var, word as i32)));
                    }
                }
            }
            Layer::Pieces(signs) => {
                if let Some(pile) = self.read_pile(signs, rest)
                    && let Some((&top, under)) = pile.split_last().filter(|(_, under)| !under.is_empty())
                {
                    with("", &|cell| {
                        cell.piece = Some(top);
                        cell.under = under.to_vec();
                    });
                }
                for sign in signs {
                    if let Some(rest) = rest.strip_prefix(sign.text.as_str()) {
                        with(rest, &|cell| cell.piece = Some((sign.kind, sign.owner)));
                    }
                }
            }
            Layer::Number { var, range } => {
                if let Ok(number) = rest.parse::<i32>()
                    && !rest.starts_with('+')
                    && (range.0..=range.1).contains(&number)
                {
                    with("", &|cell| cell.number = Some((*var, number)));
                }
            }
        }
    }

    /// The pieces of a pile, if the whole text is one: signs one after the other, each perhaps with a number before it.
    fn read_pile(&self, signs: &[PieceSign], text: &str) -> Option<Vec<(u8, Option<i32>)>> {
        let mut rest = text;
        let mut pile = Vec::new();
        while self.stacked && !rest.is_empty() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let n = if digits == 0 { 1 } else { rest[..digits].parse::<usize>().ok()? };
            rest = &rest[digits..];
            let fits = signs.iter().filter(|sign| !sign.text.is_empty() && rest.starts_with(&sign.text));
            let sign = fits.max_by_key(|sign| (sign.text.len(), sign.usual, sign.owner.is_some()))?;
            rest = &rest[sign.text.len()..];
            if n == 0 || pile.len().saturating_add(n) > MOST_PILED {
                return None;
            }
            pile.extend(std::iter::repeat_n((sign.kind, sign.owner), n));
        }
        Some(pile)
    }

    fn unknown(&self, sign: &str, (row, column): (usize, usize), range: Range<usize>) -> DiagramError {
        let mut words = Vec::new();
        let mut numbers = None;
        for layer in &self.layers {
            match layer {
                Layer::Words { symbols, .. } => words.extend(symbols.iter().cloned()),
                Layer::Number { range, .. } => numbers = Some(*range),
                Layer::Pieces(_) => {}
            }
        }
        DiagramError::Unknown {
            sign: sign.into(),
            pieces: self.piece_signs(),
            words,
            numbers,
            row: row + 1,
            column: column + 1,
            range,
        }
    }

    /// What a sign says, in words.
    fn name(&self, cell: &Cell) -> String {
        let mut parts = Vec::new();
        for layer in &self.layers {
            if let Layer::Words { var, words, .. } = layer {
                let of_layer = cell.words.iter().filter(|(at, _)| at == var);
                parts.extend(of_layer.map(|&(_, word)| format!("\"{}\"", words[word as usize])));
            }
        }
        if let Some((kind, owner)) = cell.piece {
            let kind = &self.kind_names[usize::from(kind)];
            let seat = owner.and_then(|owner| self.seat_names.get(owner as usize));
            parts.push(match seat {
                Some(seat) => format!("{} {kind}", possessive(seat)),
                None => format!("the {kind}"),
            });
        }
        if let Some((_, number)) = cell.number {
            parts.push(number.to_string());
        }
        parts.join(" with ")
    }
}

/// A seat's name before what it has: `White's`, `Attackers'`.
pub(super) fn possessive(name: &str) -> String {
    if name.ends_with('s') { format!("{name}'") } else { format!("{name}'s") }
}

/// The places of the words of a text, cut at blanks.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    text.split(char::is_whitespace).filter_map(move |word| {
        let start = at;
        let after = text[start + word.len()..].chars().next();
        at = start + word.len() + after.map_or(0, char::len_utf8);
        (!word.is_empty()).then_some(start..start + word.len())
    })
}
