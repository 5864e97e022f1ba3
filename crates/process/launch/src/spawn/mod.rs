//! Starting a process so that its `exec` is known to the microsecond, its limits hold from the
//! first instruction on, and it cannot outlive Tacho.

mod in_child;
mod program;
mod thread;

use crate::child::{Before, Child};
use crate::descriptors;
use crate::kept_log::KeptLog;
use crate::lease::Lease;
use crate::processes::MARK;
use crate::sockets::SocketDiag;
use in_child::{Message, Preparation};
use rustix::fd::OwnedFd;
use rustix::fs::{StatVfsMountFlags, statvfs};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::thread::sched_getaffinity;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tacho_clock::Anchor;
use tacho_foreign::Identity;

/// What to start.
#[derive(Debug)]
pub struct Spawn {
    /// Program and arguments. A bare program name is looked for in PATH, one with a `/` from
    /// `directory`.
    pub command: Vec<String>,
    /// Folder in which it runs.
    pub directory: PathBuf,
    /// Set beside the inherited environment.
    pub environment: BTreeMap<String, String>,
    /// Standard output and standard error are appended here. Standard input is `/dev/null`.
    pub log: PathBuf,
    /// `cgroup.procs` of the control groups to join before `exec`.
    pub join: Vec<PathBuf>,
    /// Runs as this user and group, without supplementary groups, without our environment except
    /// PATH, and without any way to gain rights (`no_new_privs`). Absent: runs as our user.
    pub user: Option<Identity>,
    /// The lease. It names the control groups already, and the process once it is started.
    pub lease: Lease,
}

/// Why a process could not be started. Nothing of it is left.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The command is empty.
    #[error("the command is empty: give a program and its arguments")]
    EmptyCommand,
    /// No such program.
    #[error("there is no program `{program}` in {looked_in}; install it, or give its full path")]
    NotFound {
        /// As it was given.
        program: String,
        /// Where it was looked for.
        looked_in: String,
    },
    /// The program exists, but what its first line names as interpreter, or the loader, does not.
    #[error(
        "{path} exists, but what it needs to run does not: the interpreter in its first line, or the loader of its C library. Check `head -1 {path}` and `file {path}`"
    )]
    InterpreterMissing {
        /// Path of the program.
        path: PathBuf,
    },
    /// Not a program, or without the right to execute it.
    #[error("{path} may not be executed: is it the right file? Then `chmod +x {path}`")]
    NotExecutable {
        /// Path of the file that was to be run.
        path: PathBuf,
    },
    /// Nothing may be executed where it lies.
    #[error(
        "{path} lies on a file system from which nothing may be executed (`noexec`, see `findmnt -T {path}`): choose a folder elsewhere (--runs for run folders, TMPDIR for temporary files), or mount it without `noexec`"
    )]
    NoExec {
        /// Path of the program.
        path: PathBuf,
    },
    /// The working directory is missing.
    #[error("the working directory {path} cannot be used: {source}")]
    Directory {
        /// Path of the working directory.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// The log cannot be written.
    #[error("the log {path} cannot be written: {source}; free some space or choose another folder")]
    Log {
        /// Path of the log.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A control group refused the process.
    #[error(
        "the process could not join the control group {path}: {source}; `tacho doctor` says which rights it takes"
    )]
    JoinFailed {
        /// The `cgroup.procs` that was to be written.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// The lease could not be written.
    #[error(
        "the started process could not be put on record ({0}), and was ended again; is there room for a small file in XDG_RUNTIME_DIR or the temporary folder (`df -h`)?"
    )]
    Lease(io::Error),
    /// The kernel refused: too many processes, no memory, arguments too long.
    #[error("the kernel refused to start {program}: {source}")]
    Refused {
        /// Name or path of the program.
        program: String,
        /// Why the system refused.
        source: io::Error,
    },
}

/// Starts a process. When this returns, its `execve` has succeeded.
pub fn spawn(spawn: Spawn) -> Result<Child, SpawnError> {
    start(spawn).inspect_err(|error| {
        descriptors::note(error);
    })
}

