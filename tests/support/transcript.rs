//! Transcripts of the command line: `$ lusory …`, `< ` before what it reads, what it prints, `[exit N]` if N is not 0.
//!
//! `--- file NAME` … `---` writes a file into the folder in which the commands run.

use std::fs;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// After this long a command is stopped and its test fails.
const LONGEST: Duration = Duration::from_secs(60);

/// Runs a transcript in a folder; gives it as it is today. Lines before the first file or command are a note.
pub fn replay(text: &str, scratch: &Scratch) -> Result<String, String> {
    let mut should = String::new();
    let mut copy = |line: &str| {
        should.push_str(line);
        should.push('\n');
    };
    let mut lines = text.lines().peekable();
    let mut begun = false;
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("--- file ") {
            begun = true;
            copy(line);
            let mut body = String::new();
            loop {
                let line = lines.next().ok_or_else(|| format!("the file {name} has no end; write \"---\" below it"))?;
                copy(line);
                if line == "---" {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            scratch.write(name, &body)?;
        } else if let Some(command) = line.strip_prefix("$ ") {
            begun = true;
            copy(line);
            let mut input = String::new();
            while let Some(line) = lines.next_if(|line| *line == "<" || line.starts_with("< ")) {
                copy(line);
                input.push_str(line.strip_prefix("< ").unwrap_or(""));
                input.push('\n');
            }
            // What was printed before gives way to what is printed today.
            while lines.next_if(|line| !line.starts_with("$ ") && !line.starts_with("--- file ")).is_some() {}
            let (printed, exit) = run(command, input, &scratch.0)?;
            printed.lines().for_each(&mut copy);
            if exit != 0 {
                copy(&format!("[exit {exit}]"));
            }
        } else if begun {
            return Err(format!("this line belongs to no command: {line}"));
        } else {
            copy(line);
        }
    }
    Ok(should)
}

/// A folder that is removed when its transcript is over.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// An empty folder for the case of this name.
    pub fn new(name: &str) -> Result<Self, String> {
        let dir = std::env::temp_dir().join(format!("lusory-{name}-{}", std::process::id()));
        // What an earlier run with this number may have left is of no use.
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
        Ok(Scratch(dir))
    }

    /// Writes a file; folders on the way are made.
    pub fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(format!("the file {name} would lie outside the folder"));
        }
        let path = self.0.join(name);
        let parent = path.parent().unwrap_or(&self.0);
        fs::create_dir_all(parent).and_then(|()| fs::write(&path, text)).map_err(|error| format!("{name}: {error}"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs `lusory …`; gives what it printed and its exit code.
fn run(command: &str, input: String, dir: &Path) -> Result<(String, i32), String> {
    let words = words(command)?;
    let Some(("lusory", args)) = words.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
        return Err(format!("only lusory can be run, not: {command}"));
    };
    let failed = |error: std::io::Error| format!("{command}: {error}");
    let (mut printed, to) = std::io::pipe().map_err(failed)?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_lusory"))
        .args(args)
        .current_dir(dir)
        .env_remove("RUST_BACKTRACE")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(to.try_clone().map_err(failed)?)
        .stderr(to)
        .spawn()
        .map_err(failed)?;
    let stdin = child.stdin.take();
    // Both ends work at once: a program that prints much before it reads must not wait for us, nor we for it.
    let writer = std::thread::spawn(move || {
        if let Some(mut stdin) = stdin {
            // A program may end without reading all.
            let _ = stdin.write_all(input.as_bytes());
        }
    });
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        printed.read_to_end(&mut bytes).map(|_| bytes)
    });
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if begun.elapsed() > LONGEST {
            child.kill().and_then(|()| child.wait()).map_err(failed)?;
            return Err(format!("{command}: still running after {} seconds", LONGEST.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let _ = writer.join();
    let bytes = reader.join().map_err(|_| format!("{command}: its output was lost"))?.map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{command}: it printed what is not UTF-8"))?;
    let exit = status.code().ok_or_else(|| format!("{command}: it was killed ({status})"))?;
    Ok((text, exit))
}

/// The words of a command, apart by blanks; `'…'` and `"…"` hold one together.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for sign in command.chars() {
        match (quote, sign) {
            (Some(open), _) if sign == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, sign) => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("{command}: the {open} is not closed")),
        None => Ok(words),
    }
}
