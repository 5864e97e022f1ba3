//! What every format shows first: for each set of limits a table with one row per variant, and the
//! figures that decide which variant to ship.

use crate::words;
use tacho_run_folder::{
    BreakEven, Cell, CellResult, CostKind, Limits, MetricResult, PhaseKind, PreparedVariant,
    Results, RunData,
};

/// A column: its title and its possible metrics. A cell shows the first of them that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Title of the column.
    pub title: String,
    ids: Vec<String>,
}

impl Column {
    fn new(title: &str, ids: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            ids: ids.iter().map(|&id| id.to_owned()).collect(),
        }
    }

    /// The metric of this column.
    #[must_use]
    pub fn of<'a>(&self, cell: &'a CellResult) -> Option<&'a MetricResult> {
        self.ids
            .iter()
            .find_map(|id| cell.metrics.iter().find(|m| m.id == *id))
    }
}

/// One set of limits.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitsOverview<'a> {
    /// Processors and memory that the variants had.
    pub limits: &'a Limits,
    /// The advice for these limits; absent if the analysis has none, or if the advice of the run
    /// already says it.
    pub advice: Option<&'a str>,
    /// What variants save or take in memory, and at what price; a sentence each.
    pub memory: &'a [String],
    /// One entry a variant, in the order of the plan.
    pub rows: Vec<Row<'a>>,
    /// Start-up and footprint; columns that no variant can fill are left out.
    pub columns: Vec<Column>,
    /// The phases under load, each with its columns.
    pub phases: Vec<PhaseColumns>,
    /// Garbage collection over the whole launch.
    pub collections: Vec<Column>,
    /// What warm-ups buy, where the run asked.
    pub warm_up: Option<words::WarmUpTable>,
    /// Where cumulative costs cross: crossings first, users' waiting time before processor time.
    pub break_evens: Vec<&'a BreakEven>,
}

/// The columns of one phase under load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseColumns {
    /// Label of the phase.
    pub label: String,
    /// What it does, in a sentence.
    pub what: String,
    /// Throughput and latency quantiles.
    pub columns: Vec<Column>,
}

/// One variant under these limits.
#[derive(Debug, Clone, PartialEq)]
pub struct Row<'a> {
    /// Results of the variant under these limits.
    pub cell: &'a CellResult,
    /// How it was made; absent when it could not be prepared.
    pub variant: Option<&'a PreparedVariant>,
    /// The others are compared with it.
    pub is_baseline: bool,
    /// It is a second copy of the baseline.
    pub is_copy: bool,
    /// The advice is to ship it. Never so of the baseline: where that stays, nothing was told to be
    /// better, and the sentence says so.
    pub is_advised: bool,
}

impl Row<'_> {
    /// `1 of 5 failed`, when not all launches count.
    #[must_use]
    pub fn missing_launches(&self) -> Option<String> {
        let CellResult {
            valid,
            invalid,
            failed,
            ..
        } = *self.cell;
        let all = valid + invalid + failed;
        match (failed, invalid) {
            (0, 0) if valid > 0 => None,
            (0, 0) => Some("no launches".to_owned()),
            (failed, 0) => Some(format!("{failed} of {all} failed")),
            (0, invalid) => Some(format!("{invalid} of {all} invalid")),
            (failed, invalid) => Some(format!("{failed} failed, {invalid} invalid of {all}")),
        }
    }
}

/// The rows of every set of limits, in the order of the plan.
#[must_use]
pub fn overview<'a>(run: &'a RunData, results: &'a Results) -> Vec<LimitsOverview<'a>> {
    limits_in_order(&run.plan.cells)
        .into_iter()
        .map(|limits| one(run, results, limits))
        .collect()
}

fn limits_in_order(cells: &[Cell]) -> Vec<&Limits> {
    let mut seen: Vec<&Limits> = Vec::new();
    for cell in cells {
        if seen.iter().all(|l| l.name != cell.limits.name) {
            seen.push(&cell.limits);
        }
    }
    seen
}

