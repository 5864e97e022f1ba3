//! `tacho exceptions` and `tacho classes`: what was counted, by the application's line that it belongs to.

use super::ended;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use tacho_diagnosis::Own;
use tacho_diagnosis::live::{Calls, Counted, Ended};
use tacho_foreign::one_line;

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Exceptions that were constructed: keys are class and message.
    Exceptions,
    /// Classes that were looked for: keys are name and loader.
    Classes,
    /// And resources.
    ClassesAndResources,
}

impl Counting {
    fn counted(self) -> &'static str {
        match self {
            Self::Exceptions => "exceptions were constructed",
            Self::Classes => "classes were looked for",
            Self::ClassesAndResources => "classes and resources were looked for",
        }
    }

    fn none(self) -> &'static str {
        match self {
            Self::Exceptions => "No exception was constructed",
            Self::Classes => "No class was looked for by name",
            Self::ClassesAndResources => "No class or resource was looked for by name",
        }
    }

    /// What a row is.
    fn what(self, calls: &Calls) -> String {
        let (first, second) = (&calls.keys[0], &calls.keys[1]);
        match (self, second.as_str()) {
            (Self::Exceptions, "") => first.clone(),
            (Self::Exceptions, message) => format!("{first}: {message}"),
            (_, loader) => {
                let found = match calls.outcome.text() {
                    None => "",
                    Some("null") => " (not found)",
                    Some(why) if why.ends_with("ClassNotFoundException") => " (not found)",
                    Some(_) => " (failed)",
                };
                format!("{first}{found}, by {loader}")
            }
        }
    }
}

/// What `--json` writes.
#[derive(Debug, Serialize)]
pub struct CountsReport {
    /// The process.
    pub pid: u32,
    /// For how long.
    pub elapsed_s: f64,
    /// As the user said.
    pub requests: Option<u64>,
    /// Packages of the application.
    pub own: Vec<String>,
    /// All of the rows.
    pub count: u64,
    /// The most frequent first.
    pub rows: Vec<Row>,
    /// Calls that were counted, and for which there was no room in the table.
    pub left_out: u64,
    /// How it ended.
    pub removed: Ended,
    #[serde(skip)]
    counting: Counting,
}

/// All that is alike at one place.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The probe that has counted.
    pub probe: String,
    /// For people.
    pub what: String,
    /// As the probe has them.
    pub keys: Vec<String>,
    /// `null`, or the class of an exception.
    pub outcome: Option<String>,
    /// `package.Class.method:line` of the application, or of the library that is nearest.
    pub owner: Option<String>,
    /// How often.
    pub count: u64,
    /// How often a second.
    pub per_second: f64,
    /// Where the user said how many requests there were.
    pub per_request: Option<f64>,
    /// Time of them all.
    pub total_ms: f64,
    /// From the call to the owner, of the most frequent one.
    pub frames: Vec<String>,
}

impl CountsReport {
    /// Calls by what they are and whose.
    #[must_use]
    pub fn of(counting: Counting, requests: Option<u64>, seen: Counted) -> Self {
        let rows = rows(counting, requests, &seen);
        Self {
            pid: seen.pid,
            elapsed_s: seen.elapsed_s,
            requests,
            own: seen.own,
            count: rows.iter().map(|row| row.count).sum(),
            rows,
            left_out: seen.left_out,
            removed: seen.removed,
            counting,
        }
    }

    /// For the terminal; the first `top` rows.
    #[must_use]
    pub fn text(&self, top: usize, stacks: bool) -> String {
        let mut text = String::new();
        if self.count == 0 {
            let _ = writeln!(
                text,
                "{} in {:.1} s in process {}.",
                self.counting.none(),
                self.elapsed_s,
                self.pid
            );
            return text + &ended(&self.removed);
        }
        let _ = writeln!(
            text,
            "{} {} in {:.1} s in process {}: {:.1} a second{}.\n",
            self.count,
            self.counting.counted(),
            self.elapsed_s,
            self.pid,
            self.count as f64 / self.elapsed_s.max(1e-9),
            per_request(
                self.requests
                    .map(|requests| self.count as f64 / requests as f64)
            )
        );
        for row in self.rows.iter().take(top) {
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
            match (&row.owner, stacks) {
                (_, true) => row.frames.iter().for_each(|frame| {
                    let _ = writeln!(text, "{:24}at {}", "", one_line(frame));
                }),
                (Some(owner), false) => {
                    let _ = writeln!(text, "{:24}at {}", "", one_line(owner));
                }
                (None, false) => {}
            }
        }
        let hidden = self.rows.len().saturating_sub(top);
        if hidden > 0 {
            let _ = writeln!(text, "\n{hidden} more rows: --top {}", self.rows.len());
        }
        if self.left_out > 0 {
            let _ = writeln!(
                text,
                "\n{} more were counted for which the table had no room.",
                self.left_out
            );
        }
        text.push('\n');
        text + &ended(&self.removed)
    }
}

