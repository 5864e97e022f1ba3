//! The diagnosis on the terminal: the sentence on top, evidence per request below.

use crate::changes;
use crate::document::DiagnosisReport;
use crate::remote;
use crate::stored;
use crate::words::{
    ESTIMATED, clock, conclusion, counted, differs, is_estimated, not_looked, of, place, recovered,
    spent_below, supports, title, trace_calls, trace_name, trace_time, unexplained,
};
use tacho_diagnosis::{Finding, Pair};
use tacho_figures as figures;
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;
use tacho_report::words;
use tacho_run_folder::{CertificateState, Verdict};

/// Frames of a stack that are shown; the JSON has all.
const FRAMES: usize = 12;
/// Rows of counts that are shown.
const COUNTS: usize = 8;
/// Of the time of a traced method; what takes less is on the page.
const SHARE_OF_TRACE: f64 = 0.05;
/// Levels of the trace.
const DEPTH_OF_TRACE: usize = 8;
/// Rows of the trace.
const ROWS_OF_TRACE: usize = 24;
/// Findings that are shown.
const FINDINGS: usize = 8;

/// The whole of it, ending in a newline.
#[must_use]
pub fn render(report: &DiagnosisReport, style: &Style) -> String {
    let mut text = style.text();
    let title = title(report);
    text.line(&[(BOLD, "Tacho diagnose"), (PLAIN, " · "), (BOLD, &title)]);
    text.blank();
    text.paragraph("", BOLD, &conclusion(report));
    for line in stored::lines(report) {
        text.paragraph("  ", DIM, &line);
    }
    for failure in &report.failures {
        text.paragraph("  ", RED, failure);
    }
    if report.certificate != CertificateState::Valid && report.failures.is_empty() {
        let state = match report.certificate {
            CertificateState::Invalid => "invalid: do not believe the figures below",
            _ => "degraded",
        };
        text.paragraph("", YELLOW, &format!("The certificate of the measured launches is {state}; its reasons are in report.html."));
    }
    measured(&mut text, report);
    if !report.counterfactuals.is_empty() {
        text.heading(
            "Confirmed",
            ", by launches of the candidate with one thing changed",
        );
        for counterfactual in &report.counterfactuals {
            text.paragraph("  ", PLAIN, &recovered(counterfactual));
        }
    }
    for note in &report.notes {
        text.paragraph("", YELLOW, note);
    }
    if let Some(command) = stored::to_put_back(report) {
        text.paragraph("", PLAIN, stored::PUT_BACK);
        text.unbroken("  ", command);
    }
    remote(&mut text, report);
    counts(&mut text, report);
    if let Some(changes) = &report.changes {
        text.heading("What differs between the builds", ", by their files");
        for line in changes::lines(changes) {
            text.paragraph("  ", PLAIN, &line);
        }
    }
    if let Some(findings) = &report.findings {
        for (number, finding) in (1..).zip(findings.findings.iter().take(FINDINGS)) {
            one(&mut text, number, finding, findings.compared);
        }
        text.blank();
        text.paragraph("", PLAIN, &unexplained(findings));
        for missing in &findings.missing {
            text.paragraph(
                "",
                YELLOW,
                &format!("Not seen, {}: {}", missing.what, missing.why),
            );
        }
        if let Some(not_looked) = not_looked(findings) {
            text.paragraph("", YELLOW, &not_looked);
        }
    }
    traced(&mut text, report);
    text.blank();
    text.unbroken(
        "Page: ",
        &format!("{}/{}", report.folder, crate::html::FILE),
    );
    if !report.files.is_empty() {
        let profiles = report.files.iter().filter(|file| file.of.is_some()).count();
        text.paragraph("", DIM, &format!("Beside it {} profiles for other tools (flamegraph.pl, speedscope, go tool pprof) and {} recordings; diagnose.json lists them.", profiles, report.files.len() - profiles));
    }
    text.finish(style.colour)
}

/// The costliest rows of the trace; the page and the JSON have all.
fn traced(text: &mut Text, report: &DiagnosisReport) {
    let shown = || {
        report
            .trace
            .iter()
            .filter(|row| row.share >= SHARE_OF_TRACE && row.depth <= DEPTH_OF_TRACE)
    };
    if shown().next().is_none() {
        return;
    }
    text.heading("Traced", ", wall time a request, with everything below");
    let compared = report.baseline.is_some();
    let mut columns = vec![Column::left("")];
    if compared {
        columns.extend([Column::right("calls"), Column::right("baseline")]);
    }
    columns.extend([Column::right("calls"), Column::right("candidate")]);
    let mut table = Table::new(columns);
    for row in shown().take(ROWS_OF_TRACE) {
        let mut cells = vec![format!(
            "{}{}",
            "  ".repeat(row.depth),
            trace_name(row, true)
        )];
        let builds = [compared.then_some(&row.baseline), Some(&row.candidate)];
        for figures in builds.into_iter().flatten() {
            cells.push(trace_calls(row, figures.as_ref()));
            cells.push(trace_time(figures.as_ref()));
        }
        table.row(if row.own { BOLD } else { PLAIN }, cells);
    }
    table.print(text);
    let left = shown().count().saturating_sub(ROWS_OF_TRACE);
    if left > 0 {
        text.line(&[(DIM, &format!("  and {left} more; the page has all"))]);
    }
    if shown().any(is_estimated) {
        text.paragraph("  ", DIM, ESTIMATED);
    }
}

