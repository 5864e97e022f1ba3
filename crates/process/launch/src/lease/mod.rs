//! Leases: when Tacho is killed, the next Tacho finds and ends what it left behind.
//!
//! A lease is a small file that is locked as long as the process that took it lives. The kernel
//! drops the lock when the process ends, for whatever reason. So a lease whose lock can be taken is
//! a leftover. It names the control groups before anything is started in them, and the process once
//! it runs. Every line is appended with one write, so that a lease that was cut off still says
//! everything that was certain.

mod held;
mod place;
mod record;
mod shared;
mod sweep;

pub use held::end_all_held;
pub use place::LeaseFolder;
pub use shared::Shared;
pub use sweep::{Swept, sweep, sweep_folder};

/// For `fuzz/`: how many processes and control groups a lease names.
#[doc(hidden)]
#[must_use]
pub fn read_lease(bytes: &[u8]) -> Option<usize> {
    let content = record::Content::parse(bytes)?;
    Some(content.groups.len() + content.leaders.len())
}

use crate::processes::{self, Leader, Process};
use record::{Content, Line};
use rustix::fs::{FlockOperation, flock};
use rustix::process::Signal;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Why no lease could be taken.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// The folder cannot be made or written.
    #[error(
        "cannot write the lease {path}: {source}. Leases let the next command clean up after a killed one; give a writable folder in XDG_RUNTIME_DIR or free some space"
    )]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// No temporary folder can be made.
    #[error(
        "cannot make the temporary folder {path}: {source}; set TMPDIR to a folder that can be written and has room"
    )]
    Scratch {
        /// Path of the folder.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// Somebody else made the folder.
    #[error("{}; remove it or set XDG_RUNTIME_DIR", self.reason())]
    NotOurs(PathBuf),
}

impl LeaseError {
    /// The reason alone, without what to do about it.
    fn reason(&self) -> String {
        match self {
            Self::Io { path, source } | Self::Scratch { path, source } => {
                format!("{} cannot be used ({source})", path.display())
            }
            Self::NotOurs(path) => format!(
                "{} belongs to another user or can be written by others, so that no lease in it can be trusted",
                path.display()
            ),
        }
    }
}

/// A claim on control groups and processes, held until it is dropped.
///
/// Dropping it ends every process that is proven to belong to the launch, removes the control
/// groups that it names, and deletes the file. What cannot be removed stays on record for
/// [`sweep()`].
#[derive(Debug)]
pub struct Lease {
    id: String,
    path: PathBuf,
    file: File,
    content: Content,
}

impl Lease {
    /// Takes a lease on these control groups (none is fine) in the usual folder.
    pub fn take(groups: &[PathBuf]) -> Result<Self, LeaseError> {
        Self::take_in(&LeaseFolder::take()?.folder, groups)
    }

    /// Takes a lease in a folder of the caller's choice.
    pub fn take_in(folder: &LeaseFolder, groups: &[PathBuf]) -> Result<Self, LeaseError> {
        folder.make()?;
        loop {
            let id = new_id();
            let path = folder.path().join(format!("{id}.lease"));
            let failed = |source| LeaseError::Io {
                path: path.clone(),
                source,
            };
            let file = OpenOptions::new()
                .append(true)
                .create_new(true)
                .mode(0o600)
                .open(&path)
                .map_err(failed)?;
            // A sweep may see the file before it is locked, and take it for a leftover. Then the
            // lock or the name is gone, and the next try uses another name.
            if !locked_and_in_place(&file).map_err(failed)? {
                continue;
            }
            let mut lease = Self {
                content: Content::of(&id),
                id,
                path: path.clone(),
                file,
            };
            lease.write(Line::head(&lease.id)).map_err(failed)?;
            for group in groups {
                lease.add_group(group)?;
            }
            return Ok(lease);
        }
    }

    /// Value of [`processes::MARK`] in the environment of the launch.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Path of the lease's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a control group that was not known when the lease was taken.
    pub fn add_group(&mut self, group: &Path) -> Result<(), LeaseError> {
        self.write(Line::Group {
            path: group.to_owned(),
        })
        .map_err(|source| LeaseError::Io {
            path: self.path.clone(),
            source,
        })
    }

    /// Makes a temporary folder that is removed with the lease. It is recorded before it is made.
    pub(crate) fn make_scratch(&mut self, folder: &Path) -> Result<PathBuf, LeaseError> {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let path = folder.join(format!("tacho-{}", place::random()));
        self.write(Line::Scratch { path: path.clone() })
            .and_then(|()| DirBuilder::new().mode(0o700).create(&path))
            .map_err(|source| LeaseError::Scratch {
                path: path.clone(),
                source,
            })?;
        Ok(path)
    }

