//! The profile on the terminal.

use super::{Cost, ProfileReport, Row};
use tacho_figures as figures;
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, YELLOW};
use tacho_report::terminal::text::Text;

/// The whole of it, ending in a newline.
#[must_use]
pub fn text(report: &ProfileReport, style: &Style) -> String {
    let mut text = style.text();
    let head = format!("{} (process {})", report.program, report.pid);
    text.line(&[(BOLD, "Tacho profile"), (PLAIN, " · "), (BOLD, &head)]);
    text.paragraph("", DIM, &format!("by {}", report.instrument));
    for cost in &report.costs {
        text.blank();
        text.line(&[
            (BOLD, cost.title()),
            (PLAIN, ": "),
            (PLAIN, &cost.summed(report)),
        ]);
        if cost.samples == 0 {
            continue;
        }
        tables(&mut text, cost);
    }
    if !report.notes.is_empty() {
        text.blank();
    }
    for note in &report.notes {
        text.paragraph("", YELLOW, &format!("note: {note}"));
    }
    text.blank();
    for file in &report.files {
        if file == super::FILE {
            text.unbroken("Page: ", &format!("{}/{file}", report.folder));
        }
    }
    let others: Vec<&str> = report
        .files
        .iter()
        .map(String::as_str)
        .filter(|file| *file != super::FILE)
        .collect();
    if !others.is_empty() {
        let lead = if others.len() == report.files.len() {
            format!("In {}: ", report.folder)
        } else {
            "Beside it: ".to_owned()
        };
        text.paragraph("", DIM, &format!("{lead}{}", others.join(", ")));
    }
    text.finish(style.colour)
}

fn tables(text: &mut Text, cost: &Cost) {
    table(text, cost.top.lines_title(), &cost.top.lines);
    text.blank();
    table(text, "method, its own code", &cost.top.methods);
}

fn table(text: &mut Text, title: &str, rows: &[Row]) {
    let mut table = Table::new(vec![
        Column::right("self"),
        Column::right("total"),
        Column::left(title),
    ]);
    for row in rows {
        let cells = vec![
            figures::percent(row.self_share),
            figures::percent(row.total_share),
            row.name.clone(),
        ];
        table.row(if row.own { BOLD } else { PLAIN }, cells);
    }
    table.print(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::top;
    use crate::testkit::processor;
    use tacho_diagnosis::Own;
    use tacho_run_folder::LedgerKind;

    #[test]
    fn a_profile_is_two_short_tables_a_cost() {
        let ledger = processor(
            1,
            &[
                (
                    "java.util.HashMap.get:9 org.lib.Cache.get:3 shop.Web.get:4",
                    6e9,
                ),
                ("shop.Web.get:7", 2e9),
            ],
        );
        let report = ProfileReport {
            pid: 4711,
            program: "shop.Main".into(),
            instrument: "async-profiler 4.5 (ctimer, 10 ms)".into(),
            began_at: "2026-11-22T10:00:00Z".into(),
            elapsed_s: 10.0,
            processor_s: 8.0,
            requests: Some(2000),
            own: vec!["shop.".into()],
            costs: vec![Cost {
                kind: LedgerKind::Processor,
                unit: "ns",
                samples: 800,
                sum: 8e9,
                top: top(&ledger, &Own::of(&["shop.".to_owned()]), 10),
            }],
            notes: vec!["something to know".into()],
            interrupted: false,
            folder: "profiles/x".into(),
            files: vec!["profile.html".into(), "processor.pb.gz".into()],
        };
        let style = Style {
            colour: false,
            width: 100,
        };
        insta::assert_snapshot!(text(&report, &style), @r"
        Tacho profile · shop.Main (process 4711)
        by async-profiler 4.5 (ctimer, 10 ms)

        Processor time: 8 s in 10 s, 0.80 processors, 800 samples; 4 ms a request
          self  total  line of the application, with what it calls elsewhere
          75 %   75 %  shop.Web.get:4
          25 %   25 %  shop.Web.get:7

          self  total  method, its own code
          75 %   75 %  java.util.HashMap.get
          25 %  100 %  shop.Web.get

        note: something to know

        Page: profiles/x/profile.html
        Beside it: processor.pb.gz
        ");
    }
}
