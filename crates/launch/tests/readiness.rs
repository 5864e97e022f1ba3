//! Becoming ready, and the ways not to, each with a fake of known behaviour.

mod common;

use common::{Bench, FAKE, NEVER_STOP, auto, free_port, http, watch};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tacho_launch::ready::{Condition, NotReady, Ready, Watch, Why, until_ready};
use tacho_launch::{Exit, failure};
use tacho_run_folder::{FailureCause, LaunchOutcome};

const LOCAL: &str = "127.0.0.1:0";

fn ready(bench: &Bench, arguments: &[&str], watch: &Watch<'_>) -> Ready {
    let mut child = bench.fake(arguments);
    until_ready(&mut child, watch).unwrap_or_else(|e| panic!("{e}"))
}

fn never(bench: &Bench, arguments: &[&str], watch: &Watch<'_>) -> NotReady {
    let mut child = bench.fake(arguments);
    until_ready(&mut child, watch).unwrap_err()
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
fn a_health_path_that_says_503_for_a_while() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--not-ready", "300"],
        &watch(auto(), 20.0),
    );
    let t = found.time_line;
    assert_eq!(t.ready_by.as_deref(), Some("GET /health answered 200"));
    // Asked about once a millisecond, on a busy machine less often.
    assert!(t.probes > 20, "{} probes", t.probes);
    let unready_ms = t.ready_ms.unwrap() - t.listening_ms.unwrap() + t.resolution_ms;
    assert!(unready_ms >= 299.0, "{t:?}");
    assert!(t.first_response_ms.unwrap() < t.first_2xx_ms.unwrap());
    assert_eq!(t.port, Some(found.address.port()));
}

#[test]
fn the_paths_of_known_frameworks_are_found() {
    let bench = Bench::new();
    for path in tacho_launch::ready::HEALTH_PATHS {
        let found = ready(
            &bench,
            &["serve", "--listen", LOCAL, "--health", path],
            &watch(auto(), 20.0),
        );
        let by = format!("GET {path} answered 200");
        assert_eq!(found.time_line.ready_by, Some(by));
    }
}

#[test]
fn the_preferred_path_is_asked_first() {
    let bench = Bench::new();
    let mut watch = watch(auto(), 20.0);
    watch.preferred_paths = vec!["/livez".into()];
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--health", "/livez"],
        &watch,
    );
    assert_eq!(found.time_line.probes, 1, "{:?}", found.time_line);
}

#[test]
fn the_first_request_of_the_experiment_decides_where_no_health_path_is_known() {
    let bench = Bench::new();
    let condition = Condition::Auto {
        request_path: Some("/ping?x=1".into()),
    };
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--health", "/ping?x=1"],
        &watch(condition, 20.0),
    );
    let by = found.time_line.ready_by.unwrap();
    assert_eq!(by, "GET /ping?x=1 answered 200");
}

#[test]
fn a_subject_without_known_paths_is_ready_when_it_answers_http() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--health", "/secret"],
        &watch(auto(), 20.0),
    );
    let t = found.time_line;
    assert!(t.ready_by.unwrap().starts_with("it answers HTTP"));
    assert_eq!(t.first_2xx_ms, None);
    assert!(t.ready_ms.is_some());
}

#[test]
fn the_port_that_speaks_http_is_found_among_others() {
    let bench = Bench::new();
    // The first two take connections and never answer, as a debugger's port does.
    let arguments = [
        "serve", "--listen", LOCAL, "--listen", LOCAL, "--listen", LOCAL,
    ];
    let found = ready(&bench, &arguments, &watch(auto(), 20.0));
    assert_eq!(
        found.time_line.ready_by.as_deref(),
        Some("GET /health answered 200")
    );
}

#[test]
fn the_configured_port_is_waited_for_and_others_are_left_alone() {
    let bench = Bench::new();
    let (first, second) = (free_port(), free_port());
    let (a, b) = (format!("127.0.0.1:{first}"), format!("127.0.0.1:{second}"));
    let mut watch = watch(auto(), 20.0);
    watch.port = Some(second);
    let found = ready(&bench, &["serve", "--listen", &a, "--listen", &b], &watch);
    assert_eq!(found.time_line.port, Some(second));
    watch.port = Some(1);
    watch.timeout = Duration::from_millis(400);
    let not_ready = never(&bench, &["serve", "--listen", LOCAL], &watch);
    assert!(not_ready.seen.contains("not on port 1,"), "{not_ready}");
}

#[test]
fn ipv6_only() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", "[::1]:0"],
        &watch(auto(), 20.0),
    );
    assert!(found.address.is_ipv6());
}

