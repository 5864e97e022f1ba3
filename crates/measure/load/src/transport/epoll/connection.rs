//! One connection: a socket, what it is doing, and the request that it carries.

use super::conversation::Conversation;
use super::upgrading::Upgrading;
use crate::transport::approach::Approach;
use crate::transport::event::Via;
use crate::transport::exchange::Exchange;
use crate::transport::fault::Fault;
use crate::transport::poller::Token;
use crate::transport::stream::Stream;
use tacho_http1::AnswerReader;

/// What a slot holds.
#[derive(Debug, Default)]
pub enum Link {
    /// There is no socket.
    #[default]
    Closed,
    /// A connection that is being made.
    Opening(Approach),
    /// A connection that is to be a WebSocket.
    Upgrading(Box<Upgrading>),
    /// Ready for requests.
    Open(Stream),
}

/// A slot for a connection; the socket in it changes, the slot stays.
#[derive(Debug, Default)]
pub struct Connection {
    pub link: Link,
    pub generation: u32,
    pub reader: AnswerReader,
    /// The socket is a WebSocket; its messages are no answers of HTTP.
    pub conversation: Option<Box<Conversation>>,
    pub exchange: Option<Exchange>,
    /// Answers that came over the present socket.
    pub answers: u64,
    /// The present socket, or the one before where there is none; where that is asked for.
    pub via: Via,
}

impl Connection {
    pub fn token(&self, slot: u32) -> Token {
        Token {
            slot,
            generation: self.generation,
        }
    }

    /// Closes the socket, if any. Events of it that are still to come are of an old generation.
    pub fn close(&mut self) {
        self.link = Link::Closed;
        self.conversation = None;
        self.generation = self.generation.wrapping_add(1);
        self.answers = 0;
    }

    /// True when a failure now only means that the peer closed a connection that it had kept open
    /// after an earlier answer: nothing of this answer has come.
    pub fn was_closed_while_idle(&self, fault: Fault) -> bool {
        let exchange = self.exchange.as_ref();
        self.answers > 0 && exchange.is_some_and(|exchange| exchange.may_be_sent_again(fault))
    }
}
