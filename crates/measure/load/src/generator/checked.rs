//! Checks whether phases can be carried out, before anything is sent.

use super::LoadError;
use crate::schedule::{ConstantRate, build};
use crate::search::SearchPlan;
use tacho_run_folder::{PhaseKind, PhasePlan};

/// Builds every schedule and every search once. The files of replays are read.
///
/// # Errors
/// When a schedule or a search is impossible.
pub fn check(plans: &[PhasePlan]) -> Result<(), LoadError> {
    for plan in plans {
        let impossible = LoadError::impossible(plan);
        match &plan.kind {
            PhaseKind::Open {
                rate, duration_s, ..
            } => drop(ConstantRate::new(*rate, *duration_s).map_err(impossible)?),
            PhaseKind::Scheduled { schedule, .. } => drop(build(schedule).map_err(impossible)?),
            PhaseKind::Search(spec) => {
                SearchPlan::try_from(spec).map_err(|source| LoadError::Search {
                    phase: plan.label.clone(),
                    source,
                })?;
            }
            PhaseKind::Cold { .. }
            | PhaseKind::Settle { .. }
            | PhaseKind::Closed { .. }
            | PhaseKind::Rest { .. } => {}
        }
    }
    Ok(())
}
