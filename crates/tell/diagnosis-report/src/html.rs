//! `diagnose.html`: one page that opens offline: the conclusion, the findings, flame graphs.
//!
//! Everything but the graphs is written here and can be read without JavaScript; they are drawn by
//! the bundle of `web/` from one block of JSON.

use crate::changes;
use crate::document::{DiagnosisReport, ExportedFile};
use crate::export::{Format, title};
use crate::flame::flames;
use crate::stored;
use crate::trace::{TraceFigures, TraceRow, TraceRowKind};
use crate::words::{
    ESTIMATED, clock, conclusion, counted, differs, is_estimated, not_looked, of, place, recovered,
    spent_below, supports, title as title_of, trace_calls, trace_name, trace_time, unexplained,
};
use serde::Serialize;
use tacho_diagnosis::{Count, Finding, Findings, Measured, MovedCount, Pair, aligned, shown};
use tacho_figures::{self as figures, ms};
use tacho_report::RenderError;
use tacho_report::html::of_template;
use tacho_report::words;
use tacho_run_folder::{CertificateState, Dissection, Interval, NotObserved};

/// Its name in the run folder.
pub const FILE: &str = "diagnose.html";

const TEMPLATE: &str = include_str!("../templates/diagnose.html.jinja");

/// The page. Without what was seen of the candidate there are no graphs.
///
/// # Errors
/// When the template or its data fail, which is a fault of Tacho.
pub fn render(
    report: &DiagnosisReport,
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Result<String, RenderError> {
    let flames = candidate.map(|candidate| flames(baseline, candidate));
    let flames = flames.filter(|flames| !flames.graphs.is_empty());
    of_template(
        TEMPLATE,
        &page(report, baseline, candidate),
        flames.as_ref(),
    )
}

#[derive(Debug, Serialize)]
struct Page {
    title: String,
    name: String,
    compared: bool,
    conclusion: String,
    stored: Vec<String>,
    put_back: &'static str,
    to_put_back: Option<String>,
    failures: Vec<String>,
    certificate: Stamp,
    measured: Vec<MeasuredRow>,
    changes: Vec<String>,
    /// Every second part of a sentence is a name.
    confirmed: Vec<Vec<String>>,
    notes: Vec<String>,
    counts: Vec<CountRow>,
    remote: Vec<crate::remote::Row>,
    findings: Vec<FindingPart>,
    unexplained: Option<String>,
    spent: Vec<PairRow>,
    missing: Vec<NotObserved>,
    not_looked: Option<String>,
    left_behind: Vec<String>,
    windows: Vec<Vec<String>>,
    files: Vec<FileRow>,
    trace: Vec<TracePart>,
    trace_estimated: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct TracePart {
    depth: usize,
    name: String,
    place: String,
    own: bool,
    rest: bool,
    baseline: TraceCells,
    candidate: TraceCells,
    threw: Option<String>,
    left_out: usize,
}

#[derive(Debug, Serialize)]
struct TraceCells {
    calls: String,
    time: String,
    /// Per cent of the time that the method at the top of the tree takes in the slower build, so
    /// that both can be held against each other.
    share: u32,
}

#[derive(Debug, Serialize)]
struct FileRow {
    path: String,
    what: String,
}

#[derive(Debug, Serialize)]
struct CountRow {
    what: String,
    mostly: Option<String>,
    baseline: String,
    candidate: String,
    owner: Option<String>,
}

#[derive(Debug, Serialize)]
struct Stamp {
    state: &'static str,
    meaning: &'static str,
}

#[derive(Debug, Serialize)]
struct Cell {
    value: String,
    interval: Option<String>,
}

#[derive(Debug, Serialize)]
struct MeasuredRow {
    name: String,
    baseline: Option<Cell>,
    candidate: Cell,
    ratio: Option<Cell>,
    verdict: &'static str,
}

#[derive(Debug, Serialize)]
struct PairRow {
    what: String,
    baseline: String,
    candidate: String,
}

#[derive(Debug, Serialize)]
struct FindingPart {
    share: String,
    pattern: String,
    place: String,
    is_own: bool,
    sentence: String,
    differs: Option<&'static str>,
    supports: Option<String>,
    spent_below: Option<String>,
    fix: String,
    rows: Vec<PairRow>,
    also: Vec<AlsoPart>,
    stack: Vec<StackFrame>,
}

#[derive(Debug, Serialize)]
struct AlsoPart {
    pattern: String,
    sentence: String,
    rows: Vec<PairRow>,
}

#[derive(Debug, Serialize)]
struct StackFrame {
    text: String,
    is_owner: bool,
}

fn page(
    report: &DiagnosisReport,
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Page {
    let findings = report.findings.as_ref();
    let both = || {
        [("candidate", candidate), ("baseline", baseline)]
            .into_iter()
            .filter_map(|(role, seen)| Some((role, seen?)))
    };
    Page {
        title: title_of(report),
        name: report.name.clone(),
        compared: report.baseline.is_some(),
        conclusion: conclusion(report),
        stored: stored::lines(report),
        put_back: stored::PUT_BACK,
        to_put_back: stored::to_put_back(report).map(str::to_owned),
        failures: report.failures.clone(),
        certificate: stamp(report.certificate),
        measured: report.measured.iter().map(measured).collect(),
        changes: report
            .changes
            .as_ref()
            .map_or_else(Vec::new, changes::lines),
        notes: report.notes.clone(),
        counts: report.counts.iter().map(count_row).collect(),
        remote: report
            .remote
            .as_ref()
            .map_or_else(Vec::new, crate::remote::rows),
        confirmed: report
            .counterfactuals
            .iter()
            .map(|one| recovered(one).split('`').map(str::to_owned).collect())
            .collect(),
        findings: findings.map_or_else(Vec::new, |findings| {
            findings
                .findings
                .iter()
                .map(|f| finding(f, findings.compared))
                .collect()
        }),
        unexplained: findings.map(unexplained),
        spent: findings.map_or_else(Vec::new, spent),
        missing: findings.map_or_else(Vec::new, |findings| findings.missing.clone()),
        not_looked: findings.and_then(not_looked),
        left_behind: both()
            .flat_map(|(role, seen)| {
                seen.left_behind
                    .iter()
                    .map(move |what| format!("{role}: {what}"))
            })
            .collect(),
        windows: both()
            .flat_map(|(role, seen)| windows(role, seen))
            .collect(),
        files: report.files.iter().map(file).collect(),
        trace: traced(&report.trace),
        trace_estimated: report.trace.iter().any(is_estimated).then_some(ESTIMATED),
    }
}

fn traced(rows: &[TraceRow]) -> Vec<TracePart> {
    let mut most = 0.0;
    rows.iter()
        .map(|row| {
            if row.depth == 0 {
                let builds = row.baseline.iter().chain(&row.candidate);
                most = builds.map(|figures| figures.ms).fold(0.0, f64::max);
            }
            traced_row(row, most)
        })
        .collect()
}

fn traced_row(row: &TraceRow, most_ms: f64) -> TracePart {
    let figures = |figures: Option<&TraceFigures>| {
        let ms = figures.map_or(0.0, |figures| figures.ms);
        let share = if most_ms > 0.0 { ms / most_ms } else { 0.0 };
        TraceCells {
            calls: trace_calls(row, figures),
            time: trace_time(figures),
            share: (share.clamp(0.0, 1.0) * 100.0).round() as u32,
        }
    };
    let lines: Vec<String> = row.lines.iter().map(ToString::to_string).collect();
    let failed = row.candidate.map_or(0.0, |figures| figures.failed);
    TracePart {
        depth: row.depth,
        name: trace_name(row, false),
        place: match lines.as_slice() {
            [] => String::new(),
            [line] => format!("line {line}"),
            lines => format!("lines {}", lines.join(", ")),
        },
        own: row.own,
        rest: row.kind == TraceRowKind::Rest,
        baseline: figures(row.baseline.as_ref()),
        candidate: figures(row.candidate.as_ref()),
        threw: (failed > 0.0).then(|| format!("{} threw", figures::often(failed))),
        left_out: row.left_out,
    }
}

fn file(file: &ExportedFile) -> FileRow {
    let what = match (file.of, file.format) {
        (Some(kind), format) => format!("{}, {}", title(kind), tool(format)),
        (None, format) => tool(format).to_owned(),
    };
    FileRow {
        path: file.path.clone(),
        what: format!("{}: {what}", file.build),
    }
}

/// Who reads it.
fn tool(format: Format) -> &'static str {
    match format {
        Format::Collapsed => "for flamegraph.pl and difffolded.pl",
        Format::Speedscope => "for speedscope",
        Format::Pprof => "for go tool pprof",
        Format::Jfr => "the recording, for JDK Mission Control",
    }
}

fn stamp(state: CertificateState) -> Stamp {
    let (state, meaning) = match state {
        CertificateState::Valid => ("valid", "The measured figures can be believed."),
        CertificateState::Degraded => (
            "degraded",
            "Read the measured figures with care; report.html has the reasons.",
        ),
        CertificateState::Invalid => (
            "invalid",
            "Do not believe the measured figures; report.html has the reasons.",
        ),
    };
    Stamp { state, meaning }
}

fn count_row(count: &MovedCount) -> CountRow {
    let shown = counted(&count.times);
    CountRow {
        what: count.what.clone(),
        mostly: count.mostly.clone(),
        baseline: shown(count.times.baseline),
        candidate: shown(count.times.candidate),
        owner: count.owner.clone(),
    }
}

fn measured(row: &Measured) -> MeasuredRow {
    let of_unit = |estimate: &Interval| Cell {
        value: figures::value(estimate.value, &row.unit),
        interval: figures::interval(estimate, &row.unit),
    };
    MeasuredRow {
        name: row.name.clone(),
        baseline: row.baseline.as_ref().map(of_unit),
        candidate: of_unit(&row.candidate),
        ratio: row.ratio.as_ref().map(|ratio| Cell {
            value: figures::ratio(ratio.value),
            interval: Some(figures::ratio_interval(ratio)),
        }),
        verdict: row.verdict.map_or("", words::verdict),
    }
}

fn finding(finding: &Finding, compared: bool) -> FindingPart {
    let mut rows = vec![pair(clock(finding.clock), &finding.time_ms, ms)];
    rows.extend(counts(&finding.counts));
    FindingPart {
        share: format!("{} of {}", figures::percent(finding.explains), of(compared)),
        pattern: finding.pattern.replace('-', " "),
        place: place(finding),
        is_own: finding.is_own,
        differs: differs(finding),
        supports: supports(finding),
        spent_below: spent_below(finding),
        sentence: finding.sentence.clone(),
        fix: finding.fix.clone(),
        rows,
        also: finding
            .also
            .iter()
            .map(|also| AlsoPart {
                pattern: also.pattern.replace('-', " "),
                sentence: also.sentence.clone(),
                rows: counts(&also.counts),
            })
            .collect(),
        stack: stack(finding),
    }
}

/// Marks the owner in the stack. If it occurs several times, the innermost frame is marked.
fn stack(finding: &Finding) -> Vec<StackFrame> {
    let owner = finding
        .stack
        .iter()
        .position(|frame| shown(&aligned(frame)) == finding.owner);
    let frames = finding.stack.iter().enumerate();
    frames
        .map(|(depth, frame)| StackFrame {
            text: frame.strip_suffix(":0").unwrap_or(frame).to_owned(),
            is_owner: owner == Some(depth),
        })
        .collect()
}

fn counts(counts: &[Count]) -> Vec<PairRow> {
    counts
        .iter()
        .map(|count| pair(&count.what, &count.times, counted(&count.times)))
        .collect()
}

fn pair(what: &str, pair: &Pair, shown: impl Fn(f64) -> String) -> PairRow {
    PairRow {
        what: what.to_owned(),
        baseline: shown(pair.baseline),
        candidate: shown(pair.candidate),
    }
}

fn compiling_that_ends(findings: &Findings) -> Pair {
    Pair {
        candidate: findings.compiler_ms.candidate - findings.recompiling_ms,
        ..findings.compiler_ms
    }
}

/// What a request costs, independent of the cause. Rows that are zero in both builds are left out.
fn spent(findings: &Findings) -> Vec<PairRow> {
    [
        ("service time", &findings.service_ms),
        (
            "processor time of the whole process",
            &findings.processor_ms,
        ),
        ("of it collecting garbage", &findings.collector_ms),
        (
            "of it compiling, which ends and so counts in no share",
            &compiling_that_ends(findings),
        ),
        (
            "of it compiling again and again what was thrown away",
            &Pair {
                candidate: findings.recompiling_ms,
                ..Pair::default()
            },
        ),
        ("waiting in the application's own code", &findings.waits_ms),
    ]
    .into_iter()
    .filter(|(_, times)| times.baseline > 0.0 || times.candidate > 0.0)
    .map(|(what, times)| pair(what, times, ms))
    .collect()
}

fn windows(role: &str, seen: &Dissection) -> Vec<Vec<String>> {
    let rows = seen.windows.iter().map(|window| {
        vec![
            format!("{role}: {}", window.name),
            window.instrument.clone(),
            figures::count(window.requests),
            figures::count(window.failed),
            figures::seconds(window.duration_s),
            ms(window.mean_ms),
            figures::percent(window.busy),
        ]
    });
    rows.collect()
}
