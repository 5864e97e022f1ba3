//! Noise of a known kind, for the tests of what looks at series.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Noise whose neighbours are alike: an autoregressive process of the first order with about unit
/// variance.
#[must_use]
pub fn noise(count: usize, alike: f64, seed: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut value = 0.0;
    (0..count)
        .map(|_| {
            // The sum of twelve uniform numbers is nearly normal.
            let normal: f64 = (0..12).map(|_| random.random_range(-0.5..0.5)).sum();
            value = alike * value + (1.0 - alike * alike).sqrt() * normal;
            value
        })
        .collect()
}
