//! Becoming ready, each way with a fake of known behaviour.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, FAKE, HANG_S, auto, http, two_free_ports, watch};
use std::time::Duration;
use tacho_launch::ready::{Condition, HEALTH_PATHS, Ready, Watch, Why, until_line, until_ready};
use tacho_run_folder::{PortChoice, PortReason};

const LOCAL: &str = "127.0.0.1:0";

fn ready(bench: &Bench, arguments: &[&str], watch: &Watch<'_>) -> Ready {
    let mut child = bench.fake(arguments);
    until_ready(&mut child, watch).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_health_path_that_says_503_for_a_while() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--not-ready", "300"],
        &watch(auto(), HANG_S),
    );
    let t = found.time_line;
    assert_eq!(t.ready_by.as_deref(), Some("GET /health answered 200"));
    // Each path once, and this one again and again: how often depends on the scheduler.
    let probes = t.probes as usize;
    assert!(probes >= HEALTH_PATHS.len(), "{probes} probes");
    let unready_ms = t.ready_ms.unwrap() - t.listening_ms.unwrap() + t.resolution_ms;
    assert!(unready_ms >= 299.0, "{t:?}");
    assert!(t.first_response_ms.unwrap() < t.first_2xx_ms.unwrap());
    assert_eq!(t.port, Some(found.address.port()));
}

#[test]
fn the_paths_of_known_frameworks_are_found() {
    let bench = Bench::new();
    for path in HEALTH_PATHS {
        let found = ready(
            &bench,
            &["serve", "--listen", LOCAL, "--health", path],
            &watch(auto(), HANG_S),
        );
        let by = format!("GET {path} answered 200");
        assert_eq!(found.time_line.ready_by, Some(by));
    }
}

#[test]
fn the_preferred_path_is_asked_first() {
    let bench = Bench::new();
    let mut watch = watch(auto(), HANG_S);
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
        &watch(condition, HANG_S),
    );
    let by = found.time_line.ready_by.unwrap();
    assert_eq!(by, "GET /ping?x=1 answered 200");
    assert_eq!(found.time_line.port_choice, None, "there was no other");
}

#[test]
fn a_subject_without_known_paths_is_ready_when_it_answers_http() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", LOCAL, "--health", "/secret"],
        &watch(auto(), HANG_S),
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
    let found = ready(&bench, &arguments, &watch(auto(), HANG_S));
    assert_eq!(
        found.time_line.ready_by.as_deref(),
        Some("GET /health answered 200")
    );
}

/// One that the kernel gives to nobody by itself.
fn chosen_port() -> u16 {
    // No two tests the same.
    static ASKED: std::sync::atomic::AtomicU16 = std::sync::atomic::AtomicU16::new(0);
    let asked = ASKED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let first = 21_000 + (std::process::id() % 5_000) as u16 + 500 * asked;
    (first..32_000)
        .find(|port| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok())
        .unwrap()
}

/// A stub of a partner opens first and knows none of the paths; then the service opens its own
/// port.
#[test]
fn of_several_ports_the_one_that_answers_the_experiments_request_is_taken() {
    let bench = Bench::new();
    let ((stub, _), own) = (two_free_ports(), chosen_port());
    let script = format!(
        "{FAKE} serve --listen 127.0.0.1:{stub} --health /partner & \
         until (: </dev/tcp/127.0.0.1/{stub}) 2>/dev/null; do sleep 0.01; done; \
         {FAKE} serve --listen 127.0.0.1:{own} --health /quotes; true"
    );
    let mut child = bench.start(&["bash", "-c", &script]);
    let condition = Condition::Auto {
        request_path: Some("/quotes".into()),
    };
    let found = until_ready(&mut child, &watch(condition, HANG_S)).unwrap();
    assert_eq!(found.time_line.port, Some(own));
    let by = found.time_line.ready_by.unwrap();
    assert_eq!(by, "GET /quotes answered 200");
    let choice = PortChoice {
        by: PortReason::OwnRequest,
        request_path: Some("/quotes".into()),
        others: vec![stub],
    };
    assert_eq!(found.time_line.port_choice, Some(choice));
}

/// The port that opens first answers HTTP, and never that path with 2xx.
#[test]
fn a_given_path_is_waited_for_at_every_port() {
    let bench = Bench::new();
    let (other, own) = two_free_ports();
    let script = format!(
        "{FAKE} serve --listen 127.0.0.1:{other} --health /partner & sleep 0.5; {FAKE} serve --listen 127.0.0.1:{own} --health /up; true"
    );
    let mut child = bench.start(&["sh", "-c", &script]);
    let found = until_ready(&mut child, &watch(http("/up"), HANG_S)).unwrap();
    assert_eq!(found.time_line.port, Some(own));
    let by = found.time_line.ready_by.unwrap();
    assert_eq!(by, "GET /up answered 200");
    let choice = PortChoice {
        by: PortReason::OwnRequest,
        request_path: Some("/up".into()),
        others: vec![other],
    };
    assert_eq!(found.time_line.port_choice, Some(choice));
}

