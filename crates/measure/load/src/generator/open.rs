//! The open loop: requests are sent when the schedule says so, whatever the subject does.

use super::core::Core;
use super::lateness::{Lateness, REMEMBERED, Waited};
use super::pass::{ASK_AGAIN_NS, Pace};
use super::turns::Turn;
use crate::schedule::Schedule;
use crate::transport::{Ended, Fault, Lane};
use std::collections::VecDeque;
use tacho_clock::{SECOND, monotonic_ns};

/// A burst of requests that are due at once is not looked through to its end before the first is
/// sent.
const LARGEST_GROUP: usize = 64;

/// No server that we know closes a connection that has been idle for less: gunicorn waits 2 s, Node
/// and uvicorn 5 s, Tomcat 20 s, nginx 75 s.
const SURELY_OPEN_NS: u64 = SECOND;

/// Requests that wait for a connection are the range from `next_to_send` to `noticed` of the
/// schedule: a queue that needs no memory, however long it grows.
#[derive(Debug)]
pub struct Open<S> {
    schedule: S,
    /// Which requests of the whole schedule this instance gets. `n` counts only these.
    turn: Turn,
    start: u64,
    /// Requests below this have been seen to be due.
    noticed: u64,
    /// When request `noticed` is due.
    next_due: Option<u64>,
    /// Requests below this have been sent or given up.
    next_to_send: u64,
    /// Lanes that carry nothing, those that are connected before those that are not; the one that
    /// rested longest first, so that all of them are used and none is closed for idleness. With
    /// those that are connected, since when.
    connected: VecDeque<(Lane, u64)>,
    closed: VecDeque<Lane>,
    lateness: Lateness,
    /// When to ask the source again, if it had no request ready the last time.
    ask_at: Option<u64>,
    batch: u64,
    deadline: u64,
}

impl<S: Schedule> Open<S> {
    /// The requests of one instance, over its share of all lanes. All times in nanoseconds; `drain`
    /// is how long after the end of the schedule its requests are waited for, `batch` within what
    /// time requests are sent together.
    pub fn new(schedule: S, start: u64, turn: Turn, lanes: u32, drain: u64, batch: u64) -> Self {
        let connected: VecDeque<_> = turn.lanes(lanes).map(|lane| (lane, start)).collect();
        Self {
            start,
            noticed: 0,
            next_due: schedule
                .intended(turn.overall(0))
                .map(|instant| start + instant),
            next_to_send: 0,
            closed: VecDeque::with_capacity(connected.len()),
            connected,
            turn,
            lateness: Lateness::new(lanes),
            ask_at: None,
            batch,
            deadline: start + schedule.duration() + drain,
            schedule,
        }
    }

    fn intended(&self, n: u64) -> Option<u64> {
        self.schedule
            .intended(self.turn.overall(n))
            .map(|instant| self.start + instant)
    }

    fn free_lane(&mut self, core: &Core<'_>) -> Option<Lane> {
        while let Some((lane, _)) = self.connected.pop_front() {
            if core.transport.is_open(lane) {
                return Some(lane);
            }
            self.closed.push_back(lane);
        }
        self.closed.pop_front()
    }

    /// The instant at which a batch is sent: when its last request is due. A batch holds the
    /// requests that are due within the batch time of the first. A request with no other so near is
    /// sent at its own instant.
    fn end_of_group(&self, first: u64) -> u64 {
        if self.batch == 0 {
            return first;
        }
        (self.noticed + 1..)
            .take(LARGEST_GROUP)
            .map_while(|n| self.intended(n))
            .take_while(|due| *due < first + self.batch)
            .last()
            .unwrap_or(first)
    }

    /// There was nothing to send for request `n`: neither it nor those after it were ever intended.
    #[cold]
    fn end_with(&mut self, core: &mut Core<'_>, n: u64) {
        core.tally.intended -= self.noticed - n;
        self.noticed = n;
        self.next_to_send = n;
        self.next_due = None;
    }

    /// Requests wait beside free lanes only when the source had nothing for them.
    fn send_waiting(&mut self, core: &mut Core<'_>, now: u64) {
        while self.next_to_send < self.noticed
            && !(self.connected.is_empty() && self.closed.is_empty())
        {
            if !core.source.is_ready() {
                self.ask_at = Some(now + ASK_AGAIN_NS);
                return;
            }
            let n = self.next_to_send;
            let (Some(intended), Some(lane)) = (self.intended(n), self.free_lane(core)) else {
                return;
            };
            self.next_to_send += 1;
            let lag = self.noticed_late_by(n);
            if self.dispatch(core, lane, n, intended, intended + lag) {
                self.lateness.sent(lane, lag);
                self.record_lag_of_waiting(core, n, lag);
            }
        }
    }

