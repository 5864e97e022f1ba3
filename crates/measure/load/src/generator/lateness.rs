//! How late the generator was with each request of a schedule.
//!
//! It is late until it sees that a request is due. It is late again when a connection is free for
//! which the request waits, and it does not see that, because it was stopped or had no processor.
//! But while one connection is free the subject may still be busy with the requests of the others:
//! then it does not answer the sooner for being asked sooner. So only that counts which is longer
//! than any request took so far: by then the subject had nothing to do. A request that is sent late
//! also frees its connection late, so the requests queued behind it are late as well. The rest of a
//! wait is the subject's.

use crate::transport::Lane;
use tacho_clock::MILLISECOND;

/// For this many waiting requests it is remembered when the loop saw that they were due. The others
/// count as seen in time.
pub const REMEMBERED: u64 = 16 * 1024;

/// Every answer is read a little later than it arrived. What takes longer is a stall.
const STALL_NS: u64 = MILLISECOND;

/// Of requests by their numbers, which rise by one, and of lanes. All times in nanoseconds.
#[derive(Debug)]
pub struct Lateness {
    /// From when a waiting request was due until the loop saw that.
    noticed: Box<[u64]>,
    /// How much later the request of a lane was sent than it could have been.
    of_lanes: Box<[u64]>,
    /// The longest service time so far.
    longest: u64,
}

impl Lateness {
    pub fn new(lanes: u32) -> Self {
        Self {
            noticed: vec![0; REMEMBERED as usize].into(),
            of_lanes: vec![0; lanes as usize].into(),
            longest: 0,
        }
    }

    /// A request was answered, or failed, so long after it was sent.
    #[inline]
    pub fn served(&mut self, service: u64) {
        self.longest = self.longest.max(service);
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
        self.of_lanes[lane as usize] = self.idle(lag);
    }

    /// A request is sent that has waited for this lane: how late the generator is with it.
    /// `noticed` is as in [`Lateness::notice`].
    pub fn sent_after_wait(&mut self, lane: Lane, times: Waited, noticed: u64) -> u64 {
        let overlooked = self.idle(times.sent.saturating_sub(times.freed));
        let waited = times.sent.saturating_sub(times.intended);
        let before = self.of_lanes[lane as usize];
        let of_stalls = (before + overlooked).min(waited);
        self.of_lanes[lane as usize] = of_stalls.max(self.idle(noticed));
        noticed.max(of_stalls)
    }

    /// For how much of a delay the subject had surely nothing to do.
    fn idle(&self, delay: u64) -> u64 {
        let idle = delay.saturating_sub(self.longest);
        match idle < STALL_NS {
            true => 0,
            false => idle,
        }
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
        // Without the stall its lane would have been free at 40 ms.
        assert_eq!(lag_ms(&mut lateness, 0, waited(0, 2_040, 2_040)), 2_000);
        // Another lane had no stall.
        assert_eq!(lag_ms(&mut lateness, 1, waited(0, 2_040, 2_040)), 0);
    }

    #[test]
    fn nothing_is_late_by_more_than_it_waited() {
        let mut lateness = Lateness::new(1);
        lateness.sent(0, 2_000 * MILLISECOND);
        // Without the stall it would have found the lane free.
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

    /// The subject has other requests to work on.
    #[test]
    fn a_delay_that_is_no_longer_than_a_request_is_no_lateness() {
        let mut lateness = Lateness::new(2);
        lateness.served(30 * MILLISECOND);
        assert_eq!(lag_ms(&mut lateness, 0, waited(0, 20, 50)), 0);
        assert_eq!(lag_ms(&mut lateness, 1, waited(0, 20, 2_050)), 2_000);
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
