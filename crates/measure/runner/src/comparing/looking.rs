//! Whether there is anything to explain, and which build is looked into next.

use super::Compared;
use crate::dissecting::DissectSpec;
use crate::run::Dissect;
use tacho_run_folder::{Dissection, FolderError, LaunchDir, Plan, RunData, RunFolder, Verdict};

/// Decides from what has been measured and seen.
#[derive(Debug)]
pub struct Looking<'c> {
    compared: &'c Compared,
    spec: DissectSpec,
    /// What the launches said.
    pub verdict: Option<Verdict>,
    /// The run as it was when all had been measured: nobody needs to read it again.
    pub measured: Option<RunData>,
}

/// A build that was looked into.
#[derive(Debug)]
pub struct Seen {
    /// Recordings are in its folder.
    pub launch: LaunchDir,
    /// What was seen.
    pub dissection: Dissection,
}

impl<'c> Looking<'c> {
    /// Nothing is measured yet.
    #[must_use]
    pub fn new(compared: &'c Compared, spec: DissectSpec) -> Self {
        Self {
            compared,
            spec,
            verdict: None,
            measured: None,
        }
    }

    /// For a run.
    pub fn dissect(&mut self) -> Dissect<'_> {
        Dissect {
            next: Box::new(|folder, seen| self.next(folder, seen)),
        }
    }

    /// The candidate first: what is traced there is traced in the baseline.
    fn next(&mut self, folder: &RunFolder, seen: &[Dissection]) -> Option<(String, DissectSpec)> {
        let builds = &self.compared.builds;
        match seen {
            [] => {
                let run = tacho_run::load(folder).ok()?;
                let verdict = builds.verdict(&tacho_analysis::analyse(&run));
                let cell = cell(&run.plan, &builds.candidate);
                (self.verdict, self.measured) = (Some(verdict), Some(run));
                let is_wanted = builds.baseline.is_none() || verdict == Verdict::Worse;
                Some((cell.filter(|_| is_wanted)?, self.spec.clone()))
            }
            [candidate] => {
                let cell = cell(&self.measured.as_ref()?.plan, builds.baseline.as_ref()?)?;
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

    /// What the launches left in the folder: of the baseline, and of the candidate.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn seen(
        &self,
        folder: &RunFolder,
        plan: &Plan,
    ) -> Result<(Option<Seen>, Option<Seen>), FolderError> {
        let mut seen = Vec::new();
        for launch in folder.diagnoses()? {
            let dissection = launch.dissection()?.filter(|seen| !seen.windows.is_empty());
            seen.extend(dissection.map(|dissection| Seen { launch, dissection }));
        }
        let mut of = |variant: &String| {
            let cell = cell(plan, variant)?;
            let is_of = |seen: &Seen| seen.dissection.cell == cell;
            seen.iter().position(is_of).map(|place| seen.remove(place))
        };
        let builds = &self.compared.builds;
        let candidate = of(&builds.candidate);
        Ok((builds.baseline.as_ref().and_then(of), candidate))
    }
}

/// As the plan names it.
fn cell(plan: &Plan, variant: &str) -> Option<String> {
    let mut cells = plan.cells.iter();
    let cell = cells.find(|cell| cell.variant == variant)?;
    Some(cell.id.clone())
}