/// A stub on a port that the kernel gave answers the request as well, before the service listens.
#[test]
fn a_stub_that_answers_everything_is_not_taken_for_the_service() {
    let bench = Bench::new();
    let (stub, _) = two_free_ports();
    let own = chosen_port();
    let script = format!(
        "{FAKE} serve --listen 127.0.0.1:{stub} --health /quotes & sleep 0.5; {FAKE} serve --listen 127.0.0.1:{own} --health /quotes; true"
    );
    let mut child = bench.start(&["sh", "-c", &script]);
    let condition = Condition::Auto {
        request_path: Some("/quotes".into()),
    };
    let found = until_ready(&mut child, &watch(condition, HANG_S)).unwrap();
    assert_eq!(found.time_line.port, Some(own));
    let choice = found.time_line.port_choice.unwrap();
    assert_eq!(
        (choice.by, choice.others),
        (PortReason::OwnRequest, vec![stub])
    );
}

/// An agent with metrics: it opens first, at a port that somebody chose, and answers anything.
#[test]
fn the_port_of_an_agent_is_not_taken_for_the_service() {
    let own_request = Condition::Auto {
        request_path: Some("/quotes".into()),
    };
    for condition in [auto(), own_request, http("/quotes")] {
        let bench = Bench::new();
        let (metrics, own) = (chosen_port(), chosen_port());
        let script = format!(
            "{FAKE} serve --listen 127.0.0.1:{metrics} --as anything -javaagent:metrics.jar & sleep 0.5; {FAKE} serve --listen 127.0.0.1:{own} --health /quotes; true"
        );
        let mut child = bench.start(&["sh", "-c", &script]);
        let found = until_ready(&mut child, &watch(condition, HANG_S)).unwrap();
        assert_eq!(found.time_line.port, Some(own));
        let choice = found.time_line.port_choice.unwrap();
        assert_eq!(choice.others, [metrics]);
    }
}

/// The same where no path is asked for. Neither a service that knows no HTTP nor one that says
/// nothing is taken for an agent.
#[test]
fn the_port_of_an_agent_neither_takes_the_connection_nor_the_line() {
    let line = Condition::Log(regex::Regex::new("^is up$").unwrap());
    let (metrics, own) = (chosen_port(), chosen_port());
    for condition in [Condition::Port, line] {
        for manner in ["http", "closing", "silent"] {
            let bench = Bench::new();
            let script = format!(
                "{FAKE} serve --listen 127.0.0.1:{metrics} --as anything -javaagent:metrics.jar & sleep 0.5; \
                 (until (: </dev/tcp/127.0.0.1/{own}) 2>/dev/null; do sleep 0.01; done; echo is up) & \
                 {FAKE} serve --listen 127.0.0.1:{own} --as {manner}; true"
            );
            let mut child = bench.start(&["bash", "-c", &script]);
            let found = until_ready(&mut child, &watch(condition.clone(), HANG_S)).unwrap();
            assert_eq!(found.time_line.port, Some(own), "{condition:?} {manner}");
            let choice = found.time_line.port_choice.unwrap();
            assert_eq!(choice.others, [metrics]);
        }
    }
}

/// What is found of a service with an agent that answers anything, where nobody else listens.
fn beside_agent_answering_anything(condition: &Condition) -> Ready {
    let bench = Bench::new();
    let arguments = [
        "serve",
        "--listen",
        LOCAL,
        "--as",
        "anything",
        "-javaagent:metrics.jar",
    ];
    let ready = |seconds| {
        let watch = watch(condition.clone(), seconds);
        until_ready(&mut bench.fake(&arguments), &watch).ok()
    };
    // On a busy machine not in a few seconds.
    let found = [2.0, 8.0, 32.0, HANG_S].into_iter().find_map(ready);
    found.unwrap()
}

/// Nobody else comes: it was ready when it took a connection.
#[test]
fn a_service_with_an_agent_that_answers_anything_is_ready_by_its_port_all_the_same() {
    let t = beside_agent_answering_anything(&Condition::Port).time_line;
    assert_eq!(t.ready_ms, t.first_connection_ms);
}

/// Nobody else comes: it was ready when it first answered.
#[test]
fn a_service_with_an_agent_that_answers_anything_is_ready_all_the_same() {
    let t = beside_agent_answering_anything(&auto()).time_line;
    assert!(t.ready_ms.is_some());
    assert_eq!(t.ready_ms, t.first_2xx_ms);
}

