//! `tacho fit`.

use super::run::{Source, apply};
use crate::arguments::{Fit as Arguments, Resource};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::Unwritten;
use crate::progress;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use tacho_analysis::check::Check;
use tacho_experiment::{Diagnose, Experiment, Limits, limits};
use tacho_files::log::WithoutHoles;
use tacho_fit::{Bisection, Fit, Measured, Paste, Range, Search, Trial, render, tells_of_memory};
use tacho_run_folder::{FORMAT, FolderError, RunFolder, read_document};
use tacho_runner::{Event, Listener, RunSpec, Stop, Surroundings};

/// What must hold when nobody says what must.
const DEFAULT_CHECK: &str = "errors<1%";
/// Replicates of each trial, unless the experiment or the command line asks for another number.
const LAUNCHES: u32 = 3;
/// The highest memory that is tried: so many times what it takes without a limit.
const ROOM: f64 = 1.5;
/// Of the highest memory, unless the command line says another.
const STEPS: u64 = 32;
const MIB: u64 = 1 << 20;
const MILLIS: f64 = 1_000.0;
/// So much of a line of the subject's log is looked at.
const LONGEST_LINE: u64 = 64 * 1024;

/// The answer, in the folder of the search; after each trial as far as it is known.
pub(super) const FILE: &str = "fit.json";

/// Looks for the smallest limits.
pub fn fit(arguments: &Arguments) -> Done {
    let surroundings = Surroundings::here();
    let jdk = arguments.overrides.jdk.as_deref();
    let mut source = Source::read(&arguments.subject, jdk, &surroundings)?;
    apply(&arguments.overrides, &mut source)?;
    let experiment = alone(&mut source, arguments);
    for check in &experiment.checks {
        Check::parse_list(check)?;
    }
    let folder = new_folder(&arguments.runs, &experiment.name)?;
    let stop = stop_on_signals()?;
    let mut listener = progress::listener(arguments.quiet);
    let mut trials = Trials {
        experiment,
        base: &source.base,
        text: &source.text,
        folder: &folder,
        surroundings: &surroundings,
        stop: &stop,
        listener: listener.as_mut(),
    };
    let fit = trials.search(arguments)?;
    drop(listener);
    conclude(&fit, &folder, arguments.json.as_deref())
}

/// One variant: the baseline, unless others were asked for.
fn alone(source: &mut Source, arguments: &Arguments) -> Experiment {
    let mut experiment = source.experiment.clone();
    let wanted = match arguments.overrides.variants.first() {
        Some(name) => name.clone(),
        None => experiment.baseline.clone(),
    };
    experiment.variants.retain(|variant| variant.name == wanted);
    experiment.baseline = wanted;
    if arguments.overrides.launches.is_none() {
        experiment.launches = LAUNCHES;
    }
    // A trial says whether it survives; why memory is where it is comes later.
    experiment.diagnose = Diagnose::Off;
    if experiment.checks.is_empty() {
        experiment.checks.push(DEFAULT_CHECK.to_owned());
    }
    experiment
}

/// Carries out one trial after another.
struct Trials<'a> {
    experiment: Experiment,
    base: &'a Path,
    text: &'a str,
    folder: &'a Path,
    surroundings: &'a Surroundings,
    stop: &'a Stop,
    listener: &'a mut dyn Listener,
}

impl Trials<'_> {
    fn search(&mut self, arguments: &Arguments) -> Result<Fit, Error> {
        let given = self.experiment.limits.first().cloned().unwrap_or_default();
        let (reference, measured) = self.trial(given.cpu, None, None, None)?;
        // Built once; the trials that follow are of the same files.
        self.experiment.subject.build = None;
        for variant in &mut self.experiment.variants {
            variant.overrides.build = None;
        }
        let mut fit = Fit {
            format: FORMAT,
            name: self.experiment.name.clone(),
            variant: self.experiment.baseline.clone(),
            checks: self.experiment.checks.clone(),
            reference,
            memory: None,
            cpu: None,
            paste: None,
            // Until it has come to its end: nobody says more of a search that is killed.
            interrupted: true,
        };
        write(&fit, self.folder)?;
        let mut memory = given.memory_bytes;
        if arguments.only != Some(Resource::Cpu) {
            let highest = memory.or_else(|| enough(&fit.reference));
            let range = memory_range(arguments, highest)?;
            let so_far = fit.clone();
            let search = self.bisect(
                range,
                &measured,
                |bytes| (given.cpu, Some(bytes)),
                |search| Fit {
                    memory: Some(search),
                    ..so_far.clone()
                },
            )?;
            memory = search.limit;
            fit.memory = Some(search);
        }
        let has_memory = arguments.only == Some(Resource::Cpu) || memory.is_some();
        if arguments.only != Some(Resource::Memory) && has_memory && !self.stop.is_set() {
            let range = cpu_range(arguments, given.cpu)?;
            let so_far = fit.clone();
            let search = self.bisect(
                range,
                &measured,
                |millis| (Some(millis as f64 / MILLIS), memory),
                |search| Fit {
                    cpu: Some(search),
                    ..so_far.clone()
                },
            )?;
            fit.cpu = Some(search);
        }
        fit.paste = Paste::of(&fit);
        fit.interrupted = self.stop.is_set();
        Ok(fit)
    }

    /// Tries limits until the search knows. `limits` makes CPU and memory of one.
    fn bisect(
        &mut self,
        range: Range,
        reference: &Measured,
        limits: impl Fn(u64) -> (Option<f64>, Option<u64>),
        so_far: impl Fn(Search) -> Fit,
    ) -> Result<Search, Error> {
        let mut search = Bisection::new(range);
        let mut trials = Vec::new();
        while let Some(limit) = search.next() {
            let (cpu, memory) = limits(limit);
            let left = search.trials_left();
            let trials_left = if left == 1 { "trial" } else { "trials" };
            let note = format!(
                "trying {}; about {left} {trials_left} left",
                limits::name(cpu, memory)
            );
            self.listener.event(Event::Note { text: &note });
            let (trial, _) = self.trial(cpu, memory, Some(limit), Some(reference))?;
            if self.stop.is_set() {
                break;
            }
            search.observe(limit, trial.held);
            trials.push(trial);
            write(
                &so_far(Search::of(search.found(), trials.clone())),
                self.folder,
            )?;
        }
        Ok(Search::of(search.found(), trials))
    }

    fn trial(
        &mut self,
        cpu: Option<f64>,
        memory_bytes: Option<u64>,
        limit: Option<u64>,
        reference: Option<&Measured>,
    ) -> Result<(Trial, Measured), Error> {
        let name = limits::name(cpu, memory_bytes);
        self.experiment.limits = vec![Limits {
            name: name.clone(),
            cpu,
            memory_bytes,
        }];
        let experiment = Experiment {
            name: format!("{}-{name}", self.experiment.name),
            ..self.experiment.clone()
        };
        let ran = tacho_runner::run(
            RunSpec {
                experiment: &experiment,
                base: self.base,
                text: self.text,
                runs: self.folder,
                notes: Vec::new(),
                dissect: None,
            },
            self.surroundings,
            self.stop,
            &mut Trialling {
                listener: self.listener,
                is_first: reference.is_none(),
            },
        )?;
        let measured = Measured::from(tacho_run::load(&ran.folder)?);
        ran.folder.write_results(&measured.results)?;
        tacho_report::html::write_page(&ran.folder, &measured.run, &measured.results)?;
        let folder = ran.folder.path().file_name().unwrap_or_default();
        let errors = memory_errors(&ran.folder)?;
        let name = folder.to_string_lossy();
        let trial = Trial::of(limit, &name, &measured, &errors, reference);
        Ok((trial, measured))
    }
}

