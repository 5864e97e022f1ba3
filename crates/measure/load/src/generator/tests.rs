use super::*;
use crate::real_time::RealTime;
use crate::testkit::{Act, TestServer, source};
use tacho_clock::Anchor;
use tacho_run_folder::{ScheduleSpec, lateness_of};
use tacho_workload::Step;

/// 500 requests a second for a second, and a loop that does nothing from 0.5 s to 0.7 s.
fn run_blocked(server: &TestServer) -> PhaseRecord {
    let block = pass::Block {
        at_ns: 500 * MILLISECOND,
        length: Duration::from_millis(200),
    };
    let kind = PhaseKind::Open {
        rate: 500.0,
        duration_s: 1.0,
        connections: 16,
    };
    run(server, kind, block)
}

fn run(server: &TestServer, kind: PhaseKind, block: pass::Block) -> PhaseRecord {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let anchor = Anchor::now();
    let mut recorder =
        Recorder::create_files(&path("hlog"), &path("requests"), &path("slowest"), anchor).unwrap();
    let endpoint = Endpoint::new(server.address());
    let source = source(&[Step::get("/")], &endpoint);
    let mut generator = Generator::new(endpoint, source, Options::default()).unwrap();
    generator.block = Some(block);
    let plan = PhasePlan {
        label: "open".into(),
        kind,
    };
    generator
        .run(0, &plan, &mut recorder, &Control::new())
        .unwrap()
}

/// Without the right to go first the generator is as late as the machine is busy.
fn may_be_late() -> bool {
    RealTime::take().is_none()
}

/// A fifth of the requests come due while the loop is blocked, so their lags are spread evenly
/// from 0 to 200 ms: quantile q is `200 ms - (1 - q) * 1 s`.
#[test]
fn a_blocked_loop_is_reported_as_lag() {
    let mut seen = Vec::new();
    for _ in 0..6 {
        let server = TestServer::start(|_| vec![Act::ok("ok")]);
        let record = run_blocked(&server);
        assert_eq!(record.succeeded, 500, "nothing is skipped: {record:?}");
        let lag = record.generator_lag_ms.unwrap();
        let response = record.response_time_ms.unwrap();
        // On any machine: it is never less than the truth.
        assert!(lag.p90 >= 95.0 && lag.max >= 195.0, "{lag:?}");
        assert!(
            response.p90 >= 95.0 && response.max >= 195.0,
            "{response:?}"
        );
        seen.push(lag);
        if may_be_late() || lag.p50 < 2.0 && lag.p90 < 115.0 && lag.max < 215.0 {
            return;
        }
    }
    panic!("too long in every try: {seen:?}");
}

/// The same while the subject answers nothing: the lag is reported, the wait is not mistaken for
/// it.
#[test]
fn a_blocked_loop_is_reported_also_when_all_connections_are_busy() {
    let mut seen = Vec::new();
    for _ in 0..6 {
        let server = TestServer::start(|_| {
            vec![Act::WaitUntil(Duration::from_millis(1_500)), Act::ok("ok")]
        });
        let record = run_blocked(&server);
        assert_eq!(record.succeeded, 500, "{record:?}");
        let lag = record.generator_lag_ms.unwrap();
        let delay = record.dispatch_delay_ms.unwrap();
        assert!(lag.max >= 195.0, "{lag:?}");
        assert!(delay.p50 > 900.0, "{delay:?}");
        seen.push(lag);
        if may_be_late() || lag.p50 < 2.0 && lag.max < 215.0 {
            return;
        }
    }
    panic!("too long in every try: {seen:?}");
}

#[test]
fn the_seed_of_the_generator_reaches_how_long_users_think() {
    let endpoint = || Endpoint::new(([127, 0, 0, 1], 9).into());
    let first = |seed| {
        let source = source(&[Step::get("/")], &endpoint());
        let options = Options {
            seed,
            ..Options::default()
        };
        let generator = Generator::new(endpoint(), source, options).unwrap();
        let think = Think::Exponential(Duration::from_millis(100));
        generator.think_times(think, 3).next()
    };
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
}

/// Ten requests at once over one connection, and a loop that does nothing for two seconds when the
/// second or third of them is being answered. The connection is free soon, and stays unused: that
/// is not the subject's doing, nor that of too few connections.
#[test]
fn a_free_connection_that_a_blocked_loop_does_not_see_is_the_generators_lateness() {
    let server = TestServer::start(|_| vec![Act::Wait(Duration::from_millis(20)), Act::ok("ok")]);
    let burst = PhaseKind::Scheduled {
        schedule: ScheduleSpec::Burst {
            requests: 10,
            over_s: 0.0,
            rest_s: 1.0,
            duration_s: 1.0,
        },
        connections: 1,
    };
    let block = pass::Block {
        at_ns: 50 * MILLISECOND,
        length: Duration::from_secs(2),
    };
    let record = run(&server, burst, block);
    assert_eq!(record.succeeded, 10, "{record:?}");
    let response = record.response_time_ms.unwrap();
    let on_time = record.on_time_response_ms.unwrap();
    assert!(response.p50 >= 2_000.0, "{response:?}");
    // Ten answers one after another, on any machine.
    assert!(on_time.max >= 199.0, "{on_time:?}");
    assert!(on_time.max < 1_500.0, "{on_time:?}");
    let lateness = lateness_of(&record).unwrap();
    assert!(lateness.is_everywhere, "{lateness:?}");
}
