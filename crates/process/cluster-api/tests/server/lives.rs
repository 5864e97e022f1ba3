//! Pods are made, watched and ended.

use crate::fake::{Fake, refused};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tacho_cluster_api::{
    Cluster, ClusterError, Container, Following, News, RunLabel, Runner, SubjectPod, TroubleKind,
};

const PODS: &str = "/api/v1/namespaces/team-a/pods";
const JOBS: &str = "/apis/batch/v1/namespaces/team-a/jobs";

fn run() -> RunLabel {
    RunLabel::of("20261127-200000-quick")
}

fn wanted() -> SubjectPod {
    SubjectPod {
        name: run().name_of("1"),
        run: run(),
        owner: None,
        image: "localhost/service:1".to_owned(),
        is_loaded: true,
        command: vec!["/service".to_owned()],
        directory: None,
        environment: BTreeMap::new(),
        node_stands_for: None,
        port: Some(8080),
        node: None,
        cpu: Some(1.0),
        memory_bytes: None,
        behind: None,
        grace: Duration::from_secs(5),
        at_most: Duration::from_secs(60),
    }
}

fn pod(version: u32, status: Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "uid": "u-1", "resourceVersion": version.to_string()},
        "spec": {"containers": []},
        "status": status,
    })
}

fn with_container(version: u32, state: Value) -> Value {
    let container = json!({
        "name": "subject", "image": "i", "imageID": "", "ready": false, "restartCount": 0,
        "state": state,
    });
    pod(
        version,
        json!({"phase": "Running", "containerStatuses": [container]}),
    )
}

fn event(kind: &str, object: Value) -> Value {
    json!({"type": kind, "object": object})
}

fn cluster(fake: &Fake) -> Cluster {
    Cluster::of(&fake.access()).unwrap()
}

/// All that is told until the end, which has to come.
fn to_the_end(following: &Following) -> Vec<News> {
    let began = Instant::now();
    let mut all = Vec::new();
    while began.elapsed() < Duration::from_secs(120) {
        let Some(news) = following.next(Duration::from_millis(100)) else {
            continue;
        };
        let is_last = !matches!(news, News::State { .. });
        all.push(news);
        if is_last {
            return all;
        }
    }
    panic!("no end was told: {all:?}");
}

fn containers(news: &[News]) -> Vec<Container> {
    let states = news.iter().filter_map(|news| match news {
        News::State { state, .. } => Some(state.container.clone()),
        _ => None,
    });
    states.collect()
}

#[test]
fn a_pod_s_states_are_told_in_their_order_until_it_is_gone() {
    let fake = Fake::answering(|_, path, _| match path.contains("watch=true") {
        false => (200, pod(1, json!({"phase": "Pending"}))),
        true => {
            let running = with_container(2, json!({"running": {}}));
            let ended = with_container(3, json!({"terminated": {"exitCode": 143}}));
            let events = json!([
                event("MODIFIED", running.clone()),
                // Nothing of it has changed that a launch goes by.
                event("MODIFIED", running),
                event("MODIFIED", ended.clone()),
                event("DELETED", ended),
            ]);
            (200, events)
        }
    });
    let following = cluster(&fake).follow("p").unwrap();
    let news = to_the_end(&following);
    assert!(matches!(news.last(), Some(News::Gone)), "{news:?}");
    let states = containers(&news);
    assert_eq!(states.len(), 3, "{states:?}");
    assert!(matches!(states[1], Container::Running { .. }));
    assert!(matches!(states[2], Container::Terminated { code: 143, .. }));
    // The first was asked for, the others came by themselves.
    let missed = news.iter().filter_map(|news| match news {
        News::State {
            missed_since_ns, ..
        } => Some(missed_since_ns.is_some()),
        _ => None,
    });
    assert_eq!(missed.collect::<Vec<_>>(), [true, false, false]);
    // It begins at the version that was seen.
    let watched = fake
        .asked()
        .into_iter()
        .find(|asked| asked.contains("watch=true"));
    assert!(watched.unwrap().contains("resourceVersion=1"));
}

