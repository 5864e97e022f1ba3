//! A connection on its way to be a WebSocket: asks for it, looks at the answer, and waits for what
//! the subject says first.

use super::conversation::{Conversation, Heard, closed, fault};
use crate::request::WebSocket;
use crate::transport::fault::Fault;
use crate::transport::reason::Reason;
use crate::transport::stream::{Received, Stream};
use tacho_websocket::Upgrade;

/// Connected, and secured where that was wanted; the upgrade is under way.
#[derive(Debug)]
pub struct Upgrading {
    stream: Stream,
    since: u64,
    upgrade: Upgrade,
    request: Vec<u8>,
    written: usize,
    answer: Vec<u8>,
    /// The subject has agreed.
    conversation: Option<Box<Conversation>>,
    /// Messages that it sends first.
    greeting: u32,
    is_greeted: bool,
}

impl Upgrading {
    /// `since` is when the opening began.
    pub fn begin(stream: Stream, since: u64, target: &WebSocket, authority: &str) -> Self {
        let (upgrade, request) = Upgrade::begin(&target.path, authority, &target.headers);
        Self {
            stream,
            since,
            upgrade,
            request,
            written: 0,
            answer: Vec::new(),
            conversation: None,
            greeting: target.greeting,
            is_greeted: target.greeting == 0,
        }
    }

    pub fn since(&self) -> u64 {
        self.since
    }

    /// Goes on as far as the socket allows. True when the connection is a WebSocket over which
    /// nothing more is to come first.
    pub fn go_on(&mut self, buffer: &mut [u8]) -> Result<bool, Fault> {
        let left = &self.request[self.written..];
        if !left.is_empty() || self.stream.has_pending() {
            self.written += self.stream.transmit(left)?;
        }
        while !(self.is_greeted && self.conversation.is_some()) {
            match self.stream.receive(buffer)? {
                Received::Bytes { count, .. } => self.take(&buffer[..count])?,
                Received::Nothing => return Ok(false),
                Received::End { .. } => {
                    let received = self.answer.len() as u64;
                    return Err(Fault::Closed { received });
                }
            }
        }
        Ok(true)
    }

    /// What it has become.
    pub fn into_parts(self) -> (Stream, Option<Box<Conversation>>) {
        (self.stream, self.conversation)
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if self.conversation.is_some() {
            return self.listen(bytes);
        }
        self.answer.extend_from_slice(bytes);
        let accepted = self.upgrade.accepted(&self.answer);
        let Some(length) = accepted.map_err(|why| Fault::Protocol(Reason::of(why)))? else {
            return Ok(());
        };
        self.conversation = Some(Box::new(Conversation::greeted_by(self.greeting)));
        let rest = self.answer.split_off(length);
        self.listen(&rest)
    }

    fn listen(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let Some(conversation) = &mut self.conversation else {
            return Ok(());
        };
        let mut left = bytes;
        while !left.is_empty() {
            let (taken, heard) = conversation.hear(left).map_err(fault)?;
            left = &left[taken..];
            match heard {
                Heard::More | Heard::Ping => {}
                Heard::Last => self.is_greeted = true,
                Heard::Close(code) => return Err(closed(code)),
            }
        }
        Ok(())
    }
}
