//! Ending a pod without losing requests.

use crate::input::Checked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The API's default.
const LEAST_GRACE: u32 = 30;
/// Until the last proxy has heard that the pod is leaving: removing an endpoint and ending a
/// container begin at the same time.
const ENDPOINTS: u32 = 5;

/// The settings for ending a pod.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shutdown {
    /// How long the `preStop` hook waits.
    pub pre_stop_seconds: u32,
    /// Seconds from when a pod is told to end until it is killed: `terminationGracePeriodSeconds`.
    pub grace_seconds: u32,
}

impl Shutdown {
    pub(crate) fn of(checked: &Checked) -> Self {
        let measured = &checked.input.measured;
        let longest = measured
            .shutdown
            .unwrap_or(0.0)
            .max(measured.responses.steady_max);
        Self {
            pre_stop_seconds: ENDPOINTS,
            grace_seconds: (ENDPOINTS + (2.0 * longest).ceil() as u32).max(LEAST_GRACE),
        }
    }
}
