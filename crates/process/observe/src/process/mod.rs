//! Processes as `/proc` shows them (proc(5)).

mod kinds;
mod maps;
mod smaps;
mod stat;
mod tree;

pub use kinds::{ByKind, Kind, KnownRanges, by_kind, kinds};
#[doc(hidden)]
pub use maps::parse_maps;
pub use maps::{mapped_files, maps_file};
pub use smaps::{Mapping, Sizes, parse_smaps, read_smaps};
pub use stat::{ProcessStat, parse_smaps_rollup_pss, parse_stat, parse_statm_rss_pages};
pub use tree::{ProcessTree, TreeUse, all_cpu_s, trees_cpu_s};

use std::fs;
use std::io;
use std::path::PathBuf;

/// Reads `/proc/<pid>/stat`; `None` when there is no such process (any more).
#[must_use]
pub fn stat(pid: u32) -> Option<ProcessStat> {
    let bytes = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse_stat(&String::from_utf8_lossy(&bytes))
}

/// Proportional set of one process in bytes: private pages, and of shared pages its share.
/// `None` when it has ended or may not be read. Takes some ms for a large heap.
#[must_use]
pub fn pss_bytes(pid: u32) -> Option<u64> {
    parse_smaps_rollup_pss(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?)
}

/// The file that a process executes.
///
/// # Errors
/// When it has ended, or belongs to another user.
pub fn exe(pid: u32) -> io::Result<PathBuf> {
    fs::read_link(format!("/proc/{pid}/exe"))
}
