//! WebSocket: a message goes out, and its answer is the next message that comes.
#![allow(clippy::unwrap_used)]

use crate::lanes::Lanes;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::num::NonZeroU32;
use std::thread;
use tacho_load::transport::{Event, Keep, Outcome};
use tacho_load::{Endpoint, WebSocket};
use tacho_workload::{Body, Step};
use tungstenite::protocol::Message;

const ALL: Keep = Keep::HeadAndBody { limit: 1_000 };

type Peer = tungstenite::WebSocket<TcpStream>;

/// A server by the library of the field: each connection is handled by this.
fn server(handle: impl Fn(Peer) + Send + Sync + Clone + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let handle = handle.clone();
            thread::spawn(move || handle(tungstenite::accept(stream.unwrap()).unwrap()));
        }
    });
    address
}

fn endpoint(address: SocketAddr) -> Endpoint {
    Endpoint::new(address).talking(WebSocket {
        path: "/echo".to_owned(),
        headers: vec![("X-Who".to_owned(), "tacho".to_owned())],
        greeting: 0,
    })
}

fn say(text: &str) -> Step {
    Step {
        body: Body::Bytes(text.as_bytes().to_vec()),
        ..Step::get("/echo")
    }
}

fn text(text: &str) -> Message {
    Message::text(text.to_owned())
}

fn echo(mut peer: Peer) {
    while let Ok(message) = peer.read() {
        if message.is_text() || message.is_binary() {
            peer.send(message).unwrap();
        }
    }
}

fn body(lanes: &mut Lanes, step: &Step) -> String {
    let ended = lanes.exchange(step, ALL);
    assert_eq!(ended.outcome, Outcome::Answered(101), "{ended:?}");
    assert!(ended.sent > 0 && ended.first_byte >= ended.sent && ended.end >= ended.first_byte);
    String::from_utf8(ended.answer.unwrap().body).unwrap()
}

#[test]
fn messages_come_back_over_one_connection() {
    let address = server(echo);
    let mut lanes = Lanes::to(&endpoint(address), 2);
    for n in 0..20 {
        let said = format!("{n}: {}", "long ".repeat(n * 20));
        assert_eq!(body(&mut lanes, &say(&said)), said[..said.len().min(1_000)]);
    }
    assert_eq!(lanes.transport.established(), 1);
}

#[test]
fn a_message_of_a_megabyte_comes_back_whole() {
    let address = server(echo);
    let mut lanes = Lanes::to(&endpoint(address), 1);
    let said = "a".repeat(1 << 20);
    for _ in 0..3 {
        let ended = lanes.exchange(&say(&said), Keep::Nothing);
        assert_eq!(ended.outcome, Outcome::Answered(101));
        assert!(ended.received > 1 << 20, "{ended:?}");
    }
    assert_eq!(lanes.transport.established(), 1);
}

#[test]
fn an_answer_of_several_messages_is_over_with_its_last() {
    let address = server(|mut peer| {
        while peer.read().is_ok() {
            for part in ["a", "b", "c", "of nobody"] {
                peer.send(text(part)).unwrap();
            }
        }
    });
    let mut lanes = Lanes::to(&endpoint(address), 1);
    let three = Step {
        events: NonZeroU32::new(3),
        ..say("subscribe")
    };
    assert_eq!(body(&mut lanes, &three), "abc");
}

#[test]
fn the_first_byte_is_that_of_the_first_message() {
    let pause = std::time::Duration::from_millis(30);
    let address = server(move |mut peer| {
        while peer.read().is_ok() {
            peer.send(text("a")).unwrap();
            thread::sleep(pause);
            peer.send(text("b")).unwrap();
        }
    });
    let two = Step {
        events: NonZeroU32::new(2),
        ..say("subscribe")
    };
    let ended = Lanes::to(&endpoint(address), 1).exchange(&two, Keep::Nothing);
    assert!(ended.first_byte >= ended.sent, "{ended:?}");
    let apart = ended.end - ended.first_byte;
    // The clock of stamps and that of the sleep are two.
    assert!(apart >= pause.as_nanos() as u64 / 2, "{ended:?}");
}

#[test]
fn pings_are_answered_and_are_no_answer() {
    let address = server(|mut peer| {
        while let Ok(message) = peer.read() {
            if !message.is_text() {
                continue;
            }
            peer.send(Message::Ping(b"there?".as_slice().into()))
                .unwrap();
            // Nothing goes on before the pong has come.
            let pong = peer.read().unwrap();
            assert_eq!(pong, Message::Pong(b"there?".as_slice().into()));
            peer.send(text("heard")).unwrap();
        }
    });
    let mut lanes = Lanes::to(&endpoint(address), 1);
    for _ in 0..3 {
        assert_eq!(body(&mut lanes, &say("hello")), "heard");
    }
}

