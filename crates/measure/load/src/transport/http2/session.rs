//! HTTP/2 over an established connection: greetings, then turns.

use super::fault::of_greeting;
use super::io::{Io, Log};
use crate::transport::arrival::Clocks;
use crate::transport::event::Lane;
use crate::transport::fault::Fault;
use crate::transport::stream::Stream;
use bytes::Bytes;
use h2::client::{Builder, Connection, SendRequest};
use h2::{Ping, PingPong};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// The most bytes of answers that may be on their way to us, for each stream and for all of a
/// connection together. The default of 64 KiB for both would have the subject wait for our windows;
/// browsers open them as wide as this.
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

/// Fields of a head as they are when unpacked (RFC 9113, 6.5.2): as long as those of HTTP/1. By
/// default they may take 16 MiB on each stream, and a few KiB of HPACK unpack to that.
const MAX_HEAD_BYTES: u32 = tacho_http1::MAX_HEAD_BYTES as u32;

type Handshake =
    dyn Future<Output = Result<(SendRequest<Bytes>, Connection<Io, Bytes>), h2::Error>> + Send;

/// Streams of events are reset when the last event has come, and the subject sends for a while
/// longer. The library counts such frames as a peer's misbehaviour, by two measures: small ones
/// that nobody takes, and any of a stream that it remembers no more. Neither keeps anything in
/// memory here: each turn takes all that one read has brought.
const DATA_FRAME_BUDGET: usize = usize::MAX / 2;
/// So many of them are remembered, for a second.
const RESET_STREAMS: usize = 4096;

/// The greetings of a connection. They are over when the subject has answered a ping: its settings,
/// which come before, are known then, and that it speaks HTTP/2 at all.
pub struct Greeting {
    stage: GreetingStage,
    log: Arc<Log>,
}

enum GreetingStage {
    Preface(Pin<Box<Handshake>>),
    Proof(Box<Session>, PingPong),
    Over,
}

/// A connection over which requests can be sent.
#[derive(Debug)]
pub struct Session {
    connection: Connection<Io, Bytes>,
    pub sender: SendRequest<Bytes>,
    pub log: Arc<Log>,
    /// Lanes whose requests were queued, and not written yet.
    pub unwritten: Vec<Lane>,
}

impl Greeting {
    pub fn begin(stream: Stream, clocks: Arc<Clocks>) -> Self {
        let log = Arc::new(Log::default());
        let handshake = Builder::new()
            .enable_push(false)
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_header_list_size(MAX_HEAD_BYTES)
            .data_frame_budget(DATA_FRAME_BUDGET)
            .max_concurrent_reset_streams(RESET_STREAMS)
            .max_local_error_reset_streams(None)
            .handshake(Io::new(stream, Arc::clone(&log), clocks));
        Self {
            stage: GreetingStage::Preface(Box::pin(handshake)),
            log,
        }
    }

    /// Goes on as far as the socket allows.
    pub fn advance(&mut self, context: &mut Context<'_>) -> Poll<Result<Box<Session>, Fault>> {
        self.log.begin_turn();
        let log = Arc::clone(&self.log);
        let failed = |error: h2::Error| of_greeting(&error, log.end());
        if let GreetingStage::Preface(handshake) = &mut self.stage {
            let (sender, mut connection) =
                ready!(handshake.as_mut().poll(context)).map_err(&failed)?;
            let Some(mut ping) = connection.ping_pong() else {
                return Poll::Ready(Err(failed(h2::Reason::INTERNAL_ERROR.into())));
            };
            ping.send_ping(Ping::opaque()).map_err(&failed)?;
            let session = Session {
                connection,
                sender,
                log: Arc::clone(&self.log),
                unwritten: Vec::new(),
            };
            self.stage = GreetingStage::Proof(Box::new(session), ping);
        }
        let GreetingStage::Proof(session, ping) = &mut self.stage else {
            return Poll::Pending;
        };
        if let Poll::Ready(result) = session.turn(context) {
            let error = result.err();
            return Poll::Ready(Err(match error {
                Some(error) => failed(error),
                None => failed(h2::Reason::NO_ERROR.into()),
            }));
        }
        ready!(ping.poll_pong(context)).map_err(&failed)?;
        match std::mem::replace(&mut self.stage, GreetingStage::Over) {
            GreetingStage::Proof(session, _) => Poll::Ready(Ok(session)),
            _ => Poll::Pending,
        }
    }
}

impl fmt::Debug for Greeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Greeting").finish_non_exhaustive()
    }
}

impl Session {
    /// Reads at most once, and writes what is queued. Ready when the connection is over.
    pub fn turn(&mut self, context: &mut Context<'_>) -> Poll<Result<(), h2::Error>> {
        self.log.begin_turn();
        Pin::new(&mut self.connection).poll(context)
    }

    /// The most streams that the subject allows at a time.
    pub fn allowed_streams(&self) -> usize {
        self.connection.max_concurrent_send_streams()
    }
}
