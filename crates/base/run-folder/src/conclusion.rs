//! How a command ends, for whoever called it.

use crate::{CertificateState, LaunchOutcome, Results, RunData};

/// Trust first, then objectives: a check on numbers that are not to be believed says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// Nothing speaks against the numbers.
    Done,
    /// A check does not hold, or what was looked for was not found.
    CheckFailed,
    /// A launch failed, or the certificate is invalid.
    Invalid,
    /// The user ended it; what was measured is reported.
    Interrupted,
}

impl Conclusion {
    /// How a run ends.
    #[must_use]
    pub fn of(run: &RunData, results: &Results) -> Self {
        let has_failed = run
            .launches
            .iter()
            .any(|launch| matches!(launch.record.outcome, LaunchOutcome::Failed { .. }));
        if run.header.interrupted {
            Self::Interrupted
        } else if has_failed || results.certificate.state == CertificateState::Invalid {
            Self::Invalid
        } else if results.checks.iter().any(|check| !check.passed) {
            Self::CheckFailed
        } else {
            Self::Done
        }
    }
}
