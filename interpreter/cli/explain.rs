//! `lusory explain`: what a code means, and how much of everything there may be.

use super::args::ExplainArgs;
use super::console::Console;
use super::failure::Failure;
use crate::diagnostics::nearest::nearest;
use crate::explain::{self, Entry, Shown};
use crate::fast::switches::ALL;
use crate::limits;

/// Explains a code, lists the limits, or lists all codes.
pub fn run(args: &ExplainArgs, console: &Console) -> Result<(), Failure> {
    match args.code.as_deref() {
        None => {
            let all = explain::all();
            let width = all.iter().map(|entry| entry.code.len()).max().unwrap_or(0);
            for entry in all {
                let kind = if entry.warning { "warning" } else { "error  " };
                console.data(format!("{kind} {:width$}  {}", entry.code, first_sentence(entry.rule)))?;
            }
            console.data(format!(
                "\n\"lusory explain CODE\" shows an example; \"lusory explain limits\" lists {}, \"lusory explain engine\" {}.",
                "all limits", "what the engine may leave out"
            ))
        }
        Some("limits") => table(console),
        Some("engine") => engine(console),
        Some(code) => match explain::entry(code) {
            Some(entry) => console.data(text(&entry).trim_end()),
            None => {
                let all = explain::all();
                let near = nearest(code, all.iter().map(|entry| entry.code));
                let near = near.map_or(String::new(), |near| format!(" Did you mean \"{near}\"?"));
                Err(Failure::Usage(format!("there is no code \"{code}\".{near} \"lusory explain\" lists all of them.")))
            }
        },
    }
}

/// The words up to the first full stop.
fn first_sentence(rule: &str) -> &str {
    rule.split_once(". ").map_or(rule.trim_end_matches('.'), |(first, _)| first)
}

fn text(entry: &Entry) -> String {
    let kind = if entry.warning { "warning" } else { "error" };
    let mut text = format!("{kind}[{}]\n{}\n", entry.code, entry.rule);
    if entry.shown != Shown::Nowhere {
        let block = |lines: Vec<&str>| lines.iter().map(|line| format!("  {line}\n")).collect::<String>();
        let game = entry.game();
        if !game.is_empty() {
            text += &format!("\nIn a game that says:\n{}", block(game));
        }
        text += &format!("\nWrong:\n{}\nMended:\n{}", block(entry.wrong()), block(entry.mended()));
    }
    for limit in limits::table().iter().filter(|limit| limit.code == entry.code) {
        text += &format!("\nLimit: {} {}{}\n", grouped(limit.usual), limit.what, trusted(limit));
    }
    text
}

fn trusted(limit: &limits::Limit) -> String {
    if limit.most == limit.usual { String::new() } else { format!("; {} with --limits trusted", grouped(limit.most)) }
}

fn table(console: &Console) -> Result<(), Failure> {
    let rows: Vec<[String; 4]> = limits::table()
        .iter()
        .map(|limit| [limit.what.to_string(), grouped(limit.usual), grouped(limit.most), limit.code.to_string()])
        .collect();
    let head = ["at most".to_string(), "usual".to_string(), "trusted".to_string(), "code".to_string()];
    let width = |i: usize| rows.iter().chain([&head]).map(|row| row[i].len()).max().unwrap_or(0);
    let (what, usual, most) = (width(0), width(1), width(2));
    for row in std::iter::once(&head).chain(&rows) {
        console.data(format!("{:what$}  {:>usual$}  {:>most$}  {}", row[0], row[1], row[2], row[3]))?;
    }
    Ok(())
}

/// What the fast evaluator may leave out.
fn engine(console: &Console) -> Result<(), Failure> {
    let said = "What the engine does to be quick. \"--engine no-NAME,no-NAME\" leaves some of it out, \"--engine no-all\" everything;\n\
                moves and results stay the same, though random games may be other ones.\n";
    console.data(said)?;
    let width = ALL.iter().map(|(_, name, _)| name.len()).max().unwrap_or(0);
    ALL.iter().try_for_each(|(_, name, said)| console.data(format!("{name:width$}  {said}")))
}

/// `1,000,000`
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
