//! HTTP/1.1 answers, read as their bytes come in (RFC 9112). Pure: bytes in, progress out. All code
//! that reads a subject's answer uses this crate: the load engine, readiness probes, and
//! comparisons of answers.
//!
//! Heads are parsed by `httparse`; bodies are counted and thrown away unless they are to be kept.
//! In the usual case, a whole head in one read, nothing is copied and nothing is allocated.
//!
//! Requests have another grammar. The two small servers that read requests (the readiness gate and
//! the self-test) parse them themselves.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod body;
mod chunked;
mod events;
mod head;
mod kept;
mod recent;

use body::Body;
pub use events::Events;
use head::Parsed;
pub use head::{MAX_HEAD_BYTES, MAX_HEADERS};
pub use kept::{Keep, Keeper, KeptAnswer};
pub use recent::RecentHead;
use std::num::NonZeroU32;

/// A complete answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Answer {
    /// 200 to 599.
    pub status: u16,
    /// The connection may carry another request.
    pub keep_alive: bool,
}

/// How far the reader came with the bytes it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// All bytes were taken; more have to come.
    Incomplete,
    /// The answer is complete.
    Complete {
        /// Status, and whether the connection may carry another request.
        answer: Answer,
        /// How many of the bytes belong to it. The rest belongs to no request of ours.
        consumed: usize,
    },
}

/// Why bytes are no HTTP answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HttpFault {
    /// The head cannot be parsed.
    #[error("the head is no HTTP: {0}")]
    Head(httparse::Error),
    /// The head has no end within [`MAX_HEAD_BYTES`], or more than [`MAX_HEADERS`] fields.
    #[error("the head is larger than {MAX_HEAD_BYTES} bytes or {MAX_HEADERS} fields")]
    HeadTooLarge,
    /// A status that HTTP does not have.
    #[error("the status {0} is not one of HTTP's")]
    Status(u16),
    /// Status 101, which was not asked for.
    #[error("it switches protocols without being asked to")]
    Switch,
    /// `Content-Length` is no number, or there are two that differ.
    #[error("the Content-Length is no number, or there are two that differ")]
    ContentLength,
    /// A chunk that is malformed.
    #[error("the chunked body is broken: {0}")]
    Chunk(&'static str),
    /// The stream ended before the answer did.
    #[error("the connection was closed before the answer was complete")]
    Truncated,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Head,
    Body(Body),
}

/// Reads one answer after another from one connection.
#[derive(Debug, Default)]
pub struct AnswerReader {
    state: State,
    /// The answer is to a HEAD request: it has no body, whatever its fields say.
    to_head_request: bool,
    /// Beginning of a head that did not come whole.
    partial_head: Vec<u8>,
    answer: Answer,
    keeper: Option<Keeper>,
    /// The events that are still awaited; the answer is over when they have come.
    events: Option<Events>,
    /// The peer said `100 Continue`.
    wants_body: bool,
}

impl AnswerReader {
    /// Gets ready for the answer to the next request.
    #[inline]
    pub fn expect(&mut self, to_head_request: bool, keep: Keep) {
        self.state = State::Head;
        self.to_head_request = to_head_request;
        self.partial_head.clear();
        self.keeper = Keeper::of(keep);
        self.events = None;
        self.wants_body = false;
    }

    /// A successful answer is over after this many server-sent events. Whatever follows is not
    /// read, and the connection is not used again. To be called after [`Self::expect`].
    pub fn expect_events(&mut self, count: NonZeroU32) {
        self.events = Some(Events::awaited(count));
    }

    /// Whether the answer was complete before all awaited events had come.
    #[must_use]
    pub fn lacks_events(&self) -> bool {
        self.events.is_some_and(|events| !events.have_come())
    }

    /// Whether the peer has asked for the body that was held back (RFC 9110, 15.2.1).
    #[must_use]
    pub fn wants_body(&self) -> bool {
        self.wants_body
    }

    /// The status, from the end of the head until the answer is complete.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        matches!(self.state, State::Body(_)).then_some(self.answer.status)
    }

    /// The complete answer, if it was to be kept.
    #[inline]
    pub fn take_kept(&mut self) -> Option<Box<KeptAnswer>> {
        self.keeper.take().map(Keeper::into_answer)
    }

    /// Takes the next bytes of the stream. After a fault the connection must not be used again.
    /// Several readers may share `recent`: it changes how long reading takes, and nothing else.
    ///
    /// # Errors
    /// When the bytes cannot be an HTTP answer.
    #[inline]
    pub fn read(&mut self, bytes: &[u8], recent: &mut RecentHead) -> Result<Progress, HttpFault> {
        let mut consumed = 0;
        loop {
            match &mut self.state {
                State::Head => {
                    let rest = &bytes[consumed..];
                    let keeper = self.keeper.as_mut();
                    let Some((head, taken)) =
                        head::take(&mut self.partial_head, rest, keeper, recent)?
                    else {
                        return Ok(Progress::Incomplete);
                    };
                    consumed += taken;
                    self.enter_body(&head)?;
                }
                State::Body(body) => {
                    let rest = &bytes[consumed..];
                    let (taken, complete) = match (&mut self.keeper, &mut self.events) {
                        (None, None) => body.take(rest, |_| {})?,
                        (Some(keeper), None) => body.take(rest, |data| keeper.body(data))?,
                        (keeper, Some(events)) => {
                            let taken = body.take(rest, |data| {
                                events.take(data);
                                if let Some(keeper) = keeper {
                                    keeper.body(data);
                                }
                            })?;
                            if events.have_come() {
                                return Ok(self.over_with_events(bytes.len()));
                            }
                            taken
                        }
                    };
                    consumed += taken;
                    return Ok(if complete {
                        self.state = State::Head;
                        Progress::Complete {
                            answer: self.answer,
                            consumed,
                        }
                    } else {
                        Progress::Incomplete
                    });
                }
            }
        }
    }

    /// To be called when the peer has closed its side of the connection.
    ///
    /// # Errors
    /// [`HttpFault::Truncated`] unless the body was to end in just this way.
    pub fn end_of_stream(&mut self) -> Result<Answer, HttpFault> {
        match self.state {
            State::Body(Body::UntilClose) => Ok(self.answer),
            _ => Err(HttpFault::Truncated),
        }
    }

    /// The answer is complete with its last awaited event. Further bytes belong to a stream that is
    /// no longer read, so the connection is not kept alive.
    fn over_with_events(&mut self, consumed: usize) -> Progress {
        self.state = State::Head;
        Progress::Complete {
            answer: Answer {
                keep_alive: false,
                ..self.answer
            },
            consumed,
        }
    }

    fn enter_body(&mut self, head: &Parsed) -> Result<(), HttpFault> {
        // Interim answers precede the real one (RFC 9110, 15.2).
        if (100..200).contains(&head.status) {
            if head.status == 101 {
                return Err(HttpFault::Switch);
            }
            self.wants_body |= head.status == 100;
            return Ok(());
        }
        // An answer that is no success is read like any other.
        if !(200..300).contains(&head.status) {
            self.events = None;
        }
        let body = Body::of(head, self.to_head_request)?;
        self.answer = Answer {
            status: head.status,
            keep_alive: head.keep_alive && body != Body::UntilClose,
        };
        self.state = State::Body(body);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
