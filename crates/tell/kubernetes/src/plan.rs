//! All numbers of a Deployment.

use crate::health::Probe;
use crate::input::Checked;
use crate::rollout::Rollout;
use crate::shutdown::Shutdown;
use crate::startup::Startup;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All numbers of a Deployment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Number of launches that the numbers rest on.
    pub launches: usize,
    /// The startup probe.
    pub startup: Startup,
    /// The readiness probe.
    pub readiness: Probe,
    /// The readiness probe of the container that warms.
    pub gate: Option<Probe>,
    /// The liveness probe; absent without a path of its own.
    pub liveness: Option<Probe>,
    /// The rolling update.
    pub rollout: Rollout,
    /// The end of a pod.
    pub shutdown: Shutdown,
}

impl Plan {
    pub(crate) fn of(checked: &Checked) -> Self {
        let startup = Startup::of(checked);
        let readiness = Probe::readiness(checked);
        Self {
            launches: checked.ready.launches(),
            readiness,
            gate: Probe::gate(checked),
            liveness: Probe::liveness(checked, &startup),
            rollout: Rollout::of(checked, &startup, &readiness),
            shutdown: Shutdown::of(checked),
            startup,
        }
    }
}
