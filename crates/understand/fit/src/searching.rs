//! What to try next, from the first launch to the answer: without a memory limit, then memory, then
//! CPU at the memory that was found.

use crate::bisection::{Bisection, Range};
use crate::fit::{Fit, Search};
use crate::paste::Paste;
use crate::trial::{Measured, Trial};
use std::collections::BTreeMap;
use tacho_run_folder::FORMAT;

/// The highest memory that is tried: so many times what it takes without a limit.
const ROOM: f64 = 1.5;
/// Of the highest memory, unless another step was asked for.
const STEPS: u64 = 32;
const MIB: u64 = 1 << 20;
const MILLIS: f64 = 1_000.0;
/// How often a limit is tried at most until a launch tells something of it. A machine that is never
/// quiet would never let the search end.
const MOST_TRIES: usize = 3;

/// What a limit is put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resource {
    /// Memory; its limits are in bytes.
    Memory,
    /// In thousandths of a processor.
    Cpu,
}

/// What is searched, and where.
#[derive(Debug, Clone)]
pub struct Question {
    /// Name of the experiment.
    pub name: String,
    /// The variant that is launched.
    pub variant: String,
    /// The objectives that each launch has to meet.
    pub checks: Vec<String>,
    /// Both, unless one was asked for.
    pub only: Option<Resource>,
    /// Least memory to try, bytes.
    pub memory_from: u64,
    /// How finely memory is searched, bytes; else a thirty-second of the highest.
    pub memory_step: Option<u64>,
    /// Highest memory to try, bytes; else with room above what it takes without a limit.
    pub memory_to: Option<u64>,
    /// Least processors to try.
    pub cpu_from: f64,
    /// How finely processors are searched.
    pub cpu_step: f64,
    /// Highest number of processors to try; at it memory is searched.
    pub cpu_to: Option<f64>,
    /// Those that a launch may use.
    pub processors: u32,
    /// Memory of the machine, bytes: nobody is given more. `None` where the kernel does not say.
    pub machine_bytes: Option<u64>,
}

/// There is no range to search.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no {what} to search: say the highest limit to try with {option}, above the lowest by at least a step"
)]
pub struct NothingToFit {
    what: &'static str,
    option: &'static str,
}

/// The limits of one trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// Processors, of which a quarter is 0.25; absent without a limit.
    pub cpu: Option<f64>,
    /// Memory in bytes; absent without a limit.
    pub memory_bytes: Option<u64>,
    /// The limit that is searched; none for the reference.
    pub searched: Option<u64>,
    /// How many trials may still come at most, this one and those of both resources included; more
    /// come only where what was found does not hold again, or where no launch of a trial told
    /// anything. Absent where nobody knows before the reference.
    pub left: Option<u32>,
}

#[derive(Debug)]
enum Stage {
    Reference,
    Searching(Resource, Bisection),
    Over,
}

/// Asks for trials until it knows. Feed it with what came of each.
#[derive(Debug)]
pub struct Searching {
    question: Question,
    stage: Stage,
    reference: Option<Measured>,
    fit: Option<Fit>,
}

impl Searching {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(question: Question) -> Self {
        Self {
            question,
            stage: Stage::Reference,
            reference: None,
            fit: None,
        }
    }

    /// The limits to try, and to report by [`Self::take`]; `None` when the search is over.
    ///
    /// # Errors
    /// When what is searched next has no range.
    pub fn attempt(&mut self) -> Result<Option<Attempt>, NothingToFit> {
        let cpu = self.question.cpu_to;
        loop {
            let searched = match &self.stage {
                Stage::Over => return Ok(None),
                Stage::Reference if self.fit.is_none() => {
                    return Ok(Some(Attempt {
                        cpu,
                        memory_bytes: None,
                        searched: None,
                        left: self.after_reference().map(|later| later + 1),
                    }));
                }
                Stage::Reference => None,
                Stage::Searching(resource, search) => {
                    if let Some(limit) = search.next() {
                        let (cpu, memory_bytes) = match resource {
                            Resource::Memory => (cpu, Some(limit)),
                            Resource::Cpu => (Some(limit as f64 / MILLIS), self.memory()),
                        };
                        return Ok(Some(Attempt {
                            cpu,
                            memory_bytes,
                            searched: Some(limit),
                            left: Some(search.trials_left() + self.later(*resource)),
                        }));
                    }
                    Some(*resource)
                }
            };
            self.go_on(searched)?;
        }
    }

