//! The seeds are fixed, so that what is random here is the same in each run: a bound of five
//! standard errors is met or it is not.

use super::*;
use crate::schedule::properties;
use proptest::prelude::*;

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    (mean, squares / (values.len() - 1) as f64)
}

#[test]
fn the_total_is_rate_times_duration_on_average_and_scatters_as_a_poisson_count_does() {
    let totals: Vec<f64> = (0..2_000)
        .map(|seed| Poisson::new(50.0, 20.0, seed).unwrap().total as f64)
        .collect();
    let (mean, variance) = mean_and_variance(&totals);
    let standard_error = (1_000.0_f64 / 2_000.0).sqrt();
    assert!((mean - 1_000.0).abs() < 5.0 * standard_error, "{mean}");
    // The variance of a sample variance is about 2 sigma^4 / n.
    let standard_error = 1_000.0 * (2.0_f64 / 2_000.0).sqrt();
    assert!(
        (variance - 1_000.0).abs() < 5.0 * standard_error,
        "{variance}"
    );
}

#[test]
fn gaps_have_an_exponential_distribution() {
    let schedule = Poisson::new(1_000.0, 100.0, 7).unwrap();
    let instants = properties::all(&schedule);
    let mut gaps: Vec<f64> = instants
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) as f64 / 1e9)
        .collect();
    gaps.sort_unstable_by(f64::total_cmp);
    // Kolmogorov and Smirnov: the largest distance of the two distribution functions.
    let distance = gaps
        .iter()
        .enumerate()
        .map(|(i, gap)| {
            let expected = 1.0 - (-1_000.0 * gap).exp();
            (expected - (i as f64 + 0.5) / gaps.len() as f64).abs()
        })
        .fold(0.0, f64::max);
    // The critical value at 0.1 %.
    assert!(distance < 1.95 / (gaps.len() as f64).sqrt(), "{distance}");
}

/// Counts in slots whose borders are not those of the tree: halving must leave no trace.
#[test]
fn counts_in_disjoint_slots_scatter_alike_and_do_not_know_of_one_another() {
    let schedule = Poisson::new(3_000.0, 99.0, 11).unwrap();
    let mut slots = vec![0.0; 3_000];
    for instant in properties::all(&schedule) {
        slots[(instant / 33_000_000) as usize] += 1.0;
    }
    let (mean, variance) = mean_and_variance(&slots);
    let dispersion = variance / mean;
    assert!((dispersion - 1.0).abs() < 5.0 * (2.0_f64 / 3_000.0).sqrt());
    let neighbours: f64 = slots
        .windows(2)
        .map(|pair| (pair[0] - mean) * (pair[1] - mean))
        .sum();
    let correlation = neighbours / (variance * 2_999.0);
    assert!(
        correlation.abs() < 5.0 / 3_000.0_f64.sqrt(),
        "{correlation}"
    );
}

#[test]
fn the_seed_decides() {
    let of = |seed| properties::all(&Poisson::new(100.0, 10.0, seed).unwrap());
    assert_eq!(of(1), of(1));
    assert_ne!(of(1), of(2));
}

/// A run can be repeated with the next release of Tacho and of its libraries; if this changes, say
/// so in the change log.
#[test]
fn the_arrivals_of_a_seed_stay_what_they_are() {
    let schedule = Poisson::new(1_000.0, 60.0, 42).unwrap();
    let of = |numbers: [u64; 4]| numbers.map(|n| schedule.intended(n).unwrap());
    assert_eq!(schedule.total, 60_117);
    assert_eq!(of([0, 1, 2, 3]), [169210, 1452480, 1942577, 3462756]);
    assert_eq!(
        of([100, 1_000, 10_000, 50_000]),
        [93235895, 979293130, 9898499907, 49830975677]
    );
}

#[test]
fn a_long_schedule_is_asked_at_its_end_without_what_is_before() {
    let schedule = Poisson::new(1e6, 9e6, 3).unwrap();
    let last = schedule.intended(schedule.total - 1).unwrap();
    assert!(last < schedule.duration());
    // Nine million seconds, a millionth of a second between two requests.
    assert!(schedule.duration() - last < 1_000_000);
    assert_eq!(schedule.intended(schedule.total), None);
}

#[test]
fn its_memory_does_not_grow_with_what_was_asked() {
    let schedule = Poisson::new(10_000.0, 100.0, 5).unwrap();
    properties::all(&schedule);
    let cache = schedule.leaves.borrow();
    for leaf in &cache.leaves {
        assert_eq!(leaf.instants.capacity(), LEAF_ROOM);
    }
}

#[test]
fn what_cannot_be_kept_is_refused() {
    assert_eq!(
        Poisson::new(0.0, 1.0, 0).unwrap_err(),
        ScheduleError::Rate(0.0)
    );
    assert_eq!(
        Poisson::new(1e9, 1.0, 0).unwrap_err(),
        ScheduleError::RateTooHigh(1e9)
    );
    assert_eq!(
        Poisson::new(1.0, 0.0, 0).unwrap_err(),
        ScheduleError::NoTime(0.0)
    );
}

proptest! {
    #[test]
    fn it_keeps_the_contract(rate in 0.1f64..1_000.0, duration in 0.01f64..2.0, seed in any::<u64>()) {
        let schedule = Poisson::new(rate, duration, seed).unwrap();
        properties::keeps_the_contract(&schedule, seed)?;
        prop_assert_eq!(properties::count(&schedule), schedule.total);
    }

    /// As the generator asks: one request is taken up while an older one waits to be sent.
    #[test]
    fn two_readers_one_after_the_other_see_the_same(lag in 1u64..400, seed in any::<u64>()) {
        let schedule = Poisson::new(1_000.0, 0.6, seed).unwrap();
        let instants = properties::all(&schedule);
        for (n, instant) in (0..).zip(&instants) {
            prop_assert_eq!(schedule.intended(n), Some(*instant));
            if let Some(earlier) = n.checked_sub(lag) {
                prop_assert_eq!(schedule.intended(earlier), Some(instants[earlier as usize]));
            }
        }
    }
}
