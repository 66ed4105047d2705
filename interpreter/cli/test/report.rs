//! How trials went, in words or as JSON, and which rules have had their say.

use std::fs;

use serde::Serialize;

use super::counts_once;
use crate::cli::args::TestArgs;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::words;
use crate::diagnostics::render::{Format, Style, render};
use crate::pipeline::Loaded;
use crate::trial::coverage::Coverage;
use crate::trial::suite::{Sort, Verdict};

/// How many there were.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    examples: usize,
    properties: usize,
    /// Sets of house rules, the game as it is not counted.
    pub houses: usize,
    /// What does not hold.
    pub failed: usize,
    /// Could something not be read?
    pub broken: bool,
}

/// Tells of one game.
pub struct Report<'a> {
    /// The game as it was named.
    pub name: &'a str,
    /// What was asked.
    pub args: &'a TestArgs,
    /// Where to.
    pub console: &'a Console,
    /// So far.
    pub counts: Counts,
}

/// One trial, for other programs.
#[derive(Serialize)]
struct Row<'r> {
    file: &'r str,
    sort: &'static str,
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    house: Option<&'r str>,
    holds: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<&'r str>,
}

/// The rules of a game, for other programs.
#[derive(Serialize)]
struct Fired<'r> {
    game: &'r str,
    lines: usize,
    fired: usize,
    missing: Vec<Missing>,
}

#[derive(Serialize)]
struct Missing {
    file: String,
    line: usize,
    what: Vec<String>,
}

impl Report<'_> {
    /// Says how one trial went; in words only if it does not hold.
    pub fn tell(&mut self, loaded: &Loaded, verdict: &Verdict) -> Result<(), Failure> {
        let Verdict { sort, name, house, found, record } = verdict;
        match sort {
            Sort::Example => self.counts.examples += 1,
            Sort::Property if counts_once(verdict) => self.counts.properties += 1,
            Sort::Property | Sort::Law => {}
        }
        self.counts.failed += usize::from(!found.is_empty());
        let saved = match record {
            Some(record) if !found.is_empty() => self.save(name, house.as_deref(), record)?,
            _ => None,
        };
        if self.args.json {
            let message = found.iter().map(|diag| render(diag, &loaded.sources, Style::default())).collect();
            let file = loaded.sources.get(loaded.game.file).name.as_str();
            let (sort, house) = (sort.word(), house.as_deref());
            let (holds, record) = (found.is_empty(), record.as_deref());
            return self.console.json(&Row { file, sort, name, house, holds, message, record });
        }
        if found.is_empty() {
            return Ok(());
        }
        let under = house.as_ref().map_or(String::new(), |house| format!(" under {house}"));
        self.console.data(format!("The {} \"{name}\" does not hold{under}:", sort.word()))?;
        self.console.findings(found, &loaded.sources, Format::Human)?;
        if let Some(file) = saved {
            self.console.data(format!("The game is written down: lusory replay {file}"))?;
        }
        Ok(())
    }

    /// Writes a game down that breaks something.
    fn save(&self, name: &str, house: Option<&str>, record: &str) -> Result<Option<String>, Failure> {
        let Some(folder) = &self.args.save else { return Ok(None) };
        let failed = |error: std::io::Error| Failure::Files(format!("{}: {error}", folder.display()));
        fs::create_dir_all(folder).map_err(failed)?;
        let game = self.name.rsplit(['/', '\\']).next().unwrap_or(self.name);
        let words = [game.trim_end_matches(".lus"), house.unwrap_or_default(), name].join(" ");
        let letters = words.chars().map(|sign| if sign.is_alphanumeric() { sign } else { ' ' });
        let letters: String = letters.collect();
        let stem: Vec<&str> = letters.split_whitespace().collect();
        let stem: String = stem.join("_").chars().take(80).collect();
        let path = folder.join(format!("{stem}.txt"));
        let text = format!("{}{}\n{record}", crate::cli::saved::SAVED, self.name);
        fs::write(&path, text).map_err(failed)?;
        Ok(Some(path.display().to_string()))
    }

    /// The last lines about a game.
    pub fn sum(&self, coverage: &Coverage) -> Result<(), Failure> {
        let (fired, all) = coverage.share();
        let lines = coverage.lines();
        let missing = lines.iter().filter(|line| !line.missing.is_empty());
        if self.args.json {
            let row = |line: &crate::trial::coverage::Line| Missing {
                file: line.file.clone(),
                line: line.number,
                what: line.missing.clone(),
            };
            let missing = missing.map(row).collect();
            return self.console.json(&Fired { game: self.name, lines: all, fired, missing });
        }
        let Counts { examples, properties, houses, failed, broken } = self.counts;
        let mut tried = vec![words::count(examples, "example"), words::many(properties, "property")];
        if houses > 0 {
            tried.push(words::count(houses, "house file"));
        }
        let result = match (failed, broken) {
            (0, false) => "all hold".to_string(),
            (0, true) => "not all could be read".to_string(),
            (1, _) => "1 does not hold".to_string(),
            (n, _) => format!("{n} do not hold"),
        };
        let share = if all == 0 { 100.0 } else { 100.0 * fired as f64 / all as f64 };
        // Never rounded up to all.
        let share = (share * 10.0).floor() / 10.0;
        let rules = format!("rule lines fired: {fired} of {all} ({share:.1} %)");
        self.console.data(format!("{}: {}: {result}; {rules}", self.name, tried.join(", ")))?;
        if self.args.lines {
            for line in &lines {
                let mark = if line.missing.is_empty() { '+' } else { '-' };
                self.console.data(format!("{mark} {}:{}: {}", line.file, line.number, line.text))?;
                line.missing.iter().try_for_each(|what| self.console.data(format!("    {what}")))?;
            }
        } else if self.args.coverage {
            for line in missing {
                self.console.data(format!("  {}:{}: {}", line.file, line.number, line.missing.join("; ")))?;
            }
        }
        Ok(())
    }
}
