//! Histograms of times in nanoseconds, and what is told of them.

use hdrhistogram::{Counter, Histogram};
use tacho_run_folder::Quantiles;

/// An hour. Longer times count as an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// A histogram of times from 1 ns to an hour with 3 digits.
///
/// # Panics
/// Never: the bounds are constants that the library accepts (there is a test).
#[allow(clippy::expect_used)]
pub fn time_histogram<T: Counter>() -> Histogram<T> {
    Histogram::new_with_bounds(1, LONGEST_NS, 3).expect("the bounds are valid")
}

/// The same, but it grows with its largest value: half the memory for answers within 30 ms. Each
/// doubling allocates once.
///
/// # Panics
/// Never: 3 digits are what the library accepts.
#[allow(clippy::expect_used)]
pub fn growing_time_histogram<T: Counter>() -> Histogram<T> {
    Histogram::new(3).expect("the digits are valid")
}

/// Counts a time; an hour when it is longer.
#[inline]
pub fn record<T: Counter>(histogram: &mut Histogram<T>, ns: u64) {
    // Either kind of histogram takes every time up to an hour, so there is no error to lose.
    let _ = histogram.record(ns.min(LONGEST_NS));
}

/// The quantiles of a histogram of nanoseconds, in milliseconds; `None` when it is empty.
#[must_use]
pub fn quantiles_ms<T: Counter>(histogram: &Histogram<T>) -> Option<Quantiles> {
    if histogram.is_empty() {
        return None;
    }
    let at = |q| histogram.value_at_quantile(q) as f64 / 1e6;
    Some(Quantiles {
        count: histogram.len(),
        min: histogram.min() as f64 / 1e6,
        mean: histogram.mean() / 1e6,
        p50: at(0.5),
        p90: at(0.9),
        p95: at(0.95),
        p99: at(0.99),
        p99_9: at(0.999),
        max: histogram.max() as f64 / 1e6,
    })
}

/// Adds counts of one width to counts of another.
pub fn add(total: &mut Histogram<u64>, part: &Histogram<u32>) {
    for value in part.iter_recorded() {
        total.saturating_record_n(value.value_iterated_to(), value.count_at_value().into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_has_the_quantiles_of_its_parts() {
        let mut total = time_histogram::<u64>();
        for part in [1..=500u64, 501..=1_000] {
            let mut histogram = time_histogram::<u32>();
            part.for_each(|ms| histogram.saturating_record(ms * 1_000_000));
            add(&mut total, &histogram);
        }
        let quantiles = quantiles_ms(&total).unwrap();
        assert_eq!(quantiles.count, 1_000);
        for (seen, exact) in [
            (quantiles.min, 1.0),
            (quantiles.mean, 500.5),
            (quantiles.p50, 500.0),
            (quantiles.p99_9, 999.0),
            (quantiles.max, 1_000.0),
        ] {
            assert!((seen - exact).abs() <= exact * 1e-3, "{seen} {exact}");
        }
    }

    #[test]
    fn what_is_longer_than_an_hour_counts_as_an_hour() {
        let mut histogram = time_histogram::<u64>();
        histogram.saturating_record(u64::MAX);
        let longest = quantiles_ms(&histogram).unwrap().max;
        assert!(
            (longest - 3_600_000.0).abs() < 3_600_000.0 * 0.3,
            "{longest}"
        );
        assert_eq!(quantiles_ms(&time_histogram::<u64>()), None);
    }

    #[test]
    fn a_growing_histogram_counts_as_a_full_one() {
        let (mut full, mut growing) = (time_histogram::<u32>(), growing_time_histogram::<u32>());
        for ns in [0, 1, 90_000, 4_000_000, 29_999_999_999, u64::MAX, 17] {
            record(&mut full, ns);
            record(&mut growing, ns);
        }
        assert_eq!(quantiles_ms(&full), quantiles_ms(&growing));
        assert_eq!(full.len(), 7);
    }
}
