//! Users who think between two steps.

use crate::request::Rendered;
use crate::transport::Lane;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// A step that is sent when its user has thought long enough.
#[derive(Debug)]
struct Step {
    due: u64,
    lane: Lane,
    kind: u32,
    request: Arc<Rendered>,
}

impl Ord for Step {
    /// The one that is due first is the greatest, and so on top of the heap; lanes break ties, so that the
    /// order does not depend on chance.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.due, other.lane).cmp(&(self.due, self.lane))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Step {}

/// One step a lane at most.
#[derive(Debug, Default)]
pub struct Thinking {
    steps: BinaryHeap<Step>,
}

impl Thinking {
    /// The user of a lane thinks until this instant.
    pub fn push(&mut self, due: u64, lane: Lane, kind: u32, request: Arc<Rendered>) {
        self.steps.push(Step {
            due,
            lane,
            kind,
            request,
        });
    }

    /// The next step that is due, with the instant at which it was.
    pub fn pop_due(&mut self, now: u64) -> Option<(u64, Lane, u32, Arc<Rendered>)> {
        if self.next()? > now {
            return None;
        }
        let step = self.steps.pop()?;
        Some((step.due, step.lane, step.kind, step.request))
    }

    /// When the next one is due.
    pub fn next(&self) -> Option<u64> {
        self.steps.peek().map(|step| step.due)
    }

    /// Nobody thinks.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Nobody thinks any more.
    pub fn clear(&mut self) {
        self.steps.clear();
    }
}
