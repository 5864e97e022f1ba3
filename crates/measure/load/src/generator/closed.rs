//! The closed loop: each connection sends its next request when it has its answer, as ab does.

use super::core::Core;
use super::pass::{ASK_AGAIN_NS, Pace};
use super::think::ThinkTimes;
use crate::part::Part;
use crate::schedule::Joining;
use crate::transport::{Ended, Fault, Lane};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::Ordering;
use tacho_clock::{MILLISECOND, SECOND, monotonic_ns};

/// A connection that failed without a byte of an answer rests 1 ms, then twice as long each time,
/// up to this: a dead subject does not make the generator spin, and one that comes back is found
/// within a tenth of a second.
const LONGEST_REST_NS: u64 = 100 * MILLISECOND;

/// A loop that only its number of requests ends could run for days if the subject hangs: one
/// timeout for each request. So it also ends when no request has been answered for this long and as
/// many have failed meanwhile as if each connection had tried [`TRIES`] times.
const SILENCE_NS: u64 = 60 * SECOND;
const TRIES: u64 = 2;

/// When the loop stops beginning new iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Until {
    /// After this many iterations.
    pub iterations: u64,
    /// After this many nanoseconds.
    pub duration_ns: u64,
    /// Whether the loop also ends when [`Control::enough`](crate::Control::enough) is called.
    pub is_told: bool,
}

/// Iterations are shared: whichever connection is free takes the next one.
#[derive(Debug)]
pub struct Closed {
    joining: Joining,
    start: u64,
    joined: u32,
    next_join: Option<u64>,
    iterations: u64,
    /// Instant after which nothing begins.
    end: u64,
    is_told: bool,
    taken_up: u64,
    is_over: bool,
    /// Which iterations of the whole loop these are.
    part: Part,
    /// When a lane goes on, for when its next iteration was intended, and which lane.
    resting: BinaryHeap<Reverse<(u64, u64, Lane)>>,
    /// Length of the last rest after a failure, by lane.
    rests: Box<[u64]>,
    think: Option<ThinkTimes>,
    silence: Silence,
}

/// How long nobody has answered.
#[derive(Debug)]
struct Silence {
    /// `None` where a duration ends the loop: an outage is then part of the measurement.
    bound: Option<u64>,
    since: u64,
    failed: u64,
}

impl Silence {
    /// Takes note of a request that ended. True when nobody has answered for so long that the loop
    /// has to end.
    fn is_too_long(&mut self, end: u64, was_heard: bool) -> bool {
        if was_heard {
            self.since = end;
            self.failed = 0;
            return false;
        }
        self.failed += 1;
        let long = end.saturating_sub(self.since) >= SILENCE_NS;
        long && self.bound.is_some_and(|bound| self.failed >= bound)
    }
}

impl Closed {
    pub fn new(
        joining: Joining,
        start: u64,
        until: Until,
        lanes: u32,
        think: Option<ThinkTimes>,
        part: Part,
    ) -> Self {
        Self {
            start,
            joined: 0,
            next_join: joining.instant(0).map(|instant| start + instant),
            joining,
            iterations: until.iterations,
            end: start.saturating_add(until.duration_ns),
            is_told: until.is_told,
            taken_up: 0,
            is_over: until.iterations == 0,
            part,
            resting: BinaryHeap::with_capacity(lanes as usize),
            rests: vec![0; lanes as usize].into(),
            think,
            silence: Silence {
                bound: (until.duration_ns == u64::MAX).then_some(TRIES * u64::from(lanes)),
                since: start,
                failed: 0,
            },
        }
    }

