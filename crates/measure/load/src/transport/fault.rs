//! What can go wrong with a request, under its own name.

use super::grpc_code::GrpcCode;
use super::reason::Reason;
use rustix::io::Errno;
use std::fmt;
use tacho_http1::HttpFault;
use tacho_run_folder::{ErrorKind, RowOutcome};

/// How a request ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// A complete answer with this status.
    Answered(u16),
    /// A complete answer with this status of 400 or above, which is just what was asked for.
    Accepted(u16),
    /// No complete answer, or not the one that was asked for.
    Failed(Fault),
}

impl Outcome {
    /// A complete answer with a status below 400, or with the one that was asked for.
    #[inline]
    #[must_use]
    pub fn is_ok(self) -> bool {
        match self {
            Self::Answered(status) => status < 400,
            Self::Accepted(_) => true,
            Self::Failed(_) => false,
        }
    }

    /// The kind under which it is counted as an error; `None` when it is none.
    #[must_use]
    pub fn error_kind(self) -> Option<ErrorKind> {
        match self {
            Self::Answered(..400) | Self::Accepted(_) => None,
            Self::Answered(..500) => Some(ErrorKind::Status4xx),
            Self::Answered(_) => Some(ErrorKind::Status5xx),
            Self::Failed(fault) => Some(fault.kind()),
        }
    }
}

/// As in `requests.csv`.
impl From<Outcome> for RowOutcome {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Answered(status) | Outcome::Accepted(status) => Self::Answered(status),
            Outcome::Failed(fault) => Self::Failed(fault.kind().into()),
        }
    }
}

/// The status, or the kind of fault.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(status) | Self::Accepted(status) => write!(f, "{status}"),
            Self::Failed(fault) => fault.kind().fmt(f),
        }
    }
}

/// What the example says of a port that wants `https`.
pub const ANSWERS_WITH_TLS: &str = "the subject answers with TLS";

/// The first bytes of an answer that was no HTTP, for the example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Excerpt {
    bytes: [u8; 24],
    length: u8,
}

impl Excerpt {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut excerpt = Self::default();
        let length = bytes.len().min(excerpt.bytes.len());
        excerpt.bytes[..length].copy_from_slice(&bytes[..length]);
        excerpt.length = length as u8;
        excerpt
    }

    /// Type and version of an alert record (RFC 8446, 5.1).
    fn is_tls_alert(&self) -> bool {
        self.bytes.starts_with(&[0x15, 0x03])
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = &self.bytes[..usize::from(self.length)];
        write!(f, "`{}`", bytes.escape_ascii())
    }
}

/// Why there is no complete answer. Small and without memory of its own, so that a million faults
/// cost nothing; the text is made for the one example that is kept of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The name has no address.
    #[error("the name does not resolve: {0}")]
    Dns(Reason),
    /// The connection was refused: nothing listens at the port.
    #[error("the connection was refused: nothing listens there")]
    Refused,
    /// No connection within the limit.
    #[error("no connection within the time limit")]
    ConnectTimeout,
    /// No way there.
    #[error("unreachable: {0}")]
    Unreachable(Errno),
    /// The process may open no more files.
    #[error("no socket: {0}; raise the limit with `ulimit -n`")]
    NoDescriptors(Errno),
    /// All local ports are in use or in TIME_WAIT.
    #[error(
        "no local port is free; the subject closes connections too often to measure at this rate"
    )]
    NoPorts,
    /// No TLS with this peer: its certificate, ours, or no TLS at all.
    #[error("no TLS: {0}")]
    Tls(Reason),
    /// Not the protocol that was agreed on, or broken in its use.
    #[error("{0}")]
    Protocol(Reason),
    /// The peer broke the connection off.
    #[error("the subject broke the connection off")]
    Reset,
    /// The peer broke the request's stream off (RST_STREAM of HTTP/2).
    #[error("the subject broke the stream off: {0}")]
    StreamReset(Reason),
    /// The peer takes no more requests on the connection (GOAWAY of HTTP/2), this one included.
    #[error("the subject takes no more requests on the connection: {0}")]
    GoAway(Reason),
    /// The peer closed before the answer was complete, after this many bytes of it.
    #[error("the subject closed the connection after {received} bytes of an unfinished answer")]
    Closed {
        /// Bytes of the answer that had come.
        received: u64,
    },
    /// No complete answer within the limit, after this many bytes of it.
    #[error("no complete answer within the time limit; {received} bytes of it had come")]
    Timeout {
        /// Bytes of the answer that had come.
        received: u64,
    },
    /// The answer breaks HTTP/1.1: the rule, and the bytes that break it.
    #[error(fmt = malformed)]
    Malformed(HttpFault, Excerpt),
    /// More bytes than the answer announced.
    #[error("{bytes} bytes after the end that the answer announced")]
    Excess {
        /// How many came with its end.
        bytes: u64,
    },
    /// The head of the answer is beyond all bounds.
    #[error("{}", HttpFault::HeadTooLarge)]
    TooLarge,
    /// Still waiting for a free connection when the phase's time was over.
    #[error("still waiting for a free connection when the phase was over")]
    Unsent,
    /// Not concluded when the phase was stopped.
    #[error("not finished when the phase was stopped")]
    Interrupted,
    /// The request could not be made: a value for a placeholder is missing, or breaks what it
    /// stands in.
    #[error("the request could not be made")]
    Template,
    /// A call of gRPC failed, under a status of 200: its code and its message.
    #[error("the call failed with {} (grpc-status {}): {message}", .0.name(), .0.number(), message = .1)]
    Grpc(GrpcCode, Reason),
    /// The answer is not what it must be.
    #[error("the answer is not what it must be")]
    Check,
    /// A stream of events has ended too early, or there was none.
    #[error(
        "the answer ended before as many server-sent events had come as were asked for; does it send text/event-stream?"
    )]
    FewEvents,
    /// The answer lacks a value that a later step wants.
    #[error("the answer lacks a value that a later step wants")]
    Capture,
    /// The answer redirects where the run does not go.
    #[error("the answer redirects where the run does not go")]
    Redirect,
    /// Anything else that the kernel says.
    #[error("{0}")]
    Io(Errno),
}

