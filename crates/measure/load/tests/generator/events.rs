//! Server-sent events: an answer is over with as many as were asked for.
#![allow(clippy::unwrap_used)]

use crate::http2_server::{Http2Server, Reply};
use crate::lanes::Lanes;
use crate::support::always;
use std::num::NonZeroU32;
use std::time::Duration;
use tacho_load::testkit::{Act, TestServer};
use tacho_load::transport::{Fault, Keep, Outcome};
use tacho_load::{Endpoint, Protocol};
use tacho_workload::Step;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
const ALL: Keep = Keep::HeadAndBody { limit: 1_000 };

fn lanes(server: &TestServer) -> Lanes {
    Lanes::to(&Endpoint::new(server.address()), 1)
}

fn awaiting(events: u32) -> Step {
    Step {
        events: NonZeroU32::new(events),
        ..Step::get("/prices")
    }
}

#[test]
fn a_stream_without_end_is_over_with_its_last_event() {
    let server = always([
        Act::raw(HEAD),
        Act::raw(": welcome\n\ndata: 1\n\n"),
        Act::SendForever(b"event: tick\ndata: 2\n\n".to_vec()),
    ]);
    let mut lanes = lanes(&server);
    // Each over a connection of its own: the one before still sends.
    for _ in 0..3 {
        let ended = lanes.exchange(&awaiting(5), ALL);
        assert_eq!(ended.outcome, Outcome::Answered(200));
        let body = String::from_utf8(ended.answer.unwrap().body).unwrap();
        assert!(
            body.starts_with(": welcome\n\ndata: 1\n\nevent: tick"),
            "{body}"
        );
        assert!(body.matches("data:").count() >= 5, "{body}");
    }
}

#[test]
fn the_time_until_the_last_event_is_the_time_of_the_request() {
    let pause = Duration::from_millis(30);
    let chunk = |text: &str| Act::raw(&format!("{:x}\r\n{text}\r\n", text.len()));
    let server = always([
        Act::raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        chunk("data: 1\n"),
        chunk("\n"),
        Act::Wait(pause),
        chunk("data: 2\n\n"),
        Act::Wait(pause),
        chunk("data: 3\n\n"),
        Act::Wait(Duration::from_secs(3_600)),
    ]);
    let mut lanes = lanes(&server);
    let ended = lanes.exchange(&awaiting(3), Keep::Nothing);
    assert_eq!(ended.outcome, Outcome::Answered(200));
    let pauses = 2 * pause.as_nanos() as u64;
    assert!(ended.end - ended.sent >= pauses, "{ended:?}");
    // The head may have been read late, and the last event is waited for all the same.
    assert!(ended.first_byte < ended.end, "{ended:?}");
}

#[test]
fn fewer_events_than_were_asked_for_are_a_failure() {
    for body in ["data: 1\n\ndata: 2\n", "{\"error\": \"no stream\"}", ""] {
        let whole = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        for acts in [
            vec![Act::raw(&whole)],
            vec![Act::raw(HEAD), Act::raw(body), Act::Close],
        ] {
            let server = always(acts);
            let ended = lanes(&server).exchange(&awaiting(2), Keep::Nothing);
            assert_eq!(ended.outcome, Outcome::Failed(Fault::FewEvents), "{body}");
            assert_eq!(Fault::FewEvents.kind().name(), "check");
        }
    }
}

#[test]
fn a_refusal_is_read_to_its_end_and_keeps_its_status() {
    let server = always([Act::status(503, "data: busy\n\n")]);
    let mut lanes = lanes(&server);
    for _ in 0..2 {
        let ended = lanes.exchange(&awaiting(1), Keep::Nothing);
        assert_eq!(ended.outcome, Outcome::Answered(503));
    }
}

fn lanes_http2(server: &Http2Server) -> Lanes {
    Lanes::to(
        &Endpoint::new(server.address()).speaking(Protocol::Http2),
        1,
    )
}

/// The stream is reset, and the connection goes on, however often that is.
#[test]
fn over_http2_a_stream_without_end_is_over_with_its_last_event() {
    let server = Http2Server::start(|_| Reply::Forever(b"data: 1\n\n"));
    let mut lanes = lanes_http2(&server);
    for number in 0..300 {
        let ended = lanes.exchange(&awaiting(3), ALL);
        assert_eq!(ended.outcome, Outcome::Answered(200), "{number}");
        let body = String::from_utf8(ended.answer.unwrap().body).unwrap();
        assert!(body.matches("data: 1").count() >= 3, "{body}");
    }
    assert_eq!((server.requests(), server.connections()), (300, 1));
}

#[test]
fn over_http2_fewer_events_are_a_failure_and_a_refusal_keeps_its_status() {
    let few = Http2Server::start(|_| Reply::Answer(200, b"data: 1\n\ndata: 2\n".to_vec()));
    let ended = lanes_http2(&few).exchange(&awaiting(2), Keep::Nothing);
    assert_eq!(ended.outcome, Outcome::Failed(Fault::FewEvents));
    let empty = Http2Server::start(|_| Reply::Answer(200, Vec::new()));
    let ended = lanes_http2(&empty).exchange(&awaiting(1), Keep::Nothing);
    assert_eq!(ended.outcome, Outcome::Failed(Fault::FewEvents));
    let busy = Http2Server::start(|_| Reply::Answer(503, b"data: busy\n\n".to_vec()));
    let ended = lanes_http2(&busy).exchange(&awaiting(1), Keep::Nothing);
    assert_eq!(ended.outcome, Outcome::Answered(503));
}
