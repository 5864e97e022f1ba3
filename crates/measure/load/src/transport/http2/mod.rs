//! HTTP/2 over TLS or plain sockets. A lane is a stream; a number of lanes share a connection.
//!
//! The frames are h2's business, as they are hyper's. It is driven without a runtime: a connection
//! is polled when epoll reports its socket, or when something was queued on it; a lane is polled
//! when h2 rings its bell.
//!
//! Where the subject allows fewer streams than are wanted, a connection gets fewer lanes and there
//! are more connections, so that no request waits inside this process.

mod bells;
mod connection;
mod exchange;
mod fault;
mod fuzzing;
mod grpc;
mod io;
mod lanes;
mod session;

#[doc(hidden)]
pub use fuzzing::read_frames;

use super::arrival::Clocks;
use super::event::{Event, Lane, Limits};
use super::fault::Fault;
use super::origin::Origin;
use super::poller::Poller;
use super::reason::Reason;
use super::tls::Tls;
use super::{Transport, TransportError};
use crate::request::{Endpoint, Protocol, Rendered};
use bells::Bells;
use connection::{Connection, Link};
use lanes::Carried;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use tacho_run_folder::AnswerEnd;

/// After this many turns a connection has to wait for the next pass, so that an answer without end
/// does not keep the loop from its housekeeping.
const TURNS_A_PASS: u32 = 16;

/// All lanes, all connections, and the one epoll instance.
#[derive(Debug)]
pub struct Http2Transport {
    origin: Origin,
    tls: Option<Tls>,
    limits: Limits,
    poller: Poller,
    clocks: Arc<Clocks>,
    /// Lanes a connection, unless the subject allows fewer streams.
    streams: NonZeroU32,
    /// Slots. A group of lanes has one; those that are left over finish what they carry.
    connections: Vec<Connection>,
    /// Slot of each group of lanes.
    groups: Vec<u32>,
    lanes: Vec<Carried>,
    connection_bells: Bells,
    lane_bells: Bells,
    /// Connections that have something to do.
    rung: VecDeque<u32>,
    /// Kept for its memory.
    numbers: Vec<u32>,
    /// Results that were not asked for yet.
    known: VecDeque<Event>,
    established: u64,
}

impl Http2Transport {
    /// No lanes yet. A name is resolved here, which may take as long as a connection may.
    ///
    /// # Errors
    /// When the kernel gives no epoll instance, or the files of the TLS options are of no use.
    pub fn new(
        endpoint: &Endpoint,
        limits: Limits,
        streams: NonZeroU32,
    ) -> Result<Self, TransportError> {
        let tls = endpoint.tls.as_ref();
        Ok(Self {
            tls: tls.map(|options| Tls::new(options, endpoint)).transpose()?,
            origin: Origin::new(&endpoint.address, Duration::from_nanos(limits.connect_ns)),
            limits,
            poller: Poller::new()?,
            clocks: Arc::default(),
            streams,
            connections: Vec::new(),
            groups: Vec::new(),
            lanes: Vec::new(),
            connection_bells: Bells::default(),
            lane_bells: Bells::default(),
            rung: VecDeque::new(),
            numbers: Vec::new(),
            known: VecDeque::new(),
            established: 0,
        })
    }

    fn group_of(&self, lane: Lane) -> usize {
        (lane / self.streams) as usize
    }

    fn slot_of(&self, lane: Lane) -> u32 {
        self.groups[self.group_of(lane)]
    }

    /// A slot for each group of lanes; the connections of groups that are no more are closed.
    fn regroup(&mut self) {
        let groups = self.lanes().div_ceil(self.streams.get()) as usize;
        for slot in self.groups.drain(groups.min(self.groups.len())..) {
            self.connections[slot as usize].group = None;
            if self.connections[slot as usize].carries == 0 {
                self.connections[slot as usize].close();
            }
        }
        while self.groups.len() < groups {
            let slot = self.free_slot();
            self.connections[slot as usize].group = Some(self.groups.len());
            self.groups.push(slot);
        }
    }

    /// A closed slot that belongs to no group.
    fn free_slot(&mut self) -> u32 {
        let is_free = |c: &Connection| c.group.is_none() && matches!(c.link, Link::Closed);
        let slot = self.connections.iter().position(is_free);
        slot.unwrap_or_else(|| {
            self.connections.push(Connection::default());
            self.connection_bells.provide(self.connections.len());
            self.connections.len() - 1
        }) as u32
    }

