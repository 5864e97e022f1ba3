//! Waking early, and spinning the rest.
//!
//! A thread that sleeps until an instant runs some 40 us after it on an idle virtual processor: the
//! timer and the end of the halt leave the virtual machine. It is late rather constantly. So the
//! timer is set early by what most of this thread's wakes have lately been late, and what is left
//! until the instant is spun. The estimate is moved up or down a little by each wake (stochastic
//! approximation of a quantile: Robbins and Monro 1951), so that it follows the load of the
//! machine: a busy processor wakes sooner than an idle one.
//!
//! Spinning takes processor time that somebody else may want. It is bounded by a share of the time,
//! as a bucket that fills while time passes, and counted. Where lateness scatters so much that the
//! share does not suffice for four wakes of five, fewer come in time: the emptier the bucket, the
//! lower the quantile that is anticipated.

use super::pass::Passed;
use std::io;
use std::sync::OnceLock;
use tacho_clock::{MICROSECOND, MILLISECOND, monotonic_ns};
use tacho_run_folder::{AnswerEnd, EarlyWake as Waking};

/// A wake that was later than the estimate moves the estimate up by this.
const LATER_NS: u64 = 900;
/// A wake that was no later than the estimate moves it down by one of these; which one depends on
/// how full the bucket is. First: a quarter of [`LATER_NS`], so that in balance four wakes of five
/// are in time. Below half full: as much as [`LATER_NS`], so that every other wake is in time.
/// Below a quarter full: three times as much, so that one of four is.
const SOONER_NS: [u64; 3] = [LATER_NS / 4, LATER_NS, 3 * LATER_NS];

/// The most that a timer is set early. A wake that is later than this does not come from the
/// machine's usual delay: another thread was running.
const MOST_LEAD_NS: u64 = 200 * MICROSECOND;

/// The share of the time that may be spun: one part of this many.
const SHARE: u64 = 20;

/// What may be spun at once after a long time without.
const FULL_NS: i64 = MILLISECOND as i64;

/// Whether there is a single processor. With several the generator may be bound to one of its own;
/// on a single one, spinning would take time that the subject needs.
fn machine_has_one_processor() -> bool {
    static ONE: OnceLock<bool> = OnceLock::new();
    *ONE.get_or_init(|| tacho_observe::machine::processors() == 1)
}

/// The early wakes of one thread.
#[derive(Debug)]
pub(super) struct EarlyWake {
    /// By how much the timer is set early.
    lead_ns: u64,
    /// How long may be spun now. A spin that has begun is never cut short, so the budget may fall
    /// below 0 by the length of one spin.
    budget_ns: i64,
    /// When the budget was last filled.
    filled_at: u64,
    spun_ns: u64,
    state: Waking,
}

impl EarlyWake {
    /// `is_needed`: whether requests will fall due by themselves, so that waking early helps.
    pub fn new(now: u64, is_needed: bool, shares_one_processor: bool) -> Self {
        let one = shares_one_processor || machine_has_one_processor();
        Self::of(
            now,
            match (is_needed, one) {
                (false, _) => Waking::NotNeeded,
                (true, true) => Waking::OffOneProcessor,
                (true, false) => Waking::On,
            },
        )
    }

    fn of(now: u64, state: Waking) -> Self {
        Self {
            state,
            lead_ns: 0,
            budget_ns: FULL_NS,
            filled_at: now,
            spun_ns: 0,
        }
    }

    /// Sleeps, then spins, until the instant `due`; returns the clock at that time. `sleep` sleeps
    /// until the instant that it is given. When it wakes earlier because something else happened,
    /// this method returns at once too.
    pub fn until(
        &mut self,
        due: u64,
        sleep: impl FnOnce(u64) -> io::Result<()>,
    ) -> io::Result<u64> {
        let mut now = monotonic_ns();
        let alarm = self.alarm(now, due);
        if alarm > now {
            sleep(alarm)?;
            now = monotonic_ns();
            if now < alarm {
                return Ok(now);
            }
            self.learn(now - alarm);
        }
        let begun = now;
        while now < due {
            std::hint::spin_loop();
            now = monotonic_ns();
        }
        self.spent(now - begun);
        Ok(now)
    }

    /// When the timer has to go off.
    fn alarm(&mut self, now: u64, due: u64) -> u64 {
        let filled = now.saturating_sub(self.filled_at) / SHARE;
        self.budget_ns = self.budget_ns.saturating_add_unsigned(filled).min(FULL_NS);
        self.filled_at = now;
        match self.state {
            Waking::On if self.budget_ns > 0 => due.saturating_sub(self.lead_ns),
            Waking::On | Waking::OffOneProcessor | Waking::NotNeeded => due,
        }
    }

