//! What the child does between `fork` and `execve`.
//!
//! `unsafe`, because `pre_exec` is. Between `fork` and `execve` the child of a program with threads
//! holds copies of locks that nobody will release, so only async-signal-safe calls are allowed (see
//! signal-safety(7)). [`super::spawn`] prepares everything before the fork. What is left are system
//! calls on open descriptors: no allocation, no locks, no formatting.
#![allow(unsafe_code)]

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal, setsid};
use rustix::thread::{CpuSet, sched_setaffinity, set_no_new_privs};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;
use tacho_clock::Anchor;

/// First byte of a message: a control group could not be joined; its index follows.
const JOIN: u8 = 1;
/// First byte of a message: `execve` follows immediately; both clocks follow.
const EXEC: u8 = 2;
/// A tag and two numbers: always below `PIPE_BUF`, so that it is written whole.
const MESSAGE: usize = 17;

/// What the child reports before it executes the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Message {
    /// This control group could not be joined.
    NotJoined(usize),
    /// `execve` was called at this instant.
    Exec { monotonic_ns: u64, realtime_ns: u64 },
}

impl Message {
    fn bytes(self) -> [u8; MESSAGE] {
        let (tag, a, b) = match self {
            Self::NotJoined(index) => (JOIN, index as u64, 0),
            Self::Exec {
                monotonic_ns,
                realtime_ns,
            } => (EXEC, monotonic_ns, realtime_ns),
        };
        let mut bytes = [tag; MESSAGE];
        bytes[1..9].copy_from_slice(&a.to_ne_bytes());
        bytes[9..].copy_from_slice(&b.to_ne_bytes());
        bytes
    }

    /// `None` when the child ended before it could say anything.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let number = |at: usize| {
            let field = bytes.get(at..at + 8)?;
            Some(u64::from_ne_bytes(field.try_into().ok()?))
        };
        match *bytes.first()? {
            JOIN => Some(Self::NotJoined(usize::try_from(number(1)?).ok()?)),
            EXEC => Some(Self::Exec {
                monotonic_ns: number(1)?,
                realtime_ns: number(9)?,
            }),
            _ => None,
        }
    }
}

/// Everything that the child needs, opened before the fork.
#[derive(Debug)]
pub(super) struct Preparation {
    /// `cgroup.procs` of every group to join, open for writing.
    pub(super) join: Vec<OwnedFd>,
    /// Where it sends its message; closed by `execve`.
    pub(super) report: OwnedFd,
    /// On which it may run: those of the thread that asks for it.
    pub(super) processors: CpuSet,
    /// The parent process.
    pub(super) parent: Pid,
    /// It may never gain rights, not even by a set-user-ID program.
    pub(super) confined: bool,
}

impl Preparation {
    /// Makes these steps the last ones before `execve`.
    pub(super) fn attach(self, command: &mut Command) {
        // SAFETY: the closure only makes system calls; see the head of this file.
        unsafe {
            command.pre_exec(move || self.carry_out());
        }
    }

    fn carry_out(&self) -> io::Result<()> {
        for (index, procs) in self.join.iter().enumerate() {
            // `0` means the writer. So the limits hold from the first instruction of the command.
            if let Err(e) = rustix::io::write(procs, b"0") {
                self.say(Message::NotJoined(index));
                return Err(e.into());
            }
        }
        // Before Linux 6.2 a group with the controller `cpuset` gives whoever joins it all of its
        // processors, whatever was chosen before.
        if !self.join.is_empty() {
            let _ = sched_setaffinity(None, &self.processors);
        }
        // It becomes the leader of its own session. Signals of the terminal then reach only Tacho,
        // which ends its launches properly, and the whole session can be found again.
        setsid()?;
        if self.confined {
            set_no_new_privs(true)?;
        }
        // Bound to the thread that forks, which is why that thread never ends.
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // The parent may have died before the line above.
        if getppid() != Some(self.parent) {
            return Err(Errno::SRCH.into());
        }
        close_others_on_exec();
        self.say(exec_follows());
        Ok(())
    }

    fn say(&self, message: Message) {
        let _ = rustix::io::write(&self.report, &message.bytes());
    }
}

fn exec_follows() -> Message {
    let Anchor {
        monotonic_ns,
        realtime_ns,
    } = Anchor::now();
    Message::Exec {
        monotonic_ns,
        realtime_ns,
    }
}

/// Rust opens its own descriptors close-on-exec; those that Tacho itself inherited (from a
/// build server, say) may not be. Kernels before 5.11 do not know the flag and keep them open.
fn close_others_on_exec() {
    // SAFETY: only marks descriptors; none is closed before `execve`.
    unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3 as libc::c_uint,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        for message in [
            Message::NotJoined(3),
            Message::Exec {
                monotonic_ns: 5,
                realtime_ns: u64::MAX,
            },
        ] {
            assert_eq!(Message::parse(&message.bytes()), Some(message));
        }
        assert_eq!(Message::parse(&[]), None);
        assert_eq!(Message::parse(&[EXEC, 1, 2]), None);
    }
}
