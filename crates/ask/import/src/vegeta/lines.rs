//! Lines of an input that may never end, each of bounded length.

use super::target::TargetProblem;
use std::io::{BufRead, Read};

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Line of the input, counted from 1.
    pub number: u64,
    pub text: String,
}

/// Reads one line at a time, each of bounded length.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    /// Lines begun so far.
    number: u64,
    limit: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R, limit: usize) -> Self {
        Self {
            input,
            number: 0,
            limit,
        }
    }

    /// Number of the line that was read last.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The next line, `None` at the end. After an error that leaves the rest of the line
    /// unread, `Err` again.
    pub fn next(&mut self) -> Result<Option<Line>, TargetProblem> {
        let mut bytes = Vec::new();
        self.number += 1;
        let most = self.limit as u64 + 1;
        (&mut self.input).take(most).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        if bytes.len() > self.limit {
            return Err(TargetProblem::TooLong { limit: self.limit });
        }
        while matches!(bytes.last(), Some(b'\n' | b'\r')) {
            bytes.pop();
        }
        if self.number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        let text = String::from_utf8(bytes).map_err(|_| TargetProblem::NotText)?;
        Ok(Some(Line {
            number: self.number,
            text,
        }))
    }
}
