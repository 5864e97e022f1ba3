//! Carries out the search of `tacho fit`: a run for each limit that is to be tried.

use crate::error::RunError;
use crate::event::{Event, Left, Listener};
use crate::run::{RunSpec, own_folder, run};
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tacho_experiment::{Diagnose, Experiment, Launches, Limits, limits};
use tacho_files::log::WithoutHoles;
use tacho_fit::{Fit, Measured, NothingToFit, Pace, Searching, tells_of_memory};
use tacho_run_folder::{FolderError, RunFolder};
use tacho_subject::{Source, Surroundings};

/// The objective that must hold when the user gives none.
const DEFAULT_CHECK: &str = "errors<1%";
/// Replicates of each trial, unless another number is asked for.
const LAUNCHES: Launches = Launches::Fixed(3);
/// So much of a line of the subject's log is looked at.
const LONGEST_LINE: u64 = 64 * 1024;

/// What is known after a step of the search, to be kept at once: a search may be killed.
pub enum Known<'a> {
    /// A run was carried out.
    Run(&'a RunFolder, &'a Measured),
    /// The answer so far.
    Answer(&'a Fit),
}

/// The experiment of a search: the baseline alone, unless another variant is named, and an
/// objective.
#[must_use]
pub fn to_fit(source: &Source, variant: Option<&str>, launches: Option<Launches>) -> Experiment {
    let mut experiment = source.experiment.clone();
    if let Some(name) = variant {
        name.clone_into(&mut experiment.baseline);
    }
    let baseline = &experiment.baseline;
    experiment.variants.retain(|v| v.name == *baseline);
    experiment.launches = launches.map_or(LAUNCHES, Launches::fixed);
    // A trial only shows whether the service survives its limit. Where the memory went is another
    // question.
    experiment.diagnose = Diagnose::Off;
    if experiment.checks.is_empty() {
        experiment.checks.push(DEFAULT_CHECK.to_owned());
    }
    experiment
}

/// A folder for the runs of a search and its answer.
pub fn new_fit_folder(runs: &Path, name: &str) -> Result<PathBuf, FolderError> {
    tacho_files::create_folder(runs).map_err(|e| FolderError::io(runs, e))?;
    own_folder(runs, &format!("fit-{name}")).map(|(folder, _)| folder)
}

/// Tries limits until the search knows, or the user has had enough. `spec.runs` is the folder of
/// the search.
pub fn fit<E>(
    mut spec: RunSpec<'_>,
    mut searching: Searching,
    surroundings: &Surroundings,
    stop: &Stop,
    listener: &mut dyn Listener,
    keep: &mut dyn FnMut(Known<'_>) -> Result<(), E>,
) -> Result<Option<Fit>, E>
where
    E: From<RunError> + From<NothingToFit>,
{
    let mut experiment = spec.experiment.clone();
    let mut pace = Pace::default();
    while let Some(attempt) = searching.attempt()? {
        let name = limits::name(attempt.cpu, attempt.memory_bytes);
        if let (Some(_), Some(left)) = (attempt.searched, attempt.left) {
            listener.event(Event::Trying {
                limits: &name,
                left,
                time: pace.of(left),
            });
        }
        experiment.name = format!("{}-{name}", spec.experiment.name);
        experiment.limits = vec![Limits {
            name,
            cpu: attempt.cpu,
            memory_bytes: attempt.memory_bytes,
        }];
        let of_trial = RunSpec {
            experiment: &experiment,
            notes: std::mem::take(&mut spec.notes),
            dissect: None,
            enough: None,
            site: None,
            ..spec
        };
        let mut trial = Trial {
            listener,
            is_first: attempt.searched.is_none(),
            began: Instant::now(),
            pace,
            later: attempt.left.map(|left| left.saturating_sub(1)),
        };
        let ran = run(of_trial, surroundings, stop, &mut trial)?;
        pace.take(trial.began.elapsed());
        let measured = Measured::from(tacho_run::load(&ran.folder).map_err(RunError::from)?);
        keep(Known::Run(&ran.folder, &measured))?;
        // A trial that was cut short says nothing of its limit.
        if attempt.searched.is_some() && stop.is_set() {
            break;
        }
        let folder = ran.folder.path().file_name().unwrap_or_default();
        let errors = memory_errors(&ran.folder).map_err(RunError::from)?;
        searching.take(&attempt, &folder.to_string_lossy(), measured, &errors);
        if let Some(fit) = searching.so_far() {
            keep(Known::Answer(fit))?;
        }
        // Built once; the trials that follow are of the same files.
        experiment.subject.build = None;
        for variant in &mut experiment.variants {
            variant.overrides.build = None;
        }
    }
    Ok(searching.conclude(stop.is_set()))
}

/// Preparing is told of the first trial only: it is the same each time. The time that is left is
/// that of all trials.
struct Trial<'a> {
    listener: &'a mut dyn Listener,
    is_first: bool,
    /// Of the first trial that is when its launches began: nothing is built again for the others.
    began: Instant,
    /// Of the trials before.
    pace: Pace,
    /// Trials that may come after it, where that is known.
    later: Option<u32>,
}

