//! What a search has found.

use super::End;
use std::fmt;

/// The end of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// The highest rate that held, in requests a second; `None` when none did.
    pub rate: Option<f64>,
    /// It held in every confirmation. Only then is it a result.
    pub confirmed: bool,
    /// The lowest rate that did not hold, in requests a second: by the subject's fault or, with
    /// [`End::GeneratorLimited`], by the generator's. `None` when all held.
    pub lowest_failing: Option<f64>,
    /// Trials in all.
    pub trials: u32,
    /// Why it ended.
    pub end: End,
}

impl fmt::Display for Found {
    /// One sentence, with the way out where there is no result.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = |rate: Option<f64>| {
            rate.map_or("none".to_owned(), |rate| tacho_figures::value(rate, "/s"))
        };
        let (found, failing) = (rate(self.rate), rate(self.lowest_failing));
        match self.end {
            End::Bracketed => write!(f, "the objective holds at {found} and fails at {failing}"),
            End::HighestReached => write!(
                f,
                "the objective holds at {found}, the highest rate that was asked for; search higher to find the limit"
            ),
            End::GeneratorLimited if self.rate.is_none() => write!(
                f,
                "the generator could not keep up at {failing}, the lowest rate; nothing is known of the subject: search lower, or give the generator a processor of its own"
            ),
            End::GeneratorLimited => write!(
                f,
                "the objective holds at {found}; at {failing} the generator could not keep up, so the limit may be higher: give it a processor of its own"
            ),
            End::NeverHeld => write!(
                f,
                "the objective fails even at {failing}, the lowest rate; search lower, or ask for less"
            ),
            End::TrialsUsedUp => write!(
                f,
                "after {} trials the outcomes still contradict one another (highest that held: {found}); make the trials longer, or the tolerance larger",
                self.trials
            ),
        }
    }
}