    /// What came of an attempt, whose run lies in `folder`. `errors` are the first lines of each
    /// launch's log that tell of memory, by its number.
    pub fn take(
        &mut self,
        attempt: &Attempt,
        folder: &str,
        measured: Measured,
        errors: &BTreeMap<u32, String>,
    ) {
        let limit = attempt.searched;
        let trial = Trial::of(limit, folder, &measured, errors, self.reference.as_ref());
        match (limit, &mut self.stage, &mut self.fit) {
            (Some(limit), Stage::Searching(resource, search), Some(fit)) => {
                let part = part(fit, *resource);
                let mut trials = part.take().map_or_else(Vec::new, |search| search.trials);
                trials.push(trial);
                if let Some(held) = held(&trials) {
                    search.observe(limit, held);
                }
                *part = Some(Search::of(search.found(), trials));
            }
            _ => {
                self.fit = Some(begun(&self.question, trial, measured.phase()));
                self.reference = Some(measured);
            }
        }
    }

    /// The answer as far as it is known; nothing before the reference. It says that it was
    /// interrupted, since nobody says more of a search that is killed.
    #[must_use]
    pub fn so_far(&self) -> Option<&Fit> {
        self.fit.as_ref()
    }

    /// The answer, with what to paste.
    #[must_use]
    pub fn conclude(self, interrupted: bool) -> Option<Fit> {
        let fit = self.fit?;
        Some(Fit {
            paste: Paste::of(&fit),
            interrupted,
            ..fit
        })
    }

    /// What comes after the reference, or after a search. Without a memory at which it holds there
    /// is no CPU to look for.
    fn go_on(&mut self, searched: Option<Resource>) -> Result<(), NothingToFit> {
        let only = self.question.only;
        let next = match searched {
            None if only != Some(Resource::Cpu) => Some(Resource::Memory),
            None => Some(Resource::Cpu),
            Some(Resource::Memory) if only.is_none() && self.memory().is_some() => {
                Some(Resource::Cpu)
            }
            Some(_) => None,
        };
        self.stage = match (next, &mut self.fit) {
            (Some(resource), Some(fit)) => {
                let range = match resource {
                    Resource::Memory => self.question.memory_range(&fit.reference),
                    Resource::Cpu => self.question.cpu_range(),
                };
                let search = Bisection::new(range?);
                *part(fit, resource) = Some(Search::of(search.found(), Vec::new()));
                Stage::Searching(resource, search)
            }
            _ => Stage::Over,
        };
        Ok(())
    }

    /// Trials of the search that comes after this one.
    fn later(&self, resource: Resource) -> u32 {
        match (resource, self.question.only) {
            (Resource::Memory, None) => self.question.cpu_trials(),
            _ => 0,
        }
    }

    /// Trials of both searches.
    fn after_reference(&self) -> Option<u32> {
        let question = &self.question;
        match question.only {
            Some(Resource::Cpu) => Some(question.cpu_trials()),
            Some(Resource::Memory) => question.memory_trials(),
            None => Some(question.memory_trials()? + question.cpu_trials()),
        }
    }

    /// The memory at which processors are searched.
    fn memory(&self) -> Option<u64> {
        let searched = self.fit.as_ref().and_then(|fit| fit.memory.as_ref());
        searched.map_or(self.question.memory_to, |search| search.limit)
    }
}

impl Question {
    fn memory_range(&self, reference: &Trial) -> Result<Range, NothingToFit> {
        // With room to spare, in whole MiB.
        let enough = || {
            let peak = reference.peak_rss_bytes?.value;
            let highest = ((peak * ROOM) as u64).next_multiple_of(MIB);
            Some(highest.min(self.machine_bytes.unwrap_or(u64::MAX)))
        };
        let nothing = NothingToFit {
            what: "memory",
            option: "--memory",
        };
        let highest = self.memory_to.or_else(enough);
        highest
            .and_then(|highest| self.memory_range_to(highest))
            .ok_or(nothing)
    }

    fn memory_range_to(&self, highest: u64) -> Option<Range> {
        let step = self
            .memory_step
            .unwrap_or_else(|| round_step(highest / STEPS));
        // A range is rounded up to whole steps.
        let rounded = highest.checked_next_multiple_of(step)?;
        let most = match self.machine_bytes {
            Some(there) if highest <= there && there < rounded => there / step * step,
            _ => highest,
        };
        Range::new(self.memory_from, most, step)
    }

