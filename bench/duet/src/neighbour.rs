//! A neighbour that comes and goes: on each processor somebody is busy for some seconds, and away
//! for some.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// It is busy, and away, for so long on average, in seconds: longer than a launch, so that launches
/// that run one after another meet unlike neighbours.
const MEAN_S: f64 = 6.0;

/// Ends when it is dropped.
pub struct Neighbour {
    ends: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Neighbour {
    /// As many of them as there are processors; which seconds they take is drawn.
    pub fn moves_in(seed: u64) -> Self {
        let ends = Arc::new(AtomicBool::new(false));
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let thread = |number| {
            let (ends, random) = (
                Arc::clone(&ends),
                ChaCha8Rng::seed_from_u64(seed * 100 + number),
            );
            std::thread::spawn(move || comes_and_goes(random, &ends))
        };
        Self {
            threads: (0..processors).map(thread).collect(),
            ends,
        }
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn comes_and_goes(mut random: ChaCha8Rng, ends: &AtomicBool) {
    let mut is_busy = false;
    while !ends.load(Ordering::Relaxed) {
        is_busy = !is_busy;
        let share: f64 = random.random_range(f64::MIN_POSITIVE..1.0);
        let until = Instant::now() + Duration::from_secs_f64(-share.ln() * MEAN_S);
        while Instant::now() < until && !ends.load(Ordering::Relaxed) {
            match is_busy {
                true => std::hint::spin_loop(),
                false => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}
