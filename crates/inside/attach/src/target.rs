//! The process that is asked, as `/proc/PID/status` shows it (proc_pid_status(5)).

use crate::error::AttachError;
use crate::program::Program;
use std::fs;
use std::io;
use std::path::Path;
use tacho_files::input::{WORDS, read_beginning};
use tacho_foreign::{Folder, Identity, Root};
use tacho_observe::hsperfdata;

/// `SIGQUIT` is signal 3, and the mask begins with signal 1.
const SIGQUIT_BIT: u64 = 1 << 2;

/// Who is asked.
#[derive(Debug, Clone)]
pub struct Target {
    /// In our own namespace.
    pub pid: u32,
    /// In its own innermost namespace: that is how its files are named.
    pub inner_pid: u32,
    /// With the number it names a process for good.
    pub start_ticks: u64,
    /// Whom the JVM lets in.
    pub owner: Identity,
    catches_sigquit: bool,
    /// The files that it sees.
    pub root: Root,
    /// Whether we see the same.
    shares_files: bool,
}

impl Target {
    /// Looks at a process, and says at once what would fail later.
    pub fn look(pid: u32) -> Result<Self, AttachError> {
        let gone = || AttachError::NoProcess { pid };
        let read_status = || fs::read_to_string(format!("/proc/{pid}/status"));
        let status = read_status().map_err(|_| gone())?;
        let stat =
            tacho_observe::process::stat(pid).filter(tacho_observe::process::ProcessStat::is_alive);
        let status = Status::parse(&status).ok_or_else(gone)?;
        let (root, shares_files) = root(pid).map_err(|_| gone())?;
        let target = Self {
            pid,
            inner_pid: status.inner_pid.unwrap_or(pid),
            start_ticks: stat.ok_or_else(gone)?.start_ticks,
            owner: status.owner,
            catches_sigquit: status.caught & SIGQUIT_BIT != 0,
            root,
            shares_files,
        };
        // Its root was opened by its number: it has to be the process that was looked at.
        if !target.is_alive() {
            return Err(gone());
        }
        let own = Identity::own();
        if own.user != 0 && own.user != target.owner.user {
            return Err(AttachError::OtherUser {
                pid,
                owner: target.owner.user,
            });
        }
        target.check_program()?;
        // A program that drops root's rights and then executes a JVM was root when it was looked at
        // first, and keeps its number: the JVM is asked as the user that it is now.
        let now = read_status().ok().as_deref().and_then(Status::parse);
        if now.is_none_or(|now| now.owner != target.owner) {
            let source = io::Error::other("it is changing its user at this moment; try again");
            return Err(AttachError::io(format!("look at process {pid}"))(source));
        }
        Ok(target)
    }

    fn check_program(&self) -> Result<(), AttachError> {
        let pid = self.pid;
        match Program::of(pid) {
            Ok(Program::HotSpot) => Ok(()),
            Ok(program) => Err(AttachError::NotHotSpot { pid, program }),
            Err(source) if source.kind() == io::ErrorKind::PermissionDenied => {
                Err(AttachError::OtherUser {
                    pid,
                    owner: self.owner.user,
                })
            }
            Err(_) => Err(AttachError::Died { pid }),
        }
    }

    /// Whether the JVM may be woken: it has not been told to keep quiet, and SIGQUIT would not end
    /// it.
    pub fn check_wakes(&self) -> Result<(), AttachError> {
        let pid = self.pid;
        if attach_is_disabled(pid) {
            return Err(AttachError::Disabled { pid });
        }
        if !self.catches_sigquit {
            return Err(AttachError::Deaf { pid });
        }
        Ok(())
    }

    /// Whether it is still the same process.
    pub fn is_alive(&self) -> bool {
        tacho_observe::process::stat(self.pid)
            .is_some_and(|now| now.is_alive() && now.start_ticks == self.start_ticks)
    }

    /// Where HotSpot on Linux looks for its socket and leaves it, whatever `java.io.tmpdir` says.
    pub fn tmp(&self) -> io::Result<Folder> {
        self.root.folder(Path::new("/tmp"))
    }

