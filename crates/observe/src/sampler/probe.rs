//! One reading of everything.

use crate::budget::Budget;
use crate::clock;
use crate::process::ProcessTree;
use std::sync::Arc;
use tacho_cgroup::Group;
use tacho_run_folder::{ResourcePoint, ResourceSummary};

/// PSS walks the page tables of the subject; it may take this share of one processor.
const PSS_SHARE: f64 = 0.02;

/// Whether PSS is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pss {
    /// Whatever it costs: for the few instants that are reported by name.
    Always,
    /// When the budget allows it.
    WithinBudget,
}

/// One reading.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reading {
    pub point: ResourcePoint,
    pub throttled_s: Option<f64>,
    /// The kernel's high-water mark so far.
    pub cgroup_peak_bytes: Option<u64>,
}

/// Reads a process tree and its control group.
#[derive(Debug)]
pub(super) struct Probe {
    tree: ProcessTree,
    group: Option<Arc<Group>>,
    exec_ns: u64,
    pss: Budget,
    peaks: ResourceSummary,
    /// Processor time never goes back, also when a process that was counted ends unseen.
    cpu_s: f64,
}

impl Probe {
    pub(super) fn new(pid: u32, group: Option<Arc<Group>>, exec_ns: u64) -> Self {
        Self {
            tree: ProcessTree::new(pid, group.clone()),
            group,
            exec_ns,
            pss: Budget::new(PSS_SHARE),
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
        let reading = Reading {
            point: ResourcePoint {
                at_ms: now_ns.saturating_sub(self.exec_ns) as f64 / 1e6,
                rss_bytes: usage.rss_bytes,
                pss_bytes: self.read_pss(pss, now_ns),
                cgroup_bytes: memory.map(|m| m.usage_bytes),
                working_set_bytes: memory.map(|m| m.working_set_bytes),
                cpu_s: self.cpu_s,
                threads: usage.threads,
            },
            throttled_s: cpu.map(|c| c.throttled_s),
            cgroup_peak_bytes: memory.and_then(|m| m.peak_bytes),
        };
        self.note_peaks(&reading);
        Some(reading)
    }

    fn read_pss(&mut self, pss: Pss, now_ns: u64) -> Option<u64> {
        if pss == Pss::WithinBudget && !self.pss.allows(now_ns) {
            return None;
        }
        let before = clock::thread_cpu_s();
        let bytes = self.tree.pss_bytes();
        self.pss.charge(now_ns, clock::thread_cpu_s() - before);
        bytes
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

    /// The peaks so far. The kernel's own mark is read once more, because it also knows what was
    /// between the last reading and the end.
    pub(super) fn peaks(&mut self) -> ResourceSummary {
        let last = self.group.as_ref().and_then(|g| g.memory().ok());
        let mark = last.and_then(|m| m.peak_bytes);
        self.peaks.peak_cgroup_bytes = self.peaks.peak_cgroup_bytes.max(mark);
        self.peaks.clone()
    }
}
