//! `lusory fmt`: lays out rule files in the usual way.

use std::fs;

use super::args::FmtArgs;
use super::console::Console;
use super::failure::Failure;
use crate::library::read_file;

/// Lays them out, or says which are not.
pub fn run(args: &FmtArgs, console: &Console) -> Result<(), Failure> {
    let mut differ = false;
    for path in &args.files {
        let source = read_file(path).map_err(|refusal| Failure::file(path, refusal))?;
        let laid_out = crate::syntax::format(&source.text);
        if !crate::syntax::parse(crate::source::FileId(0), &source.text).1.is_empty() {
            console.talk(format!(
                "{0}: parts of it cannot be read and stay as they are; \"lusory check {0}\" says why",
                path.display()
            ));
        }
        if laid_out == source.text {
            continue;
        }
        differ = true;
        console.data(path.display().to_string())?;
        if !args.check {
            fs::write(path, laid_out)
                .map_err(|error| Failure::Files(format!("{} cannot be written: {error}", path.display())))?;
        }
    }
    if differ && args.check { Err(Failure::Findings) } else { Ok(()) }
}