/// Leaves out the sentence if the advice of the run contains it, since every format shows the
/// advice.
fn warm_up(results: &Results, limits: &Limits) -> Option<words::WarmUpTable> {
    let table = words::warm_up(results.warm_up.as_ref()?, &limits.name)?;
    let is_news = |own: &String| {
        let own = own.trim_end_matches('.');
        !results.advice.sentence.contains(own)
    };
    Some(words::WarmUpTable {
        sentence: table.sentence.filter(is_news),
        ..table
    })
}

fn one<'a>(run: &'a RunData, results: &'a Results, limits: &'a Limits) -> LimitsOverview<'a> {
    let advice = results
        .advice
        .by_limits
        .iter()
        .find(|a| a.limits == limits.name);
    let pick = advice.and_then(|advice| advice.pick.as_deref());
    let rows: Vec<Row<'a>> = results
        .cells
        .iter()
        .filter(|cell| cell.limits == limits.name)
        .map(|cell| Row {
            cell,
            variant: run.variants.iter().find(|v| v.name == cell.variant),
            is_baseline: cell.variant == run.plan.baseline,
            is_copy: run.plan.is_copy(&cell.variant),
            is_advised: pick == Some(cell.variant.as_str()) && cell.variant != run.plan.baseline,
        })
        .collect();
    let filled = |column: &Column| rows.iter().any(|row| column.of(row.cell).is_some());
    let mut break_evens: Vec<&BreakEven> = results
        .break_evens
        .iter()
        .filter(|b| b.limits == limits.name)
        .collect();
    break_evens.sort_by_key(|b| (!words::crosses(b), b.cost != CostKind::Waiting));
    let collections = [
        Column::new("median pause", &["gc_pause_p50_ms"]),
        Column::new("longest pause", &["gc_pause_max_ms"]),
        Column::new("all pauses", &["gc_pause_total_s"]),
        Column::new("CPU time", &["gc_cpu_s"]),
    ]
    .into_iter()
    .filter(filled)
    .collect();
    let columns = [
        Column::new("ready", &["ready_ms"]),
        Column::new("reached", &["reached_ms"]),
        Column::new("first request", &["first_request_ms"]),
        Column::new("first 5", &["first_5_requests_ms"]),
        Column::new(
            "peak memory",
            &[
                "peak_rss_bytes",
                "peak_working_set_bytes",
                "peak_cgroup_bytes",
            ],
        ),
        Column::new("disk", &["disk_bytes", "application_bytes"]),
    ]
    .into_iter()
    .filter(filled)
    .collect();
    let phases = run
        .plan
        .phases
        .iter()
        .filter(|phase| words::is_loaded(phase))
        .map(|phase| {
            let id = |metric: &str| format!("{}.{metric}", phase.label);
            // Few enough columns per phase that two phases fit beside each other.
            let own = match phase.kind {
                PhaseKind::Settle { .. } => ("steady after", "settled_after_s"),
                _ => ("p50", "response_p50_ms"),
            };
            PhaseColumns {
                label: phase.label.clone(),
                what: words::phase(phase),
                columns: [
                    ("throughput", "throughput"),
                    own,
                    ("p99", "response_p99_ms"),
                ]
                .into_iter()
                .map(|(title, metric)| Column::new(title, &[&id(metric)]))
                .filter(filled)
                .collect(),
            }
        })
        .filter(|phase: &PhaseColumns| !phase.columns.is_empty())
        .collect();
    // The advice of the run already contains that of each set of limits in a sweep over warm-ups,
    // where the numbers are not to be used, and where launches are too few.
    let is_news = |own: &&str| !results.advice.sentence.contains(own);
    LimitsOverview {
        limits,
        advice: advice.map(|a| a.sentence.as_str()).filter(is_news),
        memory: advice.map_or(&[], |a| a.memory.as_slice()),
        columns,
        phases,
        collections,
        warm_up: warm_up(results, limits),
        break_evens,
        rows,
    }
}
