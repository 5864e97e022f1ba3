//! What is planned for the phase that goes on.

use tacho_load::schedule::Schedule as _;
use tacho_load::search::SearchPlan;
use tacho_load::{Step, Tried};
use tacho_run_folder::{PhaseKind, PhasePlan, ScheduleSpec, SearchSpec, TrialOutcome};

/// A phase as the view needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhaseView {
    /// Label of the phase in the plan.
    pub label: String,
    /// How long it is to be, in seconds; `None` when its length is a number of requests.
    pub duration_s: Option<f64>,
    /// How many requests it is to send; `None` when its length is a time.
    pub requests: Option<u64>,
    /// When it sends them.
    pub pace: Pace,
    /// Requests that can be under way at the same time; 0 when it sends nothing.
    pub connections: u32,
    /// The search of which it is a part.
    pub search: Option<SearchView>,
    /// How long the phases after it are to be, in seconds; `None` when there are none, or that is
    /// not known.
    pub then_s: Option<f64>,
}

/// When requests are sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Pace {
    /// Each connection sends its next request after the answer.
    #[default]
    Closed,
    /// Requests a second.
    Constant(f64),
    /// As a schedule says.
    Scheduled(ScheduleSpec),
}

/// How far a search has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchView {
    /// As the user wrote it.
    pub objective: String,
    /// Number of the current trial, from 1. During a rest: of the trial that follows.
    pub trial: u32,
    /// Number of trials of a search that goes as usual.
    pub usual_trials: u32,
    /// The highest rate at which the objective held so far.
    pub holds_at: Option<f64>,
    /// The lowest at which it did not.
    pub fails_at: Option<f64>,
}

impl PhaseView {
    /// What a load does next; nothing when a phase is over.
    #[must_use]
    pub fn of(step: Step<'_>) -> Option<Self> {
        match step {
            Step::Phase(plan, then) => Some(Self {
                then_s: length_of(then),
                ..Self::planned(plan)
            }),
            Step::Trial(plan, spec, before) => Some(Self {
                search: Some(SearchView::of(spec, before)),
                ..Self::planned(plan)
            }),
            Step::Over => None,
        }
    }

    fn planned(plan: &PhasePlan) -> Self {
        let (requests, pace) = match &plan.kind {
            PhaseKind::Cold { requests } => (Some(*requests), Pace::Closed),
            PhaseKind::Closed { requests, .. } => (*requests, Pace::Closed),
            PhaseKind::Open { rate, .. } => (None, Pace::Constant(*rate)),
            PhaseKind::Scheduled { schedule, .. } => (None, Pace::Scheduled(schedule.clone())),
            PhaseKind::Settle { .. } | PhaseKind::Search(_) | PhaseKind::Rest { .. } => {
                (None, Pace::Closed)
            }
        };
        // The length of a replay is only known from its file.
        let of_replay = || match &plan.kind {
            PhaseKind::Scheduled { schedule, .. } => {
                let built = tacho_load::schedule::build(schedule).ok()?;
                Some(built.duration() as f64 / 1e9)
            }
            _ => None,
        };
        Self {
            label: plan.label.clone(),
            duration_s: plan.kind.duration_s().or_else(of_replay),
            requests,
            pace,
            connections: plan.kind.connections(),
            ..Self::default()
        }
    }

    /// Requests a second that are asked for at an instant of the phase.
    #[must_use]
    pub fn intended_rate(&self, second: f64) -> Option<f64> {
        match &self.pace {
            Pace::Closed => None,
            Pace::Constant(rate) => Some(*rate),
            Pace::Scheduled(schedule) => schedule.rate_at(second),
        }
    }

    /// Nothing is sent in it.
    #[must_use]
    pub fn is_rest(&self) -> bool {
        self.connections == 0
    }
}

impl SearchView {
    /// What a search knows before its next trial.
    fn of(spec: &SearchSpec, before: &[Tried]) -> Self {
        let rates = |held: bool| {
            before
                .iter()
                .filter(move |tried| (tried.outcome == TrialOutcome::Held) == held)
                .map(|tried| tried.trial.rate)
        };
        Self {
            objective: spec.objective.to_string(),
            trial: before.len() as u32 + 1,
            usual_trials: SearchPlan::try_from(spec).map_or(0, |plan| plan.usual_trials()),
            holds_at: rates(true).reduce(f64::max),
            fails_at: rates(false).reduce(f64::min),
        }
    }
}

/// Total length of these phases; `None` if there are none, or if the length of one is not known.
fn length_of(plans: &[PhasePlan]) -> Option<f64> {
    let lengths = plans.iter().map(|plan| plan.kind.duration_s());
    let sum: f64 = lengths.sum::<Option<f64>>()?;
    (sum > 0.0).then_some(sum)
}
