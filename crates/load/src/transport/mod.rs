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
mod fault;
pub mod http1;
mod poller;

use crate::clock::monotonic_ns;
use crate::request::Rendered;
use connection::{Connection, Exchange, Link, open_socket, write};
pub use fault::{Excerpt, Fault, Outcome};
use http1::{Answer, Progress};
use poller::Poller;
use rustix::event::epoll::EventFlags;
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv, sockopt};
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// Carries one request at a time.
pub type Lane = u32;

/// What the transport reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// [`Transport::open`] succeeded.
    Opened(Lane),
    /// [`Transport::open`] failed, or an idle lane was closed by the peer.
    Closed(Lane, Option<Fault>),
    /// A request was concluded.
    Ended(Lane, Ended),
}

/// A request that was concluded. Instants are monotonic nanoseconds, 0 when never reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Just before the system call that wrote its first byte.
    pub sent: u64,
    /// After the system call that read the first byte of the answer.
    pub first_byte: u64,
    /// After the system call that read the last byte of the answer, or when the fault was known.
    pub end: u64,
    /// What became of it.
    pub outcome: Outcome,
    /// Some byte of an answer came; a lane that fails without one is better left alone a while.
    pub was_heard: bool,
}

/// Time limits in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a connection to be established.
    pub connect_ns: u64,
    /// From sent to end.
    pub request_ns: u64,
}

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 64 * 1024;

