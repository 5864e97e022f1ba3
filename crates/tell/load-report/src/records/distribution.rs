//! Distributions, stored as the values that occur and their counts.
//!
//! A dense HdrHistogram of times up to an hour takes a quarter of a megabyte, the values of a
//! second a few kilobytes. And a sliding window has to take values out again, which a histogram's
//! minimum and maximum do not survive. Buckets are those of HdrHistogram with 3 digits and a unit
//! of 1 ns, so that every quantile is the one that the histogram would give (there is a property
//! test).

use std::collections::BTreeMap;
use tacho_run_folder::Quantiles;

/// Values below this have a bucket of their own. Above, a bucket is 1/1,024 as wide as the largest
/// power of two that is not above the value.
const EXACT_BELOW: u64 = 2_048;

fn width(value: u64) -> u64 {
    if value < EXACT_BELOW {
        1
    } else {
        1 << (value.ilog2() - 10)
    }
}

/// The smallest value of the bucket.
fn lowest(value: u64) -> u64 {
    value & !(width(value) - 1)
}

/// The largest value of the bucket.
fn highest(value: u64) -> u64 {
    lowest(value) + (width(value) - 1)
}

/// The value that stands for the bucket in sums.
fn middle(value: u64) -> u64 {
    lowest(value) + width(value) / 2
}

/// What one line of the log holds: values in ascending order with their counts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sparse(Vec<(u64, u64)>);

impl Sparse {
    /// The values of a histogram.
    #[must_use]
    pub fn of(histogram: &tacho_histogram_log::Histogram<u64>) -> Self {
        let recorded = histogram.iter_recorded();
        Self(
            recorded
                .map(|v| (v.value_iterated_to(), v.count_at_value()))
                .collect(),
        )
    }

    /// How many values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }

    /// All values added up, in seconds.
    #[must_use]
    pub fn sum_s(&self) -> f64 {
        sum_s(self.0.iter().map(|(value, count)| (*value, *count)))
    }
}

fn sum_s(values: impl Iterator<Item = (u64, u64)>) -> f64 {
    let products = values.map(|(value, count)| middle(value) as f64 * count as f64);
    products.sum::<f64>() / 1e9
}

/// Distributions merged; nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Distribution {
    /// By the largest value of the bucket.
    counts: BTreeMap<u64, u64>,
    count: u64,
}

impl Distribution {
    /// Merges the values of another distribution into this one.
    pub fn add(&mut self, values: &Sparse) {
        for (value, count) in &values.0 {
            *self.counts.entry(highest(*value)).or_default() += count;
            self.count += count;
        }
    }

    /// Takes values out that were added before.
    pub fn remove(&mut self, values: &Sparse) {
        for (value, count) in &values.0 {
            let key = highest(*value);
            if let Some(held) = self.counts.get_mut(&key) {
                let taken = (*count).min(*held);
                *held -= taken;
                self.count -= taken;
                if *held == 0 {
                    self.counts.remove(&key);
                }
            }
        }
    }

    /// Adds another one.
    pub fn merge(&mut self, other: &Self) {
        for (value, count) in &other.counts {
            *self.counts.entry(*value).or_default() += count;
        }
        self.count += other.count;
    }

    /// How many values.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The value below or at which this share of all values is, in milliseconds; `None` of none.
    #[must_use]
    pub fn quantile_ms(&self, quantile: f64) -> Option<f64> {
        let rank = (quantile * self.count as f64).ceil() as u64;
        let rank = rank.clamp(1, self.count.max(1));
        let mut passed = 0;
        self.counts.iter().find_map(|(value, count)| {
            passed += count;
            (passed >= rank).then(|| to_ms(*value))
        })
    }

    /// In milliseconds; `None` of none.
    #[must_use]
    pub fn min_ms(&self) -> Option<f64> {
        self.counts.keys().next().map(|v| to_ms(lowest(*v)))
    }

