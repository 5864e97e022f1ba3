//! Connections that cannot be made, that end, or that come back: what it costs, and whom.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;
use support::{
    Rig, always, assert_adds_up, assert_was_found_again, dies_and_comes_back, errors, wait_until,
};
use tacho_load::Options;
use tacho_load::testkit::{Act, Nobody, TestServer};
use tacho_workload::{Body, Step};

#[test]
fn nothing_listens_and_an_open_phase_keeps_its_pace() {
    let nobody = Nobody::here();
    let mut rig = Rig::new(nobody.address());
    let record = rig.open(200.0, 1.0, 4);
    assert_eq!(errors(&record), [("refused", 200)]);
    // The last request is intended at 0.995 s.
    assert!(record.duration_s > 0.99, "{record:?}");
    assert_eq!(record.dispatch_delay_ms, None, "nothing was sent");
    assert_adds_up(&record);
}

#[test]
fn nothing_listens_and_a_closed_phase_does_not_spin() {
    let nobody = Nobody::here();
    let mut rig = Rig::new(nobody.address());
    let record = rig.closed(20, 2, 0.0);
    assert_eq!(errors(&record), [("refused", 20)]);
    // Ten failures a connection: rests of 1 + 2 + 4 + ... + 64 + 100 + 100 ms between them.
    assert!(record.duration_s > 0.3, "{record:?}");
    assert!(record.generator_cpu_s < 0.1, "{record:?}");
}

#[test]
fn a_listener_that_does_not_accept_more_is_a_connect_timeout() {
    // With a backlog of zero the kernel completes one handshake and drops the SYNs after it.
    let socket = rustix::net::socket(
        rustix::net::AddressFamily::INET,
        rustix::net::SocketType::STREAM,
        None,
    )
    .unwrap();
    let any: std::net::SocketAddr = "127.0.0.1:0".parse().unwrap();
    rustix::net::bind(&socket, &any).unwrap();
    rustix::net::listen(&socket, 0).unwrap();
    let address = TcpListener::from(socket.try_clone().unwrap())
        .local_addr()
        .unwrap();
    let _fills_the_backlog = std::net::TcpStream::connect(address).unwrap();
    let options = Options {
        connect_timeout: Duration::from_millis(150),
        request_timeout: Duration::from_millis(300),
        ..Options::default()
    };
    let mut rig = Rig::with(address, &[Step::get("/")], options);
    let record = rig.closed(2, 2, 0.0);
    assert_eq!(errors(&record), [("connect-timeout", 2)], "{record:?}");
}

#[test]
fn a_close_after_each_answer_costs_connections_and_no_request() {
    for announced in ["Connection: close\r\n", ""] {
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n{announced}\r\nok");
        let server = always([Act::raw(&answer), Act::Close]);
        let mut rig = Rig::new(server.address());
        let record = rig.closed(40, 4, 0.0);
        assert_eq!(record.succeeded, 40, "{announced:?} {record:?}");
        // The four connections that were opened before the clock are not counted.
        assert!(
            (30..=40).contains(&record.reconnects),
            "{announced:?} {record:?}"
        );
    }
}

#[test]
fn an_answer_that_comes_slowly_but_in_time_is_an_answer() {
    let drop = |piece: &[u8]| {
        [
            Act::Send(piece.to_vec()),
            Act::Wait(Duration::from_millis(1)),
        ]
    };
    let answer = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npong\r\n0\r\n\r\n";
    let acts: Vec<Act> = answer.chunks(1).flat_map(drop).collect();
    let server = always(acts);
    let record = Rig::new(server.address()).closed(6, 2, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (6, 0), "{record:?}");
}

#[test]
fn a_half_close_after_each_answer_costs_connections_and_no_request() {
    let server = always([Act::ok("ok"), Act::CloseForSending]);
    let record = Rig::new(server.address()).closed(20, 2, 0.0);
    assert_eq!(record.succeeded, 20, "{record:?}");
    assert!(record.reconnects >= 15, "{record:?}");
}

