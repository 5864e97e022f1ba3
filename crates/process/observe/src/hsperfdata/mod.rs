//! The JVM's shared performance memory: counters that every HotSpot JVM keeps in a file
//! (`-XX:+UsePerfData`, on by default), readable without asking the JVM for anything.

mod counters;
mod gauge;
mod layout;

pub use counters::{Counter, Counters, Value, Variability};
pub use gauge::{Gauge, sample};
pub use layout::LayoutError;

use crate::process::{self, Seen, Status};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// `-XX:PerfDataMemorySize` is 32 KiB unless raised; nobody needs this much.
const LARGEST: u64 = 16 << 20;

/// Why the performance memory could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PerfDataError {
    /// There is none.
    #[error(
        "process {pid} has no performance memory in /tmp/hsperfdata_*: it is not a HotSpot JVM, is still starting, or runs with -XX:-UsePerfData or -XX:+PerfDisableSharedMem; try again, or remove these flags"
    )]
    NotThere {
        /// Process id that was given.
        pid: u32,
    },
    /// It could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Path of the performance memory.
        path: PathBuf,
        /// Why the system could not read it.
        source: std::io::Error,
    },
    /// Its content is not what is documented.
    #[error("{path}: {source}")]
    Layout {
        /// Path of the performance memory.
        path: PathBuf,
        /// What is not as documented.
        source: LayoutError,
    },
}

/// The performance memory of a running JVM.
#[derive(Debug)]
pub struct PerfData {
    path: PathBuf,
    file: File,
}

impl PerfData {
    /// Finds the memory of a process. It lies in `/tmp` also when `java.io.tmpdir` is elsewhere,
    /// and is named by the process id in the JVM's own PID namespace.
    ///
    /// # Errors
    /// [`PerfDataError::NotThere`] also when there is only a file that an earlier JVM of the same
    /// id has left: the process must have mapped it.
    pub fn open(pid: u32) -> Result<Self, PerfDataError> {
        let not_there = || PerfDataError::NotThere { pid };
        let mapped = process::mapped_files(pid).map_err(|_| not_there())?;
        let seen_by_it = mapped
            .into_iter()
            .find(|file| is_perf_data(file))
            .ok_or_else(not_there)?;
        match open_of(pid, &seen_by_it) {
            Ok(file) => Ok(Self {
                path: seen_by_it,
                file,
            }),
            Err(source) => Err(PerfDataError::Read {
                path: seen_by_it,
                source,
            }),
        }
    }

    fn file(&self) -> &File {
        &self.file
    }

    /// All counters as they are now.
    ///
    /// # Errors
    /// [`LayoutError::NotYet`] in the first milliseconds of a JVM.
    pub fn counters(&mut self) -> Result<Counters, PerfDataError> {
        let read = |source| PerfDataError::Read {
            path: self.path.clone(),
            source,
        };
        let mut bytes = Vec::with_capacity(32 << 10);
        std::io::Seek::rewind(&mut self.file).map_err(read)?;
        (&self.file)
            .take(LARGEST)
            .read_to_end(&mut bytes)
            .map_err(read)?;
        Counters::parse(&bytes).map_err(|source| PerfDataError::Layout {
            path: self.path.clone(),
            source,
        })
    }
}

/// Opens the file below the process's own root folder, because it may run in a container. It must
/// be a regular file of its user, whatever the name leads to by now.
fn open_of(pid: u32, path: &Path) -> io::Result<File> {
    let seen = Seen::by(pid, &Status::of(pid)?)?;
    let file = seen.root.open_regular(path)?;
    let user = fs::metadata(format!("/proc/{pid}"))?.uid();
    if file.metadata()?.uid() != user {
        return Err(io::Error::other(format!(
            "it is not a file of user {user}, whose process {pid} is"
        )));
    }
    Ok(file)
}

/// Whether a path is like `/tmp/hsperfdata_<user>/<pid>`.
fn is_perf_data(file: &Path) -> bool {
    let number = file
        .file_name()
        .and_then(|n| n.to_str())
        .is_some_and(|n| n.parse::<u32>().is_ok());
    let folder = file
        .parent()
        .and_then(Path::file_name)
        .and_then(|n| n.to_str())
        .is_some_and(|n| n.starts_with("hsperfdata_"));
    number && folder
}

/// Reads all counters of a running JVM once.
///
/// # Errors
/// See [`PerfData::open`] and [`PerfData::counters`].
pub fn read(pid: u32) -> Result<Counters, PerfDataError> {
    PerfData::open(pid)?.counters()
}
