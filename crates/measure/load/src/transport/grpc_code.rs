//! The codes of gRPC.

/// How a call ended that was no success (the status codes of gRPC, 1 to 16).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrpcCode {
    /// The caller gave up.
    Cancelled,
    /// Without a code of its own, or with one that is not known.
    Unknown,
    /// The request is wrong.
    InvalidArgument,
    /// It took longer than the caller allowed.
    DeadlineExceeded,
    /// There is no such thing.
    NotFound,
    /// There is one already.
    AlreadyExists,
    /// The caller may not.
    PermissionDenied,
    /// A quota, or memory, is used up.
    ResourceExhausted,
    /// The state of the system does not allow it.
    FailedPrecondition,
    /// Given up for another's sake.
    Aborted,
    /// Beyond the end.
    OutOfRange,
    /// There is no such method.
    Unimplemented,
    /// The server is broken.
    Internal,
    /// The server does not work at this moment.
    Unavailable,
    /// Data are lost.
    DataLoss,
    /// Nobody knows the caller.
    Unauthenticated,
}

/// In the order of their numbers, from 1: the code, its name in the protocol, and the kind of error
/// under which it is counted.
const CODES: [(GrpcCode, &str, &str); 16] = [
    (GrpcCode::Cancelled, "CANCELLED", "grpc-cancelled"),
    (GrpcCode::Unknown, "UNKNOWN", "grpc-unknown"),
    (
        GrpcCode::InvalidArgument,
        "INVALID_ARGUMENT",
        "grpc-invalid-argument",
    ),
    (
        GrpcCode::DeadlineExceeded,
        "DEADLINE_EXCEEDED",
        "grpc-deadline-exceeded",
    ),
    (GrpcCode::NotFound, "NOT_FOUND", "grpc-not-found"),
    (
        GrpcCode::AlreadyExists,
        "ALREADY_EXISTS",
        "grpc-already-exists",
    ),
    (
        GrpcCode::PermissionDenied,
        "PERMISSION_DENIED",
        "grpc-permission-denied",
    ),
    (
        GrpcCode::ResourceExhausted,
        "RESOURCE_EXHAUSTED",
        "grpc-resource-exhausted",
    ),
    (
        GrpcCode::FailedPrecondition,
        "FAILED_PRECONDITION",
        "grpc-failed-precondition",
    ),
    (GrpcCode::Aborted, "ABORTED", "grpc-aborted"),
    (GrpcCode::OutOfRange, "OUT_OF_RANGE", "grpc-out-of-range"),
    (
        GrpcCode::Unimplemented,
        "UNIMPLEMENTED",
        "grpc-unimplemented",
    ),
    (GrpcCode::Internal, "INTERNAL", "grpc-internal"),
    (GrpcCode::Unavailable, "UNAVAILABLE", "grpc-unavailable"),
    (GrpcCode::DataLoss, "DATA_LOSS", "grpc-data-loss"),
    (
        GrpcCode::Unauthenticated,
        "UNAUTHENTICATED",
        "grpc-unauthenticated",
    ),
];

impl GrpcCode {
    /// `None` for 0, which is success. A code that is not known counts as `UNKNOWN`, as the
    /// protocol asks for.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        let place = number.checked_sub(1)? as usize;
        Some(CODES.get(place).map_or(Self::Unknown, |(code, ..)| *code))
    }

    /// 1 to 16.
    #[must_use]
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// `UNAVAILABLE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        CODES[self as usize].1
    }

    /// `grpc-unavailable`: the name under which it is counted as an error.
    #[must_use]
    pub fn kind(self) -> &'static str {
        CODES[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_stands_at_its_number() {
        assert_eq!(GrpcCode::of(0), None);
        assert_eq!(GrpcCode::of(17), Some(GrpcCode::Unknown));
        for number in 1..=16 {
            let code = GrpcCode::of(number).unwrap();
            assert_eq!(code.number(), number as usize);
            let kind = format!("grpc-{}", code.name().to_lowercase().replace('_', "-"));
            assert_eq!(code.kind(), kind);
        }
        assert_eq!(GrpcCode::Unauthenticated.number(), 16);
    }
}
