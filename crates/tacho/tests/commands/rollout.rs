//! `tacho rollout`, as far as no cluster is needed; `labs/kubernetes/promises` is it on a real one.

use crate::support::{Told, tacho};
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
