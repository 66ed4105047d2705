//! Cuts a text into words, numbers, texts and signs, before the grammar sees it.
//!
//! What this stage tells of: signs that no file may contain, signs and words of other languages, texts without an end, and whatever
//! is too long or too large. It hands on the text with such slips mended where that can be done in place.

use super::{limits, words};
use crate::diagnostics::visible::is_hidden;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a word of the language.
    Word,
    /// Digits.
    Int,
    /// `"…"` or `"""…"""`
    Text,
    /// Everything else.
    Sign,
    /// `// …`
    Comment,
    /// `/// …`
    Doc,
}

/// A stretch of the text that belongs together.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Is it the first on its line?
    pub leads: bool,
    /// Has an error been told of it?
    pub told: bool,
    /// Was it replaced by what was meant?
    pub mended: bool,
}

/// A text in pieces.
pub struct Scan {
    /// The text with slips mended in place, byte for byte as long as before.
    pub text: String,
    /// What is not a comment.
    pub tokens: Vec<Token>,
    /// Comments and `///` lines.
    pub comments: Vec<Token>,
    /// What was found wrong.
    pub found: Diagnostics,
}

impl Scan {
    /// The words of a token.
    pub fn word(&self, token: &Token) -> &str {
        &self.text[token.start..token.end]
    }

    /// The first token that ends after this byte.
    pub fn token_at(&self, byte: usize) -> usize {
        self.tokens.partition_point(|token| token.end <= byte)
    }
}

/// Adds an error, unless there are far more than will ever be told; gives it, so that a mend can be added.
// A file may consist of nothing but errors, a million of them; memory is not for them. The last place is written over.
pub fn add(found: &mut Diagnostics, diag: Diagnostic) -> &mut Diagnostic {
    if found.len() > 20 * limits::ERRORS {
        found.pop();
    }
    found.push(diag);
    let last = found.len() - 1;
    &mut found[last]
}

/// Cuts `text` into tokens.
pub fn scan(file: FileId, text: &str) -> Scan {
    let mut scanner = Scanner {
        file,
        text,
        at: 0,
        leads: true,
        tokens: Vec::new(),
        comments: Vec::new(),
        found: Vec::new(),
        mends: Vec::new(),
    };
    scanner.lines();
    scanner.run();
    let Scanner { tokens, comments, found, mends, .. } = scanner;
    let mut bytes = text.as_bytes().to_vec();
    for (start, end, with) in mends {
        bytes[start..end].fill(b' ');
        bytes[start..start + with.len()].copy_from_slice(with.as_bytes());
    }
    // Only whole characters are replaced, and only by ASCII.
    let text = String::from_utf8(bytes).unwrap_or_else(|_| crate::bug!("a mend cut a character"));
    Scan { text, tokens, comments, found }
}

struct Scanner<'s> {
    file: FileId,
    text: &'s str,
    at: usize,
    leads: bool,
    tokens: Vec<Token>,
    comments: Vec<Token>,
    found: Diagnostics,
    /// Bytes to be replaced, and by what; the rest of the stretch becomes blanks.
    mends: Vec<(usize, usize, &'static str)>,
}