    /// Whether both see the same files.
    pub fn shares_files(&self) -> bool {
        self.shares_files
    }
}

/// The files of a process, and whether they are ours. A program with capabilities of its own does
/// not let its root be seen by its user: then it is taken for our own, as the JDK's tools do.
fn root(pid: u32) -> io::Result<(Root, bool)> {
    let same_namespace = || {
        let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
        namespace("self") == namespace(&pid.to_string())
    };
    match Root::of_process(pid) {
        Ok(theirs) => {
            let shared = theirs.is_ours() && same_namespace();
            Ok((theirs, shared))
        }
        Err(_) => Ok((Root::at(Path::new("/"))?, true)),
    }
}

/// The JVM says so itself, in its performance memory (`sun.rt.jvmCapabilities`: the first letter is
/// 1 when attaching is possible); where that is switched off, its flags do.
fn attach_is_disabled(pid: u32) -> bool {
    let said = hsperfdata::read(pid).ok().and_then(|counters| {
        let capabilities = counters.text("sun.rt.jvmCapabilities")?;
        Some(capabilities.starts_with('0'))
    });
    said.unwrap_or_else(|| {
        let words = ["cmdline", "environ"]
            .iter()
            .map(|name| format!("/proc/{pid}/{name}"))
            .flat_map(|file| read_beginning(Path::new(&file), WORDS).unwrap_or_default())
            .collect::<Vec<u8>>();
        is_disabled_by(&words)
    })
}

/// By the last word that says so, of the command line or of a variable with options.
fn is_disabled_by(words: &[u8]) -> bool {
    let words = String::from_utf8_lossy(words);
    let last = words
        .split(|c: char| c == '\0' || c.is_whitespace())
        .rfind(|word| word.ends_with("DisableAttachMechanism"));
    last.is_some_and(|word| word.ends_with("-XX:+DisableAttachMechanism"))
}

/// For `fuzz/`: the effective user and group of `/proc/PID/status`.
#[doc(hidden)]
#[must_use]
pub fn read_status(text: &str) -> Option<(u32, u32)> {
    let status = Status::parse(text)?;
    Some((status.owner.user, status.owner.group))
}

/// For `fuzz/`: whether a command line or an environment forbids attaching.
#[doc(hidden)]
#[must_use]
pub fn forbids_attaching(words: &[u8]) -> bool {
    is_disabled_by(words)
}

/// What is read of `/proc/PID/status`.
#[derive(Debug, PartialEq, Eq)]
struct Status {
    owner: Identity,
    inner_pid: Option<u32>,
    caught: u64,
}

impl Status {
    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        };
        // Real, effective, saved, and that of the file system.
        let effective = |name: &str| field(name)?.split_ascii_whitespace().nth(1)?.parse().ok();
        Some(Self {
            owner: Identity {
                user: effective("Uid")?,
                group: effective("Gid")?,
            },
            inner_pid: field("NSpid")
                .and_then(|pids| pids.split_ascii_whitespace().last()?.parse().ok()),
            caught: u64::from_str_radix(field("SigCgt")?.trim(), 16).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const STATUS: &str = "Name:\tjava\nTgid:\t4711\nNSpid:\t4711\t12\t1\nUid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t102\t103\nSigCgt:\t2000000181005ccf\n";

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
        assert_ne!(status.caught & SIGQUIT_BIT, 0);
        let deaf = STATUS.replace("5ccf", "5ccb");
        assert_eq!(Status::parse(&deaf).unwrap().caught & SIGQUIT_BIT, 0);
    }

    #[test]
    fn a_process_that_is_none_or_no_jvm_is_refused() {
        let none = Target::look(4_000_000_000).unwrap_err();
        assert!(matches!(none, AttachError::NoProcess { .. }), "{none}");
        let own = Target::look(std::process::id()).unwrap_err();
        assert!(own.to_string().contains("is no JVM"), "{own}");
    }

    proptest! {
        #[test]
        fn no_status_makes_the_reader_panic(text in "(Uid|Gid|NSpid|SigCgt|x|:|\t|[0-9a-f]{1,4}|\n){0,40}") {
            let _ = Status::parse(&text);
        }
    }
}
