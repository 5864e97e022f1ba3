use super::*;
use crate::testkit::{Profile, Synthetic};
use std::collections::{BTreeMap, BTreeSet};
use tacho_run_folder::{
    CollectionLog, Collector, ErrorCount, FailureCause, JvmSample, LaunchOutcome, PauseTotals,
    RunData,
};

fn run() -> RunData {
    Synthetic::new(3)
        .variant(Profile {
            noise: 0.1,
            ..Profile::named("jar")
        })
        .open_phase("open")
        .run()
}

fn values(run: &RunData, id: &str) -> Vec<f64> {
    let launches: Vec<&LaunchData> = run.launches.iter().collect();
    let metrics = metrics(&run.plan);
    let metric = metrics.iter().find(|m| m.id == id).expect(id);
    let values = metric.values(&launches, run.variants.first());
    values.counted.iter().map(|v| v.value).collect()
}

fn rounded(values: Vec<f64>) -> Vec<f64> {
    values.iter().map(|v| (v * 1e6).round() / 1e6).collect()
}

#[test]
fn each_metric_reads_what_its_name_says() {
    let run = run();
    for (id, expected) in [
        ("listening_ms", [1620.0, 1800.0, 1980.0]),
        ("ready_ms", [1800.0, 2000.0, 2200.0]),
        ("first_request_ms", [72.0, 80.0, 88.0]),
        ("first_5_requests_ms", [79.2, 88.0, 96.8]),
        ("cpu_to_ready_s", [2.7, 3.0, 3.3]),
        ("closed.throughput", [900.0, 1000.0, 1100.0]),
        ("closed.response_p50_ms", [1.8, 2.0, 2.2]),
        ("closed.response_p99_ms", [3.6, 4.0, 4.4]),
        ("closed.cpu_per_request_ms", [0.45, 0.5, 0.55]),
        ("open.response_p99_9_ms", [5.4, 6.0, 6.6]),
        ("open.failed_share", [0.0, 0.0, 0.0]),
        ("peak_threads", [20.0, 20.0, 20.0]),
        ("disk_bytes", [146_800_640.0; 3]),
    ] {
        assert_eq!(rounded(values(&run, id)), expected, "{id}");
    }
}

#[test]
fn collection_is_read_from_counters_and_log() {
    let mut run = run();
    let line = |at_ms, young_s, collector_cpu_s| JvmSample {
        at_ms,
        young_s: Some(young_s),
        full_s: Some(0.5),
        collector_cpu_s,
        ..JvmSample::default()
    };
    let log = |collector| CollectionLog {
        collector: Some(collector),
        pauses: PauseTotals {
            count: 4,
            total_s: 2.0,
            p50_ms: Some(3.0),
            max_ms: Some(1900.0),
        },
        ..CollectionLog::default()
    };
    // The last line may lack what is read once a second.
    run.launches[0].jvm = vec![line(900.0, 1.0, Some(1.25)), line(1000.0, 1.5, None)];
    run.launches[1].collections = Some(log(Collector::SerialOfImage));
    run.launches[2].collections = Some(log(Collector::G1));
    assert_eq!(values(&run, "gc_pause_total_s"), [2.0, 2.0, 2.0]);
    assert_eq!(values(&run, "gc_pause_p50_ms"), [3.0, 3.0], "by logs alone");
    assert_eq!(
        values(&run, "gc_cpu_s"),
        [1.25, 2.0],
        "not of workers that nobody counted"
    );
    let share = values(&run, "gc_cpu_share")[0];
    let all = run.launches[0].record.resources.at_end.unwrap().cpu_s;
    assert!((share - 1.25 / all).abs() < 1e-9);
}

#[test]
fn only_completed_launches_give_values() {
    let mut run = run();
    run.launches[0].record.outcome = LaunchOutcome::Invalid {
        reason: "no archive".into(),
    };
    run.launches[1].record.outcome = LaunchOutcome::Failed {
        cause: FailureCause::Exited,
        message: String::new(),
        last_log_lines: Vec::new(),
    };
    assert_eq!(rounded(values(&run, "ready_ms")), [2200.0]);
    assert_eq!(values(&run, "application_bytes").len(), 1);
    for outcome in [LaunchOutcome::Running, LaunchOutcome::Interrupted] {
        run.launches[2].record.outcome = outcome;
        assert!(values(&run, "ready_ms").is_empty());
    }
}

