//! `tacho rollout --on kubernetes`.

use crate::a_box::{Cluster, repository};
use crate::load::{nothing_of_it_is_left, until_there_are};
use crate::run::{completed, lab, until_it_launches};
use crate::strings::{deployed, tacho_on};
use crate::support::{Lab, Told, signal, subject, tacho};
use rustix::process::Signal;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_deployment_is_restarted_scaled_and_loses_a_pod_while_users_come() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let mut command = tacho_on(&cluster, &["rollout", "strings", "/health", "--rate", "50"]);
    command.args(["--rest", "3s", "--warm-up", "1s"]);
    command.args([
        "--change", "restart", "--change", "scale=3", "--change", "evict",
    ]);
    let told = Told::of(&command.output().unwrap());
    let report = told.json();
    let felt = report["felt"].as_array().unwrap();
    let changes: Vec<&str> = felt
        .iter()
        .filter(|window| window["window"]["is_change"] == true)
        .map(|window| window["window"]["name"].as_str().unwrap())
        .collect();
    assert!(changes.len() >= 3, "{changes:?}");
    for window in felt {
        assert!(window["requests"].as_u64().unwrap() > 0, "{window:#}");
    }
    // Two at first, two new ones, one for the third, one for the evicted.
    let pods = report["pods"].as_array().unwrap();
    assert!(pods.len() >= 6, "{pods:#?}");
    let lost = report["lost"].as_array().unwrap();
    assert!(lost.iter().all(|one| one["suspicion"].is_string()));
    assert_eq!(told.code, Some(i32::from(!lost.is_empty())));
    let replicas = [
        "get",
        "deployment/strings",
        "--output=jsonpath={.spec.replicas}",
    ];
    assert_eq!(cluster.kubectl(&replicas), "2");
}

fn from_a_pod(cluster: &Cluster, rest: &str) -> Command {
    let words = ["rollout", "strings", "/health", "--rate", "50"];
    let mut command = tacho_on(cluster, &words);
    command.args(["--from-cluster", "--load-image", &cluster.load_image()]);
    command.args(["--warm-up", "1s", "--rest", rest]);
    command
}

/// As from a machine from which no way leads to the Service.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn users_may_be_sent_by_a_pod_and_where_that_is_gone_nothing_is_told_of_them() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let told = Told::of(&from_a_pod(&cluster, "3s").output().unwrap());
    let report = told.json();
    assert_eq!(report["about"]["sees_pods"], false, "{report:#}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("sent by a pod on node"), "{notes}");
    assert!(notes.contains("one clock"), "{notes}");
    let felt = report["felt"].as_array().unwrap();
    assert_eq!(felt.len(), 2, "{felt:#?}");
    for window in felt {
        let at = |end: &str| window["window"][end].as_f64().unwrap() / 1e9;
        let wanted = 50.0 * (at("to_ns") - at("from_ns"));
        let requests = window["requests"].as_f64().unwrap();
        assert!((requests - wanted).abs() < 60.0, "{wanted}: {window:#}");
    }
    let lost = report["lost"].as_array().unwrap();
    assert_eq!(told.code, Some(i32::from(!lost.is_empty())));
    nothing_of_it_is_left(&cluster);

    let run = from_a_pod(&cluster, "60s").spawn().unwrap();
    let there = until_there_are(&cluster, 1);
    cluster.kubectl(&["delete", &there[0], "--grace-period=0", "--force"]);
    let told = Told::of(&run.wait_with_output().unwrap()).exits(3);
    assert!(told.err.contains("sent the requests is gone"), "{told:#?}");
    nothing_of_it_is_left(&cluster);
}

