//! How much of a reported quantile is the generator's own lateness.
//!
//! Response times count from the instant that the schedule wanted, so each contains what the
//! generator was late with its request. A fixed bound in milliseconds says nothing about that: 0.3
//! ms are much of an answer within 0.1 ms and nothing of one within a second. So the distribution
//! is held against the one that would have been, had the generator never been late: the same
//! requests from the instant at which they were taken up.

use crate::launch::{PhaseRecord, Quantiles};
use crate::quantile::Quantile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The share of a quantile beyond which it is not the subject's any more.
pub const LATE_SHARE: f64 = 0.1;

/// How much of a quantile of the response time is the generator's own lateness.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LateShare {
    /// Quantile of the response time.
    pub quantile: Quantile,
    /// Share of this quantile that is the generator's lateness, 0 to 1.
    pub share: f64,
}

impl LateShare {
    /// It is not the subject's any more.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.share > LATE_SHARE
    }
}

/// What the shares of a response time come to. The maximum is a single request, and does not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Lateness {
    /// The quantile that has most of it.
    pub worst: LateShare,
    /// Quantiles that are not the subject's any more.
    pub late: Vec<Quantile>,
    /// Whether that holds for all quantiles which are more than the one slowest request.
    pub is_everywhere: bool,
}

impl Lateness {
    /// Of so many requests. `None` without shares.
    #[must_use]
    pub fn of(shares: &[LateShare], requests: u64) -> Option<Self> {
        let counted = || shares.iter().filter(|late| late.quantile != Quantile::Max);
        let late = counted().filter(|late| late.is_late());
        // Of 600 requests p99.9 is the slowest one, which says as little as the maximum.
        let mut of_many = counted()
            .filter(|late| late.quantile.rank(requests) < requests)
            .peekable();
        let is_everywhere = match of_many.peek() {
            Some(_) => of_many.all(LateShare::is_late),
            None => counted().all(LateShare::is_late),
        };
        Some(Self {
            worst: *counted().max_by(|a, b| a.share.total_cmp(&b.share))?,
            late: late.map(|late| late.quantile).collect(),
            is_everywhere,
        })
    }
}

/// The share of each quantile of a response time, against that of a generator which is never late.
#[must_use]
pub fn late_shares(response: &Quantiles, on_time: &Quantiles) -> Vec<LateShare> {
    let share = |quantile: Quantile| {
        let (with, without) = (quantile.of(response), quantile.of(on_time));
        let share = if with > 0.0 {
            (with - without) / with
        } else {
            0.0
        };
        LateShare {
            quantile,
            share: share.clamp(0.0, 1.0),
        }
    };
    Quantile::ALL.map(share).to_vec()
}

/// Those of a phase; `None` where it has no schedule, no response times, or did not record its lag.
/// Records that are older lack the distribution without lateness: there the lag's own quantile
/// stands for what it adds.
#[must_use]
pub fn late_shares_of(phase: &PhaseRecord) -> Option<Vec<LateShare>> {
    if !phase.kind.has_schedule() {
        return None;
    }
    let response = phase.response_time_ms?;
    let lag = phase.generator_lag_ms?;
    let on_time = phase.on_time_response_ms.unwrap_or(Quantiles {
        p50: response.p50 - lag.p50,
        p90: response.p90 - lag.p90,
        p95: response.p95 - lag.p95,
        p99: response.p99 - lag.p99,
        p99_9: response.p99_9 - lag.p99_9,
        max: response.max - lag.max,
        ..response
    });
    Some(late_shares(&response, &on_time))
}

/// Whether a quantile of its response time is not the subject's any more. No, where
/// [`late_shares_of`] does not tell.
#[must_use]
pub fn is_late(phase: &PhaseRecord, quantile: Quantile) -> bool {
    let shares = late_shares_of(phase).into_iter().flatten();
    shares
        .filter(|late| late.quantile == quantile)
        .any(|late| late.is_late())
}

/// What they come to. `None` as for [`late_shares_of`].
#[must_use]
pub fn lateness_of(phase: &PhaseRecord) -> Option<Lateness> {
    Lateness::of(&late_shares_of(phase)?, phase.response_time_ms?.count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn quantiles(p50: f64, p99: f64, max: f64) -> Quantiles {
        Quantiles {
            count: 1_000,
            p50,
            p90: p50,
            p95: p50,
            p99,
            p99_9: max,
            max,
            ..Quantiles::default()
        }
    }

    #[test]
    fn lateness_counts_where_it_is_much_of_a_quantile() {
        let shares = late_shares(&quantiles(0.1, 1.0, 10.0), &quantiles(0.05, 0.95, 5.0));
        let late: Vec<String> = shares
            .iter()
            .filter(|share| share.is_late())
            .map(|late| format!("{} {:.2}", late.quantile, late.share))
            .collect();
        assert_eq!(
            late,
            ["p50 0.50", "p90 0.50", "p95 0.50", "p99.9 0.50", "max 0.50"]
        );
        let lateness = Lateness::of(&shares, 1_000).unwrap();
        assert_eq!((lateness.late.len(), lateness.is_everywhere), (4, false));
        let all = late_shares(&quantiles(1.0, 1.0, 1.0), &quantiles(0.5, 0.5, 1.0));
        let is_everywhere = |requests| Lateness::of(&all, requests).unwrap().is_everywhere;
        assert!(!is_everywhere(1_001), "p99.9 is on time");
        assert!(is_everywhere(999), "p99.9 is one request");
        assert!(!is_everywhere(1), "each is the same request");
    }

    proptest! {
        #[test]
        fn a_share_is_one(response in 0.0f64..1e6, on_time in 0.0f64..1e6) {
            let all = |ms| quantiles(ms, ms, ms);
            for late in late_shares(&all(response), &all(on_time)) {
                prop_assert!((0.0..=1.0).contains(&late.share));
                prop_assert!(response > on_time || late.share == 0.0);
            }
        }
    }
}
