//! The summary on the terminal.

mod spectrum;
mod verdicts;
mod workers;

use crate::model::{LoadReport, PhaseReport};
use crate::run::LoadRun;
use anstyle::Style as Ansi;
use tacho_figures as figures;
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;
use tacho_run_folder::{LATE_SHARE, LateShare, PhaseTag, Quantiles};

/// How many of the slowest requests, and of the kinds of request, are shown; the JSON has more.
const SLOWEST: usize = 5;
const KINDS: usize = 20;

/// The whole summary, ending in a newline.
#[must_use]
pub fn render(run: &LoadRun, style: &Style) -> String {
    let report = &run.report;
    let mut text = style.text();
    head(&mut text, report);
    times(&mut text, report);
    spectrum::print(&mut text, run);
    outcomes(&mut text, report);
    phases(&mut text, report);
    kinds(&mut text, report);
    slowest(&mut text, report);
    workers::print(&mut text, report);
    verdicts::print(&mut text, report);
    text.finish(style.colour)
}

fn head(text: &mut Text, report: &LoadReport) {
    text.line(&[(BOLD, "Tacho load"), (PLAIN, " · "), (BOLD, &report.url)]);
    for phase in report.phases.iter().take(8) {
        let label = if report.phases.len() > 1 {
            format!("{}: ", phase.label)
        } else {
            String::new()
        };
        text.paragraph("", DIM, &format!("{label}{}", phase.what));
    }
    if report.phases.len() > 8 {
        let more = report.phases.len() - 8;
        let phases = if more == 1 { "phase" } else { "phases" };
        text.line(&[(DIM, &format!("and {more} more {phases}"))]);
    }
    text.blank();
    let failed: u64 = report.phases.iter().map(|p| p.failed).sum();
    let intended = report
        .intended_rate
        .map(|rate| format!(" of {} intended", figures::value(rate, "/s")))
        .unwrap_or_default();
    let spans = [
        (
            BOLD,
            figures::counted(report.requests, "1 request", "requests"),
        ),
        (
            PLAIN,
            format!(" in {}, ", figures::seconds(report.duration_s)),
        ),
        (
            BOLD,
            format!("{} answered", figures::value(report.rate, "/s")),
        ),
        (PLAIN, format!("{intended}, ")),
        match failed {
            0 => (GREEN, "none failed".to_owned()),
            _ => (RED, format!("{} failed", figures::count(failed))),
        },
    ];
    let length: usize = spans.iter().map(|(_, t)| t.chars().count()).sum();
    if length <= text.width() {
        let spans: Vec<(Ansi, &str)> = spans.iter().map(|(s, t)| (*s, t.as_str())).collect();
        text.line(&spans);
    } else {
        let whole: String = spans.into_iter().map(|(_, t)| t).collect();
        text.paragraph("", BOLD, &whole);
    }
}

/// Name of a column of quantiles, and where its value is.
type Quantile = (&'static str, fn(&Quantiles) -> f64);

const ALL: &[Quantile] = &[
    ("p50", |q| q.p50),
    ("p90", |q| q.p90),
    ("p95", |q| q.p95),
    ("p99", |q| q.p99),
    ("p99.9", |q| q.p99_9),
    ("max", |q| q.max),
    ("mean", |q| q.mean),
];

/// The quantiles of tables that have no room for all of them.
const FEW: &[Quantile] = &[
    ("p50", |q| q.p50),
    ("p99", |q| q.p99),
    ("p99.9", |q| q.p99_9),
    ("max", |q| q.max),
];

/// A narrower terminal has no room for all quantiles.
const ROOM_FOR_ALL: usize = 90;

fn cells(which: &[Quantile], quantiles: Option<&Quantiles>) -> Vec<String> {
    let cell =
        |(_, of): &Quantile| quantiles.map_or_else(|| "–".to_owned(), |q| figures::ms(of(q)));
    which.iter().map(cell).collect()
}

/// A table with its own columns first, then the columns of the quantiles.
fn table<const OWN: usize>(own: [Column; OWN], which: &[Quantile]) -> Table {
    let quantiles = which.iter().map(|(name, _)| Column::right(name));
    Table::new(own.into_iter().chain(quantiles).collect())
}

const RESPONSE_TIME: &str = "response time";

/// The response time first and in bold: it is what a user feels.
fn times(text: &mut Text, report: &LoadReport) {
    text.blank();
    let kinds = [
        (RESPONSE_TIME, &report.response_time_ms, BOLD),
        ("service time", &report.service_time_ms, PLAIN),
        ("dispatch delay", &report.dispatch_delay_ms, DIM),
        ("generator lag", &report.generator_lag_ms, DIM),
    ];
    let rows = kinds.map(|(name, quantiles, style)| {
        let mut row = vec![name.to_owned()];
        row.extend(cells(ALL, quantiles.as_ref()));
        if name == RESPONSE_TIME {
            mark_late(&mut row, ALL, report);
        }
        (style, row)
    });
    if text.width() < ROOM_FOR_ALL {
        a_quantile_a_line(text, &rows);
    } else {
        let mut table = table([Column::left("")], ALL);
        for (style, row) in rows {
            table.row(style, row);
        }
        table.print(text);
    }
    if report.late_shares.iter().any(LateShare::is_late) {
        let share = figures::percent(LATE_SHARE);
        let note = format!("! more than {share} of it is the generator's own lateness");
        text.paragraph("  ", YELLOW, &note);
    }
}

/// For a narrow terminal: one line per quantile and one column per kind of time, so that no
/// quantile is left out.
fn a_quantile_a_line(text: &mut Text, rows: &[(Ansi, Vec<String>)]) {
    let names = rows.iter().filter_map(|(_, row)| row.first());
    let columns = names.map(|name| Column::right(name));
    let mut table = Table::new(std::iter::once(Column::left("")).chain(columns).collect());
    for (place, (quantile, _)) in (1..).zip(ALL) {
        let of_all = rows.iter().filter_map(|(_, row)| row.get(place).cloned());
        let line = std::iter::once((*quantile).to_owned()).chain(of_all);
        table.row(PLAIN, line.collect());
    }
    table.print(text);
}

/// Marks quantiles of which more than a tenth is the generator's own lateness: `0.153 ms!`.
fn mark_late(row: &mut [String], which: &[Quantile], report: &LoadReport) {
    let late: Vec<String> = report
        .late_shares
        .iter()
        .filter(|share| share.is_late())
        .map(|late| late.quantile.to_string())
        .collect();
    for (cell, (name, _)) in row.iter_mut().skip(1).zip(which) {
        if late.iter().any(|late| late == name) {
            cell.push('!');
        }
    }
}

fn outcomes(text: &mut Text, report: &LoadReport) {
    text.heading("Outcomes", "");
    let all: u64 = report.outcomes.values().map(|o| o.count).sum();
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right(""),
        Column::right(""),
        Column::left(""),
    ]);
    for (name, outcome) in &report.outcomes {
        let share = outcome.count as f64 / all.max(1) as f64;
        let style = if outcome.example.is_some() {
            RED
        } else {
            PLAIN
        };
        table.row(
            style,
            vec![
                name.clone(),
                figures::count(outcome.count),
                figures::percent(share),
                outcome.example.clone().unwrap_or_default(),
            ],
        );
    }
    if report.outcomes.is_empty() {
        text.line(&[(DIM, "  no request was concluded")]);
    }
    table.print(text);
}

