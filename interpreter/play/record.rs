//! A game as a text that can be kept, sent, and replayed: the lines of an example.
//!
//! ```text
//! // Konane, seed 7
//! with rows = 6
//! play "c3"           // Black
//! play "roll 1 3"     // chance
//! shows """
//! …
//! """
//! ends "no jump"
//! ```
//!
//! Lines before the first `play` that are none of these (`position """…"""`, `White to move`) are kept as they stand: they are the
//! position from which the game began, and parser and checker read them.

use std::ops::Range;

/// Whose doing an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A seat's.
    Seat(i32),
    /// Nobody's.
    Chance,
}

/// One move or throw as it stands in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its text.
    pub text: String,
    /// Who did it, for people; not read back.
    pub by: String,
}

/// A recorded game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Comment lines at the top, without the slashes.
    pub header: Vec<String>,
    /// Options that were set, and to what.
    pub options: Vec<(String, String)>,
    /// The lines that make the position from which the game began; empty: the game's own.
    pub opening: String,
    /// What was played.
    pub plays: Vec<Line>,
    /// The last position's diagram.
    pub shows: Option<String>,
    /// The end's name, if the game was over.
    pub ends: Option<String>,
}

/// What is wrong with the text of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A text that is opened and never closed.
    OpenText(Range<usize>),
    /// A line that lacks what its first word asks for.
    Incomplete {
        /// The first word.
        word: &'static str,
        /// What should stand there.
        wanted: &'static str,
        /// The place.
        range: Range<usize>,
    },
    /// A line that cannot stand behind a `play`.
    TooLate(Range<usize>),
}

impl RecordError {
    /// Where in the text it is.
    pub fn range(&self) -> Range<usize> {
        match self {
            RecordError::OpenText(range) | RecordError::Incomplete { range, .. } | RecordError::TooLate(range) => {
                range.clone()
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl std::fmt::Display for RecordError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RecordError::OpenText(_) => write!(f, "This text is never closed."),
            RecordError::Incomplete { word, wanted, .. } => {
                write!(f, "\"{word}\" needs {wanted}.")
            }
            RecordError::TooLate(_) => {
                write!(f, "After the first \"play\" a record has only \"play\", \"shows\" and \"ends\".")
            }
        }
    }
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for line in &self.header {
            writeln!(f, "{}", format!("// {line}").trim_end())?;
        }
        for (name, value) in &self.options {
            writeln!(f, "with {name} = {value}")?;
        }
        if !self.opening.is_empty() {
            writeln!(f, "{}", self.opening.trim_end())?;
        }
        let plays: Vec<String> = self.plays.iter().map(|play| format!("play {}", quoted(&play.text))).collect();
        let wide = plays.iter().map(|play| play.chars().count()).max().unwrap_or(0);
        for (play, line) in plays.iter().zip(&self.plays) {
            if line.by.is_empty() {
                writeln!(f, "{play}")?;
            } else {
                writeln!(f, "{play:wide$}  // {}", line.by)?;
            }
        }
        if let Some(shows) = &self.shows {
            writeln!(f, "shows \"\"\"\n{}\n\"\"\"", shows.trim_matches('\n'))?;
        }
        if let Some(ends) = &self.ends {
            writeln!(f, "ends {}", quoted(ends))?;
        }
        Ok(())
    }
}

/// A text in quotes, three if it has quotes of its own or several lines.
fn quoted(text: &str) -> String {
    if text.contains(['"', '\n']) { format!("\"\"\"{text}\"\"\"") } else { format!("\"{text}\"") }
}

impl Record {
    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let mut record = Record::default();
        let mut reader = Reader { text, at: 0 };
        while let Some(start) = reader.statement(&mut record.header) {
            let word = reader.word();
            match word {
                "with" => {
                    let name = reader.word().to_string();
                    let equals = reader.sign("=");
                    let value = reader.rest_of_line()?.to_string();
                    if name.is_empty() || !equals || value.is_empty() {
                        return Err(RecordError::Incomplete {
                            word: "with",
                            wanted: "the form \"with option = value\"",
                            range: start..reader.at,
                        });
                    }
                    record.options.push((name, value));
                }
                "play" => loop {
                    let text = reader.quoted("play")?.to_string();
                    record.plays.push(Line { text, by: String::new() });
                    if !reader.sign(",") {
                        break;
                    }
                },
                "shows" => record.shows = Some(reader.quoted("shows")?.to_string()),
                "ends" => {
                    let name = reader.word();
                    let name = if name.is_empty() { reader.quoted("ends")? } else { name };
                    record.ends = Some(name.to_string());
                }
                _ => {
                    reader.rest_of_line()?;
                    if !record.plays.is_empty() || record.shows.is_some() {
                        return Err(RecordError::TooLate(start..reader.at));
                    }
                    record.opening += text[start..reader.at].trim_end();
                    record.opening += "\n";
                }
            }
        }
        Ok(record)
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Goes on to the next statement and gives its place; comments on the way are kept while nothing but comments has been read.
    fn statement(&mut self, header: &mut Vec<String>) -> Option<usize> {
        let mut on_top = self.at == 0;
        loop {
            self.blanks();
            let rest = self.rest();
            if rest.is_empty() {
                return None;
            }
            let Some(comment) = rest.strip_prefix("//") else {
                return Some(self.at);
            };
            let comment = comment.split('\n').next().unwrap_or("");
            self.at += 2 + comment.len();
            if on_top {
                header.push(comment.trim().to_string());
            }
            on_top &= !self.rest().is_empty();
        }
    }

