//! Which builds are compared.

use super::super::run::Source;
use crate::arguments::Diagnosed;
use crate::error::Error;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tacho_experiment::{Experiment, PhaseKind, PhasePlan, VariantKind, VariantSpec};
use tacho_run_folder::RunFolder;
use tacho_subject::{Artifact, ArtifactKind, own_packages, settings_of};

/// Names of variants of the experiment.
#[derive(Debug, Clone)]
pub struct Builds {
    /// Absent when one build is looked into alone.
    pub baseline: Option<String>,
    pub candidate: String,
    /// The candidate with one thing changed.
    pub switched: Vec<VariantSpec>,
}

/// Requests that warm a launch before what is measured, where no file says otherwise.
const WARM_UP: u64 = 3_000;

impl Builds {
    /// Lays the builds into the experiment: it then has these two variants and no other.
    pub fn choose(arguments: &Diagnosed, source: &mut Source) -> Result<Self, Error> {
        let is_inferred = source.is_inferred;
        let experiment = &mut source.experiment;
        let switched = switched(&arguments.switches, experiment)?;
        let builds = match (&arguments.overrides.baseline, &arguments.candidate) {
            (Some(baseline), Some(candidate)) => {
                let older = variant(baseline, "baseline", experiment)?;
                let newer = variant(candidate, "candidate", experiment)?;
                if older.name == newer.name {
                    return Err(Error::SameBuild(older.name));
                }
                let builds = Self {
                    baseline: Some(older.name.clone()),
                    candidate: newer.name.clone(),
                    switched,
                };
                experiment.variants = vec![older, newer];
                builds
            }
            (Some(_), None) | (None, Some(_)) => return Err(Error::OneBuildMissing),
            (None, None) if is_inferred || experiment.variants.len() == 1 => {
                let plain = experiment
                    .variants
                    .iter()
                    .find(|v| v.kind == VariantKind::Jar || v.kind == VariantKind::War);
                let chosen = plain
                    .or(experiment.variants.first())
                    .cloned()
                    .ok_or(Error::OneBuildMissing)?;
                let builds = Self {
                    baseline: None,
                    candidate: chosen.name.clone(),
                    switched,
                };
                experiment.variants = vec![chosen];
                builds
            }
            // An experiment with two variants says itself which is which.
            (None, None) => {
                let baseline = experiment.baseline.clone();
                let mut others = experiment
                    .variants
                    .iter()
                    .filter(|v| v.name != baseline && !arguments.switches.contains(&v.name));
                let (Some(candidate), None) = (others.next(), others.next()) else {
                    return Err(Error::WhichBuilds(
                        experiment.variants.iter().map(|v| v.name.clone()).collect(),
                    ));
                };
                let candidate = candidate.clone();
                experiment
                    .variants
                    .retain(|v| v.name == baseline || v.name == candidate.name);
                Self {
                    baseline: Some(baseline),
                    candidate: candidate.name.clone(),
                    switched,
                }
            }
        };
        let first = builds.baseline.as_ref().unwrap_or(&builds.candidate);
        experiment.baseline.clone_from(first);
        // The difference is looked for under one set of limits.
        experiment.limits.truncate(1);
        if is_inferred {
            experiment.phases = phases(arguments);
        }
        Ok(builds)
    }

    /// Packages of the application: those that were named, else those of its artifacts.
    pub fn own(&self, source: &Source, named: &[String]) -> Vec<String> {
        if !named.is_empty() {
            let with_dot = |name: &String| {
                let name = name.trim_end_matches(".*").trim_end_matches('.');
                if name.is_empty() {
                    String::new()
                } else {
                    format!("{name}.")
                }
            };
            return named.iter().map(with_dot).collect();
        }
        let artifacts = source.experiment.variants.iter().filter_map(|spec| {
            let settings = settings_of(&source.experiment.subject, spec);
            settings.artifact.map(|path| source.base.join(path))
        });
        let packages: BTreeSet<String> = artifacts
            .filter_map(|path| Artifact::read(&path).ok())
            .flat_map(|artifact| own_packages(&artifact.file, artifact.kind))
            .collect();
        packages.into_iter().collect()
    }

    /// The cell of the candidate, as the plan names it.
    pub fn candidate_cell(&self, folder: &RunFolder) -> Option<String> {
        cell(folder, &self.candidate)
    }

    /// The cell of the baseline.
    pub fn baseline_cell(&self, folder: &RunFolder) -> Option<String> {
        cell(folder, self.baseline.as_ref()?)
    }
}

fn cell(folder: &RunFolder, variant: &str) -> Option<String> {
    let plan = folder.plan().ok()?;
    let cell = plan
        .cells
        .into_iter()
        .find(|cell| cell.variant == variant)?;
    Some(cell.id)
}

/// A variant by its name in the experiment, or a file.
fn variant(named: &str, role: &str, experiment: &Experiment) -> Result<VariantSpec, Error> {
    if let Some(known) = experiment
        .variants
        .iter()
        .find(|variant| variant.name == named)
    {
        return Ok(known.clone());
    }
    let path = Path::new(named);
    if !path.exists() {
        return Err(Error::NoBuild {
            role: role.to_owned(),
            named: named.to_owned(),
            known: experiment.variants.iter().map(|v| v.name.clone()).collect(),
        });
    }
    let path: PathBuf = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let kind = match Artifact::read(&path)?.kind {
        ArtifactKind::Jar => VariantKind::Jar,
        ArtifactKind::War => VariantKind::War,
        ArtifactKind::Executable => VariantKind::Exec,
    };
    let mut spec = VariantSpec::of(kind);
    spec.name = role.to_owned();
    match kind {
        VariantKind::Exec => spec.command = vec![path.display().to_string()],
        _ => spec.overrides.artifact = Some(path),
    }
    Ok(spec)
}

/// Variants of the experiment; `none` is none.
fn switched(names: &[String], experiment: &Experiment) -> Result<Vec<VariantSpec>, Error> {
    let named = names.iter().filter(|name| *name != "none");
    named
        .map(|name| {
            let known = experiment
                .variants
                .iter()
                .find(|variant| variant.name == *name);
            known.cloned().ok_or_else(|| Error::NoBuild {
                role: "--switch".to_owned(),
                named: name.clone(),
                known: experiment.variants.iter().map(|v| v.name.clone()).collect(),
            })
        })
        .collect()
}

/// Warm first, then as many requests as a window has.
fn phases(arguments: &Diagnosed) -> Vec<PhasePlan> {
    let closed = |label: &str, requests| PhasePlan {
        label: label.to_owned(),
        kind: PhaseKind::Closed {
            requests: Some(requests),
            duration_s: None,
            connections: arguments.connections,
            ramp_s: 0.0,
            think: None,
        },
    };
    vec![
        closed("warm-up", WARM_UP),
        closed("measured", arguments.requests_of_window),
    ]
}
