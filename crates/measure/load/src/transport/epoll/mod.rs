//! HTTP/1.1 over TCP, Unix sockets and TLS, with one epoll instance. A lane is a connection.

mod connection;
mod conversation;
mod opening;
mod progress;
mod upgrading;

use super::arrival::Clocks;
use super::event::{Event, Lane, Limits};
use super::exchange::{CONTINUE_NS, Exchange};
use super::fault::Fault;
use super::origin::Origin;
use super::poller::Poller;
use super::reason::Reason;
use super::tls::Tls;
use super::{Transport, TransportError};
use crate::request::{Endpoint, Protocol, Rendered, WebSocket};
use connection::{Connection, Link};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tacho_http1::RecentHead;
use tacho_run_folder::AnswerEnd;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// All connections and the one epoll instance.
#[derive(Debug)]
pub struct EpollTransport {
    /// One an instance of the subject; at least one. Lanes belong to them in turn.
    origins: Box<[Origin]>,
    tls: Option<Tls>,
    /// What connections become, where they are to be WebSockets.
    websocket: Option<WebSocket>,
    authority: String,
    limits: Limits,
    poller: Poller,
    connections: Vec<Connection>,
    buffer: Box<[u8]>,
    /// Results that were known at once.
    known: VecDeque<Event>,
    established: u64,
    /// Messages of WebSockets that nobody waited for.
    unasked: u64,
    /// The kernel is asked for stamps, also on connections to come.
    stamps_arrivals: bool,
    /// Requests say which connection carried them.
    names_connections: bool,
    clocks: Clocks,
    recent_head: RecentHead,
}

impl EpollTransport {
    /// No lanes yet. A name is resolved here, which may take as long as a connection may.
    ///
    /// # Errors
    /// When the kernel gives no epoll instance, or the files of the TLS options are of no use.
    pub fn new(endpoint: &Endpoint, limits: Limits) -> Result<Self, TransportError> {
        let tls = endpoint.tls.as_ref();
        Ok(Self {
            tls: tls.map(|options| Tls::new(options, endpoint)).transpose()?,
            origins: std::iter::once(&endpoint.address)
                .chain(&endpoint.others)
                .map(|address| Origin::new(address, Duration::from_nanos(limits.connect_ns)))
                .collect(),
            websocket: endpoint.websocket.clone(),
            authority: endpoint.authority.clone(),
            limits,
            poller: Poller::new()?,
            connections: Vec::new(),
            buffer: vec![0; BUFFER_BYTES].into(),
            known: VecDeque::new(),
            established: 0,
            unasked: 0,
            stamps_arrivals: false,
            names_connections: false,
            clocks: Clocks::default(),
            recent_head: RecentHead::default(),
        })
    }

    /// Handles one socket.
    fn handle_next(&mut self) -> Option<Option<Event>> {
        let (token, flags) = self.poller.next()?;
        let current = self
            .connections
            .get(token.slot as usize)
            .is_some_and(|c| c.generation == token.generation);
        Some(if current {
            self.advance(token.slot, flags)
        } else {
            None
        })
    }

    fn expire_lane(&mut self, lane: Lane, now: u64) {
        let connection = &mut self.connections[lane as usize];
        if let Link::Upgrading(upgrading) = &connection.link {
            if now.saturating_sub(upgrading.since()) > self.limits.connect_ns {
                self.fail(lane, Fault::ConnectTimeout);
            }
        } else if let Link::Opening(approach) = &connection.link {
            if now.saturating_sub(approach.since()) > self.limits.connect_ns {
                self.fail(lane, Fault::ConnectTimeout);
            } else if approach.is_queueing()
                && let Err(fault) = self.go_on_opening(lane)
            {
                self.fail(lane, fault);
            }
        } else if let Some(exchange) = &mut connection.exchange
            && exchange.sent > 0
        {
            let waited = now.saturating_sub(exchange.sent);
            if waited > self.limits.request_ns {
                let received = exchange.received;
                self.abandon(lane, Fault::Timeout { received });
            } else if exchange.holds_body_back && waited > CONTINUE_NS {
                exchange.holds_body_back = false;
                self.write_on(lane);
            }
        }
    }
}

