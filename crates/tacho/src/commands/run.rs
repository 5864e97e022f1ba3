//! `tacho run`.

use super::infer::infer;
use crate::arguments::{Overrides, Run, RunOutput};
use crate::conclude::{Outputs, conclude, conclude_silently};
use crate::error::Error;
use crate::exit::Exit;
use crate::progress;
use crate::signals::stop_on_signals;
use crate::{Done, print};
use std::path::{Path, PathBuf};
use tacho_analysis::check::Check;
use tacho_experiment::{
    Experiment, Limits, ReadyCondition, VariantKind, VariantSpec, file, limits, plan,
};
use tacho_run_folder::{Plan, RunFolder};
use tacho_runner::{Dissect, RunSpec, Surroundings};

/// Carries out an experiment, or one that is inferred from an artifact.
pub fn run(arguments: &Run) -> Done {
    let surroundings = Surroundings::here();
    let mut source = Source::read(
        &arguments.subject,
        arguments.overrides.jdk.as_deref(),
        &surroundings,
    )?;
    apply(&arguments.overrides, &mut source)?;
    Ok(carry_out(source, &surroundings, &arguments.output)?.exit)
}

/// A run that was carried out and reported.
pub(super) struct Concluded {
    pub exit: Exit,
    /// Absent when only the plan was asked for.
    pub folder: Option<RunFolder>,
}

/// What another command than `run` wants otherwise.
pub(super) struct RunHow<'a> {
    /// Builds that are looked into when everything has been measured.
    pub dissect: Option<Dissect<'a>>,
    /// The summary of the run is printed.
    pub summary: bool,
}

/// Runs what a source says, and reports.
pub(super) fn carry_out(
    source: Source,
    surroundings: &Surroundings,
    arguments: &RunOutput,
) -> Result<Concluded, Error> {
    let how = RunHow {
        dissect: None,
        summary: true,
    };
    carry_out_with(source, surroundings, arguments, how)
}

/// Runs what a source says in a way of one's own, and reports.
pub(super) fn carry_out_with(
    source: Source,
    surroundings: &Surroundings,
    arguments: &RunOutput,
    how: RunHow<'_>,
) -> Result<Concluded, Error> {
    for check in &source.experiment.checks {
        Check::parse_list(check)?;
    }
    if arguments.dry_run {
        let plan = plan(&source.experiment, source.notes);
        print(&describe(&plan))?;
        return Ok(Concluded {
            exit: Exit::Done,
            folder: None,
        });
    }
    let stop = stop_on_signals()?;
    let ran = {
        let mut listener = progress::listener(arguments.quiet);
        for note in &source.notes {
            listener.event(tacho_runner::Event::Note { text: note });
        }
        tacho_runner::run(
            RunSpec {
                experiment: &source.experiment,
                base: &source.base,
                text: &source.text,
                runs: &arguments.runs,
                notes: source.notes,
                dissect: how.dissect,
            },
            surroundings,
            &stop,
            listener.as_mut(),
        )?
    };
    let outputs = Outputs {
        junit: arguments.junit.as_deref(),
        markdown: arguments.markdown.as_deref(),
        json: arguments.json.as_deref(),
    };
    let exit = if how.summary {
        conclude(&ran.folder, &[], &outputs)?
    } else {
        conclude_silently(&ran.folder, &outputs)?
    };
    let exit = if ran.interrupted {
        Exit::Interrupted
    } else {
        exit
    };
    Ok(Concluded {
        exit,
        folder: Some(ran.folder),
    })
}

/// Where the experiment comes from.
#[derive(Clone)]
pub(super) struct Source {
    pub experiment: Experiment,
    pub base: PathBuf,
    pub text: String,
    pub notes: Vec<String>,
    /// There was no file.
    pub is_inferred: bool,
    /// Variants that may be asked for by name although they are not in the experiment.
    possible: Vec<VariantSpec>,
}

