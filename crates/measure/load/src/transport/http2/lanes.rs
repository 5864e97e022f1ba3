//! Lanes: what each carries, and over which connection.

use super::Http2Transport;
use super::connection::Link;
use super::exchange::Exchange;
use super::fault::{is_unprocessed, of_error};
use super::io::Log;
use crate::request::Rendered;
use crate::transport::event::Lane;
use crate::transport::exchange::CONTINUE_NS;
use crate::transport::fault::Fault;
use crate::transport::poller::Token;
use std::sync::Arc;
use std::task::{Context, Poll};

/// What a lane carries.
#[derive(Debug, Default)]
pub struct Carried {
    pub exchange: Option<Exchange>,
    /// The connection whose stream carries it.
    pub place: Option<Token>,
    log: Option<Arc<Log>>,
    /// Somebody asked for the lane to be opened.
    pub is_awaited: bool,
}

impl Carried {
    pub fn begin(&mut self, request: Arc<Rendered>) {
        self.exchange = Some(Exchange::new(request));
        self.place = None;
        self.log = None;
    }

    pub fn received(&self) -> u64 {
        self.exchange.as_ref().map_or(0, |e| e.received)
    }
}

impl Http2Transport {
    /// Puts the lane's request on a stream, or has a connection opened for it.
    pub(super) fn start(&mut self, lane: Lane) {
        let slot = self.slot_of(lane);
        let connection = &mut self.connections[slot as usize];
        let Link::Open(session) = &mut connection.link else {
            return self.see_to_connection(slot);
        };
        let carried = &mut self.lanes[lane as usize];
        let Some(exchange) = &mut carried.exchange else {
            return;
        };
        match exchange.start(&session.sender) {
            Ok(()) => {
                session.unwritten.push(lane);
                connection.carries += 1;
                carried.log = Some(Arc::clone(&session.log));
                carried.place = Some(Token {
                    slot,
                    generation: connection.generation,
                });
                self.ring(slot);
                self.lane_bells.waker(lane).wake_by_ref();
            }
            // The connection ended while nobody looked. A subject that takes nothing over the next
            // one, either, is not asked a third time.
            Err(_) if !exchange.is_retry => {
                exchange.is_retry = true;
                self.leave(slot);
                self.see_to_connection(self.slot_of(lane));
            }
            Err(error) => {
                let fault = of_error(&error, session.log.end(), 0);
                self.leave(slot);
                self.conclude(lane, fault);
            }
        }
    }

    /// Looks at the lanes whose bells were rung.
    pub(super) fn attend_lanes(&mut self) {
        let mut lanes = std::mem::take(&mut self.numbers);
        lanes.clear();
        self.lane_bells.answer(&mut lanes);
        for &lane in &lanes {
            self.attend(lane, None);
        }
        lanes.clear();
        self.numbers = lanes;
    }

    /// Takes what has come for a lane. `end` is why its connection is over, if it is: a stream
    /// knows only that it is.
    pub(super) fn attend(&mut self, lane: Lane, end: Option<&h2::Error>) {
        let Some(carried) = self.lanes.get_mut(lane as usize) else {
            return;
        };
        let (Some(exchange), Some(log)) = (&mut carried.exchange, &carried.log) else {
            return;
        };
        let mut context = Context::from_waker(self.lane_bells.waker(lane));
        match exchange.advance(&mut context, log) {
            Poll::Pending => {}
            Poll::Ready(Ok(complete)) => {
                let end = log.last_read().max(exchange.sent);
                if let Some(exchange) = self.end_exchange(lane) {
                    self.known.push_back(exchange.answered(lane, complete, end));
                }
            }
            Poll::Ready(Err(error)) => {
                let error = end.filter(|_| error.is_io()).unwrap_or(&error);
                let fault = of_error(error, log.end(), exchange.received);
                let again = is_unprocessed(error) && !exchange.is_retry;
                if error.is_go_away()
                    && let Some(place) = carried.place
                    && self.connections[place.slot as usize].generation == place.generation
                {
                    self.leave(place.slot);
                }
                if again {
                    self.send_again(lane);
                } else {
                    self.conclude(lane, fault);
                }
            }
        }
    }

    /// From the beginning, once: its instants stay, so the time that it lost is in its response
    /// time.
    fn send_again(&mut self, lane: Lane) {
        if let Some(mut exchange) = self.end_exchange(lane) {
            exchange.begin_again();
            self.lanes[lane as usize].exchange = Some(exchange);
            self.start(lane);
        }
    }

    pub(super) fn conclude(&mut self, lane: Lane, fault: Fault) {
        if let Some(exchange) = self.end_exchange(lane) {
            self.known.push_back(exchange.failed(lane, fault));
        }
    }

    /// Takes the exchange off its lane and its connection.
    pub(super) fn end_exchange(&mut self, lane: Lane) -> Option<Exchange> {
        let carried = &mut self.lanes[lane as usize];
        carried.log = None;
        if let Some(place) = carried.place.take() {
            let connection = &mut self.connections[place.slot as usize];
            if connection.generation == place.generation {
                connection.carries -= 1;
                if connection.carries == 0 && connection.group.is_none() {
                    self.connection_bells.waker(place.slot).wake_by_ref();
                }
            }
        }
        carried.exchange.take()
    }

    pub(super) fn expire_lane(&mut self, lane: Lane, now: u64) {
        let carried = &mut self.lanes[lane as usize];
        let Some(exchange) = &mut carried.exchange else {
            return;
        };
        // A peer that does not read keeps us from sending. That also counts as waiting for it.
        let since = if exchange.sent > 0 {
            exchange.sent
        } else {
            exchange.queued
        };
        if since == 0 {
            return;
        }
        let waited = now.saturating_sub(since);
        if waited > self.limits.request_ns {
            let received = exchange.received;
            let silent = carried
                .log
                .as_ref()
                .is_none_or(|log| log.last_read() < since);
            let place = carried.place;
            self.conclude(lane, Fault::Timeout { received });
            // Nothing at all came over the connection since: the next request gets another one.
            if silent
                && let Some(place) = place
                && self.connections[place.slot as usize].generation == place.generation
            {
                self.leave(place.slot);
            }
        } else if waited > CONTINUE_NS {
            exchange.release_body();
        }
    }
}
