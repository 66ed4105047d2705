//! Every `tests/cli/*.console` is one test: a transcript of the command line, held against what is said today.
//!
//! ```text
//! # Lines before the first file or command are a note.
//! --- file broken.lus
//! game "Broken"
//! ---
//! $ lusory check broken.lus
//! error[…]: …
//! [exit 1]
//! $ lusory play broken.lus
//! < a1-a2
//! whatever it answers
//! ```
//!
//! `--- file NAME` … `---` writes a file into the folder, empty at first, in which the commands run. `$ lusory …` runs
//! the program, lines with `< ` right below are what it reads, and what it prints follows, both streams as they come.
//! `[exit N]` follows if N is not 0. `UPDATE=1` writes what is printed.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use support::transcript::{Scratch, replay};

mod support;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let trials = support::files("tests/cli", &["console"]).into_iter().map(|path| {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Trial::test(name, move || check(&path).map_err(Failed::from))
    });
    libtest_mimic::run(&args, trials.collect()).exit_code()
}

/// Runs one transcript.
fn check(path: &Path) -> Result<(), String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let scratch = Scratch::new(&format!("cli-{stem}"))?;
    support::expect(path, &replay(&support::text(path)?, &scratch)?)
}
