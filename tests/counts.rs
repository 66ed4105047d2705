//! Every line of `counts.txt` is one test: the command line counts sequences of turns, to the sign `|` of the line.
//!
//! `tests/counts.sh` counts on behind it.

use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let lines = include_str!("counts.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let trials = lines.map(|line| Trial::test(line.to_string(), move || counted(line).map_err(Failed::from)));
    libtest_mimic::run(&args, trials.collect()).exit_code()
}

/// Counts one line.
fn counted(line: &str) -> Result<(), String> {
    let (told, numbers) = line.rsplit_once(": ").ok_or("a line is: game, what else is told, `: `, numbers")?;
    let numbers: Vec<&str> = numbers.split_whitespace().take_while(|number| *number != "|").collect();
    let depth = numbers.len().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lusory"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .arg("perft")
        .args(told.split_whitespace())
        .args(["--depth", &depth]);
    let output = command.output().map_err(|error| error.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let found: Vec<&str> = said.lines().filter_map(|line| line.split('\t').nth(1)).collect();
    if found == numbers {
        return Ok(());
    }
    Err(format!("counted {}\n{}", found.join(" "), String::from_utf8_lossy(&output.stderr)))
}
