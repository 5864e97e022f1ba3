//! Whether the cells meet a check.

use super::Check;
use crate::metric::{loaded_phases, phase_id};
use tacho_quantity::objectives;
use tacho_run_folder::{Cell, CellResult, CheckResult, MetricResult, PhaseKind, Plan};
use tacho_statistics::bootstrap::median;

/// Every check of the plan for every cell that it selects. A check that cannot be read, or that
/// selects nothing, has not passed.
#[must_use]
pub fn evaluate(plan: &Plan, cells: &[CellResult]) -> Vec<CheckResult> {
    plan.checks
        .iter()
        .flat_map(|list| objectives(list))
        .flat_map(|text| match Check::parse(text) {
            Ok(check) => check.evaluate(plan, cells),
            Err(_) => vec![not_passed(text, "")],
        })
        .collect()
}

fn not_passed(text: &str, cell: &str) -> CheckResult {
    CheckResult {
        check: text.to_owned(),
        cell: cell.to_owned(),
        phase: None,
        value: None,
        passed: false,
    }
}

impl Check {
    /// For every cell of the plan that it selects.
    #[must_use]
    pub fn evaluate(&self, plan: &Plan, cells: &[CellResult]) -> Vec<CheckResult> {
        let selected: Vec<&Cell> = plan.cells.iter().filter(|c| self.selects(c)).collect();
        if selected.is_empty() {
            return vec![not_passed(&self.text, self.cells.as_deref().unwrap_or(""))];
        }
        let phases = self.phases(plan);
        selected
            .iter()
            .flat_map(|cell| phases.iter().map(move |phase| (cell, phase)))
            .map(|(cell, phase)| self.of_cell(cell, phase.as_deref(), cells))
            .collect()
    }

    /// The phases that it is applied to; a single `None` for a metric of the whole launch.
    fn phases(&self, plan: &Plan) -> Vec<Option<String>> {
        if !self.row.source.is_of_phase() {
            return vec![None];
        }
        if self.phase.is_some() {
            return vec![self.phase.clone()];
        }
        if self.row.word == "errors" {
            return loaded_phases(plan).map(|l| Some(l.to_owned())).collect();
        }
        let wanted: fn(&PhaseKind) -> bool = match self.row.word {
            "throughput" => |kind| matches!(kind, PhaseKind::Closed { .. }),
            _ => PhaseKind::is_open,
        };
        let last = plan.phases.iter().rfind(|p| wanted(&p.kind));
        let label = last.map(|p| p.label.as_str());
        vec![
            label
                .or_else(|| loaded_phases(plan).next_back())
                .map(str::to_owned),
        ]
    }

    /// The id of the metric that it reads, in this phase where it is of one.
    #[must_use]
    pub fn metric(&self, phase: Option<&str>) -> String {
        phase.map_or_else(|| self.row.id.to_owned(), |label| phase_id(label, self.row))
    }

    fn of_cell(&self, cell: &Cell, phase: Option<&str>, cells: &[CellResult]) -> CheckResult {
        let id = self.metric(phase);
        let metric = cells
            .iter()
            .find(|result| result.cell == cell.id)
            .and_then(|result| result.metrics.iter().find(|m| m.id == id));
        let values: Option<Vec<f64>> =
            metric.map(|metric| metric.values.iter().map(|v| v.value).collect());
        let value = values
            .and_then(|values| median(&values))
            .map(|value| self.bound.convert(value, self.row.unit == "ms"));
        let holds = |value: f64| self.operator.holds(value, self.bound.number);
        // What is a lower bound may be any higher value.
        let may_be_higher = metric.is_some_and(MetricResult::is_lower_bound);
        CheckResult {
            check: self.text.clone(),
            cell: cell.id.clone(),
            phase: phase.map(str::to_owned),
            value,
            passed: value.is_some_and(holds) && (!may_be_higher || holds(f64::INFINITY)),
        }
    }
}
