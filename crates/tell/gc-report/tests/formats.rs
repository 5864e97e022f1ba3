//! Every format, of real logs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../report/tests/policy/mod.rs"]
mod policy;

use std::path::{Path, PathBuf};
use tacho_gc_log::{GcSummary, Log, Summary};
use tacho_gc_report::{html, json, text, words};
use tacho_report::terminal::Style;

fn summary(name: &str) -> GcSummary {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../understand/gc-log/tests/logs");
    let mut log = Log::default();
    let mut summary = Summary::default();
    let path: PathBuf = folder.join(format!("{name}.log"));
    log.read_file(&path, &mut |event| summary.take(event))
        .unwrap();
    let lines = log.end(&mut |event| summary.take(event));
    summary.finish(vec![format!("{name}.log")], lines)
}

fn of_text(text: &str) -> GcSummary {
    let mut log = Log::default();
    let mut summary = Summary::default();
    log.read(text.as_bytes(), &mut |event| summary.take(event))
        .unwrap();
    let lines = log.end(&mut |event| summary.take(event));
    summary.finish(vec!["-".to_owned()], lines)
}

#[test]
fn the_page_runs_no_script_but_its_own() {
    policy::holds(&html::render(&summary("hotspot-25-g1")).unwrap());
    // A cause, a file and a line that nobody understands are the log's own words.
    let hostile = policy::HOSTILE;
    let mut summary = of_text(&format!(
        "[0.1s][info][gc] GC(0) Pause Young (Normal) ({hostile}) 2M->1M(8M) 1.000ms\n[0.2s][info][gc] GC(0) {hostile}\n"
    ));
    summary.files = vec![hostile.to_owned()];
    policy::holds(&html::render(&summary).unwrap());
}

#[test]
fn the_terminal_summary() {
    let style = Style::default();
    for name in [
        "hotspot-17-g1",
        "hotspot-25-zgc",
        "hotspot-17-shenandoah-failing",
        "native-25-verbose",
        "hotspot-25-zgc-plain",
    ] {
        insta::assert_snapshot!(format!("text_{name}"), text::render(&summary(name), &style));
    }
}

#[test]
fn no_line_passes_a_narrow_window() {
    let style = Style {
        colour: false,
        width: 60,
    };
    let text = text::render(&summary("hotspot-17-g1"), &style);
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 60, "{text}");
}

#[test]
fn the_json() {
    let mut summary = summary("hotspot-25-g1-plain");
    summary.over_time.truncate(3);
    insta::assert_snapshot!(json::render(&summary).unwrap());
    let read: GcSummary = serde_json::from_str(&json::render(&summary).unwrap()).unwrap();
    assert_eq!(read.lines, summary.lines);
    assert_eq!(read.pauses.by_cause.len(), summary.pauses.by_cause.len());
}

/// Without its script and style, which are those of every page.
#[test]
fn the_page() {
    let page = html::render(&summary("hotspot-17-serial")).unwrap();
    assert!(page.contains("id=\"gc-data\""));
    let body = page.split("<body>").nth(1).unwrap();
    let body = body.split("<script>").next().unwrap();
    insta::assert_snapshot!(body);
}

#[test]
fn nothing_in_a_log_can_become_a_part_of_the_page() {
    let log = "[0.1s][info][gc] GC(1) Pause <b>Bold</b> </script> 1M->2M 3 blinks\n\
               [0.2s][info][gc] GC(2) Pause Young (</script><script>alert(1)</script>) 2M->1M(4M) 1.000ms\n";
    let page = html::render(&of_text(log)).unwrap();
    assert!(!page.contains("<b>Bold") && !page.contains("<script>alert"));
}

#[test]
fn what_has_no_collection_is_said_so() {
    assert!(words::sentence(&of_text("hello\n")).starts_with("No line"));
    assert_eq!(
        words::sentence(&of_text("[0.1s][info][gc] Using G1\n")),
        "No garbage collection happened."
    );
}
