//! Trials at constant rates until it is known what the subject carries.

use super::{Generator, LoadError};
use crate::control::Control;
use crate::recorder::Recorder;
use crate::search::{Found, Search, SearchPlan, Trial, TrialOutcome, judge};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, SearchRecord, SearchSpec, TrialRecord};

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
    /// The trial in which it was stopped.
    pub unfinished: Option<PhaseRecord>,
    /// What was found; `None` when it was stopped before.
    pub found: Option<Found>,
    /// The highest rate at which the objective is known to hold, in requests a second.
    pub rate: Option<f64>,
}

impl Tried {
    fn record(&self) -> TrialRecord {
        let phase = &self.record;
        TrialRecord {
            label: phase.label.clone(),
            rate: self.trial.rate,
            kind: self.trial.kind,
            outcome: self.outcome,
            started_ms: phase.started_ms,
            duration_s: phase.duration_s,
            requests: phase.requests,
            succeeded: phase.succeeded,
            errors: phase.errors.clone(),
            throughput: phase.throughput,
            response_time_ms: phase.response_time_ms,
            generator_lag_ms: phase.generator_lag_ms,
        }
    }
}

impl Searched {
    /// It was stopped.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.found.is_none()
    }

    /// The search as it is written down.
    #[must_use]
    pub fn record(&self, spec: &SearchSpec) -> SearchRecord {
        SearchRecord {
            objective: spec.objective.clone(),
            rate: self.rate,
            confirmed: self.found.is_some_and(|found| found.confirmed),
            lowest_failing: self.found.and_then(|found| found.lowest_failing),
            end: self.found.map(|found| found.end.into()),
            text: self.found.map_or_else(
                || "the search was stopped before it knew".to_owned(),
                |found| found.to_string(),
            ),
            trials: self.trials.iter().map(Tried::record).collect(),
        }
    }

    /// The trial to show: the last at the rate that was found, or the last of all when none was, or
    /// the one in which it was stopped when that was the first.
    #[must_use]
    pub fn decisive(&self) -> Option<&PhaseRecord> {
        let of_found = |tried: &&Tried| Some(tried.trial.rate) == self.rate;
        self.trials
            .iter()
            .rev()
            .find(of_found)
            .or(self.trials.last())
            .map(|tried| &tried.record)
            .or(self.unfinished.as_ref())
    }
}

/// Carries out a search: `run` a trial or a rest; `before` is told of each of them before it
/// begins, with the trials so far. All have labels of their own.
///
/// # Errors
/// When the search has no room, and those of `run`.
pub fn search(
    label: &str,
    spec: &SearchSpec,
    run: &mut dyn FnMut(&PhasePlan) -> Result<PhaseRecord, LoadError>,
    before: &mut dyn FnMut(&PhasePlan, &[Tried]),
) -> Result<Searched, LoadError> {
    let plan = SearchPlan::try_from(spec).map_err(|source| LoadError::Search {
        phase: label.to_owned(),
        source,
    })?;
    let mut search = Search::new(plan);
    let mut trials: Vec<Tried> = Vec::new();
    let mut unfinished = None;
    while let Some(trial) = search.next() {
        let mut run = |part: &str, kind| {
            let plan = PhasePlan {
                label: format!("{label} {part} {}", trial.number),
                kind,
            };
            before(&plan, &trials);
            run(&plan)
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
            unfinished = Some(record);
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
        unfinished,
    })
}

impl Generator {
    /// A search as a phase of a launch: its record is that of the decisive trial, with all others
    /// beside it.
    pub(super) fn search_phase(
        &mut self,
        index: u32,
        plan: &PhasePlan,
        spec: &SearchSpec,
        recorder: &mut Recorder,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let run = &mut |plan: &PhasePlan| self.run(index, plan, recorder, control);
        let searched = search(&plan.label, spec, run, &mut |_, _| {})?;
        let record = Some(searched.record(spec));
        let Some(decisive) = searched.decisive() else {
            // Stopped before its first trial.
            let rest = PhasePlan {
                label: plan.label.clone(),
                kind: PhaseKind::Rest { duration_s: 0.0 },
            };
            let nothing = self.run(index, &rest, recorder, control)?;
            return Ok(PhaseRecord {
                kind: plan.kind.tag(),
                interrupted: true,
                search: record,
                ..nothing
            });
        };
        Ok(PhaseRecord {
            label: plan.label.clone(),
            kind: plan.kind.tag(),
            interrupted: searched.is_interrupted(),
            search: record,
            ..decisive.clone()
        })
    }
}
