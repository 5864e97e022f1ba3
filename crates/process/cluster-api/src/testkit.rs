//! An API server for tests that says what is there and breaks off each watch of it.

use crate::access::{Access, Reached};
use kube::Client;
use serde_json::{Value, json};
use std::future::Future;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use tempfile::TempDir;
use tokio::runtime::Builder;

pub(crate) struct BreakingOff {
    address: SocketAddr,
}

impl BreakingOff {
    pub(crate) fn with(there: &Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let there = there.to_string();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let _ = serve(&stream, &there);
            }
        });
        Self { address }
    }

    /// Carries out a task that talks to the server.
    pub(crate) fn block_on<F: Future<Output = ()>>(&self, task: impl FnOnce(Client, Reached) -> F) {
        let folder = TempDir::new().unwrap();
        let kubeconfig = folder.path().join("config");
        let text = json!({
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "there",
            "contexts": [{"name": "there", "context": {"cluster": "c", "user": "u"}}],
            "clusters": [{"name": "c", "cluster": {"server": format!("http://{}", self.address)}}],
            "users": [{"name": "u", "user": {"token": "t"}}],
        });
        std::fs::write(&kubeconfig, text.to_string()).unwrap();
        let access = Access {
            kubeconfig: Some(kubeconfig),
            ..Access::default()
        };
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, reached) = access.client().await.unwrap();
            task(client, reached).await;
        });
    }
}

/// Each request has a connection of its own.
fn serve(mut stream: &TcpStream, there: &str) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        line.clear();
    }
    if first.contains("watch=true") {
        return Ok(());
    }
    let length = there.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{there}"
    )
}
