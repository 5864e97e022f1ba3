//! The variants that `tacho run app.jar` compares when the user chooses none.

use crate::{Artifact, ArtifactError, Context, Host, Jdks, variant};
use std::path::Path;
use tacho_experiment::{Offered, SubjectSpec, VariantKind, VariantSpec};

/// The variants that can be made of an artifact here, and why others cannot.
#[derive(Debug, Clone, PartialEq)]
pub struct Applicable {
    /// Each under the name of its kind, the plainest first: it is the natural baseline.
    pub variants: Vec<VariantSpec>,
    /// Those that cannot be made here, each with its reason.
    pub left_out: Vec<LeftOut>,
}

/// A variant that cannot be made of an artifact here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Kind of the variant.
    pub kind: VariantKind,
    /// Why, and what would change it.
    pub why: String,
}

impl Applicable {
    /// One note for each that is left out.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let left_out = self.left_out.iter();
        left_out
            .map(|l| format!("`{}` is left out: {}", l.kind.name(), l.why))
            .collect()
    }
}

/// Finds the variants that can be made of a subject's artifact. Nothing is started for that.
///
/// # Errors
/// When the artifact cannot be read.
pub fn applicable(
    subject: &SubjectSpec,
    base: &Path,
    jdks: &Jdks,
    host: &Host,
) -> Result<Applicable, ArtifactError> {
    let artifact = match &subject.artifact {
        Some(path) => Some(Artifact::read(&base.join(path))?),
        None => None,
    };
    let for_a_jvm = artifact.as_ref().is_none_or(|a| a.jvm.is_some());
    let mut found = Applicable {
        variants: Vec::new(),
        left_out: Vec::new(),
    };
    for kind in VariantKind::ALL {
        // `exec` is for programs and has nothing to add to a jar; the others are for JVMs alone.
        if (kind == VariantKind::Exec) == for_a_jvm {
            continue;
        }
        if kind.offered() == Offered::ByName {
            continue;
        }
        let spec = VariantSpec::of(kind);
        let context = Context::of_artifact(subject, &spec, artifact.clone(), base, jdks, host);
        match variant(kind).available(&context) {
            Ok(()) => found.variants.push(spec),
            Err(why) => found.left_out.push(LeftOut {
                kind,
                why: why.to_string(),
            }),
        }
    }
    Ok(found)
}
