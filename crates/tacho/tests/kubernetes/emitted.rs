//! What `tacho warmup --emit` writes beside a Deployment, taken by a real cluster: a Kustomize
//! base, and the values of the chart that `helm create` makes.

use crate::a_box::{Cluster, repository};
use crate::strings::in_node;
use crate::support::{Lab, Told, signal, tacho};
use rustix::process::Signal;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Few launches of the string service, and all that is written of them.
fn measured() -> (Lab, PathBuf) {
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(service.exists(), "it is not built: make -C labs build");
    let lab = Lab::new(&format!(
        "tacho: 1
name: strings
subject: {{port: 8765, ready: {{http: /health, timeout: 60s}}, environment: {{PORT: '8765'}}}}
variants: [{{name: strings, kind: exec, command: ['{}']}}]
limits: {{cpu: 0.2, memory: 64MiB}}
requests: [GET /health]
phases: [{{open: {{rate: 2500/s, duration: 10s}}}}]
warm-up: [none, 100]
launches: 3
rest: 0s
",
        service.display()
    ));
    let mut command = tacho();
    command.current_dir(lab.path()).args([
        "warmup",
        "experiment.yaml",
        "--emit",
        "kubernetes,kustomize,helm",
    ]);
    Told::of(&command.output().unwrap());
    let folder = lab.run_folder();
    (lab, folder)
}

