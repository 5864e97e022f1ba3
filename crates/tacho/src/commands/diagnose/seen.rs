//! What the diagnosis launches left in the folder.

use super::builds::Builds;
use crate::error::Error;
use tacho_diagnosis_report::trace::{self, TraceRow};
use tacho_run_folder::{Dissection, LaunchDir, RunFolder};

/// Of the baseline and of the candidate, each with its launch.
#[derive(Default)]
pub struct Seen {
    baseline: Option<(LaunchDir, Dissection)>,
    candidate: Option<(LaunchDir, Dissection)>,
}

impl Seen {
    /// Reads it.
    pub fn read(builds: &Builds, folder: &RunFolder) -> Result<Self, Error> {
        let mut dissections = Vec::new();
        for launch in folder.diagnoses()? {
            let dissection = launch.dissection()?;
            dissections.extend(dissection.map(|dissection| (launch, dissection)));
        }
        let mut of = |cell: String| {
            let place = dissections
                .iter()
                .position(|(_, seen)| seen.cell == cell && !seen.windows.is_empty())?;
            Some(dissections.remove(place))
        };
        Ok(Self {
            candidate: builds.candidate_cell(folder).and_then(&mut of),
            baseline: builds.baseline_cell(folder).and_then(&mut of),
        })
    }

    pub fn baseline(&self) -> Option<&Dissection> {
        self.baseline.as_ref().map(|(_, seen)| seen)
    }

    pub fn candidate(&self) -> Option<&Dissection> {
        self.candidate.as_ref().map(|(_, seen)| seen)
    }

    /// Of both builds; nothing unless the candidate was looked into.
    pub fn trace(&self) -> Vec<TraceRow> {
        self.candidate().map_or_else(Vec::new, |candidate| {
            trace::rows(self.baseline(), candidate)
        })
    }

    /// With the role of each.
    pub fn launches(&self) -> impl Iterator<Item = (&'static str, &LaunchDir)> {
        [("candidate", &self.candidate), ("baseline", &self.baseline)]
            .into_iter()
            .filter_map(|(role, build)| Some((role, &build.as_ref()?.0)))
    }
}
