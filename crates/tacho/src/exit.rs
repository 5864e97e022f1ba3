//! Exit codes: an interface that scripts lean on.

use std::process::ExitCode;

/// Why the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and nothing speaks against the numbers.
    Done,
    /// A check does not hold.
    CheckFailed,
    /// Wrong usage, or an experiment file that is not understood. Nothing was started.
    Usage,
    /// A launch failed, or the certificate is invalid.
    Invalid,
    /// The machine lacks something: rights, a JDK, room on the disk.
    Machine,
    /// The user ended it; what was measured is reported.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::CheckFailed => 1,
            Exit::Usage => 2,
            Exit::Invalid => 3,
            Exit::Machine => 4,
            // As a shell says for SIGINT.
            Exit::Interrupted => 130,
        })
    }
}