#[test]
fn a_watch_that_has_expired_is_begun_anew() {
    let watches = Mutex::new(0);
    let fake = Fake::answering(move |_, path, _| {
        if !path.contains("watch=true") {
            let state = match *watches.lock().unwrap() {
                0 => json!({"waiting": {"reason": "ContainerCreating"}}),
                _ => json!({"running": {}}),
            };
            return (200, with_container(1, state));
        }
        let mut watches = watches.lock().unwrap();
        *watches += 1;
        // A server says it in the watch, or instead of it.
        let (code, expired) = refused(410, "too old resource version");
        match *watches {
            1 => (200, json!([event("ERROR", expired)])),
            2 => (code, expired),
            _ => (
                200,
                json!([event("DELETED", with_container(9, json!({"running": {}})))]),
            ),
        }
    });
    let news = to_the_end(&cluster(&fake).follow("p").unwrap());
    assert!(matches!(news.last(), Some(News::Gone)), "{news:?}");
    assert_eq!(containers(&news).len(), 2, "{news:?}");
    // What came in between may have come at any instant of it.
    let News::State {
        at_ns,
        missed_since_ns: Some(since),
        ..
    } = &news[1]
    else {
        panic!("{news:?}")
    };
    assert!(since < at_ns);
}

#[test]
fn a_server_that_is_away_for_a_moment_ends_nothing() {
    let asked = Mutex::new(0);
    let fake = Fake::answering(move |method, path, _| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        if *asked <= 3 {
            return refused(503, "apiserver is shutting down");
        }
        match (method, path.contains("watch=true")) {
            ("GET", true) => (200, json!([event("DELETED", pod(2, json!({})))])),
            _ => (200, pod(1, json!({}))),
        }
    });
    let cluster = cluster(&fake);
    assert!(cluster.state("p").unwrap().is_some());
    let news = to_the_end(&cluster.follow("p").unwrap());
    assert!(matches!(news.last(), Some(News::Gone)), "{news:?}");
}

#[test]
fn who_may_not_watch_is_told_at_once() {
    let message = "pods \"p\" is forbidden: User \"u\" cannot get resource \"pods\" in API group \"\" in the namespace \"team-a\"";
    let fake = Fake::answering(|_, _, _| refused(403, message));
    let news = to_the_end(&cluster(&fake).follow("p").unwrap());
    assert!(
        matches!(news[..], [News::Lost(ClusterError::Forbidden { .. })]),
        "{news:?}"
    );
}

#[test]
fn a_watch_ends_when_nobody_wants_it_any_more() {
    let fake = Fake::silent();
    let began = Instant::now();
    drop(cluster(&fake).follow("p").unwrap());
    // It would wait ten seconds for an answer.
    assert!(began.elapsed() < Duration::from_secs(8));
}

#[test]
fn each_refusal_of_a_pod_says_who_refuses() {
    let told = |message: &'static str| {
        let fake = Fake::answering(move |_, _, _| refused(403, message));
        cluster(&fake).make(&wanted()).unwrap_err()
    };
    let quota = told("pods \"x\" is forbidden: exceeded quota: small, requested: limits.cpu=1");
    assert!(matches!(quota, ClusterError::Quota { .. }), "{quota:?}");
    assert!(quota.to_string().contains("limits.cpu=1"), "{quota}");
    let limits = told(
        "pods \"x\" is forbidden: failed quota: all: must specify limits.cpu for: w; limits.memory for: w",
    );
    assert!(
        matches!(limits, ClusterError::QuotaWantsLimits { .. }),
        "{limits:?}"
    );
    let security = told("pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\"");
    assert!(
        matches!(security, ClusterError::NotAdmitted { .. }),
        "{security:?}"
    );
    let right = told("pods is forbidden: User \"u\" cannot create resource \"pods\" in API group");
    assert!(matches!(right, ClusterError::Forbidden { .. }), "{right:?}");
}

#[test]
fn a_pod_whose_answer_was_lost_is_there() {
    let asked = Mutex::new(0);
    let fake = Fake::answering(move |method, _, _| {
        let mut asked = asked.lock().unwrap();
        *asked += 1;
        match (method, *asked) {
            ("POST", 1) => refused(504, "timeout"),
            ("POST", _) => refused(409, "pods \"p\" already exists"),
            _ => (200, pod(1, json!({}))),
        }
    });
    assert_eq!(cluster(&fake).make(&wanted()).unwrap().uid, "u-1");
    // Of another run's, which was there before, it is not taken for ours.
    let fake = Fake::answering(|_, _, _| refused(409, "pods \"p\" already exists"));
    let error = cluster(&fake).make(&wanted()).unwrap_err();
    assert!(
        matches!(error, ClusterError::Refused { code: 409, .. }),
        "{error:?}"
    );
}

/// A cluster may put a proxy into each pod.
#[test]
fn a_pod_that_was_given_another_container_is_not_alone() {
    let is_alone = |spec: Value| {
        let made = json!({"metadata": {"name": "p", "uid": "u-1"}, "spec": spec});
        let fake = Fake::answering(move |_, _, _| (201, made.clone()));
        cluster(&fake).make(&wanted()).unwrap().is_alone
    };
    let (subject, proxy) = (json!({"name": "subject"}), json!({"name": "proxy"}));
    assert!(is_alone(json!({"containers": [subject]})));
    assert!(!is_alone(json!({"containers": [proxy, subject]})));
    let with_init = json!({"containers": [subject], "initContainers": [proxy]});
    assert!(!is_alone(with_init));
}

