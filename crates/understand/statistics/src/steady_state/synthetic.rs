//! Synthetic series whose true change points are known.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What makes response times uneven.
#[derive(Debug, Clone, Copy)]
pub enum Noise {
    /// The logarithm is normal with this standard deviation.
    LogNormal(f64),
    /// The same, and one request in this many takes twenty times as long.
    Pauses(f64, u32),
    /// The same, and each logarithm keeps this share of the previous one.
    Autocorrelated(f64, f64),
}

/// Makes response times in milliseconds; `typical` gives the typical one at an index.
pub fn series(seed: u64, count: usize, noise: Noise, typical: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = {
        let mut random = ChaCha8Rng::seed_from_u64(!seed);
        // Box and Muller, "A note on the generation of random normal deviates", Ann. Math. Stat.
        // 29, 1958.
        move || {
            let (radius, angle): (f64, f64) = (random.random(), random.random());
            (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
        }
    };
    let mut before = 0.0;
    (0..count)
        .map(|index| {
            let logarithm = match noise {
                Noise::LogNormal(sigma) | Noise::Pauses(sigma, _) => sigma * normal(),
                Noise::Autocorrelated(sigma, kept) => {
                    before = kept * before + (1.0 - kept * kept).sqrt() * sigma * normal();
                    before
                }
            };
            let pause = match noise {
                Noise::Pauses(_, one_in) if random.random_range(0..one_in) == 0 => 20.0,
                _ => 1.0,
            };
            typical(index) * logarithm.exp() * pause
        })
        .collect()
}
