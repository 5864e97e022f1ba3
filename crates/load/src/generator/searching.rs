//! Trials at constant rates until it is known what the subject carries.

use super::{Generator, LoadError};
use crate::control::Control;
use crate::recorder::Recorder;
use crate::search::{Found, Search, SearchPlan, Trial, TrialOutcome, judge};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, SearchSpec};

/// One trial of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Tried {
    /// What was asked for.
    pub trial: Trial,
    /// Whether the objective held.
    pub outcome: TrialOutcome,
    /// What came of it; its label tells it from the others.
    pub record: PhaseRecord,
}

/// A search, as far as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Searched {
    /// In their order.
    pub trials: Vec<Tried>,
    /// What was found; `None` when it was stopped before.
    pub found: Option<Found>,
    /// The highest rate at which the objective is known to hold, in requests a second.
    pub rate: Option<f64>,
}

impl Searched {
    /// It was stopped.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.found.is_none()
    }

    /// The trial to show: the last at the rate that was found, or the last of all when none was.
    #[must_use]
    pub fn decisive(&self) -> Option<&Tried> {
        let of_found = |tried: &&Tried| Some(tried.trial.rate) == self.rate;
        self.trials
            .iter()
            .rev()
            .find(of_found)
            .or(self.trials.last())
    }
}

impl Generator {
    /// Carries out a search; `before` is told of each trial and each rest before it begins. All trials have the
    /// `index` of the search, and labels of their own.
    ///
    /// # Errors
    /// When the search has no room, and as [`Generator::run`].
    pub fn search(
        &mut self,
        index: u32,
        label: &str,
        spec: &SearchSpec,
        recorder: &mut Recorder,
        control: &Control,
        before: &mut dyn FnMut(&PhasePlan),
    ) -> Result<Searched, LoadError> {
        let plan = SearchPlan::try_from(spec).map_err(|source| LoadError::Search {
            phase: label.to_owned(),
            source,
        })?;
        let mut search = Search::new(plan);
        let mut trials = Vec::new();
        while let Some(trial) = search.next() {
            let mut run = |part: &str, kind| {
                let plan = PhasePlan {
                    label: format!("{label} {part} {}", trial.number),
                    kind,
                };
                before(&plan);
                self.run(index, &plan, recorder, control)
            };
            if !trial.rest.is_zero() {
                let duration_s = trial.rest.as_secs_f64();
                run("rest", PhaseKind::Rest { duration_s })?;
            }
            let record = run(
                "trial",
                PhaseKind::Open {
                    rate: trial.rate,
                    duration_s: spec.trial_s,
                    connections: spec.connections,
                },
            )?;
            if record.interrupted {
                break;
            }
            let outcome = judge(&spec.objective, &record);
            search.observe(outcome);
            trials.push(Tried {
                trial,
                outcome,
                record,
            });
        }
        let found = search.result();
        Ok(Searched {
            rate: found.map_or_else(|| search.so_far(), |found| found.rate),
            found,
            trials,
        })
    }

    /// A search as a phase of a launch: its record is that of the decisive trial.
    pub(super) fn search_phase(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        spec: &SearchSpec,
        recorder: &mut Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let searched = self.search(index, &plan.label, spec, recorder, control, &mut |_| {})?;
        let Some(decisive) = searched.decisive() else {
            // Stopped in its first trial.
            let rest = PhasePlan {
                label: plan.label.clone(),
                kind: PhaseKind::Rest { duration_s: 0.0 },
            };
            let nothing = self.run(index, &rest, recorder, control)?;
            return Ok(PhaseRecord {
                kind: plan.kind.name().to_owned(),
                interrupted: true,
                ..nothing
            });
        };
        Ok(PhaseRecord {
            label: plan.label.clone(),
            kind: plan.kind.name().to_owned(),
            interrupted: searched.is_interrupted(),
            ..decisive.record.clone()
        })
    }
}
