//! What every code means: the rule behind it, a file that earns it, and the same file mended.
//!
//! The texts stand in `codes.txt`, for whoever writes them. Lines with `-` are in the wrong file alone, lines with `+` in the mended
//! one, those with `|` are the game that a house file is for, all others stand in both; what a file needs besides is added here. `tests/explain.rs` holds every file against its code.

use crate::house::MOST_BYTES;

/// The texts.
const CODES: &str = include_str!("codes.txt");

/// What every small game has unless it says something else.
const FRAME: [(&str, &str); 5] = [
    ("game", "game \"Small\""),
    ("players", "players White, Black"),
    ("board", "board square 5"),
    ("turn", "turn { choose spot in empty   place pawn at spot }"),
    ("end", "end { opponent loses when stuck }"),
];

/// Its pieces, with a king only where one is spoken of; he has to stand somewhere then.
const PAWN: &str = "piece pawn \"Pp\"";
const KING_TOO: &str = "piece king \"Kk\", pawn \"Pp\"";
const KINGS: &str = "setup { for mover in players { for s in mine | empty { place king at s   stop } } }";

/// Which file a code is shown in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A game.
    Game,
    /// A house file, of Konane or of the game that is shown with it. A `…` in it stands for more text than a house file may have.
    House,
    /// A setting of Konane on the command line.
    Setting,
    /// None: it takes too much text, or several files.
    Nowhere,
}

/// What is known of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: &'static str,
    /// Is it a warning?
    pub warning: bool,
    /// The rule.
    pub rule: &'static str,
    /// In which file it is shown.
    pub shown: Shown,
    /// Lines of that file with their signs: `-` wrong alone, `+` mended alone, a blank both; `|` of the game of a house file.
    lines: Vec<(char, &'static str)>,
}

impl Entry {
    fn read(text: &'static str) -> Option<Entry> {
        let (head, rest) = text.split_once('\n')?;
        let mut words = head.split_whitespace();
        let code = words.next()?;
        let marks: Vec<&str> = words.collect();
        let (rule, rest) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = |line: &'static str| Some((line.chars().next()?, line.get(2..)?));
        let lines: Vec<_> = rest.lines().filter_map(line).collect();
        let shown = match () {
            () if lines.is_empty() => Shown::Nowhere,
            () if marks.contains(&"yaml") => Shown::House,
            () if marks.contains(&"set") => Shown::Setting,
            () => Shown::Game,
        };
        Some(Entry { code, warning: marks.contains(&"warning"), rule, shown, lines })
    }

    fn without(&self, sign: char) -> Vec<&'static str> {
        self.lines.iter().filter(|(mark, _)| *mark != sign && *mark != '|').map(|(_, line)| *line).collect()
    }

    /// The lines that matter of the game that a house file is for, if it is not Konane.
    pub fn game(&self) -> Vec<&'static str> {
        self.lines.iter().filter(|(mark, _)| *mark == '|').map(|(_, line)| *line).collect()
    }

    /// That game, called `small`.
    pub fn whole_game(&self) -> Option<String> {
        let lines = self.game();
        (!lines.is_empty()).then(|| Entry { shown: Shown::Game, ..self.clone() }.whole(&lines))
    }

    /// The lines that matter of the wrong file.
    pub fn wrong(&self) -> Vec<&'static str> {
        self.without('+')
    }

    /// The same of the mended file.
    pub fn mended(&self) -> Vec<&'static str> {
        self.without('-')
    }

    /// A whole file with these lines.
    pub fn whole(&self, lines: &[&str]) -> String {
        let begins = |word: &str| lines.iter().any(|line| line.split_whitespace().next() == Some(word));
        let mut text = String::new();
        match self.shown {
            Shown::House if begins("game:") || self.code == "house-game" => {}
            Shown::House if !self.game().is_empty() => text.push_str("game: small\n"),
            Shown::House => text.push_str("game: konane\n"),
            Shown::Setting | Shown::Nowhere => {}
            Shown::Game if begins("library") => {}
            Shown::Game => {
                for (word, line) in FRAME {
                    if !begins(word) && !self.replaces(word) {
                        text.push_str(line);
                        text.push('\n');
                    }
                }
                let speaks = lines.iter().any(|line| line.contains("king"));
                if !begins("piece") && !self.replaces("piece") {
                    text.push_str(if speaks { KING_TOO } else { PAWN });
                    text.push('\n');
                    if speaks && !begins("setup") && !lines.iter().any(|line| line.contains("place king")) {
                        text.push_str(KINGS);
                        text.push('\n');
                    }
                }
            }
        }
        let (heads, others): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with("game ") || line.starts_with("library "));
        let whole = heads.iter().map(|line| format!("{line}\n")).collect::<String>()
            + &text
            + &others.iter().map(|line| format!("{line}\n")).collect::<String>();
        match self.shown {
            Shown::House => whole.replace('…', &"…".repeat(MOST_BYTES)),
            Shown::Game | Shown::Setting | Shown::Nowhere => whole,
        }
    }

    /// Does the wrong file lack this part because it is misspelt or missing?
    fn replaces(&self, word: &str) -> bool {
        matches!((self.code, word), ("unknown-item", "board") | ("part-missing", "end"))
    }
}

/// What is known of all codes, in the order of the alphabet.
pub fn all() -> Vec<Entry> {
    let parts = CODES.split("\n== ");
    parts.filter_map(|part| Entry::read(part.strip_prefix("== ").unwrap_or(part))).collect()
}

/// What is known of a code.
pub fn entry(code: &str) -> Option<Entry> {
    all().into_iter().find(|entry| entry.code == code)
}
