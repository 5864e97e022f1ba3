//! How sure a share of launches is.

use tacho_run_folder::Interval;

/// 95 % of a normal distribution lie within this many standard deviations.
const Z: f64 = 1.959_964;

/// The share of launches that survived, with its 95 % interval after Wilson (1927), "Probable
/// inference, the law of succession, and statistical inference": unlike the textbook's, it is right
/// for a few launches and for shares of 0 and 1. Of no launch nothing is known.
#[must_use]
pub fn survival(survived: u32, launches: u32) -> Interval {
    if launches == 0 {
        return Interval {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let n = f64::from(launches);
    let share = f64::from(survived.min(launches)) / n;
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    Interval {
        value: share,
        // The ends are exact there; arithmetic would miss them by a rounding.
        low: if survived == 0 { 0.0 } else { middle - half },
        high: if survived >= launches {
            1.0
        } else {
            middle + half
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn as_in_the_tables() {
        // Brown, Cai and DasGupta (2001) and every statistics package: 3 of 3 is 0.4385 to 1, 8 of
        // 10 is 0.4902 to 0.9433.
        let all = survival(3, 3);
        assert!(
            (all.low - 0.4385).abs() < 1e-4 && (all.high - 1.0).abs() < 1e-9,
            "{all:?}"
        );
        let most = survival(8, 10);
        assert!(
            (most.low - 0.4902).abs() < 1e-4 && (most.high - 0.9433).abs() < 1e-4,
            "{most:?}"
        );
        assert_eq!(survival(0, 0).high, 1.0);
    }

    proptest! {
        #[test]
        fn the_share_lies_in_its_interval(survived in 0u32..1000, more in 0u32..1000) {
            let share = survival(survived, survived + more);
            prop_assert!(0.0 <= share.low && share.high <= 1.0);
            prop_assert!(share.low <= share.value + 1e-12 && share.value <= share.high + 1e-12);
        }
    }
}
