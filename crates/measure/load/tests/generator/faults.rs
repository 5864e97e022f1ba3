//! Whatever the subject does is counted under its own name, and the phase goes on.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;
use support::{Rig, always, errors};
use tacho_load::testkit::Act;

/// Short only where it has to run out.
fn patience_for(kind: &str) -> Duration {
    match kind {
        "timeout" => Duration::from_millis(300),
        _ => Duration::from_secs(30),
    }
}

/// Six requests over two connections; everything must fail under this name.
fn all_fail_as(kind: &str, acts: Vec<Act>) {
    let server = always(acts);
    let mut rig = Rig::patient_for(server.address(), patience_for(kind));
    let record = rig.closed(6, 2, 0.0);
    assert_eq!(errors(&record), [(kind, 6)], "{record:?}");
    assert_eq!(record.succeeded, 0);
    assert_eq!(record.response_time_ms, None);
    assert!(
        record.errors[&kind.into()].example.starts_with("GET /: "),
        "{record:?}"
    );
    let rows = rig.rows("requests.csv");
    assert_eq!(rows.len(), 6);
    let outcome = if kind.starts_with("status-") {
        "503"
    } else {
        kind
    };
    assert!(
        rows.iter()
            .all(|row| row.outcome == outcome.into() || row.outcome == "404".into()),
        "{rows:?}"
    );
}

#[test]
fn garbage_is_malformed() {
    all_fail_as("malformed", vec![Act::raw("SSH-2.0-OpenSSH_9.2\r\n")]);
}

#[test]
fn a_status_that_is_none_is_malformed() {
    all_fail_as("malformed", vec![Act::raw("HTTP/1.1 2xx OK\r\n\r\n")]);
}

#[test]
fn a_broken_chunk_is_malformed() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    all_fail_as("malformed", vec![Act::raw(&format!("{head}zz\r\n"))]);
}

#[test]
fn more_than_the_announced_length_is_malformed() {
    all_fail_as(
        "malformed",
        vec![Act::raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\npong")],
    );
}

#[test]
fn a_truncated_head_is_closed() {
    all_fail_as(
        "closed",
        vec![Act::raw("HTTP/1.1 200 OK\r\nConte"), Act::Close],
    );
}

#[test]
fn less_than_the_announced_length_is_closed() {
    all_fail_as(
        "closed",
        vec![
            Act::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npong"),
            Act::Close,
        ],
    );
}

#[test]
fn an_unfinished_chunk_is_closed() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    all_fail_as(
        "closed",
        vec![
            Act::raw(&format!("{head}4\r\npong\r\n9\r\nhal")),
            Act::Close,
        ],
    );
}

#[test]
fn a_body_without_a_head_is_malformed() {
    // As HTTP/0.9 had it.
    all_fail_as("malformed", vec![Act::raw("<html>pong</html>"), Act::Close]);
}

#[test]
fn two_lengths_that_differ_are_malformed() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n";
    all_fail_as("malformed", vec![Act::raw(&format!("{head}pong"))]);
}

#[test]
fn a_length_beyond_all_numbers_is_malformed() {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n";
    all_fail_as("malformed", vec![Act::raw(head)]);
}

#[test]
fn an_enormous_length_is_waited_for_no_longer_than_any_other() {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", u64::MAX);
    all_fail_as(
        "timeout",
        vec![Act::raw(&head), Act::SendForever(vec![b'.'; 16_384])],
    );
}

#[test]
fn more_header_fields_than_anybody_needs_are_too_large() {
    let fields = "X: y\r\n".repeat(200);
    let answer = format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: 0\r\n\r\n");
    all_fail_as("too-large", vec![Act::raw(&answer)]);
}

#[test]
fn an_answer_that_drips_is_a_timeout() {
    let drop = |byte: &u8| [Act::Send(vec![*byte]), Act::Wait(Duration::from_millis(40))];
    let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
    let acts: Vec<Act> = answer.iter().flat_map(drop).collect();
    all_fail_as("timeout", acts);
}

#[test]
fn interim_answers_without_end_are_a_timeout() {
    let interim = b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100);
    all_fail_as("timeout", vec![Act::SendForever(interim)]);
}

#[test]
fn empty_lines_without_end_are_no_answer() {
    all_fail_as("too-large", vec![Act::SendForever(b"\r\n".repeat(1_000))]);
}

#[test]
fn a_half_close_without_an_answer_is_closed() {
    all_fail_as("closed", vec![Act::CloseForSending]);
}

#[test]
fn a_close_without_a_byte_is_closed() {
    all_fail_as("closed", vec![Act::Close]);
}

#[test]
fn a_reset_is_a_reset() {
    all_fail_as(
        "reset",
        vec![
            Act::raw("HTTP/1.1 200 OK\r\n"),
            Act::Wait(Duration::from_millis(20)),
            Act::Reset,
        ],
    );
}

#[test]
fn silence_is_a_timeout() {
    all_fail_as("timeout", vec![Act::Wait(Duration::from_secs(5))]);
}

#[test]
fn a_body_without_end_is_a_timeout() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    all_fail_as(
        "timeout",
        vec![
            Act::raw(head),
            Act::SendForever(b"4\r\npong\r\n".repeat(2_000)),
        ],
    );
}

#[test]
fn a_head_without_end_is_too_large() {
    all_fail_as(
        "too-large",
        vec![
            Act::raw("HTTP/1.1 200 OK\r\n"),
            Act::SendForever(b"X-Header: value\r\n".repeat(50)),
        ],
    );
}

#[test]
fn a_server_error_is_status_5xx() {
    all_fail_as("status-5xx", vec![Act::status(503, "later")]);
}

#[test]
fn a_client_error_is_status_4xx() {
    all_fail_as("status-4xx", vec![Act::status(404, "")]);
}
