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