    #[inline]
    fn take_up_next(&mut self, core: &mut Core<'_>, lane: Lane, intended: u64) {
        if self.is_over || self.taken_up == self.iterations || intended >= self.end {
            self.is_over = true;
            return;
        }
        let dispatched = monotonic_ns();
        if !core.source.is_ready() {
            let again = dispatched + ASK_AGAIN_NS;
            self.resting.push(Reverse((again, intended, lane)));
            return;
        }
        let n = self.part.overall(self.taken_up);
        core.tally.intended += 1;
        if core.dispatch(lane, n, intended, dispatched) {
            self.taken_up += 1;
            core.recorder.record_lag(dispatched - intended);
        } else {
            core.tally.intended -= 1;
            self.is_over = true;
        }
    }

    fn next_rested(&self) -> Option<u64> {
        self.resting.peek().map(|Reverse((instant, ..))| *instant)
    }
}

impl Pace for Closed {
    fn take_up(&mut self, core: &mut Core<'_>, now: u64) {
        let is_enough = self.is_told && core.control.enough.load(Ordering::Relaxed);
        if now >= self.end || is_enough {
            self.is_over = true;
        }
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
            if let Some(Reverse((_, intended, lane))) = self.resting.pop() {
                self.take_up_next(core, lane, intended);
            }
        }
    }

    /// The next iteration is intended for the instant at which the answer before it was complete,
    /// or the user has thought; after a failure, for the end of the rest.
    #[inline]
    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended, think_ns: u64) {
        if self.silence.is_too_long(ended.end, ended.was_heard) {
            self.is_over = true;
            core.control.unanswered.store(true, Ordering::Relaxed);
        }
        let rest = &mut self.rests[lane as usize];
        if !ended.was_heard {
            *rest = (*rest * 2).clamp(MILLISECOND, LONGEST_REST_NS);
            let due = ended.end + *rest;
            self.resting.push(Reverse((due, due, lane)));
            return;
        }
        *rest = 0;
        let own = self.think.as_mut().map_or(0, ThinkTimes::next);
        let think_ns = think_ns.saturating_add(own);
        if think_ns == 0 {
            self.take_up_next(core, lane, ended.end);
        } else {
            let due = ended.end.saturating_add(think_ns);
            self.resting.push(Reverse((due, due, lane)));
        }
    }

    fn next_instant(&self) -> Option<u64> {
        if self.is_over {
            return None;
        }
        match (self.next_join, self.next_rested()) {
            (Some(join), Some(rested)) => Some(join.min(rested)),
            (join, rested) => join.or(rested),
        }
    }

    /// Each lane waits for its own answer.
    fn has_lane(&self, _: u64) -> bool {
        false
    }

    fn sleeps(&self) -> bool {
        self.think.is_some()
    }

    fn is_exhausted(&self) -> bool {
        self.is_over || self.taken_up == self.iterations
    }

    /// Time limits of the single requests suffice.
    fn deadline(&self) -> Option<u64> {
        None
    }

    /// Nothing ever waits for a lane.
    fn give_up(&mut self, _: &mut Core<'_>, _: u64, _: Fault) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silence(bound: Option<u64>) -> Silence {
        Silence {
            bound,
            since: 0,
            failed: 0,
        }
    }

    #[test]
    fn a_minute_without_an_answer_is_the_end_when_each_connection_has_tried() {
        let mut hangs = silence(Some(4));
        let ends = [30, 30, 61, 61, 91].map(|at| hangs.is_too_long(at * SECOND, false));
        assert_eq!(ends, [false, false, false, true, true]);
        // One that is gone refuses quickly: it may come back within the minute.
        let mut gone = silence(Some(4));
        assert!((1..60).all(|at| !gone.is_too_long(at * SECOND, false)));
        assert!(!gone.is_too_long(59 * SECOND, true));
        assert!((60..119).all(|at| !gone.is_too_long(at * SECOND, false)));
        assert!(gone.is_too_long(119 * SECOND, false));
    }

    #[test]
    fn an_outage_is_a_part_of_what_is_measured_for_a_length_of_time() {
        let mut measured = silence(None);
        assert!((1..1_000).all(|at| !measured.is_too_long(at * SECOND, false)));
    }
}
