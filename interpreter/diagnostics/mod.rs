//! How Lusory tells an author what is wrong, and where.
//!
//! Stages make [`Diagnostic`]s, which hold a code, one sentence, places and a mend. Drawing them is
//! `render.rs` alone; `json.rs` hands them to other programs.

pub mod json;
pub mod nearest;
pub mod render;
pub mod reports;

mod lines;
pub(crate) mod visible;

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The game cannot be played.
    Error,
    /// The game can be played, but the author should look.
    Warning,
}

/// A place and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
}

/// One finding: the code, the sentence, the place, places that made it wrong, and the mend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// A stable name in small letters and hyphens, as `unknown-name`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One or two sentences in a player's words; names from the file in double quotes.
    pub message: String,
    /// The wrong word.
    pub place: Label,
    /// Other places that matter.
    pub also: Vec<Label>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        let place = Label { span, text: String::new() };
        Diagnostic { code, severity: Severity::Error, message: message.into(), place, also: Vec::new(), help: None }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Words beside the wrong word.
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.place.text = text.into();
        self
    }

    /// Another place, and what it has to do with this.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.also.push(Label { span, text: text.into() });
        self
    }

    /// What to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// Findings in the order in which they were found.
pub type Diagnostics = Vec<Diagnostic>;

/// Is there an error among them?
pub fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|diag| diag.severity == Severity::Error)
}

/// The findings in the order in which they stand in the texts; of one place, as they were found.
fn in_order(found: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut sorted: Vec<&Diagnostic> = found.iter().collect();
    sorted.sort_by_key(|diag| (diag.place.span.file, diag.place.span.start));
    sorted
}

/// Gives up because a promise of our own was broken; never for anything a person wrote.
#[macro_export]
macro_rules! bug {
    ($($words:tt)*) => {
        panic!("this is a mistake in Lusory, please report it: {}", format_args!($($words)*))
    };
}
