//! Whatever a subject does in HTTP/2 is counted under its own name, and the phase goes on.
#![allow(clippy::unwrap_used)]

#[path = "support/certificates.rs"]
mod certificates;
#[path = "support/http2.rs"]
mod http2;
#[path = "support/lanes.rs"]
mod lanes;
mod support;

use certificates::{Authority, https};
use h2::Reason;
use http2::{Http2Server, Reply, Settings};
use lanes::{Lanes, post};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use support::{Rig, always, assert_adds_up, errors};
use tacho_load::testkit::{Act, TestServer};
use tacho_load::{Endpoint, Options, Protocol, Request};

fn h2c(address: std::net::SocketAddr) -> Endpoint {
    Endpoint::new(address).speaking(Protocol::Http2)
}

fn rig(endpoint: Endpoint) -> Rig {
    let options = Options {
        request_timeout: Duration::from_millis(300),
        ..Options::default()
    };
    Rig::to(endpoint, &[Request::get("/")], options)
}

/// Six requests over two lanes; everything must fail under this name, and say this.
fn all_fail_as(kind: &str, says: &str, reply: Reply) {
    let server = Http2Server::start(move |_| reply.clone());
    let record = rig(h2c(server.address())).closed(6, 2, 0.0);
    assert_eq!(errors(&record), [(kind, 6)], "{record:?}");
    let example = &record.errors[kind].example;
    assert!(example.contains(says), "{example}");
}

#[test]
fn a_stream_that_is_reset_is_a_stream_reset() {
    let reply = Reply::Reset(Reason::INTERNAL_ERROR);
    all_fail_as("stream-reset", "INTERNAL_ERROR", reply);
}

#[test]
fn a_stream_that_is_reset_in_the_middle_is_a_stream_reset() {
    let reply = Reply::ResetInTheMiddle(Reason::CANCEL);
    all_fail_as("stream-reset", "CANCEL", reply);
}

#[test]
fn a_stream_that_is_refused_again_is_a_stream_reset() {
    let reply = Reply::Reset(Reason::REFUSED_STREAM);
    all_fail_as("stream-reset", "REFUSED_STREAM", reply);
}

#[test]
fn a_body_shorter_than_announced_is_a_protocol_error() {
    all_fail_as("protocol", "broken", Reply::Short);
}

#[test]
fn silence_is_a_timeout() {
    all_fail_as("timeout", "0 bytes", Reply::Silence);
}

#[test]
fn a_body_without_end_is_a_timeout() {
    all_fail_as("timeout", "time limit", Reply::Forever);
}

#[test]
fn a_connection_that_is_dropped_fails_its_streams_as_closed() {
    all_fail_as("closed", "closed the connection", Reply::Drop);
}

#[test]
fn a_server_error_is_status_5xx() {
    all_fail_as("status-5xx", "503", Reply::Answer(503, Vec::new()));
}

#[test]
fn a_goaway_with_an_error_is_a_goaway() {
    let reply = Reply::GoAway(Reason::ENHANCE_YOUR_CALM);
    all_fail_as("goaway", "ENHANCE_YOUR_CALM", reply);
}

/// As nginx does after a thousand requests.
#[test]
fn connections_that_end_in_order_cost_connections_and_no_request() {
    let server = Http2Server::start(|seen| match seen.number % 10 {
        9 => Reply::LastAnswer,
        _ => Reply::Answer(200, Vec::new()),
    });
    for (requests, kind) in [(Request::get("/"), "GET"), (post("/", &[], b"x"), "POST")] {
        let mut rig = Rig::to(h2c(server.address()), &[requests], Options::default());
        let record = rig.closed(200, 8, 0.0);
        assert_eq!(record.succeeded, 200, "{kind}: {record:?}");
        assert!(record.reconnects >= 1, "{kind}: {record:?}");
    }
}

#[test]
fn a_stream_that_is_refused_once_is_sent_again() {
    let server = Http2Server::start(|seen| match seen.number % 2 {
        0 => Reply::Reset(Reason::REFUSED_STREAM),
        _ => Reply::Answer(200, Vec::new()),
    });
    // Whatever the method: the subject has not begun with it (RFC 9113, 8.7).
    let mut lanes = Lanes::to(&h2c(server.address()), 1);
    for _ in 0..5 {
        assert_eq!(lanes.answer(&post("/", &[], b"x")).status, 200);
    }
    assert_eq!(server.requests(), 10);
}