fn phases(text: &mut Text, report: &LoadReport) {
    let sending: Vec<&PhaseReport> = report
        .phases
        .iter()
        .filter(|p| p.kind != PhaseTag::Rest)
        .collect();
    if sending.len() < 2 {
        return;
    }
    text.heading("Phases", "  response time");
    let own = [
        Column::left("phase"),
        Column::right("answered"),
        Column::right("intended"),
        Column::right("failed"),
    ];
    let mut table = table(own, FEW);
    for phase in sending {
        let mut row = vec![
            phase.label.clone(),
            figures::value(phase.rate, "/s"),
            phase
                .intended_rate
                .map_or_else(|| "–".to_owned(), |rate| figures::value(rate, "/s")),
            figures::count(phase.failed),
        ];
        row.extend(cells(FEW, phase.response_time_ms.as_ref()));
        table.row(PLAIN, row);
    }
    table.print(text);
}

fn kinds(text: &mut Text, report: &LoadReport) {
    if report.requests_by_kind.len() < 2 {
        return;
    }
    text.heading("By request", "  response time");
    let own = [
        Column::left("request"),
        Column::right("requests"),
        Column::right("failed"),
    ];
    let mut table = table(own, FEW);
    for kind in report.requests_by_kind.iter().take(KINDS) {
        let mut row = vec![
            kind.name.clone(),
            figures::count(kind.requests),
            figures::count(kind.failed),
        ];
        row.extend(cells(FEW, kind.response_time_ms.as_ref()));
        table.row(if kind.failed > 0 { RED } else { PLAIN }, row);
    }
    table.print(text);
    if report.requests_by_kind.len() > KINDS {
        let more = report.requests_by_kind.len() - KINDS;
        text.line(&[(DIM, &format!("  and {more} more; the JSON has all of them"))]);
    }
}

fn slowest(text: &mut Text, report: &LoadReport) {
    if report.slowest.is_empty() {
        return;
    }
    text.heading("Slowest", "");
    let mut table = Table::new(vec![
        Column::right("due at"),
        Column::right("response"),
        Column::right("service"),
        Column::right("delay"),
        Column::left("outcome"),
        Column::left("request"),
    ]);
    let ms = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), figures::ms);
    for slow in report.slowest.iter().take(SLOWEST) {
        let phase = if report.phases.len() > 1 {
            format!(" ({})", slow.phase)
        } else {
            String::new()
        };
        table.row(
            PLAIN,
            vec![
                // The first ones are due some microseconds before the clock begins.
                format!("{:.3} s", slow.intended_s.max(0.0) + 0.0),
                ms(Some(slow.response_time_ms)),
                ms(slow.service_time_ms),
                ms(slow.dispatch_delay_ms),
                slow.outcome.clone(),
                format!("{}{phase}", slow.request),
            ],
        );
    }
    table.print(text);
}
