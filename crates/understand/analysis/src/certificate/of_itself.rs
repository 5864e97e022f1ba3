//! A/A beside A/B: what the run says of two copies of one program.

use tacho_figures::ratio;
use tacho_run_folder::{CellResult, CertificateState, Evidence, MetricResult, Plan, Verdict};

/// The id of the rule.
pub const ID: &str = "a-a";

/// Whether the copy of the baseline was told apart from it in anything. `None` where there is no
/// copy, or nothing of it was compared.
#[must_use]
pub fn told_of_itself(plan: &Plan, cells: &[CellResult]) -> Option<Evidence> {
    let copies = cells.iter().filter(|cell| plan.is_copy(&cell.variant));
    let compared = copies.flat_map(|cell| &cell.metrics);
    let compared: Vec<&MetricResult> = compared.filter(|m| m.versus_baseline.is_some()).collect();
    let told: Vec<String> = compared
        .iter()
        .filter_map(|metric| {
            let comparison = metric.versus_baseline?;
            let is_told = matches!(comparison.verdict, Verdict::Better | Verdict::Worse);
            is_told.then(|| format!("{} ({})", metric.name, ratio(comparison.ratio.value)))
        })
        .collect();
    let (baseline, of) = (&plan.baseline, compared.len());
    let (state, statement) = match told.is_empty() {
        true => (
            CertificateState::Valid,
            format!(
                "a second copy of `{baseline}` was told apart from it in none of {of} metrics; bound 0"
            ),
        ),
        false => (
            CertificateState::Degraded,
            format!(
                "a second copy of `{baseline}` was told apart from it in {} of {of} metrics: {}; bound 0: differences of other variants may be chance, or the machine, to that extent",
                told.len(),
                told.join(", ")
            ),
        ),
    };
    (of > 0).then(|| Evidence {
        rule: ID.to_owned(),
        state,
        statement,
        launches: Vec::new(),
    })
}
