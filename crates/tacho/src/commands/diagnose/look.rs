//! Whether there is anything to explain, and which build is looked into next.

use super::builds::Builds;
use super::measured::verdict;
use tacho_run_folder::{Dissection, RunFolder, Verdict};
use tacho_runner::DissectSpec;

/// Decides from what has been measured and seen.
pub struct Looking<'b> {
    builds: &'b Builds,
    spec: DissectSpec,
    verdict: Option<Verdict>,
}

impl<'b> Looking<'b> {
    pub fn new(builds: &'b Builds, spec: DissectSpec) -> Self {
        Self {
            builds,
            spec,
            verdict: None,
        }
    }

    /// The candidate first: what is traced there is traced in the baseline.
    pub fn next(
        &mut self,
        folder: &RunFolder,
        seen: &[Dissection],
    ) -> Option<(String, DissectSpec)> {
        match seen {
            [] => {
                self.verdict = verdict_of(folder, self.builds);
                let is_wanted =
                    self.builds.baseline.is_none() || self.verdict == Some(Verdict::Worse);
                let cell = self.builds.candidate_cell(folder)?;
                is_wanted.then(|| (cell, self.spec.clone()))
            }
            [candidate] => {
                let cell = self.builds.baseline_cell(folder)?;
                let traced = candidate.traces.iter().map(|trace| trace.method.clone());
                let spec = DissectSpec {
                    traced: traced.collect(),
                    ..self.spec.clone()
                };
                Some((cell, spec))
            }
            _ => None,
        }
    }

    /// What the launches said.
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}

fn verdict_of(folder: &RunFolder, builds: &Builds) -> Option<Verdict> {
    let run = tacho_run::load(folder).ok()?;
    Some(verdict(&tacho_analysis::analyse(&run), builds))
}
