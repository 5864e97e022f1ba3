//! Servers that answer with more than anybody can hold.

use crate::support::{Lab, Told, is_launching, port, signal};
use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A frame of HTTP/2 (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Greets as HTTP/2 has it; each request is answered by a head of 8 KB that unpacks to 15 MB.
fn answer_with_bombs(mut peer: TcpStream) -> std::io::Result<()> {
    let mut preface = [0; 24];
    peer.read_exact(&mut preface)?;
    peer.write_all(&frame(4, 0, 0, &[]))?;
    loop {
        let mut head = [0; 9];
        peer.read_exact(&mut head)?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        let mut payload = vec![0; length as usize];
        peer.read_exact(&mut payload)?;
        match (head[3], head[4] & 1) {
            // SETTINGS and PING are acknowledged.
            (4, 0) => peer.write_all(&frame(4, 1, 0, &[]))?,
            (6, 0) => peer.write_all(&frame(6, 1, 0, &payload))?,
            (1, _) => {
                // `:status: 200`, a field of 3.9 KB that goes into the table of HPACK, and that
                // field 4,000 times by its index.
                let mut fields = vec![0x88, 0x40, 6];
                fields.extend(b"x-bomb");
                fields.extend([0x7f, 0xbd, 0x1d]);
                fields.extend([b'b'; 3900]);
                peer.write_all(&frame(1, 0, stream, &fields))?;
                peer.write_all(&frame(9, 4, stream, &[0xbe; 4000]))?;
            }
            _ => {}
        }
    }
}

#[test]
fn heads_that_unpack_to_megabytes_are_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for peer in listener.incoming().flatten() {
            thread::spawn(move || answer_with_bombs(peer));
        }
    });
    let script = "ulimit -d 524288; exec timeout -s KILL 60 \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(assert_cmd::cargo::cargo_bin("tacho"))
        .args([
            "load",
            "-q",
            "--http2",
            "--cookies",
            "--follow",
            "-n",
            "200",
        ])
        .args(["--timeout", "5s", "--json", "-", &url])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = Told::of(&output).exits(3);
    assert!(told.json()["outcomes"]["2xx"].is_null(), "{told:#?}");
}

/// The exit code; `None` when it had to be killed, after 60 s.
fn ended(mut child: Child) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        thread::sleep(Duration::from_millis(20));
    }
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    None
}

/// A run of a subject that answers each request with interim answers without end.
fn flooded(ready_within: &str) -> (Lab, Child) {
    let port = port();
    let more = format!("subject: {{port: {port}, ready: {{http: /, timeout: {ready_within}}}}}\n");
    let lab = Lab::scripted(&[("a", &format!("--port {port} --answer interim"))], &more);
    let child = lab.command(&["--launches", "1"]).spawn().unwrap();
    (lab, child)
}

#[test]
fn a_probe_that_is_answered_without_end_is_given_up_in_time() {
    let (_lab, child) = flooded("1s");
    assert_eq!(ended(child), Some(3));
}

#[test]
fn a_probe_that_is_answered_without_end_can_be_interrupted() {
    let (lab, mut child) = flooded("10m");
    // Signals are heard before anything is launched. After that it may come before the first probe
    // or in the midst of one: either way it has to end.
    while !is_launching(lab.path()) {
        assert_eq!(child.try_wait().unwrap(), None);
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_secs(1));
    signal(&child, Signal::TERM);
    assert_eq!(ended(child), Some(130));
}
