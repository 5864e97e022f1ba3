//! A Deployment is changed, and what changes is told.

use crate::fake::{Fake, refused};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tacho_cluster_api::{Change, Changes, Cluster, ClusterError, PutBack, Runner, TemporaryChange};

fn cluster(fake: &Fake) -> Cluster {
    Cluster::of(&fake.access()).unwrap()
}

fn pod(name: &str) -> Value {
    json!({"metadata": {"name": name}, "status": {}})
}

fn list(kind: &str, items: &[Value]) -> Value {
    json!({
        "apiVersion": "v1", "kind": kind, "metadata": {"resourceVersion": "5"}, "items": items,
    })
}

fn nothing_happens() -> (u16, Value) {
    // The watch has ended, and is begun anew.
    std::thread::sleep(Duration::from_millis(200));
    (200, json!([]))
}

/// The first of these that is wanted.
fn until<T>(changes: &Changes, wanted: impl Fn(&Change) -> Option<T>) -> T {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(120) {
        if let Some((_, change)) = changes.next(Duration::from_millis(100))
            && let Some(found) = wanted(&change)
        {
            return found;
        }
    }
    panic!("it was not told");
}

#[test]
fn pods_and_endpoints_are_told_as_they_change() {
    let watches = Mutex::new(0);
    let fake = Fake::answering(move |_, path, _| {
        let of_pods = path.contains("/pods");
        match (of_pods, path.contains("watch=true")) {
            (true, false) => (200, list("PodList", &[pod("a")])),
            (true, true) => {
                let mut watches = watches.lock().unwrap();
                *watches += 1;
                match *watches {
                    1 => {
                        let gone = json!([
                            {"type": "ADDED", "object": pod("b")},
                            {"type": "DELETED", "object": pod("a")},
                        ]);
                        (200, gone)
                    }
                    _ => nothing_happens(),
                }
            }
            (false, false) => {
                let slice = json!({
                    "metadata": {"name": "users-1"},
                    "addressType": "IPv4",
                    "endpoints": [{
                        "addresses": ["10.0.0.1"],
                        "targetRef": {"kind": "Pod", "name": "a"},
                    }],
                });
                (200, list("EndpointSliceList", &[slice]))
            }
            (false, true) => nothing_happens(),
        }
    });
    let changes = cluster(&fake).changes("app=users", "users").unwrap();
    let gone = until(&changes, |change| match change {
        Change::PodGone(name) => Some(name.clone()),
        _ => None,
    });
    assert_eq!(gone, "a");
    let takes = until(&changes, |change| match change {
        Change::Endpoints(_, pods) => Some(pods.clone()),
        _ => None,
    });
    assert!(takes.contains("a"));
    let asked = fake.asked().join("\n");
    assert!(asked.contains("labelSelector=app%3Dusers"), "{asked}");
    assert!(
        asked.contains("kubernetes.io%2Fservice-name%3Dusers"),
        "{asked}"
    );
}

#[test]
fn a_pod_that_went_while_nobody_watched_is_missed() {
    let lists = Mutex::new(0);
    let fake = Fake::answering(move |_, path, _| {
        if !path.contains("/pods") || path.contains("watch=true") {
            let empty = list("EndpointSliceList", &[]);
            return if path.contains("watch=true") {
                nothing_happens()
            } else {
                (200, empty)
            };
        }
        let mut lists = lists.lock().unwrap();
        *lists += 1;
        match *lists {
            1 => (200, list("PodList", &[pod("a"), pod("b")])),
            _ => (200, list("PodList", &[pod("b")])),
        }
    });
    let changes = cluster(&fake).changes("app=users", "users").unwrap();
    let gone = until(&changes, |change| match change {
        Change::PodGone(name) => Some(name.clone()),
        _ => None,
    });
    assert_eq!(gone, "a");
}

