//! Which build is looked into next, and what was seen of both.

use super::Compared;
use crate::dissecting::DissectSpec;
use crate::run::Dissect;
use tacho_diagnosis::Builds;
use tacho_run_folder::{Dissection, FolderError, LaunchDir, PhaseKind, Plan, RunFolder};

/// The most connections over which a build is looked into, unless the user asks for more.
const MOST_CONNECTIONS: u32 = 16;

/// Called when both builds were looked into: with the baseline and the candidate.
type Tell<'c> = Box<dyn FnMut(&Dissection, &Dissection) + 'c>;

/// Looks into the candidate, and then into the baseline.
pub struct Looking<'c> {
    compared: &'c Compared,
    spec: DissectSpec,
    tell: Tell<'c>,
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
    pub fn new(compared: &'c Compared, spec: DissectSpec, tell: Tell<'c>) -> Self {
        Self {
            compared,
            spec,
            tell,
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

    /// The next build to look into: the candidate first, because the methods that are traced there
    /// are traced in the baseline too. Once both were looked into, what was seen is passed to
    /// `tell`.
    fn next(&mut self, folder: &RunFolder, seen: &[Dissection]) -> Option<(String, DissectSpec)> {
        let builds = &self.compared.builds;
        let plan = || tacho_run::load(folder).ok().map(|run| run.plan);
        match seen {
            [] => {
                let plan = plan()?;
                self.spec.connections = connections(&plan, self.spec.connections);
                Some((cell(&plan, &builds.candidate)?, self.spec.clone()))
            }
            [candidate] => {
                let cell = cell(&plan()?, builds.baseline.as_ref()?)?;
                let traced = candidate.traces.iter().map(|trace| trace.method.clone());
                let spec = DissectSpec {
                    traced: traced.collect(),
                    ..self.spec.clone()
                };
                Some((cell, spec))
            }
            [candidate, baseline] => {
                (self.tell)(baseline, candidate);
                None
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
        let of = |variant: &String| -> Result<Option<Seen>, FolderError> {
            let Some(cell) = cell(plan, variant) else {
                return Ok(None);
            };
            let found = tacho_run::dissected(folder, &cell)?;
            Ok(found.map(|(launch, dissection)| Seen { launch, dissection }))
        };
        let builds = &self.compared.builds;
        let older = builds.baseline.as_ref().map(of).transpose()?;
        Ok((older.flatten(), of(&builds.candidate)?))
    }
}

/// The number of connections: the most that a closed loop of the plan has, because few connections
/// do not show what requests wait for together. But no more than keep a small machine busy, unless
/// the user asks for more (`least`).
fn connections(plan: &Plan, least: u32) -> u32 {
    let closed = plan.phases.iter().filter_map(|phase| match &phase.kind {
        PhaseKind::Closed { connections, .. } => Some(*connections),
        _ => None,
    });
    closed
        .max()
        .unwrap_or(least)
        .min(MOST_CONNECTIONS)
        .max(least)
}

/// The id of the variant's cell in the plan.
fn cell(plan: &Plan, variant: &str) -> Option<String> {
    let mut cells = plan.cells.iter();
    let cell = cells.find(|cell| cell.variant == variant)?;
    Some(cell.id.clone())
}
