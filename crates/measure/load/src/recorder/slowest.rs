//! The slowest requests of a phase, in bounded memory.

use super::Measured;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Ordered by response time, then by the instant it ended.
#[derive(Debug, PartialEq, Eq)]
struct ByResponse(Measured);

impl Ord for ByResponse {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |m: &Measured| (m.response_ns(), m.end);
        key(&self.0).cmp(&key(&other.0))
    }
}

impl PartialOrd for ByResponse {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A heap of the slowest requests. Its top is the fastest of them, which goes when a slower one
/// comes.
#[derive(Debug)]
pub struct Slowest {
    heap: BinaryHeap<Reverse<ByResponse>>,
    capacity: usize,
    /// Response time that must be exceeded to get in; most requests end at this comparison.
    threshold: Option<u64>,
}

impl Slowest {
    pub fn new(capacity: usize) -> Self {
        Self {
            heap: BinaryHeap::with_capacity(capacity),
            capacity,
            threshold: None,
        }
    }

    #[inline]
    pub fn offer(&mut self, measured: &Measured) {
        if self.threshold.is_none_or(|t| measured.response_ns() > t) {
            self.admit(measured);
        }
    }

    fn admit(&mut self, measured: &Measured) {
        if self.heap.len() == self.capacity {
            self.heap.pop();
        }
        self.heap.push(Reverse(ByResponse(*measured)));
        if self.heap.len() == self.capacity {
            self.threshold = self.heap.peek().map(|fastest| fastest.0.0.response_ns());
        }
    }

    /// The slowest first; empty afterwards.
    pub fn take(&mut self) -> Vec<Measured> {
        self.threshold = None;
        let heap = std::mem::replace(&mut self.heap, BinaryHeap::with_capacity(self.capacity));
        // Ascending by the reversed order is descending by response time.
        heap.into_sorted_vec()
            .into_iter()
            .map(|Reverse(ByResponse(measured))| measured)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::{Outcome, Via};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_slowest_are_kept_slowest_first(times in proptest::collection::vec(0u64..1_000, 0..300)) {
            let mut slowest = Slowest::new(10);
            for &end in &times {
                slowest.offer(&Measured {
                    request: 0, intended: 0, dispatched: 0, sent: 0, first_byte: 0, end,
                    outcome: Outcome::Answered(200), via: Via::default(),
                });
            }
            let kept: Vec<u64> = slowest.take().iter().map(Measured::response_ns).collect();
            let mut expected = times;
            expected.sort_unstable_by(|a, b| b.cmp(a));
            expected.truncate(10);
            prop_assert_eq!(kept, expected);
            prop_assert!(slowest.take().is_empty());
        }
    }
}
