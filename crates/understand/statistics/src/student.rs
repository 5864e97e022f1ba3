//! Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Chance that a value of t lies above this one. `degrees` is at least 1.
#[must_use]
pub fn above(t: f64, degrees: f64) -> f64 {
    StudentsT::new(0.0, 1.0, degrees).map_or(1.0, |distribution| distribution.sf(t))
}

/// The value of t above which lies this share (more than 0, at most a half) of the distribution.
#[must_use]
pub fn quantile(share: f64, degrees: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, degrees);
    distribution.map_or(f64::INFINITY, |distribution| {
        -distribution.inverse_cdf(share)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentage points of the t distribution as printed in any table.
    #[test]
    fn it_agrees_with_the_tables() {
        for (degrees, share, t) in [
            (1.0, 0.05, 6.314),
            (2.0, 0.025, 4.303),
            (3.0, 0.005, 5.841),
            (4.0, 0.025, 2.776),
            (4.0, 0.0005, 8.610),
            (5.0, 0.01, 3.365),
            (9.0, 0.05, 1.833),
            (10.0, 0.001, 4.144),
            (29.0, 0.025, 2.045),
            (100.0, 0.025, 1.984),
        ] {
            assert!(
                (quantile(share, degrees) - t).abs() < 6e-4,
                "{degrees} {share}"
            );
            assert!((above(t, degrees) - share).abs() < 2e-5, "{degrees} {t}");
        }
    }

    #[test]
    fn its_ends_are_what_they_must_be() {
        for degrees in (1..40).map(f64::from) {
            assert!((above(0.0, degrees) - 0.5).abs() < 1e-12);
            assert!(above(f64::INFINITY, degrees) < 1e-12);
            assert!((above(f64::NEG_INFINITY, degrees) - 1.0).abs() < 1e-12);
            assert!((above(-1.3, degrees) + above(1.3, degrees) - 1.0).abs() < 1e-12);
        }
    }
}
