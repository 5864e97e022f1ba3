//! The ways not to become ready, each with a fake of known behaviour.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, HANG_S, auto, http, watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tacho_launch::ready::{Condition, NotReady, Watch, Why, until_ready};
use tacho_launch::{Exit, failure};
use tacho_run_folder::{FailureCause, LaunchOutcome};

const LOCAL: &str = "127.0.0.1:0";

fn never(bench: &Bench, arguments: &[&str], watch: &Watch<'_>) -> Box<NotReady> {
    let mut child = bench.fake(arguments);
    until_ready(&mut child, watch).unwrap_err()
}

/// How long a fake is given to come so far that its failing can be named, in seconds: not long on a
/// machine that is left alone.
const PATIENCE: [f64; 4] = [0.6, 3.0, 15.0, 75.0];

/// A fake that never becomes ready, and of which this is said at last.
fn never_because(
    bench: &Bench,
    serve: &[&str],
    condition: fn() -> Condition,
    said: &str,
) -> Box<NotReady> {
    let mut heard = String::new();
    for seconds in PATIENCE {
        let not_ready = never(bench, serve, &watch(condition(), seconds));
        let (cause, message) = recorded(bench, &not_ready);
        assert_eq!(cause, FailureCause::NeverReady);
        if message.contains(said) {
            return not_ready;
        }
        heard = message;
    }
    panic!("`{said}` is never said: {heard}");
}

