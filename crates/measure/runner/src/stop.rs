//! The user's wish to end the run, as a flag that everything looks at.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once, by a signal; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A wish that nobody has uttered yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everything to end in order.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// True once it was set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for those that take one.
    #[must_use]
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }

    /// Sleeps, and wakes at once when it is set.
    pub fn sleep(&self, duration: std::time::Duration) {
        let until = std::time::Instant::now() + duration;
        while !self.is_set() {
            let left = until.saturating_duration_since(std::time::Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(std::time::Duration::from_millis(50)));
        }
    }
}
