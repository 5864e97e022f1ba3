//! Carries out the phases, one after another.

use super::error::LoadCommandError as Error;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tacho_load::search::TrialOutcome;
use tacho_load::{Anchor, Control, Generator, LoadError, Recorder, Tried, monotonic_ns};
use tacho_load_report::{LiveView, PhaseView, SearchTry, Surface};
use tacho_observe::machine;
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, SearchSpec};

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
        for plan in plans {
            if let PhaseKind::Search(spec) = &plan.kind {
                self.search(&plan.label, spec, &mut ran)?;
            } else {
                let phase = self.phase(plan)?;
                ran.interrupted |= phase.record.interrupted;
                ran.phases.push(phase);
            }
            if ran.interrupted {
                break;
            }
        }
        self.view.finish();
        ran.source_trouble = self.generator.trouble();
        Ok(ran)
    }

    fn phase(&mut self, plan: &PhasePlan) -> Result<RanPhase, LoadError> {
        let index = self.next_index;
        self.next_index += 1;
        self.view.phase(view_of(plan, self.lanes));
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
            &mut |plan| view.phase(view_of(plan, lanes)),
        );
        self.view.phase_ended();
        let searched = searched?;
        ran.interrupted = searched.is_interrupted();
        if let Some(tried) = searched.decisive() {
            ran.phases.push(RanPhase {
                index,
                plan: PhasePlan {
                    label: tried.record.label.clone(),
                    kind: PhaseKind::Open {
                        rate: tried.trial.rate,
                        duration_s: spec.trial_s,
                        connections: spec.connections,
                    },
                },
                record: tried.record.clone(),
            });
        }
        ran.search = Some(tacho_load_report::Search {
            objective: spec.objective.to_string(),
            rate: searched.rate,
            confirmed: searched.found.is_some_and(|found| found.confirmed),
            tries: searched.trials.iter().map(try_of).collect(),
            text: searched.found.map_or_else(
                || "the search was stopped before it knew".to_owned(),
                |found| found.to_string(),
            ),
        });
        Ok(())
    }
}

fn try_of(tried: &Tried) -> SearchTry {
    let (outcome, record) = (tried.outcome, &tried.record);
    let p99 = record.response_time_ms.map_or_else(
        || "nothing was answered".to_owned(),
        |times| format!("p99 {}", tacho_report::quantity::value(times.p99, "ms")),
    );
    let text = match outcome {
        TrialOutcome::Held => p99,
        TrialOutcome::Failed => format!("fails: {p99}"),
        TrialOutcome::GeneratorLimited => format!("the generator was late: {p99}"),
    };
    SearchTry {
        rate: tried.trial.rate,
        achieved: record.throughput,
        holds: outcome == TrialOutcome::Held,
        text,
    }
}

fn view_of(plan: &PhasePlan, lanes: fn(u32) -> u32) -> PhaseView {
    let (duration_s, requests, intended_rate, connections) = match &plan.kind {
        PhaseKind::Cold { requests } => (None, Some(*requests), None, 1),
        PhaseKind::Closed {
            requests,
            duration_s,
            connections,
            ..
        } => (*duration_s, *requests, None, *connections),
        PhaseKind::Open {
            rate,
            duration_s,
            connections,
        } => (Some(*duration_s), None, Some(*rate), *connections),
        PhaseKind::Scheduled {
            schedule,
            connections,
        } => {
            let built = tacho_load::schedule::build(schedule).ok();
            let duration_s = built.map(|schedule| schedule.duration() as f64 / 1e9);
            (duration_s, None, None, *connections)
        }
        PhaseKind::Search(spec) => (None, None, None, spec.connections),
        PhaseKind::Rest { duration_s } => (Some(*duration_s), None, None, 0),
    };
    PhaseView {
        label: plan.label.clone(),
        duration_s,
        requests,
        intended_rate,
        connections: lanes(connections),
    }
}
