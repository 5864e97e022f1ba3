//! One request on a stream.

use super::grpc::{Call, no_call_answers};
use super::io::Log;
use crate::request::{Rendered, Wire};
use crate::transport::event::{Ended, Event, Lane, Via};
use crate::transport::fault::{Fault, Outcome};
use bytes::Bytes;
use h2::client::{ResponseFuture, SendRequest};
use h2::{RecvStream, SendStream};
use http::HeaderMap;
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tacho_clock::monotonic_ns;
use tacho_http1::{Events, Keeper, KeptAnswer};

/// A request on its way.
#[derive(Debug)]
pub struct Exchange {
    pub request: Arc<Rendered>,
    stage: Stage,
    /// When it was given to a connection; 0 while it waits for one.
    pub queued: u64,
    /// Just before the system call that wrote its head; 0 before that.
    pub sent: u64,
    /// After the system call that read the head of the answer; 0 before that.
    first_byte: u64,
    /// Bytes of the answer's body that have come.
    pub received: u64,
    /// It was sent again because the subject had not begun with it.
    pub is_retry: bool,
}

#[derive(Debug)]
enum Stage {
    /// Its connection is being opened.
    Waiting,
    /// Its head, at least, was given to the connection.
    Asked {
        response: ResponseFuture,
        /// The body that is held back until the subject wants it.
        held_back: Option<SendStream<Bytes>>,
    },
    /// The head of the answer has come.
    Answering { answer: Answer, body: RecvStream },
}

#[derive(Debug)]
struct Answer {
    status: u16,
    /// Content-Length, if it said so.
    announced: Option<u64>,
    /// It answers a call of gRPC.
    call: Option<Call>,
    /// It should answer one, and does not.
    no_call: Option<Fault>,
    /// Server-sent events that are waited for: it succeeds, and is over with the last of them.
    events: Option<Events>,
    keeper: Option<Keeper>,
}

/// An answer that is complete.
#[derive(Debug)]
pub struct Complete {
    outcome: Outcome,
    kept: Option<Box<KeptAnswer>>,
}

impl Exchange {
    pub fn new(request: Arc<Rendered>) -> Self {
        Self {
            request,
            stage: Stage::Waiting,
            queued: 0,
            sent: 0,
            first_byte: 0,
            received: 0,
            is_retry: false,
        }
    }

