//! What a group has used.

/// Processor time of a group since it was made, and what the quota did to it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CpuStat {
    /// Processor time in seconds, of all processes that ever were in it.
    pub usage_s: f64,
    /// The part of it in user mode (v1 counts it in steps of 10 ms).
    pub user_s: f64,
    /// The part of it in the kernel.
    pub system_s: f64,
    /// Enforcement periods in which the group wanted to run.
    pub periods: u64,
    /// The periods in which it was throttled.
    pub throttled_periods: u64,
    /// How long it was throttled, in seconds, summed over processors.
    pub throttled_s: f64,
}

/// Memory of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryStat {
    /// Everything charged to it: anonymous pages, page cache, kernel memory.
    pub usage_bytes: u64,
    /// Usage without inactive file pages, which the kernel would drop first. cAdvisor, and so
    /// Kubernetes, calls this the working set.
    pub working_set_bytes: u64,
    /// The kernel's high-water mark of the usage; absent in v2 before Linux 5.19.
    pub peak_bytes: Option<u64>,
}

/// What the memory of a group consists of, and how often its limit was reached. Fields that the
/// kernel does not report are absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryDetail {
    /// Memory of the processes themselves: heap, stacks.
    pub anonymous_bytes: Option<u64>,
    /// Page cache, with shared memory in it.
    pub file_bytes: Option<u64>,
    /// The part of the page cache that was used again recently. It counts into the working set.
    pub active_file_bytes: Option<u64>,
    /// The part of the page cache that the kernel would drop first.
    pub inactive_file_bytes: Option<u64>,
    /// Memory of the kernel itself, used on behalf of the group.
    pub kernel_bytes: Option<u64>,
    /// How often usage ran into the limit, so that pages had to be reclaimed: `max` of
    /// `memory.events`, `memory.failcnt` and `memory.memsw.failcnt` of v1.
    pub limit_hits: Option<u64>,
    /// How often the soft limit of v2 was passed: `high`.
    pub high_events: Option<u64>,
    /// How often reclaiming did not help, so that a process was killed or an allocation failed:
    /// `oom`.
    pub oom_events: Option<u64>,
    /// Processes killed because of the limit: `oom_kill`.
    pub oom_kills: Option<u64>,
    /// v1 only: its processes are blocked at the moment because memory is short.
    pub under_oom: Option<bool>,
}
