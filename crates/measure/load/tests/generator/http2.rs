//! HTTP/2: streams as lanes, over TLS and without.
#![allow(clippy::unwrap_used)]

use crate::certificates;
use crate::http2_server as http2;
use crate::lanes;
use crate::support;

use certificates::{Authority, https};
use http2::{Http2Server, Reply, Seen, Settings};
use lanes::{Lanes, post};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{Rig, assert_adds_up};
use tacho_load::transport::{Event, Keep, Outcome};
use tacho_load::{Endpoint, Options, Protocol};
use tacho_workload::Step;

fn ok(_: &Seen) -> Reply {
    Reply::Answer(200, b"ok".to_vec())
}

fn h2c(server: &Http2Server) -> Endpoint {
    Endpoint::new(server.address()).speaking(Protocol::Http2)
}

fn sharing(streams: u32) -> Options {
    Options {
        streams_per_connection: NonZeroU32::new(streams).unwrap(),
        ..Options::default()
    }
}

#[test]
fn many_lanes_share_a_connection() {
    let server = Http2Server::start(ok);
    let mut rig = Rig::to(h2c(&server), &[Step::get("/")], Options::default());
    let record = rig.closed(1_000, 50, 0.0);
    assert_eq!(
        (record.succeeded, record.reconnects),
        (1_000, 0),
        "{record:?}"
    );
    assert_eq!((server.connections(), server.requests()), (1, 1_000));
    for row in rig.rows("requests.csv") {
        assert!(row.intended_ns <= row.dispatched_ns, "{row:?}");
        assert!(row.dispatched_ns <= row.sent_ns, "{row:?}");
        assert!(row.sent_ns < row.first_byte_ns, "{row:?}");
        assert!(row.first_byte_ns <= row.end_ns, "{row:?}");
        assert_eq!(row.outcome, "200".into());
    }
}

#[test]
fn as_many_streams_share_a_connection_as_was_said() {
    let server = Http2Server::start(|_| Reply::Late(Duration::from_millis(20)));
    let mut rig = Rig::to(h2c(&server), &[Step::get("/")], sharing(10));
    let record = rig.closed(120, 40, 0.0);
    assert_eq!(
        (record.succeeded, record.reconnects),
        (120, 0),
        "{record:?}"
    );
    assert_eq!(server.connections(), 4);
    assert!(server.most_at_a_time() <= 10);
}

#[test]
fn a_subject_that_allows_fewer_streams_gets_more_connections() {
    let settings = Settings {
        max_streams: Some(4),
        ..Settings::default()
    };
    let server = Http2Server::with(settings, |_| Reply::Late(Duration::from_millis(20)));
    let mut rig = Rig::to(h2c(&server), &[Step::get("/")], Options::default());
    let record = rig.closed(64, 16, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (64, 0), "{record:?}");
    assert_eq!((server.connections(), server.most_at_a_time()), (4, 4));
}

#[test]
fn connections_stay_open_from_one_phase_to_the_next() {
    let server = Http2Server::start(ok);
    let mut rig = Rig::to(h2c(&server), &[Step::get("/")], sharing(4));
    for (lanes, connections) in [(8, 2), (16, 4), (3, 4)] {
        let record = rig.closed(40, lanes, 0.0);
        assert_eq!((record.succeeded, record.reconnects), (40, 0), "{record:?}");
        assert_eq!(server.connections(), connections);
    }
    // Those that were not needed by three lanes were closed.
    let record = rig.closed(40, 16, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (40, 0), "{record:?}");
    assert_eq!(server.connections(), 7);
}

#[test]
fn an_open_loop_keeps_its_schedule_over_streams() {
    let server = Http2Server::start(ok);
    let mut rig = Rig::to(h2c(&server), &[Step::get("/")], Options::default());
    let record = rig.open(500.0, 1.0, 20);
    assert_adds_up(&record);
    assert_eq!(
        (record.requests, record.succeeded),
        (500, 500),
        "{record:?}"
    );
    let rows = rig.rows("requests.csv");
    let mut intended: Vec<u64> = rows.iter().map(|row| row.intended_ns).collect();
    intended.sort_unstable();
    assert!(
        intended
            .windows(2)
            .all(|pair| pair[1] - pair[0] == 2_000_000)
    );
}

