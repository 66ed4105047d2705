//! Libraries that have been read, kept for the games that are read after.
//!
//! Nearly every game of a process is read with the same library, and reading that takes longer than reading the game. What is kept are
//! texts and what was made of them, so no other text can be taken for one of them.

use std::sync::{Arc, Mutex, PoisonError};

use crate::assemble;
use crate::source::{FileId, Source};

/// How many are kept. One is for texts with certain numbers; a game that extends others gives the library higher ones.
const MOST: usize = 8;

struct Kept {
    first: FileId,
    texts: Vec<Source>,
    library: Arc<assemble::Library>,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// What was made of these texts, the first having this number, if it is kept.
pub fn find(first: FileId, texts: &[Source]) -> Option<Arc<assemble::Library>> {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let found = kept.iter().find(|kept| kept.first == first && kept.texts == texts);
    found.map(|kept| kept.library.clone())
}

/// Keeps what was made of texts in which nothing is wrong, if there is room.
pub fn keep(first: FileId, texts: Vec<Source>, library: &Arc<assemble::Library>) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.len() < MOST {
        kept.push(Kept { first, texts, library: library.clone() });
    }
}
