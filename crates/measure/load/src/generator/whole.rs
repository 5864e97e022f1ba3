//! A whole load: its phases, one after another.

use super::{Generator, LoadError, Searched, Tried, search};
use crate::control::Control;
use crate::recorder::Recorder;
use tacho_observe::machine;
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, SearchRecord, SearchSpec};

/// What a load does next, for whoever shows it.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// This phase, and those after it.
    Phase(&'a PhasePlan, &'a [PhasePlan]),
    /// A trial of a search, or a rest before one, and the trials so far.
    Trial(&'a PhasePlan, &'a SearchSpec, &'a [Tried]),
    /// The phase, or the search, is over.
    Over,
}

/// What came of a load.
#[derive(Debug, Default)]
pub struct Loaded {
    /// In their order; of a search the trial that decided.
    pub phases: Vec<LoadedPhase>,
    /// The last of them, when there was one.
    pub search: Option<SearchRecord>,
    /// Names of the kinds of request.
    pub kinds: Vec<String>,
    /// What went wrong with where the requests come from, for people.
    pub trouble: Vec<String>,
    /// It was stopped.
    pub interrupted: bool,
}

/// One of its phases.
#[derive(Debug)]
pub struct LoadedPhase {
    /// Under which it is recorded.
    pub index: u32,
    /// What it did.
    pub kind: PhaseKind,
    /// What came of it.
    pub record: PhaseRecord,
}

/// Who carries out phases: one generator, or several that share them as if they were one.
pub trait Engine {
    /// Carries out one phase, which is no search. `index` is its place in the plan.
    ///
    /// # Errors
    /// As [`Generator::run`].
    fn run(&mut self, index: u32, plan: &PhasePlan) -> Result<PhaseRecord, LoadError>;

    /// Names of the kinds of request.
    fn kinds(&self) -> Vec<String>;

    /// What went wrong with the source of the requests so far, for people.
    fn trouble(&self) -> Vec<String>;
}

/// One generator with its records.
struct Alone<'a> {
    generator: Generator,
    recorder: &'a mut Recorder,
    control: &'a Control,
}

impl Engine for Alone<'_> {
    fn run(&mut self, index: u32, plan: &PhasePlan) -> Result<PhaseRecord, LoadError> {
        self.generator.run(index, plan, self.recorder, self.control)
    }

    fn kinds(&self) -> Vec<String> {
        self.generator.kinds().to_vec()
    }

    fn trouble(&self) -> Vec<String> {
        self.generator.trouble()
    }
}

impl Generator {
    /// Carries out all phases, unless it is stopped; `next` is told of each before and after it.
    ///
    /// # Errors
    /// As [`Generator::run`].
    pub fn run_all(
        self,
        plans: &[PhasePlan],
        recorder: &mut Recorder,
        control: &Control,
        next: &mut dyn FnMut(Step<'_>),
    ) -> Result<Loaded, LoadError> {
        let mut alone = Alone {
            generator: self,
            recorder,
            control,
        };
        run_all(&mut alone, plans, control, next)
    }
}

/// Carries out all phases, unless it is stopped; `next` is told of each before and after it.
///
/// # Errors
/// As [`Engine::run`].
pub fn run_all(
    engine: &mut dyn Engine,
    plans: &[PhasePlan],
    control: &Control,
    next: &mut dyn FnMut(Step<'_>),
) -> Result<Loaded, LoadError> {
    let mut loaded = Loaded::default();
    for (plan, index) in plans.iter().zip(0..) {
        let phase = if let PhaseKind::Search(spec) = &plan.kind {
            let before = &mut |plan: &PhasePlan, so_far: &[Tried]| {
                next(Step::Trial(plan, spec, so_far));
            };
            let run = &mut |plan: &PhasePlan| engine.run(index, plan);
            search(&plan.label, spec, run, before).map(|searched| {
                loaded.interrupted = searched.is_interrupted();
                loaded.search = Some(searched.record(spec));
                decisive(index, spec, &searched)
            })
        } else {
            next(Step::Phase(plan, &plans[index as usize + 1..]));
            let before = machine::steal_s();
            engine.run(index, plan).map(|mut record| {
                if let (Some(before), Some(after)) = (before, machine::steal_s()) {
                    record.steal_s = (after - before).max(0.0);
                }
                loaded.interrupted = record.interrupted;
                let kind = plan.kind.clone();
                Some(LoadedPhase {
                    index,
                    kind,
                    record,
                })
            })
        };
        next(Step::Over);
        loaded.phases.extend(phase?);
        if loaded.interrupted || control.is_unanswered() {
            break;
        }
    }
    loaded.trouble = engine.trouble();
    loaded.kinds = engine.kinds();
    Ok(loaded)
}

/// The trial that decided, as a phase.
fn decisive(index: u32, spec: &SearchSpec, searched: &Searched) -> Option<LoadedPhase> {
    searched.decisive().map(|record| LoadedPhase {
        index,
        kind: PhaseKind::Open {
            rate: record.intended_rate.unwrap_or_default(),
            duration_s: spec.trial_s,
            connections: spec.connections,
        },
        record: record.clone(),
    })
}
