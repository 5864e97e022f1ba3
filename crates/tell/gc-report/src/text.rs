//! The summary on the terminal: the sentence on top, the expert's tables below.

use crate::words;
use tacho_figures::{self as figures, ms, percent, seconds as s};
use tacho_gc_conclusions::{Conclusions, Reading};
use tacho_gc_log::{CauseTotal, GcSummary};
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;

/// Rows of a table that are shown; the JSON has all.
const ROWS: usize = 12;

/// The whole summary, ending in a newline.
#[must_use]
pub fn render(reading: &Reading, style: &Style) -> String {
    let summary = &reading.summary;
    let mut text = style.text();
    head(&mut text, summary);
    stands_out(&mut text, &reading.conclusions);
    sizing(&mut text, reading);
    pauses(&mut text, summary);
    histogram(&mut text, summary);
    causes(&mut text, "Pauses by cause", &summary.pauses.by_cause);
    cycles(&mut text, summary);
    heap(&mut text, summary);
    ages(&mut text, summary);
    processor(&mut text, summary);
    log(&mut text, summary);
    text.finish(style.colour)
}

fn head(text: &mut Text, summary: &GcSummary) {
    let files = match summary.files.as_slice() {
        [one] => one.clone(),
        [first, .., last] => format!("{first} … {last} ({} files)", summary.files.len()),
        [] => String::new(),
    };
    text.line(&[(BOLD, "Tacho gc"), (PLAIN, " · "), (BOLD, &files)]);
    let set_up = words::set_up(summary);
    if !set_up.is_empty() {
        text.paragraph("", DIM, &set_up.join(", "));
    }
    text.blank();
    text.paragraph("", BOLD, &words::sentence(summary));
}

fn stands_out(text: &mut Text, conclusions: &Conclusions) {
    if conclusions == &Conclusions::default() {
        return;
    }
    text.heading("What stands out", "");
    for conclusion in &conclusions.found {
        text.paragraph("  ", YELLOW, &conclusion.summary);
        if let Some(advice) = &conclusion.advice {
            text.paragraph("    ", DIM, &format!("→ {advice}"));
        }
    }
    for sentence in conclusions.absent.iter().chain(&conclusions.not_told) {
        text.paragraph("  ", DIM, sentence);
    }
}

fn sizing(text: &mut Text, reading: &Reading) {
    let Some(sizing) = &reading.sizing else {
        return;
    };
    text.heading(
        "Objective",
        &format!("  no pause longer than {}", ms(sizing.objective_ms)),
    );
    text.paragraph("  ", PLAIN, &sizing.summary);
}

fn pauses(text: &mut Text, summary: &GcSummary) {
    let pauses = &summary.pauses;
    if pauses.count == 0 {
        return;
    }
    text.heading("Pauses", "  the program stands still");
    let mut table = table(&["count", "total", "p50", "p90", "p99", "max"]);
    let all = (
        None,
        BOLD,
        pauses.count,
        pauses.total_s,
        pauses.quantiles_ms,
    );
    let kinds = pauses.by_kind.iter().map(|kind| {
        (
            Some(&kind.kind),
            if kind.is_last_resort { RED } else { PLAIN },
            kind.count,
            kind.total_s,
            kind.quantiles_ms,
        )
    });
    let kinds: Vec<_> = kinds.take(ROWS).collect();
    let rows = kinds
        .iter()
        .copied()
        .chain((kinds.len() > 1).then_some(all));
    for (kind, style, count, total, quantiles) in rows {
        let mut row = vec![
            kind.map_or_else(|| "all".to_owned(), Clone::clone),
            figures::count(count),
            s(total),
        ];
        row.extend(match quantiles {
            Some(q) => [q.p50, q.p90, q.p99, q.max].map(ms),
            None => std::array::from_fn(|_| "–".to_owned()),
        });
        table.row(style, row);
    }
    table.print(text);
}

/// Cells of the longest bar.
const BAR: f64 = 30.0;

fn histogram(text: &mut Text, summary: &GcSummary) {
    let bars = &summary.pauses.histogram;
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0);
    if bars.len() < 2 {
        return;
    }
    text.heading("Pauses by length", "");
    let mut table = Table::new(vec![
        Column::right("up to"),
        Column::right("count"),
        Column::right("total"),
        Column::left(""),
    ]);
    for bar in bars {
        let cells = (BAR * bar.count as f64 / most.max(1) as f64).ceil() as usize;
        table.row(
            PLAIN,
            vec![
                ms(bar.up_to_ms),
                figures::count(bar.count),
                s(bar.total_s),
                "▇".repeat(cells),
            ],
        );
    }
    table.print(text);
}

