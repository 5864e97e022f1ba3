//! `tacho doctor`; of a cluster as far as none is needed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Told, tacho};

/// Nobody listens there.
const KUBECONFIG: &str = "
apiVersion: v1
kind: Config
current-context: there
contexts: [{name: there, context: {cluster: c, user: u, namespace: team-a}}]
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
users: [{name: u, user: {token: s3cr3t-of-somebody}}]
";

fn doctor(arguments: &[&str]) -> Told {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    std::fs::write(&file, KUBECONFIG).unwrap();
    let mut command = tacho();
    command
        .arg("doctor")
        .args(arguments)
        .env("KUBECONFIG", &file);
    Told::of(&command.output().unwrap())
}

#[test]
fn a_cluster_that_cannot_be_asked_is_named_with_what_to_do() {
    let told = doctor(&["--on", "kubernetes"]).exits(4);
    let told = told.says("no connection to http://127.0.0.1:1");
    assert!(told.err.contains("kubectl cluster-info"), "{told:#?}");
    assert!(!format!("{told:?}").contains("s3cr3t"), "{told:#?}");

    let told = doctor(&["--on", "kubernetes", "--kubeconfig", "/nowhere/config"]).exits(4);
    assert!(told.err.contains("/nowhere/config"), "{told:#?}");
    let told = doctor(&["--on", "kubernetes", "--context", "elsewhere"]).exits(4);
    assert!(told.err.contains("elsewhere"), "{told:#?}");
}

#[test]
fn the_rights_are_written_without_asking_anybody() {
    let told = doctor(&["--on", "kubernetes", "--role"]).exits(0);
    assert!(told.out.contains("kind: Role\n"), "{told:#?}");
    assert!(told.out.contains("  namespace: team-a\n"), "{told:#?}");
    let told = doctor(&["--on", "kubernetes", "--role", "--namespace", "other"]).exits(0);
    assert!(told.out.contains("  namespace: other\n"), "{told:#?}");
}

#[test]
fn what_is_of_a_cluster_alone_is_refused_without_one() {
    for arguments in [
        &["--role"][..],
        &["--context", "there"],
        &["--namespace", "team-a"],
        &["--on", "mars"],
        &["--on", "kubernetes", "--jdk", "25"],
        &["--on", "kubernetes", "--namespace", "Team A"],
    ] {
        doctor(arguments).exits(2);
    }
}

#[test]
fn what_samples_without_async_profiler_is_told_with_what_installs_it() {
    let home = tempfile::tempdir().unwrap();
    let mut command = tacho();
    command.arg("doctor").env("HOME", home.path());
    for variable in ["XDG_DATA_HOME", "TACHO_ASYNC_PROFILER"] {
        command.env_remove(variable);
    }
    let told = Told::of(&command.output().unwrap()).exits(0);
    let (_, after) = told.out.split_once("async-profiler is not").unwrap();
    let mut lines = after.lines();
    assert!(lines.next().unwrap().contains("flight recorder"));
    let remedy = lines.next().unwrap();
    assert!(remedy.contains("-> tacho profiler install"), "{told:#?}");
}
