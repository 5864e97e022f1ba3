//! One page that opens offline: response times over time, and the tables of the summary.
//!
//! The tables are written here and can be read without JavaScript; the chart is that of the users
//! of a rollout, drawn by the bundle of `web/` (`web/src/rollout/`) from the same block of JSON.

use crate::model::{LoadReport, PhaseReport};
use crate::records::{Distribution, Second, Seconds};
use crate::{Exporter, Format, LoadReportError};
use serde::Serialize;
use std::path::Path;
use tacho_figures as figures;
use tacho_report::{html::of_template, words};
use tacho_run_folder::{CertificateState, Quantiles, rule_in_words};

/// A load run as a page.
pub const HTML: Format = Exporter {
    option: "html",
    variable: "TACHO_HTML",
    help: "A page with response times over time (-)",
    export: |of| Ok(render(&of.run.report, &of.histograms, &of.started_at)?.into_bytes()),
};

const TEMPLATE: &str = include_str!("../templates/load.html.jinja");

/// A screen cannot show more columns apart than this.
const COLUMNS: f64 = 1_200.0;

/// The whole page.
///
/// # Errors
/// When the seconds cannot be read, or the template fails, which is a fault of Tacho.
pub fn render(
    report: &LoadReport,
    histograms: &Path,
    started_at: &str,
) -> Result<String, LoadReportError> {
    let chart = chart(report, histograms)?;
    let page = page(report, started_at, chart.column_s);
    Ok(of_template(TEMPLATE, &page, Some(&chart))?)
}

#[derive(Debug, Serialize)]
struct Page {
    title: String,
    facts: Vec<String>,
    certificate: String,
    is_valid: bool,
    doubts: Vec<String>,
    checks: Vec<Checked>,
    search: Option<String>,
    notes: Vec<String>,
    /// Of each of these the chart shows the times.
    column: String,
    times: Table,
    phases: Table,
    outcomes: Table,
    kinds: Table,
    slowest: Table,
}

#[derive(Debug, Serialize)]
struct Checked {
    passed: bool,
    check: String,
    text: String,
}

#[derive(Debug, Serialize)]
struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

const QUANTILES: [&str; 6] = ["mean", "p50", "p90", "p99", "p99.9", "max"];

fn page(report: &LoadReport, started_at: &str, column_s: f64) -> Page {
    let intended = report
        .intended_rate
        .map(|rate| format!(" of {} intended", figures::value(rate, "/s")))
        .unwrap_or_default();
    let doubts = report.certificate.evidence.iter();
    let doubts = doubts.filter(|evidence| evidence.state != CertificateState::Valid);
    Page {
        title: report.url.clone(),
        facts: vec![
            format!(
                "{} in {}",
                figures::counted(report.requests, "1 request", "requests"),
                figures::seconds(report.duration_s)
            ),
            format!("{} answered{intended}", figures::value(report.rate, "/s")),
            format!("begun {started_at}"),
        ],
        certificate: words::certificate(report.certificate.state).to_owned(),
        is_valid: report.certificate.state == CertificateState::Valid,
        doubts: doubts
            .map(|evidence| {
                let state = words::certificate(evidence.state);
                format!(
                    "{state} by {}: {}",
                    rule_in_words(&evidence.what),
                    evidence.text
                )
            })
            .collect(),
        checks: report
            .checks
            .iter()
            .map(|check| Checked {
                passed: check.passed,
                check: check.check.clone(),
                text: check.text.clone(),
            })
            .collect(),
        search: report.search.as_ref().map(|search| search.text.clone()),
        notes: report.notes.clone(),
        column: if column_s > 1.0 {
            figures::seconds(column_s)
        } else {
            "second".to_owned()
        },
        times: Table {
            heads: [&[""], &QUANTILES[..]].concat(),
            rows: vec![
                times("response time", report.response_time_ms),
                times("service time", report.service_time_ms),
                times("dispatch delay", report.dispatch_delay_ms),
                times("generator lag", report.generator_lag_ms),
            ],
        },
        phases: phases(&report.phases),
        outcomes: outcomes(report),
        kinds: kinds(report),
        slowest: slowest(report),
    }
}

fn times(name: &str, quantiles: Option<Quantiles>) -> Vec<String> {
    let cells = quantiles.map_or_else(
        || vec!["-".to_owned(); QUANTILES.len()],
        |q| {
            [q.mean, q.p50, q.p90, q.p99, q.p99_9, q.max]
                .map(figures::ms)
                .into()
        },
    );
    std::iter::once(name.to_owned()).chain(cells).collect()
}

/// Empty if there is only one phase: the table of the whole run shows the same.
fn phases(all: &[PhaseReport]) -> Table {
    let row = |phase: &PhaseReport| {
        let mut cells = times(&phase.label, phase.response_time_ms);
        let counts = [
            phase.what.clone(),
            figures::count(phase.requests),
            figures::count(phase.failed),
            figures::value(phase.rate, "/s"),
        ];
        cells.splice(1..1, counts);
        cells
    };
    let rows = all.iter().map(row);
    Table {
        heads: [
            &["", "what is sent", "requests", "failed", "answered"],
            &QUANTILES[..],
        ]
        .concat(),
        rows: rows.filter(|_| all.len() > 1).collect(),
    }
}

fn outcomes(report: &LoadReport) -> Table {
    let row = |(name, outcome): (&String, &crate::OutcomeCount)| {
        let example = outcome.example.clone().unwrap_or_default();
        vec![name.clone(), figures::count(outcome.count), example]
    };
    Table {
        heads: vec!["", "requests", "the first"],
        rows: report.outcomes.iter().map(row).collect(),
    }
}

