//! The rule by which a warm-up ends: response times have settled when those of the last requests
//! have been alike for long enough.
//!
//! A JVM compiles at counts of invocations that lie an order of magnitude apart (with HotSpot's
//! defaults 200, 2,000 and 15,000: `Tier3InvocationThreshold`, `Tier3CompileThreshold`,
//! `Tier4CompileThreshold`), so that a fixed number of quiet requests proves little after many and
//! too much after few. "Long enough" is therefore a share of all that was sent.
//!
//! A slow fall has no change point, and noise can hide one in a short series. So the quiet end must
//! also show that it does not fall: its second half is, with 95 % confidence, at most 10 % below
//! its first half (a test of equivalence, Schuirmann 1987).

use super::outliers::smoothed_logarithms;
use super::segments::{first_of_the_end, segments_of};

/// Fewer requests never settle anything.
const FEWEST_REQUESTS: usize = 200;
/// The quiet end must be at least this share of all requests.
const QUIET_SHARE: f64 = 0.5;
/// The second half of the quiet end is not lower by more than this factor's logarithm...
const FALL: f64 = 0.105_360_515_657_826_3; // -ln(0.9)
/// ...at this many standard errors: 95 %, one-sided.
const CONFIDENCE: f64 = 1.644_853_626_951_472_7;
/// The series is checked again when the number of requests has grown by this factor.
const NEXT_LOOK: f64 = 1.1;

/// Response times have settled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// The number of requests after which this was detected.
    pub known_after: usize,
    /// The request from which they were alike.
    pub from: usize,
    /// Their typical response time then, in milliseconds.
    pub typical_ms: f64,
}

/// Follows a warm-up request by request.
#[derive(Debug, Clone)]
pub struct Settling {
    response_ms: Vec<f64>,
    next_look: usize,
    settled: Option<Settled>,
}

impl Default for Settling {
    fn default() -> Self {
        Self {
            response_ms: Vec::new(),
            next_look: FEWEST_REQUESTS,
            settled: None,
        }
    }
}

impl Settling {
    /// Adds the next response time in milliseconds. Returns the result once response times have
    /// settled, and the same result from then on.
    pub fn push(&mut self, response_ms: f64) -> Option<Settled> {
        self.keep(response_ms);
        self.look()
    }

    /// Adds the next response time without a look: for as long as more of them are waited for
    /// anyway. A part that is flat until then proves nothing about what follows.
    pub fn keep(&mut self, response_ms: f64) {
        if self.settled.is_none() {
            self.response_ms.push(response_ms);
        }
    }

    /// Looks at what was added, if it is enough for another look. Returns the same as
    /// [`Self::push`].
    pub fn look(&mut self) -> Option<Settled> {
        let sent = self.response_ms.len();
        if self.settled.is_none() && sent >= self.next_look {
            self.next_look = (sent as f64 * NEXT_LOOK).ceil() as usize;
            self.settled = settled(&self.response_ms);
        }
        self.settled
    }

    /// Response times that it was given until they settled.
    #[must_use]
    pub fn sent(&self) -> usize {
        self.response_ms.len()
    }
}

fn settled(response_ms: &[f64]) -> Option<Settled> {
    let logarithms = smoothed_logarithms(response_ms);
    let segments = segments_of(&logarithms);
    let end = &segments[first_of_the_end(&segments)?..];
    let (first, last) = (end.first()?, end.last()?);
    let quiet = &logarithms[first.from..];
    let is_long_enough = quiet.len() as f64 >= QUIET_SHARE * logarithms.len() as f64;
    (is_long_enough && falls_no_more(quiet)).then_some(Settled {
        known_after: response_ms.len(),
        from: first.from,
        typical_ms: last.typical,
    })
}

fn falls_no_more(quiet: &[f64]) -> bool {
    let (first, second) = quiet.split_at(quiet.len() / 2);
    let (first, second) = (Half::of(first), Half::of(second));
    let error = (first.error_squared + second.error_squared).sqrt();
    first.mean - second.mean + CONFIDENCE * error <= FALL
}

/// Mean and squared standard error of some values.
struct Half {
    mean: f64,
    error_squared: f64,
}

impl Half {
    fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self {
            mean,
            error_squared: squares / (count - 1.0) / count,
        }
    }
}