/// Preparing is told of the first trial only: it is the same each time.
struct Trialling<'a> {
    listener: &'a mut dyn Listener,
    is_first: bool,
}

impl Listener for Trialling<'_> {
    fn event(&mut self, event: Event<'_>) {
        let is_known = matches!(event, Event::Working { .. } | Event::Prepared { .. });
        if self.is_first || !is_known {
            self.listener.event(event);
        }
    }
}

/// With room to spare, in whole MiB.
fn enough(reference: &Trial) -> Option<u64> {
    let peak = reference.peak_rss_bytes?.value;
    Some(((peak * ROOM) as u64).next_multiple_of(MIB))
}

fn memory_range(arguments: &Arguments, highest: Option<u64>) -> Result<Range, Error> {
    let highest = highest.ok_or(Error::NothingToFit {
        what: "memory",
        option: "--memory",
    })?;
    let step = arguments
        .memory_step
        .unwrap_or_else(|| round_step(highest / STEPS));
    Range::new(arguments.memory_from, highest, step).ok_or(Error::NothingToFit {
        what: "memory",
        option: "--memory",
    })
}

/// A power of two of MiB, at least one: limits that people would write.
fn round_step(bytes: u64) -> u64 {
    MIB << (bytes / MIB).max(1).ilog2()
}

/// In thousandths of a processor.
fn cpu_range(arguments: &Arguments, highest: Option<f64>) -> Result<Range, Error> {
    let highest = highest.unwrap_or_else(|| tacho_observe::machine::machine().cpus.into());
    let millis = |cpus: f64| (cpus * MILLIS).round() as u64;
    Range::new(
        millis(arguments.cpu_from),
        millis(highest),
        millis(arguments.cpu_step),
    )
    .ok_or(Error::NothingToFit {
        what: "CPU",
        option: "--cpu",
    })
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

fn new_folder(runs: &Path, name: &str) -> Result<PathBuf, Error> {
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S");
    let folder = runs.join(format!("{now}-fit-{name}"));
    tacho_files::create_folder(&folder).map_err(|e| FolderError::io(&folder, e))?;
    Ok(folder)
}

/// Writes `fit.json`, prints the answer.
fn conclude(fit: &Fit, folder: &Path, json: Option<&Path>) -> Done {
    let mut unwritten = Unwritten::default();
    unwritten.take(write(fit, folder));
    unwritten.take(tell(fit, folder, json));
    unwritten.or(exit(fit))
}

/// Reads the folder of a search that is over, or was killed.
pub(super) fn again(folder: &Path, json: Option<&Path>) -> Done {
    let fit: Fit = read_document(&folder.join(FILE))?;
    tell(&fit, folder, json)?;
    Ok(exit(&fit))
}

fn write(fit: &Fit, folder: &Path) -> Result<(), Error> {
    output::write(&folder.join(FILE), output::pretty(fit)?)
}

fn tell(fit: &Fit, folder: &Path, json: Option<&Path>) -> Result<(), Error> {
    output::json_or_summary(
        json,
        || output::pretty(fit),
        || format!("{}\nThe runs: {}\n", render::render(fit), folder.display()),
    )
}

fn exit(fit: &Fit) -> Exit {
    let searches = [&fit.memory, &fit.cpu];
    if fit.interrupted {
        Exit::Interrupted
    } else if searches.into_iter().flatten().any(|s| s.limit.is_none()) {
        Exit::CheckFailed
    } else {
        Exit::Done
    }
}
