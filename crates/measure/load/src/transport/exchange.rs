//! One request on its way.

use super::event::{Ended, Event, Lane, Via};
use super::fault::Fault;
use crate::request::Rendered;
use std::sync::Arc;
use tacho_clock::{SECOND, monotonic_ns};

/// How long a body that was announced with `Expect: 100-continue` waits for the word. A subject
/// need not give it (RFC 9110, 10.1.1); curl waits as long.
pub const CONTINUE_NS: u64 = SECOND;

/// A request on its way over a byte stream, whoever moves the bytes.
#[derive(Debug)]
pub struct Exchange {
    pub request: Arc<Rendered>,
    /// Bytes of it that were written.
    pub written: usize,
    /// Just before its first byte was written; 0 before that.
    pub sent: u64,
    /// When the first byte of the answer was read; 0 before that.
    pub first_byte: u64,
    /// Bytes of the answer that have come.
    pub received: u64,
    /// It was sent again because the idle connection had been closed.
    pub is_retry: bool,
    /// Its body waits for the subject's word.
    pub holds_body_back: bool,
}

impl Exchange {
    #[inline]
    pub fn new(request: Arc<Rendered>) -> Self {
        Self {
            holds_body_back: request.expects_continue,
            request,
            written: 0,
            sent: 0,
            first_byte: 0,
            received: 0,
            is_retry: false,
        }
    }

    /// The bytes that may be written now.
    #[inline]
    pub fn left(&self) -> &[u8] {
        let end = if self.holds_body_back {
            self.request.head_length()
        } else {
            self.request.bytes().len()
        };
        &self.request.bytes()[self.written..end]
    }

    /// All of it was written.
    #[inline]
    pub fn is_written(&self) -> bool {
        self.written == self.request.bytes().len()
    }

    /// From the beginning, over another connection. Its instants stay, so the time that it lost is
    /// in its response time and in its service time.
    pub fn begin_again(&mut self) {
        self.is_retry = true;
        self.written = 0;
        self.holds_body_back = self.request.expects_continue;
    }

    /// It failed only because the peer had closed an idle connection, and sending it twice does no
    /// harm: a browser would send it again, once (RFC 9112, 9.3.1).
    pub fn may_be_sent_again(&self, fault: Fault) -> bool {
        let lost = matches!(fault, Fault::Reset | Fault::Closed { received: 0 });
        lost && self.received == 0 && !self.is_retry && self.request.is_idempotent
    }

    /// Without an answer, ended now.
    pub fn failed(&self, lane: Lane, via: Via, fault: Fault) -> Event {
        Event::Ended(
            lane,
            Ended {
                sent: self.sent,
                first_byte: self.first_byte,
                received: self.received,
                was_heard: self.received > 0,
                via,
                ..Ended::failed(fault, monotonic_ns())
            },
        )
    }
}