    fn ring(&self, slot: u32) {
        self.connection_bells.waker(slot).wake_by_ref();
    }

    /// Begins a pass. True when connections have something to do already.
    fn begin_pass(&mut self) -> bool {
        for connection in &mut self.connections {
            connection.turns = 0;
        }
        self.hear_bells();
        !self.rung.is_empty()
    }

    fn hear_bells(&mut self) {
        self.numbers.clear();
        self.connection_bells.answer(&mut self.numbers);
        for slot in self.numbers.drain(..) {
            if !self.rung.contains(&slot) {
                self.rung.push_back(slot);
            }
        }
    }

    /// Has one connection take its turn. False when none wants to, or may.
    fn take_turn(&mut self) -> bool {
        self.hear_bells();
        let may = |slot: &u32| self.connections[*slot as usize].turns < TURNS_A_PASS;
        let Some(at) = self.rung.iter().position(may) else {
            return false;
        };
        if let Some(slot) = self.rung.remove(at) {
            self.connections[slot as usize].turns += 1;
            self.drive(slot);
            self.attend_lanes();
        }
        true
    }
}

impl Transport for Http2Transport {
    fn set_lanes(&mut self, lanes: u32) {
        for lane in lanes..self.lanes() {
            drop(self.end_exchange(lane));
        }
        self.lanes.resize_with(lanes as usize, Carried::default);
        self.lane_bells.provide(lanes as usize);
        self.known.clear();
        self.known.reserve(2 * lanes as usize);
        self.regroup();
    }

    fn lanes(&self) -> u32 {
        self.lanes.len() as u32
    }

    /// The number while the subject allows this many streams, doubled: each connection may still be
    /// closing while its successor opens.
    fn connections_for(&self, lanes: u32) -> u32 {
        lanes.div_ceil(self.streams.get()).saturating_mul(2)
    }

    fn is_open(&self, lane: Lane) -> bool {
        let link = &self.connections[self.slot_of(lane) as usize].link;
        matches!(link, Link::Open(_))
    }

    fn established(&self) -> u64 {
        self.established
    }

    fn open(&mut self, lane: Lane) {
        if self.is_open(lane) {
            self.known.push_back(Event::Opened(lane));
            return;
        }
        self.lanes[lane as usize].is_awaited = true;
        self.see_to_connection(self.slot_of(lane));
    }

    fn send(&mut self, lane: Lane, request: Arc<Rendered>) {
        let fits = request.is_for(Protocol::Http2);
        self.lanes[lane as usize].begin(request);
        if fits {
            self.start(lane);
        } else {
            let reason =
                Reason::of("the request was rendered for HTTP/1.1, the connection is HTTP/2");
            self.conclude(lane, Fault::Protocol(reason));
        }
    }

    /// The stream is reset; the connection goes on.
    fn abandon(&mut self, lane: Lane, fault: Fault) {
        self.conclude(lane, fault);
    }

    fn is_busy(&self, lane: Lane) -> bool {
        self.lanes[lane as usize].exchange.is_some()
    }

    fn expire(&mut self, now: u64) {
        for slot in 0..self.connections.len() as u32 {
            self.expire_opening(slot, now);
        }
        for lane in 0..self.lanes() {
            self.expire_lane(lane, now);
        }
    }

    fn ends(&self) -> AnswerEnd {
        match self.clocks.is_stamped() {
            true => AnswerEnd::KernelStampOfFrame,
            false => AnswerEnd::AfterRead,
        }
    }

    fn wait(&mut self, at_most_ns: u64) -> std::io::Result<()> {
        let has_work = self.begin_pass();
        self.poller.wait(if has_work { 0 } else { at_most_ns })?;
        self.clocks.look();
        Ok(())
    }

    fn wait_until(&mut self, instant: u64, at_most_ns: u64) -> std::io::Result<()> {
        self.poller.set_alarm(instant)?;
        self.wait(at_most_ns)
    }

    fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.known.pop_front() {
                return Some(event);
            }
            if self.take_turn() {
                continue;
            }
            let (token, _) = self.poller.next()?;
            let connection = self.connections.get_mut(token.slot as usize);
            if let Some(connection) = connection
                && connection.generation == token.generation
            {
                connection.turns = 0;
                self.ring(token.slot);
            }
        }
    }
}
