//! The closed loop: each connection sends its next request when it has its answer, as ab does.

use super::core::Core;
use super::pass::Pace;
use crate::clock::{MILLISECOND, monotonic_ns};
use crate::schedule::Joining;
use crate::transport::{Ended, Fault, Lane};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A connection that failed without a byte of an answer rests 1 ms, then twice as long each time,
/// up to this: a dead subject does not make the generator spin, and one that comes back is found
/// within a tenth of a second.
const LONGEST_REST_NS: u64 = 100 * MILLISECOND;

/// Requests are shared: whichever connection is free takes the next one.
#[derive(Debug)]
pub struct Closed {
    joining: Joining,
    start: u64,
    joined: u32,
    next_join: Option<u64>,
    requests: u64,
    taken_up: u64,
    resting: BinaryHeap<Reverse<(u64, Lane)>>,
    /// Length of the last rest, by lane.
    rests: Box<[u64]>,
}

impl Closed {
    pub fn new(joining: Joining, start: u64, requests: u64, lanes: u32) -> Self {
        Self {
            start,
            joined: 0,
            next_join: joining.instant(0).map(|instant| start + instant),
            joining,
            requests,
            taken_up: 0,
            resting: BinaryHeap::with_capacity(lanes as usize),
            rests: vec![0; lanes as usize].into(),
        }
    }

    #[inline]
    fn take_up_next(&mut self, core: &mut Core<'_>, lane: Lane, intended: u64) {
        if self.taken_up == self.requests {
            return;
        }
        let n = self.taken_up;
        self.taken_up += 1;
        core.tally.intended += 1;
        let dispatched = monotonic_ns();
        core.recorder.record_lag(dispatched - intended);
        core.dispatch(lane, n, intended, dispatched);
    }

    fn next_rested(&self) -> Option<u64> {
        self.resting.peek().map(|Reverse((instant, _))| *instant)
    }
}

impl Pace for Closed {
    fn take_up(&mut self, core: &mut Core<'_>, now: u64) {
        while let Some(due) = self.next_join.filter(|&due| due <= now) {
            let lane = self.joined;
            self.joined += 1;
            self.next_join = self
                .joining
                .instant(self.joined)
                .map(|instant| self.start + instant);
            self.take_up_next(core, lane, due);
        }
        while self.next_rested().is_some_and(|instant| instant <= now) {
            if let Some(Reverse((instant, lane))) = self.resting.pop() {
                self.take_up_next(core, lane, instant);
            }
        }
    }

    /// The next request is intended for the instant at which the answer before it was complete;
    /// after a failure, for the end of the rest.
    #[inline]
    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended) {
        let rest = &mut self.rests[lane as usize];
        if ended.was_heard {
            *rest = 0;
            self.take_up_next(core, lane, ended.end);
        } else {
            *rest = (*rest * 2).clamp(MILLISECOND, LONGEST_REST_NS);
            self.resting.push(Reverse((ended.end + *rest, lane)));
        }
    }

    fn next_instant(&self) -> Option<u64> {
        match (self.next_join, self.next_rested()) {
            (Some(join), Some(rested)) => Some(join.min(rested)),
            (join, rested) => join.or(rested),
        }
    }

    fn sleeps(&self) -> bool {
        false
    }

    fn is_exhausted(&self) -> bool {
        self.taken_up == self.requests
    }

    /// Time limits of the single requests suffice.
    fn deadline(&self) -> Option<u64> {
        None
    }

    /// Nothing ever waits for a lane.
    fn give_up(&mut self, _: &mut Core<'_>, _: u64, _: Fault) {}
}
