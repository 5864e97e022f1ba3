//! Processes as shown by `/proc` (proc(5)). Only this module reads and parses these files. Content
//! that a process writes itself (words, names of files) is bounded, and may be anything.

mod kinds;
mod looking;
mod maps;
mod schedstat;
mod seen;
mod smaps;
mod stat;
mod status;
mod transferred;
mod tree;
mod words;

pub use kinds::{ByKind, Kind, KnownRanges, by_kind, kinds};
pub use looking::looking;
pub use maps::{mapped_files, maps_file};
pub use schedstat::{Schedstat, waited_s};
pub use seen::Seen;
pub use smaps::{Mapping, Sizes, parse_smaps, read_smaps, rollup};
pub use stat::{ProcessStat, parse_stat, parse_statm_rss_pages};
pub use status::Status;
pub use transferred::Transferred;
pub(crate) use tree::read_kept;
pub use tree::{ProcessTree, TreeUse, all_cpu_s, trees_cpu_s, with_descendants};
pub use words::{Words, command, has_variable, joined};

use std::fs;
use std::io;
use std::path::PathBuf;

/// Reads `/proc/<pid>/stat`.
///
/// # Errors
/// When there is no such process (any more).
pub fn read_stat(pid: u32) -> io::Result<ProcessStat> {
    let bytes = fs::read(format!("/proc/{pid}/stat"))?;
    parse_stat(&String::from_utf8_lossy(&bytes)).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// The same; `None` when there is no such process (any more).
#[must_use]
pub fn stat(pid: u32) -> Option<ProcessStat> {
    read_stat(pid).ok()
}

/// The processes that can be seen.
///
/// # Errors
/// When `/proc` cannot be read, so that nobody takes that for an empty machine.
pub fn pids() -> io::Result<impl Iterator<Item = io::Result<u32>>> {
    let entries = fs::read_dir("/proc")?;
    Ok(entries.filter_map(|entry| {
        entry
            .map(|entry| entry.file_name().to_str()?.parse().ok())
            .transpose()
    }))
}

/// What a process has open, as the kernel names it: files by their paths, `socket:[12345]`.
///
/// # Errors
/// When it has ended, or belongs to another user. Not all names can mean that there is nothing, so
/// one that may not be read is an error as well.
pub fn open_files(pid: u32) -> io::Result<Vec<PathBuf>> {
    looking(pid, || {
        let mut names = Vec::new();
        for entry in fs::read_dir(format!("/proc/{pid}/fd"))? {
            match fs::read_link(entry?.path()) {
                // It has been closed meanwhile.
                Err(gone) if gone.kind() == io::ErrorKind::NotFound => {}
                name => names.push(name?),
            }
        }
        Ok(names)
    })
}

/// Proportional set of one process in bytes: private pages, and of shared pages its share.
/// `None` when it has ended or may not be read. Takes some ms for a large heap.
#[must_use]
pub fn pss_bytes(pid: u32) -> Option<u64> {
    Some(rollup(pid)?.pss_bytes)
}

/// The file that a process executes.
///
/// # Errors
/// When it has ended, or belongs to another user.
pub fn exe(pid: u32) -> io::Result<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe"))
}