#[test]
fn over_tls_it_is_chosen_by_alpn() {
    let authority = Authority::new();
    let mut config = authority.server();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let settings = Settings {
        tls: Some(Arc::new(config)),
        ..Settings::default()
    };
    let server = Http2Server::with(settings, ok);
    let endpoint = https(server.address(), authority.trusted()).speaking(Protocol::Http2);
    let mut rig = Rig::to(endpoint, &[Step::get("/")], sharing(8));
    let record = rig.closed(300, 16, 0.0);
    assert_eq!(
        (record.succeeded, record.reconnects),
        (300, 0),
        "{record:?}"
    );
    assert_eq!(server.connections(), 2);
}

#[test]
fn a_request_arrives_as_it_was_given() {
    let seen = Arc::new(Mutex::new(None));
    let server = Http2Server::start({
        let seen = Arc::clone(&seen);
        move |request| {
            *seen.lock().unwrap() = Some(request.clone());
            Reply::Echo
        }
    });
    let endpoint = h2c(&server).with_authority("example.test:81");
    let request = post(
        "/a?b=c",
        &[("X-Trace", "abc"), ("Accept", "x"), ("accept", "y")],
        b"{}",
    );
    let answer = Lanes::to(&endpoint, 1).answer(&request);
    assert_eq!((answer.status, &answer.body[..]), (200, &b"{}"[..]));
    let seen = seen.lock().unwrap().take().unwrap();
    assert_eq!(seen.method, "POST");
    assert_eq!(seen.uri, "http://example.test:81/a?b=c");
    let has = |name: &str, value: &str| seen.headers.contains(&(name.to_owned(), value.to_owned()));
    assert!(
        has("x-trace", "abc") && has("accept", "x") && has("accept", "y"),
        "{seen:?}"
    );
    assert!(has("content-length", "2"), "{seen:?}");
    assert!(
        has("user-agent", concat!("tacho/", env!("CARGO_PKG_VERSION"))),
        "{seen:?}"
    );
}

#[test]
fn what_is_kept_is_said_with_each_request() {
    let server = Http2Server::start(|_| Reply::Answer(201, b"pong".to_vec()));
    let mut lanes = Lanes::to(&h2c(&server), 1);
    let get = Step::get("/");
    let ended = lanes.exchange(&get, Keep::Nothing);
    assert_eq!(
        (ended.outcome, ended.answer),
        (Outcome::Answered(201), None)
    );
    assert_eq!(ended.received, 4);
    let some = lanes
        .exchange(&get, Keep::HeadAndBody { limit: 3 })
        .answer
        .unwrap();
    assert_eq!(
        (some.status, &some.body[..], some.truncated),
        (201, &b"pon"[..], true)
    );
    let head = lanes.exchange(&get, Keep::Head).answer.unwrap();
    assert_eq!(
        (head.status, head.body.len(), head.truncated),
        (201, 0, false)
    );
}

#[test]
fn bodies_larger_than_all_windows_pass_in_both_directions() {
    let server = Http2Server::start(|_| Reply::Echo);
    let body: Vec<u8> = (0..20_000_000u32).map(|i| (i % 251) as u8).collect();
    let mut lanes = Lanes::to(&h2c(&server), 1);
    let answer = lanes.answer(&post("/", &[], &body));
    assert!(answer.body == body);
}

#[test]
fn a_slow_stream_does_not_hold_up_the_others() {
    let server = Http2Server::start(|seen| match seen.uri.ends_with("/slow") {
        true => Reply::Silence,
        false => Reply::Answer(200, Vec::new()),
    });
    let mut lanes = Lanes::to(&h2c(&server), 2);
    lanes.send(0, &Step::get("/slow"), Keep::Nothing);
    for _ in 0..100 {
        lanes.send(1, &Step::get("/fast"), Keep::Nothing);
        let (lane, ended) = lanes.ended();
        assert_eq!((lane, ended.outcome), (1, Outcome::Answered(200)));
    }
    assert!(lanes.transport.is_busy(0));
    assert_eq!(lanes.transport.established(), 1);
}

