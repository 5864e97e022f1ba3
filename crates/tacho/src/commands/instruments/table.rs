//! `tacho exceptions` and `tacho classes`: what is counted, by the application's line that it belongs to.

use super::arguments::{ClassLookUps, Counts, Exceptions};
use super::window::{Ended, Window};
use crate::{Done, output};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use tacho_diagnosis::Own;
use tacho_foreign::one_line;
use tacho_jvm_agent::{Calls, Probe, Snapshot};

/// `tacho exceptions`.
pub fn exceptions(arguments: &Exceptions) -> Done {
    let title = Title {
        what: "exceptions were constructed",
        none: "No exception was constructed",
    };
    let probes = [Probe::exceptions("exceptions")];
    count(
        &arguments.counts,
        &title,
        &probes,
        |_| true,
        |calls| match calls.keys[1].as_str() {
            "" => calls.keys[0].clone(),
            message => format!("{}: {message}", calls.keys[0]),
        },
    )
}

/// `tacho classes`.
pub fn classes(arguments: &ClassLookUps) -> Done {
    let title = match arguments.resources {
        true => Title {
            what: "classes and resources were looked for",
            none: "No class or resource was looked for by name",
        },
        false => Title {
            what: "classes were looked for",
            none: "No class was looked for by name",
        },
    };
    let mut probes = vec![Probe::class_look_ups("class")];
    if arguments.resources {
        probes.push(Probe::resource_look_ups("resource"));
    }
    let wanted = |calls: &Calls| !arguments.failed || calls.outcome.text().is_some();
    count(&arguments.counts, &title, &probes, wanted, |calls| {
        let found = match calls.outcome.text() {
            None => "",
            Some("null") => " (not found)",
            Some(exception) if exception.ends_with("ClassNotFoundException") => " (not found)",
            Some(_) => " (failed)",
        };
        format!("{}{found}, by {}", calls.keys[0], calls.keys[1])
    })
}

struct Title {
    what: &'static str,
    none: &'static str,
}

/// What is written as JSON.
#[derive(Debug, Serialize)]
struct Report {
    pid: u32,
    elapsed_s: f64,
    requests: Option<u64>,
    own: Vec<String>,
    count: u64,
    rows: Vec<Row>,
    /// Calls that were counted, and for which there was no room in the table.
    left_out: u64,
    removed: Ended,
}

/// All that is alike at one place.
#[derive(Debug, Clone, Serialize)]
struct Row {
    probe: String,
    what: String,
    keys: Vec<String>,
    outcome: Option<String>,
    /// `package.Class.method:line` of the application, or of the library that is nearest.
    owner: Option<String>,
    count: u64,
    per_second: f64,
    per_request: Option<f64>,
    total_ms: f64,
    /// From the call to the owner, of the most frequent one.
    frames: Vec<String>,
}

fn count(
    arguments: &Counts,
    title: &Title,
    probes: &[Probe],
    wanted: impl Fn(&Calls) -> bool,
    what: impl Fn(&Calls) -> String,
) -> Done {
    let common = &arguments.common;
    let mut window = Window::open(common)?;
    let begun = window.agent.begin(probes, &window.own)?;
    window.note(&begun);
    window.wait(common.duration);
    let mut snapshot = window.agent.snapshot()?;
    snapshot.calls.retain(wanted);
    let own = window.own.clone();
    let removed = window.close()?;
    let report = report(arguments, own, &snapshot, what, removed);
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || text(&report, title, arguments),
    )?;
    Ok(report.removed.exit())
}

fn report(
    arguments: &Counts,
    own: Vec<String>,
    snapshot: &Snapshot,
    what: impl Fn(&Calls) -> String,
    removed: Ended,
) -> Report {
    let elapsed_s = snapshot.elapsed_ns as f64 / 1e9;
    let packages = Own::of(&own);
    let mut rows: BTreeMap<(String, Option<String>), (Row, u64)> = BTreeMap::new();
    let mut calls: Vec<&Calls> = snapshot.calls.iter().collect();
    calls.sort_by_key(|calls| std::cmp::Reverse(calls.count));
    for calls in calls {
        let place = packages
            .nearest(&calls.frames)
            .or_else(|| Own::nearest_library(&calls.frames));
        let owner = place.and_then(|place| calls.frames.get(place)).cloned();
        let (row, total_ns) = rows.entry((what(calls), owner.clone())).or_insert_with(|| {
            let row = Row {
                probe: calls.probe.clone(),
                what: what(calls),
                keys: calls.keys.clone(),
                outcome: calls.outcome.text().map(str::to_owned),
                owner,
                count: 0,
                per_second: 0.0,
                per_request: None,
                total_ms: 0.0,
                frames: calls.frames.clone(),
            };
            (row, 0)
        });
        row.count += calls.count;
        *total_ns += calls.total_ns;
    }
    let mut rows: Vec<Row> = rows
        .into_values()
        .map(|(row, total_ns)| Row {
            per_second: row.count as f64 / elapsed_s.max(1e-9),
            per_request: arguments
                .requests
                .map(|requests| row.count as f64 / requests as f64),
            total_ms: total_ns as f64 / 1e6,
            ..row
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    Report {
        pid: arguments.common.pid,
        elapsed_s,
        requests: arguments.requests,
        own,
        count: rows.iter().map(|row| row.count).sum(),
        rows,
        left_out: snapshot.left_out.iter().map(|(_, count)| count).sum(),
        removed,
    }
}

fn text(report: &Report, title: &Title, arguments: &Counts) -> String {
    let mut text = String::new();
    if report.count == 0 {
        let _ = writeln!(
            text,
            "{} in {:.1} s in process {}.",
            title.none, report.elapsed_s, report.pid
        );
        return text + &report.removed.text();
    }
    let _ = writeln!(
        text,
        "{} {} in {:.1} s in process {}: {:.1} a second{}.\n",
        report.count,
        title.what,
        report.elapsed_s,
        report.pid,
        report.count as f64 / report.elapsed_s.max(1e-9),
        per_request(
            report
                .requests
                .map(|requests| report.count as f64 / requests as f64)
        )
    );
    for row in report.rows.iter().take(arguments.top) {
        let _ = writeln!(
            text,
            "{:>10}  {:>9.1}/s{}  {}",
            row.count,
            row.per_second,
            per_request(row.per_request),
            one_line(&row.what)
        );
        if row.probe != "exceptions" {
            let _ = writeln!(text, "{:24}{:.1} ms in all", "", row.total_ms);
        }
        match (&row.owner, arguments.stacks) {
            (_, true) => row.frames.iter().for_each(|frame| {
                let _ = writeln!(text, "{:24}at {}", "", one_line(frame));
            }),
            (Some(owner), false) => {
                let _ = writeln!(text, "{:24}at {}", "", one_line(owner));
            }
            (None, false) => {}
        }
    }
    let hidden = report.rows.len().saturating_sub(arguments.top);
    if hidden > 0 {
        let _ = writeln!(text, "\n{hidden} more rows: --top {}", report.rows.len());
    }
    if report.left_out > 0 {
        let _ = writeln!(
            text,
            "\n{} more were counted for which the table had no room.",
            report.left_out
        );
    }
    text.push('\n');
    text + &report.removed.text()
}

fn per_request(count: Option<f64>) -> String {
    count.map_or_else(String::new, |count| format!(", {count:.2} a request"))
}
