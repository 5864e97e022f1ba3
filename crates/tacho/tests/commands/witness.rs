//! `tacho witness`: what it says of requests that are known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use support::{Told, signal, tacho};

/// Bytes of one of its answers: all are the same.
const ANSWER: usize = 70;

/// It listens; its address.
fn start(arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>, String) {
    let mut child = tacho()
        .arg("witness")
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    let address = loop {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it says no address");
        if let Some((_, rest)) = line.split_once("http://") {
            break rest.split('/').next().unwrap().to_owned();
        }
    };
    (child, said, address)
}

#[test]
fn it_counts_what_came_and_says_so_when_it_is_ended() {
    let (child, _said, address) = start(&["--json", "-"]);
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
    let (child, _said, _) = start(&[]);
    signal(&child, Signal::INT);
    let told = Told::of(&child.wait_with_output().unwrap()).exits(3);
    assert!(told.out.contains("Too few requests arrived"), "{told:#?}");
}