    /// The word that comes next; empty if none does.
    fn word(&mut self) -> &'t str {
        self.blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn sign(&mut self, sign: &str) -> bool {
        let before = self.at;
        self.blanks();
        let found = self.rest().starts_with(sign);
        self.at = if found { self.at + sign.len() } else { before };
        found
    }

    fn quoted(&mut self, word: &'static str) -> Result<&'t str, RecordError> {
        self.blanks();
        let start = self.at;
        let quotes =
            self.quotes().ok_or(RecordError::Incomplete { word, wanted: "a text in quotes", range: start..start })?;
        self.skip_text(quotes)?;
        Ok(&self.text[start + quotes.len()..self.at - quotes.len()])
    }

    /// The quotes that stand here.
    fn quotes(&self) -> Option<&'static str> {
        ["\"\"\"", "\""].into_iter().find(|quotes| self.rest().starts_with(quotes))
    }

    fn skip_text(&mut self, quotes: &str) -> Result<(), RecordError> {
        let start = self.at;
        let inside = &self.rest()[quotes.len()..];
        let end = inside.find(quotes).filter(|&end| quotes.len() == 3 || !inside[..end].contains('\n'));
        let end = end.ok_or(RecordError::OpenText(start..start + quotes.len()))?;
        self.at = start + end + 2 * quotes.len();
        Ok(())
    }

    /// Everything up to the end of the line or a comment; texts in quotes may go over several lines.
    fn rest_of_line(&mut self) -> Result<&'t str, RecordError> {
        let start = self.at;
        while !self.rest().is_empty() && !self.rest().starts_with('\n') && !self.rest().starts_with("//") {
            match self.quotes() {
                Some(quotes) => self.skip_text(quotes)?,
                None => self.at += self.rest().chars().next().map_or(0, char::len_utf8),
            }
        }
        Ok(self.text[start..self.at].trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_as_it_was_written() {
        let record = Record {
            header: vec!["A game, seed 7".into()],
            options: vec![("rows".into(), "6".into()), ("map".into(), "\"\"\"\nR /\n\"\"\"".into())],
            opening: "position \"\"\"\n. W\nB .\n\"\"\"\nWhite's score = 3\n".into(),
            plays: vec![
                Line { text: "a1-b1".into(), by: String::new() },
                Line { text: "say \"x\" now".into(), by: String::new() },
            ],
            shows: Some("\n. W\n. B\n".into()),
            ends: Some("no jump".into()),
        };
        assert_eq!(Record::parse(&record.to_string()), Ok(record));
    }

    #[test]
    fn says_who_played() {
        let play = |text: &str, by: &str| Line { text: text.into(), by: by.into() };
        let record = Record { plays: vec![play("a1", "White"), play("roll 1 3", "chance")], ..Record::default() };
        let text = "play \"a1\"        // White\nplay \"roll 1 3\"  // chance\n";
        assert_eq!(record.to_string(), text);
    }

    #[test]
    fn several_in_a_line_and_comments_between() {
        let text = "// top\n\n// second\nplay \"a\", // later\n";
        assert!(matches!(Record::parse(text), Err(RecordError::Incomplete { word: "play", .. })));
        let record = Record::parse("// top\nplay \"a\", \"b\" // note\nplay \"c\" ends draw").unwrap();
        assert_eq!(record.header, ["top"]);
        assert_eq!(record.plays.iter().map(|play| play.text.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(record.ends.as_deref(), Some("draw"));
    }

    #[test]
    fn mistakes_have_places() {
        let open = Record::parse("play \"a1\nplay \"b1\"").unwrap_err();
        assert_eq!(open, RecordError::OpenText(5..6));
        let late = Record::parse("play \"a\"\nscore = 3").unwrap_err();
        assert_eq!(late.range(), 9..18);
        assert!(Record::parse("with = 3").is_err());
        assert!(Record::parse("shows").is_err());
        assert!(Record::parse("é \"").is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_too_strange(text in "(with|play|shows|ends|a|é|=|,|\"|\"\"\"|//|[ \n]){0,24}") {
            match Record::parse(&text) {
                Ok(record) => {
                    let again = Record::parse(&record.to_string());
                    proptest::prop_assert_eq!(again.map(|again| again.plays), Ok(record.plays));
                }
                Err(error) => proptest::prop_assert!(text.get(error.range()).is_some()),
            }
        }
    }
}