impl Scanner<'_> {
    fn error(&mut self, code: &'static str, start: usize, end: usize, message: String) -> &mut Diagnostic {
        add(&mut self.found, Diagnostic::error(code, Span::new(self.file, start, end), message))
    }

    /// Lines that are too long.
    fn lines(&mut self) {
        let text = self.text;
        let mut start = 0;
        for line in text.split('\n') {
            // A line that is short in bytes is short in characters.
            if line.len() > limits::LINE_CHARS {
                let chars = line.chars().count();
                if chars > limits::LINE_CHARS {
                    let message = format!("This line has {chars} characters; a line may have {}.", limits::LINE_CHARS);
                    self.error("line-too-long", start, start + 1, message).help =
                        Some("Break it into several lines.".into());
                }
            }
            start += line.len() + 1;
        }
    }

    fn run(&mut self) {
        // Some editors begin every file with this sign.
        if self.text.starts_with('\u{feff}') {
            self.mends.push((0, 3, ""));
            self.at = 3;
        }
        while let Some(sign) = self.text[self.at..].chars().next() {
            match sign {
                '\n' => {
                    self.leads = true;
                    self.at += 1;
                }
                ' ' | '\t' | '\r' => self.at += 1,
                '/' if self.text[self.at..].starts_with("//") => self.comment(),
                '"' => self.quoted(),
                '0'..='9' => self.number(),
                'a'..='z' | 'A'..='Z' | '_' => self.name(),
                _ => self.sign(sign),
            }
        }
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let token = Token { kind, start: self.at, end, leads: self.leads, told: false, mended: false };
        match kind {
            TokenKind::Comment | TokenKind::Doc => self.comments.push(token),
            TokenKind::Word | TokenKind::Int | TokenKind::Text | TokenKind::Sign => self.tokens.push(token),
        }
        self.leads = false;
        self.at = end;
    }

    fn push_told(&mut self, kind: TokenKind, end: usize) {
        self.push(kind, end);
        if let Some(last) = self.tokens.last_mut() {
            last.told = true;
        }
    }

    fn push_mended(&mut self, kind: TokenKind, end: usize) {
        self.push(kind, end);
        if let Some(last) = self.tokens.last_mut() {
            last.mended = true;
        }
    }

    /// `// …` or `/// …`; four slashes are a comment
    fn comment(&mut self) {
        let rest = &self.text[self.at..];
        let line = rest.split('\n').next().unwrap_or(rest);
        let doc = line.starts_with("///") && !line.starts_with("////");
        let end = self.at + line.trim_end().len();
        self.push(if doc { TokenKind::Doc } else { TokenKind::Comment }, end);
    }

    fn quoted(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let (inside, marks) = match rest.strip_prefix("\"\"\"") {
            Some(diagram) => (diagram.find("\"\"\""), 3),
            None => (rest[1..].find(['"', '\n']).filter(|found| rest.as_bytes()[1 + found] == b'"'), 1),
        };
        let Some(inside) = inside else {
            let line_end = rest.find('\n').unwrap_or(rest.len());
            let end = start + if marks == 3 { rest.len() } else { rest[..line_end].trim_end().len() };
            let message = if marks == 3 {
                "This diagram has no end: \"\"\" is missing behind it."
            } else {
                "This text has no end: a \" is missing before the end of the line."
            };
            self.error("unclosed", start, start + marks, message.into()).help =
                Some("Close it with the same marks. A text of several lines stands between \"\"\" and \"\"\".".into());
            return self.push_told(TokenKind::Text, end);
        };
        let end = start + inside + 2 * marks;
        if inside > limits::TEXT_BYTES {
            let message = format!("This text is {inside} bytes long; a text may have {}.", limits::TEXT_BYTES);
            self.error("text-too-long", start, start + marks, message);
        }
        self.push(TokenKind::Text, end);
    }

    fn run_of_name(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        self.at + length
    }

    fn number(&mut self) {
        let (start, end) = (self.at, self.run_of_name());
        let word = &self.text[start..end];
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            let digits = word.bytes().take_while(u8::is_ascii_digit).count();
            let message = format!("\"{}\" is neither a number nor a name.", shown(word));
            let (number, rest) = (shown(&word[..digits]), shown(&word[digits..]));
            let size = word[digits..].strip_prefix(['x', 'X']).filter(|more| more.parse::<u32>().is_ok());
            let help = match size {
                Some(more) => format!("A board of this size: \"board grid {number} by {more}\"."),
                None => {
                    format!("A name begins with a letter. After a number put a blank: \"{number} {rest}\".")
                }
            };
            self.error("syntax", start, end, message).help = Some(help);
            // The digits stand for it, so that reading can go on.
            self.mends.push((start + digits, end, ""));
            return self.push_mended(TokenKind::Int, end);
        }
        self.push(TokenKind::Int, end);
    }

    fn name(&mut self) {
        let (start, end) = (self.at, self.run_of_name());
        let word = &self.text[start..end];
        if word.len() > limits::NAME_CHARS {
            let message = format!("This name has {} characters; a name may have {}.", word.len(), limits::NAME_CHARS);
            self.error("name-too-long", start, end, message);
        }
        let after_block = self.tokens.last().is_some_and(|last| &self.text[last.start..last.end] == "}");
        if after_block && matches!(word, "elif" | "elsif" | "elseif") {
            let message = format!("\"{word}\" is not used: say \"else if\".");
            self.error("foreign-word", start, end, message);
            return self.push_told(TokenKind::Word, end);
        }
        self.push(TokenKind::Word, end);
    }

    fn sign(&mut self, sign: char) {
        const FOREIGN: &[(&str, &str, &str, &str)] = &[
            ("===", "double-equals", "\"===\" is not used: say \"is\". To assign, write \"=\".", "\u{6}"),
            ("!==", "foreign-sign", "\"!==\" is not used: say \"is not\".", "\u{2}"),
            ("==", "double-equals", "\"==\" is not used: say \"is\". To assign, write \"=\".", "\u{6}"),
            ("!=", "foreign-sign", "\"!=\" is not used: say \"is not\".", "\u{2}"),
            ("<>", "foreign-sign", "\"<>\" is not used: say \"is not\".", "\u{2}"),
            ("&&", "foreign-sign", "\"&&\" is not used: say \"and\".", "\u{3}"),
            ("||", "foreign-sign", "\"||\" is not used: say \"or\".", "\u{4}"),
            (
                "=>",
                "foreign-sign",
                "\"=>\" is not used: \"at least\" is written \">=\"; a case of a \"match\" ends in \":\".",
                "",
            ),
            ("=<", "foreign-sign", "\"=<\" is not used: \"at most\" is written \"<=\".", "<="),
            ("++", "foreign-sign", "\"++\" is not used: to add one, write \"+= 1\".", ""),
            (":=", "foreign-sign", "\":=\" is not used: to assign, write \"=\".", "="),
            ("->", "foreign-sign", "\"->\" is not used here.", ""),
            ("!", "foreign-sign", "\"!\" is not used: say \"not\".", "\u{5}"),
            (";", "semicolon", "A \";\" is not needed: leave it out.", " "),
        ];
        const SIGNS: &[&str] = &["+=", "-=", "|=", "&=", "<=", ">=", "..", "'s"];
        let (start, rest) = (self.at, &self.text[self.at..]);
        if let Some((foreign, code, message, mend)) = FOREIGN.iter().find(|(foreign, ..)| rest.starts_with(foreign)) {
            let end = start + foreign.len();
            self.error(code, start, end, (*message).into());
            if *mend == " " {
                self.mends.push((start, end, ""));
                self.at = end;
                return;
            }
            if mend.is_empty() {
                return self.push_told(TokenKind::Sign, end);
            }
            self.mends.push((start, end, mend));
            return self.push_mended(TokenKind::Sign, end);
        }
        if let Some(double) = SIGNS.iter().find(|double| rest.starts_with(**double)) {
            let name_goes_on = rest.as_bytes().get(2).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
            let length = if *double == "'s" && name_goes_on { 1 } else { 2 };
            return self.push(TokenKind::Sign, start + length);
        }
        let end = start + sign.len_utf8();
        if "{}()+-*/%&|<>=,:.'".contains(sign) {
            return self.push(TokenKind::Sign, end);
        }
        self.stranger(sign, start, end);
    }

    /// A sign that no file may contain outside comments and texts.
    fn stranger(&mut self, sign: char, start: usize, end: usize) {
        let number = format!("U+{:04X}", u32::from(sign));
        let (code, message, help) = match sign {
            _ if is_hidden(sign) => {
                ("hidden-character", format!("An invisible character ({number}) stands here."), "Delete it.")
            }
            '’' | '‘' => ("foreign-sign", format!("\"{sign}\" is not used."), "Write a straight apostrophe: '"),
            '“' | '”' | '„' | '«' | '»' => {
                ("foreign-sign", format!("\"{sign}\" is not used."), "Write a straight quotation mark: \"")
            }
            '[' | ']' => {
                ("foreign-sign", format!("\"{sign}\" is not used."), "The value of x at a site s is written: x at s")
            }
            '#' => ("foreign-sign", "\"#\" is not used.".into(), "A note to the reader is written: // note"),
            _ if sign.is_alphabetic() => (
                "foreign-sign",
                format!("\"{sign}\" cannot stand in a name."),
                "Names are made of the letters a to z, A to Z, digits and _. Texts may hold anything.",
            ),
            _ => (
                "foreign-sign",
                format!("\"{sign}\" ({number}) is not used in game files."),
                "Outside comments and texts it means nothing here.",
            ),
        };
        self.error(code, start, end, message).help = Some(help.into());
        self.mends.push((start, end, ""));
        if is_hidden(sign) {
            self.at = end;
        } else {
            self.push_told(TokenKind::Sign, end);
        }
    }
}

/// A word as it may stand in a message: not endless.
pub fn shown(word: &str) -> String {
    let mut shown: String = word.chars().filter(|sign| !is_hidden(*sign)).take(40).collect();
    if word.chars().count() > 40 {
        shown.push('…');
    }
    shown
}

/// Can a value end with this token, so that what follows begins something else unless it is an operator? (`move`: as in `White to move`.)
pub fn ends_value(word: &str, kind: TokenKind) -> bool {
    match kind {
        TokenKind::Int | TokenKind::Text => true,
        TokenKind::Sign => matches!(word, ")" | "}"),
        TokenKind::Word => {
            matches!(word, "on" | "off" | "base" | "commit" | "move")
                || !words::is_reserved(word) && !words::WANTING.contains(&word)
        }
        TokenKind::Comment | TokenKind::Doc => false,
    }
}
