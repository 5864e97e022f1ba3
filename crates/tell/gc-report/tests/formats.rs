//! Every format, of real logs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "../../report/tests/policy/mod.rs"]
mod policy;

use std::path::{Path, PathBuf};
use tacho_gc_conclusions::{Reading, side_by_side};
use tacho_gc_log::{Axis, Collections, Course, GcSummary, Log, parts};
use tacho_gc_report::two::Two;
use tacho_gc_report::{html, json, text, words};
use tacho_report::terminal::Style;

/// What no pause is to be longer than.
const OBJECTIVE_MS: f64 = 200.0;

fn of_log(name: &str) -> (Reading, Course) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../understand/gc-log/tests/logs");
    let path: PathBuf = folder.join(format!("{name}.log"));
    let mut log = Log::default();
    let mut collections = Collections::on(Axis::Log);
    let mut take = |event: &tacho_gc_log::Event<'_>| {
        collections.take(event);
    };
    for part in parts(&[path]).unwrap() {
        log.read_part(&part, &mut take).unwrap();
    }
    let lines = log.end(&mut take);
    let (summary, course) = collections.finish(vec![format!("{name}.log")], lines);
    (Reading::of(summary, &course, OBJECTIVE_MS), course)
}

fn reading(name: &str) -> Reading {
    of_log(name).0
}

fn of_text(text: &str) -> (Reading, Course) {
    let mut log = Log::default();
    let mut collections = Collections::on(Axis::Log);
    let mut take = |event: &tacho_gc_log::Event<'_>| {
        collections.take(event);
    };
    log.read(text.as_bytes(), &mut take).unwrap();
    let lines = log.end(&mut take);
    let (summary, course) = collections.finish(vec!["-".to_owned()], lines);
    (Reading::of(summary, &course, OBJECTIVE_MS), course)
}

fn page((reading, course): &(Reading, Course)) -> String {
    html::render(reading, course).unwrap()
}

#[test]
fn the_page_runs_no_script_but_its_own() {
    policy::holds(&page(&of_log("hotspot-25-g1")));
    // A cause, a file and a line that nobody understands are the log's own words.
    let hostile = policy::HOSTILE;
    let mut read = of_text(&format!(
        "[0.1s][info][gc] GC(0) Pause Young (Normal) ({hostile}) 2M->1M(8M) 1.000ms\n[0.2s][info][gc] GC(0) {hostile}\n"
    ));
    read.0.summary.files = vec![hostile.to_owned()];
    policy::holds(&page(&read));
    let two = Two::new(&read.0, &read.0, &[]);
    policy::holds(&html::render_two(&two, &read.1, &read.1).unwrap());
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
        insta::assert_snapshot!(format!("text_{name}"), text::render(&reading(name), &style));
    }
}

/// An input that is none is told so instead.
#[test]
fn an_empty_log_names_what_makes_a_jvm_write_one() {
    let told = words::sentence(&of_text("").0.summary);
    for part in [
        "is empty",
        "-Xlog:gc*:file=gc.log",
        "-Xloggc:gc.log up to JDK 8",
    ] {
        assert!(told.contains(part), "no {part}: {told}");
    }
    let told = words::sentence(&of_text("It rained today.\n").0.summary);
    assert_eq!(
        told,
        "No line of this input belongs to a known garbage collection log."
    );
}

#[test]
fn no_line_passes_a_narrow_window() {
    let style = Style {
        colour: false,
        width: 60,
    };
    let text = text::render(&reading("hotspot-17-g1"), &style);
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 60, "{text}");
}

#[test]
fn the_json() {
    let mut reading = reading("hotspot-25-g1-plain");
    reading.summary.over_time.truncate(3);
    insta::assert_snapshot!(json::render(&reading).unwrap());
    let read: GcSummary = serde_json::from_str(&json::render(&reading).unwrap()).unwrap();
    assert_eq!(read.lines, reading.summary.lines);
    assert_eq!(
        read.pauses.by_cause.len(),
        reading.summary.pauses.by_cause.len()
    );
}

