//! `tacho warm` against servers that get faster, or do not, by a script.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::io::{BufRead, BufReader, Lines, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, ChildStderr, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use support::{Told, port, signal, tacho};
use tacho_load::testkit::{Act, TestServer};

/// Slow for this many requests, then fast.
fn warms_up_after(requests: u64) -> TestServer {
    TestServer::start(move |request| {
        let wait = if request.number < requests { 10 } else { 1 };
        vec![Act::Wait(Duration::from_millis(wait)), Act::ok("ok")]
    })
}

fn warm(server: &TestServer, more: &[&str]) -> Told {
    let url = format!("http://{}/users", server.address());
    Told::of(&tacho().arg("warm").args(more).arg(url).output().unwrap())
}

#[test]
fn it_ends_when_the_service_is_as_fast_as_it_becomes() {
    let marked = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&marked);
    let server = TestServer::start(move |request| {
        if request.head.contains("X-Warm-Up: true") {
            seen.fetch_add(1, Ordering::SeqCst);
        }
        // So long that what a busy machine adds is little of it.
        let wait = if request.number < 60 { 120 } else { 24 };
        vec![Act::Wait(Duration::from_millis(wait)), Act::ok("ok")]
    });
    let json = warm(
        &server,
        &["--json", "-", "--at-most", "100000", "--within", "10m"],
    )
    .exits(0)
    .json();
    assert_eq!(json["end"], "settled", "{json}");
    assert_eq!(json["ready"], true);
    let answered = json["answered"].as_u64().unwrap();
    // Quiet for as long as it was not, and not much longer.
    assert!(answered >= 110, "{json}");
    let request = &json["requests"][0];
    assert!(request["first_ms"].as_f64().unwrap() >= 120.0, "{json}");
    assert!(request["settled_ms"].as_f64().unwrap() < 120.0, "{json}");
    assert!(request["settled_from"].as_u64().unwrap() >= 50, "{json}");
    assert_eq!(server.requests(), answered);
    assert_eq!(marked.load(Ordering::SeqCst), answered);
}

/// Redirects to a login warm no service.
#[test]
fn redirects_that_nobody_expects_are_told() {
    let server = TestServer::start(|_| {
        let found = b"HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n";
        vec![Act::Send(found.to_vec())]
    });
    let said = "120 of 120 answers were redirects (3xx)";
    warm(&server, &["--at-most", "120"]).exits(0).says(said);
    let json = warm(&server, &["--at-most", "120", "--json", "-"]);
    let json = json.exits(0).json();
    assert!(json["notes"][0].as_str().unwrap().contains(said), "{json}");
    let meant = warm(&server, &["--at-most", "120", "--expect", "status=302"]);
    assert!(!meant.exits(0).out.contains("redirects"));
}

#[test]
fn a_limit_of_requests_or_of_time_lets_traffic_come() {
    let ever_slower = || {
        TestServer::start(|request| {
            vec![
                Act::Wait(Duration::from_micros(request.number * 50)),
                Act::ok("ok"),
            ]
        })
    };
    let server = ever_slower();
    warm(&server, &["--at-most", "120"])
        .exits(0)
        .says("Not settled after 120 requests")
        .says("--at-most")
        .says("Traffic may come");
    assert_eq!(server.requests(), 120);
    warm(&ever_slower(), &["--within", "300ms"])
        .exits(0)
        .says("--within");
}

#[test]
fn who_waits_for_more_answers_than_usual_is_not_stopped_before() {
    let server = TestServer::start(|_| vec![Act::ok("ok")]);
    let json = warm(
        &server,
        &["--at-least", "20500", "--within", "10m", "--json", "-"],
    )
    .exits(0)
    .json();
    assert!(json["answered"].as_u64().unwrap() >= 20_500, "{json}");
}

#[test]
fn a_service_that_fails_is_let_in_or_not_as_was_said() {
    let broken = TestServer::start(|_| vec![Act::status(500, "no database")]);
    warm(&broken, &["--failures", "7"])
        .exits(0)
        .says("Could not be warmed")
        .says("500")
        .says("all the same");
    assert_eq!(broken.requests(), 7);
    warm(&broken, &["--on-failure", "closed"])
        .exits(1)
        .says("must not come");
    let silent = TestServer::start(|_| vec![Act::Wait(Duration::from_secs(60))]);
    warm(
        &silent,
        &[
            "--timeout",
            "50ms",
            "--failures",
            "2",
            "--on-failure",
            "closed",
        ],
    )
    .exits(1)
    .says("timeout");
}

