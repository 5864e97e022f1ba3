//! Connections: opened, driven, left, closed.

use super::Http2Transport;
use super::fault::of_error;
use super::session::{Greeting, Session};
use crate::transport::Transport;
use crate::transport::approach::{Advanced, Approach};
use crate::transport::event::{Event, Lane};
use crate::transport::fault::Fault;
use crate::transport::poller::Token;
use crate::transport::reason::Reason;
use crate::transport::stream::Stream;
use std::mem::take;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A slot for a connection; the socket in it changes, the slot stays.
#[derive(Debug, Default)]
pub struct Connection {
    pub link: Link,
    pub generation: u32,
    /// The lanes that it is for; `None` when it takes no more requests.
    pub group: Option<usize>,
    /// Requests that are on its streams.
    pub carries: u32,
    /// Turns that it has had in this pass of the loop.
    pub turns: u32,
}

/// What a slot holds.
#[derive(Debug, Default)]
pub enum Link {
    /// There is no socket.
    #[default]
    Closed,
    /// A connection that is being made.
    Opening(Approach),
    /// Established; the greetings of HTTP/2 are under way. With the instant at which it began.
    Greeting(Greeting, u64),
    /// Ready for requests, or at least finishing those that it carries.
    Open(Box<Session>),
}

impl Connection {
    /// Closes the socket, if any. Events of it that are still to come are of an old generation.
    pub fn close(&mut self) {
        self.link = Link::Closed;
        self.generation = self.generation.wrapping_add(1);
        self.carries = 0;
    }
}

impl Http2Transport {
    /// Begins to open a connection in a closed slot.
    pub(super) fn see_to_connection(&mut self, slot: u32) {
        if matches!(self.connections[slot as usize].link, Link::Closed) {
            let begun = Approach::begin(&self.origin);
            if let Err(fault) = begun.and_then(|approach| self.await_socket(slot, approach)) {
                self.fail_opening(slot, fault);
            }
        }
    }

    fn await_socket(&mut self, slot: u32, approach: Approach) -> Result<(), Fault> {
        let connection = &mut self.connections[slot as usize];
        connection.close();
        if let Some(socket) = approach.socket() {
            let token = Token {
                slot,
                generation: connection.generation,
            };
            self.poller.add(socket, token).map_err(Fault::of_errno)?;
        }
        connection.link = Link::Opening(approach);
        Ok(())
    }

    /// Does what there is to do on a connection.
    pub(super) fn drive(&mut self, slot: u32) {
        match &self.connections[slot as usize].link {
            Link::Closed => {}
            Link::Open(_) => self.drive_session(slot),
            Link::Opening(_) | Link::Greeting(..) => {
                if let Err(fault) = self.go_on_opening(slot) {
                    self.fail_opening(slot, fault);
                }
            }
        }
    }

    pub(super) fn go_on_opening(&mut self, slot: u32) -> Result<(), Fault> {
        let connection = &mut self.connections[slot as usize];
        let (mut greeting, since) = match take(&mut connection.link) {
            Link::Greeting(greeting, since) => (greeting, since),
            Link::Opening(approach) => {
                let since = approach.since();
                match approach.advance(&mut self.origin, self.tls.as_ref())? {
                    Advanced::Done(mut stream) => {
                        agreed_on_http2(&stream)?;
                        stream.stamp_arrivals();
                        let clocks = Arc::clone(&self.clocks);
                        (Greeting::begin(stream, clocks), since)
                    }
                    Advanced::Same(approach) => {
                        connection.link = Link::Opening(approach);
                        return Ok(());
                    }
                    Advanced::Anew(approach) => return self.await_socket(slot, approach),
                }
            }
            other => {
                connection.link = other;
                return Ok(());
            }
        };
        let mut context = Context::from_waker(self.connection_bells.waker(slot));
        match greeting.advance(&mut context)? {
            Poll::Pending => connection.link = Link::Greeting(greeting, since),
            Poll::Ready(session) => {
                let allowed = session.allowed_streams();
                connection.link = Link::Open(session);
                self.established += 1;
                self.be_content_with(allowed);
                self.start_waiting();
            }
        }
        Ok(())
    }

    /// Fewer streams a connection, where the subject allows no more.
    fn be_content_with(&mut self, allowed: usize) {
        let allowed = u32::try_from(allowed).unwrap_or(u32::MAX);
        let allowed = NonZeroU32::new(allowed).unwrap_or(NonZeroU32::MIN);
        if allowed < self.streams {
            self.streams = allowed;
            self.regroup();
        }
    }

