//! What the charts are drawn from; `web/src/gc/data.ts` declares the same in TypeScript.

use serde::Serialize;
use tacho_gc_conclusions::{Name, Reading};
use tacho_gc_log::{Course, Failure, GcSummary};
use tacho_run_folder::CollectionKind;

/// A page holds at most this many collections one by one (half a megabyte). Beyond that, it shows
/// time buckets.
const MOST: usize = 20_000;
/// Rows of the chart of causes.
const CAUSES: usize = 12;

/// The block of JSON of a page: a log, or two.
#[derive(Debug, Serialize)]
pub struct Charts {
    /// In the order of the page.
    pub logs: Vec<ChartsOfLog>,
}

/// What is drawn of a log.
#[derive(Debug, Serialize)]
pub struct ChartsOfLog {
    bucket_s: f64,
    duration_s: f64,
    max_heap_bytes: Option<u64>,
    heap: Vec<HeapPoint>,
    trend: Option<Line>,
    pauses: Vec<PausePoint>,
    causes: Vec<CauseBar>,
}

/// s, highest before, lowest after, highest after, capacity
type HeapPoint = (f64, u64, u64, u64, Option<u64>);
/// Time in s and size in bytes, at the begin and at the end.
type Line = [(f64, f64); 2];
/// Time in s, longest pause in ms, number of pauses, and how many of them were full or degenerated.
type PausePoint = (f64, f64, u64, u64);

#[derive(Debug, Serialize)]
struct CauseBar {
    kind: String,
    cause: Option<String>,
    count: u64,
    total_ms: f64,
}

/// Of a log: every collection, where a page has room for them.
#[must_use]
pub fn of_log(reading: &Reading, course: &Course) -> ChartsOfLog {
    let summary = &reading.summary;
    let is_exact = course.log.left_out == 0 && course.log.collections.len() <= MOST;
    ChartsOfLog {
        bucket_s: summary.bucket_s,
        duration_s: summary.time.as_ref().map_or(0.0, |time| time.duration_s),
        max_heap_bytes: summary.settings.max_heap_bytes,
        heap: if is_exact {
            every_heap(course)
        } else {
            heap(summary)
        },
        trend: trend_of_the_heap(reading),
        pauses: every_pause(summary, course)
            .filter(|_| is_exact)
            .unwrap_or_else(|| pauses(summary)),
        causes: summary
            .pauses
            .by_cause
            .iter()
            .take(CAUSES)
            .map(|cause| CauseBar {
                kind: cause.kind.clone(),
                cause: cause.cause.clone(),
                count: cause.count,
                total_ms: cause.total_s * 1000.0,
            })
            .collect(),
    }
}

fn trend_of_the_heap(reading: &Reading) -> Option<Line> {
    let mut trends = reading.conclusions.trends.iter();
    let trend = trends.find(|trend| trend.of == Name::Leak)?;
    Some([
        (trend.from_s, trend.from_bytes),
        (trend.to_s, trend.to_bytes),
    ])
}

fn every_heap(course: &Course) -> Vec<HeapPoint> {
    let collections = course.log.collections.iter();
    collections
        .map(|c| {
            let after = c.after_bytes as u64;
            let capacity = c.capacity_bytes.map(|bytes| bytes as u64);
            (c.at_s, c.before_bytes as u64, after, after, capacity)
        })
        .collect()
}

/// One point per pause. `None` if a collection has several pauses (concurrent collectors), or if it
/// is not known which pauses were degenerated. The time buckets have both.
fn every_pause(summary: &GcSummary, course: &Course) -> Option<Vec<PausePoint>> {
    let collections = course.log.collections.iter().filter(|c| c.pause_s > 0.0);
    let points: Vec<PausePoint> = collections
        .map(|c| {
            let is_full = c.kind == CollectionKind::Full;
            // Logs have microsecond resolution.
            let pause_ms = (c.pause_s * 1e6).round() / 1e3;
            (c.at_s, pause_ms, 1, u64::from(is_full))
        })
        .collect();
    let mut failures = summary.failures.iter();
    let has_degenerated = failures.any(|failure| failure.name == Failure::Degenerated);
    (points.len() as u64 == summary.pauses.count && !has_degenerated).then_some(points)
}

fn heap(summary: &GcSummary) -> Vec<HeapPoint> {
    let buckets = summary.over_time.iter();
    buckets
        .filter_map(|bucket| {
            let ((_, before), (low, high)) = (bucket.before?, bucket.after?);
            Some((bucket.at_s, before, low, high, bucket.capacity_bytes))
        })
        .collect()
}

fn pauses(summary: &GcSummary) -> Vec<PausePoint> {
    let buckets = summary.over_time.iter();
    buckets
        .filter(|bucket| bucket.pauses > 0)
        .map(|bucket| (bucket.at_s, bucket.max_pause_ms, bucket.pauses, bucket.full))
        .collect()
}