/// The pod of each request is seen, for this machine is the node.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn pods_crash_are_killed_and_leave_their_node_and_it_is_seen_which_pod_answers() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let mut command = tacho_on(
        &cluster,
        &["rollout", "strings", "/health", "--rate", "100"],
    );
    command.args(["--rest", "3s", "--warm-up", "1s"]);
    command.args(["--change", "crash", "--change", "kill", "--change", "drain"]);
    let told = Told::of(&command.output().unwrap());
    let report = told.json();
    assert_eq!(report["about"]["sees_pods"], true, "{report:#}");
    let names: Vec<&str> = report["felt"]
        .as_array()
        .unwrap()
        .iter()
        .map(|window| window["window"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["before", "crash 1", "kill 1", "drain 1"]);
    let pods = report["pods"].as_array().unwrap();
    let anew: usize = pods
        .iter()
        .map(|pod| pod["restarted_s"].as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(anew, 1, "{pods:#?}");
    // Requests were on their way over kept connections when a process was killed, or came just
    // after.
    let lost = report["lost"].as_array().unwrap();
    assert!(!lost.is_empty());
    assert_eq!(told.code, Some(1));
    // Those that a proxy refuses lead to no pod; of nearly all that were answered it is known.
    let ages = report["youth"]["ages"].as_array().unwrap().iter();
    let known: u64 = ages.map(|age| age["requests"].as_u64().unwrap()).sum();
    let changes = report["felt"].as_array().unwrap().iter().skip(1);
    let answered: u64 = changes
        .map(|felt| felt["requests"].as_u64().unwrap() - felt["lost"].as_u64().unwrap())
        .sum();
    assert!(10 * known > 9 * answered, "{known} of {answered}");
    let gone: Vec<_> = pods
        .iter()
        .filter(|pod| pod["at_s"]["gone"].is_number())
        .collect();
    assert!(gone.len() >= 3, "one killed, two drained: {pods:#?}");
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pre_stop_is_tried_and_taken_out_again() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let lifecycle = [
        "get",
        "deployment/strings",
        "--output=jsonpath={.spec.template.spec.containers[0].lifecycle}{.spec.template.spec.terminationGracePeriodSeconds}",
    ];
    let page = cluster.state().join("rollout.html");
    let mut command = tacho_on(&cluster, &["rollout", "strings", "/health", "--rate", "50"]);
    command.args(["--rest", "2s", "--try-pre-stop=3", "--html"]);
    let told = Told::of(&command.arg(&page).output().unwrap());
    let report = told.json();
    let tried = &report["tried"];
    assert_eq!(tried["pre_stop_s"], 3, "{report:#}");
    assert_eq!(tried["without"]["changes"], 1);
    assert_eq!(tried["with"]["changes"], 1);
    // One of each can tell nothing.
    assert_eq!(tried["is_told"], false);
    assert!(any_pod_slept(&report, 3.0), "{:#}", report["pods"]);
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("rollout-data")
    );
    let left = cluster.kubectl(&lifecycle);
    assert!(left == "30" || left == "{}30", "{left}");
}

/// A pod was there for as long after it was told to end, but for what the API tells late.
fn any_pod_slept(report: &serde_json::Value, seconds: f64) -> bool {
    report["pods"].as_array().unwrap().iter().any(|pod| {
        let at = |phase: &str| pod["at_s"][phase].as_f64();
        let stayed = at("ending").zip(at("gone"));
        stayed.is_some_and(|(ending, gone)| gone - ending >= seconds - 0.5)
    })
}

/// Each request comes over a connection of its own, so that it is seen for how long new ones lead
/// to a pod that ends.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pre_stop_without_a_number_is_as_long_as_endpoints_and_proxies_take_and_is_tried() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let mut command = tacho_on(&cluster, &["rollout", "strings", "/health", "--rate", "50"]);
    command.args(["-H", "Connection: close", "--rest", "2s", "--warm-up", "1s"]);
    command.args(["--times", "2", "--try-pre-stop"]);
    let told = Told::of(&command.output().unwrap());
    let report = told.json();
    let tried = &report["tried"];
    let derived_s = tried["pre_stop_s"].as_u64().unwrap_or_default();
    // What the endpoints took, and two seconds for the proxies. That of the report is of the later
    // changes as well: as long, or longer.
    let endpoints_s = report["lags"]["to_take_no_more_s"].as_f64().unwrap();
    let at_most_s = (endpoints_s + 2.0).ceil() as u64;
    assert!((2..=at_most_s).contains(&derived_s), "{report:#}");
    let felt = report["felt"].as_array().unwrap().iter();
    let names: Vec<&str> = felt
        .map(|window| window["window"]["name"].as_str().unwrap())
        .collect();
    let put_in = format!("preStop {derived_s} s put in");
    let expected = [
        "before",
        "restart 1",
        "restart 2",
        put_in.as_str(),
        "restart-preStop 1",
        "restart-preStop 2",
        "preStop taken out",
    ];
    assert_eq!(names, expected);
    assert_eq!(tried["without"]["changes"], 2);
    assert_eq!(tried["with"]["changes"], 2);
    assert!(
        any_pod_slept(&report, derived_s as f64),
        "{:#}",
        report["pods"]
    );
    // It was seen where those connections led.
    let still_led = &report["lags"]["still_led"];
    assert!(still_led["pods"].as_u64() > Some(0), "{report:#}");
    assert!(!spec_of_strings(&cluster, PRE_STOP).contains("sleep"));
    assert_eq!(spec_of_strings(&cluster, GRACE), "30");
}