fn start(spawn: Spawn) -> Result<Child, SpawnError> {
    let Spawn {
        command: words,
        directory,
        environment,
        log,
        join,
        user,
        mut lease,
    } = spawn;
    let (name, arguments) = words.split_first().ok_or(SpawnError::EmptyCommand)?;
    let directory = existing(&directory)?;
    let program = program::find(name, &directory, &environment)?;
    let (output, log_start) = open_log(&log)?;
    let refused = |source| SpawnError::Refused {
        program: name.clone(),
        source,
    };
    let (messages, report) =
        pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).map_err(|e| refused(e.into()))?;
    let preparation = Preparation {
        join: open_groups(&join)?,
        processors: sched_getaffinity(None).map_err(|e| refused(e.into()))?,
        report,
        parent: rustix::process::getpid(),
        confined: user.is_some(),
    };

    let kept_log = KeptLog::begin(output.try_clone().map_err(refused)?, log.clone(), log_start);
    let before = Before {
        log,
        kept_log,
        log_start,
        older_listeners: listening_now(),
    };
    let mut command = Command::new(&program);
    if let Some(user) = user {
        // Dropping the groups of root is what `uid` does by itself (std::os::unix::process).
        command.uid(user.user).gid(user.group).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    }
    command
        .arg0(name)
        .args(arguments)
        .current_dir(&directory)
        .envs(&environment)
        .env(MARK, lease.id())
        .stdin(Stdio::null())
        .stdout(output.try_clone().map_err(refused)?)
        .stderr(output);
    preparation.attach(&mut command);

    match (thread::spawn(command), read_message(messages)) {
        (
            Ok(started),
            Some(Message::Exec {
                monotonic_ns,
                realtime_ns,
            }),
        ) => {
            let anchor = Anchor {
                monotonic_ns,
                realtime_ns,
            };
            // `std` does not wait for it: its pid stays reserved until [`Child`] reaps it.
            let pid = started.id();
            let recorded = lease.add_leader(pid);
            let child = Child::new(pid, anchor, before, lease).map_err(refused)?;
            recorded.map_err(SpawnError::Lease)?;
            Ok(child)
        }
        (Ok(started), _) => {
            drop(started);
            Err(refused(io::Error::other(
                "it did not say when it called exec",
            )))
        }
        (Err(source), Some(Message::NotJoined(index))) => Err(SpawnError::JoinFailed {
            path: join.get(index).cloned().unwrap_or_default(),
            source,
        }),
        (Err(source), _) => Err(from_exec(source, name, program)),
    }
}

/// Inodes of all listening sockets. Empty where the kernel does not report them; code that looks
/// for sockets later reports that error.
fn listening_now() -> Vec<u32> {
    SocketDiag::open()
        .and_then(|mut diag| diag.listening())
        .map(|sockets| sockets.iter().map(|socket| socket.inode).collect())
        .unwrap_or_default()
}

fn existing(directory: &Path) -> Result<PathBuf, SpawnError> {
    let failed = |source| SpawnError::Directory {
        path: directory.to_owned(),
        source,
    };
    let absolute = directory.canonicalize().map_err(failed)?;
    if absolute.is_dir() {
        Ok(absolute)
    } else {
        Err(failed(io::ErrorKind::NotADirectory.into()))
    }
}

/// Opens the log. Returns it with its length before the launch.
fn open_log(path: &Path) -> Result<(File, u64), SpawnError> {
    let open = || {
        let file = tacho_files::append(path)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    open().map_err(|source| SpawnError::Log {
        path: path.to_owned(),
        source,
    })
}

fn open_groups(join: &[PathBuf]) -> Result<Vec<OwnedFd>, SpawnError> {
    join.iter()
        .map(|path| {
            OpenOptions::new()
                .write(true)
                .open(path)
                .map(OwnedFd::from)
                .map_err(|source| SpawnError::JoinFailed {
                    path: path.clone(),
                    source,
                })
        })
        .collect()
}

/// By the time that `std` knows the result of `execve`, the child has written its message or is
/// dead. So this never waits.
fn read_message(messages: OwnedFd) -> Option<Message> {
    let mut bytes = [0; 64];
    let read = File::from(messages).read(&mut bytes).ok()?;
    Message::parse(bytes.get(..read)?)
}

fn from_exec(source: io::Error, name: &str, path: PathBuf) -> SpawnError {
    match rustix::io::Errno::from_io_error(&source) {
        Some(rustix::io::Errno::NOENT) => SpawnError::InterpreterMissing { path },
        Some(rustix::io::Errno::ACCESS) if is_on_noexec(&path) => SpawnError::NoExec { path },
        Some(rustix::io::Errno::ACCESS) => SpawnError::NotExecutable { path },
        _ => SpawnError::Refused {
            program: name.to_owned(),
            source,
        },
    }
}

/// Whether the file system of a path is mounted with `noexec` (mount(8)).
fn is_on_noexec(path: &Path) -> bool {
    statvfs(path).is_ok_and(|of| of.f_flag.contains(StatVfsMountFlags::NOEXEC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_nothing_may_be_executed_is_known_as_the_kernel_lists_it() {
        let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap();
        let of = |folder: &str| {
            let mut lines = mounts.lines().map(|line| line.split(' '));
            // Of several mounts at one place the last one is seen.
            let mut found = lines.rfind(|line| line.clone().nth(1) == Some(folder))?;
            let options = found.nth(3)?;
            Some(options.split(',').any(|option| option == "noexec"))
        };
        for folder in ["/", "/proc"] {
            if let Some(said) = of(folder) {
                assert_eq!(is_on_noexec(Path::new(folder)), said, "{folder}");
            }
        }
    }

    #[test]
    fn a_file_that_may_not_be_executed_elsewhere_lacks_the_right() {
        let refused = || io::Error::from(rustix::io::Errno::ACCESS);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tool");
        std::fs::write(&path, "").unwrap();
        let on_noexec = is_on_noexec(&path);
        let error = from_exec(refused(), "tool", path);
        assert_eq!(
            matches!(error, SpawnError::NoExec { .. }),
            on_noexec,
            "{error}"
        );
        assert_eq!(error.to_string().contains("chmod +x"), !on_noexec);
    }
}
