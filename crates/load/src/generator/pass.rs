//! The loop.

use super::HOUSEKEEPING_NS;
use super::core::Core;
use super::precedence::Precedence;
use crate::clock::monotonic_ns;
use crate::transport::{Ended, Event, Fault, Lane};
use std::io;

/// When requests are taken up, and by which lane. The transport and the recorder are the same for
/// every pace; this is where phases differ.
pub trait Pace {
    /// Takes up everything that is due.
    fn take_up(&mut self, core: &mut Core<'_>, now: u64);

    /// A lane has concluded its request and may carry another one.
    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended);

    /// When something will next be due by itself.
    fn next_instant(&self) -> Option<u64>;

    /// It sleeps between its requests, rather than sending as fast as it can.
    fn sleeps(&self) -> bool;

    /// Nothing will be taken up any more.
    fn is_exhausted(&self) -> bool;

    /// After this instant, what is not concluded is given up.
    fn deadline(&self) -> Option<u64>;

    /// Concludes what still waits for a lane.
    fn give_up(&mut self, core: &mut Core<'_>, now: u64, fault: Fault);
}

/// Tests block the loop on purpose, to see that the lag reports it.
#[cfg(test)]
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Since the start of the clock.
    pub at_ns: u64,
    pub length: std::time::Duration,
}

/// Passes through the loop until everything is concluded. True when it was stopped before that.
pub fn run_passes<P: Pace>(
    core: &mut Core<'_>,
    pace: &mut P,
    start: u64,
    #[cfg(test)] mut block: Option<Block>,
) -> io::Result<bool> {
    let mut precedence = if pace.sleeps() {
        Precedence::taken()
    } else {
        Precedence::new()
    };
    let mut housekeeping = start;
    let mut now = start;
    loop {
        if now >= housekeeping {
            housekeeping = now + HOUSEKEEPING_NS;
            if core.control.is_stopped() {
                give_up(core, pace, now, Fault::Interrupted, || Fault::Interrupted);
                return Ok(true);
            }
            if pace.deadline().is_some_and(|deadline| now >= deadline) {
                let timeout = || Fault::Timeout { received: 0 };
                give_up(core, pace, now, Fault::Unsent, timeout);
                return Ok(false);
            }
            core.transport.expire(now);
            core.recorder.tick(now);
            precedence.review();
        }
        #[cfg(test)]
        if let Some(due) = block.take_if(|block| now >= start + block.at_ns) {
            std::thread::sleep(due.length);
            now = monotonic_ns();
        }
        pace.take_up(core, now);
        // Sending may have failed at once.
        handle_events(core, pace);
        core.publish();
        if pace.is_exhausted() && core.in_flight == 0 {
            return Ok(false);
        }
        match pace.next_instant().filter(|&due| due < housekeeping) {
            None => core.transport.wait(housekeeping.saturating_sub(now))?,
            // Taking up took its time: the next may be due already.
            Some(due) if due <= monotonic_ns() => core.transport.wait(0)?,
            Some(due) => core.transport.wait_until(due, HOUSEKEEPING_NS)?,
        }
        handle_events(core, pace);
        now = monotonic_ns();
    }
}

#[inline]
fn handle_events<P: Pace>(core: &mut Core<'_>, pace: &mut P) {
    while let Some(event) = core.transport.next_event() {
        // An idle lane that was closed is opened again when it is needed.
        if let Event::Ended(lane, ended) = event {
            core.in_flight -= 1;
            let ticket = core.ticket(lane);
            // The next request first: the subject need not wait for our book-keeping.
            pace.freed(core, lane, &ended);
            core.conclude(ticket, &ended);
        }
    }
}

fn give_up<P: Pace>(
    core: &mut Core<'_>,
    pace: &mut P,
    now: u64,
    waiting: Fault,
    in_flight: impl Fn() -> Fault,
) {
    pace.give_up(core, now, waiting);
    core.abandon_all(in_flight);
    while let Some(event) = core.transport.next_event() {
        if let Event::Ended(lane, ended) = event {
            core.in_flight -= 1;
            core.conclude(core.ticket(lane), &ended);
        }
    }
    core.publish();
}
