//! A WebSocket: a message goes out, and its answer is the messages that come after it.

use super::EpollTransport;
use super::connection::Link;
use crate::request::MASK;
use crate::transport::event::{Ended, Event, Lane};
use crate::transport::fault::{Fault, Outcome};
use crate::transport::reason::Reason;
use crate::transport::stream::Received;
use std::num::NonZeroU32;
use std::ops::ControlFlow;
use tacho_http1::{Keep, KeptAnswer};
use tacho_websocket::{Came, Frame, MessageFault, Messages, frame};

/// The status with which a connection became a WebSocket; its messages have none of their own.
const SWITCHED: u16 = 101;

/// What is known of a connection that is a WebSocket.
#[derive(Debug, Default)]
pub struct Conversation {
    messages: Messages,
    /// How many messages the request still waits for.
    awaited: u32,
    /// What is kept of them comes back with the request.
    is_kept: bool,
    /// Answers to pings that were not written yet.
    owed: Vec<u8>,
    /// Messages that came while none was waited for, and that nobody has asked about yet.
    unasked: u64,
}

/// What a piece of the stream came to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A part of an answer, or of a message that no request waits for.
    More,
    /// A ping, which is no part of an answer.
    Ping,
    /// The last message that was waited for.
    Last,
    /// The peer closes.
    Close(Option<u16>),
}

impl Conversation {
    /// The subject says so many messages before anything is said to it.
    pub(super) fn greeted_by(messages: u32) -> Self {
        Self {
            awaited: messages,
            ..Self::default()
        }
    }

    /// Gets ready for the answer to the next message.
    pub fn expect(&mut self, events: Option<NonZeroU32>, keep: Keep) {
        self.awaited = events.map_or(1, NonZeroU32::get);
        let limit = match keep {
            Keep::Nothing | Keep::Head => None,
            Keep::HeadAndBody { limit } => Some(limit),
        };
        self.is_kept = limit.is_some();
        self.messages.keep(limit.unwrap_or(0));
    }

    pub fn owes(&self) -> bool {
        !self.owed.is_empty()
    }

    /// Takes a part of the bytes: how many, and what they came to.
    pub(super) fn hear(&mut self, bytes: &[u8]) -> Result<(usize, Heard), MessageFault> {
        let took = self.messages.read(bytes)?;
        let heard = match took.came {
            None => Heard::More,
            Some(Came::Message) => {
                let was_awaited = self.awaited > 0;
                self.unasked += u64::from(!was_awaited);
                self.awaited = self.awaited.saturating_sub(1);
                match was_awaited && self.awaited == 0 {
                    true => Heard::Last,
                    false => Heard::More,
                }
            }
            Some(Came::Ping(payload)) => {
                self.owed.extend(frame(Frame::Pong, &payload, MASK));
                Heard::Ping
            }
            Some(Came::Close(code)) => Heard::Close(code),
        };
        Ok((took.consumed, heard))
    }

    /// How many messages came that nobody waited for, since this was asked last.
    pub(super) fn take_unasked(&mut self) -> u64 {
        std::mem::take(&mut self.unasked)
    }

    fn take_kept(&mut self) -> Option<Box<KeptAnswer>> {
        let (body, truncated) = self.messages.take_kept();
        self.messages.keep(0);
        self.is_kept.then(|| {
            Box::new(KeptAnswer {
                status: SWITCHED,
                body,
                truncated,
                ..KeptAnswer::default()
            })
        })
    }
}

impl EpollTransport {
    /// Writes the answers to pings that are still owed, unless a message is half written. False
    /// when nothing else may be written yet.
    pub(super) fn pay_owed(&mut self, lane: Lane) -> bool {
        let connection = &mut self.connections[lane as usize];
        let (Link::Open(stream), Some(conversation)) =
            (&mut connection.link, &mut connection.conversation)
        else {
            return true;
        };
        let is_between = connection
            .exchange
            .as_ref()
            .is_none_or(|exchange| exchange.written == 0 || exchange.is_written());
        if !conversation.owes() || !is_between {
            return true;
        }
        match stream.transmit(&conversation.owed) {
            Ok(written) => {
                conversation.owed.drain(..written);
                !conversation.owes()
            }
            Err(fault) => {
                self.give_up(lane, fault);
                false
            }
        }
    }