    /// Records a folder that is shared with a process, before it is made. It is removed with the
    /// lease.
    ///
    /// # Errors
    /// When the lease cannot be written.
    pub fn add_shared(&mut self, shared: Shared) -> Result<(), LeaseError> {
        self.write(Line::Shared(shared))
            .map_err(|source| LeaseError::Io {
                path: self.path.clone(),
                source,
            })
    }

    /// Puts the started process on record. Its start time can be read as long as it is not
    /// reaped, which is only done by the owner of the lease.
    pub(crate) fn add_leader(&mut self, pid: u32) -> io::Result<()> {
        let process = Process::read(pid).ok_or(io::ErrorKind::NotFound)?;
        self.write(Line::Leader(Leader {
            pid,
            start_time: process.start_time,
        }))
    }

    /// The living processes that are proven to belong to this launch.
    #[must_use]
    pub fn processes(&self) -> Vec<Process> {
        processes::proven(&self.id, &self.content.leaders).unwrap_or_default()
    }

    /// Adds a line. Even when the disk is full, this process keeps it in memory, and ends what it
    /// names before it exits normally.
    fn write(&mut self, line: Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(&line)?;
        text.push(b'\n');
        self.content.add(line);
        held::hold(&self.path, &self.content);
        self.file.write_all(&text)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        // Done before the lease is forgotten, so that a signal meanwhile still ends the rest.
        if end(&self.content).left.is_empty() {
            let _ = fs::remove_file(&self.path);
        }
        held::release(&self.path);
    }
}

/// Takes the lock. False when another process has it, or deleted the file before.
fn locked_and_in_place(file: &File) -> io::Result<bool> {
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file.metadata()?.nlink() > 0),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

/// An id that nobody can guess. Otherwise somebody could start a process with the mark of another's
/// launch, and it would be measured and ended as a part of that launch.
fn new_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!(
        "{}-{}-{}",
        std::process::id(),
        COUNT.fetch_add(1, Ordering::Relaxed),
        place::random()
    )
}

/// What was ended of a launch, and what could not be.
#[derive(Debug, Default)]
struct Ended {
    processes: Vec<String>,
    groups: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    left: Vec<String>,
}

/// How long to wait after SIGKILL. A process in an uninterruptible wait dies only when the wait
/// ends, and a process without a processor only when it gets one.
const KILL_PATIENCE: Duration = Duration::from_secs(30);

/// Ends everything that a lease names.
fn end(content: &Content) -> Ended {
    let mut ended = Ended::default();
    let began = Instant::now();
    loop {
        // New processes may have been forked since the last look.
        let alive = match processes::proven(&content.id, &content.leaders) {
            Ok(alive) if alive.is_empty() => break,
            Ok(alive) => alive,
            Err(error) => {
                let left = format!("its processes, which cannot be looked for ({error})");
                ended.left.push(left);
                break;
            }
        };

        for process in &alive {
            let name = format!(
                "{} ({})",
                process.pid,
                process.command().unwrap_or_else(|| "no command".into())
            );
            if process.signal(Signal::KILL) && !ended.processes.contains(&name) {
                ended.processes.push(name);
            }
        }
        if began.elapsed() > KILL_PATIENCE {
            ended
                .left
                .extend(alive.iter().map(|p| format!("process {}", p.pid)));
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let groups: Vec<PathBuf> = content
        .groups
        .iter()
        .filter(|group| group.exists())
        .cloned()
        .collect();
    if !groups.is_empty() {
        match tacho_cgroup::end_and_remove(&groups) {
            Ok(_) => ended.groups = groups,
            Err(e) => ended.left.push(e.to_string()),
        }
    }
    remove_folders(content, true, &mut ended);
    ended
}

/// Removes the folders that a lease names. Anything of such a name that is no folder of ours stays:
/// in a folder that is open to all, somebody may have put it there after ours was gone. Links are
/// not followed on the way down ([`fs::remove_dir_all`] works on directory handles).
fn remove_folders(content: &Content, since_boot: bool, ended: &mut Ended) {
    for shared in &content.shared {
        match shared.remove(since_boot) {
            Ok(true) => ended.folders.push(shared.path()),
            Ok(false) => {}
            Err(e) => ended.left.push(format!("{}: {e}", shared.path().display())),
        }
    }
    let us = rustix::process::geteuid().as_raw();
    for path in &content.scratch {
        let is_ours =
            fs::symlink_metadata(path).is_ok_and(|facts| facts.is_dir() && facts.uid() == us);
        if !is_ours {
            continue;
        }
        match fs::remove_dir_all(path) {
            Ok(()) => ended.folders.push(path.clone()),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => ended.left.push(format!("{}: {e}", path.display())),
        }
    }
}
