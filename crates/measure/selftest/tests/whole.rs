//! The whole self-test on this machine. Machines that run tests are busy, so nothing is asserted
//! about how soon something happened: only counts, and bounds that hold however late everything is.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tacho_selftest::{
    Course, Mixture, Options, Script, SelfTestError, Stall, expected, run_courses,
};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn constant() -> Course {
    let script = Script::Constant {
        delay_ns: 50_000_000,
    };
    Course::new("constant delay", script, 200.0, 1.0, 64).unwrap()
}

fn mixture() -> Course {
    let mixture = Mixture::new(&[(900, ms(5)), (100, ms(200))]).unwrap();
    Course::new(
        "mixture of delays",
        Script::Mixture(mixture),
        500.0,
        2.0,
        64,
    )
    .unwrap()
}

fn stall() -> Course {
    let stall = Stall::new(ms(1_000), ms(200), 4_000.0).unwrap();
    Course::new("stall", Script::Stall(stall), 1_000.0, 1.0, 16).unwrap()
}

#[test]
fn every_request_is_answered_and_no_delay_is_reported_too_short() {
    let courses = [constant(), mixture()];
    let test = run_courses(&courses, &Options::default(), &mut |_| {}).unwrap();
    assert_eq!(test.courses.len(), 2);
    for (course, result) in courses.iter().zip(&test.courses) {
        assert_eq!(result.requests, expected(course).count);
        assert_eq!(result.succeeded, result.requests, "{result:?}");
        assert_eq!(result.comparisons.len(), 6);
        for comparison in &result.comparisons {
            // The server waits that long after the request came; the histogram rounds up.
            assert!(
                comparison.reported_ms >= comparison.expected_ms,
                "{comparison:?}"
            );
        }
    }
}

#[test]
fn a_silence_shows_in_the_response_time_and_hides_from_the_service_time() {
    let course = stall();
    let test = run_courses(
        std::slice::from_ref(&course),
        &Options::default(),
        &mut |_| {},
    )
    .unwrap();
    let [result] = &test.courses[..] else {
        panic!("one course gives one result");
    };
    assert_eq!(result.succeeded, 1_000, "{result:?}");
    // 16 connections carry 16 of the 266 requests that the silence delays. However late everything
    // is, the others wait for a connection, so their service time is shorter.
    let mean = |of: fn(&tacho_selftest::Comparison) -> f64| -> f64 {
        result.comparisons.iter().map(of).sum()
    };
    assert!(
        mean(|c| c.reported_ms) > mean(|c| c.closed_loop_ms),
        "{result:?}"
    );
    assert!(result.surroundings.server_lateness_ms.unwrap().count == 1_000);
}

#[test]
fn progress_names_each_course_and_counts_its_requests() {
    let mut seen = Vec::new();
    run_courses(&[constant(), stall()], &Options::default(), &mut |p| {
        seen.push(p)
    })
    .unwrap();
    assert_eq!(seen[0].course, "constant delay");
    assert_eq!((seen[0].number, seen[0].of, seen[0].requests), (1, 2, 200));
    assert!(seen.iter().any(|p| p.course == "stall" && p.number == 2));
    assert!(seen.is_sorted_by_key(|p| p.elapsed));
    assert!(seen.iter().all(|p| p.intended <= p.requests), "{seen:?}");
}

#[test]
fn a_test_that_was_stopped_shows_nothing() {
    let stop = Arc::new(AtomicBool::new(false));
    let options = Options {
        stop: Arc::clone(&stop),
        ..Options::default()
    };
    let long = Course::new(
        "constant delay",
        Script::Constant { delay_ns: 1_000 },
        10.0,
        3_600.0,
        8,
    )
    .unwrap();
    let ended = run_courses(&[long], &options, &mut |p| {
        if p.intended > 0 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(
        matches!(ended, Err(SelfTestError::Interrupted)),
        "{ended:?}"
    );
}
