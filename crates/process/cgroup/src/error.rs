//! What can go wrong, and what to do then.

use std::io;
use std::path::PathBuf;

/// Why something with control groups did not work.
#[derive(Debug, thiserror::Error)]
pub enum CgroupError {
    /// No control-group file system is mounted.
    #[error(
        "no control groups are mounted here, so CPU and memory cannot be limited. Mount them with `mount -t cgroup2 none /sys/fs/cgroup` as root, or run without limits"
    )]
    NoHierarchy,
    /// There are control groups, but we may not make any.
    #[error("no right to make a control group in {dir}: {remedy}")]
    NoRights {
        /// Where it was tried.
        dir: PathBuf,
        /// What to do.
        remedy: String,
    },
    /// A controller that a limit needs is not there.
    #[error("the `{controller}` controller is not available in {dir}: {remedy}")]
    ControllerMissing {
        /// `cpu` or `memory`.
        controller: &'static str,
        /// Where it was looked for.
        dir: PathBuf,
        /// What to do.
        remedy: String,
    },
    /// A limit that the kernel would not take.
    #[error("{0}")]
    BadLimit(String),
    /// A name that could leave the parent group or collide with the kernel's files.
    #[error(
        "`{0}` cannot name a control group: use 1 to 200 letters, digits, `-`, `_`, `.`, `+` or `@`, and begin with a letter or digit"
    )]
    BadName(String),
    /// Somebody uses it.
    #[error(
        "the control group {0} exists already; is another Tacho running? If not, the next command removes what a killed one has left"
    )]
    Exists(PathBuf),
    /// The group was found, not made by us, so it can only be read.
    #[error("the control group {0} is not Tacho's: it is read, and never changed")]
    Anothers(PathBuf),
    /// The kernel refused a value.
    #[error("the kernel did not take `{value}` in {path}: {source}")]
    Write {
        /// Path of the group's file.
        path: PathBuf,
        /// What was written.
        value: String,
        /// What the kernel answered.
        source: io::Error,
    },
    /// A file could not be read; `ENODEV` and `ENOENT` mean that the group was removed.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Path of the group's file.
        path: PathBuf,
        /// What the kernel answered.
        source: io::Error,
    },
    /// A file says something that no known kernel writes.
    #[error(
        "{path} does not say `{what}` in a form that Tacho knows; please report it with the content of the file and `uname -r`"
    )]
    Malformed {
        /// Path of the group's file.
        path: PathBuf,
        /// The value that was looked for.
        what: String,
    },
    /// Processes in it did not die.
    #[error(
        "processes {} are still in {dir} after SIGKILL; they may hang in the kernel (state D in `ps`) or belong to another PID namespace",
        .pids.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
    )]
    StillAlive {
        /// Directory of the group.
        dir: PathBuf,
        /// Process ids of those that live.
        pids: Vec<u32>,
    },
    /// It could not be removed in time.
    #[error("the control group {dir} could not be removed: {source}. Remove it with `rmdir {dir}`")]
    NotRemoved {
        /// Directory of the group.
        dir: PathBuf,
        /// The last answer of the kernel.
        source: io::Error,
    },
    /// Not a group that Tacho made.
    #[error(
        "{0} is not a control group made by Tacho (`.../tacho/<name>` on a cgroup file system), so it is left alone"
    )]
    NotOurs(PathBuf),
}

impl CgroupError {
    /// True when the group is gone: its processes have ended and it was removed.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        matches!(self, Self::Read { source, .. } | Self::Write { source, .. }
            if crate::ending::is_gone(source))
    }
}
