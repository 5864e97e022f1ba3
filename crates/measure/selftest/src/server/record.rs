//! How well the server kept to its script.

use hdrhistogram::Histogram;
use tacho_load::recorder::quantiles_ms;
use tacho_run_folder::Quantiles;

/// What the server saw of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Played {
    /// Requests that were answered.
    pub answered: u64,
    /// From the instant at which a request was intended, by its number and the rate, to the write
    /// of its answer. So this is the response time as the server knows it.
    pub response_time_ms: Option<Quantiles>,
    /// From the instant that the script gives for an answer to the write of it.
    pub lateness_ms: Option<Quantiles>,
    /// How long the server's thread was ready to run and did not, in milliseconds.
    pub waited_ms: f64,
}

/// An hour, as in the engine's own histograms.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// The two distributions while they are recorded.
#[derive(Debug)]
pub struct Record {
    response: Histogram<u64>,
    lateness: Histogram<u64>,
}

impl Record {
    /// A record without requests.
    ///
    /// # Panics
    /// Never: the bounds are constants that the library accepts.
    #[allow(clippy::expect_used)]
    pub fn new() -> Self {
        let empty = Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("the bounds are valid");
        Self {
            response: empty.clone(),
            lateness: empty,
        }
    }

    /// An answer was due and was written at these instants; its request was intended at the first.
    pub fn answered(&mut self, intended: u64, due: u64, before_write: u64, after_write: u64) {
        self.lateness
            .saturating_record(before_write.saturating_sub(due));
        self.response
            .saturating_record(after_write.saturating_sub(intended));
    }

    pub fn into_played(self, waited_ms: f64) -> Played {
        Played {
            answered: self.lateness.len(),
            response_time_ms: quantiles_ms(&self.response),
            lateness_ms: quantiles_ms(&self.lateness),
            waited_ms,
        }
    }
}
