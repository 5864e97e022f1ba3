//! One page that opens offline: the sentence, the charts, the tables.
//!
//! The tables are written here and can be read without JavaScript; the charts are drawn by the
//! bundle of `web/` from one block of JSON.

use crate::words;
use serde::Serialize;
use tacho_figures::{self as figures, ms, seconds as s};
use tacho_gc_log::{CauseTotal, GcSummary};
use tacho_report::RenderError;
use tacho_report::html::of_template;

const TEMPLATE: &str = include_str!("../templates/gc.html.jinja");

/// Renders the page, complete with its scripts and styles.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render(summary: &GcSummary) -> Result<String, RenderError> {
    of_template(TEMPLATE, &page(summary), Some(&charts(summary)))
}

#[derive(Debug, Serialize)]
struct Page {
    title: String,
    began: Option<String>,
    facts: Vec<String>,
    sentence: String,
    stands_out: Vec<String>,
    pauses: Vec<PauseRow>,
    causes: Vec<[String; 5]>,
    cycles: Vec<[String; 5]>,
    phases: Vec<[String; 4]>,
    heap: Vec<(&'static str, String, String)>,
    lines: String,
    examples: Vec<(String, String)>,
    notes: Vec<String>,
    has_time: bool,
}

#[derive(Debug, Serialize)]
struct PauseRow {
    kind: String,
    cells: [String; 6],
}

fn page(summary: &GcSummary) -> Page {
    Page {
        title: match summary.files.as_slice() {
            [one] => one.clone(),
            [first, ..] => format!("{first} and {} more", summary.files.len() - 1),
            [] => "garbage collection log".to_owned(),
        },
        began: summary.time.as_ref().and_then(|time| time.began.clone()),
        facts: words::set_up(summary),
        sentence: words::sentence(summary),
        stands_out: words::stands_out(summary),
        pauses: pauses(summary),
        causes: causes(&summary.pauses.by_cause),
        cycles: causes(&summary.cycles),
        phases: summary
            .concurrent_phases
            .iter()
            .map(|phase| {
                [
                    phase.name.clone(),
                    figures::count(phase.count),
                    s(phase.total_s),
                    ms(phase.max_ms),
                ]
            })
            .collect(),
        heap: words::heap_rows(summary),
        lines: words::lines(summary),
        examples: summary
            .lines
            .examples
            .iter()
            .map(|example| (figures::count(example.count), example.line.clone()))
            .collect(),
        notes: summary.notes.clone(),
        has_time: !summary.over_time.is_empty(),
    }
}

fn pauses(summary: &GcSummary) -> Vec<PauseRow> {
    let kinds = summary.pauses.by_kind.iter().map(|kind| {
        (
            kind.kind.clone(),
            kind.count,
            kind.total_s,
            kind.quantiles_ms,
        )
    });
    let all = &summary.pauses;
    let all = (all.count > 0).then(|| ("all".to_owned(), all.count, all.total_s, all.quantiles_ms));
    kinds
        .chain(all)
        .map(|(kind, count, total, quantiles)| {
            let [p50, p90, p99, max] = quantiles.map_or_else(
                || std::array::from_fn(|_| "–".to_owned()),
                |q| [q.p50, q.p90, q.p99, q.max].map(ms),
            );
            PauseRow {
                kind,
                cells: [figures::count(count), s(total), p50, p90, p99, max],
            }
        })
        .collect()
}

fn causes(causes: &[CauseTotal]) -> Vec<[String; 5]> {
    causes
        .iter()
        .map(|cause| {
            let has_time = cause.total_s > 0.0;
            let time = |value: String| if has_time { value } else { "–".to_owned() };
            [
                cause.kind.clone(),
                cause.cause.clone().unwrap_or_else(|| "–".to_owned()),
                figures::count(cause.count),
                time(s(cause.total_s)),
                time(ms(cause.max_ms)),
            ]
        })
        .collect()
}

/// What the charts are drawn from; `web/src/gc/data.ts` declares the same in TypeScript.
#[derive(Debug, Serialize)]
struct Charts {
    bucket_s: f64,
    duration_s: f64,
    max_heap_bytes: Option<u64>,
    heap: Vec<HeapPoint>,
    pauses: Vec<PausePoint>,
    causes: Vec<CauseBar>,
}

/// s, highest before, lowest after, highest after, capacity
type HeapPoint = (f64, u64, u64, u64, Option<u64>);
/// s, the longest in ms, how many, full or degenerated ones among them
type PausePoint = (f64, f64, u64, u64);

#[derive(Debug, Serialize)]
struct CauseBar {
    kind: String,
    cause: Option<String>,
    count: u64,
    total_ms: f64,
}

fn charts(summary: &GcSummary) -> Charts {
    Charts {
        bucket_s: summary.bucket_s,
        duration_s: summary.time.as_ref().map_or(0.0, |time| time.duration_s),
        max_heap_bytes: summary.settings.max_heap_bytes,
        heap: summary
            .over_time
            .iter()
            .filter_map(|bucket| {
                let ((_, before), (low, high)) = (bucket.before?, bucket.after?);
                Some((bucket.at_s, before, low, high, bucket.capacity_bytes))
            })
            .collect(),
        pauses: summary
            .over_time
            .iter()
            .filter(|bucket| bucket.pauses > 0)
            .map(|bucket| (bucket.at_s, bucket.max_pause_ms, bucket.pauses, bucket.full))
            .collect(),
        causes: summary
            .pauses
            .by_cause
            .iter()
            .take(12)
            .map(|cause| CauseBar {
                kind: cause.kind.clone(),
                cause: cause.cause.clone(),
                count: cause.count,
                total_ms: cause.total_s * 1000.0,
            })
            .collect(),
    }
}