fn kinds(report: &LoadReport) -> Table {
    let row = |kind: &crate::KindReport| {
        let mut cells = times(&kind.name, kind.response_time_ms);
        let counts = [figures::count(kind.requests), figures::count(kind.failed)];
        cells.splice(1..1, counts);
        cells
    };
    let rows = report.requests_by_kind.iter().map(row);
    Table {
        heads: [&["", "requests", "failed"], &QUANTILES[..]].concat(),
        rows: rows.filter(|_| report.requests_by_kind.len() > 1).collect(),
    }
}

fn slowest(report: &LoadReport) -> Table {
    let time = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), figures::ms);
    let row = |one: &crate::SlowRequest| {
        // The first ones are due some microseconds before the clock begins.
        let wanted_s = one.intended_s.max(0.0);
        vec![
            format!("{} into {}", figures::seconds(wanted_s), one.phase),
            one.request.clone(),
            figures::ms(one.response_time_ms),
            time(one.service_time_ms),
            time(one.dispatch_delay_ms),
            one.outcome.clone(),
        ]
    };
    Table {
        heads: vec![
            "wanted",
            "request",
            "response time",
            "service time",
            "dispatch delay",
            "outcome",
        ],
        rows: report.slowest.iter().take(20).map(row).collect(),
    }
}

/// What the chart is drawn from; `web/src/rollout/data.ts` declares the same in TypeScript.
#[derive(Debug, Serialize)]
struct Chart {
    from_s: f64,
    to_s: f64,
    column_s: f64,
    columns: Vec<Column>,
    windows: Vec<Window>,
    /// Always empty: a load run does not know the pods behind the URL.
    pods: [(); 0],
}

/// Begin in s, median in ms, longest in ms, failed requests.
type Column = (f64, Option<f64>, Option<f64>, u64);

#[derive(Debug, Serialize)]
struct Window {
    name: String,
    from_s: f64,
    to_s: f64,
    is_change: bool,
}

fn chart(report: &LoadReport, histograms: &Path) -> Result<Chart, LoadReportError> {
    let column_s = column_s(histograms)?;
    let columns = columns(histograms, column_s)?;
    let several = report.phases.len() > 1;
    let windows: Vec<Window> = report
        .phases
        .iter()
        .map(|phase| Window {
            name: phase.label.clone(),
            from_s: phase.started_s,
            to_s: phase.started_s + phase.duration_s,
            is_change: several,
        })
        .collect();
    // Before the first answer, users may have waited for long.
    let begins = [
        windows.first().map(|first| first.from_s),
        columns.first().map(|first| first.0),
    ];
    let from_s = begins.into_iter().flatten().reduce(f64::min);
    let from_s = from_s.unwrap_or_default();
    let to_s = columns.last().map_or(from_s, |last| last.0) + column_s;
    Ok(Chart {
        from_s,
        to_s,
        column_s,
        columns,
        windows,
        pods: [],
    })
}

/// A second, or several if a screen cannot show each.
fn column_s(histograms: &Path) -> Result<f64, LoadReportError> {
    let mut from_s = None;
    let mut span_s = 0.0;
    let mut seconds = Seconds::open(histograms)?;
    while let Some(second) = seconds.next_second()? {
        span_s = second.end_s() - *from_s.get_or_insert(second.start_s);
    }
    Ok((span_s / COLUMNS).ceil().max(1.0))
}

/// The file is read a second time, because a run of days may not fit into memory.
fn columns(histograms: &Path, column_s: f64) -> Result<Vec<Column>, LoadReportError> {
    let mut columns = Columns {
        column_s,
        done: Vec::new(),
        gathered: Gathered::default(),
        ended_s: None,
    };
    let mut seconds = Seconds::open(histograms)?;
    while let Some(second) = seconds.next_second()? {
        columns.add(&second);
    }
    columns.close();
    Ok(columns.done)
}

/// Columns in the making.
struct Columns {
    column_s: f64,
    done: Vec<Column>,
    gathered: Gathered,
    ended_s: Option<f64>,
}

impl Columns {
    fn add(&mut self, second: &Second) {
        let silence_s = self.column_s / 2.0;
        let silent_from_s = self
            .ended_s
            .filter(|ended_s| second.start_s - ended_s > silence_s);
        if silent_from_s.is_some() || self.gathered.is_full(second, self.column_s) {
            self.close();
        }
        // Seconds in which no request ended are not in the log. An empty column breaks the line.
        if let Some(from_s) = silent_from_s {
            self.done.push((from_s, None, None, 0));
        }
        self.gathered.add(second);
        self.ended_s = Some(second.end_s());
    }

    fn close(&mut self) {
        let gathered = std::mem::take(&mut self.gathered);
        if gathered.seconds > 0 {
            self.done.push(gathered.column());
        }
    }
}

#[derive(Default)]
struct Gathered {
    seconds: usize,
    from_s: f64,
    response: Distribution,
    failed: u64,
}

impl Gathered {
    /// Whether a second that comes next belongs to another column.
    fn is_full(&self, next: &Second, column_s: f64) -> bool {
        self.seconds as f64 >= column_s || next.start_s - self.from_s > column_s - 0.5
    }

    fn add(&mut self, second: &Second) {
        if self.seconds == 0 {
            self.from_s = second.start_s;
        }
        self.seconds += 1;
        self.failed += second.failed();
        for kind in second.kinds.values() {
            self.response.add(&kind.ok.response);
        }
    }

    fn column(self) -> Column {
        let response = &self.response;
        (
            self.from_s,
            response.quantile_ms(0.5),
            response.max_ms(),
            self.failed,
        )
    }
}
