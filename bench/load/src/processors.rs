//! One processor for the generator, another for the subject.

use crate::error::BenchError;
use rustix::thread::sched_getaffinity;
use tacho_witness::processors::{Processors, stay_on};

/// The two that are taken. The harness itself goes to the subject's, where it does nothing while a
/// tool is measured.
pub fn two() -> Result<Processors, BenchError> {
    let Some(two) = Processors::two()? else {
        let allowed = sched_getaffinity(None).map_err(std::io::Error::from)?;
        return Err(BenchError::Processors(allowed.count() as usize));
    };
    stay_on(two.subject)?;
    Ok(two)
}
