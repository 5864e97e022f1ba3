//! Why the kit could not be installed.

use std::path::PathBuf;

/// Why the kit could not be installed. What the installer found wrong it has said itself.
#[derive(Debug, thiserror::Error)]
pub enum NativeKitError {
    /// No room, or no right, for the files.
    #[error(
        "the kit's files cannot be unpacked: {path}: {source}; set TMPDIR to a folder with a few megabytes"
    )]
    Unpack {
        /// Path of the file or folder that could not be made.
        path: PathBuf,
        /// Why the system refused.
        source: std::io::Error,
    },
    /// The installer could not be started.
    #[error("the kit's installer could not be run: {0}")]
    Run(#[from] tacho_launch::RunError),
    /// The lease, which records what was started, could not be written.
    #[error(transparent)]
    Lease(#[from] tacho_launch::LeaseError),
    /// What it prints could not be followed.
    #[error(transparent)]
    NoThread(#[from] tacho_launch::threads::NoThread),
    /// Called wrongly; the installer has said how.
    #[error("the native kit was not installed: its arguments are not valid (see above)")]
    WrongUsage,
    /// A JDK 25, gcc, Maven or room on the disk is missing; the installer has said which.
    #[error("the native kit was not installed: this machine lacks something (see above)")]
    Machine,
    /// Anything else; the installer has said what.
    #[error("the native kit was not installed ({how}; see above); nothing half made is left")]
    NotMade {
        /// `exit code 1`, `signal 9`.
        how: String,
    },
    /// The user ended it, by Ctrl-C.
    #[error("interrupted; nothing half made is left")]
    Interrupted,
}
