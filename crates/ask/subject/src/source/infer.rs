//! An experiment from an artifact alone: what `tacho run app.jar` runs and `tacho init app.jar`
//! writes.

use super::SourceError;
use crate::{Applicable, Artifact, Surroundings, applicable};
use std::path::{Path, PathBuf};
use tacho_experiment::{
    Diagnose, Experiment, GcLog, Launches, Offered, SubjectSpec, VariantSpec, defaults, limits,
    template,
};
use tacho_workload::Step;

/// What was found out about an artifact.
#[derive(Debug)]
pub struct Inferred {
    artifact: Artifact,
    /// Variants that can be made of it, and why others cannot.
    applicable: Applicable,
    subject: SubjectSpec,
}

impl Inferred {
    /// Looks at an artifact; nothing is started.
    ///
    /// # Errors
    /// When it is not understood, or nothing can be made of it here.
    pub fn of(
        path: &Path,
        jdk: Option<&str>,
        surroundings: &Surroundings,
    ) -> Result<Self, SourceError> {
        let artifact = Artifact::read(path)?;
        let subject = SubjectSpec {
            artifact: Some(artifact.given.clone()),
            jdk: jdk.map(str::to_owned),
            ..SubjectSpec::default()
        };
        let base = artifact.given.parent().unwrap_or(Path::new("/"));
        let applicable = applicable(&subject, base, &surroundings.jdks, &surroundings.host)?;
        if applicable.variants.is_empty() {
            return Err(SourceError::NoVariant {
                artifact: artifact.given,
                reasons: applicable.notes().join("\n"),
            });
        }
        Ok(Self {
            artifact,
            applicable,
            subject,
        })
    }

    /// What is run of a folder.
    pub(super) fn chosen(&self) -> Option<String> {
        let Artifact { file, given, .. } = &self.artifact;
        (file != given).then(|| format!("{} is what is run of {}", file.display(), given.display()))
    }

    /// The JDK that was asked for, as it is meant wherever the file lies.
    fn jdk(&self) -> Option<String> {
        let jdk = self.subject.jdk.as_ref()?;
        let path = std::path::absolute(jdk).ok().filter(|_| jdk.contains('/'));
        Some(path.map_or_else(|| jdk.clone(), |path| path.display().to_string()))
    }

    /// For titles and folder names.
    fn name(&self) -> String {
        let stem = self.artifact.given.file_stem();
        defaults::name(&stem.map(PathBuf::from).unwrap_or_default())
    }

    /// Those that are compared unless others are asked for.
    fn usual_variants(&self) -> Vec<VariantSpec> {
        let usual: Vec<VariantSpec> = self
            .applicable
            .variants
            .iter()
            .filter(|v| v.kind.offered() == Offered::Usually)
            .cloned()
            .collect();
        if usual.is_empty() {
            self.applicable.variants.clone()
        } else {
            usual
        }
    }

    /// Notes for the reader: what is run, what is left out and why.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.chosen().into_iter().collect();
        notes.extend(self.applicable.notes());
        let on_demand: Vec<&str> = self
            .applicable
            .variants
            .iter()
            .filter(|v| v.kind.offered() == Offered::OnDemand)
            .map(|v| v.name.as_str())
            .collect();
        let (takes, it) = match on_demand.len() {
            1 => ("takes", "it"),
            _ => ("take", "them"),
        };
        if !on_demand.is_empty() {
            notes.push(format!(
                "`{}` can be made too, and {takes} longer: ask for {it} with --variants",
                on_demand.join("`, `")
            ));
        }
        notes
    }

    /// The experiment that compares them.
    #[must_use]
    pub fn experiment(&self) -> Experiment {
        let variants = self.usual_variants();
        Experiment {
            pods: 1,
            warm_up: None,
            name: self.name(),
            subject: self.subject.clone(),
            aa: None,
            duet: false,
            baseline: variants.first().map(|v| v.name.clone()).unwrap_or_default(),
            variants,
            limits: vec![limits::none()],
            requests: None,
            phases: defaults::phases(),
            launches: Launches::DEFAULT,
            seed: defaults::seed(),
            rest: defaults::REST,
            threshold: defaults::THRESHOLD,
            request_timeout: defaults::REQUEST_TIMEOUT,
            gc_log: GcLog::default(),
            diagnose: Diagnose::default(),
            connections: None,
            checks: Vec::new(),
            mask: Vec::new(),
            companions: Vec::new(),
            running_companions: Vec::new(),
        }
    }

    /// The experiment as a commented file; `artifact` is the path as it is to stand there.
    #[must_use]
    pub fn template(&self, artifact: &str) -> String {
        let left_out: Vec<(String, String)> = self
            .applicable
            .left_out
            .iter()
            .map(|left| (left.kind.name().to_owned(), left.why.clone()))
            .collect();
        let framework = self.artifact.framework().map(ToString::to_string);
        template::render(&template::Template {
            name: &self.name(),
            artifact,
            framework: framework.as_deref(),
            variants: &self.usual_variants(),
            left_out: &left_out,
            requests: &[Step::get("/")],
            jdk: self.jdk().as_deref(),
        })
    }
}
