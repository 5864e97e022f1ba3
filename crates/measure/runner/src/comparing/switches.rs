//! Counterfactuals: the candidate with one thing changed that needs no source.

use super::Compared;
use crate::error::RunError;
use crate::making::impossible;
use std::path::Path;
use tacho_diagnosis::Findings;
use tacho_experiment::{Experiment, OnlyIf, VariantKind, VariantSpec};
use tacho_subject::Surroundings;

/// A change and the variant that has it.
#[derive(Debug, Clone)]
pub struct Switch {
    /// What was changed, for people.
    pub changed: String,
    /// The candidate with that change.
    pub variant: VariantSpec,
}

impl Compared {
    /// What can be switched, and why the rest cannot: nothing is launched for that.
    ///
    /// # Errors
    /// When an artifact cannot be read.
    pub fn switches(
        &self,
        experiment: &Experiment,
        base: &Path,
        findings: &Findings,
        surroundings: &Surroundings,
    ) -> Result<(Vec<Switch>, Vec<String>), RunError> {
        let (mut possible, mut notes) = (Vec::new(), Vec::new());
        for switch in self.wished(experiment, findings) {
            let variant = &switch.variant;
            match impossible(&experiment.subject, variant, base, surroundings)? {
                // What somebody asked for by its name is refused by its name.
                Some(why) if variant.only_if.is_some() => notes.push(why),
                _ => possible.push(switch),
            }
        }
        Ok((possible, notes))
    }

    fn wished(&self, experiment: &Experiment, findings: &Findings) -> Vec<Switch> {
        let builds = &self.builds;
        if builds.baseline.is_none() {
            return Vec::new();
        }
        if let Some(switched) = &self.switched {
            let named = switched.iter().map(|variant| Switch {
                changed: format!("`{}` instead of `{}`", variant.name, builds.candidate),
                variant: variant.clone(),
            });
            return named.collect();
        }
        let is_packed = |v: &&VariantSpec| v.name == builds.candidate && v.kind == VariantKind::Jar;
        let candidate = experiment.variants.iter().find(is_packed);
        let candidate = candidate.filter(|_| findings.depend_on_packaging());
        let extracted = candidate.map(|candidate| Switch {
            changed: "The candidate's jar extracted, so that its libraries are not nested in it,"
                .to_owned(),
            variant: VariantSpec {
                name: "candidate-extracted".to_owned(),
                kind: VariantKind::Extracted,
                // A jar without nested libraries has nothing to extract.
                only_if: Some(OnlyIf::Possible),
                ..candidate.clone()
            },
        });
        extracted.into_iter().collect()
    }
}
