//! Exit codes: an interface that scripts lean on.

use std::process::ExitCode;
use tacho_run_folder::Conclusion;

/// Why the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done, and nothing speaks against the numbers.
    Done = 0,
    /// A check does not hold.
    CheckFailed = 1,
    /// Wrong usage, or an experiment file that is not understood. Nothing was started.
    Usage = 2,
    /// A launch failed, or the certificate is invalid.
    Invalid = 3,
    /// The machine lacks something: rights, a JDK, room on the disk.
    Machine = 4,
    /// The user interrupted it; what was measured is reported. The code is the one that shells use
    /// for SIGINT.
    Interrupted = 130,
}

impl Exit {
    /// What the program that called sees.
    pub fn code(self) -> i32 {
        self as i32
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
        Self::from(exit as u8)
    }
}
