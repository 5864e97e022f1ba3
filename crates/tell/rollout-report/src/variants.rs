//! Variants that were deployed and changed, on the terminal: what their users felt, phase by phase,
//! and what became of the requests that were lost.

use crate::Report;
use crate::words;
use std::collections::BTreeMap;
use tacho_figures::ms;
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;
use tacho_run_folder::{Cell, LaunchData, LaunchOutcome, Quantiles, RunData};
use tacho_statistics::bootstrap::median;

/// A figure of response times, by its name.
type Figure = (&'static str, fn(&Quantiles) -> f64);

/// The figures, in the order of the columns.
const FIGURES: [Figure; 7] = [
    ("min", |times| times.min),
    ("mean", |times| times.mean),
    ("p50", |times| times.p50),
    ("p90", |times| times.p90),
    ("p95", |times| times.p95),
    ("p99", |times| times.p99),
    ("longest", |times| times.max),
];

/// The whole text, ending in a newline. `reports` are keyed by the numbers of their launches.
#[must_use]
pub fn render(run: &RunData, reports: &BTreeMap<u32, Report>, style: &Style) -> String {
    let mut text = style.text();
    for phase in &run.plan.phases {
        text.blank();
        let title = format!("What users felt, {}: medians of n launches", phase.label);
        text.paragraph("", BOLD, &title);
        let mut table = table();
        for cell in &run.plan.cells {
            let style = match lost(run, cell, &phase.label) {
                0 => PLAIN,
                _ => RED,
            };
            if let Some(row) = row(run, cell, &phase.label) {
                table.row(style, row);
            }
        }
        table.print_whole(&mut text);
    }
    causes(&mut text, run, reports);
    text.finish(style.colour)
}

fn table() -> Table {
    let own = [Column::left(""), Column::right("n"), Column::right("lost")];
    let figures = FIGURES.map(|(name, _)| Column::right(name));
    Table::new(own.into_iter().chain(figures).collect())
}

fn of_cell<'r>(run: &'r RunData, cell: &'r Cell) -> impl Iterator<Item = &'r LaunchData> {
    run.launches.iter().filter(|launch| {
        launch.record.cell == cell.id && launch.record.outcome == LaunchOutcome::Completed
    })
}

fn lost(run: &RunData, cell: &Cell, label: &str) -> u64 {
    let phases = of_cell(run, cell).flat_map(|launch| &launch.record.phases);
    let phases = phases.filter(|phase| phase.label == label);
    phases
        .map(|phase| phase.requests - phase.succeeded.min(phase.requests))
        .sum()
}

/// `None` where no launch had the phase. Where nobody was answered in it, there are no times.
fn row(run: &RunData, cell: &Cell, label: &str) -> Option<Vec<String>> {
    let phases = of_cell(run, cell).flat_map(|launch| &launch.record.phases);
    let times: Vec<Option<Quantiles>> = phases
        .filter(|phase| phase.label == label)
        .map(|phase| phase.response_time_ms)
        .collect();
    if times.is_empty() {
        return None;
    }
    let times: Vec<Quantiles> = times.into_iter().flatten().collect();
    let figures = FIGURES.map(|(_, of)| {
        let all: Vec<f64> = times.iter().map(of).collect();
        median(&all).map_or_else(|| "–".to_owned(), ms)
    });
    let count = times.len().to_string();
    let lost = lost(run, cell, label).to_string();
    let own = [cell.id.clone(), count, lost];
    Some(own.into_iter().chain(figures).collect())
}

/// By variant: what was going on when requests were lost, and what to do about it.
fn causes(text: &mut Text, run: &RunData, reports: &BTreeMap<u32, Report>) {
    let mut is_any = false;
    for cell in &run.plan.cells {
        let own: Vec<&Report> = of_cell(run, cell)
            .filter_map(|launch| reports.get(&launch.record.number))
            .collect();
        let all: Vec<_> = own.iter().flat_map(|report| report.lost.clone()).collect();
        if all.is_empty() {
            continue;
        }
        is_any = true;
        text.blank();
        let that_lost = own.iter().filter(|report| !report.lost.is_empty()).count();
        let title = format!(
            "Lost by {}, in {that_lost} of {} launches",
            cell.id,
            own.len()
        );
        text.line(&[(BOLD, &title)]);
        for (kind, example) in words::lost(&all) {
            text.paragraph("  ", PLAIN, &kind);
            text.paragraph("    ", DIM, &example);
        }
        for sentence in advice(own).into_iter().take(3) {
            text.paragraph("  ", PLAIN, sentence);
        }
    }
    text.blank();
    match is_any {
        true => text.paragraph(
            "",
            PLAIN,
            "Beside each launch's record: rollout.json, and rollout.html with its users beside the lives of its pods.",
        ),
        false if reports.is_empty() => {}
        false if reports.values().any(|report| report.is_part) => text.paragraph(
            "",
            YELLOW,
            "No request that was kept one by one was lost. There were more than are kept: what became of the others is in the tables alone.",
        ),
        false => text.paragraph("", GREEN, "No request was lost."),
    }
}

/// The advice of all launches of a variant, each piece once. Launches may give the same advice with
/// different numbers; then that of the launch with the slowest endpoints is kept.
fn advice(mut own: Vec<&Report>) -> Vec<&str> {
    let lag = |report: &Report| report.lags.to_take_no_more_s.unwrap_or_default();
    own.sort_by(|a, b| lag(b).total_cmp(&lag(a)));
    let mut told: Vec<&str> = Vec::new();
    for sentence in own.into_iter().flat_map(|report| &report.advice) {
        if told.iter().all(|one| reason(one) != reason(sentence)) {
            told.push(sentence);
        }
    }
    told
}

/// The first sentence of a piece of advice, which says what it is given for.
fn reason(advice: &str) -> &str {
    advice.split_once(". ").map_or(advice, |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::report;
    use tacho_analysis::testkit::{Profile, Synthetic};

    fn told(reports: &BTreeMap<u32, Report>) -> String {
        told_within(100, reports)
    }

    fn told_within(width: usize, reports: &BTreeMap<u32, Report>) -> String {
        let run = Synthetic::new(2)
            .variant(Profile::named("jar"))
            .variant(Profile::named("aot"))
            .open_phase("fresh")
            .open_phase("restart")
            .run();
        let style = Style {
            colour: false,
            width,
        };
        render(&run, reports, &style)
    }

    #[test]
    fn each_phase_has_a_row_of_each_variant() {
        let text = told(&BTreeMap::from([(1, report(false))]));
        for phase in ["fresh", "restart"] {
            let (_, table) = text.split_once(&format!("felt, {phase}")).unwrap();
            let table: Vec<&str> = table.lines().take(4).collect();
            assert!(table[1].contains("longest"), "{text}");
            assert!(table[2].trim_start().starts_with("jar"), "{text}");
            assert!(table[3].trim_start().starts_with("aot"), "{text}");
        }
        assert!(text.contains("No request was lost."), "{text}");
        assert!(!text.contains('…'), "{text}");
    }

    /// A variant that loses all of its requests is not left out.
    #[test]
    fn where_nobody_was_answered_that_is_told() {
        let mut run = Synthetic::new(2)
            .variant(Profile::named("jar"))
            .variant(Profile::named("aot"))
            .open_phase("restart")
            .run();
        let of_aot = |launch: &&mut LaunchData| launch.record.cell == "aot";
        for launch in run.launches.iter_mut().filter(of_aot) {
            for phase in &mut launch.record.phases {
                (phase.requests, phase.succeeded) = (100, 0);
                phase.response_time_ms = None;
            }
        }
        let style = Style {
            colour: false,
            width: 100,
        };
        let text = render(&run, &BTreeMap::new(), &style);
        let row = text.lines().find(|line| line.trim().starts_with("aot"));
        let cells: Vec<&str> = row.unwrap().split_whitespace().collect();
        let none = ["–"; FIGURES.len()];
        assert_eq!(cells, [&["aot", "0", "200"][..], &none].concat(), "{text}");
    }

    #[test]
    fn a_narrow_terminal_loses_no_figure() {
        for width in [80, 60] {
            let text = told_within(width, &BTreeMap::from([(1, report(false))]));
            assert!(!text.contains('…'), "{text}");
            for (figure, _) in FIGURES {
                assert!(text.contains(figure), "{figure} of {width}\n{text}");
            }
        }
    }

    #[test]
    fn where_only_a_part_was_kept_it_is_not_said_that_nothing_was_lost() {
        let mut part = report(false);
        part.is_part = true;
        let text = told(&BTreeMap::from([(1, part), (2, report(false))]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!text.contains("No request was lost."), "{text}");
        assert!(text.contains("There were more than are kept"), "{text}");
    }

    #[test]
    fn what_was_lost_is_told_by_variant_with_what_to_do() {
        let text = told(&BTreeMap::from([(1, report(true)), (2, report(false))]));
        assert!(text.contains("Lost by jar"), "{text}");
        assert!(text.contains("in 1 of 1 launches"), "{text}");
        assert!(!text.contains("No request was lost."), "{text}");
    }

    #[test]
    fn an_advice_is_given_once_and_by_the_launch_that_saw_the_slowest_endpoints() {
        let seen = |lag_s: f64| {
            let mut report = report(true);
            report.lags.to_take_no_more_s = Some(lag_s);
            report.advice = vec![
                format!("New connections failed. Wait for {lag_s} s."),
                "Pods were slow. Warm them.".to_owned(),
            ];
            report
        };
        let (quick, slow) = (seen(0.5), seen(2.0));
        assert_eq!(
            advice(vec![&quick, &slow]),
            [
                "New connections failed. Wait for 2 s.",
                "Pods were slow. Warm them."
            ]
        );
    }
}