    /// How many trials of memory there are at most, before the reference has said where they begin.
    fn memory_trials(&self) -> Option<u32> {
        let range = match (self.memory_to, self.memory_step) {
            (Some(highest), _) => self.memory_range_to(highest),
            // A step is rounded down to a power of two: at most twice as many of them.
            (None, None) => Range::new(1, 2 * STEPS, 1),
            (None, Some(_)) => return None,
        };
        Some(trials(range))
    }

    fn cpu_trials(&self) -> u32 {
        trials(self.cpu_range().ok())
    }

    /// In thousandths of a processor.
    fn cpu_range(&self) -> Result<Range, NothingToFit> {
        let highest = self.cpu_to.unwrap_or_else(|| self.processors.into());
        let millis = |cpus: f64| (cpus * MILLIS).round() as u64;
        Range::new(
            millis(self.cpu_from),
            millis(highest),
            millis(self.cpu_step),
        )
        .ok_or(NothingToFit {
            what: "CPU",
            option: "--cpu",
        })
    }
}

/// Whether the limit that was tried last holds. `None` where no launch told anything of it, and it
/// is tried again; after too many tries it counts as one that does not hold.
fn held(trials: &[Trial]) -> Option<bool> {
    let last = trials.last()?;
    let tells_nothing = |trial: &&Trial| trial.limit == last.limit && trial.launches == 0;
    let tries = trials.iter().rev().take_while(tells_nothing).count();
    (tries == 0 || tries >= MOST_TRIES).then_some(last.held)
}

/// Of the whole search; where there is no range there is none, which is said when it is its turn.
fn trials(range: Option<Range>) -> u32 {
    range.map_or(0, |range| Bisection::new(range).trials_left())
}

/// A power of two of MiB, at least one: limits that people would write.
fn round_step(bytes: u64) -> u64 {
    MIB << (bytes / MIB).max(1).ilog2()
}

fn part(fit: &mut Fit, resource: Resource) -> &mut Option<Search> {
    match resource {
        Resource::Memory => &mut fit.memory,
        Resource::Cpu => &mut fit.cpu,
    }
}

