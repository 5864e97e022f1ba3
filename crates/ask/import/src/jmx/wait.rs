//! Waits of a virtual user: JMeter's timers come before a request, Tacho's think time after one.

use std::time::Duration;
use tacho_workload::Think;

/// Evenly distributed between the two, which may be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wait {
    pub least: Duration,
    pub most: Duration,
}

impl Wait {
    pub fn constant(duration: Duration) -> Self {
        Self {
            least: duration,
            most: duration,
        }
    }

    pub fn is_none(self) -> bool {
        self.most.is_zero()
    }

    pub fn is_random(self) -> bool {
        self.least != self.most
    }

    /// One after the other. The sum of two random ones is drawn evenly between their bounds.
    pub fn plus(self, other: Self) -> Self {
        Self {
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    pub fn think(self) -> Option<Think> {
        if self.is_none() {
            None
        } else if self.is_random() {
            Some(Think::Uniform(self.least, self.most))
        } else {
            Some(Think::Constant(self.least))
        }
    }
}

/// Moves waits: each wait before a request becomes the wait after the previous request. The wait
/// before the first request becomes the wait between two rounds.
pub(super) fn after(before: &[Wait]) -> Vec<Option<Think>> {
    let mut after: Vec<_> = before.iter().map(|wait| wait.think()).collect();
    if !after.is_empty() {
        after.rotate_left(1);
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_before_is_a_wait_after_the_one_before() {
        let wait = |seconds| Wait::constant(Duration::from_secs(seconds));
        let think = |seconds| Some(Think::Constant(Duration::from_secs(seconds)));
        assert_eq!(
            after(&[wait(1), wait(0), wait(3)]),
            [None, think(3), think(1)]
        );
        assert_eq!(after(&[wait(1)]), [think(1)]);
        assert_eq!(after(&[]), []);
    }

    #[test]
    fn waits_add_up() {
        let random = Wait {
            least: Duration::from_secs(1),
            most: Duration::from_secs(2),
        };
        let sum = random.plus(Wait::constant(Duration::from_secs(3)));
        assert_eq!(
            sum.think(),
            Some(Think::Uniform(
                Duration::from_secs(4),
                Duration::from_secs(5)
            ))
        );
        assert_eq!(Wait::default().think(), None);
    }
}
