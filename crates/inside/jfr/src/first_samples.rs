//! What the first sample of a thread stands for.
//!
//! With each sample of allocation (`jdk.ObjectAllocationSample`) the JVM says how much the thread
//! has allocated since its last sample. If a recording begins in the middle of a thread's life, its
//! first sample stands for everything before, perhaps a hundred times too much. A thread without a
//! name is one of many virtual threads. For them the JVM counts by carrier thread, so any sample
//! may be the first one of its carrier.

use crate::work::WorkEvent;
use std::collections::HashSet;

/// A first sample beyond this many times the median is taken as too large. (Where samples come by
/// chance, one in thirty correct samples is beyond it.)
const TOO_MUCH: u64 = 5;
/// Most samples that are held back. With more threads than this, there are enough other samples.
const MOST_HELD: usize = 50_000;

/// Holds first samples back until the usual size of samples is known.
#[derive(Debug, Default)]
pub struct FirstSamples {
    threads: HashSet<String>,
    held: Vec<WorkEvent>,
    others: Vec<u64>,
}

impl FirstSamples {
    /// Passes a sample on, unless it is held back.
    pub fn pass(&mut self, sample: WorkEvent) -> Option<WorkEvent> {
        let thread = sample.thread.as_deref().unwrap_or_default();
        let is_first = thread.is_empty() || self.threads.insert(thread.to_owned());
        if is_first && self.held.len() < MOST_HELD {
            self.held.push(sample);
            return None;
        }
        self.others.extend(sample.cost);
        Some(sample)
    }

    /// The samples that were held back. A sample that is too large gets the median of the others.
    pub fn finish(mut self) -> Vec<WorkEvent> {
        let mut known = std::mem::take(&mut self.others);
        if known.is_empty() {
            known = self.held.iter().filter_map(|sample| sample.cost).collect();
        }
        known.sort_unstable();
        let usual = known.get(known.len() / 2).copied().unwrap_or(0);
        for cost in self
            .held
            .iter_mut()
            .filter_map(|sample| sample.cost.as_mut())
        {
            if *cost > usual.saturating_mul(TOO_MUCH) {
                *cost = usual;
            }
        }
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::LedgerKind;

    fn all(samples: &[(&str, u64)]) -> Vec<u64> {
        let mut first = FirstSamples::default();
        let mut costs = Vec::new();
        for (thread, cost) in samples {
            let sample = WorkEvent {
                kind: LedgerKind::Allocation,
                key: "byte[]".into(),
                frames: Vec::new(),
                cost: Some(*cost),
                samples: 1,
                thread: Some((*thread).to_owned()),
            };
            costs.extend(first.pass(sample).and_then(|sample| sample.cost));
        }
        costs.extend(first.finish().into_iter().filter_map(|sample| sample.cost));
        costs.sort_unstable();
        costs
    }

    #[test]
    fn a_thread_s_life_before_the_recording_does_not_count() {
        let seen = all(&[
            ("a", 900_000),
            ("b", 700_000),
            ("a", 90),
            ("b", 110),
            ("a", 100),
        ]);
        assert_eq!(seen, [90, 100, 100, 100, 110]);
    }

    #[test]
    fn a_thread_that_began_within_the_recording_counts_as_it_is_and_so_does_a_large_array_of_a_known_thread()
     {
        let seen = all(&[("a", 120), ("a", 100), ("a", 90_000), ("a", 80), ("b", 300)]);
        assert_eq!(seen, [80, 100, 120, 300, 90_000]);
    }

    #[test]
    fn of_threads_without_names_any_may_be_the_first_of_its_carrier() {
        let seen = all(&[
            ("", 1_000_000),
            ("", 90),
            ("", 100),
            ("", 800_000),
            ("", 110),
        ]);
        assert_eq!(seen, [90, 100, 110, 110, 110]);
    }
}
