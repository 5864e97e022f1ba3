//! What a phase comes to: counts, and one example of each error.

use crate::recorder::Measured;
use crate::transport::Outcome;
use std::collections::BTreeMap;
use tacho_run_folder::{ErrorCount, ErrorKind, Word};

/// Counts of one phase.
#[derive(Debug)]
pub struct Tally {
    pub intended: u64,
    pub answered: u64,
    pub succeeded: u64,
    pub failed: u64,
    /// Complete answers by the first digit of their status.
    by_status: [u64; 10],
    /// Of those of 3xx: the client has it already.
    not_modified: u64,
    first_intended: u64,
    last_end: u64,
    /// A dozen kinds at most: searched from the front.
    errors: Vec<(ErrorKind, ErrorCount)>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            intended: 0,
            answered: 0,
            succeeded: 0,
            failed: 0,
            by_status: [0; 10],
            not_modified: 0,
            first_intended: u64::MAX,
            last_end: 0,
            errors: Vec::new(),
        }
    }
}

impl Tally {
    /// Counts a request that was concluded; `name` is for the example.
    #[inline]
    pub fn count(&mut self, measured: &Measured, name: &str, why: Option<&str>) {
        self.first_intended = self.first_intended.min(measured.intended);
        self.last_end = self.last_end.max(measured.end);
        if let Outcome::Answered(status) | Outcome::Accepted(status) = measured.outcome {
            self.by_status[usize::from(status / 100).min(9)] += 1;
            self.not_modified += u64::from(status == 304);
        }
        match measured.outcome.error_kind() {
            None => {
                self.answered += 1;
                self.succeeded += 1;
            }
            Some(kind) => {
                self.answered += u64::from(kind.was_answered());
                self.failed += 1;
                self.count_error(kind, measured, name, why);
            }
        }
    }

    #[cold]
    fn count_error(&mut self, kind: ErrorKind, measured: &Measured, name: &str, why: Option<&str>) {
        if let Some((_, error)) = self.errors.iter_mut().find(|(k, _)| *k == kind) {
            error.count += 1;
            return;
        }
        let what = match (why, measured.outcome) {
            (Some(why), _) => why.to_owned(),
            (None, Outcome::Answered(status) | Outcome::Accepted(status)) => {
                format!("answered with status {status}")
            }
            (None, Outcome::Failed(fault)) => fault.to_string(),
        };
        let example = format!("{name}: {what}");
        self.errors.push((kind, ErrorCount { count: 1, example }));
    }

    /// From the first intended instant to the last end.
    pub fn duration_ns(&self) -> u64 {
        self.last_end.saturating_sub(self.first_intended)
    }

    /// `None` when no request was concluded.
    pub fn first_intended(&self) -> Option<u64> {
        (self.first_intended < u64::MAX).then_some(self.first_intended)
    }

    /// 0 when no request was concluded.
    pub fn last_end(&self) -> u64 {
        self.last_end
    }

    /// `2xx`, `5xx`, ... with their counts.
    pub fn by_status(&self) -> BTreeMap<String, u64> {
        let classes = self.by_status.iter().enumerate();
        classes
            .filter(|(_, count)| **count > 0)
            .map(|(digit, count)| (format!("{digit}xx"), *count))
            .collect()
    }

    /// Complete answers.
    pub fn complete(&self) -> u64 {
        self.by_status.iter().sum()
    }

    /// Answers that name another place.
    pub fn redirects(&self) -> u64 {
        self.by_status[3] - self.not_modified
    }

    pub fn into_errors(self) -> BTreeMap<Word<ErrorKind>, ErrorCount> {
        self.errors
            .into_iter()
            .map(|(kind, error)| (kind.into(), error))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::{Fault, Via};

    #[test]
    fn answers_are_counted_by_class_of_status() {
        let mut tally = Tally::default();
        let outcomes = [200, 204, 302, 304, 404, 503, 999].map(Outcome::Answered);
        for outcome in outcomes
            .into_iter()
            .chain([Outcome::Accepted(404), Outcome::Failed(Fault::Refused)])
        {
            let measured = Measured {
                request: 0,
                intended: 1,
                dispatched: 1,
                sent: 1,
                first_byte: 2,
                end: 2,
                outcome,
                via: Via::default(),
            };
            tally.count(&measured, "GET /", None);
        }
        let by_status = tally.by_status();
        let seen: Vec<(&str, u64)> = by_status.iter().map(|(c, n)| (c.as_str(), *n)).collect();
        assert_eq!(
            seen,
            [("2xx", 2), ("3xx", 2), ("4xx", 2), ("5xx", 1), ("9xx", 1)]
        );
        assert_eq!((tally.redirects(), tally.complete()), (1, 8));
        assert_eq!(by_status.values().sum::<u64>(), tally.answered);
    }
}
