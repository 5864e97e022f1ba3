//! Content of `/proc/<pid>/status` (proc_pid_status(5)).

use std::fs;
use std::io;
use tacho_foreign::Identity;

/// What of it is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// The effective user and group.
    pub owner: Identity,
    /// Its number in its own innermost namespace, where the kernel tells it.
    pub inner_pid: Option<u32>,
    caught: u64,
    ignored: u64,
    capabilities: u64,
}

/// Bit of `CAP_SYS_PTRACE` in a mask of capabilities (linux/capability.h).
const CAP_SYS_PTRACE: u32 = 19;

impl Status {
    /// That of a process.
    ///
    /// # Errors
    /// When there is no such process (any more).
    pub fn of(pid: u32) -> io::Result<Self> {
        Self::read(&format!("/proc/{pid}/status"))
    }

    /// Our own.
    ///
    /// # Errors
    /// When `/proc` cannot be read.
    pub fn own() -> io::Result<Self> {
        Self::read("/proc/self/status")
    }

    fn read(file: &str) -> io::Result<Self> {
        let bytes = fs::read(file)?;
        Self::parse(&String::from_utf8_lossy(&bytes))
            .ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// `None` when it is not of that form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        };
        // Real, effective, saved, and that of the file system.
        let effective = |name: &str| field(name)?.split_ascii_whitespace().nth(1)?.parse().ok();
        let mask = |name: &str| u64::from_str_radix(field(name)?.trim(), 16).ok();
        Some(Self {
            owner: Identity {
                user: effective("Uid")?,
                group: effective("Gid")?,
            },
            inner_pid: field("NSpid")
                .and_then(|pids| pids.split_ascii_whitespace().last()?.parse().ok()),
            caught: mask("SigCgt")?,
            ignored: mask("SigIgn").unwrap_or(0),
            capabilities: mask("CapEff").unwrap_or(0),
        })
    }

    /// Whether it has a handler for this signal.
    #[must_use]
    pub fn catches(&self, signal: i32) -> bool {
        holds(self.caught, signal)
    }

    /// Whether it ignores this signal.
    #[must_use]
    pub fn ignores(&self, signal: i32) -> bool {
        holds(self.ignored, signal)
    }

    /// Whether it has the capability to look into processes of others (`CAP_SYS_PTRACE`).
    #[must_use]
    pub fn may_trace(&self) -> bool {
        self.capabilities >> CAP_SYS_PTRACE & 1 == 1
    }
}

/// A mask begins with signal 1.
fn holds(mask: u64, signal: i32) -> bool {
    (1..=64).contains(&signal) && mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIGQUIT: i32 = 3;
    const STATUS: &str = "Name:\tjava\nTgid:\t4711\nNSpid:\t4711\t12\t1\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t102\t103\nSigIgn:\t0000000000000001\nSigCgt:\t2000000181005ccf\n";

    #[test]
    fn the_innermost_number_and_the_effective_user_count() {
        let status = Status::parse(STATUS).unwrap();
        assert_eq!(status.inner_pid, Some(1));
        assert_eq!(
            status.owner,
            Identity {
                user: 1001,
                group: 101
            }
        );
    }

    #[test]
    fn signals_are_caught_ignored_or_neither() {
        let status = Status::parse(STATUS).unwrap();
        assert!(status.catches(SIGQUIT) && !status.ignores(SIGQUIT));
        assert!(status.ignores(1));
        assert!(!status.catches(0) && !status.catches(65));
        let deaf = Status::parse(&STATUS.replace("5ccf", "5ccb")).unwrap();
        assert!(!deaf.catches(SIGQUIT));
    }

    #[test]
    fn one_bit_of_the_effective_capabilities_is_the_right_to_trace() {
        let with = |mask: &str| Status::parse(&format!("{STATUS}CapEff:\t{mask}\n")).unwrap();
        assert!(with("000001fffeffffff").may_trace());
        // What runtimes give to the root of a container.
        assert!(!with("00000000a80425fb").may_trace());
        assert!(!Status::parse(STATUS).unwrap().may_trace());
    }

    proptest! {
        #[test]
        fn no_status_makes_the_reader_panic(text in "(Uid|Gid|NSpid|SigCgt|SigIgn|x|:|\t|[0-9a-f]{1,4}|\n){0,40}") {
            let _ = Status::parse(&text);
        }
    }
}
