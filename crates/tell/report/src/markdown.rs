//! A comment for a pull request: the advice and one table above the fold, the rest to unfold.

use crate::overview::{Column, LimitsOverview, Row, overview};
use crate::{Exporter, Format, words};
use std::fmt::Write as _;
use tacho_figures as figures;
use tacho_run_folder::{CertificateState, MetricResult, Results, RunData, rule_in_words};

/// A run as Markdown.
pub const MARKDOWN: Format = Exporter {
    option: "markdown",
    variable: "TACHO_MARKDOWN",
    help: "Also write a summary in Markdown, for a pull request",
    export: |of| Ok(render(&of.run, &of.results).into_bytes()),
};

/// GitHub's flavour, ending in a newline.
#[must_use]
pub fn render(run: &RunData, results: &Results) -> String {
    let mut md = String::new();
    let _ = writeln!(md, "### Tacho: {}\n", escape(&run.header.name));
    let _ = writeln!(md, "**{}**\n", prose(&results.advice.sentence));
    certificate(&mut md, results);
    let overview = overview(run, results);
    for limits in &overview {
        limits_part(&mut md, run, limits, overview.len() > 1);
    }
    let _ = writeln!(
        md,
        "<sub>Median over launches with its 95 % interval; × is the ratio to `{}`: ✓ better and ✗ worse by more than {}, = same, ? open (the interval leaves it undecided).</sub>\n",
        code(&run.plan.baseline),
        figures::percent(run.plan.threshold)
    );
    checks(&mut md, results);
    troubles(&mut md, run);
    for limits in &overview {
        all_metrics(&mut md, limits);
    }
    commands(&mut md, run);
    about(&mut md, run);
    md
}

fn certificate(md: &mut String, results: &Results) {
    let certificate = &results.certificate;
    let sign = match certificate.state {
        CertificateState::Valid => "✅",
        CertificateState::Degraded => "⚠️",
        CertificateState::Invalid => "❌",
    };
    let _ = writeln!(
        md,
        "{sign} Certificate **{}**: {}.\n",
        words::certificate(certificate.state),
        words::certificate_meaning(certificate.state)
    );
    let told = certificate.evidence.iter().filter(|e| words::is_told(e));
    let told: Vec<_> = told.collect();
    for evidence in &told {
        let _ = writeln!(
            md,
            "- {} ({}): {}",
            prose(&rule_in_words(&evidence.rule)),
            words::certificate(evidence.state),
            prose(&evidence.statement)
        );
    }
    if !told.is_empty() {
        md.push('\n');
    }
}

fn limits_part(md: &mut String, run: &RunData, limits: &LimitsOverview<'_>, titled: bool) {
    if titled {
        let _ = writeln!(md, "#### {}\n", words::limits(limits.limits));
    }
    let start = limits.columns.iter().map(|c| (c.title.clone(), c));
    table(md, run, limits, start.collect());
    let load = limits.phases.iter().flat_map(|phase| {
        let title = |c: &Column| format!("{} {}", phase.label, c.title);
        phase.columns.iter().map(move |c| (title(c), c))
    });
    table(md, run, limits, load.collect());
    let title = |c: &Column| format!("collection: {}", c.title);
    let collections = limits.collections.iter().map(|c| (title(c), c));
    table(md, run, limits, collections.collect());
    if let Some(advice) = limits.advice
        && titled
    {
        let _ = writeln!(md, "{}\n", prose(advice));
    }
    findings(md, limits);
    for trade in limits.memory {
        let _ = writeln!(md, "- {}", prose(trade));
    }
    if !limits.memory.is_empty() {
        md.push('\n');
    }
    for line in words::break_evens(&limits.break_evens, &run.plan.baseline) {
        let _ = writeln!(md, "- Break-even, {}", escape(&line));
    }
    if !limits.break_evens.is_empty() {
        md.push('\n');
    }
}

/// Patterns of memory over time, and what diagnosis launches say.
fn findings(md: &mut String, limits: &LimitsOverview<'_>) {
    let mut any = false;
    for row in &limits.rows {
        for finding in row.cell.memory.iter().flat_map(|memory| &memory.findings) {
            let _ = writeln!(md, "- {}", prose(&words::finding(row.cell, finding)));
            any = true;
        }
        if let Some(said) = words::diagnosis(row.cell) {
            let _ = writeln!(md, "- {}", prose(&said));
            any = true;
        }
    }
    if any {
        md.push('\n');
    }
}

/// A row a variant; nothing without columns.
fn table(
    md: &mut String,
    run: &RunData,
    limits: &LimitsOverview<'_>,
    columns: Vec<(String, &Column)>,
) {
    if columns.is_empty() {
        return;
    }
    let titles: Vec<String> = columns.iter().map(|(title, _)| escape(title)).collect();
    let _ = writeln!(md, "| variant | {} |", titles.join(" | "));
    let _ = writeln!(md, "|:---|{}", "---:|".repeat(titles.len()));
    for row in &limits.rows {
        let cells: Vec<String> = columns
            .iter()
            .map(|(_, column)| {
                column
                    .of(row.cell)
                    .map_or_else(|| "–".to_owned(), short_metric)
            })
            .collect();
        let _ = writeln!(md, "| {} | {} |", variant(run, row), cells.join(" | "));
    }
    md.push('\n');
}

