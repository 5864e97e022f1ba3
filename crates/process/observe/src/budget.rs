//! Costly readings, made only as often as a budget allows.

/// Allows a reading only so often that it takes no more than a share of one processor.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    /// Share of one processor: 0.02 is 2 %.
    share: f64,
    next_ns: u64,
}

impl Budget {
    pub(crate) fn new(share: f64) -> Self {
        Self { share, next_ns: 0 }
    }

    /// Whether the next reading may be made.
    pub(crate) fn allows(&self, now_ns: u64) -> bool {
        now_ns >= self.next_ns
    }

    /// A reading was made and has cost this much processor time.
    pub(crate) fn charge(&mut self, now_ns: u64, cost_s: f64) {
        self.next_ns = now_ns.saturating_add((cost_s / self.share * 1e9) as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_of_10_ms_at_2_percent_is_made_twice_a_second() {
        let mut budget = Budget::new(0.02);
        let mut made = 0;
        for now in (0..10_000_000_000).step_by(100_000_000) {
            if budget.allows(now) {
                budget.charge(now, 0.010);
                made += 1;
            }
        }
        assert_eq!(made, 20);
    }

    #[test]
    fn a_cheap_reading_is_made_every_time() {
        let mut budget = Budget::new(0.02);
        for now in (0..10_000_000_000).step_by(100_000_000) {
            assert!(budget.allows(now));
            budget.charge(now, 0.000_5);
        }
    }
}
