//! Fewer points, without losing what stands out: the lowest and the highest of each bucket stay.

use super::data::Point;

/// Significant digits that a chart can show.
const DIGITS: i32 = 4;

/// Rounds to four significant digits, which halves the size of the page.
#[must_use]
pub fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let magnitude = 10f64.powi(DIGITS - 1 - value.abs().log10().floor() as i32);
    let rounded = (value * magnitude).round() / magnitude;
    if rounded.is_finite() { rounded } else { value }
}

/// The bucket of the n-th request: each of the first 20 has its own, then 15 a decade.
#[must_use]
pub fn log_bucket(number: usize) -> usize {
    const SINGLE: usize = 20;
    const A_DECADE: f64 = 15.0;
    if number <= SINGLE {
        number
    } else {
        SINGLE + 1 + ((number as f64 / SINGLE as f64).log10() * A_DECADE).floor() as usize
    }
}

/// Keeps the lowest and the highest point of every bucket, in order. The points must be sorted
/// by bucket.
#[must_use]
pub fn extremes(points: &[Point], bucket: impl Fn(&Point) -> usize) -> Vec<Point> {
    points
        .chunk_by(|a, b| bucket(a) == bucket(b))
        .flat_map(|chunk| {
            let by_y = |a: &&Point, b: &&Point| a[1].total_cmp(&b[1]);
            let low = chunk.iter().min_by(by_y);
            let high = chunk.iter().max_by(by_y);
            let mut kept: Vec<Point> = low.into_iter().chain(high).copied().collect();
            kept.sort_by(|a, b| a[0].total_cmp(&b[0]));
            kept.dedup();
            kept
        })
        .map(|[x, y]| [round(x), round(y)])
        .collect()
}

/// The middle value; the mean of the two middle ones of an even number. `None` of nothing.
#[must_use]
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|v| v.is_finite());
    values.sort_by(f64::total_cmp);
    let n = values.len();
    match n {
        0 => None,
        _ if n % 2 == 1 => Some(values[n / 2]),
        _ => Some(f64::midpoint(values[n / 2 - 1], values[n / 2])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn medians_of_odd_even_and_nothing() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![f64::NAN]), None);
    }

    #[test]
    fn four_digits_stay() {
        assert_eq!(round(123_456.0), 123_500.0);
        assert_eq!(round(-0.012_345_6), -0.012_35);
        assert_eq!(round(f64::INFINITY), 0.0);
        assert_eq!(round(f64::MIN_POSITIVE), f64::MIN_POSITIVE);
    }

    proptest! {
        #[test]
        fn the_highest_and_the_lowest_are_never_lost(values in proptest::collection::vec(1.0f64..1e4, 1..3000)) {
            let points: Vec<Point> = values.iter().enumerate().map(|(i, &y)| [i as f64 + 1.0, y]).collect();
            let thin = extremes(&points, |p| log_bucket(p[0] as usize));
            let high = |p: &[Point]| p.iter().map(|p| p[1]).fold(0.0, f64::max);
            let low = |p: &[Point]| p.iter().map(|p| p[1]).fold(f64::MAX, f64::min);
            prop_assert_eq!(high(&thin), round(high(&points)));
            prop_assert_eq!(low(&thin), round(low(&points)));
            prop_assert!(thin.len() <= 20 + 2 * 60);
        }

        #[test]
        fn buckets_never_go_back(n in 1usize..1_000_000) {
            prop_assert!(log_bucket(n) <= log_bucket(n + 1));
        }
    }
}