#[test]
fn only_the_streams_of_the_connection_that_dies_fail() {
    let server = Http2Server::start(|seen| match seen.number {
        20 => Reply::Drop,
        _ => Reply::Answer(200, Vec::new()),
    });
    let options = Options {
        streams_per_connection: 4.try_into().unwrap(),
        ..Options::default()
    };
    let mut rig = Rig::to(h2c(server.address()), &[Request::get("/")], options);
    let record = rig.closed(100, 16, 0.0);
    assert_adds_up(&record);
    let closed = record.errors["closed"].count;
    assert!((1..=4).contains(&closed), "{record:?}");
    assert_eq!(
        (record.errors.len(), record.reconnects),
        (1, 1),
        "{record:?}"
    );
}

#[test]
fn a_subject_that_speaks_http_1_is_named_so() {
    let server = always([
        Act::raw("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
        Act::Close,
    ]);
    let record = rig(h2c(server.address())).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
    let example = &record.errors["protocol"].example;
    assert!(example.contains("HTTP/1.1 at this port"), "{example}");
}

#[test]
fn a_subject_that_hangs_up_at_the_greeting_is_named_so() {
    let server = always([Act::Close]);
    let record = rig(h2c(server.address())).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
}

#[test]
fn a_subject_that_does_not_choose_http_2_is_named_so() {
    let authority = Authority::new();
    let server = TestServer::start_tls(Arc::new(authority.server()), |_| vec![Act::ok("ok")]);
    let endpoint = https(server.address(), authority.trusted()).speaking(Protocol::Http2);
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
    assert!(
        record.errors["protocol"].example.contains("ALPN"),
        "{record:?}"
    );

    // Or knows that it has nothing in common with us, and says so.
    let mut config = authority.server();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let server = TestServer::start_tls(Arc::new(config), |_| vec![Act::ok("ok")]);
    let endpoint = https(server.address(), authority.trusted()).speaking(Protocol::Http2);
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("tls", 4)], "{record:?}");
    assert!(record.errors["tls"].example.contains("ALPN"), "{record:?}");
}

#[test]
fn tls_faults_have_the_same_name_as_with_http_1() {
    let (known, unknown) = (Authority::new(), Authority::new());
    let mut config = unknown.server();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let settings = Settings {
        tls: Some(Arc::new(config)),
        ..Settings::default()
    };
    let server = Http2Server::with(settings, |_| Reply::Answer(200, Vec::new()));
    let endpoint = https(server.address(), known.trusted()).speaking(Protocol::Http2);
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("tls", 4)], "{record:?}");
}

#[test]
fn nobody_listens_and_that_is_refused() {
    let nobody = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let record = rig(h2c(nobody)).closed(8, 4, 0.0);
    assert_eq!(errors(&record), [("refused", 8)], "{record:?}");
}

#[test]
fn a_subject_that_never_greets_is_a_connect_timeout() {
    // The kernel completes the handshake; nobody reads.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let options = Options {
        connect_timeout: Duration::from_millis(150),
        ..Options::default()
    };
    let endpoint = h2c(listener.local_addr().unwrap());
    let record = Rig::to(endpoint, &[Request::get("/")], options).closed(2, 2, 0.0);
    assert_eq!(errors(&record), [("connect-timeout", 2)], "{record:?}");
}

#[test]
fn a_subject_that_dies_and_comes_back_is_found_again() {
    let serve = |_: &http2::Seen| Reply::Late(Duration::from_millis(1));
    let server = Http2Server::start(serve);
    let address = server.address();
    let mut rig = Rig::to(h2c(address), &[Request::get("/")], Options::default());
    let comes_back = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        drop(server);
        std::thread::sleep(Duration::from_millis(300));
        let server = Http2Server::at(address, Settings::default(), serve);
        std::thread::sleep(Duration::from_millis(1_200));
        drop(server);
    });
    let record = rig.open(100.0, 1.5, 4);
    assert_adds_up(&record);
    assert!(record.errors.contains_key("refused"), "{record:?}");
    let rows = rig.rows("requests.csv");
    let refused = rows
        .iter()
        .position(|row| row.outcome == "refused")
        .unwrap();
    assert!(rows[..refused].iter().any(|row| row.outcome == "200"));
    assert!(rows[refused..].iter().any(|row| row.outcome == "200"));
    comes_back.join().unwrap();
}