fn begun(question: &Question, reference: Trial, phase: Option<String>) -> Fit {
    Fit {
        format: FORMAT,
        name: question.name.clone(),
        variant: question.variant.clone(),
        checks: question.checks.clone(),
        phase,
        reference,
        memory: None,
        cpu: None,
        paste: None,
        interrupted: true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bisection::End;
    use tacho_analysis::testkit::{Profile, Synthetic};
    use tacho_run_folder::{FailureCause, LaunchOutcome, RunData};

    fn question(only: Option<Resource>) -> Question {
        Question {
            name: "shop".to_owned(),
            variant: "jar".to_owned(),
            checks: vec!["errors<1%".to_owned()],
            only,
            memory_from: 32 * MIB,
            memory_step: None,
            memory_to: Some(512 * MIB),
            cpu_from: 0.05,
            cpu_step: 0.05,
            cpu_to: None,
            processors: 2,
            machine_bytes: None,
        }
    }

    fn run(held: bool) -> Measured {
        let run = Synthetic::new(2)
            .variant(Profile::named("jar"))
            .open_phase("open")
            .run();
        let mut run = RunData { ..run };
        if !held {
            run.launches[0].record.outcome = LaunchOutcome::Failed {
                cause: FailureCause::OutOfMemory,
                message: "gone".to_owned(),
                last_log_lines: Vec::new(),
            };
        }
        Measured::from(run)
    }

    /// Searches a service that holds where this says so; what was tried.
    fn searched(question: Question, holds: impl Fn(&Attempt) -> bool) -> (Fit, Vec<Attempt>) {
        let mut searching = Searching::new(question);
        let mut tried = Vec::new();
        while let Some(attempt) = searching.attempt().unwrap() {
            assert!(tried.len() < 100, "it does not end: {tried:#?}");
            tried.push(attempt);
            searching.take(&attempt, "trial", run(holds(&attempt)), &BTreeMap::new());
            assert!(searching.so_far().unwrap().interrupted);
        }
        (searching.conclude(false).unwrap(), tried)
    }

    #[test]
    fn memory_is_searched_first_and_cpu_at_the_memory_that_was_found() {
        let (fit, tried) = searched(question(None), |attempt| {
            attempt.memory_bytes.is_none_or(|bytes| bytes >= 200 * MIB)
                && attempt.cpu.is_none_or(|cpus| cpus >= 0.25)
        });
        let unlimited = Attempt {
            cpu: None,
            memory_bytes: None,
            searched: None,
            // The reference; at 32 steps of memory up to seven trials, at 40 of CPU up to eight.
            left: Some(1 + 7 + 8),
        };
        assert_eq!(tried[0], unlimited);
        assert!(!fit.interrupted);
        let (memory, cpu) = (fit.memory.unwrap(), fit.cpu.unwrap());
        assert_eq!((memory.limit, memory.end), (Some(208 * MIB), End::Found));
        assert_eq!((cpu.limit, cpu.end), (Some(250), End::Found));
        let mut of_cpu = tried.iter().filter(|attempt| attempt.cpu.is_some());
        assert!(of_cpu.all(|attempt| attempt.memory_bytes == Some(208 * MIB)));
        assert_eq!(tried.len(), 1 + memory.trials.len() + cpu.trials.len());
    }

    #[test]
    fn the_trials_that_are_left_are_those_of_both_searches() {
        // Each limit fails but the highest: nothing ends a search early.
        for (only, of_memory, of_cpu) in [
            (None, 7, 8),
            (Some(Resource::Memory), 7, 0),
            (Some(Resource::Cpu), 0, 8),
        ] {
            let highest = |attempt: &Attempt| {
                attempt.memory_bytes.is_none_or(|bytes| bytes >= 512 * MIB)
                    && attempt.cpu.is_none_or(|cpus| cpus >= 2.0)
            };
            let (fit, tried) = searched(question(only), highest);
            let trials = |search: Option<Search>| search.map_or(0, |search| search.trials.len());
            assert_eq!((trials(fit.memory), trials(fit.cpu)), (of_memory, of_cpu));
            // From the first launch on one less each time, to the last one.
            let left: Vec<u32> = tried.iter().map(|attempt| attempt.left.unwrap()).collect();
            let all = u32::try_from(tried.len()).unwrap();
            assert_eq!(left, (1..=all).rev().collect::<Vec<u32>>(), "{only:?}");
        }
    }

    #[test]
    fn what_is_left_is_never_less_than_what_comes() {
        for least in [32, 208, 512] {
            for cpus in [0.05, 0.4, 1.95] {
                let (_, tried) = searched(question(None), |attempt| {
                    attempt
                        .memory_bytes
                        .is_none_or(|bytes| bytes >= least * MIB)
                        && attempt.cpu.is_none_or(|given| given >= cpus)
                });
                for (after, attempt) in tried.iter().enumerate() {
                    let came = tried.len() - after;
                    assert!(
                        attempt.left.unwrap() as usize >= came,
                        "{least} MiB: {attempt:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn before_the_reference_the_range_of_memory_may_be_unknown() {
        let left = |question: Question| {
            let attempt = Searching::new(question).attempt();
            attempt.unwrap().unwrap().left
        };
        let unknown = Question {
            memory_to: None,
            ..question(Some(Resource::Memory))
        };
        // At most twice 32 steps.
        assert_eq!(left(unknown.clone()), Some(1 + 8));
        let by_step = Question {
            memory_step: Some(MIB),
            ..unknown.clone()
        };
        assert_eq!(left(by_step), None);
        let of_cpu = Question {
            only: Some(Resource::Cpu),
            ..unknown
        };
        assert_eq!(left(of_cpu), Some(1 + 8));
    }

    /// All launches of a trial may have been disturbed, or their generator late.
    #[test]
    fn a_trial_of_which_no_launch_tells_anything_is_made_again() {
        let disturbed = || {
            let mut measured = run(true);
            for launch in &mut measured.run.launches {
                launch.record.outcome = LaunchOutcome::Spoiled {
                    reason: "others were busy".to_owned(),
                };
            }
            Measured::from(measured.run)
        };
        // Of each limit the first `tries` tell nothing.
        let searched = |tries: usize| {
            let mut searching = Searching::new(question(Some(Resource::Memory)));
            let mut tried: Vec<u64> = Vec::new();
            while let Some(attempt) = searching.attempt().unwrap() {
                assert!(tried.len() < 100, "it does not end: {tried:?}");
                let limit = attempt.searched.unwrap_or(0);
                let before = tried.iter().filter(|other| **other == limit).count();
                let measured = match before < tries && limit > 0 {
                    true => disturbed(),
                    false => run(limit == 0 || limit >= 200 * MIB),
                };
                tried.push(limit);
                searching.take(&attempt, "trial", measured, &BTreeMap::new());
            }
            searching.conclude(false).unwrap().memory.unwrap()
        };
        let found = searched(MOST_TRIES - 1);
        assert_eq!((found.limit, found.end), (Some(208 * MIB), End::Found));
        // A machine that is never quiet ends the search.
        let found = searched(100);
        assert_eq!((found.limit, found.end), (None, End::NothingHolds));
        assert_eq!(found.trials.len(), MOST_TRIES);
    }

    #[test]
    fn where_no_memory_is_enough_no_cpu_is_searched() {
        let (fit, tried) = searched(question(None), |attempt| attempt.memory_bytes.is_none());
        assert_eq!(fit.memory.unwrap().end, End::NothingHolds);
        assert_eq!((fit.cpu, fit.paste, tried.len()), (None, None, 2));
    }

    #[test]
    fn what_is_asked_for_alone_is_searched_alone() {
        let (fit, _) = searched(question(Some(Resource::Memory)), |_| true);
        assert!(fit.memory.is_some() && fit.cpu.is_none());
        let (fit, tried) = searched(question(Some(Resource::Cpu)), |_| true);
        assert!(fit.memory.is_none() && fit.cpu.is_some());
        let last = tried.last().unwrap();
        assert_eq!(last.memory_bytes, Some(512 * MIB));
    }

    #[test]
    fn a_range_without_room_is_said_after_the_reference() {
        let mut searching = Searching::new(Question {
            memory_to: Some(32 * MIB),
            ..question(None)
        });
        let first = searching.attempt().unwrap().unwrap();
        searching.take(&first, "trial", run(true), &BTreeMap::new());
        let refused = searching.attempt().unwrap_err().to_string();
        assert!(refused.contains("with --memory"), "{refused}");
        assert!(searching.so_far().is_some());
    }

    #[test]
    fn a_search_that_is_ended_early_has_no_answer_yet() {
        let mut searching = Searching::new(question(None));
        let first = searching.attempt().unwrap().unwrap();
        searching.take(&first, "trial", run(true), &BTreeMap::new());
        let _ = searching.attempt().unwrap();
        let fit = searching.conclude(true).unwrap();
        let memory = fit.memory.unwrap();
        assert!(fit.interrupted && memory.trials.is_empty());
        assert_eq!((memory.limit, memory.end), (None, End::Unfinished));
    }

    #[test]
    fn the_highest_memory_is_that_of_the_reference_with_room() {
        let reference = Trial::of(None, "trial", &run(true), &BTreeMap::new(), None);
        let peak = reference.peak_rss_bytes.unwrap().value;
        let range = Question {
            memory_to: None,
            ..question(None)
        }
        .memory_range(&reference);
        let highest = range.unwrap().highest() as f64;
        assert!(
            highest >= peak * ROOM && highest < peak * ROOM * 1.1,
            "{highest} of {peak}"
        );
    }

    #[test]
    fn no_limit_above_the_memory_of_the_machine_is_tried() {
        let question = |there: u64| Question {
            memory_to: None,
            memory_step: Some(16 * MIB),
            machine_bytes: Some(there),
            ..question(None)
        };
        let highest = |memory_to: u64, there: u64| {
            let range = question(there).memory_range_to(memory_to);
            range.unwrap().highest()
        };
        assert_eq!(highest(500 * MIB, 600 * MIB), 512 * MIB);
        assert_eq!(highest(500 * MIB, 505 * MIB), 496 * MIB);
        // The run refuses what somebody asks for beyond that.
        assert_eq!(highest(900 * MIB, 505 * MIB), 912 * MIB);
        let reference = Trial::of(None, "trial", &run(true), &BTreeMap::new(), None);
        let peak = reference.peak_rss_bytes.unwrap().value as u64;
        let range = question(peak).memory_range(&reference).unwrap();
        assert!(range.highest() <= peak, "{range:?} of {peak}");
    }
}
