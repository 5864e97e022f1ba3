//! What a group has used.

/// Processor time of a group since it was made, and what the quota did to it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CpuStat {
    /// Processor time in seconds, of all processes that ever were in it.
    pub usage_s: f64,
    /// Of it in user mode (v1 counts it in steps of 10 ms).
    pub user_s: f64,
    /// Of it in the kernel.
    pub system_s: f64,
    /// Enforcement periods in which the group wanted to run.
    pub periods: u64,
    /// Of them, those in which it was stopped.
    pub throttled_periods: u64,
    /// Time that it was stopped, in seconds, summed over processors.
    pub throttled_s: f64,
}

/// Memory of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoryStat {
    /// Everything charged to it: anonymous pages, page cache, kernel memory.
    pub usage_bytes: u64,
    /// Usage less inactive file pages, which the kernel would drop first: what cAdvisor and so
    /// Kubernetes call the working set.
    pub working_set_bytes: u64,
    /// The kernel's high-water mark of the usage; absent in v2 before Linux 5.19.
    pub peak_bytes: Option<u64>,
}
