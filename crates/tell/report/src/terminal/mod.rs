//! The summary on the terminal. It ends in one sentence of advice.

pub mod columns;
pub mod style;
mod table;
pub mod text;

use crate::overview::{Column, LimitsOverview, Row, overview};
use crate::words;
use anstyle::Style as Ansi;
use std::path::Path;
pub use style::Style;
use style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use table::{Cell, Table};
use tacho_figures as figures;
use tacho_run_folder::{MetricResult, Results, RunData, Verdict, rule_in_words};
use text::{Text, wrap};

/// The whole summary, ending in a newline. Where there is a page, it is named near the end.
#[must_use]
pub fn render(run: &RunData, results: &Results, page: Option<&Path>, style: &Style) -> String {
    let mut text = style.text();
    head(&mut text, run);
    for limits in overview(run, results) {
        limits_block(&mut text, run, &limits);
    }
    legend(&mut text, run, results);
    troubles(&mut text, run);
    checks(&mut text, results);
    certificate(&mut text, results);
    if let Some(page) = page {
        text.blank();
        text.unbroken("Report: ", &page.display().to_string());
    }
    text.blank();
    for line in wrap(&results.advice.sentence, text.width()) {
        text.line(&[(BOLD, &line)]);
    }
    failed_cells(&mut text, run, results, page.and_then(Path::parent));
    text.finish(style.colour)
}

/// Why cells have no valid launch. It comes last, because the last lines are read first.
fn failed_cells(text: &mut Text, run: &RunData, results: &Results, folder: Option<&Path>) {
    for failed in words::failed_cells(run, results) {
        text.blank();
        // A reason ends without a full stop.
        let why = failed.why.trim_end_matches('.');
        let title = format!("{}: {why}. Its log ended with", failed.cell);
        text.paragraph("", RED, &title);
        for line in failed.lines {
            text.line(&[(PLAIN, "  "), (PLAIN, line)]);
        }
        let log = folder.map_or_else(|| failed.log.clone(), |folder| folder.join(&failed.log));
        text.unbroken("Log: ", &log.display().to_string());
    }
}