#[test]
fn a_reset_of_an_idle_connection_costs_a_connection_and_no_request() {
    let server = always([Act::ok("ok"), Act::Reset]);
    let record = Rig::new(server.address()).closed(20, 2, 0.0);
    assert_eq!(record.succeeded, 20, "{record:?}");
    assert!(record.reconnects >= 15, "{record:?}");
}

/// 413, say, and a close with half of the request unread, which the kernel turns into a reset.
#[test]
fn an_answer_that_comes_before_the_request_is_whole_counts() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 1_000]);
            let _ = stream.write_all(
                b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            );
        }
    });
    let post = Step {
        method: "POST".into(),
        body: Body::Bytes(vec![b'.'; 4_000_000]),
        ..Step::get("/")
    };
    let mut rig = Rig::with(address, &[post], Options::default());
    let record = rig.closed(10, 2, 0.0);
    assert_eq!(errors(&record), [("status-4xx", 10)], "{record:?}");
}

#[test]
fn bytes_that_nobody_asked_for_cost_a_connection_and_no_request() {
    let server = always([
        Act::ok("ok"),
        Act::Wait(Duration::from_millis(30)),
        Act::raw("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"),
        Act::Close,
    ]);
    let mut rig = Rig::new(server.address());
    assert_eq!(rig.closed(2, 2, 0.0).succeeded, 2);
    // The connections are idle when it comes; they are opened anew before the clock.
    wait_until(|| server.ended() == 2);
    let record = rig.closed(2, 2, 0.0);
    assert_eq!(record.succeeded, 2, "{record:?}");
    assert_eq!(server.connections(), 4);
}

#[test]
fn a_request_that_must_not_be_sent_twice_is_not_sent_twice() {
    // The first answer does not say that the connection will be closed.
    let server = TestServer::start(|seen| match seen.on_connection {
        0 => vec![Act::ok("ok")],
        _ => vec![Act::Close],
    });
    let post = Step {
        method: "POST".into(),
        ..Step::get("/")
    };
    let mut rig = Rig::with(server.address(), &[post], Options::default());
    let record = rig.closed(10, 1, 0.0);
    assert_eq!(errors(&record), [("closed", 5)], "{record:?}");
    assert_eq!(server.requests(), 10);

    let mut rig = Rig::new(server.address());
    let record = rig.closed(10, 1, 0.0);
    assert_eq!(record.succeeded, 10, "a GET may be sent twice: {record:?}");
}

#[test]
fn one_bad_answer_in_ten_leaves_the_others_alone() {
    let server = TestServer::start(|seen| match seen.number % 10 {
        3 => vec![Act::raw("garbage")],
        _ => vec![Act::ok("ok")],
    });
    let mut rig = Rig::new(server.address());
    let record = rig.closed(100, 4, 0.0);
    assert_eq!(errors(&record), [("malformed", 10)]);
    assert_eq!(record.succeeded, 90);
    // A connection is opened again only when it is needed, and the last ones may not be.
    assert!((7..=10).contains(&record.reconnects), "{record:?}");
    assert!(
        record.errors[&"malformed".into()]
            .example
            .contains("garbage")
    );
}

#[test]
fn a_subject_that_dies_and_comes_back_is_found_again() {
    // Not too quick for the rows of single requests to reach to the end of the phase.
    let acts = [Act::Wait(Duration::from_millis(10)), Act::ok("ok")];
    for open in [true, false] {
        let nobody = Nobody::here();
        let serve = {
            let (address, acts) = (nobody.address(), acts.to_vec());
            move || TestServer::start_at(address, move |_| acts.clone())
        };
        let mut rig = Rig::new(nobody.address());
        let comes_back = dies_and_comes_back(rig.control.clone(), serve.clone()(), serve);
        let record = if open {
            rig.open(100.0, 60.0, 4)
        } else {
            rig.closed(u64::MAX, 2, 0.0)
        };
        let _server = comes_back.join().unwrap();
        assert_was_found_again(&record, &rig.rows("requests.csv"));
    }
}