fn rows(counting: Counting, requests: Option<u64>, seen: &Counted) -> Vec<Row> {
    let packages = Own::of(&seen.own);
    let mut rows: BTreeMap<(String, Option<String>), (Row, u64)> = BTreeMap::new();
    let mut calls: Vec<&Calls> = seen.calls.iter().collect();
    calls.sort_by_key(|calls| std::cmp::Reverse(calls.count));
    for calls in calls {
        let place = packages
            .nearest(&calls.frames)
            .or_else(|| Own::nearest_library(&calls.frames));
        let owner = place.and_then(|place| calls.frames.get(place)).cloned();
        let (row, total_ns) = rows
            .entry((counting.what(calls), owner.clone()))
            .or_insert_with(|| {
                let row = Row {
                    probe: calls.probe.clone(),
                    what: counting.what(calls),
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
            per_second: row.count as f64 / seen.elapsed_s.max(1e-9),
            per_request: requests.map(|requests| row.count as f64 / requests as f64),
            total_ms: total_ns as f64 / 1e6,
            ..row
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}

fn per_request(count: Option<f64>) -> String {
    count.map_or_else(String::new, |count| format!(", {count:.2} a request"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_diagnosis::live::Outcome;

    fn calls(keys: [&str; 2], outcome: Outcome, frame: &str, count: u64) -> Calls {
        Calls {
            probe: "class".to_owned(),
            keys: keys.map(str::to_owned).into(),
            outcome,
            frames: vec![
                "java.lang.ClassLoader.loadClass:9".to_owned(),
                frame.to_owned(),
            ],
            count,
            total_ns: 1_000_000 * count,
            max_ns: 1_000_000,
        }
    }

    fn report(counting: Counting, calls: &[Calls]) -> CountsReport {
        let seen = Counted {
            pid: 7,
            elapsed_s: 2.0,
            own: vec!["shop.".to_owned()],
            calls: calls.to_vec(),
            left_out: 3,
            removed: Ended {
                classes: 2,
                as_before: 2,
                clean: true,
                notes: vec!["a.B is left out: x".to_owned()],
                interrupted: false,
            },
        };
        CountsReport::of(counting, Some(10), seen)
    }

    #[test]
    fn what_is_alike_at_one_line_of_the_application_is_one_row() {
        let absent = || Outcome::Exception("java.lang.ClassNotFoundException".to_owned());
        let seen = [
            calls(["a.Gone", "app"], absent(), "shop.Web.get:4", 10),
            calls(["a.Gone", "app"], Outcome::Null, "shop.Web.get:4", 20),
            calls(["a.Here", "app"], Outcome::Normal, "org.lib.Lib.look:2", 5),
        ];
        let report = report(Counting::Classes, &seen);
        insta::assert_snapshot!(report.text(1, false), @r"
        35 classes were looked for in 2.0 s in process 7: 17.5 a second, 3.50 a request.

                30       15.0/s, 3.00 a request  a.Gone (not found), by app
                                30.0 ms in all
                                at shop.Web.get:4

        1 more rows: --top 2

        3 more were counted for which the table had no room.

        note: a.B is left out: x
        The instruments are out: 2 classes are as they were before.
        ");
        let all = report.text(9, true);
        assert!(
            all.contains("5        2.5/s, 0.50 a request  a.Here, by app"),
            "{all}"
        );
        assert!(
            all.contains("at java.lang.ClassLoader.loadClass:9\n"),
            "{all}"
        );
    }

    #[test]
    fn nothing_is_said_in_a_sentence() {
        let text = report(Counting::Exceptions, &[]).text(9, false);
        assert!(
            text.starts_with("No exception was constructed in 2.0 s in process 7."),
            "{text}"
        );
    }
}
