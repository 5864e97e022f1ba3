//! `tacho run --on kubernetes --run-pod`: a pod carries out the launches, as for whoever is on no
//! node.

use crate::a_box::Cluster;
use crate::run::{completed, lab, until_it_launches};
use crate::support::{Told, signal};
use rustix::process::Signal;
use std::process::Stdio;
use std::time::Duration;

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pod_carries_out_a_run_and_all_that_is_recorded_arrives() {
    let cluster = Cluster::up();
    let lab = lab("8080", 3);
    let there = ["--run-pod", "--node", "cluster-box", "--through-service"];
    let told = cluster.run(&lab, "default", &there);
    let launches = lab.launches();
    assert!(launches.len() >= 3, "{told:#?}");
    for launch in &launches {
        let pod = completed(launch);
        assert_eq!(pod["node"], "cluster-box", "{pod:#}");
        assert!(pod["reached_ms"].as_f64().unwrap() > 0.0, "{pod:#}");
        assert!(pod["exec_within_ms"].as_f64().unwrap() > 0.0, "{pod:#}");
        let limits = &launch["limits"];
        assert_eq!(limits["inside"].as_bool(), Some(true), "{limits:#}");
        assert!(launch["resources"]["peak_rss_bytes"].as_u64().unwrap() > 1 << 20);
        for phase in launch["phases"].as_array().unwrap() {
            assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
        }
    }
    // Distributions, samples and the service's own words, and not the records alone.
    let launches = std::fs::read_dir(lab.run_folder().join("launches")).unwrap();
    for launch in launches.flatten().map(|launch| launch.path()) {
        let log = std::fs::read_to_string(launch.join("log.txt")).unwrap();
        assert!(log.contains("listening"), "{log}");
        assert!(launch.join("phases.hlog").exists() && launch.join("samples.csv").exists());
    }
    let notes = lab.json("plan.json")["notes"].to_string();
    assert!(notes.contains("carried out the launches"), "{notes}");
    assert!(notes.contains("give or take"), "{notes}");
    assert!(told.out.contains("report.html"), "{told:#?}");
    cluster.nothing_is_left_in("default");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn where_no_pod_may_see_its_node_it_is_said_and_a_run_can_do_without() {
    let cluster = Cluster::up();
    cluster.kubectl(&["create", "namespace", "strict"]);
    let enforce = "pod-security.kubernetes.io/enforce=restricted";
    cluster.kubectl(&["label", "namespace", "strict", enforce]);
    let lab = lab("8080", 1);
    let told = cluster.run(&lab, "strict", &["--run-pod"]).exits(4);
    assert!(told.err.contains("kubectl label namespace"), "{told:#?}");
    assert!(told.err.contains("--unprivileged"), "{told:#?}");
    assert!(!lab.path().join("runs").exists());
    cluster.nothing_is_left_in("strict");

    let told = cluster.run(&lab, "strict", &["--unprivileged"]);
    let launch = &lab.launches()[0];
    let pod = completed(launch);
    assert_eq!(pod["is_unseen"], true, "{pod:#}");
    assert!(launch["limits"].is_null() && launch["resources"]["peak_rss_bytes"].is_null());
    for phase in launch["phases"].as_array().unwrap() {
        assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
    }
    let rules = lab.json("results.json")["certificate"]["evidence"].clone();
    let of = |rule: &str| {
        let all = rules.as_array().unwrap();
        all.iter().find(|e| e["rule"] == rule).cloned()
    };
    assert_eq!(of("unseen").unwrap()["state"], "degraded", "{rules:#}");
    assert!(of("limits").is_none(), "{rules:#}");
    assert!(told.out.contains("not seen from their node"), "{told:#?}");
    cluster.nothing_is_left_in("strict");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_line_that_breaks_ends_no_run_and_its_terminal_ends_it() {
    let cluster = Cluster::up();
    let begun = |lab| {
        let mut command = cluster.command(lab, "default", &["--run-pod"]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let goes_on = lab("8080", 4);
    let run = begun(&goes_on);
    until_it_launches(&cluster, &goes_on);
    cluster.signal_the_api("STOP");
    std::thread::sleep(Duration::from_secs(20));
    cluster.signal_the_api("CONT");
    let told = Told::of(&run.wait_with_output().unwrap());
    let launches = goes_on.launches();
    assert!(launches.len() >= 4, "{told:#?}");
    launches.iter().for_each(|launch| {
        completed(launch);
    });
    cluster.nothing_is_left_in("default");

    let ended = lab("8080", 50);
    let run = begun(&ended);
    until_it_launches(&cluster, &ended);
    signal(&run, Signal::INT);
    let told = Told::of(&run.wait_with_output().unwrap()).exits(130);
    assert!(!told.out.is_empty(), "what was measured is told");
    cluster.nothing_is_left_in("default");
}

/// Its pod would go on without it for ten minutes.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn what_a_killed_terminal_leaves_is_deleted_by_the_next_run() {
    let cluster = Cluster::up();
    let killed = lab("8080", 50);
    let mut command = cluster.command(&killed, "default", &["--run-pod"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().unwrap();
    until_it_launches(&cluster, &killed);
    signal(&run, Signal::KILL);
    run.wait().unwrap();
    let left = cluster.objects("default");
    for kind in ["job.batch", "serviceaccount", "pod"] {
        assert!(left.contains(&format!("{kind}/tacho-")), "{kind}: {left}");
    }
    let is_its_pod = |object: &str| object.starts_with("pod/") && object.ends_with("-runner");
    assert!(left.lines().any(is_its_pod), "{left}");
    let next = lab("8080", 1);
    let told = cluster.run(&next, "default", &["--run-pod"]);
    let launches = next.launches();
    assert!(!launches.is_empty(), "{told:#?}");
    completed(&launches[0]);
    cluster.nothing_is_left_in("default");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_node_that_is_gone_is_told_and_what_arrived_before_is_there() {
    let cluster = Cluster::up();
    let lab = lab("8080", 50);
    let mut command = cluster.command(&lab, "default", &["--run-pod"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let run = command.spawn().unwrap();
    until_it_launches(&cluster, &lab);
    cluster.signal_the_node("STOP");
    let told = Told::of(&run.wait_with_output().unwrap());
    cluster.signal_the_node("CONT");
    let told = told.exits(4);
    assert!(told.err.contains("is its node gone"), "{told:#?}");
    assert!(told.err.contains("tacho report"), "{told:#?}");
    completed(&lab.launches()[0]);
    cluster.nothing_is_left_in("default");
}

/// What a note says of the clocks: how far they are apart, and how well that is known, in ms.
fn clocks_apart(note: &str) -> (f64, f64) {
    let ms_behind = |words: &str| -> f64 {
        let (_, rest) = note.split_once(words).unwrap_or_else(|| panic!("{note}"));
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    (ms_behind("which was "), ms_behind("give or take "))
}

/// As those of nodes are whose clocks nobody sets. Each instant is of the pod's clock alone. The
/// kernel sets only the monotonic clock apart; both sides have the same time of day, which is what
/// the note is about.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_run_by_a_pod_whose_clock_is_three_seconds_ahead_is_by_that_clock() {
    let cluster = Cluster::up_ahead(3);
    let lab = lab("8080", 2);
    let told = cluster.run(&lab, "default", &["--run-pod"]);
    let launches = lab.launches();
    assert!(launches.len() >= 2, "{told:#?}");
    for launch in &launches {
        let pod = completed(launch);
        let at = |name: &str| pod[name].as_f64().unwrap_or_else(|| panic!("{pod:#}"));
        // With an instant of this machine's clock among them it would not be so.
        assert!(at("created_ms") < 0.0 && at("scheduled_ms") < 0.0);
        assert!(launch["time_line"]["ready_ms"].as_f64().unwrap() > 0.0);
        for phase in launch["phases"].as_array().unwrap() {
            assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
        }
    }
    let notes = lab.json("plan.json")["notes"].to_string();
    let (_, of_clock) = notes.split_once("of that node's clock").expect(&notes);
    let (apart_ms, within_ms) = clocks_apart(of_clock);
    // Each is rounded to a tenth.
    assert!(apart_ms <= within_ms + 0.1, "{notes}");
    cluster.nothing_is_left_in("default");
}
