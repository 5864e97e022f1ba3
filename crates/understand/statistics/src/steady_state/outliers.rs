//! Replaces values that are far from their neighbours: a pause of the collector or of the machine
//! is no change of the service's speed.
//!
//! After Barrett et al. 2017, section 4: an outlier is further from its window's median than three
//! times the spread between the window's 10th and 90th percentiles. In contrast to them, windows do
//! not overlap here, and values below the median are judged like those above.

/// Number of values in a window.
const WINDOW: usize = 200;
const REACH: f64 = 3.0;

/// The logarithms of the values. An outlier, or a value that is no response time at all, is
/// replaced by its window's median, so that all indexes stay the same.
pub fn smoothed_logarithms(values: &[f64]) -> Vec<f64> {
    let mut logarithms: Vec<f64> = values
        .iter()
        .map(|value| if *value > 0.0 { value.ln() } else { f64::NAN })
        .collect();
    let count = logarithms.len().div_ceil(WINDOW).max(1);
    // Windows of nearly equal size: a short last one would have no meaningful percentiles.
    let size = logarithms.len().div_ceil(count).max(1);
    for window in logarithms.chunks_mut(size) {
        let mut sorted: Vec<f64> = window.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let Some(last) = sorted.len().checked_sub(1) else {
            window.fill(0.0);
            continue;
        };
        let quantile = |q: f64| sorted[(q * last as f64).round() as usize];
        let median = quantile(0.5);
        let reach = REACH * (quantile(0.9) - quantile(0.1));
        for value in window {
            // False for NaN, too.
            if (*value - median).abs() <= reach {
                continue;
            }
            *value = median;
        }
    }
    logarithms
}

/// The logarithms of values that are all above 0. Each is replaced by the median of itself and its
/// two neighbours; the first and the last stay.
pub fn without_single_values(values: &[f64]) -> Vec<f64> {
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let mut smoothed = logarithms.clone();
    for (value, around) in smoothed.iter_mut().skip(1).zip(logarithms.windows(3)) {
        let (low, high) = (around[0].min(around[2]), around[0].max(around[2]));
        *value = around[1].clamp(low, high);
    }
    smoothed
}

#[cfg(test)]
mod tests {
    use super::{smoothed_logarithms, without_single_values};

    #[test]
    fn one_slow_second_is_set_aside_and_two_are_not() {
        let smoothed = |values: &[f64]| -> Vec<f64> {
            without_single_values(values)
                .iter()
                .map(|v| v.exp().round())
                .collect()
        };
        assert_eq!(smoothed(&[1.0, 1.0, 9.0, 1.0, 1.0]), [1.0; 5]);
        assert_eq!(smoothed(&[9.0, 9.0, 1.0, 1.0]), [9.0, 9.0, 1.0, 1.0]);
        assert_eq!(smoothed(&[2.0, 1.0]), [2.0, 1.0]);
    }

    #[test]
    fn a_pause_is_set_aside_and_a_change_is_not() {
        let mut values: Vec<f64> = (0..200).map(|i| 10.0 + f64::from(i % 7) * 0.1).collect();
        values[20] = 900.0;
        values[21] = 0.001;
        values[22] = f64::NAN;
        values[23] = -1.0;
        let smoothed = smoothed_logarithms(&values);
        assert_eq!(smoothed.len(), 200);
        for (value, log) in values.iter().zip(&smoothed) {
            assert!((10.0..10.7).contains(&log.exp()), "{value} {log}");
        }
        // Half of a window is no outlier.
        let step: Vec<f64> = (0..200).map(|i| if i < 30 { 50.0 } else { 1.0 }).collect();
        let smoothed = smoothed_logarithms(&step);
        assert_eq!(smoothed[10], 50f64.ln());
        assert_eq!(smoothed[100], 0.0);
    }

    #[test]
    fn what_has_no_values_has_no_logarithms() {
        assert!(smoothed_logarithms(&[]).is_empty());
        assert_eq!(smoothed_logarithms(&[0.0, f64::NAN]), [0.0, 0.0]);
    }
}
