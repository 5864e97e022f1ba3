//! What every pace does with a request: send it, conclude it, count it.

use super::tally::Tally;
use crate::control::{Control, Counters};
use crate::recorder::{Measured, Recorder};
use crate::request::Mix;
use crate::transport::{Ended, Fault, Lane, Outcome, Transport};
use std::sync::Arc;

/// What the generator remembers of a request that is on its way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ticket {
    pub request: u32,
    pub intended: u64,
    pub dispatched: u64,
}

/// The parts of a phase, tied together.
pub struct Core<'a> {
    pub transport: &'a mut dyn Transport,
    pub recorder: &'a mut Recorder,
    pub control: &'a Control,
    mix: &'a Mix,
    phase: u32,
    /// By lane.
    tickets: Vec<Ticket>,
    pub in_flight: u64,
    pub tally: Tally,
    /// Counters of the phases before.
    before: Counters,
}

impl<'a> Core<'a> {
    pub fn new(
        transport: &'a mut dyn Transport,
        recorder: &'a mut Recorder,
        control: &'a Control,
        mix: &'a Mix,
        phase: u32,
    ) -> Self {
        let tickets = vec![Ticket::default(); transport.lanes() as usize];
        Self {
            transport,
            recorder,
            mix,
            phase,
            tickets,
            in_flight: 0,
            tally: Tally::default(),
            before: control.counters(),
            control,
        }
    }

    /// Request `n` of the phase, sent over a lane that carries none.
    #[inline]
    pub fn dispatch(&mut self, lane: Lane, n: u64, intended: u64, dispatched: u64) {
        let request = self.mix.pick(self.phase, n);
        self.tickets[lane as usize] = Ticket {
            request,
            intended,
            dispatched,
        };
        self.in_flight += 1;
        let rendered = Arc::clone(self.mix.request(request));
        self.transport.send(lane, rendered);
    }

    /// The request that the lane carried.
    #[inline]
    pub fn ticket(&self, lane: Lane) -> Ticket {
        self.tickets[lane as usize]
    }

    /// Records and counts a request that was sent, or should have been.
    #[inline]
    pub fn conclude(&mut self, ticket: Ticket, ended: &Ended) {
        let measured = Measured {
            request: ticket.request,
            intended: ticket.intended,
            dispatched: ticket.dispatched,
            sent: ended.sent,
            first_byte: ended.first_byte,
            end: ended.end,
            outcome: ended.outcome,
        };
        self.recorder.record(&measured);
        self.tally.count(&measured, self.mix.name(ticket.request));
    }

    /// Concludes request `n`, which waited in vain for a connection.
    pub fn conclude_unsent(
        &mut self,
        n: u64,
        intended: u64,
        dispatched: u64,
        now: u64,
        fault: Fault,
    ) {
        let ticket = Ticket {
            request: self.mix.pick(self.phase, n),
            intended,
            dispatched,
        };
        let ended = Ended {
            sent: 0,
            first_byte: 0,
            end: now,
            outcome: Outcome::Failed(fault),
            received: 0,
            was_heard: false,
            answer: None,
        };
        self.conclude(ticket, &ended);
    }

    /// Gives up everything that is on its way; the events follow.
    pub fn abandon_all(&mut self, fault_of: impl Fn() -> Fault) {
        for lane in 0..self.transport.lanes() {
            if self.transport.is_busy(lane) {
                self.transport.abandon(lane, fault_of());
            }
        }
    }

    /// Shows the counters to other threads.
    #[inline]
    pub fn publish(&self) {
        self.control.publish(Counters {
            intended: self.before.intended + self.tally.intended,
            answered: self.before.answered + self.tally.answered,
            failed: self.before.failed + self.tally.failed,
            in_flight: self.in_flight,
        });
    }

    pub fn into_tally(self) -> Tally {
        self.tally
    }
}