/// Where the time of a request goes that calls others.
fn remote(text: &mut Text, report: &DiagnosisReport) {
    let Some(time) = &report.remote else { return };
    text.heading(
        "Calls to others",
        ", for each request, seen from outside of both",
    );
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("baseline"),
        Column::right("candidate"),
    ]);
    for row in remote::rows(time) {
        table.row(PLAIN, vec![row.what, row.baseline, row.candidate]);
    }
    table.print(text);
}

/// Counts that moved.
fn counts(text: &mut Text, report: &DiagnosisReport) {
    if report.counts.is_empty() {
        return;
    }
    text.heading("Counted", ", for each request, in both builds");
    let mut table = Table::new(vec![
        Column::left(""),
        Column::right("baseline"),
        Column::right("candidate"),
        Column::left(""),
    ]);
    for count in report.counts.iter().take(COUNTS) {
        let shown = counted(&count.times);
        table.row(
            PLAIN,
            vec![
                count.what.clone(),
                shown(count.times.baseline),
                shown(count.times.candidate),
                count.owner.clone().unwrap_or_default(),
            ],
        );
    }
    table.print(text);
}

fn measured(text: &mut Text, report: &DiagnosisReport) {
    if report.measured.is_empty() {
        return;
    }
    text.heading("Measured", ", by launches without instruments");
    let mut columns = vec![Column::left("")];
    if report.baseline.is_some() {
        columns.push(Column::right("baseline"));
    }
    columns.push(Column::right("candidate"));
    if report.baseline.is_some() {
        columns.extend([
            Column::right("ratio"),
            Column::right("95 %"),
            Column::left(""),
        ]);
    }
    let mut table = Table::new(columns);
    for row in &report.measured {
        let mut cells = vec![row.name.clone()];
        if let Some(baseline) = &row.baseline {
            cells.push(figures::value(baseline.value, &row.unit));
        }
        cells.push(figures::value(row.candidate.value, &row.unit));
        if let (Some(ratio), Some(verdict)) = (&row.ratio, row.verdict) {
            cells.extend([
                figures::ratio(ratio.value),
                figures::ratio_interval(ratio),
                words::verdict(verdict).to_owned(),
            ]);
        }
        let style = if row.verdict == Some(Verdict::Worse) {
            RED
        } else {
            PLAIN
        };
        table.row(style, cells);
    }
    table.print(text);
}

fn one(text: &mut Text, number: usize, finding: &Finding, compared: bool) {
    text.blank();
    let share = figures::percent(finding.explains);
    let head = format!(
        "{number}. {share} of {} · {}",
        of(compared),
        finding.pattern
    );
    text.line(&[(BOLD, &head)]);
    text.unbroken("   ", &place(finding));
    text.paragraph("   ", PLAIN, &finding.sentence);
    if let Some(below) = spent_below(finding) {
        text.paragraph("   ", PLAIN, &below);
    }
    if let Some(differs) = differs(finding) {
        text.paragraph("   ", PLAIN, differs);
    }
    if let Some(supports) = supports(finding) {
        text.paragraph("   ", PLAIN, &supports);
    }
    text.paragraph("   ", PLAIN, &format!("What to do: {}", finding.fix));
    let mut columns = vec![Column::left("   a request")];
    if compared {
        columns.push(Column::right("baseline"));
    }
    columns.push(Column::right("candidate"));
    let mut table = Table::new(columns);
    let mut row = |what: &str, pair: &Pair, shown: &dyn Fn(f64) -> String| {
        let mut cells = vec![format!("   {what}")];
        if compared {
            cells.push(shown(pair.baseline));
        }
        cells.push(shown(pair.candidate));
        table.row(PLAIN, cells);
    };
    row(clock(finding.clock), &finding.time_ms, &figures::ms);
    for count in finding.counts.iter().take(COUNTS) {
        row(&count.what, &count.times, &counted(&count.times));
    }
    table.print(text);
    if finding.counts.len() > COUNTS {
        text.line(&[(
            DIM,
            &format!("     and {} more", finding.counts.len() - COUNTS),
        )]);
    }
    for also in &finding.also {
        text.paragraph(
            "   ",
            DIM,
            &format!("Also there ({}): {}", also.pattern, also.sentence),
        );
    }
    for (depth, frame) in finding.stack.iter().take(FRAMES).enumerate() {
        let is_owner = frame.contains(&finding.owner);
        let lead = if depth == 0 { "   at " } else { "      " };
        text.line(&[(DIM, lead), (if is_owner { BOLD } else { DIM }, frame)]);
    }
}
