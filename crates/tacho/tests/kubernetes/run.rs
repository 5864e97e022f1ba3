//! `tacho run --on kubernetes`.

use crate::a_box::{Cluster, repository};
use crate::support::{Lab, Told, is_launching, signal, subject, tacho};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

impl Cluster {
    pub fn command(&self, lab: &Lab, namespace: &str, more: &[&str]) -> Command {
        let mut command = tacho();
        command
            .current_dir(lab.path())
            .args([
                "run",
                "experiment.yaml",
                "--on",
                "kubernetes",
                "-n",
                namespace,
            ])
            .args(more)
            .env("KUBECONFIG", self.kubeconfig());
        command
    }

    /// A run that goes on.
    fn begin(&self, lab: &Lab) -> Child {
        let mut command = self.command(lab, "default", &[]);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    pub fn run(&self, lab: &Lab, namespace: &str, more: &[&str]) -> Told {
        Told::of(&self.command(lab, namespace, more).output().unwrap())
    }
}

/// The string service in Go: small, and there is nothing to warm.
pub fn lab(port: &str, launches: u32) -> Lab {
    lab_with(port, launches, "{requests: 300, connections: 4}", "0s")
}

fn service() -> PathBuf {
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(service.exists(), "it is not built: make -C labs build");
    service
}

fn lab_with(port: &str, launches: u32, closed: &str, rest: &str) -> Lab {
    let service = service();
    Lab::new(&format!(
        "tacho: 1
name: go
subject: {{port: 8080, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '{port}'}}}}
variants: [{{name: go, kind: exec, command: ['{}']}}]
limits: {{cpu: 0.5, memory: 64MiB}}
requests: [{{method: POST, path: /uppercase, headers: {{Content-Type: application/json}}, body: '{{\"s\":\"hello\"}}'}}]
phases: [{{cold: {{requests: 3}}}}, {{closed: {closed}}}]
launches: {launches}
rest: {rest}
",
        service.display()
    ))
}

/// The pod of a launch that was measured to its end: on a busy machine it may have been run again.
#[track_caller]
pub fn completed(launch: &Value) -> &Value {
    assert!(is_whole(launch), "{launch:#}");
    &launch["pod"]
}

fn is_whole(launch: &Value) -> bool {
    let state = &launch["outcome"]["state"];
    state == "completed" || state == "spoiled"
}

#[track_caller]
fn cause(lab: &Lab, expected: &str) {
    failed_by(&lab.launches()[0], expected);
}

/// The cause of each of several launches: none has ended the run.
#[track_caller]
fn cause_of_each(lab: &Lab, expected: &str) {
    let launches = lab.launches();
    assert!(launches.len() >= 2, "{launches:#?}");
    for launch in &launches {
        failed_by(launch, expected);
    }
}

/// What the service wrote before it ended is in its record and in its log.
#[track_caller]
fn last_words(lab: &Lab) {
    for launch in lab.launches() {
        let words = launch["outcome"]["last_log_lines"].as_array().cloned();
        assert!(!words.unwrap_or_default().is_empty(), "{launch:#}");
    }
}