    /// Request `n`, the first that waits, is sent on the lane for which it waited.
    fn send_next(&mut self, core: &mut Core<'_>, lane: Lane, intended: u64, freed: u64) {
        let n = self.next_to_send;
        self.next_to_send += 1;
        let times = Waited {
            intended,
            freed,
            sent: monotonic_ns(),
        };
        let noticed = self.noticed_late_by(n);
        let lag = self.lateness.sent_after_wait(lane, times, noticed);
        if self.dispatch(core, lane, n, intended, intended + lag) {
            self.record_lag_of_waiting(core, n, lag);
        }
    }

    /// False when there was nothing left to send.
    #[inline]
    fn dispatch(
        &mut self,
        core: &mut Core<'_>,
        lane: Lane,
        n: u64,
        intended: u64,
        dispatched: u64,
    ) -> bool {
        let is_sent = core.dispatch(lane, self.turn.overall(n), intended, dispatched);
        if !is_sent {
            self.end_with(core, n);
        }
        is_sent
    }

    /// How late the loop saw that request `n`, which has waited, was due.
    fn noticed_late_by(&self, n: u64) -> u64 {
        match self.is_remembered(n) {
            true => self.lateness.noticed(n),
            false => 0,
        }
    }

    fn is_remembered(&self, n: u64) -> bool {
        self.noticed - n <= REMEMBERED
    }

    /// The histogram has each lag once: that of a request which is not remembered any more was
    /// recorded when it was forgotten.
    fn record_lag_of_waiting(&self, core: &mut Core<'_>, n: u64, lag: u64) {
        if self.is_remembered(n) {
            core.recorder.record_lag(lag);
        }
    }

    /// Request `n`, the last that was noticed, has to wait.
    fn wait(&mut self, core: &mut Core<'_>, n: u64, lag: u64) {
        if let Some(forgotten) = n.checked_sub(REMEMBERED)
            && forgotten >= self.next_to_send
        {
            core.recorder.record_lag(self.lateness.noticed(forgotten));
        }
        self.lateness.notice(n, lag);
    }
}

impl<S: Schedule> Pace for Open<S> {
    fn take_up(&mut self, core: &mut Core<'_>, now: u64) {
        self.send_waiting(core, now);
        while let Some(intended) = self.next_due.filter(|&due| due <= now) {
            if !core.source.is_ready() {
                self.ask_at = Some(now + ASK_AGAIN_NS);
                return;
            }
            self.ask_at = None;
            let n = self.noticed;
            self.noticed += 1;
            self.next_due = self.intended(self.noticed);
            core.tally.intended += 1;
            // A new request must not overtake those that already wait.
            let waiting = self.next_to_send < n;
            let lane = if waiting { None } else { self.free_lane(core) };
            if let Some(lane) = lane {
                self.next_to_send = n + 1;
                let dispatched = monotonic_ns();
                if self.dispatch(core, lane, n, intended, dispatched) {
                    self.lateness.sent(lane, dispatched - intended);
                    core.recorder.record_lag(dispatched - intended);
                }
            } else {
                self.wait(core, n, now - intended);
            }
        }
    }

    #[inline]
    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended, _: u64) {
        // What was never sent was not served.
        if ended.sent > 0 {
            self.lateness.served(ended.end.saturating_sub(ended.sent));
        }
        let n = self.next_to_send;
        if n < self.noticed
            && let Some(intended) = self.intended(n)
            && core.source.is_ready()
        {
            self.send_next(core, lane, intended, ended.end);
        } else if core.transport.is_open(lane) {
            self.connected.push_back((lane, ended.end));
        } else {
            self.closed.push_back(lane);
        }
    }

    /// Also when no lane is free: a request that has to wait is seen to be due in time, so that
    /// its wait is not mistaken for lateness of the generator.
    fn next_instant(&self) -> Option<u64> {
        match self.ask_at {
            Some(again) => Some(again),
            None => self.next_due.map(|due| self.end_of_group(due)),
        }
    }

    fn has_lane(&self, now: u64) -> bool {
        let rested_since = self.connected.front().map(|(_, since)| *since);
        self.next_to_send == self.noticed
            && rested_since.is_some_and(|since| now < since + SURELY_OPEN_NS)
    }

    fn sleeps(&self) -> bool {
        true
    }

    fn is_exhausted(&self) -> bool {
        self.next_due.is_none() && self.next_to_send == self.noticed
    }

    fn deadline(&self) -> Option<u64> {
        Some(self.deadline)
    }

    fn give_up(&mut self, core: &mut Core<'_>, now: u64, fault: Fault) {
        while self.next_to_send < self.noticed {
            let n = self.next_to_send;
            self.next_to_send += 1;
            if let Some(intended) = self.intended(n) {
                let lag = self.noticed_late_by(n);
                self.record_lag_of_waiting(core, n, lag);
                core.conclude_unsent(self.turn.overall(n), intended, intended + lag, now, fault);
            }
        }
    }
}
