//! A distribution as a curve over its quantiles, as HdrHistogram's plotter draws it.

use super::data::Point;
use super::thin::round;
use hdrhistogram::Histogram;

/// Points for each factor of ten of `1/(1-quantile)`.
const A_DECADE: f64 = 12.0;

/// Points `[1/(1-quantile), milliseconds]` from values in nanoseconds. The curve begins at the
/// minimum (x = 1). It ends at the last quantile that n values support, `1 - 1/n`, which gets the
/// maximum.
#[must_use]
pub fn curve(histogram: &Histogram<u64>) -> Vec<Point> {
    let n = histogram.len();
    if n == 0 {
        return Vec::new();
    }
    let ms = |ns: u64| round(ns as f64 / 1e6);
    let mut points = vec![[1.0, ms(histogram.min())]];
    let last = (n as f64).log10();
    let steps = (last * A_DECADE).floor() as u32;
    for step in 1..=steps {
        let x = 10f64.powf(f64::from(step) / A_DECADE);
        if x < n as f64 {
            points.push([round(x), ms(histogram.value_at_quantile(1.0 - 1.0 / x))]);
        }
    }
    if n > 1 {
        points.push([round(n as f64), ms(histogram.max())]);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_passes_through_the_known_quantiles() {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        for ms in 1..=1000u64 {
            histogram.record(ms * 1_000_000).unwrap();
        }
        let curve = curve(&histogram);
        let near = |x: f64| {
            curve
                .iter()
                .find(|p| (p[0] - x).abs() / x < 1e-3)
                .unwrap_or_else(|| panic!("{x} is missing"))[1]
        };
        assert!((near(1.0) - 1.0).abs() < 0.01);
        assert!((near(10.0) - 900.0).abs() < 2.0, "p90 {}", near(10.0));
        assert!((near(100.0) - 990.0).abs() < 2.0, "p99 {}", near(100.0));
        assert!((near(1000.0) - 1000.0).abs() < 2.0, "max");
        assert!(curve.is_sorted_by(|a, b| a[0] < b[0] && a[1] <= b[1]));
    }

    #[test]
    fn nothing_and_one_value() {
        let mut histogram = Histogram::<u64>::new(3).unwrap();
        assert!(curve(&histogram).is_empty());
        histogram.record(5_000_000).unwrap();
        assert_eq!(curve(&histogram).len(), 1);
    }
}
