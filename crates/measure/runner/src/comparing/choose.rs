//! Which builds are compared.

use std::path::Path;
use std::time::Duration;
use tacho_diagnosis::Builds;
use tacho_experiment::{
    Diagnose, Experiment, PhaseKind, PhasePlan, VariantKind, VariantSpec, defaults,
};
use tacho_run_folder::BuildChanges;
use tacho_subject::{Artifact, ArtifactError, ArtifactKind, changes, settings_of};

/// Why no two builds can be compared. Each text says what to give.
#[derive(Debug, thiserror::Error)]
pub enum BuildsError {
    /// Only one of the two builds was given.
    #[error(
        "two builds are compared: give both --baseline and --candidate; or one jar alone, to see what its requests spend"
    )]
    OneMissing,
    /// A build that is neither.
    #[error("the {role} `{named}` is neither a file nor a variant of the experiment; its variants are: {}", known.join(", "))]
    None {
        /// `baseline` or `candidate`.
        role: String,
        /// As it was given.
        named: String,
        /// Names of the experiment's variants.
        known: Vec<String>,
    },
    /// Both builds are the same.
    #[error("`{0}` would be compared with itself")]
    Same(String),
    /// There are more than two variants, and it is not said which to compare.
    #[error("which of them? Say it with --baseline and --candidate; the experiment's variants are: {}", .0.join(", "))]
    Which(Vec<String>),
    /// A file that is no artifact.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
}

/// What the user says of them.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'w> {
    /// A variant or a file.
    pub baseline: Option<&'w str>,
    /// A variant or a file.
    pub candidate: Option<&'w str>,
    /// Variants that are the candidate with one thing changed; `none` is none.
    pub switches: &'w [String],
    /// Without an experiment file: how it is loaded.
    pub inferred: Option<InferredLoad>,
}

/// The load of two builds that no experiment file describes: until they are warm, and then what is
/// measured: over few connections, which show what a request takes, and over many, which show what
/// requests wait for together.
#[derive(Debug, Clone, Copy)]
pub struct InferredLoad {
    /// Connections of the phase with few.
    pub connections: u32,
    /// For a first look: shorter, and what is not warm then is marked.
    pub is_quick: bool,
}

/// Long enough for most of what the JVM compiles: both builds are given the same.
const WARM_WITHIN_S: f64 = 4.0;
/// Seconds for which each phase is measured.
const MEASURED_S: f64 = 1.2;
/// Between two launches.
const REST: Duration = Duration::from_millis(300);
/// Connections of the phase with many. Pools of threads or connections are usually smaller, so that
/// requests have to wait.
const MANY: u32 = 32;

impl InferredLoad {
    fn phases(self) -> Vec<PhasePlan> {
        let few = self.connections;
        let mut settle = PhaseKind::Settle {
            within_s: WARM_WITHIN_S,
            connections: few.max(MANY / 2),
        };
        if self.is_quick {
            settle.shorten();
        }
        let closed = |connections: u32| PhasePlan {
            label: format!("closed-{connections}"),
            kind: PhaseKind::Closed {
                requests: None,
                duration_s: Some(MEASURED_S),
                connections,
                ramp_s: 0.0,
                think: None,
            },
        };
        let mut phases = vec![PhasePlan {
            label: "settle".to_owned(),
            kind: settle,
        }];
        phases.push(closed(few));
        if few < MANY {
            phases.push(closed(MANY));
        }
        phases
    }
}

/// Builds of an experiment that has these variants and no other.
#[derive(Debug, Clone)]
pub struct Compared {
    /// Names of variants.
    pub builds: Builds,
    /// The candidate with one thing changed, where the user has said with which.
    pub(super) switched: Option<Vec<VariantSpec>>,
}

