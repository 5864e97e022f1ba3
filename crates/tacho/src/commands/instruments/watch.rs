//! `tacho watch`: calls one by one, as they come.

use super::arguments::Watch;
use super::window::{Ended, Window};
use crate::{Done, output, print};
use serde::Serialize;
use std::fmt::Write;
use std::time::{Duration, Instant};
use tacho_foreign::one_line;
use tacho_jvm_agent::{MethodPattern, Watch as Wanted, WatchedCall};

const LOOK: Duration = Duration::from_millis(300);

#[derive(Debug, Serialize)]
struct Report {
    pid: u32,
    calls: Vec<WatchedCall>,
    removed: Ended,
}

/// Shows calls until there are enough of them.
pub fn watch(arguments: &Watch) -> Done {
    let common = &arguments.common;
    let wanted = Wanted {
        methods: MethodPattern {
            subtypes: arguments.subtypes,
            ..arguments.method.clone()
        },
        at_most: arguments.calls,
        slower_than_ns: arguments.slower_than.map_or(0, |time| {
            u64::try_from(time.as_nanos()).unwrap_or(u64::MAX >> 1)
        }),
        only_failed: arguments.failed,
        depth: arguments.depth,
        length: arguments.length,
        to_string: arguments.to_string,
    };
    let mut window = Window::open(common)?;
    let begun = window.agent.watch(&wanted, &window.own)?;
    window.note(&begun);
    window.note_unmatched(&begun, std::slice::from_ref(&wanted.methods))?;
    let quiet = common.json.as_deref().is_some_and(output::is_stdout);
    let begin = Instant::now();
    let mut calls: Vec<WatchedCall> = Vec::new();
    while calls.len() < arguments.calls as usize
        && begin.elapsed() < common.duration
        && !window.stop.is_set()
    {
        window.wait(LOOK.min(common.duration.saturating_sub(begin.elapsed())));
        let seen = window.agent.snapshot()?.watched;
        for call in seen.iter().skip(calls.len()) {
            if !quiet {
                print(&text(call))?;
            }
        }
        calls = seen;
    }
    let removed = window.close()?;
    let report = Report {
        pid: common.pid,
        calls,
        removed,
    };
    output::json_or_summary(
        common.json.as_deref(),
        || output::pretty(&report),
        || {
            format!(
                "{} calls in {:.1} s.\n{}",
                report.calls.len(),
                begin.elapsed().as_secs_f64(),
                report.removed.text()
            )
        },
    )?;
    Ok(report.removed.exit())
}

/// Words of the service stand on lines of ours: none of them begins one.
fn text(call: &WatchedCall) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:>9.3} s  {}({})",
        call.at_ns as f64 / 1e9,
        one_line(&call.method),
        one_line(&call.arguments.join(", "))
    );
    let outcome = match (&call.exception, &call.result) {
        (Some(exception), _) => format!("threw {}", one_line(exception)),
        (None, Some(result)) => format!("gave {}", one_line(result)),
        (None, None) => "done".to_owned(),
    };
    let _ = writeln!(
        text,
        "{:13}{outcome}, {:.3} ms, in {}",
        "",
        call.took_ns as f64 / 1e6,
        one_line(&call.thread)
    );
    if let Some(caller) = call.frames.first() {
        let _ = writeln!(text, "{:13}called at {}", "", one_line(caller));
    }
    text
}
