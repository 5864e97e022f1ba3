//! Users who think between two steps.

use crate::transport::Lane;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps that are taken when their users have thought long enough; one a lane at most.
#[derive(Debug, Default)]
pub struct Thinking {
    /// When, on which lane, of which kind. Lanes break ties, so that the order does not depend on
    /// chance.
    steps: BinaryHeap<Reverse<(u64, Lane, u32)>>,
}

impl Thinking {
    /// The user of a lane thinks until this instant.
    pub fn push(&mut self, due: u64, lane: Lane, kind: u32) {
        self.steps.push(Reverse((due, lane, kind)));
    }

    /// The next step that is due, with the instant at which it was.
    pub fn pop_due(&mut self, now: u64) -> Option<(u64, Lane, u32)> {
        if self.next()? > now {
            return None;
        }
        self.steps.pop().map(|Reverse(step)| step)
    }

    /// When the next one is due.
    pub fn next(&self) -> Option<u64> {
        self.steps.peek().map(|Reverse((due, ..))| *due)
    }

    /// No user is thinking.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Nobody thinks any more.
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}
