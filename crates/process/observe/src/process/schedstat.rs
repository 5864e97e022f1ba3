//! Content of `/proc/<pid>/task/<tid>/schedstat` (Documentation/scheduler/sched-stats.rst): time on
//! a processor and time ready for one, where the kernel counts it (`CONFIG_SCHED_INFO`).

use std::fs;

/// Times of one thread since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedstat {
    /// It ran, in nanoseconds.
    pub ran_ns: u64,
    /// It was ready to run and did not, in nanoseconds.
    pub waited_ns: u64,
}

impl Schedstat {
    /// `None` when it is not of that form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split_ascii_whitespace().map(str::parse);
        Some(Self {
            ran_ns: numbers.next()?.ok()?,
            waited_ns: numbers.next()?.ok()?,
        })
    }

    /// That of the calling thread.
    #[must_use]
    pub fn own() -> Option<Self> {
        Self::of("/proc/thread-self")
    }

    /// Of a thread, by its folder.
    #[must_use]
    pub fn of(folder: &str) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("{folder}/schedstat")).ok()?)
    }
}

/// How long all threads of these processes together were ready to run and had no processor, in
/// seconds since each began.
#[must_use]
pub fn waited_s(pids: &[u32]) -> Option<f64> {
    let threads = pids
        .iter()
        .filter_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).ok())
        .flatten()
        .flatten();
    threads
        .filter_map(|thread| fs::read_to_string(thread.path().join("schedstat")).ok())
        .filter_map(|text| Some(Schedstat::parse(&text)?.waited_ns))
        .reduce(u64::saturating_add)
        .map(|ns| ns as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_number_is_the_time_waited() {
        let seen = Schedstat::parse("53387782 73719577 521\n").unwrap();
        assert_eq!((seen.ran_ns, seen.waited_ns), (53_387_782, 73_719_577));
        assert_eq!(Schedstat::parse("53387782"), None);
        assert_eq!(Schedstat::parse(""), None);
        assert_eq!(waited_s(&[u32::MAX]), None);
    }
}
