//! Lines of standard input, none of them without end.

use std::io::{self, BufRead, Read};

use crate::cli::failure::Failure;

/// Bytes of a line that are read; the rest is passed over.
const LONGEST: u64 = 4096;

/// Standard input.
pub struct Input {
    over: bool,
}

impl Input {
    /// Nothing has been read.
    pub fn new() -> Input {
        Input { over: false }
    }

    /// The next line; none at the end.
    pub fn line(&mut self) -> Result<Option<String>, Failure> {
        if self.over {
            return Ok(None);
        }
        let mut stdin = io::stdin().lock();
        let failed = |error: io::Error| Failure::Files(format!("standard input: {error}"));
        let mut bytes = Vec::new();
        stdin.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).map_err(failed)?;
        let mut ended = bytes.ends_with(b"\n");
        while !ended {
            let rest = stdin.fill_buf().map_err(failed)?;
            if rest.is_empty() {
                self.over = true;
                break;
            }
            let end = rest.iter().position(|byte| *byte == b'\n');
            ended = end.is_some();
            let n = end.map_or(rest.len(), |end| end + 1);
            stdin.consume(n);
        }
        if bytes.is_empty() && self.over {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
