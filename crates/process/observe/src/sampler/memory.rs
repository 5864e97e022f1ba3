//! `memory.csv`: what the memory consists of, once a second.

use super::file::SeriesFile;
use super::probe::{Probe, Reading};
use crate::gc_init::GcInit;
use crate::process::{Kind, KnownRanges};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tacho_run_folder::{FolderError, MemorySample};

/// Between two lines.
const INTERVAL: Duration = Duration::from_secs(1);
/// How often the log is searched for the position of the heap. The JVM logs it in its first second,
/// or never.
const LOOKS: u32 = 20;

/// The lines of `memory.csv`, once a second.
pub(super) struct MemorySeries {
    pub(super) file: SeriesFile,
    next: Instant,
    gc_log: Option<PathBuf>,
    looks: u32,
    known: KnownRanges,
}

impl MemorySeries {
    pub(super) fn new(file: SeriesFile, gc_log: Option<PathBuf>) -> Self {
        Self {
            file,
            next: Instant::now(),
            gc_log,
            looks: 0,
            known: KnownRanges::default(),
        }
    }

    /// Whether a line is due, and the mappings are worth the budget.
    pub(super) fn due(&self, last: bool) -> bool {
        last || Instant::now() >= self.next
    }

    /// Writes the line. The cells of the mappings stay empty only when the mappings were too costly
    /// for a whole interval.
    pub(super) fn append(
        &mut self,
        probe: &mut Probe,
        reading: &Reading,
        last: bool,
    ) -> Result<(), FolderError> {
        let overdue = Instant::now() >= self.next + INTERVAL;
        if reading.mappings.is_none() && !overdue && !last {
            return Ok(());
        }
        self.next = (self.next + INTERVAL).max(Instant::now());
        self.look_where_the_heap_lies();
        probe.known = self.known.clone();
        self.file.append(|to| sample(probe, reading).write(to))
    }

    fn look_where_the_heap_lies(&mut self) {
        let both = self.known.java_heap.is_some() && self.known.class_space.is_some();
        if both || self.looks == LOOKS {
            return;
        }
        self.looks += 1;
        if let Some(log) = self
            .gc_log
            .as_deref()
            .and_then(|path| GcInit::read(path).ok())
        {
            self.known = log.ranges;
        }
    }
}

fn sample(probe: &Probe, reading: &Reading) -> MemorySample {
    let mut sample = MemorySample {
        at_ms: reading.point.at_ms,
        minor_faults: Some(reading.minor_faults),
        major_faults: Some(reading.major_faults),
        cgroup_bytes: reading.point.cgroup_bytes,
        working_set_bytes: reading.point.working_set_bytes,
        ..MemorySample::default()
    };
    if let Some(mappings) = &reading.mappings {
        let sum = mappings.sum();
        let resident = |kind| Some(mappings.of(kind).rss_bytes);
        // A kind whose mappings could not be told apart is unknown, not 0.
        let told = |kind, known: bool| resident(kind).filter(|bytes| known || *bytes > 0);
        sample.rss_bytes = Some(sum.rss_bytes);
        sample.pss_bytes = Some(sum.pss_bytes);
        sample.private_bytes = Some(sum.private_bytes);
        sample.swap_bytes = Some(sum.swap_bytes);
        sample.java_heap_bytes = told(Kind::JavaHeap, reading.known.java_heap.is_some());
        sample.class_space_bytes = told(Kind::ClassSpace, reading.known.class_space.is_some());
        sample.class_archive_bytes = resident(Kind::ClassArchive);
        sample.code_cache_bytes = resident(Kind::CodeCache);
        sample.program_bytes = resident(Kind::Program);
        sample.mapped_file_bytes = resident(Kind::MappedFile);
        sample.stack_bytes = resident(Kind::Stack);
        sample.libc_bytes = resident(Kind::Libc);
        sample.shared_bytes = resident(Kind::Shared);
        sample.other_bytes = resident(Kind::Other);
    }
    if let Some(detail) = probe.memory_detail() {
        sample.cgroup_anonymous_bytes = detail.anonymous_bytes;
        sample.cgroup_file_bytes = detail.file_bytes;
        sample.cgroup_active_file_bytes = detail.active_file_bytes;
        sample.cgroup_kernel_bytes = detail.kernel_bytes;
        sample.limit_hits = detail.limit_hits;
        sample.high_events = detail.high_events;
        sample.oom_events = detail.oom_events;
        sample.oom_kills = detail.oom_kills;
        sample.under_oom = detail.under_oom.map(u64::from);
    }
    sample
}
