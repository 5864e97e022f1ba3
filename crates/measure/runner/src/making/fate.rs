//! What becomes of a variant, as far as that can be told before anything is started.

use super::building::build_of_absent;
use super::context;
use crate::error::RunError;
use std::path::Path;
use tacho_experiment::{Experiment, OnlyIf, SubjectSpec, VariantSpec};
use tacho_subject::{ArtifactError, Context, Surroundings, Unavailable, variant};

/// What becomes of a variant, as far as that can be told before anything is started.
#[derive(Debug)]
pub enum Fate {
    /// It can be made.
    Made,
    /// What it is made from is absent: this command is run first.
    BuiltFirst(String),
    /// It takes part only if it can be had, and it cannot; why.
    LeftOut(String),
    /// It keeps the run from beginning.
    Impossible(Box<RunError>),
}

/// Looks, without starting anything.
pub(crate) fn fate(
    experiment: &Experiment,
    spec: &VariantSpec,
    base: &Path,
    surroundings: &Surroundings,
) -> Fate {
    if let Some(build) = build_of_absent(experiment, spec, base) {
        return Fate::BuiltFirst(build.last().cloned().unwrap_or_default());
    }
    let only_if = spec.only_if.filter(|_| spec.name != experiment.baseline);
    let context = match context_of(&experiment.subject, spec, base, surroundings) {
        Ok(context) => context,
        Err(why) if only_if.is_some() => return Fate::LeftOut(why.to_string()),
        Err(source) => {
            return Fate::Impossible(Box::new(RunError::Artifact {
                variant: spec.name.clone(),
                source,
            }));
        }
    };
    let absent = lacks(spec, &context, only_if.unwrap_or(OnlyIf::Possible));
    match (absent, only_if) {
        (None, _) => Fate::Made,
        (Some(why), Some(_)) => Fate::LeftOut(why.to_string()),
        (Some(source), None) => Fate::Impossible(Box::new(RunError::Unavailable {
            variant: spec.name.clone(),
            source,
        })),
    }
}

/// Why a variant cannot be made here; `None` when it can. Nothing is started to find out.
///
/// # Errors
/// When its artifact cannot be read.
pub fn impossible(
    subject: &SubjectSpec,
    spec: &VariantSpec,
    base: &Path,
    surroundings: &Surroundings,
) -> Result<Option<String>, RunError> {
    let context = context(subject, spec, base, surroundings)?;
    let available = variant(spec.kind).available(&context);
    Ok(available.err().map(|why| left_out(&spec.name, &why)))
}

pub(super) fn left_out(name: &str, why: &dyn std::fmt::Display) -> String {
    format!("`{name}` is left out: {why}")
}

pub(super) fn context_of<'s>(
    subject: &SubjectSpec,
    spec: &'s VariantSpec,
    base: &Path,
    surroundings: &'s Surroundings,
) -> Result<Context<'s>, ArtifactError> {
    Context::new(subject, spec, base, &surroundings.jdks, &surroundings.host)
}

/// What is missing to have a variant as it is wanted.
pub(super) fn lacks(
    spec: &VariantSpec,
    context: &Context<'_>,
    only_if: OnlyIf,
) -> Option<Unavailable> {
    let made = variant(spec.kind);
    match only_if {
        OnlyIf::Possible => made.available(context).err(),
        OnlyIf::Built => made.built(context).err(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::making::Making;

    #[test]
    fn a_variant_whose_artifact_is_absent_is_left_out_where_that_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("start");
        std::fs::write(&script, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let text = "tacho: 1\nvariants: [{name: a, kind: exec, command: ./start}, {kind: jar, artifact: gone.jar, only-if: possible}]\nrequests: [/]\n";
        let experiment = tacho_experiment::file::parse(text, folder.path()).unwrap();
        let host = tacho_subject::Host::default();
        let surroundings = Surroundings {
            jdks: tacho_subject::Jdks::discover(&host),
            host,
        };
        let stage = crate::session::fake::Stage::with([]);
        let making = Making {
            experiment: &experiment,
            base: folder.path(),
            directory: folder.path().join("build"),
            surroundings: &surroundings,
            place: &stage,
            company: &crate::company::NOBODY,
            stop: &stage.stop,
        };
        let (wanted, notes) = making.wanted();
        assert_eq!(wanted.variants.len(), 1);
        assert!(notes[0].starts_with("`jar` is left out: "), "{notes:?}");
        assert!(notes[0].contains("gone.jar does not exist"), "{notes:?}");
        let jar = &experiment.variants[1];
        let fate = fate(&experiment, jar, folder.path(), &surroundings);
        assert!(matches!(fate, Fate::LeftOut(_)), "{fate:?}");
    }
}
