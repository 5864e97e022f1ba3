//! A way to the API on which every other watch expires at once, as watches do when a server was
//! away or is busy: what comes between two watches has to be asked for.

use crate::a_box::Cluster;
use crate::run::{completed, lab};
use crate::strings::{deployed, tacho_on};
use crate::support::Told;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a server says in the watch, or instead of it.
const STATUS: &str = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (2)","reason":"Expired","code":410}"#;

/// The way. Dropping it ends it.
struct Way {
    proxy: Child,
    port: u16,
    expired: Arc<AtomicUsize>,
}

impl Way {
    /// To a real API server, by `kubectl proxy`.
    fn to(cluster: &Cluster) -> Self {
        let mut proxy = cluster
            .kubectl_command()
            .args(["proxy", "--port=0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(proxy.stdout.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        // Starting to serve on 127.0.0.1:41234
        let server: u16 = said.trim().rsplit(':').next().unwrap().parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let expired = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&expired);
        let watches = Arc::new(AtomicUsize::new(0));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (expired, watches) = (Arc::clone(&counted), Arc::clone(&watches));
                std::thread::spawn(move || {
                    let _ = one_question(stream, server, &watches, &expired);
                });
            }
        });
        Self {
            proxy,
            port,
            expired,
        }
    }

    fn kubeconfig(&self, folder: &Path) -> PathBuf {
        let path = folder.join("kubeconfig");
        let text = format!(
            "apiVersion: v1
kind: Config
clusters: [{{name: c, cluster: {{server: 'http://127.0.0.1:{}'}}}}]
users: [{{name: u, user: {{}}}}]
contexts: [{{name: x, context: {{cluster: c, user: u, namespace: default}}}}]
current-context: x
",
            self.port
        );
        std::fs::write(&path, text).unwrap();
        path
    }

    fn expired(&self) -> usize {
        self.expired.load(Ordering::SeqCst)
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        let _ = self.proxy.kill();
        let _ = self.proxy.wait();
    }
}

/// One request a connection, so that each is seen.
fn one_question(
    mut client: TcpStream,
    server: u16,
    watches: &AtomicUsize,
    expired: &AtomicUsize,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = Vec::new();
    let mut first = String::new();
    reader.read_line(&mut first)?;
    head.extend_from_slice(first.as_bytes());
    head.extend_from_slice(b"Connection: close\r\n");
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        if !line.to_ascii_lowercase().starts_with("connection:") {
            head.extend_from_slice(line.as_bytes());
        }
        if line.trim().is_empty() {
            break;
        }
    }
    if first.contains("watch=true") && watches.fetch_add(1, Ordering::SeqCst).is_multiple_of(2) {
        let (code, body) = match expired.fetch_add(1, Ordering::SeqCst) % 2 {
            0 => (200, format!("{{\"type\":\"ERROR\",\"object\":{STATUS}}}\n")),
            _ => (410, STATUS.to_owned()),
        };
        return write!(
            client,
            "HTTP/1.1 {code} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
    }
    let mut to = TcpStream::connect(("127.0.0.1", server))?;
    to.write_all(&head)?;
    let mut onward = to.try_clone()?;
    std::thread::spawn(move || {
        let mut chunk = [0; 16 << 10];
        while let Ok(count @ 1..) = reader.read(&mut chunk) {
            if onward.write_all(&chunk[..count]).is_err() {
                break;
            }
        }
        // A client that gives a watch up: the server is to know.
        let _ = onward.shutdown(Shutdown::Both);
    });
    let copied = std::io::copy(&mut to, &mut client);
    let _ = client.shutdown(Shutdown::Both);
    copied.map(drop)
}

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn watches_that_expire_end_no_run_and_no_rollout() {
    let cluster = Cluster::up();
    let way = Way::to(&cluster);
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = way.kubeconfig(folder.path());

    let lab = lab("8080", 3);
    // Its kubeconfig does not say how images get to the nodes.
    let load = cluster.load_image();
    let words = ["--through-service", "--load-image", load.as_str()];
    let mut command = cluster.command(&lab, "default", &words);
    let told = Told::of(&command.env("KUBECONFIG", &kubeconfig).output().unwrap());
    let launches = lab.launches();
    assert!(launches.len() >= 3, "{told:#?}");
    for launch in &launches {
        let pod = completed(launch);
        // How late a watch that was begun anew tells it depends on how busy the machine is.
        assert!(pod["scheduled_ms"].is_number(), "{pod:#}");
    }
    // Both ways of saying it, in each of the launches.
    let in_run = way.expired();
    assert!(in_run >= 4, "{in_run}");

    deployed(&cluster);
    let mut command = tacho_on(&cluster, &["rollout", "strings", "/health", "--rate", "50"]);
    command.args(["--rest", "3s", "--warm-up", "1s", "--change", "restart"]);
    let told = Told::of(&command.env("KUBECONFIG", &kubeconfig).output().unwrap());
    let report = told.json();
    let pods = report["pods"].as_array().unwrap();
    assert_eq!(pods.len(), 4, "two, and two in their place: {pods:#?}");
    assert!(way.expired() > in_run);
    cluster.nothing_but_is_left_in("strings", "default");
}
