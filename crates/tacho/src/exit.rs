//! Exit codes: an interface that scripts lean on.

use std::process::ExitCode;
use tacho_run_folder::Conclusion;

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

impl Exit {
    /// What the program that called sees.
    pub fn code(self) -> i32 {
        self.number().into()
    }

    fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::CheckFailed => 1,
            Self::Usage => 2,
            Self::Invalid => 3,
            Self::Machine => 4,
            // As a shell says for SIGINT.
            Self::Interrupted => 130,
        }
    }
}

impl From<Conclusion> for Exit {
    fn from(conclusion: Conclusion) -> Self {
        match conclusion {
            Conclusion::Done => Self::Done,
            Conclusion::CheckFailed => Self::CheckFailed,
            Conclusion::Invalid => Self::Invalid,
            Conclusion::Interrupted => Self::Interrupted,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}
