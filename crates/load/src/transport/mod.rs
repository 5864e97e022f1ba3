//! Sockets: carries requests to the subject and reports what became of them.
//!
//! The rest of the engine sees *lanes*: a lane carries one request at a time. What a lane is made
//! of is the transport's own business; here it is one HTTP/1.1 connection over TCP. (With HTTP/2
//! a lane would be a stream; with TLS its bytes would pass through a session; with io_uring
//! [`Transport::wait`] would reap completions. Lanes and [`Event`]s stay the same.)
//!
//! Nothing here knows of schedules or histograms. Results come out of [`Transport::next_event`]
//! only, failures that are known at once included, so there is one place where they are handled.

mod connection;
pub mod descriptors;
mod event;
mod fault;
pub mod http1;
mod poller;
mod progress;

use crate::request::Rendered;
use connection::{Connection, Exchange, Link};
pub use event::{Ended, Event, Lane, Limits};
pub use fault::{Excerpt, Fault, Outcome};
use poller::Poller;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// All lanes and the one epoll instance.
#[derive(Debug)]
pub struct Transport {
    address: SocketAddr,
    requests: Arc<[Rendered]>,
    limits: Limits,
    poller: Poller,
    connections: Vec<Connection>,
    buffer: Box<[u8]>,
    /// Results that were known at once.
    known: VecDeque<Event>,
    established: u64,
}

impl Transport {
    /// No lanes yet.
    ///
    /// # Errors
    /// When the kernel gives no epoll instance.
    pub fn new(address: SocketAddr, requests: Arc<[Rendered]>, limits: Limits) -> io::Result<Self> {
        Ok(Self {
            address,
            requests,
            limits,
            poller: Poller::new()?,
            connections: Vec::new(),
            buffer: vec![0; BUFFER_BYTES].into(),
            known: VecDeque::new(),
            established: 0,
        })
    }

    /// Has so many lanes from now on; those that are too many are closed.
    pub fn set_lanes(&mut self, lanes: u32) {
        self.connections
            .resize_with(lanes as usize, Connection::new);
        // Each lane has at most two results at hand: one that ended and one that closed.
        self.known.clear();
        self.known.reserve(2 * lanes as usize);
    }

    /// Number of lanes.
    #[must_use]
    pub fn lanes(&self) -> u32 {
        self.connections.len() as u32
    }

    /// The lane is connected.
    #[inline]
    #[must_use]
    pub fn is_open(&self, lane: Lane) -> bool {
        matches!(self.connections[lane as usize].link, Link::Open(_))
    }

    /// Connections established so far.
    #[must_use]
    pub fn established(&self) -> u64 {
        self.established
    }

    /// Begins to connect a closed lane; [`Event::Opened`] or [`Event::Closed`] follows.
    pub fn open(&mut self, lane: Lane) {
        if let Err(fault) = self.begin_connect(lane) {
            self.known.push_back(Event::Closed(lane, Some(fault)));
        }
    }

    /// Sends request number `request` of the mix over a lane that carries none; connects first
    /// where that is needed. [`Event::Ended`] follows, in every case.
    #[inline]
    pub fn send(&mut self, lane: Lane, request: u32) {
        let connection = &mut self.connections[lane as usize];
        connection.exchange = Some(Exchange {
            request,
            written: 0,
            sent: 0,
            first_byte: 0,
            received: 0,
            is_retry: false,
        });
        match connection.link {
            Link::Open(_) => self.write_on(lane),
            Link::Closed => {
                if let Err(fault) = self.begin_connect(lane) {
                    self.fail(lane, fault);
                }
            }
            Link::Connecting(..) => {}
        }
    }

    /// Gives up what the lane carries, and closes it. [`Event::Ended`] follows if it carries any.
    pub fn abandon(&mut self, lane: Lane, fault: Fault) {
        let connection = &mut self.connections[lane as usize];
        connection.close();
        if let Some(exchange) = connection.exchange.take() {
            self.known.push_back(Event::failed(lane, &exchange, fault));
        }
    }

    /// The lane carries a request.
    #[must_use]
    pub fn is_busy(&self, lane: Lane) -> bool {
        self.connections[lane as usize].exchange.is_some()
    }

    /// Gives up what has been waited for longer than the limits allow.
    pub fn expire(&mut self, now: u64) {
        for lane in 0..self.lanes() {
            let connection = &self.connections[lane as usize];
            if let Link::Connecting(_, since) = connection.link
                && now.saturating_sub(since) > self.limits.connect_ns
            {
                self.fail(lane, Fault::ConnectTimeout);
            } else if let Some(exchange) = connection.exchange
                && exchange.sent > 0
                && now.saturating_sub(exchange.sent) > self.limits.request_ns
            {
                let received = exchange.received;
                self.abandon(lane, Fault::Timeout { received });
            }
        }
    }

    /// Waits until something happens, at most so long (in milliseconds, rounded up).
    ///
    /// # Errors
    /// When epoll fails, which it does not do for reasons of this process.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        self.poller.wait(at_most_ns)
    }

    /// Waits until something happens or this instant of the monotonic clock has come, exact to the
    /// nanosecond, at most so long.
    ///
    /// # Errors
    /// As [`Transport::wait`].
    pub fn wait_until(&mut self, instant: u64, at_most_ns: u64) -> io::Result<()> {
        self.poller.set_alarm(instant)?;
        self.poller.wait(at_most_ns)
    }

    /// The next result. Handles one socket at a time, so that the caller can send between two.
    #[inline]
    pub fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.known.pop_front() {
                return Some(event);
            }
            let (token, flags) = self.poller.next()?;
            let current = self
                .connections
                .get(token.slot as usize)
                .is_some_and(|c| c.generation == token.generation);
            if current && let Some(event) = self.advance(token.slot, flags) {
                return Some(event);
            }
        }
    }
}