/// The image is called so in the node.
fn with_image_of_node(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let (name, _) = line.split_once(':').unwrap_or((line, ""));
        match name.trim_start_matches([' ', '-']) {
            "newName" | "repository" => format!("{name}: localhost/strings"),
            "newTag" | "tag" => format!("{name}: \"1\""),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

fn edit(path: &Path, how: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    fs::write(path, how(&text)).unwrap();
}

/// The numbers of a Deployment that its comments are about.
fn numbers(deployment: &Value) -> Value {
    let spec = &deployment["spec"];
    let pod = &spec["template"]["spec"];
    let container = &pod["containers"][0];
    serde_json::json!({
        "strategy": spec["strategy"],
        "minReadySeconds": spec["minReadySeconds"],
        "progressDeadlineSeconds": spec["progressDeadlineSeconds"],
        "terminationGracePeriodSeconds": pod["terminationGracePeriodSeconds"],
        "startupProbe": container["startupProbe"],
        "readinessProbe": container["readinessProbe"],
        "livenessProbe": container["livenessProbe"],
        "lifecycle": container["lifecycle"],
        "resources": container["resources"],
        "env": container["env"],
    })
}

fn running(cluster: &Cluster, namespace: &str) -> Value {
    let names = cluster.kubectl(&["get", "deployments", "-n", namespace, "--output=name"]);
    let name = names.trim();
    cluster.kubectl(&["rollout", "status", name, "-n", namespace, "--timeout=180s"]);
    let json = cluster.kubectl(&["get", name, "-n", namespace, "--output=json"]);
    serde_json::from_str(&json).unwrap()
}

/// Users come at four times the rate that a pod is known to carry, to two pods.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn an_autoscaler_brings_more_pods_when_each_has_more_than_was_measured() {
    let (_lab, folder) = measured();
    let cluster = Cluster::up();
    let started = cluster.a_box().arg("metrics").output().unwrap();
    assert!(started.status.success(), "{started:?}");
    in_node(&cluster);
    edit(&folder.join("kustomization.yaml"), with_image_of_node);
    cluster.kubectl(&["apply", "-k", &folder.display().to_string()]);
    running(&cluster, "default");
    let of_scaler = |path: &str| {
        let path = format!("--output=jsonpath={{.items[0].{path}}}");
        let text = cluster.kubectl(&["get", "hpa", &path]);
        text.trim().parse::<u32>().unwrap_or(0)
    };
    let fewest = of_scaler("spec.minReplicas");
    assert_eq!(fewest, 2);
    // Connections that are kept lead to the pods that there were when they were opened.
    let two = "--for=jsonpath={.status.readyReplicas}=2";
    cluster.kubectl(&["wait", two, "deployment/strings", "--timeout=180s"]);
    let service = "--output=jsonpath={.spec.clusterIP}";
    let address = cluster.kubectl(&["get", "service/strings", service]);
    let mut users = tacho()
        .args(["load", "--rate", "10000", "--duration", "10m", "--quiet"])
        .arg(format!("http://{}/health", address.trim()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let wanted = loop {
        let wanted = of_scaler("status.desiredReplicas");
        // Its own periods: figures every 10 s, and a look each 15 s.
        if wanted > fewest || began.elapsed() > Duration::from_secs(300) {
            break wanted;
        }
        std::thread::sleep(Duration::from_secs(1));
    };
    signal(&users, Signal::INT);
    users.wait().unwrap();
    let said = cluster.kubectl(&["describe", "hpa"]);
    assert!(wanted > fewest, "{said}");
}

/// `labs/kubernetes/helm` builds it once.
fn helm() -> PathBuf {
    let built = Command::new(repository().join("labs/kubernetes/helm/build"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    String::from_utf8(built.stdout).unwrap().trim().into()
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_base_for_kustomize_and_values_for_helm_run_as_the_deployment_does() {
    let (_lab, folder) = measured();
    let cluster = Cluster::up();
    in_node(&cluster);
    for namespace in ["based", "charted"] {
        cluster.kubectl(&["create", "namespace", namespace]);
    }

    edit(&folder.join("kustomization.yaml"), with_image_of_node);
    let base = folder.display().to_string();
    cluster.kubectl(&["apply", "-n", "based", "-k", &base]);
    let of_base = running(&cluster, "based");
    let scaled = cluster.kubectl(&["get", "hpa", "-n", "based", "--output=name"]);
    assert_eq!(scaled.lines().count(), 1, "{scaled}");

    let values = folder.join("helm-values.yaml");
    edit(&values, with_image_of_node);
    let helm = helm();
    let charts = tempfile::tempdir().unwrap();
    let in_charts = |words: &[&str]| {
        let mut command = Command::new(&helm);
        command.current_dir(charts.path()).args(words);
        command
            .env("KUBECONFIG", cluster.kubeconfig())
            .env("HOME", charts.path());
        Told::of(&command.output().unwrap()).exits(0)
    };
    in_charts(&["create", "strings"]);
    // What the values' own comment says has to be put in.
    let text = fs::read_to_string(&values).unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("# {{- with"));
    let line = format!("{{{{- with{}", line.unwrap());
    let of = |name: &str, indent: &str| {
        let line = line.replace("startupProbe", name);
        line.replace("nindent 10", &format!("nindent {indent}"))
    };
    edit(
        &charts.path().join("strings/templates/deployment.yaml"),
        |template| {
            let before = |template: String, mark: &str, names: &[&str], indent: &str| {
                let lines: Vec<String> = names.iter().map(|name| of(name, indent)).collect();
                let at = template.find(mark).unwrap();
                let (head, tail) = template.split_at(at);
                format!("{}\n{}\n{tail}", head.trim_end(), lines.join("\n"))
            };
            let of_deployment = ["minReadySeconds", "progressDeadlineSeconds", "strategy"];
            let of_container = ["startupProbe", "lifecycle", "env"];
            let template = template.to_owned();
            let template = before(template, "  selector:", &of_deployment, "2");
            let template = before(
                template,
                "      containers:",
                &["terminationGracePeriodSeconds"],
                "6",
            );
            let probe = "          {{- with .Values.livenessProbe }}";
            before(template, probe, &of_container, "10")
        },
    );
    let values = values.display().to_string();
    in_charts(&[
        "install",
        "strings",
        "strings",
        "--values",
        &values,
        "--namespace",
        "charted",
    ]);
    let of_chart = running(&cluster, "charted");
    assert_eq!(numbers(&of_chart), numbers(&of_base));
    let probe = &numbers(&of_chart)["startupProbe"];
    assert!(probe["failureThreshold"].as_u64().unwrap() > 0, "{probe:#}");
    let scaled = cluster.kubectl(&["get", "hpa", "-n", "charted", "--output=name"]);
    assert_eq!(scaled.lines().count(), 1, "{scaled}");
}