#[track_caller]
fn failed_by(launch: &Value, expected: &str) {
    assert_eq!(launch["outcome"]["cause"], expected, "{launch:#}");
    let message = launch["outcome"]["message"].as_str().unwrap();
    assert!(
        !message.is_empty() && !message.contains('\u{1b}'),
        "{message}"
    );
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pod_is_measured_as_a_process_is_and_nothing_is_left() {
    let cluster = Cluster::up();
    let lab = lab("8080", 1);
    cluster.run(&lab, "default", &[]);
    let launch = &lab.launches()[0];
    let pod = completed(launch);
    assert!(pod["created_ms"].as_f64().unwrap() < 0.0, "{pod:#}");
    assert!(pod["scheduled_ms"].as_f64().unwrap() < 0.0, "{pod:#}");
    assert!(pod["exec_within_ms"].as_f64().unwrap() > 0.0, "{pod:#}");
    let sandbox = pod["sandbox_seen_ms"].as_f64().unwrap();
    let container = pod["container_seen_ms"].as_f64().unwrap();
    assert!(sandbox <= container && container <= 0.0, "{pod:#}");
    assert!(
        pod["node"].is_string() && pod["image"].is_string(),
        "{pod:#}"
    );
    let limits = &launch["limits"];
    assert_eq!(
        (limits["inside"].as_bool(), limits["cpu"].as_f64()),
        (Some(true), Some(0.5))
    );
    assert_eq!(limits["memory_bytes"], 64 << 20);
    // Throttling is counted.
    assert!(limits["periods"].as_u64() > Some(0), "{limits:#}");
    let ready = launch["time_line"]["ready_ms"].as_f64().unwrap();
    assert!(ready > 0.0, "{launch:#}");
    assert!(launch["resources"]["peak_rss_bytes"].as_u64().unwrap() > 1 << 20);
    for phase in launch["phases"].as_array().unwrap() {
        assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
    }
    let launches = std::fs::read_dir(lab.run_folder().join("launches")).unwrap();
    let first = launches.flatten().next().unwrap().path();
    let log = std::fs::read_to_string(first.join("log.txt")).unwrap();
    assert!(log.contains("listening"), "{log}");
    let variant = lab.json("variants/go.json");
    assert!(
        variant["image"]
            .as_str()
            .unwrap()
            .starts_with("localhost/tacho-")
    );
    cluster.nothing_is_left_in("default");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn users_come_through_a_service_once_it_leads_to_the_pod() {
    let cluster = Cluster::up();
    let lab = lab("8080", 2);
    cluster.run(&lab, "default", &["--through-service"]);
    for launch in &lab.launches() {
        let pod = completed(launch);
        let at = |name: &str| {
            pod[name]
                .as_f64()
                .unwrap_or_else(|| panic!("{name}: {pod:#}"))
        };
        // The API's words come later than what they are about, and the rules of the proxy come
        // after the endpoints.
        let answers = launch["time_line"]["first_2xx_ms"].as_f64().unwrap();
        assert!(answers < at("reached_ms"), "{pod:#}");
        assert!(at("reached_within_ms") > 0.0, "{pod:#}");
        assert!(at("endpoint_told_ms") > 0.0 && at("ready_told_ms") > 0.0);
        for phase in launch["phases"].as_array().unwrap() {
            assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
        }
    }
    let reached = lab.json("results.json").to_string();
    assert!(reached.contains("reached_ms"), "{reached}");
    cluster.nothing_is_left_in("default");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn each_fault_is_a_cause_of_its_own_and_the_run_goes_on() {
    let cluster = Cluster::up();
    for namespace in ["small", "strict"] {
        cluster.kubectl(&["create", "namespace", namespace]);
    }
    let enforce = "pod-security.kubernetes.io/enforce=restricted";
    cluster.kubectl(&["label", "namespace", "strict", enforce]);
    cluster.kubectl(&[
        "create",
        "quota",
        "q",
        "-n",
        "small",
        "--hard=limits.cpu=100m,limits.memory=64Mi",
    ]);

    // The strictest standard is enough.
    let good = lab("8080", 1);
    cluster.run(&good, "strict", &[]);
    completed(&good.launches()[0]);

    let no_image = lab("8080", 2);
    cluster
        .run(&no_image, "strict", &["--load-image", "true"])
        .exits(3);
    cause_of_each(&no_image, "image-not-pulled");

    let ends = lab("no port", 2);
    cluster.run(&ends, "strict", &[]).exits(3);
    cause_of_each(&ends, "exited");
    last_words(&ends);

    // Nobody sees its process: that it has ended is told by the cluster alone.
    let unseen = lab("no port", 2);
    cluster.run(&unseen, "strict", &["--unprivileged"]).exits(3);
    cause_of_each(&unseen, "exited");
    last_words(&unseen);

    let eats = Lab::scripted(
        &[("eats", "--eat-mib 200")],
        "limits: {cpu: 0.5, memory: 64MiB}\n",
    );
    cluster.run(&eats, "strict", &[]).exits(3);
    cause_of_each(&eats, "out-of-memory");

    // A node is waited for in each launch: two minutes.
    let too_large = lab("8080", 2);
    cluster.run(&too_large, "strict", &["--cpu", "99"]).exits(3);
    cause_of_each(&too_large, "not-scheduled");

    let no_room = lab("8080", 1);
    let told = cluster.run(&no_room, "small", &[]).exits(4);
    assert!(told.err.contains("kubectl describe quota"), "{told:#?}");
    assert!(!no_room.path().join("runs").exists());

    for namespace in ["small", "strict"] {
        cluster.nothing_is_left_in(namespace);
    }
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_run_that_is_ended_leaves_nothing_and_one_that_is_killed_leaves_nothing_to_the_next() {
    let cluster = Cluster::up();
    let ended = lab("8080", 50);
    let run = cluster.begin(&ended);
    until_it_launches(&cluster, &ended);
    signal(&run, Signal::INT);
    let told = Told::of(&run.wait_with_output().unwrap()).exits(130);
    assert!(!told.out.is_empty(), "what was measured is told");
    cluster.nothing_is_left_in("default");

    let killed = lab("8080", 50);
    let run = cluster.begin(&killed);
    until_it_launches(&cluster, &killed);
    signal(&run, Signal::KILL);
    run.wait_with_output().unwrap();
    assert!(!cluster.objects("default").is_empty());
    let next = lab("8080", 1);
    cluster.run(&next, "default", &[]);
    completed(&next.launches()[0]);
    cluster.nothing_is_left_in("default");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn an_api_that_is_away_for_20_seconds_ends_no_run() {
    let cluster = Cluster::up();
    let lab = lab("8080", 3);
    let run = cluster.begin(&lab);
    until_it_launches(&cluster, &lab);
    cluster.signal_the_api("STOP");
    std::thread::sleep(Duration::from_secs(20));
    cluster.signal_the_api("CONT");
    run.wait_with_output().unwrap();
    let launches = lab.launches();
    assert!(launches.len() >= 3, "{launches:#?}");
    launches.iter().for_each(|launch| {
        completed(launch);
    });
    cluster.nothing_is_left_in("default");
}

/// As `kubectl drain` asks for it.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pod_that_is_evicted_is_a_failed_launch_and_the_run_goes_on() {
    let cluster = Cluster::up();
    // Long enough to be met in it.
    let lab = lab_with("8080", 2, "{duration: 15s, connections: 2}", "0s");
    let run = cluster.begin(&lab);
    until_it_launches(&cluster, &lab);
    let objects = cluster.objects("default");
    let name = objects
        .split_whitespace()
        .find_map(|object| object.strip_prefix("pod/"))
        .unwrap();
    let until_it_runs = "--for=jsonpath={.status.phase}=Running";
    cluster.kubectl(&[
        "wait",
        until_it_runs,
        "--timeout=60s",
        &format!("pod/{name}"),
    ]);
    // This machine is that node: the pod may be on no other one.
    let affinity = "--output=jsonpath={.spec.affinity.nodeAffinity}";
    let pinned = cluster.kubectl(&["get", &format!("pod/{name}"), affinity]);
    assert!(pinned.contains("\"cluster-box\""), "{pinned}");
    let eviction = lab.path().join("eviction.json");
    let text = format!(
        r#"{{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {{"name": "{name}", "namespace": "default"}}}}"#
    );
    std::fs::write(&eviction, text).unwrap();
    let path = format!("/api/v1/namespaces/default/pods/{name}/eviction");
    cluster.kubectl(&["create", "--raw", &path, "-f", eviction.to_str().unwrap()]);
    Told::of(&run.wait_with_output().unwrap()).exits(3);
    cause(&lab, "evicted");
    completed(&lab.launches()[1]);
    cluster.nothing_is_left_in("default");
}

/// Others take the room that the namespace has, and give it back.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_quota_that_is_reached_in_the_middle_fails_its_launches_and_the_run_goes_on() {
    let cluster = Cluster::up();
    let lab = lab_with("8080", 12, "{duration: 3s, connections: 2}", "0s");
    let run = cluster.begin(&lab);
    until_it_launches(&cluster, &lab);
    cluster.kubectl(&["create", "quota", "crowd", "--hard=pods=0"]);
    let is_refused = |launch: &Value| launch["outcome"]["cause"] == "quota-reached";
    let began = Instant::now();
    while !lab.launches().iter().any(is_refused) {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "no launch is refused"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    cluster.kubectl(&["delete", "quota", "crowd"]);
    Told::of(&run.wait_with_output().unwrap());
    let launches = lab.launches();
    // Launches that the machine disturbed are run again behind them.
    assert!(launches.len() >= 12);
    completed(&launches[0]);
    completed(launches.last().unwrap());
    cluster.nothing_is_left_in("default");
}

/// Records of launches while the run goes on: a launch has a folder just before it has a record.
fn launches_so_far(lab: &Lab) -> Vec<Value> {
    let folders = fs::read_dir(lab.run_folder().join("launches")).unwrap();
    let records =
        folders.filter_map(|folder| fs::read(folder.unwrap().path().join("launch.json")).ok());
    records
        .filter_map(|text| serde_json::from_slice(&text).ok())
        .collect()
}

/// Its kubelet stands still between two launches. The second one is given to it, and begins never.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_node_that_is_lost_fails_its_launch_and_the_run_goes_on() {
    let cluster = Cluster::up();
    let lab = lab_with("8080", 3, "{requests: 300, connections: 4}", "20s");
    let run = cluster.begin(&lab);
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let began = Instant::now();
        while !is_so() {
            assert!(began.elapsed() < Duration::from_secs(180), "{what}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    until_it_launches(&cluster, &lab);
    until("its pod is gone, and it rests", &|| {
        !cluster.objects("default").contains("pod/")
    });
    cluster.signal_the_node("STOP");
    let has_failed = |launch: &Value| launch["outcome"]["state"] == "failed";
    until("the next one has failed", &|| {
        launches_so_far(&lab).iter().any(has_failed)
    });
    cluster.signal_the_node("CONT");
    Told::of(&run.wait_with_output().unwrap()).exits(3);
    let launches = lab.launches();
    completed(&launches[0]);
    assert_eq!(
        launches[1]["outcome"]["cause"], "node-lost",
        "{launches:#?}"
    );
    completed(&launches[2]);
    cluster.nothing_is_left_in("default");
}

/// Of two variants one cannot run.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn launches_that_fail_end_no_run() {
    let cluster = Cluster::up();
    let lab = Lab::new(&format!(
        "tacho: 1
name: two
subject: {{port: 8080, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '8080'}}}}
variants:
  - {{name: good, kind: exec, command: ['{}']}}
  - {{name: eats, kind: exec, command: ['{}', '--eat-mib', '200']}}
limits: {{cpu: 0.5, memory: 64MiB}}
requests: [GET /health]
phases: [{{cold: {{requests: 3}}}}]
launches: 2
rest: 0s
",
        service().display(),
        subject().display()
    ));
    cluster.run(&lab, "default", &[]).exits(3);
    let launches = lab.launches();
    assert!(launches.len() >= 4);
    for launch in &launches {
        match launch["cell"].as_str().unwrap() {
            "good" => {
                completed(launch);
            }
            _ => assert_eq!(launch["outcome"]["cause"], "out-of-memory", "{launch:#}"),
        }
    }
    cluster.nothing_is_left_in("default");
}

/// A pod of it is there.
pub fn until_it_launches(cluster: &Cluster, lab: &Lab) {
    let began = Instant::now();
    while !is_launching(lab.path()) || !cluster.objects("default").contains("pod/") {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "nothing is launched"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// By a real registry, from which the node pulls.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn an_image_goes_through_a_registry_and_is_pulled_by_its_digest() {
    let cluster = Cluster::up();
    let started = cluster.a_box().arg("registry").output().unwrap();
    assert!(started.status.success(), "{started:?}");
    let registry = String::from_utf8(started.stdout).unwrap();
    let repository = format!("{}/team/strings", registry.trim());
    let lab = lab("8080", 3);
    let mut command = tacho();
    command
        .current_dir(lab.path())
        .args(["run", "experiment.yaml", "--on", "kubernetes"])
        .args(["--image", &repository, "--plain-http"])
        .env("KUBECONFIG", cluster.kubeconfig());
    let told = Told::of(&command.output().unwrap());
    let launches = lab.launches();
    assert!(launches.len() >= 3, "{told:?}");
    let fetched: Vec<f64> = launches
        .iter()
        .map(|launch| {
            let pod = completed(launch);
            let image = pod["image"].as_str().unwrap();
            assert!(image.contains("sha256:"), "{image}");
            // From the sandbox to the container: in the first launch the pull.
            pod["container_seen_ms"].as_f64().unwrap() - pod["sandbox_seen_ms"].as_f64().unwrap()
        })
        .collect();
    assert!(fetched.iter().all(|ms| *ms > 0.0), "{fetched:?}");
    cluster.nothing_is_left_in("default");
}

/// A registry as firms have it: with a certificate by an authority of their own.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_registry_with_an_authority_of_its_own_is_trusted_where_docker_and_podman_trust_it() {
    let cluster = Cluster::up();
    let started = cluster
        .a_box()
        .args(["registry", "--tls"])
        .output()
        .unwrap();
    assert!(started.status.success(), "{started:?}");
    let registry = String::from_utf8(started.stdout).unwrap();
    let registry = registry.trim();
    let repository = format!("{registry}/team/strings");
    let home = tempfile::tempdir().unwrap();
    let pushed = |lab: &Lab| {
        let mut command = tacho();
        command
            .current_dir(lab.path())
            .args(["run", "experiment.yaml", "--on", "kubernetes"])
            .args(["--image", &repository])
            .env("KUBECONFIG", cluster.kubeconfig())
            .env("HOME", home.path());
        Told::of(&command.output().unwrap())
    };
    let told = pushed(&lab("8080", 1)).exits(4);
    assert!(told.err.contains("is not trusted"), "{told:#?}");
    let folder = format!(".config/containers/certs.d/{registry}");
    assert!(told.err.contains(&folder), "{told:#?}");

    let folder = home.path().join(folder);
    std::fs::create_dir_all(&folder).unwrap();
    let authority = cluster.state().join("tacho/cluster-box/pki/ca.crt");
    std::fs::copy(authority, folder.join("ca.crt")).unwrap();
    let lab = lab("8080", 1);
    let told = pushed(&lab);
    let launches = lab.launches();
    assert!(!launches.is_empty(), "{told:#?}");
    let image = completed(&launches[0])["image"].as_str().unwrap();
    assert!(image.contains("sha256:"), "{image}");
    cluster.nothing_is_left_in("default");
}

/// Answers when what it calls does.
const FORWARDER: &str = r#"package main

import (
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/ask", func(to http.ResponseWriter, _ *http.Request) {
		answer, err := http.Get(os.Getenv("PARTNER") + "/health")
		if err != nil {
			http.Error(to, err.Error(), http.StatusBadGateway)
			return
		}
		answer.Body.Close()
		to.WriteHeader(answer.StatusCode)
	})
	panic(http.ListenAndServe(":8080", nil))
}
"#;

