//! What each kind of phase sends, when, and over which connections.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::{Rig, Stops, always, assert_adds_up, errors, wait_until};
use tacho_load::testkit::{Act, Nobody, TestServer};
use tacho_load::{LoadError, Options, RecorderError};
use tacho_run_folder::{PhaseKind, PhaseTag, ScheduleSpec, ThinkSpec, TrialOutcome, TrialRecord};
use tacho_workload::{Body, Step};

#[test]
fn cold_sends_one_after_another_on_one_connection() {
    let server = always([Act::Wait(Duration::from_millis(2)), Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let record = rig.cold(10);
    assert_eq!((record.requests, record.succeeded), (10, 10));
    assert_eq!(record.kind, PhaseTag::Cold);
    assert_eq!(record.reconnects, 0);
    assert_eq!(server.connections(), 1);
    let rows = rig.rows("requests.csv");
    for pair in rows.windows(2) {
        assert_eq!(
            pair[1].intended_ns, pair[0].end_ns,
            "the next follows the answer"
        );
    }
    let sum: f64 = rows
        .iter()
        .map(tacho_run_folder::RequestRow::response_time_ms)
        .sum();
    assert!((sum / 1e3 - record.duration_s).abs() < 1e-3);
}

#[test]
fn closed_shares_its_requests_among_all_connections() {
    let server = always([Act::Wait(Duration::from_millis(1)), Act::ok("ok")]);
    let record = Rig::new(server.address()).closed(500, 10, 0.0);
    assert_eq!(record.succeeded, 500);
    assert_eq!((server.connections(), server.requests()), (10, 500));
    assert_eq!(record.intended_rate, None);
}

#[test]
fn a_settle_phase_goes_on_until_it_is_told_and_is_whole_then() {
    let server = always([Act::Wait(Duration::from_millis(1)), Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let settle = |within_s| PhaseKind::Settle {
        within_s,
        connections: 4,
    };
    let record = rig.try_run("settle", settle(0.3)).unwrap();
    assert_eq!((record.settled, record.interrupted), (Some(false), false));
    assert!(record.requests > 0 && record.succeeded == record.requests);

    let control = rig.control.clone();
    let teller = std::thread::spawn(move || {
        let before = control.counters().answered;
        while control.counters().answered < before + 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        control.enough();
    });
    let record = rig.try_run("settle-2", settle(3_600.0)).unwrap();
    teller.join().unwrap();
    assert_eq!((record.settled, record.interrupted), (Some(true), false));
    assert_eq!(record.succeeded, record.requests, "none was cut short");
    // What it was told is no word to the next one.
    assert_eq!(rig.closed(50, 4, 0.0).succeeded, 50);
}

#[test]
fn closed_lets_its_connections_join_over_the_ramp() {
    let server = always([Act::Wait(Duration::from_millis(5)), Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let record = rig.closed(400, 5, 0.5);
    assert_eq!((record.succeeded, server.connections()), (400, 5));
    let rows = rig.rows("requests.csv");
    let start = rows.iter().map(|row| row.intended_ns).min().unwrap();
    for connection in 0..5 {
        // The first request of a connection is intended for the instant at which it joins, to the
        // nanosecond; how much later it is sent depends on the machine.
        let joins = start + connection * 100_000_000;
        let first = rows.iter().find(|row| row.intended_ns == joins);
        assert!(
            first.is_some_and(|row| row.sent_ns >= joins),
            "{connection}"
        );
    }
}

#[test]
fn open_sends_what_the_schedule_says_also_to_a_slow_subject() {
    let server = always([Act::Wait(Duration::from_millis(50)), Act::ok("ok")]);
    let record = Rig::new(server.address()).open(100.0, 1.0, 2);
    // Two connections carry 40 a second; nothing is skipped.
    assert_eq!((record.requests, record.succeeded), (100, 100));
    assert_eq!(record.intended_rate, Some(100.0));
    assert!(record.throughput < 41.0, "{record:?}");
    assert!(
        record.dispatch_delay_ms.unwrap().max > 1_000.0,
        "{record:?}"
    );
}

#[test]
fn what_is_not_answered_after_the_drain_limit_is_counted_by_name() {
    let server = always([Act::Wait(Duration::from_secs(20)), Act::ok("ok")]);
    let mut rig = Rig::patient_for(server.address(), Duration::from_millis(400));
    let started = Instant::now();
    let record = rig.open(100.0, 0.5, 1);
    // The answers would take 20 s.
    assert!(started.elapsed() < Duration::from_secs(15));
    assert_adds_up(&record);
    assert_eq!(record.requests, 50);
    assert!(record.errors[&"timeout".into()].count >= 1);
    assert!(record.errors[&"unsent".into()].count >= 40, "{record:?}");
    assert_eq!(rig.rows("requests.csv").len(), 50);
}

#[test]
fn connections_stay_open_from_one_phase_to_the_next() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    rig.cold(2);
    rig.closed(50, 4, 0.0);
    rig.try_run("rest", PhaseKind::Rest { duration_s: 0.05 })
        .unwrap();
    let record = rig.open(100.0, 0.2, 4);
    assert_eq!(record.reconnects, 0);
    assert_eq!(server.connections(), 4);
}

#[test]
fn connections_that_were_closed_meanwhile_are_opened_before_the_clock() {
    let server = TestServer::start(|seen| match seen.number {
        // Announced to nobody, some time after the answer.
        ..4 => vec![
            Act::ok("ok"),
            Act::Wait(Duration::from_millis(50)),
            Act::Close,
        ],
        _ => vec![Act::ok("ok")],
    });
    let mut rig = Rig::new(server.address());
    rig.closed(4, 4, 0.0);
    wait_until(|| server.ended() == 4);
    let record = rig.closed(40, 4, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (40, 0), "{record:?}");
}

#[test]
fn a_thousand_connections_are_opened_before_the_clock() {
    let server = always([Act::ok("ok")]);
    let record = Rig::new(server.address()).closed(3_000, 1_000, 0.0);
    assert_eq!(
        (record.succeeded, record.reconnects),
        (3_000, 0),
        "{:?}",
        record.errors
    );
    assert_eq!(server.connections(), 1_000);
}

#[test]
fn rest_sends_nothing() {
    let server = always([Act::ok("ok")]);
    let record = Rig::new(server.address())
        .try_run("rest", PhaseKind::Rest { duration_s: 0.2 })
        .unwrap();
    assert_eq!((record.requests, record.kind), (0, PhaseTag::Rest));
    assert!(record.duration_s >= 0.2);
    assert_eq!(server.requests(), 0);
}

/// Sets the stop flag in the middle of the phase, when something is on its way if anything ever is.
/// Returns how long the phase went on after it.
fn stopped(
    address: std::net::SocketAddr,
    kind: PhaseKind,
) -> (Duration, tacho_run_folder::PhaseRecord) {
    let mut rig = Rig::new(address);
    let stops = Stops(rig.control.clone());
    let sends = !matches!(kind, PhaseKind::Rest { .. });
    let stopper = std::thread::spawn(move || {
        if sends {
            wait_until(|| stops.0.counters().intended > 0);
        }
        std::thread::sleep(Duration::from_millis(250));
        drop(stops);
        Instant::now()
    });
    let record = rig.try_run("phase", kind).unwrap();
    let returned = Instant::now();
    (returned - stopper.join().unwrap(), record)
}

#[test]
fn the_stop_flag_is_noticed_in_every_state() {
    let silent = always([Act::Wait(Duration::from_secs(20))]);
    let lively = always([Act::ok("ok")]);
    let nobody = Nobody::here();
    let open = |rate| PhaseKind::Open {
        rate,
        duration_s: 20.0,
        connections: 4,
    };
    let closed = PhaseKind::closed(u64::MAX, 4);
    for (address, kind) in [
        (silent.address(), PhaseKind::Cold { requests: 5 }),
        (silent.address(), open(100.0)),
        (lively.address(), open(100.0)),
        (lively.address(), open(0.1)),
        (lively.address(), closed.clone()),
        (lively.address(), PhaseKind::Rest { duration_s: 20.0 }),
        (nobody.address(), closed.clone()),
        (nobody.address(), open(100.0)),
    ] {
        let (late, record) = stopped(address, kind.clone());
        assert!(record.interrupted, "{record:?}");
        assert_adds_up(&record);
        // Left alone, each would take 20 s.
        assert!(late < Duration::from_secs(10), "{late:?} in {kind:?}");
    }
}

#[test]
fn what_was_on_its_way_when_stopped_is_counted_as_interrupted() {
    let silent = always([Act::Wait(Duration::from_secs(20))]);
    let kind = PhaseKind::Open {
        rate: 100.0,
        duration_s: 20.0,
        connections: 2,
    };
    let (_, record) = stopped(silent.address(), kind);
    assert!(record.requests > 0, "{record:?}");
    assert_eq!(errors(&record), [("interrupted", record.requests)]);
}

#[test]
fn the_counters_add_up_over_phases() {
    let server = TestServer::start(|seen| match seen.number % 2 {
        0 => vec![Act::ok("ok")],
        _ => vec![Act::status(404, "")],
    });
    let mut rig = Rig::new(server.address());
    rig.cold(10);
    rig.closed(10, 2, 0.0);
    let counters = rig.control.counters();
    assert_eq!(
        (counters.intended, counters.answered, counters.failed),
        (20, 20, 10)
    );
    assert_eq!(counters.in_flight, 0);
}

#[test]
fn bodies_and_headers_arrive_as_they_were_given() {
    let seen = Arc::new(Mutex::new(None));
    let server = TestServer::start({
        let seen = Arc::clone(&seen);
        move |request| {
            *seen.lock().unwrap() = Some(request.clone());
            vec![Act::ok("ok")]
        }
    });
    // Larger than any socket buffer, so that it is written in pieces.
    let body: Vec<u8> = (0..8_000_000u32).map(|i| (i % 251) as u8).collect();
    let request = Step {
        method: "POST".into(),
        headers: vec![("X-Trace".into(), "abc".into())],
        body: Body::Bytes(body.clone()),
        ..Step::get("/count?x=1")
    };
    let mut rig = Rig::with(server.address(), &[request], Options::default());
    assert_eq!(rig.cold(1).succeeded, 1);
    let seen = seen.lock().unwrap().take().unwrap();
    assert!(
        seen.head
            .starts_with("POST /count?x=1 HTTP/1.1\r\nHost: 127.0.0.1:"),
        "{}",
        seen.head
    );
    assert!(seen.head.contains("\r\nX-Trace: abc"));
    assert!(seen.body == body);
}

#[test]
fn a_large_answer_in_many_pieces_is_one_answer() {
    let chunk = format!("{:x}\r\n{}\r\n", 100_000, "x".repeat(100_000));
    let answer = format!(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{}0\r\n\r\n",
        chunk.repeat(30)
    );
    let server = always([Act::raw(&answer)]);
    let record = Rig::new(server.address()).closed(20, 2, 0.0);
    assert_eq!((record.succeeded, record.reconnects), (20, 0), "{record:?}");
}

#[test]
fn what_cannot_be_is_refused_with_the_way_out() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let open = |rate, connections| PhaseKind::Open {
        rate,
        duration_s: 1.0,
        connections,
    };
    for kind in [open(0.0, 1), open(f64::NAN, 1), open(1.0, 0)] {
        assert!(matches!(
            rig.try_run("x", kind),
            Err(LoadError::Schedule { .. })
        ));
    }
    let many = PhaseKind::closed(1, u32::MAX);
    let error = rig.try_run("x", many).unwrap_err();
    assert!(matches!(error, LoadError::Descriptors(_)));
    assert!(error.to_string().contains("ulimit"), "{error}");
    assert_eq!(rig.cold(1).succeeded, 1, "and the generator still works");
}

#[test]
fn a_full_disk_is_an_error_at_the_end_of_the_phase() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    rig.recorder = tacho_load::Recorder::create_files(
        std::path::Path::new("/dev/full"),
        &rig.path("requests.csv"),
        &rig.path("slowest.csv"),
        rig.recorder.anchor(),
    )
    .unwrap();
    let error = rig
        .try_run("cold", PhaseKind::Cold { requests: 5 })
        .unwrap_err();
    assert!(
        matches!(
            error,
            LoadError::Recorder(RecorderError::Write {
                file: "phases.hlog",
                ..
            })
        ),
        "{error:?}"
    );
    assert_eq!(
        rig.rows("requests.csv").len(),
        5,
        "the other files are written all the same"
    );
}

#[test]
fn a_schedule_of_the_plan_is_sent_to_its_last_request() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let burst = ScheduleSpec::Burst {
        requests: 5,
        over_s: 0.0,
        rest_s: 0.05,
        duration_s: 0.12,
    };
    let kind = PhaseKind::Scheduled {
        schedule: burst,
        connections: 2,
    };
    let record = rig.try_run("burst", kind).unwrap();
    assert_eq!((record.requests, record.succeeded), (15, 15));
    assert_eq!(record.kind, PhaseTag::Scheduled);
    assert_eq!(record.intended_rate, Some(125.0));
}

#[test]
fn a_closed_loop_ends_with_its_requests_or_its_duration_and_users_may_think() {
    let server = always([Act::ok("ok")]);
    let mut rig = Rig::new(server.address());
    let closed = |requests, duration_s, think| PhaseKind::Closed {
        requests,
        duration_s,
        connections: 2,
        ramp_s: 0.0,
        think,
    };
    let think = Some(ThinkSpec::Constant { ms: 5.0 });
    let both = rig.try_run("both", closed(Some(7), Some(600.0), think));
    assert_eq!(both.unwrap().succeeded, 7);
    let timed = rig
        .try_run("timed", closed(None, Some(0.2), think))
        .unwrap();
    // Two users, each at most every 5 ms: the first at once, the last before the end.
    assert!((2..=82).contains(&timed.requests), "{}", timed.requests);
    assert_eq!(timed.succeeded, timed.requests);
    assert!(matches!(
        rig.try_run("endless", closed(None, None, None)),
        Err(LoadError::Schedule { .. })
    ));
}

#[test]
fn a_search_finds_what_a_subject_of_known_capacity_carries() {
    // One connection and 5 ms an answer: 200 a second, and beyond that a queue that grows.
    let server = always([Act::Wait(Duration::from_millis(5)), Act::ok("ok")]);
    let spec = tacho_run_folder::SearchSpec {
        objective: "p50<50ms".parse().unwrap(),
        from_rate: 20.0,
        to_rate: 2_000.0,
        trial_s: 0.6,
        rest_s: 0.05,
        tolerance: 0.2,
        confirmations: 1,
        connections: 1,
    };
    let mut rig = Rig::new(server.address());
    let record = rig.try_run("search", PhaseKind::Search(spec)).unwrap();
    assert_eq!(record.kind, PhaseTag::Search);
    let rate = record.intended_rate.unwrap();
    // Never above what the subject can; how near depends on the machine.
    assert!((20.0..260.0).contains(&rate), "{rate}");
    let search = record.search.unwrap();
    // On a machine that is too busy even for the lowest rate nothing is found.
    assert!(search.rate.is_none_or(|found| found == rate), "{search:?}");
    // Every trial is there, with the labels of its histograms, and each speaks for itself.
    let labels: Vec<&str> = search.trials.iter().map(|t| t.label.as_str()).collect();
    let numbered: Vec<String> = (1..=labels.len())
        .map(|number| format!("search trial {number}"))
        .collect();
    assert_eq!(labels, numbered);
    assert_eq!(search.trials[0].rate, 20.0);
    let (held, failed): (Vec<_>, Vec<_>) = search
        .trials
        .iter()
        .partition(|trial| trial.outcome == TrialOutcome::Held);
    let p50 = |trial: &TrialRecord| trial.response_time_ms.map_or(f64::INFINITY, |t| t.p50);
    assert!(held.iter().all(|trial| p50(trial) < 50.0), "{held:?}");
    let failed_at = |rate| failed.iter().any(|trial| trial.rate == rate);
    assert!(search.lowest_failing.is_none_or(failed_at), "{failed:?}");
    assert!(search.rate.is_none() || record.response_time_ms.unwrap().p50 < 50.0);
}
