//! The codes of gRPC.

use tacho_run_folder::ErrorKind;

/// How a call ended that was no success: 1 to 16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrpcCode(u8);

/// In the order of their numbers, from 1: the kind of error, and the name in the protocol.
const CODES: [(ErrorKind, &str); 16] = [
    (ErrorKind::GrpcCancelled, "CANCELLED"),
    (ErrorKind::GrpcUnknown, "UNKNOWN"),
    (ErrorKind::GrpcInvalidArgument, "INVALID_ARGUMENT"),
    (ErrorKind::GrpcDeadlineExceeded, "DEADLINE_EXCEEDED"),
    (ErrorKind::GrpcNotFound, "NOT_FOUND"),
    (ErrorKind::GrpcAlreadyExists, "ALREADY_EXISTS"),
    (ErrorKind::GrpcPermissionDenied, "PERMISSION_DENIED"),
    (ErrorKind::GrpcResourceExhausted, "RESOURCE_EXHAUSTED"),
    (ErrorKind::GrpcFailedPrecondition, "FAILED_PRECONDITION"),
    (ErrorKind::GrpcAborted, "ABORTED"),
    (ErrorKind::GrpcOutOfRange, "OUT_OF_RANGE"),
    (ErrorKind::GrpcUnimplemented, "UNIMPLEMENTED"),
    (ErrorKind::GrpcInternal, "INTERNAL"),
    (ErrorKind::GrpcUnavailable, "UNAVAILABLE"),
    (ErrorKind::GrpcDataLoss, "DATA_LOSS"),
    (ErrorKind::GrpcUnauthenticated, "UNAUTHENTICATED"),
];

impl GrpcCode {
    /// What a code that is not known counts as, and an answer without one.
    pub const UNKNOWN: Self = Self(2);

    /// `None` for 0, which is success.
    #[must_use]
    pub fn of(number: u32) -> Option<Self> {
        match number {
            0 => None,
            1..=16 => Some(Self(number as u8)),
            _ => Some(Self::UNKNOWN),
        }
    }

    /// 1 to 16.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }

    /// The code as gRPC spells it: `UNAVAILABLE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The kind under which it is counted.
    #[must_use]
    pub fn kind(self) -> ErrorKind {
        self.row().0
    }

    fn row(self) -> (ErrorKind, &'static str) {
        CODES[usize::from(self.0) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_stands_at_its_number() {
        assert_eq!(GrpcCode::of(0), None);
        assert_eq!(GrpcCode::of(17), Some(GrpcCode::UNKNOWN));
        assert_eq!(GrpcCode::UNKNOWN.name(), "UNKNOWN");
        for number in 1..=16 {
            let code = GrpcCode::of(number).unwrap();
            assert_eq!(u32::from(code.number()), number);
            let kind = format!("grpc-{}", code.name().to_lowercase().replace('_', "-"));
            assert_eq!(code.kind().name(), kind);
        }
    }
}
