//! Reading everything of a process.

use crate::jcmd;
use crate::nmt::{self, NativeMemory};
use crate::pages::Pages;
use crate::split::{Heap, Memory, Readings, split};
use std::path::Path;
use tacho_observe::hsperfdata::{Gauge, PerfData};
use tacho_observe::process::{KnownRanges, kinds, parse_smaps, read_smaps};

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// No mappings.
    #[error(
        "the mappings of process {pid} cannot be read: {source}; is it running, and yours? Root may read every process"
    )]
    Mappings {
        /// The process.
        pid: u32,
        /// The cause.
        source: std::io::Error,
    },
}

/// What is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// Tell what is alive from garbage: by a full collection, during which the application stands still.
    pub live: bool,
}

/// Reads a process, and asks it if it is a JVM.
///
/// # Errors
/// When there is no such process, or its mappings may not be read.
pub fn read(pid: u32, wish: Wish) -> Result<Memory, MemoryError> {
    let mut notes = Vec::new();
    let counters = PerfData::open(pid)
        .ok()
        .and_then(|memory| Gauge::new(memory).read(0.0));
    let tool = jcmd::tool(pid);
    let is_jvm = tacho_observe::process::mapped_files(pid)
        .is_ok_and(|files| files.iter().any(|file| file.ends_with("libjvm.so")));
    let (native, known) = if is_jvm {
        ask(&tool, pid, &mut notes)
    } else {
        (None, KnownRanges::default())
    };
    // The mappings as soon as possible after the JVM's own report: what it maps in between is unexplained.
    let mut text = String::new();
    read_smaps(pid, &mut text).map_err(|source| MemoryError::Mappings { pid, source })?;
    let pages = Pages::open(pid).ok();
    let mappings = parse_smaps(&text);
    let kinds = kinds(&mappings, &known);
    let rss_bytes = rss_bytes(pid).unwrap_or(0);
    let heap = is_jvm.then(|| Heap {
        committed_bytes: counters.and_then(|c| c.heap_capacity_bytes),
        used_bytes: counters.and_then(|c| c.heap_used_bytes),
        live_bytes: None,
        resident_bytes: 0,
    });
    let mut readings = Readings {
        pid,
        mappings: &mappings,
        kinds: &kinds,
        native: native.as_ref(),
        pages: pages.as_ref(),
        heap,
        rss_bytes,
        source: match (&native, is_jvm) {
            (Some(_), _) => "native memory tracking",
            (None, true) => "jvm",
            (None, false) => "mappings",
        },
        notes,
    };
    // Last: a full collection changes what all the others saw.
    if let Some(heap) = &mut readings.heap
        && wish.live
    {
        match jcmd::ask(&tool, pid, &["GC.class_histogram"]) {
            Ok(text) => heap.live_bytes = jcmd::live_bytes(&text),
            Err(why) => readings.notes.push(why),
        }
    }
    Ok(split(readings))
}

/// Native Memory Tracking where it is on; else at least where the heap lies.
fn ask(tool: &Path, pid: u32, notes: &mut Vec<String>) -> (Option<NativeMemory>, KnownRanges) {
    let report = match jcmd::ask(tool, pid, &["VM.native_memory", "detail"]) {
        Ok(text) => nmt::parse(&text),
        Err(why) => {
            notes.push(why);
            return (None, KnownRanges::default());
        }
    };
    match report {
        Some(native) if !native.ranges.is_empty() => return (Some(native), KnownRanges::default()),
        // `summary` tracks categories, and no addresses: nothing can be laid over the mappings.
        Some(_) => notes.push("the JVM tracks its native memory without addresses; -XX:NativeMemoryTracking=detail tells metaspace, collector and libc apart".to_owned()),
        None => notes.push("a coarse split: the JVM does not track its native memory. Start it with -XX:NativeMemoryTracking=detail (it costs 5 to 10 % of throughput by the JDK's own word, so never while measuring)".to_owned()),
    }
    let java_heap = jcmd::ask(tool, pid, &["GC.heap_info"])
        .ok()
        .and_then(|text| jcmd::heap_range(&text));
    (
        None,
        KnownRanges {
            java_heap,
            class_space: None,
        },
    )
}

/// The kernel's sum over the page tables, exact, unlike that of `statm`.
fn rss_bytes(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("Rss:"))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()?
        .checked_mul(1024)
}