#[test]
fn watches_that_have_expired_are_begun_anew() {
    let watches = Mutex::new(0);
    let fake = Fake::answering(move |_, path, _| {
        if !path.contains("watch=true") {
            let is_of_pods = path.contains("/pods");
            let kind = if is_of_pods {
                "PodList"
            } else {
                "EndpointSliceList"
            };
            return (200, list(kind, &[]));
        }
        if !path.contains("/pods") {
            return nothing_happens();
        }
        let mut watches = watches.lock().unwrap();
        *watches += 1;
        // A server says it in the watch, or instead of it.
        let (code, expired) = refused(410, "too old resource version");
        match *watches {
            1 => (200, json!([{"type": "ERROR", "object": expired}])),
            2 => (code, expired),
            3 => (200, json!([{"type": "ADDED", "object": pod("late")}])),
            _ => nothing_happens(),
        }
    });
    let changes = cluster(&fake).changes("app=users", "users").unwrap();
    let late = until(&changes, |change| match change {
        Change::Pod { name, .. } => Some(name.clone()),
        Change::Lost(error) => panic!("{error}"),
        _ => None,
    });
    assert_eq!(late, "late");
}

#[test]
fn who_may_not_watch_is_told_at_once() {
    let message = "endpointslices.discovery.k8s.io is forbidden: User \"u\" cannot list resource \"endpointslices\" in API group \"discovery.k8s.io\" in the namespace \"team-a\"";
    let fake = Fake::answering(move |_, _, _| refused(403, message));
    let changes = cluster(&fake).changes("app=users", "users").unwrap();
    until(&changes, |change| {
        matches!(change, Change::Lost(ClusterError::Forbidden { .. })).then_some(())
    });
}

#[test]
fn a_deployment_is_changed_by_patches_of_what_is_meant_alone() {
    let fake = Fake::answering(|_, _, _| {
        let deployment = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "users"},
        });
        (200, deployment)
    });
    let cluster = cluster(&fake);
    let four = TemporaryChange::Replicas { was: 2, is: 4 };
    cluster
        .change_for_a_while("users", &by_somebody(four.clone()))
        .unwrap();
    cluster.put_back("users", &four).unwrap();
    cluster.restart("users").unwrap();
    cluster.leave("users").unwrap();
    let asked = fake.asked();
    assert!(asked[0].starts_with("PATCH /apis/apps/v1/namespaces/team-a/deployments/users"));
    let body = |n: usize| -> Value {
        let at = asked[n].find('{').unwrap();
        serde_json::from_str(&asked[n][at..]).unwrap()
    };
    assert_eq!(body(0)["spec"], json!({"replicas": 4}));
    assert_eq!(body(1)["spec"], json!({"replicas": 2}));
    let said = |n: usize| body(n)["metadata"]["annotations"]["tacho/put-back"].clone();
    assert!(
        said(0).as_str().unwrap().contains(r#""was":2"#),
        "{asked:?}"
    );
    assert!(said(1).is_null() && said(3).is_null());
    assert!(asked[2].contains("tacho/restarted-at-ns"), "{asked:?}");
    assert!(!asked[2].contains("replicas") && !asked[3].contains("spec"));
}

fn by_somebody(changed: TemporaryChange) -> PutBack {
    PutBack {
        by: Runner {
            machine: "m".to_owned(),
            process: "1/2".to_owned(),
        },
        changed,
    }
}

#[test]
fn a_pod_that_a_budget_keeps_is_not_evicted() {
    let fake = Fake::answering(|method, path, _| {
        assert!(method == "POST" && path.starts_with("/api/v1/namespaces/team-a/pods/a/eviction"));
        let (code, mut status) = refused(
            429,
            "Cannot evict pod as it would violate the pod's disruption budget.",
        );
        let cause = "The disruption budget strings-budget needs 2 healthy pods and has 2 currently";
        status["details"] = json!({
            "causes": [{"reason": "DisruptionBudget", "message": cause}],
        });
        (code, status)
    });
    let error = cluster(&fake).evict("a").unwrap_err();
    assert!(error.is_kept_by_a_budget());
    assert!(error.to_string().contains("strings-budget"), "{error}");
}

