//! Readiness and liveness: one takes a pod out of service quickly, the other kills it slowly.

use crate::input::{Checked, WarmUp};
use crate::startup::{Startup, timeout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The API's default: one or two lost answers are no outage.
const LEAST_FAILURES: u32 = 3;
/// Lowest patience in seconds. In a burst all pods are slow, and removing some makes it worse. A
/// burst of this length is waited out.
const LEAST_PATIENCE: u32 = 10;
const LIVENESS_PERIOD: u32 = 10;
/// A service that answers nothing for a minute hangs; it is not just busy.
const LEAST_HANG: f64 = 60.0;
/// Timeout of the gate, so that a short stall of the node does not remove a pod.
const GATE_TIMEOUT: u32 = 3;
/// The share of launches that may take longer than the bound: one in a hundred.
pub(crate) const RARE: f64 = 0.01;

/// Settings of a probe: how often it asks, and when Kubernetes acts on failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Probe {
    /// Seconds from one question to the next: `periodSeconds`.
    pub period_seconds: u32,
    /// Seconds until a question counts as failed: `timeoutSeconds`.
    pub timeout_seconds: u32,
    /// Failures in a row after which Kubernetes acts: `failureThreshold`.
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

    /// The probe of the gate beside the service. The gate answers from memory, so bursts do not
    /// slow it down. A single "no" counts at once: a service that is restarted alone may be ready
    /// again, and cold, a few seconds later.
    pub(crate) fn gate(checked: &Checked) -> Option<Self> {
        matches!(checked.input.warm_up, WarmUp::Sidecar(_)).then_some(Self {
            period_seconds: 1,
            timeout_seconds: GATE_TIMEOUT,
            failures: 1,
        })
    }

    /// `None` without a liveness path of its own.
    pub(crate) fn liveness(checked: &Checked, startup: &Startup) -> Option<Self> {
        let paths = &checked.input.paths;
        let path = paths.liveness.as_ref()?;
        // A path that also checks other systems would end all pods when one database fails.
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

/// The cost of a restart: the time until the pod is warm again, even if the start is slow. At most
/// what the startup probe allows.
pub(crate) fn back_in_service(checked: &Checked) -> f64 {
    let times = checked.warm.as_ref().unwrap_or(&checked.ready);
    bounded(times) * checked.input.slowdown
}

/// A time that one launch in a hundred exceeds. With few launches this is uncertain, so it is at
/// most ten times the slowest launch.
pub(crate) fn bounded(times: &crate::times::Times) -> f64 {
    times.exceeded_by(RARE).min(10.0 * times.slowest())
}
