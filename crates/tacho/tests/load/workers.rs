//! `--workers`: several processes, one load.

use crate::command::Load;
use crate::server::{first_lines, ok, remembering, url};
use crate::support::Told;
use rustix::process::{Pid, Signal, kill_process};
use std::time::Duration;

/// Processes that this one started, as they are now.
fn children(pid: u32) -> Vec<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let lists = tasks.flatten().map(|task| task.path().join("children"));
    let text: String = lists
        .filter_map(|list| std::fs::read_to_string(list).ok())
        .collect();
    text.split_whitespace()
        .map(|pid| pid.parse().unwrap())
        .collect()
}

#[test]
fn several_workers_send_one_load() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let told = Load::json("--rate 300 --duration 1s --workers 3 --out kept")
        .current_dir(folder.path())
        .with(url(&server, "/{{counter}}"))
        .run();
    let report = told.json();
    assert_eq!(report["requests"], 300);
    assert_eq!(report["outcomes"]["2xx"]["count"], 300);
    let workers = report["phases"][0]["workers"].as_array().unwrap();
    let requests: Vec<u64> = workers
        .iter()
        .map(|worker| worker["requests"].as_u64().unwrap())
        .collect();
    assert_eq!(requests, [100, 100, 100]);
    // The certificate holds each of them to its own lateness.
    let evidence = report["certificate"]["evidence"].as_array().unwrap();
    let rule = evidence.iter().find(|e| e["what"] == "generator-lag");
    let judged = rule.unwrap()["workers"].as_array().unwrap();
    assert_eq!(judged.len(), 3);
    for (worker, number) in judged.iter().zip(1..) {
        assert_eq!(worker["worker"], number);
        assert!(worker["late_share"].is_f64(), "{worker}");
    }
    let mut sent = first_lines(&seen);
    sent.sort();
    let mut wanted: Vec<String> = (1..=300).map(|n| format!("GET /{n} HTTP/1.1")).collect();
    wanted.sort();
    assert_eq!(sent, wanted);
    // What each has written, and what came of it.
    for path in [
        "phases.hlog",
        "worker-1/phases.hlog",
        "worker-3/requests.csv",
    ] {
        assert!(folder.path().join("kept").join(path).exists(), "{path}");
    }
}

#[test]
fn phases_checks_and_a_search_are_as_with_one_generator() {
    let server = ok();
    let told = Load::json("--search p99<9s --between 100..400 -d 300ms --workers 2")
        .with(url(&server, "/"))
        .run();
    assert!(
        told.json()["search"]["tries"].as_array().is_some(),
        "{told:#?}"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("phases.yaml"),
        "phases:\n  - cold: {requests: 3}\n  - rest: 10ms\n  - closed: {requests: 40, connections: 4}\n",
    )
    .unwrap();
    let told = Load::json("--workers 2 --check errors<1% --phases phases.yaml")
        .current_dir(folder.path())
        .with(url(&server, "/"))
        .run();
    let report = told.json();
    let requests: Vec<u64> = report["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|phase| phase["requests"].as_u64().unwrap())
        .collect();
    assert_eq!(requests, [3, 0, 40]);
    assert_eq!(report["checks"][0]["passed"], true);
}

#[test]
fn a_worker_that_is_killed_is_named_and_makes_the_result_invalid() {
    let (server, seen) = remembering();
    let child = Load::json("--rate 200 --duration 10m --workers 3")
        .with(url(&server, "/"))
        .started();
    while seen.lock().unwrap().len() < 50 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut workers = children(child.id());
    workers.sort_unstable();
    assert_eq!(workers.len(), 3, "{workers:?}");
    kill_process(Pid::from_raw(workers[1]).unwrap(), Signal::KILL).unwrap();
    let told = Told::of(&child.wait_with_output().unwrap()).exits(3);
    let report = told.json();
    assert_eq!(report["certificate"]["state"], "invalid");
    let evidence = report["certificate"]["evidence"].as_array().unwrap();
    let rule = evidence.iter().find(|e| e["what"] == "workers").unwrap();
    let text = rule["text"].as_str().unwrap();
    assert!(text.contains("worker 2 (it ended (signal: 9"), "{text}");
}

#[test]
fn ctrl_c_ends_all_workers_and_reports_what_was_sent() {
    let (server, seen) = remembering();
    let told = Load::json("--rate 200 --duration 10m --workers 2")
        .with(url(&server, "/"))
        .signalled(|| seen.lock().unwrap().len() > 50, &[Signal::INT]);
    let report = told.exits(130).json();
    assert!(report["requests"].as_u64().unwrap() > 50);
    let outcomes = report["outcomes"].as_object().unwrap().values();
    let all: u64 = outcomes.map(|o| o["count"].as_u64().unwrap()).sum();
    assert_eq!(all, report["requests"]);
}

#[test]
fn a_list_that_can_be_read_once_is_refused() {
    let server = ok();
    Load::new("--targets - --format vegeta --workers 2 --rate 10")
        .with(url(&server, "/"))
        .fed(&format!("GET {}\n", url(&server, "/")))
        .exits(2)
        .says("several --workers cannot share");
}
