//! Carries out the phases, one after another.

use super::error::LoadCommandError as Error;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tacho_load::schedule::Schedule as _;
use tacho_load::search::SearchPlan;
use tacho_load::{Anchor, Control, Generator, LoadError, Recorder, Tried, monotonic_ns};
use tacho_load_report::{LiveView, Pace, PhaseView, SearchTry, SearchView, Surface};
use tacho_observe::machine;
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, SearchSpec, TrialOutcome, TrialRecord};

/// Where the engine writes.
pub struct Files {
    pub histograms: PathBuf,
    pub requests: PathBuf,
    pub slowest: PathBuf,
}

impl Files {
    /// The three files in a folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            histograms: folder.join("phases.hlog"),
            requests: folder.join("requests.csv"),
            slowest: folder.join("slowest.csv"),
        }
    }
}

/// What came of the phases.
#[derive(Default)]
pub struct Ran {
    /// In their order; of a search the trial that decided.
    pub phases: Vec<RanPhase>,
    pub search: Option<tacho_load_report::Search>,
    /// Names of the kinds of request.
    pub kinds: Vec<String>,
    /// What went wrong with where the requests come from, for people.
    pub source_trouble: Vec<String>,
    pub interrupted: bool,
}

/// One of them.
pub struct RanPhase {
    /// Under which the engine ran it.
    pub index: u32,
    pub plan: PhasePlan,
    pub record: PhaseRecord,
}

/// Carries out phases with one generator.
pub struct Runner {
    generator: Generator,
    recorder: Recorder,
    control: Control,
    view: LiveView,
    next_index: u32,
    lanes: fn(u32) -> u32,
}

impl Runner {
    /// Opens the files.
    pub fn new(
        generator: Generator,
        files: &Files,
        control: Control,
        surface: Surface,
    ) -> Result<Self, Error> {
        let anchor = Anchor {
            exec_ns: monotonic_ns(),
            wall: SystemTime::now(),
        };
        let recorder =
            Recorder::create_files(&files.histograms, &files.requests, &files.slowest, anchor)?;
        Ok(Self {
            view: LiveView::start(surface, &control, recorder.live()),
            generator,
            recorder,
            control,
            next_index: 0,
            lanes: |connections| connections,
        })
    }

    /// Carries out all phases, unless it is stopped.
    pub fn run(mut self, plans: &[PhasePlan]) -> Result<Ran, Error> {
        let mut ran = Ran::default();
        for (plan, number) in plans.iter().zip(1..) {
            if let PhaseKind::Search(spec) = &plan.kind {
                self.search(&plan.label, spec, &mut ran)?;
            } else {
                let phase = self.phase(plan, length_of(&plans[number..]))?;
                ran.interrupted |= phase.record.interrupted;
                ran.phases.push(phase);
            }
            if ran.interrupted {
                break;
            }
        }
        self.view.finish();
        ran.source_trouble = self.generator.trouble();
        ran.kinds = self.generator.kinds().to_vec();
        Ok(ran)
    }

    /// `then_s`: how long the phases behind it are.
    fn phase(&mut self, plan: &PhasePlan, then_s: Option<f64>) -> Result<RanPhase, LoadError> {
        let index = self.next_index;
        self.next_index += 1;
        self.view.phase(PhaseView {
            then_s,
            ..view_of(plan, self.lanes)
        });
        let steal_before = machine::steal_s();
        let result = self
            .generator
            .run(index, plan, &mut self.recorder, &self.control);
        self.view.phase_ended();
        let mut record = result?;
        if let (Some(before), Some(after)) = (steal_before, machine::steal_s()) {
            record.steal_s = (after - before).max(0.0);
        }
        Ok(RanPhase {
            index,
            plan: plan.clone(),
            record,
        })
    }