impl Trial<'_> {
    /// The time left for this trial and all later ones together. 0 when their number is unknown.
    fn whole(&self, of_trial: Left) -> Left {
        self.later.map_or_else(Left::default, |later| Left {
            time: self.pace.left(self.began.elapsed(), of_trial.time, later),
            is_at_most: later > 0 || of_trial.is_at_most,
        })
    }
}

impl Listener for Trial<'_> {
    fn event(&mut self, event: Event<'_>) {
        let is_known = matches!(event, Event::Working { .. } | Event::Prepared { .. });
        if is_known && !self.is_first {
            return;
        }
        self.listener.event(match event {
            Event::LaunchEnded { record, left } => Event::LaunchEnded {
                record,
                left: self.whole(left),
            },
            Event::Planned { plan } => {
                if self.is_first {
                    self.began = Instant::now();
                }
                Event::Planned { plan }
            }
            other => other,
        });
    }
}

/// The first line of each launch's log that tells of memory that ran out.
fn memory_errors(run: &RunFolder) -> Result<BTreeMap<u32, String>, FolderError> {
    let mut errors = BTreeMap::new();
    for (launch, number) in run.launches()?.iter().zip(1..) {
        let log = launch.open(&launch.log())?;
        if let Some(line) = log.and_then(first_memory_error) {
            errors.insert(number, line);
        }
    }
    Ok(errors)
}

/// A log that cannot be read tells of nothing.
fn first_memory_error(log: File) -> Option<String> {
    let mut log = BufReader::new(WithoutHoles::of(log));
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut log)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .ok()?;
        if read == 0 {
            return None;
        }
        let text = String::from_utf8_lossy(&line);
        if tells_of_memory(&text) {
            return Some(text.trim_end().to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Seek, Write};
    use std::time::Duration;
    use tacho_run_folder::LaunchRecord;

    /// What is left when launches end.
    #[derive(Default)]
    struct Told(Vec<Left>);

    impl Listener for Told {
        fn event(&mut self, event: Event<'_>) {
            if let Event::LaunchEnded { left, .. } = event {
                self.0.push(left);
            }
        }
    }

    /// What a search tells at the end of a launch after which its trial takes 20 s more.
    fn told(trials_before: &[u64], later: Option<u32>) -> Left {
        let record = include_str!("tests/launch.json");
        let record: LaunchRecord = serde_json::from_str(record).unwrap();
        let mut pace = Pace::default();
        for seconds in trials_before {
            pace.take(Duration::from_secs(*seconds));
        }
        let mut told = Told::default();
        let mut trial = Trial {
            listener: &mut told,
            is_first: trials_before.is_empty(),
            began: Instant::now(),
            pace,
            later,
        };
        trial.event(Event::LaunchEnded {
            record: &record,
            left: Left {
                time: Duration::from_secs(20),
                is_at_most: false,
            },
        });
        told.0.remove(0)
    }

    #[test]
    fn what_is_left_of_a_search_is_told_and_not_what_is_left_of_a_trial() {
        let left = |seconds: u64, is_at_most: bool| Left {
            time: Duration::from_secs(seconds),
            is_at_most,
        };
        // Nine trials may come, of 50 s each; fewer, where little is enough.
        assert_eq!(told(&[60, 40], Some(9)), left(20 + 9 * 50, true));
        // Within the last one nothing ends sooner.
        assert_eq!(told(&[60, 40], Some(0)), left(20, false));
        // While the reference goes on it is all that is known.
        let first = told(&[], Some(9));
        assert!(first.is_at_most && first.time >= Duration::from_secs(10 * 20));
        // How many trials come is not known before it is over: then nothing is said.
        assert_eq!(told(&[], None), Left::default());
    }

    #[test]
    fn the_first_line_that_tells_of_memory_is_found_behind_one_without_end() {
        let mut log = tempfile::tempfile().unwrap();
        let endless = vec![b'x'; 3 * LONGEST_LINE as usize];
        log.write_all(&endless).unwrap();
        log.write_all(b"\nstarted\njava.lang.OutOfMemoryError: Metaspace\r\nlater\n")
            .unwrap();
        log.rewind().unwrap();
        assert_eq!(
            first_memory_error(log).as_deref(),
            Some("java.lang.OutOfMemoryError: Metaspace")
        );
    }
}
