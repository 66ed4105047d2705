//! Why a command ends otherwise than well, and the number it then ends with.

use std::path::Path;

use crate::library::Refusal;
use crate::play::Trouble;

/// Why a command ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Something is wrong with what a file says; the findings have been shown. Exit code 1.
    Findings,
    /// Something is wrong with what was asked. Exit code 2.
    Usage(String),
    /// A file cannot be read or written. Exit code 3.
    Files(String),
    /// More was asked than the program does. Exit code 4.
    Limit(String),
    /// Examples or properties do not hold; they have been shown. Exit code 5.
    Tests,
    /// Who reads what we write has stopped reading. Exit code 0.
    NoReader,
}

impl Failure {
    /// The number with which the program ends.
    pub fn code(&self) -> u8 {
        match self {
            Failure::NoReader => 0,
            Failure::Findings => 1,
            Failure::Usage(_) => 2,
            Failure::Files(_) => 3,
            Failure::Limit(_) => 4,
            Failure::Tests => 5,
        }
    }

    /// A file that cannot be had.
    pub fn file(path: &Path, refusal: Refusal) -> Failure {
        let message = format!("{}: {refusal}", path.display());
        match refusal {
            Refusal::TooLarge(_) => Failure::Limit(message),
            Refusal::Name
            | Refusal::Missing
            | Refusal::NoFile
            | Refusal::LeavesFolder
            | Refusal::NotText
            | Refusal::Unreadable => Failure::Files(message),
        }
    }
}

impl From<Trouble> for Failure {
    /// A game that cannot be played on has run into one of the limits that keep it from hanging.
    fn from(trouble: Trouble) -> Failure {
        Failure::Limit(trouble.to_string())
    }
}

/// A number that has to lie within limits.
pub fn within<N: PartialOrd + std::fmt::Display>(what: &str, number: N, least: N, most: N) -> Result<N, Failure> {
    if number < least || number > most {
        return Err(Failure::Limit(format!("{what} is {number}; it can be {least} to {most}")));
    }
    Ok(number)
}
