//! From a closed lane to an open one.

use super::EpollTransport;
use super::connection::Link;
use super::upgrading::Upgrading;
use crate::transport::approach::{Advanced, Approach};
use crate::transport::event::{Event, Lane, Via};
use crate::transport::fault::Fault;
use crate::transport::socket::local_port;
use crate::transport::stream::Stream;
use std::mem::take;
use tacho_clock::monotonic_ns;

impl EpollTransport {
    pub(super) fn begin_connect(&mut self, lane: Lane) -> Result<(), Fault> {
        let approach = Approach::begin(&self.origins[lane as usize % self.origins.len()])?;
        self.await_socket(lane, approach)
    }

    /// Goes on with an opening. True when it is done.
    pub(super) fn go_on_opening(&mut self, lane: Lane) -> Result<bool, Fault> {
        let connection = &mut self.connections[lane as usize];
        let approach = match take(&mut connection.link) {
            Link::Opening(approach) => approach,
            Link::Upgrading(upgrading) => return self.go_on_upgrading(lane, upgrading),
            Link::Closed | Link::Open(_) => return Ok(false),
        };
        let since = approach.since();
        let origin = lane as usize % self.origins.len();
        match approach.advance(&mut self.origins[origin], self.tls.as_ref())? {
            Advanced::Done(mut stream) => {
                if self.stamps_arrivals {
                    stream.stamp_arrivals();
                }
                match &self.websocket {
                    None => Ok(self.opened(lane, stream)),
                    Some(target) => {
                        let begun = Upgrading::begin(stream, since, target, &self.authority);
                        self.go_on_upgrading(lane, Box::new(begun))
                    }
                }
            }
            Advanced::Same(approach) => {
                connection.link = Link::Opening(approach);
                Ok(false)
            }
            Advanced::Anew(approach) => {
                self.await_socket(lane, approach)?;
                Ok(false)
            }
        }
    }

    fn go_on_upgrading(
        &mut self,
        lane: Lane,
        mut upgrading: Box<Upgrading>,
    ) -> Result<bool, Fault> {
        if !upgrading.go_on(&mut self.buffer)? {
            self.connections[lane as usize].link = Link::Upgrading(upgrading);
            return Ok(false);
        }
        let (stream, mut conversation) = upgrading.into_parts();
        if let Some(conversation) = &mut conversation {
            self.unasked += conversation.take_unasked();
        }
        self.connections[lane as usize].conversation = conversation;
        Ok(self.opened(lane, stream))
    }

    /// The lane takes requests.
    fn opened(&mut self, lane: Lane, stream: Stream) -> bool {
        let connection = &mut self.connections[lane as usize];
        connection.link = Link::Open(stream);
        self.established += 1;
        if self.names_connections {
            connection.via.since = monotonic_ns();
        }
        if connection.exchange.is_none() {
            self.known.push_back(Event::Opened(lane));
        }
        true
    }

    fn await_socket(&mut self, lane: Lane, approach: Approach) -> Result<(), Fault> {
        let connection = &mut self.connections[lane as usize];
        connection.close();
        if let Some(socket) = approach.socket() {
            if self.names_connections {
                connection.via = Via {
                    port: local_port(socket),
                    since: 0,
                };
            }
            self.poller
                .add(socket, connection.token(lane))
                .map_err(Fault::of_errno)?;
        }
        connection.link = Link::Opening(approach);
        Ok(())
    }
}
