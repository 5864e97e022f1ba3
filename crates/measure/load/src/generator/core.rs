//! What every pace does with a request: send it, conclude it, count it; and what follows from its
//! answer.

use super::source::{Begun, Next, Source};
use super::tally::Tally;
use super::thinking::Thinking;
use crate::control::{Control, Counters};
use crate::recorder::{Measured, Recorder};
use crate::request::Rendered;
use crate::transport::{Ended, Event, Fault, Lane, Outcome, Transport};
use std::collections::VecDeque;
use std::sync::Arc;
use tacho_clock::monotonic_ns;

/// What the generator remembers of a request that is on its way.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ticket {
    pub kind: u32,
    pub intended: u64,
    pub dispatched: u64,
    /// When the request was first sent that was redirected to this one; 0 when none was.
    pub first_sent: u64,
}

impl Ticket {
    fn of(kind: u32, intended: u64, dispatched: u64) -> Self {
        Self {
            kind,
            intended,
            dispatched,
            first_sent: 0,
        }
    }
}

/// What became of a lane's request.
#[derive(Debug)]
pub struct Concluded {
    pub lane: Lane,
    pub ticket: Ticket,
    pub ended: Ended,
    /// Why it failed, when its outcome alone does not say.
    pub why: Option<String>,
}

/// What follows from an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// The iteration is over, and the lane is free. A user who begins another one on it thinks for
    /// this many nanoseconds first.
    Free(u64),
    /// Another step of the iteration follows on the lane.
    NextStep,
    /// The request goes on elsewhere; it is not concluded yet.
    Redirected,
}

/// The parts of a phase, tied together.
pub struct Core<'a> {
    pub transport: &'a mut dyn Transport,
    pub recorder: &'a mut Recorder,
    pub control: &'a Control,
    pub source: &'a mut dyn Source,
    is_conversational: bool,
    phase: u32,
    /// What each lane carries, by its number.
    tickets: Vec<Ticket>,
    pub in_flight: u64,
    thinking: Thinking,
    /// Requests that could not be made: they end without having been sent.
    unmade: VecDeque<Concluded>,
    is_exhausted: bool,
    /// Bytes.
    largest_answer: u64,
    pub tally: Tally,
    /// Counters of the phases before.
    before: Counters,
    /// As in [`super::Options`].
    pub shares_one_processor: bool,
}

impl<'a> Core<'a> {
    pub fn new(
        transport: &'a mut dyn Transport,
        recorder: &'a mut Recorder,
        control: &'a Control,
        source: &'a mut dyn Source,
        phase: u32,
    ) -> Self {
        let tickets = vec![Ticket::default(); transport.lanes() as usize];
        Self {
            transport,
            recorder,
            is_conversational: source.is_conversational(),
            source,
            phase,
            tickets,
            in_flight: 0,
            thinking: Thinking::default(),
            unmade: VecDeque::new(),
            is_exhausted: false,
            largest_answer: 0,
            tally: Tally::default(),
            before: control.counters(),
            control,
            shares_one_processor: false,
        }
    }

    /// Iteration `n` of the phase begins on a lane that carries nothing. False when there is
    /// nothing left to send; then the lane still carries nothing.
    #[inline]
    pub fn dispatch(&mut self, lane: Lane, n: u64, intended: u64, dispatched: u64) -> bool {
        let ticket = |kind| Ticket::of(kind, intended, dispatched);
        match self.source.begin(lane, self.phase, n) {
            Begun::Send(kind, request) => self.put(lane, ticket(kind), request),
            Begun::Failed(kind, fault, why) => self.put_unmade(lane, ticket(kind), fault, why),
            Begun::Exhausted => {
                self.is_exhausted = true;
                return false;
            }
        }
        true
    }

    #[inline]
    fn put(&mut self, lane: Lane, ticket: Ticket, request: Arc<Rendered>) {
        self.tickets[lane as usize] = ticket;
        self.in_flight += 1;
        self.transport.send(lane, request);
    }

    /// The next request that is concluded. Lanes that are opened or closed meanwhile are the
    /// transport's business: they are opened again when they are needed.
    #[inline]
    pub fn next_concluded(&mut self) -> Option<Concluded> {
        loop {
            if let Some(concluded) = self.unmade.pop_front() {
                self.in_flight -= 1;
                return Some(concluded);
            }
            if let Event::Ended(lane, ended) = self.transport.next_event()? {
                self.in_flight -= 1;
                return Some(Concluded {
                    lane,
                    ticket: self.tickets[lane as usize],
                    ended,
                    why: None,
                });
            }
        }
    }