impl Source {
    /// From an experiment file, or inferred from an artifact; `jdk` is asked for by the command line.
    pub fn read(
        path: &Path,
        jdk: Option<&str>,
        surroundings: &Surroundings,
    ) -> Result<Self, Error> {
        if is_experiment(path) {
            let text = tacho_files::input::read_text(path, tacho_files::input::EXPERIMENT)
                .unwrap_or_default();
            // Before anything is said of the file: an error may echo it.
            tacho_masking::teach(|masking| masking.learn_yaml(&text));
            let experiment = file::read(path)?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let base = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
            return Ok(Self {
                possible: experiment.variants.clone(),
                experiment,
                base,
                text,
                notes: Vec::new(),
                is_inferred: false,
            });
        }
        let inferred = infer(path, jdk, surroundings)?;
        let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self {
            experiment: inferred.experiment(),
            base: inferred.base(),
            text: inferred.template(&shown.display().to_string()),
            notes: inferred.notes(),
            is_inferred: true,
            possible: VariantKind::ALL.into_iter().map(VariantSpec::of).collect(),
        })
    }
}

fn is_experiment(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// Lays the command line over the experiment.
pub(super) fn apply(overrides: &Overrides, source: &mut Source) -> Result<(), Error> {
    let experiment = &mut source.experiment;
    if !overrides.variants.is_empty() {
        experiment.variants = overrides
            .variants
            .iter()
            .map(|name| {
                let variant = find(name, &source.possible)?;
                // What is asked for by its name is not left out.
                Ok(VariantSpec {
                    only_if: None,
                    ..variant
                })
            })
            .collect::<Result<_, Error>>()?;
        if !experiment
            .variants
            .iter()
            .any(|v| v.name == experiment.baseline)
        {
            experiment.baseline = experiment.variants[0].name.clone();
        }
        // What was left out was not asked for.
        source.notes.clear();
    }
    if let Some(baseline) = &overrides.baseline {
        find(baseline, &experiment.variants)?;
        experiment.baseline.clone_from(baseline);
    }
    if overrides.cpu.is_some() || overrides.memory.is_some() {
        experiment.limits = vec![Limits {
            name: limits::name(overrides.cpu, overrides.memory),
            cpu: overrides.cpu,
            memory_bytes: overrides.memory,
        }];
    }
    if !overrides.requests.is_empty() {
        experiment.requests = Some(overrides.requests.clone());
    }
    if let Some(path) = &overrides.ready {
        experiment.subject.ready.condition = ReadyCondition::Http(path.clone());
    }
    experiment.subject.port = overrides.port.or(experiment.subject.port);
    if let Some(jdk) = &overrides.jdk {
        experiment.subject.jdk = Some(jdk.clone());
    }
    experiment.launches = overrides.launches.unwrap_or(experiment.launches);
    if overrides.quick {
        experiment
            .phases
            .iter_mut()
            .for_each(|phase| phase.kind.shorten());
    }
    experiment.seed = overrides.seed.unwrap_or(experiment.seed);
    experiment.diagnose = overrides.diagnose.unwrap_or(experiment.diagnose);
    experiment.checks.extend_from_slice(&overrides.checks);
    experiment.companions.clone_from(&overrides.companions);
    Ok(())
}

fn find(name: &str, variants: &[VariantSpec]) -> Result<VariantSpec, Error> {
    variants
        .iter()
        .find(|variant| variant.name == name)
        .cloned()
        .ok_or_else(|| Error::UnknownVariant {
            name: name.to_owned(),
            known: variants
                .iter()
                .map(|v| v.name.as_str())
                .collect::<Vec<_>>()
                .join(", "),
        })
}

fn describe(plan: &Plan) -> String {
    let mut text = String::new();
    for note in &plan.notes {
        text += &format!("note: {note}\n");
    }
    text += &format!(
        "{} launches with seed {}; baseline {}\n",
        plan.launches.len(),
        plan.seed,
        plan.baseline
    );
    for launch in &plan.launches {
        text += &format!("{:>4}  {}\n", launch.number, launch.cell);
    }
    for launch in &plan.diagnosis {
        text += &format!(
            "{:>4}  {}, diagnosed: counts in no figure\n",
            launch.number, launch.cell
        );
    }
    text
}
