//! What the trials at one rate have shown.

use super::{TrialKind, TrialOutcome};

/// After this many trials in which the generator was the limit, a rate counts as too high for it.
const LIMITED_OFTEN: u32 = 2;

/// The trials at one rate, counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    pub rate: f64,
    /// Confirmations that held.
    pub confirmations: u32,
    held: u32,
    failed: u32,
    limited: u32,
    /// A confirmation failed.
    condemned: bool,
}

/// What is believed of a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The objective holds.
    Holds,
    /// It failed once, which may have been an accident.
    Suspect,
    /// It failed, and that is settled.
    Fails,
    /// As many trials speak for it as against it.
    Undecided,
    /// The generator cannot send so much.
    Limited,
}

impl Evidence {
    pub fn none_of(rate: f64) -> Self {
        Self {
            rate,
            confirmations: 0,
            held: 0,
            failed: 0,
            limited: 0,
            condemned: false,
        }
    }

    pub fn add(&mut self, kind: TrialKind, outcome: TrialOutcome) {
        match (outcome, kind) {
            (TrialOutcome::Held, TrialKind::Explore) => self.held += 1,
            (TrialOutcome::Held, TrialKind::Confirm) => self.confirmations += 1,
            (TrialOutcome::Failed, TrialKind::Explore) => self.failed += 1,
            (TrialOutcome::Failed, TrialKind::Confirm) => self.condemned = true,
            (TrialOutcome::GeneratorLimited, _) => self.limited += 1,
        }
    }

    /// The majority of at most three explorations, unless a confirmation has failed.
    pub fn standing(&self) -> Standing {
        if self.condemned {
            Standing::Fails
        } else if self.limited >= LIMITED_OFTEN {
            Standing::Limited
        } else if self.held > self.failed {
            Standing::Holds
        } else if self.held == self.failed {
            Standing::Undecided
        } else if self.failed == 1 {
            Standing::Suspect
        } else {
            Standing::Fails
        }
    }
}