    /// Takes in what one read came to. Breaks off when nothing is left to read for now.
    pub(super) fn converse(
        &mut self,
        lane: Lane,
        received: Result<Received, Fault>,
    ) -> ControlFlow<()> {
        let (count, noted) = match received {
            Ok(Received::Bytes { count, noted, .. }) => (count, noted),
            Ok(Received::Nothing) => return ControlFlow::Break(()),
            Ok(Received::End { .. }) => {
                let exchange = self.connections[lane as usize].exchange.as_ref();
                let received = exchange.map_or(0, |exchange| exchange.received);
                self.give_up(lane, Fault::Closed { received });
                return ControlFlow::Break(());
            }
            Err(fault) => {
                self.give_up(lane, fault);
                return ControlFlow::Break(());
            }
        };
        let sent = self.connections[lane as usize].exchange.as_ref();
        let now = self.clocks.arrived(noted, sent.map_or(0, |it| it.sent));
        if let Some(exchange) = &mut self.connections[lane as usize].exchange {
            exchange.received += count as u64;
        }
        let mut at = 0;
        while at < count {
            let connection = &mut self.connections[lane as usize];
            let Some(conversation) = &mut connection.conversation else {
                return ControlFlow::Break(());
            };
            let is_awaited = conversation.awaited > 0;
            match conversation.hear(&self.buffer[at..count]) {
                Ok((taken, heard)) => {
                    at += taken;
                    self.unasked += conversation.take_unasked();
                    if let Some(exchange) = &mut connection.exchange
                        && exchange.first_byte == 0
                        && is_awaited
                        && matches!(heard, Heard::More | Heard::Last)
                    {
                        exchange.first_byte = now;
                    }
                    match heard {
                        Heard::More | Heard::Ping => {}
                        Heard::Last => self.answered(lane, now),
                        Heard::Close(code) => {
                            self.give_up(lane, closed(code));
                            return ControlFlow::Break(());
                        }
                    }
                }
                Err(why) => {
                    self.give_up(lane, fault(why));
                    return ControlFlow::Break(());
                }
            }
        }
        self.pay_owed(lane);
        ControlFlow::Continue(())
    }

    /// The last message that a request waited for.
    fn answered(&mut self, lane: Lane, end: u64) {
        let connection = &mut self.connections[lane as usize];
        let (Some(exchange), Some(conversation)) =
            (connection.exchange.take(), &mut connection.conversation)
        else {
            return;
        };
        connection.answers += 1;
        self.known.push_back(Event::Ended(
            lane,
            Ended {
                sent: exchange.sent,
                first_byte: exchange.first_byte,
                end,
                outcome: Outcome::Answered(SWITCHED),
                received: exchange.received,
                was_heard: true,
                answer: conversation.take_kept(),
                via: connection.via,
            },
        ));
    }

    /// A connection that is of no use any more: the request that it carries fails, and where it
    /// carries none nobody has to know why.
    fn give_up(&mut self, lane: Lane, fault: Fault) {
        let connection = &mut self.connections[lane as usize];
        match connection.exchange {
            Some(_) => self.fail(lane, fault),
            None => {
                connection.close();
                self.known.push_back(Event::Closed(lane, None));
            }
        }
    }
}

pub(super) fn fault(why: MessageFault) -> Fault {
    Fault::Protocol(Reason::of(why))
}

pub(super) fn closed(code: Option<u16>) -> Fault {
    Fault::GoAway(match code {
        Some(code) => Reason::of(format_args!("it closed the WebSocket with code {code}")),
        None => Reason::of("it closed the WebSocket without a code"),
    })
}