fn head(text: &mut Text, run: &RunData) {
    let header = &run.header;
    text.line(&[
        (BOLD, &format!("Tacho · {}", header.name)),
        (DIM, &format!("  {}", header.id)),
    ]);
    let subject = [
        header.subject.framework.clone(),
        header
            .subject
            .java_release
            .map(|release| format!("class files of Java {release}")),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ");
    let launches = format!(
        "{}, {}, order by seed {}",
        figures::launches(run.launches.len()),
        words::replicates(run),
        run.plan.seed
    );
    let line = if subject.is_empty() {
        launches
    } else {
        format!("{subject} · {launches}")
    };
    text.paragraph("", DIM, &line);
    if header.interrupted {
        text.paragraph(
            "",
            YELLOW,
            "The run was ended before its last launch; what was measured until then is below.",
        );
    }
}

fn limits_block(text: &mut Text, run: &RunData, limits: &LimitsOverview<'_>) {
    text.heading(
        &words::limits(limits.limits),
        &format!("  compared with {}", run.plan.baseline),
    );
    table(text, &limits.columns, &limits.rows);
    for phase in &limits.phases {
        text.blank();
        text.paragraph("  ", PLAIN, &phase.what);
        table(text, &phase.columns, &limits.rows);
    }
    if !limits.collections.is_empty() {
        text.blank();
        text.paragraph("  ", PLAIN, "Garbage collection over the whole launch");
        table(text, &limits.collections, &limits.rows);
    }
    if let Some(warm_up) = &limits.warm_up {
        warm_up_block(text, warm_up);
    }
    findings(text, limits);
    let lines = [
        memory_line(limits),
        break_even_line(limits, &run.plan.baseline),
    ];
    for line in lines.into_iter().flatten() {
        text.blank();
        text.paragraph("  ", PLAIN, &line);
    }
}

fn variant_cell(row: &Row<'_>) -> Cell {
    let (note, style) = match row.missing_launches() {
        Some(missing) => (missing, YELLOW),
        None if row.is_baseline => ("baseline".to_owned(), DIM),
        None if row.is_copy => ("baseline again".to_owned(), DIM),
        None => (String::new(), PLAIN),
    };
    let name = &row.cell.variant;
    Cell {
        value: if row.is_advised {
            format!("{name}, advised")
        } else {
            name.clone()
        },
        beside: None,
        short: note.clone(),
        below: note,
        style,
    }
}

/// A row a variant.
fn table(text: &mut Text, columns: &[Column], rows: &[Row<'_>]) {
    let mut table = Table::titled(columns.iter().map(|column| column.title.as_str()));
    for row in rows {
        let cells = columns.iter().map(|column| column.of(row.cell));
        let cells = cells.map(|metric| metric.map_or_else(Cell::empty, metric_cell));
        table.row(variant_cell(row), cells.collect());
    }
    table.print(text);
}

fn metric_cell(metric: &MetricResult) -> Cell {
    let (below, short, style) = match &metric.versus_baseline {
        Some(comparison) => (
            words::comparison(comparison),
            words::short_comparison(comparison),
            verdict_style(comparison.verdict),
        ),
        None => (String::new(), String::new(), DIM),
    };
    Cell {
        value: words::value(metric),
        beside: figures::interval(&metric.estimate, &metric.unit),
        below,
        short,
        style,
    }
}

fn verdict_style(verdict: Verdict) -> Ansi {
    match verdict {
        Verdict::Better => GREEN,
        Verdict::Worse => RED,
        Verdict::Same => DIM,
        Verdict::Inconclusive => YELLOW,
    }
}

/// The costs of each warm-up and what it gains. The page has all quantiles and the development over
/// time.
fn warm_up_block(text: &mut Text, warm_up: &words::WarmUpTable) {
    text.blank();
    let of = format!(
        "Warm-up, and how users were served then ({})",
        warm_up.phase
    );
    text.paragraph("  ", PLAIN, &of);
    let is_short = |nth: usize| warm_up.titles[nth].is_short;
    let titles = warm_up.titles.iter().filter(|title| title.is_short);
    let mut table = Table::titled(titles.map(|title| title.text.as_str()));
    for row in &warm_up.rows {
        let cells = row
            .cells
            .iter()
            .enumerate()
            .filter(|(nth, _)| is_short(*nth));
        let plain = |value: &String, beside: &Option<String>| Cell {
            value: value.clone(),
            beside: beside.clone(),
            ..Cell::empty()
        };
        let cells = cells.map(|(_, entry)| plain(&entry.value, &entry.interval));
        table.row(plain(&row.variant, &None), cells.collect());
    }
    table.print(text);
    for line in warm_up.sentence.iter().chain(&warm_up.notes) {
        text.blank();
        text.paragraph("  ", PLAIN, line);
    }
}

/// One line each; the page draws the evidence and says what to do.
fn findings(text: &mut Text, limits: &LimitsOverview<'_>) {
    let mut first = true;
    for row in &limits.rows {
        let found = row.cell.memory.iter().flat_map(|memory| &memory.findings);
        let found = found.map(|finding| words::finding(row.cell, finding));
        for sentence in found.chain(words::diagnosis(row.cell)) {
            if first {
                text.blank();
                text.line(&[(PLAIN, "  Memory over time")]);
                first = false;
            }
            text.paragraph("  ", PLAIN, &sentence);
        }
    }
}

/// The largest saving of memory without a cost; the page has the rest.
fn memory_line(limits: &LimitsOverview<'_>) -> Option<String> {
    let (first, rest) = limits.memory.split_first()?;
    Some(match rest.len() {
        0 => format!("Memory: {first}"),
        more => format!("Memory: {first} {more} more in the report."),
    })
}

/// The first crossing, for the page has the others; or who is cheaper throughout.
fn break_even_line(limits: &LimitsOverview<'_>, baseline: &str) -> Option<String> {
    let (first, rest) = limits.break_evens.split_first()?;
    if !words::crosses(first) {
        let throughout = words::break_evens(&limits.break_evens, baseline);
        let sentences = throughout.iter().map(|line| figures::capitalised(line));
        return Some(format!(
            "Break-even: none. {}.",
            sentences.collect::<Vec<_>>().join(". ")
        ));
    }
    let text = words::break_even(first);
    let more = rest.iter().filter(|b| words::crosses(b)).count();
    Some(match more {
        0 => format!("Break-even, {text}."),
        more => format!("Break-even, {text}; {more} more in the report."),
    })
}

fn legend(text: &mut Text, run: &RunData, results: &Results) {
    text.blank();
    text.paragraph(
        "",
        DIM,
        &format!(
            "Median over launches with its 95 % interval; ×: ratio to {}. ✓ better and ✗ worse by more than {}, = same, ? inconclusive, with the smallest difference that would have been told. Of runs of identical variants at most one in twenty says ✓ or ✗ of anything.",
            run.plan.baseline,
            figures::percent(run.plan.threshold)
        ),
    );
    for note in words::mark_notes(results) {
        text.paragraph("", DIM, note);
    }
}

fn troubles(text: &mut Text, run: &RunData) {
    let mut first = true;
    for launch in &run.launches {
        let record = &launch.record;
        let Some((state, why)) = words::trouble(&record.outcome) else {
            continue;
        };
        if first {
            text.blank();
            text.line(&[(BOLD, "Launches that do not count")]);
            first = false;
        }
        text.paragraph(
            "  ",
            PLAIN,
            &format!("{} {}: {state}. {why}", record.number, record.cell),
        );
    }
}

fn checks(text: &mut Text, results: &Results) {
    if results.checks.is_empty() {
        return;
    }
    text.blank();
    let failed = results.checks.iter().filter(|c| !c.passed).count();
    text.line(&[(
        BOLD,
        &format!(
            "Checks: {} hold, {failed} do not",
            results.checks.len() - failed
        ),
    )]);
    // If there are few checks, show all of them; otherwise only those that failed.
    let all = results.checks.len() <= 8;
    for check in results.checks.iter().filter(|c| all || !c.passed) {
        let (sign, style) = style::sign(check.passed);
        text.paragraph("  ", style, &format!("{sign} {}", words::check(check)));
    }
}

fn certificate(text: &mut Text, results: &Results) {
    let certificate = &results.certificate;
    style::certificate_line(text, certificate.state);
    for evidence in &certificate.evidence {
        if words::is_told(evidence) {
            text.paragraph(
                "  ",
                PLAIN,
                &format!(
                    "{} ({}): {}",
                    rule_in_words(&evidence.rule),
                    words::certificate(evidence.state),
                    evidence.statement
                ),
            );
        }
    }
}
