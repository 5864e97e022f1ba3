//! One reading of everything.

use crate::budget::Budget;
use crate::process::{ByKind, KnownRanges, ProcessTree};
use std::sync::Arc;
use tacho_cgroup::{Group, MemoryDetail};
use tacho_clock as clock;
use tacho_run_folder::{ResourcePoint, ResourceSummary};

/// PSS and mappings walk the page tables of the subject; together they may take this share of one
/// processor.
const WALK_SHARE: f64 = 0.02;

/// Whether the page tables are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pss {
    /// Always, whatever it costs: for the few instants that are reported by name.
    Always,
    /// Never: requests are under way, and reading would take the processor from them.
    Never,
    /// When the budget allows it.
    WithinBudget,
    /// When the budget allows it, and mapping by mapping: that gives PSS, too.
    WithMappings,
    /// Always, mapping by mapping, whatever it costs: for the last line.
    WithMappingsAlways,
}

/// What was read of all processes at one instant.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub point: ResourcePoint,
    pub throttled_s: Option<f64>,
    /// The kernel's high-water mark so far.
    pub cgroup_peak_bytes: Option<u64>,
    pub minor_faults: u64,
    pub major_faults: u64,
    pub mappings: Option<ByKind>,
    /// The known ranges at the time of the reading.
    pub known: KnownRanges,
}

/// What a walk through the page tables brought.
#[derive(Default)]
struct Walk {
    pss_bytes: Option<u64>,
    mappings: Option<ByKind>,
}

/// Reads a process tree and its control group.
#[derive(Debug)]
pub(super) struct Probe {
    tree: ProcessTree,
    group: Option<Arc<Group>>,
    exec_ns: u64,
    walks: Budget,
    /// Where the JVM has said that its heap lies.
    pub(super) known: KnownRanges,
    peaks: ResourceSummary,
    /// Highest processor time so far. The reported time never falls, even when a counted process
    /// ends unseen.
    cpu_s: f64,
}

impl Probe {
    pub(super) fn new(pid: u32, group: Option<Arc<Group>>, exec_ns: u64) -> Self {
        Self {
            tree: ProcessTree::new(pid, group.clone()),
            group,
            exec_ns,
            walks: Budget::new(WALK_SHARE),
            known: KnownRanges::default(),
            peaks: ResourceSummary::default(),
            cpu_s: 0.0,
        }
    }

    /// `None` when the tree has ended.
    pub(super) fn read(&mut self, pss: Pss) -> Option<Reading> {
        let now_ns = clock::monotonic_ns();
        let usage = self.tree.usage();
        if usage.processes == 0 {
            return None;
        }
        // A controller that is not there, or a group that is just being removed, leaves its
        // cells empty.
        let cpu = self.group.as_ref().and_then(|g| g.cpu().ok());
        let memory = self.group.as_ref().and_then(|g| g.memory().ok());
        self.cpu_s = self.cpu_s.max(cpu.map_or(usage.cpu_s, |c| c.usage_s));
        let walk = self.walk(pss, now_ns);
        let reading = Reading {
            point: ResourcePoint {
                at_ms: now_ns.saturating_sub(self.exec_ns) as f64 / 1e6,
                rss_bytes: usage.rss_bytes,
                pss_bytes: walk.pss_bytes,
                cgroup_bytes: memory.map(|m| m.usage_bytes),
                working_set_bytes: memory.map(|m| m.working_set_bytes),
                cpu_s: self.cpu_s,
                threads: usage.threads,
            },
            throttled_s: cpu.map(|c| c.throttled_s),
            cgroup_peak_bytes: memory.and_then(|m| m.peak_bytes),
            minor_faults: usage.minor_faults,
            major_faults: usage.major_faults,
            mappings: walk.mappings,
            known: self.known.clone(),
        };
        self.note_peaks(&reading);
        Some(reading)
    }

    fn walk(&mut self, pss: Pss, now_ns: u64) -> Walk {
        let budgeted = matches!(pss, Pss::WithinBudget | Pss::WithMappings);
        if pss == Pss::Never || budgeted && !self.walks.allows(now_ns) {
            return Walk::default();
        }
        let before = clock::thread_cpu_s();
        let walk = if matches!(pss, Pss::WithMappings | Pss::WithMappingsAlways) {
            let mappings = self.tree.mappings(&self.known);
            Walk {
                pss_bytes: mappings.as_ref().map(|m| m.sum().pss_bytes),
                mappings,
            }
        } else {
            Walk {
                pss_bytes: self.tree.pss_bytes(),
                mappings: None,
            }
        };
        self.walks.charge(now_ns, clock::thread_cpu_s() - before);
        walk
    }

    /// What the group's memory consists of.
    pub(super) fn memory_detail(&self) -> Option<MemoryDetail> {
        self.group.as_ref().and_then(|g| g.memory_detail().ok())
    }

    /// The processes as they were at the last reading.
    pub(super) fn members(&self) -> impl Iterator<Item = u32> {
        self.tree.members()
    }

    pub(super) fn holds(&self, pid: u32) -> bool {
        self.members().any(|member| member == pid)
    }

    fn note_peaks(&mut self, reading: &Reading) {
        fn raise<T: Copy + Ord>(peak: &mut Option<T>, seen: Option<T>) {
            *peak = (*peak).max(seen);
        }
        let (peaks, point) = (&mut self.peaks, &reading.point);
        raise(&mut peaks.peak_rss_bytes, Some(point.rss_bytes));
        raise(&mut peaks.peak_pss_bytes, point.pss_bytes);
        raise(&mut peaks.peak_cgroup_bytes, point.cgroup_bytes);
        raise(&mut peaks.peak_cgroup_bytes, reading.cgroup_peak_bytes);
        raise(&mut peaks.peak_working_set_bytes, point.working_set_bytes);
        raise(&mut peaks.peak_threads, Some(point.threads));
    }

    /// The peaks so far. The kernel's high-water mark is read once more, because it also covers the
    /// time between the last reading and the end.
    pub(super) fn peaks(&mut self) -> ResourceSummary {
        let last = self.group.as_ref().and_then(|g| g.memory().ok());
        let mark = last.and_then(|m| m.peak_bytes);
        self.peaks.peak_cgroup_bytes = self.peaks.peak_cgroup_bytes.max(mark);
        self.peaks.clone()
    }
}
