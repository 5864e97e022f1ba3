//! What the transport is told and what it reports.

use super::{Fault, KeptAnswer, Outcome};

/// Carries one request at a time.
pub type Lane = u32;

/// What the transport reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// [`Transport::open`](super::Transport::open) succeeded: the lane takes requests.
    Opened(Lane),
    /// [`Transport::open`](super::Transport::open) failed, or an idle lane was closed by the peer.
    Closed(Lane, Option<Fault>),
    /// A request was concluded.
    Ended(Lane, Ended),
}

/// The connection that carried a request, or should have: see
/// [`Transport::name_connections`](super::Transport::name_connections). All 0 where that is not
/// asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Via {
    /// Local port of its TCP socket.
    pub port: u16,
    /// When it was established, monotonic nanoseconds; 0 when it never was.
    pub since: u64,
}

/// A request that was concluded. Instants are monotonic nanoseconds, 0 when never reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Just before the system call that wrote its first byte.
    pub sent: u64,
    /// After the system call that read the first byte of the answer.
    pub first_byte: u64,
    /// After the system call that read the last byte of the answer, or when the fault was known.
    pub end: u64,
    /// What became of it.
    pub outcome: Outcome,
    /// Bytes of the answer that came: head and body, as they were on the wire; in HTTP/2 those of
    /// the body only, because the heads of a connection are compressed together.
    pub received: u64,
    /// Something of an answer came; a lane that fails without one is better left alone a while.
    pub was_heard: bool,
    /// The answer, when the request asked for it to be kept and it is complete.
    pub answer: Option<Box<KeptAnswer>>,
    /// The connection.
    pub via: Via,
}

impl Ended {
    /// Without an answer, as far as it is known: never sent.
    pub(crate) fn failed(fault: Fault, end: u64) -> Self {
        Self {
            sent: 0,
            first_byte: 0,
            end,
            outcome: Outcome::Failed(fault),
            received: 0,
            was_heard: false,
            answer: None,
            via: Via::default(),
        }
    }
}

/// Time limits in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a connection to be established, TLS and the greetings of HTTP/2 included.
    pub connect_ns: u64,
    /// From sent to end.
    pub request_ns: u64,
}
