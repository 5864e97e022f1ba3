//! The names under which failed requests are counted, in `launch.json`, in rows and in reports.

use crate::Word;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident = $name:literal,)*) => {
        /// Why a request counts as failed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum ErrorKind {
            $($(#[doc = $doc])* #[serde(rename = $name)] $kind,)*
        }

        impl ErrorKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// `status-4xx`: the word in files and reports.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// A status from 400 to 499 that was not asked for.
    Status4xx = "status-4xx",
    /// A status of 500 or above that was not asked for.
    Status5xx = "status-5xx",
    /// The name has no address.
    Dns = "dns",
    /// Nothing listens at the port.
    Refused = "refused",
    /// No connection within the limit.
    ConnectTimeout = "connect-timeout",
    /// No way there.
    Unreachable = "unreachable",
    /// The generator may open no more files.
    NoDescriptors = "no-descriptors",
    /// No local port is left.
    NoLocalPorts = "no-local-ports",
    /// No TLS with this peer.
    Tls = "tls",
    /// Not the protocol that was agreed on, or broken in its use.
    Protocol = "protocol",
    /// The peer broke the connection off.
    Reset = "reset",
    /// The peer broke the stream off (HTTP/2).
    StreamReset = "stream-reset",
    /// The peer takes no more requests on the connection (HTTP/2).
    GoAway = "goaway",
    /// The peer closed before the answer was complete.
    Closed = "closed",
    /// No complete answer within the limit.
    Timeout = "timeout",
    /// The answer breaks its protocol.
    Malformed = "malformed",
    /// The head of the answer is beyond all bounds.
    TooLarge = "too-large",
    /// Still waiting for a connection at the end.
    Unsent = "unsent",
    /// Under way when the phase was stopped.
    Interrupted = "interrupted",
    /// The request could not be made.
    Template = "template",
    /// The answer is not what it must be.
    Check = "check",
    /// The answer lacks a value that a later step wants.
    Capture = "capture",
    /// The answer redirects where the run does not go.
    Redirect = "redirect",
    /// Anything else that the kernel says.
    Io = "io",
    /// Code 1 of gRPC: the caller gave up.
    GrpcCancelled = "grpc-cancelled",
    /// Code 2 of gRPC, a code that is not known, or none.
    GrpcUnknown = "grpc-unknown",
    /// Code 3 of gRPC: the request is wrong.
    GrpcInvalidArgument = "grpc-invalid-argument",
    /// Code 4 of gRPC: it took longer than the caller allowed.
    GrpcDeadlineExceeded = "grpc-deadline-exceeded",
    /// Code 5 of gRPC: there is no such thing.
    GrpcNotFound = "grpc-not-found",
    /// Code 6 of gRPC: there is one already.
    GrpcAlreadyExists = "grpc-already-exists",
    /// Code 7 of gRPC: the caller may not.
    GrpcPermissionDenied = "grpc-permission-denied",
    /// Code 8 of gRPC: a quota, or memory, is used up.
    GrpcResourceExhausted = "grpc-resource-exhausted",
    /// Code 9 of gRPC: the state of the system does not allow it.
    GrpcFailedPrecondition = "grpc-failed-precondition",
    /// Code 10 of gRPC: given up, because of another call at the same time.
    GrpcAborted = "grpc-aborted",
    /// Code 11 of gRPC: beyond the end.
    GrpcOutOfRange = "grpc-out-of-range",
    /// Code 12 of gRPC: there is no such method.
    GrpcUnimplemented = "grpc-unimplemented",
    /// Code 13 of gRPC: the server is broken.
    GrpcInternal = "grpc-internal",
    /// Code 14 of gRPC: the server does not work at this moment.
    GrpcUnavailable = "grpc-unavailable",
    /// Code 15 of gRPC: data are lost.
    GrpcDataLoss = "grpc-data-loss",
    /// Code 16 of gRPC: nobody knows the caller.
    GrpcUnauthenticated = "grpc-unauthenticated",
}

impl ErrorKind {
    /// By its name; `None` where this version knows no such kind.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|kind| kind.name() == name)
    }

    /// A whole answer came, and is not what it must be; of the others none came.
    #[must_use]
    pub fn was_answered(self) -> bool {
        use ErrorKind::*;
        !matches!(
            self,
            Dns | Refused
                | ConnectTimeout
                | Unreachable
                | NoDescriptors
                | NoLocalPorts
                | Tls
                | Protocol
                | Reset
                | StreamReset
                | GoAway
                | Closed
                | Timeout
                | Malformed
                | TooLarge
                | Unsent
                | Interrupted
                | Template
                | Io
        )
    }

    /// `4xx`, where there was a complete answer and its status is the error: the word in
    /// [`PhaseRecord::by_status`](crate::PhaseRecord::by_status).
    #[must_use]
    pub fn status_class(self) -> Option<&'static str> {
        match self {
            Self::Status4xx => Some("4xx"),
            Self::Status5xx => Some("5xx"),
            _ => None,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Word<ErrorKind> {
    /// The word in files and reports.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Known(kind) => kind.name(),
            Self::Other(word) => word,
        }
    }
}

impl From<&str> for Word<ErrorKind> {
    fn from(name: &str) -> Self {
        ErrorKind::named(name).map_or_else(|| Self::Other(name.to_owned()), Self::Known)
    }
}

/// By their names, as files list them.
impl Ord for Word<ErrorKind> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Word<ErrorKind> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_kind_is_found_by_its_name() {
        for kind in ErrorKind::ALL {
            assert_eq!(ErrorKind::named(kind.name()), Some(*kind));
        }
        assert_eq!(ErrorKind::named("bored"), None);
    }

    /// Also where the kinds are the keys, and also one that only a later version knows.
    #[test]
    fn files_list_kinds_by_name() {
        let text = r#"{"bored":1,"reset":2,"status-4xx":3,"timeout":4}"#;
        let read: BTreeMap<Word<ErrorKind>, u64> = serde_json::from_str(text).unwrap();
        assert_eq!(read[&ErrorKind::Status4xx.into()], 3);
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
