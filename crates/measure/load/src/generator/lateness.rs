//! How late the generator was with each request of a schedule.
//!
//! It is late until it sees that a request is due. It is late again when a connection is free for
//! which the request waits, and it does not see that, because it was stopped or had no processor.
//! And a request that was sent late keeps its connection so much longer from the next one. What is
//! left of a wait is the subject's: that of a generator which is never late, over the same
//! connections and with the same service times.

use crate::transport::Lane;
use tacho_clock::MILLISECOND;

/// For this many waiting requests it is remembered when the loop saw that they were due. The others
/// count as seen in time.
pub const REMEMBERED: u64 = 16 * 1024;

/// Every answer is read a little later than it arrived. To count that along a row of requests would
/// hold the subject's own limit against the generator: a subject that has reached it does not
/// answer the sooner for being asked sooner. What takes longer is a stall.
const STALL_NS: u64 = MILLISECOND;

/// Of requests by their numbers, which rise by one, and of lanes. All times in nanoseconds.
#[derive(Debug)]
pub struct Lateness {
    /// From when a waiting request was due until the loop saw that.
    noticed: Box<[u64]>,
    /// How much later the request of a lane was sent than it could have been.
    of_lanes: Box<[u64]>,
}

impl Lateness {
    pub fn new(lanes: u32) -> Self {
        Self {
            noticed: vec![0; REMEMBERED as usize].into(),
            of_lanes: vec![0; lanes as usize].into(),
        }
    }

    /// The loop saw that request `n` is due, so much too late, and that it has to wait.
    pub fn notice(&mut self, n: u64, lag: u64) {
        self.noticed[slot(n)] = lag;
    }

    /// How late the loop saw that waiting request `n` is due.
    pub fn noticed(&self, n: u64) -> u64 {
        self.noticed[slot(n)]
    }

    /// A request is sent that has not waited for this lane.
    pub fn sent(&mut self, lane: Lane, lag: u64) {
        self.of_lanes[lane as usize] = stall(lag);
    }

    /// A request is sent that has waited for this lane: how late the generator is with it.
    /// `noticed` is as in [`Lateness::notice`].
    pub fn sent_after_wait(&mut self, lane: Lane, times: Waited, noticed: u64) -> u64 {
        let before = &mut self.of_lanes[lane as usize];
        let overlooked = stall(times.sent.saturating_sub(times.freed));
        let waited = times.sent.saturating_sub(times.intended);
        let lag = noticed.max((*before + overlooked).min(waited));
        *before = stall(lag);
        lag
    }
}

/// Instants of a request that has waited for a lane.
#[derive(Debug, Clone, Copy)]
pub struct Waited {
    /// When it was due.
    pub intended: u64,
    /// When the lane's request before it had ended.
    pub freed: u64,
    /// When it is sent.
    pub sent: u64,
}

fn stall(time: u64) -> u64 {
    match time < STALL_NS {
        true => 0,
        false => time,
    }
}

fn slot(n: u64) -> usize {
    (n % REMEMBERED) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn waited(intended_ms: u64, freed_ms: u64, sent_ms: u64) -> Waited {
        Waited {
            intended: intended_ms * MILLISECOND,
            freed: freed_ms * MILLISECOND,
            sent: sent_ms * MILLISECOND,
        }
    }

    fn lag_ms(lateness: &mut Lateness, lane: Lane, times: Waited) -> u64 {
        lateness.sent_after_wait(lane, times, 0) / MILLISECOND
    }

    #[test]
    fn a_wait_for_a_busy_lane_is_no_lateness() {
        let mut lateness = Lateness::new(1);
        lateness.sent(0, 0);
        assert_eq!(lag_ms(&mut lateness, 0, waited(0, 900, 900)), 0);
        assert_eq!(lag_ms(&mut lateness, 0, waited(10, 1_900, 1_900)), 0);
    }

    #[test]
    fn a_lane_that_was_free_and_not_seen_is_lateness_also_for_those_behind() {
        let mut lateness = Lateness::new(2);
        lateness.sent(0, 0);
        lateness.sent(1, 0);
        assert_eq!(lag_ms(&mut lateness, 0, waited(0, 20, 2_020)), 2_000);
        // Without the stall its lane were free at 40 ms.
        assert_eq!(lag_ms(&mut lateness, 0, waited(0, 2_040, 2_040)), 2_000);
        // Another lane had no stall.
        assert_eq!(lag_ms(&mut lateness, 1, waited(0, 2_040, 2_040)), 0);
    }

    #[test]
    fn nothing_is_late_by_more_than_it_waited() {
        let mut lateness = Lateness::new(1);
        lateness.sent(0, 2_000 * MILLISECOND);
        // Without the stall it had found the lane free.
        assert_eq!(lag_ms(&mut lateness, 0, waited(1_990, 2_020, 2_020)), 30);
        assert_eq!(lag_ms(&mut lateness, 0, waited(2_030, 2_040, 2_040)), 10);
    }

    #[test]
    fn a_request_that_waits_no_more_ends_what_followed_from_a_stall() {
        let mut lateness = Lateness::new(1);
        lateness.sent(0, 2_000 * MILLISECOND);
        lateness.sent(0, 0);
        assert_eq!(lag_ms(&mut lateness, 0, waited(2_030, 2_040, 2_040)), 0);
    }

    #[test]
    fn what_the_loop_saw_late_is_late() {
        let mut lateness = Lateness::new(1);
        lateness.notice(3, 7 * MILLISECOND);
        let noticed = lateness.noticed(3);
        assert_eq!(noticed, 7 * MILLISECOND);
        assert_eq!(
            lateness.sent_after_wait(0, waited(0, 20, 20), noticed),
            noticed
        );
    }

    #[test]
    fn answers_that_are_read_a_little_late_add_up_to_nothing() {
        let mut lateness = Lateness::new(1);
        for n in 1..1_000 {
            let freed = n * MILLISECOND;
            let times = Waited {
                intended: 0,
                freed,
                sent: freed + MILLISECOND / 10,
            };
            assert_eq!(lateness.sent_after_wait(0, times, 0), 0);
        }
    }
}