#[test]
fn a_quantile_needs_values_beyond_it() {
    let mut run = run();
    assert!(values(&run, "cold.response_p99_ms").is_empty());
    assert_eq!(values(&run, "cold.response_max_ms").len(), 3);
    let with_count = |run: &mut RunData, count| {
        for launch in &mut run.launches {
            let times = launch.record.phases[1].response_time_ms.as_mut();
            times.unwrap().count = count;
        }
    };
    for (count, p99, p99_9) in [(99, 0, 0), (100, 3, 0), (999, 3, 0), (1000, 3, 3)] {
        with_count(&mut run, count);
        assert_eq!(values(&run, "closed.response_p99_ms").len(), p99, "{count}");
        assert_eq!(
            values(&run, "closed.response_p99_9_ms").len(),
            p99_9,
            "{count}"
        );
    }
}

#[test]
fn an_error_is_no_first_answer() {
    let mut run = run();
    run.launches[0].requests[0].outcome = "reset".into();
    run.launches[1].requests[3].outcome = "503".into();
    assert_eq!(rounded(values(&run, "first_request_ms")), [80.0, 88.0]);
    assert_eq!(rounded(values(&run, "first_5_requests_ms")), [96.8]);
}

#[test]
fn answers_that_are_wrong_are_answers_and_failures() {
    let mut run = run();
    let phase = &mut run.launches[0].record.phases[1];
    let count = |count| ErrorCount {
        count,
        example: String::new(),
    };
    phase.errors = BTreeMap::from([
        ("status-5xx".into(), count(300)),
        ("check".into(), count(150)),
        ("grpc-unavailable".into(), count(50)),
        ("reset".into(), count(1500)),
    ]);
    phase.succeeded = 8000;
    assert_eq!(read::answered(phase), 8500);
    assert_eq!(read::failed(phase), 2000);
    assert_eq!(read::failed_share(phase), Some(0.2));
}

#[test]
fn what_was_built_once_is_one_value() {
    assert_eq!(values(&run(), "build_s"), [12.5]);
}

#[test]
fn an_interrupted_phase_and_numbers_that_are_none_give_no_value() {
    let mut run = run();
    run.launches[0].record.phases[1].interrupted = true;
    run.launches[1].record.phases[1].throughput = f64::NAN;
    assert_eq!(rounded(values(&run, "closed.throughput")), [1100.0]);
}

#[test]
fn throttling_is_a_metric_only_where_a_cpu_limit_is() {
    assert!(values(&run(), "throttled_s").is_empty());
    let limited = Synthetic::new(3)
        .variant(Profile::named("jar"))
        .limits("1cpu", 1.0, 256 << 20);
    assert_eq!(values(&limited.run(), "throttled_s"), [1.5; 3]);
}

#[test]
fn ids_and_words_are_unique() {
    let (ids, words): (Vec<_>, Vec<_>) = rows().map(|r| (r.id, r.word)).unzip();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    assert_eq!(words.iter().collect::<BTreeSet<_>>().len(), words.len());
    assert!(
        rows().all(|row| row.floor > 0.0),
        "a ratio needs floors above zero"
    );
}

/// The page has a row for each metric, in this order, and for nothing else.
#[test]
fn every_metric_is_documented() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/metrics.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, page) = page.split_once("\n## The metrics\n").unwrap();
    let (page, _) = page.split_once("\n## ").unwrap();
    let is_row = |line: &&str| line.starts_with("| `");
    let cells = |line: &str| line.split(" | ").take(3).collect::<Vec<_>>().join(" | ");
    let documented: Vec<String> = page.lines().filter(is_row).map(cells).collect();
    let expected = |row: &Row| format!("| `{}` | `{}` | {}", row.id, row.word, row.unit);
    let all: Vec<String> = rows().map(expected).collect();
    assert_eq!(documented, all, "docs/metrics.md has other rows");
}
