//! One processor for the generator, another for the subject.

use crate::error::BenchError;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;

/// Numbers of the two processors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Processors {
    pub generator: usize,
    pub subject: usize,
}

impl Processors {
    /// The first two that this process may use. The harness itself goes to the subject's, where it
    /// does nothing while a tool is measured.
    pub fn two() -> Result<Self, BenchError> {
        let allowed = sched_getaffinity(None).map_err(io::Error::from)?;
        let mut numbers = (0..CpuSet::MAX_CPU).filter(|&number| allowed.is_set(number));
        match (numbers.next(), numbers.next()) {
            (Some(generator), Some(subject)) => {
                sched_setaffinity(None, &only(subject)).map_err(io::Error::from)?;
                Ok(Self { generator, subject })
            }
            _ => Err(BenchError::Processors(allowed.count() as usize)),
        }
    }
}

/// Does something on one processor. A process that is started meanwhile inherits it
/// (sched_setaffinity(2), NOTES), which costs its start nothing, as a `taskset` before it would.
pub fn on<T>(processor: usize, act: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, &only(processor))?;
    let result = act();
    sched_setaffinity(None, &before)?;
    result
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
