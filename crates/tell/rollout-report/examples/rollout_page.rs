//! `rollout_page OUT.html REPORT.json`: the page of a rollout anew, of what `tacho rollout --json`
//! wrote; to be looked at and driven by a browser.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use tacho_rollout_report::{Report, render_page};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .expect("usage: rollout_page OUT.html REPORT.json")
    };
    let (out, report) = (next(), next());
    let report = std::fs::read_to_string(report).unwrap();
    let report: Report = serde_json::from_str(&report).unwrap();
    std::fs::write(out, render_page(&report).unwrap()).unwrap();
}
