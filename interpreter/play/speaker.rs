//! A game in progress that can be talked to: every move and every throw has a text.

use super::{Move, Status, Table, Trouble};
use crate::rules::{Expr, SiteSet};
use crate::source::Span;

/// The text with which the seat to move gives up, unless a move is written so.
pub const RESIGN: &str = "resign";

/// Why what a person typed cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// One or two sentences for the player.
    pub message: String,
    /// The rule that forbids it, if there is one.
    pub span: Option<Span>,
    /// The author's words at that rule.
    pub reason: Option<String>,
    /// Names in that rule and what they stand for there.
    pub values: Vec<(Span, String)>,
}

impl Refusal {
    /// A refusal without a rule to point at.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), span: None, reason: None, values: Vec::new() }
    }
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Refusal {
        Refusal { span: trouble.span(), ..Refusal::new(trouble.to_string()) }
    }
}

/// A table whose moves and chance outcomes have texts; no two that are possible in one position share one.
pub trait Speaker: Table {
    /// Every legal move with its text, or every outcome if chance is to choose; nothing when the game is over.
    fn texts(&mut self) -> Result<Vec<(Move, String)>, Trouble>;

    /// The texts of outcomes that have been listed, by this evaluator or the other; no two alike.
    fn texts_of(&mut self, outcomes: &[Move]) -> Result<Vec<String>, Trouble>;

    /// The text of one of them.
    fn text_of(&mut self, chosen: &Move) -> Result<String, Trouble>;

    /// The names in a condition and what they stand for here.
    fn values_in(&self, _: &Expr) -> Vec<(Span, String)> {
        Vec::new()
    }

    /// The sides of a condition that does not hold, and what they come to here.
    fn sides_of(&self, _: &Expr) -> Vec<(Span, String)> {
        Vec::new()
    }

    /// The move or outcome that a person means by a text; letters' case and blanks do not matter.
    fn find(&mut self, typed: &str) -> Result<Move, Refusal>;

    /// The same; a move may be typed without the words behind its first blank, a `note` most often, if no other begins like that.
    fn understand(&mut self, typed: &str) -> Result<Move, Refusal> {
        let refusal = match self.find(typed) {
            Err(refusal) if matches!(self.status(), Status::ToMove(_)) => refusal,
            found => return found,
        };
        let texts = self.texts()?;
        let i = begun(typed, texts.iter().map(|(_, text)| text.as_str()));
        i.and_then(|i| texts.into_iter().nth(i)).map(|(chosen, _)| chosen).ok_or(refusal)
    }

    /// What everybody was told of the last move, by `announce`.
    fn announced(&self) -> &[String] {
        &[]
    }

    /// The sites whose contents a seat sees now; none: all.
    fn seen(&self, _seat: i32) -> Result<Option<SiteSet>, Trouble> {
        Ok(None)
    }
}

/// A text without blanks, in small letters: how texts are compared when they are not exactly alike.
pub fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// Which of `texts` is meant by `typed`: the one that is exactly alike, else the only one that is alike but for case and blanks.
pub fn meant<'a>(typed: &str, texts: impl Iterator<Item = &'a str> + Clone) -> Option<usize> {
    if let Some(i) = texts.clone().position(|text| text == typed) {
        return Some(i);
    }
    let wanted = squeezed(typed);
    let mut alike = texts.enumerate().filter(|(_, text)| squeezed(text) == wanted);
    let (i, _) = alike.next()?;
    alike.next().is_none().then_some(i)
}

/// The only one of `texts` that goes on where `typed` ends, if it goes on with a blank.
fn begun<'a>(typed: &str, texts: impl Iterator<Item = &'a str>) -> Option<usize> {
    let wanted = squeezed(typed);
    let rest_of = texts.enumerate().filter_map(|(i, text)| rest(text, &wanted).map(|rest| (i, rest)));
    // In "a1-a25" another site is named than in "a1-a2".
    let mut longer = rest_of.filter(|(_, rest)| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    let (i, rest) = longer.next()?;
    (rest.starts_with(char::is_whitespace) && longer.next().is_none()).then_some(i)
}

/// What follows in a text behind this squeezed beginning.
fn rest<'a>(text: &'a str, begin: &str) -> Option<&'a str> {
    let mut wanted = begin.chars();
    let mut rest = text.chars();
    while !wanted.as_str().is_empty() {
        let c = rest.next()?;
        let alike = c.is_whitespace() || c.to_lowercase().all(|c| wanted.next() == Some(c));
        if !alike {
            return None;
        }
    }
    (!begin.is_empty()).then_some(rest.as_str())
}

/// Does `typed` mean that the seat to move gives up?
pub fn is_resigning(typed: &str) -> bool {
    squeezed(typed) == RESIGN
}
