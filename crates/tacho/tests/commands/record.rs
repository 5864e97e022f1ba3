//! `tacho record`: what passes is carried, and written down without its secrets.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::TcpStream;
use support::{Told, listening, signal, tacho};

#[test]
fn requests_are_carried_and_their_secrets_are_not_written() {
    let (service, _said, service_at) = listening(&["witness"]);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (targets, times) = (path("t.jsonl"), path("t.csv"));
    let to = format!("http://{service_at}");
    let (record, _said, at) = listening(&[
        "record",
        &to,
        "--listen",
        "127.0.0.1:0",
        "-n",
        "2",
        "-o",
        &targets,
        "--times",
        &times,
    ]);
    let mut client = TcpStream::connect(at).unwrap();
    for page in 1..=2 {
        write!(
            client,
            "GET /a?page={page} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer s3cr3tT0k3n\r\n\r\n"
        )
        .unwrap();
        let mut answer = [0; 70];
        client.read_exact(&mut answer).unwrap();
        assert!(answer.ends_with(b"Tacho\n"), "{answer:?}");
    }
    let told = Told::of(&record.wait_with_output().unwrap()).exits(0);
    signal(&service, Signal::INT);
    service.wait_with_output().unwrap();
    assert!(told.out.contains("2 requests are in"), "{told:#?}");
    assert!(told.out.contains("-H 'Authorization: ...'"), "{told:#?}");
    let written = std::fs::read_to_string(&targets).unwrap();
    assert!(written.contains("\"/a?page=2\""), "{written}");
    assert!(!written.contains("s3cr3tT0k3n"), "{written}");
    assert_eq!(std::fs::read_to_string(&times).unwrap().lines().count(), 2);
}

#[test]
fn nothing_that_came_is_said_so() {
    let (service, _said, at) = listening(&["witness"]);
    let folder = tempfile::tempdir().unwrap();
    let targets = folder.path().join("t.jsonl").display().to_string();
    let to = format!("http://{at}");
    let (record, _said, _) = listening(&["record", &to, "--listen", "127.0.0.1:0", "-o", &targets]);
    signal(&record, Signal::INT);
    let told = Told::of(&record.wait_with_output().unwrap()).exits(3);
    assert!(told.out.contains("Nothing was recorded"), "{told:#?}");
    signal(&service, Signal::INT);
    service.wait_with_output().unwrap();
}

#[test]
fn a_mistake_is_said_with_its_remedy() {
    for (arguments, code, remedy) in [
        (&["ftp://localhost"][..], 2, "http://localhost:8080"),
        (&["https://localhost"], 2, "without TLS"),
        (&["http://127.0.0.1:1/shop"], 2, "host and port alone"),
        (&["http://127.0.0.1:1"], 4, "start the service first"),
        (
            &["http://127.0.0.1:1", "--listen", "0.0.0.0:0"],
            2,
            "127.0.0.1",
        ),
    ] {
        let output = tacho().arg("record").args(arguments).output().unwrap();
        let told = Told::of(&output).exits(code);
        assert!(told.err.contains(remedy), "{told:#?}");
    }
}