fn variant(run: &RunData, row: &Row<'_>) -> String {
    let mut text = format!("**{}**", escape(&row.cell.variant));
    if row.cell.variant == run.plan.baseline {
        text.push_str(" (baseline)");
    }
    if row.is_copy {
        text.push_str(" (baseline again)");
    }
    if let Some(missing) = row.missing_launches() {
        let _ = write!(text, "<br>⚠️ {missing}");
    }
    text
}

fn short_metric(metric: &MetricResult) -> String {
    let value = words::value(metric);
    match &metric.versus_baseline {
        Some(comparison) => format!("{value}<br>{}", words::comparison(comparison)),
        None => value,
    }
}

fn checks(md: &mut String, results: &Results) {
    if results.checks.is_empty() {
        return;
    }
    md.push_str("| check | cell | measured | |\n|:---|:---|---:|:---|\n");
    for check in &results.checks {
        let measured = words::check_value(check).unwrap_or_else(|| "–".to_owned());
        let _ = writeln!(
            md,
            "| `{}` | {} | {measured} | {} |",
            code_in_table(&check.check),
            escape(&check.cell),
            if check.passed {
                "✓ holds"
            } else {
                "✗ does not hold"
            }
        );
    }
    md.push('\n');
}

fn troubles(md: &mut String, run: &RunData) {
    let troubles: Vec<_> = run
        .launches
        .iter()
        .filter_map(|l| Some((&l.record, words::trouble(&l.record.outcome)?)))
        .collect();
    if troubles.is_empty() {
        return;
    }
    let _ = writeln!(
        md,
        "<details><summary>{} not count</summary>\n",
        figures::counted(troubles.len() as u64, "1 launch does", "launches do")
    );
    for (record, (state, why)) in troubles {
        let _ = writeln!(
            md,
            "- launch {} of {}: {state}. {}",
            record.number,
            escape(&record.cell),
            escape(why)
        );
    }
    md.push_str("\n</details>\n\n");
}

fn all_metrics(md: &mut String, limits: &LimitsOverview<'_>) {
    let _ = writeln!(
        md,
        "<details><summary>All metrics, {}</summary>\n",
        words::limits(limits.limits)
    );
    md.push_str("| metric | variant | median | 95 % interval | ratio | verdict |\n");
    md.push_str("|:---|:---|---:|:---|:---|:---|\n");
    for row in &limits.rows {
        for metric in &row.cell.metrics {
            let (ratio, verdict) = metric.versus_baseline.map_or_else(
                || ("–".to_owned(), "baseline".to_owned()),
                |c| {
                    (
                        format!(
                            "{} ({})",
                            figures::ratio(c.ratio.value),
                            figures::ratio_interval(&c.ratio)
                        ),
                        match words::detectable(&c) {
                            Some(percent) => format!("inconclusive, detectable from {percent}"),
                            None => words::verdict(c.verdict).to_owned(),
                        },
                    )
                },
            );
            let _ = writeln!(
                md,
                "| {} | {} | {} | {} | {ratio} | {verdict} |",
                escape(&metric.name),
                escape(&row.cell.variant),
                words::value(metric),
                figures::interval(&metric.estimate, &metric.unit).unwrap_or_default(),
            );
        }
    }
    md.push_str("\n</details>\n\n");
}

fn commands(md: &mut String, run: &RunData) {
    md.push_str("<details><summary>Command lines</summary>\n\n");
    for variant in &run.variants {
        let command = words::command_line(&variant.command);
        let fence = "`".repeat(longest_run_of_backticks(&command).max(2) + 1);
        let _ = writeln!(
            md,
            "{}\n{fence}sh\n{command}\n{fence}",
            escape(&variant.name)
        );
    }
    md.push_str("\n</details>\n\n");
}

fn about(md: &mut String, run: &RunData) {
    let machine = &run.header.machine;
    let _ = writeln!(
        md,
        "<sub>Run `{}` with Tacho {}: {}, {} CPUs ({}), {}, kernel {}, control groups {}; seed {}.</sub>",
        code(&run.header.id),
        escape(&run.header.tacho),
        figures::launches(run.launches.len()),
        machine.cpus,
        escape(&machine.cpu_model),
        escape(&machine.os),
        escape(&machine.kernel),
        escape(&machine.cgroup),
        run.plan.seed
    );
}

fn longest_run_of_backticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// A code span: only the backtick would end it, or an empty line.
fn code(text: &str) -> String {
    text.replace('`', "'").replace(char::is_control, " ")
}

/// A code span inside a table: only the bar and the backtick would end it.
fn code_in_table(text: &str) -> String {
    code(text).replace('|', "\\|")
}

/// A sentence in which names stand between backticks, which Markdown reads as code. Nothing else of
/// it becomes markup or mentions anybody, whatever it quotes.
#[must_use]
pub fn prose(sentence: &str) -> String {
    words::prose(sentence)
        .into_iter()
        .map(|stretch| {
            if stretch.is_name {
                format!("`{}`", code(&stretch.text))
            } else {
                escape(&stretch.text)
            }
        })
        .collect()
}

/// Text that must not become markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '@' => escaped.push_str("&#64;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup_or_a_mention() {
        assert_eq!(
            escape("a|b *c* <d> @e\nf\u{1b}[2J"),
            "a\\|b \\*c\\* &lt;d&gt; &#64;e f \\[2J"
        );
        assert_eq!(code_in_table("a|b`c"), "a\\|b'c");
        assert_eq!(longest_run_of_backticks("a```b`"), 3);
    }
}