#[test]
fn a_greeting_that_comes_with_the_upgrade_is_no_answer() {
    let address = server(|mut peer| {
        peer.send(text("welcome")).unwrap();
        echo(peer);
    });
    let mut lanes = Lanes::to(&endpoint(address), 1);
    lanes.transport.open(0);
    assert_eq!(lanes.event(), Event::Opened(0));
    // It may still be on its way.
    while lanes.transport.trouble().is_none() {
        lanes.transport.wait(50_000_000).unwrap();
        assert_eq!(lanes.transport.next_event(), None);
    }
    assert_eq!(body(&mut lanes, &say("hello")), "hello");
    let trouble = lanes.transport.trouble().unwrap();
    assert!(trouble.starts_with("1 messages"), "{trouble}");
}

#[test]
fn a_greeting_that_is_known_is_waited_for() {
    let address = server(|mut peer| {
        for word in ["welcome", "to the show"] {
            thread::sleep(std::time::Duration::from_millis(20));
            peer.send(text(word)).unwrap();
        }
        echo(peer);
    });
    let mut greeted = endpoint(address);
    if let Some(websocket) = &mut greeted.websocket {
        websocket.greeting = 2;
    }
    let mut lanes = Lanes::to(&greeted, 4);
    for lane in 0..4 {
        lanes.transport.open(lane);
    }
    for _ in 0..4 {
        assert!(matches!(lanes.event(), Event::Opened(_)));
    }
    for _ in 0..4 {
        assert_eq!(body(&mut lanes, &say("hello")), "hello");
    }
    assert_eq!(lanes.transport.trouble(), None);
}

#[test]
fn a_close_in_place_of_an_answer_says_its_code() {
    let address = server(|mut peer| {
        peer.read().unwrap();
        peer.close(Some(tungstenite::protocol::CloseFrame {
            code: tungstenite::protocol::frame::coding::CloseCode::Again,
            reason: "".into(),
        }))
        .unwrap();
        while peer.read().is_ok() {}
    });
    let mut lanes = Lanes::to(&endpoint(address), 1);
    // And the next message opens another.
    for _ in 0..2 {
        let ended = lanes.exchange(&say("hello"), Keep::Nothing);
        let Outcome::Failed(fault) = ended.outcome else {
            panic!("{ended:?}");
        };
        assert_eq!(fault.kind().name(), "goaway");
        assert!(fault.to_string().contains("code 1013"), "{fault}");
    }
}

/// Answers the upgrade with these bytes.
fn answers(bytes: &'static [u8]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 1_000];
            let count = stream.read(&mut head).unwrap();
            let head = String::from_utf8_lossy(&head[..count]);
            assert!(head.contains("X-Who: tacho\r\n"), "{head}");
            stream.write_all(bytes).unwrap();
        }
    });
    address
}

#[test]
fn who_does_not_agree_is_named() {
    for (bytes, kind, says) in [
        (
            &b"HTTP/1.1 404 Not Found\r\n\r\n"[..],
            "protocol",
            "answered with 404",
        ),
        (
            b"HTTP/1.1 101 Fine\r\n\r\n",
            "protocol",
            "Sec-WebSocket-Accept",
        ),
        (b"SSH-2.0\r\n", "protocol", "no HTTP"),
        (b"", "closed", "after 0 bytes"),
    ] {
        let mut lanes = Lanes::to(&endpoint(answers(bytes)), 1);
        let ended = lanes.exchange(&say("hello"), Keep::Nothing);
        let Outcome::Failed(fault) = ended.outcome else {
            panic!("{ended:?}");
        };
        assert_eq!(fault.kind().name(), kind, "{fault}");
        assert!(fault.to_string().contains(says), "{fault}");
    }
}

#[test]
fn what_breaks_the_protocol_is_a_fault() {
    let address = server(|mut peer| {
        peer.read().unwrap();
        // A masked frame, which a client alone may send.
        peer.get_mut().write_all(&[0x81, 0x80, 0, 0, 0, 0]).unwrap();
        while peer.read().is_ok() {}
    });
    let mut lanes = Lanes::to(&endpoint(address), 1);
    let ended = lanes.exchange(&say("hello"), Keep::Nothing);
    assert!(
        matches!(ended.outcome, Outcome::Failed(fault) if fault.to_string().contains("masked")),
        "{ended:?}"
    );
}