impl Compared {
    /// Chooses the two builds and changes the experiment so that it launches them.
    ///
    /// # Errors
    /// When it is not clear which builds to compare.
    pub fn choose(wanted: &Wanted<'_>, experiment: &mut Experiment) -> Result<Self, BuildsError> {
        let switched = switched(wanted.switches, experiment)?;
        let (older, newer) = match (wanted.baseline, wanted.candidate) {
            (Some(baseline), Some(candidate)) => {
                let older = build(baseline, "baseline", experiment)?;
                let newer = build(candidate, "candidate", experiment)?;
                if older.name == newer.name {
                    return Err(BuildsError::Same(older.name));
                }
                (Some(older), newer)
            }
            (Some(_), None) | (None, Some(_)) => return Err(BuildsError::OneMissing),
            (None, None) if wanted.inferred.is_some() || experiment.variants.len() == 1 => {
                let is_plain =
                    |v: &&VariantSpec| v.kind == VariantKind::Jar || v.kind == VariantKind::War;
                let mut variants = experiment.variants.iter();
                let plain = variants.clone().find(is_plain).or(variants.next());
                (None, plain.cloned().ok_or(BuildsError::OneMissing)?)
            }
            // An experiment with two variants says itself which is which.
            (None, None) => {
                let is_older = |v: &&VariantSpec| v.name == experiment.baseline;
                let variants = experiment.variants.iter();
                let mut others = variants
                    .clone()
                    .filter(|v| !is_older(v) && !wanted.switches.contains(&v.name));
                let (Some(newer), None) = (others.next(), others.next()) else {
                    return Err(BuildsError::Which(names(experiment)));
                };
                (variants.clone().find(is_older).cloned(), newer.clone())
            }
        };
        let builds = Builds {
            baseline: older.as_ref().map(|older| older.name.clone()),
            candidate: newer.name.clone(),
        };
        match (wanted.baseline, older) {
            (Some(_), Some(older)) => experiment.variants = vec![older, newer],
            // In the experiment's order.
            _ => experiment.variants.retain(|v| {
                v.name == builds.candidate || Some(&v.name) == builds.baseline.as_ref()
            }),
        }
        let first = builds.baseline.as_ref().unwrap_or(&builds.candidate);
        experiment.baseline.clone_from(first);
        // The difference is looked for under one set of limits.
        experiment.limits.truncate(1);
        // A diagnosis launch for memory answers another question.
        experiment.diagnose = Diagnose::Off;
        if let Some(load) = wanted.inferred {
            experiment.phases = load.phases();
            // A file that names no phases may name a rest.
            if experiment.rest == defaults::REST {
                experiment.rest = REST;
            }
        }
        Ok(Self { builds, switched })
    }

    /// What differs between the builds by their files. `None` where there is one alone, or both are
    /// made of one artifact.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn changes(
        &self,
        experiment: &Experiment,
        base: &Path,
    ) -> Result<Option<BuildChanges>, ArtifactError> {
        let Some(older) = &self.builds.baseline else {
            return Ok(None);
        };
        let before = artifact(older, experiment, base)?;
        let after = artifact(&self.builds.candidate, experiment, base)?;
        match before.zip(after) {
            Some((before, after)) if before.file != after.file => {
                Ok(Some(changes(&before, &after)?))
            }
            _ => Ok(None),
        }
    }
}

/// What a variant is launched from: its artifact, or the script that is its command.
pub(super) fn artifact(
    variant: &str,
    experiment: &Experiment,
    base: &Path,
) -> Result<Option<Artifact>, ArtifactError> {
    let Some(spec) = experiment.variants.iter().find(|v| v.name == variant) else {
        return Ok(None);
    };
    artifact_of(spec, experiment, base)
}

/// The same of a variant's description.
pub(crate) fn artifact_of(
    spec: &VariantSpec,
    experiment: &Experiment,
    base: &Path,
) -> Result<Option<Artifact>, ArtifactError> {
    let path = match spec.kind {
        VariantKind::Exec => spec.command.first().map(Into::into),
        _ => settings_of(&experiment.subject, spec).artifact,
    };
    let path = path.map(|path| base.join(path));
    match path {
        Some(path) if spec.kind != VariantKind::Exec || path.is_file() => {
            Artifact::read(&path).map(Some)
        }
        _ => Ok(None),
    }
}

fn names(experiment: &Experiment) -> Vec<String> {
    experiment.variants.iter().map(|v| v.name.clone()).collect()
}

fn known(named: &str, role: &str, experiment: &Experiment) -> Result<VariantSpec, BuildsError> {
    let mut variants = experiment.variants.iter();
    let known = variants.find(|variant| variant.name == named);
    known.cloned().ok_or_else(|| BuildsError::None {
        role: role.to_owned(),
        named: named.to_owned(),
        known: names(experiment),
    })
}

/// A variant by its name in the experiment, or a file.
fn build(named: &str, role: &str, experiment: &Experiment) -> Result<VariantSpec, BuildsError> {
    let path = Path::new(named);
    let known = known(named, role, experiment);
    if known.is_ok() || !path.exists() {
        return known;
    }
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
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

/// The experiment's variants of these names, which serve as switches. `none` means no switches.
fn switched(
    named: &[String],
    experiment: &Experiment,
) -> Result<Option<Vec<VariantSpec>>, BuildsError> {
    if named.is_empty() {
        return Ok(None);
    }
    let named = named.iter().filter(|name| *name != "none");
    let variants = named.map(|name| known(name, "--switch", experiment));
    variants.collect::<Result<_, _>>().map(Some)
}
