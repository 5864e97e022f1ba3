//! The candidate with one of its changes put back, as a variant that can be launched.

use super::Compared;
use super::choose::artifact;
use std::path::Path;
use tacho_experiment::{Experiment, VariantKind, VariantSpec};
use tacho_run_folder::PutBack;
use tacho_subject::{Artifact, ArtifactError, Part, PutBackError, parts, with_put_back};

/// Everything that differs between two builds and can be put back alone.
#[derive(Debug)]
pub struct Revertible {
    builds: Option<(Artifact, Artifact)>,
    candidate: VariantSpec,
    changes: Vec<Reversion>,
}

#[derive(Debug)]
enum Reversion {
    /// Of the files.
    Part(Part),
    /// Of what the experiment says.
    Launch(String, Said),
}

/// What an experiment says of a variant.
#[derive(Debug)]
enum Said {
    /// A flag that the older build has not.
    Without(String),
    /// A flag that the newer build has not.
    With(String),
    /// A variable and its older value.
    Variable(String, Option<String>),
    Arguments(Vec<String>),
    Jdk(Option<String>),
}

impl Compared {
    /// What can be put back; nothing where one build alone is looked into.
    ///
    /// # Errors
    /// When a build cannot be read.
    pub fn revertible(
        &self,
        experiment: &Experiment,
        base: &Path,
    ) -> Result<Option<Revertible>, ArtifactError> {
        let Some(baseline) = &self.builds.baseline else {
            return Ok(None);
        };
        let spec = |name: &String| experiment.variants.iter().find(|v| v.name == *name);
        let Some((older, newer)) = spec(baseline).zip(spec(&self.builds.candidate)) else {
            return Ok(None);
        };
        let before = artifact(&older.name, experiment, base)?;
        let after = artifact(&newer.name, experiment, base)?;
        let is_alike = older.kind == newer.kind;
        let builds = before.zip(after).filter(|(before, after)| {
            let is_whole = [VariantKind::Jar, VariantKind::War, VariantKind::Exec];
            before.file != after.file && is_alike && is_whole.contains(&newer.kind)
        });
        let mut changes: Vec<Reversion> = said(older, newer);
        if let Some((before, after)) = &builds {
            let parts = parts(before, after)?;
            changes.extend(parts.into_iter().map(Reversion::Part));
        }
        Ok(Some(Revertible {
            builds,
            candidate: newer.clone(),
            changes,
        }))
    }
}

impl Revertible {
    /// What each change is.
    #[must_use]
    pub fn what(&self) -> Vec<PutBack> {
        let of = |change: &Reversion| match change {
            Reversion::Part(part) => part.what.clone(),
            Reversion::Launch(what, _) => PutBack::Launch { what: what.clone() },
        };
        self.changes.iter().map(of).collect()
    }

    /// The candidate with some of its changes put back, written below `to`.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn variant(
        &self,
        chosen: &[usize],
        name: &str,
        to: &Path,
    ) -> Result<VariantSpec, PutBackError> {
        let mut spec = self.candidate.clone();
        name.clone_into(&mut spec.name);
        let mut parts: Vec<&Part> = Vec::new();
        for change in chosen.iter().filter_map(|at| self.changes.get(*at)) {
            match change {
                Reversion::Part(part) => parts.push(part),
                Reversion::Launch(_, said) => said.lay_into(&mut spec),
            }
        }
        if let Some((before, after)) = self.builds.as_ref().filter(|_| !parts.is_empty()) {
            let path = with_put_back(before, after, &parts, to)?;
            let path = std::path::absolute(&path).unwrap_or(path);
            match spec.kind {
                VariantKind::Exec => {
                    if let Some(program) = spec.command.first_mut() {
                        *program = path.display().to_string();
                    }
                }
                _ => spec.overrides.artifact = Some(path),
            }
        }
        Ok(spec)
    }
}

impl Said {
    fn lay_into(&self, spec: &mut VariantSpec) {
        let own = &mut spec.overrides;
        match self {
            Self::Without(flag) => own.jvm_flags.retain(|known| known != flag),
            Self::With(flag) => own.jvm_flags.push(flag.clone()),
            Self::Variable(name, Some(value)) => {
                own.environment.insert(name.clone(), value.clone());
            }
            Self::Variable(name, None) => {
                own.environment.remove(name);
            }
            Self::Arguments(arguments) => own.arguments.clone_from(arguments),
            Self::Jdk(jdk) => own.jdk.clone_from(jdk),
        }
    }
}

/// What the experiment says of one variant and not of the other.
fn said(older: &VariantSpec, newer: &VariantSpec) -> Vec<Reversion> {
    let (was, is) = (&older.overrides, &newer.overrides);
    let mut found = Vec::new();
    for flag in is.jvm_flags.iter().filter(|f| !was.jvm_flags.contains(f)) {
        found.push(Reversion::Launch(flag.clone(), Said::Without(flag.clone())));
    }
    for flag in was.jvm_flags.iter().filter(|f| !is.jvm_flags.contains(f)) {
        let what = format!("{flag} (which the baseline alone has)");
        found.push(Reversion::Launch(what, Said::With(flag.clone())));
    }
    let names = was.environment.keys().chain(is.environment.keys());
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.dedup();
    for name in names {
        let (before, after) = (was.environment.get(name), is.environment.get(name));
        if before != after {
            let put_back = Said::Variable(name.clone(), before.cloned());
            found.push(Reversion::Launch(format!("the variable {name}"), put_back));
        }
    }
    if was.arguments != is.arguments {
        let what = format!("the arguments {}", is.arguments.join(" "));
        found.push(Reversion::Launch(
            what,
            Said::Arguments(was.arguments.clone()),
        ));
    }
    if was.jdk != is.jdk {
        let what = format!("JDK {}", is.jdk.as_deref().unwrap_or("as it was found"));
        found.push(Reversion::Launch(what, Said::Jdk(was.jdk.clone())));
    }
    found
}
