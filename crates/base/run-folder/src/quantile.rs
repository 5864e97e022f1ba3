//! The quantiles that are told of times.

use crate::launch::Quantiles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A quantile that Tacho reports.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub enum Quantile {
    /// 50 %, the median.
    #[serde(rename = "p50")]
    P50,
    /// 90 % of the values are at most this large.
    #[serde(rename = "p90")]
    P90,
    /// 95 % of the values are at most this large.
    #[serde(rename = "p95")]
    P95,
    /// 99 % of the values are at most this large.
    #[serde(rename = "p99")]
    P99,
    /// 99.9 % of the values are at most this large.
    #[serde(rename = "p99_9")]
    P99_9,
    /// The largest value.
    #[serde(rename = "max")]
    Max,
}

impl Quantile {
    /// From the lowest to the highest.
    pub const ALL: [Self; 6] = [
        Self::P50,
        Self::P90,
        Self::P95,
        Self::P99,
        Self::P99_9,
        Self::Max,
    ];

    /// The rank (from 1) of this quantile among `count` sorted values: the smallest value that this
    /// many thousandths of all do not exceed, as HdrHistogram has it.
    #[must_use]
    pub fn rank(self, count: u64) -> u64 {
        (count * self.thousandths()).div_ceil(1_000).max(1)
    }

    pub(crate) fn thousandths(self) -> u64 {
        self.facts().1
    }

    pub(crate) fn name(self) -> &'static str {
        self.facts().0
    }

    fn facts(self) -> (&'static str, u64) {
        match self {
            Self::P50 => ("p50", 500),
            Self::P90 => ("p90", 900),
            Self::P95 => ("p95", 950),
            Self::P99 => ("p99", 990),
            Self::P99_9 => ("p99.9", 999),
            Self::Max => ("max", 1_000),
        }
    }

    /// This quantile of a distribution that was measured, in milliseconds.
    #[must_use]
    pub fn of(self, quantiles: &Quantiles) -> f64 {
        match self {
            Self::P50 => quantiles.p50,
            Self::P90 => quantiles.p90,
            Self::P95 => quantiles.p95,
            Self::P99 => quantiles.p99,
            Self::P99_9 => quantiles.p99_9,
            Self::Max => quantiles.max,
        }
    }
}

impl fmt::Display for Quantile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_histogram() {
        let mut histogram = hdrhistogram::Histogram::<u64>::new(3).unwrap();
        for count in 1..=1_000 {
            histogram.record(count).unwrap();
            for (quantile, q) in Quantile::ALL.iter().zip([0.5, 0.9, 0.95, 0.99, 0.999, 1.0]) {
                assert_eq!(
                    quantile.rank(count),
                    histogram.value_at_quantile(q),
                    "{quantile} of {count}"
                );
            }
        }
    }
}
