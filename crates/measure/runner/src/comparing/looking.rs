//! Whether there is anything to explain, and which build is looked into next.

use super::Compared;
use crate::dissecting::DissectSpec;
use crate::run::Dissect;
use tacho_diagnosis::{Builds, compared_phases};
use tacho_run_folder::{
    Dissection, FolderError, LaunchDir, PhaseKind, Plan, RunData, RunFolder, Verdict,
};

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

    /// Which variants are compared.
    #[must_use]
    pub fn builds(&self) -> &Builds {
        &self.compared.builds
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
                let (results, phases) = (tacho_analysis::analyse(&run), compared_phases(&run.plan));
                let verdict = builds.verdict(&results, &phases);
                // Looked into as it was loaded when it lost most.
                let loss = builds.loss(&results, &phases);
                let loss = loss.filter(|_| verdict == Verdict::Worse);
                let connections = loss.and_then(|loss| connections(&run.plan, &loss.phase));
                self.spec.connections = connections.unwrap_or(self.spec.connections);
                let cell = cell(&run.plan, &builds.candidate);
                (self.verdict, self.measured) = (Some(verdict), Some(run));
                // Counts are compared whatever the times say.
                Some((cell?, self.spec.clone()))
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

/// Of a closed loop: at a constant rate as many as are needed are open, and few of them busy.
fn connections(plan: &Plan, phase: &str) -> Option<u32> {
    let mut phases = plan.phases.iter();
    match &phases.find(|known| known.label == phase)?.kind {
        PhaseKind::Closed { connections, .. } => Some(*connections),
        _ => None,
    }
}

/// As the plan names it.
fn cell(plan: &Plan, variant: &str) -> Option<String> {
    let mut cells = plan.cells.iter();
    let cell = cells.find(|cell| cell.variant == variant)?;
    Some(cell.id.clone())
}
