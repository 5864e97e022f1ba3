//! All that a variant knows when it is made.

use super::Unavailable;
use crate::artifact::JvmFacts;
use crate::{Artifact, ArtifactError, ArtifactKind, Host, Jdk, Jdks, settings_of};
use std::path::{Path, PathBuf};
use tacho_experiment::{SubjectSpec, VariantSpec};

/// All that a variant knows when it is made.
#[derive(Debug, Clone)]
pub struct Context<'a> {
    /// The variant as the experiment has it.
    pub spec: &'a VariantSpec,
    /// The subject's settings with the variant's own laid over them.
    pub settings: SubjectSpec,
    /// What is shipped; absent for an `exec` variant with a command.
    pub artifact: Option<Artifact>,
    /// The folder of the experiment.
    pub base: PathBuf,
    /// The JDKs of this machine.
    pub jdks: &'a Jdks,
    /// JDKs, builders and programs of this machine.
    pub host: &'a Host,
}

impl<'a> Context<'a> {
    /// Lays the variant's settings over the subject's and reads the artifact. The subject's
    /// `build` command has to be done by then.
    ///
    /// # Errors
    /// When the artifact cannot be read.
    pub fn new(
        subject: &SubjectSpec,
        spec: &'a VariantSpec,
        base: &Path,
        jdks: &'a Jdks,
        host: &'a Host,
    ) -> Result<Self, ArtifactError> {
        let settings = settings_of(subject, spec);
        let artifact = match &settings.artifact {
            Some(path) if spec.command.is_empty() => Some(Artifact::read(&base.join(path))?),
            _ => None,
        };
        Ok(Self::of_artifact(subject, spec, artifact, base, jdks, host))
    }

    /// The same with an artifact that was read before.
    #[must_use]
    pub fn of_artifact(
        subject: &SubjectSpec,
        spec: &'a VariantSpec,
        artifact: Option<Artifact>,
        base: &Path,
        jdks: &'a Jdks,
        host: &'a Host,
    ) -> Self {
        Self {
            spec,
            settings: settings_of(subject, spec),
            artifact,
            base: base.to_owned(),
            jdks,
            host,
        }
    }

    /// Working directory of the subject.
    #[must_use]
    pub fn directory(&self) -> PathBuf {
        match &self.settings.directory {
            Some(directory) => self.base.join(directory),
            None => self.base.clone(),
        }
    }

    /// The artifact, with what it tells about itself, if it is for a JVM.
    pub(super) fn jvm_artifact(&self) -> Result<(&Artifact, &JvmFacts), Unavailable> {
        let artifact = self.artifact.as_ref().ok_or(Unavailable::NoArtifact)?;
        let facts = artifact.jvm.as_ref();
        facts
            .map(|facts| (artifact, facts))
            .ok_or_else(|| Unavailable::NotForAJvm(artifact.file.clone()))
    }

    /// The artifact, if `java -jar` can start it.
    pub(super) fn runnable(&self) -> Result<(&Artifact, &JvmFacts), Unavailable> {
        let (artifact, facts) = self.jvm_artifact()?;
        if facts.manifest.main_class.is_some() {
            return Ok((artifact, facts));
        }
        let file = artifact.file.clone();
        Err(match artifact.kind {
            ArtifactKind::War => Unavailable::PlainWar(file),
            _ => Unavailable::NoMainClass(file),
        })
    }

    /// The JDK to run with.
    pub(super) fn jdk(&self) -> Result<Jdk, Unavailable> {
        let release = self.artifact.as_ref().and_then(Artifact::java_release);
        Ok(self.jdks.choose(self.settings.jdk.as_deref(), release)?)
    }

    /// The JDK to run with, if it is of this release or newer.
    pub(super) fn jdk_from(&self, release: u32, what: &'static str) -> Result<Jdk, Unavailable> {
        let jdk = self.jdk()?;
        if jdk.feature < release {
            return Err(Unavailable::OldJdk {
                what,
                release,
                jdk: Box::new(jdk),
            });
        }
        Ok(jdk)
    }

    /// The JDK to run with, if it has these programs.
    pub(super) fn jdk_with(&self, tools: &[&'static str]) -> Result<Jdk, Unavailable> {
        let jdk = self.jdk()?;
        match tools.iter().find(|tool| !jdk.has(tool)) {
            Some(tool) => Err(Unavailable::NoTool {
                tool,
                jdk: Box::new(jdk),
            }),
            None => Ok(jdk),
        }
    }
}
