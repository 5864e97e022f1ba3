//! Readiness and liveness: one takes a pod out of service quickly, the other kills it slowly.

use crate::input::{Checked, WarmUp};
use crate::startup::{Startup, timeout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The API's default: one answer lost, or two, are no outage.
const LEAST_FAILURES: u32 = 3;
/// Under a burst all pods are slow, and those that leave are missed: seconds that are waited out.
const LEAST_PATIENCE: u32 = 10;
const LIVENESS_PERIOD: u32 = 10;
/// A service that answers nothing for a minute is not busy.
const LEAST_HANG: f64 = 60.0;
/// A node that is busy for a moment takes no pod out.
const GATE_TIMEOUT: u32 = 3;
/// What one launch in a hundred takes longer than.
pub(crate) const RARE: f64 = 0.01;

/// How often a path is asked, and when that has consequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// Seconds from one question to the next: `periodSeconds`.
    pub period_seconds: u32,
    /// Seconds until a question counts as failed: `timeoutSeconds`.
    pub timeout_seconds: u32,
    /// Failures in a row that have consequences: `failureThreshold`.
    pub failures: u32,
}

impl Probe {
    /// How long a pod fails before it has consequences, in seconds.
    #[must_use]
    pub fn patience(&self) -> u32 {
        self.period_seconds * self.failures
    }

    pub(crate) fn readiness(checked: &Checked) -> Self {
        let median = checked.in_service().median();
        let period_seconds = (median / 20.0).round().clamp(1.0, 5.0) as u32;
        Self {
            period_seconds,
            timeout_seconds: timeout(checked.input.measured.responses.steady_max),
            failures: LEAST_PATIENCE.div_ceil(period_seconds).max(LEAST_FAILURES),
        }
    }

    /// Of the gate beside the service. It answers from memory, so that no burst slows it, and one
    /// that says no is believed at once: a service that is restarted alone may be ready again, and
    /// cold, a few seconds later.
    pub(crate) fn gate(checked: &Checked) -> Option<Self> {
        matches!(checked.input.warm_up, WarmUp::Sidecar(_)).then_some(Self {
            period_seconds: 1,
            timeout_seconds: GATE_TIMEOUT,
            failures: 1,
        })
    }

    /// `None` without a path of its own.
    pub(crate) fn liveness(checked: &Checked, startup: &Startup) -> Option<Self> {
        let paths = &checked.input.paths;
        let path = paths.liveness.as_ref()?;
        // A path that also asks others takes all pods down with one database.
        if Some(path) == paths.readiness.as_ref() {
            return None;
        }
        let hang = back_in_service(checked).max(LEAST_HANG);
        let responses = checked.input.measured.responses;
        Some(Self {
            period_seconds: LIVENESS_PERIOD,
            timeout_seconds: timeout(responses.cold_max.max(responses.steady_max))
                .max(startup.timeout_seconds),
            failures: (hang / f64::from(LIVENESS_PERIOD)).ceil() as u32 + 1,
        })
    }
}

/// What a restart costs: until the pod is warm again, also where a start is slow; not more than the
/// startup probe has patience for.
pub(crate) fn back_in_service(checked: &Checked) -> f64 {
    let times = checked.warm.as_ref().unwrap_or(&checked.ready);
    bounded(times) * checked.input.slowdown
}

/// Exceeded by one launch in a hundred; of few launches, which tell little, at most ten times the
/// slowest.
pub(crate) fn bounded(times: &crate::times::Times) -> f64 {
    times.exceeded_by(RARE).min(10.0 * times.slowest())
}