#[test]
fn what_is_tried_out_is_not_made() {
    let fake = Fake::answering(|_, _, _| (201, pod(1, json!({}))));
    cluster(&fake).would_make(&wanted()).unwrap();
    let asked = fake.asked();
    assert!(asked[0].contains("dryRun=All"), "{asked:?}");
}

#[test]
fn all_of_a_run_ends_and_what_has_ended_is_no_error() {
    let label = run();
    let of_run = label.clone();
    let fake = Fake::answering(move |method, path, _| {
        let bare = path.split('?').next().unwrap();
        match (method, bare) {
            ("GET", PODS) => {
                let name = of_run.name_of("1");
                let pod = json!({"metadata": {"name": name}, "spec": {"containers": []}});
                let list =
                    json!({"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": [pod]});
                (200, list)
            }
            ("POST", JOBS) => {
                let job = json!({"metadata": {"name": of_run.name_of("run"), "uid": "j-1"}});
                (201, job)
            }
            // Somebody was faster.
            ("DELETE", _) => refused(404, "not found"),
            _ => panic!("{method} {path}"),
        }
    });
    let cluster = cluster(&fake);
    let runner = Runner {
        machine: "boot-1".to_owned(),
        process: "42".to_owned(),
    };
    let owner = cluster.begin(&label, &runner).unwrap();
    assert_eq!((owner.kind.as_str(), owner.uid.as_str()), ("Job", "j-1"));
    cluster.end_all(&label).unwrap();
    let asked = fake.asked();
    let made = asked
        .iter()
        .find(|asked| asked.starts_with("POST"))
        .unwrap();
    assert!(made.contains(r#""suspend":true"#), "{made}");
    assert!(made.contains(r#""tacho/machine":"boot-1""#), "{made}");
    let listed = asked.iter().find(|asked| asked.starts_with("GET")).unwrap();
    assert!(
        listed.contains("labelSelector=tacho%2Frun%3D20261127-200000-quick"),
        "{listed}"
    );
    let deleted = asked.iter().filter(|asked| asked.starts_with("DELETE"));
    assert_eq!(deleted.count(), 2, "{asked:?}");
}

#[test]
fn a_log_is_kept_as_it_comes_and_no_more_than_was_asked() {
    let asked_before = Mutex::new(0);
    let fake = Fake::answering(move |_, _, _| {
        let mut asked_before = asked_before.lock().unwrap();
        *asked_before += 1;
        match *asked_before {
            1 => refused(400, "container \"subject\" is waiting to start"),
            _ => (200, json!("listening on 8080\n")),
        }
    });
    let file = tempfile::NamedTempFile::new().unwrap();
    let logging = cluster(&fake).log("p", file.reopen().unwrap(), 9);
    assert_eq!(logging.unwrap().to_the_end(Duration::from_secs(60)), 9);
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), "listening");
    let asked = fake.asked();
    assert!(
        asked[1].contains("follow=true") && asked[1].contains("container=subject"),
        "{asked:?}"
    );
}

#[test]
fn runs_are_found_again_with_who_carries_them_out() {
    let fake = Fake::answering(|_, _, _| {
        let job = |name: &str, labels: Value| {
            json!({"metadata": {"name": name, "labels": labels,
                                "annotations": {"tacho/machine": "boot-1", "tacho/process": "7"}}})
        };
        let items = [
            job("ours", json!({"tacho/run": "20261127-200000-quick"})),
            job("another", json!({})),
        ];
        (
            200,
            json!({"apiVersion": "batch/v1", "kind": "JobList", "metadata": {}, "items": items}),
        )
    });
    let runs = cluster(&fake).runs().unwrap();
    let runner = Runner {
        machine: "boot-1".to_owned(),
        process: "7".to_owned(),
    };
    assert_eq!(runs, [(run(), runner)]);
}

#[test]
fn an_image_that_is_not_there_is_trouble() {
    let fake = Fake::answering(|_, _, _| {
        let waiting = json!({"waiting": {"reason": "ErrImageNeverPull", "message": "not present"}});
        (200, with_container(1, waiting))
    });
    let state = cluster(&fake).state("p").unwrap().unwrap();
    let trouble = state.trouble().unwrap();
    assert_eq!(trouble.kind, TroubleKind::ImageNotPulled);
    assert!(trouble.to_string().contains("not present"), "{trouble}");
}