#[test]
fn every_address_is_reached_on_the_loopback_interface() {
    let bench = Bench::new();
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let found = ready(&bench, &["serve", "--listen", listen], &watch(auto(), 20.0));
        assert!(found.address.ip().is_loopback(), "{}", found.address);
    }
}

#[test]
fn a_server_behind_shell_wrappers() {
    let bench = Bench::new();
    let script = format!("sh -c '{FAKE} serve --listen {LOCAL}; true'; true");
    let mut child = bench.start(&["sh", "-c", &script]);
    let found = until_ready(&mut child, &watch(auto(), 20.0)).unwrap();
    assert!(found.time_line.ready_ms.is_some());
}

#[test]
fn only_the_processes_that_the_caller_names_count() {
    let bench = Bench::new();
    let mut child = bench.fake(&["serve", "--listen", LOCAL]);
    let nobody = || Vec::new();
    let watch = Watch {
        processes: Some(&nobody),
        ..watch(auto(), 20.0)
    };
    // The child itself always counts.
    assert!(until_ready(&mut child, &watch).is_ok());
}

#[test]
fn ready_by_port_sends_no_request() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--as", "silent"],
        &watch(Condition::Port, 20.0),
    );
    let t = found.time_line;
    assert_eq!((t.probes, t.first_response_ms), (0, None));
    assert_eq!(t.ready_ms, t.first_connection_ms);
}

#[test]
fn ready_by_a_line_of_the_log() {
    let bench = Bench::new();
    let pattern = Condition::Log(regex::Regex::new("^serv(ing)$").unwrap());
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--as", "silent"],
        &watch(pattern.clone(), 20.0),
    );
    let t = found.time_line;
    assert_eq!(t.ready_by.as_deref(), Some("its log says: serving"));
    assert_eq!(t.probes, 0);
    // Among several ports the one that speaks HTTP is taken.
    let arguments = ["serve", "--listen", LOCAL, "--listen", LOCAL];
    let found = ready(&bench, &arguments, &watch(pattern, 20.0));
    assert!(found.time_line.first_response_ms.is_some());
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
    let not_ready = never(&bench, &["exit", "3"], &watch(auto(), 20.0));
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
    let not_ready = until_ready(&mut child, &watch(auto(), 20.0)).unwrap_err();
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
    let bench = Bench::new();
    let not_ready = never(
        &bench,
        &["serve", "--listen", LOCAL, "--as", "silent"],
        &watch(http("/up"), 0.6),
    );
    let (cause, message) = recorded(&bench, &not_ready);
    assert_eq!(cause, FailureCause::NeverReady);
    assert!(message.contains("does not answer GET /up"), "{message}");
    assert!(not_ready.time_line.first_connection_ms.is_some());
    assert_eq!(not_ready.time_line.first_response_ms, None);
}

#[test]
fn a_subject_that_answers_garbage() {
    let bench = Bench::new();
    let not_ready = never(
        &bench,
        &["serve", "--listen", LOCAL, "--as", "garbage"],
        &watch(auto(), 0.6),
    );
    let (_, message) = recorded(&bench, &not_ready);
    assert!(message.contains("not HTTP/1"), "{message}");
}

#[test]
fn a_subject_that_closes_every_connection() {
    let bench = Bench::new();
    let not_ready = never(
        &bench,
        &["serve", "--listen", LOCAL, "--as", "closing"],
        &watch(auto(), 0.6),
    );
    let (_, message) = recorded(&bench, &not_ready);
    assert!(message.contains("closes the connection"), "{message}");
}

#[test]
fn a_subject_that_stays_unready_says_so() {
    let bench = Bench::new();
    let not_ready = never(
        &bench,
        &["serve", "--listen", LOCAL, "--not-ready", "60000"],
        &watch(auto(), 0.6),
    );
    let (_, message) = recorded(&bench, &not_ready);
    assert!(message.contains("GET /health answers 503"), "{message}");
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
    let mut watch = watch(auto(), 20.0);
    watch.port = Some(address.port());
    let not_ready = never(&bench, &["serve", "--listen", &address.to_string()], &watch);
    assert!(matches!(not_ready.why, Why::Ended(_)), "{not_ready}");
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
            ..watch(auto(), 20.0)
        };
        until_ready(&mut child, &watch)
    });
    assert!(matches!(result.unwrap_err().why, Why::Stopped));
    assert!(!NEVER_STOP.load(Ordering::Relaxed));
}

#[test]
fn the_cost_of_looking() {
    let bench = Bench::new();
    let not_ready = never(&bench, &["never"], &watch(auto(), 2.0));
    let share = not_ready.cpu_s / 2.0;
    println!(
        "looking for sockets takes {:.1} % of a processor",
        share * 100.0
    );
    // About 3 % on a machine of 2026; far from a spinning loop on any.
    assert!(share > 0.0 && share < 0.3, "{share}");
}
