//! `tacho exceptions` and `tacho classes`: what was counted, by the line that it belongs to.

use super::ended;
use serde::Serialize;
use std::collections::BTreeMap;
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
    /// The same, and resources that were looked for.
    ClassesAndResources,
}

impl Counting {
    /// The text if there are any, and the text if there are none.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Exceptions => (
                "exceptions were constructed",
                "No exception was constructed",
            ),
            Self::Classes => ("classes were looked for", "No class was looked for by name"),
            Self::ClassesAndResources => (
                "classes and resources were looked for",
                "No class or resource was looked for by name",
            ),
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
    pid: u32,
    elapsed_s: f64,
    requests: Option<u64>,
    own: Vec<String>,
    count: u64,
    rows: Vec<Row>,
    /// Calls that were counted, and for which there was no room in the table.
    left_out: u64,
    /// How it ended.
    pub removed: Ended,
    #[serde(skip)]
    counting: Counting,
}

/// Calls at one place that are alike.
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
    /// Frames from the call to the owner, in the most frequent stack.
    frames: Vec<String>,
}

impl CountsReport {
    /// Groups calls by what they are and who owns them.
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
        let (counted, none) = self.counting.words();
        let meanwhile = format!(
            "in {} in process {}",
            tacho_figures::seconds(self.elapsed_s),
            self.pid
        );
        if self.count == 0 {
            return format!("{none} {meanwhile}.\n{}", ended(&self.removed));
        }
        let count = self.count;
        let per_second = count as f64 / self.elapsed_s.max(1e-9);
        let of_all = per_request(self.requests.map(|requests| count as f64 / requests as f64));
        let mut text =
            format!("{count} {counted} {meanwhile}: {per_second:.1} a second{of_all}.\n\n");
        for row in self.rows.iter().take(top) {
            text += &row.text(stacks);
        }
        let rows = self.rows.len();
        if rows > top {
            text += &format!("\n{} more rows: --top {rows}\n", rows - top);
        }
        if self.left_out > 0 {
            let more = self.left_out;
            text += &format!("\n{more} more were counted for which the table had no room.\n");
        }
        text + "\n" + &ended(&self.removed)
    }
}

impl Row {
    fn text(&self, stacks: bool) -> String {
        let (count, per_second, of_all) =
            (self.count, self.per_second, per_request(self.per_request));
        let what = one_line(&self.what);
        let mut text = format!("{count:>10}  {per_second:>9.1}/s{of_all}  {what}\n");
        if self.probe != "exceptions" {
            text += &format!("{:24}{:.1} ms in all\n", "", self.total_ms);
        }
        let frames = match stacks {
            true => &self.frames[..],
            false => self.owner.as_slice(),
        };
        for frame in frames {
            text += &format!("{:24}at {}\n", "", one_line(frame));
        }
        text
    }
}

fn rows(counting: Counting, requests: Option<u64>, seen: &Counted) -> Vec<Row> {
    let packages = Own::of(&seen.own);
    let mut rows: BTreeMap<(String, Option<String>), (Row, u64)> = BTreeMap::new();
    let mut calls: Vec<&Calls> = seen.calls.iter().collect();
    calls.sort_by_key(|calls| std::cmp::Reverse(calls.count));
    for calls in calls {
        let own = packages.nearest(&calls.frames);
        let place = own.or_else(|| Own::nearest_library(&calls.frames));
        let owner = place.and_then(|place| calls.frames.get(place)).cloned();
        let what = counting.what(calls);
        let (row, total_ns) = rows
            .entry((what, owner))
            .or_insert_with_key(|(what, owner)| {
                let row = Row {
                    probe: calls.probe.clone(),
                    what: what.clone(),
                    keys: calls.keys.clone(),
                    outcome: calls.outcome.text().map(str::to_owned),
                    owner: owner.clone(),
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
    let finished = |(row, total_ns): (Row, u64)| Row {
        per_second: row.count as f64 / seen.elapsed_s.max(1e-9),
        per_request: requests.map(|requests| row.count as f64 / requests as f64),
        total_ms: total_ns as f64 / 1e6,
        ..row
    };
    let mut rows: Vec<Row> = rows.into_values().map(finished).collect();
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
        35 classes were looked for in 2 s in process 7: 17.5 a second, 3.50 a request.

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
            text.starts_with("No exception was constructed in 2 s in process 7."),
            "{text}"
        );
    }
}
