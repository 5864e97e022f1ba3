//! `tacho fit`.

use super::run::{Source, apply};
use crate::arguments::{Fit as Arguments, Resource};
use crate::error::Error;
use crate::output::Unwritten;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use std::path::Path;
use tacho_analysis::check::Check;
use tacho_experiment::Experiment;
use tacho_fit::{Fit, Question, Searching, render};
use tacho_run_folder::read_document;
use tacho_runner::{Known, RunSpec, Surroundings, limits_can_be_given, new_fit_folder, to_fit};

/// The answer, in the folder of the search; after each trial as far as it is known.
pub(super) const FILE: &str = "fit.json";

/// Looks for the smallest limits.
pub fn fit(arguments: &Arguments) -> Done {
    let surroundings = Surroundings::here();
    let overrides = &arguments.overrides;
    let jdk = overrides.jdk.as_deref();
    let mut source = Source::read(&arguments.subject, jdk, &surroundings)?;
    apply(overrides, &mut source)?;
    let variant = overrides.variants.first().map(String::as_str);
    let experiment = to_fit(&source, variant, overrides.launches);
    for check in &experiment.checks {
        Check::parse_list(check)?;
    }
    // The first launches have no limits: it is said before them.
    limits_can_be_given(&experiment)?;
    let folder = new_fit_folder(&arguments.runs, &experiment.name)?;
    let stop = stop_on_signals()?;
    let mut listener = tacho_progress::listener(arguments.quiet);
    let mut keep = |known: Known<'_>| match known {
        Known::Run(run, measured) => {
            run.write_results(&measured.results)?;
            tacho_report::html::write_page(run, &measured.run, &measured.results)?;
            Ok(())
        }
        Known::Answer(fit) => write(fit, &folder),
    };
    let spec = RunSpec {
        experiment: &experiment,
        base: &source.base,
        text: &source.text,
        runs: &folder,
        notes: Vec::new(),
        dissect: None,
        enough: None,
        site: None,
    };
    let searching = Searching::new(question(arguments, &experiment));
    let found = tacho_runner::fit(
        spec,
        searching,
        &surroundings,
        &stop,
        listener.as_mut(),
        &mut keep,
    )?;
    drop(listener);
    let fit = found.ok_or(tacho_runner::RunError::Stopped)?;
    let mut unwritten = Unwritten::default();
    unwritten.take(write(&fit, &folder));
    unwritten.take(tell(&fit, &folder, arguments.json.as_deref()));
    unwritten.or(fit.conclusion().into())
}

fn question(arguments: &Arguments, experiment: &Experiment) -> Question {
    let given = experiment.limits.first().cloned().unwrap_or_default();
    Question {
        name: experiment.name.clone(),
        variant: experiment.baseline.clone(),
        checks: experiment.checks.clone(),
        only: arguments.only.map(|only| match only {
            Resource::Memory => tacho_fit::Resource::Memory,
            Resource::Cpu => tacho_fit::Resource::Cpu,
        }),
        memory_from: arguments.memory_from,
        memory_step: arguments.memory_step,
        memory_to: given.memory_bytes,
        cpu_from: arguments.cpu_from,
        cpu_step: arguments.cpu_step,
        cpu_to: given.cpu,
        processors: tacho_observe::processors::usable(),
        machine_bytes: tacho_observe::machine::memory_bytes(),
    }
}

/// Reads the folder of a search that is over, or was killed.
pub(super) fn again(folder: &Path, json: Option<&Path>) -> Done {
    let fit: Fit = read_document(&folder.join(FILE))?;
    tell(&fit, folder, json)?;
    Ok(fit.conclusion().into())
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