    /// Serves the lanes that wait for a connection. Where it is open now, the lane is reported as
    /// open or its request is sent. Where it is not, a connection is opened.
    fn start_waiting(&mut self) {
        for lane in 0..self.lanes() {
            let carried = &mut self.lanes[lane as usize];
            let waits = carried.exchange.as_ref().is_some_and(|e| e.is_waiting());
            if !carried.is_awaited && !waits {
                continue;
            }
            let is_open = self.is_open(lane);
            if waits {
                self.start(lane);
            } else if !is_open {
                self.see_to_connection(self.slot_of(lane));
            }
            if is_open && take(&mut self.lanes[lane as usize].is_awaited) && !waits {
                self.known.push_back(Event::Opened(lane));
            }
        }
    }

    fn drive_session(&mut self, slot: u32) {
        let connection = &mut self.connections[slot as usize];
        let Link::Open(session) = &mut connection.link else {
            return;
        };
        let mut context = Context::from_waker(self.connection_bells.waker(slot));
        let result = session.turn(&mut context);
        let written = session.log.first_write();
        if written > 0 {
            for lane in session.unwritten.drain(..) {
                if let Some(exchange) = &mut self.lanes[lane as usize].exchange
                    && exchange.sent == 0
                {
                    exchange.sent = written;
                }
            }
        }
        if let Poll::Ready(result) = result {
            self.finish(slot, result.err());
        } else if connection.group.is_none() && connection.carries == 0 {
            connection.close();
        }
    }

    /// A connection is over, and with it what it carried.
    fn finish(&mut self, slot: u32, error: Option<h2::Error>) {
        let connection = &mut self.connections[slot as usize];
        let generation = connection.generation;
        let link = take(&mut connection.link);
        connection.close();
        let Link::Open(session) = &link else { return };
        let end = session.log.end();
        for lane in 0..self.lanes() {
            if self.is_on(lane, slot, generation) {
                // Its answer may be complete nevertheless.
                self.attend(lane, error.as_ref());
            }
            if self.is_on(lane, slot, generation) {
                let received = self.lanes[lane as usize].received();
                let fault = match &error {
                    Some(error) => of_error(error, end, received),
                    None => end.unwrap_or(Fault::Closed { received }),
                };
                self.conclude(lane, fault);
            } else if self.groups.get(self.group_of(lane)) == Some(&slot) && !self.is_busy(lane) {
                self.known.push_back(Event::Closed(lane, None));
            }
        }
    }

    /// The connection takes no more requests: its lanes get another one.
    pub(super) fn leave(&mut self, slot: u32) {
        let Some(group) = self.connections[slot as usize].group.take() else {
            return;
        };
        let next = self.free_slot();
        self.connections[next as usize].group = Some(group);
        self.groups[group] = next;
        // It closes itself when it carries nothing.
        self.ring(slot);
    }

    /// Opening the connection failed: everything that waits for it fails with this fault.
    pub(super) fn fail_opening(&mut self, slot: u32, fault: Fault) {
        self.connections[slot as usize].close();
        for lane in 0..self.lanes() {
            if self.slot_of(lane) != slot {
                continue;
            }
            if take(&mut self.lanes[lane as usize].is_awaited) {
                self.known.push_back(Event::Closed(lane, Some(fault)));
            }
            let carried = &self.lanes[lane as usize];
            if carried.exchange.as_ref().is_some_and(|e| e.is_waiting()) {
                self.conclude(lane, fault);
            }
        }
    }

    pub(super) fn expire_opening(&mut self, slot: u32, now: u64) {
        let (since, is_queueing) = match &self.connections[slot as usize].link {
            Link::Opening(approach) => (approach.since(), approach.is_queueing()),
            Link::Greeting(_, since) => (*since, false),
            Link::Closed | Link::Open(_) => return,
        };
        if now.saturating_sub(since) > self.limits.connect_ns {
            self.fail_opening(slot, Fault::ConnectTimeout);
        } else if is_queueing {
            self.drive(slot);
        }
    }

    fn is_on(&self, lane: Lane, slot: u32, generation: u32) -> bool {
        let carried = &self.lanes[lane as usize];
        carried.exchange.is_some() && carried.place == Some(Token { slot, generation })
    }
}

/// Over TLS the peer has to choose HTTP/2 (RFC 9113, 3.2); without, we know beforehand.
fn agreed_on_http2(stream: &Stream) -> Result<(), Fault> {
    let chosen = match stream {
        Stream::Plain(_) => return Ok(()),
        Stream::Tls(tls) => tls.chosen_protocol(),
    };
    if chosen == Some(b"h2") {
        return Ok(());
    }
    Err(Fault::Protocol(Reason::of(
        "the subject does not choose HTTP/2 in the TLS handshake (ALPN); send with HTTP/1.1, or have it \
         offer h2",
    )))
}
