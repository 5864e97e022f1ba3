//! The string service in Go as somebody's own Deployment.

use crate::a_box::{Cluster, repository};
use crate::support::{Told, tacho};
use std::process::{Command, Stdio};

const MANIFEST: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: {name: strings}
spec:
  replicas: 2
  selector: {matchLabels: {app: strings}}
  template:
    metadata: {labels: {app: strings}}
    spec:
      containers:
        - name: strings
          image: localhost/strings:1
          imagePullPolicy: Never
          env: [{name: PORT, value: '8080'}]
          ports: [{containerPort: 8080}]
          readinessProbe: {httpGet: {path: /health, port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: strings}
spec:
  selector: {app: strings}
  ports: [{port: 80, targetPort: 8080}]
";

/// Its image, in the node.
pub fn in_node(cluster: &Cluster) {
    let service = repository().join("labs/java-vs-go/go/bin/string-service");
    assert!(service.exists(), "it is not built: make -C labs build");
    let folder = tempfile::tempdir().unwrap();
    let image = folder.path().join("strings.tar");
    let mut made = tacho();
    made.arg("image").arg(&service);
    made.args(["--name", "localhost/strings:1", "--quiet", "--output"]);
    Told::of(&made.arg(&image).output().unwrap()).exits(0);
    let loaded = cluster.a_box().arg("load").arg(&image).output().unwrap();
    assert!(loaded.status.success(), "{loaded:?}");
}

/// Two pods of it, which are ready.
pub fn deployed(cluster: &Cluster) {
    in_node(cluster);
    let folder = tempfile::tempdir().unwrap();
    let manifest = folder.path().join("strings.yaml");
    std::fs::write(&manifest, MANIFEST).unwrap();
    cluster.kubectl(&["apply", "-f", &manifest.display().to_string()]);
    cluster.kubectl(&["rollout", "status", "deployment/strings", "--timeout=120s"]);
}

/// A command of Tacho on that cluster, which tells its result as JSON.
pub fn tacho_on(cluster: &Cluster, words: &[&str]) -> Command {
    let mut command = tacho();
    command
        .args(words)
        .args(["--on", "kubernetes", "--quiet", "--json", "-"])
        .env("KUBECONFIG", cluster.kubeconfig())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}