    fn learn(&mut self, late_ns: u64) {
        self.lead_ns = if late_ns > self.lead_ns {
            (self.lead_ns + LATER_NS).min(MOST_LEAD_NS)
        } else {
            let emptiness = match self.budget_ns {
                left if left < FULL_NS / 4 => 2,
                left if left < FULL_NS / 2 => 1,
                _ => 0,
            };
            self.lead_ns.saturating_sub(SOONER_NS[emptiness])
        };
    }

    fn spent(&mut self, spun_ns: u64) {
        self.spun_ns += spun_ns;
        self.budget_ns = self.budget_ns.saturating_sub_unsigned(spun_ns);
    }

    /// The passes are over.
    pub fn passed(&self, is_interrupted: bool, ends: AnswerEnd) -> Passed {
        Passed {
            is_interrupted,
            ends,
            early_wake: self.state,
            spun_ns: self.spun_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wakes that are late by what `late` says of each, a millisecond apart.
    fn after(wakes: u64, late: impl Fn(u64) -> u64) -> EarlyWake {
        let mut early = EarlyWake::of(0, Waking::On);
        for n in 0..wakes {
            let due = (n + 1) * MILLISECOND;
            let alarm = early.alarm(n * MILLISECOND, due);
            let woke = alarm + late(n);
            early.learn(late(n));
            early.spent(due.saturating_sub(woke));
        }
        early
    }

    #[test]
    fn it_learns_how_late_four_of_five_wakes_are() {
        let mut early = EarlyWake::of(0, Waking::On);
        let mut in_time = 0;
        for n in 0..20_000 {
            // 30 us to 49 us, evenly.
            let late = (30 + n * 7 % 20) * MICROSECOND;
            early.alarm(n * MILLISECOND, (n + 1) * MILLISECOND);
            in_time += u64::from(n >= 10_000 && late <= early.lead_ns);
            early.learn(late);
        }
        assert!((7_500..=8_500).contains(&in_time), "{in_time} {early:?}");
    }

    #[test]
    fn it_follows_a_machine_that_becomes_busy() {
        let early = after(20_000, |n| if n < 10_000 { 40_000 } else { 20_000 });
        assert!((19_000..22_000).contains(&early.lead_ns), "{early:?}");
    }

    #[test]
    fn a_wake_that_was_stolen_moves_it_little() {
        let early = after(
            10_000,
            |n| if n == 9_999 { 50 * MILLISECOND } else { 40_000 },
        );
        assert!(early.lead_ns < 42_000, "{early:?}");
        let always = after(10_000, |_| 50 * MILLISECOND);
        assert_eq!(always.lead_ns, MOST_LEAD_NS);
    }

    #[test]
    fn no_more_than_its_share_is_spun() {
        // However much lateness scatters: 20 us to 180 us, 200 us apart.
        let late = |n: u64| (20 + n * 67 % 160) * MICROSECOND;
        let gap = 200 * MICROSECOND;
        let (mut early, wakes) = (EarlyWake::of(0, Waking::On), 50_000);
        for n in 0..wakes {
            let due = (n + 1) * gap;
            let alarm = early.alarm(n * gap, due);
            early.learn(late(n));
            early.spent(due.saturating_sub(alarm + late(n)));
        }
        let bound = wakes * gap / SHARE + FULL_NS as u64 + MOST_LEAD_NS;
        assert!(early.spun_ns <= bound, "{early:?}");
        assert!(early.spun_ns > bound / 2, "{early:?}");
        // Four of five would take more than there is; some come in time all the same.
        assert!((30_000..120_000).contains(&early.lead_ns), "{early:?}");
    }

    #[test]
    fn where_it_is_off_the_timer_is_set_to_the_instant() {
        let mut early = EarlyWake::of(0, Waking::OffOneProcessor);
        early.lead_ns = 40_000;
        assert_eq!(early.alarm(0, MILLISECOND), MILLISECOND);
    }

    #[test]
    fn who_is_woken_by_something_else_is_told_at_once() {
        let mut early = EarlyWake::of(monotonic_ns(), Waking::On);
        let due = monotonic_ns() + 3600 * tacho_clock::SECOND;
        let woke = early.until(due, |_| Ok(())).unwrap();
        assert!(woke < due);
        assert_eq!((early.lead_ns, early.spun_ns), (0, 0));
    }
}
