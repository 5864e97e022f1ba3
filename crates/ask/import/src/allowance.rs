//! A bound on what an input may expand to: a few lines that repeat or refer to each other must not
//! fill the memory.

use crate::error::ImportError;
use std::fmt::Display;
use tacho_workload::protobuf::Piece;
use tacho_workload::{Body, Check, Source, Step};

/// Requests that a workload keeps. More are streamed, one target after another.
const STEPS: usize = 200_000;
/// Bytes of all its requests together.
const BYTES: usize = 256 << 20;

/// What may still be used.
#[derive(Debug)]
pub(crate) struct Allowance {
    steps: usize,
    bytes: usize,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            steps: STEPS,
            bytes: BYTES,
        }
    }
}

impl Allowance {
    /// Accounts for a request that is going to be kept.
    pub fn take_step(&mut self, step: &Step, place: impl Display) -> Result<(), ImportError> {
        take(&mut self.steps, 1, &place, "200,000 requests")?;
        self.take_bytes(weight(step), place)
    }

    /// Accounts for bytes that are going to be kept.
    pub fn take_bytes(&mut self, bytes: usize, place: impl Display) -> Result<(), ImportError> {
        take(&mut self.bytes, bytes, &place, "256 MiB of requests")
    }
}

fn take(
    left: &mut usize,
    wanted: usize,
    place: &impl Display,
    limit: &'static str,
) -> Result<(), ImportError> {
    let rest = left.checked_sub(wanted);
    *left = rest.ok_or_else(|| ImportError::TooMuch {
        place: place.to_string(),
        limit,
    })?;
    Ok(())
}

/// Roughly the memory that a step takes.
fn weight(step: &Step) -> usize {
    let fixed = size_of::<Step>() + step.name.len() + step.method.len() + step.path.len();
    let headers: usize = step
        .headers
        .iter()
        .map(|(n, v)| n.len() + v.len() + 48)
        .sum();
    let body = match &step.body {
        Body::None => 0,
        Body::Bytes(bytes) => bytes.len(),
        Body::Template(text) => text.len(),
        Body::Messages(pieces) => pieces.iter().map(Piece::weight).sum(),
        Body::File(path) | Body::TemplateFile(path) => path.as_os_str().len(),
    };
    let checks: usize = step
        .checks
        .iter()
        .map(|check| 64 + check_weight(check))
        .sum();
    let captures: usize = step
        .captures
        .iter()
        .map(|capture| {
            let (Source::JsonPath(text)
            | Source::Header(text)
            | Source::Cookie(text)
            | Source::Regex(text)) = &capture.source;
            64 + capture.name.len() + text.len()
        })
        .sum();
    fixed + headers + body + checks + captures
}

fn check_weight(check: &Check) -> usize {
    match check {
        Check::Status(ranges) => ranges.len() * 4,
        Check::Header(name, value) => name.len() + value.len(),
        Check::BodyContains(text) | Check::BodyLacks(text) | Check::BodyMatches(text) => text.len(),
        Check::JsonPath(path, value) => path.len() + value.as_ref().map_or(0, String::len),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_run_out() {
        let mut allowance = Allowance::default();
        assert!(allowance.take_bytes(BYTES, "line 1").is_ok());
        let error = allowance.take_bytes(1, "line 2").unwrap_err();
        assert!(error.to_string().starts_with("line 2: the input describes"));
    }

    #[test]
    fn steps_run_out() {
        let mut allowance = Allowance {
            steps: 1,
            ..Allowance::default()
        };
        assert!(allowance.take_step(&Step::default(), "line 1").is_ok());
        assert!(allowance.take_step(&Step::default(), "line 2").is_err());
    }
}