/// The first takes connections and never answers, as a debugger's port does; the second answers its
/// health path, and neither knows the request.
#[test]
fn where_no_port_answers_the_experiments_request_that_is_on_record() {
    let bench = Bench::new();
    let (silent, own) = two_free_ports();
    let (a, b) = (format!("127.0.0.1:{silent}"), format!("127.0.0.1:{own}"));
    let mut child = bench.fake(&["serve", "--listen", &a, "--listen", &b]);
    let condition = Condition::Auto {
        request_path: Some("/quotes".into()),
    };
    let found = until_ready(&mut child, &watch(condition, HANG_S)).unwrap();
    assert_eq!(found.time_line.port, Some(own));
    let choice = PortChoice {
        by: PortReason::OtherRequest,
        request_path: Some("/quotes".into()),
        others: vec![silent],
    };
    assert_eq!(found.time_line.port_choice, Some(choice));
}

#[test]
fn the_configured_port_is_waited_for_and_others_are_left_alone() {
    let bench = Bench::new();
    let (first, second) = two_free_ports();
    let (a, b) = (format!("127.0.0.1:{first}"), format!("127.0.0.1:{second}"));
    let mut watch = watch(auto(), HANG_S);
    watch.port = Some(second);
    let found = ready(&bench, &["serve", "--listen", &a, "--listen", &b], &watch);
    assert_eq!(found.time_line.port, Some(second));
    let choice = PortChoice {
        by: PortReason::Given,
        request_path: None,
        others: vec![first],
    };
    assert_eq!(found.time_line.port_choice, Some(choice));
}

#[test]
fn ipv6_only() {
    let bench = Bench::new();
    let found = ready(
        &bench,
        &["serve", "--listen", "[::1]:0"],
        &watch(auto(), HANG_S),
    );
    assert!(found.address.is_ipv6());
}

#[test]
fn every_address_is_reached_on_the_loopback_interface() {
    let bench = Bench::new();
    for listen in ["0.0.0.0:0", "[::]:0"] {
        let found = ready(
            &bench,
            &["serve", "--listen", listen],
            &watch(auto(), HANG_S),
        );
        assert!(found.address.ip().is_loopback(), "{}", found.address);
    }
}

#[test]
fn a_server_behind_shell_wrappers() {
    let bench = Bench::new();
    let script = format!("sh -c '{FAKE} serve --listen {LOCAL}; true'; true");
    let mut child = bench.start(&["sh", "-c", &script]);
    let found = until_ready(&mut child, &watch(auto(), HANG_S)).unwrap();
    assert!(found.time_line.ready_ms.is_some());
}

#[test]
fn only_the_processes_that_the_caller_names_count() {
    let bench = Bench::new();
    let mut child = bench.fake(&["serve", "--listen", LOCAL]);
    let nobody = || Vec::new();
    let watch = Watch {
        processes: Some(&nobody),
        ..watch(auto(), HANG_S)
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
        &watch(Condition::Port, HANG_S),
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
        &watch(pattern.clone(), HANG_S),
    );
    let t = found.time_line;
    assert_eq!(t.ready_by.as_deref(), Some("its log says: serving"));
    assert_eq!(t.probes, 0);
    // Among several ports the one that speaks HTTP is taken, if it answers in a quarter of a
    // second: on a busy machine not always.
    let arguments = ["serve", "--listen", LOCAL, "--listen", LOCAL];
    let watch = watch(pattern, HANG_S);
    let is_found = (0..10).any(|_| {
        let found = ready(&bench, &arguments, &watch);
        found.time_line.first_response_ms.is_some()
    });
    assert!(is_found);
}

#[test]
fn a_line_alone_is_enough_where_nothing_has_to_listen() {
    let bench = Bench::new();
    let mut child = bench.start(&["sh", "-c", "echo begins; echo is up; exec sleep 600"]);
    let pattern = regex::Regex::new("up$").unwrap();
    let patience = Duration::from_secs_f64(HANG_S);
    let found = until_line(&mut child, &pattern, patience, &common::NEVER_STOP).unwrap();
    assert_eq!(found.ready_by.as_deref(), Some("its log says: is up"));
    assert!(found.ready_ms.is_some() && found.port.is_none());
}

#[test]
fn a_line_that_does_not_come_is_told_with_the_reason() {
    let bench = Bench::new();
    let pattern = regex::Regex::new("up$").unwrap();
    let mut child = bench.start(&["sh", "-c", "echo no; exec sleep 600"]);
    let short = Duration::from_millis(200);
    let late = until_line(&mut child, &pattern, short, &common::NEVER_STOP).unwrap_err();
    assert_eq!(
        late.to_string(),
        "it was not ready after 0.2 s: it wrote no line that matches `up$`"
    );
    // One that has ended is not waited for.
    let mut child = bench.start(&["sh", "-c", "exit 7"]);
    let patience = Duration::from_secs_f64(HANG_S);
    let ended = until_line(&mut child, &pattern, patience, &common::NEVER_STOP).unwrap_err();
    assert!(matches!(ended.why, Why::Ended(_)), "{ended:?}");
}
