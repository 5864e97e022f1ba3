//! What a group may use, and how the kernel is told.

use crate::CgroupError;

/// Length of an enforcement period: 100 ms, the kernel's default and that of Kubernetes.
pub(crate) const PERIOD_US: u64 = 100_000;
/// The kernel takes no quota below 1 ms (`min_cfs_quota_period` in `kernel/sched/core.c`).
const SMALLEST_QUOTA_US: u64 = 1_000;
/// No process can run with less; a smaller number is a mistake, such as `256` for 256 MiB.
const SMALLEST_MEMORY: u64 = 1 << 20;

/// Limits of a group. Without limits the group only tracks a process tree.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct GroupLimits {
    /// Processors, as a quota: 0.25 is 25 ms in every 100 ms.
    pub cpu: Option<f64>,
    /// Memory, swap included, in bytes.
    pub memory_bytes: Option<u64>,
}

impl GroupLimits {
    /// The quota in microseconds a period.
    pub(crate) fn quota_us(&self) -> Result<Option<u64>, CgroupError> {
        let Some(cpu) = self.cpu else {
            return Ok(None);
        };
        let quota = (cpu * PERIOD_US as f64).round();
        if !(quota >= SMALLEST_QUOTA_US as f64 && quota < 1e12) {
            return Err(CgroupError::BadLimit(format!(
                "a CPU limit of {cpu} cannot be set: give the number of processors, at least 0.01"
            )));
        }
        Ok(Some(quota as u64))
    }

    /// The memory in bytes.
    pub(crate) fn memory(&self) -> Result<Option<u64>, CgroupError> {
        match self.memory_bytes {
            Some(bytes) if bytes < SMALLEST_MEMORY => Err(CgroupError::BadLimit(format!(
                "a memory limit of {bytes} bytes cannot be set: no process starts in less than 1 MiB"
            ))),
            other => Ok(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cpu(cpu: f64) -> GroupLimits {
        GroupLimits {
            cpu: Some(cpu),
            ..GroupLimits::default()
        }
    }

    #[test]
    fn a_quarter_of_a_processor_is_25_ms_in_100() {
        assert_eq!(cpu(0.25).quota_us().unwrap(), Some(25_000));
        assert_eq!(cpu(0.01).quota_us().unwrap(), Some(1_000));
        assert_eq!(cpu(16.0).quota_us().unwrap(), Some(1_600_000));
        assert_eq!(GroupLimits::default().quota_us().unwrap(), None);
    }

    #[test]
    fn what_the_kernel_would_refuse_is_refused_in_words() {
        for bad in [0.0, -1.0, 0.009, f64::NAN, f64::INFINITY] {
            assert!(cpu(bad).quota_us().is_err(), "{bad}");
        }
        let memory = GroupLimits {
            memory_bytes: Some(256),
            ..GroupLimits::default()
        };
        assert!(memory.memory().unwrap_err().to_string().contains("1 MiB"));
    }
}