fn spec_of_strings(cluster: &Cluster, path: &str) -> String {
    let output = format!("--output=jsonpath={{{path}}}");
    cluster.kubectl(&["get", "deployment/strings", &output])
}

/// Until the Deployment has what a change puts in.
fn until_it_has(cluster: &Cluster, path: &str, what: &str) {
    let began = Instant::now();
    while !spec_of_strings(cluster, path).contains(what) {
        assert!(began.elapsed() < Duration::from_secs(300), "{path}: {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

const PRE_STOP: &str = ".spec.template.spec.containers[0].lifecycle";
const GRACE: &str = ".spec.template.spec.terminationGracePeriodSeconds";
const REPLICAS: &str = ".spec.replicas";
const ANNOTATIONS: &str = ".metadata.annotations";

/// What is changed for a while is put back at Ctrl-C, and after a SIGKILL by the next rollout.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_rollout_that_is_ended_puts_back_and_what_a_killed_one_leaves_the_next_puts_back() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let users = ["rollout", "strings", "/health", "--rate", "50"];
    let begin = |words: &[&str]| {
        let mut command = tacho_on(&cluster, &users);
        command
            .args(["--rest", "1s", "--warm-up", "1s"])
            .args(words);
        command
    };
    let ended = begin(&["--try-pre-stop=3"]).spawn().unwrap();
    until_it_has(&cluster, PRE_STOP, "sleep");
    signal(&ended, Signal::INT);
    let told = Told::of(&ended.wait_with_output().unwrap()).exits(130);
    assert_eq!(spec_of_strings(&cluster, GRACE), "30", "{told:?}");
    assert!(!spec_of_strings(&cluster, PRE_STOP).contains("sleep"));
    assert!(!spec_of_strings(&cluster, ANNOTATIONS).contains("put-back"));
    cluster.kubectl(&["rollout", "status", "deployment/strings"]);

    let mut killed = begin(&["--change", "scale=3"]).spawn().unwrap();
    until_it_has(&cluster, REPLICAS, "3");
    // As long as somebody is at it, nobody else is.
    let refused = Told::of(&begin(&[]).output().unwrap()).exits(2);
    let whose = format!("process {}", killed.id());
    assert!(refused.err.contains(&whose), "{refused:?}");
    signal(&killed, Signal::KILL);
    killed.wait().unwrap();
    let told = Told::of(&begin(&["--change", "restart"]).output().unwrap());
    assert!(told.err.contains("3 pods in place of 2"), "{told:?}");
    assert_eq!(told.json()["about"]["replicas"], 2, "{told:?}");
    assert_eq!(spec_of_strings(&cluster, REPLICAS), "2");
    assert!(!spec_of_strings(&cluster, ANNOTATIONS).contains("put-back"));

    // Who scales it in the meantime wants it so.
    let mut killed = begin(&["--change", "scale=3"]).spawn().unwrap();
    until_it_has(&cluster, REPLICAS, "3");
    signal(&killed, Signal::KILL);
    killed.wait().unwrap();
    cluster.kubectl(&["scale", "deployment/strings", "--replicas=1"]);
    cluster.kubectl(&["rollout", "status", "deployment/strings"]);
    let told = Told::of(&begin(&["--change", "restart"]).output().unwrap());
    assert!(told.err.contains("left as it is"), "{told:?}");
    assert_eq!(spec_of_strings(&cluster, REPLICAS), "1");
    assert!(!spec_of_strings(&cluster, ANNOTATIONS).contains("put-back"));
}

/// Two variants of the string service.
pub fn variants() -> Lab {
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(service.exists(), "it is not built: make -C labs build");
    Lab::new(&format!(
        "tacho: 1
name: strings
subject: {{port: 8080, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '8080'}}}}
variants:
  - {{name: go, kind: exec, command: ['{program}']}}
  - {{name: go-log, kind: exec, command: ['{program}'], environment: {{LOG_REQUESTS: 'true'}}}}
limits: {{cpu: 0.3, memory: 64MiB}}
requests: ['GET /health']
launches: 1
rest: 0s
",
        program = service.display()
    ))
}

fn deploy(cluster: &Cluster, lab: &Lab) -> Command {
    deploy_for(cluster, lab, "25s")
}

