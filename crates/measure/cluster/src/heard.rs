//! What the API has told about a pod; shared by all that ask.

use crate::life::Told;
use std::time::{Duration, Instant};
use tacho_cluster_api::{Container, Following, PodState};

/// A pod that is followed.
#[derive(Debug)]
pub struct Hearing {
    /// What comes.
    pub following: Following,
    /// What has come.
    pub told: Told,
}

impl Hearing {
    /// Takes what has come.
    pub fn hear(&mut self) -> &Told {
        while let Some(news) = self.following.come() {
            // A running launch does not need the API: if something is not told, it is only missing
            // in the record.
            let _ = self.told.take(news);
        }
        &self.told
    }

    /// Waits until something holds.
    pub fn until(&mut self, at_most: Duration, holds: impl Fn(&Told) -> bool) -> &Told {
        let began = Instant::now();
        while !holds(self.hear()) && began.elapsed() < at_most {
            if let Some(news) = self.following.next(Duration::from_millis(20)) {
                let _ = self.told.take(news);
            }
        }
        &self.told
    }
}

/// The API has told that its container runs, or has ended.
pub fn is_told(told: &Told) -> bool {
    let runs = |state: &PodState| matches!(state.container, Container::Running { .. });
    has_ended(told) || told.state.as_ref().is_some_and(runs)
}

/// Its container has ended, or the pod is gone.
pub fn has_ended(told: &Told) -> bool {
    told.is_gone || told.state.as_ref().is_some_and(|state| state.has_ended())
}

/// The exit code of its container, when that has ended.
pub fn code(told: &Told) -> Option<i32> {
    match &told.state.as_ref()?.container {
        Container::Terminated { code, .. } => Some(*code),
        _ => None,
    }
}