#[test]
fn a_busy_server_keeps_no_pod_and_is_asked_again() {
    let asked = Mutex::new(0);
    let fake = Fake::answering(move |_, path, _| {
        assert!(path.contains("/pods/a/eviction"));
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        match *asked {
            1 => refused(429, "Too many requests, please try again later."),
            _ => (
                201,
                json!({"kind": "Status", "apiVersion": "v1", "status": "Success"}),
            ),
        }
    });
    cluster(&fake).evict("a").unwrap();
    assert_eq!(fake.asked().len(), 2);
}

#[test]
fn a_webhook_that_refuses_a_change_is_told_in_its_own_words_and_a_missing_right_as_one() {
    let told = |message: &'static str| {
        let fake = Fake::answering(move |_, _, _| refused(403, message));
        cluster(&fake).restart("users").unwrap_err()
    };
    let webhook = told(
        "admission webhook \"validation.gatekeeper.sh\" denied the request: [owner] you must provide labels",
    );
    assert!(webhook.is_not_allowed());
    assert!(
        matches!(webhook, ClusterError::Refused { code: 403, .. }),
        "{webhook:?}"
    );
    let text = webhook.to_string();
    assert!(text.contains("you must provide labels"), "{text}");
    assert!(!text.contains("tacho doctor"), "{text}");
    let right = told(
        "deployments.apps \"users\" is forbidden: User \"u\" cannot patch resource \"deployments\" in API group \"apps\" in the namespace \"team-a\"",
    );
    assert!(right.is_not_allowed());
    assert!(matches!(right, ClusterError::Forbidden { .. }), "{right:?}");
}

/// It is put in by the names of the containers, and taken out again.
#[test]
fn a_pre_stop_is_changed_by_a_strategic_merge() {
    let patches = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&patches);
    let deployment = json!({
        "metadata": {"name": "users"},
        "spec": {
            "selector": {"matchLabels": {"app": "users"}},
            "template": {
                "metadata": {"labels": {"app": "users"}},
                "spec": {"containers": [{"name": "users"}]},
            },
        },
    });
    let fake = Fake::answering(move |method, _, body| {
        if method == "PATCH" {
            let patch: Value = serde_json::from_str(body).unwrap();
            seen.lock().unwrap().push(patch);
        }
        (200, deployment.clone())
    });
    let cluster = cluster(&fake);
    let was = cluster.deployment("users").unwrap().unwrap();
    let slept = TemporaryChange::pre_stop(&was, 3);
    cluster
        .change_for_a_while("users", &by_somebody(slept.clone()))
        .unwrap();
    cluster.put_back("users", &slept).unwrap();
    let patches = patches.lock().unwrap();
    let container = |n: usize| patches[n]["spec"]["template"]["spec"]["containers"][0].clone();
    let grace =
        |n: usize| patches[n]["spec"]["template"]["spec"]["terminationGracePeriodSeconds"].clone();
    assert_eq!(container(0)["lifecycle"]["preStop"]["sleep"]["seconds"], 3);
    assert_eq!((grace(0), grace(1)), (json!(33), json!(30)));
    assert!(container(1)["lifecycle"]["preStop"].is_null());
}

#[test]
fn services_are_those_that_lead_to_its_pods() {
    let fake = Fake::answering(|_, path, _| {
        if path.contains("/deployments/") {
            let deployment = json!({
                "metadata": {"name": "users"},
                "spec": {
                    "selector": {"matchLabels": {"app": "users"}},
                    "template": {"metadata": {"labels": {"app": "users", "tier": "web"}}},
                },
            });
            return (200, deployment);
        }
        let service = |name: &str, selector: Value| {
            json!({
                "metadata": {"name": name},
                "spec": {"clusterIP": "10.96.0.7", "selector": selector, "ports": [{"port": 80}]},
            })
        };
        let services = [
            service("users", json!({"app": "users"})),
            service("other", json!({"app": "other"})),
            service("stricter", json!({"app": "users", "tier": "db"})),
            service("without", json!({})),
        ];
        (200, list("ServiceList", &services))
    });
    let cluster = cluster(&fake);
    let deployment = cluster.deployment("users").unwrap().unwrap();
    let services = cluster.services(&deployment).unwrap();
    let names: Vec<&str> = services.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["users"]);
}
