//! `tacho rollout`, as far as no cluster is needed; `labs/kubernetes/promises` is it on a real one.

use crate::support::{Lab, Told, tacho};
use std::path::Path;

fn rollout(arguments: &[&str]) -> Told {
    let mut command = tacho();
    command
        .arg("rollout")
        .args(arguments)
        .env("HOME", Path::new("/nowhere"))
        .env_remove("KUBECONFIG");
    Told::of(&command.output().unwrap())
}

/// What the launches of this experiment would send.
fn dry_run(phases: &str, more: &[&str]) -> Told {
    let lab = Lab::new(&format!(
        "tacho: 1\nname: users\nvariants: [{{name: a, kind: exec, command: 'true'}}]\nrequests: [GET /]\n{phases}\n"
    ));
    let mut command = tacho();
    command
        .current_dir(lab.path())
        .args(["rollout", "experiment.yaml", "--on", "kubernetes"])
        .args(["--load-image", "true", "--dry-run"])
        .args(more);
    Told::of(&command.output().unwrap())
}

#[test]
fn an_experiment_says_how_many_users_come_unless_the_command_does() {
    let phases = "phases: [{closed: {requests: 9, connections: 4}}, {open: {rate: 70/s, duration: 5s, connections: 9}}]";
    for (more, said) in [
        (&[][..], "restart: 70/s for 60 s, over 9 connections"),
        (&["--connections", "3"], "70/s for 60 s, over 3 connections"),
        (&["--rate", "33"], "33/s for 60 s, over 64 connections"),
    ] {
        let told = dry_run(phases, more).exits(0);
        assert!(told.out.contains(said), "{told:#?}");
    }
    let closed = "phases: [{closed: {requests: 9, connections: 4}}]";
    let told = dry_run(closed, &[]).exits(2);
    assert!(told.err.contains("name them by --rate"), "{told:#?}");
}

#[test]
fn what_is_missing_or_wrong_is_said() {
    let told = rollout(&["users", "--on", "kubernetes"]).exits(2);
    assert!(told.err.contains("--rate"), "{told:#?}");
    let told = rollout(&["users", "--rate", "10"]).exits(2);
    assert!(told.err.contains("--on"), "{told:#?}");
    let on = ["users", "--rate", "10", "--on", "kubernetes"];
    let told = rollout(&[&on[..], &["--change", "explode"]].concat()).exits(2);
    assert!(
        told.err
            .contains("restart, scale=PODS, evict, drain, kill or crash"),
        "{told:#?}"
    );
    let told = rollout(&[&on[..], &["--change", "evict", "--try-pre-stop"]].concat()).exits(2);
    assert!(told.err.contains("--change restart"), "{told:#?}");
    let told = rollout(&["restart", "deployment/users", "-n", "shop"]).exits(2);
    let line = "tacho rollout users / --rate 20 --on kubernetes -n shop";
    assert!(told.err.contains(line), "{told:#?}");
    let told = rollout(&on).exits(4);
    assert!(told.err.contains("there is no kubeconfig"), "{told:#?}");
}
