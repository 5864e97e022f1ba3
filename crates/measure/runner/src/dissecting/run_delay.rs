//! How long threads were ready to run and had no processor.

use std::fs;

/// Seconds, of all threads of these processes together since each began; `None` where the kernel
/// does not count it (`CONFIG_SCHED_INFO`). It is the second number of
/// `/proc/PID/task/TID/schedstat` (Documentation/scheduler/sched-stats.rst).
pub fn run_delay_s(pids: &[u32]) -> Option<f64> {
    let threads = pids
        .iter()
        .filter_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).ok())
        .flatten()
        .flatten();
    let delays: Vec<u64> = threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|text| run_delay_ns(&text))
        .collect();
    (!delays.is_empty()).then(|| delays.iter().sum::<u64>() as f64 / 1e9)
}

fn run_delay_ns(schedstat: &str) -> Option<u64> {
    schedstat.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_delay() {
        assert_eq!(run_delay_ns("1323981 1644537 2\n"), Some(1_644_537));
        assert_eq!(run_delay_ns("0"), None);
        assert_eq!(run_delay_s(&[u32::MAX]), None);
    }
}
