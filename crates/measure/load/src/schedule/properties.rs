//! What every schedule has to keep; for the tests of each.

use super::Schedule;
use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

pub type Checked = Result<(), TestCaseError>;

/// Every intended instant, asked in order.
pub fn all(schedule: &impl Schedule) -> Vec<u64> {
    (0..).map_while(|n| schedule.intended(n)).collect()
}

pub fn count(schedule: &impl Schedule) -> u64 {
    all(schedule).len() as u64
}

/// Instants never go back, none is at or after the end, nothing comes after the last, and whatever
/// order they are asked in they are the same.
pub fn keeps_the_contract(schedule: &impl Schedule, seed: u64) -> Checked {
    let instants = all(schedule);
    prop_assert!(instants.is_sorted());
    prop_assert!(instants.iter().all(|&i| i < schedule.duration()));
    let count = instants.len() as u64;
    for n in [count, count + 1, count + 1_000, 1 << 53, u64::MAX] {
        prop_assert_eq!(schedule.intended(n), None);
    }
    let mut order: Vec<usize> = (0..instants.len()).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    for n in order {
        prop_assert_eq!(schedule.intended(n as u64), Some(instants[n]));
    }
    Ok(())
}

/// Requests `0..integral` are sent: as many as there are whole numbers below the integral of the
/// rate.
pub fn counts(schedule: &impl Schedule, integral: f64) -> Checked {
    let count = count(schedule) as f64;
    // An integral that is a whole number, but for rounding, may count either way.
    let slack = 1e-3;
    prop_assert!(
        count >= integral - slack && count - 1.0 <= integral + slack,
        "{count} requests, integral {integral}"
    );
    Ok(())
}
