//! What the server does: delays that are known, as functions of time and of a request's number.

use serde::Serialize;
use std::time::Duration;

/// Shares are counted in thousandths, so that a run of 1,000 requests holds each of them exactly.
pub(crate) const THOUSAND: u64 = 1_000;

/// Prime to 1,000: `n * SCATTER % 1000` visits every thousandth once in 1,000 requests and never
/// the same delay in long rows.
const SCATTER: u64 = 617;

/// What the server does with a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "script", rename_all = "kebab-case")]
pub enum Script {
    /// Answers each request so long after it came.
    Constant {
        /// From the request to its answer.
        delay_ns: u64,
    },
    /// Answers at once, but is silent at intervals.
    Stall(Stall),
    /// Answers after one of several delays.
    Mixture(Mixture),
}

/// A script that cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ScriptError {
    /// Silent all the time, or never.
    #[error(
        "a silence of {} s every {} s is none; make it above 0 and shorter than the period",
        .silence.as_secs_f64(),
        .period.as_secs_f64()
    )]
    Silence {
        /// How long it is silent.
        silence: Duration,
        /// From the beginning of one silence to that of the next.
        period: Duration,
    },
    /// The backlog would never be worked off.
    #[error("a backlog of {0} answers a second cannot be worked off; give a rate above 0")]
    BacklogRate(f64),
    /// Some requests would have no delay, or two.
    #[error("the shares of a mixture add up to {0} thousandths; make it 1000")]
    Shares(u64),
}

/// Silence at intervals, and a known rate at which the backlog is answered afterwards.
///
/// No server answers a backlog at once: 2,000 answers take some 20 ms, which is 2 % of a second's
/// silence and would hide an error of the engine seven times as large as its bound. So the
/// backlog is answered at a rate that any machine can keep, and that is part of the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Stall {
    /// From the first intended instant to the beginning of the first silence.
    pub(crate) first_ns: u64,
    /// From the beginning of one silence to that of the next.
    pub(crate) period_ns: u64,
    /// How long nothing is answered.
    pub(crate) silence_ns: u64,
    /// Between two answers of the backlog.
    pub(crate) spacing_ns: u64,
}

impl Stall {
    /// Silent for `silence` in the middle of every `period`; afterwards `backlog_rate` answers a
    /// second. Times count from the first intended instant, which the server learns from the
    /// requests, so that silences and schedule are in phase.
    ///
    /// # Errors
    /// When the silence is empty or not shorter than the period, or the rate is not above 0.
    pub fn new(
        period: Duration,
        silence: Duration,
        backlog_rate: f64,
    ) -> Result<Self, ScriptError> {
        if silence.is_zero() || silence >= period {
            return Err(ScriptError::Silence { silence, period });
        }
        if !(backlog_rate.is_finite() && backlog_rate > 0.0) {
            return Err(ScriptError::BacklogRate(backlog_rate));
        }
        let period_ns = nanoseconds(period);
        let silence_ns = nanoseconds(silence);
        Ok(Self {
            first_ns: (period_ns - silence_ns) / 2,
            period_ns,
            silence_ns,
            spacing_ns: (1e9 / backlog_rate) as u64,
        })
    }

    /// Which silence began last at this instant since the first intended one, and when it began;
    /// `None` before the first.
    pub(crate) fn last_silence(&self, at_ns: u64) -> Option<Silence> {
        let number = at_ns.checked_sub(self.first_ns)? / self.period_ns;
        Some(Silence {
            number,
            begin_ns: self.first_ns + number * self.period_ns,
        })
    }

    /// When the `i`-th request (from 0) that came since the beginning of a silence may be answered.
    pub(crate) fn answered_ns(&self, silence: Silence, i: u64) -> u64 {
        silence.begin_ns + self.silence_ns + i * self.spacing_ns
    }
}

/// One silence of a [`Stall`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Silence {
    pub number: u64,
    pub begin_ns: u64,
}

/// A part of the requests and their delay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Thousandths of all requests.
    pub thousandths: u64,
    /// From the request to its answer.
    pub delay_ns: u64,
}

/// Several delays with known shares, spread evenly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mixture {
    shares: Vec<Share>,
}

impl Mixture {
    /// Shares in thousandths, with their delays.
    ///
    /// # Errors
    /// When the shares do not add up to 1,000.
    pub fn new(shares: &[(u64, Duration)]) -> Result<Self, ScriptError> {
        let sum = shares.iter().map(|(thousandths, _)| thousandths).sum();
        if sum != THOUSAND {
            return Err(ScriptError::Shares(sum));
        }
        let shares = shares.iter().map(|&(thousandths, delay)| Share {
            thousandths,
            delay_ns: nanoseconds(delay),
        });
        Ok(Self {
            shares: shares.collect(),
        })
    }

    /// The shares with their delays.
    #[must_use]
    pub fn shares(&self) -> &[Share] {
        &self.shares
    }

    /// Delay of the `n`-th request that came, from 0.
    pub(crate) fn delay_ns(&self, n: u64) -> u64 {
        let mut position = (n % THOUSAND) * SCATTER % THOUSAND;
        for share in &self.shares {
            if position < share.thousandths {
                return share.delay_ns;
            }
            position -= share.thousandths;
        }
        0
    }
}

/// More than 584 years count as 584 years.
fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn silences_are_in_the_middle_of_their_periods() {
        let stall = Stall::new(10_000 * MS, 1_000 * MS, 20_000.0).unwrap();
        let second = 1_000_000_000;
        assert_eq!(stall.last_silence(4_499_999_999), None);
        for (at, number, begin_ns) in [
            (4_500_000_000, 0, 4_500_000_000),
            (14_499_999_999, 0, 4_500_000_000),
            (14_500_000_000, 1, 14_500_000_000),
            (40 * second, 3, 34_500_000_000),
        ] {
            assert_eq!(stall.last_silence(at), Some(Silence { number, begin_ns }));
        }
        let silence = stall.last_silence(5 * second).unwrap();
        assert_eq!(stall.answered_ns(silence, 0), 5_500_000_000);
        assert_eq!(stall.answered_ns(silence, 1_000), 5_550_000_000);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        for silence in [0, 10, 11] {
            assert!(Stall::new(10 * MS, silence * MS, 1.0).is_err(), "{silence}");
        }
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Stall::new(10 * MS, MS, rate).is_err(), "{rate}");
        }
        assert_eq!(Mixture::new(&[(999, MS)]), Err(ScriptError::Shares(999)));
    }

    proptest! {
        #[test]
        fn any_thousand_requests_in_a_row_hold_each_share_exactly(
            first in 0u64..=1_000, from in 0u64..1_000_000,
        ) {
            let mixture = Mixture::new(&[(first, MS), (1_000 - first, 2 * MS)]).unwrap();
            let mut counts = BTreeMap::from([(1_000_000, 0), (2_000_000, 0)]);
            for n in from..from + 1_000 {
                *counts.entry(mixture.delay_ns(n)).or_default() += 1;
            }
            prop_assert_eq!(counts, BTreeMap::from([(1_000_000, first), (2_000_000, 1_000 - first)]));
        }
    }
}
