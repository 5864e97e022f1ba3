//! What the transport is told and what it reports.

use super::connection::Exchange;
use super::{Fault, Outcome};
use crate::clock::monotonic_ns;

/// Carries one request at a time.
pub type Lane = u32;

/// What the transport reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// [`Transport::open`](super::Transport::open) succeeded.
    Opened(Lane),
    /// [`Transport::open`](super::Transport::open) failed, or an idle lane was closed by the peer.
    Closed(Lane, Option<Fault>),
    /// A request was concluded.
    Ended(Lane, Ended),
}

/// A request that was concluded. Instants are monotonic nanoseconds, 0 when never reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Just before the system call that wrote its first byte.
    pub sent: u64,
    /// After the system call that read the first byte of the answer.
    pub first_byte: u64,
    /// After the system call that read the last byte of the answer, or when the fault was known.
    pub end: u64,
    /// What became of it.
    pub outcome: Outcome,
    /// Some byte of an answer came; a lane that fails without one is better left alone a while.
    pub was_heard: bool,
}

/// Time limits in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For a connection to be established.
    pub connect_ns: u64,
    /// From sent to end.
    pub request_ns: u64,
}

impl Event {
    /// A request without an answer, ended now.
    pub(super) fn failed(lane: Lane, exchange: &Exchange, fault: Fault) -> Self {
        Self::Ended(
            lane,
            Ended {
                sent: exchange.sent,
                first_byte: exchange.first_byte,
                end: monotonic_ns(),
                outcome: Outcome::Failed(fault),
                was_heard: exchange.received > 0,
            },
        )
    }
}