/// Each change has so long.
fn deploy_for(cluster: &Cluster, lab: &Lab, each: &str) -> Command {
    let mut command = tacho();
    command
        .current_dir(lab.path())
        .args(["rollout", "experiment.yaml", "--rate", "50", "--on"])
        .args(["kubernetes", "--fresh", "5s", "--for", each])
        .args(["--load-image", &cluster.load_image()])
        .env("KUBECONFIG", cluster.kubeconfig());
    command
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn variants_are_deployed_changed_in_each_way_and_deleted() {
    let changes = ["restart", "scale=3", "kill", "drain"];
    let words: Vec<&str> = changes.iter().flat_map(|it| ["--change", *it]).collect();
    // A pod more and a pod less are one change: it takes as long as two.
    deployed_changed_and_deleted("40s", &words, &changes);
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn variants_are_deployed_by_a_pod_and_the_same_is_told_of_them() {
    deployed_changed_and_deleted("25s", &["--run-pod"], &["restart"]);
}

/// Nothing ends the pods of a Deployment by itself.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn what_a_killed_rollout_of_variants_leaves_is_deleted_by_the_next_run() {
    let cluster = Cluster::up();
    let killed = variants();
    let mut run = deploy(&cluster, &killed)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until_it_launches(&cluster, &killed);
    signal(&run, Signal::KILL);
    run.wait().unwrap();
    let left = cluster.objects("default");
    for kind in ["job.batch", "deployment.apps", "service", "pod"] {
        assert!(left.contains(&format!("{kind}/tacho-")), "{kind}: {left}");
    }
    let next = lab("8080", 1);
    let told = cluster.run(&next, "default", &[]);
    let launches = next.launches();
    assert!(!launches.is_empty(), "{told:#?}");
    completed(&launches[0]);
    cluster.nothing_is_left_in("default");
}

/// A container beside the service warms each pod, also those that come with the change, and takes
/// no room from them: three pods fit as three without it would.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn variants_are_warmed_by_a_container_beside_the_service() {
    warmed_by_a_container("0.6", &[]);
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_pod_deploys_variants_that_are_warmed_by_a_container() {
    warmed_by_a_container("0.3", &["--run-pod"]);
}

fn warmed_by_a_container(cpu: &str, by: &[&str]) {
    let cluster = Cluster::up();
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    let lab = Lab::new(&format!(
        "tacho: 1
name: strings
subject: {{port: 8080, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '8080'}}}}
variants: [{{name: warmed, kind: exec, command: ['{}'], warm-up: 500}}]
limits: {{cpu: {cpu}, memory: 64MiB}}
requests: ['GET /health']
launches: 1
rest: 0s
",
        service.display()
    ));
    let run = deploy(&cluster, &lab)
        .args(by)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let names = "--output=jsonpath={.items[*].spec.containers[*].name}";
    let of_run = "app.kubernetes.io/managed-by=tacho,tacho/run";
    let deployed = || cluster.kubectl(&["get", "pods", "-l", of_run, names]);
    while !deployed().contains("subject warm subject warm") {
        assert!(began.elapsed() < Duration::from_secs(180));
        std::thread::sleep(Duration::from_millis(200));
    }
    let told = Told::of(&run.wait_with_output().unwrap());
    let launches = lab.launches();
    assert!(!launches.is_empty(), "{told:?}");
    completed(&launches[0]);
    let notes = lab.json("plan.json")["notes"].to_string();
    assert!(notes.contains("warm --gate 0.0.0.0:9000"), "{notes}");
    // Those of the service: the gate has 32 MiB of its own.
    let limits = &launches[0]["limits"];
    assert_eq!(limits["memory_bytes"], 64 << 20, "{limits:#}");
    cluster.nothing_is_left_in("default");
}

