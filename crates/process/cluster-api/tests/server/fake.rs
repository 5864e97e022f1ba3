//! An API server that answers what it is told, and keeps what it was asked.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tacho_cluster_api::Access;
use tempfile::TempDir;

/// A secret that must be seen nowhere.
pub const TOKEN: &str = "t0ken-of-somebody";

pub struct Fake {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
    folder: TempDir,
    /// Keeps the port of one that takes connections and does not answer.
    _listener: Option<TcpListener>,
}

impl Fake {
    /// `answer` is asked for status and body by method, path and body.
    pub fn answering(
        answer: impl Fn(&str, &str, &str) -> (u16, Value) + Send + Sync + 'static,
    ) -> Self {
        let (listener, fake) = Self::listening();
        let (asked, answer) = (Arc::clone(&fake.asked), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (asked, answer) = (Arc::clone(&asked), Arc::clone(&answer));
                std::thread::spawn(move || {
                    let _ = serve(&stream, &asked, answer.as_ref());
                });
            }
        });
        fake
    }

    pub fn silent() -> Self {
        let (listener, fake) = Self::listening();
        Self {
            _listener: Some(listener),
            ..fake
        }
    }

    pub fn that_has_gone() -> Self {
        Self::listening().1
    }

    fn listening() -> (TcpListener, Self) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let fake = Self {
            address: listener.local_addr().unwrap(),
            asked: Arc::default(),
            folder: TempDir::new().unwrap(),
            _listener: None,
        };
        (listener, fake)
    }

    pub fn address(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Method, path and body of each request.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub fn kubeconfig(&self, text: &str) -> PathBuf {
        let file = self.folder.path().join("config");
        std::fs::write(&file, text).unwrap();
        file
    }

    pub fn access(&self) -> Access {
        let text = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "there",
            "contexts": [{"name": "there", "context": {"cluster": "c", "user": "u", "namespace": "team-a"}}],
            "clusters": [{"name": "c", "cluster": {"server": self.address()}}],
            "users": [{"name": "u", "user": {"token": TOKEN}}],
        });
        Access {
            kubeconfig: Some(self.kubeconfig(&text.to_string())),
            ..Access::default()
        }
    }
}

fn serve(
    stream: &TcpStream,
    asked: &Mutex<Vec<String>>,
    answer: &impl Fn(&str, &str, &str) -> (u16, Value),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut words = line.split(' ');
        let (method, path) = (
            words.next().unwrap().to_owned(),
            words.next().unwrap().to_owned(),
        );
        let mut length = 0;
        loop {
            let mut head = String::new();
            reader.read_line(&mut head)?;
            if head.trim().is_empty() {
                break;
            }
            if let Some(of_body) = head.to_ascii_lowercase().strip_prefix("content-length:") {
                length = of_body.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body = String::from_utf8(body).unwrap();
        asked
            .lock()
            .unwrap()
            .push(format!("{method} {path} {body}"));
        let (status, answer) = answer(&method, &path, &body);
        let answer = match &answer {
            // A log.
            Value::String(text) if path.contains("/log") => text.clone(),
            // A watch: an event in a line.
            Value::Array(events) if path.contains("watch=true") => {
                let lines = events.iter().map(|event| format!("{event}\n"));
                lines.collect()
            }
            answer => answer.to_string(),
        };
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
    }
}

/// A refusal.
pub fn refused(code: u16, message: &str) -> (u16, Value) {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": message, "reason": "", "code": code,
    });
    (code, status)
}

/// The answer to a question for a right.
pub fn allowed(allowed: bool) -> (u16, Value) {
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {},
        "status": {"allowed": allowed},
    });
    (201, review)
}

/// A cluster of three nodes that allows all.
pub fn cluster(method: &str, path: &str, _body: &str) -> (u16, Value) {
    let path = path.split('?').next().unwrap();
    match (method, path) {
        ("GET", "/version") => {
            let version = json!({
                "major": "1", "minor": "34", "gitVersion": "v1.34.1", "gitCommit": "",
                "gitTreeState": "", "buildDate": "", "goVersion": "", "compiler": "", "platform": "",
            });
            (200, version)
        }
        ("GET", "/api/v1/namespaces/team-a") => {
            let namespace = json!({
                "apiVersion": "v1",
                "kind": "Namespace",
                "metadata": {
                    "name": "team-a",
                    "labels": {"pod-security.kubernetes.io/enforce": "baseline"},
                },
            });
            (200, namespace)
        }
        ("GET", "/api/v1/nodes") => {
            let mut of_control = node("control", true, false);
            of_control["spec"]["taints"] =
                json!([{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]);
            let nodes = json!({
                "apiVersion": "v1",
                "kind": "NodeList",
                "metadata": {},
                "items": [
                    node("one", true, false), node("cordoned", true, true),
                    node("lost", false, false), of_control,
                ],
            });
            (200, nodes)
        }
        ("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews") => allowed(true),
        _ => panic!("{method} {path}"),
    }
}

fn node(name: &str, is_ready: bool, is_cordoned: bool) -> Value {
    let ready = if is_ready { "True" } else { "Unknown" };
    json!({
        "metadata": {"name": name},
        "spec": {"unschedulable": is_cordoned},
        "status": {
            "allocatable": {"cpu": "2", "memory": "24Gi"},
            "conditions": [{"type": "Ready", "status": ready}],
            "nodeInfo": {
                "architecture": "amd64", "bootID": "", "containerRuntimeVersion": "", "kernelVersion": "",
                "kubeProxyVersion": "", "kubeletVersion": "v1.34.1", "machineID": "",
                "operatingSystem": "linux", "osImage": "", "systemUUID": "",
            },
        },
    })
}
