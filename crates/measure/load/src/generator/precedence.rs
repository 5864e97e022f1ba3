//! The generator's thread goes first, as long as it is brief.
//!
//! It needs a few microseconds at a time, at instants that are not its choice. Under the kernel's
//! fair scheduler a thread that wakes up may wait for the slice of whoever runs (about 3 ms here;
//! EEVDF protects it), so that a subject with busy compiler threads makes the generator late: p99
//! of the lag was 2.7 ms beside a Spring Boot service limited to one of two processors. A real-time
//! thread runs as soon as it wakes.
//!
//! A real-time thread that is *not* brief starves whoever shares its processor: in a closed loop at
//! full speed, threads of the subject that the kernel had left on the generator's processor waited
//! for tens of milliseconds (p99 of a Go service: 50 ms, beside a median of 0.2 ms). That would be
//! measuring the instrument. So the share of the time for which the thread runs is looked at on
//! each round of housekeeping, and a busy generator competes like everybody else.
//!
//! Without the right to real-time scheduling the generator goes on without it, and the recorded lag
//! shows the effect.

use crate::real_time::RealTime;
use rustix::thread::set_current_timer_slack;
use std::num::NonZeroU64;
use tacho_clock::{MILLISECOND, monotonic_ns, thread_cpu_ns};

/// A thread that runs for more than this share of the time gives precedence up.
const BUSY: f64 = 0.5;

/// It asks for precedence when it runs for less than this: half of [`BUSY`], so that it does not
/// change its mind each time.
const BRIEF: f64 = 0.25;

/// Over less time than this the share says little.
const SHORTEST_LOOK_NS: u64 = 10 * MILLISECOND;

/// While it lives, the calling thread has precedence whenever it is brief. Children do not inherit
/// it.
#[derive(Debug)]
pub(super) struct Precedence {
    held: Option<RealTime>,
    exact: ExactTimers,
    /// Asked for once and refused: not asked for again.
    refused: bool,
    looked_at: u64,
    cpu_then: u64,
}

impl Precedence {
    /// Not held yet; the first [`Precedence::review`] decides.
    pub fn new() -> Self {
        Self {
            held: None,
            exact: ExactTimers::set(),
            refused: false,
            looked_at: monotonic_ns(),
            cpu_then: thread_cpu_ns(),
        }
    }

    /// Held from the start, for a pace that is known to sleep between its requests.
    pub fn taken() -> Self {
        let mut precedence = Self::new();
        precedence.take();
        precedence
    }

    /// Looks at how busy the thread was since the last time.
    pub fn review(&mut self) {
        let (now, cpu) = (monotonic_ns(), thread_cpu_ns());
        let passed = now.saturating_sub(self.looked_at);
        if passed < SHORTEST_LOOK_NS {
            return;
        }
        let share = cpu.saturating_sub(self.cpu_then) as f64 / passed as f64;
        (self.looked_at, self.cpu_then) = (now, cpu);
        self.decide(share);
    }

    fn decide(&mut self, share: f64) {
        if self.held.is_some() && share > BUSY {
            self.held = None;
            self.exact.set_again();
        } else if self.held.is_none() && !self.refused && share < BRIEF {
            self.take();
        }
    }

    fn take(&mut self) {
        self.held = RealTime::take();
        self.refused = self.held.is_none();
    }
}

/// While it lives, no timer of the calling thread goes off later than asked for so that it can go
/// off together with others: by default up to 50 us (prctl(2), `PR_SET_TIMERSLACK`). Real-time
/// threads have no such slack; any other thread is late by it at every wake.
#[derive(Debug)]
struct ExactTimers;

impl ExactTimers {
    fn set() -> Self {
        let exact = Self;
        exact.set_again();
        exact
    }

    /// The kernel sets it back to the default when real-time scheduling ends.
    fn set_again(&self) {
        // Where it is refused, the recorded lag tells.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
    }
}

impl Drop for ExactTimers {
    fn drop(&mut self) {
        let _ = set_current_timer_slack(None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::current_timer_slack;

    #[test]
    fn timers_are_exact_with_precedence_and_without() {
        let by_default = current_timer_slack().unwrap();
        // Who may not have precedence has exact timers as well.
        let guard = Precedence::new();
        assert_eq!(current_timer_slack().unwrap(), 1);
        drop(guard);
        assert_eq!(current_timer_slack().unwrap(), by_default);
        let mut guard = Precedence::taken();
        assert!(current_timer_slack().unwrap() <= 1);
        guard.decide(0.9);
        assert_eq!(current_timer_slack().unwrap(), 1);
        drop(guard);
        assert_eq!(current_timer_slack().unwrap(), by_default);
    }

    #[test]
    fn precedence_ends_with_its_guard() {
        let guard = Precedence::taken();
        assert_eq!(RealTime::is_held(), guard.held.is_some());
        drop(guard);
        assert!(!RealTime::is_held());
    }

    #[test]
    fn a_busy_thread_gives_it_up_and_a_brief_one_has_it_again() {
        let mut guard = Precedence::taken();
        let allowed = guard.held.is_some();
        guard.decide(0.4);
        assert_eq!(
            (guard.held.is_some(), RealTime::is_held()),
            (allowed, allowed)
        );
        guard.decide(0.9);
        assert_eq!((guard.held.is_some(), RealTime::is_held()), (false, false));
        guard.decide(0.4);
        assert!(!RealTime::is_held(), "not while it is fairly busy");
        guard.decide(0.1);
        assert_eq!(
            (guard.held.is_some(), RealTime::is_held()),
            (allowed, allowed)
        );
    }

    #[test]
    fn a_review_sees_a_thread_that_spins() {
        let mut guard = Precedence::taken();
        let cpu = thread_cpu_ns();
        while thread_cpu_ns() - cpu < 20_000_000 {
            std::hint::spin_loop();
        }
        // However little of the time this machine gave to the thread: none was spent asleep.
        guard.looked_at = monotonic_ns() - 20_000_000;
        guard.review();
        assert!(guard.held.is_none());
    }
}
