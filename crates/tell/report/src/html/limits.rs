//! The tables under one set of limits.

use super::memory::{MemoryView, memory};
use super::warm_up::{WarmUpView, warm_up};
use crate::overview::{Column, LimitsOverview, Row};
use crate::words;
use crate::words::Stretch;
use serde::Serialize;
use tacho_figures as figures;
use tacho_run_folder::MetricResult;

/// Title of the table that is always there.
const START: &str = "Start-up and size";

/// What the page shows of one set of limits, in a tab of its own.
#[derive(Debug, Serialize)]
pub struct LimitsView {
    name: String,
    title: String,
    advice: Vec<Stretch>,
    memory: Vec<Vec<Stretch>>,
    memory_over_time: MemoryView,
    warm_up: Option<WarmUpView>,
    tables: Vec<TableView>,
    phases: Vec<String>,
    break_evens: Vec<String>,
    variants: Vec<String>,
    metrics: Vec<MetricRow>,
}

/// Start-up and footprint, or what happened under load.
#[derive(Debug, Serialize)]
struct TableView {
    title: &'static str,
    columns: Vec<ColumnView>,
    rows: Vec<RowView>,
}

#[derive(Debug, Serialize)]
struct ColumnView {
    group: String,
    title: String,
    /// The first column of its phase.
    opens: bool,
}

#[derive(Debug, Serialize)]
struct RowView {
    variant: String,
    is_baseline: bool,
    is_copy: bool,
    is_advised: bool,
    missing: Option<String>,
    cells: Vec<MetricCell>,
}

/// One metric of one variant.
#[derive(Debug, Default, Serialize)]
struct MetricCell {
    value: Option<String>,
    interval: Option<String>,
    ratio: Option<String>,
    ratio_interval: Option<String>,
    verdict: &'static str,
    sign: &'static str,
    detectable: Option<String>,
    opens: bool,
}

#[derive(Debug, Serialize)]
struct MetricRow {
    id: String,
    name: String,
    good: &'static str,
    cells: Vec<MetricCell>,
}

/// More phases next to each other would be wider than a page.
const PHASES_ABREAST: usize = 2;

/// The view of one set of limits.
pub fn limits(limits: &LimitsOverview<'_>, baseline: &str) -> LimitsView {
    let under_load = limits.phases.chunks(PHASES_ABREAST).map(|phases| {
        let columns = phases.iter().enumerate().flat_map(|(n, phase)| {
            let columns = phase.columns.iter().enumerate();
            columns.map(move |(i, c)| (phase.label.clone(), c, n > 0 && i == 0))
        });
        ("Under load", columns.collect())
    });
    let tables = std::iter::once((START, of_no_phase(&limits.columns)))
        .chain(under_load)
        .chain([("Garbage collection", of_no_phase(&limits.collections))])
        .filter_map(|(title, columns)| table(limits, title, columns))
        .collect();
    LimitsView {
        name: limits.limits.name.clone(),
        title: words::limits(limits.limits),
        advice: limits.advice.map(words::prose).unwrap_or_default(),
        memory: limits.memory.iter().map(|t| words::prose(t)).collect(),
        memory_over_time: memory(limits),
        warm_up: warm_up(limits),
        tables,
        phases: limits.phases.iter().map(|p| p.what.clone()).collect(),
        break_evens: words::break_evens(&limits.break_evens, baseline),
        variants: limits.rows.iter().map(|r| r.cell.variant.clone()).collect(),
        metrics: all_metrics(&limits.rows),
    }
}

fn of_no_phase(columns: &[Column]) -> Vec<(String, &Column, bool)> {
    columns.iter().map(|c| (String::new(), c, false)).collect()
}

/// One row per variant. The first table is shown even without columns, because it says which
/// launches failed. Each column comes with its phase and whether it is the first column of a
/// further phase.
fn table(
    limits: &LimitsOverview<'_>,
    title: &'static str,
    columns: Vec<(String, &Column, bool)>,
) -> Option<TableView> {
    if columns.is_empty() && title != START {
        return None;
    }
    let rows = limits
        .rows
        .iter()
        .map(|row| RowView {
            variant: row.cell.variant.clone(),
            is_baseline: row.is_baseline,
            is_copy: row.is_copy,
            is_advised: row.is_advised,
            missing: row.missing_launches(),
            cells: columns
                .iter()
                .map(|(_, column, opens)| MetricCell {
                    opens: *opens,
                    ..column.of(row.cell).map(cell).unwrap_or_default()
                })
                .collect(),
        })
        .collect();
    Some(TableView {
        title,
        columns: columns
            .into_iter()
            .map(|(group, column, opens)| ColumnView {
                group,
                title: column.title.clone(),
                opens,
            })
            .collect(),
        rows,
    })
}

/// All metrics that any variant has, in order of first appearance.
fn all_metrics(rows: &[Row<'_>]) -> Vec<MetricRow> {
    let mut metrics: Vec<&MetricResult> = Vec::new();
    for metric in rows.iter().flat_map(|row| &row.cell.metrics) {
        if metrics.iter().all(|seen| seen.id != metric.id) {
            metrics.push(metric);
        }
    }
    metrics
        .into_iter()
        .map(|metric| MetricRow {
            id: metric.id.clone(),
            name: metric.name.clone(),
            good: match metric.good {
                tacho_run_folder::Good::Lower => "lower is better",
                tacho_run_folder::Good::Higher => "higher is better",
            },
            cells: rows
                .iter()
                .map(|row| {
                    row.cell
                        .metrics
                        .iter()
                        .find(|m| m.id == metric.id)
                        .map(cell)
                        .unwrap_or_default()
                })
                .collect(),
        })
        .collect()
}

fn cell(metric: &MetricResult) -> MetricCell {
    let comparison = metric.versus_baseline;
    MetricCell {
        value: Some(words::value(metric)),
        interval: figures::interval(&metric.estimate, &metric.unit),
        ratio: comparison.map(|c| figures::ratio(c.ratio.value)),
        ratio_interval: comparison.map(|c| figures::ratio_interval(&c.ratio)),
        verdict: comparison.map_or("", |c| words::verdict(c.verdict)),
        sign: comparison.map_or("", |c| words::verdict_sign(c.verdict)),
        detectable: comparison.as_ref().and_then(words::detectable),
        opens: false,
    }
}
