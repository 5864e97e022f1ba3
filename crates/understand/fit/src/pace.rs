//! How long a search still takes, by how long its trials took.

use std::time::Duration;

/// The trials that are over.
#[derive(Debug, Clone, Copy, Default)]
pub struct Pace {
    trials: u32,
    took: Duration,
}

impl Pace {
    /// One more is over, and took so long.
    pub fn take(&mut self, took: Duration) {
        self.trials += 1;
        self.took = self.took.saturating_add(took);
    }

    /// So many trials more, each as long as those were on average; `None` before the first is over.
    #[must_use]
    pub fn of(&self, trials: u32) -> Option<Duration> {
        let mean = self.took.checked_div(self.trials)?;
        Some(mean.saturating_mul(trials))
    }

    /// Within a trial, of which `so_far` is over and `left` is not, `later` others after it. While
    /// the first one is under way the others are taken to be as long as it.
    #[must_use]
    pub fn left(&self, so_far: Duration, left: Duration, later: u32) -> Duration {
        let others = self.of(later).unwrap_or_else(|| {
            let first = so_far.saturating_add(left);
            first.saturating_mul(later)
        });
        left.saturating_add(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn what_is_left_is_all_trials_that_may_come_and_not_one() {
        let mut pace = Pace::default();
        assert_eq!(pace.of(9), None);
        // Of the first 40 s are over and 20 s to come: nine others take 60 s each.
        assert_eq!(pace.left(s(40), s(20), 9), s(20 + 9 * 60));
        pace.take(s(60));
        assert_eq!(pace.of(9), Some(s(9 * 60)));
        // The second is quicker; it counts with the others when it is over.
        assert_eq!(pace.left(s(10), s(20), 8), s(20 + 8 * 60));
        pace.take(s(30));
        assert_eq!(pace.of(8), Some(s(8 * 45)));
        // The last launch of the last trial.
        assert_eq!(pace.left(s(45), s(0), 0), s(0));
    }

    #[test]
    fn no_time_is_too_long() {
        let mut pace = Pace::default();
        pace.take(Duration::MAX);
        assert_eq!(pace.of(2), Some(Duration::MAX));
        assert_eq!(pace.left(s(1), Duration::MAX, 1), Duration::MAX);
    }
}
