//! Timers of this thread that fire when they are due.

use rustix::thread::{current_timer_slack, set_current_timer_slack};
use std::num::NonZeroU64;

/// The kernel lets timers of ordinary threads fire 50 µs late, to gather wake-ups (prctl(2),
/// `PR_SET_TIMERSLACK`). That would be the generator's own lateness, so it is set to 1 ns while
/// a phase goes on. Put back afterwards, because a process that is started from this thread
/// inherits it.
pub struct ExactTimers {
    before: Option<NonZeroU64>,
}

impl ExactTimers {
    /// Where it is not allowed, timers are late and the lag says so.
    pub fn set() -> Self {
        let before = current_timer_slack().ok().and_then(NonZeroU64::new);
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        Self { before }
    }
}

impl Drop for ExactTimers {
    fn drop(&mut self) {
        let _ = set_current_timer_slack(self.before);
    }
}
