//! One page that opens offline: the sentence, the charts, the tables.
//!
//! The tables are written here and can be read without JavaScript; the charts are drawn by the
//! bundle of `web/` from one block of JSON.

use crate::charts::{Charts, of_log};
use crate::two::{Two, name, rows, sentence};
use crate::words;
use serde::Serialize;
use tacho_figures::{self as figures, ms, seconds as s};
use tacho_gc_conclusions::Reading;
use tacho_gc_log::{CauseTotal, Course, GcSummary};
use tacho_report::RenderError;
use tacho_report::html::of_template;

const TEMPLATE: &str = include_str!("../templates/gc.html.jinja");
const TEMPLATE_OF_TWO: &str = include_str!("../templates/gc-two.html.jinja");

/// Renders the page, complete with its scripts and styles.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render(reading: &Reading, course: &Course) -> Result<String, RenderError> {
    let charts = Charts {
        logs: vec![of_log(reading, course)],
    };
    of_template(TEMPLATE, &page(reading), Some(&charts))
}

/// Renders the page of two logs.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render_two(two: &Two<'_>, old: &Course, new: &Course) -> Result<String, RenderError> {
    let charts = Charts {
        logs: vec![of_log(two.old, old), of_log(two.new, new)],
    };
    of_template(TEMPLATE_OF_TWO, &page_of_two(two), Some(&charts))
}

#[derive(Debug, Serialize)]
struct PageOfTwo {
    title: String,
    sentence: String,
    caution: &'static str,
    rows: Vec<[String; 5]>,
    logs: Vec<Page>,
}

fn page_of_two(two: &Two<'_>) -> PageOfTwo {
    PageOfTwo {
        title: format!("{} and {}", name(two.old), name(two.new)),
        sentence: sentence(two.compared),
        caution: crate::two::CAUTION,
        rows: rows(two.compared),
        logs: vec![page(two.old), page(two.new)],
    }
}

#[derive(Debug, Serialize)]
struct Page {
    title: String,
    began: Option<String>,
    facts: Vec<String>,
    sentence: String,
    stands_out: Vec<StandsOut>,
    not_told: Vec<String>,
    sizing: Option<String>,
    bars: Vec<[String; 3]>,
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

/// What was seen, and what to do.
#[derive(Debug, Serialize)]
struct StandsOut {
    summary: String,
    advice: Option<String>,
}

#[derive(Debug, Serialize)]
struct PauseRow {
    kind: String,
    cells: [String; 6],
}

fn page(reading: &Reading) -> Page {
    let summary = &reading.summary;
    Page {
        title: match summary.files.as_slice() {
            [one] => one.clone(),
            [first, ..] => format!("{first} and {} more", summary.files.len() - 1),
            [] => "garbage collection log".to_owned(),
        },
        began: summary.time.as_ref().and_then(|time| time.began.clone()),
        facts: words::set_up(summary),
        sentence: words::sentence(summary),
        stands_out: reading
            .conclusions
            .found
            .iter()
            .map(|conclusion| StandsOut {
                summary: conclusion.summary.clone(),
                advice: conclusion.advice.clone(),
            })
            .collect(),
        not_told: {
            let conclusions = &reading.conclusions;
            let sentences = conclusions.absent.iter().chain(&conclusions.not_told);
            sentences.cloned().collect()
        },
        sizing: reading.sizing.as_ref().map(|sizing| sizing.summary.clone()),
        bars: summary
            .pauses
            .histogram
            .iter()
            .map(|bar| [ms(bar.up_to_ms), figures::count(bar.count), s(bar.total_s)])
            .collect(),
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
