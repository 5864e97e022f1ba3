//! Memory over time, and the evidence of what was found in it.

use super::data::{Evidence, MemorySeries, Point};
use super::grid::band;
use crate::overview::LimitsOverview;
use crate::words;
use tacho_run_folder::{EvidenceSeries, LaunchData};

/// The curves of some launches of one cell.
pub fn memory(launches: &[&LaunchData]) -> MemorySeries {
    let each = |of: fn(&LaunchData) -> Vec<Point>| {
        let all: Vec<Vec<Point>> = launches.iter().map(|launch| of(launch)).collect();
        band(&all)
    };
    MemorySeries {
        rss: each(|l| points(&l.samples, |s| Some((s.at_ms, s.rss_bytes)))),
        working_set: each(|l| points(&l.samples, |s| Some((s.at_ms, s.working_set_bytes?)))),
        heap_used: each(heap_used),
        heap_committed: each(heap_committed),
    }
}

fn points<T>(rows: &[T], of: impl Fn(&T) -> Option<(f64, u64)>) -> Vec<Point> {
    rows.iter()
        .filter_map(of)
        .map(|(at_ms, bytes)| [at_ms / 1e3, bytes as f64])
        .collect()
}

/// From the JVM's counters, ten samples a second. Without them, from the log of collections: one
/// point before and one after each collection.
fn heap_used(launch: &LaunchData) -> Vec<Point> {
    let counted = points(&launch.jvm, |s| Some((s.at_ms, s.heap_used_bytes?)));
    if !counted.is_empty() {
        return counted;
    }
    let log = launch.collections.iter().flat_map(|log| &log.collections);
    log.flat_map(|c| {
        let began_s = (c.at_s - c.pause_s).max(0.0);
        [[began_s, c.before_bytes], [c.at_s, c.after_bytes]]
    })
    .collect()
}

fn heap_committed(launch: &LaunchData) -> Vec<Point> {
    let counted = points(&launch.jvm, |s| Some((s.at_ms, s.heap_capacity_bytes?)));
    if !counted.is_empty() {
        return counted;
    }
    let log = launch.collections.iter().flat_map(|log| &log.collections);
    log.filter_map(|c| Some([c.at_s, c.capacity_bytes?]))
        .collect()
}

/// In the order of the findings on the page, row by row.
pub fn evidence(limits: &LimitsOverview<'_>) -> Vec<Evidence> {
    limits
        .rows
        .iter()
        .filter_map(|row| Some((row, row.cell.memory.as_ref()?)))
        .flat_map(|(row, memory)| {
            memory.findings.iter().map(|finding| Evidence {
                variant: row.cell.variant.clone(),
                title: words::pattern(&finding.pattern).to_owned(),
                from_s: finding.from_s,
                to_s: finding.to_s,
                series: finding.evidence.iter().map(rounded).collect(),
            })
        })
        .collect()
}

fn rounded(series: &EvidenceSeries) -> EvidenceSeries {
    let points = series.points.iter();
    EvidenceSeries {
        points: points
            .map(|(s, value)| (*s, super::thin::round(*value)))
            .collect(),
        ..series.clone()
    }
}
