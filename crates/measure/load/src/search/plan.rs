//! What a search is to find, and how carefully.

use crate::schedule::HIGHEST_RATE;
use std::time::Duration;
use tacho_run_folder::SearchSpec;

/// Bounds and care of a search; every value is in range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchPlan {
    pub(super) lowest: f64,
    pub(super) highest: f64,
    pub(super) tolerance: f64,
    pub(super) confirmations: u32,
    pub(super) rest: Duration,
    pub(super) growth: f64,
    pub(super) most_trials: u32,
}

/// 5 %, the usual practical threshold.
const TOLERANCE: f64 = 0.05;

/// A rate at which every second trial fails passes three confirmations, and the exploration before
/// them, in 1 of 16 searches.
const CONFIRMATIONS: u32 = 3;

/// Doubling reaches a thousand times the lowest rate in ten trials, and overloads the subject at
/// most twofold.
const GROWTH: f64 = 2.0;

/// A search through five orders of magnitude takes some 30 trials with an undecided subject; one
/// that takes this many does not settle.
const MOST_TRIALS: u32 = 100;

/// A search that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SearchError {
    /// The bounds are not rates, or in the wrong order.
    #[error(
        "a search from {lowest} to {highest} requests a second has no room; give two rates above 0, the lower one first, of at most {HIGHEST_RATE}"
    )]
    Bounds {
        /// Requests a second.
        lowest: f64,
        /// Requests a second.
        highest: f64,
    },
    /// Finer than trials can tell, or no search at all.
    #[error(
        "a tolerance of {0} cannot be searched with; give one between 0.001 and 1, such as 0.05"
    )]
    Tolerance(f64),
    /// Without one, luck would decide.
    #[error("a search needs at least one confirmation, and at most 20 make sense; not {0}")]
    Confirmations(u32),
    /// Not a time.
    #[error("a rest of {0} s is none; give seconds, 0 or more, such as 5")]
    Rest(f64),
}

impl SearchPlan {
    /// Between two rates in requests a second, to 5 %, with three confirmations and 5 s of rest
    /// after a trial that did not hold.
    ///
    /// # Errors
    /// When the rates are not above 0 or not in order.
    pub fn new(lowest: f64, highest: f64) -> Result<Self, SearchError> {
        let is_rate = |rate: f64| rate > 0.0 && rate <= HIGHEST_RATE;
        if !(is_rate(lowest) && is_rate(highest) && lowest < highest) {
            return Err(SearchError::Bounds { lowest, highest });
        }
        Ok(Self {
            lowest,
            highest,
            tolerance: TOLERANCE,
            confirmations: CONFIRMATIONS,
            rest: Duration::from_secs(5),
            growth: GROWTH,
            most_trials: MOST_TRIALS,
        })
    }

    /// How far the found rate and the lowest that fails may be apart, as a fraction.
    ///
    /// # Errors
    /// When it is not between 0.001 and 1.
    pub fn with_tolerance(mut self, tolerance: f64) -> Result<Self, SearchError> {
        if !(0.001..=1.0).contains(&tolerance) {
            return Err(SearchError::Tolerance(tolerance));
        }
        self.tolerance = tolerance;
        Ok(self)
    }

    /// How often the candidate has to hold again.
    ///
    /// # Errors
    /// When it is not between 1 and 20.
    pub fn with_confirmations(mut self, confirmations: u32) -> Result<Self, SearchError> {
        if !(1..=20).contains(&confirmations) {
            return Err(SearchError::Confirmations(confirmations));
        }
        self.confirmations = confirmations;
        Ok(self)
    }

    /// How long to rest after a trial that did not hold.
    #[must_use]
    pub fn with_rest(mut self, rest: Duration) -> Self {
        self.rest = rest;
        self
    }

    /// Trials when all goes as it should and the found rate is somewhere in the middle, for showing
    /// how much is left: one doubling after another, the halvings, a challenge, the confirmations.
    #[must_use]
    pub fn usual_trials(&self) -> u32 {
        let doublings = (self.highest / self.lowest).log(self.growth).ceil();
        let halvings = (self.growth.ln() / self.tolerance.ln_1p()).log2().ceil();
        (doublings / 2.0 + halvings.max(0.0)) as u32 + 2 + self.confirmations
    }
}

impl TryFrom<&SearchSpec> for SearchPlan {
    type Error = SearchError;

    fn try_from(spec: &SearchSpec) -> Result<Self, SearchError> {
        let rest =
            Duration::try_from_secs_f64(spec.rest_s).map_err(|_| SearchError::Rest(spec.rest_s))?;
        Ok(Self::new(spec.from_rate, spec.to_rate)?
            .with_tolerance(spec.tolerance)?
            .with_confirmations(spec.confirmations)?
            .with_rest(rest))
    }
}
