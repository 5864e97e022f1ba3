//! Somebody's Deployment is changed, on an API server that answers as it is told.
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

/// A Deployment of two pods that are ready, and no Service.
fn without_a_service() -> Fake {
    let pod = |name: &str| {
        json!({
            "metadata": {"name": name, "uid": name},
            "spec": {"nodeName": "one", "containers": []},
            "status": {"conditions": [{"type": "Ready", "status": "True"}]},
        })
    };
    let pods = Mutex::new(vec!["a", "b"]);
    Fake::answering(move |method, path, _| {
        let bare = path.split('?').next().unwrap();
        if method == "DELETE" {
            let name = bare.rsplit('/').next().unwrap();
            pods.lock().unwrap().retain(|pod| *pod != name);
            return (200, pod(name));
        }
        if path.contains("watch=true") {
            std::thread::sleep(Duration::from_millis(200));
            return (200, json!([]));
        }
        if bare.contains("/deployments/") {
            return (200, deployment(2));
        }
        let mut list = empty_list(match bare.ends_with("/pods") {
            true => "PodList",
            false => "EndpointSliceList",
        });
        if bare.ends_with("/pods") {
            list["items"] = pods.lock().unwrap().iter().map(|name| pod(name)).collect();
        }
        (200, list)
    })
}

fn rolling(fake: &Fake, service: &str) -> Rolling {
    let cluster = Arc::new(Cluster::of(&fake.access()).unwrap());
    let found = cluster.deployment("users").unwrap().unwrap();
    let patience = Patience {
        within: Duration::from_secs(60),
        rest: Duration::ZERO,
        longer_by: "--within",
    };
    Rolling::begin(cluster, &found, service, patience, Stop::new()).unwrap()
}

fn patches(fake: &Fake) -> Vec<String> {
    let mut asked = fake.asked();
    asked.retain(|asked| asked.starts_with("PATCH"));
    asked
}

#[test]
fn it_is_scaled_back_to_what_it_was_just_before() {
    let (fake, pods) = users(Some);
    let mut rolling = rolling(&fake, "users");
    // Its owner does it, while the first users come.
    *pods.lock().unwrap() = 5;
    let windows = rolling.carry_out(Step::Scale(4), 1).unwrap();
    let names: Vec<&str> = windows.iter().map(|window| window.name.as_str()).collect();
    assert_eq!(names, ["scale-to-4 1", "scale-back-to-5 1"]);
    assert_eq!(*pods.lock().unwrap(), 5);
}

/// As with --url, where several Services lead to the pods, or none does.
#[test]
fn where_no_endpoints_are_watched_a_pod_that_is_ready_can_be_killed() {
    let fake = without_a_service();
    let mut rolling = rolling(&fake, "");
    for _ in 0..600 {
        if rolling.told().is_empty() {
            rolling.warm_up(Duration::from_millis(100)).unwrap();
        }
    }
    let windows = rolling.carry_out(Step::Kill, 1).unwrap();
    assert_eq!(windows[0].name, "kill 1");
    let killed = "DELETE /api/v1/namespaces/team-a/pods/a";
    let asked = fake.asked();
    assert!(
        asked.iter().any(|asked| asked.starts_with(killed)),
        "{asked:?}"
    );
}

#[test]
fn an_autoscaler_that_scales_it_too_is_named_and_has_its_way() {
    let (fake, pods) = users(|_| Some(6));
    let error = rolling(&fake, "users")
        .carry_out(Step::Scale(4), 1)
        .unwrap_err();
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
    let error = rolling(&fake, "users")
        .carry_out(Step::Scale(4), 1)
        .unwrap_err();
    let told = error.to_string();
    for said in [
        "left with 4 pods in place of 2",
        "`kubectl scale deployment/users --replicas 2 -n team-a`",
        "`kubectl annotate deployment/users tacho/put-back- -n team-a`",
    ] {
        assert!(told.contains(said), "{told}");
    }
}
