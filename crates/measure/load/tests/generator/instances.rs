//! Several instances of a subject: requests go to them in turn.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use support::Rig;
use tacho_load::testkit::{Act, Nobody, TestServer};
use tacho_load::{Endpoint, LoadError, Options, Protocol};
use tacho_run_folder::PhaseKind;
use tacho_workload::Step;

/// A server that counts, and answers after a while.
fn counting(after: Duration) -> (TestServer, Arc<AtomicU64>) {
    let count = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&count);
    let server = TestServer::start(move |_| {
        seen.fetch_add(1, Ordering::Relaxed);
        vec![Act::Wait(after), Act::ok("ok")]
    });
    (server, count)
}

fn rig(servers: &[&TestServer]) -> Rig {
    let endpoint = Endpoint::new(servers[0].address())
        .beside(servers[1..].iter().map(|server| server.address()));
    Rig::to(endpoint, &[Step::get("/")], Options::default())
}

#[test]
fn each_has_its_exact_share_whatever_the_others_do() {
    let (quick, quick_count) = counting(Duration::ZERO);
    let (slow, slow_count) = counting(Duration::from_millis(40));
    let (third, third_count) = counting(Duration::ZERO);
    let record = rig(&[&quick, &slow, &third]).open(300.0, 1.0, 30);
    assert_eq!(
        (record.requests, record.succeeded),
        (300, 300),
        "{record:?}"
    );
    for count in [quick_count, slow_count, third_count] {
        assert_eq!(count.load(Ordering::Relaxed), 100);
    }
}

#[test]
fn a_stuck_one_delays_its_own_requests_alone() {
    let (quick, _) = counting(Duration::ZERO);
    // On two of four connections it can answer 20 in a second, of the 100 that are its share.
    let (stuck, _) = counting(Duration::from_millis(100));
    let mut rig = rig(&[&quick, &stuck]);
    let record = rig.open(200.0, 1.0, 4);
    assert_eq!(record.succeeded, 200, "{record:?}");
    let rows = rig.rows("requests.csv");
    let mut own: Vec<(u64, f64)> = rows
        .iter()
        .map(|row| (row.intended_ns, row.response_time_ms()))
        .collect();
    own.sort_by_key(|(intended, _)| *intended);
    let median = |nth: usize| {
        let mut times: Vec<f64> = own.iter().skip(nth).step_by(2).map(|(_, ms)| *ms).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    assert!(median(1) > 1_000.0, "{}", median(1));
    assert!(median(0) < 500.0, "{}", median(0));
}

#[test]
fn a_closed_loop_reaches_all_of_them() {
    let (one, one_count) = counting(Duration::ZERO);
    let (two, two_count) = counting(Duration::ZERO);
    let record = rig(&[&one, &two]).closed(100, 4, 0.0);
    assert_eq!(record.succeeded, 100, "{record:?}");
    assert!(one_count.load(Ordering::Relaxed) > 0);
    assert!(two_count.load(Ordering::Relaxed) > 0);
}

#[test]
fn one_that_is_gone_is_counted_and_the_others_go_on() {
    let (alive, count) = counting(Duration::ZERO);
    let gone = Nobody::here();
    let endpoint = Endpoint::new(alive.address()).beside([gone.address()]);
    let mut rig = Rig::to(endpoint, &[Step::get("/")], Options::default());
    let record = rig.open(100.0, 1.0, 10);
    assert_eq!((record.requests, record.succeeded), (100, 50), "{record:?}");
    assert_eq!(count.load(Ordering::Relaxed), 50);
    assert_eq!(record.errors[&"refused".into()].count, 50);
}

#[test]
fn fewer_connections_than_instances_are_refused() {
    let (one, _) = counting(Duration::ZERO);
    let (two, _) = counting(Duration::ZERO);
    let kind = PhaseKind::Open {
        rate: 10.0,
        duration_s: 0.1,
        connections: 1,
    };
    let refused = rig(&[&one, &two]).try_run("open", kind).unwrap_err();
    assert!(
        refused.to_string().contains("set `connections` to 2"),
        "{refused}"
    );
}

#[test]
fn streams_of_http2_cannot_be_dealt_out() {
    let (one, _) = counting(Duration::ZERO);
    let endpoint = Endpoint::new(one.address())
        .beside([one.address()])
        .speaking(Protocol::Http2);
    let options = Options {
        streams_per_connection: NonZeroU32::MIN,
        ..Options::default()
    };
    let refused = Rig::try_to(endpoint, &[Step::get("/")], options);
    assert!(matches!(refused.err(), Some(LoadError::Transport(_))));
}