/// Message and cause as they are recorded.
fn recorded(bench: &Bench, not_ready: &NotReady) -> (FailureCause, String) {
    let evidence = failure::Evidence {
        last_log_lines: tacho_launch::log::last_lines(&bench.log(), 0, 20).unwrap(),
        ..failure::Evidence::default()
    };
    match failure::not_ready(not_ready, evidence) {
        LaunchOutcome::Failed { cause, message, .. } => (cause, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_line_that_never_comes() {
    let bench = Bench::new();
    let pattern = Condition::Log(regex::Regex::new("Started").unwrap());
    let not_ready = never(&bench, &["serve", "--listen", LOCAL], &watch(pattern, 0.5));
    let (cause, message) = recorded(&bench, &not_ready);
    assert_eq!(cause, FailureCause::NeverReady);
    assert!(
        message.contains("no line that matches `Started`"),
        "{message}"
    );
}

#[test]
fn a_subject_that_exits_at_once() {
    let bench = Bench::new();
    let not_ready = never(&bench, &["exit", "3"], &watch(auto(), HANG_S));
    assert!(
        matches!(not_ready.why, Why::Ended(Exit::Code(3))),
        "{not_ready}"
    );
    let (cause, message) = recorded(&bench, &not_ready);
    assert_eq!(cause, FailureCause::Exited);
    assert!(message.contains("exit code 3"), "{message}");
}

#[test]
fn a_subject_that_is_killed_while_it_starts() {
    let bench = Bench::new();
    let mut child = bench.start(&["sh", "-c", "sleep 0.2; kill -9 $$"]);
    let not_ready = until_ready(&mut child, &watch(auto(), HANG_S)).unwrap_err();
    assert!(
        matches!(not_ready.why, Why::Ended(Exit::Signal(9))),
        "{not_ready}"
    );
    assert_eq!(recorded(&bench, &not_ready).0, FailureCause::Killed);
}

#[test]
fn a_subject_that_never_listens() {
    let bench = Bench::new();
    let not_ready = never(&bench, &["never"], &watch(auto(), 0.4));
    assert!(matches!(not_ready.why, Why::TimedOut(_)));
    let (cause, message) = recorded(&bench, &not_ready);
    assert_eq!(cause, FailureCause::NeverReady);
    assert!(message.contains("listens on no port"), "{message}");
    assert_eq!(not_ready.time_line.listening_ms, None);
}

#[test]
fn a_subject_that_listens_and_never_answers() {
    let serve = ["serve", "--listen", LOCAL, "--as", "silent"];
    let said = "does not answer GET /up";
    let not_ready = never_because(&Bench::new(), &serve, || http("/up"), said);
    assert!(not_ready.time_line.first_connection_ms.is_some());
    assert_eq!(not_ready.time_line.first_response_ms, None);
}

#[test]
fn a_subject_that_answers_garbage() {
    let serve = ["serve", "--listen", LOCAL, "--as", "garbage"];
    never_because(&Bench::new(), &serve, auto, "not HTTP/1");
}

#[test]
fn a_subject_that_closes_every_connection() {
    let serve = ["serve", "--listen", LOCAL, "--as", "closing"];
    never_because(&Bench::new(), &serve, auto, "closes the connection");
}

#[test]
fn a_subject_that_stays_unready_says_so() {
    let serve = ["serve", "--listen", LOCAL, "--not-ready", "600000"];
    let said = "GET /health answers 503";
    let not_ready = never_because(&Bench::new(), &serve, auto, said);
    assert!(not_ready.time_line.first_response_ms.is_some());
}

#[test]
fn a_subject_whose_port_is_taken_by_another() {
    let bench = Bench::new();
    let other = std::net::TcpListener::bind(LOCAL).unwrap();
    let address = other.local_addr().unwrap();
    // Noticed before a launch ...
    let owner = tacho_launch::sockets::who_listens(address.port())
        .unwrap()
        .unwrap();
    assert_eq!(owner.pid, Some(std::process::id()));
    // ... and after it, by what the subject says.
    let mut watch = watch(auto(), HANG_S);
    watch.port = Some(address.port());
    let not_ready = never(&bench, &["serve", "--listen", &address.to_string()], &watch);
    assert!(matches!(not_ready.why, Why::Ended(_)), "{not_ready}");
    assert_eq!(recorded(&bench, &not_ready).0, FailureCause::PortTaken);
}

#[test]
fn a_subject_that_listens_on_another_port_than_the_configured() {
    let bench = Bench::new();
    let said = PATIENCE.into_iter().any(|seconds| {
        let mut watch = watch(auto(), seconds);
        watch.port = Some(1);
        let not_ready = never(&bench, &["serve", "--listen", LOCAL], &watch);
        not_ready.seen.contains("not on port 1,")
    });
    assert!(said);
}

/// As with `docker run -p`: what is started asks a daemon, and the port is the daemon's.
#[test]
fn a_port_that_somebody_else_has_opened_meanwhile_is_told_with_who() {
    let bench = Bench::new();
    let other = std::net::TcpListener::bind(LOCAL).unwrap();
    let port = other.local_addr().unwrap().port();
    let mut watch = watch(auto(), 0.4);
    watch.port = Some(port);
    let said = format!("port {port} was opened by process {} ", std::process::id());
    // What another test forks has a copy of the listener until it executes its program.
    let is_said = (0..20).any(|_| never(&bench, &["never"], &watch).seen.contains(&said));
    assert!(is_said);
}

#[test]
fn the_cost_of_looking() {
    let bench = Bench::new();
    let share = || {
        let not_ready = never(&bench, &["never"], &watch(auto(), 2.0));
        let share = not_ready.cpu_s / 2.0;
        println!(
            "looking for sockets takes {:.1} % of a processor",
            share * 100.0
        );
        share
    };
    // See the head of `watch.rs`; far from a spinning loop on any machine. A busy one only adds to
    // it, and not always.
    let little = (0..5).any(|_| {
        let share = share();
        assert!(share > 0.0);
        share < 0.3
    });
    assert!(little);
}

#[test]
fn the_stop_flag_ends_the_watch() {
    let bench = Bench::new();
    let stop = AtomicBool::new(false);
    let mut child = bench.fake(&["never"]);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        let watch = Watch {
            stop: &stop,
            ..watch(auto(), HANG_S)
        };
        until_ready(&mut child, &watch)
    });
    assert!(matches!(result.unwrap_err().why, Why::Stopped));
}