/// After so many reads the other lanes get their turn.
const READS_A_TURN: usize = 16;

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
            self.known.push_back(ended(lane, exchange, fault));
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

    /// Waits until something happens, at most so long.
    ///
    /// # Errors
    /// When epoll fails, which it does not do for reasons of this process.
    pub fn wait(&mut self, at_most_ns: u64) -> io::Result<()> {
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

    fn begin_connect(&mut self, lane: Lane) -> Result<(), Fault> {
        let socket = open_socket(&self.address)?;
        let connection = &mut self.connections[lane as usize];
        connection.close();
        self.poller
            .add(&socket, connection.token(lane))
            .map_err(Fault::of_errno)?;
        connection.link = Link::Connecting(socket, monotonic_ns());
        Ok(())
    }

    fn advance(&mut self, lane: Lane, flags: EventFlags) -> Option<Event> {
        let connection = &mut self.connections[lane as usize];
        if let Link::Connecting(socket, _) = &connection.link {
            match sockopt::socket_error(socket) {
                Ok(Ok(())) => {}
                Ok(Err(errno)) | Err(errno) => {
                    self.fail(lane, Fault::of_errno(errno));
                    return None;
                }
            }
            let Link::Connecting(socket, _) = std::mem::replace(&mut connection.link, Link::Closed)
            else {
                return None;
            };
            connection.link = Link::Open(socket);
            self.established += 1;
            if connection.exchange.is_none() {
                self.known.push_back(Event::Opened(lane));
            }
        }
        if flags.contains(EventFlags::OUT) {
            self.write_on(lane);
        }
        if flags.intersects(EventFlags::IN | EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR)
        {
            return self.read_on(lane, flags);
        }
        None
    }

    /// Writes what is left of the lane's request.
    #[inline]
    fn write_on(&mut self, lane: Lane) {
        let connection = &mut self.connections[lane as usize];
        let (Link::Open(socket), Some(exchange)) = (&connection.link, &mut connection.exchange)
        else {
            return;
        };
        let request = &self.requests[exchange.request as usize];
        let left = &request.bytes[exchange.written..];
        if left.is_empty() {
            return;
        }
        if exchange.written == 0 {
            connection.reader.expect(request.is_head);
            if exchange.sent == 0 {
                exchange.sent = monotonic_ns();
            }
        }
        match write(socket, left) {
            Ok(written) => exchange.written += written,
            // The answer may have come before the peer closed: it decides.
            Err(Fault::Reset) if self.has_answer_waiting(lane) => {}
            Err(fault) => self.fail(lane, fault),
        }
    }

    /// A server may answer (413, say) and close before it has read the whole request.
    fn has_answer_waiting(&self, lane: Lane) -> bool {
        let Link::Open(socket) = &self.connections[lane as usize].link else {
            return false;
        };
        let mut byte = [0];
        let peeked = recv(socket, &mut byte[..], RecvFlags::PEEK | RecvFlags::DONTWAIT);
        let waiting = matches!(peeked, Ok((_, 1..)));
        if waiting {
            // Its edge may have gone by already.
            let token = self.connections[lane as usize].token(lane);
            return self.poller.rearm(socket, token).is_ok();
        }
        false
    }

    #[inline]
    fn read_on(&mut self, lane: Lane, flags: EventFlags) -> Option<Event> {
        let peer_closed = flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR);
        for _ in 0..READS_A_TURN {
            let connection = &mut self.connections[lane as usize];
            let Link::Open(socket) = &connection.link else {
                return None;
            };
            let read = recv(socket, &mut *self.buffer, RecvFlags::empty());
            let Some(exchange) = &mut connection.exchange else {
                return match read {
                    Err(Errno::AGAIN | Errno::INTR) => None,
                    // Closed, broken off, or bytes that nobody asked for.
                    _ => {
                        connection.close();
                        Some(Event::Closed(lane, None))
                    }
                };
            };
            match read {
                Ok((_, 0)) => return self.finish_at_close(lane),
                Ok((_, count)) => {
                    let now = monotonic_ns();
                    if exchange.first_byte == 0 {
                        exchange.first_byte = now;
                    }
                    exchange.received += count as u64;
                    let bytes = &self.buffer[..count];
                    match connection.reader.read(bytes) {
                        Ok(Progress::Complete { answer, consumed }) => {
                            if consumed < count {
                                let bytes = (count - consumed) as u64;
                                self.fail(lane, Fault::Excess { bytes });
                                return None;
                            }
                            let unread = count == self.buffer.len();
                            return self.complete(lane, answer, now, peer_closed, unread);
                        }
                        // Less than was asked for: the socket is empty (epoll(7)).
                        Ok(Progress::Incomplete) if count < self.buffer.len() && !peer_closed => {
                            return None;
                        }
                        Ok(Progress::Incomplete) => {}
                        Err(fault) => {
                            let fault = Fault::of_http(fault, bytes, exchange.received);
                            self.fail(lane, fault);
                            return None;
                        }
                    }
                }
                Err(Errno::AGAIN) => return None,
                Err(Errno::INTR) => {}
                Err(errno) => {
                    self.fail(lane, Fault::of_errno(errno));
                    return None;
                }
            }
        }
        let connection = &self.connections[lane as usize];
        if let Link::Open(socket) = &connection.link
            && let Err(errno) = self.poller.rearm(socket, connection.token(lane))
        {
            self.fail(lane, Fault::of_errno(errno));
        }
        None
    }

    /// The peer has closed: the end of the answer, or too early.
    fn finish_at_close(&mut self, lane: Lane) -> Option<Event> {
        let connection = &mut self.connections[lane as usize];
        let received = connection.exchange.map_or(0, |e| e.received);
        match connection.reader.end_of_stream() {
            Ok(answer) => self.complete(lane, answer, monotonic_ns(), true, false),
            Err(_) => {
                self.fail(lane, Fault::Closed { received });
                None
            }
        }
    }

    /// A whole answer. The lane stays open when both sides want it, and nothing is left over.
    #[inline]
    fn complete(
        &mut self,
        lane: Lane,
        answer: Answer,
        end: u64,
        peer_closed: bool,
        unread: bool,
    ) -> Option<Event> {
        let connection = &mut self.connections[lane as usize];
        let exchange = connection.exchange.take()?;
        connection.answers += 1;
        let whole_request = self.requests[exchange.request as usize].bytes.len();
        if !answer.keep_alive || peer_closed || unread || exchange.written < whole_request {
            connection.close();
        }
        Some(Event::Ended(
            lane,
            Ended {
                sent: exchange.sent,
                first_byte: exchange.first_byte,
                end,
                outcome: Outcome::Answered(answer.status),
                was_heard: true,
            },
        ))
    }

    /// The connection is of no use any more. A request that met a connection which the peer had
    /// closed while it was idle is sent again, once, on a fresh one, as every browser does
    /// (RFC 9112, 9.3.1), and only where sending it twice does no harm. Its instants stay, so the
    /// time that it lost is in its response time and in its service time.
    #[cold]
    fn fail(&mut self, lane: Lane, fault: Fault) {
        let connection = &mut self.connections[lane as usize];
        let again = connection.was_closed_while_idle(fault);
        connection.close();
        let Some(exchange) = &mut connection.exchange else {
            self.known.push_back(Event::Closed(lane, Some(fault)));
            return;
        };
        if again && self.requests[exchange.request as usize].is_idempotent {
            exchange.is_retry = true;
            exchange.written = 0;
            match self.begin_connect(lane) {
                Ok(()) => {}
                Err(fault) => self.conclude(lane, fault),
            }
        } else {
            self.conclude(lane, fault);
        }
    }

    fn conclude(&mut self, lane: Lane, fault: Fault) {
        if let Some(exchange) = self.connections[lane as usize].exchange.take() {
            self.known.push_back(ended(lane, exchange, fault));
        }
    }
}

fn ended(lane: Lane, exchange: Exchange, fault: Fault) -> Event {
    Event::Ended(
        lane,
        Ended {
            sent: exchange.sent,
            first_byte: exchange.first_byte,
            end: monotonic_ns(),
            outcome: Outcome::Failed(fault),
            was_heard: exchange.received > 0,
        },
    )
}
