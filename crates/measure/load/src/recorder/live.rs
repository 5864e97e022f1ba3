//! What the recorder shows to other threads while it records: one entry a second.
//!
//! The writer's thread computes and publishes; the generator's has no part in it, but for one store
//! when a phase's clock starts.

use super::distribution::{add, quantiles_ms, time_histogram};
use super::interval::Interval;
use hdrhistogram::Histogram;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tacho_run_folder::{ErrorKind, Quantiles};

/// Bins of response time, four to a factor of ten, from 10 µs to 10 s; the first and the last hold
/// what is beyond as well.
pub const BINS: usize = 24;

/// How many of the last seconds are shown.
pub const SECONDS_SHOWN: usize = 120;

const BINS_A_DECADE: f64 = 4.0;
const FIRST_BIN_MS: f64 = 0.01;

/// The shortest time of a bin, in milliseconds.
#[must_use]
pub fn bin_from_ms(bin: usize) -> f64 {
    FIRST_BIN_MS * 10f64.powf(bin as f64 / BINS_A_DECADE)
}

fn bin_of(ns: u64) -> usize {
    let ms = ns as f64 / 1e6;
    let bin = (ms / FIRST_BIN_MS).log10() * BINS_A_DECADE;
    // What is below the first bin is negative, and a cast makes it 0.
    (bin as usize).min(BINS - 1)
}

/// One second of a phase.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveSecond {
    /// Since the phase's clock started.
    pub from_s: f64,
    /// A second, more when the writer was behind.
    pub length_s: f64,
    /// Requests that ended in it with a status below 400.
    pub succeeded: u64,
    /// Requests that ended in it otherwise.
    pub failed: u64,
    /// Response time of those that succeeded.
    pub response_time_ms: Option<Quantiles>,
    /// Counts of all response times, by bin.
    pub bins: [u64; BINS],
}

/// What is known of the phase that goes on.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LiveSnapshot {
    /// Index of the phase in the plan.
    pub phase: u32,
    /// Label of the phase in the plan.
    pub label: String,
    /// The last [`SECONDS_SHOWN`] seconds in which requests ended, oldest first.
    pub seconds: VecDeque<LiveSecond>,
    /// Requests that succeeded in those and all seconds before.
    pub succeeded: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Those that failed, by kind of error, in the order in which they first came.
    pub errors: Vec<(ErrorKind, u64)>,
    /// Response time of those that succeeded.
    pub response_time_ms: Option<Quantiles>,
}

/// The most seconds that wait in a tap to be received. Further ones are dropped.
const SECONDS_AHEAD: usize = 64;

/// The cell that the writer and those who watch share.
#[derive(Debug, Default)]
pub struct Live {
    watched: AtomicBool,
    taps: Mutex<Vec<SyncSender<Second>>>,
    started_ns: AtomicU64,
    snapshot: Mutex<LiveSnapshot>,
}

impl Live {
    /// The phase as of the last second.
    #[must_use]
    pub fn snapshot(&self) -> LiveSnapshot {
        self.lock().clone()
    }

    /// When the clock of the phase started, in monotonic nanoseconds; 0 before that.
    #[must_use]
    pub fn started_ns(&self) -> u64 {
        self.started_ns.load(Ordering::Relaxed)
    }

    /// From now on each second is also sent to this receiver, with its histogram. For a caller that
    /// adds up the seconds of several generators.
    #[must_use]
    pub fn tap(&self) -> Receiver<Second> {
        self.watch();
        let (to, seconds) = sync_channel(SECONDS_AHEAD);
        self.taps
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(to);
        seconds
    }

    fn to_tap(&self, second: &Second) {
        let taps = self.taps.lock().unwrap_or_else(PoisonError::into_inner);
        for tap in &*taps {
            let _ = tap.try_send(second.clone());
        }
    }

