//! What a run would meet here, before anything is started: `tacho run --dry-run`.

use crate::error::RunError;
use crate::limits::{self, Groups};
use crate::making::{Fate, fate};
use crate::run::processors;
use std::path::Path;
use tacho_experiment::Experiment;
use tacho_run_folder::{PhaseKind, PhasePlan};
use tacho_subject::Surroundings;

/// What becomes of each variant, in the order of the file.
#[derive(Debug)]
pub struct Preflight {
    /// Name of the variant, and what becomes of it.
    pub fates: Vec<(String, Fate)>,
}

impl Preflight {
    /// What keeps the run from beginning, if anything does.
    #[must_use]
    pub fn into_error(self) -> Option<RunError> {
        self.fates.into_iter().find_map(|(_, fate)| match fate {
            Fate::Impossible(error) => Some(*error),
            _ => None,
        })
    }
}

/// Looks whether an experiment can be carried out on this machine: its limits, what its variants
/// are made from, JDKs and tools.
///
/// # Errors
/// When the machine cannot give its limits.
pub fn preflight(
    experiment: &Experiment,
    base: &Path,
    surroundings: &Surroundings,
) -> Result<Preflight, RunError> {
    Groups::new(&format!("dry-run-{}", std::process::id()))
        .check(&limits::asked_for(experiment), processors(experiment)?)?;
    let variants = experiment.variants.iter();
    let fates = variants.map(|spec| {
        let fate = fate(experiment, spec, base, surroundings);
        (spec.name.clone(), fate)
    });
    Ok(Preflight {
        fates: fates.collect(),
    })
}

/// How long the phases of one launch take, as far as their plan tells.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LoadTime {
    /// At most so long, of those that end by time.
    pub seconds: f64,
    /// Requests of those that end when all are answered.
    pub requests: u64,
    /// There are phases that tell neither: a search, the replay of a recording.
    pub is_open_ended: bool,
}

impl LoadTime {
    /// Of these phases.
    #[must_use]
    pub fn of(phases: &[PhasePlan]) -> Self {
        let mut sum = Self::default();
        for phase in phases {
            match (&phase.kind, phase.kind.duration_s()) {
                (_, Some(seconds)) => sum.seconds += seconds,
                (PhaseKind::Cold { requests }, None)
                | (
                    PhaseKind::Closed {
                        requests: Some(requests),
                        ..
                    },
                    None,
                ) => sum.requests = sum.requests.saturating_add(*requests),
                _ => sum.is_open_ended = true,
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(kind: PhaseKind) -> PhasePlan {
        PhasePlan {
            label: "phase".to_owned(),
            kind,
        }
    }

    #[test]
    fn times_and_requests_add_up_apart() {
        let phases = [
            phase(PhaseKind::Cold { requests: 5 }),
            phase(PhaseKind::Rest { duration_s: 2.0 }),
            phase(PhaseKind::Open {
                rate: 100.0,
                duration_s: 30.0,
                connections: 8,
            }),
            phase(PhaseKind::Closed {
                requests: Some(1_000),
                duration_s: None,
                connections: 8,
                ramp_s: 0.0,
                think: None,
            }),
        ];
        let time = LoadTime::of(&phases);
        assert_eq!((time.seconds, time.requests), (32.0, 1_005));
        assert!(!time.is_open_ended);
    }
}
