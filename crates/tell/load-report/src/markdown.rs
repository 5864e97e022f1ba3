//! A few lines of Markdown, for a pull request or a chat.

use crate::model::LoadReport;
use crate::{Exporter, Format};
use std::fmt::Write as _;
use tacho_figures as figures;
use tacho_report::markdown::prose;
use tacho_report::words;
use tacho_run_folder::{CertificateState, Quantiles, rule_in_words};

/// A load run as Markdown.
pub const MARKDOWN: Format = Exporter {
    option: "markdown",
    variable: "TACHO_MARKDOWN",
    help: "Summary in Markdown (-)",
    export: |of| Ok(render(&of.run.report).into_bytes()),
};

/// The whole text, ending in a newline.
#[must_use]
pub fn render(report: &LoadReport) -> String {
    let mut text = String::new();
    let intended = report
        .intended_rate
        .map(|rate| format!(" of {} intended", figures::value(rate, "/s")))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "**Tacho load** `{}`: {} in {}, {} answered{intended}; certificate **{}**\n",
        report.url.replace('`', "'"),
        figures::counted(report.requests, "1 request", "requests"),
        figures::seconds(report.duration_s),
        figures::value(report.rate, "/s"),
        words::certificate(report.certificate.state),
    );
    text.push_str("| | p50 | p90 | p99 | p99.9 | max |\n|---|---:|---:|---:|---:|---:|\n");
    row(&mut text, "**response time**", report.response_time_ms);
    row(&mut text, "service time", report.service_time_ms);
    row(&mut text, "dispatch delay", report.dispatch_delay_ms);
    let outcomes: Vec<String> = report
        .outcomes
        .iter()
        .map(|(name, outcome)| format!("{} × {name}", figures::count(outcome.count)))
        .collect();
    let _ = writeln!(text, "\nOutcomes: {}.", outcomes.join(", "));
    if let Some(search) = &report.search {
        let _ = writeln!(text, "\n{}", prose(&search.text));
    }
    if !report.checks.is_empty() {
        text.push('\n');
    }
    for check in &report.checks {
        let sign = if check.passed { "✓" } else { "✗" };
        let _ = writeln!(text, "- {sign} `{}`: {}", check.check, prose(&check.text));
    }
    let doubts: Vec<_> = report
        .certificate
        .evidence
        .iter()
        .filter(|e| e.state != CertificateState::Valid)
        .collect();
    if !doubts.is_empty() || !report.notes.is_empty() {
        text.push('\n');
    }
    for note in &report.notes {
        let _ = writeln!(text, "- note: {}", prose(note));
    }
    for evidence in doubts {
        let state = words::certificate(evidence.state);
        let _ = writeln!(
            text,
            "- {state} by {}: {}",
            rule_in_words(&evidence.what),
            prose(&evidence.text)
        );
    }
    text
}

fn row(text: &mut String, name: &str, quantiles: Option<Quantiles>) {
    let cells = quantiles.map_or_else(
        || vec!["–".to_owned(); 5],
        |q| {
            [q.p50, q.p90, q.p99, q.p99_9, q.max]
                .map(figures::ms)
                .into()
        },
    );
    let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
}