impl Transport for EpollTransport {
    fn set_lanes(&mut self, lanes: u32) {
        self.connections
            .resize_with(lanes as usize, Connection::default);
        // Each lane has at most two results at hand: one that ended and one that closed.
        self.known.clear();
        self.known.reserve(2 * lanes as usize);
    }

    fn lanes(&self) -> u32 {
        self.connections.len() as u32
    }

    fn instances(&self) -> u32 {
        self.origins.len() as u32
    }

    fn connections_for(&self, lanes: u32) -> u32 {
        lanes
    }

    #[inline]
    fn is_open(&self, lane: Lane) -> bool {
        matches!(self.connections[lane as usize].link, Link::Open(_))
    }

    fn established(&self) -> u64 {
        self.established
    }

    fn open(&mut self, lane: Lane) {
        if let Err(fault) = self.begin_connect(lane) {
            self.known.push_back(Event::Closed(lane, Some(fault)));
        }
    }

    #[inline]
    fn send(&mut self, lane: Lane, request: Arc<Rendered>) {
        let connection = &mut self.connections[lane as usize];
        let fits = request.is_for(match self.websocket {
            Some(_) => Protocol::WebSocket,
            None => Protocol::Http1,
        });
        connection.exchange = Some(Exchange::new(request));
        if !fits {
            let reason = Reason::of("the request was rendered for another protocol than this");
            return self.conclude(lane, Fault::Protocol(reason));
        }
        match connection.link {
            Link::Open(_) => self.write_on(lane),
            Link::Closed => {
                if let Err(fault) = self.begin_connect(lane) {
                    self.fail(lane, fault);
                }
            }
            Link::Opening(_) | Link::Upgrading(_) => {}
        }
    }

    fn abandon(&mut self, lane: Lane, fault: Fault) {
        self.connections[lane as usize].close();
        self.conclude(lane, fault);
    }

    fn is_busy(&self, lane: Lane) -> bool {
        self.connections[lane as usize].exchange.is_some()
    }

    fn expire(&mut self, now: u64) {
        for lane in 0..self.lanes() {
            self.expire_lane(lane, now);
        }
    }

    fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
        self.poller.wait(at_most_ns)?;
        if self.stamps_arrivals {
            self.clocks.look();
        }
        Ok(())
    }

    fn wait_until(&mut self, instant: u64, at_most_ns: u64) -> io::Result<()> {
        self.poller.set_alarm(instant)?;
        self.wait(at_most_ns)
    }

    /// Reports messages that no request waited for. An answer is matched to its request only by its
    /// position in the stream, so such messages put the answers in doubt.
    fn trouble(&self) -> Option<String> {
        (self.unasked > 0).then(|| {
            format!(
                "{} messages came over WebSockets while nobody waited for one: the subject also \
                 speaks by itself, and what counts as an answer may be no answer; say with \
                 --greeting (or `greeting` of a request) how many messages it begins with, and \
                 with --expect what an answer is",
                self.unasked
            )
        })
    }

    fn stamp_arrivals(&mut self) {
        self.stamps_arrivals = true;
        for connection in &mut self.connections {
            if let Link::Open(stream) = &mut connection.link {
                stream.stamp_arrivals();
            }
        }
    }

    fn name_connections(&mut self) {
        self.names_connections = true;
    }

    fn ends(&self) -> AnswerEnd {
        match (self.clocks.is_stamped(), &self.tls) {
            (false, _) => AnswerEnd::AfterRead,
            (true, None) => AnswerEnd::KernelStamp,
            (true, Some(_)) => AnswerEnd::KernelStampOfRecord,
        }
    }

    #[inline]
    fn may_read_late(&self) -> bool {
        self.clocks.is_stamped()
    }

    #[inline]
    fn next_event(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.known.pop_front() {
                return Some(event);
            }
            if let Some(event) = self.handle_next()? {
                return Some(event);
            }
        }
    }
}
