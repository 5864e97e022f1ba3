//! Sockets: carries requests to the subject and reports what became of them.
//!
//! The rest of the engine sees *lanes*: a lane carries one request at a time. What a lane is made
//! of is the transport's own business: a connection with HTTP/1.1, a stream of one of the
//! connections with HTTP/2.
//!
//! | module | idea |
//! |---|---|
//! | [`EpollTransport`] | HTTP/1.1 and WebSocket over TCP, Unix sockets and TLS, by epoll |
//! | [`Http2Transport`] | HTTP/2 over TCP, Unix sockets and TLS, by h2 and epoll |
//! | `origin`, `resolver`, `socket` | which address, which socket |
//! | `tls`, `stream` | bytes, plain or through TLS |
//! | `exchange`, `event`, [`Fault`] | one request on its way, and what became of it |
//!
//! # The instants of a request on a stream of HTTP/2
//! | instant | meaning |
//! |---|---|
//! | sent | just before the system call that wrote the request's head. Heads that are queued in one pass of the loop go out in one call and share the instant |
//! | first byte | after the system call that read the head of the answer |
//! | end | after the system call that read the end of the stream |
//!
//! Nothing here knows of schedules or histograms. Results come out of [`Transport::next_event`]
//! only, failures that are known at once included, so there is one place where they are handled.

mod approach;
mod arrival;
pub mod descriptors;
mod epoll;
mod event;
mod exchange;
mod fault;
mod grpc_code;
mod http2;
mod origin;
mod poller;
mod reason;
mod resolver;
mod socket;
mod stream;
mod tls;

use crate::request::{Endpoint, Rendered};
pub use epoll::EpollTransport;
pub use event::{Ended, Event, Lane, Limits, Via};
pub use fault::{ANSWERS_WITH_TLS, Excerpt, Fault, Outcome};
pub use grpc_code::GrpcCode;
pub use http2::Http2Transport;
#[doc(hidden)]
pub use http2::read_frames;
pub use reason::Reason;
use std::fmt::Debug;
use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;
pub use tacho_http1::{Keep, KeptAnswer};
use tacho_run_folder::AnswerEnd;
pub use tls::TlsError;

/// Carries requests over lanes. A virtual call costs two of the several thousand nanoseconds that a
/// request takes, and the loop that calls is compiled once.
pub trait Transport: Debug + Send {
    /// Has this many lanes from now on; those that are too many are closed.
    fn set_lanes(&mut self, lanes: u32);

    /// Number of lanes.
    fn lanes(&self) -> u32;

    /// Instances of the subject; lane `l` belongs to instance `l % instances`.
    fn instances(&self) -> u32 {
        1
    }

    /// How many connections this many lanes take.
    fn connections_for(&self, lanes: u32) -> u32;

    /// The lane can send without opening a connection first.
    fn is_open(&self, lane: Lane) -> bool;

    /// Connections established so far.
    fn established(&self) -> u64;

    /// Begins to open a closed lane; [`Event::Opened`] or [`Event::Closed`] follows.
    fn open(&mut self, lane: Lane);

    /// Sends a request over a lane that carries none; connects first where that is needed.
    /// [`Event::Ended`] follows, in every case.
    fn send(&mut self, lane: Lane, request: Arc<Rendered>);

    /// Gives up what the lane carries. [`Event::Ended`] follows if it carries any.
    fn abandon(&mut self, lane: Lane, fault: Fault);

    /// The lane carries a request.
    fn is_busy(&self, lane: Lane) -> bool;

    /// Gives up what has been waited for longer than the limits allow. To be called some twenty
    /// times a second.
    fn expire(&mut self, now: u64);

    /// Waits until something happens, at most so long (in nanoseconds; the kernel may round up to
    /// milliseconds).
    ///
    /// # Errors
    /// When the kernel cannot wait, which does not happen for reasons of this process.
    fn wait(&mut self, at_most_ns: u64) -> io::Result<()>;

    /// Waits until something happens or this instant of the monotonic clock has come, exact to the
    /// nanosecond, at most so long.
    ///
    /// # Errors
    /// As [`Transport::wait`].
    fn wait_until(&mut self, instant: u64, at_most_ns: u64) -> io::Result<()>;

    /// Has the kernel stamp answers when they arrive, where it can.
    fn stamp_arrivals(&mut self) {}

    /// From now on requests say which connection carried them ([`Ended::via`]), which costs a
    /// system call a connection. Streams of HTTP/2 do not.
    fn name_connections(&mut self) {}

    /// Why the answers so far may not be trusted, for people; `None` when there is no doubt.
    fn trouble(&self) -> Option<String> {
        None
    }

    /// How the end of a request is timed, judged by the latest answers.
    fn ends(&self) -> AnswerEnd {
        AnswerEnd::AfterRead
    }

    /// Whether answers may be read later than they came without changing their recorded end.
    fn may_read_late(&self) -> bool {
        false
    }

    /// Sleeps until this instant of the monotonic clock, whatever comes in meanwhile; what came is
    /// known after a [`Transport::look`].
    ///
    /// # Errors
    /// When the kernel does not let a thread sleep, which does not happen for reasons of this
    /// process.
    fn sleep_until(&mut self, instant: u64) -> io::Result<()> {
        poller::sleep_until(instant)
    }

    /// Looks at what has happened, without waiting.
    ///
    /// # Errors
    /// As [`Transport::wait`].
    fn look(&mut self) -> io::Result<()> {
        self.wait(0)
    }

    /// The next result. Handles one socket at a time, so that the caller can send between two.
    fn next_event(&mut self) -> Option<Event>;
}

/// What is spoken over a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// HTTP/1.1: one request at a time.
    #[default]
    Http1,
    /// HTTP/2 with many streams: by ALPN over TLS, by prior knowledge without (RFC 9113, 3).
    Http2,
    /// WebSocket, which a connection of HTTP/1.1 becomes (RFC 6455): one message, and then its
    /// answer.
    WebSocket,
}

impl Protocol {
    /// The protocol's name when TLS negotiates it (ALPN, RFC 7301).
    pub(crate) fn alpn(self) -> &'static [u8] {
        match self {
            Self::Http1 | Self::WebSocket => b"http/1.1",
            Self::Http2 => b"h2",
        }
    }
}

/// No transport to this endpoint.
#[derive(Debug, thiserror::Error)]
pub enum TransportError {
    /// The kernel gives no epoll instance.
    #[error(
        "cannot wait for sockets: {0}; close other programs that hold many files and run again"
    )]
    Poll(#[from] io::Error),
    /// The files or names of the TLS options are of no use.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Streams of HTTP/2 move between connections, and so would requests between instances.
    #[error(
        "several instances of a subject can be reached over HTTP/1.1 only; leave HTTP/2 out, or put a load balancer in front of them"
    )]
    InstancesOverHttp2,
}

/// The transport for an endpoint. `streams` is the number of lanes that share a connection of
/// HTTP/2. A name is resolved here, which may take as long as a connection may.
///
/// # Errors
/// When the kernel gives no epoll instance, or the TLS options are of no use.
pub fn transport_to(
    endpoint: &Endpoint,
    limits: Limits,
    streams: NonZeroU32,
) -> Result<Box<dyn Transport>, TransportError> {
    if endpoint.protocol == Protocol::Http2 && !endpoint.others.is_empty() {
        return Err(TransportError::InstancesOverHttp2);
    }
    Ok(match endpoint.protocol {
        Protocol::Http1 | Protocol::WebSocket => Box::new(EpollTransport::new(endpoint, limits)?),
        Protocol::Http2 => Box::new(Http2Transport::new(endpoint, limits, streams)?),
    })
}
