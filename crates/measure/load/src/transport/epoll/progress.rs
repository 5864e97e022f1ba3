//! What happens on a lane when its socket is ready: write, read, conclude.

use super::EpollTransport;
use super::connection::Link;
use crate::transport::event::{Ended, Event, Lane};
use crate::transport::fault::{Fault, Outcome};
use crate::transport::stream::Received;
use crate::transport::tls::TlsStream;
use rustix::event::epoll::EventFlags;
use std::ops::ControlFlow;
use tacho_clock::monotonic_ns;
use tacho_http1::{Answer, Progress};

/// The number of reads after which the other lanes get their turn.
const READS_A_TURN: usize = 16;

/// Flags that say that the peer sends nothing more.
const PEER_CLOSED: EventFlags = EventFlags::RDHUP
    .union(EventFlags::HUP)
    .union(EventFlags::ERR);

/// How a complete answer leaves its connection.
#[derive(Debug, Clone, Copy)]
struct Aftermath {
    end: u64,
    peer_closed: bool,
    /// Bytes that belong to no answer may be left.
    unread: bool,
}

impl EpollTransport {
    #[inline]
    pub(super) fn advance(&mut self, lane: Lane, flags: EventFlags) -> Option<Event> {
        let was_open = matches!(self.connections[lane as usize].link, Link::Open(_));
        if !was_open {
            match self.go_on_opening(lane) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => {
                    self.fail(lane, fault);
                    return None;
                }
            }
        }
        if flags.contains(EventFlags::OUT) || !was_open {
            self.write_on(lane);
        }
        // After a handshake the session may hold bytes that came with its end.
        if flags.intersects(EventFlags::IN | PEER_CLOSED) || !was_open {
            return self.read_on(lane, flags.intersects(PEER_CLOSED));
        }
        None
    }

    /// Writes what is left of the lane's request.
    #[inline]
    pub(super) fn write_on(&mut self, lane: Lane) {
        if self.connections[lane as usize].conversation.is_some() && !self.pay_owed(lane) {
            return;
        }
        let connection = &mut self.connections[lane as usize];
        let token = connection.token(lane);
        let Link::Open(stream) = &mut connection.link else {
            return;
        };
        let Some(exchange) = &mut connection.exchange else {
            return;
        };
        if exchange.left().is_empty() && !stream.has_pending() {
            return;
        }
        if exchange.written == 0 {
            let request = &exchange.request;
            match &mut connection.conversation {
                Some(conversation) => conversation.expect(request.events, request.keep),
                None => {
                    connection.reader.expect(request.is_head, request.keep);
                    if let Some(events) = request.events {
                        connection.reader.expect_events(events);
                    }
                }
            }
            if exchange.sent == 0 {
                exchange.sent = monotonic_ns();
            }
        }
        match stream.transmit(exchange.left()) {
            Ok(written) => exchange.written += written,
            // A server may answer (413, say) and close before it has read the whole request. The
            // answer decides; its edge may have gone by already.
            Err(Fault::Reset)
                if stream.has_answer_waiting() && self.poller.rearm(&*stream, token).is_ok() => {}
            Err(fault) => self.fail(lane, fault),
        }
    }

    #[inline]
    fn read_on(&mut self, lane: Lane, peer_closed: bool) -> Option<Event> {
        for _ in 0..READS_A_TURN {
            let connection = &mut self.connections[lane as usize];
            let Link::Open(stream) = &mut connection.link else {
                return None;
            };
            let received = stream.receive(&mut self.buffer);
            if connection.conversation.is_some() {
                match self.converse(lane, received) {
                    ControlFlow::Continue(()) => continue,
                    ControlFlow::Break(()) => return None,
                }
            }
            let Some(exchange) = &mut connection.exchange else {
                return self.read_idle(lane, received);
            };
            let (count, drained, unread, noted) = match received {
                Ok(Received::Bytes {
                    count,
                    drained,
                    unread,
                    noted,
                }) => (count, drained, unread, noted),
                Ok(Received::Nothing) => return None,
                Ok(Received::End { is_proper }) => return self.finish_at_close(lane, is_proper),
                Err(fault) => {
                    self.fail(lane, fault);
                    return None;
                }
            };
            let now = self.clocks.arrived(noted, exchange.sent);
            if exchange.first_byte == 0 {
                exchange.first_byte = now;
            }
            exchange.received += count as u64;
            let bytes = &self.buffer[..count];
            match connection.reader.read(bytes, &mut self.recent_head) {
                Ok(Progress::Complete { answer, consumed }) => {
                    if consumed < count {
                        let bytes = (count - consumed) as u64;
                        self.fail(lane, Fault::Excess { bytes });
                        return None;
                    }
                    let aftermath = Aftermath {
                        end: now,
                        peer_closed: peer_closed || stream.has_ended(),
                        unread,
                    };
                    return self.complete(lane, answer, aftermath);
                }
                Ok(Progress::Incomplete) => {
                    if exchange.holds_body_back && connection.reader.wants_body() {
                        exchange.holds_body_back = false;
                        self.write_on(lane);
                    }
                    if drained && !peer_closed {
                        return None;
                    }
                }
                Err(fault) => {
                    let fault = Fault::of_http(fault, bytes, exchange.received);
                    self.fail(lane, fault);
                    return None;
                }
            }
        }
        let connection = &self.connections[lane as usize];
        if let Link::Open(stream) = &connection.link
            && let Err(errno) = self.poller.rearm(stream, connection.token(lane))
        {
            self.fail(lane, Fault::of_errno(errno));
        }
        None
    }

    /// Takes what was read from a lane that carries no request. Bytes, an end or a fault close the
    /// connection.
    #[cold]
    fn read_idle(&mut self, lane: Lane, received: Result<Received, Fault>) -> Option<Event> {
        if received == Ok(Received::Nothing) {
            return None;
        }
        // Closed, broken off, or bytes that nobody asked for. Whatever it was will be told to the
        // next request, if it persists.
        self.connections[lane as usize].close();
        Some(Event::Closed(lane, None))
    }

    /// The peer has closed: the end of the answer, or too early.
    fn finish_at_close(&mut self, lane: Lane, is_proper: bool) -> Option<Event> {
        let connection = &mut self.connections[lane as usize];
        let received = connection.exchange.as_ref().map_or(0, |e| e.received);
        match connection.reader.end_of_stream() {
            Ok(answer) if is_proper => {
                let aftermath = Aftermath {
                    end: monotonic_ns(),
                    peer_closed: true,
                    unread: false,
                };
                return self.complete(lane, answer, aftermath);
            }
            Ok(_) => self.fail(lane, TlsStream::truncated()),
            Err(_) => self.fail(lane, Fault::Closed { received }),
        }
        None
    }

    /// A whole answer. The lane stays open when both sides want it, and nothing is left over.
    #[inline]
    fn complete(&mut self, lane: Lane, answer: Answer, aftermath: Aftermath) -> Option<Event> {
        let connection = &mut self.connections[lane as usize];
        if connection.reader.lacks_events() {
            self.fail(lane, Fault::FewEvents);
            return None;
        }
        let exchange = connection.exchange.take()?;
        connection.answers += 1;
        let is_pending = matches!(&connection.link, Link::Open(stream) if stream.has_pending());
        if !answer.keep_alive
            || aftermath.peer_closed
            || aftermath.unread
            || is_pending
            || !exchange.is_written()
        {
            connection.close();
        }
        Some(Event::Ended(
            lane,
            Ended {
                sent: exchange.sent,
                first_byte: exchange.first_byte,
                end: aftermath.end,
                outcome: Outcome::Answered(answer.status),
                received: exchange.received,
                was_heard: true,
                answer: connection.reader.take_kept(),
                via: connection.via,
            },
        ))
    }

    /// The connection is of no use any more. A request that met a connection which the peer had
    /// closed while it was idle is sent again, once, on a fresh one, and only where sending it
    /// twice does no harm.
    #[cold]
    pub(super) fn fail(&mut self, lane: Lane, fault: Fault) {
        let connection = &mut self.connections[lane as usize];
        let again = connection.was_closed_while_idle(fault);
        connection.close();
        let Some(exchange) = &mut connection.exchange else {
            self.known.push_back(Event::Closed(lane, Some(fault)));
            return;
        };
        if again {
            exchange.begin_again();
            match self.begin_connect(lane) {
                Ok(()) => {}
                Err(fault) => self.conclude(lane, fault),
            }
        } else {
            self.conclude(lane, fault);
        }
    }

    pub(super) fn conclude(&mut self, lane: Lane, fault: Fault) {
        let connection = &mut self.connections[lane as usize];
        if let Some(exchange) = connection.exchange.take() {
            self.known
                .push_back(exchange.failed(lane, connection.via, fault));
        }
    }
}