/// Builds a program of this name beside the experiment.
pub fn build_by_go(lab: &Lab, source: &str, name: &str) {
    fs::write(lab.path().join("main.go"), source).unwrap();
    let built = Command::new("go")
        .current_dir(lab.path())
        .env("CGO_ENABLED", "0")
        .args(["build", "-o", name, "main.go"])
        .status()
        .unwrap();
    assert!(built.success());
}

/// Companions run on this machine, and a pod reaches them at the address of its node.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pod_reaches_the_companions_of_the_run() {
    let cluster = Cluster::up();
    let partner = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(partner.exists(), "it is not built: make -C labs build");
    let lab = Lab::new(&format!(
        "tacho: 1
name: forwarder
subject: {{port: 8080, ready: {{http: /ask, timeout: 60s}}, environment: {{PARTNER: 'http://{{companions}}:9107'}}}}
companions:
  - {{name: partner, command: ['{}'], port: 9107, ready: {{http: /health}}, environment: {{PORT: '9107'}}}}
variants: [{{name: forwarder, kind: exec, command: [./forwarder]}}]
limits: {{cpu: 0.5, memory: 64MiB}}
requests: [GET /ask]
phases: [{{closed: {{requests: 200, connections: 2}}}}]
launches: 1
rest: 0s
",
        partner.display()
    ));
    build_by_go(&lab, FORWARDER, "forwarder");
    let told = cluster.run(&lab, "default", &[]);
    let launch = &lab.launches()[0];
    completed(launch);
    assert_eq!(launch["companions"][0]["name"], "partner", "{told:?}");
    let phase = &launch["phases"][0];
    assert_eq!(phase["succeeded"], 200, "{phase:#}");
    cluster.nothing_is_left_in("default");
}
