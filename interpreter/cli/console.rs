//! Where the command line writes: what was asked for on standard output, everything else on standard error.
//!
//! Signs that a terminal would obey come out as `�` whatever they were part of; colours stand only in findings.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use super::failure::Failure;
use crate::diagnostics::Diagnostics;
use crate::diagnostics::render::{Format, Style, render_all};
use crate::diagnostics::visible;
use crate::source::Sources;

/// The streams of the program.
#[derive(Debug)]
pub struct Console {
    colors: bool,
    /// What was said aside, to be passed on later; none: everything is written at once.
    aside: Option<Mutex<Vec<Said>>>,
}

/// Something written, and on which stream.
#[derive(Debug)]
struct Said {
    asked_for: bool,
    text: String,
}

impl Console {
    /// The streams as the program was given them.
    pub fn new() -> Console {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Console { colors: !unwanted && !dumb, aside: None }
    }

    /// The same streams for work beside other work: what it writes waits for [`Console::pass_on`].
    pub fn aside(&self) -> Console {
        Console { colors: self.colors, aside: Some(Mutex::default()) }
    }

    /// Writes what was said aside, in its order.
    pub fn pass_on(&self, aside: Console) -> Result<(), Failure> {
        let said =
            aside.aside.map(Mutex::into_inner).transpose().unwrap_or_else(|poisoned| Some(poisoned.into_inner()));
        for Said { asked_for, text } in said.unwrap_or_default() {
            match asked_for {
                true => self.write(&text)?,
                false => self.whisper(&text),
            }
        }
        Ok(())
    }

    /// Writes what was asked for, and a line end.
    pub fn data(&self, text: impl AsRef<str>) -> Result<(), Failure> {
        self.write(&(shown(text.as_ref()) + "\n"))
    }

    /// Says something to whoever sits there.
    pub fn talk(&self, text: impl AsRef<str>) {
        self.whisper(&(shown(text.as_ref()) + "\n"));
    }

    /// The same without a line end.
    pub fn prompt(&self, text: &str) {
        self.whisper(&shown(text));
    }

    /// Writes over the line on which it stands; nothing if nobody sees it.
    pub fn progress(&self, text: &str) {
        if self.is_watched() {
            self.whisper(&format!("\r\x1b[K{}", shown(text)));
        }
    }

    /// Is standard error a terminal?
    pub fn is_watched(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Is there somebody to answer?
    pub fn is_answered(&self) -> bool {
        io::stdin().is_terminal()
    }

    /// Shows findings that keep the program from doing what was asked.
    pub fn refuse(&self, found: &Diagnostics, sources: &Sources) -> Failure {
        let style = Style { color: self.colors && self.is_watched(), format: Format::Human };
        self.whisper(&render_all(found, sources, style));
        Failure::Findings
    }

    /// Shows findings that were asked for.
    pub fn findings(&self, found: &Diagnostics, sources: &Sources, format: Format) -> Result<(), Failure> {
        let style = Style { color: self.colors && io::stdout().is_terminal(), format };
        self.write(&render_all(found, sources, style))
    }

    /// Writes JSON and a line end.
    pub fn json(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        match serde_json::to_string(value) {
            Ok(text) => self.data(crate::diagnostics::json::escaped(&text)),
            Err(error) => crate::bug!("an answer could not be written as JSON: {error}"),
        }
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        if self.keep(true, text) {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NoReader,
            _ => Failure::Files(format!("standard output: {error}")),
        })
    }

    /// Keeps what is said aside.
    fn keep(&self, asked_for: bool, text: &str) -> bool {
        let Some(aside) = &self.aside else { return false };
        let said = Said { asked_for, text: text.to_string() };
        aside.lock().unwrap_or_else(PoisonError::into_inner).push(said);
        true
    }

    fn whisper(&self, text: &str) {
        if self.keep(false, text) {
            return;
        }
        // Nobody can be told that nobody can be told.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

impl Default for Console {
    fn default() -> Self {
        Console::new()
    }
}

/// A text as it may reach a terminal; line ends stay.
fn shown(text: &str) -> String {
    text.chars().map(|sign| if matches!(sign, '\n' | '\t') { sign } else { visible::sign(sign) }).collect()
}
