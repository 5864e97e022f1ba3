//! Whatever a subject does in HTTP/2 is counted under its own name, and the phase goes on.
#![allow(clippy::unwrap_used)]

use crate::certificates;
use crate::http2_server as http2;
use crate::lanes;
use crate::support;

use certificates::{Authority, https};
use h2::Reason;
use http2::{Http2Server, Reply, Settings};
use lanes::{Lanes, post};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;
use support::{Rig, always, assert_adds_up, assert_was_found_again, dies_and_comes_back, errors};
use tacho_load::testkit::{Act, Nobody, TestServer};
use tacho_load::{Endpoint, Options, Protocol};
use tacho_run_folder::PhaseRecord;
use tacho_workload::Step;

fn h2c(address: std::net::SocketAddr) -> Endpoint {
    Endpoint::new(address).speaking(Protocol::Http2)
}

fn rig(endpoint: Endpoint) -> Rig {
    Rig::to(endpoint, &[Step::get("/")], Options::default())
}

/// For answers that never end.
fn impatient_rig(endpoint: Endpoint) -> Rig {
    let options = Options {
        request_timeout: Duration::from_millis(300),
        ..Options::default()
    };
    Rig::to(endpoint, &[Step::get("/")], options)
}

/// Six requests over two lanes; everything must fail under this name, and say this.
fn all_fail_as(kind: &str, says: &str, reply: Reply) {
    let server = Http2Server::start(move |_| reply.clone());
    let rig = match kind {
        "timeout" => impatient_rig,
        _ => rig,
    };
    let record = rig(h2c(server.address())).closed(6, 2, 0.0);
    assert_eq!(errors(&record), [(kind, 6)], "{record:?}");
    let example = &record.errors[&kind.into()].example;
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
    all_fail_as("timeout", "time limit", Reply::Forever(b"."));
}

#[test]
fn a_connection_that_is_dropped_fails_its_streams_as_closed_or_reset() {
    let server = Http2Server::start(|_| Reply::Drop);
    let record = rig(h2c(server.address())).closed(6, 2, 0.0);
    assert_eq!(lost(&record), 6, "{record:?}");
}

/// A dropped connection is closed, or reset when something that came was not read.
fn lost(record: &PhaseRecord) -> u64 {
    assert_adds_up(record);
    let known = |kind: &&str| ["closed", "reset"].contains(kind);
    assert!(
        errors(record).iter().all(|(kind, _)| known(kind)),
        "{record:?}"
    );
    errors(record).iter().map(|(_, count)| count).sum()
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
    for (requests, kind) in [(Step::get("/"), "GET"), (post("/", &[], b"x"), "POST")] {
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
    let mut rig = Rig::to(h2c(server.address()), &[Step::get("/")], options);
    let record = rig.closed(100, 16, 0.0);
    assert!((1..=4).contains(&lost(&record)), "{record:?}");
    assert_eq!(record.reconnects, 1, "{record:?}");
}

#[test]
fn a_subject_that_speaks_http_1_is_named_so() {
    let server = always([
        Act::raw("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"),
        Act::Close,
    ]);
    let record = rig(h2c(server.address())).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
    let example = &record.errors[&"protocol".into()].example;
    assert!(example.contains("HTTP/1.1 at this port"), "{example}");
}

#[test]
fn a_subject_that_hangs_up_at_the_greeting_is_named_so() {
    // A close with something of the greeting unread is a reset, and how much was read is chance.
    for hangs_up in [Act::Close, Act::Reset] {
        let server = always([hangs_up.clone()]);
        let record = rig(h2c(server.address())).closed(4, 2, 0.0);
        assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
        let example = &record.errors[&"protocol".into()].example;
        assert!(
            example.contains("HTTP/1.1 at this port"),
            "{hangs_up:?}: {example}"
        );
    }
}

#[test]
fn a_subject_that_does_not_choose_http_2_is_named_so() {
    let authority = Authority::new();
    let server = TestServer::start_tls(Arc::new(authority.server()), |_| vec![Act::ok("ok")]);
    let endpoint = https(server.address(), authority.trusted()).speaking(Protocol::Http2);
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("protocol", 4)], "{record:?}");
    assert!(
        record.errors[&"protocol".into()].example.contains("ALPN"),
        "{record:?}"
    );

    // Or knows that it has nothing in common with us, and says so.
    let mut config = authority.server();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let server = TestServer::start_tls(Arc::new(config), |_| vec![Act::ok("ok")]);
    let endpoint = https(server.address(), authority.trusted()).speaking(Protocol::Http2);
    let record = rig(endpoint).closed(4, 2, 0.0);
    assert_eq!(errors(&record), [("tls", 4)], "{record:?}");
    assert!(
        record.errors[&"tls".into()].example.contains("ALPN"),
        "{record:?}"
    );
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
    let nobody = Nobody::here();
    let record = rig(h2c(nobody.address())).closed(8, 4, 0.0);
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
    let record = Rig::to(endpoint, &[Step::get("/")], options).closed(2, 2, 0.0);
    assert_eq!(errors(&record), [("connect-timeout", 2)], "{record:?}");
}

