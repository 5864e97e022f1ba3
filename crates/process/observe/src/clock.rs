//! The clocks, in nanoseconds and seconds.

use rustix::time::{ClockId, Timespec, clock_gettime};

/// `CLOCK_MONOTONIC` in nanoseconds: the clock of every instant in Tacho.
#[must_use]
pub fn monotonic_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Processor time of the calling thread, in seconds.
#[must_use]
pub fn thread_cpu_s() -> f64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime)) as f64 / 1e9
}

/// Processor time of this process, all threads, in seconds.
#[must_use]
pub fn process_cpu_s() -> f64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime)) as f64 / 1e9
}

fn nanoseconds(time: Timespec) -> u64 {
    // These clocks count from a start and are never negative.
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000
        + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_works_is_charged_and_one_that_sleeps_is_not() {
        let (thread, wall) = (thread_cpu_s(), monotonic_ns());
        while thread_cpu_s() - thread < 0.02 {}
        assert!(monotonic_ns() - wall >= 20_000_000);
        let before = thread_cpu_s();
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(thread_cpu_s() - before < 0.02);
        assert!(process_cpu_s() >= 0.02);
    }
}