    pub fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting)
    }

    /// Back to the beginning: its instants stay.
    pub fn begin_again(&mut self) {
        self.stage = Stage::Waiting;
        self.is_retry = true;
        self.queued = 0;
    }

    /// Opens a stream for it. Head and body are only queued: the connection writes them when it is
    /// driven next, those of several streams at once.
    pub fn start(&mut self, sender: &SendRequest<Bytes>) -> Result<(), h2::Error> {
        let Wire::Http2 { head, body } = &self.request.wire else {
            // Cannot happen: such a request is refused earlier.
            return Err(h2::Reason::INTERNAL_ERROR.into());
        };
        // A handle of its own, so that nobody waits for another's stream to be opened.
        let mut sender = sender.clone();
        let (response, mut stream) = sender.send_request((**head).clone(), body.is_empty())?;
        let held_back = if self.request.expects_continue {
            Some(stream)
        } else {
            if !body.is_empty() {
                stream.send_data(body.clone(), true)?;
            }
            None
        };
        self.stage = Stage::Asked {
            response,
            held_back,
        };
        self.queued = monotonic_ns();
        Ok(())
    }

    /// Sends the body that was held back, if any.
    pub fn release_body(&mut self) {
        let Wire::Http2 { body, .. } = &self.request.wire else {
            return;
        };
        if let Stage::Asked { held_back, .. } = &mut self.stage
            && let Some(mut stream) = held_back.take()
        {
            // When the stream is gone, its response says why.
            let _ = stream.send_data(body.clone(), true);
        }
    }

    /// Takes what has come of the answer.
    pub fn advance(
        &mut self,
        context: &mut Context<'_>,
        log: &Log,
    ) -> Poll<Result<Complete, h2::Error>> {
        self.await_continue(context);
        if let Stage::Asked { response, .. } = &mut self.stage {
            let (head, body) = ready!(Pin::new(response).poll(context))?.into_parts();
            self.first_byte = log.last_read().max(self.sent);
            let mut keeper = Keeper::of(self.request.keep);
            let status = head.status.as_u16();
            if let Some(keeper) = &mut keeper {
                keeper.head(status, fields_of(&head.headers));
            }
            let announced = head
                .headers
                .get(http::header::CONTENT_LENGTH)
                .and_then(|value| value.to_str().ok()?.parse().ok());
            let answer = Answer {
                status,
                announced,
                call: Call::of(&head.headers),
                no_call: self
                    .request
                    .head()
                    .and_then(|asked| no_call_answers(asked, status, &head.headers)),
                events: awaited(self.request.events, status),
                keeper,
            };
            self.stage = Stage::Answering { answer, body };
        }
        let Stage::Answering { answer, body } = &mut self.stage else {
            return Poll::Pending;
        };
        loop {
            match ready!(body.poll_data(context)) {
                Some(Ok(data)) => {
                    self.received += data.len() as u64;
                    if let Some(keeper) = &mut answer.keeper {
                        keeper.body(&data);
                    }
                    // Release the window at once, so that flow control never holds up the subject.
                    let _ = body.flow_control().release_capacity(data.len());
                    if answer.has_last_event(&data) {
                        // Further data is not read: dropping the handle resets the stream.
                        return Poll::Ready(Ok(answer.complete(None)));
                    }
                }
                Some(Err(error)) if !is_early_end(&error, answer, self.received) => {
                    return Poll::Ready(Err(error));
                }
                Some(Err(_)) => return Poll::Ready(Ok(answer.complete(None))),
                None => {
                    let trailers = ready!(body.poll_trailers(context))?;
                    return Poll::Ready(Ok(answer.complete(trailers.as_ref())));
                }
            }
        }
    }

    /// Sends the body once the subject has asked for it.
    fn await_continue(&mut self, context: &mut Context<'_>) {
        let Stage::Asked {
            response,
            held_back: Some(_),
        } = &mut self.stage
        else {
            return;
        };
        let mut wanted = false;
        while let Poll::Ready(Some(Ok(interim))) = response.poll_informational(context) {
            wanted |= interim.status() == http::StatusCode::CONTINUE;
        }
        if wanted {
            self.release_body();
        }
    }

    /// The whole answer, as an event.
    pub fn answered(self, lane: Lane, complete: Complete, end: u64) -> Event {
        Event::Ended(
            lane,
            Ended {
                sent: self.sent,
                first_byte: self.first_byte,
                end,
                outcome: complete.outcome,
                received: self.received,
                was_heard: true,
                answer: complete.kept,
                via: Via::default(),
            },
        )
    }

    /// Without an answer, ended now.
    pub fn failed(self, lane: Lane, fault: Fault) -> Event {
        Event::Ended(
            lane,
            Ended {
                sent: self.sent,
                first_byte: self.first_byte,
                received: self.received,
                was_heard: self.first_byte > 0,
                ..Ended::failed(fault, monotonic_ns())
            },
        )
    }
}

/// A refusal is read like any other answer.
fn awaited(events: Option<NonZeroU32>, status: u16) -> Option<Events> {
    let events = events.filter(|_| (200..300).contains(&status));
    events.map(Events::awaited)
}

impl Answer {
    /// Whether it is over with these bytes.
    fn has_last_event(&mut self, data: &[u8]) -> bool {
        self.events.as_mut().is_some_and(|events| {
            events.take(data);
            events.have_come()
        })
    }

    /// All of it has come, or all that is waited for.
    fn complete(&mut self, trailers: Option<&HeaderMap>) -> Complete {
        let mut keeper = self.keeper.take();
        if let (Some(keeper), Some(trailers)) = (&mut keeper, trailers) {
            keeper.trailers(fields_of(trailers));
        }
        let ended = match (self.status, self.call, self.no_call) {
            (_, _, Some(fault)) => Err(fault),
            (200, Some(call), None) => call.end(trailers),
            // Of a call: a status of 400 or above, which says by itself that it failed.
            _ if self.events.is_some_and(|events| !events.have_come()) => Err(Fault::FewEvents),
            _ => Ok(()),
        };
        Complete {
            outcome: ended.map_or_else(Outcome::Failed, |()| Outcome::Answered(self.status)),
            kept: keeper.map(Keeper::into_answer),
        }
    }
}

fn fields_of(fields: &HeaderMap) -> impl Iterator<Item = (&str, &[u8])> {
    let fields = fields.iter();
    fields.map(|(name, value)| (name.as_str(), value.as_bytes()))
}

/// A subject may answer before it has read the whole request. It then resets the stream with
/// `NO_ERROR`, and the answer counts (RFC 9113, 8.1). h2 does not say whether the answer was
/// complete; the announced length does.
fn is_early_end(error: &h2::Error, answer: &Answer, received: u64) -> bool {
    error.is_reset()
        && error.is_remote()
        && error.reason() == Some(h2::Reason::NO_ERROR)
        && answer
            .announced
            .is_none_or(|announced| announced == received)
}
