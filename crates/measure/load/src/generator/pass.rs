//! The loop.

use super::HOUSEKEEPING_NS;
use super::core::{After, Core};
use super::early::EarlyWake;
use super::precedence::Precedence;
use crate::transport::{Ended, Fault, Lane};
use std::io;
use tacho_clock::{MILLISECOND, monotonic_ns};
use tacho_run_folder::{AnswerEnd, EarlyWake as Waking};

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

    /// Whether the next request will find a free lane that has carried a request lately. If not,
    /// the loop must hear at once of events on the lanes: an answer, or that the subject closes a
    /// lane which it thinks idle.
    fn has_lane(&self, now: u64) -> bool;

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

/// Answers are looked at after so many requests where nobody waits for them, and with each
/// housekeeping: their arrival is stamped, and the code that reads them is cold after each sleep,
/// so that several at a time cost less.
const LOOK_AFTER: u64 = 32;

/// The subject may want to send more than the kernel keeps for us, which is 128 KiB of a connection
/// (`net.ipv4.tcp_rmem`), that carries one answer at a time. Larger answers are looked at as they
/// come.
const SMALL_ANSWER: u64 = 16 * 1024;

/// When the thread is awake this shortly before housekeeping is due, it does it at once, and need
/// not wake for it.
const HOUSEKEEPING_EARLY_NS: u64 = 5 * MILLISECOND;

/// How the passes went.
#[derive(Debug, Clone, Copy)]
pub struct Passed {
    /// They were stopped before everything was concluded.
    pub is_interrupted: bool,
    /// Of the thread's processor time, what it took to be awake in time.
    pub spun_ns: u64,
    /// Whether the thread tried to wake early.
    pub early_wake: Waking,
    /// How the end of the last requests was timed.
    pub ends: AnswerEnd,
}

/// Passes through the loop until everything is concluded. A pass first sends what is due, and then
/// looks at answers. Answers can wait, since the kernel notes when they end. The instant of sending
/// cannot: nothing else keeps it.
pub fn run_passes<P: Pace>(
    core: &mut Core<'_>,
    pace: &mut P,
    start: u64,
    #[cfg(test)] mut block: Option<Block>,
) -> io::Result<Passed> {
    let mut precedence = if pace.sleeps() {
        Precedence::taken()
    } else {
        Precedence::new()
    };
    if pace.sleeps() {
        core.transport.stamp_arrivals();
    }
    let mut early = EarlyWake::new(start, pace.sleeps(), core.shares_one_processor);
    let mut housekeeping = start;
    let mut now = start;
    // Requests that had been taken up when answers were last looked at.
    let mut looked_after = 0;
    let mut has_news = false;
    loop {
        #[cfg(test)]
        if let Some(due) = block.take_if(|block| now >= start + block.at_ns) {
            std::thread::sleep(due.length);
            now = monotonic_ns();
        }
        core.take_up_thought(now);
        pace.take_up(core, now);
        let keeps_house = now + HOUSEKEEPING_EARLY_NS >= housekeeping;
        let is_few = core.tally.intended < looked_after + LOOK_AFTER;
        if has_news || keeps_house || !is_few || !can_wait(core, pace, now) {
            if !has_news {
                core.transport.look()?;
            }
            looked_after = core.tally.intended;
            // Handle everything that came while the thread waited, and what could not be sent. The
            // next look reports only what comes after this one, so nothing may be left.
            handle_concluded(core, pace);
            has_news = false;
            core.publish();
            if core.is_at_rest() && (pace.is_exhausted() || core.is_exhausted()) {
                return Ok(early.passed(false, core.transport.ends()));
            }
        }
        // After the look: an answer that has come is not given up for not having been read.
        if keeps_house {
            housekeeping = now + HOUSEKEEPING_NS;
            if core.control.is_stopped() {
                give_up(core, pace, now, Fault::Interrupted, || Fault::Interrupted);
                return Ok(early.passed(true, core.transport.ends()));
            }
            if pace.deadline().is_some_and(|deadline| now >= deadline) {
                let timeout = || Fault::Timeout { received: 0 };
                give_up(core, pace, now, Fault::Unsent, timeout);
                return Ok(early.passed(false, core.transport.ends()));
            }
            core.transport.expire(now);
            core.recorder.tick(now);
            precedence.review();
        }
        let next = [pace.next_instant(), core.next_thought()];
        let next = next.into_iter().flatten().min();
        now = monotonic_ns();
        now = match next {
            // Sending took so long that the next request is due already. It goes first; answers are
            // looked at afterwards.
            Some(due) if due <= now => now,
            Some(due) if due <= housekeeping => {
                let sleeps_through = can_wait(core, pace, now);
                let woke = early.until(due, |alarm| match sleeps_through {
                    true => core.transport.sleep_until(alarm),
                    false => core.transport.wait_until(alarm, HOUSEKEEPING_NS),
                })?;
                has_news = !sleeps_through;
                woke
            }
            _ => {
                core.transport.wait_until(housekeeping, HOUSEKEEPING_NS)?;
                has_news = true;
                monotonic_ns()
            }
        };
    }
}

/// Whether reading answers can wait: nothing follows from an answer, the next request has a
/// connection without it, and the kernel keeps both the answer and the instant of its arrival.
#[inline]
fn can_wait<P: Pace>(core: &Core<'_>, pace: &P, now: u64) -> bool {
    core.may_read_late() && pace.has_lane(now) && core.largest_answer() <= SMALL_ANSWER
}

/// Handles all that is known to have happened. What falls due meanwhile is sent between two
/// answers: to read many of them takes longer than the time between two requests.
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
        if let Some(due) = pace.next_instant() {
            let now = monotonic_ns();
            if due <= now {
                pace.take_up(core, now);
            }
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
    core.forget_thinking();
    core.abandon_all(in_flight);
    while let Some(concluded) = core.next_concluded() {
        core.conclude(concluded.ticket, &concluded.ended, concluded.why.as_deref());
    }
    core.publish();
}
