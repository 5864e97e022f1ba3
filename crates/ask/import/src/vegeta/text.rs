//! The text format:
//!
//! ```text
//! # a comment
//! POST http://127.0.0.1:8080/things
//! Content-Type: application/json
//! @thing.json
//!
//! GET http://127.0.0.1:8080/things/1
//! ```

use super::lines::{Line, Lines};
use super::target::{Target, TargetError, TargetProblem};
use crate::format::is_method;
use std::io::BufRead;
use std::path::Path;
use tacho_workload::Body;

#[derive(Debug)]
pub(super) struct Reader<R> {
    lines: Lines<R>,
    /// A line that was read and belongs to the next target.
    kept: Option<Line>,
    /// Bytes of all lines of a target.
    limit: usize,
    /// The last target was wrong, and the rest of it still has to be skipped.
    is_inside_wrong: bool,
}

impl<R: BufRead> Reader<R> {
    pub fn new(lines: Lines<R>, limit: usize) -> Self {
        Self {
            lines,
            kept: None,
            limit,
            is_inside_wrong: false,
        }
    }

    pub fn next(&mut self, base_dir: &Path) -> Option<Result<Target, TargetError>> {
        // Skipped only now: waiting for the rest of an input must not delay the report of its
        // error.
        if std::mem::take(&mut self.is_inside_wrong) {
            self.skip_to_the_next();
        }
        match self.read(base_dir) {
            Ok(target) => target.map(Ok),
            Err(problem) => {
                self.is_inside_wrong = true;
                let line = self.lines.number();
                Some(Err(TargetError { line, problem }))
            }
        }
    }

    fn read(&mut self, base_dir: &Path) -> Result<Option<Target>, TargetProblem> {
        let Some(first) = self.first_line()? else {
            return Ok(None);
        };
        let (method, url) = method_and_url(&first.text)
            .ok_or_else(|| TargetProblem::NotATarget(first.text.trim().to_owned()))?;
        let (mut target, authorization) = Target::new(first.number, method, url)?;
        let mut size = first.text.len();
        while let Some(line) = self.next_line()? {
            let text = line.text.trim();
            size = size.saturating_add(text.len());
            if size > self.limit {
                return Err(TargetProblem::TooLong { limit: self.limit });
            }
            if text.is_empty() {
                break;
            } else if begins_target(text) {
                self.kept = Some(line);
                break;
            } else if text.starts_with('#') {
                continue;
            } else if let Some(name) = text.strip_prefix('@') {
                if name.is_empty() {
                    return Err(TargetProblem::NoFile);
                }
                target.body = Body::File(base_dir.join(name));
                break;
            }
            add_header(&mut target, text)?;
        }
        target.imply_authorization(authorization);
        Ok(Some(target))
    }

    /// The first line that is neither blank nor a comment.
    fn first_line(&mut self) -> Result<Option<Line>, TargetProblem> {
        while let Some(line) = self.next_line()? {
            let text = line.text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn next_line(&mut self) -> Result<Option<Line>, TargetProblem> {
        match self.kept.take() {
            Some(line) => Ok(Some(line)),
            None => self.lines.next(),
        }
    }

    /// Past the rest of a target that cannot be used.
    fn skip_to_the_next(&mut self) {
        while let Ok(Some(line)) = self.lines.next() {
            if line.text.trim().is_empty() {
                return;
            }
            if begins_target(line.text.trim()) {
                self.kept = Some(line);
                return;
            }
        }
    }
}

fn method_and_url(line: &str) -> Option<(&str, &str)> {
    let (method, url) = line.trim().split_once([' ', '\t'])?;
    Some((method, url.trim()))
}

/// A capital word, white space, and a URL: no header looks like this, since names of headers
/// hold no white space.
fn begins_target(line: &str) -> bool {
    method_and_url(line).is_some_and(|(method, url)| {
        is_method(method) && (url.contains("://") || url.starts_with('/'))
    })
}

fn add_header(target: &mut Target, line: &str) -> Result<(), TargetProblem> {
    let wrong = || TargetProblem::Header(line.to_owned());
    let (name, value) = line.split_once(':').ok_or_else(wrong)?;
    let (name, value) = (name.trim(), value.trim());
    if value.is_empty() {
        return Err(wrong());
    }
    target.add_header(name, value)
}
