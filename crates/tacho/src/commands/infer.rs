//! An experiment from an artifact alone: what `tacho run app.jar` runs and `tacho init app.jar`
//! writes.

use crate::error::Error;
use std::path::{Path, PathBuf};
use tacho_experiment::{
    Experiment, RequestSpec, SubjectSpec, VariantSpec, defaults, limits, template,
};
use tacho_runner::Surroundings;
use tacho_subject::{Applicable, Artifact, applicable};

/// Variants that are made only when they are asked for: they take long to make and show their worth in
/// size or with a tool that few have, so that a first look does not wait for them.
const ON_DEMAND: [&str; 2] = ["jlink", "native"];

/// What was found out about an artifact.
pub struct Inferred {
    /// Its facts.
    pub artifact: Artifact,
    /// Variants that can be made of it, and why others cannot.
    pub applicable: Applicable,
    /// Path as the user gave it, absolute.
    path: PathBuf,
    jdk: Option<String>,
}

/// Looks at an artifact; nothing is started.
pub fn infer(
    path: &Path,
    jdk: Option<&str>,
    surroundings: &Surroundings,
) -> Result<Inferred, Error> {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let artifact = Artifact::read(&path)?;
    let subject = SubjectSpec {
        artifact: Some(path.clone()),
        jdk: jdk.map(str::to_owned),
        ..SubjectSpec::default()
    };
    let base = path.parent().unwrap_or(Path::new("/"));
    let applicable = applicable(&subject, base, &surroundings.jdks, &surroundings.host)?;
    if applicable.variants.is_empty() {
        return Err(Error::NoVariant {
            artifact: path,
            reasons: applicable.notes().join("\n"),
        });
    }
    Ok(Inferred {
        artifact,
        applicable,
        path,
        jdk: jdk.map(str::to_owned),
    })
}

impl Inferred {
    /// For titles and folder names.
    pub fn name(&self) -> String {
        let stem = self.path.file_stem().map(PathBuf::from).unwrap_or_default();
        defaults::name(&stem)
    }

    /// Folder that the subject runs in.
    pub fn base(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"))
    }

    /// Those that are compared unless others are asked for.
    pub fn usual_variants(&self) -> Vec<VariantSpec> {
        let usual: Vec<VariantSpec> = self
            .applicable
            .variants
            .iter()
            .filter(|v| !ON_DEMAND.contains(&v.name.as_str()))
            .cloned()
            .collect();
        if usual.is_empty() {
            self.applicable.variants.clone()
        } else {
            usual
        }
    }

    /// Notes for the reader: what is left out and why.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.applicable.notes();
        let on_demand: Vec<&str> = self
            .applicable
            .variants
            .iter()
            .map(|v| v.name.as_str())
            .filter(|name| ON_DEMAND.contains(name))
            .collect();
        if !on_demand.is_empty() {
            notes.push(format!(
                "`{}` can be made too, and takes longer: ask for it with --variants",
                on_demand.join("`, `")
            ));
        }
        notes
    }

    /// The experiment that compares them.
    pub fn experiment(&self) -> Experiment {
        let variants = self.usual_variants();
        Experiment {
            pods: 1,
            warm_up: None,
            name: self.name(),
            subject: SubjectSpec {
                artifact: Some(self.path.clone()),
                jdk: self.jdk.clone(),
                ..SubjectSpec::default()
            },
            baseline: variants.first().map(|v| v.name.clone()).unwrap_or_default(),
            variants,
            limits: vec![limits::none()],
            requests: None,
            phases: defaults::phases(),
            launches: defaults::LAUNCHES,
            seed: defaults::seed(),
            rest: defaults::REST,
            threshold: defaults::THRESHOLD,
            request_timeout: defaults::REQUEST_TIMEOUT,
            gc_log: tacho_experiment::GcLog::default(),
            diagnose: tacho_experiment::Diagnose::default(),
            checks: Vec::new(),
            mask: Vec::new(),
            companions: Vec::new(),
        }
    }

    /// The experiment as a commented file; `artifact` is the path as it is to stand there.
    pub fn template(&self, artifact: &str) -> String {
        let left_out: Vec<(String, String)> = self
            .applicable
            .left_out
            .iter()
            .map(|left| (left.kind.name().to_owned(), left.why.clone()))
            .collect();
        let framework = self.artifact.framework().map(ToString::to_string);
        let requests: Vec<RequestSpec> = RequestSpec::parse("/").into_iter().collect();
        template::render(&template::Template {
            name: &self.name(),
            artifact,
            framework: framework.as_deref(),
            variants: &self.usual_variants(),
            left_out: &left_out,
            requests: &requests,
        })
    }
}
