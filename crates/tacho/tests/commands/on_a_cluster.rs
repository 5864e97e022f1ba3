//! `tacho run --on kubernetes`, as far as no cluster is needed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Lab, Told, tacho};

/// Nobody listens there.
const KUBECONFIG: &str = "
apiVersion: v1
kind: Config
current-context: there
contexts: [{name: there, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]
users: [{name: u, user: {token: s3cr3t-of-somebody}}]
";

fn run(more: &str, arguments: &[&str]) -> (Told, bool) {
    let lab = Lab::scripted(&[("a", "")], more);
    let folder = lab.dir.path();
    std::fs::write(folder.join("config"), KUBECONFIG).unwrap();
    let mut command = tacho();
    command
        .args(["run", "experiment.yaml"])
        .args(arguments)
        .current_dir(folder)
        .env("KUBECONFIG", folder.join("config"));
    let told = Told::of(&command.output().unwrap());
    (told, folder.join("runs").exists())
}

const ON: [&str; 4] = ["--on", "kubernetes", "--load-image", "true"];

#[test]
fn without_a_cluster_nothing_is_made() {
    let (told, has_begun) = run("", &ON);
    let told = told.exits(4);
    // Where pods run on this machine, the API is asked first.
    let said = [
        "no pods run on this machine",
        "no connection to http://127.0.0.1:1",
    ];
    assert!(said.iter().any(|said| told.err.contains(said)), "{told:#?}");
    assert!(!format!("{told:?}").contains("s3cr3t"), "{told:#?}");
    assert!(!has_begun);
}

#[test]
fn what_belongs_together_is_asked_for() {
    for arguments in [
        &["--on", "kubernetes"][..],
        &["--load-image", "true"],
        &["--context", "x"],
    ] {
        let (told, has_begun) = run("", arguments);
        told.exits(2);
        assert!(!has_begun);
    }
}
