//! One processor for the witness, another for the generator.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Numbers of two processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processors {
    /// The generator's.
    pub generator: usize,
    /// That of the witness, or of another subject.
    pub subject: usize,
}

impl Processors {
    /// The first two that the calling thread may use; `None` where there is only one.
    ///
    /// # Errors
    /// As sched_getaffinity(2) has them.
    pub fn two() -> io::Result<Option<Self>> {
        let allowed = sched_getaffinity(None)?;
        let mut numbers = (0..CpuSet::MAX_CPU).filter(|&number| allowed.is_set(number));
        let two = numbers.next().zip(numbers.next());
        Ok(two.map(|(generator, subject)| Self { generator, subject }))
    }
}

/// Has the calling thread do something on one processor. A process that is started meanwhile
/// inherits it (sched_setaffinity(2), NOTES), which costs its start nothing, as a `taskset` before
/// it would.
///
/// # Errors
/// As `act` and sched_setaffinity(2) have them.
pub fn on<T>(processor: usize, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, &only(processor))?;
    let result = act();
    sched_setaffinity(None, &before)?;
    result
}

/// Leaves the calling thread this processor only.
///
/// # Errors
/// As sched_setaffinity(2) has them.
pub fn stay_on(processor: usize) -> io::Result<()> {
    Ok(sched_setaffinity(None, &only(processor))?)
}

fn only(processor: usize) -> CpuSet {
    let mut set = CpuSet::new();
    set.set(processor);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_started_inherits_the_processor_and_we_get_ours_back() {
        let before = sched_getaffinity(None).unwrap();
        let one = (0..CpuSet::MAX_CPU).find(|&n| before.is_set(n)).unwrap();
        let output = on(one, || {
            std::process::Command::new("cat")
                .arg("/proc/self/status")
                .output()
        });
        let status = String::from_utf8(output.unwrap().stdout).unwrap();
        let allowed = status
            .lines()
            .find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
        assert_eq!(allowed.map(str::trim), Some(one.to_string().as_str()));
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