    /// In milliseconds; `None` of none.
    #[must_use]
    pub fn max_ms(&self) -> Option<f64> {
        self.counts.keys().next_back().map(|v| to_ms(*v))
    }

    /// All values added up, in seconds.
    #[must_use]
    pub fn sum_s(&self) -> f64 {
        sum_s(self.counts.iter().map(|(value, count)| (*value, *count)))
    }

    /// In milliseconds; `None` of none.
    #[must_use]
    pub fn mean_ms(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_s() * 1e3 / self.count as f64)
    }

    /// Standard deviation in milliseconds; `None` of none.
    #[must_use]
    pub fn deviation_ms(&self) -> Option<f64> {
        let mean = self.mean_ms()?;
        let squares = self.counts.iter().map(|(value, count)| {
            let off = to_ms(*value) - mean;
            off * off * *count as f64
        });
        Some((squares.sum::<f64>() / self.count as f64).sqrt())
    }

    /// How many values are in buckets that end at or below this many nanoseconds.
    #[must_use]
    pub fn count_up_to(&self, ns: u64) -> u64 {
        self.counts.range(..=ns).map(|(_, count)| count).sum()
    }

    /// All that is told of it; `None` of none.
    #[must_use]
    pub fn quantiles(&self) -> Option<Quantiles> {
        Some(Quantiles {
            count: self.count,
            min: self.min_ms()?,
            mean: self.mean_ms()?,
            p50: self.quantile_ms(0.5)?,
            p90: self.quantile_ms(0.9)?,
            p95: self.quantile_ms(0.95)?,
            p99: self.quantile_ms(0.99)?,
            p99_9: self.quantile_ms(0.999)?,
            max: self.max_ms()?,
        })
    }
}

fn to_ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::Histogram;
    use proptest::prelude::*;
    use tacho_load::recorder::quantiles_ms;

    fn histogram(values: &[u64]) -> Histogram<u64> {
        let mut histogram = Histogram::new_with_bounds(1, 3_600_000_000_000, 3).unwrap();
        values.iter().for_each(|&v| histogram.record(v).unwrap());
        histogram
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * a.abs().max(1e-9)
    }

    proptest! {
        /// Merged, taken out and asked: always what the reference implementation says.
        #[test]
        fn it_says_what_a_histogram_says(
            kept in proptest::collection::vec(0u64..200_000_000_000, 1..200),
            taken in proptest::collection::vec(0u64..5_000_000, 0..200),
            quantile in 0.001f64..1.0,
        ) {
            let reference = histogram(&kept);
            let mut distribution = Distribution::default();
            distribution.add(&Sparse::of(&histogram(&taken)));
            distribution.add(&Sparse::of(&reference));
            distribution.remove(&Sparse::of(&histogram(&taken)));
            let (ours, theirs) = (distribution.quantiles().unwrap(), quantiles_ms(&reference).unwrap());
            prop_assert!(close(ours.mean, theirs.mean), "{} {}", ours.mean, theirs.mean);
            prop_assert_eq!(
                Quantiles { mean: 0.0, ..ours }, Quantiles { mean: 0.0, ..theirs }
            );
            let at = reference.value_at_quantile(quantile) as f64 / 1e6;
            prop_assert_eq!(distribution.quantile_ms(quantile), Some(at));
        }

        #[test]
        fn counts_never_go_down(values in proptest::collection::vec(0u64..1_000_000_000, 1..100)) {
            let mut distribution = Distribution::default();
            distribution.add(&Sparse::of(&histogram(&values)));
            let counts: Vec<u64> = (0..=30).map(|p| distribution.count_up_to(1 << p)).collect();
            prop_assert!(counts.is_sorted());
            prop_assert_eq!(counts[30], values.len() as u64);
        }
    }

    #[test]
    fn of_nothing_nothing_is_said() {
        let empty = Distribution::default();
        assert_eq!(empty.quantiles(), None);
        assert_eq!(empty.quantile_ms(0.5), None);
        assert_eq!((empty.count(), empty.sum_s()), (0, 0.0));
    }
}
