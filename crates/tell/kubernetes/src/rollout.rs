//! Replacing pods without losing capacity while the new ones warm.

use crate::health::{Probe, back_in_service, bounded};
use crate::input::Checked;
use crate::startup::Startup;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Scheduling a pod and fetching its image, which no launch shows.
pub(crate) const SCHEDULING: f64 = 120.0;
/// The API's default share of pods that are replaced at a time.
const QUARTER: u32 = 4;

/// The numbers of a rolling update.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rollout {
    /// `maxSurge` as a number of pods; null where the number of replicas is not known, which stands
    /// for 25 %.
    pub max_surge: Option<u32>,
    /// Seconds that a new pod has to be ready before it counts: `minReadySeconds`.
    pub min_ready_seconds: u32,
    /// Whether `minReadySeconds` covers the warm-up, because nothing else does.
    pub waits_for_warm: bool,
    /// Seconds after which a stuck rollout is reported: `progressDeadlineSeconds`.
    pub progress_deadline_seconds: u32,
    /// How long the whole rollout takes at the median of the launches, in seconds; null where the
    /// number of replicas is not known.
    pub takes_seconds: Option<f64>,
}

impl Rollout {
    pub(crate) fn of(checked: &Checked, startup: &Startup, readiness: &Probe) -> Self {
        let warming = checked
            .warming
            .as_ref()
            .filter(|_| !checked.is_gated())
            .map(bounded);
        let seen_well = readiness.patience();
        let min_ready_seconds =
            warming.map_or(seen_well, |warming| seen_well.max(warming.ceil() as u32));

        let replicas = checked.input.service.replicas;
        let max_surge = replicas.map(|replicas| replicas.div_ceil(QUARTER));
        let takes_seconds = replicas.zip(max_surge).map(|(replicas, surge)| {
            let one = checked.in_service().median() + f64::from(min_ready_seconds);
            f64::from(replicas.div_ceil(surge)) * one
        });
        Self {
            max_surge,
            min_ready_seconds,
            waits_for_warm: warming.is_some_and(|warming| warming > f64::from(seen_well)),
            progress_deadline_seconds: deadline(checked, startup, min_ready_seconds),
            takes_seconds,
        }
    }
}

/// Scheduling, one start that is killed, one slow start, and `minReadySeconds`. The sum is longer
/// than `minReadySeconds`, as the API demands. In whole minutes.
fn deadline(checked: &Checked, startup: &Startup, min_ready_seconds: u32) -> u32 {
    let seconds = SCHEDULING
        + startup.chosen.kills_after_s
        + back_in_service(checked)
        + f64::from(min_ready_seconds);
    (seconds / 60.0).ceil() as u32 * 60
}
