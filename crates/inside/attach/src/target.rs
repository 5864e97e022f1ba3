//! The process that is asked.

use crate::error::AttachError;
use crate::program::Program;
use std::io;
use std::path::Path;
use tacho_foreign::{Folder, Identity, Root};
use tacho_observe::hsperfdata;
use tacho_observe::process::{self, ProcessStat, Seen, Status, Words};

/// What wakes the part of a JVM that listens.
const SIGQUIT: i32 = 3;

/// Who is asked.
#[derive(Debug, Clone)]
pub struct Target {
    /// Process id in our namespace.
    pub pid: u32,
    /// Process id in its innermost namespace; the names of its files contain this one.
    pub inner_pid: u32,
    /// Start time. Together with the process id it identifies the process.
    pub start_ticks: u64,
    /// The user that the JVM accepts.
    pub owner: Identity,
    catches_sigquit: bool,
    /// The files that it sees.
    pub root: Root,
    /// Whether we see the same files.
    shares_files: bool,
}

impl Target {
    /// Looks at a process, and reports at once what would fail later.
    pub fn look(pid: u32) -> Result<Self, AttachError> {
        let gone = || AttachError::NoProcess { pid };
        let status = Status::of(pid).map_err(|_| gone())?;
        let stat = process::stat(pid).filter(ProcessStat::is_alive);
        let owner = status.owner;
        let seen = Seen::by(pid, &status).map_err(|e| match e.kind() {
            io::ErrorKind::PermissionDenied if may_be_asked(owner) => unseen(pid, owner),
            io::ErrorKind::PermissionDenied => AttachError::OtherUser { pid, owner },
            _ => gone(),
        })?;
        let target = Self {
            pid,
            inner_pid: status.inner_pid.unwrap_or(pid),
            start_ticks: stat.ok_or_else(gone)?.start_ticks,
            owner: status.owner,
            catches_sigquit: status.catches(SIGQUIT),
            root: seen.root,
            shares_files: seen.is_shared,
        };
        // The root folder was opened by process id, so check that it is still the same process.
        if !target.is_alive() {
            return Err(gone());
        }
        if !may_be_asked(owner) {
            return Err(AttachError::OtherUser { pid, owner });
        }
        target.check_program()?;
        // A program may start as root, drop its rights and then execute a JVM under the same
        // process id. The JVM has to be asked as the user that it has now.
        let now = Status::of(pid);
        if !now.is_ok_and(|now| now.owner == target.owner) {
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
                Err(unseen(pid, self.owner))
            }
            Err(_) => Err(AttachError::Died { pid }),
        }
    }

    /// Whether the JVM may be woken: attaching is not disabled, and SIGQUIT would not end the
    /// process.
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
        process::stat(self.pid)
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

/// Whether we may ask: as its own user, or as root, which acts as that user.
fn may_be_asked(owner: Identity) -> bool {
    let own = Identity::own().user;
    own == 0 || own == owner.user
}

fn unseen(pid: u32, owner: Identity) -> AttachError {
    AttachError::Unseen {
        pid,
        owner,
        may_trace: Status::own().is_ok_and(|own| own.may_trace()),
    }
}

/// Whether attaching is disabled. The JVM says so in its performance memory
/// (`sun.rt.jvmCapabilities`: the first letter is 1 if attaching is possible). If that is switched
/// off, its flags tell.
fn attach_is_disabled(pid: u32) -> bool {
    let said = hsperfdata::read(pid).ok().and_then(|counters| {
        let capabilities = counters.text("sun.rt.jvmCapabilities")?;
        Some(capabilities.starts_with('0'))
    });
    said.unwrap_or_else(|| {
        let words = [Words::CommandLine, Words::Environment]
            .into_iter()
            .flat_map(|words| words.of(pid).unwrap_or_default())
            .collect::<Vec<u8>>();
        is_disabled_by(&words)
    })
}

/// Decided by the last such flag on the command line, or in a variable with options.
fn is_disabled_by(words: &[u8]) -> bool {
    let words = String::from_utf8_lossy(words);
    let last = words
        .split(|c: char| c == '\0' || c.is_whitespace())
        .rfind(|word| word.ends_with("DisableAttachMechanism"));
    last.is_some_and(|word| word.ends_with("-XX:+DisableAttachMechanism"))
}

/// For `fuzz/`: whether a command line or an environment forbids attaching.
#[doc(hidden)]
#[must_use]
pub fn forbids_attaching(words: &[u8]) -> bool {
    is_disabled_by(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_none_or_no_jvm_is_refused() {
        let none = Target::look(4_000_000_000).unwrap_err();
        assert!(matches!(none, AttachError::NoProcess { .. }), "{none}");
        let own = Target::look(std::process::id()).unwrap_err();
        assert!(own.to_string().contains("is no JVM"), "{own}");
    }
}
