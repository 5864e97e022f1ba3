//! The loop.

use super::HOUSEKEEPING_NS;
use super::core::{After, Core};
use super::precedence::Precedence;
use crate::transport::{Ended, Fault, Lane};
use std::io;
use tacho_clock::{MILLISECOND, monotonic_ns};

/// A source that has nothing yet is asked again after so long.
pub const ASK_AGAIN_NS: u64 = MILLISECOND;

/// When iterations begin, and on which lane. The transport and the recorder are the same for
/// every pace; this is where phases differ.
pub trait Pace {
    /// Takes up everything that is due.
    fn take_up(&mut self, core: &mut Core<'_>, now: u64);

    /// A lane has concluded its iteration and may carry another one; its user thinks for this many
    /// nanoseconds before, if it is the same one.
    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended, think_ns: u64);

    /// When something will next be due by itself.
    fn next_instant(&self) -> Option<u64>;

    /// Requests are due and no lane is free: an answer is wanted as soon as it comes.
    fn waits_for_lanes(&self) -> bool;

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

/// Answers are left alone for so long at most: their arrival is noted, but the subject may want to
/// send more than the kernel keeps for us.
const LONGEST_SLEEP_NS: u64 = MILLISECOND;

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
    let may_rest = pace.sleeps() && core.transport.note_arrivals(true);
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
        core.take_up_thought(now);
        pace.take_up(core, now);
        // Sending may have failed at once.
        handle_concluded(core, pace);
        core.publish();
        if core.is_at_rest() && (pace.is_exhausted() || core.is_exhausted()) {
            return Ok(false);
        }
        let next = [pace.next_instant(), core.next_thought()];
        let next = next.into_iter().flatten().min();
        // What is due soon after the housekeeping would be late by the coarseness of a plain wait,
        // so that is timed as well.
        match next.map(|due| due.min(housekeeping)) {
            None => core.transport.wait(housekeeping.saturating_sub(now))?,
            Some(due) => {
                let now = monotonic_ns();
                if due <= now {
                    // Taking up took its time: the next is due already.
                    core.transport.wait(0)?;
                } else if may_rest && due - now <= LONGEST_SLEEP_NS && !pace.waits_for_lanes() {
                    core.transport.rest_until(due)?;
                } else {
                    core.transport.wait_until(due, HOUSEKEEPING_NS)?;
                }
            }
        }
        handle_concluded(core, pace);
        now = monotonic_ns();
    }
}

#[inline]
fn handle_concluded<P: Pace>(core: &mut Core<'_>, pace: &mut P) {
    while let Some(mut concluded) = core.next_concluded() {
        match core.answered(&mut concluded) {
            // The next request first: the subject need not wait for our book-keeping.
            After::Free(think_ns) => {
                pace.freed(core, concluded.lane, &concluded.ended, think_ns);
            }
            After::NextStep => {}
            // The answer that counts is still to come.
            After::Redirected => continue,
        }
        core.conclude(concluded.ticket, &concluded.ended, concluded.why.as_deref());
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
    core.forget_thinking();
    core.abandon_all(in_flight);
    while let Some(concluded) = core.next_concluded() {
        core.conclude(concluded.ticket, &concluded.ended, concluded.why.as_deref());
    }
    core.publish();
}
