//! What happens on a lane when its socket is ready: connect, write, read, conclude.

use super::connection::{Link, open_socket, write};
use super::http1::{Answer, Progress};
use super::{Ended, Event, Fault, Lane, Outcome, Transport};
use crate::clock::monotonic_ns;
use rustix::event::epoll::EventFlags;
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv, sockopt};

/// After so many reads the other lanes get their turn.
const READS_A_TURN: usize = 16;

impl Transport {
    pub(super) fn begin_connect(&mut self, lane: Lane) -> Result<(), Fault> {
        let socket = open_socket(&self.address)?;
        let connection = &mut self.connections[lane as usize];
        connection.close();
        self.poller
            .add(&socket, connection.token(lane))
            .map_err(Fault::of_errno)?;
        connection.link = Link::Connecting(socket, monotonic_ns());
        Ok(())
    }

    pub(super) fn advance(&mut self, lane: Lane, flags: EventFlags) -> Option<Event> {
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
    pub(super) fn write_on(&mut self, lane: Lane) {
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
    pub(super) fn fail(&mut self, lane: Lane, fault: Fault) {
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
            self.known.push_back(Event::failed(lane, &exchange, fault));
        }
    }
}
