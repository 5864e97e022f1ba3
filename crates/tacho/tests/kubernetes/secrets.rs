//! Neither a secret of an experiment nor what opens the cluster stands in what a run leaves behind.

use crate::a_box::Cluster;
use crate::run::{build_by_go, completed};
use crate::support::{Lab, files};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PASSWORD: &str = "hunter2-environment-Zq9";
const TOKEN: &str = "hunter2-bearer-Zq9";

/// Serves those alone who bring the token that it was given.
const GUARD: &str = r#"package main

import (
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/health", func(to http.ResponseWriter, _ *http.Request) {
		to.WriteHeader(http.StatusOK)
	})
	http.HandleFunc("/orders", func(to http.ResponseWriter, from *http.Request) {
		isKnown := from.Header.Get("Authorization") == "Bearer "+os.Getenv("API_TOKEN")
		if !isKnown || os.Getenv("DB_PASSWORD") == "" {
			to.WriteHeader(http.StatusUnauthorized)
		}
	})
	panic(http.ListenAndServe(":8080", nil))
}
"#;

fn guarded() -> Lab {
    let lab = Lab::new(&format!(
        "tacho: 1
name: guarded
subject:
  port: 8080
  ready: {{http: /health, timeout: 60s}}
  environment:
    DB_PASSWORD: {PASSWORD}
    API_TOKEN: {TOKEN}
variants: [{{name: guard, kind: exec, command: [./guard]}}]
limits: {{cpu: 0.5, memory: 64MiB}}
requests:
  - path: /orders
    headers: {{Authorization: Bearer {TOKEN}}}
phases: [{{cold: {{requests: 3}}}}, {{closed: {{requests: 200, connections: 2}}}}]
launches: 1
rest: 0s
"
    ));
    build_by_go(&lab, GUARD, "guard");
    lab
}

/// What base64(1) makes of a text.
fn base64(options: &[&str], text: &str) -> String {
    let mut child = Command::new("base64")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = child.stdin.take().unwrap();
    to.write_all(text.as_bytes()).unwrap();
    drop(to);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Key and certificate of a kubeconfig's user: as they stand there, and a line of each as a PEM
/// file has it.
fn credentials(kubeconfig: &Path) -> Vec<String> {
    let config: Value = serde_json::from_slice(&fs::read(kubeconfig).unwrap()).unwrap();
    let user = &config["users"][0]["user"];
    let both = ["client-key-data", "client-certificate-data"];
    let each = both.iter().flat_map(|name| {
        let data = user[*name].as_str().unwrap().to_owned();
        let pem = base64(&["-d"], &data);
        let line = pem.lines().max_by_key(|line| line.len());
        [line.unwrap().to_owned(), data]
    });
    each.collect()
}

/// By this machine, and by a pod, which gets plan and requests over the API.
#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn no_secret_of_a_run_on_a_cluster_is_written_or_printed() {
    let cluster = Cluster::up();
    let mut secrets = credentials(&cluster.kubeconfig());
    for own in [PASSWORD, TOKEN] {
        secrets.extend([own.to_owned(), base64(&["-w0"], own)]);
    }
    let secret_in = |text: &str| secrets.iter().any(|secret| text.contains(secret.as_str()));
    for by in [&["--through-service"][..], &["--run-pod"]] {
        let lab = guarded();
        let told = cluster.run(&lab, "default", by);
        let launches = lab.launches();
        assert!(!launches.is_empty(), "{told:#?}");
        completed(&launches[0]);
        // The service got the true values, and so did the requests.
        for phase in launches[0]["phases"].as_array().unwrap() {
            assert_eq!(phase["requests"], phase["succeeded"], "{phase:#}");
        }
        assert!(!secret_in(&told.out) && !secret_in(&told.err), "{told:#?}");
        let is_told = |file: &Path| secret_in(&String::from_utf8_lossy(&fs::read(file).unwrap()));
        let mut written = files(&lab.run_folder());
        assert!(written.len() > 5, "{written:?}");
        written.retain(|file| is_told(file));
        assert!(written.is_empty(), "{by:?}: {written:?}");
        let copy = fs::read_to_string(lab.run_folder().join("experiment.yaml")).unwrap();
        assert!(copy.contains("DB_PASSWORD: '***'"), "{copy}");
        cluster.nothing_is_left_in("default");
    }
}