#[test]
fn a_subject_that_dies_and_comes_back_is_found_again() {
    let nobody = Nobody::here();
    let serve = {
        let address = nobody.address();
        let answer = |_: &http2::Seen| Reply::Late(Duration::from_millis(1));
        move || Http2Server::at(address, Settings::default(), answer)
    };
    let mut rig = rig(h2c(nobody.address()));
    let comes_back = dies_and_comes_back(rig.control.clone(), serve(), serve);
    let record = rig.open(100.0, 60.0, 4);
    let _server = comes_back.join().unwrap();
    assert_was_found_again(&record, &rig.rows("requests.csv"));
}

/// A frame of HTTP/2 (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = (payload.len() as u32).to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const PUSH_PROMISE: u8 = 5;
const PING: u8 = 6;
const ACK: u8 = 1;

/// Greets as it should, and answers each request with these bytes.
fn answers_with(bytes: Vec<u8>) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let bytes = bytes.clone();
            std::thread::spawn(move || serve_raw(stream.unwrap(), &bytes));
        }
    });
    address
}

fn serve_raw(mut stream: std::net::TcpStream, answer: &[u8]) -> std::io::Result<()> {
    stream.read_exact(&mut [0; 24])?;
    stream.write_all(&frame(SETTINGS, 0, 0, &[]))?;
    loop {
        let mut head = [0; 9];
        stream.read_exact(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        stream.read_exact(&mut payload)?;
        match head[3] {
            PING => stream.write_all(&frame(PING, ACK, 0, &payload))?,
            HEADERS => stream.write_all(answer)?,
            _ => {}
        }
    }
}

#[test]
fn frames_that_break_the_rules_are_a_protocol_error() {
    // `:status: 200` and the head of a promised request, by their places in HPACK's static table.
    let ok = [0x88];
    let promised = [0, 0, 0, 2, 0x82, 0x86, 0x84];
    for (rule, bytes) in [
        ("data belong to a stream", frame(DATA, 0, 0, b"pong")),
        ("data follow a head", frame(DATA, 0, 1, b"pong")),
        ("fields are compressed", frame(HEADERS, 4, 1, &[0xff; 20])),
        ("no frame is that large", frame(DATA, 0, 1, &[0; 20_000])),
        ("nothing is pushed", frame(PUSH_PROMISE, 4, 1, &promised)),
        ("a stream is one that we opened", frame(HEADERS, 5, 99, &ok)),
        ("settings have a length", frame(SETTINGS, 0, 0, &[1, 2, 3])),
    ] {
        let record = rig(h2c(answers_with(bytes))).closed(4, 2, 0.0);
        assert_eq!(errors(&record), [("protocol", 4)], "{rule}: {record:?}");
    }
}

#[test]
fn a_head_without_end_is_not_gathered_without_end() {
    let head = frame(HEADERS, 0, 1, &[0x88]);
    // CONTINUATION frames, never the last one: a literal field each.
    let field = [&[0x00, 1, b'x', 0x7f, 0x81, 0x3e][..], &[b'y'; 8_000]].concat();
    let more = frame(9, 0, 1, &field).repeat(200);
    let record = rig(h2c(answers_with([head, more].concat()))).closed(2, 1, 0.0);
    assert_eq!(record.succeeded, 0);
    assert_eq!(errors(&record), [("protocol", 2)], "{record:?}");
}