    /// One trial after another until it is known. Reported is the decisive one.
    fn search(&mut self, label: &str, spec: &SearchSpec, ran: &mut Ran) -> Result<(), Error> {
        let index = self.next_index;
        self.next_index += 1;
        let (view, lanes) = (&self.view, self.lanes);
        let searched = self.generator.search(
            index,
            label,
            spec,
            &mut self.recorder,
            &self.control,
            &mut |plan, before| {
                view.phase(PhaseView {
                    search: Some(search_view(spec, before)),
                    ..view_of(plan, lanes)
                });
            },
        );
        self.view.phase_ended();
        let searched = searched?;
        ran.interrupted = searched.is_interrupted();
        if let Some(record) = searched.decisive() {
            ran.phases.push(RanPhase {
                index,
                plan: PhasePlan {
                    label: record.label.clone(),
                    kind: PhaseKind::Open {
                        rate: record.intended_rate.unwrap_or_default(),
                        duration_s: spec.trial_s,
                        connections: spec.connections,
                    },
                },
                record: record.clone(),
            });
        }
        let record = searched.record(spec);
        ran.search = Some(tacho_load_report::Search {
            objective: record.objective.to_string(),
            rate: record.rate,
            confirmed: record.confirmed,
            tries: record.trials.iter().map(try_of).collect(),
            text: record.text,
        });
        Ok(())
    }
}

fn try_of(trial: &TrialRecord) -> SearchTry {
    let p99 = trial.response_time_ms.map_or_else(
        || "nothing was answered".to_owned(),
        |times| format!("p99 {}", tacho_report::quantity::value(times.p99, "ms")),
    );
    let text = match trial.outcome {
        TrialOutcome::Held => p99,
        TrialOutcome::Failed => format!("fails: {p99}"),
        TrialOutcome::GeneratorLimited => format!("the generator was late: {p99}"),
    };
    SearchTry {
        rate: trial.rate,
        achieved: trial.throughput,
        holds: trial.outcome == TrialOutcome::Held,
        response_time_ms: trial.response_time_ms,
        text,
    }
}

/// What a search knows before its next trial.
fn search_view(spec: &SearchSpec, before: &[Tried]) -> SearchView {
    let rates = |held: bool| {
        before
            .iter()
            .filter(move |tried| (tried.outcome == TrialOutcome::Held) == held)
            .map(|tried| tried.trial.rate)
    };
    SearchView {
        objective: spec.objective.to_string(),
        trial: before.len() as u32 + 1,
        usual_trials: SearchPlan::try_from(spec).map_or(0, |plan| plan.usual_trials()),
        holds_at: rates(true).reduce(f64::max),
        fails_at: rates(false).reduce(f64::min),
    }
}

fn view_of(plan: &PhasePlan, lanes: fn(u32) -> u32) -> PhaseView {
    let (requests, pace, connections) = match &plan.kind {
        PhaseKind::Cold { requests } => (Some(*requests), Pace::Closed, 1),
        PhaseKind::Closed {
            requests,
            connections,
            ..
        } => (*requests, Pace::Closed, *connections),
        PhaseKind::Open {
            rate, connections, ..
        } => (None, Pace::Constant(*rate), *connections),
        PhaseKind::Scheduled {
            schedule,
            connections,
        } => (None, Pace::Scheduled(schedule.clone()), *connections),
        PhaseKind::Search(spec) => (None, Pace::Closed, spec.connections),
        PhaseKind::Rest { .. } => (None, Pace::Closed, 0),
    };
    PhaseView {
        label: plan.label.clone(),
        duration_s: plan
            .kind
            .duration_s()
            .or_else(|| length_of_replay(&plan.kind)),
        requests,
        pace,
        connections: lanes(connections),
        ..PhaseView::default()
    }
}

/// Only its file knows how long a replay is.
fn length_of_replay(kind: &PhaseKind) -> Option<f64> {
    let PhaseKind::Scheduled { schedule, .. } = kind else {
        return None;
    };
    let built = tacho_load::schedule::build(schedule).ok()?;
    Some(built.duration() as f64 / 1e9)
}

/// How long these phases are to be; `None` when there are none, or one does not know.
fn length_of(plans: &[PhasePlan]) -> Option<f64> {
    let lengths = plans.iter().map(|plan| plan.kind.duration_s());
    let sum: f64 = lengths.sum::<Option<f64>>()?;
    (sum > 0.0).then_some(sum)
}
