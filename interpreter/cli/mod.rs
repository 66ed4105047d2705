//! The only part of Lusory that prints, reads arguments, or exits.
//!
//! | exit code | |
//! |---|---|
//! | 0 | fine |
//! | 1 | findings: mistakes in a game or house file, a move in a record that is refused, two games that differ |
//! | 2 | the command line makes no sense |
//! | 3 | a file cannot be read or written |
//! | 4 | more was asked than the program does |
//! | 5 | an example or property does not hold |
//! | 70 | a mistake of the program itself |

mod args;
mod bench;
mod check;
mod console;
mod diff;
mod explain;
mod failure;
mod fmt;
mod game;
mod house;
mod layers;
mod list;
mod modules;
mod moves;
mod perft;
mod play;
mod replay;
mod saved;
mod schema;
mod show;
mod sim;
mod start;
mod test;
mod why;
mod words;

use std::panic;
use std::process::ExitCode;
use std::sync::Mutex;

use clap::Parser;

use args::{Cli, Task};
use console::Console;
use failure::Failure;

/// The exit code of our own mistakes.
const OUR_MISTAKE: u8 = 70;
/// Stack for the plain evaluator, which follows the nesting of the rules.
const STACK: usize = 256 * 1024 * 1024;

/// The first panic, wherever it happened.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Does what the command line says.
pub fn main() -> ExitCode {
    panic::set_hook(Box::new(|info| {
        let said = info.payload_as_str().filter(|said| said.starts_with("this is a mistake in Lusory"));
        let place = info.location().map_or(String::new(), |place| format!("{}:{}", place.file(), place.line()));
        let words = match said {
            Some(said) => format!("{said} ({place})"),
            None => format!("this is a mistake in Lusory, please report it with what you typed ({place})"),
        };
        PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert(words);
    }));
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // What cannot be written cannot be complained about either.
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
    };
    let console = Console::new();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || run(cli.task, &Console::new()));
    let done = match work {
        Ok(work) => work.join(),
        Err(error) => Ok(Err(Failure::Limit(format!("no thread could be started: {error}")))),
    };
    match done {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => {
            match &failure {
                Failure::Usage(words) | Failure::Files(words) | Failure::Limit(words) => {
                    console.talk(format!("lusory: {words}"));
                }
                Failure::Findings | Failure::Tests | Failure::NoReader => {}
            }
            ExitCode::from(failure.code())
        }
        Err(_) => {
            let words = PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
            console.talk(format!("lusory: {}", words.unwrap_or_default()));
            ExitCode::from(OUR_MISTAKE)
        }
    }
}

fn run(task: Task, console: &Console) -> Result<(), Failure> {
    match task {
        Task::List(args) => list::run(&args, console),
        Task::Show(args) => show::run(&args, console),
        Task::Play(args) => play::run(&args, console),
        Task::Replay(args) => replay::run(&args, console),
        Task::Moves(args) => moves::run(&args, console),
        Task::Why(args) => why::run(&args, console),
        Task::Perft(args) => perft::run(&args, console),
        Task::Sim(args) => sim::run(&args, console),
        Task::Diff(args) => diff::run(&args, console),
        Task::Bench(args) => bench::run(&args, console),
        Task::Check(args) => check::run(&args, console),
        Task::Explain(args) => explain::run(&args, console),
        Task::Test(args) => test::run(&args, console),
        Task::Fmt(args) => fmt::run(&args, console),
        Task::House(args) => house::run(&args, console),
        Task::Schema(args) => schema::run(&args, console),
    }
}
