//! `tacho load --on kubernetes`.

use crate::a_box::Cluster;
use crate::strings::{deployed, tacho_on};
use crate::support::{Told, signal};
use rustix::process::Signal;
use serde_json::Value;
use std::process::Command;
use std::time::{Duration, Instant};

/// As other pods call it.
pub const URL: &str = "http://strings.default/health";

fn load(cluster: &Cluster, words: &[&str]) -> Command {
    let mut command = tacho_on(cluster, &["load"]);
    command.args(words).arg(URL);
    command
}

fn workers(report: &Value) -> &Vec<Value> {
    report["phases"][0]["workers"].as_array().unwrap()
}

/// Pods of workers.
fn pods(cluster: &Cluster) -> Vec<String> {
    let names = cluster.kubectl(&[
        "get",
        "pods",
        "-l",
        "app.kubernetes.io/managed-by=tacho",
        "--field-selector=status.phase=Running",
        "--output=name",
    ]);
    names.lines().map(str::to_owned).collect()
}

/// So many workers send.
pub fn until_there_are(cluster: &Cluster, workers: usize) -> Vec<String> {
    let began = Instant::now();
    loop {
        let pods = pods(cluster);
        if pods.len() == workers {
            // Their connections, and the first requests.
            std::thread::sleep(Duration::from_secs(5));
            return pods;
        }
        assert!(began.elapsed().as_secs() < 120, "{pods:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

pub fn nothing_of_it_is_left(cluster: &Cluster) {
    let began = Instant::now();
    let jobs = || cluster.kubectl(&["get", "jobs", "--output=name"]);
    while !pods(cluster).is_empty() || !jobs().is_empty() {
        assert!(began.elapsed().as_secs() < 60, "{:?}", pods(cluster));
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn workers_are_pods_and_their_result_is_one_of_whom_nobody_is_missing() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let words = ["--rate", "400", "--duration", "5s", "--workers", "8"];
    let told = Told::of(&load(&cluster, &words).output().unwrap());
    let report = told.json();
    assert_eq!(report["requests"], 2000, "{report:#}");
    assert_eq!(report["outcomes"]["2xx"]["count"], 2000);
    let requests: Vec<u64> = workers(&report)
        .iter()
        .map(|worker| worker["requests"].as_u64().unwrap())
        .collect();
    assert_eq!(requests, [250; 8]);
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("the workers are pods in namespace `default`: 8 on"),
        "{notes}"
    );
    assert!(notes.contains("one clock"), "{notes}");
    // How far apart they began is judged; on a busy machine it may be too far.
    let evidence = report["certificate"]["evidence"].as_array().unwrap();
    let rule = evidence.iter().find(|e| e["what"] == "workers").unwrap();
    assert!(rule["value"].is_number(), "{rule:#}");
    assert_eq!(rule["bound"], 20.0, "{rule:#}");
    let text = rule["text"].as_str().unwrap();
    assert!(text.contains("8 workers began within"), "{text}");
    nothing_of_it_is_left(&cluster);

    let killed = ["--rate", "100", "--duration", "10m", "--workers", "3"];
    let run = load(&cluster, &killed).spawn().unwrap();
    let there = until_there_are(&cluster, 3);
    let second = there.iter().find(|pod| pod.contains("-1-")).unwrap();
    cluster.kubectl(&["delete", second, "--grace-period=0", "--force"]);
    let told = Told::of(&run.wait_with_output().unwrap()).exits(3);
    let report = told.json();
    assert_eq!(report["certificate"]["state"], "invalid");
    let evidence = report["certificate"]["evidence"].as_array().unwrap();
    let rule = evidence.iter().find(|e| e["what"] == "workers").unwrap();
    let text = rule["text"].as_str().unwrap();
    assert!(text.contains("worker 2 (its pod tacho-"), "{text}");
    nothing_of_it_is_left(&cluster);
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_load_that_is_ended_leaves_nothing_and_one_that_is_killed_leaves_nothing_to_the_next() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let words = ["--rate", "100", "--duration", "10m", "--workers", "2"];
    let run = load(&cluster, &words).spawn().unwrap();
    until_there_are(&cluster, 2);
    signal(&run, Signal::INT);
    let told = Told::of(&run.wait_with_output().unwrap()).exits(130);
    assert!(told.json()["requests"].as_u64().unwrap() > 0, "{told:#?}");
    nothing_of_it_is_left(&cluster);

    let mut run = load(&cluster, &words).spawn().unwrap();
    until_there_are(&cluster, 2);
    signal(&run, Signal::KILL);
    run.wait().unwrap();
    let words = ["--rate", "50", "--duration", "1s", "--workers", "1"];
    let told = Told::of(&load(&cluster, &words).output().unwrap());
    assert_eq!(told.json()["requests"], 50);
    nothing_of_it_is_left(&cluster);
}

/// As those of nodes are whose clocks nobody sets: the workers know their own clock alone.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn workers_whose_clock_is_three_seconds_ahead_begin_at_one_instant() {
    let cluster = Cluster::up_ahead(3);
    deployed(&cluster);
    let words = ["--rate", "400", "--duration", "5s", "--workers", "4"];
    let told = Told::of(&load(&cluster, &words).output().unwrap());
    let report = told.json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 2000, "{report:#}");
    // The clocks were compared, and not taken for one.
    let notes = report["notes"].to_string();
    assert!(
        notes.contains("their clocks are known to within"),
        "{notes}"
    );
    for worker in workers(&report) {
        // Far less than the three seconds by which the clocks differ, on a busy machine too.
        assert!(
            worker["began_late_ms"].as_f64().unwrap() < 1_000.0,
            "{worker:#}"
        );
    }
    nothing_of_it_is_left(&cluster);
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn an_image_that_no_node_has_is_said() {
    let cluster = Cluster::up();
    let mut command = tacho_on(&cluster, &["load", "--workers", "2", URL]);
    command.args(["--image", "localhost/tacho:none"]);
    let told = Told::of(&command.output().unwrap()).exits(4);
    assert!(
        told.err.contains("the node does not get its image"),
        "{told:#?}"
    );
    nothing_of_it_is_left(&cluster);
}

/// A Job's pods are refused behind its back; one is asked for before.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_quota_that_leaves_no_room_for_workers_is_said_before_anything_is_made() {
    let cluster = Cluster::up();
    cluster.kubectl(&["create", "namespace", "small"]);
    cluster.kubectl(&["create", "quota", "q", "-n", "small", "--hard=pods=0"]);
    let words = [
        "--rate",
        "10",
        "--duration",
        "1s",
        "--workers",
        "2",
        "--namespace",
        "small",
    ];
    let told = Told::of(&load(&cluster, &words).output().unwrap()).exits(4);
    assert!(told.err.contains("kubectl describe quota"), "{told:#?}");
    cluster.nothing_is_left_in("small");
}
