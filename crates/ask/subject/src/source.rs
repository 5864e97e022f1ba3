//! Where an experiment comes from: a file, or an artifact alone.

mod infer;

use crate::{ArtifactError, Surroundings};
pub use infer::Inferred;
use std::path::{Path, PathBuf};
use tacho_experiment::file::Text;
use tacho_experiment::{Experiment, FileError, VariantKind, VariantSpec};

/// Why there is no experiment.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The experiment file.
    #[error(transparent)]
    File(#[from] FileError),
    /// What was given is no artifact that is known.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// Nothing can be made of the artifact.
    #[error("{artifact} cannot be run in any way that is known here:\n{reasons}")]
    NoVariant {
        /// Path of the artifact.
        artifact: PathBuf,
        /// One line a variant.
        reasons: String,
    },
    /// A name that the experiment does not have.
    #[error("there is no variant `{name}`; there are: {known}")]
    UnknownVariant {
        /// As it was given.
        name: String,
        /// All of them.
        known: String,
    },
}

/// An experiment with where it comes from.
#[derive(Debug, Clone)]
pub struct Source {
    /// What to compare.
    pub experiment: Experiment,
    /// Folder that relative paths count from.
    pub base: PathBuf,
    /// The experiment as text.
    pub text: String,
    /// What was assumed so far.
    pub notes: Vec<String>,
    /// There was no file.
    pub is_inferred: bool,
    /// Variants that can be asked for by name, although they are not in the experiment.
    possible: Vec<VariantSpec>,
    /// The note that says what the artifact is. It holds whatever variants are made of it.
    of_artifact: Option<String>,
}

impl Source {
    /// From an experiment file, or inferred from an artifact for a JDK.
    ///
    /// # Errors
    /// When the file or the artifact is not understood, or nothing can be made of it here.
    pub fn read(
        path: &Path,
        jdk: Option<&str>,
        surroundings: &Surroundings,
    ) -> Result<Self, SourceError> {
        let is_experiment = path
            .extension()
            .is_some_and(|extension| extension == "yaml" || extension == "yml");
        if !is_experiment {
            let inferred = Inferred::of(path, jdk, surroundings)?;
            let shown = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            return Ok(Self {
                experiment: inferred.experiment(),
                base: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
                text: inferred.template(&shown.display().to_string()),
                notes: inferred.notes(),
                is_inferred: true,
                possible: VariantKind::ALL.into_iter().map(VariantSpec::of).collect(),
                of_artifact: inferred.chosen(),
            });
        }
        let file = Text::read(path)?;
        let experiment = file.experiment()?;
        Ok(Self {
            possible: experiment.variants.clone(),
            experiment,
            base: file.folder,
            text: file.text,
            notes: Vec::new(),
            is_inferred: false,
            of_artifact: None,
        })
    }

    /// Keeps the variants of these names, each once, or makes them; the baseline is the first where
    /// it was not asked for. All of them when there are no names.
    ///
    /// # Errors
    /// When there is none of a name.
    pub fn choose(&mut self, names: &[String]) -> Result<(), SourceError> {
        if names.is_empty() {
            return Ok(());
        }
        // One that is named twice is launched once.
        let once = names.iter().enumerate();
        let once = once.filter(|(at, name)| !names[..*at].contains(name));
        let named = once.map(|(_, name)| {
            // A variant that is asked for by name must not be left out.
            Ok(VariantSpec {
                only_if: None,
                ..variant(name, &self.possible)?.clone()
            })
        });
        let variants = named.collect::<Result<Vec<_>, SourceError>>()?;
        let experiment = &mut self.experiment;
        if !names.contains(&experiment.baseline) {
            experiment.baseline.clone_from(&names[0]);
        }
        experiment.variants = variants;
        // Notes about left-out variants do not matter when the user names variants.
        self.drop_notes_on_variants();
        Ok(())
    }

    /// Keeps only the note about the artifact. For commands whose users do not ask which variants
    /// are possible.
    pub fn drop_notes_on_variants(&mut self) {
        self.notes = self.of_artifact.iter().cloned().collect();
    }

    /// Compares with the variant of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn compare_with(&mut self, baseline: &str) -> Result<(), SourceError> {
        let found = variant(baseline, &self.experiment.variants)?;
        self.experiment.baseline = found.name.clone();
        Ok(())
    }

    /// Keeps only the plainest variant, for commands that answer another question.
    pub fn plain_alone(&mut self) {
        self.drop_notes_on_variants();
        let plain = |kind| kind == VariantKind::Jar || kind == VariantKind::Exec;
        let experiment = &mut self.experiment;
        let found = experiment.variants.iter().find(|v| plain(v.kind));
        if let Some(found) = found {
            experiment.baseline.clone_from(&found.name);
        }
        let baseline = &experiment.baseline;
        experiment.variants.retain(|v| v.name == *baseline);
    }
}

fn variant<'v>(name: &str, variants: &'v [VariantSpec]) -> Result<&'v VariantSpec, SourceError> {
    let found = variants.iter().find(|variant| variant.name == name);
    found.ok_or_else(|| {
        let known: Vec<&str> = variants.iter().map(|v| v.name.as_str()).collect();
        SourceError::UnknownVariant {
            name: name.to_owned(),
            known: known.join(", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Host, Jdks};
    use std::os::unix::fs::PermissionsExt;

    fn nothing_here() -> Surroundings {
        let host = Host::default();
        let jdks = Jdks::discover(&host);
        Surroundings { host, jdks }
    }

    fn of_file(text: &str) -> Source {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("experiment.yaml");
        std::fs::write(&path, text).unwrap();
        Source::read(&path, None, &nothing_here()).unwrap()
    }

    fn names(source: &Source) -> Vec<&str> {
        let variants = source.experiment.variants.iter();
        variants.map(|variant| variant.name.as_str()).collect()
    }

    const THREE: &str = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar, {name: cds, kind: cds, only-if: possible}, war]\n";

    #[test]
    fn what_is_asked_for_by_its_name_is_not_left_out() {
        let mut source = of_file(THREE);
        source
            .choose(&["war".to_owned(), "cds".to_owned()])
            .unwrap();
        assert_eq!(names(&source), ["war", "cds"]);
        let twice = ["jar", "war", "jar"].map(str::to_owned);
        let mut other = of_file(THREE);
        other.choose(&twice).unwrap();
        assert_eq!(names(&other), ["jar", "war"]);
        assert_eq!(source.experiment.baseline, "war");
        assert_eq!(source.experiment.variants[1].only_if, None);
        source.compare_with("cds").unwrap();
        assert_eq!(source.experiment.baseline, "cds");
    }

    #[test]
    fn a_name_that_is_not_there_is_told_with_those_that_are() {
        let mut source = of_file(THREE);
        let refused = source.choose(&["aot".to_owned()]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "there is no variant `aot`; there are: jar, cds, war"
        );
        assert!(source.compare_with("aot").is_err());
        assert_eq!(names(&source), ["jar", "cds", "war"]);
    }

    #[test]
    fn a_program_alone_is_an_experiment_in_which_it_is_run() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("my service");
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let source = Source::read(&program, None, &nothing_here()).unwrap();
        assert_eq!(names(&source), ["exec"]);
        assert_eq!(source.experiment.name, "my-service");
        assert!(source.is_inferred && source.notes.is_empty());
    }
}