#[test]
fn a_service_that_has_answered_nothing_when_a_limit_comes_is_not_warm() {
    let broken = TestServer::start(|_| vec![Act::status(503, "starting")]);
    let closed = ["--on-failure", "closed"];
    let few = ["--at-most", "5", "--json", "-"];
    let json = warm(&broken, &[few.as_slice(), closed.as_slice()].concat())
        .exits(1)
        .json();
    assert_eq!(json["end"], "failing", "{json}");
    assert_eq!(json["ready"], false, "{json}");
    let silent = TestServer::start(|_| vec![Act::Wait(Duration::from_secs(60))]);
    let short = ["--within", "200ms", "--timeout", "300ms"];
    warm(&silent, &[short.as_slice(), closed.as_slice()].concat())
        .exits(1)
        .says("Could not be warmed")
        .says("must not come");
}

#[test]
fn nobody_there_is_said_after_the_wait() {
    let address = TestServer::start(|_| vec![]).address();
    let url = format!("http://{address}/");
    let told = tacho()
        .args(["warm", "--wait", "200ms", "--on-failure", "closed", &url])
        .output();
    Told::of(&told.unwrap())
        .exits(1)
        .says("nobody accepted a connection");
}

#[test]
fn every_kind_of_request_is_warmed() {
    // So long that what a busy machine adds is little of it.
    let wait = Duration::from_millis(24);
    let server = TestServer::start(move |_| vec![Act::Wait(wait), Act::ok("ok")]);
    let folder = tempfile::tempdir().unwrap();
    let targets = folder.path().join("targets.txt");
    let url = |path: &str| format!("GET http://{}/{path}\n", server.address());
    std::fs::write(&targets, url("a") + "\n" + &url("b")).unwrap();
    let json = tacho()
        .args(["warm", "--json", "-", "--at-most", "100000"])
        .args(["--within", "10m", "--targets"])
        .arg(&targets)
        .arg(format!("http://{}/", server.address()))
        .output();
    let json = Told::of(&json.unwrap()).exits(0).json();
    let requests = json["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 2, "{json}");
    assert!(
        requests.iter().all(|r| r["settled_ms"].is_number()),
        "{json}"
    );
}

#[test]
fn of_a_stream_the_kinds_that_came_are_warmed_and_named() {
    let wait = Duration::from_millis(24);
    let server = TestServer::start(move |_| vec![Act::Wait(wait), Act::ok("ok")]);
    let folder = tempfile::tempdir().unwrap();
    let targets = folder.path().join("targets.txt");
    let of = |path: &str| format!("GET http://{}/{path}\n\n", server.address());
    std::fs::write(&targets, (of("a") + &of("b")).repeat(5_000)).unwrap();
    let told = tacho()
        .args(["warm", "--json", "-", "--at-most", "100000"])
        .args(["--within", "10m", "--targets", "-", "--format", "vegeta"])
        .arg(format!("http://{}/", server.address()))
        .stdin(std::fs::File::open(&targets).unwrap())
        .output();
    let json = Told::of(&told.unwrap()).exits(0).json();
    let requests = json["requests"].as_array().unwrap();
    let names: Vec<_> = requests.iter().map(|request| &request["name"]).collect();
    assert_eq!(names, ["GET /a", "GET /b"], "{json}");
    assert_eq!(json["end"], "settled", "{json}");
}

/// Guards against a hang, no more.
const PATIENCE: Duration = Duration::from_secs(120);

/// The program with a gate, and where it is.
fn gated(at: SocketAddr, more: &[&str]) -> (Child, String) {
    let (child, address, _) = gated_and_heard(at, more);
    (child, address)
}

/// The same, and what it says from then on.
fn gated_and_heard(
    at: SocketAddr,
    more: &[&str],
) -> (Child, String, Lines<BufReader<ChildStderr>>) {
    let mut child = tacho()
        .args(["warm", "--gate", "127.0.0.1:0"])
        .args(more)
        .arg(format!("http://{at}/"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        let line = line.unwrap();
        line.strip_prefix("readiness is asked at ")
            .map(str::to_owned)
    });
    (child, address.unwrap(), lines)
}

fn probe(address: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(b"GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer[9..12].to_owned()
}

fn said(child: &mut Child, text: &str) {
    let lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(
        lines.map(Result::unwrap).any(|line| line.contains(text)),
        "{text}"
    );
}

#[test]
fn the_gate_opens_when_the_service_is_warm_and_stays_so() {
    let (server, seen) = waits_until_it_was_seen_closed(None);
    let (mut child, address) = gated(server.address(), &["--at-most", "300"]);
    assert_eq!(probe(&address), "503");
    seen.store(true, Ordering::SeqCst);
    said(&mut child, "Traffic may come");
    assert_eq!(probe(&address), "200");
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A service that is not warm before somebody has seen the gate closed.
fn waits_until_it_was_seen_closed(at: Option<SocketAddr>) -> (TestServer, Arc<AtomicBool>) {
    let seen = Arc::new(AtomicBool::new(false));
    let is_seen = Arc::clone(&seen);
    let answer = move |_: &_| {
        let begin = Instant::now();
        while !is_seen.load(Ordering::SeqCst) && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        vec![Act::Wait(Duration::from_millis(1)), Act::ok("ok")]
    };
    let server = match at {
        Some(at) => TestServer::start_at(at, answer),
        None => TestServer::start(answer),
    };
    (server, seen)
}

/// Asks until the answer is another.
fn probe_until(address: &str, status: &str) {
    let begin = Instant::now();
    while probe(address) != status {
        assert!(
            begin.elapsed() < PATIENCE,
            "{address} never answered {status}"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_service_that_is_restarted_alone_is_warmed_anew() {
    let server = warms_up_after(100);
    let at = server.address();
    let (mut child, address) = gated(server.address(), &["--at-most", "300", "--json", "-"]);
    probe_until(&address, "200");
    drop(server);
    probe_until(&address, "503");
    let second = TestServer::start_at(at, move |request| {
        let wait = if request.number < 100 { 10 } else { 1 };
        vec![Act::Wait(Duration::from_millis(wait)), Act::ok("ok")]
    });
    probe_until(&address, "200");
    assert!(second.requests() > 100, "{} requests", second.requests());
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(restarts(&mut child), [0, 1]);
}

/// As every document on standard output says.
fn restarts(child: &mut Child) -> Vec<serde_json::Value> {
    serde_json::Deserializer::from_reader(child.stdout.take().unwrap())
        .into_iter::<serde_json::Value>()
        .map(|summary| summary.unwrap()["restarts"].clone())
        .collect()
}

#[test]
fn a_service_that_ends_while_it_is_warmed_is_not_let_in_and_its_replacement_is_warmed_anew() {
    let wait = Duration::from_millis(20);
    let first = TestServer::start(move |_| vec![Act::Wait(wait), Act::ok("ok")]);
    let at = first.address();
    let many = ["--at-least", "1000", "--at-most", "1000", "--json", "-"];
    let (mut child, address, mut lines) = gated_and_heard(at, &many);
    while first.requests() < 50 {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(first);
    assert!(lines.any(|line| line.unwrap().contains("is gone")));
    assert_eq!(probe(&address), "503");
    let (second, seen) = waits_until_it_was_seen_closed(Some(at));
    assert_eq!(probe(&address), "503");
    seen.store(true, Ordering::SeqCst);
    probe_until(&address, "200");
    assert!(second.requests() >= 1_000, "{} requests", second.requests());
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(restarts(&mut child), [1]);
}

#[test]
fn a_service_that_comes_late_is_warmed_though_the_gate_was_open() {
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port()));
    let (mut child, address) = gated(at, &["--wait", "1ms", "--at-most", "200"]);
    probe_until(&address, "200");
    let (late, seen) = waits_until_it_was_seen_closed(Some(at));
    probe_until(&address, "503");
    seen.store(true, Ordering::SeqCst);
    probe_until(&address, "200");
    assert!(late.requests() >= 100, "{} requests", late.requests());
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// `tacho load` asks the server for its message types, which a service that starts cannot tell yet.
#[test]
fn calls_need_a_file_that_declares_them_and_the_help_says_so() {
    let told = tacho()
        .args(["warm", "--call", "shop.Orders/Get", "http://127.0.0.1:9/"])
        .output();
    Told::of(&told.unwrap()).exits(2).says("--protoset");
    let help = |command: &str| {
        let told = tacho().args([command, "--help"]).output();
        let shown = Told::of(&told.unwrap()).exits(0).out;
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (warm, load) = (help("warm"), help("load"));
    let asked = "The server is asked for its message types";
    assert!(warm.contains("Needs --proto or --protoset"), "{warm}");
    assert!(load.contains(asked) && !warm.contains(asked), "{warm}");
}

#[test]
fn a_list_that_can_be_sent_once_only_is_no_business_of_a_gate() {
    let told = tacho()
        .args(["warm", "--gate", "127.0.0.1:0", "--targets", "-"])
        .args(["--format", "vegeta", "http://127.0.0.1:9/"])
        .output();
    Told::of(&told.unwrap()).exits(2).says("standard input");
    let told = tacho()
        .args(["warm", "--gate", "127.0.0.1:0", "--targets", "/dev/stdin"])
        .args(["--format", "vegeta", "http://127.0.0.1:9/"])
        .stdin(Stdio::piped())
        .output();
    Told::of(&told.unwrap()).exits(2).says("a pipe");
}

#[test]
fn the_gate_stays_closed_for_what_cannot_be_warmed() {
    let broken = TestServer::start(|_| vec![Act::status(503, "")]);
    let (mut child, address) = gated(broken.address(), &["--on-failure", "closed"]);
    said(&mut child, "must not come");
    assert_eq!(probe(&address), "503");
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn it_can_be_ended_while_it_warms() {
    let server = warms_up_after(100_000);
    let (mut child, address) = gated(server.address(), &["--at-least", "90000"]);
    assert_eq!(probe(&address), "503");
    signal(&child, Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