/// A pod of this variant runs.
fn until_it_runs(cluster: &Cluster, variant: &str) {
    let states = "--output=jsonpath={range .items[*]}{.spec.containers[0].image} {.status.phase}{\"\\n\"}{end}";
    let wanted = format!(":{variant} Running");
    let began = Instant::now();
    loop {
        let pods = cluster.kubectl(&["get", "pods", states]);
        if pods.lines().any(|pod| pod.ends_with(&wanted)) {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "{pods}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The service of one variant ends after eight seconds. Its node starts it anew, and then waits
/// before it does so again (`CrashLoopBackOff`). The API is away meanwhile: otherwise the first end
/// would already be told.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_service_that_ends_again_and_again_fails_its_launches_and_the_others_complete() {
    let cluster = Cluster::up();
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(service.exists(), "it is not built: make -C labs build");
    let lab = Lab::new(&format!(
        "tacho: 1
name: loops
subject: {{port: 8080, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '8080'}}}}
variants:
  - {{name: good, kind: exec, command: ['{}']}}
  - {{name: loops, kind: exec, command: ['{}', '--exit-ms', '8000']}}
limits: {{cpu: 0.3, memory: 64MiB}}
requests: ['GET /health']
launches: 2
rest: 0s
",
        service.display(),
        subject().display()
    ));
    let run = deploy(&cluster, &lab)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until_it_runs(&cluster, "loops");
    cluster.signal_the_api("STOP");
    std::thread::sleep(Duration::from_secs(22));
    cluster.signal_the_api("CONT");
    let told = Told::of(&run.wait_with_output().unwrap()).exits(3);
    let launches = lab.launches();
    assert!(launches.len() >= 4, "{told:#?}");
    for launch in &launches {
        let outcome = &launch["outcome"];
        match launch["cell"].as_str().unwrap() {
            "good" => {
                completed(launch);
            }
            _ => {
                assert_eq!(outcome["cause"], "exited", "{launch:#}");
                let message = outcome["message"].as_str().unwrap();
                assert!(message.contains("exit code 7"), "{message}");
            }
        }
    }
    cluster.nothing_is_left_in("default");
}

/// Each as a Deployment of two pods, to which these changes are made: those that the words say, or
/// a restart.
fn deployed_changed_and_deleted(each: &str, words: &[&str], changes: &[&str]) {
    let cluster = Cluster::up();
    let lab = variants();
    let mut command = deploy_for(&cluster, &lab, each);
    let told = Told::of(&command.args(words).output().unwrap());
    let of_changes = changes.iter().map(|change| change.replace('=', "-"));
    let expected: Vec<String> = std::iter::once("fresh".to_owned())
        .chain(of_changes)
        .collect();
    let launches = lab.launches();
    assert!(launches.len() >= 2, "{told:?}");
    for launch in &launches {
        completed(launch);
        let phases = launch["phases"].as_array().unwrap();
        let labels: Vec<&str> = phases
            .iter()
            .map(|it| it["label"].as_str().unwrap())
            .collect();
        assert_eq!(labels, expected);
        assert!(
            phases
                .iter()
                .all(|phase| phase["succeeded"].as_u64() > Some(0))
        );
        // Of the pod that held most, within its limit; and of all pods together.
        let resources = &launch["resources"];
        let peak = resources["peak_cgroup_bytes"].as_u64();
        assert!(
            peak > Some(1 << 20) && peak <= Some(64 << 20),
            "{resources:#}"
        );
        let spent = resources["at_end"]["cpu_s"].as_f64();
        assert!(spent > Some(0.0), "{resources:#}");
    }
    let mut pods = 0;
    let mut lost = 0;
    let folders = std::fs::read_dir(lab.run_folder().join("launches")).unwrap();
    for folder in folders.map(|folder| folder.unwrap().path()) {
        let text = std::fs::read_to_string(folder.join("rollout.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        pods += report["pods"].as_array().unwrap().len();
        let felt = report["felt"].as_array().unwrap().iter();
        let names: Vec<&str> = felt
            .map(|felt| felt["window"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, expected);
        // Of a launch that others disturbed the terminal says nothing.
        let text = std::fs::read_to_string(folder.join("launch.json")).unwrap();
        let record: serde_json::Value = serde_json::from_str(&text).unwrap();
        if record["outcome"]["state"] == "completed" {
            lost += report["lost"].as_array().unwrap().len();
        }
        assert_eq!(report["about"]["sees_pods"], true, "{report:#}");
        let page = std::fs::read_to_string(folder.join("rollout.html")).unwrap();
        assert!(page.contains("rollout-data"));
        // On its way from a pod alone.
        assert!(!folder.join("seen.json").exists());
        let files = std::fs::read_dir(&folder).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let sampled = names.filter(|name| name.starts_with("samples-")).count();
        assert!(sampled >= 4, "{sampled} pods were sampled");
    }
    // Two at first of each, and those that came with its changes: two in place of two, or one more.
    let came = changes.iter().map(|change| match *change {
        "restart" | "drain" => 2,
        _ => 1,
    });
    let of_each = 2 + came.sum::<usize>();
    assert!(pods >= launches.len() * of_each, "{pods}");
    assert!(told.out.contains("What users felt, restart"), "{told:?}");
    assert_eq!(told.out.contains("No request was lost."), lost == 0);
    cluster.nothing_is_left_in("default");
}
