//! A thread that does nothing but sleep until instants: how late the machine wakes anybody at all.
//!
//! The dispatch delay of a generator that sleeps between its requests cannot be less than this. It
//! runs on the generator's processor in the same seconds, with the same precedence, and is awake
//! for about a microsecond at a time.

use crate::processors::on;
use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{Timespec, clock_gettime};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use tacho_selftest::RealTime;

/// The generator's own, by default: what is due within this time is sent together, at its end.
const GRAIN_NS: u64 = 600_000;

/// Sleeps until it is stopped.
#[derive(Debug)]
pub struct Sleeper {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Vec<u64>>,
}

impl Sleeper {
    /// Behaves as a generator of `rate` requests a second whose sending took no time.
    pub fn start(processor: usize, rate: u64) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = on(processor, || {
            std::thread::Builder::new()
                .name("sleeper".to_owned())
                .spawn(move || {
                    let _precedence = RealTime::take();
                    delays(1_000_000_000 / rate, &stopped)
                })
        })?;
        Ok(Self { stop, thread })
    }

    /// The delay, in milliseconds, that one in a thousand of the requests would have exceeded.
    pub fn stop(self) -> f64 {
        self.stop.store(true, Relaxed);
        let mut delays = self.thread.join().unwrap_or_default();
        delays.sort_unstable();
        let rank = delays.len().saturating_sub(1) * 999 / 1_000;
        delays
            .get(rank)
            .map_or(f64::INFINITY, |&ns| ns as f64 / 1e6)
    }
}

/// How late each request would have been dispatched.
fn delays(gap: u64, stopped: &AtomicBool) -> Vec<u64> {
    let mut delays = Vec::with_capacity(1 << 20);
    let mut due = now();
    while !stopped.load(Relaxed) {
        let together = GRAIN_NS.div_ceil(gap).max(1);
        sleep_until(due + (together - 1) * gap);
        let woken = now();
        while due <= woken {
            delays.push(woken - due);
            due += gap;
        }
    }
    delays
}

fn now() -> u64 {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(rustix::time::ClockId::Monotonic);
    tv_sec as u64 * 1_000_000_000 + tv_nsec as u64
}

fn sleep_until(instant: u64) {
    let until = Timespec {
        tv_sec: (instant / 1_000_000_000) as i64,
        tv_nsec: (instant % 1_000_000_000) as i64,
    };
    // Woken too early by a signal, it finds nothing due and sleeps again.
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_never_sooner_than_the_last_of_a_group() {
        // Six requests share 0.6 ms at 10,000/s, so the first of each waits 0.5 ms, the last none:
        // at least one in ten waits as long as the first, whatever the machine does.
        let stopped = AtomicBool::new(false);
        let delays = std::thread::scope(|scope| {
            let sleeping = scope.spawn(|| delays(100_000, &stopped));
            std::thread::sleep(std::time::Duration::from_millis(50));
            stopped.store(true, Relaxed);
            sleeping.join().unwrap()
        });
        assert!(delays.len() >= 6);
        assert!(
            delays[..6]
                .iter()
                .zip([5u64, 4, 3, 2, 1, 0])
                .all(|(&delay, steps)| delay >= steps * 100_000)
        );
    }
}
