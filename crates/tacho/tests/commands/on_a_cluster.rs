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
    run_with(KUBECONFIG, more, arguments)
}

fn run_with(kubeconfig: &str, more: &str, arguments: &[&str]) -> (Told, bool) {
    let lab = Lab::scripted(&[("a", "")], more);
    let folder = lab.dir.path();
    std::fs::write(folder.join("config"), kubeconfig).unwrap();
    let mut command = tacho();
    command
        .args(["run", "experiment.yaml"])
        .args(arguments)
        .current_dir(folder)
        .env("KUBECONFIG", folder.join("config"));
    let told = Told::of(&command.output().unwrap());
    (told, folder.join("runs").exists())
}

#[test]
fn how_images_get_to_an_unknown_cluster_is_asked_for() {
    let (told, has_begun) = run("", &["--on", "kubernetes", "--dry-run"]);
    let told = told.exits(2);
    for said in [
        "context `there`",
        "--image registry/team/app",
        "--load-image",
    ] {
        assert!(told.err.contains(said), "{told:#?}");
    }
    assert!(!has_begun);
    let lab = Lab::scripted(&[("a", "")], "");
    std::fs::write(lab.dir.path().join("config"), KUBECONFIG).unwrap();
    let mut command = tacho();
    command
        .args(["load", "--on", "kubernetes", "-d", "1s", "http://users/"])
        .env("KUBECONFIG", lab.dir.path().join("config"));
    let told = Told::of(&command.output().unwrap()).exits(2);
    assert!(
        told.err
            .contains("name one that holds this version of Tacho"),
        "{told:#?}"
    );
}

/// As the cluster that runs on a developer's own machine: nothing is to be said.
#[test]
fn how_images_get_to_a_known_cluster_is_told() {
    let of_kind = KUBECONFIG
        .replace("current-context: there", "current-context: kind-dev")
        .replace("{name: there,", "{name: kind-dev,");
    let (told, _) = run_with(&of_kind, "", &["--on", "kubernetes", "--dry-run"]);
    let told = told.exits(0);
    let said = "Images get to this cluster by `kind load image-archive --name=dev`, as its context";
    assert!(told.err.contains(said), "{told:#?}");
    let of_ours = KUBECONFIG.replace(
        "user: u}}]\nclusters",
        "user: u, extensions: [{name: tacho, extension: {image: registry.example/team/app}}]}}]\nclusters",
    );
    let (told, _) = run_with(&of_ours, "", &["--on", "kubernetes", "--dry-run"]);
    let told = told.exits(0);
    assert!(
        told.err
            .contains("by the registry, as registry.example/team/app"),
        "{told:#?}"
    );
}

#[test]
fn an_extension_of_a_context_that_is_not_understood_is_named() {
    for (extension, said, code) in [
        (
            "{imgae: a/b}",
            "the extension `tacho` of context `there`",
            4,
        ),
        ("{image: 'A B'}", "A B", 2),
    ] {
        let of_ours = KUBECONFIG.replace(
            "user: u}}]\nclusters",
            &format!(
                "user: u, extensions: [{{name: tacho, extension: {extension}}}]}}}}]\nclusters"
            ),
        );
        let (told, has_begun) = run_with(&of_ours, "", &["--on", "kubernetes"]);
        let told = told.exits(code);
        assert!(told.err.contains(said), "{told:#?}");
        assert!(!has_begun);
    }
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