/// Without its script and style, which are those of every page.
#[test]
fn the_page() {
    let page = page(&of_log("hotspot-17-serial"));
    assert!(page.contains("id=\"gc-data\""));
    let body = page.split("<body>").nth(1).unwrap();
    let body = body.split("<script>").next().unwrap();
    insta::assert_snapshot!(body);
}

#[test]
fn nothing_in_a_log_can_become_a_part_of_the_page() {
    let log = "[0.1s][info][gc] GC(1) Pause <b>Bold</b> </script> 1M->2M 3 blinks\n\
               [0.2s][info][gc] GC(2) Pause Young (</script><script>alert(1)</script>) 2M->1M(4M) 1.000ms\n";
    let page = page(&of_text(log));
    assert!(!page.contains("<b>Bold") && !page.contains("<script>alert"));
}

#[test]
fn what_has_no_collection_is_said_so() {
    assert!(words::sentence(&of_text("hello\n").0.summary).starts_with("No line"));
    assert_eq!(
        words::sentence(&of_text("[0.1s][info][gc] Using G1\n").0.summary),
        "No garbage collection happened."
    );
}

/// The largest heap is that of the JVM that was started last.
#[test]
fn a_heap_is_not_filled_up_to_more_than_it_may_be() {
    let jvm = |heap: &str, used: &str| {
        format!(
            "[0.1s][info][gc,init] Heap Max Capacity: {heap}\n\
             [9.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) {used}->100M({heap}) 1.000ms\n"
        )
    };
    let told = |log: &str| words::sentence(&of_text(log).0.summary);
    let large = jvm("1024M", "900M");
    assert!(told(&large).contains("filled up to 900 MiB of 1 GiB;"));
    let told = told(&(large + &jvm("512M", "300M")));
    assert!(told.contains("filled up to 900 MiB;"), "{told}");
}

#[test]
fn of_one_it_is_said_in_the_singular() {
    let cycle = "[0.1s][info][gc] Using The Z Garbage Collector\n\
                 [0.2s][info][gc] GC(0) Garbage Collection (Warmup) 916M(11%)->246M(3%)\n";
    let told = words::sentence(&of_text(cycle).0.summary);
    let one = "1 collection ran beside the program; this log does not say how long it stopped it.";
    assert!(told.starts_with(one), "{told}");
    let log = format!(
        "[0.1s][info][gc,init] Parallel Workers: 1\n\
         [0.2s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 9M->1M(64M) 1.000ms\n\
         [0.2s][info][gc,heap] GC(0) Humongous regions: 1->0\n\
         [0.3s][info][gc] GC(1) Pause Yawn (Boredom) 1M->2M 3 blinks\n\
         {}\n",
        "x".repeat(70_000)
    );
    let told = text::render(&of_text(&log).0, &Style::default());
    for part in [
        "1 parallel GC thread\n",
        "1 region ",
        "1 line is longer than 64 KiB; its beginning was read.",
        "lines of garbage collection with figures was not understood and is missing",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// Two launches of one program, as CI keeps them.
#[test]
fn two_logs_side_by_side() {
    let (old, new) = (of_case("c-parallel-8"), of_case("s-starved-8"));
    let rows = side_by_side::compare(&old.1, &new.1);
    let two = Two::new(&old.0, &new.0, &rows);
    insta::assert_snapshot!("text_two", two.text(&Style::default()));
    let json: serde_json::Value = serde_json::from_str(&two.json().unwrap()).unwrap();
    insta::assert_snapshot!(
        "json_two",
        serde_json::to_string_pretty(&json["compared"]).unwrap()
    );
    let page = html::render_two(&two, &old.1, &new.1).unwrap();
    assert!(page.contains("data-log=\"1\"") && page.contains("Side by side"));
}

fn of_case(name: &str) -> (Reading, Course) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../labs/gc-logs/seen");
    let log = std::fs::read_to_string(cases.join(name).join("gc.log")).unwrap();
    let (mut reading, course) = of_text(&log);
    reading.summary.files = vec![format!("{name}.log")];
    (reading, course)
}
