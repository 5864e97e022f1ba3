//! Servers whose answers are known.

use std::sync::{Arc, Mutex};
use tacho_load::testkit::{Act, Seen, TestServer};

pub fn ok() -> TestServer {
    TestServer::start(|_| vec![Act::ok("ok")])
}

pub fn url(server: &TestServer, path: &str) -> String {
    format!("http://{}{path}", server.address())
}

/// A server that remembers what it was asked.
pub fn remembering() -> (TestServer, Arc<Mutex<Vec<Seen>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = TestServer::start({
        let seen = Arc::clone(&seen);
        move |request| {
            seen.lock().unwrap().push(request.clone());
            vec![Act::ok("{\"id\": 7}")]
        }
    });
    (server, seen)
}

/// The request lines that it was sent.
pub fn first_lines(seen: &Mutex<Vec<Seen>>) -> Vec<String> {
    let seen = seen.lock().unwrap();
    seen.iter()
        .map(|s| s.head.lines().next().unwrap_or_default().to_owned())
        .collect()
}