#[test]
fn a_body_waits_until_it_is_wanted() {
    let expecting = post("/", &[("Expect", "100-continue")], b"the body");
    for reply in [Reply::ContinueThenEcho, Reply::Echo] {
        // The second says nothing: the body is sent all the same, after a while.
        let server = Http2Server::start(move |_| reply.clone());
        let answer = Lanes::to(&h2c(&server), 1).answer(&expecting);
        assert_eq!(answer.body, b"the body");
    }
    let server = Http2Server::start(|_| Reply::Answer(417, Vec::new()));
    let mut lanes = Lanes::to(&h2c(&server), 1);
    for _ in 0..3 {
        assert_eq!(lanes.answer(&expecting).status, 417);
    }
    assert_eq!(lanes.transport.established(), 1);
}

#[test]
fn lanes_are_opened_before_they_are_used_and_abandoned_without_harm() {
    let server = Http2Server::start(|seen| match seen.number {
        0 => Reply::Silence,
        _ => Reply::Answer(200, Vec::new()),
    });
    let mut lanes = Lanes::sharing(&h2c(&server), 6, 2);
    assert!(!lanes.transport.is_open(0));
    lanes.open_all();
    assert!((0..6).all(|lane| lanes.transport.is_open(lane)));
    assert_eq!(lanes.transport.established(), 3);
    lanes.send(0, &Step::get("/"), Keep::Nothing);
    while server.requests() == 0 {
        lanes.transport.wait(1_000_000).unwrap();
        assert_eq!(lanes.transport.next_event(), None);
    }
    lanes
        .transport
        .abandon(0, tacho_load::transport::Fault::Interrupted);
    let Event::Ended(0, ended) = lanes.event() else {
        panic!()
    };
    assert_eq!(ended.outcome.to_string(), "interrupted");
    assert_eq!(lanes.answer(&Step::get("/")).status, 200);
    assert_eq!(
        lanes.transport.established(),
        3,
        "only the stream was broken off"
    );
}

/// A call that failed comes with a status of 200, like one that succeeded.
#[test]
fn a_call_of_grpc_fails_by_its_trailers() {
    let message = b"\0\0\0\0\x02\x08\x01";
    let unavailable = vec![("grpc-status", "14"), ("grpc-message", "no backend")];
    let replies = [
        (Reply::Grpc(message, vec![("grpc-status", "0")]), None),
        (Reply::Grpc(message, unavailable), Some("grpc-unavailable")),
        (
            Reply::Grpc(b"", vec![("grpc-status", "12")]),
            Some("grpc-unimplemented"),
        ),
        (Reply::Grpc(message, vec![]), Some("grpc-unknown")),
    ];
    for (reply, kind) in replies {
        let server = Http2Server::start(move |_| reply.clone());
        let mut rig = Rig::to(h2c(&server), &[Step::get("/")], Options::default());
        let record = rig.closed(10, 2, 0.0);
        assert_eq!(
            record.requests - record.succeeded,
            if kind.is_some() { 10 } else { 0 },
            "{record:?}"
        );
        // Whatever an answer says, it is one.
        assert!(record.throughput > 0.0, "{record:?}");
        let errors: Vec<&str> = record.errors.keys().map(|kind| kind.name()).collect();
        assert_eq!(errors, Vec::from_iter(kind));
        for row in rig.rows("requests.csv") {
            assert_eq!(row.outcome, kind.unwrap_or("200").into());
        }
    }
}

#[test]
fn trailers_are_kept_with_the_answer() {
    let trailers = vec![("grpc-status", "5"), ("x-shop", "7")];
    let server = Http2Server::start(move |_| Reply::Grpc(b"\0", trailers.clone()));
    let mut lanes = Lanes::to(&h2c(&server), 1);
    let answer = lanes.answer(&Step::get("/"));
    let trailers = [("grpc-status", "5"), ("x-shop", "7")];
    assert_eq!(
        answer.trailers,
        trailers.map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()))
    );
}
