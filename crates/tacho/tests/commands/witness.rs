//! `tacho witness`: what it says of requests that are known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::TcpStream;
use support::{Told, listening, signal};

/// Bytes of one of its answers: all are the same.
const ANSWER: usize = 70;

#[test]
fn it_counts_what_came_and_says_so_when_it_is_ended() {
    let (child, _said, address) = listening(&["witness", "--json", "-"]);
    let mut client = TcpStream::connect(address).unwrap();
    for _ in 0..300 {
        client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let mut answer = [0; ANSWER];
        client.read_exact(&mut answer).unwrap();
        assert!(answer.ends_with(b"Tacho\n"), "{answer:?}");
    }
    signal(&child, Signal::INT);
    let json = Told::of(&child.wait_with_output().unwrap()).exits(0).json();
    assert_eq!(json["requests"], 300, "{json:#}");
    let behind = json["punctuality"]["behind_us"]["p50"].as_f64();
    assert!(behind.is_some_and(|us| us >= 0.0), "{json:#}");
    let own = |which: &str| json["own_time"][which]["p50"].as_f64().unwrap();
    assert!(own("at_least_us") <= own("at_most_us"), "{json:#}");
}

#[test]
fn of_too_few_requests_it_says_nothing() {
    let (child, _said, _) = listening(&["witness"]);
    signal(&child, Signal::INT);
    let told = Told::of(&child.wait_with_output().unwrap()).exits(3);
    assert!(told.out.contains("Too few requests arrived"), "{told:#?}");
}