impl Fault {
    /// The kind under which it is counted.
    #[must_use]
    pub fn kind(self) -> ErrorKind {
        match self {
            Self::Dns(_) => ErrorKind::Dns,
            Self::Refused => ErrorKind::Refused,
            Self::ConnectTimeout => ErrorKind::ConnectTimeout,
            Self::Unreachable(_) => ErrorKind::Unreachable,
            Self::NoDescriptors(_) => ErrorKind::NoDescriptors,
            Self::NoPorts => ErrorKind::NoLocalPorts,
            Self::Tls(_) => ErrorKind::Tls,
            Self::Protocol(_) => ErrorKind::Protocol,
            Self::Reset => ErrorKind::Reset,
            Self::StreamReset(_) => ErrorKind::StreamReset,
            Self::GoAway(_) => ErrorKind::GoAway,
            Self::Closed { .. } => ErrorKind::Closed,
            Self::Timeout { .. } => ErrorKind::Timeout,
            Self::Malformed(..) | Self::Excess { .. } => ErrorKind::Malformed,
            Self::TooLarge => ErrorKind::TooLarge,
            Self::Unsent => ErrorKind::Unsent,
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Template => ErrorKind::Template,
            Self::Grpc(code, _) => code.kind(),
            Self::Check | Self::FewEvents => ErrorKind::Check,
            Self::Capture => ErrorKind::Capture,
            Self::Redirect => ErrorKind::Redirect,
            Self::Io(_) => ErrorKind::Io,
        }
    }

    /// What an error of a system call means.
    pub(crate) fn of_errno(errno: Errno) -> Self {
        match errno {
            Errno::CONNREFUSED => Self::Refused,
            Errno::TIMEDOUT => Self::ConnectTimeout,
            Errno::CONNRESET | Errno::PIPE | Errno::CONNABORTED => Self::Reset,
            Errno::NETUNREACH | Errno::HOSTUNREACH | Errno::HOSTDOWN | Errno::NETDOWN => {
                Self::Unreachable(errno)
            }
            // Of Unix sockets: no such file, or none that may be written to.
            Errno::NOENT | Errno::NOTDIR | Errno::ACCESS | Errno::PERM => Self::Unreachable(errno),
            Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM => {
                Self::NoDescriptors(errno)
            }
            Errno::ADDRNOTAVAIL => Self::NoPorts,
            other => Self::Io(other),
        }
    }

    /// What a fault of the reader means, given the bytes in which it was found.
    pub(crate) fn of_http(fault: HttpFault, bytes: &[u8], received: u64) -> Self {
        match fault {
            HttpFault::HeadTooLarge => Self::TooLarge,
            HttpFault::Truncated => Self::Closed { received },
            other => Self::Malformed(other, Excerpt::of(bytes)),
        }
    }
}

fn malformed(fault: &HttpFault, excerpt: &Excerpt, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match excerpt.is_tls_alert() {
        true => write!(f, "{ANSWERS_WITH_TLS}: {excerpt}; use https://"),
        false => write!(f, "{fault}: {excerpt}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_of_the_kernel_has_its_name() {
        for (errno, kind) in [
            (Errno::CONNREFUSED, "refused"),
            (Errno::CONNRESET, "reset"),
            (Errno::PIPE, "reset"),
            (Errno::TIMEDOUT, "connect-timeout"),
            (Errno::HOSTUNREACH, "unreachable"),
            (Errno::NETUNREACH, "unreachable"),
            (Errno::NOENT, "unreachable"),
            (Errno::MFILE, "no-descriptors"),
            (Errno::NFILE, "no-descriptors"),
            (Errno::ADDRNOTAVAIL, "no-local-ports"),
            (Errno::IO, "io"),
        ] {
            assert_eq!(Fault::of_errno(errno).kind().name(), kind);
        }
    }

    #[test]
    fn a_status_from_400_on_is_an_error() {
        for (status, kind) in [
            (200, None),
            (302, None),
            (399, None),
            (400, Some(ErrorKind::Status4xx)),
            (499, Some(ErrorKind::Status4xx)),
            (500, Some(ErrorKind::Status5xx)),
        ] {
            assert_eq!(Outcome::Answered(status).error_kind(), kind);
            assert_eq!(Outcome::Answered(status).is_ok(), kind.is_none());
        }
    }
}