fn ages(text: &mut Text, summary: &GcSummary) {
    let Some(ages) = &summary.ages else { return };
    text.heading(
        "Ages of living objects",
        "  young collections that they survived",
    );
    let mut table = Table::new(vec![Column::right("age"), Column::right("mean")]);
    for row in ages.by_age.iter().take(ROWS) {
        table.row(
            PLAIN,
            vec![row.age.to_string(), figures::bytes(row.mean_bytes as f64)],
        );
    }
    table.print(text);
    text.paragraph(
        "  ",
        PLAIN,
        &format!(
            "Survivors may take {}; after {} of {} collections objects moved to the old generation before age {}.",
            figures::bytes(ages.desired_survivor_bytes as f64),
            figures::count(ages.early),
            figures::count(ages.tables),
            ages.max_threshold
        ),
    );
}

/// Names, and columns of figures.
fn table(figures: &[&str]) -> Table {
    let figures = figures.iter().map(|name| Column::right(name));
    Table::new([Column::left("")].into_iter().chain(figures).collect())
}

fn causes(text: &mut Text, title: &str, causes: &[CauseTotal]) {
    let causes: Vec<&CauseTotal> = causes
        .iter()
        .filter(|cause| cause.cause.is_some())
        .collect();
    if causes.is_empty() {
        return;
    }
    text.heading(title, "");
    let mut table = Table::new(vec![
        Column::left("cause"),
        Column::left("kind"),
        Column::right("count"),
        Column::right("total"),
        Column::right("max"),
    ]);
    for cause in causes.iter().take(ROWS) {
        let has_time = cause.total_s > 0.0;
        let time = |value: String| if has_time { value } else { "–".to_owned() };
        table.row(
            PLAIN,
            vec![
                cause.cause.clone().unwrap_or_default(),
                cause.kind.clone(),
                figures::count(cause.count),
                time(s(cause.total_s)),
                time(ms(cause.max_ms)),
            ],
        );
    }
    table.print(text);
    more(text, causes.len());
}

fn more(text: &mut Text, rows: usize) {
    if rows > ROWS {
        text.line(&[(
            DIM,
            &format!("  and {} more; the JSON has all of them", rows - ROWS),
        )]);
    }
}

fn cycles(text: &mut Text, summary: &GcSummary) {
    causes(text, "Concurrent cycles", &summary.cycles);
    if summary.concurrent_phases.is_empty() {
        return;
    }
    let whole = summary
        .concurrent_s
        .map(|concurrent| format!("  beside the program, {} in all", s(concurrent)))
        .unwrap_or_default();
    text.heading("Concurrent phases", &whole);
    let mut table = table(&["count", "total", "max"]);
    for phase in summary.concurrent_phases.iter().take(ROWS / 2) {
        table.row(
            PLAIN,
            vec![
                phase.name.clone(),
                figures::count(phase.count),
                s(phase.total_s),
                ms(phase.max_ms),
            ],
        );
    }
    table.print(text);
}

fn heap(text: &mut Text, summary: &GcSummary) {
    let rows = words::heap_rows(summary);
    if rows.is_empty() {
        return;
    }
    text.heading("Heap", "");
    let mut table = Table::new(vec![Column::left(""), Column::right(""), Column::left("")]);
    for (name, value, note) in rows {
        table.row(PLAIN, vec![name.to_owned(), value, note]);
    }
    table.print(text);
}

fn processor(text: &mut Text, summary: &GcSummary) {
    let Some(cpu) = &summary.cpu else { return };
    text.heading(
        "Processor time of pauses",
        "  as the JVM rounds it: 10 ms each",
    );
    text.line(&[(
        PLAIN,
        &format!(
            "  {} in its code, {} in the kernel, {} by the clock",
            s(cpu.user_s),
            s(cpu.system_s),
            s(cpu.real_s)
        ),
    )]);
}

fn log(text: &mut Text, summary: &GcSummary) {
    if let Some(safepoints) = &summary.safepoints {
        text.heading(
            "Safepoints",
            "  everything that stops all threads, collections included",
        );
        let share = summary
            .time
            .as_ref()
            .filter(|time| time.duration_s > 0.0)
            .map(|time| {
                // The first stop may have begun before the log.
                let share = safepoints.total_s / time.duration_s;
                format!(" ({} of the time)", percent(share.min(1.0)))
            })
            .unwrap_or_default();
        text.paragraph(
            "  ",
            PLAIN,
            &format!(
                "{} for {}{share}; until all threads stood: {} in all, {} at most",
                figures::count(safepoints.count),
                s(safepoints.total_s),
                s(safepoints.reaching_s),
                ms(safepoints.max_reaching_ms)
            ),
        );
    }
    text.heading("The log", "");
    text.paragraph("  ", PLAIN, &words::lines(summary));
    for example in summary.lines.examples.iter().take(5) {
        text.line(&[
            (RED, &format!("  {} × ", figures::count(example.count))),
            (PLAIN, &printable(&example.line)),
        ]);
    }
    for note in &summary.notes {
        text.paragraph("  ", YELLOW, note);
    }
}

/// Removes characters that could move the cursor of a terminal.
fn printable(line: &str) -> String {
    line.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
