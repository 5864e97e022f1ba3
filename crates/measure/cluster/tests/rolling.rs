//! Somebody's Deployment is scaled, on an API server that answers as it is told.
#![allow(clippy::unwrap_used, clippy::expect_used)]

#[allow(dead_code)]
#[path = "../../../process/cluster-api/tests/server/fake.rs"]
mod fake;

use fake::{Fake, refused};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tacho_cluster::{NotRolled, Patience, Rolling, Step};
use tacho_cluster_api::Cluster;
use tacho_runner::Stop;

fn deployment(pods: u64) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "users", "generation": 1},
        "spec": {
            "replicas": pods,
            "selector": {"matchLabels": {"app": "users"}},
            "template": {
                "metadata": {"labels": {"app": "users"}},
                "spec": {"containers": [{"name": "users"}]},
            },
        },
        "status": {
            "observedGeneration": 1,
            "replicas": pods, "updatedReplicas": pods, "availableReplicas": pods,
        },
    })
}

fn empty_list(kind: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": kind, "metadata": {"resourceVersion": "5"}, "items": [],
    })
}

/// A Deployment of two pods. If somebody asks for a number of pods, it gets the number that is
/// given; without one, that is refused.
fn users(gets: fn(u64) -> Option<u64>) -> (Fake, Arc<Mutex<u64>>) {
    let pods = Arc::new(Mutex::new(2));
    let there = Arc::clone(&pods);
    let fake = Fake::answering(move |method, path, body| {
        if path.contains("watch=true") {
            // The watch has ended, and is begun anew.
            std::thread::sleep(Duration::from_millis(200));
            return (200, json!([]));
        }
        if path.contains("/pods") {
            return (200, empty_list("PodList"));
        }
        if !path.contains("/deployments/") {
            return (200, empty_list("EndpointSliceList"));
        }
        let mut pods = there.lock().unwrap();
        if method == "PATCH" {
            let patch: Value = serde_json::from_str(body).unwrap();
            let wanted = patch["spec"]["replicas"].as_u64();
            match wanted.map(gets) {
                Some(None) => return refused(403, "deployments is forbidden"),
                Some(Some(gets)) => *pods = gets,
                None => {}
            }
        }
        (200, deployment(*pods))
    });
    (fake, pods)
}

fn rolling(fake: &Fake) -> Rolling {
    let cluster = Arc::new(Cluster::of(&fake.access()).unwrap());
    let found = cluster.deployment("users").unwrap().unwrap();
    let patience = Patience {
        within: Duration::from_secs(60),
        rest: Duration::ZERO,
        longer_by: "--within",
    };
    Rolling::begin(cluster, &found, "users", patience, Stop::new()).unwrap()
}

fn patches(fake: &Fake) -> Vec<String> {
    let mut asked = fake.asked();
    asked.retain(|asked| asked.starts_with("PATCH"));
    asked
}

#[test]
fn it_is_scaled_back_to_what_it_was_just_before() {
    let (fake, pods) = users(Some);
    let mut rolling = rolling(&fake);
    // Its owner does it, while the first users come.
    *pods.lock().unwrap() = 5;
    let windows = rolling.carry_out(Step::Scale(4), 1).unwrap();
    let names: Vec<&str> = windows.iter().map(|window| window.name.as_str()).collect();
    assert_eq!(names, ["scale-to-4 1", "scale-back-to-5 1"]);
    assert_eq!(*pods.lock().unwrap(), 5);
}

#[test]
fn an_autoscaler_that_scales_it_too_is_named_and_has_its_way() {
    let (fake, pods) = users(|_| Some(6));
    let error = rolling(&fake).carry_out(Step::Scale(4), 1).unwrap_err();
    assert!(
        matches!(error, NotRolled::ScaledByAnother { is: 6, .. }),
        "{error}"
    );
    assert!(
        error.to_string().contains("HorizontalPodAutoscaler"),
        "{error}"
    );
    assert_eq!(*pods.lock().unwrap(), 6);
    // Only the record of the change is removed.
    let patches = patches(&fake);
    assert_eq!(patches.len(), 2, "{patches:?}");
    assert!(!patches[1].contains("replicas"), "{patches:?}");
}

#[test]
fn what_cannot_be_put_back_is_told_with_the_commands_that_do_it() {
    let (fake, _) = users(|wanted| (wanted == 4).then_some(4));
    let error = rolling(&fake).carry_out(Step::Scale(4), 1).unwrap_err();
    let told = error.to_string();
    for said in [
        "left with 4 pods in place of 2",
        "`kubectl scale deployment/users --replicas 2 -n team-a`",
        "`kubectl annotate deployment/users tacho/put-back- -n team-a`",
    ] {
        assert!(told.contains(said), "{told}");
    }
}
