//! What comes back of an answer, and bodies that wait to be wanted; HTTP/1.1.
#![allow(clippy::unwrap_used)]

use crate::lanes;
use crate::support;

use lanes::{Lanes, post};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use support::always;
use tacho_load::Endpoint;
use tacho_load::testkit::{Act, TestServer};
use tacho_load::transport::{Keep, Outcome};
use tacho_workload::Step;

const ALL: Keep = Keep::HeadAndBody { limit: 1_000 };

fn lanes(server: &TestServer) -> Lanes {
    Lanes::to(&Endpoint::new(server.address()), 1)
}

#[test]
fn what_is_kept_is_said_with_each_request() {
    let bytes = "HTTP/1.1 201 Created\r\nX-One: a\r\nx-two:  b \r\nContent-Length: 4\r\n\r\npong";
    let server = always([Act::raw(bytes)]);
    let mut lanes = lanes(&server);
    let get = Step::get("/");
    let headers = [("X-One", "a"), ("x-two", "b"), ("Content-Length", "4")]
        .map(|(name, value)| (name.to_owned(), value.as_bytes().to_vec()));

    let ended = lanes.exchange(&get, Keep::Nothing);
    assert_eq!(
        (ended.outcome, ended.answer),
        (Outcome::Answered(201), None)
    );
    assert_eq!(ended.received, bytes.len() as u64);

    let head = lanes.exchange(&get, Keep::Head).answer.unwrap();
    assert_eq!((head.status, &head.headers[..]), (201, &headers[..]));
    assert_eq!((head.body.len(), head.truncated), (0, false));

    let all = lanes.exchange(&get, ALL).answer.unwrap();
    assert_eq!(
        (&all.headers[..], &all.body[..]),
        (&headers[..], &b"pong"[..])
    );
    assert!(!all.truncated);

    for (limit, body, truncated) in [(4, "pong", false), (3, "pon", true), (0, "", true)] {
        let some = lanes
            .exchange(&get, Keep::HeadAndBody { limit })
            .answer
            .unwrap();
        assert_eq!(
            (some.body, some.truncated),
            (body.as_bytes().to_vec(), truncated)
        );
    }
}

#[test]
fn a_body_is_kept_without_its_coding_however_it_comes() {
    for (answer, body) in [
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npong\r\n3;x=y\r\n!!!\r\n0\r\nT: x\r\n\r\n",
            "pong!!!",
        ),
        ("HTTP/1.1 200 OK\r\n\r\nuntil the end", "until the end"),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
        (
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            "x",
        ),
    ] {
        let pieces = answer.as_bytes().chunks(7);
        let mut acts: Vec<Act> = pieces.map(|piece| Act::Send(piece.to_vec())).collect();
        acts.push(Act::Close);
        let server = always(acts);
        let kept = lanes(&server)
            .exchange(&Step::get("/"), ALL)
            .answer
            .unwrap();
        assert_eq!(String::from_utf8(kept.body).unwrap(), body, "{answer}");
        assert!(
            !kept.headers.iter().any(|(name, _)| name == "Link"),
            "of the interim answer"
        );
    }
}

#[test]
fn the_answer_to_head_has_no_body_to_keep() {
    let server = always([Act::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")]);
    let head = Step {
        method: "HEAD".into(),
        ..Step::get("/")
    };
    let mut lanes = lanes(&server);
    for _ in 0..2 {
        assert_eq!(lanes.exchange(&head, ALL).answer.unwrap().body, b"");
    }
    assert_eq!(server.connections(), 1);
}

/// Accepts one connection and does with it what a test says.
fn one_connection<T: Send + 'static>(
    serve: impl FnOnce(TcpStream) -> T + Send + 'static,
) -> (SocketAddr, JoinHandle<T>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || serve(listener.accept().unwrap().0));
    (address, server)
}

/// Reads up to the empty line; what came after it, too.
fn read_head(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        bytes.push(byte[0]);
    }
    bytes
}

fn expecting() -> Step {
    post("/", &[("Expect", "100-continue")], b"the body")
}

const DONE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/// A body that nobody asks for is sent after a second. A try counts only when it ended before that.
fn before_a_body_comes_unasked<T>(attempt: impl Fn() -> T) -> T {
    for _ in 0..20 {
        let began = Instant::now();
        let seen = attempt();
        if began.elapsed() < Duration::from_millis(900) {
            return seen;
        }
    }
    panic!("no try was over before a body comes unasked");
}

#[test]
fn a_body_waits_until_it_is_wanted() {
    let (head, early, body) = before_a_body_comes_unasked(|| {
        let (address, server) = one_connection(wants_the_body);
        let mut lanes = Lanes::to(&Endpoint::new(address), 1);
        assert_eq!(lanes.answer(&expecting()).body, b"ok");
        server.join().unwrap()
    });
    assert!(head.starts_with(b"POST / HTTP/1.1\r\n"));
    assert_eq!(early, Err(std::io::ErrorKind::WouldBlock));
    assert_eq!(&body, b"the body");
}

/// The head, what came with it, and what came when it was asked for.
fn wants_the_body(mut stream: TcpStream) -> (Vec<u8>, Result<usize, std::io::ErrorKind>, [u8; 8]) {
    let head = read_head(&mut stream);
    // Nothing but the head has come, and nothing comes unasked.
    stream.set_nonblocking(true).unwrap();
    let mut body = [0; 8];
    let early = stream.read(&mut body).map_err(|e| e.kind());
    stream.set_nonblocking(false).unwrap();
    if early.is_err() {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").unwrap();
        stream.read_exact(&mut body).unwrap();
    }
    stream.write_all(DONE).unwrap();
    (head, early, body)
}

#[test]
fn a_body_that_is_not_wanted_is_not_sent() {
    let rest = before_a_body_comes_unasked(|| {
        let (address, server) = one_connection(|mut stream| {
            read_head(&mut stream);
            stream
                .write_all(b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
                .unwrap();
            let mut rest = Vec::new();
            stream.read_to_end(&mut rest).unwrap();
            rest
        });
        let mut lanes = Lanes::to(&Endpoint::new(address), 1);
        assert_eq!(lanes.answer(&expecting()).status, 417);
        drop(lanes);
        server.join().unwrap()
    });
    assert_eq!(rest, b"");
}

#[test]
fn a_subject_that_does_not_say_the_word_gets_the_body_all_the_same() {
    let (address, server) = one_connection(|mut stream| {
        read_head(&mut stream);
        let mut body = [0; 8];
        stream.read_exact(&mut body).unwrap();
        stream.write_all(DONE).unwrap();
        body
    });
    let mut lanes = Lanes::to(&Endpoint::new(address), 1);
    assert_eq!(lanes.answer(&expecting()).body, b"ok");
    assert_eq!(&server.join().unwrap(), b"the body");
}
