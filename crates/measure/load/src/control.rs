//! What other threads see of the generator while it runs, and the two things that they may tell it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared between the generator and whoever watches it. Clones share the same flags.
///
/// The counters never go back: they count over all phases of a launch. The generator is their only
/// writer and stores them once a pass of its loop, so they cost it a few plain stores.
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// Set it to end the phase, from a signal handler too; noticed within 100 ms.
    pub stop: Arc<AtomicBool>,
    /// Set it to end a phase that runs until some goal is reached. The phase then counts as
    /// complete, not as interrupted. The next such phase resets the flag.
    pub enough: Arc<AtomicBool>,
    /// Set by the generator when it has ended a phase because no request was answered for a minute.
    /// The next phase resets it.
    pub unanswered: Arc<AtomicBool>,
    /// Requests whose intended instant has come.
    pub intended: Arc<AtomicU64>,
    /// Requests answered, whatever the status.
    pub answered: Arc<AtomicU64>,
    /// Requests that failed: no whole answer, or a status of 400 and above.
    pub failed: Arc<AtomicU64>,
    /// Requests that were taken up and are not concluded yet.
    pub in_flight: Arc<AtomicU64>,
}

/// The counters at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// See [`Control::intended`].
    pub intended: u64,
    /// See [`Control::answered`].
    pub answered: u64,
    /// See [`Control::failed`].
    pub failed: u64,
    /// See [`Control::in_flight`].
    pub in_flight: u64,
}

impl Control {
    /// Counters at 0, and no flag set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the generator to end its phase.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// True once the generator was asked to end its phase.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Tells a phase that runs until some goal is reached that the goal is reached.
    pub fn enough(&self) {
        self.enough.store(true, Ordering::Relaxed);
    }

    /// Whether a phase was ended because for a minute nobody had answered.
    #[must_use]
    pub fn is_unanswered(&self) -> bool {
        self.unanswered.load(Ordering::Relaxed)
    }

    /// The counters as they stand.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters {
            intended: self.intended.load(Ordering::Relaxed),
            answered: self.answered.load(Ordering::Relaxed),
            failed: self.failed.load(Ordering::Relaxed),
            in_flight: self.in_flight.load(Ordering::Relaxed),
        }
    }

    /// Plain stores: the generator is the only writer.
    pub(crate) fn publish(&self, counters: Counters) {
        self.intended.store(counters.intended, Ordering::Relaxed);
        self.answered.store(counters.answered, Ordering::Relaxed);
        self.failed.store(counters.failed, Ordering::Relaxed);
        self.in_flight.store(counters.in_flight, Ordering::Relaxed);
    }
}
