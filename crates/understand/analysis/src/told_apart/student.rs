//! Student's t distribution for whole degrees of freedom, by the finite series of Abramowitz and
//! Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Chance that a value of t lies above this one. `degrees` is at least 1.
#[must_use]
pub fn above(t: f64, degrees: usize) -> f64 {
    if t < 0.0 {
        return 1.0 - above(-t, degrees);
    }
    // The series gives the chance of being within -t..t; what is left of 1 is exact to 1e-16,
    // far below any level that is asked for.
    ((1.0 - within(t, degrees)) / 2.0).max(0.0)
}

fn within(t: f64, degrees: usize) -> f64 {
    let angle = if t.is_finite() {
        (t / (degrees as f64).sqrt()).atan()
    } else {
        FRAC_PI_2
    };
    let (sine, cosine) = angle.sin_cos();
    let odd = degrees % 2 == 1;
    if degrees == 1 {
        return FRAC_2_PI * angle;
    }
    let mut term = if odd { cosine } else { 1.0 };
    let mut sum = term;
    let first = if odd { 3 } else { 2 };
    for k in (first..=degrees - 2).step_by(2) {
        term *= cosine * cosine * (k - 1) as f64 / k as f64;
        sum += term;
    }
    if odd {
        FRAC_2_PI * (angle + sine * sum)
    } else {
        sine * sum
    }
}

/// The value of t above which lies this share (more than 0, at most a half) of the distribution.
#[must_use]
pub fn quantile(share: f64, degrees: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while above(high, degrees) > share && high < 1e12 {
        high *= 2.0;
    }
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if above(middle, degrees) > share {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Percentage points of the t distribution as printed in any table.
    #[test]
    fn it_agrees_with_the_tables() {
        for (degrees, share, t) in [
            (1, 0.05, 6.314),
            (2, 0.025, 4.303),
            (3, 0.005, 5.841),
            (4, 0.025, 2.776),
            (4, 0.0005, 8.610),
            (5, 0.01, 3.365),
            (9, 0.05, 1.833),
            (10, 0.001, 4.144),
            (29, 0.025, 2.045),
            (100, 0.025, 1.984),
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
        for degrees in 1..40 {
            assert!((above(0.0, degrees) - 0.5).abs() < 1e-12);
            assert!(above(f64::INFINITY, degrees) < 1e-12);
            assert!((above(f64::NEG_INFINITY, degrees) - 1.0).abs() < 1e-12);
            assert!((above(-1.3, degrees) + above(1.3, degrees) - 1.0).abs() < 1e-12);
        }
    }
}