    /// Shows the answer to the source, if the source wants to see answers, and does what follows.
    #[inline]
    pub fn answered(&mut self, concluded: &mut Concluded) -> After {
        if !self.is_conversational || concluded.why.is_some() {
            return After::Free(0);
        }
        let (lane, ended) = (concluded.lane, &mut concluded.ended);
        match self.source.answered(lane, concluded.ticket.kind, ended) {
            Next::Done => After::Free(0),
            Next::DoneAndThink(think_ns) => After::Free(think_ns),
            Next::Failed(fault, why) => {
                ended.outcome = Outcome::Failed(fault);
                concluded.why = Some(why);
                After::Free(0)
            }
            Next::Then(kind, 0) => {
                let now = monotonic_ns();
                self.take_step(lane, kind, ended.end, now);
                After::NextStep
            }
            Next::Then(kind, think_ns) => {
                let due = ended.end.saturating_add(think_ns);
                self.thinking.push(due, lane, kind);
                After::NextStep
            }
            Next::Redirected(request) => {
                let ticket = Ticket {
                    first_sent: ended.sent,
                    ..concluded.ticket
                };
                self.put(lane, ticket, request);
                After::Redirected
            }
        }
    }

    /// Sends the steps whose users have thought long enough.
    pub fn take_up_thought(&mut self, now: u64) {
        while let Some((intended, lane, kind)) = self.thinking.pop_due(now) {
            self.take_step(lane, kind, intended, monotonic_ns());
        }
    }

    /// The next step of an iteration that is under way.
    fn take_step(&mut self, lane: Lane, kind: u32, intended: u64, dispatched: u64) {
        let ticket = Ticket::of(kind, intended, dispatched);
        self.tally.intended += 1;
        self.recorder
            .record_lag(dispatched.saturating_sub(intended));
        match self.source.step(lane, kind) {
            Begun::Send(_, request) => self.put(lane, ticket, request),
            Begun::Failed(_, fault, why) => self.put_unmade(lane, ticket, fault, why),
            Begun::Exhausted => {
                let why = "there is no such step".to_owned();
                self.put_unmade(lane, ticket, Fault::Template, why);
            }
        }
    }

    fn put_unmade(&mut self, lane: Lane, ticket: Ticket, fault: Fault, why: String) {
        self.in_flight += 1;
        self.unmade.push_back(Concluded {
            lane,
            ticket,
            ended: Ended::failed(fault, monotonic_ns()),
            why: Some(why),
        });
    }

    /// When the next user will have thought long enough.
    pub fn next_thought(&self) -> Option<u64> {
        self.thinking.next()
    }

    /// Drops the steps of users who are still thinking: they will not be sent.
    pub fn forget_thinking(&mut self) {
        self.thinking.clear();
    }

    /// Whether answers may be read later than they arrive: nothing follows from an answer, and the
    /// kernel keeps the instant of its arrival.
    #[inline]
    pub fn may_read_late(&self) -> bool {
        !self.is_conversational && self.transport.may_read_late()
    }

    /// Bytes of the largest answer of the phase.
    #[inline]
    pub fn largest_answer(&self) -> u64 {
        self.largest_answer
    }

    /// Nothing is on its way and nobody thinks.
    pub fn is_at_rest(&self) -> bool {
        self.in_flight == 0 && self.thinking.is_empty()
    }

    /// There is nothing left to send.
    pub fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Records and counts a request that was sent, or should have been.
    #[inline]
    pub fn conclude(&mut self, ticket: Ticket, ended: &Ended, why: Option<&str>) {
        self.largest_answer = self.largest_answer.max(ended.received);
        let sent = match ticket.first_sent {
            0 => ended.sent,
            first => first,
        };
        let measured = Measured {
            request: ticket.kind,
            intended: ticket.intended,
            dispatched: ticket.dispatched,
            sent,
            first_byte: ended.first_byte,
            end: ended.end,
            outcome: ended.outcome,
            via: ended.via,
        };
        self.recorder.record(&measured);
        let name = self
            .source
            .kinds()
            .get(ticket.kind as usize)
            .map_or("", String::as_str);
        self.tally.count(&measured, name, why);
    }

    /// Concludes iteration `n`, which waited in vain for a connection.
    pub fn conclude_unsent(
        &mut self,
        n: u64,
        intended: u64,
        dispatched: u64,
        now: u64,
        fault: Fault,
    ) {
        let kind = self.source.first_kind(self.phase, n);
        let ticket = Ticket::of(kind, intended, dispatched);
        self.conclude(ticket, &Ended::failed(fault, now), None);
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
