//! Targets one after another, in constant memory.

use super::lines::Lines;
use super::target::{Target, TargetError, TargetProblem};
use super::{json, text};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Longest target, body in JSON included, in bytes.
const LONGEST: usize = 16 << 20;

/// How targets are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetSyntax {
    /// `GET http://host/path`, header lines, `@body-file`, a blank line.
    Text,
    /// A JSON object a line.
    Json,
}

/// Reads targets one after another; memory does not grow with the input, which may be endless.
///
/// After a target that is wrong in itself, reading goes on with the next one: the caller decides
/// whether to stop. After a failure of the input, or a line without end, nothing more comes.
#[derive(Debug)]
pub struct Targets<R> {
    reader: Reader<R>,
    base_dir: PathBuf,
    is_over: bool,
}

#[derive(Debug)]
enum Reader<R> {
    Text(text::Reader<R>),
    Json(Lines<R>),
}

impl<R: BufRead> Targets<R> {
    /// Files that are named with a relative path count from `base_dir`.
    pub fn new(input: R, syntax: TargetSyntax, base_dir: &Path) -> Self {
        let lines = Lines::new(input, LONGEST);
        Self {
            reader: match syntax {
                TargetSyntax::Text => Reader::Text(text::Reader::new(lines, LONGEST)),
                TargetSyntax::Json => Reader::Json(lines),
            },
            base_dir: base_dir.to_owned(),
            is_over: false,
        }
    }
}

impl<R: BufRead> Iterator for Targets<R> {
    type Item = Result<Target, TargetError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = match &mut self.reader {
            Reader::Text(reader) => reader.next(&self.base_dir),
            Reader::Json(lines) => json::next(lines),
        };
        self.is_over = match &next {
            None => true,
            Some(Err(error)) => matches!(
                error.problem,
                TargetProblem::Io(_) | TargetProblem::TooLong { .. }
            ),
            Some(Ok(_)) => false,
        };
        next
    }
}