    pub(super) fn watch(&self) {
        self.watched.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_watched(&self) -> bool {
        self.watched.load(Ordering::Relaxed)
    }

    /// The clock of the phase starts at this instant, in monotonic nanoseconds.
    pub fn start_clock(&self, now: u64) {
        self.started_ns.store(now, Ordering::Relaxed);
    }

    /// Nothing is known of a phase that begins.
    pub fn begin_phase(&self, phase: u32, label: &str) {
        *self.lock() = LiveSnapshot {
            phase,
            label: label.to_owned(),
            // All that they will ever need.
            seconds: VecDeque::with_capacity(SECONDS_SHOWN),
            errors: Vec::with_capacity(24),
            ..LiveSnapshot::default()
        };
    }

    /// Shows one more second; `so_far` is the response time of the whole phase.
    pub fn publish(&self, second: Second, so_far: Option<Quantiles>) {
        self.to_tap(&second);
        let started_ns = self.started_ns();
        let since_start = |ns: u64| ns.saturating_sub(started_ns) as f64 / 1e9;
        let mut snapshot = self.lock();
        snapshot.succeeded += second.succeeded;
        snapshot.failed += second.failed;
        snapshot.response_time_ms = so_far;
        for (kind, count) in second.errors {
            match snapshot.errors.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, sum)) => *sum += count,
                None => snapshot.errors.push((kind, count)),
            }
        }
        if second.succeeded + second.failed == 0 {
            return;
        }
        if snapshot.seconds.len() == SECONDS_SHOWN {
            snapshot.seconds.pop_front();
        }
        let from_s = since_start(second.began_at);
        snapshot.seconds.push_back(LiveSecond {
            from_s,
            length_s: since_start(second.ended_at) - from_s,
            succeeded: second.succeeded,
            failed: second.failed,
            response_time_ms: quantiles_ms(&second.response),
            bins: second.bins,
        });
    }

    /// A poisoned lock is ignored: the data is plain numbers, and a panic leaves nothing half done
    /// that matters.
    fn lock(&self) -> MutexGuard<'_, LiveSnapshot> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What an interval comes to, before it is emptied. Instants in monotonic nanoseconds.
#[derive(Debug, Clone)]
pub struct Second {
    /// When it began.
    pub began_at: u64,
    /// When it ended.
    pub ended_at: u64,
    /// Requests that ended in it with a status below 400.
    pub succeeded: u64,
    /// Requests that ended in it otherwise.
    pub failed: u64,
    /// Those, by kind of error.
    pub errors: Vec<(ErrorKind, u64)>,
    /// Response times of those that succeeded, in nanoseconds.
    pub response: Histogram<u64>,
    /// Counts of all response times, by bin.
    pub bins: [u64; BINS],
}

impl Second {
    /// All kinds of request together.
    pub(super) fn of(interval: &Interval) -> Self {
        // Room for every time: `add` puts what is beyond it into the last bucket.
        let mut response = time_histogram();
        let mut bins = [0; BINS];
        let mut failed = 0;
        for kind in &interval.kinds {
            for times in [&kind.ok, &kind.error].into_iter().flatten() {
                for value in times.response.iter_recorded() {
                    bins[bin_of(value.value_iterated_to())] += u64::from(value.count_at_value());
                }
            }
            if let Some(ok) = &kind.ok {
                add(&mut response, &ok.response);
            }
            failed += kind.error.as_ref().map_or(0, |e| e.response.len());
        }
        Self {
            began_at: interval.began_at,
            ended_at: interval.ended_at,
            succeeded: response.len(),
            failed,
            errors: interval.errors.clone(),
            response,
            bins,
        }
    }

    /// Adds the same second of another generator.
    pub fn add(&mut self, other: &Self) {
        self.ended_at = self.ended_at.max(other.ended_at);
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        for (kind, count) in &other.errors {
            match self.errors.iter_mut().find(|(known, _)| known == kind) {
                Some((_, sum)) => *sum += count,
                None => self.errors.push((*kind, *count)),
            }
        }
        // Both have room for every time.
        let _ = self.response.add(&other.response);
        for (sum, count) in self.bins.iter_mut().zip(other.bins) {
            *sum += count;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_the_bin_that_begins_before_it() {
        for (ms, bin) in [
            (0.0, 0),
            (0.001, 0),
            (0.011, 0),
            (0.0179, 1),
            (1.01, 8),
            (1.7, 8),
            (99.0, 15),
            (101.0, 16),
            (9_999.0, 23),
            (60_000.0, 23),
        ] {
            assert_eq!(bin_of((ms * 1e6) as u64), bin, "{ms} ms");
        }
        assert!((bin_from_ms(8) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn only_the_last_seconds_are_kept_and_all_are_counted() {
        let live = Live::default();
        live.start_clock(5_000_000_000);
        live.begin_phase(2, "open");
        for second in 0..SECONDS_SHOWN as u64 + 30 {
            let began_at = (5 + second) * 1_000_000_000;
            let one = Second {
                began_at,
                ended_at: began_at + 1_000_000_000,
                succeeded: 3,
                failed: 1,
                errors: vec![(ErrorKind::Reset, 1)],
                response: time_histogram(),
                bins: [0; BINS],
            };
            live.publish(one, None);
        }
        let snapshot = live.snapshot();
        assert_eq!((snapshot.phase, snapshot.label.as_str()), (2, "open"));
        assert_eq!(snapshot.seconds.len(), SECONDS_SHOWN);
        assert!((snapshot.seconds[0].from_s - 30.0).abs() < 1e-9);
        assert_eq!((snapshot.succeeded, snapshot.failed), (450, 150));
        assert_eq!(snapshot.errors, [(ErrorKind::Reset, 150)]);
        live.begin_phase(3, "next");
        assert_eq!(live.snapshot().succeeded, 0);
    }
}
