//! Whoever has the printed Role, and nothing else, can do all that it names.

use crate::a_box::Cluster;
use crate::load::URL;
use crate::rollout::variants;
use crate::run::{completed, lab};
use crate::strings::deployed;
use crate::support::{Told, tacho};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Who gets it: an account of a namespace in which it may do nothing.
const WHO: &str = "people:measurer";

/// What `tacho doctor` prints is given to that account, as the text in it says; the kubeconfig is
/// the account's own.
fn kubeconfig_of_whom_it_is_given_to(cluster: &Cluster) -> PathBuf {
    let printed = tacho()
        .args(["doctor", "--on", "kubernetes", "-n", "default", "--role"])
        .env("KUBECONFIG", cluster.kubeconfig())
        .output()
        .unwrap();
    let role = cluster.state().join("role.yaml");
    std::fs::write(&role, Told::of(&printed).exits(0).out).unwrap();
    cluster.kubectl(&["apply", "-f", &role.display().to_string()]);
    cluster.kubectl(&["create", "namespace", "people"]);
    cluster.kubectl(&["create", "serviceaccount", "measurer", "-n", "people"]);
    let account = format!("--serviceaccount={WHO}");
    let binding = ["create", "rolebinding", "tacho", "--role=tacho", &account];
    cluster.kubectl(&[&binding[..], &["-n", "default"]].concat());
    let token = cluster.kubectl(&["create", "token", "measurer", "-n", "people"]);
    let own = cluster.state().join("kubeconfig-of-measurer");
    std::fs::copy(cluster.kubeconfig(), &own).unwrap();
    let config = |words: &[&str]| {
        let of_own = ["--kubeconfig", own.to_str().unwrap(), "config"];
        cluster.kubectl(&[&of_own[..], words].concat());
    };
    let token = format!("--token={}", token.trim());
    config(&["set-credentials", "measurer", &token]);
    config(&[
        "set-context",
        "--current",
        "--user=measurer",
        "--namespace=default",
    ]);
    own
}

fn as_whom(kubeconfig: &Path, words: &[&str]) -> Command {
    let mut command = tacho();
    command.args(words).args(["--on", "kubernetes"]);
    command.env("KUBECONFIG", kubeconfig);
    command
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn the_printed_role_is_enough_and_no_more_is_used() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let own = kubeconfig_of_whom_it_is_given_to(&cluster);
    let load_image = cluster.load_image();
    let handed = ["--load-image", load_image.as_str()];

    let told = Told::of(&as_whom(&own, &["doctor"]).output().unwrap()).exits(0);
    assert!(!told.out.contains("Missing"), "{told:#?}");

    let one = lab("8080", 1);
    let mut run = as_whom(&own, &["run", "experiment.yaml", "--run-pod"]);
    run.current_dir(one.path()).args(handed);
    let told = Told::of(&run.output().unwrap());
    assert!(!one.launches().is_empty(), "{told:#?}");
    completed(&one.launches()[0]);

    let two = variants();
    let words = [
        "rollout",
        "experiment.yaml",
        "--rate",
        "50",
        "--fresh",
        "3s",
    ];
    let mut rollout = as_whom(&own, &words);
    rollout.current_dir(two.path());
    rollout.args(["--for", "25s", "--run-pod"]).args(handed);
    let told = Told::of(&rollout.output().unwrap());
    assert!(two.launches().len() >= 2, "{told:#?}");
    for launch in two.launches() {
        completed(&launch);
    }

    let words = [
        "rollout", "strings", "/health", "--rate", "50", "--rest", "2s",
    ];
    let mut rollout = as_whom(&own, &words);
    rollout.args(["--change", "restart", "--change", "evict"]);
    let told = Told::of(&rollout.output().unwrap());
    assert!(matches!(told.code, Some(0 | 1)), "{told:#?}");

    let words = [
        "load",
        "--rate",
        "100",
        "--duration",
        "2s",
        "--workers",
        "2",
    ];
    let mut load = as_whom(&own, &words);
    load.args(handed).args(["--json", "-", "--quiet", URL]);
    let report = Told::of(&load.output().unwrap()).json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 200, "{report:#}");

    // In another namespace it may nothing, and is told so before anything is made.
    let mut elsewhere = as_whom(&own, &["run", "experiment.yaml", "-n", "kube-system"]);
    elsewhere.current_dir(one.path()).args(handed);
    let told = Told::of(&elsewhere.output().unwrap()).exits(4);
    assert!(told.err.contains("--role"), "{told:#?}");
}
