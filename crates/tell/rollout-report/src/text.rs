//! On the terminal: what users felt, the pods beside it, what was lost, what to do.

use crate::words::{self, Tone};
use crate::{PodLife, Report};
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, GREEN, PLAIN, RED, YELLOW};
use tacho_report::terminal::text::Text;
use tacho_rollout::{AllSlow, Lost, Youth};

/// The most pods that are listed on the terminal.
const PODS: usize = 12;

/// Everything, ending in a newline.
#[must_use]
pub fn render(report: &Report, style: &Style) -> String {
    let mut text = style.text();
    text.blank();
    let title = format!("Tacho rollout · {}", words::title(report));
    text.paragraph("", BOLD, &title);
    text.paragraph("", PLAIN, &words::load(report));
    text.blank();
    let (tone, verdict) = words::verdict(report);
    let style_of = match tone {
        Tone::Good => GREEN,
        Tone::Bad => RED,
        Tone::Open => YELLOW,
    };
    text.paragraph("", style_of, &verdict);
    felt(&mut text, report);
    pods(&mut text, &report.pods);
    if let Some(lags) = words::lags(report) {
        text.blank();
        text.paragraph("", PLAIN, &lags);
    }
    slow(&mut text, &report.slow);
    youth(&mut text, &report.youth);
    lost(&mut text, &report.lost);
    if let Some(tried) = &report.tried {
        text.blank();
        text.paragraph("", PLAIN, &words::tried(tried));
    }
    if !report.advice.is_empty() {
        text.blank();
        text.line(&[(BOLD, "What to do")]);
        for advice in &report.advice {
            text.paragraph("  ", PLAIN, advice);
        }
    }
    for note in &report.notes {
        text.blank();
        text.paragraph("", YELLOW, note);
    }
    text.finish(style.colour)
}

fn felt(text: &mut Text, report: &Report) {
    text.blank();
    text.line(&[(BOLD, "What users felt")]);
    let mut table = table(&words::FELT);
    for felt in &report.felt {
        let style = if felt.lost > 0 { RED } else { PLAIN };
        table.row(style, words::felt(felt).into());
    }
    table.print_whole(text);
}

/// The first column names the rows, the others hold figures.
fn table(heads: &[&str]) -> Table {
    let columns = heads.iter().enumerate().map(|(place, head)| match place {
        0 => Column::left(head),
        _ => Column::right(head),
    });
    Table::new(columns.collect())
}

fn pods(text: &mut Text, pods: &[PodLife]) {
    text.blank();
    text.line(&[(
        BOLD,
        "Pods, in seconds from the first change, as the API told it",
    )]);
    let heads = words::PHASES.map(|(_, name)| name);
    let mut table = table(&[&[""][..], &heads].concat());
    let shown = &pods[..pods.len().min(PODS)];
    for (number, pod) in (1..).zip(shown) {
        let cells = words::phases(pod);
        let row = std::iter::once(format!("{number}")).chain(cells);
        table.row(PLAIN, row.collect());
    }
    table.print_whole(text);
    for (number, pod) in (1..).zip(shown) {
        text.line(&[(DIM, &format!("  {number:<2}  {}", words::pod(pod)))]);
    }
    let more = pods.len() - shown.len();
    if more > 0 {
        let more = format!("  and {more} more: in --json and --html");
        text.line(&[(DIM, &more)]);
    }
}

fn slow(text: &mut Text, all: &AllSlow) {
    let Some((kinds, longest)) = words::slow(all) else {
        return;
    };
    text.blank();
    text.line(&[(BOLD, "Slower than any before the first change")]);
    for kind in kinds {
        text.paragraph("  ", PLAIN, &kind);
    }
    text.paragraph("    ", DIM, &longest);
}

fn youth(text: &mut Text, youth: &Youth) {
    if youth.ages.is_empty() {
        return;
    }
    text.blank();
    let head =
        "While pods changed, by how long their pods had taken traffic; from sent to answered";
    text.paragraph("", BOLD, head);
    let mut table = table(&words::AGES);
    for age in &youth.ages {
        table.row(PLAIN, words::age(age).into());
    }
    table.print_whole(text);
    if let Some(told) = words::youth(youth) {
        text.paragraph("  ", PLAIN, &told);
    }
}

fn lost(text: &mut Text, lost: &[Lost]) {
    if lost.is_empty() {
        return;
    }
    text.blank();
    text.line(&[(BOLD, "Lost")]);
    for (kind, example) in words::lost(lost) {
        text.paragraph("  ", PLAIN, &kind);
        text.paragraph("    ", DIM, &example);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::report;

    fn told(report: &Report) -> String {
        told_within(100, report)
    }

    fn told_within(width: usize, report: &Report) -> String {
        let style = Style {
            colour: false,
            width,
        };
        render(report, &style)
    }

    #[test]
    fn what_is_lost_is_told_with_what_was_going_on() {
        let text = told(&report(true));
        for part in [
            "1 of 300 requests were lost while pods changed.",
            "1 connection-reset: on a connection that was open, while a pod was ending",
            "into restart 1, sent on a connection of",
            "to users-old, which was ending",
            "1: to a pod that had taken traffic for less than ten seconds: cold code",
            "into restart 1, answered after 400 ms, by users-new",
            "What to do",
            "A longer preStop alone does not help",
        ] {
            assert!(
                text.split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
                    .contains(part),
                "{part}\n{text}"
            );
        }
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn a_narrow_terminal_loses_no_figure() {
        let report = report(true);
        let ages = report.youth.ages.iter().flat_map(words::age);
        let figures = report.felt.iter().flat_map(words::felt);
        let phases = report.pods.iter().flat_map(words::phases);
        let names = words::PHASES.map(|(_, name)| name);
        let heads = words::FELT.into_iter().chain(words::AGES).chain(names);
        let heads = heads.map(str::to_owned);
        let cells: Vec<String> = figures.chain(phases).chain(ages).chain(heads).collect();
        for width in [80, 60] {
            let text = told_within(width, &report);
            assert!(!text.contains('…'), "{text}");
            assert!(text.lines().all(|it| it.chars().count() <= width), "{text}");
            for cell in &cells {
                assert!(text.contains(cell.as_str()), "{cell} of {width}\n{text}");
            }
        }
    }

    #[test]
    fn where_nothing_is_lost_it_is_told_what_that_can_say() {
        let text = told(&report(false));
        assert!(text.contains("No request was lost of 300"), "{text}");
        assert!(text.contains("10,000 in a million"), "{text}");
        assert!(!text.contains("What to do"), "{text}");
    }

    #[test]
    fn where_only_a_part_was_kept_it_is_not_said_that_nothing_was_lost() {
        let part = |report: &mut Report| {
            report.is_part = true;
            let text = told(report);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let text = part(&mut report(false));
        assert!(!text.contains("No request was lost"), "{text}");
        assert!(text.contains("None of the 300 requests"), "{text}");
        assert!(part(&mut report(true)).contains("1 of 300 requests were lost"));
        let mut none = report(false);
        for felt in &mut none.felt {
            felt.requests = 0;
        }
        let text = part(&mut none);
        assert!(text.contains("whether any was lost is not known"), "{text}");
    }

    #[test]
    fn the_document_is_read_as_it_was_written() {
        let report = report(true);
        let text = serde_json::to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
    }
}
